// SPDX-License-Identifier: MIT
// Paths of images as files give them.
#include "formats/image_path.hpp"

#include "formats/text_decoding.hpp"
#include "model/utf8.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <system_error>
#include <vector>

namespace pchr {
namespace {

namespace fs = std::filesystem;

struct CaseRange {
  char32_t first, last;
  char32_t to_lower;  ///< How far the small letters are away.
};

/// Latin, Greek, Cyrillic and full-width letters.
constexpr CaseRange kCapitals[] = {{'A', 'Z', 0x20},      {0xC0, 0xD6, 0x20},   {0xD8, 0xDE, 0x20},
                                   {0x391, 0x3A9, 0x20},  {0x410, 0x42F, 0x20}, {0x400, 0x40F, 0x50},
                                   {0xFF21, 0xFF3A, 0x20}};
constexpr char32_t kVoiced = 0x3099, kHalfVoiced = 0x309A;

char32_t lower(char32_t letter) noexcept {
  for (const CaseRange& range : kCapitals) {
    if (letter >= range.first && letter <= range.last) return letter + range.to_lower;
  }
  return letter;
}

/// A kana and the mark that follows it as one: か and its mark are が, the next code point.
char32_t composed(char32_t kana, char32_t mark) noexcept {
  if (mark == kHalfVoiced) return kana + 2;
  if (kana == U'う') return U'ゔ';
  if (kana == U'ウ') return U'ヴ';
  return kana + 1;
}

/// Equal for names that count as one.
std::u32string folded(std::string_view name) {
  std::u32string result;
  while (!name.empty()) {
    const Utf8Sequence sequence = first_sequence(name);
    const char32_t letter = sequence.length == 0 ? U'\uFFFD' : sequence.code_point;
    if ((letter == kVoiced || letter == kHalfVoiced) && !result.empty()) {
      result.back() = composed(result.back(), letter);
    } else {
      result += lower(letter);
    }
    name.remove_prefix(std::max<std::size_t>(sequence.length, 1));
  }
  return result;
}

std::u32string folded_on_disk(const std::string& name) {
  if (!find_invalid_utf8(name)) return folded(name);
  const auto text = decode_text(std::as_bytes(std::span(name)), "CP932");
  return folded(text ? text->utf8 : name);
}

std::vector<std::string_view> components(std::string_view path) {
  std::vector<std::string_view> result;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of("/\\"), path.size());
    const std::string_view part = path.substr(0, end);
    if (!part.empty() && part != ".") result.push_back(part);
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return result;
}

/// The entry of `folder` that `name` means; the first in the order of names where several do.
std::optional<fs::path> find_entry(const fs::path& folder, std::string_view name) {
  std::error_code error;
  if (fs::path exact = folder / name; fs::exists(exact, error)) return exact;
  const std::u32string wanted = folded(name);
  std::optional<fs::path> found;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (folded_on_disk(entry->path().filename().string()) != wanted) continue;
    if (!found || entry->path() < *found) found = entry->path();
  }
  return found;
}

}  // namespace

bool stays_inside(std::string_view path) noexcept {
  const bool has_drive = path.size() >= 2 && path[1] == ':';
  if (path.empty() || has_drive || path.find('\0') != std::string_view::npos || path[0] == '/' || path[0] == '\\') {
    return false;
  }
  int depth = 0;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find_first_of("/\\"), path.size());
    const std::string_view part = path.substr(0, end);
    if (part == "..") {
      if (--depth < 0) return false;
    } else if (!part.empty() && part != ".") {
      ++depth;
    }
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return depth > 0;
}

std::string with_slashes(std::string_view path) {
  std::string result(path);
  std::ranges::replace(result, '\\', '/');
  return result;
}

std::optional<fs::path> find_file(const fs::path& folder, std::string_view path) {
  if (!stays_inside(path)) return std::nullopt;
  fs::path found = folder;
  for (const std::string_view name : components(path)) {
    auto entry = name == ".." ? std::nullopt : find_entry(found, name);
    if (!entry) return std::nullopt;
    found = *std::move(entry);
  }
  std::error_code error;
  return fs::is_regular_file(found, error) ? std::optional(found) : std::nullopt;
}

}  // namespace pchr
