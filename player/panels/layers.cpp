// SPDX-License-Identifier: MIT
// The layers of a pixel artwork, its palette and its tilesets.
#include "panels/panels.hpp"
#include "widgets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace pchr::player {
namespace {

constexpr std::array kChoices{"As saved", "All"};
constexpr std::uint32_t kDeepestIndentation = 8;
constexpr float kIndentation = 12.0F;
constexpr float kArrowWidth = 14.0F;
constexpr float kMarkWidth = 3.0F;
constexpr float kSwatch = 16.0F;

ImU32 packed(const Rgba& colour) { return IM_COL32(colour.red, colour.green, colour.blue, colour.alpha); }

/// What sets a layer apart from a plain one.
std::string remarks_on(const ArtworkLayer& layer) {
  std::string text;
  const auto add = [&](std::string_view part) { text += fmt::format("{}{}", text.empty() ? "" : ", ", part); };
  if (layer.use != LayerUse::drawn) {
    add(name_of(layer.use));
  } else if (layer.kind != LayerKind::layer) {
    add(name_of(layer.kind));
  }
  if (layer.blend != BlendMode::normal) add(name_of(layer.blend));
  if (layer.opacity < 1.0F) add(fmt::format("{:.0f} %", layer.opacity * 100.0F));
  return text;
}

void choices(Session& session, const LayerChoice& choice, float width) {
  int which = choice.which == LayerChoice::Which::all ? 1 : 0;
  const bool before = choice.which == LayerChoice::Which::named || !choice.overrides.empty();
  // Where single layers were chosen neither is what is shown, but both can be gone back to.
  int current = before ? -1 : which;
  if (segmented("which", kChoices, current, width)) {
    which = current;
    set_layers(session, {.which = which == 1 ? LayerChoice::Which::all : LayerChoice::Which::visible});
  }
}

/// The name, and what is special about the layer aligned to the right, as far as both fit.
void names(const ArtworkLayer& layer, bool seen, float right) {
  ImGui::PushStyleColor(ImGuiCol_Text, seen ? kTextColour : kDimTextColour);
  ImGui::TextUnformatted(layer.name.empty() ? "(no name)" : layer.name.c_str());
  ImGui::PopStyleColor();
  const std::string remarks = remarks_on(layer);
  tooltip(remarks.empty() ? nullptr : fmt::format("{}\n{}", layer.name, remarks).c_str());
  const Vec2 end = vec(ImGui::GetItemRectMax());
  const float left = ImGui::GetWindowPos().x + right - ImGui::CalcTextSize(remarks.c_str()).x;
  if (remarks.empty() || left < end.x + ImGui::GetStyle().ItemSpacing.x) return;
  ImGui::GetWindowDrawList()->AddText({left, end.y - ImGui::GetTextLineHeight()}, kFaintTextColour, remarks.c_str());
}

void layer_row(Session& session, const Artwork& artwork, const LayerRow& row, float right, float scale) {
  const ArtworkLayer& layer = artwork.layers[row.layer];
  const LayerChoice& choice = session.document->source.options.layers;
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const float height = ImGui::GetTextLineHeight();
  if (layer.tag_colour.alpha > 0) {
    ImGui::GetWindowDrawList()->AddRectFilled(im(corner), im(corner + Vec2{kMarkWidth * scale, height}),
                                              packed(layer.tag_colour), scale);
  }
  const float depth = static_cast<float>(std::min(row.depth, kDeepestIndentation));
  const float left = ImGui::GetCursorPosX() + (kMarkWidth + 4.0F + depth * kIndentation) * scale;
  ImGui::SetCursorPosX(left);
  bool drawn = is_drawn(artwork, choice, row.layer);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0.0F, 0.0F});
  if (ImGui::Checkbox("##drawn", &drawn)) set_layers(session, with_layer(artwork, choice, row.layer, drawn));
  ImGui::PopStyleVar();
  tooltip("Drawn");
  ImGui::SameLine(left + height + 8.0F * scale);
  if (row.foldable) {
    std::uint8_t& folded = session.layers.folded[row.layer];
    if (fold_arrow("fold", folded != 0, {kArrowWidth * scale, height}, scale)) folded = folded == 0 ? 1 : 0;
    ImGui::SameLine(0.0F, 2.0F * scale);
  }
  names(layer, row.seen, right);
}

/// As many in a row as fit; a click copies one.
void palette(const std::vector<Rgba>& colours, float width, float scale) {
  const float side = kSwatch * scale;
  const float gap = 2.0F * scale;
  const auto columns = std::max<std::size_t>(static_cast<std::size_t>((width + gap) / (side + gap)), 1);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  for (std::size_t i = 0; i < colours.size(); ++i) {
    if (i % columns != 0) ImGui::SameLine();
    const Vec2 corner = vec(ImGui::GetCursorScreenPos());
    ImGui::PushID(static_cast<int>(i));
    const bool clicked = ImGui::InvisibleButton("colour", {side, side});
    ImGui::PopID();
    list.AddRectFilled(im(corner), im(corner + Vec2{side}), packed(colours[i]), 2.0F * scale);
    if (!ImGui::IsItemHovered()) continue;
    list.AddRect(im(corner), im(corner + Vec2{side}), kTextColour, 2.0F * scale);
    const Rgba& colour = colours[i];
    std::string code = fmt::format("#{:02X}{:02X}{:02X}", colour.red, colour.green, colour.blue);
    if (colour.alpha < 255) code += fmt::format("{:02X}", colour.alpha);
    tooltip(fmt::format("{}  {}\nA click copies it", i, code).c_str());
    if (clicked) ImGui::SetClipboardText(code.c_str());
  }
  ImGui::PopStyleVar();
}

}  // namespace

void layers(Session& session, const Layout& layout) {
  const float scale = layout.scale;
  const Artwork& artwork = *session.document->character().data().artwork;
  const LayerChoice& choice = session.document->source.options.layers;
  const float width = ImGui::GetContentRegionAvail().x;
  choices(session, choice, width);
  ImGui::BeginChild("layers", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  const float right = ImGui::GetContentRegionAvail().x;
  list_layers(artwork, session.document->source.options.layers, session.document->path, session.layers);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 5.0F * scale});
  for (const LayerRow& row : session.layers.rows) {
    ImGui::PushID(static_cast<int>(row.layer));
    layer_row(session, artwork, row, right, scale);
    ImGui::PopID();
  }
  if (!artwork.palette.empty()) {
    ImGui::Dummy({0.0F, 2.0F * scale});
    heading(fmt::format("Palette, {} colours{}", artwork.palette.size(), artwork.indexed ? ", indexed" : ""));
    palette(artwork.palette, right, scale);
  }
  if (!artwork.tilesets.empty()) {
    ImGui::Dummy({0.0F, 2.0F * scale});
    heading("Tilesets");
    for (const ArtworkTileset& tileset : artwork.tilesets) {
      fact(tileset.name.empty() ? "(no name)" : tileset.name.c_str(),
           fmt::format("{} of {} x {}", tileset.tile_count, tileset.tile_width, tileset.tile_height));
      tooltip(tileset.image ? "Its tiles are among the images of the atlas (A)" : "It has no pixels to show");
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace pchr::player
