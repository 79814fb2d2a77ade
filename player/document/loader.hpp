// SPDX-License-Identifier: MIT
// Reads characters on a thread, with what is wrong with them.
#pragma once

#include "document/files.hpp"
#include "document/states.hpp"
#include "document/turntable.hpp"
#include "platform/streams.hpp"

#include <pchr/import/import.hpp>
#include <pchr/queries.hpp>

#include <atomic>
#include <filesystem>
#include <span>

namespace pchr::player {

enum class ProblemKind : std::uint8_t {
  error,
  warning,  ///< From the reader.
  hint      ///< From validate().
};

/// The part of a character that a problem refers to. All ids are valid.
struct ProblemPlace {
  std::optional<MeshId> mesh{};
  std::optional<BoneId> bone{};
  std::optional<ClipId> clip{};
  std::optional<ImageId> image{};
  std::optional<std::uint32_t> frame{};  ///< Frame of `clip`.
  std::optional<StateRef> state{};       ///< Part of the machines in the file next to the character.
  bool operator==(const ProblemPlace&) const = default;
};

struct Problem {
  ProblemKind kind = ProblemKind::warning;
  std::string message;  ///< Code and message.
  std::string detail;   ///< Path, name and detail of the diagnostic; empty if it has none.
  std::string text;     ///< The whole diagnostic with its hint.
  ProblemPlace place{};
  bool in_rig = false;  ///< About the file next to the character, not of its own.
};

/// Returns the number of errors and warnings. Hints are not problems.
[[nodiscard]] std::size_t count_problems(std::span<const Problem> problems) noexcept;

/// Resolves a diagnostic's path, such as `animations[2].frames[5][3].x`, in `character`, as far as possible.
[[nodiscard]] ProblemPlace place_of(std::string_view path, const Character& character);

/// Describes a diagnostic of the character or of the file next to it.
[[nodiscard]] Problem problem_of(const Diagnostic& diagnostic, const Character& character, std::string_view file_name);
/// Returns the reader's warnings and the diagnostics of validate(), most severe first. As slow as validate().
[[nodiscard]] std::vector<Problem> problems_of(const Imported& imported, std::string_view file_name);

/// A character in memory, with everything about it that is slow to compute.
struct LoadedFile {
  std::filesystem::path path;
  Imported imported;
  std::vector<Bitmap> bitmaps{};
  std::vector<Problem> problems{};
  std::vector<AlphaMask> masks{};  ///< Masks of the bitmaps, which go to the GPU.
  std::optional<ClipId> clip{};    ///< Shown first; absent if no clip has frames.
  Extent bounds{};                 ///< Extent of that clip, or of the character.
};

/// The files of a new cast, and the files and folders that they come from.
struct CastListing {
  std::vector<std::filesystem::path> sources{};
  std::vector<std::filesystem::path> files{};
};

struct LoadFailure {
  std::filesystem::path path;
  std::string error;
};

struct LoadResult {
  LoadRequest request;            ///< Folders are replaced by their characters.
  std::vector<FileStamp> read{};  ///< The last file that was tried and its images, with their state before reading.
  Expected<LoadedFile, std::string> file = Unexpected(std::string());  ///< Or why the first file did not load.
  std::optional<CastListing> listing{};                                ///< The new cast, if the request makes one.
  std::vector<LoadFailure> failures{};                                 ///< Files that were tried and did not load.
};

[[nodiscard]] inline bool has_frames(const Character& character, ClipId clip) noexcept {
  return character.clips().contains(clip) && character.clips()[clip].frame_count > 0;
}
/// Returns the clip with the wanted name, else the first one that moves, else the first one with a frame: many files
/// start with a one-frame bind clip.
[[nodiscard]] std::optional<ClipId> default_clip(const Character& character, const std::string& wanted = {});
/// Returns the characters in the files and folders `paths`, in their order. If there are none and there is a reason,
/// sets `error` to it.
[[nodiscard]] std::vector<std::filesystem::path> list_characters(const std::vector<std::filesystem::path>& paths,
                                                                 std::string& error);

/// Reads characters on a thread. A newer request replaces an older one, whose result is dropped.
class Loader {
 public:
  /// `wake` is called on the thread when a result is available.
  explicit Loader(std::function<void()> wake);
  ~Loader();  ///< Abandons pending work and waits for the thread's current step.

  void start(LoadRequest request);
  /// Returns the result of the last start() once.
  [[nodiscard]] std::optional<LoadResult> take();
  [[nodiscard]] float progress() const noexcept { return progress_.load(std::memory_order_relaxed); }  ///< 0..1.

 private:
  void work(const std::stop_token& stopping);
  [[nodiscard]] LoadResult load_first(LoadRequest request, std::uint64_t number);
  [[nodiscard]] Expected<LoadedFile, std::string> load_file(const std::filesystem::path& path, LoadResult& result,
                                                            std::uint64_t number);
  [[nodiscard]] Expected<Imported, std::string> read_character(const std::filesystem::path& path, LoadResult& result,
                                                               std::uint64_t number);
  /// Reads a stream to its end. Returns nothing if the request was abandoned.
  [[nodiscard]] std::optional<std::vector<std::byte>> read_all(const InputStream& stream, std::uint64_t number) const;
  [[nodiscard]] bool is_abandoned(std::uint64_t number) const noexcept { return number_.load() != number; }

  std::function<void()> wake_;
  std::atomic<float> progress_ = 0.0F;
  std::atomic<std::uint64_t> number_ = 0;    ///< Number of the latest request; older ones are abandoned.
  std::vector<std::byte> standard_input_{};  ///< Kept because it can only be read once. Used by the thread only.

  std::mutex mutex_;  ///< Guards the members below.
  std::condition_variable_any changed_;
  std::optional<LoadRequest> request_{};
  std::optional<LoadResult> result_{};

  std::jthread thread_;  ///< Last member, because it uses all of the above.
};

}  // namespace pchr::player
