// SPDX-License-Identifier: MIT
// Functions that the WebAssembly module exports. All parameters and results are numbers: pointers are offsets in the
// module's memory, texts are UTF-8 with a length, and structured results are JSON in the module's memory.
//
// An instance of the module holds one character and at most one renderer. Out of memory and internal errors trap; then
// the instance is useless, and the caller makes a new one from the same compiled module.
//
// The module imports the functions of OpenGL ES 3.0 that it uses from "gl", named without their prefix. Objects are
// integers there, and 0 is null.
#pragma once

#include <pchr/animator.hpp>
#include <pchr/load.hpp>
#include <pchr/renderer.hpp>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#define PCHR_EXPORT(name) extern "C" __attribute__((export_name(#name)))

/// Returns `bytes` bytes of memory, aligned to 16. Traps if there is no more.
PCHR_EXPORT(pchr_alloc) void* pchr_alloc(std::uint32_t bytes);
/// Frees memory from pchr_alloc(). Null does nothing.
PCHR_EXPORT(pchr_free) void pchr_free(void* memory);

// Loading -------------------------------------------------------------------------------------------------------------

/// Adds a file that pchr_open() can read. Paths are relative, with slashes. A file with the same path is replaced. The
/// module takes ownership of `bytes`, which come from pchr_alloc(), and copies `path`.
PCHR_EXPORT(pchr_add_file)
void pchr_add_file(const char* path, std::uint32_t path_length, std::byte* bytes, std::uint32_t size);

/// Loads one of the added files as the character and forgets all files. Replaces the character before it, which must
/// have no renderer. Returns whether that worked. Either way pchr_text() says more:
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
///    "diagnostics": [DIAGNOSTIC],
///    "missing": ["konpei_2p.png"]}                     files that the character names but that were not added
///
/// or {"error": DIAGNOSTIC, "missing": [...]}, where DIAGNOSTIC is
///
///   {"id": "E114", "severity": "error", "message": "meshes[3] \"arm\", image is 5, but the file has 1 image",
///    "hint": "Use an existing image.", "path": "meshes[3].image", "byte": 112, "line": 0, "column": 0}
///
/// `missing` has paths as pchr_add_file() takes them, so that a caller can fetch the files and open again. Optional
/// files such as `.rig.json` and `.psa` are not listed. `byte` is null if unknown, `line` and `column` are 0. Files
/// over `max_bytes` are rejected; 0 means the default limit.
PCHR_EXPORT(pchr_open) std::uint32_t pchr_open(const char* path, std::uint32_t path_length, std::uint32_t max_bytes);

/// Chooses the bind pose: "idle", "idle:12", "identity", or "auto" for the one that the character was opened with. The
/// clip and its time stay. Returns whether that worked; pchr_text() is as for pchr_open(). If not, nothing changes.
PCHR_EXPORT(pchr_set_bind_pose) std::uint32_t pchr_set_bind_pose(const char* pose, std::uint32_t length);

/// Frees the character and all added files. It must have no renderer.
PCHR_EXPORT(pchr_close) void pchr_close();

/// Adds a marker at a frame of a clip, for callers that read the markers themselves: the module without importers reads
/// no `.rig.json`. Markers of a clip must be added in the order of their frames.
PCHR_EXPORT(pchr_add_marker) void pchr_add_marker(std::uint32_t clip, std::uint32_t frame);

/// Return the text of the last call that has one. Valid until the next call.
/// @{
PCHR_EXPORT(pchr_text) const char* pchr_text();
PCHR_EXPORT(pchr_text_length) std::uint32_t pchr_text_length();
/// @}

// Playback ------------------------------------------------------------------------------------------------------------

/// Plays clip `clip`, or shows the bind pose if it is -1. Another clip starts at its beginning (with a negative speed,
/// at its end); the same clip keeps its time. `loop` is 0 for once, 1 for always, 2 for what the file says and 3 for
/// forward and backward.
/// `smooth` interpolates between frames.
PCHR_EXPORT(pchr_set) void pchr_set(std::int32_t clip, std::uint32_t loop, std::uint32_t smooth, double speed);

