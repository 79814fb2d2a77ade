// SPDX-License-Identifier: MIT
// Builds the bones, meshes and clips of an artwork.
#include "import/artwork/artwork.hpp"

#include "character/build.hpp"
#include "character/format.hpp"

#include <pchr/import/artwork.hpp>

#include <cmath>
#include <cstring>
#include <initializer_list>
#include <numeric>
#include <ranges>

namespace pchr::artwork {
namespace {

void choose_layers(Model& model, const LayerChoice& choice, Warnings& warnings) {
  using enum LayerChoice::Which;
  const bool by_name = choice.which == named;
  const auto parent_of = [&](const Node& node) -> Node* {
    return node.parent >= 0 ? &model.nodes[static_cast<std::size_t>(node.parent)] : nullptr;
  };
  for (Node& node : model.nodes) {
    const Item& item = model.items[node.item];
    const Node* const parent = parent_of(node);
    const bool is_named = by_name && std::ranges::find(choice.names, item.name) != choice.names.end();
    const bool is_within = !by_name || (parent != nullptr && parent->drawn);
    const bool is_shown = (item.visible || choice.which == all) && item.kind != LayerKind::reference;
    node.drawn = is_named || (is_within && is_shown);
  }
  if (by_name) {
    for (const Node& node : std::views::reverse(model.nodes)) {
      if (Node* const parent = parent_of(node); node.drawn && parent != nullptr) parent->drawn = true;
    }
    for (const std::string& name : choice.names) {
      if (std::ranges::find(model.items, name, &Item::name) != model.items.end()) continue;
      warn(warnings, DiagnosticId::px_layer_not_found, {}, "no layer is named \"{}\"", name);
    }
  }
  for (const LayerOverride& chosen : choice.overrides) {
    if (chosen.layer < model.nodes.size()) model.nodes[chosen.layer].drawn = chosen.drawn;
  }
}

std::vector<ArtworkLayer> describe_layers(const Model& model) {
  std::vector<ArtworkLayer> layers;
  for (const Node& node : model.nodes) {
    ArtworkLayer& layer = layers.emplace_back(model.items[node.item]);
    layer.parent = node.parent;
    layer.use = node.use;
    layer.drawn = node.drawn;
  }
  return layers;
}

/// How diagnostics name an item of each kind.
constexpr std::array<std::string_view, 4> kItemNames{"layer", "group", "tilemap", "reference layer"};
constexpr std::uint32_t kMaxPageSide = 4096;
constexpr std::uint32_t kPadding = 1;
constexpr std::uint64_t kMaxImageSide = 65535;
constexpr std::uint32_t kDefaultMs = 100;
/// Maximum number of frames that a repeating tag expands to.
constexpr std::size_t kMaxRepeatedFrames = 1024;

/// A clip as frames of the artwork, in playback order.
struct ClipPlan {
  std::string name;
  bool looping = true;
  std::vector<std::uint32_t> frames{};
};

std::vector<std::uint32_t> frames_between(std::uint32_t first, std::uint32_t end) {
  std::vector<std::uint32_t> frames(end - first);
  std::iota(frames.begin(), frames.end(), first);
  return frames;
}

ClipPlan plan_clip(const ArtworkTag& tag, Editor editor, Warnings& warnings) {
  std::vector<std::uint32_t> once = frames_between(tag.first_frame, tag.last_frame + 1);
  const bool is_ping_pong =
      tag.direction == TagDirection::ping_pong || tag.direction == TagDirection::ping_pong_backward;
  const bool is_pass = is_ping_pong && editor == Editor::aseprite && tag.repeats > 0 && once.size() > 1;
  if (tag.direction == TagDirection::backward || tag.direction == TagDirection::ping_pong_backward) {
    std::ranges::reverse(once);
  }
  if (is_ping_pong && !is_pass) {
    for (std::size_t i = once.size() - 1; i-- > 1;) once.push_back(once[i]);
  }
  ClipPlan plan{tag.name, tag.repeats == 0, once};
  if (tag.repeats <= 1) return plan;
  if (once.size() > kMaxRepeatedFrames / tag.repeats) {
    warn(warnings, DiagnosticId::px_repeats_ignored, {.path = "tag", .name = tag.name},
         "repeats {} frames {} times, more than the limit of {} frames; it plays once", once.size(), tag.repeats,
         kMaxRepeatedFrames);
    return plan;
  }
  for (std::uint32_t i = 1; i < tag.repeats; ++i) {
    // The frame at the turn is shown once.
    if (is_pass) std::ranges::reverse(once);
    plan.frames.insert(plan.frames.end(), once.begin() + (is_pass ? 1 : 0), once.end());
  }
  return plan;
}

/// Returns the duration of each frame in milliseconds, at least 1.
std::vector<std::uint32_t> frame_times(const Model& model, Warnings& warnings) {
  std::vector<std::uint32_t> times = model.frame_ms;
  if (!times.empty()) return times;
  for (const Item& item : model.items) {
    for (std::size_t i = 0; i < item.frames.size(); ++i) {
      const std::uint32_t ms = item.frames[i].ms;
      if (i == times.size()) times.push_back(ms);
      if (ms == times[i]) continue;
      warn(warnings, DiagnosticId::px_duration_conflict, place_of(item),
           "shows frame {} for {} ms, but an earlier layer shows it for {} ms, which is used", i, ms, times[i]);
    }
  }
  if (const auto zeros = std::ranges::count(times, 0U); zeros > 0) {
    warn(warnings, DiagnosticId::px_value_replaced, {.path = "artwork"},
         "has {} frames of 0 ms, which are shown for {} ms", zeros, kDefaultMs);
    std::ranges::replace(times, 0U, kDefaultMs);
  }
  return times;
}

/// Returns the tags with a clip and a name each. Their ranges are sorted and clamped to existing frames.
std::vector<ArtworkTag> playable_tags(const Model& model, std::size_t frame_count, Warnings& warnings) {
  if (frame_count == 0) return {};
  std::vector<ArtworkTag> tags = model.tags;
  for (std::uint32_t i = 0; i < tags.size(); ++i) {
    ArtworkTag& tag = tags[i];
    tag.clip = i;
    if (tag.name.empty()) tag.name = fmt::format("tag {}", i + 1);
    const std::uint32_t first = tag.first_frame, last = tag.last_frame;
    const auto max = static_cast<std::uint32_t>(frame_count - 1);
    tag.first_frame = std::min({first, last, max});
    tag.last_frame = std::min(std::max(first, last), max);
    if (first <= last && last <= max) continue;
    warn(warnings, DiagnosticId::px_value_replaced, {.path = "tag", .name = tag.name},
         "has frames {} to {} of {}, which is not a valid range; {} to {} are played", first, last, frame_count,
         tag.first_frame, tag.last_frame);
  }
  return tags;
}

/// Plans a clip for each tag and one of all frames. Returns nothing if they exceed `max_frames` in total.
std::optional<std::vector<ClipPlan>> plan_clips(const std::vector<ArtworkTag>& tags, Editor editor,
                                                std::size_t frame_count, std::uint64_t max_frames, Warnings& warnings) {
  std::vector<ClipPlan> plans;
  std::uint64_t frames = frame_count;
  for (const ArtworkTag& tag : tags) {
    if (frames > max_frames) return std::nullopt;
    frames += plans.emplace_back(plan_clip(tag, editor, warnings)).frames.size();
  }
  if (frames > max_frames) return std::nullopt;
  if (frame_count == 0) return plans;
  const bool has_all = std::ranges::find(tags, "all", &ArtworkTag::name) != tags.end();
  plans.push_back({tags.empty() ? "default"
                   : has_all    ? "all frames"
                                : "all",
                   true, frames_between(0, static_cast<std::uint32_t>(frame_count))});
  return plans;
}

/// Returns the integer rate closest to one that shows every frame, at most 60 if durations differ; 0 without frames.
std::uint32_t nominal_rate(const std::vector<std::uint32_t>& frame_ms, double speed) {
  if (frame_ms.empty()) return 0;
  std::uint32_t step_ms = 0;
  for (const std::uint32_t ms : frame_ms) step_ms = std::gcd(step_ms, ms);
  const bool is_even = std::ranges::all_of(frame_ms, [&](std::uint32_t ms) { return ms == step_ms; });
  const double rate = 1000.0 / std::max(step_ms, 1U) * speed;
  return static_cast<std::uint32_t>(std::clamp(std::round(rate), 1.0, is_even ? 1000.0 : 60.0));
}

Image make_image(std::string name, std::uint32_t width, std::uint32_t height) {
  return {std::move(name), width, height, ImageEncoding::rgba8888,
          std::vector<std::byte>(std::size_t{width} * height * 4)};
}

std::byte* pixels_at(Image& image, std::size_t x, std::size_t y) {
  return image.bytes.data() + (y * image.width + x) * 4;
}

/// Describes the tilesets and appends an image of each to `images` while they fit in `max_pixels`.
template <typename Pixel>
std::vector<ArtworkTileset> add_tileset_images(const std::vector<Tiles>& tilesets, std::uint64_t max_pixels,
                                               std::vector<Image>& images) {
  std::vector<ArtworkTileset> result;
  for (const Tiles& tiles : tilesets) {
    ArtworkTileset& set = result.emplace_back(tiles);
    set.columns = std::clamp(set.columns, 1U, std::max(set.tile_count, 1U));
    const std::uint64_t width = std::uint64_t{set.columns} * set.tile_width;
    const std::uint64_t height = std::uint64_t{(set.tile_count + set.columns - 1) / set.columns} * set.tile_height;
    const bool has_size = !tiles.rgba.empty() && std::max(width, height) <= kMaxImageSide;
    if (!has_size || width * height > max_pixels) continue;
    max_pixels -= width * height;
    set.image = static_cast<std::uint32_t>(images.size());
    Image& image =
        images.emplace_back(make_image(set.name.empty() ? fmt::format("tileset {}", result.size()) : set.name,
                                       static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)));
    std::vector<Pixel> row(set.tile_width);
    for (std::uint32_t tile = 0; tile < set.tile_count; ++tile) {
      for (std::uint32_t y = 0; y < set.tile_height; ++y) {
        load(tiles.row(tile, y), row);
        std::byte* const place = pixels_at(image, std::size_t{tile % set.columns} * set.tile_width,
                                           std::size_t{tile / set.columns} * set.tile_height + y);
        store_straight(row, reinterpret_cast<std::uint8_t*>(place));
      }
    }
  }
  return result;
}

class Builder {
 public:
  Builder(const Model& model, Frames& frames) : model_(model), frames_(frames) {
    for (const CelPointer& cel : frames.images) sizes_.push_back({cel->box.width(), cel->box.height()});
  }

