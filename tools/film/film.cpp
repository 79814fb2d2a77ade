// SPDX-License-Identifier: MIT
// Films: a row of pictures, each of which lasts for some time, and the files that hold them.
#include "film/film.hpp"

#include <algorithm>
#include <utility>

namespace pchr::film {
namespace {

constexpr std::pair<std::string_view, Format> kNames[]{{"png", Format::png},   {"apng", Format::apng},
                                                       {"gif", Format::gif},   {"webp", Format::webp},
                                                       {"rgba", Format::rgba}, {"y4m", Format::y4m}};

bool same_letters(char a, char b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return lower(a) == lower(b);
}

}  // namespace

std::uint32_t most_pixels(Format format) {
  if (format == Format::webp) return 16383;
  return format == Format::gif ? 65535 : 0x7FFFFFFF;
}

std::optional<Format> format_named(std::string_view name) {
  const auto* found = std::ranges::find_if(
      kNames, [&](const auto& entry) { return std::ranges::equal(entry.first, name, same_letters); });
  if (found == std::end(kNames)) return std::nullopt;
  return found->second;
}

std::optional<Format> format_of(std::string_view file_name) {
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string_view::npos) return std::nullopt;
  return format_named(file_name.substr(dot + 1));
}

}  // namespace pchr::film
