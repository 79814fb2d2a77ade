// SPDX-License-Identifier: MIT
// Saving of characters in every format, also without images, and the limits of the output.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"
#include "support/px.hpp"
#include "support/scenes.hpp"

#include "image/image.hpp"
#include "import/files.hpp"
#include "import/json/json.hpp"

#include <pchr/image.hpp>
#include <pchr/import/save.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <string_view>

namespace save_test {
using namespace pchr;
using test::Bytes;
using test::sliding_quad;
using test::two_bone_arm;
using test::write_v1;

namespace {

/// Returns the arm with PNG images, like most files.
CharacterData png_arm() {
  CharacterData data = two_bone_arm();
  for (Image& image : data.images) {
    image.bytes = write_png(image.width, image.height, image.bytes);
    image.encoding = ImageEncoding::png;
  }
  return data;
}

Character built(CharacterData data) { return Character::build(std::move(data)).value(); }

Saved saved(const Character& character, Format format, const SaveOptions& options = {}) {
  auto result = save(character, format, "hero", options);
  if (!result) FAIL(describe(result.error(), "hero"));
  return *std::move(result);
}

/// Writes saved files to a separate folder and loads them.
Character reloaded(const Saved& what) {
  const std::filesystem::path folder = test::fresh_folder("save/reloaded");
  for (const SavedFile& image : what.images) test::write_file(folder / image.name, image.bytes);
  test::write_file(folder / what.file.name, what.file.bytes);
  auto character = load_character(folder / what.file.name);
  if (!character) FAIL(describe(character.error(), what.file.name));
  return *std::move(character);
}

CharacterData contents(const Character& character) { return character.data(); }

std::string text_of(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

std::vector<std::filesystem::path> all_characters() {
  std::vector<std::filesystem::path> files = test::conformance_characters();
  for (const char* name : {"quad.pchr", "corners.pchr", "kiri.pchr"}) files.push_back(test::asset(name));
  return files;
}

DiagnosticId refusal(const CharacterData& data, Format format, JsonDialect dialect = JsonDialect::v1) {
  const auto result = save(built(data), format, "hero", {.json_dialect = dialect});
  REQUIRE_FALSE(result);
  return result.error().id;
}

std::vector<DiagnosticId> losses(const CharacterData& data, Format format, JsonDialect dialect = JsonDialect::v1) {
  const Saved result = saved(built(data), format, {.json_dialect = dialect, .lossy = true});
  std::vector<DiagnosticId> ids;
  for (const Diagnostic& loss : result.losses) ids.push_back(loss.id);
  return ids;
}

std::uint64_t bytes_of(const Saved& saved) {
  std::uint64_t bytes = saved.file.bytes.size();
  for (const SavedFile& image : saved.images) bytes += image.bytes.size();
  return bytes;
}

/// Checks that a character is saved at a limit of exactly its size, and refused at one byte less.
void check_limit(const Character& character, Format format, SaveOptions options = {}) {
  const auto whole = save(character, format, "a", options);
  REQUIRE(whole);
  options.max_output_bytes = bytes_of(*whole);
  CHECK(save(character, format, "a", options)->file.bytes == whole->file.bytes);
  for (const std::uint64_t fewer : {options.max_output_bytes - 1, options.max_output_bytes / 2, std::uint64_t{0}}) {
    options.max_output_bytes = fewer;
    const auto refused = save(character, format, "a", options);
    REQUIRE_FALSE(refused);
    CHECK(code(refused.error().id) == "E314");
    CHECK_THAT(refused.error().detail, test::contains("but the limit is " + std::to_string(fewer)));
  }
}

CharacterData bare_arm() {
  CharacterData data = test::two_bone_arm();
  data.images.clear();
  for (Mesh& mesh : data.meshes) mesh.image = ImageId{0};
  return data;
}

}  // namespace

TEST_CASE("loading and saving v1 gives the same bytes", "[save]") {
  for (const auto& file : all_characters()) {
    INFO(file);
    CHECK(saved(load_character(file).value(), Format::v1).file.bytes == test::read_file(file));
  }
}

TEST_CASE("converting v1 to JSON and back gives the same bytes", "[save]") {
  for (const auto& file : all_characters()) {
    INFO(file);
    const Character back = reloaded(saved(load_character(file).value(), Format::json));
    CHECK(saved(back, Format::v1).file.bytes == test::read_file(file));
  }
}

TEST_CASE("raw images become PNG files next to the JSON, and raw again in the v1 dialect", "[save]") {
  const Character character = built(two_bone_arm());
  for (const auto& [dialect, encoding] :
       {std::pair(JsonDialect::v1, ImageEncoding::rgba8888), std::pair(JsonDialect::pachario, ImageEncoding::png)}) {
    const Character back = reloaded(saved(character, Format::json, {.json_dialect = dialect}));
    REQUIRE(back.images().size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(back.images()[i].encoding == encoding);
      CHECK(decode_straight(back.images()[i], {}).value().rgba ==
            decode_straight(character.images()[i], {}).value().rgba);
    }
  }
}

TEST_CASE("both dialects and the packed format load as the saved character", "[save]") {
  CharacterData data = png_arm();
  data.images.pop_back();
  data.meshes[1].image = ImageId{0};
  // The exporter's dialect leaves out only unused slots.
  for (Vertex& vertex : data.vertices) {
    for (int slot = 0; slot < 4; ++slot) {
      if (vertex.weights[slot] == 0) vertex.bones[slot] = 0;
    }
    if (vertex.weights[0] != 0) continue;
    std::swap(vertex.weights[0], vertex.weights[1]);
    std::swap(vertex.bones[0], vertex.bones[1]);
  }
  const Character character = built(data);
  for (const JsonDialect dialect : {JsonDialect::v1, JsonDialect::pachario}) {
    for (const Format format : {Format::json, Format::packed}) {
      CHECK(contents(reloaded(saved(character, format, {.json_dialect = dialect}))) == contents(character));
    }
  }
}

TEST_CASE("every float survives the JSON", "[save]") {
  CharacterData data = sliding_quad();
  using Float = std::numeric_limits<float>;
  SampleArray<float> values{0.0F,          -0.0F,        Float::denorm_min(), -Float::denorm_min(),
                            Float::min(),  Float::max(), -Float::max(),       0.1F,
                            1.0F / 3,      16777216.0F,  16777217.0F,         1e10F,
                            -1e-10F,       123456.789F,  Float::epsilon(),    7.038531e-26F,
                            -7.038531e-26F};
  // Steps through all exponents and signs with varying mantissas.
  for (std::uint32_t bits = 12345; bits < 0xff000000; bits += 4093 * 1021) {
    const auto value = std::bit_cast<float>(bits);
    if (std::isfinite(value)) values.push_back(value);
  }
  Clip clip = test::resting_clip("floats", static_cast<std::uint32_t>(values.size()), 1);
  clip.samples.x = values;
  data.clips.push_back(clip);
  const Character back = reloaded(saved(built(data), Format::json));
  REQUIRE(back.clips().size() == 3);
  const auto& found = back.clips()[2].samples.x;
  REQUIRE(found.size() == values.size());
  CHECK(std::memcmp(found.data(), values.data(), values.size() * sizeof(float)) == 0);
}

TEST_CASE("the JSON looks like its documentation", "[save]") {
  CharacterData data = sliding_quad();
  data.images[0].name = "at\"las\n";
  data.clips.resize(1);
  const std::string path = "atlas.png";
  CHECK(text_of(write_json(data, JsonDialect::v1, {&path, 1})) == R"({
  "version": 1,
  "fps": 24,
  "images": [
    {"name": "at\"las\u000a", "width": 4, "height": 4, "format": "rgba8888", "path": "atlas.png"}
  ],
  "bones": [
    {"name": "root", "parent": -1}
  ],
  "meshes": [
    {
      "name": "quad",
      "image": 0,
      "vertices": [
        {"x": -8, "y": 8, "u": 0, "v": 0, "boneIds": [0, 0, 0, 0], "boneWeights": [1, 0, 0, 0]},
        {"x": 8, "y": 8, "u": 1, "v": 0, "boneIds": [0, 0, 0, 0], "boneWeights": [1, 0, 0, 0]},
        {"x": 8, "y": -8, "u": 1, "v": 1, "boneIds": [0, 0, 0, 0], "boneWeights": [1, 0, 0, 0]},
        {"x": -8, "y": -8, "u": 0, "v": 1, "boneIds": [0, 0, 0, 0], "boneWeights": [1, 0, 0, 0]}
      ],
      "indices": [
        0, 1, 2,
        0, 2, 3
      ]
    }
  ],
  "animations": [
    {
      "name": "bind",
      "loop": false,
      "frames": [
        [
          {"x": 0, "y": 0, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true, "zOrder": 0}
        ]
      ]
    }
  ]
}
)");
  data.meshes.clear();
  data.clips.clear();
  CHECK(text_of(write_json(data, JsonDialect::pachario, {&path, 1})) == R"({
  "version": 1,
  "fps": 24,
  "images": [
    {"name": "at\"las\u000a", "path": "atlas.png", "width": 4, "height": 4, "format": "png"}
  ],
  "bones": [
    {"name": "root", "parentIdx": -1}
  ],
  "meshes": [],
  "animations": []
}
)");
}

