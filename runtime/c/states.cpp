// SPDX-License-Identifier: MIT
// The C interface: state machines.
#include "c/c.hpp"

#include <iterator>

namespace pchr::c {
namespace {

using Test = StateCondition::Test;
using EventKind = StateEvent::Kind;

static_assert(static_cast<int>(StateParameter::Kind::number) == PCHR_PARAMETER_NUMBER &&
              static_cast<int>(StateParameter::Kind::boolean) == PCHR_PARAMETER_BOOLEAN &&
              static_cast<int>(StateParameter::Kind::trigger) == PCHR_PARAMETER_TRIGGER);
static_assert(static_cast<int>(State::Kind::empty) == PCHR_STATE_EMPTY &&
              static_cast<int>(State::Kind::clip) == PCHR_STATE_CLIP &&
              static_cast<int>(State::Kind::blend_1d) == PCHR_STATE_BLEND_1D &&
              static_cast<int>(State::Kind::blend_2d) == PCHR_STATE_BLEND_2D &&
              static_cast<int>(State::Kind::sequence) == PCHR_STATE_SEQUENCE);
static_assert(static_cast<int>(Test::above) == PCHR_CONDITION_ABOVE &&
              static_cast<int>(Test::below) == PCHR_CONDITION_BELOW &&
              static_cast<int>(Test::is_true) == PCHR_CONDITION_TRUE &&
              static_cast<int>(Test::is_false) == PCHR_CONDITION_FALSE);
static_assert(static_cast<int>(EventKind::left) == PCHR_STATE_EVENT_LEFT &&
              static_cast<int>(EventKind::entered) == PCHR_STATE_EVENT_ENTERED &&
              static_cast<int>(EventKind::named) == PCHR_STATE_EVENT_NAMED);

/// Returns the value of an enum for that of C, or its first one for a number that C does not have.
template <class Enum>
Enum enum_of(int value, Enum last) noexcept {
  return static_cast<unsigned>(value) <= static_cast<unsigned>(last) ? static_cast<Enum>(value) : Enum{};
}

pchr_parameter parameter_for_c(const StateParameter& parameter, float value) noexcept {
  return {0,
          static_cast<pchr_parameter_kind>(parameter.kind),
          parameter.name.c_str(),
          parameter.key.c_str(),
          value,
          parameter.min,
          parameter.max};
}

pchr_parameter default_parameter() noexcept {
  const StateParameter parameter;
  pchr_parameter result = parameter_for_c(parameter, parameter.value);
  result.name = result.key = nullptr;
  return result;
}

pchr_state default_state() noexcept {
  pchr_state result{};
  result.speed = State().speed;
  return result;
}

pchr_transition default_transition() noexcept {
  pchr_transition result{};
  result.interruptible = StateTransition().interruptible;
  return result;
}

pchr_state_layer default_state_layer() noexcept {
  pchr_state_layer result{};
  result.weight = StateLayer().weight;
  return result;
}

StateParameter from_c(const pchr_parameter& given) {
  return {text_of(given.name), enum_of(given.kind, StateParameter::Kind::trigger), given.value, given.min, given.max,
          text_of(given.key)};
}

State from_c(const pchr_state& given) {
  State state{.name = text_of(given.name),
              .kind = enum_of(given.kind, State::Kind::sequence),
              .clip = text_of(given.clip),
              .start = text_of(given.start),
              .end = text_of(given.end),
              .x = text_of(given.x),
              .y = text_of(given.y),
              .speed = given.speed,
              .speed_parameter = text_of(given.speed_parameter),
              .loop = loop_of(given.loop),
              .on_enter = texts_of(given.on_enter),
              .on_leave = texts_of(given.on_leave)};
  for (const pchr_blend_point& point : span_of(given.points, given.point_count)) {
    state.points.push_back({text_of(point.clip), {point.x, point.y}});
  }
  return state;
}

StateTransition from_c(const pchr_transition& given) {
  StateTransition transition{.from = text_of(given.from),
                             .to = text_of(given.to),
                             .after = given.after,
                             .at_end = given.at_end,
                             .fade_seconds = given.fade_seconds,
                             .synchronized = given.synchronized,
                             .interruptible = given.interruptible};
  for (const pchr_condition& condition : span_of(given.conditions, given.condition_count)) {
    transition.conditions.push_back(
        {text_of(condition.parameter), enum_of(condition.test, Test::is_false), condition.value});
  }
  return transition;
}

StateLayer from_c(const pchr_state_layer& given) {
  return {.name = text_of(given.name),
          .mask = text_of(given.mask),
          .mode = given.mode == PCHR_LAYER_ADDITIVE ? LayerMode::additive : LayerMode::override_below,
          .reference_clip = text_of(given.reference_clip),
          .reference_frame = given.reference_frame,
          .weight = given.weight,
          .weight_parameter = text_of(given.weight_parameter),
          .first = text_of(given.first)};
}

/// Adds something to a list of the states of a rig, which `list_in` returns, or null if there is no such layer.
template <class Given, class List>
bool add_state_part(pchr_rig* rig, const Given* given, const Given& defaults, const List& list_in) noexcept {
  return call(exist(rig, given), [&] {
    const std::optional<Given> values = read(given, defaults);
    auto* const list = list_in(rig->states);
    if (!values || list == nullptr) return false;
    list->push_back(from_c(*values));
    rig->graph = nullptr;
    rig->state_errors.clear();
    return true;
  });
}

/// Returns a list of a layer.
template <class List>
auto of_layer(std::uint32_t layer, List StateLayer::* list) noexcept {
  return [=](States& states) { return layer < states.layers.size() ? &(states.layers[layer].*list) : nullptr; };
}

/// Returns the states that an animator plays, which are empty without machines.
const States& states_of(const pchr_animator* animator) noexcept {
  static const States none;
  return animator != nullptr && animator->machine ? pchr::states_of(animator->machine->graph()) : none;
}

}  // namespace

void advance(pchr_animator& animator, double seconds) {
  animator.state_events.clear();
  if (!animator.machine || !animator.fits_machine) {
    static_cast<Animator&>(animator).advance(seconds);
    return;
  }
  const States& states = states_of(&animator);
  for (const StateEvent& event : animator.machine->advance(animator, seconds)) {
    const State& state = states.layers[event.layer].states[event.state];
    const std::string& name = event.name != nullptr ? *event.name : state.name;
    animator.state_events.push_back(
        {static_cast<pchr_state_event_kind>(event.kind), event.layer, event.state, name.c_str(), event.seconds});
  }
}

}  // namespace pchr::c

