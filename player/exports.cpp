// SPDX-License-Identifier: MIT
// Plans and names of exports.
#include "exports.hpp"

#include "film/encoder.hpp"
#include "film/sheet_output.hpp"
#include "film/timing.hpp"
#include "film/unique_names.hpp"
#include "screenshot.hpp"
#include "session.hpp"

#include <pchr/bounds.hpp>
#include <pchr/marker.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

film::Format film_format(ExportFormat format) {
  switch (format) {
    case ExportFormat::apng:
      return film::Format::apng;
    case ExportFormat::gif:
      return film::Format::gif;
    case ExportFormat::webp:
      return film::Format::webp;
    case ExportFormat::y4m:
      return film::Format::y4m;
    case ExportFormat::png:
    case ExportFormat::sheet:
      break;
  }
  return film::Format::png;
}

film::Framing framing_of(const ExportRequest& request) {
  film::Framing framing;
  const ExportOptions& options = request.options;
  if (options.sizing == ExportSizing::scale) framing.scale = static_cast<float>(options.percent) / 100.0F;
  framing.size = options.size;
  framing.margin = static_cast<float>(options.margin) / 100.0F;
  framing.flip_y = request.flip_y;
  return framing;
}

/// Absent: as the clip does.
std::optional<std::uint32_t> plays_of(const ExportOptions& options) {
  if (options.plays == ExportPlays::as_clip) return std::nullopt;
  return options.plays == ExportPlays::for_ever ? 0 : static_cast<std::uint32_t>(options.times);
}

std::vector<std::optional<std::uint32_t>> chosen_clips(const Character& character, const ExportRequest& request) {
  std::vector<std::optional<std::uint32_t>> chosen;
  if (request.options.clips == ExportClips::all) {
    for (std::uint32_t clip = 0; clip < character.clips().size(); ++clip) {
      if (character.clips()[clip].frame_count > 0 && !film::is_mere_bind_pose(character, clip)) {
        chosen.emplace_back(clip);
      }
    }
  }
  if (chosen.empty()) chosen.push_back(request.clip);
  return chosen;
}

film::Result<film::FilmPlan> plan_clip(const Character& character, const ExportRequest& request,
                                       std::optional<std::uint32_t> clip) {
  if (!clip) return film::plan_still(clip, {});
  const ExportOptions& options = request.options;
  film::PlanOptions plan;
  if (options.clips == ExportClips::range && request.range) {
    plan.frames = film::FrameRange{request.range->first, request.range->last};
  }
  if (options.resample) plan.frames_per_second = options.rate;
  plan.smooth = request.smooth;
  const bool sheet = options.format == ExportFormat::sheet;
  const std::uint32_t cycles = sheet ? 1 : film::cycles_of(film_format(options.format), plays_of(options).value_or(1));
  return film::plan_film(character, *clip, plan, cycles);
}

/// What a spatial character's pictures show, once it is turned.
Box box_of(const Character& character, const ExportRequest& request, const film::FilmPlan& plan) {
  Box all;
  PosedCharacter posed;
  for (const FramePosition& position : plan.positions) {
    plan.clip ? pose_clip(character, *plan.clip, position, posed) : pose_bind(character, posed);
    turn(request.turn, posed);
    const Box box = pchr::box_of(character, posed);
    if (box.empty()) continue;
    all.include(box.min);
    all.include(box.max);
  }
  return all;
}

Rect bounds_of(const Character& character, std::optional<std::uint32_t> clip) {
  if (clip) return clip_bounds(character, *clip);
  PosedCharacter posed;
  pose_bind(character, posed);
  return bounds(character, posed);
}

/// What the pictures of clips show.
struct Seen {
  Rect bounds{};
  float reach = 0;  ///< How far a spatial character is from z = 0.
};

Seen seen_of(const Character& character, const ExportRequest& request, std::span<const ExportedClip> clips) {
  Seen seen;
  for (const ExportedClip& clip : clips) {
    if (!character.is_spatial()) {
      seen.bounds.include(bounds_of(character, clip.plan.clip));
    } else if (const Box box = box_of(character, request, clip.plan); !box.empty()) {
      seen.bounds.include(Rect{{box.min.x, box.min.y}, {box.max.x, box.max.y}});
      seen.reach = std::max({seen.reach, std::abs(box.min.z), std::abs(box.max.z)});
    }
  }
  return seen;
}

/// Gives all clips pictures of one size, which fit them.
film::Result<void> frame(const Character& character, const ExportRequest& request, std::span<ExportedClip> clips) {
  constexpr float kRoom = 1.01F;  // For rounding.
  const Seen seen = seen_of(character, request, clips);
  const film::Framing framing = framing_of(request);
  const auto size = film::size_of(framing, seen.bounds);
  if (!size) return std::unexpected(size.error());
  for (ExportedClip& clip : clips) {
    clip.film.width = size->width;
    clip.film.height = size->height;
    clip.camera = film::camera_of(framing, *size, seen.bounds);
    if (!character.is_spatial()) continue;
    clip.scene = scene_view(clip.camera, std::max(seen.reach * kRoom, 1e-6F));
    clip.scene->cull_back_faces = request.cull_back_faces;
  }
  return {};
}

