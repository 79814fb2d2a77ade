// SPDX-License-Identifier: MIT
// What changed between two characters, apart from pixels.
#include "differences.hpp"

#include <pchr/pose.hpp>

#include <fmt/format.h>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace pchr::tools {
namespace {

using Differences = std::vector<StructureDifference>;

std::string name_of_parent(const Character& character, const Bone& bone) {
  return bone.parent < 0 ? "none" : character.bones()[static_cast<std::size_t>(bone.parent)].name;
}

void compare_bone(const Character& a, const Character& b, const Bone& in_a, const Bone& in_b, Differences& out) {
  const std::string before = name_of_parent(a, in_a), after = name_of_parent(b, in_b);
  if (before != after) out.push_back({"bone", in_a.name, fmt::format("parent {}, then {}", before, after)});
}

void compare_mesh(const Character& a, const Character& b, const Mesh& in_a, const Mesh& in_b, Differences& out) {
  const auto say = [&](std::string change) { out.push_back({"mesh", in_a.name, std::move(change)}); };
  if (in_a.vertex_count != in_b.vertex_count) {
    return say(fmt::format("{} vertices, then {}", in_a.vertex_count, in_b.vertex_count));
  }
  if (in_a.index_count != in_b.index_count) {
    return say(fmt::format("{} triangles, then {}", in_a.index_count / 3, in_b.index_count / 3));
  }
  if (!std::ranges::equal(a.indices(in_a), b.indices(in_b))) say("other triangles");
  const auto place = [](const Vertex& vertex) { return std::array{vertex.x, vertex.y}; };
  const auto texture = [](const Vertex& vertex) { return std::array{vertex.u, vertex.v}; };
  if (!std::ranges::equal(a.vertices(in_a), b.vertices(in_b), {}, place, place)) say("vertices in other places");
  if (!std::ranges::equal(a.vertices(in_a), b.vertices(in_b), {}, texture, texture)) say("other texture coordinates");
  const auto influences = [](const Character& character, const Vertex& vertex) {
    std::array<std::pair<std::string_view, float>, 4> named;
    for (std::size_t i = 0; i < 4; ++i) {
      if (vertex.weights[i] != 0) named[i] = {character.bones()[vertex.bones[i]].name, vertex.weights[i]};
    }
    return named;
  };
  const bool same_weights = std::ranges::equal(
      a.vertices(in_a), b.vertices(in_b),
      [&](const Vertex& before, const Vertex& after) { return influences(a, before) == influences(b, after); });
  if (!same_weights) say("other weights");
}

void compare_clip(const Character&, const Character&, const Clip& in_a, const Clip& in_b, Differences& out) {
  const auto say = [&](std::string change) { out.push_back({"clip", in_a.name, std::move(change)}); };
  if (in_a.frame_count != in_b.frame_count) say(fmt::format("{} frames, then {}", in_a.frame_count, in_b.frame_count));
  if (in_a.duration_seconds() != in_b.duration_seconds() || in_a.frame_ends != in_b.frame_ends) {
    say(fmt::format("lasts {:.6g} s, then {:.6g} s{}", in_a.duration_seconds(), in_b.duration_seconds(),
                    in_a.duration_seconds() == in_b.duration_seconds() ? ", with other times of frames" : ""));
  }
  if (in_a.looping != in_b.looping) say(in_a.looping ? "loops, then does not" : "does not loop, then does");
  if (in_a.loop_start != in_b.loop_start) {
    say(fmt::format("loops from frame {}, then {}", in_a.loop_start, in_b.loop_start));
  }
}

template <class Part>
const Part* find_named(std::span<const Part> parts, const std::string& name) {
  const auto found = std::ranges::find(parts, name, &Part::name);
  return found == parts.end() ? nullptr : &*found;
}

template <class Part, class Compare>
void compare_parts(const Character& a, const Character& b, std::span<const Part> in_a, std::span<const Part> in_b,
                   const std::string& kind, const Compare& compare, Differences& out) {
  for (const Part& part : in_a) {
    if (find_named(in_a, part.name) != &part) continue;
    if (const Part* other = find_named(in_b, part.name)) {
      compare(a, b, part, *other, out);
    } else {
      out.push_back({kind, part.name, "only in the first"});
    }
  }
  for (const Part& part : in_b) {
    if (find_named(in_b, part.name) != &part || find_named(in_a, part.name) != nullptr) continue;
    out.push_back({kind, part.name, "only in the second"});
  }
}

// How far apart two transforms of a bone put what moves with it.
double distance(const Affine& a, const Affine& b) {
  double most = 0;
  for (const Vec2 point : {Vec2{0, 0}, Vec2{kReachPixels, 0}, Vec2{0, kReachPixels}}) {
    const double apart = glm::length(apply(a, point) - apply(b, point));
    // What is not finite in one of them is as far as can be; in both, it is the same.
    if (std::isfinite(apart)) {
      most = std::max(most, apart);
    } else if (a != b) {
      most = std::numeric_limits<double>::infinity();
    }
  }
  return most;
}

}  // namespace

std::vector<StructureDifference> compare_structure(const Character& a, const Character& b) {
  Differences out;
  compare_parts(a, b, a.bones(), b.bones(), "bone", compare_bone, out);
  compare_parts(a, b, a.meshes(), b.meshes(), "mesh", compare_mesh, out);
  compare_parts(a, b, a.clips(), b.clips(), "clip", compare_clip, out);
  return out;
}

std::vector<PoseDifference> compare_poses(const Character& a, const Character& b) {
  std::vector<std::pair<std::size_t, std::size_t>> bones;
  for (std::size_t bone = 0; bone < a.bones().size(); ++bone) {
    if (const auto other = b.find_bone(a.bones()[bone].name)) bones.emplace_back(bone, *other);
  }
  std::vector<PoseDifference> differences;
  PosedCharacter posed_a, posed_b;
  for (std::uint32_t clip = 0; clip < a.clips().size(); ++clip) {
    const std::string& name = a.clips()[clip].name;
    const auto other = b.find_clip(name);
    if (a.find_clip(name) != clip || !other) continue;
    PoseDifference most{name, 0, 0, ""};
    const std::uint32_t frames = std::min(a.clips()[clip].frame_count, b.clips()[*other].frame_count);
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
      pose_clip(a, clip, {frame, frame, 0}, posed_a);
      pose_clip(b, *other, {frame, frame, 0}, posed_b);
      for (const auto& [in_a, in_b] : bones) {
        const double apart = distance(posed_a.world[in_a], posed_b.world[in_b]);
        if (apart > most.pixels) most = {name, apart, frame, a.bones()[in_a].name};
      }
    }
    differences.push_back(std::move(most));
  }
  return differences;
}

}  // namespace pchr::tools
