// SPDX-License-Identifier: MIT
// Lists folders.
#include "browser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

std::string size_text(std::uintmax_t bytes) {
  const double kilobytes = static_cast<double>(bytes) / 1e3;
  if (kilobytes < 1.0) return fmt::format("{} B", bytes);
  return kilobytes < 1000.0 ? fmt::format("{:.0f} kB", kilobytes) : fmt::format("{:.1f} MB", kilobytes / 1e3);
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (!at->path().filename().string().starts_with('.') && at->is_directory(ignored)) found.push_back(at->path());
  }
  std::ranges::sort(found, [](const fs::path& a, const fs::path& b) {
    return sorts_before(a.filename().string(), b.filename().string());
  });
  return found;
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

}  // namespace

void open_browser(Browser& browser, const Files& files, BrowseFor purpose) {
  const bool has_folder = !files.tried.empty() && files.tried != kStandardInput;
  std::error_code error;
  fs::path tried = has_folder ? fs::absolute(files.tried, error).lexically_normal() : fs::path();
  if (tried.empty() && !files.recent.empty() && is_folder(files.recent.front().parent_path())) {
    tried = files.recent.front();
  }
  browser.open = true;
  browser.purpose = purpose;
  go_to_folder(browser, files, tried.empty() ? fs::current_path(error) : tried.parent_path(), tried);
}

void go_to_folder(Browser& browser, const Files& files, const fs::path& folder, const fs::path& selected) {
  browser.folder = folder;
  browser.filter.clear();
  browser.all.clear();
  const bool images = browser.purpose == BrowseFor::background || browser.purpose == BrowseFor::textures;
  const std::size_t recent = images ? 0 : std::min(files.recent.size(), kShownRecent);
  for (const fs::path& path : std::span(files.recent).first(recent)) {
    browser.all.push_back({EntryKind::recent, path, shown_path(path.filename()), shown_path(path.parent_path())});
  }
  if (browser.purpose == BrowseFor::textures) {
    browser.all.push_back({EntryKind::here, folder, "Look for textures in this folder", {}});
  }
  for (const fs::path& path : folders_in(folder)) {
    browser.all.push_back({EntryKind::folder, path, shown_path(path.filename()), {}});
  }
  for (const fs::path& path : images ? images_in(folder) : characters_in(folder)) {
    std::error_code error;
    const std::uintmax_t bytes = fs::file_size(path, error);
    browser.all.push_back({EntryKind::file, path, shown_path(path.filename()), error ? "" : size_text(bytes)});
  }
  ++browser.changes;
  apply_filter(browser);
  const auto in_folder = [&](std::size_t i) { return browser.all[i].kind != EntryKind::recent; };
  const auto first = std::ranges::find_if(browser.listed, in_folder);
  if (first != browser.listed.end()) browser.selected = static_cast<std::size_t>(first - browser.listed.begin());
  for (std::size_t i = 0; i < browser.listed.size(); ++i) {
    const BrowserEntry& entry = browser.all[browser.listed[i]];
    if (entry.kind != EntryKind::recent && entry.path == selected) browser.selected = i;
  }
}

void go_up(Browser& browser, const Files& files) {
  const fs::path below = browser.folder;
  if (below.has_relative_path()) go_to_folder(browser, files, below.parent_path(), below);
}

void set_filter(Browser& browser, std::string filter) {
  browser.filter = std::move(filter);
  apply_filter(browser);
}

void move_selection(Browser& browser, std::ptrdiff_t by) {
  if (browser.listed.empty()) return;
  const std::ptrdiff_t last = std::ssize(browser.listed) - 1;
  browser.selected =
      static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(browser.selected) + by, 0, last));
  browser.reveal = true;
}

void choose(Browser& browser, Files& files, std::size_t index) {
  if (index >= browser.listed.size()) return;
  const BrowserEntry entry = browser.all[browser.listed[index]];
  if (entry.kind == EntryKind::folder) return go_to_folder(browser, files, entry.path);
  browser.open = false;
  switch (browser.purpose) {
    case BrowseFor::opening:
      return open_files(files, {entry.path});
    case BrowseFor::comparison:
      files.request = LoadRequest{.paths = {entry.path}, .reason = LoadReason::compare};
      return;
    case BrowseFor::background:
      browser.image = entry.path;
      return;
    case BrowseFor::textures:
      browser.textures = browser.folder;
      return;
  }
}

}  // namespace pchr::player
