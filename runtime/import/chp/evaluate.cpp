// SPDX-License-Identifier: MIT
// Evaluates the timelines of a Pomyu character.
#include "import/chp/file.hpp"

#include <cstdlib>
#include <optional>

namespace pchr::chp {
namespace {

constexpr std::int64_t kFieldWidth = 314, kFieldHeight = 480;

/// The keyframes around a time, and the progress from the first to the second, 0 to 1.
struct Sample {
  std::int16_t from, to;
  double progress;

  // Floating point truncates like the original games do: 29/50 of 50 is 28.
  [[nodiscard]] std::int64_t between(std::int64_t first, std::int64_t second) const noexcept {
    return first + static_cast<std::int64_t>(static_cast<double>(second - first) * progress);
  }
};

std::optional<Sample> sample(const Column& column, std::int64_t ms, std::size_t frame) noexcept {
  const std::int64_t half_ms = ms * 2;
  const auto after = std::ranges::upper_bound(column.tweens, half_ms, {}, &Tween::start_half_ms);
  if (after != column.tweens.begin() && half_ms < std::prev(after)->end_half_ms) {
    const Tween& tween = *std::prev(after);
    return Sample{tween.from, tween.to,
                  static_cast<double>(half_ms - tween.start_half_ms) /
                      static_cast<double>(tween.end_half_ms - tween.start_half_ms)};
  }
  const std::int16_t key = frame < column.values.size() ? column.values[frame] : kNone;
  return key == kNone ? std::nullopt : std::optional(Sample{key, key, 0});
}

/// Makes a negative `length` positive and moves `position` to the left or top edge. Returns whether it was negative.
bool normalize(std::int64_t& position, std::int64_t& length) noexcept {
  if (length >= 0) return false;
  position += length;
  length = -length;
  return true;
}

bool is_drawn(const PixelRect& sprite) noexcept {
  return sprite.width != 0 && sprite.height != 0 && (std::abs(sprite.width) != 1 || std::abs(sprite.height) != 1);
}

std::optional<Operation> operation_at(const File& file, const Timeline& timeline, std::int64_t ms,
                                      std::size_t frame) noexcept {
  const auto rect_at = [&](Property property) -> std::optional<PixelRect> {
    const auto at = sample(timeline.column(property), ms, frame);
    if (!at) return std::nullopt;
    const PixelRect from = file.rect(at->from), to = file.rect(at->to);
    return PixelRect{at->between(from.x, to.x), at->between(from.y, to.y), at->between(from.width, to.width),
                     at->between(from.height, to.height)};
  };
  const auto byte_at = [&](Property property, std::uint8_t otherwise) {
    const auto at = sample(timeline.column(property), ms, frame);
    return at ? static_cast<std::uint8_t>(at->between(at->from, at->to)) : otherwise;
  };
  const auto sprite = rect_at(Property::sprite);
  if (!sprite || !is_drawn(*sprite)) return std::nullopt;
  Operation operation;
  operation.layer = timeline.layer;
  operation.source = *sprite;
  operation.flip_x = normalize(operation.source.x, operation.source.width);
  operation.flip_y = normalize(operation.source.y, operation.source.height);
  operation.destination =
      rect_at(Property::offset).value_or(PixelRect{0, 0, operation.source.width, operation.source.height});
  if (operation.destination.width == 0 || operation.destination.height == 0) return std::nullopt;
  operation.flip_x ^= normalize(operation.destination.x, operation.destination.width);
  operation.flip_y ^= normalize(operation.destination.y, operation.destination.height);
  operation.alpha = byte_at(Property::alpha, 255);
  operation.rotation = byte_at(Property::rotation, 0);
  return operation;
}

}  // namespace

PixelRect clip_of(const File& file, int animation) noexcept {
  if (animation != kDance) return {0, 0, file.width, file.height};
  const auto centered = [](std::int64_t outer, std::int64_t inner) { return (inner - outer) >> 1; };
  return {centered(kFieldWidth, file.width), centered(kFieldHeight, file.height), kFieldWidth, kFieldHeight};
}

void evaluate(const File& file, int animation, std::int64_t ms, std::vector<Operation>& operations) {
  const Animation& played = file.animation(animation);
  const auto frame = static_cast<std::size_t>(ms / played.frame_ms);
  for (const Timeline& timeline : played.timelines) {
    if (const auto operation = operation_at(file, timeline, ms, frame)) operations.push_back(*operation);
  }
}

}  // namespace pchr::chp
