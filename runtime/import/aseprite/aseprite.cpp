// SPDX-License-Identifier: MIT
// Reads .aseprite and .ase files: a header, then frames, each with a list of chunks. Layers are numbered in file order,
// from bottom to top; a cel is the content of one layer in one frame.
#include "import/artwork/artwork.hpp"

#include "character/byte_reader.hpp"
#include "character/utf8.hpp"
#include "import/formats.hpp"

#include <cmath>
#include <cstdlib>
#include <ranges>
#include <unordered_map>

namespace pchr::aseprite {
namespace {

using artwork::place_of;

constexpr std::size_t kHeaderBytes = 128, kFrameHeaderBytes = 16, kChunkHeaderBytes = 6;
constexpr std::uint16_t kMagic = 0xA5E0, kFrameMagic = 0xF1FA;
/// Offsets of the magic number and of the color depth.
constexpr std::size_t kMagicOffset = 4, kDepthOffset = 12;

/// Limit of tags, tilesets and slices, one less than the maximum number of clips.
constexpr std::size_t kMaxModels = 65534;
constexpr std::size_t kMaxLayers = std::size_t{1} << 14;
constexpr std::size_t kMaxDepth = 32;
/// Maximum number of frames of all layers, up to the last that each shows. They can be many more than the cels.
constexpr std::size_t kMaxLayerFrames = std::size_t{1} << 20;
constexpr std::size_t kMaxColors = std::size_t{1} << 16;
constexpr std::size_t kMaxIndices = 256;
constexpr std::size_t kMaxPalettes = 1024;
/// Pixels from the canvas up to which a pivot is accepted.
constexpr std::int32_t kMaxPivot = 1 << 20;
constexpr std::uint32_t kTilesetColumns = 16;

enum class ChunkType : std::uint16_t {
  old_palette = 0x0004,
  six_bit_palette = 0x000B,
  specified_six_bit_palette = 0x0011,  ///< As the specification has it. Programs write the number 11.
  layer = 0x2004,
  cel = 0x2005,
  cel_extra = 0x2006,
  color_profile = 0x2007,
  external_files = 0x2008,
  mask = 0x2016,
  path = 0x2017,
  tags = 0x2018,
  palette = 0x2019,
  user_data = 0x2020,
  slice = 0x2022,
  tileset = 0x2023
};

/// A file that the artwork refers to.
struct ExternalFile {
  std::uint8_t type = 0;
  std::string name;
};
constexpr std::uint8_t kExternalPalette = 0, kExternalTileset = 1;

/// What the next user data belongs to.
enum class Owner : std::uint8_t { nothing, artwork, layer, cel, tag, slice, tileset };

/// Returns the text with U+FFFD in place of invalid UTF-8.
std::string valid_text(std::string_view rest) {
  std::string text;
  while (const auto invalid = find_invalid_utf8(rest)) {
    text.append(rest.substr(0, *invalid)).append("\xEF\xBF\xBD");
    rest.remove_prefix(*invalid + 1);
  }
  return text.append(rest);
}

Rgba read_color(ByteReader& from) noexcept {
  Rgba color;
  from.read_into(color.red, color.green, color.blue, color.alpha);
  return color;
}

double read_fixed(ByteReader& from) noexcept { return from.read<std::int32_t>() / 65536.0; }

/// Returns the description of an ICC profile, in ASCII; empty if it has none.
std::string profile_name(std::span<const std::byte> icc) {
  const auto byte = [&](std::size_t at) { return at < icc.size() ? std::to_integer<std::uint32_t>(icc[at]) : 0; };
  const auto number = [&](std::size_t at) {
    return byte(at) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3);
  };
  constexpr std::uint32_t kDescription = 0x64657363, kLocalized = 0x6D6C7563;  // "desc", "mluc"
  constexpr std::size_t kTags = 132, kTagBytes = 12, kMaxTags = 100, kMaxLetters = 100;
  for (std::size_t tag = 0; tag < std::min<std::size_t>(number(kTags - 4), kMaxTags); ++tag) {
    const std::size_t place = kTags + tag * kTagBytes;
    if (number(place) != kDescription) continue;
    const std::size_t start = number(place + 4);
    const bool is_localized = number(start) == kLocalized;
    // Older profiles have a length and ASCII; newer ones a table of languages with the length and place of UTF-16.
    const std::size_t letter_bytes = is_localized ? 2 : 1;
    const std::size_t text = is_localized ? start + number(start + 24) + 1 : start + 12;
    const std::size_t letters = is_localized ? number(start + 20) / 2 : number(start + 8);
    std::string name;
    for (std::size_t i = 0; i < std::min(letters, kMaxLetters); ++i) {
      const std::uint32_t letter = byte(text + i * letter_bytes);
      if (letter >= 0x20 && letter < 0x7F) name += static_cast<char>(letter);
    }
    return name;
  }
  return {};
}

/// Reads one file. Warns about damage and about what is not drawn.
class Reader {
 public:
  Reader(std::span<const std::byte> bytes, Warnings& warnings) : bytes_(bytes), warnings_(warnings) {}

