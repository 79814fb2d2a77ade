/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The pchr C interface, for C and languages that can call C: load characters, play their clips, and get triangles for
 * any graphics API.
 *
 * Handles: objects returned by a `create` or `load` function are freed with the matching `free` function. Only `free`
 * functions accept NULL as a handle. Poses and animators keep their character alive, so handles can be freed in any
 * order.
 *
 * Indices of clips, bones and so on start at 0. A function given an index out of range returns NULL, false or PCHR_NONE
 * and changes nothing. Functions that return bool or a new handle also return false or NULL if memory runs out.
 *
 * Memory: a returned pointer stays valid as long as its handle and, for a pose, stream or animator, until the next call
 * that changes it. Text is UTF-8 and null-terminated.
 *
 * Threads: a character never changes and can be used by any number of threads. Any other handle is used by one thread
 * at a time. There is no other shared state.
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
/** Exports a function from the shared library. */
#define PCHR_C_API
#endif

/** Increases when programs built with this header no longer work with older libraries. */
#define PCHR_API_VERSION 1

/** Stands for no bone, clip, mesh or image. */
#define PCHR_NONE UINT32_MAX

/** Returns the version of the library, such as "0.1.0". */
PCHR_C_API const char* pchr_version(void);
/** Returns the PCHR_API_VERSION of the loaded library. */
PCHR_C_API uint32_t pchr_api_version(void);

/** The reason for a failure, or a warning about a file. */
typedef struct pchr_error {
  char code[8];       /**< Code from docs/errors.md, such as "E114". Empty if memory ran out. */
  char message[1016]; /**< One line: the file, the problem and its position. Truncated if longer. */
} pchr_error;

/** @name Characters
 * @{ */

/** A character: bones, meshes, clips and images. */
typedef struct pchr_character pchr_character;

/** Source of the bind pose. */
typedef enum pchr_bind {
  PCHR_BIND_AUTOMATIC, /**< The clip named bind, rest, setup or similar, else the first clip. */
  PCHR_BIND_CLIP,      /**< One frame of a clip. Fails if it does not exist. */
  PCHR_BIND_IDENTITY   /**< The identity for every bone. */
} pchr_bind;

/** Options for loading. All zero, as with `= {0}`, is the default. */
typedef struct pchr_load_options {
  uint64_t max_file_bytes;   /**< 0 means 1 GiB. */
  uint64_t max_image_pixels; /**< Total over all images. 0 means 64 Mi. */
  uint64_t max_bone_samples; /**< Bones times frames over all clips. 0 means 16 Mi. */
  pchr_bind bind;            /**< Source of the bind pose. */
  uint32_t bind_frame;       /**< For PCHR_BIND_CLIP. */
  const char* bind_clip;     /**< For PCHR_BIND_CLIP. */
  const char* image_folder;  /**< Base folder for image paths in a JSON character. NULL means the folder of its file. */
  bool allow_images_outside; /**< Allow image paths outside that folder. Only for files you trust. */
} pchr_load_options;

/**
 * Loads a character from a file of any format. Returns NULL on failure and sets `error`. `options` and `error` can be
 * NULL.
 */
PCHR_C_API pchr_character* pchr_load_file(const char* path, const pchr_load_options* options, pchr_error* error);
/** Loads a character from a whole file in memory. Keeps no reference to `bytes`. */
PCHR_C_API pchr_character* pchr_load_memory(const void* bytes, size_t size, const pchr_load_options* options,
                                            pchr_error* error);
/** Frees a character. NULL is allowed. */
PCHR_C_API void pchr_character_free(pchr_character* character);

/** Returns the number of warnings from loading. */
PCHR_C_API uint32_t pchr_warning_count(const pchr_character* character);
/** Returns one warning. */
PCHR_C_API bool pchr_warning(const pchr_character* character, uint32_t warning, pchr_error* out);

/** Returns the number of bones. */
PCHR_C_API uint32_t pchr_bone_count(const pchr_character* character);
/** Returns the name of a bone. */
PCHR_C_API const char* pchr_bone_name(const pchr_character* character, uint32_t bone);
/** Returns the parent of a bone: an earlier bone, or PCHR_NONE. */
PCHR_C_API uint32_t pchr_bone_parent(const pchr_character* character, uint32_t bone);
/** Returns the first bone with that name, or PCHR_NONE. */
PCHR_C_API uint32_t pchr_find_bone(const pchr_character* character, const char* name);

