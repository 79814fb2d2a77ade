// SPDX-License-Identifier: MIT
// Edits state machines as they are written in the file next to the character.
#pragma once

#include <pchr/states.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::player {

/// A part of the machines of a character.
struct StateRef {
  enum class Kind : std::uint8_t { parameter, layer, state, transition };
  Kind kind = Kind::layer;
  std::size_t layer = 0;  ///< The layer of a state or transition.
  std::size_t index = 0;  ///< Into the list of that kind.
  bool operator==(const StateRef&) const = default;
};

[[nodiscard]] bool exists(const States& states, StateRef part) noexcept;
/// Returns the name of a parameter, layer or state that exists; empty for a transition.
[[nodiscard]] std::string name_of(const States& states, StateRef part);

/// Add a part at the end of its list, with a name that no other part there has. Return it.
/// @{
StateRef add_parameter(States& states, StateParameter parameter);
StateRef add_layer(States& states, StateLayer layer);
StateRef add_state(States& states, std::size_t layer, State state);
StateRef add_transition(States& states, std::size_t layer, StateTransition transition);
/// @}
/// Removes a part, and with a state its transitions.
void remove(States& states, StateRef part);
/// Moves a part by places in its list, as far as that goes. Returns where it is then.
StateRef move(States& states, StateRef part, int by);
/// Renames a parameter, layer or state and all that refers to it. Adds a number to a name that another one has, and
/// ignores an empty name.
void rename(States& states, StateRef part, const std::string& name);

/// Returns the conditions of a transition in words, such as "speed > 0.1, not grounded"; empty if there are none.
[[nodiscard]] std::string describe_conditions(const StateTransition& transition);

/// Returns the part that a path names, such as "states.layers[0].transitions[2].to".
[[nodiscard]] std::optional<StateRef> state_part(std::string_view path);

/// Something that is wrong with a part.
struct StateProblem {
  std::optional<StateRef> part{};  ///< Absent if it is wrong with no part alone.
  std::string field{};             ///< As in the file, such as "clip" or "when[0].parameter"; empty for all of it.
  std::string text{};
};
/// Returns the errors by the parts that their paths name.
[[nodiscard]] std::vector<StateProblem> state_problems(std::span<const Diagnostic> errors);

}  // namespace pchr::player
