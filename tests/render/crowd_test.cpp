// SPDX-License-Identifier: MIT
// Compares many instances in one call with drawing each alone.
#include "hooks.hpp"
#include "images.hpp"
#include "session.hpp"
#include "stage.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/queries.hpp>
#include <pchr/load.hpp>

#include <cmath>
#include <filesystem>
#include <random>

namespace crowd_test {
using namespace pchr;
using namespace pchr::test;

namespace {

constexpr std::uint32_t kSide = kStageSide;

/// Instances with random clips, times, places, sizes and tints. Many overlap and some are out of view.
std::vector<Instance> random_crowd(const Character& character, std::size_t count, Sampling sampling, unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(random() % 65536) / 65535.0F;
  };
  const Rect bounds = compute_character_bounds(character);
  const float scale = 30.0F / std::max({bounds.size().x, bounds.size().y, 1.0F});
  std::vector<Instance> crowd(count);
  for (Instance& instance : crowd) {
    const auto clips = static_cast<std::uint32_t>(character.clips().size());
    instance.clip = ClipId(static_cast<std::uint32_t>(random()) % (clips + 1));
    if (character.clips().contains(instance.clip)) {
      const Clip& clip = character.clips()[instance.clip];
      instance.position = clip_time(clip, static_cast<double>(number(0, 10)), sampling);
    }
    const float turn = number(0, 6.28F), size = scale * number(0.3F, 1.5F);
    instance.appearance.placement = {std::cos(turn) * size, std::sin(turn) * size, -std::sin(turn) * size,
                                     std::cos(turn) * size, number(-110, 110),     number(-110, 110)};
    instance.appearance.tint = {number(0, 1), number(0, 1), number(0, 1), number(0.2F, 1)};
  }
  return crowd;
}

/// Lets every `nth` instance crossfade to a random clip.
void add_crossfades(const Character& character, std::vector<Instance>& crowd, std::size_t nth, Sampling sampling) {
  std::mt19937 random(5);
  for (std::size_t i = 0; i < crowd.size(); i += nth) {
    const auto clips = static_cast<std::uint32_t>(character.clips().size());
    crowd[i].fade_clip = ClipId(static_cast<std::uint32_t>(random()) % (clips + 1));
    if (character.clips().contains(crowd[i].fade_clip)) {
      crowd[i].fade_position =
          clip_time(character.clips()[crowd[i].fade_clip], static_cast<double>(random() % 100) * 0.037, sampling);
    }
    crowd[i].fade_weight = static_cast<float>(random() % 12) * 0.1F;  // Also 0, 1 and above.
  }
}

/// The arrays of a Crowd.
struct Arrays {
  std::vector<Affine> placements;
  std::vector<ClipId> clips, fade_clips;
  std::vector<double> seconds, fade_seconds;
  std::vector<std::array<float, 4>> tints;
  std::vector<float> fade_weights;

  [[nodiscard]] Crowd crowd(Sampling sampling) const {
    return {placements, clips, seconds, sampling, tints, fade_clips, fade_seconds, fade_weights};
  }
  /// Returns the same characters as an array of instances.
  [[nodiscard]] std::vector<Instance> instances(const Character& character, Sampling sampling) const {
    const auto position = [&](ClipId clip, double at) {
      return character.clips().contains(clip) ? clip_time(character.clips()[clip], at, sampling) : ClipTime{};
    };
    std::vector<Instance> instances(placements.size());
    for (std::size_t i = 0; i < instances.size(); ++i) {
      Instance& instance = instances[i];
      instance.clip = clips[clips.size() == 1 ? 0 : i];
      instance.position = position(instance.clip, seconds[seconds.size() == 1 ? 0 : i]);
      instance.appearance.placement = placements[i];
      if (!tints.empty()) instance.appearance.tint = tints[i];
      if (fade_weights.empty()) continue;
      instance.fade_clip = fade_clips[i];
      instance.fade_position = position(fade_clips[i], fade_seconds[i]);
      instance.fade_weight = fade_weights[i];
    }
    return instances;
  }
};

/// Characters at random places and times, in runs of neighbors that play the same clip.
Arrays random_arrays(const Character& character, std::size_t count, unsigned seed) {
  Arrays arrays;
  std::mt19937 random(seed);
  const auto clips = static_cast<std::uint32_t>(character.clips().size());
  std::uint32_t clip = 0;
  for (const Instance& instance : random_crowd(character, count, Sampling::step, seed)) {
    if (random() % 8 == 0) clip = static_cast<std::uint32_t>(random()) % (clips + 1);
    arrays.clips.push_back(ClipId(clip));
    arrays.seconds.push_back(static_cast<double>(random()) / 4294967296.0 * 40 - 20);
    arrays.placements.push_back(instance.appearance.placement);
    arrays.tints.push_back(instance.appearance.tint);
  }
  return arrays;
}

struct Stage : test::Stage {
  /// Fits the camera to everything the character ever covers.
  void look_at(const Character& character) { camera = fit(camera, compute_character_bounds(character)); }

