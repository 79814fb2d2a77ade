// SPDX-License-Identifier: MIT
// Loads bytes as a glTF scene, in 3D and in 2D, and writes what was loaded as glTF.
#include "use.hpp"

#include <pchr/import/save.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  pchr::ImportOptions options = pchr::fuzz::small_options();
  for (const bool flat : {false, true}) {
    options.flat = flat;
    const auto imported = pchr::import_character(bytes, options);
    if (!imported) {
      pchr::fuzz::require(!describe(imported.error(), "input").empty(), "an error has a description");
      continue;
    }
    pchr::fuzz::use(imported->character);
    const auto saved = pchr::save_gltf(imported->character, options.limits, std::uint64_t{1} << 20);
    if (!saved) continue;
    const auto again = pchr::import_character(*saved, options);
    // Numbers can become too large.
    using enum pchr::DiagnosticId;
    pchr::fuzz::require(again || again.error().id == limit_exceeded || again.error().id == gltf_not_flat ||
                            again.error().id == value_out_of_range || again.error().id == not_finite,
                        "what is written can be read");
  }
  return 0;
}
