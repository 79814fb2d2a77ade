// SPDX-License-Identifier: MIT
// Packs frames of clips into sprite sheets.
#include "export/fail.hpp"
#include "export/job.hpp"
#include "export/sheet_formats.hpp"
#include "export/sheet_layout.hpp"
#include "export/timing.hpp"
#include "image/image.hpp"
#include "platform/file_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

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

}  // namespace

struct SheetFrames::State {
  exporting::Sheet sheet;
  exporting::SheetCells cells;
};

SheetFrames::SheetFrames() : state_(std::make_shared<State>()) {}

struct SheetJobFactory {
  using State = SheetFrames::State;
  static std::shared_ptr<State> state_of(const SheetFrames& frames) { return frames.state_; }
};

namespace {

using SheetState = SheetJobFactory::State;

// Names of characters, and of clips, become unique.
void name_clips(exporting::Sheet& sheet) {
  std::vector<std::string> names;
  for (const SheetCharacter& each : sheet.characters) names.push_back(each.name);
  names = unique_names(std::move(names), " (", ")");
  for (std::size_t i = 0; i < names.size(); ++i) sheet.characters[i].name = names[i];
  names.clear();
  for (const exporting::SheetClip& clip : sheet.clips) {
    const std::string& character = sheet.characters[clip.character].name;
    names.push_back(sheet.characters.size() > 1 ? character + "/" + clip.name : clip.name);
  }
  names = unique_names(std::move(names), " (", ")");
  for (std::size_t i = 0; i < names.size(); ++i) sheet.clips[i].name = names[i];
}

class FramesConsumer : public exporting::FrameConsumer {
 public:
  FramesConsumer(SheetCharacter character, std::vector<exporting::SheetClip> clips,
                 std::vector<exporting::SheetFrame> frames, SheetOptions options, std::shared_ptr<SheetState> state,
                 exporting::JobOutput& output)
      : character_(std::move(character)),
        clips_(std::move(clips)),
        frames_(std::move(frames)),
        options_(std::move(options)),
        state_(std::move(state)),
        output_(output) {}

  bool has_room() const override { return output_.pipeline.has_room(); }
  bool add(std::size_t clip, std::uint32_t number, Bitmap premultiplied) override {
    exporting::SheetFrame& frame = frames_[clips_[clip].first_frame + number];
    return output_.pipeline.add([this, &frame, bitmap = std::move(premultiplied)] {
      exporting::TrimmedFrame trimmed = exporting::trim(bitmap, options_);
      frame.source = trimmed.area;
      return ExportResult<exporting::Pipeline::Finish>(
          [this, &frame, cell = std::move(trimmed.cell)]() mutable -> ExportResult<void> {
            frame.cell = state_->cells.add(std::move(cell), options_.share);
            return {};
          });
    });
  }

  ExportResult<void> finish() override {
    exporting::Sheet& sheet = state_->sheet;
    for (exporting::SheetClip& clip : clips_) {
      clip.character = sheet.characters.size();
      clip.first_frame += sheet.frames.size();
    }
    for (exporting::SheetFrame& frame : frames_) frame.clip += sheet.clips.size();
    sheet.characters.push_back(std::move(character_));
    std::ranges::move(clips_, std::back_inserter(sheet.clips));
    std::ranges::move(frames_, std::back_inserter(sheet.frames));
    return {};
  }

 protected:
  [[nodiscard]] const SheetOptions& options() const { return options_; }
  [[nodiscard]] SheetState& state() const { return *state_; }
  [[nodiscard]] exporting::JobOutput& output() const { return output_; }

 private:
  SheetCharacter character_;
  // Not on the sheet yet: numbers count from this character's first.
  std::vector<exporting::SheetClip> clips_;
  std::vector<exporting::SheetFrame> frames_;
  SheetOptions options_;
  std::shared_ptr<SheetState> state_;
  exporting::JobOutput& output_;
};

class SheetConsumer : public FramesConsumer {
 public:
  SheetConsumer(FramesConsumer frames, Callback<void(const SheetFiles&)> written)
      : FramesConsumer(std::move(frames)), written_(written) {}

