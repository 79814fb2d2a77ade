// SPDX-License-Identifier: MIT
// An artwork as bones, meshes and clips.
#include "import/px/build.hpp"

#include "character/fail.hpp"
#include "import/diagnose.hpp"
#include "import/px/blend.hpp"
#include "import/px/file.hpp"

#include <pchr/character.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <numeric>

namespace pchr::px {
namespace {

constexpr std::uint32_t kMaxSide = 4096;
constexpr std::uint32_t kPadding = 1;

/// So that all of them make about a square, and the widest fits.
std::uint32_t page_width(std::span<const PictureSize> pictures) noexcept {
  double area = 0;
  std::uint32_t widest = 0;
  for (const PictureSize& picture : pictures) {
    area += (picture.width + kPadding) * static_cast<double>(picture.height + kPadding);
    widest = std::max(widest, picture.width);
  }
  return std::max(widest, static_cast<std::uint32_t>(std::min<double>(std::ceil(std::sqrt(area)), kMaxSide)));
}

/// Fills one page after the other.
class Packer {
 public:
  explicit Packer(std::uint32_t width) : width_(width) {}

  AtlasPlace add(const PictureSize& picture) {
    if (x_ > 0 && x_ + picture.width > width_) start_shelf();
    if (atlas_pages_.empty() || (y_ > 0 && y_ + picture.height > kMaxSide)) start_page();
    const AtlasPlace place{static_cast<std::uint32_t>(atlas_pages_.size() - 1), x_, y_};
    PictureSize& page = atlas_pages_.back();
    page.width = std::max(page.width, x_ + picture.width);
    page.height = std::max(page.height, y_ + picture.height);
    x_ += picture.width + kPadding;
    shelf_height_ = std::max(shelf_height_, picture.height);
    return place;
  }

  [[nodiscard]] std::vector<PictureSize> take_pages() && { return std::move(atlas_pages_); }

 private:
  void start_shelf() {
    x_ = 0;
    y_ += shelf_height_ + kPadding;
    shelf_height_ = 0;
  }

  void start_page() {
    atlas_pages_.emplace_back();
    x_ = y_ = shelf_height_ = 0;
  }

