// SPDX-License-Identifier: MIT
#include "app/questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

namespace pchr::player {
namespace {

struct Fact {
  std::string_view key;
  std::string (*value)(const App&);
};

std::string yes_or_no(bool on) { return on ? "yes" : "no"; }

std::string range_text(const App& app) {
  const auto& range = app.playback.clock.range();
  return range ? fmt::format("{}-{}", range->first, range->last) : std::string();
}

/// Returns a dock's size, or how it is hidden.
std::string dock_text(const App& app, Dock dock) {
  const std::size_t i = std::to_underlying(dock);
  if (is_open(app, dock)) return fmt::format("{:.0f}", app.arrangement.sizes[i]);
  return app.arrangement.folded[i] ? "folded" : "hidden";
}

/// The bounds of what is drawn, in pixels of the canvas.
std::string drawn_text(const App& app) {
  if (!app.document()) return {};
  const Rect drawn = bounds(app.document()->character(), app.find(Role::open)->figure.posed);
  const Affine to_viewport = world_to_viewport(app.view.camera);
  Rect seen;
  for (const Vec2 corner : {drawn.min, drawn.max}) seen.include(apply(to_viewport, corner));
  return fmt::format("{:.1f} {:.1f} {:.1f} {:.1f}", seen.min.x, seen.min.y, seen.max.x, seen.max.y);
}

/// Returns the frames that the timeline shows.
std::string visible_frames_text(const App& app) {
  const auto at = playhead(app.playback);
  if (!at) return {};
  const auto [first, last] = visible_frames(app.timeline, app.document()->character().clips()[at->clip]);
  return fmt::format("{}-{}", first, last);
}

/// The bind pose of the open character, and "as authored" for none.
std::string bind_pose_text(const App& app) {
  if (!app.document()) return {};
  const Character& character = app.document()->character();
  const BindPoseSource source = character.bind_pose_source();
  if (source.clip == ClipId::none) return "as authored";
  return fmt::format("{} {}", character.clips()[source.clip].name, source.frame);
}

/// The current state of each layer, and the one that still fades out.
std::string states_text(const App& app) {
  const Machine* machine = app.playback.machine();
  if (machine == nullptr) return {};
  std::string text;
  for (std::uint32_t i = 0; const StateLayer& layer : states_of(*machine->graph).layers) {
    const StateStatus status = machine->machine.status(machine->animator, i++);
    text += (text.empty() ? "" : ", ") + layer.states[status.state].name;
    if (status.from < layer.states.size()) text += " from " + layer.states[status.from].name;
  }
  return text;
}

std::string parameters_text(const App& app) {
  const Machine* machine = app.playback.machine();
  if (machine == nullptr) return {};
  std::string text;
  for (std::size_t i = 0; const StateParameter& each : states_of(*machine->graph).parameters) {
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ", each.name, machine->machine.values()[i++]);
  }
  return text;
}

constexpr Fact kFacts[] = {
    {"file", [](const App& app) { return app.document() ? app.document()->name() : std::string(); }},
    {"cast", cast_place},
    {"cast error",
     [](const App& app) {
       const auto failed = std::ranges::find_if(app.cast.entries, [](const CastEntry& e) { return !e.error.empty(); });
       return failed != app.cast.entries.end() ? failed->error : std::string();
     }},
    {"cast shown", [](const App& app) { return fmt::to_string(app.cast.shown.size()); }},
    {"lineup",
     [](const App& app) {
       std::string text;
       for (const Actor& member : app.members()) {
         text += fmt::format("{}{} {:.1f} {:.1f}", text.empty() ? "" : "; ", member.document.name(), member.place.x,
                             member.place.y);
       }
       return text;
     }},
    {"lineup frames",
     [](const App& app) {
       std::string text;
       for (const Actor& member : app.members()) {
         text += fmt::format("{}{}", text.empty() ? "" : " ", member.figure.by ? member.figure.by->time.frame : 0);
       }
       return text;
     }},
    {"clip", [](const App& app) { return app.current_clip() != nullptr ? app.current_clip()->name : std::string(); }},
    {"clip filter", [](const App& app) { return std::string(app.clip_filter.text.data()); }},
    {"frame", [](const App& app) { return fmt::to_string(shown_time(app.playback).frame); }},
    {"states", states_text},
    {"parameters", parameters_text},
    {"playing", [](const App& app) { return yes_or_no(app.playback.playing()); }},
    {"bind pose", bind_pose_text},
    {"opening", [](const App& app) { return app.requests.progress.busy ? app.requests.progress.name : std::string(); }},
    {"range", range_text},
    {"visible frames", visible_frames_text},
    {"speed", [](const App& app) { return fmt::format("{:.2f}", app.playback.settings.speed); }},
    {"zoom", [](const App& app) { return fmt::format("{:.4f}", app.view.camera.zoom); }},
    {"center",
     [](const App& app) { return fmt::format("{:.2f} {:.2f}", app.view.camera.center.x, app.view.camera.center.y); }},
    {"left panels", [](const App& app) { return dock_text(app, Dock::left); }},
    {"right panels", [](const App& app) { return dock_text(app, Dock::right); }},
    {"timeline", [](const App& app) { return dock_text(app, Dock::bottom); }},
    {"cast height", [](const App& app) { return fmt::format("{:.0f}", app.arrangement.cast_height); }},
    {"view height", [](const App& app) { return fmt::format("{:.0f}", app.arrangement.view_height); }},
    {"interface scale", [](const App& app) { return fmt::to_string(app.interface_percent); }},
    {"drawn", drawn_text},
    {"selected",
     [](const App& app) {
       if (!app.document()) return std::string();
       const Character& character = app.document()->character();
       const Selection& selection = app.document()->selection;
       std::string text = selection.mesh ? "mesh " + character.meshes()[*selection.mesh].name : std::string();
       if (selection.bone) text += (text.empty() ? "bone " : ", bone ") + character.bones()[*selection.bone].name;
       return text;
     }},
    {"compared",
     [](const App& app) {
       if (!comparing(app)) return std::string();
       const auto clip = app.comparison.clip;
       return second_name(app) + (clip ? " " + second_document(app).character().clips()[*clip].name : "");
     }},
    {"load error", [](const App& app) { return app.document() ? app.document()->load_error : std::string(); }},
    {"follow-root", [](const App& app) { return yes_or_no(app.view.follow_root); }},
    {"panels", [](const App& app) { return yes_or_no(app.view.panels); }},
    {"asks to quit", [](const App& app) { return yes_or_no(app.asks_to_quit); }},
    {"visible", [](const App& app) { return yes_or_no(app.visible); }},
    {"presented", [](const App& app) { return fmt::to_string(app.presented); }},
    {"canvases", [](const App& app) { return fmt::to_string(app.canvases); }},
    {"export",
     [](const App& app) {
       return std::string(app.exports.running ? "running" : app.exports.open ? "open" : "closed");
     }},
    {"export progress", [](const App& app) { return describe_progress(app.exports.progress); }},
    {"export error", [](const App& app) { return app.exports.error + app.exports.plan_error; }},
    {"export presets", [](const App& app) { return fmt::to_string(app.exports.presets.size()); }},
    {"browser", [](const App& app) { return app.browser.open ? shown_path(app.browser.folder) : std::string(); }},
    {"notice", [](const App& app) { return app.notice.text; }},
    {"notice kind",
     [](const App& app) {
       constexpr const char* kKinds[] = {"info", "success", "warning", "error"};
       return app.notice.text.empty() ? "" : std::string(kKinds[static_cast<std::size_t>(app.notice.kind)]);
     }},
    {"error", [](const App& app) { return app.error; }},
};

}  // namespace

std::string describe_state(const App& app, std::string_view key) {
  const auto* found = std::ranges::find(kFacts, key, &Fact::key);
  if (found == std::end(kFacts)) return {};
  std::string value = found->value(app);
  std::ranges::replace(value, '\n', ' ');
  return value;
}

/// Shared with the thread that waits for questions, which may wait forever.
struct Questions::Mailbox {
  QuestionChannel channel;
  std::function<void()> wake;
  std::mutex mutex{};      ///< Guards the members below.
  bool open = true;        ///< Whether anybody reads questions.
  std::string question{};  ///< The other program asks one question at a time.

