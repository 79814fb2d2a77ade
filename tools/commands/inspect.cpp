// SPDX-License-Identifier: MIT
// pchr inspect: describes the contents of a character.
#include "commands/commands.hpp"
#include "input.hpp"
#include "options.hpp"
#include "platform/files.hpp"
#include "platform/utf8_path.hpp"

#include <numeric>
#include <set>

namespace pchr::tools {
namespace {

namespace fs = std::filesystem;
using Files = std::vector<std::string>;

struct ClipSummary {
  Rect bounds;                      ///< Bounds of everything visible in any frame.
  bool changes_visibility = false;  ///< A mesh is visible in some frames and hidden in others.
  bool changes_order = false;       ///< Two meshes swap places.
};

struct Summary {
  std::optional<std::uint64_t> file_bytes;
  std::vector<FileSection> sections;  ///< Empty unless the format is v1.
  Rect bind_bounds;
  Rect all_bounds;
  Box bind_box;  ///< Empty for a 2D character.
  std::vector<ClipSummary> clips;
  std::vector<std::uint32_t> bone_depths;  ///< 1 for a root.
  std::uint64_t memory_bytes = 0;          ///< As loaded, images encoded.
  std::uint64_t graphics_bytes = 0;        ///< Textures with mipmaps, vertices and index lists.
  std::uint64_t palette_bytes = 0;         ///< Uploaded per frame for an instance posed on the CPU.
  std::uint64_t baked_bytes = 0;           ///< Palettes of all clips.
  BakeCost bake;
};

// Returns the largest number of influences of any vertex of the mesh.
std::ptrdiff_t used_influences(const Character& character, const Mesh& mesh) {
  std::ptrdiff_t max = 0;
  for (const Vertex& vertex : character.vertices(mesh)) {
    max = std::max(max, 4 - std::ranges::count(vertex.weights, 0.0F));
  }
  return max;
}

ClipSummary summarize_clip(const Character& character, ClipId clip) {
  ClipSummary summary;
  summary.bounds = compute_clip_bounds(character, clip, executor());
  DrawList list;
  std::vector<MeshId> first_visible, visible;
  // Each mesh's place when it was last visible, from 1. If these are out of order, meshes have swapped places.
  std::vector<std::uint32_t> places(character.meshes().size(), 0);
  // Without bones all frames are equal, and a file can declare any number of them at no cost.
  const std::uint32_t max = character.bones().empty() ? 1 : 0xFFFFFFFF;
  for (std::uint32_t frame = 0; frame < std::min(character.clips()[clip].frame_count, max); ++frame) {
    build_draw_list(character, character.clips()[clip].samples.frame(frame, character.bones().size()), list);
    visible.clear();
    std::uint32_t last = 0;
    for (const DrawItem& item : list) {
      visible.push_back(item.mesh);
      std::uint32_t& place = places[index(item.mesh)];
      if (place > 0) summary.changes_order |= std::exchange(last, place) > place;
      place = static_cast<std::uint32_t>(visible.size());
    }
    std::ranges::sort(visible);
    if (frame == 0) first_visible = visible;
    summary.changes_visibility |= visible != first_visible;
  }
  return summary;
}

std::uint64_t bytes_with_mipmaps(const Image& image) {
  std::uint64_t bytes = 0;
  for (std::uint64_t width = image.width, height = image.height;; width /= 2, height /= 2) {
    bytes += std::max<std::uint64_t>(width, 1) * std::max<std::uint64_t>(height, 1) * 4;
    if (width <= 1 && height <= 1) return bytes;
  }
}

void estimate_memory(const Character& character, Summary& summary) {
  const std::uint64_t vertices = character.vertices().size_bytes() + character.vertices_3d().size_bytes();
  const std::uint64_t geometry = vertices + character.indices().size_bytes();
  summary.memory_bytes = geometry;
  summary.bake = compute_bake_cost(character);
  summary.graphics_bytes = vertices + summary.bake.index_bytes;
  for (const Image& image : character.images()) {
    summary.memory_bytes += image.bytes.size();
    summary.graphics_bytes += bytes_with_mipmaps(image);
  }
  for (const Clip& clip : character.clips()) {
    const std::uint64_t floats = 5 + (clip.samples.opacity.empty() ? 0 : 1);
    summary.memory_bytes +=
        clip.samples.x.size() * (floats * sizeof(float) + sizeof(std::uint8_t) + sizeof(std::int32_t)) +
        clip.samples.samples_3d.size() * sizeof(BoneSample3D);
  }
  summary.palette_bytes = std::uint64_t{summary.bake.bones} * (character.is_3d() ? 48 : 32);
  for (const ClipBakeCost& clip : summary.bake.clips) summary.baked_bytes += clip.palette_bytes;
}

Summary summarize(const Imported& imported, const std::string& file) {
  const Character& character = imported.character;
  Summary summary;
  std::error_code error;
  if (const auto size = fs::file_size(path_from_utf8(file), error); !error) summary.file_bytes = size;
  if (imported.format == "PCHR v1") summary.sections = sections_of_pchr_v1(character);

  PoseBuffers posed;
  pose_bind(character, posed);
  summary.bind_bounds = bounds(character, posed);
  if (character.is_3d()) summary.bind_box = box_of(character, posed);
  bool any_frames = false;
  for (const ClipId clip : character.clips().ids()) {
    summary.clips.push_back(summarize_clip(character, clip));
    summary.all_bounds.include(summary.clips.back().bounds);
    any_frames = any_frames || character.clips()[clip].frame_count > 0;
  }
  if (!any_frames) summary.all_bounds = summary.bind_bounds;

  for (const Bone& bone : character.bones()) {
    summary.bone_depths.push_back(bone.parent == BoneId::none ? 1 : summary.bone_depths[index(bone.parent)] + 1);
  }
  estimate_memory(character, summary);
  return summary;
}

// Returns the announced files that exist, without .psa files that are not attached: only their bone names were read.
Files files_read(const Imported& imported, const Files& announced) {
  std::set<std::string> attached, known;
  for (const AnimationFile& file : imported.animation_files) {
    if (file.attached) attached.insert(file.path);
  }
  Files files;
  for (const std::string& path : announced) {
    const bool is_animation = CLI::detail::to_lower(utf8_of(path_from_utf8(path).extension())) == ".psa";
    if ((is_animation && !attached.contains(path)) || find_kind(path) == FileKind::none) continue;
    if (known.insert(path).second) files.push_back(path);
  }
  return files;
}

struct InspectOptions {
  InputOptions input;
  bool json = false;
  bool bones = false;
};

std::string encoding_name(ImageEncoding encoding) {
  using enum ImageEncoding;
  return encoding == png ? "png" : encoding == rgba8888 ? "rgba8888" : "absent";
}

// Returns an element's number, padded to the width of the last number, and its name.
std::string reference(std::size_t index, const auto& elements) {
  const std::size_t width = fmt::formatted_size("{}", elements.size() - 1);
  return fmt::format("{:>{}} {}", index, width, shown(elements[index].name));
}

// Artworks

std::string yes_or_no(bool value) { return value ? "yes" : "no"; }

/// Returns a layer's kind, and its use unless it is simply drawn.
std::string kind_of(const ArtworkLayer& layer) {
  if (layer.use == LayerUse::drawn) return std::string(name_of(layer.kind));
  if (layer.kind == LayerKind::layer) return std::string(name_of(layer.use));
  return fmt::format("{}, {}", name_of(layer.kind), name_of(layer.use));
}

std::string repeats_of(const ArtworkTag& tag) {
  return tag.repeats == 0 ? "forever" : tag.repeats == 1 ? "once" : fmt::format("{} times", tag.repeats);
}

std::string code_of(const Rgba& color) {
  std::string code = fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
  if (color.alpha < 255) code += fmt::format("{:02x}", color.alpha);
  return code;
}

std::string flips_of(const ArtworkReference& reference) {
  if (reference.flipped_horizontally && reference.flipped_vertically) return "both";
  return reference.flipped_horizontally ? "horizontally" : reference.flipped_vertically ? "vertically" : "no";
}

void append_layers(std::string& out, const Artwork& artwork) {
  std::vector<std::size_t> depths;
  append_table(out, counted(artwork.layers.size(), "layer"),
               {">", "name", "kind", "blend", ">opacity", "visible", "drawn"}, artwork.layers,
               [&](const ArtworkLayer& layer) -> Cells {
                 depths.push_back(layer.parent < 0 ? 0 : depths[static_cast<std::size_t>(layer.parent)] + 1);
                 return {std::string(2 * depths.back(), ' ') + shown(layer.name),
                         kind_of(layer),
                         std::string(name_of(layer.blend)),
                         fmt::format("{:.0f} %", layer.opacity * 100),
                         yes_or_no(layer.visible),
                         yes_or_no(layer.drawn)};
               });
}

void append_tags(std::string& out, const Character& character, const Artwork& artwork) {
  if (artwork.tags.empty()) return;
  append_table(out, counted(artwork.tags.size(), "tag"),
               {">", "name", ">frames", "direction", "plays", "enabled", "clip"}, artwork.tags,
               [&](const ArtworkTag& tag) -> Cells {
                 return {shown(tag.name),
                         fmt::format("{} to {}", tag.first_frame, tag.last_frame),
                         std::string(name_of(tag.direction)),
                         repeats_of(tag),
                         yes_or_no(tag.enabled),
                         fmt::format("{} {}", tag.clip, shown(character.clips()[tag.clip].name))};
               });
}

void append_tilesets(std::string& out, const Artwork& artwork) {
  if (artwork.tilesets.empty()) return;
  append_table(out, counted(artwork.tilesets.size(), "tileset"), {">", "name", ">tile", ">tiles", "image"},
               artwork.tilesets, [](const ArtworkTileset& set) -> Cells {
                 return {shown(set.name), fmt::format("{} x {}", set.tile_width, set.tile_height),
                         grouped(set.tile_count), set.image ? std::to_string(*set.image) : "none"};
               });
}

std::string shown_area(const ArtworkArea& area) {
  return fmt::format("{} x {} at {}, {}", area.width, area.height, area.left, area.top);
}

/// Appends a row for each place that a slice has.
void append_slices(std::string& out, const Artwork& artwork) {
  std::vector<std::pair<const ArtworkSlice*, const ArtworkSliceKey*>> rows;
  for (const ArtworkSlice& slice : artwork.slices) {
    for (const ArtworkSliceKey& key : slice.keys) rows.emplace_back(&slice, &key);
  }
  if (rows.empty()) return;
  append_table(out, counted(artwork.slices.size(), "slice"), {">", "name", ">from frame", "area", "center", "pivot"},
               rows, [](const auto& row) -> Cells {
                 const ArtworkSliceKey& key = *row.second;
                 return {shown(row.first->name), std::to_string(key.first_frame), shown_area(key.area),
                         key.center ? shown_area(*key.center) : "-",
                         key.pivot ? fmt::format("{}, {}", (*key.pivot)[0], (*key.pivot)[1]) : "-"};
               });
}

void append_references(std::string& out, const Artwork& artwork) {
  std::vector<std::size_t> layers;
  for (std::size_t i = 0; i < artwork.layers.size(); ++i) {
    if (artwork.layers[i].reference) layers.push_back(i);
  }
  if (layers.empty()) return;
  append_table(out, counted(layers.size(), "reference layer") + ", drawn only if named by --layers",
               {">#", "name", ">image", ">size", ">at", ">angle", "flipped"}, layers, [&](std::size_t layer) -> Cells {
                 const ArtworkReference& reference = *artwork.layers[layer].reference;
                 return {std::to_string(layer),
                         shown(artwork.layers[layer].name),
                         reference.image_width == 0
                             ? "none"
                             : fmt::format("{} x {}", reference.image_width, reference.image_height),
                         fmt::format("{} x {}", reference.width, reference.height),
                         fmt::format("{}, {}", reference.left, reference.top),
                         fmt::format("{:.6g}", reference.rotation_degrees),
                         flips_of(reference)};
               });
}

void append_symmetry_lines(std::string& out, const Artwork& artwork) {
  if (artwork.symmetry_lines.empty()) return;
  append_table(out, counted(artwork.symmetry_lines.size(), "symmetry line"),
               {">", "kind", "enabled", ">at", ">angle", ">segments", "color"}, artwork.symmetry_lines,
               [](const ArtworkSymmetry& line) -> Cells {
                 return {std::string(name_of(line.kind)),
                         yes_or_no(line.enabled),
                         fmt::format("{:.6g}, {:.6g}", line.x, line.y),
                         fmt::format("{:.6g}", line.rotation_degrees),
                         std::to_string(line.segments),
                         code_of(line.color)};
               });
}

void append_guide(std::string& out, const ArtworkGuide& guide) {
  const std::string_view hidden = guide.visible ? "" : ", hidden";
  if (guide.kind != GuideKind::perspective) {
    out += fmt::format("\n{} guide: cells of {} x {} px, {}{}\n", name_of(guide.kind), guide.cell_width,
                       guide.cell_height, code_of(guide.color), hidden);
    return;
  }
  append_table(out, fmt::format("perspective guide: {}{}", counted(guide.points.size(), "vanishing point"), hidden),
               {">", ">at", ">lines", "color"}, guide.points, [](const ArtworkVanishingPoint& point) -> Cells {
                 return {fmt::format("{:.6g}, {:.6g}", point.x, point.y), std::to_string(point.lines),
                         code_of(point.color)};
               });
}

std::array<std::uint8_t, 4> channels(const Rgba& color) { return {color.red, color.green, color.blue, color.alpha}; }

void append_artwork(std::string& out, const Imported& imported) {
  if (!imported.artwork) return;
  const Artwork& artwork = *imported.artwork;
  const auto total_ms = std::accumulate(artwork.frame_ms.begin(), artwork.frame_ms.end(), std::uint64_t{0});
  out += fmt::format("\nartwork of {} x {} px: {} in {} ms, {}{}{}\n", artwork.width, artwork.height,
                     counted(artwork.frame_ms.size(), "frame"), grouped(total_ms),
                     counted(artwork.palette.size(), "color"), artwork.indexed ? " (indexed)" : "",
                     artwork.speed == 1 ? "" : fmt::format(", played at {:.4g}x speed", artwork.speed));
  append_layers(out, artwork);
  append_tags(out, imported.character, artwork);
  append_tilesets(out, artwork);
  append_slices(out, artwork);
  append_references(out, artwork);
  append_symmetry_lines(out, artwork);
  if (artwork.guide) append_guide(out, *artwork.guide);
  if (const auto& grid = artwork.canvas_grid) {
    out += fmt::format("\ncanvas grid: cells of {} x {} px, {} and {}\n", grid->cell_width, grid->cell_height,
                       code_of(grid->first_color), code_of(grid->second_color));
  }
}

void append_artwork(JsonWriter& json, const Artwork& artwork) {
  const auto append_reference = [&](const ArtworkReference& reference) {
    json.object("imageWidth", reference.image_width, "imageHeight", reference.image_height, "left", reference.left,
                "top", reference.top, "width", reference.width, "height", reference.height, "rotation",
                reference.rotation_degrees, "flippedHorizontally", reference.flipped_horizontally, "flippedVertically",
                reference.flipped_vertically);
  };
  const auto append_area = [&](const ArtworkArea& area) {
    json.object("left", area.left, "top", area.top, "width", area.width, "height", area.height);
  };
  json.begin_object(JsonWriter::lines)
      .fields("width", artwork.width, "height", artwork.height, "origin",
              std::array{artwork.origin_x, artwork.origin_y}, "indexed", artwork.indexed, "speed", artwork.speed,
              "frameMs", artwork.frame_ms);
  json.list("layers", artwork.layers, [&](const ArtworkLayer& layer) {
    json.begin_object().fields("name", layer.name, "parent", layer.parent, "kind", name_of(layer.kind), "use",
                               name_of(layer.use), "visible", layer.visible, "drawn", layer.drawn, "opacity",
                               layer.opacity, "blend", name_of(layer.blend), "color", channels(layer.tag_color),
                               "userText", layer.user_text);
    json.field_if("reference", layer.reference, append_reference).end_object();
  });
  json.list("tags", artwork.tags, [&](const ArtworkTag& tag) {
    json.object("name", tag.name, "first", tag.first_frame, "last", tag.last_frame, "direction", name_of(tag.direction),
                "repeats", tag.repeats, "enabled", tag.enabled, "clip", tag.clip, "color", channels(tag.color),
                "userText", tag.user_text);
  });
  json.list("tilesets", artwork.tilesets, [&](const ArtworkTileset& set) {
    json.object("name", set.name, "tileWidth", set.tile_width, "tileHeight", set.tile_height, "tiles", set.tile_count,
                "image", set.image, "userText", set.user_text);
  });
  json.list("slices", artwork.slices, [&](const ArtworkSlice& slice) {
    json.begin_object().fields("name", slice.name, "color", channels(slice.color), "userText", slice.user_text);
    json.key("keys").begin_array();
    for (const ArtworkSliceKey& key : slice.keys) {
      json.begin_object().fields("firstFrame", key.first_frame, "left", key.area.left, "top", key.area.top, "width",
                                 key.area.width, "height", key.area.height);
      json.field_if("center", key.center, append_area).fields("pivot", key.pivot).end_object();
    }
    json.end_array().end_object();
  });
  json.list("cels", artwork.cel_notes, [&](const ArtworkCelNote& note) {
    json.object("layer", note.layer, "frame", note.frame, "color", channels(note.color), "userText", note.user_text);
  });
  json.fields("palette", std::views::transform(artwork.palette, channels), "color", channels(artwork.user_color),
              "userText", artwork.user_text);
  json.list("symmetryLines", artwork.symmetry_lines, [&](const ArtworkSymmetry& line) {
    json.object("kind", name_of(line.kind), "enabled", line.enabled, "x", line.x, "y", line.y, "rotation",
                line.rotation_degrees, "segments", line.segments, "color", channels(line.color));
  });
  json.field_if("guide", artwork.guide, [&](const ArtworkGuide& guide) {
    json.begin_object().fields("kind", name_of(guide.kind), "visible", guide.visible, "cellWidth", guide.cell_width,
                               "cellHeight", guide.cell_height, "color", channels(guide.color));
    json.key("vanishingPoints").begin_array();
    for (const ArtworkVanishingPoint& point : guide.points) {
      json.object("x", point.x, "y", point.y, "lines", point.lines, "color", channels(point.color));
    }
    json.end_array().end_object();
  });
  json.field_if("canvasGrid", artwork.canvas_grid, [&](const auto& grid) {
    json.object("cellWidth", grid.cell_width, "cellHeight", grid.cell_height, "colors",
                std::array{channels(grid.first_color), channels(grid.second_color)});
  });
  json.end_object();
}

std::string type_of(const StateParameter& parameter) {
  return parameter.kind == StateParameter::Kind::number    ? "number"
         : parameter.kind == StateParameter::Kind::boolean ? "boolean"
                                                           : "trigger";
}

/// Returns the names of the clips that a state plays.
std::vector<std::string> clips_of(const State& state) {
  std::vector<std::string> clips{state.start, state.clip, state.end};
  for (const BlendPoint& point : state.points) clips.push_back(point.clip);
  std::erase(clips, "");
  return clips;
}

struct TextReport {
  const Imported& imported;
  const Summary& summary;
  const Sidecar& sidecar;
  const Files& files;
  const InspectOptions& options;
  const Character& character = imported.character;
  std::string out{};

