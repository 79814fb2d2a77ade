/* SPDX-License-Identifier: MIT */
/* Plays a character through the C interface and prints the results. facts.py prints the same. */
#include <pchr.h>

#include <stdio.h>
#include <stdlib.h>

static uint32_t hash_bytes(const void* bytes, size_t size) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ ((const uint8_t*)bytes)[i]) * 16777619u;
  return hash;
}

static void print_character(const pchr_character* character) {
  uint32_t vertices, indices;
  pchr_vertices(character, &vertices);
  pchr_indices(character, &indices);
  printf("bones %u, meshes %u, clips %u, images %u, vertices %u, indices %u, warnings %u\n", pchr_bone_count(character),
         pchr_mesh_count(character), pchr_clip_count(character), pchr_image_count(character), vertices, indices,
         pchr_warning_count(character));
  for (uint32_t i = 0; i < pchr_bone_count(character); ++i) {
    printf("bone %s, parent %d\n", pchr_bone_name(character, i), (int)pchr_bone_parent(character, i));
  }
  pchr_clip clip = {0};
  for (uint32_t i = 0; pchr_get_clip(character, i, &clip); ++i) {
    pchr_rect bounds;
    pchr_clip_bounds(character, i, NULL, &bounds);
    printf(
        "clip %s: %u frames, %.9g per second, %.9g s, looping %d from %u, last from %.9g s, within %.9g %.9g %.9g "
        "%.9g\n",
        clip.name, clip.frame_count, clip.frames_per_second, clip.duration_seconds, clip.looping, clip.loop_start,
        pchr_frame_begin(character, i, clip.frame_count - 1), bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y);
  }
  pchr_mesh mesh = {0};
  for (uint32_t i = 0; pchr_get_mesh(character, i, &mesh); ++i) {
    printf("mesh %s: image %u, vertices %u+%u, indices %u+%u, bone %u\n", mesh.name, mesh.image, mesh.first_vertex,
           mesh.vertex_count, mesh.first_index, mesh.index_count, mesh.governing_bone);
  }
}

static void print_images(const pchr_character* character) {
  pchr_image image = {0};
  for (uint32_t i = 0; pchr_get_image(character, i, &image); ++i) {
    const size_t size = (size_t)image.width * image.height * 4;
    uint8_t* rgba = malloc(size);
    pchr_error error;
    printf("one byte too small: %d", pchr_decode_image(character, i, rgba, size - 1, &error));
    printf(", %s\n", error.message);
    printf("image %s: %u x %u", image.name, image.width, image.height);
    printf(", decoded %d", pchr_decode_image(character, i, rgba, size, NULL));
    printf(", hash %08x\n", hash_bytes(rgba, size));
    free(rgba);
  }
}

static void print_stream(const pchr_stream* stream) {
  uint32_t vertex_count, index_count, command_count;
  const pchr_stream_vertex* vertices = pchr_stream_vertices(stream, &vertex_count);
  const uint32_t* indices = pchr_stream_indices(stream, &index_count);
  const pchr_stream_command* commands = pchr_stream_commands(stream, &command_count);
  printf("stream of %u vertices, hash %08x, and %u indices, hash %08x\n", vertex_count,
         hash_bytes(vertices, vertex_count * sizeof *vertices), index_count,
         hash_bytes(indices, index_count * sizeof *indices));
  for (uint32_t i = 0; i < command_count; ++i) {
    printf("command: source %u, image %u, indices %u+%u, blend %u\n", commands[i].source, commands[i].image,
           commands[i].first_index, commands[i].index_count, commands[i].blend);
  }
}

static void print_pose(const pchr_pose* pose, uint32_t bone) {
  pchr_bone_state state;
  pchr_pose_get_bone(pose, bone, &state);
  printf("bone at %.9g %.9g, %.9g degrees, scale %.9g %.9g, opacity %.9g, order %d, visible %d\n", state.x, state.y,
         state.rotation_degrees, state.scale_x, state.scale_y, state.opacity, (int)state.z_order, state.visible);
  const pchr_affine world = pchr_pose_world(pose)[bone];
  printf("world %.9g %.9g %.9g %.9g %.9g %.9g\n", world.a, world.b, world.c, world.d, world.tx, world.ty);
  const pchr_affine palette = pchr_pose_palette(pose)[bone];
  printf("palette %.9g %.9g %.9g %.9g %.9g %.9g\n", palette.a, palette.b, palette.c, palette.d, palette.tx, palette.ty);
  const pchr_rect bounds = pchr_pose_bounds(pose);
  printf("bounds %.9g %.9g %.9g %.9g\n", bounds.min_x, bounds.min_y, bounds.max_x, bounds.max_y);
  uint32_t count;
  const pchr_draw_item* items = pchr_pose_draw_list(pose, &count);
  for (uint32_t i = 0; i < count; ++i) printf("draw %u at %.9g\n", items[i].mesh, items[i].opacity);
}

