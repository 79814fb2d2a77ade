#include "classes.hpp"

#include <algorithm>

using namespace godot;

namespace {

const Method<Rid()> get_canvas_item{"CanvasItem", "get_canvas_item", 2944877500};
const Method<void()> queue_redraw{"CanvasItem", "queue_redraw", 3218959716};
const Method<Reference()> get_material{"CanvasItem", "get_material", 5934680};
const Method<bool()> get_use_parent_material{"CanvasItem", "get_use_parent_material", 36873697};
const Method<std::int64_t()> get_texture_filter{"CanvasItem", "get_texture_filter", 121960042};
const Method<std::int64_t()> get_light_mask{"CanvasItem", "get_light_mask", 3905245786};
const Method<std::int64_t()> get_visibility_layer{"CanvasItem", "get_visibility_layer", 3905245786};
const Method<std::int64_t()> get_clip_children_mode{"CanvasItem", "get_clip_children_mode", 3581808349};
const Method<GDExtensionObjectPtr()> get_parent{"Node", "get_parent", 3160264692};
const Method<bool(String)> is_class{"Object", "is_class", 3927539163};

const Method<Rid()> canvas_item_create{"RenderingServer", "canvas_item_create", 529393457};
const Method<void(Rid, Rid)> canvas_item_set_parent{"RenderingServer", "canvas_item_set_parent", 395945892};
const Method<void(Rid, Rid)> canvas_item_set_material{"RenderingServer", "canvas_item_set_material", 395945892};
const Method<void(Rid, std::int64_t)> canvas_item_set_draw_index{"RenderingServer", "canvas_item_set_draw_index",
                                                                 3411492887};
const Method<void(Rid, std::int64_t)> canvas_item_set_light_mask{"RenderingServer", "canvas_item_set_light_mask",
                                                                 3411492887};
const Method<void(Rid, std::int64_t)> canvas_item_set_visibility_layer{"RenderingServer",
                                                                       "canvas_item_set_visibility_layer", 3411492887};
const Method<void(Rid, std::int64_t)> canvas_item_set_texture_filter{
    "RenderingServer", "canvas_item_set_default_texture_filter", 1155129294};
const Method<void(Rid, StringName, Variant)> canvas_item_set_instance_shader_parameter{
    "RenderingServer", "canvas_item_set_instance_shader_parameter", 3477296213};
const Method<void(Rid, bool, Rect2, Callable, Callable)> canvas_item_set_visibility_notifier{
    "RenderingServer", "canvas_item_set_visibility_notifier", 3568945579};
const Method<void(Rid)> canvas_item_clear{"RenderingServer", "canvas_item_clear", 2722037293};
const Method<void(Rid, PackedInt32Array, PackedVector2Array, PackedColorArray, PackedVector2Array, PackedInt32Array,
                  PackedFloat32Array, Rid, std::int64_t)>
    canvas_item_add_triangle_array{"RenderingServer", "canvas_item_add_triangle_array", 660261329};
const Method<Rid()> mesh_create{"RenderingServer", "mesh_create", 529393457};
const Method<void(Rid)> mesh_clear{"RenderingServer", "mesh_clear", 2722037293};
const Method<void(Rid, std::int64_t, Array, Array, Dictionary, std::int64_t)> mesh_add_surface_from_arrays{
    "RenderingServer", "mesh_add_surface_from_arrays", 2342446560};
const Method<void(Rid, std::int64_t, std::int64_t, PackedByteArray)> mesh_surface_update_vertex_region{
    "RenderingServer", "mesh_surface_update_vertex_region", 2900195149};
const Method<void(Rid, std::int64_t, std::int64_t, PackedByteArray)> mesh_surface_update_attribute_region{
    "RenderingServer", "mesh_surface_update_attribute_region", 2900195149};
struct Aabb {
  static constexpr GDExtensionVariantType kType = GDEXTENSION_VARIANT_TYPE_AABB;
  std::array<float, 6> position_and_size;
};
const Method<void(Rid, Aabb)> mesh_set_custom_aabb{"RenderingServer", "mesh_set_custom_aabb", 3696536120};
const Method<void(Rid, Rid, Transform2D, Color, Rid)> canvas_item_add_mesh{"RenderingServer", "canvas_item_add_mesh",
                                                                           316450961};
const Method<Rid()> shader_create{"RenderingServer", "shader_create", 529393457};
const Method<void(Rid, String)> shader_set_code{"RenderingServer", "shader_set_code", 2726140452};
const Method<Rid()> material_create{"RenderingServer", "material_create", 529393457};
const Method<void(Rid, Rid)> material_set_shader{"RenderingServer", "material_set_shader", 395945892};
const Method<void(Rid)> free_rid{"RenderingServer", "free_rid", 2722037293};

constexpr std::int64_t kNearest = 1;
constexpr std::int64_t kTriangles = 3;
constexpr std::size_t kVertexArray = 0, kColorArray = 3, kUvArray = 4, kIndexArray = 12, kArrayCount = 13;
constexpr std::int64_t kDynamic = 1 << 26;   // The mesh is updated often.
constexpr std::int64_t kFirstLayer = -4096;  // Below the indices of child nodes.
constexpr float kMargin = 0.25F;             // Springs and targets move what is drawn out of the bounds of the clips.

GDExtensionObjectPtr rendering_server() {
  static const GDExtensionObjectPtr server = singleton("RenderingServer");
  return server;
}

/// `texel` and `pixel` are premultiplied by alpha. COLOR is straight, because the engine multiplies it by modulate. A
/// negative alpha adds light.
constexpr const char* kShader = R"(shader_type canvas_item;
render_mode %MODE%;
instance uniform vec4 dark_tint = vec4(0.0);
instance uniform vec4 additive_color = vec4(0.0);
varying vec4 tint;
void vertex() {
  tint = COLOR;
}
void fragment() {
  vec4 texel = texture(TEXTURE, UV);
  vec3 lit = texel.rgb * tint.rgb + (texel.a - texel.rgb) * dark_tint.rgb + texel.a * additive_color.rgb;
  lit = min(lit, texel.a * max(tint.rgb, vec3(1.0)));
  vec4 pixel = vec4(lit * abs(tint.a), texel.a * max(tint.a, 0.0));
  COLOR = %COLOR%;
}
)";

