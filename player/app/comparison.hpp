// SPDX-License-Identifier: MIT
// Compares a second clip, of the open file or of another one, on the same clock and camera.
#pragma once

#include "document/document.hpp"
#include "document/files.hpp"
#include "playback/following_clock.hpp"
#include "view/view.hpp"

#include <filesystem>

namespace pchr::player {

struct App;

enum class CompareMode : std::uint8_t {
  off,
  side_by_side,  ///< One half of the canvas each.
  wipe,          ///< Both on the whole canvas; the first shows left of the divider, the second right of it.
  difference     ///< The pixels in which they differ, on the whole canvas.
};

struct Comparison {
  CompareMode mode = CompareMode::off;
  float divider = 0.5F;            ///< Position of the wipe's divider, from 0 (left) to 1 (right).
  std::optional<Document> file{};  ///< Absent if the second clip is from the open file.
  bool with_previous = false;      ///< Whether the second clip is from the open file before it was saved last.

  std::string wanted{};                ///< Name of the clip that the user chose; empty if none.
  std::optional<ClipId> clip{};        ///< The second clip; absent to show the bind pose.
  bool chosen = false;                 ///< Whether `clip` is up to date for `chosen_for`.
  std::optional<ClipId> chosen_for{};  ///< The first clip when `clip` was chosen.

  FollowingClock clock{};  ///< Time of the second clip.
  Figure figure{};         ///< See second_posed().
};

/// Returns whether a second clip is shown. Only a single clip can be compared, not a mix or a game.
[[nodiscard]] bool comparing(const App& app) noexcept;
/// Returns the second clip's file. A document must be open.
[[nodiscard]] Document& second_document(App& app) noexcept;
[[nodiscard]] const Document& second_document(const App& app) noexcept;
/// Returns whether the second clip is from another file, or from another version of the open one.
[[nodiscard]] bool compares_files(const App& app) noexcept;
[[nodiscard]] std::string second_name(const App& app);
/// Returns the bounds of everything shown, as viewed, over the shown clips or over all; nothing if no file is open.
[[nodiscard]] std::optional<Rect> shown_bounds(App& app, Fit fit = Fit::clip);

/// Sets the mode. Comparing leaves a mix or a game.
void set_compare_mode(App& app, CompareMode mode);
void cycle_compare_mode(App& app);  ///< Cycles through off, side by side, wipe and difference.
/// Shows the difference, or returns to the wipe.
void toggle_difference(App& app);
void compare_clip(App& app, ClipId clip);
/// Compares with another file, or, if absent, with another clip of the open one.
void compare_file(App& app, std::optional<Document> file);
/// Replaces the compared file by a newer version of it.
void reload_compared(App& app, Document file);
/// Keeps `previous`, the open file before it was saved, so that it can be compared. Drops it if it is large.
void keep_previous(App& app, Document previous);
/// Compares with the open file before it was saved last, under a wipe, or stops that.
void toggle_previous(App& app);
void open_to_compare(Files& files, const std::filesystem::path& path);
/// Makes the second clip the first one, at the same time.
void swap_sides(App& app);
void move_divider(Comparison& comparison, float by);  ///< `by` is a fraction of the canvas width.

/// Chooses the second clip again if the first clip or a file changed.
void choose_second(App& app);
/// Moves the second clip to the first one's time, which was `before` and advanced by `seconds`.
void advance_comparison(App& app, double before, double seconds);
[[nodiscard]] ClipTime second_time(const App& app) noexcept;
const PoseBuffers& second_posed(App& app);

}  // namespace pchr::player
