// SPDX-License-Identifier: MIT
// Bakes clips: palettes and draw orders of all frames.
#include "animation/bake.hpp"

#include "animation/frames.hpp"
#include "animation/skinning.hpp"
#include "character/heap_sort.hpp"

#include <pchr/3d.hpp>
#include <pchr/queries.hpp>

#include <cassert>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <utility>

namespace pchr {
namespace {

// A quarter pixel, minus the error that rounding the blend factor can add.
constexpr float kMaxBlendError = 0.2F;
constexpr std::uint32_t kMaxBakeSteps = 16;
// Real characters have a few thousand indices in all.
constexpr std::size_t kMaxOrderIndices = std::size_t{4} << 20;

/// Returns the clip time of a row.
ClipTime time_of_row(std::uint32_t frames, BakeRate rate, std::size_t row) {
  const auto frame = static_cast<std::uint32_t>(row / rate.steps) % frames;
  const auto step = static_cast<std::uint32_t>(row % rate.steps);
  return {frame, (frame + 1) % frames, static_cast<float>(step) / static_cast<float>(rate.steps)};
}

/// Returns, for each mesh, whether any frame of the clip shows it.
std::vector<bool> find_visible_meshes(const Character& character, ClipId clip) {
  std::vector<bool> shown(character.meshes().size());
  const std::size_t bones = character.bones().size();
  const bool in_clip = character.clips().contains(clip) && character.clips()[clip].frame_count > 0;
  const auto visible =
      in_clip ? std::span<const std::uint8_t>(character.clips()[clip].samples.visible) : character.bind_pose().visible;
  for (const MeshId mesh : character.meshes().ids()) {
    shown[index(mesh)] = bones == 0;
    for (std::size_t i = index(character.governing_bone(mesh)); i < visible.size() && !shown[index(mesh)]; i += bones) {
      shown[index(mesh)] = visible[i] != 0;
    }
  }
  return shown;
}

/// Types and operations that differ between 2D and 3D characters.
struct TwoD {
  using Box = Rect;
  static Vec2 point(const Character& character, std::size_t vertex) {
    return {character.vertices()[vertex].x, character.vertices()[vertex].y};
  }
  static std::span<const Affine> palette(const ComposedPose& pose) { return pose.palette().in_2d; }
  static std::array<Vec2, 4> corners(const Rect& box) {
    return {box.min, box.max, Vec2{box.min.x, box.max.y}, Vec2{box.max.x, box.min.y}};
  }
  static float length(Vec2 error) { return std::hypot(error.x, error.y); }
};
struct ThreeD {
  using Box = pchr::Box;
  static Vec3 point(const Character& character, std::size_t vertex) {
    return {character.vertices()[vertex].x, character.vertices()[vertex].y, character.vertices_3d()[vertex].z};
  }
  static std::span<const Affine3> palette(const ComposedPose& pose) { return pose.palette().in_3d; }
  static std::array<Vec3, 8> corners(const pchr::Box& box) {
    std::array<Vec3, 8> result;
    for (unsigned i = 0; i < result.size(); ++i) {
      result[i] = {(i & 1) != 0 ? box.max.x : box.min.x, (i & 2) != 0 ? box.max.y : box.min.y,
                   (i & 4) != 0 ? box.max.z : box.min.z};
    }
    return result;
  }
  static float length(Vec3 error) { return std::hypot(error.x, error.y, error.z); }
};

/// Returns the bind pose box of the vertices that each entry moves.
template <typename Kind>
std::vector<typename Kind::Box> boxes_of_entries(const Character& character, const PaletteLayout& layout) {
  std::vector<typename Kind::Box> boxes(layout.entries.size());
  for (const MeshId id : character.meshes().ids()) {
    const Mesh& mesh = character.meshes()[id];
    for (std::size_t i = mesh.first_vertex; i < std::size_t{mesh.first_vertex} + mesh.vertex_count; ++i) {
      const Vertex& vertex = character.vertices()[i];
      for (int slot = 0; slot < 4; ++slot) {
        if (vertex.weights[slot] == 0) continue;
        boxes[layout.find(BoneId{vertex.bones[slot]}, character.governing_bone(id))].include(Kind::point(character, i));
      }
    }
  }
  return boxes;
}

/// Returns the largest distance, in pixels, between blending two neighboring rows and the exact pose halfway between
/// them.
template <typename Kind>
float blend_error(const Character& character, const PaletteLayout& layout, ClipId clip, BakeRate rate,
                  std::span<const typename Kind::Box> boxes) {
  const std::uint32_t frames = character.clips()[clip].frame_count;
  ComposedPose before(character), halfway(character), after(character);
  float largest = 0;
  before.pose(clip, time_of_row(frames, rate, 0));
  for (std::size_t row = 0; row + 1 < rate.rows(frames); ++row) {
    ClipTime middle = time_of_row(frames, rate, row);
    middle.factor += 0.5F / static_cast<float>(rate.steps);
    halfway.pose(clip, middle);
    after.pose(clip, time_of_row(frames, rate, row + 1));
    for (std::size_t entry = 0; entry < boxes.size(); ++entry) {
      if (boxes[entry].empty()) continue;
      const std::size_t bone = index(layout.entries[entry].bone);
      const auto blended = Kind::palette(before)[bone] * 0.5F + Kind::palette(after)[bone] * 0.5F;
      for (const auto corner : Kind::corners(boxes[entry])) {
        largest = std::max(largest, Kind::length(apply(blended, corner) - apply(Kind::palette(halfway)[bone], corner)));
      }
    }
    std::swap(before, after);
  }
  return largest;
}

/// Finds a rate whose error is at most `max_error`.
template <typename Kind>
std::optional<BakeRate> find_smooth_rate(const Character& character, const PaletteLayout& layout, ClipId clip,
                                         float max_error) {
  const auto boxes = boxes_of_entries<Kind>(character, layout);
  // A loop that restarts in the middle of the clip is not baked across its seam; the CPU poses it there.
  BakeRate rate{1, true, character.clips()[clip].looping && character.clips()[clip].loop_start == 0};
  for (;;) {
    const float error = blend_error<Kind>(character, layout, clip, rate, boxes);
    if (error <= max_error) return rate;
    // The error of a chord is proportional to the square of its length.
    const float wanted = std::ceil(static_cast<float>(rate.steps) * std::sqrt(error / max_error));
    if (!(wanted <= static_cast<float>(kMaxBakeSteps)) || rate.steps == kMaxBakeSteps) return std::nullopt;
    rate.steps = std::max(static_cast<std::uint32_t>(wanted), rate.steps + 1);
  }
}

/// Returns a thousandth of the size of a 3D character, which has no pixel unit of its own.
float pixel_of(const Character& character) {
  pchr::Box box;
  for (std::size_t i = 0; i < character.vertices().size(); ++i) box.include(ThreeD::point(character, i));
  const Vec3 size = box.size();
  return std::max({size.x, size.y, size.z}) / 1000;
}

/// Builds the index list of each distinct draw order.
class OrderTable {
 public:
  OrderTable(const Character& character, DrawOrders& out) : character_(character), out_(out) {
    for (const Mesh& mesh : character.meshes()) {
      out_.meshes.push_back(append(mesh));
    }
    max_indices_ = std::max(kMaxOrderIndices, 2 * out_.indices.size());
  }

