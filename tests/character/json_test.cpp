// SPDX-License-Identifier: MIT
// The JSON writer, read back by another library.
#include "character/json.hpp"

#include "support/catch.hpp"

#include <simdjson.h>

#include <array>
#include <limits>
#include <string>

namespace json_test {
namespace {

using pchr::JsonWriter;

std::string text_of(const JsonWriter& json) { return json.text; }

TEST_CASE("every string survives a round trip through JSON", "[json]") {
  std::string all = "quote \" backslash \\ snow \xe2\x98\x83 ";
  for (char character = 0; character < 0x20; ++character) all.push_back(character);
  all.push_back(0x7f);
  JsonWriter json;
  json.begin_object().key(all).value(all).end_object();

  simdjson::dom::parser parser;
  const simdjson::dom::object object = parser.parse(text_of(json)).get_object();
  const auto [key, value] = *object.begin();
  CHECK(key == all);
  CHECK(std::string_view(value) == all);
}

TEST_CASE("every float survives a round trip through JSON", "[json]") {
  using Limits = std::numeric_limits<float>;
  const std::array numbers{0.0F,       -0.0F,         1.0F,          -0.1F,         1.0F / 3, 16777216.0F,
                           -1e-7F,     123456.789F,   Limits::max(), Limits::min(), 1e20F,    Limits::denorm_min(),
                           1234567.0F, 0.00012345678F};
  JsonWriter json;
  json.value(numbers);

  simdjson::dom::parser parser;
  std::size_t index = 0;
  for (const simdjson::dom::element element : parser.parse(text_of(json)).get_array()) {
    CHECK(static_cast<float>(double(element)) == numbers[index++]);
  }
  CHECK(index == numbers.size());
}

TEST_CASE("numbers in JSON have no more digits and zeros than they need", "[json]") {
  JsonWriter json;
  json.value(
      std::array{0.0, -0.0, 1.0, -0.1, 100.0, 12.5, 1e15, 1.25e15, 1e16, 1e20, 0.0001, 0.00012345, 1e-5, -1e-300});
  CHECK(json.text ==
        "[0, -0, 1, -0.1, 100, 12.5, 1000000000000000, 1250000000000000, 1e+16, 1e+20, 0.0001, 0.00012345, 1e-05, "
        "-1e-300]\n");
  json.text.clear();
  json.value(std::array{123456790528.0F, 0.1F, 1234567.0F});
  CHECK(json.text == "[123456790000, 0.1, 1234567]\n");
}

TEST_CASE("a number that is not finite is null in JSON", "[json]") {
  using Limits = std::numeric_limits<double>;
  JsonWriter json;
  json.begin_array().value(Limits::infinity()).value(-Limits::infinity()).value(Limits::quiet_NaN()).end_array();
  simdjson::dom::parser parser;
  for (const simdjson::dom::element element : parser.parse(text_of(json)).get_array()) CHECK(element.is_null());
}

TEST_CASE("JSON is laid out on one line or on several", "[json]") {
  JsonWriter json;
  json.begin_object(JsonWriter::lines).key("a").begin_array(JsonWriter::lines);
  json.begin_object().key("x").value(1).key("y").value(true).end_object();
  json.begin_object().end_object().end_array();
  json.key("b").begin_array(JsonWriter::lines).end_array().key("c").value(nullptr).end_object();
  CHECK(text_of(json) == R"({
  "a": [
    {"x": 1, "y": true},
    {}
  ],
  "b": [],
  "c": null
}
)");
  JsonWriter dense;
  dense.begin_object(JsonWriter::dense)
      .key("a")
      .begin_array(JsonWriter::lines)
      .object("x", 1, "y", true)
      .literal("-0.0");
  dense.begin_object().end_object().end_array().fields("b", nullptr).end_object();
  CHECK(dense.text == R"({"a":[{"x":1,"y":true},-0.0,{}],"b":null})");
}

}  // namespace

}  // namespace json_test
