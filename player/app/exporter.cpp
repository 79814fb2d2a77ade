// SPDX-License-Identifier: MIT
#include "app/exporter.hpp"

#include "platform/files.hpp"
#include "platform/utf8_path.hpp"

#include <pchr/diagnostic.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace pchr::player {
namespace {

Unexpected<ExportError> failed(std::string message) {
  return Unexpected(ExportError{ExportError::Kind::failed, std::move(message)});
}

}  // namespace

std::vector<std::string> video_arguments(const AnimationInfo& info, const VideoOptions& options,
                                         const std::string& file) {
  const double rate = static_cast<double>(info.frame_ends.size()) / info.frame_ends.back();
  std::vector<std::string> arguments{"-v",
                                     "error",
                                     "-nostdin",
                                     "-y",
                                     "-f",
                                     "rawvideo",
                                     "-pixel_format",
                                     "rgba",
                                     "-video_size",
                                     fmt::format("{}x{}", info.width, info.height),
                                     "-framerate",
                                     fmt::format("{:.6f}", rate),
                                     "-i",
                                     "pipe:0",
                                     "-an"};
  const auto add = [&](std::initializer_list<std::string> more) { arguments.insert(arguments.end(), more); };
  // Players guess the colors unless the file names them.
  const bool mp4 = options.format == VideoFormat::mp4;
  add({"-vf", fmt::format("scale=out_color_matrix=bt709:out_range=tv,format={}",
                          options.alpha && !mp4 ? "yuva420p" : "yuv420p")});
  if (mp4) {
    add({"-c:v", "libx264", "-crf", fmt::to_string(40 - options.quality / 4), "-movflags", "+faststart"});
  } else {
    add({"-c:v", "libvpx-vp9", "-b:v", "0", "-crf", fmt::to_string(60 - options.quality * 3 / 8), "-auto-alt-ref",
         "0"});
  }
  add({"-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-f", mp4 ? "mp4" : "webm"});
  // Otherwise, a name could be read as an option or a protocol.
  arguments.push_back("file:" + file);
  return arguments;
}

void VideoWriter::add(const std::string& path, const AnimationInfo& info) {
  videos_.push_back({PendingFile(path), info});
}

ExportResult<void> VideoWriter::start(Video& video) {
  const std::scoped_lock lock(mutex_);
  // Without this, ffmpeg's message about the folder would name the temporary file.
  if (const std::error_code error = video.file.create()) {
    return failed(fmt::format("cannot write {}: {}", printable(video.file.path), error_text(error)));
  }
  video.file.file.reset();
  auto started = ChildProgram::start(ffmpeg_, video_arguments(video.info, options_, *video.file.temporary));
  if (!started) return failed("cannot start ffmpeg: " + started.error());
  running_.emplace(*std::move(started));
  if (stopped_) running_->kill();
  return {};
}

ExportResult<void> VideoWriter::write(const std::string& path, std::span<const std::byte> bytes, bool last) {
  if (!running_) {
    const auto video = std::ranges::find(videos_, path, [](const Video& each) { return each.file.path; });
    if (auto started = start(*video); !started) return started;
  }
  const bool written = running_->write(bytes);
  if (written && !last) return {};
  const bool succeeded = running_->finish();
  const std::string line = running_->error_line();
  {
    const std::scoped_lock lock(mutex_);
    running_.reset();
  }
  if (written && succeeded) return {};
  return failed("ffmpeg failed" + (line.empty() ? std::string() : ": " + printable(line)));
}

void VideoWriter::stop() {
  const std::scoped_lock lock(mutex_);
  stopped_ = true;
  if (running_) running_->kill();
}

std::uint64_t VideoWriter::bytes() {
  const std::scoped_lock lock(mutex_);
  std::uint64_t sum = 0;
  for (const Video& video : videos_) {
    if (video.file.temporary == nullptr) continue;
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path_from_utf8(*video.file.temporary), error);
    if (!error) sum += size;
  }
  return sum;
}

