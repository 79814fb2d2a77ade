// SPDX-License-Identifier: MIT
#include "playback/playback.hpp"

#include "document/loader.hpp"
#include "document/turntable.hpp"

#include <pchr/pose.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pchr::player {

Transport::Transport(const Clip& clip, const PlaybackSettings& settings)
    : clock_(clip, settings.mode),
      whole_(clip, LoopMode::once),
      frame_count_(clip.frame_count),
      duration_seconds_(clip.duration_seconds()) {
  configure(settings);
  play();
}

void Transport::configure(const PlaybackSettings& settings) noexcept {
  clock_.set_speed(settings.speed);
  whole_.set_speed(settings.speed);
  mode_ = settings.mode;
  clock_.set_mode(clock_mode());
  if (rested_ && !repeats()) {
    rested_.reset();
    if (effective_mode() != LoopMode::once) clock_.play();
  }
  if (times_ == 0) loops_ = 0;
  times_ = settings.counted ? settings.times : 0;
}

LoopMode Transport::clock_mode() const noexcept {
  return mode_ == LoopMode::from_file && range_ ? LoopMode::loop : mode_;
}

FrameRange Transport::played() const noexcept { return range_.value_or(FrameRange{0, std::max(frame_count_, 1U) - 1}); }

void Transport::set_range(const Clip& clip, std::optional<FrameRange> range) noexcept {
  if (frame_count_ == 0) return;
  if (range) *range = {std::min(range->first, frame_count_ - 1), std::min(range->last, frame_count_ - 1)};
  if (range == range_ || (range && range->first > range->last)) return;
  const std::uint32_t current = frame();
  const double speed = clock_.speed();
  const bool plays = playing();
  range_ = range;
  rested_.reset();
  const auto [first, last] = played();
  first_seconds_ = clip.frame_begin(first);
  clock_ = range_ ? Clock(clip, clock_mode(), first, last - first + 1) : Clock(clip, clock_mode());
  clock_.set_speed(speed);
  outside_ = false;
  seek_frame(std::clamp(current, first, last));
  if (!plays) clock_.pause();
}

bool Transport::repeats() const noexcept {
  return mode_ == LoopMode::from_file && frame_count_ > 1 && effective_mode() == LoopMode::once;
}

void Transport::play() noexcept {
  if (outside_) return whole_.play();
  if (rested_) return;
  // In reverse, the start of a loop is the end of the previous one.
  const bool nothing_left = times_ > 0 && clock_.speed() < 0 && clock_.seconds() <= 0;
  if (finished() || nothing_left) {
    clock_.rewind();
    loops_ = 0;
  }
  clock_.play();
}

void Transport::pause() noexcept {
  clock_.pause();
  whole_.pause();
  rested_.reset();
}

void Transport::restart() noexcept {
  outside_ = false;
  rested_.reset();
  clock_.rewind();
  clock_.play();
}

double Transport::seconds_to_range() const noexcept {
  const bool forward = clock_.speed() >= 0;
  const bool before = whole_.frame() < played().first;
  if (forward != before) return whole_.seconds_to_end();
  const double entry = forward ? first_seconds_ : first_seconds_ + clock_.duration_seconds();
  return std::max((entry - whole_.seconds()) / clock_.speed(), 0.0);
}

void Transport::advance(double seconds) noexcept {
  if (!playing()) return;
  if (outside_) {
    const double left = seconds_to_range();
    if (seconds < left) {
      whole_.advance(seconds);
      return;
    }
    restart();
    seconds -= left;
  }
  if (rested_) {
    *rested_ += seconds;
    if (*rested_ < kEndSeconds) return;
    seconds = *rested_ - kEndSeconds;
    restart();
  }
  const double left = clock_.seconds_to_end();
  const Advance step = clock_.advance(seconds);
  if (step.finished && repeats()) {
    const double cycle = clock_.duration_seconds() / std::abs(clock_.speed()) + kEndSeconds;
    rested_ = std::fmod(std::max(seconds - left, 0.0), cycle);
    if (*rested_ < kEndSeconds) return;
    const double played = *rested_ - kEndSeconds;
    restart();
    clock_.advance(played);
    return;
  }
  loops_ += std::min(step.loops, std::numeric_limits<std::uint64_t>::max() - loops_);
  if (!finished() || !clock_.playing()) return;
  const auto [first, last] = played();
  clock_.seek_frame(clock_.speed() < 0 || effective_mode() == LoopMode::ping_pong ? 0 : last - first);
  clock_.pause();
}

