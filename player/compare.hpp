// SPDX-License-Identifier: MIT
// A second clip, of this or of another file, beside the first: one clock, one camera.
#pragma once

#include "source.hpp"
#include "turntable.hpp"

#include <pchr/geometry.hpp>
#include <pchr/hit_test.hpp>
#include <pchr/pose.hpp>
#include <pchr/renderer.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pchr::player {

struct Session;

enum class CompareMode : std::uint8_t {
  off,
  side_by_side,  ///< Each in one half of the canvas.
  wipe           ///< Both on all of it, the first to the left of a divider and the second to its right.
};

/// Bounds by clip, of those that were asked for: they take long to find.
using KnownBounds = std::vector<std::optional<Extent>>;
[[nodiscard]] Extent bounds_of_clip(const Character& character, std::uint32_t clip, KnownBounds& known);

/// Another file to compare with.
struct ComparedFile {
  std::filesystem::path path;
  Model model;
  std::vector<AlphaMask> masks{};
  KnownBounds known_bounds{};
  Source source{};
};

struct Comparison {
  CompareMode mode = CompareMode::off;
  float divider = 0.5F;                ///< Of a wipe: its place on the canvas, 0 left to 1 right.
  std::optional<ComparedFile> file{};  ///< Absent: the second clip is one of the file that is open.

  std::string wanted{};                   ///< The name of the clip that somebody chose; empty where nobody did.
  std::optional<std::uint32_t> clip{};    ///< The second's; absent where it has none with frames: its bind pose.
  std::optional<std::uint32_t> beside{};  ///< The first's when the second was chosen,
  std::uint32_t files_opened = 0;         ///< and the session's count then.
  std::uint32_t files_compared = 0;       ///< How often another file came to be compared.

  double seconds = 0;        ///< Of both, not wrapped.
  double first_seconds = 0;  ///< The first's, as they were last seen.
  PosedCharacter posed{};
  std::optional<FramePosition> shown{};  ///< What `posed` holds; absent where it must be posed anew.
  Extent bounds{};                       ///< Of the second's clip, as it was read.
};

/// Whether a second one is shown. Only beside a clip.
[[nodiscard]] bool comparing(const Session& session) noexcept;
/// What the second is drawn with. A document must be open.
[[nodiscard]] const Model& compared_model(const Session& session) noexcept;
/// The second's file name.
[[nodiscard]] std::string compared_name(const Session& session);
/// Of all that is shown, as it is seen; absent where nothing is open.
[[nodiscard]] std::optional<Rect> shown_bounds(const Session& session);

/// Leaves a mix or a game, where a second one shall be shown.
void set_compare_mode(Session& session, CompareMode mode);
void cycle_compare_mode(Session& session);  ///< Off, side by side, wipe.
void compare_clip(Session& session, std::uint32_t clip);
/// Compares with another file; absent, with another clip of the one that is open.
void compare_file(Session& session, std::optional<ComparedFile> file);
/// Asks for `path` to be opened as the second.
void open_to_compare(Session& session, const std::filesystem::path& path);
/// The second becomes the first, at the same moment.
void swap_sides(Session& session);
void move_divider(Session& session, float by);  ///< By parts of the canvas.

/// Brings the second to the time to which the first has just gone from `before`, in `seconds` of playing. Returns
/// whether its picture changed.
bool advance_comparison(Session& session, double before, double seconds);

}  // namespace pchr::player
