// SPDX-License-Identifier: MIT
// Composes the frames of an artwork.
#include "import/artwork/artwork.hpp"

#include "platform/checksums.hpp"
#include "platform/parallel.hpp"

#include <array>
#include <bit>
#include <limits>
#include <ranges>
#include <unordered_map>

namespace pchr::artwork {
namespace {

/// A cel, or a group whose parts are composed separately first.
struct Drawing {
  CelPointer cel{};              ///< Null for a group.
  std::vector<Drawing> parts{};  ///< Parts of a group, from bottom to top.
  bool cropped = false;
  std::vector<Drawing> masks{};  ///< From bottom to top. They crop the drawing or are painted within its pixels.
  float opacity = 1;
  BlendMode blend = BlendMode::normal;
  Box box;  ///< Bounds of everything drawn.
};

/// Composes drawings row by row, which needs only one temporary row per nesting level. Keeps its memory for the next
/// frame. Not thread-safe. Pixel is Color or Rgba.
template <typename Pixel>
class Composer {
 public:
  /// Composes `drawings` from bottom to top. Returns straight alpha.
  [[nodiscard]] Cel compose(std::span<const Drawing> drawings) {
    Box box;
    for (const Drawing& drawing : drawings) box.include(drawing.box);
    if (box.empty()) return {};
    for (std::size_t i = drawings.size(); i-- > 1;) {
      if (!hides_all(drawings[i], box)) continue;
      drawings = drawings.subspan(i);
      break;
    }
    canvas_.resize(box.pixels() * 4);
    std::uint8_t* pixels = canvas_.data();
    for (std::int32_t y = box.top; y < box.bottom; ++y, pixels += std::size_t{box.width()} * 4) {
      const Scratch row(*this, Target{y, box.left, box.right, nullptr});
      draw_all(drawings, row.target);
      store_straight(row.target.row(), pixels);
    }
    return trimmed(canvas_, box, box);
  }

 private:
  /// Whether nothing below the drawing shows within `box`.
  static bool hides_all(const Drawing& drawing, const Box& box) noexcept {
    return drawing.cel && drawing.cel->opaque && drawing.cel->box == box && drawing.opacity == 1 &&
           drawing.blend == BlendMode::normal && !drawing.cropped && drawing.masks.empty();
  }

  /// Part of a canvas row from `left` to `right`.
  struct Target {
    std::int32_t y = 0, left = 0, right = 0;
    Pixel* pixels = nullptr;  ///< Starts at `left`.

    [[nodiscard]] std::span<Pixel> row() const noexcept { return {pixels, static_cast<std::size_t>(right - left)}; }
    [[nodiscard]] Target within(const Box& box) const noexcept {
      if (y < box.top || y >= box.bottom || box.left >= right || box.right <= left) return {y, 0, 0, nullptr};
      const std::int32_t start = std::max(left, box.left);
      return {y, start, std::min(right, box.right), pixels + (start - left)};
    }
    [[nodiscard]] bool empty() const noexcept { return left >= right; }
  };

  /// Transparent row as wide as `like`, returned to the composer at the end of its scope.
  struct Scratch {
    Scratch(Composer& from, const Target& like) : composer(from), target(like) {
      if (composer.rows_used_ == composer.rows_.size()) composer.rows_.emplace_back();
      std::vector<Pixel>& row = composer.rows_[composer.rows_used_++];
      row.assign(target.row().size(), Pixel{});
      target.pixels = row.data();
    }
    ~Scratch() { --composer.rows_used_; }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    Composer& composer;
    Target target;
  };

  void draw_all(std::span<const Drawing> drawings, const Target& target) {
    for (const Drawing& drawing : drawings) {
      const Target part = target.within(drawing.box);
      if (part.empty() || !(drawing.opacity > 0)) continue;
      if (drawing.cel && !drawing.cropped && drawing.masks.empty()) {
        blend(drawing.blend, drawing.cel->at(part.left, part.y), drawing.opacity, part.row());
        continue;
      }
      const Scratch scratch(*this, part);
      render(drawing, scratch.target);
      blend(drawing.blend, scratch.target.row(), drawing.opacity, part.row());
    }
  }

