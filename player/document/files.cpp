// SPDX-License-Identifier: MIT
#include "document/files.hpp"

#include "platform/desktop.hpp"
#include "platform/files.hpp"
#include "platform/utf8_path.hpp"

#include <pchr/export/animation.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <span>
#include <utility>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

bool digit(char c) { return c >= '0' && c <= '9'; }

/// Returns the folders, or else the regular files, in a folder that pass `wanted`, sorted.
std::vector<fs::path> entries_in(const fs::path& folder, bool folders, bool (*wanted)(const fs::path&)) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (!wanted(at->path())) continue;
    if (folders ? at->is_directory(ignored) : at->is_regular_file(ignored)) found.push_back(openable(at->path()));
  }
  std::ranges::sort(found, sorts_before, [](const fs::path& path) { return utf8_of(path.filename()); });
  return found;
}

/// Moves `item` to the front of a list, adding it if needed.
template <typename Item>
void move_to_front(std::vector<Item>& list, Item item, std::size_t max) {
  std::erase(list, item);
  list.insert(list.begin(), std::move(item));
  if (list.size() > max) list.resize(max);
}

/// Returns `path` without the prefix that long paths have on Windows, which the standard library takes for folders.
fs::path plain(const fs::path& path) {
  const std::string text = utf8_of(path);
  return std::u8string(text.begin(), text.end());
}

bool is_hidden(const fs::path& path) { return utf8_of(path.filename()).starts_with('.'); }

}  // namespace

void open_files(OpenRequests& requests, std::vector<fs::path> paths) {
  if (paths.empty()) return;
  requests.pending = LoadRequest{.paths = std::move(paths)};
}

void remember(OpenRequests& requests, const fs::path& path) {
  fs::path absolute = absolute_path(path);
  if (!absolute.empty()) move_to_front(requests.recent, std::move(absolute), kMaxRecentFiles);
}

void remember_textures(OpenRequests& requests, const fs::path& mesh, const fs::path& folder) {
  TextureFolder added{parent_of(absolute_path(mesh)), parent_of(absolute_path(folder / ""))};
  if (added.meshes.empty() || added.textures.empty()) return;
  move_to_front(requests.texture_folders, std::move(added), kMaxTextureFolders);
}

std::vector<std::string> texture_folders_of(const std::vector<TextureFolder>& known, const fs::path& mesh) {
  const fs::path meshes = parent_of(absolute_path(mesh));
  std::vector<std::string> folders;
  for (const TextureFolder& each : known) {
    if (each.meshes == meshes) folders.push_back(utf8_of(each.textures));
  }
  return folders;
}

fs::path absolute_path(const fs::path& path) {
  std::error_code error;
  return openable(fs::absolute(plain(path), error).lexically_normal());
}

fs::path openable(const fs::path& path) { return path_from_utf8(utf8_of(path)); }

fs::path parent_of(const fs::path& path) { return openable(plain(path).parent_path()); }

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool has_extension(const fs::path& path, std::initializer_list<std::string_view> extensions) {
  return std::ranges::find(extensions, lower_case(utf8_of(path.extension()))) != extensions.end();
}

bool has_character_suffix(const fs::path& path) { return !is_hidden(path) && has_character_name(utf8_of(path)); }

bool has_image_suffix(const fs::path& path) { return !is_hidden(path) && has_extension(path, {".png"}); }

std::vector<fs::path> characters_in(const fs::path& folder) { return entries_in(folder, false, has_character_suffix); }
std::vector<fs::path> images_in(const fs::path& folder) { return entries_in(folder, false, has_image_suffix); }

std::vector<fs::path> folders_in(const fs::path& folder) {
  return entries_in(folder, true, [](const fs::path& path) { return !is_hidden(path); });
}

std::string folder_error(const fs::path& folder) {
  std::error_code error;
  fs::directory_iterator opened(folder, error);
  return error ? error_text(error) : std::string();
}

std::string describe_empty_folder(const fs::path& folder) {
  const std::string error = folder_error(folder);
  if (!error.empty()) return shown_path(folder) + ": this folder cannot be read: " + error;
  return shown_path(folder) + ": this folder has no " + list_extensions("or") + " files";
}

