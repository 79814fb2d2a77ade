// SPDX-License-Identifier: MIT
// File browser dialog.
#pragma once

#include "document/files.hpp"

#include <filesystem>

namespace pchr::player {

inline constexpr std::size_t kShownRecent = 5;

/// `here` stands for the listed folder itself.
enum class EntryKind : std::uint8_t { recent, here, folder, file };

struct BrowserEntry {
  EntryKind kind = EntryKind::file;
  std::filesystem::path path;
  std::string name;    ///< Displayed name, UTF-8.
  std::string detail;  ///< Folder of a recent file, or size of a file.
};

/// What the browser is opened for. For `textures` it chooses a folder.
enum class BrowseFor : std::uint8_t { opening, comparison, lineup, background, textures };

struct Browser {
  bool open = false;
  BrowseFor purpose = BrowseFor::opening;
  std::filesystem::path folder{};     ///< Empty for the list of drives.
  std::string filter{};               ///< UTF-8; matches names regardless of case.
  std::vector<BrowserEntry> all{};    ///< Recent files, folders, files.
  std::vector<std::size_t> listed{};  ///< Indices of `all` that pass the filter.
  std::size_t selected = 0;           ///< Index into `listed`.
  bool reveal = false;                ///< Scroll to the selected entry.
  bool names_changed = false;         ///< Whether `all` has new names.
  std::filesystem::path image{};      ///< Chosen background image, until it is handled.
  std::filesystem::path textures{};   ///< Chosen texture folder, until it is handled.
};

/// Opens the folder of the last opened file, with that file selected, or else the current folder.
void open_browser(Browser& browser, const Files& files, BrowseFor purpose = BrowseFor::opening);
/// Lists `folder` and selects the entry `selected` if it exists.
void go_to_folder(Browser& browser, const Files& files, const std::filesystem::path& folder,
                  const std::filesystem::path& selected = {});
/// Lists the parent folder, or the drives of a system with several, with the current one selected.
void go_up(Browser& browser, const Files& files);
void set_filter(Browser& browser, std::string filter);
/// Moves the selection by `by` entries, stopping at the ends.
void move_selection(Browser& browser, std::ptrdiff_t by);
/// Enters the folder at `index` of the list, or chooses the file.
void choose(Browser& browser, Files& files, std::size_t index);

}  // namespace pchr::player