  std::string write() {
    append_header();
    append_sections();
    append_artwork(out, imported);
    append_images();
    append_bones();
    append_meshes();
    append_clips();
    append_markers();
    append_states();
    append_animations();
    append_files();
    append_warnings();
    return std::move(out);
  }

  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Arguments>(arguments)...);
    out.push_back('\n');
  }

  void append_header() {
    const CharacterData& data = character.data();
    line("{}", printable(input_name(options.input.file)));
    if (!imported.title.empty()) line("  {:<12}{}", "title", shown(imported.title));
    if (!imported.author.empty()) line("  {:<12}{}", "author", shown(imported.author));
    line("  {:<12}{}{}", "format", imported.format, data.is_3d ? ", 3D" : "");
    if (!imported.armatures.empty()) {
      line("  {:<12}{}", "armature", shown(imported.armatures[imported.armature]));
      append_names("others", imported.armatures, imported.armature);
    }
    if (imported.skins.size() > 1) append_names("skins", imported.skins, imported.skins.size());
    if (summary.file_bytes) line("  {:<12}{} bytes", "size", grouped(*summary.file_bytes));
    line("  {:<12}{} frames per second", "rate", data.frames_per_second);
    line("  {:<12}{}", "flags",
         data.reserved_flags == 0 ? "none" : fmt::format("{:#06x} (reserved)", data.reserved_flags));
    if (const auto& chara = imported.chara) {
      line("  {:<12}{}, #Wait {}: reacts {}", "behavior", chara->legacy ? "legacy" : "modern", chara->wait,
           chara->legacy ? "immediately" : "after " + counted(chara->wait, "idle cycle"));
    }
    line("  {:<12}{}", "bind pose", bind_pose(character.bind_pose_source()));
    if (const auto& guess = character.bind_pose_guess()) {
      line("  {:<12}guessed, with a score of {:.3f}; next is {} with {:.3f}", "", guess->score,
           bind_pose(guess->runner_up), guess->runner_up_score);
    }
    line("  {:<12}{} in the bind pose", "bounds", rectangle(summary.bind_bounds));
    line("  {:<12}{} over all clips{}", "", rectangle(summary.all_bounds), data.is_3d ? ", from the front" : "");
    if (data.is_3d) line("  {:<12}{}", "depth", depth());
    line("  {:<12}{} bytes in RAM, {} on the GPU", "memory", grouped(summary.memory_bytes),
         grouped(summary.graphics_bytes));
    line("  {:<12}{} bytes on the GPU for all clips: {} used by vertices, {}", "baked", grouped(summary.baked_bytes),
         counted(summary.bake.bones, "bone"), counted(summary.bake.draw_orders, "draw order"));
  }

