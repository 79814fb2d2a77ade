/* SPDX-License-Identifier: MIT */
/* What the program that calls.py writes needs. Prints the call that did not fail and should have.
 *
 * calls CHARACTER_2D CHARACTER_3D FOLDER
 *
 * Calls all functions three times: each with handles that no other function has changed, then in order and in reverse
 * with the same handles, so that what one call has changed meets all others.
 */
#include <pchr.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements per unit of the size or capacity that follows a parameter of this name. */
enum { ELEMENTS_bytes = 1, ELEMENTS_rgba = 1, ELEMENTS_xy = 2, ELEMENTS_bones = 1, ELEMENTS_out = 1, LARGE = 1 << 20 };

struct function {
  const char* name;
  void (*call)(void);
  bool changes; /* Whether it can change a handle. */
};

static const char* path[2];
static const char* folder;
static const char name[] = "walk";
static const char* const names[] = {name};
static const uint64_t zeros[1 << 12];

static pchr_character* good_pchr_character[2];
static pchr_saved* good_pchr_saved[2];
static pchr_skin* good_pchr_skin[2];
static pchr_pose* good_pchr_pose[2];
static pchr_hit_images* good_pchr_hit_images[2];
static pchr_animator* good_pchr_animator[2];
static pchr_rig* good_pchr_rig[2];
static pchr_stream* good_pchr_stream[2];
static pchr_gpu_geometry* good_pchr_gpu_geometry[2];
static pchr_gpu_palettes* good_pchr_gpu_palettes[2];
static pchr_headless* good_pchr_headless[2];
static pchr_renderer* good_pchr_renderer[2];
static pchr_model* good_pchr_model[2];
static pchr_upload* good_pchr_upload[2];
static pchr_gpu_skin* good_pchr_gpu_skin[2];
static pchr_target* good_pchr_target[2];

static pchr_gl_function call_get_proc_address(const char* function) {
  return pchr_headless_get_proc_address(good_pchr_headless[0])(function);
}

static pchr_character* make_pchr_character(unsigned k) { return pchr_load_file(path[k], NULL, NULL); }
/* No format stores 3D. */
static pchr_saved* make_pchr_saved(unsigned k) {
  (void)k;
  return pchr_save(good_pchr_character[0], PCHR_FORMAT_JSON, "hero", NULL, NULL);
}
static pchr_skin* make_pchr_skin(unsigned k) {
  static const uint8_t rgba[4] = {255, 255, 255, 255};
  pchr_skin* skin = pchr_skin_create(good_pchr_character[k], name);
  pchr_skin_part part;
  pchr_skin_part_init(&part, sizeof part);
  part.image = pchr_skin_add_image(skin, rgba, 1, 1);
  pchr_skin_set_part(skin, 0, &part);
  return skin;
}
static pchr_pose* make_pchr_pose(unsigned k) { return pchr_pose_create(good_pchr_character[k]); }
static pchr_hit_images* make_pchr_hit_images(unsigned k) {
  return pchr_hit_images_create(good_pchr_character[k], NULL, NULL);
}
/* With one of each that a rig can have. */
static pchr_rig* make_pchr_rig(unsigned k) {
  pchr_rig* rig = pchr_rig_create(good_pchr_character[k]);
  pchr_clip clip = {0};
  pchr_get_clip(good_pchr_character[k], 0, &clip);
  pchr_aim aim;
  pchr_aim_init(&aim, sizeof aim);
  aim.name = name;
  pchr_rig_add_aim(rig, &aim, NULL);
  uint32_t chain[8];
  pchr_spring spring;
  pchr_spring_init(&spring, sizeof spring);
  spring.bones = chain;
  spring.bone_count = 1;
  chain[0] = pchr_bone_count(good_pchr_character[k]) - 1;
  pchr_rig_add_spring(rig, &spring, NULL);
  const pchr_marker marker = {0, 1, name};
  pchr_rig_set_markers(rig, &marker, 1);
  pchr_rig_add_mask(rig, name, (const uint8_t*)zeros);
  pchr_parameter parameter;
  pchr_parameter_init(&parameter, sizeof parameter);
  parameter.name = name;
  pchr_rig_add_parameter(rig, &parameter);
  pchr_state_layer layer;
  pchr_state_layer_init(&layer, sizeof layer);
  layer.name = name;
  pchr_rig_add_state_layer(rig, &layer);
  pchr_state state;
  pchr_state_init(&state, sizeof state);
  state.kind = PCHR_STATE_CLIP;
  state.name = name;
  state.clip = clip.name;
  pchr_rig_add_state(rig, 0, &state);
  return rig;
}
static pchr_animator* make_pchr_animator(unsigned k) {
  pchr_animator* animator = pchr_animator_create(good_pchr_character[k]);
  pchr_animator_set_rig(animator, good_pchr_rig[k]);
  pchr_animator_set_states(animator, good_pchr_rig[k], NULL);
  pchr_animator_play(animator, 0, NULL);
  pchr_animator_advance(animator, 0.1, NULL);
  return animator;
}
static pchr_stream* make_pchr_stream(unsigned k) {
  pchr_stream* stream = pchr_stream_create(k == 0 ? PCHR_STREAM_LOOKS : PCHR_STREAM_3D);
  pchr_stream_add(stream, good_pchr_pose[k], NULL);
  return stream;
}
static pchr_gpu_geometry* make_pchr_gpu_geometry(unsigned k) {
  return pchr_gpu_geometry_create(good_pchr_character[k]);
}
static pchr_gpu_palettes* make_pchr_gpu_palettes(unsigned k) {
  return pchr_gpu_bake(good_pchr_gpu_geometry[k], 0, PCHR_STEP, 0, NULL);
}
static pchr_renderer* make_pchr_renderer(unsigned k) {
  (void)k;
  return pchr_renderer_create(call_get_proc_address, NULL, NULL);
}
static pchr_model* make_pchr_model(unsigned k) {
  return pchr_renderer_upload(good_pchr_renderer[k], good_pchr_character[k], NULL);
}
static pchr_upload* make_pchr_upload(unsigned k) {
  return pchr_renderer_begin_upload(good_pchr_renderer[k], good_pchr_character[k], NULL, NULL);
}
static pchr_gpu_skin* make_pchr_gpu_skin(unsigned k) {
  return pchr_renderer_upload_skin(good_pchr_renderer[k], good_pchr_model[k], good_pchr_skin[k], NULL);
}
static pchr_target* make_pchr_target(unsigned k) {
  (void)k;
  return pchr_target_create(call_get_proc_address, 8, 8, 0, NULL);
}