  std::uint32_t add(const PoseView& pose) {
    build_draw_list(character_, pose, list_);
    meshes_.clear();
    for (const DrawItem& item : list_) {
      if (character_.meshes()[item.mesh].index_count > 0) meshes_.push_back(item.mesh);
    }
    const auto [known, is_new] = numbers_.try_emplace(meshes_, static_cast<std::uint32_t>(out_.orders.size()));
    if (is_new && !add_order()) known->second = DrawOrders::kNone;
    return known->second;
  }

 private:
  DrawSegment append(const Mesh& mesh) {
    const auto first = static_cast<std::uint32_t>(out_.indices.size());
    for (const std::uint16_t index : character_.indices(mesh)) out_.indices.push_back(mesh.first_vertex + index);
    return {static_cast<std::uint32_t>(mesh.image), first, mesh.index_count};
  }

  bool add_order() {
    std::size_t count = 0;
    for (const MeshId mesh : meshes_) count += out_.meshes[index(mesh)].index_count;
    if (out_.indices.size() + count > max_indices_) return false;
    DrawOrder order{static_cast<std::uint32_t>(out_.segments.size()), 0,
                    static_cast<std::uint32_t>(out_.order_meshes.size()), static_cast<std::uint32_t>(meshes_.size())};
    out_.order_meshes.insert(out_.order_meshes.end(), meshes_.begin(), meshes_.end());
    // The list already begins with all meshes in file order.
    const bool in_file_order = std::ranges::adjacent_find(meshes_, [&](MeshId a, MeshId b) {
                                 const DrawSegment& before = out_.meshes[index(a)];
                                 return before.first_index + before.index_count != out_.meshes[index(b)].first_index;
                               }) == meshes_.end();
    for (const MeshId mesh : meshes_) {
      const DrawSegment part = in_file_order ? out_.meshes[index(mesh)] : append(character_.meshes()[mesh]);
      if (order.segment_count > 0 && out_.segments.back().image == part.image) {
        out_.segments.back().index_count += part.index_count;
      } else {
        out_.segments.push_back(part);
        ++order.segment_count;
      }
    }
    out_.orders.push_back(order);
    return true;
  }