/// Passes that multiply what is behind them are not lit: that is.
struct Formula {
  const char* mode;
  const char* color;
};
constexpr Formula kFormulas[] = {
    {"blend_premul_alpha", "pixel"},
    {"blend_mul, unshaded", "vec4(pixel.rgb + 1.0 - pixel.a, 1.0)"},
    {"blend_mul, unshaded", "vec4(1.0 - pixel.rgb, 1.0)"},
    {"blend_premul_alpha", "vec4(pixel.rgb, 0.0)"},
};

struct Shared {
  Rid shader, material;
};
Shared shared[std::size(kFormulas)];

/// What adds light does not fit a mesh, whose colors are bytes.
struct Triangles {
  PackedInt32Array indices;
  PackedVector2Array points, coordinates;
  PackedColorArray colors;
};

/// Memory that all nodes draw with, one after the other. It stays in the caches of the CPU.
struct Scratch {
  Scratch() : stream(pchr_stream_create(0)) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { pchr_stream_free(stream); }
  pchr_stream* stream;
  Triangles triangles;
  PackedByteArray points, attributes;
};
Scratch* scratch = nullptr;  // Freed while there is an engine.

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  return text.replace(text.find(from), from.size(), to);
}

Color straight(const std::uint8_t* premultiplied) {
  const float a = static_cast<float>(premultiplied[3]) / 255;
  const float divisor = 255 * (a > 0 ? a : 1);
  return {static_cast<float>(premultiplied[0]) / divisor, static_cast<float>(premultiplied[1]) / divisor,
          static_cast<float>(premultiplied[2]) / divisor, a > 0 ? a : -1};
}

bool adds_light(const std::uint8_t* color) { return std::max({color[0], color[1], color[2]}) > color[3]; }

void fill(Triangles& made, const pchr_stream_vertex* vertices, std::span<const std::uint32_t> corners) {
  const auto [first, last] = std::ranges::minmax(corners);
  const std::span<const pchr_stream_vertex> used(vertices + first, last - first + 1);
  made.indices.resize(corners.size());
  std::ranges::transform(corners, made.indices.elements().begin(),
                         [first](std::uint32_t index) { return static_cast<std::int32_t>(index - first); });
  made.points.resize(used.size());
  made.coordinates.resize(used.size());
  made.colors.resize(used.size());
  const auto points = made.points.elements(), coordinates = made.coordinates.elements();
  const auto colors = made.colors.elements();
  for (std::size_t k = 0; k < used.size(); ++k) {
    points[k] = {used[k].x, used[k].y};
    coordinates[k] = {used[k].u, used[k].v};
    colors[k] = straight(used[k].color);
  }
}

