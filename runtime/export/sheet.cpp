// SPDX-License-Identifier: MIT
// Packs frames of clips into sprite sheets.
#include "export/fail.hpp"
#include "export/job.hpp"
#include "export/sheet_layout.hpp"
#include "export/timing.hpp"
#include "platform/file_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pchr {
namespace {

/// Returns the size of a frame on the canvas, in pixels.
FrameSize size_on_canvas(const Rect& world, const Camera& camera, const FrameSize& canvas) {
  constexpr double kRounding = 1e-3;
  if (world.empty()) return {1, 1};
  const Affine to_canvas = world_to_viewport(camera);
  const Vec2 a = apply(to_canvas, world.min), b = apply(to_canvas, world.max);
  const auto pixels = [](double one, double other, double max) {
    const double from = std::clamp(std::floor(std::min(one, other) + kRounding), 0.0, max);
    const double to = std::clamp(std::ceil(std::max(one, other) - kRounding), 0.0, max);
    return static_cast<std::uint32_t>(std::max(to - from, 1.0));
  };
  return {pixels(a.x, b.x, canvas.width), pixels(a.y, b.y, canvas.height)};
}

class SheetConsumer : public exporting::FrameConsumer {
 public:
  SheetConsumer(std::span<const SheetSource> sources, const SheetOptions& options, std::string path,
                Callback<void(const SheetPage&)> written, exporting::JobOutput& output)
      : options_(options), path_(std::move(path)), written_(written), output_(output) {
    for (const SheetSource& source : sources) {
      clips_.push_back({source.name, source.looping, {}});
      ticks_.push_back(exporting::round_to_ticks(source.animation.info.frame_ends, 1000, 1).ticks);
    }
  }

  bool has_room() const override { return output_.pipeline.has_room(); }
  bool add(std::size_t clip, std::uint32_t frame, Bitmap premultiplied) override {
    return output_.pipeline.add([this, clip, frame, bitmap = std::move(premultiplied)]() mutable {
      return ExportResult<exporting::Pipeline::Finish>(
          [this, clip, frame, bitmap = std::move(bitmap)]() -> ExportResult<void> {
            clips_[clip].frames.push_back(cells_.add(bitmap));
            clips_[clip].frames.back().milliseconds = ticks_[clip][frame];
            return {};
          });
    });
  }

  ExportResult<void> finish() override {
    const auto sheets = exporting::lay_out(std::move(clips_), cells_, options_);
    if (!sheets) return Unexpected(sheets.error());
    for (std::size_t page = 0; page < sheets->size(); ++page) {
      const exporting::Sheet& sheet = (*sheets)[page];
      const std::string path = sheet_page_path(path_, page, std::string(extension_of(path_)));
      if (auto done = output_.write(path, encode_png(draw_sheet(sheet, cells_, options_), options_.compression)); !done)
        return done;
      const std::string json = sheet_json(sheet, options_, std::string(file_name_of(path)));
      auto done = output_.write(sheet_page_path(path_, page, ".json"), std::as_bytes(std::span(json)));
      if (!done) return done;
      SheetPage page_written{path, sheet.page.size, 0, sheet.cells.size()};
      for (const exporting::SheetClip& clip : sheet.clips) page_written.frames += clip.frames.size();
      if (written_) written_(page_written);
    }
    return {};
  }

 private:
  const SheetOptions options_;
  const std::string path_;
  const Callback<void(const SheetPage&)> written_;
  exporting::JobOutput& output_;
  exporting::SheetCells cells_{options_};
  std::vector<exporting::SheetClip> clips_;
  std::vector<std::vector<std::uint32_t>> ticks_;  ///< Milliseconds, for each clip and frame.
};

}  // namespace

ExportResult<void> check_frames(const FramePlan& plan, std::string_view clip, const Camera& camera,
                                const SheetOptions& options, const Callback<Rect(ClipTime time)>& bounds) {
  if (exporting::check_fits(clip, 0, options.canvas, options)) return {};
  for (std::size_t i = 0; i < plan.times.size(); ++i) {
    const FrameSize size =
        options.trim ? size_on_canvas(bounds(plan.times[i]), camera, options.canvas) : options.canvas;
    if (auto checked = exporting::check_fits(clip, plan.first_frame + i, size, options); !checked) return checked;
  }
  return {};
}

std::string sheet_page_path(const std::string& path, std::size_t page, const std::string& extension) {
  const std::string number = page == 0 ? "" : fmt::format("-{}", page);
  return path_in(folder_of(path), std::string(stem_of(path)) + number + extension);
}

ExportResult<ExportJob> create_sheet_job(Renderer& renderer, const Model& model, GetProcAddress get_proc_address,
                                         std::vector<SheetSource> clips, const SheetOptions& sheet,
                                         const std::string& path, ExportJobOptions options,
                                         const Callback<void(const SheetPage& page)>& written) {
  for (const std::string& first : {path, sheet_page_path(path, 0, ".json")}) {
    if (auto checked = options.inputs.check_output(first); !checked) return Unexpected(checked.error());
  }
  for (const SheetSource& clip : clips) {
    const std::size_t frames = clip.animation.frames.size(), ends = clip.animation.info.frame_ends.size();
    if (frames != ends) {
      return exporting::reject(
          fmt::format("clip \"{}\" has {} frames, but {} times at which they end", printable(clip.name), frames, ends));
    }
  }
  auto output = std::make_unique<exporting::JobOutput>(options);
  output->consumer = std::make_unique<SheetConsumer>(clips, sheet, path, written, *output);
  std::vector<ExportedAnimation> animations;
  for (SheetSource& clip : clips) animations.push_back(std::move(clip.animation));
  return ExportJobFactory::make(renderer, model, get_proc_address, std::move(animations), std::move(options), 1,
                                std::move(output));
}

}  // namespace pchr