  [[nodiscard]] std::string bind_pose(const BindPoseSource& source) const {
    if (source.clip == ClipId::none) return character.data().bind_pose.x.empty() ? "identity" : "stored in the file";
    return fmt::format("frame {} of clip {} {}", source.frame, index(source.clip),
                       shown(character.clips()[source.clip].name));
  }

  [[nodiscard]] std::string depth() const {
    const Box& box = summary.bind_box;
    if (box.empty()) return "nothing visible";
    return fmt::format("{:.1f} to {:.1f}, {:.1f} units, in the bind pose", box.min.z, box.max.z, box.size().z);
  }

  static std::string rectangle(const Rect& rect) {
    if (rect.empty()) return "nothing visible";
    return fmt::format("({:.1f}, {:.1f}) to ({:.1f}, {:.1f}), {:.1f} x {:.1f} px,", rect.min.x, rect.min.y, rect.max.x,
                       rect.max.y, rect.size().x, rect.size().y);
  }

  void append_sections() {
    if (summary.sections.empty()) return;
    append_table(out, counted(summary.sections.size(), "section"), {"name", ">offset", ">bytes"}, summary.sections,
                 [](const FileSection& section) -> Cells {
                   return {section.name, grouped(section.offset), grouped(section.bytes)};
                 });
  }

