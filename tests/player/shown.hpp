// SPDX-License-Identifier: MIT
// Shows models without files.
#pragma once

#include "ui/app.hpp"

#include <pchr/offscreen.hpp>

#include <filesystem>
#include <optional>
#include <utility>

namespace pchr::player {

/// A player without a window.
struct Windowless {
  HeadlessContext context = HeadlessContext::create().value();
  Renderer renderer = Renderer::create(context.get_proc_address()).value();
  App app{};

  Model model(CharacterData data) { return renderer.upload(Character::build(std::move(data)).value()).value(); }
};

/// Shows `model` as if it had been read from `path`.
inline void show_model(App& app, const std::filesystem::path& path, Model model, std::optional<ClipId> clip,
                       std::optional<CharaInfo> chara = {}, Opened opened = Opened::fresh) {
  Document document{.path = path, .model = std::move(model)};
  document.imported.chara = chara;
  replace_open(app, std::make_unique<Actor>(Actor{.document = std::move(document)}), clip, opened);
}

/// Shows `model` as if the open file had been reloaded.
inline void reload_model(App& app, Model model, std::optional<ClipId> clip, std::optional<CharaInfo> chara = {}) {
  show_model(app, std::filesystem::path(app.document()->path), std::move(model), clip, chara, Opened::reloaded);
}

}  // namespace pchr::player