  Expected<artwork::Model, Diagnostic> read() {
    if (auto problem = read_header()) return Unexpected(*std::move(problem));
    std::uint64_t position = kHeaderBytes;
    for (frame_ = 0; frame_ < frame_count_; ++frame_) {
      const auto size = read_frame(position);
      if (!size) break;
      if (layer_frames_ > kMaxLayerFrames) {
        return Unexpected(diagnose(DiagnosticId::limit_exceeded, {.path = path("frames", frame_)},
                                   "makes more than {} frames of all layers", kMaxLayerFrames));
      }
      position += *size;
    }
    if (frame_ == frame_count_ && position < bytes_.size()) {
      warn(warnings_, DiagnosticId::px_unknown, {.offset = position}, "{} bytes follow the last frame",
           bytes_.size() - position);
    }
    resolve_tilesets();
    make_tree();
    for (Layer& layer : items_) model_.items.push_back(std::move(static_cast<artwork::Item&>(layer)));
    return std::move(model_);
  }

 private:
  static std::string path(std::string_view list, std::size_t index) { return fmt::format("{}[{}]", list, index); }

  std::optional<Diagnostic> read_header() {
    if (bytes_.size() < kHeaderBytes) {
      return diagnose(DiagnosticId::truncated, {.offset = bytes_.size()},
                      "the header has {} bytes, but the file has {}", kHeaderBytes, bytes_.size());
    }
    ByteReader from(bytes_.first(kHeaderBytes));
    const auto size = from.read<std::uint32_t>();
    (void)from.read<std::uint16_t>();  // magic number
    frame_count_ = from.read<std::uint16_t>();
    model_.width = from.read<std::uint16_t>();
    model_.height = from.read<std::uint16_t>();
    const auto depth = from.read<std::uint16_t>();
    const auto flags = from.read<std::uint32_t>();
    usual_ms_ = from.read<std::uint16_t>();
    (void)from.take(8);
    model_.transparent_index = from.read<std::uint8_t>();
    (void)from.take(3);
    (void)from.read<std::uint16_t>();  // number of colors
    const auto pixel_width = from.read<std::uint8_t>(), pixel_height = from.read<std::uint8_t>();

    model_.editor = artwork::Editor::aseprite;
    has_layer_opacity_ = (flags & 1U) != 0;
    model_.isolates_groups = (flags & 2U) != 0;
    if (model_.width == 0 || model_.height == 0) {
      return diagnose(DiagnosticId::px_canvas_size, {.path = "canvas", .offset = 8},
                      "is {} x {} pixels, but each side must be 1 to 65535", model_.width, model_.height);
    }
    switch (depth) {
      case 32:
        model_.pixel_format = artwork::PixelFormat::rgba;
        break;
      case 16:
        model_.pixel_format = artwork::PixelFormat::gray_alpha;
        break;
      case 8:
        model_.pixel_format = artwork::PixelFormat::index;
        break;
      default:
        return diagnose(DiagnosticId::aseprite_color_depth, {.path = "colorDepth", .offset = kDepthOffset},
                        "is {} bits per pixel, but must be 8, 16 or 32", depth);
    }
    model_.indexed = model_.pixel_format == artwork::PixelFormat::index;
    if (size > bytes_.size()) {
      warn(warnings_, DiagnosticId::px_damaged, {.offset = 0}, "the header declares {} bytes, but the file has {}",
           size, bytes_.size());
    }
    if (pixel_width != 0 && pixel_height != 0 && pixel_width != pixel_height) {
      warn(warnings_, DiagnosticId::aseprite_pixel_ratio, {.path = "canvas", .offset = 34},
           "has pixels of {}:{}, which are drawn as squares", pixel_width, pixel_height);
    }
    return std::nullopt;
  }