TEST_CASE("raw pixels are the straight alpha pixels of the PNG", "[save]") {
  CharacterData data = sliding_quad();
  const Bytes pixels = test::plain_image(4, 4, {200, 100, 50, 7}).bytes;
  data.images[0].encoding = ImageEncoding::png;
  data.images[0].bytes = write_png(4, 4, pixels);
  const Character back = reloaded(saved(built(data), Format::v1, {.raw_pixels = true}));
  CHECK(back.images()[0].encoding == ImageEncoding::rgba8888);
  CHECK(back.images()[0].bytes == pixels);
}

TEST_CASE("a written PNG decodes to its original pixels", "[save][png]") {
  std::uint32_t state = 1;
  const auto random = [&] { return state = state * 1664525U + 1013904223U, state >> 24U; };
  for (const auto& [width, height] : {std::pair{1U, 1U}, {1U, 9U}, {9U, 1U}, {37U, 23U}, {700U, 600U}}) {
    for (const bool smooth : {false, true}) {
      Image image{"noise", width, height, ImageEncoding::png, {}};
      Bytes pixels;
      for (std::uint32_t i = 0; i < width * height * 4; ++i) {
        pixels.push_back(static_cast<std::byte>(smooth ? i / 4 % width + i / 4 / width * 3 : random()));
      }
      image.bytes = write_png(width, height, pixels);
      const auto bitmap = decode_straight(image, {});
      REQUIRE(bitmap);
      CHECK(std::memcmp(bitmap->rgba.data(), pixels.data(), pixels.size()) == 0);
      if (smooth && width > 100) CHECK(image.bytes.size() < pixels.size() / 50);
    }
  }
}

