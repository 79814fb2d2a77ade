// SPDX-License-Identifier: MIT
// A Pomyu character as bones, meshes and clips.
#include "import/chp/build.hpp"

#include <pchr/import/pomyu.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace pchr::chp {
namespace {

struct PlacedSprite {
  Sprite sprite;
  Placement placement;
};

/// The picture that an operation draws from.
struct Sheet {
  std::uint32_t image = 0;
  std::int64_t width = 0, height = 0;
};

/// One dimension of a rectangle.
struct Extent {
  std::int64_t start = 0, length = 0;
};

struct Interval {
  double start = 0, end = 0;
};

/// Everything: #Texture is not clipped.
constexpr Extent kUnclipped{std::numeric_limits<std::int32_t>::min() * std::int64_t{8},
                            std::numeric_limits<std::int32_t>::max() * std::int64_t{16}};

/// The part of `source` that is within a sheet of `sheet` pixels and whose place in `destination` is within `clip`.
Interval visible_part(Extent source, Extent destination, Extent clip, std::int64_t sheet, bool flip) noexcept {
  // In 64 bits and before dividing, so that what is not clipped stays as it is, to the bit.
  const std::int64_t before = std::max<std::int64_t>(clip.start - destination.start, 0);
  const std::int64_t after =
      std::max<std::int64_t>(destination.start + destination.length - clip.start - clip.length, 0);
  const double scale = static_cast<double>(source.length) / static_cast<double>(destination.length);
  const double start = static_cast<double>(source.start) + static_cast<double>(flip ? after : before) * scale;
  const double end =
      static_cast<double>(source.start + source.length) - static_cast<double>(flip ? before : after) * scale;
  return {std::max(start, 0.0), std::min(end, static_cast<double>(sheet))};
}

double middle(Extent extent) noexcept {
  return static_cast<double>(extent.start) + static_cast<double>(extent.length) / 2;
}

/// What of `operation` is within the picture and, but for #Texture, within the clip of `animation`. Nothing if nothing.
std::optional<PlacedSprite> place(const File& file, int animation, const Operation& operation,
                                  const Sheet& sheet) noexcept {
  const PixelRect& from = operation.source;
  const PixelRect& to = operation.destination;
  const PixelRect clip = clip_of(file, animation);
  const bool is_free = operation.layer == Layer::texture;
  const Interval x = visible_part({from.x, from.width}, {to.x, to.width},
                                  is_free ? kUnclipped : Extent{clip.x, clip.width}, sheet.width, operation.flip_x);
  const Interval y = visible_part({from.y, from.height}, {to.y, to.height},
                                  is_free ? kUnclipped : Extent{clip.y, clip.height}, sheet.height, operation.flip_y);
  if (!(x.start < x.end) || !(y.start < y.end) || operation.alpha == 0) return std::nullopt;
  return PlacedSprite{{sheet.image, from, x.start, x.end, y.start, y.end, operation.flip_x, operation.flip_y},
                      {middle({to.x, to.width}) - static_cast<double>(file.width) / 2,
                       static_cast<double>(file.height) / 2 - middle({to.y, to.height}),
                       static_cast<double>(to.width) / static_cast<double>(from.width),
                       static_cast<double>(to.height) / static_cast<double>(from.height),
                       operation.rotation * 360.0 / 256, operation.alpha / 255.0}};
}

constexpr std::size_t kMaxBones = 65535;
// About 100 MB. A character with few tweens stays far below; one whose frames alone take more has no tweens to give up.
constexpr std::uint64_t kMaxTweenSamples = std::uint64_t{4} << 20;
// Evaluating takes well below a second for as many.
constexpr std::int64_t kMaxEvaluated = std::int64_t{1} << 20;
constexpr std::int64_t kMaxStep = 1 << 13;

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
  for (std::int64_t step = 1; step <= kMaxStep; step *= 2) {
    std::int64_t evaluated = 0;
    for (const Animation& animation : file.animations) {
      if (!has_tweens(animation)) continue;
      const auto timelines = static_cast<std::int64_t>(animation.timelines.size());
      evaluated += timelines * animation.frame_count * (animation.frame_ms / step + 1);
    }
    if (evaluated <= kMaxEvaluated) return step;
  }
  return kNoSteps;
}

