// SPDX-License-Identifier: MIT
#include "view/scene.hpp"

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>

namespace pchr::player {
namespace {

/// How many frames long a clip that plays step by step can rest on one before its rig moves on without it. More than
/// one, or the rig could move just before each frame.
constexpr double kHeldFrames = 1.5;
constexpr float kGap = 0.1F;  ///< Between neighbors in a lineup, as a share of the new one's width.

/// Returns whether the parts that the rig moves wait for the next frame of a clip that plays step by step.
bool rig_waits(const Scene& scene) noexcept {
  const Playback& playback = scene.playback;
  const Clip* clip = scene.current_clip();
  if (!playback.playing() || !playback.shows_clip() || playback.settings.sampling != Sampling::step) return false;
  if (clip == nullptr || clip->frame_count < 2 || !(clip->frames_per_second > 0)) return false;
  return scene.find(Role::open)->motion.seconds * clip->frames_per_second < kHeldFrames * playback.settings.hold;
}

/// Poses the open character unless its current pose is up to date. Returns whether the pose changed.
bool update_pose(Scene& scene) {
  Actor& actor = *scene.find(Role::open);
  const Document& document = actor.document;
  const Playback& playback = scene.playback;
  PosedBy now{.mode = playback.mode(),
              .clip = playback.clip.value_or(ClipId::none),
              .rotation = rotation_of(scene, document.character()),
              .hidden = document.selection.hidden};
  if (playback.mix() == nullptr && playback.machine() == nullptr) now.time = shown_time(playback);
  if (const Game* game = playback.game()) {
    now.game = {game->state.phase(), game->state.pending(), game->state.idle_cycles()};
    now.clip = game->state.clip();
  }
  PlayedRig& motion = actor.motion;
  PlayedRig::Applied rig;
  if (moves_with_rig(scene)) rig = {document.rig.rig, scene.view.rig_follows_mouse ? scene.cursor : std::nullopt};
  const auto& before = actor.figure.by;
  const bool same = now == before && !needs_pose(playback);
  if (same && rig == motion.applied && (!rig.rig || motion.seconds == 0 || rig_waits(scene))) return false;
  const bool jumps = !before || before->mode != now.mode || before->clip != now.clip || before->time != now.time ||
                     before->game != now.game || needs_pose(playback);
  PoseBuffers& posed = actor.figure.posed;
  pose(scene.playback, document.character(), posed);
  if (rig.rig) {
    // Without playing time, the pose was chosen, not played.
    if (!motion.applied.rig || (jumps && motion.seconds == 0)) reset(motion);
    const Playhead at = playhead(playback).value_or(Playhead{ClipId::none, {}, 0});
    apply_motion(motion, *rig.rig, rig.target, document.character(), *document.markers, at.clip, at.position.frame,
                 posed.pose);
    update(document.character(), posed);
  }
  motion.applied = std::move(rig);
  rotate(now.rotation, posed);
  remove_hidden(document.selection, posed.draw_list);
  actor.figure.by = std::move(now);
  ++scene.poses;
  return true;
}

/// Returns a clip of a character that is not the open one, posed as `by` says, unless `figure` is up to date.
const PoseBuffers& pose_clip_as(PosedBy by, const Document& document, Figure& figure) {
  by.hidden = document.selection.hidden;
  if (by == figure.by) return figure.posed;
  pose_clip_or_bind(document.character(), by.clip, by.time, figure.posed);
  rotate(by.rotation, figure.posed);
  remove_hidden(document.selection, figure.posed.draw_list);
  figure.by = std::move(by);
  return figure.posed;
}

/// Returns the next clip with frames after `clip`, wrapping around, perhaps to itself.
std::optional<ClipId> clip_after(const Character& character, std::optional<ClipId> clip) {
  const std::size_t count = character.clips().size();
  for (std::size_t i = 1; i <= count; ++i) {
    const auto next = ClipId(((clip ? index(*clip) : count - 1) + i) % count);
    if (has_frames(character, next)) return next;
  }
  return std::nullopt;
}

/// Returns the clip of `character` that has frames and the name of the shown clip; none if there is none.
ClipId clip_of_same_name(const Scene& scene, const Character& character) {
  const Clip* shown = scene.current_clip();
  const ClipId clip = shown != nullptr ? character.find_clip(shown->name) : ClipId::none;
  return has_frames(character, clip) ? clip : ClipId::none;
}

/// Returns the user's choice; else, in another file, the clip with the first one's name, or at its place, or the file's
/// default; else the following clip.
std::optional<ClipId> clip_to_compare(const Scene& scene) {
  const Character& character = second_document(scene).character();
  const std::string& name = scene.comparison.wanted;
  const std::optional<ClipId> first = scene.playback.clip;
  if (const auto wanted = character.find_clip(name); !name.empty() && has_frames(character, wanted)) return wanted;
  if (!compares_files(scene)) return clip_after(character, first);
  if (const ClipId same = clip_of_same_name(scene, character); same != ClipId::none) return same;
  if (first && has_frames(character, *first)) return first;
  return default_clip(character);
}

/// Chooses the second clip again, from another file or another version of it.
void forget_second(Comparison& comparison) {
  comparison.clip.reset();
  comparison.chosen = false;
  comparison.figure.by.reset();
}

/// Chooses the second clip again if the first clip or a file changed.
void choose_second(Scene& scene) {
  Comparison& comparison = scene.comparison;
  if (comparison.chosen && comparison.chosen_for == scene.playback.clip) return;
  comparison.chosen = true;
  comparison.chosen_for = scene.playback.clip;
  comparison.clip = clip_to_compare(scene);
  // Two clips of one file do not follow each other.
  if (compares_files(scene) || !comparison.clip) return;
  comparison.wanted = scene.document()->character().clips()[*comparison.clip].name;
}

/// Returns the bounds of a clip, or of the whole character, as viewed and in place. Never empty.
Rect clip_bounds(const Scene& scene, Actor& actor, std::optional<ClipId> clip) {
  const Affine3 rotation = rotation_of(scene.view, actor.document.character(), actor.document.pivot);
  Rect bounds = seen_bounds(rotation, extent_of(actor.document, clip));
  if (bounds.empty()) bounds = {{-1.0F, -1.0F}, {1.0F, 1.0F}};
  return {bounds.min + actor.place, bounds.max + actor.place};
}

/// Returns the bounds of the clips of all characters of a lineup.
Rect lineup_bounds(Scene& scene) {
  Rect all = clip_bounds(scene, *scene.find(Role::open), scene.playback.clip);
  for (Actor& member : scene.members()) all.include(clip_bounds(scene, member, lineup_clip(scene, member)));
  return all;
}

/// Returns the height of a character's feet at the start of its clip.
float feet_of(const Scene& scene, const Document& document, std::optional<ClipId> clip) {
  const Character& character = document.character();
  if (character.is_3d()) return 0.0F;
  Rect bounds;
  if (clip) {
    bounds = compute_frame_bounds(character, *clip, 0);
  } else {
    PoseBuffers posed;
    pose_bind(character, posed);
    bounds = pchr::bounds(character, posed);
  }
  if (bounds.empty()) return 0.0F;
  return scene.view.camera.flip_y ? bounds.max.y : bounds.min.y;
}

ClipTime lineup_time(const Scene& scene, const Actor& member) noexcept {
  const auto clip = lineup_clip(scene, member);
  return clip ? time_in(member.document.character().clips()[*clip], scene.clock, scene.playback) : ClipTime{};
}

void restart_clock(Scene& scene) { scene.clock = {scene.playback.clock.seconds(), scene.playback.clock.seconds()}; }

}  // namespace

Actor* Scene::find(Role role) noexcept {
  const auto found = std::ranges::find(actors, role, [](const auto& each) { return each->role; });
  return found != actors.end() ? found->get() : nullptr;
}

Actor& add(Scene& scene, Role role, Document document) {
  return add(scene, std::make_unique<Actor>(Actor{.document = std::move(document), .role = role}));
}

Actor& add(Scene& scene, std::unique_ptr<Actor> actor) {
  actor->document.model.set_filter(filter_of(scene.view, actor->document.character()));
  actor->figure.by.reset();
  scene.names_changed = true;
  return *scene.actors.emplace_back(std::move(actor));
}

std::unique_ptr<Actor> take(Scene& scene, Role role) {
  Actor* found = scene.find(role);
  return found != nullptr ? take(scene, *found) : nullptr;
}

std::unique_ptr<Actor> take(Scene& scene, Actor& actor) {
  const auto found = std::ranges::find(scene.actors, &actor, &std::unique_ptr<Actor>::get);
  std::unique_ptr<Actor> taken = std::move(*found);
  scene.actors.erase(found);
  if (scene.lineup.selected == taken.get()) scene.lineup.selected = nullptr;
  return taken;
}

void set_mode(Scene& scene, PlaybackMode mode) {
  if (scene.document()) set_mode(scene.playback, played(*scene.document()), mode);
}

void set_pixels(Scene& scene, Pixels pixels) {
  scene.view.pixels = pixels;
  for (const auto& actor : scene.actors) {
    actor->document.model.set_filter(filter_of(scene.view, actor->document.character()));
  }
}

bool can_rig(const Scene& scene) noexcept {
  return scene.document() && !scene.shows_3d() && !scene.document()->character().bones().empty();
}

bool moves_with_rig(const Scene& scene) noexcept {
  return can_rig(scene) && scene.view.rig_plays && !comparing(scene) && !scene.document()->rig.rig.empty();
}

bool advance(Scene& scene, double seconds) {
  if (!scene.document()) return false;
  const double before = scene.playback.clock.seconds();
  if (scene.playback.playing()) {
    scene.find(Role::open)->motion.seconds += seconds * std::abs(scene.playback.settings.speed);
  }
  follow_states(scene.playback, played(*scene.document()));
  bool changed = advance(scene.playback, seconds);
  changed |= update_pose(scene);
  if (comparing(scene)) {
    choose_second(scene);
    const ClipTime shown = second_time(scene);
    follow(scene.clock, scene.playback, before, seconds);
    return changed || shown != second_time(scene);
  }
  if (!lining_up(scene)) return changed;
  follow(scene.clock, scene.playback, before, seconds);
  return changed || std::ranges::any_of(scene.members(), [&](const Actor& each) {
           return !each.figure.by || each.figure.by->time != lineup_time(scene, each);
         });
}

const PoseBuffers& posed(Scene& scene) {
  update_pose(scene);
  return scene.find(Role::open)->figure.posed;
}

Affine3 rotation_of(const Scene& scene, const Character& character) noexcept {
  return rotation_of(scene.view, character, scene.document()->pivot);
}

std::optional<Rect> shown_bounds(Scene& scene, Fit fit) {
  if (!scene.document()) return std::nullopt;
  if (lining_up(scene)) return lineup_bounds(scene);
  const auto seen = [&](Document& document, std::optional<ClipId> clip) {
    return seen_bounds(rotation_of(scene, document.character()),
                       extent_of(document, fit == Fit::all ? std::nullopt : clip));
  };
  Rect bounds = seen(*scene.document(), scene.playback.clip);
  if (!comparing(scene)) return bounds;
  choose_second(scene);
  bounds.include(seen(second_document(scene), scene.comparison.clip));
  return bounds;
}

bool comparing(const Scene& scene) noexcept {
  return scene.comparison.mode != CompareMode::off && scene.document() && scene.playback.shows_clip();
}

Document& second_document(Scene& scene) noexcept {
  Actor* previous = scene.comparison.with_previous ? scene.find(Role::previous) : nullptr;
  Actor* second = previous != nullptr ? previous : scene.find(Role::compared);
  return second != nullptr ? second->document : *scene.document();
}
const Document& second_document(const Scene& scene) noexcept { return second_document(const_cast<Scene&>(scene)); }

bool compares_files(const Scene& scene) noexcept {
  return scene.document() && &second_document(scene) != scene.document();
}

std::string second_name(const Scene& scene) {
  const Document& second = second_document(scene);
  const Actor* previous = scene.find(Role::previous);
  if (previous != nullptr && &second == &previous->document) return "Previous save";
  const std::filesystem::path name = second.path.filename();
  const bool is_alike = compares_files(scene) && name == scene.document()->path.filename();
  return shown_path(is_alike ? absolute_path(second.path).parent_path().filename() / name : name);
}

void set_compare_mode(Scene& scene, CompareMode mode) {
  if (!scene.document()) return;
  Comparison& comparison = scene.comparison;
  if (mode != CompareMode::off) set_mode(scene, PlaybackMode::clip);
  if ((mode == CompareMode::off) != (comparison.mode == CompareMode::off)) restart_clock(scene);
  comparison.mode = mode;
  if (mode != CompareMode::off || !comparison.with_previous) return;
  comparison.with_previous = false;
  comparison.wanted.clear();
  forget_second(comparison);
}

void cycle_compare_mode(Scene& scene) {
  const int next = comparing(scene) ? (static_cast<int>(scene.comparison.mode) + 1) % 4 : 1;
  set_compare_mode(scene, static_cast<CompareMode>(next));
}

void toggle_difference(Scene& scene) {
  const bool shown = comparing(scene) && scene.comparison.mode == CompareMode::difference;
  set_compare_mode(scene, shown ? CompareMode::wipe : CompareMode::difference);
}

void compare_clip(Scene& scene, ClipId clip) {
  if (!scene.document() || !second_document(scene).character().clips().contains(clip)) return;
  scene.comparison.wanted = second_document(scene).character().clips()[clip].name;
  scene.comparison.clip.reset();
  scene.comparison.chosen = false;
}

void compare_file(Scene& scene, std::optional<Document> file) {
  take(scene, Role::compared);
  scene.names_changed = true;
  if (file) add(scene, Role::compared, *std::move(file));
  Comparison& comparison = scene.comparison;
  comparison.with_previous = false;
  comparison.wanted.clear();
  forget_second(comparison);
  if (comparison.mode == CompareMode::off) set_compare_mode(scene, CompareMode::side_by_side);
}

void reload_compared(Scene& scene, Document file) {
  take(scene, Role::compared);
  add(scene, Role::compared, std::move(file));
  forget_second(scene.comparison);
}

void keep_previous(Scene& scene, std::unique_ptr<Actor> previous) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;
  std::uint64_t bytes = previous->document.model.gpu_bytes();
  for (const Image& image : previous->document.character().images()) bytes += image.bytes.size();
  take(scene, Role::previous);
  previous->role = Role::previous;
  if (bytes <= kMaxBytes) add(scene, std::move(previous));
  if (!scene.comparison.with_previous) return;
  forget_second(scene.comparison);
  if (bytes > kMaxBytes) set_compare_mode(scene, CompareMode::off);
}

