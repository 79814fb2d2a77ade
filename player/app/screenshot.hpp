// SPDX-License-Identifier: MIT
// Frames of the canvas as PNG files.
#pragma once

#include "app/app.hpp"

#include <pchr/image.hpp>

#include <expected>
#include <future>
#include <span>

namespace pchr::player {

/// A file that was written, or why none was.
using WrittenFile = std::expected<std::filesystem::path, std::string>;

/// `name` as a part of a file's: without signs that some file systems refuse, and not too long.
[[nodiscard]] std::string file_name_of(std::string name);

/// NAME_CLIP_FRAME of what is shown, without signs that some file systems refuse. A document must be open.
[[nodiscard]] std::string screenshot_stem(const App& app);

/// Where screenshots go, the best first: beside the open file, the user's folder for pictures, the user's home.
[[nodiscard]] std::vector<std::filesystem::path> screenshot_folders(const std::filesystem::path& file);

/// Writes `bytes` as STEM.png, or STEM_2.png and so on where that is there already, into the first folder that takes
/// it. It is written beside its place and then moved there: nothing is ever replaced or half written.
[[nodiscard]] WrittenFile write_new_file(std::span<const std::filesystem::path> folders, const std::string& stem,
                                         std::span<const std::byte> bytes);

/// Encodes and writes frames on threads of their own.
class ScreenshotWriter {
 public:
  /// `premultiplied` becomes a file as by write_new_file().
  void write(Bitmap premultiplied, std::vector<std::filesystem::path> folders, std::string stem);
  /// What became of a frame, once each, in the order of write().
  [[nodiscard]] std::optional<WrittenFile> take();
  [[nodiscard]] bool busy() const noexcept { return !writing_.empty(); }

 private:
  std::vector<std::future<WrittenFile>> writing_;
};

}  // namespace pchr::player
