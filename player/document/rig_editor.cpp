// SPDX-License-Identifier: MIT
#include "document/rig_editor.hpp"

#include <fmt/format.h>

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

void step_to(RigEditor& editor, std::vector<EditedRig>& from, std::vector<EditedRig>& to) {
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

}  // namespace pchr::player
