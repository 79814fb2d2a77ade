// SPDX-License-Identifier: MIT
// Loads Pomyu characters: their images, and the bones, meshes and clips made of their text.
#include "import/chp/chp.hpp"

#include "character/build.hpp"
#include "character/fail.hpp"
#include "import/diagnose.hpp"
#include "import/formats.hpp"
#include "import/images/image_file.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"

#include <pchr/import/pomyu.hpp>

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace pchr::chp {
namespace {

using Rgba = std::array<std::uint8_t, 4>;

std::string with_single_spaces(std::string_view text) {
  std::string result(text);
  const auto repeated = std::ranges::unique(result, [](char left, char right) { return left == ' ' && right == ' '; });
  result.erase(repeated.begin(), repeated.end());
  return result;
}

Expected<Bitmap, Diagnostic> load_image(const std::string& path, std::uint64_t max_pixels, const ReaderOptions& options,
                                        Warnings& warnings) {
  constexpr auto kUnusable = DiagnosticId::chp_image_unusable;
  const std::array names{path, with_single_spaces(path)};
  const std::span candidates(names.data(), names[0] == names[1] ? 1 : 2);
  auto file = read_companion(candidates, options.limits.max_file_bytes, options, warnings).file;
  if (!file) return Unexpected(std::move(file.error()));
  auto bitmap = decode_image_file(file->bytes(), max_pixels);
  if (!bitmap) return fail(kUnusable, std::move(bitmap.error()));
  return *std::move(bitmap);
}

/// Returns the color key of an image: pixels of this color become transparent.
std::optional<Rgba> color_key(const File& file, ImageUse use, const Bitmap& bitmap,
                              const ImportOptions& options) noexcept {
  if (use == ImageUse::select_cg) return std::nullopt;
  Rgba key{0, 0, 0, 255};
  const bool from_corner = file.auto_color_key || (file.legacy && !options.black_color_key);
  if (from_corner && use != ImageUse::char_face) std::copy_n(bitmap.rgba.end() - 4, 4, key.begin());
  return key;
}

/// One dimension of a rectangle.
struct Extent {
  std::int64_t start = 0, length = 0;

  [[nodiscard]] double middle() const noexcept { return static_cast<double>(start) + static_cast<double>(length) / 2; }
};

/// Clip rectangle of #Texture, which is not clipped.
constexpr std::int64_t kFar = std::int64_t{1} << 34;
constexpr PixelRect kUnclipped{-kFar, -kFar, 2 * kFar, 2 * kFar};

/// Returns the start and end of the part of `source` that lies within an image of `size` pixels and is drawn within
/// `clip`.
std::pair<double, double> visible_part(Extent source, Extent destination, Extent clip, std::uint32_t size,
                                       bool flip) noexcept {
  // Clip in 64-bit integers before dividing: unclipped ends stay exact.
  std::int64_t before = std::max<std::int64_t>(clip.start - destination.start, 0);
  std::int64_t after = std::max<std::int64_t>(destination.start + destination.length - clip.start - clip.length, 0);
  if (flip) std::swap(before, after);
  const double scale = static_cast<double>(source.length) / static_cast<double>(destination.length);
  const double start = static_cast<double>(source.start) + static_cast<double>(before) * scale;
  const double end = static_cast<double>(source.start + source.length) - static_cast<double>(after) * scale;
  return {std::max(start, 0.0), std::min(end, static_cast<double>(size))};
}

constexpr std::size_t kMaxBones = 65535;
// About 100 MB, far more than a character with few tweens needs.
constexpr std::uint64_t kMaxTweenSamples = std::uint64_t{4} << 20;
// These take well under a second to evaluate.
constexpr std::int64_t kMaxEvaluated = std::int64_t{1} << 20;
constexpr std::int64_t kMaxStep = 1 << 13;

bool has_tweens(const Animation& animation) noexcept {
  return std::ranges::any_of(animation.timelines, [](const Timeline& timeline) {
    return std::ranges::any_of(timeline.columns, [](const Column& column) { return !column.tweens.empty(); });
  });
}

/// Returns the smallest step whose evaluations stay within kMaxEvaluated.
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
  Planner(const File& file, const Images& images, std::int64_t step_ms, std::uint64_t max_samples)
      : file_(file), images_(images), max_samples_(max_samples), plan_{.step_ms = step_ms} {}

  std::optional<Plan> plan() && {
    for (int number = 1; number <= kAnimations; ++number) {
      if (file_.animation(number).frame_count > 0 && !plan_clip(number)) return std::nullopt;
    }
    return std::move(plan_);
  }

 private:
  bool plan_clip(int number) {
    const Animation& animation = file_.animation(number);
    ClipPlan clip{number, 0, {}, {}};
    const std::int64_t step = has_tweens(animation) ? plan_.step_ms : kNoSteps;
    for (std::uint32_t frame = 0; frame < animation.frame_count; ++frame) {
      const std::int64_t start = frame * animation.frame_ms;
      if (frame == animation.loop_start) clip.loop_start = static_cast<std::uint32_t>(clip.start_ms.size());
      add_frame(clip, start);
      for (std::int64_t ms = start / step * step + step; ms < start + animation.frame_ms; ms += step) {
        add_frame(clip, ms);
      }
      if (plan_.sprites.size() > kMaxBones || frames_ * plan_.sprites.size() > max_samples_) return false;
    }
    clip.start_ms.push_back(animation.frame_count * animation.frame_ms);
    clip.first_use.push_back(plan_.uses.size());
    plan_.clips.push_back(std::move(clip));
    return true;
  }

  /// Adds a frame at the start of each animation frame, and within one where something changes.
  void add_frame(ClipPlan& clip, std::int64_t ms) {
    operations_.clear();
    evaluate(file_, clip.animation, ms, operations_);
    const bool is_within = ms % file_.animation(clip.animation).frame_ms != 0;
    if (is_within && operations_ == before_) return;
    before_ = operations_;
    clip.start_ms.push_back(ms);
    clip.first_use.push_back(plan_.uses.size());
    ++frames_;
    for (const Operation& operation : operations_) add_use(clip.animation, operation);
  }

  /// Adds the visible part of an operation, if any.
  void add_use(int animation, const Operation& operation) {
    const bool is_texture = operation.layer == Layer::texture;
    const auto image_index = is_texture ? images_.char_tex : images_.char_bmp;
    if (!image_index || operation.alpha == 0) return;
    const Image& image = images_.all[*image_index];
    const PixelRect& from = operation.source;
    const PixelRect& to = operation.destination;
    const PixelRect clip = is_texture ? kUnclipped : clip_of(file_, animation);
    const Extent x{to.x, to.width}, y{to.y, to.height};
    const auto [left, right] =
        visible_part({from.x, from.width}, x, {clip.x, clip.width}, image.width, operation.flip_x);
    const auto [top, bottom] =
        visible_part({from.y, from.height}, y, {clip.y, clip.height}, image.height, operation.flip_y);
    if (!(left < right) || !(top < bottom)) return;
    plan_.uses.push_back(
        {bone_of({*image_index, from, left, right, top, bottom, operation.flip_x, operation.flip_y}),
         {x.middle() - static_cast<double>(file_.width) / 2, static_cast<double>(file_.height) / 2 - y.middle(),
          static_cast<double>(to.width) / static_cast<double>(from.width),
          static_cast<double>(to.height) / static_cast<double>(from.height), operation.rotation * 360.0 / 256,
          operation.alpha / 255.0}});
  }

  /// Returns a bone of `sprite` that this frame does not use yet.
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
    std::size_t used = 0;     // Number of bones in use in `frame`.
    std::uint64_t frame = 0;  // Counted over all clips, from 1.
  };

  const File& file_;
  const Images& images_;
  const std::uint64_t max_samples_;
  Plan plan_;
  std::map<Sprite, Copies> copies_;
  std::uint64_t frames_ = 0;
  std::vector<Operation> operations_, before_;
};

