// SPDX-License-Identifier: MIT
#include "app/opening.hpp"

#include "ui/app.hpp"

#include <fmt/format.h>

#include <ctime>

namespace pchr::player {
namespace {

constexpr double kUploadSeconds = 0.004;   ///< Per frame.
constexpr double kProgressSeconds = 0.15;  ///< Delay before progress is shown.
constexpr float kUploadShare = 0.3F;       ///< Share of the progress bar.

bool leaves(LoadReason reason) { return reason == LoadReason::open || reason == LoadReason::step; }
bool is_addition(LoadReason reason) {
  return reason == LoadReason::compare || reason == LoadReason::beside || reason == LoadReason::reload_compared;
}
bool is_reload(LoadReason reason) {
  return reason == LoadReason::reload || reason == LoadReason::options || reason == LoadReason::attach;
}

/// Returns the time of day, such as "14:02".
std::string time_of_day() {
  const std::time_t now = std::time(nullptr);
  const std::tm* const local = std::localtime(&now);
  return local != nullptr ? fmt::format("{:02}:{:02}", local->tm_hour, local->tm_min) : std::string();
}

/// Reports that the file of `document` was deleted or is back.
void report(App& app, Document& document, FileNews news) {
  const std::string name = shown_path(document.path.filename());
  document.deleted = news == FileNews::deleted;
  if (news == FileNews::deleted) {
    show_notice(app.notice, name + " was deleted; showing the last version", NoticeKind::warning);
  } else if (news == FileNews::returned) {
    show_notice(app.notice, name + " is back");
  }
}

/// Returns the document that a request reads again, if it is still shown.
Document* reloaded_document(App& app, const LoadRequest& request) {
  if (request.reason != LoadReason::reload && request.reason != LoadReason::reload_compared) return nullptr;
  Actor* const actor = app.find(request.reason == LoadReason::reload ? Role::open : Role::compared);
  return actor != nullptr && actor->document.path == request.paths.front() ? &actor->document : nullptr;
}

/// Reports that a request failed.
void fail(App& app, const LoadRequest& request, std::string error) {
  if (Document* const document = request.paths.empty() ? nullptr : reloaded_document(app, request)) {
    document->load_error = error;
  }
  if (request.bind && app.document()) app.document()->bind = request.bind;  // Or it would be tried again and again.
  app.error = std::move(error);
}

/// Reports that a file was read again. `saved`: it had changed, and the version before can be compared.
void show_reloaded(App& app, const Document& before, bool is_compared, bool saved) {
  const std::string name = shown_path(before.path.filename());
  const std::string what = before.deleted ? name + " is back; reloaded" : is_compared ? "Reloaded " + name : "Reloaded";
  Notice notice{.text = what + " " + time_of_day(), .kind = NoticeKind::success};
  if (saved) notice.buttons[0] = {"compare-previous", "Compare"};
  show_notice(app.notice, std::move(notice));
  app.notice.seconds_left = kNoticeSeconds;  // Some people save often.
}

}  // namespace

Opening::Opening(const std::function<void()>& wake) : loader_(wake), watch_(wake), watch_compared_(wake) {}

// Requests files that were saved, and reports deleted ones. Returns whether the image changed.
bool Opening::follow_files(App& app) {
  OpenRequests& requests = app.requests;
  bool reported = false;
  // Returns whether the file must be read again.
  const auto is_saved = [&](FileNews news, Document* document) {
    const bool changed = news == FileNews::changed;
    if (changed && requests.reload) return true;
    if (document == nullptr || news == FileNews::none || (changed && !document->deleted)) return false;
    report(app, *document, changed ? FileNews::returned : news);
    reported = true;
    return false;
  };
  if (watched_ && is_saved(watch_.take_news(), app.document())) {
    if (app.document()) {
      reload(app);
    } else {
      requests.pending = LoadRequest{.paths = {*watched_}, .reason = LoadReason::reload};
    }
  }
  Actor* const actor = app.find(Role::compared);
  if (requests.pending || actor == nullptr) return reported;
  Document& compared = actor->document;
  if (is_saved(watch_compared_.take_news(), &compared)) {
    requests.pending = LoadRequest{
        .paths = {compared.path}, .reason = LoadReason::reload_compared, .options = compared.source.options};
  }
  return reported;
}

void Opening::start(App& app, double now) {
  OpenRequests& requests = app.requests;
  if (!requests.pending) return;
  uploading_.reset();
  loading_ = true;
  begun_ = now;
  const std::filesystem::path& first = requests.pending->paths.front();
  requests.progress.name = first == "-" ? std::string(kStandardInputName) : shown_path(first.filename());
  if (!requests.pending->options) requests.pending->options = requests.options;
  requests.pending->texture_folders = requests.texture_folders;
  loader_.start(std::move(*std::exchange(requests.pending, std::nullopt)));
}

bool Opening::update(App& app, Renderer& renderer, double now) {
  OpenRequests& requests = app.requests;
  // Changes wait until the file being loaded has opened or failed.
  bool changed = !busy() && !requests.pending && follow_files(app);
  if (!busy()) watch_shown(app);
  if (requests.pending && leaves(requests.pending->reason) && !may_leave(app)) {
    requests.pending.reset();
    requests.folder_steps = 0;
    if (app.document()->path != kStandardInputName) requests.tried = app.document()->path;
  }
  if (!busy() && !requests.pending) follow_bind_pose(app);
  if (!busy() && !requests.pending && !requests.beside.empty()) {
    requests.pending = LoadRequest{.paths = {requests.beside.front()}, .reason = LoadReason::beside};
    requests.beside.erase(requests.beside.begin());
  }
  start(app, now);
  if (auto result = loader_.take()) {
    loading_ = false;
    changed |= accept(app, renderer, std::move(*result));
  }
  if (uploading_) changed |= upload_more(app);
  show_progress(requests, now);
  return changed || requests.progress.shown;
}

// Watches the compared file, and the open file again, since swapping the compared sides changes it, and its sidecar
// once it is known.
void Opening::watch_shown(const App& app) {
  const Actor* const compared = app.find(Role::compared);
  if (compared_ != (compared != nullptr ? compared->document.path : std::filesystem::path())) {
    compared_ = compared != nullptr ? compared->document.path : std::filesystem::path();
    watch_compared_.watch(compared != nullptr ? compared->document.source.read : std::vector<FileStamp>());
  }
  if (!app.document()) return;
  const Document& document = *app.document();
  if (document.path == watched_.value_or(kStandardInputName) && document.sidecar == watched_sidecar_) return;
  watched_.reset();
  if (document.path != kStandardInputName) watched_ = document.path;
  watched_sidecar_ = document.sidecar;
  std::vector<FileStamp> files = document.source.read;
  if (watched_) files.push_back(document.sidecar);
  watch_.watch(std::move(files));
}

bool Opening::accept(App& app, Renderer& renderer, LoadResult result) {
  app.requests.folder_steps = 0;
  if (result.listing) {
    app.cast.sources = std::move(result.listing->sources);
    set_files(app.cast, result.listing->files);
    app.cast.filter = {};
    app.names_changed = true;
  }
  app.cast.reveal = true;
  for (LoadFailure& failure : result.failures) set_error(app.cast, failure.path, std::move(failure.error));
  if (result.file) set_error(app.cast, result.file->path, {});
  const bool added = is_addition(result.request.reason) && app.document();
  if (!result.read.empty() && !added) app.requests.tried = result.read.front().path;
  // A broken file is watched too if nothing else is open or if it used to load: it may be fixed.
  if (!added && (result.file || is_reload(result.request.reason) || !app.document())) {
    watched_.reset();
    std::vector<FileStamp> files = result.read;
    if (!files.empty()) watched_ = files.front().path;
    if (watched_ && app.document()) {
      watched_sidecar_ = app.document()->sidecar;
      files.push_back(stamp(watched_sidecar_.path));  // As it is now, or it would be read again and again.
    }
    watch_.watch(std::move(files));
  }
  if (!result.file) {
    fail(app, result.request, std::move(result.file.error()));
    return true;
  }
  auto upload = renderer.begin_upload(result.file->imported.character, std::move(result.file->bitmaps));
  if (!upload) {
    fail(app, result.request, shown_path(result.file->path.filename()) + ": " + upload.error().message);
    return true;
  }
  bytes_to_upload_ = std::max<std::uint64_t>(upload->bytes_left(), 1);
  uploading_.emplace(std::move(result), *std::move(upload));
  return false;
}

bool Opening::upload_more(App& app) {
  if (!uploading_->upload.step_for(kUploadSeconds)) return false;
  Uploading done = std::move(*std::exchange(uploading_, std::nullopt));
  LoadRequest& request = done.loaded.request;
  LoadedFile& file = *done.loaded.file;
  Document document{.path = std::move(file.path),
                    .model = std::move(done.upload).finish(),
                    .source = {*std::move(request.options), std::move(done.loaded.read)},
                    .imported = std::move(file.imported),
                    .problems = std::move(file.problems),
                    .bind = std::move(request.bind)};
  document.selection.masks = std::move(file.masks);
  extent_slot(document, file.clip) = std::move(file.bounds);
  if (is_reload(request.reason) && app.document() && app.document()->path == document.path) {
    auto next = std::make_unique<Actor>(Actor{.document = std::move(document)});
    std::unique_ptr<Actor> before = replace_open(app, std::move(next), file.clip, Opened::reloaded);
    if (request.reason == LoadReason::attach) show_attached(app, before->document.character());
    if (request.reason != LoadReason::reload) return true;
    const bool saved = before->document.source.read != app.document()->source.read;
    show_reloaded(app, before->document, false, saved);
    if (saved) keep_previous(app, std::move(before));
  } else if (request.reason == LoadReason::reload_compared) {
    const Document* const before = reloaded_document(app, request);
    if (before == nullptr) return true;  // Another one is compared now.
    if (app.error == before->load_error) app.error.clear();
    show_reloaded(app, *before, true, false);
    reload_compared(app, std::move(document));
    compared_.clear();
  } else if (request.reason == LoadReason::compare && app.document()) {
    compare_file(app, std::move(document));
    app.error.clear();
  } else if (request.reason == LoadReason::beside && app.document()) {
    add_to_lineup(app, std::move(document), file.clip);
    app.error.clear();
  } else {
    if (document.path != kStandardInputName) remember(app.requests, document.path);
    if (request.reason == LoadReason::open) clear_lineup(app);
    if (Actor* const member = find_in_lineup(app, document.path)) take(app, *member);
    const bool stepped = request.reason == LoadReason::step;
    replace_open(app, std::make_unique<Actor>(Actor{.document = std::move(document)}), file.clip,
                 stepped ? Opened::stepped : Opened::fresh);
    stand_on_ground(app);
  }
  return true;
}

void Opening::show_progress(OpenRequests& requests, double now) const {
  OpeningProgress& progress = requests.progress;
  progress.busy = busy();
  progress.shown = progress.busy && now - begun_ > kProgressSeconds;
  progress.fraction = loader_.progress() * (1.0F - kUploadShare);
  if (!uploading_) return;
  const auto left = static_cast<float>(uploading_->upload.bytes_left()) / static_cast<float>(bytes_to_upload_);
  progress.fraction = 1.0F - kUploadShare * left;
}

}  // namespace pchr::player
