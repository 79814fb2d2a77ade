// SPDX-License-Identifier: MIT
// The images of the character with the triangles that its meshes cut from them, in the tab or large.
#include "atlas.hpp"

#include "panels/panels.hpp"
#include "text.hpp"
#include "widgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace pchr::player {
namespace {

constexpr float kZoomPerNotch = 1.15F;
constexpr float kTile = 8.0F;
constexpr float kSamePlace = 4.0F;
/// Window units per pixel of the image from which on its pixels are shown as squares.
constexpr float kSharpZoom = 3.0F;
constexpr float kSmallestPicture = 40.0F;

const Image& shown_image(const Session& session) { return session.document->character().images()[session.atlas.image]; }

/// The image's name, and the choice of another where there are more.
void image_choice(Session& session, float width) {
  const Character& character = session.document->character();
  const auto images = character.images();
  const std::string& name = shown_image(session).name;
  if (images.size() == 1) {
    const Vec2 corner = vec(ImGui::GetCursorScreenPos());
    const Vec2 size{width, ImGui::GetFrameHeight()};
    ImGui::Dummy(im(size));
    tooltip(name.c_str());
    const ImVec4 clip{corner.x, corner.y, corner.x + size.x, corner.y + size.y};
    ImGui::GetWindowDrawList()->AddText(nullptr, 0.0F, im(corner + Vec2{0.0F, ImGui::GetStyle().FramePadding.y}),
                                        kTextColour, name.c_str(), nullptr, 0.0F, &clip);
    return;
  }
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo("##image", name.c_str())) return;
  for (std::uint32_t i = 0; i < images.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::Selectable(images[i].name.c_str(), i == session.atlas.image)) {
      choose_image(session.atlas, session.selection, character, i);
    }
    ImGui::PopID();
  }
  ImGui::EndCombo();
}

/// What is shown, and how: over `width` from the cursor on.
void bar(Session& session, float width, float scale) {
  const bool large = atlas_is_large(session);
  const float gap = 4.0F * scale;
  const Vec2 button{28.0F * scale, ImGui::GetFrameHeight()};
  ShortText zoom_text;
  write(zoom_text, "{:.0f} %", session.atlas.camera.zoom * ImGui::GetIO().DisplayFramebufferScale.x * 100.0F);
  const float zoom_width = large ? ImGui::CalcTextSize(zoom_text.data()).x : 0.0F;
  const float fit_width = ImGui::CalcTextSize("Fit").x + ImGui::GetStyle().FramePadding.x * 2.0F;
  image_choice(session, std::max(width - zoom_width - fit_width - button.x - gap * (large ? 4.0F : 2.0F), 1.0F));
  ImGui::SameLine(0.0F, gap);
  if (large) {
    ImGui::AlignTextToFramePadding();
    label(zoom_text.data());
    ImGui::SameLine(0.0F, gap * 2.0F);
  }
  if (ImGui::Button("Fit")) session.atlas.fitted = true;
  tooltip(large ? "Show the whole image (F)" : "Show the whole image");
  ImGui::SameLine(0.0F, gap);
  const char* text = large ? "Back to the character (Esc)" : "Large, in place of the character (Shift+A)";
  if (icon_button("large", large ? Icon::close : Icon::present, button, text)) toggle_large_atlas(session);
}

/// The mouse over the image, which is the item before: the wheel zooms, a drag moves, a click selects, two make it
/// large or small.
void handle_mouse(Session& session, Vec2 corner, bool pressed, float scale) {
  Atlas& atlas = session.atlas;
  const ImGuiIO& io = ImGui::GetIO();
  const Vec2 at = vec(io.MousePos) - corner;
  if (ImGui::IsItemHovered()) {
    if (io.MouseWheel != 0.0F) zoom(atlas, at, std::pow(kZoomPerNotch, io.MouseWheel));
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return toggle_large_atlas(session);
  }
  if (ImGui::IsItemActive()) {
    for (const ImGuiMouseButton button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle, ImGuiMouseButton_Right}) {
      if (ImGui::IsMouseDragging(button)) return move(atlas, vec(io.MouseDelta));
    }
  }
  const float farthest = io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left];
  const bool clicked = pressed && ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
                       farthest <= io.MouseDragThreshold * io.MouseDragThreshold;
  if (!clicked) return;
  select_at(atlas, session.selection, session.document->character(), viewport_to_world(atlas.camera, at),
            kSamePlace * scale / atlas.camera.zoom);
}

