// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/png.hpp"
#include "support/scenes.hpp"

#include "platform/file_path.hpp"
#include <pchr/queries.hpp>
#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

namespace pachario_json_test {
using namespace pchr;

namespace {

/// A character in the exporter's dialect. Its image is `atlas.png`, 2 x 2.
const std::string kExporter = R"({
  "version": 1, "fps": 24,
  "images": [{"name": "atlas", "path": "atlas.png", "width": 2, "height": 2}],
  "bones": [{"name": "root", "parentIdx": -1}, {"name": "tip", "parentIdx": 0}],
  "meshes": [{"name": "body", "imageIdx": 0, "vertices": [
      {"x": 0, "y": 1.5, "u": 0, "v": 1, "bones": [{"idx": 1, "weight": 0.25}, {"idx": 0, "weight": 0.75}]},
      {"x": 1e1, "y": -0, "u": 1, "v": 1, "bones": [{"idx": 0, "weight": 1}]},
      {"x": 10, "y": 10, "u": 1, "v": 0, "bones": []}],
    "triangles": [0, 1, 2]}],
  "animations": [{"name": "rest", "loop": true, "frames": [
      [{"x": 0, "y": 0, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true, "zOrder": -3},
       {"x": 0, "y": 8, "rotation": 45.5, "scaleX": 1, "scaleY": 2, "visible": false, "zOrder": 4}]]}]
})";

/// The same in the v1 dialect.
const std::string kV1Dialect = R"({
  "version": 1, "fps": 24, "flags": 0,
  "images": [{"name": "atlas", "path": "atlas.png", "width": 2, "height": 2, "format": "png"}],
  "bones": [{"name": "root", "parent": -1}, {"name": "tip", "parent": 0}],
  "meshes": [{"name": "body", "image": 0, "vertices": [
      {"x": 0, "y": 1.5, "u": 0, "v": 1, "boneIds": [1, 0, 0, 0], "boneWeights": [0.25, 0.75, 0, 0]},
      {"x": 10, "y": -0, "u": 1, "v": 1, "boneIds": [0, 0, 0, 0], "boneWeights": [1, 0, 0, 0]},
      {"x": 10, "y": 10, "u": 1, "v": 0, "boneIds": [0, 0, 0, 0], "boneWeights": [0, 0, 0, 0]}],
    "indices": [0, 1, 2]}],
  "animations": [{"name": "rest", "flags": 1, "frames": [
      [{"x": 0, "y": 0, "rotation": 0, "scaleX": 1, "scaleY": 1, "flags": 1, "zOrder": -3},
       {"x": 0, "y": 8, "rotation": 45.5, "scaleX": 1, "scaleY": 2, "flags": 0, "zOrder": 4}]]}]
})";

std::string folder() {
  const std::vector<std::uint8_t> pixels(2 * 2 * 4, 200);
  test::write_file(test::output("json/atlas.png"), test::png_of(2, 2, pixels));
  return test::utf8_of(test::output("json/atlas.png").parent_path());
}

