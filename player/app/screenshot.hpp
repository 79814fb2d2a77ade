// SPDX-License-Identifier: MIT
// Frames of the canvas as PNG files.
#pragma once

#include "app/app.hpp"

#include <future>

namespace pchr::player {

/// A file that was written, or why none was.
using WrittenFile = std::expected<std::filesystem::path, std::string>;

/// Returns the user's folder for configuration; empty without one.
[[nodiscard]] std::filesystem::path configuration_folder();

/// Makes `name` part of a file name: short, without characters that some file systems refuse.
[[nodiscard]] std::string file_name_of(std::string name);

/// Returns NAME_CLIP_FRAME of what is shown, in such names. A document must be open.
[[nodiscard]] std::string screenshot_stem(const App& app);

/// Returns where screenshots go, best first: beside the open file, the user's folder for pictures, the user's home.
[[nodiscard]] std::vector<std::filesystem::path> screenshot_folders(const std::filesystem::path& file);

/// Writes `bytes` as STEM.png, or STEM_2.png and so on where that exists, into the first folder that takes it. Never
/// replaces a file or leaves half of one.
[[nodiscard]] WrittenFile write_new_file(std::span<const std::filesystem::path> folders, const std::string& stem,
                                         std::span<const std::byte> bytes);

/// Encodes and writes frames on threads of their own.
class ScreenshotWriter {
 public:
  /// Writes `premultiplied` as write_new_file() does.
  void write(Bitmap premultiplied, std::vector<std::filesystem::path> folders, std::string stem);
  /// Returns the outcome of each write() once, in their order.
  [[nodiscard]] std::optional<WrittenFile> take();
  [[nodiscard]] bool busy() const noexcept { return !writing_.empty(); }

 private:
  std::vector<std::future<WrittenFile>> writing_;
};

}  // namespace pchr::player
