// SPDX-License-Identifier: MIT

#include "overlays/overlays.hpp"

#include "overlays/labels.hpp"

#include <glm/geometric.hpp>

namespace pchr::player {
namespace {

/// The trail of the selected bone, where there is one clip along which it can go.
void draw_selected_trail(const Overlay& overlay, Legends& legends, App& app) {
  const Document& document = *app.document;
  if (!app.playback.shows_clip() || !app.playback.clip) return;
  const auto bone = app.document->selection.bone;
  if (!bone || !document.character().bones().contains(*bone)) {
    return draw_legend(overlay, legends, "Trail: select a bone");
  }
  find_trail(app.document->trail, document.character(), *app.playback.clip, *bone);
  draw_trail(overlay, legends, app.document->trail, shown_time(app.playback).frame);
}

void draw_overdraw_legend(const Overlay& overlay, Legends& legends) {
  std::array<Swatch, kOverdrawColors> swatches;
  for (std::size_t i = 0; i < swatches.size(); ++i) {
    const char* more = i + 1 < swatches.size() ? "" : "+";
    swatches[i] = {packed(overdraw_color(i + 1)), fmt::format("{}{}", i + 1, more)};
  }
  draw_legend(overlay, legends, "Meshes over a pixel", swatches);
}

void draw_onion_legend(const Overlay& overlay, Legends& legends, App& app) {
  if (!app.playback.shows_clip() || !app.playback.clip) return;
  const Swatch sides[] = {{kBeforeColor, fmt::format("{} before", app.view.onion_before)},
                          {kAfterColor, fmt::format("{} after", app.view.onion_after)}};
  draw_legend(overlay, legends, "Onion skin", sides);
}

void draw_legends(const Overlay& overlay, Legends& legends, App& app) {
  const View& view = app.view;
  if (view.grid) {
    const GridStep step = grid_step(app, overlay.canvas, overlay.scale);
    const char* const unit = app.shows_3d() ? "units" : "px";
    draw_legend(overlay, legends, fmt::format("Grid {:g}, bold {:g} {}", step.minor, step.major, unit));
  }
  const bool overdraw = view.overdraw && !app.shows_3d();
  if (overdraw) draw_overdraw_legend(overlay, legends);
  if (view.onion && !overdraw) draw_onion_legend(overlay, legends, app);
}

void draw_rect(const Overlay& overlay, const Rect& rect, ImU32 color, float thickness) {
  if (rect.empty()) return;
  const ImVec2 shape[] = {overlay.place(rect.min), overlay.place({rect.max.x, rect.min.y}), overlay.place(rect.max),
                          overlay.place({rect.min.x, rect.max.y})};
  overlay.list.AddPolyline(shape, 4, color, ImDrawFlags_Closed, thickness);
}

/// A character that fills the window has fewer meshes than this; smaller numbers suit more.
constexpr std::size_t kMany = 40;

/// Dots nearer to the one before are left out.
constexpr float kMinDotDistance = 3.0F;

void draw_ways(const Overlay& overlay, std::span<const ImVec2> points, std::uint32_t frame, bool closed) {
  const float thickness = 1.6F * overlay.scale;
  const std::size_t count = points.size();
  if (closed) {
    overlay.list.AddLine(points[count - 1], points[0], with_alpha(kDimTextColor, 0.5F), overlay.scale);
  }
  const auto before = static_cast<int>(frame) + 1;
  overlay.list.AddPolyline(points.data(), before, with_alpha(kBeforeColor, 0.75F), 0, thickness);
  overlay.list.AddPolyline(points.data() + frame, static_cast<int>(count - frame), with_alpha(kAfterColor, 0.75F), 0,
                           thickness);
}

void draw_dots(const Overlay& overlay, std::span<const ImVec2> points, std::uint32_t frame) {
  const float scale = overlay.scale;
  ImVec2 last{-1e6F, -1e6F};
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (glm::distance(vec(points[i]), vec(last)) < kMinDotDistance * scale) continue;
    last = points[i];
    overlay.list.AddCircleFilled(last, 3.2F * scale, with_alpha(kBorderColor, 0.7F));
    overlay.list.AddCircleFilled(last, 2.2F * scale, i <= frame ? kBeforeColor : kAfterColor);
  }
}

void draw_bone_name(const Overlay& overlay, Labels& labels, std::size_t bone) {
  const float scale = overlay.scale;
  const bool selected = overlay.selection.bone && bone == index(*overlay.selection.bone);
  const bool visible = overlay.posed.pose.visible[bone] != 0;
  const Vec2 joint = vec(overlay.place(overlay.posed.world[bone][2]));
  const LabelStyle style{.text = selected  ? kAccentColor
                                 : visible ? kTextColor
                                           : kDimTextColor,
                         .pivot = {0.0F, 0.5F},
                         .size = 0.92F};
  const std::string& name = overlay.document.character().bones()[bone].name;
  if (!draw_label(overlay, labels, name, joint + Vec2{8.0F * scale, 0.0F}, style)) return;
  overlay.list.AddCircleFilled(im(joint), 3.5F * scale, with_alpha(kJointRim, 0.9F));
  overlay.list.AddCircleFilled(im(joint), 2.4F * scale, selected ? kAccentColor : kJointColor);
}

void draw_outline(const Overlay& overlay) {
  const std::vector<ImVec2> points = overlay.place_vertices(*overlay.selection.mesh);
  for (const auto& [first, second] : overlay.selection.outline) {
    overlay.list.AddLine(points[first], points[second], with_alpha(kAccentColor, 0.9F), 1.5F * overlay.scale);
  }
}

void draw_bone(const Overlay& overlay, BoneId bone) {
  const auto& world = overlay.posed.world;
  const BoneId parent = overlay.document.character().bones()[bone].parent;
  const ImVec2 at = overlay.place(world[index(bone)][2]);
  const float scale = overlay.scale;
  if (parent != BoneId::none) {
    const ImVec2 from = overlay.place(world[index(parent)][2]);
    overlay.list.AddLine(from, at, with_alpha(kAccentColor, 0.7F), 2.0F * scale);
  }
  overlay.list.AddCircleFilled(at, 5.0F * scale, with_alpha(kJointRim, 0.9F));
  overlay.list.AddCircleFilled(at, 3.5F * scale, kAccentColor);
}

/// Widest near its start, ending in a point, as animation tools draw bones.
void draw_bone(ImDrawList& list, Vec2 from, Vec2 to, float scale, float strength) {
  const Vec2 along = to - from;
  const float length = glm::length(along);
  if (length < 2.0F * scale) return;
  const Vec2 direction = along / length;
  const float half_width = std::clamp(length * 0.09F, 1.5F * scale, 6.0F * scale);
  const Vec2 side = Vec2{-direction.y, direction.x} * half_width;
  const Vec2 shoulder = from + direction * std::min(length * 0.25F, half_width * 2.0F);
  const ImVec2 shape[] = {im(from), im(shoulder + side), im(to), im(shoulder - side)};
  list.AddConvexPolyFilled(shape, 4, with_alpha(kBoneColor, 0.40F * strength));
  list.AddPolyline(shape, 4, with_alpha(kBoneColor, 0.95F * strength), ImDrawFlags_Closed, 1.3F * scale);
}

void draw_joint(ImDrawList& list, Vec2 at, float radius, float scale, float strength) {
  list.AddCircleFilled(im(at), radius + 1.2F * scale, with_alpha(kJointRim, 0.85F * strength));
  list.AddCircleFilled(im(at), radius, with_alpha(kJointColor, strength));
}

void draw_name(ImDrawList& list, const std::string& name, Vec2 at, const Rect& area, float scale) {
  const ImVec2 size = ImGui::CalcTextSize(name.c_str());
  const Vec2 padding = Vec2{7.0F, 4.0F} * scale;
  const Vec2 box = Vec2{size.x, size.y} + padding * 2.0F;
  const Vec2 corner =
      glm::clamp(at + Vec2{12.0F, -12.0F} * scale - Vec2{0.0F, box.y}, area.min, glm::max(area.max - box, area.min));
  list.AddRectFilled(im(corner), im(corner + box), with_alpha(kPanelColor, 0.94F), 5.0F * scale);
  list.AddText(im(corner + padding), kTextColor, name.c_str());
}

void draw_triangles(const Overlay& overlay, MeshId mesh, ImU32 color) {
  const std::vector<ImVec2> points = overlay.place_vertices(mesh);
  const Character& character = overlay.document.character();
  const auto indices = character.indices(character.meshes()[mesh]);
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    overlay.list.AddTriangle(points[indices[i]], points[indices[i + 1]], points[indices[i + 2]], color, overlay.scale);
  }
}

