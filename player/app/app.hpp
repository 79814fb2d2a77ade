// SPDX-License-Identifier: MIT
// The player's state, and the actions that affect more than one part of it.
#pragma once

#include "app/comparison.hpp"
#include "app/export_dialog.hpp"
#include "app/lineup.hpp"
#include "app/notice.hpp"
#include "document/cast.hpp"
#include "ui/browser.hpp"
#include "ui/layout.hpp"
#include "ui/timeline_view.hpp"
#include "view/view.hpp"

#include <chrono>
#include <future>
#include <utility>

namespace pchr::player {

/// Which screenshot to take, if any.
enum class Screenshot : std::uint8_t { none, character, with_background, copied, copied_with_background };

/// The folder for screenshots. If it cannot be written to, the next ones of screenshot_folders() are tried.
enum class ScreenshotFolder : std::uint8_t { beside_file, images, chosen };

struct Performance {
  DrawStatistics drawn;
  double cpu_milliseconds = 0;             ///< Time to build and submit the frame, excluding the wait for vsync.
  double interface_milliseconds = 0;       ///< Share of `cpu_milliseconds` spent on panels and overlays.
  std::optional<double> gpu_milliseconds;  ///< Canvas and panels; absent until the first timer result.
  double frames_per_second = 0;
  std::uint64_t presented = 0;  ///< Number of frames that were presented.
  std::uint64_t canvases = 0;   ///< Number of those for which the canvas was drawn.
};

/// Where a context menu was opened.
enum class MenuOn : std::uint8_t { canvas, clip, timeline };

struct ContextMenu {
  MenuOn on = MenuOn::canvas;
  bool opens = false;       ///< Opens in the current frame.
  ClipId clip{};            ///< For a clip.
  std::uint32_t frame = 0;  ///< For the timeline.
};

struct App {
  std::optional<Document> document;
  Playback playback;
  View view;
  Arrangement arrangement{};
  std::array<bool, kDocks.size()> docks_open{};  ///< In the last frame, by Dock.
  int interface_percent = 0;                     ///< Interface scale that the user chose; 0 for the monitor's.
  int monitor_percent = 100;                     ///< The monitor's scale in the last frame.
  std::optional<Document> previous{};            ///< The open file before it was saved last; see keep_previous().
  Comparison comparison{};
  Lineup lineup{};
  ExportDialog exports{};
  Files files;
  Cast cast{};
  Browser browser;
  NameFilter clip_filter{};
  NameFilter part_filter{};  ///< For meshes and bones.
  NameFilter help_filter{};
  ContextMenu menu{};
  TimelineView timeline{};
  Performance performance;
  Screenshot screenshot = Screenshot::none;
  ScreenshotFolder screenshots_in = ScreenshotFolder::beside_file;
  std::filesystem::path screenshot_folder{};  ///< The chosen one, absolute.
  Notice notice{};
  std::string error{};        ///< Why the last file did not open; empty if it did.
  bool names_changed = true;  ///< The font may lack glyphs for newly shown names.
  bool visible = true;        ///< Whether any part of the window can be seen.
  bool quit = false;
  bool asks_to_quit = false;            ///< See may_quit().
  std::filesystem::path unsaved_rig{};  ///< Character with changes to its rig from before the start; see sidecar.hpp.
  bool restores_rig = false;            ///< Restore them once it is open.
  std::optional<std::size_t> opened_menu{};  ///< Menu of the bar to open in the next frame.
  std::size_t help_row = 0;                  ///< Chosen row of the help.
  Figure figure{};                           ///< See posed().
  std::optional<Vec2> cursor{};              ///< World point under the mouse, if that is on the canvas.