  /// Draws onto a transparent target within the drawing's box, without its opacity.
  void render(const Drawing& drawing, const Target& target) {
    if (drawing.cel) {
      load(drawing.cel->at(target.left, target.y), target.row());
    } else {
      draw_all(drawing.parts, target);
    }
    if (drawing.cropped) {
      const Scratch mask(*this, target);
      draw_all(drawing.masks, mask.target);
      const auto row = target.row(), covered = mask.target.row();
      for (std::size_t i = 0; i < row.size(); ++i) mask_by(row[i], covered[i]);
    } else if (!drawing.masks.empty()) {
      paint_masks(drawing, target);
    }
  }

  void paint_masks(const Drawing& drawing, const Target& target) {
    const Scratch before(*this, target);
    std::ranges::copy(target.row(), before.target.row().begin());
    for (const Drawing& mask : drawing.masks) {
      const Target part = target.within(mask.box);
      if (part.empty() || !(mask.opacity > 0)) continue;
      const Scratch scratch(*this, part);
      render(mask, scratch.target);
      const auto painted = scratch.target.row();
      const auto covered =
          before.target.row().subspan(static_cast<std::size_t>(part.left - target.left), painted.size());
      for (std::size_t i = 0; i < painted.size(); ++i) mask_by(painted[i], covered[i]);
      blend(mask.blend, painted, mask.opacity, part.row());
    }
  }

  std::vector<std::vector<Pixel>> rows_{};
  std::size_t rows_used_ = 0;
  std::vector<std::uint8_t> canvas_{};
};

/// Maximum number of pixels drawn per pixel of the image limit, enough for hundreds of layers.
constexpr std::uint64_t kWorkPerPixel = 256;
/// Fixed cost of a layer, in pixels.
constexpr std::uint64_t kLayerPixels = 1024;
/// Maximum number of inflated layer pixels of a frame, per pixel of the image limit.
constexpr std::uint64_t kFramePerPixel = 4;

struct Look {
  std::int32_t cel = kNoCel;
  float opacity = 1;
  std::int16_t z_index = 0;
  bool operator==(const Look&) const = default;
};

/// A drawn node with pixels.
struct Leaf {
  std::shared_ptr<const std::vector<Look>> looks{};  ///< Looks of the first frames, shared by all leaves of an item.
  Look rest{};                                       ///< Look in all later frames.