Expected<Character, LoadError> load_text(const std::string& text) {
  ImportOptions options;
  options.image_folder = folder();
  return load_character(std::as_bytes(std::span(text)), options);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

struct Broken {
  DiagnosticId id;
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

TEST_CASE("both dialects of the JSON give the same character", "[json]") {
  const auto exporter = load_text(kExporter);
  if (!exporter) FAIL(describe(exporter.error(), "exporter"));
  const auto v1 = load_text(kV1Dialect);
  if (!v1) FAIL(describe(v1.error(), "v1"));
  CHECK(exporter->data() == v1->data());
  CHECK(exporter->warnings().empty());

  const CharacterData& data = exporter->data();
  CHECK(data.frames_per_second == 24);
  CHECK(data.bones[1].parent == BoneId{0});
  CHECK(data.vertices[0].bones[0] == 1);
  CHECK(data.vertices[0].weights[1] == 0.75F);
  CHECK(data.vertices[1].x == 10);
  CHECK(std::signbit(data.vertices[1].y));
  CHECK(data.vertices[2].weights[0] == 0);
  CHECK(data.clips[0].looping);
  CHECK(data.clips[0].frames_per_second == 24);
  CHECK(data.clips[0].samples.rotation_degrees[1] == 45.5F);
  CHECK(data.clips[0].samples.visible == SampleArray<std::uint8_t>{1, 0});
  CHECK(data.clips[0].samples.z_order == SampleArray<std::int32_t>{-3, 4});
  CHECK(decode_images(*exporter)->front().rgba[3] == 200);
}

TEST_CASE("keys can be in any order, unknown ones are ignored, and dialects can be mixed", "[json]") {
  const std::string reordered = replaced(replaced(kExporter, "\"version\": 1, \"fps\": 24,", ""), "]]}]\n}",
                                         "]]}],\n\"extra\": [1, {\"a\": null}, \"\\u0041\", -2.5e3, true],\n"
                                         "\"fps\": 24.0, \"version\": 1}");
  const auto result = load_text(replaced(reordered, "\"imageIdx\"", "\"image\""));
  if (!result) FAIL(describe(result.error(), "file"));
  CHECK(result->data() == load_text(kExporter)->data());
}

TEST_CASE("a transform has the same values however it is written", "[json]") {
  const std::string plain =
      R"({"x": 0, "y": 8, "rotation": 45.5, "scaleX": 1, "scaleY": 2, "visible": false, "zOrder": 4})";
  const Character expected = load_text(kExporter).value();
  for (
      const std::string same : {
          R"({"x":0,"y":8,"rotation":45.5,"scaleX":1,"scaleY":2,"visible":false,"zOrder":4})",
          "{\n\t\"x\" : 0 ,\r\n \"y\": 8, \"rotation\"\t:45.5, \"scaleX\": 1, \"scaleY\": 2, \"visible\": false, "
          "\"zOrder\": 4 }",
          R"({"zOrder": 4, "visible": false, "scaleY": 2, "scaleX": 1, "rotation": 45.5, "y": 8, "x": 0})",
          R"({"x": 0.0, "y": 8.000, "rotation": 45.50, "scaleX": 1.0, "scaleY": 2.0, "visible": false, "zOrder": 4.0})",
          R"({"x": 0e5, "y": 0.8E+1, "rotation": 4550e-2, "scaleX": 1, "scaleY": 2, "visible": false, "zOrder": 4e0})",
          R"({"x": 0, "y": 8, "rotation": 45.5, "scaleX": 1, "scaleY": 2, "flags": 0, "zOrder": 4})",
          R"({"x": 0, "y": 8, "rotation": 45.5, "scaleX": 1, "scaleY": 2, "flags": 0, "visible": false, "zOrder": 4})",
          R"({"x": 0, "y": 8, "y": 8, "rotation": 45.5, "scaleX": 1, "scaleY": 2, "visible": false, "zOrder": 4})",
          R"({"\u0078": 0, "y": 8, "rotation": 45.5, "scaleX": 1, "scaleY": 2, "visible": false, "zOrder": 4})",
          R"({"x": 0, "y": 8, "note": [1, {}], "rotation": 45.5, "scaleX": 1, "scaleY": 2, "visible": false, "zOrder": 4})",
      }) {
    INFO(same);
    const auto result = load_text(replaced(kExporter, plain, same));
    if (!result) FAIL(describe(result.error(), "file"));
    CHECK(result->data() == expected.data());
  }
  for (const std::string broken : {"08", "8.", ".8", "-", "- 8", "8.5.1", "8 8", "+8", "8x", "8,", "true8"}) {
    INFO(broken);
    const auto result = load_text(replaced(kExporter, "\"y\": 8", "\"y\": " + broken));
    REQUIRE_FALSE(result);
    CHECK(result.error().line == 12);
  }
}

TEST_CASE("numbers of any length are rounded correctly", "[json]") {
  const std::pair<std::string, float> numbers[] = {
      {"-0", -0.0F},
      {"0.1", 0.1F},
      {"-224.25395", -224.25395F},
      {"12.345678329467773", 12.345678F},
      {"0.30000000000000004", 0.3F},
      {"123456789012345", 123456789012345.0F},
      {"9007199254740993", 9007199254740992.0F},
      {"16777217.0", 16777216.0F},
      {"16777216.999999999", 16777216.0F},
      {"0.99999999999999999999", 1.0F},
      {"0.000099999999999999999999", 0.0001F},
      {"-9.9999999999999999999999e-1", -1.0F},
      {"123456789012345678901234567890", 123456789012345678901234567890.0F},
      {"0.00000000000000000000000000000000000000000000140129846432481707", 1.40129846e-45F},
      {"340282346638528859811704183484516925440", std::numeric_limits<float>::max()},
  };
  for (const auto& [text, number] : numbers) {
    INFO(text);
    const auto result =
        load_text(replaced(replaced(kExporter, "\"y\": 8", "\"y\": " + text), "\"y\": 1.5", "\"y\": " + text));
    if (!result) FAIL(describe(result.error(), "file"));
    for (const float read : {result->data().clips[0].samples.y[1], result->data().vertices[0].y}) {
      CHECK(read == number);
      CHECK(std::signbit(read) == std::signbit(number));
    }
  }
}

TEST_CASE("equal duplicates load, and different ones are an error", "[json]") {
  CHECK(load_text(replaced(kExporter, "\"fps\": 24", "\"fps\": 24, \"fps\": 24")));
  CHECK(load_text(replaced(kExporter, "\"parentIdx\": 0", "\"parentIdx\": 0, \"parent\": 0")));
  CHECK(load_text(replaced(kExporter, "\"triangles\": [0, 1, 2]", "\"triangles\": [0, 1, 2], \"indices\": [0, 1, 2]")));
  CHECK(load_text(replaced(kExporter, "{\"idx\": 0, \"weight\": 1}]",
                           "{\"idx\": 0, \"weight\": 1}], \"boneIds\": [0], \"boneWeights\": [1]")));
  CHECK(load_text(replaced(kV1Dialect, "\"flags\": 1, \"frames\"", "\"flags\": 1, \"loop\": true, \"frames\"")));
  check_broken(
      kExporter,
      {
          {DiagnosticId::contradiction, "fps", "\"fps\": 24", "\"fps\": 24, \"fps\": 30"},
          {DiagnosticId::contradiction, "bones[1].parent", "\"parentIdx\": 0", "\"parentIdx\": 0, \"parent\": -1"},
          {DiagnosticId::contradiction, "meshes[0].indices", "[0, 1, 2]", "[0, 1, 2], \"indices\": [0, 2, 1]"},
          {DiagnosticId::contradiction, "meshes[0].vertices[1]", "{\"idx\": 0, \"weight\": 1}]",
           "{\"idx\": 0, \"weight\": 1}], \"boneIds\": [1], \"boneWeights\": [1]"},
          {DiagnosticId::contradiction, "animations[0].flags", "\"loop\": true", "\"loop\": true, \"flags\": 0"},
          {DiagnosticId::contradiction, "animations[0].frames[0][1].visible", "\"visible\": false",
           "\"visible\": false, \"flags\": 1"},
      });
}

namespace {

struct GivenAgain {
  std::string path;
  std::string given;  ///< As in the text, with its key.
  std::string other;
};

void check_given_again(const std::string& text, const std::vector<GivenAgain>& cases) {
  for (const GivenAgain& key : cases) {
    INFO(key.given);
    const auto twice = load_text(replaced(text, key.given, key.given + ", " + key.given));
    if (!twice) FAIL(describe(twice.error(), "twice"));
    CHECK(twice->data() == load_text(text)->data());
    CHECK(twice->warnings().empty());
    for (const std::string& both : {key.given + ", " + key.other, key.other + ", " + key.given}) {
      INFO(both);
      const auto result = load_text(replaced(text, key.given, both));
      REQUIRE_FALSE(result);
      CHECK(code(result.error().id) == code(DiagnosticId::contradiction));
      CHECK(result.error().path == key.path);
      CHECK(result.error().line > 0);
    }
  }
}

}  // namespace

TEST_CASE("every duplicate key with a different value is an error, in both orders", "[json]") {
  const std::size_t bones = kExporter.find("\"bones\": [{\"name\"");
  const auto section = [&](const std::string& key, const std::string& end) {
    const std::size_t at = key == "bones" ? bones : kExporter.find('"' + key + "\": [");
    return kExporter.substr(at, kExporter.find(end, at) + end.size() - at);
  };
  const std::string frames = section("frames", "}]]");
  const std::vector<GivenAgain> keys = {
      {"version", "\"version\": 1", "\"version\": 2"},
      {"fps", "\"fps\": 24", "\"fps\": 25"},
      {"images", section("images", "}]"), "\"images\": []"},
      {"bones", section("bones", "}]"), "\"bones\": []"},
      {"meshes", section("meshes", "[0, 1, 2]}]"), "\"meshes\": []"},
      {"animations", section("animations", "}]]}]"), "\"animations\": []"},
      {"animations", section("animations", "}]]}]"), R"("animations": [{"name": "rest", "loop": true, "frames": []}])"},
      {"images[0].name", "\"name\": \"atlas\"", "\"name\": \"\""},
      {"images[0].path", "\"path\": \"atlas.png\"", "\"path\": \"other.png\""},
      {"images[0].width", "\"width\": 2", "\"width\": 3"},
      {"images[0].height", "\"height\": 2", "\"height\": 0"},
      {"bones[1].name", "\"name\": \"tip\"", "\"name\": \"top\""},
      {"bones[1].parentIdx", "\"parentIdx\": 0", "\"parentIdx\": -1"},
      {"meshes[0].name", "\"name\": \"body\"", "\"name\": \"bodies\""},
      {"meshes[0].imageIdx", "\"imageIdx\": 0", "\"imageIdx\": 1"},
      {"meshes[0].vertices", section("vertices", "\"bones\": []}]"), "\"vertices\": []"},
      {"meshes[0].triangles", "\"triangles\": [0, 1, 2]", "\"triangles\": []"},
      {"meshes[0].vertices[0].x", "\"x\": 0", "\"x\": 1"},
      {"meshes[0].vertices[0].y", "\"y\": 1.5", "\"y\": 0"},
      {"meshes[0].vertices[0].u", "\"u\": 0", "\"u\": 1"},
      {"meshes[0].vertices[0].v", "\"v\": 1", "\"v\": 0"},
      {"meshes[0].vertices[1].bones", R"("bones": [{"idx": 0, "weight": 1}])", "\"bones\": []"},
      {"meshes[0].vertices[0].bones[0].idx", "\"idx\": 1", "\"idx\": 0"},
      {"meshes[0].vertices[0].bones[0].weight", "\"weight\": 0.25", "\"weight\": 0"},
      {"animations[0].name", "\"name\": \"rest\"", "\"name\": \"restr\""},
      {"animations[0].loop", "\"loop\": true", "\"loop\": false"},
      {"animations[0].frames", frames, "\"frames\": []"},
      {"animations[0].frames[0][1].rotation", "\"rotation\": 45.5", "\"rotation\": 0"},
      {"animations[0].frames[0][1].scaleY", "\"scaleY\": 2", "\"scaleY\": 1"},
      {"animations[0].frames[0][1].visible", "\"visible\": false", "\"visible\": true"},
      {"animations[0].frames[0][1].zOrder", "\"zOrder\": 4", "\"zOrder\": 0"},
  };
  check_given_again(kExporter, keys);
  check_given_again(kV1Dialect, {{"flags", "\"flags\": 0", "\"flags\": 4"},
                                 {"images[0].format", "\"format\": \"png\"", "\"format\": \"rgba8888\""},
                                 {"bones[1].parent", "\"parent\": 0", "\"parent\": -1"},
                                 {"meshes[0].image", "\"image\": 0", "\"image\": 1"},
                                 {"meshes[0].vertices[0].boneIds", "\"boneIds\": [1, 0, 0, 0]", "\"boneIds\": []"},
                                 {"meshes[0].vertices[0].boneWeights", "\"boneWeights\": [0.25, 0.75, 0, 0]",
                                  "\"boneWeights\": [0.25, 0.5, 0.25, 0]"},
                                 {"meshes[0].indices", "\"indices\": [0, 1, 2]", "\"indices\": [0, 1]"},
                                 {"animations[0].flags", "\"flags\": 1", "\"flags\": 0"},
                                 {"animations[0].frames[0][1].zOrder", "\"zOrder\": 4", "\"zOrder\": 5"}});
}

TEST_CASE("frames without transforms count in a duplicate", "[json]") {
  const std::string text = R"({"version": 1, "fps": 24, "images": [], "bones": [], "meshes": [], "animations": [)"
                           R"({"name": "empty", "loop": true, "frames": [[], []], "frames": [[], []]}]})";
  CHECK(load_text(text));
  CHECK(load_text(replaced(text, "\"frames\": [[], []],", "\"frames\": [],")).error().id ==
        DiagnosticId::contradiction);
  CHECK(load_text(replaced(text, "\"frames\": [[], []]}", "\"frames\": []}")).error().id ==
        DiagnosticId::contradiction);
}

TEST_CASE("influences beyond the fourth count in a duplicate", "[json]") {
  const auto influences = [](const char* fifth) {
    return fmt::format(R"("bones": [{{"idx": 0, "weight": 1}}, {{"idx": 0, "weight": 1}}, {{"idx": 0, "weight": 1}},
                                    {{"idx": 0, "weight": 1}}, {{"idx": {}, "weight": 0.5}}])",
                       fifth);
  };
  const std::string one = R"("bones": [{"idx": 0, "weight": 1}])";
  const std::string text = replaced(kExporter, one, influences("0"));
  const std::size_t begin = text.find("\"meshes\""), end = text.find("\"animations\"");
  const std::string meshes = text.substr(begin, end - begin);
  const std::size_t vertices_begin = text.find("\"vertices\""), vertices_end = text.find("\"triangles\"");
  const std::string vertices = text.substr(vertices_begin, vertices_end - vertices_begin);
  for (const auto& [part, comma] : {std::pair(meshes, ""), {vertices, ""}, {influences("0"), ", "}}) {
    const auto twice = load_text(replaced(text, part, part + comma + part));
    if (!twice) FAIL(describe(twice.error(), "twice"));
    CHECK(twice->data() == load_text(text)->data());
    const std::string other = replaced(part, "\"idx\": 0, \"weight\": 0.5", "\"idx\": 1, \"weight\": 0.5");
    const auto result = load_text(replaced(text, part, part + comma + other));
    REQUIRE_FALSE(result);
    CHECK(result.error().id == DiagnosticId::contradiction);
  }
}