ExportResult<void> VideoWriter::publish(Existing existing) {
  const std::scoped_lock lock(mutex_);
  std::vector<PendingFile*> files;
  for (Video& video : videos_) files.push_back(&video.file);
  std::size_t failed = 0;
  const IfPresent present = existing == Existing::replace ? IfPresent::replace : IfPresent::fail;
  const std::error_code error = publish_all(files, present, failed);
  if (!error) return {};
  const bool exists = error == std::errc::file_exists;
  return Unexpected(ExportError{exists ? ExportError::Kind::exists : ExportError::Kind::failed,
                                fmt::format("cannot write {}: {}", printable(files[failed]->path), error_text(error))});
}

namespace {

/// Returns a function that shows poses as the window does: rotated, and without what is hidden.
AdjustPose as_shown(std::vector<std::uint8_t> hidden, const Affine3& rotation) {
  Selection selection;
  selection.hidden = std::move(hidden);
  return [selection = std::move(selection), rotation](PoseBuffers& posed) {
    rotate(rotation, posed);
    remove_hidden(selection, posed.draw_list);
  };
}

}  // namespace

bool SizeEstimate::update(App& app, Renderer& renderer) {
  ExportDialog& exports = app.exports;
  const bool goes_on = exports.open && app.document();
  // The job draws the open document's model.
  if (job_ && (!goes_on || &character_->data() != &app.document()->character().data())) {
    job_.reset();
    plan_.reset();
  }
  if (!goes_on) return false;
  if (exports.plan != plan_) {
    exports.estimated_bytes.reset();
    begin(app, renderer);
    if (plan_ != nullptr && plan_->settings.format == AnimationFormat::y4m) exports.estimated_bytes = bytes();
    return true;
  }
  if (!job_) return false;
  const auto stepped = job_->step();
  if (stepped && *stepped != ExportJob::Step::finished) return false;
  job_.reset();
  if (stepped) exports.estimated_bytes = bytes();
  return true;
}

void SizeEstimate::begin(const App& app, Renderer& renderer) {
  constexpr std::size_t kSamples = 4;
  job_.reset();
  plan_ = app.exports.plan;
  encoded_ = {};
  if (plan_ == nullptr) return;
  const auto count = [](const PlannedClip& clip) { return clip.frames.times.size(); };
  longest_ = static_cast<std::size_t>(std::ranges::max_element(plan_->clips, {}, count) - plan_->clips.begin());
  const SceneRequest& request = plan_->request;
  const bool is_partial = request.scene.mix || !request.scene.members.empty();
  if (is_partial || plan_->is_video() || plan_->settings.format == AnimationFormat::y4m) return;

  const PlannedClip& clip = plan_->clips[longest_];
  const std::size_t samples = std::min(count(clip), kSamples);
  const std::size_t first = (count(clip) - samples) / 2;
  samples_ = static_cast<std::uint32_t>(samples);
  const ExportedAnimation& whole = clip.animation;
  std::vector<ExportedAnimation> animations;
  for (const std::size_t frames : {std::size_t{1}, samples}) {
    ExportedAnimation& part = animations.emplace_back();
    part.info = whole.info;
    part.info.frame_ends.clear();
    for (std::size_t i = first; i < first + frames; ++i) {
      part.frames.push_back(whole.frames[i]);
      const double begin = first > 0 ? whole.info.frame_ends[first - 1] : 0.0;
      part.info.frame_ends.push_back(whole.info.frame_ends[i] - begin);
      const bool one_file = plan_->settings.format != AnimationFormat::png && i > first;
      if (!one_file) part.paths.push_back(frames == 1 ? "first" : "all");
    }
  }
  character_ = app.document()->character();
  adjust_ = as_shown(app.document()->selection.hidden, request.rotation);
  ExportJobOptions options{.encoder = plan_->settings, .background = request.background, .threads = 1};
  if (plan_->is_sheet()) options.encoder.png_compression = request.options.sheet.compression;
  options.adjust = adjust_;
  options.write = {
      [](void* user, const std::string& path, std::span<const std::byte> written, bool) -> ExportResult<void> {
        static_cast<SizeEstimate*>(user)->encoded_[path == "first" ? 0 : 1] += written.size();
        return {};
      },
      this};
  auto job = ExportJob::create(renderer, app.document()->model, std::move(animations), options);
  if (job) job_ = *std::move(job);
}

