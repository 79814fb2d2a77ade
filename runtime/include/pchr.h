/* SPDX-License-Identifier: MIT */
/**
 * @file
 * The pchr C interface, for C and languages that can call C: load characters, play their clips, and draw them with
 * OpenGL or get triangles for any graphics API. Parsers of foreign function interfaces read pchr.ffi.h instead, which
 * has the same declarations.
 *
 * Handles: objects returned by a `create` or `load` function are freed with the matching `free` function. NULL as a
 * handle is accepted everywhere: functions do nothing and return as for an index out of range. Every handle keeps what
 * it needs alive, so handles can be freed in any order, except where a function says so.
 *
 * Indices of clips, bones and so on start at 0. A function given an index out of range returns NULL, false, 0 or
 * PCHR_NONE and changes nothing. Functions that return bool or a new handle also return false or NULL if memory runs
 * out.
 *
 * Structs that begin with `struct_size` can grow at their end without a new PCHR_API_VERSION. Set it to the size of the
 * struct, or to 0, which means its size in version 3. The library neither reads nor writes past it: options beyond it
 * have their defaults, and options beyond those that the library knows are ignored. Functions fail if it is smaller
 * than in version 3. In an array, that of the first element is the size of all. Zero is the default of all options,
 * except where there is an `init` function.
 *
 * Memory: a returned pointer stays valid as long as its handle and, for handles that can change, until the next call
 * that changes it. Text is UTF-8 and null-terminated.
 *
 * Threads: a character never changes and can be used by any number of threads. Any other handle is used by one thread
 * at a time, and those of OpenGL only where its context is current. There is no other shared state, and no thread is
 * started without an executor.
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

#if defined(_WIN32) && !defined(PCHR_STATIC)
#ifdef PCHR_C_EXPORTS
#define PCHR_C_API __declspec(dllexport)
#else
#define PCHR_C_API __declspec(dllimport)
#endif
#elif defined(__GNUC__) && !defined(PCHR_STATIC)
#define PCHR_C_API __attribute__((visibility("default")))
#else
/** Exports a function from the shared library. Define PCHR_STATIC to link a static library on Windows. */
#define PCHR_C_API
#endif

#ifdef __cplusplus
#define PCHR_INT : int
#else
/** The type of an enum, which in C can hold any number anyway. */
#define PCHR_INT
#endif

/** Increases when programs built with this header no longer work with older libraries. */
#define PCHR_API_VERSION 3

/** Stands for no bone, clip, mesh or image. */
#define PCHR_NONE UINT32_MAX

/** Parts of the library that a build can leave out. */
typedef enum pchr_feature PCHR_INT {
  PCHR_FEATURE_IMPORT = 1,   /**< Reads and writes every format, not only PCHR v1. */
  PCHR_FEATURE_RENDER = 2,   /**< Has the functions of the OpenGL renderer. Without it they do not exist. */
  PCHR_FEATURE_ALLOCATOR = 4 /**< pchr_set_allocator() works. */
} pchr_feature;

/** Returns the version of the library, such as "0.2.0". */
PCHR_C_API const char* pchr_version(void);
/** Returns the PCHR_API_VERSION of the loaded library. */
PCHR_C_API uint32_t pchr_api_version(void);
/** Returns the pchr_feature values of the loaded library, combined with |. */
PCHR_C_API uint32_t pchr_features(void);

/** The reason for a failure, or a warning about a file. */
typedef struct pchr_error {
  char code[8];       /**< Code from docs/errors.md, such as "E114". Empty if the problem is not in a file. */
  char message[1016]; /**< One line: the file, the problem and its position. Truncated if longer. */
  char path[248];     /**< The place in the file, such as "meshes[3].vertices[17]", or empty. Truncated if longer. */
  const char* hint;   /**< What the author of the file can do. Static text, or NULL if the problem is not in a file. */
} pchr_error;

/** A rectangle. If it is empty, min is above max. */
typedef struct pchr_rect {
  float min_x, min_y; /**< Left and bottom. */
  float max_x, max_y; /**< Right and top. */
} pchr_rect;

/** A 2D affine transform: x' = a*x + c*y + tx and y' = b*x + d*y + ty. */
typedef struct pchr_affine {
  float a, b;   /**< First column. */
  float c, d;   /**< Second column. */
  float tx, ty; /**< Translation. */
} pchr_affine;

/** Names, such as those that a new version of a file no longer has. */
typedef struct pchr_names {
  const char* const* names; /**< `count` texts. */
  uint32_t count;           /**< Number of names. */
} pchr_names;

/** @name Memory, threads and files of the program
 * @{ */

/** Where the library gets its memory. Can be called on any thread that uses the library. */
typedef struct pchr_allocator {
  void* (*allocate)(void* user, size_t size); /**< Returns memory aligned for any type, or NULL. */
  void (*release)(void* user, void* memory);  /**< Takes it back. */
  void* user;                                 /**< Passed to both. */
} pchr_allocator;

/**
 * Sets where all C++ objects of the library are allocated. Must be called before any other function but
 * pchr_features(). Returns false without PCHR_FEATURE_ALLOCATOR, which shared libraries have that read only PCHR v1.
 * libdeflate and OpenGL drivers keep their own memory.
 */
PCHR_C_API bool pchr_set_allocator(const pchr_allocator* allocator);

/** A function of the library that an executor calls. */
typedef void (*pchr_task)(void* context, size_t index);

/** Lets the library split work across threads. */
typedef struct pchr_executor {
  /**
   * Calls `task(context, i)` for each i below `count`, on any threads, and returns after the last call has returned.
   * The calling thread can take part. NULL runs everything on the calling thread.
   */
  void (*parallel_for)(void* user, size_t count, pchr_task task, void* context);
  void* user;       /**< Passed to `parallel_for`. */
  uint32_t threads; /**< Number of threads that can work at the same time. */
} pchr_executor;

/**
 * Returns an executor that starts up to `threads` - 1 threads for each call and ends them before it returns. 0 means
 * one per processor.
 */
PCHR_C_API pchr_executor pchr_thread_executor(uint32_t threads);

/** The contents of a file, or why it cannot be read. All zero before pchr_file_system::read is called. */
typedef struct pchr_file {
  const void* bytes; /**< Must stay valid until pchr_file_system::close. */
  size_t size;       /**< Number of bytes. */
  const char* error; /**< A clause such as "the pack has no such file". */
  void* data;        /**< For your use in `close`. */
} pchr_file;

/** Reads files from somewhere else than the file system, such as a pack file or a platform's assets. */
typedef struct pchr_file_system {
  /** Reads a file. Returns false, with `error` set or NULL, if it cannot. NULL reads from the file system. */
  bool (*read)(void* user, const char* path, pchr_file* file);
  void (*close)(void* user, pchr_file* file); /**< Called after the library has copied what `read` returned, or NULL. */
  void* user;                                 /**< Passed to the functions. */
} pchr_file_system;

/** @}
 * @name Characters
 * @{ */

/** A character: bones, meshes, clips and images. */
typedef struct pchr_character pchr_character;

/** Source of the bind pose. */
typedef enum pchr_bind PCHR_INT {
  PCHR_BIND_AUTOMATIC, /**< The one in hero.rig.json, else the clip named bind, rest, setup or similar, else a guess. */
  PCHR_BIND_CLIP,      /**< One frame of a clip. Fails if it does not exist. */
  PCHR_BIND_IDENTITY   /**< The identity for every bone. */
} pchr_bind;

/** Layers of a pixel artwork to draw. */
typedef enum pchr_artwork_layers PCHR_INT {
  PCHR_ARTWORK_VISIBLE, /**< Layers that are visible in the artwork. */
  PCHR_ARTWORK_ALL,     /**< All layers, including hidden ones. */
  PCHR_ARTWORK_NAMED    /**< Layers by name, with their groups, and the visible layers and masks inside them. */
} pchr_artwork_layers;

/** Shows or hides one layer of a pixel artwork. */
typedef struct pchr_layer_override {
  uint32_t layer; /**< Index in the file. */
  bool drawn;     /**< Whether it is drawn. */
} pchr_layer_override;

/** Options for loading. Those after `allow_images_outside` are for formats other than PCHR v1. */
typedef struct pchr_load_options {
  uint32_t struct_size;                /**< See the top of this header. */
  pchr_bind bind;                      /**< Source of the bind pose. */
  const char* bind_clip;               /**< For PCHR_BIND_CLIP. */
  uint32_t bind_frame;                 /**< For PCHR_BIND_CLIP. */
  uint64_t max_file_bytes;             /**< 0 means 1 GiB. */
  uint64_t max_image_pixels;           /**< Total over all images. 0 means 64 Mi. */
  uint64_t max_bone_samples;           /**< Bones times frames over all clips. 0 means 16 Mi. */
  const pchr_file_system* file_system; /**< Reads the character and every file that belongs to it, or NULL. */
  const pchr_executor* executor;       /**< Loads in parallel, or NULL. */
  const char* image_folder;  /**< Base folder for image paths in a JSON character. NULL means the folder of its file. */
  bool allow_images_outside; /**< Allow image paths outside that folder. Only for files you trust. */
  bool second_player;        /**< .chp: prefer the second player's images. */
  bool black_color_key;      /**< .chp without AutoColorSet: make black transparent, not the color of the corners. */
  bool also_find_animations; /**< Unreal mesh: attach .psa files found next to it in addition to `animations`. */
  const char* text_encoding; /**< .chp and .psk: text encoding, by its iconv name. NULL means detected. */
  pchr_artwork_layers layers;                 /**< Pixel art: layers to draw. */
  pchr_names layer_names;                     /**< For PCHR_ARTWORK_NAMED. */
  const pchr_layer_override* layer_overrides; /**< Pixel art: changes to that choice. */
  uint32_t layer_override_count;              /**< Number of overrides. */
  pchr_names animations;                      /**< Unreal mesh: .psa files instead of those found next to it. */
  pchr_names texture_folders;                 /**< Unreal mesh: folders to search first for textures. */
  void (*before_reading)(void* user, const char* path); /**< Called before each file is read, or NULL. */
  void* before_reading_user;                            /**< Passed to it. */
  bool follow_links;    /**< Also read files through links out of the character's folder. Only for folders you trust. */
  const char* armature; /**< DragonBones: armature to load. NULL means the first. */
  const char* skin;     /**< DragonBones and Spine: skin to load. NULL means the default skin. */
  double frames_per_second; /**< Skeletons and glTF: rate of the samples. 0 means that of the file, or 30. */
  double deform_tolerance;  /**< Pixels that vertices with deform keys may be off. 0 means 0.5. */
  bool flat;                /**< glTF: load a flat scene as a 2D character. */
} pchr_load_options;

/**
 * Loads a character from a file of any format. Returns NULL on failure and sets `error`. `options` and `error` can be
 * NULL.
 */
PCHR_C_API pchr_character* pchr_load_file(const char* path, const pchr_load_options* options, pchr_error* error);
/** Loads a character from a whole file in memory. Keeps no reference to `bytes`. */
PCHR_C_API pchr_character* pchr_load_memory(const void* bytes, size_t size, const pchr_load_options* options,
                                            pchr_error* error);
/** Frees a character. */
PCHR_C_API void pchr_character_free(pchr_character* character);

/** Returns the number of warnings from loading. */
PCHR_C_API uint32_t pchr_warning_count(const pchr_character* character);
/** Returns one warning. */
PCHR_C_API bool pchr_warning(const pchr_character* character, uint32_t warning, pchr_error* out);
/**
 * Finds likely mistakes beyond the warnings: writes up to `capacity` of them to `out` and returns how many there are.
 * Returns PCHR_NONE if memory runs out or the library was built without PCHR_FEATURE_IMPORT.
 */