  /// Makes the atlas pages and a bone for each image, whose pixels are moved there. Returns the pixels left of
  /// `max_pixels`, or nothing if the pages exceed it.
  [[nodiscard]] std::optional<std::uint64_t> make_images(std::uint64_t max_pixels) {
    atlas_ = pack(sizes_);
    for (const PixelSize& page : atlas_.pages) {
      const std::uint64_t pixels = std::uint64_t{page.width} * page.height;
      if (pixels > max_pixels) return std::nullopt;
      max_pixels -= pixels;
      const std::size_t number = data.images.size() + 1;
      data.images.push_back(
          make_image(number == 1 ? "frames" : fmt::format("frames {}", number), page.width, page.height));
    }
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const CelPointer cel = std::move(frames_.images[i]);
      const AtlasPlace& place = atlas_.places[i];
      for (std::uint32_t y = 0; y < sizes_[i].height; ++y) {
        const std::size_t row_bytes = std::size_t{sizes_[i].width} * 4;
        std::memcpy(pixels_at(data.images[place.page], place.x, place.y + y), &cel->rgba[y * row_bytes], row_bytes);
      }
    }
    // The first frame that shows an image places and names its bone.
    for (std::size_t frame = 0; frame < frames_.frames.size(); ++frame) {
      const FrameImage& shown = frames_.frames[frame];
      if (shown.image != static_cast<std::int32_t>(homes_.size())) continue;
      homes_.push_back(place_of(shown));
      data.bones.push_back({fmt::format("frame {}", frame), BoneId::none});
    }
    return max_pixels;
  }

