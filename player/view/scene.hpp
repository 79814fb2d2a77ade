// SPDX-License-Identifier: MIT
// What the canvas shows: the characters, how they are played and how they are viewed.
#pragma once

#include "document/document.hpp"
#include "document/turntable.hpp"
#include "gl/gl.hpp"
#include "playback/playback.hpp"

#include <pchr/character.hpp>
#include <pchr/renderer.hpp>

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <ranges>

namespace pchr::player {

enum class Background : std::uint8_t { checker, color, image };

/// How texels are filtered. Automatic: hard for pixel art, else smooth.
enum class Pixels : std::uint8_t { automatic, smooth, hard };

/// A tab of the lower right panel.
enum class Tab : std::uint8_t { facts, inside, problems, atlas };

/// What the camera can be fitted to.
enum class Fit : std::uint8_t {
  clip,   ///< The current clip, and the compared one.
  all,    ///< All clips.
  center  ///< The current clip, without zooming unless it would be out of sight.
};

struct View {
  Camera camera;                       ///< Its viewport is the canvas in framebuffer pixels.
  std::optional<Fit> fit = Fit::clip;  ///< A request, for the next frame. Nothing else refits the camera.
  std::optional<Rect> fitted{};        ///< What the camera was fitted to: if the canvas is resized, it still fits.
                                       ///< Cleared by moving the camera.
  bool follow_root = false;            ///< Move the camera with the root bone.
  std::optional<Vec2> followed{};      ///< Where the root bone was in the last frame, if the camera follows it.
  Turntable turntable{};
  Pixels pixels = Pixels::automatic;
  float wheel = 0.0F;  ///< Accumulated wheel notches, not yet enough for a step of the whole zoom.
  Vec2 snapped{0.0F};  ///< How far the camera was moved, in world units, to align texels with whole pixels.

  Background background = Background::checker;
  std::array<float, 3> color{0.36F, 0.38F, 0.42F};
  std::filesystem::path image{};  ///< Absolute path of the background image; can be empty.
  bool tiled = false;             ///< Tile the image at its own size instead of covering the canvas.

  bool skeleton = false;
  bool wireframe = false;
  bool bounds = false;
  bool names = false;
  bool weights = false;
  bool draw_order = false;
  bool grid = false;
  bool trail = false;
  bool onion = false;
  bool overdraw = false;
  std::uint32_t onion_before = 2;  ///< Number of frames, up to kMaxOnionFrames.
  std::uint32_t onion_after = 2;   ///< Number of frames, up to kMaxOnionFrames.

