// SPDX-License-Identifier: MIT
// Mistakes that validate() reports, and characters that it accepts.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>
#include <pchr/import/import.hpp>

#include <algorithm>
#include <ctime>
#include <limits>
#include <set>
#include <string>
#include <vector>

namespace validate_test {
using namespace pchr;

namespace {

std::vector<Diagnostic> diagnostics_of(CharacterData data, const ValidateOptions& options = {}) {
  return validate(Character::build(std::move(data)).value(), options);
}

/// Returns processor time of this process, without the time it waits on a busy machine.
double processor_seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

/// Returns the only diagnostic. Fails if there are more or none.
Diagnostic only(const std::vector<Diagnostic>& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics) UNSCOPED_INFO(describe(diagnostic, "test"));
  REQUIRE(diagnostics.size() == 1);
  return diagnostics.front();
}

void check_only(CharacterData data, DiagnosticId id, const std::string& path, const std::string& detail) {
  const Diagnostic diagnostic = only(diagnostics_of(std::move(data)));
  CHECK(code(diagnostic.id) == code(id));
  CHECK(diagnostic.path == path);
  CHECK(diagnostic.detail == detail);
}

/// Returns two bones side by side with a quad each, drawn in the order of the bones.
CharacterData two_quads() {
  CharacterData data = test::sliding_quad();
  data.bones.push_back({"second", BoneId::none});
  test::add_quad(data, "over", 0, {{-4, -4}, {4, 4}}, 1);
  data.clips.clear();
  data.clips.push_back(test::resting_clip("bind", 1, 2));
  data.clips.push_back(test::resting_clip("swap", 3, 2));
  data.clips[0].samples.z_order = {0, 1};
  data.clips[1].samples.z_order = {0, 1, 1, 0, 2, 3};
  return data;
}

}  // namespace

TEST_CASE("characters without mistakes have no diagnostics", "[validate]") {
  for (const CharacterData& data : {test::sliding_quad(), two_quads(), CharacterData{}}) {
    const auto diagnostics = diagnostics_of(data);
    for (const Diagnostic& diagnostic : diagnostics) UNSCOPED_INFO(describe(diagnostic, "test"));
    CHECK(diagnostics.empty());
  }
}

TEST_CASE("weights that do not sum to 1 are reported once per mesh", "[validate]") {
  CharacterData data = test::sliding_quad();
  data.vertices[1].weights[0] = 0.9F;
  data.vertices[2].weights[0] = 1.1F;
  check_only(data, DiagnosticId::weight_sum, "meshes[0].vertices[1]",
             "has weights that sum to 0.9 instead of 1 within 0.001 (first of 2 such vertices in this mesh)");
}

TEST_CASE("weights within the tolerance sum to 1", "[validate]") {
  CharacterData data = test::sliding_quad();
  data.vertices[1].weights[0] = 0.9992F;
  CHECK(diagnostics_of(data).empty());
  CHECK(diagnostics_of(data, {.weight_tolerance = 1e-4F}).size() == 1);
}

TEST_CASE("the authored sum of more than four influences is checked", "[validate]") {
  CharacterData data = test::sliding_quad();
  data.authored_influences.assign(5, {1, 0, 0.2F});
  std::fill(std::begin(data.vertices[1].weights), std::end(data.vertices[1].weights), 0.2F);
  CHECK(diagnostics_of(data).empty());
  data.authored_influences.assign(5, {1, 0, 0.1F});
  std::fill(std::begin(data.vertices[1].weights), std::end(data.vertices[1].weights), 0.25F);
  check_only(data, DiagnosticId::weight_sum, "meshes[0].vertices[1]",
             "has weights that sum to 0.5 instead of 1 within 0.001");
}

TEST_CASE("weights too large to sum do not sum to 1", "[validate]") {
  CharacterData data = test::sliding_quad();
  for (float& weight : data.vertices[1].weights) weight = std::numeric_limits<float>::max();
  const auto diagnostics = diagnostics_of(data);
  CHECK(std::ranges::any_of(diagnostics,
                            [](const Diagnostic& diagnostic) { return diagnostic.id == DiagnosticId::weight_sum; }));
}