/* In an order in which each finds what it is made of. Contexts and renderers, which take long, are made once. */
#define FOR_EACH_HANDLE(use)                                                                            \
  use(pchr_character) use(pchr_saved) use(pchr_skin) use(pchr_pose) use(pchr_hit_images) use(pchr_rig)  \
      use(pchr_animator) use(pchr_stream) use(pchr_gpu_geometry) use(pchr_gpu_palettes) use(pchr_model) \
          use(pchr_upload) use(pchr_gpu_skin) use(pchr_target)

static void make_handles(void) {
#define MAKE(type)                    \
  for (unsigned k = 0; k < 2; ++k) {  \
    good_##type[k] = make_##type(k);  \
    if (good_##type[k] == NULL) {     \
      printf("no " #type " %u\n", k); \
      exit(1);                        \
    }                                 \
  }
  FOR_EACH_HANDLE(MAKE)
#undef MAKE
}

static void free_handles(void) {
#define FREE(type) \
  for (unsigned k = 0; k < 2; ++k) type##_free(good_##type[k]);
  FOR_EACH_HANDLE(FREE)
#undef FREE
}

/* The functions of the program. */
static void call_parallel_for(void* user, size_t count, pchr_task task, void* context) {
  (void)user;
  for (size_t i = 0; i < count; ++i) task(context, i);
}
static bool call_read(void* user, const char* file_path, pchr_file* file) {
  (void)user, (void)file_path;
  file->bytes = "{}";
  file->size = 2;
  return true;
}
static void call_close(void* user, pchr_file* file) { (void)user, (void)file; }
static void call_before_reading(void* user, const char* file_path) { (void)user, (void)file_path; }
static void* call_allocate(void* user, size_t size) { return (void)user, malloc(size); }
static void call_release(void* user, void* memory) { (void)user, free(memory); }
static size_t call_load(void* user, const char* key, void* buffer, size_t size) {
  return (void)user, (void)key, (void)buffer, (void)size, 0;
}
static void call_store(void* user, const char* key, const void* bytes, size_t size) {
  (void)user, (void)key, (void)bytes, (void)size;
}
static void call_draw(void* user, const pchr_affine* world) { (void)user, (void)world; }

static char description[200];
static unsigned long calls, failures;

static void describe(const char* function, const unsigned* at, int count) {
  ++calls;
  int length = snprintf(description, sizeof description, "%s, variants", function);
  for (int i = 0; i < count; ++i) {
    length += snprintf(description + length, sizeof description - (size_t)length, " %u", at[i]);
  }
  if (getenv("PCHR_TRACE") != NULL) fprintf(stderr, "%s\n", description);
}

static void expect(bool failed) {
  if (failed) return;
  printf("did not fail: %s\n", description);
  ++failures;
}

/* First all combinations, then one by one the parameters whose other variants are left, with good ones. */
struct progress {
  int parameter;
  unsigned variant, character;
  bool combined;
};

static bool next(struct progress* progress, unsigned* at, const unsigned* combined, const unsigned* all, int count) {
  if (!progress->combined) {
    for (int i = 0; i < count; ++i) {
      if (++at[i] < combined[i]) return true;
      at[i] = 0;
    }
    progress->combined = true;
    progress->variant = combined[0];
  } else if (++progress->character == 2) {
    progress->character = 0;
    ++progress->variant;
  }
  while (progress->variant >= all[progress->parameter]) {
    if (++progress->parameter == count) return false;
    progress->variant = combined[progress->parameter];
  }
  for (int i = 0; i < count; ++i) at[i] = progress->character;
  at[progress->parameter] = progress->variant;
  return true;
}

static int call_all(int argc, char** argv, const struct function* functions, size_t count, void (*keep_structs)(void)) {
  if (argc < 4) return 2;
  path[0] = argv[1];
  path[1] = argv[2];
  folder = argv[3];
  pchr_error error;
  good_pchr_headless[0] = good_pchr_headless[1] = pchr_headless_create(&error);
  if (good_pchr_headless[0] == NULL) return puts(error.message), 1;
  good_pchr_renderer[0] = good_pchr_renderer[1] = make_pchr_renderer(0);
  make_handles();
  keep_structs();
  for (size_t i = 0; i < count; ++i) {
    functions[i].call();
    if (!functions[i].changes) continue;
    free_handles();
    make_handles();
    keep_structs();
  }
  for (size_t i = 0; i < count; ++i) functions[i].call();
  for (size_t i = count; i-- > 0;) functions[i].call();
  free_handles();
  pchr_renderer_free(good_pchr_renderer[0]);
  pchr_headless_free(NULL);
  pchr_headless_free(good_pchr_headless[0]);
  printf("%lu calls, %lu failures\n", calls, failures);
  return failures == 0 ? 0 : 1;
}
