// SPDX-License-Identifier: MIT
// Packs frames of clips into sprite sheets.
#include "export/sheet.hpp"

#include "export/fail.hpp"
#include "export/job.hpp"
#include "image/image.hpp"
#include "platform/file_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>
#include <utility>

namespace pchr {
namespace exporting {

/// What the jobs of a sheet share.
struct SheetState {
  Sheet sheet;
  SheetCells cells;
  std::size_t frames_drawn = 0, frames_placed = 0;
  std::deque<PageCells> waiting;  ///< Pages to draw.
  std::vector<RoomyBytes> files;  ///< Pages to write.
};

namespace {

/// Packs the frames of one character, and draws the pages of the sheet as soon as they are full. The last character's
/// writes them.
class PageWriter : public SheetWriter {
 public:
  /// Clips and frames of the character, which count from its first.
  struct Input {
    SheetCharacter character;
    std::vector<SheetClip> clips;
    std::vector<SheetFrame> frames;
  };

  PageWriter(Input input, SheetOptions options, std::shared_ptr<SheetState> state, Job& job)
      : input_(std::move(input)),
        options_(std::move(options)),
        state_(std::move(state)),
        sheet_(state_->sheet),
        job_(job) {
    // A page takes about as long to encode as its frames take to draw.
    constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 23, kMaxAhead = 64;
    const FrameSize& canvas = input_.character.canvas;
    ahead_ = std::min(kMaxPixels / std::max<std::uint64_t>(std::uint64_t{canvas.width} * canvas.height, 1), kMaxAhead);
  }

  /// Makes this the writer of the last character.
  void write_files(const Callback<void(const SheetFiles&)>& written) {
    is_last_ = true;
    written_ = written;
  }

  void begin() override {
    first_clip_ = sheet_.clips.size();
    for (SheetClip& clip : input_.clips) {
      clip.character = sheet_.characters.size();
      clip.first_frame += sheet_.frames.size();
    }
    for (SheetFrame& frame : input_.frames) frame.clip += first_clip_;
    sheet_.characters.push_back(std::move(input_.character));
    std::ranges::move(input_.clips, std::back_inserter(sheet_.clips));
    std::ranges::move(input_.frames, std::back_inserter(sheet_.frames));
  }

  bool has_room() const override { return job_.pipeline.has_room(ahead_); }

  bool add(std::size_t clip, std::uint32_t number, Bitmap premultiplied) override {
    const auto add_trimmed = [this, clip, number, bitmap = std::move(premultiplied)] {
      return ExportResult<Pipeline::Finish>([this, clip, number, trimmed = trim(bitmap, options_)]() mutable {
        SheetFrame& frame = sheet_.frames[sheet_.clips[first_clip_ + clip].first_frame + number];
        frame.source = trimmed.area;
        frame.cell = state_->cells.add(std::move(trimmed.cell), options_);
        ++state_->frames_drawn;
        return lay_out_pages(false);
      });
    };
    return job_.pipeline.add(add_trimmed, ahead_);
  }

  ExportResult<void> finish() override {
    if (!is_last_) return {};
    // Names of characters, and of clips, become unique.
    std::vector<std::string> names;
    for (const SheetCharacter& each : sheet_.characters) names.push_back(each.name);
    names = unique_names(std::move(names), " (", ")");
    for (std::size_t i = 0; i < names.size(); ++i) sheet_.characters[i].name = names[i];
    names.clear();
    for (const SheetClip& clip : sheet_.clips) {
      const std::string& character = sheet_.characters[clip.character].name;
      names.push_back(sheet_.characters.size() > 1 ? character + "/" + clip.name : clip.name);
    }
    names = unique_names(std::move(names), " (", ")");
    for (std::size_t i = 0; i < names.size(); ++i) sheet_.clips[i].name = names[i];
    if (auto placed = lay_out_pages(true); !placed) return placed;
    name_frames(sheet_, options_);
    return {};
  }

