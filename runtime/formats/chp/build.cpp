// SPDX-License-Identifier: MIT
// A Pomyu character as bones, meshes and clips.
#include "formats/chp/build.hpp"

#include <pchr/chara.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <span>
#include <string>
#include <utility>

namespace pchr::chp {
namespace {

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

/// A quad around the sprite's centre, in the picture's pixels, y up; placed where the bone is in the bind pose.
void add_mesh(CharacterData& data, const Sprite& sprite, std::uint16_t bone, const Placement& bind) {
  const Image& image = data.images[sprite.image];
  const double centre_x = static_cast<double>(sprite.source.x) + static_cast<double>(sprite.source.width) / 2;
  const double centre_y = static_cast<double>(sprite.source.y) + static_cast<double>(sprite.source.height) / 2;
  data.meshes.push_back({data.bones[bone].name, sprite.image, static_cast<std::uint32_t>(data.vertices.size()), 4,
                         static_cast<std::uint32_t>(data.indices.size()), 6});
  for (const double v : {sprite.top, sprite.bottom}) {
    for (const double u : {sprite.left, sprite.right}) {
      const double x = (u - centre_x) * (sprite.flip_x ? -1 : 1);
      const double y = (centre_y - v) * (sprite.flip_y ? -1 : 1);
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
    data.bones.push_back({copy == 1 ? std::move(name) : fmt::format("{} #{}", name, copy), -1});
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

/// Adds the part of a picture that is within it, if any is.
void add_picture(CharacterData& data, std::string_view name, std::optional<std::uint32_t> image,
                 const PixelRect& rect) {
  if (!image) return;
  const std::int64_t width = data.images[*image].width, height = data.images[*image].height;
  const auto clipped = [](std::int64_t value, std::int64_t most) { return std::clamp<std::int64_t>(value, 0, most); };
  const std::int64_t left = clipped(std::min(rect.x, rect.x + rect.width), width);
  const std::int64_t right = clipped(std::max(rect.x, rect.x + rect.width), width);
  const std::int64_t top = clipped(std::min(rect.y, rect.y + rect.height), height);
  const std::int64_t bottom = clipped(std::max(rect.y, rect.y + rect.height), height);
  if (left == right || top == bottom) return;
  data.pictures.push_back({std::string(name), *image, static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(top),
                           static_cast<std::uint32_t>(right - left), static_cast<std::uint32_t>(bottom - top)});
}

void add_pictures(CharacterData& data, const File& file, const Pictures& pictures) {
  const auto rect_of = [&](std::int16_t id) {
    const auto found = file.rects.find(id);
    return found == file.rects.end() ? PixelRect{} : found->second;
  };
  constexpr PixelRect kAll{0, 0, 65535, 65535};
  add_picture(data, "name", pictures.char_bmp, rect_of(kNameRect));
  add_picture(data, "background", pictures.char_bmp, rect_of(kBackgroundRect));
  add_picture(data, "face", pictures.char_face, file.face_upper);
  add_picture(data, "figure", pictures.char_face, file.face_all);
  add_picture(data, "icon", pictures.select_cg, kAll);
}

}  // namespace

CharacterData make_character(const File& file, const Plan& plan, Pictures pictures) {
  CharacterData data;
  data.chara = CharaInfo{file.legacy, static_cast<std::uint32_t>(std::clamp<std::int64_t>(file.wait, 1, 1000))};
  data.pixel_art = true;
  data.title = file.name;
  data.author = file.artist;
  data.format = file.legacy ? "legacy Pomyu CHP" : "Pomyu CHP";
  add_bones(data, plan, pictures);
  data.images = std::move(pictures.images);
  const std::vector<Placement> bind = bind_placements(plan);
  for (std::size_t bone = 0; bone < plan.sprites.size(); ++bone) {
    add_mesh(data, plan.sprites[bone], static_cast<std::uint16_t>(bone), bind[bone]);
  }
  for (const ClipPlan& clip : plan.clips) data.clips.push_back(make_clip(file, plan, clip));
  data.frames_per_second = nominal_rate(data, file);
  add_pictures(data, file, pictures);
  return data;
}

}  // namespace pchr::chp
