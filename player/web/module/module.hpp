// SPDX-License-Identifier: MIT
// Functions that the WebAssembly modules export besides those of pchr.h. All parameters and results are numbers:
// pointers are offsets in the module's memory, texts are UTF-8 with a length, and structured results are JSON in the
// module's memory.
//
// An instance of a module is shared by all characters of a page. Out of memory and internal errors trap; then the
// instance is useless, and the caller makes a new one from the same compiled module.
//
// The module imports the functions of OpenGL ES 3.0 that it uses from "gl", named without their prefix. Objects are
// integers there, and 0 is null. Renderers and models belong to the context that was current when they were created.
#pragma once

#include <pchr/animator.hpp>
#include <pchr/load.hpp>
#include <pchr/renderer.hpp>
#ifdef PCHR_WITH_IMPORT
#include <pchr/import/import.hpp>
#include <pchr/states.hpp>
#endif

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#define PCHR_EXPORT(name) extern "C" __attribute__((export_name(#name)))

/// A character, with what the page shows about its file.
struct web_character;
/// A clock on a character. Keeps what it needs alive.
struct web_player;

/// Returns `bytes` bytes of memory, aligned to 16. Traps if there is no more.
PCHR_EXPORT(web_alloc) void* web_alloc(std::uint32_t bytes);
/// Frees memory from web_alloc(). Null does nothing.
PCHR_EXPORT(web_free) void web_free(void* memory);

// Loading -------------------------------------------------------------------------------------------------------------

/// Adds a file that web_open() can read. Paths are relative, with slashes. A file with the same path is replaced. The
/// module takes ownership of `bytes`, which come from web_alloc(), and copies `path`.
PCHR_EXPORT(web_add_file)
void web_add_file(const char* path, std::uint32_t path_length, std::byte* bytes, std::uint32_t size);

/// Loads one of the added files as a character and forgets all files. Returns null if that fails. Either way web_text()
/// says more:
///
///   {"format": "PCHR v1", "fileBytes": 87102, "is3d": false, "pixelArt": false,
///    "title": "", "author": "",                        texts of some formats
///    "bounds": [x0, y0, x1, y1],                       of all clips, or null if nothing is ever visible
///    "bindClip": 0, "bindFrame": 0,                    the bind pose; clip -1 if no clip has it
///    "bindGuessed": false,
///    "bones": [{"name": "hip", "parent": -1}],
///    "meshes": [{"name": "arm", "vertices": 40, "triangles": 52, "image": 0}],
///    "images": [{"name": "atlas", "width": 512, "height": 512}],
///    "clips": [{"name": "walk", "fps": 24, "frames": 32, "seconds": 1.333, "loops": true, "loopStart": 0,
///               "frameEnds": [0.1, 0.25],              in seconds; absent if all frames last equally long
///               "bounds": [x0, y0, x1, y1],            or null
///               "markers": [{"frame": 4, "name": "step"}]}],
///    "states": {                                        state machines that can run; only of all formats
///      "parameters": [{"name": "speed", "type": "number", "min": 0, "max": 2, "value": 0, "key": "right"}],
///      "layers": [{"name": "base", "states": ["idle"], "transitions": [{"from": "", "to": "idle"}]}]},
///    "diagnostics": [DIAGNOSTIC],
///    "missing": ["konpei_2p.png"]}                     files that the character names but that were not added
///
/// or {"error": DIAGNOSTIC, "missing": [...]}, where DIAGNOSTIC is
///
///   {"id": "E114", "severity": "error", "message": "meshes[3] \"arm\", image is 5, but the file has 1 image",
///    "hint": "Use an existing image.", "path": "meshes[3].image", "byte": 112, "line": 0, "column": 0}
///
/// `missing` has paths as web_add_file() takes them, so that a caller can fetch the files and open again. Optional
/// files such as `.rig.json` and `.psa` are not listed. `byte` is null if unknown, `line` and `column` are 0. Files
/// over `max_bytes` are rejected; 0 means the default limit.
PCHR_EXPORT(web_open)
web_character* web_open(const char* path, std::uint32_t path_length, std::uint32_t max_bytes);

/// Sets the bind pose of the next character that is opened: "idle", "idle:12", "identity", or "auto".
PCHR_EXPORT(web_set_bind_pose) void web_set_bind_pose(const char* pose, std::uint32_t length);

#ifdef PCHR_WITH_IMPORT
/// Returns the same character with another bind pose, where "auto" is the one that it was opened with. Returns null if
/// there is no such pose; web_text() is as for web_open(). Files that only take milliseconds to open are opened again.
PCHR_EXPORT(web_with_bind_pose)
web_character* web_with_bind_pose(const char* pose, std::uint32_t length, const web_character* character);
#endif

/// Frees a character. Null does nothing.
PCHR_EXPORT(web_close) void web_close(web_character* character);

/// Adds a marker at a frame of a clip, for callers that read the markers themselves: a module without importers reads
/// no `.rig.json`. Markers of a clip must be added in the order of their frames, before players of the character
/// are made.
PCHR_EXPORT(web_add_marker) void web_add_marker(web_character* character, std::uint32_t clip, std::uint32_t frame);

