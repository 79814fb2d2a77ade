// SPDX-License-Identifier: MIT
// Files into characters and bitmaps, on the worker's thread.

#include "document/loader.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <utility>

namespace pchr::player {
namespace {

constexpr float kRead = 0.35F;     ///< Progress once the file is read,
constexpr float kDecoded = 0.75F;  ///< once its images are decoded,
constexpr int kInputWaitMilliseconds = 100;

/// A clip that moves, rather than the one-frame bind clip that files often begin with.
std::optional<ClipId> opening_clip(std::span<const Clip> clips) {
  auto found = std::ranges::find_if(clips, [](const Clip& clip) { return clip.frame_count > 1; });
  if (found == clips.end()) found = std::ranges::find_if(clips, [](const Clip& clip) { return clip.frame_count > 0; });
  if (found == clips.end()) return std::nullopt;
  return ClipId(found - clips.begin());
}

std::optional<ClipId> choose_clip(const Character& character, const std::string& wanted) {
  const ClipId clip = wanted.empty() ? ClipId::none : character.find_clip(wanted);
  if (clip != ClipId::none && character.clips()[clip].frame_count > 0) return clip;
  return opening_clip(character.clips());
}

}  // namespace

Loader::Loader(std::function<void()> wake) : wake_(std::move(wake)), thread_([this] { work(); }) {}

Loader::~Loader() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    ++number_;
  }
  changed_.notify_one();
  thread_.join();
}

void Loader::start(LoadRequest request) {
  {
    const std::lock_guard lock(mutex_);
    ++number_;
    request_ = std::move(request);
    result_.reset();
    progress_ = 0.0F;
  }
  changed_.notify_one();
}

std::optional<LoadResult> Loader::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(result_, std::nullopt);
}

void Loader::work() {
  while (auto request = next_request()) {
    const std::uint64_t number = request->number;
    // Outside of the lock it is made, and, where it is given up, goes: large characters take their time for both.
    LoadResult result = load_first(std::move(request->request), number);
    const std::lock_guard lock(mutex_);
    if (given_up(number)) continue;
    result_ = std::move(result);
    wake_();
  }
}

std::optional<Loader::NumberedRequest> Loader::next_request() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return stopping_ || request_; });
  if (stopping_) return std::nullopt;
  return NumberedRequest{std::move(*std::exchange(request_, std::nullopt)), number_};
}

LoadResult Loader::load_first(LoadRequest request, std::uint64_t number) {
  LoadResult result{.request = std::move(request)};
  std::vector<std::filesystem::path>& paths = result.request.paths;
  std::string error;
  for (const auto& path : std::exchange(paths, {})) {
    const auto characters = is_folder(path) ? characters_in(path) : std::vector{path};
    paths.insert(paths.end(), characters.begin(), characters.end());
    if (characters.empty() && error.empty())
      error = shown_path(path) + ": no .pchr, .json, .chp, .px or .psk file is in this folder";
  }
  for (const auto& path : paths) {
    if (given_up(number)) break;
    auto file = load_file(path, result, number);
    if (file) {
      result.file = std::move(file);
      return result;
    }
    if (error.empty()) error = std::move(file.error());
  }
  result.file = std::unexpected(std::move(error));
  return result;
}

std::expected<LoadedFile, std::string> Loader::load_file(const std::filesystem::path& path, LoadResult& result,
                                                         std::uint64_t number) {
  auto character = read_character(path, result, number);
  if (!character) return std::unexpected(std::move(character.error()));
  LoadedFile file{.path = path == kStandardInput ? kStandardInputName : path, .imported = std::move(*character)};
  progress_ = kRead;
  if (given_up(number)) return std::unexpected(std::string());
  auto bitmaps = decode_images(file.imported.character);
  if (!bitmaps) return std::unexpected(describe(bitmaps.error(), file.path.filename().string()));
  file.bitmaps = std::move(*bitmaps);
  for (const Bitmap& bitmap : file.bitmaps) file.masks.push_back(alpha_mask(bitmap));
  progress_ = kDecoded;
  if (given_up(number)) return std::unexpected(std::string());
  file.problems = problems_of(file.imported, file.path.filename().string());
  if (given_up(number)) return std::unexpected(std::string());
  file.clip = choose_clip(file.imported.character, result.request.clip);
  file.bounds =
      file.clip ? clip_extent(file.imported.character, *file.clip) : character_extent(file.imported.character);
  progress_ = 1.0F;
  return file;
}

std::expected<Imported, std::string> Loader::read_character(const std::filesystem::path& path, LoadResult& result,
                                                            std::uint64_t number) {
  ImportOptions options = result.request.options.value_or(ImportOptions{});
  result.read.clear();
  std::error_code error;
  const bool is_standard_input = path == kStandardInput;
  if (!is_standard_input && !std::filesystem::is_other(path, error)) {
    options.texture_folders = texture_folders_of(result.request.texture_folders, path);
    // Before it is read: what changes meanwhile is then seen as a change.
    options.before_reading = [&](const std::filesystem::path& file) {
      if (std::ranges::find(result.read, file, &FileStamp::path) == result.read.end()) {
        result.read.push_back(stamp(file));
      }
    };
    auto character = import_character(path, options);
    if (!character) return std::unexpected(describe(character.error(), path.filename().string()));
    return std::move(*character);
  }
  // Pipes and devices may keep a reader waiting, also at the end of the program.
  std::vector<std::byte> other;
  std::vector<std::byte>& bytes = is_standard_input ? standard_input_ : other;
  if (bytes.empty()) {
    const int descriptor =
        is_standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0) return std::unexpected(shown_path(path) + ": " + std::strerror(errno));
    auto all = read_stream(descriptor, number);
    if (!is_standard_input) close(descriptor);
    if (!all) return std::unexpected(std::string());
    bytes = *std::move(all);
  }
  options.image_folder = path.has_parent_path() ? path.parent_path() : ".";
  auto character = import_character(bytes, options);
  if (character) return std::move(*character);
  return std::unexpected(
      describe(character.error(), is_standard_input ? kStandardInputName : path.filename().string()));
}

std::optional<std::vector<std::byte>> Loader::read_stream(int descriptor, std::uint64_t number) const {
  const Limits limits;
  std::vector<std::byte> bytes;
  std::byte part[65536];
  while (bytes.size() <= limits.max_file_bytes) {
    pollfd input{descriptor, POLLIN, 0};
    if (given_up(number)) return std::nullopt;
    if (poll(&input, 1, kInputWaitMilliseconds) == 0) continue;
    // No lock is held here; the analyser does not see next_request() release it.
    // NOLINTNEXTLINE(clang-analyzer-unix.BlockInCriticalSection)
    const ssize_t count = ::read(descriptor, part, sizeof(part));
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count <= 0) break;
    bytes.insert(bytes.end(), part, part + count);
  }
  return bytes;
}

}  // namespace pchr::player