TEST_CASE("a used slot after an unused one is reported", "[validate]") {
  CharacterData data = test::sliding_quad();
  std::swap(data.vertices[3].weights[0], data.vertices[3].weights[2]);
  check_only(data, DiagnosticId::weight_gap, "meshes[0].vertices[3].boneWeights[2]",
             "is 1, but the slot before it is 0");
}

TEST_CASE("a mesh without weights causes one diagnostic", "[validate]") {
  CharacterData data = test::sliding_quad();
  for (Vertex& vertex : data.vertices) vertex.weights[0] = 0;
  check_only(data, DiagnosticId::mesh_without_weights, "meshes[0]", "has 4 vertices, but no weights");
}

TEST_CASE("a triangle without area is reported, with equal or collinear corners", "[validate]") {
  CharacterData data = test::sliding_quad();
  for (const int corner : {0, 2, 2}) data.indices.push_back(static_cast<std::uint16_t>(corner));
  data.meshes[0].index_count += 3;
  check_only(data, DiagnosticId::degenerate_triangle, "meshes[0].indices[6]",
             "starts a triangle without area: vertices 0, 2 and 2 are not distinct");

  data.indices.back() = 4;
  data.vertices.push_back(data.vertices[0]);
  data.vertices.back().x = 0;
  data.vertices.back().y = 0;
  data.meshes[0].vertex_count += 1;
  check_only(data, DiagnosticId::degenerate_triangle, "meshes[0].indices[6]",
             "starts a triangle without area: vertices 0, 2 and 4 lie on one line in the bind pose");
}

TEST_CASE("a small triangle is not degenerate", "[validate]") {
  CharacterData data = test::sliding_quad();
  for (Vertex& vertex : data.vertices) {
    vertex.x *= 1e-6F;
    vertex.y *= 1e-6F;
  }
  CHECK(diagnostics_of(data).empty());
}

TEST_CASE("a duplicate triangle is reported in any winding", "[validate]") {
  CharacterData data = test::sliding_quad();
  for (const int corner : {3, 2, 0, 2, 1, 0, 1, 0, 2}) data.indices.push_back(static_cast<std::uint16_t>(corner));
  data.meshes[0].index_count += 9;
  check_only(data, DiagnosticId::duplicate_triangle, "meshes[0].indices[6]",
             "starts a triangle of vertices 3, 2 and 0, like indices[3] (first of 3 such triangles in this mesh)");
}

TEST_CASE("texture coordinates outside the image are reported", "[validate]") {
  CharacterData data = test::sliding_quad();
  data.vertices[1].u = 1.5F;
  data.vertices[2].v = -1;
  check_only(data, DiagnosticId::texture_outside, "meshes[0].vertices[1].u",
             "is 1.5, but should be between 0 and 1 (first of 2 such vertices in this mesh)");
}

TEST_CASE("texture coordinates half a pixel outside are accepted", "[validate]") {
  CharacterData data = test::sliding_quad();
  data.vertices[1].u = 1.12F;  // The image is 4 pixels wide.
  CHECK(diagnostics_of(data).empty());
}

TEST_CASE("vertices that no triangle uses are reported", "[validate]") {
  CharacterData data = test::sliding_quad();
  data.vertices.push_back(data.vertices[0]);
  data.meshes[0].vertex_count += 1;
  check_only(data, DiagnosticId::unused_vertex, "meshes[0].vertices[4]", "belongs to no triangle");
}

TEST_CASE("a mesh without triangles causes one diagnostic", "[validate]") {
  CharacterData data = test::sliding_quad();
  data.meshes[0].index_count = 0;
  check_only(data, DiagnosticId::mesh_without_triangles, "meshes[0]", "has 4 vertices, but no triangles");
}

