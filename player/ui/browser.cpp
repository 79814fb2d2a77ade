// SPDX-License-Identifier: MIT
#include "platform/desktop.hpp"
#include "ui/panels.hpp"

#include <utility>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

std::string bytes_text(std::uintmax_t bytes) {
  const double kilobytes = static_cast<double>(bytes) / 1e3;
  if (kilobytes < 1.0) return fmt::format("{} B", bytes);
  return kilobytes < 1000.0 ? fmt::format("{:.0f} kB", kilobytes) : fmt::format("{:.1f} MB", kilobytes / 1e3);
}

void apply_filter(Browser& browser) {
  const std::string wanted = lower_case(browser.filter);
  browser.listed.clear();
  for (std::size_t i = 0; i < browser.all.size(); ++i) {
    if (lower_case(browser.all[i].name).find(wanted) != std::string::npos) browser.listed.push_back(i);
  }
  browser.selected = 0;
  browser.reveal = true;
}

void folder_icon(Vec2 center, float scale) {
  const Vec2 half = Vec2{7.0F, 5.0F} * scale;
  fill({center - half - Vec2{0.0F, 2.0F * scale}, center + Vec2{-1.0F * scale, 0.0F}}, kDimTextColor, 2.0F * scale);
  fill({center - half, center + half}, kDimTextColor, 2.0F * scale);
}

void draw_entry(const BrowserEntry& entry, const Rect& row, bool selected, bool hovered, float scale) {
  mark_row(row, selected, hovered, scale);
  const float left = row.min.x + 34.0F * scale;
  if (entry.kind == EntryKind::folder) folder_icon({row.min.x + 18.0F * scale, row.center().y}, scale);
  const float detail_width = std::min(text_size(entry.detail).x, row.size().x * 0.5F);
  const float right = row.max.x - 10.0F * scale;
  text_in({{left, row.min.y}, {right - detail_width - 12.0F * scale, row.max.y}}, kTextColor, entry.name);
  // The end of a long path is more informative than its start.
  text_in({{right - detail_width, row.min.y}, {right, row.max.y}}, kDimTextColor, entry.detail, 1.0F);
}

void section(const char* text, float scale) {
  ImGui::Dummy({0.0F, 4.0F * scale});
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + 10.0F * scale);
  colored(kFaintTextColor, text);
  ImGui::Dummy({0.0F, 3.0F * scale});
}

/// Returns the clicked entry.
std::optional<std::size_t> entries(Browser& browser, float scale) {
  std::optional<std::size_t> clicked;
  std::optional<EntryKind> kind;
  for (std::size_t i = 0; i < browser.listed.size(); ++i) {
    const BrowserEntry& entry = browser.all[browser.listed[i]];
    const bool was_recent = kind == EntryKind::recent;
    if (!kind && entry.kind == EntryKind::recent) section("Recent", scale);
    if (was_recent && entry.kind != EntryKind::recent) section("This folder", scale);
    kind = entry.kind;
    const Spot row = spot("entry", {ImGui::GetContentRegionAvail().x, kBrowserRowHeight * scale}, i);
    if (row.clicked) clicked = i;
    if (i == browser.selected && browser.reveal && !ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5F);
    if (ImGui::IsItemVisible()) draw_entry(entry, row.area, i == browser.selected, row.hovered, scale);
  }
  browser.reveal = false;
  if (browser.listed.empty()) {
    ImGui::SetCursorPosX(10.0F * scale);
    const bool images = browser.purpose == BrowseFor::background;
    const std::string unreadable = folder_error(browser.folder);
    if (!unreadable.empty()) {
      wrapped(kErrorColor, "Cannot read this folder: " + unreadable);
      return clicked;
    }
    note(!browser.filter.empty()           ? "No matching names."
         : chooses_folder(browser.purpose) ? "No folders here."
         : images                          ? "No folders or .png files here."
                                           : "No folders or " + list_extensions("or") + " files here.");
  }
  return clicked;
}

/// Creates a folder in the listed one and lists it. On failure, sets the error.
void create_folder(Browser& browser, const OpenRequests& requests) {
  const fs::path created = browser.folder / path_from_utf8(browser.new_folder.data());
  std::error_code error;
  // create_directory() succeeds for a folder that exists.
  if (fs::exists(fs::symlink_status(created, error))) error = std::make_error_code(std::errc::file_exists);
  if (browser.new_folder[0] != '\0' && (error == std::errc::file_exists || !fs::create_directory(created, error))) {
    browser.error = fmt::format("Cannot create {}: {}", shown_path(created.filename()), error.message());
    return;
  }
  if (browser.new_folder[0] != '\0') go_to_folder(browser, requests, created);
}

