// SPDX-License-Identifier: MIT
#include "document/cast.hpp"

#include "platform/output_file.hpp"
#include "platform/utf8_path.hpp"
#include "document/turntable.hpp"

#include <pchr/export/animation.hpp>
#include <pchr/offscreen.hpp>

#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <utility>

namespace pchr::player {

namespace fs = std::filesystem;

void set_files(Cast& cast, const std::vector<fs::path>& files) {
  std::vector<CastEntry> failed = std::exchange(cast.entries, {});
  std::erase_if(failed, [](const CastEntry& entry) { return entry.error.empty(); });
  cast.entries.reserve(files.size());
  for (const fs::path& path : files) cast.entries.push_back({path, shown_path(path.filename())});
  for (CastEntry& entry : failed) set_error(cast, entry.path, std::move(entry.error));
}

std::optional<std::size_t> place_of(const Cast& cast, const fs::path& path) {
  const auto found = std::ranges::find(cast.entries, path, &CastEntry::path);
  if (found == cast.entries.end()) return std::nullopt;
  return static_cast<std::size_t>(found - cast.entries.begin());
}

void set_error(Cast& cast, const fs::path& path, std::string error) {
  if (const auto at = place_of(cast, path)) cast.entries[*at].error = std::move(error);
}

void open_entry(const Cast& cast, OpenRequests& requests, std::size_t index) {
  if (index >= cast.entries.size()) return;
  requests.tried = cast.entries[index].path;
  requests.pending = LoadRequest{.paths = {requests.tried}, .reason = LoadReason::step};
}

void step(Cast& cast, OpenRequests& requests, int direction) {
  const std::size_t count = cast.entries.size();
  if (count < 2) return step_in_folder(cast, requests, direction);
  const auto at = place_of(cast, requests.tried).value_or(direction > 0 ? count - 1 : 0);
  open_entry(cast, requests, (at + (direction > 0 ? 1 : count - 1)) % count);
  cast.reveal = true;
}

void step_in_folder(Cast& cast, OpenRequests& requests, int direction) {
  if (requests.tried.empty() || requests.tried == kStandardInput) return;
  const fs::path folder = requests.tried.has_parent_path() ? requests.tried.parent_path() : ".";
  if (cast.sources == std::vector{folder} && cast.entries.size() > 1) {
    refresh(cast);
    return step(cast, requests, direction);
  }
  requests.folder_steps += direction;
  requests.pending =
      LoadRequest{.paths = {requests.tried}, .reason = LoadReason::step, .neighbor = requests.folder_steps};
}

void refresh(Cast& cast) {
  if (cast.reading.valid() || cast.sources.empty()) return;
  cast.reading = std::async(std::launch::async, [sources = cast.sources] {
    std::string ignored;
    return list_characters(sources, ignored);
  });
}

bool update(Cast& cast) {
  if (!is_ready(cast.reading)) return false;
  const std::vector<fs::path> files = cast.reading.get();
  // An unreadable folder keeps what it had.
  if (files.empty() || std::ranges::equal(files, cast.entries, {}, {}, &CastEntry::path)) return false;
  set_files(cast, files);
  return true;
}

namespace {

constexpr std::string_view kCacheVersion = "1";  ///< Changes with what thumbnails look like.
constexpr std::string_view kSuffix = ".png";
constexpr std::size_t kHashDigits = 16;
constexpr std::uint32_t kSamples = 4;
constexpr float kThumbnailMargin = 0.06F;
constexpr std::chrono::seconds kIdle{5};  ///< Until the context is given up.

bool is_cached_name(std::string_view name) noexcept {
  return name.size() == kHashDigits + kSuffix.size() && name.ends_with(kSuffix) &&
         name.find_first_not_of("0123456789abcdef") == kHashDigits;
}

/// Returns whether `path` is a regular file itself, not a link to one.
bool is_plain_file(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(std::filesystem::symlink_status(path, error));
}

/// Poses the start of the clip that the player shows first, from the front.
void pose_first_frame(const Character& character, PoseBuffers& posed) {
  pose_clip_or_bind(character, default_clip(character).value_or(ClipId::none), {}, posed);
  rotate(rotation_of(Turntable{}, pivot_of(character)), posed);
}

}  // namespace

std::string cached_name(const FileStamp& file) {
  const FileState state = file.state.value_or(FileState{});
  const FileState rig =
      stamp(path_from_utf8(rig_path(utf8_of(file.path)))).state.value_or(FileState{});  // It can choose the bind pose.
  const std::string key = fmt::format("{}\n{}\n{}\n{}\n{}\n{}", kCacheVersion, utf8_of(absolute_path(file.path)),
                                      state.bytes, state.modified, rig.bytes, rig.modified);
  return fmt::format("{:016x}{}", hash_of(key), kSuffix);
}

void limit_cache(const std::filesystem::path& folder, std::size_t max) {
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (!is_cached_name(utf8_of(at->path().filename())) || !is_plain_file(at->path())) continue;
    std::error_code gone;
    const auto modified = at->last_write_time(gone);
    if (!gone) files.emplace_back(modified, at->path());
  }
  if (files.size() <= max) return;
  std::ranges::sort(files);
  for (const auto& [modified, path] : std::span(files).first(files.size() - max)) {
    std::filesystem::remove(path, error);
  }
}

ThumbnailMaker::ThumbnailMaker(std::filesystem::path folder) : folder_(std::move(folder)) {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  error ? folder_.clear() : limit_cache(folder_, kMaxCachedThumbnails);
}