  const Character& character_;
  DrawOrders& out_;
  std::size_t max_indices_ = 0;
  DrawList list_;
  std::vector<MeshId> meshes_;
  std::map<std::vector<MeshId>, std::uint32_t> numbers_;
};

bool same_order(const PoseView& a, const PoseView& b) {
  return std::ranges::equal(a.visible, b.visible) && std::ranges::equal(a.z_order, b.z_order);
}

std::vector<std::uint32_t> orders_of_clip(const Character& character, const Clip& clip, OrderTable& table) {
  // Without bones all frames are the same, and a file can declare any number of them at no cost.
  if (clip.frame_count == 0 || character.bones().empty()) return {table.add(character.bind_pose())};
  std::vector<std::uint32_t> orders;
  PoseView before;
  for (std::uint32_t frame = 0; frame < clip.frame_count; ++frame) {
    const PoseView pose = clip.samples.frame(frame, character.bones().size());
    orders.push_back(frame > 0 && same_order(pose, before) ? orders.back() : table.add(pose));
    before = pose;
  }
  if (std::ranges::all_of(orders, [&](std::uint32_t order) { return order == orders[0]; })) orders.resize(1);
  return orders;
}

// Replaces bones with palette entries. Unused slots repeat a used bone: their own could be missing or not finite, which
// weight 0 would not cancel. A single influence moves to the first slot.
Vertex for_gpu(Vertex vertex, const PaletteLayout& layout, BoneId governing_bone) {
  const auto* used = std::ranges::find_if(vertex.weights, [](float weight) { return weight != 0; });
  if (used == std::end(vertex.weights)) {
    std::ranges::fill(vertex.bones, std::uint16_t{0});
    return vertex;
  }
  const auto entry_of = [&](std::uint16_t bone) {
    return static_cast<std::uint16_t>(layout.find(BoneId{bone}, governing_bone));
  };
  const auto first_slot = static_cast<std::size_t>(used - vertex.weights);
  const std::uint16_t first = entry_of(vertex.bones[first_slot]);
  if (has_one_influence(vertex)) std::swap(vertex.weights[0], vertex.weights[first_slot]);
  for (int slot = 0; slot < 4; ++slot) {
    const bool again = vertex.weights[slot] == 0 || has_one_influence(vertex);
    vertex.bones[slot] = again ? first : entry_of(vertex.bones[slot]);
  }
  return vertex;
}

/// Returns whether the request shows a frame as it is.
bool is_frame(const PoseRequest& request) { return request.position.factor == 0 && !(request.fade_weight > 0); }

IndexRange range_of(const DrawSegment& segment) {
  return {ImageId{segment.image}, segment.first_index, segment.index_count};
}

}  // namespace

std::uint32_t PaletteLayout::find(BoneId bone, BoneId governing_bone) const noexcept {
  const PaletteEntry wanted{bone, with_opacity ? governing_bone : bone};
  const auto found = std::ranges::lower_bound(entries, wanted);
  assert(found != entries.end() && *found == wanted);
  return static_cast<std::uint32_t>(found - entries.begin());
}

PaletteLayout make_palette_layout(const Character& character) {
  PaletteLayout layout;
  layout.is_3d = character.is_3d();
  layout.with_opacity = !layout.is_3d && std::ranges::any_of(character.clips(), [](const Clip& clip) {
    return !clip.samples.opacity.empty();
  });
  const std::size_t bone_count = character.bones().size();
  std::vector<std::uint8_t> used(bone_count);
  std::vector<BoneId> of_mesh;
  for (const MeshId mesh : character.meshes().ids()) {
    of_mesh.clear();
    for (const Vertex& vertex : character.vertices(character.meshes()[mesh])) {
      for (int slot = 0; slot < 4; ++slot) {
        // The id of an unused slot can be anything.
        if (vertex.weights[slot] == 0 || used[vertex.bones[slot]] != 0) continue;
        used[vertex.bones[slot]] = 1;
        of_mesh.push_back(BoneId{vertex.bones[slot]});
      }
    }
    for (const BoneId bone : of_mesh) {
      layout.entries.push_back({bone, layout.with_opacity ? character.governing_bone(mesh) : bone});
      // Meshes differ in their entries only by opacity.
      if (layout.with_opacity) used[index(bone)] = 0;
    }
  }
  heap_sort(layout.entries, std::ranges::less());
  const auto repeated = std::ranges::unique(layout.entries);
  layout.entries.erase(repeated.begin(), repeated.end());
  if (layout.entries.empty()) layout.entries.push_back({});
  return layout;
}

void gather_palette(const PaletteLayout& layout, std::span<const Affine> palette, std::span<const float> opacity,
                    std::span<BoneTexels> out) noexcept {
  assert(out.size() == layout.row_bones());
  if (palette.empty()) {
    std::ranges::fill(out, BoneTexels{0, 0, 0, 0, 0, 0, 1, 0});
    return;
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const PaletteEntry entry = layout.entries[i];
    const Affine& bone = palette[index(entry.bone)];
    const float alpha = opacity.empty() ? 1.0F : opacity[index(entry.opacity_bone)];
    out[i] = {bone[0].x, bone[0].y, bone[1].x, bone[1].y, bone[2].x, bone[2].y, alpha, 0};
  }
}

void gather_palette(const PaletteLayout& layout, std::span<const Affine3> palette, std::span<BoneTexels> out) noexcept {
  assert(out.size() == layout.row_bones());
  using Texel = std::array<float, 4>;
  auto* texel = reinterpret_cast<std::byte*>(out.data());
  for (const PaletteEntry entry : layout.entries) {
    const Affine3& bone = palette.empty() ? kIdentity3 : palette[index(entry.bone)];
    for (int row = 0; row < 3; ++row, texel += sizeof(Texel)) {
      const Texel values{bone[0][row], bone[1][row], bone[2][row], bone[3][row]};
      std::memcpy(texel, &values, sizeof(values));
    }
  }
}

void write_palette_row(const PaletteLayout& layout, const PoseBuffers& posed, std::span<BoneTexels> out) noexcept {
  assert(out.size() == layout.row_bones());
  if (out.size() != layout.row_bones()) return;
  layout.is_3d ? gather_palette(layout, posed.palette_3d, out) : gather_palette(layout, posed.palette, {}, out);
}

void write_palette_rows(const Character& character, const PaletteLayout& layout, std::span<const PoseRequest> requests,
                        PoseBuffers& scratch, std::span<BoneTexels> out) {
  const std::size_t row_bones = layout.row_bones();
  assert(out.size() == requests.size() * row_bones);
  if (out.size() != requests.size() * row_bones) return;
  const std::size_t bones = character.bones().size();
  if (layout.is_3d) {
    scratch.world_3d.resize(bones);
    scratch.palette_3d.resize(bones);
    for (std::size_t i = 0; i < requests.size(); ++i) {
      sample(character, requests[i], scratch.pose);
      compose(character.bones(), view(scratch.pose), character.inverse_bind_3d(), scratch.world_3d, scratch.palette_3d);
      gather_palette(layout, scratch.palette_3d, out.subspan(i * row_bones, row_bones));
    }
    return;
  }
  if (bones == 0) {
    for (BoneTexels& bone : out) gather_palette(layout, {}, {}, std::span(&bone, 1));
    return;
  }
  const Skeleton skeleton{character.bones().data(), bones, character.inverse_bind().data()};
  if (!std::ranges::all_of(requests, is_frame)) scratch.pose.resize(kPosesAtOnce * bones);
  scratch.world.resize(kPosesAtOnce * bones + kVectorAlignment / sizeof(Affine) + 1);
  void* world = scratch.world.data();
  std::size_t space = scratch.world.size() * sizeof(Affine);
  std::align(kVectorAlignment, kPosesAtOnce * bones * sizeof(Affine), world, space);
  std::array<FramePointers, kPosesAtOnce> poses;
  for (std::size_t first = 0; first < requests.size(); first += kPosesAtOnce) {
    const auto group = requests.subspan(first, std::min(kPosesAtOnce, requests.size() - first));
    const auto rows = out.subspan(first * row_bones, group.size() * row_bones);
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::size_t sampled = i * bones;
      if (!is_frame(group[i])) sample(character, group[i], pointers_into(scratch.pose, sampled));
      // Built in place; see place_of().
      new (&poses[i]) FramePointers(is_frame(group[i]) ? frame_of(character, group[i].clip, group[i].position.frame)
                                                       : pointers_to(scratch.pose, sampled));
    }
    static_assert(sizeof(PaletteEntry) == 2 * sizeof(BoneId) && sizeof(BoneTexels) == kEntryFloats * sizeof(float));
    kernels().compose_rows(skeleton, poses.data(), group.size(),
                           {&layout.entries[0].bone, layout.entries.size(), reinterpret_cast<float*>(rows.data()),
                            static_cast<float*>(world)});
    if (!layout.with_opacity) continue;
    auto texels = rows.begin();
    for (const FramePointers& pose : std::span(poses).first(group.size())) {
      for (const PaletteEntry entry : layout.entries) {
        texels++->opacity = pose.opacity == nullptr ? 1.0F : pose.opacity[index(entry.opacity_bone)];
      }
    }
  }
}