std::span<const Use> uses_of(const Plan& plan, const ClipPlan& clip, std::size_t frame) noexcept {
  return std::span(plan.uses).subspan(clip.first_use[frame], clip.first_use[frame + 1] - clip.first_use[frame]);
}

/// Adds the quad of a sprite, placed by its bone in the bind pose.
void add_mesh(CharacterData& data, const Sprite& sprite, std::uint16_t bone, const Placement& bind) {
  const Image& image = data.images[sprite.image];
  const Extent columns{sprite.source.x, sprite.source.width}, rows{sprite.source.y, sprite.source.height};
  data.meshes.push_back({data.bones[bone].name, ImageId{sprite.image}, static_cast<std::uint32_t>(data.vertices.size()),
                         4, static_cast<std::uint32_t>(data.indices.size()), 6});
  const double angle = bind.rotation_degrees * std::numbers::pi / 180;
  for (const double v : {sprite.top, sprite.bottom}) {
    for (const double u : {sprite.left, sprite.right}) {
      const double x = (u - columns.middle()) * (sprite.flip_x ? -1 : 1) * bind.scale_x;
      const double y = (rows.middle() - v) * (sprite.flip_y ? -1 : 1) * bind.scale_y;
      const Vec2 point(bind.x + x * std::cos(angle) - y * std::sin(angle),
                       bind.y + x * std::sin(angle) + y * std::cos(angle));
      data.vertices.push_back(
          {point.x, point.y, static_cast<float>(u / image.width), static_cast<float>(v / image.height), {bone}, {1}});
    }
  }
  data.indices.insert(data.indices.end(), {0, 2, 1, 1, 2, 3});
}

