// SPDX-License-Identifier: MIT
#include "image/run_deflate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace pchr {
namespace {

static_assert(std::endian::native == std::endian::little, "bits are stored from the lowest");

// Four codes of 14 bits and the 7 bits before them fit in 64 bits.
constexpr unsigned kMaxCodeBits = 14;
constexpr unsigned kMaxLengthCodeBits = 7;
constexpr std::size_t kEndOfBlock = 256, kFirstLength = 257;
constexpr std::size_t kMaxMatch = 258;

struct Code {
  std::uint16_t bits = 0;
  std::uint8_t count = 0;
};

/// Symbol of a match's length, with extra bits.
struct LengthSymbol {
  std::uint16_t symbol = 0;
  std::uint8_t extra_bits = 0, extra_count = 0;
};

constexpr auto kLengthSymbols = [] {
  std::array<LengthSymbol, kMaxMatch + 1> symbols{};
  std::size_t length = 3;
  for (std::uint16_t group = 0; group < 28; ++group) {
    const auto count = static_cast<std::uint8_t>(group < 8 ? 0 : group / 4 - 1);
    for (unsigned bits = 0; bits < 1U << count && length < kMaxMatch; ++bits) {
      symbols[length++] = {static_cast<std::uint16_t>(kFirstLength + group), static_cast<std::uint8_t>(bits), count};
    }
  }
  symbols[kMaxMatch] = {285, 0, 0};
  return symbols;
}();

using Counts = std::array<std::uint32_t, 286>;

std::uint16_t reversed(unsigned code, unsigned count) {
  unsigned bits = 0;
  for (unsigned i = 0; i < count; ++i) bits |= (code >> i & 1U) << (count - 1 - i);
  return static_cast<std::uint16_t>(bits);
}

/// Returns the depth of each of at least two leaves in a Huffman tree. `counts` ascend.
std::vector<unsigned> huffman_depths(std::span<const std::uint32_t> counts) {
  std::vector<std::uint64_t> sums(counts.begin(), counts.end());
  std::vector<std::size_t> parents(2 * counts.size() - 1);
  std::size_t leaf = 0, inner = counts.size();
  const auto take_least = [&] {
    const bool takes_leaf = leaf < counts.size() && (inner == sums.size() || sums[leaf] <= sums[inner]);
    const std::size_t least = takes_leaf ? leaf++ : inner++;
    parents[least] = sums.size();
    return sums[least];
  };
  while (sums.size() < parents.size()) {
    const std::uint64_t first = take_least();
    const std::uint64_t second = take_least();
    // Only now, because both have this node as parent.
    sums.push_back(first + second);
  }
  std::vector<unsigned> depths(parents.size());
  for (std::size_t node = parents.size() - 1; node-- > 0;) depths[node] = depths[parents[node]] + 1;
  depths.resize(counts.size());
  return depths;
}

/// Returns Huffman codes of at most `max_bits` for the symbols that occur, at least two.
template <std::size_t kSymbols>
std::array<Code, kSymbols> huffman_codes(std::array<std::uint32_t, kSymbols> counts, unsigned max_bits) {
  std::vector<std::size_t> used;
  for (std::size_t symbol = 0; symbol < kSymbols; ++symbol) {
    if (counts[symbol] > 0) used.push_back(symbol);
  }
  std::ranges::sort(used, {}, [&](std::size_t symbol) { return std::pair(counts[symbol], symbol); });
  std::vector<std::uint32_t> sorted;
  for (const std::size_t symbol : used) sorted.push_back(counts[symbol]);
  std::vector<unsigned> depths = huffman_depths(sorted);
  // Counts that differ less give a flatter tree.
  while (depths.front() > max_bits) {
    for (std::uint32_t& count : sorted) count = count / 2 + 1;
    depths = huffman_depths(sorted);
  }
  std::array<Code, kSymbols> codes{};
  for (std::size_t i = 0; i < used.size(); ++i) codes[used[i]].count = static_cast<std::uint8_t>(depths[i]);
  unsigned next = 0;
  for (unsigned count = 1; count <= max_bits; ++count, next *= 2) {
    for (Code& code : codes) {
      if (code.count == count) code.bits = reversed(next++, count);
    }
  }
  return codes;
}

std::uint32_t load_pixel(const std::uint8_t* pixel) {
  std::uint32_t value = 0;
  std::memcpy(&value, pixel, sizeof(value));
  return value;
}

/// Splits a run into lengths that one match can have.
template <class Match>
void split_run(std::size_t bytes, const Match& match) {
  while (bytes > 0) {
    // Leaves at least 3 bytes, the shortest match.
    const std::size_t length = bytes == kMaxMatch + 2 ? bytes / 2 : std::min(bytes, kMaxMatch);
    match(kLengthSymbols[length]);
    bytes -= length;
  }
}

/// Calls `literal` for each filter type, `pixel` for each pixel and `match` for each part of a run of equal pixels.
template <class Literal, class Pixel, class Match>
void scan(std::span<const std::uint8_t> rows, std::size_t row_bytes, const Literal& literal, const Pixel& pixel,
          const Match& match) {
  for (const std::uint8_t* row = rows.data(); row != rows.data() + rows.size(); row += row_bytes) {
    literal(row[0]);
    const std::uint8_t* at = row + 1;
    const std::uint8_t* const end = row + row_bytes;
    while (at < end) {
      const std::uint32_t value = load_pixel(at);
      pixel(at);
      at += 4;
      const std::uint8_t* const start = at;
      while (at < end && load_pixel(at) == value) at += 4;
      if (at != start) split_run(static_cast<std::size_t>(at - start), match);
    }
  }
}

Counts count_symbols(std::span<const std::uint8_t> rows, std::size_t row_bytes) {
  Counts counts{};
  // One table for each channel: equal bytes in a row would wait for each other.
  std::array<std::array<std::uint32_t, 256>, 4> channels{};
  scan(
      rows, row_bytes, [&](std::uint8_t byte) { ++counts[byte]; },
      [&](const std::uint8_t* pixel) {
        for (std::size_t i = 0; i < 4; ++i) ++channels[i][pixel[i]];
      },
      [&](const LengthSymbol& length) { ++counts[length.symbol]; });
  for (std::size_t byte = 0; byte < 256; ++byte) {
    for (const auto& channel : channels) counts[byte] += channel[byte];
  }
  counts[kEndOfBlock] = 1;
  return counts;
}

/// Writes bits to memory, the lowest first. Keeps the bits that do not fill a byte.
class BitWriter {
 public:
  BitWriter(LastBits& stream, std::byte* to) : bits_(stream.bits), count_(stream.count), to_(to) {}
  /// Puts at most 57 bits.
  void put(std::uint64_t bits, unsigned count) {
    bits_ |= bits << count_;
    count_ += count;
    std::memcpy(to_, &bits_, sizeof(bits_));
    to_ += count_ / 8;
    bits_ >>= count_ / 8 * 8;
    count_ %= 8;
  }
  void put(Code code) { put(code.bits, code.count); }
  [[nodiscard]] std::byte* end() const { return to_; }
  [[nodiscard]] LastBits rest() const { return {bits_, count_}; }

