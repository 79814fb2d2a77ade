// SPDX-License-Identifier: MIT
#include "app/sidecar.hpp"

#include "app/preferences.hpp"
#include "platform/utf8_path.hpp"

#include <pchr/export/animation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace pchr::player {
namespace {

constexpr const char* kUnsaved = "The rig has unsaved changes. Save them with Ctrl+S, or repeat to discard them.";

EditedRig edited(Sidecar sidecar) { return {std::move(sidecar.rig), sidecar.bind.value_or(AutomaticBindPose{})}; }

/// Returns the text of the file with `rig`, as edited for `document`.
std::string text_of(const EditedRig& rig, const Document& document) {
  return save_rig(Sidecar{*document.markers, rig, rig.bind}, document.character());
}

std::string file_name(const std::string& path) { return utf8_of(path_from_utf8(path).filename()); }

Expected<Sidecar, LoadError> parse(const std::string& text, const Character& character) {
  return load_rig(std::as_bytes(std::span(text)), character);
}

/// Lists what is questionable about the rig in the file among the problems.
void list_rig_problems(Document& document) {
  std::vector<Problem>& problems = document.problems;
  std::erase_if(problems, [](const Problem& each) { return each.in_rig; });
  document.problem.reset();
  if (const auto shared = find_shared_bone(document.rig.saved)) {
    const std::string detail = describe(*shared, document.rig.saved, document.character());
    problems.push_back({.kind = ProblemKind::warning,
                        .message = "Two spring chains share a bone",
                        .detail = detail,
                        .text = fmt::format("{}: warning: {}", file_name(utf8_of(document.sidecar.path)), detail),
                        .place = {.bone = shared->bone},
                        .in_rig = true});
  }
  std::ranges::stable_sort(problems, {}, &Problem::kind);
}

constexpr const char* kAutosaveExtension = ".rig";

std::filesystem::path autosave_folder() {
  const std::filesystem::path preferences = preferences_file();
  return preferences.empty() ? preferences : preferences.parent_path() / "unsaved";
}

/// Splits an autosave into the character's path, in its first line, and the rig.
std::pair<std::filesystem::path, std::string> read_autosave(const std::filesystem::path& file) {
  std::string text = read_text_file(file);
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::filesystem::path character = path_from_utf8(text.substr(0, end));
  return {std::move(character), text.substr(std::min(end + 1, text.size()))};
}

void remove_file(const std::filesystem::path& file) {
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
}

}  // namespace

std::string read_sidecar(Document& document) {
  if (document.path == kStandardInputName) return {};
  const std::string character = utf8_of(document.path);
  const std::string path = find_sidecar(character).value_or(rig_path(character));
  document.sidecar = stamp(path_from_utf8(path));
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(document.sidecar.path, ignored)) return {};
  auto sidecar = load_sidecar(character, document.character());
  if (!sidecar) {
    document.rig.file_error = describe(sidecar.error(), file_name(path));
    return document.rig.file_error;
  }
  document.markers = std::make_shared<Markers>(std::move(sidecar->markers));
  document.rig = edit_rig(edited(*std::move(sidecar)));
  list_rig_problems(document);
  return {};
}

void continue_rig(Document& document, const Document& before) {
  document.motion.travel = before.motion.travel;
  // Bones and limbs are matched by name, as in a file.
  const auto convert = [&](const EditedRig& rig) -> std::optional<EditedRig> {
    auto converted = parse(save_rig(Sidecar{{}, rig, rig.bind}, before.character()), document.character());
    return converted ? std::optional(edited(*std::move(converted))) : std::nullopt;
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
  const std::string text = text_of(document.rig.rig, document);
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
  list_rig_problems(document);
  keep_unsaved_rig(app);
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

std::filesystem::path autosave_path(const std::filesystem::path& character) {
  std::filesystem::path folder = autosave_folder();
  if (folder.empty()) return folder;
  // FNV-1a: names must be the same in every build.
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : utf8_of(absolute_path(character))) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  return folder / path_from_utf8(fmt::format("{:016x}{}", hash, kAutosaveExtension));
}

void keep_unsaved_rig(App& app) {
  if (!app.document || app.document->path == kStandardInputName) return;
  const Document& document = *app.document;
  RigEditor& rig = app.document->rig;
  const std::filesystem::path file = autosave_path(document.path);
  std::string text;
  if (has_unsaved_changes(rig)) {
    text = utf8_of(absolute_path(document.path)) + '\n';
    text += text_of(rig.rig, document);
  }
  // Changes that are offered stay until they are restored, discarded or replaced by others.
  if (text == rig.autosaved || (text.empty() && rig.recovered)) return;
  text.empty() ? remove_file(file) : write_text_file(file, text);
  rig.autosaved = std::move(text);
}

void recover_rig(Document& document) {
  if (document.path == kStandardInputName) return;
  const std::filesystem::path file = autosave_path(document.path);
  auto [character, text] = read_autosave(file);
  if (character != absolute_path(document.path)) return;
  auto kept = parse(text, document.character());
  if (!kept) return;
  EditedRig rig = edited(*std::move(kept));
  if (rig == document.rig.saved) return remove_file(file);
  document.rig.recovered = std::move(rig);
  document.rig.autosaved = std::move(text);
}

std::filesystem::path find_unsaved_rig() {
  std::filesystem::path newest;
  std::filesystem::file_time_type latest{};
  std::error_code error;
  for (std::filesystem::directory_iterator at(autosave_folder(), error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    const auto written = at->last_write_time(gone);
    if (gone || at->path().extension() != kAutosaveExtension || (!newest.empty() && written < latest)) continue;
    std::filesystem::path character = read_autosave(at->path()).first;
    if (!std::filesystem::exists(character, gone)) continue;
    newest = std::move(character);
    latest = written;
  }
  return newest;
}

void offer_unsaved_rig(App& app) {
  const bool open = app.document && app.document->rig.recovered;
  const std::filesystem::path& character = open ? app.document->path : app.unsaved_rig;
  if (character.empty()) return;
  show_notice(app.notice, {.text = shown_path(character.filename()) + " has changes to its rig that were not saved",
                           .kind = NoticeKind::warning,
                           .buttons = {{{"rig-restore", "Restore"}, {"rig-discard", "Discard"}}}});
  app.notice.seconds_left = kStays;
}

void restore_rig(App& app) {
  if (app.document && app.document->rig.recovered) {
    RigEditor& rig = app.document->rig;
    commit(rig);
    rig.rig = *std::exchange(rig.recovered, std::nullopt);
    commit(rig);
    app.view.rig = true;
    open_dock(app, Dock::left);
  } else if (!app.unsaved_rig.empty()) {
    app.restores_rig = true;
    open_files(app.files, {app.unsaved_rig});
  }
}

void discard_offered_rig(App& app) {
  if (app.document && app.document->rig.recovered) {
    app.document->rig.recovered.reset();
    // Newer changes may have replaced those in the file.
    if (!has_unsaved_changes(app.document->rig)) forget_unsaved_rig(*app.document);
  } else if (!app.unsaved_rig.empty()) {
    remove_file(autosave_path(std::exchange(app.unsaved_rig, {})));
  }
}

void forget_unsaved_rig(Document& document) {
  if (document.rig.recovered && !has_unsaved_changes(document.rig)) return;
  if (std::exchange(document.rig.autosaved, {}).empty()) return;
  remove_file(autosave_path(document.path));
}

}  // namespace pchr::player
