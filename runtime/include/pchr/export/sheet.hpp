// SPDX-License-Identifier: MIT
// Packs clips of one or several characters into sprite sheets, with files that describe them to engines without this
// runtime.
//
//   const pchr::SheetOptions options{.path = "hero.png"};
//   const pchr::FrameSize canvas{64, 64};
//   const pchr::FramePlan plan = pchr::plan_animation(hero, walk, {}, 1).value();
//   const pchr::ExportedAnimation frames = pchr::make_animation(plan, canvas, camera);
//   auto job = pchr::create_sheet_job(renderer, model, {"hero", canvas}, {{"walk", true, frames}},
//                                     options, {});
//   const auto written = job->run();
#pragma once

#include <pchr/export/animation.hpp>

#include <cmath>

namespace PCHR_API pchr {

/// Options for packing frames into pages.
struct SheetOptions {
  /// Files that describe the pages to an engine.
  enum class Format : std::uint8_t {
    aseprite,  ///< Aseprite's JSON for each page, which many engines import.
    phaser,    ///< A multi-atlas with its animations, in one JSON.
    pixi,      ///< A JSON for each page.
    godot,     ///< A SpriteFrames resource of Godot 4.
    unity      ///< Import settings of each page, and a JSON with durations.
  };
  /// Layout of the frames in Aseprite's JSON.
  enum class Layout : std::uint8_t {
    hash,  ///< "frames" is an object with a key per frame.
    array  ///< "frames" is an array.
  };

