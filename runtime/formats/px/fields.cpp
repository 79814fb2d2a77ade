// SPDX-License-Identifier: MIT
// Reads the fields of a .px file's models.
#include "formats/px/fields.hpp"

#include "model/utf8.hpp"

#include <cmath>

namespace pchr::px {
namespace {

std::uint8_t unpremultiplied(std::uint8_t channel, std::uint8_t alpha) noexcept {
  if (alpha == 0) return 0;
  return static_cast<std::uint8_t>(std::min((channel * 255 + alpha / 2) / alpha, 255));
}

}  // namespace

std::span<const std::byte> Fields::take(std::uint64_t count) noexcept {
  const std::uint64_t taken = std::min(count, remaining());
  // What ends before a field is an older file; only one that is begun is cut.
  if (taken < count && taken > 0) cut_ = true;
  const auto result = bytes_.subspan(position_, taken);
  position_ += taken;
  return result;
}

float Fields::read_half(float otherwise) noexcept {
  if (remaining() < sizeof(std::uint16_t)) return take(sizeof(std::uint16_t)), otherwise;
  const auto bits = read<std::uint16_t>();
  const int exponent = bits >> 10 & 0x1F;
  const auto fraction = static_cast<float>(bits & 0x3FF);
  float value = 0;
  if (exponent == 0x1F) {
    value = fraction == 0 ? INFINITY : NAN;
  } else if (exponent == 0) {
    value = std::ldexp(fraction, -24);
  } else {
    value = std::ldexp(fraction + 1024, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

Rgba Fields::read_colour() noexcept {
  const auto red = read<std::uint8_t>(), green = read<std::uint8_t>(), blue = read<std::uint8_t>();
  const auto alpha = read<std::uint8_t>();
  return {unpremultiplied(red, alpha), unpremultiplied(green, alpha), unpremultiplied(blue, alpha), alpha};
}

std::string_view Fields::read_id(std::uint64_t bytes) noexcept {
  const auto taken = take(bytes);
  return {reinterpret_cast<const char*>(taken.data()), taken.size()};
}

std::string Fields::read_name(std::uint64_t bytes) {
  std::string_view rest = read_id(bytes);
  std::string name;
  while (const auto invalid = find_invalid_utf8(rest)) {
    name.append(rest.substr(0, *invalid)).append("\xEF\xBF\xBD");
    rest.remove_prefix(*invalid + 1);
  }
  return name.append(rest);
}

}  // namespace pchr::px
