// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/png.hpp"
#include "support/scenes.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <numeric>

namespace pchr_v1_test {
using namespace pchr;
using test::Bytes;
using test::two_bone_arm;
using test::write_v1;

namespace {

Bytes small_file() {
  CharacterData data = two_bone_arm();
  const std::vector<std::uint8_t> pixels(8 * 32 * 4, 99);
  data.images[0].encoding = ImageEncoding::png;
  data.images[0].bytes = test::png_of(8, 32, pixels);
  return write_v1(data);
}

template <typename T>
T value_at(const Bytes& bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

template <typename T>
Bytes with_value(Bytes bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
  return bytes;
}

/// Returns the offsets of all counts and lengths in a v1 file.
struct Counts {
  std::vector<std::size_t> uint16s, uint32s;
};

Counts counts_of(const Bytes& bytes) {
  Counts counts;
  std::size_t at = 12;
  const auto count16 = [&] {
    counts.uint16s.push_back(at);
    at += 2;
    return value_at<std::uint16_t>(bytes, at - 2);
  };
  const auto count32 = [&] {
    counts.uint32s.push_back(at);
    at += 4;
    return value_at<std::uint32_t>(bytes, at - 4);
  };
  const auto name = [&] { at += count16(); };
  for (int images = count16(); images > 0; --images) {
    name();
    at += 5;
    at += count32();
  }
  const std::size_t bones = count16();
  for (std::size_t bone = 0; bone < bones; ++bone) {
    name();
    at += 2;
  }
  for (int meshes = count16(); meshes > 0; --meshes) {
    name();
    at += 2;
    const std::size_t vertices = count16();
    const std::size_t indices = count32();
    at += vertices * 40 + indices * 2;
  }
  for (int clips = count16(); clips > 0; --clips) {
    name();
    at += 1;
    const std::size_t frames = count16();
    at += frames * bones * 23;
  }
  REQUIRE(at == bytes.size());
  return counts;
}

}  // namespace

TEST_CASE("every field of a v1 file is read", "[pchr_v1]") {
  const CharacterData written = two_bone_arm();
  const auto character = load(write_v1(written));
  REQUIRE(character);
  CHECK(character->warnings().empty());
  CHECK(character->data().frames_per_second == 12);
  REQUIRE(character->images().size() == 2);
  CHECK(character->images()[0].name == "arm");
  CHECK(character->images()[1].bytes == written.images[1].bytes);
  REQUIRE(character->bones().size() == 3);
  CHECK(character->bones()[2].name == "badge");
  CHECK(character->bones()[2].parent == BoneId{0});
  REQUIRE(character->meshes().size() == 2);
  CHECK(character->meshes()[1].image == ImageId{1});
  CHECK(character->indices(character->meshes()[1]).size() == 6);
  CHECK(std::memcmp(character->vertices().data(), written.vertices.data(), written.vertices.size() * 40) == 0);
  REQUIRE(character->clips().size() == 2);
  const Clip& bend = character->clips()[1];
  CHECK(bend.looping);
  CHECK(bend.frames_per_second == 12);
  CHECK(bend.frame_count == 8);
  CHECK(bend.samples.rotation_degrees == written.clips[1].samples.rotation_degrees);
  CHECK(bend.samples.visible == written.clips[1].samples.visible);
  CHECK(bend.samples.z_order == written.clips[1].samples.z_order);
}

TEST_CASE("no prefix of a valid file loads, and each error lies inside it", "[pchr_v1][malformed]") {
  const Bytes whole = small_file();
  REQUIRE(load(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));  // exact size
    const auto result = load(prefix);
    INFO("prefix of " << size << " bytes");
    REQUIRE_FALSE(result);
    CHECK(result.error().byte_offset.value_or(0) <= size);
  }
}

TEST_CASE("every count changed by one, to 0 and to its maximum gives an error or a checked character",
          "[pchr_v1][malformed]") {
  const Bytes whole = small_file();
  const Counts counts = counts_of(whole);
  const auto try_value = [&](Bytes bytes, std::size_t offset) {
    INFO("count at byte " << offset);
    const auto result = load(bytes);
    if (!result) {
      CHECK(result.error().byte_offset.value_or(0) <= bytes.size());
      return;
    }
    // Files that still load end with fewer records and a warning.
    CHECK(std::ranges::any_of(result->warnings(),
                              [](const Diagnostic& warning) { return warning.id == DiagnosticId::trailing_bytes; }));
  };
  for (const std::size_t offset : counts.uint16s) {
    const auto value = value_at<std::uint16_t>(whole, offset);
    for (const int changed : {value - 1, value + 1, 0, 65535}) {
      if (static_cast<std::uint16_t>(changed) == value) continue;
      try_value(with_value(whole, offset, static_cast<std::uint16_t>(changed)), offset);
    }
  }
  for (const std::size_t offset : counts.uint32s) {
    const auto value = value_at<std::uint32_t>(whole, offset);
    for (const std::uint32_t changed : {value - 1, value + 1, value - 3, value + 3, 0U, 0xffffffffU, 0xfffffffdU}) {
      try_value(with_value(whole, offset, changed), offset);
    }
  }
}

TEST_CASE("every byte of a small file set to 0, 255 and off by one never crashes", "[pchr_v1][malformed]") {
  const Bytes whole = small_file();
  for (std::size_t offset = 0; offset < whole.size(); ++offset) {
    for (const int value : {0, 255, std::to_integer<int>(whole[offset]) + 1, std::to_integer<int>(whole[offset]) - 1}) {
      const Bytes broken = with_value(whole, offset, static_cast<std::uint8_t>(value));
      const auto result = load(broken);
      if (result) (void)decode_images(*result);
    }
  }
}

TEST_CASE("errors report the byte, the path, the value and the allowed range", "[pchr_v1]") {
  CharacterData data = two_bone_arm();
  data.vertices[3].bones[1] = 91;
  data.vertices[3].weights[1] = 0.25F;
  const Bytes bytes = write_v1(data);
  const auto result = load(bytes);
  REQUIRE_FALSE(result);
  const Diagnostic& error = result.error();
  CHECK(error.id == DiagnosticId::bone_out_of_range);
  CHECK(error.path == "meshes[0].vertices[3].boneIds[1]");
  CHECK(error.name == "strip");
  CHECK(error.detail == "is 91, but the file has 3 bones");
  REQUIRE(error.byte_offset);
  CHECK(value_at<std::uint16_t>(bytes, *error.byte_offset) == 91);
}

TEST_CASE("the offset of each error points at the offending value", "[pchr_v1]") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto offset_of = [](const CharacterData& data) {
    const auto result = load(write_v1(data));
    REQUIRE_FALSE(result);
    REQUIRE(result.error().byte_offset);
    return *result.error().byte_offset;
  };
  const auto check_nan = [&](auto change) {
    CharacterData data = two_bone_arm();
    change(data);
    const std::uint64_t offset = offset_of(data);
    CHECK(std::isnan(value_at<float>(write_v1(data), offset)));
  };
  check_nan([&](auto& data) { data.vertices[5].x = nan; });
  check_nan([&](auto& data) { data.vertices[5].y = nan; });
  check_nan([&](auto& data) { data.vertices[5].u = nan; });
  check_nan([&](auto& data) { data.vertices.back().v = nan; });
  check_nan([&](auto& data) { data.vertices.back().weights[3] = nan; });
  check_nan([&](auto& data) { data.clips[1].samples.x[13] = nan; });
  check_nan([&](auto& data) { data.clips[1].samples.y[13] = nan; });
  check_nan([&](auto& data) { data.clips[1].samples.rotation_degrees[13] = nan; });
  check_nan([&](auto& data) { data.clips[1].samples.scale_x[13] = nan; });
  check_nan([&](auto& data) { data.clips[0].samples.scale_y[2] = nan; });

