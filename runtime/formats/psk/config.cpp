// SPDX-License-Identifier: MIT
// The .config file beside a .psa file.
#include "formats/psk/config.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace pchr::psk {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

/// A line such as `Walk.12=trans`.
void read_removed(std::string_view name, std::string_view value, Config& config) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return;
  std::uint32_t bone = 0;
  const std::string_view digits = name.substr(dot + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), bone);
  if (error != std::errc() || end != digits.data() + digits.size()) return;
  RemovedParts& parts = config.removed[{lower(name.substr(0, dot)), bone}];
  parts.position = parts.position || value == "all" || value == "trans";
  parts.rotation = parts.rotation || value == "all" || value == "rot";
}

}  // namespace

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return result;
}

Config read_config(std::string_view text) {
  Config config;
  std::string section;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with('[')) {
      section = lower(line);
      continue;
    }
    const std::size_t equals = std::min(line.find('='), line.size());
    const std::string_view name = trimmed(line.substr(0, equals));
    const std::string value = lower(trimmed(line.substr(std::min(equals + 1, line.size()))));
    if (name.empty()) continue;
    if (section == "[removetracks]") read_removed(name, value, config);
    if (section == "[animset]" && lower(name) == "banimrotationonly")
      config.rotation_only = value == "1" || value == "true";
    if (section == "[usetranslationbonenames]") config.with_position.insert(lower(name));
  }
  return config;
}

}  // namespace pchr::psk
