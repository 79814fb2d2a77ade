// SPDX-License-Identifier: MIT
#include "app/export_scene.hpp"

#include "app/app.hpp"
#include "app/lineup.hpp"

#include <cmath>

namespace pchr::player {
namespace {

constexpr double kUsualRate = 30;

double start_of(const FramePlan& plan, std::uint32_t frame) { return frame == 0 ? 0 : plan.frame_ends[frame - 1]; }
double duration_of(const FramePlan& plan, std::uint32_t frame) {
  return plan.frame_ends[frame] - start_of(plan, frame);
}

Box box_of_posed(const Character& character, const PoseBuffers& posed) {
  if (character.is_3d()) return box_of(character, posed);
  const Rect rect = bounds(character, posed);
  return rect.empty() ? Box() : Box{{rect.min, 0.0F}, {rect.max, 0.0F}};
}

/// Returns the time at which a plan starts in its clip.
double first_second(const Character& character, const FramePlan& plan) {
  if (plan.clip == ClipId::none) return 0;
  const Clip& clip = character.clips()[plan.clip];
  const std::uint32_t first = plan.times.front().frame;
  if (first == 0 || !(clip.frames_per_second > 0)) return 0;
  return clip.frame_ends.empty() ? first / clip.frames_per_second : clip.frame_ends[first - 1];
}

}  // namespace

bool SceneMember::operator==(const SceneMember& other) const {
  return &character.data() == &other.character.data() && own_clip == other.own_clip && place == other.place &&
         rotation == other.rotation && hidden == other.hidden && filter == other.filter;
}

bool can_export_rig(const App& app) noexcept {
  return can_rig(app) && app.view.rig_plays && !comparing(app) && !app.document->rig.rig.empty();
}

ExportScene export_scene(const App& app, bool with_rig) {
  const Document& document = *app.document;
  ExportScene scene{.markers = document.markers, .sampling = app.playback.settings.sampling};
  if (const Mix* mix = app.playback.mix()) scene.mix = {mix->from, mix->to, mix->fade_seconds, mix->layers};
  if (with_rig && can_export_rig(app)) {
    scene.rig = document.rig.rig;
    scene.travel = document.motion.travel;
  }
  if (!lining_up(app)) return scene;
  for (const LineupMember& member : app.lineup.members) {
    const Document& other = member.document;
    scene.members.push_back({.character = other.character(),
                             .own_clip = member.own_clip,
                             .place = member.place,
                             .rotation = rotation_of(app.view, other.character(), other.pivot),
                             .hidden = other.selection.hidden,
                             .filter = filter_of(app.view, other.character()),
                             .limits = other.source.options.limits});
  }
  return scene;
}

double mix_seconds(const Character& character, const MixRecipe& mix) {
  const Clip& to = character.clips()[mix.to];
  const double duration = to.duration_seconds();
  if (!to.looping || !(duration > 0)) return Mix::kLeadSeconds + std::max(mix.fade_seconds, duration);
  return Mix::kLeadSeconds + duration * std::max(std::ceil(mix.fade_seconds / duration), 1.0);
}

FramePlan plan_mix(const Character& character, const MixRecipe& mix, std::optional<double> rate) {
  const double own = character.clips()[mix.to].frames_per_second;
  const double frames_per_second = rate.value_or(own > 0 ? own : kUsualRate);
  const auto count =
      static_cast<std::uint32_t>(std::max(std::round(mix_seconds(character, mix) * frames_per_second), 1.0));
  FramePlan plan;
  for (std::uint32_t frame = 0; frame < count; ++frame) {
    plan.times.push_back({frame, frame, 0});
    plan.frame_ends.push_back((frame + 1) / frames_per_second);
  }
  return plan;
}

ScenePoser::ScenePoser(Character character, ExportScene scene, const Affine3& rotation,
                       std::vector<std::uint8_t> hidden)
    : character_(std::move(character)), scene_(std::move(scene)), rotation_(rotation) {
  selection_.hidden = std::move(hidden);
}

void ScenePoser::begin(const FramePlan& plan, PoseBuffers& out) {
  if (scene_.mix) {
    mix_ = begin_mix(character_, scene_.markers, scene_.mix->from, scene_.mix->fade_seconds);
    mix_->to = scene_.mix->to;
    mix_->layers = scene_.mix->layers;
    mix_->animator.set_sampling(scene_.sampling);
    replay(*mix_);
  }
  if (!scene_.rig) return;
  motion_ = {.travel = scene_.travel};
  // A loop starts as it ends.
  if (mix_ || plan.clip == ClipId::none || !character_.clips()[plan.clip].looping) return;
  for (std::uint32_t frame = 0; frame < plan.times.size(); ++frame) pose_next(plan, frame, out);
}

void ScenePoser::pose_next(const FramePlan& plan, std::uint32_t frame, PoseBuffers& out) {
  std::optional<Playhead> playhead;
  if (mix_) {
    mix_->animator.pose(out);
    const Play* play = playing_clip(*mix_);
    if (play != nullptr && play->kind == Play::Kind::clip) {
      playhead = {play->clip, play->clock.position(scene_.sampling), play->clock.seconds()};
    }
  } else {
    pose_clip_or_bind(character_, plan.clip, plan.times[frame], out);
    if (plan.clip != ClipId::none) playhead = {plan.clip, plan.times[frame], start_of(plan, frame)};
  }
  if (scene_.rig) {
    apply_motion(motion_, *scene_.rig, std::nullopt, character_, *scene_.markers, playhead, out.pose);
    update(character_, out);
  }
  // The time until the next frame.
  const double seconds = duration_of(plan, frame);
  motion_.seconds = seconds;
  if (mix_) advance(*mix_, seconds, 1.0);
}

void ScenePoser::pose(const FramePlan& plan, std::uint32_t frame, PoseBuffers& out) {
  if (frame == 0) begin(plan, out);
  pose_next(plan, frame, out);
  rotate(rotation_, out);
  remove_hidden(selection_, out.draw_list);
}

void ScenePoser::pose_member(std::size_t member, const FramePlan& plan, std::uint32_t frame, PoseBuffers& out) const {
  constexpr double kRounding = 1e-9;  // A frame's start time may have been rounded down to just before it.
  const SceneMember& posed = scene_.members[member];
  const Character& character = posed.character;
  std::optional<ClipId> clip = posed.own_clip;
  if (plan.clip != ClipId::none) {
    const ClipId same_name = character.find_clip(character_.clips()[plan.clip].name);
    if (has_frames(character, same_name)) clip = same_name;
  }
  ClipTime time;
  if (clip) {
    Clip length;
    length.looping = true;
    length.frames_per_second = character.clips()[*clip].frames_per_second;
    length.frame_count = character.clips()[*clip].frame_count;
    time = clip_time(length, first_second(character_, plan) + start_of(plan, frame) + kRounding, Sampling::step);
  }
  pose_clip_or_bind(character, clip.value_or(ClipId::none), time, out);
  rotate(posed.rotation, out);
  Selection selection;
  selection.hidden = posed.hidden;
  remove_hidden(selection, out.draw_list);
}

Box ScenePoser::box(const FramePlan& plan, std::uint32_t frame, PoseBuffers& posed) {
  pose(plan, frame, posed);
  Box all = box_of_posed(character_, posed);
  for (std::size_t i = 0; i < scene_.members.size(); ++i) {
    pose_member(i, plan, frame, posed);
    const Box box = box_of_posed(scene_.members[i].character, posed);
    if (box.empty()) continue;
    const Vec3 place{scene_.members[i].place, 0.0F};
    all.include(box.min + place);
    all.include(box.max + place);
  }
  return all;
}

}  // namespace pchr::player
