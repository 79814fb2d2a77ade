// SPDX-License-Identifier: MIT
// What the canvas shows: the characters, how they are played and how they are viewed.
#pragma once

#include "document/document.hpp"
#include "playback/playback.hpp"
#include "view/under.hpp"
#include "view/view.hpp"

#include <memory>
#include <ranges>

namespace pchr::player {

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
  RigMotion motion{};                ///< As the open character.
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

/// Returns the open character with the markers next to its file, for its playback.
[[nodiscard]] inline Played played(const Document& document) noexcept {
  return {document.character(), document.markers, document.imported.chara};
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
