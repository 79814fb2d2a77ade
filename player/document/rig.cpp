// SPDX-License-Identifier: MIT
#include "document/document.hpp"

#include "platform/utf8_path.hpp"

#include <pchr/export/animation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace pchr::player {
namespace {

constexpr std::size_t kMaxSteps = 200;

std::size_t count_of(const Rig& rig, ConstraintKind kind) noexcept {
  switch (kind) {
    case ConstraintKind::spring:
      return rig.springs.size();
    case ConstraintKind::aim:
      return rig.aims.size();
    case ConstraintKind::limb:
      return rig.ik.size();
    case ConstraintKind::foot:
      return rig.feet.size();
  }
  return 0;
}

/// Returns `name`, with a number if another constraint of that kind has it: a file refers to limbs by name.
std::string unique_name(Rig& rig, ConstraintKind kind, const std::string& name) {
  const auto is_taken = [&](const std::string& wanted) {
    for (std::size_t i = 0; i < count_of(rig, kind); ++i) {
      if (name_of(rig, {kind, i}) == wanted) return true;
    }
    return false;
  };
  std::string unique = name;
  for (int number = 2; is_taken(unique); ++number) unique = name + " " + std::to_string(number);
  return unique;
}

BoneId parent_of(const Character& character, BoneId bone) {
  return bone == BoneId::none ? BoneId::none : character.bones()[bone].parent;
}

void step_to(RigEditor& editor, std::vector<EditedRig>& from, std::vector<EditedRig>& to) {
  commit(editor);
  if (from.empty()) return;
  to.push_back(std::exchange(editor.rig, std::move(from.back())));
  from.pop_back();
  editor.committed = editor.rig;
  if (editor.selected && !exists(editor.rig, *editor.selected)) editor.selected.reset();
  if (editor.selected_state && !exists(editor.rig.states, *editor.selected_state)) editor.selected_state.reset();
}

template <typename T>
void erase_at(std::vector<T>& values, std::size_t index) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(index));
}

bool swings(const Rig& rig, BoneId bone) {
  return std::ranges::any_of(
      rig.springs, [&](const SpringChain& chain) { return std::ranges::find(chain.bones, bone) != chain.bones.end(); });
}

}  // namespace

RigEditor edit_rig(EditedRig saved) { return {.rig = saved, .committed = saved, .saved = std::move(saved)}; }

void commit(RigEditor& editor) {
  if (editor.rig == editor.committed) return;
  if (editor.undo_steps.size() == kMaxSteps) editor.undo_steps.erase(editor.undo_steps.begin());
  editor.undo_steps.push_back(std::exchange(editor.committed, editor.rig));
  editor.redo_steps.clear();
}

void undo(RigEditor& editor) { step_to(editor, editor.undo_steps, editor.redo_steps); }
void redo(RigEditor& editor) { step_to(editor, editor.redo_steps, editor.undo_steps); }

std::vector<ConstraintRef> constraints_of(const Rig& rig) {
  std::vector<ConstraintRef> all;
  for (const auto kind : {ConstraintKind::spring, ConstraintKind::aim, ConstraintKind::limb, ConstraintKind::foot}) {
    for (std::size_t i = 0; i < count_of(rig, kind); ++i) all.push_back({kind, i});
  }
  return all;
}

std::string& name_of(Rig& rig, ConstraintRef constraint) {
  switch (constraint.kind) {
    case ConstraintKind::aim:
      return rig.aims[constraint.index].name;
    case ConstraintKind::limb:
      return rig.ik[constraint.index].name;
    case ConstraintKind::foot:
      return rig.feet[constraint.index].name;
    case ConstraintKind::spring:
      break;
  }
  return rig.springs[constraint.index].name;
}

bool exists(const Rig& rig, ConstraintRef constraint) noexcept {
  return constraint.index < count_of(rig, constraint.kind);
}

bool can_add(const Rig& rig, ConstraintKind kind, const Character& character, BoneId bone) {
  if (!character.bones().contains(bone)) return false;
  if (kind == ConstraintKind::spring) return !swings(rig, bone);
  const bool needs_limb = kind == ConstraintKind::limb || kind == ConstraintKind::foot;
  return !needs_limb || parent_of(character, parent_of(character, bone)) != BoneId::none;
}

void add(RigEditor& editor, ConstraintKind kind, const Character& character, BoneId bone) {
  Rig& rig = editor.rig;
  if (!can_add(rig, kind, character, bone)) return;
  const std::string name = unique_name(rig, kind, character.bones()[bone].name);
  if (kind == ConstraintKind::spring) {
    std::vector<BoneId> bones = chain_from(character, bone);
    bones.erase(std::ranges::find_if(bones, [&](BoneId each) { return swings(rig, each); }), bones.end());
    rig.springs.push_back({.name = name, .bones = std::move(bones)});
  }
  if (kind == ConstraintKind::aim) rig.aims.push_back({.name = name, .bone = bone});
  if (kind == ConstraintKind::limb || kind == ConstraintKind::foot) {
    auto limb = std::ranges::find(rig.ik, bone, &TwoBoneIk::end);
    if (limb == rig.ik.end() || kind == ConstraintKind::limb) {
      const BoneId lower = parent_of(character, bone);
      rig.ik.push_back({.name = unique_name(rig, ConstraintKind::limb, character.bones()[bone].name),
                        .upper = parent_of(character, lower),
                        .lower = lower,
                        .end = bone});
      limb = rig.ik.end() - 1;
    }
    if (kind == ConstraintKind::foot)
      rig.feet.push_back({.name = name, .ik = static_cast<std::uint32_t>(limb - rig.ik.begin())});
  }
  editor.selected = {kind, count_of(rig, kind) - 1};
}

