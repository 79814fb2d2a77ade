// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/png.hpp"

#include <pchr/bounds.hpp>
#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <string>

using namespace pchr;

namespace {

/// A character in the exporter's spelling. Its image is `atlas.png`, 2 x 2.
const std::string kExporter = R"({
  "version": 1, "fps": 24,
  "images": [{"name": "atlas", "path": "atlas.png", "width": 2, "height": 2}],
  "bones": [{"name": "root", "parentIdx": -1}, {"name": "tip", "parentIdx": 0}],
  "meshes": [{"name": "body", "imageIdx": 0, "vertices": [
      {"x": 0, "y": 1.5, "u": 0, "v": 1, "bones": [{"idx": 1, "weight": 0.25}, {"idx": 0, "weight": 0.75}]},
      {"x": 1e1, "y": -0, "u": 1, "v": 1, "bones": [{"idx": 0, "weight": 1}]},
      {"x": 10, "y": 10, "u": 1, "v": 0, "bones": []}],
    "triangles": [0, 1, 2]}],
  "animations": [{"name": "idle", "loop": true, "frames": [
      [{"x": 0, "y": 0, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true, "zOrder": -3},
       {"x": 0, "y": 8, "rotation": 45.5, "scaleX": 1, "scaleY": 2, "visible": false, "zOrder": 4}]]}]
})";

/// The same in the v1 spelling.
const std::string kV1Spelling = R"({
  "version": 1, "fps": 24, "flags": 0,
  "images": [{"name": "atlas", "path": "atlas.png", "width": 2, "height": 2, "format": "png"}],
  "bones": [{"name": "root", "parent": -1}, {"name": "tip", "parent": 0}],
  "meshes": [{"name": "body", "image": 0, "vertices": [
      {"x": 0, "y": 1.5, "u": 0, "v": 1, "boneIds": [1, 0, 0, 0], "boneWeights": [0.25, 0.75, 0, 0]},
      {"x": 10, "y": -0, "u": 1, "v": 1, "boneIds": [0, 0, 0, 0], "boneWeights": [1, 0, 0, 0]},
      {"x": 10, "y": 10, "u": 1, "v": 0, "boneIds": [0, 0, 0, 0], "boneWeights": [0, 0, 0, 0]}],
    "indices": [0, 1, 2]}],
  "animations": [{"name": "idle", "flags": 1, "frames": [
      [{"x": 0, "y": 0, "rotation": 0, "scaleX": 1, "scaleY": 1, "flags": 1, "zOrder": -3},
       {"x": 0, "y": 8, "rotation": 45.5, "scaleX": 1, "scaleY": 2, "flags": 0, "zOrder": 4}]]}]
})";

std::filesystem::path folder() {
  const std::vector<std::uint8_t> pixels(2 * 2 * 4, 200);
  test::write_file(test::output("json/atlas.png"), test::png_of(2, 2, pixels));
  return test::output("json/atlas.png").parent_path();
}

std::expected<Character, LoadError> load_text(const std::string& text) {
  LoadOptions options;
  options.image_folder = folder();
  return load(std::as_bytes(std::span(text)), options);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

struct Broken {
  FindingId id;
  std::string path;
  std::string from, to;
};

void check_broken(const std::string& text, const std::vector<Broken>& cases) {
  for (const Broken& broken : cases) {
    const auto result = load_text(replaced(text, broken.from, broken.to));
    INFO(broken.from << " -> " << broken.to);
    REQUIRE_FALSE(result);
    INFO(describe(result.error(), "file"));
    CHECK(code(result.error().id) == code(broken.id));
    CHECK(result.error().path == broken.path);
    CHECK(result.error().line > 0);
    CHECK(result.error().column > 0);
  }
}

}  // namespace

