// SPDX-License-Identifier: MIT
// Reads and finds files near a character, and makes names for new ones.
#include "import/files.hpp"

#include "character/fail.hpp"
#include "character/utf8.hpp"
#include "import/diagnose.hpp"
#include "import/text_decoding.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace pchr {
namespace {

struct Range {
  char32_t first, last;
  char32_t to_lower = 0;  ///< Distance to the lower case letter.

  [[nodiscard]] bool contains(char32_t code_point) const noexcept { return first <= code_point && code_point <= last; }
};

/// Latin, Greek, Cyrillic and full-width letters.
constexpr Range kCapitals[] = {{'A', 'Z', 0x20},     {0xC0, 0xD6, 0x20},   {0xD8, 0xDE, 0x20},    {0x391, 0x3A9, 0x20},
                               {0x410, 0x42F, 0x20}, {0x400, 0x40F, 0x50}, {0xFF21, 0xFF3A, 0x20}};
constexpr char32_t kVoiced = 0x3099, kHalfVoiced = 0x309A;

char32_t lower_case(char32_t letter) noexcept {
  const auto* const range = std::ranges::find_if(kCapitals, [&](const Range& each) { return each.contains(letter); });
  return range == std::end(kCapitals) ? letter : letter + range->to_lower;
}

/// Composes a kana and its mark: か becomes が, the next code point.
char32_t composed(char32_t kana, char32_t mark) noexcept {
  if (mark == kHalfVoiced) return kana + 2;
  if (kana == U'う') return U'ゔ';
  return kana == U'ウ' ? U'ヴ' : kana + 1;
}

/// Returns the parts of a path, without `.`.
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

/// Returns the names of the folders, or of what is no folder, that `name` can stand for.
std::vector<std::string> find_entries(const std::string& folder, std::string_view name, bool is_folder,
                                      const ReaderOptions& options) {
  constexpr std::size_t kMaxEntries = 200'000;
  const auto [listing, is_new] = options.listed->try_emplace(folder);
  auto& entries = listing->second;
  std::size_t count = 0;
  const auto add = [&](const std::string& path, FileKind kind) {
    const bool is_one = kind == FileKind::folder || kind == FileKind::link_to_folder;
    entries[folded_name(file_name_of(path), options)].push_back({std::string(file_name_of(path)), is_one});
    return ++count < kMaxEntries;
  };
  if (is_new) visit_folder(folder, options, add);
  std::vector<std::string> found;
  const auto alike = entries.find(folded_name(name, options));
  if (alike == entries.end()) return found;
  for (const FolderEntry& entry : alike->second) {
    if (entry.is_folder != is_folder) continue;
    if (entry.name == name) return {entry.name};
    found.push_back(entry.name);
  }
  std::ranges::sort(found);
  return found;
}

/// Returns the paths in `folder` that `path` can stand for. Enters a folder only if it is the only one.
std::vector<std::string> find_below(const std::string& folder, std::string_view path, const ReaderOptions& options) {
  std::vector<std::string> found{""};
  const std::vector<std::string_view> names = components(path);
  for (std::size_t i = 0; i < names.size() && found.size() == 1; ++i) {
    const std::string parent = std::move(found.front());
    const std::string at = parent.empty() ? folder : path_in(folder, parent);
    const bool leads_outside =
        !parent.empty() && !options.real_folders.empty() && !is_below(options.real_folders, real_path(at));
    if (leads_outside) return {};
    found = find_entries(at, names[i], i + 1 < names.size(), options);
    for (std::string& each : found) each = path_in(parent, each);
  }
  return found;
}

/// File systems allow 255 bytes. This leaves room for a number, an extension and suffixes of other programs.
constexpr std::size_t kMaxFileNameBytes = 120;

/// Punctuation, symbols, spaces, private use characters and invisible marks.
constexpr Range kNotLetters[] = {{0x80, 0xA9},     {0xAB, 0xB4},     {0xB6, 0xB9},       {0xBB, 0xBF},
                                 {0xD7, 0xD7},     {0xF7, 0xF7},     {0x34F, 0x34F},     {0x600, 0x61F},
                                 {0x1680, 0x1680}, {0x180B, 0x180F}, {0x2000, 0x2BFF},   {0x2E00, 0x2E7F},
                                 {0x3000, 0x3004}, {0x3008, 0x3020}, {0xE000, 0xF8FF},   {0xFE00, 0xFE6F},
                                 {0xFEFF, 0xFF0F}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FFFF}, {0xE0000, 0x10FFFF}};

