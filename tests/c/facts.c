/* SPDX-License-Identifier: MIT */
/* facts CHARACTER [RIG]: plays a character and prints the results. The tests of the bindings do the same and compare
 * their output with it. Numbers are in thousandths. */
#include <pchr.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long milli(double value) { return (long)(value * 1000 + (value < 0 ? -0.5 : 0.5)); }

static unsigned sum_of(const void* bytes, size_t size) {
  unsigned sum = 0;
  for (size_t i = 0; i < size; ++i) sum = (sum * 31 + ((const uint8_t*)bytes)[i]) % 65521;
  return sum;
}

static void print_rect(pchr_rect rect) {
  printf(" within %ld %ld %ld %ld\n", milli(rect.min_x), milli(rect.min_y), milli(rect.max_x), milli(rect.max_y));
}

static void print_parts(const pchr_character* hero) {
  for (uint32_t i = 0; i < pchr_bone_count(hero); ++i) {
    printf("bone %s of %d\n", pchr_bone_name(hero, i), (int)pchr_bone_parent(hero, i));
  }
  pchr_clip clip = {0};
  for (uint32_t i = 0; pchr_get_clip(hero, i, &clip); ++i) {
    pchr_rect bounds;
    pchr_clip_bounds(hero, i, NULL, &bounds);
    printf("clip %s: %u frames, %ld per second, %ld s, loop %d from %u,", clip.name, clip.frame_count,
           milli(clip.frames_per_second), milli(clip.duration_seconds), clip.looping, clip.loop_start);
    print_rect(bounds);
  }
  pchr_mesh mesh = {0};
  for (uint32_t i = 0; pchr_get_mesh(hero, i, &mesh); ++i) {
    printf("mesh %s: image %u, vertices %u+%u, indices %u+%u, bone %u\n", mesh.name, mesh.image, mesh.first_vertex,
           mesh.vertex_count, mesh.first_index, mesh.index_count, mesh.governing_bone);
  }
  pchr_image image = {0};
  for (uint32_t i = 0; pchr_get_image(hero, i, &image); ++i) {
    const size_t size = (size_t)image.width * image.height * 4;
    uint8_t* rgba = malloc(size);
    pchr_decode_image(hero, i, rgba, size, NULL);
    printf("image %s: %u x %u, sum %u\n", image.name, image.width, image.height, sum_of(rgba, size));
    free(rgba);
  }
  uint32_t vertices, indices;
  const pchr_vertex* first_vertex = pchr_vertices(hero, &vertices);
  const uint16_t* first_index = pchr_indices(hero, &indices);
  printf("%u vertices, sum %u, %u indices, sum %u, %u warnings\n", vertices,
         sum_of(first_vertex, vertices * sizeof *first_vertex), indices,
         sum_of(first_index, indices * sizeof *first_index), pchr_warning_count(hero));
}

static void print_stream(pchr_stream* stream) {
  uint32_t vertices, indices, commands;
  const pchr_stream_vertex* first_vertex = pchr_stream_vertices(stream, &vertices);
  const uint32_t* first_index = pchr_stream_indices(stream, &indices);
  const pchr_stream_command* c = pchr_stream_commands(stream, &commands);
  printf("stream of %u vertices, sum %u, and %u indices, sum %u\n", vertices,
         sum_of(first_vertex, vertices * sizeof *first_vertex), indices,
         sum_of(first_index, indices * sizeof *first_index));
  for (uint32_t i = 0; i < commands; ++i) {
    printf("command: source %u, image %u, indices %u+%u, blend %u\n", c[i].source, c[i].image, c[i].first_index,
           c[i].index_count, c[i].blend);
  }
  pchr_stream_clear(stream);
}

static void print_pose(const pchr_pose* pose, uint32_t bone) {
  pchr_bone_state b;
  pchr_pose_get_bone(pose, bone, &b);
  printf("bone at %ld %ld, %ld degrees, scale %ld %ld, opacity %ld, order %d, visible %d\n", milli(b.x), milli(b.y),
         milli(b.rotation_degrees), milli(b.scale_x), milli(b.scale_y), milli(b.opacity), (int)b.z_order, b.visible);
  const pchr_affine w = pchr_pose_world(pose)[bone];
  printf("world %ld %ld %ld %ld %ld %ld,", milli(w.a), milli(w.b), milli(w.c), milli(w.d), milli(w.tx), milli(w.ty));
  print_rect(pchr_pose_bounds(pose));
}

