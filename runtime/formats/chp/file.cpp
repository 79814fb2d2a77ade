// SPDX-License-Identifier: MIT
// All that a Pomyu character file says, as plain data.
#include "formats/chp/file.hpp"

#include "formats/chp/column.hpp"
#include "formats/chp/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace pchr::chp {
namespace {

constexpr std::size_t kMostTimelines = 256;
constexpr std::int64_t kMostFrameMs = 10'000;
constexpr std::int64_t kMostSize = 8192;

constexpr std::string_view kPictureCommands[kPictureUses] = {"charbmp",  "charbmp2p",  "chartex",  "chartex2p",
                                                             "charface", "charface2p", "selectcg", "selectcg2p"};

bool is_rect(const Command& command) noexcept {
  const auto is_letter_or_digit = [](char letter) { return read_id({&letter, 1}, 36).has_value(); };
  return !command.name.empty() && command.name.size() <= 2 && std::ranges::all_of(command.name, is_letter_or_digit);
}

class Interpreter {
 public:
  Interpreter(const std::vector<Command>& commands, Remarks& remarks) : commands_(commands), remarks_(remarks) {}

  File read() {
    find_bases();
    file_.width = file_.legacy ? 121 : 167;
    file_.height = 271;
    for (const Command& command : commands_) read_command(command);
    for (int number = 1; number <= kAnimations; ++number) finish(number);
    return std::move(file_);
  }

  [[nodiscard]] static bool knows(std::string_view name) noexcept {
    return reader_of(name) != nullptr || std::ranges::find(kPictureCommands, name) != std::end(kPictureCommands);
  }

 private:
  using Read = void (Interpreter::*)(const Command&);

  /// What reads the command of that name; null if none does.
  static Read reader_of(std::string_view name) noexcept {
    static constexpr std::pair<std::string_view, Read> kReaders[] = {
        {"charname", &Interpreter::read_name},
        {"artist", &Interpreter::read_artist},
        {"autocolorset", &Interpreter::read_auto_colour},
        {"anime", &Interpreter::read_anime},
        {"size", &Interpreter::read_size},
        {"wait", &Interpreter::read_wait},
        {"data", &Interpreter::read_data},
        {"flame", &Interpreter::read_frame_ms},
        {"frame", &Interpreter::read_frame_ms},
        {"loop", &Interpreter::read_loop},
        {"patern", &Interpreter::read_pattern},
        {"pattern", &Interpreter::read_pattern},
        {"texture", &Interpreter::read_texture},
        {"layer", &Interpreter::read_layer},
        {"charfaceuppersize", &Interpreter::read_face_upper},
        {"charfaceallsize", &Interpreter::read_face_all}};
    const auto* const found = std::ranges::find(kReaders, name, &std::pair<std::string_view, Read>::first);
    return found == std::end(kReaders) ? nullptr : found->second;
  }

  template <class Detail>
  void remark(FindingId id, std::uint32_t line, std::uint32_t column, Detail detail) {
    remarks_.add(id, [&] { return Finding{id, {}, {}, {}, detail(), line, column}; });
  }

  void ignore(const Command& command, std::string_view why) {
    remark(FindingId::chp_line_ignored, command.line, command.column,
           [&] { return fmt::format("#{}: {}", printable(command.name), why); });
  }

  /// Word `number` of the command as a number from `least` to `most`, else `fallback`, with a remark.
  std::int64_t number_at(const Command& command, std::size_t number, std::int64_t least, std::int64_t most,
                         std::int64_t fallback) {
    const Field field = number < command.fields.size() ? command.fields[number] : Field{{}, command.value.column};
    const auto value = read_integer(field.text);
    if (value && *value >= least && *value <= most) return *value;
    const std::int64_t used = value && *value > most ? most : fallback;
    remark(FindingId::chp_value_replaced, command.line, field.column, [&] {
      return fmt::format("found \"{}\"; {} to {} is allowed, and {} is used", printable(field.text), least, most, used);
    });
    return used;
  }

  void find_bases() {
    for (const Command& command : commands_) {
      if (command.name != "data") continue;
      file_.legacy = false;
      file_.id_base = static_cast<int>(number_at(command, 0, 2, 36, 16));
      file_.frame_base = file_.id_base;
    }
    if (!file_.legacy) return;
    for (const Command& command : commands_) {
      if (!is_rect(command) || command.fields.empty() || !read_integer(command.fields[0].text)) continue;
      for (const int base : {16, 36}) {
        if (file_.id_base < base && !read_id(command.name, file_.id_base)) file_.id_base = base;
      }
    }
    file_.frame_base = std::max(file_.frame_base, file_.id_base);
  }

  void read_command(const Command& command) {
    const auto* const picture = std::ranges::find(kPictureCommands, command.name);
    if (picture != std::end(kPictureCommands)) {
      const auto use = static_cast<std::size_t>(picture - std::begin(kPictureCommands));
      file_.pictures[use] = {std::string(command.value.text), command.line, command.value.column};
    } else if (const Read reader = reader_of(command.name)) {
      (this->*reader)(command);
    } else if (is_rect(command)) {
      read_rect(command);
    } else {
      remark(FindingId::chp_unknown_command, command.line, command.column,
             [&] { return fmt::format("found #{}", printable(command.name)); });
    }
  }

  void read_name(const Command& command) { file_.name = command.value.text; }
  void read_artist(const Command& command) { file_.artist = command.value.text; }
  void read_auto_colour(const Command& /*command*/) { file_.auto_colour_key = true; }
  void read_data(const Command& /*command*/) {}  // find_bases has seen it
  void read_anime(const Command& command) { file_.frame_ms = number_at(command, 0, 1, kMostFrameMs, 83); }
  void read_wait(const Command& command) { file_.wait = number_at(command, 0, 1, 1000, 1); }
  void read_face_upper(const Command& command) { file_.face_upper = pixel_rect(command); }
  void read_face_all(const Command& command) { file_.face_all = pixel_rect(command); }

