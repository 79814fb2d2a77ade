// SPDX-License-Identifier: MIT
#include "view/grid.hpp"

#include <algorithm>
#include <cmath>

namespace pchr::player {
namespace {

constexpr double kFarAway = 1e5;  ///< Beyond any canvas, but still exact as a float.
constexpr double kMaxLines = 160;
constexpr float kMargin = 0.25F;  ///< Fraction of the larger side, around the object on the floor.
constexpr float kMinorAlpha = 0.09F;
constexpr float kMajorAlpha = 0.22F;
constexpr float kAxisAlpha = 0.85F;
constexpr float kNegativeAlpha = 0.35F;

struct FileAxis {
  Vec3 direction;  ///< In the axes of the character as read.
  std::array<float, 3> color;
};

constexpr std::array<FileAxis, 3> kAxes{
    {{{1, 0, 0}, {0.90F, 0.36F, 0.38F}}, {{0, 0, -1}, {0.45F, 0.76F, 0.36F}}, {{0, 1, 0}, {0.36F, 0.58F, 0.96F}}}};

/// Returns the box around the object on the floor and the origin, with a margin.
Box standing_box(const GroundView& view) noexcept {
  Box box = rotated_box(upright(view.turntable), view.box);
  box.include(Vec3{0.0F});
  const Vec3 size = box.size();
  const float room = std::max(size.x, size.z) * kMargin;
  box.min -= Vec3{room, 0.0F, room};
  box.max += Vec3{room, 0.0F, room};
  return box;
}

/// Calls add() with the multiples of `step` from `low` to `high`, except multiples of `except`.
template <typename Add>
void for_each_line(float low, float high, double step, double except, const Add& add) {
  const auto first = static_cast<std::int64_t>(std::ceil(low / step - 1e-6));
  const auto last = static_cast<std::int64_t>(std::floor(high / step + 1e-6));
  const auto every = except > 0 ? static_cast<std::int64_t>(std::lround(except / step)) : 0;
  for (std::int64_t i = first; i <= last; ++i) {
    if (every == 0 || i % every != 0) add(static_cast<float>(static_cast<double>(i) * step));
  }
}

}  // namespace

GridStep grid_step(double zoom, double min_pixels) noexcept {
  const double min_step = min_pixels / zoom;
  const double power = std::pow(10.0, std::floor(std::log10(min_step)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    // Tolerate rounding errors of a step that fits exactly.
    if (digit * power >= min_step * (1.0 - 1e-9)) return {digit * power, (digit == 5.0 ? 20.0 : digit * 5.0) * power};
  }
  return {10.0 * power, 50.0 * power};
}

GridLines grid_lines(const Camera& camera, const GridStep& step, float thickness) noexcept {
  const double zoom = camera.zoom;
  const double up = camera.flip_y ? -1.0 : 1.0;
  const double x = camera.viewport.x * 0.5 - camera.center.x * zoom;
  const double y = camera.viewport.y * 0.5 + camera.center.y * zoom * up;
  const double major = step.major * zoom;
  const auto near = [](double value) { return static_cast<float>(std::clamp(value, -kFarAway, kFarAway)); };
  const auto phase = [&](double value) { return static_cast<float>(value - std::floor(value / major) * major); };
  return {.minor = static_cast<float>(step.minor * zoom),
          .major = static_cast<float>(major),
          .phase = {phase(x), phase(y)},
          .origin = {near(x), near(y)},
          .thickness = thickness};
}

GridStep ground_step(const GroundView& view, double min_pixels) noexcept {
  const Vec3 size = standing_box(view).size();
  const double extent = std::max(size.x, size.z) * static_cast<double>(view.camera.zoom);
  return grid_step(view.camera.zoom, std::max(min_pixels, extent / kMaxLines));
}

std::vector<SeenLine> ground_lines(const GroundView& view, const GridStep& step, const std::array<float, 3>& ink,
                                   float thickness) {
  Box box = standing_box(view);
  const auto outward = [&](float value, double (*round)(double)) {
    return static_cast<float>(round(value / step.major) * step.major);
  };
  const Vec2 min{outward(box.min.x, std::floor), outward(box.min.z, std::floor)};
  const Vec2 max{outward(box.max.x, std::ceil), outward(box.max.z, std::ceil)};
  const Affine3 stand = upright(view.turntable);
  const Affine3 rotation = rotated(view.turntable, apply(stand, view.pivot));
  const Affine to_viewport = world_to_viewport(view.camera);
  const auto place = [&](Vec3 point) { return apply(to_viewport, Vec2{apply(rotation, point)}); };
  std::vector<SeenLine> lines;
  const auto add = [&](Vec3 from, Vec3 to, const std::array<float, 3>& color, float alpha, float width) {
    lines.push_back({place(from), place(to), {color[0], color[1], color[2], alpha}, std::max(width, 1.0F)});
  };
  const auto add_grid = [&](double distance, double except, float alpha) {
    for_each_line(min.x, max.x, distance, except,
                  [&](float x) { add({x, 0, min.y}, {x, 0, max.y}, ink, alpha, thickness); });
    for_each_line(min.y, max.y, distance, except,
                  [&](float z) { add({min.x, 0, z}, {max.x, 0, z}, ink, alpha, thickness); });
  };
  add_grid(step.minor, step.major, kMinorAlpha);
  add_grid(step.major, 0, kMajorAlpha);
  for (const FileAxis& axis : kAxes) {
    const Vec3 along = apply_to_direction(stand, axis.direction);
    const Vec3 high{max.x, std::max(box.max.y, 0.0F), max.y};
    const Vec3 low{min.x, 0.0F, min.y};
    const auto reach = [&](bool positive) {
      const bool forward = (along.x + along.y + along.z > 0) == positive;
      return (along * along) * (forward ? high : low);
    };
    add(Vec3{0.0F}, reach(false), axis.color, kNegativeAlpha, thickness * 2);
    add(Vec3{0.0F}, reach(true), axis.color, kAxisAlpha, thickness * 2);
  }
  return lines;
}

}  // namespace pchr::player
