// SPDX-License-Identifier: MIT
// Draws and writes exports.
#include "exporter.hpp"

#include "film/film_output.hpp"
#include "film/film_writer.hpp"
#include "film/sheet_output.hpp"
#include "film/timing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr double kSlice = 0.010;  ///< Seconds of work between two pictures of the window.

template <class T>
bool is_ready(const std::future<T>& future) {
  return future.valid() && future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

/// One for the window.
unsigned encoding_threads() { return std::max(2U, std::thread::hardware_concurrency()) - 1; }

std::array<float, 4> clear_colour(const ExportRequest& request) {
  if (!request.options.opaque) return {};
  std::array<float, 4> colour{0, 0, 0, 1};
  for (std::size_t i = 0; i < 3; ++i) colour[i] = static_cast<float>(request.colour[i]) / 255.0F;
  return colour;
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
  Work(const Character& of, ExportPlan planned, fs::path at, film::Existing what_is_there, film::InputFiles inputs)
      : character(of),
        plan(std::move(planned)),
        stem(std::move(at)),
        existing(what_is_there),
        output(std::move(inputs)),
        cells(plan.sheet) {
    if (!plan.is_sheet()) return;
    for (const ExportedClip& clip : plan.clips) {
      const Clip* data = clip.plan.clip ? &character.clips()[*clip.plan.clip] : nullptr;
      sheet_clips.push_back({data != nullptr ? data->name : "bind", data != nullptr && data->looping, {}});
    }
  }

  film::Result<void> write_sheets() {
    auto sheets = film::lay_out(std::move(sheet_clips), cells, plan.sheet);
    if (!sheets) return std::unexpected(sheets.error());
    for (std::size_t page = 0; page < sheets->size(); ++page) {
      auto written = film::write_page((*sheets)[page], page, cells, plan.sheet, export_path(plan, stem, 0, 0), output);
      if (!written) return written;
    }
    return {};
  }
  /// All the rest, once all pictures are there.
  bool finish() {
    return pipeline.add([this]() -> film::Result<film::Pipeline::Finish> {
      return [this]() -> film::Result<void> {
        if (plan.is_sheet()) {
          if (auto written = write_sheets(); !written) return written;
        }
        return output.publish(existing);
      };
    });
  }
  [[nodiscard]] bool has_room() { return writer ? writer->has_room() : pipeline.has_room(); }
  [[nodiscard]] std::uint32_t passes() const { return writer ? writer->passes() : 1; }

  const Character character;
  const ExportPlan plan;
  const fs::path stem;
  const film::Existing existing;
  std::future<std::expected<std::vector<Bitmap>, Finding>> decoding;
  Filter filter = Filter::trilinear;
  film::FilmOutput output;
  film::SheetCells cells;
  std::vector<film::SheetClip> sheet_clips;
  std::optional<film::FilmWriter> writer;
  film::Pipeline pipeline{encoding_threads()};  ///< Last: its jobs use the others.
};

Exporter::Exporter() = default;
Exporter::Exporter(Exporter&&) noexcept = default;
Exporter& Exporter::operator=(Exporter&&) noexcept = default;
Exporter::~Exporter() = default;

bool Exporter::plan(Session& session) {
  Exports& exports = session.exports;
  bool changed = false;
  if (is_ready(planning_)) {
    film::Result<ExportPlan> result = planning_.get();
    exports.plan_error = result ? "" : result.error();
    exports.plan = result ? std::make_shared<const ExportPlan>(*std::move(result)) : nullptr;
    changed = true;
  }
  if (!exports.open || !session.document || planning_.valid()) return changed;
  ExportRequest request = export_request(session);
  if (planned_ && request == asked_) return changed;
  planned_ = true;
  asked_ = request;
  exports.in_the_way = 0;
  propose_export_name(session);
  planning_ = std::async(std::launch::async, [character = session.document->character(), request] {
    return plan_export(character, request);
  });
  return true;
}

void Exporter::begin(const Session& session) {
  const Exports& exports = session.exports;
  const Document& document = *session.document;
  work_ = std::make_unique<Work>(document.character(), *exports.plan, export_stem(exports),
                                 exports.replace ? film::Existing::replace : film::Existing::keep, files_read(session));
  work_->filter = filter_of(session.view, document.character());
  work_->decoding =
      std::async(std::launch::async, [character = document.character(), limits = document.source.options.limits] {
        return decode_images(character, limits);
      });
  drawing_.hidden.hidden = session.selection.hidden;
  drawing_.to_take = exports.plan->frames();
  if (exports.plan->settings.format == film::Format::gif) drawing_.to_take *= 2;
}

film::Result<Exporter::Step> Exporter::prepare(Renderer& renderer) {
  if (work_->decoding.valid()) {
    if (!is_ready(work_->decoding)) return Step::wait;
    auto bitmaps = work_->decoding.get();
    if (!bitmaps) return std::unexpected(describe(bitmaps.error(), "the character"));
    auto upload = renderer.begin_upload(work_->character, *std::move(bitmaps));
    if (!upload) return std::unexpected(upload.error().message);
    drawing_.upload = *std::move(upload);
  }
  if (!drawing_.upload->step_for(kSlice)) return Step::wait;
  drawing_.model = std::move(*drawing_.upload).finish();
  drawing_.upload.reset();
  drawing_.model->set_filter(work_->filter);
  return Step::more;
}

film::Result<void> Exporter::begin_clip(GetProcAddress get_proc_address) {
  const ExportedClip& clip = work_->plan.clips[drawing_.clip];
  const film::Size size{clip.film.width, clip.film.height};
  if (!(size == drawing_.size)) {
    auto target = OffscreenTarget::create(get_proc_address, size.width, size.height, film::kSamples);
    if (!target) return std::unexpected(target.error().message);
    drawing_.target = *std::move(target);
    drawing_.size = size;
  }
  if (work_->plan.is_sheet()) return {};
  const std::size_t number = drawing_.clip;
  auto writer = film::FilmWriter::create(
      work_->pipeline, clip.film, work_->plan.settings,
      [work = work_.get(), number](std::uint32_t frame, std::span<const std::byte> bytes) {
        const bool sequence = work->plan.settings.format == film::Format::png;
        const bool last = sequence || frame + 1 == work->plan.clips[number].plan.positions.size();
        return work->output.write(export_path(work->plan, work->stem, number, frame), bytes, last);
      });
  if (!writer) return std::unexpected(writer.error());
  work_->writer = *std::move(writer);
  return {};
}

/// Takes the oldest picture on its way. False where the pipeline has failed.
bool Exporter::take() {
  const std::uint64_t frame = drawing_.next - drawing_.target->in_flight();
  Bitmap picture;
  drawing_.target->receive(picture);
  ++drawing_.taken;
  if (work_->writer) return work_->writer->add(std::move(picture));
  const film::Timing timing = film::round_to_ticks(work_->plan.clips[drawing_.clip].plan.frame_ends, 1000, 1);
  return work_->pipeline.add([work = work_.get(), clip = drawing_.clip, milliseconds = timing.ticks[frame],
                              picture = std::move(picture)]() mutable -> film::Result<film::Pipeline::Finish> {
    return [work, clip, milliseconds, picture = std::move(picture)]() -> film::Result<void> {
      film::SheetFrame placed = work->cells.add(picture);
      placed.milliseconds = milliseconds;
      work->sheet_clips[clip].frames.push_back(placed);
      return {};
    };
  });
}

/// Sends the next of the clip's pictures on its way.
void Exporter::send(Renderer& renderer) {
  Drawing& d = drawing_;
  const ExportedClip& clip = work_->plan.clips[d.clip];
  const film::Shot shot{clip.plan.clip, clip.plan.positions[d.next++], clip.camera, 0, clip.scene};
  d.target->begin(clear_colour(work_->plan.request));
  const bool all_shown = std::ranges::all_of(d.hidden.hidden, [](std::uint8_t hidden) { return hidden == 0; });
  if (all_shown && !shot.scene) {
    film::draw(renderer, *d.model, shot, d.posed);
  } else {
    shot.clip ? pose_clip(work_->character, *shot.clip, shot.position, d.posed) : pose_bind(work_->character, d.posed);
    if (shot.scene) turn(work_->plan.request.turn, d.posed);
    leave_out_hidden(d.hidden, d.posed.draw_list);
    film::draw_posed(renderer, *d.model, shot, d.posed);
  }
  d.target->send();
}

film::Result<Exporter::Step> Exporter::step(Renderer& renderer, GetProcAddress get_proc_address) {
  Drawing& d = drawing_;
  if (!d.model) return prepare(renderer);
  if (d.all_taken) {
    if (!work_->pipeline.idle()) return Step::wait;
    if (auto written = work_->pipeline.wait(); !written) return std::unexpected(written.error());
    return Step::finished;
  }
  if (d.pass == 0 && d.next == 0) {
    if (auto begun = begin_clip(get_proc_address); !begun) return std::unexpected(begun.error());
  }
  const std::size_t count = work_->plan.clips[d.clip].plan.positions.size();
  if (d.next < count && d.target->in_flight() < film::kInFlight) {
    send(renderer);
    return Step::more;
  }
  if (!work_->has_room()) return Step::wait;
  if (!take()) return std::unexpected(work_->pipeline.wait().error());
  if (d.next < count || d.target->in_flight() > 0) return Step::more;
  d.next = 0;
  if (++d.pass < work_->passes()) return Step::more;
  d.pass = 0;
  if (++d.clip < work_->plan.clips.size()) return Step::more;
  d.all_taken = true;
  if (!work_->finish()) return std::unexpected(work_->pipeline.wait().error());
  return Step::more;
}

void Exporter::end() {
  drawing_ = {};
  // What is being encoded is waited for, which may take long.
  ending_ = std::async(std::launch::async, [work = std::move(work_)]() mutable { work.reset(); });
}

bool Exporter::work(Session& session, Renderer& renderer, GetProcAddress get_proc_address) {
  Exports& exports = session.exports;
  if (std::exchange(exports.cancel, false)) {
    exports.running = false;
    end();
    show_notice(session.notice, "The export was cancelled; no file was written");
    return true;
  }
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kSlice));
  film::Result<Step> stepped = Step::more;
  while (stepped && *stepped == Step::more && Clock::now() < until) stepped = step(renderer, get_proc_address);
  const float done = static_cast<float>(drawing_.taken) / static_cast<float>(drawing_.to_take);
  const bool changed = std::exchange(exports.done, done) != done;
  if (stepped && *stepped != Step::finished) return changed;
  exports.running = false;
  if (stepped) {
    exports.open = false;
    show_notice(session.notice, told(work_->plan, work_->stem), export_path(work_->plan, work_->stem, 0, 0));
  } else {
    exports.open = true;
    exports.error = stepped.error();
  }
  end();
  return true;
}

bool Exporter::update(Session& session, Renderer& renderer, GetProcAddress get_proc_address) {
  Exports& exports = session.exports;
  if (is_ready(ending_)) ending_.get();
  if (work_ != nullptr) return work(session, renderer, get_proc_address);
  const bool changed = plan(session);
  exports.cancel = false;
  if (!exports.wanted || planning_.valid() || ending_.valid()) return changed;
  exports.wanted = false;
  if (exports.plan == nullptr || !may_export(session)) return true;
  begin(session);
  exports.running = true;
  exports.done = 0;
  return true;
}

}  // namespace pchr::player
