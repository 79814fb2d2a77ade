// SPDX-License-Identifier: MIT
// Named frames of clips: footsteps, hits, the moment a door opens.
#pragma once

#include <pchr/character.hpp>
#include <pchr/finding.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace PCHR_API pchr {

/// A named frame. Names may repeat: every footstep can be a "step".
struct Marker {
  std::uint32_t clip = 0;
  std::uint32_t frame = 0;
  std::string name;
  bool operator==(const Marker&) const = default;
};

/// Markers by clip, then by frame; those of one frame as they were given.
class Markers {
 public:
  Markers() = default;
  /// Markers in any order.
  explicit Markers(std::vector<Marker> markers);

  /// All of them, in order.
  [[nodiscard]] std::span<const Marker> all() const noexcept { return markers_; }
  /// Those of one clip, in order.
  [[nodiscard]] std::span<const Marker> of_clip(std::uint32_t clip) const noexcept;

 private:
  std::vector<Marker> markers_;
};

/// Where the markers of the character file `path` are kept: `hero.markers.json` beside `hero.pchr`.
[[nodiscard]] std::filesystem::path markers_path(const std::filesystem::path& path);

/// Reads markers of `character`: `{"markers": [{"clip": "walk", "frame": 4, "name": "step"}]}`. Other fields are
/// ignored. Fails on anything else, on a clip that the character does not have and on a frame beyond its clip's.
[[nodiscard]] std::expected<Markers, LoadError> load_markers(const std::filesystem::path& path,
                                                             const Character& character);
/// The same from a whole file in memory.
[[nodiscard]] std::expected<Markers, LoadError> load_markers(std::span<const std::byte> bytes,
                                                             const Character& character);

}  // namespace pchr