bool has_one_influence(const Vertex& vertex) noexcept {
  return std::ranges::count_if(vertex.weights, [](float weight) { return weight != 0; }) <= 1;
}

void write_gpu_vertices(const Character& character, const PaletteLayout& layout, std::size_t first,
                        std::span<Vertex> out) noexcept {
  std::ranges::fill(out, Vertex{});  // Some vertices can belong to no mesh.
  for (const MeshId id : character.meshes().ids()) {
    const Mesh& mesh = character.meshes()[id];
    const std::size_t from = std::max<std::size_t>(mesh.first_vertex, first);
    const std::size_t to = std::min(std::size_t{mesh.first_vertex} + mesh.vertex_count, first + out.size());
    if (from >= to) continue;
    std::ranges::transform(
        character.vertices().subspan(from, to - from), out.begin() + static_cast<std::ptrdiff_t>(from - first),
        [&, bone = character.governing_bone(id)](const Vertex& vertex) { return for_gpu(vertex, layout, bone); });
  }
}

DrawOrders find_draw_orders(const Character& character) {
  DrawOrders out;
  OrderTable table(character, out);
  for (const Clip& clip : character.clips()) out.of_clip.push_back(orders_of_clip(character, clip, table));
  out.of_clip.push_back({table.add(character.bind_pose())});
  return out;
}