TEST_CASE("both spellings of the JSON are the same character", "[json]") {
  const auto exporter = load_text(kExporter);
  if (!exporter) FAIL(describe(exporter.error(), "exporter"));
  const auto v1 = load_text(kV1Spelling);
  if (!v1) FAIL(describe(v1.error(), "v1"));
  CHECK(exporter->data() == v1->data());
  CHECK(exporter->warnings().empty());

  const CharacterData& data = exporter->data();
  CHECK(data.frames_per_second == 24);
  CHECK(data.bones[1].parent == 0);
  CHECK(data.vertices[0].bones[0] == 1);
  CHECK(data.vertices[0].weights[1] == 0.75F);
  CHECK(data.vertices[1].x == 10);
  CHECK(std::signbit(data.vertices[1].y));
  CHECK(data.vertices[2].weights[0] == 0);
  CHECK(data.clips[0].looping);
  CHECK(data.clips[0].frames_per_second == 24);
  CHECK(data.clips[0].samples.rotation_degrees[1] == 45.5F);
  CHECK(data.clips[0].samples.visible == Array<std::uint8_t>{1, 0});
  CHECK(data.clips[0].samples.z_order == Array<std::int32_t>{-3, 4});
  CHECK(decode_images(*exporter)->front().rgba[3] == 200);
}

TEST_CASE("keys come in any order, unknown ones are ignored, and spellings may mix", "[json]") {
  const std::string reordered = replaced(replaced(kExporter, "\"version\": 1, \"fps\": 24,", ""), "]]}]\n}",
                                         "]]}],\n\"extra\": [1, {\"a\": null}, \"\\u0041\", -2.5e3, true],\n"
                                         "\"fps\": 24.0, \"version\": 1}");
  const auto result = load_text(replaced(reordered, "\"imageIdx\"", "\"image\""));
  if (!result) FAIL(describe(result.error(), "file"));
  CHECK(result->data() == load_text(kExporter)->data());
}

TEST_CASE("the same thing given twice alike loads, and differently is an error", "[json]") {
  CHECK(load_text(replaced(kExporter, "\"fps\": 24", "\"fps\": 24, \"fps\": 24")));
  CHECK(load_text(replaced(kExporter, "\"parentIdx\": 0", "\"parentIdx\": 0, \"parent\": 0")));
  CHECK(load_text(replaced(kExporter, "\"triangles\": [0, 1, 2]", "\"triangles\": [0, 1, 2], \"indices\": [0, 1, 2]")));
  CHECK(load_text(replaced(kExporter, "{\"idx\": 0, \"weight\": 1}]",
                           "{\"idx\": 0, \"weight\": 1}], \"boneIds\": [0], \"boneWeights\": [1]")));
  CHECK(load_text(replaced(kV1Spelling, "\"flags\": 1, \"frames\"", "\"flags\": 1, \"loop\": true, \"frames\"")));
  check_broken(
      kExporter,
      {
          {FindingId::contradiction, "fps", "\"fps\": 24", "\"fps\": 24, \"fps\": 30"},
          {FindingId::contradiction, "bones[1].parent", "\"parentIdx\": 0", "\"parentIdx\": 0, \"parent\": -1"},
          {FindingId::contradiction, "meshes[0].indices", "[0, 1, 2]", "[0, 1, 2], \"indices\": [0, 2, 1]"},
          {FindingId::contradiction, "meshes[0].vertices[1]", "{\"idx\": 0, \"weight\": 1}]",
           "{\"idx\": 0, \"weight\": 1}], \"boneIds\": [1], \"boneWeights\": [1]"},
          {FindingId::contradiction, "animations[0].flags", "\"loop\": true", "\"loop\": true, \"flags\": 0"},
          {FindingId::contradiction, "animations[0].frames[0][1].visible", "\"visible\": false",
           "\"visible\": false, \"flags\": 1"},
      });
}

