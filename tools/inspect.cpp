// SPDX-License-Identifier: MIT
// pchr inspect: what is inside a character.
#include "inspect_artwork.hpp"
#include "json.hpp"
#include "tool.hpp"

#include <pchr/3d.hpp>
#include <pchr/load.hpp>
#include <pchr/queries.hpp>

#include <algorithm>
#include <set>

namespace pchr::tools {
namespace {

namespace fs = std::filesystem;
using Files = std::vector<fs::path>;

struct ClipSummary {
  Rect bounds;                      ///< Of everything visible in any frame.
  bool changes_visibility = false;  ///< Some mesh is visible in one frame and not in another.
  bool changes_order = false;       ///< Two meshes change places.
};

struct Summary {
  std::optional<std::uint64_t> file_bytes;
  std::vector<FileSection> sections;  ///< Of a v1 file; empty for other forms.
  Rect bind_bounds;
  Rect all_bounds;
  Box bind_box;  ///< Of a 3D character.
  std::vector<ClipSummary> clips;
  std::vector<std::uint32_t> bone_depths;  ///< 1 for a root.
  std::vector<int> influences;             ///< Per mesh: the most slots that any of its vertices uses.
  std::uint64_t memory_bytes = 0;          ///< As loaded, images encoded.
  std::uint64_t graphics_bytes = 0;        ///< Textures with mipmaps, vertices and index lists.
  std::uint64_t palette_bytes = 0;         ///< Uploaded per instance and frame where it is posed.
  std::uint64_t baked_bytes = 0;           ///< Palettes of all clips.
  BakeCost bake;
};

int used_influences(std::span<const Vertex> vertices) {
  std::ptrdiff_t most = 0;
  for (const Vertex& vertex : vertices) most = std::max(most, 4 - std::ranges::count(vertex.weights, 0.0F));
  return static_cast<int>(most);
}

ClipSummary summarize_clip(const Character& character, ClipId clip) {
  ClipSummary summary;
  summary.bounds = compute_clip_bounds(character, clip);
  DrawList list;
  std::vector<MeshId> first_visible, visible, order;
  // Each mesh's place when it was last seen, from 1. Where those seen before stand out of order, places changed.
  std::vector<std::uint32_t> rank(character.meshes().size(), 0);
  // Without bones all frames are alike, and a file may claim any number of them at no cost.
  const std::uint32_t most = character.bones().empty() ? 1 : 0xFFFFFFFF;
  for (std::uint32_t frame = 0; frame < std::min(character.clips()[clip].frame_count, most); ++frame) {
    build_draw_list(character, character.clips()[clip].samples.frame(frame, character.bones().size()), list);
    order.clear();
    for (const DrawItem& item : list) order.push_back(item.mesh);
    visible = order;
    std::ranges::sort(visible);
    if (frame == 0) {
      first_visible = visible;
    } else {
      summary.changes_visibility = summary.changes_visibility || visible != first_visible;
      const auto known = [&](MeshId mesh) { return rank[index(mesh)] > 0; };
      std::vector<std::uint32_t> ranks;
      for (const MeshId mesh : order) {
        if (known(mesh)) ranks.push_back(rank[index(mesh)]);
      }
      summary.changes_order = summary.changes_order || !std::ranges::is_sorted(ranks);
    }
    for (std::uint32_t i = 0; i < order.size(); ++i) rank[index(order[i])] = i + 1;
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
  if (const auto size = std::filesystem::file_size(file, error); !error) summary.file_bytes = size;
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
  for (const Mesh& mesh : character.meshes()) summary.influences.push_back(used_influences(character.vertices(mesh)));
  estimate_memory(character, summary);
  return summary;
}

constexpr std::size_t kMaxCandidates = 20;

bool is_animation(const fs::path& path) { return CLI::detail::to_lower(path.extension().string()) == ".psa"; }

void append_animations(fmt::memory_buffer& out, const std::vector<AnimationFile>& files) {
  if (files.empty()) return;
  const auto attached = static_cast<std::size_t>(std::ranges::count(files, true, &AnimationFile::attached));
  fmt::format_to(std::back_inserter(out), "\n{}, {} attached{}\n", counted(files.size(), "animation file"),
                 grouped(attached), attached < files.size() ? " (--also-animation attaches others)" : "");
  Table table({"file", ">bones", ">in the mesh", "attached"});
  std::size_t candidates = 0;
  for (const AnimationFile& file : files) {
    if (!file.attached && ++candidates > kMaxCandidates) continue;
    table.add({shown(file.path), grouped(file.bones), grouped(file.matched_bones), file.attached ? "yes" : "no"});
  }
  table.append_to(out);
  if (candidates > kMaxCandidates) {
    fmt::format_to(std::back_inserter(out), "  and {} more, which --json lists\n", candidates - kMaxCandidates);
  }
}

Files files_read(const Imported& imported, const std::vector<fs::path>& announced) {
  std::set<std::string> attached;
  for (const AnimationFile& file : imported.animation_files) {
    if (file.attached) attached.insert(file.path);
  }
  std::vector<fs::path> files;
  std::set<fs::path> known;
  for (const fs::path& path : announced) {
    std::error_code error;
    const bool looked_at_only = is_animation(path) && !attached.contains(path.string());
    if (looked_at_only || !fs::exists(path, error) || !known.insert(path).second) continue;
    files.push_back(path);
  }
  return files;
}

void append_files(fmt::memory_buffer& out, const Imported& imported, const std::vector<fs::path>& files) {
  append_animations(out, imported.animation_files);
  if (files.size() < 2) return;
  fmt::format_to(std::back_inserter(out), "\n{} files read\n", grouped(files.size()));
  for (const fs::path& file : files) fmt::format_to(std::back_inserter(out), "  {}\n", shown(file.string()));
}

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

class TextReport {
 public:
  TextReport(const Imported& imported, const Summary& summary, const Markers& markers, const Files& files,
             const InspectOptions& options)
      : imported_(imported),
        character_(imported.character),
        summary_(summary),
        markers_(markers),
        files_(files),
        options_(options) {}

  fmt::memory_buffer write() {
    header();
    sections();
    append_artwork(out_, imported_);
    images();
    pictures();
    bones();
    meshes();
    clips();
    markers();
    append_files(out_, imported_, files_);
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
    if (!imported_.title.empty()) line("  {:<12}{}", "title", shown(imported_.title));
    if (!imported_.author.empty()) line("  {:<12}{}", "author", shown(imported_.author));
    line("  {:<12}{}{}", "format", imported_.format, data.is_3d ? ", 3D" : "");
    if (summary_.file_bytes) line("  {:<12}{} bytes", "size", grouped(*summary_.file_bytes));
    line("  {:<12}{} frames per second", "rate", data.frames_per_second);
    line("  {:<12}{}", "flags",
         data.reserved_flags == 0 ? "none" : fmt::format("{:#06x} (reserved)", data.reserved_flags));
    if (imported_.chara) line("  {:<12}{}", "behavior", behavior(*imported_.chara));
    line("  {:<12}{}", "bind pose", bind_pose());
    line("  {:<12}{} in the bind pose", "bounds", rectangle(summary_.bind_bounds));
    line("  {:<12}{} over all clips{}", "", rectangle(summary_.all_bounds), data.is_3d ? ", seen from the front" : "");
    if (data.is_3d) line("  {:<12}{}", "depth", depth());
    line("  {:<12}{} bytes loaded, {} on the GPU", "memory", grouped(summary_.memory_bytes),
         grouped(summary_.graphics_bytes));
    line("  {:<12}{} bytes on the GPU for all clips: {} that vertices use, {}", "baked", grouped(summary_.baked_bytes),
         counted(summary_.bake.bones, "bone"), counted(summary_.bake.draw_orders, "draw order"));
  }

  void sections() {
    if (summary_.sections.empty()) return;
    line("\n{}", counted(summary_.sections.size(), "section"));
    Table table({"name", ">offset", ">bytes"});
    for (const FileSection& section : summary_.sections) {
      table.add({section.name, fmt::format("{:#x}", section.offset), grouped(section.bytes)});
    }
    append(table);
  }

  std::string bind_pose() const {
    const BindPoseSource source = character_.bind_pose_source();
    if (source.clip == ClipId::none) return character_.data().bind_pose.x.empty() ? "identity" : "as the file says";
    return fmt::format("frame {} of clip {} {}", source.frame, index(source.clip),
                       shown(character_.clips()[source.clip].name));
  }

  static std::string behavior(const CharaInfo& chara) {
    const std::string after = "after " + counted(chara.wait, "idle cycle");
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
    line("\n{}{}", counted(images.size(), "image"),
         has_placeholder ? ", so the meshes are drawn in a checker pattern" : "");
    if (images.empty()) return;
    Table table({">#", "name", ">size", "encoding", ">bytes"});
    for (const Image& image : images) {
      table.add({number(), shown(image.name), fmt::format("{} x {}", image.width, image.height),
                 std::string(encoding_name(image.encoding)), grouped(image.bytes.size())});
    }
    append(table);
  }

  void pictures() {
    const auto& pictures = imported_.pictures;
    if (pictures.empty()) return;
    line("\n{} for menus", counted(pictures.size(), "picture"));
    Table table({"name", "image", ">at", ">size"});
    for (const Picture& picture : pictures) {
      table.add({shown(picture.name), reference(index(picture.image), character_.images()),
                 fmt::format("{}, {}", picture.x, picture.y), fmt::format("{} x {}", picture.width, picture.height)});
    }
    append(table);
  }

  void bones() {
    const auto bones = character_.bones();
    const auto roots = static_cast<std::size_t>(
        std::ranges::count_if(bones, [](const Bone& bone) { return bone.parent == BoneId::none; }));
    std::string title = "\n" + counted(bones.size(), "bone");
    if (!bones.empty()) {
      title += fmt::format(", {}, {} deep", counted(roots, "root"), *std::ranges::max_element(summary_.bone_depths));
    }
    const bool listed = options_.bones || bones.size() <= kFewBones;
    line("{}{}", title, listed ? "" : " (--bones lists them)");
    if (bones.empty() || !listed) return;
    Table table({">#", "name"});
    for (const BoneId bone : tree_order()) {
      // A chain of thousands of bones would be indented off every screen, at a cost of gigabytes.
      const std::size_t depth = std::min(summary_.bone_depths[index(bone)], kDeepestIndentation);
      const std::string indentation(2 * (depth - 1), ' ');
      table.add({std::to_string(index(bone)), indentation + shown(bones[bone].name)});
    }
    append(table);
  }

  // Each bone after its parent and the parent's earlier children with all of theirs.
  std::vector<BoneId> tree_order() const {
    const auto bones = character_.bones();
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

  void meshes() {
    const std::size_t triangles = character_.indices().size() / 3;
    line("\n{}, {}, {}", counted(character_.meshes().size(), "mesh", "meshes"),
         counted(character_.vertices().size(), "vertex", "vertices"), counted(triangles, "triangle"));
    if (character_.meshes().empty()) return;
    Table table({">#", "name", "image", ">vertices", ">triangles", ">influences", "governing bone"});
    for (const MeshId id : character_.meshes().ids()) {
      const Mesh& mesh = character_.meshes()[id];
      const BoneId bone = character_.governing_bone(id);
      table.add({number(), shown(mesh.name), reference(index(mesh.image), character_.images()),
                 grouped(mesh.vertex_count), grouped(mesh.index_count / 3),
                 fmt::format("{}", summary_.influences[index(id)]),
                 character_.bones().contains(bone) ? reference(index(bone), character_.bones()) : "none"});
    }
    append(table);
  }

  void clips() {
    line("\n{}", counted(character_.clips().size(), "clip"));
    if (character_.clips().empty()) return;
    std::vector<std::string> titles{">#",     "name",   ">frames", ">seconds", "loop",   "changes",
                                    ">draws", ">baked", ">left",   ">bottom",  ">right", ">top"};
    const bool has_groups =
        std::ranges::any_of(character_.clips(), [](const Clip& clip) { return !clip.group.empty(); });
    if (has_groups) titles.insert(titles.begin() + 2, "group");
    Table table(std::move(titles));
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
    line("\n{}", counted(markers_.all().size(), "marker"));
    Table table({">#", "name", "clip", ">frame"});
    for (const Marker& marker : markers_.all()) {
      table.add(
          {number(), shown(marker.name), reference(index(marker.clip), character_.clips()), grouped(marker.frame)});
    }
    append(table);
  }

  void warnings() {
    if (character_.warnings().empty()) return;
    line("\n{}", counted(character_.warnings().size(), "warning"));
    for (const Diagnostic& warning : character_.warnings())
      line("{}", describe(warning, input_name(options_.input.file)));
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

  const Imported& imported_;
  const Character& character_;
  const Summary& summary_;
  const Markers& markers_;
  const Files& files_;
  const InspectOptions& options_;
  fmt::memory_buffer out_;
  std::size_t next_number_ = 0;
};

void write_json(JsonWriter& json, const Imported& imported, const Summary& summary, const Markers& markers,
                const Files& files) {
  const Character& character = imported.character;
  const CharacterData& data = character.data();
  const auto rect = [&json](const Rect& of) {
    return [&json, of] {
      of.empty() ? json.value(nullptr) : json.value(std::array{of.min.x, of.min.y, of.max.x, of.max.y});
    };
  };
  const auto bind_pose = [&] {
    const BindPoseSource source = character.bind_pose_source();
    source.clip != ClipId::none
        ? json.object("clip", source.clip, "name", character.clips()[source.clip].name, "frame", source.frame)
        : json.value(nullptr);
  };
  json.begin_object(Layout::lines)
      .fields("format", imported.format, "title", imported.title, "author", imported.author, "fileBytes",
              summary.file_bytes, "framesPerSecond", data.frames_per_second, "flags", data.reserved_flags, "bindPose",
              bind_pose, "bindPoseBounds", rect(summary.bind_bounds), "bounds", rect(summary.all_bounds));
  if (data.is_3d && !summary.bind_box.empty()) {
    json.fields("depth", std::array{summary.bind_box.min.z, summary.bind_box.max.z});
  }
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
  json.list("pictures", imported.pictures, [&](const Picture& picture) {
    json.object("name", picture.name, "image", picture.image, "x", picture.x, "y", picture.y, "width", picture.width,
                "height", picture.height);
  });
  json.key("chara");
  imported.chara ? json.object("legacy", imported.chara->legacy, "wait", imported.chara->wait) : json.value(nullptr);
  json.key("artwork");
  append_artwork(json, imported);
  json.list("bones", character.bones(),
            [&](const Bone& bone) { json.object("name", bone.name, "parent", bone.parent); });
  std::size_t number = 0;
  json.list("meshes", character.meshes(), [&](const Mesh& mesh) {
    json.object("name", mesh.name, "image", mesh.image, "vertices", mesh.vertex_count, "triangles",
                mesh.index_count / 3, "influences", summary.influences[number], "governingBone",
                index(character.governing_bone(MeshId(number))));
    ++number;
  });
  number = 0;
  json.list("clips", character.clips(), [&](const Clip& clip) {
    const ClipSummary& of_clip = summary.clips[number];
    const ClipBakeCost& cost = summary.bake.clips[number++];
    json.object("name", clip.name, "group", clip.group, "frames", clip.frame_count, "seconds", clip.duration_seconds(),
                "loop", clip.looping, "loopStart", clip.loop_start, "evenFrames", clip.frame_ends.empty(), "bounds",
                rect(of_clip.bounds), "changesVisibility", of_clip.changes_visibility, "changesOrder",
                of_clip.changes_order, "drawCalls", cost.draw_calls, "bakedBytes", cost.palette_bytes);
  });
  json.list("markers", markers.all(), [&](const Marker& marker) {
    json.object("name", marker.name, "clip", marker.clip, "frame", marker.frame);
  });
  json.list("animationFiles", imported.animation_files, [&](const AnimationFile& file) {
    json.object("path", file.path, "bones", file.bones, "matchedBones", file.matched_bones, "attached", file.attached);
  });
  json.list("files", files, [&](const fs::path& file) { json.value(file.string()); });
  json.list("warnings", character.warnings(), [&](const Diagnostic& warning) {
    json.object("code", code(warning.id), "sentence", message(warning.id), "path", warning.path, "name", warning.name,
                "byteOffset", warning.byte_offset, "detail", warning.detail);
  });
  json.end_object();
}

void run_inspect(const InspectOptions& options) {
  InputOptions input_options = options.input;
  Files announced;
  input_options.load.before_reading = [&](const fs::path& file) { announced.push_back(file); };
  const Input input = open_input(input_options);
  const Files files = files_read(input, announced);
  const Markers markers = open_markers(input.character, options.input);
  const Summary summary = summarize(input, options.input.file);
  if (!options.json) return print_text(TextReport(input, summary, markers, files, options).write());
  JsonWriter json;
  write_json(json, input, summary, markers, files);
  write_stdout(json.text);
}

constexpr char kInspectFooter[] =
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
    layers         [{name, parent, kind, use, visible, drawn, opacity, blend, color}], from top to bottom
    tags           [{name, first, last, direction, repeats, enabled, clip, color}], repeats 0 for ever
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

)";

}  // namespace

Subcommand add_inspect(CLI::App& app) {
  CLI::App* command = app.add_subcommand("inspect", "Show what is inside a character");
  const auto options = std::make_shared<InspectOptions>();
  add_input_options(*command, options->input);
  command->add_flag("--json", options->json, "Print JSON, for programs");
  command->add_flag("--bones", options->bones, "List the bones, however many");
  command->footer(std::string(kInspectFooter) + kExitCodes);
  return {command, [options] { run_inspect(*options); }};
}

}  // namespace pchr::tools
