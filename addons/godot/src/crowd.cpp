#include "classes.hpp"

#include <algorithm>
#include <cmath>

using namespace godot;

namespace {

const Method<Rid()> get_canvas_item{"CanvasItem", "get_canvas_item", 2944877500};
const Method<void()> queue_redraw{"CanvasItem", "queue_redraw", 3218959716};
const Method<std::int64_t()> get_texture_filter{"CanvasItem", "get_texture_filter", 121960042};
const Method<void(bool)> set_process_internal{"Node", "set_process_internal", 2586408642};
const Method<double()> get_process_delta_time{"Node", "get_process_delta_time", 1740695150};
const Method<bool()> is_editor_hint{"Engine", "is_editor_hint", 36873697};
const Method<void()> notify_property_list_changed{"Object", "notify_property_list_changed", 3218959716};
const Method<Reference(std::int64_t, std::int64_t, bool, std::int64_t, PackedByteArray)> create_image{
    "Image", "create_from_data", 299398494};
const Method<std::int64_t(bool)> generate_mipmaps{"Image", "generate_mipmaps", 1633102583};

const Method<Rid(Reference)> texture_2d_create{"RenderingServer", "texture_2d_create", 2010018390};
const Method<Rid(Array, std::int64_t)> texture_2d_layered_create{"RenderingServer", "texture_2d_layered_create",
                                                                 913689023};
const Method<Rid()> mesh_create{"RenderingServer", "mesh_create", 529393457};
const Method<void(Rid)> mesh_clear{"RenderingServer", "mesh_clear", 2722037293};
const Method<void(Rid, std::int64_t, Array, Array, Dictionary, std::int64_t)> mesh_add_surface_from_arrays{
    "RenderingServer", "mesh_add_surface_from_arrays", 2342446560};
const Method<Rid()> multimesh_create{"RenderingServer", "multimesh_create", 529393457};
const Method<void(Rid, Rid)> multimesh_set_mesh{"RenderingServer", "multimesh_set_mesh", 395945892};
const Method<void(Rid, std::int64_t, std::int64_t, bool, bool, bool)> multimesh_allocate_data{
    "RenderingServer", "multimesh_allocate_data", 557240154};
const Method<void(Rid, PackedFloat32Array)> multimesh_set_buffer{"RenderingServer", "multimesh_set_buffer", 2960552364};
const Method<void(Rid, Rid, Rid)> canvas_item_add_multimesh{"RenderingServer", "canvas_item_add_multimesh", 2131855138};
const Method<void(Rid, bool, Rect2)> canvas_item_set_custom_rect{"RenderingServer", "canvas_item_set_custom_rect",
                                                                 1333997032};
const Method<void(Rid, Rid)> canvas_item_set_material{"RenderingServer", "canvas_item_set_material", 395945892};
const Method<void(Rid, std::int64_t)> canvas_item_set_texture_filter{
    "RenderingServer", "canvas_item_set_default_texture_filter", 1155129294};
const Method<void(String)> set_code{"Shader", "set_code", 83702148};
const Method<Rid()> get_rid{"Resource", "get_rid", 2944877500};
const Method<Reference()> get_material{"CanvasItem", "get_material", 5934680};
const Method<bool(String)> is_class{"Object", "is_class", 3927539163};
const Method<Rid()> material_create{"RenderingServer", "material_create", 529393457};
const Method<void(Rid, Rid)> material_set_shader{"RenderingServer", "material_set_shader", 395945892};
const Method<void(Rid, StringName, Variant)> material_set_param{"RenderingServer", "material_set_param", 3477296213};
const Method<void(Rid)> free_rid{"RenderingServer", "free_rid", 2722037293};

constexpr std::int64_t kNearest = 1;  // As for all filters without blending, the number is odd.
constexpr std::int64_t kRgba8 = 5;
constexpr std::int64_t kRgbaFloat = 11;
constexpr std::int64_t kTriangles = 3;
constexpr std::int64_t kTransform2D = 0;
constexpr std::size_t kVertexArray = 0, kUvArray = 4, kCustom0Array = 6, kCustom1Array = 7, kIndexArray = 12;
constexpr std::size_t kArrayCount = 13;
constexpr std::int64_t kCustomFloats = 7LL << 13 | 7LL << 16;  // Four floats each in CUSTOM0 and CUSTOM1.

constexpr std::size_t kTextureWidth = 1024;  // The shader has it, too.
constexpr std::size_t kMaxTexels = kTextureWidth * 16384;
constexpr std::size_t kClipTexels = 2;
constexpr std::uint32_t kMaxEntries = 4096;  // Two share a float, which keeps 24 bits.
constexpr double kMaxShaderSeconds = 512;    // Beyond it, floats get too coarse for smooth motion.
constexpr double kMaxHalf = 60000;
constexpr float kNoDrawOrder = -1;

/// One image is the texture of the node. More are layers, so that each instance is drawn as a whole.
constexpr std::array kVariants{"", "#define PCHR_IMAGES\n", "#define PCHR_IMAGES\n#define PCHR_NEAREST\n"};
Reference shaders[kVariants.size()];  // Freed while there is an engine.

Rid shader_of(std::size_t variant) {
  if (!shaders[variant]) {
    shaders[variant] = Reference(detail::create_object("Shader"));
    set_code(shaders[variant].object(),
             String(std::string("shader_type canvas_item;\nrender_mode blend_premul_alpha;\n") + kVariants[variant] +
                    kCrowdShader + "void vertex() {\n  PCHR_VERTEX\n}\nvoid fragment() {\n  COLOR = PCHR_PIXEL;\n}\n"));
  }
  return get_rid(shaders[variant].object());
}

/// Rounds to the 11 bits of a half-precision number.
double half(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(std::clamp(value, -kMaxHalf, kMaxHalf), &exponent);
  return std::ldexp(std::round(std::ldexp(mantissa, 11)), exponent - 11);
}

pchr_image largest_image(const pchr_character* character) {
  pchr_image largest{};
  for (std::uint32_t i = 0; i < pchr_image_count(character); ++i) {
    pchr_image image{};
    pchr_get_image(character, i, &image);
    largest.width = std::max(largest.width, image.width);
    largest.height = std::max(largest.height, image.height);
  }
  return largest;
}

/// Returns the images as layers of the size of the largest one. Edges are repeated, as textures do.
Rid make_layers(const pchr_character* character) {
  const pchr_image largest = largest_image(character);
  Array images;
  images.resize(pchr_image_count(character));
  std::vector<std::uint32_t> pixels;
  for (std::uint32_t i = 0; i < images.size(); ++i) {
    pchr_image info{};
    pchr_get_image(character, i, &info);
    const std::size_t width = info.width, height = info.height;
    pixels.assign(width * height, 0);
    pchr_error error{};
    if (!pchr_decode_image(character, i, reinterpret_cast<std::uint8_t*>(pixels.data()), pixels.size() * 4, &error)) {
      report_error(error.message);
    }
    PackedByteArray bytes;
    bytes.resize(std::size_t{largest.width} * largest.height * 4);
    std::uint8_t* out = bytes.elements().data();
    for (std::size_t y = 0; y < largest.height; ++y) {
      for (std::size_t x = 0; x < largest.width; ++x, out += 4) {
        std::memcpy(out, &pixels[std::min(y, height - 1) * width + std::min(x, width - 1)], 4);
      }
    }
    const Reference image = create_image(nullptr, largest.width, largest.height, false, kRgba8, bytes);
    generate_mipmaps(image.object(), false);
    images[i] = Variant(image);
  }
  return texture_2d_layered_create(singleton("RenderingServer"), images, 0);
}

bool is_empty(const pchr_rect& rect) { return rect.min_x > rect.max_x; }

void unite(pchr_rect& rect, const pchr_rect& other) {
  if (is_empty(other)) return;
  if (is_empty(rect)) rect = other;
  rect = {std::min(rect.min_x, other.min_x), std::min(rect.min_y, other.min_y), std::max(rect.max_x, other.max_x),
          std::max(rect.max_y, other.max_y)};
}

/// Returns the box around a box of the character, whose y points up, that was moved by a transform of the node.
pchr_rect moved(const pchr_rect& box, const Transform2D& t) {
  if (is_empty(box)) return box;
  const float x = (box.min_x + box.max_x) / 2, y = -(box.min_y + box.max_y) / 2;
  const float half_width = (box.max_x - box.min_x) / 2, half_height = (box.max_y - box.min_y) / 2;
  const float center_x = t.x.x * x + t.y.x * y + t.origin.x, center_y = t.x.y * x + t.y.y * y + t.origin.y;
  const float reach_x = std::abs(t.x.x) * half_width + std::abs(t.y.x) * half_height;
  const float reach_y = std::abs(t.x.y) * half_width + std::abs(t.y.y) * half_height;
  return {center_x - reach_x, center_y - reach_y, center_x + reach_x, center_y + reach_y};
}

}  // namespace

