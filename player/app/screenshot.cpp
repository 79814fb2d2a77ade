// SPDX-License-Identifier: MIT
#include "app/screenshot.hpp"

#include "platform/image_clipboard.hpp"
#include "platform/user_folders.hpp"
#include "platform/utf8_path.hpp"

#include <pchr/export/animation.hpp>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxNameBytes =
    80;  ///< Max length of the file's and of the clip's name; file systems allow 255 bytes in total.

ExportResult<fs::path> write_into(const fs::path& folder, const std::string& stem, std::span<const std::byte> bytes) {
  constexpr int kMaxNumber = 100'000;
  for (int number = 1;; ++number) {
    const std::string name = number == 1 ? stem + ".png" : fmt::format("{}_{}.png", stem, number);
    fs::path path = folder / path_from_utf8(name);
    std::error_code ignored;
    if (number < kMaxNumber && fs::exists(fs::symlink_status(path, ignored))) continue;
    OutputFiles files({}, false);
    auto written = files.write(utf8_of(path), bytes);
    if (written) written = files.publish(Existing::keep);
    if (written) return path;
    if (written.error().kind != ExportError::Kind::exists || number == kMaxNumber) {
      return Unexpected(written.error());
    }
  }
}

}  // namespace

std::string file_name_of(std::string name) {
  constexpr std::string_view kRefused = "/\\:*?\"<>|";
  for (char& c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || kRefused.find(c) != std::string_view::npos) c = '_';
  }
  if (name.size() <= kMaxNameBytes) return name;
  std::size_t end = kMaxNameBytes;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;
  name.resize(end);
  return name;
}

std::string screenshot_stem(const App& app) {
  const Document& document = *app.document;
  std::string stem = file_name_of(utf8_of(document.path.stem()));
  if (const auto at = playhead(app.playback)) {
    const std::uint32_t frame = app.playback.mix() == nullptr ? shown_time(app.playback).frame : at->position.frame;
    stem += fmt::format("_{}_{}", file_name_of(document.character().clips()[at->clip].name), frame);
  }
  return stem;
}

std::vector<fs::path> output_folders(const fs::path& file) {
  std::vector<fs::path> folders;
  if (file != kStandardInputName) folders.push_back(parent_of(absolute_path(file)));
  folders.push_back(image_folder());
  folders.push_back(home_folder());
  std::erase_if(folders, [](const fs::path& folder) { return folder.empty(); });
  return folders;
}

std::vector<fs::path> screenshot_folders(const App& app) {
  std::vector<fs::path> folders = output_folders(app.document->path);
  const fs::path preferred = app.screenshots_in == ScreenshotFolder::images   ? image_folder()
                             : app.screenshots_in == ScreenshotFolder::chosen ? app.screenshot_folder
                                                                              : fs::path();
  if (!preferred.empty()) folders.insert(folders.begin(), preferred);
  return folders;
}

std::string describe_screenshot_folder(const App& app) {
  const auto folders = app.document ? screenshot_folders(app) : std::vector<fs::path>();
  return folders.empty() ? "Save a screenshot" : "Save in " + shown_path(folders.front());
}

WrittenFile write_new_file(std::span<const fs::path> folders, const std::string& stem,
                           std::span<const std::byte> bytes) {
  std::string error = "no folder to write to";
  for (const fs::path& folder : folders) {
    auto written = write_into(folder, stem, bytes);
    if (written) return *std::move(written);
    // The error for the preferred folder is the most useful.
    if (&folder == folders.data()) error = written.error().message;
  }
  return Unexpected("Cannot save the screenshot: " + error);
}

void ScreenshotWriter::write(Bitmap premultiplied, std::vector<fs::path> folders, std::string stem) {
  writing_.push_back(std::async(std::launch::async, [frame = std::move(premultiplied), folders = std::move(folders),
                                                     stem = std::move(stem)]() mutable {
    unpremultiply(frame);
    return write_new_file(folders, stem, encode_png(frame, PngCompression::fast));
  }));
}

void ScreenshotWriter::copy(Bitmap premultiplied) {
  writing_.push_back(std::async(std::launch::async, [frame = std::move(premultiplied)]() mutable -> WrittenFile {
    unpremultiply(frame);
    auto copied = copy_image(frame);
    if (!copied) return Unexpected(std::move(copied.error()));
    return fs::path();
  }));
}

std::optional<WrittenFile> ScreenshotWriter::take() {
  if (writing_.empty() || !is_ready(writing_.front())) return std::nullopt;
  WrittenFile written = writing_.front().get();
  writing_.erase(writing_.begin());
  return written;
}

}  // namespace pchr::player
