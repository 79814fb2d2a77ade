// SPDX-License-Identifier: MIT
// Compares the C interface with the C++ interface that it wraps.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr.h>

#include <pchr/animator.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace pchr;
using namespace pchr::test;

namespace {

template <auto free_handle>
struct Free {
  template <class Handle>
  void operator()(Handle* handle) const {
    free_handle(handle);
  }
};

using CharacterHandle = std::unique_ptr<pchr_character, Free<pchr_character_free>>;
using PoseHandle = std::unique_ptr<pchr_pose, Free<pchr_pose_free>>;
using AnimatorHandle = std::unique_ptr<pchr_animator, Free<pchr_animator_free>>;
using StreamHandle = std::unique_ptr<pchr_stream, Free<pchr_stream_free>>;

CharacterHandle load_from_c(const CharacterData& data) {
  const Bytes bytes = write_v1(data);
  return CharacterHandle(pchr_load_memory(bytes.data(), bytes.size(), nullptr, nullptr));
}

void require_same(const pchr_pose* pose, const PoseBuffers& expected) {
  const std::size_t size = expected.world.size() * sizeof(Affine);
  REQUIRE(std::memcmp(pchr_pose_world(pose), expected.world.data(), size) == 0);
  REQUIRE(std::memcmp(pchr_pose_palette(pose), expected.palette.data(), size) == 0);
  std::uint32_t count = 0;
  const pchr_draw_item* const items = pchr_pose_draw_list(pose, &count);
  REQUIRE(count == expected.draw_list.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    CHECK(MeshId{items[i].mesh} == expected.draw_list[i].mesh);
    CHECK(items[i].opacity == expected.draw_list[i].opacity);
  }
}

}  // namespace

TEST_CASE("a pose through C has the same bits as one through C++") {
  const std::string path = asset("kiri.pchr").string();
  const Character character = load(path).value();
  const CharacterHandle handle(pchr_load_file(path.c_str(), nullptr, nullptr));
  const PoseHandle pose(pchr_pose_create(handle.get()));
  PoseBuffers expected;
  pose_bind(character, expected);
  require_same(pose.get(), expected);
  for (const ClipId clip : character.clips().ids()) {
    for (const double seconds : {0.0, 0.31, 1.77, 100.0}) {
      for (const Sampling sampling : {Sampling::step, Sampling::smooth}) {
        pose_clip(character, clip, clip_time(character.clips()[clip], seconds, sampling), expected);
        REQUIRE(pchr_pose_clip(pose.get(), static_cast<std::uint32_t>(clip), seconds,
                               sampling == Sampling::smooth ? PCHR_SMOOTH : PCHR_STEP));
        require_same(pose.get(), expected);
      }
    }
  }
}

TEST_CASE("what is saved through C keeps the bind pose and the markers of a skeleton") {
  const std::string path = asset("tako/tako.json").string();
  const CharacterHandle tako(pchr_load_file(path.c_str(), nullptr, nullptr));
  REQUIRE(tako != nullptr);
  pchr_character_info info{};
  REQUIRE(pchr_get_info(tako.get(), &info));
  CHECK(info.bind_clip == PCHR_NONE);
  CHECK_FALSE(info.bind_guessed);
  const AnimatorHandle animator(pchr_animator_create(tako.get()));
  REQUIRE(pchr_animator_marker_count(animator.get()) == 1);

  pchr_rig* const rig = pchr_rig_create(tako.get());
  pchr_save_options options{};
  options.lossy = true;
  pchr_saved* saved = pchr_save(tako.get(), PCHR_FORMAT_V1, "tako", &options, nullptr);
  CHECK(pchr_saved_file_count(saved) == 1);
  pchr_saved_file file{};
  REQUIRE(pchr_get_saved_file(saved, 0, &file));
  const CharacterHandle guessed(pchr_load_memory(file.bytes, file.size, nullptr, nullptr));
  REQUIRE(pchr_get_info(guessed.get(), &info));
  CHECK(info.bind_guessed);
  pchr_saved_free(saved);

  options.bind_clip = true;
  options.rig = rig;
  saved = pchr_save(tako.get(), PCHR_FORMAT_V1, "tako", &options, nullptr);
  REQUIRE(pchr_saved_file_count(saved) == 2);
  REQUIRE(pchr_get_saved_file(saved, 0, &file));
  const CharacterHandle again(pchr_load_memory(file.bytes, file.size, nullptr, nullptr));
  REQUIRE(pchr_get_info(again.get(), &info));
  CHECK(info.bind_clip == 0);
  CHECK_FALSE(info.bind_guessed);
  REQUIRE(pchr_get_saved_file(saved, 1, &file));
  CHECK(std::string(file.name) == "tako.rig.json");
  CHECK(std::string_view(static_cast<const char*>(file.bytes), file.size).contains("\"toss\""));
  pchr_error error{};
  CHECK(pchr_save(again.get(), PCHR_FORMAT_V1, "tako", &options, &error) == nullptr);
  CHECK(std::string(error.message) == "the rig is of another character");
  pchr_saved_free(saved);
  pchr_rig_free(rig);
}