/** An animation, sampled once per frame. */
typedef struct pchr_clip {
  const char* name;         /**< Valid as long as the character. */
  double frames_per_second; /**< 0 means the clip holds its first frame. */
  double duration_seconds;  /**< Total duration of all frames, or 0 if the clip cannot play. */
  uint32_t frame_count;     /**< 0 means the clip cannot play. */
  bool looping;             /**< Whether the clip is marked as looping. */
  uint32_t loop_start;      /**< Frame at which a loop restarts. */
} pchr_clip;

/** Returns the number of clips. */
PCHR_C_API uint32_t pchr_clip_count(const pchr_character* character);
/** Returns information about a clip. */
PCHR_C_API bool pchr_get_clip(const pchr_character* character, uint32_t clip, pchr_clip* out);
/** Returns the start time of a frame in seconds. In some clips, frames have different durations. */
PCHR_C_API double pchr_frame_begin(const pchr_character* character, uint32_t clip, uint32_t frame);
/** Returns the first clip with that name, or PCHR_NONE. */
PCHR_C_API uint32_t pchr_find_clip(const pchr_character* character, const char* name);

/** An atlas image. */
typedef struct pchr_image {
  const char* name;       /**< Valid as long as the character. */
  uint32_t width, height; /**< In pixels. */
} pchr_image;

/** Returns the number of images. */
PCHR_C_API uint32_t pchr_image_count(const pchr_character* character);
/** Returns information about an image. */
PCHR_C_API bool pchr_get_image(const pchr_character* character, uint32_t image, pchr_image* out);
/**
 * Decodes an image into `rgba`, a buffer of `size` bytes. Writes width * height * 4 bytes, premultiplied by alpha, top
 * row first. Returns false if the image is broken or the buffer too small, and sets `error` unless it is NULL.
 */
PCHR_C_API bool pchr_decode_image(const pchr_character* character, uint32_t image, uint8_t* rgba, size_t size,
                                  pchr_error* error);

/** A vertex before skinning: 40 bytes. */
typedef struct pchr_vertex {
  float x, y;        /**< Bind pose position. */
  float u;           /**< 0..1 from left to right across the image. */
  float v;           /**< 0 is the top row of the image. */
  uint16_t bones[4]; /**< The bones that move the vertex. */
  float weights[4];  /**< One per bone; a slot with weight 0 is unused. They need not sum to 1. */
} pchr_vertex;

/** A range of vertices and triangles drawn with one image. */
typedef struct pchr_mesh {
  const char* name;        /**< Valid as long as the character. */
  uint32_t image;          /**< Index of its image. */
  uint32_t first_vertex;   /**< Index into pchr_vertices(). */
  uint32_t vertex_count;   /**< Number of vertices. */
  uint32_t first_index;    /**< Index into pchr_indices(). */
  uint32_t index_count;    /**< A multiple of 3. Each index is relative to first_vertex. */
  uint32_t governing_bone; /**< The bone that controls its visibility, draw order and opacity. */
} pchr_mesh;

/** Returns the number of meshes. */
PCHR_C_API uint32_t pchr_mesh_count(const pchr_character* character);
/** Returns information about a mesh. */
PCHR_C_API bool pchr_get_mesh(const pchr_character* character, uint32_t mesh, pchr_mesh* out);
/** Returns the first mesh with that name, or PCHR_NONE. */
PCHR_C_API uint32_t pchr_find_mesh(const pchr_character* character, const char* name);
/** Returns the vertices of all meshes, for skinning on your side. `count` can be NULL. */
PCHR_C_API const pchr_vertex* pchr_vertices(const pchr_character* character, uint32_t* count);
/** Returns the indices of all meshes. `count` can be NULL. */
PCHR_C_API const uint16_t* pchr_indices(const pchr_character* character, uint32_t* count);

/** A rectangle. If it is empty, min is above max. */
typedef struct pchr_rect {
  float min_x, min_y; /**< Left and bottom. */
  float max_x, max_y; /**< Right and top. */
} pchr_rect;

/** Computes the exact bounds of a clip from every vertex in every frame. */
PCHR_C_API bool pchr_clip_bounds(const pchr_character* character, uint32_t clip, pchr_rect* out);

/** @}
 * @name Poses
 * @{ */

/** A posed character: bone values, matrices and draw list. */
typedef struct pchr_pose pchr_pose;

