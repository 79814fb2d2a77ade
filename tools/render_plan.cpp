// SPDX-License-Identifier: MIT
#include "name_pattern.hpp"
#include "platform/file_path.hpp"
#include "render.hpp"

#include <glm/common.hpp>

#include <set>

namespace pchr::tools {
namespace {

bool numbers_frames(const std::string& pattern) {
  NameParts parts{"", "", "", 0, 0};
  const std::string first = fill_name(pattern, parts);
  parts.frame = 1;
  return fill_name(pattern, parts) != first;
}

bool is_animated(const RenderOptions& options) {
  if (options.moment.frame || options.moment.seconds) return false;
  return options.encoder.format != AnimationFormat::png || numbers_frames(options.output) ||
         options.plan.frames.has_value() || options.plan.frames_per_second.has_value();
}

/// Returns the named clips, or all, or else the first; with `moving`, the first that is not just the bind pose. Returns
/// `none`, the bind pose, if there are no clips.
std::vector<ClipId> clips_to_render(const Character& character, const RenderOptions& options, bool moving) {
  if (!options.clips.empty() || options.all_clips) {
    std::vector<ClipId> found = find_clips(character, options.clips);
    if (!found.empty()) return found;
  }
  const auto count = static_cast<std::uint32_t>(character.clips().size());
  if (count == 0) {
    check_usage({{options.moment.frame || options.moment.seconds || options.plan.frames,
                  "the character has no clips, so --frame, --frames and --time do not apply"}});
    return {ClipId::none};
  }
  std::uint32_t first = 0;
  while (moving && first + 1 < count && is_bind_pose_clip(character, ClipId{first})) ++first;
  return {ClipId{first}};
}

/// Includes some frames of a clip, or the bind pose if it has none.
void include_clip(Box& box, const Character& character, ClipId clip) {
  constexpr std::uint32_t kMaxFrames = 16;
  const std::uint32_t frames = clip != ClipId::none ? character.clips()[clip].frame_count : 0;
  const std::uint32_t step = std::max(frames / kMaxFrames, 1U);
  for (std::uint32_t frame = 0; frame < std::max(frames, 1U); frame += step) {
    const Box seen = box_of(character, pose_at(character, frames > 0 ? clip : ClipId::none, {frame, frame, 0}));
    if (seen.empty()) continue;
    box.include(seen.min);
    box.include(seen.max);
  }
}

Box box_to_fit(const Character& character, const RenderOptions& options, ClipId clip, ClipTime time) {
  if (options.fit == Fit::frame) return box_of(character, pose_at(character, clip, time));
  Box box;
  if (options.fit == Fit::clip) {
    include_clip(box, character, clip);
    return box;
  }
  for (const ClipId each : character.clips().ids()) include_clip(box, character, each);
  if (box.empty()) include_clip(box, character, ClipId::none);
  return box;
}

ExportPlan plan_clip(const Character& character, const RenderOptions& options, ClipId clip, bool moving) {
  const auto bounds_at = [&](ClipId shown, ClipTime time) { return bounds_to_fit(character, options, shown, time); };
  ExportRequest request{.clips = {clip},
                        .frames = options.plan,
                        .cycles = cycles_of(options.encoder.format, options.loops.value_or(1)),
                        .plays = options.loops,
                        .framing = options.view,
                        .fit = options.fit == Fit::frame ? ExportRequest::Fit::frame : ExportRequest::Fit::clip,
                        .bounds = bounds_at};
  request.frames.smooth = options.moment.smooth;
  if (!moving && clip != ClipId::none) request.still = find_time(character.clips()[clip], options.moment);
  return std::move(or_fail(plan_export(character, request)).front());
}

/// Fails as wrong usage if two outputs have the same name, or one would replace the input.
void check_paths(const std::vector<ExportedAnimation>& animations, const RenderOptions& options) {
  std::set<std::string> seen;
  for (const ExportedAnimation& animation : animations) {
    for (const std::string& path : animation.paths) {
      or_fail(options.input.read->check_output(path));
      // Windows ignores case.
      const bool is_new = seen.insert(kPathStyle == PathStyle::windows ? CLI::detail::to_lower(path) : path).second;
      if (path == "-" || options.output.empty() || is_new) continue;
      fail(ExitCode::usage,
           "several images would be written to {}\n"
           "  hint: use {{clip}}, {{index}} or {{frame:04}} in the output name",
           printable(path));
    }
  }
  if (options.output == "-" && animations.size() > 1)
    fail(ExitCode::usage, "pchr: only one clip can be written to standard output");
}

template <class T>
void keep_range(std::vector<T>& values, std::size_t first, std::size_t end) {
  values.erase(values.begin() + static_cast<std::ptrdiff_t>(end), values.end());
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(first));
}

}  // namespace