  void read_size(const Command& command) {
    const auto is_allowed = [&](std::size_t number) {
      const auto value = number < command.fields.size() ? read_integer(command.fields[number].text) : std::nullopt;
      return value && *value >= 1 && *value <= kMostSize;
    };
    if (is_allowed(0) && is_allowed(1)) {
      file_.width = *read_integer(command.fields[0].text);
      file_.height = *read_integer(command.fields[1].text);
      return;
    }
    remark(FindingId::chp_value_replaced, command.line, command.value.column, [&] {
      return fmt::format("found \"{}\"; width and height from 1 to {} are expected, and {} {} is used",
                         printable(command.value.text), kMostSize, file_.width, file_.height);
    });
  }

  PixelRect pixel_rect(const Command& command) {
    PixelRect rect;
    std::int64_t* const sides[] = {&rect.x, &rect.y, &rect.width, &rect.height};
    constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
    for (std::size_t i = 0; i < std::min(command.fields.size(), std::size(sides)); ++i) {
      *sides[i] = number_at(command, i, -kMost, kMost, 0);
    }
    return rect;
  }

  void read_rect(const Command& command) {
    if (const auto id = read_id(command.name, file_.id_base)) {
      file_.rects[*id] = pixel_rect(command);
    } else {
      ignore(command, fmt::format("rectangles are numbered in base {} here", file_.id_base));
    }
  }

  /// The animation that the command's first word names, as an index; nothing, with a remark, if there is none such.
  std::optional<std::size_t> animation_of(const Command& command) {
    const auto number = command.fields.empty() ? std::nullopt : read_integer(command.fields[0].text);
    if (number && *number >= 1 && *number <= kAnimations) return static_cast<std::size_t>(*number - 1);
    ignore(command, fmt::format("found animation \"{}\"; they are 1 to {}",
                                command.fields.empty() ? "" : printable(command.fields[0].text), kAnimations));
    return std::nullopt;
  }

  void read_frame_ms(const Command& command) {
    if (const auto animation = animation_of(command)) rates_[*animation] = &command;
  }

  void read_loop(const Command& command) {
    const auto animation = animation_of(command);
    if (!animation) return;
    if (*animation < kIdleAnimations) return ignore(command, "an idle animation repeats from its first frame");
    loops_[*animation] = &command;
  }

  void read_pattern(const Command& command) { read_timeline(command, Layer::pattern, 2); }
  void read_texture(const Command& command) { read_timeline(command, Layer::texture, 4); }
  void read_layer(const Command& command) { read_timeline(command, Layer::layer, 2); }

  void read_timeline(const Command& command, Layer layer, std::size_t most_columns) {
    const auto animation = animation_of(command);
    if (!animation) return;
    auto& timelines = file_.animations[*animation].timelines;
    if (timelines.size() == kMostTimelines) {
      remark(FindingId::chp_too_long, command.line, command.column,
             [&] { return fmt::format("animation {} has more than {} lines", *animation + 1, kMostTimelines); });
      return;
    }
    Timeline timeline{layer, command.line, {}};
    const std::size_t count = std::min(command.fields.size() - 1, most_columns);
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_rect_column = i < 2;
      timeline.columns[i] =
          read_column(command.fields[i + 1], is_rect_column ? file_.frame_base : 16, command.line, remarks_);
    }
    if (timeline.columns[0].values.empty()) return ignore(command, "it has no frames");
    timelines.push_back(std::move(timeline));
  }

  void finish(int number) {
    const auto index = static_cast<std::size_t>(number - 1);
    Animation& animation = file_.animations[index];
    const Command* const rate = rates_[index];
    animation.frame_ms = rate == nullptr ? file_.frame_ms : number_at(*rate, 1, 1, kMostFrameMs, file_.frame_ms);
    if (animation.timelines.empty()) return;
    std::size_t least = std::numeric_limits<std::size_t>::max(), most = 0;
    for (Timeline& timeline : animation.timelines) {
      for (Column& column : timeline.columns) {
        if (column.values.empty()) continue;
        least = std::min(least, column.values.size());
        most = std::max(most, column.values.size());
        resolve_tweens(column, animation.frame_ms);
      }
    }
    animation.frame_count = static_cast<std::uint32_t>(least);
    if (least != most) {
      remark(FindingId::chp_unequal_columns, animation.timelines.front().line, 1, [&] {
        return fmt::format("animation {} has columns of {} to {} frames and ends after {}", number, least, most, least);
      });
    }
    std::ranges::stable_sort(animation.timelines, {}, &Timeline::layer);
    if (const Command* const loop = loops_[index]) {
      animation.loop_start = static_cast<std::uint32_t>(number_at(*loop, 1, 0, animation.frame_count - 1, 0));
    }
  }

  const std::vector<Command>& commands_;
  Remarks& remarks_;
  File file_;
  // The last #Flame and #Loop of each animation, which what is said elsewhere completes.
  std::array<const Command*, kAnimations> rates_{}, loops_{};
};

}  // namespace

bool is_known(const Command& command) noexcept { return Interpreter::knows(command.name); }

std::string_view name_of(PictureUse use) noexcept { return kPictureCommands[static_cast<std::size_t>(use)]; }

File interpret(const std::vector<Command>& commands, Remarks& remarks) { return Interpreter(commands, remarks).read(); }

}  // namespace pchr::chp