TEST_CASE("duplicate names are reported once for all bones", "[validate]") {
  CharacterData data = test::sliding_quad();
  for (const char* name : {"second", "second", "second", "root"}) data.bones.push_back({name, BoneId{0}});
  data.clips.clear();
  check_only(data, DiagnosticId::duplicate_name, "bones[2].name",
             "is also the name of bones[1] (first of 2 such names in this section)");
}

TEST_CASE("a bone can have the name of a mesh", "[validate]") {
  CharacterData data = two_quads();
  data.bones[1].name = data.meshes[1].name;
  CHECK(diagnostics_of(data).empty());
}

TEST_CASE("an image that no mesh uses is reported", "[validate]") {
  CharacterData data = test::sliding_quad();
  data.images.push_back(test::plain_image(2, 3, {0, 0, 0, 255}, "spare"));
  check_only(data, DiagnosticId::unused_image, "images[1]", "is 2 x 3 pixels, but no mesh uses it");
}

TEST_CASE("overlapping meshes with the same draw order are reported with the first frame", "[validate]") {
  CharacterData data = two_quads();
  data.clips[1].samples.z_order = {0, 1, 5, 5, 7, 7};
  check_only(data, DiagnosticId::equal_draw_order, "meshes[1]",
             "overlaps meshes[0] \"quad\" in frame 1 of clip \"swap\" at the same draw order, 5");
}

TEST_CASE("meshes with the same draw order that do not overlap are accepted", "[validate]") {
  CharacterData data = two_quads();
  data.clips[1].samples.z_order = {5, 5, 5, 5, 5, 5};
  data.clips[1].samples.x = {0, 12, 0, 13, 0, 14};
  CHECK(diagnostics_of(data).empty());
}

TEST_CASE("meshes with overlapping boxes but separate triangles are accepted", "[validate]") {
  CharacterData data = two_quads();
  data.clips[0].samples.z_order = {5, 5};
  data.clips.resize(1);
  // A large triangle, and a small one beyond its longest side.
  data.meshes[0].index_count = data.meshes[1].index_count = data.meshes[1].first_index = 3;
  data.meshes[0].vertex_count = data.meshes[1].vertex_count = 3;
  data.indices = {0, 1, 2, 0, 1, 2};
  data.vertices[0].x = data.vertices[0].y = -8;
  data.vertices[4].x = data.vertices[4].y = -7;
  data.vertices[5].x = -2, data.vertices[5].y = -7;
  data.vertices[6].x = -7, data.vertices[6].y = -2;
  data.vertices[1].x = 8, data.vertices[1].y = -8;
  data.vertices[2].x = -8, data.vertices[2].y = 8;
  CHECK(diagnostics_of(data).size() == 1);
  for (const std::size_t corner : {4, 5, 6}) {
    data.vertices[corner].x *= -1;
    data.vertices[corner].y *= -1;
  }
  CHECK(diagnostics_of(data).empty());
}

TEST_CASE("hidden meshes never overlap", "[validate]") {
  CharacterData data = two_quads();
  data.clips[1].samples.z_order = {5, 5, 5, 5, 5, 6};
  data.clips[1].samples.visible = {1, 0, 0, 1, 1, 1};
  CHECK(diagnostics_of(data).empty());
}

TEST_CASE("without clips, overlaps are reported in the bind pose", "[validate]") {
  CharacterData data = two_quads();
  data.clips.clear();
  check_only(data, DiagnosticId::equal_draw_order, "meshes[1]",
             "overlaps meshes[0] \"quad\" in the bind pose at the same draw order, 0");
}

TEST_CASE("a loop whose last frame repeats its first is reported", "[validate]") {
  CharacterData data = test::sliding_quad();
  data.clips[1].samples.x = {0, 4, 8, 0.001F};
  check_only(data, DiagnosticId::doubled_seam, "animations[1].frames[3]",
             "is the same as frame 0, which follows it in the loop");
  data.clips[1].samples.rotation_degrees = {180, 0, 0, -180};
  CHECK(diagnostics_of(data).size() == 1);
  data.clips[1].looping = false;
  CHECK(diagnostics_of(data).empty());
}

