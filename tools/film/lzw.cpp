// SPDX-License-Identifier: MIT
// The compression of GIF (GIF89a, appendix F).
#include "film/lzw.hpp"

#include <algorithm>
#include <array>

namespace pchr::film {
namespace {

constexpr unsigned kMostCodeBits = 12;
constexpr std::uint32_t kMostCodes = 1U << kMostCodeBits;
constexpr std::size_t kMostBlockBytes = 255;

/// Codes of growing size, the lowest bits first, in blocks that say their size.
class CodeWriter {
 public:
  explicit CodeWriter(Bytes& bytes) : bytes_(bytes) {}

  void write(std::uint32_t code, unsigned bits) {
    pending_ |= code << pending_bits_;
    for (pending_bits_ += bits; pending_bits_ >= 8; pending_bits_ -= 8) take_byte();
  }

  void finish() {
    if (pending_bits_ > 0) take_byte();
    flush();
    bytes_.push_back(std::byte{0});
  }

 private:
  void take_byte() {
    block_[block_bytes_++] = static_cast<std::byte>(pending_);
    pending_ >>= 8;
    if (block_bytes_ == kMostBlockBytes) flush();
  }

  void flush() {
    if (block_bytes_ == 0) return;
    bytes_.push_back(static_cast<std::byte>(block_bytes_));
    bytes_.insert(bytes_.end(), block_.begin(), block_.begin() + static_cast<std::ptrdiff_t>(block_bytes_));
    block_bytes_ = 0;
  }

  Bytes& bytes_;
  std::uint32_t pending_ = 0;
  unsigned pending_bits_ = 0;
  std::array<std::byte, kMostBlockBytes> block_{};
  std::size_t block_bytes_ = 0;
};

/// Which code stands for another followed by one index: found by hashing, as most of the 2^20 pairs never come.
class Dictionary {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  void clear() { slots_.fill({kNone, 0}); }

  /// The pair's code, or kNone: `code` is then the pair's from now on.
  std::uint32_t find_or_add(std::uint32_t prefix, std::uint8_t index, std::uint32_t code) {
    const std::uint32_t pair = prefix << 8U | index;
    for (std::uint32_t slot = pair * 2654435761U >> 18U;; slot = (slot + 1) % kSlots) {
      if (slots_[slot].pair == pair) return slots_[slot].code;
      if (slots_[slot].pair != kNone) continue;
      slots_[slot] = {pair, code};
      return kNone;
    }
  }

 private:
  static constexpr std::uint32_t kSlots = 1U << 14;
  struct Slot {
    std::uint32_t pair, code;
  };
  std::array<Slot, kSlots> slots_{};
};

}  // namespace

Bytes compress_lzw(std::span<const std::uint8_t> indices, unsigned bits) {
  const std::uint32_t clear = 1U << bits;
  Bytes bytes{static_cast<std::byte>(bits)};
  CodeWriter codes(bytes);
  Dictionary dictionary;
  dictionary.clear();
  unsigned code_bits = bits + 1;
  std::uint32_t next_code = clear + 2;
  codes.write(clear, code_bits);
  std::uint32_t current = indices.empty() ? Dictionary::kNone : indices[0];
  for (const std::uint8_t index : indices.subspan(std::min<std::size_t>(1, indices.size()))) {
    const std::uint32_t longer = dictionary.find_or_add(current, index, next_code);
    if (longer != Dictionary::kNone) {
      current = longer;
      continue;
    }
    codes.write(current, code_bits);
    current = index;
    if (next_code == kMostCodes - 1) {
      codes.write(clear, code_bits);
      dictionary.clear();
      code_bits = bits + 1;
      next_code = clear + 2;
      continue;
    }
    // The reader knows a code only after the one that follows it.
    if (next_code == 1U << code_bits) ++code_bits;
    ++next_code;
  }
  if (current != Dictionary::kNone) {
    codes.write(current, code_bits);
    if (next_code == 1U << code_bits && code_bits < kMostCodeBits) ++code_bits;
  }
  codes.write(clear + 1, code_bits);
  codes.finish();
  return bytes;
}

}  // namespace pchr::film
