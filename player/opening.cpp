// SPDX-License-Identifier: MIT
// From a request to a picture.
#include "opening.hpp"

#include "animations.hpp"

#include <algorithm>
#include <utility>

namespace pchr::player {
namespace {

constexpr double kUploadSeconds = 0.004;   ///< Of each picture.
constexpr double kProgressSeconds = 0.15;  ///< What is quicker than this shows no progress.
constexpr float kUploadShare = 0.3F;       ///< Of the progress bar.

/// Whether the file that is open is read once more.
bool is_again(LoadReason reason) { return reason == LoadReason::reload || reason == LoadReason::attach; }

}  // namespace

Opening::Opening(const std::function<void()>& wake) : loader_(wake), watch_(wake) {}

bool Opening::update(Session& session, Renderer& renderer, double now) {
  Files& files = session.files;
  // While a file is on its way, what the watch has to say waits until it is known whether that file opens.
  if (!busy() && !files.request && watch_.take_changed() && files.reload && watched_) {
    if (session.document) {
      open_again(session);
    } else {
      files.request = LoadRequest{.paths = {*watched_}, .reason = LoadReason::reload};
    }
  }
  if (!busy()) watch_shown(session);
  if (files.request) {
    uploading_.reset();
    loading_ = true;
    begun_ = now;
    files.progress.name = shown_path(files.request->paths.front().filename());
    if (!files.request->options) files.request->options = files.options;
    files.request->texture_folders = files.texture_folders;
    loader_.start(std::move(*std::exchange(files.request, std::nullopt)));
  }
  bool changed = false;
  if (auto result = loader_.take()) {
    loading_ = false;
    changed = accept(session, renderer, std::move(*result));
  }
  if (uploading_) changed |= upload_more(session);
  show_progress(files, now);
  return changed || files.progress.shown;
}

// The sides of a comparison may have been swapped.
void Opening::watch_shown(const Session& session) {
  if (!session.document || session.document->path == watched_.value_or(kStandardInputName)) return;
  watched_.reset();
  if (session.document->path != kStandardInputName) watched_ = session.document->path;
  watch_.watch(session.document->source.read);
}

bool Opening::accept(Session& session, Renderer& renderer, LoadResult result) {
  Files& files = session.files;
  std::string error;
  if (result.request.reason == LoadReason::open) files.list = result.request.paths;
  const bool beside = result.request.reason == LoadReason::compare && session.document;
  if (!result.read.empty() && !beside) files.tried = result.read.front().path;
  // A broken file is watched too where it is all there is, or where it was good before: it may be mended.
  const bool reloaded = is_again(result.request.reason);
  if (!beside && (result.file || reloaded || !session.document)) {
    watched_.reset();
    if (!result.read.empty()) watched_ = result.read.front().path;
    watch_.watch(result.read);
  }
  if (result.file) {
    auto upload = renderer.begin_upload(result.file->character, std::move(result.file->bitmaps));
    if (upload) {
      bytes_to_upload_ = std::max<std::uint64_t>(upload->bytes_left(), 1);
      Source source{*std::move(result.request.options), std::move(result.read)};
      uploading_.emplace(Uploading{std::move(result.request), std::move(source), result.file->path, result.file->clip,
                                   result.file->bounds, std::move(result.file->masks), std::move(result.file->problems),
                                   std::move(*upload)});
      return false;
    }
    error = shown_path(result.file->path.filename()) + ": " + upload.error().message;
  } else {
    error = std::move(result.file.error());
  }
  session.error = std::move(error);
  return true;
}

bool Opening::upload_more(Session& session) {
  if (!uploading_->upload.step_for(kUploadSeconds)) return false;
  Uploading done = std::move(*std::exchange(uploading_, std::nullopt));
  Model model = std::move(done.upload).finish();
  if (is_again(done.request.reason) && session.document && session.document->path == done.path) {
    const Character before = session.document->character();
    show_model_again(session, std::move(model), done.clip, done.bounds, std::move(done.masks));
    session.document->source = std::move(done.source);
    if (done.request.reason == LoadReason::attach) show_attached(session, before);
  } else if (done.request.reason == LoadReason::compare && session.document) {
    compare_file(session, ComparedFile{done.path, std::move(model), std::move(done.masks), {}, std::move(done.source)});
    session.error.clear();
  } else {
    show_model(session, done.path, std::move(model), done.clip, done.bounds, std::move(done.masks));
    session.document->source = std::move(done.source);
    if (done.path != kStandardInputName) remember(session.files, done.path);
  }
  set_problems(session, std::move(done.problems));
  return true;
}

void Opening::show_progress(Files& files, double now) const {
  OpeningProgress& progress = files.progress;
  progress.shown = busy() && now - begun_ > kProgressSeconds;
  progress.fraction = loader_.progress() * (1.0F - kUploadShare);
  if (!uploading_) return;
  const auto left = static_cast<float>(uploading_->upload.bytes_left()) / static_cast<float>(bytes_to_upload_);
  progress.fraction = 1.0F - kUploadShare * left;
}

}  // namespace pchr::player