float weight_of(const Vertex& vertex, BoneId bone) noexcept {
  float sum = 0.0F;
  for (std::size_t slot = 0; slot < 4; ++slot) {
    if (BoneId{vertex.bones[slot]} == bone) sum += vertex.weights[slot];
  }
  return sum;
}

/// Clear where the bone has no say, so that the character shows.
ImU32 color_of(float weight) noexcept {
  return packed(heat(weight), weight > 0.0F ? std::min(0.35F + 0.47F * weight, 0.82F) : 0.0F);
}

/// The triangles of a mesh that look at who looks; of a 2D character all do.
std::vector<std::uint16_t> faces_towards(const Overlay& overlay, MeshId mesh, std::span<const ImVec2> points) {
  const Character& character = overlay.document.character();
  const auto indices = character.indices(character.meshes()[mesh]);
  std::vector<std::uint16_t> towards;
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const ImVec2 &a = points[indices[i]], &b = points[indices[i + 1]], &c = points[indices[i + 2]];
    // Counter-clockwise in space; y is down here.
    const bool away = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0.0F;
    if (!away || !character.is_3d()) towards.insert(towards.end(), &indices[i], &indices[i] + 3);
  }
  return towards;
}

void draw_mesh(const Overlay& overlay, MeshId mesh, BoneId bone) {
  const Character& character = overlay.document.character();
  const auto vertices = character.vertices(character.meshes()[mesh]);
  const auto moved = [&](const Vertex& vertex) { return weight_of(vertex, bone) > 0.0F; };
  if (std::ranges::none_of(vertices, moved)) return;
  const std::vector<ImVec2> points = overlay.place_vertices(mesh);
  const auto indices = faces_towards(overlay, mesh, points);
  const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
  ImDrawList& list = overlay.list;
  list.PrimReserve(static_cast<int>(indices.size()), static_cast<int>(vertices.size()));
  const unsigned first = list._VtxCurrentIdx;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    list.PrimWriteVtx(points[i], white, color_of(weight_of(vertices[i], bone)));
  }
  for (const std::uint16_t index : indices) list.PrimWriteIdx(static_cast<ImDrawIdx>(first + index));
}

}  // namespace