  /// Reads the frame at `position` and returns its size, or nothing if no frame is there.
  std::optional<std::uint64_t> read_frame(std::uint64_t position) {
    const auto end_early = [&](std::string_view why) {
      warn(warnings_, DiagnosticId::px_damaged, {.path = path("frames", frame_), .offset = position},
           "{}; {} of {} frames are missing", why, frame_count_ - frame_, frame_count_);
      return std::nullopt;
    };
    const auto rest = bytes_.subspan(position);
    if (rest.size() < kFrameHeaderBytes) return end_early("is beyond the end of the file");
    ByteReader from(rest);
    const auto size = from.read<std::uint32_t>();
    const auto magic = from.read<std::uint16_t>();
    const auto old_count = from.read<std::uint16_t>();
    const auto ms = from.read<std::uint16_t>();
    (void)from.take(2);
    const auto new_count = from.read<std::uint32_t>();
    if (magic != kFrameMagic || size < kFrameHeaderBytes) return end_early("does not start like a frame");
    if (size > rest.size()) {
      warn(warnings_, DiagnosticId::px_damaged, {.path = path("frames", frame_), .offset = position},
           "has {} bytes, but {} are left in the file", size, rest.size());
    }
    constexpr std::uint32_t kDefaultMs = 100;
    model_.frame_ms.push_back(ms != 0 ? ms : usual_ms_ != 0 ? usual_ms_ : kDefaultMs);
    const std::uint64_t end = position + std::min<std::uint64_t>(size, rest.size());
    const std::uint32_t count = new_count != 0 ? new_count : old_count;
    std::uint64_t chunk = position + kFrameHeaderBytes;
    for (std::uint32_t i = 0; i < count && chunk < end; ++i) {
      ByteReader header(bytes_.subspan(chunk, end - chunk));
      const auto chunk_size = header.read<std::uint32_t>();
      const auto type = header.read<std::uint16_t>();
      if (header.failed() || chunk_size < kChunkHeaderBytes || chunk_size > end - chunk) {
        warn(warnings_, DiagnosticId::px_damaged, {.path = chunk_path(i), .offset = chunk},
             "has {} bytes, but must have {} to {}; the rest of the frame is missing", chunk_size, kChunkHeaderBytes,
             end - chunk);
        break;
      }
      chunk_ = i;
      chunk_offset_ = chunk;
      read_chunk(type, ByteReader(bytes_.subspan(chunk + kChunkHeaderBytes, chunk_size - kChunkHeaderBytes)));
      chunk += chunk_size;
    }
    return end - position;
  }

  [[nodiscard]] std::string chunk_path(std::size_t chunk) const {
    return fmt::format("frames[{}].chunks[{}]", frame_, chunk);
  }

  /// Warns about the current chunk.
  template <typename... Args>
  void warn_here(DiagnosticId id, fmt::format_string<Args...> text, Args&&... args) {
    const std::string where = chunk_path(chunk_);
    warn(warnings_, id, {.path = where, .offset = chunk_offset_}, text, std::forward<Args>(args)...);
  }

  void read_chunk(std::uint16_t type, ByteReader from) {
    switch (static_cast<ChunkType>(type)) {
      case ChunkType::old_palette:
      case ChunkType::six_bit_palette:
      case ChunkType::specified_six_bit_palette:
        read_old_palette(from, static_cast<ChunkType>(type) != ChunkType::old_palette);
        break;
      case ChunkType::palette:
        read_palette(from);
        break;
      case ChunkType::layer:
        read_layer(from);
        break;
      case ChunkType::cel:
        read_cel(from);
        break;
      case ChunkType::cel_extra:
        read_cel_extra(from);
        break;
      case ChunkType::color_profile:
        read_color_profile(from);
        break;
      case ChunkType::external_files:
        read_external_files(from);
        break;
      case ChunkType::tags:
        read_tags(from);
        break;
      case ChunkType::user_data:
        read_user_data(from);
        break;
      case ChunkType::slice:
        read_slice(from);
        break;
      case ChunkType::tileset:
        read_tileset(from);
        break;
      case ChunkType::mask:
      case ChunkType::path:
        // Selections that older programs stored.
        break;
      default:
        warn_here(DiagnosticId::px_unknown, "is of unknown type 0x{:04X}", type);
    }
    if (from.failed()) warn_here(DiagnosticId::px_damaged, "ends too early; what is missing in it is not read");
  }

  // Palettes. A chunk in a later frame changes the colors from that frame on.

  [[nodiscard]] const std::vector<Rgba>& palette() const noexcept {
    return palette_ == 0 ? model_.palette : model_.later_palettes[palette_ - std::size_t{1}];
  }

  /// Returns the current colors, of which a later frame needs no more than there are indices. The caller sets them.
  std::vector<Rgba> take_palette() {
    if (frame_ == 0) return std::move(model_.palette);
    std::vector<Rgba> colors = palette();
    colors.resize(std::min(colors.size(), kMaxIndices));
    return colors;
  }

