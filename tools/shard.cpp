// SPDX-License-Identifier: MIT
#include "shard.hpp"

#include <charconv>

namespace pchr::tools {

std::optional<Shard> parse_shard(std::string_view text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, is_number] = std::from_chars(text.data(), end, shard.number);
  if (is_number != std::errc() || slash == end || *slash != '/') return std::nullopt;
  const auto [stopped, is_count] = std::from_chars(slash + 1, end, shard.count);
  if (is_count != std::errc() || stopped != end || shard.number < 1 || shard.number > shard.count) return std::nullopt;
  return shard;
}

bool has_file(const Shard& shard, std::string_view name) {
  // FNV-1a.
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) {
    hash ^= static_cast<unsigned char>(c == '\\' ? '/' : c);
    hash *= 0x100000001b3;
  }
  // Its lowest bits depend only on the lowest bits of the characters.
  hash ^= hash >> 32U;
  return hash % shard.count == shard.number - 1;
}

std::pair<std::uint64_t, std::uint64_t> output_range(const Shard& shard, std::uint32_t total) {
  const auto bound = [&](std::uint64_t shards) { return shards * total / shard.count; };
  return {bound(shard.number - 1), bound(shard.number)};
}

}  // namespace pchr::tools
