// SPDX-License-Identifier: MIT
// A Pomyu character's animations as frames of placed sprites, each sprite a bone.
#include "formats/chp/plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace pchr::chp {
namespace {

constexpr std::size_t kMostBones = 65535;
// About 100 MB. A character with few tweens stays far below; one whose frames alone take more has no tweens to give up.
constexpr std::uint64_t kMostTweenSamples = std::uint64_t{4} << 20;
// Evaluating takes well below a second for as many.
constexpr std::int64_t kMostEvaluated = std::int64_t{1} << 20;
constexpr std::int64_t kMostStep = 1 << 13;

const Animation& animation_of(const File& file, int number) noexcept {
  return file.animations[static_cast<std::size_t>(number - 1)];
}

bool has_tweens(const Animation& animation) noexcept {
  return std::ranges::any_of(animation.timelines, [](const Timeline& timeline) {
    return std::ranges::any_of(timeline.columns, [](const Column& column) { return !column.tweens.empty(); });
  });
}

/// The smallest step with which not too many timelines are evaluated.
std::int64_t first_step(const File& file) noexcept {
  for (std::int64_t step = 1; step <= kMostStep; step *= 2) {
    std::int64_t evaluated = 0;
    for (const Animation& animation : file.animations) {
      if (!has_tweens(animation)) continue;
      const auto timelines = static_cast<std::int64_t>(animation.timelines.size());
      evaluated += timelines * animation.frame_count * (animation.frame_ms / step + 1);
    }
    if (evaluated <= kMostEvaluated) return step;
  }
  return kNoSteps;
}

class Planner {
 public:
  Planner(const File& file, const Pictures& pictures, std::int64_t step_ms, std::uint64_t most_samples)
      : file_(file), pictures_(pictures), most_samples_(most_samples) {
    plan_.step_ms = step_ms;
  }

  std::optional<Plan> plan() && {
    for (int number = 1; number <= kAnimations; ++number) {
      if (animation_of(file_, number).frame_count > 0 && !plan_clip(number)) return std::nullopt;
    }
    return std::move(plan_);
  }

 private:
  bool plan_clip(int number) {
    const Animation& animation = animation_of(file_, number);
    ClipPlan clip{number, 0, {}, {}, 0, animation.frame_count * animation.frame_ms};
    const std::int64_t step = has_tweens(animation) ? plan_.step_ms : kNoSteps;
    for (std::uint32_t frame = 0; frame < animation.frame_count; ++frame) {
      const std::int64_t start = frame * animation.frame_ms;
      if (frame == animation.loop_start) clip.loop_start = static_cast<std::uint32_t>(clip.start_ms.size());
      add_frame(clip, start);
      for (std::int64_t ms = start / step * step + step; ms < start + animation.frame_ms; ms += step) {
        add_frame(clip, ms);
      }
      if (!fits()) return false;
    }
    clip.end_use = plan_.uses.size();
    plan_.clips.push_back(std::move(clip));
    return true;
  }

  [[nodiscard]] bool fits() const noexcept {
    return plan_.sprites.size() <= kMostBones && frames_ * plan_.sprites.size() <= most_samples_;
  }

  /// A frame of the animation always gets one of the clip; what lies within it does where something changed.
  void add_frame(ClipPlan& clip, std::int64_t ms) {
    operations_.clear();
    evaluate(file_, clip.animation, ms, operations_);
    const bool is_within = ms % animation_of(file_, clip.animation).frame_ms != 0;
    if (is_within && operations_ == before_) return;
    before_ = operations_;
    clip.start_ms.push_back(ms);
    clip.first_use.push_back(plan_.uses.size());
    ++frames_;
    for (const Operation& operation : operations_) {
      const auto picture = operation.layer == Layer::texture ? pictures_.char_tex : pictures_.char_bmp;
      if (!picture) continue;
      const Image& image = pictures_.images[*picture];
      const auto placed = place(file_, clip.animation, operation, {*picture, image.width, image.height});
      if (placed) plan_.uses.push_back({bone_of(placed->sprite), placed->placement});
    }
  }

  /// A bone of that sprite that this frame does not use yet.
  std::uint32_t bone_of(const Sprite& sprite) {
    Copies& copies = copies_[sprite];
    if (copies.frame != frames_) copies = {std::move(copies.bones), 0, frames_};
    if (copies.used == copies.bones.size()) {
      copies.bones.push_back(static_cast<std::uint32_t>(plan_.sprites.size()));
      plan_.sprites.push_back(sprite);
    }
    return copies.bones[copies.used++];
  }

  struct Copies {
    std::vector<std::uint32_t> bones;
    std::size_t used = 0;     // of them, in the frame:
    std::uint64_t frame = 0;  // counted over all clips, from 1
  };

  const File& file_;
  const Pictures& pictures_;
  const std::uint64_t most_samples_;
  Plan plan_;
  std::map<Sprite, Copies> copies_;
  std::uint64_t frames_ = 0;
  std::vector<Operation> operations_, before_;
};

}  // namespace

std::optional<Plan> plan_clips(const File& file, const Pictures& pictures, std::uint64_t most_samples) {
  if (std::ranges::none_of(file.animations, has_tweens)) return Planner(file, pictures, 1, most_samples).plan();
  const std::uint64_t most_with_tweens = std::min(most_samples, kMostTweenSamples);
  for (std::int64_t step = first_step(file); step <= kMostStep; step *= 2) {
    if (auto plan = Planner(file, pictures, step, most_with_tweens).plan()) return plan;
  }
  return Planner(file, pictures, kNoSteps, most_samples).plan();
}

}  // namespace pchr::chp