  const std::uint32_t width_;
  std::vector<PictureSize> atlas_pages_;
  std::uint32_t x_ = 0, y_ = 0, shelf_height_ = 0;
};

/// A clip before its frames are given their bones.
struct ClipPlan {
  std::string name;
  bool looping = true;
  std::vector<std::uint32_t> frames{};  ///< Of the artwork, in the order in which they are shown.
};

constexpr std::uint32_t kDefaultMs = 100;
/// A tag that repeats is written out as often if that makes at most this many frames.
constexpr std::size_t kMaxRepeatedFrames = 1024;

std::vector<std::uint32_t> once_through(const ArtworkTag& tag) {
  std::vector<std::uint32_t> frames(tag.last_frame - tag.first_frame + 1);
  std::iota(frames.begin(), frames.end(), tag.first_frame);
  if (tag.direction == TagDirection::backward) std::ranges::reverse(frames);
  if (tag.direction == TagDirection::ping_pong) {
    for (std::size_t i = frames.size() - 1; i-- > 1;) frames.push_back(frames[i]);
  }
  return frames;
}

ClipPlan plan_clip(const ArtworkTag& tag, Warnings& warnings) {
  ClipPlan plan{tag.name, tag.repeats == 0, once_through(tag)};
  if (tag.repeats <= 1) return plan;
  const std::vector<std::uint32_t> once = plan.frames;
  if (once.size() > kMaxRepeatedFrames / tag.repeats) {
    warn(warnings, DiagnosticId::px_repeats_ignored, {.path = "tags", .name = tag.name},
         "it repeats {} frames {} times; at most {} frames in all are written out", once.size(), tag.repeats,
         kMaxRepeatedFrames);
    return plan;
  }
  for (std::uint32_t i = 1; i < tag.repeats; ++i) plan.frames.insert(plan.frames.end(), once.begin(), once.end());
  return plan;
}

bool has_tag(const std::vector<ArtworkTag>& tags, std::string_view name) {
  return std::ranges::find(tags, name, &ArtworkTag::name) != tags.end();
}

/// How long each frame lasts, in milliseconds: at least 1.
std::vector<std::uint32_t> frame_times(const File& file, std::size_t frame_count, Warnings& warnings) {
  std::vector<std::uint32_t> times;
  times.reserve(frame_count);
  for (const Item& item : file.items) {
    for (std::size_t i = 0; i < item.frames.size(); ++i) {
      const std::uint32_t ms = item.frames[i].ms;
      if (i == times.size()) times.push_back(ms);
      if (ms == times[i]) continue;
      warn(warnings, DiagnosticId::px_duration_conflict,
           {.path = section_of(item.kind), .name = item.name, .offset = item.offset},
           "frame {} lasts {} ms here and {} ms in a layer before", i, ms, times[i]);
    }
  }
  const auto zeros = std::ranges::count(times, 0U);
  if (zeros > 0) {
    warn(warnings, DiagnosticId::px_value_replaced, {.path = "frames"}, "{} frames last 0 ms; they are shown for {}",
         zeros, kDefaultMs);
    std::ranges::replace(times, 0U, kDefaultMs);
  }
  return times;
}

/// The tags as they are played: their frames exist and are in order, and each has its clip and a name.
std::vector<ArtworkTag> playable_tags(const File& file, std::size_t frame_count, Warnings& warnings) {
  std::vector<ArtworkTag> tags = file.tags;
  if (frame_count == 0) return {};
  for (std::uint32_t i = 0; i < tags.size(); ++i) {
    ArtworkTag& tag = tags[i];
    tag.clip = i;
    if (tag.name.empty()) tag.name = fmt::format("tag {}", i + 1);
    const std::uint32_t first = tag.first_frame, last = tag.last_frame;
    const auto most = static_cast<std::uint32_t>(frame_count - 1);
    tag.first_frame = std::min({first, last, most});
    tag.last_frame = std::min(std::max(first, last), most);
    if (first <= last && last <= most) continue;
    warn(warnings, DiagnosticId::px_value_replaced, {.path = "tags", .name = tag.name},
         "found frames {} to {} of {}; {} to {} are played", first, last, frame_count, tag.first_frame, tag.last_frame);
  }
  return tags;
}

/// A clip for each tag, and then one of all frames; none where there are no frames. Nothing where the clips would have
/// more than `max_frames` in all.
std::optional<std::vector<ClipPlan>> plan_clips(const std::vector<ArtworkTag>& tags, std::size_t frame_count,
                                                std::uint64_t max_frames, Warnings& warnings) {
  std::vector<ClipPlan> plans;
  if (frame_count == 0) return plans;
  std::uint64_t frames = frame_count;
  for (const ArtworkTag& tag : tags) {
    plans.push_back(plan_clip(tag, warnings));
    frames += plans.back().frames.size();
    if (frames > max_frames) return std::nullopt;
  }
  ClipPlan whole{tags.empty() ? "default" : has_tag(tags, "all") ? "all frames" : "all"};
  whole.frames.resize(frame_count);
  std::iota(whole.frames.begin(), whole.frames.end(), 0U);
  plans.push_back(std::move(whole));
  return plans;
}

/// Sets the clip's rate and, where its frames do not all last equally long, the time at which each ends.
void set_times(Clip& clip, const ClipPlan& plan, const std::vector<std::uint32_t>& frame_ms, double speed) {
  const double first_ms = frame_ms[plan.frames.front()];
  std::uint64_t end_ms = 0;
  bool is_even = true;
  for (const std::uint32_t frame : plan.frames) {
    is_even = is_even && frame_ms[frame] == first_ms;
    end_ms += frame_ms[frame];
    clip.frame_ends.push_back(static_cast<double>(end_ms) / 1000 / speed);
  }
  clip.frames_per_second = is_even
                               ? 1000 / first_ms * speed
                               : static_cast<double>(plan.frames.size()) * 1000 * speed / static_cast<double>(end_ms);
  if (is_even) clip.frame_ends.clear();
}

/// The whole rate nearest to what shows every frame of `frame_ms`, up to 60; 0 where there are none.
std::uint32_t nominal_rate(const std::vector<std::uint32_t>& frame_ms, double speed) {
  constexpr double kHighestRate = 60;
  if (frame_ms.empty()) return 0;
  std::uint32_t step_ms = 0;
  for (const std::uint32_t ms : frame_ms) step_ms = std::gcd(step_ms, ms);
  const bool is_even = std::ranges::all_of(frame_ms, [&](std::uint32_t ms) { return ms == step_ms; });
  const double rate = 1000.0 / std::max(step_ms, 1U) * speed;
  return static_cast<std::uint32_t>(std::clamp(std::round(rate), 1.0, is_even ? 1000.0 : kHighestRate));
}

/// An image can have this many pixels on a side.
constexpr std::uint64_t kMaxImageSide = 65535;

Image make_image(const Tiles& tiles, std::uint32_t columns, const std::string& name) {
  const std::uint32_t rows = (tiles.count + columns - 1) / columns;
  Image image{name, columns * tiles.width, rows * tiles.height, ImageEncoding::rgba8888, {}};
  image.bytes.resize(std::size_t{image.width} * image.height * 4);
  auto* const pixels = reinterpret_cast<std::uint8_t*>(image.bytes.data());
  std::vector<Color> row(tiles.width);
  for (std::uint32_t tile = 0; tile < tiles.count; ++tile) {
    const std::size_t left = std::size_t{tile % columns} * tiles.width;
    const std::size_t top = std::size_t{tile / columns} * tiles.height;
    for (std::uint32_t y = 0; y < tiles.height; ++y) {
      load(tiles.row(tile, y).data(), row);
      store_straight(row, pixels + ((top + y) * image.width + left) * 4);
    }
  }
  return image;
}

/// Describes the tilesets and adds an image of each to `images`, as far as `max_pixels` suffice.
std::vector<ArtworkTileset> add_tileset_images(const File& file, const std::vector<Tiles>& tiles,
                                               std::uint64_t max_pixels, std::vector<Image>& images) {
  std::vector<ArtworkTileset> result;
  for (std::size_t i = 0; i < file.tilesets.size(); ++i) {
    const Tileset& set = file.tilesets[i];
    const Tiles& own = tiles[i];
    const std::uint32_t columns = std::clamp(set.columns, 1U, std::max(own.count, 1U));
    ArtworkTileset& described =
        result.emplace_back(ArtworkTileset{set.name, own.width, own.height, own.count, columns, {}});
    const std::uint64_t width = std::uint64_t{columns} * own.width;
    const std::uint64_t height = std::uint64_t{(own.count + columns - 1) / columns} * own.height;
    const bool has_size = !own.rgba.empty() && std::max(width, height) <= kMaxImageSide;
    if (!has_size || width * height > max_pixels) continue;
    max_pixels -= width * height;
    described.image = static_cast<std::uint32_t>(images.size());
    images.push_back(make_image(own, columns, set.name.empty() ? fmt::format("tileset {}", i + 1) : set.name));
  }
  return result;
}

PictureSize size_of(const Cel& picture) noexcept {
  return {static_cast<std::uint32_t>(picture.box.width()), static_cast<std::uint32_t>(picture.box.height())};
}

/// Where the center of something on the canvas is in the world. The origin is a corner of pixels, so that none is cut.
Vec2 center_of(const File& file, std::int32_t left, std::int32_t top, const PictureSize& size) noexcept {
  const std::uint32_t pixels_to_left = file.width / 2, pixels_below = file.height / 2;
  return {
      static_cast<float>(left) + static_cast<float>(size.width) / 2 - static_cast<float>(pixels_to_left),
      static_cast<float>(file.height - pixels_below) - static_cast<float>(top) - static_cast<float>(size.height) / 2};
}

Image make_page(const PictureSize& size, std::size_t number) {
  Image image;
  image.name = number == 0 ? "frames" : fmt::format("frames {}", number + 1);
  image.width = size.width;
  image.height = size.height;
  image.encoding = ImageEncoding::rgba8888;
  image.bytes.resize(std::size_t{size.width} * size.height * 4);
  return image;
}

void copy_picture(const Cel& picture, const AtlasPlace& place, Image& page) {
  const std::size_t row_bytes = static_cast<std::size_t>(picture.box.width()) * 4;
  for (std::int32_t y = picture.box.top; y < picture.box.bottom; ++y) {
    const std::size_t row = place.y + static_cast<std::size_t>(y - picture.box.top);
    std::memcpy(page.bytes.data() + (row * page.width + place.x) * 4, picture.row(y), row_bytes);
  }
}

class Builder {
 public:
  Builder(const File& file, const Frames& frames) : file_(file), frames_(frames) {
    for (const auto& picture : frames.pictures) sizes_.push_back(size_of(*picture));
  }