void Transport::seek_frame(std::uint32_t frame) noexcept {
  const bool plays = playing();
  const auto [first, last] = played();
  frame = std::min(frame, std::max(frame_count_, 1U) - 1);
  outside_ = frame < first || frame > last;
  rested_.reset();
  loops_ = 0;
  outside_ ? whole_.seek_frame(frame) : clock_.seek_frame(frame - first);
  Clock& clock = outside_ ? whole_ : clock_;
  if (clock.playing() != plays) plays ? clock.play() : clock.pause();
}

void Transport::seek_seconds(double seconds) noexcept {
  seek_frame(played().first);
  clock_.seek_seconds(seconds - first_seconds_);
}

void Transport::step(std::int64_t frames) noexcept {
  pause();
  loops_ = 0;
  if (!outside_) return clock_.step(frames);
  const std::int64_t current = frame();
  seek_frame(static_cast<std::uint32_t>(
      std::clamp(frames, -current, static_cast<std::int64_t>(frame_count_) - 1 - current) + current));
}

ClipTime Transport::position(Sampling sampling, std::uint32_t hold) const noexcept {
  if (hold > 1) return held(frame(), hold);
  if (outside_) return whole_.position(sampling);
  const std::uint32_t first = played().first;
  const ClipTime within = clock_.position(sampling);
  return {within.frame + first, within.next + first, within.factor};
}

double neighboring_speed(double speed, int direction) noexcept {
  constexpr double kRoundSpeeds[] = {kMinSpeed, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, kMaxSpeed};
  const double now = std::abs(speed);
  double next = direction > 0 ? kMaxSpeed : kMinSpeed;
  for (const double candidate : kRoundSpeeds) {
    if (direction > 0 && candidate > now * 1.001) next = std::min(next, candidate);
    if (direction < 0 && candidate < now * 0.999) next = std::max(next, candidate);
  }
  return std::copysign(next, speed);
}

namespace {

constexpr double kLayerFadeSeconds = 0.15;

std::uint32_t number_of_layer(std::size_t layer) { return static_cast<std::uint32_t>(layer) + 1; }

void remember(Mix& mix, const AnimatorEvent& event) {
  constexpr const char* kKinds[] = {"started", "looped", "finished", "marker", "interrupted"};
  if (event.clip == ClipId::none) return;
  std::ranges::rotate(mix.events, mix.events.end() - 1);
  mix.event_count = std::min(mix.event_count + 1, mix.events.size());
  MixEvent& newest = mix.events.front();
  newest.age_seconds = 0;
  const char* kind = kKinds[static_cast<std::size_t>(event.kind)];
  const std::string_view clip = mix.animator.character().clips()[event.clip].name;
  const std::string_view what = event.marker != nullptr ? std::string_view(event.marker->name) : clip;
  event.layer == 0 ? write(newest.text, "{} {}", kind, what)
                   : write(newest.text, "{} {}, layer {}", kind, what, event.layer);
}

void run(Mix& mix, double seconds) {
  for (const AnimatorEvent& event : mix.animator.advance(seconds)) remember(mix, event);
}

void play_layer(Mix& mix, std::size_t layer, double fade_seconds) {
  update_layer(mix, layer);
  mix.animator.play(mix.layers[layer].clip,
                    {.layer = number_of_layer(layer), .fade_seconds = fade_seconds, .loop = LoopMode::loop});
}

}  // namespace

Mix begin_mix(const Character& character, std::shared_ptr<const Markers> markers, ClipId clip, double fade_seconds) {
  const auto clips = character.clips();
  Mix mix{.animator = Animator(character), .from = clip, .to = clip, .fade_seconds = fade_seconds, .layers = {}};
  for (std::size_t i = 1; i < clips.size() && mix.to == clip; ++i) {
    const std::size_t next = (index(clip) + i) % clips.size();
    if (clips[next].frame_count > 1) mix.to = ClipId(next);
  }
  mix.animator.set_markers(std::move(markers));
  replay(mix);
  return mix;
}