TEST_CASE("both forms of influences agree regardless of unused slots", "[json]") {
  const std::string one = R"("bones": [{"idx": 0, "weight": 1}])";
  const auto both =
      load_text(replaced(kExporter, one, one + R"(, "boneIds": [0, 1, 9, 0], "boneWeights": [1, 0, 0, 0])"));
  if (!both) FAIL(describe(both.error(), "both"));
  CHECK(both->data() == load_text(kExporter)->data());
}

TEST_CASE("every missing, mistyped and invalid value is reported with its line, column and path", "[json]") {
  check_broken(
      kExporter,
      {
          {DiagnosticId::missing_value, "version", "\"version\": 1,", ""},
          {DiagnosticId::missing_value, "bones[1].parentIdx", ", \"parentIdx\": 0", ""},
          {DiagnosticId::missing_value, "meshes[0].imageIdx", "\"imageIdx\": 0, ", ""},
          {DiagnosticId::missing_value, "meshes[0].vertices[0].bones[0].weight", ", \"weight\": 0.25", ""},
          {DiagnosticId::missing_value, "animations[0].frames[0][1].zOrder", ", \"zOrder\": 4", ""},
          {DiagnosticId::missing_value, "images[0].path", "\"path\": \"atlas.png\", ", ""},
          {DiagnosticId::unsupported_version, "version", "\"version\": 1", "\"version\": 2"},
          {DiagnosticId::wrong_type, "version", "\"version\": 1", "\"version\": \"1\""},
          {DiagnosticId::wrong_type, "bones", "[{\"name\": \"root\"", "7, \"rest\": [{\"name\": \"root\""},
          {DiagnosticId::wrong_type, "bones[0]", "{\"name\": \"root\", \"parentIdx\": -1}", "null"},
          {DiagnosticId::wrong_type, "bones[1].parentIdx", "\"parentIdx\": 0", "\"parentIdx\": 0.5"},
          {DiagnosticId::wrong_type, "meshes[0].vertices[0].y", "\"y\": 1.5", "\"y\": \"1.5\""},
          {DiagnosticId::wrong_type, "animations[0].frames[0][0].visible", "\"visible\": true", "\"visible\": 1"},
          {DiagnosticId::value_out_of_range, "fps", "\"fps\": 24", "\"fps\": -24"},
          {DiagnosticId::value_out_of_range, "fps", "\"fps\": 24", "\"fps\": 99999999999999999999"},
          {DiagnosticId::value_out_of_range, "images[0].width", "\"width\": 2", "\"width\": 1000000000"},
          {DiagnosticId::invalid_parent, "bones[1].parentIdx", "\"parentIdx\": 0", "\"parentIdx\": 1"},
          {DiagnosticId::image_out_of_range, "meshes[0].imageIdx", "\"imageIdx\": 0", "\"imageIdx\": 1"},
          {DiagnosticId::bone_out_of_range, "meshes[0].vertices[0].bones[1].idx", "{\"idx\": 0, \"weight\": 0.75}",
           "{\"idx\": 2, \"weight\": 0.75}"},
          {DiagnosticId::bone_out_of_range, "meshes[0].vertices[0].bones[1].idx", "{\"idx\": 0, \"weight\": 0.75}",
           "{\"idx\": -1, \"weight\": 0.75}"},
          {DiagnosticId::vertex_out_of_range, "meshes[0].triangles[2]", "[0, 1, 2]", "[0, 1, 3]"},
          {DiagnosticId::vertex_out_of_range, "meshes[0].triangles[1]", "[0, 1, 2]", "[0, -1, 2]"},
          {DiagnosticId::incomplete_triangle, "meshes[0].triangles", "[0, 1, 2]", "[0, 1]"},
          {DiagnosticId::not_finite, "animations[0].frames[0][1].rotation", "45.5", "1e39"},
          {DiagnosticId::not_finite, "animations[0].frames[0][1].rotation", "45.5", "1e400"},
          {DiagnosticId::frame_size, "animations[0].frames[0]", "\"zOrder\": 4}]",
           "\"zOrder\": 4}, {\"x\": 0, \"y\": 0, "
           "\"rotation\": 0, \"scaleX\": 1, \"scaleY\": 1, \"visible\": true, \"zOrder\": 0}]"},
          {DiagnosticId::unknown_image_format, "images[0].format", "\"height\": 2",
           "\"height\": 2, \"format\": \"gif\""},
          {DiagnosticId::png_size_mismatch, "images[0].path", "\"width\": 2", "\"width\": 3"},
          {DiagnosticId::image_unreadable, "images[0].path", "\"atlas.png\"", "\"no such.png\""},
      });
  check_broken(kV1Dialect, {
                               {DiagnosticId::bone_out_of_range, "meshes[0].vertices[0].boneIds[0]", "[1, 0, 0, 0]",
                                "[2, 0, 0, 0]"},
                               {DiagnosticId::invalid_structure, "meshes[0].vertices[0]", "[1, 0, 0, 0]", "[1, 0, 0]"},
                               {DiagnosticId::invalid_parent, "bones[1].parent", "\"parent\": 0", "\"parent\": 5"},
                           });
}