  void append_images() {
    const std::vector<Image>& images = character.data().images;
    const bool has_placeholder = images.empty() && !character.meshes().empty();
    append_table(out,
                 counted(images.size(), "image") + (has_placeholder ? "; meshes are drawn in a checker pattern" : ""),
                 {">", "name", ">size", "encoding", ">bytes"}, images, [](const Image& image) -> Cells {
                   return {shown(image.name), fmt::format("{} x {}", image.width, image.height),
                           encoding_name(image.encoding), grouped(image.bytes.size())};
                 });
    const auto& menu_images = imported.menu_images;
    if (menu_images.empty()) return;
    append_table(out, counted(menu_images.size(), "menu image"), {"name", "image", ">at", ">size"}, menu_images,
                 [&](const MenuImage& image) -> Cells {
                   return {shown(image.name), reference(index(image.image), images),
                           fmt::format("{}, {}", image.x, image.y), fmt::format("{} x {}", image.width, image.height)};
                 });
  }

  void append_bones() {
    constexpr std::size_t kFewBones = 40;
    const auto bones = character.bones();
    const bool listed = options.bones || bones.size() <= kFewBones;
    std::string heading = counted(bones.size(), "bone");
    if (!bones.empty()) {
      const auto roots = static_cast<std::size_t>(std::ranges::count(bones, BoneId::none, &Bone::parent));
      heading += fmt::format(", {}, {} deep", counted(roots, "root"), std::ranges::max(summary.bone_depths));
    }
    if (!listed) heading += " (listed with --bones)";
    append_table(out, heading, {">#", "name"}, listed ? tree_order() : std::vector<BoneId>(),
                 [&](BoneId bone) -> Cells {
                   // Indenting a chain of thousands of bones would take gigabytes.
                   const std::size_t depth = std::min(summary.bone_depths[index(bone)], 32U);
                   return {std::to_string(index(bone)), std::string(2 * (depth - 1), ' ') + shown(bones[bone].name)};
                 });
  }

