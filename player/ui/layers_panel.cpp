// SPDX-License-Identifier: MIT
// The layers of a pixel artwork, its palette and its tilesets.

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

/// What sets a layer apart from a plain one.
std::string notes_on(const ArtworkLayer& layer) {
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

/// Asks for the artwork with other layers drawn, shown as it is.
void set_layers(App& app, LayerChoice choice) {
  ImportOptions options = app.document->source.options;
  options.layers = std::move(choice);
  open_again(app, std::move(options));
}

void layer_choices(App& app, const LayerChoice& choice, float width) {
  int which = choice.which == LayerChoice::Which::all ? 1 : 0;
  const bool before = choice.which == LayerChoice::Which::named || !choice.overrides.empty();
  // Where single layers were chosen neither is what is shown, but both can be gone back to.
  int current = before ? -1 : which;
  if (segmented("which", kLayerChoices, current, width)) {
    which = current;
    set_layers(app, {.which = which == 1 ? LayerChoice::Which::all : LayerChoice::Which::visible});
  }
}

/// The name, and what is special about the layer aligned to the right, as far as both fit.
void layer_names(const ArtworkLayer& layer, bool seen, float right) {
  ImGui::PushStyleColor(ImGuiCol_Text, seen ? kTextColor : kDimTextColor);
  ImGui::TextUnformatted(layer.name.empty() ? "(no name)" : layer.name.c_str());
  ImGui::PopStyleColor();
  const std::string notes = notes_on(layer);
  tooltip(notes.empty() ? nullptr : fmt::format("{}\n{}", layer.name, notes).c_str());
  const Vec2 end = vec(ImGui::GetItemRectMax());
  const float left = ImGui::GetWindowPos().x + right - ImGui::CalcTextSize(notes.c_str()).x;
  if (notes.empty() || left < end.x + ImGui::GetStyle().ItemSpacing.x) return;
  ImGui::GetWindowDrawList()->AddText({left, end.y - ImGui::GetTextLineHeight()}, kFaintTextColor, notes.c_str());
}

void layer_row(App& app, const Artwork& artwork, const LayerRow& row, float right, float scale) {
  const ArtworkLayer& layer = artwork.layers[row.layer];
  const LayerChoice& choice = app.document->source.options.layers;
  const Vec2 corner = vec(ImGui::GetCursorScreenPos());
  const float height = ImGui::GetTextLineHeight();
  if (layer.tag_color.alpha > 0) {
    ImGui::GetWindowDrawList()->AddRectFilled(im(corner), im(corner + Vec2{kMarkWidth * scale, height}),
                                              packed_color(layer.tag_color), scale);
  }
  const float depth = static_cast<float>(std::min(row.depth, kMaxLayerIndent));
  const float left = ImGui::GetCursorPosX() + (kMarkWidth + 4.0F + depth * kIndentation) * scale;
  ImGui::SetCursorPosX(left);
  bool drawn = is_drawn(artwork, choice, row.layer);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {0.0F, 0.0F});
  if (ImGui::Checkbox("##drawn", &drawn)) set_layers(app, with_layer(artwork, choice, row.layer, drawn));
  ImGui::PopStyleVar();
  tooltip("Drawn");
  ImGui::SameLine(left + height + 8.0F * scale);
  if (row.foldable) {
    std::uint8_t& folded = app.document->artwork_layers.folded[row.layer];
    if (fold_arrow("fold", folded != 0, {kLayerFoldWidth * scale, height}, scale)) folded = folded == 0 ? 1 : 0;
    ImGui::SameLine(0.0F, 2.0F * scale);
  }
  layer_names(layer, row.seen, right);
}

/// As many in a row as fit; a click copies one.
void palette(const std::vector<Rgba>& colors, float width, float scale) {
  const float side = kSwatch * scale;
  const float gap = 2.0F * scale;
  const auto columns = std::max<std::size_t>(static_cast<std::size_t>((width + gap) / (side + gap)), 1);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {gap, gap});
  for (std::size_t i = 0; i < colors.size(); ++i) {
    if (i % columns != 0) ImGui::SameLine();
    const Vec2 corner = vec(ImGui::GetCursorScreenPos());
    ImGui::PushID(static_cast<int>(i));
    const bool clicked = ImGui::InvisibleButton("color", {side, side});
    ImGui::PopID();
    list.AddRectFilled(im(corner), im(corner + Vec2{side}), packed_color(colors[i]), 2.0F * scale);
    if (!ImGui::IsItemHovered()) continue;
    list.AddRect(im(corner), im(corner + Vec2{side}), kTextColor, 2.0F * scale);
    const Rgba& color = colors[i];
    std::string code = fmt::format("#{:02X}{:02X}{:02X}", color.red, color.green, color.blue);
    if (color.alpha < 255) code += fmt::format("{:02X}", color.alpha);
    tooltip(fmt::format("{}  {}\nA click copies it", i, code).c_str());
    if (clicked) ImGui::SetClipboardText(code.c_str());
  }
  ImGui::PopStyleVar();
}

}  // namespace

void layers(App& app, const Layout& layout) {
  const float scale = layout.scale;
  const Artwork& artwork = *app.document->imported.artwork;
  const LayerChoice& choice = app.document->source.options.layers;
  const float width = ImGui::GetContentRegionAvail().x;
  layer_choices(app, choice, width);
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
      fact(tileset.name.empty() ? "(no name)" : tileset.name.c_str(),
           fmt::format("{} of {} x {}", tileset.tile_count, tileset.tile_width, tileset.tile_height));
      tooltip(tileset.image ? "Its tiles are among the images of the atlas (A)" : "It has no pixels to show");
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace pchr::player
