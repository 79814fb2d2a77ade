// SPDX-License-Identifier: MIT
// Reads .px files of Pixquare: a list of models, each a header with a size, followed by the fields that its version
// has. Items refer to each other by identifiers, which become indices here.
#include "import/artwork/artwork.hpp"

#include "character/utf8.hpp"
#include "image/image.hpp"
#include "import/formats.hpp"

#include <glm/gtc/packing.hpp>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <numbers>
#include <ranges>
#include <unordered_map>

namespace pchr::px {
namespace {

using artwork::place_of;

/// Reference to an item by its identifier.
struct Entry {
  LayerKind kind = LayerKind::layer;
  std::string_view id;
};

struct Item : artwork::Item {
  std::string_view id{}, tileset_id{};
  std::vector<std::string_view> content_ids{};            ///< One per frame; empty for an empty frame.
  std::vector<Entry> children{}, cropping{}, clipping{};  ///< From bottom to top. Only groups have children.
};

struct Tileset : artwork::Tileset {
  std::string_view id{};
};

/// A file before its identifiers are resolved. The model has no items, nodes or tilesets yet.
struct File {
  artwork::Model model{};
  std::vector<Entry> entries{};  ///< Top level, from bottom to top.
  std::vector<Item> items{};
  std::vector<Tileset> tilesets{};
  std::vector<std::string_view> content_ids{}, tilemap_content_ids{};  ///< One for each of the contents.
};

/// Cursor over a part of a file. Fields after its end have their defaults. The part is truncated if it ends within a
/// field.
class Fields {
 public:
  explicit Fields(std::span<const std::byte> bytes, std::uint64_t offset = 0) noexcept
      : bytes_(bytes), offset_(offset) {}

  template <typename T>
  [[nodiscard]] T read(T otherwise = {}) noexcept {
    const auto source = take(sizeof(T));
    if (source.size() == sizeof(T)) std::memcpy(&otherwise, source.data(), sizeof(T));
    return otherwise;
  }
  template <typename... T>
  void read_into(T&... values) noexcept {
    ((values = read<T>()), ...);
  }
  [[nodiscard]] bool read_bool(bool otherwise = false) noexcept { return read<std::uint8_t>(otherwise ? 1 : 0) != 0; }
  /// Reads a half-precision float, including infinities and NaN.
  [[nodiscard]] float read_half(float otherwise) noexcept {
    return glm::unpackHalf1x16(read<std::uint16_t>(glm::packHalf1x16(otherwise)));
  }

  /// Returns the next `count` bytes, or fewer at the end.
  std::span<const std::byte> take(std::uint64_t count) noexcept {
    const std::uint64_t taken = std::min(count, remaining());
    // Older files end before a field; only one that ends within a field is truncated.
    if (taken < count && taken > 0) truncated_ = true;
    const auto result = bytes_.subspan(position_, taken);
    position_ += taken;
    return result;
  }
  /// Returns a cursor over the next `count` bytes.
  [[nodiscard]] Fields part(std::uint64_t count) noexcept {
    const std::uint64_t start = offset();
    Fields result(take(count), start);
    result.truncated_ = result.remaining() < count;
    truncated_ = truncated_ || result.truncated_;
    return result;
  }

  /// Reads a premultiplied color.
  [[nodiscard]] Rgba read_color() noexcept {
    std::uint8_t red = 0, green = 0, blue = 0, alpha = 0;
    read_into(red, green, blue, alpha);
    const auto straight = [&](std::uint8_t channel) {
      return static_cast<std::uint8_t>(alpha == 0 ? 0 : std::min((channel * 255 + alpha / 2) / alpha, 255));
    };
    return {straight(red), straight(green), straight(blue), alpha};
  }