TEST_CASE("every missing, mistyped and impossible value is named with its line, column and path", "[json]") {
  check_broken(
      kExporter,
      {
          {FindingId::missing_value, "version", "\"version\": 1,", ""},
          {FindingId::missing_value, "bones[1].parentIdx", ", \"parentIdx\": 0", ""},
          {FindingId::missing_value, "meshes[0].imageIdx", "\"imageIdx\": 0, ", ""},
          {FindingId::missing_value, "meshes[0].vertices[0].bones[0].weight", ", \"weight\": 0.25", ""},
          {FindingId::missing_value, "animations[0].frames[0][1].zOrder", ", \"zOrder\": 4", ""},
          {FindingId::missing_value, "images[0].path", "\"path\": \"atlas.png\", ", ""},
          {FindingId::unsupported_version, "version", "\"version\": 1", "\"version\": 2"},
          {FindingId::wrong_type, "version", "\"version\": 1", "\"version\": \"1\""},
          {FindingId::wrong_type, "bones", "[{\"name\": \"root\"", "7, \"rest\": [{\"name\": \"root\""},
          {FindingId::wrong_type, "bones[0]", "{\"name\": \"root\", \"parentIdx\": -1}", "null"},
          {FindingId::wrong_type, "bones[1].parentIdx", "\"parentIdx\": 0", "\"parentIdx\": 0.5"},
          {FindingId::wrong_type, "meshes[0].vertices[0].y", "\"y\": 1.5", "\"y\": \"1.5\""},
          {FindingId::wrong_type, "animations[0].frames[0][0].visible", "\"visible\": true", "\"visible\": 1"},
          {FindingId::value_out_of_range, "fps", "\"fps\": 24", "\"fps\": -24"},
          {FindingId::value_out_of_range, "fps", "\"fps\": 24", "\"fps\": 99999999999999999999"},
          {FindingId::value_out_of_range, "images[0].width", "\"width\": 2", "\"width\": 1000000000"},
          {FindingId::invalid_parent, "bones[1].parentIdx", "\"parentIdx\": 0", "\"parentIdx\": 1"},
          {FindingId::image_out_of_range, "meshes[0].imageIdx", "\"imageIdx\": 0", "\"imageIdx\": 1"},
          {FindingId::bone_out_of_range, "meshes[0].vertices[0].bones[1].idx", "{\"idx\": 0, \"weight\": 0.75}",
           "{\"idx\": 2, \"weight\": 0.75}"},
          {FindingId::bone_out_of_range, "meshes[0].vertices[0].bones[1].idx", "{\"idx\": 0, \"weight\": 0.75}",
           "{\"idx\": -1, \"weight\": 0.75}"},
          {FindingId::vertex_out_of_range, "meshes[0].triangles[2]", "[0, 1, 2]", "[0, 1, 3]"},
          {FindingId::vertex_out_of_range, "meshes[0].triangles[1]", "[0, 1, 2]", "[0, -1, 2]"},
          {FindingId::incomplete_triangle, "meshes[0].triangles", "[0, 1, 2]", "[0, 1]"},
          {FindingId::not_finite, "animations[0].frames[0][1].rotation", "45.5", "1e39"},
          {FindingId::not_finite, "animations[0].frames[0][1].rotation", "45.5", "1e400"},
          {FindingId::frame_size, "animations[0].frames[0]", "\"zOrder\": 4}]",
           "\"zOrder\": 4}, {\"x\": 0, \"y\": 0, "
           "\"rotation\": 0, \"scaleX\": 1, \"scaleY\": 1, \"visible\": true, \"zOrder\": 0}]"},
          {FindingId::unknown_image_format, "images[0].format", "\"height\": 2", "\"height\": 2, \"format\": \"gif\""},
          {FindingId::png_size_mismatch, "images[0].path", "\"width\": 2", "\"width\": 3"},
          {FindingId::image_unreadable, "images[0].path", "\"atlas.png\"", "\"no such.png\""},
      });
  check_broken(kV1Spelling,
               {
                   {FindingId::bone_out_of_range, "meshes[0].vertices[0].boneIds[0]", "[1, 0, 0, 0]", "[2, 0, 0, 0]"},
                   {FindingId::invalid_structure, "meshes[0].vertices[0]", "[1, 0, 0, 0]", "[1, 0, 0]"},
                   {FindingId::invalid_parent, "bones[1].parent", "\"parent\": 0", "\"parent\": 5"},
               });
}