void continue_with(Mix& mix, const Character& character, std::shared_ptr<const Markers> markers,
                   std::span<const NamedMask> masks, ClipId replacement) {
  const Character before = mix.animator.character();
  const Play* playing = playing_clip(mix);
  const double seconds = playing != nullptr ? playing->clock.seconds() : 0;
  const auto same_clip = [&](ClipId clip, ClipId otherwise) {
    const ClipId found = character.find_clip(before.clips()[clip].name);
    return has_frames(character, found) ? found : otherwise;
  };
  mix.from = same_clip(mix.from, replacement);
  mix.to = same_clip(mix.to, replacement);
  for (MixLayer& layer : mix.layers) {
    layer.clip = same_clip(layer.clip, ClipId::none);
    if (layer.bone) layer.bone = character.find_bone(before.bones()[*layer.bone].name);
    if (layer.bone == BoneId::none) layer.bone.reset();
    if (layer.mask) {
      const auto mask = std::ranges::find(masks, layer.mask->name, &NamedMask::name);
      layer.mask = mask != masks.end() ? std::optional(*mask) : std::nullopt;
    }
  }
  std::erase_if(mix.layers, [](const MixLayer& layer) { return layer.clip == ClipId::none; });
  mix.animator = Animator(character);
  mix.animator.set_markers(std::move(markers));
  const std::optional<double> until_fade = mix.until_fade;
  replay(mix);
  mix.until_fade = until_fade;
  if (!until_fade) mix.animator.play(mix.to);
  mix.animator.find(playing_clip(mix)->id)->clock.seek_seconds(seconds);
}

void replay(Mix& mix) {
  mix.animator.play(mix.from);
  for (std::size_t i = 0; i < mix.layers.size(); ++i) play_layer(mix, i, 0);
  mix.until_fade = Mix::kLeadSeconds;
  mix.changed = true;
}

void fade_to(Mix& mix, ClipId clip) {
  if (!has_frames(mix.animator.character(), clip)) return;
  if (const Play* play = playing_clip(mix)) mix.from = play->clip;
  mix.to = clip;
  mix.until_fade.reset();
  mix.animator.play(clip, {.fade_seconds = mix.fade_seconds});
  mix.changed = true;
}

void set_from(Mix& mix, ClipId clip) {
  if (!has_frames(mix.animator.character(), clip)) return;
  mix.from = clip;
  replay(mix);
}

void add_layer(Mix& mix, ClipId clip) {
  if (mix.layers.size() >= Mix::kMaxLayers) return;
  mix.layers.push_back({.clip = clip});
  play_layer(mix, mix.layers.size() - 1, 0);
}

void remove_layer(Mix& mix, std::size_t layer) {
  if (layer >= mix.layers.size()) return;
  mix.layers.erase(mix.layers.begin() + static_cast<std::ptrdiff_t>(layer));
  for (std::size_t i = layer; i < mix.layers.size(); ++i) play_layer(mix, i, 0);
  mix.animator.stop(number_of_layer(mix.layers.size()));
  mix.changed = true;
}

void set_layer_clip(Mix& mix, std::size_t layer, ClipId clip) {
  mix.layers[layer].clip = clip;
  play_layer(mix, layer, kLayerFadeSeconds);
}

void update_layer(Mix& mix, std::size_t layer) {
  const MixLayer& wanted = mix.layers[layer];
  LayerOptions options{.weight = wanted.weight, .mode = wanted.mode};
  if (wanted.bone) options.mask = mask_of_subtree(mix.animator.character(), *wanted.bone);
  if (wanted.mask) options.mask = mask_of_bones(mix.animator.character(), wanted.mask->bones);
  mix.animator.set_layer(number_of_layer(layer), std::move(options));
  mix.changed = true;
}

void advance(Mix& mix, double seconds, double speed) {
  if (seconds == 0) return;
  for (MixEvent& event : mix.events) event.age_seconds += seconds;
  mix.animator.set_speed(speed);
  // The lead runs at the clips' speed, in either direction.
  const double pace = std::abs(speed);
  if (mix.until_fade && seconds * pace >= *mix.until_fade) {
    const double before = pace > 0 ? *mix.until_fade / pace : 0;
    mix.until_fade.reset();
    run(mix, before);
    mix.animator.play(mix.to, {.fade_seconds = mix.fade_seconds});
    seconds -= before;
  } else if (mix.until_fade) {
    *mix.until_fade -= seconds * pace;
  }
  run(mix, seconds);
  mix.changed = true;
}