film::Result<void> frame_sheet(const Character& character, ExportPlan& plan) {
  if (auto framed = frame(character, plan.request, plan.clips); !framed) return framed;
  const ExportedClip& first = plan.clips.front();
  plan.sheet.canvas = {first.film.width, first.film.height};
  const Vec2 pivot = apply(world_to_viewport(first.camera), Vec2{0.0F});
  plan.sheet.pivot_x = pivot.x;
  plan.sheet.pivot_y = pivot.y;
  PosedCharacter posed;
  for (const ExportedClip& clip : plan.clips) {
    const auto shown = [&](FramePosition position) -> Rect {
      clip.plan.clip ? pose_clip(character, *clip.plan.clip, position, posed) : pose_bind(character, posed);
      if (!character.is_spatial()) return bounds(character, posed);
      turn(plan.request.turn, posed);
      const Box box = pchr::box_of(character, posed);
      return box.empty() ? Rect() : Rect{{box.min.x, box.min.y}, {box.max.x, box.max.y}};
    };
    auto checked = film::check_frames(clip.plan, clip.name, clip.camera, plan.sheet, shown);
    if (!checked) return std::unexpected(checked.error() + "; a smaller scale may help");
  }
  return {};
}

film::Result<void> frame_films(const Character& character, ExportPlan& plan) {
  for (ExportedClip& clip : plan.clips) {
    if (auto framed = frame(character, plan.request, {&clip, 1}); !framed) return framed;
    // What the format cannot hold is better known now than after the first clips.
    if (auto encoder = film::make_encoder(clip.film, plan.settings); !encoder) return std::unexpected(encoder.error());
  }
  return {};
}

void put_text(std::span<char> field, const std::string& text) {
  const std::size_t length = std::min(text.size(), field.size() - 1);
  std::memcpy(field.data(), text.data(), length);
  field[length] = '\0';
}

std::string proposed_name(const Session& session) {
  const Document& document = *session.document;
  const ExportOptions& options = session.exports.options;
  std::string name = file_name_of(document.path.stem().string());
  const Clip* clip = document.current_clip();
  if (clip != nullptr && options.clips != ExportClips::all) name += "_" + file_name_of(clip->name);
  const auto& range = document.clock.range();
  if (options.clips == ExportClips::range && range) name += fmt::format("_{}-{}", range->first, range->last);
  // The JSON of a sheet must not be that of the character.
  return options.format == ExportFormat::sheet ? name + "_sheet" : name;
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::uint64_t ExportPlan::frames() const noexcept {
  std::uint64_t sum = 0;
  for (const ExportedClip& clip : clips) sum += clip.plan.positions.size();
  return sum;
}

ExportRequest export_request(const Session& session) {
  const Document& document = *session.document;
  ExportRequest request{
      .options = session.exports.options, .files_opened = session.files_opened, .clip = document.clip};
  if (request.options.clips == ExportClips::range) request.range = document.clock.range();
  request.smooth = session.playback.sampling == Sampling::smooth;
  request.flip_y = session.view.camera.flip_y;
  request.turn = turn_of(session, document.character());
  request.cull_back_faces = session.view.turntable.cull_back_faces;
  std::ranges::transform(session.view.colour, request.colour.begin(), [](float channel) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(channel, 0.0F, 1.0F) * 255.0F));
  });
  return request;
}

film::Result<ExportPlan> plan_export(const Character& character, const ExportRequest& request) {
  ExportPlan plan{.request = request, .clips = {}, .settings = {}, .sheet = {}};
  const ExportOptions& options = request.options;
  plan.settings.format = film_format(options.format);
  if (options.lossy) plan.settings.webp_quality = static_cast<float>(options.quality);
  film::UniqueNames names("_", "");
  for (const auto clip : chosen_clips(character, request)) {
    auto moments = plan_clip(character, request, clip);
    if (!moments) return std::unexpected(moments.error());
    const Clip* data = clip ? &character.clips()[*clip] : nullptr;
    film::Film film{0, 0, moments->frame_ends, plays_of(options).value_or(data != nullptr && data->looping ? 0 : 1)};
    std::string name = names.take(file_name_of(data != nullptr ? data->name : "bind"));
    plan.clips.push_back({std::move(name), *std::move(moments), std::move(film), {}, {}});
  }
  auto framed = plan.is_sheet() ? frame_sheet(character, plan) : frame_films(character, plan);
  if (!framed) return std::unexpected(framed.error());
  return plan;
}

