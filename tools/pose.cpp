// SPDX-License-Identifier: MIT
// pchr pose: one moment of a character as numbers.
#include "common.hpp"
#include "json.hpp"
#include "output.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <span>

namespace pchr::tools {
namespace {

struct PoseOptions {
  InputOptions input;
  MomentOptions moment;
};

void append_pose(JsonWriter& json, const Character& character, const PosedCharacter& posed) {
  json.key("bones").begin_array(Layout::lines);
  for (std::size_t bone = 0; bone < character.bones().size(); ++bone) {
    json.begin_object().key("name").value(character.bones()[bone].name).key("world");
    if (character.is_spatial()) {
      json.array(std::span(&posed.spatial_world[bone][0].x, 12));
    } else {
      json.array(std::span(&posed.world[bone][0].x, 6));
    }
    json.end_object();
  }
  json.end_array();

  json.key("drawOrder").begin_array();
  for (const DrawItem& item : posed.draw_list) json.value(item.mesh);
  json.end_array();

  json.key("meshes").begin_array(Layout::lines);
  std::vector<Vec2> skinned;
  std::vector<Vec3> in_space;
  for (const Mesh& mesh : character.meshes()) {
    json.begin_object().key("name").value(mesh.name).key("vertices").begin_array();
    if (character.is_spatial()) {
      in_space.resize(mesh.vertex_count);
      skin(character.vertices(mesh), character.spatial_vertices().subspan(mesh.first_vertex, mesh.vertex_count),
           posed.spatial_palette, in_space);
      for (const Vec3& vertex : in_space) json.array(std::span(&vertex.x, 3));
    } else {
      skinned.resize(mesh.vertex_count);
      skin(character.vertices(mesh), posed.palette, skinned);
      for (const Vec2 vertex : skinned) json.array(std::span(&vertex.x, 2));
    }
    json.end_array().end_object();
  }
  json.end_array();
}

Result<void> run(const PoseOptions& options) {
  const auto input = open_input(options.input);
  if (!input) return std::unexpected(input.error());
  print_warnings(*input, options.input);
  const Character& character = input->character;

  PosedCharacter posed;
  JsonWriter json;
  json.begin_object(Layout::lines);
  if (options.moment.clip) {
    const auto clip = find_clip(character, *options.moment.clip);
    if (!clip) return std::unexpected(clip.error());
    const auto position = find_position(character.clips()[*clip], options.moment);
    if (!position) return std::unexpected(position.error());
    pose_clip(character, *clip, *position, posed);
    json.key("clip").value(character.clips()[*clip].name).key("frame").value(position->frame);
  } else {
    pose_bind(character, posed);
    json.key("clip").null().key("frame").null();
  }
  append_pose(json, character, posed);
  json.end_object();
  return write_stdout({json.text.data(), json.text.size()});
}

}  // namespace

Verb add_pose(CLI::App& app) {
  CLI::App* command = app.add_subcommand("pose", "Print one moment as JSON: bones, draw order, skinned vertices");
  const auto options = std::make_shared<PoseOptions>();
  add_input_options(*command, options->input);
  add_moment_options(*command, options->moment);
  for (const char* option : {"--frame", "--time"}) command->get_option(option)->needs("--clip");
  command->get_option("--smooth")->needs("--time");
  command->footer(std::string(R"(Without --clip: the bind pose. For another implementation to compare itself with:
  clip       name, or null for the bind pose
  frame      the frame, or the earlier one of two between which --smooth interpolates; null for the bind pose
  bones      [{name, world: [a, b, c, d, tx, ty]}] in file order: x' = a*x + c*y + tx, y' = b*x + d*y + ty
  drawOrder  indices of the visible meshes, back to front
  meshes     [{name, vertices: [[x, y], ...]}] in file order: every vertex, skinned, hidden meshes too
World pixels, y up. Of a spatial character (.psk), world has the columns that say where x, y and z go, then the
translation, three numbers each, and vertices are [x, y, z]. Numbers are 32-bit floats, printed so that they read back exactly; null is not finite.

Examples:
  pchr pose hero.pchr --clip walk --frame 3
  pchr pose hero.pchr --clip walk --time 0.51 --smooth | jq .drawOrder
  pchr pose hero.pchr --bind rest:0

)") + kExitCodes);
  return {command, [options] { return run(*options); }};
}

}  // namespace pchr::tools
