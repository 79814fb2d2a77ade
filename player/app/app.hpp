// SPDX-License-Identifier: MIT
// The player's state, and the actions on more than one part of it.
#pragma once

#include "app/comparison.hpp"
#include "app/export_dialog.hpp"
#include "ui/browser.hpp"
#include "view/view.hpp"

#include <chrono>
#include <future>
#include <utility>

namespace pchr::player {

/// An image of the canvas that is to be written to a file.
enum class Screenshot : std::uint8_t { none, character, with_background };

struct Performance {
  DrawStatistics drawn;
  double cpu_milliseconds = 0;             ///< To build and submit it, without waiting for the screen.
  double interface_milliseconds = 0;       ///< The part of those for panels and overlays.
  std::optional<double> gpu_milliseconds;  ///< For the canvas and the panels, where it is known.
  double frames_per_second = 0;
};

inline constexpr double kNoticeSeconds = 6.0;

/// A short message that goes away by itself.
struct Notice {
  std::string text{};       ///< UTF-8; empty without a notice.
  std::string to_copy{};    ///< Copied to the clipboard by a click; where empty, a click closes the notice.
  double seconds_left = 0;  ///< Until it goes away.
};

inline void show_notice(Notice& notice, std::string text, std::string to_copy = {}) {
  notice = {std::move(text), std::move(to_copy), kNoticeSeconds};
}
/// Lets time pass. Returns whether the notice went away.
bool pass(Notice& notice, double seconds);

/// What the mouse drags on the timeline's ruler.
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
  std::uint32_t range_anchor = 0;  ///< The frame where the drag began.
  Performance performance;
  Screenshot screenshot = Screenshot::none;
  Notice notice{};
  std::string error{};        ///< Why the last file did not open; empty where it did.
  bool names_changed = true;  ///< Names are shown for which the font may lack glyphs.
  bool quit = false;
  Figure figure{};  ///< See posed().

  [[nodiscard]] bool shows_chara() const noexcept { return document && document->imported.chara; }
  [[nodiscard]] bool shows_artwork() const noexcept { return document && document->imported.artwork; }
  [[nodiscard]] bool shows_3d() const noexcept { return document && document->is_3d(); }
  [[nodiscard]] const Clip* current_clip() const noexcept {
    return document && playback.clip ? &document->character().clips()[*playback.clip] : nullptr;
  }
};

enum class Opened : std::uint8_t {
  anew,  ///< A file that was not open: it is fitted, and plays from its start.
  again  ///< The open file, read again: it keeps its view, selection and time.
};
/// Shows and plays `next` in place of the open document, with `clip` at first.
void replace_document(App& app, Document next, std::optional<ClipId> clip, Opened opened);

void open_again(App& app);
void open_again(App& app, ImportOptions options);
/// Requests the open Pomyu character, dressed for the second player or the first.
void set_second_player(App& app, bool on);

/// Lets time pass. Returns whether what is shown changed.
bool advance(App& app, double seconds);
/// Returns the character as it shows now: posed, turned, without what is hidden. A document must be open.
const PoseBuffers& posed(App& app);
/// Returns what turns `character`, of the open file or of the one beside it, to how it is seen.
[[nodiscard]] Affine3 turn_of(const App& app, const Character& character) noexcept;

void set_mode(App& app, PlaybackMode mode);
void set_pixels(App& app, Pixels pixels);
/// Selects what shows at a point of the world, see select_at() in selection.hpp, and opens its panel.
void pick(App& app, Vec2 point, float reach);
/// Selects the part that problem `index` is about, and shows its clip and frame. Ignores one that does not exist.
void choose_problem(App& app, std::size_t index);
/// Selects the next (+1) or previous (-1) item of the open tab: a problem, in the atlas a mesh, else a mesh or a bone.
void choose_neighbor(App& app, int direction);
/// Returns whether the atlas is in the frame, in its tab or large.
[[nodiscard]] bool atlas_is_shown(const App& app) noexcept;
[[nodiscard]] bool atlas_is_large(const App& app) noexcept;
/// Opens the tab of the atlas large, or makes it small again.
void toggle_large_atlas(App& app) noexcept;

[[nodiscard]] std::string title(const App& app);

template <typename T>
[[nodiscard]] bool is_ready(const std::future<T>& task) {
  return task.valid() && task.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace pchr::player