 private:
  std::uint64_t bits_;
  unsigned count_;
  std::byte* to_;
};

void put_header(BitWriter& writer, const std::array<Code, 286>& codes, bool last) {
  // Symbols are coded by their lengths; so is distance 4, the fourth, whose only code has one bit.
  std::array<std::uint32_t, 19> counts{};
  for (const Code& code : codes) ++counts[code.count];
  counts[0] += 3;
  ++counts[1];
  const auto lengths = huffman_codes(counts, kMaxLengthCodeBits);
  constexpr unsigned kDynamicCodes = 2;
  writer.put(last ? 1 : 0, 1);
  writer.put(kDynamicCodes, 2);
  writer.put(codes.size() - 257, 5);
  writer.put(4 - 1, 5);
  writer.put(lengths.size() - 4, 4);
  constexpr std::array<std::size_t, 19> kOrder{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
  for (const std::size_t length : kOrder) writer.put(lengths[length].count, 3);
  for (const Code& code : codes) writer.put(lengths[code.count]);
  for (const std::size_t length : {0U, 0U, 0U, 1U}) writer.put(lengths[length]);
}

}  // namespace

void deflate_runs(std::span<const std::uint8_t> rows, std::size_t row_bytes, bool last, LastBits& stream,
                  std::vector<std::byte>& out) {
  constexpr std::size_t kMaxHeaderBytes = 512;
  const std::size_t start = out.size();
  out.resize(start + kMaxHeaderBytes + (rows.size() * kMaxCodeBits + 7) / 8);
  const std::array<Code, 286> codes = huffman_codes(count_symbols(rows, row_bytes), kMaxCodeBits);
  BitWriter writer(stream, out.data() + start);
  put_header(writer, codes, last);
  scan(
      rows, row_bytes, [&](std::uint8_t byte) { writer.put(codes[byte]); },
      [&](const std::uint8_t* pixel) {
        const Code a = codes[pixel[0]], b = codes[pixel[1]], c = codes[pixel[2]], d = codes[pixel[3]];
        const std::uint64_t first = a.bits | std::uint32_t{b.bits} << a.count;
        const std::uint64_t second = c.bits | std::uint32_t{d.bits} << c.count;
        const unsigned first_count = a.count + b.count;
        writer.put(first | second << first_count, first_count + c.count + d.count);
      },
      [&](const LengthSymbol& length) {
        constexpr unsigned kDistanceBits = 1;  // A zero.
        const Code code = codes[length.symbol];
        writer.put(code.bits | std::uint32_t{length.extra_bits} << code.count,
                   code.count + length.extra_count + kDistanceBits);
      });
  writer.put(codes[kEndOfBlock]);
  // Fill the last byte.
  if (last) writer.put(0, 7);
  stream = last ? LastBits() : writer.rest();
  out.resize(static_cast<std::size_t>(writer.end() - out.data()));
}

}  // namespace pchr
