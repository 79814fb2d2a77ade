// SPDX-License-Identifier: MIT
// A lineup: other characters beside the open one, in one scene with one camera, one scale and one clock.
#pragma once

#include "document/document.hpp"
#include "playback/following_clock.hpp"

namespace pchr::player {

struct App;

/// A character beside the open one.
struct LineupMember {
  Document document;
  std::optional<ClipId> own_clip{};  ///< Played if it has no clip with the open character's clip's name.
  Vec2 place{0.0F};                  ///< Where its origin is, in the open character's world.
  Figure figure{};                   ///< See lineup_posed().
};

struct Lineup {
  std::vector<LineupMember> members{};    ///< From back to front, all behind the open character.
  FollowingClock clock{};                 ///< Time of all members.
  float ground = 0.0F;                    ///< Height of the line that new members stand on.
  std::optional<std::size_t> selected{};  ///< Index of a member.
  enum class Held : std::uint8_t { nothing, open, member } held = Held::nothing;  ///< What the mouse drags.
};

/// Returns whether other characters are shown beside the open one.
[[nodiscard]] bool lining_up(const App& app) noexcept;
/// Puts a character to the right of all others, on the ground.
void add_to_lineup(App& app, Document document, std::optional<ClipId> own_clip);
/// Returns the index of the member with that file.
[[nodiscard]] std::optional<std::size_t> find_in_lineup(const Lineup& lineup, const std::filesystem::path& path);
/// Loads a file beside the open one, or removes it from the lineup. Ignores the open file.
void toggle_in_lineup(App& app, const std::filesystem::path& path);
/// Opens an entry of the cast, which can be in the lineup already. Ignores an index out of range.
void choose_in_cast(App& app, std::size_t entry);
void remove_from_lineup(App& app, std::size_t member);
/// Opens a member in place of the open character, which becomes a member. Nothing moves on the screen.
void activate_member(App& app, std::size_t member);
/// Moves a member, or if absent, the open character, by a distance in the world.
void move_in_lineup(App& app, std::optional<std::size_t> member, Vec2 by);
/// Puts the feet of another open character on the ground.
void stand_on_ground(App& app);

/// Returns what a member plays; nothing for the bind pose.
[[nodiscard]] std::optional<ClipId> lineup_clip(const App& app, const LineupMember& member) noexcept;
/// Returns the bounds of the clips of all characters, as viewed, in the open one's world. A document must be open.
[[nodiscard]] Rect lineup_bounds(App& app);
/// Returns the bounds of a posed member, as viewed, in the open character's world.
[[nodiscard]] Rect member_bounds(const LineupMember& member) noexcept;
/// Returns the camera that shows a member at its place.
[[nodiscard]] Camera lineup_camera(const App& app, const LineupMember& member) noexcept;
/// Returns a member as currently shown.
const PoseBuffers& lineup_posed(App& app, LineupMember& member);
/// Poses a member at `seconds` of the shared clock.
void pose_member(const App& app, const LineupMember& member, double seconds, PoseBuffers& out);
/// Returns the frontmost member at a point of the open character's world.
[[nodiscard]] std::optional<std::size_t> member_at(App& app, Vec2 point);

/// Moves the shared clock, see follow(). Returns whether a member's image changed.
bool advance_lineup(App& app, double before, double seconds);

}  // namespace pchr::player