void free_crowd_shaders() {
  for (Reference& shader : shaders) shader = {};
}

PchrCrowd2D::PchrCrowd2D() {
  const GDExtensionObjectPtr server = singleton("RenderingServer");
  mesh = mesh_create(server);
  multimesh = multimesh_create(server);
  material = material_create(server);
  multimesh_set_mesh(server, multimesh, mesh);
}

PchrCrowd2D::~PchrCrowd2D() {
  if (character) character->crowds.remove(this);
  const GDExtensionObjectPtr server = singleton("RenderingServer");
  for (const Rid rid : {multimesh, mesh, material, palettes, layers}) {
    if (rid.id != 0) free_rid(server, rid);
  }
  pchr_gpu_geometry_free(geometry);
}

/// Forgets what was baked if the character is another one or was imported again.
void PchrCrowd2D::refresh() {
  const std::uint32_t now = character ? character->version : 0;
  if (now == version) return;
  version = now;
  change();
  pchr_gpu_geometry_free(geometry);
  geometry = nullptr;
  clips.clear();
  orders.clear();
  if (layers.id != 0) free_rid(singleton("RenderingServer"), layers);
  layers = {};
  if (!character || character->character == nullptr) return;
  pchr_character_info info{};
  pchr_get_info(character->character, &info);
  if (info.is_3d) return report_error("PchrCrowd2D: the character is 3D, but a crowd draws 2D characters only");
  geometry = pchr_gpu_geometry_create(character->character);
  if (pchr_gpu_row_bones(geometry) > kMaxEntries) {
    report_error("PchrCrowd2D: the character has " + std::to_string(pchr_gpu_row_bones(geometry)) +
                 " palette entries, but a crowd draws characters with up to " + std::to_string(kMaxEntries));
    pchr_gpu_geometry_free(geometry);
    geometry = nullptr;
    return;
  }
  clips.resize(pchr_clip_count(character->character) + 1);
  for (std::uint32_t i = 0; i < clips.size(); ++i) {
    pchr_clip clip_info{};
    Clip& made = clips[i];
    if (!pchr_get_clip(character->character, i, &clip_info)) continue;
    made.duration = clip_info.duration_seconds;
    made.loops = clip_info.looping && made.duration > 0;
  }
}