  ExportResult<void> finish() override {
    if (auto added = FramesConsumer::finish(); !added) return added;
    exporting::Sheet& sheet = state().sheet;
    name_clips(sheet);
    if (auto placed = exporting::lay_out(sheet, state().cells, options()); !placed) return placed;
    exporting::name_frames(sheet, options());
    for (std::size_t i = pages_at_once(); i > 0; --i) add_next_page();
    return {};
  }

 private:
  // Few enough that they fit in memory and that a Finish can add them.
  [[nodiscard]] std::size_t pages_at_once() const {
    constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 24;
    std::uint64_t largest = 1;
    for (const SheetPage& page : state().sheet.pages) {
      largest = std::max(largest, std::uint64_t{page.size.width} * page.size.height);
    }
    return std::clamp<std::size_t>(kMaxPixels / largest, 1, output().pipeline.max_unfinished() - 1);
  }

  // Only a Finish may call it, so that the files stay in order. Each page adds another one when it is written.
  void add_next_page() {
    const std::vector<SheetPage>& pages = state().sheet.pages;
    const std::size_t page = next_page_++;
    if (page > pages.size()) return;
    output().pipeline.add([this, page, &pages]() -> ExportResult<exporting::Pipeline::Finish> {
      if (page == pages.size()) return [this] { return write_descriptions(); };
      Bitmap drawn = exporting::draw_page(state().sheet, page, state().cells, options());
      return [this, &path = pages[page].path, png = write_png(std::move(drawn), options().compression)] {
        add_next_page();
        return output().write(path, png);
      };
    });
  }

  ExportResult<void> write_descriptions() {
    SheetFiles files{state().sheet.pages, {}};
    for (exporting::SheetFile& file : exporting::sheet_files(state().sheet, options())) {
      auto done = output().write(file.path, std::as_bytes(std::span(file.text)));
      if (!done) return done;
      files.descriptions.push_back(std::move(file.path));
    }
    if (written_) written_(files);
    return {};
  }

  const Callback<void(const SheetFiles&)> written_;
  std::size_t next_page_ = 0;
};

// Fails if two frames of the sheet have the same name.
ExportResult<void> check_names(const exporting::Sheet& sheet, std::span<const SheetSource> clips) {
  std::set<std::string_view> seen;
  for (const exporting::SheetFrame& frame : sheet.frames) seen.insert(frame.name);
  for (const SheetSource& clip : clips) {
    for (const std::string& name : clip.frame_names) {
      if (seen.insert(name).second) continue;
      return exporting::reject(fmt::format("several frames would be named \"{}\"", printable(name)));
    }
  }
  return {};
}

ExportResult<void> check_sources(std::span<const SheetSource> clips) {
  for (const SheetSource& clip : clips) {
    const std::size_t frames = clip.animation.frames.size(), ends = clip.animation.info.frame_ends.size();
    const std::size_t names = clip.frame_names.size();
    if (frames != ends) {
      return exporting::reject(
          fmt::format("clip \"{}\" has {} frames, but {} times at which they end", printable(clip.name), frames, ends));
    }
    if (names > 0 && names != frames) {
      return exporting::reject(
          fmt::format("clip \"{}\" has {} frames, but {} names for them", printable(clip.name), frames, names));
    }
  }
  return {};
}

ExportResult<FramesConsumer> create_consumer(SheetCharacter character, std::span<const SheetSource> clips,
                                             const SheetOptions& options, std::shared_ptr<SheetState> state,
                                             exporting::JobOutput& output) {
  if (auto checked = check_sources(clips); !checked) return Unexpected(checked.error());
  if (auto checked = check_names(state->sheet, clips); !checked) return Unexpected(checked.error());
  std::vector<exporting::SheetClip> on_sheet;
  std::vector<exporting::SheetFrame> frames;
  for (const SheetSource& clip : clips) {
    const std::vector<std::uint32_t> ticks = exporting::round_to_ticks(clip.animation.info.frame_ends, 1000, 1).ticks;
    on_sheet.push_back({.name = clip.name,
                        .looping = clip.looping,
                        .first_frame = frames.size(),
                        .frame_count = clip.animation.frames.size()});
    for (std::uint32_t number = 0; number < ticks.size(); ++number) {
      frames.push_back({.name = clip.frame_names.empty() ? "" : clip.frame_names[number],
                        .clip = on_sheet.size() - 1,
                        .number = number,
                        .milliseconds = ticks[number]});
    }
  }
  return FramesConsumer(std::move(character), std::move(on_sheet), std::move(frames), options, std::move(state),
                        output);
}

// Makes a job of a consumer.
ExportResult<ExportJob> make_job(Renderer& renderer, const Model& model, GetProcAddress get_proc_address,
                                 std::vector<SheetSource> clips, ExportJobOptions options,
                                 std::unique_ptr<exporting::JobOutput> output) {
  std::vector<ExportedAnimation> animations;
  for (SheetSource& clip : clips) animations.push_back(std::move(clip.animation));
  return ExportJobFactory::make(renderer, model, get_proc_address, std::move(animations), std::move(options), 1,
                                std::move(output));
}

}  // namespace

