// SPDX-License-Identifier: MIT
// Names of an artwork's parts.
#include <pchr/import/artwork.hpp>

#include <span>

namespace pchr {
namespace {

/// Returns the name of `value`; empty where it is not one of its type.
template <typename Value>
std::string_view named(std::span<const std::string_view> names, Value value) noexcept {
  const auto index = static_cast<std::size_t>(value);
  return index < names.size() ? names[index] : std::string_view{};
}

constexpr std::string_view kBlendNames[kBlendModes] = {
    "normal",     "multiply",   "screen",     "overlay",   "darken", "lighten",    "color dodge", "color burn",
    "hard light", "soft light", "difference", "exclusion", "hue",    "saturation", "color",       "luminosity"};
constexpr std::string_view kKindNames[] = {"layer", "group", "tilemap", "reference"};
constexpr std::string_view kUseNames[] = {"drawn", "clipping mask", "cropping mask"};
constexpr std::string_view kSymmetryNames[] = {"mirror", "rotate"};
constexpr std::string_view kGuideNames[] = {"grid", "isometric", "perspective"};
constexpr std::string_view kDirectionNames[] = {"forward", "backward", "ping-pong"};

}  // namespace

std::string_view name_of(BlendMode mode) noexcept { return named(kBlendNames, mode); }
std::string_view name_of(LayerKind kind) noexcept { return named(kKindNames, kind); }
std::string_view name_of(LayerUse use) noexcept { return named(kUseNames, use); }
std::string_view name_of(SymmetryKind kind) noexcept { return named(kSymmetryNames, kind); }
std::string_view name_of(GuideKind kind) noexcept { return named(kGuideNames, kind); }
std::string_view name_of(TagDirection direction) noexcept { return named(kDirectionNames, direction); }

}  // namespace pchr