/// Returns a name such as "CharTex 0,0 64x64 part 0,8 64x56 flipped".
std::string name_of(const Sprite& sprite, const Images& images) {
  const bool is_texture = images.char_tex == sprite.image;
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

BoneSamples samples_of(const Plan& plan, const ClipPlan& clip) {
  const std::size_t bones = plan.sprites.size();
  BoneSamples samples;
  samples.resize(clip.frame_count() * bones);
  std::ranges::fill(samples.visible, std::uint8_t{0});
  bool fades = false;
  for (std::size_t frame = 0; frame < clip.frame_count(); ++frame) {
    std::int32_t order = 0;
    for (const auto& [bone, placement] : uses_of(plan, clip, frame)) {
      const std::size_t sample = frame * bones + bone;
      samples.x[sample] = static_cast<float>(placement.x);
      samples.y[sample] = static_cast<float>(placement.y);
      samples.rotation_degrees[sample] = static_cast<float>(placement.rotation_degrees);
      samples.scale_x[sample] = static_cast<float>(placement.scale_x);
      samples.scale_y[sample] = static_cast<float>(placement.scale_y);
      samples.opacity[sample] = static_cast<float>(placement.opacity);
      fades |= placement.opacity != 1;
      samples.visible[sample] = 1;
      samples.z_order[sample] = order++;
    }
  }
  if (!fades) samples.opacity = {};
  return samples;
}

Clip make_clip(const File& file, const Plan& plan, const ClipPlan& planned) {
  const Animation& animation = file.animation(planned.animation);
  Clip clip;
  clip.name = clip_name(static_cast<CharaAnimation>(planned.animation));
  // The others play once: they react to a note or open a song.
  clip.looping = planned.animation <= 3 || planned.animation >= kDance;
  clip.frame_count = static_cast<std::uint32_t>(planned.frame_count());
  clip.loop_start = planned.loop_start;
  clip.samples = samples_of(plan, planned);
  clip.frames_per_second = 1000.0 / static_cast<double>(animation.frame_ms);
  // Without tween steps the frames are evenly spaced.
  if (clip.frame_count == animation.frame_count) return clip;
  for (const std::int64_t ms : std::span(planned.start_ms).subspan(1)) {
    clip.frame_ends.push_back(static_cast<double>(ms) / 1000);
  }
  return clip;
}

constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;
constexpr std::size_t kSniffedBytes = std::size_t{64} << 10;

bool is_text(std::string_view text) noexcept {
  const auto is_control = [](char letter) {
    const auto byte = static_cast<unsigned char>(letter);
    return (byte < 0x20 && letter != '\t' && letter != '\r' && letter != '\n') || byte == 0x7F;
  };
  return static_cast<std::size_t>(std::ranges::count_if(text, is_control)) * 10 <= text.size() * 3;
}

Expected<std::string, Diagnostic> read_text(std::span<const std::byte> bytes, const std::string& encoding,
                                            Warnings& warnings) {
  if (bytes.size() > kMaxTextBytes) {
    bytes = bytes.first(kMaxTextBytes);
    warn(warnings, DiagnosticId::chp_too_long, {.offset = kMaxTextBytes},
         "the text is longer than 1 MiB; the rest is ignored");
  }
  auto text = decode_text(bytes, encoding);
  if (!text) {
    return Unexpected(unknown_encoding_error(encoding.empty() ? "CP932" : encoding));
  }
  if (!is_text(text->utf8)) {
    return fail(DiagnosticId::not_text, std::uint64_t{0}, "more than 30% of the characters are control characters");
  }
  if (text->replacements > 0) {
    warn(warnings, DiagnosticId::undecodable_text, {}, "the text is not valid {}; {} replaced", text->encoding,
         text->replacements == 1 ? "1 character was" : fmt::format("{} characters were", text->replacements));
  }
  return std::move(text->utf8);
}

}  // namespace