bool is_letter_or_digit(char32_t code_point) {
  constexpr Range kAscii[] = {{U'0', U'9'}, {U'A', U'Z'}, {U'a', U'z'}};
  const auto contains = [&](const Range& range) { return range.contains(code_point); };
  return code_point < 0x80 ? std::ranges::any_of(kAscii, contains) : std::ranges::none_of(kNotLetters, contains);
}

/// Returns a text that is equal for names that any file system may treat as equal. Treats all non-ASCII letters of
/// scripts with case as equal.
std::string case_folded(std::string_view name) {
  std::string result;
  while (!name.empty()) {
    const Utf8Sequence sequence = first_sequence(name);
    const char32_t code_point = sequence.code_point;
    if (code_point < 0x80) {
      result += lower(name.substr(0, 1));
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

ReaderOptions reader_options(const ImportOptions& options, const std::string& path) {
  ReaderOptions result{options};
  if (result.image_folder.empty() && !path.empty()) result.image_folder = folder_of(path);
  if (result.image_folder.empty() && !path.empty()) result.image_folder = ".";
  if (options.read_file || options.follow_links) return result;
  result.real_folders.push_back(real_path(result.image_folder));
  // Build systems link every file into another folder.
  if (!path.empty()) result.real_folders.emplace_back(folder_of(real_path(path)));
  return result;
}

Expected<FileBytes, Diagnostic> read_side_file(const std::string& path, std::uint64_t max_bytes,
                                               const ReaderOptions& options, std::size_t padding) {
  if (options.read_file) return read_file(path, max_bytes, padding, options.read_file);
  return read_file_below(options.real_folders, path, max_bytes, padding);
}

Companion read_companion(std::span<const std::string> names, std::uint64_t max_bytes, const ReaderOptions& options,
                         Warnings& warnings, std::size_t padding, bool only_exact) {
  const auto announce = [&](const std::string& path) {
    if (options.before_reading) options.before_reading(path);
  };
  const auto warn_of_case = [&](std::string_view name, std::string_view found) {
    if (name == found) return;
    warn(warnings, DiagnosticId::name_differs_in_case, {}, "the file \"{}\" was found as \"{}\"", printable(name),
         printable(found));
  };
  for (const std::string& name : names) {
    const std::string wanted(file_name_of(with_slashes(name)));
    const auto is_exact = [&](const std::string& image) { return file_name_of(image) == wanted; };
    const auto is_alike = [&](const std::string& image) {
      return folded_name(file_name_of(image), options) == folded_name(wanted, options);
    };
    auto image = std::ranges::find_if(options.images, is_exact);
    if (image == options.images.end()) image = std::ranges::find_if(options.images, is_alike);
    if (image == options.images.end()) continue;
    announce(*image);
    warn_of_case(wanted, file_name_of(*image));
    return {name, std::string(file_name_of(*image)), true, read_file(*image, max_bytes, padding, options.read_file)};
  }
  Companion result{
      names.front(), {}, false, fail(DiagnosticId::unreadable_file, "a character loaded from memory has no folder")};
  const auto is_refused = [](const std::string& name) { return !stays_inside(name) || name.find("://") != name.npos; };
  if (is_refused(names.front())) {
    result.file = fail(DiagnosticId::image_path_refused, "must be a relative path inside the character's folder");
  }
  if (options.image_folder.empty()) return result;
  for (const std::string& name : names) {
    if (is_refused(name)) continue;
    const std::string path = path_in(options.image_folder, with_slashes(name));
    announce(path);
    auto file = read_side_file(path, max_bytes, options, padding);
    const bool exists = file || file.error().id != DiagnosticId::unreadable_file ||
                        (!options.read_file && find_kind(path) != FileKind::none);
    if (exists) return {name, name, true, std::move(file)};
    if (&name == names.data()) result.file = std::move(file);
  }
  if (only_exact || (options.read_file && !options.list_folder)) return result;
  for (const std::string& name : names) {
    if (is_refused(name)) continue;
    const std::vector<std::string> found = find_below(options.image_folder, name, options);
    if (found.size() > 1) {
      result.file = fail(DiagnosticId::unreadable_file,
                         fmt::format("the file cannot be chosen: \"{}\" and \"{}\" have this name in different case",
                                     printable(found[0]), printable(found[1])));
      result.exists = true;
      return result;
    }
    if (found.empty()) continue;
    const std::string path = path_in(options.image_folder, found.front());
    const std::string normal = normal_path(with_slashes(name));
    if (found.front() != normal) announce(path);
    warn_of_case(normal, found.front());
    return {name, found.front(), true, read_side_file(path, max_bytes, options, padding)};
  }
  return result;
}

std::vector<std::string> real_folders_of(const std::string& path, const ReaderOptions& options) {
  std::vector<std::string> folders = options.real_folders;
  const std::string folder(folder_of(path));
  if (!folders.empty()) folders.push_back(real_path(folder.empty() ? "." : folder));
  return folders;
}

Expected<FileBytes, Diagnostic> read_found_file(const std::string& path, std::uint64_t max_bytes,
                                                const ReaderOptions& options) {
  if (options.read_file) return read_file(path, max_bytes, 0, options.read_file);
  return read_file_below(real_folders_of(path, options), path, max_bytes);
}

void visit_folder(const std::string& folder, const ImportOptions& options,
                  const Callback<bool(std::string path, FileKind kind)>& visit) {
  if (options.before_listing) options.before_listing(folder);
  if (!options.read_file) {
    const auto visit_entry = [&](const std::string& name, FileKind kind) { return visit(path_in(folder, name), kind); };
    visit_system_folder(folder, visit_entry);
  } else if (options.list_folder) {
    const std::string name = normal_path(folder);
    for (std::string& each : options.list_folder(name == "." ? std::string() : name)) {
      const bool is_folder = each.ends_with('/');
      if (is_folder) each.pop_back();
      if (!visit(path_in(folder, each), is_folder ? FileKind::folder : FileKind::file)) return;
    }
  }
}

std::string absolute_folder(const std::string& folder, const ImportOptions& options) {
  if (!options.read_file) return absolute_path(folder);
  const std::string normal(folder_of(normal_path(path_in(folder, ""))));
  return normal.empty() ? "." : normal;
}

bool stays_inside(std::string_view path) {
  const bool has_drive = path.size() >= 2 && path[1] == ':';
  if (path.empty() || has_drive || path.find('\0') != std::string_view::npos || path[0] == '/' || path[0] == '\\') {
    return false;
  }
  int depth = 0;
  for (const std::string_view part : components(path)) {
    depth += part == ".." ? -1 : 1;
    if (depth < 0) return false;
  }
  return depth > 0;
}

std::string with_slashes(std::string_view path) {
  std::string result(path);
  std::ranges::replace(result, '\\', '/');
  return result;
}

std::vector<std::string> find_names(const std::string& folder, std::string_view name, const ReaderOptions& options) {
  std::vector<std::string> found = find_below(folder, name, options);
  for (std::string& each : found) each = path_in(folder, each);
  return found;
}

std::string folded_name(std::string_view name, const ImportOptions& options) {
  std::string text(name);
  if (find_invalid_utf8(name)) {
    const bool is_unicode = options.text_encoding.empty() || options.text_encoding.starts_with("UTF");
    const std::string encoding = is_unicode ? "CP932" : options.text_encoding;
    if (auto decoded = decode_text(std::as_bytes(std::span(name)), encoding)) text = std::move(decoded->utf8);
  }
  std::u32string letters;
  for (std::string_view rest = text; !rest.empty();) {
    const Utf8Sequence sequence = first_sequence(rest);
    const char32_t letter = sequence.length == 0 ? U'\uFFFD' : sequence.code_point;
    if ((letter == kVoiced || letter == kHalfVoiced) && !letters.empty()) {
      letters.back() = composed(letters.back(), letter);
    } else {
      letters += lower_case(letter);
    }
    rest.remove_prefix(std::max<std::size_t>(sequence.length, 1));
  }
  text.clear();
  for (const char32_t letter : letters) append_utf8(text, letter);
  return text;
}

std::string safe_name(std::string_view name) {
  std::string safe;
  while (!name.empty()) {
    const Utf8Sequence sequence = first_sequence(name);
    const std::size_t length = std::max<std::size_t>(sequence.length, 1);
    if (safe.size() + length > kMaxFileNameBytes) break;
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
  // A command line would parse a leading '-' as an option.
  return is_device_name(safe, PathStyle::windows) || safe[0] == '-' ? "_" + safe : safe;
}

std::vector<std::string> safe_file_names(std::span<const std::string> names, std::string_view extension) {
  std::vector<std::string> result;
  std::unordered_set<std::string> taken;
  std::unordered_map<std::string, std::uint32_t> last_number;
  for (const std::string& each : names) {
    std::string_view name = each;
    const bool has_extension =
        name.size() > extension.size() && lower(name.substr(name.size() - extension.size())) == lower(extension);
    if (has_extension) name.remove_suffix(extension.size());
    const std::string base = safe_name(name);
    std::string unique = base;
    std::uint32_t& number = last_number.try_emplace(case_folded(base), 1).first->second;
    while (!taken.insert(case_folded(unique)).second) unique = fmt::format("{}-{}", base, ++number);
    result.push_back(unique + std::string(extension));
  }
  return result;
}

}  // namespace pchr