PCHR_C_API uint32_t pchr_validate(const pchr_character* character, pchr_error* out, uint32_t capacity);

/** What a file says about a character. Texts are valid as long as the character. */
typedef struct pchr_character_info {
  uint32_t struct_size; /**< See the top of this header. */
  bool is_3d;           /**< Whether it has depth. Functions see a 3D character from the front. */
  bool pixel_art;       /**< Meant for the nearest filter. */
  const char* format;   /**< Such as "PCHR v1". */
  const char* title;    /**< Often empty. */
  const char* author;   /**< Often empty. */
  uint32_t bind_clip;   /**< Clip with the bind pose, or PCHR_NONE. */
  uint32_t bind_frame;  /**< Its frame. */
  bool bind_guessed;    /**< Whether the bind pose is a guess: no option, file or name of a clip says what it is. */
} pchr_character_info;

/** Returns what the file says about the character. */
PCHR_C_API bool pchr_get_info(const pchr_character* character, pchr_character_info* out);

/** Returns the number of bones. */
PCHR_C_API uint32_t pchr_bone_count(const pchr_character* character);
/** Returns the name of a bone. */
PCHR_C_API const char* pchr_bone_name(const pchr_character* character, uint32_t bone);
/** Returns the parent of a bone: an earlier bone, or PCHR_NONE. */
PCHR_C_API uint32_t pchr_bone_parent(const pchr_character* character, uint32_t bone);
/** Returns the first bone with that name, or PCHR_NONE. */
PCHR_C_API uint32_t pchr_find_bone(const pchr_character* character, const char* name);
/** Returns the world transform of a bone in the bind pose. */
PCHR_C_API bool pchr_bind_world(const pchr_character* character, uint32_t bone, pchr_affine* out);
/** Returns the inverse bind transforms, one per bone: from world space in the bind pose to the space of the bone. */
PCHR_C_API const pchr_affine* pchr_inverse_bind(const pchr_character* character);

/** An animation, sampled once per frame. */
typedef struct pchr_clip {
  uint32_t struct_size;     /**< See the top of this header. */
  uint32_t frame_count;     /**< 0 means the clip cannot play. */
  const char* name;         /**< Valid as long as the character. */
  double frames_per_second; /**< 0 means the clip holds its first frame. */
  double duration_seconds;  /**< Total duration of all frames, or 0 if the clip cannot play. */
  uint32_t loop_start;      /**< Frame at which a loop restarts. */
  bool looping;             /**< Whether the clip is marked as looping. */
} pchr_clip;

/** How to sample between two frames. */
typedef enum pchr_sampling PCHR_INT {
  PCHR_STEP,  /**< Holds each frame until the next. */
  PCHR_SMOOTH /**< Interpolates; rotations take the shortest arc. */
} pchr_sampling;

/** A position within a clip: `frame`, or between `frame` and `next` if `factor` is above 0. */
typedef struct pchr_clip_time {
  uint32_t frame; /**< Index of the frame. */
  uint32_t next;  /**< Index of the frame to blend to. */
  float factor;   /**< Blend from `frame` to `next`, in [0, 1). */
} pchr_clip_time;

/** Returns the number of clips. */
PCHR_C_API uint32_t pchr_clip_count(const pchr_character* character);
/** Returns information about a clip. */
PCHR_C_API bool pchr_get_clip(const pchr_character* character, uint32_t clip, pchr_clip* out);
/** Returns the first clip with that name, or PCHR_NONE. */
PCHR_C_API uint32_t pchr_find_clip(const pchr_character* character, const char* name);
/** Returns the start time of a frame in seconds. In some clips, frames have different durations. */
PCHR_C_API double pchr_frame_begin(const pchr_character* character, uint32_t clip, uint32_t frame);
/** Returns the position at a time. The time wraps if the clip loops, and is clamped to the clip otherwise. */
PCHR_C_API bool pchr_find_frame(const pchr_character* character, uint32_t clip, double seconds, pchr_sampling sampling,
                                pchr_clip_time* out);
/** Returns the world transform of one bone at a position in a clip, or in the bind pose if `clip` is PCHR_NONE. */
PCHR_C_API bool pchr_bone_world(const pchr_character* character, uint32_t clip, const pchr_clip_time* time,
                                uint32_t bone, pchr_affine* out);

/** All samples of a clip: arrays with one element per bone for each frame. Valid as long as the character. */
typedef struct pchr_clip_samples {
  uint32_t struct_size;          /**< See the top of this header. */
  uint32_t frame_count;          /**< Number of frames. */
  uint32_t bone_count;           /**< Number of bones. Bone b of frame f has the element f * bone_count + b. */
  const float* x;                /**< As in pchr_bone_state, here and below. */
  const float* y;                /**< In pixels. */
  const float* rotation_degrees; /**< Counter-clockwise. */
  const float* scale_x;          /**< Across the bone. */
  const float* scale_y;          /**< Along the bone. */
  const float* opacity;          /**< NULL means 1 everywhere. */
  const int32_t* z_order;        /**< Higher is drawn later. */
  const uint8_t* visible;        /**< 0 or 1. */
} pchr_clip_samples;

/** Returns the samples of a clip. */
PCHR_C_API bool pchr_get_clip_samples(const pchr_character* character, uint32_t clip, pchr_clip_samples* out);

