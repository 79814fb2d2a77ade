// SPDX-License-Identifier: MIT
// The player's state, its dialogs, and the actions that affect more than one part of it.
#pragma once

#include "document/cast.hpp"
#include "document/files.hpp"
#include "ui/export_dialog.hpp"
#include "ui/layout.hpp"
#include "view/scene.hpp"

#include <pchr/pose.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace pchr::player {

inline constexpr std::size_t kShownRecent = 5;

/// `here` stands for the listed folder itself.
enum class EntryKind : std::uint8_t { recent, here, folder, file };

struct BrowserEntry {
  EntryKind kind = EntryKind::file;
  std::filesystem::path path;
  std::string name;    ///< Displayed name, UTF-8.
  std::string detail;  ///< Folder of a recent file, or size of a file.
};

/// What the browser is opened for: characters, an image, or from `textures` on a folder.
enum class BrowseFor : std::uint8_t { opening, comparison, lineup, background, textures, folder, exports, screenshots };
[[nodiscard]] constexpr bool chooses_folder(BrowseFor purpose) noexcept { return purpose >= BrowseFor::textures; }

struct Browser {
  bool open = false;
  BrowseFor purpose = BrowseFor::opening;
  std::filesystem::path folder{};     ///< Empty for the list of drives.
  std::string filter{};               ///< UTF-8; matches names regardless of case.
  std::vector<BrowserEntry> all{};    ///< Recent files, folders, files.
  std::vector<std::size_t> listed{};  ///< Indices of `all` that pass the filter.
  std::size_t selected = 0;           ///< Index into `listed`.
  bool reveal = false;                ///< Scroll to the selected entry.
  bool names_changed = false;         ///< Whether `all` has new names.
  bool naming = false;                ///< Whether the user enters the name of a new folder.
  bool focus_name = false;            ///< Give the field for that name the focus.
  std::array<char, 256> new_folder{};
  std::string error{};             ///< Why the last folder was not created.
  std::filesystem::path chosen{};  ///< Chosen image or folder, until it is handled.
};

/// Opens the folder of the last opened file, with that file selected, or else the current folder.
void open_browser(Browser& browser, const OpenRequests& requests, BrowseFor purpose = BrowseFor::opening);
/// Opens `folder`, or the nearest folder above that exists, to choose a folder.
void open_folder_browser(Browser& browser, const OpenRequests& requests, BrowseFor purpose,
                         const std::filesystem::path& folder);
/// Lists `folder` and selects the entry `selected` if it exists.
void go_to_folder(Browser& browser, const OpenRequests& requests, const std::filesystem::path& folder,
                  const std::filesystem::path& selected = {});
/// Lists the parent folder, or the drives of a system with several, with the current one selected.
void go_up(Browser& browser, const OpenRequests& requests);
void set_filter(Browser& browser, std::string filter);
/// Moves the selection by `by` entries, stopping at the ends.
void move_selection(Browser& browser, std::ptrdiff_t by);
/// Enters the folder at `index` of the list, or chooses the file.
void choose(Browser& browser, OpenRequests& requests, std::size_t index);

/// What the mouse drags on the timeline.
enum class TimelineDrag : std::uint8_t { none, playhead, new_range, range_first, range_last, view };

/// The visible part of a clip, in shares of its duration, and what the mouse does with it.
struct TimelineView {
  double begin = 0;
  double end = 1;
  std::uint32_t frames = 0;                 ///< Length of the clip that the part belongs to.
  std::optional<std::uint32_t> playhead{};  ///< Where the playhead was when the view last followed it.
  TimelineDrag drag = TimelineDrag::none;
  std::uint32_t anchor = 0;  ///< Frame where the drag began.
  float scrolled = 0;        ///< How far the rows are scrolled down, in window units.

  [[nodiscard]] double span() const noexcept { return end - begin; }
};

/// Returns where `frame` starts, in shares of the clip's duration. A frame's share is proportional to its duration.
[[nodiscard]] double share_of(const Clip& clip, std::uint32_t frame) noexcept;
/// Returns the frame at `share`, clamped to the clip, which must have frames.
[[nodiscard]] std::uint32_t frame_at(const Clip& clip, double share) noexcept;
/// Returns the first and last frame that are at least partly visible.
[[nodiscard]] FrameRange visible_frames(const TimelineView& view, const Clip& clip) noexcept;

