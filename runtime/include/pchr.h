/* SPDX-License-Identifier: MIT */
/**
 * @file
 * pchr for C, and for every language that can call C: load characters, play their clips, and get triangles for any
 * graphics API.
 *
 * Handles: what a `create` or `load` function returns is freed by the `free` function of its kind, which also takes
 * NULL; no other function does. Poses and animators hold on to their character, so handles may be freed in any order.
 *
 * Numbers of clips, bones and so on count from 0. A number that is too large is answered by NULL, false or PCHR_NONE,
 * and changes nothing. A function that returns bool or a new handle also gives false or NULL when memory runs out.
 *
 * Memory: a pointer that a function returns is valid as long as its handle and, for a pose, stream or animator, until
 * the next call of a function that changes it. Text is UTF-8 and ends with a zero byte.
 *
 * Threads: a character never changes, so any number of threads may use one at once. Any other handle belongs to one
 * thread at a time. Nothing else is shared.
 *
 * Units: pixels, y up, origin as authored; seconds; degrees counter-clockwise; colors 0..1.
 */
#ifndef PCHR_H
#define PCHR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(PCHR_STATIC)
#define PCHR_C_API __attribute__((visibility("default")))
#else
/** Marks what a shared library exports. */
#define PCHR_C_API
#endif

/** Grows when programs built with this header stop working with an older library. */
#define PCHR_API_VERSION 1

/** No bone, clip, mesh or image. */
#define PCHR_NONE UINT32_MAX

/** The library's version, such as "0.1.0". */
PCHR_C_API const char* pchr_version(void);
/** PCHR_API_VERSION of the library that is loaded. */
PCHR_C_API uint32_t pchr_api_version(void);

/** Why something failed, or a warning about a file. */
typedef struct pchr_error {
  char code[8];       /**< From the catalogue of errors, such as "E114"; empty when memory ran out. */
  char message[1016]; /**< For people, up to three lines: the problem, the place, the value. Cut where it is longer. */
} pchr_error;

/** @name Characters
 * @{ */

/** Bones, meshes, clips and images. */
typedef struct pchr_character pchr_character;

/** Where the bind pose comes from. */
typedef enum pchr_bind {
  PCHR_BIND_AUTOMATIC, /**< The clip named bind, rest, setup or alike, else the first clip. */
  PCHR_BIND_CLIP,      /**< A frame of a clip; an error where that does not exist. */
  PCHR_BIND_IDENTITY   /**< Every bone's transform is the identity. */
} pchr_bind;

/** How to load. All zero, as from `= {0}`, is the default. */
typedef struct pchr_load_options {
  uint64_t max_file_bytes;   /**< 0: 1 GiB. */
  uint64_t max_image_pixels; /**< Sum over all images; 0: 64 Mi. */
  uint64_t max_bone_samples; /**< Bones times frames over all clips; 0: 16 Mi. */
  pchr_bind bind;            /**< Where the bind pose comes from. */
  uint32_t bind_frame;       /**< For PCHR_BIND_CLIP. */
  const char* bind_clip;     /**< For PCHR_BIND_CLIP. */
  const char* image_folder;  /**< Where the image paths of a JSON character start; NULL: the folder of its file. */
  bool allow_images_outside; /**< Follow image paths that leave that folder: only for files you trust. */
} pchr_load_options;

/**
 * Reads a character from a file in any of its forms. NULL where that fails, with the reason in `error`.
 * `options` and `error` may be NULL.
 */
PCHR_C_API pchr_character* pchr_load_file(const char* path, const pchr_load_options* options, pchr_error* error);
/** The same from a whole file in memory. Nothing of `bytes` is kept. */
PCHR_C_API pchr_character* pchr_load_memory(const void* bytes, size_t size, const pchr_load_options* options,
                                            pchr_error* error);
/** Frees a character, or NULL. */
PCHR_C_API void pchr_character_free(pchr_character* character);

/** Returns the number of warnings about the file. */
PCHR_C_API uint32_t pchr_warning_count(const pchr_character* character);
/** Returns one of these warnings. */
PCHR_C_API bool pchr_warning(const pchr_character* character, uint32_t warning, pchr_error* out);

