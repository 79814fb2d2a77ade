// SPDX-License-Identifier: MIT
// Which character files are at hand, and which are to be opened.
#pragma once

#include <pchr/import/import.hpp>

#include <filesystem>
#include <initializer_list>

namespace pchr::player {

/// Names standard input where a file is asked for.
inline constexpr const char* kStandardInput = "-";
/// The name of a character from standard input.
inline constexpr const char* kStandardInputName = "standard input";
inline constexpr std::size_t kMaxRecentFiles = 20;
inline constexpr std::size_t kMaxTextureFolders = 50;

enum class LoadReason : std::uint8_t {
  open,     ///< The files become the list to step through.
  step,     ///< Another file of the list or the folder.
  compare,  ///< A file to show beside the open one.
  attach,   ///< Like reload, with more animations: the first of their clips is shown.
  reload,   ///< The open file has changed; it is shown as before.
};

/// A folder with the textures of the Unreal meshes in another. Both are absolute.
struct TextureFolder {
  std::filesystem::path meshes;
  std::filesystem::path textures;
  bool operator==(const TextureFolder&) const = default;
};

struct LoadRequest {
  std::vector<std::filesystem::path> paths{};  ///< The first that loads is taken. A folder stands for its characters.
  LoadReason reason = LoadReason::open;
  std::string clip{};                            ///< Shown first where a clip of that name has frames.
  std::optional<ImportOptions> options{};        ///< Absent: those of Files.
  std::vector<TextureFolder> texture_folders{};  ///< Those of Files.
};

struct OpeningProgress {
  bool shown = false;     ///< False while opening takes no noticeable time.
  float fraction = 0.0F;  ///< 0..1.
  std::string name{};
};

struct Files {
  std::optional<LoadRequest> request{};          ///< To be opened next, in place of what is being opened.
  std::vector<std::filesystem::path> list{};     ///< Files that were opened together.
  std::filesystem::path tried{};                 ///< The last file that was opened or failed to.
  std::vector<std::filesystem::path> recent{};   ///< Newest first; absolute.
  std::vector<TextureFolder> texture_folders{};  ///< Newest first.
  OpeningProgress progress{};
  bool reload = true;       ///< Reads a file again when it changes.
  ImportOptions options{};  ///< For files that are newly opened.
};

/// Opens the first of `paths` that loads, and keeps all as the list.
void open_files(Files& files, std::vector<std::filesystem::path> paths);
/// Opens the next (+1) or previous (-1) file of the list; does nothing at its ends.
void open_in_list(Files& files, int direction);
/// Opens the next or previous character in the folder of the file that was tried last; does nothing at its ends.
void open_in_folder(Files& files, int direction);
void remember(Files& files, const std::filesystem::path& path);

/// Puts `folder` first among the texture folders of the meshes in the folder of `mesh`.
void remember_textures(Files& files, const std::filesystem::path& mesh, const std::filesystem::path& folder);
/// Returns the folders among `known` with the textures of `mesh`.
[[nodiscard]] std::vector<std::filesystem::path> texture_folders_of(const std::vector<TextureFolder>& known,
                                                                    const std::filesystem::path& mesh);

/// Returns `path` absolute and normal; empty where that fails.
[[nodiscard]] std::filesystem::path absolute_path(const std::filesystem::path& path);
[[nodiscard]] bool is_folder(const std::filesystem::path& path);
[[nodiscard]] bool has_extension(const std::filesystem::path& path, std::initializer_list<std::string_view> extensions);
/// Returns whether `path` is named like a character; hidden files and markers are not.
[[nodiscard]] bool has_character_suffix(const std::filesystem::path& path);
[[nodiscard]] bool has_image_suffix(const std::filesystem::path& path);
/// List the characters, PNG files or folders in a folder, in the order of sorts_before().
/// @{
[[nodiscard]] std::vector<std::filesystem::path> characters_in(const std::filesystem::path& folder);
[[nodiscard]] std::vector<std::filesystem::path> images_in(const std::filesystem::path& folder);
[[nodiscard]] std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder);
/// @}
/// Convert Latin letters to lower case.
/// @{
[[nodiscard]] constexpr char lower_case(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] std::string lower_case(std::string text);
/// @}
/// Returns whether `a` sorts before `b` for people: without case, numbers by value.
[[nodiscard]] bool sorts_before(const std::string& a, const std::string& b);
/// Returns `path` in printable UTF-8.
[[nodiscard]] std::string shown_path(const std::filesystem::path& path);

}  // namespace pchr::player
