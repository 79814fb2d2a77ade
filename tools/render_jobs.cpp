// SPDX-License-Identifier: MIT
// Draws, encodes and writes pictures and films, all at the same time.
#include "film/film_output.hpp"
#include "film/film_writer.hpp"
#include "film/timing.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "render.hpp"
#include "standard_error.hpp"

#include <fmt/format.h>

namespace pchr::tools {
namespace {

std::unexpected<Failure> stopped() { return fail(ExitCode::environment, ""); }

void print_rounding(const RenderJob& job, const film::Settings& settings) {
  const std::string rounding = film::describe_rounding(job.film, settings.format);
  if (!rounding.empty()) print_error(fmt::format("pchr: {}: {}", printable(job.paths.front()), rounding));
}

// Draws all frames once. False where they are no longer wanted.
bool draw_pass(Stage& stage, const RenderJob& job, const Background& background, film::FilmWriter& writer,
               Progress& progress) {
  const auto take = [&] {
    progress.step();
    return writer.add(stage.receive()) && !interrupted();
  };
  for (const Shot& shot : job.shots) {
    stage.send(shot, background);
    if (stage.in_flight() == film::kInFlight && !take()) return false;
  }
  while (stage.in_flight() > 0) {
    if (!take()) return false;
  }
  return true;
}

film::Sink sink_of(const RenderJob& job, film::FilmOutput& output) {
  return [&](std::uint32_t frame, std::span<const std::byte> bytes) {
    const bool is_sequence = job.paths.size() > 1;
    const bool last = is_sequence || frame + 1 == job.shots.size();
    return output.write(job.paths[is_sequence ? frame : 0], bytes, last);
  };
}

}  // namespace

Result<void> render_jobs(const Input& input, const RenderOptions& options, const std::vector<RenderJob>& jobs) {
  auto stage = Stage::open(input, options.input.no_images);
  if (!stage) return std::unexpected(stage.error());
  catch_interrupts();
  std::uint64_t steps = 0;
  for (const RenderJob& job : jobs) {
    steps += job.shots.size() * (options.settings.format == film::Format::gif ? 2 : 1);
  }
  film::FilmOutput output(*options.input.read);
  {
    Progress progress(steps);
    film::Pipeline pipeline;
    for (const RenderJob& job : jobs) {
      if (auto sized = stage->set_size({job.film.width, job.film.height}); !sized) return sized;
      auto writer = film::FilmWriter::create(pipeline, job.film, options.settings, sink_of(job, output));
      if (!writer) return fail(ExitCode::usage, "pchr: " + writer.error());
      bool wanted = true;
      for (unsigned pass = 0; wanted && pass < writer->passes(); ++pass) {
        wanted = draw_pass(*stage, job, options.view.background, *writer, progress);
      }
      if (!wanted) break;
    }
    if (interrupted()) return stopped();
    if (const auto done = pipeline.wait(); !done) {
      return done.error().empty() ? stopped() : fail(ExitCode::environment, "pchr: " + done.error());
    }
  }
  if (interrupted()) return stopped();
  auto published = or_fail(ExitCode::environment, output.publish(film::Existing::replace));
  if (!published) return published;
  for (const RenderJob& job : jobs) print_rounding(job, options.settings);
  return {};
}

}  // namespace pchr::tools