static void print_poses(const pchr_character* hero, pchr_pose* pose, pchr_stream* stream) {
  const uint32_t head = pchr_find_bone(hero, "head"), walk = pchr_find_clip(hero, "walk");
  print_pose(pose, head);
  pchr_pose_clip(pose, walk, 0.3, PCHR_STEP);
  print_pose(pose, head);
  pchr_pose_clip(pose, walk, 0.31, PCHR_SMOOTH);
  print_pose(pose, head);

  pchr_appearance placed;
  pchr_appearance_init(&placed, sizeof placed);
  placed.placement = pchr_placement(100, -50, 30, 2, true);
  const float tint[4] = {1, 0.5f, 0.25f, 0.5f};
  memcpy(placed.tint, tint, sizeof tint);
  placed.blend = PCHR_BLEND_MULTIPLY;
  pchr_stream_options options = {0};
  options.appearance = &placed;
  options.source = 7;
  pchr_stream_add(stream, pose, &options);
  pchr_bone_state state;
  pchr_pose_get_bone(pose, head, &state);
  state.rotation_degrees = pchr_pose_rotation_towards(pose, head, 1000, 300, 0, 1);
  state.opacity = 0.5f;
  pchr_pose_set_bone(pose, head, &state);
  pchr_pose_update(pose);
  print_pose(pose, head);
  pchr_stream_add(stream, pose, NULL);
  print_stream(stream);
}

static void print_hit(const char* what, const pchr_pose* pose, const pchr_hit_images* images, float x, float y,
                      const pchr_hit_options* options) {
  pchr_hit hit = {0};
  if (pchr_hit_test(pose, images, x, y, options, &hit)) {
    printf("%s: mesh %u, bone %u, alpha %u\n", what, hit.mesh, hit.bone, hit.alpha);
  } else {
    printf("%s: nothing\n", what);
  }
}

static void print_skins(const pchr_character* hero, pchr_pose* pose, pchr_stream* stream) {
  pchr_pose_bind(pose);
  const pchr_affine head = pchr_pose_world(pose)[pchr_find_bone(hero, "head")];
  const float x = head.tx, y = head.ty + 10;
  pchr_hit_images* images = pchr_hit_images_create(hero, NULL, NULL);
  pchr_hit hit = {0};
  pchr_hit_test(pose, images, x, y, NULL, &hit);
  print_hit("head", pose, images, x, y, NULL);
  print_hit("beside it", pose, images, x + 500, y, NULL);
  pchr_appearance placed;
  pchr_appearance_init(&placed, sizeof placed);
  placed.placement = pchr_placement(500, 0, 0, 1, false);
  pchr_hit_options options = {0};
  options.appearance = &placed;
  print_hit("placed there", pose, images, x + 500, y, &options);

  pchr_skin* skin = pchr_skin_create(hero, "red");
  const uint8_t red[4] = {255, 0, 0, 255};
  pchr_skin_part part;
  pchr_skin_part_init(&part, sizeof part);
  part.image = pchr_skin_add_image(skin, red, 1, 1);
  part.tint[3] = 0.5f;
  part.blend = PCHR_BLEND_SCREEN;
  pchr_skin_set_part(skin, hit.mesh, &part);
  pchr_stream_options adding = {0};
  adding.skin = skin;
  pchr_stream_add(stream, pose, &adding);
  print_stream(stream);
  pchr_skin_part_init(&part, sizeof part);
  part.visible = false;
  for (uint32_t mesh = 0; mesh < pchr_mesh_count(hero); ++mesh) pchr_skin_set_part(skin, mesh, &part);
  options.appearance = NULL;
  options.skin = skin;
  print_hit("hidden", pose, images, x, y, &options);
  pchr_skin_free(skin);
  pchr_hit_images_free(images);
}

static void print_events(pchr_animator* animator, double seconds) {
  static const char* const kinds[] = {"started", "looped", "finished", "marker", "interrupted"};
  uint32_t count;
  const pchr_event* events = pchr_animator_advance(animator, seconds, &count);
  for (uint32_t i = 0; i < count; ++i) {
    printf("%s: layer %u, play %u, clip %u, marker %s, at %ld, times %u, weight %ld\n", kinds[events[i].kind],
           events[i].layer, (unsigned)events[i].play, events[i].clip, events[i].marker != NULL ? events[i].marker : "-",
           milli(events[i].seconds), (unsigned)events[i].count, milli(events[i].weight));
  }
}