  // Returns the bones depth first, siblings in file order.
  [[nodiscard]] std::vector<BoneId> tree_order() const {
    const auto bones = character.bones();
    std::vector<std::vector<BoneId>> children(bones.size() + 1);
    for (const BoneId bone : bones.ids()) {
      children[std::min(index(bones[bone].parent), bones.size())].push_back(bone);
    }
    std::vector<BoneId> order;
    std::vector<BoneId> waiting(children.back().rbegin(), children.back().rend());
    while (!waiting.empty()) {
      const BoneId bone = waiting.back();
      waiting.pop_back();
      order.push_back(bone);
      waiting.insert(waiting.end(), children[index(bone)].rbegin(), children[index(bone)].rend());
    }
    return order;
  }

  void append_meshes() {
    const std::string heading = fmt::format("{}, {}, {}", counted(character.meshes().size(), "mesh", "meshes"),
                                            counted(character.vertices().size(), "vertex", "vertices"),
                                            counted(character.indices().size() / 3, "triangle"));
    append_table(out, heading, {">", "name", "image", ">vertices", ">triangles", ">influences", "governing bone"},
                 character.meshes().ids(), [&](MeshId id) -> Cells {
                   const Mesh& mesh = character.meshes()[id];
                   const BoneId bone = character.governing_bone(id);
                   return {shown(mesh.name),
                           reference(index(mesh.image), character.images()),
                           grouped(mesh.vertex_count),
                           grouped(mesh.index_count / 3),
                           std::to_string(used_influences(character, mesh)),
                           character.bones().contains(bone) ? reference(index(bone), character.bones()) : "none"};
                 });
  }

