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
#include <deque>
#include <set>
#include <utility>

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
  std::size_t frames_drawn = 0, frames_placed = 0;
  std::deque<exporting::PageCells> waiting;  ///< Pages to draw.
  std::vector<RoomyBytes> files;             ///< Pages to write.
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

/// Draws the pages of a sheet as soon as they are full. The consumer of the last character writes them.
class SheetConsumer : public exporting::FrameConsumer {
 public:
  /// Clips and frames of one character, which count from its first.
  struct Input {
    SheetCharacter character;
    std::vector<exporting::SheetClip> clips;
    std::vector<exporting::SheetFrame> frames;
  };

  SheetConsumer(Input input, SheetOptions options, std::shared_ptr<SheetState> state, exporting::JobOutput& output)
      : input_(std::move(input)),
        options_(std::move(options)),
        state_(std::move(state)),
        sheet_(state_->sheet),
        output_(output) {
    // A page takes about as long to encode as its frames take to draw.
    constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 23, kMaxAhead = 64;
    const FrameSize& canvas = input_.character.canvas;
    ahead_ = std::min(kMaxPixels / std::max<std::uint64_t>(std::uint64_t{canvas.width} * canvas.height, 1), kMaxAhead);
  }

  /// Makes this the consumer of the last character.
  void write_files(const Callback<void(const SheetFiles&)>& written) {
    is_last_ = true;
    written_ = written;
  }

  ExportResult<void> begin(std::size_t animation) override {
    if (animation > 0) return {};
    first_clip_ = sheet_.clips.size();
    for (exporting::SheetClip& clip : input_.clips) {
      clip.character = sheet_.characters.size();
      clip.first_frame += sheet_.frames.size();
    }
    for (exporting::SheetFrame& frame : input_.frames) frame.clip += first_clip_;
    sheet_.characters.push_back(std::move(input_.character));
    std::ranges::move(input_.clips, std::back_inserter(sheet_.clips));
    std::ranges::move(input_.frames, std::back_inserter(sheet_.frames));
    return {};
  }

  bool has_room() const override { return output_.pipeline.has_room(ahead_); }
  bool add(std::size_t clip, std::uint32_t number, Bitmap premultiplied) override {
    const auto add_trimmed = [this, clip, number, bitmap = std::move(premultiplied)] {
      return ExportResult<exporting::Pipeline::Finish>(
          [this, clip, number, trimmed = exporting::trim(bitmap, options_)]() mutable {
            exporting::SheetFrame& frame = sheet_.frames[sheet_.clips[first_clip_ + clip].first_frame + number];
            frame.source = trimmed.area;
            frame.cell = state_->cells.add(std::move(trimmed.cell), options_);
            ++state_->frames_drawn;
            return lay_out_pages(false);
          });
    };
    return output_.pipeline.add(add_trimmed, ahead_);
  }

  ExportResult<void> finish() override {
    if (!is_last_) return {};
    name_clips(sheet_);
    if (auto placed = lay_out_pages(true); !placed) return placed;
    exporting::name_frames(sheet_, options_);
    return {};
  }

 private:
  // Only a Finish calls the functions below, so that only one runs at a time, and in order.

  ExportResult<void> lay_out_pages(bool has_all_frames) {
    while (true) {
      auto page = exporting::lay_out_page(sheet_, state_->frames_placed, state_->frames_drawn, has_all_frames,
                                          state_->cells, options_);
      if (!page) return Unexpected(page.error());
      if (!*page) break;
      state_->frames_placed += sheet_.pages.back().frames;
      state_->waiting.push_back(**std::move(page));
    }
    has_all_pages_ = has_all_frames;
    draw_pages();
    return {};
  }

  // Draws several pages at once only if they are small, because each one needs several times its memory.
  void draw_pages() {
    constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 24;
    while (!state_->waiting.empty()) {
      const FrameSize size = state_->waiting.front().size;
      const std::uint64_t pixels = std::uint64_t{size.width} * size.height;
      if (pixels_at_work_ > 0 && pixels_at_work_ + pixels > kMaxPixels) return;
      pixels_at_work_ += pixels;
      output_.pipeline.add([this, pixels, cells = std::move(state_->waiting.front()),
                            page = std::exchange(spare_, {})]() mutable -> ExportResult<exporting::Pipeline::Finish> {
        exporting::draw_page(cells, options_, page);
        cells = {};
        auto png = std::make_shared<RoomyBytes>(write_png_over(page, options_.compression));
        return [this, pixels, page = std::move(page), png = std::move(png)]() mutable {
          pixels_at_work_ -= pixels;
          if (page.rgba.capacity() > spare_.rgba.capacity()) spare_ = std::move(page);
          page = {};
          state_->files.push_back(std::move(*png));
          draw_pages();
          return write_pages();
        };
      });
      state_->waiting.pop_front();
    }
  }

  ExportResult<void> write_pages() {
    if (!is_last_) return {};
    for (const RoomyBytes& png : state_->files) {
      if (auto done = output_.write(sheet_.pages[next_page_++].path, png.bytes()); !done) return done;
    }
    state_->files.clear();
    return has_all_pages_ && next_page_ == sheet_.pages.size() ? write_descriptions() : ExportResult<void>();
  }

  ExportResult<void> write_descriptions() {
    SheetFiles files{sheet_.pages, {}};
    for (exporting::SheetFile& file : exporting::sheet_files(sheet_, options_)) {
      auto done = output_.write(file.path, std::as_bytes(std::span(file.text)));
      if (!done) return done;
      files.descriptions.push_back(std::move(file.path));
    }
    if (written_) written_(files);
    return {};
  }

  Input input_;  ///< Until it is on the sheet.
  SheetOptions options_;
  std::shared_ptr<SheetState> state_;
  exporting::Sheet& sheet_;
  exporting::JobOutput& output_;
  std::size_t ahead_ = 0, first_clip_ = 0, next_page_ = 0;
  bool is_last_ = false, has_all_pages_ = false;
  Callback<void(const SheetFiles&)> written_{};
  std::uint64_t pixels_at_work_ = 0;
  Bitmap spare_;  ///< Memory for a page, which the system takes long to clear.
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

ExportResult<std::unique_ptr<SheetConsumer>> create_consumer(SheetCharacter character,
                                                             std::span<const SheetSource> clips,
                                                             const SheetOptions& options,
                                                             std::shared_ptr<SheetState> state,
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
  return std::make_unique<SheetConsumer>(
      SheetConsumer::Input{std::move(character), std::move(on_sheet), std::move(frames)}, options, std::move(state),
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
    output->consumer = *std::move(consumer);
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
    (*consumer)->write_files(written);
    output->consumer = *std::move(consumer);
    return make_job(renderer, model, get_proc_address, std::move(clips), std::move(options), std::move(output));
  });
}

}  // namespace pchr
