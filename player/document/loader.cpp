// SPDX-License-Identifier: MIT
#include "document/loader.hpp"

#include "platform/utf8_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace pchr::player {
namespace {

/// Removes `word[12]` from the front of `text` and stores the index in `item` if it is below `count`. Returns whether
/// it was there.
template <typename Id>
bool take_item(std::string_view& text, std::string_view word, std::size_t count, std::optional<Id>& item) {
  if (!text.starts_with(word) || !text.substr(word.size()).starts_with('[')) return false;
  std::uint32_t index = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + word.size() + 1, text_end, index);
  if (error != std::errc() || end == text_end || *end != ']') return false;
  text.remove_prefix(static_cast<std::size_t>(end + 1 - text.data()));
  if (index < count) item = Id{index};
  return true;
}

ProblemKind kind_of(DiagnosticId id) {
  if (severity(id) == Severity::error) return ProblemKind::error;
  return code(id).starts_with("W4") ? ProblemKind::hint : ProblemKind::warning;
}

}  // namespace

Problem problem_of(const Diagnostic& diagnostic, const Character& character, std::string_view file_name) {
  return {.kind = kind_of(diagnostic.id),
          .message = fmt::format("{} {}", code(diagnostic.id), message(diagnostic.id)),
          .detail = diagnostic.path.empty() && diagnostic.detail.empty() ? "" : describe(diagnostic),
          .text = describe(diagnostic, file_name, {.hint = true}),
          .place = place_of(diagnostic.path, character)};
}

ProblemPlace place_of(std::string_view path, const Character& character) {
  ProblemPlace place{.state = state_part(path)};
  const std::size_t bones = character.bones().size();
  if (take_item(path, "meshes", character.meshes().size(), place.mesh) || take_item(path, "bones", bones, place.bone) ||
      take_item(path, "images", character.images().size(), place.image)) {
    return place;
  }
  take_item(path, "animations", character.clips().size(), place.clip);
  if (!place.clip) return place;
  const std::size_t frames = character.clips()[*place.clip].frame_count;
  if (take_item(path, ".frames", frames, place.frame)) take_item(path, "", bones, place.bone);
  return place;
}

std::size_t count_problems(std::span<const Problem> problems) noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(problems, [](const Problem& each) { return each.kind != ProblemKind::hint; }));
}

std::vector<Problem> problems_of(const Imported& imported, std::string_view file_name) {
  const Character& character = imported.character;
  std::vector<Problem> problems;
  const auto add = [&](const Diagnostic& each) { problems.push_back(problem_of(each, character, file_name)); };
  std::ranges::for_each(character.warnings(), add);
  std::ranges::for_each(validate(imported), add);
  std::ranges::stable_sort(problems, {}, &Problem::kind);
  return problems;
}

namespace {

constexpr float kRead = 0.35F;     ///< Progress after the file is read.
constexpr float kDecoded = 0.75F;  ///< Progress after its images are decoded.

/// Replaces the first path of a request for a neighbor by the neighbor. Returns the folder's characters.
CastListing find_neighbor(LoadRequest& request) {
  std::filesystem::path& path = request.paths.front();
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  std::vector<std::filesystem::path> characters = characters_in(folder);
  const auto count = std::ssize(characters);
  if (count > 0) {
    const auto name = [](const std::filesystem::path& each) { return utf8_of(each.filename()); };
    // A file that was deleted has neighbors, too.
    auto at = std::ranges::lower_bound(characters, name(path), sorts_before, name) - characters.begin();
    const bool found = at < count && name(characters[static_cast<std::size_t>(at)]) == name(path);
    if (!found && request.neighbor > 0) --at;
    at = ((at + request.neighbor) % count + count) % count;
    path = characters[static_cast<std::size_t>(at)];
  }
  return {{folder}, std::move(characters)};
}

/// Describes why a file does not load. For a file of another kind, what it contains follows after an empty line.
std::string describe_failure(const LoadError& error, const std::string& name) {
  if (error.id != DiagnosticId::unknown_format) return describe(error, name);
  return fmt::format("{} is not a character file. The player opens {} files.\n\n{}", name, list_extensions("and", true),
                     describe(error, name));
}

}  // namespace

std::optional<ClipId> default_clip(const Character& character, const std::string& wanted) {
  const auto clips = character.clips();
  if (const ClipId clip = character.find_clip(wanted); !wanted.empty() && has_frames(character, clip)) return clip;
  for (const std::uint32_t min_frames : {2U, 1U}) {
    const auto found = std::ranges::find_if(clips, [&](const Clip& clip) { return clip.frame_count >= min_frames; });
    if (found != clips.end()) return ClipId(found - clips.begin());
  }
  return std::nullopt;
}

std::vector<std::filesystem::path> list_characters(const std::vector<std::filesystem::path>& paths,
                                                   std::string& error) {
  std::vector<std::filesystem::path> all;
  for (const std::filesystem::path& path : paths) {
    const auto characters = is_folder(path) ? characters_in(path) : std::vector{path};
    all.insert(all.end(), characters.begin(), characters.end());
    if (characters.empty() && error.empty()) error = describe_empty_folder(path);
  }
  return all;
}

Loader::Loader(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stopping) { work(stopping); }) {}

Loader::~Loader() { ++number_; }

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

