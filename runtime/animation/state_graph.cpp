// SPDX-License-Identifier: MIT
// Makes state graphs, and finds the place of parameters in blend spaces.
#include "animation/state_graph.hpp"
#include "character/heap_sort.hpp"

#include <glm/common.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pchr {
namespace {

/// Returns twice the area of a triangle, above 0 if it is counter-clockwise.
double area_of(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// Returns above 0 if `d` is inside the circle through a counter-clockwise triangle.
double in_circle(const glm::dvec2& a, const glm::dvec2& b, const glm::dvec2& c, const glm::dvec2& d) {
  const auto lifted = [&](const glm::dvec2& point) {
    const double x = point.x - d.x, y = point.y - d.y;
    return std::array{x, y, x * x + y * y};
  };
  const auto p = lifted(a), q = lifted(b), r = lifted(c);
  return p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0]) + p[2] * (q[0] * r[1] - q[1] * r[0]);
}

using PointPair = std::array<std::uint32_t, 2>;
using PointTriple = std::array<std::uint32_t, 3>;

/// Triangulates points that are not all on one line. Adds them from left to right, each with the edges of the hull that
/// it sees; then flips edges as Lawson (1977), until the circle of no triangle has another point inside.
void triangulate(std::span<const glm::dvec2> points, std::vector<PointTriple>& triangles,
                 std::vector<PointPair>& hull) {
  std::vector<std::uint32_t> order(points.size());
  std::iota(order.begin(), order.end(), 0U);
  heap_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return points[a].x < points[b].x || (points[a].x == points[b].x && points[a].y < points[b].y);
  });
  const auto area = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return area_of(points[a], points[b], points[c]);
  };
  const auto bend = std::ranges::find_if(order, [&](std::uint32_t i) { return area(order[0], order[1], i) != 0; });
  if (bend == order.end()) return;
  std::rotate(order.begin() + 2, bend, bend + 1);
  const auto add = [&](PointTriple triangle) {
    if (area(triangle[0], triangle[1], triangle[2]) < 0) std::swap(triangle[0], triangle[1]);
    triangles.push_back(triangle);
    return triangle;
  };
  const PointTriple first = add({order[0], order[1], order[2]});
  hull = {{first[0], first[1]}, {first[1], first[2]}, {first[2], first[0]}};
  for (const std::uint32_t point : std::span(order).subspan(3)) {
    std::vector<PointPair> next;
    for (const auto& [a, b] : hull) {
      if (area(a, b, point) >= 0) {
        next.push_back({a, b});
        continue;
      }
      add({a, point, b});
      for (const PointPair& edge : {PointPair{a, point}, PointPair{point, b}}) {
        const auto twin = std::ranges::find(next, PointPair{edge[1], edge[0]});
        if (twin == next.end()) {
          next.push_back(edge);
        } else {
          next.erase(twin);
        }
      }
    }
    hull = std::move(next);
  }

  // Returns whether it flipped an edge of `t` that another triangle has, too.
  const auto flip = [&](PointTriple& t) {
    for (int corner = 0; corner < 3; ++corner) {
      const std::uint32_t a = t[corner], b = t[(corner + 1) % 3], c = t[(corner + 2) % 3];
      for (PointTriple& other : triangles) {
        const auto side = std::ranges::find(other, c);
        const auto at = side - other.begin();
        if (side == other.end() || other[(at + 1) % 3] != b) continue;
        const std::uint32_t d = other[(at + 2) % 3];
        // Points on one circle must not flip to and fro.
        const double size = std::abs(area(a, b, c)) + std::abs(area(b, d, c));
        if (!(in_circle(points[a], points[b], points[c], points[d]) > 1e-9 * size * size)) continue;
        if (!(area(a, b, d) > 0 && area(a, d, c) > 0)) continue;
        t = {a, b, d};
        other = {a, d, c};
        return true;
      }
    }
    return false;
  };
  for (std::size_t rounds = 0; rounds < points.size() * points.size(); ++rounds) {
    bool flipped = false;
    for (PointTriple& triangle : triangles) flipped |= flip(triangle);
    if (!flipped) break;
  }
}

/// Prepares a blend space.
void place_points(const State& state, GraphState& out) {
  for (const BlendPoint& point : state.points) out.points.push_back(point.at);
  if (state.kind == State::Kind::blend_1d) {
    std::vector<std::uint32_t> order(out.points.size());
    std::iota(order.begin(), order.end(), 0U);
    heap_sort(order, [&](std::uint32_t a, std::uint32_t b) { return out.points[a].x < out.points[b].x; });
    for (std::size_t i = 0; i + 1 < order.size(); ++i) out.edges.push_back({order[i], order[i + 1]});
    return;
  }
  triangulate(scaled_points(state.points), out.triangles, out.edges);
  for (PointTriple& triangle : out.triangles) heap_sort(triangle, std::ranges::less());
}

}  // namespace

std::vector<glm::dvec2> scaled_points(std::span<const BlendPoint> points) {
  glm::dvec2 low(HUGE_VAL), high(-HUGE_VAL);
  for (const BlendPoint& point : points) {
    low = glm::min(low, glm::dvec2(point.at));
    high = glm::max(high, glm::dvec2(point.at));
  }
  const glm::dvec2 size(high.x > low.x ? high.x - low.x : 1, high.y > low.y ? high.y - low.y : 1);
  std::vector<glm::dvec2> scaled;
  for (const BlendPoint& point : points) scaled.push_back((glm::dvec2(point.at) - low) / size);
  return scaled;
}

