// SPDX-License-Identifier: MIT
// Loads the sample character without decoding its image, to count instructions without a quiet machine:
//   valgrind --tool=callgrind --toggle-collect='run_counted*' load_instructions v1
// Instructions per item, a transform, are the instructions that callgrind collects, divided by the items printed.
#include <pchr/import/import.hpp>
#include <pchr/import/save.hpp>

#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace pchr;

[[gnu::noinline]] std::size_t run_counted(std::span<const std::byte> file) {
  const auto imported = import_character(file);
  if (!imported) std::abort();
  std::size_t transforms = 0;
  for (const Clip& clip : imported->character.clips()) transforms += clip.samples.x.size();
  return transforms;
}

int main(int argument_count, char** arguments) {
  const std::string_view format = argument_count > 1 ? arguments[1] : "";
  if (format != "v1" && format != "json") {
    std::fputs("usage: load_instructions (v1|json)\n", stderr);
    return 2;
  }
  // The JSON parser uses the same instructions on all processors.
  setenv("SIMDJSON_FORCE_IMPLEMENTATION", "westmere", 1);
  auto character = load(PCHR_ASSETS_DIR "/kiri.pchr");
  if (!character) std::abort();
  if (format == "v1") {
    // The checksums of its image would take most instructions.
    CharacterData data = character->data();
    data.images.clear();
    auto built = Character::build(std::move(data));
    if (!built) std::abort();
    character = *std::move(built);
  }
  // The packed format is JSON and its images in one file.
  const auto saved = save(*character, format == "v1" ? Format::v1 : Format::packed, "kiri");
  if (!saved) std::abort();
  std::printf("%zu transforms\n", run_counted(saved->file.bytes));
}
