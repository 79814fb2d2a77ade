// SPDX-License-Identifier: MIT
#include "sha256.hpp"

#include "platform/files.hpp"
#include "platform/output_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

namespace pchr::tools {
namespace {

constexpr std::array<std::uint32_t, 64> kRounds{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void add_block(std::array<std::uint32_t, 8>& state, std::span<const std::byte, 64> block) noexcept {
  std::array<std::uint32_t, 64> words{};
  for (std::size_t i = 0; i < 16; ++i) {
    for (std::size_t byte = 0; byte < 4; ++byte) {
      words[i] = words[i] << 8 | std::to_integer<std::uint32_t>(block[i * 4 + byte]);
    }
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t a = words[i - 15], b = words[i - 2];
    words[i] = words[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + words[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t first =
        h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + kRounds[i] + words[i];
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const std::array added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state[i] += added[i];
}

}  // namespace

void Sha256::add(std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const std::size_t filled = size_ % block_.size();
    const std::size_t count = std::min(block_.size() - filled, bytes.size());
    size_ += count;
    if (count == block_.size()) {
      add_block(state_, bytes.first<64>());
    } else {
      std::ranges::copy(bytes.first(count), block_.begin() + static_cast<std::ptrdiff_t>(filled));
      if (filled + count == block_.size()) add_block(state_, block_);
    }
    bytes = bytes.subspan(count);
  }
}

Hash Sha256::finish() noexcept {
  const std::uint64_t bits = size_ * 8;
  constexpr std::array kEnd{std::byte{0x80}};
  constexpr std::array kZero{std::byte{0}};
  add(kEnd);
  while (size_ % 64 != 56) add(kZero);
  std::array<std::byte, 8> length{};
  for (std::size_t i = 0; i < 8; ++i) length[i] = static_cast<std::byte>(bits >> (56 - i * 8));
  add(length);
  Hash hash{};
  for (std::size_t i = 0; i < hash.size(); ++i) {
    hash[i] = static_cast<std::uint8_t>(state_[i / 4] >> (24 - i % 4 * 8));
  }
  return hash;
}

Hash sha256_of(std::span<const std::byte> bytes) noexcept {
  Sha256 sha;
  sha.add(bytes);
  return sha.finish();
}

std::optional<Hash> sha256_of_file(const std::string& path) {
  // Opening a pipe would wait for its other end.
  if (find_kind(path) != FileKind::file) return std::nullopt;
  std::error_code error;
  const File file = open_file(path, "rb", error);
  if (file == nullptr) return std::nullopt;
  Sha256 sha;
  std::array<std::byte, std::size_t{64} << 10> part;  // NOLINT: fread() fills it.
  while (const std::size_t count = std::fread(part.data(), 1, part.size(), file.get())) {
    sha.add(std::span(part).first(count));
  }
  return std::ferror(file.get()) == 0 ? std::optional(sha.finish()) : std::nullopt;
}

std::string hex(const Hash& hash) { return fmt::format("{:02x}", fmt::join(hash, "")); }

}  // namespace pchr::tools
