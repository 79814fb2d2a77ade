// SPDX-License-Identifier: MIT
// All that the player holds, and the actions on more than one part of it.
#pragma once

#include "app/comparison.hpp"
#include "app/export_dialog.hpp"
#include "app/notice.hpp"
#include "document/document.hpp"
#include "document/files.hpp"
#include "playback/playback.hpp"
#include "ui/browser.hpp"
#include "view/view.hpp"

namespace pchr::player {

/// An image of the canvas that is to be written to a file.
enum class Screenshot : std::uint8_t { none, character, with_background };

/// Numbers about the last frame of the window.
struct Performance {
  DrawStatistics drawn;
  double cpu_milliseconds = 0;             ///< To build and submit it, without waiting for the screen.
  double interface_milliseconds = 0;       ///< Of those, to build the panels and what is drawn over the character.
  std::optional<double> gpu_milliseconds;  ///< For the canvas and the panels, where it is known.
  double frames_per_second = 0;
};

/// What the mouse holds on the timeline's ruler.
enum class RangeGrip : std::uint8_t { none, both_ends, first, last };

struct App {
  std::optional<Document> document;
  Playback playback;
  View view;
  Comparison comparison{};
  ExportDialog exports{};
  Files files;
  Browser browser;
  NameFilter clip_filter{};
  NameFilter part_filter{};  ///< Of the meshes and bones.
  RangeGrip range_grip = RangeGrip::none;
  std::uint32_t range_anchor = 0;  ///< The frame where it began.
  Performance performance;
  Screenshot screenshot = Screenshot::none;
  Notice notice{};
  std::string error{};        ///< Why the last file did not open; empty where it did.
  bool names_changed = true;  ///< Other names are shown than before, for which the font may lack glyphs.
  bool quit = false;

  Figure figure{};           ///< See posed().
  GameMoment game_moment{};  ///< Of the game, as it was last shown.

  [[nodiscard]] bool shows_chara() const noexcept { return document && document->is_chara(); }
  [[nodiscard]] bool shows_artwork() const noexcept { return document && document->is_artwork(); }
  [[nodiscard]] bool shows_3d() const noexcept { return document && document->is_3d(); }
  /// Returns the clip that is shown, or null.
  [[nodiscard]] const Clip* current_clip() const noexcept {
    return document && playback.clip ? &document->character().clips()[*playback.clip] : nullptr;
  }
  /// Returns what is played. A document must be open.
  [[nodiscard]] Played played() const noexcept {
    return {document->character(), document->markers, document->imported.chara};
  }
};

enum class Opened : std::uint8_t {
  anew,  ///< A file that was not open: it is fitted, and plays from its start.
  again  ///< The file that is open, read again: it is shown as it was, by the names of what it has.
};
/// Shows and plays `next` in place of what is open, with `clip` at first. Decides what carries over.
void replace_document(App& app, Document next, std::optional<ClipId> clip, Opened opened);

/// Asks for the file that is open to be read again, shown as it is.
void open_again(App& app);
/// The same, read in another way, which then is its own.
void open_again(App& app, ImportOptions options);
/// Asks for the Pomyu character that is open, dressed for the second player or the first.
void set_second_player(App& app, bool on);

/// Lets time pass. Returns whether what is shown changed.
bool advance(App& app, double seconds);
/// Returns the character as it shows now: posed, turned, without what is hidden. A document must be open.
const PoseBuffers& posed(App& app);
/// Returns what turns `character`, of the file that is open or of the one beside it, to how it is seen.
[[nodiscard]] Affine3 turn_of(const App& app, const Character& character) noexcept;

void set_mode(App& app, PlaybackMode mode);
void set_pixels(App& app, Pixels pixels);
/// Selects what shows at a point of the world; see select_at() in selection.hpp. Opens the panel that tells of it.
void pick(App& app, Vec2 point, float reach);
/// Selects what problem `index` is about, and shows its clip and frame. One that does not exist is left alone.
void choose_problem(App& app, std::size_t index);
/// Walks down (+1) or up (-1) the list of the tab in front: problems, in the atlas meshes, or else meshes or bones.
void choose_neighbor(App& app, int direction);
/// Returns whether the atlas is in the frame: in its tab, or large.
[[nodiscard]] bool atlas_is_shown(const App& app) noexcept;
/// Returns whether it takes the canvas's place.
[[nodiscard]] bool atlas_is_large(const App& app) noexcept;
/// Opens the tab of the atlas large, or makes it small again.
void toggle_large_atlas(App& app) noexcept;

/// Returns the window's title: file, clip and program.
[[nodiscard]] std::string title(const App& app);

}  // namespace pchr::player