void remove_selected(RigEditor& editor) {
  if (!editor.selected || !exists(editor.rig, *editor.selected)) return;
  Rig& rig = editor.rig;
  const auto [kind, index] = *editor.selected;
  if (kind == ConstraintKind::spring) erase_at(rig.springs, index);
  if (kind == ConstraintKind::aim) erase_at(rig.aims, index);
  if (kind == ConstraintKind::foot) erase_at(rig.feet, index);
  if (kind == ConstraintKind::limb) {
    erase_at(rig.ik, index);
    std::erase_if(rig.feet, [&](const FootPlant& foot) { return foot.ik == index; });
    for (FootPlant& foot : rig.feet) foot.ik -= foot.ik > index ? 1 : 0;
  }
  if (!exists(rig, *editor.selected)) editor.selected.reset();
}

std::optional<SharedBone> find_shared_bone(const Rig& rig) {
  for (std::size_t second = 1; second < rig.springs.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      const std::vector<BoneId>& bones = rig.springs[first].bones;
      const auto shared = std::ranges::find_first_of(rig.springs[second].bones, bones);
      if (shared != rig.springs[second].bones.end()) return SharedBone{first, second, *shared};
    }
  }
  return std::nullopt;
}

std::string describe(const SharedBone& shared, const Rig& rig, const Character& character) {
  return fmt::format("the spring chains \"{}\" and \"{}\" share the bone \"{}\", which swings twice as far",
                     rig.springs[shared.first].name, rig.springs[shared.second].name,
                     character.bones()[shared.bone].name);
}