  void set_palette(std::vector<Rgba> colors) {
    if (frame_ == 0) {
      model_.palette = std::move(colors);
      if (items_.empty()) owner_ = Owner::artwork;
    } else if (model_.indexed && colors != palette()) {
      colors.resize(std::min(colors.size(), kMaxIndices));
      if (model_.later_palettes.size() == kMaxPalettes) {
        warn_here(DiagnosticId::px_value_replaced, "is beyond the limit of {} palettes; the previous colors stay",
                  kMaxPalettes);
        return;
      }
      model_.later_palettes.push_back(std::move(colors));
      palette_ = static_cast<std::uint16_t>(model_.later_palettes.size());
    }
  }

  void read_old_palette(ByteReader& from, bool six_bits) {
    if (has_palette_) return;
    std::vector<Rgba> colors = take_palette();
    std::size_t index = 0;
    for (auto packets = from.read<std::uint16_t>(); packets > 0 && !from.failed(); --packets) {
      index += from.read<std::uint8_t>();
      const auto stored_count = from.read<std::uint8_t>();
      for (std::uint32_t count = stored_count == 0 ? 256 : stored_count; count > 0; --count, ++index) {
        Rgba color{.alpha = 255};
        from.read_into(color.red, color.green, color.blue);
        if (from.failed()) break;
        if (index >= kMaxIndices) continue;
        for (std::uint8_t* const channel : {&color.red, &color.green, &color.blue}) {
          if (six_bits) *channel = static_cast<std::uint8_t>((*channel & 63) << 2 | (*channel & 63) >> 4);
        }
        if (index >= colors.size()) colors.resize(index + 1, {0, 0, 0, 255});
        colors[index] = color;
      }
    }
    set_palette(std::move(colors));
  }

  void read_palette(ByteReader& from) {
    const auto size = from.read<std::uint32_t>(), first = from.read<std::uint32_t>(), last = from.read<std::uint32_t>();
    (void)from.take(8);
    if (from.failed()) return;
    // Memory in proportion to the file: few colors can be skipped.
    if (first > last || last >= kMaxColors || first > std::max(palette().size(), kMaxIndices)) {
      warn_here(DiagnosticId::px_damaged, "sets colors {} to {} of {}, which is not a valid range", first, last, size);
      return;
    }
    std::vector<Rgba> colors = take_palette();
    // Old palettes before this one only repeat it for older programs.
    if (!has_palette_) colors.clear();
    has_palette_ = true;
    if (size < colors.size()) colors.resize(size);
    for (std::size_t i = first; i <= last; ++i) {
      const auto flags = from.read<std::uint16_t>();
      const Rgba color = read_color(from);
      if ((flags & 1U) != 0) (void)from.read_string();
      if (from.failed()) break;
      if (i >= colors.size()) colors.resize(i + 1, {0, 0, 0, 255});
      colors[i] = color;
    }
    set_palette(std::move(colors));
  }

  // Layers.

  struct Layer : artwork::Item {
    std::uint16_t level = 0;
    std::uint8_t alpha = 255;
    std::uint32_t tileset_id = 0;
    std::vector<std::uint32_t> children{};  ///< Layers, from bottom to top.
    std::int32_t parent = -1;
    std::uint32_t node = 0;
  };

  void read_layer(ByteReader& from) {
    owner_ = Owner::nothing;
    const auto flags = from.read<std::uint16_t>(), type = from.read<std::uint16_t>(),
               level = from.read<std::uint16_t>();
    (void)from.take(4);
    const auto blend = from.read<std::uint16_t>();
    const auto alpha = from.read<std::uint8_t>();
    (void)from.take(3);
    const std::string_view name = from.read_string();
    const std::uint32_t tileset = type == 2 ? from.read<std::uint32_t>() : 0;
    if (items_.size() == kMaxLayers) {
      warn_here(DiagnosticId::px_entry_ignored, "is beyond the limit of {} layers", kMaxLayers);
      return;
    }
    Layer& layer = items_.emplace_back();
    owner_ = Owner::layer;
    owner_index_ = items_.size() - 1;
    layer.name = valid_text(name);
    layer.offset = chunk_offset_;
    layer.level = level;
    layer.tileset_id = tileset;
    layer.visible = (flags & 1U) != 0;
    layer.background = (flags & 8U) != 0;
    layer.expanded = (flags & 32U) == 0;
    layer.kind = type == 1 ? LayerKind::group : type == 2 ? LayerKind::tilemap : LayerKind::layer;
    if (type == 0 && (flags & 64U) != 0) layer.kind = LayerKind::reference;
    if (type > 2) {
      warn(warnings_, DiagnosticId::px_unknown, place_of(layer), "has unknown type {}; it is read as a layer of pixels",
           type);
    }
    // Files from before groups had an opacity store 0 there.
    const bool has_look = layer.kind != LayerKind::group || model_.isolates_groups;
    if (has_layer_opacity_ && has_look) layer.alpha = alpha;
    layer.opacity = static_cast<float>(layer.alpha) / 255;
    if (blend < kBlendModes) {
      if (has_look) layer.blend = static_cast<BlendMode>(blend);
    } else {
      warn(warnings_, DiagnosticId::px_unknown, place_of(layer), "uses unknown blend mode {}; it is drawn as normal",
           blend);
    }
  }

