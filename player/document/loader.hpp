// SPDX-License-Identifier: MIT
#pragma once

#include "document/file_watch.hpp"
#include "document/files.hpp"
#include "document/problems.hpp"
#include "view/turntable.hpp"

#include <pchr/queries.hpp>

#include <atomic>

namespace pchr::player {

/// A character in memory, with all that is slow to compute about it.
struct LoadedFile {
  std::filesystem::path path;
  Imported imported;
  std::vector<Bitmap> bitmaps{};
  std::vector<Problem> problems{};
  std::vector<AlphaMask> masks{};  ///< Of the bitmaps, which go to the GPU.
  std::optional<ClipId> clip{};    ///< Shown first; absent where none has frames.
  Extent bounds{};                 ///< Of that clip, or of the character.
};

struct LoadResult {
  LoadRequest request;            ///< With folders replaced by their characters.
  std::vector<FileStamp> read{};  ///< The last file that was tried and its images, as they were before it was read.
  std::expected<LoadedFile, std::string> file = std::unexpected(std::string());  ///< Or why the first did not load.
};

/// Reads characters on a thread of its own. A newer request replaces an older one, whose result is dropped.
class Loader {
 public:
  /// Calls `wake` on the worker's thread when a result can be taken.
  explicit Loader(std::function<void()> wake);
  ~Loader();  ///< Abandons what is unfinished, and waits for the worker's current step.

  void start(LoadRequest request);
  /// Returns the result of the last start(), once.
  [[nodiscard]] std::optional<LoadResult> take();
  [[nodiscard]] float progress() const noexcept { return progress_.load(std::memory_order_relaxed); }  ///< 0..1.

 private:
  void work(const std::stop_token& stopping);
  [[nodiscard]] LoadResult load_first(LoadRequest request, std::uint64_t number);
  [[nodiscard]] std::expected<LoadedFile, std::string> load_file(const std::filesystem::path& path, LoadResult& result,
                                                                 std::uint64_t number);
  [[nodiscard]] std::expected<Imported, std::string> read_character(const std::filesystem::path& path,
                                                                    LoadResult& result, std::uint64_t number);
  /// Reads a pipe or a device to its end; returns nothing where the request was abandoned first.
  [[nodiscard]] std::optional<std::vector<std::byte>> read_stream(int descriptor, std::uint64_t number) const;
  [[nodiscard]] bool given_up(std::uint64_t number) const noexcept { return number_.load() != number; }

  std::function<void()> wake_;
  std::atomic<float> progress_ = 0.0F;
  std::atomic<std::uint64_t> number_ = 0;    ///< Of the latest request; older ones are abandoned.
  std::vector<std::byte> standard_input_{};  ///< The worker's own: it can be read only once.

  std::mutex mutex_;  ///< Guards what follows.
  std::condition_variable_any changed_;
  std::optional<LoadRequest> request_{};
  std::optional<LoadResult> result_{};

  std::jthread thread_;  ///< Last, because it uses all of the above.
};

}  // namespace pchr::player