double SizeEstimate::bytes() const {
  const auto pixels = [](const PlannedClip& clip) {
    return static_cast<double>(clip.animation.info.width) * clip.animation.info.height;
  };
  const bool is_raw = plan_->settings.format == AnimationFormat::y4m;
  const double sampled = pixels(plan_->clips[longest_]);
  const auto first = static_cast<double>(encoded_[0]);
  const double each = samples_ > 1 ? (static_cast<double>(encoded_[1]) - first) / (samples_ - 1) : first;
  double sum = 0;
  for (const PlannedClip& clip : plan_->clips) {
    const auto frames = static_cast<double>(clip.frames.times.size());
    sum += is_raw ? 3.0 * pixels(clip) * frames : (first + each * (frames - 1)) * pixels(clip) / sampled;
  }
  return sum;
}

namespace {

/// Seconds of work per window frame: the window stays usable, but takes little time from the export.
constexpr double kSlice = 0.050;
/// How often the progress changes. With OpenGL in software, a window frame can take as long as one of the export.
constexpr double kReportSeconds = 0.2;

std::string describe_result(const ScenePlan& plan, std::span<const std::string> paths) {
  constexpr std::size_t kMaxNames = 6;
  std::string text = "Exported " + printable(paths.front());
  const std::size_t named = plan.is_sheet() ? std::min(paths.size(), kMaxNames) : 1;
  for (const std::string& path : paths.first(named).subspan(1)) {
    text += ", " + shown_path(path_from_utf8(path).filename());
  }
  if (paths.size() > named) text += fmt::format(" and {} more", paths.size() - named);
  if (const std::string losses = describe_losses(plan); !losses.empty()) text += "\n" + losses;
  return text;
}

}  // namespace

Exporter::Drawn::Drawn(Character drawn, const Limits& limits, Filter texels)
    : character(std::move(drawn)),
      filter(texels),
      decoding(std::async(std::launch::async, [decoded = character, limits] {
        return decode_images(decoded, limits, thread_executor());
      })) {}

ExportResult<bool> Exporter::Drawn::step(Renderer& renderer) {
  using enum ExportError::Kind;
  if (model) return true;
  if (decoding.valid()) {
    if (!is_ready(decoding)) return false;
    auto bitmaps = decoding.get();
    if (!bitmaps) return Unexpected(ExportError{failed, describe(bitmaps.error(), "the character")});
    auto begun = renderer.begin_upload(character, *std::move(bitmaps));
    if (!begun) return Unexpected(ExportError{failed, begun.error().message});
    upload = *std::move(begun);
  }
  if (!upload->step_for(kSlice)) return false;
  model = std::move(*upload).finish();
  upload.reset();
  model->set_filter(filter);
  return true;
}

/// Draws a frame of a scene: the characters behind the exported one, then that.
void Exporter::draw_scene(Work& work, Renderer& renderer, std::size_t number, std::uint32_t frame) {
  const PlannedClip& clip = work.plan.clips[number];
  const ExportFrame& shown = clip.animation.frames.front();
  PoseBuffers& posed = work.posed;
  const auto draw = [&](const Drawn& drawn, const std::optional<SceneView>& scene, Vec2 place) {
    if (scene) return renderer.draw_scene(*drawn.model, posed, *scene);
    Camera camera = shown.camera;
    // Hard texels stay aligned with those of the exported character.
    if (drawn.filter == Filter::nearest) place = glm::round(place * camera.zoom) / camera.zoom;
    camera.center -= place;
    renderer.draw(*drawn.model, posed, camera);
  };
  const std::vector<SceneMember>& members = work.poser->scene().members;
  for (std::size_t i = 0; i < members.size(); ++i) {
    work.poser->pose_member(i, clip.frames, frame, posed);
    std::optional<SceneView> scene;
    if (members[i].character.is_3d()) {
      Camera camera = shown.camera;
      camera.center -= members[i].place;
      scene = scene_view(camera, clip.reach);
      scene->cull_back_faces = work.plan.request.cull_back_faces;
    }
    draw(work.drawn[i + 1], scene, members[i].place);
  }
  work.poser->pose(clip.frames, frame, posed);
  draw(work.drawn.front(), shown.scene, Vec2{0.0F});
}

Exporter::Work::~Work() {
  // The encoders may wait for it.
  if (video != nullptr) video->stop();
}