TEST_CASE("an animator through C shows the same bits as one through C++") {
  const std::string path = asset("kiri.pchr").string();
  const Character character = load(path).value();
  const CharacterHandle handle(pchr_load_file(path.c_str(), nullptr, nullptr));
  const PoseHandle pose(pchr_pose_create(handle.get()));
  const AnimatorHandle animator(pchr_animator_create(handle.get()));
  Animator expected(character);
  PoseBuffers posed;

  pchr_play_options options;
  pchr_play_options_init(&options, sizeof(options));
  options.fade_seconds = 0.3;
  options.speed = -0.5;
  options.loop = PCHR_LOOP_PING_PONG;
  options.start_seconds = 0.7;
  for (const ClipId clip : character.clips().ids()) {
    options.layer = static_cast<std::uint32_t>(clip) % 2;
    CHECK(pchr_animator_play(animator.get(), static_cast<std::uint32_t>(clip), &options) != 0);
    (void)expected.play(clip, {options.layer, 0.3, -0.5, 0.7, LoopMode::ping_pong});
    std::uint32_t count = 0;
    const pchr_event* const events = pchr_animator_advance(animator.get(), 0.2, &count);
    const auto told = expected.advance(0.2);
    REQUIRE(count == told.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      CHECK(events[i].kind == static_cast<pchr_event_kind>(told[i].kind));
      CHECK(events[i].seconds == told[i].seconds);
      CHECK(events[i].clip == static_cast<std::uint32_t>(told[i].clip));
      CHECK(events[i].weight == told[i].weight);
    }
    REQUIRE(pchr_animator_pose(animator.get(), pose.get()));
    expected.pose(posed);
    require_same(pose.get(), posed);
  }
}

TEST_CASE("a draw stream has every visible triangle, skinned, placed and colored") {
  CharacterData data = two_bone_arm();
  const CharacterHandle handle = load_from_c(data);
  const Character character = build(std::move(data));
  const PoseHandle pose(pchr_pose_create(handle.get()));
  const StreamHandle stream(pchr_stream_create(0));
  const ClipId bend = character.find_clip("bend");
  PoseBuffers expected;
  for (std::uint32_t frame = 0; frame < character.clips()[bend].frame_count; ++frame) {
    const double seconds = character.clips()[bend].frame_begin(frame);
    pose_clip(character, bend, {frame, frame, 0}, expected);
    REQUIRE(pchr_pose_clip(pose.get(), static_cast<std::uint32_t>(bend), seconds, PCHR_STEP));
    pchr_appearance appearance;
    pchr_appearance_init(&appearance, sizeof(appearance));
    appearance.placement = {0, 2, -2, 0, 30, -40};
    std::ranges::copy(std::array{1.0F, 0.5F, 0.0F, 0.5F}, appearance.tint);
    pchr_stream_options adding{};
    adding.source = 3;
    adding.appearance = &appearance;
    pchr_stream_clear(stream.get());
    REQUIRE(pchr_stream_add(stream.get(), pose.get(), &adding));

    std::uint32_t vertex_count = 0;
    std::uint32_t index_count = 0;
    std::uint32_t command_count = 0;
    const pchr_stream_vertex* const vertices = pchr_stream_vertices(stream.get(), &vertex_count);
    const std::uint32_t* const indices = pchr_stream_indices(stream.get(), &index_count);
    const pchr_stream_command* const commands = pchr_stream_commands(stream.get(), &command_count);

    std::uint32_t corner = 0;
    for (const DrawItem& item : expected.draw_list) {
      const Mesh& mesh = character.meshes()[item.mesh];
      std::vector<Vec2> points(mesh.vertex_count);
      deform(character.vertices(mesh), expected.palette, points);
      for (const std::uint16_t index : character.indices(mesh)) {
        REQUIRE(corner < index_count);
        REQUIRE(indices[corner] < vertex_count);
        const pchr_stream_vertex& vertex = vertices[indices[corner++]];
        CHECK(vertex.x == -2 * points[index].y + 30);
        CHECK(vertex.y == 2 * points[index].x - 40);
        CHECK(vertex.u == character.vertices(mesh)[index].u);
        CHECK(vertex.v == character.vertices(mesh)[index].v);
        CHECK(std::to_array(vertex.color) == std::array<std::uint8_t, 4>{128, 64, 0, 128});
      }
    }
    CHECK(corner == index_count);
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < command_count; ++i) {
      CHECK(commands[i].source == 3);
      CHECK(commands[i].first_index == next);
      next += commands[i].index_count;
    }
    CHECK(next == index_count);
  }
}