std::uint32_t baked_frames(const Character& character, ClipId clip) noexcept {
  if (!character.clips().contains(clip) || character.bones().empty()) return 1;
  return std::max(character.clips()[clip].frame_count, 1U);
}

std::optional<BakeRate> smooth_bake_rate(const Character& character, const PaletteLayout& layout, ClipId clip) {
  if (baked_frames(character, clip) == 1) return BakeRate{1, true, false};
  if (!character.is_3d()) return find_smooth_rate<TwoD>(character, layout, clip, kMaxBlendError);
  return find_smooth_rate<ThreeD>(character, layout, clip, kMaxBlendError * pixel_of(character));
}

void bake_clip(const Character& character, const PaletteLayout& layout, ClipId clip, BakeRate rate,
               std::span<BoneTexels> palettes, std::span<Rect> bounds, const Executor& executor) {
  const std::size_t row_bones = layout.row_bones();
  const std::uint32_t frames = baked_frames(character, clip);
  const auto rows = static_cast<std::size_t>(rate.rows(frames));
  assert(palettes.size() == rows * row_bones && (bounds.empty() || bounds.size() == rows));
  // Between frames, a mesh is visible if it is in either frame. Sampling can go in both directions.
  const auto shown = rate.smooth && !bounds.empty() ? find_visible_meshes(character, clip) : std::vector<bool>();
  visit_poses(executor, character, rows, [&](std::size_t first, std::size_t last) {
    const ClipId known = character.clips().contains(clip) ? clip : ClipId::none;
    std::vector<PoseRequest> requests;
    for (std::size_t row = first; row < last; ++row) requests.push_back({known, time_of_row(frames, rate, row)});
    PoseBuffers scratch;
    write_palette_rows(character, layout, requests, scratch,
                       palettes.subspan(first * row_bones, (last - first) * row_bones));
    if (bounds.empty()) return;
    ComposedPose posed(character);
    for (std::size_t row = first; row < last; ++row) {
      posed.pose(clip, requests[row - first].position);
      bounds[row] = posed.bounds([&](MeshId mesh) { return rate.smooth ? shown[index(mesh)] : posed.shows(mesh); });
    }
  });
}

