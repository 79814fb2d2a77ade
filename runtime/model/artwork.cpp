// SPDX-License-Identifier: MIT
// The names of what an artwork is made of.
#include <pchr/artwork.hpp>

#include <array>

namespace pchr {
namespace {

/// The name at the place of `value`; empty for a value that is none of its kind.
template <std::size_t N, typename Value>
std::string_view named(const std::array<std::string_view, N>& names, Value value) noexcept {
  const auto index = static_cast<std::size_t>(value);
  return index < N ? names[index] : std::string_view{};
}

}  // namespace

std::string_view name_of(BlendMode mode) noexcept {
  static constexpr std::array<std::string_view, kBlendModes> kNames{
      "normal",     "multiply",   "screen",     "overlay",   "darken", "lighten",    "colour dodge", "colour burn",
      "hard light", "soft light", "difference", "exclusion", "hue",    "saturation", "colour",       "luminosity"};
  return named(kNames, mode);
}

std::string_view name_of(LayerKind kind) noexcept {
  static constexpr std::array<std::string_view, 4> kNames{"layer", "group", "tilemap", "reference"};
  return named(kNames, kind);
}

std::string_view name_of(LayerUse use) noexcept {
  static constexpr std::array<std::string_view, 3> kNames{"drawn", "clipping mask", "cropping mask"};
  return named(kNames, use);
}

std::string_view name_of(SymmetryKind kind) noexcept {
  static constexpr std::array<std::string_view, 2> kNames{"mirror", "rotate"};
  return named(kNames, kind);
}

std::string_view name_of(GuideKind kind) noexcept {
  static constexpr std::array<std::string_view, 3> kNames{"grid", "isometric", "perspective"};
  return named(kNames, kind);
}

std::string_view name_of(TagDirection direction) noexcept {
  static constexpr std::array<std::string_view, 3> kNames{"forward", "backward", "ping-pong"};
  return named(kNames, direction);
}

}  // namespace pchr
