// SPDX-License-Identifier: MIT
// Shared by the fuzz targets: small limits, and use of a character.
#pragma once

#include <pchr/character.hpp>
#include <pchr/import/import.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pchr::fuzz {

/// Small limits, so that short inputs cannot cause long work.
[[nodiscard]] ImportOptions small_options();

/// Loads `bytes`. Uses the character, or checks that the error has a position.
void load_and_use(std::span<const std::byte> bytes);

/// Loads an artwork with all layers, including reference layers, and uses it. Aborts if another format is recognized.
void load_artwork_and_use(std::span<const std::byte> bytes);

/// Files of a skeleton.
struct RigFile {
  const char* name;
  std::string_view text;
};
/// Loads a skeleton by its own name or that of its atlas, both in memory. Uses the character, or describes the error.
void load_rig_and_use(const RigFile& skeleton, const RigFile& atlas, const char* opened);

/// Describes the warnings, decodes the images, poses every clip, builds every draw list, computes bounds, bones and
/// hits, and validates.
void use(const Character& character);

/// Packs `json` and `png` into the older binary.
[[nodiscard]] std::vector<std::byte> pack(std::span<const std::byte> json, std::span<const std::byte> png = {});

/// Aborts unless `holds`, to report a failure to the fuzzer.
void require(bool holds, const char* claim);

}  // namespace pchr::fuzz