/** Returns the number of bones. */
PCHR_C_API uint32_t pchr_bone_count(const pchr_character* character);
/** Returns a bone's name. */
PCHR_C_API const char* pchr_bone_name(const pchr_character* character, uint32_t bone);
/** Returns a bone's parent, which is an earlier bone, or PCHR_NONE. */
PCHR_C_API uint32_t pchr_bone_parent(const pchr_character* character, uint32_t bone);
/** Returns the first bone of that name, or PCHR_NONE. */
PCHR_C_API uint32_t pchr_find_bone(const pchr_character* character, const char* name);

/** A sampled animation. */
typedef struct pchr_clip {
  const char* name;         /**< Lives as long as the character. */
  double frames_per_second; /**< 0: it holds its first frame. */
  double duration_seconds;  /**< Of all its frames; 0 where it cannot play. */
  uint32_t frame_count;     /**< 0: it cannot play. */
  bool looping;             /**< What the file says. */
  uint32_t loop_start;      /**< The frame with which a loop begins anew. */
} pchr_clip;

/** Returns the number of clips. */
PCHR_C_API uint32_t pchr_clip_count(const pchr_character* character);
/** Describes a clip. */
PCHR_C_API bool pchr_get_clip(const pchr_character* character, uint32_t clip, pchr_clip* out);
/** When a frame of a clip begins, in seconds from its start: those of some clips do not all last equally long. */
PCHR_C_API double pchr_frame_begin(const pchr_character* character, uint32_t clip, uint32_t frame);
/** Returns the first clip of that name, or PCHR_NONE. */
PCHR_C_API uint32_t pchr_find_clip(const pchr_character* character, const char* name);

/** An atlas image. */
typedef struct pchr_image {
  const char* name;       /**< Lives as long as the character. */
  uint32_t width, height; /**< Pixels. */
} pchr_image;

/** Returns the number of images. */
PCHR_C_API uint32_t pchr_image_count(const pchr_character* character);
/** Describes an image. */
PCHR_C_API bool pchr_get_image(const pchr_character* character, uint32_t image, pchr_image* out);
/**
 * Decodes an image into `rgba`, which has `size` bytes: width * height * 4 of them are written, premultiplied by alpha,
 * rows from top to bottom. False where the image is broken or does not fit, with the reason in `error` unless it is
 * NULL.
 */
PCHR_C_API bool pchr_decode_image(const pchr_character* character, uint32_t image, uint8_t* rgba, size_t size,
                                  pchr_error* error);

/** A vertex before skinning: 40 bytes. */
typedef struct pchr_vertex {
  float x, y;        /**< In the bind pose. */
  float u;           /**< 0..1 across the image. */
  float v;           /**< 0 is the image's top row. */
  uint16_t bones[4]; /**< What moves it. */
  float weights[4];  /**< How much; a slot of weight 0 is unused, whatever its bone. The sum need not be 1. */
} pchr_vertex;

/** A run of vertices and triangles drawn from one image. */
typedef struct pchr_mesh {
  const char* name;        /**< Lives as long as the character. */
  uint32_t image;          /**< Which image it shows. */
  uint32_t first_vertex;   /**< Into pchr_vertices(). */
  uint32_t vertex_count;   /**< How many vertices. */
  uint32_t first_index;    /**< Into pchr_indices(). */
  uint32_t index_count;    /**< A multiple of 3; each index counts from first_vertex. */
  uint32_t governing_bone; /**< Whose visibility, order and opacity it has. */
} pchr_mesh;

/** Returns the number of meshes. */
PCHR_C_API uint32_t pchr_mesh_count(const pchr_character* character);
/** Describes a mesh. */
PCHR_C_API bool pchr_get_mesh(const pchr_character* character, uint32_t mesh, pchr_mesh* out);
/** Returns the first mesh of that name, or PCHR_NONE. */
PCHR_C_API uint32_t pchr_find_mesh(const pchr_character* character, const char* name);
/** Returns the vertices of all meshes, for callers that skin them. `count` may be NULL. */
PCHR_C_API const pchr_vertex* pchr_vertices(const pchr_character* character, uint32_t* count);
/** Returns the indices of all meshes. `count` may be NULL. */
PCHR_C_API const uint16_t* pchr_indices(const pchr_character* character, uint32_t* count);

/** A rectangle; min is above max where it is empty. */
typedef struct pchr_rect {
  float min_x, min_y; /**< Left and bottom. */
  float max_x, max_y; /**< Right and top. */
} pchr_rect;

