// SPDX-License-Identifier: MIT
// The parts of a .px file in their order.
#include "formats/px/models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace pchr::px {
namespace {

constexpr std::uint64_t kHeaderBytes = 64;
constexpr std::size_t kIdBytes = 36;
constexpr std::uint64_t kMostCanvasPixels = std::uint64_t{64} << 20;
constexpr std::uint32_t kMostCanvasSide = 16384;

/// One read of one file.
class Reader {
 public:
  Reader(Fields fields, Remarks& remarks) : fields_(fields), models_(remarks) {}

  std::expected<File, Finding> read() {
    fields_.take(kIdBytes);
    const std::uint64_t size_offset = fields_.offset();
    file_.width = fields_.read<std::uint32_t>();
    file_.height = fields_.read<std::uint32_t>();
    if (file_.width == 0 || file_.height == 0 || std::max(file_.width, file_.height) > kMostCanvasSide ||
        std::uint64_t{file_.width} * file_.height > kMostCanvasPixels) {
      return std::unexpected(
          finding_in(FindingId::px_canvas_size, "canvas", {}, size_offset,
                     fmt::format("found {} x {}; allowed are 1 to {} on each side, and 64 megapixels", file_.width,
                                 file_.height, kMostCanvasSide)));
    }
    read_layers();
    read_animation();
    read_settings();
    return std::move(file_);
  }

 private:
  /// Calls `read_it` with the fields; says so where they turn out to be cut there.
  template <typename Read>
  void section(std::string_view name, Read read_it) {
    if (cut_) return;
    const std::uint64_t offset = fields_.offset();
    read_it(fields_);
    cut_ = fields_.cut();
    if (!cut_) return;
    models_.add(FindingId::px_damaged, offset, std::string(name), {}, "it is cut, and what should follow is missing");
  }

  template <typename Read>
  void array(std::string_view name, std::uint64_t least_bytes, Read read_element) {
    section(name, [&](Fields& fields) { fields.read_array(least_bytes, read_element); });
  }

  void read_layers() {
    constexpr std::uint64_t kLeast = 32;
    section("entries", [&](Fields& fields) { file_.entries = models_.read_entries(fields); });
    array("groups", kLeast, [&](Fields& fields) { file_.items.push_back(models_.read_group(fields)); });
    array("layers", kLeast, [&](Fields& fields) { file_.items.push_back(models_.read_layer(fields)); });
    array("frameContents", kLeast, [&](Fields& fields) { file_.contents.push_back(models_.read_content(fields)); });
    array("palette", 4, [&](Fields& fields) { file_.palette.push_back(fields.read_colour()); });
    array("referenceLayers", kLeast, [&](Fields& fields) { file_.items.push_back(models_.read_reference(fields)); });
    array("referenceImages", 8, [](Fields& fields) { fields.take(fields.read<std::uint64_t>()); });
    array("symmetryLines", 16, [](Fields& fields) { (void)read_model<std::uint32_t>(fields, 16); });
  }

  void read_animation() {
    array("tags", 16, [&](Fields& fields) { file_.tags.push_back(models_.read_tag(fields)); });
    array("tilesets", 32, [&](Fields& fields) { file_.tilesets.push_back(models_.read_tileset(fields)); });
    array("tilemapLayers", 32, [&](Fields& fields) { file_.items.push_back(models_.read_tilemap(fields)); });
    array("tilemapFrameContents", 32,
          [&](Fields& fields) { file_.tilemap_contents.push_back(models_.read_tilemap_content(fields)); });
  }

  /// Most of them are about how the artwork was drawn.
  void read_settings() {
    section("colorDepth", [&](Fields& fields) { file_.indexed = fields.read<std::uint8_t>() == 1; });
    model<std::uint16_t>("stats");
    section("canvasGrid", [&](Fields& fields) { fields.take(1 + 16); });
    section("guideLine", skip_guide);
    array("postProcessors", 16, [&](Fields& fields) { models_.read_post_processor(fields); });
    model<std::uint16_t>("paletteOrganization");
    section("tiledCorners", [](Fields& fields) { fields.take(2); });
    array("modifiers", 16, [&](Fields& fields) { file_.speed *= models_.read_modifier(fields); });
    if (fields_.remaining() == 0) return;
    models_.add(FindingId::px_unknown, fields_.offset(), {}, {},
                fmt::format("{} bytes follow the last part that is known", fields_.remaining()));
  }

  template <typename Size>
  void model(std::string_view name) {
    section(name, [](Fields& fields) {
      if (fields.remaining() > 0) (void)read_model<Size>(fields, 16);
    });
  }

  static void skip_guide(Fields& fields) {
    if (fields.remaining() == 0) return;
    // Older files have the width of the guide's cells here, and no header.
    if (fields.read<std::uint32_t>() != 0) {
      fields.take(4 + 4 + 1);
      return;
    }
    fields.take(fields.part(10).read<std::uint16_t>());
  }

  Fields fields_;
  ModelReader models_;
  File file_;
  bool cut_ = false;
};

}  // namespace

bool has_px_header(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < kHeaderBytes + kIdBytes || std::to_integer<std::size_t>(bytes[8]) != kIdBytes) return false;
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  const auto is_printable = [](std::byte byte) { return byte > std::byte{0x20} && byte < std::byte{0x7F}; };
  return std::ranges::all_of(bytes.subspan(11, kHeaderBytes - 11), is_zero) &&
         std::ranges::all_of(bytes.subspan(kHeaderBytes, kIdBytes), is_printable);
}

std::expected<File, Finding> read_file(std::span<const std::byte> bytes, Remarks& remarks) {
  Fields fields(bytes);
  Fields header = fields.part(kHeaderBytes);
  const auto size = header.read<std::uint64_t>();
  if (size != fields.remaining()) {
    remarks.add(FindingId::px_damaged, [&] {
      return finding_in(FindingId::px_damaged, {}, {}, 0,
                        fmt::format("found {} bytes after the header; it announces {}", fields.remaining(), size));
    });
  }
  return Reader(fields.part(std::min(size, fields.remaining())), remarks).read();
}

}  // namespace pchr::px