TEST_CASE("text that is not JSON is an error at its place", "[json]") {
  const std::pair<std::string, std::string> cases[] = {{"[0, 1, 2]", "[0, 1, 2,]"},
                                                       {"[0, 1, 2]", "[0, 1 2]"},
                                                       {"\"fps\": 24", "\"fps\": NaN"},
                                                       {"\"fps\": 24", "\"fps\": 024"},
                                                       {"\"fps\": 24", "\"fps\" 24"},
                                                       {"\"tip\"", "\"t\nip\""},
                                                       {"]]}]\n}", "]]}]\n} x"},
                                                       {"]]}]\n}", "]]}]\n"},
                                                       {"\"fps\": 24", "\"fps\": 24, \"a\": [1 2]"},
                                                       {"\"fps\": 24", "\"fps\": 24, \"a\": tru"},
                                                       {"\"fps\": 24", "/* */ \"fps\": 24"},
                                                       {"\"tip\"", "\"\xFF\""}};
  for (const auto& [from, to] : cases) {
    const auto result = load_text(replaced(kExporter, from, to));
    INFO(to);
    REQUIRE_FALSE(result);
    CHECK(code(result.error().id) == code(FindingId::invalid_json));
    CHECK(result.error().line > 0);
  }
  const auto lone = load_text(replaced(kExporter, "\"tip\"", "\"\\ud800\""));
  REQUIRE_FALSE(lone);
  CHECK(code(lone.error().id) == code(FindingId::invalid_utf8));
}

TEST_CASE("no prefix of a JSON character loads, and none crashes", "[json][malformed]") {
  for (std::size_t size = 0; size < kExporter.size(); ++size) {
    const test::Bytes prefix(reinterpret_cast<const std::byte*>(kExporter.data()),
                             reinterpret_cast<const std::byte*>(kExporter.data()) + size);
    const auto result = load(prefix);
    INFO("prefix of " << size);
    REQUIRE_FALSE(result);
    CHECK(result.error().byte_offset.value_or(0) <= size);
  }
}

TEST_CASE("line and column point at the value", "[json]") {
  const auto result = load_text(replaced(kExporter, "\"parentIdx\": 0", "\"parentIdx\": 7"));
  REQUIRE_FALSE(result);
  CHECK(result.error().line == 4);
  CHECK(result.error().column == 77);
  CHECK(describe(result.error(), "hero.json").find("at line 4, column 77, bones[1] \"tip\", parentIdx") !=
        std::string::npos);
}

TEST_CASE("of thousands of like remarks sixteen are kept, and the last says how many there are", "[json]") {
  const std::size_t start = kExporter.find("{\"name\": \"body\"");
  const std::size_t end = kExporter.find("}],\n  \"animations\"") + 1;
  const std::string mesh = replaced(kExporter.substr(start, end - start), R"([{"idx": 0, "weight": 1}])",
                                    R"([{"idx": 0, "weight": 1}, {"idx": 0, "weight": 1}, {"idx": 0, "weight": 1},
                                        {"idx": 0, "weight": 1}, {"idx": 0, "weight": 1}])");
  std::string meshes = mesh;
  for (int i = 0; i < 999; ++i) meshes += ',' + mesh;
  const auto result = load_text(kExporter.substr(0, start) + meshes + kExporter.substr(end));
  if (!result) FAIL(describe(result.error(), "file"));
  REQUIRE(result->warnings().size() == 16);
  CHECK(result->warnings().front().line > 0);
  CHECK(result->warnings().back().path == "meshes[15].vertices[1]");
  CHECK_THAT(result->warnings().back().detail, test::contains("(984 more likewise)"));
}

TEST_CASE("a text that breaks behind the first error is not searched past the break", "[json]") {
  CHECK_FALSE(load_text(replaced(replaced(kExporter, "[0, 1, 2]", "[0.5, 1, 2]"), "\"triangles\"", "triangles\"")));
  CHECK_FALSE(load_text(replaced(kExporter, "\"imageIdx\": 0, \"vertices\": [", "\"imageIdx\": {, \"vertices\": [")));
  for (std::size_t i = 0; i < kExporter.size(); ++i) {
    std::string broken = kExporter;
    for (const char letter : {'{', '"', ',', '7', ' '}) {
      broken[i] = letter;
      (void)load_text(broken);
    }
  }
}

