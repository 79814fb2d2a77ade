// SPDX-License-Identifier: MIT
// Checks the structure of PNG files (ISO/IEC 15948, section 5).
#include "image/image.hpp"

#include "character/format.hpp"
#include "platform/crc32.hpp"

#include <array>
#include <cstring>
#include <utility>

namespace pchr {
namespace {

constexpr std::array<unsigned char, 8> kSignature{0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A};

std::uint32_t read_big_endian(std::span<const std::byte> bytes) noexcept {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[static_cast<std::size_t>(i)]);
  return value;
}

struct Chunk {
  std::string_view type;
  std::span<const std::byte> data;
  std::uint32_t stored_crc;
  std::uint32_t actual_crc;
};

/// Returns the chunk at `offset`, or nothing if the bytes end inside it.
std::optional<Chunk> chunk_at(std::span<const std::byte> bytes, std::uint64_t offset) {
  const auto rest = bytes.subspan(offset);
  if (rest.size() < 12) return std::nullopt;
  const std::uint32_t length = read_big_endian(rest);
  if (length > rest.size() - 12) return std::nullopt;
  const auto typed = rest.subspan(4, std::size_t{4} + length);
  return Chunk{{reinterpret_cast<const char*>(typed.data()), 4},
               typed.subspan(4),
               read_big_endian(rest.subspan(std::size_t{8} + length)),
               crc32_of(typed)};
}

Diagnostic problem(DiagnosticId id, std::uint64_t offset, std::string detail) {
  return {id, {}, {}, offset, std::move(detail)};
}

std::optional<Diagnostic> check_header(const Chunk& chunk, std::uint64_t offset, std::uint32_t width,
                                       std::uint32_t height) {
  if (chunk.type != "IHDR" || chunk.data.size() != 13) {
    return problem(DiagnosticId::broken_png, offset, "does not start with a header chunk (IHDR of 13 bytes)");
  }
  const std::uint32_t found_width = read_big_endian(chunk.data);
  const std::uint32_t found_height = read_big_endian(chunk.data.subspan(4));
  if (found_width != width || found_height != height) {
    return problem(
        DiagnosticId::png_size_mismatch, offset + 8,
        format_text("is {} x {} pixels, but the character declares {} x {}", found_width, found_height, width, height));
  }
  return std::nullopt;
}

}  // namespace

bool is_png(std::span<const std::byte> bytes) noexcept {
  return bytes.size() >= kSignature.size() && std::memcmp(bytes.data(), kSignature.data(), kSignature.size()) == 0;
}

std::optional<PngSize> png_size(std::span<const std::byte> bytes) noexcept {
  constexpr std::size_t kOffset = kSignature.size() + 8;
  if (bytes.size() < kOffset + 8) return std::nullopt;
  return PngSize{read_big_endian(bytes.subspan(kOffset)), read_big_endian(bytes.subspan(kOffset + 4))};
}

std::optional<Diagnostic> check_png(std::span<const std::byte> bytes, std::uint32_t width, std::uint32_t height) {
  if (!is_png(bytes)) {
    return problem(DiagnosticId::not_png, 0, "does not start with the PNG signature");
  }
  bool has_pixels = false;
  std::uint64_t offset = kSignature.size();
  for (bool first = true;; first = false) {
    const auto chunk = chunk_at(bytes, offset);
    if (!chunk) {
      return problem(DiagnosticId::broken_png, offset,
                     format_text("ends inside a chunk, {} after its start", counted(bytes.size() - offset, "byte")));
    }
    // Checked before the checksum because a wrong size is the more useful error.
    if (first) {
      if (auto problem = check_header(*chunk, offset, width, height)) return problem;
    }
    if (chunk->stored_crc != chunk->actual_crc) {
      return problem(DiagnosticId::png_checksum, offset,
                     format_text("has a chunk {} with CRC {:08x}, but its bytes give {:08x}", printable(chunk->type),
                                 chunk->stored_crc, chunk->actual_crc));
    }
    if (chunk->type == "IDAT") has_pixels = true;
    if (chunk->type == "IEND") break;
    offset += 12 + chunk->data.size();
  }
  if (!has_pixels) return problem(DiagnosticId::broken_png, offset, "has no image data (IDAT)");
  return std::nullopt;
}

}  // namespace pchr