  void make_clip(const ClipPlan& plan, const std::vector<std::uint32_t>& frame_ms) {
    Clip& clip = data.clips.emplace_back();
    clip.name = plan.name;
    clip.looping = plan.looping;
    clip.frame_count = static_cast<std::uint32_t>(plan.frames.size());
    const double first_ms = frame_ms[plan.frames.front()];
    std::uint64_t end_ms = 0;
    bool is_even = true;
    for (const std::uint32_t frame : plan.frames) {
      is_even = is_even && frame_ms[frame] == first_ms;
      end_ms += frame_ms[frame];
      clip.frame_ends.push_back(static_cast<double>(end_ms) / 1000 / model_.speed);
    }
    clip.frames_per_second = is_even ? 1000 / first_ms * model_.speed
                                     : clip.frame_count * 1000.0 * model_.speed / static_cast<double>(end_ms);
    if (is_even) clip.frame_ends.clear();
    make_samples(plan, clip.samples);
  }

  /// Makes a quad at the image's place in the bind pose, the first frame of the first clip.
  void make_mesh(std::uint32_t number) {
    const PixelSize& size = sizes_[number];
    const AtlasPlace& place = atlas_.places[number];
    const Image& page = data.images[place.page];
    const BoneSamples& bind = data.clips.front().samples;
    data.meshes.push_back({data.bones[number].name, ImageId{static_cast<std::uint32_t>(place.page)},
                           static_cast<std::uint32_t>(data.vertices.size()), 4,
                           static_cast<std::uint32_t>(data.indices.size()), 6});
    for (const std::uint32_t down : {0U, size.height}) {
      for (const std::uint32_t across : {0U, size.width}) {
        const float x = bind.x[number] + static_cast<float>(across) - static_cast<float>(size.width) / 2;
        const float y = bind.y[number] - static_cast<float>(down) + static_cast<float>(size.height) / 2;
        const float u = static_cast<float>(place.x + across) / static_cast<float>(page.width);
        const float v = static_cast<float>(place.y + down) / static_cast<float>(page.height);
        data.vertices.push_back({x, y, u, v, {static_cast<std::uint16_t>(number)}, {1}});
      }
    }
    data.indices.insert(data.indices.end(), {0, 2, 1, 1, 2, 3});
  }

