// SPDX-License-Identifier: MIT
// The cast: the files to step through, which were opened together or are a folder's characters.
#pragma once

#include "document/loader.hpp"
#include "document/name_filter.hpp"

#include <future>

namespace pchr::player {

struct CastEntry {
  std::filesystem::path path;
  std::string name{};   ///< File name in printable UTF-8.
  std::string error{};  ///< Why the file cannot be opened; empty if it can, or before it was tried.
};

struct Cast {
  std::vector<CastEntry> entries{};
  std::vector<std::filesystem::path> sources{};  ///< Files and folders that the entries come from.
  NameFilter filter{};
  bool reveal = false;                                        ///< Scroll the list to the open file.
  std::vector<std::filesystem::path> shown{};                 ///< Entries whose rows are visible.
  std::future<std::vector<std::filesystem::path>> reading{};  ///< See refresh().
};

/// Replaces the entries. Keeps the errors of files that stay.
void set_files(Cast& cast, const std::vector<std::filesystem::path>& files);
/// Returns the index of a file.
[[nodiscard]] std::optional<std::size_t> place_of(const Cast& cast, const std::filesystem::path& path);
/// Notes why a file cannot be opened; empty if it can.
void set_error(Cast& cast, const std::filesystem::path& path, std::string error);

/// Opens an entry. Ignores an index out of range.
void open_entry(const Cast& cast, Files& files, std::size_t index);
/// Opens the next (+1) or previous (-1) entry, wrapping around. If there is only one, steps in its folder.
void step(Cast& cast, Files& files, int direction);
/// Makes the characters in the folder of the last opened file the cast, and opens the next or previous one.
void step_in_folder(Cast& cast, Files& files, int direction);

/// Reads the folders among the sources again, on a thread.
void refresh(Cast& cast);
/// Takes what refresh() has read. Returns whether the entries changed.
bool update(Cast& cast);

}  // namespace pchr::player
