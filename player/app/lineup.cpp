// SPDX-License-Identifier: MIT
#include "app/lineup.hpp"

#include "app/app.hpp"
#include "app/sidecar.hpp"

#include <glm/common.hpp>

#include <cmath>

namespace pchr::player {
namespace {

constexpr float kGap = 0.1F;  ///< Between neighbors, as a share of the new one's width.

/// Returns the bounds of a clip, or of the whole character, as viewed. Never empty.
Rect clip_bounds(const App& app, Document& document, std::optional<ClipId> clip) {
  const Affine3 rotation = rotation_of(app.view, document.character(), document.pivot);
  const Rect bounds = seen_bounds(rotation, extent_of(document, clip));
  return bounds.empty() ? Rect{{-1.0F, -1.0F}, {1.0F, 1.0F}} : bounds;
}

Rect moved(const Rect& bounds, Vec2 by) noexcept { return {bounds.min + by, bounds.max + by}; }

/// Returns the height of a character's feet at the start of its clip.
float feet_of(const App& app, const Document& document, std::optional<ClipId> clip) {
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
  return app.view.camera.flip_y ? bounds.max.y : bounds.min.y;
}

PosedBy posed_by(const App& app, const LineupMember& member, ClipTime time) {
  const auto clip = lineup_clip(app, member);
  return {.clip = clip.value_or(ClipId::none),
          .time = time,
          .rotation = rotation_of(app.view, member.document.character(), member.document.pivot),
          .hidden = member.document.selection.hidden};
}

ClipTime time_of(const App& app, const LineupMember& member, const FollowingClock& clock) noexcept {
  const auto clip = lineup_clip(app, member);
  return clip ? time_in(member.document.character().clips()[*clip], clock, app.playback) : ClipTime{};
}

void pose_as(const PosedBy& by, const LineupMember& member, PoseBuffers& out) {
  pose_clip_or_bind(member.document.character(), by.clip, by.time, out);
  rotate(by.rotation, out);
  remove_hidden(member.document.selection, out.draw_list);
}

}  // namespace

bool lining_up(const App& app) noexcept { return app.document && !app.lineup.members.empty() && !comparing(app); }

void add_to_lineup(App& app, Document document, std::optional<ClipId> own_clip) {
  if (!app.document || find_in_lineup(app.lineup, document.path)) return;
  Lineup& lineup = app.lineup;
  if (lineup.members.empty()) {
    lineup.ground = feet_of(app, *app.document, app.playback.clip);
    lineup.clock = {app.playback.clock.seconds(), app.playback.clock.seconds()};
  }
  const float right = lineup_bounds(app).max.x;
  document.model.set_filter(filter_of(app.view, document.character()));
  LineupMember member{.document = std::move(document), .own_clip = own_clip};
  const auto clip = lineup_clip(app, member);
  const Rect bounds = clip_bounds(app, member.document, clip);
  member.place = {right + bounds.size().x * kGap - bounds.min.x, lineup.ground - feet_of(app, member.document, clip)};
  lineup.members.push_back(std::move(member));
  lineup.selected.reset();
  app.names_changed = true;
  set_compare_mode(app, CompareMode::off);
  if (app.view.fitted) app.view.fit = Fit::clip;
}

std::optional<std::size_t> find_in_lineup(const Lineup& lineup, const std::filesystem::path& path) {
  const auto path_of = [](const LineupMember& each) -> const std::filesystem::path& { return each.document.path; };
  const auto found = std::ranges::find(lineup.members, path, path_of);
  if (found == lineup.members.end()) return std::nullopt;
  return static_cast<std::size_t>(found - lineup.members.begin());
}

void toggle_in_lineup(App& app, const std::filesystem::path& path) {
  if (const auto member = find_in_lineup(app.lineup, path)) return remove_from_lineup(app, *member);
  if (!app.document || path != app.document->path) app.files.beside.push_back(path);
}

void choose_in_cast(App& app, std::size_t entry) {
  if (entry >= app.cast.entries.size()) return;
  const auto member = find_in_lineup(app.lineup, app.cast.entries[entry].path);
  member ? activate_member(app, *member) : open_entry(app.cast, app.files, entry);
}

void remove_from_lineup(App& app, std::size_t member) {
  std::vector<LineupMember>& members = app.lineup.members;
  if (member >= members.size()) return;
  members.erase(members.begin() + static_cast<std::ptrdiff_t>(member));
  app.lineup.selected.reset();
}

void activate_member(App& app, std::size_t member) {
  if (!app.document || member >= app.lineup.members.size() || !may_leave(app)) return;
  const Camera camera = app.view.camera;
  const bool playing = app.playback.playing();
  const Lineup before = {.clock = app.lineup.clock, .ground = app.lineup.ground};
  LineupMember& swapped = app.lineup.members[member];
  const Vec2 place = swapped.place;
  const auto clip = lineup_clip(app, swapped);
  const auto clip_before = app.playback.clip;
  Document next = std::move(swapped.document);
  Document previous = *std::exchange(app.document, std::nullopt);
  app.files.tried = next.path;
  replace_document(app, std::move(next), clip, Opened::fresh);
  app.lineup.members[member] = {.document = std::move(previous), .own_clip = clip_before, .place = -place};
  app.lineup.ground = before.ground - place.y;
  for (std::size_t i = 0; i < app.lineup.members.size(); ++i) {
    if (i != member) app.lineup.members[i].place -= place;
  }
  app.lineup.selected.reset();
  Transport& clock = app.playback.clock;
  const double duration = clock.duration_seconds();
  const double seconds = before.clock.seconds;
  clock.seek_seconds(duration > 0 ? seconds - std::floor(seconds / duration) * duration : 0);
  if (!playing) clock.pause();
  app.lineup.clock = {seconds, clock.seconds()};
  app.view.camera = camera;
  app.view.camera.center -= place;
  app.view.fit.reset();
  if (auto& fitted = app.view.fitted) fitted = Rect{fitted->min - place, fitted->max - place};
}

void move_in_lineup(App& app, std::optional<std::size_t> member, Vec2 by) {
  app.view.fitted.reset();
  if (member) {
    if (*member < app.lineup.members.size()) app.lineup.members[*member].place += by;
    return;
  }
  // The world is the open character's, so everything else moves.
  for (LineupMember& each : app.lineup.members) each.place -= by;
  app.lineup.ground -= by.y;
  app.view.camera.center -= by;
}

void stand_on_ground(App& app) {
  if (!app.document || app.lineup.members.empty()) return;
  const float feet = feet_of(app, *app.document, app.playback.clip);
  const float by = feet - std::exchange(app.lineup.ground, feet);
  for (LineupMember& each : app.lineup.members) each.place.y += by;
  app.view.camera.center.y += by;
}

std::optional<ClipId> lineup_clip(const App& app, const LineupMember& member) noexcept {
  const Character& character = member.document.character();
  const Clip* shown = app.current_clip();
  const auto same_name = shown != nullptr ? character.find_clip(shown->name) : ClipId::none;
  return has_frames(character, same_name) ? same_name : member.own_clip;
}

Rect lineup_bounds(App& app) {
  Rect all = clip_bounds(app, *app.document, app.playback.clip);
  for (LineupMember& each : app.lineup.members) {
    all.include(moved(clip_bounds(app, each.document, lineup_clip(app, each)), each.place));
  }
  return all;
}

Rect member_bounds(const LineupMember& member) noexcept {
  return moved(bounds(member.document.character(), member.figure.posed), member.place);
}

Camera lineup_camera(const App& app, const LineupMember& member) noexcept {
  Camera camera = app.view.camera;
  Vec2 place = member.place;
  // Hard texels stay aligned with the open character's.
  if (has_hard_pixels(app.view, member.document.character())) place = glm::round(place * camera.zoom) / camera.zoom;
  camera.center -= place;
  return camera;
}

const PoseBuffers& lineup_posed(App& app, LineupMember& member) {
  follow(app.lineup.clock, app.playback, app.playback.clock.seconds(), 0);  // The open clip may have been moved.
  PosedBy now = posed_by(app, member, time_of(app, member, app.lineup.clock));
  if (now == member.figure.by) return member.figure.posed;
  pose_as(now, member, member.figure.posed);
  member.figure.by = std::move(now);
  return member.figure.posed;
}

void pose_member(const App& app, const LineupMember& member, double seconds, PoseBuffers& out) {
  pose_as(posed_by(app, member, time_of(app, member, {.seconds = seconds})), member, out);
}

std::optional<std::size_t> member_at(App& app, Vec2 point) {
  std::vector<LineupMember>& members = app.lineup.members;
  for (std::size_t i = members.size(); i-- > 0;) {
    const LineupMember& each = members[i];
    const PoseBuffers& posed = lineup_posed(app, members[i]);
    if (hit_test(each.document.character(), posed, each.document.selection.masks, point - each.place)) return i;
  }
  return std::nullopt;
}

bool advance_lineup(App& app, double before, double seconds) {
  if (!lining_up(app)) return false;
  follow(app.lineup.clock, app.playback, before, seconds);
  return std::ranges::any_of(app.lineup.members, [&](const LineupMember& each) {
    return !each.figure.by || each.figure.by->time != time_of(app, each, app.lineup.clock);
  });
}

}  // namespace pchr::player
