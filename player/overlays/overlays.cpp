// SPDX-License-Identifier: MIT
#include "overlays/overlays.hpp"

#include "view/style.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

namespace pchr::player {
namespace {

/// Placement of labels and legends in one frame.
struct Labels {
  ImDrawList& list;
  Rect canvas;                ///< Window units.
  float scale = 1.0F;         ///< Window units per design unit.
  std::vector<Rect> taken{};  ///< Areas of labels placed so far.
  float legends = 0.0F;       ///< Total height of the legends, in window units.
};

struct LabelStyle {
  ImU32 text = kTextColor;
  ImU32 fill = with_alpha(kPanelColor, 0.88F);
  Vec2 pivot{0.5F};       ///< Point of the label that is at the given position, 0..1.
  bool may_move = false;  ///< Whether the label can move slightly to avoid another one.
  float size = 1.0F;      ///< Relative to the interface's text size.
};

/// A color of a legend and its caption.
struct Swatch {
  ImU32 color = 0;
  std::string caption;
};

/// Finds a free place for a box: at `corner`, or next to it if it may move.
std::optional<Rect> free_place(const Labels& labels, Vec2 corner, Vec2 box, bool may_move) {
  constexpr std::array<Vec2, 5> kAsides{{{0, 0}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}}};
  for (const Vec2 aside : std::span(kAsides).first(may_move ? kAsides.size() : 1)) {
    const Vec2 min = glm::round(corner + aside * box * 1.05F);
    const Rect area{min, min + box};
    const auto covers = [&](const Rect& other) {
      return area.min.x < other.max.x && other.min.x < area.max.x && area.min.y < other.max.y &&
             other.min.y < area.max.y;
    };
    if (std::ranges::none_of(labels.taken, covers)) return area;
  }
  return std::nullopt;
}

/// Returns a dark color for light backgrounds and a light one for dark backgrounds.
ImU32 readable_on(ImU32 color) noexcept {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(color);
  return c.x * 0.3F + c.y * 0.6F + c.z * 0.1F > 0.5F ? kAccentText : kTextColor;
}

void draw_swatches(ImDrawList& list, Vec2 corner, Vec2 size, std::span<const Swatch> swatches, bool smooth) {
  for (std::size_t i = 0; i < swatches.size(); ++i) {
    const ImU32 color = swatches[i].color;
    const Vec2 at = corner + Vec2{size.x * static_cast<float>(i), 0.0F};
    if (smooth && i + 1 < swatches.size()) {
      const ImU32 next = swatches[i + 1].color;
      const Vec2 middle = at + Vec2{size.x * 0.5F, 0.0F};
      list.AddRectFilledMultiColor(middle, middle + size, color, next, next, color);
    } else if (!smooth) {
      list.AddRectFilled(at, at + size, color);
    }
  }
  for (std::size_t i = 0; i < swatches.size(); ++i) {
    const Vec2 middle = corner + Vec2{size.x * (static_cast<float>(i) + 0.5F), size.y * 0.5F};
    // The ends of a ramp are half swatches, so their captions are placed outside.
    const ImU32 ink = smooth ? kTextColor : readable_on(swatches[i].color);
    const float aside = !smooth ? 0.0F : i == 0 ? -0.3F : 0.3F;
    text_at(list, middle + Vec2{size.x * aside, 0.0F}, Vec2{0.5F}, ink, swatches[i].caption);
  }
}

/// Draws a label at `at` (window units) unless it would cover another one. Returns whether it was drawn.
bool draw_label(Labels& labels, const std::string& text, Vec2 at, const LabelStyle& style) {
  const Vec2 padding = Vec2{5.0F, 2.0F} * (labels.scale * style.size);
  const Vec2 box = text_size(text) * style.size + padding * 2.0F;
  const auto area = free_place(labels, at - box * style.pivot, box, style.may_move);
  if (!area) return false;
  labels.taken.push_back(*area);
  labels.list.AddRectFilled(area->min, area->max, style.fill, box.y * 0.5F);
  labels.list.AddText(ImGui::GetFont(), ImGui::GetFontSize() * style.size, area->min + padding, style.text,
                      text.c_str());
  return true;
}

/// Draws a legend above earlier ones in the canvas's bottom left corner. The swatches follow the text: side by side, or
/// as a ramp if `smooth`.
void draw_legend(Labels& labels, const std::string& text, std::span<const Swatch> swatches = {}, bool smooth = false) {
  constexpr float kMargin = 12.0F;
  const float scale = labels.scale;
  const Vec2 size = text_size(text);
  const Vec2 padding = Vec2{9.0F, 5.0F} * scale;
  Vec2 swatch = Vec2{24.0F * scale, size.y};
  for (const Swatch& each : swatches) swatch.x = std::max(swatch.x, text_size(each.caption).x + 8.0F * scale);
  const float colors = swatches.empty() ? 0.0F : swatch.x * static_cast<float>(swatches.size()) + padding.x;
  const Vec2 box = Vec2{size.x + colors, size.y} + padding * 2.0F;
  const Vec2 corner{labels.canvas.min.x + kMargin * scale,
                    labels.canvas.max.y - kMargin * scale - labels.legends - box.y};
  labels.legends += box.y + 6.0F * scale;
  labels.list.AddRectFilled(corner, corner + box, with_alpha(kPanelColor, 0.9F), 6.0F * scale);
  labels.list.AddText(corner + padding, kTextColor, text.c_str());
  draw_swatches(labels.list, corner + padding + Vec2{size.x + padding.x, 0.0F}, swatch, swatches, smooth);
}

constexpr std::size_t kCrowded = 40;     ///< Number of meshes above which the numbers are smaller.
constexpr float kMinDotDistance = 3.0F;  ///< Dots closer to the previous one are skipped.

/// A character under an overlay, with its mapping to the window.
struct Overlay {
  Scene& scene;
  const Canvas& canvas;
  float scale;  ///< Window units per design unit.
  Actor& actor = *scene.find(Role::open);
  Document& document = actor.document;
  const Character& character = document.character();
  const Selection& selection = document.selection;
  const PoseBuffers& posed = player::posed(scene);
  Affine to_viewport = world_to_viewport(scene.view.camera);
  Affine3 rotation = rotation_of(scene, character);  ///< From the character as read to its view.
  ImDrawList& list = *ImGui::GetBackgroundDrawList();
  Labels labels{list, canvas.area, scale};

