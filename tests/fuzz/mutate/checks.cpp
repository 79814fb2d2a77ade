// SPDX-License-Identifier: MIT
// Checks output and files.
#include "checks.hpp"

#include <simdjson.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdio>

namespace pchr::mutate {
namespace {

namespace fs = std::filesystem;

struct Range {
  std::uint32_t first, last;
};

/// Whether a character is a control character (except tab and line feed), direction mark, line separator or tag.
constexpr Range kUnsafe[] = {{0x00, 0x08},     {0x0B, 0x1F},     {0x7F, 0x9F},      {0x061C, 0x061C},
                             {0x180E, 0x180E}, {0x200E, 0x200F}, {0x2028, 0x202E},  {0x2066, 0x206F},
                             {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};

std::string at_byte(const std::string& what, std::size_t byte) { return what + " at byte " + std::to_string(byte); }

std::string code_point_name(std::uint32_t value) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "U+%04X", static_cast<unsigned>(value));
  return text.data();
}

}  // namespace

std::optional<std::string> unprintable(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    const std::string_view character = text.substr(at, length);
    if (character.size() != length || !simdjson::validate_utf8(character)) return at_byte("not UTF-8", at);
    std::uint32_t value = length == 1 ? lead : lead & (0x7FU >> length);
    for (const char byte : character.substr(1)) value = value << 6 | (static_cast<unsigned char>(byte) & 0x3FU);
    const auto is_in = [&](const Range& range) { return value >= range.first && value <= range.last; };
    if (std::ranges::any_of(kUnsafe, is_in)) return at_byte(code_point_name(value), at);
    at += length;
  }
  return std::nullopt;
}

std::optional<std::string> not_json(std::string_view text) {
  static simdjson::dom::parser parser;
  const auto error = parser.parse(simdjson::padded_string(text)).error();
  if (error == simdjson::SUCCESS) return std::nullopt;
  return std::string(simdjson::error_message(error));
}

Snapshot::Snapshot(const fs::path& folder) : folder_(folder), files_(files_of(folder)) {}

Snapshot::Files Snapshot::files_of(const fs::path& folder) {
  Files files;
  const auto nanoseconds = [](const timespec& time) { return time.tv_sec * 1'000'000'000 + time.tv_nsec; };
  for (const auto& entry : fs::directory_iterator(folder)) {
    struct stat found{};
    if (lstat(entry.path().c_str(), &found) != 0) continue;
    files[entry.path().filename().string()] = {found.st_ino, static_cast<std::uint64_t>(found.st_size), found.st_mode,
                                               nanoseconds(found.st_mtim), nanoseconds(found.st_ctim)};
  }
  return files;
}

std::optional<std::string> Snapshot::damage() const {
  const Files now = files_of(folder_);
  for (const auto& [name, file] : files_) {
    const auto found = now.find(name);
    if (found == now.end()) return name + " is gone";
    if (found->second != file) return name + " was changed";
  }
  return std::nullopt;
}

std::optional<std::string> Snapshot::change() const {
  if (auto damaged = damage()) return damaged;
  for (const auto& [name, file] : files_of(folder_)) {
    if (!files_.contains(name)) return name + " was left there";
  }
  return std::nullopt;
}

}  // namespace pchr::mutate