  const auto check_value = [&](auto value, auto change) {
    CharacterData data = two_bone_arm();
    change(data);
    CHECK(value_at<decltype(value)>(write_v1(data), offset_of(data)) == value);
  };
  check_value(std::uint16_t{0xABC}, [](auto& data) { data.meshes[1].image = ImageId{0xABC}; });
  check_value(std::int16_t{77}, [](auto& data) { data.bones[1].parent = BoneId{77}; });
  check_value(std::uint16_t{4321}, [](auto& data) { data.indices[7] = 4321; });
  check_value(std::uint16_t{4321}, [](auto& data) { data.indices.back() = 4321; });
}

TEST_CASE("reserved or unspecified values load with a warning", "[pchr_v1]") {
  const auto warning_of = [](const Bytes& bytes) {
    const auto character = load(bytes);
    REQUIRE(character);
    REQUIRE(character->warnings().size() == 1);
    return character->warnings()[0];
  };
  CharacterData data = two_bone_arm();
  const Bytes whole = write_v1(data);

  data.reserved_flags = 0x8001;
  CHECK(warning_of(write_v1(data)).id == DiagnosticId::reserved_flags);
  data = two_bone_arm();
  data.frames_per_second = 0;
  CHECK(warning_of(write_v1(data)).id == DiagnosticId::zero_frame_rate);
  data = two_bone_arm();
  data.clips[1].frame_count = 0;
  data.clips[1].samples = {};
  CHECK(warning_of(write_v1(data)).id == DiagnosticId::clip_without_frames);

  Bytes longer = whole;
  longer.push_back(std::byte{0});
  const Diagnostic trailing = warning_of(longer);
  CHECK(trailing.id == DiagnosticId::trailing_bytes);
  CHECK(trailing.byte_offset == whole.size());

  const Diagnostic flags = warning_of(with_value(whole, whole.size() - 3, std::uint8_t{0xFF}));
  CHECK(flags.id == DiagnosticId::reserved_flags);
  CHECK(flags.path == "animations[1]");
}

