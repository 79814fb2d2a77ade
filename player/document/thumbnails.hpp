// SPDX-License-Identifier: MIT
// Small images of characters, made on a thread and cached on disk.
#pragma once

#include "document/file_watch.hpp"

#include <pchr/image.hpp>

namespace pchr {
class HeadlessContext;
class Renderer;
}  // namespace pchr

namespace pchr::player {

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