using namespace pchr::c;

void pchr_parameter_init(pchr_parameter* parameter, uint32_t struct_size) {
  init(default_parameter(), parameter, struct_size);
}
void pchr_state_init(pchr_state* state, uint32_t struct_size) { init(default_state(), state, struct_size); }
void pchr_transition_init(pchr_transition* transition, uint32_t struct_size) {
  init(default_transition(), transition, struct_size);
}
void pchr_state_layer_init(pchr_state_layer* layer, uint32_t struct_size) {
  init(default_state_layer(), layer, struct_size);
}

bool pchr_rig_add_parameter(pchr_rig* rig, const pchr_parameter* parameter) {
  return add_state_part(rig, parameter, default_parameter(), [](pchr::States& states) { return &states.parameters; });
}

bool pchr_rig_add_state_layer(pchr_rig* rig, const pchr_state_layer* layer) {
  return add_state_part(rig, layer, default_state_layer(), [](pchr::States& states) { return &states.layers; });
}

bool pchr_rig_add_state(pchr_rig* rig, uint32_t layer, const pchr_state* state) {
  return add_state_part(rig, state, default_state(), of_layer(layer, &pchr::StateLayer::states));
}

bool pchr_rig_add_transition(pchr_rig* rig, uint32_t layer, const pchr_transition* transition) {
  return add_state_part(rig, transition, default_transition(), of_layer(layer, &pchr::StateLayer::transitions));
}

uint32_t pchr_rig_state_layer_count(const pchr_rig* rig) { return rig != nullptr ? count_of(rig->states.layers) : 0; }