  /// Places the layers in their groups, and the nodes from top to bottom.
  void make_tree() {
    std::vector<std::uint32_t> open, roots;
    for (std::uint32_t i = 0; i < items_.size(); ++i) {
      Layer& layer = items_[i];
      while (!open.empty() && items_[open.back()].level >= layer.level) open.pop_back();
      if (!open.empty()) layer.parent = static_cast<std::int32_t>(open.back());
      (open.empty() ? roots : items_[open.back()].children).push_back(i);
      if (layer.kind != LayerKind::group) continue;
      if (open.size() < kMaxDepth) {
        open.push_back(i);
      } else {
        warn(warnings_, DiagnosticId::px_entry_ignored, place_of(layer),
             "is nested deeper than {} levels; its layers are drawn in the group around it", kMaxDepth);
      }
    }
    for (const std::uint32_t root : std::views::reverse(roots)) add_node(root);
    const auto node_of = [&](std::uint32_t layer) { return items_[layer].node; };
    for (const Layer& layer : items_) {
      artwork::Node& node = model_.nodes[layer.node];
      if (layer.parent >= 0) node.parent = static_cast<std::int32_t>(node_of(static_cast<std::uint32_t>(layer.parent)));
      for (const std::uint32_t child : layer.children) node.children.push_back(node_of(child));
    }
    for (const std::uint32_t root : roots) model_.roots.push_back(node_of(root));
    for (ArtworkCelNote& note : model_.cel_notes) note.layer = node_of(note.layer);
  }

  void add_node(std::uint32_t number) {
    items_[number].node = static_cast<std::uint32_t>(model_.nodes.size());
    model_.nodes.push_back({.item = number});
    for (const std::uint32_t child : std::views::reverse(items_[number].children)) add_node(child);
  }

  // Cels.

  void read_cel(ByteReader& from) {
    owner_ = Owner::nothing;
    last_content_ = -1;
    const auto number = from.read<std::uint16_t>();
    const auto left = from.read<std::int16_t>(), top = from.read<std::int16_t>();
    const auto alpha = from.read<std::uint8_t>();
    const auto type = from.read<std::uint16_t>();
    const auto z_index = from.read<std::int16_t>();
    (void)from.take(5);
    if (from.failed()) return;
    if (number >= items_.size()) {
      warn_here(DiagnosticId::px_entry_ignored, "is a cel of layer {}, but there are {} layers", number, items_.size());
      return;
    }
    Layer& layer = items_[number];
    const bool is_tiled = type == 3;
    if (layer.kind == LayerKind::group || (type != 1 && is_tiled != (layer.kind == LayerKind::tilemap))) {
      warn_here(DiagnosticId::px_entry_ignored, "is a cel of type {}, which {} \"{}\" cannot have", type,
                name_of(layer.kind), printable(layer.name));
      return;
    }
    const int both_alphas = (alpha * layer.alpha + 127) / 255;
    artwork::Frame cel{.opacity = static_cast<float>(both_alphas) / 255,
                       .z_index = z_index,
                       .palette = model_.indexed ? palette_ : std::uint16_t{0}};
    if (type == 0 || type == 2) {
      const auto width = from.read<std::uint16_t>(), height = from.read<std::uint16_t>();
      artwork::Content content{.pixels = {from.take(from.remaining()), type == 2, chunk_offset_},
                               .box = {left, top, left + width, top + height},
                               .opaque = layer.background};
      if (from.failed() || content.box.empty()) return;
      cel.content = last_content_ = static_cast<std::int32_t>(model_.contents.size());
      model_.contents.push_back(content);
    } else if (type == 1) {
      const auto link = from.read<std::uint16_t>();
      if (from.failed()) return;
      // The linked cel decides everything but the z-index.
      const auto z = cel.z_index;
      const auto palette = cel.palette;
      cel = link < layer.frames.size() && link < frame_ ? layer.frames[link] : artwork::Frame{};
      if (cel.content == artwork::Frame::kEmpty) cel.content = artwork::Frame::kMissing;
      cel.z_index = z;
      cel.palette = palette;
    } else if (is_tiled) {
      artwork::TilemapContent map{.left = left, .top = top};
      map.columns = from.read<std::uint16_t>();
      map.rows = from.read<std::uint16_t>();
      const auto bits = from.read<std::uint16_t>();
      from.read_into(map.tile_bits, map.mirror_x_bits, map.mirror_y_bits, map.swap_bits);
      (void)from.take(10);
      map.cells = {from.take(from.remaining()), true, chunk_offset_};
      if (from.failed() || map.columns == 0 || map.rows == 0) return;
      if (bits != 8 && bits != 16 && bits != 32) {
        warn_here(DiagnosticId::px_unknown, "has {} bits per tile, but must have 8, 16 or 32; it is not drawn", bits);
        return;
      }
      map.cell_bytes = bits / 8;
      cel.content = static_cast<std::int32_t>(model_.tilemap_contents.size());
      model_.tilemap_contents.push_back(map);
    } else {
      warn_here(DiagnosticId::px_unknown, "is a cel of unknown type {}; it is not drawn", type);
      return;
    }
    if (frame_ >= layer.frames.size()) {
      layer_frames_ += frame_ + 1 - layer.frames.size();
      if (layer_frames_ > kMaxLayerFrames) return;
      layer.frames.resize(frame_ + 1);
    }
    if (layer.frames[frame_].content != artwork::Frame::kEmpty) {
      warn_here(DiagnosticId::px_entry_ignored, "is another cel of layer {} \"{}\"; the first one is shown", number,
                printable(layer.name));
      return;
    }
    layer.frames[frame_] = cel;
    owner_ = Owner::cel;
    owner_index_ = number;
  }

