// SPDX-License-Identifier: MIT
// Finds what is wrong with state machines before they run.
#include "animation/state_graph.hpp"
#include "character/format.hpp"

#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <limits>
#include <utility>

namespace pchr {
namespace {

constexpr std::size_t kMaxStateErrors = 256;
constexpr double kMaxStateNumber = 1e6;
/// Checks of one transition while searching for cycles. Whether there is one is a hard problem in unusual machines, of
/// which advance() takes no more than a few transitions at a time.
constexpr std::size_t kMaxCycleChecks = std::size_t{1} << 22;

/// The values of a parameter, with both ends. Booleans are 0 or 1.
struct ValueRange {
  float low, high;
  bool operator==(const ValueRange&) const = default;
};

ValueRange intersection(const ValueRange& a, const ValueRange& b) noexcept {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

/// Returns the values at which a condition on a number or a boolean holds.
ValueRange values_that_pass(const StateCondition& condition) noexcept {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  switch (condition.test) {
    case StateCondition::Test::above:
      return {std::nextafter(condition.value, kInfinity), kInfinity};
    case StateCondition::Test::below:
      return {-kInfinity, std::nextafter(condition.value, -kInfinity)};
    case StateCondition::Test::is_true:
      return {1, 1};
    case StateCondition::Test::is_false:
      break;
  }
  return {0, 0};
}

bool is_key(std::string_view key) noexcept {
  constexpr std::array<std::string_view, 7> kNames{"space", "enter", "shift", "left", "right", "up", "down"};
  if (key.size() != 1) return std::ranges::find(kNames, key) != kNames.end();
  return (key[0] >= 'a' && key[0] <= 'z') || (key[0] >= '0' && key[0] <= '9');
}

/// A transition that can be taken without time passing while each parameter is in its range.
struct InstantTransition {
  std::size_t number;
  std::uint32_t from;  ///< kNoState for any other than `to`.
  std::uint32_t to;
  std::vector<std::pair<std::size_t, ValueRange>> ranges{};  ///< By the index of the parameter.

  [[nodiscard]] bool leaves(std::size_t state) const noexcept { return from == kNoState ? to != state : from == state; }
};

/// Searches a layer for cycles of transitions whose conditions can hold together. A set of boxes has a common point if
/// the ranges of each parameter have one, so one box that shrinks along the way is enough.
struct CycleSearch {
  std::span<const InstantTransition> transitions;
  std::vector<ValueRange> box;  ///< Values of the parameters at which all of `way` can be taken.
  std::size_t& checks_left;
  std::size_t start = 0;
  std::vector<const InstantTransition*> way{};
  std::bitset<kMaxStates> on_way{};
  std::vector<std::bitset<kMaxStates>> reached{};  ///< By state, whatever the conditions.

  CycleSearch(std::span<const InstantTransition> all, std::vector<ValueRange> whole, std::size_t state_count,
              std::size_t& checks)
      : transitions(all), box(std::move(whole)), checks_left(checks), reached(state_count) {
    for (const InstantTransition& transition : transitions) {
      for (std::size_t state = 0; state < state_count; ++state) {
        if (transition.leaves(state)) reached[state].set(transition.to);
      }
    }
    for (std::size_t middle = 0; middle < state_count; ++middle) {
      for (std::size_t state = 0; state < state_count; ++state) {
        if (reached[state].test(middle)) reached[state] |= reached[middle];
      }
    }
  }

  /// Finds a way from `state` back to `start` through later states only.
  bool find(std::size_t state) {
    for (const InstantTransition& transition : transitions) {
      if (checks_left == 0) return false;
      --checks_left;
      const std::size_t to = transition.to;
      if (!transition.leaves(state) || to < start || on_way.test(to)) continue;
      if (to != start && !reached[to].test(start)) continue;
      std::vector<std::pair<std::size_t, ValueRange>> before;
      bool is_possible = true;
      for (const auto& [parameter, range] : transition.ranges) {
        ValueRange& shrunk = box[parameter];
        before.emplace_back(parameter, std::exchange(shrunk, intersection(shrunk, range)));
        is_possible = is_possible && shrunk.low <= shrunk.high;
      }
      way.push_back(&transition);
      on_way.set(to);
      if (is_possible && (to == start || find(to))) return true;
      on_way.reset(to);
      way.pop_back();
      for (auto each = before.rbegin(); each != before.rend(); ++each) box[each->first] = each->second;
    }
    return false;
  }
};

struct StateChecker {
  const States& states;
  const Character& character;
  std::span<const NamedMask> masks;
  ClipNames clips{character};
  std::vector<Diagnostic> errors{};
  std::span<const StateParameter> parameters{};  ///< Empty if there are too many.
  std::size_t cycle_checks_left = kMaxCycleChecks;

  template <typename... Values>
  void add(DiagnosticId id, std::string path, std::string_view detail, const Values&... values) {
    if (errors.size() >= kMaxStateErrors) return;
    const std::array<FormatValue, sizeof...(values)> all{format_value(values)...};
    errors.push_back({id, std::move(path), {}, {}, format_values(detail, all)});
  }

  /// Returns whether a list is short enough to be checked.
  bool check_count(const std::string& path, std::size_t count, std::size_t limit) {
    if (count > limit)
      add(DiagnosticId::state_limit, path, "has {} elements, but at most {} are allowed", count, limit);
    return count <= limit;
  }

  void check_number(const std::string& path, auto number, double low, double high) {
    if (double{number} >= low && double{number} <= high) return;
    add(DiagnosticId::value_out_of_range, path, "is {}, but must be from {} to {}", number, low, high);
  }

  void add_unknown(const std::string& path, std::string_view name, std::string_view kind, std::string_view owner) {
    if (name.empty()) return add(DiagnosticId::state_name, path, "is empty, but must name a {}", kind);
    add(DiagnosticId::state_name, path, "is \"{}\", but {} no such {}", name, owner, kind);
  }

  /// Checks that the name of a part is not empty or that of an earlier one.
  void check_new_name(const std::string& path, const auto& parts, std::size_t part, std::string_view what) {
    const std::string& name = parts[part].name;
    if (name.empty()) return add(DiagnosticId::state_name, path, "is empty, but must be a name");
    if (index_of(parts, name) == part) return;
    add(DiagnosticId::state_name, path, "is \"{}\", but an earlier {} has that name", name, what);
  }

  /// Returns the id of a clip, or `none`.
  ClipId check_clip(const std::string& path, std::string_view name) {
    const ClipId found = clips.find(name);
    if (found == ClipId::none) add_unknown(path, name, "clip", "the character has");
    return found;
  }

  /// Returns the index of what has a name, or kNoState.
  std::uint32_t check_name(const std::string& path, const auto& parts, std::string_view name, std::string_view kind,
                           std::string_view owner) {
    const std::uint32_t found = name.empty() ? kNoState : index_of(parts, name);
    if (found == kNoState) add_unknown(path, name, kind, owner);
    return found;
  }

  std::uint32_t check_parameter(const std::string& path, std::string_view name) {
    return check_name(path, parameters, name, "parameter", "there is");
  }

  std::uint32_t check_state_name(const std::string& path, const StateLayer& layer, std::string_view name) {
    return check_name(path, layer.states, name, "state", "the layer has");
  }

  void check_number_parameter(const std::string& path, std::string_view name) {
    const std::uint32_t parameter = check_parameter(path, name);
    if (parameter == kNoState || parameters[parameter].kind == StateParameter::Kind::number) return;
    add(DiagnosticId::wrong_type, path, "is \"{}\", but must be a parameter that is a number", name);
  }

  void check_parameters() {
    if (!check_count("states.parameters", states.parameters.size(), kMaxStateParameters)) return;
    parameters = states.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const StateParameter& parameter = parameters[i];
      const std::string place = format_text("states.parameters[{}].", i);
      check_new_name(place + "name", parameters, i, "parameter");
      const float low = parameter.min, high = parameter.max, value = parameter.value;
      if (parameter.kind == StateParameter::Kind::number) {
        const std::size_t found = errors.size();
        check_number(place + "min", low, -kMaxStateNumber, kMaxStateNumber);
        check_number(place + "max", high, -kMaxStateNumber, kMaxStateNumber);
        if (found == errors.size() && !(low < high)) {
          add(DiagnosticId::value_out_of_range, place + "max", "is {}, but must be greater than min, which is {}", high,
              low);
        } else if (found == errors.size()) {
          check_number(place + "value", value, double{low}, double{high});
        }
      } else if (value != 0 && (value != 1 || parameter.kind == StateParameter::Kind::trigger)) {
        add(DiagnosticId::value_out_of_range, place + "value", "is {}, but must be {}", value,
            parameter.kind == StateParameter::Kind::trigger ? "0" : "0 or 1");
      }
      if (!parameter.key.empty() && !is_key(parameter.key)) {
        add(DiagnosticId::value_out_of_range, place + "key",
            "is \"{}\", but must be a letter from a to z, a digit, space, enter, shift, left, right, up or down",
            parameter.key);
      }
    }
  }

  void check_events(const std::string& path, const std::vector<std::string>& events) {
    if (!check_count(path, events.size(), kMaxStateEvents)) return;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!events[i].empty()) continue;
      add(DiagnosticId::state_name, format_text("{}[{}]", path, i), "is empty, but must be the name of an event");
    }
  }

