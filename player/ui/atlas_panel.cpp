// SPDX-License-Identifier: MIT
#include "ui/panels.hpp"

#include <glm/vector_relational.hpp>

#include <cmath>

namespace pchr::player {
namespace {

constexpr float kAtlasZoomPerNotch = 1.15F;
constexpr float kAtlasTile = 8.0F;
constexpr float kSameTexel = 4.0F;  ///< Max distance, in pixels, between clicks that step through overlapping meshes.
constexpr float kSharpZoom = 3.0F;  ///< Window units per texel above which texels are drawn as squares.
constexpr float kMinImageHeight = 80.0F;  ///< The tab scrolls if there is less room.

const Image& shown_image(const Document& document) { return document.character().images()[document.atlas.image]; }

/// Shows the image's name, and a choice if there are several images.
void image_choice(App& app, float width) {
  const Character& character = app.document()->character();
  const auto images = character.images();
  const std::string& name = shown_image(*app.document()).name;
  if (images.size() == 1) {
    const Vec2 corner = ImGui::GetCursorScreenPos();
    const Vec2 size{width, ImGui::GetFrameHeight()};
    ImGui::Dummy(size);
    text_in({corner, corner + size}, kTextColor, name);
    return;
  }
  const auto chosen = combo("##image", name.c_str(), width, images.size(), index(app.document()->atlas.image),
                            [&](std::size_t i) { return images[i].name.c_str(); });
  if (chosen) choose_image(app.document()->atlas, app.document()->selection, character, ImageId(*chosen));
}

/// Lays out the controls above the image in a row of `width`.
void atlas_bar(App& app, float width, float scale) {
  const bool large = atlas_is_large(app);
  const float gap = 4.0F * scale;
  const Vec2 button{28.0F * scale, ImGui::GetFrameHeight()};
  ShortText zoom_text;
  write(zoom_text, "{:.0f}%", app.document()->atlas.camera.zoom * ImGui::GetIO().DisplayFramebufferScale.x * 100.0F);
  const float zoom_width = large ? text_size(zoom_text.data()).x : 0.0F;
  const float fit_width = text_size("Fit").x + ImGui::GetStyle().FramePadding.x * 2.0F;
  image_choice(app, std::max(width - zoom_width - fit_width - button.x - gap * (large ? 4.0F : 2.0F), 1.0F));
  ImGui::SameLine(0.0F, gap);
  if (large) {
    ImGui::AlignTextToFramePadding();
    label(zoom_text.data());
    ImGui::SameLine(0.0F, gap * 2.0F);
  }
  if (ImGui::Button("Fit")) app.document()->atlas.fitted = true;
  tooltip("Fit the whole image");
  ImGui::SameLine(0.0F, gap);
  command_button(app, "large-atlas", large ? Icon::close : Icon::present, button);
}

/// The wheel zooms, dragging moves, a click selects, a double click enlarges or shrinks the atlas.
void handle_mouse(App& app, const Spot& image, float scale) {
  Atlas& atlas = app.document()->atlas;
  const ImGuiIO& io = ImGui::GetIO();
  const Vec2 at = Vec2(io.MousePos) - image.area.min;
  if (image.hovered) {
    if (io.MouseWheel != 0.0F) zoom(atlas, at, std::pow(kAtlasZoomPerNotch, io.MouseWheel));
    if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) return toggle_large_atlas(app);
  }
  if (image.active) {
    for (const ImGuiMouseButton button : {ImGuiMouseButton_Left, ImGuiMouseButton_Middle, ImGuiMouseButton_Right}) {
      if (ImGui::IsMouseDragging(button)) return move(atlas, io.MouseDelta);
    }
  }
  const float farthest = io.MouseDragMaxDistanceSqr[ImGuiMouseButton_Left];
  const bool dragged = farthest > io.MouseDragThreshold * io.MouseDragThreshold;
  if (!image.clicked || dragged || !ImGui::IsMouseReleased(ImGuiMouseButton_Left)) return;
  select_at(atlas, app.document()->selection, app.document()->character(), viewport_to_world(atlas.camera, at),
            kSameTexel * scale / atlas.camera.zoom);
}

void draw_checker(const Rect& image, const Rect& area, float tile) {
  const ImU32 light = packed(kCheckerLight);
  fill(image, packed(kCheckerDark));
  const Vec2 first = glm::floor((glm::max(area.min, image.min) - image.min) / tile);
  const Vec2 end = glm::min(area.max, image.max);
  for (float row = first.y; image.min.y + row * tile < end.y; ++row) {
    // Every second tile, starting with the light one: its column and row are both even or both odd.
    const float odd = std::fmod(row + first.x, 2.0F);
    for (float column = first.x + odd; image.min.x + column * tile < end.x; column += 2.0F) {
      const Vec2 from = image.min + Vec2{column, row} * tile;
      fill({from, glm::min(from + Vec2{tile}, end)}, light);
    }
  }
}

/// Draws the image, dimmed except for the selected mesh.
void draw_image(ImDrawList& list, const App& app, AtlasTexture& texture, const Affine& to_window, const Rect& whole) {
  constexpr ImU32 kDim = IM_COL32(0x70, 0x70, 0x78, 0xFF);
  const auto selected = app.document()->selection.mesh;
  const ImTextureID id = texture.begin(list, app.document()->atlas.camera.zoom >= kSharpZoom);
  list.AddImage(id, whole.min, whole.max, {0.0F, 0.0F}, {1.0F, 1.0F}, selected ? kDim : IM_COL32_WHITE);
  if (selected) {
    const Character& character = app.document()->character();
    const Mesh& mesh = character.meshes()[*selected];
    const auto vertices = character.vertices(mesh);
    const auto indices = character.indices(mesh);
    const Image& image = character.images()[mesh.image];
    list.PushTextureID(id);
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
      list.PrimReserve(3, 3);
      for (std::size_t corner = i; corner < i + 3; ++corner) {
        const Vec2 uv{vertices[indices[corner]].u, vertices[indices[corner]].v};
        list.PrimVtx(apply(to_window, uv * Vec2{image.width, image.height}), uv, IM_COL32_WHITE);
      }
    }
    list.PopTextureID();
  }
  AtlasTexture::end(list);
}

