// SPDX-License-Identifier: MIT
// What the player has open and how it shows it: plain data, and the actions on it.
#pragma once

#include "atlas.hpp"
#include "branch.hpp"
#include "browser.hpp"
#include "compare.hpp"
#include "drive.hpp"
#include "exports.hpp"
#include "files.hpp"
#include "game.hpp"
#include "layers.hpp"
#include "mix.hpp"
#include "notice.hpp"
#include "overlays/onion.hpp"
#include "overlays/trail.hpp"
#include "name_filter.hpp"
#include "problems.hpp"
#include "selection.hpp"
#include "timeline.hpp"
#include "transport.hpp"
#include "turntable.hpp"

#include <pchr/camera.hpp>
#include <pchr/pose.hpp>
#include <pchr/renderer.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pchr::player {

/// An open file: its character on the GPU, and the moment of it that is shown.
struct Document {
  std::filesystem::path path;
  Model model;
  std::optional<std::uint32_t> clip{};  ///< Absent where the character has no clip with frames: the bind pose is shown.
  Transport clock{};
  PosedCharacter posed{};
  std::optional<FramePosition> shown{};  ///< What `posed` holds; absent where it must be posed anew.
  Extent bounds{};                       ///< Of everything the clip shows, as it was read.
  Vec3 pivot{0.0F};                      ///< What a spatial character turns around, as it was read.
  KnownBounds known_bounds{};
  Source source{};

  [[nodiscard]] const Character& character() const noexcept { return model.character(); }
  [[nodiscard]] const Clip* current_clip() const noexcept { return clip ? &character().clips()[*clip] : nullptr; }
  [[nodiscard]] std::string name() const { return path.filename().string(); }
};

enum class Background : std::uint8_t { checker, colour, image };

/// A picture of the canvas that is to be written to a file.
enum class Screenshot : std::uint8_t { none, character, with_background };

/// How texels become pixels. Automatic: hard for pixel art, else smooth.
enum class Pixels : std::uint8_t { automatic, smooth, hard };

enum class Tab : std::uint8_t { facts, inside, problems, atlas };

struct View {
  Camera camera;       ///< Its viewport is the canvas in framebuffer pixels.
  bool fitted = true;  ///< The camera follows the clip's bounds until somebody moves it.
  Background background = Background::checker;
  std::array<float, 3> colour{0.36F, 0.38F, 0.42F};
  std::filesystem::path image{};  ///< Behind the character, absolute; empty where none was chosen.
  bool tiled = false;             ///< The image in its own size, again and again, instead of once over all.
  Turntable turntable{};          ///< Of spatial characters.
  Pixels pixels = Pixels::automatic;
  float wheel = 0.0F;  ///< Turned, in notches, but not yet enough for a step of whole zoom.
  Vec2 snapped{0.0F};  ///< How far the camera was last moved, in the world, for texels to lie on whole pixels.
  bool skeleton = false;
  bool wireframe = false;
  bool bounds = false;
  bool names = false;    ///< Of the selected bone and those above it, or of all.
  bool weights = false;  ///< Of the selected bone.
  bool draw_order = false;
  bool grid = false;
  bool trail = false;  ///< Of the selected bone.
  bool onion = false;
  bool overdraw = false;
  std::uint32_t onion_before = 2;  ///< Frames; up to kMostOnionFrames.
  std::uint32_t onion_after = 2;   ///< The same.
  Tab tab = Tab::facts;            ///< Of the lower right panel.
  bool panels = true;
  bool help = false;
  bool presenting = false;  ///< The character alone, without panels and frame.
};

/// Numbers about the last picture.
struct Performance {
  DrawStatistics drawn;
  double cpu_milliseconds = 0;             ///< To build and submit a picture, without waiting for the screen.
  double interface_milliseconds = 0;       ///< Of those, to build the panels and what is drawn over the character.
  std::optional<double> gpu_milliseconds;  ///< For the canvas and the panels, where it is known.
  double pictures_per_second = 0;
};

struct Session {
  std::optional<Document> document;
  Playback playback;
  View view;
  Performance performance;
  Files files;
  Browser browser;
  std::uint32_t files_opened = 0;
  std::string error;         ///< Why the last file did not open; empty where it did.
  bool reveal_clip = false;  ///< The clip list shall scroll to the clip that is shown.
  bool quit = false;
  Selection selection{};
  std::vector<Problem> problems{};       ///< Of the file that is open.
  std::optional<std::size_t> problem{};  ///< The one that was chosen last.
  bool reveal_problem = false;           ///< Its list shall scroll to it.
  PartRows part_rows{};
  Layers layers{};
  Atlas atlas{};
  Timeline timeline{};
  Trail trail{};
  Onion onion{};
  NameFilter clip_filter{};
  NameFilter part_filter{};  ///< Of the meshes and bones.
  Drive drive = Drive::clip;
  Mix mix{};
  std::uint32_t mix_file = 0;  ///< `files_opened` when the mix was begun.
  Game game{};
  std::uint32_t game_file = 0;  ///< The same of the game.
  Screenshot screenshot = Screenshot::none;
  Exports exports{};
  Notice notice{};
  Comparison comparison{};
};