  /// Draws one frame, or a position between two, baked and posed. Returns the number of triangles drawn.
  std::uint64_t check_frame(Renderer& renderer, const Model& model, const Instance& instance) {
    INFO("clip " << index(instance.clip) << ", frame " << instance.position.frame << " + " << instance.position.factor);
    const Bitmap expected = posed(renderer, model, {&instance, 1});
    const Bitmap actual = together(renderer, model, {&instance, 1});
    if (instance.position.factor == 0) CHECK(renderer.statistics().posed == 0);
    const std::uint64_t triangles = renderer.statistics().triangles;
    const Difference difference = test::difference(actual, expected, 1);
    if (instance.position.factor == 0) {
      CHECK(difference.largest <= 1);
    } else {
      // Between frames, vertices can differ by a quarter pixel, which shows where colors change.
      INFO("mean " << difference.mean << ", " << 100 * difference.share_above << " % above 1");
      CHECK(difference.mean <= 0.3);
      CHECK(difference.share_above <= 0.05);
    }
    return triangles;
  }

  /// Checks up to `max_frames` frames of each clip, and the positions halfway to the following frames.
  std::uint64_t check_clips(Renderer& renderer, const Model& model, std::uint32_t max_frames) {
    std::uint64_t triangles = 0;
    const auto clips = model.character().clips();
    for (const ClipId clip : clips.ids()) {
      const std::uint32_t count = clips[clip].frame_count;
      for (std::uint32_t frame = 0; frame < count; frame += 1 + count / max_frames) {
        triangles += check_frame(renderer, model, {clip, {frame, frame, 0}, {}});
        const std::uint32_t next = (frame + 1) % count;
        if (next > frame || clips[clip].looping) check_frame(renderer, model, {clip, {frame, next, 0.5F}, {}});
      }
    }
    return triangles;
  }
};

const char* const kAssets[] = {"kiri.pchr", "quad.pchr", "corners.pchr"};

}  // namespace

TEST_CASE("a crowd is bit-identical to drawing each instance alone, with any version of OpenGL", "[render]") {
  Stage stage;
  auto newest = stage.session.renderer();
  auto old = old_renderer(stage.session);
  for (const char* name : kAssets) {
    for (const Sampling sampling : {Sampling::step, Sampling::smooth}) {
      INFO(name << (sampling == Sampling::smooth ? ", smooth" : ""));
      const Character character = load_asset(name);
      const auto crowd = random_crowd(character, 1000, sampling, 1);
      const Model model = require_value(newest.upload(character));
      const Bitmap expected = stage.one_by_one(newest, model, crowd);
      CHECK(stage.together(newest, model, crowd).rgba == expected.rgba);
      CHECK(newest.statistics().instances + newest.statistics().culled == crowd.size());
      CHECK(newest.statistics().culled > 30);
      CHECK(newest.statistics().posed == 0);
      const Model old_model = require_value(old.upload(character));
      CHECK(stage.together(old, old_model, crowd).rgba == expected.rgba);
      CHECK(stage.one_by_one(old, old_model, crowd).rgba == expected.rgba);
    }
  }
}