TEST_CASE("text that is not JSON is an error with its position", "[json]") {
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
    CHECK(code(result.error().id) == code(DiagnosticId::invalid_json));
    CHECK(result.error().line > 0);
  }
  const auto lone = load_text(replaced(kExporter, "\"tip\"", "\"\\ud800\""));
  REQUIRE_FALSE(lone);
  CHECK(code(lone.error().id) == code(DiagnosticId::invalid_utf8));
}

TEST_CASE("text after the JSON object is reported as such, where it begins", "[json]") {
  for (const std::string rest : {"x", "]", "}", ", \"a\": [1, 2]}", "{\"version\": 1}", "\"}\""}) {
    INFO(rest);
    const auto result = load_text(kExporter + "\n\n  " + rest);
    REQUIRE_FALSE(result);
    CHECK(result.error().id == DiagnosticId::invalid_json);
    CHECK(result.error().detail == "text follows the end of the JSON object");
    CHECK(result.error().line == std::ranges::count(kExporter, '\n') + 3);
    CHECK(result.error().column == 3);
  }
  const auto unclosed = load_text(replaced(kExporter, "]]}]\n}", "]]}]\n"));
  REQUIRE_FALSE(unclosed);
  CHECK(unclosed.error().detail == "an array or object is not closed");
}