/// Shows and plays `model`, read from `path`, in place of what is open. Begins with `clip`, whose bounds are given;
/// where that is absent the bounds are the character's.
void show_model(Session& session, const std::filesystem::path& path, Model model, std::optional<std::uint32_t> clip,
                const Extent& bounds, std::vector<AlphaMask> masks = {});
/// The same for the file that is open, read again: the clip (by its name), its time, whether it plays and the camera
/// and what is selected and hidden (by name) stay as they are.
void show_model_again(Session& session, Model model, std::optional<std::uint32_t> clip, const Extent& bounds,
                      std::vector<AlphaMask> masks = {});

/// Asks for the file that is open to be read again, shown as it is.
void open_again(Session& session);
/// The same, read in another way, which then is its own.
void open_again(Session& session, LoadOptions options);
/// Asks for the Pomyu character that is open dressed for the second player or the first, shown as it is.
void set_second_player(Session& session, bool on);
/// Whether it is a Pomyu character that is open.
[[nodiscard]] inline bool shows_chara(const Session& session) noexcept {
  return session.document && session.document->character().data().chara;
}
/// Whether it is a pixel artwork.
[[nodiscard]] inline bool shows_artwork(const Session& session) noexcept {
  return session.document && session.document->character().data().artwork;
}

/// Whether it is a spatial character, which can be looked at from all sides.
[[nodiscard]] inline bool shows_spatial(const Session& session) noexcept {
  return session.document && session.document->character().is_spatial();
}
/// Looks at spatial characters in another way.
void set_turntable(Session& session, const Turntable& turntable);
/// From the front, fitted.
void reset_turntable(Session& session);
/// From how `character`, of the file that is open or of the one beside it, was read to how it is seen.
[[nodiscard]] Affine3 turn_of(const Session& session, const Character& character) noexcept;

/// Shows clip `clip` from its start, playing if the clip before was. A clip without frames is left alone.
void select_clip(Session& session, std::uint32_t clip);
/// The nearest clip with frames before (-1) or after (+1) the one that is shown.
void select_neighbour(Session& session, int direction);

/// Plays on in the way of `playback`, its values brought within their limits.
void set_playback(Session& session, Playback playback);
void set_loop_mode(Session& session, LoopMode mode);
void set_speed(Session& session, double speed);
/// Plays these frames of the clip alone; absent all.
void set_range(Session& session, std::optional<FrameRange> range);
void set_pixels(Session& session, Pixels pixels);
/// How texels of `character` are to be shown.
[[nodiscard]] Filter filter_of(const View& view, const Character& character) noexcept;
/// Whether those of the open character are shown hard, on a plane: then the zoom is whole.
[[nodiscard]] bool has_hard_pixels(const Session& session) noexcept;
/// Selects what shows at a point of the world; see select_at() in selection.hpp. Opens the panel that tells of it.
void pick(Session& session, Vec2 point, float reach);
/// Replaces the problems, of which none is chosen.
void set_problems(Session& session, std::vector<Problem> problems);
/// Selects what problem `index` is about, and shows its clip and frame. One that does not exist is left alone.
void choose_problem(Session& session, std::size_t index);
/// Walks down (+1) or up (-1) the list of the tab in front: problems, in the atlas meshes, or else meshes or bones.
void choose_neighbour(Session& session, int direction);
/// Brings `tab` to the front of the lower right panel, or the facts where it is there already.
void toggle_tab(View& view, Tab tab) noexcept;
/// Whether the atlas is in the picture: in its tab, or large.
[[nodiscard]] bool atlas_is_shown(const Session& session) noexcept;
/// Whether it takes the canvas's place.
[[nodiscard]] bool atlas_is_large(const Session& session) noexcept;
/// Opens the tab of the atlas large, or makes it small again.
void toggle_large_atlas(Session& session) noexcept;
/// Poses anew, after what is hidden changed.
void refresh(Session& session);

/// The window's title: file, clip and program.
[[nodiscard]] std::string title(const Session& session);

}  // namespace pchr::player