  Tab tab = Tab::facts;
  bool second_problems = false;  ///< While comparing files, list the problems of the second one.
  bool rig = false;              ///< The left panel shows the rig instead of clips, mix or game.
  bool rig_plays = true;
  bool rig_follows_mouse = false;  ///< Aims and limbs without a target bone reach for the mouse.
  bool panels = true;
  bool help = false;
  bool presenting = false;  ///< Whether the character is shown alone, without panels and window border.
};

[[nodiscard]] inline Filter filter_of(const View& view, const Character& character) noexcept {
  const bool hard = view.pixels == Pixels::hard || (view.pixels == Pixels::automatic && character.data().pixel_art);
  return hard ? Filter::nearest : Filter::trilinear;
}

/// Returns whether texels are drawn hard in 2D, which requires whole zooms.
[[nodiscard]] inline bool has_hard_pixels(const View& view, const Character& character) noexcept {
  return !character.is_3d() && filter_of(view, character) == Filter::nearest;
}

/// Returns the rotation of `character` from how it was read to its view.
[[nodiscard]] inline Affine3 rotation_of(const View& view, const Character& character, Vec3 pivot) noexcept {
  return character.is_3d() ? rotation_of(view.turntable, pivot) : kIdentity3;
}

/// Zooms at the center of the canvas.
inline void set_zoom(View& view, float zoom) {
  view.camera.zoom = zoom;
  view.fitted.reset();
}

/// Rotates 3D characters. If the camera was fitted, it is fitted again.
inline void set_turntable(View& view, const Turntable& turntable) {
  if (view.turntable == turntable) return;
  view.turntable = turntable;
  if (view.fitted) view.fit = Fit::clip;
}

/// Shows 3D characters from the front, fitted.
inline void reset_turntable(View& view) {
  view.turntable = viewed_from(view.turntable, Side::front);
  view.fit = Fit::clip;
}

/// Brings `tab` to the front, or the info tab if it already is.
inline void toggle_tab(View& view, Tab tab) noexcept { view.tab = view.tab == tab ? Tab::facts : tab; }

inline constexpr float kZoomRounding = 1e-4F;  ///< Max relative distance from a whole zoom to count as one.

[[nodiscard]] inline float whole_zoom_above(float zoom) noexcept {
  zoom *= 1.0F - kZoomRounding;
  return zoom > 1.0F ? std::ceil(zoom) : 1.0F / std::floor(1.0F / zoom);
}

/// Returns the largest whole zoom that is at most `zoom`, which must be positive.
[[nodiscard]] inline float whole_zoom_below(float zoom) noexcept {
  zoom *= 1.0F + kZoomRounding;
  return zoom >= 1.0F ? std::floor(zoom) : 1.0F / std::ceil(1.0F / zoom);
}

[[nodiscard]] inline float nearest_whole_zoom(float zoom) noexcept {
  const float below = whole_zoom_below(zoom);
  const float above = whole_zoom_above(zoom);
  return zoom * zoom < below * above ? below : above;
}

/// Returns the whole zoom nearest to `zoom * factor`, but at least one step in that direction.
[[nodiscard]] inline float next_whole_zoom(float zoom, float factor) noexcept {
  const float wanted = nearest_whole_zoom(zoom * factor);
  constexpr float kOff = 1.0F + 3.0F * kZoomRounding;
  if (factor > 1.0F) return std::max(wanted, whole_zoom_above(zoom * kOff));
  return std::min(wanted, whole_zoom_below(zoom / kOff));
}

/// Returns a world point where texels meet. If all meshes share one grid, they also meet at whole distances from it.
[[nodiscard]] inline Vec2 texel_corner(const Character& character) noexcept {
  if (character.meshes().empty()) return Vec2{0.0F};
  const auto vertices = character.vertices(character.meshes().front());
  return vertices.empty() ? Vec2{0.0F} : Vec2{vertices.front().x, vertices.front().y};
}

/// Moves `camera` by at most half a pixel so that `corner` lies between viewport pixels.
[[nodiscard]] inline Camera aligned_to_pixels(Camera camera, Vec2 corner) noexcept {
  // Below 1, a pixel's center can fall exactly between texels; an offset makes the choice stable.
  constexpr float kAside = 1.0F / 64.0F;
  const Vec2 aside{camera.zoom < 1.0F ? kAside : 0.0F};
  const Vec2 pixel = apply(world_to_viewport(camera), corner) - aside;
  const Vec2 moved = (glm::round(pixel) - pixel) / camera.zoom;
  camera.center += Vec2{-moved.x, camera.flip_y ? -moved.y : moved.y};
  return camera;
}

struct Scene;

inline constexpr std::uint32_t kMaxOnionFrames = 5;  ///< In each direction.

/// Playback order of frames: from first to last and, if they loop, again from `loop_begin`.
struct FrameOrder {
  FrameRange frames{};
  bool loops = false;
  std::uint32_t loop_begin = 0;
};

struct OnionFrame {
  std::uint32_t frame = 0;
  std::int32_t distance = 0;  ///< Frames after the shown one; negative for frames before it.
  bool operator==(const OnionFrame&) const = default;
};

/// Finds up to `before` and `after` frames around `frame`, furthest first, without duplicates and without `frame`
/// itself.
void find_onion_frames(const FrameOrder& order, std::uint32_t frame, std::uint32_t before, std::uint32_t after,
                       std::vector<OnionFrame>& out);

[[nodiscard]] FrameOrder frame_order(const Transport& clock, const Clip& clip) noexcept;

/// The frames around the shown one, posed.
struct Onion {
  struct Ghosts {
    std::vector<OnionFrame> frames{};
    ClipId clip{};
    std::vector<std::uint8_t> hidden{};
    Turntable turntable{};
    bool operator==(const Ghosts&) const = default;
  };
  Ghosts ghosts{};
  Ghosts wanted{};                   ///< For the next frame; reuses its memory.
  std::vector<PoseBuffers> posed{};  ///< At least as many as ghosts; extra ones keep their memory.
};

/// Path of a bone over a clip.
struct Trail {
  std::vector<Vec3> points{};  ///< World positions, one per frame; z is 0 for 2D characters.
  const Clip* clip = nullptr;
  BoneId bone{};
};

/// Updates `trail`, which belongs to `character`, with the path of `bone` in `clip`.
void find_trail(Trail& trail, const Character& character, ClipId clip, BoneId bone);

/// Draws ghosts of the frames before and after the shown one into the viewport.
void draw_onion(Scene& scene, OffscreenLayer& layer, Renderer& renderer);

/// Draws how many meshes cover each pixel. Returns false and draws nothing if the GPU cannot.
bool draw_overdraw(Scene& scene, OffscreenLayer& layer, Renderer& renderer);

/// What a character is in the scene for. There is at most one of each role but `beside`.
enum class Role : std::uint8_t {
  open,      ///< The one that the panels are about and that the playback plays.
  previous,  ///< The open file before it was saved last, to be compared with.
  compared,  ///< Another file to be compared with.
  beside     ///< Stands beside the open character, in a lineup.
};

/// A character, and how it is shown. It stays at its address, whatever its role.
struct Actor {
  Document document;
  Role role = Role::open;
  std::optional<ClipId> own_clip{};  ///< Played in a lineup if no clip has the name of the open character's clip.
  Vec2 place{0.0F};                  ///< Where its origin is in a lineup, in the open character's world.
  Figure figure{};                   ///< As the open character, see posed(); in a lineup, see lineup_posed().
  PlayedRig motion{};                ///< As the open character.
  Trail trail{};
  Onion onion{};
  LaneCache lanes{};
  std::optional<Skin> plain_skin{};  ///< For overdraw.
};

enum class CompareMode : std::uint8_t {
  off,
  side_by_side,  ///< One half of the canvas each.
  wipe,          ///< Both on the whole canvas; the first shows left of the divider, the second right of it.
  difference     ///< The pixels in which they differ, on the whole canvas.
};

/// Compares a second clip, of the open file or of another one, on the same clock and camera.
struct Comparison {
  CompareMode mode = CompareMode::off;
  float divider = 0.5F;        ///< Position of the wipe's divider, from 0 (left) to 1 (right).
  bool with_previous = false;  ///< Whether the second clip is from the open file before it was saved last.