/** How to sample between two frames. */
typedef enum pchr_sampling {
  PCHR_STEP,  /**< Holds each frame until the next. */
  PCHR_SMOOTH /**< Interpolates; rotations take the shortest arc. */
} pchr_sampling;

/** Values of one bone. Its local transform is translate * rotate * scale. */
typedef struct pchr_bone_state {
  float x, y;             /**< In pixels, in the parent bone's space. */
  float rotation_degrees; /**< Counter-clockwise. */
  float scale_x;          /**< Across the bone. */
  float scale_y;          /**< Along the bone. */
  float opacity;          /**< 0..1. */
  int32_t z_order;        /**< Higher is drawn later, on top. */
  bool visible;           /**< Whether the meshes it governs are drawn. */
} pchr_bone_state;

/** A 2D affine transform: x' = a*x + c*y + tx and y' = b*x + d*y + ty. */
typedef struct pchr_affine {
  float a, b;   /**< First column. */
  float c, d;   /**< Second column. */
  float tx, ty; /**< Translation. */
} pchr_affine;

/** A mesh to draw. */
typedef struct pchr_draw_item {
  uint32_t mesh; /**< Index of the mesh. */
  float opacity; /**< Opacity of its governing bone. */
} pchr_draw_item;

/** Creates a pose that holds the bind pose. */
PCHR_C_API pchr_pose* pchr_pose_create(const pchr_character* character);
/** Frees a pose. NULL is allowed. */
PCHR_C_API void pchr_pose_free(pchr_pose* pose);
/** Sets the pose to the bind pose. */
PCHR_C_API bool pchr_pose_bind(pchr_pose* pose);
/** Sets the pose to a clip at a time. The time wraps if the clip loops, and is clamped to the clip otherwise. */
PCHR_C_API bool pchr_pose_clip(pchr_pose* pose, uint32_t clip, double seconds, pchr_sampling sampling);
/** Returns the values of a bone. */
PCHR_C_API bool pchr_pose_get_bone(const pchr_pose* pose, uint32_t bone, pchr_bone_state* out);
/** Sets the values of a bone. After the last change, call pchr_pose_update(). */
PCHR_C_API bool pchr_pose_set_bone(pchr_pose* pose, uint32_t bone, const pchr_bone_state* state);
/** Recomputes matrices and draw list after changes to bones. */
PCHR_C_API bool pchr_pose_update(pchr_pose* pose);

/** Returns the world transforms, one per bone. */
PCHR_C_API const pchr_affine* pchr_pose_world(const pchr_pose* pose);
/** Returns the skinning palette: one transform per bone, from the bind pose to this pose. */
PCHR_C_API const pchr_affine* pchr_pose_palette(const pchr_pose* pose);
/** Returns the visible meshes, back to front. `count` can be NULL. */
PCHR_C_API const pchr_draw_item* pchr_pose_draw_list(const pchr_pose* pose, uint32_t* count);
/** Returns the bounds of the visible vertices. */
PCHR_C_API pchr_rect pchr_pose_bounds(const pchr_pose* pose);

/** @}
 * @name Animators
 * @{ */

/** Plays clips on one instance of a character: in sequence, crossfaded and in layers. */
typedef struct pchr_animator pchr_animator;

/** Number of layers. */
#define PCHR_MAX_LAYERS 64

/** What happens at the end of a clip. */
typedef enum pchr_loop {
  PCHR_LOOP_FROM_FILE, /**< Loops if the clip is marked as looping, else plays once. */
  PCHR_LOOP_ONCE,      /**< Ends on the last frame, or on the first in reverse. */
  PCHR_LOOP_FOREVER,   /**< Restarts. */
  PCHR_LOOP_PING_PONG  /**< Plays forward, then backward. */
} pchr_loop;

/** Options for playing a clip. Start from pchr_play_defaults(). */
typedef struct pchr_play_options {
  uint32_t layer;       /**< Below PCHR_MAX_LAYERS. */
  pchr_loop loop;       /**< What happens at the end. */
  double fade_seconds;  /**< Crossfade time from what the layer shows now. 0 switches at once. */
  double speed;         /**< Negative plays backwards. */
  double start_seconds; /**< Clip time. Negative means the start, or the end in reverse. */
} pchr_play_options;