GpuGeometry make_gpu_geometry(const Character& character) {
  GpuGeometry geometry;
  geometry.layout = make_palette_layout(character);
  geometry.vertices.resize(character.vertices().size());
  write_gpu_vertices(character, geometry.layout, 0, geometry.vertices);
  geometry.one_influence = std::ranges::all_of(character.vertices(), has_one_influence);
  DrawOrders orders = find_draw_orders(character);
  geometry.indices = std::move(orders.indices);
  for (const DrawSegment& mesh : orders.meshes) geometry.meshes.push_back(range_of(mesh));
  for (const DrawOrder& order : orders.orders) {
    GpuDrawOrder& out = geometry.draw_orders.emplace_back();
    for (const DrawSegment& segment : std::span(orders.segments).subspan(order.first_segment, order.segment_count)) {
      out.ranges.push_back(range_of(segment));
    }
    const auto meshes = std::span(orders.order_meshes).subspan(order.first_mesh, order.mesh_count);
    out.meshes.assign(meshes.begin(), meshes.end());
    if (!out.ranges.empty()) out.first_index = out.ranges.front().first_index;
  }
  static_assert(GpuGeometry::kNoDrawOrder == DrawOrders::kNone);
  geometry.clip_draw_orders = std::move(orders.of_clip);
  return geometry;
}

