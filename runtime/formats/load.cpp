// SPDX-License-Identifier: MIT
// Files and bytes into characters: tells the formats apart by content.
#include <pchr/load.hpp>

#include "formats/chp/load.hpp"
#include "formats/pachario_load.hpp"
#include "formats/pchr_v1.hpp"
#include "formats/px/load.hpp"
#include "formats/psk/chunks.hpp"
#include "formats/psk/load.hpp"
#include "formats/read_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <string>
#include <utility>

namespace pchr {
namespace {

std::string first_bytes(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte byte : bytes.first(std::min<std::size_t>(bytes.size(), 4))) {
    text += fmt::format("{}{:02x}", text.empty() ? "" : " ", std::to_integer<unsigned>(byte));
  }
  return text;
}

bool is_named_chp(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return extension == ".chp";
}

/// From the start of `bytes` on, `readable` bytes may be read: those past the end serve a parser as padding. `path` is
/// what they were read from, if anything: a text without one command is a character only by its name.
std::expected<Character, LoadError> load_padded(std::span<const std::byte> bytes, std::size_t readable,
                                                const LoadOptions& options, const std::filesystem::path& path = {}) {
  if (bytes.empty()) return std::unexpected(Finding{FindingId::truncated, {}, {}, 0, "the file is empty"});
  if (looks_like_px(bytes)) return read_px(bytes, options);
  if (bytes.size() >= 4 && std::memcmp(bytes.data(), "PCHR", 4) == 0) {
    if (is_packed(bytes)) return read_packed(bytes, readable, options);
    auto character = read_pchr_v1(bytes, options);
    if (character || character.error().id == FindingId::unsupported_version) return character;
    return resembles_packed(bytes) ? read_packed(bytes, readable, options) : std::move(character);
  }
  if (looks_like_json(bytes)) return read_json(bytes, readable, options);
  if (psk::is_mesh(bytes)) return read_psk(bytes, options, path);
  if (psk::is_animation(bytes)) {
    return std::unexpected(Finding{FindingId::psa_without_mesh, {}, {}, 0, "it begins with ANIMHEAD"});
  }
  if (is_named_chp(path) || looks_like_chp(bytes)) return read_chp(bytes, options);
  return std::unexpected(
      Finding{FindingId::unknown_format,
              {},
              {},
              0,
              fmt::format("it begins with bytes {}; a .pchr file begins with 50 43 48 52 (PCHR), a JSON one with {{",
                          first_bytes(bytes))});
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
  return load_padded(bytes, bytes.size(), options);
}

std::expected<Character, LoadError> load(const std::filesystem::path& path, const LoadOptions& options) {
  if (options.before_reading) options.before_reading(path);
  const auto file = read_named_file(path, options.limits.max_file_bytes, kJsonPadding);
  if (!file) return std::unexpected(file.error());
  if (!options.image_folder.empty()) return load_padded(file->bytes(), file->storage.size(), options, path);
  LoadOptions beside = options;
  beside.image_folder = path.has_parent_path() ? path.parent_path() : ".";
  return load_padded(file->bytes(), file->storage.size(), beside, path);
}

}  // namespace pchr
