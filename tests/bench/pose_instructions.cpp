// SPDX-License-Identifier: MIT
// Runs a fixed number of poses of the sample character, to count instructions without a quiet machine:
//   valgrind --tool=callgrind --toggle-collect='run_counted*' pose_instructions AVX2 crossfade
// Instructions per item are the instructions that callgrind collects, divided by the items printed.
#include "character/kernels.hpp"

#include <pchr/gpu.hpp>
#include <pchr/load.hpp>
#include <pchr/rig.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace pchr;

namespace {

constexpr std::uint32_t kPoses = 1000;
constexpr std::size_t kRigged = 64;

/// The sample without meshes, so no draw list is counted.
Character bones_of(const Character& character) {
  CharacterData data = character.data();
  data.meshes.clear();
  data.vertices.clear();
  data.indices.clear();
  auto built = Character::build(std::move(data));
  if (!built) std::abort();
  return *built;
}

}  // namespace

[[gnu::noinline]] void run_counted(const Character& character, const Rig& rig, std::span<RigState> states,
                                   std::span<PoseBuffers> posed) {
  if (states.size() == 1) return apply_rig_many(rig, character, 1 / 60.0, states[0], posed);
  for (std::size_t i = 0; i < states.size(); ++i) apply_rig(rig, character, 1 / 60.0, states[i], posed[i].pose);
}

/// Returns the springs of kiri.rig.json. Reading JSON would need the libraries that import characters, which take
/// longest to build.
Rig springs_of(const Character& character) {
  Rig rig;
  const auto add = [&](std::initializer_list<const char*> bones, float length, float frequency, float damping,
                       float drag, float limit_degrees) {
    SpringChain chain{
        .tip = {0, length}, .frequency = frequency, .damping = damping, .drag = drag, .limit_degrees = limit_degrees};
    for (const char* bone : bones) chain.bones.push_back(character.find_bone(bone));
    rig.springs.push_back(std::move(chain));
  };
  add({"near_ear"}, 110, 4.5F, 0.35F, 0, 25);
  add({"far_ear"}, 100, 4.5F, 0.35F, 0, 25);
  add({"tail_1", "tail_2", "tail_3"}, 60, 4, 0.4F, 0.5F, 25);
  add({"scarf_1", "scarf_2", "scarf_3"}, 45, 3.5F, 0.35F, 1.5F, 30);
  return rig;
}

/// Applies the sample's springs to its walk, at 60 frames per second. Returns the number of joints.
std::size_t run_springs(const Character& character, bool together) {
  const Rig rig = springs_of(character);
  const ClipId walk = character.find_clip("walk");
  std::vector<RigState> states(together ? 1 : kRigged);
  if (together) states[0].instances.resize(kRigged);
  std::vector<PoseBuffers> posed(kRigged);
  constexpr std::uint32_t kFrames = 20;
  for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
    for (std::size_t i = 0; i < kRigged; ++i) {
      sample(character, walk, {(frame + static_cast<std::uint32_t>(i)) % character.clips()[walk].frame_count, 0, 0},
             posed[i].pose);
    }
    run_counted(character, rig, states, posed);
  }
  std::size_t joints = 0;
  for (const SpringChain& chain : rig.springs) joints += chain.bones.size();
  return joints * kRigged * kFrames;
}

[[gnu::noinline]] void run_counted(const Character& character, std::span<const PoseRequest> requests,
                                   std::span<PoseBuffers> posed, std::span<const Vertex> vertices,
                                   std::span<Vec2> points) {
  for (const PoseRequest& request : requests) {
    if (points.empty()) {
      pose_many(character, std::span(&request, 1), posed);
    } else {
      deform(vertices, posed[0].palette, points);
    }
  }
}

[[gnu::noinline]] void run_counted_rows(const Character& character, const PaletteLayout& layout,
                                        std::span<const PoseRequest> requests, PoseBuffers& scratch,
                                        std::span<BoneTexels> out) {
  write_palette_rows(character, layout, requests, scratch, out);
}

/// Appends the sample to a draw stream, until it is as long as a small crowd's.
[[gnu::noinline]] void run_counted_stream(const Character& character, const PoseBuffers& posed, DrawStream& stream) {
  stream.clear();
  for (int i = 0; i < 20; ++i) append_draw_stream(character, posed, {}, stream);
}

int main(int argument_count, char** arguments) {
  const std::string_view set = argument_count > 1 ? arguments[1] : "";
  const std::string_view work = argument_count > 2 ? arguments[2] : "";
  const PoseKernels* chosen = nullptr;
  for (const PoseKernels* available : available_kernels()) {
    if (available->name == set) chosen = available;
  }
  const bool springs = work == "springs" || work == "springs_many";
  if (chosen == nullptr || (work != "pose" && work != "smooth" && work != "crossfade" && work != "rows" &&
                            work != "skin" && work != "stream" && !springs)) {
    std::fputs(
        "usage: pose_instructions (scalar|SSE2|AVX2) "
        "(pose|smooth|crossfade|rows|skin|stream|springs|springs_many)\n",
        stderr);
    return 2;
  }
  use_kernels(*chosen);
  const auto loaded = load(PCHR_ASSETS_DIR "/kiri.pchr");
  if (!loaded) std::abort();
  if (work == "stream") {
    PoseBuffers posed;
    pose_clip(*loaded, loaded->find_clip("walk"), ClipTime{}, posed);
    DrawStream stream;
    run_counted_stream(*loaded, posed, stream);
    for (int i = 0; i < 10; ++i) run_counted_stream(*loaded, posed, stream);
    std::printf("%zu items\n", 11 * stream.vertices.size());
    return 0;
  }
  const Character character = bones_of(*loaded);
  if (springs) {
    std::printf("%zu items\n", run_springs(character, work == "springs_many"));
    return 0;
  }
  const ClipId walk = character.find_clip("walk");
  const ClipId jump = character.find_clip("jump");
  const auto frame_of = [&](ClipId clip, std::uint32_t step, float factor) {
    const std::uint32_t count = character.clips()[clip].frame_count;
    return ClipTime{step % count, (step + (factor > 0)) % count, factor};
  };
  std::vector<PoseRequest> requests;
  for (std::uint32_t step = 0; step < kPoses; ++step) {
    requests.push_back({walk, frame_of(walk, step, work == "smooth" ? 0.5F : 0.0F), jump, frame_of(jump, step, 0),
                        work == "crossfade" ? 0.25F : 0.0F});
  }
  if (work == "rows") {
    const PaletteLayout layout = make_gpu_geometry(*loaded).layout;
    std::vector<BoneTexels> rows(requests.size() * layout.row_bones());
    PoseBuffers scratch;
    run_counted_rows(*loaded, layout, requests, scratch, rows);
    std::printf("%zu items\n", requests.size() * character.bones().size());
    return 0;
  }
  std::vector<PoseBuffers> posed(1);
  pose_many(character, std::span(requests).first(1), posed);
  std::vector<Vec2> points(work == "skin" ? loaded->vertices().size() : 0);
  run_counted(character, requests, posed, loaded->vertices(), points);
  std::printf("%zu items\n", kPoses * (points.empty() ? character.bones().size() : points.size()));
}
