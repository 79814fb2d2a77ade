// SPDX-License-Identifier: MIT
// The C interface: procedural layers.
#include "c/c.hpp"

#include <memory>

struct pchr_rig {
  pchr::Character character;
  pchr::Rig rig;
  std::shared_ptr<const pchr::Markers> markers;
  mutable std::shared_ptr<const pchr::Rig> shared;  ///< Copy of `rig` for animators, or null after a change.
};

namespace pchr::c {
namespace {

std::string text_of(const char* text, const char* otherwise = "") { return text != nullptr ? text : otherwise; }

pchr_aim aim_for_c(const Aim& aim) noexcept {
  pchr_aim result{};
  result.bone = std::to_underlying(aim.bone);
  result.axis_degrees = aim.axis_degrees;
  result.target_bone = std::to_underlying(aim.target_bone);
  result.min_degrees = aim.min_degrees;
  result.max_degrees = aim.max_degrees;
  result.softness_degrees = aim.softness_degrees;
  result.weight = aim.weight;
  return result;
}

pchr_limb limb_for_c(const TwoBoneIk& limb) noexcept {
  static_assert(static_cast<int>(Bend::as_animated) == PCHR_BEND_AS_ANIMATED &&
                static_cast<int>(Bend::counter_clockwise) == PCHR_BEND_COUNTER_CLOCKWISE &&
                static_cast<int>(Bend::clockwise) == PCHR_BEND_CLOCKWISE);
  pchr_limb result{};
  result.upper = std::to_underlying(limb.upper);
  result.lower = std::to_underlying(limb.lower);
  result.end = std::to_underlying(limb.end);
  result.tip_x = limb.tip.x;
  result.tip_y = limb.tip.y;
  result.target_bone = std::to_underlying(limb.target_bone);
  result.bend = static_cast<pchr_bend>(limb.bend);
  result.softness_pixels = limb.softness_pixels;
  result.max_stretch = limb.max_stretch;
  result.weight = limb.weight;
  return result;
}

pchr_foot foot_for_c(const FootPlant& foot) noexcept {
  pchr_foot result{};
  result.limb = foot.ik;
  result.fade_in_seconds = foot.fade_in_seconds;
  result.fade_out_seconds = foot.fade_out_seconds;
  return result;
}

pchr_spring spring_for_c(const SpringChain& spring) noexcept {
  pchr_spring result{};
  result.tip_x = spring.tip.x;
  result.tip_y = spring.tip.y;
  result.frequency = spring.frequency;
  result.damping = spring.damping;
  result.drag = spring.drag;
  result.gravity_x = spring.gravity.x;
  result.gravity_y = spring.gravity.y;
  result.limit_degrees = spring.limit_degrees;
  result.weight = spring.weight;
  return result;
}

Aim from_c(const pchr_aim& aim) {
  return {text_of(aim.name), BoneId{aim.bone}, aim.axis_degrees,     BoneId{aim.target_bone},
          aim.min_degrees,   aim.max_degrees,  aim.softness_degrees, aim.weight};
}

TwoBoneIk from_c(const pchr_limb& limb) {
  const bool known = static_cast<unsigned>(limb.bend) <= PCHR_BEND_CLOCKWISE;
  return {text_of(limb.name),
          BoneId{limb.upper},
          BoneId{limb.lower},
          BoneId{limb.end},
          {limb.tip_x, limb.tip_y},
          BoneId{limb.target_bone},
          known ? static_cast<Bend>(limb.bend) : Bend::as_animated,
          limb.softness_pixels,
          limb.max_stretch,
          limb.weight};
}

FootPlant from_c(const pchr_foot& foot) {
  return {text_of(foot.name),           foot.limb,
          text_of(foot.plant, "plant"), text_of(foot.lift, "lift"),
          foot.fade_in_seconds,         foot.fade_out_seconds};
}

SpringChain from_c(const pchr_spring& spring) {
  SpringChain result{text_of(spring.name), {},          {spring.tip_x, spring.tip_y},         spring.frequency,
                     spring.damping,       spring.drag, {spring.gravity_x, spring.gravity_y}, spring.limit_degrees,
                     spring.weight};
  for (std::uint32_t i = 0; i < spring.bone_count && spring.bones != nullptr; ++i) {
    result.bones.push_back(BoneId{spring.bones[i]});
  }
  return result;
}

/// Adds a constraint to one of the lists of a rig, unless it cannot work.
template <class Given, class Constraint>
bool add(pchr_rig* rig, const Given* given, std::vector<Constraint> Rig::* list, pchr_error* error) noexcept {
  const auto add_one = [&] {
    const std::optional<Given> values = read(given);
    if (!values) return set_error(error, "", "the struct_size of the options is too small"), false;
    Rig changed = rig->rig;
    (changed.*list).push_back(from_c(*values));
    if (const std::optional<Diagnostic> wrong = find_rig_error(changed, rig->character)) {
      return set_error(error, *wrong, "rig"), false;
    }
    rig->rig = std::move(changed);
    rig->shared = nullptr;
    return true;
  };
  return try_call(error, add_one, rig, given);
}

}  // namespace
}  // namespace pchr::c

