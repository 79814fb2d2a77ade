// SPDX-License-Identifier: MIT
// pchr inspect: what is inside a character.
#include "artwork_report.hpp"
#include "common.hpp"
#include "files_report.hpp"
#include "json.hpp"
#include "output.hpp"
#include "summary.hpp"
#include "table.hpp"

#include <algorithm>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <vector>

namespace pchr::tools {
namespace {

constexpr std::size_t kFewBones = 40;
constexpr std::uint32_t kDeepestIndentation = 32;

struct InspectOptions {
  InputOptions input;
  bool json = false;
  bool bones = false;
};

std::string_view encoding_name(ImageEncoding encoding) {
  switch (encoding) {
    case ImageEncoding::png:
      return "png";
    case ImageEncoding::rgba8888:
      return "rgba8888";
    case ImageEncoding::absent:
      return "absent";
  }
  return "";
}

std::string looping(const Clip& clip) {
  if (!clip.looping) return "no";
  return clip.loop_start == 0 ? "yes" : fmt::format("from {}", clip.loop_start);
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
}

using Files = std::vector<std::filesystem::path>;

class TextReport {
 public:
  TextReport(const Character& character, const Summary& summary, const Markers& markers, const Files& files,
             const InspectOptions& options)
      : character_(character), summary_(summary), markers_(markers), files_(files), options_(options) {}

