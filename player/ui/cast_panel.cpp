// SPDX-License-Identifier: MIT
// The list of the cast, with thumbnails.
#include "ui/panels.hpp"

#include "platform/output_file.hpp"
#include "platform/desktop.hpp"
#include "platform/utf8_path.hpp"

#include <algorithm>

namespace pchr::player {
namespace {

constexpr std::size_t kMaxTextures = 256;
constexpr std::size_t kThumbnailChannels = 4;

std::filesystem::path thumbnail_folder() {
  const std::filesystem::path folder = path_from_utf8(user_cache_folder());
  return folder.empty() ? folder : folder / "pchr" / "thumbnails";
}

/// Blends the image over the color of wells, because Dear ImGui blends straight alpha.
void make_opaque(Bitmap& image) noexcept {
  constexpr std::array kBehind{kWellColor >> IM_COL32_R_SHIFT & 0xFF, kWellColor >> IM_COL32_G_SHIFT & 0xFF,
                               kWellColor >> IM_COL32_B_SHIFT & 0xFF, 0xFFU};
  for (std::size_t i = 0; i < image.rgba.size(); i += kThumbnailChannels) {
    const std::uint32_t through = 255U - image.rgba[i + 3];
    for (std::size_t channel = 0; channel < kThumbnailChannels; ++channel) {
      std::uint8_t& value = image.rgba[i + channel];
      value = static_cast<std::uint8_t>(std::min(value + (kBehind[channel] * through + 127U) / 255U, 255U));
    }
  }
}

GlTexture upload(const Bitmap& image) {
  GlTexture texture = GlTexture::make();
  gl().BindTexture(GL_TEXTURE_2D, texture.get());
  gl().TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, static_cast<GLsizei>(image.width), static_cast<GLsizei>(image.height), 0,
                  GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  gl().GenerateMipmap(GL_TEXTURE_2D);
  gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  return texture;
}

}  // namespace

CastThumbnails::CastThumbnails() : thumbnails_(thumbnail_folder()) {}

void CastThumbnails::take(Thumbnail made, Cast& cast) {
  set_error(cast, made.file.path, std::move(made.error));
  Shown& shown = textures_[made.file.path];
  shown.checked = true;
  shown.texture = {};
  if (made.image.rgba.empty()) return;
  make_opaque(made.image);
  shown.texture = upload(made.image);
}

bool CastThumbnails::update(Cast& cast) {
  bool changed = false;
  while (auto made = thumbnails_.take()) {
    take(*std::move(made), cast);
    changed = true;
  }
  const auto is_shown = [&](const std::filesystem::path& path) {
    return std::ranges::find(cast.shown, path) != cast.shown.end();
  };
  if (textures_.size() > kMaxTextures) {
    std::erase_if(textures_, [&](const auto& each) { return !is_shown(each.first); });
  }
  std::vector<std::filesystem::path> wanted;
  for (const std::filesystem::path& path : cast.shown) {
    const auto known = textures_.find(path);
    if (known == textures_.end() || !known->second.checked) wanted.push_back(path);
  }
  if (!wanted.empty() && wanted != requested_) thumbnails_.want(wanted);
  requested_ = std::move(wanted);
  return changed;
}

void CastThumbnails::recheck() noexcept {
  for (auto& [path, shown] : textures_) shown.checked = false;
}

std::optional<ImTextureID> CastThumbnails::find(const std::filesystem::path& path) const {
  const auto known = textures_.find(path);
  if (known == textures_.end() || !known->second.texture) return std::nullopt;
  return interface_texture(known->second.texture.get());
}

std::size_t CastThumbnails::count() const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(textures_, [](const auto& each) { return static_cast<bool>(each.second.texture); }));
}