/** Returns the defaults: layer 0, no fade, speed 1, from the start, PCHR_LOOP_FROM_FILE. */
PCHR_C_API pchr_play_options pchr_play_defaults(void);

/** Creates an animator that shows the bind pose. */
PCHR_C_API pchr_animator* pchr_animator_create(const pchr_character* character);
/** Frees an animator. NULL is allowed. */
PCHR_C_API void pchr_animator_free(pchr_animator* animator);

/**
 * Starts a clip now and clears its layer's queue. Returns the id of this play, which is never reused, or 0 on failure.
 * `options` can be NULL.
 */
PCHR_C_API uint64_t pchr_animator_play(pchr_animator* animator, uint32_t clip, const pchr_play_options* options);
/**
 * Starts a clip when the layer's last play ends, or at the end of its current loop. Otherwise like
 * pchr_animator_play().
 */
PCHR_C_API uint64_t pchr_animator_queue(pchr_animator* animator, uint32_t clip, const pchr_play_options* options);
/** Fades out a layer and clears its queue. */
PCHR_C_API bool pchr_animator_stop(pchr_animator* animator, uint32_t layer, double fade_seconds);

/** A clip that a layer is playing. */
typedef struct pchr_play {
  double seconds; /**< Clip time. */
  double speed;   /**< Negative plays backwards. 0 holds the frame. */
  uint32_t clip;  /**< Index of the clip. */
  float weight;   /**< Weight over earlier plays in its layer, 0..1. */
} pchr_play;

/** Returns information about a play. False before it starts, and after it has ended or been hidden by later plays. */
PCHR_C_API bool pchr_animator_get_play(pchr_animator* animator, uint64_t play, pchr_play* out);
/** Sets the speed of a play. */
PCHR_C_API bool pchr_animator_set_play_speed(pchr_animator* animator, uint64_t play, double speed);
/** Moves a play to a clip time, clamped to the clip. */
PCHR_C_API bool pchr_animator_seek_play(pchr_animator* animator, uint64_t play, double seconds);

/** How a layer mixes with the layers below. */
typedef enum pchr_layer_mode {
  PCHR_LAYER_OVERRIDE, /**< Blends over the layers below. */
  PCHR_LAYER_ADDITIVE  /**< Adds the difference between its clips and the bind pose. */
} pchr_layer_mode;

/**
 * Sets how a layer mixes. `weight` is 0..1. `mask` has one element per bone, nonzero for the bones to include; NULL
 * includes all.
 */
PCHR_C_API bool pchr_animator_set_layer(pchr_animator* animator, uint32_t layer, pchr_layer_mode mode, float weight,
                                        const uint8_t* mask);
/** Changes only the weight of a layer. */
PCHR_C_API bool pchr_animator_set_layer_weight(pchr_animator* animator, uint32_t layer, float weight);
/** Adds a bone and its descendants to `mask`, which has one element per bone. */
PCHR_C_API bool pchr_mask_subtree(const pchr_character* character, uint32_t bone, uint8_t* mask);

/** Sets the speed of all plays, fades and queues. Negative plays backwards. */
PCHR_C_API void pchr_animator_set_speed(pchr_animator* animator, double speed);
/** Sets how clips are sampled. The default is PCHR_STEP. */
PCHR_C_API void pchr_animator_set_sampling(pchr_animator* animator, pchr_sampling sampling);

/** A named frame of a clip. */
typedef struct pchr_marker {
  uint32_t clip;    /**< Index of the clip. */
  uint32_t frame;   /**< Frame in the clip. Frames past its end are never reached. */
  const char* name; /**< Your name for what happens there. */
} pchr_marker;

/** Replaces the markers. Keeps no reference to `markers`. */
PCHR_C_API bool pchr_animator_set_markers(pchr_animator* animator, const pchr_marker* markers, uint32_t count);
/** Replaces the markers with those of a file: `{"markers": [{"clip": "walk", "frame": 4, "name": "step"}]}`. */
PCHR_C_API bool pchr_animator_load_markers(pchr_animator* animator, const char* path, pchr_error* error);

/** The type of an event. */
typedef enum pchr_event_kind {
  PCHR_EVENT_STARTED,    /**< A play began. */
  PCHR_EVENT_LOOPED,     /**< A play restarted. */
  PCHR_EVENT_FINISHED,   /**< A play ended that plays once. */
  PCHR_EVENT_MARKER,     /**< A play reached a marker. */
  PCHR_EVENT_INTERRUPTED /**< A play was replaced by pchr_animator_play() or pchr_animator_stop() before its end. */
} pchr_event_kind;

