// SPDX-License-Identifier: MIT
// Known character files, and requests to open them.
#pragma once

#include <pchr/import/import.hpp>

#include <filesystem>
#include <initializer_list>

namespace pchr::player {

/// File argument for standard input.
inline constexpr const char* kStandardInput = "-";
/// Name of a character that was read from standard input.
inline constexpr const char* kStandardInputName = "standard input";
inline constexpr std::size_t kMaxRecentFiles = 20;
inline constexpr std::size_t kMaxTextureFolders = 50;

enum class LoadReason : std::uint8_t {
  open,             ///< Open the files; they become the cast.
  step,             ///< Step to another file of the cast or the folder.
  compare,          ///< Compare a file with the open one.
  beside,           ///< Add a file to the lineup.
  attach,           ///< Reload with more animations, and show the first of their clips.
  reload,           ///< Reload the open file after a change, keeping the view.
  options,          ///< Reload the open file with other options, keeping the view.
  reload_compared,  ///< Reload the compared file after a change.
};

/// A texture folder for the Unreal meshes in another folder. Both paths are absolute.
struct TextureFolder {
  std::filesystem::path meshes;
  std::filesystem::path textures;
  bool operator==(const TextureFolder&) const = default;
};

struct LoadRequest {
  std::vector<std::filesystem::path>
      paths{};  ///< The first one that loads is used. A folder stands for its characters.
  LoadReason reason = LoadReason::open;
  int neighbor = 0;    ///< If not 0, open the file that many places after the first path in its folder instead.
  std::string clip{};  ///< Name of the clip to show first, if it has frames.
  std::optional<ImportOptions> options{};        ///< Absent to use the options of Files.
  std::vector<TextureFolder> texture_folders{};  ///< The folders of Files.
  std::optional<BindPose> bind{};                ///< Choice to use instead of the one in the file with the rig.
};

struct OpeningProgress {
  bool shown = false;     ///< False for the first moments.
  float fraction = 0.0F;  ///< 0..1.
  std::string name{};
};

struct Files {
  std::optional<LoadRequest> request{};          ///< Pending request; replaces the file being opened.
  std::vector<std::filesystem::path> beside{};   ///< Files to add to the lineup, one after another.
  std::filesystem::path tried{};                 ///< The last file that was opened or failed to open.
  std::vector<std::filesystem::path> recent{};   ///< Absolute, newest first.
  std::vector<TextureFolder> texture_folders{};  ///< Newest first.
  int folder_steps = 0;                          ///< Places to step in a folder that is being read.
  OpeningProgress progress{};
  bool reload = true;       ///< Whether to reload a file when it changes.
  ImportOptions options{};  ///< For files that are not open yet.
};

/// Opens the first path that loads. All of them become the cast.
void open_files(Files& files, std::vector<std::filesystem::path> paths);
void remember(Files& files, const std::filesystem::path& path);

/// Puts `folder` first among the texture folders for the meshes next to `mesh`.
void remember_textures(Files& files, const std::filesystem::path& mesh, const std::filesystem::path& folder);
/// Returns the folders in `known` with textures for `mesh`.
[[nodiscard]] std::vector<std::string> texture_folders_of(const std::vector<TextureFolder>& known,
                                                          const std::filesystem::path& mesh);

/// Returns `path` absolute and normalized; empty on failure.
[[nodiscard]] std::filesystem::path absolute_path(const std::filesystem::path& path);
/// Returns `path` with the prefix that long paths need on Windows, and only these.
[[nodiscard]] std::filesystem::path openable(const std::filesystem::path& path);
/// Returns the folder that contains a path; itself if there is none.
[[nodiscard]] std::filesystem::path parent_of(const std::filesystem::path& path);
[[nodiscard]] bool is_folder(const std::filesystem::path& path);
[[nodiscard]] bool has_extension(const std::filesystem::path& path, std::initializer_list<std::string_view> extensions);
/// Returns whether `path` has a character's extension and is neither hidden nor a markers file.
[[nodiscard]] bool has_character_suffix(const std::filesystem::path& path);
[[nodiscard]] bool has_image_suffix(const std::filesystem::path& path);
/// Return the characters, PNG files or folders in a folder, sorted by sorts_before().
/// @{
[[nodiscard]] std::vector<std::filesystem::path> characters_in(const std::filesystem::path& folder);
[[nodiscard]] std::vector<std::filesystem::path> images_in(const std::filesystem::path& folder);
[[nodiscard]] std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder);
/// @}
/// Returns why a folder cannot be read, such as "Permission denied"; empty if it can.
[[nodiscard]] std::string folder_error(const std::filesystem::path& folder);
/// Returns the message for a folder without characters: that it cannot be read, or which files are looked for.
[[nodiscard]] std::string describe_empty_folder(const std::filesystem::path& folder);
/// Convert Latin letters to lower case.
/// @{
[[nodiscard]] constexpr char lower_case(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] std::string lower_case(std::string text);
/// @}
/// Returns whether `a` sorts before `b` in natural order: case-insensitive, numbers by value.
[[nodiscard]] bool sorts_before(const std::string& a, const std::string& b);
/// Returns `path` in printable UTF-8.
[[nodiscard]] std::string shown_path(const std::filesystem::path& path);

}  // namespace pchr::player
