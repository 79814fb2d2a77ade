// SPDX-License-Identifier: MIT
// A Pomyu character file as plain data, and what it draws at a moment of an animation.
#pragma once

#include "character/warnings.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string_view>

namespace pchr::chp {

/// A word of a line.
struct Field {
  std::string_view text;
  std::uint32_t column = 0;  ///< In bytes of the line as UTF-8, from 1.
};

/// A line such as `#Flame 2 50 // faster`. Refers to the text it was read from.
struct Command {
  std::uint32_t line = 0;     ///< From 1.
  std::uint32_t column = 0;   ///< Of the `#`, from 1.
  std::string name;           ///< In lower case, without the `#`: "flame".
  Field value;                ///< The rest of the line, without the comment: "2 50".
  std::vector<Field> fields;  ///< The words of the value, up to one that begins with `/`.
};

/// Splits UTF-8 text into commands. Any other line is left out with a warning, as are those past the first 100,000.
[[nodiscard]] std::vector<Command> read_commands(std::string_view text, Warnings& warnings);

/// Pixels, y down. A negative width or height mirrors: the rectangle reaches to the left or up from its x and y.
struct PixelRect {
  std::int64_t x = 0, y = 0, width = 0, height = 0;
  auto operator<=>(const PixelRect&) const = default;
};

/// The pictures that a character may name, each followed by the second player's.
enum class ImageUse : std::uint8_t {
  char_bmp,
  char_bmp_2p,
  char_tex,
  char_tex_2p,
  char_face,
  char_face_2p,
  select_cg,
  select_cg_2p
};
/// The commands that name them, by ImageUse.
inline constexpr std::array<std::string_view, 8> kImageCommands{"charbmp",  "charbmp2p",  "chartex",  "chartex2p",
                                                                "charface", "charface2p", "selectcg", "selectcg2p"};

/// A picture's path as written, and where; empty where the file names none.
struct ImageName {
  std::string path;
  std::uint32_t line = 0, column = 0;
};

/// In drawing order.
enum class Layer : std::uint8_t { pattern, texture, layer };

/// A run of dashes and the keys around it: the value moves evenly from one key's to the other's.
struct Tween {
  std::int64_t start_half_ms = 0, end_half_ms = 0;  ///< Halves of a millisecond.
  std::int16_t from = 0, to = 0;                    ///< The keys' values.
};

/// The value of a frame without one.
inline constexpr std::int16_t kNone = -1;

/// One property of a timeline.
struct Column {
  std::vector<std::int16_t> values;  ///< Per frame: a rectangle's number, a byte, or kNone. Tweens override it.
  std::vector<Tween> tweens;         ///< In order, without overlaps.
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
  std::vector<Timeline> timelines;  ///< In drawing order.
  std::uint32_t frame_count = 0;    ///< 0: the file does not have it.
  std::int64_t frame_ms = 0;
  std::uint32_t loop_start = 0;  ///< A frame.
};

inline constexpr int kAnimations = 18;
inline constexpr int kDance = 14;

struct File {
  std::string name, artist;
  bool legacy = true;           ///< Without #Data: rectangles are numbered in decimal, frames in hexadecimal.
  int id_base = 10;             ///< Of rectangle numbers.
  int frame_base = 16;          ///< Of numbers in timelines.
  bool auto_color_key = false;  ///< #AutoColorSet
  std::int64_t frame_ms = 83;   ///< #Anime
  std::int64_t width = 0, height = 0;
  std::int64_t wait = 1;  ///< Idle cycles before another animation may follow.
  PixelRect face_upper{0, 0, 256, 256}, face_all{320, 0, 320, 480};
  std::array<ImageName, kImageCommands.size()> images;  ///< By ImageUse.
  std::map<std::int16_t, PixelRect> rects;
  std::array<Animation, kAnimations> animations;  ///< Animation n at n - 1.

  [[nodiscard]] const ImageName& image(ImageUse use) const noexcept { return images[static_cast<std::size_t>(use)]; }
  /// Returns a rectangle by its number; without area where the file has none of it.
  [[nodiscard]] PixelRect rect(std::int16_t number) const noexcept {
    const auto found = rects.find(number);
    return found == rects.end() ? PixelRect{} : found->second;
  }
  /// Returns animation `number`, 1 to 18.
  [[nodiscard]] const Animation& animation(int number) const noexcept {
    return animations[static_cast<std::size_t>(number - 1)];
  }
};

/// Whether the command is one of those that no other format has.
[[nodiscard]] bool is_known(const Command& command) noexcept;

/// Reads commands in any order. Unusable ones are left out or replaced by their default, with a warning.
[[nodiscard]] File interpret(const std::vector<Command>& commands, Warnings& warnings);

/// A part of a picture drawn somewhere. Rectangles are neither negative nor clipped.
struct Operation {
  Layer layer = Layer::pattern;
  PixelRect source;       ///< In CharTex for Layer::texture, else in CharBMP; may reach out of the picture.
  PixelRect destination;  ///< From the top left of the character, y down.
  bool flip_x = false, flip_y = false;
  std::uint8_t alpha = 255;
  std::uint8_t rotation = 0;  ///< About the destination's center, counter-clockwise, in 256ths of a turn.
  bool operator==(const Operation&) const = default;
};

/// Returns the clip of #Patern and #Layer: the character's size; in the dance, the playing field around it.
[[nodiscard]] PixelRect clip_of(const File& file, int animation) noexcept;

/// Appends what animation `animation` (1 to 18) draws at `ms`, a time within it, from back to front.
void evaluate(const File& file, int animation, std::int64_t ms, std::vector<Operation>& operations);

}  // namespace pchr::chp