/** Computes the exact bounds over every frame of a clip, from every vertex. */
PCHR_C_API bool pchr_clip_bounds(const pchr_character* character, uint32_t clip, pchr_rect* out);

/** @}
 * @name Poses
 * @{ */

/** A character at one moment: bones, matrices, and what is visible in which order. */
typedef struct pchr_pose pchr_pose;

/** How a pose between two frames looks. */
typedef enum pchr_sampling {
  PCHR_STEP,  /**< Each frame is held until the next. */
  PCHR_SMOOTH /**< Interpolated, rotations by the shortest arc. */
} pchr_sampling;

/** A bone's values. Its transform in its parent's space is translate * rotate * scale. */
typedef struct pchr_bone_state {
  float x, y;             /**< Pixels. */
  float rotation_degrees; /**< Counter-clockwise. */
  float scale_x;          /**< Across the bone. */
  float scale_y;          /**< Along the bone. */
  float opacity;          /**< 0..1. */
  int32_t z_order;        /**< Higher is drawn later, on top. */
  bool visible;           /**< Whether the meshes that it governs are drawn. */
} pchr_bone_state;

/** x' = a*x + c*y + tx and y' = b*x + d*y + ty. */
typedef struct pchr_affine {
  float a, b;   /**< First column. */
  float c, d;   /**< Second column. */
  float tx, ty; /**< Translation. */
} pchr_affine;

/** A mesh to be drawn. */
typedef struct pchr_draw_item {
  uint32_t mesh; /**< Its number. */
  float opacity; /**< Of its governing bone. */
} pchr_draw_item;

/** Creates a pose: the bind pose. */
PCHR_C_API pchr_pose* pchr_pose_create(const pchr_character* character);
/** Frees a pose, or NULL. */
PCHR_C_API void pchr_pose_free(pchr_pose* pose);
/** Sets the bind pose. */
PCHR_C_API bool pchr_pose_bind(pchr_pose* pose);
/** Sets a time of a clip, which wraps where the clip loops and is held at its ends otherwise. */
PCHR_C_API bool pchr_pose_clip(pchr_pose* pose, uint32_t clip, double seconds, pchr_sampling sampling);
/** A bone's values. */
PCHR_C_API bool pchr_pose_get_bone(const pchr_pose* pose, uint32_t bone, pchr_bone_state* out);
/** Changes a bone's values. After the last one, call pchr_pose_update(). */
PCHR_C_API bool pchr_pose_set_bone(pchr_pose* pose, uint32_t bone, const pchr_bone_state* state);
/** Recomputes matrices and draw list after bones were set. */
PCHR_C_API bool pchr_pose_update(pchr_pose* pose);

/** Returns each bone's transform to the world; one element per bone. */
PCHR_C_API const pchr_affine* pchr_pose_world(const pchr_pose* pose);
/** Returns the transforms that move vertices from the bind pose, summed by weight; one element per bone. */
PCHR_C_API const pchr_affine* pchr_pose_palette(const pchr_pose* pose);
/** Returns the visible meshes, back to front. `count` may be NULL. */
PCHR_C_API const pchr_draw_item* pchr_pose_draw_list(const pchr_pose* pose, uint32_t* count);
/** Returns the bounds of the visible vertices. */
PCHR_C_API pchr_rect pchr_pose_bounds(const pchr_pose* pose);

/** @}
 * @name Animators
 * @{ */

/** Plays clips on one instance of a character: one after the other, faded into each other, in layers. */
typedef struct pchr_animator pchr_animator;

/** Layers are numbered from 0 to one less than this. */
#define PCHR_MAX_LAYERS 64

/** What happens at a clip's ends. */
typedef enum pchr_loop {
  PCHR_LOOP_FROM_FILE, /**< As the clip says: forever or once. */
  PCHR_LOOP_ONCE,      /**< It ends on its last frame, or on the first in reverse. */
  PCHR_LOOP_FOREVER,   /**< It restarts. */
  PCHR_LOOP_PING_PONG  /**< It plays forwards and backwards. */
} pchr_loop;