static void print_animation(const pchr_character* hero, pchr_pose* pose, pchr_stream* stream) {
  const uint32_t walk = pchr_find_clip(hero, "walk"), head = pchr_find_bone(hero, "head");
  pchr_animator* animator = pchr_animator_create(hero);
  const pchr_marker markers[] = {{walk, 4, "left"}, {walk, 16, "right"}};
  pchr_animator_set_markers(animator, markers, 2);
  pchr_animator_set_sampling(animator, PCHR_SMOOTH);
  pchr_animator_set_root_motion(animator, pchr_find_bone(hero, "hips"), true, true);
  pchr_layer_options mixing;
  pchr_layer_options_init(&mixing, sizeof mixing);
  uint8_t* mask = calloc(pchr_bone_count(hero), 1);
  pchr_mask_subtree(hero, pchr_find_bone(hero, "chest"), mask);
  mixing.mask = mask;
  mixing.weight = 0.75f;
  pchr_animator_set_layer(animator, 1, &mixing);
  free(mask);
  pchr_layer_options_init(&mixing, sizeof mixing);
  mixing.mode = PCHR_LAYER_ADDITIVE;
  mixing.reference_clip = walk;
  mixing.reference_frame = 3;
  pchr_animator_set_layer(animator, 2, &mixing);
  pchr_animator_set_layer_weight(animator, 2, 0.5f);

  pchr_play_options options;
  pchr_play_options_init(&options, sizeof options);
  options.layer = 1;
  pchr_animator_play(animator, pchr_find_clip(hero, "wave"), &options);
  options.layer = 2;
  options.start_seconds = 0.5;
  pchr_animator_play(animator, walk, &options);
  pchr_play_options_init(&options, sizeof options);
  pchr_animator_play(animator, walk, &options);
  options.fade_seconds = 0.25;
  options.loop = PCHR_LOOP_ONCE;
  const uint64_t jump = pchr_animator_play(animator, pchr_find_clip(hero, "jump"), &options);
  options.loop = PCHR_LOOP_FOREVER;
  options.speed = 1.5;
  const uint64_t last = pchr_animator_queue(animator, walk, &options);
  for (int step = 0; step < 6; ++step) {
    print_events(animator, 0.4);
    if (step == 0) {
      printf("seek %d", pchr_animator_seek_play(animator, jump, 0.1));
      printf(" %d", pchr_animator_set_play_speed(animator, jump, 2));
      printf(" %d\n", pchr_animator_seek_play(animator, last + 1, 0));
    }
    pchr_bone_override turn = {0};
    turn.bone = head;
    turn.values = PCHR_OVERRIDE_ROTATION | PCHR_OVERRIDE_SCALE_X;
    turn.rotation_degrees = 30;
    turn.scale_x = 1.25f;
    turn.keep = 0.5f;
    pchr_animator_set_overrides(animator, &turn, step == 4);
    pchr_animator_pose(animator, pose);
    print_pose(pose, head);
    pchr_stream_add(stream, pose, NULL);
    print_stream(stream);
  }
  float x, y;
  pchr_animator_take_root_motion(animator, &x, &y);
  printf("moved %ld %ld\n", milli(x), milli(y));
  pchr_animator_stop(animator, 1, 0);
  pchr_animator_queue_stop(animator, 0, 0.1);
  pchr_animator_set_speed(animator, -1);
  print_events(animator, 0.01);
  pchr_animator_free(animator);
}

static void print_rig(const pchr_character* hero, pchr_pose* pose, const char* path) {
  pchr_animator* animator = pchr_animator_create(hero);
  pchr_rig* rig = pchr_rig_load(hero, path, NULL, NULL);
  pchr_animator_set_rig(animator, rig);
  pchr_layer_options mixing;
  pchr_layer_options_init(&mixing, sizeof mixing);
  uint8_t* mask = calloc(pchr_bone_count(hero), 1);
  pchr_rig_mask(rig, "arm", mask);
  mixing.mask = mask;
  pchr_animator_set_layer(animator, 1, &mixing);
  free(mask);
  pchr_rig_free(rig);
  const float target[2] = {1000, 300};
  pchr_animator_set_target(animator, "look", target, 1);
  pchr_animator_play(animator, pchr_find_clip(hero, "walk"), NULL);
  pchr_play_options options;
  pchr_play_options_init(&options, sizeof options);
  options.layer = 1;
  pchr_animator_play(animator, pchr_find_clip(hero, "wave"), &options);
  for (int step = 0; step < 10; ++step) {
    const pchr_affine placement = pchr_placement(20.0f * (float)step, 0, 0, 1, false);
    pchr_animator_set_placement(animator, &placement, false);
    print_events(animator, 1.0 / 60);
    pchr_animator_pose(animator, pose);
  }
  print_pose(pose, pchr_find_bone(hero, "head"));
  print_pose(pose, pchr_find_bone(hero, "tail_1"));
  print_pose(pose, pchr_find_bone(hero, "near_upper_arm"));
  pchr_animator_free(animator);
}