TEST_CASE("an image with any name gets a safe file name", "[save][names]") {
  CHECK(safe_name("atlas") == "atlas");
  CHECK(safe_name("Left-Arm_2.b") == "Left-Arm_2.b");
  CHECK(safe_name("\xE5\xB7\xA6\xE8\x85\x95") == "\xE5\xB7\xA6\xE8\x85\x95");
  CHECK(safe_name("") == "unnamed");
  CHECK(safe_name("../../x") == "_x");
  CHECK(safe_name("..") == "_");
  CHECK(safe_name("/etc/passwd") == "_etc_passwd");
  CHECK(safe_name("a\\b:c*d?e\"f<g>h|i") == "a_b_c_d_e_f_g_h_i");
  CHECK(safe_name("C:\\x") == "C_x");
  CHECK(safe_name(std::string("a\0b\x1b\x7f", 5)) == "a_b_");
  CHECK(safe_name(".hidden") == "_hidden");
  CHECK(safe_name("ends.") == "ends");
  CHECK(safe_name("CON") == "_CON");
  CHECK(safe_name("con.tar") == "_con.tar");
  CHECK(safe_name("Com7") == "_Com7");
  CHECK(safe_name("console") == "console");
  CHECK(safe_name("-rf") == "_-rf");
  CHECK(safe_name("a\xff z") == "a_z");
  CHECK(safe_name("gpj\xE2\x80\xAE.exe") == "gpj_exe");
  CHECK(safe_name(std::string(70000, 'x')).size() <= 120);
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "\xE5\xB7\xA6";
  CHECK(safe_name(wide).size() == 120);
}

