// SPDX-License-Identifier: MIT
#include "app/exporter.hpp"

#include "platform/utf8_path.hpp"

namespace pchr::player {
namespace {

/// Seconds of work per window frame: the window stays usable, but takes little time from the export.
constexpr double kSlice = 0.050;
/// How often the progress changes. With OpenGL in software, a window frame can take as long as one of the export.
constexpr double kReportSeconds = 0.2;

std::string describe_result(const ExportPlan& plan, std::span<const std::string> paths) {
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

void Exporter::Adjustment::operator()(PoseBuffers& posed) const {
  rotate(rotation, posed);
  remove_hidden(selection, posed.draw_list);
}

Exporter::Actor::Actor(Character drawn, const Limits& limits, Filter texels)
    : character(std::move(drawn)),
      filter(texels),
      decoding(std::async(std::launch::async, [decoded = character, limits] {
        return decode_images(decoded, limits, thread_executor());
      })) {}

ExportResult<bool> Exporter::Actor::step(Renderer& renderer) {
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

void Exporter::SceneDrawing::draw(std::size_t actor, Camera camera, std::optional<SceneView> scene, Vec2 place) {
  const Model& model = *work.actors[actor].model;
  // Hard texels stay aligned with those of the exported character.
  if (work.actors[actor].filter == Filter::nearest) place = glm::round(place * camera.zoom) / camera.zoom;
  camera.center -= place;
  scene ? renderer.draw_scene(model, posed, *scene) : renderer.draw(model, posed, camera);
}

void Exporter::SceneDrawing::operator()(std::size_t number, std::uint32_t frame) {
  const ExportedClip& clip = work.plan.clips[number];
  const std::vector<SceneMember>& members = poser.scene().members;
  for (std::size_t i = 0; i < members.size(); ++i) {
    poser.pose_member(i, clip.plan, frame, posed);
    std::optional<SceneView> scene;
    if (members[i].character.is_3d()) {
      Camera camera = clip.camera;
      camera.center -= members[i].place;
      scene = scene_view(camera, clip.reach);
      scene->cull_back_faces = work.plan.request.cull_back_faces;
    }
    draw(i + 1, clip.camera, scene, members[i].place);
  }
  poser.pose(clip.plan, frame, posed);
  draw(0, clip.camera, clip.scene, Vec2{0.0F});
}

ExportResult<void> Exporter::VideoOutput::operator()(const std::string& path, std::span<const std::byte> bytes,
                                                     bool last) const {
  return video.write(path, bytes, last);
}

void Exporter::FileList::operator()(const SheetFiles& sheet) {
  paths.clear();
  for (const SheetPage& page : sheet.pages) paths.push_back(page.path);
  std::ranges::copy(sheet.descriptions, std::back_inserter(paths));
}

Exporter::Work::~Work() {
  // The encoders may wait for it.
  if (video != nullptr) video->stop();
}

bool Exporter::plan(App& app) {
  ExportDialog& exports = app.exports;
  bool changed = false;
  if (is_ready(planning_)) {
    ExportResult<ExportPlan> result = planning_.get();
    exports.plan_error = result ? "" : result.error().message;
    exports.plan = result ? std::make_shared<const ExportPlan>(*std::move(result)) : nullptr;
    changed = true;
  }
  if (!exports.open || !app.document || planning_.valid()) return changed;
  ExportRequest request = export_request(app);
  const Character& character = app.document->character();
  if (planned_for_ && &planned_for_->data() == &character.data() && request == planned_) return changed;
  planned_for_ = character;
  planned_ = request;
  exports.existing_files = 0;
  propose_export_name(app);
  planning_ = std::async(std::launch::async, [character, request] { return plan_export(character, request); });
  return true;
}

void Exporter::begin(const App& app) {
  const ExportDialog& exports = app.exports;
  const Document& document = *app.document;
  const ExportRequest& request = exports.plan->request;
  work_ = std::make_unique<Work>(*exports.plan, export_stem(exports));
  work_->plan.sheet_character.name = utf8_of(document.path.stem());
  work_->files.paths = export_paths(work_->plan, work_->stem);
  ExportJobOptions& options = work_->options;
  options.encoder = exports.plan->settings;
  options.background = exports.plan->request.background;
  options.inputs = files_read(app);
  options.existing = exports.replace ? Existing::replace : Existing::keep;
  options.threads = thread_executor().threads;
  Selection selection;
  selection.hidden = work_->hidden = document.selection.hidden;
  if (std::ranges::count(selection.hidden, 0) < std::ssize(selection.hidden) || document.is_3d()) {
    work_->adjustment = {std::move(selection), request.rotation};
    options.adjust = work_->adjustment;
  }
  if (exports.plan->is_video()) {
    const bool webm = request.options.format == ExportFormat::webm;
    const VideoOptions video{webm ? VideoFormat::webm : VideoFormat::mp4, request.options.quality,
                             webm && !request.options.opaque};
    work_->video = std::make_unique<VideoWriter>(exports.ffmpeg, video);
    for (std::size_t i = 0; i < exports.plan->clips.size(); ++i) {
      work_->video->add(export_path(*exports.plan, work_->stem, i, 0), exports.plan->clips[i].info);
    }
    work_->video_output.emplace(*work_->video);
    options.write = *work_->video_output;
  }
  work_->actors.emplace_back(document.character(), document.source.options.limits,
                             filter_of(app.view, document.character()));
  for (const SceneMember& member : request.scene.members) {
    work_->actors.emplace_back(member.character, member.limits, member.filter);
  }
}

ExportResult<ExportJob::Step> Exporter::step(Renderer& renderer, GetProcAddress get_proc_address) {
  Work& work = *work_;
  if (work.job) {
    auto stepped = work.job->step();
    if (!stepped || *stepped != ExportJob::Step::finished || work.video == nullptr) return stepped;
    auto published = work.video->publish(work.options.existing);
    if (!published) return Unexpected(published.error());
    return stepped;
  }
  for (Actor& actor : work.actors) {
    const auto ready = actor.step(renderer);
    if (!ready) return Unexpected(ready.error());
    if (!*ready) return ExportJob::Step::wait;
  }
  auto job = make_job(renderer, get_proc_address);
  if (!job) return Unexpected(job.error());
  work.job = *std::move(job);
  return ExportJob::Step::more;
}

ExportResult<ExportJob> Exporter::make_job(Renderer& renderer, GetProcAddress get_proc_address) {
  Work& work = *work_;
  const ExportPlan& plan = work.plan;
  const Character& character = work.actors.front().character;
  const Model& model = *work.actors.front().model;
  if (!plan.request.scene.is_plain()) {
    ScenePoser poser(character, plan.request.scene, plan.request.rotation, work.hidden);
    work.drawing.emplace(work, renderer, std::move(poser));
    work.options.draw = *work.drawing;
  }
  std::vector<ExportedAnimation> animations;
  std::vector<SheetSource> sources;
  for (std::size_t number = 0; number < plan.clips.size(); ++number) {
    const ExportedClip& clip = plan.clips[number];
    ExportedAnimation animation = make_animation(clip.plan, {clip.info.width, clip.info.height}, clip.camera);
    for (ExportFrame& frame : animation.frames) frame.scene = clip.scene;
    animation.info = clip.info;
    if (plan.is_sheet()) {
      const Clip* data = clip.plan.clip != ClipId::none ? &character.clips()[clip.plan.clip] : nullptr;
      const std::string name = data != nullptr ? data->name : plan.request.scene.mix ? clip.name : "bind";
      sources.push_back({name, data != nullptr && data->looping, std::move(animation)});
      continue;
    }
    const auto files = plan.settings.format == AnimationFormat::png ? animation.frames.size() : 1;
    for (std::uint32_t frame = 0; frame < files; ++frame) {
      animation.paths.push_back(export_path(plan, work.stem, number, frame));
    }
    animations.push_back(std::move(animation));
  }
  if (plan.is_sheet()) {
    SheetOptions sheet = plan.sheet;
    sheet.path = export_path(plan, work.stem, 0, 0);
    return create_sheet_job(renderer, model, get_proc_address, plan.sheet_character, std::move(sources), sheet,
                            work.options, work.files);
  }
  return ExportJob::create(renderer, model, get_proc_address, std::move(animations), work.options);
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

bool Exporter::work(App& app, Renderer& renderer, GetProcAddress get_proc_address) {
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
    stepped = step(renderer, get_proc_address);
  }
  draws_ = stepped && *stepped == ExportJob::Step::more;
  if (stepped && *stepped != ExportJob::Step::finished) return update_progress(exports.progress);
  exports.running = false;
  exports.open = !stepped && app.document && !app.view.presenting;
  if (stepped) {
    show_notice(app.notice, {.text = describe_result(work_->plan, work_->files.paths),
                             .kind = NoticeKind::success,
                             .to_copy = work_->files.paths.front(),
                             .buttons = {{{"show-in-folder", "Show in folder"}, {"open-saved", "Open"}}}});
  } else {
    // Further pages of a sheet, or files that appeared in the meantime.
    const bool may_ask = exports.open && stepped.error().kind == ExportError::Kind::exists;
    if (may_ask) ask_about_existing(exports, work_->files.paths);
    if (exports.existing_files == 0) (exports.open ? exports.error : app.error) = stepped.error().message;
  }
  end();
  return true;
}

bool Exporter::update(App& app, Renderer& renderer, GetProcAddress get_proc_address) {
  ExportDialog& exports = app.exports;
  if (ending_ != nullptr && ending_->job->is_stopped()) ending_.reset();
  if (work_ != nullptr) return work(app, renderer, get_proc_address);
  bool changed = plan(app);
  if (!planning_.valid()) changed |= estimate_.update(app, renderer, get_proc_address);
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
