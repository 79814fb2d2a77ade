// SPDX-License-Identifier: MIT
// Draws and writes exports.

#include "app/exporter.hpp"

#include <chrono>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

constexpr double kSlice = 0.010;  ///< Seconds of work between two frames of the window.

template <class T>
bool is_ready(const std::future<T>& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

/// One for the window.
unsigned encoding_threads() { return std::max(2U, std::thread::hardware_concurrency()) - 1; }

std::array<float, 4> clear_color(const ExportRequest& request) {
  if (!request.options.opaque) return {};
  std::array<float, 4> color{0, 0, 0, 1};
  for (std::size_t i = 0; i < 3; ++i) color[i] = static_cast<float>(request.color[i]) / 255.0F;
  return color;
}

/// What to say when it is there.
std::string told(const ExportPlan& plan, const fs::path& stem) {
  std::string text = "Exported " + shown_path(export_path(plan, stem, 0, 0));
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

struct Exporter::Work {
  const Character character;
  const ExportPlan plan;
  const fs::path stem;
  ExportJobOptions options;
  std::future<std::expected<std::vector<Bitmap>, Diagnostic>> decoding{};
  Filter filter = Filter::trilinear;
  std::optional<Upload> upload{};
  std::optional<Model> model{};
  std::optional<ExportJob> job{};

  ExportResult<ExportJob> make_job(Renderer& renderer, GetProcAddress get_proc_address) {
    std::vector<ExportedAnimation> animations;
    std::vector<SheetSource> sources;
    for (std::size_t number = 0; number < plan.clips.size(); ++number) {
      const ExportedClip& clip = plan.clips[number];
      ExportedAnimation animation = make_animation(clip.plan, {clip.info.width, clip.info.height}, clip.camera);
      for (ExportFrame& frame : animation.frames) frame.scene = clip.scene;
      animation.info = clip.info;
      const auto files = plan.settings.format == AnimationFormat::png ? animation.frames.size() : 1;
      for (std::uint32_t frame = 0; frame < files && !plan.is_sheet(); ++frame) {
        animation.paths.push_back(export_path(plan, stem, number, frame));
      }
      const Clip* data = clip.plan.clip != ClipId::none ? &character.clips()[clip.plan.clip] : nullptr;
      if (plan.is_sheet()) {
        sources.push_back({data != nullptr ? data->name : "bind", data != nullptr && data->looping, animation});
      } else {
        animations.push_back(std::move(animation));
      }
    }
    if (!plan.is_sheet()) return ExportJob::create(renderer, *model, get_proc_address, std::move(animations), options);
    return create_sheet_job(renderer, *model, get_proc_address, std::move(sources), plan.sheet,
                            export_path(plan, stem, 0, 0), options);
  }
};

Exporter::Exporter() = default;
Exporter::Exporter(Exporter&&) noexcept = default;
Exporter& Exporter::operator=(Exporter&&) noexcept = default;
Exporter::~Exporter() = default;

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
  const bool same_file = asked_of_ && &asked_of_->data() == &character.data();
  if (same_file && request == asked_) return changed;
  asked_of_ = character;
  asked_ = request;
  exports.in_the_way = 0;
  propose_export_name(app);
  planning_ = std::async(std::launch::async,
                         [character = app.document->character(), request] { return plan_export(character, request); });
  return true;
}
void Exporter::begin(const App& app) {
  const ExportDialog& exports = app.exports;
  const Document& document = *app.document;
  work_ = std::make_unique<Work>(document.character(), *exports.plan, export_stem(exports));
  ExportJobOptions& options = work_->options;
  options.encoder = exports.plan->settings;
  options.background = clear_color(exports.plan->request);
  options.inputs = files_read(app);
  options.existing = exports.replace ? Existing::replace : Existing::keep;
  options.threads = encoding_threads();
  Selection hidden;
  hidden.hidden = document.selection.hidden;
  const bool all_shown = std::ranges::all_of(hidden.hidden, [](std::uint8_t each) { return each == 0; });
  if (!all_shown || document.character().is_3d()) {
    options.adjust = [hidden, is_3d = document.character().is_3d(),
                      by = exports.plan->request.turn](PoseBuffers& posed) {
      if (is_3d) turn(by, posed);
      leave_out_hidden(hidden, posed.draw_list);
    };
  }
  work_->filter = filter_of(app.view, document.character());
  work_->decoding =
      std::async(std::launch::async, [character = document.character(), limits = document.source.options.limits] {
        return decode_images(character, limits);
      });
}

ExportResult<ExportJob::Step> Exporter::step(Renderer& renderer, GetProcAddress get_proc_address) {
  using enum ExportError::Kind;
  Work& work = *work_;
  if (work.job) return work.job->step();
  if (work.decoding.valid()) {
    if (!is_ready(work.decoding)) return ExportJob::Step::wait;
    auto bitmaps = work.decoding.get();
    if (!bitmaps) return std::unexpected(ExportError{failed, describe(bitmaps.error(), "the character")});
    auto upload = renderer.begin_upload(work.character, *std::move(bitmaps));
    if (!upload) return std::unexpected(ExportError{failed, upload.error().message});
    work.upload = *std::move(upload);
  }
  if (!work.upload->step_for(kSlice)) return ExportJob::Step::wait;
  work.model = std::move(*work.upload).finish();
  work.upload.reset();
  work.model->set_filter(work.filter);
  auto job = work.make_job(renderer, get_proc_address);
  if (!job) return std::unexpected(job.error());
  work.job = *std::move(job);
  return ExportJob::Step::more;
}

void Exporter::end() {
  // What is being encoded is waited for, which may take long.
  if (work_->job) ending_ = std::move(*work_->job).stop();
  work_.reset();
}

bool Exporter::work(App& app, Renderer& renderer, GetProcAddress get_proc_address) {
  ExportDialog& exports = app.exports;
  if (std::exchange(exports.cancel, false)) {
    exports.running = false;
    end();
    show_notice(app.notice, "The export was cancelled; no file was written");
    return true;
  }
  const auto until =
      SteadyClock::now() + std::chrono::duration_cast<SteadyClock::duration>(std::chrono::duration<double>(kSlice));
  ExportResult<ExportJob::Step> stepped = ExportJob::Step::more;
  while (stepped && *stepped == ExportJob::Step::more && SteadyClock::now() < until)
    stepped = step(renderer, get_proc_address);
  const std::optional<ExportJob>& job = work_->job;
  const float done = job ? static_cast<float>(job->done()) / static_cast<float>(job->total()) : 0;
  const bool changed = std::exchange(exports.done, done) != done;
  if (stepped && *stepped != ExportJob::Step::finished) return changed;
  exports.running = false;
  if (stepped) {
    exports.open = false;
    show_notice(app.notice, told(work_->plan, work_->stem), export_path(work_->plan, work_->stem, 0, 0));
  } else {
    exports.open = true;
    exports.error = stepped.error().message;
  }
  end();
  return true;
}

bool Exporter::update(App& app, Renderer& renderer, GetProcAddress get_proc_address) {
  ExportDialog& exports = app.exports;
  if (is_ready(ending_)) ending_.get();
  if (work_ != nullptr) return work(app, renderer, get_proc_address);
  const bool changed = plan(app);
  exports.cancel = false;
  if (!exports.wanted || planning_.valid() || ending_.valid()) return changed;
  exports.wanted = false;
  if (exports.plan == nullptr || !may_export(app)) return true;
  begin(app);
  exports.running = true;
  exports.done = 0;
  return true;
}

}  // namespace pchr::player