TEST_CASE("names differ even if case is ignored", "[save][names]") {
  const std::vector<std::string> names{"a", "A", "a", "a-2", "a.PNG", "", "", "\xC3\xA9", "\xC3\x89"};
  const std::vector<std::string> files = safe_file_names(names, ".png");
  CHECK(files == std::vector<std::string>{"a.png", "A-2.png", "a-3.png", "a-2-2.png", "a-4.png", "unnamed.png",
                                          "unnamed-2.png", "\xC3\xA9.png", "\xC3\x89-2.png"});
}

TEST_CASE("images with hostile or equal names are saved next to the JSON", "[save][names]") {
  CharacterData data = png_arm();
  const std::string long_name(65535, 'n');
  for (const std::string& name : {std::string("../../x"), std::string("CON"), std::string(), std::string("same"),
                                  std::string("same"), std::string("SAME"), std::string("a\0b", 3), long_name}) {
    Image image = data.images[0];
    image.name = name;
    data.images.push_back(image);
  }
  const Saved result = saved(built(data), Format::json);
  std::set<std::string> names;
  for (const SavedFile& image : result.images) {
    CHECK(image.name.find_first_of(std::string("/\\\0", 3)) == std::string::npos);
    CHECK(image.name.front() != '.');
    CHECK(image.name.size() < 255);
    names.insert(image.name);
  }
  CHECK(names.size() == data.images.size());
  CHECK(contents(reloaded(result)).images == data.images);
  CHECK(saved(built(data), Format::v1).file.name == "hero.pchr");
  CHECK(save(built(data), Format::v1, "../up/CON", {}).value().file.name == "_up_CON.pchr");
}

TEST_CASE("data that a format cannot store is refused, or dropped and reported", "[save]") {
  struct Claim {
    const char* what;
    CharacterData data;
    Format format;
    JsonDialect dialect;
    DiagnosticId refused;
    DiagnosticId lost;
  };
  const auto with = [](auto change) {
    CharacterData data = png_arm();
    change(data);
    return data;
  };
  const auto flags = with([](CharacterData& data) { data.reserved_flags = 5; });
  const auto deep = with([](CharacterData& data) { data.clips[1].samples.z_order[4] = 40000; });
  const auto faded = with([](CharacterData& data) {
    data.clips[1].samples.opacity.assign(data.clips[1].samples.x.size(), 1.0F);
    data.clips[1].samples.opacity[7] = 0.5F;
  });
  const auto fast = with([](CharacterData& data) { data.clips[1].frames_per_second = 30; });
  const auto uneven = with([](CharacterData& data) {
    for (std::uint32_t i = 0; i < data.clips[1].frame_count; ++i)
      data.clips[1].frame_ends.push_back(0.1 * (i + 1) * (i + 1));
  });
  const auto begun = with([](CharacterData& data) { data.clips[1].loop_start = 1; });
  const auto named = with([](CharacterData& data) { data.bones[1].name.assign(65536, 'n'); });
  const auto absent = with([](CharacterData& data) {
    data.images[1].encoding = ImageEncoding::absent;
    data.images[1].bytes.clear();
  });
  using Id = DiagnosticId;
  for (const Claim& claim : std::vector<Claim>{
           {"flags", flags, Format::json, JsonDialect::pachario, Id::flags_refused, Id::flags_lost},
           {"images", png_arm(), Format::packed, JsonDialect::pachario, Id::image_refused, Id::image_lost},
           {"order", deep, Format::v1, JsonDialect::v1, Id::z_order_refused, Id::z_order_clamped},
           {"opacity", faded, Format::v1, JsonDialect::v1, Id::opacity_refused, Id::opacity_lost},
           {"opacity", faded, Format::json, JsonDialect::v1, Id::opacity_refused, Id::opacity_lost},
           {"rate", fast, Format::json, JsonDialect::v1, Id::clip_rate_refused, Id::clip_rate_lost},
           {"durations", uneven, Format::v1, JsonDialect::v1, Id::clip_rate_refused, Id::clip_rate_lost},
           {"loop start", begun, Format::v1, JsonDialect::v1, Id::loop_start_refused, Id::loop_start_lost},
           {"name", named, Format::v1, JsonDialect::v1, Id::name_refused, Id::name_truncated},
           {"absent", absent, Format::v1, JsonDialect::v1, Id::absent_image_refused, Id::absent_image_replaced},
           {"absent", absent, Format::json, JsonDialect::v1, Id::absent_image_refused, Id::absent_image_replaced}}) {
    INFO(claim.what);
    CHECK(refusal(claim.data, claim.format, claim.dialect) == claim.refused);
    CHECK(losses(claim.data, claim.format, claim.dialect) == std::vector{claim.lost});
    CHECK_NOTHROW(reloaded(saved(built(claim.data), claim.format, {.json_dialect = claim.dialect, .lossy = true})));
  }
  CHECK(reloaded(saved(built(flags), Format::json)).data().reserved_flags == 5);
  CHECK(reloaded(saved(built(deep), Format::v1, {.lossy = true})).clips()[1].samples.z_order[4] == 32767);
  CHECK(reloaded(saved(built(deep), Format::json)).clips()[1].samples.z_order[4] == 40000);
  CHECK(reloaded(saved(built(named), Format::v1, {.lossy = true})).bones()[1].name.size() == 65535);
  const Imported with_menu_image{.character = built(png_arm()), .menu_images = {{"face", ImageId{0}, 0, 0, 4, 4}}};
  CHECK(save(with_menu_image, Format::v1, "hero").error().id == Id::menu_images_refused);
  CHECK(save(with_menu_image, Format::v1, "hero", {.lossy = true})->losses[0].id == Id::menu_images_lost);
  const auto error = save(built(faded), Format::v1, "hero").error();
  CHECK(error.path == "animations[1].frames[2][1].opacity");
  CHECK(error.name == "bend");
}

