// SPDX-License-Identifier: MIT
// Continues state machines from a saved text. What is accepted plays on, and is saved as the same.
#include "use.hpp"

#include <pchr/animator.hpp>
#include <pchr/import/import.hpp>

#include <cmath>
#include <memory>

namespace {

constexpr std::string_view kStates = R"({"states": {
  "parameters": [{"name": "speed", "type": "number", "max": 2}, {"name": "go", "type": "trigger"}],
  "layers": [{"name": "body", "states": [
    {"name": "still", "sequence": {"start": "turn", "loop": "walk", "end": "turn"}, "speedParameter": "speed"},
    {"name": "run", "clip": "walk", "loop": false},
    {"name": "mix", "parameter": "speed", "blend": [{"clip": "walk", "at": 0}, {"clip": "turn", "at": 1}]}],
   "transitions": [
    {"from": "still", "to": "run", "atEnd": true, "fade": 0.1},
    {"from": "run", "to": "mix", "after": 0.5},
    {"from": "mix", "to": "still", "when": [{"parameter": "go"}]}]},
   {"name": "hand", "states": [{"name": "nothing"}, {"name": "wave", "clip": "turn"}],
   "transitions": [
    {"from": "nothing", "to": "wave", "after": 1},
    {"from": "wave", "to": "nothing", "atEnd": true}]}]}})";

pchr::Character make_character() {
  pchr::CharacterData data;
  data.bones = {{"root", pchr::BoneId::none}};
  for (const char* name : {"walk", "turn"}) {
    pchr::Clip& clip = data.clips.emplace_back();
    clip.name = name;
    clip.frames_per_second = 24;
    clip.frame_count = 6;
    clip.looping = true;
    clip.samples.resize(6);
  }
  return pchr::Character::build(std::move(data)).value();
}

std::shared_ptr<const pchr::StateGraph> make_graph(const pchr::Character& character) {
  const auto sidecar = pchr::load_rig(std::as_bytes(std::span(kStates)), character);
  pchr::fuzz::require(sidecar && sidecar->state_errors.empty(), "the machines are right");
  return make_state_graph(sidecar->states, character, sidecar->masks, sidecar->markers).value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using pchr::fuzz::require;
  static const pchr::Character character = make_character();
  static const std::shared_ptr<const pchr::StateGraph> graph = make_graph(character);
  pchr::Animator animator(character);
  pchr::StateMachine machine(graph);
  const std::string before = machine.save(animator);
  if (!machine.restore(animator, {reinterpret_cast<const char*>(data), size})) {
    require(machine.save(animator) == before, "a text that is refused changes nothing");
    return 0;
  }
  const std::string saved = machine.save(animator);
  require(machine.restore(animator, saved) && machine.save(animator) == saved, "restored machines are the same");
  pchr::PoseBuffers posed;
  for (int step = 0; step < 12; ++step) {
    if (step == 6) machine.set("go", 1);
    machine.advance(animator, step % 4 == 3 ? 3.0 : step == 7 ? -0.1 : 0.02);
    animator.pose(posed);
    for (std::uint32_t layer = 0; layer < 2; ++layer) {
      require(std::isfinite(machine.status(animator, layer).phase), "a layer has a phase");
    }
  }
  return 0;
}
