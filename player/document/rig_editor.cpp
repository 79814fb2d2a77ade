// SPDX-License-Identifier: MIT
#include "document/rig_editor.hpp"

#include <algorithm>
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

void step_to(RigEditor& editor, std::vector<Rig>& from, std::vector<Rig>& to) {
  commit(editor);
  if (from.empty()) return;
  to.push_back(std::exchange(editor.rig, std::move(from.back())));
  from.pop_back();
  editor.committed = editor.rig;
  if (editor.selected && !exists(editor.rig, *editor.selected)) editor.selected.reset();
}

template <typename T>
void erase_at(std::vector<T>& values, std::size_t index) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(index));
}

}  // namespace

RigEditor edit_rig(Rig saved) { return {.rig = saved, .committed = saved, .saved = std::move(saved)}; }

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

bool can_add(ConstraintKind kind, const Character& character, BoneId bone) {
  if (!character.bones().contains(bone)) return false;
  const bool needs_limb = kind == ConstraintKind::limb || kind == ConstraintKind::foot;
  return !needs_limb || parent_of(character, parent_of(character, bone)) != BoneId::none;
}

void add(RigEditor& editor, ConstraintKind kind, const Character& character, BoneId bone) {
  if (!can_add(kind, character, bone)) return;
  Rig& rig = editor.rig;
  const std::string name = unique_name(rig, kind, character.bones()[bone].name);
  if (kind == ConstraintKind::spring) rig.springs.push_back({.name = name, .bones = chain_from(character, bone)});
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

}  // namespace pchr::player