static void print_poses(const pchr_character* character) {
  pchr_pose* pose = pchr_pose_create(character);
  pchr_stream* stream = pchr_stream_create(0);
  const uint32_t head = pchr_find_bone(character, "head");
  const uint32_t walk = pchr_find_clip(character, "walk");

  pchr_stream_add(stream, pose, NULL);
  print_pose(pose, head);
  pchr_pose_clip(pose, walk, 0.3, PCHR_STEP);
  print_pose(pose, head);
  pchr_pose_clip(pose, walk, 0.3, PCHR_SMOOTH);
  pchr_appearance appearance;
  pchr_appearance_init(&appearance, sizeof appearance);
  appearance.placement = pchr_placement(100, -50, 0, 2, false);
  appearance.tint[1] = 0.5f;
  appearance.tint[2] = 0.25f;
  appearance.tint[3] = 0.5f;
  pchr_stream_options adding = {0};
  adding.source = 1;
  adding.appearance = &appearance;
  pchr_stream_add(stream, pose, &adding);
  pchr_bone_state state;
  pchr_pose_get_bone(pose, head, &state);
  state.rotation_degrees += 30;
  state.opacity = 0.5f;
  pchr_pose_set_bone(pose, head, &state);
  pchr_pose_update(pose);
  print_pose(pose, head);
  pchr_stream_add(stream, pose, NULL);
  print_stream(stream);
  pchr_stream_clear(stream);
  print_stream(stream);
  printf("invalid indices: %d %d %d %d %d\n", pchr_pose_clip(pose, 1000, 0, PCHR_STEP),
         pchr_pose_set_bone(pose, PCHR_NONE, &state), pchr_find_clip(character, "moonwalk") == PCHR_NONE,
         pchr_bone_name(character, 1000) == NULL, pchr_pose_bind(pose));
  pchr_stream_free(stream);
  pchr_pose_free(pose);
}

static void print_events(const pchr_event* events, uint32_t count) {
  static const char* const kinds[] = {"started", "looped", "finished", "marker", "interrupted"};
  for (uint32_t i = 0; i < count; ++i) {
    printf("%s: layer %u, play %u, clip %u, marker %s, at %.9g, times %u, weight %.9g\n", kinds[events[i].kind],
           events[i].layer, (unsigned)events[i].play, events[i].clip, events[i].marker != NULL ? events[i].marker : "-",
           events[i].seconds, (unsigned)events[i].count, events[i].weight);
  }
}

