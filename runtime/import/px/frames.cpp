// SPDX-License-Identifier: MIT
// Composes the frames of an artwork.
#include "import/px/frames.hpp"

#include "character/fail.hpp"
#include "import/diagnose.hpp"
#include "import/px/compose.hpp"
#include "import/px/file.hpp"
#include "import/px/layers.hpp"
#include "import/px/pixels.hpp"
#include "platform/parallel.hpp"

#include <bit>
#include <cstring>

namespace pchr::px {
namespace {

/// What a layer shows in a frame.
struct Look {
  std::int32_t cel = kNoCel;
  float opacity = 1;
  std::int16_t z_index = 0;
  bool operator==(const Look&) const = default;
};

/// A layer that has pixels and is drawn, and all that it is in, too.
struct Leaf {
  std::uint32_t node = 0;
  std::shared_ptr<const std::vector<Look>> looks{};  ///< Of the first frames; shared by all leaves of an item.
  Look rest{};                                       ///< In all frames after those.

  [[nodiscard]] const Look& look(std::size_t frame) const noexcept {
    return frame < looks->size() ? (*looks)[frame] : rest;
  }
};

struct Schedule {
  std::vector<Leaf> leaves{};
  /// Frames of which no two look the same, and for each frame which of them it looks like.
  /// @{
  std::vector<std::uint32_t> distinct{};
  std::vector<std::uint32_t> like{};
  /// @}
};

std::vector<Look> looks_of(const Item& item, CelStore& cels, Warnings& warnings) {
  std::vector<Look> looks(item.frames.size());
  std::size_t missing = 0;
  for (std::size_t i = 0; i < item.frames.size(); ++i) {
    const Frame& frame = item.frames[i];
    const std::int32_t cel = frame.content.empty() ? kNoCel : cels.find(item, frame.content);
    missing += !frame.content.empty() && cel == kNoCel ? 1 : 0;
    looks[i] = {cel, frame.opacity == Frame::kInherited ? item.opacity : frame.opacity, frame.z_index};
  }
  if (missing > 0) {
    warn(warnings, DiagnosticId::px_pixels_unusable,
         {.path = section_of(item.kind), .name = item.name, .offset = item.offset},
         "{} of its {} frames name pixels or a tileset that are not there", missing, item.frames.size());
  }
  return looks;
}

bool look_alike(const std::vector<Leaf>& leaves, std::size_t a, std::size_t b) noexcept {
  return std::ranges::all_of(leaves, [&](const Leaf& leaf) { return leaf.look(a) == leaf.look(b); });
}

std::uint64_t hash_of(const std::vector<Leaf>& leaves, std::size_t frame) noexcept {
  std::uint64_t hash = 0;
  for (const Leaf& leaf : leaves) {
    const Look& look = leaf.look(frame);
    const auto low =
        std::uint64_t{static_cast<std::uint32_t>(look.cel)} << 16 | static_cast<std::uint16_t>(look.z_index);
    hash = (hash ^ low ^ std::uint64_t{std::bit_cast<std::uint32_t>(look.opacity)} << 32) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29;
  }
  return hash;
}

void find_distinct(Schedule& schedule, std::size_t frame_count) {
  std::unordered_multimap<std::uint64_t, std::uint32_t> known;
  for (std::uint32_t frame = 0; frame < frame_count; ++frame) {
    const std::uint64_t hash = hash_of(schedule.leaves, frame);
    const auto [first, last] = known.equal_range(hash);
    const auto same = std::find_if(first, last, [&](const auto& entry) {
      return look_alike(schedule.leaves, frame, schedule.distinct[entry.second]);
    });
    if (same != last) {
      schedule.like.push_back(same->second);
      continue;
    }
    known.emplace(hash, static_cast<std::uint32_t>(schedule.distinct.size()));
    schedule.like.push_back(static_cast<std::uint32_t>(schedule.distinct.size()));
    schedule.distinct.push_back(frame);
  }
}

class DrawingMaker {
 public:
  DrawingMaker(const File& file, const Tree& tree, const Schedule& schedule, std::uint32_t frame,
               std::span<const std::shared_ptr<const Cel>> cels)
      : file_(file), tree_(tree), schedule_(schedule), frame_(frame), cels_(cels) {
    for (std::uint32_t i = 0; i < schedule.leaves.size(); ++i) leaf_of_[schedule.leaves[i].node] = i;
  }