  CharacterData data;

 private:
  /// Returns the center of an image in world space. The origin lies on a pixel corner, so pixels stay whole.
  [[nodiscard]] Vec2 place_of(const FrameImage& shown) const {
    const PixelSize& size = sizes_[static_cast<std::size_t>(shown.image)];
    return {static_cast<float>(shown.left) + static_cast<float>(size.width) / 2 - static_cast<float>(model_.origin_x),
            static_cast<float>(model_.origin_y) - static_cast<float>(shown.top) - static_cast<float>(size.height) / 2};
  }

  void make_samples(const ClipPlan& plan, BoneSamples& samples) const {
    const std::size_t bones = homes_.size();
    samples.resize(plan.frames.size() * bones);
    samples.opacity = {};
    std::ranges::fill(samples.visible, std::uint8_t{0});
    // A hidden image stays where it was last visible, across the loop, so smooth playback does not move it.
    std::vector<Vec2> places = homes_;
    const auto move_to = [&](std::uint32_t frame) {
      const FrameImage& shown = frames_.frames[frame];
      if (shown.image >= 0) places[static_cast<std::size_t>(shown.image)] = place_of(shown);
      return shown.image;
    };
    for (const std::uint32_t frame : plan.frames) move_to(frame);
    for (std::size_t i = 0; i < plan.frames.size(); ++i) {
      const std::int32_t image = move_to(plan.frames[i]);
      for (std::size_t bone = 0; bone < bones; ++bone) {
        samples.x[i * bones + bone] = places[bone].x;
        samples.y[i * bones + bone] = places[bone].y;
      }
      if (image >= 0) samples.visible[i * bones + static_cast<std::size_t>(image)] = 1;
    }
  }

  const Model& model_;
  Frames& frames_;
  std::vector<PixelSize> sizes_;
  Atlas atlas_;
  std::vector<Vec2> homes_;
};