std::vector<ImVec2> Overlay::place_vertices(MeshId mesh) const {
  const Character& character = document.character();
  std::vector<Vec2> points(character.meshes()[mesh].vertex_count);
  deform_mesh(character, posed, mesh, points);
  std::vector<ImVec2> placed;
  placed.reserve(points.size());
  for (const Vec2 point : points) placed.push_back(place(point));
  return placed;
}

void draw_overlays(App& app, const Canvas& canvas, const Rect& shown, float interface_scale) {
  if (!app.document) return;
  Document& document = *app.document;
  const View& view = app.view;
  find_outline(app.document->selection, document.character());
  const Overlay overlay{.list = *ImGui::GetBackgroundDrawList(),
                        .document = document,
                        .selection = document.selection,
                        .posed = posed(app),
                        .clip = app.playback.clip,
                        .canvas = canvas,
                        .to_viewport = world_to_viewport(view.camera),
                        .turn = turn_of(app, document.character()),
                        .scale = interface_scale};
  overlay.list.PushClipRect(im(shown.min), im(shown.max));
  Legends legends;
  Labels labels;
  draw_legends(overlay, legends, app);
  if (view.weights) draw_weights(overlay, legends);
  if (view.skeleton) draw_skeleton(overlay);
  if (view.wireframe) draw_wireframe(overlay);
  if (view.bounds) draw_bounds(overlay);
  draw_selection(overlay);
  if (view.trail) draw_selected_trail(overlay, legends, app);
  if (view.draw_order) draw_order_numbers(overlay, labels);
  if (view.names) draw_names(overlay, labels);
  overlay.list.PopClipRect();
}

void draw_bounds(const Overlay& overlay) {
  const Document& document = overlay.document;
  draw_rect(overlay, seen_bounds(overlay.turn, extent_of(overlay.document, overlay.clip)), with_alpha(kTextColor, 0.5F),
            overlay.scale);
  const Rect frame = bounds(document.character(), overlay.posed);
  draw_rect(overlay, frame, with_alpha(kBoneColor, 0.9F), 1.5F * overlay.scale);
}

void draw_order_numbers(const Overlay& overlay, Labels& labels) {
  const Document& document = overlay.document;
  const DrawList& drawn = overlay.posed.draw_list;
  const LabelStyle plain{.may_move = true, .size = drawn.size() < kMany ? 0.92F : 0.8F};
  const LabelStyle selected{.text = kAccentText, .fill = kAccentColor};
  const auto number = [&](std::size_t i, const LabelStyle& style) {
    const Rect area = mesh_bounds(document.character(), overlay.posed, drawn[i].mesh);
    if (area.empty()) return;
    draw_label(overlay, labels, fmt::format("{}", i + 1), vec(overlay.place(area.center())), style);
  };
  // The selected mesh comes first, then what is nearer to the viewer.
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i].mesh == overlay.selection.mesh) number(i, selected);
  }
  for (std::size_t i = drawn.size(); i-- > 0;) {
    if (drawn[i].mesh != overlay.selection.mesh) number(i, plain);
  }
}