  std::string wanted{};                ///< Name of the clip that the user chose; empty if none.
  std::optional<ClipId> clip{};        ///< The second clip; absent to show the bind pose.
  bool chosen = false;                 ///< Whether `clip` is up to date for `chosen_for`.
  std::optional<ClipId> chosen_for{};  ///< The first clip when `clip` was chosen.
  Figure figure{};                     ///< See second_posed().
};

/// Other characters beside the open one, with one camera, one scale and one clock.
struct Lineup {
  float ground = 0.0F;        ///< Height of the line that new characters stand on.
  Actor* selected = nullptr;  ///< One of those beside the open character; null for none.
  enum class Held : std::uint8_t { nothing, open, selected } held = Held::nothing;  ///< What the mouse drags.
};

struct Scene {
  std::vector<std::unique_ptr<Actor>> actors{};  ///< Those of a lineup from back to front, all behind the open one.
  Playback playback{};
  View view{};
  Comparison comparison{};
  Lineup lineup{};
  FollowingClock clock{};        ///< Time of the second clip of a comparison, and of a lineup.
  std::optional<Vec2> cursor{};  ///< World point under the mouse, if that is on the canvas.
  std::uint64_t poses = 0;       ///< How often the open character was posed.
  DrawStatistics drawn{};        ///< For the characters in the last frame.
  bool names_changed = true;     ///< The font may lack glyphs for newly shown names.

  /// Return the character with a role; null if there is none.
  /// @{
  [[nodiscard]] Actor* find(Role role) noexcept;
  [[nodiscard]] const Actor* find(Role role) const noexcept { return const_cast<Scene*>(this)->find(role); }
  /// @}
  /// Return the open document; null if there is none.
  /// @{
  [[nodiscard]] Document* document() noexcept { return find(Role::open) ? &find(Role::open)->document : nullptr; }
  [[nodiscard]] const Document* document() const noexcept { return const_cast<Scene*>(this)->document(); }
  /// @}
  /// Return the characters beside the open one, from back to front.
  /// @{
  [[nodiscard]] auto members() noexcept {
    return actors | std::views::filter(is_beside) | std::views::transform(actor);
  }
  [[nodiscard]] auto members() const noexcept {
    return actors | std::views::filter(is_beside) | std::views::transform(const_actor);
  }
  /// @}
  [[nodiscard]] bool shows_chara() const noexcept { return document() && document()->imported.chara; }
  [[nodiscard]] bool shows_artwork() const noexcept { return document() && document()->imported.artwork; }
  [[nodiscard]] bool shows_3d() const noexcept { return document() && document()->is_3d(); }
  [[nodiscard]] const Clip* current_clip() const noexcept {
    return document() && playback.clip ? &document()->character().clips()[*playback.clip] : nullptr;
  }