TEST_CASE("of more than four influences the four largest are kept as authored", "[json]") {
  const auto result = load_text(replaced(
      kExporter, R"([{"idx": 0, "weight": 1}])",
      R"([{"idx": 0, "weight": 0.1}, {"idx": 1, "weight": 0.4}, {"idx": 0, "weight": 0.05}, {"idx": 1, "weight": 0.3},
          {"idx": 0, "weight": 0.1}, {"idx": 1, "weight": 0.05}])"));
  if (!result) FAIL(describe(result.error(), "file"));
  const float weights[] = {0.1F, 0.4F, 0.3F, 0.1F};
  const std::uint16_t bones[] = {0, 1, 1, 0};
  CHECK(std::equal(std::begin(weights), std::end(weights), result->vertices()[1].weights));
  CHECK(std::equal(std::begin(bones), std::end(bones), result->vertices()[1].bones));
  REQUIRE(result->warnings().size() == 1);
  CHECK(result->warnings()[0].id == FindingId::influences_dropped);
  CHECK(result->warnings()[0].path == "meshes[0].vertices[1]");
  CHECK(result->warnings()[0].detail.find("2 smaller ones") != std::string::npos);
}

TEST_CASE("an unused slot may name any bone", "[json]") {
  const auto result = load_text(replaced(kExporter, R"([{"idx": 0, "weight": 1}])",
                                         R"([{"idx": 99, "weight": 0}, {"idx": -5, "weight": -0.0}])"));
  REQUIRE(result);
  CHECK(result->vertices()[1].bones[0] == 99);
  CHECK(result->vertices()[1].bones[1] == 0);
}

TEST_CASE("image paths stay in the character's folder unless the caller allows more", "[json]") {
  for (const std::string path :
       {"../json/atlas.png", "a/../../json/atlas.png", "/etc/hostname", "", ".", "a/..", "..\\\\json\\\\atlas.png",
        "C:\\\\atlas.png", "\\\\\\\\host\\\\atlas.png", "atlas.png\\u0000"}) {
    const auto result = load_text(replaced(kExporter, "\"atlas.png\"", '"' + path + '"'));
    INFO(path);
    REQUIRE_FALSE(result);
    CHECK(code(result.error().id) == code(FindingId::image_path_refused));
  }
  CHECK(load_text(replaced(kExporter, "\"atlas.png\"", "\"./atlas.png\"")));
  CHECK(load_text(replaced(kExporter, "\"atlas.png\"", "\"x/../atlas.png\"")).error().id ==
        FindingId::image_unreadable);

  LoadOptions options;
  options.image_folder = folder();
  options.allow_images_outside = true;
  const std::string outside = replaced(kExporter, "\"atlas.png\"", "\"../json/atlas.png\"");
  CHECK(load(std::as_bytes(std::span(outside)), options));
}

TEST_CASE("JSON in memory has no folder for its images", "[json]") {
  const auto result = load(std::as_bytes(std::span(kExporter)));
  REQUIRE_FALSE(result);
  CHECK(result.error().id == FindingId::image_unreadable);
}

TEST_CASE("an image of the format rgba8888 is a PNG that is decoded, or raw pixels", "[json]") {
  const std::string text = replaced(kExporter, "\"height\": 2", "\"height\": 2, \"format\": \"rgba8888\"");
  const auto from_png = load_text(text);
  REQUIRE(from_png);
  CHECK(from_png->images()[0].encoding == ImageEncoding::rgba8888);
  CHECK(from_png->images()[0].bytes == test::Bytes(16, std::byte{200}));
  (void)folder();
  test::write_file(test::output("json/raw.rgba"), test::Bytes(16, std::byte{200}));
  const auto from_raw = load_text(replaced(text, "atlas.png", "raw.rgba"));
  REQUIRE(from_raw);
  CHECK(from_raw->images()[0].bytes == from_png->images()[0].bytes);
}