  void read_cel_extra(ByteReader& from) {
    const auto flags = from.read<std::uint32_t>();
    const double left = read_fixed(from), top = read_fixed(from);
    const double width = read_fixed(from), height = read_fixed(from);
    if (from.failed() || (flags & 1U) == 0 || last_content_ < 0 || owner_ != Owner::cel) return;
    // Only reference layers are scaled.
    if (items_[owner_index_].kind != LayerKind::reference || !(width > 0 && height > 0)) return;
    model_.contents[static_cast<std::size_t>(last_content_)].stretched = {left, top, width, height};
  }

  // Tilesets.

  void read_tileset(ByteReader& from) {
    owner_ = Owner::nothing;
    const auto id = from.read<std::uint32_t>(), flags = from.read<std::uint32_t>();
    artwork::Tileset set;
    set.tile_count = from.read<std::uint32_t>();
    set.tile_width = from.read<std::uint16_t>();
    set.tile_height = from.read<std::uint16_t>();
    (void)from.take(16);  // base index
    set.name = valid_text(from.read_string());
    set.offset = chunk_offset_;
    set.in_one = true;
    set.columns = kTilesetColumns;
    std::uint32_t file = 0;
    if ((flags & 1U) != 0) {
      file = from.read<std::uint32_t>();
      (void)from.read<std::uint32_t>();  // tileset in that file
    }
    if ((flags & 2U) != 0) set.tiles.push_back(from.take(from.read<std::uint32_t>()));
    if (from.failed()) return;
    if (model_.deflated_tilesets.size() == kMaxModels) {
      warn_here(DiagnosticId::px_entry_ignored, "is beyond the limit of {} tilesets", kMaxModels);
      return;
    }
    if (set.tiles.empty()) {
      const auto found = external_files_.find(file);
      const bool is_named = (flags & 1U) != 0 && found != external_files_.end();
      warn_here(DiagnosticId::artwork_external, "is tileset \"{}\", whose tiles are in {}; they are not drawn",
                printable(set.name), is_named ? fmt::format("\"{}\"", printable(found->second.name)) : "no known file");
    }
    const auto number = static_cast<std::int32_t>(model_.deflated_tilesets.size());
    tilesets_.emplace(id, TilesetPlace{number, (flags & 4U) != 0});
    model_.deflated_tilesets.push_back(std::move(set));
    owner_ = Owner::tileset;
    owner_index_ = static_cast<std::size_t>(number);
  }