  std::string path;               ///< Path of the first page, a PNG.
  std::uint32_t max_side = 4096;  ///< Maximum side of a page, in pixels.
  bool power_of_two = false;      ///< Rounds both sides of a page up to powers of two.
  std::uint32_t padding = 2;      ///< Pixels between frames.
  std::uint32_t extrude = 0;      ///< Number of times that edge pixels are repeated around a frame.
  /// Distance in pixels over which colors extend below transparent pixels, so that filtering draws no dark edges.
  std::uint32_t bleed = 2;
  bool premultiply = false;  ///< Stores colors premultiplied by alpha; there is nothing to bleed then.
  bool trim = true;          ///< Removes transparent borders of frames.
  bool share = true;         ///< Stores equal frames once.
  /// Keeps the frames of a clip on one page, if they fit on one. Otherwise, each page has as many frames as fit.
  /// Aseprite and PixiJS always need whole clips.
  bool whole_clips = false;
  Format format = Format::aseprite;
  Layout layout = Layout::hash;
  PngCompression compression = PngCompression::normal;
};

/// Rectangle on the canvas of a character, in pixels.
struct SheetArea {
  std::int64_t x = 0, y = 0, width = 0, height = 0;
  bool operator==(const SheetArea&) const = default;
};

/// Text and color that an artist attached to something in Aseprite.
struct SheetNote {
  std::string text{};
  std::array<std::uint8_t, 4> color{};  ///< Straight RGBA; alpha 0 for none.
  bool operator==(const SheetNote&) const = default;
};

/// Place of a slice from one frame of the artwork on.
struct SheetSliceKey {
  std::uint32_t first_frame = 0;
  SheetArea bounds{};                 ///< From the canvas's top left corner. A width or height of 0 hides the slice.
  std::optional<SheetArea> center{};  ///< Nine-patch: the part that stretches, from the top left corner of the bounds.
  std::optional<std::array<std::int64_t, 2>> pivot{};  ///< Right and down from that corner.
  bool operator==(const SheetSliceKey&) const = default;
};

/// Named area of the frames, such as a hit box.
struct SheetSlice {
  std::string name;
  SheetNote note{};
  std::vector<SheetSliceKey> keys{};  ///< In any order; of equal frames, the last counts.
};

/// What an artist attached to a layer's content in one frame of the artwork.
struct SheetCel {
  std::uint32_t frame = 0;
  SheetNote note{};
};

/// Layer or group that the frames are drawn of.
struct SheetLayer {
  std::string name, group{};              ///< The group that it is in; empty if none.
  std::optional<std::uint8_t> opacity{};  ///< Absent for a group.
  std::string blend_mode{};               ///< As Aseprite names it, such as "color_dodge".
  SheetNote note{};
  std::vector<SheetCel> cels{};  ///< In any order.
};

/// Character whose frames are on a sheet.
struct SheetCharacter {
  std::string name;
  FrameSize canvas;                 ///< Size of each frame before trimming.
  double pivot_x = 0, pivot_y = 0;  ///< Pivot of all frames, in pixels from the canvas's top left corner.
  /// See keep_artwork(). Only Aseprite's JSON has them.
  /// @{
  std::vector<SheetSlice> slices{};
  std::vector<SheetLayer> layers{};  ///< Bottom to top; groups come before what is in them.
  /// @}
};

/// Clip to draw.
struct SheetSource {
  std::string name;
  bool looping = false;
  ExportedAnimation animation;  ///< Its paths are ignored.
  /// One name for each frame, unique on the sheet. If empty, they get names that suit the format.
  std::vector<std::string> frame_names{};
  /// For each frame, the frame of the artwork that it shows: that of slices and notes. Empty if there are none.
  std::vector<std::uint32_t> artwork_frames{};
};

/// Page that was written.
struct SheetPage {
  std::string path;  ///< Path of the image.
  FrameSize size;
  std::size_t frames = 0;  ///< Frames on the page.
  std::size_t places = 0;  ///< Distinct images on the page; equal frames share one.
};

/// Files of a sheet.
struct SheetFiles {
  std::vector<SheetPage> pages;
  std::vector<std::string> descriptions;  ///< Paths of the files that describe the pages.
};

namespace exporting {
struct SheetState;
}

/// Frames of characters that go on the same sheet, for jobs that run one after another. Copies refer to the same
/// frames. No other job can use them after a failure.
struct SheetFrames {
  SheetFrames();
  std::shared_ptr<exporting::SheetState> state;  ///< Only for the jobs.
};

/// Fails if a frame of `plan` cannot fit on a page even when trimmed to `bounds`, which returns the character's world
/// bounds at a time. Draws nothing.
[[nodiscard]] ExportResult<void> check_frames(const FramePlan& plan, std::string_view clip, const Camera& camera,
                                              FrameSize canvas, const SheetOptions& options,
                                              const Callback<Rect(ClipTime time)>& bounds);

/// Returns the path of a page: hero.png, hero-1.png, hero-2.png and so on for "hero.png" and ".png".
[[nodiscard]] std::string sheet_page_path(const std::string& path, std::size_t page, const std::string& extension);

/// Returns the path of the file, or the first one, that describes a sheet.
[[nodiscard]] std::string sheet_file_path(const SheetOptions& options);

/// Returns the canvas of pixel art, a pchr::Artwork, in world pixels. Frames that fit it have the size that Aseprite
/// gives them.
template <class Artwork>
[[nodiscard]] Rect canvas_of(const Artwork& artwork) {
  const Vec2 corner{static_cast<float>(-artwork.origin_x), static_cast<float>(artwork.origin_y)};
  const Vec2 size{static_cast<float>(artwork.width), static_cast<float>(artwork.height)};
  return {{corner.x, corner.y - size.y}, {corner.x + size.x, corner.y}};
}

/// Returns the frames of pixel art, a pchr::Artwork, that a plan shows. Empty if the plan shows no clip.
template <class Artwork>
[[nodiscard]] std::vector<std::uint32_t> artwork_frames(const Artwork& artwork, const FramePlan& plan) {
  std::vector<std::uint32_t> frames;
  if (plan.clip == ClipId::none) return frames;
  for (const ClipTime time : plan.times) frames.push_back(artwork.clip_frames[index(plan.clip)][time.frame]);
  return frames;
}

/// Keeps the slices and the drawn layers of pixel art, a pchr::Artwork, where `camera` shows them.
template <class Artwork>
void keep_artwork(SheetCharacter& character, const Artwork& artwork, const Camera& camera) {
  const Affine to_canvas = world_to_viewport(camera);
  const auto place = [&](const auto& area, std::int64_t left, std::int64_t top) {
    const auto corner = [&](std::int64_t x, std::int64_t y) {
      return apply(to_canvas, Vec2{static_cast<float>(x - artwork.origin_x), static_cast<float>(artwork.origin_y - y)});
    };
    const Vec2 a = corner(left, top), b = corner(left + area.width, top + area.height);
    const auto low = [](float one, float other) { return std::int64_t{std::llround(one < other ? one : other)}; };
    const auto size = [](float one, float other) { return std::int64_t{std::llround(std::abs(one - other))}; };
    return SheetArea{low(a.x, b.x), low(a.y, b.y), size(a.x, b.x), size(a.y, b.y)};
  };
  const auto note = [](const std::string& text, const auto& color) {
    return SheetNote{text, {color.red, color.green, color.blue, color.alpha}};
  };
  for (const auto& slice : artwork.slices) {
    SheetSlice& kept = character.slices.emplace_back(SheetSlice{slice.name, note(slice.user_text, slice.color)});
    for (const auto& key : slice.keys) {
      const std::int64_t left = key.area.left, top = key.area.top;
      const SheetArea bounds = place(key.area, left, top);
      SheetSliceKey& at = kept.keys.emplace_back(SheetSliceKey{key.first_frame, bounds});
      if (key.center) {
        at.center = place(*key.center, left + key.center->left, top + key.center->top);
        at.center->x -= bounds.x;
        at.center->y -= bounds.y;
      }
      if (!key.pivot) continue;
      const SheetArea point = place(SheetArea{}, left + (*key.pivot)[0], top + (*key.pivot)[1]);
      at.pivot = {point.x - bounds.x, point.y - bounds.y};
    }
  }
  // The artwork lists layers top to bottom, with the members of a group after it. A stack turns them around.
  std::vector<std::vector<std::size_t>> members(artwork.layers.size() + 1);  // The first ones are in no group.
  for (std::size_t i = 0; i < artwork.layers.size(); ++i) {
    const auto group = artwork.layers[i].parent;
    members[group < 0 ? 0 : static_cast<std::size_t>(group) + 1].push_back(i);
  }
  std::vector<std::size_t> places(artwork.layers.size(), artwork.layers.size());
  for (std::vector<std::size_t> left = members[0]; !left.empty();) {
    const std::size_t number = left.back();
    const auto& layer = artwork.layers[number];
    left.pop_back();
    if (!layer.drawn) continue;
    // All members of a group repeat its name, however long it is.
    const auto short_name = [](const std::string& name) {
      std::size_t size = name.size() < 255 ? name.size() : 255;
      while (size < name.size() && size > 0 && (static_cast<unsigned char>(name[size]) & 0xC0U) == 0x80U) --size;
      return name.substr(0, size);
    };
    SheetLayer& kept = character.layers.emplace_back(SheetLayer{.name = short_name(layer.name)});
    kept.note = note(layer.user_text, layer.tag_color);
    if (layer.parent >= 0) kept.group = short_name(artwork.layers[static_cast<std::size_t>(layer.parent)].name);
    if (name_of(layer.kind) != "group") {
      kept.opacity = static_cast<std::uint8_t>(std::lround(layer.opacity * 255));
      kept.blend_mode = name_of(layer.blend);
      for (char& letter : kept.blend_mode) letter = letter == ' ' ? '_' : letter;
    }
    places[number] = character.layers.size() - 1;
    left.insert(left.end(), members[number + 1].begin(), members[number + 1].end());
  }
  for (const auto& cel : artwork.cel_notes) {
    if (cel.layer >= places.size() || places[cel.layer] == places.size()) continue;
    character.layers[places[cel.layer]].cels.push_back({cel.frame, note(cel.user_text, cel.color)});
  }
}

/// Creates a job that draws clips of a character and adds their frames to `frames`. It writes no files. All characters
/// of a sheet need the same options.
[[nodiscard]] ExportResult<ExportJob> create_frames_job(Renderer& renderer, const Model& model,
                                                        SheetCharacter character, std::vector<SheetSource> clips,
                                                        const SheetOptions& sheet, ExportJobOptions options,
                                                        const SheetFrames& frames);

/// Creates a job that draws clips of a character and writes them, after `frames` of other characters, to as few pages
/// as their order allows. A clip too large for one page continues on the next. Calls `written` before the files appear,
/// on another thread if the options allow one.
[[nodiscard]] ExportResult<ExportJob> create_sheet_job(Renderer& renderer, const Model& model, SheetCharacter character,
                                                       std::vector<SheetSource> clips, const SheetOptions& sheet,
                                                       ExportJobOptions options,
                                                       const Callback<void(const SheetFiles& files)>& written = {},
                                                       const SheetFrames& frames = {});

}  // namespace pchr
