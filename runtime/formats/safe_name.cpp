// SPDX-License-Identifier: MIT
// Names from files into names for files.
#include "formats/safe_name.hpp"

#include "model/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

namespace pchr {
namespace {

/// File systems hold 255 bytes; a number, an extension and what others append must still fit.
constexpr std::size_t kMostBytes = 120;

struct Range {
  char32_t first, last;
};

/// Punctuation, symbols, spaces, private characters and marks that are seen only in what they do to others.
constexpr Range kNotLetters[] = {{0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},       {0xBB, 0xBF},
                                 {0xD7, 0xD7},     {0xF7, 0xF7},     {0x34F, 0x34F},     {0x600, 0x61F},
                                 {0x1680, 0x1680}, {0x180B, 0x180F}, {0x2000, 0x2BFF},   {0x2E00, 0x2E7F},
                                 {0x3000, 0x3004}, {0x3008, 0x3020}, {0xE000, 0xF8FF},   {0xFE00, 0xFE6F},
                                 {0xFEFF, 0xFF0F}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FFFF}, {0xE0000, 0x10FFFF}};

bool is_letter_or_digit(char32_t code_point) {
  if (code_point < 0x80) {
    return (code_point >= U'0' && code_point <= U'9') || (code_point >= U'A' && code_point <= U'Z') ||
           (code_point >= U'a' && code_point <= U'z');
  }
  return std::ranges::none_of(kNotLetters,
                              [&](Range range) { return code_point >= range.first && code_point <= range.last; });
}

char lower(char character) {
  return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char character) { return lower(character); });
  return result;
}

/// CON, COM1 and the like name devices on Windows, whatever follows their first dot.
bool is_reserved(std::string_view name) {
  const std::string device = lower(name.substr(0, name.find('.')));
  if (device.size() == 4 && (device.starts_with("com") || device.starts_with("lpt"))) {
    return device[3] >= '0' && device[3] <= '9';
  }
  return device == "con" || device == "prn" || device == "aux" || device == "nul";
}

/// Equal for names that some file system may take for one: letters of the scripts that have case count alike.
std::string folded(std::string_view name) {
  std::string result;
  while (!name.empty()) {
    const Utf8Sequence sequence = first_sequence(name);
    const char32_t code_point = sequence.code_point;
    if (code_point < 0x80) {
      result += lower(name[0]);
    } else if (code_point < 0x590 || (code_point >= 0x1E00 && code_point < 0x2000)) {
      result += '?';
    } else {
      result += name.substr(0, sequence.length);
    }
    name.remove_prefix(sequence.length);
  }
  return result;
}

}  // namespace

std::string safe_name(std::string_view name) {
  std::string safe;
  while (!name.empty()) {
    const Utf8Sequence sequence = first_sequence(name);
    const std::size_t length = std::max<std::size_t>(sequence.length, 1);
    if (safe.size() + length > kMostBytes) break;
    const bool valid = sequence.length > 0;
    const bool follows_nothing = safe.empty() || safe.back() == '.' || safe.back() == '_';
    if (valid && (is_letter_or_digit(sequence.code_point) || name[0] == '-' || name[0] == '_' ||
                  (name[0] == '.' && !follows_nothing))) {
      safe += name.substr(0, length);
    } else if (safe.empty() || safe.back() != '_') {
      safe += '_';
    }
    name.remove_prefix(length);
  }
  while (!safe.empty() && safe.back() == '.') safe.pop_back();
  if (safe.empty()) return "unnamed";
  // A leading '-' would be read as an option by who types the name.
  return is_reserved(safe) || safe[0] == '-' ? "_" + safe : safe;
}

std::vector<std::string> safe_file_names(std::span<const std::string_view> names, std::string_view extension) {
  std::vector<std::string> result;
  std::unordered_set<std::string> taken;
  std::unordered_map<std::string, std::uint32_t> last_number;
  for (std::string_view name : names) {
    const bool has_extension =
        name.size() > extension.size() && lower(name.substr(name.size() - extension.size())) == lower(extension);
    if (has_extension) name.remove_suffix(extension.size());
    const std::string base = safe_name(name);
    std::string unique = base;
    std::uint32_t& number = last_number.try_emplace(folded(base), 1).first->second;
    while (!taken.insert(folded(unique)).second) unique = fmt::format("{}-{}", base, ++number);
    result.push_back(unique + std::string(extension));
  }
  return result;
}

}  // namespace pchr