  /// Reads an identifier of `bytes` bytes, or one whose length precedes it as a uint16.
  [[nodiscard]] std::string_view read_id(std::uint64_t bytes) noexcept {
    const auto taken = take(bytes);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  [[nodiscard]] std::string_view read_id() noexcept { return read_id(read<std::uint16_t>()); }
  /// Reads a name. Invalid UTF-8 becomes U+FFFD.
  [[nodiscard]] std::string read_name(std::uint64_t bytes) {
    std::string_view rest = read_id(bytes);
    std::string name;
    while (const auto invalid = find_invalid_utf8(rest)) {
      name.append(rest.substr(0, *invalid)).append("\xEF\xBF\xBD");
      rest.remove_prefix(*invalid + 1);
    }
    return name.append(rest);
  }

  /// Calls `read_element` for each element of an array: a uint64 count, then elements of at least `min_bytes` each. A
  /// count that exceeds the part skips the rest of it.
  template <typename Read>
  void read_array(std::uint64_t min_bytes, Read read_element) {
    const auto count = read<std::uint64_t>();
    std::uint64_t i = 0;
    if (count <= remaining() / min_bytes) {
      for (; i < count && remaining() > 0; ++i) read_element(*this);
      if (i == count) return;
    }
    position_ = bytes_.size();
    truncated_ = true;
  }

  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_ + position_; }  ///< Offset in the file.
  [[nodiscard]] std::uint64_t remaining() const noexcept { return bytes_.size() - position_; }
  [[nodiscard]] bool truncated() const noexcept { return truncated_; }

 private:
  std::span<const std::byte> bytes_;
  std::uint64_t offset_ = 0;
  std::uint64_t position_ = 0;
  bool truncated_ = false;
};

/// A header, and the content whose size is the header's first number.
struct Model {
  Fields header;
  Fields content;
  std::uint64_t offset;
};

template <typename Size>
Model read_model(Fields& fields, std::uint64_t header_bytes) noexcept {
  const std::uint64_t offset = fields.offset();
  Fields header = fields.part(header_bytes);
  const auto size = header.read<Size>();
  return {header, fields.part(size), offset};
}

constexpr std::uint64_t kHeaderBytes = 64, kShortHeader = 16, kLongHeader = 32;
constexpr std::size_t kUsualIdBytes = 36;
/// Limit of each list, one less than the maximum number of clips.
constexpr std::size_t kMaxModels = 65534;
constexpr std::uint64_t kMaxCanvasPixels = std::uint64_t{64} << 20;
constexpr std::uint32_t kMaxCanvasSide = 16384;
constexpr std::array kEntryKinds{LayerKind::layer, LayerKind::group, LayerKind::reference, LayerKind::tilemap};
/// Parts of the file with the items of each kind.
constexpr std::array<std::string_view, 4> kSections{"layers", "groups", "tilemapLayers", "referenceLayers"};
constexpr std::array<std::string_view, 4> kEffects{"color overlay", "outline", "anti-alias", "pattern"};
constexpr std::array<std::string_view, 4> kPostProcessors{"CRT", "vignette", "bloom", "round pixel"};

bool is_canvas(std::uint32_t width, std::uint32_t height) noexcept {
  return width > 0 && height > 0 && std::max(width, height) <= kMaxCanvasSide &&
         std::uint64_t{width} * height <= kMaxCanvasPixels;
}

bool is_printable(std::string_view text) noexcept {
  return std::ranges::all_of(text, [](char letter) { return letter > 0x20 && letter < 0x7F; });
}

/// Whether a tilemap's header is only its size, as in the specification, followed by the layer's identifier. Pixquare
/// itself writes zeros there.
bool has_bare_header(Fields ahead) {
  const auto size = ahead.read<std::uint32_t>();
  const auto id_bytes = ahead.read<std::uint16_t>();
  if (id_bytes == 0 || id_bytes + sizeof(id_bytes) > size || id_bytes > ahead.remaining()) return false;
  return is_printable(ahead.read_id(id_bytes));
}

std::vector<ArtworkVanishingPoint> read_vanishing_points(Fields& content) {
  std::vector<ArtworkVanishingPoint> points;
  content.read_array(sizeof(float), [&](Fields& from) { points.push_back({.x = from.read<float>()}); });
  const auto read_each = [&](auto read_into) {
    std::size_t i = 0;
    content.read_array(4, [&](Fields& from) {
      ArtworkVanishingPoint ignored;
      read_into(from, i < points.size() ? points[i] : ignored);
      ++i;
    });
  };
  read_each([](Fields& from, ArtworkVanishingPoint& point) { from.read_into(point.y); });
  read_each([](Fields& from, ArtworkVanishingPoint& point) { from.read_into(point.lines); });
  read_each([](Fields& from, ArtworkVanishingPoint& point) { point.color = from.read_color(); });
  return points;
}

/// Adds a frame to an item.
artwork::Frame& read_frame(Fields& fields, Item& item) {
  auto [header, content, offset] = read_model<std::uint32_t>(fields, kLongHeader);
  content.take(header.read<std::uint8_t>());  // identifier
  artwork::Frame& frame = item.frames.emplace_back();
  frame.ms = content.read<std::uint32_t>();
  content.take(1);  // selected
  item.content_ids.push_back(content.read_id(header.read<std::uint8_t>()));
  frame.opacity = content.read_half(artwork::Frame::kInherited);
  content.read_into(frame.z_index);
  return frame;
}

void skip_model(Fields& fields) {
  if (fields.remaining() > 0) (void)read_model<std::uint16_t>(fields, kShortHeader);
}

/// Reads one file. Warns about truncated models and unusable values.
class Reader {
 public:
  Reader(Fields fields, Warnings& warnings) : fields_(fields), warnings_(warnings) {}