Expected<Images, Diagnostic> load_images(const File& file, const ReaderOptions& options, Warnings& warnings) {
  Images images;
  std::optional<Diagnostic> link;
  std::uint64_t pixels_left = options.limits.max_image_pixels;
  const auto add = [&](ImageUse use, const ImageName& name) -> std::optional<std::uint32_t> {
    if (name.path.empty()) return std::nullopt;
    auto bitmap = load_image(name.path, pixels_left, options, warnings);
    if (!bitmap) {
      const bool is_link = bitmap.error().id == DiagnosticId::link_outside;
      const auto id = is_link ? DiagnosticId::link_outside : DiagnosticId::chp_image_unusable;
      Diagnostic problem = diagnose(id, {.line = name.line, .column = name.column}, "cannot use image \"{}\": {}",
                                    printable(name.path), bitmap.error().detail);
      is_link ? (void)(link = std::move(problem)) : warnings.add(id, [&] { return std::move(problem); });
      return std::nullopt;
    }
    pixels_left -= std::uint64_t{bitmap->width} * bitmap->height;
    const auto key = color_key(file, use, *bitmap, options);
    for (std::size_t at = 0; key && at < bitmap->rgba.size(); at += 4) {
      const auto pixel = std::span(bitmap->rgba).subspan(at, 4);
      if (std::ranges::equal(pixel, *key)) std::ranges::fill(pixel, std::uint8_t{0});
    }
    const auto pixels = std::as_bytes(std::span(bitmap->rgba));
    images.all.push_back(
        {name.path, bitmap->width, bitmap->height, ImageEncoding::rgba8888, {pixels.begin(), pixels.end()}});
    return static_cast<std::uint32_t>(images.all.size() - 1);
  };
  const auto load = [&](ImageUse use) {
    const auto second_players = static_cast<ImageUse>(static_cast<std::uint8_t>(use) + 1);
    const auto second = options.second_player ? add(use, file.image(second_players)) : std::nullopt;
    return second ? second : add(use, file.image(use));
  };
  images.char_bmp = load(ImageUse::char_bmp);
  images.char_tex = load(ImageUse::char_tex);
  images.char_face = load(ImageUse::char_face);
  images.select_cg = load(ImageUse::select_cg);
  if (link) return Unexpected(*std::move(link));
  return images;
}

std::optional<Plan> plan_clips(const File& file, const Images& images, std::uint64_t max_samples) {
  if (std::ranges::none_of(file.animations, has_tweens)) return Planner(file, images, 1, max_samples).plan();
  const std::uint64_t max_with_tweens = std::min(max_samples, kMaxTweenSamples);
  for (std::int64_t step = first_step(file); step <= kMaxStep; step *= 2) {
    if (auto plan = Planner(file, images, step, max_with_tweens).plan()) return plan;
  }
  return Planner(file, images, kNoSteps, max_samples).plan();
}

CharacterData make_character(const File& file, const Plan& plan, Images images) {
  CharacterData data;
  data.pixel_art = true;
  std::map<std::string, int> copies;
  for (const Sprite& sprite : plan.sprites) {
    std::string name = name_of(sprite, images);
    const int copy = ++copies[name];
    data.bones.push_back({copy == 1 ? std::move(name) : fmt::format("{} #{}", name, copy), BoneId::none});
  }
  data.images = std::move(images.all);
  std::vector<Placement> bind(plan.sprites.size());
  if (!plan.clips.empty()) {
    for (const Use& use : uses_of(plan, plan.clips.front(), 0)) bind[use.bone] = use.placement;
  }
  for (std::size_t bone = 0; bone < plan.sprites.size(); ++bone) {
    add_mesh(data, plan.sprites[bone], static_cast<std::uint16_t>(bone), bind[bone]);
  }
  for (const ClipPlan& clip : plan.clips) data.clips.push_back(make_clip(file, plan, clip));
  // Rate for formats that have only one: fine enough for tweens, else the rate of the file's frames.
  constexpr std::uint32_t kTweenRate = 60;
  const bool tweens = std::ranges::any_of(data.clips, [](const Clip& clip) { return !clip.frame_ends.empty(); });
  const long rate = std::lround(1000.0 / static_cast<double>(file.frame_ms));
  data.frames_per_second = tweens ? kTweenRate : static_cast<std::uint32_t>(std::max(rate, 1L));
  return data;
}

