// SPDX-License-Identifier: MIT
#include "module.hpp"

#include <pchr/queries.hpp>

#include "character/format.hpp"
#include "character/json.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <new>

#define PCHR_IMPORT(name) extern "C" __attribute__((import_module("gl"), import_name(#name))) void pchr_gl##name
PCHR_IMPORT(Clear)(unsigned mask);
PCHR_IMPORT(ClearColor)(float red, float green, float blue, float alpha);
PCHR_IMPORT(Viewport)(int x, int y, int width, int height);

namespace pchr::web {
namespace {

constexpr unsigned kColorAndDepth = 0x4100;  // GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT

/// Returns a number as JSON. The standard library's digits take more space.
std::string number_text(std::floating_point auto number) { return format_text("{}", number); }

void add_bounds(JsonWriter& json, const Rect& rect) {
  json.key("bounds");
  if (rect.empty()) return void(json.value(nullptr));
  json.begin_array();
  for (const float side : {rect.min.x, rect.min.y, rect.max.x, rect.max.y}) json.literal(number_text(side));
  json.end_array();
}

void add_diagnostic(JsonWriter& json, const Diagnostic& diagnostic) {
  json.object("id", code(diagnostic.id), "severity", severity(diagnostic.id) == Severity::error ? "error" : "warning",
              "message", describe(diagnostic), "hint", hint(diagnostic.id), "path", diagnostic.path, "byte",
              diagnostic.byte_offset, "line", diagnostic.line, "column", diagnostic.column);
}

void add_clip(JsonWriter& json, const Opened& opened, ClipId id) {
  const Clip& clip = opened.character.clips()[id];
  json.begin_object().fields("name", clip.name).key("fps").literal(number_text(clip.frames_per_second));
  json.fields("frames", clip.frame_count).key("seconds").literal(number_text(clip.duration_seconds()));
  json.fields("loops", clip.looping, "loopStart", clip.loop_start);
  if (!clip.frame_ends.empty()) {
    json.list("frameEnds", clip.frame_ends, [&](double end) { json.literal(number_text(end)); });
  }
  add_bounds(json, compute_clip_bounds(opened.character, id));
  json.list("markers", opened.markers.of_clip(id),
            [&](const Marker& marker) { json.object("frame", marker.frame, "name", marker.name); });
  json.end_object();
}

std::string describe_opened(const Opened& opened, std::size_t file_bytes, std::span<const std::string> missing) {
  const Character& character = opened.character;
  const BindPoseSource bind = character.bind_pose_source();
  JsonWriter json;
  json.begin_object(JsonWriter::dense);
  json.fields("format", opened.format, "title", opened.title, "author", opened.author, "fileBytes", file_bytes, "is3d",
              character.is_3d(), "pixelArt", character.data().pixel_art);
  add_bounds(json, compute_character_bounds(character));
  json.fields("bindClip", bind.clip, "bindFrame", bind.frame, "bindGuessed", character.bind_pose_guess().has_value());
  json.list("bones", character.bones(),
            [&](const Bone& bone) { json.object("name", bone.name, "parent", bone.parent); });
  json.list("meshes", character.meshes(), [&](const Mesh& mesh) {
    json.object("name", mesh.name, "vertices", mesh.vertex_count, "triangles", mesh.index_count / 3, "image",
                mesh.image);
  });
  json.list("images", character.images(),
            [&](const Image& image) { json.object("name", image.name, "width", image.width, "height", image.height); });
  json.list("clips", character.clips().ids(), [&](ClipId clip) { add_clip(json, opened, clip); });
  json.list("diagnostics", opened.diagnostics, [&](const Diagnostic& diagnostic) { add_diagnostic(json, diagnostic); });
  return json.fields("missing", missing).end_object().text;
}

std::string describe_failure(const Diagnostic& error, std::span<const std::string> missing) {
  JsonWriter json;
  json.begin_object(JsonWriter::dense).key("error");
  add_diagnostic(json, error);
  return json.fields("missing", missing).end_object().text;
}

/// Poses the character at the current time.
void pose() {
  if (state.clip == ClipId::none) return pose_bind(state.opened->character, state.posed);
  pose_clip(state.opened->character, state.clip, state.clock.position(state.sampling), state.posed);
}

void play_unless_ended() {
  // At the end, play() starts over.
  if (!state.clock.playing() && !state.clock.at_end()) state.clock.play();
}

void append(std::vector<float>& floats, Vec2 point) {
  floats.push_back(point.x);
  floats.push_back(point.y);
}

/// Prepares the framebuffer and returns the camera.
Camera begin_drawing(std::uint32_t width, std::uint32_t height, Vec2 center, float zoom,
                     const std::array<float, 4>& color) {
  pchr_glViewport(0, 0, static_cast<int>(width), static_cast<int>(height));
  pchr_glClearColor(color[0], color[1], color[2], color[3]);
  pchr_glClear(kColorAndDepth);
  return {center, zoom, {static_cast<float>(width), static_cast<float>(height)}};
}

Limits limits_with(std::uint32_t max_file_bytes) {
  Limits limits;
  if (max_file_bytes != 0) limits.max_file_bytes = max_file_bytes;
  return limits;
}

bool open(std::string_view path, std::uint32_t max_bytes) {
  state.opened.reset();
  state.as_opened.reset();
  const Files files = std::exchange(state.files, {});
  const File* const file = find_file(files, path);
  std::vector<std::string> missing;
  auto opened = file != nullptr
                    ? open_character(*file, files, limits_with(max_bytes), missing)
                    : Unexpected(Diagnostic{DiagnosticId::unreadable_file, {}, {}, {}, "the file was not added"});
  if (!opened) {
    state.text = describe_failure(opened.error(), missing);
    return false;
  }
  state.opened = *std::move(opened);
  state.file_bytes = file->size;
  state.missing = std::move(missing);
  state.text = describe_opened(*state.opened, state.file_bytes, state.missing);
  const Character& character = state.opened->character;
  state.markers.assign(character.clips().size(), {});
  for (const Marker& marker : state.opened->markers.all()) state.markers[index(marker.clip)].push_back(marker.frame);
  state.clip = ClipId::none;
  state.clock = {};
  return true;
}

/// Returns whether a diagnostic depends on the bind pose.
bool is_about_bind_pose(const Diagnostic& diagnostic) {
  constexpr std::array<std::string_view, 3> kCodes{"W206", "W211", "W212"};
  return std::ranges::find(kCodes, code(diagnostic.id)) != kCodes.end();
}

std::optional<Diagnostic> apply_bind_pose(Opened& opened, const BindPose& bind) {
  auto character = Character::build(opened.character.data(), bind);
  if (!character) return std::move(character.error());
  opened.character = *std::move(character);
  std::erase_if(opened.diagnostics, is_about_bind_pose);
  std::ranges::copy_if(opened.character.warnings(), std::back_inserter(opened.diagnostics), is_about_bind_pose);
  return std::nullopt;
}

bool set_bind_pose(const BindPose& bind) {
  if (!state.as_opened) state.as_opened = state.opened;
  Opened changed = *state.as_opened;
  if (bind != BindPose()) {
    if (const auto problem = apply_bind_pose(changed, bind)) {
      state.text = describe_failure(*problem, {});
      return false;
    }
  }
  if (state.graphics) {
    auto model = state.graphics->renderer.upload(changed.character);
    if (!model) {
      state.text = describe_error(model.error().message);
      return false;
    }
    state.graphics->model = *std::move(model);
  }
  state.opened = std::move(changed);
  state.text = describe_opened(*state.opened, state.file_bytes, state.missing);
  return true;
}

Expected<Graphics, RenderError> start_graphics(const Character& character) {
  auto renderer = Renderer::create(GetProcAddress{}, {.compile_on_first_use = true});
  if (!renderer) return Unexpected(std::move(renderer.error()));
  auto model = renderer->upload(character);
  if (!model) return Unexpected(std::move(model.error()));
  return Graphics{*std::move(renderer), *std::move(model)};
}

}  // namespace

// Never destroyed: the page drops the whole module.
State& state = *new State;

std::string describe_size(std::uint32_t width, std::uint32_t height) {
  JsonWriter json;
  return json.begin_object(JsonWriter::dense).fields("width", width, "height", height).end_object().text;
}

std::string describe_error(std::string_view message) {
  JsonWriter json;
  return json.begin_object(JsonWriter::dense).key("error").object("message", message).end_object().text;
}

Filter chosen_filter(std::uint32_t filter) {
  if (filter <= static_cast<std::uint32_t>(Filter::nearest)) return static_cast<Filter>(filter);
  return state.opened->character.data().pixel_art ? Filter::nearest : Filter::trilinear;
}

#ifndef PCHR_WITH_IMPORT
Expected<Opened, LoadError> open_character(const File& file, const Files& /*files*/, const Limits& limits,
                                           std::vector<std::string>& /*missing*/) {
  auto character = load(file.contents(), {.limits = limits});
  if (!character) return Unexpected(std::move(character.error()));
  Opened opened{*std::move(character), "PCHR v1"};
  const auto warnings = opened.character.warnings();
  opened.diagnostics.assign(warnings.begin(), warnings.end());
  return opened;
}

#endif

const File* find_file(const Files& files, std::string_view path) noexcept {
  const auto found = std::ranges::find(files, path, &File::path);
  return found != files.end() ? &*found : nullptr;
}

}  // namespace pchr::web