bool Exporter::plan(App& app) {
  ExportDialog& exports = app.exports;
  bool changed = false;
  if (is_ready(planning_)) {
    ExportResult<ScenePlan> result = planning_.get();
    exports.plan_error = result ? "" : result.error().message;
    exports.plan = result ? std::make_shared<const ScenePlan>(*std::move(result)) : nullptr;
    changed = true;
  }
  if (!exports.open || !app.document() || planning_.valid()) return changed;
  SceneRequest request = scene_request(app);
  const Character& character = app.document()->character();
  if (planned_for_ && &planned_for_->data() == &character.data() && request == planned_) return changed;
  planned_for_ = character;
  planned_ = request;
  exports.existing_files = 0;
  propose_export_name(app);
  planning_ = std::async(std::launch::async, [character, request] { return plan_scene(character, request); });
  return true;
}

void Exporter::begin(const App& app) {
  const ExportDialog& exports = app.exports;
  const Document& document = *app.document();
  const SceneRequest& request = exports.plan->request;
  work_ = std::make_unique<Work>(*exports.plan, export_stem(exports));
  work_->plan.sheet_character.name = utf8_of(document.path.stem());
  work_->paths = export_paths(work_->plan, work_->stem);
  ExportJobOptions& options = work_->options;
  options.encoder = exports.plan->settings;
  options.background = exports.plan->request.background;
  options.inputs = files_read(app);
  options.existing = exports.replace ? Existing::replace : Existing::keep;
  options.threads = thread_executor().threads;
  const std::vector<std::uint8_t>& hidden = work_->hidden = document.selection.hidden;
  if (std::ranges::count(hidden, 0) < std::ssize(hidden) || document.is_3d()) {
    work_->adjust = as_shown(hidden, request.rotation);
    options.adjust = work_->adjust;
  }
  if (exports.plan->is_video()) {
    const bool webm = request.options.format == ExportFormat::webm;
    const VideoOptions video{webm ? VideoFormat::webm : VideoFormat::mp4, request.options.quality,
                             webm && !request.options.opaque};
    work_->video = std::make_unique<VideoWriter>(exports.ffmpeg, video);
    for (std::size_t i = 0; i < exports.plan->clips.size(); ++i) {
      work_->video->add(export_path(*exports.plan, work_->stem, i, 0), exports.plan->clips[i].animation.info);
    }
    work_->write = [&writer = *work_->video](const std::string& path, std::span<const std::byte> bytes, bool last) {
      return writer.write(path, bytes, last);
    };
    options.write = work_->write;
  }
  work_->drawn.emplace_back(document.character(), document.source.options.limits,
                            filter_of(app.view, document.character()));
  for (const SceneMember& member : request.scene.members) {
    work_->drawn.emplace_back(member.character, member.limits, member.filter);
  }
}

ExportResult<ExportJob::Step> Exporter::step(Renderer& renderer) {
  Work& work = *work_;
  if (work.job) {
    auto stepped = work.job->step();
    if (!stepped || *stepped != ExportJob::Step::finished || work.video == nullptr) return stepped;
    auto published = work.video->publish(work.options.existing);
    if (!published) return Unexpected(published.error());
    return stepped;
  }
  for (Drawn& drawn : work.drawn) {
    const auto ready = drawn.step(renderer);
    if (!ready) return Unexpected(ready.error());
    if (!*ready) return ExportJob::Step::wait;
  }
  auto job = make_job(renderer);
  if (!job) return Unexpected(job.error());
  work.job = *std::move(job);
  return ExportJob::Step::more;
}