  [[nodiscard]] bool shows_chara() const noexcept { return document && document->imported.chara; }
  [[nodiscard]] bool shows_artwork() const noexcept { return document && document->imported.artwork; }
  [[nodiscard]] bool shows_3d() const noexcept { return document && document->is_3d(); }
  [[nodiscard]] const Clip* current_clip() const noexcept {
    return document && playback.clip ? &document->character().clips()[*playback.clip] : nullptr;
  }
};

enum class Opened : std::uint8_t {
  fresh,    ///< A file that was not open: fit it and play from the start.
  stepped,  ///< The same, but keep the zoom, so that sizes can be compared.
  reloaded  ///< The open file, read again: keep view, selection and time.
};
/// Replaces the open document with `next` and plays it, starting with `clip`. Returns the one before.
std::optional<Document> replace_document(App& app, Document next, std::optional<ClipId> clip, Opened opened);

/// Reloads the open file, because it was saved or the user asks for it.
void reload(App& app);
void reload(App& app, ImportOptions options);
/// Reloads the open Pomyu character with its second-player or first-player skin.
void set_second_player(App& app, bool on);

/// Returns whether the open character has a bind pose to choose.
[[nodiscard]] bool can_choose_bind_pose(const App& app) noexcept;
/// Returns the chosen bind pose: the one of --bind, else the one in the rig. A document must be open.
[[nodiscard]] const BindPose& chosen_bind_pose(const App& app) noexcept;
/// Chooses the bind pose in the rig, which also drops the one of --bind.
void choose_bind_pose(App& app, BindPose bind);
/// Reads the open file again if its bind pose is another one than the rig chooses now.
void follow_bind_pose(App& app);

/// Uses what was chosen in the browser: an image or a folder.
void use_choice(App& app);

/// Advances time. Returns whether the image changed.
bool advance(App& app, double seconds);
/// Returns the character as currently shown: posed, rotated, without hidden meshes. A document must be open.
const PoseBuffers& posed(App& app);
/// Returns the rotation from `character` as read to how it is viewed. `character` is the open one or the compared one.
[[nodiscard]] Affine3 rotation_of(const App& app, const Character& character) noexcept;

/// The interface scales to choose from.
inline constexpr std::array kInterfacePercents{75, 100, 125, 150, 175, 200, 250, 300};

/// Returns whether a dock was open in the last frame.
[[nodiscard]] inline bool is_open(const App& app, Dock dock) noexcept {
  return app.docks_open[std::to_underlying(dock)];
}
/// Shows a dock, over the canvas if there is no room beside it.
void open_dock(App& app, Dock dock) noexcept;
/// Folds a dock, or closes it if it is open over the canvas.
void close_dock(App& app, Dock dock) noexcept;
/// Shows all panels at their original sizes.
void reset_panels(App& app) noexcept;

/// Returns whether the open character can have a rig.
[[nodiscard]] bool can_rig(const App& app) noexcept;
/// Returns whether the left panel shows the rig.
[[nodiscard]] bool is_rigging(const App& app) noexcept;
void set_mode(App& app, PlaybackMode mode);
void set_pixels(App& app, Pixels pixels);
/// Max distance, in design units, between clicks that step through overlapping parts.
inline constexpr float kPickReach = 4.0F;
/// Max distance at which a joint is picked, as a multiple of that.
inline constexpr float kJointReach = 2.0F;
/// Selects the part at a world point, see select_at() in selection.hpp, and opens its panel. If the skeleton is shown,
/// bones come first.
void pick(App& app, Vec2 point, float reach);
/// Opens a context menu, for the clip that was clicked or for a frame on the timeline.
inline void open_menu(App& app, ContextMenu menu) {
  app.menu = menu;
  app.menu.opens = true;
}
/// Opens the canvas's menu on the part at a world point. Keeps the selection if that is there too.
void open_canvas_menu(App& app, Vec2 point, float reach);
/// Returns the document whose problems are listed: the open one or the compared one. A document must be open.
[[nodiscard]] Document& listed_document(App& app) noexcept;
/// Selects the part that problem `index` in the list refers to, and shows its clip and frame. Ignores an index out of
/// range.
void choose_problem(App& app, std::size_t index);
/// Selects the next (+1) or previous (-1) item of the open tab: a problem, a mesh in the atlas, else a mesh or bone.
void choose_neighbor(App& app, int direction);
/// Returns whether the atlas is visible, in its tab or enlarged.
[[nodiscard]] bool atlas_is_shown(const App& app) noexcept;
[[nodiscard]] bool atlas_is_large(const App& app) noexcept;
/// Opens the atlas tab enlarged, or shrinks it back.
void toggle_large_atlas(App& app) noexcept;

[[nodiscard]] std::string title(const App& app);
/// Returns the place of the open file in the cast, such as "3 / 13".
[[nodiscard]] std::string cast_place(const App& app);

template <typename T>
[[nodiscard]] bool is_ready(const std::future<T>& task) {
  return task.valid() && task.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace pchr::player