  Expected<File, Diagnostic> read(std::uint64_t id_bytes) {
    fields_.take(id_bytes);
    const std::uint64_t size_offset = fields_.offset();
    fields_.read_into(file_.model.width, file_.model.height);
    if (!is_canvas(file_.model.width, file_.model.height)) {
      return Unexpected(diagnose(DiagnosticId::px_canvas_size, {.path = "canvas", .offset = size_offset},
                                 "is {} x {} pixels, but each side must be 1 to {}, with 64 megapixels in total",
                                 file_.model.width, file_.model.height, kMaxCanvasSide));
    }
    section("entries", [&](Fields& fields) { file_.entries = read_entries(fields); });
    read_items(LayerKind::group);
    read_items(LayerKind::layer);
    array("frameContents", kLongHeader, [&](Fields& fields) { read_content(fields); });
    array("palette", 4, [&](Fields& fields) { file_.model.palette.push_back(fields.read_color()); });
    const std::size_t first_reference = file_.items.size();
    read_items(LayerKind::reference);
    read_reference_images(first_reference);
    models("symmetryLines", kShortHeader, file_.model.symmetry_lines,
           [&](Fields& fields) { return read_symmetry_line(fields); });
    models("tags", kShortHeader, file_.model.tags, [&](Fields& fields) { return read_tag(fields); });
    models("tilesets", kLongHeader, file_.tilesets, [&](Fields& fields) { return read_tileset(fields); });
    read_items(LayerKind::tilemap);
    array("tilemapFrameContents", kLongHeader, [&](Fields& fields) { read_tilemap_content(fields); });
    section("colorDepth", [&](Fields& fields) { file_.model.indexed = fields.read<std::uint8_t>() == 1; });
    section("stats", skip_model);
    section("canvasGrid", [&](Fields& fields) {
      fields.take(1);
      ArtworkCanvasGrid grid;
      fields.read_into(grid.cell_width, grid.cell_height);
      grid.first_color = fields.read_color();
      grid.second_color = fields.read_color();
      if (grid.cell_width > 0 && grid.cell_height > 0) file_.model.canvas_grid = grid;
    });
    section("guideLine", [&](Fields& fields) {
      if (fields.remaining() > 0) file_.model.guide = read_guide(fields);
    });
    array("postProcessors", kShortHeader, [&](Fields& fields) {
      auto [header, content, offset] = read_model<std::uint16_t>(fields, kShortHeader);
      warn_not_drawn("post-processor", kPostProcessors, header.read<std::uint8_t>(), {"artwork", {}, offset});
    });
    section("paletteOrganization", skip_model);
    section("tiledCorners", [](Fields& fields) { fields.take(2); });
    array("modifiers", kShortHeader, [&](Fields& fields) { file_.model.speed *= read_speed(fields); });
    if (fields_.remaining() > 0) {
      warn(warnings_, DiagnosticId::px_unknown, {.offset = fields_.offset()},
           "{} bytes follow the last known part of the file", fields_.remaining());
    }
    return std::move(file_);
  }

 private:
  /// Calls `read_it` with the fields, and warns if they are truncated there.
  template <typename Read>
  void section(std::string_view name, Read read_it) {
    if (truncated_) return;
    const std::uint64_t offset = fields_.offset();
    read_it(fields_);
    truncated_ = fields_.truncated();
    if (!truncated_) return;
    warn(warnings_, DiagnosticId::px_damaged, {name, {}, offset}, "is truncated, and everything after it is missing");
  }

  template <typename Read>
  void array(std::string_view name, std::uint64_t min_bytes, Read read_element) {
    section(name, [&](Fields& fields) { fields.read_array(min_bytes, read_element); });
  }