TEST_CASE("a crowd of arrays is bit-identical to the same instances, with any version of OpenGL", "[render][much]") {
  Stage stage;
  auto newest = stage.session.renderer();
  auto old = old_renderer(stage.session);
  for (const char* name : kAssets) {
    for (const Sampling sampling : {Sampling::step, Sampling::smooth}) {
      INFO(name << (sampling == Sampling::smooth ? ", smooth" : ""));
      const Character character = load_asset(name);
      const Model model = require_value(newest.upload(character));
      const Model old_model = require_value(old.upload(character));
      for (const ClipId clip : character.clips().ids()) {
        CHECK((newest.bake(model, clip, sampling) && old.bake(old_model, clip, sampling)));
      }
      const auto check = [&](const Arrays& arrays) {
        const auto instances = arrays.instances(character, sampling);
        const Bitmap expected = stage.together(newest, model, instances);
        const DrawStatistics of_instances = newest.statistics();
        CHECK(stage.together(newest, model, arrays.crowd(sampling)).rgba == expected.rgba);
        CHECK(newest.statistics().instances == of_instances.instances);
        CHECK(newest.statistics().culled == of_instances.culled);
        CHECK(newest.statistics().posed == of_instances.posed);
        CHECK(stage.together(old, old_model, arrays.crowd(sampling)).rgba == expected.rgba);
      };
      constexpr std::size_t kCount = 300;
      Arrays arrays = random_arrays(character, kCount, 1);
      check(arrays);
      CHECK(newest.statistics().posed == 0);
      arrays.seconds[17] = 1e12;
      arrays.clips[18] = ClipId::none;
      check(arrays);
      arrays.fade_clips.resize(kCount);
      arrays.fade_seconds.resize(kCount, 0.4);
      arrays.fade_weights.resize(kCount);
      for (std::size_t i = 0; i < kCount; i += 1 + i % 30) arrays.fade_weights[i] = 0.3F * static_cast<float>(i % 5);
      check(arrays);
      arrays.fade_clips.clear(), arrays.fade_seconds.clear(), arrays.fade_weights.clear();
      arrays.clips.resize(1), arrays.seconds.resize(1), arrays.tints.clear();
      check(arrays);
    }
  }
}

TEST_CASE("a crowd of arrays can be empty, and its clips can have any timing and several images", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  CharacterData data = sliding_quad();
  data.images.push_back(plain_image(4, 4, {255, 0, 0, 255}));
  add_quad(data, "other", 1, {{10, -8}, {26, 8}}, 0);
  Clip uneven = data.clips[1], late = data.clips[1];
  for (std::uint32_t i = 0; i < uneven.frame_count; ++i) uneven.frame_ends.push_back(0.1 * i * i + 0.1);
  late.loop_start = 1;
  data.clips.push_back(uneven);
  data.clips.push_back(late);
  const Character character = build(data);
  const Model model = require_value(renderer.upload(character));
  const Arrays arrays = random_arrays(character, 300, 2);
  const auto instances = arrays.instances(character, Sampling::step);
  CHECK(stage.together(renderer, model, arrays.crowd(Sampling::step)).rgba ==
        stage.together(renderer, model, instances).rgba);
  (void)stage.together(renderer, model, Crowd{});
  CHECK(renderer.statistics().draw_calls == 0);
}

TEST_CASE("crossfading instances equal their poses, in a few draw calls, with any version of OpenGL",
          "[render][much]") {
  Stage stage;
  auto newest = stage.session.renderer({.bake_bytes_per_draw = kBakesAll});
  auto old = old_renderer(stage.session, {.bake_bytes_per_draw = kBakesAll});
  for (const char* name : kAssets) {
    for (const Sampling sampling : {Sampling::step, Sampling::smooth}) {
      INFO(name << (sampling == Sampling::smooth ? ", smooth" : ""));
      const Character character = load_asset(name);
      const Model model = require_value(newest.upload(character));
      const Model old_model = require_value(old.upload(character));
      auto crowd = random_crowd(character, 200, sampling, 6);
      for (Instance& instance : crowd) instance.appearance.placement[2] *= 0.5F;
      add_crossfades(character, crowd, 1, sampling);
      const Bitmap expected = stage.one_by_one(newest, model, crowd);
      CHECK(stage.together(newest, model, crowd).rgba == expected.rgba);
      CHECK(newest.statistics().posed > 100);
      CHECK(newest.statistics().instances + newest.statistics().culled == crowd.size());
      CHECK(stage.together(old, old_model, crowd).rgba == expected.rgba);
      std::erase_if(crowd, [](const Instance& each) { return !(each.fade_weight > 0 && each.fade_weight < 1); });
      const Difference difference =
          test::difference(stage.together(newest, model, crowd), stage.posed(newest, model, crowd), 1);
      CHECK(difference.largest <= 1);
      (void)stage.together(newest, model, crowd);
      CHECK(newest.statistics().posed == crowd.size());
      if (stage.session.gl->VERSION_4_3 != 0) CHECK(newest.statistics().draw_calls <= 2);
    }
  }
}

