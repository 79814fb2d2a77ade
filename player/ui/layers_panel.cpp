// SPDX-License-Identifier: MIT
#include "ui/panels.hpp"

namespace pchr::player {
namespace {

constexpr std::array kLayerChoices{"As saved", "All"};
constexpr std::uint32_t kMaxLayerIndent = 8;
constexpr float kIndentation = 12.0F;
constexpr float kLayerFoldWidth = 14.0F;
constexpr float kMarkWidth = 3.0F;
constexpr float kSwatch = 16.0F;

ImU32 packed_color(const Rgba& color) { return IM_COL32(color.red, color.green, color.blue, color.alpha); }

/// Returns how a layer differs from a plain one.
std::string notes_on(const ArtworkLayer& layer) {
  std::string text;
  const auto add = [&](std::string_view part) { text += fmt::format("{}{}", text.empty() ? "" : ", ", part); };
  if (layer.use != LayerUse::drawn) {
    add(name_of(layer.use));
  } else if (layer.kind != LayerKind::layer) {
    add(name_of(layer.kind));
  }
  if (layer.blend != BlendMode::normal) add(name_of(layer.blend));
  if (layer.opacity < 1.0F) add(fmt::format("{:.0f}%", layer.opacity * 100.0F));
  return text;
}

/// Reloads the artwork with other layers drawn.
void set_layers(App& app, LayerChoice choice) {
  ImportOptions options = app.document->source.options;
  options.layers = std::move(choice);
  reload(app, std::move(options));
}

void layer_choices(App& app, const LayerChoice& choice, float width) {
  // Single overrides match neither choice, and both choices must remain clickable.
  const bool single = choice.which == LayerChoice::Which::named || !choice.overrides.empty();
  int current = single ? -1 : choice.which == LayerChoice::Which::all ? 1 : 0;
  if (segmented("which", kLayerChoices, current, width)) {
    set_layers(app, {.which = current == 1 ? LayerChoice::Which::all : LayerChoice::Which::visible});
  }
}

/// Shows the name, and notes that end at `right` if both fit.
void layer_names(const ArtworkLayer& layer, bool seen, float right) {
  cut_text(seen ? kTextColor : kDimTextColor, layer.name.empty() ? "(unnamed)" : layer.name,
           right - ImGui::GetCursorPosX());
  const std::string notes = notes_on(layer);
  if (notes.empty()) return;
  tooltip(fmt::format("{}\n{}", layer.name, notes));
  const Vec2 end = ImGui::GetItemRectMax();
  const float left = ImGui::GetWindowPos().x + right - text_size(notes).x;
  if (left < end.x + ImGui::GetStyle().ItemSpacing.x) return;
  text_at({left, end.y}, {0.0F, 1.0F}, kFaintTextColor, notes);
}

void layer_row(App& app, const Artwork& artwork, const LayerRow& row, float right, float scale) {
  const ArtworkLayer& layer = artwork.layers[row.layer];
  const LayerChoice& choice = app.document->source.options.layers;
  const Vec2 corner = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeight();
  if (layer.tag_color.alpha > 0) {
    fill({corner, corner + Vec2{kMarkWidth * scale, height}}, packed_color(layer.tag_color), scale);
  }
  const float depth = static_cast<float>(std::min(row.depth, kMaxLayerIndent));
  const float left = ImGui::GetCursorPosX() + (kMarkWidth + 4.0F + depth * kIndentation) * scale;
  ImGui::SetCursorPosX(left);
  const bool drawn = is_drawn(artwork, choice, row.layer);
  if (checkbox("##drawn", drawn, 0.0F)) set_layers(app, with_layer(artwork, choice, row.layer, !drawn));
  tooltip("Show or hide this layer");
  ImGui::SameLine(left + height + 8.0F * scale);
  if (row.foldable) {
    std::uint8_t& folded = app.document->artwork_layers.folded[row.layer];
    if (fold_arrow(folded != 0, {kLayerFoldWidth * scale, height}, scale)) folded = folded == 0 ? 1 : 0;
    ImGui::SameLine(0.0F, 2.0F * scale);
  }
  layer_names(layer, row.seen, right);
}

/// Shows the colors in rows that fill the width. A click copies a color.
void palette(const std::vector<Rgba>& colors, float width, float scale) {
  const float side = kSwatch * scale;
  const float gap = 2.0F * scale;
  const auto columns = std::max<std::size_t>(static_cast<std::size_t>((width + gap) / (side + gap)), 1);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  for (std::size_t i = 0; i < colors.size(); ++i) {
    if (i % columns != 0) ImGui::SameLine();
    const Spot swatch = spot("color", Vec2{side}, i);
    fill(swatch.area, packed_color(colors[i]), 2.0F * scale);
    if (!swatch.hovered) continue;
    list.AddRect(swatch.area.min, swatch.area.max, kTextColor, 2.0F * scale);
    const Rgba& color = colors[i];
    std::string code = fmt::format("#{:02X}{:02X}{:02X}", color.red, color.green, color.blue);
    if (color.alpha < 255) code += fmt::format("{:02X}", color.alpha);
    tooltip(fmt::format("{}  {}\nClick to copy", i, code));
    if (swatch.clicked) ImGui::SetClipboardText(code.c_str());
  }
  ImGui::PopStyleVar();
}

}  // namespace

void layers(App& app, const Layout& layout) {
  const float scale = layout.scale;
  const Artwork& artwork = *app.document->imported.artwork;
  const LayerChoice& choice = app.document->source.options.layers;
  layer_choices(app, choice, ImGui::GetContentRegionAvail().x);
  ImGui::BeginChild("layers", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  const float right = ImGui::GetContentRegionAvail().x;
  list_layers(artwork, choice, app.document->artwork_layers);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {8.0F * scale, 5.0F * scale});
  for (const LayerRow& row : app.document->artwork_layers.rows) {
    ImGui::PushID(static_cast<int>(row.layer));
    layer_row(app, artwork, row, right, scale);
    ImGui::PopID();
  }
  if (!artwork.palette.empty()) {
    ImGui::Dummy({0.0F, 2.0F * scale});
    heading(fmt::format("Palette, {} colors{}", artwork.palette.size(), artwork.indexed ? ", indexed" : ""));
    palette(artwork.palette, right, scale);
  }
  if (!artwork.tilesets.empty()) {
    ImGui::Dummy({0.0F, 2.0F * scale});
    heading("Tilesets");
    for (const ArtworkTileset& tileset : artwork.tilesets) {
      fact(tileset.name.empty() ? "(unnamed)" : tileset.name,
           fmt::format("{} tiles, {} \u00d7 {}", tileset.tile_count, tileset.tile_width, tileset.tile_height));
      tooltip(tileset.image ? "The Atlas tab shows its tiles (A)" : "It has no pixels");
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace pchr::player
