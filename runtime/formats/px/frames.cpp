// SPDX-License-Identifier: MIT
// The pictures of an artwork's frames.
#include "formats/px/frames.hpp"

#include "formats/px/schedule.hpp"
#include "model/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <utility>

namespace pchr::px {
namespace {

using Picture = std::shared_ptr<const Cel>;

/// How much may be drawn for each pixel that images may have: enough for hundreds of layers, but not for ever.
constexpr std::uint64_t kWorkPerPixel = 256;
/// What a layer costs besides its pixels, in pixels.
constexpr std::uint64_t kLayerPixels = 1024;
/// Of what the layers of one frame are inflated to, for each pixel that images may have.
constexpr std::uint64_t kFramePerPixel = 4;

Finding too_much(std::string detail) { return Finding{FindingId::limit_exceeded, {}, {}, {}, std::move(detail)}; }

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
  explicit PictureSet(std::uint64_t most_pixels) : most_pixels_(most_pixels) {}

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
    if (pixels_ > most_pixels_) return nullptr;
    return known_.emplace(hash, std::make_shared<const Cel>(std::move(made)))->second;
  }

 private:
  std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, Picture> known_;
  std::uint64_t pixels_ = 0;
  const std::uint64_t most_pixels_;
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

std::size_t count_frames(const File& file) noexcept {
  std::size_t count = 0;
  for (const Item& item : file.items) count = std::max(count, item.frames.size());
  return count;
}

std::expected<Frames, Finding> compose_frames(const File& file, const Tree& tree, const std::vector<Tiles>& tiles,
                                              std::span<const std::shared_ptr<const Cel>> references,
                                              const Limits& limits, Remarks& remarks) {
  const std::uint64_t canvas = std::uint64_t{file.width} * file.height;
  const std::size_t frame_count = count_frames(file), leaves = find_leaves(file, tree).size();
  const std::uint64_t most_work = limits.max_image_pixels * kWorkPerPixel;
  const auto work_too_much = [&](std::size_t frames) {
    return frames > 0 && leaves > most_work / frames / (canvas + kLayerPixels);
  };
  if (leaves > 0 && frame_count > most_work / kLayerPixels / leaves) {
    return std::unexpected(too_much(fmt::format("found {} frames of {} layers", frame_count, leaves)));
  }
  CelStore cels(file, tiles, limits.max_image_pixels);
  const Schedule schedule = make_schedule(file, tree, references, frame_count, cels, remarks);
  if (work_too_much(schedule.distinct.size())) {
    return std::unexpected(
        too_much(fmt::format("found {} frames of {} layers of {} pixels; {} pixels are as many as "
                             "a limit of {} for images allows to draw",
                             schedule.distinct.size(), leaves, canvas, most_work, limits.max_image_pixels)));
  }
  FrameComposer composer(file, tree, schedule, cels, limits);
  parallel_for(schedule.distinct.size(), frames_per_thread(schedule, canvas, limits),
               [&](std::size_t first, std::size_t last) { composer.compose(first, last); });
  if (composer.exceeded()) {
    return std::unexpected(too_much(
        fmt::format("its frames have more pixels than the limit of {} for images allows", limits.max_image_pixels)));
  }
  cels.remark(remarks);
  return number_pictures(schedule, composer.composed());
}

}  // namespace pchr::px