void set_blend_weights(const GraphState& state, Vec2 at, Play& play) noexcept {
  const glm::dvec2 point(at);
  const auto at_point = [&](std::uint32_t i) { return glm::dvec2(state.points[i]); };
  std::array<double, 3> weights{1, 0, 0};
  PointTriple clips{};
  double best = -1e-6;
  for (const PointTriple& triangle : state.triangles) {
    const glm::dvec2 a = at_point(triangle[0]), b = at_point(triangle[1]), c = at_point(triangle[2]);
    const double all = area_of(a, b, c);
    const std::array<double, 3> shares{area_of(point, b, c) / all, area_of(a, point, c) / all,
                                       area_of(a, b, point) / all};
    const double least = std::ranges::min(shares);
    if (!(least > best)) continue;
    best = least;
    weights = shares;
    clips = triangle;
  }
  if (best == -1e-6) {
    double nearest = HUGE_VAL;
    for (const auto& [from, to] : state.edges) {
      const glm::dvec2 a = at_point(from), b = at_point(to);
      const double x = b.x - a.x, y = b.y - a.y;
      const double share = std::clamp(((point.x - a.x) * x + (point.y - a.y) * y) / (x * x + y * y), 0.0, 1.0);
      const double distance = std::hypot(a.x + x * share - point.x, a.y + y * share - point.y);
      if (!(distance < nearest)) continue;
      nearest = distance;
      // In order of index, as in the triangles: the order in which clips blend must not change.
      weights = from < to ? std::array{1 - share, share, 0.0} : std::array{share, 1 - share, 0.0};
      clips = {std::min(from, to), std::max(from, to), 0};
    }
  }
  play.blend_clips = {};
  play.blend_weights = {};
  std::size_t count = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto weight = static_cast<float>(weights[i]);
    if (!(weight > 0)) continue;
    play.blend_clips[count] = clips[i];
    play.blend_weights[count++] = weight;
  }
}

ClipNames::ClipNames(const Character& character) {
  for (const ClipId clip : character.clips().ids()) sorted_.emplace_back(character.clips()[clip].name, clip);
  heap_sort(sorted_, std::ranges::less());
}

ClipId ClipNames::find(std::string_view name) const noexcept {
  const auto found = std::ranges::lower_bound(sorted_, name, {}, &std::pair<std::string_view, ClipId>::first);
  return found != sorted_.end() && found->first == name ? found->second : ClipId::none;
}

const States& states_of(const StateGraph& graph) noexcept { return graph.source; }

Expected<std::shared_ptr<const StateGraph>, Diagnostic> make_state_graph(const States& states,
                                                                         const Character& character,
                                                                         std::span<const NamedMask> masks,
                                                                         const Markers& markers) {
  if (std::vector<Diagnostic> errors = find_state_errors(states, character, masks); !errors.empty())
    return Unexpected(std::move(errors.front()));
  auto graph = std::make_shared<StateGraph>(StateGraph{states, {}});
  const ClipNames names(character);
  const auto parameter = [&](const std::string& name) { return index_of(states.parameters, name); };
  for (const StateLayer& layer : states.layers) {
    GraphLayer& out = graph->layers.emplace_back();
    out.options = {layer.weight, layer.mode, find_mask(masks, character, layer.mask).value_or(BoneMask()),
                   names.find(layer.reference_clip), layer.reference_frame};
    out.weight_parameter = parameter(layer.weight_parameter);
    out.first = layer.first.empty() ? 0 : index_of(layer.states, layer.first);
    for (const State& state : layer.states) {
      GraphState& made = out.states.emplace_back();
      made.speed = state.speed;
      made.speed_parameter = parameter(state.speed_parameter);
      made.x = parameter(state.x), made.y = parameter(state.y);
      const auto clip = [&](const std::string& name, LoopMode mode) {
        const ClipId id = names.find(name);
        return id == ClipId::none ? GraphClip() : GraphClip{id, Clock(character.clips()[id], mode)};
      };
      if (state.kind == State::Kind::clip) made.loop = clip(state.clip, state.loop);
      if (state.kind == State::Kind::sequence) {
        made.start = clip(state.start, LoopMode::once);
        made.loop = clip(state.clip, LoopMode::loop);
        made.end = clip(state.end, LoopMode::once);
      }
      if (state.kind != State::Kind::blend_1d && state.kind != State::Kind::blend_2d) continue;
      std::vector<ClipId> clips;
      for (const BlendPoint& point : state.points) clips.push_back(names.find(point.clip));
      std::shared_ptr<const ClipBlend> blend = make_clip_blend(character, std::move(clips), state.loop, markers);
      made.loop = {blend->clips[blend->reference], blend->clocks[blend->reference], blend};
      place_points(state, made);
    }
    for (std::uint32_t number = 0; number < layer.transitions.size(); ++number) {
      const StateTransition& transition = layer.transitions[number];
      GraphTransition& made = out.transitions.emplace_back();
      made = {index_of(layer.states, transition.from),
              index_of(layer.states, transition.to),
              {},
              transition.after,
              transition.fade_seconds,
              transition.at_end,
              transition.synchronized,
              transition.interruptible};
      for (const StateCondition& condition : transition.conditions)
        made.conditions.push_back({parameter(condition.parameter), condition.test, condition.value});
      for (std::uint32_t from = 0; from < out.states.size(); ++from) {
        if (made.from == kNoState ? from != made.to : from == made.from) out.states[from].outgoing.push_back(number);
      }
    }
  }
  return graph;
}

}  // namespace pchr
