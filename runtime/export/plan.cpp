// SPDX-License-Identifier: MIT
// Plans the frames and the camera of an animation.
#include "character/bind_pose.hpp"
#include "export/fail.hpp"

#include <pchr/clock.hpp>
#include <pchr/queries.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace pchr {
namespace {

constexpr std::uint64_t kMaxFrames = 1'000'000;

// Snaps a time to a frame if it is too close to see a difference, so that the frame is drawn as authored.
ClipTime snapped(ClipTime time) {
  constexpr float kClose = 1e-4F;
  if (time.factor > 1 - kClose) return {time.next, time.next, 0};
  if (time.factor < kClose) return {time.frame, time.frame, 0};
  return time;
}

void append_frames(FramePlan& plan, const Clip& clip, FrameRange range, double speed) {
  const double start = plan.frame_ends.empty() ? 0 : plan.frame_ends.back();
  for (std::uint32_t frame = range.first; frame <= range.last; ++frame) {
    plan.times.push_back({frame, frame, 0});
    plan.frame_ends.push_back(start + (clip.frame_begin(frame + 1) - clip.frame_begin(range.first)) / speed);
  }
}

std::uint64_t sample_count(const Clip& clip, FrameRange range, const PlanOptions& options) {
  const double seconds = (clip.frame_begin(range.last + 1) - clip.frame_begin(range.first)) / options.speed;
  return static_cast<std::uint64_t>(std::clamp(std::round(seconds * *options.frames_per_second), 1.0, 1e18));
}

void append_samples(FramePlan& plan, const Clip& clip, FrameRange range, const PlanOptions& options) {
  const double rate = *options.frames_per_second;
  Clock clock(clip, LoopMode::from_file, range.first, range.last - range.first + 1);
  const std::uint64_t count = sample_count(clip, range, options);
  for (std::uint64_t i = 0; i < count; ++i) {
    // Seek slightly later so that rounding cannot turn the start of a frame into the end of the previous one.
    constexpr double kLate = 1e-6;
    clock.seek_seconds((static_cast<double>(i) + kLate) / rate * options.speed);
    plan.times.push_back(snapped(clock.position(options.smooth ? Sampling::smooth : Sampling::step)));
    plan.frame_ends.push_back(static_cast<double>(plan.times.size()) / rate);
  }
}

// Scaled bounds in whole pixels, without margins.
struct PixelBox {
  double left = 0, right = 1, bottom = 0, top = 1;

  PixelBox(const Rect& bounds, double scale) {
    // Bounds that span a whole number stay: pixel art of an odd size about the origin lies between whole pixels.
    const auto cover = [](double low, double high, double& from, double& to) {
      constexpr double kRounding = 1e-3;
      const bool spans_whole = std::abs(high - low - std::round(high - low)) < kRounding;
      from = spans_whole ? low : std::floor(low + kRounding);
      to = from + std::max(1.0, std::ceil(high - from - kRounding));
    };
    if (bounds.empty()) return;
    cover(bounds.min.x * scale, bounds.max.x * scale, left, right);
    cover(bounds.min.y * scale, bounds.max.y * scale, bottom, top);
  }
};

double with_margins(double inner, float margin) {
  return inner + 2 * std::ceil(inner * margin / (1 - 2 * margin) - 1e-6);
}

}  // namespace

bool is_bind_pose_clip(const Character& character, ClipId clip) {
  const Clip& held = character.clips()[clip];
  return character.bind_pose_source().clip == clip && held.frame_count == 1 && is_bind_name(held.name) &&
         character.clips().size() > 1;
}

FramePlan plan_still(ClipId clip, ClipTime time) { return {clip, {time}, {1.0}, time.frame}; }

ExportResult<FramePlan> plan_animation(const Character& character, ClipId id, const PlanOptions& options,
                                       std::uint32_t cycles) {
  const Clip& clip = character.clips()[id];
  if (clip.frame_count == 0) return plan_still(ClipId::none, {});
  const FrameRange range = options.frames.value_or(FrameRange{0, clip.frame_count - 1});
  if (range.last >= clip.frame_count) {
    return exporting::reject(fmt::format("there is no frame {}; clip \"{}\" has frames 0 to {}", range.last,
                                         printable(clip.name), clip.frame_count - 1));
  }
  if (!(clip.frames_per_second > 0)) return plan_still(id, {range.first, range.first, 0});

  FrameRange loop = range;
  if (!options.frames) loop.first = std::min(clip.loop_start, range.last);
  const std::uint64_t frames =
      options.frames_per_second ? sample_count(clip, range, options) : range.last - range.first + 1;
  if (frames > kMaxFrames / cycles) {
    return exporting::reject(fmt::format("the animation would have more than {} frames", kMaxFrames));
  }
  FramePlan plan{id, {}, {}, range.first};
  for (std::uint32_t cycle = 0; cycle < cycles; ++cycle) {
    const FrameRange part = cycle == 0 ? range : loop;
    if (options.frames_per_second) {
      append_samples(plan, clip, part, options);
    } else {
      append_frames(plan, clip, part, options.speed);
    }
  }
  return plan;
}

std::uint32_t cycles_of(AnimationFormat format, std::uint32_t plays) {
  using enum AnimationFormat;
  return format == apng || format == gif || format == webp ? 1 : std::max(1U, plays);
}