  [[nodiscard]] const Look& look(std::size_t frame) const noexcept {
    return frame < looks->size() ? (*looks)[frame] : rest;
  }
};

struct Schedule {
  std::vector<Leaf> leaves{};
  std::vector<std::int32_t> leaf_of{};    ///< Leaf of each node, or -1.
  std::vector<std::uint32_t> distinct{};  ///< Frames with distinct looks.
  std::vector<std::uint32_t> like{};      ///< Index into `distinct` for each frame.
};

std::vector<Look> looks_of(const Item& item, CelStore& cels, Warnings& warnings) {
  std::vector<Look> looks;
  std::size_t missing = 0;
  for (const Frame& frame : item.frames) {
    const std::int32_t cel = cels.find(item, frame);
    missing += frame.content != Frame::kEmpty && cel == kNoCel ? 1 : 0;
    looks.push_back({cel, frame.opacity == Frame::kInherited ? item.opacity : frame.opacity, frame.z_index});
  }
  if (missing > 0) {
    warn(warnings, DiagnosticId::px_pixels_unusable, place_of(item),
         "has {} frames (of {}) whose pixels or tileset are missing", missing, item.frames.size());
  }
  return looks;
}

void find_distinct(Schedule& schedule, std::size_t frame_count) {
  const auto hash_of = [&](std::uint32_t frame) {
    std::uint64_t hash = 0;
    for (const Leaf& leaf : schedule.leaves) {
      const Look& look = leaf.look(frame);
      const auto low =
          std::uint64_t{static_cast<std::uint32_t>(look.cel)} << 16 | static_cast<std::uint16_t>(look.z_index);
      hash = (hash ^ low ^ std::uint64_t{std::bit_cast<std::uint32_t>(look.opacity)} << 32) * 0x9E3779B97F4A7C15U;
      hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
  };
  const auto look_alike = [&](std::uint32_t a, std::uint32_t b) {
    return std::ranges::all_of(schedule.leaves, [&](const Leaf& leaf) { return leaf.look(a) == leaf.look(b); });
  };
  std::unordered_map<std::uint32_t, std::uint32_t, decltype(hash_of), decltype(look_alike)> known(0, hash_of,
                                                                                                  look_alike);
  for (std::uint32_t frame = 0; frame < frame_count; ++frame) {
    const auto [same, is_new] = known.try_emplace(frame, static_cast<std::uint32_t>(schedule.distinct.size()));
    if (is_new) schedule.distinct.push_back(frame);
    schedule.like.push_back(same->second);
  }
}

/// Finds what each frame shows, and announces to `cels` the use of each cel by the distinct frames. `references` has
/// the cels of reference layers, indexed by item.
Schedule make_schedule(const Model& model, std::span<const CelPointer> references, std::size_t frame_count,
                       CelStore& cels, Warnings& warnings) {
  Schedule schedule{.leaf_of = std::vector<std::int32_t>(model.nodes.size(), -1)};
  std::unordered_map<std::uint32_t, Leaf> known;
  for (const std::uint32_t node : find_leaves(model)) {
    const std::uint32_t number = model.nodes[node].item;
    const auto [entry, is_new] = known.try_emplace(number);
    Leaf& leaf = entry->second;
    if (is_new) {
      const Item& item = model.items[number];
      leaf.looks = std::make_shared<const std::vector<Look>>(looks_of(item, cels, warnings));
      if (references[number]) leaf.rest = {cels.add(references[number]), item.opacity, 0};
    }
    schedule.leaf_of[node] = static_cast<std::int32_t>(schedule.leaves.size());
    schedule.leaves.push_back(leaf);
  }
  find_distinct(schedule, frame_count);
  for (const std::uint32_t frame : schedule.distinct) {
    for (const Leaf& leaf : schedule.leaves) {
      if (leaf.look(frame).cel != kNoCel) cels.announce(leaf.look(frame).cel);
    }
  }
  return schedule;
}

struct Composed {
  CelPointer image{};
  std::int32_t left = 0, top = 0;
};

/// Composes frames on any number of threads.
struct FrameComposer {
  const Model& model;
  const Schedule& schedule;
  CelStore& cels;
  const Limits& limits;
  std::vector<Composed> composed = std::vector<Composed>(schedule.distinct.size());
  std::atomic<bool> exceeded = false;

  /// Composes the distinct frames from `first` up to, but not including, `last`.
  void compose(std::size_t first, std::size_t last) {
    if (model.editor == Editor::aseprite) {
      compose_by<Rgba>(first, last);
    } else {
      compose_by<Color>(first, last);
    }
  }

  template <typename Pixel>
  void compose_by(std::size_t first, std::size_t last) {
    std::vector<std::uint8_t> canvas;
    Composer<Pixel> composer;
    for (std::size_t i = first; i < last && !exceeded; ++i) compose_one(i, canvas, composer);
  }

  struct Scene {
    std::uint32_t frame = 0;
    std::vector<CelPointer> cels{};
  };

  template <typename Pixel>
  void compose_one(std::size_t number, std::vector<std::uint8_t>& canvas, Composer<Pixel>& composer) {
    Scene scene{schedule.distinct[number]};
    std::uint64_t pixels = 0;
    for (const Leaf& leaf : schedule.leaves) {
      const std::int32_t cel = leaf.look(scene.frame).cel;
      scene.cels.push_back(cel == kNoCel ? nullptr : cels.acquire(cel, canvas));
      if (scene.cels.back()) pixels += scene.cels.back()->box.pixels();
      if (pixels > limits.max_image_pixels * kFramePerPixel) exceeded = true;
      if (exceeded) return;
    }
    Cel made = composer.compose(draw_sorted(scene, model.roots));
    for (const Leaf& leaf : schedule.leaves) {
      if (leaf.look(scene.frame).cel != kNoCel) cels.release(leaf.look(scene.frame).cel);
    }
    scene.cels.clear();
    if (made.box.empty()) return;
    made.rgba.shrink_to_fit();
    const Box box = made.box;
    composed[number] = {find_or_add(std::move(made)), box.left, box.top};
    if (!composed[number].image) exceeded = true;
  }

  /// A node and what it is sorted by.
  struct Placed {
    std::uint32_t node = 0;
    std::int32_t order = 0, z_index = 0;
  };

  /// Adds the nodes, and the members of groups instead of the groups if these are not isolated.
  void place(const Scene& scene, std::span<const std::uint32_t> nodes, std::vector<Placed>& placed) const {
    for (const std::uint32_t number : nodes) {
      const Node& node = model.nodes[number];
      if (!model.isolates_groups && model.items[node.item].kind == LayerKind::group) {
        if (node.drawn) place(scene, node.children, placed);
        continue;
      }
      const std::int32_t leaf = schedule.leaf_of[number];
      const std::int32_t z = leaf < 0 ? 0 : schedule.leaves[static_cast<std::size_t>(leaf)].look(scene.frame).z_index;
      // Layers are numbered with their groups and with hidden layers.
      const auto position = static_cast<std::int32_t>(model.isolates_groups ? placed.size() : node.item);
      const std::int32_t order = model.editor == Editor::aseprite ? position + z : z;
      placed.push_back(
          {number, model.items[node.item].background ? std::numeric_limits<std::int32_t>::min() : order, z});
    }
  }

  /// Draws siblings in the order of the frame's z-indices.
  [[nodiscard]] std::vector<Drawing> draw_sorted(const Scene& scene, std::span<const std::uint32_t> siblings) const {
    std::vector<Placed> placed;
    place(scene, siblings, placed);
    std::ranges::stable_sort(placed, {}, [](const Placed& it) { return std::pair(it.order, it.z_index); });
    std::vector<std::uint32_t> nodes;
    for (const Placed& it : placed) nodes.push_back(it.node);
    return draw_all(scene, nodes);
  }

  [[nodiscard]] std::vector<Drawing> draw_all(const Scene& scene, std::span<const std::uint32_t> nodes) const {
    std::vector<Drawing> drawings;
    for (const std::uint32_t node : nodes) {
      if (auto drawing = draw(scene, node)) drawings.push_back(*std::move(drawing));
    }
    return drawings;
  }

  /// Returns nothing if the node is not visible.
  [[nodiscard]] std::optional<Drawing> draw(const Scene& scene, std::uint32_t number) const {
    const Node& node = model.nodes[number];
    if (!node.drawn) return std::nullopt;
    const Item& item = model.items[node.item];
    Drawing drawing{.opacity = item.opacity, .blend = item.blend, .box = {}};
    // Aseprite has no hue, saturation, color and luminosity of grays.
    const bool mixes_channels = item.blend >= BlendMode::hue && item.blend <= BlendMode::luminosity;
    if (model.pixel_format == PixelFormat::gray_alpha && mixes_channels) drawing.blend = BlendMode::normal;
    if (schedule.leaf_of[number] >= 0) {
      const auto leaf = static_cast<std::size_t>(schedule.leaf_of[number]);
      drawing.cel = scene.cels[leaf];
      drawing.opacity = schedule.leaves[leaf].look(scene.frame).opacity;
      if (drawing.cel) drawing.box = drawing.cel->box;
    } else {
      drawing.parts = draw_sorted(scene, node.children);
      for (const Drawing& part : drawing.parts) drawing.box.include(part.box);
    }
    drawing.cropped = !node.cropping.empty();
    drawing.masks = draw_all(scene, drawing.cropped ? node.cropping : node.clipping);
    const bool hidden = drawing.cropped && drawing.masks.empty();
    if (drawing.box.empty() || hidden) return std::nullopt;
    return drawing;
  }

  /// Returns the stored image with the same pixels as `made`, or stores it. Returns null if there are too many pixels.
  CelPointer find_or_add(Cel made) {
    const std::size_t hash = crc32_of(std::as_bytes(std::span(made.rgba)));
    const std::lock_guard lock(mutex);
    const auto [first, last] = images.equal_range(hash);
    const auto same = std::find_if(first, last, [&](const auto& entry) {
      const Cel& other = *entry.second;
      return other.box.width() == made.box.width() && other.rgba == made.rgba;
    });
    if (same != last) return same->second;
    image_pixels += made.box.pixels();
    if (image_pixels > limits.max_image_pixels) return nullptr;
    return images.emplace(hash, std::make_shared<const Cel>(std::move(made)))->second;
  }

  Mutex mutex{};
  std::unordered_multimap<std::size_t, CelPointer> images{};
  std::uint64_t image_pixels = 0;
};

/// Returns the number of frames per thread: enough to be worth starting a thread, and to keep the scratch memory of all
/// threads, at most `scratch_pixels` each, within the limit of pixels.
std::size_t frames_per_thread(const Schedule& schedule, std::uint64_t canvas_pixels, std::uint64_t scratch_pixels,
                              const Limits& limits) noexcept {
  constexpr std::uint64_t kWorthAThread = 1U << 18;
  const std::uint64_t count = schedule.distinct.size();
  const std::uint64_t threads = std::max<std::uint64_t>(limits.max_image_pixels / scratch_pixels, 1);
  const std::uint64_t frame_pixels = canvas_pixels * std::max<std::uint64_t>(schedule.leaves.size(), 1);
  return static_cast<std::size_t>(std::max((count + threads - 1) / threads, kWorthAThread / frame_pixels));
}

/// Numbers the images in order of first use.
Frames number_images(const Schedule& schedule, const std::vector<Composed>& composed) {
  Frames result;
  std::unordered_map<CelPointer, std::int32_t> numbers;
  for (const std::uint32_t distinct : schedule.like) {
    FrameImage& frame = result.frames.emplace_back();
    const Composed& shown = composed[distinct];
    if (!shown.image) continue;
    const auto [found, is_new] = numbers.emplace(shown.image, static_cast<std::int32_t>(numbers.size()));
    if (is_new) result.images.push_back(shown.image);
    frame = {found->second, shown.left, shown.top};
  }
  return result;
}

}  // namespace

std::vector<std::uint32_t> find_leaves(const Model& model) {
  std::vector<std::uint32_t> leaves;
  std::vector<bool> shown(model.nodes.size());
  for (std::uint32_t i = 0; i < model.nodes.size(); ++i) {
    const Node& node = model.nodes[i];
    shown[i] = node.drawn && (node.parent < 0 || shown[static_cast<std::size_t>(node.parent)]);
    if (shown[i] && model.items[node.item].kind != LayerKind::group) leaves.push_back(i);
  }
  return leaves;
}

Expected<Frames, Diagnostic> compose_frames(const Model& model, const std::vector<Tiles>& tiles,
                                            std::span<const CelPointer> references, const Limits& limits,
                                            const Executor& executor, Warnings& warnings) {
  constexpr auto kExceeded = DiagnosticId::limit_exceeded;
  const std::uint64_t canvas = std::uint64_t{model.width} * model.height;
  std::size_t frame_count = model.frame_ms.size();
  for (const Item& item : model.items) frame_count = std::max(frame_count, item.frames.size());
  const std::size_t leaves = find_leaves(model).size();
  const std::uint64_t max_work = limits.max_image_pixels * kWorkPerPixel;
  if (leaves > 0 && frame_count > max_work / kLayerPixels / leaves) {
    return Unexpected(diagnose(kExceeded, {}, "{} frames of {} layers are too many to compose", frame_count, leaves));
  }
  CelStore cels(model, tiles, limits.max_image_pixels);
  const Schedule schedule = make_schedule(model, references, frame_count, cels, warnings);
  const std::size_t frames = schedule.distinct.size();
  if (frames > 0 && leaves > max_work / frames / (canvas + kLayerPixels)) {
    return Unexpected(diagnose(kExceeded, {},
                               "composing {} frames of {} layers of {} pixels would draw more than {} pixels, the "
                               "maximum for a limit of {} image pixels",
                               frames, leaves, canvas, max_work, limits.max_image_pixels));
  }
  FrameComposer composer{model, schedule, cels, limits};
  std::uint64_t scratch = canvas;
  for (const Content& content : model.contents) {
    if (content.box.pixels() <= limits.max_image_pixels) scratch = std::max(scratch, content.box.pixels());
  }
  parallel_for(executor, frames, frames_per_thread(schedule, canvas, scratch, limits),
               [&](std::size_t first, std::size_t last) { composer.compose(first, last); });
  if (composer.exceeded) {
    return Unexpected(
        diagnose(kExceeded, {}, "the frames have more than the limit of {} image pixels", limits.max_image_pixels));
  }
  cels.report_unusable(warnings);
  return number_images(schedule, composer.composed);
}

}  // namespace pchr::artwork