std::optional<BakedPalettes> bake_palettes(const Character& character, const GpuGeometry& geometry, ClipId clip,
                                           Sampling sampling, std::uint64_t max_bytes, const Executor& executor) {
  assert(clip == ClipId::none || character.clips().contains(clip));
  const std::optional<BakeRate> rate =
      sampling == Sampling::smooth ? smooth_bake_rate(character, geometry.layout, clip) : BakeRate{};
  BakedPalettes baked;
  baked.frames = baked_frames(character, clip);
  const std::uint64_t row_bytes = geometry.layout.row_bones() * sizeof(BoneTexels);
  if (!rate || rate->rows(baked.frames) > max_bytes / row_bytes) return std::nullopt;
  baked.rate = *rate;
  const auto rows = static_cast<std::size_t>(rate->rows(baked.frames));
  baked.texels.resize(rows * geometry.layout.row_bones());
  baked.bounds.resize(rows);
  baked.draw_orders = geometry.clip_draw_orders[std::min(index(clip), geometry.clip_draw_orders.size() - 1)];
  bake_clip(character, geometry.layout, clip, baked.rate, baked.texels, baked.bounds, executor);
  return baked;
}

std::optional<PaletteRow> find_row(const BakedPalettes& palettes, ClipTime time) noexcept {
  const std::uint32_t frame = std::min(time.frame, palettes.frames - 1);
  const std::uint32_t order = palettes.draw_orders[frame < palettes.draw_orders.size() ? frame : 0];
  if (order == GpuGeometry::kNoDrawOrder) return std::nullopt;
  const BakeRate rate = palettes.rate;
  if (!(time.factor > 0) || (rate.smooth && (palettes.frames == 1 || time.next == frame))) {
    return PaletteRow{frame * rate.steps, 0, order};
  }
  if (!rate.smooth) return std::nullopt;
  const std::optional<std::uint32_t> between = find_between(rate, palettes.frames - 1, time);
  if (!between) return std::nullopt;
  constexpr float kStep = 1.0F / static_cast<float>(kFactorSteps);
  return PaletteRow{*between / kFactorSteps, static_cast<float>(*between % kFactorSteps) * kStep, order};
}

std::uint32_t pack_row(const PaletteLayout& layout, const PaletteRow& row, std::uint32_t first_bone) noexcept {
  const auto bone = first_bone + row.row * static_cast<std::uint32_t>(layout.row_bones());
  return bone * kFactorSteps + static_cast<std::uint32_t>(row.factor * static_cast<float>(kFactorSteps));
}

BakeCost compute_bake_cost(const Character& character) {
  const PaletteLayout layout = make_palette_layout(character);
  const DrawOrders orders = find_draw_orders(character);
  BakeCost cost;
  cost.bones = static_cast<std::uint32_t>(layout.entries.size());
  cost.draw_orders = static_cast<std::uint32_t>(orders.orders.size());
  const std::uint64_t index_bytes = character.vertices().size() <= 65535 ? 2 : 4;
  cost.index_bytes = orders.indices.size() * index_bytes;
  for (const ClipId clip : character.clips().ids()) {
    ClipBakeCost& of_clip = cost.clips.emplace_back();
    of_clip.palette_bytes = std::uint64_t{baked_frames(character, clip)} * layout.row_bones() * sizeof(BoneTexels);
    for (const std::uint32_t order : orders.of_clip[index(clip)]) {
      if (order == DrawOrders::kNone) continue;
      of_clip.draw_calls = std::max(of_clip.draw_calls, orders.orders[order].segment_count);
    }
  }
  return cost;
}

}  // namespace pchr
