// SPDX-License-Identifier: MIT
// Conversion of artworks' tags to clips.
#include "support/catch.hpp"
#include "support/px.hpp"
#include "support/px_image.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <string>
#include <vector>

namespace clips_test {
using namespace pchr;
using test::PxArtwork;
using test::PxPixels;

namespace {

/// Makes one-pixel frames with a red of 1, 2, 3 and so on, one for each duration.
PxArtwork artwork_of(const std::vector<std::uint32_t>& durations_ms) {
  PxArtwork artwork;
  std::vector<PxPixels> images;
  for (std::size_t i = 0; i < durations_ms.size(); ++i) {
    images.push_back({{static_cast<std::uint8_t>(i + 1), 0, 0, 255}});
  }
  auto& layer = artwork.add_layer("layer", images);
  for (std::size_t i = 0; i < durations_ms.size(); ++i) layer.frames[i].ms = durations_ms[i];
  return artwork;
}

ImportedCharacter loaded(const PxArtwork& artwork, const std::vector<std::string>& codes = {}) {
  auto character = load_character(test::write_px(artwork));
  REQUIRE(character);
  std::vector<std::string> found;
  for (const Diagnostic& warning : character->warnings()) found.emplace_back(code(warning.id));
  CHECK(found == codes);
  return *std::move(character);
}

/// Returns the frames that the clip shows as letters, A for the first.
std::string frames_of(const ImportedCharacter& character, ClipId clip) {
  std::string letters;
  for (std::uint32_t frame = 0; frame < character.clips()[clip].frame_count; ++frame) {
    letters += static_cast<char>('A' + test::image_of(character, clip, frame).rgba[0] - 1);
  }
  return letters;
}

}  // namespace

TEST_CASE("an artwork without tags has one looping clip", "[px]") {
  const ImportedCharacter character = loaded(artwork_of({40, 40, 40}));
  REQUIRE(character.clips().size() == 1);
  const Clip& clip = character.clips()[0];
  CHECK(clip.name == "default");
  CHECK(clip.looping);
  CHECK(clip.frames_per_second == 25);
  CHECK(clip.frame_ends.empty());
  CHECK(character.data().frames_per_second == 25);
  CHECK(frames_of(character, ClipId{0}) == "ABC");
  CHECK(character.file.artwork->whole_clip == 0U);
}

TEST_CASE("each tag becomes a clip, plus one clip of all frames", "[px]") {
  PxArtwork artwork = artwork_of({40, 40, 40, 40});
  artwork.tags = {{"walk", 1, 3, 0}, {"back", 1, 3, 1}, {"swing", 0, 3, 2}, {"", 2, 2, 2}, {"off", 0, 1, 2}};
  artwork.tags[4].enabled = false;
  const ImportedCharacter character = loaded(artwork);
  REQUIRE(character.clips().size() == 6);
  CHECK(frames_of(character, ClipId{0}) == "BCD");
  CHECK(frames_of(character, ClipId{1}) == "DCB");
  CHECK(frames_of(character, ClipId{2}) == "ABCDCB");
  CHECK(frames_of(character, ClipId{3}) == "C");
  CHECK(character.clips()[3].name == "tag 4");
  CHECK(frames_of(character, ClipId{4}) == "AB");
  CHECK_FALSE(character.file.artwork->tags[4].enabled);
  CHECK(character.clips()[5].name == "all");
  CHECK(frames_of(character, ClipId{5}) == "ABCD");
  CHECK(character.find_clip("swing") == ClipId{2});
  for (std::uint32_t i = 0; i < 5; ++i) CHECK(character.file.artwork->tags[i].clip == i);
}

TEST_CASE("the clip of all frames has a unique name", "[px]") {
  PxArtwork artwork = artwork_of({40, 40});
  artwork.tags = {{"all", 0, 0}};
  CHECK(loaded(artwork).clips()[1].name == "all frames");
}

TEST_CASE("frames of different durations keep them to the millisecond", "[px]") {
  PxArtwork artwork = artwork_of({80, 120, 160});
  artwork.tags = {{"back", 0, 2, 1}};
  const ImportedCharacter character = loaded(artwork);
  CHECK(character.clips()[0].frame_ends == std::vector{0.16, 0.28, 0.36});
  CHECK(character.clips()[1].frame_ends == std::vector{0.08, 0.2, 0.36});
  CHECK(character.clips()[1].frames_per_second == Approx(3 / 0.36));
  // Nominal rate for other formats: all durations are multiples of 40 ms.
  CHECK(character.data().frames_per_second == 25);
  CHECK(character.file.artwork->frame_ms == std::vector<std::uint32_t>{80, 120, 160});
}

TEST_CASE("a repeating tag plays that many times, then ends", "[px]") {
  PxArtwork artwork = artwork_of({40, 40});
  artwork.tags = {{"once", 0, 1, 0, 1}, {"thrice", 0, 1, 0, 3}, {"ever", 0, 1, 0, 0}};
  const ImportedCharacter character = loaded(artwork);
  CHECK(frames_of(character, ClipId{0}) == "AB");
  CHECK_FALSE(character.clips()[0].looping);
  CHECK(frames_of(character, ClipId{1}) == "ABABAB");
  CHECK_FALSE(character.clips()[1].looping);
  CHECK(character.clips()[2].looping);
  artwork.tags = {{"long", 0, 1, 0, 513}};
  const ImportedCharacter limited = loaded(artwork, {"W247"});
  CHECK(frames_of(limited, ClipId{0}) == "AB");
  CHECK_FALSE(limited.clips()[0].looping);
}

TEST_CASE("a speed modifier changes the rate", "[px]") {
  PxArtwork artwork = artwork_of({40, 40});
  artwork.speeds = {2, 0.25F};
  CHECK(loaded(artwork).clips()[0].frames_per_second == 12.5);
  CHECK(loaded(artwork).file.artwork->speed == 0.5);
  artwork.layers[0].frames[1].ms = 80;
  CHECK(loaded(artwork).clips()[0].frame_ends == std::vector{0.08, 0.24});
  artwork.speeds = {0};
  CHECK(loaded(artwork, {"W243"}).clips()[0].frame_ends == std::vector{0.04, 0.12});
}

TEST_CASE("layers that disagree on a frame's duration cause a warning, and the first wins", "[px]") {
  PxArtwork artwork = artwork_of({40, 40, 40});
  auto& other = artwork.add_layer("other", {{{0, 0, 0, 0}}, {{0, 0, 0, 0}}, {{0, 0, 0, 0}}, {{0, 0, 0, 0}}});
  for (std::size_t i = 0; i < 4; ++i) other.frames[i].ms = i == 1 ? 80 : 40;
  const ImportedCharacter character = loaded(artwork, {"W249"});
  CHECK(character.file.artwork->frame_ms == std::vector<std::uint32_t>{40, 40, 40, 40});
  CHECK(character.warnings()[0].name == "other");
  CHECK_THAT(character.warnings()[0].detail,
             test::contains("shows frame 1 for 80 ms, but an earlier layer shows it for 40 ms"));
  other.frames[1].ms = 40;
  loaded(artwork);
}

TEST_CASE("a frame without a duration lasts 100 ms", "[px]") {
  CHECK(loaded(artwork_of({0, 100}), {"W243"}).clips()[0].frames_per_second == 10);
}

TEST_CASE("tags are clamped to existing frames", "[px]") {
  PxArtwork artwork = artwork_of({40, 40, 40});
  artwork.tags = {{"swapped", 2, 1}, {"beyond", 1, 9}, {"far", 8, 9}};
  const ImportedCharacter character = loaded(artwork, {"W243", "W243", "W243"});
  CHECK(frames_of(character, ClipId{0}) == "BC");
  CHECK(frames_of(character, ClipId{1}) == "BC");
  CHECK(frames_of(character, ClipId{2}) == "C");
}

TEST_CASE("smooth playback does not move alternating images", "[px]") {
  PxArtwork artwork{.width = 3, .height = 1};
  const test::PxColor red{255, 0, 0, 255}, blue{0, 0, 255, 255}, none{};
  artwork.add_layer("layer", {{red, none, none}, {none, blue, none}, {none, none, red}, {none, blue, none}});
  const ImportedCharacter character = loaded(artwork);
  const std::size_t bones = character.bones().size();
  REQUIRE(bones == 2);
  const Clip& clip = character.clips()[0];
  for (std::uint32_t frame = 0; frame < 4; ++frame) {
    const PoseView now = clip.samples.frame(frame, bones), next = clip.samples.frame((frame + 1) % 4, bones);
    for (std::size_t bone = 0; bone < bones; ++bone) {
      if (now.visible[bone] != 0) CHECK(now.x[bone] == next.x[bone]);
    }
  }
}

TEST_CASE("the bind pose shows the first frame of the first clip", "[px]") {
  PxArtwork artwork = artwork_of({40, 40, 40});
  artwork.tags = {{"last", 2, 2}, {"rest", 1, 1}};
  const ImportedCharacter character = loaded(artwork);
  CHECK(character.bind_pose_source().clip == ClipId{0});
  CHECK(character.bind_pose().visible[2] == 1);
}

}  // namespace clips_test