  /// Keeps a limited number of models, because one takes more memory than its minimum size in the file.
  template <typename Kept, typename Read>
  void models(std::string_view name, std::uint64_t min_bytes, std::vector<Kept>& kept, Read read_one) {
    array(name, min_bytes, [&](Fields& fields) {
      const std::uint64_t offset = fields.offset();
      Kept model = read_one(fields);
      if (kept.size() < kMaxModels) {
        kept.push_back(std::move(model));
      } else {
        warn(warnings_, DiagnosticId::px_damaged, {name, {}, offset}, "has more than {} entries; the rest are ignored",
             kMaxModels);
      }
    });
  }

  /// Warns that an effect of type `type` is not drawn.
  void warn_not_drawn(std::string_view what, std::span<const std::string_view> names, std::uint8_t type, const At& at) {
    if (type < names.size()) {
      warn(warnings_, DiagnosticId::px_effect_ignored, at, "uses the {} \"{}\", which is not drawn", what, names[type]);
    } else {
      warn(warnings_, DiagnosticId::px_unknown, at, "uses the {} type {}, which is unknown", what, type);
    }
  }

  /// Warns if a model is truncated, with the offset of its end.
  void warn_if_truncated(const Fields& content, const At& at) {
    if (!content.truncated()) return;
    warn(warnings_, DiagnosticId::px_damaged, {at.path, at.name, content.offset()},
         "is truncated; the missing fields have their defaults");
  }

  /// Reads radians; returns degrees.
  float read_angle(Fields& fields, const At& at) {
    const auto radians = fields.read<float>();
    // Check the degrees: radians that fit a float can overflow.
    const float degrees = radians * (180 / std::numbers::pi_v<float>);
    if (std::isfinite(degrees)) return degrees;
    warn(warnings_, DiagnosticId::px_value_replaced, at, "has angle {}, which is not usable; 0 is used instead",
         radians);
    return 0;
  }

  std::vector<Entry> read_entries(Fields& fields) {
    std::vector<Entry> entries;
    fields.read_array(kShortHeader, [&](Fields& from) {
      auto [header, content, offset] = read_model<std::uint32_t>(from, kShortHeader);
      const auto type = header.read<std::uint8_t>();
      const std::string_view id = content.read_id(content.read<std::uint8_t>());
      if (type < kEntryKinds.size()) {
        entries.push_back({kEntryKinds[type], id});
      } else {
        warn(warnings_, DiagnosticId::px_unknown, {"artwork", {}, offset}, "has an entry of unknown type {}", type);
      }
    });
    return entries;
  }

  void read_items(LayerKind kind) {
    const std::uint64_t min_bytes = kind == LayerKind::tilemap ? sizeof(std::uint32_t) : kLongHeader;
    models(kSections[static_cast<std::size_t>(kind)], min_bytes, file_.items,
           [&](Fields& fields) { return read_item(kind, fields); });
  }

  void read_content(Fields& fields) {
    auto [header, content, offset] = read_model<std::uint64_t>(fields, kLongHeader);
    file_.content_ids.push_back(content.read_id(header.read<std::uint8_t>()));
    file_.model.contents.push_back(
        {.pixels = {content.take(content.remaining()), true, offset}, .box = artwork::canvas_of(file_.model)});
  }

  void read_tilemap_content(Fields& fields) {
    Fields content = read_model<std::uint64_t>(fields, kLongHeader).content;
    file_.tilemap_content_ids.push_back(content.read_id());
    artwork::TilemapContent& result = file_.model.tilemap_contents.emplace_back();
    content.read_into(result.tile_width, result.tile_height);
    // Pixquare counts this array in bytes, unlike all others. Programs that follow the specification count cells.
    const auto length = content.read<std::uint64_t>();
    const bool counts_cells = length > 0 && content.remaining() / 2 == length && content.remaining() % 2 == 0;
    result.cells = {content.take(counts_cells ? content.remaining() : length), false};
  }

