// SPDX-License-Identifier: MIT
#include "app/exporter.hpp"

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

constexpr double kSlice = 0.010;  ///< Seconds of work per window frame.

std::string describe_result(const ExportPlan& plan, const fs::path& stem) {
  std::string text = "Exported " + printable(export_path(plan, stem, 0, 0));
  const std::size_t files = export_paths(plan, stem).size();
  if (plan.is_sheet()) {
    text += " and its JSON";
  } else if (files > 1) {
    text += fmt::format(" and {} more", files - 1);
  }
  if (const std::string losses = describe_losses(plan); !losses.empty()) text += "\n" + losses;
  return text;
}

}  // namespace

void Exporter::Adjustment::operator()(PoseBuffers& posed) const {
  rotate(rotation, posed);
  remove_hidden(selection, posed.draw_list);
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
  work_ = std::make_unique<Work>(document.character(), *exports.plan, export_stem(exports));
  ExportJobOptions& options = work_->options;
  options.encoder = exports.plan->settings;
  options.background = exports.plan->request.background;
  options.inputs = files_read(app);
  options.existing = exports.replace ? Existing::replace : Existing::keep;
  options.threads = std::max(2U, std::thread::hardware_concurrency()) - 1;  // Leave one thread for the window.
  Selection selection;
  selection.hidden = document.selection.hidden;
  if (std::ranges::count(selection.hidden, 0) < std::ssize(selection.hidden) || document.is_3d()) {
    work_->adjustment = {std::move(selection), exports.plan->request.rotation};
    options.adjust = work_->adjustment;
  }
  work_->filter = filter_of(app.view, document.character());
  work_->decoding =
      std::async(std::launch::async, [character = document.character(), limits = document.source.options.limits] {
        return decode_images(character, limits, thread_executor());
      });
}

ExportResult<ExportJob::Step> Exporter::step(Renderer& renderer, GetProcAddress get_proc_address) {
  using enum ExportError::Kind;
  Work& work = *work_;
  if (work.job) return work.job->step();
  if (work.decoding.valid()) {
    if (!is_ready(work.decoding)) return ExportJob::Step::wait;
    auto bitmaps = work.decoding.get();
    if (!bitmaps) return Unexpected(ExportError{failed, describe(bitmaps.error(), "the character")});
    auto upload = renderer.begin_upload(work.character, *std::move(bitmaps));
    if (!upload) return Unexpected(ExportError{failed, upload.error().message});
    work.upload = *std::move(upload);
  }
  if (!work.upload->step_for(kSlice)) return ExportJob::Step::wait;
  work.model = std::move(*work.upload).finish();
  work.upload.reset();
  work.model->set_filter(work.filter);
  auto job = make_job(renderer, get_proc_address);
  if (!job) return Unexpected(job.error());
  work.job = *std::move(job);
  return ExportJob::Step::more;
}

ExportResult<ExportJob> Exporter::make_job(Renderer& renderer, GetProcAddress get_proc_address) const {
  const Work& work = *work_;
  const ExportPlan& plan = work.plan;
  std::vector<ExportedAnimation> animations;
  std::vector<SheetSource> sources;
  for (std::size_t number = 0; number < plan.clips.size(); ++number) {
    const ExportedClip& clip = plan.clips[number];
    ExportedAnimation animation = make_animation(clip.plan, {clip.info.width, clip.info.height}, clip.camera);
    for (ExportFrame& frame : animation.frames) frame.scene = clip.scene;
    animation.info = clip.info;
    if (plan.is_sheet()) {
      const Clip* data = clip.plan.clip != ClipId::none ? &work.character.clips()[clip.plan.clip] : nullptr;
      sources.push_back(
          {data != nullptr ? data->name : "bind", data != nullptr && data->looping, std::move(animation)});
      continue;
    }
    const auto files = plan.settings.format == AnimationFormat::png ? animation.frames.size() : 1;
    for (std::uint32_t frame = 0; frame < files; ++frame) {
      animation.paths.push_back(export_path(plan, work.stem, number, frame));
    }
    animations.push_back(std::move(animation));
  }
  if (plan.is_sheet()) {
    return create_sheet_job(renderer, *work.model, get_proc_address, std::move(sources), plan.sheet,
                            export_path(plan, work.stem, 0, 0), work.options);
  }
  return ExportJob::create(renderer, *work.model, get_proc_address, std::move(animations), work.options);
}

void Exporter::end() {
  // The encoders may take a while to stop.
  if (work_->job) {
    ending_ = std::move(work_->job);
    ending_->stop();
  }
  work_.reset();
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
  const std::optional<ExportJob>& job = work_->job;
  const float done = job ? static_cast<float>(job->done()) / static_cast<float>(job->total()) : 0;
  const bool changed = std::exchange(exports.done, done) != done;
  if (stepped && *stepped != ExportJob::Step::finished) return changed;
  exports.running = false;
  if (stepped) {
    exports.open = false;
    show_notice(app.notice, {.text = describe_result(work_->plan, work_->stem),
                             .kind = NoticeKind::success,
                             .to_copy = export_path(work_->plan, work_->stem, 0, 0),
                             .buttons = {{{"show-in-folder", "Show in folder"}}}});
  } else {
    exports.open = true;
    exports.error = stepped.error().message;
  }
  end();
  return true;
}

bool Exporter::update(App& app, Renderer& renderer, GetProcAddress get_proc_address) {
  ExportDialog& exports = app.exports;
  if (ending_ && ending_->is_stopped()) ending_.reset();
  if (work_ != nullptr) return work(app, renderer, get_proc_address);
  const bool changed = plan(app);
  exports.cancel = false;
  if (!exports.wanted || planning_.valid() || ending_.has_value()) return changed;
  exports.wanted = false;
  if (exports.plan == nullptr || !may_export(app)) return true;
  begin(app);
  exports.running = true;
  exports.done = 0;
  return true;
}

}  // namespace pchr::player