  /// Maps a world point to window units.
  [[nodiscard]] Vec2 place(Vec2 world) const { return canvas.to_window(apply(to_viewport, world)); }
  [[nodiscard]] Vec2 place_joint(BoneId bone) const { return place(posed.world[index(bone)][2]); }
  /// Returns a mesh's posed vertices in window units.
  [[nodiscard]] std::vector<ImVec2> place_vertices(MeshId mesh) const {
    std::vector<Vec2> points(character.meshes()[mesh].vertex_count);
    deform_mesh(character, posed, mesh, points);
    std::vector<ImVec2> placed(points.size());
    std::ranges::transform(points, placed.begin(), [&](Vec2 point) { return place(point); });
    return placed;
  }

  void draw_dot(Vec2 at, float radius, ImU32 color, float rim_radius, ImU32 rim) const {
    list.AddCircleFilled(at, rim_radius * scale, rim);
    list.AddCircleFilled(at, radius * scale, color);
  }
};

void draw_grid_legend(Overlay& overlay) {
  const GridStep step = grid_step(overlay.scene, overlay.canvas, overlay.scale);
  const char* const unit = overlay.scene.shows_3d() ? "units" : "px";
  draw_legend(overlay.labels, fmt::format("Grid {:g}, bold {:g} {}", step.minor, step.major, unit));
}

void draw_overdraw_legend(Overlay& overlay) {
  std::array<Swatch, kOverdrawColors.size()> swatches;
  for (std::size_t i = 0; i < swatches.size(); ++i) {
    swatches[i] = {packed(kOverdrawColors[i]), fmt::format("{}{}", i + 1, i + 1 < swatches.size() ? "" : "+")};
  }
  draw_legend(overlay.labels, "Meshes per pixel", swatches);
}

void draw_onion_legend(Overlay& overlay) {
  const View& view = overlay.scene.view;
  const Swatch sides[] = {{kBeforeColor, fmt::format("{} before", view.onion_before)},
                          {kAfterColor, fmt::format("{} after", view.onion_after)}};
  draw_legend(overlay.labels, "Onion skin", sides);
}

void draw_rect(Overlay& overlay, const Rect& rect, ImU32 color, float thickness) {
  if (rect.empty()) return;
  const ImVec2 shape[] = {overlay.place(rect.min), overlay.place({rect.max.x, rect.min.y}), overlay.place(rect.max),
                          overlay.place({rect.min.x, rect.max.y})};
  overlay.list.AddPolyline(shape, 4, color, ImDrawFlags_Closed, thickness * overlay.scale);
}

/// Draws the bounds of this frame and of the clip.
void draw_bounds(Overlay& overlay) {
  const Rect clip = seen_bounds(overlay.rotation, extent_of(overlay.document, overlay.scene.playback.clip));
  draw_rect(overlay, clip, with_alpha(kTextColor, 0.5F), 1.0F);
  draw_rect(overlay, bounds(overlay.character, overlay.posed), with_alpha(kBoneColor, 0.9F), 1.5F);
}

/// Draws the selected bone's path over the clip, and marks the current frame.
void draw_trail(Overlay& overlay) {
  const Playback& playback = overlay.scene.playback;
  if (!playback.shows_clip() || !playback.clip) return;
  const auto bones = overlay.character.bones();
  const auto bone = overlay.selection.bone;
  if (!bone || !bones.contains(*bone)) return draw_legend(overlay.labels, "Trail: select a bone");
  Trail& trail = overlay.actor.trail;
  find_trail(trail, overlay.character, *playback.clip, *bone);
  const std::uint32_t frame = shown_time(playback).frame;
  if (frame >= trail.points.size()) return;

  const float scale = overlay.scale;
  std::vector<ImVec2> points;
  for (const Vec3 point : trail.points) points.push_back(overlay.place(Vec2{apply(overlay.rotation, point)}));
  ImDrawList& list = overlay.list;
  if (trail.clip->looping && trail.clip->loop_start == 0) {
    list.AddLine(points.back(), points.front(), with_alpha(kDimTextColor, 0.5F), scale);
  }
  const auto path = [&](std::size_t first, std::size_t end, ImU32 color) {
    list.AddPolyline(points.data() + first, static_cast<int>(end - first), with_alpha(color, 0.75F), 0, 1.6F * scale);
  };
  path(0, frame + 1, kBeforeColor);
  path(frame, points.size(), kAfterColor);
  Vec2 last{-1e6F};
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (glm::distance(Vec2(points[i]), last) < kMinDotDistance * scale) continue;
    last = points[i];
    overlay.draw_dot(last, 2.2F, i <= frame ? kBeforeColor : kAfterColor, 3.2F, with_alpha(kBorderColor, 0.7F));
  }
  const Vec2 now = overlay.place_joint(trail.bone);
  list.AddCircle(now, 6.5F * scale, with_alpha(kBorderColor, 0.8F), 0, 4.0F * scale);
  list.AddCircle(now, 6.5F * scale, kTextColor, 0, 2.0F * scale);
  const Swatch sides[] = {{kBeforeColor, "before"}, {kAfterColor, "after"}};
  draw_legend(overlay.labels, "Trail of " + bones[trail.bone].name, sides);
}

