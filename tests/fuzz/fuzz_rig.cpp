// SPDX-License-Identifier: MIT
// Loads a rig file and the older file with markers only. A rig that loads moves a character, and is saved and loaded
// again. State machines without errors run.
#include "use.hpp"

#include <pchr/animator.hpp>
#include <pchr/import/import.hpp>

#include <algorithm>
#include <memory>

namespace {

pchr::Character make_character() {
  pchr::CharacterData data;
  data.bones = {{"upper", pchr::BoneId::none},
                {"lower", pchr::BoneId{0}},
                {"hand", pchr::BoneId{1}},
                {"finger", pchr::BoneId{2}},
                {"other", pchr::BoneId::none}};
  pchr::Clip& clip = data.clips.emplace_back();
  clip.name = "walk";
  clip.frames_per_second = 24;
  clip.frame_count = 2;
  clip.samples.resize(10);
  for (std::size_t i = 0; i < 10; ++i) clip.samples.y[i] = static_cast<float>(10 * (i % 5));
  return pchr::Character::build(std::move(data)).value();
}

/// Advances machines by small and large steps with changing parameters, saves and restores them.
void run(const std::shared_ptr<const pchr::StateGraph>& graph, pchr::Animator& animator) {
  using pchr::fuzz::require;
  pchr::StateMachine machine(graph);
  pchr::PoseBuffers posed;
  for (int step = 0; step < 12; ++step) {
    for (std::uint32_t i = 0; i < machine.values().size(); ++i) {
      if ((i + static_cast<std::uint32_t>(step)) % 3 == 0) machine.set(i, 0.3F * static_cast<float>(step) - 1);
    }
    machine.advance(animator, step % 4 == 3 ? 3.0 : step == 6 ? -0.1 : 0.02);
    animator.pose(posed);
  }
  const std::string saved = machine.save(animator);
  require(machine.restore(animator, saved), "saved machines are restored");
  require(machine.save(animator) == saved, "restored machines are the same");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using pchr::fuzz::require;
  static const pchr::Character character = make_character();
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto markers = pchr::load_markers(bytes, character);
  if (!markers) require(markers.error().byte_offset.value_or(0) <= size, "the error of markers is in the file");
  const auto sidecar = pchr::load_rig(bytes, character);
  if (!sidecar) {
    require(sidecar.error().byte_offset.value_or(0) <= size, "the error of a rig is in the file");
    require(!describe(sidecar.error(), "rig").empty(), "every error is described");
    return 0;
  }
  const std::string saved = save_rig(*sidecar, character);
  const auto again = pchr::load_rig(std::as_bytes(std::span(saved)), character);
  require(again.has_value(), "a saved rig loads");
  require(again->rig == sidecar->rig && again->masks == sidecar->masks && again->states == sidecar->states &&
              std::ranges::equal(again->markers.all(), sidecar->markers.all()),
          "a saved rig is the same");
  require(save_rig(*again, character) == saved, "a rig that is saved again is the same text");
  require(again->state_errors.size() == sidecar->state_errors.size(), "saved machines have the same errors");
  for (const pchr::Diagnostic& error : sidecar->state_errors) {
    require(error.byte_offset.value_or(0) <= size && error.line > 0, "the errors of machines are in the file");
  }
  pchr::Animator animator(character);
  animator.set_rig(std::make_shared<const pchr::Rig>(sidecar->rig));
  animator.play(pchr::ClipId{0});
  pchr::PoseBuffers posed;
  for (int frame = 0; frame < 4; ++frame) {
    animator.advance(0.02);
    animator.pose(posed);
  }
  const auto graph = make_state_graph(sidecar->states, character, sidecar->masks, sidecar->markers);
  require(graph.has_value() == sidecar->state_errors.empty(), "machines run if they have no errors");
  if (graph) run(*graph, animator);
  return 0;
}
