// SPDX-License-Identifier: MIT
// Choosing a file in the window: what is listed and what the keyboard does with it.
#pragma once

#include "document/files.hpp"

namespace pchr::player {

/// So many recent files are offered.
inline constexpr std::size_t kShownRecent = 5;

enum class EntryKind : std::uint8_t {
  recent,
  here,  ///< The folder that is listed, to be chosen itself.
  folder,
  file
};

struct BrowserEntry {
  EntryKind kind = EntryKind::file;
  std::filesystem::path path;
  std::string name;    ///< To be shown, UTF-8.
  std::string detail;  ///< A recent file's folder, a file's size.
};

/// What a file is chosen for.
enum class BrowseFor : std::uint8_t {
  opening,
  comparison,  ///< A character to be shown beside the one that is open.
  background,  ///< An image to be shown behind it.
  textures     ///< A folder with the textures of the mesh that is open.
};

struct Browser {
  bool open = false;
  BrowseFor purpose = BrowseFor::opening;
  std::filesystem::path folder{};
  std::string filter{};               ///< UTF-8; entries whose names lack it are left out, whatever their case.
  std::vector<BrowserEntry> all{};    ///< Of the folder: recent files, folders, files.
  std::vector<std::size_t> listed{};  ///< Indices of `all` that pass the filter.
  std::size_t selected = 0;           ///< Index into `listed`.
  bool reveal = false;                ///< The list shall scroll to what is selected.
  bool names_changed = false;         ///< There are other names in `all`.
  std::filesystem::path image{};      ///< That was chosen for the background, until it is taken.
  std::filesystem::path textures{};   ///< The same of the folder of textures.
};

/// Shows the folder of the file that was tried last, or the current one, with that file selected.
void open_browser(Browser& browser, const Files& files, BrowseFor purpose = BrowseFor::opening);
/// Lists `folder`, with `selected` chosen where it is among the entries.
void go_to_folder(Browser& browser, const Files& files, const std::filesystem::path& folder,
                  const std::filesystem::path& selected = {});
/// The folder above, with this one selected.
void go_up(Browser& browser, const Files& files);
void set_filter(Browser& browser, std::string filter);
/// Moves by entries, stopping at the ends.
void move_selection(Browser& browser, std::ptrdiff_t by);
/// Enters the folder that is entry `index` of what is listed, or chooses the file. Of textures the folder is chosen.
void choose(Browser& browser, Files& files, std::size_t index);

}  // namespace pchr::player