fs::path preferences_file() {
  const fs::path folder = configuration_folder();
  return folder.empty() ? folder : folder / "pchr" / "player.conf";
}

std::string read_text_file(const fs::path& file, std::size_t max_bytes) {
  std::error_code error;
  // Opening a pipe with that name would block.
  if (!fs::is_regular_file(file, error)) return {};
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size > max_bytes) return {};
  std::ifstream stream(file, std::ios::binary);
  std::string text(static_cast<std::size_t>(size), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.find('\0') != std::string::npos) text.clear();
  return text;
}

std::string write_text_file(const fs::path& file, std::string_view text) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  OutputFiles files({}, false);
  auto written = files.write(utf8_of(file), std::as_bytes(std::span(text)));
  if (written) written = files.publish(Existing::replace);
  return written ? std::string() : written.error().message;
}

std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100'0000'01B3;
  return hash;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = lower_case(c);
  return text;
}

bool sorts_before(const std::string& a, const std::string& b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (digit(a[i]) && digit(b[j])) {
      const auto number = [](const std::string& text, std::size_t& at) {
        while (at < text.size() && text[at] == '0') ++at;
        const std::size_t begin = at;
        while (at < text.size() && digit(text[at])) ++at;
        return std::string_view(text).substr(begin, at - begin);
      };
      const std::string_view left = number(a, i);
      const std::string_view right = number(b, j);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
      continue;
    }
    if (lower_case(a[i]) != lower_case(b[j])) return lower_case(a[i]) < lower_case(b[j]);
    ++i;
    ++j;
  }
  if (i < a.size() || j < b.size()) return j < b.size();
  return a < b;
}

std::string shown_path(const fs::path& path) { return printable(utf8_of(path)); }

namespace {

constexpr std::chrono::milliseconds kPoll{500};
constexpr std::chrono::milliseconds kRest{100};  ///< How long a saved file must stay unchanged.

}  // namespace

FileStamp stamp(const std::filesystem::path& path) {
  const FileStatus status = find_status(utf8_of(path));
  if (status.kind != FileKind::file) return {path};
  return {path, FileState{status.modified, status.bytes}};
}

FileWatch::FileWatch(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this](const std::stop_token& stopping) { work(stopping); }) {}

void FileWatch::watch(std::vector<FileStamp> files) {
  {
    const std::lock_guard lock(mutex_);
    files_ = std::move(files);
    restarted_ = true;
    missing_ = false;
    news_ = FileNews::none;
  }
  attention_.notify_one();
}

FileNews FileWatch::take_news() {
  const std::lock_guard lock(mutex_);
  return std::exchange(news_, FileNews::none);
}

FileNews FileWatch::what_happened(const std::vector<FileStamp>& now) const {
  if (!now.front().exists()) return files_.front().exists() && !missing_ ? FileNews::deleted : FileNews::none;
  if (now != files_) return FileNews::changed;
  return missing_ ? FileNews::returned : FileNews::none;
}

void FileWatch::work(const std::stop_token& stopping) {
  std::unique_lock lock(mutex_);
  std::vector<FileStamp> last;
  while (true) {
    const bool differs = !last.empty() && last != files_ && last.front().exists();
    const auto restarted = [this] { return restarted_; };
    files_.empty() ? attention_.wait(lock, stopping, restarted)
                   : attention_.wait_for(lock, stopping, differs ? kRest : kPoll, restarted);
    if (stopping.stop_requested()) return;
    const bool was_restarted = std::exchange(restarted_, false);
    const std::vector<FileStamp> known = files_;
    lock.unlock();
    std::vector<FileStamp> now;
    for (const FileStamp& file : known) now.push_back(stamp(file.path));
    lock.lock();
    if (restarted_) continue;
    const bool is_stable = !was_restarted && now == last;
    last = std::move(now);
    if (!is_stable) continue;
    const FileNews news = what_happened(last);
    if (news == FileNews::none) continue;
    missing_ = news == FileNews::deleted;
    if (news == FileNews::changed) files_ = last;
    news_ = news;
    wake_();
  }
}

}  // namespace pchr::player
