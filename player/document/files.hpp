// SPDX-License-Identifier: MIT
// Known character files, requests to open them, and changes to them.
#pragma once

#include <pchr/import/import.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <future>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

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
  std::optional<ImportOptions> options{};        ///< Absent to use the options of OpenRequests.
  std::vector<TextureFolder> texture_folders{};  ///< The folders of OpenRequests.
  std::optional<BindPose> bind{};                ///< Choice to use instead of the one in the file with the rig.
};

struct OpeningProgress {
  bool busy = false;      ///< Whether a file is being opened.
  bool shown = false;     ///< False for the first moments.
  float fraction = 0.0F;  ///< 0..1.
  std::string name{};
};

struct OpenRequests {
  std::optional<LoadRequest> pending{};          ///< Replaces the file being opened.
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
void open_files(OpenRequests& requests, std::vector<std::filesystem::path> paths);
void remember(OpenRequests& requests, const std::filesystem::path& path);

/// Puts `folder` first among the texture folders for the meshes next to `mesh`.
void remember_textures(OpenRequests& requests, const std::filesystem::path& mesh, const std::filesystem::path& folder);
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
/// Returns the path of pchr/player.conf in the user's configuration folder; empty if there is none.
[[nodiscard]] std::filesystem::path preferences_file();
/// Returns a file's content; empty if it cannot be read or is no text of at most `max_bytes`.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& file, std::size_t max_bytes = 1 << 20);
/// Writes a file as a whole, and its folder. Returns an error message, or an empty string.
[[nodiscard]] std::string write_text_file(const std::filesystem::path& file, std::string_view text);
/// Returns the 64-bit FNV-1a hash, for names that are the same in every build.
[[nodiscard]] std::uint64_t hash_of(std::string_view text) noexcept;
/// Returns whether the result of a thread can be taken.
template <typename T>
[[nodiscard]] bool is_ready(const std::future<T>& task) {
  return task.valid() && task.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}
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

struct NameFilter {
  std::array<char, 64> text{};  ///< Part of a name, regardless of case.
  bool focus = false;           ///< Request to move the keyboard focus to the field.
};

/// Returns whether `name` contains the filter's text, ignoring the case of Latin letters.
[[nodiscard]] inline bool passes(const NameFilter& filter, std::string_view name) noexcept {
  constexpr auto kLower = [](char c) { return lower_case(c); };
  const std::string_view part(filter.text.data());
  return part.empty() || !std::ranges::search(name, part, {}, kLower, kLower).empty();
}

/// What changes when a file is saved, see FileStatus.
struct FileState {
  std::int64_t modified = 0;
  std::uint64_t bytes = 0;
  bool operator==(const FileState&) const = default;
};

/// State of a file at one point in time.
struct FileStamp {
  std::filesystem::path path;
  std::optional<FileState> state{};  ///< Absent if the file is missing.
  [[nodiscard]] bool exists() const noexcept { return state.has_value(); }
  bool operator==(const FileStamp&) const = default;
};

[[nodiscard]] FileStamp stamp(const std::filesystem::path& path);

/// What happened to watched files.
enum class FileNews : std::uint8_t {
  none,
  changed,  ///< They were saved, and then stayed unchanged for a tenth of a second.
  deleted,  ///< The first one has been missing for half a second.
  returned  ///< The first one was missing and is back, unchanged.
};

/// Detects saved and deleted files by polling twice a second, which also works for symbolic links and editors that save
/// by renaming.
class FileWatch {
 public:
  /// `wake` is called on the watch's thread when files have changed.
  explicit FileWatch(std::function<void()> wake);

  /// Watches only these files, starting from these states. Reports no changes while the first file is missing. Without
  /// files, sleeps.
  void watch(std::vector<FileStamp> files);
  /// Returns the last event, once.
  [[nodiscard]] FileNews take_news();

 private:
  void work(const std::stop_token& stopping);
  [[nodiscard]] FileNews what_happened(const std::vector<FileStamp>& now) const;

  std::function<void()> wake_;
  std::mutex mutex_;  ///< Guards the members below.
  std::condition_variable_any attention_;
  std::vector<FileStamp> files_{};  ///< State when the watch started or at the last change.
  bool restarted_ = false;
  bool missing_ = false;  ///< Whether `deleted` was reported.
  FileNews news_ = FileNews::none;

  std::jthread thread_;  ///< Last member, because it uses all of the above.
};

}  // namespace pchr::player