  void append_clips() {
    const auto clips = character.clips();
    Cells titles{">",      "name",   ">frames", ">seconds", "loop",   "changes",
                 ">draws", ">baked", ">left",   ">bottom",  ">right", ">top"};
    const bool has_groups = std::ranges::any_of(clips, [](const Clip& clip) { return !clip.group.empty(); });
    if (has_groups) titles.insert(titles.begin() + 2, "group");
    append_table(out, counted(clips.size(), "clip"), std::move(titles), clips.ids(), [&](ClipId id) {
      const Clip& clip = clips[id];
      const ClipSummary& shows = summary.clips[index(id)];
      const ClipBakeCost& cost = summary.bake.clips[index(id)];
      const Rect& rect = shows.bounds;
      const auto edge = [&](float value) { return rect.empty() ? "-" : fmt::format("{:.1f}", value); };
      Cells cells{shown(clip.name),
                  grouped(clip.frame_count),
                  fmt::format("{:.3f}", clip.duration_seconds()),
                  looping(clip),
                  changes(shows),
                  grouped(cost.draw_calls),
                  grouped(cost.palette_bytes),
                  edge(rect.min.x),
                  edge(rect.min.y),
                  edge(rect.max.x),
                  edge(rect.max.y)};
      if (has_groups) cells.insert(cells.begin() + 1, clip.group.empty() ? "-" : shown(clip.group));
      return cells;
    });
  }

  static std::string looping(const Clip& clip) {
    if (!clip.looping) return "no";
    return clip.loop_start == 0 ? "yes" : fmt::format("from {}", clip.loop_start);
  }

  static std::string changes(const ClipSummary& clip) {
    if (clip.changes_visibility && clip.changes_order) return "parts, order";
    return clip.changes_visibility ? "parts" : clip.changes_order ? "order" : "-";
  }

  void append_markers() {
    const Markers& markers = sidecar.markers;
    if (markers.all().empty()) return;
    append_table(out, counted(markers.all().size(), "marker"), {">", "name", "clip", ">frame"}, markers.all(),
                 [&](const Marker& marker) -> Cells {
                   return {shown(marker.name), reference(index(marker.clip), character.clips()), grouped(marker.frame)};
                 });
  }