TEST_CASE("a byte order mark and large draw orders load with a warning", "[json]") {
  const auto mark = load_text("\xEF\xBB\xBF" + kExporter);
  REQUIRE(mark);
  CHECK(mark->warnings()[0].id == FindingId::byte_order_mark);
  const auto large = load_text(replaced(kExporter, "\"zOrder\": 4", "\"zOrder\": 40000"));
  REQUIRE(large);
  CHECK(large->warnings()[0].id == FindingId::large_z_order);
  CHECK(large->clips()[0].samples.z_order[1] == 40000);
}

TEST_CASE("limits bound the transforms and pixels of a JSON character", "[json]") {
  LoadOptions options;
  options.image_folder = folder();
  options.limits.max_bone_samples = 1;
  CHECK(load(std::as_bytes(std::span(kExporter)), options).error().id == FindingId::limit_exceeded);
  options.limits.max_bone_samples = 2;
  options.limits.max_image_pixels = 3;
  CHECK(load(std::as_bytes(std::span(kExporter)), options).error().id == FindingId::limit_exceeded);
}

TEST_CASE("the older packed form loads, with or without its image", "[packed]") {
  const std::vector<std::uint8_t> pixels(2 * 2 * 4, 200);
  const auto packed = [](const std::string& json, const test::Bytes& png) {
    test::Bytes bytes;
    const auto append = [&](const void* data, std::size_t size) {
      const auto* first = static_cast<const std::byte*>(data);
      bytes.insert(bytes.end(), first, first + size);
    };
    const std::uint32_t header[] = {1, static_cast<std::uint32_t>(json.size()), static_cast<std::uint32_t>(png.size())};
    append("PCHR", 4);
    append(header, sizeof(header));
    append(json.data(), json.size());
    append(png.data(), png.size());
    return bytes;
  };
  // The path is a name: nothing is opened, wherever it points.
  const std::string json = replaced(kExporter, "\"atlas.png\"", "\"../../etc/passwd\"");
  const auto whole = load(packed(json, test::png_of(2, 2, pixels)));
  if (!whole) FAIL(describe(whole.error(), "packed"));
  CHECK(whole->data().vertices == load_text(kExporter)->data().vertices);
  CHECK(decode_images(*whole)->front().rgba[3] == 200);

  const auto bare = load(packed(json, {}));
  REQUIRE(bare);
  REQUIRE(bare->warnings().size() == 1);
  CHECK(bare->warnings()[0].id == FindingId::image_absent);
  CHECK(bare->images()[0].encoding == ImageEncoding::absent);
  const auto checker = decode_images(*bare);
  REQUIRE(checker);
  CHECK(checker->front().rgba[3] == 255);

  const test::Bytes bytes = packed(json, test::png_of(2, 2, pixels));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    INFO("prefix of " << size);
    CHECK_FALSE(load(test::Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))));
  }
}

TEST_CASE("the forms of a conformance character are one character", "[json][packed][conformance]") {
  for (const auto& binary : test::conformance_characters()) {
    const auto stem = binary.parent_path() / binary.stem();
    const auto json = load(stem.string() + ".json");
    const auto packed = load(stem.string() + ".packed.pchr");
    const auto v1 = load(binary);
    REQUIRE(v1);
    for (const auto& other : {json, packed}) {
      if (!other && other.error().id == FindingId::unreadable_file) continue;
      INFO(stem);
      if (!other) FAIL(describe(other.error(), stem.string()));
      CHECK(other->data().bones == v1->data().bones);
      CHECK(other->data().clips == v1->data().clips);
      CHECK(other->data().indices == v1->data().indices);
      REQUIRE(other->vertices().size() == v1->vertices().size());
      PosedCharacter a, b;
      for (std::uint32_t clip = 0; clip < v1->clips().size(); ++clip) {
        pose_clip(*v1, clip, {}, a);
        pose_clip(*other, clip, {}, b);
        CHECK(bounds(*v1, a).min == bounds(*other, b).min);
        CHECK(bounds(*v1, a).max == bounds(*other, b).max);
      }
      CHECK(decode_images(*other)->front().rgba == decode_images(*v1)->front().rgba);
    }
  }
}