TEST_CASE("a number that is refused is shown as it is written", "[json]") {
  const auto detail_for = [](const std::string& fps) {
    const auto result = load_text(replaced(kExporter, "\"fps\": 24", "\"fps\": " + fps + " "));
    REQUIRE_FALSE(result);
    return result.error().detail;
  };
  CHECK(detail_for("1e18") == "is 1e18, but must be between 0 and 65535");
  CHECK(detail_for("-1E+30") == "is -1E+30, but must be between 0 and 65535");
  CHECK(detail_for("99999999999999999999") == "is 99999999999999999999, but must be between 0 and 65535");
  CHECK(detail_for("24.50") == "is 24.50, but must be a whole number");
  CHECK(detail_for("1" + std::string(60, '0')) ==
        "is 1" + std::string(39, '0') + "..., but must be between 0 and 65535");
  for (const std::string bone : {"9223372036854775807", "9223372036854775808", "18446744073709551616", "1e30",
                                 "-9223372036854775809", "-1", "65536"}) {
    for (const auto& [text, from] : {std::pair(&kExporter, "{\"idx\": 1"), std::pair(&kV1Dialect, "\"boneIds\": [1")}) {
      const std::string to = std::string(from, std::strlen(from) - 1) + bone;
      const auto result = load_text(replaced(*text, from, to));
      REQUIRE_FALSE(result);
      CHECK(result.error().detail == "is " + bone + ", but must be between 0 and 65535");
    }
  }
  const auto index = load_text(replaced(kExporter, "[0, 1, 2]", "[0, 1, 1e18]"));
  REQUIRE_FALSE(index);
  CHECK(index.error().detail == "is 1e18, but a mesh has at most 65535 vertices");
}