/// Advances the clip. Returns the number of events since the last call: kinds at pchr_events().
PCHR_EXPORT(pchr_advance) std::uint32_t pchr_advance(double seconds);

/// Returns the events of the last pchr_advance(), in order, two 32-bit integers each: 0 and the number of restarts, 1
/// and 0 for the end of a clip that plays once, or 2 and the index of a marker among those of the clip.
PCHR_EXPORT(pchr_events) const std::uint32_t* pchr_events();

/// Moves to a time in the clip, clamped to it. A clip that has ended plays on from there.
PCHR_EXPORT(pchr_seek) void pchr_seek(double seconds);
/// Moves to the start of a frame, clamped to the last.
PCHR_EXPORT(pchr_seek_frame) void pchr_seek_frame(std::uint32_t frame);

PCHR_EXPORT(pchr_time) double pchr_time();           ///< Clip time in seconds. 0 in the bind pose.
PCHR_EXPORT(pchr_frame) std::uint32_t pchr_frame();  ///< Frame on screen. 0 in the bind pose.
PCHR_EXPORT(pchr_ended) std::uint32_t pchr_ended();  ///< Whether the clip plays once and has ended.

// Drawing -------------------------------------------------------------------------------------------------------------

/// Creates the renderer on the WebGL context behind the "gl" imports and uploads the character. Returns whether that
/// worked; if not, pchr_text() is {"error": {"message": "…"}}. Also after a context was lost and restored.
PCHR_EXPORT(pchr_start_gl) std::uint32_t pchr_start_gl();

/// Deletes all OpenGL objects and the renderer. After context loss, the deletions must do nothing.
PCHR_EXPORT(pchr_stop_gl) void pchr_stop_gl();

/// Sets the viewport, clears it to a premultiplied color and draws the pose at the current time. `center_x` and
/// `center_y` are world pixels, `zoom` is viewport pixels per world pixel. `filter` is 0 for trilinear, 1 for bilinear,
/// 2 for nearest and 3 for what the character asks for.
PCHR_EXPORT(pchr_draw)
void pchr_draw(std::uint32_t width, std::uint32_t height, float center_x, float center_y, float zoom, float red,
               float green, float blue, float alpha, std::uint32_t filter);

/// One character of a crowd: 48 bytes.
struct pchr_crowd_member {
  std::uint32_t clip;  ///< A clip that does not exist gives the bind pose.
  float seconds;       ///< Time in the clip. Clips that loop wrap.
  float placement[6];  ///< To world pixels: x' = [0] x + [2] y + [4], y' = [1] x + [3] y + [5].
  float tint[4];       ///< Straight RGBA, 0 to 1.
};

/// Draws `count` instances, back to front, instead of the one character. Sampling is as pchr_set() says.
PCHR_EXPORT(pchr_draw_crowd)
void pchr_draw_crowd(const pchr_crowd_member* members, std::uint32_t count, std::uint32_t width, std::uint32_t height,
                     float center_x, float center_y, float zoom, float red, float green, float blue, float alpha);

/// Returns the draw calls of the last draw.
PCHR_EXPORT(pchr_draw_calls) std::uint32_t pchr_draw_calls();
/// Returns the bytes of GPU memory in use.
PCHR_EXPORT(pchr_gpu_bytes) double pchr_gpu_bytes();

// Overlays ------------------------------------------------------------------------------------------------------------

/// Returns 4 floats per bone of the pose at the current time, in world pixels: the origin of its parent (for a root,
/// its own origin) x and y, and its own origin x and y.
PCHR_EXPORT(pchr_joints) const float* pchr_joints();

/// Returns the triangles of all visible meshes of the pose at the current time: 6 floats each, x and y of its corners
/// in world pixels.
PCHR_EXPORT(pchr_wireframe) const float* pchr_wireframe();
/// Returns the number of triangles of the last pchr_wireframe().
PCHR_EXPORT(pchr_wireframe_count) std::uint32_t pchr_wireframe_count();

