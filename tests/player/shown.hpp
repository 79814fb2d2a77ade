// SPDX-License-Identifier: MIT
// Documents without files.
#pragma once

#include "app/app.hpp"

#include <filesystem>
#include <optional>
#include <utility>

namespace pchr::player {

/// Shows `model` as if it were read from `path`.
inline void show_model(App& app, const std::filesystem::path& path, Model model, std::optional<ClipId> clip,
                       std::optional<CharaInfo> chara = {}, Opened opened = Opened::anew) {
  Document document{.path = path, .model = std::move(model)};
  document.imported.chara = chara;
  replace_document(app, std::move(document), clip, opened);
}

/// Shows it as if the file that is open were read again.
inline void show_model_again(App& app, Model model, std::optional<ClipId> clip, std::optional<CharaInfo> chara = {}) {
  show_model(app, std::filesystem::path(app.document->path), std::move(model), clip, chara, Opened::again);
}

}  // namespace pchr::player
