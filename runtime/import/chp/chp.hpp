// SPDX-License-Identifier: MIT
// Pomyu characters: their plain data, the evaluation of their animations, and the conversion to bones, meshes and
// clips.
#pragma once

#include "character/warnings.hpp"
#include "import/files.hpp"

#include <pchr/import/import.hpp>

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

/// The loaded images and the role of each. The second player's images take the roles of the first player's.
struct Images {
  std::vector<Image> all;  ///< RGBA, straight alpha.
  std::optional<std::uint32_t> char_bmp, char_tex, char_face, select_cg;
};

/// Loads the images that `file` names, the second player's if the options request them. Skips unusable images with a
/// warning. Fails if a link leads out of the character's folder.
[[nodiscard]] Expected<Images, Diagnostic> load_images(const File& file, const ReaderOptions& options,
                                                       Warnings& warnings);

/// Visible part of a source rectangle of an image, possibly mirrored. Image pixels, y down.
struct Sprite {
  std::uint32_t image = 0;
  PixelRect source;
  double left = 0, right = 0, top = 0, bottom = 0;  ///< The part of `source` within the image and the clip.
  bool flip_x = false, flip_y = false;
  auto operator<=>(const Sprite&) const = default;
};

/// Where a sprite's whole source rectangle is drawn.
struct Placement {
  double x = 0, y = 0;  ///< Center, relative to the character's center, y up.
  double scale_x = 1, scale_y = 1;
  double rotation_degrees = 0;  ///< Counter-clockwise.
  double opacity = 1;
};

/// One sprite drawn in a frame.
struct Use {
  std::uint32_t bone = 0;
  Placement placement;
};

/// An animation as frames of variable duration.
struct ClipPlan {
  int animation = 0;
  std::uint32_t loop_start = 0;
  std::vector<std::int64_t> start_ms;  ///< Start of each frame, then the end of the last.
  std::vector<std::size_t> first_use;  ///< First use of each frame, then the end of the last.

  [[nodiscard]] std::size_t frame_count() const noexcept { return start_ms.size() - 1; }
};

/// Step that adds no frames within those of the animations.
inline constexpr std::int64_t kNoSteps = std::int64_t{1} << 40;

struct Plan {
  /// Indexed by bone. A sprite that one frame draws several times has one bone for each.
  std::vector<Sprite> sprites{};
  std::vector<Use> uses{};  ///< All clips, back to front within each frame.
  std::vector<ClipPlan> clips{};
  std::int64_t step_ms = 1;  ///< Smallest step of a tween.
};

/// Plans the animations that have frames. Tweens get a frame for each change, at whole milliseconds, or in larger steps
/// if that would take more than a few million samples. Returns nothing if the animations' own frames alone exceed
/// `max_samples` or need more bones than a character can have.
[[nodiscard]] std::optional<Plan> plan_clips(const File& file, const Images& images, std::uint64_t max_samples);

/// Builds a mesh and a bone for each sprite, and a clip for each animation, named by `clip_name`. The origin is the
/// center of the character. Frame 0 of the first clip is the bind pose.
[[nodiscard]] CharacterData make_character(const File& file, const Plan& plan, Images images);

/// Returns the image regions that games show in menus.
[[nodiscard]] std::vector<MenuImage> menu_images(const File& file, const Images& images);

}  // namespace pchr::chp