std::vector<std::string> unique_names(std::vector<std::string> names, std::string_view before, std::string_view after) {
  std::unordered_map<std::string, unsigned> next;  // Next number to try for each used name.
  for (std::string& name : names) {
    const auto [entry, is_free] = next.emplace(name, 2);
    if (is_free) continue;
    // Skip numbered names that already exist.
    std::string numbered;
    unsigned number = entry->second;
    do {
      numbered = fmt::format("{}{}{}{}", name, before, number++, after);
    } while (next.contains(numbered));
    entry->second = number;
    next.emplace(numbered, 2);
    name = std::move(numbered);
  }
  return names;
}

ExportResult<FrameSize> frame_size(const Framing& framing, const Rect& bounds) {
  double width = framing.size.width, height = framing.size.height;
  if (framing.scale) {
    const PixelBox box(bounds, *framing.scale);
    width = with_margins(box.right - box.left, framing.margin);
    height = with_margins(box.top - box.bottom, framing.margin);
  }
  // Negate the comparison: the product is NaN if the bounds are too large.
  if (!(width <= kMaxFrameSide && height <= kMaxFrameSide && width * height <= static_cast<double>(kMaxFramePixels))) {
    return exporting::reject(
        fmt::format("a frame would have {:.0f} x {:.0f} pixels, but the limit is {} pixels per side and {} megapixels",
                    width, height, kMaxFrameSide, kMaxFramePixels >> 20));
  }
  return FrameSize{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
}

Camera frame_camera(const Framing& framing, FrameSize size, const Rect& bounds) {
  Camera camera;
  camera.viewport = {size.width, size.height};
  camera.flip_y = framing.flip_y;
  if (framing.scale) {
    const PixelBox box(bounds, *framing.scale);
    camera.zoom = *framing.scale;
    // Avoid a center between two pixels if the margins have an odd number of pixels.
    const auto middle = [&](double low, double high, std::uint32_t pixels) {
      const double more = pixels - (high - low);
      return static_cast<float>((low + high + (std::fmod(more, 2) != 0 ? 1 : 0)) / 2 / *framing.scale);
    };
    camera.center = {middle(box.left, box.right, size.width), middle(box.bottom, box.top, size.height)};
    return camera;
  }
  camera = fit(camera, bounds, framing.margin);
  if (framing.zoom) camera.zoom = *framing.zoom;
  if (!framing.center.empty()) camera.center = {framing.center[0], framing.center[1]};
  return camera;
}

ExportResult<std::vector<ExportPlan>> plan_export(const Character& character, const ExportRequest& request) {
  using Fit = ExportRequest::Fit;
  const auto bounds_of = [&](ClipId clip, ClipTime time) {
    if (request.bounds) return request.bounds(clip, time);
    if (clip != ClipId::none) return compute_clip_bounds(character, clip);
    PoseBuffers posed;
    pose_bind(character, posed);
    return bounds(character, posed);
  };
  std::vector<ExportPlan> plans;
  Rect all;
  for (const ClipId id : request.clips) {
    const Clip* const clip = id != ClipId::none ? &character.clips()[id] : nullptr;
    ExportPlan& plan = plans.emplace_back();
    if (clip == nullptr || clip->frame_count == 0) {
      plan.frames = plan_still(ClipId::none, {});
    } else if (request.still) {
      plan.frames = plan_still(id, *request.still);
    } else {
      auto planned = plan_animation(character, id, request.frames, request.cycles);
      if (!planned) return Unexpected(planned.error());
      plan.frames = *std::move(planned);
    }
    plan.plays = request.plays.value_or(plan.frames.clip != ClipId::none && clip->looping ? 0 : 1);
    plan.size = {1, 1};
    std::vector<Rect> seen;
    for (const ClipTime time : plan.frames.times) {
      seen.push_back(bounds_of(plan.frames.clip, time));
      if (request.fit != Fit::frame) break;
    }
    all.include(seen.front());
    if (request.fit == Fit::all) continue;
    for (const Rect& each : seen) {
      const auto size = frame_size(request.framing, each);
      if (!size) return Unexpected(size.error());
      plan.size = {std::max(plan.size.width, size->width), std::max(plan.size.height, size->height)};
    }
    for (const Rect& each : seen) plan.cameras.push_back(frame_camera(request.framing, plan.size, each));
  }
  if (request.fit == Fit::all) {
    const auto size = frame_size(request.framing, all);
    if (!size) return Unexpected(size.error());
    for (ExportPlan& plan : plans) {
      plan.size = *size;
      plan.cameras = {frame_camera(request.framing, *size, all)};
    }
  }
  return plans;
}

ExportedAnimation make_animation(const FramePlan& plan, FrameSize size, const Camera& camera) {
  return make_animation({plan, size, {camera}, 0});
}

ExportedAnimation make_animation(const ExportPlan& plan) {
  ExportedAnimation animation;
  const std::vector<ClipTime>& times = plan.frames.times;
  for (std::size_t i = 0; i < times.size(); ++i) {
    animation.frames.push_back({plan.frames.clip, times[i], plan.cameras[plan.cameras.size() > 1 ? i : 0]});
  }
  animation.info = {plan.size.width, plan.size.height, plan.frames.frame_ends, plan.plays};
  return animation;
}

}  // namespace pchr