/** How a clip is played; begin with pchr_play_defaults(). */
typedef struct pchr_play_options {
  uint32_t layer;       /**< Below PCHR_MAX_LAYERS. */
  pchr_loop loop;       /**< What happens at the ends. */
  double fade_seconds;  /**< From what the layer showed before to this; 0: at once. */
  double speed;         /**< Negative plays backwards. */
  double start_seconds; /**< Clip time; negative: the start, or in reverse the end. */
} pchr_play_options;

/** Returns layer 0, at once, speed 1, from the start, looping as the file says. */
PCHR_C_API pchr_play_options pchr_play_defaults(void);

/** Creates an animator that plays nothing: it shows the bind pose. */
PCHR_C_API pchr_animator* pchr_animator_create(const pchr_character* character);
/** Frees an animator, or NULL. */
PCHR_C_API void pchr_animator_free(pchr_animator* animator);

/**
 * Begins a clip now, and forgets what its layer has queued. Gives a number for this play, never used again, or 0 where
 * that cannot be. `options` may be NULL.
 */
PCHR_C_API uint64_t pchr_animator_play(pchr_animator* animator, uint32_t clip, const pchr_play_options* options);
/** The same for when what the layer plays last comes to its end, or to the end of its present loop. */
PCHR_C_API uint64_t pchr_animator_queue(pchr_animator* animator, uint32_t clip, const pchr_play_options* options);
/** Fades a layer out, and forgets what it has queued. */
PCHR_C_API bool pchr_animator_stop(pchr_animator* animator, uint32_t layer, double fade_seconds);

/** A clip that a layer plays. */
typedef struct pchr_play {
  double seconds; /**< Clip time. */
  double speed;   /**< Negative is backwards, 0 a pause. */
  uint32_t clip;  /**< Which one. */
  float weight;   /**< Over what its layer played before, 0..1. */
} pchr_play;

/** Describes a play; false before it begins, and after it has ended or is hidden by later ones. */
PCHR_C_API bool pchr_animator_get_play(pchr_animator* animator, uint64_t play, pchr_play* out);
/** Changes the speed of a play. */
PCHR_C_API bool pchr_animator_set_play_speed(pchr_animator* animator, uint64_t play, double speed);
/** Moves a play to a clip time, which is clamped to the clip. */
PCHR_C_API bool pchr_animator_seek_play(pchr_animator* animator, uint64_t play, double seconds);

/** How a layer is mixed with those below it. */
typedef enum pchr_layer_mode {
  PCHR_LAYER_OVERRIDE, /**< Blends over what is below. */
  PCHR_LAYER_ADDITIVE  /**< Adds how its clips differ from the bind pose. */
} pchr_layer_mode;

/** How a layer is mixed: `weight` is 0..1; `mask` has one element per bone, not 0 where it takes part, or is NULL for
 * all. */
PCHR_C_API bool pchr_animator_set_layer(pchr_animator* animator, uint32_t layer, pchr_layer_mode mode, float weight,
                                        const uint8_t* mask);
/** Changes the weight of a layer alone. */
PCHR_C_API bool pchr_animator_set_layer_weight(pchr_animator* animator, uint32_t layer, float weight);
/** Adds a bone and all that hang from it to `mask`, which has one element per bone. */
PCHR_C_API bool pchr_mask_subtree(const pchr_character* character, uint32_t bone, uint8_t* mask);

/** The speed of everything: plays, fades and queues; negative plays backwards. */
PCHR_C_API void pchr_animator_set_speed(pchr_animator* animator, double speed);
/** PCHR_STEP at first. */
PCHR_C_API void pchr_animator_set_sampling(pchr_animator* animator, pchr_sampling sampling);

/** A named frame of a clip. */
typedef struct pchr_marker {
  uint32_t clip;    /**< Which one. */
  uint32_t frame;   /**< Which one; those beyond the clip's frames are never reached. */
  const char* name; /**< Of whatever is to happen there. */
} pchr_marker;

/** Replaces the markers. Nothing of `markers` is kept. */
PCHR_C_API bool pchr_animator_set_markers(pchr_animator* animator, const pchr_marker* markers, uint32_t count);
/** Replaces the markers by those of a file: `{"markers": [{"clip": "walk", "frame": 4, "name": "step"}]}`. */
PCHR_C_API bool pchr_animator_load_markers(pchr_animator* animator, const char* path, pchr_error* error);