/// Draws the edges that touch `area`.
void draw_edges(ImDrawList& list, std::span<const AtlasEdge> edges, const Affine& to_window, const Rect& area,
                ImU32 color, float thickness) {
  for (const AtlasEdge& edge : edges) {
    const Vec2 from = apply(to_window, edge[0]);
    const Vec2 to = apply(to_window, edge[1]);
    const bool seen = glm::all(glm::greaterThanEqual(glm::max(from, to), area.min)) &&
                      glm::all(glm::lessThanEqual(glm::min(from, to), area.max));
    if (seen) list.AddLine(from, to, color, thickness);
  }
}

/// Draws the outline of the selected mesh.
void draw_atlas_outline(ImDrawList& list, App& app, const Affine& to_window, float scale) {
  const Character& character = app.document()->character();
  find_outline(app.document()->selection, character);
  if (!app.document()->selection.mesh) return;
  const Mesh& mesh = character.meshes()[*app.document()->selection.mesh];
  const auto vertices = character.vertices(mesh);
  const Image& image = character.images()[mesh.image];
  const auto place = [&](std::uint16_t vertex) {
    return apply(to_window, Vec2{vertices[vertex].u, vertices[vertex].v} * Vec2{image.width, image.height});
  };
  for (const auto& [from, to] : app.document()->selection.outline) {
    list.AddLine(place(from), place(to), kAccentColor, 1.5F * scale);
  }
}