TEST_CASE("poses and animators outlive the handle of their character") {
  CharacterHandle handle = load_from_c(two_bone_arm());
  const PoseHandle pose(pchr_pose_create(handle.get()));
  const AnimatorHandle animator(pchr_animator_create(handle.get()));
  handle.reset();
  CHECK(pchr_animator_play(animator.get(), 1, nullptr) != 0);
  pchr_animator_advance(animator.get(), 0.1, nullptr);
  CHECK(pchr_animator_pose(animator.get(), pose.get()));
  CHECK(pchr_pose_clip(pose.get(), 1, 0.1, PCHR_SMOOTH));
}

TEST_CASE("an animator does not pose another character") {
  const CharacterHandle one = load_from_c(two_bone_arm());
  const CharacterHandle other = load_from_c(two_bone_arm());
  const PoseHandle pose(pchr_pose_create(other.get()));
  const AnimatorHandle animator(pchr_animator_create(one.get()));
  CHECK_FALSE(pchr_animator_pose(animator.get(), pose.get()));
}

TEST_CASE("indices out of range change nothing") {
  const CharacterHandle handle = load_from_c(two_bone_arm());
  const pchr_character* const c = handle.get();
  pchr_clip clip{};
  pchr_image image{};
  pchr_mesh mesh{};
  pchr_rect rect{};
  pchr_error error{};
  std::vector<std::uint8_t> mask(pchr_bone_count(c));
  CHECK_FALSE(pchr_get_clip(c, pchr_clip_count(c), &clip));
  CHECK_FALSE(pchr_get_image(c, pchr_image_count(c), &image));
  CHECK_FALSE(pchr_get_mesh(c, pchr_mesh_count(c), &mesh));
  CHECK_FALSE(pchr_clip_bounds(c, pchr_clip_count(c), nullptr, &rect));
  CHECK_FALSE(pchr_warning(c, pchr_warning_count(c), &error));
  CHECK_FALSE(pchr_decode_image(c, pchr_image_count(c), mask.data(), 0, &error));
  CHECK(std::string(error.message) == "the character has no image with this index");
  CHECK(pchr_bone_parent(c, PCHR_NONE) == PCHR_NONE);
  CHECK_FALSE(pchr_mask_subtree(c, pchr_bone_count(c), mask.data()));
  CHECK(std::ranges::count(mask, 0) == std::ssize(mask));
  CHECK(pchr_mask_subtree(c, 1, mask.data()));
  CHECK(mask == mask_of_subtree(build(two_bone_arm()), BoneId{1}));

  const AnimatorHandle animator(pchr_animator_create(c));
  CHECK_FALSE(pchr_animator_stop(animator.get(), PCHR_MAX_LAYERS, 0));
  CHECK_FALSE(pchr_animator_set_layer(animator.get(), PCHR_MAX_LAYERS, nullptr));
  CHECK_FALSE(pchr_animator_set_layer_weight(animator.get(), PCHR_MAX_LAYERS, 1));
  CHECK_FALSE(pchr_animator_set_root_motion(animator.get(), pchr_bone_count(c), true, true));
  pchr_play play{};
  CHECK_FALSE(pchr_animator_get_play(animator.get(), 1, &play));
}

TEST_CASE("a long message is truncated between two characters") {
  // Each é takes two bytes, so in one of the two paths the last complete one ends at an odd position.
  for (const std::string& prefix : {std::string("/"), std::string("/x")}) {
    std::string path = prefix;
    for (int i = 0; i < 800; ++i) path += "é";
    pchr_error error{};
    CHECK(pchr_load_file(path.c_str(), nullptr, &error) == nullptr);
    const std::string message = error.message;
    CHECK(message.size() <= 1015);
    CHECK(message.size() >= 1014);
    CHECK(message == path.substr(0, message.size()));
    CHECK((message.size() - prefix.size()) % 2 == 0);
    CHECK(std::string(error.code) == "E100");
    CHECK(std::string(error.path).empty());
  }
}

TEST_CASE("an error has the path into the file and a hint") {
  CharacterData data = two_bone_arm();
  data.meshes[0].image = ImageId{99};
  const Bytes bytes = write_v1(data);
  pchr_error error{};
  CHECK(pchr_load_memory(bytes.data(), bytes.size(), nullptr, &error) == nullptr);
  CHECK(std::string(error.code) == "E115");
  CHECK(std::string(error.path) == "meshes[0].image");
  CHECK(std::string(error.hint) == hint(DiagnosticId::image_out_of_range));
}

TEST_CASE("free functions accept NULL") {
  pchr_character_free(nullptr);
  pchr_pose_free(nullptr);
  pchr_animator_free(nullptr);
  pchr_stream_free(nullptr);
}
