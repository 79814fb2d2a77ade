// SPDX-License-Identifier: MIT
// What the fuzz targets share: small limits, and everything that a caller does with a character.
#pragma once

#include <pchr/character.hpp>
#include <pchr/import/import.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pchr::fuzz {

/// Small, so that a short input cannot ask for long work.
[[nodiscard]] ImportOptions small_options();

/// Loads `bytes`; what loads is used, what does not must say where it is wrong.
void load_and_use(std::span<const std::byte> bytes);

/// Describes the warnings, decodes the images, poses every clip, builds every draw list, asks for bounds, bones and
/// hits, validates.
void use(const Character& character);

/// `json` and `png` in the older binary.
[[nodiscard]] std::vector<std::byte> pack(std::span<const std::byte> json, std::span<const std::byte> png = {});

/// Ends the process, for the fuzzer to see, unless `holds`.
void require(bool holds, const char* claim);

}  // namespace pchr::fuzz