static void print_states(pchr_animator* animator) {
  static const char* const kinds[] = {"left", "entered", "named"};
  uint32_t count;
  const pchr_state_event* events = pchr_animator_state_events(animator, &count);
  for (uint32_t i = 0; i < count; ++i) {
    printf("%s %s: layer %u, state %u, at %ld\n", kinds[events[i].kind], events[i].name, events[i].layer,
           events[i].state, milli(events[i].seconds));
  }
  pchr_state_status status = {0};
  for (uint32_t layer = 0; pchr_animator_get_state(animator, layer, &status); ++layer) {
    printf("%s: %s, %ld of %d from %s, phase %ld\n", status.layer_name, status.name, milli(status.progress),
           (int)status.transition, status.from_name != NULL ? status.from_name : "-", milli(status.phase));
  }
  pchr_parameter parameter = {0};
  for (uint32_t i = 0; pchr_animator_get_parameter(animator, i, &parameter); ++i) {
    printf("%s is %ld\n", parameter.name, milli(parameter.value));
  }
}

static void set(pchr_animator* animator, const char* parameter, float value) {
  pchr_animator_set_parameter(animator, pchr_animator_find_parameter(animator, parameter), value);
}

static void print_machine(const pchr_character* hero, pchr_pose* pose, const char* path) {
  static const char* const kinds[] = {"number", "boolean", "trigger"};
  pchr_animator* animator = pchr_animator_create(hero);
  pchr_rig* rig = pchr_rig_load(hero, path, NULL, NULL);
  pchr_animator_set_rig(animator, rig);
  pchr_animator_set_states(animator, rig, NULL);
  pchr_rig_free(rig);
  printf("%u layers\n", pchr_animator_state_layer_count(animator));
  pchr_parameter parameter = {0};
  for (uint32_t i = 0; pchr_animator_get_parameter(animator, i, &parameter); ++i) {
    printf("%s %s: %ld from %ld to %ld, key %s\n", kinds[parameter.kind], parameter.name, milli(parameter.value),
           milli(parameter.min), milli(parameter.max), parameter.key);
  }
  for (int step = 0; step < 10; ++step) {
    if (step == 1) set(animator, "speed", 0.25f);
    if (step == 3) set(animator, "w\xC3\xAEnkt", 1);
    if (step == 4) set(animator, "speed", 7);
    if (step == 5) set(animator, "jump", 1);
    print_events(animator, 0.3);
    print_states(animator);
    pchr_animator_pose(animator, pose);
    print_pose(pose, pchr_find_bone(hero, "head"));
    print_pose(pose, pchr_find_bone(hero, "near_forearm"));
  }
  printf("enter %d", pchr_animator_enter_state(animator, 0, "jump", 0.1));
  printf(" %d\n", pchr_animator_enter_state(animator, 0, "fly", 0.1));
  print_events(animator, 0.7);
  print_states(animator);
  char saved[4096];
  const size_t size = pchr_animator_save_states(animator, saved, sizeof saved);
  printf("saved %u, sum %u\n", (unsigned)size, sum_of(saved, size));
  print_events(animator, 0.7);
  printf("restore %d", pchr_animator_restore_states(animator, "nothing"));
  printf(" %d\n", pchr_animator_restore_states(animator, saved));
  print_events(animator, 0.3);
  print_states(animator);
  pchr_animator_set_states(animator, NULL, NULL);
  printf("%u layers\n", pchr_animator_state_layer_count(animator));
  pchr_animator_free(animator);
}

int main(int argc, char** argv) {
  if (argc < 2 || pchr_api_version() != PCHR_API_VERSION) return 2;
  pchr_error error;
  pchr_character* hero = pchr_load_file(argv[1], NULL, &error);
  if (hero == NULL) return puts(error.message), 1;
  pchr_pose* pose = pchr_pose_create(hero);
  pchr_stream* stream = pchr_stream_create(0);
  print_parts(hero);
  print_poses(hero, pose, stream);
  print_skins(hero, pose, stream);
  print_animation(hero, pose, stream);
  if (argc > 2) print_rig(hero, pose, argv[2]);
  if (argc > 2) print_machine(hero, pose, argv[2]);
  pchr_load_file("nowhere.pchr", NULL, &error);
  printf("%s %s\n", error.code, error.message);
  pchr_load_memory("PCHR", 4, NULL, &error);
  printf("%s %s\n", error.code, error.message);
  pchr_stream_free(stream);
  pchr_pose_free(pose);
  pchr_character_free(hero);
  return 0;
}