  fmt::memory_buffer write() {
    header();
    sections();
    append_artwork(out_, character_);
    images();
    pictures();
    bones();
    meshes();
    clips();
    markers();
    append_files(out_, character_, files_);
    warnings();
    return std::move(out_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    out_.push_back('\n');
  }

  void header() {
    const CharacterData& data = character_.data();
    line("{}", printable(input_name(options_.input.file)));
    if (!data.title.empty()) line("  {:<12}{}", "title", shown(data.title));
    if (!data.author.empty()) line("  {:<12}{}", "author", shown(data.author));
    line("  {:<12}{}{}", "format", data.format, data.spatial ? ", spatial" : "");
    if (summary_.file_bytes) line("  {:<12}{} bytes", "size", grouped(*summary_.file_bytes));
    line("  {:<12}{} frames per second", "rate", data.frames_per_second);
    line("  {:<12}{}", "flags",
         data.reserved_flags == 0 ? "none" : fmt::format("{:#06x} (reserved)", data.reserved_flags));
    if (data.chara) line("  {:<12}{}", "behavior", behavior(*data.chara));
    line("  {:<12}{}", "bind pose", bind_pose());
    line("  {:<12}{} in the bind pose", "bounds", rectangle(summary_.bind_bounds));
    line("  {:<12}{} over all clips{}", "", rectangle(summary_.all_bounds),
         data.spatial ? ", seen from the front" : "");
    if (data.spatial) line("  {:<12}{}", "depth", depth());
    line("  {:<12}{} bytes loaded, {} on the GPU", "memory", grouped(summary_.memory_bytes),
         grouped(summary_.graphics_bytes));
    line("  {:<12}{} bytes on the GPU for all clips: {} that vertices use, {}", "baked", grouped(summary_.baked_bytes),
         counted(summary_.bake.bones, "bone", "bones"),
         counted(summary_.bake.draw_orders, "draw order", "draw orders"));
  }

  void sections() {
    if (summary_.sections.empty()) return;
    line("\n{}", counted(summary_.sections.size(), "section", "sections"));
    Table table({{"name"}, {"offset", Align::right}, {"bytes", Align::right}});
    for (const FileSection& section : summary_.sections) {
      table.add({section.name, fmt::format("{:#x}", section.offset), grouped(section.bytes)});
    }
    append(table);
  }

  std::string bind_pose() const {
    const BindPoseSource source = character_.bind_pose_source();
    if (!source.clip) return character_.data().bind_pose.x.empty() ? "identity" : "as the file says";
    return fmt::format("frame {} of clip {} {}", source.frame, *source.clip,
                       shown(character_.clips()[*source.clip].name));
  }

  static std::string behavior(const CharaInfo& chara) {
    const std::string after = "after " + counted(chara.wait, "idle cycle", "idle cycles");
    return fmt::format("{}, #Wait {}: reacts {}", chara.legacy ? "legacy" : "modern", chara.wait,
                       chara.legacy ? "at once" : after);
  }

  [[nodiscard]] std::string depth() const {
    if (summary_.bind_box.empty()) return "nothing visible";
    return fmt::format("{:.1f} to {:.1f}, {:.1f} units, in the bind pose", summary_.bind_box.min.z,
                       summary_.bind_box.max.z, summary_.bind_box.size().z);
  }

  static std::string rectangle(const Rect& rect) {
    if (rect.empty()) return "nothing visible";
    return fmt::format("({:.1f}, {:.1f}) to ({:.1f}, {:.1f}), {:.1f} x {:.1f} px,", rect.min.x, rect.min.y, rect.max.x,
                       rect.max.y, rect.size().x, rect.size().y);
  }

  void images() {
    const std::vector<Image>& images = character_.data().images;
    const bool has_placeholder = images.empty() && !character_.meshes().empty();
    line("\n{}{}", counted(images.size(), "image", "images"),
         has_placeholder ? ", so the meshes are drawn in a checker pattern" : "");
    if (images.empty()) return;
    Table table({{"#", Align::right}, {"name"}, {"size", Align::right}, {"encoding"}, {"bytes", Align::right}});
    for (const Image& image : images) {
      table.add({number(), shown(image.name), fmt::format("{} x {}", image.width, image.height),
                 std::string(encoding_name(image.encoding)), grouped(image.bytes.size())});
    }
    append(table);
  }

  void pictures() {
    const auto& pictures = character_.data().pictures;
    if (pictures.empty()) return;
    line("\n{} for menus", counted(pictures.size(), "picture", "pictures"));
    Table table({{"name"}, {"image"}, {"at", Align::right}, {"size", Align::right}});
    for (const Picture& picture : pictures) {
      table.add({shown(picture.name), reference(picture.image, character_.images()),
                 fmt::format("{}, {}", picture.x, picture.y), fmt::format("{} x {}", picture.width, picture.height)});
    }
    append(table);
  }

  void bones() {
    const auto bones = character_.bones();
    const auto roots =
        static_cast<std::size_t>(std::ranges::count_if(bones, [](const Bone& bone) { return bone.parent < 0; }));
    std::string title = "\n" + counted(bones.size(), "bone", "bones");
    if (!bones.empty()) {
      title += fmt::format(", {}, {} deep", counted(roots, "root", "roots"),
                           *std::ranges::max_element(summary_.bone_depths));
    }
    const bool listed = options_.bones || bones.size() <= kFewBones;
    line("{}{}", title, listed ? "" : " (--bones lists them)");
    if (bones.empty() || !listed) return;
    Table table({{"#", Align::right}, {"name"}});
    for (const std::uint32_t bone : tree_order()) {
      // A chain of thousands of bones would be indented off every screen, at a cost of gigabytes.
      const std::size_t depth = std::min(summary_.bone_depths[bone], kDeepestIndentation);
      const std::string indentation(2 * (depth - 1), ' ');
      table.add({fmt::format("{}", bone), indentation + shown(bones[bone].name)});
    }
    append(table);
  }

  // Each bone after its parent and the parent's earlier children with all of theirs.
  std::vector<std::uint32_t> tree_order() const {
    const auto bones = character_.bones();
    std::vector<std::vector<std::uint32_t>> children(bones.size() + 1);
    for (std::uint32_t bone = 0; bone < bones.size(); ++bone) {
      children[static_cast<std::size_t>(std::int64_t{bones[bone].parent} + 1)].push_back(bone);
    }
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> waiting(children[0].rbegin(), children[0].rend());
    while (!waiting.empty()) {
      const std::uint32_t bone = waiting.back();
      waiting.pop_back();
      order.push_back(bone);
      waiting.insert(waiting.end(), children[bone + 1].rbegin(), children[bone + 1].rend());
    }
    return order;
  }

  void meshes() {
    const std::size_t triangles = character_.indices().size() / 3;
    line("\n{}, {}, {}", counted(character_.meshes().size(), "mesh", "meshes"),
         counted(character_.vertices().size(), "vertex", "vertices"), counted(triangles, "triangle", "triangles"));
    if (character_.meshes().empty()) return;
    Table table({{"#", Align::right},
                 {"name"},
                 {"image"},
                 {"vertices", Align::right},
                 {"triangles", Align::right},
                 {"influences", Align::right},
                 {"governing bone"}});
    for (std::size_t i = 0; i < character_.meshes().size(); ++i) {
      const Mesh& mesh = character_.meshes()[i];
      const std::uint32_t bone = character_.governing_bone(i);
      table.add({number(), shown(mesh.name), reference(mesh.image, character_.images()), grouped(mesh.vertex_count),
                 grouped(mesh.index_count / 3), fmt::format("{}", summary_.influences[i]),
                 bone < character_.bones().size() ? reference(bone, character_.bones()) : "none"});
    }
    append(table);
  }

  void clips() {
    line("\n{}", counted(character_.clips().size(), "clip", "clips"));
    if (character_.clips().empty()) return;
    std::vector<Column> columns{{"#", Align::right},
                                {"name"},
                                {"frames", Align::right},
                                {"seconds", Align::right},
                                {"loop"},
                                {"changes"},
                                {"draws", Align::right},
                                {"baked", Align::right},
                                {"left", Align::right},
                                {"bottom", Align::right},
                                {"right", Align::right},
                                {"top", Align::right}};
    const bool has_groups =
        std::ranges::any_of(character_.clips(), [](const Clip& clip) { return !clip.group.empty(); });
    if (has_groups) columns.insert(columns.begin() + 2, Column{"group"});
    Table table(std::move(columns));
    for (std::size_t i = 0; i < character_.clips().size(); ++i) {
      const Clip& clip = character_.clips()[i];
      const ClipSummary& summary = summary_.clips[i];
      const Rect& rect = summary.bounds;
      const auto edge = [&](float value) { return rect.empty() ? std::string("-") : fmt::format("{:.1f}", value); };
      std::vector<std::string> cells{number(),
                                     shown(clip.name),
                                     grouped(clip.frame_count),
                                     fmt::format("{:.3f}", clip.duration_seconds()),
                                     looping(clip),
                                     changes(summary),
                                     grouped(summary_.bake.clips[i].draw_calls),
                                     grouped(summary_.bake.clips[i].palette_bytes),
                                     edge(rect.min.x),
                                     edge(rect.min.y),
                                     edge(rect.max.x),
                                     edge(rect.max.y)};
      if (has_groups) cells.insert(cells.begin() + 2, clip.group.empty() ? "-" : shown(clip.group));
      table.add(std::move(cells));
    }
    append(table);
  }

  static std::string changes(const ClipSummary& clip) {
    if (clip.changes_visibility && clip.changes_order) return "parts, order";
    return clip.changes_visibility ? "parts" : clip.changes_order ? "order" : "-";
  }

  void markers() {
    if (markers_.all().empty()) return;
    line("\n{}", counted(markers_.all().size(), "marker", "markers"));
    Table table({{"#", Align::right}, {"name"}, {"clip"}, {"frame", Align::right}});
    for (const Marker& marker : markers_.all()) {
      table.add({number(), shown(marker.name), reference(marker.clip, character_.clips()), grouped(marker.frame)});
    }
    append(table);
  }

  void warnings() {
    if (character_.warnings().empty()) return;
    line("\n{}", counted(character_.warnings().size(), "warning", "warnings"));
    for (const Finding& warning : character_.warnings()) line("{}", describe(warning, input_name(options_.input.file)));
  }

  // An element's number, as wide as the last element's, and its name.
  static std::string reference(std::size_t index, const auto& elements) {
    const std::size_t width = fmt::formatted_size("{}", elements.size() - 1);
    return fmt::format("{:>{}} {}", index, width, shown(elements[index].name));
  }

  std::string number() { return fmt::format("{}", next_number_++); }
  void append(const Table& table) {
    table.append_to(out_);
    next_number_ = 0;
  }

  const Character& character_;
  const Summary& summary_;
  const Markers& markers_;
  const Files& files_;
  const InspectOptions& options_;
  fmt::memory_buffer out_;
  std::size_t next_number_ = 0;
};

void append_rect(JsonWriter& json, const Rect& rect) {
  if (rect.empty()) {
    json.null();
  } else {
    json.begin_array().value(rect.min.x).value(rect.min.y).value(rect.max.x).value(rect.max.y).end_array();
  }
}

void append_bind_pose(JsonWriter& json, const Character& character) {
  const BindPoseSource source = character.bind_pose_source();
  if (!source.clip) {
    json.null();
    return;
  }
  json.begin_object().key("clip").value(*source.clip).key("name").value(character.clips()[*source.clip].name);
  json.key("frame").value(source.frame).end_object();
}

void append_warning(JsonWriter& json, const Finding& warning) {
  json.begin_object().key("code").value(code(warning.id)).key("sentence").value(sentence(warning.id));
  json.key("path").value(warning.path).key("name").value(warning.name).key("byteOffset");
  if (warning.byte_offset) {
    json.value(*warning.byte_offset);
  } else {
    json.null();
  }
  json.key("detail").value(warning.detail).end_object();
}

fmt::memory_buffer json_report(const Character& character, const Summary& summary, const Markers& markers,
                               const Files& files) {
  const CharacterData& data = character.data();
  JsonWriter json;
  json.begin_object(Layout::lines).key("format").value(data.format);
  json.key("title").value(data.title).key("author").value(data.author).key("fileBytes");
  if (summary.file_bytes) {
    json.value(*summary.file_bytes);
  } else {
    json.null();
  }
  json.key("framesPerSecond").value(data.frames_per_second).key("flags").value(data.reserved_flags);
  json.key("bindPose");
  append_bind_pose(json, character);
  json.key("bindPoseBounds");
  append_rect(json, summary.bind_bounds);
  json.key("bounds");
  append_rect(json, summary.all_bounds);
  if (data.spatial && !summary.bind_box.empty()) {
    json.key("depth").begin_array().value(summary.bind_box.min.z).value(summary.bind_box.max.z).end_array();
  }

  json.key("memoryBytes").value(summary.memory_bytes).key("graphicsBytes").value(summary.graphics_bytes);
  json.key("paletteBytes").value(summary.palette_bytes).key("bakedBytes").value(summary.baked_bytes);
  json.key("usedBones").value(summary.bake.bones).key("drawOrders").value(summary.bake.draw_orders);
  json.key("sections").begin_array(Layout::lines);
  for (const FileSection& section : summary.sections) {
    json.begin_object().key("name").value(section.name).key("offset").value(section.offset);
    json.key("bytes").value(section.bytes).end_object();
  }
  json.end_array();

  json.key("images").begin_array(Layout::lines);
  for (const Image& image : data.images) {
    json.begin_object().key("name").value(image.name).key("width").value(image.width).key("height").value(image.height);
    json.key("encoding").value(encoding_name(image.encoding)).key("bytes").value(image.bytes.size()).end_object();
  }
  json.end_array();

  json.key("pictures").begin_array(Layout::lines);
  for (const Picture& picture : data.pictures) {
    json.begin_object().key("name").value(picture.name).key("image").value(picture.image);
    json.key("x").value(picture.x).key("y").value(picture.y);
    json.key("width").value(picture.width).key("height").value(picture.height).end_object();
  }
  json.end_array();

  json.key("chara");
  if (data.chara) {
    json.begin_object().key("legacy").value(data.chara->legacy).key("wait").value(data.chara->wait).end_object();
  } else {
    json.null();
  }

  json.key("artwork");
  append_artwork(json, character);

  json.key("bones").begin_array(Layout::lines);
  for (const Bone& bone : character.bones()) {
    json.begin_object().key("name").value(bone.name).key("parent").value(bone.parent).end_object();
  }
  json.end_array();

  json.key("meshes").begin_array(Layout::lines);
  for (std::size_t i = 0; i < character.meshes().size(); ++i) {
    const Mesh& mesh = character.meshes()[i];
    json.begin_object().key("name").value(mesh.name).key("image").value(mesh.image);
    json.key("vertices").value(mesh.vertex_count).key("triangles").value(mesh.index_count / 3);
    json.key("influences").value(summary.influences[i]).key("governingBone").value(character.governing_bone(i));
    json.end_object();
  }
  json.end_array();

  json.key("clips").begin_array(Layout::lines);
  for (std::size_t i = 0; i < character.clips().size(); ++i) {
    const Clip& clip = character.clips()[i];
    json.begin_object()
        .key("name")
        .value(clip.name)
        .key("group")
        .value(clip.group)
        .key("frames")
        .value(clip.frame_count);
    json.key("seconds").value(clip.duration_seconds()).key("loop").value(clip.looping);
    json.key("loopStart").value(clip.loop_start).key("evenFrames").value(clip.frame_ends.empty()).key("bounds");
    append_rect(json, summary.clips[i].bounds);
    json.key("changesVisibility").value(summary.clips[i].changes_visibility);
    json.key("changesOrder").value(summary.clips[i].changes_order);
    json.key("drawCalls").value(summary.bake.clips[i].draw_calls);
    json.key("bakedBytes").value(summary.bake.clips[i].palette_bytes).end_object();
  }
  json.end_array();

  json.key("markers").begin_array(Layout::lines);
  for (const Marker& marker : markers.all()) {
    json.begin_object().key("name").value(marker.name).key("clip").value(marker.clip);
    json.key("frame").value(marker.frame).end_object();
  }
  json.end_array();

  append_files(json, character, files);
  json.key("warnings").begin_array(Layout::lines);
  for (const Finding& warning : character.warnings()) append_warning(json, warning);
  json.end_array().end_object();
  return std::move(json.text);
}

Result<void> run(const InspectOptions& options) {
  InputOptions input_options = options.input;
  Files announced;
  input_options.load.before_reading = [&](const std::filesystem::path& file) { announced.push_back(file); };
  const auto input = open_input(input_options);
  if (!input) return std::unexpected(input.error());
  const Files files = files_read(input->character, announced);
  const auto markers = open_markers(input->character, options.input);
  if (!markers) return std::unexpected(markers.error());
  const Summary summary = summarize(input->character, options.input.file);
  if (options.json) {
    const fmt::memory_buffer report = json_report(input->character, summary, *markers, files);
    return write_stdout({report.data(), report.size()});
  }
  const fmt::memory_buffer report = TextReport(input->character, summary, *markers, files, options).write();
  return print_text({report.data(), report.size()});
}

}  // namespace

Verb add_inspect(CLI::App& app) {
  CLI::App* command = app.add_subcommand("inspect", "Show what is inside a character");
  const auto options = std::make_shared<InspectOptions>();
  add_input_options(*command, options->input);
  command->add_flag("--json", options->json, "Print JSON, for programs");
  command->add_flag("--bones", options->bones, "List the bones, however many");
  command->footer(
      std::string(
          R"(Influences are the most bones that any vertex of a mesh uses. The governing bone rules whether a mesh is
visible and its place in the draw order. Bounds are those of visible vertices, in world pixels, y up. Parts change
where meshes show and hide in a clip, order where they change places. Draws is the most draw calls that any frame
takes alone: a run of meshes of one image is one, and so is a crowd whose frames are all of one image. Baked is what
the clip's palettes take on the GPU once it plays, at its own rate. Markers are the named frames in the file beside
the character, hero.markers.json for hero.pchr:
  {"markers": [{"clip": "walk", "frame": 4, "name": "step"}]}

--json prints one object; keys may be added, none is renamed or removed:
  format, title, author, fileBytes, framesPerSecond, flags
  bindPose         {clip, name, frame}, or null for the identity
  bindPoseBounds   [left, bottom, right, top], or null where nothing is visible
  bounds           the same over every frame of every clip
  memoryBytes      as loaded, images encoded
  graphicsBytes    textures with mipmaps, vertices and index lists
  paletteBytes     uploaded per frame for an instance that is posed; a baked one takes 32 and its draw command
  bakedBytes       palettes of all clips on the GPU
  usedBones        bones that vertices use
  drawOrders       distinct draw orders over all frames
  sections         [{name, offset, bytes}] of a v1 file, else empty
  images           [{name, width, height, encoding: "png"|"rgba8888"|"absent", bytes}]
  pictures         [{name, image, x, y, width, height}], parts of images for menus
  chara            of a .chp, else null: {legacy, wait}, wait in idle cycles before a reaction (#Wait)
  artwork          of a .px, else null: {width, height, indexed, speed, frameMs, layers, tags, tilesets, palette}
    layers         [{name, parent, kind, use, visible, drawn, opacity, blend, colour}], from top to bottom
    tags           [{name, first, last, direction, repeats, enabled, clip, colour}], repeats 0 for ever
    tilesets       [{name, tileWidth, tileHeight, tiles, image}], image null where there are no pixels
  bones            [{name, parent}], parent -1 for a root
  meshes           [{name, image, vertices, triangles, influences, governingBone}]
  clips            [{name, group, frames, seconds, loop, bounds, changesVisibility, changesOrder, drawCalls,
                   bakedBytes}], group as a .psa file gives it
  markers          [{name, clip, frame}], clip as its number
  animationFiles   [{path, bones, matchedBones, attached}] of an Unreal mesh; those that are not attached were not read
  files            [path], all that the character was read from
  warnings         [{code, sentence, path, name, byteOffset, detail}]

Examples:
  pchr inspect hero.pchr --bones
  pchr inspect hero.pchr --json | jq -r '.clips[].name'

)") + kExitCodes);
  return {command, [options] { return run(*options); }};
}

}  // namespace pchr::tools