  Item read_item(LayerKind kind, Fields& fields) {
    const bool is_bare = kind == LayerKind::tilemap && has_bare_header(fields);
    auto [header, content, offset] = read_model<std::uint32_t>(fields, is_bare ? sizeof(std::uint32_t) : kLongHeader);
    Item item;
    item.kind = kind;
    item.offset = offset;
    if (kind == LayerKind::tilemap) {
      item.id = content.read_id();
      item.tileset_id = content.read_id();
      item.name = content.read_name(content.read<std::uint16_t>());
    } else {
      const auto png_bytes = kind == LayerKind::reference ? header.read<std::uint64_t>() : 0;
      item.id = content.read_id(header.read<std::uint8_t>());
      item.png = content.take(png_bytes);
      item.name = content.read_name(header.read<std::uint8_t>());
    }
    switch (kind) {
      case LayerKind::layer:
        read_state(content, item);
        read_masks(content, item);
        content.read_array(kShortHeader, [&](Fields& from) {
          auto [effect_header, effect, effect_offset] = read_model<std::uint64_t>(from, kShortHeader);
          const auto type = effect_header.read<std::uint8_t>();
          const bool enabled = type >= kEffects.size() || effect.read_bool();
          if (enabled) warn_not_drawn("effect", kEffects, type, {"layer", item.name, effect_offset});
        });
        break;
      case LayerKind::group:
        item.children = read_entries(content);
        read_look(content, item);
        content.take(3);  // locked, selected, alpha-locked
        item.expanded = content.read_bool(true);
        read_masks(content, item);
        break;
      case LayerKind::tilemap:
        read_state(content, item);
        item.tag_color = content.read_color();
        break;
      case LayerKind::reference: {
        ArtworkReference& reference = item.reference.emplace();
        read_look(content, item);
        content.take(1);  // selected
        content.read_into(reference.left, reference.top, reference.width, reference.height);
        reference.rotation_degrees = read_angle(content, place_of(item));
        item.tag_color = content.read_color();
        const auto flips = content.read<std::uint8_t>();
        reference.flipped_horizontally = (flips & 1U) != 0;
        reference.flipped_vertically = (flips & 2U) != 0;
        break;
      }
    }
    warn_if_truncated(content, place_of(item));
    return item;
  }

  void read_look(Fields& content, Item& item) {
    item.opacity = content.read_half(1);
    if (!(item.opacity >= 0 && item.opacity <= 1)) {
      warn(warnings_, DiagnosticId::px_value_replaced, place_of(item), "has opacity {}, but it must be 0 to 1",
           item.opacity);
      item.opacity = item.opacity < 0 ? 0.0F : 1.0F;
    }
    item.visible = content.read_bool(true);
  }

  /// Reads the fields that layers and tilemaps share, from the frames to the linked flag.
  void read_state(Fields& content, Item& item) {
    bool replaced = false;
    content.read_array(kLongHeader, [&](Fields& fields) {
      artwork::Frame& frame = read_frame(fields, item);
      if (frame.opacity == artwork::Frame::kInherited || (frame.opacity >= 0 && frame.opacity <= 1)) return;
      frame.opacity = artwork::Frame::kInherited;
      replaced = true;
    });
    if (replaced) {
      warn(warnings_, DiagnosticId::px_value_replaced, place_of(item),
           "has a frame whose opacity is neither 0 to 1 nor 2; the layer's opacity is used");
    }
    read_look(content, item);
    content.take(3);  // locked, selected, alpha-locked
    const auto blend = content.read<std::uint16_t>();
    if (blend <= static_cast<std::uint16_t>(BlendMode::luminosity)) {
      item.blend = static_cast<BlendMode>(blend);
    } else {
      warn(warnings_, DiagnosticId::px_unknown, place_of(item), "uses unknown blend mode {}; it is drawn as normal",
           blend);
    }
    content.take(1);  // linked
  }

  void read_masks(Fields& content, Item& item) {
    item.cropping = read_entries(content);
    item.clipping = read_entries(content);
    item.tag_color = content.read_color();
  }

  /// Reads the separate list of images. They belong, in order, to reference layers without an image of their own.
  void read_reference_images(std::size_t first_reference) {
    std::size_t number = first_reference;
    array("referenceImages", 8, [&](Fields& fields) {
      const auto png = fields.take(fields.read<std::uint64_t>());
      if (number < file_.items.size() && file_.items[number].png.empty()) file_.items[number].png = png;
      ++number;
    });
    for (Item& item : std::span(file_.items).subspan(first_reference)) {
      if (!is_png(item.png)) continue;
      const PngSize size = png_size(item.png).value_or(PngSize{});
      item.reference->image_width = size.width;
      item.reference->image_height = size.height;
    }
  }

