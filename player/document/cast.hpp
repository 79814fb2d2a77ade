// SPDX-License-Identifier: MIT
// The cast: the files to step through, which were opened together or are a folder's characters, and their thumbnails.
#pragma once

#include "document/files.hpp"
#include "document/loader.hpp"

#include <pchr/image.hpp>

#include <future>

namespace pchr {
class HeadlessContext;
class Renderer;
}  // namespace pchr

namespace pchr::player {

struct CastEntry {
  std::filesystem::path path;
  std::string name{};   ///< File name in printable UTF-8.
  std::string error{};  ///< Why the file cannot be opened; empty if it can, or before it was tried.
};

struct Cast {
  std::vector<CastEntry> entries{};
  std::vector<std::filesystem::path> sources{};  ///< Files and folders that the entries come from.
  NameFilter filter{};
  bool reveal = false;                                        ///< Scroll the list to the open file.
  std::vector<std::filesystem::path> shown{};                 ///< Entries whose rows are visible.
  std::future<std::vector<std::filesystem::path>> reading{};  ///< See refresh().
};

/// Replaces the entries. Keeps the errors of files that stay.
void set_files(Cast& cast, const std::vector<std::filesystem::path>& files);
/// Returns the index of a file.
[[nodiscard]] std::optional<std::size_t> place_of(const Cast& cast, const std::filesystem::path& path);
/// Notes why a file cannot be opened; empty if it can.
void set_error(Cast& cast, const std::filesystem::path& path, std::string error);

/// Opens an entry. Ignores an index out of range.
void open_entry(const Cast& cast, OpenRequests& requests, std::size_t index);
/// Opens the next (+1) or previous (-1) entry, wrapping around. If there is only one, steps in its folder.
void step(Cast& cast, OpenRequests& requests, int direction);
/// Makes the characters in the folder of the last opened file the cast, and opens the next or previous one.
void step_in_folder(Cast& cast, OpenRequests& requests, int direction);

/// Reads the folders among the sources again, on a thread.
void refresh(Cast& cast);
/// Takes what refresh() has read. Returns whether the entries changed.
bool update(Cast& cast);

inline constexpr std::uint32_t kThumbnailSide = 128;
/// Larger files have no thumbnail.
inline constexpr std::uintmax_t kMaxThumbnailFileBytes = std::uintmax_t{64} << 20;
inline constexpr std::uint64_t kMaxThumbnailImagePixels = std::uint64_t{16} << 20;
inline constexpr std::size_t kMaxCachedThumbnails = 2000;

struct Thumbnail {
  FileStamp file;       ///< What it shows.
  Bitmap image{};       ///< Premultiplied, kThumbnailSide squared; empty if there is none.
  std::string error{};  ///< Why the file cannot be opened; empty if it can, or before it was tried.
};

/// Returns the name of a file's thumbnail in the cache: a hash of its path, size and time.
[[nodiscard]] std::string cached_name(const FileStamp& file);
/// Removes the oldest of the thumbnails in `folder` beyond `max`. Ignores all other files.
void limit_cache(const std::filesystem::path& folder, std::size_t max);

/// Draws thumbnails, with an OpenGL context of its own from the first character on.
class ThumbnailMaker {
 public:
  /// Caches in `folder`, or not at all if that is empty.
  explicit ThumbnailMaker(std::filesystem::path folder);
  ~ThumbnailMaker();
  /// Reads a thumbnail from the cache, or the character from its file.
  [[nodiscard]] Thumbnail make(const std::filesystem::path& path);

 private:
  [[nodiscard]] Bitmap read_cached(const std::filesystem::path& path) const;
  void write_cached(const std::filesystem::path& path, Bitmap image) const;
  [[nodiscard]] Bitmap draw(const Character& character);
  /// Returns whether there is a context to draw with.
  bool set_up();

  std::filesystem::path folder_;
  std::unique_ptr<HeadlessContext> context_;
  std::unique_ptr<Renderer> renderer_;
  bool tried_ = false;  ///< Whether set_up() has tried.
};

/// Makes thumbnails on a thread.
class Thumbnails {
 public:
  explicit Thumbnails(std::filesystem::path cache_folder) : cache_folder_(std::move(cache_folder)) {}

  /// Requests thumbnails, in this order, in place of earlier requests that have not been made.
  void want(std::vector<std::filesystem::path> paths);
  [[nodiscard]] std::optional<Thumbnail> take();
  [[nodiscard]] bool busy() const;  ///< Whether take() will return more.

 private:
  void work(const std::stop_token& stopping);

  std::filesystem::path cache_folder_;
  mutable std::mutex mutex_;  ///< Guards the members below.
  std::condition_variable_any changed_;
  std::vector<std::filesystem::path> wanted_{};  ///< The next one last.
  std::vector<Thumbnail> made_{};
  bool making_ = false;

  std::jthread thread_{};  ///< Started by want(). Last member, because it uses all of the above.
};

}  // namespace pchr::player