ExportResult<void> check_frames(const FramePlan& plan, std::string_view clip, const Camera& camera, FrameSize canvas,
                                const SheetOptions& options, const Callback<Rect(ClipTime time)>& bounds) {
  if (exporting::check_fits(clip, 0, canvas, options)) return {};
  for (std::size_t i = 0; i < plan.times.size(); ++i) {
    const FrameSize size = options.trim ? size_on_canvas(bounds(plan.times[i]), camera, canvas) : canvas;
    if (auto checked = exporting::check_fits(clip, plan.first_frame + i, size, options); !checked) return checked;
  }
  return {};
}

std::string sheet_page_path(const std::string& path, std::size_t page, const std::string& extension) {
  const std::string number = page == 0 ? "" : fmt::format("-{}", page);
  return path_in(folder_of(path), std::string(stem_of(path)) + number + extension);
}

ExportResult<ExportJob> create_frames_job(Renderer& renderer, const Model& model, GetProcAddress get_proc_address,
                                          SheetCharacter character, std::vector<SheetSource> clips,
                                          const SheetOptions& sheet, ExportJobOptions options,
                                          const SheetFrames& frames) {
  return exporting::or_out_of_memory([&]() -> ExportResult<ExportJob> {
    auto output = std::make_unique<exporting::JobOutput>(options);
    auto consumer = create_consumer(std::move(character), clips, sheet, SheetJobFactory::state_of(frames), *output);
    if (!consumer) return Unexpected(consumer.error());
    output->consumer = std::make_unique<FramesConsumer>(*std::move(consumer));
    return make_job(renderer, model, get_proc_address, std::move(clips), std::move(options), std::move(output));
  });
}

ExportResult<ExportJob> create_sheet_job(Renderer& renderer, const Model& model, GetProcAddress get_proc_address,
                                         SheetCharacter character, std::vector<SheetSource> clips,
                                         const SheetOptions& sheet, ExportJobOptions options,
                                         const Callback<void(const SheetFiles& files)>& written,
                                         const SheetFrames& frames) {
  return exporting::or_out_of_memory([&]() -> ExportResult<ExportJob> {
    for (const std::string& first : {sheet.path, sheet_file_path(sheet)}) {
      if (auto checked = options.inputs.check_output(first); !checked) return Unexpected(checked.error());
    }
    auto output = std::make_unique<exporting::JobOutput>(options);
    auto consumer = create_consumer(std::move(character), clips, sheet, SheetJobFactory::state_of(frames), *output);
    if (!consumer) return Unexpected(consumer.error());
    output->consumer = std::make_unique<SheetConsumer>(*std::move(consumer), written);
    return make_job(renderer, model, get_proc_address, std::move(clips), std::move(options), std::move(output));
  });
}

}  // namespace pchr
