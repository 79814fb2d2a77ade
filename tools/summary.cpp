// SPDX-License-Identifier: MIT
// What has to be worked out about a character before it can be reported.
#include "summary.hpp"

#include <pchr/bounds.hpp>
#include <pchr/orbit_camera.hpp>

#include <algorithm>
#include <filesystem>
#include <span>
#include <utility>

namespace pchr::tools {
namespace {

int used_influences(std::span<const Vertex> vertices) {
  std::ptrdiff_t most = 0;
  for (const Vertex& vertex : vertices) most = std::max(most, 4 - std::ranges::count(vertex.weights, 0.0F));
  return static_cast<int>(most);
}

/// The layout of a v1 file follows from what is in it.
std::vector<FileSection> v1_sections(const Character& character) {
  std::vector<FileSection> sections;
  std::uint64_t offset = 0;
  const auto add = [&](std::string name, std::uint64_t bytes) {
    sections.push_back({std::move(name), offset, bytes});
    offset += bytes;
  };
  add("header", 12);
  std::uint64_t images = 2;
  for (const Image& image : character.data().images) images += 2 + image.name.size() + 9 + image.bytes.size();
  add("images", images);
  std::uint64_t bones = 2;
  for (const Bone& bone : character.bones()) bones += 2 + bone.name.size() + 2;
  add("bones", bones);
  std::uint64_t meshes = 2;
  for (const Mesh& mesh : character.meshes()) {
    meshes += 2 + mesh.name.size() + 8 + std::uint64_t{mesh.vertex_count} * 40 + std::uint64_t{mesh.index_count} * 2;
  }
  add("meshes", meshes);
  std::uint64_t clips = 2;
  for (const Clip& clip : character.clips()) {
    clips += 2 + clip.name.size() + 3 + std::uint64_t{clip.frame_count} * character.bones().size() * 23;
  }
  add("animations", clips);
  return sections;
}

ClipSummary summarize_clip(const Character& character, std::uint32_t clip) {
  ClipSummary summary;
  summary.bounds = clip_bounds(character, clip);
  DrawList list;
  std::vector<std::uint32_t> first_visible, visible, order;
  // Each mesh's place when it was last seen, from 1. Where those seen before stand out of order, places changed.
  std::vector<std::uint32_t> rank(character.meshes().size(), 0);
  // Without bones all frames are alike, and a file may claim any number of them at no cost.
  const std::uint32_t most = character.bones().empty() ? 1 : 0xFFFFFFFF;
  for (std::uint32_t frame = 0; frame < std::min(character.clips()[clip].frame_count, most); ++frame) {
    build_draw_list(character, character.clips()[clip].samples.frame(frame, character.bones().size()), list);
    order.clear();
    for (const DrawItem& item : list) order.push_back(item.mesh);
    visible = order;
    std::ranges::sort(visible);
    if (frame == 0) {
      first_visible = visible;
    } else {
      summary.changes_visibility = summary.changes_visibility || visible != first_visible;
      const auto known = [&](std::uint32_t mesh) { return rank[mesh] > 0; };
      std::vector<std::uint32_t> ranks;
      for (const std::uint32_t mesh : order) {
        if (known(mesh)) ranks.push_back(rank[mesh]);
      }
      summary.changes_order = summary.changes_order || !std::ranges::is_sorted(ranks);
    }
    for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i + 1;
  }
  return summary;
}

std::uint64_t bytes_with_mipmaps(const Image& image) {
  std::uint64_t bytes = 0;
  for (std::uint64_t width = image.width, height = image.height;; width /= 2, height /= 2) {
    bytes += std::max<std::uint64_t>(width, 1) * std::max<std::uint64_t>(height, 1) * 4;
    if (width <= 1 && height <= 1) return bytes;
  }
}

void estimate_memory(const Character& character, Summary& summary) {
  const std::uint64_t vertices = character.vertices().size_bytes() + character.spatial_vertices().size_bytes();
  const std::uint64_t geometry = vertices + character.indices().size_bytes();
  summary.memory_bytes = geometry;
  summary.bake = bake_cost(character);
  summary.graphics_bytes = vertices + summary.bake.index_bytes;
  for (const Image& image : character.images()) {
    summary.memory_bytes += image.bytes.size();
    summary.graphics_bytes += bytes_with_mipmaps(image);
  }
  for (const Clip& clip : character.clips()) {
    const std::uint64_t floats = 5 + (clip.samples.opacity.empty() ? 0 : 1);
    summary.memory_bytes +=
        clip.samples.x.size() * (floats * sizeof(float) + sizeof(std::uint8_t) + sizeof(std::int32_t)) +
        clip.samples.spatial.size() * sizeof(SpatialSample);
  }
  summary.palette_bytes = std::uint64_t{summary.bake.bones} * (character.is_spatial() ? 48 : 32);
  for (const ClipBakeCost& clip : summary.bake.clips) summary.baked_bytes += clip.palette_bytes;
}

}  // namespace

Summary summarize(const Character& character, const std::string& file) {
  Summary summary;
  std::error_code error;
  if (const auto size = std::filesystem::file_size(file, error); !error) summary.file_bytes = size;
  if (character.data().format == "PCHR v1") summary.sections = v1_sections(character);

  PosedCharacter posed;
  pose_bind(character, posed);
  summary.bind_bounds = bounds(character, posed);
  if (character.is_spatial()) summary.bind_box = box_of(character, posed);
  bool any_frames = false;
  for (std::uint32_t clip = 0; clip < character.clips().size(); ++clip) {
    summary.clips.push_back(summarize_clip(character, clip));
    summary.all_bounds.include(summary.clips.back().bounds);
    any_frames = any_frames || character.clips()[clip].frame_count > 0;
  }
  if (!any_frames) summary.all_bounds = summary.bind_bounds;

  for (const Bone& bone : character.bones()) {
    summary.bone_depths.push_back(bone.parent < 0 ? 1 : summary.bone_depths[static_cast<std::size_t>(bone.parent)] + 1);
  }
  for (const Mesh& mesh : character.meshes()) summary.influences.push_back(used_influences(character.vertices(mesh)));
  estimate_memory(character, summary);
  return summary;
}

}  // namespace pchr::tools