  Tileset read_tileset(Fields& fields) {
    auto [header, content, offset] = read_model<std::uint32_t>(fields, kLongHeader);
    Tileset result;
    result.id = content.read_id();
    result.offset = offset;
    result.name = content.read_name(content.read<std::uint16_t>());
    content.read_into(result.tile_width, result.tile_height);
    content.read_array(sizeof(std::uint64_t),
                       [&](Fields& from) { result.tiles.push_back(from.take(from.read<std::uint64_t>())); });
    result.tile_count = static_cast<std::uint32_t>(result.tiles.size());
    result.columns = content.read<std::uint16_t>(6);
    warn_if_truncated(content, {"tileset", result.name});
    return result;
  }

  ArtworkTag read_tag(Fields& fields) {
    auto [header, content, offset] = read_model<std::uint32_t>(fields, kShortHeader);
    content.take(header.read<std::uint8_t>());  // identifier
    ArtworkTag tag{content.read_name(header.read<std::uint8_t>())};
    tag.first_frame = content.read<std::uint16_t>();
    tag.last_frame = content.read<std::uint16_t>();
    content.take(1);  // selected
    tag.color = content.read_color();
    const auto direction = content.read<std::uint8_t>();
    if (direction <= static_cast<std::uint8_t>(TagDirection::ping_pong)) {
      tag.direction = static_cast<TagDirection>(direction);
    } else {
      warn(warnings_, DiagnosticId::px_unknown, {"tag", tag.name, offset}, "has unknown direction {}; it plays forward",
           direction);
    }
    tag.repeats = content.read<std::uint16_t>();
    tag.enabled = content.read_bool(true);
    return tag;
  }

  ArtworkSymmetry read_symmetry_line(Fields& fields) {
    auto [header, content, offset] = read_model<std::uint32_t>(fields, kShortHeader);
    content.take(header.read<std::uint8_t>());  // identifier
    ArtworkSymmetry line;
    line.color = content.read_color();
    content.take(1);  // selected
    line.enabled = content.read_bool();
    content.read_into(line.x, line.y);
    line.rotation_degrees = read_angle(content, {"symmetry line", {}, offset});
    line.segments = content.read<std::uint8_t>();
    line.kind = content.read<std::uint8_t>() == 1 ? SymmetryKind::rotate : SymmetryKind::mirror;
    return line;
  }

  /// Returns nothing if the guide has no cells or an unknown type.
  std::optional<ArtworkGuide> read_guide(Fields& fields) {
    constexpr std::uint64_t kGuideHeaderBytes = 14;
    const At at{"guide", {}, fields.offset()};
    ArtworkGuide guide;
    const auto read_cells = [&](Fields& from) {
      from.read_into(guide.cell_width, guide.cell_height);
      guide.color = from.read_color();
      return guide.cell_width > 0 && guide.cell_height > 0;
    };
    Fields ahead = fields;
    if (ahead.read<std::uint32_t>() != 0 || fields.remaining() <= kGuideHeaderBytes) {
      // Older files, and the specification, have the guide itself here, without a header.
      const bool has_cells = read_cells(fields);
      if (fields.read_bool()) guide.kind = GuideKind::isometric;
      guide.visible = fields.read_bool();
      return has_cells ? std::optional(guide) : std::nullopt;
    }
    Fields header = fields.part(kGuideHeaderBytes);
    header.take(sizeof(std::uint32_t));
    Fields content = fields.part(header.read<std::uint16_t>());
    const auto type = header.read<std::uint8_t>();
    if (content.remaining() == 0) return std::nullopt;
    if (type > static_cast<std::uint8_t>(GuideKind::perspective)) {
      warn(warnings_, DiagnosticId::px_unknown, at, "has unknown type {}", type);
      return std::nullopt;
    }
    guide.kind = static_cast<GuideKind>(type);
    if (guide.kind == GuideKind::perspective) {
      guide.points = read_vanishing_points(content);
    } else if (!read_cells(content)) {
      return std::nullopt;
    }
    guide.visible = content.read_bool();
    return guide;
  }

  /// Returns the speed factor of a modifier, 1 if it has no effect.
  double read_speed(Fields& fields) {
    auto [header, content, offset] = read_model<std::uint64_t>(fields, kShortHeader);
    const At at{"artwork", {}, offset};
    const auto type = header.read<std::uint8_t>();
    if (type != 0) {
      warn(warnings_, DiagnosticId::px_unknown, at, "has a modifier of unknown type {}", type);
      return 1;
    }
    (void)content.read_id();
    const bool enabled = content.read_bool();
    const auto multiplier = content.read<float>(1);
    if (!enabled) return 1;
    constexpr float kMax = 1000;
    if (multiplier >= 1 / kMax && multiplier <= kMax) return multiplier;
    warn(warnings_, DiagnosticId::px_value_replaced, at, "has speed {}, but it must be 1/1000 to 1000", multiplier);
    return 1;
  }

