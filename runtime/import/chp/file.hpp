// SPDX-License-Identifier: MIT
// A Pomyu character file as commands, and what they say, as plain data.
#pragma once

#include "character/warnings.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::chp {

/// A word of a line.
struct Field {
  std::string_view text;
  std::uint32_t column = 0;  ///< In bytes of the line as UTF-8, from 1.
};

/// A line such as `#Flame 2 50 // faster`. What it says points into the text it was read from.
struct Command {
  std::uint32_t line = 0;     ///< From 1.
  std::uint32_t column = 0;   ///< Of the `#`, from 1.
  std::string name;           ///< What follows the `#`, its ASCII letters small: "flame".
  Field value;                ///< The rest of the line as one text, without the comment: "2 50".
  std::vector<Field> fields;  ///< The words of it, up to one that begins with `/`.
};

/// Splits UTF-8 text into commands. A line that is none is left out with a warning, and so are those past the first
/// 100,000.
[[nodiscard]] std::vector<Command> read_commands(std::string_view text, Warnings& warnings);

/// Pixels, y down. A negative width or height mirrors: the rectangle reaches to the left or up from its x and y.
struct PixelRect {
  std::int64_t x = 0, y = 0, width = 0, height = 0;
  auto operator<=>(const PixelRect&) const = default;
};

/// The pictures that a character may name, each followed by the one of the second player.
enum class PictureUse : std::uint8_t {
  char_bmp,
  char_bmp_2p,
  char_tex,
  char_tex_2p,
  char_face,
  char_face_2p,
  select_cg,
  select_cg_2p
};
inline constexpr std::size_t kPictureUses = 8;

/// The command that names it, in small letters, such as "charbmp2p".
[[nodiscard]] std::string_view name_of(PictureUse use) noexcept;

/// A picture's path as written, and where; empty where the file names none.
struct PictureName {
  std::string path;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// In the order in which they are drawn.
enum class Layer : std::uint8_t { pattern, texture, layer };

/// A run of dashes and the keys around it: the value moves evenly from one key's to the other's.
struct Tween {
  std::int64_t start_half_ms = 0, end_half_ms = 0;  ///< In halves of a millisecond.
  std::int16_t from = 0, to = 0;                    ///< The keys' values.
};

/// A value that a column does not have.
inline constexpr std::int16_t kNone = -1;

/// One property of a timeline.
struct Column {
  std::vector<std::int16_t> values;  ///< Per frame: a rectangle's number, a byte, or kNone. Tweens come before it.
  std::vector<Tween> tweens;         ///< In order; they do not overlap.
};

enum class Property : std::uint8_t { sprite, offset, alpha, rotation };

/// One #Patern, #Texture or #Layer line.
struct Timeline {
  Layer layer = Layer::pattern;
  std::uint32_t line = 0;
  std::array<Column, 4> columns;  ///< By Property; only #Texture has the last two.

  [[nodiscard]] const Column& column(Property property) const noexcept {
    return columns[static_cast<std::size_t>(property)];
  }
};

struct Animation {
  std::vector<Timeline> timelines;  ///< In the order in which they are drawn.
  std::uint32_t frame_count = 0;    ///< 0: there is no such animation.
  std::int64_t frame_ms = 0;
  std::uint32_t loop_start = 0;  ///< The frame from which it is repeated.
};

inline constexpr int kAnimations = 18;
inline constexpr int kIdleAnimations = 2;  ///< The first ones. Each cycle plays all of it.
inline constexpr int kDance = 14;
inline constexpr std::int16_t kNameRect = 0, kBackgroundRect = 1;

struct File {
  std::string name, artist;
  bool legacy = true;           ///< Without #Data: rectangles are numbered in decimal, frames in hexadecimal.
  int id_base = 10;             ///< Of the rectangles' numbers as written.
  int frame_base = 16;          ///< Of the numbers in timelines.
  bool auto_color_key = false;  ///< #AutoColorSet
  std::int64_t frame_ms = 83;   ///< #Anime
  std::int64_t width = 0, height = 0;
  std::int64_t wait = 1;  ///< How often the idle animation is played before another may follow.
  PixelRect face_upper{0, 0, 256, 256}, face_all{320, 0, 320, 480};
  std::array<PictureName, kPictureUses> pictures;  ///< By PictureUse.
  std::map<std::int16_t, PixelRect> rects;
  std::array<Animation, kAnimations> animations;  ///< Animation n at n - 1.

  [[nodiscard]] const PictureName& picture(PictureUse use) const noexcept {
    return pictures[static_cast<std::size_t>(use)];
  }
};

/// Whether the command is one of those with a name, of which no other format has any.
[[nodiscard]] bool is_known(const Command& command) noexcept;

/// Reads commands in any order. What cannot be used is left out or replaced by its default, with a warning.
[[nodiscard]] File interpret(const std::vector<Command>& commands, Warnings& warnings);

}  // namespace pchr::chp