/// Turns each distinct image into a mesh with its own bone, visible in the frames that show it. y points up. Fails if
/// the frames exceed the limit of samples, or the images the limit of pixels.
Expected<std::pair<CharacterData, Artwork>, Diagnostic> make_character(const Model& model, Frames& frames,
                                                                       const std::vector<Tiles>& tiles,
                                                                       const Limits& limits, Warnings& warnings) {
  const std::size_t frame_count = frames.frames.size();
  Artwork artwork = model;
  artwork.frame_ms = frame_times(model, warnings);
  artwork.layers = describe_layers(model);
  artwork.tags = playable_tags(model, frame_count, warnings);
  const std::uint64_t max_frames = limits.max_bone_samples / std::max<std::size_t>(frames.images.size(), 1);
  const auto plans = plan_clips(artwork.tags, model.editor, frame_count, max_frames, warnings);
  if (!plans) {
    return Unexpected(diagnose(DiagnosticId::limit_exceeded, {},
                               "clips with {} images have more frames than the limit of {} samples allows",
                               frames.images.size(), limits.max_bone_samples));
  }
  Builder builder(model, frames);
  const auto pixels_left = builder.make_images(limits.max_image_pixels);
  if (!pixels_left) {
    return Unexpected(diagnose(DiagnosticId::limit_exceeded, {},
                               "the frames need more than the limit of {} image pixels", limits.max_image_pixels));
  }
  CharacterData& data = builder.data;
  data.pixel_art = true;
  data.frames_per_second = nominal_rate(artwork.frame_ms, model.speed);
  for (const ClipPlan& plan : *plans) {
    builder.make_clip(plan, artwork.frame_ms);
    artwork.clip_frames.push_back(plan.frames);
  }
  for (std::uint32_t image = 0; image < frames.images.size(); ++image) builder.make_mesh(image);
  if (plans->empty()) {
    warn(warnings, DiagnosticId::px_empty, {}, "");
  } else {
    artwork.whole_clip = static_cast<std::uint32_t>(plans->size() - 1);
  }
  artwork.tilesets = model.editor == Editor::aseprite ? add_tileset_images<Rgba>(tiles, *pixels_left, data.images)
                                                      : add_tileset_images<Color>(tiles, *pixels_left, data.images);
  return std::pair(std::move(data), std::move(artwork));
}

/// Returns why no frame has a visible pixel.
std::string_view why_blank(const Model& model) {
  if (model.items.empty()) return "the artwork has no layers";
  const auto has_pixels = [](const Item& item) {
    return item.kind != LayerKind::group && item.kind != LayerKind::reference;
  };
  if (std::ranges::none_of(model.items, has_pixels)) return "the artwork has only groups and reference layers";
  if (find_leaves(model).empty()) return "all layers are hidden";
  if (model.contents.empty() && model.tilemap_contents.empty()) return "the layers have no pixels";
  if (model.indexed && model.palette.empty()) return "the artwork is indexed and has no colors";
  return "all pixels of the visible layers are transparent or damaged";
}

/// Warns if no frame has a visible pixel, unless that is because the requested layers do not exist.
void warn_if_blank(const Model& model, const Frames& frames, const LayerChoice& choice, Warnings& warnings) {
  if (frames.frames.empty() || !frames.images.empty()) return;
  if (choice.which != LayerChoice::Which::named) {
    warn(warnings, DiagnosticId::artwork_invisible, {}, "no pixel is visible in {}: {}",
         counted(frames.frames.size(), "frame"), why_blank(model));
    return;
  }
  std::string found;
  for (const std::string& name : choice.names) {
    if (std::ranges::find(model.items, name, &Item::name) == model.items.end()) continue;
    found += fmt::format("{}\"{}\"", found.empty() ? "" : ", ", printable(name));
  }
  if (found.empty()) return;
  warn(warnings, DiagnosticId::px_nothing_drawn, {}, "none of the {} frames has a visible pixel in {}",
       frames.frames.size(), found);
}

}  // namespace