void draw_bone_name(Overlay& overlay, BoneId bone) {
  const bool selected = overlay.selection.bone == bone;
  const bool visible = overlay.posed.pose.visible[index(bone)] != 0;
  const Vec2 joint = overlay.place_joint(bone);
  const ImU32 color = selected ? kAccentColor : visible ? kTextColor : kDimTextColor;
  const LabelStyle style{.text = color, .pivot = {0.0F, 0.5F}, .size = 0.92F};
  const std::string& name = overlay.character.bones()[bone].name;
  if (!draw_label(overlay.labels, name, joint + Vec2{8.0F * overlay.scale, 0.0F}, style)) return;
  overlay.draw_dot(joint, 2.4F, selected ? kAccentColor : kJointColor, 3.5F, with_alpha(kJointRim, 0.9F));
}

/// Names the bones from the selected one up to the root, or all bones that have room.
void draw_names(Overlay& overlay) {
  const auto bones = overlay.character.bones();
  if (const auto selected = overlay.selection.bone; selected && bones.contains(*selected)) {
    for (BoneId bone = *selected; bone != BoneId::none; bone = bones[bone].parent) draw_bone_name(overlay, bone);
    return;
  }
  // If bones alternate in one place, such as open and closed eyes, the visible one is named.
  for (const bool shown : {true, false}) {
    for (const BoneId bone : bones.ids()) {
      if ((overlay.posed.pose.visible[index(bone)] != 0) == shown) draw_bone_name(overlay, bone);
    }
  }
}