/// A button that creates a folder, or the field for its name.
void new_folder_row(Browser& browser, const OpenRequests& requests) {
  if (!browser.naming) {
    if (ImGui::Button("New folder")) {
      browser.naming = browser.focus_name = true;
      browser.new_folder = {};
    }
    name_item("new folder");
    tooltip("Create a folder in this one");
    return;
  }
  const float buttons = text_size("CreateCancel").x + 4.0F * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - buttons - 2.0F * ImGui::GetStyle().ItemSpacing.x);
  if (std::exchange(browser.focus_name, false)) focus_next_item();
  bool create = ImGui::InputTextWithHint("##new", "Name of the folder", browser.new_folder.data(),
                                         browser.new_folder.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  name_item("new folder name");
  ImGui::SameLine();
  create |= ImGui::Button("Create");
  name_item("create folder");
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) browser.naming = false;
  if (!browser.error.empty()) wrapped(kErrorColor, browser.error);
  if (create) create_folder(browser, requests);
}

void filter_box(const Browser& browser, float scale) {
  const Vec2 corner = ImGui::GetCursorScreenPos();
  const Vec2 size{ImGui::GetContentRegionAvail().x, ImGui::GetFrameHeight()};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  fill({corner, corner + size}, kWellColor, ImGui::GetStyle().FrameRounding);
  const Rect inside{corner + Vec2{10.0F * scale, 0.0F}, corner + size - Vec2{10.0F * scale, 0.0F}};
  const bool empty = browser.filter.empty();
  const float end = inside.min.x + text_size(browser.filter).x + scale;
  list.AddLine({end, corner.y + 5.0F * scale}, {end, corner.y + size.y - 5.0F * scale}, kAccentColor, 1.5F * scale);
  text_in({inside.min + Vec2{empty ? 6.0F * scale : 0.0F, 0.0F}, inside.max}, empty ? kFaintTextColor : kTextColor,
          empty ? "Type to filter" : browser.filter);
  ImGui::Dummy(size);
}

}  // namespace

void open_browser(Browser& browser, const OpenRequests& requests, BrowseFor purpose) {
  const bool has_folder = !requests.tried.empty() && requests.tried != kStandardInput;
  std::error_code error;
  fs::path tried = has_folder ? absolute_path(requests.tried) : fs::path();
  if (tried.empty() && !requests.recent.empty() && is_folder(requests.recent.front().parent_path())) {
    tried = requests.recent.front();
  }
  browser.open = true;
  browser.purpose = purpose;
  go_to_folder(browser, requests, tried.empty() ? fs::current_path(error) : parent_of(tried), tried);
}

void go_to_folder(Browser& browser, const OpenRequests& requests, const fs::path& folder, const fs::path& selected) {
  browser.folder = folder;
  browser.filter.clear();
  browser.naming = false;
  browser.error.clear();
  browser.all.clear();
  const bool drives = folder.empty();
  const bool to_open = browser.purpose < BrowseFor::background;
  const std::size_t recent = !to_open ? 0 : std::min(requests.recent.size(), kShownRecent);
  const auto add = [&](EntryKind kind, const fs::path& path, std::string detail) {
    // A drive has no file name.
    browser.all.push_back({kind, path, shown_path(path.has_filename() ? path.filename() : path), std::move(detail)});
  };
  for (const fs::path& path : std::span(requests.recent).first(recent)) {
    add(EntryKind::recent, path, shown_path(path.parent_path()));
  }
  if (chooses_folder(browser.purpose) && !drives) {
    browser.all.push_back({EntryKind::here, folder, "Use this folder", {}});
  }
  for (const fs::path& path : drives ? root_folders() : folders_in(folder)) add(EntryKind::folder, path, {});
  const bool shows_images = browser.purpose == BrowseFor::background || browser.purpose == BrowseFor::textures;
  const bool shows_files = to_open || shows_images || browser.purpose == BrowseFor::folder;
  for (const fs::path& path : !shows_files   ? std::vector<fs::path>()
                              : shows_images ? images_in(folder)
                                             : characters_in(folder)) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(path, error);
    add(EntryKind::file, path, error ? "" : bytes_text(bytes));
  }
  browser.names_changed = true;
  apply_filter(browser);
  const auto in_folder = [&](std::size_t i) { return browser.all[i].kind != EntryKind::recent; };
  const auto first = std::ranges::find_if(browser.listed, in_folder);
  if (first != browser.listed.end()) browser.selected = static_cast<std::size_t>(first - browser.listed.begin());
  for (std::size_t i = 0; i < browser.listed.size(); ++i) {
    if (in_folder(browser.listed[i]) && browser.all[browser.listed[i]].path == selected) browser.selected = i;
  }
}