void Loader::work(const std::stop_token& stopping) {
  while (true) {
    LoadResult result;  // Declared before the lock so that large abandoned characters are freed outside it.
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stopping, [this] { return request_.has_value(); });
    if (stopping.stop_requested()) return;
    LoadRequest request = *std::exchange(request_, std::nullopt);
    const std::uint64_t number = number_;
    lock.unlock();
    result = load_first(std::move(request), number);
    lock.lock();
    if (is_abandoned(number)) continue;
    result_ = std::move(result);
    wake_();
  }
}

LoadResult Loader::load_first(LoadRequest request, std::uint64_t number) {
  LoadResult result{.request = std::move(request)};
  LoadRequest& wanted = result.request;
  std::string error;
  if (wanted.neighbor != 0) {
    result.listing = find_neighbor(wanted);
    if (result.listing->files.empty()) {
      error = describe_empty_folder(result.listing->sources.front());
      wanted.paths.clear();
    }
  } else {
    std::vector<std::filesystem::path> sources = std::exchange(wanted.paths, {});
    wanted.paths = list_characters(sources, error);
    if (wanted.reason == LoadReason::open) result.listing = CastListing{std::move(sources), wanted.paths};
  }
  for (const std::filesystem::path& path : wanted.paths) {
    if (is_abandoned(number)) break;
    result.file = load_file(path, result, number);
    if (result.file) return result;
    if (error.empty()) error = result.file.error();
    result.failures.push_back({path, std::move(result.file.error())});
  }
  result.file = Unexpected(std::move(error));
  return result;
}

Expected<LoadedFile, std::string> Loader::load_file(const std::filesystem::path& path, LoadResult& result,
                                                    std::uint64_t number) {
  auto character = read_character(path, result, number);
  if (!character) return Unexpected(std::move(character.error()));
  LoadedFile file{.path = path == kStandardInput ? kStandardInputName : path, .imported = std::move(*character)};
  progress_ = kRead;
  if (is_abandoned(number)) return Unexpected(std::string());
  auto bitmaps = decode_images(file.imported.character, {}, thread_executor());
  if (!bitmaps) return Unexpected(describe(bitmaps.error(), utf8_of(file.path.filename())));
  file.bitmaps = std::move(*bitmaps);
  for (const Bitmap& bitmap : file.bitmaps) file.masks.push_back(alpha_mask(bitmap));
  progress_ = kDecoded;
  if (is_abandoned(number)) return Unexpected(std::string());
  file.problems = problems_of(file.imported, utf8_of(file.path.filename()));
  if (is_abandoned(number)) return Unexpected(std::string());
  file.clip = default_clip(file.imported.character, result.request.clip);
  file.bounds =
      file.clip ? clip_extent(file.imported.character, *file.clip) : character_extent(file.imported.character);
  progress_ = 1.0F;
  return file;
}

Expected<Imported, std::string> Loader::read_character(const std::filesystem::path& path, LoadResult& result,
                                                       std::uint64_t number) {
  ImportOptions options = result.request.options.value_or(ImportOptions{});
  options.executor = thread_executor();
  if (const auto& bind = result.request.bind) {
    options.bind_pose = *bind;
    options.uses_rig = false;
  }
  result.read.clear();
  const bool is_standard_input = path == kStandardInput;
  const std::string name = is_standard_input ? kStandardInputName : utf8_of(path.filename());
  if (!is_standard_input && !is_stream(path)) {
    options.texture_folders = texture_folders_of(result.request.texture_folders, path);
    // Stamped before reading so that a change meanwhile is detected. The file with the rig is watched on its own,
    // because the player writes it.
    const std::string rig = rig_path(utf8_of(path));
    const auto note = [&](const std::string& read) {
      if (read == rig) return;
      const std::filesystem::path file = path_from_utf8(read);
      if (std::ranges::find(result.read, file, &FileStamp::path) == result.read.end()) {
        result.read.push_back(stamp(file));
      }
    };
    options.before_reading = note;
    auto character = import_character(utf8_of(path), options);
    if (!character) return Unexpected(describe_failure(character.error(), name));
    return std::move(*character);
  }
  // Pipes and devices can block a reader, even when the program exits.
  std::vector<std::byte> other;
  std::vector<std::byte>& bytes = is_standard_input ? standard_input_ : other;
  if (bytes.empty()) {
    const auto stream = is_standard_input ? InputStream::standard_input() : InputStream::open(path);
    if (!stream) return Unexpected(shown_path(path) + ": " + stream.error());
    auto all = read_all(*stream, number);
    if (!all) return Unexpected(std::string());
    bytes = *std::move(all);
  }
  options.image_folder = path.has_parent_path() ? utf8_of(path.parent_path()) : ".";
  auto character = import_character(bytes, options);
  if (!character) return Unexpected(describe_failure(character.error(), name));
  return std::move(*character);
}

std::optional<std::vector<std::byte>> Loader::read_all(const InputStream& stream, std::uint64_t number) const {
  std::vector<std::byte> bytes;
  std::byte part[65536];
  while (bytes.size() <= Limits().max_file_bytes) {
    if (is_abandoned(number)) return std::nullopt;
    const auto count = stream.read(part);
    if (!count) break;
    bytes.insert(bytes.end(), part, part + *count);
  }
  return bytes;
}

}  // namespace pchr::player