/// Draws the outline of the selected mesh, and the selected bone.
void draw_selection(Overlay& overlay) {
  const Selection& selection = overlay.selection;
  if (selection.mesh) {
    const std::vector<ImVec2> points = overlay.place_vertices(*selection.mesh);
    for (const auto& [first, second] : selection.outline) {
      overlay.list.AddLine(points[first], points[second], with_alpha(kAccentColor, 0.9F), 1.5F * overlay.scale);
    }
  }
  if (!selection.bone || index(*selection.bone) >= overlay.posed.world.size()) return;
  const BoneId parent = overlay.character.bones()[*selection.bone].parent;
  const Vec2 at = overlay.place_joint(*selection.bone);
  if (parent != BoneId::none) {
    overlay.list.AddLine(overlay.place_joint(parent), at, with_alpha(kAccentColor, 0.7F), 2.0F * overlay.scale);
  }
  overlay.draw_dot(at, 3.5F, kAccentColor, 5.0F, with_alpha(kJointRim, 0.9F));
}

/// Draws a bone that is widest near its start and tapers to a point.
void draw_bone(ImDrawList& list, Vec2 from, Vec2 to, float scale, float strength) {
  const Vec2 along = to - from;
  const float length = glm::length(along);
  if (length < 2.0F * scale) return;
  const Vec2 direction = along / length;
  const float half_width = std::clamp(length * 0.09F, 1.5F * scale, 6.0F * scale);
  const Vec2 side = Vec2{-direction.y, direction.x} * half_width;
  const Vec2 shoulder = from + direction * std::min(length * 0.25F, half_width * 2.0F);
  const ImVec2 shape[] = {from, shoulder + side, to, shoulder - side};
  list.AddConvexPolyFilled(shape, 4, with_alpha(kBoneColor, 0.40F * strength));
  list.AddPolyline(shape, 4, with_alpha(kBoneColor, 0.95F * strength), ImDrawFlags_Closed, 1.3F * scale);
}

void draw_joint(Overlay& overlay, Vec2 at, float radius, float strength) {
  overlay.draw_dot(at, radius, with_alpha(kJointColor, strength), radius + 1.2F,
                   with_alpha(kJointRim, 0.85F * strength));
}

void draw_name(ImDrawList& list, const std::string& name, Vec2 at, const Rect& area, float scale) {
  const ImVec2 size = ImGui::CalcTextSize(name.c_str());
  const Vec2 padding = Vec2{7.0F, 4.0F} * scale;
  const Vec2 box = Vec2{size.x, size.y} + padding * 2.0F;
  const Vec2 corner =
      glm::clamp(at + Vec2{12.0F, -12.0F} * scale - Vec2{0.0F, box.y}, area.min, glm::max(area.max - box, area.min));
  list.AddRectFilled(corner, corner + box, with_alpha(kPanelColor, 0.94F), 5.0F * scale);
  list.AddText(corner + padding, kTextColor, name.c_str());
}

