// SPDX-License-Identifier: MIT
// Reads characters on a thread of its own, so that the window never waits for a file.
#pragma once

#include "document/file_watch.hpp"
#include "document/files.hpp"
#include "document/problems.hpp"
#include "view/turntable.hpp"

#include <pchr/queries.hpp>
#include <pchr/image.hpp>

#include <atomic>
#include <expected>

namespace pchr::player {

/// A character in memory, with all that is slow to find out about it.
struct LoadedFile {
  std::filesystem::path path;
  Imported imported;
  std::vector<Bitmap> bitmaps{};
  std::vector<Problem> problems{};
  std::vector<AlphaMask> masks{};  ///< Of the bitmaps, which do not stay.
  std::optional<ClipId> clip{};    ///< To be shown; absent where none has frames.
  Extent bounds{};                 ///< Of that clip, or of the character.
};

struct LoadResult {
  LoadRequest request;            ///< What was asked for, with folders replaced by their characters.
  std::vector<FileStamp> read{};  ///< The last file that was tried and its images, as they were before it.
  std::expected<LoadedFile, std::string> file = std::unexpected(std::string());  ///< Or why the first did not load.
};

/// One worker thread. A newer request replaces an older one, whose result is then never seen.
class Loader {
 public:
  /// `wake` is called on the worker's thread when a result can be taken.
  explicit Loader(std::function<void()> wake);
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;
  ~Loader();  ///< Gives up what is unfinished, and waits for the step the worker is at.

  void start(LoadRequest request);
  /// The result of the last start(), once.
  [[nodiscard]] std::optional<LoadResult> take();
  /// How far the worker is with it, 0..1, in steps.
  [[nodiscard]] float progress() const noexcept { return progress_.load(std::memory_order_relaxed); }

 private:
  struct NumberedRequest {
    LoadRequest request;
    std::uint64_t number;
  };

  void work();
  [[nodiscard]] std::optional<NumberedRequest> next_request();
  [[nodiscard]] LoadResult load_first(LoadRequest request, std::uint64_t number);
  [[nodiscard]] std::expected<LoadedFile, std::string> load_file(const std::filesystem::path& path, LoadResult& result,
                                                                 std::uint64_t number);
  [[nodiscard]] std::expected<Imported, std::string> read_character(const std::filesystem::path& path,
                                                                    LoadResult& result, std::uint64_t number);
  /// All that a pipe or a device gives; nothing where the request is given up before that is there.
  [[nodiscard]] std::optional<std::vector<std::byte>> read_stream(int descriptor, std::uint64_t number) const;
  [[nodiscard]] bool given_up(std::uint64_t number) const noexcept { return number_.load() != number; }

  std::function<void()> wake_;
  std::atomic<float> progress_ = 0.0F;
  std::atomic<std::uint64_t> number_ = 0;    ///< Number of the latest request; older ones are abandoned.
  std::vector<std::byte> standard_input_{};  ///< The worker's own: it can be read only once.

  std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable changed_;
  std::optional<LoadRequest> request_{};
  std::optional<LoadResult> result_{};
  bool stopping_ = false;

  std::thread thread_;  ///< Last, for it uses all of the above.
};

}  // namespace pchr::player