void step(Mix& mix, std::int64_t frames) {
  const Play* play = playing_clip(mix);
  if (play == nullptr || play->kind != Play::Kind::clip) return;
  const Clip& clip = mix.animator.character().clips()[play->clip];
  const double seconds = clip.frame_count > 0 ? clip.duration_seconds() / clip.frame_count : 0;
  if (seconds > 0) advance(mix, static_cast<double>(std::abs(frames)) * seconds, frames < 0 ? -1.0 : 1.0);
}

void seek_frame(Mix& mix, std::uint32_t frame) {
  const Play* play = playing_clip(mix);
  if (play == nullptr) return;
  mix.animator.find(play->id)->clock.seek_frame(frame);
  mix.changed = true;
}

const Play* playing_clip(const Mix& mix) noexcept {
  return mix.animator.plays().empty() ? nullptr : &mix.animator.plays().back();
}

void set_parameter(Machine& machine, std::size_t parameter, float value) {
  machine.due |= machine.machine.set(static_cast<std::uint32_t>(parameter), value);
}

void enter_state(Machine& machine, std::string_view layer, std::string_view state) {
  constexpr double kFadeSeconds = 0.1;
  const std::vector<StateLayer>& layers = states_of(*machine.graph).layers;
  const auto on = std::ranges::find(layers, layer, &StateLayer::name);
  if (on == layers.end()) return;
  const auto to = std::ranges::find(on->states, state, &State::name);
  if (to == on->states.end()) return;
  machine.due |= machine.machine.enter(machine.animator, static_cast<std::uint32_t>(on - layers.begin()),
                                       static_cast<std::uint32_t>(to - on->states.begin()), kFadeSeconds);
}

void press_key(Machine& machine, std::string_view key, bool down) {
  using Kind = StateParameter::Kind;
  const auto held_key = std::ranges::find(machine.held, key);
  const bool was_held = held_key != machine.held.end();
  if (was_held == down) return;
  if (down) machine.held.emplace_back(key);
  if (!down) machine.held.erase(held_key);
  const std::vector<StateParameter>& parameters = states_of(*machine.graph).parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const StateParameter& each = parameters[i];
    if (each.key != key || (each.kind == Kind::trigger && !down)) continue;
    const float held = each.kind == Kind::number                       ? each.max
                       : each.kind == Kind::trigger || each.value == 0 ? 1.0F
                                                                       : 0.0F;
    set_parameter(machine, i, down ? held : each.value);
  }
}

bool has_key(const Machine& machine, std::string_view key) noexcept {
  return !key.empty() && std::ranges::find(states_of(*machine.graph).parameters, key, &StateParameter::key) !=
                             states_of(*machine.graph).parameters.end();
}

namespace {

void run(Machine& machine, double seconds, double speed) {
  machine.animator.set_speed(speed);
  machine.machine.advance(machine.animator, seconds);
  machine.due = false;
  machine.changed = true;
}

/// Returns how long a frame of the clip lasts that the first layer plays.
double frame_seconds(const Machine& machine) {
  constexpr double kSeconds = 1.0 / 30.0;  // Where nothing plays.
  const auto plays = machine.animator.plays();
  if (plays.empty() || plays.back().kind != Play::Kind::clip) return kSeconds;
  const Clip& clip = machine.animator.character().clips()[plays.back().clip];
  const double seconds = clip.frame_count > 0 ? clip.duration_seconds() / clip.frame_count : 0;
  return seconds > 0 ? seconds : kSeconds;
}

}  // namespace