void toggle_previous(Scene& scene) {
  if (!scene.find(Role::previous)) return;
  Comparison& comparison = scene.comparison;
  if (comparing(scene) && comparison.with_previous) return set_compare_mode(scene, CompareMode::off);
  comparison.with_previous = true;
  comparison.wanted.clear();
  forget_second(comparison);
  set_compare_mode(scene, CompareMode::wipe);
}

void move_divider(Comparison& comparison, float by) {
  comparison.divider = std::clamp(comparison.divider + by, 0.0F, 1.0F);
}

ClipTime second_time(const Scene& scene) noexcept {
  const auto clip = scene.comparison.clip;
  if (!clip) return {};
  return time_in(second_document(scene).character().clips()[*clip], scene.clock, scene.playback);
}

const PoseBuffers& second_posed(Scene& scene) {
  choose_second(scene);
  follow(scene.clock, scene.playback, scene.playback.clock.seconds(), 0);  // The first clip may have been moved.
  const Document& document = second_document(scene);
  return pose_clip_as({.clip = scene.comparison.clip.value_or(ClipId::none),
                       .time = second_time(scene),
                       .rotation = rotation_of(scene, document.character())},
                      document, scene.comparison.figure);
}

bool lining_up(const Scene& scene) noexcept {
  return scene.document() && !comparing(scene) && scene.find(Role::beside) != nullptr;
}

