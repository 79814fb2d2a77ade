// SPDX-License-Identifier: MIT
// The columns of a timeline: pairs of digits and dashes, one for each frame.
#include "formats/chp/column.hpp"

#include "formats/chp/numbers.hpp"
#include "model/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pchr::chp {
namespace {

constexpr std::size_t kMostFrames = 4096;
// Until resolve_tweens.
constexpr std::int16_t kDash = -2;

/// The two characters at the start of `text`; fewer where there are no more.
std::string_view first_pair(std::string_view text) noexcept {
  std::size_t length = 0;
  for (int character = 0; character < 2 && length < text.size(); ++character) {
    length += std::max<std::size_t>(first_sequence(text.substr(length)).length, 1);
  }
  return text.substr(0, length);
}

std::int16_t read_pair(std::string_view pair, int base) noexcept {
  if (pair == "--") return kDash;
  return pair.size() == 2 ? read_id(pair, base).value_or(kNone) : kNone;
}

}  // namespace

Column read_column(const Field& word, int base, std::uint32_t line, Remarks& remarks) {
  Column column;
  std::string_view rest = word.text;
  const auto remark = [&](FindingId id, const auto& detail) {
    const auto position = word.column + static_cast<std::uint32_t>(rest.data() - word.text.data());
    remarks.add(id, [&] { return Finding{id, {}, {}, {}, detail(), line, position}; });
  };
  while (!rest.empty()) {
    const std::string_view pair = first_pair(rest);
    if (column.values.size() == kMostFrames) {
      remark(FindingId::chp_too_long, [] { return fmt::format("more than {} frames", kMostFrames); });
      break;
    }
    std::int16_t value = read_pair(pair, base);
    if (value == kNone) {
      remark(FindingId::chp_invalid_frame, [&] {
        return fmt::format("found \"{}\"; two digits in base {} or -- are expected", printable(pair), base);
      });
      const bool half = first_sequence(pair).length == pair.size();
      if (half) break;
      if (!column.values.empty()) value = column.values.back();
    }
    column.values.push_back(value);
    rest.remove_prefix(pair.size());
  }
  return column;
}

void resolve_tweens(Column& column, std::int64_t frame_ms) {
  auto& values = column.values;
  const std::size_t count = values.size();
  std::size_t key = count;  // the last key before `frame`, if any
  bool shared = false;      // whether a tween ends at it
  for (std::size_t frame = 0; frame < count; ++frame) {
    if (values[frame] == kDash) continue;
    const bool has_key = key < count && values[key] != kNone;
    if (frame > 0 && values[frame - 1] == kDash) {
      if (has_key) {
        const auto half = [&](std::size_t halves) { return static_cast<std::int64_t>(halves) * frame_ms; };
        if (shared) column.tweens.back().end_half_ms -= frame_ms;
        column.tweens.push_back({half(2 * key + (shared ? 1 : 0)), half(2 * frame + 2), values[key], values[frame]});
      } else {
        std::fill(values.begin() + static_cast<std::ptrdiff_t>(key < count ? key + 1 : 0),
                  values.begin() + static_cast<std::ptrdiff_t>(frame), values[frame]);
      }
    }
    shared = frame > 0 && !column.tweens.empty() &&
             column.tweens.back().end_half_ms == static_cast<std::int64_t>(2 * frame + 2) * frame_ms;
    key = frame;
  }
  const std::int16_t last = key < count ? values[key] : kNone;
  std::replace(values.begin(), values.end(), kDash, last);
}

}  // namespace pchr::chp
