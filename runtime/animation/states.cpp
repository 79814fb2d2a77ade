// SPDX-License-Identifier: MIT
// State machines: the exact times of transitions, and what they do to the animator.
#include "animation/state_graph.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <charconv>
#include <cmath>
#include <utility>

namespace pchr {
namespace {

// Times that are closer are the same: rounding must not decide whether a step reaches a point in time.
constexpr double kSameTime = 1e-9;
constexpr std::uint8_t kMaxInstant = 16;
/// Stops of one step. A day of states that last a second has fewer.
constexpr std::uint32_t kMaxStops = 100'000;
// Instead of a transition.
constexpr std::uint32_t kNothing = UINT32_MAX, kNextPart = UINT32_MAX - 1;
enum : std::uint8_t { kStart, kLoop, kEnd };
constexpr std::string_view kSavedTitle = "pchr states 1\n";

const GraphClip& clip_of(const GraphState& state, std::uint8_t part) {
  return part == kStart ? state.start : part == kEnd ? state.end : state.loop;
}

/// Makes a play of an older graph one of `state`, or returns false if that does not play the same.
bool follow(const GraphState& state, Play& play) {
  for (const GraphClip* clip : {&state.start, &state.loop, &state.end}) {
    const bool blends = play.blend != nullptr;
    if (clip->clip != play.clip || clip->clock.mode() != play.clock.mode() || blends != (clip->blend != nullptr) ||
        (blends && clip->blend->clips != play.blend->clips))
      continue;
    play.blend = clip->blend;
    return true;
  }
  return false;
}

}  // namespace

/// How far a layer is in what it plays. A state without a duration counts seconds.
struct StateMachine::Progress {
  const Play* play = nullptr;
  double duration = 1;  ///< Duration of the play, in its own time.
  double now = 0;       ///< In the current duration.
  double restart = 0;   ///< Where a loop starts again.
  double rate = 0;      ///< Own time per time.
  double loops = 0;
  bool repeats = true;

  [[nodiscard]] double share() const {
    return play != nullptr ? play->clock.seconds() / play->clock.duration_seconds() : now;
  }
  [[nodiscard]] double phase() const { return loops + share(); }
  [[nodiscard]] double seconds_to_end() const {
    if (play != nullptr) return pchr::seconds_to_end(*play, play->clock, false);
    return rate > 0 ? (duration - now) / rate : HUGE_VAL;
  }

  /// Returns the time until the phase is `target`.
  [[nodiscard]] double seconds_to(double target) const {
    // The end of a clip that plays once counts for all times after it.
    if (!repeats) target = std::min(target, 1.0);
    if (phase() >= target) return 0;
    if (!(rate > 0)) return HUGE_VAL;
    const double whole = repeats ? std::floor(target) : 0, part = target - whole;
    const double place = play != nullptr ? play_seconds(*play, part * play->clock.duration_seconds()) : part * duration;
    const double restarts = whole - loops;
    if (restarts <= 0) return std::max(place - now, 0.0) / rate;
    return (duration - now + (restarts - 1) * (duration - restart) + std::max(place - restart, 0.0)) / rate;
  }