namespace {

EditedRig edited(Sidecar sidecar) {
  return {std::move(sidecar.rig), sidecar.bind.value_or(AutomaticBindPose{}), std::move(sidecar.states)};
}

/// Returns the text of the file with `rig`, as edited for `document`.
std::string text_of(const EditedRig& rig, const Document& document) {
  return save_rig(Sidecar{*document.markers, rig, rig.bind, document.masks, rig.states}, document.character());
}

std::string file_name(const std::string& path) { return utf8_of(path_from_utf8(path).filename()); }

Expected<Sidecar, LoadError> parse(const std::string& text, const Character& character) {
  return load_rig(std::as_bytes(std::span(text)), character);
}

/// Lists what is wrong with the rig and the machines in the file among the problems.
void list_rig_problems(Document& document) {
  std::vector<Problem>& problems = document.problems;
  std::erase_if(problems, [](const Problem& each) { return each.in_rig; });
  document.problem.reset();
  const std::string name = file_name(utf8_of(document.sidecar.path));
  for (const Diagnostic& error : find_state_errors(document.rig.saved.states, document.character(), document.masks)) {
    problems.push_back(problem_of(error, document.character(), name));
    problems.back().in_rig = true;
  }
  if (const auto shared = find_shared_bone(document.rig.saved)) {
    const std::string detail = describe(*shared, document.rig.saved, document.character());
    problems.push_back({.kind = ProblemKind::warning,
                        .message = "Two spring chains share a bone",
                        .detail = detail,
                        .text = fmt::format("{}: warning: {}", name, detail),
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

/// Returns the file with the unsaved changes to the rig of a character; empty if there is no folder for it.
std::filesystem::path autosave_path(const std::filesystem::path& character) {
  std::filesystem::path folder = autosave_folder();
  if (folder.empty()) return folder;
  const std::uint64_t hash = hash_of(utf8_of(absolute_path(character)));
  return folder / path_from_utf8(fmt::format("{:016x}{}", hash, kAutosaveExtension));
}

/// Returns the first line of an autosave: the character's path, in which a line break is "%0A".
std::string autosave_line(const std::filesystem::path& character) {
  std::string line;
  for (const char c : utf8_of(absolute_path(character))) {
    c == '\n' ? line += "%0A" : c == '%' ? line += "%25" : line += c;
  }
  return line + '\n';
}

/// Splits an autosave into the character's path and the rig.
std::pair<std::filesystem::path, std::string> read_autosave(const std::filesystem::path& file) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 28;
  std::string text = read_text_file(file, kMaxBytes);
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string character;
  for (std::size_t i = 0; i < end; ++i) {
    const std::string_view code = std::string_view(text).substr(i, 3);
    const bool is_code = code == "%0A" || code == "%25";
    character += is_code ? (code == "%25" ? '%' : '\n') : text[i];
    if (is_code) i += 2;
  }
  return {path_from_utf8(character), text.substr(std::min(end + 1, text.size()))};
}

}  // namespace

std::string read_sidecar(Document& document) {
  // Without a file next to it, the character has the markers of its own.
  document.markers = std::make_shared<Markers>(document.imported.markers);
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
  document.masks = std::move(sidecar->masks);
  document.rig = edit_rig(edited(*std::move(sidecar)));
  list_rig_problems(document);
  return {};
}

void continue_rig(Document& document, const Document& before) {
  // Bones and limbs are matched by name, as in a file.
  const auto convert = [&](const EditedRig& rig) -> std::optional<EditedRig> {
    auto converted =
        parse(save_rig(Sidecar{{}, rig, rig.bind, {}, rig.states}, before.character()), document.character());
    return converted ? std::optional(edited(*std::move(converted))) : std::nullopt;
  };
  const auto add = [&](const std::vector<EditedRig>& from, std::vector<EditedRig>& to) {
    for (const EditedRig& rig : from) {
      if (auto converted = convert(rig)) to.push_back(std::move(*converted));
    }
  };
  RigEditor& next = document.rig;
  if (!next.file_error.empty()) {
    // While the file cannot be read, what was read last goes on.
    if (auto last = parse(text_of(before.rig.saved, before), document.character())) {
      document.markers = std::make_shared<Markers>(std::move(last->markers));
      document.masks = std::move(last->masks);
      std::string error = std::move(next.file_error);
      next = edit_rig(edited(*std::move(last)));
      next.file_error = std::move(error);
      list_rig_problems(document);
    }
  }
  add(before.rig.undo_steps, next.undo_steps);
  if (before.rig.recovered) next.recovered = convert(*before.rig.recovered);
  next.autosaved = before.rig.autosaved;
  next.autosave_error = before.rig.autosave_error;
  const auto edited = convert(before.rig.rig);
  if (edited && convert(before.rig.saved) == next.saved) {
    next.rig = *edited;
    next.committed = convert(before.rig.committed).value_or(*edited);
    next.selected = before.rig.selected;
    next.selected_state = before.rig.selected_state;
    next.typed_name = before.rig.typed_name;
    return add(before.rig.redo_steps, next.redo_steps);
  }
  if (edited && *edited != next.rig) next.undo_steps.push_back(*edited);
}

std::string save_rig(Document& document) {
  commit(document.rig);
  const std::string path = rig_path(utf8_of(document.path));
  const std::string name = file_name(path);
  if (!document.rig.file_error.empty()) {
    return name + " is not replaced because it could not be read: " + document.rig.file_error;
  }
  const std::string text = text_of(document.rig.rig, document);
  if (const auto checked = parse(text, document.character()); !checked) {
    return "Cannot save the rig: " + describe(checked.error(), name);
  }
  OutputFiles files({}, false);
  auto written = files.write(path, std::as_bytes(std::span(text)));
  if (written) written = files.publish(Existing::replace);
  if (!written) return "Cannot save the rig: " + written.error().message;
  document.sidecar = stamp(path_from_utf8(path));
  document.rig.saved = document.rig.rig;
  list_rig_problems(document);
  keep_unsaved_rig(document);
  return {};
}

void keep_unsaved_rig(Document& document) {
  if (document.path == kStandardInputName) return;
  RigEditor& rig = document.rig;
  std::string text;
  if (has_unsaved_changes(rig)) text = autosave_line(document.path) + text_of(rig.rig, document);
  // Changes that are offered stay until they are restored, discarded or replaced by others.
  if (text == rig.autosaved || (text.empty() && rig.recovered)) return rig.autosave_error.clear();
  const std::filesystem::path path = autosave_path(document.path);
  if (path.empty()) return;
  rig.autosave_error.clear();
  text.empty() ? remove_autosave(document.path) : void(rig.autosave_error = write_text_file(path, text));
  if (rig.autosave_error.empty()) rig.autosaved = std::move(text);
}

std::string recover_rig(Document& document) {
  if (document.path == kStandardInputName) return {};
  const std::filesystem::path path = autosave_path(document.path);
  auto [character, text] = read_autosave(path);
  if (character != absolute_path(document.path)) return {};
  auto kept = parse(text, document.character());
  if (!kept) {
    std::filesystem::path unreadable = path;
    std::error_code error;
    std::filesystem::rename(path, unreadable.replace_extension(".unreadable"), error);
    return fmt::format("The unsaved changes to the rig of {} cannot be read, and stay in {}: {}", document.name(),
                       utf8_of(error ? path : unreadable), describe(kept.error()));
  }
  EditedRig rig = edited(*std::move(kept));
  if (rig == document.rig.saved) {
    remove_autosave(document.path);
    return {};
  }
  document.rig.recovered = std::move(rig);
  document.rig.autosaved = std::move(text);
  return {};
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

void forget_unsaved_rig(Document& document) {
  if (document.rig.recovered && !has_unsaved_changes(document.rig)) return;
  if (!std::exchange(document.rig.autosaved, {}).empty()) remove_autosave(document.path);
}

void remove_autosave(const std::filesystem::path& character) {
  std::error_code ignored;
  std::filesystem::remove(autosave_path(character), ignored);
}

}  // namespace pchr::player