/// Makes a mesh of the triangles of a command, or uploads what changed since the last frame. False if the triangles add
/// light.
bool update(CanvasMesh& mesh, const pchr_stream_vertex* vertices, std::span<const std::uint32_t> corners) {
  const GDExtensionObjectPtr server = rendering_server();
  const bool is_new = !std::ranges::equal(corners, mesh.corners);
  if (is_new) {
    const auto [first, last] = std::ranges::minmax(corners);
    mesh.corners.assign(corners.begin(), corners.end());
    mesh.first = first;
    mesh.attributes.assign(last - first + 1, {});
  }
  const std::span<const pchr_stream_vertex> used(vertices + mesh.first, mesh.attributes.size());
  scratch->points.resize(used.size() * sizeof(Vector2));
  auto* const points = reinterpret_cast<Vector2*>(scratch->points.elements().data());
  Vector2 least = {used[0].x, used[0].y}, most = least;
  bool recolored = false;
  std::array<std::uint8_t, 4> premultiplied{}, color{};  // Those of the last vertex, which often has the same.
  for (std::size_t k = 0; k < used.size(); ++k) {
    const pchr_stream_vertex& vertex = used[k];
    points[k] = {vertex.x, vertex.y};
    least = {std::min(least.x, vertex.x), std::min(least.y, vertex.y)};
    most = {std::max(most.x, vertex.x), std::max(most.y, vertex.y)};
    if (std::memcmp(vertex.color, premultiplied.data(), sizeof vertex.color) != 0) {
      if (adds_light(vertex.color)) {
        mesh.corners.clear();
        return false;
      }
      std::memcpy(premultiplied.data(), vertex.color, sizeof vertex.color);
      const unsigned alpha = color[3] = vertex.color[3];
      for (std::size_t c = 0; c < 3 && alpha > 0; ++c) {
        color[c] = static_cast<std::uint8_t>((vertex.color[c] * 255U + alpha / 2) / alpha);
      }
    }
    const CanvasMesh::Attributes now{color, vertex.u, vertex.v};
    CanvasMesh::Attributes& before = mesh.attributes[k];
    if (now.color == before.color && now.u == before.u && now.v == before.v) continue;
    before = now;
    recolored = true;
  }
  if (is_new) {
    if (mesh.mesh.id == 0) mesh.mesh = mesh_create(server);
    mesh_clear(server, mesh.mesh);
    fill(scratch->triangles, vertices, corners);
    Array arrays;
    arrays.resize(kArrayCount);
    arrays[kVertexArray] = Variant(scratch->triangles.points);
    arrays[kColorArray] = Variant(scratch->triangles.colors);
    arrays[kUvArray] = Variant(scratch->triangles.coordinates);
    arrays[kIndexArray] = Variant(scratch->triangles.indices);
    mesh_add_surface_from_arrays(server, mesh.mesh, kTriangles, arrays, Array(), Dictionary(), kDynamic);
  } else {
    mesh_surface_update_vertex_region(server, mesh.mesh, 0, 0, scratch->points);
    if (recolored) {
      const std::size_t size = used.size() * sizeof mesh.attributes[0];
      scratch->attributes.resize(size);
      std::memcpy(scratch->attributes.elements().data(), mesh.attributes.data(), size);
      mesh_surface_update_attribute_region(server, mesh.mesh, 0, 0, scratch->attributes);
    }
  }
  mesh_set_custom_aabb(server, mesh.mesh, {{least.x, least.y, 0, most.x - least.x, most.y - least.y, 0}});
  return true;
}

/// Forward+ and Mobile would convert a Color to linear light.
Rect2 components(const Color& color) { return {{color.r, color.g}, {color.b, color.a}}; }

/// Returns the filter that a node inherits. A canvas item without a node does not inherit it.
std::int64_t inherited_filter(GDExtensionObjectPtr node) {
  static const char* const kItem = "CanvasItem";
  std::int64_t filter = 0;
  while (filter == 0 && node != nullptr && is_class(node, kItem)) {
    filter = get_texture_filter(node);
    node = get_parent(node);
  }
  return filter;
}

/// Calls a function of a sprite, as long as it exists.
template <auto kFunction>
Callable callable(PchrSprite2D* sprite) {
  GDExtensionCallableCustomInfo2 info{};
  info.callable_userdata = sprite;
  info.token = api.library;
  info.object_id = api.object_get_instance_id(sprite->object);
  info.call_func = [](void* receiver, const GDExtensionConstVariantPtr*, GDExtensionInt, GDExtensionVariantPtr,
                      GDExtensionCallError* error) {
    error->error = GDEXTENSION_CALL_OK;
    (static_cast<PchrSprite2D*>(receiver)->*kFunction)();
  };
  Callable made;
  api.callable_custom_create2(&made, &info);
  return made;
}

