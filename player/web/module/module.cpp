// SPDX-License-Identifier: MIT
#include "module.hpp"

#include <pchr/queries.hpp>

#include "character/format.hpp"
#include "character/json.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <new>

namespace pchr::web {
namespace {

// Never destroyed: the page drops the whole module. Results of calls, which the page reads before the next one.
Files& added_files = *new Files;
std::string& text = *new std::string;
std::vector<std::uint32_t>& events = *new std::vector<std::uint32_t>;
std::vector<float>& floats = *new std::vector<float>;
std::vector<Vec2>& points = *new std::vector<Vec2>;
PoseBuffers& posed = *new PoseBuffers;
Bitmap& decoded = *new Bitmap;

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

#ifdef PCHR_WITH_IMPORT
void add_states(JsonWriter& json, const States& states) {
  constexpr const char* kTypes[] = {"number", "boolean", "trigger"};
  json.key("states").begin_object();
  json.list("parameters", states.parameters, [&](const StateParameter& each) {
    json.begin_object().fields("name", each.name, "type", kTypes[static_cast<int>(each.kind)], "key", each.key);
    json.key("min").literal(number_text(each.min)).key("max").literal(number_text(each.max));
    json.key("value").literal(number_text(each.value)).end_object();
  });
  json.list("layers", states.layers, [&](const StateLayer& layer) {
    json.begin_object().fields("name", layer.name);
    json.list("states", layer.states, [&](const State& state) { json.value(state.name); });
    json.list("transitions", layer.transitions,
              [&](const StateTransition& each) { json.object("from", each.from, "to", each.to); });
    json.end_object();
  });
  json.end_object();
}
#endif

std::string describe_opened(const Opened& opened) {
  const Character& character = opened.character;
  const BindPoseSource bind = character.bind_pose_source();
  JsonWriter json;
  json.begin_object(JsonWriter::dense);
  json.fields("format", opened.format, "title", opened.title, "author", opened.author, "fileBytes", opened.file_bytes,
              "is3d", character.is_3d(), "pixelArt", character.data().pixel_art);
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
#ifdef PCHR_WITH_IMPORT
  if (opened.graph) add_states(json, states_of(*opened.graph));
#endif
  json.list("diagnostics", opened.diagnostics, [&](const Diagnostic& diagnostic) { add_diagnostic(json, diagnostic); });
  return json.fields("missing", opened.missing).end_object().text;
}

web_character* open(std::string_view path, std::uint32_t max_bytes) {
  const Files added = std::exchange(added_files, {});
  const auto file = std::ranges::find(added, path, &File::path);
  Options options = std::exchange(next_options, {});
  if (max_bytes != 0) options.limits.max_file_bytes = max_bytes;
  std::vector<std::string> missing;
  auto opened = file != added.end()
                    ? open_character(*file, added, options, missing)
                    : Unexpected(Diagnostic{DiagnosticId::unreadable_file, {}, {}, {}, "the file was not added"});
  if (!opened) {
    text = describe_failure(opened.error(), missing);
    return nullptr;
  }
  opened->file_bytes = file->size;
  opened->missing = std::move(missing);
  opened->limits = options.limits;
  opened->marker_frames.assign(opened->character.clips().size(), {});
  for (const Marker& marker : opened->markers.all()) {
    opened->marker_frames[index(marker.clip)].push_back(marker.frame);
  }
  return share(*std::move(opened));
}

void append(Vec2 point) {
  floats.push_back(point.x);
  floats.push_back(point.y);
}

}  // namespace

Options next_options;

std::string describe_failure(const Diagnostic& error, std::span<const std::string> missing) {
  JsonWriter json;
  json.begin_object(JsonWriter::dense).key("error");
  add_diagnostic(json, error);
  return json.fields("missing", missing).end_object().text;
}

web_character* share(Opened&& opened) {
  text = describe_opened(opened);
  return new web_character{std::make_shared<Opened>(std::move(opened))};
}

void set_text(std::string value) { text = std::move(value); }

std::string describe_size(std::uint32_t width, std::uint32_t height) {
  JsonWriter json;
  return json.begin_object(JsonWriter::dense).fields("width", width, "height", height).end_object().text;
}

std::string describe_error(std::string_view message) {
  JsonWriter json;
  return json.begin_object(JsonWriter::dense).key("error").object("message", message).end_object().text;
}

Filter chosen_filter(std::uint32_t filter, const Character& character) {
  if (filter <= static_cast<std::uint32_t>(Filter::nearest)) return static_cast<Filter>(filter);
  return character.data().pixel_art ? Filter::nearest : Filter::trilinear;
}

#ifndef PCHR_WITH_IMPORT
Expected<Opened, LoadError> open_character(const File& file, const Files& /*files*/, const Options& options,
                                           std::vector<std::string>& /*missing*/) {
  auto character = load(file.contents(), options);
  if (!character) return Unexpected(std::move(character.error()));
  Opened opened{*std::move(character), "PCHR v1"};
  const auto warnings = opened.character.warnings();
  opened.diagnostics.assign(warnings.begin(), warnings.end());
  return opened;
}
#endif

}  // namespace pchr::web