bool pchr_animator_set_states(pchr_animator* animator, const pchr_rig* rig, pchr_error* error) {
  return try_call(error, exist(animator), [&] {
    if (rig == nullptr) {
      animator->machine.reset();
      animator->state_events.clear();
      return true;
    }
    if (!is_same(animator->character(), rig->character)) {
      return set_error(error, "", "the animator and the rig belong to different characters"), false;
    }
    if (rig->states.empty()) return set_error(error, "", rig->file + " has no states"), false;
    if (!rig->state_errors.empty()) return set_error(error, rig->state_errors.front(), rig->file), false;
    if (rig->graph == nullptr) {
      auto graph = make_state_graph(rig->states, rig->character, rig->masks,
                                    rig->markers != nullptr ? *rig->markers : pchr::Markers());
      if (!graph) return set_error(error, graph.error(), rig->file), false;
      rig->graph = *std::move(graph);
    }
    animator->state_events.clear();
    if (animator->machine) {
      animator->machine->rebind(*animator, rig->graph);
    } else {
      animator->machine.emplace(rig->graph);
    }
    animator->fits_machine = true;
    return true;
  });
}

uint32_t pchr_animator_parameter_count(const pchr_animator* animator) {
  return count_of(states_of(animator).parameters);
}

bool pchr_animator_get_parameter(const pchr_animator* animator, uint32_t parameter, pchr_parameter* out) {
  const auto& parameters = states_of(animator).parameters;
  if (parameter >= parameters.size()) return false;
  return write(parameter_for_c(parameters[parameter], animator->machine->values()[parameter]), out);
}

uint32_t pchr_animator_find_parameter(const pchr_animator* animator, const char* name) {
  if (animator == nullptr || !animator->machine || name == nullptr) return PCHR_NONE;
  return animator->machine->find_parameter(name).value_or(PCHR_NONE);
}

bool pchr_animator_set_parameter(pchr_animator* animator, uint32_t parameter, float value) {
  return animator != nullptr && animator->machine && animator->machine->set(parameter, value);
}

uint32_t pchr_animator_state_layer_count(const pchr_animator* animator) { return count_of(states_of(animator).layers); }

bool pchr_animator_get_state(const pchr_animator* animator, uint32_t layer, pchr_state_status* out) {
  const auto& layers = states_of(animator).layers;
  if (layer >= layers.size()) return false;
  const pchr::StateLayer& states = layers[layer];
  const pchr::StateStatus status = animator->machine->status(*animator, layer);
  pchr_state_status result{};
  result.state = status.state;
  result.layer_name = states.name.c_str();
  result.name = states.states[status.state].name.c_str();
  result.from = status.from;
  if (status.from < states.states.size()) result.from_name = states.states[status.from].name.c_str();
  result.transition = status.transition;
  result.phase = status.phase;
  result.progress = status.progress;
  return write(result, out);
}

bool pchr_animator_enter_state(pchr_animator* animator, uint32_t layer, const char* state, double fade_seconds) {
  const auto& layers = states_of(animator).layers;
  return call(exist(state), [&] {
    if (layer >= layers.size() || !animator->fits_machine) return false;
    const auto& states = layers[layer].states;
    const auto found = std::ranges::find(states, state, &pchr::State::name);
    return animator->machine->enter(*animator, layer, static_cast<std::uint32_t>(found - states.begin()), fade_seconds);
  });
}

const pchr_state_event* pchr_animator_state_events(const pchr_animator* animator, uint32_t* count) {
  if (animator == nullptr) return no_array<pchr_state_event>(count);
  return array_of<pchr_state_event>(animator->state_events, count);
}

size_t pchr_animator_save_states(const pchr_animator* animator, char* out, size_t size) {
  return call(exist(animator), [&]() -> size_t {
    if (!animator->machine || (out == nullptr && size != 0)) return 0;
    const std::string saved = animator->machine->save(*animator);
    if (size != 0) out[saved.copy(out, size - 1)] = '\0';
    return saved.size();
  });
}

bool pchr_animator_restore_states(pchr_animator* animator, const char* saved) {
  return call(exist(animator, saved), [&] {
    return animator->machine && animator->fits_machine && animator->machine->restore(*animator, saved);
  });
}

bool pchr_animator_copy(pchr_animator* animator, const pchr_animator* from) {
  return call(exist(animator, from), [&] {
    if (animator == from) return;
    static_cast<pchr::Animator&>(*animator) = *from;
    animator->machine = from->machine;
    animator->fits_machine = from->fits_machine;
    animator->state_events = from->state_events;
    animator->events = from->events;
  });
}