  /// A frame's z-index moves a layer among those beside it.
  [[nodiscard]] std::vector<Drawing> make_sorted(std::span<const std::uint32_t> nodes) const {
    std::vector<std::pair<std::int16_t, std::size_t>> places;
    for (const std::uint32_t node : nodes) places.emplace_back(z_index_of(node), places.size());
    std::ranges::sort(places);
    std::vector<std::uint32_t> sorted;
    for (const auto& [z_index, place] : places) sorted.push_back(nodes[place]);
    return make_all(sorted);
  }

 private:
  [[nodiscard]] std::int16_t z_index_of(std::uint32_t node) const {
    const auto leaf = leaf_of_.find(node);
    return leaf == leaf_of_.end() ? std::int16_t{0} : schedule_.leaves[leaf->second].look(frame_).z_index;
  }

  [[nodiscard]] std::vector<Drawing> make_all(std::span<const std::uint32_t> nodes) const {
    std::vector<Drawing> drawings;
    for (const std::uint32_t node : nodes) {
      if (auto drawing = make(node)) drawings.push_back(*std::move(drawing));
    }
    return drawings;
  }

  /// Nothing where it would show nothing.
  [[nodiscard]] std::optional<Drawing> make(std::uint32_t number) const {
    const Node& node = tree_.nodes[number];
    if (!node.drawn) return std::nullopt;
    const Item& item = file_.items[node.item];
    Drawing drawing{.opacity = item.opacity, .blend = item.blend, .box = {}};
    if (const auto leaf = leaf_of_.find(number); leaf != leaf_of_.end()) {
      drawing.cel = cels_[leaf->second];
      drawing.opacity = schedule_.leaves[leaf->second].look(frame_).opacity;
      if (drawing.cel) drawing.box = drawing.cel->box;
    } else {
      drawing.parts = make_sorted(node.children);
      for (const Drawing& part : drawing.parts) drawing.box.include(part.box);
    }
    drawing.cropped = !node.cropping.empty();
    drawing.masks = make_all(drawing.cropped ? node.cropping : node.clipping);
    const bool hidden = drawing.cropped && drawing.masks.empty();
    if (drawing.box.empty() || hidden) return std::nullopt;
    return drawing;
  }

