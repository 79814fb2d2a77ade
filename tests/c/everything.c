/* SPDX-License-Identifier: MIT */
/* Uses the parts of the C interface that facts.c does not. Prints and counts what is not as expected.
 *
 * everything KIRI KONPEI KOI FOLDER
 */
#include <pchr.h>

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                               \
  do {                                                                 \
    if (!(condition)) {                                                \
      printf("%s:%d: not true: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                      \
    }                                                                  \
  } while (0)

static bool is_near(float a, float b) { return fabsf(a - b) < 1e-3f; }

static pchr_character* load(const char* path) {
  pchr_error error;
  pchr_character* character = pchr_load_file(path, NULL, &error);
  if (character == NULL) {
    puts(error.message);
    exit(1);
  }
  return character;
}

/* A pack with one file. */
typedef struct pack {
  const char* path;
  const void* bytes;
  size_t size;
  int reads, closes, tasks;
} pack;

static bool read_pack(void* user, const char* path, pchr_file* file) {
  pack* from = user;
  ++from->reads;
  if (strcmp(path, from->path) != 0) {
    file->error = "the pack has no such file";
    return false;
  }
  file->bytes = from->bytes;
  file->size = from->size;
  file->data = from;
  return true;
}

static void close_pack(void* user, pchr_file* file) {
  pack* from = user;
  ++from->closes;
  CHECK(file->data == NULL || file->data == user);
}

static void run_tasks(void* user, size_t count, pchr_task task, void* context) {
  pack* from = user;
  for (size_t i = 0; i < count; ++i) task(context, i);
  from->tasks += (int)count;
}

static void test_contents(const pchr_character* kiri, const char* konpei_path, const char* koi_path) {
  pchr_character_info info = {0};
  CHECK(pchr_get_info(kiri, &info) && strcmp(info.format, "PCHR v1") == 0 && !info.is_3d && !info.pixel_art);
  CHECK(pchr_features() & PCHR_FEATURE_IMPORT);
  pchr_error errors[2];
  const uint32_t mistakes = pchr_validate(kiri, errors, 2);
  CHECK(mistakes != PCHR_NONE);

  const uint32_t head = pchr_find_bone(kiri, "head"), walk = pchr_find_clip(kiri, "walk");
  pchr_affine bind, product;
  CHECK(pchr_bind_world(kiri, head, &bind));
  product = pchr_concatenate(&bind, &pchr_inverse_bind(kiri)[head]);
  CHECK(is_near(product.a, 1) && is_near(product.b, 0) && is_near(product.tx, 0) && is_near(product.ty, 0));
  pchr_clip_time time;
  CHECK(pchr_find_frame(kiri, walk, pchr_frame_begin(kiri, walk, 3), PCHR_STEP, &time) && time.frame == 3);
  CHECK(!pchr_find_frame(kiri, PCHR_NONE, 0, PCHR_STEP, &time));
  CHECK(!pchr_find_frame(kiri, walk, NAN, PCHR_STEP, &time));
  pchr_affine world;
  CHECK(pchr_bone_world(kiri, walk, &time, head, &world));
  pchr_pose* pose = pchr_pose_create(kiri);
  CHECK(pchr_pose_frame(pose, walk, &time));
  CHECK(memcmp(&world, pchr_pose_world(pose) + head, sizeof world) == 0);
  time.next = 100000;
  CHECK(!pchr_pose_frame(pose, walk, &time));
  CHECK(pchr_bone_world(kiri, PCHR_NONE, NULL, head, &world) && is_near(world.tx, bind.tx));
  CHECK(!pchr_bone_world(kiri, walk, NULL, PCHR_NONE, &world));

  pchr_clip_samples samples = {0};
  CHECK(pchr_get_clip_samples(kiri, walk, &samples) && !pchr_get_clip_samples(kiri, PCHR_NONE, &samples));
  CHECK(samples.bone_count == pchr_bone_count(kiri) && samples.frame_count > 3);
  pchr_bone_state state;
  CHECK(pchr_find_frame(kiri, walk, pchr_frame_begin(kiri, walk, 3), PCHR_STEP, &time));
  CHECK(pchr_pose_frame(pose, walk, &time) && pchr_pose_get_bone(pose, head, &state));
  const size_t sample = 3 * samples.bone_count + head;
  CHECK(samples.x[sample] == state.x && samples.y[sample] == state.y && samples.z_order[sample] == state.z_order);
  CHECK(samples.rotation_degrees[sample] == state.rotation_degrees && samples.scale_x[sample] == state.scale_x);
  CHECK(samples.scale_y[sample] == state.scale_y && samples.visible[sample] == state.visible);
  CHECK((samples.opacity != NULL ? samples.opacity[sample] : 1) == state.opacity);

  pack counter = {0};
  const pchr_executor executor = {run_tasks, &counter, 2};
  pchr_rect frame, mesh, clip, all;
  CHECK(pchr_frame_bounds(kiri, walk, 3, NULL, &frame) && !pchr_frame_bounds(kiri, walk, 1000, NULL, &frame));
  CHECK(pchr_mesh_bounds(kiri, walk, pchr_find_mesh(kiri, "head"), NULL, &mesh) ||
        pchr_mesh_bounds(kiri, walk, 0, NULL, &mesh));
  CHECK(pchr_clip_bounds(kiri, walk, &executor, &clip) && pchr_character_bounds(kiri, &executor, &all));
  CHECK(clip.min_x <= frame.min_x && all.max_y >= clip.max_y && clip.max_x >= mesh.max_x);
  CHECK(counter.tasks > 0);
  const pchr_executor threads = pchr_thread_executor(2);
  CHECK(threads.parallel_for != NULL && threads.threads == 2);
  pchr_pose_free(pose);

  pchr_character* konpei = load(konpei_path);
  pchr_menu_image menu = {0};
  CHECK(pchr_menu_image_count(konpei) > 0 && pchr_get_menu_image(konpei, 0, &menu) && menu.width > 0);
  CHECK(!pchr_get_menu_image(konpei, PCHR_NONE, &menu));
  CHECK(pchr_get_info(konpei, &info) && strlen(info.title) > 0);
  pchr_character_free(konpei);

  pchr_character* koi = load(koi_path);
  uint32_t count;
  CHECK(pchr_get_info(koi, &info) && info.is_3d);
  CHECK(pchr_vertices_3d(koi, &count) != NULL && count > 0);
  CHECK(pchr_vertices_3d(kiri, &count) == NULL || count == 0);
  pchr_character_free(koi);
}

static void test_loading(const char* path) {
  pchr_error error;
  pchr_load_options options = {0};
  CHECK(strlen(pchr_version()) > 0);
  options.bind = PCHR_BIND_CLIP;
  options.bind_clip = "nothing";
  CHECK(pchr_load_file(path, &options, &error) == NULL && strcmp(error.code, "E130") == 0);
  options.bind = PCHR_BIND_IDENTITY;
  options.max_bone_samples = 1;
  CHECK(pchr_load_file(path, &options, &error) == NULL && strcmp(error.code, "E104") == 0);
  options.struct_size = 3;
  CHECK(pchr_load_file(path, &options, &error) == NULL && strlen(error.code) == 0);
  CHECK(strcmp(error.message, "the struct_size of the options is too small") == 0);
  CHECK(strlen(error.path) == 0 && error.hint == NULL);
}

static void before_reading(void* user, const char* path) {
  CHECK(strlen(path) > 0);
  ++*(int*)user;
}

static void test_saving(const pchr_character* kiri, const char* folder) {
  pchr_save_options options = {0};
  options.raw_pixels = true;
  pchr_error error;
  pchr_saved* raw = pchr_save(kiri, PCHR_FORMAT_V1, "kiri", &options, &error);
  pchr_saved* json = pchr_save(kiri, PCHR_FORMAT_JSON, "kiri", NULL, &error);
  pchr_saved_file file, image, small;
  CHECK(pchr_get_saved_file(raw, 0, &file) && strcmp(file.name, "kiri.pchr") == 0 && file.size > 100000);
  CHECK(pchr_saved_file_count(json) == 2 && pchr_get_saved_file(json, 1, &image));
  CHECK(!pchr_get_saved_file(json, 2, &image));
  CHECK(pchr_saved_loss_count(raw) == 0 && !pchr_saved_loss(raw, 0, &error));
  CHECK(pchr_save(kiri, (pchr_format)9, "kiri", NULL, &error) == NULL && strlen(error.message) > 0);
  CHECK(pchr_saved_write(json, folder, &error));
  CHECK(!pchr_saved_write(json, "/nowhere/at/all", &error) && strstr(error.message, "/nowhere") != NULL);

  char path[1024];
  snprintf(path, sizeof path, "%s/kiri.json", folder);
  int reads = 0;
  pchr_load_options loading = {0};
  loading.before_reading = before_reading;
  loading.before_reading_user = &reads;
  pchr_character* again = pchr_load_file(path, &loading, &error);
  CHECK(again != NULL && reads == 3 && pchr_bone_count(again) == pchr_bone_count(kiri));
  pchr_saved* v1 = pchr_save(again, PCHR_FORMAT_V1, "kiri", NULL, NULL);
  CHECK(pchr_get_saved_file(v1, 0, &small));

  pack files = {"pack/kiri.pchr", small.bytes, small.size, 0, 0, 0};
  const pchr_file_system from_pack = {read_pack, close_pack, &files};
  loading = (pchr_load_options){0};
  loading.file_system = &from_pack;
  loading.struct_size = sizeof loading + 64; /* of a later version */
  pchr_character* packed = pchr_load_file("pack/kiri.pchr", &loading, &error);
  CHECK(packed != NULL && files.reads == 2 && files.closes == 2);
  CHECK(pchr_load_file("pack/missing.pchr", &loading, &error) == NULL);
  CHECK(strstr(error.message, "the pack has no such file") != NULL);
  loading.struct_size = offsetof(pchr_load_options, before_reading_user);
  CHECK(pchr_load_file("pack/kiri.pchr", &loading, &error) == NULL && strstr(error.message, "struct_size") != NULL);
  pchr_character_free(packed);
  pchr_character_free(again);
  pchr_saved_free(v1);
  pchr_saved_free(json);
  pchr_saved_free(raw);
}

static void test_geometry(void) {
  const pchr_affine placed = pchr_placement(10, 20, 90, 2, false);
  pchr_affine back, to;
  CHECK(is_near(pchr_rotation_of(&placed), 90));
  CHECK(pchr_inverse(&placed, &back) && is_near(pchr_concatenate(&placed, &back).tx, 0));
  CHECK(!pchr_inverse(&(pchr_affine){0}, &back));
  pchr_camera camera = {0};
  camera.viewport_width = 200;
  camera.viewport_height = 100;
  const pchr_rect bounds = {0, 0, 100, 100};
  CHECK(pchr_camera_fit(&camera, &bounds, 0) && is_near(camera.zoom, 1) && is_near(camera.center_x, 50));
  CHECK(pchr_camera_to_clip(&camera, &to) && is_near(to.a, 0.01f));
  CHECK(pchr_camera_to_viewport(&camera, &to) && is_near(to.d, -1));
  float x, y;
  CHECK(pchr_camera_to_world(&camera, 100, 50, &x, &y) && is_near(x, 50) && is_near(y, 50));
  CHECK(pchr_camera_zoom_at(&camera, 100, 50, 2) && is_near(camera.zoom, 2));
  camera.struct_size = 4;
  CHECK(!pchr_camera_to_clip(&camera, &to));
}

static void test_poses(const pchr_character* kiri) {
  const uint32_t walk = pchr_find_clip(kiri, "walk"), head = pchr_find_bone(kiri, "head");
  pchr_pose* pose = pchr_pose_create(kiri);
  pchr_pose* other = pchr_pose_create(kiri);
  pchr_bone_state state;
  pchr_bone_override turn = {0};
  turn.bone = head;
  turn.values = PCHR_OVERRIDE_ROTATION;
  turn.rotation_degrees = 45;
  turn.relative = true;
  CHECK(pchr_pose_get_bone(pose, head, &state));
  const float before = state.rotation_degrees;
  CHECK(pchr_pose_override(pose, &turn, 1) && pchr_pose_get_bone(pose, head, &state));
  CHECK(is_near(state.rotation_degrees, before + 45));
  CHECK(pchr_pose_blend(pose, other, 0.5f, NULL) && pchr_pose_get_bone(pose, head, &state));
  CHECK(is_near(state.rotation_degrees, before + 22.5f));
  CHECK(pchr_pose_copy(other, pose) && pchr_pose_add(other, pose, NULL, 1, NULL));
  CHECK(pchr_pose_get_bone(other, head, &state) && is_near(state.rotation_degrees, before + 45));
  CHECK(!pchr_pose_blend(pose, pose, 1, NULL));
  CHECK(pchr_pose_update(pose));

  /* The arrays of a pose are its memory, and stay where they are. */
  pchr_pose_values values = {0};
  const pchr_affine *worlds = pchr_pose_world(pose), *palette = pchr_pose_palette(pose);
  CHECK(pchr_pose_get_values(pose, &values) && values.bone_count == pchr_bone_count(kiri));
  float* const arrays[] = {values.x, values.y, values.rotation_degrees, values.scale_x, values.scale_y, values.opacity};
  for (int i = 0; i < 6; ++i) arrays[i][head] = 1.5f + (float)i;
  values.z_order[head] = -7;
  values.visible[head] = 0;
  CHECK(pchr_pose_get_bone(pose, head, &state) && state.x == 1.5f && state.y == 2.5f && state.z_order == -7);
  CHECK(state.rotation_degrees == 3.5f && state.scale_x == 4.5f && state.scale_y == 5.5f && state.opacity == 6.5f);
  CHECK(!state.visible && pchr_pose_copy(pose, other) && pchr_pose_clip(pose, walk, 0.2, PCHR_SMOOTH));
  CHECK(pchr_pose_bind(pose) && pchr_pose_world(pose) == worlds && pchr_pose_palette(pose) == palette);
  CHECK(pchr_pose_get_values(pose, &values) && values.x == arrays[0] && values.opacity == arrays[5]);
  CHECK(pchr_pose_get_bone(pose, head, &state) && values.x[head] == state.x);

  pchr_affine at = pchr_pose_world(pose)[head];
  state.rotation_degrees = pchr_pose_rotation_towards(pose, head, at.tx - 100, at.ty, 0, 1);
  CHECK(pchr_pose_set_bone(pose, head, &state) && pchr_pose_update(pose));
  CHECK(is_near(pchr_rotation_of(pchr_pose_world(pose) + head), 90));

  CHECK(pchr_pose_bind(pose));
  uint32_t count;
  const pchr_draw_item* items = pchr_pose_draw_list(pose, &count);
  pchr_draw_item top = items[count - 1];
  pchr_rect bounds;
  pchr_mesh mesh = {0};
  CHECK(pchr_pose_mesh_bounds(pose, top.mesh, &bounds) && pchr_get_mesh(kiri, top.mesh, &mesh));
  float* xy = malloc(mesh.vertex_count * 2 * sizeof *xy);
  CHECK(pchr_pose_vertices(pose, top.mesh, xy, mesh.vertex_count) && xy[0] >= bounds.min_x && xy[0] <= bounds.max_x);
  CHECK(!pchr_pose_vertices(pose, top.mesh, xy, mesh.vertex_count - 1));
  free(xy);
  pchr_draw_place place = {top.mesh, true};
  CHECK(pchr_pose_find_place(pose, &place) == count - 1);
  place.behind = false;
  CHECK(pchr_pose_find_place(pose, &place) == count);

  /* The place of a texel in the topmost mesh is a hit unless something hides it. */
  pchr_hit_images* images = pchr_hit_images_create(kiri, NULL, NULL);
  pchr_hit_options options = {0};
  pchr_appearance moved;
  pchr_appearance_init(&moved, sizeof moved);
  moved.placement.tx = 1000;
  options.appearance = &moved;
  pchr_hit hit = {0}, opaque = {0};
  const float x = (bounds.min_x + bounds.max_x) / 2 + 1000, y = (bounds.min_y + bounds.max_y) / 2;
  CHECK(pchr_hit_test(pose, NULL, x, y, &options, &opaque));
  CHECK(!pchr_hit_test(pose, images, x - 1000, y, &options, &hit));
  CHECK(!pchr_hit_test(pose, images, x, y, &options, &hit) || hit.alpha >= 128);
  pchr_skin* skin = pchr_skin_create(kiri, "hidden");
  pchr_skin_part part;
  pchr_skin_part_init(&part, sizeof part);
  CHECK(part.visible && part.image == PCHR_NONE && part.tint[3] == 1);
  part.visible = false;
  CHECK(pchr_skin_set_part(skin, opaque.mesh, &part));
  options.skin = skin;
  CHECK(!pchr_hit_test(pose, NULL, x, y, &options, &hit) || hit.mesh != opaque.mesh);
  const uint32_t shown = count;
  CHECK(pchr_pose_apply_skin(pose, skin));
  pchr_pose_draw_list(pose, &count);
  CHECK(count == shown - 1);
  CHECK(pchr_pose_set_draw_list(pose, &top, 1));
  items = pchr_pose_draw_list(pose, &count);
  CHECK(count == 1 && items[0].mesh == top.mesh);
  CHECK(pchr_pose_clip(pose, walk, 0, PCHR_STEP));
  pchr_skin_free(skin);
  pchr_hit_images_free(images);
  pchr_pose_free(other);
  pchr_pose_free(pose);
}

static void test_skins(const char* path, const char* png) {
  pchr_character* kiri = load(path);
  pchr_character* reloaded = load(path);
  pchr_skin* skin = pchr_skin_create(kiri, "winter");
  const uint8_t red[] = {255, 0, 0, 255, 128, 0, 0, 128};
  const uint32_t image = pchr_skin_add_image(skin, red, 2, 1);
  uint32_t width = 0, height = 0;
  CHECK(image == pchr_image_count(kiri) && strcmp(pchr_skin_name(skin), "winter") == 0);
  CHECK(memcmp(pchr_skin_image(skin, image, &width, &height), red, sizeof red) == 0 && width == 2 && height == 1);
  CHECK(pchr_skin_image(skin, 0, NULL, NULL) == NULL);
  CHECK(pchr_skin_add_image(skin, red, 0, 1) == PCHR_NONE);
  pchr_error error;
  CHECK(pchr_skin_load_image(skin, "nowhere.png", NULL, &error) == PCHR_NONE && strlen(error.message) > 0);
  CHECK(pchr_skin_load_image(skin, png, NULL, &error) == image + 1);
  pchr_skin_part part, got = {0};
  pchr_skin_part_init(&part, sizeof part);
  part.image = image;
  part.additive[0] = 0.5f;
  part.blend = PCHR_BLEND_SCREEN;
  CHECK(pchr_skin_set_part(skin, 0, &part) && pchr_skin_get_part(skin, 0, &got));
  part.struct_size = 0;
  CHECK(memcmp(&part, &got, sizeof part) == 0);
  part.image = image + 2;
  CHECK(!pchr_skin_set_part(skin, 0, &part) && !pchr_skin_set_part(skin, PCHR_NONE, NULL));

  pchr_rebound missing = {0};
  CHECK(pchr_skin_rebind(skin, reloaded, &missing) && missing.meshes.count == 0 && missing.images.count == 0);
  pchr_pose* pose = pchr_pose_create(kiri);
  CHECK(!pchr_pose_apply_skin(pose, skin)); /* It is of the other character now. */
  pchr_pose_free(pose);
  pchr_skin_free(skin);
  pchr_character_free(reloaded);
  pchr_character_free(kiri);
}

static void test_animators(const char* path) {
  pchr_character* kiri = load(path);
  const uint32_t walk = pchr_find_clip(kiri, "walk"), jump = pchr_find_clip(kiri, "jump");
  const uint32_t head = pchr_find_bone(kiri, "head");
  pchr_animator* animator = pchr_animator_create(kiri);
  pchr_play_options options;
  pchr_play_options_init(&options, sizeof options);
  options.loop = PCHR_LOOP_FOREVER;
  const uint64_t first = pchr_animator_play(animator, walk, &options);
  options.struct_size = 1;
  CHECK(pchr_animator_play(animator, walk, &options) == 0);
  pchr_animator_advance(animator, 0.1, NULL);
  uint32_t clip;
  pchr_clip_time time;
  CHECK(pchr_animator_plays_alone(animator, &clip, &time) && clip == walk);
  CHECK(pchr_animator_set_play_paused(animator, first, true));
  pchr_play play = {0};
  CHECK(pchr_animator_play_count(animator, 0) == 1 && pchr_animator_play_at(animator, 0, 0, &play));
  CHECK(play.id == first && play.clip == walk && play.kind == PCHR_PLAY_CLIP && !play.playing);
  CHECK(play.loop == PCHR_LOOP_FOREVER && !pchr_animator_play_at(animator, 0, 1, &play));
  CHECK(pchr_animator_set_play_paused(animator, first, false) && pchr_animator_get_play(animator, first, &play));
  CHECK(play.id == first && play.playing && play.speed == 1 && play.weight == 1);
  pchr_play_options_init(&options, sizeof options);
  options.fade_seconds = 0.5;
  CHECK(pchr_animator_play(animator, jump, &options) != 0);
  CHECK(pchr_animator_queue_stop(animator, 0, 0.2) && !pchr_animator_queue_stop(animator, PCHR_MAX_LAYERS, 0));
  uint32_t count, interrupted = 0;
  const pchr_event* events = pchr_animator_advance(animator, 0.1, &count);
  for (uint32_t i = 0; i < count; ++i)
    interrupted += events[i].kind == PCHR_EVENT_INTERRUPTED && events[i].play == first;
  CHECK(interrupted == 1 && pchr_animator_play_count(animator, 0) == 2);

  pchr_layer_options mixing, got = {0};
  pchr_layer_options_init(&mixing, sizeof mixing);
  uint8_t* mask = calloc(pchr_bone_count(kiri), 1);
  CHECK(pchr_mask_subtree(kiri, head, mask));
  mixing.mode = PCHR_LAYER_ADDITIVE;
  mixing.mask = mask;
  mixing.weight = 0.5f;
  mixing.reference_clip = jump;
  CHECK(pchr_animator_set_layer(animator, 2, &mixing) && pchr_animator_get_layer(animator, 2, &got));
  CHECK(got.mode == PCHR_LAYER_ADDITIVE && got.weight == 0.5f && got.reference_clip == jump && got.mask[head] != 0);
  CHECK(pchr_animator_get_layer(animator, 9, &got) && got.weight == 1 && got.mask == NULL);
  free(mask);
  pchr_animator_set_speed(animator, 2);
  CHECK(pchr_animator_speed(animator) == 2);

  pchr_bone_override turn = {0};
  turn.bone = head;
  turn.values = PCHR_OVERRIDE_ROTATION;
  turn.rotation_degrees = 33;
  CHECK(pchr_animator_set_overrides(animator, &turn, 1));
  pchr_pose* pose = pchr_pose_create(kiri);
  pchr_bone_state state;
  CHECK(pchr_animator_pose(animator, pose) && pchr_pose_get_bone(pose, head, &state) && state.rotation_degrees == 33);
  CHECK(!pchr_animator_plays_alone(animator, &clip, &time));
  CHECK(pchr_animator_set_overrides(animator, NULL, 0) && !pchr_animator_set_overrides(animator, NULL, 1));

  const pchr_marker markers[] = {{walk, 9, "late"}, {walk, 4, "step"}};
  pchr_marker marker;
  pchr_error error;
  CHECK(!pchr_animator_load_markers(animator, "nowhere.json", NULL, &error) && strcmp(error.code, "E100") == 0);
  CHECK(pchr_animator_set_markers(animator, markers, 2) && pchr_animator_marker_count(animator) == 2);
  CHECK(pchr_animator_get_marker(animator, 0, &marker) && strcmp(marker.name, "step") == 0 && marker.frame == 4);
  CHECK(!pchr_animator_get_marker(animator, 2, &marker));

  pchr_character* reloaded = load(path);
  pchr_rebound missing = {0};
  CHECK(pchr_animator_rebind(animator, reloaded, &missing) && missing.clips.count == 0 && missing.bones.count == 0);
  CHECK(!pchr_animator_pose(animator, pose)); /* of the old version */
  pchr_pose_free(pose);
  pchr_animator_free(animator);
  pchr_character_free(reloaded);
  pchr_character_free(kiri);
}

static void test_rigs(const pchr_character* kiri, const char* folder) {
  const uint32_t head = pchr_find_bone(kiri, "head"), tail = pchr_find_bone(kiri, "tail_1");
  uint32_t bones[16];
  const uint32_t count = pchr_find_chain(kiri, tail, bones, 16);
  CHECK(count > 1 && bones[0] == tail && pchr_bone_parent(kiri, bones[1]) == tail);
  pchr_rig* rig = pchr_rig_create(kiri);
  pchr_aim aim;
  pchr_aim_init(&aim, sizeof aim);
  aim.name = "look";
  aim.bone = head;
  pchr_error error;
  CHECK(aim.weight == 1 && pchr_rig_add_aim(rig, &aim, &error));
  aim.bone = 1000;
  CHECK(!pchr_rig_add_aim(rig, &aim, &error) && strlen(error.message) > 0);
  pchr_limb limb;
  pchr_limb_init(&limb, sizeof limb);
  limb.upper = bones[0];
  limb.lower = bones[1];
  limb.tip_y = 10;
  limb.weight = 0;
  CHECK(pchr_rig_add_limb(rig, &limb, &error));
  pchr_foot foot;
  pchr_foot_init(&foot, sizeof foot);
  CHECK(pchr_rig_add_foot(rig, &foot, &error));
  foot.limb = 7;
  CHECK(!pchr_rig_add_foot(rig, &foot, &error));
  pchr_spring spring;
  pchr_spring_init(&spring, sizeof spring);
  spring.bones = bones;
  spring.bone_count = count;
  spring.drag = 1;
  CHECK(spring.frequency > 0 && pchr_rig_add_spring(rig, &spring, &error) && pchr_rig_set_wind(rig, 10, 0, 0.5f));
  CHECK(pchr_rig_set_step(rig, 1.0 / 120) && !pchr_rig_set_step(rig, 0) && !pchr_rig_set_step(rig, 1));
  pchr_rig* full = pchr_rig_create(kiri);
  for (uint32_t bone_count = 0; bone_count <= 1000; bone_count += count)
    CHECK(pchr_rig_add_spring(full, &spring, &error));
  CHECK(!pchr_rig_set_step(full, 0.001) && pchr_rig_set_step(full, 0.01)); /* More than 1,000 bones. */
  pchr_rig_free(full);
  uint8_t included = 0;
  CHECK(!pchr_rig_mask(rig, "upper body", &included) && included == 0);

  pchr_animator* animator = pchr_animator_create(kiri);
  pchr_pose* pose = pchr_pose_create(kiri);
  CHECK(pchr_animator_set_rig(animator, rig));
  const pchr_affine start = pchr_placement(0, 0, 0, 1, false), moved = pchr_placement(40, 0, 0, 1, false);
  CHECK(pchr_animator_set_placement(animator, &start, true));
  const pchr_affine at = pchr_pose_world(pose)[head];
  const float target[] = {at.tx - 100, at.ty};
  CHECK(pchr_animator_set_target(animator, "look", target, 1) && !pchr_animator_set_target(animator, "no", target, 1));
  pchr_animator_advance(animator, 0.1, NULL);
  CHECK(pchr_animator_pose(animator, pose));
  CHECK(is_near(pchr_rotation_of(pchr_pose_world(pose) + head), 90));
  const float still = pchr_rotation_of(pchr_pose_world(pose) + bones[0]);
  CHECK(pchr_animator_set_placement(animator, &moved, false));
  pchr_animator_advance(animator, 0.1, NULL);
  CHECK(pchr_animator_pose(animator, pose));
  CHECK(!is_near(pchr_rotation_of(pchr_pose_world(pose) + bones[0]), still)); /* The tail lags behind. */
  pchr_animator_reset_rig(animator);
  pchr_animator_set_wind(animator, -10, 0);
  CHECK(pchr_animator_set_rig(animator, NULL));

  char path[1024];
  snprintf(path, sizeof path, "%s/kiri.rig.json", folder);
  FILE* file = fopen(path, "w");
  fputs("{\"markers\": [{\"clip\": \"walk\", \"frame\": 4, \"name\": \"step\"}]}", file);
  fclose(file);
  pchr_rig* loaded = pchr_rig_load(kiri, path, NULL, &error);
  CHECK(loaded != NULL && pchr_animator_set_rig(animator, loaded) && pchr_animator_marker_count(animator) == 1);
  CHECK(pchr_rig_load(kiri, "nowhere.rig.json", NULL, &error) == NULL && strcmp(error.code, "E100") == 0);
  pchr_rig_free(loaded);
  const char text[] = "{\"markers\": [{\"clip\": \"walk\", \"frame\": 5, \"name\": \"land\"}]}";
  pchr_marker marker;
  loaded = pchr_rig_from_memory(kiri, text, strlen(text), &error);
  CHECK(loaded != NULL && pchr_animator_set_rig(animator, loaded) && pchr_animator_get_marker(animator, 0, &marker));
  CHECK(marker.frame == 5 && strcmp(marker.name, "land") == 0);
  CHECK(pchr_rig_from_memory(kiri, text, strlen(text) - 1, &error) == NULL && strcmp(error.code, "E107") == 0);
  CHECK(strncmp(error.message, "memory: ", 8) == 0 && pchr_rig_from_memory(kiri, NULL, 0, &error) == NULL);
  pchr_rig_free(loaded);
  pchr_rig_free(rig);
  pchr_pose_free(pose);
  pchr_animator_free(animator);
}

/* Adds a machine that walks while "speed" is above 0, and waves on another layer after a trigger. */
static void add_states(pchr_rig* rig, const char* mask) {
  pchr_parameter parameter;
  pchr_parameter_init(&parameter, sizeof parameter);
  parameter.name = "speed";
  parameter.min = -1;
  CHECK(parameter.max == 1 && pchr_rig_add_parameter(rig, &parameter));
  parameter.name = "wave";
  parameter.kind = PCHR_PARAMETER_TRIGGER;
  parameter.key = "w";
  CHECK(pchr_rig_add_parameter(rig, &parameter) && !pchr_rig_add_parameter(rig, NULL));
  pchr_state_layer layer;
  pchr_state_layer_init(&layer, sizeof layer);
  layer.name = "body";
  layer.first = "idle";
  CHECK(layer.weight == 1 && pchr_rig_add_state_layer(rig, &layer));
  layer.name = "arm";
  layer.mask = mask;
  layer.first = NULL;
  CHECK(pchr_rig_add_state_layer(rig, &layer) && pchr_rig_state_layer_count(rig) == 2);
  const char* const events[] = {"go", "step"};
  const pchr_blend_point points[] = {{"idle", 0, 0}, {"walk", 1, 0}};
  pchr_state state;
  pchr_state_init(&state, sizeof state);
  state.name = "move";
  state.kind = PCHR_STATE_BLEND_1D;
  state.points = points;
  state.point_count = 2;
  state.x = "speed";
  state.on_enter.names = events;
  state.on_enter.count = 2;
  CHECK(state.speed == 1 && pchr_rig_add_state(rig, 0, &state) && !pchr_rig_add_state(rig, 2, &state));
  pchr_state_init(&state, sizeof state);
  state.name = "idle";
  state.kind = PCHR_STATE_CLIP;
  state.clip = "idle";
  CHECK(pchr_rig_add_state(rig, 0, &state));
  state.clip = "wave";
  state.name = "wave";
  state.loop = PCHR_LOOP_ONCE;
  pchr_state nothing;
  pchr_state_init(&nothing, sizeof nothing);
  nothing.name = "nothing";
  CHECK(pchr_rig_add_state(rig, 1, &nothing) && pchr_rig_add_state(rig, 1, &state));
  const pchr_condition moves = {"speed", PCHR_CONDITION_ABOVE, 0}, stands = {"speed", PCHR_CONDITION_BELOW, 0.125f};
  const pchr_condition waves = {"wave", PCHR_CONDITION_TRUE, 0};
  pchr_transition transition;
  pchr_transition_init(&transition, sizeof transition);
  transition.from = "idle";
  transition.to = "move";
  transition.conditions = &moves;
  transition.condition_count = 1;
  transition.fade_seconds = 0.5;
  CHECK(transition.interruptible && pchr_rig_add_transition(rig, 0, &transition));
  transition.from = "move";
  transition.to = "idle";
  transition.conditions = &stands;
  transition.after = 0.25;
  CHECK(pchr_rig_add_transition(rig, 0, &transition));
  pchr_transition_init(&transition, sizeof transition);
  transition.to = "wave";
  transition.conditions = &waves;
  transition.condition_count = 1;
  CHECK(pchr_rig_add_transition(rig, 1, &transition) && !pchr_rig_add_transition(rig, 2, &transition));
}

static void test_states(const char* path) {
  pchr_character* kiri = load(path);
  pchr_error error;
  pchr_animator *animator = pchr_animator_create(kiri), *earlier = pchr_animator_create(kiri);
  pchr_rig* rig = pchr_rig_create(kiri);
  CHECK(!pchr_animator_set_states(animator, rig, &error) && strcmp(error.message, "rig has no states") == 0);
  uint8_t arm[64] = {0};
  pchr_mask_subtree(kiri, pchr_find_bone(kiri, "near_upper_arm"), arm);
  add_states(rig, "arm");
  CHECK(!pchr_animator_set_states(animator, rig, &error) && strcmp(error.path, "states.layers[1].mask") == 0);
  CHECK(pchr_animator_state_layer_count(animator) == 0 && pchr_animator_find_parameter(animator, "speed") == PCHR_NONE);
  CHECK(pchr_rig_add_mask(rig, "arm", arm) && !pchr_rig_add_mask(rig, "arm", arm));
  const pchr_marker marker = {pchr_find_clip(kiri, "walk"), 4, "step"};
  CHECK(pchr_rig_set_markers(rig, &marker, 1) && !pchr_rig_set_markers(rig, NULL, 1));
  CHECK(pchr_animator_set_states(animator, rig, &error) && pchr_animator_set_states(earlier, rig, &error));

  pchr_parameter parameter = {0};
  const uint32_t speed = pchr_animator_find_parameter(animator, "speed");
  CHECK(pchr_animator_parameter_count(animator) == 2 && !pchr_animator_get_parameter(animator, 2, &parameter));
  CHECK(pchr_animator_get_parameter(animator, speed, &parameter) && strcmp(parameter.name, "speed") == 0);
  CHECK(parameter.min == -1 && parameter.max == 1 && parameter.value == 0 && parameter.key[0] == '\0');
  CHECK(pchr_animator_set_parameter(animator, speed, 8) && !pchr_animator_set_parameter(animator, 2, 1));
  CHECK(pchr_animator_get_parameter(animator, speed, &parameter) && parameter.value == 1);
  CHECK(pchr_animator_get_parameter(animator, 1, &parameter) && strcmp(parameter.key, "w") == 0);

  uint32_t count;
  pchr_animator_advance(animator, 0.25, &count);
  const pchr_state_event* events = pchr_animator_state_events(animator, &count);
  CHECK(count > 2 && events[count - 1].kind == PCHR_STATE_EVENT_NAMED && strcmp(events[count - 1].name, "step") == 0);
  pchr_state_status status = {0};
  CHECK(pchr_animator_get_state(animator, 0, &status) && strcmp(status.name, "move") == 0 && status.state == 0);
  CHECK(strcmp(status.from_name, "idle") == 0 && status.from == 1 && status.transition == 0 && status.progress == 0.5f);
  CHECK(!pchr_animator_get_state(animator, 2, &status) && pchr_animator_state_layer_count(animator) == 2);

  /* Another animator goes back to an earlier time, by copying and by a saved text. */
  char saved[1024] = {'?', '?', '?'};
  CHECK(pchr_animator_copy(earlier, animator) && pchr_animator_enter_state(animator, 1, "wave", 0));
  CHECK(!pchr_animator_enter_state(animator, 1, "fly", 0) && !pchr_animator_enter_state(animator, 2, "wave", 0));
  CHECK(pchr_animator_get_state(animator, 1, &status) && strcmp(status.name, "wave") == 0);
  CHECK(pchr_animator_get_state(earlier, 1, &status) && strcmp(status.name, "nothing") == 0);
  const size_t size = pchr_animator_save_states(animator, NULL, 0);
  CHECK(size > 10 && pchr_animator_save_states(animator, saved, 2) == size && saved[1] == '\0' && saved[2] == '?');
  CHECK(pchr_animator_save_states(animator, saved, sizeof saved) == size && strlen(saved) == size);
  CHECK(pchr_animator_restore_states(earlier, saved) && !pchr_animator_restore_states(earlier, "text"));
  CHECK(pchr_animator_get_state(earlier, 1, &status) && strcmp(status.name, "wave") == 0);

  /* Machines wait for the rig of the version of the character. */
  pchr_character* reloaded = load(path);
  pchr_rig* again = pchr_rig_create(reloaded);
  add_states(again, NULL);
  CHECK(!pchr_animator_set_states(earlier, again, &error) && strstr(error.message, "different characters") != NULL);
  CHECK(pchr_animator_rebind(earlier, reloaded, NULL));
  CHECK(!pchr_animator_enter_state(earlier, 1, "nothing", 0) && !pchr_animator_restore_states(earlier, saved));
  pchr_animator_advance(earlier, 0.25, NULL);
  CHECK(pchr_animator_state_events(earlier, &count) == NULL || count == 0);
  CHECK(pchr_animator_set_states(earlier, again, &error) && pchr_animator_enter_state(earlier, 1, "nothing", 0));
  CHECK(pchr_animator_get_parameter(earlier, 0, &parameter) && parameter.value == 1);
  CHECK(pchr_animator_set_states(earlier, NULL, &error) && pchr_animator_state_layer_count(earlier) == 0);
  CHECK(pchr_animator_save_states(earlier, saved, sizeof saved) == 0 && !pchr_animator_get_state(earlier, 0, &status));
  pchr_rig_free(again);
  pchr_rig_free(rig);
  pchr_animator_free(animator);
  pchr_animator_free(earlier);
  pchr_character_free(reloaded);
  pchr_character_free(kiri);
}

static void test_streams(const pchr_character* kiri) {
  pchr_pose* pose = pchr_pose_create(kiri);
  pchr_stream* stream = pchr_stream_create(PCHR_STREAM_3D | PCHR_STREAM_LOOKS);
  pchr_appearance appearance;
  pchr_appearance_init(&appearance, sizeof appearance);
  appearance.additive[0] = 1;
  pchr_stream_options options = {0};
  options.appearance = &appearance;
  CHECK(pchr_stream_add(stream, pose, &options));
  uint32_t all, looks, normals, some;
  pchr_stream_vertices(stream, &all);
  CHECK(pchr_stream_looks(stream, &looks)[0].additive[0] == 255 && looks == all);
  CHECK(pchr_stream_vertices_3d(stream, &normals)[0].normal[2] == 1 && normals == all);
  pchr_stream* copy = pchr_stream_create(0);
  CHECK(pchr_stream_copy(copy, stream) && !pchr_stream_copy(copy, NULL));
  CHECK(memcmp(pchr_stream_vertices(copy, &some), pchr_stream_vertices(stream, NULL),
               all * sizeof(pchr_stream_vertex)) == 0);
  CHECK(some == all && pchr_stream_looks(copy, &some) != NULL && some == all);
  pchr_stream_free(copy);
  options.max_vertices = all + 1;
  CHECK(!pchr_stream_add(stream, pose, &options));
  options.max_vertices = 0;
  pchr_stream_clear(stream);
  options.first_item = 1;
  options.item_count = 2;
  CHECK(pchr_stream_add(stream, pose, &options));
  pchr_stream_vertices(stream, &some);
  CHECK(some > 0 && some < all);
  pchr_camera elsewhere = {0};
  elsewhere.center_x = 100000;
  options.camera = &elsewhere;
  pchr_stream_clear(stream);
  CHECK(pchr_stream_add(stream, pose, &options));
  pchr_stream_vertices(stream, &some);
  CHECK(some == 0);
  options.first_item = 1000;
  CHECK(!pchr_stream_add(stream, pose, &options));
  pchr_stream_free(stream);
  pchr_pose_free(pose);
}

static void test_gpu_data(const pchr_character* kiri) {
  pchr_gpu_geometry* geometry = pchr_gpu_geometry_create(kiri);
  uint32_t vertices, indices, meshes, ranges, floats, rows;
  const uint32_t walk = pchr_find_clip(kiri, "walk"), bones = pchr_gpu_row_bones(geometry);
  CHECK(pchr_gpu_vertices(geometry, &vertices) != NULL && vertices == 1177);
  CHECK(pchr_gpu_indices(geometry, &indices) != NULL && indices >= 5316);
  CHECK(pchr_gpu_mesh_ranges(geometry, &meshes) != NULL && meshes == pchr_mesh_count(kiri));
  CHECK(pchr_gpu_draw_order(geometry, PCHR_NONE, &ranges) == NULL && ranges == 0);
  pchr_gpu_palettes* palettes = pchr_gpu_bake(geometry, walk, PCHR_STEP, 0, NULL);
  pchr_clip_time time;
  pchr_gpu_row row;
  CHECK(pchr_find_frame(kiri, walk, 0.3, PCHR_STEP, &time) && pchr_gpu_find_row(palettes, &time, &row));
  CHECK(row.row == time.frame && pchr_gpu_draw_order(geometry, row.draw_order, &ranges) != NULL && ranges > 0);
  const float* texels = pchr_gpu_texels(palettes, &floats);
  CHECK(pchr_gpu_row_bounds(palettes, &rows) != NULL && floats == rows * bones * 8);
  CHECK(pchr_gpu_pack_row(geometry, &row, 0) != pchr_gpu_pack_row(geometry, &row, bones));
  pchr_pose* pose = pchr_pose_create(kiri);
  float* own = malloc(bones * 8 * sizeof *own);
  CHECK(pchr_pose_frame(pose, walk, &time) && pchr_gpu_write_row(geometry, pose, own, bones * 8));
  CHECK(memcmp(own, texels + (size_t)row.row * bones * 8, 6 * sizeof *own) == 0);
  CHECK(!pchr_gpu_write_row(geometry, pose, own, bones * 8 - 1));
  free(own);
  pchr_pose_free(pose);
  pchr_gpu_palettes_free(palettes);
  pchr_gpu_geometry_free(geometry);
}

enum { SIDE = 128 };

static uint32_t finish(pchr_target* target) {
  static uint8_t rgba[SIDE * SIDE * 4];
  CHECK(!pchr_target_finish(target, rgba, sizeof rgba - 1) && pchr_target_finish(target, rgba, sizeof rgba));
  uint32_t sum = 0;
  for (size_t i = 0; i < sizeof rgba; ++i) sum += rgba[i];
  return sum;
}

static void draw_callback(void* user, const pchr_affine* world) { *(pchr_affine*)user = *world; }

/* Keeps the first program that is stored. */
struct kept_program {
  char key[32];
  uint8_t bytes[1 << 16];
  size_t size, found;
};

static size_t load_program(void* user, const char* key, void* buffer, size_t buffer_size) {
  struct kept_program* kept = user;
  if (strcmp(kept->key, key) != 0) return 0;
  if (buffer_size >= kept->size) memcpy(buffer, kept->bytes, kept->size);
  if (buffer_size >= kept->size) ++kept->found;
  return kept->size;
}

static void store_program(void* user, const char* key, const void* bytes, size_t size) {
  struct kept_program* kept = user;
  CHECK(strlen(key) == 16);
  if (kept->size > 0 || size > sizeof kept->bytes) return;
  strcpy(kept->key, key);
  memcpy(kept->bytes, bytes, kept->size = size);
}

static void test_program_cache(pchr_get_proc_address gl) {
  static struct kept_program kept;
  const pchr_program_cache cache = {load_program, store_program, &kept}, nothing = {0};
  pchr_renderer_options settings = {0};
  settings.program_cache = &cache;
  for (int i = 0; i < 2; ++i) {
    pchr_renderer* renderer = pchr_renderer_create(gl, &settings, NULL);
    CHECK(renderer != NULL && kept.found == (i == 1 && kept.size > 0 ? 1 : 0));
    pchr_renderer_free(renderer);
  }
  settings.program_cache = &nothing;
  pchr_renderer* renderer = pchr_renderer_create(gl, &settings, NULL);
  CHECK(renderer != NULL);
  pchr_renderer_free(renderer);
}

static void test_renderer(const pchr_character* kiri, const char* koi_path) {
  pchr_error error;
  pchr_headless* headless = pchr_headless_create(&error);
  if (headless == NULL) {
    puts(error.message);
    ++failures;
    return;
  }
  const pchr_get_proc_address gl = pchr_headless_get_proc_address(headless);
  test_program_cache(gl);
  pchr_renderer_options settings = {0};
  settings.fragment_main = "nonsense";
  CHECK(pchr_renderer_create(gl, &settings, &error) == NULL && strlen(error.message) > 0);
  settings.fragment_main = "return color * (1.0 - effect_values.x);";
  pchr_renderer* renderer = pchr_renderer_create(gl, &settings, &error);
  pchr_target* target = pchr_target_create(gl, SIDE, SIDE, 1, &error);
  pchr_model* model = pchr_renderer_upload(renderer, kiri, &error);
  CHECK(pchr_model_gpu_bytes(model) > 0);
  pchr_model_set_filter(model, PCHR_FILTER_BILINEAR);

  pchr_pose* pose = pchr_pose_create(kiri);
  pchr_camera camera = {0};
  camera.viewport_width = camera.viewport_height = SIDE;
  const pchr_rect bounds = pchr_pose_bounds(pose);
  CHECK(pchr_camera_fit(&camera, &bounds, 0.05f));
  CHECK(pchr_target_begin(target, NULL) && pchr_renderer_draw_pose(renderer, model, pose, &camera, NULL));
  const uint32_t plain = finish(target);
  CHECK(plain > 0);

  pchr_instance crowd[2] = {{0}};
  crowd[0].clip = crowd[1].clip = PCHR_NONE;
  CHECK(pchr_target_begin(target, NULL) && pchr_renderer_draw(renderer, model, crowd, 1, &camera, NULL));
  const uint32_t instanced = finish(target);
  CHECK(abs((int)(instanced - plain)) < (int)(plain / 1000));
  pchr_draw_statistics statistics = {0};
  CHECK(pchr_renderer_statistics(renderer, &statistics) && statistics.instances == 1 && statistics.triangles > 0);

  /* The same as arrays; and crossfades, which are posed until they are over. */
  const pchr_affine placements[2] = {{1, 0, 0, 1, 0, 0}, {1, 0, 0, 1, 0, 0}};
  const uint32_t no_clip = PCHR_NONE, fade_clips[2] = {0, 0};
  const double seconds[2] = {0, 0};
  float fade_weights[2] = {0.5F, 1};
  pchr_crowd arrays = {0};
  arrays.count = 1;
  arrays.placements = placements;
  arrays.clips = &no_clip;
  arrays.seconds = seconds;
  arrays.clip_count = arrays.seconds_count = 1;
  CHECK(pchr_target_begin(target, NULL) && pchr_renderer_draw_crowd(renderer, model, &arrays, &camera, NULL));
  CHECK(finish(target) == instanced);
  arrays.count = 2;
  arrays.fade_weights = fade_weights;
  CHECK(!pchr_renderer_draw_crowd(renderer, model, &arrays, &camera, NULL));
  arrays.fade_clips = fade_clips;
  arrays.fade_seconds = seconds;
  CHECK(pchr_renderer_draw_crowd(renderer, model, &arrays, &camera, NULL));
  CHECK(pchr_renderer_statistics(renderer, &statistics) && statistics.instances == 2 && statistics.posed == 1);
  arrays.clip_count = 3;
  CHECK(!pchr_renderer_draw_crowd(renderer, model, &arrays, &camera, NULL));
  /* Poses of their own. */
  pchr_posed posed[2] = {{sizeof(pchr_posed), pose, NULL, NULL}, {sizeof(pchr_posed), pose, NULL, NULL}};
  CHECK(pchr_target_begin(target, NULL) && pchr_renderer_draw_poses(renderer, model, posed, 1, &camera, NULL));
  CHECK(finish(target) == plain);
  CHECK(pchr_renderer_draw_poses(renderer, model, posed, 2, &camera, NULL));
  CHECK(pchr_renderer_statistics(renderer, &statistics) && statistics.instances == 2 && statistics.posed == 2);
  CHECK(pchr_renderer_draw_poses(renderer, model, NULL, 0, &camera, NULL));
  posed[1].pose = NULL;
  CHECK(!pchr_renderer_draw_poses(renderer, model, posed, 2, &camera, NULL));
  crowd[0].fade_weight = 0.5F;
  CHECK(pchr_renderer_draw(renderer, model, crowd, 1, &camera, NULL));
  CHECK(pchr_renderer_statistics(renderer, &statistics) && statistics.posed == 1);
  crowd[0].fade_weight = 0;

  const float dark[] = {1, 0, 0, 0};
  CHECK(pchr_renderer_set_effect_values(renderer, dark) && pchr_target_begin(target, NULL));
  CHECK(pchr_renderer_draw_pose(renderer, model, pose, &camera, NULL) && finish(target) == 0);
  CHECK(pchr_renderer_set_effect_values(renderer, (float[4]){0}));

  /* Half of the draw list shows less; a hidden character shows nothing; an attachment is called with its bone. */
  pchr_draw_options options = {0};
  options.item_count = 3;
  CHECK(pchr_target_begin(target, NULL) && pchr_renderer_draw_pose(renderer, model, pose, &camera, &options));
  CHECK(finish(target) < plain);
  options.item_count = 0;
  pchr_appearance appearance;
  pchr_appearance_init(&appearance, sizeof appearance);
  appearance.tint[3] = 0;
  options.appearance = &appearance;
  CHECK(pchr_target_begin(target, NULL) && pchr_renderer_draw_pose(renderer, model, pose, &camera, &options));
  CHECK(finish(target) == 0);
  options.appearance = NULL;
  pchr_affine at = {0};
  pchr_attachment weapon = {0};
  weapon.bone = pchr_find_bone(kiri, "head");
  weapon.place.mesh = PCHR_NONE;
  weapon.draw = draw_callback;
  weapon.user = &at;
  options.attachments = &weapon;
  options.attachment_count = 1;
  CHECK(pchr_target_begin(target, NULL) && pchr_renderer_draw_pose(renderer, model, pose, &camera, &options));
  CHECK(finish(target) == plain && is_near(at.tx, pchr_pose_world(pose)[weapon.bone].tx));
  options.attachments = NULL;
  options.attachment_count = 1;
  CHECK(!pchr_renderer_draw_pose(renderer, model, pose, &camera, &options));

  pchr_skin* skin = pchr_skin_create(kiri, "hidden");
  pchr_skin_part part;
  pchr_skin_part_init(&part, sizeof part);
  part.visible = false;
  for (uint32_t mesh = 0; mesh < pchr_mesh_count(kiri); ++mesh) CHECK(pchr_skin_set_part(skin, mesh, &part));
  pchr_gpu_skin* worn = pchr_renderer_upload_skin(renderer, model, skin, &error);
  CHECK(worn != NULL && pchr_gpu_skin_bytes(worn) == 0);
  crowd[0].skin = crowd[1].skin = worn;
  CHECK(pchr_target_begin(target, NULL) && pchr_renderer_draw(renderer, model, crowd, 2, &camera, NULL));
  CHECK(finish(target) == 0);
  CHECK(pchr_renderer_bake(renderer, model, 0, PCHR_SMOOTH) && pchr_renderer_gpu_bytes(renderer) > 0);

  pchr_image image = {0};
  CHECK(pchr_get_image(kiri, 0, &image));
  const size_t size = (size_t)image.width * image.height * 4;
  uint8_t* rgba = malloc(size);
  const uint8_t* const images[] = {rgba};
  CHECK(pchr_decode_image(kiri, 0, rgba, size, NULL) && !pchr_decode_image(kiri, 0, rgba, size - 1, &error));
  CHECK(strcmp(error.message, "the buffer is too small for the image") == 0);
  pchr_upload* upload = pchr_renderer_begin_upload(renderer, kiri, images, &error);
  free(rgba);
  CHECK(pchr_upload_bytes_left(upload) > size && !pchr_upload_step(upload, 1000));
  pchr_model* again = pchr_upload_finish(upload);
  CHECK(pchr_target_begin(target, NULL) && pchr_renderer_draw_pose(renderer, again, pose, &camera, NULL));
  CHECK(finish(target) > 0);
  pchr_upload_free(pchr_renderer_begin_upload(renderer, kiri, NULL, &error));

  pchr_character* koi = load(koi_path);
  pchr_model* koi_model = pchr_renderer_upload(renderer, koi, &error);
  pchr_pose* koi_pose = pchr_pose_create(koi);
  pchr_orbit_camera orbit = {0};
  orbit.viewport_width = orbit.viewport_height = SIDE;
  orbit.yaw_degrees = 40;
  pchr_scene_view view = {0};
  CHECK(pchr_orbit_camera_fit(&orbit, koi_pose, 0.1f) && orbit.distance > 1 && pchr_orbit_camera_view(&orbit, &view));
  CHECK(pchr_target_begin(target, NULL));
  CHECK(pchr_renderer_draw_pose_scene(renderer, koi_model, koi_pose, &view, NULL) && finish(target) > 0);
  crowd[0].skin = NULL;
  CHECK(pchr_target_begin(target, NULL));
  CHECK(pchr_renderer_draw_scene(renderer, koi_model, crowd, 1, &view, NULL) && finish(target) > 0);
  CHECK(!pchr_renderer_draw_pose(renderer, koi_model, pose, &camera, NULL));
  CHECK(!pchr_orbit_camera_fit(&orbit, pose, 0.1f) &&
        pchr_renderer_upload_skin(renderer, koi_model, skin, NULL) == NULL);

  pchr_pose_free(koi_pose);
  pchr_model_free(koi_model);
  pchr_character_free(koi);
  pchr_gpu_skin_free(worn);
  pchr_skin_free(skin);
  pchr_model_free(again);
  pchr_model_free(model);
  pchr_pose_free(pose);
  pchr_target_free(target);
  pchr_renderer_free(renderer);
  pchr_headless_free(headless);
}

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  pchr_character* kiri = load(argv[1]);
  test_loading(argv[1]);
  test_contents(kiri, argv[2], argv[3]);
  test_saving(kiri, argv[4]);
  test_geometry();
  test_poses(kiri);
  char png[1024];
  snprintf(png, sizeof png, "%s/kiri.png", argv[4]);
  test_skins(argv[1], png);
  test_animators(argv[1]);
  test_rigs(kiri, argv[4]);
  test_states(argv[1]);
  test_streams(kiri);
  test_gpu_data(kiri);
  if (pchr_features() & PCHR_FEATURE_RENDER) test_renderer(kiri, argv[3]);
  pchr_character_free(kiri);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