static void print_animation(const pchr_character* character) {
  const uint32_t walk = pchr_find_clip(character, "walk");
  const uint32_t head = pchr_find_bone(character, "head");
  const uint32_t arm = pchr_find_bone(character, "near_upper_arm");
  pchr_animator* animator = pchr_animator_create(character);
  pchr_pose* pose = pchr_pose_create(character);
  pchr_stream* stream = pchr_stream_create(0);

  pchr_marker markers[2] = {{0, 0, "left"}, {0, 0, "right"}};
  markers[0].clip = walk;
  markers[0].frame = 4;
  markers[1].clip = walk;
  markers[1].frame = 16;
  printf("markers: %d", pchr_animator_set_markers(animator, markers, 2));
  pchr_animator_set_sampling(animator, PCHR_SMOOTH);
  printf(", root: %d\n", pchr_animator_set_root_motion(animator, 0, true, false));
  uint8_t* mask = calloc(pchr_bone_count(character), 1);
  printf("mask: %d", pchr_mask_subtree(character, arm, mask));
  pchr_layer_options mixing;
  pchr_layer_options_init(&mixing, sizeof mixing);
  mixing.weight = 0.75f;
  mixing.mask = mask;
  printf(", layer: %d", pchr_animator_set_layer(animator, 1, &mixing));
  printf(", weight: %d\n", pchr_animator_set_layer_weight(animator, 1, 0.5f));
  free(mask);

  pchr_play_options options;
  pchr_play_options_init(&options, sizeof options);
  options.fade_seconds = 0.25;
  options.loop = PCHR_LOOP_ONCE;
  const uint64_t jump = pchr_animator_play(animator, pchr_find_clip(character, "jump"), &options);
  options.loop = PCHR_LOOP_FOREVER;
  options.speed = 1.5;
  pchr_animator_queue(animator, walk, &options);
  pchr_play_options_init(&options, sizeof options);
  options.layer = 1;
  pchr_animator_play(animator, pchr_find_clip(character, "wave"), &options);
  for (int step = 0; step < 6; ++step) {
    uint32_t count;
    const pchr_event* events = pchr_animator_advance(animator, 0.4, &count);
    print_events(events, count);
    pchr_play play = {0};
    if (pchr_animator_get_play(animator, jump, &play)) {
      printf("jump: clip %u at %.9g, speed %.9g, weight %.9g\n", play.clip, play.seconds, play.speed, play.weight);
    }
    if (step == 0) {
      printf("seek: %d", pchr_animator_seek_play(animator, jump, 0.1));
      printf(", speed: %d\n", pchr_animator_set_play_speed(animator, jump, 2));
    }
    printf("posed: %d\n", pchr_animator_pose(animator, pose));
    const pchr_affine world = pchr_pose_world(pose)[head];
    printf("head %.9g %.9g %.9g %.9g %.9g %.9g\n", world.a, world.b, world.c, world.d, world.tx, world.ty);
    pchr_stream_clear(stream);
    pchr_stream_options adding = {0};
    adding.source = 7;
    pchr_stream_add(stream, pose, &adding);
    print_stream(stream);
  }
  float x, y;
  pchr_animator_take_root_motion(animator, &x, &y);
  printf("moved %.9g %.9g\n", x, y);
  printf("stop: %d", pchr_animator_stop(animator, 0, 0));
  pchr_animator_set_speed(animator, -1);
  uint32_t count;
  pchr_animator_advance(animator, 0.01, &count);
  printf(", %u events\n", count);
  pchr_error error;
  printf("markers: %d", pchr_animator_load_markers(animator, "nowhere.json", NULL, &error));
  printf(", %s\n", error.code);
  options.layer = PCHR_MAX_LAYERS;
  printf("invalid indices: %u", (unsigned)pchr_animator_play(animator, walk, &options));
  printf(" %u\n", (unsigned)pchr_animator_play(animator, 1000, NULL));

  pchr_stream_free(stream);
  pchr_pose_free(pose);
  pchr_animator_free(animator);
}

static void print_errors(const char* path) {
  pchr_error error;
  printf("missing file: %d", pchr_load_file("nowhere.pchr", NULL, &error) != NULL);
  printf(", %s: %s\n", error.code, error.message);
  printf("four bytes: %d", pchr_load_memory("PCHR", 4, NULL, &error) != NULL);
  printf(", %s: %s\n", error.code, error.message);
  pchr_load_options options = {0};
  options.bind = PCHR_BIND_CLIP;
  options.bind_clip = "nothing";
  printf("bind pose from a missing clip: %d", pchr_load_file(path, &options, &error) != NULL);
  printf(", %s: %s\n", error.code, error.message);
  options.bind = PCHR_BIND_IDENTITY;
  options.max_bone_samples = 1;
  printf("over a limit: %d", pchr_load_file(path, &options, &error) != NULL);
  printf(", %s: %s\n", error.code, error.message);
  options.struct_size = 3;
  printf("wrong size: %d", pchr_load_file(path, &options, &error) != NULL);
  printf(", %s: %s\n", error.code, error.message);
}

int main(int argc, char** argv) {
  if (argc != 2 || pchr_api_version() != PCHR_API_VERSION) return 2;
  printf("pchr %s\n", pchr_version());
  pchr_error error;
  pchr_character* character = pchr_load_file(argv[1], NULL, &error);
  if (character == NULL) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
  }
  print_character(character);
  print_images(character);
  print_poses(character);
  print_animation(character);
  print_errors(argv[1]);
  pchr_character_free(character);
  pchr_character_free(NULL);
  return 0;
}