/// Decodes an image. Returns its pixels as premultiplied RGBA, 8 bits each, top row first, until the next call of this
/// function; or null if it cannot be decoded or does not exist.
PCHR_EXPORT(pchr_image_pixels) const std::uint8_t* pchr_image_pixels(std::uint32_t image);

// Saving --------------------------------------------------------------------------------------------------------------
// Only the module that reads all formats can.

/// Computes the size of images of a clip, or of all clips if it is -1. `scale` is image pixels per world pixel. Returns
/// whether they can be saved; pchr_text() is {"width": 120, "height": 200} or {"error": {"message": "…"}}.
PCHR_EXPORT(pchr_image_size) std::uint32_t pchr_image_size(std::int32_t clip, double scale);

/// Begins to save a frame of a clip or, if `frame` is -1, the whole clip. Clip -1 is the bind pose. `format` is 0 for
/// PNG, 1 for animated PNG, 2 for GIF and 3 for WebP; `loop` and `filter` are as for pchr_set() and pchr_draw(), and
/// the color is premultiplied. Draws on the canvas of the renderer, and changes its size. Returns and describes what
/// pchr_image_size() does.
PCHR_EXPORT(pchr_save)
std::uint32_t pchr_save(std::int32_t clip, std::int32_t frame, std::uint32_t format, double scale, std::uint32_t loop,
                        std::uint32_t filter, float red, float green, float blue, float alpha);

/// Draws or encodes some more. Returns the part that is done: 1 at the end, and -1 after a failure, which pchr_text()
/// describes.
PCHR_EXPORT(pchr_save_more) double pchr_save_more();

/// Return the file, which is complete at the end. Valid until the next call.
/// @{
PCHR_EXPORT(pchr_saved) const std::byte* pchr_saved();
PCHR_EXPORT(pchr_saved_bytes) std::uint32_t pchr_saved_bytes();
/// @}

// Tests ---------------------------------------------------------------------------------------------------------------

/// Returns a hash of the skinned vertices and draw lists of all clips, for comparison with other builds.
PCHR_EXPORT(pchr_pose_hash) std::uint64_t pchr_pose_hash();

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

/// Returns the file with that path, or null.
[[nodiscard]] const File* find_file(const Files& files, std::string_view path) noexcept;

/// A character, with what the page shows about its file.
struct Opened {
  Character character;
  std::string format{}, title{}, author{};
  Markers markers{};
  std::vector<Diagnostic> diagnostics{};
};

/// Opens one of `files`. Appends the paths of the files that it names but that are not among them to `missing`.
[[nodiscard]] Expected<Opened, LoadError> open_character(const File& file, const Files& files, const Limits& limits,
                                                         std::vector<std::string>& missing);

/// The renderer and its character.
struct Graphics {
  Renderer renderer;
  Model model;
};

/// Everything that an instance of the module keeps between calls.
struct State {
  Files files;
  std::optional<Opened> opened;
  std::optional<Opened> as_opened;  ///< With its first bind pose, once another is chosen.
  std::size_t file_bytes = 0;
  std::vector<std::string> missing;
  std::string text;

  ClipId clip = ClipId::none;
  Clock clock;
  Sampling sampling = Sampling::step;
  std::vector<std::uint32_t> events;
  std::vector<std::vector<std::uint32_t>> markers;  ///< The frames of each clip's markers.

  std::optional<Graphics> graphics;
  std::vector<Instance> crowd;
  PoseBuffers posed;
  std::vector<float> joints, triangles;
  std::vector<Vec2> points;
  Bitmap image;
};
extern State& state;

[[nodiscard]] std::string describe_size(std::uint32_t width, std::uint32_t height);
[[nodiscard]] std::string describe_error(std::string_view message);

/// Returns the filter of images for a number of pchr_draw().
[[nodiscard]] Filter chosen_filter(std::uint32_t filter);

}  // namespace pchr::web
