// SPDX-License-Identifier: MIT
// The parts of a .px file in their order.
#include "formats/px/models.hpp"

#include "formats/png_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace pchr::px {
namespace {

constexpr std::uint64_t kHeaderBytes = 64;
constexpr std::size_t kUsualIdBytes = 36;
/// Layers of all kinds, and as many of each of the others: with the clip of all frames one less than clips may be.
constexpr std::size_t kMostModels = 65534;
constexpr std::uint64_t kMostCanvasPixels = std::uint64_t{64} << 20;
constexpr std::uint32_t kMostCanvasSide = 16384;

bool is_canvas(std::uint32_t width, std::uint32_t height) noexcept {
  return width > 0 && height > 0 && std::max(width, height) <= kMostCanvasSide &&
         std::uint64_t{width} * height <= kMostCanvasPixels;
}

/// One read of one file.
class Reader {
 public:
  Reader(Fields fields, Remarks& remarks) : fields_(fields), models_(remarks) {}

  std::expected<File, Finding> read(std::uint64_t id_bytes) {
    fields_.take(id_bytes);
    const std::uint64_t size_offset = fields_.offset();
    file_.width = fields_.read<std::uint32_t>();
    file_.height = fields_.read<std::uint32_t>();
    if (!is_canvas(file_.width, file_.height)) {
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

  /// Keeps what `read_one` gives, as many as may be: a header alone takes less room in the file than here.
  template <typename Kept, typename Read>
  void models(std::string_view name, std::uint64_t least_bytes, std::vector<Kept>& kept, Read read_one) {
    array(name, least_bytes, [&](Fields& fields) {
      const std::uint64_t offset = fields.offset();
      Kept model = read_one(fields);
      if (kept.size() < kMostModels) {
        kept.push_back(std::move(model));
        return;
      }
      models_.add(FindingId::px_damaged, offset, std::string(name), {},
                  fmt::format("there are more than {}; the rest is left out", kMostModels));
    });
  }

  void read_layers() {
    constexpr std::uint64_t kLeast = 32;
    section("entries", [&](Fields& fields) { file_.entries = models_.read_entries(fields); });
    models("groups", kLeast, file_.items, [&](Fields& fields) { return models_.read_group(fields); });
    models("layers", kLeast, file_.items, [&](Fields& fields) { return models_.read_layer(fields); });
    array("frameContents", kLeast, [&](Fields& fields) { file_.contents.push_back(models_.read_content(fields)); });
    array("palette", 4, [&](Fields& fields) { file_.palette.push_back(fields.read_colour()); });
    const std::size_t first_reference = file_.items.size();
    models("referenceLayers", kLeast, file_.items, [&](Fields& fields) { return models_.read_reference(fields); });
    read_reference_pictures(first_reference);
    models("symmetryLines", 16, file_.symmetry_lines,
           [&](Fields& fields) { return models_.read_symmetry_line(fields); });
  }

  /// Pictures apart from the reference layers stand in, in the same order, for those that have none of their own.
  void read_reference_pictures(std::size_t first_reference) {
    std::size_t number = first_reference;
    array("referenceImages", 8, [&](Fields& fields) {
      const auto png = fields.take(fields.read<std::uint64_t>());
      if (number < file_.items.size() && file_.items[number].png.empty()) file_.items[number].png = png;
      ++number;
    });
    for (std::size_t i = first_reference; i < file_.items.size(); ++i) {
      Item& item = file_.items[i];
      if (!is_png(item.png)) continue;
      const PngSize size = png_size(item.png).value_or(PngSize{});
      item.reference.image_width = size.width;
      item.reference.image_height = size.height;
    }
  }

  void read_animation() {
    models("tags", 16, file_.tags, [&](Fields& fields) { return models_.read_tag(fields); });
    models("tilesets", 32, file_.tilesets, [&](Fields& fields) { return models_.read_tileset(fields); });
    models("tilemapLayers", 4, file_.items, [&](Fields& fields) { return models_.read_tilemap(fields); });
    array("tilemapFrameContents", 32,
          [&](Fields& fields) { file_.tilemap_contents.push_back(models_.read_tilemap_content(fields)); });
  }

  /// Most of them are about how the artwork was drawn.
  void read_settings() {
    section("colorDepth", [&](Fields& fields) { file_.indexed = fields.read<std::uint8_t>() == 1; });
    model<std::uint16_t>("stats");
    section("canvasGrid", [&](Fields& fields) { read_canvas_grid(fields); });
    section("guideLine", [&](Fields& fields) {
      if (fields.remaining() > 0) file_.guide = models_.read_guide(fields);
    });
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

  void read_canvas_grid(Fields& fields) {
    fields.take(1);
    ArtworkCanvasGrid grid;
    grid.cell_width = fields.read<std::uint32_t>();
    grid.cell_height = fields.read<std::uint32_t>();
    grid.first_color = fields.read_colour();
    grid.second_color = fields.read_colour();
    if (grid.cell_width > 0 && grid.cell_height > 0) file_.canvas_grid = grid;
  }

  Fields fields_;
  ModelReader models_;
  File file_;
  bool cut_ = false;
};

}  // namespace

bool has_px_header(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < kHeaderBytes) return false;
  const std::size_t id_bytes = std::to_integer<std::size_t>(bytes[8]);
  if (bytes.size() < kHeaderBytes + id_bytes) return false;
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  const auto is_printable = [](std::byte byte) { return byte > std::byte{0x20} && byte < std::byte{0x7F}; };
  if (!std::ranges::all_of(bytes.subspan(kHeaderBytes, id_bytes), is_printable)) return false;
  const bool is_usual = id_bytes == kUsualIdBytes && std::ranges::all_of(bytes.subspan(11, kHeaderBytes - 11), is_zero);
  if (is_usual) return true;
  Fields fields(bytes);
  const auto size = fields.read<std::uint64_t>();
  fields.take(kHeaderBytes - sizeof(size) + id_bytes);
  const auto width = fields.read<std::uint32_t>(), height = fields.read<std::uint32_t>();
  return id_bytes > 0 && (size == bytes.size() || size == bytes.size() - kHeaderBytes) && is_canvas(width, height);
}

std::expected<File, Finding> read_file(std::span<const std::byte> bytes, Remarks& remarks) {
  Fields fields(bytes);
  Fields header = fields.part(kHeaderBytes);
  const auto size = header.read<std::uint64_t>();
  const auto id_bytes = header.read<std::uint8_t>();
  // The document counts the header; the program does not.
  if (size != fields.remaining() && size != bytes.size()) {
    remarks.add(FindingId::px_damaged, [&] {
      return finding_in(FindingId::px_damaged, {}, {}, 0,
                        fmt::format("found {} bytes after the header; it announces {}", fields.remaining(), size));
    });
  }
  return Reader(fields.part(std::min(size, fields.remaining())), remarks).read(id_bytes);
}

}  // namespace pchr::px
