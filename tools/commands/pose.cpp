// SPDX-License-Identifier: MIT
// pchr pose: prints the poses of characters at one moment.
#include "commands/commands.hpp"
#include "input.hpp"
#include "options.hpp"

namespace pchr::tools {
namespace {

struct PoseOptions {
  InputOptions input;
  std::optional<std::string> clip;
  MomentOptions moment;
};

void append_pose(JsonWriter& json, const Character& character, const PoseBuffers& posed) {
  json.list("bones", character.bones().ids(), [&](BoneId id) {
    const std::size_t bone = index(id);
    json.object("name", character.bones()[id].name, "world",
                character.is_3d() ? std::span(&posed.world_3d[bone][0].x, 12) : std::span(&posed.world[bone][0].x, 6));
  });
  json.fields("drawOrder", std::views::transform(posed.draw_list, &DrawItem::mesh));
  json.list("meshes", character.meshes(), [&](const Mesh& mesh) {
    const auto numbers = [](const auto& vertex) { return std::span(&vertex.x, sizeof(vertex) / sizeof(float)); };
    if (character.is_3d()) {
      std::vector<Vec3> vertices(mesh.vertex_count);
      deform(character.vertices(mesh), character.vertices_3d().subspan(mesh.first_vertex, mesh.vertex_count),
             posed.palette_3d, vertices);
      json.object("name", mesh.name, "vertices", std::views::transform(vertices, numbers));
    } else {
      std::vector<Vec2> vertices(mesh.vertex_count);
      deform(character.vertices(mesh), posed.palette, vertices);
      json.object("name", mesh.name, "vertices", std::views::transform(vertices, numbers));
    }
  });
}

void run_pose(PoseOptions options) {
  const Input input = open_input(options.input);
  print_warnings(input, options.input);
  const Character& character = input.character;

  PoseBuffers posed;
  JsonWriter json;
  json.begin_object(JsonWriter::lines).fields("version", kJsonVersion, "file", input_name(options.input.file));
  if (options.clip) {
    const ClipId clip = find_clip(character, *options.clip);
    const ClipTime time = find_time(character.clips()[clip], options.moment);
    pose_clip(character, clip, time, posed);
    json.fields("clip", character.clips()[clip].name, "frame", time.frame);
  } else {
    pose_bind(character, posed);
    json.fields("clip", nullptr, "frame", nullptr);
  }
  append_pose(json, character, posed);
  json.end_object();
  write_stdout(json.text);
}

void run_poses(const PoseOptions& options) { run_and_list(options, run_pose, true); }

}  // namespace

void add_pose(CLI::App& app) {
  const auto [command, options] = add_subcommand<PoseOptions>(
      app, "pose", "Print bone matrices, draw order and skinned vertices as JSON", run_poses);
  begin_group(command, "Clip and time");
  add_option(command, "--clip", options.clip, "NAME", "Name of the clip (default: the bind pose)");
  add_moment_options(command, options.moment);
  for (const char* option : {"--frame", "--time"}) command.get_option(option)->needs("--clip");
  command.get_option("--smooth")->needs("--time");
  add_inputs_options(command, options.input);
  add_record_options(command, options.input.batch.record, true);
  set_manual(command,
             R"(Prints one JSON object, or an array of them for several files, for checking another implementation:
  version    1; keys can be added, but none is renamed or removed
  file       name as given, or "standard input"
  clip       name, or null for the bind pose
  frame      the frame, or the earlier of the two frames that --smooth
             interpolates; null for the bind pose
  bones      [{name, world: [a, b, c, d, tx, ty]}] in file order, where
             x' = a*x + c*y + tx and y' = b*x + d*y + ty
  drawOrder  indices of the visible meshes, back to front
  meshes     [{name, vertices: [[x, y], ...]}] in file order, with all
             vertices skinned, including those of hidden meshes

Of a 3D character (.psk), world lists the x, y and z axes and the translation, three numbers each, and vertices are
[x, y, z]. Numbers are 32-bit floats in the shortest form that reads back exactly; values that are not finite are null.)",
             R"(  pchr pose hero.pchr --clip walk --frame 3
  pchr pose hero.pchr --clip walk --time 0.51 --smooth | jq .drawOrder
  pchr pose hero.pchr --bind rest:0
  pchr pose cast/*.pchr | jq -r '.[].file')");
}

}  // namespace pchr::tools