TEST_CASE("a pause at the seam of a loop is accepted", "[validate]") {
  CharacterData data = test::sliding_quad();
  data.clips[1].samples.x = {0, 4, 0, 0};
  CHECK(diagnostics_of(data).empty());
  data.clips[1].samples.x = {0, 0, 4, 0};
  CHECK(diagnostics_of(data).empty());
}

TEST_CASE("a clip in which nothing changes is reported", "[validate]") {
  CharacterData data = test::sliding_quad();
  data.clips[1].samples.x = {4, 4, 4, 4};
  check_only(data, DiagnosticId::still_clip, "animations[1]", "does not move: all 4 frames are the same");
}

TEST_CASE("a clip in which only visibility or draw order changes is accepted", "[validate]") {
  CharacterData data = test::sliding_quad();
  data.clips[1].samples.x = {4, 4, 4, 4};
  data.clips[1].samples.z_order = {0, 0, 0, 1};
  CHECK(diagnostics_of(data).empty());
}

TEST_CASE("a transform that overflows is reported", "[validate]") {
  CharacterData data = two_quads();
  data.bones[1].parent = BoneId{0};
  data.clips[1].samples.scale_x = {1, 1, 1e30F, 1e30F, 1e30F, 1e30F};
  check_only(data, DiagnosticId::pose_overflow, "animations[1].frames[1][1]",
             "overflows the transform of bone \"second\" (first of 2 such frames in this clip)");
}

TEST_CASE("diagnostics of a kind are listed up to a limit and counted beyond it", "[validate]") {
  CharacterData data = test::sliding_quad();
  for (int i = 0; i < 9; ++i) data.images.push_back(test::plain_image(1, 1, {}, "spare " + std::to_string(i)));
  const auto diagnostics = diagnostics_of(data, {.max_of_a_kind = 3});
  REQUIRE(diagnostics.size() == 3);
  CHECK(diagnostics[1].detail == "is 1 x 1 pixels, but no mesh uses it");
  CHECK(diagnostics[2].detail == "is 1 x 1 pixels, but no mesh uses it, and 6 more like this");
  CHECK(diagnostics_of(data, {.max_of_a_kind = 0}).size() == 1);
}

TEST_CASE("validating meshes that all overlap is fast", "[validate]") {
  CharacterData data = test::sliding_quad();
  for (int i = 0; i < 20000; ++i) test::add_quad(data, std::to_string(i), 0, {{-8, -8}, {8, 8}}, 0);
  const std::clock_t start = std::clock();
  const auto diagnostics = diagnostics_of(std::move(data));
  CHECK(processor_seconds_since(start) < 10);
  CHECK(diagnostics.size() == 32);
}

TEST_CASE("validating many clips of large meshes is fast", "[validate]") {
  CharacterData data = two_quads();
  while (data.vertices.size() < 400000) {
    test::add_quad(data, std::to_string(data.vertices.size()), 0, {{-8, -8}, {8, 8}}, 0);
  }
  data.meshes.resize(2);
  data.meshes[1].first_vertex = 8;
  data.meshes[1].vertex_count = 65532;
  data.clips[1] = test::resting_clip("long", 60000, 2);
  const std::clock_t start = std::clock();
  (void)diagnostics_of(std::move(data));
  CHECK(processor_seconds_since(start) < 10);
}

TEST_CASE("the samples have their intended diagnostics", "[validate]") {
  for (const char* clean : {"quad.pchr", "kiri.pchr", "konpei/konpei.chp", "hotaru.px", "kaeru.aseprite"}) {
    CHECK(validate(load_character(test::asset(clean)).value()).empty());
  }
  std::set<DiagnosticId> corners;
  for (const Diagnostic& diagnostic : validate(load_character(test::asset("corners.pchr")).value()))
    corners.insert(diagnostic.id);
  CHECK(corners == std::set{DiagnosticId::weight_sum, DiagnosticId::weight_gap, DiagnosticId::equal_draw_order});
}

}  // namespace validate_test