TEST_CASE("posed characters are bit-identical to drawing each pose alone, with any version of OpenGL", "[render]") {
  Stage stage;
  auto newest = stage.session.renderer();
  auto old = old_renderer(stage.session);
  for (const char* name : kAssets) {
    INFO(name);
    const Character character = load_asset(name);
    const Model model = require_value(newest.upload(character));
    const Model old_model = require_value(old.upload(character));
    const auto crowd = random_crowd(character, 60, Sampling::smooth, 8);
    std::vector<PoseBuffers> poses(crowd.size());
    std::vector<PosedInstance> posed;
    for (std::size_t i = 0; i < crowd.size(); ++i) {
      const bool exists = character.clips().contains(crowd[i].clip);
      exists ? pose_clip(character, crowd[i].clip, crowd[i].position, poses[i]) : pose_bind(character, poses[i]);
      // Draw lists that no frame has.
      if (i % 5 == 1 && !poses[i].draw_list.empty()) poses[i].draw_list.front().tint = {1, 0.5F, 0.5F, 0.5F};
      if (i % 5 == 2) std::ranges::reverse(poses[i].draw_list);
      if (i % 5 == 3) poses[i].draw_list.clear();
      posed.push_back({&poses[i], crowd[i].appearance});
    }
    stage.target.begin();
    for (const PosedInstance& each : posed) newest.draw(model, *each.posed, stage.camera, {each.appearance});
    const Bitmap expected = stage.target.finish();
    const auto draw = [&](Renderer& renderer, const Model& uploaded) {
      stage.target.begin();
      renderer.draw(uploaded, posed, stage.camera);
      return stage.target.finish();
    };
    CHECK(draw(newest, model).rgba == expected.rgba);
    CHECK(newest.statistics().instances == newest.statistics().posed);
    CHECK(newest.statistics().instances < posed.size());
    if (stage.session.gl->VERSION_4_3 != 0) CHECK(newest.statistics().draw_calls < posed.size() / 3);
    CHECK(draw(old, old_model).rgba == expected.rgba);
  }
}

TEST_CASE("thousands of crossfades have their own palettes", "[render][much]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Character character = load_asset("kiri.pchr");
  const Model model = require_value(renderer.upload(character));
  auto crowd = random_crowd(character, 3000, Sampling::step, 7);
  add_crossfades(character, crowd, 2, Sampling::step);
  const Bitmap expected = stage.one_by_one(renderer, model, crowd);
  for (int draw = 0; draw < 4; ++draw) CHECK(stage.together(renderer, model, crowd).rgba == expected.rgba);
}

TEST_CASE("a draw bakes within its limit, and poses other new clips until later draws bake them", "[render]") {
  Stage stage;
  const Character character = load_asset("kiri.pchr");
  const std::uint32_t clips = static_cast<std::uint32_t>(character.clips().size());
  auto limited = require_value(Renderer::create(stage.session.get_proc_address(), {.bake_bytes_per_draw = 1}));
  const Model model = require_value(limited.upload(character));
  std::vector<Instance> crowd;
  for (std::uint32_t i = 0; i < 40; ++i) {
    crowd.push_back({ClipId(i % clips), {2, 2, 0}, {{0.03F, 0, 0, 0.03F, static_cast<float>(i * 4) - 80, 0}}});
  }
  auto unlimited = stage.session.renderer();
  const Model unlimited_model = require_value(unlimited.upload(character));
  const Bitmap expected = stage.together(unlimited, unlimited_model, crowd);
  CHECK(unlimited.statistics().posed == 0);
  for (std::uint32_t baked = 1; baked <= clips; ++baked) {
    const Bitmap image = stage.together(limited, model, crowd);
    CHECK(difference(image, expected, 1).largest <= 2);
    const auto is_posed = [&](const Instance& each) { return index(each.clip) >= baked; };
    CHECK(limited.statistics().posed == static_cast<std::uint64_t>(std::ranges::count_if(crowd, is_posed)));
  }
  CHECK(stage.together(limited, model, crowd).rgba == expected.rgba);

  auto asked = require_value(Renderer::create(stage.session.get_proc_address(), {.bake_bytes_per_draw = 1}));
  const Model asked_model = require_value(asked.upload(character));
  for (const ClipId clip : character.clips().ids()) CHECK(asked.bake(asked_model, clip, Sampling::step));
  CHECK(stage.together(asked, asked_model, crowd).rgba == expected.rgba);
  CHECK(asked.statistics().posed == 0);
}

