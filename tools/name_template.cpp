// SPDX-License-Identifier: MIT
// Names of output files with parts that are filled in.
#include "name_template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace pchr::tools {
namespace {

constexpr std::size_t kMostDigits = 9;

}  // namespace

// Nothing of it leads to another folder, hides the file, means standard output or steers a terminal. Escapes begin with
// a backslash, which is replaced like all others.
std::string NameTemplate::safe(std::string_view name) {
  std::string result = printable(name);
  for (char& c : result) {
    if (std::string_view("/\\:*?\"<>|").contains(c)) c = '_';
  }
  if (result.empty() || result.front() == '.' || result == "-") result.insert(result.begin(), '_');
  return result;
}

Result<NameTemplate::Part> NameTemplate::parse_part(std::string_view name) {
  if (name == "file") return Part{Kind::file};
  if (name == "clip") return Part{Kind::clip};
  const std::size_t colon = name.find(':');
  const std::string_view number = name.substr(0, colon);
  if (number == "index" || number == "frame") {
    Part part{number == "index" ? Kind::index : Kind::frame};
    if (colon == std::string_view::npos) return part;
    const std::string_view digits = name.substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), part.digits);
    if (error == std::errc() && end == digits.data() + digits.size() && part.digits <= kMostDigits) return part;
  }
  return fail(ExitCode::usage,
              fmt::format("pchr: {{{}}} is no part of a name; {{file}}, {{clip}}, {{index}}, {{frame}} "
                          "and, for numbers of four digits, {{index:04}} and {{frame:04}} are",
                          printable(name)));
}

Result<NameTemplate> NameTemplate::parse(const std::string& text) {
  NameTemplate name;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t open = std::min(rest.find('{'), rest.size());
    const std::size_t close = rest.find('}', open);
    if (close == std::string_view::npos) {
      name.parts_.push_back({Kind::text, std::string(rest)});
      break;
    }
    if (open > 0) name.parts_.push_back({Kind::text, std::string(rest.substr(0, open))});
    const auto part = parse_part(rest.substr(open + 1, close - open - 1));
    if (!part) return std::unexpected(part.error());
    name.parts_.push_back(*part);
    rest.remove_prefix(close + 1);
  }
  return name;
}

bool NameTemplate::has_frame() const noexcept {
  return std::ranges::any_of(parts_, [](const Part& part) { return part.kind == Kind::frame; });
}

std::string NameTemplate::fill(const NameParts& parts) const {
  std::string name;
  for (const Part& part : parts_) {
    switch (part.kind) {
      case Kind::text:
        name += part.text;
        break;
      case Kind::file:
        name += safe(parts.file);
        break;
      case Kind::clip:
        name += safe(parts.clip);
        break;
      case Kind::index:
        name += fmt::format("{:0{}}", parts.index, part.digits);
        break;
      case Kind::frame:
        name += fmt::format("{:0{}}", parts.frame, part.digits);
        break;
    }
  }
  return name;
}

}  // namespace pchr::tools