/// Return the text of the last call that has one. Valid until the next call.
/// @{
PCHR_EXPORT(web_text) const char* web_text();
PCHR_EXPORT(web_text_length) std::uint32_t web_text_length();
/// @}

/// Decodes an image. Returns its pixels as premultiplied RGBA, 8 bits each, top row first, until the next call of this
/// function; or null if it cannot be decoded or does not exist.
PCHR_EXPORT(web_image_pixels)
const std::uint8_t* web_image_pixels(const web_character* character, std::uint32_t image);

#ifdef PCHR_WITH_C
/// Returns the character for functions of pchr.h, to be freed with pchr_character_free().
PCHR_EXPORT(web_c_character) struct pchr_character* web_c_character(const web_character* character);
/// Sets options for the next web_open(), apart from its parameters, the bind pose and functions of the program.
PCHR_EXPORT(web_set_load_options) void web_set_load_options(const struct pchr_load_options* options);
/// Returns a function for pchr_attachment::draw. It calls the import "draw" from "callback".
PCHR_EXPORT(web_draw_callback) auto web_draw_callback() -> void (*)(void* user, const struct pchr_affine* world);
#endif

// Playback ------------------------------------------------------------------------------------------------------------

/// Creates a player that shows the bind pose.
PCHR_EXPORT(web_player_create) web_player* web_player_create(const web_character* character);
/// Frees a player. Null does nothing.
PCHR_EXPORT(web_player_free) void web_player_free(web_player* player);

/// Plays clip `clip`, or shows the bind pose if it is -1. Another clip starts at its beginning (with a negative speed,
/// at its end); the same clip keeps its time. `loop` is 0 for once, 1 for always, 2 for what the file says and 3 for
/// forward and backward. `smooth` interpolates between frames.
PCHR_EXPORT(web_set)
void web_set(web_player* player, std::int32_t clip, std::uint32_t loop, std::uint32_t smooth, double speed);

/// Advances the clip. Returns the number of events since the last call: kinds at web_events().
PCHR_EXPORT(web_advance) std::uint32_t web_advance(web_player* player, double seconds);

/// Returns the events of the last web_advance() of any player, in order, two 32-bit integers each: 0 and the number of
/// restarts, 1 and 0 for the end of a clip that plays once, or 2 and the index of a marker among those of the clip.
PCHR_EXPORT(web_events) const std::uint32_t* web_events();

/// Moves to a time in the clip, clamped to it. A clip that has ended plays on from there.
PCHR_EXPORT(web_seek) void web_seek(web_player* player, double seconds);
/// Moves to the start of a frame, clamped to the last.
PCHR_EXPORT(web_seek_frame) void web_seek_frame(web_player* player, std::uint32_t frame);

PCHR_EXPORT(web_time) double web_time(const web_player* player);  ///< Clip time in seconds. 0 in the bind pose.
PCHR_EXPORT(web_frame) std::uint32_t web_frame(const web_player* player);  ///< Frame on screen. 0 in the bind pose.
PCHR_EXPORT(web_ended) std::uint32_t web_ended(const web_player* player);  ///< Whether it plays once and has ended.

#ifdef PCHR_WITH_IMPORT
/// Starts the state machines of the character, at their beginning, or stops them. While they run, they play instead of
/// the clip, which web_set() still chooses. Does nothing if there are none.
PCHR_EXPORT(web_play_states) void web_play_states(web_player* player, std::uint32_t on);
/// Sets a parameter of the machines that run. Ignores an index out of range.
PCHR_EXPORT(web_set_parameter) void web_set_parameter(web_player* player, std::uint32_t parameter, float value);
/// Returns the values of the parameters, then 5 numbers per layer: its state, the state that still fades out, the
/// transition that fades (indices, or -1), the progress of that fade, 0 to 1, and the durations of the state's clip
/// since it was entered. Null if no machines run. Valid until the next call.
PCHR_EXPORT(web_states) const float* web_states(const web_player* player);
#endif

/// Returns 4 floats per bone of the pose at the current time, in world pixels: the origin of its parent (for a root,
/// its own origin) x and y, and its own origin x and y. Valid until the next call.
PCHR_EXPORT(web_joints) const float* web_joints(const web_player* player);

/// Returns the triangles of all visible meshes of the pose at the current time: 6 floats each, x and y of its corners
/// in world pixels. Valid until the next call.
PCHR_EXPORT(web_wireframe) const float* web_wireframe(const web_player* player);
/// Returns the number of triangles of the last web_wireframe().
PCHR_EXPORT(web_wireframe_count) std::uint32_t web_wireframe_count();

// Drawing -------------------------------------------------------------------------------------------------------------

/// Creates a renderer on the current context. Returns null if that fails; web_text() is then
/// {"error": {"message": "…"}}.
PCHR_EXPORT(web_renderer_create) pchr::Renderer* web_renderer_create();
/// Frees a renderer. Null does nothing, here and below. After context loss, the deletions must do nothing.
PCHR_EXPORT(web_renderer_free) void web_renderer_free(pchr::Renderer* renderer);