/** The kinds of events. */
typedef enum pchr_event_kind {
  PCHR_EVENT_STARTED,  /**< A play began. */
  PCHR_EVENT_LOOPED,   /**< It began anew. */
  PCHR_EVENT_FINISHED, /**< It plays once, and came to its end. */
  PCHR_EVENT_MARKER    /**< It came to a marker. */
} pchr_event_kind;

/** An event in a step of time. */
typedef struct pchr_event {
  pchr_event_kind kind; /**< What. */
  uint32_t layer;       /**< Where. */
  uint64_t play;        /**< Whose. */
  uint64_t count;       /**< How often; more than 1 only where one step holds several. */
  double seconds;       /**< When, from the beginning of the step; of several, the first. */
  const char* marker;   /**< Its name, valid until the markers are replaced; NULL for other kinds. */
  uint32_t clip;        /**< Of the play. */
  float weight;         /**< Of the play in its layer then, 0..1. */
} pchr_event;

/**
 * Goes on by `seconds` times the speed, and gives what happened, in order, however large the step is. What
 * pchr_animator_play() started before is in it. `count` may be NULL. Nothing happens for a value that is not finite.
 */
PCHR_C_API const pchr_event* pchr_animator_advance(pchr_animator* animator, double seconds, uint32_t* count);
/** Goes to what the animator shows. The pose must be of the same character. */
PCHR_C_API bool pchr_animator_pose(pchr_animator* animator, pchr_pose* out);

/** Takes a bone's movement out of the picture, to move the whole character by; PCHR_NONE leaves it in again. */
PCHR_C_API bool pchr_animator_set_root_motion(pchr_animator* animator, uint32_t bone, bool along_x, bool along_y);
/** How far that bone has moved since this was last called, in the space of its parent. */
PCHR_C_API void pchr_animator_take_root_motion(pchr_animator* animator, float* x, float* y);

/** @}
 * @name Draw streams
 * @{ */

/** Skinned triangles of any number of characters, ready for any graphics API. */
typedef struct pchr_stream pchr_stream;

/** How one character is placed and colored. */
typedef struct pchr_appearance {
  pchr_affine placement; /**< Character to world. */
  float tint[4];         /**< Straight RGBA, multiplied into every pixel. */
} pchr_appearance;

/** A skinned vertex: 20 bytes. */
typedef struct pchr_stream_vertex {
  float x, y;       /**< World pixels. */
  float u;          /**< 0..1 across the image. */
  float v;          /**< 0 is the image's top row. */
  uint8_t color[4]; /**< Tint and opacity as RGBA, premultiplied by alpha. */
} pchr_stream_vertex;

/** A run of triangles of one image. */
typedef struct pchr_stream_command {
  uint32_t source;      /**< As given to pchr_stream_add(): whose image it is. */
  uint32_t image;       /**< Of that character's. */
  uint32_t first_index; /**< Into pchr_stream_indices(). */
  uint32_t index_count; /**< A multiple of 3. */
} pchr_stream_command;

/** Creates an empty stream. */
PCHR_C_API pchr_stream* pchr_stream_create(void);
/** Frees a stream, or NULL. */
PCHR_C_API void pchr_stream_free(pchr_stream* stream);
/** Empties a stream; its memory is used again. */
PCHR_C_API void pchr_stream_clear(pchr_stream* stream);
/**
 * Adds a posed character on top of what is there; `appearance` may be NULL. Neighbors of the same source and image
 * become one command, so give each character a `source` of its own.
 */
PCHR_C_API bool pchr_stream_add(pchr_stream* stream, const pchr_pose* pose, const pchr_appearance* appearance,
                                uint32_t source);
/** Vertices. `count` may be NULL. */
PCHR_C_API const pchr_stream_vertex* pchr_stream_vertices(const pchr_stream* stream, uint32_t* count);
/** Indices into the vertices, three to a triangle, neither side of which is culled. `count` may be NULL. */
PCHR_C_API const uint32_t* pchr_stream_indices(const pchr_stream* stream, uint32_t* count);
/**
 * Draw these in their order: the image's pixel (as from pchr_decode_image()) times the vertex color, blended by
 * ONE, ONE_MINUS_SRC_ALPHA. `count` may be NULL.
 */
PCHR_C_API const pchr_stream_command* pchr_stream_commands(const pchr_stream* stream, uint32_t* count);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