void PchrCrowd2D::change() {
  changed = true;
  queue_redraw(object);
}

/// Returns the index in `clips`. The last one is the bind pose.
std::size_t PchrCrowd2D::clip_of(const Member& member) const {
  const std::uint32_t index =
      member.clip >= 0 ? static_cast<std::uint32_t>(member.clip) : pchr_find_clip(character->character, clip.c_str());
  return std::min<std::size_t>(index, clips.size() - 1);
}

void PchrCrowd2D::bake(std::size_t index) {
  Clip& baked = clips[index];
  baked.is_baked = true;
  const pchr_character* const source = character->character;
  const auto number = index + 1 < clips.size() ? static_cast<std::uint32_t>(index) : PCHR_NONE;
  pchr_clip info{};
  const bool plays = pchr_get_clip(source, number, &info) && baked.duration > 0 && info.frames_per_second > 0;
  pchr_gpu_palettes* made = smooth ? pchr_gpu_bake(geometry, number, PCHR_SMOOTH, 0, nullptr) : nullptr;
  const bool blends = made != nullptr;
  if (!blends) made = pchr_gpu_bake(geometry, number, PCHR_STEP, 0, nullptr);
  if (made == nullptr) {
    report_error(std::string("PchrCrowd2D: the clip \"") + (plays ? info.name : "") +
                 "\" needs more than 64 MiB, so its instances are not drawn");
    baked.draw_orders = {kNoDrawOrder};
    return;
  }
  std::uint32_t rows = 0, floats = 0;
  const pchr_rect* const bounds = pchr_gpu_row_bounds(made, &rows);
  const float* const texels = pchr_gpu_texels(made, &floats);
  const std::uint32_t frames = plays && rows >= info.frame_count ? info.frame_count : 1;
  pchr_gpu_row row{};
  const pchr_clip_time second{1, 1, 0};
  if (blends && frames > 1 && pchr_gpu_find_row(made, &second, &row)) baked.steps = static_cast<int>(row.row);
  baked.frames_per_second = frames > 1 ? info.frames_per_second : 0;
  for (std::uint32_t frame = 0; frame < frames; ++frame) {
    const pchr_clip_time time{frame, frame, 0};
    const bool found = pchr_gpu_find_row(made, &time, &row);
    baked.draw_orders.push_back(found ? static_cast<float>(row.draw_order) : kNoDrawOrder);
    if (found && std::ranges::find(orders, row.draw_order) == orders.end()) orders.push_back(row.draw_order);
  }
  baked.texels.assign(texels, texels + floats);
  for (const pchr_rect& each : std::span(bounds, rows)) unite(baked.bounds, each);
  pchr_gpu_palettes_free(made);
}

