// SPDX-License-Identifier: MIT
// Saves frames of the canvas as PNG files.
#pragma once

#include "app/app.hpp"

#include <filesystem>
#include <future>

namespace pchr::player {

/// Path of the written file, empty for a copied image, or an error message.
using WrittenFile = Expected<std::filesystem::path, std::string>;

/// Makes `name` usable as part of a file name: short, without characters that some file systems reject.
[[nodiscard]] std::string file_name_of(std::string name);

/// Returns NAME_CLIP_FRAME for the current view, each part made usable by file_name_of(). A document must be open.
[[nodiscard]] std::string screenshot_stem(const App& app);

/// Returns the folders for files made from `file`, best first: its own, the user's image folder, the user's home.
[[nodiscard]] std::vector<std::filesystem::path> output_folders(const std::filesystem::path& file);
/// Returns the folders for screenshots, best first: the one in the settings, then output_folders(). A document must be
/// open.
[[nodiscard]] std::vector<std::filesystem::path> screenshot_folders(const App& app);

/// Returns where the next screenshot will be saved, for tooltips.
[[nodiscard]] std::string describe_screenshot_folder(const App& app);

/// Writes `bytes` as STEM.png, or STEM_2.png and so on if that exists, to the first writable folder. Never replaces a
/// file or leaves a partial one.
[[nodiscard]] WrittenFile write_new_file(std::span<const std::filesystem::path> folders, const std::string& stem,
                                         std::span<const std::byte> bytes);

/// Encodes and writes or copies frames on threads.
class ScreenshotWriter {
 public:
  /// Writes `premultiplied` like write_new_file().
  void write(Bitmap premultiplied, std::vector<std::filesystem::path> folders, std::string stem);
  /// Puts `premultiplied` on the clipboard.
  void copy(Bitmap premultiplied);
  /// Returns the result of each write() and copy() once, in order.
  [[nodiscard]] std::optional<WrittenFile> take();
  [[nodiscard]] bool busy() const noexcept { return !writing_.empty(); }

 private:
  std::vector<std::future<WrittenFile>> writing_;
};

}  // namespace pchr::player