/// Draws the image and its triangles into an item of `size`.
void image_view(App& app, AtlasTexture& texture, Vec2 size, float scale) {
  constexpr ImGuiButtonFlags kAnyButton =
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle;
  Atlas& atlas = app.document()->atlas;
  const Image& image = shown_image(*app.document());
  const Spot place = spot("image", size, 0, kAnyButton);
  const Rect& area = place.area;
  place_camera(atlas, image, size);
  handle_mouse(app, place, scale);

  const Affine to_viewport = world_to_viewport(atlas.camera);
  const Affine to_window{to_viewport[0], to_viewport[1], to_viewport[2] + area.min};
  const Rect whole{apply(to_window, Vec2{0.0F}), apply(to_window, {image.width, image.height})};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.PushClipRect(area.min, area.max, true);
  fill(area, kWellColor);
  draw_checker(whole, area, kAtlasTile * scale);
  if (texture.ready({app.document()->character(), app.document()->atlas.image})) {
    draw_image(list, app, texture, to_window, whole);
  } else {
    const char* text = texture.problem().empty() ? "Decoding..." : texture.problem().c_str();
    const Vec2 text_size = ImGui::CalcTextSize(text, nullptr, false, size.x);
    list.AddText(nullptr, 0.0F, area.center() - text_size * 0.5F, kTextColor, text, nullptr, size.x);
  }
  const float line = std::max(1.0F, scale);
  // Fade the lines when zoomed out, so that they do not hide the image.
  const float strength = std::clamp(atlas.camera.zoom / scale * 1.5F, 0.4F, 1.0F);
  draw_edges(list, atlas.edges, to_window, area, with_alpha(kTextColor, 0.25F * strength), line);
  draw_edges(list, atlas.selected_edges, to_window, area, with_alpha(kAccentColor, 0.6F * strength), line);
  draw_atlas_outline(list, app, to_window, scale);
  list.PopClipRect();
}

const char* encoding_name(ImageEncoding encoding) {
  return encoding == ImageEncoding::png ? "PNG" : encoding == ImageEncoding::rgba8888 ? "raw" : "missing";
}

void image_facts(const App& app) {
  const Character& character = app.document()->character();
  const Image& image = shown_image(*app.document());
  fact("Size", fmt::format("{} \u00d7 {}, {}", image.width, image.height, encoding_name(image.encoding)));
  fact("GPU memory", memory_text(gpu_bytes(image)));
  tooltip("Including mipmaps");
  if (const auto mesh = app.document()->selection.mesh) {
    fact("Mesh", character.meshes()[*mesh].name);
  } else {
    const auto count = std::ranges::count(character.meshes(), app.document()->atlas.image, &Mesh::image);
    fact("Meshes", fmt::format("{}", count));
  }
}

}  // namespace

void atlas(App& app, const Layout& layout, AtlasTexture& texture) {
  if (!app.document()) return note("No file is open.");
  if (app.document()->character().data().images.empty()) return note("This character has no images.");
  const float scale = layout.scale;
  follow(app.document()->atlas, app.document()->character(), app.document()->selection);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 4.0F * scale});
  const float width = ImGui::GetContentRegionAvail().x;
  if (atlas_is_large(app)) {
    note("Press Esc to return to the character.");
  } else {
    atlas_bar(app, width, scale);
    const float height = ImGui::GetContentRegionAvail().y - ImGui::GetTextLineHeightWithSpacing() * 3.0F;
    image_view(app, texture, {width, std::max(height, kMinImageHeight * scale)}, scale);
  }
  image_facts(app);
  ImGui::PopStyleVar();
}

void large_atlas(App& app, const Layout& layout, AtlasTexture& texture) {
  const float scale = layout.scale;
  follow(app.document()->atlas, app.document()->character(), app.document()->selection);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 0.0F});
  if (begin_panel("atlas", layout.canvas)) {
    const Vec2 size = layout.canvas.size();
    const float above = (kHeadingHeight * scale - ImGui::GetFrameHeight()) * 0.5F;
    ImGui::SetCursorPos({kPadding * scale, above});
    atlas_bar(app, size.x - kPadding * scale - above, scale);
    ImGui::SetCursorPos({0.0F, kHeadingHeight * scale});
    image_view(app, texture, glm::max(size - Vec2{0.0F, kHeadingHeight * scale}, Vec2{1.0F}), scale);
    ImGui::End();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace pchr::player
