// SPDX-License-Identifier: MIT
// When the frames of an artwork are shown.
#include "formats/px/clips.hpp"

#include "formats/px/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace pchr::px {
namespace {

constexpr std::uint32_t kDefaultMs = 100;
/// A tag that repeats is written out as often if that makes at most this many frames.
constexpr std::size_t kMostRepeatedFrames = 1024;

std::vector<std::uint32_t> once_through(const ArtworkTag& tag) {
  std::vector<std::uint32_t> frames(tag.last_frame - tag.first_frame + 1);
  std::iota(frames.begin(), frames.end(), tag.first_frame);
  if (tag.direction == TagDirection::backward) std::ranges::reverse(frames);
  if (tag.direction == TagDirection::ping_pong) {
    for (std::size_t i = frames.size() - 1; i-- > 1;) frames.push_back(frames[i]);
  }
  return frames;
}

ClipPlan plan_clip(const ArtworkTag& tag, Remarks& remarks) {
  ClipPlan plan{tag.name, tag.repeats == 0, once_through(tag)};
  if (tag.repeats <= 1) return plan;
  const std::vector<std::uint32_t> once = plan.frames;
  if (once.size() > kMostRepeatedFrames / tag.repeats) {
    remarks.add(FindingId::px_repeats_ignored, [&] {
      return Finding{FindingId::px_repeats_ignored,
                     "tags",
                     tag.name,
                     {},
                     fmt::format("it repeats {} frames {} times; at most {} frames in all are written out", once.size(),
                                 tag.repeats, kMostRepeatedFrames)};
    });
    return plan;
  }
  for (std::uint32_t i = 1; i < tag.repeats; ++i) plan.frames.insert(plan.frames.end(), once.begin(), once.end());
  return plan;
}

bool has_tag(const std::vector<ArtworkTag>& tags, std::string_view name) {
  return std::ranges::find(tags, name, &ArtworkTag::name) != tags.end();
}

}  // namespace

std::vector<std::uint32_t> frame_times(const File& file, std::size_t frame_count, Remarks& remarks) {
  std::vector<std::uint32_t> times;
  times.reserve(frame_count);
  for (const Item& item : file.items) {
    for (std::size_t i = 0; i < item.frames.size(); ++i) {
      const std::uint32_t ms = item.frames[i].ms;
      if (i == times.size()) times.push_back(ms);
      if (ms == times[i]) continue;
      remarks.add(FindingId::px_duration_conflict, [&] {
        return finding_in(FindingId::px_duration_conflict, std::string(section_of(item.kind)), item.name, item.offset,
                          fmt::format("frame {} lasts {} ms here and {} ms in a layer before", i, ms, times[i]));
      });
    }
  }
  const auto zeros = std::ranges::count(times, 0U);
  if (zeros > 0) {
    remarks.add(FindingId::px_value_replaced, [&] {
      return finding_in(FindingId::px_value_replaced, "frames", {}, {},
                        fmt::format("{} frames last 0 ms; they are shown for {}", zeros, kDefaultMs));
    });
    std::ranges::replace(times, 0U, kDefaultMs);
  }
  return times;
}

std::vector<ArtworkTag> playable_tags(const File& file, std::size_t frame_count, Remarks& remarks) {
  std::vector<ArtworkTag> tags = file.tags;
  if (frame_count == 0) return {};
  for (std::uint32_t i = 0; i < tags.size(); ++i) {
    ArtworkTag& tag = tags[i];
    tag.clip = i;
    if (tag.name.empty()) tag.name = fmt::format("tag {}", i + 1);
    const std::uint32_t first = tag.first_frame, last = tag.last_frame;
    const auto most = static_cast<std::uint32_t>(frame_count - 1);
    tag.first_frame = std::min({first, last, most});
    tag.last_frame = std::min(std::max(first, last), most);
    if (first <= last && last <= most) continue;
    remarks.add(FindingId::px_value_replaced, [&] {
      return Finding{FindingId::px_value_replaced,
                     "tags",
                     tag.name,
                     {},
                     fmt::format("found frames {} to {} of {}; {} to {} are played", first, last, frame_count,
                                 tag.first_frame, tag.last_frame)};
    });
  }
  return tags;
}

std::optional<std::vector<ClipPlan>> plan_clips(const std::vector<ArtworkTag>& tags, std::size_t frame_count,
                                                std::uint64_t most_frames, Remarks& remarks) {
  std::vector<ClipPlan> plans;
  if (frame_count == 0) return plans;
  std::uint64_t frames = frame_count;
  for (const ArtworkTag& tag : tags) {
    plans.push_back(plan_clip(tag, remarks));
    frames += plans.back().frames.size();
    if (frames > most_frames) return std::nullopt;
  }
  ClipPlan whole{tags.empty() ? "default" : has_tag(tags, "all") ? "all frames" : "all"};
  whole.frames.resize(frame_count);
  std::iota(whole.frames.begin(), whole.frames.end(), 0U);
  plans.push_back(std::move(whole));
  return plans;
}

void set_times(Clip& clip, const ClipPlan& plan, const std::vector<std::uint32_t>& frame_ms, double speed) {
  const double first_ms = frame_ms[plan.frames.front()];
  std::uint64_t end_ms = 0;
  bool is_even = true;
  for (const std::uint32_t frame : plan.frames) {
    is_even = is_even && frame_ms[frame] == first_ms;
    end_ms += frame_ms[frame];
    clip.frame_ends.push_back(static_cast<double>(end_ms) / 1000 / speed);
  }
  clip.frames_per_second = is_even
                               ? 1000 / first_ms * speed
                               : static_cast<double>(plan.frames.size()) * 1000 * speed / static_cast<double>(end_ms);
  if (is_even) clip.frame_ends.clear();
}

std::uint32_t nominal_rate(const std::vector<std::uint32_t>& frame_ms, double speed) {
  constexpr double kHighestRate = 60;
  if (frame_ms.empty()) return 0;
  std::uint32_t step_ms = 0;
  for (const std::uint32_t ms : frame_ms) step_ms = std::gcd(step_ms, ms);
  const bool is_even = std::ranges::all_of(frame_ms, [&](std::uint32_t ms) { return ms == step_ms; });
  const double rate = 1000.0 / std::max(step_ms, 1U) * speed;
  return static_cast<std::uint32_t>(std::clamp(std::round(rate), 1.0, is_even ? 1000.0 : kHighestRate));
}

}  // namespace pchr::px