ThumbnailMaker::~ThumbnailMaker() {
  renderer_.reset();  // Before its context.
}

Thumbnail ThumbnailMaker::make(const std::filesystem::path& path) {
  Thumbnail thumbnail{.file = stamp(path)};
  std::error_code error;
  // Reading a pipe could block forever.
  if (!thumbnail.file.state || !std::filesystem::is_regular_file(path, error)) return thumbnail;
  const std::filesystem::path cached = folder_.empty() ? folder_ : folder_ / cached_name(thumbnail.file);
  thumbnail.image = read_cached(cached);
  if (!thumbnail.image.rgba.empty() || thumbnail.file.state->bytes > kMaxThumbnailFileBytes) return thumbnail;

  std::size_t files_read = 0;
  const std::string rig = rig_path(utf8_of(path));
  const auto count = [&](const std::string& read) { files_read += read != rig ? 1 : 0; };
  const auto imported = import_character(utf8_of(path), {.before_reading = count});
  const std::string name = utf8_of(path.filename());
  if (!imported) {
    thumbnail.error = describe(imported.error(), name);
    return thumbnail;
  }
  thumbnail.image = draw(imported->character);
  // The cache does not notice when an image in a file of its own changes.
  if (files_read == 1) write_cached(cached, thumbnail.image);
  return thumbnail;
}

Bitmap ThumbnailMaker::read_cached(const std::filesystem::path& path) const {
  if (path.empty() || !is_plain_file(path)) return {};
  const Limits limits{.max_file_bytes = std::uint64_t{1} << 20,
                      .max_image_pixels = std::uint64_t{kThumbnailSide} * kThumbnailSide};
  auto image = load_png(utf8_of(path), limits);
  if (!image || image->width != kThumbnailSide || image->height != kThumbnailSide) return {};
  return *std::move(image);
}

void ThumbnailMaker::write_cached(const std::filesystem::path& path, Bitmap image) const {
  if (path.empty() || image.rgba.empty()) return;
  unpremultiply(image);
  OutputFiles files({}, false);
  if (files.write(utf8_of(path), encode_png(image))) static_cast<void>(files.publish(Existing::replace));
}

bool ThumbnailMaker::set_up() {
  if (std::exchange(tried_, true)) return renderer_ != nullptr;
  auto context = HeadlessContext::create();
  if (!context) return false;
  context_ = std::make_unique<HeadlessContext>(std::move(*context));
  auto renderer = Renderer::create(
      context_->get_proc_address(),
      {.compile_on_first_use = true, .program_cache = {program_folder().loading(), program_folder().storing()}});
  if (renderer) renderer_ = std::make_unique<Renderer>(std::move(*renderer));
  return renderer_ != nullptr;
}

Bitmap ThumbnailMaker::draw(const Character& character) {
  std::uint64_t pixels = 0;
  for (const Image& image : character.data().images) pixels += std::uint64_t{image.width} * image.height;
  if (pixels > kMaxThumbnailImagePixels) return {};
  PoseBuffers posed;
  pose_first_frame(character, posed);
  const Rect shown = bounds(character, posed);
  if (shown.empty() || !set_up()) return {};
  auto model = renderer_->upload(character);
  auto target = OffscreenTarget::create(*renderer_, kThumbnailSide, kThumbnailSide, kSamples);
  if (!model || !target) return {};
  const Camera camera = fit({.viewport = Vec2{kThumbnailSide}}, shown, kThumbnailMargin);
  target->begin();
  if (character.is_3d()) {
    const Vec2 far = glm::max(glm::abs(shown.min), glm::abs(shown.max));
    renderer_->draw_scene(*model, posed, scene_view(camera, std::max(far.x, far.y) * 16.0F));
  } else {
    renderer_->draw(*model, posed, camera);
  }
  return target->finish();
}

void Thumbnails::want(std::vector<std::filesystem::path> paths) {
  {
    const std::lock_guard lock(mutex_);
    std::ranges::reverse(paths);
    wanted_ = std::move(paths);
  }
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stopping) { work(stopping); });
  changed_.notify_one();
}

std::optional<Thumbnail> Thumbnails::take() {
  const std::lock_guard lock(mutex_);
  if (made_.empty()) return std::nullopt;
  Thumbnail first = std::move(made_.front());
  made_.erase(made_.begin());
  return first;
}

bool Thumbnails::busy() const {
  const std::lock_guard lock(mutex_);
  return making_ || !wanted_.empty() || !made_.empty();
}

void Thumbnails::work(const std::stop_token& stopping) {
  std::optional<ThumbnailMaker> maker;
  std::unique_lock lock(mutex_);
  while (!stopping.stop_requested()) {
    const auto has_work = [this] { return !wanted_.empty(); };
    if (!changed_.wait_for(lock, stopping, kIdle, has_work)) {
      lock.unlock();
      maker.reset();  // The context takes memory.
      lock.lock();
      if (!changed_.wait(lock, stopping, has_work)) return;
    }
    const std::filesystem::path path = std::move(wanted_.back());
    wanted_.pop_back();
    making_ = true;
    lock.unlock();
    if (!maker) maker.emplace(cache_folder_);
    Thumbnail made = maker->make(path);
    lock.lock();
    making_ = false;
    made_.push_back(std::move(made));
  }
}

}  // namespace pchr::player