TEST_CASE("baked renderings equal posed ones, within 1/255", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  for (const char* name : kAssets) {
    INFO(name);
    const Character character = load_asset(name);
    const Model model = require_value(renderer.upload(character));
    const auto crowd = random_crowd(character, 12, Sampling::step, 2);
    const auto difference =
        test::difference(stage.together(renderer, model, crowd), stage.posed(renderer, model, crowd), 1);
    CHECK(difference.largest <= 1);
  }
}

TEST_CASE("every frame of the sample characters is the same baked and posed, within 1/255", "[render][much]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  for (const char* name : kAssets) {
    INFO(name);
    const Character character = load_asset(name);
    const Model model = require_value(renderer.upload(character));
    stage.look_at(character);
    CHECK(stage.check_clips(renderer, model, 1'000'000) > 0);
    CHECK(stage.check_frame(renderer, model, {ClipId::none, {}, {}}) > 0);
  }
}

TEST_CASE("frames of third-party characters are the same baked and posed, within 1/255",
          "[render][conformance][much]") {
  if (!conformance_folder()) {
    WARN("skipped: the folder of third-party characters does not exist");
    return;
  }
  Stage stage;
  auto renderer = stage.session.renderer();
  for (const std::filesystem::path& file : conformance_characters()) {
    INFO(file.filename().string());
    const auto character = load_character(file);
    REQUIRE(character);
    const Model model = require_value(renderer.upload(*character));
    stage.look_at(*character);
    CHECK(stage.check_clips(renderer, model, 6) > 0);
  }
}

