// SPDX-License-Identifier: MIT
// What the player asks of the user's system.
#pragma once

#include <pchr/image.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct GLFWwindow;

namespace pchr::player {

/// Return folders of the user; empty if there is none. The first holds configuration files: $XDG_CONFIG_HOME, if it is
/// an absolute path, or else what the system uses.
/// @{
[[nodiscard]] std::filesystem::path configuration_folder();
[[nodiscard]] std::filesystem::path home_folder();
[[nodiscard]] std::filesystem::path image_folder();
/// @}

/// Returns the folders that contain all others: one, or the drives.
[[nodiscard]] std::vector<std::filesystem::path> root_folders();

/// Prints UTF-8 text on standard output. Windows shows it in the terminal that the program was started from, or in a
/// message box if there is none. Returns false if it cannot be written.
[[nodiscard]] bool print_text(std::string_view text);
/// Prints UTF-8 text on standard error in the same way. Ignores failures.
void print_error(std::string_view text);

/// Opens the system's file manager with the folder of `path` and selects it, if the file manager can. Does not wait for
/// it. Returns false if there is no file manager.
bool show_in_folder(const std::filesystem::path& path);

/// Opens a file with the program that the system uses for its type. Does not wait for it. Returns false if there is
/// none.
bool open_with_default_program(const std::filesystem::path& path);

/// Puts an image with straight alpha on the clipboard, for other programs to paste while this one runs. Blocks for a
/// moment, on any thread. Returns a message on failure.
[[nodiscard]] Expected<void, std::string> copy_image(const Bitmap& straight);

/// Files of the interface's typeface, best first. Not all of them exist.
struct Typefaces {
  std::vector<std::filesystem::path> western;
  std::vector<std::filesystem::path> east_asian;  ///< Fallbacks for scripts that the others lack.
};
[[nodiscard]] Typefaces system_typefaces();

/// Knows whether other windows, or another desktop, hide a window completely. On systems that do not tell, it is
/// never covered.
class WindowCover {
 public:
  explicit WindowCover(GLFWwindow* window);
  ~WindowCover();
  WindowCover(const WindowCover&) = delete;
  WindowCover& operator=(const WindowCover&) = delete;

  [[nodiscard]] bool covered();

 private:
  struct System;
  std::unique_ptr<System> system_;  ///< Null where nothing is known.
};

}  // namespace pchr::player