  /// Returns the time until the end of a duration at which the phase is at least `target`.
  [[nodiscard]] double seconds_to_end_after(double target) const {
    if (!repeats) return play->clock.at_end() ? 0 : seconds_to_end();
    if (!(rate > 0)) return phase() >= target ? seconds_to_end() : HUGE_VAL;
    const bool restarted = loops > 0 && now - restart <= kSameTime * rate;
    if (restarted && loops >= target) return 0;
    const double more = std::max(std::ceil(target - loops - 1 - kSameTime), 0.0);
    return seconds_to_end() + (more > 0 ? more * (duration - restart) / rate : 0);
  }
};

StateMachine::StateMachine(std::shared_ptr<const StateGraph> graph) : graph_(std::move(graph)) {
  assert(graph_ != nullptr);
  for (const StateParameter& parameter : graph_->source.parameters) values_.push_back(parameter.value);
  for (const GraphLayer& layer : graph_->layers) layers_.push_back({.state = layer.first});
}

std::optional<std::uint32_t> StateMachine::find_parameter(std::string_view name) const noexcept {
  const auto& parameters = graph_->source.parameters;
  const auto found = std::ranges::find(parameters, name, &StateParameter::name);
  if (found == parameters.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - parameters.begin());
}

bool StateMachine::set(std::uint32_t number, float value) noexcept {
  if (number >= values_.size()) return false;
  const StateParameter& parameter = graph_->source.parameters[number];
  const bool is_number = parameter.kind == StateParameter::Kind::number;
  if (!std::isfinite(value)) return true;
  value = is_number ? std::clamp(value, parameter.min, parameter.max) : value != 0 ? 1.0F : 0.0F;
  changed_ |= value != values_[number];
  values_[number] = value;
  return true;
}

bool StateMachine::set(std::string_view parameter, float value) noexcept {
  const std::optional<std::uint32_t> number = find_parameter(parameter);
  return number && set(*number, value);
}

bool StateMachine::fire(std::string_view trigger) noexcept {
  const std::optional<std::uint32_t> number = find_parameter(trigger);
  return number && graph_->source.parameters[*number].kind == StateParameter::Kind::trigger && set(*number, 1);
}

std::span<const float> StateMachine::values() const noexcept { return values_; }

std::span<const StateEvent> StateMachine::events() const noexcept { return events_; }

std::span<const StateEvent> StateMachine::advance(Animator& animator, double seconds) {
  attach(animator);
  const double speed = animator.speed(), time = seconds * speed;
  if (changed_) apply_values(animator);
  if (std::isfinite(time)) time < 0 ? pass_time(animator, -time, 0, true, 0) : step(animator, time);
  animator.finish_step(time);
  events_.clear();
  events_.swap(pending_);
  if (std::abs(speed) != 1 && speed != 0) {
    for (StateEvent& event : events_) event.seconds /= std::abs(speed);
  }
  return events_;
}

/// Sets up the layers of an animator and enters the first states.
void StateMachine::attach(Animator& animator) {
  if (attached_ && animator.layers_.size() >= layers_.size()) [[likely]]
    return;
  attached_ = true;
  for (std::uint32_t number = 0; number < layers_.size(); ++number) {
    animator.set_layer(number, graph_->layers[number].options);
    const std::uint32_t state = layers_[number].state;
    layers_[number].state = kNoState;
    go_to(animator, number, state, 0, false, 0);
  }
  changed_ = true;
}

/// Makes plays and weights follow the parameters.
void StateMachine::apply_values(Animator& animator) {
  changed_ = false;
  for (std::uint32_t number = 0; number < layers_.size(); ++number) {
    const GraphLayer& layer = graph_->layers[number];
    if (layer.weight_parameter != kNoState)
      animator.layers_[number].options.weight =
          std::clamp(layer.options.weight * values_[layer.weight_parameter], 0.0F, 1.0F);
    for (Play& play : animator.layers_[number].plays) apply_values(number, play);
  }
  find_waiting();
}

void StateMachine::apply_values(std::uint32_t number, Play& play) const {
  if (play.state >= graph_->layers[number].states.size()) return;
  const GraphState& state = graph_->layers[number].states[play.state];
  const auto value = [&](std::uint32_t parameter) { return parameter == kNoState ? 0.0F : values_[parameter]; };
  Clock& clock = play.clock;
  clock.set_speed(speed_of(number, play.state));
  // A clip that ended turns around with its speed.
  const bool stopped = !clock.playing() && clock.effective_mode() == LoopMode::once &&
                       (clock.seconds() <= 0 || clock.seconds() >= clock.duration_seconds());
  if (stopped && clock.speed() != 0 && !clock.at_end()) clock.play();
  if (play.blend) set_blend_weights(state, {value(state.x), value(state.y)}, play);
}

double StateMachine::speed_of(std::uint32_t layer, std::uint32_t number) const {
  const GraphState& state = graph_->layers[layer].states[number];
  return state.speed * (state.speed_parameter == kNoState ? 1.0F : values_[state.speed_parameter]);
}

/// Finds out which layers must be looked at in each step.
void StateMachine::find_waiting() {
  waits_ = false;
  for (std::uint32_t number = 0; number < layers_.size(); ++number) {
    Layer& layer = layers_[number];
    const GraphState& state = graph_->layers[number].states[layer.state];
    layer.waits = (layer.part == kStart && state.loop.clip != ClipId::none) || layer.part == kEnd ||
                  std::ranges::any_of(state.outgoing, [&](std::uint32_t each) { return holds(number, each); });
    waits_ |= layer.waits;
  }
}

bool StateMachine::holds(std::uint32_t layer, std::uint32_t transition) const {
  return std::ranges::all_of(graph_->layers[layer].transitions[transition].conditions,
                             [&](const GraphCondition& condition) {
                               const float value = values_[condition.parameter];
                               switch (condition.test) {
                                 case StateCondition::Test::above:
                                   return value > condition.value;
                                 case StateCondition::Test::below:
                                   return value < condition.value;
                                 case StateCondition::Test::is_true:
                                   return value != 0;
                                 case StateCondition::Test::is_false:
                                   return value == 0;
                               }
                               return false;
                             });
}

StateMachine::Progress StateMachine::progress(const Animator& animator, std::uint32_t number) const {
  const Layer& layer = layers_[number];
  const std::span<const Play> plays = animator.plays(number);
  const bool plays_clip = !plays.empty() && layer.play != PlayId::none && plays.back().id == layer.play &&
                          plays.back().clock.duration_seconds() > 0;
  if (!plays_clip) {
    const double whole = std::floor(layer.seconds);
    return {.now = layer.seconds - whole, .rate = speed_of(number, layer.state), .loops = whole};
  }
  const Play& play = plays.back();
  const Clip& clip = animator.character().clips()[play.clip];
  const double duration = play_seconds(play, play.clock.duration_seconds());
  return {.play = &play,
          .duration = duration,
          .now = play_seconds(play, play.clock.seconds()),
          .restart = play.blend ? 0 : clip.frame_begin(clip.loop_start),
          .rate = play.clock.playing() ? play.clock.speed() : 0,
          .loops = static_cast<double>(play.loops),
          .repeats = play.clock.effective_mode() != LoopMode::once};
}

/// Finds what happens next in a layer if no parameter changes: the transition that is possible first, and of those at
/// the same time the first of the list.
void StateMachine::find_next(const Animator& animator, std::uint32_t number) {
  Layer& layer = layers_[number];
  layer.due = HUGE_VAL;
  layer.next = kNothing;
  if (!layer.waits || layer.instant >= kMaxInstant) return;
  const GraphLayer& graph = graph_->layers[number];
  const GraphState& state = graph.states[layer.state];
  const Progress progress = this->progress(animator, number);
  // A fade that is shorter than the same time must not block: no step would end it.
  const bool blocked = layer.transition != kNothing && !graph.transitions[layer.transition].interruptible &&
                       layer.fade_seconds - layer.faded_seconds > kSameTime;
  if (blocked) {
    layer.due = layer.fade_seconds - layer.faded_seconds;
  } else if (layer.part == kEnd) {
    layer.due = progress.seconds_to_end_after(0);
    layer.next = layer.ending;
  }
  for (const std::uint32_t each : blocked ? std::span<const std::uint32_t>() : state.outgoing) {
    const GraphTransition& transition = graph.transitions[each];
    const bool begins_end = transition.at_end && state.end.clip != ClipId::none;
    if ((begins_end && layer.part == kEnd) || !holds(number, each)) continue;
    const double after = transition.after > 0 ? transition.after - layer.base : -HUGE_VAL;
    const double due =
        transition.at_end && !begins_end ? progress.seconds_to_end_after(after) : progress.seconds_to(after);
    if (!(due + kSameTime < layer.due) && layer.next != kNothing) continue;
    layer.due = due;
    layer.next = each;
  }
  if (layer.part == kStart && state.loop.clip != ClipId::none) {
    const double due = progress.seconds_to_end_after(0);
    if (!(due + kSameTime < layer.due)) return;
    layer.due = due;
    layer.next = kNextPart;
  }
}

/// Advances by a part of a step.
void StateMachine::pass_time(Animator& animator, double seconds, double since, bool backwards, std::uint64_t to_end) {
  animator.pass_time(seconds, since, backwards, to_end);
  for (std::uint32_t number = 0; number < layers_.size(); ++number) {
    Layer& layer = layers_[number];
    if (seconds > kSameTime) layer.instant = 0;
    if (layer.counts) {
      const double passed = (backwards ? -seconds : seconds) * speed_of(number, layer.state);
      layer.seconds = std::clamp(layer.seconds + passed, -kMaxLoops, kMaxLoops);
    }
    if (layer.from == kNoState) continue;
    layer.faded_seconds += seconds;
    if (layer.faded_seconds + kSameTime >= layer.fade_seconds) layer.from = layer.transition = kNoState;
  }
}

/// Advances time, stopping wherever a transition is possible.
void StateMachine::step(Animator& animator, double seconds) {
  for (Layer& layer : layers_) layer.instant = 0;
  std::uint32_t stops = 0;
  for (double since = 0;; ++stops) {
    const double left = seconds - since;
    double due = HUGE_VAL;
    for (std::uint32_t number = 0; waits_ && stops < kMaxStops && number < layers_.size(); ++number) {
      find_next(animator, number);
      due = std::min(due, layers_[number].due);
    }
    if (!(due <= left + kSameTime)) return pass_time(animator, left, since, false, 0);
    const auto is_due = [&](const Layer& layer) { return layer.due <= due + kSameTime; };
    std::uint64_t to_end = 0;
    for (std::uint32_t number = 0; number < layers_.size(); ++number) {
      if (!is_due(layers_[number])) continue;
      const Progress progress = this->progress(animator, number);
      if (progress.play != nullptr && std::abs(progress.seconds_to_end() - layers_[number].due) <= kSameTime)
        to_end |= std::uint64_t{1} << number;
    }
    const double slice = std::min(due, left);
    if (slice > 0 || to_end != 0) pass_time(animator, slice, since, false, to_end);
    since = slice < left ? since + slice : seconds;

    // All layers see a trigger before one of them has used it up.
    std::array<std::uint32_t, Animator::kMaxLayers> used;
    for (std::uint32_t number = 0; number < layers_.size(); ++number) {
      const Layer& layer = layers_[number];
      const bool taken = is_due(layer) && layer.next != kNothing;
      const bool ended = layer.part == kEnd && layer.next == layer.ending;
      used[number] = taken && layer.next != kNextPart && !ended ? layer.next : kNothing;
      if (taken) take_next(animator, number, since);
    }
    for (std::uint32_t number = 0; number < layers_.size(); ++number) {
      if (used[number] != kNothing) use_triggers(number, used[number]);
    }
    find_waiting();
  }
}

void StateMachine::use_triggers(std::uint32_t layer, std::uint32_t transition) {
  for (const GraphCondition& condition : graph_->layers[layer].transitions[transition].conditions) {
    if (graph_->source.parameters[condition.parameter].kind == StateParameter::Kind::trigger)
      values_[condition.parameter] = 0;
  }
}

void StateMachine::take_next(Animator& animator, std::uint32_t number, double since) {
  Layer& layer = layers_[number];
  ++layer.instant;
  if (layer.next == kNextPart) {
    layer.base += 1;
    return play_part(animator, number, kLoop, 0, 0, since);
  }
  const std::uint32_t taken = layer.next;
  const GraphTransition& transition = graph_->layers[number].transitions[taken];
  if (transition.at_end && layer.part != kEnd && graph_->layers[number].states[layer.state].end.clip != ClipId::none) {
    layer.base += progress(animator, number).phase();
    layer.ending = taken;
    return play_part(animator, number, kEnd, kSequenceFade, 0, since);
  }
  go_to(animator, number, transition.to, transition.fade_seconds, transition.synchronized, since);
  if (transition.fade_seconds > 0) layer.transition = taken;
}

/// Enters a state.
void StateMachine::go_to(Animator& animator, std::uint32_t number, std::uint32_t state, double fade_seconds,
                         bool synchronized, double since) {
  Layer& layer = layers_[number];
  const std::uint32_t before = layer.state;
  double share = 0;
  if (before != kNoState) {
    const Progress old = progress(animator, number);
    if (synchronized && (old.play == nullptr || !old.play->clock.at_end())) share = old.share();
    report(number, StateEvent::Kind::left, since);
  }
  const bool starts = graph_->layers[number].states[state].start.clip != ClipId::none;
  layer = {.state = state,
           .from = fade_seconds > 0 ? before : kNoState,
           .fade_seconds = fade_seconds,
           .instant = layer.instant};
  report(number, StateEvent::Kind::entered, since);
  play_part(animator, number, starts ? kStart : kLoop, fade_seconds, share, since);
}

/// Plays a part of the state of a layer, or the only one, from a share of its duration.
void StateMachine::play_part(Animator& animator, std::uint32_t number, std::uint8_t part, double fade_seconds,
                             double share, double since) {
  Layer& layer = layers_[number];
  const GraphClip& clip = clip_of(graph_->layers[number].states[layer.state], part);
  layer.part = part;
  layer.counts = !(clip.clock.duration_seconds() > 0);
  layer.seconds = share;
  if (layer.counts) layer.base -= share;
  layer.play = PlayId::none;
  animator.layers_[number].queue.clear();
  animator.report_interrupted(number, since);
  if (clip.clip == ClipId::none) return animator.fade_out(number, fade_seconds);
  Play play;
  play.id = layer.play = PlayId{++animator.last_id_};
  play.clip = clip.clip;
  play.clock = clip.clock;
  play.fade_seconds = fade_seconds;
  play.state = layer.state;
  play.blend = clip.blend;
  apply_values(number, play);
  play.clock.rewind();
  if (share > 0) play.clock.seek_seconds(share * play.clock.duration_seconds());
  if (!layer.counts) layer.base -= play.clock.seconds() / play.clock.duration_seconds();
  animator.start(number, play, since);
}

void StateMachine::report(std::uint32_t layer, StateEvent::Kind kind, double since) {
  const std::uint32_t state = layers_[layer].state;
  const State& source = graph_->source.layers[layer].states[state];
  pending_.push_back({kind, layer, state, nullptr, since});
  for (const std::string& name : kind == StateEvent::Kind::left ? source.on_leave : source.on_enter)
    pending_.push_back({StateEvent::Kind::named, layer, state, &name, since});
}

StateStatus StateMachine::status(const Animator& animator, std::uint32_t number) const noexcept {
  if (number >= layers_.size()) return {};
  const Layer& layer = layers_[number];
  const double progress = layer.from == kNoState ? 1 : layer.faded_seconds / layer.fade_seconds;
  return {layer.state, layer.from, layer.transition, static_cast<float>(progress),
          layer.base + this->progress(animator, number).phase()};
}

bool StateMachine::enter(Animator& animator, std::uint32_t layer, std::uint32_t state, double fade_seconds) {
  if (layer >= layers_.size() || state >= graph_->layers[layer].states.size()) return false;
  attach(animator);
  go_to(animator, layer, state, fade_seconds > 0 && std::isfinite(fade_seconds) ? fade_seconds : 0, false, 0);
  changed_ = true;
  return true;
}

/// Where a layer is, in names.
struct StateMachine::Saved {
  std::string layer, state;
  std::string to;  ///< Where the transition at the end of a sequence leads.
  std::uint8_t part = kLoop;
  std::int64_t loops = 0;
  double seconds = 0;  ///< Time in the clip, or the phase if that has no duration.
  double base = 0;
  // Only for rebind().
  std::string from;
  double fade_seconds = 0, faded_seconds = 0;
  PlayId play = PlayId::none;
  const StateTransition* fading = nullptr;  ///< In the graph that it was saved from.
};

std::vector<StateMachine::Saved> StateMachine::saved(const Animator& animator) const {
  std::vector<Saved> all;
  for (std::uint32_t number = 0; number < layers_.size(); ++number) {
    const Layer& layer = layers_[number];
    const StateLayer& source = graph_->source.layers[number];
    const Play* play = progress(animator, number).play;
    Saved& saved = all.emplace_back();
    saved.layer = source.name;
    saved.state = source.states[layer.state].name;
    if (layer.ending != kNoState) saved.to = source.transitions[layer.ending].to;
    saved.part = layer.part;
    saved.loops = play != nullptr ? play->loops : 0;
    saved.seconds = play != nullptr ? play->clock.seconds() : layer.seconds;
    saved.base = layer.base;
    if (layer.from != kNoState) saved.from = source.states[layer.from].name;
    saved.fade_seconds = layer.fade_seconds;
    saved.faded_seconds = layer.faded_seconds;
    saved.play = layer.play;
    if (layer.transition != kNoState) saved.fading = &source.transitions[layer.transition];
  }
  return all;
}

/// Goes to where a layer was. A play of the same clip goes on. Returns false if the names are not there.
bool StateMachine::resume(Animator& animator, const Saved& saved) {
  const auto& layers = graph_->source.layers;
  const auto source = std::ranges::find(layers, saved.layer, &StateLayer::name);
  if (source == layers.end()) return false;
  const auto number = static_cast<std::uint32_t>(source - layers.begin());
  const std::uint32_t state = index_of(source->states, saved.state);
  if (state == kNoState) return false;
  const GraphLayer& graph = graph_->layers[number];
  const GraphState& to = graph.states[state];
  Layer& layer = layers_[number];
  layer = {.state = state};
  std::uint8_t part = saved.part;
  if (part == kEnd) {
    const auto ending = std::ranges::find_if(to.outgoing, [&](std::uint32_t each) {
      return graph.transitions[each].at_end && source->transitions[each].to == saved.to;
    });
    if (ending != to.outgoing.end()) layer.ending = *ending;
  }
  if ((part == kEnd && layer.ending == kNoState) || clip_of(to, part).clip == ClipId::none)
    part = to.loop.clip == ClipId::none && to.start.clip != ClipId::none ? kStart : kLoop;

  const GraphClip& clip = clip_of(to, part);
  const std::vector<Play>& plays = animator.layers_[number].plays;
  const Play* top = plays.empty() ? nullptr : &plays.back();
  const bool fades_out = !saved.from.empty() && (top == nullptr || top->kind == Play::Kind::fade_out);
  const bool plays_same = top != nullptr && top->id == saved.play && top->state == state && top->clip == clip.clip;
  if (clip.clip == ClipId::none ? fades_out : plays_same) {
    layer.part = part;
    layer.play = saved.play;
    layer.counts = !(clip.clock.duration_seconds() > 0);
    layer.from = index_of(source->states, saved.from);
    layer.fade_seconds = saved.fade_seconds;
    layer.faded_seconds = saved.faded_seconds;
    if (saved.fading != nullptr && layer.from != kNoState) {
      const auto same = std::ranges::find(source->transitions, *saved.fading);
      if (same != source->transitions.end())
        layer.transition = static_cast<std::uint32_t>(same - source->transitions.begin());
    }
  } else {
    play_part(animator, number, part, 0, 0, 0);
    if (Play* play = animator.find(layer.play)) {
      play->clock.seek_seconds(saved.seconds);
      play->loops = saved.loops;
      if (play->clock.seconds_to_end() == 0) play->clock.advance_to_end();
    }
    std::erase_if(animator.unreported_, [&](const AnimatorEvent& event) { return event.layer == number; });
  }
  layer.base = saved.base;
  if (layer.counts) layer.seconds = std::clamp(saved.seconds, -kMaxLoops, kMaxLoops);
  return true;
}

namespace {

/// Gives parts whose names are gone the names that are new at their places. Returns whether there are any.
bool take_names(auto& parts, const auto& renamed) {
  bool taken = false;
  for (std::size_t i = 0; parts.size() == renamed.size() && i < parts.size(); ++i) {
    const std::string& name = renamed[i].name;
    if (index_of(parts, name) != kNoState || index_of(renamed, parts[i].name) != kNoState) continue;
    if constexpr (requires { parts[i].kind; }) {
      if (parts[i].kind != renamed[i].kind) continue;
    }
    parts[i].name = name;
    taken = true;
  }
  return taken;
}

/// Returns a graph with the names in `to` of the parts that are renamed there.
std::shared_ptr<const StateGraph> with_names(std::shared_ptr<const StateGraph> graph, const States& to) {
  StateGraph named = *graph;
  States& source = named.source;
  bool taken = take_names(source.parameters, to.parameters);
  taken |= take_names(source.layers, to.layers);
  for (std::size_t i = 0; i < source.layers.size(); ++i) {
    StateLayer& layer = source.layers[i];
    const std::uint32_t same = index_of(to.layers, layer.name);
    if (same != kNoState) taken |= take_names(layer.states, to.layers[same].states);
    for (std::size_t t = 0; t < layer.transitions.size(); ++t) {
      StateTransition& transition = layer.transitions[t];
      const GraphTransition& indices = named.layers[i].transitions[t];
      if (!transition.from.empty()) transition.from = layer.states[indices.from].name;
      transition.to = layer.states[indices.to].name;
      for (std::size_t c = 0; c < transition.conditions.size(); ++c)
        transition.conditions[c].parameter = source.parameters[indices.conditions[c].parameter].name;
    }
  }
  return taken ? std::make_shared<const StateGraph>(std::move(named)) : graph;
}

}  // namespace

void StateMachine::rebind(Animator& animator, std::shared_ptr<const StateGraph> graph) {
  assert(graph != nullptr);
  graph_ = with_names(std::move(graph_), graph->source);
  const std::vector<Saved> saved = this->saved(animator);
  const std::shared_ptr<const StateGraph> before = std::exchange(graph_, std::move(graph));
  const std::vector<float> values = std::exchange(values_, {});
  events_.clear();
  pending_.clear();
  layers_.clear();
  for (const StateParameter& parameter : graph_->source.parameters) {
    values_.push_back(parameter.value);
    const std::uint32_t old = index_of(before->source.parameters, parameter.name);
    if (old != kNoState) set(static_cast<std::uint32_t>(values_.size()) - 1, values[old]);
  }
  for (const GraphLayer& layer : graph_->layers) layers_.push_back({.state = layer.first});
  changed_ = true;
  if (!attached_) return;

  // The animator can be another one, with fewer layers.
  for (std::uint32_t number = 0; number < before->layers.size() && number < animator.layers_.size(); ++number) {
    if (number >= layers_.size()) {
      animator.stop(number);
      continue;
    }
    const StateLayer &from = before->source.layers[number], &to = graph_->source.layers[number];
    for (Play& play : animator.layers_[number].plays) {
      if (play.state == kNoState) continue;
      play.state = from.name == to.name ? index_of(to.states, from.states[play.state].name) : kNoState;
      if (play.state != kNoState && !follow(graph_->layers[number].states[play.state], play)) play.state = kNoState;
    }
  }
  for (std::uint32_t number = 0; number < layers_.size(); ++number) {
    animator.set_layer(number, graph_->layers[number].options);
    const auto same = std::ranges::find(saved, graph_->source.layers[number].name, &Saved::layer);
    if (same != saved.end() && resume(animator, *same)) continue;
    layers_[number].state = kNoState;
    go_to(animator, number, graph_->layers[number].first, 0, false, 0);
  }
  pending_.clear();
}

// A line per parameter and layer. Names can have any character, so their lengths come first: "value 5:speed 3fc00000".
std::string StateMachine::save(const Animator& animator) const {
  std::string text(kSavedTitle);
  const auto name = [&](std::string_view value) {
    text += ' ' + std::to_string(value.size()) + ':';
    text += value;
  };
  const auto number = [&](std::uint64_t value) {
    std::array<char, 17> digits;
    text += ' ';
    text.append(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr);
  };
  for (std::size_t i = 0; i < values_.size(); ++i) {
    text += "value";
    name(graph_->source.parameters[i].name);
    number(std::bit_cast<std::uint32_t>(values_[i]));
    text += '\n';
  }
  for (const Saved& layer : saved(animator)) {
    text += "layer";
    name(layer.layer), name(layer.state), name(layer.to);
    number(layer.part);
    number(static_cast<std::uint64_t>(layer.loops));
    number(std::bit_cast<std::uint64_t>(layer.seconds));
    number(std::bit_cast<std::uint64_t>(layer.base));
    text += '\n';
  }
  return text;
}

bool StateMachine::restore(Animator& animator, std::string_view text) {
  bool good = true;
  const auto skip = [&](std::string_view word) {
    const bool there = text.starts_with(word);
    if (there) text.remove_prefix(word.size());
    return there;
  };
  const auto number = [&](int base) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    good &= error == std::errc();
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
  };
  const auto bits = [&](std::uint64_t max = UINT64_MAX) {
    good &= skip(" ");
    const std::uint64_t value = number(16);
    good &= value <= max;
    return value;
  };
  const auto time = [&] {
    const double value = std::bit_cast<double>(bits());
    good &= std::isfinite(value);
    return value;
  };
  const auto name = [&] {
    good &= skip(" ");
    const std::uint64_t size = number(10);
    good &= skip(":") && size <= text.size();
    if (!good) return std::string();
    const std::string value(text.substr(0, size));
    text.remove_prefix(size);
    return value;
  };
  std::vector<std::pair<std::string, float>> values;
  std::vector<Saved> layers;
  good &= skip(kSavedTitle);
  while (good && !text.empty()) {
    if (skip("value")) {
      auto& [parameter, value] = values.emplace_back(name(), 0.0F);
      value = std::bit_cast<float>(static_cast<std::uint32_t>(bits(UINT32_MAX)));
      good &= std::isfinite(value);
    } else if (skip("layer")) {
      Saved& layer = layers.emplace_back();
      layer.layer = name(), layer.state = name(), layer.to = name();
      layer.part = static_cast<std::uint8_t>(bits(kEnd));
      layer.loops = static_cast<std::int64_t>(bits());
      layer.seconds = time(), layer.base = time();
      good &= std::abs(static_cast<double>(layer.loops)) <= kMaxLoops && std::abs(layer.base) <= 2 * kMaxLoops;
    } else {
      good = false;
    }
    good &= skip("\n");
  }
  if (!good) return false;
  attach(animator);
  for (const auto& [parameter, value] : values) set(parameter, value);
  for (const Saved& layer : layers) resume(animator, layer);
  pending_.clear();
  changed_ = true;
  return true;
}

}  // namespace pchr
