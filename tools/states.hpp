// SPDX-License-Identifier: MIT
// Plays a script through the state machines of a character.
#pragma once

#include "input.hpp"

#include <pchr/states.hpp>

#include <functional>

namespace pchr::tools {

/// What a line of a script does to a parameter.
struct ScriptStep {
  double seconds = 0;
  std::string parameter;
  std::optional<std::string> value;  ///< As written.
  std::size_t line = 0;              ///< From 1.
};

/// A list of `time parameter value` lines. See the help of `pchr render`.
struct StateScript {
  std::string file;
  std::vector<ScriptStep> steps;  ///< In the order of their times.
  std::optional<double> end;      ///< Time of the line `time end`.
};

/// Parses a script. Fails with the file, the line, what was found and what was expected.
[[nodiscard]] StateScript parse_script(std::string_view text, const std::string& file);

/// An animation of a character whose state machines follow a script.
class StateAnimation {
 public:
  /// Reads the script, "-" for standard input, and the machines of the character. `frames_per_second` is above 0.
  /// `check` is called with a number of frames before they are posed.
  StateAnimation(const Input& input, const InputOptions& options, const std::string& script, double frames_per_second,
                 Sampling sampling, const std::function<void(std::uint32_t)>& check);

  [[nodiscard]] std::uint32_t frames() const { return frames_; }
  [[nodiscard]] double frames_per_second() const { return frames_per_second_; }
  /// Poses a frame. Fast in order.
  [[nodiscard]] const PoseBuffers& pose(std::uint32_t frame);

 private:
  void restart();
  void pose_next();
  [[nodiscard]] std::uint32_t count_frames(const std::function<void(std::uint32_t)>& check);

  Character character_;
  Sidecar sidecar_;
  std::shared_ptr<const StateGraph> graph_;
  StateScript script_;
  std::vector<std::pair<std::uint32_t, float>> values_;  ///< What each step sets: a parameter and its value.
  double frames_per_second_;
  Sampling sampling_;
  std::uint32_t frames_ = 0;

  std::optional<Animator> animator_;
  std::optional<StateMachine> machine_;
  double now_ = 0;
  std::size_t next_step_ = 0;
  std::uint32_t next_frame_ = 0;
  PoseBuffers posed_;
};

}  // namespace pchr::tools