/** An event from one step of time. */
typedef struct pchr_event {
  pchr_event_kind kind; /**< What happened. */
  uint32_t layer;       /**< Layer of the play. */
  uint64_t play;        /**< Id of the play. */
  uint64_t count;       /**< Number of times. Above 1 only if it happened several times in one step. */
  double seconds;       /**< Time since the start of the step, for the first of `count`. */
  const char* marker;   /**< Name of the marker, valid until the markers are replaced. NULL for other kinds. */
  uint32_t clip;        /**< Clip of the play. */
  float weight;         /**< Weight of the play in its layer at that time, 0..1. */
} pchr_event;

/**
 * Advances by `seconds` times the speed and returns all events in order, however long the step. Includes events from
 * pchr_animator_play() since the last call. Does nothing if `seconds` is not finite. `count` can be NULL.
 */
PCHR_C_API const pchr_event* pchr_animator_advance(pchr_animator* animator, double seconds, uint32_t* count);
/** Poses the character as the animator shows it. The pose must belong to the same character. */
PCHR_C_API bool pchr_animator_pose(pchr_animator* animator, pchr_pose* out);

/** Takes a bone's movement out of the pose, to move the whole character instead. PCHR_NONE stops that. */
PCHR_C_API bool pchr_animator_set_root_motion(pchr_animator* animator, uint32_t bone, bool along_x, bool along_y);
/** Returns that bone's movement since the last call, in the space of its parent. */
PCHR_C_API void pchr_animator_take_root_motion(pchr_animator* animator, float* x, float* y);

/** @}
 * @name Draw streams
 * @{ */

/** Skinned triangles of any number of characters, for any graphics API. */
typedef struct pchr_stream pchr_stream;

/** Placement and tint of one character. */
typedef struct pchr_appearance {
  pchr_affine placement; /**< From character space to world space. */
  float tint[4];         /**< Straight RGBA. Multiplies every pixel. */
} pchr_appearance;

/** A skinned vertex: 20 bytes. */
typedef struct pchr_stream_vertex {
  float x, y;       /**< World pixels. */
  float u;          /**< 0..1 from left to right across the image. */
  float v;          /**< 0 is the top row of the image. */
  uint8_t color[4]; /**< Tint and opacity as premultiplied RGBA. */
} pchr_stream_vertex;

/** A range of triangles drawn with one image. */
typedef struct pchr_stream_command {
  uint32_t source;      /**< As passed to pchr_stream_add(). Identifies whose image to use. */
  uint32_t image;       /**< Index of the image in that character. */
  uint32_t first_index; /**< Index into pchr_stream_indices(). */
  uint32_t index_count; /**< A multiple of 3. */
  uint8_t blend;        /**< 0: normal (or add), 2: multiply, 3: screen; see StreamCommand in draw_list.hpp. */
} pchr_stream_command;

/** Creates an empty stream. */
PCHR_C_API pchr_stream* pchr_stream_create(void);
/** Frees a stream. NULL is allowed. */
PCHR_C_API void pchr_stream_free(pchr_stream* stream);
/** Empties a stream but keeps its memory. */
PCHR_C_API void pchr_stream_clear(pchr_stream* stream);
/**
 * Appends a posed character on top. `appearance` can be NULL. Consecutive triangles with the same source and image
 * share a command, so give each character its own `source`.
 */
PCHR_C_API bool pchr_stream_add(pchr_stream* stream, const pchr_pose* pose, const pchr_appearance* appearance,
                                uint32_t source);
/** Returns the vertices. `count` can be NULL. */
PCHR_C_API const pchr_stream_vertex* pchr_stream_vertices(const pchr_stream* stream, uint32_t* count);
/** Returns the indices into the vertices, three per triangle. Do not cull either side. `count` can be NULL. */
PCHR_C_API const uint32_t* pchr_stream_indices(const pchr_stream* stream, uint32_t* count);
/**
 * Returns the commands. Draw them in order: multiply the image's pixel (see pchr_decode_image()) by the vertex color,
 * and blend with ONE, ONE_MINUS_SRC_ALPHA. `count` can be NULL.
 */
PCHR_C_API const pchr_stream_command* pchr_stream_commands(const pchr_stream* stream, uint32_t* count);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