using namespace pchr::c;

void pchr_aim_init(pchr_aim* aim, uint32_t struct_size) { init(aim_for_c({}), aim, struct_size); }
void pchr_limb_init(pchr_limb* limb, uint32_t struct_size) { init(limb_for_c({}), limb, struct_size); }
void pchr_foot_init(pchr_foot* foot, uint32_t struct_size) { init(foot_for_c({}), foot, struct_size); }
void pchr_spring_init(pchr_spring* spring, uint32_t struct_size) { init(spring_for_c({}), spring, struct_size); }

uint32_t pchr_find_chain(const pchr_character* handle, uint32_t bone, uint32_t* bones, uint32_t capacity) {
  return call(
      [&] {
        if (bone >= handle->character.bones().size()) return 0U;
        const std::vector<pchr::BoneId> chain = chain_from(handle->character, pchr::BoneId{bone});
        for (std::size_t i = 0; i < std::min<std::size_t>(capacity, chain.size()) && bones != nullptr; ++i) {
          bones[i] = std::to_underlying(chain[i]);
        }
        return count_of(chain);
      },
      handle);
}

pchr_rig* pchr_rig_create(const pchr_character* handle) {
  return call([&] { return new pchr_rig{handle->character, {}, {}, {}}; }, handle);
}

pchr_rig* pchr_rig_load(const pchr_character* handle, const char* path, const pchr_file_system* files,
                        pchr_error* error) {
#ifdef PCHR_WITH_IMPORT
  const auto load = [&]() -> pchr_rig* {
    const auto read_file = [&](const std::string& file) { return read_through(*files, file); };
    const bool reads = files != nullptr && files->read != nullptr;
    auto loaded = pchr::load_rig(path, handle->character, reads ? pchr::ReadFile(read_file) : pchr::ReadFile());
    if (!loaded) return set_error(error, loaded.error(), path), nullptr;
    auto markers = std::make_shared<const pchr::Markers>(std::move(loaded->markers));
    return new pchr_rig{handle->character, std::move(loaded->rig), std::move(markers), {}};
  };
  return try_call(error, load, handle, path);
#else
  (void)handle, (void)path, (void)files;
  return set_error(error, "", "this library was built without importers, which loading rigs requires"), nullptr;
#endif
}

void pchr_rig_free(pchr_rig* rig) { delete rig; }

bool pchr_rig_add_aim(pchr_rig* rig, const pchr_aim* aim, pchr_error* error) {
  return add(rig, aim, &pchr::Rig::aims, error);
}

bool pchr_rig_add_limb(pchr_rig* rig, const pchr_limb* limb, pchr_error* error) {
  return add(rig, limb, &pchr::Rig::ik, error);
}

bool pchr_rig_add_foot(pchr_rig* rig, const pchr_foot* foot, pchr_error* error) {
  return add(rig, foot, &pchr::Rig::feet, error);
}

bool pchr_rig_add_spring(pchr_rig* rig, const pchr_spring* spring, pchr_error* error) {
  return add(rig, spring, &pchr::Rig::springs, error);
}

bool pchr_rig_set_wind(pchr_rig* rig, float x, float y, float gusts) {
  return call(
      [&] {
        rig->rig.wind = {x, y};
        rig->rig.gusts = gusts;
        rig->shared = nullptr;
      },
      rig);
}

bool pchr_animator_set_rig(pchr_animator* animator, const pchr_rig* rig) {
  return call(
      [&] {
        if (rig == nullptr) return animator->set_rig(nullptr), true;
        if (!is_same(animator->character(), rig->character)) return false;
        if (rig->shared == nullptr) rig->shared = std::make_shared<const pchr::Rig>(rig->rig);
        animator->set_rig(rig->shared);
        if (rig->markers != nullptr && !rig->markers->all().empty()) animator->set_markers(rig->markers);
        return true;
      },
      animator);
}

bool pchr_animator_set_target(pchr_animator* animator, const char* name, const float* target, float weight) {
  return call(
      [&] {
        pchr::RigControl* const control = animator->rig_control(name);
        if (control == nullptr) return false;
        control->target.reset();
        if (target != nullptr) control->target = pchr::Vec2{target[0], target[1]};
        control->weight = weight;
        return true;
      },
      animator, name);
}

bool pchr_animator_set_placement(pchr_animator* animator, const pchr_affine* placement, bool teleport) {
  return call([&] { animator->set_rig_placement(affine_of(*placement), teleport); }, animator, placement);
}

void pchr_animator_reset_rig(pchr_animator* animator) {
  if (animator != nullptr) animator->rig_state().instances[0].reset = true;
}

void pchr_animator_set_wind(pchr_animator* animator, float x, float y) {
  if (animator != nullptr) animator->rig_state().wind = {x, y};
}