class Planner {
 public:
  Planner(const File& file, const Pictures& pictures, std::int64_t step_ms, std::uint64_t max_samples)
      : file_(file), pictures_(pictures), max_samples_(max_samples) {
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
    return plan_.sprites.size() <= kMaxBones && frames_ * plan_.sprites.size() <= max_samples_;
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
  const std::uint64_t max_samples_;
  Plan plan_;
  std::map<Sprite, Copies> copies_;
  std::uint64_t frames_ = 0;
  std::vector<Operation> operations_, before_;
};

/// What is shown until something else happens; the others answer a note, or open a song, and end.
bool is_repeated(int animation) noexcept { return animation <= 3 || animation >= kDance; }

std::span<const Use> uses_of(const Plan& plan, const ClipPlan& clip, std::size_t frame) noexcept {
  const std::size_t end = frame + 1 < clip.first_use.size() ? clip.first_use[frame + 1] : clip.end_use;
  return std::span(plan.uses).subspan(clip.first_use[frame], end - clip.first_use[frame]);
}

Vec2 placed(const Placement& placement, double x, double y) noexcept {
  const double angle = placement.rotation_degrees * std::numbers::pi / 180;
  x *= placement.scale_x;
  y *= placement.scale_y;
  return {static_cast<float>(placement.x + x * std::cos(angle) - y * std::sin(angle)),
          static_cast<float>(placement.y + x * std::sin(angle) + y * std::cos(angle))};
}

/// A quad around the sprite's center, in the picture's pixels, y up; placed where the bone is in the bind pose.
void add_mesh(CharacterData& data, const Sprite& sprite, std::uint16_t bone, const Placement& bind) {
  const Image& image = data.images[sprite.image];
  const double center_x = static_cast<double>(sprite.source.x) + static_cast<double>(sprite.source.width) / 2;
  const double center_y = static_cast<double>(sprite.source.y) + static_cast<double>(sprite.source.height) / 2;
  data.meshes.push_back({data.bones[bone].name, ImageId{sprite.image}, static_cast<std::uint32_t>(data.vertices.size()),
                         4, static_cast<std::uint32_t>(data.indices.size()), 6});
  for (const double v : {sprite.top, sprite.bottom}) {
    for (const double u : {sprite.left, sprite.right}) {
      const double x = (u - center_x) * (sprite.flip_x ? -1 : 1);
      const double y = (center_y - v) * (sprite.flip_y ? -1 : 1);
      const Vec2 point = placed(bind, x, y);
      data.vertices.push_back(
          {point.x, point.y, static_cast<float>(u / image.width), static_cast<float>(v / image.height), {bone}, {1}});
    }
  }
  data.indices.insert(data.indices.end(), {0, 2, 1, 1, 2, 3});
}

/// Such as "CharTex 0,0 64x64 part 0,8 64x56 flipped".
std::string name_of(const Sprite& sprite, const Pictures& pictures) {
  const bool is_texture = pictures.char_tex == sprite.image;
  const PixelRect& source = sprite.source;
  std::string name = fmt::format("{} {},{} {}x{}", is_texture ? "CharTex" : "CharBMP", source.x, source.y, source.width,
                                 source.height);
  const double width = sprite.right - sprite.left, height = sprite.bottom - sprite.top;
  if (width != static_cast<double>(source.width) || height != static_cast<double>(source.height)) {
    name += fmt::format(" part {:.4g},{:.4g} {:.4g}x{:.4g}", sprite.left, sprite.top, width, height);
  }
  if (sprite.flip_x) name += " mirrored";
  if (sprite.flip_y) name += " flipped";
  return name;
}

void add_bones(CharacterData& data, const Plan& plan, const Pictures& pictures) {
  std::map<std::string, int> copies;
  for (const Sprite& sprite : plan.sprites) {
    std::string name = name_of(sprite, pictures);
    const int copy = ++copies[name];
    data.bones.push_back({copy == 1 ? std::move(name) : fmt::format("{} #{}", name, copy), BoneId::none});
  }
}

/// Where each bone is in the first frame of all; where it starts that it is not used.
std::vector<Placement> bind_placements(const Plan& plan) {
  std::vector<Placement> result(plan.sprites.size());
  if (plan.clips.empty()) return result;
  for (const Use& use : uses_of(plan, plan.clips.front(), 0)) result[use.bone] = use.placement;
  return result;
}

BoneSamples samples_of(const Plan& plan, const ClipPlan& clip) {
  const std::size_t bones = plan.sprites.size();
  BoneSamples samples;
  samples.resize(clip.start_ms.size() * bones);
  std::ranges::fill(samples.visible, std::uint8_t{0});
  const bool fades = std::any_of(plan.uses.begin() + static_cast<std::ptrdiff_t>(clip.first_use.front()),
                                 plan.uses.begin() + static_cast<std::ptrdiff_t>(clip.end_use),
                                 [](const Use& use) { return use.placement.opacity != 1; });
  if (!fades) samples.opacity = {};
  for (std::size_t frame = 0; frame < clip.start_ms.size(); ++frame) {
    std::int32_t order = 0;
    for (const Use& use : uses_of(plan, clip, frame)) {
      const std::size_t sample = frame * bones + use.bone;
      samples.x[sample] = static_cast<float>(use.placement.x);
      samples.y[sample] = static_cast<float>(use.placement.y);
      samples.rotation_degrees[sample] = static_cast<float>(use.placement.rotation_degrees);
      samples.scale_x[sample] = static_cast<float>(use.placement.scale_x);
      samples.scale_y[sample] = static_cast<float>(use.placement.scale_y);
      if (fades) samples.opacity[sample] = static_cast<float>(use.placement.opacity);
      samples.visible[sample] = 1;
      samples.z_order[sample] = order++;
    }
  }
  return samples;
}

/// Even where every frame is one of the animation; else each lasts until the next begins.
void set_times(Clip& clip, const ClipPlan& plan, const Animation& animation) {
  clip.frames_per_second = 1000.0 / static_cast<double>(animation.frame_ms);
  if (plan.start_ms.size() == animation.frame_count) return;
  for (std::size_t frame = 1; frame < plan.start_ms.size(); ++frame) {
    clip.frame_ends.push_back(static_cast<double>(plan.start_ms[frame]) / 1000);
  }
  clip.frame_ends.push_back(static_cast<double>(plan.end_ms) / 1000);
}

/// For forms that have one rate alone: fine enough for tweens, or that of the file's frames.
std::uint32_t nominal_rate(const CharacterData& data, const File& file) {
  constexpr std::uint32_t kTweenRate = 60;
  const bool tweens = std::ranges::any_of(data.clips, [](const Clip& clip) { return !clip.frame_ends.empty(); });
  if (tweens) return kTweenRate;
  return static_cast<std::uint32_t>(
      std::max<std::int64_t>(std::lround(1000.0 / static_cast<double>(file.frame_ms)), 1));
}

Clip make_clip(const File& file, const Plan& plan, const ClipPlan& planned) {
  Clip clip;
  clip.name = clip_name(static_cast<CharaAnimation>(planned.animation));
  clip.looping = is_repeated(planned.animation);
  clip.frame_count = static_cast<std::uint32_t>(planned.start_ms.size());
  clip.loop_start = planned.loop_start;
  clip.samples = samples_of(plan, planned);
  set_times(clip, planned, file.animations[static_cast<std::size_t>(planned.animation - 1)]);
  return clip;
}

}  // namespace