void draw_checker(ImDrawList& list, const Rect& image, const Rect& area, float tile) {
  const auto packed = [](const Colour& colour) {
    return ImGui::ColorConvertFloat4ToU32({colour[0], colour[1], colour[2], 1.0F});
  };
  const ImU32 light = packed(kCheckerLight);
  list.AddRectFilled(im(image.min), im(image.max), packed(kCheckerDark));
  const Vec2 first = glm::floor((glm::max(area.min, image.min) - image.min) / tile);
  const Vec2 end = glm::min(area.max, image.max);
  for (float row = first.y; image.min.y + row * tile < end.y; ++row) {
    // Every second tile, beginning with one whose column and row are both even or both odd.
    const float odd = std::fmod(row + first.x, 2.0F);
    for (float column = first.x + odd; image.min.x + column * tile < end.x; column += 2.0F) {
      const Vec2 from = image.min + Vec2{column, row} * tile;
      list.AddRectFilled(im(from), im(glm::min(from + Vec2{tile}, end)), light);
    }
  }
}

/// The image, of which all but the selected mesh is dim.
void draw_image(ImDrawList& list, const Session& session, AtlasTexture& texture, const Affine& to_window,
                const Rect& whole) {
  constexpr ImU32 kDim = IM_COL32(0x70, 0x70, 0x78, 0xFF);
  const auto selected = session.selection.mesh;
  const ImTextureID id = texture.begin(list, session.atlas.camera.zoom >= kSharpZoom);
  list.AddImage(id, im(whole.min), im(whole.max), {0.0F, 0.0F}, {1.0F, 1.0F}, selected ? kDim : IM_COL32_WHITE);
  if (selected) {
    const Character& character = session.document->character();
    const Mesh& mesh = character.meshes()[*selected];
    const auto vertices = character.vertices(mesh);
    const auto indices = character.indices(mesh);
    const Image& image = character.images()[mesh.image];
    list.PushTextureID(id);
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
      list.PrimReserve(3, 3);
      for (std::size_t corner = i; corner < i + 3; ++corner) {
        const Vec2 uv{vertices[indices[corner]].u, vertices[indices[corner]].v};
        list.PrimVtx(im(apply(to_window, uv * Vec2{image.width, image.height})), im(uv), IM_COL32_WHITE);
      }
    }
    list.PopTextureID();
  }
  AtlasTexture::end(list);
}

/// What of `edges` lies in `area`.
void draw_edges(ImDrawList& list, std::span<const AtlasEdge> edges, const Affine& to_window, const Rect& area,
                ImU32 colour, float thickness) {
  for (const AtlasEdge& edge : edges) {
    const Vec2 from = apply(to_window, edge[0]);
    const Vec2 to = apply(to_window, edge[1]);
    const Vec2 least = glm::min(from, to);
    const Vec2 most = glm::max(from, to);
    if (most.x < area.min.x || most.y < area.min.y || least.x > area.max.x || least.y > area.max.y) continue;
    list.AddLine(im(from), im(to), colour, thickness);
  }
}

/// Of the selected mesh, as the canvas shows it.
void draw_outline(ImDrawList& list, Session& session, const Affine& to_window, float scale) {
  const Character& character = session.document->character();
  find_outline(session.selection, character);
  if (!session.selection.mesh) return;
  const Mesh& mesh = character.meshes()[*session.selection.mesh];
  const auto vertices = character.vertices(mesh);
  const Image& image = character.images()[mesh.image];
  const auto place = [&](std::uint16_t vertex) {
    return im(apply(to_window, Vec2{vertices[vertex].u, vertices[vertex].v} * Vec2{image.width, image.height}));
  };
  for (const auto& [from, to] : session.selection.outline) {
    list.AddLine(place(from), place(to), kAccentColour, 1.5F * scale);
  }
}