using namespace pchr;

#ifdef PCHR_WITH_IMPORT
namespace pchr::web {
struct Machine {
  Animator animator;
  StateMachine machine;
};
}  // namespace pchr::web
#endif

struct web_player {
  std::shared_ptr<const web::Opened> opened;
  ClipId clip = ClipId::none;
  Clock clock{};
  Sampling sampling = Sampling::step;
#ifdef PCHR_WITH_IMPORT
  std::unique_ptr<web::Machine> machine{};  ///< Plays instead of the clip, if there is one.
#endif

  [[nodiscard]] ClipTime position() const { return clock.position(sampling); }
  /// Poses the character at the current time.
  void pose(PoseBuffers& out) const {
#ifdef PCHR_WITH_IMPORT
    if (machine) {
      machine->animator.set_sampling(sampling);
      return machine->animator.pose(out);
    }
#endif
    if (clip == ClipId::none) return pose_bind(opened->character, out);
    pose_clip(opened->character, clip, position(), out);
  }
  void play_unless_ended() {
    // At the end, play() starts over.
    if (!clock.playing() && !clock.at_end()) clock.play();
  }
};

void* web_alloc(std::uint32_t bytes) { return ::operator new(bytes); }
void web_free(void* memory) { ::operator delete(memory); }

void web_add_file(const char* path, std::uint32_t path_length, std::byte* bytes, std::uint32_t size) {
  const std::string_view name(path, path_length);
  std::erase_if(web::added_files, [&](const web::File& file) { return file.path == name; });
  web::added_files.push_back({std::string(name), decltype(web::File::bytes)(bytes), size});
}

web_character* web_open(const char* path, std::uint32_t path_length, std::uint32_t max_bytes) {
  return web::open({path, path_length}, max_bytes);
}

void web_set_bind_pose(const char* pose, std::uint32_t length) {
  web::next_options.bind_pose = parse_bind_pose({pose, length});
}

void web_close(web_character* character) { delete character; }

void web_add_marker(web_character* character, std::uint32_t clip, std::uint32_t frame) {
  auto& frames = character->opened->marker_frames;
  if (clip < frames.size()) frames[clip].push_back(frame);
}

const char* web_text() { return web::text.data(); }
std::uint32_t web_text_length() { return static_cast<std::uint32_t>(web::text.size()); }

const std::uint8_t* web_image_pixels(const web_character* character, std::uint32_t image) {
  const auto images = character->opened->character.images();
  if (image >= images.size()) return nullptr;
  auto bitmap = decode(images[image], character->opened->limits);
  if (!bitmap) return nullptr;
  web::decoded = *std::move(bitmap);
  return web::decoded.rgba.data();
}

web_player* web_player_create(const web_character* character) { return new web_player{character->opened}; }
void web_player_free(web_player* player) { delete player; }

void web_set(web_player* player, std::int32_t clip, std::uint32_t loop, std::uint32_t smooth, double speed) {
  const auto clips = player->opened->character.clips();
  const auto wanted = static_cast<ClipId>(clip);
  const ClipId id = clips.contains(wanted) ? wanted : ClipId::none;
  constexpr LoopMode kModes[] = {LoopMode::once, LoopMode::loop, LoopMode::from_file, LoopMode::ping_pong};
  const LoopMode mode = kModes[std::min(loop, 3U)];
  player->sampling = smooth != 0 ? Sampling::smooth : Sampling::step;
  if (id != player->clip) {
    player->clip = id;
    player->clock = Clock(clips[id], mode);
    player->clock.set_speed(speed);
    player->clock.rewind();
  } else {
    player->clock.set_mode(mode);
    player->clock.set_speed(speed);
    player->play_unless_ended();
  }
}

std::uint32_t web_advance(web_player* player, double seconds) {
  enum Kind : std::uint32_t { looped, ended, marker };
  auto& events = web::events;
  events.clear();
#ifdef PCHR_WITH_IMPORT
  if (web::Machine* running = player->machine.get()) {
    running->animator.set_speed(player->clock.speed());
    running->machine.advance(running->animator, seconds);
    return 0;
  }
#endif
  const auto add = [&](Kind kind, std::uint64_t value) {
    events.insert(events.end(), {kind, static_cast<std::uint32_t>(std::min<std::uint64_t>(value, UINT32_MAX))});
  };
  const Advance step = player->clock.advance(seconds);
  if (player->clip == ClipId::none) return 0;
  const auto& markers = player->opened->marker_frames[index(player->clip)];
  for (std::size_t i = 0; i < markers.size(); ++i) {
    if (player->clock.find_reached(markers[i], step).count > 0) add(marker, i);
  }
  if (step.loops > 0) add(looped, step.loops);
  if (step.finished) add(ended, 0);
  return static_cast<std::uint32_t>(events.size() / 2);
}

