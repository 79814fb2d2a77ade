// SPDX-License-Identifier: MIT
#include "textures.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxEntries = 10'000;

bool has_texture_suffix(const fs::path& path) {
  constexpr std::array<std::string_view, 5> kSuffixes{".png", ".bmp", ".tga", ".jpg", ".mat"};
  std::string suffix = path.extension().string();
  std::ranges::transform(suffix, suffix.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return std::ranges::find(kSuffixes, suffix) != kSuffixes.end();
}

bool has_textures(const fs::path& folder, int& entries_left, bool below) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end && entries_left-- > 0; at.increment(error)) {
    std::error_code unknown;
    if (at->is_directory(unknown)) {
      folders.push_back(at->path());
    } else if (has_texture_suffix(at->path())) {
      return true;
    }
  }
  return below &&
         std::ranges::any_of(folders, [&](const fs::path& in) { return has_textures(in, entries_left, false); });
}

}  // namespace

bool is_texture_folder(const fs::path& folder) {
  int entries_left = kMaxEntries;
  return is_folder(folder) && characters_in(folder).empty() && has_textures(folder, entries_left, true);
}

void add_texture_folder(Session& session, const fs::path& folder) {
  if (!shows_spatial(session)) return;
  remember_textures(session.files, session.document->path, folder);
  open_again(session);
  show_notice(session.notice, "Looking for textures in " + shown_path(folder));
}

}  // namespace pchr::player