/// The image and the triangles on it, over `size` from the cursor on.
void picture(Session& session, AtlasTexture& texture, Vec2 size, float scale) {
  constexpr ImGuiButtonFlags kAnyButton =
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle;
  Atlas& atlas = session.atlas;
  const Image& image = shown_image(session);
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const Rect area{corner, corner + size};
  const bool pressed = ImGui::InvisibleButton("image", im(size), kAnyButton);
  place_camera(atlas, image, size);
  handle_mouse(session, corner, pressed, scale);

  const Affine to_viewport = world_to_viewport(atlas.camera);
  const Affine to_window{to_viewport[0], to_viewport[1], to_viewport[2] + corner};
  const Rect whole{apply(to_window, Vec2{0.0F}), apply(to_window, {image.width, image.height})};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(im(area.min), im(area.max), true);
  list.AddRectFilled(im(area.min), im(area.max), kWellColour);
  draw_checker(list, whole, area, kTile * scale);
  if (texture.ready(session)) {
    draw_image(list, session, texture, to_window, whole);
  } else {
    const char* text = texture.problem().empty() ? "Decoding ..." : texture.problem().c_str();
    const Vec2 text_size = vec(ImGui::CalcTextSize(text, nullptr, false, size.x));
    list.AddText(nullptr, 0.0F, im(area.centre() - text_size * 0.5F), kTextColour, text, nullptr, size.x);
  }
  const float line = std::max(1.0F, scale);
  // Fainter where it is small, so that many lines do not hide it.
  const float strength = std::clamp(atlas.camera.zoom / scale * 1.5F, 0.4F, 1.0F);
  draw_edges(list, atlas.edges, to_window, area, with_alpha(kTextColour, 0.25F * strength), line);
  draw_edges(list, atlas.selected_edges, to_window, area, with_alpha(kAccentColour, 0.6F * strength), line);
  draw_outline(list, session, to_window, scale);
  list.PopClipRect();
}

const char* encoding_name(ImageEncoding encoding) {
  switch (encoding) {
    case ImageEncoding::png:
      return "PNG";
    case ImageEncoding::rgba8888:
      return "raw";
    case ImageEncoding::absent:
      return "missing";
  }
  return "";
}

void image_facts(const Session& session) {
  const Character& character = session.document->character();
  const Image& image = shown_image(session);
  fact("Size", fmt::format("{} \u00d7 {}, {}", image.width, image.height, encoding_name(image.encoding)));
  fact("GPU memory", memory_text(gpu_bytes(image)));
  tooltip("With its mipmaps");
  if (const auto mesh = session.selection.mesh) {
    fact("Mesh", character.meshes()[*mesh].name);
  } else {
    const auto count = std::ranges::count(character.meshes(), session.atlas.image, &Mesh::image);
    fact("Meshes", fmt::format("{}", count));
  }
}

}  // namespace

void atlas(Session& session, const Layout& layout, AtlasTexture& texture) {
  if (!session.document) return note("Nothing is open.");
  if (session.document->character().data().images.empty()) return note("This character has no images.");
  const float scale = layout.scale;
  follow(session.atlas, session.document->character(), session.selection, session.files_opened);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 4.0F * scale});
  const Vec2 room = vec(ImGui::GetContentRegionAvail());
  const bool large = atlas_is_large(session);
  if (!large) bar(session, room.x, scale);
  const float below = ImGui::GetTextLineHeightWithSpacing() * 3.0F;
  const float height = ImGui::GetContentRegionAvail().y - below;
  if (large) {
    note("Esc brings the character back.");
  } else if (height >= kSmallestPicture * scale) {
    picture(session, texture, {room.x, height}, scale);
  }
  image_facts(session);
  ImGui::PopStyleVar();
}

void large_atlas(Session& session, const Layout& layout, AtlasTexture& texture) {
  const float scale = layout.scale;
  follow(session.atlas, session.document->character(), session.selection, session.files_opened);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 0.0F});
  if (begin_panel("atlas", layout.canvas)) {
    const Vec2 size = layout.canvas.size();
    const float above = (kHeadingHeight * scale - ImGui::GetFrameHeight()) * 0.5F;
    ImGui::SetCursorPos({kPadding * scale, above});
    bar(session, size.x - kPadding * scale - above, scale);
    ImGui::SetCursorPos({0.0F, kHeadingHeight * scale});
    picture(session, texture, glm::max(size - Vec2{0.0F, kHeadingHeight * scale}, Vec2{1.0F}), scale);
    end_panel();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace pchr::player