void PchrCrowd2D::upload_palettes() {
  std::vector<float> texels(clips.size() * kClipTexels * 4);
  for (std::size_t i = 0; i < clips.size(); ++i) {
    const Clip& baked = clips[i];
    if (texels.size() / 4 + baked.draw_orders.size() + baked.texels.size() / 4 > kMaxTexels) {
      report_error("PchrCrowd2D: the clips need more than 256 MiB, so not all instances are drawn");
      break;
    }
    const std::size_t first_frame = texels.size() / 4;
    for (const float order : baked.draw_orders) texels.insert(texels.end(), {order, 0, 0, 0});
    const std::size_t first_row = texels.size() / 4;
    texels.insert(texels.end(), baked.texels.begin(), baked.texels.end());
    const float header[] = {static_cast<float>(first_row),
                            static_cast<float>(first_frame),
                            static_cast<float>(baked.draw_orders.size()),
                            static_cast<float>(baked.steps),
                            static_cast<float>(baked.duration),
                            baked.loops ? 1.0F : 0.0F,
                            static_cast<float>(baked.frames_per_second),
                            0};
    std::ranges::copy(header, texels.begin() + static_cast<std::ptrdiff_t>(i * kClipTexels * 4));
  }
  const std::size_t height = (texels.size() / 4 + kTextureWidth - 1) / kTextureWidth;
  PackedByteArray bytes;
  bytes.resize(height * kTextureWidth * 16);
  std::memcpy(bytes.elements().data(), texels.data(), texels.size() * sizeof(float));
  const GDExtensionObjectPtr server = singleton("RenderingServer");
  const Rid old = palettes;
  palettes = texture_2d_create(
      server, create_image(nullptr, kTextureWidth, static_cast<std::int64_t>(height), false, kRgbaFloat, bytes));
  set_parameters();
  if (old.id != 0) free_rid(server, old);
}