TEST_CASE("tens of thousands of tiny records load, and errors in them are reported as usual", "[pchr_v1]") {
  CharacterData data = two_bone_arm();
  data.clips.resize(1);
  for (int i = 0; i < 60000; ++i) data.clips.push_back(test::resting_clip("empty", 0, 0, 12));
  const auto character = load(write_v1(data));
  REQUIRE(character);
  CHECK(character->clips().size() == 60001);
  CHECK(character->clips().back().name == "empty");
  REQUIRE(character->warnings().size() == 16);
  CHECK(character->warnings().back().path == "animations[16]");
  CHECK(character->warnings().back().detail == "has no frames and cannot play, and 59984 more like this");

  data.clips.push_back(test::resting_clip("last", 2, 3));
  data.clips.back().samples.scale_y.back() = std::numeric_limits<float>::infinity();
  const Bytes bytes = write_v1(data);
  const auto result = load(bytes);
  REQUIRE_FALSE(result);
  CHECK(result.error().id == DiagnosticId::not_finite);
  CHECK(result.error().path == "animations[60001].frames[1][2].scaleY");
  CHECK(result.error().name == "last");
  CHECK(result.error().byte_offset == bytes.size() - 7);
}

TEST_CASE("any number of transforms is split correctly", "[pchr_v1]") {
  std::vector<std::uint32_t> counts(20);
  std::iota(counts.begin(), counts.end(), 0);
  // The arrays grow in steps of 128.
  for (const std::uint32_t frames : {127, 128, 129, 258}) counts.push_back(frames);
  for (const std::uint32_t frames : counts) {
    CharacterData data = test::sliding_quad();
    Clip clip = test::resting_clip("clip", frames, 1, data.frames_per_second);
    for (std::uint32_t i = 0; i < frames; ++i) {
      const auto value = static_cast<float>(i % 20);
      clip.samples.x[i] = value;
      clip.samples.y[i] = -value;
      clip.samples.rotation_degrees[i] = value / 3;
      clip.samples.scale_x[i] = value * 1e30F;
      clip.samples.scale_y[i] = value * 1e-40F;
      clip.samples.visible[i] = i % 2;
      clip.samples.z_order[i] = static_cast<std::int32_t>(i % 20) * -1700;
    }
    clip.samples.opacity.clear();
    data.clips.push_back(clip);
    const auto character = load(write_v1(data));
    INFO(frames);
    REQUIRE(character);
    CHECK(character->clips().back() == clip);
    for (std::uint32_t i = frames - std::min(frames, 19U); i < frames; ++i) {
      for (SampleArray<float> BoneSamples::* values : {&BoneSamples::x, &BoneSamples::y, &BoneSamples::rotation_degrees,
                                                       &BoneSamples::scale_x, &BoneSamples::scale_y}) {
        CharacterData broken = data;
        (broken.clips.back().samples.*values)[i] = std::numeric_limits<float>::quiet_NaN();
        CHECK_FALSE(load(write_v1(broken)));
      }
    }
  }
}

TEST_CASE("a load stays within the limits of its caller", "[pchr_v1]") {
  const Bytes bytes = write_v1(two_bone_arm());
  const auto failure = [&](Limits limits) {
    const auto result = load(bytes, {limits, {}});
    REQUIRE_FALSE(result);
    return result.error().id;
  };
  Limits limits;
  limits.max_file_bytes = bytes.size() - 1;
  CHECK(failure(limits) == DiagnosticId::limit_exceeded);
  limits = {};
  limits.max_image_pixels = 8 * 32 + 15;
  CHECK(failure(limits) == DiagnosticId::limit_exceeded);
  limits = {};
  limits.max_bone_samples = 26;
  CHECK(failure(limits) == DiagnosticId::limit_exceeded);
  limits = {bytes.size(), 8 * 32 + 16, 27};
  CHECK(load(bytes, {limits, {}}));
}

TEST_CASE("files are read from disk, and an unreadable file is an error", "[pchr_v1]") {
  const std::string path = test::utf8_of(test::output("arm.pchr"));
  test::write_file(path, write_v1(two_bone_arm()));
  CHECK(load(path));
  LoadOptions small;
  small.limits.max_file_bytes = 100;
  CHECK(load(path, small).error().id == DiagnosticId::limit_exceeded);
  CHECK(load(path + " that is missing").error().id == DiagnosticId::unreadable_file);
  CHECK(load(test::utf8_of(test::output("x").parent_path())).error().id == DiagnosticId::unreadable_file);
}

TEST_CASE("the samples load without a warning", "[pchr_v1]") {
  for (const char* name : {"quad.pchr", "corners.pchr", "kiri.pchr"}) {
    const auto character = load(test::utf8_of(test::asset(name)));
    INFO(name);
    REQUIRE(character);
    CHECK(character->warnings().empty());
    CHECK(decode_images(*character));
  }
}

}  // namespace pchr_v1_test