  void append_states() {
    const States& states = sidecar.states;
    if (!states.parameters.empty()) {
      append_table(out, counted(states.parameters.size(), "parameter"), {">", "name", "type", ">min", ">max", "key"},
                   states.parameters, [&](const StateParameter& parameter) -> Cells {
                     const bool is_number = parameter.kind == StateParameter::Kind::number;
                     const auto number = [&](float value) { return is_number ? fmt::format("{}", value) : "-"; };
                     return {shown(parameter.name), type_of(parameter), number(parameter.min), number(parameter.max),
                             parameter.key.empty() ? "-" : shown(parameter.key)};
                   });
    }
    for (const StateLayer& layer : states.layers) {
      const std::string heading = fmt::format("{} of {}, {}", counted(layer.states.size(), "state"), shown(layer.name),
                                              counted(layer.transitions.size(), "transition"));
      append_table(out, heading, {">", "name", "plays"}, layer.states, [&](const State& state) -> Cells {
        std::string clips;
        for (const std::string& clip : clips_of(state)) clips += (clips.empty() ? "" : ", ") + shown(clip);
        return {shown(state.name), clips.empty() ? "-" : clips};
      });
    }
  }

  void append_animations() {
    constexpr std::size_t kMaxCandidates = 20;
    std::vector<AnimationFile> listed = imported.animation_files;
    if (listed.empty()) return;
    const std::size_t count = listed.size();
    std::size_t candidates = 0;
    std::erase_if(listed, [&](const AnimationFile& file) { return !file.attached && ++candidates > kMaxCandidates; });
    const std::string heading =
        fmt::format("{}, {} attached{}", counted(count, "animation file"), grouped(count - candidates),
                    candidates > 0 ? " (attach others with --animation)" : "");
    append_table(
        out, heading, {"file", ">bones", ">in the mesh", "attached"}, listed, [](const AnimationFile& file) -> Cells {
          return {shown(file.path), grouped(file.bones), grouped(file.matched_bones), file.attached ? "yes" : "no"};
        });
    if (candidates > kMaxCandidates) line("  and {} more (listed with --json)", candidates - kMaxCandidates);
  }

  void append_files() {
    if (files.size() < 2) return;
    line("\n{} files read", grouped(files.size()));
    for (const std::string& file : files) line("  {}", shown(file));
  }

  /// Appends names, except for one.
  void append_names(const char* label, const std::vector<std::string>& names, std::size_t except) {
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i != except) list += (list.empty() ? "" : ", ") + shown(names[i]);
    }
    if (!list.empty()) line("  {:<12}{}", label, list);
  }

  void append_warnings() {
    if (character.warnings().empty()) return;
    line("\n{}", counted(character.warnings().size(), "warning"));
    for (const Diagnostic& warning : character.warnings()) {
      line("{}", describe_in(options.input.file, warning));
    }
  }
};