Rect bounds_to_fit(const Character& character, const RenderOptions& options, ClipId clip, ClipTime time) {
  if (options.fit == Fit::file) return compute_character_bounds(character, executor());
  if (clip != ClipId::none && options.fit == Fit::clip) return compute_clip_bounds(character, clip, executor());
  return bounds(character, pose_at(character, clip, time));
}

std::optional<SceneView> scene_to_fit(const Character& character, const RenderOptions& options, ClipId clip,
                                      ClipTime time, const Camera& camera) {
  if (!options.orbit.used()) return std::nullopt;
  const Box box = box_to_fit(character, options, clip, time);
  SceneView view;
  if (options.orbit.angles.empty()) {
    const Vec3 reach = box.empty() ? Vec3{1.0F} : glm::max(glm::abs(box.min), glm::abs(box.max));
    view = scene_view(camera, reach.z * 2);
  } else {
    OrbitCamera orbit;
    orbit.yaw_degrees = options.orbit.angles[0];
    orbit.pitch_degrees = options.orbit.angles[1];
    orbit.viewport = camera.viewport;
    view = scene_view(fit(orbit, box, options.view.margin));
  }
  view.cull_back_faces = options.orbit.cull;
  return view;
}

std::vector<ExportedAnimation> plan_animations(const Character& character, const RenderOptions& options) {
  const bool moving = is_animated(options);
  check_usage({{!moving && options.plan.speed != 1, "--speed has no effect on a single frame"},
               {!moving && options.loops && options.encoder.format == AnimationFormat::png,
                "--loops has no effect on a single frame"}});
  // Clips can have equal names, or names that become equal once they are safe.
  std::vector<std::string> names;
  for (const Clip& clip : character.clips()) names.push_back(safe_part(clip.name));
  names = unique_names(std::move(names), "_", "");
  PixelBudget budget = options.budget;
  std::vector<ExportedAnimation> animations;
  for (const ClipId clip : clips_to_render(character, options, moving)) {
    const ExportPlan plan = plan_clip(character, options, clip, moving);
    budget.take(plan.frames.times.size(), plan.size);
    ExportedAnimation& animation = animations.emplace_back(make_animation(plan));
    for (ExportFrame& frame : animation.frames) {
      frame.scene = &frame == &animation.frames.front() || options.fit == Fit::frame
                        ? scene_to_fit(character, options, frame.clip, frame.time, frame.camera)
                        : animation.frames.front().scene;
    }
    NameParts parts = parts_of_input(options.input.file);
    parts.clip = clip != ClipId::none ? names[index(clip)] : "bind";
    parts.index = clip != ClipId::none ? index(clip) : 0;
    const std::size_t files = options.encoder.format == AnimationFormat::png ? animation.frames.size() : 1;
    for (std::size_t i = 0; i < files; ++i) {
      parts.frame = plan.frames.first_frame + i;
      animation.paths.push_back(fill_name(options.output, parts));
    }
  }
  check_paths(animations, options);
  return animations;
}

void keep_shard(std::vector<ExportedAnimation>& animations, const Shard& shard) {
  std::size_t total = 0, before = 0;
  for (const ExportedAnimation& animation : animations) total += animation.paths.size();
  const auto [first, end] = output_range(shard, static_cast<std::uint32_t>(total));
  for (ExportedAnimation& animation : animations) {
    const std::size_t count = animation.paths.size();
    const std::size_t from = std::clamp<std::size_t>(first, before, before + count) - before;
    const std::size_t to = std::clamp<std::size_t>(end, before, before + count) - before;
    before += count;
    // An animation in one file is kept or dropped as a whole.
    if (animation.frames.size() == count) {
      std::vector<double>& ends = animation.info.frame_ends;
      const double start = from > 0 ? ends[from - 1] : 0;
      for (double& each : ends) each -= start;
      keep_range(ends, from, to);
      keep_range(animation.frames, from, to);
    }
    keep_range(animation.paths, from, to);
  }
  std::erase_if(animations, [](const ExportedAnimation& animation) { return animation.paths.empty(); });
}

}  // namespace pchr::tools