template <class T>
std::uint64_t bits(const T& value) {
  std::uint64_t made = 0;
  static_assert(sizeof value == sizeof made);
  std::memcpy(&made, &value, sizeof made);
  return made;
}

bool equal(const Rect2& a, const Rect2& b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace

Rid material_of(Blend blend) {
  Shared& made = shared[static_cast<int>(blend)];
  if (made.material.id == 0) {
    const Formula& formula = kFormulas[static_cast<int>(blend)];
    made.shader = shader_create(rendering_server());
    shader_set_code(rendering_server(), made.shader,
                    String(replaced(replaced(kShader, "%MODE%", formula.mode), "%COLOR%", formula.color)));
    made.material = material_create(rendering_server());
    material_set_shader(rendering_server(), made.material, made.shader);
  }
  return made.material;
}

void free_shared() {
  free_crowd_shaders();
  delete scratch;
  scratch = nullptr;
  for (Shared& made : shared) {
    if (made.material.id == 0) continue;
    free_rid(rendering_server(), made.material);
    free_rid(rendering_server(), made.shader);
    made = {};
  }
}

SpriteCanvas::~SpriteCanvas() {
  for (const Rid layer : layers) free_rid(rendering_server(), layer);
  for (const CanvasMesh& mesh : meshes) {
    if (mesh.mesh.id != 0) free_rid(rendering_server(), mesh.mesh);
  }
}

/// The engine tells nobody when these properties change. It keeps their names as long as the class, so the addresses
/// of the names suffice.
bool PchrSprite2D::set(const StringName& name, const Variant&) {
  static const std::array<std::uint64_t, 5> kNames{
      bits(StringName("material")), bits(StringName("use_parent_material")), bits(StringName("light_mask")),
      bits(StringName("visibility_layer"))};
  if (std::ranges::find(kNames, bits(name)) != kNames.end()) queue_redraw(object);
  return false;
}

void PchrSprite2D::redraw() {
  posed = false;
  queue_redraw(object);
  if (!attachments.empty()) current_pose();
}

void PchrSprite2D::redraw_moved() {
  if (!canvas.on_screen) {
    posed = false;
    if (!attachments.empty()) current_pose();
    return;
  }
  std::uint32_t now = PCHR_NONE;
  pchr_clip_time time{};
  if (posed && pchr_animator_plays_alone(animator, &now, &time) && now == posed_clip &&
      time.frame == posed_time.frame && time.next == posed_time.next && time.factor == posed_time.factor) {
    return;
  }
  redraw();
}

void PchrSprite2D::enter_screen() {
  canvas.on_screen = true;
  teleported = true;  // The way that the node went off screen does not swing its springs.
  redraw();
}

void PchrSprite2D::exit_screen() { canvas.on_screen = false; }

Rect2 PchrSprite2D::placed(Rect2 rect) const {
  if (flip_h) rect.position.x = -rect.position.x - rect.size.x;
  if (flip_v) rect.position.y = -rect.position.y - rect.size.y;
  return {{rect.position.x + offset.x, rect.position.y + offset.y}, rect.size};
}

/// Asks the engine to call enter_screen() and exit_screen().
void PchrSprite2D::watch_screen() {
  Rect2 area = placed(character->reach());
  const float margin = kMargin * std::max(area.size.x, area.size.y);
  area = {{area.position.x - margin, area.position.y - margin}, {area.size.x + 2 * margin, area.size.y + 2 * margin}};
  if (equal(area, canvas.area)) return;
  canvas.area = area;
  canvas_item_set_visibility_notifier(rendering_server(), get_canvas_item(object), true, area,
                                      callable<&PchrSprite2D::enter_screen>(this),
                                      callable<&PchrSprite2D::exit_screen>(this));
}

/// Keeps the engine from calling functions of a library that it has loaded again since.
void PchrSprite2D::forget_screen() {
  canvas_item_set_visibility_notifier(rendering_server(), get_canvas_item(object), false, {}, {}, {});
}

void PchrSprite2D::draw() {
  const GDExtensionObjectPtr server = rendering_server();
  for (const Rid layer : std::span(canvas.layers).first(canvas.used)) canvas_item_clear(server, layer);
  canvas.used = 0;
  const pchr_pose* const drawn = current_pose();
  if (drawn == nullptr) return;
  watch_screen();
  if (scratch == nullptr) scratch = new Scratch;
  pchr_stream* const stream = scratch->stream;
  pchr_stream_clear(stream);
  pchr_appearance appearance;
  pchr_appearance_init(&appearance, sizeof appearance);
  appearance.placement = placement();
  appearance.blend = static_cast<pchr_blend>(blend_mode);
  std::memcpy(appearance.tint, &tint, sizeof appearance.tint);
  pchr_stream_options options{};
  options.appearance = &appearance;
  const PchrSkin::Fitted* const fitted = skin ? &skin->of(*character.get()) : nullptr;
  if (fitted != nullptr) options.skin = fitted->skin.get();
  pchr_stream_add(stream, drawn, &options);

  std::uint32_t command_count = 0;
  const pchr_stream_command* const commands = pchr_stream_commands(stream, &command_count);
  const pchr_stream_vertex* const vertices = pchr_stream_vertices(stream, nullptr);
  const std::uint32_t* const indices = pchr_stream_indices(stream, nullptr);
  const std::span<const Rid> textures = character->textures();
  const bool nearest = character->is_pixel_art() && get_texture_filter(object) == 0;
  const bool is_mask = get_clip_children_mode(object) != 0;  // The engine draws it with a material of its own.
  const bool own_material = !get_material(object) && !get_use_parent_material(object);
  const bool blends = own_material && !is_mask;
  const auto is_black = [](const Color& color) { return color.r == 0 && color.g == 0 && color.b == 0; };
  const bool has_look = blends && !(is_black(dark_tint) && is_black(additive_color));

  Rid item = get_canvas_item(object);
  Blend current = Blend::normal;
  const auto set_look = [&](bool& had_look) {
    if (!has_look && !had_look) return;
    canvas_item_set_instance_shader_parameter(server, item, "dark_tint", components(dark_tint));
    canvas_item_set_instance_shader_parameter(server, item, "additive_color", components(additive_color));
    had_look = has_look;
  };
  const auto draw_in = [&](Blend blend) {
    if (blend == current) return;
    current = blend;
    if (canvas.used == canvas.layers.size()) {
      const Rid layer = canvas_item_create(server);
      canvas_item_set_parent(server, layer, get_canvas_item(object));
      canvas_item_set_draw_index(server, layer, kFirstLayer + static_cast<std::int64_t>(canvas.used));
      canvas.layers.push_back(layer);
    }
    item = canvas.layers[canvas.used++];
    canvas_item_set_material(server, item, material_of(blend));
    canvas_item_set_light_mask(server, item, get_light_mask(object));
    canvas_item_set_visibility_layer(server, item, get_visibility_layer(object));
    canvas_item_set_texture_filter(server, item, nearest ? kNearest : inherited_filter(object));
    bool had_look = true;
    set_look(had_look);
  };
  if (own_material) {
    canvas_item_set_material(server, item, is_mask ? Rid{} : material_of(Blend::normal));
    set_look(canvas.had_look);
  }
  if (nearest) canvas_item_set_texture_filter(server, item, kNearest);

  if (canvas.meshes.size() < command_count) canvas.meshes.resize(command_count);
  for (std::uint32_t i = 0; i < command_count; ++i) {
    const pchr_stream_command& command = commands[i];
    const std::span<const std::uint32_t> corners(indices + command.first_index, command.index_count);
    if (corners.empty()) continue;
    const bool is_mesh = update(canvas.meshes[i], vertices, corners);
    if (!is_mesh) fill(scratch->triangles, vertices, corners);

    const bool is_own = command.image < textures.size();
    const std::span<const Rid> images = is_own || fitted == nullptr ? textures : fitted->texture_rids;
    const std::size_t image = is_own ? command.image : command.image - textures.size();
    const Rid texture = image < images.size() ? images[image] : Rid{};
    const auto add = [&] {
      if (is_mesh) return canvas_item_add_mesh(server, item, canvas.meshes[i].mesh, {}, {}, texture);
      const Triangles& made = scratch->triangles;
      canvas_item_add_triangle_array(server, item, made.indices, made.points, made.colors, made.coordinates, {}, {},
                                     texture, -1);
    };
    if (blends && command.blend == PCHR_BLEND_SCREEN) {
      draw_in(Blend::screen_1);
      add();
      draw_in(Blend::screen_2);
    } else if (blends) {
      draw_in(command.blend == PCHR_BLEND_MULTIPLY ? Blend::multiply : Blend::normal);
    }
    add();
  }
}