TEST_CASE("no prefix of a JSON character loads, and none crashes", "[json][malformed]") {
  for (std::size_t size = 0; size < kExporter.size(); ++size) {
    const test::Bytes prefix(reinterpret_cast<const std::byte*>(kExporter.data()),
                             reinterpret_cast<const std::byte*>(kExporter.data()) + size);
    const auto result = load_character(prefix);
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
  CHECK(describe(result.error(), "hero.json") ==
        "hero.json: error E113: bones[1] \"tip\", parentIdx is 7, but must be -1 (a root) or 0 (line 4, column 77)");
}

TEST_CASE("of thousands of similar warnings sixteen are kept, and the last one reports their number", "[json]") {
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
  CHECK_THAT(result->warnings().back().detail, test::contains(", and 984 more like this"));
}

TEST_CASE("a text that is broken after the first error is not searched past the break", "[json]") {
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

namespace {

/// Returns the exporter's character with other influences at its second vertex, which is at (10, -0).
std::string with_influences(const std::string& influences) {
  return replaced(kExporter, R"([{"idx": 0, "weight": 1}])", influences);
}

/// Returns the weights of that vertex after reading.
std::vector<float> weights_of(const std::string& influences) {
  const auto result = load_text(with_influences(influences));
  if (!result) FAIL(describe(result.error(), "file"));
  const auto& weights = result->vertices()[1].weights;
  return {std::begin(weights), std::end(weights)};
}

std::string influences_of(std::initializer_list<float> weights) {
  std::string text;
  int number = 0;
  for (const float weight : weights) {
    text += fmt::format("{}{{\"idx\": {}, \"weight\": {}}}", text.empty() ? "" : ", ", number++ % 2, weight);
  }
  return "[" + text + "]";
}

}  // namespace

TEST_CASE("six equal weights keep a vertex at its authored position", "[json]") {
  const std::string text =
      replaced(with_influences(influences_of({0.1666667F, 0.1666667F, 0.1666667F, 0.1666667F, 0.1666667F, 0.1666667F})),
               "\"y\": -0", "\"y\": 10");
  const auto result = load_text(text);
  if (!result) FAIL(describe(result.error(), "file"));
  PoseBuffers posed;
  pose_clip(*result, ClipId{0}, {}, posed);
  Vec2 position;
  deform(result->vertices().subspan(1, 1), posed.palette, {&position, 1});
  CHECK(std::abs(position.x - 10) < 1e-4);
  CHECK(std::abs(position.y - 10) < 1e-4);
}

TEST_CASE("of more than four influences the four largest are kept, scaled to the authored sum", "[json]") {
  const auto result = load_text(with_influences(influences_of({0.1F, 0.4F, 0.05F, 0.3F, 0.1F, 0.05F})));
  if (!result) FAIL(describe(result.error(), "file"));
  const float weights[] = {0.1F, 0.4F, 0.3F, 0.1F};
  const std::uint16_t bones[] = {0, 1, 1, 0};
  for (int slot = 0; slot < 4; ++slot) {
    CHECK(std::abs(result->vertices()[1].weights[slot] - weights[slot] / 0.9F) < 1e-6F);
    CHECK(result->vertices()[1].bones[slot] == bones[slot]);
  }
  const auto& authored = result->data().authored_influences;
  REQUIRE(authored.size() == 6);
  CHECK(authored[2] == AuthoredInfluence{1, 0, 0.05F});
  CHECK(authored[5] == AuthoredInfluence{1, 1, 0.05F});
  REQUIRE(result->warnings().size() == 1);
  CHECK(result->warnings()[0].id == DiagnosticId::influences_dropped);
  CHECK(result->warnings()[0].path == "meshes[0].vertices[1]");
  CHECK_THAT(result->warnings()[0].detail, test::contains("has 6 influences; "));
}

TEST_CASE("the warning about influences reports the largest error and its frame", "[json]") {
  // Bone 1 moves by 100 pixels in the second frame. Its authored share is 5 of 20, but the kept share is 1 of 16.
  std::string text = replaced(
      kExporter, R"([{"idx": 0, "weight": 1}])",
      R"([{"idx": 0, "weight": 0.25}, {"idx": 0, "weight": 0.25}, {"idx": 0, "weight": 0.25}, {"idx": 1, "weight": 0.05},
          {"idx": 1, "weight": 0.04}, {"idx": 1, "weight": 0.04}, {"idx": 1, "weight": 0.04}, {"idx": 1, "weight": 0.04},
          {"idx": 1, "weight": 0.04}])");
  text = replaced(text, "\"zOrder\": 4}]", R"("zOrder": 4}],
      [{"x": 0, "y": 0, "rotation": 0, "scaleX": 1, "scaleY": 1, "visible": true, "zOrder": -3},
       {"x": 100, "y": 8, "rotation": 45.5, "scaleX": 1, "scaleY": 2, "visible": false, "zOrder": 4}])");
  const auto result = load_text(text);
  if (!result) FAIL(describe(result.error(), "file"));
  REQUIRE(result->warnings().size() == 1);
  CHECK(result->warnings()[0].detail ==
        "has 9 influences; with four it is off by up to 18.75 pixels in frame 1 of clip \"rest\"");
}

TEST_CASE("influences that cancel out or have a sum of 0 or less keep their sum and stay finite", "[json]") {
  const auto sum = [](const std::vector<float>& weights) {
    double total = 0;
    for (const float weight : weights) total += double{weight};
    return total;
  };
  // Mixed signs: the four farthest from 0 are kept.
  CHECK(std::abs(sum(weights_of(influences_of({-1, 0.25F, -2, 0.25F, 0.5F, 0.75F}))) + 1.25) < 1e-5);
  // All negative: scaled like positive ones.
  CHECK(weights_of(influences_of({-1, -1, -1, -1, -1, -1})) == std::vector<float>(4, -1.5F));
  // A sum of 0, and four that cancel out: nothing to scale by, so equal shares are added.
  CHECK(weights_of(influences_of({2, 1, 1, 1, -3, -1, -1})) == std::vector<float>{1.75F, 0.75F, 0.75F, -3.25F});
  CHECK(weights_of(influences_of({1, -1, 1, -1, 0.5F, 0.5F})) == std::vector<float>{1.25F, -0.75F, 1.25F, -0.75F});
  // Too large to scale: clamped, not infinite.
  for (const float weight : weights_of(influences_of({3e38F, 3e38F, 3e38F, 3e38F, 3e38F, 3e38F}))) {
    CHECK(weight == std::numeric_limits<float>::max());
  }
}

TEST_CASE("more than four influences with at most four weights lose nothing", "[json]") {
  const auto result = load_text(with_influences(influences_of({0, 0.5F, 0, 0.25F, 0, 0.125F, 0.125F})));
  if (!result) FAIL(describe(result.error(), "file"));
  CHECK(result->warnings().empty());
  CHECK(result->data().authored_influences.empty());
  const float weights[] = {0.5F, 0.25F, 0.125F, 0.125F};
  CHECK(std::equal(std::begin(weights), std::end(weights), result->vertices()[1].weights));
}

TEST_CASE("an influence beyond the fourth also needs an existing bone", "[json]") {
  check_broken(kExporter,
               {{DiagnosticId::bone_out_of_range, "meshes[0].vertices[1].bones[4].idx", R"([{"idx": 0, "weight": 1}])",
                 R"([{"idx": 0, "weight": 1}, {"idx": 0, "weight": 1}, {"idx": 0, "weight": 1}, {"idx": 0, "weight": 1},
            {"idx": 7, "weight": 0.1}])"}});
}

TEST_CASE("reading a vertex takes time proportional to its influences", "[json]") {
  std::string influences = R"({"idx": 0, "weight": 1})";
  for (int i = 0; i < 200000; ++i) influences += R"(,{"idx":1,"weight":1})";
  const auto result = load_text(with_influences("[" + influences + "]"));
  if (!result) FAIL(describe(result.error(), "file"));
  CHECK(result->data().authored_influences.size() == 200001);
  CHECK(result->vertices()[1].weights[0] == 200001 / 4.0F);
}

TEST_CASE("an unused slot can have any bone index", "[json]") {
  const auto result = load_text(replaced(kExporter, R"([{"idx": 0, "weight": 1}])",
                                         R"([{"idx": 99, "weight": 0}, {"idx": -5, "weight": -0.0}])"));
  REQUIRE(result);
  CHECK(result->vertices()[1].bones[0] == 99);
  CHECK(result->vertices()[1].bones[1] == 0);
}

TEST_CASE("image paths stay in the character's folder unless the caller allows others", "[json]") {
  for (const std::string path :
       {"../json/atlas.png", "a/../../json/atlas.png", "/etc/hostname", "", ".", "a/..", "..\\\\json\\\\atlas.png",
        "C:\\\\atlas.png", "\\\\\\\\host\\\\atlas.png", "atlas.png\\u0000"}) {
    const auto result = load_text(replaced(kExporter, "\"atlas.png\"", '"' + path + '"'));
    INFO(path);
    REQUIRE_FALSE(result);
    CHECK(code(result.error().id) == code(DiagnosticId::image_path_refused));
  }
  CHECK(load_text(replaced(kExporter, "\"atlas.png\"", "\"./atlas.png\"")));
  CHECK(load_text(replaced(kExporter, "\"atlas.png\"", "\".\\\\atlas.png\"")));
  // Windows does not look for x.
  const auto missing_folder = load_text(replaced(kExporter, "\"atlas.png\"", "\"x/../atlas.png\""));
  CHECK(missing_folder.has_value() == (kPathStyle == PathStyle::windows));
  CHECK((missing_folder || missing_folder.error().id == DiagnosticId::image_unreadable));

  ImportOptions options;
  options.image_folder = folder();
  options.allow_images_outside = true;
  const std::string outside = replaced(kExporter, "\"atlas.png\"", "\"../json/atlas.png\"");
  CHECK(load_character(std::as_bytes(std::span(outside)), options));
}

TEST_CASE("backslashes in an image path separate folders, and files are announced by the name they are opened by",
          "[json]") {
  const std::vector<std::uint8_t> pixels(2 * 2 * 4, 200);
  test::write_file(test::output("json/parts/deep/atlas.png"), test::png_of(2, 2, pixels));
  ImportOptions options;
  options.image_folder = folder();
  std::vector<std::filesystem::path> announced;
  const auto announce = [&](const std::filesystem::path& path) { announced.push_back(path); };
  options.before_reading = announce;
  const std::string text = replaced(kExporter, "\"atlas.png\"", R"("parts\\deep/..\\deep\\atlas.png")");
  const auto result = load_character(std::as_bytes(std::span(text)), options);
  if (!result) FAIL(describe(result.error(), "file"));
  REQUIRE(announced.size() == 1);
  CHECK(std::filesystem::exists(announced[0]));
  CHECK(load_text(replaced(kExporter, "\"atlas.png\"", R"("..\\x.png")")).error().id ==
        DiagnosticId::image_path_refused);
  CHECK(load_text(replaced(kExporter, "\"atlas.png\"", R"("C:\\x.png")")).error().id ==
        DiagnosticId::image_path_refused);
}

TEST_CASE("JSON in memory has no folder for images", "[json]") {
  const auto result = load_character(std::as_bytes(std::span(kExporter)));
  REQUIRE_FALSE(result);
  CHECK(result.error().id == DiagnosticId::image_unreadable);
}

TEST_CASE("an rgba8888 image is a decoded PNG or raw pixels", "[json]") {
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
  CHECK(mark->warnings()[0].id == DiagnosticId::byte_order_mark);
  const auto large = load_text(replaced(kExporter, "\"zOrder\": 4", "\"zOrder\": 40000"));
  REQUIRE(large);
  CHECK(large->warnings()[0].id == DiagnosticId::large_z_order);
  CHECK(large->clips()[0].samples.z_order[1] == 40000);
}

TEST_CASE("limits apply to the transforms and pixels of a JSON character", "[json]") {
  ImportOptions options;
  options.image_folder = folder();
  options.limits.max_bone_samples = 1;
  CHECK(load_character(std::as_bytes(std::span(kExporter)), options).error().id == DiagnosticId::limit_exceeded);
  options.limits.max_bone_samples = 2;
  options.limits.max_image_pixels = 3;
  CHECK(load_character(std::as_bytes(std::span(kExporter)), options).error().id == DiagnosticId::limit_exceeded);
}

namespace {

test::Bytes packed(const std::string& json, const test::Bytes& png) {
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
}

}  // namespace

TEST_CASE("bytes after an older packed file are a warning with their number", "[packed]") {
  const test::Bytes png = test::png_of(2, 2, std::vector<std::uint8_t>(2 * 2 * 4, 200));
  for (const test::Bytes& image : {png, test::Bytes()}) {
    const test::Bytes whole = packed(kExporter, image);
    const CharacterData data = load_character(whole).value().data();
    for (const std::size_t more : {1, 7, 70000}) {
      test::Bytes longer = whole;
      longer.resize(whole.size() + more, std::byte{'{'});
      const auto result = load_character(longer);
      if (!result) FAIL(describe(result.error(), "longer"));
      CHECK(result->data() == data);
      REQUIRE_FALSE(result->warnings().empty());
      CHECK(result->warnings()[0].id == DiagnosticId::trailing_bytes);
      CHECK(result->warnings()[0].byte_offset == whole.size());
      CHECK(result->warnings()[0].detail ==
            fmt::format("the file has {} byte{} after the character", more, more == 1 ? "" : "s"));
    }
    test::Bytes cut = whole;
    cut.pop_back();
    CHECK(load_character(cut).error().id == DiagnosticId::truncated);
    CHECK_THAT(load_character(cut).error().detail, test::contains("an older packed file"));
  }
}

TEST_CASE("a v1 file whose first image has a name like JSON is a v1 file, even with trailing bytes", "[packed]") {
  CharacterData data = test::sliding_quad();
  data.images[0].name = R"({"version": 1})";
  test::Bytes bytes = test::write_v1(data);
  for (int i = 0; i < 3; ++i) {
    const auto result = load_character(bytes);
    if (!result) FAIL(describe(result.error(), "v1"));
    CHECK(result->file.format == "PCHR v1");
    bytes.resize(bytes.size() + 1000, std::byte{'}'});
  }
}

TEST_CASE("the older packed format loads with or without its image", "[packed]") {
  const std::vector<std::uint8_t> pixels(2 * 2 * 4, 200);
  // The path is only a name: nothing is opened.
  const std::string json = replaced(kExporter, "\"atlas.png\"", "\"../../etc/passwd\"");
  const auto whole = load_character(packed(json, test::png_of(2, 2, pixels)));
  if (!whole) FAIL(describe(whole.error(), "packed"));
  CHECK(whole->data().vertices == load_text(kExporter)->data().vertices);
  CHECK(decode_images(*whole)->front().rgba[3] == 200);

  const auto bare = load_character(packed(json, {}));
  REQUIRE(bare);
  REQUIRE(bare->warnings().size() == 1);
  CHECK(bare->warnings()[0].id == DiagnosticId::image_absent);
  CHECK(bare->images()[0].encoding == ImageEncoding::absent);
  const auto checker = decode_images(*bare);
  REQUIRE(checker);
  CHECK(checker->front().rgba[3] == 255);

  const test::Bytes bytes = packed(json, test::png_of(2, 2, pixels));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    INFO("prefix of " << size);
    CHECK_FALSE(load_character(test::Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))));
  }
}