 private:
  static bool is_beside(const std::unique_ptr<Actor>& each) noexcept { return each->role == Role::beside; }
  static Actor& actor(const std::unique_ptr<Actor>& each) noexcept { return *each; }
  static const Actor& const_actor(const std::unique_ptr<Actor>& each) noexcept { return *each; }
};

/// Adds a character in front of all others, with the view's texel filter.
Actor& add(Scene& scene, Role role, Document document);
Actor& add(Scene& scene, std::unique_ptr<Actor> actor);
/// Removes the character with a role. Returns null if there is none.
std::unique_ptr<Actor> take(Scene& scene, Role role);
std::unique_ptr<Actor> take(Scene& scene, Actor& actor);

/// Returns the open character with what is next to its file, for its playback.
[[nodiscard]] inline Played played(const Document& document) noexcept {
  return {document.character(), document.markers, document.masks, document.imported.chara, document.rig.rig.states};
}
void set_mode(Scene& scene, PlaybackMode mode);
void set_pixels(Scene& scene, Pixels pixels);
/// Returns whether the open character can have a rig.
[[nodiscard]] bool can_rig(const Scene& scene) noexcept;
/// Returns whether the open character moves with a rig.
[[nodiscard]] bool moves_with_rig(const Scene& scene) noexcept;

/// Advances time. Returns whether the image changed.
bool advance(Scene& scene, double seconds);
/// Returns the open character as currently shown: posed, rotated, without hidden meshes. A document must be open.
const PoseBuffers& posed(Scene& scene);
/// Returns the rotation from `character` as read to how it is viewed. `character` is the open one or the compared one.
[[nodiscard]] Affine3 rotation_of(const Scene& scene, const Character& character) noexcept;
/// Returns the bounds of everything shown, as viewed, over the shown clips or over all; nothing if no file is open.
[[nodiscard]] std::optional<Rect> shown_bounds(Scene& scene, Fit fit = Fit::clip);

/// Returns whether a second clip is shown. Only a single clip can be compared, not a mix or a game.
[[nodiscard]] bool comparing(const Scene& scene) noexcept;
/// Return the second clip's file. A document must be open.
/// @{
[[nodiscard]] Document& second_document(Scene& scene) noexcept;
[[nodiscard]] const Document& second_document(const Scene& scene) noexcept;
/// @}
/// Returns whether the second clip is from another file, or from another version of the open one.
[[nodiscard]] bool compares_files(const Scene& scene) noexcept;
[[nodiscard]] std::string second_name(const Scene& scene);
/// Sets the mode. Comparing leaves a mix or a game.
void set_compare_mode(Scene& scene, CompareMode mode);
void cycle_compare_mode(Scene& scene);  ///< Cycles through off, side by side, wipe and difference.
/// Shows the difference, or returns to the wipe.
void toggle_difference(Scene& scene);
void compare_clip(Scene& scene, ClipId clip);
/// Compares with another file, or, if absent, with another clip of the open one.
void compare_file(Scene& scene, std::optional<Document> file);
/// Replaces the compared file by a newer version of it.
void reload_compared(Scene& scene, Document file);
/// Keeps the open file as it was before it was saved, so that it can be compared. Drops it if it is large.
void keep_previous(Scene& scene, std::unique_ptr<Actor> previous);
/// Compares with the open file before it was saved last, under a wipe, or stops that.
void toggle_previous(Scene& scene);
void move_divider(Comparison& comparison, float by);  ///< `by` is a fraction of the canvas width.
[[nodiscard]] ClipTime second_time(const Scene& scene) noexcept;
const PoseBuffers& second_posed(Scene& scene);

/// Returns whether other characters are shown beside the open one.
[[nodiscard]] bool lining_up(const Scene& scene) noexcept;
/// Puts a character to the right of all others, on the ground.
void add_to_lineup(Scene& scene, Document document, std::optional<ClipId> own_clip);
/// Returns the character of the lineup with that file; null if there is none.
[[nodiscard]] Actor* find_in_lineup(const Scene& scene, const std::filesystem::path& path);
void clear_lineup(Scene& scene);
/// Moves the open character or one beside it by a distance in the world.
void move_in_lineup(Scene& scene, Actor& actor, Vec2 by);
/// Puts the feet of another open character on the ground.
void stand_on_ground(Scene& scene);
/// Returns what a character of the lineup plays; nothing for the bind pose.
[[nodiscard]] std::optional<ClipId> lineup_clip(const Scene& scene, const Actor& member) noexcept;
/// Returns the bounds of a posed character, as viewed, in the open one's world.
[[nodiscard]] Rect member_bounds(const Actor& member) noexcept;
/// Returns the camera that shows a character at its place.
[[nodiscard]] Camera lineup_camera(const Scene& scene, const Actor& member) noexcept;
/// Returns a character of the lineup as currently shown.
const PoseBuffers& lineup_posed(Scene& scene, Actor& member);
/// Returns the frontmost character of the lineup at a point of the open one's world; null if there is none.
[[nodiscard]] Actor* member_at(Scene& scene, Vec2 point);

}  // namespace pchr::player