void add_to_lineup(Scene& scene, Document document, std::optional<ClipId> own_clip) {
  if (!scene.document() || find_in_lineup(scene, document.path)) return;
  Lineup& lineup = scene.lineup;
  if (!scene.find(Role::beside)) {
    lineup.ground = feet_of(scene, *scene.document(), scene.playback.clip);
    restart_clock(scene);
  }
  const float right = lineup_bounds(scene).max.x;
  Actor& member = add(scene, Role::beside, std::move(document));
  member.own_clip = own_clip;
  const auto clip = lineup_clip(scene, member);
  const Rect bounds = clip_bounds(scene, member, clip);
  member.place = {right + bounds.size().x * kGap - bounds.min.x, lineup.ground - feet_of(scene, member.document, clip)};
  lineup.selected = nullptr;
  set_compare_mode(scene, CompareMode::off);
  if (scene.view.fitted) scene.view.fit = Fit::clip;
}

Actor* find_in_lineup(const Scene& scene, const std::filesystem::path& path) {
  const auto is_it = [&](const auto& each) { return each->role == Role::beside && each->document.path == path; };
  const auto found = std::ranges::find_if(scene.actors, is_it);
  return found != scene.actors.end() ? found->get() : nullptr;
}

void clear_lineup(Scene& scene) {
  std::erase_if(scene.actors, [](const auto& each) { return each->role == Role::beside; });
  scene.lineup = {};
}