std::string report_json(const std::string& name, const Imported& imported, const Summary& summary,
                        const Sidecar& sidecar, const Files& files) {
  JsonWriter json;
  const Character& character = imported.character;
  const CharacterData& data = character.data();
  const auto rect = [](const Rect& of) {
    return of.empty() ? std::nullopt : std::optional(std::array{of.min.x, of.min.y, of.max.x, of.max.y});
  };
  json.begin_object(JsonWriter::lines)
      .fields("version", kJsonVersion, "file", input_name(name), "format", imported.format, "title", imported.title,
              "author", imported.author, "fileBytes", summary.file_bytes, "framesPerSecond", data.frames_per_second,
              "flags", data.reserved_flags);
  const auto append_pose = [&](const char* key, const BindPoseSource& pose) {
    json.field_if(key, pose.clip != ClipId::none ? std::optional(pose) : std::nullopt, [&](const BindPoseSource& of) {
      json.object("clip", of.clip, "name", character.clips()[of.clip].name, "frame", of.frame);
    });
  };
  append_pose("bindPose", character.bind_pose_source());
  json.field_if("bindPoseGuess", character.bind_pose_guess(), [&](const BindPoseGuess& guess) {
    json.begin_object(JsonWriter::lines).fields("score", guess.score, "stretch", guess.stretch);
    append_pose("runnerUp", guess.runner_up);
    json.fields("runnerUpScore", guess.runner_up_score).end_object();
  });
  json.fields("bindPoseBounds", rect(summary.bind_bounds), "bounds", rect(summary.all_bounds));
  const bool has_depth = data.is_3d && !summary.bind_box.empty();
  json.field_if("depth", has_depth ? std::optional(summary.bind_box) : std::nullopt,
                [&](const Box& box) { json.value(std::array{box.min.z, box.max.z}); });
  json.fields("memoryBytes", summary.memory_bytes, "graphicsBytes", summary.graphics_bytes, "paletteBytes",
              summary.palette_bytes, "bakedBytes", summary.baked_bytes, "usedBones", summary.bake.bones, "drawOrders",
              summary.bake.draw_orders);
  json.list("sections", summary.sections, [&](const FileSection& section) {
    json.object("name", section.name, "offset", section.offset, "bytes", section.bytes);
  });
  json.list("images", data.images, [&](const Image& image) {
    json.object("name", image.name, "width", image.width, "height", image.height, "encoding",
                encoding_name(image.encoding), "bytes", image.bytes.size());
  });
  json.list("menuImages", imported.menu_images, [&](const MenuImage& image) {
    json.object("name", image.name, "image", image.image, "x", image.x, "y", image.y, "width", image.width, "height",
                image.height);
  });
  json.field_if("chara", imported.chara,
                [&](const CharaInfo& chara) { json.object("legacy", chara.legacy, "wait", chara.wait); });
  json.field_if("artwork", imported.artwork, [&](const Artwork& artwork) { append_artwork(json, artwork); });
  json.list("bones", character.bones(),
            [&](const Bone& bone) { json.object("name", bone.name, "parent", bone.parent); });
  json.list("meshes", character.meshes().ids(), [&](MeshId id) {
    const Mesh& mesh = character.meshes()[id];
    json.object("name", mesh.name, "image", mesh.image, "vertices", mesh.vertex_count, "triangles",
                mesh.index_count / 3, "influences", used_influences(character, mesh), "governingBone",
                character.governing_bone(id));
  });
  json.list("clips", character.clips().ids(), [&](ClipId id) {
    const Clip& clip = character.clips()[id];
    const ClipSummary& shows = summary.clips[index(id)];
    const ClipBakeCost& cost = summary.bake.clips[index(id)];
    json.object("name", clip.name, "group", clip.group, "frames", clip.frame_count, "seconds", clip.duration_seconds(),
                "loop", clip.looping, "loopStart", clip.loop_start, "evenFrames", clip.frame_ends.empty(), "bounds",
                rect(shows.bounds), "changesVisibility", shows.changes_visibility, "changesOrder", shows.changes_order,
                "drawCalls", cost.draw_calls, "bakedBytes", cost.palette_bytes);
  });
  json.list("markers", sidecar.markers.all(), [&](const Marker& marker) {
    json.object("name", marker.name, "clip", marker.clip, "frame", marker.frame);
  });
  json.list("parameters", sidecar.states.parameters, [&](const StateParameter& parameter) {
    json.object("name", parameter.name, "type", type_of(parameter), "value", parameter.value, "min", parameter.min,
                "max", parameter.max, "key", parameter.key);
  });
  json.list("stateLayers", sidecar.states.layers, [&](const StateLayer& layer) {
    json.begin_object(JsonWriter::lines).fields("name", layer.name, "mask", layer.mask);
    json.list("states", layer.states,
              [&](const State& state) { json.object("name", state.name, "clips", clips_of(state)); });
    json.fields("transitions", layer.transitions.size()).end_object();
  });
  json.list("animationFiles", imported.animation_files, [&](const AnimationFile& file) {
    json.object("path", file.path, "bones", file.bones, "matchedBones", file.matched_bones, "attached", file.attached);
  });
  json.list("armatures", imported.armatures, [&](const std::string& armature) { json.value(armature); });
  json.list("skins", imported.skins, [&](const std::string& skin) { json.value(skin); });
  json.list("files", files, [&](const std::string& file) { json.value(file); });
  json.list("warnings", character.warnings(), [&](const Diagnostic& warning) { append_diagnostic(json, warning); });
  json.end_object();
  return std::move(json.text);
}

void run_inspect(InspectOptions options) {
  InputOptions input_options = options.input;
  Files announced;
  const auto announce = [&](const std::string& file) { announced.emplace_back(file); };
  input_options.load.before_reading = announce;
  const Input input = open_input(input_options);
  const Files files = files_read(input, announced);
  const Sidecar sidecar = open_sidecar(input, options.input);
  const Summary summary = summarize(input, options.input.file);
  options.json ? write_stdout(report_json(options.input.file, input, summary, sidecar, files))
               : print_text(TextReport{input, summary, sidecar, files, options}.write());
}

void run_inspects(const InspectOptions& options) { run_and_list(options, run_inspect, options.json); }

constexpr char kInspectDetails[] =
    R"(Columns of the report:
  influences      max number of bones that move any vertex of the mesh
  governing bone  the bone that sets the mesh's visibility and draw order
  changes         parts: meshes show or hide during the clip;
                  order: meshes swap places in the draw order
  draws           max number of draw calls for any frame; consecutive meshes
                  with the same image are one call, and so is a crowd
  baked           GPU memory for the clip's skinning palettes once it plays
  left ... top    bounds of all visible vertices, in world pixels, y up

Markers are named frames, stored next to the character (hero.rig.json for hero.pchr), as are state machines:
  {"markers": [{"clip": "walk", "frame": 4, "name": "step"}]}

--json prints one object, or an array of them for several files. inspect.schema.json, which is installed in
share/pchr/schema, describes its keys.)";

constexpr char kInspectExamples[] = R"(  pchr inspect hero.pchr --bones
  pchr inspect hero.pchr --json | jq -r '.clips[].name')";

}  // namespace

void add_inspect(CLI::App& app) {
  const auto [command, options] =
      add_subcommand<InspectOptions>(app, "inspect", "Show the contents of characters", run_inspects);
  begin_group(command, "Report");
  command.add_flag("--json", options.json, "Print JSON");
  command.add_flag("--bones", options.bones, "List all bones, even if there are many");
  add_inputs_options(command, options.input);
  add_rig_option(command, options.input);
  add_record_options(command, options.input.batch.record, true);
  set_manual(command, kInspectDetails, kInspectExamples);
}

}  // namespace pchr::tools
