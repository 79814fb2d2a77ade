// SPDX-License-Identifier: MIT
// Which pictures pchr render draws, and what their files are called.
#include "film/unique_names.hpp"
#include "output.hpp"
#include "render.hpp"

#include <pchr/bounds.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

namespace pchr::tools {
namespace {

using ClipIndex = std::optional<std::uint32_t>;

bool wants_moment(const RenderOptions& options) {
  return options.moment.frame.has_value() || options.moment.seconds.has_value();
}

// Whether the clip is played, rather than one moment of it drawn.
bool wants_film(const RenderOptions& options, const NameTemplate& name) {
  if (wants_moment(options)) return false;
  if (options.settings.format != film::Format::png || name.has_frame()) return true;
  return options.film.frames.has_value() || options.film.frames_per_second.has_value();
}

// The clips that were named, or all, else the first: of films the first that moves. No clips: the bind pose.
Result<std::vector<ClipIndex>> chosen_clips(const Character& character, const RenderOptions& options, bool moving) {
  std::vector<ClipIndex> chosen;
  for (const std::string& name : options.clips) {
    const auto clip = find_clip(character, name);
    if (!clip) return std::unexpected(clip.error());
    chosen.emplace_back(*clip);
  }
  const auto count = static_cast<std::uint32_t>(character.clips().size());
  for (std::uint32_t clip = 0; clip < count; ++clip) {
    if (options.all_clips && !film::is_mere_bind_pose(character, clip)) chosen.emplace_back(clip);
  }
  if (!chosen.empty()) return chosen;
  if (count == 0) {
    if (wants_moment(options) || options.film.frames)
      return fail(ExitCode::usage, "pchr: the character has no clips, so no frame or time");
    return std::vector{ClipIndex()};
  }
  std::uint32_t first = 0;
  while (moving && first + 1 < count && film::is_mere_bind_pose(character, first)) ++first;
  return std::vector{ClipIndex(first)};
}

Result<film::FilmPlan> plan_of(const Character& character, const RenderOptions& options, ClipIndex clip, bool moving) {
  if (!clip) return film::plan_still(clip, {});
  if (moving) {
    film::PlanOptions film = options.film;
    film.smooth = options.moment.smooth;
    const std::uint32_t cycles = film::cycles_of(options.settings.format, options.loops.value_or(1));
    return or_fail(ExitCode::usage, film::plan_film(character, *clip, film, cycles));
  }
  const auto position = find_position(character.clips()[*clip], options.moment);
  if (!position) return std::unexpected(position.error());
  if (character.clips()[*clip].frame_count == 0) return film::plan_still(std::nullopt, {});
  return film::plan_still(clip, *position);
}

// All pictures of a film are of one size, whatever each shows.
Result<Size> size_for(const RenderOptions& options, const std::vector<Rect>& bounds) {
  Size size{1, 1};
  for (const Rect& each : bounds) {
    const auto needed = or_fail(ExitCode::usage, film::size_of(options.view, each));
    if (!needed) return std::unexpected(needed.error());
    size = {std::max(size.width, needed->width), std::max(size.height, needed->height)};
  }
  return size;
}

Result<RenderJob> make_job(const Character& character, const RenderOptions& options, const film::FilmPlan& plan,
                           PixelBudget& budget) {
  std::vector<Rect> bounds;
  for (const FramePosition position : plan.positions) {
    if (!bounds.empty() && options.fit != Fit::frame) break;
    bounds.push_back(bounds_of(character, options, plan.clip, position));
  }
  const auto size = size_for(options, bounds);
  if (!size) return std::unexpected(size.error());
  if (const auto taken = budget.take(plan.positions.size(), *size); !taken) return std::unexpected(taken.error());
  RenderJob job;
  std::optional<SceneView> scene;
  for (std::size_t i = 0; i < plan.positions.size(); ++i) {
    const Rect& each = bounds[std::min(i, bounds.size() - 1)];
    const Camera camera = film::camera_of(options.view, *size, each);
    if (i == 0 || options.fit == Fit::frame) {
      scene = scene_of(character, options, plan.clip, plan.positions[i], camera);
    }
    job.shots.push_back({plan.clip, plan.positions[i], camera, 0, scene});
  }
  const bool loops = plan.clip && character.clips()[*plan.clip].looping;
  job.film = {size->width, size->height, plan.frame_ends, options.loops.value_or(loops ? 0 : 1)};
  return job;
}

// For each clip one that no other has: several may be called the same, or would be once they are safe.
std::vector<std::string> clip_names(const Character& character) {
  film::UniqueNames unique("_", "");
  std::vector<std::string> names;
  for (const Clip& clip : character.clips()) names.push_back(unique.take(NameTemplate::safe(clip.name)));
  return names;
}

std::vector<std::string> paths_of(const RenderOptions& options, const NameTemplate& name, const film::FilmPlan& plan,
                                  ClipIndex clip, std::span<const std::string> names) {
  NameParts parts{input_stem(options.input.file), clip ? names[*clip] : "bind", clip.value_or(0), plan.first_frame};
  std::vector<std::string> paths;
  const std::size_t files = options.settings.format == film::Format::png ? plan.positions.size() : 1;
  for (std::size_t i = 0; i < files; ++i, ++parts.frame) paths.push_back(name.fill(parts));
  return paths;
}

Result<void> check_paths(const std::vector<RenderJob>& jobs, const RenderOptions& options) {
  std::set<std::string> seen;
  for (const RenderJob& job : jobs) {
    for (const std::string& path : job.paths) {
      if (auto checked = check_output(path, *options.input.read); !checked) return checked;
      if (path == "-" || options.output.empty() || seen.insert(path).second) continue;
      return fail(ExitCode::usage, fmt::format("pchr: more than one picture would be {}; {{clip}}, {{index}} and "
                                               "{{frame:04}} in the name tell them apart",
                                               printable(path)));
    }
  }
  if (options.output == "-" && jobs.size() > 1) {
    return fail(ExitCode::usage, "pchr: standard output takes one clip");
  }
  return {};
}

}  // namespace

Rect bounds_of(const Character& character, const RenderOptions& options, std::optional<std::uint32_t> clip,
               FramePosition position) {
  if (options.fit == Fit::file) return character_bounds(character);
  if (clip && options.fit == Fit::clip) return clip_bounds(character, *clip);
  PosedCharacter posed;
  if (clip) {
    pose_clip(character, *clip, position, posed);
  } else {
    pose_bind(character, posed);
  }
  return bounds(character, posed);
}

std::optional<SceneView> scene_of(const Character& character, const RenderOptions& options,
                                  std::optional<std::uint32_t> clip, FramePosition position, const Camera& camera) {
  if (options.orbit.angles.empty() && !options.orbit.cull) return std::nullopt;
  const Box box = options.fit == Fit::file    ? box_over_clips(character)
                  : options.fit == Fit::frame ? box_at(character, clip, position)
                                              : box_over_clip(character, clip);
  return scene_of(options.orbit, camera, box, options.view.margin);
}

Result<std::vector<RenderJob>> plan_jobs(const Character& character, const RenderOptions& options) {
  const auto name = NameTemplate::parse(options.output);
  if (!name) return std::unexpected(name.error());
  const bool moving = wants_film(options, *name);
  if (!moving && options.film.speed != 1) return fail(ExitCode::usage, "pchr: --speed has no effect on a single frame");
  if (!moving && options.loops && options.settings.format == film::Format::png) {
    return fail(ExitCode::usage, "pchr: --loops has no effect on a single frame");
  }
  const auto clips = chosen_clips(character, options, moving);
  if (!clips) return std::unexpected(clips.error());
  const std::vector<std::string> names = clip_names(character);
  PixelBudget budget = options.budget;
  std::vector<RenderJob> jobs;
  for (const ClipIndex clip : *clips) {
    const auto plan = plan_of(character, options, clip, moving);
    if (!plan) return std::unexpected(plan.error());
    auto job = make_job(character, options, *plan, budget);
    if (!job) return std::unexpected(job.error());
    job->paths = paths_of(options, *name, *plan, clip, names);
    jobs.push_back(*std::move(job));
  }
  if (const auto checked = check_paths(jobs, options); !checked) return std::unexpected(checked.error());
  return jobs;
}

}  // namespace pchr::tools
