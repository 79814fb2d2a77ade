// SPDX-License-Identifier: MIT
// A second clip, of this or of another file, beside the first: one clock, one camera.
#pragma once

#include "document/document.hpp"
#include "document/files.hpp"

namespace pchr::player {

struct App;

enum class CompareMode : std::uint8_t {
  off,
  side_by_side,  ///< Each in one half of the canvas.
  wipe           ///< Both on all of it, with a divider between the first on the left and the second on the right.
};

struct Comparison {
  CompareMode mode = CompareMode::off;
  float divider = 0.5F;            ///< Of a wipe, 0 at the left of the canvas to 1 at the right.
  std::optional<Document> file{};  ///< Absent: the second clip is one of the open file.

  std::string wanted{};            ///< The name of the clip that somebody chose; empty where nobody did.
  std::optional<ClipId> clip{};    ///< The second; absent: its bind pose.
  bool chosen = false;             ///< Whether `clip` is up to date for `beside`.
  std::optional<ClipId> beside{};  ///< The first clip.

  double seconds = 0;        ///< Of both, not wrapped.
  double first_seconds = 0;  ///< The first's clock when it was last seen.
  Figure figure{};           ///< See second_posed().
};

/// Returns whether a second clip is shown, which is only beside a clip.
[[nodiscard]] bool comparing(const App& app) noexcept;
/// Returns the file of the second. A document must be open.
[[nodiscard]] Document& second_document(App& app) noexcept;
[[nodiscard]] const Document& second_document(const App& app) noexcept;
[[nodiscard]] std::string second_name(const App& app);
/// Returns the bounds of all that is shown, as it is seen; nothing where nothing is open.
[[nodiscard]] std::optional<Rect> shown_bounds(App& app);

/// Compares in that way, which leaves a mix or a game.
void set_compare_mode(App& app, CompareMode mode);
void cycle_compare_mode(App& app);  ///< Off, side by side, wipe.
void compare_clip(App& app, ClipId clip);
/// Compares with another file; absent: with another clip of the open one.
void compare_file(App& app, std::optional<Document> file);
void open_to_compare(Files& files, const std::filesystem::path& path);
/// Makes the second the first, at the same moment.
void swap_sides(App& app);
void move_divider(Comparison& comparison, float by);  ///< By a part of the canvas.

/// Chooses the second clip anew where the first clip or a file has changed.
void choose_second(App& app);
/// Moves the second to the time of the first, which went there from `before` in `seconds` of playing.
void advance_comparison(App& app, double before, double seconds);
[[nodiscard]] ClipTime second_time(const App& app) noexcept;
const PoseBuffers& second_posed(App& app);

}  // namespace pchr::player