TEST_CASE("parts without opacity are hidden in formats that do not store opacity", "[save]") {
  CharacterData data = png_arm();
  BoneSamples& samples = data.clips[1].samples;
  samples.opacity.assign(samples.x.size(), 1);
  samples.opacity[1] = 0;
  samples.visible[1] = samples.visible[0] = 1;
  for (const Format format : {Format::v1, Format::json, Format::packed}) {
    const Character one_image = built([&] {
      CharacterData copy = data;
      copy.images.pop_back();
      copy.meshes[1].image = ImageId{0};
      return copy;
    }());
    const Character again = reloaded(saved(one_image, format));
    CHECK(again.clips()[1].samples.visible[1] == 0);
    CHECK(again.clips()[1].samples.visible[0] == 1);
  }
  samples.opacity[1] = 1 / 255.0F;
  CHECK(refusal(data, Format::v1) == DiagnosticId::opacity_refused);
  CHECK(reloaded(saved(built(data), Format::v1, {.lossy = true})).clips()[1].samples.visible[1] == 0);
  samples.opacity[1] = 2 / 255.0F;
  CHECK(reloaded(saved(built(data), Format::v1, {.lossy = true})).clips()[1].samples.visible[1] == 1);
}

TEST_CASE("a bind pose is saved as a clip also without other clips", "[save]") {
  CharacterData data = png_arm();
  data.bind_pose = data.clips[1].samples;
  const auto first = [&](auto& values) { values.resize(std::min(values.size(), data.bones.size())); };
  BoneSamples& bind = data.bind_pose;
  first(bind.x), first(bind.y), first(bind.rotation_degrees), first(bind.scale_x), first(bind.scale_y);
  first(bind.opacity), first(bind.visible), first(bind.z_order);
  bind.x[1] = 33;
  data.clips.clear();
  const Character again = reloaded(saved(built(data), Format::v1, {.bind_clip = true}));
  REQUIRE(again.clips().size() == 1);
  CHECK(again.clips()[0].name == "bind");
  CHECK(again.bind_pose().x[1] == 33);
  data.bind_pose = {};
  CHECK(reloaded(saved(built(data), Format::v1, {.bind_clip = true})).clips().empty());
}

TEST_CASE("markers move to the frames that clips are saved with", "[save]") {
  CharacterData data = png_arm();
  Clip& clip = data.clips[1];
  clip.frames_per_second = 2.0 * data.frames_per_second;
  REQUIRE(clip.frame_count == 8);
  const Character character = built(data);
  Sidecar sidecar;
  sidecar.markers = Markers({{ClipId{1}, 3, "step"}, {ClipId{1}, 7, "end"}});
  CHECK(move_to_saved_frames(sidecar, character));
  CHECK(sidecar.markers.all()[0].frame == 2);
  CHECK(sidecar.markers.all()[1].frame == 3);
  CHECK_FALSE(move_to_saved_frames(sidecar = {}, character));
}

