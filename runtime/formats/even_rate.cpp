// SPDX-License-Identifier: MIT
// Clips sampled anew at one rate.
#include "formats/even_rate.hpp"

#include <pchr/pose.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pchr {
namespace {

bool is_even(const Clip& clip, double rate) noexcept {
  return clip.frame_count == 0 || (clip.frames_per_second == rate && clip.frame_ends.empty());
}

template <typename Values>
void copy_frames(const Values& from, Values& to, const std::vector<std::uint32_t>& frames, std::size_t bones) {
  if (from.empty()) return;
  to.resize(frames.size() * bones);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    std::copy_n(from.data() + frames[i] * bones, bones, to.data() + i * bones);
  }
}

/// The frame of `clip` with which each frame of the new one begins.
std::vector<std::uint32_t> frames_at(const Clip& clip, double rate, std::uint32_t count) {
  std::vector<std::uint32_t> frames(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    // Half a microsecond later: what begins with the new frame is in it, however its time was rounded.
    frames[i] = frame_position(clip, i / rate + 0.5e-6, Sampling::step).frame;
  }
  return frames;
}

}  // namespace

bool has_even_rate(const CharacterData& data) noexcept {
  return std::ranges::all_of(data.clips, [&](const Clip& clip) { return is_even(clip, data.frames_per_second); });
}

std::optional<CharacterData> with_even_rate(const CharacterData& data, std::uint64_t most_samples) {
  const double rate = data.frames_per_second;
  const std::size_t bones = data.bones.size();
  CharacterData even = data;
  double samples_left = static_cast<double>(most_samples);
  for (Clip& clip : even.clips) {
    if (rate > 0 && clip.duration_seconds() > 0 && !is_even(clip, rate)) {
      const double count = std::max(std::round(clip.duration_seconds() * rate), 1.0);
      if (count * static_cast<double>(std::max<std::size_t>(bones, 1)) > samples_left || count > 0xFFFFFFFF) return {};
      Clip once = std::move(clip);
      once.looping = false;
      clip = {};
      clip.name = std::move(once.name);
      clip.looping = data.clips[static_cast<std::size_t>(&clip - even.clips.data())].looping;
      clip.frame_count = static_cast<std::uint32_t>(count);
      const std::vector<std::uint32_t> frames = frames_at(once, rate, clip.frame_count);
      copy_frames(once.samples.x, clip.samples.x, frames, bones);
      copy_frames(once.samples.y, clip.samples.y, frames, bones);
      copy_frames(once.samples.rotation_degrees, clip.samples.rotation_degrees, frames, bones);
      copy_frames(once.samples.scale_x, clip.samples.scale_x, frames, bones);
      copy_frames(once.samples.scale_y, clip.samples.scale_y, frames, bones);
      copy_frames(once.samples.opacity, clip.samples.opacity, frames, bones);
      copy_frames(once.samples.visible, clip.samples.visible, frames, bones);
      copy_frames(once.samples.z_order, clip.samples.z_order, frames, bones);
    }
    clip.frames_per_second = rate;
    clip.frame_ends.clear();
    samples_left -= static_cast<double>(clip.frame_count) * static_cast<double>(bones);
    if (samples_left < 0) return {};
  }
  return even;
}

}  // namespace pchr