/// Returns the bone that a click would select, if the mouse is over the shown part of the canvas.
std::optional<BoneId> hovered_bone(const Overlay& overlay, const Rect& shown) {
  const Vec2 mouse = ImGui::GetIO().MousePos;
  const bool inside = glm::all(glm::greaterThanEqual(mouse, shown.min)) && glm::all(glm::lessThan(mouse, shown.max));
  if (ImGui::GetIO().WantCaptureMouse || !inside) return std::nullopt;
  const Camera& camera = overlay.scene.view.camera;
  const Vec2 point = viewport_to_world(camera, overlay.canvas.to_viewport(mouse));
  const float reach = kPickReach * kJointReach * overlay.scale * overlay.canvas.pixels / camera.zoom;
  const auto bones = bones_at(overlay.character, overlay.posed, point, reach);
  return bones.empty() ? std::nullopt : std::optional(bones.front());
}

/// Draws bones as tapered shapes and joints as dots, and highlights and names the one under the mouse. Hidden bones are
/// faint.
void draw_skeleton(Overlay& overlay, const Rect& shown) {
  const auto bones = overlay.character.bones();
  const auto& visible = overlay.posed.pose.visible;
  const float scale = overlay.scale;
  std::vector<Vec2> joints;
  joints.reserve(bones.size());
  for (const Affine& bone : overlay.posed.world) joints.push_back(overlay.place(bone[2]));

  const auto strength = [&](std::size_t bone) { return visible[bone] != 0 ? 1.0F : 0.3F; };
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (bones[i].parent == BoneId::none) continue;
    const std::size_t parent = index(bones[i].parent);
    draw_bone(overlay.list, joints[parent], joints[i], scale, std::min(strength(parent), strength(i)));
  }
  for (std::size_t i = 0; i < joints.size(); ++i) draw_joint(overlay, joints[i], 2.6F, strength(i));

  const auto hovered = hovered_bone(overlay, shown);
  if (!hovered) return;
  const Vec2 joint = joints[index(*hovered)];
  if (const BoneId parent = bones[*hovered].parent; parent != BoneId::none) {
    overlay.list.AddLine(joints[index(parent)], joint, kJointColor, 2.0F * scale);
  }
  draw_joint(overlay, joint, 4.2F, 1.0F);
  draw_name(overlay.list, bones[*hovered].name, joint, overlay.canvas.area, scale);
}

void draw_triangles(Overlay& overlay, MeshId mesh, ImU32 color) {
  const std::vector<ImVec2> points = overlay.place_vertices(mesh);
  const Character& character = overlay.character;
  const auto indices = character.indices(character.meshes()[mesh]);
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    overlay.list.AddTriangle(points[indices[i]], points[indices[i + 1]], points[indices[i + 2]], color, overlay.scale);
  }
}

/// Draws the triangles of the selected mesh, or of all meshes.
void draw_wireframe(Overlay& overlay) {
  if (overlay.selection.mesh) return draw_triangles(overlay, *overlay.selection.mesh, with_alpha(kTextColor, 0.6F));
  for (const DrawItem& item : overlay.posed.draw_list) {
    draw_triangles(overlay, item.mesh, with_alpha(kTextColor, 0.35F));
  }
}

/// Numbers the meshes in draw order. Where numbers would overlap, the selected mesh and meshes closer to the front win.
void draw_order_numbers(Overlay& overlay) {
  const DrawList& drawn = overlay.posed.draw_list;
  const LabelStyle plain{.may_move = true, .size = drawn.size() < kCrowded ? 0.92F : 0.8F};
  const LabelStyle selected{.text = kAccentText, .fill = kAccentColor};
  const auto number = [&](std::size_t i, const LabelStyle& style) {
    const Rect area = mesh_bounds(overlay.character, overlay.posed, drawn[i].mesh);
    if (area.empty()) return;
    draw_label(overlay.labels, fmt::format("{}", i + 1), overlay.place(area.center()), style);
  };
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i].mesh == overlay.selection.mesh) number(i, selected);
  }
  for (std::size_t i = drawn.size(); i-- > 0;) {
    if (drawn[i].mesh != overlay.selection.mesh) number(i, plain);
  }
}

