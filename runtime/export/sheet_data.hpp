// SPDX-License-Identifier: MIT
// A sprite sheet as data, from which the files for engines are written.
#pragma once

#include "export/pixels.hpp"

#include <pchr/export/sheet.hpp>

#include <span>

namespace pchr::exporting {

/// Frame of a clip.
struct SheetFrame {
  std::string name{};  ///< Unique in its file; empty if the format chooses it.
  std::size_t clip = 0;
  std::uint32_t number = 0;  ///< Number within the clip.
  std::uint32_t milliseconds = 0;
  std::uint32_t cell = 0;  ///< Its bitmap; equal frames share one.
  Area source{};           ///< Its place on the character's canvas; smaller than the canvas if it is trimmed.
  std::size_t page = 0;
  Area place{};  ///< Its place on the page, without repeated edges.
};

/// Clip of a character. Its frames follow one another in Sheet::frames.
struct SheetClip {
  std::string name;  ///< Unique on the sheet: "walk", or "hero/walk" if there are several characters.
  std::size_t character = 0;
  bool looping = false;
  std::size_t first_frame = 0, frame_count = 0;
};

/// Sheet with all its pages.
struct Sheet {
  std::vector<SheetCharacter> characters{};  ///< With unique names.
  std::vector<SheetClip> clips{};            ///< At least one.
  std::vector<SheetFrame> frames{};          ///< In the order of the clips and of the pages.
  std::vector<SheetPage> pages{};
  [[nodiscard]] const SheetCharacter& character_of(const SheetFrame& frame) const {
    return characters[clips[frame.clip].character];
  }
  [[nodiscard]] std::span<const SheetFrame> frames_of(const SheetClip& clip) const {
    return std::span(frames).subspan(clip.first_frame, clip.frame_count);
  }
};

}  // namespace pchr::exporting
