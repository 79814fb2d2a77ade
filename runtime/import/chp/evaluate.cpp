// SPDX-License-Identifier: MIT
// Evaluates the timelines of a Pomyu character.
#include "import/chp/evaluate.hpp"

#include <cmath>
#include <cstdlib>
#include <iterator>

namespace pchr::chp {
namespace {

constexpr std::int64_t kFieldWidth = 314, kFieldHeight = 480;

/// How much of a tween lies behind at `ms`, 0 to 1.
double progress(const Tween& tween, std::int64_t ms) noexcept {
  return static_cast<double>(ms * 2 - tween.start_half_ms) /
         static_cast<double>(tween.end_half_ms - tween.start_half_ms);
}

// In floating point, as the programs for which characters are made compute it: 29/50 of 50 is 28.
std::int64_t between(std::int64_t from, std::int64_t to, double progress) noexcept {
  return from + static_cast<std::int64_t>(static_cast<double>(to - from) * progress);
}

PixelRect rect_of(const File& file, std::int16_t id) noexcept {
  const auto found = file.rects.find(id);
  return found == file.rects.end() ? PixelRect{} : found->second;
}

/// The tween that `half_ms` lies in; null if none.
const Tween* tween_at(const Column& column, std::int64_t half_ms) noexcept {
  const auto after = std::ranges::upper_bound(column.tweens, half_ms, {}, &Tween::start_half_ms);
  if (after == column.tweens.begin()) return nullptr;
  const Tween& tween = *std::prev(after);
  return half_ms < tween.end_half_ms ? &tween : nullptr;
}

/// The value of frame `frame`; kNone also where the column is not there.
std::int16_t key_at(const Column& column, std::size_t frame) noexcept {
  return frame < column.values.size() ? column.values[frame] : kNone;
}

/// A moment of an animation.
struct Moment {
  std::int64_t ms;
  std::size_t frame;
};

std::optional<PixelRect> rect_at(const File& file, const Column& column, const Moment& moment) noexcept {
  if (const Tween* const tween = tween_at(column, moment.ms * 2)) {
    const PixelRect from = rect_of(file, tween->from), to = rect_of(file, tween->to);
    const double passed = progress(*tween, moment.ms);
    return PixelRect{between(from.x, to.x, passed), between(from.y, to.y, passed),
                     between(from.width, to.width, passed), between(from.height, to.height, passed)};
  }
  const std::int16_t key = key_at(column, moment.frame);
  return key == kNone ? std::nullopt : std::optional(rect_of(file, key));
}

std::uint8_t byte_at(const Column& column, const Moment& moment, std::uint8_t otherwise) noexcept {
  if (const Tween* const tween = tween_at(column, moment.ms * 2)) {
    return static_cast<std::uint8_t>(between(tween->from, tween->to, progress(*tween, moment.ms)));
  }
  const std::int16_t key = key_at(column, moment.frame);
  return key == kNone ? otherwise : static_cast<std::uint8_t>(key);
}

/// Makes `position` and `length` the left or top and the extent. Whether it was mirrored.
bool normalize(std::int64_t& position, std::int64_t& length) noexcept {
  if (length >= 0) return false;
  position += length;
  length = -length;
  return true;
}

bool is_drawn(const PixelRect& sprite) noexcept {
  return sprite.width != 0 && sprite.height != 0 && (std::abs(sprite.width) != 1 || std::abs(sprite.height) != 1);
}

std::optional<Operation> operation_at(const File& file, const Timeline& timeline, const Moment& moment) noexcept {
  const auto sprite = rect_at(file, timeline.column(Property::sprite), moment);
  if (!sprite || !is_drawn(*sprite)) return std::nullopt;
  Operation operation;
  operation.layer = timeline.layer;
  operation.source = *sprite;
  operation.flip_x = normalize(operation.source.x, operation.source.width);
  operation.flip_y = normalize(operation.source.y, operation.source.height);
  const auto offset = rect_at(file, timeline.column(Property::offset), moment);
  operation.destination = offset.value_or(PixelRect{0, 0, operation.source.width, operation.source.height});
  if (operation.destination.width == 0 || operation.destination.height == 0) return std::nullopt;
  operation.flip_x ^= normalize(operation.destination.x, operation.destination.width);
  operation.flip_y ^= normalize(operation.destination.y, operation.destination.height);
  operation.alpha = byte_at(timeline.column(Property::alpha), moment, 255);
  operation.rotation = byte_at(timeline.column(Property::rotation), moment, 0);
  return operation;
}

}  // namespace

PixelRect clip_of(const File& file, int animation) noexcept {
  if (animation != kDance) return {0, 0, file.width, file.height};
  const auto centered = [](std::int64_t outer, std::int64_t inner) { return (inner - outer) >> 1; };
  return {centered(kFieldWidth, file.width), centered(kFieldHeight, file.height), kFieldWidth, kFieldHeight};
}

std::int64_t animation_ms(const Animation& animation, std::int64_t played_ms) noexcept {
  const std::int64_t whole = animation.frame_count * animation.frame_ms;
  if (played_ms < whole) return played_ms;
  const std::int64_t start = animation.loop_start * animation.frame_ms;
  return start + (played_ms - whole) % (whole - start);
}

void evaluate(const File& file, int animation, std::int64_t ms, std::vector<Operation>& operations) {
  const Animation& played = file.animations[static_cast<std::size_t>(animation - 1)];
  const Moment moment{ms, static_cast<std::size_t>(ms / played.frame_ms)};
  for (const Timeline& timeline : played.timelines) {
    if (const auto operation = operation_at(file, timeline, moment)) operations.push_back(*operation);
  }
}

}  // namespace pchr::chp
