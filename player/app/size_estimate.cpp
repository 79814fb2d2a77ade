// SPDX-License-Identifier: MIT
#include "app/size_estimate.hpp"

#include <algorithm>

namespace pchr::player {

bool SizeEstimate::update(App& app, Renderer& renderer, GetProcAddress get_proc_address) {
  ExportDialog& exports = app.exports;
  const bool goes_on = exports.open && app.document;
  // The job draws the open document's model.
  if (job_ && (!goes_on || &character_->data() != &app.document->character().data())) {
    job_.reset();
    plan_.reset();
  }
  if (!goes_on) return false;
  if (exports.plan != plan_) {
    exports.estimated_bytes.reset();
    begin(app, renderer, get_proc_address);
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

void SizeEstimate::begin(const App& app, Renderer& renderer, GetProcAddress get_proc_address) {
  constexpr std::size_t kSamples = 4;
  job_.reset();
  plan_ = app.exports.plan;
  encoded_ = {};
  if (plan_ == nullptr) return;
  const auto count = [](const ExportedClip& clip) { return clip.plan.times.size(); };
  longest_ = static_cast<std::size_t>(std::ranges::max_element(plan_->clips, {}, count) - plan_->clips.begin());
  const ExportRequest& request = plan_->request;
  const bool is_partial = request.scene.mix || !request.scene.members.empty();
  if (is_partial || plan_->is_video() || plan_->settings.format == AnimationFormat::y4m) return;

  const ExportedClip& clip = plan_->clips[longest_];
  const std::size_t samples = std::min(count(clip), kSamples);
  const std::size_t first = (count(clip) - samples) / 2;
  samples_ = static_cast<std::uint32_t>(samples);
  const ExportedAnimation whole = make_animation(clip.plan, {clip.info.width, clip.info.height}, clip.camera);
  std::vector<ExportedAnimation> animations;
  for (const std::size_t frames : {std::size_t{1}, samples}) {
    ExportedAnimation& part = animations.emplace_back();
    part.info = clip.info;
    part.info.frame_ends.clear();
    for (std::size_t i = first; i < first + frames; ++i) {
      part.frames.push_back(whole.frames[i]);
      part.frames.back().scene = clip.scene;
      const double begin = first > 0 ? clip.info.frame_ends[first - 1] : 0.0;
      part.info.frame_ends.push_back(clip.info.frame_ends[i] - begin);
      const bool one_file = plan_->settings.format != AnimationFormat::png && i > first;
      if (!one_file) part.paths.push_back(frames == 1 ? "first" : "all");
    }
  }
  character_ = app.document->character();
  selection_ = {};
  selection_.hidden = app.document->selection.hidden;
  ExportJobOptions options{.encoder = plan_->settings, .background = request.background, .threads = 1};
  if (plan_->is_sheet()) options.encoder.png_compression = plan_->sheet.compression;
  options.adjust = {[](void* user, PoseBuffers& posed) {
                      const auto& self = *static_cast<const SizeEstimate*>(user);
                      rotate(self.plan_->request.rotation, posed);
                      remove_hidden(self.selection_, posed.draw_list);
                    },
                    this};
  options.write = {
      [](void* user, const std::string& path, std::span<const std::byte> written, bool) -> ExportResult<void> {
        static_cast<SizeEstimate*>(user)->encoded_[path == "first" ? 0 : 1] += written.size();
        return {};
      },
      this};
  auto job = ExportJob::create(renderer, app.document->model, get_proc_address, std::move(animations), options);
  if (job) job_ = *std::move(job);
}

double SizeEstimate::bytes() const {
  const auto pixels = [](const ExportedClip& clip) { return static_cast<double>(clip.info.width) * clip.info.height; };
  const bool is_raw = plan_->settings.format == AnimationFormat::y4m;
  const double sampled = pixels(plan_->clips[longest_]);
  const auto first = static_cast<double>(encoded_[0]);
  const double each = samples_ > 1 ? (static_cast<double>(encoded_[1]) - first) / (samples_ - 1) : first;
  double sum = 0;
  for (const ExportedClip& clip : plan_->clips) {
    const auto frames = static_cast<double>(clip.plan.times.size());
    sum += is_raw ? 3.0 * pixels(clip) * frames : (first + each * (frames - 1)) * pixels(clip) / sampled;
  }
  return sum;
}

}  // namespace pchr::player