/// Uploads the triangles of all draw orders that the baked clips use, each with vertices of its own.
void PchrCrowd2D::upload_mesh() {
  const GDExtensionObjectPtr server = singleton("RenderingServer");
  const bool layered = pchr_image_count(character->character) > 1;
  const pchr_image largest = largest_image(character->character);
  if (layered && layers.id == 0) layers = make_layers(character->character);

  std::uint32_t vertex_count = 0;
  const pchr_vertex* const vertices = pchr_gpu_vertices(geometry, &vertex_count);
  const std::uint32_t* const indices = pchr_gpu_indices(geometry, nullptr);
  std::vector<Vector2> points, coordinates;
  std::vector<float> custom0, custom1;
  std::vector<std::int32_t> triangles, copies(vertex_count);
  for (const std::uint32_t order : orders) {
    std::ranges::fill(copies, -1);
    std::uint32_t range_count = 0;
    const pchr_gpu_range* const ranges = pchr_gpu_draw_order(geometry, order, &range_count);
    for (const pchr_gpu_range& range : std::span(ranges, range_count)) {
      pchr_image image = largest;
      if (layered) pchr_get_image(character->character, range.image, &image);
      const float scale_u = static_cast<float>(image.width) / static_cast<float>(largest.width);
      const float scale_v = static_cast<float>(image.height) / static_cast<float>(largest.height);
      for (const std::uint32_t index : std::span(indices + range.first_index, range.index_count)) {
        if (copies[index] < 0) {
          copies[index] = static_cast<std::int32_t>(points.size());
          const pchr_vertex& vertex = vertices[index];
          points.push_back({vertex.x, vertex.y});
          coordinates.push_back({vertex.u * scale_u, vertex.v * scale_v});
          custom0.insert(custom0.end(), {static_cast<float>(vertex.bones[0] + kMaxEntries * vertex.bones[1]),
                                         static_cast<float>(vertex.bones[2] + kMaxEntries * vertex.bones[3]),
                                         static_cast<float>(order), static_cast<float>(range.image)});
          custom1.insert(custom1.end(), std::begin(vertex.weights), std::end(vertex.weights));
        }
        triangles.push_back(copies[index]);
      }
    }
  }
  mesh_clear(server, mesh);
  if (!triangles.empty()) {
    Array arrays;
    arrays.resize(kArrayCount);
    const auto set = [&](std::size_t array, auto packed, const auto& values) {
      packed.resize(values.size());
      std::ranges::copy(values, packed.elements().begin());
      arrays[array] = Variant(packed);
    };
    set(kVertexArray, PackedVector2Array(), points);
    set(kUvArray, PackedVector2Array(), coordinates);
    set(kCustom0Array, PackedFloat32Array(), custom0);
    set(kCustom1Array, PackedFloat32Array(), custom1);
    set(kIndexArray, PackedInt32Array(), triangles);
    mesh_add_surface_from_arrays(server, mesh, kTriangles, arrays, Array(), Dictionary(), kCustomFloats);
  }
}

/// Sets a uniform of the shader, which can be that of the user.
void PchrCrowd2D::set_parameter(const char* name, const Variant& value) {
  material_set_param(singleton("RenderingServer"), own_material ? get_rid(own_material.object()) : material, name,
                     value);
}

void PchrCrowd2D::set_parameters() {
  set_parameter("pchr_palettes", Variant(palettes));
  set_parameter("pchr_bones_per_row", Variant(std::int64_t{pchr_gpu_row_bones(geometry)}));
  set_parameter("pchr_now", Variant(seconds - base));
  if (layers.id != 0) set_parameter("pchr_images", Variant(layers));
}

