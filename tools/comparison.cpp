// SPDX-License-Identifier: MIT
#include "comparison.hpp"

#include "json.hpp"
#include "platform/terminal.hpp"
#include "worker.hpp"

#include <pchr/queries.hpp>

#include <array>

namespace pchr::tools {
namespace {

// Draws evenly spaced frames and the frame in which the poses differ most.
ClipImage compare_clip(Stage& stage, const Input& a, const Input& b, ClipId clip, ClipId other,
                       std::uint32_t frame_of_max_pose_difference, const ComparisonOptions& options) {
  const std::uint32_t common = std::min(a.character.clips()[clip].frame_count, b.character.clips()[other].frame_count);
  const std::uint32_t count = std::min(common, options.frames);
  std::vector<std::uint32_t> frames{frame_of_max_pose_difference};
  for (std::uint64_t i = 0; i < count; ++i) frames.push_back(static_cast<std::uint32_t>(i * common / count));
  Rect bounds = compute_clip_bounds(a.character, clip, executor());
  bounds.include(compute_clip_bounds(b.character, other, executor()));
  const Camera camera = frame_camera(options.view, options.view.size, bounds);
  ClipImage worst{clip, other, 0, camera, {}, {}, {}};
  for (const std::uint32_t frame : frames) {
    if (interrupted()) fail(ExitCode::environment);
    Bitmap in_a = stage.draw({clip, {frame, frame, 0}, camera}, options.view.size, options.view, 0);
    Bitmap in_b = stage.draw({other, {frame, frame, 0}, camera}, options.view.size, options.view, 1);
    const ImageDifference difference = compare_images(in_a, in_b);
    if (!worst.first.rgba.empty() && difference.score <= worst.difference.score) continue;
    worst = {clip, other, frame, camera, difference, std::move(in_a), std::move(in_b)};
  }
  return worst;
}

std::vector<ClipImage> compare_looks(Stage& stage, const Input& a, const Input& b, const Matches& matches,
                                     const std::vector<PoseDifference>& poses, const ComparisonOptions& options) {
  catch_interrupts();
  std::vector<ClipImage> images;
  for (const PoseDifference& pose : poses) {
    if (!pose.clip) continue;
    const ClipId clip = *pose.clip, other{*matches.clips[index(clip)]};
    if (a.character.clips()[clip].frame_count == 0 || b.character.clips()[other].frame_count == 0) continue;
    images.push_back(compare_clip(stage, a, b, clip, other, pose.frame, options));
  }
  return images;
}

}  // namespace

void add_comparison_options(CLI::App& command, ComparisonOptions& options) {
  add_option(command, "--tolerance", options.tolerance, "PX",
             "Max distance of poses that counts as equal, in world pixels (default: 0.001)",
             check_range(0, std::numeric_limits<double>::infinity()));
  add_option(command, "--threshold", options.threshold, "T", "Max score of images that counts as equal (default: 0.01)",
             check_range(0, 1));
  add_option(command, "--frames", options.frames, "N",
             "Frames of each clip to draw, besides the one with the largest pose difference (default: 16)",
             check_range(1, 1'000'000));
}

Comparison compare_characters(const Input& a, const Sidecar& sidecar_of_a, const Input& b, const Sidecar& sidecar_of_b,
                              Stage* stage, const ComparisonOptions& options) {
  const Matches matches = match_parts(a, b);
  Comparison found;
  found.structure = compare_structure({a, sidecar_of_a, a.bitmaps}, {b, sidecar_of_b, b.bitmaps}, matches);
  found.poses = compare_poses(a.character, b.character, matches);
  if (stage != nullptr) found.images = compare_looks(*stage, a, b, matches, found.poses, options);
  found.same =
      found.structure.empty() &&
      std::ranges::none_of(found.poses, [&](const auto& each) { return each.pixels > options.tolerance; }) &&
      std::ranges::none_of(found.images, [&](const auto& each) { return each.difference.score > options.threshold; });
  return found;
}

void append_comparison(JsonWriter& json, const Comparison& comparison, const Character& first) {
  const auto name_of = [&](ClipId clip) -> std::string_view { return first.clips()[clip].name; };
  json.fields("same", comparison.same);
  json.list("structure", comparison.structure, [&](const StructureDifference& each) {
    json.object("kind", each.kind, "name", each.name, "index", each.index, "change", each.change);
  });
  json.list("poses", comparison.poses, [&](const PoseDifference& each) {
    const std::string_view bone = each.bone ? std::string_view(first.bones()[*each.bone].name) : "";
    const std::optional clip = each.clip ? std::optional(name_of(*each.clip)) : std::nullopt;
    json.object("clip", clip, "index", each.clip, "pixels", each.pixels, "frame", each.frame, "bone", bone, "boneIndex",
                each.bone);
  });
  json.list("images", comparison.images, [&](const ClipImage& each) {
    const ImageDifference& difference = each.difference;
    json.object("clip", name_of(each.clip), "index", each.clip, "score", difference.score, "frame", each.frame, "x",
                difference.x, "y", difference.y, "differingPixels", difference.pixels, "maxDifference",
                difference.max_channel);
  });
}

void append_comparison(JsonWriter& json, bool same) {
  constexpr std::array<int, 0> kNone{};
  json.fields("same", same, "structure", kNone, "poses", kNone, "images", kNone);
}

std::vector<std::string> describe_comparison(const Comparison& comparison, const Character& first,
                                             const ComparisonOptions& options) {
  const auto clip_named = [&](ClipId clip) {
    return fmt::format("clip {} {}", index(clip), shown(first.clips()[clip].name));
  };
  std::vector<std::string> lines;
  for (const StructureDifference& each : comparison.structure) {
    const std::string index = each.index ? fmt::format("{} ", *each.index) : "";
    lines.push_back(fmt::format("{} {}{}: {}", each.kind, index, shown(each.name), printable(each.change)));
  }
  for (const PoseDifference& each : comparison.poses) {
    if (each.pixels <= options.tolerance) continue;
    lines.push_back(fmt::format("pose in {}: up to {:.3f} px apart, at frame {} in bone {} {}",
                                each.clip ? clip_named(*each.clip) : "the bind pose", each.pixels, each.frame,
                                index(*each.bone), shown(first.bones()[*each.bone].name)));
  }
  for (const ClipImage& each : comparison.images) {
    if (each.difference.score <= options.threshold) continue;
    lines.push_back(fmt::format("image of {}: score {:.4f} at frame {}; {} pixels differ, by up to {} of 255",
                                clip_named(each.clip), each.difference.score, each.frame, each.difference.pixels,
                                each.difference.max_channel));
  }
  return lines;
}

}  // namespace pchr::tools