using namespace pchr;
using web::state;

void* pchr_alloc(std::uint32_t bytes) { return ::operator new(bytes); }
void pchr_free(void* memory) { ::operator delete(memory); }

void pchr_add_file(const char* path, std::uint32_t path_length, std::byte* bytes, std::uint32_t size) {
  const std::string_view name(path, path_length);
  std::erase_if(state.files, [&](const web::File& file) { return file.path == name; });
  state.files.push_back({std::string(name), decltype(web::File::bytes)(bytes), size});
}

std::uint32_t pchr_open(const char* path, std::uint32_t path_length, std::uint32_t max_bytes) {
  assert(!state.graphics);
  return web::open({path, path_length}, max_bytes) ? 1 : 0;
}

std::uint32_t pchr_set_bind_pose(const char* pose, std::uint32_t length) {
  return web::set_bind_pose(parse_bind_pose({pose, length})) ? 1 : 0;
}

void pchr_close() {
  assert(!state.graphics);
  state = {};
}

void pchr_add_marker(std::uint32_t clip, std::uint32_t frame) {
  if (clip < state.markers.size()) state.markers[clip].push_back(frame);
}

const char* pchr_text() { return state.text.data(); }
std::uint32_t pchr_text_length() { return static_cast<std::uint32_t>(state.text.size()); }