namespace {

constexpr GameEventText kTexts[] = {
    {"Bad", "Judge a note bad"},
    {"Good", "Judge a note good"},
    {"Great", "Judge a note great"},
    {"Fever", "Judge a note great with a full gauge"},
    {"Ojama", "Start or stop the rival's attack"},
    {"Dance", "Start or stop the rival's dance over the playfield"},
    {"Start", "Start the song"},
    {"Clear", "End the song, cleared by the player"},
    {"Fail", "End the song, failed by the player"},
    {"Full", "End the song, cleared with a full gauge"},
};

std::uint32_t wait_of(const CharaRules& rules) noexcept {
  return rules.profile == CharaProfile::beatoraja ? 1 : std::max(rules.wait, 1U);
}

Disturbance disturbance_of(GameEvent event) noexcept {
  return event == GameEvent::ojama   ? Disturbance::ojama
         : event == GameEvent::dance ? Disturbance::dance
                                     : Disturbance::none;
}

const char* describe_idling(const Game& game, ShortText& text) {
  const CharaState& state = game.state;
  const CharaRules& rules = state.rules();
  const std::uint32_t wait = wait_of(rules);
  const std::uint32_t cycle = std::min(state.idle_cycles() + 1, wait);
  if (const auto pending = state.pending()) {
    ShortText name;
    write_name(*pending, name);
    if (wait == 1) return write(text, "Finishes its idle cycle,\nthen {}", name.data());
    return write(text, "Finishes idle cycle {} of {},\nthen {}", cycle, wait, name.data());
  }
  if (rules.legacy) return "Idle; reacts to notes at once";
  if (cycle == wait) return "Idle; reacts to notes after this cycle";
  return write(text, "Idle; reacts to notes after {} cycles", wait - cycle + 1);
}

}  // namespace

const GameEventText& text_of(GameEvent event) noexcept { return kTexts[static_cast<std::size_t>(event)]; }

void continue_with(Game& game, const std::optional<CharaInfo>& before, const Character& character,
                   const std::optional<CharaInfo>& info) {
  game.state.set_character(character);
  if (before == info) return;
  const CharaRules& rules = game.state.rules();
  game.state.set_rules(rules_of(info.value_or(CharaInfo{}), rules.profile, rules.side));
}

void trigger(Game& game, GameEvent event) {
  constexpr Judgment kJudgments[] = {Judgment::bad, Judgment::good, Judgment::great, Judgment::great};
  CharaState& state = game.state;
  if (event == GameEvent::fever || event == GameEvent::full_clear) state.set_gauge(1);
  if (event <= GameEvent::fever) return state.judge(kJudgments[static_cast<std::size_t>(event)]);
  const bool stops = is_active(game, event);
  game.disturbance = stops ? Disturbance::none : disturbance_of(event);
  game.over = event >= GameEvent::clear;
  if (event <= GameEvent::dance) return state.disturb(game.disturbance);
  event == GameEvent::begin ? state.begin_song() : state.end_song(event != GameEvent::fail);
}

void toggle_animation(Game& game, CharaAnimation animation) {
  if (game.state.clip_of(animation) == ClipId::none) return;
  const bool chosen = game.state.phase() == CharaPhase::held && !game.over && game.disturbance == Disturbance::none;
  game.over = false;
  game.disturbance = Disturbance::none;
  if (chosen && game.state.animation() == animation) return game.state.disturb(Disturbance::none);
  game.state.play(animation);
}

void play_neighbor(Game& game, int direction) {
  if (!game.state.animation()) return;
  for (int number = static_cast<int>(*game.state.animation()) + direction;
       number >= 1 && number <= static_cast<int>(kCharaAnimations); number += direction) {
    const auto animation = static_cast<CharaAnimation>(number);
    if (game.state.clip_of(animation) != ClipId::none) return toggle_animation(game, animation);
  }
}

void set_rules(Game& game, const CharaRules& rules) {
  const bool other_part = rules.side != game.state.rules().side || rules.profile != game.state.rules().profile;
  game.state.set_rules(rules);
  if (other_part && game.disturbance != Disturbance::none) game.state.disturb(game.disturbance);
}

void change_gauge(Game& game, double by) { game.state.set_gauge(game.state.gauge() + by); }

void step(Game& game, const Character& character, std::int64_t frames) {
  constexpr double kRounding = 1e-9;  // A frame's start time may have been rounded down to just before it.
  if (game.state.clip() == ClipId::none) return;
  CharaState& state = game.state;
  const std::uint32_t frame = state.position().frame;
  if (frames < 0) return state.seek_frame(frame - static_cast<std::uint32_t>(std::min<std::int64_t>(-frames, frame)));
  for (; frames > 0; --frames) {
    const Clip& clip = character.clips()[state.clip()];
    state.advance(clip.frame_begin(state.position().frame + 1) - state.seconds() + kRounding);
  }
}

bool is_active(const Game& game, GameEvent event) noexcept {
  return game.disturbance != Disturbance::none && game.disturbance == disturbance_of(event);
}

const char* write_name(CharaAnimation animation, ShortText& text) {
  write(text, "{}", clip_name(animation));
  std::ranges::replace(text, '_', ' ');
  return text.data();
}