/// Bakes the clips that instances play for the first time, and uploads what changed.
void PchrCrowd2D::update() {
  refresh();
  if (geometry == nullptr || !changed) return;
  changed = false;
  const std::size_t usual = clip_of({});
  bool grown = false;
  for (const Member& member : members) {
    const std::size_t index = member.clip < 0 ? usual : clip_of(member);
    if (clips[index].is_baked) continue;
    bake(index);
    grown = true;
  }
  if (grown) {
    upload_palettes();
    upload_mesh();
  }

  base = seconds;
  const GDExtensionObjectPtr server = singleton("RenderingServer");
  PackedFloat32Array buffer;
  buffer.resize(members.size() * 16);
  float* out = buffer.elements().data();
  pchr_rect all{1, 1, 0, 0};
  for (const Member& member : members) {
    const std::size_t index = member.clip < 0 ? usual : clip_of(member);
    const Clip& played = clips[index];
    double phase = member.phase + base * member.speed;
    if (played.loops)
      phase -= std::floor(phase / played.duration) * played.duration;
    else if (member.speed >= 0)
      phase = std::min(phase, played.duration);
    const double coarse = half(phase);
    const Transform2D& t = member.transform;
    const auto fine = static_cast<float>(half(phase - coarse));
    const auto number = static_cast<float>(index);
    // clang-format off
    const float values[] = {t.x.x, t.y.x, 0, t.origin.x,
                            t.x.y, t.y.y, 0, t.origin.y,
                            member.tint.r, member.tint.g, member.tint.b, member.tint.a,
                            static_cast<float>(coarse), fine, member.speed, number};
    // clang-format on
    out = std::ranges::copy(values, out).out;

    unite(all, moved(played.bounds, t));
  }
  rect = {};
  if (!is_empty(all)) rect = {{all.min_x, all.min_y}, {all.max_x - all.min_x, all.max_y - all.min_y}};
  if (allocated != members.size()) {
    allocated = members.size();
    multimesh_allocate_data(server, multimesh, static_cast<std::int64_t>(allocated), kTransform2D, true, true, false);
  }
  if (!members.empty()) multimesh_set_buffer(server, multimesh, buffer);
  set_parameters();
}

void PchrCrowd2D::draw() {
  update();
  const GDExtensionObjectPtr server = singleton("RenderingServer");
  const Rid item = get_canvas_item(object);
  canvas_item_set_custom_rect(server, item, true, rect);
  if (geometry == nullptr || members.empty()) return;
  Reference given = get_material(object);
  if (given && !is_class(given.object(), "ShaderMaterial")) given = {};
  if (given.object() != own_material.object()) {
    own_material = std::move(given);
    set_parameters();
  }
  canvas_item_set_material(server, item, own_material ? get_rid(own_material.object()) : material);
  const std::span<const Rid> textures = character->textures();
  const std::int64_t filter = get_texture_filter(object);
  const bool nearest = filter == 0 ? character->is_pixel_art() : filter % 2 == 1;
  material_set_shader(server, material, shader_of(textures.size() == 1 ? 0 : nearest ? 2 : 1));
  if (filter == 0 && nearest) canvas_item_set_texture_filter(server, item, kNearest);
  canvas_item_add_multimesh(server, item, multimesh, textures.size() == 1 ? textures[0] : Rid{});
}

/// The engine tells nobody when the material changes.
bool PchrCrowd2D::set(const StringName& name, const Variant&) {
  if (name == StringName("material")) queue_redraw(object);
  return false;
}

void PchrCrowd2D::notification(int what) {
  if (what == kDraw) {
    draw();
  } else if (what == kReady) {
    set_playing(playing);
  } else if (what == kInternalProcess) {
    set_time(seconds + get_process_delta_time(object) * speed_scale);
  }
}

void PchrCrowd2D::set_character(const Ref<PchrCharacter>& value) {
  if (character) character->crowds.remove(this);
  character = value;
  if (character) character->crowds.add(this);
  version = kStale;
  refresh();
  if (character && character->character != nullptr && pchr_find_clip(character->character, clip.c_str()) == PCHR_NONE) {
    clip = character->first_clip();
  }
  notify_property_list_changed(object);
  change();
}

void PchrCrowd2D::set_clip(const String& name) {
  clip = name.utf8();
  change();
}

