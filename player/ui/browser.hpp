// SPDX-License-Identifier: MIT
// Chooses a file in the window.
#pragma once

#include "document/files.hpp"

namespace pchr::player {

inline constexpr std::size_t kShownRecent = 5;

/// `here` is the listed folder, to be chosen itself.
enum class EntryKind : std::uint8_t { recent, here, folder, file };

struct BrowserEntry {
  EntryKind kind = EntryKind::file;
  std::filesystem::path path;
  std::string name;    ///< To be shown, UTF-8.
  std::string detail;  ///< A recent file's folder, a file's size.
};

/// What a file is chosen for; for `textures` a folder.
enum class BrowseFor : std::uint8_t { opening, comparison, background, textures };

struct Browser {
  bool open = false;
  BrowseFor purpose = BrowseFor::opening;
  std::filesystem::path folder{};
  std::string filter{};               ///< UTF-8; names have it in any case.
  std::vector<BrowserEntry> all{};    ///< Recent files, folders, files.
  std::vector<std::size_t> listed{};  ///< Indices of `all` that pass the filter.
  std::size_t selected = 0;           ///< Index into `listed`.
  bool reveal = false;                ///< The list scrolls to what is selected.
  bool names_changed = false;         ///< There are other names in `all`.
  std::filesystem::path image{};      ///< The chosen background, until it is taken.
  std::filesystem::path textures{};   ///< The chosen folder of textures, until it is taken.
};

/// Shows the folder of the file that was tried last, with that file selected, or the current folder.
void open_browser(Browser& browser, const Files& files, BrowseFor purpose = BrowseFor::opening);
/// Lists `folder`, with `selected` chosen where it is among the entries.
void go_to_folder(Browser& browser, const Files& files, const std::filesystem::path& folder,
                  const std::filesystem::path& selected = {});
/// Lists the folder above, with this one selected.
void go_up(Browser& browser, const Files& files);
void set_filter(Browser& browser, std::string filter);
/// Moves by entries, stopping at the ends.
void move_selection(Browser& browser, std::ptrdiff_t by);
/// Enters the folder that is listed as `index`, or chooses the file.
void choose(Browser& browser, Files& files, std::size_t index);

}  // namespace pchr::player
