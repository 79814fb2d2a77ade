// SPDX-License-Identifier: MIT
// Character files at hand: which there are, and which are to be opened.
#pragma once

#include <pchr/import/import.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pchr::player {

/// Stands for standard input where a file is asked for.
inline constexpr const char* kStandardInput = "-";

enum class LoadReason : std::uint8_t {
  open,     ///< The files become the list to go through.
  step,     ///< Another of the files at hand.
  compare,  ///< A file to be shown beside the one that is open, which stays.
  attach,   ///< As reload, with more animations: the first of their clips is shown.
  reload,   ///< The file that is open, which changed: how it is shown stays as it was.
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
  std::string clip{};                      ///< To be shown, where the character has a clip of that name with frames.
  std::optional<ImportOptions> options{};  ///< Absent: those of Files.
  std::vector<TextureFolder> texture_folders{};  ///< Those of Files.
};

inline constexpr std::size_t kMaxRecentFiles = 20;
inline constexpr std::size_t kMaxTextureFolders = 50;
/// What a character from standard input is called.
inline constexpr const char* kStandardInputName = "standard input";

/// Opening a file, as far as it is worth showing.
struct OpeningProgress {
  bool shown = false;
  float fraction = 0.0F;  ///< 0..1.
  std::string name{};
};

struct Files {
  std::optional<LoadRequest> request{};       ///< To be opened as soon as possible, in place of what is being opened.
  std::vector<std::filesystem::path> list{};  ///< That was opened together.
  std::filesystem::path tried{};              ///< The last that was opened, or was to be: from it the next is counted.
  std::vector<std::filesystem::path> recent{};   ///< The last first; absolute.
  std::vector<TextureFolder> texture_folders{};  ///< The last first.
  OpeningProgress progress{};
  bool reload = true;       ///< Whether a file that changes is read again.
  ImportOptions options{};  ///< How files are read that are opened anew.
};

/// Opens the first of `paths` that loads, and keeps all as the list.
void open_files(Files& files, std::vector<std::filesystem::path> paths);
/// Opens the next (+1) or previous (-1) of the list; none beyond its ends.
void open_in_list(Files& files, int direction);
/// Opens the next or previous character in the folder of the file that was tried last; none beyond its ends.
void open_in_folder(Files& files, int direction);
/// Puts `path` first among the recent files.
void remember(Files& files, const std::filesystem::path& path);

/// Puts `folder` first among those with the textures of the meshes in the folder of `mesh`.
void remember_textures(Files& files, const std::filesystem::path& mesh, const std::filesystem::path& folder);
/// The folders among `known` with the textures of `mesh`.
[[nodiscard]] std::vector<std::filesystem::path> texture_folders_of(const std::vector<TextureFolder>& known,
                                                                    const std::filesystem::path& mesh);

[[nodiscard]] bool is_folder(const std::filesystem::path& path);
/// By its suffix: .pchr, .json, .chp, .px, .psk or .pskx, but not what is beside a character under such a name, such as
/// its markers.
[[nodiscard]] bool has_character_suffix(const std::filesystem::path& path);
/// The character files of a folder, sorted as people sort: case does not matter, numbers count by value.
[[nodiscard]] std::vector<std::filesystem::path> characters_in(const std::filesystem::path& folder);
/// By its suffix: .png.
[[nodiscard]] bool has_image_suffix(const std::filesystem::path& path);
/// The image files of a folder, in the same order.
[[nodiscard]] std::vector<std::filesystem::path> images_in(const std::filesystem::path& folder);
/// Returns `text` with its Latin letters in lower case.
[[nodiscard]] std::string lower_case(std::string text);
/// Returns whether `a` comes before `b` in that order.
[[nodiscard]] bool sorts_before(const std::string& a, const std::string& b);
/// Appends the character `code` in UTF-8.
void append_utf8(std::string& text, char32_t code);
/// `path` in UTF-8, to be shown.
[[nodiscard]] std::string shown_path(const std::filesystem::path& path);

}  // namespace pchr::player
