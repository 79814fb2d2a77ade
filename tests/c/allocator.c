/* SPDX-License-Identifier: MIT */
/* Gives the library its own memory, and checks that all of it comes back and that running out of it is reported. */
#include <pchr.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Memory from here starts 32 bytes into a block of malloc(), so freeing it with anything else crashes. */
enum { HEADER = 32 };
static long blocks, allocations, left = -1;

static void* allocate(void* user, size_t size) {
  if (left == 0) return NULL;
  if (left > 0) --left;
  char* block = malloc(size + HEADER);
  memcpy(block, &user, sizeof user);
  ++blocks, ++allocations;
  return block + HEADER;
}

static void release(void* user, void* memory) {
  char* block = (char*)memory - HEADER;
  if (memcmp(block, &user, sizeof user) != 0) abort();
  --blocks;
  free(block);
}

/* Returns whether everything worked. */
static bool play(const char* path) {
  pchr_error error;
  bool done = false;
  pchr_character* character = pchr_load_file(path, NULL, &error);
  pchr_animator* animator = pchr_animator_create(character);
  pchr_pose* pose = pchr_pose_create(character);
  pchr_stream* stream = pchr_stream_create(0);
  pchr_animator_play(animator, 0, NULL);
  if (character == NULL && strlen(error.message) == 0) exit(1);
  if (pchr_animator_advance(animator, 0.1, NULL) != NULL && pchr_animator_pose(animator, pose)) {
    done = pchr_stream_add(stream, pose, NULL);
  }
  pchr_stream_free(stream);
  pchr_pose_free(pose);
  pchr_animator_free(animator);
  pchr_character_free(character);
  return done;
}

int main(int argc, char** argv) {
  const pchr_allocator own = {allocate, release, &blocks};
  if (argc != 2 || (pchr_features() & PCHR_FEATURE_ALLOCATOR) == 0 || !pchr_set_allocator(&own)) return 2;
  if (!play(argv[1]) || allocations < 50 || blocks > 8 || pchr_set_allocator(&own)) return 1;
  const long kept = blocks; /* of the C++ runtime, the JSON parser and caches */
  long most = 0;
  for (bool done = false; !done; ++most) {
    left = most;
    done = play(argv[1]);
    if (blocks > kept + 2) return 1;
  }
  printf("%ld allocations in total, %ld kept; each one failed once\n", allocations, blocks);
  return 0;
}