TEST_CASE("JSON keeps all influences of a vertex as authored, and v1 keeps the four in use", "[save]") {
  CharacterData data = png_arm();
  data.images.pop_back();
  data.meshes[1].image = ImageId{0};
  const float weights[] = {0.125F, 0.25F, 0.0625F, 0.25F, 0.25F, 0.0625F};
  for (std::uint16_t i = 0; i < 6; ++i) {
    data.authored_influences.push_back({2, static_cast<std::uint16_t>(i % 3), weights[i]});
  }
  const std::uint16_t bones[] = {0, 1, 0, 1};
  const float kept[] = {1 / 7.0F, 2 / 7.0F, 2 / 7.0F, 2 / 7.0F};
  std::copy_n(bones, 4, data.vertices[2].bones);
  std::copy_n(kept, 4, data.vertices[2].weights);
  const Character character = built(data);

  CHECK(refusal(data, Format::v1) == DiagnosticId::influences_refused);
  const auto error = save(character, Format::v1, "hero").error();
  CHECK(error.path == "meshes[0].vertices[2]");
  CHECK(error.detail == "has 6 influences, but PCHR v1 stores four");
  CHECK(losses(data, Format::v1) == std::vector{DiagnosticId::influences_lost});
  const Character lossy = reloaded(saved(character, Format::v1, {.lossy = true}));
  for (const JsonDialect dialect : {JsonDialect::v1, JsonDialect::pachario}) {
    for (const Format format : {Format::json, Format::packed}) {
      const Character back = reloaded(saved(character, format, {.json_dialect = dialect}));
      CHECK(back.data().authored_influences == data.authored_influences);
      CHECK(back.vertices()[2] == lossy.vertices()[2]);
      CHECK(saved(back, format, {.json_dialect = dialect}).file.bytes ==
            saved(character, format, {.json_dialect = dialect}).file.bytes);
    }
  }
}

TEST_CASE("image files are named after the character and the image", "[save][names]") {
  const auto names = [](std::string_view stem, std::initializer_list<std::string> images) {
    CharacterData data = sliding_quad();
    const Image image = data.images[0];
    data.images.clear();
    for (const std::string& name : images) {
      data.images.push_back(image);
      data.images.back().name = name;
    }
    const auto result = save(built(data), Format::json, stem);
    REQUIRE(result);
    std::vector<std::string> files;
    for (const SavedFile& file : result->images) files.push_back(file.name);
    return files;
  };
  using Names = std::vector<std::string>;
  CHECK(names("hero", {"atlas", "atlas.png", "ATLAS.PNG"}) ==
        Names{"hero.atlas.png", "hero.atlas-2.png", "hero.ATLAS-3.png"});
  CHECK(names("hero", {"hero", "hero.png", "hero.face"}) == Names{"hero.png", "hero-2.png", "hero.face.png"});
  CHECK(names("hero", {"hero_face", "heroine", ""}) == Names{"hero.hero_face.png", "hero.heroine.png", "hero.png"});
  CHECK(names("my hero", {"../../x", "my hero"}) == Names{"my_hero._x.png", "my_hero.png"});
  for (const std::string& name : names(std::string(300, 'h'), {std::string(300, 'i'), std::string(300, 'j')})) {
    CHECK(name.size() <= 130);
  }
}

TEST_CASE("flags that were dropped on load are refused on save", "[save]") {
  const Bytes plain = write_v1(sliding_quad());
  // The flags of the last transform are 3 bytes before the end.
  Bytes bytes = plain;
  bytes[bytes.size() - 3] = std::byte{0x81};
  const Character character = load_character(bytes).value();
  for (const Format format : {Format::v1, Format::json, Format::packed}) {
    const auto refused = save(character, format, "hero");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().id == DiagnosticId::flags_refused);
    CHECK(saved(character, format, {.lossy = true}).losses.size() == 1);
  }
  CHECK(saved(character, Format::v1, {.lossy = true}).file.bytes == plain);
}