void pchr_set(std::int32_t clip, std::uint32_t loop, std::uint32_t smooth, double speed) {
  const auto clips = state.opened->character.clips();
  const auto wanted = static_cast<ClipId>(clip);
  const ClipId id = clips.contains(wanted) ? wanted : ClipId::none;
  constexpr LoopMode kModes[] = {LoopMode::once, LoopMode::loop, LoopMode::from_file, LoopMode::ping_pong};
  const LoopMode mode = kModes[std::min(loop, 3U)];
  state.sampling = smooth != 0 ? Sampling::smooth : Sampling::step;
  if (id != state.clip) {
    state.clip = id;
    state.clock = Clock(clips[id], mode);
    state.clock.set_speed(speed);
    state.clock.rewind();
  } else {
    state.clock.set_mode(mode);
    state.clock.set_speed(speed);
    web::play_unless_ended();
  }
}

std::uint32_t pchr_advance(double seconds) {
  enum Kind : std::uint32_t { looped, ended, marker };
  auto& events = state.events;
  events.clear();
  const auto add = [&](Kind kind, std::uint64_t value) {
    events.insert(events.end(), {kind, static_cast<std::uint32_t>(std::min<std::uint64_t>(value, UINT32_MAX))});
  };
  const Advance step = state.clock.advance(seconds);
  if (state.clip == ClipId::none) return 0;
  const auto& markers = state.markers[index(state.clip)];
  for (std::size_t i = 0; i < markers.size(); ++i) {
    if (state.clock.find_reached(markers[i], step).count > 0) add(marker, i);
  }
  if (step.loops > 0) add(looped, step.loops);
  if (step.finished) add(ended, 0);
  return static_cast<std::uint32_t>(events.size() / 2);
}

const std::uint32_t* pchr_events() { return state.events.data(); }

void pchr_seek(double seconds) {
  state.clock.seek_seconds(seconds);
  web::play_unless_ended();
}

void pchr_seek_frame(std::uint32_t frame) {
  state.clock.seek_frame(frame);
  web::play_unless_ended();
}

double pchr_time() { return state.clock.seconds(); }
std::uint32_t pchr_frame() { return state.clock.frame(); }
std::uint32_t pchr_ended() { return state.clock.at_end() ? 1 : 0; }

std::uint32_t pchr_start_gl() {
  pchr_stop_gl();
  auto graphics = web::start_graphics(state.opened->character);
  if (!graphics) {
    state.text = web::describe_error(graphics.error().message);
    return 0;
  }
  state.graphics = *std::move(graphics);
  return 1;
}

void pchr_stop_gl() { state.graphics.reset(); }

void pchr_draw(std::uint32_t width, std::uint32_t height, float center_x, float center_y, float zoom, float red,
               float green, float blue, float alpha, std::uint32_t filter) {
  if (!state.graphics) return;
  auto& [renderer, model] = *state.graphics;
  const Camera camera = web::begin_drawing(width, height, {center_x, center_y}, zoom, {red, green, blue, alpha});
  model.set_filter(web::chosen_filter(filter));
  renderer.draw(model, Instance{state.clip, state.clock.position(state.sampling)}, camera, StateHandling::dirty);
}

