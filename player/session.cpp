// SPDX-License-Identifier: MIT
// Opening files, choosing clips and moving time.
#include "session.hpp"

#include <pchr/bounds.hpp>
#include <pchr/load.hpp>

#include <algorithm>
#include <expected>
#include <utility>

namespace pchr::player {
namespace {

std::expected<Document, std::string> open_document(Renderer& renderer, const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  auto character = load(path);
  if (!character) return std::unexpected(describe(character.error(), name));
  auto model = renderer.upload(*character);
  if (!model) return std::unexpected(name + ": " + model.error().message);
  return Document{.path = path, .model = std::move(*model)};
}

/// A clip that moves, rather than the one-frame bind clip that files often begin with.
std::optional<std::uint32_t> opening_clip(std::span<const Clip> clips) {
  auto found = std::ranges::find_if(clips, [](const Clip& clip) { return clip.frame_count > 1; });
  if (found == clips.end()) found = std::ranges::find_if(clips, [](const Clip& clip) { return clip.frame_count > 0; });
  if (found == clips.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - clips.begin());
}

bool same(const FramePosition& a, const FramePosition& b) noexcept {
  return a.frame == b.frame && a.next == b.next && a.factor == b.factor;
}

}  // namespace

void open_file(Session& session, Renderer& renderer, std::span<const std::filesystem::path> paths) {
  std::string first_error;
  for (const auto& path : paths) {
    auto document = open_document(renderer, path);
    if (!document) {
      if (first_error.empty()) first_error = std::move(document.error());
      continue;
    }
    session.document = std::move(*document);
    ++session.files_opened;
    session.error.clear();
    session.view.fitted = true;
    session.document->model.set_filter(session.view.filter);
    if (const auto clip = opening_clip(session.document->character().clips())) {
      select_clip(session, *clip);
      session.document->clock.play();
    } else {
      session.document->bounds = character_bounds(session.document->character());
    }
    return;
  }
  session.error = std::move(first_error);
}

void select_clip(Session& session, std::uint32_t clip) {
  if (!session.document || clip >= session.document->character().clips().size()) return;
  Document& document = *session.document;
  const Clip& chosen = document.character().clips()[clip];
  if (chosen.frame_count == 0) return;
  const bool was_playing = document.clock.playing();
  document.clip = clip;
  document.clock = Clock(chosen, session.playback.mode);
  document.clock.set_speed(session.playback.speed);
  if (!was_playing) document.clock.pause();
  document.shown.reset();
  document.bounds = clip_bounds(document.character(), clip);
  session.reveal_clip = true;
}

void select_neighbour(Session& session, int direction) {
  if (!session.document || !session.document->clip) return;
  const auto clips = session.document->character().clips();
  for (std::int64_t i = std::int64_t{*session.document->clip} + direction; i >= 0 && i < std::ssize(clips);
       i += direction) {
    if (clips[static_cast<std::size_t>(i)].frame_count == 0) continue;
    select_clip(session, static_cast<std::uint32_t>(i));
    return;
  }
}

bool advance(Session& session, double seconds) {
  if (!session.document) return false;
  Document& document = *session.document;
  if (!document.clip) {
    if (document.shown) return false;
    pose_bind(document.character(), document.posed);
    document.shown = FramePosition{};
    return true;
  }
  document.clock.advance(seconds);
  const FramePosition position = document.clock.position(session.playback.sampling);
  if (document.shown && same(*document.shown, position)) return false;
  pose_clip(document.character(), *document.clip, position, document.posed);
  document.shown = position;
  return true;
}

void toggle_playing(Session& session) {
  if (!session.document) return;
  Clock& clock = session.document->clock;
  clock.playing() ? clock.pause() : clock.play();
}

void step_frames(Session& session, std::int64_t frames) {
  if (session.document) session.document->clock.step(frames);
}

void seek_frame(Session& session, std::uint32_t frame) {
  if (!session.document) return;
  session.document->clock.pause();
  session.document->clock.seek_frame(frame);
}

void seek_last_frame(Session& session) {
  const Clip* clip = session.document ? session.document->current_clip() : nullptr;
  if (clip != nullptr) seek_frame(session, clip->frame_count - 1);
}

void set_loop_mode(Session& session, LoopMode mode) {
  session.playback.mode = mode;
  if (session.document) session.document->clock.set_mode(mode);
}

void set_speed(Session& session, double speed) {
  session.playback.speed = speed;
  if (session.document) session.document->clock.set_speed(speed);
}

void set_filter(Session& session, Filter filter) {
  session.view.filter = filter;
  if (session.document) session.document->model.set_filter(filter);
}

bool playing(const Session& session) noexcept { return session.document && session.document->clock.playing(); }

std::string title(const Session& session) {
  if (!session.document) return "Pachario player";
  std::string text = session.document->name();
  if (const Clip* clip = session.document->current_clip()) text += " \u2013 " + clip->name;
  return text + " \u2013 Pachario player";
}

}  // namespace pchr::player