void PchrCrowd2D::set_smooth(bool value) {
  if (smooth == value) return;
  smooth = value;
  version = kStale;
  change();
}

void PchrCrowd2D::set_playing(bool value) {
  playing = value;
  set_process_internal(object, playing && !is_editor_hint(singleton("Engine")));
}

void PchrCrowd2D::set_time(double value) {
  seconds = value;
  refresh();
  if (std::abs(seconds - base) > kMaxShaderSeconds)
    change();
  else
    set_parameter("pchr_now", Variant(seconds - base));
}

PackedVector2Array PchrCrowd2D::get_positions() const {
  PackedVector2Array positions;
  positions.resize(members.size());
  std::ranges::transform(members, positions.elements().begin(), [](const Member& m) { return m.transform.origin; });
  return positions;
}

void PchrCrowd2D::set_positions(const PackedVector2Array& value) {
  PackedVector2Array positions = value;
  const auto elements = positions.elements();
  members.resize(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) members[i].transform.origin = elements[i];
  change();
}

Array PchrCrowd2D::get_transforms() const {
  Array transforms;
  transforms.resize(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) transforms[i] = Variant(members[i].transform);
  return transforms;
}

void PchrCrowd2D::set_transforms(const Array& value) {
  Array transforms = value;
  members.resize(transforms.size());
  for (std::size_t i = 0; i < members.size(); ++i) members[i].transform = transforms[i].to<Transform2D>();
  change();
}

/// Returns a field of all instances.
template <class Packed, class Field>
Packed PchrCrowd2D::all(Field Member::* field) const {
  Packed values;
  values.resize(members.size());
  const auto elements = values.elements();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i] = static_cast<std::decay_t<decltype(elements[i])>>(members[i].*field);
  }
  return values;
}

/// Sets a field of the first instances. The others keep theirs.
template <class Packed, class Field>
void PchrCrowd2D::assign(Packed values, const char* name, Field Member::* field) {
  const auto elements = values.elements();
  if (elements.size() > members.size()) {
    return report_error(std::string("PchrCrowd2D.") + name + " has " + std::to_string(elements.size()) +
                        " elements, but there are " + std::to_string(members.size()) + " instances");
  }
  for (std::size_t i = 0; i < elements.size(); ++i) members[i].*field = static_cast<Field>(elements[i]);
  change();
}

PackedInt32Array PchrCrowd2D::get_clips() const { return all<PackedInt32Array>(&Member::clip); }
void PchrCrowd2D::set_clips(const PackedInt32Array& value) { assign(value, "clips", &Member::clip); }
PackedFloat32Array PchrCrowd2D::get_phases() const { return all<PackedFloat32Array>(&Member::phase); }
void PchrCrowd2D::set_phases(const PackedFloat32Array& value) { assign(value, "phases", &Member::phase); }
PackedFloat32Array PchrCrowd2D::get_speeds() const { return all<PackedFloat32Array>(&Member::speed); }
void PchrCrowd2D::set_speeds(const PackedFloat32Array& value) {
  assign(value, "speeds", &Member::speed);
  for (Member& member : members) member.speed = static_cast<float>(half(member.speed));
}
PackedColorArray PchrCrowd2D::get_tints() const { return all<PackedColorArray>(&Member::tint); }
void PchrCrowd2D::set_tints(const PackedColorArray& value) { assign(value, "tints", &Member::tint); }

/// Returns an instance, or null with an error in the log.
PchrCrowd2D::Member* PchrCrowd2D::find(std::int64_t index) {
  if (index >= 0 && index < get_instance_count()) return &members[static_cast<std::size_t>(index)];
  report_error("PchrCrowd2D: there is no instance " + std::to_string(index) + ", only " +
               std::to_string(members.size()));
  return nullptr;
}

std::int64_t PchrCrowd2D::add_instance(const Transform2D& transform, const String& clip_name) {
  members.emplace_back().transform = transform;
  const std::int64_t index = get_instance_count() - 1;
  play(index, clip_name);
  return index;
}

