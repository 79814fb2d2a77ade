// SPDX-License-Identifier: MIT
// Loads Pixquare artworks.
#include "character/build.hpp"
#include "import/px/build.hpp"
#include "import/readers.hpp"

namespace pchr {
namespace {

/// Warns if the requested layers exist, but no frame has a visible pixel.
void warn_if_blank(const px::File& file, const px::Frames& frames, const LayerChoice& choice, Warnings& warnings) {
  if (choice.which != LayerChoice::Which::named || frames.frames.empty() || !frames.images.empty()) return;
  std::string found;
  for (const std::string& name : choice.names) {
    if (std::ranges::find(file.items, name, &px::Item::name) == file.items.end()) continue;
    found += fmt::format("{}\"{}\"", found.empty() ? "" : ", ", printable(name));
  }
  if (found.empty()) return;
  warn(warnings, DiagnosticId::px_nothing_drawn, {}, "none of the {} frames has a visible pixel in {}",
       frames.frames.size(), found);
}

}  // namespace

Expected<Imported, LoadError> read_px(std::span<const std::byte> bytes, const ImportOptions& options) {
  Warnings warnings;
  const auto file = px::read_file(bytes, warnings);
  if (!file) return Unexpected(file.error());
  const Limits& limits = options.limits;
  if (const std::uint64_t pixels = std::uint64_t{file->width} * file->height; pixels > limits.max_image_pixels) {
    return Unexpected(diagnose(DiagnosticId::limit_exceeded, {.path = "canvas"}, "has {} pixels, but the limit is {}",
                               pixels, limits.max_image_pixels));
  }
  px::Tree tree = px::make_tree(*file, warnings);
  px::choose_layers(tree, *file, options.layers, warnings);
  const std::vector<px::Tiles> tiles = px::inflate_tiles(*file, limits.max_image_pixels, warnings);
  const auto references = px::place_references(*file, tree, limits.max_image_pixels, warnings);
  const auto frames = px::compose_frames(*file, tree, tiles, references, limits, options.executor, warnings);
  if (!frames) return Unexpected(frames.error());
  warn_if_blank(*file, *frames, options.layers, warnings);
  auto made = px::make_character(*file, tree, *frames, tiles, limits, warnings);
  if (!made) return Unexpected(std::move(made.error()));
  auto& [data, artwork] = *made;
  BindPose bind = IdentityBindPose{};
  if (!data.clips.empty()) bind = ClipBindPose{data.clips.front().name, 0};
  auto character = CharacterBuilder::build(std::move(data), bind, {}, std::move(warnings));
  if (!character) return Unexpected(std::move(character.error()));
  return Imported{.character = *std::move(character), .format = "Pixquare PX", .artwork = std::move(artwork)};
}

}  // namespace pchr