Atlas pack(std::span<const PixelSize> images) {
  double area = 0;
  std::uint32_t width = 0;
  for (const PixelSize& image : images) {
    area += (image.width + kPadding) * static_cast<double>(image.height + kPadding);
    width = std::max(width, image.width);
  }
  // Roughly square, and wide enough for the widest image.
  width = std::max(width, static_cast<std::uint32_t>(std::min<double>(std::ceil(std::sqrt(area)), kMaxPageSide)));
  std::vector<std::size_t> order(images.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t i) { return images[i].height; });
  Atlas atlas;
  atlas.places.resize(images.size());
  std::uint32_t x = 0, y = 0, shelf_height = 0;
  for (const std::size_t i : order) {
    const PixelSize& image = images[i];
    if (x > 0 && x + image.width > width) {
      y += shelf_height + kPadding;
      x = shelf_height = 0;
    }
    if (atlas.pages.empty() || (y > 0 && y + image.height > kMaxPageSide)) {
      atlas.pages.emplace_back();
      x = y = shelf_height = 0;
    }
    atlas.places[i] = {atlas.pages.size() - 1, x, y};
    PixelSize& page = atlas.pages.back();
    page.width = std::max(page.width, x + image.width);
    page.height = std::max(page.height, y + image.height);
    x += image.width + kPadding;
    shelf_height = std::max(shelf_height, image.height);
  }
  return atlas;
}

At place_of(const Item& item) noexcept {
  return {kItemNames[static_cast<std::size_t>(item.kind)], item.name, item.offset};
}

Expected<Imported, LoadError> import_artwork(Model model, const ImportOptions& options, const char* format,
                                             Warnings warnings) {
  const Limits& limits = options.limits;
  if (const std::uint64_t pixels = std::uint64_t{model.width} * model.height; pixels > limits.max_image_pixels) {
    return Unexpected(diagnose(DiagnosticId::limit_exceeded, {.path = "canvas"}, "has {} pixels, but the limit is {}",
                               pixels, limits.max_image_pixels));
  }
  // The center lies on a pixel corner.
  const std::array center{static_cast<std::int32_t>(model.width / 2),
                          static_cast<std::int32_t>(model.height - model.height / 2)};
  model.origin_x = model.origin.value_or(center)[0];
  model.origin_y = model.origin.value_or(center)[1];
  choose_layers(model, options.layers, warnings);
  const std::vector<Tiles> tiles = inflate_tiles(model, limits.max_image_pixels, warnings);
  const auto references = place_references(model, limits.max_image_pixels, warnings);
  auto frames = compose_frames(model, tiles, references, limits, options.executor, warnings);
  if (!frames) return Unexpected(frames.error());
  warn_if_blank(model, *frames, options.layers, warnings);
  auto made = make_character(model, *frames, tiles, limits, warnings);
  if (!made) return Unexpected(std::move(made.error()));
  auto& [data, artwork] = *made;
  BindPose bind = IdentityBindPose{};
  if (!data.clips.empty()) bind = ClipBindPose{data.clips.front().name, 0};
  auto character = CharacterBuilder::build(std::move(data), bind, {}, std::move(warnings));
  if (!character) return Unexpected(std::move(character.error()));
  return Imported{.character = *std::move(character), .format = format, .artwork = std::move(artwork)};
}

}  // namespace pchr::artwork

namespace pchr {
namespace {

/// Returns the name of `value`, or an empty view if it is not a valid enumerator.
template <typename Value>
std::string_view named(std::initializer_list<std::string_view> names, Value value) noexcept {
  const auto index = static_cast<std::size_t>(value);
  return index < names.size() ? names.begin()[index] : std::string_view{};
}

}  // namespace

std::string_view name_of(BlendMode mode) noexcept {
  return named({"normal", "multiply", "screen", "overlay", "darken", "lighten", "color dodge", "color burn",
                "hard light", "soft light", "difference", "exclusion", "hue", "saturation", "color", "luminosity",
                "addition", "subtract", "divide"},
               mode);
}
std::string_view name_of(LayerKind kind) noexcept { return named({"layer", "group", "tilemap", "reference"}, kind); }
std::string_view name_of(LayerUse use) noexcept { return named({"drawn", "clipping mask", "cropping mask"}, use); }
std::string_view name_of(SymmetryKind kind) noexcept { return named({"mirror", "rotate"}, kind); }
std::string_view name_of(GuideKind kind) noexcept { return named({"grid", "isometric", "perspective"}, kind); }
std::string_view name_of(TagDirection direction) noexcept {
  return named({"forward", "backward", "ping-pong", "ping-pong backward"}, direction);
}

}  // namespace pchr