std::string describe_export(const ExportPlan& plan) {
  film::Size largest{0, 0};
  double seconds = 0;
  for (const ExportedClip& clip : plan.clips) {
    largest = {std::max(largest.width, clip.film.width), std::max(largest.height, clip.film.height)};
    seconds += clip.film.frame_ends.back();
  }
  const std::size_t count = plan.clips.size();
  std::string text = counted(plan.frames(), "frame", "frames");
  if (count > 1) text += " in " + counted(count, "clip", "clips");
  const bool same_size = count == 1 || plan.is_sheet() || plan.request.options.sizing == ExportSizing::fit;
  text += fmt::format("; {}{} \u00d7 {} pixels{}; {:.2f} s", same_size ? "" : "up to ", largest.width, largest.height,
                      plan.is_sheet() ? " before they are trimmed" : "", seconds);
  return text;
}

std::string describe_losses(const ExportPlan& plan) {
  if (plan.is_sheet()) return {};
  for (const ExportedClip& clip : plan.clips) {
    const std::string rounding = film::describe_rounding(clip.film, plan.settings.format);
    if (!rounding.empty()) return fmt::format("Of {}, {}", clip.name, rounding);
  }
  return {};
}

std::string export_extension(ExportFormat format) {
  constexpr std::array kExtensions{".apng", ".gif", ".webp", ".png", ".y4m", ".png"};
  return kExtensions[static_cast<std::size_t>(format)];
}

std::string export_path(const ExportPlan& plan, const fs::path& stem, std::size_t clip, std::uint32_t frame) {
  const ExportedClip& exported = plan.clips[clip];
  std::string path = stem.string();
  if (!plan.is_sheet() && plan.request.options.clips == ExportClips::all) path += "_" + exported.name;
  if (plan.request.options.format == ExportFormat::png)
    path += fmt::format("_{:04}", exported.plan.first_frame + frame);
  return path + export_extension(plan.request.options.format);
}

std::vector<std::string> export_paths(const ExportPlan& plan, const fs::path& stem) {
  std::vector<std::string> paths;
  if (plan.is_sheet()) {
    const std::string picture = export_path(plan, stem, 0, 0);
    return {picture, film::page_path(picture, 0, ".json")};
  }
  for (std::size_t clip = 0; clip < plan.clips.size(); ++clip) {
    const bool sequence = plan.request.options.format == ExportFormat::png;
    const auto files = sequence ? static_cast<std::uint32_t>(plan.clips[clip].plan.positions.size()) : 1U;
    for (std::uint32_t frame = 0; frame < files; ++frame) paths.push_back(export_path(plan, stem, clip, frame));
  }
  return paths;
}

void toggle_exports(Session& session) {
  Exports& exports = session.exports;
  if (exports.running) return;
  exports.open = !exports.open && session.document && !session.view.presenting;
  if (!exports.open) return;
  exports.error.clear();
  exports.in_the_way = 0;
  propose_export_name(session);
}

void propose_export_name(Session& session) {
  Exports& exports = session.exports;
  if (exports.proposed_for != session.document->path) {
    exports.proposed_for = session.document->path;
    const auto folders = screenshot_folders(session);
    put_text(exports.folder, folders.empty() ? "" : folders.front().string());
    exports.proposed = exports.name.data();
  }
  std::string name = proposed_name(session);
  if (exports.proposed == exports.name.data()) put_text(exports.name, name);
  exports.proposed = std::move(name);
}

void start_export(Session& session, bool replace) {
  Exports& exports = session.exports;
  if (!exports.open || exports.running) return;
  exports.wanted = true;
  exports.replace = replace;
  exports.in_the_way = 0;
  exports.error.clear();
}

void leave_export(Session& session) {
  Exports& exports = session.exports;
  exports.wanted = false;
  if (exports.running) {
    exports.cancel = true;
  } else if (exports.in_the_way > 0) {
    exports.in_the_way = 0;
  } else {
    exports.open = false;
  }
}

fs::path export_stem(const Exports& exports) { return fs::path(exports.folder.data()) / exports.name.data(); }

film::InputFiles files_read(const Session& session) {
  film::InputFiles files;
  const auto add = [&](const fs::path& path, const Source& source) {
    files.add(path);
    files.add(markers_path(path));
    for (const FileStamp& read : source.read) files.add(read.path);
  };
  add(session.document->path, session.document->source);
  if (session.comparison.file) add(session.comparison.file->path, session.comparison.file->source);
  files.add(session.view.image);
  return files;
}

bool may_export(Session& session) {
  Exports& exports = session.exports;
  if (exports.name[0] == '\0') {
    exports.error = "The file needs a name";
    return false;
  }
  const auto paths = export_paths(*exports.plan, export_stem(exports));
  const film::InputFiles inputs = files_read(session);
  for (const std::string& path : paths) {
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path, ignored))) continue;
    if (inputs.contains(path)) {
      exports.error = shown_path(path) + " is a file of what is open, which an export never replaces";
      return false;
    }
    if (exports.in_the_way++ == 0) exports.first_in_the_way = shown_path(path);
  }
  if (exports.replace) exports.in_the_way = 0;
  return exports.in_the_way == 0;
}

}  // namespace pchr::player
