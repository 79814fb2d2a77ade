// SPDX-License-Identifier: MIT
// The cost of state machines on the sample character.
#include "puppet.hpp"
#include "timing.hpp"

#include <pchr/load.hpp>
#include <pchr/states.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <thread>
#include <vector>

namespace {

using pchr::Animator;
using pchr::State;
using pchr::StateMachine;
using pchr::bench::kiri;

constexpr double kStep = 1.0 / 60;
constexpr int kTimes = 200;

/// Returns the fewest seconds that one of many calls took on average.
template <typename Work>
void take(double& best, const Work& work) {
  best = std::min(best, pchr::bench::seconds([&] {
                          for (int i = 0; i < kTimes; ++i) work();
                        }) / kTimes);
}

/// 20 states in a ring with 40 transitions, each with two conditions.
pchr::States ring() {
  pchr::States states;
  states.parameters = {{.name = "speed"}, {.name = "go", .kind = pchr::StateParameter::Kind::trigger}};
  pchr::StateLayer& layer = states.layers.emplace_back(pchr::StateLayer{.name = "body"});
  for (int i = 0; i < 20; ++i)
    layer.states.push_back(
        {.name = std::to_string(i), .kind = State::Kind::clip, .clip = i % 2 == 0 ? "walk" : "idle"});
  for (int i = 0; i < 40; ++i) {
    pchr::StateTransition transition{.to = std::to_string((i / 2 + 1 + i % 2) % 20), .fade_seconds = 0.1};
    if (i >= 4) transition.from = std::to_string(i / 2);
    transition.conditions = {{"speed", pchr::StateCondition::Test::above, 0.5F}, {.parameter = "go"}};
    layer.transitions.push_back(transition);
  }
  return states;
}

/// What a machine takes per step besides its animator while no transition is possible.
void nothing_changes(benchmark::State& state) {
  Animator plain(kiri()), driven(kiri());
  plain.play(kiri().find_clip("walk"));
  StateMachine machine(pchr::make_state_graph(ring(), kiri()).value());
  double with = 1, without = 1;
  for (auto _ : state) {
    take(without, [&] { benchmark::DoNotOptimize(plain.advance(kStep)); });
    take(with, [&] { benchmark::DoNotOptimize(machine.advance(driven, kStep)); });
    state.SetIterationTime(with);
  }
  pchr::bench::report_cycles(state, with - without, 100);
}

/// A blend of three clips that a machine keeps in step, and the same with three clocks and blend(). `of_hand` is how
/// much longer the machine takes.
void blend_of_three(benchmark::State& state) {
  const pchr::ClipId clips[] = {kiri().find_clip("idle"), kiri().find_clip("walk"), kiri().find_clip("wave")};
  pchr::States states;
  states.parameters = {{.name = "x"}, {.name = "y"}};
  states.layers.push_back(
      {.name = "body",
       .states = {{.name = "move",
                   .kind = State::Kind::blend_2d,
                   .points = {{"idle", {0.0F, 0.0F}}, {"walk", {1.0F, 0.0F}}, {"wave", {0.0F, 1.0F}}},
                   .x = "x",
                   .y = "y",
                   .loop = pchr::LoopMode::loop}}});
  StateMachine machine(pchr::make_state_graph(states, kiri()).value());
  machine.set("x", 0.3F);
  machine.set("y", 0.3F);
  Animator animator(kiri());
  animator.set_sampling(pchr::Sampling::smooth);
  pchr::PoseBuffers posed;

  constexpr float kWeights[] = {0.4F, 0.3F, 0.3F};
  pchr::Clock clocks[3];
  double duration = 0;
  for (int i = 0; i < 3; ++i) {
    clocks[i] = pchr::Clock(kiri().clips()[clips[i]], pchr::LoopMode::loop);
    duration += static_cast<double>(kWeights[i]) * clocks[i].duration_seconds();
  }
  for (pchr::Clock& clock : clocks) clock.set_speed(clock.duration_seconds() / duration);
  pchr::PoseBuffers by_hand;
  double machine_seconds = 1, hand_seconds = 1;
  for (auto _ : state) {
    take(machine_seconds, [&] {
      machine.advance(animator, kStep);
      animator.pose(posed);
    });
    take(hand_seconds, [&] {
      for (pchr::Clock& clock : clocks) clock.advance(kStep);
      const auto position = [&](int i) { return clocks[i].position(pchr::Sampling::smooth); };
      const pchr::PoseRequest two{clips[0], position(0), clips[1], position(1),
                                  kWeights[1] / (kWeights[0] + kWeights[1])};
      pchr::sample(kiri(), two, by_hand.pose);
      pchr::blend(kiri(), clips[2], position(2), kWeights[2], by_hand.pose);
      pchr::update(kiri(), by_hand);
    });
    state.SetIterationTime(machine_seconds);
  }
  pchr::bench::report_cycles(state, machine_seconds);
  state.counters["of_hand"] = machine_seconds / hand_seconds;
  state.counters["goal"] = 1.15;
}

/// Thousands of machines that are always on their way to another state, advanced by this many threads. `cycles_each`
/// are those of one machine and one thread.
void crowd(benchmark::State& state) {
  constexpr std::size_t kCount = 4096;
  const auto thread_count = static_cast<std::size_t>(state.range(0));
  const auto graph = pchr::make_state_graph(ring(), kiri()).value();
  std::vector<Animator> animators(kCount, Animator(kiri()));
  std::vector<StateMachine> machines(kCount, StateMachine(graph));
  const auto advance_some = [&](std::size_t first) {
    for (std::size_t i = first; i < kCount; i += thread_count) {
      machines[i].set("speed", 1);
      machines[i].set("go", 1);
      benchmark::DoNotOptimize(machines[i].advance(animators[i], kStep));
    }
  };
  double best = 1;
  for (auto _ : state) {
    const double time = pchr::bench::wall_seconds([&] {
      std::vector<std::thread> threads;
      for (std::size_t first = 1; first < thread_count; ++first) threads.emplace_back(advance_some, first);
      advance_some(0);
      for (std::thread& thread : threads) thread.join();
    });
    best = std::min(best, time);
    state.SetIterationTime(time);
  }
  pchr::bench::report_cycles(state, best / kCount * static_cast<double>(thread_count));
}

BENCHMARK(nothing_changes)->Name("states/nothing_changes")->UseManualTime()->Iterations(500);
BENCHMARK(blend_of_three)->Name("states/blend_of_three")->UseManualTime()->Iterations(500);
BENCHMARK(crowd)->Name("states/4096_always_in_transition")->Arg(1)->Arg(2)->UseManualTime()->Iterations(50);

}  // namespace
