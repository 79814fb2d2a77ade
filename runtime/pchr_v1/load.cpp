// SPDX-License-Identifier: MIT
// Loads PCHR v1 files and recognizes other formats.
#include <pchr/load.hpp>

#include "character/fail.hpp"
#include "character/format.hpp"
#include "pchr_v1/pchr_v1.hpp"
#include "platform/files.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace pchr {
namespace {

std::string_view as_text(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool opens_object(std::string_view text) noexcept {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{';
}

/// Checks for two lengths that add up to the file size, then JSON.
bool is_packed(std::string_view text) noexcept {
  std::uint32_t lengths[2] = {};
  if (text.size() < 16) return false;
  std::memcpy(lengths, text.data() + 8, sizeof(lengths));
  return std::uint64_t{lengths[0]} + lengths[1] + 16 == text.size() && opens_object(text.substr(16, lengths[0]));
}

/// Checks for a header whose byte 8 is the length of the identifier after it, and whose bytes 11 to 63 are 0.
bool is_artwork(std::string_view text) noexcept {
  constexpr std::size_t kHeaderBytes = 64;
  return text.size() > kHeaderBytes && text[8] == 36 &&
         text.substr(11, kHeaderBytes - 11).find_first_not_of('\0') == std::string_view::npos;
}

/// Checks for text with a line that starts with `#`.
bool is_pomyu(std::string_view text) noexcept {
  text = text.substr(0, std::size_t{64} << 10);
  return text.find('\0') == std::string_view::npos &&
         (text.starts_with('#') || text.find("\n#") != std::string_view::npos);
}

/// Returns the format of a file that is not v1, or an empty text if it is unknown.
std::string_view format_of(std::string_view text) noexcept {
  if (is_artwork(text)) return "a Pixquare artwork";
  if (text.starts_with("PCHR")) return is_packed(text) ? "packed Pachario JSON, the older .pchr" : "";
  if (opens_object(text)) return "Pachario JSON";
  if (text.starts_with("ACTRHEAD")) return "an Unreal mesh";
  if (text.starts_with("ANIMHEAD")) return "an Unreal animation";
  return is_pomyu(text) ? "a Pomyu character" : "";
}

}  // namespace

bool has_v1_magic(std::span<const std::byte> bytes) noexcept { return as_text(bytes).starts_with("PCHR"); }

Expected<Character, LoadError> load(std::span<const std::byte> bytes, const LoadOptions& options) {
  return or_out_of_memory([&]() -> Expected<Character, LoadError> {
    if (bytes.size() > options.limits.max_file_bytes) {
      return fail(DiagnosticId::limit_exceeded, format_text("the file has {} bytes, but the limit is {}", bytes.size(),
                                                            options.limits.max_file_bytes));
    }
    if (bytes.empty()) return fail(DiagnosticId::truncated, std::uint64_t{0}, "the file is empty");
    if (auto pointer = find_lfs_pointer(bytes)) return Unexpected(*std::move(pointer));
    if (const std::string_view format = format_of(as_text(bytes)); !format.empty()) {
      return fail(DiagnosticId::needs_import, std::uint64_t{0},
                  format_text("the file is {}, which only pchr::import reads", format));
    }
    if (has_v1_magic(bytes)) return read_pchr_v1(bytes, options);
    return fail(DiagnosticId::unknown_format, std::uint64_t{0}, "the file does not start with PCHR");
  });
}

Expected<Character, LoadError> load(const std::string& path, const LoadOptions& options) {
  return or_out_of_memory([&]() -> Expected<Character, LoadError> {
    const auto file = read_named_file(path, options.limits.max_file_bytes, 0, options.read_file);
    if (!file) return Unexpected(file.error());
    return load(file->bytes(), options);
  });
}

}  // namespace pchr