/// Shows the whole clip if its length is not the one shown so far.
void show_clip(TimelineView& view, const Clip& clip) noexcept;
/// Shows a part of the clip, widened to a few frames if needed.
void show_part(TimelineView& view, const Clip& clip, double begin, double end) noexcept;
/// Shows `range` with some room around it.
void show_range(TimelineView& view, const Clip& clip, const FrameRange& range) noexcept;
/// Zooms in by wheel notches, or out if negative. The frame at `share` stays in place.
void zoom(TimelineView& view, const Clip& clip, float notches, double share) noexcept;
void pan(TimelineView& view, const Clip& clip, double by) noexcept;
/// Pans as little as possible so that `frame` is visible.
void reveal(TimelineView& view, const Clip& clip, std::uint32_t frame) noexcept;
/// Turns the page when the playhead has left the visible part. While it plays, a part chosen elsewhere stays.
void follow_playhead(TimelineView& view, const Clip& clip, std::uint32_t frame, bool playing) noexcept;

inline constexpr double kNoticeSeconds = 6.0;
inline constexpr double kNoticeWithButtonsSeconds = 12.0;
inline constexpr double kStays = 1e9;  ///< Seconds of a notice that stays until it is answered.

/// What a notice is about. It sets the color of the stripe at its left.
enum class NoticeKind : std::uint8_t { info, success, warning, error };

/// A button in a notice. A click runs the command and closes the notice.
struct NoticeButton {
  const char* command = nullptr;  ///< Id of a command; null for no button.
  const char* label = nullptr;
};

/// A short message over the canvas that disappears after a few seconds.
struct Notice {
  std::string text{};  ///< UTF-8; empty without a notice.
  NoticeKind kind = NoticeKind::info;
  std::string to_copy{};  ///< Copied to the clipboard on a click; if empty, a click closes the notice.
  std::array<NoticeButton, 2> buttons{};
  double seconds_left = 0;  ///< Until the notice disappears.
};

/// Shows a notice for its time, in place of the previous one.
void show_notice(Notice& notice, Notice shown);
void show_notice(Notice& notice, std::string text, NoticeKind kind = NoticeKind::info);
/// Advances time. Returns whether the notice disappeared.
bool pass(Notice& notice, double seconds);

/// Which screenshot to take, if any.
enum class Screenshot : std::uint8_t { none, character, with_background, copied, copied_with_background };

/// The folder for screenshots. If it cannot be written to, the next ones of screenshot_folders() are tried.
enum class ScreenshotFolder : std::uint8_t { beside_file, images, chosen };

struct Performance {
  double cpu_milliseconds = 0;             ///< Time to build and submit the frame, excluding the wait for vsync.
  double interface_milliseconds = 0;       ///< Share of `cpu_milliseconds` spent on panels and overlays.
  std::optional<double> gpu_milliseconds;  ///< Canvas and panels; absent until the first timer result.
  double frames_per_second = 0;
};

/// Where a context menu was opened.
enum class MenuOn : std::uint8_t { canvas, clip, timeline };

struct ContextMenu {
  MenuOn on = MenuOn::canvas;
  bool opens = false;       ///< Opens in the current frame.
  ClipId clip{};            ///< For a clip.
  std::uint32_t frame = 0;  ///< For the timeline.
};

struct App : Scene {
  Arrangement arrangement{};
  std::array<bool, kDocks.size()> docks_open{};  ///< In the last frame, by Dock.
  int interface_percent = 0;                     ///< Interface scale that the user chose; 0 for the monitor's.
  int monitor_percent = 100;                     ///< The monitor's scale in the last frame.
  ExportDialog exports{};
  OpenRequests requests{};
  Cast cast{};
  Browser browser{};
  NameFilter clip_filter{};
  NameFilter part_filter{};  ///< For meshes and bones.
  NameFilter help_filter{};
  ContextMenu menu{};
  TimelineView timeline{};
  Performance performance{};    ///< Updated twice per second.
  std::uint64_t presented = 0;  ///< Number of frames that were presented.
  std::uint64_t canvases = 0;   ///< Number of those for which the canvas was drawn.
  Screenshot screenshot = Screenshot::none;
  ScreenshotFolder screenshots_in = ScreenshotFolder::beside_file;
  std::filesystem::path screenshot_folder{};  ///< The chosen one, absolute.
  Notice notice{};
  std::string error{};  ///< Why the last file did not open; empty if it did.
  bool visible = true;  ///< Whether any part of the window can be seen.
  bool quit = false;
  bool asks_to_quit = false;                 ///< See may_quit().
  std::filesystem::path unsaved_rig{};       ///< Character whose rig had unsaved changes before the start.
  bool restores_rig = false;                 ///< Restore them once it is open.
  std::optional<std::size_t> opened_menu{};  ///< Menu of the bar to open in the next frame.
  std::size_t help_row = 0;                  ///< Chosen row of the help.
  std::optional<std::size_t> key_for{};      ///< Parameter of the machines that the next key is for.
};

