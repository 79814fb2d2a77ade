// SPDX-License-Identifier: MIT
// Files and bytes into characters: tells the formats apart by content.
#include <pchr/load.hpp>

#include "formats/byte_reader.hpp"
#include "formats/pchr_v1.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

namespace pchr {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

Finding unreadable(int error) { return {FindingId::unreadable_file, {}, {}, {}, std::strerror(error)}; }

/// Reads until the end instead of trusting a size: pipes have none, and a file may change meanwhile.
std::expected<std::vector<std::byte>, Finding> read_file(const std::filesystem::path& path, std::uint64_t most) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) return std::unexpected(unreadable(errno));
  std::error_code no_size;
  const std::uintmax_t expected = std::filesystem::file_size(path, no_size);
  std::vector<std::byte> bytes(no_size ? 0 : std::min<std::uint64_t>(expected, most) + 1);
  std::size_t used = 0;
  while (true) {
    if (used == bytes.size()) bytes.resize(std::max<std::size_t>(bytes.size() * 2, std::size_t{64} << 10));
    const std::size_t count = std::fread(bytes.data() + used, 1, bytes.size() - used, file.get());
    used += count;
    if (used > most) {
      return std::unexpected(
          Finding{FindingId::limit_exceeded, {}, {}, most, fmt::format("the file is larger than {} bytes", most)});
    }
    if (count == 0) break;
  }
  if (std::ferror(file.get()) != 0) return std::unexpected(unreadable(errno));
  bytes.resize(used);
  return bytes;
}

/// The older layout also begins with PCHR and 1: two lengths that add up to the file, then JSON.
bool is_json_packed(std::span<const std::byte> bytes) noexcept {
  ByteReader reader(bytes);
  (void)reader.take(8);
  const std::uint64_t json_bytes = reader.read<std::uint32_t>();
  const std::uint64_t image_bytes = reader.read<std::uint32_t>();
  if (reader.failed() || reader.remaining() != json_bytes + image_bytes) return false;
  const auto json = reader.take(json_bytes);
  const std::string_view text(reinterpret_cast<const char*>(json.data()), json.size());
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{';
}

std::string first_bytes(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes.first(std::min<std::size_t>(bytes.size(), 4))) {
    text += fmt::format("{}{:02x}", text.empty() ? "" : " ", std::to_integer<unsigned>(byte));
  }
  return text;
}

}  // namespace

std::expected<Character, LoadError> load(std::span<const std::byte> bytes, const LoadOptions& options) {
  if (bytes.size() > options.limits.max_file_bytes) {
    return std::unexpected(
        Finding{FindingId::limit_exceeded,
                {},
                {},
                {},
                fmt::format("found {} bytes; the limit is {}", bytes.size(), options.limits.max_file_bytes)});
  }
  if (bytes.empty()) return std::unexpected(Finding{FindingId::truncated, {}, {}, 0, "the file is empty"});
  if (bytes.size() < 4 || std::memcmp(bytes.data(), "PCHR", 4) != 0) {
    return std::unexpected(Finding{
        FindingId::unknown_format,
        {},
        {},
        0,
        fmt::format("it begins with bytes {}; a .pchr file begins with 50 43 48 52 (PCHR)", first_bytes(bytes))});
  }
  if (is_json_packed(bytes)) {
    return std::unexpected(
        Finding{FindingId::unknown_format,
                {},
                {},
                8,
                "this is the older .pchr that packs JSON and a PNG; only version 1 of the binary is read"});
  }
  return read_pchr_v1(bytes, options);
}

std::expected<Character, LoadError> load(const std::filesystem::path& path, const LoadOptions& options) {
  const auto bytes = read_file(path, options.limits.max_file_bytes);
  if (!bytes) return std::unexpected(bytes.error());
  return load(*bytes, options);
}

}  // namespace pchr
