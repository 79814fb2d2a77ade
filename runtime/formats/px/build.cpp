// SPDX-License-Identifier: MIT
// An artwork as bones, meshes and clips.
#include "formats/px/build.hpp"

#include "formats/px/atlas.hpp"
#include "formats/px/clips.hpp"
#include "formats/px/tileset_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace pchr::px {
namespace {

Finding too_much(std::string detail) { return Finding{FindingId::limit_exceeded, {}, {}, {}, std::move(detail)}; }

PictureSize size_of(const Cel& picture) noexcept {
  return {static_cast<std::uint32_t>(picture.box.width()), static_cast<std::uint32_t>(picture.box.height())};
}

/// Where the centre of something on the canvas is in the world. The origin is a corner of pixels, so that none is cut.
Vec2 centre_of(const File& file, std::int32_t left, std::int32_t top, const PictureSize& size) noexcept {
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
  [[nodiscard]] bool make_pictures(std::uint64_t most_pixels) {
    atlas_ = pack(sizes_);
    for (const PictureSize& page : atlas_.pages) {
      const std::uint64_t pixels = std::uint64_t{page.width} * page.height;
      if (pixels > most_pixels) return false;
      most_pixels -= pixels;
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
    return centre_of(file_, shown.left, shown.top, sizes_[static_cast<std::size_t>(shown.picture)]);
  }

  /// Where each picture is shown first, and its name.
  void find_homes() {
    for (std::size_t frame = 0; frame < frames_.frames.size(); ++frame) {
      const FramePicture& shown = frames_.frames[frame];
      if (shown.picture != static_cast<std::int32_t>(homes_.size())) continue;
      homes_.push_back(place_of(shown));
      data.bones.push_back({fmt::format("frame {}", frame), -1});
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
    data.meshes.push_back({data.bones[number].name, place.page, static_cast<std::uint32_t>(data.vertices.size()), 4,
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

Artwork describe(const File& file, const Tree& tree, std::size_t frame_count, Remarks& remarks) {
  Artwork artwork;
  artwork.width = file.width;
  artwork.height = file.height;
  artwork.indexed = file.indexed;
  artwork.frame_ms = frame_times(file, frame_count, remarks);
  artwork.speed = file.speed;
  artwork.layers = describe_layers(tree, file);
  artwork.tags = playable_tags(file, frame_count, remarks);
  artwork.palette = file.palette;
  artwork.symmetry_lines = file.symmetry_lines;
  artwork.guide = file.guide;
  artwork.canvas_grid = file.canvas_grid;
  return artwork;
}

}  // namespace

std::expected<CharacterData, Finding> make_character(const File& file, const Tree& tree, const Frames& frames,
                                                     const std::vector<Tiles>& tiles, const Limits& limits,
                                                     Remarks& remarks) {
  Artwork artwork = describe(file, tree, frames.frames.size(), remarks);
  const std::uint64_t most_frames = limits.max_bone_samples / std::max<std::size_t>(frames.pictures.size(), 1);
  const auto plans = plan_clips(artwork.tags, frames.frames.size(), most_frames, remarks);
  if (!plans || frames.frames.size() > most_frames) {
    return std::unexpected(
        too_much(fmt::format("its clips of {} pictures have more frames than the limit of {} samples "
                             "allows",
                             frames.pictures.size(), limits.max_bone_samples)));
  }
  Builder builder(file, frames);
  if (!builder.make_pictures(limits.max_image_pixels)) {
    return std::unexpected(too_much(
        fmt::format("its frames need more pixels than the limit of {} for images allows", limits.max_image_pixels)));
  }
  CharacterData& data = builder.data;
  data.format = "Pixquare PX";
  data.pixel_art = true;
  data.frames_per_second = nominal_rate(artwork.frame_ms, file.speed);
  for (const ClipPlan& plan : *plans) builder.make_clip(plan, artwork.frame_ms);
  builder.make_meshes();
  if (plans->empty()) {
    remarks.add(FindingId::px_empty, [] { return Finding{FindingId::px_empty, {}, {}, {}, {}}; });
  } else {
    artwork.whole_clip = static_cast<std::uint32_t>(plans->size() - 1);
  }
  artwork.tilesets = add_tileset_images(file, tiles, limits.max_image_pixels - count_pixels(data), data.images);
  data.artwork = std::move(artwork);
  return std::move(data);
}

}  // namespace pchr::px