enum class Opened : std::uint8_t {
  fresh,    ///< A file that was not open: fit it and play from the start.
  stepped,  ///< The same, but keep the zoom, so that sizes can be compared.
  reloaded  ///< The open file, read again: keep view, selection and time.
};
/// Makes `next` the open character and plays it, starting with `clip`. Returns the one before.
std::unique_ptr<Actor> replace_open(App& app, std::unique_ptr<Actor> next, std::optional<ClipId> clip, Opened opened);

/// Opens files and folders like open_files(). Animations (.psa) are attached to the Unreal mesh that is opened with
/// them, or else to the open mesh. A single folder of textures is added to the open mesh.
void open_with_animations(App& app, std::vector<std::filesystem::path> paths);
/// Returns the animation files of an Unreal mesh, in clip order.
[[nodiscard]] std::vector<std::filesystem::path> attached_animations(const Document& document);
/// Selects the first clip that `before` did not have, and reports the number of new clips.
void show_attached(App& app, const Character& before);

/// Reloads the open file, because it was saved or the user asks for it.
void reload(App& app);
void reload(App& app, ImportOptions options);
/// Uses what was chosen in the browser: an image or a folder.
void use_choice(App& app);
void set_background_image(View& view, const std::filesystem::path& path);

/// Returns whether the open character has a bind pose to choose.
[[nodiscard]] bool can_choose_bind_pose(const App& app) noexcept;
/// Returns the chosen bind pose: the one of --bind, else the one in the rig. A document must be open.
[[nodiscard]] const BindPose& chosen_bind_pose(const App& app) noexcept;
/// Chooses the bind pose in the rig, which also drops the one of --bind.
void choose_bind_pose(App& app, BindPose bind);
/// Reads the open file again if its bind pose is another one than the rig chooses now.
void follow_bind_pose(App& app);

/// Saves the rig of the open document, with its markers.
void save_rig(App& app);
/// Offers to restore changes that were not saved: those of the open document, or else of `app.unsaved_rig`.
void offer_unsaved_rig(App& app);
/// Restores the changes that are offered, as one step of undo. Opens their character first.
void restore_rig(App& app);
/// Removes the autosave of the changes that are offered.
void discard_offered_rig(App& app);
/// Returns whether the open document can be left. If its rig has unsaved changes, returns false at first and shows a
/// notice; asked again while that is visible, returns true.
[[nodiscard]] bool may_leave(App& app);
/// Returns whether quitting loses work: a running export, or changes to the rig.
[[nodiscard]] bool would_lose_work(const App& app) noexcept;
/// Returns whether the player may quit. If that loses work, returns false at first and asks; returns true if quitting
/// is requested again while the question is shown.
[[nodiscard]] bool may_quit(App& app) noexcept;

void open_to_compare(OpenRequests& requests, const std::filesystem::path& path);
/// Makes the second clip the first one, at the same time.
void swap_sides(App& app);
/// Loads a file beside the open one, or removes it from the lineup. Ignores the open file.
void toggle_in_lineup(App& app, const std::filesystem::path& path);
/// Opens an entry of the cast, which can be in the lineup already. Ignores an index out of range.
void choose_in_cast(App& app, std::size_t entry);
/// Opens a character of the lineup in place of the open one, which takes its role. Nothing moves on the screen.
void activate_member(App& app, Actor& member);

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

/// Returns whether the left panel shows the rig.
[[nodiscard]] bool is_rigging(const App& app) noexcept;
/// Returns whether the left panel shows the state machines.
[[nodiscard]] bool edits_states(const App& app) noexcept;
/// Selects the part at a world point, see select_at() in parts.hpp, and opens its panel. If the skeleton is shown,
/// bones come first.
void pick(App& app, Vec2 point, float reach);
/// Opens a context menu, for the clip that was clicked or for a frame on the timeline.
void open_menu(App& app, ContextMenu menu);
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

/// Makes `name` usable as part of a file name: short, without characters that some file systems reject.
[[nodiscard]] std::string safe_file_name(std::string name);
/// Returns NAME_CLIP_FRAME for the current view, each part made usable by safe_file_name(). A document must be open.
[[nodiscard]] std::string screenshot_stem(const App& app);
/// Returns the folders for files made from `file`, best first: its own, the user's image folder, the user's home.
[[nodiscard]] std::vector<std::filesystem::path> output_folders(const std::filesystem::path& file);
/// Returns the folders for screenshots, best first: the one in the settings, then output_folders(). A document must be
/// open.
[[nodiscard]] std::vector<std::filesystem::path> screenshot_folders(const App& app);
/// Returns where the next screenshot will be saved, for tooltips.
[[nodiscard]] std::string describe_screenshot_folder(const App& app);

[[nodiscard]] std::string title(const App& app);
/// Returns the place of the open file in the cast, such as "3 / 13".
[[nodiscard]] std::string cast_place(const App& app);

}  // namespace pchr::player