TEST_CASE("a change that would alter the character is refused even with losses allowed", "[save]") {
  const auto refused = [](const CharacterData& data, Format format) {
    const auto result = save(built(data), format, "hero", {.lossy = true});
    REQUIRE_FALSE(result);
    return result.error();
  };
  CharacterData data = sliding_quad();
  data.bones[0].name = "\xff";
  for (const Format format : {Format::v1, Format::json, Format::packed})
    CHECK(refused(data, format).id == DiagnosticId::invalid_utf8);

  data = sliding_quad();
  data.bones.resize(40000, {"child", BoneId{0}});
  data.bones.back().parent = BoneId{39000};
  for (Clip& clip : data.clips) clip = test::resting_clip(clip.name, clip.frame_count, data.bones.size());
  CHECK(refused(data, Format::v1).id == DiagnosticId::too_large_for_format);
  CHECK(refused(data, Format::v1).path == "bones[39999].parent");
  CHECK(reloaded(saved(built(data), Format::json)).bones().size() == 40000);

  data = sliding_quad();
  data.clips.push_back(test::resting_clip("long", 65536, 1));
  CHECK(refused(data, Format::v1).id == DiagnosticId::too_large_for_format);

  data = sliding_quad();
  data.images[0] = {"broken", 4, 4, ImageEncoding::png, Bytes(9)};
  CHECK(refused(data, Format::v1).id == DiagnosticId::not_png);
  CHECK(refused(data, Format::json).path == "images[0].data");
}

TEST_CASE("a packed character can lack its image", "[save]") {
  CharacterData data = sliding_quad();
  data.images[0].encoding = ImageEncoding::absent;
  data.images[0].bytes.clear();
  const Saved result = saved(built(data), Format::packed);
  std::uint32_t image_bytes = 1;
  std::memcpy(&image_bytes, result.file.bytes.data() + 12, 4);
  CHECK(image_bytes == 0);
  CHECK(contents(reloaded(result)) == contents(built(data)));
}

TEST_CASE("clips with another or an uneven rate are resampled at the character's rate and keep their length",
          "[save]") {
  CharacterData data = two_bone_arm();
  REQUIRE(data.frames_per_second == 12);
  const std::size_t bones = data.bones.size();
  Clip& bend = data.clips[1];
  REQUIRE(bend.frame_count == 8);
  for (std::uint32_t frame = 0; frame < 8; ++frame) bend.samples.x[frame * bones + 1] = static_cast<float>(frame);
  // 1 s in frames of 50, 75, 100 ms and so on.
  double end = 0;
  for (int frame = 0; frame < 8; ++frame) bend.frame_ends.push_back(end += 0.05 + 0.025 * frame);
  const Character character = built(data);
  const Character again = reloaded(saved(character, Format::v1, {.lossy = true}));
  const Clip& sampled = again.clips()[1];
  CHECK(std::int64_t{sampled.frame_count} == std::llround(end * 12));
  CHECK(sampled.looping == bend.looping);
  for (std::uint32_t frame = 0; frame < sampled.frame_count; ++frame) {
    const auto expected = clip_time(character.clips()[1], frame / 12.0 + 1e-6, Sampling::step).frame;
    CHECK(sampled.samples.x[frame * bones + 1] == static_cast<float>(expected));
  }
  CHECK(again.clips()[0] == character.clips()[0]);
  CHECK(reloaded(saved(character, Format::json, {.lossy = true})).clips()[1].samples == sampled.samples);

  Limits tight;
  tight.max_bone_samples = 10;
  CHECK(save(character, Format::v1, "arm", {.lossy = true, .limits = tight}).error().id ==
        DiagnosticId::too_large_for_format);
}

TEST_CASE("no format exceeds the output limit, all files together", "[save]") {
  const Character character = Character::build(test::two_bone_arm()).value();
  for (const Format format : {Format::v1, Format::json, Format::packed})
    check_limit(character, format, {.lossy = true});
  check_limit(character, Format::json, {.json_dialect = JsonDialect::pachario, .lossy = true});
  check_limit(character, Format::v1, {.raw_pixels = true, .lossy = true});
}

