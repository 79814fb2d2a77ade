// SPDX-License-Identifier: MIT
// Names, folders and files of screenshots.
#include "screenshot.hpp"

#include "film/pending_file.hpp"

#include <pchr/offscreen.hpp>

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostNameBytes = 80;  ///< Of a file's and of a clip's name: 255 are all that file systems take.

fs::path home() {
  const char* folder = std::getenv("HOME");
  return folder != nullptr && fs::path(folder).is_absolute() ? fs::path(folder) : fs::path();
}

/// As the desktop was told, in the language of its user: XDG_PICTURES_DIR="$HOME/Pictures" in user-dirs.dirs.
fs::path pictures_folder() {
  const char* configuration = std::getenv("XDG_CONFIG_HOME");
  const bool given = configuration != nullptr && fs::path(configuration).is_absolute();
  const fs::path file = (given ? fs::path(configuration) : home() / ".config") / "user-dirs.dirs";
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return {};
  std::ifstream stream(file);
  constexpr std::string_view kKey = "XDG_PICTURES_DIR=\"";
  constexpr std::string_view kHome = "$HOME/";
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(kKey) || !line.ends_with('"')) continue;
    const std::string folder = line.substr(kKey.size(), line.size() - kKey.size() - 1);
    return folder.starts_with(kHome) ? home() / folder.substr(kHome.size()) : fs::path(folder);
  }
  return {};
}

/// Fails with an errno.
std::expected<fs::path, int> write_into(const fs::path& folder, const std::string& stem,
                                        std::span<const std::byte> bytes) {
  constexpr int kMostNumber = 100'000;
  auto file = film::PendingFile::create(folder / (stem + ".png"));
  if (!file) return std::unexpected(file.error());
  int error = file->write(bytes);
  if (const int closed = file->close(); error == 0) error = closed;
  if (error == 0) error = file->publish(film::Existing::keep, {});
  for (int number = 2; error == EEXIST && number < kMostNumber; ++number) {
    file->set_path(folder / fmt::format("{}_{}.png", stem, number));
    error = file->publish(film::Existing::keep, {});
  }
  if (error != 0) return std::unexpected(error);
  return file->path();
}

}  // namespace

std::string file_name_of(std::string name) {
  constexpr std::string_view kRefused = "/\\:*?\"<>|";
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || kRefused.find(c) != std::string_view::npos) c = '_';
  }
  if (name.size() <= kMostNameBytes) return name;
  std::size_t end = kMostNameBytes;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  name.resize(end);
  return name;
}

std::string screenshot_stem(const Session& session) {
  const Document& document = *session.document;
  std::string stem = file_name_of(document.path.stem().string());
  if (const auto at = playhead(session)) {
    const std::uint32_t frame = document.shown ? document.shown->frame : at->position.frame;
    stem += fmt::format("_{}_{}", file_name_of(document.character().clips()[at->clip].name), frame);
  }
  return stem;
}

std::vector<fs::path> screenshot_folders(const Session& session) {
  std::vector<fs::path> folders;
  std::error_code error;
  if (session.document->path != kStandardInputName) {
    folders.push_back(fs::absolute(session.document->path, error).lexically_normal().parent_path());
  }
  folders.push_back(pictures_folder());
  folders.push_back(home());
  std::erase_if(folders, [](const fs::path& folder) { return folder.empty(); });
  return folders;
}

WrittenFile write_new_file(std::span<const fs::path> folders, const std::string& stem,
                           std::span<const std::byte> bytes) {
  std::string error = "there is no folder to write it to";
  for (const fs::path& folder : folders) {
    auto written = write_into(folder, stem, bytes);
    if (written) return *std::move(written);
    // What was wrong with the best folder says most.
    if (&folder == folders.data()) error = fmt::format("{}: {}", shown_path(folder), std::strerror(written.error()));
  }
  return std::unexpected("The screenshot cannot be saved: " + error);
}

void PictureWriter::write(Bitmap premultiplied, std::vector<fs::path> folders, std::string stem) {
  writing_.push_back(std::async(std::launch::async, [picture = std::move(premultiplied), folders = std::move(folders),
                                                     stem = std::move(stem)]() mutable {
    unpremultiply(picture);
    return write_new_file(folders, stem, encode_png(picture));
  }));
}

std::optional<WrittenFile> PictureWriter::take() {
  if (writing_.empty() || writing_.front().wait_for(std::chrono::seconds(0)) != std::future_status::ready) {
    return std::nullopt;
  }
  WrittenFile written = writing_.front().get();
  writing_.erase(writing_.begin());
  return written;
}

}  // namespace pchr::player