/// Uploads a character. Fails as web_renderer_create() does.
PCHR_EXPORT(web_model_create)
pchr::Model* web_model_create(pchr::Renderer* renderer, const web_character* character);
/// Frees a model.
PCHR_EXPORT(web_model_free) void web_model_free(pchr::Model* model);

/// Draws a player's character at the current time over what is there, into the current viewport, which has that width
/// and height. `center_x` and `center_y` are world pixels, `zoom` is viewport pixels per world pixel. `filter` is 0 for
/// trilinear, 1 for bilinear, 2 for nearest and 3 for what the character asks for. Leaves OpenGL state changed.
PCHR_EXPORT(web_draw)
void web_draw(pchr::Renderer* renderer, pchr::Model* model, const web_player* player, float width, float height,
              float center_x, float center_y, float zoom, std::uint32_t filter);

// Saving --------------------------------------------------------------------------------------------------------------
// Only the module that reads all formats can.

/// Computes the size of images of a clip, or of all clips if it is -1. `scale` is image pixels per world pixel. Returns
/// whether they can be saved; web_text() is {"width": 120, "height": 200} or {"error": {"message": "…"}}.
PCHR_EXPORT(web_image_size)
std::uint32_t web_image_size(const web_character* character, std::int32_t clip, double scale);

/// Begins to save a frame of a clip or, if `frame` is -1, the whole clip. Clip -1 is the bind pose. `format` is 0 for
/// PNG, 1 for animated PNG, 2 for GIF and 3 for WebP; `loop` and `filter` are as for web_set() and web_draw(), and the
/// color is premultiplied. Draws on the canvas of the renderer, and changes its size. Only one file can be saved at a
/// time: a job in progress is dropped. Returns and describes what web_image_size() does.
PCHR_EXPORT(web_save)
std::uint32_t web_save(pchr::Renderer* renderer, pchr::Model* model, std::int32_t clip, std::int32_t frame,
                       std::uint32_t format, double scale, std::uint32_t loop, std::uint32_t filter, float red,
                       float green, float blue, float alpha);

/// Draws or encodes some more. Returns the part that is done: 1 at the end, and -1 after a failure, which web_text()
/// describes.
PCHR_EXPORT(web_save_more) double web_save_more();

/// Return the file, which is complete at the end. Valid until web_save_end().
/// @{
PCHR_EXPORT(web_saved) const std::byte* web_saved();
PCHR_EXPORT(web_saved_bytes) std::uint32_t web_saved_bytes();
/// @}

/// Frees the file and what is left of the job. Must be called before its renderer is freed.
PCHR_EXPORT(web_save_end) void web_save_end();

// Tests ---------------------------------------------------------------------------------------------------------------

/// Returns a hash of the skinned vertices and draw lists of all clips, for comparison with other builds.
PCHR_EXPORT(web_pose_hash) std::uint64_t web_pose_hash(const web_character* character);

// Inside the module ---------------------------------------------------------------------------------------------------

namespace pchr::web {

/// A file that the page has read. Owns its bytes.
struct File {
  struct Free {
    void operator()(void* memory) const noexcept { std::free(memory); }
  };
  std::string path;
  std::unique_ptr<std::byte, Free> bytes;
  std::size_t size = 0;

  [[nodiscard]] std::span<const std::byte> contents() const noexcept { return {bytes.get(), size}; }
};

using Files = std::vector<File>;

#ifdef PCHR_WITH_IMPORT
using Options = ImportOptions;
#else
using Options = LoadOptions;
#endif
/// Options of the next web_open().
extern Options next_options;

/// A character and its file.
struct Opened {
  Character character;
  std::string format{}, title{}, author{};
  Markers markers{};
  std::vector<Diagnostic> diagnostics{};
  std::size_t file_bytes = 0;
  std::vector<std::string> missing{};
  std::vector<std::vector<std::uint32_t>> marker_frames{};  ///< Of each clip.
  Limits limits{};
#ifdef PCHR_WITH_IMPORT
  std::shared_ptr<const Opened> as_opened{};  ///< With its first bind pose, if this is another.
  std::vector<MenuImage> menu_images{};
  std::shared_ptr<const Rig> rig{};
  std::shared_ptr<const StateGraph> graph{};  ///< State machines, if they can run.
#endif
};

/// Opens one of `files`. Appends the paths of the files that it names but that are not among them to `missing`.
[[nodiscard]] Expected<Opened, LoadError> open_character(const File& file, const Files& files, const Options& options,
                                                         std::vector<std::string>& missing);

/// Describes a character in the text, and returns it.
[[nodiscard]] web_character* share(Opened&& opened);

[[nodiscard]] std::string describe_failure(const Diagnostic& error, std::span<const std::string> missing);
[[nodiscard]] std::string describe_size(std::uint32_t width, std::uint32_t height);
[[nodiscard]] std::string describe_error(std::string_view message);

/// Sets the text of web_text().
void set_text(std::string text);

/// Returns the filter of images for a number of web_draw().
[[nodiscard]] Filter chosen_filter(std::uint32_t filter, const Character& character);

}  // namespace pchr::web

struct web_character {
  std::shared_ptr<pchr::web::Opened> opened;
};