namespace {

constexpr float kCastRowHeight = 44.0F;
constexpr float kShownSide = 36.0F;
constexpr float kButtonSide = 24.0F;

/// The title, which folds the list, the place of the open file, and buttons that step.
void cast_header(App& app, const Rect& panel, float scale) {
  const float middle = panel.min.y + kHeadingHeight * 0.5F * scale;
  const Vec2 button = Vec2{kButtonSide} * scale;
  const float gap = 4.0F * scale;
  const float buttons = panel.size().x - kPadding * scale - button.x * 2.0F - gap;
  bool& folded = app.arrangement.cast_folded;
  ImGui::SetCursorPos({kPadding * scale, (kHeadingHeight * scale - ImGui::GetTextLineHeight()) * 0.5F});
  if (folding_heading("fold cast", "Cast", folded, scale)) folded = !folded;
  const float place = panel.min.x + kPadding * scale + text_size("Cast").x + 22.0F * scale;
  text_in({{place, middle - button.y}, {panel.min.x + buttons - gap, middle + button.y}}, kDimTextColor,
          cast_place(app));
  ImGui::SetCursorPos({buttons, (kHeadingHeight - kButtonSide) * 0.5F * scale});
  command_button(app, "previous-in-list", Icon::previous, button);
  ImGui::SameLine(0.0F, gap);
  command_button(app, "next-in-list", Icon::next, button);
}

void cast_filter(App& app, const Rect& panel, float scale) {
  const Cast& cast = app.cast;
  ImGui::SetCursorPos({kPadding * scale, kHeadingHeight * scale});
  const float width = panel.size().x - 2.0F * kPadding * scale;
  if (!filter_field("##cast-filter", "Find a character", app.cast.filter, width)) return;
  const auto found =
      std::ranges::find_if(cast.entries, [&](const CastEntry& entry) { return passes(cast.filter, entry.name); });
  if (found != cast.entries.end()) choose_in_cast(app, static_cast<std::size_t>(found - cast.entries.begin()));
}

void draw_thumbnail(const CastEntry& entry, const CastThumbnails& thumbnails, Vec2 corner, float scale) {
  const Rect area{corner, corner + Vec2{kShownSide * scale}};
  fill(area, kWellColor, 4.0F * scale);
  if (const auto image = thumbnails.find(entry.path)) {
    ImGui::GetWindowDrawList()->AddImageRounded(*image, area.min, area.max, {0.0F, 0.0F}, {1.0F, 1.0F}, IM_COL32_WHITE,
                                                4.0F * scale);
  } else if (!entry.error.empty()) {
    text_at(area.center(), Vec2{0.5F}, kErrorColor, "!");
  }
}

void row_tooltip(const CastEntry& entry) {
  const std::string path = shown_path(entry.path);
  tooltip(entry.error.empty() ? path : fmt::format("{}\n{}", path, entry.error));
}

bool menu_item(const char* name) {
  const bool chosen = ImGui::MenuItem(name);
  name_item(name);
  return chosen;
}

void row_menu(App& app, std::size_t index, bool in_lineup) {
  if (!ImGui::BeginPopupContextItem("cast menu")) return;
  const std::filesystem::path path = app.cast.entries[index].path;
  if (menu_item("Open")) choose_in_cast(app, index);
  if (menu_item(in_lineup ? "Remove from lineup" : "Add to lineup")) toggle_in_lineup(app, path);
  if (menu_item("Compare with")) open_to_compare(app.requests, path);
  if (menu_item("Show in folder")) show_in_folder(path);
  ImGui::EndPopup();
}

void cast_row(App& app, const CastThumbnails& thumbnails, std::size_t index, float width, float scale) {
  const CastEntry& entry = app.cast.entries[index];
  const bool current = entry.path == app.requests.tried;
  const bool in_lineup = find_in_lineup(app, entry.path) != nullptr;
  const Spot row = spot("cast", {width, kCastRowHeight * scale}, index);
  if (row.clicked) ImGui::GetIO().KeyCtrl ? toggle_in_lineup(app, entry.path) : choose_in_cast(app, index);
  const Vec2 inset = Vec2{6.0F, 1.0F} * scale;
  mark_row({row.area.min + inset, row.area.max - inset}, current, row.hovered, scale);
  const float margin = (kCastRowHeight - kShownSide) * 0.5F * scale;
  const Vec2 corner = row.area.min + Vec2{kPadding * scale, margin};
  draw_thumbnail(entry, thumbnails, corner, scale);
  const float left = corner.x + (kShownSide + 10.0F) * scale;
  const float right = row.area.max.x - (in_lineup ? 36.0F : 14.0F) * scale;
  text_in({{left, row.area.min.y}, {right, row.area.max.y}}, entry.error.empty() ? kTextColor : kErrorColor,
          entry.name);
  row_tooltip(entry);
  if (in_lineup) {
    draw_icon(Icon::compare, {row.area.max.x - 22.0F * scale, row.area.center().y}, 14.0F * scale, kAccentColor);
  }
  row_menu(app, index, in_lineup);
}

/// Returns the indexes of the entries that pass the filter.
std::vector<std::size_t> listed_entries(const Cast& cast) {
  std::vector<std::size_t> listed;
  for (std::size_t i = 0; i < cast.entries.size(); ++i) {
    if (passes(cast.filter, cast.entries[i].name)) listed.push_back(i);
  }
  return listed;
}

}  // namespace

void cast_panel(App& app, const Layout& layout, const CastThumbnails& thumbnails) {
  Cast& cast = app.cast;
  cast.shown.clear();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0.0F, 0.0F});
  const bool open = begin_panel("cast", layout.cast, layout.is_over(Dock::left));
  ImGui::PopStyleVar();
  if (!open) return;
  const float scale = layout.scale;
  cast_header(app, layout.cast, scale);
  if (app.arrangement.cast_folded) return ImGui::End();
  cast_filter(app, layout.cast, scale);
  ImGui::SetCursorPos({0.0F, (kHeadingHeight + kFilterHeight) * scale});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, 0.0F});
  ImGui::BeginChild("list");
  const std::vector<std::size_t> listed = listed_entries(cast);
  const float height = kCastRowHeight * scale;
  if (std::exchange(cast.reveal, false)) {
    const auto at = std::ranges::find(listed, place_of(cast, app.requests.tried).value_or(cast.entries.size()));
    const float top = static_cast<float>(at - listed.begin()) * height;
    const float room = ImGui::GetWindowHeight();
    const float scrolled = ImGui::GetScrollY();
    if (at != listed.end() && (top < scrolled || top + height > scrolled + room)) {
      ImGui::SetScrollY(top + (height - room) * 0.5F);
    }
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(listed.size()), height);
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const std::size_t index = listed[static_cast<std::size_t>(i)];
      ImGui::PushID(static_cast<int>(index));
      cast.shown.push_back(cast.entries[index].path);
      cast_row(app, thumbnails, index, ImGui::GetContentRegionAvail().x, scale);
      ImGui::PopID();
    }
  }
  if (listed.empty()) {
    ImGui::SetCursorPosX(kPadding * scale);
    note("No matching names.");
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::End();
}

}  // namespace pchr::player
