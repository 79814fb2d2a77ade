// SPDX-License-Identifier: MIT
// Names of an artwork's parts.
#include <pchr/import/artwork.hpp>

#include <initializer_list>

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
                "hard light", "soft light", "difference", "exclusion", "hue", "saturation", "color", "luminosity"},
               mode);
}
std::string_view name_of(LayerKind kind) noexcept { return named({"layer", "group", "tilemap", "reference"}, kind); }
std::string_view name_of(LayerUse use) noexcept { return named({"drawn", "clipping mask", "cropping mask"}, use); }
std::string_view name_of(SymmetryKind kind) noexcept { return named({"mirror", "rotate"}, kind); }
std::string_view name_of(GuideKind kind) noexcept { return named({"grid", "isometric", "perspective"}, kind); }
std::string_view name_of(TagDirection direction) noexcept {
  return named({"forward", "backward", "ping-pong"}, direction);
}

}  // namespace pchr
