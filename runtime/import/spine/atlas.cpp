// SPDX-License-Identifier: MIT
// Reads texture atlases of Spine and libGDX (.atlas), in the old and the new dialect. Written from the public
// description of the format. Pages are separated by blank lines; names are on lines of their own, and "key: values"
// follow them.
#include "character/utf8.hpp"
#include "import/diagnose.hpp"
#include "import/spine/spine.hpp"
#include "import/text_decoding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pchr::spine {
namespace {

std::string_view trimmed(std::string_view text) noexcept {
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t first = std::min(text.find_first_not_of(kSpace), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

/// Removes the first line of a text, and returns it without spaces around it. Lines end with LF, CR LF or CR.
std::string_view take_line(std::string_view& text) noexcept {
  const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(text.substr(end, 2) == "\r\n" ? end + 2 : end + 1, text.size()));
  return trimmed(line);
}

/// Sizes as the file gives them: of the upright image.
struct Bounds {
  double x = 0, y = 0, width = 0, height = 0;
  double left = 0, bottom = 0, full_width = 0, full_height = 0;
};

class AtlasReader {
 public:
  explicit AtlasReader(std::string_view text) : text_(text) {}

  Expected<Atlas, Diagnostic> read() {
    if (is_utf16(text_)) return Unexpected(utf16_error());
    if (text_.starts_with(kUtf8Mark)) text_.remove_prefix(kUtf8Mark.size());
    bool is_in_page = false, is_in_region = false;
    while (!text_.empty() && !error_) {
      line_ = take_line(text_);
      ++number_;
      if (line_.empty()) {
        is_in_page = is_in_region = false;
      } else if (const std::size_t colon = line_.find(':'); colon != std::string_view::npos) {
        const std::string_view key = trimmed(line_.substr(0, colon));
        split(line_.substr(colon + 1));
        if (is_in_region) {
          read_region_entry(key);
        } else if (is_in_page) {
          read_page_entry(key);
        }
        // Entries in front of the first page say nothing about images.
      } else {
        if (find_invalid_utf8(line_))
          fail(DiagnosticId::invalid_utf8, "the name \"{}\" is not UTF-8", printable(line_));
        if (!is_in_page) {
          atlas_.pages.push_back({std::string(line_)});
        } else {
          atlas_.regions.emplace_back().name = line_;
          atlas_.regions.back().page = static_cast<std::uint32_t>(atlas_.pages.size() - 1);
          atlas_.indices.push_back(-1);
          bounds_.emplace_back();
          is_in_region = true;
        }
        is_in_page = true;
      }
    }
    if (atlas_.pages.empty()) fail(DiagnosticId::missing_value, "the atlas has no pages");
    if (error_) return Unexpected(*std::move(error_));
    for (std::size_t i = 0; i < bounds_.size(); ++i) place(bounds_[i], atlas_.regions[i]);
    return std::move(atlas_);
  }

 private:
  /// Keeps the first error, with the number of its line.
  template <typename... Args>
  void fail(DiagnosticId id, fmt::format_string<Args...> text, Args&&... args) {
    if (!error_) error_ = diagnose(id, {.line = number_, .column = 1}, text, std::forward<Args>(args)...);
  }

  /// Splits the values of a line at commas.
  void split(std::string_view text) {
    values_ = {};
    for (std::string_view& value : values_) {
      const std::size_t end = std::min(text.find(','), text.size());
      value = trimmed(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  /// Returns a value of the line.
  double number(std::size_t place) {
    constexpr double kMaxNumber = 1e6;
    const std::string text(values_[place]);
    double value = 0;
    JsonReader reader(JsonText{text});
    if (!reader.read_document([&] { return reader.type() == JsonReader::Type::number && reader.read_number(value); })) {
      fail(DiagnosticId::wrong_type, "value {} of \"{}\" must be a number", place + 1, printable(line_));
      return 0;
    }
    if (std::abs(value) <= kMaxNumber) return value;
    fail(DiagnosticId::value_out_of_range, "value {} of \"{}\" must be between -{:g} and {:g}", place + 1,
         printable(line_), kMaxNumber, kMaxNumber);
    return 0;
  }

  /// Returns a value that is not negative.
  double size(std::size_t place) {
    const double value = number(place);
    if (value < 0) {
      fail(DiagnosticId::value_out_of_range, "value {} of \"{}\" must not be negative", place + 1, printable(line_));
    }
    return value;
  }

  void read_page_entry(std::string_view key) {
    AtlasPage& page = atlas_.pages.back();
    if (key == "size") {
      page.width = size(0);
      page.height = size(1);
    } else if (key == "pma") {
      page.is_premultiplied = values_[0] == "true";
    }
  }

  void read_region_entry(std::string_view key) {
    Bounds& bounds = bounds_.back();
    if (key == "xy" || key == "bounds") {
      bounds.x = number(0);
      bounds.y = number(1);
    } else if (key == "offset" || key == "offsets") {
      bounds.left = number(0);
      bounds.bottom = number(1);
    }
    const std::size_t behind = key == "bounds" || key == "offsets" ? 2 : 0;
    if (key == "size" || key == "bounds") {
      bounds.width = size(behind);
      bounds.height = size(behind + 1);
    } else if (key == "orig" || key == "offsets") {
      bounds.full_width = size(behind);
      bounds.full_height = size(behind + 1);
    } else if (key == "index") {
      atlas_.indices.back() = static_cast<std::int32_t>(number(0));
    } else if (key == "rotate") {
      // Degrees count counter-clockwise.
      const double degrees = values_[0] == "true" ? 90 : values_[0] == "false" ? 0 : number(0);
      const double turns = 4 - degrees / 90;
      if (turns != std::floor(turns) || turns < 0 || turns > 4) {
        fail(DiagnosticId::value_out_of_range, "\"{}\" must be 0, 90, 180 or 270", printable(line_));
        return;
      }
      atlas_.regions.back().turns = static_cast<std::uint32_t>(turns) % 4;
    }
  }

  static void place(const Bounds& bounds, rig::Region& region) noexcept {
    const bool is_upright = region.turns % 2 == 0;
    region.x = bounds.x;
    region.y = bounds.y;
    region.width = is_upright ? bounds.width : bounds.height;
    region.height = is_upright ? bounds.height : bounds.width;
    // Spine writes the full size of every image.
    const bool is_trimmed = bounds.full_width > 0 && bounds.full_height > 0 &&
                            (bounds.full_width != bounds.width || bounds.full_height != bounds.height ||
                             bounds.left != 0 || bounds.bottom != 0);
    if (!is_trimmed) return;
    region.full_width = bounds.full_width;
    region.full_height = bounds.full_height;
    region.trim_left = bounds.left;
    region.trim_top = bounds.full_height - bounds.height - bounds.bottom;
  }

  std::string_view text_;
  std::optional<Diagnostic> error_;
  Atlas atlas_;
  std::vector<Bounds> bounds_;  // of each region
  std::string_view line_;
  std::uint32_t number_ = 0;
  std::array<std::string_view, 4> values_;
};

}  // namespace

bool looks_like_atlas(std::string_view text) {
  constexpr std::string_view kKeys[] = {"size", "format", "filter", "repeat", "pma", "scale"};
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  std::string_view name;
  while (!text.empty() && name.empty()) name = take_line(text);
  if (name.empty() || name.find_first_of(":{}[]\"<>") != std::string_view::npos) return false;
  const std::string_view entry = take_line(text);
  const std::size_t colon = entry.find(':');
  return colon != std::string_view::npos &&
         std::ranges::find(kKeys, trimmed(entry.substr(0, colon))) != std::end(kKeys);
}

Expected<Atlas, Diagnostic> read_atlas(std::string_view text) { return AtlasReader(text).read(); }

}  // namespace pchr::spine