void open_folder_browser(Browser& browser, const OpenRequests& requests, BrowseFor purpose, const fs::path& folder) {
  open_browser(browser, requests, purpose);
  fs::path above = absolute_path(folder);
  while (!above.empty() && !is_folder(above) && parent_of(above) != above) above = parent_of(above);
  if (!folder.empty() && is_folder(above)) go_to_folder(browser, requests, above);
}

void go_up(Browser& browser, const OpenRequests& requests) {
  const fs::path below = browser.folder;
  if (parent_of(below) != below) {
    go_to_folder(browser, requests, parent_of(below), below);
  } else if (root_folders().size() > 1) {
    go_to_folder(browser, requests, {}, below);
  }
}

void set_filter(Browser& browser, std::string filter) {
  browser.filter = std::move(filter);
  apply_filter(browser);
}

void move_selection(Browser& browser, std::ptrdiff_t by) {
  if (browser.listed.empty()) return;
  const auto wanted = static_cast<std::ptrdiff_t>(browser.selected) + by;
  browser.selected = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(wanted, 0, std::ssize(browser.listed) - 1));
  browser.reveal = true;
}

void choose(Browser& browser, OpenRequests& requests, std::size_t index) {
  if (index >= browser.listed.size()) return;
  const BrowserEntry entry = browser.all[browser.listed[index]];
  if (entry.kind == EntryKind::folder) return go_to_folder(browser, requests, entry.path);
  browser.open = false;
  switch (browser.purpose) {
    case BrowseFor::opening:
      open_files(requests, {entry.path});
      break;
    case BrowseFor::comparison:
      requests.pending = LoadRequest{.paths = {entry.path}, .reason = LoadReason::compare};
      break;
    case BrowseFor::lineup:
      requests.beside.push_back(entry.path);
      break;
    case BrowseFor::background:
      browser.chosen = entry.path;
      break;
    case BrowseFor::folder:
      open_files(requests, {entry.path});
      break;
    case BrowseFor::textures:
    case BrowseFor::exports:
    case BrowseFor::screenshots:
      browser.chosen = browser.folder;
      break;
  }
}

void browser_window(Browser& browser, OpenRequests& requests, const Layout& layout) {
  if (!browser.open) return;
  const float scale = layout.scale;
  const Rect area = browser_area(ImGui::GetIO().DisplaySize, scale);
  begin_popup("browser", area, ImGui::GetStyle().WindowPadding, 10.0F * scale, 0, 1.0F);
  const float button = 24.0F * scale;
  if (ImGui::Button("Up")) go_up(browser, requests);
  tooltip("Go to the parent folder (Backspace)");
  ImGui::SameLine();
  const Vec2 corner = ImGui::GetCursorScreenPos();
  const std::string path = browser.folder.empty() ? "Drives" : shown_path(browser.folder);
  const Rect title{corner, {area.max.x - button - 26.0F * scale, corner.y + ImGui::GetFrameHeight()}};
  // The end of a long path is more informative than its start.
  const float align = text_size(path).x > title.size().x ? 1.0F : 0.0F;
  text_in(title, kTextColor, path, align);
  ImGui::SetCursorScreenPos({area.max.x - button - 12.0F * scale, corner.y});
  if (icon_button("close", Icon::close, Vec2{button}, "Close (Esc)")) browser.open = false;
  ImGui::Dummy({0.0F, 0.0F});
  filter_box(browser, scale);
  if (chooses_folder(browser.purpose) && !browser.folder.empty()) new_folder_row(browser, requests);

  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.0F, 0.0F});
  ImGui::BeginChild("entries", {0.0F, 0.0F}, false, ImGuiWindowFlags_NoNav);
  const auto clicked = entries(browser, scale);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ImGui::End();
  if (clicked) choose(browser, requests, *clicked);
}

}  // namespace pchr::player