  /// Finds the tilesets of the tilemaps, which can follow the layers that use them.
  void resolve_tilesets() {
    for (Layer& layer : items_) {
      if (layer.kind != LayerKind::tilemap) continue;
      const auto found = tilesets_.find(layer.tileset_id);
      if (found == tilesets_.end()) continue;
      layer.tileset = found->second.number;
      const artwork::Tileset& set = model_.deflated_tilesets[static_cast<std::size_t>(layer.tileset)];
      for (const artwork::Frame& frame : layer.frames) {
        if (frame.content < 0) continue;
        artwork::TilemapContent& map = model_.tilemap_contents[static_cast<std::size_t>(frame.content)];
        map.tile_width = set.tile_width;
        map.tile_height = set.tile_height;
        // Early versions had no empty tile, and set all bits for none.
        map.no_tile = found->second.has_empty_tile ? 0 : ~std::uint32_t{0} >> (32 - map.cell_bytes * 8);
      }
    }
  }

  // Everything else.

  void read_color_profile(ByteReader& from) {
    const auto type = from.read<std::uint16_t>(), flags = from.read<std::uint16_t>();
    const double gamma = read_fixed(from);
    (void)from.take(8);
    constexpr std::uint16_t kEmbedded = 2;
    if (type == kEmbedded) {
      const auto profile = from.take(from.read<std::uint32_t>());
      warn_here(DiagnosticId::artwork_color_profile, "has the ICC profile \"{}\" of {} bytes; colors are shown as sRGB",
                profile_name(profile), profile.size());
    } else if (type > kEmbedded) {
      warn_here(DiagnosticId::px_unknown, "is a color profile of unknown type {}", type);
    } else if ((flags & 1U) != 0 && !from.failed()) {
      warn_here(DiagnosticId::artwork_color_profile, "has a fixed gamma of {}; colors are shown as sRGB", gamma);
    }
  }

  void read_external_files(ByteReader& from) {
    const auto count = from.read<std::uint32_t>();
    (void)from.take(8);
    for (std::uint32_t i = 0; i < count && !from.failed(); ++i) {
      const auto id = from.read<std::uint32_t>();
      ExternalFile file{from.read<std::uint8_t>(), {}};
      (void)from.take(7);
      file.name = valid_text(from.read_string());
      if (from.failed()) return;
      if (file.type == kExternalPalette || file.type == kExternalTileset) {
        warn_here(DiagnosticId::artwork_external, "refers to the {} \"{}\"",
                  file.type == kExternalPalette ? "palette" : "tileset", printable(file.name));
      }
      external_files_.emplace(id, std::move(file));
    }
  }

  void read_tags(ByteReader& from) {
    const auto count = from.read<std::uint16_t>();
    (void)from.take(8);
    // User data follows for each of these tags.
    owner_ = Owner::tag;
    owner_index_ = model_.tags.size();
    for (std::uint32_t i = 0; i < count; ++i) {
      ArtworkTag tag;
      tag.first_frame = from.read<std::uint16_t>();
      tag.last_frame = from.read<std::uint16_t>();
      const auto direction = from.read<std::uint8_t>();
      tag.repeats = from.read<std::uint16_t>();
      (void)from.take(6);
      from.read_into(tag.color.red, tag.color.green, tag.color.blue);
      (void)from.take(1);
      tag.color.alpha = tag.color == Rgba{} ? 0 : 255;
      tag.name = valid_text(from.read_string());
      if (from.failed()) return;
      if (model_.tags.size() == kMaxModels) {
        warn_here(DiagnosticId::px_entry_ignored, "has more than {} tags; the rest are ignored", kMaxModels);
        return;
      }
      if (direction <= static_cast<std::uint8_t>(TagDirection::ping_pong_backward)) {
        tag.direction = static_cast<TagDirection>(direction);
      } else {
        warn(warnings_, DiagnosticId::px_unknown, {"tag", tag.name, chunk_offset_},
             "has unknown direction {}; it plays forward", direction);
      }
      model_.tags.push_back(std::move(tag));
    }
  }

  void read_slice(ByteReader& from) {
    owner_ = Owner::nothing;
    const auto count = from.read<std::uint32_t>(), flags = from.read<std::uint32_t>();
    (void)from.take(4);
    ArtworkSlice slice{.name = valid_text(from.read_string())};
    const auto read_area = [&] {
      ArtworkArea area;
      from.read_into(area.left, area.top, area.width, area.height);
      return area;
    };
    for (std::uint32_t i = 0; i < count && !from.failed(); ++i) {
      ArtworkSliceKey key{.first_frame = from.read<std::uint32_t>()};
      key.area = read_area();
      if ((flags & 1U) != 0) key.center = read_area();
      if ((flags & 2U) != 0) from.read_into(key.pivot.emplace()[0], (*key.pivot)[1]);
      if (!from.failed()) slice.keys.push_back(key);
    }
    if (model_.slices.size() == kMaxModels) {
      warn_here(DiagnosticId::px_entry_ignored, "is beyond the limit of {} slices", kMaxModels);
      return;
    }
    if (!model_.origin && !slice.keys.empty() && slice.keys.front().pivot) choose_origin(slice.keys.front());
    model_.slices.push_back(std::move(slice));
    owner_ = Owner::slice;
    owner_index_ = model_.slices.size() - 1;
  }

