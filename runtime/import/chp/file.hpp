// SPDX-License-Identifier: MIT
// Pomyu character files as plain data, and the evaluation of their animations.
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
  std::uint32_t column = 0;  ///< Byte offset in the UTF-8 line, from 1.
};

/// A line such as `#Flame 2 50 // faster`. Holds views into the source text.
struct Command {
  std::uint32_t line = 0;     ///< From 1.
  std::uint32_t column = 0;   ///< Column of the `#`, from 1.
  std::string name;           ///< In lower case, without the `#`: "flame".
  Field value;                ///< The rest of the line, without the comment: "2 50".
  std::vector<Field> fields;  ///< Words of the value, up to the first that starts with `/`.
};

/// Splits UTF-8 text into commands. Skips other lines, and all after the first 100,000, with a warning.
[[nodiscard]] std::vector<Command> read_commands(std::string_view text, Warnings& warnings);

/// Rectangle in pixels, y down. A negative width or height mirrors: the rectangle extends left or up from x and y.
struct PixelRect {
  std::int64_t x = 0, y = 0, width = 0, height = 0;
  auto operator<=>(const PixelRect&) const = default;
};

/// Roles of a character's images, each followed by the second player's.
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
/// Commands that name the images, indexed by ImageUse.
inline constexpr std::array<std::string_view, 8> kImageCommands{"charbmp",  "charbmp2p",  "chartex",  "chartex2p",
                                                                "charface", "charface2p", "selectcg", "selectcg2p"};

/// Path of an image as written, with its place in the text. The path is empty if the file does not name the image.
struct ImageName {
  std::string path;
  std::uint32_t line = 0, column = 0;
};

/// Layers in drawing order.
enum class Layer : std::uint8_t { pattern, texture, layer };

/// A run of dashes between two keyframes: the value moves linearly from one to the other.
struct Tween {
  std::int64_t start_half_ms = 0, end_half_ms = 0;  ///< In half milliseconds.
  std::int16_t from = 0, to = 0;                    ///< Values of the keyframes.
};

/// Marks a frame without a value.
inline constexpr std::int16_t kNone = -1;

/// One property of a timeline.
struct Column {
  std::vector<std::int16_t> values;  ///< Rectangle number, byte or kNone per frame. Tweens override it.
  std::vector<Tween> tweens;         ///< Sorted, without overlaps.
};

enum class Property : std::uint8_t { sprite, offset, alpha, rotation };

/// One #Patern, #Texture or #Layer line.
struct Timeline {
  Layer layer = Layer::pattern;
  std::uint32_t line = 0;
  std::array<Column, 4> columns;  ///< Indexed by Property; only #Texture has the last two.

  [[nodiscard]] const Column& column(Property property) const noexcept {
    return columns[static_cast<std::size_t>(property)];
  }
};

struct Animation {
  std::vector<Timeline> timelines;  ///< In drawing order.
  std::uint32_t frame_count = 0;    ///< 0 if the file does not have the animation.
  std::int64_t frame_ms = 0;
  std::uint32_t loop_start = 0;  ///< Index of a frame.
};

inline constexpr int kAnimations = 18;
inline constexpr int kDance = 14;

struct File {
  std::string name, artist;
  bool legacy = true;           ///< No #Data: rectangle numbers are decimal, frame numbers hexadecimal.
  int id_base = 10;             ///< Base of rectangle numbers.
  int frame_base = 16;          ///< Base of the numbers in timelines.
  bool auto_color_key = false;  ///< #AutoColorSet
  std::int64_t frame_ms = 83;   ///< #Anime
  std::int64_t width = 0, height = 0;
  std::int64_t wait = 1;  ///< Idle cycles before another animation can start.
  PixelRect face_upper{0, 0, 256, 256}, face_all{320, 0, 320, 480};
  std::array<ImageName, kImageCommands.size()> images;  ///< Indexed by ImageUse.
  std::map<std::int16_t, PixelRect> rects;
  std::array<Animation, kAnimations> animations;  ///< Animation n at n - 1.

  [[nodiscard]] const ImageName& image(ImageUse use) const noexcept { return images[static_cast<std::size_t>(use)]; }
  /// Returns a rectangle by number, or an empty one if the file does not define it.
  [[nodiscard]] PixelRect rect(std::int16_t number) const noexcept {
    const auto found = rects.find(number);
    return found == rects.end() ? PixelRect{} : found->second;
  }
  /// Returns animation `number`, 1 to 18.
  [[nodiscard]] const Animation& animation(int number) const noexcept {
    return animations[static_cast<std::size_t>(number - 1)];
  }
};

/// Whether the command is specific to this format.
[[nodiscard]] bool is_known(const Command& command) noexcept;

/// Interprets commands in any order. Skips unusable ones or replaces their values by the defaults, with a warning.
[[nodiscard]] File interpret(const std::vector<Command>& commands, Warnings& warnings);

/// Draws a part of an image. Rectangles have positive sizes and are not clipped.
struct Operation {
  Layer layer = Layer::pattern;
  PixelRect source;       ///< In CharTex for Layer::texture, else in CharBMP; can extend beyond the image.
  PixelRect destination;  ///< Relative to the character's top left corner, y down.
  bool flip_x = false, flip_y = false;
  std::uint8_t alpha = 255;
  std::uint8_t rotation = 0;  ///< Around the destination's center, counter-clockwise, in 1/256 of a full rotation.
  bool operator==(const Operation&) const = default;
};

/// Returns the clip rectangle of #Patern and #Layer: the character's size or, for the dance, the playing field.
[[nodiscard]] PixelRect clip_of(const File& file, int animation) noexcept;

/// Appends what `animation` (1 to 18) draws at time `ms`, which must be within it, from back to front.
void evaluate(const File& file, int animation, std::int64_t ms, std::vector<Operation>& operations);

}  // namespace pchr::chp