  Fields fields_;
  Warnings& warnings_;
  File file_;
  bool truncated_ = false;
};

constexpr std::size_t kMaxNodes = 1U << 14;
/// Maximum number of entries followed, whether they lead to a layer or not.
constexpr std::size_t kMaxVisits = 1U << 18;
constexpr int kMaxDepth = 32;

/// Builds the tree from the entries of a file. Skips, with a warning, items that are missing, already placed or would
/// contain themselves, and entries beyond 32 levels or 16,384 nodes.
class TreeMaker {
 public:
  TreeMaker(File& file, Warnings& warnings) : file_(file), warnings_(warnings), state_(file.items.size()) {
    for (std::uint32_t i = 0; i < file.items.size(); ++i) {
      const Item& item = file.items[i];
      if (numbers_[static_cast<std::size_t>(item.kind)].emplace(item.id, i).second) continue;
      warn(warnings, DiagnosticId::px_entry_ignored, place_of(item), "has the same identifier as an earlier layer");
    }
  }

  void make() { file_.model.roots = place_all(file_.entries, -1, LayerUse::drawn); }

 private:
  struct State {
    bool open = false;   ///< Its children or masks are being placed.
    bool drawn = false;  ///< It has its own place, other than as a mask or within one.
  };

  /// Places entries from top to bottom. Returns the nodes from bottom to top.
  std::vector<std::uint32_t> place_all(const std::vector<Entry>& entries, std::int32_t parent, LayerUse use) {
    std::vector<std::uint32_t> placed;
    for (const Entry& entry : std::views::reverse(entries)) {
      if (++visits_ > kMaxVisits || nodes_.size() == kMaxNodes) {
        leave_out(entry, parent, "but there are too many layers and masks");
        break;
      }
      if (const auto node = place(entry, parent, use)) placed.push_back(*node);
    }
    std::ranges::reverse(placed);
    return placed;
  }

  std::optional<std::uint32_t> place(const Entry& entry, std::int32_t parent, LayerUse use) {
    const auto& numbers = numbers_[static_cast<std::size_t>(entry.kind)];
    const auto found = numbers.find(entry.id);
    if (found == numbers.end()) return leave_out(entry, parent, "which does not exist");
    State& state = state_[found->second];
    if (state.open) return leave_out(entry, parent, "which would contain itself");
    const bool is_mask = use != LayerUse::drawn;
    const bool has_own_place = !is_mask && masks_ == 0;
    if (has_own_place && state.drawn) return leave_out(entry, parent, "which is already in another place");
    if (depth_ == kMaxDepth) return leave_out(entry, parent, "which is nested deeper than 32 levels");
    state.drawn = state.drawn || has_own_place;
    state.open = true;
    ++depth_;
    masks_ += is_mask ? 1 : 0;
    const auto number = nodes_.size();
    nodes_.push_back({found->second, parent, use});
    const Item& item = file_.items[found->second];
    const auto place_inside = [&](const std::vector<Entry>& entries, LayerUse inner_use, auto member) {
      // Look the node up again: placing others can reallocate the nodes.
      auto placed = place_all(entries, static_cast<std::int32_t>(number), inner_use);
      nodes_[number].*member = std::move(placed);
    };
    place_inside(item.clipping, LayerUse::clipping_mask, &artwork::Node::clipping);
    place_inside(item.cropping, LayerUse::cropping_mask, &artwork::Node::cropping);
    place_inside(item.children, LayerUse::drawn, &artwork::Node::children);
    masks_ -= is_mask ? 1 : 0;
    --depth_;
    state.open = false;
    return static_cast<std::uint32_t>(number);
  }

  std::nullopt_t leave_out(const Entry& entry, std::int32_t parent, std::string_view why) {
    const At at = parent >= 0 ? place_of(file_.items[nodes_[static_cast<std::size_t>(parent)].item]) : At{"artwork"};
    warn(warnings_, DiagnosticId::px_entry_ignored, at, "lists {} \"{}\", {}", name_of(entry.kind), printable(entry.id),
         why);
    return std::nullopt;
  }