ExportResult<ExportJob> Exporter::make_job(Renderer& renderer) {
  Work& work = *work_;
  const ScenePlan& plan = work.plan;
  const Character& character = work.drawn.front().character;
  const Model& model = *work.drawn.front().model;
  if (!plan.request.scene.is_plain()) {
    work.poser.emplace(character, plan.request.scene, plan.request.rotation, work.hidden);
    work.draw = [&work, &renderer](std::size_t clip, std::uint32_t frame) { draw_scene(work, renderer, clip, frame); };
    work.options.draw = work.draw;
  }
  std::vector<ExportedAnimation> animations;
  std::vector<SheetSource> sources;
  for (std::size_t number = 0; number < plan.clips.size(); ++number) {
    const PlannedClip& clip = plan.clips[number];
    ExportedAnimation animation = clip.animation;
    if (plan.is_sheet()) {
      const Clip* data = clip.frames.clip != ClipId::none ? &character.clips()[clip.frames.clip] : nullptr;
      const std::string name = data != nullptr ? data->name : plan.request.scene.mix ? clip.name : "bind";
      SheetSource& source = sources.emplace_back(name, data != nullptr && data->looping, std::move(animation));
      if (const auto& artwork = plan.request.artwork) source.artwork_frames = artwork_frames(*artwork, clip.frames);
      continue;
    }
    const auto files = plan.settings.format == AnimationFormat::png ? animation.frames.size() : 1;
    for (std::uint32_t frame = 0; frame < files; ++frame) {
      animation.paths.push_back(export_path(plan, work.stem, number, frame));
    }
    animations.push_back(std::move(animation));
  }
  if (plan.is_sheet()) {
    SheetOptions sheet = plan.request.options.sheet;
    sheet.path = export_path(plan, work.stem, 0, 0);
    work.list = [&paths = work.paths](const SheetFiles& files) {
      paths.clear();
      for (const SheetPage& page : files.pages) paths.push_back(page.path);
      std::ranges::copy(files.descriptions, std::back_inserter(paths));
    };
    return create_sheet_job(renderer, model, plan.sheet_character, std::move(sources), sheet, work.options, work.list);
  }
  return ExportJob::create(renderer, model, std::move(animations), work.options);
}

void Exporter::end() {
  // The encoders may take a while to stop.
  if (work_->job) {
    work_->job->stop();
    if (work_->video != nullptr) work_->video->stop();
    ending_ = std::move(work_);
  }
  work_.reset();
}

bool Exporter::update_progress(ExportProgress& progress) const {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - work_->begun).count();
  if (seconds < progress.seconds + kReportSeconds) return false;
  progress.seconds = seconds;
  const std::optional<ExportJob>& job = work_->job;
  const std::uint64_t before = std::exchange(progress.frames, job ? job->done() : 0);
  progress.total = job ? job->total() : 0;
  progress.bytes = work_->video != nullptr ? work_->video->bytes() : job ? job->bytes() : 0;
  return progress.frames != before;
}

bool Exporter::work(App& app, Renderer& renderer) {
  ExportDialog& exports = app.exports;
  if (std::exchange(exports.cancel, false)) {
    exports.running = false;
    end();
    show_notice(app.notice, "Export canceled; no files were written");
    return true;
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(kSlice);
  ExportResult<ExportJob::Step> stepped = ExportJob::Step::more;
  while (stepped && *stepped == ExportJob::Step::more && std::chrono::steady_clock::now() < until) {
    stepped = step(renderer);
  }
  draws_ = stepped && *stepped == ExportJob::Step::more;
  if (stepped && *stepped != ExportJob::Step::finished) return update_progress(exports.progress);
  exports.running = false;
  exports.open = !stepped && app.document() && !app.view.presenting;
  if (stepped) {
    show_notice(app.notice, {.text = describe_result(work_->plan, work_->paths),
                             .kind = NoticeKind::success,
                             .to_copy = work_->paths.front(),
                             .buttons = {{{"show-in-folder", "Show in folder"}, {"open-saved", "Open"}}}});
  } else {
    // Further pages of a sheet, or files that appeared in the meantime.
    const bool may_ask = exports.open && stepped.error().kind == ExportError::Kind::exists;
    if (may_ask) ask_about_existing(exports, work_->paths);
    if (exports.existing_files == 0) (exports.open ? exports.error : app.error) = stepped.error().message;
  }
  end();
  return true;
}

bool Exporter::update(App& app, Renderer& renderer) {
  ExportDialog& exports = app.exports;
  if (ending_ != nullptr && ending_->job->is_stopped()) ending_.reset();
  if (work_ != nullptr) return work(app, renderer);
  bool changed = plan(app);
  if (!planning_.valid()) changed |= estimate_.update(app, renderer);
  exports.cancel = false;
  if (!exports.wanted || planning_.valid() || ending_ != nullptr) return changed;
  exports.wanted = false;
  if (exports.plan == nullptr || !may_export(app)) return true;
  begin(app);
  exports.running = true;
  exports.progress = {.file = shown_path(path_from_utf8(export_path(work_->plan, work_->stem, 0, 0)).filename())};
  return true;
}

}  // namespace pchr::player