void move_in_lineup(Scene& scene, Actor& actor, Vec2 by) {
  scene.view.fitted.reset();
  if (actor.role == Role::beside) {
    actor.place += by;
    return;
  }
  // The world is the open character's, so everything else moves.
  for (Actor& each : scene.members()) each.place -= by;
  scene.lineup.ground -= by.y;
  scene.view.camera.center -= by;
}

void stand_on_ground(Scene& scene) {
  if (!scene.document() || !scene.find(Role::beside)) return;
  const float feet = feet_of(scene, *scene.document(), scene.playback.clip);
  const float by = feet - std::exchange(scene.lineup.ground, feet);
  for (Actor& each : scene.members()) each.place.y += by;
  scene.view.camera.center.y += by;
}

std::optional<ClipId> lineup_clip(const Scene& scene, const Actor& member) noexcept {
  const ClipId same = clip_of_same_name(scene, member.document.character());
  return same != ClipId::none ? same : member.own_clip;
}

Rect member_bounds(const Actor& member) noexcept {
  const Rect posed = bounds(member.document.character(), member.figure.posed);
  return {posed.min + member.place, posed.max + member.place};
}

Camera lineup_camera(const Scene& scene, const Actor& member) noexcept {
  Camera camera = scene.view.camera;
  Vec2 place = member.place;
  // Hard texels stay aligned with the open character's.
  if (has_hard_pixels(scene.view, member.document.character())) place = glm::round(place * camera.zoom) / camera.zoom;
  camera.center -= place;
  return camera;
}

const PoseBuffers& lineup_posed(Scene& scene, Actor& member) {
  follow(scene.clock, scene.playback, scene.playback.clock.seconds(), 0);  // The open clip may have been moved.
  const Document& document = member.document;
  return pose_clip_as({.clip = lineup_clip(scene, member).value_or(ClipId::none),
                       .time = lineup_time(scene, member),
                       .rotation = rotation_of(scene.view, document.character(), document.pivot)},
                      document, member.figure);
}

Actor* member_at(Scene& scene, Vec2 point) {
  Actor* frontmost = nullptr;
  for (Actor& each : scene.members()) {
    const PoseBuffers& posed = lineup_posed(scene, each);
    const Document& document = each.document;
    if (hit_test(document.character(), posed, document.selection.masks, point - each.place)) frontmost = &each;
  }
  return frontmost;
}

}  // namespace pchr::player
