/* SPDX-License-Identifier: MIT */
/* v1 CHARACTER: a program that only plays characters of PCHR v1. */
#include <pchr.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  pchr_error error;
  pchr_character* hero = argc > 1 ? pchr_load_file(argv[1], NULL, &error) : NULL;
  if (hero == NULL) return puts(error.message), 1;
  pchr_animator* animator = pchr_animator_create(hero);
  pchr_pose* pose = pchr_pose_create(hero);
  pchr_stream* stream = pchr_stream_create(0);
  pchr_animator_play(animator, pchr_find_clip(hero, "walk"), NULL);
  pchr_animator_advance(animator, 0.5, NULL);
  pchr_animator_pose(animator, pose);
  pchr_stream_add(stream, pose, NULL);
  uint32_t count;
  pchr_stream_vertices(stream, &count);
  printf("%u vertices\n", count);
  pchr_stream_free(stream);
  pchr_pose_free(pose);
  pchr_animator_free(animator);
  pchr_character_free(hero);
  /* It reads nothing else. */
  const char json[] = "{}";
  const bool refused = pchr_load_memory(json, strlen(json), NULL, &error) == NULL && strcmp(error.code, "E129") == 0;
  return count > 0 && refused && (pchr_features() & PCHR_FEATURE_IMPORT) == 0 ? 0 : 1;
}