void draw_trail(const Overlay& overlay, Legends& legends, const Trail& trail, std::uint32_t frame) {
  const auto bones = overlay.document.character().bones();
  if (frame >= trail.points.size() || !bones.contains(trail.bone)) return;
  std::vector<ImVec2> points;
  points.reserve(trail.points.size());
  for (const Vec3 point : trail.points) points.push_back(overlay.place_read(point));
  draw_ways(overlay, points, frame, trail.clip->looping && trail.clip->loop_start == 0);
  draw_dots(overlay, points, frame);
  const ImVec2 now = overlay.place(overlay.posed.world[index(trail.bone)][2]);
  overlay.list.AddCircle(now, 6.5F * overlay.scale, with_alpha(kBorderColor, 0.8F), 0, 4.0F * overlay.scale);
  overlay.list.AddCircle(now, 6.5F * overlay.scale, kTextColor, 0, 2.0F * overlay.scale);
  const Swatch ways[] = {{kBeforeColor, "before"}, {kAfterColor, "after"}};
  draw_legend(overlay, legends, "Trail of " + bones[trail.bone].name, ways);
}

void draw_names(const Overlay& overlay, Labels& labels) {
  const auto bones = overlay.document.character().bones();
  const auto& visible = overlay.posed.pose.visible;
  if (const auto selected = overlay.selection.bone; selected && bones.contains(*selected)) {
    for (BoneId bone = *selected; bone != BoneId::none; bone = bones[bone].parent) {
      draw_bone_name(overlay, labels, index(bone));
    }
    return;
  }
  // Of bones that take turns at one place, such as eyes open and shut, the one that shows is named.
  for (const bool shown : {true, false}) {
    for (std::size_t bone = 0; bone < bones.size(); ++bone) {
      if ((visible[bone] != 0) == shown) draw_bone_name(overlay, labels, bone);
    }
  }
}

void draw_selection(const Overlay& overlay) {
  const Selection& selection = overlay.selection;
  if (selection.mesh) draw_outline(overlay);
  if (selection.bone && index(*selection.bone) < overlay.posed.world.size()) draw_bone(overlay, *selection.bone);
}

void draw_skeleton(const Overlay& overlay) {
  const auto bones = overlay.document.character().bones();
  const auto& world = overlay.posed.world;
  const auto& visible = overlay.posed.pose.visible;
  ImDrawList& list = overlay.list;
  const float scale = overlay.scale;

  std::vector<Vec2> joints;
  joints.reserve(bones.size());
  for (const Affine& bone : world) joints.push_back(vec(overlay.place(bone[2])));

  const auto strength = [&](std::size_t bone) { return visible[bone] != 0 ? 1.0F : 0.3F; };
  for (std::size_t i = 0; i < joints.size(); ++i) {
    if (bones[i].parent == BoneId::none) continue;
    const std::size_t parent = index(bones[i].parent);
    draw_bone(list, joints[parent], joints[i], scale, std::min(strength(parent), strength(i)));
  }

  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const float reach = 9.0F * scale;
  std::size_t hovered = joints.size();
  float nearest = ImGui::GetIO().WantCaptureMouse ? 0.0F : reach;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    draw_joint(list, joints[i], 2.6F * scale, scale, strength(i));
    const float distance = glm::length(joints[i] - Vec2{mouse.x, mouse.y});
    if (distance < nearest) {
      nearest = distance;
      hovered = i;
    }
  }
  if (hovered < joints.size()) {
    draw_joint(list, joints[hovered], 4.2F * scale, scale, 1.0F);
    draw_name(list, bones[hovered].name, joints[hovered], overlay.canvas.area, scale);
  }
}

void draw_wireframe(const Overlay& overlay) {
  if (overlay.selection.mesh) return draw_triangles(overlay, *overlay.selection.mesh, with_alpha(kTextColor, 0.6F));
  for (const DrawItem& item : overlay.posed.draw_list) {
    draw_triangles(overlay, item.mesh, with_alpha(kTextColor, 0.35F));
  }
}

void draw_weights(const Overlay& overlay, Legends& legends) {
  const auto bone = overlay.selection.bone;
  const auto bones = overlay.document.character().bones();
  if (!bone || !bones.contains(*bone)) return draw_legend(overlay, legends, "Weights: select a bone");
  for (const DrawItem& item : overlay.posed.draw_list) draw_mesh(overlay, item.mesh, *bone);
  std::array<Swatch, kHeatStops.size()> ramp;
  for (std::size_t i = 0; i < ramp.size(); ++i) ramp[i].color = packed(kHeatStops[i]);
  ramp.front().caption = "0";
  ramp.back().caption = "1";
  draw_legend(overlay, legends, "Weights of " + bones[*bone].name, ramp, true);
}

}  // namespace pchr::player
