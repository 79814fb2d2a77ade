// SPDX-License-Identifier: MIT
#include "name_pattern.hpp"

#include "platform/file_path.hpp"
#include "tool.hpp"

#include <charconv>

namespace pchr::tools {
namespace {

/// Parses the digits after the colon of "frame:04". Returns 1 if there is none, and nothing if they are not valid.
std::optional<std::size_t> digits_of(std::string_view placeholder) {
  constexpr std::size_t kMaxDigits = 9;
  const std::size_t colon = placeholder.find(':');
  if (colon == std::string_view::npos) return 1;
  const std::string_view text = placeholder.substr(colon + 1);
  std::size_t digits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), digits);
  const bool is_valid = error == std::errc() && end == text.data() + text.size() && digits <= kMaxDigits;
  return is_valid ? std::optional(digits) : std::nullopt;
}

std::optional<std::string> find_part(std::string_view placeholder, const NameParts& parts) {
  if (placeholder == "file") return parts.file;
  if (placeholder == "folder") return parts.folder;
  if (placeholder == "clip") return parts.clip;
  const std::string_view name = placeholder.substr(0, placeholder.find(':'));
  const std::optional<std::uint64_t>* number = name == "index"   ? &parts.index
                                               : name == "frame" ? &parts.frame
                                                                 : nullptr;
  const std::optional<std::size_t> digits = digits_of(placeholder);
  if (number == nullptr || !*number || !digits) return std::nullopt;
  return fmt::format("{:0{}}", **number, *digits);
}

std::string describe_placeholders(const NameParts& parts) {
  std::vector<std::string> names;
  if (parts.file) names.emplace_back("{file}");
  if (parts.folder) names.emplace_back("{folder}");
  if (parts.clip) names.emplace_back("{clip}");
  if (parts.index) names.emplace_back("{index}");
  if (parts.frame) names.emplace_back("{frame}");
  std::string text = "use " + fmt::format("{}", fmt::join(names.begin(), names.end() - 1, ", "));
  text += (names.size() > 1 ? " or " : "") + names.back();
  if (parts.index || parts.frame) text += fmt::format("; {{{}:04}} has four digits", parts.frame ? "frame" : "index");
  return text;
}

}  // namespace

NameParts parts_of_input(const std::string& file) {
  const std::string_view folder = file == "-" ? "" : folder_of(file);
  return {.file = safe_part(input_stem(file)), .folder = std::string(folder.empty() ? "." : folder)};
}

std::string fill_name(std::string_view pattern, const NameParts& parts, std::string_view where) {
  std::string filled;
  while (!pattern.empty()) {
    const std::size_t open = std::min(pattern.find('{'), pattern.size()), close = pattern.find('}', open);
    if (close == std::string_view::npos) return filled.append(pattern);
    const std::string_view placeholder = pattern.substr(open + 1, close - open - 1);
    const std::optional<std::string> part = find_part(placeholder, parts);
    if (!part) {
      fail(ExitCode::usage, "unknown placeholder {{{}}} in {}\n  hint: {}", printable(placeholder), where,
           describe_placeholders(parts));
    }
    filled.append(pattern.substr(0, open)).append(*part);
    pattern.remove_prefix(close + 1);
  }
  return filled;
}

std::string safe_part(std::string_view name) {
  std::string result = printable(name);
  for (char& c : result) {
    if (std::string_view("/\\:*?\"<>|").contains(c)) c = '_';
  }
  if (result.empty() || result.front() == '.' || result == "-") result.insert(result.begin(), '_');
  return result;
}

}  // namespace pchr::tools