void pchr_draw_crowd(const pchr_crowd_member* members, std::uint32_t count, std::uint32_t width, std::uint32_t height,
                     float center_x, float center_y, float zoom, float red, float green, float blue, float alpha) {
  if (!state.graphics) return;
  auto& [renderer, model] = *state.graphics;
  const Camera camera = web::begin_drawing(width, height, {center_x, center_y}, zoom, {red, green, blue, alpha});
  const auto clips = state.opened->character.clips();
  state.crowd.resize(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const pchr_crowd_member& member = members[i];
    const auto wanted = static_cast<ClipId>(member.clip);
    Instance& instance = state.crowd[i];
    instance.clip = clips.contains(wanted) ? wanted : ClipId::none;
    instance.position = clip_time(clips[instance.clip], member.seconds, state.sampling);
    instance.appearance.placement = std::bit_cast<Affine>(member.placement);
    instance.appearance.tint = std::bit_cast<std::array<float, 4>>(member.tint);
  }
  renderer.draw(model, state.crowd, camera, StateHandling::dirty);
}

std::uint32_t pchr_draw_calls() { return state.graphics ? state.graphics->renderer.statistics().draw_calls : 0; }

double pchr_gpu_bytes() {
  if (!state.graphics) return 0;
  return static_cast<double>(state.graphics->renderer.gpu_bytes() + state.graphics->model.gpu_bytes());
}

const float* pchr_joints() {
  web::pose();
  state.joints.clear();
  const auto bones = state.opened->character.bones();
  const auto& world = state.posed.world;
  for (const BoneId bone : bones.ids()) {
    const BoneId parent = bones[bone].parent;
    web::append(state.joints, position_of(world[index(parent == BoneId::none ? bone : parent)]));
    web::append(state.joints, position_of(world[index(bone)]));
  }
  return state.joints.data();
}

const float* pchr_wireframe() {
  web::pose();
  state.triangles.clear();
  const Character& character = state.opened->character;
  for (const DrawItem& item : state.posed.draw_list) {
    const Mesh& mesh = character.meshes()[item.mesh];
    state.points.resize(mesh.vertex_count);
    deform_mesh(character, state.posed, item.mesh, state.points);
    for (const std::uint16_t vertex : character.indices(mesh)) web::append(state.triangles, state.points[vertex]);
  }
  return state.triangles.data();
}

std::uint32_t pchr_wireframe_count() { return static_cast<std::uint32_t>(state.triangles.size() / 6); }

const std::uint8_t* pchr_image_pixels(std::uint32_t image) {
  const auto images = state.opened->character.images();
  if (image >= images.size()) return nullptr;
  auto bitmap = decode(images[image]);
  if (!bitmap) return nullptr;
  state.image = *std::move(bitmap);
  return state.image.rgba.data();
}

std::uint64_t pchr_pose_hash() {
  const Character& character = state.opened->character;
  std::uint64_t hash = 14695981039346656037ULL;
  const auto add = [&](std::uint32_t word) { hash = (hash ^ word) * 1099511628211ULL; };
  PoseBuffers& posed = state.posed;
  state.points.resize(character.vertices().size());
  for (const ClipId clip : character.clips().ids()) {
    for (int i = 0; i < 40; ++i) {
      pose_clip(character, clip, clip_time(character.clips()[clip], i * 0.061, Sampling::smooth), posed);
      deform(character.vertices(), posed.palette, state.points);
      for (const Vec2 point : state.points) {
        add(std::bit_cast<std::uint32_t>(point.x));
        add(std::bit_cast<std::uint32_t>(point.y));
      }
      for (const DrawItem& item : posed.draw_list) add(static_cast<std::uint32_t>(item.mesh));
    }
  }
  return hash;
}

// Replaces functions of the C++ library that would bring its texts and formatted output into the module. Nobody reads
// what a module prints: a failure traps, and the page says so.
void* operator new(std::size_t bytes) {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr && bytes > 0) __builtin_trap();
  return memory;
}
void* operator new[](std::size_t bytes) { return ::operator new(bytes); }
void* operator new(std::size_t bytes, const std::nothrow_t& /*nothrow*/) noexcept { return std::malloc(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t& /*nothrow*/) noexcept { return std::malloc(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*bytes*/) noexcept { std::free(memory); }

// There is no environment.
extern "C" char* getenv(const char* /*name*/) { return nullptr; }

[[noreturn]] void std::__libcpp_verbose_abort(const char* /*format*/, ...) { __builtin_trap(); }

extern "C" [[noreturn]] void __cxa_pure_virtual() { __builtin_trap(); }