  /// The images, and a bone for each picture.
  [[nodiscard]] bool make_pictures(std::uint64_t max_pixels) {
    atlas_ = pack(sizes_);
    for (const PictureSize& page : atlas_.pages) {
      const std::uint64_t pixels = std::uint64_t{page.width} * page.height;
      if (pixels > max_pixels) return false;
      max_pixels -= pixels;
      data.images.push_back(make_page(page, data.images.size()));
    }
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      copy_picture(*frames_.pictures[i], atlas_.places[i], data.images[atlas_.places[i].page]);
    }
    find_homes();
    return true;
  }

  void make_clip(const ClipPlan& plan, const std::vector<std::uint32_t>& frame_ms) {
    Clip& clip = data.clips.emplace_back();
    clip.name = plan.name;
    clip.looping = plan.looping;
    clip.frame_count = static_cast<std::uint32_t>(plan.frames.size());
    set_times(clip, plan, frame_ms, file_.speed);
    make_samples(plan, clip.samples);
  }

  void make_meshes() {
    for (std::uint32_t i = 0; i < sizes_.size(); ++i) make_mesh(i);
  }

  CharacterData data;

 private:
  [[nodiscard]] Vec2 place_of(const FramePicture& shown) const {
    return center_of(file_, shown.left, shown.top, sizes_[static_cast<std::size_t>(shown.picture)]);
  }