TEST_CASE("ten thousand characters with one image are one draw call of 32 bytes each plus commands", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Character character = load_asset("quad.pchr");
  const Model model = require_value(renderer.upload(character));
  std::vector<Instance> crowd(10'000);
  for (std::uint32_t i = 0; i < crowd.size(); ++i) {
    crowd[i].clip = character.find_clip("turn");
    crowd[i].position = clip_time(character.clips()[crowd[i].clip], i * 0.01, Sampling::step);
    crowd[i].appearance.placement = {0.01F, 0, 0, 0.01F, static_cast<float>(i % 100) - 50, 0};
  }
  (void)stage.together(renderer, model, crowd);
  if (stage.session.gl->VERSION_4_3 != 0) CHECK(renderer.statistics().draw_calls == 1);
  CHECK(renderer.statistics().instances == 10'000);
  CHECK(renderer.statistics().uploaded_bytes >= 32 * 10'000);
  CHECK(renderer.statistics().uploaded_bytes <= 40 * 10'000);
}

TEST_CASE("a crowd of varied instances renders", "[render]") {
  Session session;
  auto renderer = session.renderer();
  const Character character = load_asset("kiri.pchr");
  const Model model = require_value(renderer.upload(character));
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), 960, 540, 4));
  // Rows from back to front. Each character has its own time, and every clip appears now and then.
  std::vector<Instance> crowd;
  for (int row = 0; row < 7; ++row) {
    const float size = 0.12F + 0.035F * static_cast<float>(row), y = 200.0F - 60.0F * static_cast<float>(row);
    for (int column = 0; column < 15 - row; ++column) {
      Instance instance;
      instance.clip = ClipId(1 + (row + column) % 4);
      const double seconds = 0.37 * row + 0.21 * column;
      instance.position = clip_time(character.clips()[instance.clip], seconds, Sampling::smooth);
      const float x = (static_cast<float>(column) - static_cast<float>(14 - row) / 2) * size * 520;
      const float side = (row + column) % 3 == 0 ? -size : size;
      instance.appearance.placement = {side, 0, 0, size, x, y};
      const float light = 0.55F + 0.075F * static_cast<float>(row);
      instance.appearance.tint = {light, light, 0.5F + light / 2, 1};
      crowd.push_back(instance);
    }
  }
  for (const ClipId clip : character.clips().ids()) {
    CHECK(renderer.bake(model, clip, Sampling::smooth));
  }
  target.begin({0.93F, 0.91F, 0.86F, 1});
  renderer.draw(model, crowd, plain_camera(960, 540));
  if (session.gl->VERSION_4_3 != 0) CHECK(renderer.statistics().draw_calls == 1);
  CHECK(renderer.statistics().posed == 0);
  write_png(output("crowd.png"), target.finish());
}

TEST_CASE("more instances than a batch holds are drawn in order", "[render][much]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Character character = build(sliding_quad());
  const Model model = require_value(renderer.upload(character));
  std::vector<Instance> crowd(150'000);
  for (Instance& instance : crowd) instance.appearance.tint = {1, 0, 0, 1};
  crowd.back().appearance.tint = {0, 1, 0, 1};
  const Bitmap image = stage.together(renderer, model, crowd);
  CHECK(pixel(image, kSide / 2, kSide / 2) == Pixel{0, 255, 0, 255});
  if (stage.session.gl->VERSION_4_3 != 0) CHECK(renderer.statistics().draw_calls == 3);
  CHECK(renderer.statistics().instances == 150'000);
}

TEST_CASE("instances are culled only if they are out of view", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Character character = build(sliding_quad());
  const Model model = require_value(renderer.upload(character));
  // The quad spans -8 to 8, or 4 to 20 in frame 3 of "slide".
  const auto culled = [&](std::uint32_t frame, float x) {
    const Instance instance{ClipId{1}, {frame, frame, 0}, {{1, 0, 0, 1, x, 0}, {1, 1, 1, 1}}};
    const Bitmap image = stage.together(renderer, model, {&instance, 1});
    const bool is_culled = renderer.statistics().culled == 1;
    if (is_culled) CHECK(image.rgba == std::vector<std::uint8_t>(std::size_t{kSide} * kSide * 4, 0));
    return is_culled;
  };
  CHECK_FALSE(culled(0, 87.9F));
  CHECK(culled(0, 88.1F));
  CHECK_FALSE(culled(3, 75.9F));
  CHECK(culled(3, 76.1F));
  CHECK_FALSE(culled(3, -99.9F));
  CHECK(culled(3, -100.1F));
  CHECK_FALSE(culled(0, std::nanf("")));
}

TEST_CASE("clips without frames, invalid clip ids, and characters without bones or clips draw the bind pose",
          "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  CharacterData data = sliding_quad();
  data.clips.push_back({"empty", true, 24, 0, {}});
  const Character character = build(data);
  const Model model = require_value(renderer.upload(character));
  const Instance bind{ClipId{0}, {}, {}}, empty{ClipId{2}, {}, {}}, none{ClipId::none, {}, {}};
  const Bitmap expected = stage.together(renderer, model, {&bind, 1});
  CHECK(pixel(expected, kSide / 2, kSide / 2) == Pixel{255, 255, 255, 255});
  CHECK(stage.together(renderer, model, {&empty, 1}).rgba == expected.rgba);
  CHECK(stage.together(renderer, model, {&none, 1}).rgba == expected.rgba);

  data.clips.clear();
  data.clips.push_back({"boneless", true, 24, 60'000, {}});
  data.bones.clear();
  for (Vertex& vertex : data.vertices) vertex.weights[0] = 0;
  const Model boneless = require_value(renderer.upload(build(data)));
  const Instance late{ClipId{0}, {59'999, 59'999, 0}, {}};
  (void)stage.together(renderer, boneless, {&late, 1});
  CHECK(renderer.statistics().instances == 1);
  const Model nothing = require_value(renderer.upload(build({})));
  (void)stage.together(renderer, nothing, {&none, 1});
  CHECK(renderer.statistics().draw_calls == 0);
}

TEST_CASE("animated opacity comes from each mesh's governing bone", "[render]") {
  // One mesh on bone 0, and one on bone 1 with a little of bone 0. Bone 1 fades.
  CharacterData data = sliding_quad();
  data.bones.push_back({"fading", BoneId::none});
  data.clips = {resting_clip("fade", 3, 2)};
  data.clips[0].samples.opacity = {1, 1, 1, 0.5F, 0.25F, 0};
  add_quad(data, "right", 0, {{10, -8}, {26, 8}}, 1);
  for (std::size_t i = 4; i < 8; ++i) {
    data.vertices[i].weights[0] = 0.75F;
    data.vertices[i].bones[1] = 0;
    data.vertices[i].weights[1] = 0.25F;
  }
  const Character character = build(data);
  Stage stage;
  auto renderer = stage.session.renderer();
  const Model model = require_value(renderer.upload(character));
  const int left[] = {255, 255, 64}, right[] = {255, 128, 0};
  for (std::uint32_t frame = 0; frame < 3; ++frame) {
    const Instance instance{ClipId{0}, {frame, frame, 0}, {}};
    const Bitmap image = stage.together(renderer, model, {&instance, 1});
    CHECK(close(pixel(image, 80, 80), {left[frame], left[frame], left[frame], left[frame]}));
    CHECK(close(pixel(image, 98, 80), {right[frame], right[frame], right[frame], right[frame]}));
    CHECK(difference(image, stage.posed(renderer, model, {&instance, 1}), 1).largest <= 1);
  }
}

TEST_CASE("beyond the budget, clips are evicted or posed without changing the rendering", "[render]") {
  Stage stage;
  auto plenty = stage.session.renderer();
  const Character character = load_asset("kiri.pchr");
  const auto crowd = random_crowd(character, 100, Sampling::step, 3);
  const Model model = require_value(plenty.upload(character));
  const Bitmap expected = stage.together(plenty, model, crowd);
  for (const std::uint64_t budget : {0, 2000, 50'000, 120'000}) {
    INFO("budget " << budget);
    auto poor = require_value(Renderer::create(stage.session.get_proc_address(), {budget}));
    const Model poor_model = require_value(poor.upload(character));
    for (int draw = 0; draw < 3; ++draw) {
      const Bitmap image = stage.together(poor, poor_model, crowd);
      CHECK(difference(image, expected, 1).largest <= 2);
      CHECK(poor.statistics().posed > 0);
    }
    // Alone, a clip that fits replaces unused ones.
    if (budget < 120'000) continue;
    for (const ClipId clip : character.clips().ids()) {
      CHECK(poor.bake(poor_model, clip, Sampling::step));
      const Instance instance{clip, {}, {}};
      (void)stage.together(poor, poor_model, {&instance, 1});
      CHECK(poor.statistics().posed == 0);
    }
  }
}

TEST_CASE("destroyed models leave their room to others", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Character character = load_asset("kiri.pchr");
  std::uint64_t bytes = 0;
  for (int round = 0; round < 6; ++round) {
    const Model model = require_value(renderer.upload(character));
    (void)stage.together(renderer, model, random_crowd(character, 20, Sampling::step, 4));
    if (round == 0) bytes = renderer.gpu_bytes();
    CHECK(renderer.gpu_bytes() == bytes);
  }
}

TEST_CASE("a rotation too large to blend is posed when smooth, and baked when stepped", "[render]") {
  CharacterData data = sliding_quad();
  data.clips[1].samples.rotation_degrees = {0, 179, 0, 179};
  for (Vertex& vertex : data.vertices) vertex.x *= 1000;
  const Character character = build(data);
  Stage stage;
  auto renderer = stage.session.renderer();
  const Model model = require_value(renderer.upload(character));
  CHECK(renderer.bake(model, ClipId{1}, Sampling::step));
  CHECK_FALSE(renderer.bake(model, ClipId{1}, Sampling::smooth));
  const Instance between{ClipId{1}, {0, 1, 0.5F}, {{0.01F, 0, 0, 0.01F, 0, 0}, {1, 1, 1, 1}}};
  const Bitmap image = stage.together(renderer, model, {&between, 1});
  CHECK(renderer.statistics().posed == 1);
  CHECK(image.rgba == stage.posed(renderer, model, {&between, 1}).rgba);
}

TEST_CASE("smooth instances match their pose on the way back of a ping-pong", "[render]") {
  Stage stage;
  auto renderer = stage.session.renderer();
  const Character character = build(sliding_quad());
  const Model model = require_value(renderer.upload(character));
  for (const ClipTime position :
       {ClipTime{2, 1, 0.25F}, ClipTime{3, 2, 0.75F}, ClipTime{0, 3, 0.5F}, ClipTime{3, 1, 0.5F}}) {
    const Instance instance{ClipId{1}, position, {}};
    CHECK(difference(stage.together(renderer, model, {&instance, 1}), stage.posed(renderer, model, {&instance, 1}), 1)
              .largest <= 2);
  }
}

}  // namespace crowd_test
