// SPDX-License-Identifier: MIT
// Reads the independently computed values for a character of the conformance folder.
#include "support/expected.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace pchr::test {
namespace {

using simdjson::dom::element;

float number(const element& value) { return static_cast<float>(double(value)); }
std::uint32_t count(const element& value) { return static_cast<std::uint32_t>(std::uint64_t(value)); }
std::string text(const element& value) { return std::string(std::string_view(value)); }

Vec2 point(const element& value) { return {number(value.at(0)), number(value.at(1))}; }

Affine affine(const element& value) {
  return {number(value.at(0)), number(value.at(1)), number(value.at(2)),
          number(value.at(3)), number(value.at(4)), number(value.at(5))};
}

ExpectedFrame frame_of(const element& value) {
  ExpectedFrame frame{text(value["animation"]), count(value["frame"]), {}, {}, {}, {}};
  for (const element matrix : value["world"].get_array()) frame.world.push_back(affine(matrix));
  for (const element mesh : value["drawOrder"].get_array()) frame.draw_order.push_back(count(mesh));
  const element bounds = value["visibleBounds"];
  frame.visible_bounds = {{number(bounds.at(0)), number(bounds.at(1))}, {number(bounds.at(2)), number(bounds.at(3))}};
  for (const element mesh : value["meshes"].get_array()) {
    ExpectedMesh& expected = frame.meshes.emplace_back();
    for (const element vertex : mesh["vertices"].get_array()) expected.vertices.push_back(count(vertex));
    for (const element position : mesh["xy"].get_array()) expected.positions.push_back(point(position));
  }
  return frame;
}

}  // namespace

Expected read_expected(const std::filesystem::path& path) {
  simdjson::dom::parser parser;
  const element document = parser.load(path.string());
  Expected expected;
  for (const element name : document["boneNames"].get_array()) expected.bone_names.push_back(text(name));
  for (const element parent : document["parents"].get_array()) {
    expected.parents.push_back(static_cast<std::int32_t>(std::int64_t(parent)));
  }
  for (const element mesh : document["meshes"].get_array()) {
    expected.governing_bones.push_back(count(mesh["controllingBone"]));
  }
  expected.bind_clip = text(document["bindAnimation"]);
  for (const element frame : document["frames"].get_array()) expected.frames.push_back(frame_of(frame));
  element previews;
  if (document["previews"].get(previews) == simdjson::SUCCESS) {
    for (const element preview : previews.get_array()) {
      expected.previews.push_back({path.parent_path() / text(preview["file"]), text(preview["animation"]),
                                   count(preview["frame"]), count(preview["width"]), count(preview["height"]),
                                   number(preview["pixelsPerUnit"]), point(preview["centre"])});
    }
  }
  return expected;
}

bool agrees(float value, float expected) {
  return std::abs(value - expected) <= std::max(1e-3F, 1e-4F * std::abs(expected));
}
bool agrees(Vec2 value, Vec2 expected) { return agrees(value.x, expected.x) && agrees(value.y, expected.y); }
bool agrees(const Affine& value, const Affine& expected) {
  return agrees(value[0], expected[0]) && agrees(value[1], expected[1]) && agrees(value[2], expected[2]);
}

}  // namespace pchr::test