const std::uint32_t* web_events() { return web::events.data(); }

void web_seek(web_player* player, double seconds) {
  player->clock.seek_seconds(seconds);
  player->play_unless_ended();
}

void web_seek_frame(web_player* player, std::uint32_t frame) {
  player->clock.seek_frame(frame);
  player->play_unless_ended();
}

double web_time(const web_player* player) { return player->clock.seconds(); }
std::uint32_t web_frame(const web_player* player) { return player->clock.frame(); }
std::uint32_t web_ended(const web_player* player) { return player->clock.at_end() ? 1 : 0; }

#ifdef PCHR_WITH_IMPORT
void web_play_states(web_player* player, std::uint32_t on) {
  player->machine.reset();
  const web::Opened& opened = *player->opened;
  if (on == 0 || !opened.graph) return;
  player->machine.reset(new web::Machine{Animator(opened.character), StateMachine(opened.graph)});
  if (opened.rig) player->machine->animator.set_rig(opened.rig);
  player->machine->machine.advance(player->machine->animator, 0);
}

void web_set_parameter(web_player* player, std::uint32_t parameter, float value) {
  if (player->machine) player->machine->machine.set(parameter, value);
}

const float* web_states(const web_player* player) {
  if (!player->machine) return nullptr;
  const StateMachine& machine = player->machine->machine;
  const auto index = [](std::uint32_t of) { return of == UINT32_MAX ? -1.0F : static_cast<float>(of); };
  web::floats.assign(machine.values().begin(), machine.values().end());
  for (std::uint32_t layer = 0; layer < states_of(machine.graph()).layers.size(); ++layer) {
    const StateStatus status = machine.status(player->machine->animator, layer);
    web::floats.insert(web::floats.end(), {index(status.state), index(status.from), index(status.transition),
                                           status.progress, static_cast<float>(status.phase)});
  }
  return web::floats.data();
}
#endif

const float* web_joints(const web_player* player) {
  player->pose(web::posed);
  web::floats.clear();
  const auto bones = player->opened->character.bones();
  const auto& world = web::posed.world;
  for (const BoneId bone : bones.ids()) {
    const BoneId parent = bones[bone].parent;
    web::append(position_of(world[index(parent == BoneId::none ? bone : parent)]));
    web::append(position_of(world[index(bone)]));
  }
  return web::floats.data();
}

const float* web_wireframe(const web_player* player) {
  player->pose(web::posed);
  web::floats.clear();
  const Character& character = player->opened->character;
  for (const DrawItem& item : web::posed.draw_list) {
    const Mesh& mesh = character.meshes()[item.mesh];
    web::points.resize(mesh.vertex_count);
    deform_mesh(character, web::posed, item.mesh, web::points);
    for (const std::uint16_t vertex : character.indices(mesh)) web::append(web::points[vertex]);
  }
  return web::floats.data();
}

std::uint32_t web_wireframe_count() { return static_cast<std::uint32_t>(web::floats.size() / 6); }

Renderer* web_renderer_create() {
  auto renderer = Renderer::create(GetProcAddress{}, {.compile_on_first_use = true});
  if (renderer) return new Renderer(*std::move(renderer));
  web::text = web::describe_error(renderer.error().message);
  return nullptr;
}

void web_renderer_free(Renderer* renderer) { delete renderer; }

Model* web_model_create(Renderer* renderer, const web_character* character) {
  auto model = renderer->upload(character->opened->character);
  if (model) return new Model(*std::move(model));
  web::text = web::describe_error(model.error().message);
  return nullptr;
}

void web_model_free(Model* model) { delete model; }

void web_draw(Renderer* renderer, Model* model, const web_player* player, float width, float height, float center_x,
              float center_y, float zoom, std::uint32_t filter) {
  model->set_filter(web::chosen_filter(filter, model->character()));
  const Camera camera{{center_x, center_y}, zoom, {width, height}};
#ifdef PCHR_WITH_IMPORT
  if (player->machine) {
    player->pose(web::posed);
    return renderer->draw(*model, web::posed, camera, {.state = StateHandling::dirty});
  }
#endif
  renderer->draw(*model, Instance{player->clip, player->position()}, camera, StateHandling::dirty);
}

std::uint64_t web_pose_hash(const web_character* opened) {
  const Character& character = opened->opened->character;
  std::uint64_t hash = 14695981039346656037ULL;
  const auto add = [&](std::uint32_t word) { hash = (hash ^ word) * 1099511628211ULL; };
  PoseBuffers& posed = web::posed;
  web::points.resize(character.vertices().size());
  for (const ClipId clip : character.clips().ids()) {
    for (int i = 0; i < 40; ++i) {
      pose_clip(character, clip, clip_time(character.clips()[clip], i * 0.061, Sampling::smooth), posed);
      deform(character.vertices(), posed.palette, web::points);
      for (const Vec2 point : web::points) {
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