void PchrCrowd2D::remove_instance(std::int64_t index) {
  if (find(index) == nullptr) return;
  members.erase(members.begin() + index);
  change();
}

void PchrCrowd2D::play(std::int64_t index, const String& clip_name) {
  Member* const member = find(index);
  if (member == nullptr) return;
  const std::string name = clip_name.utf8();
  const std::uint32_t number = character ? pchr_find_clip(character->character, name.c_str()) : PCHR_NONE;
  if (!name.empty() && number == PCHR_NONE) {
    return report_error("PchrCrowd2D.play(): the character has no clip \"" + name + "\"");
  }
  member->clip = name.empty() ? -1 : static_cast<std::int32_t>(number);
  member->phase = -seconds * member->speed;
  change();
}

Transform2D PchrCrowd2D::get_instance_transform(std::int64_t index) {
  const Member* const member = find(index);
  return member != nullptr ? member->transform : Transform2D{};
}

void PchrCrowd2D::set_instance_transform(std::int64_t index, const Transform2D& transform) {
  Member* const member = find(index);
  if (member == nullptr) return;
  member->transform = transform;
  change();
}

void PchrCrowd2D::set_instance_speed(std::int64_t index, double speed) {
  Member* const member = find(index);
  if (member == nullptr) return;
  const double rounded = half(speed);
  member->phase += seconds * (member->speed - rounded);
  member->speed = static_cast<float>(rounded);
  change();
}

void PchrCrowd2D::set_instance_tint(std::int64_t index, const Color& tint) {
  Member* const member = find(index);
  if (member == nullptr) return;
  member->tint = tint;
  change();
}

Rect2 PchrCrowd2D::get_rect() {
  update();
  return rect;
}

bool PchrCrowd2D::validate_property(const StringName& name, GDExtensionPropertyInfo& info) {
  if (!(name == StringName("clip"))) return false;
  if (character)
    offer(info, character->get_clips(), true);
  else if (clip.empty())
    info.usage = 0;  // As for PchrSprite2D.
  return true;
}

void register_crowd() {
  using P = PchrCrowd2D;
  Class<P>("Node2D")
      .property_of<&P::get_character, &P::set_character>("character", kResourceType, "PchrCharacter")
      .property_of<&P::get_clip, &P::set_clip>("clip")
      .property_of<&P::is_smooth, &P::set_smooth>("smooth")
      .property_of<&P::is_playing, &P::set_playing>("playing")
      .property_of<&P::get_speed_scale, &P::set_speed_scale>("speed_scale", kRange, "-4,4,0.01,or_less,or_greater")
      .property_of<&P::get_time, &P::set_time>("time", kRange, "0,10,0.001,or_greater,suffix:s", kEditor)
      .group("Instances")
      .property_of<&P::get_positions, &P::set_positions>("positions", kNoHint, "", 0)
      .property_of<&P::get_transforms, &P::set_transforms>("transforms", kTypeString, "11:")
      .property_of<&P::get_clips, &P::set_clips>("clips")
      .property_of<&P::get_phases, &P::set_phases>("phases")
      .property_of<&P::get_speeds, &P::set_speeds>("speeds")
      .property_of<&P::get_tints, &P::set_tints>("tints")
      .method<&P::get_instance_count>("get_instance_count")
      .method<&P::add_instance>("add_instance", {"transform", "clip"}, {String()})
      .method<&P::remove_instance>("remove_instance", {"index"})
      .method<&P::play>("play", {"index", "clip"}, {String()})
      .method<&P::get_instance_transform>("get_instance_transform", {"index"})
      .method<&P::set_instance_transform>("set_instance_transform", {"index", "transform"})
      .method<&P::set_instance_speed>("set_instance_speed", {"index", "speed"})
      .method<&P::set_instance_tint>("set_instance_tint", {"index", "tint"})
      .method<&P::get_rect>("get_rect");
}