const char* describe(const Game& game, ShortText& text) {
  const CharaState& state = game.state;
  if (!state.animation()) return "Nothing plays without 01 neutral";
  if (state.phase() == CharaPhase::idle) return describe_idling(game, text);
  if (state.phase() == CharaPhase::held) {
    if (game.over) return "Loops: the song is over";
    return game.disturbance != Disturbance::none ? "Loops until the rival stops" : "Loops, as chosen here";
  }
  const auto pending = state.pending();
  if (!pending || !state.rules().legacy) return "Plays once, then idles";
  ShortText name;
  return write(text, "Plays once, then {}", write_name(*pending, name));
}

namespace {

void discard_mix(Playback& playback) {
  if (playback.last_mix) playback.fade_seconds = playback.last_mix->fade_seconds;
  playback.last_mix.reset();
}

void discard_machine(Playback& playback) {
  playback.last_machine.reset();
  playback.followed.reset();
}

void discard_game(Playback& playback) {
  if (playback.last_game) playback.rules = playback.last_game->state.rules();
  playback.last_game.reset();
}

}  // namespace

void set_mode(Playback& playback, const Played& played, PlaybackMode mode) {
  if (mode == playback.current) return;
  playback.current = PlaybackMode::clip;
  if (mode == PlaybackMode::mix && playback.clip) {
    if (!playback.last_mix) {
      playback.last_mix = begin_mix(played.character, played.markers, *playback.clip, playback.fade_seconds);
    }
    playback.last_mix->changed = true;
    playback.current = mode;
  } else if (mode == PlaybackMode::game && played.chara) {
    if (!playback.last_game) {
      const CharaRules rules = rules_of(*played.chara, playback.rules.profile, playback.rules.side);
      playback.last_game = Game{CharaState(played.character, rules)};
    }
    playback.clock.play();
    playback.current = mode;
  } else if (mode == PlaybackMode::states && playback.clip) {
    playback.clock.play();
    playback.current = mode;
    follow_states(playback, played);
    if (Machine* machine = playback.machine()) machine->changed = true;
  }
}

void follow_states(Playback& playback, const Played& played) {
  if (playback.current != PlaybackMode::states || playback.followed == played.states) return;
  playback.followed = played.states;
  playback.state_errors = find_state_errors(played.states, played.character, played.masks);
  if (played.states.empty()) return playback.last_machine.reset();
  if (!playback.state_errors.empty()) return;
  auto graph = make_state_graph(played.states, played.character, played.masks, *played.markers);
  if (!graph) return playback.state_errors.push_back(std::move(graph.error()));
  if (Machine* machine = playback.machine()) {
    machine->graph = *graph;
    machine->machine.rebind(machine->animator, *std::move(graph));
    machine->due = true;
    return;
  }
  playback.last_machine =
      Machine{.graph = *graph, .animator = Animator(played.character), .machine = StateMachine(*graph)};
  playback.last_machine->animator.set_markers(played.markers);
}

void play_file(Playback& playback, const Played& played, std::optional<ClipId> clip) {
  const PlaybackMode mode = std::exchange(playback.current, PlaybackMode::clip);
  discard_mix(playback);
  discard_machine(playback);
  discard_game(playback);
  playback.clip.reset();
  playback.clock = {};
  if (clip) select_clip(playback, played.character, *clip);
  set_mode(playback, played, mode);
}

void reload_file(Playback& playback, const Played& before, const Played& played, std::optional<ClipId> clip) {
  const Character& character = played.character;
  const std::string name = playback.clip ? before.character.clips()[*playback.clip].name : std::string();
  const Transport clock = std::exchange(playback.clock, {});
  const bool plays = clock.playing() || !playback.clip;
  const PlaybackMode mode = std::exchange(playback.current, PlaybackMode::clip);
  playback.clip.reset();
  if (clip) {
    // The user may have chosen another clip while the file was being read.
    select_clip(playback, character, *clip);
    select_clip(playback, character, character.find_clip(name));
    if (!plays) playback.clock.pause();
    const Clip& shown = character.clips()[*playback.clip];
    if (shown.name == name) {
      playback.clock.set_range(shown, clock.range());
      clock.outside_range() ? playback.clock.seek_frame(clock.frame()) : playback.clock.seek_seconds(clock.seconds());
    }
    if (playback.last_mix) continue_with(*playback.last_mix, character, played.markers, played.masks, *playback.clip);
  } else {
    discard_mix(playback);
  }
  playback.followed.reset();
  if (Machine* machine = playback.last_machine ? &*playback.last_machine : nullptr) {
    machine->animator.rebind(character);
    machine->animator.set_markers(played.markers);
    machine->changed = true;
    // Errors in the new version leave the machines as they were, as far as it still has their clips.
    auto graph = make_state_graph(states_of(*machine->graph), character, played.masks, *played.markers);
    if (graph) {
      machine->graph = *graph;
      machine->machine.rebind(machine->animator, *std::move(graph));
    } else {
      playback.last_machine.reset();
    }
  }
  if (playback.last_game && played.chara) {
    continue_with(*playback.last_game, before.chara, character, played.chara);
  } else {
    discard_game(playback);
  }
  const bool playing = playback.playing();
  set_mode(playback, played, mode);
  if (!playing) playback.clock.pause();
  playback.reveal_clip = false;
}