  void choose_origin(const ArtworkSliceKey& key) {
    const std::int64_t x = std::int64_t{key.area.left} + (*key.pivot)[0];
    const std::int64_t y = std::int64_t{key.area.top} + (*key.pivot)[1];
    if (std::max(std::abs(x), std::abs(y)) <= kMaxPivot) {
      model_.origin = {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y)};
    } else {
      warn_here(DiagnosticId::px_value_replaced, "has its pivot at {}, {}, too far away to be the origin", x, y);
    }
  }

  void read_user_data(ByteReader& from) {
    const auto flags = from.read<std::uint32_t>();
    std::string text = (flags & 1U) != 0 ? valid_text(from.read_string()) : std::string();
    const Rgba color = (flags & 2U) != 0 ? read_color(from) : Rgba{};
    if (from.failed()) return;
    const auto keep = [&](std::string& kept_text, Rgba& kept_color) {
      kept_text = std::move(text);
      if ((flags & 2U) != 0) kept_color = color;
    };
    switch (owner_) {
      case Owner::artwork:
        keep(model_.user_text, model_.user_color);
        break;
      case Owner::layer:
        keep(items_[owner_index_].user_text, items_[owner_index_].tag_color);
        break;
      case Owner::cel:
        if (!text.empty() || color != Rgba{}) {
          model_.cel_notes.push_back({static_cast<std::uint32_t>(owner_index_), frame_, std::move(text), color});
        }
        break;
      case Owner::tag:
        if (owner_index_ >= model_.tags.size()) break;
        keep(model_.tags[owner_index_].user_text, model_.tags[owner_index_].color);
        ++owner_index_;
        return;  // The next one belongs to the next tag.
      case Owner::slice:
        keep(model_.slices[owner_index_].user_text, model_.slices[owner_index_].color);
        break;
      case Owner::tileset: {
        Rgba ignored;
        keep(model_.deflated_tilesets[owner_index_].user_text, ignored);
        break;
      }
      case Owner::nothing:
        break;
    }
    // Those of a tileset's tiles follow.
    owner_ = Owner::nothing;
  }

  struct TilesetPlace {
    std::int32_t number = 0;
    bool has_empty_tile = false;
  };

  std::span<const std::byte> bytes_;
  Warnings& warnings_;
  artwork::Model model_{};
  std::vector<Layer> items_{};
  std::unordered_map<std::uint32_t, TilesetPlace> tilesets_{};
  std::unordered_map<std::uint32_t, ExternalFile> external_files_{};
  std::uint32_t frame_count_ = 0, frame_ = 0, usual_ms_ = 0;
  std::size_t chunk_ = 0;
  std::uint64_t chunk_offset_ = 0;
  bool has_layer_opacity_ = false;
  bool has_palette_ = false;   ///< A palette that replaces the old ones was found.
  std::uint16_t palette_ = 0;  ///< Current one: index of a later palette plus 1, or 0.
  std::size_t layer_frames_ = 0;
  std::int32_t last_content_ = -1;  ///< Content of the last cel, or -1.
  Owner owner_ = Owner::nothing;
  std::size_t owner_index_ = 0;
};

}  // namespace
}  // namespace pchr::aseprite

namespace pchr {

bool looks_like_aseprite(const Source& source) {
  using namespace aseprite;
  const auto word = [&](std::size_t offset) {
    return std::to_integer<unsigned>(source.bytes[offset]) | std::to_integer<unsigned>(source.bytes[offset + 1]) << 8;
  };
  // The file's size precedes the magic number, so text could look like both. The depth has a zero byte.
  if (source.bytes.size() < kDepthOffset + 2 || word(kMagicOffset) != kMagic) return false;
  return word(kDepthOffset) <= 0xFF;
}

Expected<Imported, LoadError> read_aseprite(const Source& source, const ReaderOptions& options) {
  Warnings warnings;
  auto model = aseprite::Reader(source.bytes, warnings).read();
  if (!model) return Unexpected(std::move(model.error()));
  return artwork::import_artwork(*std::move(model), options, "Aseprite", std::move(warnings));
}

}  // namespace pchr