float weight_of(const Vertex& vertex, BoneId bone) noexcept {
  float sum = 0.0F;
  for (std::size_t slot = 0; slot < 4; ++slot) {
    if (BoneId{vertex.bones[slot]} == bone) sum += vertex.weights[slot];
  }
  return sum;
}

/// Transparent where the bone has no influence, so that the character remains visible.
ImU32 color_of(float weight) noexcept {
  return packed(heat(weight), weight > 0.0F ? std::min(0.35F + 0.47F * weight, 0.82F) : 0.0F);
}

/// Returns the triangles of a mesh that face the viewer; all of them for a 2D character.
std::vector<std::uint16_t> front_faces(Overlay& overlay, MeshId mesh, std::span<const ImVec2> points) {
  const Character& character = overlay.character;
  const auto indices = character.indices(character.meshes()[mesh]);
  std::vector<std::uint16_t> towards;
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const ImVec2 &a = points[indices[i]], &b = points[indices[i + 1]], &c = points[indices[i + 2]];
    // Front faces are counter-clockwise with y up; y is down here.
    const bool away = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0.0F;
    if (!away || !character.is_3d()) towards.insert(towards.end(), &indices[i], &indices[i] + 3);
  }
  return towards;
}

void draw_mesh(Overlay& overlay, MeshId mesh, BoneId bone) {
  const Character& character = overlay.character;
  const auto vertices = character.vertices(character.meshes()[mesh]);
  const auto moved = [&](const Vertex& vertex) { return weight_of(vertex, bone) > 0.0F; };
  if (std::ranges::none_of(vertices, moved)) return;
  const std::vector<ImVec2> points = overlay.place_vertices(mesh);
  const auto indices = front_faces(overlay, mesh, points);
  const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
  ImDrawList& list = overlay.list;
  list.PrimReserve(static_cast<int>(indices.size()), static_cast<int>(vertices.size()));
  const unsigned first = list._VtxCurrentIdx;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    list.PrimWriteVtx(points[i], white, color_of(weight_of(vertices[i], bone)));
  }
  for (const std::uint16_t index : indices) list.PrimWriteIdx(static_cast<ImDrawIdx>(first + index));
}

/// Draws the selected bone's weights as a heat map.
void draw_weights(Overlay& overlay) {
  const auto bone = overlay.selection.bone;
  const auto bones = overlay.character.bones();
  if (!bone || !bones.contains(*bone)) return draw_legend(overlay.labels, "Weights: select a bone");
  for (const DrawItem& item : overlay.posed.draw_list) draw_mesh(overlay, item.mesh, *bone);
  std::array<Swatch, kHeatStops.size()> ramp;
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i].color = packed(kHeatStops[i]);
  ramp.front().caption = "0";
  ramp.back().caption = "1";
  draw_legend(overlay.labels, "Weights of " + bones[*bone].name, ramp, true);
}

}  // namespace

void draw_overlays(Scene& scene, const Canvas& canvas, const Rect& shown, float interface_scale) {
  if (!scene.document()) return;
  const View& view = scene.view;
  find_outline(scene.document()->selection, scene.document()->character());
  Overlay overlay{scene, canvas, interface_scale};
  overlay.list.PushClipRect(shown.min, shown.max);
  const bool overdraw = view.overdraw && !scene.shows_3d();
  if (view.grid) draw_grid_legend(overlay);
  if (overdraw) draw_overdraw_legend(overlay);
  if (view.onion && !overdraw && scene.playback.shows_clip() && scene.playback.clip) draw_onion_legend(overlay);
  if (view.weights) draw_weights(overlay);
  if (view.skeleton) draw_skeleton(overlay, shown);
  if (view.wireframe) draw_wireframe(overlay);
  if (view.bounds) draw_bounds(overlay);
  draw_selection(overlay);
  if (view.trail) draw_trail(overlay);
  if (view.draw_order) draw_order_numbers(overlay);
  if (view.names) draw_names(overlay);
  overlay.list.PopClipRect();
}

}  // namespace pchr::player
