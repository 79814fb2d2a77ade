// SPDX-License-Identifier: MIT
#include "document/states.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

namespace pchr::player {
namespace {

/// Calls `use` with the list that a part is in. The layer of a state or transition must exist.
template <typename AnyStates, typename Use>
auto with_list(AnyStates& states, StateRef part, const Use& use) {
  switch (part.kind) {
    case StateRef::Kind::parameter:
      return use(states.parameters);
    case StateRef::Kind::state:
      return use(states.layers[part.layer].states);
    case StateRef::Kind::transition:
      return use(states.layers[part.layer].transitions);
    case StateRef::Kind::layer:
      break;
  }
  return use(states.layers);
}

template <typename Parts>
std::string unique_name_in(const Parts& parts, const std::string& name, std::size_t except = SIZE_MAX) {
  std::string unique = name;
  const auto is_taken = [&] {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i != except && parts[i].name == unique) return true;
    }
    return false;
  };
  for (int number = 2; is_taken(); ++number) unique = fmt::format("{} {}", name, number);
  return unique;
}

template <typename Part>
StateRef add_named(std::vector<Part>& parts, Part part, StateRef::Kind kind, std::size_t layer) {
  part.name = unique_name_in(parts, part.name);
  parts.push_back(std::move(part));
  return {kind, layer, parts.size() - 1};
}

/// Takes `start` and an index in brackets off the front of a path.
std::optional<std::size_t> take_index(std::string_view& path, std::string_view start) {
  if (!path.starts_with(start)) return std::nullopt;
  std::size_t index = 0;
  const char* const end = path.data() + path.size();
  const auto [rest, error] = std::from_chars(path.data() + start.size(), end, index);
  if (error != std::errc() || rest == end || *rest != ']') return std::nullopt;
  path.remove_prefix(static_cast<std::size_t>(rest + 1 - path.data()));
  if (path.starts_with('.')) path.remove_prefix(1);
  return index;
}

std::optional<StateRef> take_part(std::string_view& path) {
  if (const auto parameter = take_index(path, "states.parameters["))
    return StateRef{StateRef::Kind::parameter, 0, *parameter};
  const auto layer = take_index(path, "states.layers[");
  if (!layer) return std::nullopt;
  if (const auto state = take_index(path, "states[")) return StateRef{StateRef::Kind::state, *layer, *state};
  if (const auto transition = take_index(path, "transitions["))
    return StateRef{StateRef::Kind::transition, *layer, *transition};
  return StateRef{StateRef::Kind::layer, 0, *layer};
}

}  // namespace

std::optional<StateRef> state_part(std::string_view path) { return take_part(path); }

bool exists(const States& states, StateRef part) noexcept {
  const bool nested = part.kind == StateRef::Kind::state || part.kind == StateRef::Kind::transition;
  if (nested && part.layer >= states.layers.size()) return false;
  return with_list(states, part, [&](const auto& list) { return part.index < list.size(); });
}

std::string name_of(const States& states, StateRef part) {
  return with_list(states, part, [&](const auto& list) {
    if constexpr (requires { list[0].name; }) {
      return list[part.index].name;
    } else {
      return std::string();
    }
  });
}

StateRef add_parameter(States& states, StateParameter parameter) {
  return add_named(states.parameters, std::move(parameter), StateRef::Kind::parameter, 0);
}

StateRef add_layer(States& states, StateLayer layer) {
  return add_named(states.layers, std::move(layer), StateRef::Kind::layer, 0);
}

StateRef add_state(States& states, std::size_t layer, State state) {
  return add_named(states.layers[layer].states, std::move(state), StateRef::Kind::state, layer);
}

StateRef add_transition(States& states, std::size_t layer, StateTransition transition) {
  std::vector<StateTransition>& transitions = states.layers[layer].transitions;
  transitions.push_back(std::move(transition));
  return {StateRef::Kind::transition, layer, transitions.size() - 1};
}

void remove(States& states, StateRef part) {
  if (!exists(states, part)) return;
  if (part.kind == StateRef::Kind::state) {
    StateLayer& layer = states.layers[part.layer];
    const std::string& name = layer.states[part.index].name;
    std::erase_if(layer.transitions, [&](const StateTransition& each) { return each.from == name || each.to == name; });
    if (layer.first == name) layer.first.clear();
  }
  with_list(states, part, [&](auto& list) { list.erase(list.begin() + static_cast<std::ptrdiff_t>(part.index)); });
}

StateRef move(States& states, StateRef part, int by) {
  if (!exists(states, part)) return part;
  with_list(states, part, [&](auto& list) {
    const auto last = static_cast<std::ptrdiff_t>(list.size()) - 1;
    auto at = static_cast<std::ptrdiff_t>(part.index);
    const std::ptrdiff_t to = std::clamp<std::ptrdiff_t>(at + by, 0, last);
    for (const std::ptrdiff_t step = to < at ? -1 : 1; at != to; at += step)
      std::iter_swap(&list[at], &list[at + step]);
    part.index = static_cast<std::size_t>(to);
  });
  return part;
}

void rename(States& states, StateRef part, const std::string& name) {
  if (name.empty() || !exists(states, part) || part.kind == StateRef::Kind::transition) return;
  std::string before, after;
  with_list(states, part, [&](auto& list) {
    if constexpr (requires { list[0].name; }) {
      after = unique_name_in(list, name, part.index);
      before = std::exchange(list[part.index].name, after);
    }
  });
  const auto follow = [&](std::string& reference) {
    if (reference == before) reference = after;
  };
  if (part.kind == StateRef::Kind::state) {
    StateLayer& layer = states.layers[part.layer];
    follow(layer.first);
    for (StateTransition& each : layer.transitions) {
      follow(each.from);
      follow(each.to);
    }
  }
  if (part.kind != StateRef::Kind::parameter) return;
  for (StateLayer& layer : states.layers) {
    follow(layer.weight_parameter);
    for (State& state : layer.states) {
      for (std::string* reference : {&state.x, &state.y, &state.speed_parameter}) follow(*reference);
    }
    for (StateTransition& transition : layer.transitions) {
      for (StateCondition& condition : transition.conditions) follow(condition.parameter);
    }
  }
}

std::string describe_conditions(const StateTransition& transition) {
  std::string text;
  for (const StateCondition& each : transition.conditions) {
    if (!text.empty()) text += ", ";
    switch (each.test) {
      case StateCondition::Test::above:
        text += fmt::format("{} > {:.3g}", each.parameter, each.value);
        break;
      case StateCondition::Test::below:
        text += fmt::format("{} < {:.3g}", each.parameter, each.value);
        break;
      case StateCondition::Test::is_true:
        text += each.parameter;
        break;
      case StateCondition::Test::is_false:
        text += "not " + each.parameter;
        break;
    }
  }
  const auto add = [&](const std::string& more) { text += (text.empty() ? "" : ", ") + more; };
  if (transition.at_end) add("at the end");
  if (transition.after > 0) add(fmt::format("after {:.3g}", transition.after));
  return text;
}

std::vector<StateProblem> state_problems(std::span<const Diagnostic> errors) {
  std::vector<StateProblem> problems;
  for (const Diagnostic& each : errors) {
    std::string_view rest = each.path;
    const auto part = take_part(rest);
    std::string text = each.detail.empty() ? std::string(message(each.id)) : each.detail;
    if (!part && !each.path.empty()) text = each.path + " " + text;
    problems.push_back({part, part ? std::string(rest) : std::string(), std::move(text)});
  }
  return problems;
}

}  // namespace pchr::player