 private:
  // Only a Finish calls the functions below, so that only one runs at a time, and in order.

  ExportResult<void> lay_out_pages(bool has_all_frames) {
    while (true) {
      auto page =
          lay_out_page(sheet_, state_->frames_placed, state_->frames_drawn, has_all_frames, state_->cells, options_);
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
      job_.pipeline.add([this, pixels, cells = std::move(state_->waiting.front()),
                         page = std::exchange(spare_, {})]() mutable -> ExportResult<Pipeline::Finish> {
        draw_page(cells, options_, page);
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
      if (auto done = job_.write(sheet_.pages[next_page_++].path, png.bytes()); !done) return done;
    }
    state_->files.clear();
    if (!has_all_pages_ || next_page_ < sheet_.pages.size()) return {};
    SheetFiles files{sheet_.pages, {}};
    for (SheetFile& file : sheet_files(sheet_, options_)) {
      if (auto done = job_.write(file.path, std::as_bytes(std::span(file.text))); !done) return done;
      files.descriptions.push_back(std::move(file.path));
    }
    if (written_) written_(files);
    return {};
  }

  Input input_;  ///< Until it is on the sheet.
  SheetOptions options_;
  std::shared_ptr<SheetState> state_;
  Sheet& sheet_;
  Job& job_;
  std::size_t ahead_ = 0, first_clip_ = 0, next_page_ = 0;
  bool is_last_ = false, has_all_pages_ = false;
  Callback<void(const SheetFiles&)> written_{};
  std::uint64_t pixels_at_work_ = 0;
  Bitmap spare_;  ///< Memory for a page, which the system takes long to clear.
};

/// Makes a job that draws a character, and writes the files of the sheet if `is_last`.
ExportResult<ExportJob> make_sheet_job(Renderer& renderer, const Model& model, SheetCharacter character,
                                       std::vector<SheetSource> clips, const SheetOptions& options,
                                       ExportJobOptions job_options, const SheetFrames& frames, bool is_last,
                                       const Callback<void(const SheetFiles& files)>& written) {
  std::set<std::string_view> names;
  for (const SheetFrame& frame : frames.state->sheet.frames) names.insert(frame.name);
  for (SheetSlice& slice : character.slices) std::ranges::stable_sort(slice.keys, {}, &SheetSliceKey::first_frame);
  for (SheetLayer& layer : character.layers) std::ranges::stable_sort(layer.cels, {}, &SheetCel::frame);
  PageWriter::Input input{std::move(character), {}, {}};
  std::vector<ExportedAnimation> animations;
  for (SheetSource& clip : clips) {
    const std::vector<double>& ends = clip.animation.info.frame_ends;
    const std::size_t count = clip.animation.frames.size();
    if (count != ends.size()) {
      return reject(fmt::format("clip \"{}\" has {} frames, but {} times at which they end", printable(clip.name),
                                count, ends.size()));
    }
    if (!clip.frame_names.empty() && clip.frame_names.size() != count) {
      return reject(fmt::format("clip \"{}\" has {} frames, but {} names for them", printable(clip.name), count,
                                clip.frame_names.size()));
    }
    if (!clip.artwork_frames.empty() && clip.artwork_frames.size() != count) {
      return reject(fmt::format("clip \"{}\" has {} frames, but {} of the artwork", printable(clip.name), count,
                                clip.artwork_frames.size()));
    }
    for (const std::string& name : clip.frame_names) {
      if (names.insert(name).second) continue;
      return reject(fmt::format("several frames would be named \"{}\"", printable(name)));
    }
    input.clips.push_back(
        {.name = clip.name, .looping = clip.looping, .first_frame = input.frames.size(), .frame_count = count});
    const std::vector<std::uint32_t> ticks = round_to_ticks(ends, 1000, 1).ticks;
    for (std::uint32_t number = 0; number < count; ++number) {
      input.frames.push_back({.name = clip.frame_names.empty() ? "" : clip.frame_names[number],
                              .clip = input.clips.size() - 1,
                              .number = number,
                              .artwork_frame = clip.artwork_frames.empty() ? 0 : clip.artwork_frames[number],
                              .milliseconds = ticks[number]});
    }
    animations.push_back(std::move(clip.animation));
  }
  // Each frame can have another key of each slice.
  constexpr std::size_t kMaxKeys = std::size_t{1} << 20;
  const std::size_t slices = input.character.slices.size();
  if (slices > kMaxKeys / std::max<std::size_t>(input.frames.size(), 1)) {
    return reject(fmt::format("{} slices in {} frames are more than the {} places of slices that a sheet can have",
                              slices, input.frames.size(), kMaxKeys));
  }
  auto job = std::make_unique<Job>(renderer, model, std::move(animations), std::move(job_options));
  auto writer = std::make_unique<PageWriter>(std::move(input), options, frames.state, *job);
  if (is_last) writer->write_files(written);
  job->sheet = std::move(writer);
  return ExportJob(std::move(job));
}

}  // namespace
}  // namespace exporting

SheetFrames::SheetFrames() : state(std::make_shared<exporting::SheetState>()) {}

ExportResult<void> check_frames(const FramePlan& plan, std::string_view clip, const Camera& camera, FrameSize canvas,
                                const SheetOptions& options, const Callback<Rect(ClipTime time)>& bounds) {
  if (exporting::check_fits(clip, 0, canvas, options)) return {};
  const Affine to_canvas = world_to_viewport(camera);
  const auto covered = [](double one, double other, double max) {
    constexpr double kRounding = 1e-3;
    const double from = std::clamp(std::floor(std::min(one, other) + kRounding), 0.0, max);
    const double to = std::clamp(std::ceil(std::max(one, other) - kRounding), 0.0, max);
    return static_cast<std::uint32_t>(std::max(to - from, 1.0));
  };
  for (std::size_t i = 0; i < plan.times.size(); ++i) {
    FrameSize size = canvas;
    if (options.trim) {
      const Rect world = bounds(plan.times[i]);
      const Vec2 a = apply(to_canvas, world.min), b = apply(to_canvas, world.max);
      size = world.empty() ? FrameSize{1, 1}
                           : FrameSize{covered(a.x, b.x, canvas.width), covered(a.y, b.y, canvas.height)};
    }
    if (auto checked = exporting::check_fits(clip, plan.first_frame + i, size, options); !checked) return checked;
  }
  return {};
}

std::string sheet_page_path(const std::string& path, std::size_t page, const std::string& extension) {
  const std::string number = page == 0 ? "" : fmt::format("-{}", page);
  return path_in(folder_of(path), std::string(stem_of(path)) + number + extension);
}

ExportResult<ExportJob> create_frames_job(Renderer& renderer, const Model& model, SheetCharacter character,
                                          std::vector<SheetSource> clips, const SheetOptions& sheet,
                                          ExportJobOptions options, const SheetFrames& frames) {
  return exporting::or_out_of_memory([&] {
    return exporting::make_sheet_job(renderer, model, std::move(character), std::move(clips), sheet, std::move(options),
                                     frames, false, {});
  });
}

ExportResult<ExportJob> create_sheet_job(Renderer& renderer, const Model& model, SheetCharacter character,
                                         std::vector<SheetSource> clips, const SheetOptions& sheet,
                                         ExportJobOptions options,
                                         const Callback<void(const SheetFiles& files)>& written,
                                         const SheetFrames& frames) {
  return exporting::or_out_of_memory([&]() -> ExportResult<ExportJob> {
    const OutputFiles files(options.inputs);
    for (const std::string& first : {sheet.path, sheet_file_path(sheet)}) {
      if (auto checked = files.check(first); !checked && !options.write) return Unexpected(checked.error());
    }
    return exporting::make_sheet_job(renderer, model, std::move(character), std::move(clips), sheet, std::move(options),
                                     frames, true, written);
  });
}

}  // namespace pchr
