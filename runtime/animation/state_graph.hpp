// SPDX-License-Identifier: MIT
// What state machines run on: the names of States, looked up for one character.
#pragma once

#include "animation/clip_blend.hpp"

#include <pchr/states.hpp>

namespace pchr {

constexpr std::uint32_t kNoState = UINT32_MAX;

/// A condition on a parameter, an index.
struct GraphCondition {
  std::uint32_t parameter;
  StateCondition::Test test;
  float value;
};

/// A StateTransition with indices.
struct GraphTransition {
  std::uint32_t from, to;  ///< `from` is kNoState for any other.
  std::vector<GraphCondition> conditions;
  double after, fade_seconds;
  bool at_end, synchronized, interruptible;
};

/// The three clips of a sequence, or the clip or blend of another state as `loop`.
struct GraphClip {
  ClipId clip = ClipId::none;
  Clock clock;
  std::shared_ptr<const ClipBlend> blend{};
};

/// A State with indices.
struct GraphState {
  GraphClip start, loop, end;
  double speed;
  std::uint32_t speed_parameter;  ///< Or kNoState.
  // These are for a blend space.
  std::vector<Vec2> points;
  std::uint32_t x, y;
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< Indices of points, each ascending.
  std::vector<std::array<std::uint32_t, 2>> edges;      ///< The hull, or the points in order along a line.
  std::vector<std::uint32_t> outgoing;                  ///< Transitions from here, in order.
};

/// A StateLayer with indices.
struct GraphLayer {
  LayerOptions options;
  std::uint32_t weight_parameter;  ///< Or kNoState.
  std::uint32_t first;
  std::vector<GraphState> states;
  std::vector<GraphTransition> transitions;
};

struct StateGraph {
  States source;
  std::vector<GraphLayer> layers;
};

/// Returns the index of the part with a name, or kNoState.
[[nodiscard]] std::uint32_t index_of(const auto& parts, std::string_view name) {
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    if (parts[i].name == name) return i;
  }
  return kNoState;
}

/// Finds the clips of a character in logarithmic time: a damaged file can name very many, very often.
class ClipNames {
 public:
  explicit ClipNames(const Character& character);

  /// Returns the first clip with a name, or `none`.
  [[nodiscard]] ClipId find(std::string_view name) const noexcept;

 private:
  std::vector<std::pair<std::string_view, ClipId>> sorted_;
};

/// Returns the points of a blend space, scaled to a square: the ranges of the parameters must not count.
[[nodiscard]] std::vector<glm::dvec2> scaled_points(std::span<const BlendPoint> points);

/// Sets the clips that a play of a blend space shows at a point, and their weights.
void set_blend_weights(const GraphState& state, Vec2 at, Play& play) noexcept;

}  // namespace pchr