void select_clip(Playback& playback, const Character& character, ClipId clip) {
  if (!has_frames(character, clip)) return;
  playback.clip = clip;
  playback.clock = Transport(character.clips()[clip], playback.settings);
  playback.reveal_clip = true;
}

void select_neighbor(Playback& playback, const Character& character, int direction) {
  if (!playback.clip) return;
  const auto clips = character.clips();
  ClipId next = *playback.clip;
  do {
    next = ClipId(static_cast<std::int64_t>(next) + direction);
  } while (clips.contains(next) && clips[next].frame_count == 0);
  select_clip(playback, character, next);
}

void choose_clip(Playback& playback, const Character& character, ClipId clip) {
  Mix* mix = playback.mix();
  if (mix == nullptr) return select_clip(playback, character, clip);
  fade_to(*mix, clip);
  playback.clock.play();
}

void set_settings(Playback& playback, PlaybackSettings settings) {
  settings.times = std::clamp(settings.times, 1U, kMaxTimes);
  settings.hold = std::clamp(settings.hold, 1U, kMaxHold);
  settings.speed = std::copysign(std::clamp(std::abs(settings.speed), kMinSpeed, kMaxSpeed), settings.speed);
  playback.settings = settings;
  playback.clock.configure(settings);
}

void set_speed(Playback& playback, double speed) {
  PlaybackSettings settings = playback.settings;
  settings.speed = speed;
  set_settings(playback, settings);
}

void set_range(Playback& playback, const Character& character, std::optional<FrameRange> range) {
  if (playback.clip && playback.shows_clip()) playback.clock.set_range(character.clips()[*playback.clip], range);
}

bool advance(Playback& playback, double seconds) {
  Machine* const machine = playback.machine();
  if (machine != nullptr && (playback.playing() || machine->due)) {
    run(*machine, playback.playing() ? seconds : 0, playback.settings.speed);
    return false;
  }
  if (!playback.playing()) return false;
  if (Mix* mix = playback.mix()) {
    advance(*mix, seconds, playback.settings.speed);
  } else if (Game* game = playback.game()) {
    // A game cannot run backward.
    game->state.advance(seconds * std::abs(playback.settings.speed));
  } else if (playback.clip) {
    playback.clock.advance(seconds);
    return !playback.playing();
  }
  return false;
}

std::optional<Playhead> playhead(const Playback& playback) noexcept {
  if (!playback.clip) return std::nullopt;
  const Sampling sampling = playback.settings.sampling;
  if (const Mix* mix = playback.mix()) {
    const Play* play = playing_clip(*mix);
    if (play != nullptr && play->kind == Play::Kind::clip)
      return Playhead{play->clip, play->clock.position(sampling), play->clock.seconds()};
  }
  if (const Machine* machine = playback.machine()) {
    const auto plays = machine->animator.plays();
    if (plays.empty() || plays.back().kind != Play::Kind::clip) return std::nullopt;
    return Playhead{plays.back().clip, plays.back().clock.position(sampling), plays.back().clock.seconds()};
  }
  if (const Game* game = playback.game()) {
    const CharaState& state = game->state;
    if (state.clip() == ClipId::none) return std::nullopt;
    return Playhead{state.clip(), state.position(sampling), state.seconds()};
  }
  return Playhead{*playback.clip, playback.clock.position(sampling), playback.clock.seconds()};
}

