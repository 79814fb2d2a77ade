// SPDX-License-Identifier: MIT
// Aseprite artworks composed chunk by chunk, valid or not.
#include "support/aseprite.hpp"

#include <libdeflate.h>

namespace pchr::test {
namespace {

AseFields cel_fields(const AseCel& cel, int type) {
  AseFields fields;
  fields.word(cel.layer).word(cel.left).word(cel.top).byte(cel.opacity).word(type).word(cel.z_index).zeros(5);
  return fields;
}

}  // namespace

Bytes ase_chunk(int type, const Bytes& content) {
  return AseFields{}.dword(static_cast<std::uint32_t>(content.size()) + 6).word(type).raw(content).bytes;
}

Bytes ase_layer(const AseLayer& layer) {
  AseFields fields;
  fields.word(layer.flags).word(layer.type).word(layer.level).zeros(4).word(layer.blend).byte(layer.opacity).zeros(3);
  fields.string(layer.name);
  if (layer.type == 2) fields.dword(layer.tileset);
  return ase_chunk(0x2004, fields.bytes);
}

Bytes ase_cel(const AseCel& cel, int width, int height, std::span<const std::byte> pixels, bool deflated) {
  AseFields fields = cel_fields(cel, deflated ? 2 : 0);
  fields.word(width).word(height);
  return ase_chunk(0x2005, deflated ? fields.raw(ase_deflated(pixels)).bytes : fields.raw(pixels).bytes);
}

Bytes ase_cel(const AseCel& cel, int width, int height, const AsePixels& pixels) {
  return ase_cel(cel, width, height, ase_bytes(pixels));
}

Bytes ase_link(const AseCel& cel, int frame) { return ase_chunk(0x2005, cel_fields(cel, 1).word(frame).bytes); }

Bytes ase_tiles(const AseCel& cel, int columns, int rows, const std::vector<std::uint32_t>& tiles) {
  AseFields fields = cel_fields(cel, 3);
  fields.word(columns).word(rows).word(32);
  fields.dword(0x1FFFFFFF).dword(0x20000000).dword(0x40000000).dword(0x80000000).zeros(10);
  return ase_chunk(0x2005, fields.raw(ase_deflated(std::as_bytes(std::span(tiles)))).bytes);
}

Bytes ase_tileset(std::uint32_t id, int flags, int count, int width, int height, std::span<const std::byte> pixels,
                  std::string_view name) {
  AseFields fields;
  fields.dword(id).dword(static_cast<std::uint32_t>(flags)).dword(static_cast<std::uint32_t>(count));
  fields.word(width).word(height).word(1).zeros(14).string(name);
  if ((flags & 1) != 0) fields.dword(1).dword(0);
  if ((flags & 2) != 0) {
    const Bytes deflated = ase_deflated(pixels);
    fields.dword(static_cast<std::uint32_t>(deflated.size())).raw(deflated);
  }
  return ase_chunk(0x2023, fields.bytes);
}

Bytes ase_palette(const std::vector<AseColor>& colors, std::uint32_t first) {
  const auto count = static_cast<std::uint32_t>(colors.size());
  AseFields fields;
  fields.dword(first + count).dword(first).dword(first + count - 1).zeros(8);
  for (const AseColor& color : colors) fields.word(0).raw(std::as_bytes(std::span(color)));
  return ase_chunk(0x2019, fields.bytes);
}

Bytes ase_old_palette(const std::vector<AseColor>& colors, int type) {
  AseFields fields;
  fields.word(1).byte(0).byte(static_cast<int>(colors.size()));
  for (const AseColor& color : colors) fields.byte(color[0]).byte(color[1]).byte(color[2]);
  return ase_chunk(type, fields.bytes);
}

Bytes ase_user_data(std::string_view text, const std::optional<AseColor>& color) {
  AseFields fields;
  fields.dword((text.empty() ? 0U : 1U) | (color ? 2U : 0U));
  if (!text.empty()) fields.string(text);
  if (color) fields.raw(std::as_bytes(std::span(*color)));
  return ase_chunk(0x2020, fields.bytes);
}

Bytes ase_tags(const std::vector<AseTag>& tags) {
  AseFields fields;
  fields.word(static_cast<int>(tags.size())).zeros(8);
  for (const AseTag& tag : tags) {
    fields.word(tag.first).word(tag.last).byte(tag.direction).word(tag.repeats).zeros(6 + 4).string(tag.name);
  }
  return ase_chunk(0x2018, fields.bytes);
}

Bytes ase_bytes(const AsePixels& pixels) {
  const auto bytes = std::as_bytes(std::span(pixels));
  return {bytes.begin(), bytes.end()};
}

Bytes ase_deflated(std::span<const std::byte> bytes) {
  libdeflate_compressor* const compressor = libdeflate_alloc_compressor(6);
  Bytes result(libdeflate_zlib_compress_bound(compressor, bytes.size()));
  result.resize(libdeflate_zlib_compress(compressor, bytes.data(), bytes.size(), result.data(), result.size()));
  libdeflate_free_compressor(compressor);
  return result;
}

Bytes write_aseprite(const AseArtwork& artwork) {
  AseFields frames;
  for (const AseFrame& frame : artwork.frames) {
    AseFields chunks;
    for (const Bytes& chunk : frame.chunks) chunks.raw(chunk);
    const auto count = static_cast<int>(frame.chunks.size());
    frames.dword(static_cast<std::uint32_t>(chunks.bytes.size()) + 16).word(0xF1FA).word(count).word(frame.ms).zeros(2);
    frames.dword(static_cast<std::uint32_t>(count)).raw(chunks.bytes);
  }
  AseFields file;
  file.dword(static_cast<std::uint32_t>(frames.bytes.size()) + 128).word(0xA5E0);
  file.word(artwork.frame_count.value_or(static_cast<int>(artwork.frames.size())));
  file.word(artwork.width).word(artwork.height).word(artwork.depth).dword(static_cast<std::uint32_t>(artwork.flags));
  file.word(artwork.speed).zeros(8).byte(artwork.transparent_index).zeros(3).word(0);
  file.byte(artwork.pixel_ratio[0]).byte(artwork.pixel_ratio[1]).zeros(92);
  return file.raw(frames.bytes).bytes;
}

AseArtwork full_aseprite() {
  constexpr AseColor kRed{255, 0, 0, 255}, kGreen{0, 255, 0, 128}, kBlue{0, 0, 255, 255};
  AseArtwork artwork{.width = 4, .height = 4, .flags = 3};
  artwork.add(ase_chunk(0x2007, AseFields{}.word(1).zeros(14).bytes));
  artwork.add(ase_chunk(0x2008, AseFields{}.dword(1).zeros(8).dword(1).byte(2).zeros(7).string("x/y").bytes));
  artwork.add(ase_palette({kRed, kGreen, kBlue})).add(ase_user_data("whole", kGreen)).add(ase_old_palette({kRed}));
  artwork.add(ase_tileset(0, 6, 2, 2, 2, ase_bytes({{}, {}, {}, {}, kRed, kBlue, kGreen, {}})));
  artwork.add(ase_user_data("set")).add(ase_user_data("tile 0")).add(ase_user_data("tile 1"));
  artwork.add(ase_layer({.name = "back", .flags = 9})).add(ase_user_data("note", kBlue));
  artwork.add(ase_layer({.name = "group", .type = 1, .blend = 1, .opacity = 200}));
  artwork.add(ase_layer({.name = "inside", .level = 1, .blend = 9, .opacity = 100}));
  artwork.add(ase_layer({.name = "wall", .type = 2}));
  artwork.add(ase_layer({.name = "photo", .flags = 65}));
  artwork.add(ase_tags({{"run", 0, 2, 2, 0}, {"end", 1, 2, 3, 3}})).add(ase_user_data("fast", kRed));
  AseFields slice;
  slice.dword(2).dword(3).zeros(4).string("box");
  for (const std::uint32_t frame : {0U, 2U}) {
    slice.dword(frame).dword(1).dword(frame).dword(3).dword(2).dword(1).dword(0).dword(1).dword(1).dword(2).dword(1);
  }
  artwork.add(ase_chunk(0x2022, slice.bytes)).add(ase_user_data("hit", kBlue));
  artwork.add(ase_cel({}, 4, 4, AsePixels(16, kBlue))).add(ase_user_data("cel", kGreen));
  artwork.add(ase_cel({.layer = 2, .left = -1, .top = 2, .opacity = 250}, 3, 3, AsePixels(9, kGreen)));
  artwork.add(ase_tiles({.layer = 3, .left = 1}, 2, 2, {1, 0x20000001, 0x40000001, 0x80000001}));
  artwork.add(ase_cel({.layer = 4}, 2, 2, ase_bytes({kRed, kGreen, kBlue, kRed}), false));
  artwork.add(
      ase_chunk(0x2006, AseFields{}.dword(1).dword(0x8000).dword(0).dword(0x30000).dword(0x28000).zeros(16).bytes));
  artwork.frames.push_back({50});
  artwork.add(ase_link({.layer = 2, .z_index = -2}, 0)).add(ase_link({.z_index = 1}, 0)).add(ase_palette({kBlue}, 1));
  artwork.frames.push_back({0});
  artwork.add(ase_cel({.left = 2}, 1, 1, AsePixels{kRed}));
  return artwork;
}

}  // namespace pchr::test
