// SPDX-License-Identifier: MIT
#include "document/cast.hpp"

#include "platform/utf8_path.hpp"

#include <algorithm>
#include <utility>

namespace pchr::player {

namespace fs = std::filesystem;

void set_files(Cast& cast, const std::vector<fs::path>& files) {
  std::vector<CastEntry> failed = std::exchange(cast.entries, {});
  std::erase_if(failed, [](const CastEntry& entry) { return entry.error.empty(); });
  cast.entries.reserve(files.size());
  for (const fs::path& path : files) cast.entries.push_back({path, shown_path(path.filename())});
  for (CastEntry& entry : failed) set_error(cast, entry.path, std::move(entry.error));
}

std::optional<std::size_t> place_of(const Cast& cast, const fs::path& path) {
  const auto found = std::ranges::find(cast.entries, path, &CastEntry::path);
  if (found == cast.entries.end()) return std::nullopt;
  return static_cast<std::size_t>(found - cast.entries.begin());
}

void set_error(Cast& cast, const fs::path& path, std::string error) {
  if (const auto at = place_of(cast, path)) cast.entries[*at].error = std::move(error);
}

void open_entry(const Cast& cast, Files& files, std::size_t index) {
  if (index >= cast.entries.size()) return;
  files.tried = cast.entries[index].path;
  files.request = LoadRequest{.paths = {files.tried}, .reason = LoadReason::step};
}

void step(Cast& cast, Files& files, int direction) {
  const std::size_t count = cast.entries.size();
  if (count < 2) return step_in_folder(cast, files, direction);
  const auto at = place_of(cast, files.tried).value_or(direction > 0 ? count - 1 : 0);
  open_entry(cast, files, (at + (direction > 0 ? 1 : count - 1)) % count);
  cast.reveal = true;
}

void step_in_folder(Cast& cast, Files& files, int direction) {
  if (files.tried.empty() || files.tried == kStandardInput) return;
  const fs::path folder = files.tried.has_parent_path() ? files.tried.parent_path() : ".";
  if (cast.sources == std::vector{folder} && cast.entries.size() > 1) {
    refresh(cast);
    return step(cast, files, direction);
  }
  files.folder_steps += direction;
  files.request = LoadRequest{.paths = {files.tried}, .reason = LoadReason::step, .neighbor = files.folder_steps};
}

void refresh(Cast& cast) {
  if (cast.reading.valid() || cast.sources.empty()) return;
  cast.reading = std::async(std::launch::async, [sources = cast.sources] {
    std::string ignored;
    return list_characters(sources, ignored);
  });
}

bool update(Cast& cast) {
  using namespace std::chrono_literals;
  if (!cast.reading.valid() || cast.reading.wait_for(0s) != std::future_status::ready) return false;
  const std::vector<fs::path> files = cast.reading.get();
  // An unreadable folder keeps what it had.
  if (files.empty() || std::ranges::equal(files, cast.entries, {}, {}, &CastEntry::path)) return false;
  set_files(cast, files);
  return true;
}

}  // namespace pchr::player