ClipTime shown_time(const Playback& playback) noexcept {
  if (const Game* game = playback.game()) return game->state.position(playback.settings.sampling);
  return playback.clip ? playback.clock.position(playback.settings.sampling, playback.settings.hold) : ClipTime{};
}

bool needs_pose(const Playback& playback) noexcept {
  const auto is_due = [&](const auto* shown) {
    return shown != nullptr && (shown->changed || shown->animator.sampling() != playback.settings.sampling);
  };
  return is_due(playback.mix()) || is_due(playback.machine());
}

void pose(Playback& playback, const Character& character, PoseBuffers& out) {
  const auto pose_with = [&](auto& shown) {
    shown.changed = false;
    shown.animator.set_sampling(playback.settings.sampling);
    shown.animator.pose(out);
  };
  if (Mix* mix = playback.mix()) return pose_with(*mix);
  if (Machine* machine = playback.machine()) return pose_with(*machine);
  const Game* game = playback.game();
  const ClipId clip = game != nullptr ? game->state.clip() : playback.clip.value_or(ClipId::none);
  pose_clip_or_bind(character, clip, shown_time(playback), out);
}

void toggle_playing(Playback& playback) { playback.playing() ? playback.clock.pause() : playback.clock.play(); }

void step_frames(Playback& playback, const Character& character, std::int64_t frames) {
  playback.clock.pause();
  if (Mix* mix = playback.mix()) return step(*mix, frames);
  if (Machine* machine = playback.machine()) {
    const double seconds = frame_seconds(*machine) * static_cast<double>(std::abs(frames));
    return run(*machine, seconds, frames < 0 ? -1.0 : 1.0);
  }
  if (Game* game = playback.game()) return step(*game, character, frames);
  playback.clock.step(frames);
}

void seek_frame(Playback& playback, std::uint32_t frame) {
  if (playback.machine() != nullptr) return;
  playback.clock.pause();
  if (Mix* mix = playback.mix()) return seek_frame(*mix, frame);
  if (Game* game = playback.game()) return game->state.seek_frame(frame);
  playback.clock.seek_frame(frame);
}

void seek_first_frame(Playback& playback) {
  if (Machine* machine = playback.machine()) {
    playback.clock.pause();
    machine->machine = StateMachine(machine->graph);
    return run(*machine, 0, 1);
  }
  seek_frame(playback, playback.shows_clip() ? playback.clock.played().first : 0);
}

void seek_last_frame(Playback& playback, const Character& character) {
  const auto at = playhead(playback);
  if (!at) return;
  seek_frame(playback,
             playback.shows_clip() ? playback.clock.played().last : character.clips()[at->clip].frame_count - 1);
}

void scrub(Playback& playback, std::uint32_t frame) {
  if (!playback.scrubbed) playback.scrubbed = playback.playing();
  seek_frame(playback, frame);
}

void end_scrub(Playback& playback) {
  if (std::exchange(playback.scrubbed, std::nullopt).value_or(false)) playback.clock.play();
}

double seconds_of_rest(const Playback& playback) noexcept {
  return playback.shows_clip() ? playback.clock.seconds_of_rest() : 0;
}

void follow(FollowingClock& clock, const Playback& playback, double before, double passed) {
  const Transport& followed = playback.clock;
  const bool jumped = before != clock.followed;
  if (!playback.shows_clip()) {
    // A mix and a game have clocks of their own.
    if (playback.playing()) clock.seconds += passed * std::abs(playback.settings.speed);
  } else if (followed.effective_mode() != LoopMode::loop || followed.range() || jumped) {
    clock.seconds = followed.seconds();
  } else if (followed.seconds() != before) {
    clock.seconds += passed * playback.settings.speed;
  }
  clock.followed = followed.seconds();
}

ClipTime time_in(const Clip& clip, const FollowingClock& clock, const Playback& playback) noexcept {
  // A frame's start time may have been rounded down to just before it.
  constexpr double kRounding = 1e-9;
  Clip length;
  length.looping = playback.clock.effective_mode() != LoopMode::once;
  length.frames_per_second = clip.frames_per_second;
  length.frame_count = clip.frame_count;
  const PlaybackSettings& settings = playback.settings;
  const ClipTime time = clip_time(length, clock.seconds + kRounding, settings.sampling);
  return settings.hold > 1 ? held(time.frame, settings.hold) : time;
}

}  // namespace pchr::player