TEST_CASE("a character of the exporter without an atlas is drawn as a checkerboard", "[json][packed]") {
  const std::string image = R"("name": "atlas", "path": "atlas.png", "width": 2, "height": 2)";
  const std::string placeholder = R"("name": "", "path": "", "width": 0, "height": 0)";
  const auto bare = load_character(packed(replaced(kExporter, image, placeholder), {}));
  if (!bare) FAIL(describe(bare.error(), "packed"));
  CHECK(bare->data().images.empty());
  CHECK(bare->meshes()[0].image == ImageId{0});
  const auto flat = load_character(packed(replaced(kExporter, image, replaced(placeholder, "0", "1")), {}));
  REQUIRE_FALSE(flat);
  CHECK(flat.error().id == DiagnosticId::image_size_zero);
}

TEST_CASE("all formats of a conformance character give the same character", "[json][packed][conformance]") {
  for (const auto& binary : test::conformance_characters()) {
    const auto stem = binary.parent_path() / binary.stem();
    const auto json = load_character(stem.string() + ".json");
    const auto packed = load_character(stem.string() + ".packed.pchr");
    const auto v1 = load_character(binary);
    REQUIRE(v1);
    for (const auto& other : {json, packed}) {
      if (!other && other.error().id == DiagnosticId::unreadable_file) continue;
      INFO(stem);
      if (!other) FAIL(describe(other.error(), stem.string()));
      CHECK(other->data().bones == v1->data().bones);
      CHECK(other->data().clips == v1->data().clips);
      CHECK(other->data().indices == v1->data().indices);
      REQUIRE(other->vertices().size() == v1->vertices().size());
      PoseBuffers a, b;
      for (const ClipId clip : v1->clips().ids()) {
        pose_clip(*v1, clip, {}, a);
        pose_clip(*other, clip, {}, b);
        CHECK(bounds(*v1, a).min == bounds(*other, b).min);
        CHECK(bounds(*v1, a).max == bounds(*other, b).max);
      }
      CHECK(decode_images(*other)->front().rgba == decode_images(*v1)->front().rgba);
    }
  }
}

}  // namespace pachario_json_test