  /// Where each picture is shown first, and its name.
  void find_homes() {
    for (std::size_t frame = 0; frame < frames_.frames.size(); ++frame) {
      const FramePicture& shown = frames_.frames[frame];
      if (shown.picture != static_cast<std::int32_t>(homes_.size())) continue;
      homes_.push_back(place_of(shown));
      data.bones.push_back({fmt::format("frame {}", frame), BoneId::none});
    }
  }

  void make_samples(const ClipPlan& plan, BoneSamples& samples) const {
    const std::size_t bones = homes_.size();
    samples.resize(plan.frames.size() * bones);
    samples.opacity = {};
    std::ranges::fill(samples.visible, std::uint8_t{0});
    // A picture that is hidden stays where it was seen last, round the loop, so that smooth play moves none.
    std::vector<Vec2> places = homes_;
    const auto move_to = [&](std::uint32_t frame) {
      const FramePicture& shown = frames_.frames[frame];
      if (shown.picture >= 0) places[static_cast<std::size_t>(shown.picture)] = place_of(shown);
      return shown.picture;
    };
    for (const std::uint32_t frame : plan.frames) move_to(frame);
    for (std::size_t i = 0; i < plan.frames.size(); ++i) {
      const std::int32_t picture = move_to(plan.frames[i]);
      for (std::size_t bone = 0; bone < bones; ++bone) {
        samples.x[i * bones + bone] = places[bone].x;
        samples.y[i * bones + bone] = places[bone].y;
      }
      if (picture >= 0) samples.visible[i * bones + static_cast<std::size_t>(picture)] = 1;
    }
  }