  void check_points(const std::string& path, const State& state) {
    const std::vector<BlendPoint>& points = state.points;
    const bool is_plane = state.kind == State::Kind::blend_2d;
    if (!check_count(path, points.size(), kMaxBlendPoints)) return;
    const std::size_t found = errors.size();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const std::string place = format_text("{}[{}].", path, i);
      check_clip(place + "clip", points[i].clip);
      check_number(place + "at", points[i].at.x, -kMaxStateNumber, kMaxStateNumber);
      if (is_plane) check_number(place + "at", points[i].at.y, -kMaxStateNumber, kMaxStateNumber);
      const auto same = std::ranges::find(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(i), points[i].at,
                                          &BlendPoint::at);
      if (same == points.begin() + static_cast<std::ptrdiff_t>(i)) continue;
      add(DiagnosticId::blend_points, place + "at", "is the same as that of {}[{}]", "blend", same - points.begin());
    }
    const std::size_t least = is_plane ? 3 : 2;
    if (points.size() < least) {
      add(DiagnosticId::blend_points, path, "has {}, but needs at least {}", counted(points.size(), "clip"), least);
    } else if (is_plane && errors.size() == found) {
      const std::vector<glm::dvec2> scaled = scaled_points(points);
      const auto distance = [&](const glm::dvec2& point) { return glm::distance(point, scaled[0]); };
      const glm::dvec2 along = std::ranges::max(scaled, {}, distance) - scaled[0];
      const auto is_on_line = [&](const glm::dvec2& point) {
        const glm::dvec2 to = point - scaled[0];
        return std::abs(along.x * to.y - along.y * to.x) <= 1e-6 * glm::dot(along, along);
      };
      if (std::ranges::all_of(scaled, is_on_line)) {
        add(DiagnosticId::blend_points, path, "has all clips on one line, but two parameters need an area");
      }
    }
  }

  void check_state(const std::string& place, const State& state) {
    switch (state.kind) {
      case State::Kind::empty:
        break;
      case State::Kind::clip:
        check_clip(place + "clip", state.clip);
        break;
      case State::Kind::blend_1d:
        check_points(place + "blend", state);
        check_number_parameter(place + "parameter", state.x);
        break;
      case State::Kind::blend_2d:
        check_points(place + "blend", state);
        check_number_parameter(place + "parameters[0]", state.x);
        check_number_parameter(place + "parameters[1]", state.y);
        break;
      case State::Kind::sequence:
        if (state.start.empty() && state.clip.empty()) {
          add(DiagnosticId::missing_value, place + "sequence", "has no clips, but needs \"start\" or \"loop\"");
        }
        if (!state.start.empty()) check_clip(place + "sequence.start", state.start);
        if (!state.clip.empty()) check_clip(place + "sequence.loop", state.clip);
        if (!state.end.empty()) check_clip(place + "sequence.end", state.end);
        break;
    }
    if (state.kind != State::Kind::empty) {
      check_number(place + "speed", state.speed, 0, 1000);
      if (!state.speed_parameter.empty()) check_number_parameter(place + "speedParameter", state.speed_parameter);
      if (state.loop == LoopMode::ping_pong) {
        add(DiagnosticId::value_out_of_range, place + "loop", "must be true or false, because states cannot ping-pong");
      }
    }
    check_events(place + "enter", state.on_enter);
    check_events(place + "leave", state.on_leave);
  }

  /// Checks the conditions of a transition. Returns the ranges of the parameters, or nothing if there are errors.
  std::optional<std::vector<std::pair<std::size_t, ValueRange>>> check_conditions(const std::string& path,
                                                                                  const StateTransition& transition) {
    if (!check_count(path, transition.conditions.size(), kMaxStateConditions)) return std::nullopt;
    std::vector<std::pair<std::size_t, ValueRange>> ranges;
    const std::size_t found = errors.size();
    for (std::size_t i = 0; i < transition.conditions.size(); ++i) {
      const StateCondition& condition = transition.conditions[i];
      const std::string place = format_text("{}[{}]", path, i);
      const std::uint32_t index = check_parameter(place + ".parameter", condition.parameter);
      if (index == kNoState) continue;
      const StateParameter& parameter = parameters[index];
      const bool is_compared =
          condition.test == StateCondition::Test::above || condition.test == StateCondition::Test::below;
      if (is_compared != (parameter.kind == StateParameter::Kind::number) ||
          (condition.test == StateCondition::Test::is_false && parameter.kind == StateParameter::Kind::trigger)) {
        add(DiagnosticId::wrong_type, place + ".parameter",
            parameter.kind == StateParameter::Kind::number ? "is \"{}\", a number, which needs \"above\" or \"below\""
            : parameter.kind == StateParameter::Kind::boolean ? "is \"{}\", a boolean, which needs \"is\" or nothing"
                                                              : "is \"{}\", a trigger, which can only be set",
            condition.parameter);
        continue;
      }
      if (is_compared) {
        const bool is_above = condition.test == StateCondition::Test::above;
        const std::string path_of_value = place + (is_above ? ".above" : ".below");
        const std::size_t before = errors.size();
        check_number(path_of_value, condition.value, -kMaxStateNumber, kMaxStateNumber);
        if (errors.size() > before) continue;
        if (is_above ? condition.value >= parameter.max : condition.value <= parameter.min) {
          add(DiagnosticId::value_out_of_range, path_of_value, "is {}, but \"{}\" is at {} {}", condition.value,
              condition.parameter, is_above ? "most" : "least", is_above ? parameter.max : parameter.min);
          continue;
        }
      }
      if (parameter.kind == StateParameter::Kind::trigger) continue;
      const ValueRange range = values_that_pass(condition);
      auto same = std::ranges::find(ranges, index, &std::pair<std::size_t, ValueRange>::first);
      if (same == ranges.end()) {
        ranges.emplace_back(index, range);
        continue;
      }
      same->second = intersection(same->second, range);
      if (same->second.low > same->second.high) {
        add(DiagnosticId::value_out_of_range, place, "cannot hold together with an earlier condition on \"{}\"",
            condition.parameter);
        return std::nullopt;
      }
    }
    if (errors.size() > found) return std::nullopt;
    return ranges;
  }

  void check_transitions(const std::string& place, const StateLayer& layer) {
    if (!check_count(place + "transitions", layer.transitions.size(), kMaxStateTransitions)) return;
    std::vector<InstantTransition> instant;
    for (std::size_t i = 0; i < layer.transitions.size(); ++i) {
      const StateTransition& transition = layer.transitions[i];
      const std::string path = format_text("{}transitions[{}].", place, i);
      const bool is_any = transition.from.empty();
      const std::uint32_t from = is_any ? kNoState : check_state_name(path + "from", layer, transition.from);
      const std::uint32_t to = check_state_name(path + "to", layer, transition.to);
      auto ranges = check_conditions(path + "when", transition);
      check_number(path + "after", transition.after, 0, 1000);
      check_number(path + "fade", transition.fade_seconds, 0, 60);
      const bool is_triggered = std::ranges::any_of(transition.conditions, [&](const StateCondition& condition) {
        const std::uint32_t found = index_of(parameters, condition.parameter);
        return found != kNoState && parameters[found].kind == StateParameter::Kind::trigger;
      });
      const bool takes_time = transition.after > 0 || transition.at_end || is_triggered ||
                              (!transition.interruptible && transition.fade_seconds > 0);
      if (takes_time || !ranges || to == kNoState || (from == kNoState && !is_any)) continue;
      instant.push_back({i, from, to, *std::move(ranges)});
    }
    check_cycles(place, layer, instant);
  }

  void check_cycles(const std::string& place, const StateLayer& layer, std::span<const InstantTransition> instant) {
    if (instant.empty()) return;
    std::vector<ValueRange> box;
    for (const StateParameter& parameter : parameters) {
      box.push_back(parameter.kind == StateParameter::Kind::number ? ValueRange{parameter.min, parameter.max}
                                                                   : ValueRange{0, 1});
    }
    CycleSearch search(instant, box, layer.states.size(), cycle_checks_left);
    for (std::size_t start = 0; start < layer.states.size(); ++start) {
      if (!search.reached[start].test(start)) continue;
      search.start = start;
      search.way.clear(), search.on_way.reset(), search.box = box;
      if (!search.find(start)) continue;
      std::string names = layer.states[start].name;
      for (const InstantTransition* transition : search.way) names += " > " + layer.states[transition->to].name;
      add(DiagnosticId::instant_cycle, format_text("{}transitions[{}]", place, search.way.back()->number),
          "leads back to \"{}\" without time passing: {}", layer.states[start].name, names);
    }
  }

  void check_layer(const std::string& place, const StateLayer& layer) {
    if (!layer.mask.empty() && std::ranges::find(masks, layer.mask, &NamedMask::name) == masks.end()) {
      add_unknown(place + "mask", layer.mask, "mask", "there is");
    }
    if (layer.mode == LayerMode::additive && !layer.reference_clip.empty()) {
      const ClipId clip = check_clip(place + "reference.clip", layer.reference_clip);
      const std::uint32_t count = clip != ClipId::none ? character.clips()[clip].frame_count : UINT32_MAX;
      if (layer.reference_frame >= count) {
        add(DiagnosticId::value_out_of_range, place + "reference.frame", "is {}, but clip \"{}\" has {}",
            layer.reference_frame, layer.reference_clip, counted(count, "frame"));
      }
    }
    check_number(place + "weight", layer.weight, 0, 1);
    if (!layer.weight_parameter.empty()) check_number_parameter(place + "weightParameter", layer.weight_parameter);
    if (!check_count(place + "states", layer.states.size(), kMaxStates)) return;
    if (layer.states.empty())
      add(DiagnosticId::missing_value, place + "states", "has no states, but needs at least one");
    if (!layer.first.empty()) check_state_name(place + "first", layer, layer.first);
    for (std::size_t i = 0; i < layer.states.size(); ++i) {
      const std::string path = format_text("{}states[{}].", place, i);
      check_new_name(path + "name", layer.states, i, "state");
      check_state(path, layer.states[i]);
    }
    check_transitions(place, layer);
  }
};

}  // namespace

std::vector<Diagnostic> find_state_errors(const States& states, const Character& character,
                                          std::span<const NamedMask> masks) {
  StateChecker checker{states, character, masks};
  checker.check_parameters();
  if (!checker.check_count("states.layers", states.layers.size(), Animator::kMaxLayers)) return checker.errors;
  for (std::size_t i = 0; i < states.layers.size(); ++i) {
    const std::string place = format_text("states.layers[{}].", i);
    checker.check_new_name(place + "name", states.layers, i, "layer");
    checker.check_layer(place, states.layers[i]);
  }
  return std::move(checker.errors);
}

}  // namespace pchr