  void receive() {
    std::string line;
    while (const auto byte = channel.receive()) {
      if (*byte != '\n') {
        line += *byte;
        continue;
      }
      const std::lock_guard lock(mutex);
      if (!open) return;
      question = std::exchange(line, {});
      wake();
    }
  }
};

Questions::Questions(std::function<void()> wake, int still_frames) : still_frames_(still_frames) {
  const char* descriptors = std::getenv("PCHR_PLAYER_QUESTIONS");
  QuestionChannel channel;
  if (descriptors == nullptr || std::sscanf(descriptors, "%d,%d", &channel.input, &channel.output) != 2) return;
  mailbox_ = std::make_shared<Mailbox>(channel, std::move(wake));
  std::thread([mailbox = mailbox_] { mailbox->receive(); }).detach();
}

Questions::~Questions() {
  if (!mailbox_) return;
  const std::lock_guard lock(mailbox_->mutex);
  mailbox_->open = false;
}

bool Questions::wait_for_frame() {
  if (!mailbox_ || !question_.empty()) return !question_.empty();
  const std::lock_guard lock(mailbox_->mutex);
  question_ = std::exchange(mailbox_->question, {});
  unchanged_ = 0;
  return !question_.empty();
}

void Questions::frame_shown(bool at_rest, const std::function<std::string(std::string_view)>& answer) {
  unchanged_ = at_rest ? unchanged_ + 1 : 0;
  if (question_.empty() || (question_ == "rest" && unchanged_ <= still_frames_)) return;
  const std::string question = std::exchange(question_, {});
  const bool waited = question == "rest" || question == "frame";
  mailbox_->channel.send((waited ? question : answer(question)) + '\n');
}

}  // namespace pchr::player