std::optional<Plan> plan_clips(const File& file, const Pictures& pictures, std::uint64_t max_samples) {
  if (std::ranges::none_of(file.animations, has_tweens)) return Planner(file, pictures, 1, max_samples).plan();
  const std::uint64_t max_with_tweens = std::min(max_samples, kMaxTweenSamples);
  for (std::int64_t step = first_step(file); step <= kMaxStep; step *= 2) {
    if (auto plan = Planner(file, pictures, step, max_with_tweens).plan()) return plan;
  }
  return Planner(file, pictures, kNoSteps, max_samples).plan();
}

CharacterData make_character(const File& file, const Plan& plan, Pictures pictures) {
  CharacterData data;
  data.pixel_art = true;
  add_bones(data, plan, pictures);
  data.images = std::move(pictures.images);
  const std::vector<Placement> bind = bind_placements(plan);
  for (std::size_t bone = 0; bone < plan.sprites.size(); ++bone) {
    add_mesh(data, plan.sprites[bone], static_cast<std::uint16_t>(bone), bind[bone]);
  }
  for (const ClipPlan& clip : plan.clips) data.clips.push_back(make_clip(file, plan, clip));
  data.frames_per_second = nominal_rate(data, file);
  return data;
}

std::vector<Picture> menu_pictures(const File& file, const Pictures& pictures) {
  std::vector<Picture> result;
  // Adds the part of a picture that is within it, if any is.
  const auto add = [&](std::string_view name, std::optional<std::uint32_t> image, const PixelRect& rect) {
    if (!image) return;
    const std::int64_t width = pictures.images[*image].width, height = pictures.images[*image].height;
    const auto clipped = [](std::int64_t start, std::int64_t length, std::int64_t size) {
      const auto [low, high] = std::minmax({start, start + length});
      return std::pair(std::clamp<std::int64_t>(low, 0, size), std::clamp<std::int64_t>(high, 0, size));
    };
    const auto [left, right] = clipped(rect.x, rect.width, width);
    const auto [top, bottom] = clipped(rect.y, rect.height, height);
    if (left == right || top == bottom) return;
    result.push_back({std::string(name), ImageId{*image}, static_cast<std::uint32_t>(left),
                      static_cast<std::uint32_t>(top), static_cast<std::uint32_t>(right - left),
                      static_cast<std::uint32_t>(bottom - top)});
  };
  const auto rect_of = [&](std::int16_t id) {
    const auto found = file.rects.find(id);
    return found == file.rects.end() ? PixelRect{} : found->second;
  };
  add("name", pictures.char_bmp, rect_of(kNameRect));
  add("background", pictures.char_bmp, rect_of(kBackgroundRect));
  add("face", pictures.char_face, file.face_upper);
  add("figure", pictures.char_face, file.face_all);
  add("icon", pictures.select_cg, {0, 0, 65535, 65535});
  return result;
}

}  // namespace pchr::chp