TEST_CASE("a small artwork with a large output is refused unless the limit allows it", "[save][px]") {
  // 6,000 frames of 1,000 images: 138 MB of samples.
  test::PxArtwork artwork{.width = 64, .height = 16};
  std::vector<test::PxPixels> images(1000, test::PxPixels(1024, {255, 0, 0, 255}));
  for (std::size_t i = 0; i < images.size(); ++i) images[i][i] = {};
  artwork.add_layer("layer", images);
  artwork.tags.assign(5, {"tag", 0, 999});
  const test::Bytes bytes = test::write_px(artwork);
  CHECK(bytes.size() < 200'000);
  const Character character = load_character(bytes).value();
  SaveOptions options;
  options.max_output_bytes = std::uint64_t{100} << 20;
  CHECK(code(save(character, Format::v1, "a", options).error().id) == "E314");
  options.max_output_bytes = kMaxOutputBytes;
  CHECK(save(character, Format::v1, "a", options));
  CHECK(code(save(character, Format::json, "a", options).error().id) == "E314");
}

TEST_CASE("glTF never exceeds the output limit", "[save][gltf]") {
  const Character character = load_character(test::bytes_of(test::small_psk())).value();
  const auto whole = save_gltf(character);
  REQUIRE(whole);
  CHECK(save_gltf(character, {}, whole->size()).value() == *whole);
  const auto refused = save_gltf(character, {}, whole->size() - 1);
  REQUIRE_FALSE(refused);
  CHECK(code(refused.error().id) == "E314");
}

TEST_CASE("a character without images is drawn with a placeholder that it does not own", "[no_images]") {
  const auto character = load_character(test::write_v1(bare_arm()));
  REQUIRE(character);
  CHECK(character->warnings().empty());
  CHECK(character->data().images.empty());
  REQUIRE(character->images().size() == 1);
  CHECK(character->images()[0].encoding == ImageEncoding::absent);
  const auto bitmaps = decode_images(*character);
  REQUIRE(bitmaps);
  REQUIRE(bitmaps->size() == 1);
  const auto& rgba = bitmaps->front().rgba;
  for (std::size_t i = 3; i < rgba.size(); i += 4) CHECK(rgba[i] == 255);
  CHECK(std::ranges::count(rgba, rgba[0]) < std::ranges::ssize(rgba) / 4 * 3);
}

TEST_CASE("a character without images and meshes has no placeholder", "[no_images]") {
  CharacterData data = bare_arm();
  data.meshes.clear();
  data.vertices.clear();
  data.indices.clear();
  const auto character = load_character(test::write_v1(data));
  REQUIRE(character);
  CHECK(character->images().empty());
}

TEST_CASE("without images, a mesh with an image other than 0 is an error", "[no_images]") {
  CharacterData data = bare_arm();
  data.meshes[1].image = ImageId{1};
  const auto loaded = load_character(test::write_v1(data));
  REQUIRE_FALSE(loaded);
  CHECK(loaded.error().id == DiagnosticId::image_out_of_range);
  CHECK(loaded.error().path == "meshes[1].image");
}

TEST_CASE("a character without images is saved without images, byte for byte in each format", "[no_images]") {
  const Character character = Character::build(bare_arm()).value();
  for (const JsonDialect dialect : {JsonDialect::v1, JsonDialect::pachario}) {
    for (const Format format : {Format::v1, Format::json, Format::packed}) {
      INFO("format " << static_cast<int>(format) << ", dialect " << static_cast<int>(dialect));
      SaveOptions options;
      options.json_dialect = dialect;
      const auto saved = save(character, format, "arm", options);
      REQUIRE(saved);
      CHECK(saved->images.empty());
      CHECK(saved->losses.empty());
      if (format != Format::v1) CHECK(text_of(saved->file.bytes).find("\"images\": []") != std::string_view::npos);
      const auto loaded = load_character(saved->file.bytes);
      REQUIRE(loaded);
      CHECK(loaded->data().images.empty());
      CHECK(loaded->warnings().empty());
      CHECK(save(*loaded, format, "arm", options).value().file.bytes == saved->file.bytes);
    }
  }
  CHECK(save(character, Format::v1, "arm").value().file.bytes == test::write_v1(bare_arm()));
}

}  // namespace save_test
