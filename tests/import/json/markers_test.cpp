// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>
#include <pchr/animator.hpp>
#include <pchr/import/import.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace markers_test {
using namespace pchr;
using namespace pchr::test;

namespace {

Expected<Markers, LoadError> parse(std::string_view text) {
  const Character character = Character::build(sliding_quad()).value();
  return load_markers(std::as_bytes(std::span(text)), character);
}

}  // namespace

TEST_CASE("markers are sorted by clip and frame", "[markers]") {
  const auto markers = parse(R"({"markers": [
    {"clip": "slide", "frame": 3, "name": "b"}, {"clip": "slide", "frame": 1, "name": "a", "note": "kept for people"},
    {"clip": "bind", "frame": 0, "name": "c"}, {"clip": "slide", "frame": 3, "name": "a"}]})");
  REQUIRE(markers);
  CHECK(markers->of_clip(ClipId{0}).size() == 1);
  CHECK(std::ranges::equal(markers->of_clip(ClipId{1}),
                           std::vector<Marker>{{ClipId{1}, 1, "a"}, {ClipId{1}, 3, "b"}, {ClipId{1}, 3, "a"}}));
  CHECK(markers->of_clip(ClipId{2}).empty());
}

TEST_CASE("an invalid marker file is refused with the path and the value", "[markers]") {
  const auto refuses = [](std::string_view text, DiagnosticId id, std::string_view path, const std::string& detail) {
    CAPTURE(text);
    const auto markers = parse(text);
    REQUIRE_FALSE(markers);
    CHECK(markers.error().id == id);
    CHECK(markers.error().path == path);
    CHECK_THAT(markers.error().detail, contains(detail));
  };
  refuses("", DiagnosticId::invalid_json, "", "");
  refuses(R"({"markers": [)", DiagnosticId::invalid_json, "", "");
  refuses("[]", DiagnosticId::wrong_type, "", "markers");
  refuses("{}", DiagnosticId::missing_value, "markers", "is missing");
  refuses(R"({"markers": 3})", DiagnosticId::wrong_type, "markers", "must be an array");
  refuses(R"({"markers": [3]})", DiagnosticId::wrong_type, "markers[0]", "is 3, but must be an object");
  refuses(R"({"markers": [{"clip": "slide", "frame": 0}]})", DiagnosticId::missing_value, "markers[0].name",
          "is missing");
  refuses(R"({"markers": [{"clip": 7, "frame": 0, "name": "x"}]})", DiagnosticId::wrong_type, "markers[0].clip",
          "is 7, but must be the name of a clip");
  refuses(R"({"markers": [{"clip": "slid", "frame": 0, "name": "x"}]})", DiagnosticId::value_out_of_range,
          "markers[0].clip", "slid");
  refuses(R"({"markers": [{"clip": "slide", "frame": 4, "name": "x"}]})", DiagnosticId::value_out_of_range,
          "markers[0].frame", "is 4, but clip \"slide\" has 4 frames");
  refuses(R"({"markers": [{"clip": "slide", "frame": -1, "name": "x"}]})", DiagnosticId::value_out_of_range,
          "markers[0].frame", "is -1, but must be a whole number");
  refuses(R"({"markers": [{"clip": "slide", "frame": 0.5, "name": "x"}]})", DiagnosticId::wrong_type,
          "markers[0].frame", "is 0.5, but must be a whole number");
}

TEST_CASE("duplicate keys in a marker file must have equal values", "[markers]") {
  CHECK(parse(R"({"markers": [{"clip": "bind", "clip": "bind", "frame": 0, "frame": 0, "name": "a", "name": "a"}]})"));
  CHECK(parse(R"({"markers": [], "markers": [], "note": 1, "note": 2})"));
  const auto contradicts = [](std::string_view text, std::string_view path) {
    CAPTURE(text);
    const auto markers = parse(text);
    REQUIRE_FALSE(markers);
    CHECK(markers.error().id == DiagnosticId::contradiction);
    CHECK(markers.error().path == path);
  };
  const std::string one = R"([{"clip": "bind", "frame": 0, "name": "a"}])";
  contradicts(R"({"markers": [], "markers": )" + one + "}", "markers");
  contradicts(R"({"markers": )" + one + R"(, "markers": []})", "markers");
  contradicts(R"({"markers": [{"clip": "bind", "clip": "slide", "frame": 0, "name": "a"}]})", "markers[0].clip");
  contradicts(R"({"markers": [{"clip": "slide", "frame": 0, "frame": 1, "name": "a"}]})", "markers[0].frame");
  contradicts(R"({"markers": [{"clip": "slide", "frame": 0, "name": "a", "name": "b"}]})", "markers[0].name");
}

TEST_CASE("markers are in a file next to the character", "[markers]") {
  CHECK(markers_path("folder/hero.pchr") == std::filesystem::path("folder/hero.markers.json"));
  const auto character = load_character(asset("kiri.pchr"));
  REQUIRE(character);
  const auto markers = load_markers(rig_path(test::utf8_of(asset("kiri.pchr"))), *character);
  REQUIRE(markers);
  CHECK(markers->all().size() == 4);
  CHECK(load_markers(test::utf8_of(asset("no such file.markers.json")), *character).error().id ==
        DiagnosticId::unreadable_file);
}

}  // namespace markers_test