  /// A quad around the place that the picture has in the bind pose, the first frame of the first clip.
  void make_mesh(std::uint32_t number) {
    const PictureSize& size = sizes_[number];
    const AtlasPlace& place = atlas_.places[number];
    const Image& page = data.images[place.page];
    const BoneSamples& bind = data.clips.front().samples;
    data.meshes.push_back({data.bones[number].name, ImageId{place.page},
                           static_cast<std::uint32_t>(data.vertices.size()), 4,
                           static_cast<std::uint32_t>(data.indices.size()), 6});
    for (const std::uint32_t down : {0U, size.height}) {
      for (const std::uint32_t across : {0U, size.width}) {
        const float x = bind.x[number] + static_cast<float>(across) - static_cast<float>(size.width) / 2;
        const float y = bind.y[number] - static_cast<float>(down) + static_cast<float>(size.height) / 2;
        data.vertices.push_back({x,
                                 y,
                                 static_cast<float>(place.x + across) / static_cast<float>(page.width),
                                 static_cast<float>(place.y + down) / static_cast<float>(page.height),
                                 {static_cast<std::uint16_t>(number)},
                                 {1}});
      }
    }
    data.indices.insert(data.indices.end(), {0, 2, 1, 1, 2, 3});
  }

  const File& file_;
  const Frames& frames_;
  std::vector<PictureSize> sizes_;
  Atlas atlas_;
  std::vector<Vec2> homes_;
};

std::uint64_t count_pixels(const CharacterData& data) noexcept {
  std::uint64_t pixels = 0;
  for (const Image& image : data.images) pixels += std::uint64_t{image.width} * image.height;
  return pixels;
}

Artwork describe(const File& file, const Tree& tree, std::size_t frame_count, Warnings& warnings) {
  Artwork artwork;
  artwork.width = file.width;
  artwork.height = file.height;
  artwork.indexed = file.indexed;
  artwork.frame_ms = frame_times(file, frame_count, warnings);
  artwork.speed = file.speed;
  artwork.layers = describe_layers(tree, file);
  artwork.tags = playable_tags(file, frame_count, warnings);
  artwork.palette = file.palette;
  artwork.symmetry_lines = file.symmetry_lines;
  artwork.guide = file.guide;
  artwork.canvas_grid = file.canvas_grid;
  return artwork;
}

}  // namespace

Atlas pack(std::span<const PictureSize> pictures) {
  std::vector<std::size_t> order(pictures.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return pictures[a].height != pictures[b].height ? pictures[a].height > pictures[b].height : a < b;
  });
  Packer packer(page_width(pictures));
  Atlas atlas;
  atlas.places.resize(pictures.size());
  for (const std::size_t i : order) atlas.places[i] = packer.add(pictures[i]);
  atlas.pages = std::move(packer).take_pages();
  return atlas;
}

std::expected<Made, Diagnostic> make_character(const File& file, const Tree& tree, const Frames& frames,
                                               const std::vector<Tiles>& tiles, const Limits& limits,
                                               Warnings& warnings) {
  Artwork artwork = describe(file, tree, frames.frames.size(), warnings);
  const std::uint64_t max_frames = limits.max_bone_samples / std::max<std::size_t>(frames.pictures.size(), 1);
  const auto plans = plan_clips(artwork.tags, frames.frames.size(), max_frames, warnings);
  if (!plans || frames.frames.size() > max_frames) {
    return fail(DiagnosticId::limit_exceeded,
                fmt::format("its clips of {} pictures have more frames than the limit of {} samples "
                            "allows",
                            frames.pictures.size(), limits.max_bone_samples));
  }
  Builder builder(file, frames);
  if (!builder.make_pictures(limits.max_image_pixels)) {
    return fail(
        DiagnosticId::limit_exceeded,
        fmt::format("its frames need more pixels than the limit of {} for images allows", limits.max_image_pixels));
  }
  CharacterData& data = builder.data;
  data.pixel_art = true;
  data.frames_per_second = nominal_rate(artwork.frame_ms, file.speed);
  for (const ClipPlan& plan : *plans) builder.make_clip(plan, artwork.frame_ms);
  builder.make_meshes();
  if (plans->empty()) {
    warn(warnings, DiagnosticId::px_empty, {}, "");
  } else {
    artwork.whole_clip = static_cast<std::uint32_t>(plans->size() - 1);
  }
  artwork.tilesets = add_tileset_images(file, tiles, limits.max_image_pixels - count_pixels(data), data.images);
  return Made{std::move(data), std::move(artwork)};
}

}  // namespace pchr::px