/** An atlas image. */
typedef struct pchr_image {
  uint32_t struct_size;   /**< See the top of this header. */
  uint32_t width, height; /**< In pixels. */
  const char* name;       /**< Valid as long as the character. */
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

/** Region of an image that games show in menus and scores. */
typedef struct pchr_menu_image {
  uint32_t struct_size;   /**< See the top of this header. */
  uint32_t image;         /**< Index of the image. */
  uint32_t x, y;          /**< Top left corner, in pixels of the image. */
  uint32_t width, height; /**< In pixels. */
  const char* name;       /**< Valid as long as the character. */
} pchr_menu_image;

/** Returns the number of menu images. Only .chp characters have any. */
PCHR_C_API uint32_t pchr_menu_image_count(const pchr_character* character);
/** Returns one menu image. */
PCHR_C_API bool pchr_get_menu_image(const pchr_character* character, uint32_t menu_image, pchr_menu_image* out);

/** A vertex before skinning: 40 bytes. */
typedef struct pchr_vertex {
  float x, y;        /**< Bind pose position. */
  float u;           /**< 0..1 from left to right across the image. */
  float v;           /**< 0 is the top row of the image. */
  uint16_t bones[4]; /**< The bones that move the vertex. */
  float weights[4];  /**< One per bone; a slot with weight 0 is unused. They need not sum to 1. */
} pchr_vertex;

/** Depth and normal of a vertex: 16 bytes. */
typedef struct pchr_vertex_3d {
  float z;         /**< Bind pose, toward a viewer in front. */
  float normal[3]; /**< Points outward; unit length. */
} pchr_vertex_3d;

/** A range of vertices and triangles drawn with one image. */
typedef struct pchr_mesh {
  uint32_t struct_size;    /**< See the top of this header. */
  uint32_t image;          /**< Index of its image. */
  const char* name;        /**< Valid as long as the character. */
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
/** Returns the depth and normal of every vertex of a 3D character. `count` can be NULL. */
PCHR_C_API const pchr_vertex_3d* pchr_vertices_3d(const pchr_character* character, uint32_t* count);
/** Returns the indices of all meshes. `count` can be NULL. */
PCHR_C_API const uint16_t* pchr_indices(const pchr_character* character, uint32_t* count);

/**
 * Computes the exact bounds of a clip from every vertex in every frame. The first call for a clip takes longer.
 * `executor` can be NULL.
 */
PCHR_C_API bool pchr_clip_bounds(const pchr_character* character, uint32_t clip, const pchr_executor* executor,
                                 pchr_rect* out);
/** Computes the bounds of one frame of a clip. */
PCHR_C_API bool pchr_frame_bounds(const pchr_character* character, uint32_t clip, uint32_t frame,
                                  const pchr_executor* executor, pchr_rect* out);
/** Computes the bounds of one mesh over the frames of a clip in which it is visible. */
PCHR_C_API bool pchr_mesh_bounds(const pchr_character* character, uint32_t clip, uint32_t mesh,
                                 const pchr_executor* executor, pchr_rect* out);
/** Computes the bounds of all clips, or of the bind pose if no frame shows anything. */
PCHR_C_API bool pchr_character_bounds(const pchr_character* character, const pchr_executor* executor, pchr_rect* out);

/** The procedural layers of a character, with the markers, masks and state machines of its file. */
typedef struct pchr_rig pchr_rig;

/** @}
 * @name Saving
 * Without PCHR_FEATURE_IMPORT, these functions fail.
 * @{ */

/** File format to save. */
typedef enum pchr_format PCHR_INT {
  PCHR_FORMAT_V1,    /**< PCHR version 1. */
  PCHR_FORMAT_JSON,  /**< JSON with separate images. */
  PCHR_FORMAT_PACKED /**< The older binary: a header, JSON and one PNG. */
} pchr_format;

/** Names of the fields in JSON. */
typedef enum pchr_json_dialect PCHR_INT {
  PCHR_JSON_DEFAULT, /**< PCHR_JSON_V1, but PCHR_JSON_PACHARIO for PCHR_FORMAT_PACKED. */
  PCHR_JSON_V1,      /**< Like the binary. Lossless. */
  PCHR_JSON_PACHARIO /**< Like the exporter. */
} pchr_json_dialect;

/** Options for saving. */
typedef struct pchr_save_options {
  uint32_t struct_size;      /**< See the top of this header. */
  pchr_json_dialect dialect; /**< Names of the fields in JSON. */
  bool raw_pixels;           /**< PCHR v1: store decoded pixels instead of the original image data. */
  bool lossy;                /**< Omit and report data that the format cannot store, instead of failing. */
  uint64_t max_output_bytes; /**< Limit of the total size of all files. 0 means 256 MiB. */
  bool bind_clip;            /**< Insert the bind pose as a first clip "bind", unless it is found without a guess. */
  const pchr_rig* rig; /**< To save too, as `stem`.rig.json, unless it is empty. Limbs with feet need names. Or NULL. */
} pchr_save_options;

/** The files of a saved character, in memory. */
typedef struct pchr_saved pchr_saved;

/** One of these files. Valid as long as the handle. */
typedef struct pchr_saved_file {
  const char* name;  /**< A safe name without folders, such as "hero.json". */
  const void* bytes; /**< Contents. */
  size_t size;       /**< Number of bytes. */
} pchr_saved_file;

/** Saves a character as the file `stem`.pchr or `stem`.json, in memory. `options` and `error` can be NULL. */
PCHR_C_API pchr_saved* pchr_save(const pchr_character* character, pchr_format format, const char* stem,
                                 const pchr_save_options* options, pchr_error* error);
/** Frees saved files. */
PCHR_C_API void pchr_saved_free(pchr_saved* saved);
/** Returns the number of files: the character, the images of PCHR_FORMAT_JSON, and pchr_save_options::rig. */
PCHR_C_API uint32_t pchr_saved_file_count(const pchr_saved* saved);
/** Returns one file. */
PCHR_C_API bool pchr_get_saved_file(const pchr_saved* saved, uint32_t file, pchr_saved_file* out);
/** Returns the number of things that the format could not store, with pchr_save_options::lossy. */
PCHR_C_API uint32_t pchr_saved_loss_count(const pchr_saved* saved);
/** Returns one of them. */
PCHR_C_API bool pchr_saved_loss(const pchr_saved* saved, uint32_t loss, pchr_error* out);
/** Writes the files to a folder that exists, replacing files of the same names. */
PCHR_C_API bool pchr_saved_write(const pchr_saved* saved, const char* folder, pchr_error* error);

/** @}
 * @name Placement and cameras
 * @{ */

/** Returns the transform that mirrors (if `flip_x`), scales, rotates counter-clockwise, then moves. */
PCHR_C_API pchr_affine pchr_placement(float x, float y, float rotation_degrees, float scale, bool flip_x);
/** Returns the transform that applies `inner` first and `outer` second. */
PCHR_C_API pchr_affine pchr_concatenate(const pchr_affine* outer, const pchr_affine* inner);
/** Returns the inverse of a transform. False if it has none. */
PCHR_C_API bool pchr_inverse(const pchr_affine* transform, pchr_affine* out);
/** Returns the direction of a bone in the world: the angle of its +Y axis from world +Y, in (-180, 180]. */
PCHR_C_API float pchr_rotation_of(const pchr_affine* world);

/** A 2D view of the world. */
typedef struct pchr_camera {
  uint32_t struct_size;                  /**< See the top of this header. */
  float center_x, center_y;              /**< World point at the center of the viewport. */
  float zoom;                            /**< Viewport pixels per world pixel. 0 means 1. */
  float viewport_width, viewport_height; /**< In pixels. */
  bool flip_y;                           /**< World y points down instead of up. */
} pchr_camera;

/** Moves and zooms a camera so that `bounds` fills its viewport, except for `margin`, a fraction of it below 0.5. */
PCHR_C_API bool pchr_camera_fit(pchr_camera* camera, const pchr_rect* bounds, float margin);
/** Multiplies the zoom by `factor` and keeps the world point under a viewport pixel in place. */
PCHR_C_API bool pchr_camera_zoom_at(pchr_camera* camera, float pixel_x, float pixel_y, float factor);
/** Returns the transform from world to normalized device coordinates (-1..1, y up). */
PCHR_C_API bool pchr_camera_to_clip(const pchr_camera* camera, pchr_affine* out);
/** Returns the transform from world to viewport pixels (origin at the top left, y down). */
PCHR_C_API bool pchr_camera_to_viewport(const pchr_camera* camera, pchr_affine* out);
/** Converts a position in viewport pixels to world space. */
PCHR_C_API bool pchr_camera_to_world(const pchr_camera* camera, float pixel_x, float pixel_y, float* x, float* y);

/** How drawn pixels combine with what is behind them. */
typedef enum pchr_blend PCHR_INT {
  PCHR_BLEND_NORMAL,   /**< Covers it. */
  PCHR_BLEND_ADD,      /**< Adds light to it. */
  PCHR_BLEND_MULTIPLY, /**< Darkens it. */
  PCHR_BLEND_SCREEN    /**< Brightens it, less where it is bright already. */
} pchr_blend;

/**
 * Placement and look of one character. Colors are straight. They turn a color of the image into
 * min(tint * color + dark_tint * (1 - color) + additive, 1); the alpha of `tint` multiplies the pixel's.
 */
typedef struct pchr_appearance {
  uint32_t struct_size;  /**< See the top of this header. */
  pchr_blend blend;      /**< How its pixels combine with what is behind them. */
  pchr_affine placement; /**< From character space to world space. */
  float tint[4];         /**< RGBA: what white becomes, and opacity. */
  float dark_tint[3];    /**< RGB: what black becomes. */
  float additive[3];     /**< RGB: added to every color, as for a hit flash. */
  float effect[2];       /**< For pchr_renderer_options::fragment_main, 0..1. */
  float depth;           /**< For pchr_depth_mode, from -1 (near) to 1 (far). */
} pchr_appearance;

/** Sets the defaults: placed at the origin, drawn as authored. `struct_size` is sizeof(pchr_appearance). */
PCHR_C_API void pchr_appearance_init(pchr_appearance* appearance, uint32_t struct_size);

/** @}
 * @name Skins
 * @{ */

/** Changes to the meshes of one character: hidden, tinted or with other images. */
typedef struct pchr_skin pchr_skin;

/** Changes to one mesh. Colors as in pchr_appearance. */
typedef struct pchr_skin_part {
  uint32_t struct_size; /**< See the top of this header. */
  bool visible;         /**< False hides the mesh. True lets the clip decide. */
  uint32_t image;       /**< An image of the character or of the skin. PCHR_NONE keeps the mesh's. */
  pchr_blend blend;     /**< Replaces that of the instance, unless normal. */
  float tint[4];        /**< RGBA: what white becomes, and opacity. */
  float dark_tint[3];   /**< RGB: what black becomes. */
  float additive[3];    /**< RGB: added to every color. */
} pchr_skin_part;

/** Sets the defaults, which change nothing. `struct_size` is sizeof(pchr_skin_part). */
PCHR_C_API void pchr_skin_part_init(pchr_skin_part* part, uint32_t struct_size);

/** Creates a skin that changes nothing. */
PCHR_C_API pchr_skin* pchr_skin_create(const pchr_character* character, const char* name);
/** Frees a skin. */
PCHR_C_API void pchr_skin_free(pchr_skin* skin);
/** Returns the name of a skin. */
PCHR_C_API const char* pchr_skin_name(const pchr_skin* skin);
/** Changes a mesh. Fails if the part's image does not exist, so a skin always fits its character. */
PCHR_C_API bool pchr_skin_set_part(pchr_skin* skin, uint32_t mesh, const pchr_skin_part* part);
/** Returns the changes to a mesh. */
PCHR_C_API bool pchr_skin_get_part(const pchr_skin* skin, uint32_t mesh, pchr_skin_part* out);
/**
 * Adds an image of any size and returns its index for pchr_skin_part::image, or PCHR_NONE on failure. `rgba` has width
 * * height * 4 bytes, premultiplied by alpha, top row first.
 */
PCHR_C_API uint32_t pchr_skin_add_image(pchr_skin* skin, const uint8_t* rgba, uint32_t width, uint32_t height);
/** Adds an image from a PNG file. `files` can be NULL. Returns PCHR_NONE on failure and sets `error`. */
PCHR_C_API uint32_t pchr_skin_load_image(pchr_skin* skin, const char* path, const pchr_file_system* files,
                                         pchr_error* error);
/** Returns the pixels of an image that was added to the skin. `width` and `height` can be NULL. */
PCHR_C_API const uint8_t* pchr_skin_image(const pchr_skin* skin, uint32_t image, uint32_t* width, uint32_t* height);

/** The names that a new version of a character no longer has, valid until the next rebind or until freed. */
typedef struct pchr_rebound {
  uint32_t struct_size;                    /**< See the top of this header. */
  pchr_names clips, bones, meshes, images; /**< Names of each kind. */
} pchr_rebound;

/** Changes a skin to fit another version of its character, by names. `out` can be NULL. */
PCHR_C_API bool pchr_skin_rebind(pchr_skin* skin, const pchr_character* character, pchr_rebound* out);

/** @}
 * @name Poses
 * @{ */

/** A posed character: bone values, matrices and draw list. */
typedef struct pchr_pose pchr_pose;

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

/** A mesh to draw. Colors as in pchr_appearance; they apply before those of the character. */
typedef struct pchr_draw_item {
  uint32_t mesh;      /**< Index of the mesh. */
  float opacity;      /**< Opacity of its governing bone. */
  float tint[4];      /**< RGBA. */
  uint32_t image;     /**< An image of the character or of a skin. PCHR_NONE means the mesh's. */
  float dark_tint[3]; /**< RGB. */
  float additive[3];  /**< RGB. */
  pchr_blend blend;   /**< Replaces that of the character, unless normal. */
} pchr_draw_item;

/** The values of all bones: arrays with one element per bone, to be changed in place. Valid as long as the pose. */
typedef struct pchr_pose_values {
  uint32_t struct_size;    /**< See the top of this header. */
  uint32_t bone_count;     /**< Number of bones. */
  float* x;                /**< As in pchr_bone_state, here and below. */
  float* y;                /**< In pixels. */
  float* rotation_degrees; /**< Counter-clockwise. */
  float* scale_x;          /**< Across the bone. */
  float* scale_y;          /**< Along the bone. */
  float* opacity;          /**< 0..1. */
  int32_t* z_order;        /**< Higher is drawn later. */
  uint8_t* visible;        /**< 0 or 1. */
} pchr_pose_values;

/** Values of a bone that an override replaces. */
typedef enum pchr_override_values PCHR_INT {
  PCHR_OVERRIDE_X = 1,        /**< pchr_bone_override::x. */
  PCHR_OVERRIDE_Y = 2,        /**< pchr_bone_override::y. */
  PCHR_OVERRIDE_ROTATION = 4, /**< pchr_bone_override::rotation_degrees. */
  PCHR_OVERRIDE_SCALE_X = 8,  /**< pchr_bone_override::scale_x. */
  PCHR_OVERRIDE_SCALE_Y = 16, /**< pchr_bone_override::scale_y. */
  PCHR_OVERRIDE_Z_ORDER = 32, /**< pchr_bone_override::z_order. */
  PCHR_OVERRIDE_VISIBLE = 64  /**< pchr_bone_override::visible. */
} pchr_override_values;

/** Values that replace those of one bone. */
typedef struct pchr_bone_override {
  uint32_t struct_size;   /**< See the top of this header. */
  uint32_t bone;          /**< Index of the bone. Ignored if it does not exist. */
  uint32_t values;        /**< What to replace: pchr_override_values combined with |. */
  float x, y;             /**< In pixels. */
  float rotation_degrees; /**< Counter-clockwise. */
  float scale_x, scale_y; /**< Across and along the bone. */
  int32_t z_order;        /**< Higher is drawn later. */
  bool visible;           /**< Whether the meshes it governs are drawn. */
  bool relative;          /**< Adds to the pose's position, rotation and z_order, and multiplies scale. */
  float keep;             /**< Share of the pose's values to keep: 0 replaces them, 1 changes nothing. */
} pchr_bone_override;

/** Creates a pose that holds the bind pose. */
PCHR_C_API pchr_pose* pchr_pose_create(const pchr_character* character);
/** Frees a pose. */
PCHR_C_API void pchr_pose_free(pchr_pose* pose);
/** Sets the pose to the bind pose. */
PCHR_C_API bool pchr_pose_bind(pchr_pose* pose);
/** Sets the pose to a clip at a time. The time wraps if the clip loops, and is clamped to the clip otherwise. */
PCHR_C_API bool pchr_pose_clip(pchr_pose* pose, uint32_t clip, double seconds, pchr_sampling sampling);
/** Sets the pose to a position within a clip, whose frames must exist. */
PCHR_C_API bool pchr_pose_frame(pchr_pose* pose, uint32_t clip, const pchr_clip_time* time);
/** Copies another pose of the same character. */
PCHR_C_API bool pchr_pose_copy(pchr_pose* pose, const pchr_pose* from);
/** Returns the values of a bone. */
PCHR_C_API bool pchr_pose_get_bone(const pchr_pose* pose, uint32_t bone, pchr_bone_state* out);
/** Sets the values of a bone. After the last change, call pchr_pose_update(). */
PCHR_C_API bool pchr_pose_set_bone(pchr_pose* pose, uint32_t bone, const pchr_bone_state* state);
/** Returns the values of all bones. After the last change, call pchr_pose_update(). */
PCHR_C_API bool pchr_pose_get_values(pchr_pose* pose, pchr_pose_values* out);
/** Applies overrides in order. After the last change, call pchr_pose_update(). */
PCHR_C_API bool pchr_pose_override(pchr_pose* pose, const pchr_bone_override* overrides, uint32_t count);
/**
 * Moves the pose toward another one of the same character by `weight`, 0..1. `mask` has one element per bone, nonzero
 * for the bones to change; NULL changes all. After the last change, call pchr_pose_update().
 */
PCHR_C_API bool pchr_pose_blend(pchr_pose* pose, const pchr_pose* to, float weight, const uint8_t* mask);
/**
 * Adds the difference between two poses of the same character, times `weight`. A NULL `reference` is the bind pose.
 * After the last change, call pchr_pose_update().
 */
PCHR_C_API bool pchr_pose_add(pchr_pose* pose, const pchr_pose* layer, const pchr_pose* reference, float weight,
                              const uint8_t* mask);
/**
 * Returns the rotation for a bone, in (-180, 180], that points an axis of its own space at a world point. The usual
 * axis is (0, 1), along the bone.
 */
PCHR_C_API float pchr_pose_rotation_towards(const pchr_pose* pose, uint32_t bone, float x, float y, float axis_x,
                                            float axis_y);
/** Recomputes matrices and draw list after changes to bones. */
PCHR_C_API bool pchr_pose_update(pchr_pose* pose);

/** Returns the world transforms, one per bone. The array stays where it is as long as the pose. */
PCHR_C_API const pchr_affine* pchr_pose_world(const pchr_pose* pose);
/** Returns the skinning palette: one transform per bone, from the bind pose to this pose. Stays where it is, too. */
PCHR_C_API const pchr_affine* pchr_pose_palette(const pchr_pose* pose);
/** Returns the visible meshes, back to front. `count` can be NULL. */
PCHR_C_API const pchr_draw_item* pchr_pose_draw_list(const pchr_pose* pose, uint32_t* count);
/** Replaces the draw list until the pose changes, to hide, tint or reorder meshes. */
PCHR_C_API bool pchr_pose_set_draw_list(pchr_pose* pose, const pchr_draw_item* items, uint32_t count);
/** Applies a skin to the draw list, until the pose changes. */
PCHR_C_API bool pchr_pose_apply_skin(pchr_pose* pose, const pchr_skin* skin);
/** Returns the bounds of the visible vertices. */
PCHR_C_API pchr_rect pchr_pose_bounds(const pchr_pose* pose);
/** Returns the bounds of one mesh, visible or not. */
PCHR_C_API bool pchr_pose_mesh_bounds(const pchr_pose* pose, uint32_t mesh, pchr_rect* out);
/** Writes the skinned vertices of a mesh: x and y of each, `capacity` pairs at most. Fails if they do not fit. */
PCHR_C_API bool pchr_pose_vertices(const pchr_pose* pose, uint32_t mesh, float* xy, uint32_t capacity);

/** A place in a draw order: directly in front of or behind a mesh. */
typedef struct pchr_draw_place {
  uint32_t mesh; /**< PCHR_NONE is in front of or behind all meshes. */
  bool behind;   /**< Behind the mesh instead of in front of it. */
} pchr_draw_place;

/**
 * Returns where a place is in the draw list: the index of the first item in front of it, or the number of items. A mesh
 * that is hidden has the place that its governing bone gives it.
 */
PCHR_C_API uint32_t pchr_pose_find_place(const pchr_pose* pose, const pchr_draw_place* place);

/** The opaque parts of a character's images, for hit tests. */
typedef struct pchr_hit_images pchr_hit_images;

/** Decodes the images of a character and keeps their alpha. `executor` and `error` can be NULL. */
PCHR_C_API pchr_hit_images* pchr_hit_images_create(const pchr_character* character, const pchr_executor* executor,
                                                   pchr_error* error);
/** Frees hit images. */
PCHR_C_API void pchr_hit_images_free(pchr_hit_images* images);

/** Options for hit tests. */
typedef struct pchr_hit_options {
  uint32_t struct_size;              /**< See the top of this header. */
  uint32_t min_alpha;                /**< Texels with less alpha, of 255, are not hit. 0 means 128. */
  const pchr_appearance* appearance; /**< Placement and tint, or NULL. */
  const pchr_skin* skin;             /**< A skin that the character wears, or NULL. */
} pchr_hit_options;

/** A hit on a mesh. */
typedef struct pchr_hit {
  uint32_t struct_size;    /**< See the top of this header. */
  uint32_t mesh;           /**< Index of the mesh. */
  uint32_t bone;           /**< Bone with the largest weight at the point. */
  uint32_t governing_bone; /**< Governing bone of the mesh. */
  uint32_t triangle;       /**< Its corners are the mesh's indices from 3 * triangle on. */
  float barycentrics[3];   /**< Weight of each corner, 0..1. */
  float u, v;              /**< Texture coordinates of the point. */
  uint32_t alpha;          /**< Alpha of the texel, 0..255. */
} pchr_hit;

/**
 * Finds the topmost mesh of a posed character at a world point. Without `images`, everything is opaque. `options` and
 * `out` can be NULL.
 */
PCHR_C_API bool pchr_hit_test(const pchr_pose* pose, const pchr_hit_images* images, float x, float y,
                              const pchr_hit_options* options, pchr_hit* out);

/** @}
 * @name Animators
 * @{ */

/** Plays clips on one instance of a character: in sequence, crossfaded and in layers. */
typedef struct pchr_animator pchr_animator;

/** Number of layers. */
#define PCHR_MAX_LAYERS 64

/** What happens at the end of a clip. */
typedef enum pchr_loop PCHR_INT {
  PCHR_LOOP_FROM_FILE, /**< Loops if the clip is marked as looping, else plays once. */
  PCHR_LOOP_ONCE,      /**< Ends on the last frame, or on the first in reverse. */
  PCHR_LOOP_FOREVER,   /**< Restarts. */
  PCHR_LOOP_PING_PONG  /**< Plays forward, then backward. */
} pchr_loop;

/** Options for playing a clip. Start from pchr_play_options_init(). */
typedef struct pchr_play_options {
  uint32_t struct_size; /**< See the top of this header. */
  uint32_t layer;       /**< Below PCHR_MAX_LAYERS. */
  pchr_loop loop;       /**< What happens at the end. */
  double fade_seconds;  /**< Crossfade time from what the layer shows now. 0 switches at once. */
  double speed;         /**< Negative plays backwards. */
  double start_seconds; /**< Clip time. Negative means the start, or the end in reverse. */
} pchr_play_options;

/**
 * Sets the defaults: layer 0, no fade, speed 1, from the start, PCHR_LOOP_FROM_FILE. `struct_size` is
 * sizeof(pchr_play_options).
 */
PCHR_C_API void pchr_play_options_init(pchr_play_options* options, uint32_t struct_size);

/** Creates an animator that shows the bind pose, with the markers in the character's own file. */
PCHR_C_API pchr_animator* pchr_animator_create(const pchr_character* character);
/** Frees an animator. */
PCHR_C_API void pchr_animator_free(pchr_animator* animator);
/**
 * Continues with another version of the character, such as a reloaded file, by the names of clips and bones. What has
 * no counterpart ends. State machines stop until pchr_animator_set_states() is called with the rig of that version.
 * `out` can be NULL. Create the animator's poses anew.
 */
PCHR_C_API bool pchr_animator_rebind(pchr_animator* animator, const pchr_character* character, pchr_rebound* out);

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
/** Fades out a layer when pchr_animator_queue() would start a clip. */
PCHR_C_API bool pchr_animator_queue_stop(pchr_animator* animator, uint32_t layer, double fade_seconds);

/** What a play contributes. */
typedef enum pchr_play_kind PCHR_INT {
  PCHR_PLAY_CLIP,     /**< Plays a clip. */
  PCHR_PLAY_FADE_OUT, /**< Shows the layers below. */
  PCHR_PLAY_STILL     /**< Holds the pose of plays that are no longer listed. */
} pchr_play_kind;

/** A clip that a layer is playing. */
typedef struct pchr_play {
  uint32_t struct_size; /**< See the top of this header. */
  pchr_play_kind kind;  /**< What it contributes. */
  uint64_t id;          /**< As returned by pchr_animator_play(). 0 unless it plays a clip. */
  uint32_t clip;        /**< Index of the clip. PCHR_NONE unless it plays a clip. */
  pchr_loop loop;       /**< What happens at the end. */
  double seconds;       /**< Clip time. */
  double speed;         /**< Negative plays backwards. 0 holds the frame. */
  double fade_seconds;  /**< Duration of its fade-in. */
  float weight;         /**< Weight over earlier plays in its layer, 0..1. */
  bool playing;         /**< Not paused and not at the end. */
} pchr_play;

/** Returns information about a play. False before it starts, and after it has ended or been hidden by later plays. */
PCHR_C_API bool pchr_animator_get_play(pchr_animator* animator, uint64_t play, pchr_play* out);
/** Returns the number of plays that a layer shows. */
PCHR_C_API uint32_t pchr_animator_play_count(const pchr_animator* animator, uint32_t layer);
/** Returns information about one of them, oldest first. */
PCHR_C_API bool pchr_animator_play_at(const pchr_animator* animator, uint32_t layer, uint32_t index, pchr_play* out);
/** Sets the speed of a play. */
PCHR_C_API bool pchr_animator_set_play_speed(pchr_animator* animator, uint64_t play, double speed);
/** Pauses or resumes a play. */
PCHR_C_API bool pchr_animator_set_play_paused(pchr_animator* animator, uint64_t play, bool paused);
/** Moves a play to a clip time, clamped to the clip. */
PCHR_C_API bool pchr_animator_seek_play(pchr_animator* animator, uint64_t play, double seconds);
/** Returns whether a single clip shows with nothing mixed in, and which. Such an instance can be drawn as a clip. */
PCHR_C_API bool pchr_animator_plays_alone(const pchr_animator* animator, uint32_t* clip, pchr_clip_time* time);

/** How a layer mixes with the layers below. */
typedef enum pchr_layer_mode PCHR_INT {
  PCHR_LAYER_OVERRIDE, /**< Blends over the layers below. */
  PCHR_LAYER_ADDITIVE  /**< Adds the difference between its clips and the reference pose. */
} pchr_layer_mode;

/** Mixing of a layer. Start from pchr_layer_options_init(). */
typedef struct pchr_layer_options {
  uint32_t struct_size;     /**< See the top of this header. */
  pchr_layer_mode mode;     /**< How it mixes with the layers below. */
  const uint8_t* mask;      /**< One element per bone, nonzero for the bones to include. NULL includes all. */
  float weight;             /**< Weight of the whole layer, 0..1. */
  uint32_t reference_clip;  /**< Clip with the reference pose of an additive layer. PCHR_NONE means the bind pose. */
  uint32_t reference_frame; /**< Frame of that clip. */
} pchr_layer_options;

/** Sets the defaults: weight 1, PCHR_LAYER_OVERRIDE, all bones. `struct_size` is sizeof(pchr_layer_options). */
PCHR_C_API void pchr_layer_options_init(pchr_layer_options* options, uint32_t struct_size);

/** Sets how a layer mixes. Keeps no reference to the mask. */
PCHR_C_API bool pchr_animator_set_layer(pchr_animator* animator, uint32_t layer, const pchr_layer_options* options);
/** Returns how a layer mixes. The mask is valid until the layer changes. */
PCHR_C_API bool pchr_animator_get_layer(const pchr_animator* animator, uint32_t layer, pchr_layer_options* out);
/** Changes only the weight of a layer. */
PCHR_C_API bool pchr_animator_set_layer_weight(pchr_animator* animator, uint32_t layer, float weight);
/** Adds a bone and its descendants to `mask`, which has one element per bone. See also pchr_rig_mask(). */
PCHR_C_API bool pchr_mask_subtree(const pchr_character* character, uint32_t bone, uint8_t* mask);

/** Sets the speed of all plays, fades and queues. Negative plays backwards. */
PCHR_C_API void pchr_animator_set_speed(pchr_animator* animator, double speed);
/** Returns that speed. */
PCHR_C_API double pchr_animator_speed(const pchr_animator* animator);
/** Sets how clips are sampled. The default is PCHR_STEP. */
PCHR_C_API void pchr_animator_set_sampling(pchr_animator* animator, pchr_sampling sampling);
/** Sets overrides that are applied in order to every pose. Keeps no reference to `overrides`. */
PCHR_C_API bool pchr_animator_set_overrides(pchr_animator* animator, const pchr_bone_override* overrides,
                                            uint32_t count);

/** A named frame of a clip. */
typedef struct pchr_marker {
  uint32_t clip;    /**< Index of the clip. */
  uint32_t frame;   /**< Frame in the clip. Frames past its end are never reached. */
  const char* name; /**< Your name for what happens there. */
} pchr_marker;

/** Replaces the markers. Keeps no reference to `markers`. */
PCHR_C_API bool pchr_animator_set_markers(pchr_animator* animator, const pchr_marker* markers, uint32_t count);
/**
 * Replaces the markers with those of a file: `{"markers": [{"clip": "walk", "frame": 4, "name": "step"}]}`. `files` can
 * be NULL. Fails without PCHR_FEATURE_IMPORT.
 */
PCHR_C_API bool pchr_animator_load_markers(pchr_animator* animator, const char* path, const pchr_file_system* files,
                                           pchr_error* error);
/** Returns the number of markers. */
PCHR_C_API uint32_t pchr_animator_marker_count(const pchr_animator* animator);
/** Returns one marker. They are sorted by clip, then by frame. Its name is valid until the markers are replaced. */
PCHR_C_API bool pchr_animator_get_marker(const pchr_animator* animator, uint32_t marker, pchr_marker* out);

/** The type of an event. */
typedef enum pchr_event_kind PCHR_INT {
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
  const char* marker;   /**< Name of the marker, valid as long as the events. NULL for other kinds. */
  uint32_t clip;        /**< Clip of the play. */
  float weight;         /**< Weight of the play in its layer at that time, 0..1. */
} pchr_event;

/**
 * Advances by `seconds` times the speed and returns all events in order, however long the step. Includes events from
 * pchr_animator_play() since the last call. The events are valid until the next call, whatever is called in between.
 * Does nothing if `seconds` is not finite. `count` can be NULL.
 */
PCHR_C_API const pchr_event* pchr_animator_advance(pchr_animator* animator, double seconds, uint32_t* count);
/** Poses the character as the animator shows it. The pose must belong to the same character. */
PCHR_C_API bool pchr_animator_pose(pchr_animator* animator, pchr_pose* out);

/** Takes a bone's movement out of the pose, to move the whole character instead. PCHR_NONE stops that. */
PCHR_C_API bool pchr_animator_set_root_motion(pchr_animator* animator, uint32_t bone, bool along_x, bool along_y);
/** Returns that bone's movement since the last call, in the space of its parent. */
PCHR_C_API void pchr_animator_take_root_motion(pchr_animator* animator, float* x, float* y);

/** @}
 * @name Procedural layers
 * Bones that aim, limbs that reach, feet that stay on the ground, and springs for hair, ears, tails and cloth. "World"
 * is the space that placements map to. pchr/rig.hpp describes the values.
 * @{ */

/** Rotates a bone so that one of its axes points at a target. Start from pchr_aim_init(). */
typedef struct pchr_aim {
  uint32_t struct_size;   /**< See the top of this header. */
  uint32_t bone;          /**< Index of the bone. */
  const char* name;       /**< For pchr_animator_set_target(), or NULL. */
  float axis_degrees;     /**< The axis, counter-clockwise from the bone's +Y. */
  uint32_t target_bone;   /**< Points at its origin, unless the animator has a target. PCHR_NONE for none. */
  float min_degrees;      /**< Limit, relative to the animated rotation. */
  float max_degrees;      /**< Limit, relative to the animated rotation. */
  float softness_degrees; /**< Slows down over this range before a limit. */
  float weight;           /**< 0..1. */
} pchr_aim;

/** The side to which a limb bends. */
typedef enum pchr_bend PCHR_INT {
  PCHR_BEND_AS_ANIMATED,       /**< The side that it is bent to in the sampled pose. */
  PCHR_BEND_COUNTER_CLOCKWISE, /**< The lower bone is rotated counter-clockwise from a straight limb. */
  PCHR_BEND_CLOCKWISE          /**< The lower bone is rotated clockwise from a straight limb. */
} pchr_bend;

/** Rotates two bones so that a limb's end reaches a target. Start from pchr_limb_init(). */
typedef struct pchr_limb {
  uint32_t struct_size;  /**< See the top of this header. */
  uint32_t upper;        /**< Index of the upper bone. */
  const char* name;      /**< For pchr_animator_set_target() and pchr_foot, or NULL. */
  uint32_t lower;        /**< A child of `upper`. */
  uint32_t end;          /**< A child of `lower` whose origin is the end. PCHR_NONE uses the tip. */
  float tip_x, tip_y;    /**< The end in the space of `lower`. */
  uint32_t target_bone;  /**< Reaches for its origin, unless the animator has a target. PCHR_NONE for none. */
  pchr_bend bend;        /**< The side to which it bends. */
  float softness_pixels; /**< Slows down over this range before the limb is straight. */
  float max_stretch;     /**< Scales both bones by up to this factor. 1 is off. */
  float weight;          /**< 0..1. */
} pchr_limb;

/** Keeps the end of a limb in place while a foot is on the ground. Start from pchr_foot_init(). */
typedef struct pchr_foot {
  uint32_t struct_size;   /**< See the top of this header. */
  uint32_t limb;          /**< Number of the limb, in the order they were added. */
  const char* name;       /**< Name, or NULL. */
  const char* plant;      /**< Marker at which the foot is planted. NULL means "plant". */
  const char* lift;       /**< Marker at which the foot is lifted. NULL means "lift". */
  float fade_in_seconds;  /**< Time until a planted foot stands still. */
  float fade_out_seconds; /**< Time until a lifted foot is where the animation puts it. */
} pchr_foot;

/** Lets bones swing after the movement of the character. Start from pchr_spring_init(). */
typedef struct pchr_spring {
  uint32_t struct_size;       /**< See the top of this header. */
  uint32_t bone_count;        /**< Number of bones. */
  const char* name;           /**< Name, or NULL. */
  const uint32_t* bones;      /**< From base to tip, as from pchr_find_chain(). */
  float tip_x, tip_y;         /**< End of the last bone in its own space. (0, 0): as long as the bone before. */
  float frequency;            /**< Swings per second: higher is stiffer. */
  float damping;              /**< 0 swings forever, 1 returns without swinging over. */
  float drag;                 /**< How much the air holds the bones back and the wind moves them, per second. */
  float gravity_x, gravity_y; /**< Acceleration in world pixels per second squared. */
  float limit_degrees;        /**< Maximum angle of each bone from its animated rotation. 180 is off. */
  float weight;               /**< 0..1. */
} pchr_spring;

/** Sets the defaults. `struct_size` is sizeof(pchr_aim). */
PCHR_C_API void pchr_aim_init(pchr_aim* aim, uint32_t struct_size);
/** Sets the defaults. `struct_size` is sizeof(pchr_limb). */
PCHR_C_API void pchr_limb_init(pchr_limb* limb, uint32_t struct_size);
/** Sets the defaults. `struct_size` is sizeof(pchr_foot). */
PCHR_C_API void pchr_foot_init(pchr_foot* foot, uint32_t struct_size);
/** Sets the defaults. `struct_size` is sizeof(pchr_spring). */
PCHR_C_API void pchr_spring_init(pchr_spring* spring, uint32_t struct_size);
/**
 * Writes a bone, its first child, that one's first child and so on to `bones`, at most `capacity`. Returns how many
 * there are.
 */
PCHR_C_API uint32_t pchr_find_chain(const pchr_character* character, uint32_t bone, uint32_t* bones, uint32_t capacity);

/** Creates procedural layers that do nothing, with the markers in the character's own file. */
PCHR_C_API pchr_rig* pchr_rig_create(const pchr_character* character);
/**
 * Loads a file such as hero.rig.json. Without markers of its own, the rig has those in the character's own file.
 * `files` and `error` can be NULL. Fails without PCHR_FEATURE_IMPORT.
 */
PCHR_C_API pchr_rig* pchr_rig_load(const pchr_character* character, const char* path, const pchr_file_system* files,
                                   pchr_error* error);
/** Loads such a file from memory. Keeps no reference to `bytes`. Fails without PCHR_FEATURE_IMPORT. */
PCHR_C_API pchr_rig* pchr_rig_from_memory(const pchr_character* character, const void* bytes, size_t size,
                                          pchr_error* error);
/** Frees procedural layers. Animators keep what was set. */
PCHR_C_API void pchr_rig_free(pchr_rig* rig);
/** Adds an aim. Fails if it cannot work. `error` can be NULL, here and below. */
PCHR_C_API bool pchr_rig_add_aim(pchr_rig* rig, const pchr_aim* aim, pchr_error* error);
/** Adds a limb. */
PCHR_C_API bool pchr_rig_add_limb(pchr_rig* rig, const pchr_limb* limb, pchr_error* error);
/** Adds a foot. */
PCHR_C_API bool pchr_rig_add_foot(pchr_rig* rig, const pchr_foot* foot, pchr_error* error);
/** Adds a spring. */
PCHR_C_API bool pchr_rig_add_spring(pchr_rig* rig, const pchr_spring* spring, pchr_error* error);
/** Sets the wind in world pixels per second, which acts on springs with drag, and how much it varies, 0..1. */
PCHR_C_API bool pchr_rig_set_wind(pchr_rig* rig, float x, float y, float gusts);
/**
 * Sets the time step of the springs in seconds, 0.001 to 0.1. The default is 1/120. Returns false for other steps, and
 * for one that would move the bones of all springs more than a million times per second.
 */
PCHR_C_API bool pchr_rig_set_step(pchr_rig* rig, double seconds);
/**
 * Adds the bones of the mask with that name to `mask`, which has one element per bone. Returns false if there is no
 * such mask.
 */
PCHR_C_API bool pchr_rig_mask(const pchr_rig* rig, const char* name, uint8_t* mask);
/** Replaces the markers, as pchr_animator_set_markers() does. */
PCHR_C_API bool pchr_rig_set_markers(pchr_rig* rig, const pchr_marker* markers, uint32_t count);
/** Adds a mask: one element per bone, nonzero for the bones to include. Fails if there is one with that name. */
PCHR_C_API bool pchr_rig_add_mask(pchr_rig* rig, const char* name, const uint8_t* mask);

/**
 * Sets the procedural layers of an animator, and its markers if the rig has any. Later changes to `rig` have no effect
 * on the animator. NULL removes the layers.
 */
PCHR_C_API bool pchr_animator_set_rig(pchr_animator* animator, const pchr_rig* rig);
/**
 * Sets the target of the first aim or limb with that name: a world point, x and y, or NULL for its target bone.
 * `weight` multiplies that of the rig.
 */
PCHR_C_API bool pchr_animator_set_target(pchr_animator* animator, const char* name, const float* target, float weight);
/**
 * Sets where the character is drawn: moving it swings its springs. With `teleport`, springs and feet come along without
 * swinging.
 */
PCHR_C_API bool pchr_animator_set_placement(pchr_animator* animator, const pchr_affine* placement, bool teleport);
/** Puts springs and feet at rest. */
PCHR_C_API void pchr_animator_reset_rig(pchr_animator* animator);
/** Adds wind to that of the rig, in world pixels per second. */
PCHR_C_API void pchr_animator_set_wind(pchr_animator* animator, float x, float y);

/** @}
 * @name State machines
 * Which clips a character plays, and when it goes from one to the next, as set up in hero.rig.json. pchr/states.hpp
 * describes the values. Texts are copied; NULL is an empty one.
 * @{ */

/** The type of a parameter. */
typedef enum pchr_parameter_kind PCHR_INT {
  PCHR_PARAMETER_NUMBER,  /**< A number within a range. */
  PCHR_PARAMETER_BOOLEAN, /**< 0 or 1. */
  PCHR_PARAMETER_TRIGGER  /**< 0 or 1. The transition that it causes sets it to 0. */
} pchr_parameter_kind;

/** A value that games set and states use. Start from pchr_parameter_init(). */
typedef struct pchr_parameter {
  uint32_t struct_size;     /**< See the top of this header. */
  pchr_parameter_kind kind; /**< Its type. */
  const char* name;         /**< Name. */
  const char* key;          /**< The key of the keyboard that players bind to it, such as "space", or empty. */
  float value;              /**< In a rig, the value at the start. */
  float min, max;           /**< Range of a number. */
} pchr_parameter;

/** What a state plays. */
typedef enum pchr_state_kind PCHR_INT {
  PCHR_STATE_EMPTY,    /**< Nothing: the layers below show. */
  PCHR_STATE_CLIP,     /**< `clip`. */
  PCHR_STATE_BLEND_1D, /**< The two points around the value of `x`. */
  PCHR_STATE_BLEND_2D, /**< The three points around the values of `x` and `y`. */
  PCHR_STATE_SEQUENCE  /**< `start` once, then `clip` again and again, then `end` once. */
} pchr_state_kind;

/** A clip of a blend space. */
typedef struct pchr_blend_point {
  const char* clip; /**< Name of the clip. */
  float x, y;       /**< Values of the parameters at which only this clip shows. */
} pchr_blend_point;

/** What a layer plays while it is in this state. Start from pchr_state_init(). */
typedef struct pchr_state {
  uint32_t struct_size;           /**< See the top of this header. */
  pchr_state_kind kind;           /**< What it plays. */
  const char* name;               /**< Name. */
  const char* clip;               /**< Name of the clip. Of a sequence, the loop in the middle. */
  const char* start;              /**< Name of a clip, of a sequence. */
  const char* end;                /**< Name of a clip, of a sequence. */
  const pchr_blend_point* points; /**< Of a blend space. */
  uint32_t point_count;           /**< Number of points. */
  pchr_loop loop;                 /**< What happens at the end of the clip. Not of a sequence. */
  const char* x;                  /**< Parameter of a blend space. */
  const char* y;                  /**< Parameter of a blend space with two. */
  double speed;                   /**< At least 0. */
  const char* speed_parameter;    /**< Multiplies `speed`. */
  pchr_names on_enter, on_leave;  /**< Names of events. */
} pchr_state;

/** How a condition tests its parameter. */
typedef enum pchr_condition_test PCHR_INT {
  PCHR_CONDITION_ABOVE, /**< A number is greater than `value`. */
  PCHR_CONDITION_BELOW, /**< A number is less than `value`. */
  PCHR_CONDITION_TRUE,  /**< A boolean is true, or a trigger is set. */
  PCHR_CONDITION_FALSE  /**< A boolean is false. */
} pchr_condition_test;

/** A condition on one parameter. */
typedef struct pchr_condition {
  const char* parameter;    /**< Name of the parameter. */
  pchr_condition_test test; /**< How it is tested. */
  float value;              /**< Of a number. */
} pchr_condition;

/** A way from one state of a layer to another. Start from pchr_transition_init(). */
typedef struct pchr_transition {
  uint32_t struct_size;             /**< See the top of this header. */
  uint32_t condition_count;         /**< Number of conditions. */
  const pchr_condition* conditions; /**< All of them must hold. */
  const char* from;                 /**< Name of a state. Empty: any other than `to`. */
  const char* to;                   /**< Name of a state. */
  double after;                     /**< Earliest time, in durations of the state's clip since it was entered. */
  double fade_seconds;              /**< Crossfade. */
  bool at_end;                      /**< Only at the end of the state's clip, or of each of its loops. */
  bool synchronized;                /**< The new state starts at the phase of the old one. */
  bool interruptible;               /**< Whether other transitions can be taken during the crossfade. */
} pchr_transition;

/** One of several machines of a character, with a layer of the animator. Start from pchr_state_layer_init(). */
typedef struct pchr_state_layer {
  uint32_t struct_size;         /**< See the top of this header. */
  pchr_layer_mode mode;         /**< How it mixes with the layers below. */
  const char* name;             /**< Name. */
  const char* mask;             /**< Name of a mask of the rig. Empty includes all bones. */
  const char* reference_clip;   /**< Name of the clip with the reference pose of an additive layer. */
  uint32_t reference_frame;     /**< Frame of that clip. */
  float weight;                 /**< 0..1. */
  const char* weight_parameter; /**< Multiplies `weight`. */
  const char* first;            /**< The state at the start. Empty means the first that was added. */
} pchr_state_layer;

/** Sets the defaults. `struct_size` is sizeof(pchr_parameter). */
PCHR_C_API void pchr_parameter_init(pchr_parameter* parameter, uint32_t struct_size);
/** Sets the defaults. `struct_size` is sizeof(pchr_state). */
PCHR_C_API void pchr_state_init(pchr_state* state, uint32_t struct_size);
/** Sets the defaults. `struct_size` is sizeof(pchr_transition). */
PCHR_C_API void pchr_transition_init(pchr_transition* transition, uint32_t struct_size);
/** Sets the defaults. `struct_size` is sizeof(pchr_state_layer). */
PCHR_C_API void pchr_state_layer_init(pchr_state_layer* layer, uint32_t struct_size);
/** Adds a parameter. pchr_animator_set_states() finds what cannot work, here and below. */
PCHR_C_API bool pchr_rig_add_parameter(pchr_rig* rig, const pchr_parameter* parameter);
/** Adds a layer without states. Its number is the number of layers before it. */
PCHR_C_API bool pchr_rig_add_state_layer(pchr_rig* rig, const pchr_state_layer* layer);
/** Adds a state to a layer. */
PCHR_C_API bool pchr_rig_add_state(pchr_rig* rig, uint32_t layer, const pchr_state* state);
/** Adds a transition to a layer. The first that is possible is taken. */
PCHR_C_API bool pchr_rig_add_transition(pchr_rig* rig, uint32_t layer, const pchr_transition* transition);
/** Returns the number of layers with states. */
PCHR_C_API uint32_t pchr_rig_state_layer_count(const pchr_rig* rig);

/**
 * Lets the state machines of a rig play the animator's clips: pchr_animator_advance() then advances them. If there were
 * others, values of parameters and current states of the same names are kept. Later changes to `rig` have no effect on
 * the animator. NULL removes the machines, and what plays continues. Fails if the rig has none, or if they cannot work.
 */
PCHR_C_API bool pchr_animator_set_states(pchr_animator* animator, const pchr_rig* rig, pchr_error* error);
/** Returns the number of parameters. */
PCHR_C_API uint32_t pchr_animator_parameter_count(const pchr_animator* animator);
/** Returns a parameter, with its current value. Texts are valid until the machines are replaced. */
PCHR_C_API bool pchr_animator_get_parameter(const pchr_animator* animator, uint32_t parameter, pchr_parameter* out);
/** Returns the index of a parameter, or PCHR_NONE. */
PCHR_C_API uint32_t pchr_animator_find_parameter(const pchr_animator* animator, const char* name);
/**
 * Sets a number, which is kept within its range, a boolean (not 0 is true) or a trigger, for the next
 * pchr_animator_advance(). A number that is not finite has no effect.
 */
PCHR_C_API bool pchr_animator_set_parameter(pchr_animator* animator, uint32_t parameter, float value);

/** Where one layer is. */
typedef struct pchr_state_status {
  uint32_t struct_size;   /**< See the top of this header. */
  uint32_t state;         /**< Index of the state in its layer. */
  const char* layer_name; /**< Name of the layer. */
  const char* name;       /**< Name of the state. */
  const char* from_name;  /**< Name of the state that still fades out, or NULL. */
  uint32_t from;          /**< Index of that state, or PCHR_NONE. */
  uint32_t transition;    /**< Index of the transition that fades, or PCHR_NONE. */
  double phase;           /**< Durations of the state's clip since it was entered. */
  float progress;         /**< Of the fade, 0..1. */
} pchr_state_status;

/** Returns the number of layers with states. */
PCHR_C_API uint32_t pchr_animator_state_layer_count(const pchr_animator* animator);
/** Returns where a layer is. Texts are valid until the machines are replaced. */
PCHR_C_API bool pchr_animator_get_state(const pchr_animator* animator, uint32_t layer, pchr_state_status* out);
/** Enters the state with that name at once, whatever the transitions. */
PCHR_C_API bool pchr_animator_enter_state(pchr_animator* animator, uint32_t layer, const char* state,
                                          double fade_seconds);

/** The type of a state event. */
typedef enum pchr_state_event_kind PCHR_INT {
  PCHR_STATE_EVENT_LEFT,    /**< A layer left a state. */
  PCHR_STATE_EVENT_ENTERED, /**< A layer entered a state. */
  PCHR_STATE_EVENT_NAMED    /**< One of the state's `on_enter` or `on_leave`. */
} pchr_state_event_kind;

/** What a machine did in one step of time. */
typedef struct pchr_state_event {
  pchr_state_event_kind kind; /**< What happened. */
  uint32_t layer;             /**< The layer. */
  uint32_t state;             /**< Index of the state. */
  const char* name;           /**< Name of the state or, of PCHR_STATE_EVENT_NAMED, of the event. */
  double seconds;             /**< Time since the start of the step. */
} pchr_state_event;

/**
 * Returns what the machines did in the last pchr_animator_advance(), in order. Valid until the next one, or until the
 * machines are replaced.
 */
PCHR_C_API const pchr_state_event* pchr_animator_state_events(const pchr_animator* animator, uint32_t* count);
/**
 * Writes values and states as text for a saved game, truncated to `size` bytes with a null terminator. Returns the
 * length of the whole text. `out` can be NULL if `size` is 0.
 */
PCHR_C_API size_t pchr_animator_save_states(const pchr_animator* animator, char* out, size_t size);
/**
 * Continues from such a text, without fades that were under way. Names that are no longer there are skipped. Fails if
 * the text is another, or without machines.
 */
PCHR_C_API bool pchr_animator_restore_states(pchr_animator* animator, const char* saved);
/** Copies another animator with its machines, such as one that kept an earlier time. */
PCHR_C_API bool pchr_animator_copy(pchr_animator* animator, const pchr_animator* from);

/** @}
 * @name Draw streams
 * @{ */

/** Skinned triangles of any number of characters, for any graphics API. */
typedef struct pchr_stream pchr_stream;

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
  uint32_t image;       /**< Index of the image in that character or, past its images, in its skin. */
  uint32_t first_index; /**< Index into pchr_stream_indices(). */
  uint32_t index_count; /**< A multiple of 3. */
  uint8_t blend;        /**< A pchr_blend; see pchr_stream_commands(). */
} pchr_stream_command;

/** More colors of a vertex: 8 bytes. pchr::StreamLook in pchr/draw_list.hpp has the formula. */
typedef struct pchr_stream_look {
  uint8_t dark[4];     /**< Premultiplied dark tint, then the opacity. */
  uint8_t additive[4]; /**< Premultiplied additive color, then 0. */
} pchr_stream_look;

/** Options for adding a character to a stream. */
typedef struct pchr_stream_options {
  uint32_t struct_size;              /**< See the top of this header. */
  uint32_t source;                   /**< Your number for whose images to use. */
  const pchr_appearance* appearance; /**< Placement and look, or NULL. */
  const pchr_skin* skin;             /**< A skin of the character, or NULL. */
  const pchr_camera* camera;         /**< Leaves out meshes that this camera does not see, or NULL. */
  uint32_t first_item;               /**< First item of the draw list to add. */
  uint32_t item_count;               /**< Number of items, or 0 for all. */
  bool linear_light;                 /**< Decode colors to linear light, for sRGB textures and framebuffers. */
  uint32_t max_vertices;             /**< Limit of the whole stream. 0 means none. */
  uint32_t max_indices;              /**< Limit of the whole stream. 0 means none. */
} pchr_stream_options;

/** Vertex data beyond pchr_stream_vertices(). */
typedef enum pchr_stream_data PCHR_INT {
  PCHR_STREAM_3D = 1,   /**< Depth and normals. */
  PCHR_STREAM_LOOKS = 2 /**< Dark tints and additive colors, which are ignored otherwise. */
} pchr_stream_data;

/** Creates an empty stream. `data` is pchr_stream_data combined with |, or 0. */
PCHR_C_API pchr_stream* pchr_stream_create(uint32_t data);
/** Frees a stream. */
PCHR_C_API void pchr_stream_free(pchr_stream* stream);
/** Copies another stream. */
PCHR_C_API bool pchr_stream_copy(pchr_stream* stream, const pchr_stream* from);
/** Empties a stream but keeps its memory. */
PCHR_C_API void pchr_stream_clear(pchr_stream* stream);
/**
 * Appends a posed character on top. Returns false, and appends nothing, if the stream would exceed a limit. `options`
 * can be NULL. Consecutive triangles with the same source, image and blend mode share a command, so give each character
 * and skin whose images differ its own `source`.
 */
PCHR_C_API bool pchr_stream_add(pchr_stream* stream, const pchr_pose* pose, const pchr_stream_options* options);
/** Returns the vertices. `count` can be NULL. */
PCHR_C_API const pchr_stream_vertex* pchr_stream_vertices(const pchr_stream* stream, uint32_t* count);
/** Returns the depth and normal of every vertex, with PCHR_STREAM_3D. `count` can be NULL. */
PCHR_C_API const pchr_vertex_3d* pchr_stream_vertices_3d(const pchr_stream* stream, uint32_t* count);
/** Returns the look of every vertex, with PCHR_STREAM_LOOKS. `count` can be NULL. */
PCHR_C_API const pchr_stream_look* pchr_stream_looks(const pchr_stream* stream, uint32_t* count);
/** Returns the indices into the vertices, three per triangle. Do not cull either side. `count` can be NULL. */
PCHR_C_API const uint32_t* pchr_stream_indices(const pchr_stream* stream, uint32_t* count);
/**
 * Returns the commands. Draw them in order: multiply the image's pixel (see pchr_decode_image()) by the vertex color,
 * and blend with ONE, ONE_MINUS_SRC_ALPHA. For PCHR_BLEND_MULTIPLY the factors are DST_COLOR, ONE_MINUS_SRC_ALPHA, for
 * PCHR_BLEND_SCREEN they are ONE, ONE_MINUS_SRC_COLOR. PCHR_BLEND_ADD does not occur: a vertex color without alpha
 * adds. `count` can be NULL.
 */
PCHR_C_API const pchr_stream_command* pchr_stream_commands(const pchr_stream* stream, uint32_t* count);

/** @}
 * @name Skinning on the GPU in other renderers
 * The buffers that the OpenGL renderer uploads, for Vulkan, Metal, Direct3D and WebGPU. pchr/gpu.hpp and the chapter
 * "Your own renderer" of docs/embedding.md describe them.
 * @{ */

/** The geometry of a character, ready for GPU buffers. */
typedef struct pchr_gpu_geometry pchr_gpu_geometry;
/** The skinning palettes of a clip. */
typedef struct pchr_gpu_palettes pchr_gpu_palettes;

/** Triangles that are drawn with one image: a range of pchr_gpu_indices(). */
typedef struct pchr_gpu_range {
  uint32_t image;       /**< Index of the image. */
  uint32_t first_index; /**< First index. */
  uint32_t index_count; /**< A multiple of 3. */
} pchr_gpu_range;

/** A place in baked palettes. */
typedef struct pchr_gpu_row {
  uint32_t row;        /**< Index of the row. */
  float factor;        /**< Blend from `row` to the next one, in [0, 1). */
  uint32_t draw_order; /**< For pchr_gpu_draw_order(). */
} pchr_gpu_row;

/** Makes the geometry of a character. */
PCHR_C_API pchr_gpu_geometry* pchr_gpu_geometry_create(const pchr_character* character);
/** Frees geometry. */
PCHR_C_API void pchr_gpu_geometry_free(pchr_gpu_geometry* geometry);
/** Returns the vertices, with entries of a palette row in place of bones. `count` can be NULL. */
PCHR_C_API const pchr_vertex* pchr_gpu_vertices(const pchr_gpu_geometry* geometry, uint32_t* count);
/** Returns the indices of all meshes and draw orders. `count` can be NULL. */
PCHR_C_API const uint32_t* pchr_gpu_indices(const pchr_gpu_geometry* geometry, uint32_t* count);
/** Returns the ranges of the meshes, one per mesh. `count` can be NULL. */
PCHR_C_API const pchr_gpu_range* pchr_gpu_mesh_ranges(const pchr_gpu_geometry* geometry, uint32_t* count);
/** Returns the ranges of a draw order, back to front, or NULL if there is no such order. `count` can be NULL. */
PCHR_C_API const pchr_gpu_range* pchr_gpu_draw_order(const pchr_gpu_geometry* geometry, uint32_t draw_order,
                                                     uint32_t* count);
/** Returns the length of a palette row, in elements of 8 floats. */
PCHR_C_API uint32_t pchr_gpu_row_bones(const pchr_gpu_geometry* geometry);
/** Writes the palette of any pose as one row. Fails unless `capacity`, in floats, is at least 8 times its length. */
PCHR_C_API bool pchr_gpu_write_row(const pchr_gpu_geometry* geometry, const pchr_pose* pose, float* out,
                                   uint32_t capacity);

/**
 * Bakes a clip, or the bind pose for PCHR_NONE. `max_bytes` 0 means 64 MiB. Returns NULL if the palettes are larger or
 * rotate too far between frames to be blended: use pchr_gpu_write_row() instead. `executor` can be NULL.
 */
PCHR_C_API pchr_gpu_palettes* pchr_gpu_bake(const pchr_gpu_geometry* geometry, uint32_t clip, pchr_sampling sampling,
                                            uint64_t max_bytes, const pchr_executor* executor);
/** Frees palettes. */
PCHR_C_API void pchr_gpu_palettes_free(pchr_gpu_palettes* palettes);
/** Returns the rows, each of pchr_gpu_row_bones() elements of 8 floats. `count` gets the number of floats. */
PCHR_C_API const float* pchr_gpu_texels(const pchr_gpu_palettes* palettes, uint32_t* count);
/** Returns the bounds of each row in character space. `count` can be NULL. */
PCHR_C_API const pchr_rect* pchr_gpu_row_bounds(const pchr_gpu_palettes* palettes, uint32_t* count);
/** Finds a time of the baked clip. Returns false if the rows do not contain it. */
PCHR_C_API bool pchr_gpu_find_row(const pchr_gpu_palettes* palettes, const pchr_clip_time* time, pchr_gpu_row* out);
/**
 * Returns the attribute `row` of the installed vertex shaders, for palettes that begin at element `first_bone` of the
 * palette buffer.
 */
PCHR_C_API uint32_t pchr_gpu_pack_row(const pchr_gpu_geometry* geometry, const pchr_gpu_row* row, uint32_t first_bone);

/** @}
 * @name OpenGL
 * Draws on your OpenGL context, 3.3 core or newer, into the bound framebuffer and viewport. pchr/renderer.hpp lists the
 * state that drawing changes and restores. Handles are freed while their context is current, in any order. Only in
 * libraries with PCHR_FEATURE_RENDER.
 * @{ */

/** Draws characters on one OpenGL context. */
typedef struct pchr_renderer pchr_renderer;
/** A character on the GPU. */
typedef struct pchr_model pchr_model;
/** A model that is uploaded in parts, to avoid long frames. */
typedef struct pchr_upload pchr_upload;
/** A skin on the GPU. */
typedef struct pchr_gpu_skin pchr_gpu_skin;

/** A function of OpenGL. */
typedef void (*pchr_gl_function)(void);
/** Finds a function of OpenGL, such as glfwGetProcAddress. Cast SDL_GL_GetProcAddress to it. */
typedef pchr_gl_function (*pchr_get_proc_address)(const char* name);

/** Keeps compiled programs between runs, in files for example, so that a renderer starts faster. */
typedef struct pchr_program_cache {
  /**
   * Copies the bytes that were stored under a key to `buffer` if they fit, and returns their number; 0 if there are
   * none. First called with a NULL buffer. Damaged and foreign bytes are recognized and ignored. Keys have 16 letters
   * and digits.
   */
  size_t (*load)(void* user, const char* key, void* buffer, size_t buffer_size);
  void (*store)(void* user, const char* key, const void* bytes, size_t size); /**< Stores bytes under a key. */
  void* user;                                                                 /**< Passed to the functions. */
} pchr_program_cache;

/** Options for a renderer. */
typedef struct pchr_renderer_options {
  uint32_t struct_size;          /**< See the top of this header. */
  bool linear;                   /**< Blend in linear light, for framebuffers that encode sRGB or hold linear light. */
  uint64_t palette_budget_bytes; /**< GPU memory for baked clips. 0 means 64 MiB. */
  const pchr_executor* executor; /**< Decodes images and bakes clips in parallel, or NULL. */
  const char* fragment_main;     /**< Body of a GLSL function for each pixel; see pchr/renderer.hpp. NULL for none. */
  uint64_t bake_bytes_per_draw;  /**< Palettes that a draw bakes before it poses other new clips. 0 means 1 MiB. */
  const pchr_program_cache* program_cache; /**< Must live as long as the renderer. NULL for none. */
} pchr_renderer_options;

/** Creates a renderer on the current context. `options` and `error` can be NULL. */
PCHR_C_API pchr_renderer* pchr_renderer_create(pchr_get_proc_address get_proc_address,
                                               const pchr_renderer_options* options, pchr_error* error);
/** Frees a renderer. */
PCHR_C_API void pchr_renderer_free(pchr_renderer* renderer);
/** Sets the values that pchr_renderer_options::fragment_main sees as effect_values: four numbers. */
PCHR_C_API bool pchr_renderer_set_effect_values(pchr_renderer* renderer, const float* values);
/** Returns the GPU memory of baked clips and of buffers that change each frame. */
PCHR_C_API uint64_t pchr_renderer_gpu_bytes(const pchr_renderer* renderer);

/** Uploads a character. `error` can be NULL. */
PCHR_C_API pchr_model* pchr_renderer_upload(pchr_renderer* renderer, const pchr_character* character,
                                            pchr_error* error);
/** Frees a model. */
PCHR_C_API void pchr_model_free(pchr_model* model);
/** Returns the GPU memory of a model: textures with mipmaps, and buffers. */
PCHR_C_API uint64_t pchr_model_gpu_bytes(const pchr_model* model);

/** How textures are sampled. */
typedef enum pchr_filter PCHR_INT {
  PCHR_FILTER_TRILINEAR, /**< Blends texels and mipmaps. */
  PCHR_FILTER_BILINEAR,  /**< Blends texels. */
  PCHR_FILTER_NEAREST    /**< Shows texels as they are. */
} pchr_filter;

/** Sets how a model's textures are sampled. The default is trilinear, or nearest for pixel art. */
PCHR_C_API void pchr_model_set_filter(pchr_model* model, pchr_filter filter);

/**
 * Starts to upload a character in parts. `images` has the pixels of each image, from pchr_decode_image() on any thread;
 * NULL decodes them now. `error` can be NULL.
 */
PCHR_C_API pchr_upload* pchr_renderer_begin_upload(pchr_renderer* renderer, const pchr_character* character,
                                                   const uint8_t* const* images, pchr_error* error);
/** Uploads up to `bytes`, but at least one vertex or one row of an image. Returns true when everything is uploaded. */
PCHR_C_API bool pchr_upload_step(pchr_upload* upload, uint64_t bytes);
/** Returns how much is left to upload, without mipmaps that the driver makes. */
PCHR_C_API uint64_t pchr_upload_bytes_left(const pchr_upload* upload);
/** Uploads the rest, returns the model and frees the upload. */
PCHR_C_API pchr_model* pchr_upload_finish(pchr_upload* upload);
/** Frees an upload that is not wanted any more. */
PCHR_C_API void pchr_upload_free(pchr_upload* upload);

/** Uploads a skin for instances of a model of the same character. `error` can be NULL. */
PCHR_C_API pchr_gpu_skin* pchr_renderer_upload_skin(pchr_renderer* renderer, const pchr_model* model,
                                                    const pchr_skin* skin, pchr_error* error);
/** Frees a skin on the GPU. */
PCHR_C_API void pchr_gpu_skin_free(pchr_gpu_skin* skin);
/** Returns the GPU memory of a skin. */
PCHR_C_API uint64_t pchr_gpu_skin_bytes(const pchr_gpu_skin* skin);

/** One of many characters that share a model. */
typedef struct pchr_instance {
  uint32_t struct_size;              /**< See the top of this header. */
  uint32_t clip;                     /**< PCHR_NONE draws the bind pose. */
  pchr_clip_time time;               /**< From pchr_find_frame(). */
  const pchr_appearance* appearance; /**< Placement and look, or NULL. */
  const pchr_gpu_skin* skin;         /**< A skin of the model, or NULL. */
  uint32_t fade_clip;                /**< The clip of a crossfade. Not read if `fade_weight` is 0. */
  pchr_clip_time fade_time;          /**< The time in that clip. */
  float fade_weight;                 /**< 0 shows `clip`, 1 shows `fade_clip`. Posed on the CPU in between. */
} pchr_instance;

/** Many instances of a model as arrays, which cost a third less than an array of pchr_instance. */
typedef struct pchr_crowd {
  uint32_t struct_size;          /**< See the top of this header. */
  uint32_t count;                /**< Number of instances. */
  const pchr_affine* placements; /**< One per instance. */
  const uint32_t* clips;         /**< `clip_count` clips: one per instance, or one for all. PCHR_NONE: bind pose. */
  uint32_t clip_count;           /**< `count` or 1. */
  const double* seconds;         /**< `seconds_count` times: one per instance, or one for all. */
  uint32_t seconds_count;        /**< `count` or 1. */
  pchr_sampling sampling;        /**< How all clips are sampled. */
  const float* tints;            /**< Four numbers per instance, RGBA, or NULL for white. */
  const uint32_t* fade_clips;    /**< Crossfades, as in pchr_instance: one per instance, or NULL. */
  const double* fade_seconds;    /**< One per instance, if there are crossfades. */
  const float* fade_weights;     /**< One per instance, if there are crossfades. */
} pchr_crowd;

/** What drawing 2D characters does with the depth buffer. Their pixels have pchr_appearance::depth. */
typedef enum pchr_depth_mode PCHR_INT {
  PCHR_DEPTH_OFF,           /**< Ignores it. */
  PCHR_DEPTH_TEST,          /**< Draws only what is not behind. */
  PCHR_DEPTH_TEST_AND_WRITE /**< Also writes depth, except where pixels are almost transparent. */
} pchr_depth_mode;

/** Something that moves with a bone and has a place in the draw order: another model, or what `draw` draws. */
typedef struct pchr_attachment {
  uint32_t struct_size;              /**< See the top of this header. */
  uint32_t bone;                     /**< Index of the bone. Without it, nothing is drawn. */
  pchr_draw_place place;             /**< Where in the character's draw order. */
  const pchr_appearance* appearance; /**< Placement relative to the bone, and look, or NULL. */
  const pchr_model* model;           /**< A model, or NULL. */
  const pchr_pose* pose;             /**< Pose of the model. */
  const pchr_gpu_skin* skin;         /**< A skin of the model, or NULL. */
  /** Called with the transform from the attachment to world pixels, or NULL. Can change all OpenGL state. */
  void (*draw)(void* user, const pchr_affine* world);
  void* user; /**< Passed to `draw`. */
} pchr_attachment;

/** Options for drawing. */
typedef struct pchr_draw_options {
  uint32_t struct_size;               /**< See the top of this header. */
  pchr_depth_mode depth;              /**< Ignored for 3D characters. */
  bool leave_state;                   /**< Leave OpenGL state changed, which is faster. */
  const pchr_appearance* appearance;  /**< For poses: placement and look, or NULL. */
  const pchr_gpu_skin* skin;          /**< For poses: a skin of the model, or NULL. */
  const pchr_attachment* attachments; /**< For poses: what to draw between the meshes. */
  uint32_t attachment_count;          /**< Number of attachments. */
  uint32_t first_item;                /**< For poses without attachments: the first item of the draw list to draw. */
  uint32_t item_count;                /**< Number of items, or 0 for all. */
} pchr_draw_options;

/** Draws instances in the given order, in few calls. `options` can be NULL. */
PCHR_C_API bool pchr_renderer_draw(pchr_renderer* renderer, const pchr_model* model, const pchr_instance* instances,
                                   uint32_t count, const pchr_camera* camera, const pchr_draw_options* options);
/** Draws a crowd like the same instances in an array. `options` can be NULL. */
PCHR_C_API bool pchr_renderer_draw_crowd(pchr_renderer* renderer, const pchr_model* model, const pchr_crowd* crowd,
                                         const pchr_camera* camera, const pchr_draw_options* options);
/** Draws a pose. `options` can be NULL. */
PCHR_C_API bool pchr_renderer_draw_pose(pchr_renderer* renderer, const pchr_model* model, const pchr_pose* pose,
                                        const pchr_camera* camera, const pchr_draw_options* options);
/** One of many characters that share a model and have poses of their own. */
typedef struct pchr_posed {
  uint32_t struct_size;              /**< See the top of this header. */
  const pchr_pose* pose;             /**< Its pose. */
  const pchr_appearance* appearance; /**< Placement and look, or NULL. */
  const pchr_gpu_skin* skin;         /**< A skin of the model, or NULL. */
} pchr_posed;

/**
 * Draws posed characters in the given order, in few calls. Of `options`, which can be NULL, only `depth` and
 * `leave_state` count.
 */
PCHR_C_API bool pchr_renderer_draw_poses(pchr_renderer* renderer, const pchr_model* model, const pchr_posed* posed,
                                         uint32_t count, const pchr_camera* camera, const pchr_draw_options* options);
/** Bakes a clip before its first use. Returns false if it will be posed on the CPU instead. */
PCHR_C_API bool pchr_renderer_bake(pchr_renderer* renderer, const pchr_model* model, uint32_t clip,
                                   pchr_sampling sampling);

/** Counters of the last draw. */
typedef struct pchr_draw_statistics {
  uint32_t struct_size;    /**< See the top of this header. */
  uint32_t draw_calls;     /**< OpenGL draw calls. */
  uint64_t triangles;      /**< Triangles drawn. */
  uint64_t uploaded_bytes; /**< Instances, draw commands and palettes. */
  uint32_t instances;      /**< Instances drawn. */
  uint32_t culled;         /**< Instances outside the camera's view. */
  uint32_t posed;          /**< Drawn instances that were posed on the CPU. */
} pchr_draw_statistics;

/** Returns the counters of the last draw. */
PCHR_C_API bool pchr_renderer_statistics(const pchr_renderer* renderer, pchr_draw_statistics* out);

/** A view of a 3D scene. Matrices are stored column by column. */
typedef struct pchr_scene_view {
  uint32_t struct_size;    /**< See the top of this header. */
  float world_to_clip[16]; /**< OpenGL depth: -1 (near) to 1 (far). */
  float world_to_view[9];  /**< Rotation for lighting: x right, y up, z toward the viewer. */
  bool keep_depth;         /**< Keep what is in the depth buffer instead of clearing it. */
  bool cull_back_faces;    /**< Off by default: many game meshes need both sides. */
} pchr_scene_view;

/** A perspective camera that orbits a target point. */
typedef struct pchr_orbit_camera {
  uint32_t struct_size;                  /**< See the top of this header. */
  float target[3];                       /**< Point to look at. */
  float yaw_degrees;                     /**< To the right around the y axis. 0 looks from the front. */
  float pitch_degrees;                   /**< Upward, -90 to 90. */
  float distance;                        /**< From the target. 0 means 1. */
  float field_of_view_degrees;           /**< Vertical, 1 to 150. 0 means 30. */
  float viewport_width, viewport_height; /**< In pixels. */
} pchr_orbit_camera;

/**
 * Moves an orbit camera so that a posed 3D character fills its viewport, except for `margin`, a fraction of it. Fails
 * with a 2D character.
 */
PCHR_C_API bool pchr_orbit_camera_fit(pchr_orbit_camera* camera, const pchr_pose* pose, float margin);
/** Returns the view of an orbit camera. */
PCHR_C_API bool pchr_orbit_camera_view(const pchr_orbit_camera* camera, pchr_scene_view* out);
/** Draws instances of a 3D model in a 3D view. Fails with a 2D model. `options` can be NULL. */
PCHR_C_API bool pchr_renderer_draw_scene(pchr_renderer* renderer, const pchr_model* model,
                                         const pchr_instance* instances, uint32_t count, const pchr_scene_view* view,
                                         const pchr_draw_options* options);
/** Draws a posed 3D character in a 3D view. Fails with a 2D character. `options` can be NULL. */
PCHR_C_API bool pchr_renderer_draw_pose_scene(pchr_renderer* renderer, const pchr_model* model, const pchr_pose* pose,
                                              const pchr_scene_view* view, const pchr_draw_options* options);

/** An OpenGL context without a window. */
typedef struct pchr_headless pchr_headless;
/** A framebuffer to draw into and read back. */
typedef struct pchr_target pchr_target;

/** Creates a context and makes it current on this thread. `error` can be NULL. */
PCHR_C_API pchr_headless* pchr_headless_create(pchr_error* error);
/** Frees a context, after everything that was created on it. */
PCHR_C_API void pchr_headless_free(pchr_headless* headless);
/** Returns the function to pass to pchr_renderer_create(). */
PCHR_C_API pchr_get_proc_address pchr_headless_get_proc_address(const pchr_headless* headless);

/** Creates a framebuffer on the current context, multisampled if `samples` is above 1. `error` can be NULL. */
PCHR_C_API pchr_target* pchr_target_create(pchr_get_proc_address get_proc_address, uint32_t width, uint32_t height,
                                           uint32_t samples, pchr_error* error);
/** Frees a framebuffer. */
PCHR_C_API void pchr_target_free(pchr_target* target);
/** Binds the framebuffer, sets its viewport and clears it to premultiplied RGBA, or to nothing if `color` is NULL. */
PCHR_C_API bool pchr_target_begin(pchr_target* target, const float* color);
/**
 * Reads the image into `rgba` as width * height * 4 bytes, premultiplied, top row first, and unbinds it. Fails without
 * pchr_target_begin().
 */
PCHR_C_API bool pchr_target_finish(pchr_target* target, uint8_t* rgba, size_t size);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