  File& file_;
  std::vector<artwork::Node>& nodes_ = file_.model.nodes;
  Warnings& warnings_;
  std::array<std::unordered_map<std::string_view, std::uint32_t>, 4> numbers_;  ///< Items by kind and identifier.
  std::vector<State> state_;
  std::size_t visits_ = 0;
  int depth_ = 0;
  int masks_ = 0;  ///< Number of masks around the current entry.
};

using Numbers = std::unordered_map<std::string_view, std::int32_t>;

/// Returns the number of each identifier; the first of equal ones counts.
template <typename Items, typename IdOf>
Numbers numbers_of(const Items& items, IdOf id_of) {
  Numbers numbers;
  for (const auto& item : items) {
    numbers.emplace(std::invoke(id_of, item), static_cast<std::int32_t>(&item - items.data()));
  }
  return numbers;
}

std::int32_t number_of(const Numbers& numbers, std::string_view id, std::int32_t otherwise) {
  const auto found = numbers.find(id);
  return found == numbers.end() ? otherwise : found->second;
}

/// Turns the identifiers of a file into indices.
artwork::Model resolved(File file, Warnings& warnings) {
  TreeMaker(file, warnings).make();
  const Numbers contents = numbers_of(file.content_ids, std::identity());
  const Numbers tilemap_contents = numbers_of(file.tilemap_content_ids, std::identity());
  const Numbers tilesets = numbers_of(file.tilesets, &Tileset::id);
  for (Item& item : file.items) {
    const bool is_tiled = item.kind == LayerKind::tilemap;
    if (is_tiled) item.tileset = number_of(tilesets, item.tileset_id, -1);
    for (std::size_t i = 0; i < item.frames.size(); ++i) {
      if (item.content_ids[i].empty()) continue;
      item.frames[i].content =
          number_of(is_tiled ? tilemap_contents : contents, item.content_ids[i], artwork::Frame::kMissing);
    }
    file.model.items.push_back(std::move(item));
  }
  for (Tileset& tileset : file.tilesets) file.model.deflated_tilesets.push_back(std::move(tileset));
  return std::move(file.model);
}

}  // namespace
}  // namespace pchr::px

namespace pchr {

// The format has no magic number. Pixquare writes a header of zeros and an identifier of 36 characters. Other files
// need the right size, an identifier and a valid canvas.
bool looks_like_px(const Source& source) {
  using namespace px;
  const std::span<const std::byte> bytes = source.bytes;
  if (bytes.size() < kHeaderBytes) return false;
  Fields fields(bytes);
  const auto size = fields.read<std::uint64_t>();
  const auto id_bytes = fields.read<std::uint8_t>();
  fields.take(kHeaderBytes - sizeof(size) - sizeof(id_bytes));
  const std::string_view id = fields.read_id(id_bytes);
  if (id.size() < id_bytes || !is_printable(id)) return false;
  const auto is_zero = [](std::byte byte) { return byte == std::byte{0}; };
  if (id_bytes == kUsualIdBytes && std::ranges::all_of(bytes.subspan(11, kHeaderBytes - 11), is_zero)) return true;
  const auto width = fields.read<std::uint32_t>(), height = fields.read<std::uint32_t>();
  return id_bytes > 0 && (size == bytes.size() || size == bytes.size() - kHeaderBytes) && is_canvas(width, height);
}

Expected<Imported, LoadError> read_px(const Source& source, const ReaderOptions& options) {
  using namespace px;
  Warnings warnings;
  Fields fields(source.bytes);
  Fields header = fields.part(kHeaderBytes);
  const auto size = header.read<std::uint64_t>();
  const auto id_bytes = header.read<std::uint8_t>();
  // The specification counts the header; Pixquare does not.
  if (size != fields.remaining() && size != source.bytes.size()) {
    warn(warnings, DiagnosticId::px_damaged, {.offset = 0}, "the header declares {} bytes, but {} follow it", size,
         fields.remaining());
  }
  auto file = Reader(fields.part(std::min(size, fields.remaining())), warnings).read(id_bytes);
  if (!file) return Unexpected(std::move(file.error()));
  artwork::Model model = resolved(*std::move(file), warnings);
  return artwork::import_artwork(std::move(model), options, "Pixquare PX", std::move(warnings));
}

}  // namespace pchr
