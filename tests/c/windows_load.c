/* SPDX-License-Identifier: MIT */
/* Loads the DLL and looks its functions up by name, as other languages do: windows_load DLL CHARACTER. */
#include <windows.h>

#include <pchr.h>

#include <stdio.h>
#include <string.h>

/* C has no conversion from data to function pointers, so the address is copied. */
#define FIND(name)                                          \
  do {                                                      \
    const FARPROC address = GetProcAddress(library, #name); \
    if (address == NULL) return 3;                          \
    memcpy(&name##_found, &address, sizeof address);        \
  } while (0)

int main(int argc, char** argv) {
  const char* (*pchr_version_found)(void);
  pchr_character* (*pchr_load_file_found)(const char*, const pchr_load_options*, pchr_error*);
  uint32_t (*pchr_bone_count_found)(const pchr_character*);
  void (*pchr_character_free_found)(pchr_character*);
  if (argc != 3) return 2;
  const HMODULE library = LoadLibraryA(argv[1]);
  if (library == NULL) return 1;
  FIND(pchr_version);
  FIND(pchr_load_file);
  FIND(pchr_bone_count);
  FIND(pchr_character_free);
  pchr_error error;
  pchr_character* const character = pchr_load_file_found(argv[2], NULL, &error);
  if (character == NULL) return puts(error.message), 1;
  printf("pchr %s: %u bones\n", pchr_version_found(), pchr_bone_count_found(character));
  pchr_character_free_found(character);
  return 0;
}