std::vector<MenuImage> menu_images(const File& file, const Images& images) {
  std::vector<MenuImage> result;
  const auto add = [&](const char* name, std::optional<std::uint32_t> image, const PixelRect& rect) {
    if (!image) return;
    const auto clipped = [](std::int64_t start, std::int64_t length, std::uint32_t size) {
      const auto [low, high] = std::minmax({start, start + length});
      const auto first = static_cast<std::uint32_t>(std::clamp<std::int64_t>(low, 0, size));
      return std::pair(first, static_cast<std::uint32_t>(std::clamp<std::int64_t>(high, 0, size)) - first);
    };
    const auto [x, width] = clipped(rect.x, rect.width, images.all[*image].width);
    const auto [y, height] = clipped(rect.y, rect.height, images.all[*image].height);
    if (width > 0 && height > 0) result.push_back({name, ImageId{*image}, x, y, width, height});
  };
  add("name", images.char_bmp, file.rect(0));
  add("background", images.char_bmp, file.rect(1));
  add("face", images.char_face, file.face_upper);
  add("figure", images.char_face, file.face_all);
  add("icon", images.select_cg, {0, 0, 65535, 65535});
  return result;
}

}  // namespace pchr::chp

namespace pchr {

// A text without commands is a character only if its file says so.
bool looks_like_chp(const Source& source) {
  if (lower(extension_of(source.path)) == ".chp") return true;
  const auto text = decode_text(source.bytes.first(std::min(source.bytes.size(), chp::kSniffedBytes)));
  if (!text || !chp::is_text(text->utf8)) return false;
  Warnings ignored;
  return std::ranges::any_of(chp::read_commands(text->utf8, ignored), chp::is_known);
}

Expected<Imported, LoadError> read_chp(const Source& source, const ReaderOptions& options) {
  Warnings warnings;
  const auto text = chp::read_text(source.bytes, options.text_encoding, warnings);
  if (!text) return Unexpected(text.error());
  const chp::File file = chp::interpret(chp::read_commands(*text, warnings), warnings);
  auto images = chp::load_images(file, options, warnings);
  if (!images) return Unexpected(std::move(images.error()));
  const auto plan = chp::plan_clips(file, *images, options.limits.max_bone_samples);
  if (!plan) {
    return fail(DiagnosticId::limit_exceeded,
                fmt::format("the frames draw more sprites than the limit of {} samples allows",
                            options.limits.max_bone_samples));
  }
  if (plan->step_ms == chp::kNoSteps) {
    warn(warnings, DiagnosticId::chp_coarse_tween, {},
         "there are too many tweens to interpolate; they jump from frame to frame");
  } else if (plan->step_ms > 1) {
    warn(warnings, DiagnosticId::chp_coarse_tween, {},
         "tweens with {} sprites and clipped parts move in steps of {} ms to limit memory", plan->sprites.size(),
         plan->step_ms);
  }
  if (plan->clips.empty()) warn(warnings, DiagnosticId::chp_empty, {}, "");
  auto menu = chp::menu_images(file, *images);
  CharacterData data = chp::make_character(file, *plan, *std::move(images));
  BindPose bind = IdentityBindPose{};
  if (!data.clips.empty()) bind = ClipBindPose{data.clips.front().name, 0};
  auto character = CharacterBuilder::build(std::move(data), bind, {}, std::move(warnings));
  if (!character) return Unexpected(std::move(character.error()));
  return Imported{.character = *std::move(character),
                  .format = file.legacy ? "legacy Pomyu CHP" : "Pomyu CHP",
                  .title = file.name,
                  .author = file.artist,
                  .menu_images = std::move(menu),
                  .chara = CharaInfo{file.legacy, static_cast<std::uint32_t>(file.wait)}};
}

}  // namespace pchr
