// SPDX-License-Identifier: MIT
// The JSON writer, read back by another library.
#include "json.hpp"

#include "support/catch.hpp"

#include <simdjson.h>

#include <array>
#include <limits>
#include <string>

namespace json_test {
namespace {

using pchr::tools::JsonWriter;
using pchr::tools::Layout;

std::string text_of(const JsonWriter& json) { return {json.text.data(), json.text.size()}; }

TEST_CASE("every string survives a round trip through JSON", "[tools][json]") {
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

TEST_CASE("every float survives a round trip through JSON", "[tools][json]") {
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

TEST_CASE("a number that is not finite is null in JSON", "[tools][json]") {
  using Limits = std::numeric_limits<double>;
  JsonWriter json;
  json.begin_array().value(Limits::infinity()).value(-Limits::infinity()).value(Limits::quiet_NaN()).end_array();
  simdjson::dom::parser parser;
  for (const simdjson::dom::element element : parser.parse(text_of(json)).get_array()) CHECK(element.is_null());
}

TEST_CASE("JSON is laid out on one line or on several", "[tools][json]") {
  JsonWriter json;
  json.begin_object(Layout::lines).key("a").begin_array(Layout::lines);
  json.begin_object().key("x").value(1).key("y").value(true).end_object();
  json.begin_object().end_object().end_array();
  json.key("b").begin_array(Layout::lines).end_array().key("c").value(nullptr).end_object();
  CHECK(text_of(json) == R"({
  "a": [
    {"x": 1, "y": true},
    {}
  ],
  "b": [],
  "c": null
}
)");
}

}  // namespace

}  // namespace json_test
