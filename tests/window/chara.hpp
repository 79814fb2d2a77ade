// SPDX-License-Identifier: MIT
// A Pomyu character whose color tells which animation is playing.
#pragma once

#include "support/bmp.hpp"
#include "support/files.hpp"

#include <pchr/import/pomyu.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace pchr::test {

/// Returns the red of animation `number`. Nothing else in the window has as much red and blue without green.
[[nodiscard]] inline int red_of(int number) { return 120 + number * 7; }

/// Writes a sheet with a row of squares of 4 pixels, one per animation, in its red and the given blue.
inline void write_sheet(const std::filesystem::path& path, std::uint8_t blue) {
  constexpr std::int32_t kSide = 4;
  const auto width = static_cast<std::int32_t>(kCharaAnimations + 1) * kSide;
  std::vector<std::uint8_t> pixels;
  for (int row = 0; row < kSide; ++row) {
    for (std::int32_t x = 0; x < width; ++x) {
      pixels.insert(pixels.end(), {blue, 0, static_cast<std::uint8_t>(red_of(x / kSide + 1))});
    }
  }
  write_file(path, bmp_of({.width = width, .height = kSide, .pixels = pixels}));
}

/// Writes the character into `folder`, with a sheet for each player. It has all animations except 13, ten frames in one
/// second each, and waits for one idle cycle.
inline std::filesystem::path write_chara(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  write_sheet(folder / "sheet.bmp", 250);
  write_sheet(folder / "second.bmp", 130);
  std::string text = "#CharBMP sheet.bmp\n#CharBMP2P second.bmp\n#Anime 100\n#Size 4 4\n#Data 10\n";
  for (int number = 1; number <= static_cast<int>(kCharaAnimations); ++number) {
    if (number == 13) continue;
    const std::string id = std::to_string(number + 10);
    text += "#" + id + " " + std::to_string((number - 1) * 4) + " 0 4 4\n#Patern " + std::to_string(number) + " ";
    for (int frame = 0; frame < 10; ++frame) text += id;
    text += "\n";
  }
  write_file(folder / "test.chp", std::as_bytes(std::span(text)));
  return folder / "test.chp";
}

}  // namespace pchr::test