  const File& file_;
  const Tree& tree_;
  const Schedule& schedule_;
  const std::uint32_t frame_;
  const std::span<const std::shared_ptr<const Cel>> cels_;
  std::unordered_map<std::uint32_t, std::uint32_t> leaf_of_{};
};

/// Works out what each of `frame_count` frames shows, and announces to `cels` what drawing each distinct one takes.
/// `references` has the cels of reference layers, by their items.
Schedule make_schedule(const File& file, const Tree& tree, std::span<const std::shared_ptr<const Cel>> references,
                       std::size_t frame_count, CelStore& cels, Warnings& warnings) {
  Schedule schedule;
  std::unordered_map<std::uint32_t, Leaf> known;
  for (const std::uint32_t node : find_leaves(file, tree)) {
    const std::uint32_t number = tree.nodes[node].item;
    const auto [entry, is_new] = known.try_emplace(number);
    Leaf& leaf = entry->second;
    if (is_new) {
      const Item& item = file.items[number];
      leaf.looks = std::make_shared<const std::vector<Look>>(looks_of(item, cels, warnings));
      if (references[number]) leaf.rest = {cels.add(references[number]), item.opacity, 0};
    }
    leaf.node = node;
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

std::vector<Drawing> make_drawings(const File& file, const Tree& tree, const Schedule& schedule, std::uint32_t frame,
                                   std::span<const std::shared_ptr<const Cel>> cels) {
  return DrawingMaker(file, tree, schedule, frame, cels).make_sorted(tree.roots);
}

using Picture = std::shared_ptr<const Cel>;

/// How much may be drawn for each pixel that images may have: enough for hundreds of layers, but not for ever.
constexpr std::uint64_t kWorkPerPixel = 256;
/// What a layer costs besides its pixels, in pixels.
constexpr std::uint64_t kLayerPixels = 1024;
/// Of what the layers of one frame are inflated to, for each pixel that images may have.
constexpr std::uint64_t kFramePerPixel = 4;

std::uint64_t hash_of(const Cel& picture) noexcept {
  std::uint64_t hash = picture.box.pixels();
  for (std::size_t at = 0; at + sizeof(std::uint64_t) <= picture.rgba.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, picture.rgba.data() + at, sizeof(word));
    hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 32;
  }
  return hash;
}

/// Pictures of which no two have the same pixels, wherever they are.
class PictureSet {
 public:
  explicit PictureSet(std::uint64_t max_pixels) : max_pixels_(max_pixels) {}

  /// The one that is the same as `made`. Nothing where there would be too many pixels.
  Picture add(Cel made) {
    const std::uint64_t hash = hash_of(made);
    const std::lock_guard lock(mutex_);
    const auto [first, last] = known_.equal_range(hash);
    const auto same = std::find_if(first, last, [&](const auto& entry) {
      const Cel& other = *entry.second;
      return other.box.width() == made.box.width() && other.rgba == made.rgba;
    });
    if (same != last) return same->second;
    pixels_ += made.box.pixels();
    if (pixels_ > max_pixels_) return nullptr;
    return known_.emplace(hash, std::make_shared<const Cel>(std::move(made)))->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, Picture> known_;
  std::uint64_t pixels_ = 0;
  const std::uint64_t max_pixels_;
};

struct Composed {
  Picture picture{};
  std::int32_t left = 0, top = 0;
};

/// Composes frames on whatever threads call it.
class FrameComposer {
 public:
  FrameComposer(const File& file, const Tree& tree, const Schedule& schedule, CelStore& cels, const Limits& limits)
      : file_(file), tree_(tree), schedule_(schedule), cels_(cels), limits_(limits), set_(limits.max_image_pixels) {
    composed_.resize(schedule.distinct.size());
  }

  /// Those from `first` to `last` of the distinct frames.
  void compose(std::size_t first, std::size_t last) {
    CelScratch scratch;
    Composer composer;
    for (std::size_t i = first; i < last && !exceeded_; ++i) compose_one(i, scratch, composer);
  }

  [[nodiscard]] bool exceeded() const noexcept { return exceeded_; }
  [[nodiscard]] const std::vector<Composed>& composed() const noexcept { return composed_; }

 private:
  void compose_one(std::size_t number, CelScratch& scratch, Composer& composer) {
    const std::uint32_t frame = schedule_.distinct[number];
    std::vector<Picture> cels;
    std::uint64_t pixels = 0;
    for (const Leaf& leaf : schedule_.leaves) {
      const std::int32_t cel = leaf.look(frame).cel;
      cels.push_back(cel == kNoCel ? nullptr : cels_.acquire(cel, scratch));
      if (cels.back()) pixels += cels.back()->box.pixels();
      if (pixels > limits_.max_image_pixels * kFramePerPixel) exceeded_ = true;
      if (exceeded_) return;
    }
    Cel made = composer.compose(make_drawings(file_, tree_, schedule_, frame, cels));
    for (const Leaf& leaf : schedule_.leaves) {
      if (leaf.look(frame).cel != kNoCel) cels_.release(leaf.look(frame).cel);
    }
    if (made.box.empty()) return;
    Composed& composed = composed_[number];
    composed.left = made.box.left;
    composed.top = made.box.top;
    composed.picture = set_.add(std::move(made));
    if (!composed.picture) exceeded_ = true;
  }

  const File& file_;
  const Tree& tree_;
  const Schedule& schedule_;
  CelStore& cels_;
  const Limits& limits_;
  PictureSet set_;
  std::vector<Composed> composed_;
  std::atomic<bool> exceeded_ = false;
};

/// At least as many frames for each thread that starting it is worth it, and that the canvases of all threads together
/// are within the limit of pixels.
std::size_t frames_per_thread(const Schedule& schedule, std::uint64_t canvas_pixels, const Limits& limits) noexcept {
  constexpr std::uint64_t kWorthAThread = 1U << 18;
  const std::uint64_t count = schedule.distinct.size();
  const std::uint64_t threads = std::max<std::uint64_t>(limits.max_image_pixels / canvas_pixels, 1);
  const std::uint64_t frame_pixels = canvas_pixels * std::max<std::uint64_t>(schedule.leaves.size(), 1);
  return static_cast<std::size_t>(std::max((count + threads - 1) / threads, kWorthAThread / frame_pixels));
}

/// Numbers the pictures by the first frame that shows each.
Frames number_pictures(const Schedule& schedule, const std::vector<Composed>& composed) {
  Frames result;
  std::unordered_map<const Cel*, std::int32_t> numbers;
  for (const std::uint32_t distinct : schedule.like) {
    FramePicture& frame = result.frames.emplace_back();
    const Composed& shown = composed[distinct];
    if (!shown.picture) continue;
    const auto number = static_cast<std::int32_t>(result.pictures.size());
    const auto [found, is_new] = numbers.emplace(shown.picture.get(), number);
    if (is_new) result.pictures.push_back(shown.picture);
    frame = {found->second, shown.left, shown.top};
  }
  return result;
}

}  // namespace

std::vector<std::uint32_t> find_leaves(const File& file, const Tree& tree) {
  std::vector<std::uint32_t> leaves;
  std::vector<bool> shown(tree.nodes.size());
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    const Node& node = tree.nodes[i];
    shown[i] = node.drawn && (node.parent < 0 || shown[static_cast<std::size_t>(node.parent)]);
    if (shown[i] && file.items[node.item].kind != LayerKind::group) leaves.push_back(i);
  }
  return leaves;
}

std::size_t count_frames(const File& file) noexcept {
  std::size_t count = 0;
  for (const Item& item : file.items) count = std::max(count, item.frames.size());
  return count;
}

std::expected<Frames, Diagnostic> compose_frames(const File& file, const Tree& tree, const std::vector<Tiles>& tiles,
                                                 std::span<const std::shared_ptr<const Cel>> references,
                                                 const Limits& limits, Warnings& warnings) {
  const std::uint64_t canvas = std::uint64_t{file.width} * file.height;
  const std::size_t frame_count = count_frames(file), leaves = find_leaves(file, tree).size();
  const std::uint64_t max_work = limits.max_image_pixels * kWorkPerPixel;
  const auto work_too_much = [&](std::size_t frames) {
    return frames > 0 && leaves > max_work / frames / (canvas + kLayerPixels);
  };
  if (leaves > 0 && frame_count > max_work / kLayerPixels / leaves) {
    return fail(DiagnosticId::limit_exceeded, fmt::format("found {} frames of {} layers", frame_count, leaves));
  }
  CelStore cels(file, tiles, limits.max_image_pixels);
  const Schedule schedule = make_schedule(file, tree, references, frame_count, cels, warnings);
  if (work_too_much(schedule.distinct.size())) {
    return fail(DiagnosticId::limit_exceeded,
                fmt::format("found {} frames of {} layers of {} pixels; {} pixels are as many as "
                            "a limit of {} for images allows to draw",
                            schedule.distinct.size(), leaves, canvas, max_work, limits.max_image_pixels));
  }
  FrameComposer composer(file, tree, schedule, cels, limits);
  parallel_for(schedule.distinct.size(), frames_per_thread(schedule, canvas, limits),
               [&](std::size_t first, std::size_t last) { composer.compose(first, last); });
  if (composer.exceeded()) {
    return fail(
        DiagnosticId::limit_exceeded,
        fmt::format("its frames have more pixels than the limit of {} for images allows", limits.max_image_pixels));
  }
  cels.report_unusable(warnings);
  return number_pictures(schedule, composer.composed());
}

}  // namespace pchr::px
