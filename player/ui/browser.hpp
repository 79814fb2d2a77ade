// SPDX-License-Identifier: MIT
// File browser dialog.
#pragma once

#include "document/files.hpp"

#include <array>
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

/// What the browser is opened for: characters, an image, or from `textures` on a folder.
enum class BrowseFor : std::uint8_t { opening, comparison, lineup, background, textures, folder, exports, screenshots };
[[nodiscard]] constexpr bool chooses_folder(BrowseFor purpose) noexcept { return purpose >= BrowseFor::textures; }

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
  bool naming = false;                ///< Whether the user enters the name of a new folder.
  bool focus_name = false;            ///< Give the field for that name the focus.
  std::array<char, 256> new_folder{};
  std::string error{};             ///< Why the last folder was not created.
  std::filesystem::path chosen{};  ///< Chosen image or folder, until it is handled.
};

/// Opens the folder of the last opened file, with that file selected, or else the current folder.
void open_browser(Browser& browser, const Files& files, BrowseFor purpose = BrowseFor::opening);
/// Opens `folder`, or the nearest folder above that exists, to choose a folder.
void open_folder_browser(Browser& browser, const Files& files, BrowseFor purpose, const std::filesystem::path& folder);
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
