// SPDX-License-Identifier: MIT
// The clips that artworks' tags become.
#include "support/catch.hpp"
#include "support/px.hpp"
#include "support/px_image.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <string>
#include <vector>

using namespace pchr;
using test::PxArtwork;
using test::PxPixels;

namespace {

/// Frames of one pixel whose red is 1, 2, 3 ..., one for each duration.
PxArtwork artwork_of(const std::vector<std::uint32_t>& durations_ms) {
  PxArtwork artwork;
  std::vector<PxPixels> pictures;
  for (std::size_t i = 0; i < durations_ms.size(); ++i) {
    pictures.push_back({{static_cast<std::uint8_t>(i + 1), 0, 0, 255}});
  }
  auto& layer = artwork.add_layer("layer", pictures);
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

/// The letters of the artwork's frames, A for the first, that the clip shows.
std::string frames_of(const ImportedCharacter& character, ClipId clip) {
  std::string letters;
  for (std::uint32_t frame = 0; frame < character.clips()[clip].frame_count; ++frame) {
    letters += static_cast<char>('A' + test::image_of(character, clip, frame).rgba[0] - 1);
  }
  return letters;
}

}  // namespace

TEST_CASE("an artwork without tags is one clip that loops", "[px]") {
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

TEST_CASE("each tag is a clip, and all frames are one more", "[px]") {
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

TEST_CASE("the clip of all frames has a name of its own", "[px]") {
  PxArtwork artwork = artwork_of({40, 40});
  artwork.tags = {{"all", 0, 0}};
  CHECK(loaded(artwork).clips()[1].name == "all frames");
}

TEST_CASE("frames of unequal duration keep theirs to the millisecond", "[px]") {
  PxArtwork artwork = artwork_of({80, 120, 160});
  artwork.tags = {{"back", 0, 2, 1}};
  const ImportedCharacter character = loaded(artwork);
  CHECK(character.clips()[0].frame_ends == std::vector{0.16, 0.28, 0.36});
  CHECK(character.clips()[1].frame_ends == std::vector{0.08, 0.2, 0.36});
  CHECK(character.clips()[1].frames_per_second == Approx(3 / 0.36));
  // For forms with one rate: 40 ms divide them all.
  CHECK(character.data().frames_per_second == 25);
  CHECK(character.file.artwork->frame_ms == std::vector<std::uint32_t>{80, 120, 160});
}

TEST_CASE("a tag that repeats plays as often and ends", "[px]") {
  PxArtwork artwork = artwork_of({40, 40});
  artwork.tags = {{"once", 0, 1, 0, 1}, {"thrice", 0, 1, 0, 3}, {"ever", 0, 1, 0, 0}};
  const ImportedCharacter character = loaded(artwork);
  CHECK(frames_of(character, ClipId{0}) == "AB");
  CHECK_FALSE(character.clips()[0].looping);
  CHECK(frames_of(character, ClipId{1}) == "ABABAB");
  CHECK_FALSE(character.clips()[1].looping);
  CHECK(character.clips()[2].looping);
  artwork.tags = {{"long", 0, 1, 0, 513}};
  const ImportedCharacter cut = loaded(artwork, {"W247"});
  CHECK(frames_of(cut, ClipId{0}) == "AB");
  CHECK_FALSE(cut.clips()[0].looping);
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

TEST_CASE("layers that disagree on how long a frame lasts are told of, and the first decides", "[px]") {
  PxArtwork artwork = artwork_of({40, 40, 40});
  auto& other = artwork.add_layer("other", {{{0, 0, 0, 0}}, {{0, 0, 0, 0}}, {{0, 0, 0, 0}}, {{0, 0, 0, 0}}});
  for (std::size_t i = 0; i < 4; ++i) other.frames[i].ms = i == 1 ? 80 : 40;
  const ImportedCharacter character = loaded(artwork, {"W249"});
  CHECK(character.file.artwork->frame_ms == std::vector<std::uint32_t>{40, 40, 40, 40});
  CHECK(character.warnings()[0].name == "other");
  CHECK_THAT(character.warnings()[0].detail, test::contains("frame 1 lasts 80 ms here and 40 ms in a layer before"));
  other.frames[1].ms = 40;
  loaded(artwork);
}

TEST_CASE("a frame of no duration lasts 100 ms", "[px]") {
  CHECK(loaded(artwork_of({0, 100}), {"W243"}).clips()[0].frames_per_second == 10);
}

TEST_CASE("tags are brought within the frames there are", "[px]") {
  PxArtwork artwork = artwork_of({40, 40, 40});
  artwork.tags = {{"swapped", 2, 1}, {"beyond", 1, 9}, {"far", 8, 9}};
  const ImportedCharacter character = loaded(artwork, {"W243", "W243", "W243"});
  CHECK(frames_of(character, ClipId{0}) == "BC");
  CHECK(frames_of(character, ClipId{1}) == "BC");
  CHECK(frames_of(character, ClipId{2}) == "C");
}

TEST_CASE("smooth play moves no picture that others take turns with", "[px]") {
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

TEST_CASE("in the bind pose an artwork shows the first frame of its first clip", "[px]") {
  PxArtwork artwork = artwork_of({40, 40, 40});
  artwork.tags = {{"last", 2, 2}, {"rest", 1, 1}};
  const ImportedCharacter character = loaded(artwork);
  CHECK(character.bind_pose_source().clip == ClipId{0});
  CHECK(character.bind_pose().visible[2] == 1);
}
