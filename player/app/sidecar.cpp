// SPDX-License-Identifier: MIT
#include "app/sidecar.hpp"

#include "platform/utf8_path.hpp"

#include <pchr/export/animation.hpp>

#include <span>
#include <utility>

namespace pchr::player {
namespace {

constexpr const char* kUnsaved = "The rig has unsaved changes. Save them with Ctrl+S, or repeat to discard them.";

std::string file_name(const std::string& path) { return utf8_of(path_from_utf8(path).filename()); }

Expected<Sidecar, LoadError> parse(const std::string& text, const Character& character) {
  return load_rig(std::as_bytes(std::span(text)), character);
}

}  // namespace

std::string read_sidecar(Document& document) {
  if (document.path == kStandardInputName) return {};
  const std::string character = utf8_of(document.path);
  const std::string path = find_sidecar(character).value_or(rig_path(character));
  document.sidecar = stamp(path_from_utf8(path));
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(document.sidecar.path, ignored)) return {};
  auto sidecar = load_rig(path, document.character());
  if (!sidecar) {
    document.rig.file_error = describe(sidecar.error(), file_name(path));
    return document.rig.file_error;
  }
  document.markers = std::make_shared<Markers>(std::move(sidecar->markers));
  document.rig = edit_rig(std::move(sidecar->rig));
  return {};
}

void continue_rig(Document& document, const Document& before) {
  document.motion.travel = before.motion.travel;
  // Bones and limbs are matched by name, as in a file.
  const auto convert = [&](const Rig& rig) -> std::optional<Rig> {
    auto converted = parse(save_rig(Sidecar{{}, rig}, before.character()), document.character());
    return converted ? std::optional(std::move(converted->rig)) : std::nullopt;
  };
  continue_editing(document.rig, before.rig, convert);
}

void save_rig(App& app) {
  if (!app.document) return;
  Document& document = *app.document;
  commit(document.rig);
  const std::string path = rig_path(utf8_of(document.path));
  const std::string name = file_name(path);
  if (document.path == kStandardInputName) return show_notice(app.notice, "Standard input has no folder to save to");
  if (!document.rig.file_error.empty()) {
    app.error = name + " is not replaced because it could not be read: " + document.rig.file_error;
    return;
  }
  const std::string text = save_rig(Sidecar{*document.markers, document.rig.rig}, document.character());
  if (const auto checked = parse(text, document.character()); !checked) {
    app.error = "Cannot save the rig: " + describe(checked.error(), name);
    return;
  }
  OutputFiles files({}, false);
  auto written = files.write(path, std::as_bytes(std::span(text)));
  if (written) written = files.publish(Existing::replace);
  if (!written) {
    app.error = "Cannot save the rig: " + written.error().message;
    return;
  }
  document.sidecar = stamp(path_from_utf8(path));
  document.rig.saved = document.rig.rig;
  show_notice(app.notice, "Saved " + name, NoticeKind::success);
}

bool may_leave(App& app) {
  if (!app.document || !has_unsaved_changes(app.document->rig)) return true;
  if (app.notice.text == kUnsaved) {
    app.notice = {};
    return true;
  }
  show_notice(app.notice, kUnsaved, NoticeKind::warning);
  return false;
}

}  // namespace pchr::player
