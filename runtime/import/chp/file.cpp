// SPDX-License-Identifier: MIT
// Reads the text of Pomyu characters.
#include "import/chp/file.hpp"

#include "character/utf8.hpp"
#include "import/diagnose.hpp"
#include "import/text_decoding.hpp"

#include <fmt/format.h>

#include <iterator>
#include <limits>

namespace pchr::chp {
namespace {

constexpr int kNoDigit = 36;

int digit_of(char letter) noexcept {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'Z') return letter - 'A' + 10;
  return kNoDigit;
}

/// The first whole number in `text`, clamped to 32 bits: 120 in "120ms". Nothing where there is no digit.
std::optional<std::int64_t> read_integer(std::string_view text) noexcept {
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  const std::size_t start = text.find_first_of("0123456789");
  if (start == std::string_view::npos) return std::nullopt;
  std::int64_t value = 0;
  for (const char letter : text.substr(start)) {
    if (digit_of(letter) > 9) break;
    value = std::min(value * 10 + digit_of(letter), kMax);
  }
  return start > 0 && text[start - 1] == '-' ? -value : value;
}

/// `text`, one or two digits, as a number in `base` (2 to 36, letters of any case). Nothing if it is none.
std::optional<std::int16_t> read_id(std::string_view text, int base) noexcept {
  if (text.empty() || text.size() > 2) return std::nullopt;
  int value = 0;
  for (const char letter : text) {
    const int digit = digit_of(letter);
    if (digit >= base) return std::nullopt;
    value = value * base + digit;
  }
  return static_cast<std::int16_t>(value);
}

constexpr std::uint32_t kMaxLines = 100'000;

// Authors' tools leave these around what they write: the ideographic space, a byte order mark, the old end of file.
constexpr std::string_view kBlanks[] = {" ", "\t", "\xE3\x80\x80", "\xEF\xBB\xBF", "\x1A"};

/// Length of the blank that `text` begins with, or 0.
std::size_t leading_blank(std::string_view text) noexcept {
  for (const std::string_view blank : kBlanks) {
    if (text.starts_with(blank)) return blank.size();
  }
  return 0;
}

std::string_view without_leading_blanks(std::string_view text) noexcept {
  while (const std::size_t length = leading_blank(text)) text.remove_prefix(length);
  return text;
}

std::string_view trimmed(std::string_view text) noexcept {
  text = without_leading_blanks(text);
  const auto ends_text = [&](std::string_view blank) { return text.ends_with(blank); };
  for (bool more = true; more;) {
    const auto* const blank = std::ranges::find_if(kBlanks, ends_text);
    more = blank != std::end(kBlanks);
    if (more) text.remove_suffix(blank->size());
  }
  return text;
}

/// The text up to the first blank.
std::string_view first_word(std::string_view text) noexcept {
  std::size_t length = 0;
  while (length < text.size() && leading_blank(text.substr(length)) == 0) ++length;
  return text.substr(0, length);
}

std::vector<Field> split(const Field& value) {
  std::vector<Field> fields;
  std::string_view rest = value.text;
  while (!rest.empty()) {
    const std::string_view word = first_word(rest);
    if (word.starts_with('/')) break;
    fields.push_back({word, value.column + static_cast<std::uint32_t>(word.data() - value.text.data())});
    rest = without_leading_blanks(rest.substr(word.size()));
  }
  return fields;
}

/// `text` is what stands in line `number` from the `#` on, without comment; `line` is all of it.
Command read_command(std::string_view text, std::string_view line, std::uint32_t number) {
  const auto column_of = [&](std::string_view part) {
    return static_cast<std::uint32_t>(part.data() - line.data()) + 1;
  };
  Command command;
  command.line = number;
  command.column = column_of(text);
  const std::string_view name = first_word(text.substr(1));
  command.name = lower(name);
  const std::string_view value = without_leading_blanks(text.substr(1 + name.size()));
  command.value = {value, column_of(value)};
  command.fields = split(command.value);
  return command;
}

/// The line at the start of `text`, which is moved past it and its end: CR, LF or both.
std::string_view take_line(std::string_view& text) noexcept {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  text.remove_prefix(line.size());
  text.remove_prefix(text.starts_with("\r\n") ? 2 : std::min<std::size_t>(text.size(), 1));
  return line;
}

constexpr std::size_t kMaxFrames = 4096;
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

/// Reads a word such as `0203--05` in `base`: pairs of digits or dashes, one for each frame. What is no number takes
/// the value before it, with a warning; a column has at most 4096 frames.
Column read_column(const Field& word, int base, std::uint32_t line, Warnings& warnings) {
  Column column;
  std::string_view rest = word.text;
  const auto position = [&] { return word.column + static_cast<std::uint32_t>(rest.data() - word.text.data()); };
  while (!rest.empty()) {
    const std::string_view pair = first_pair(rest);
    if (column.values.size() == kMaxFrames) {
      warn(warnings, DiagnosticId::chp_too_long, {.line = line, .column = position()}, "more than {} frames",
           kMaxFrames);
      break;
    }
    std::int16_t value = read_pair(pair, base);
    if (value == kNone) {
      warn(warnings, DiagnosticId::chp_invalid_frame, {.line = line, .column = position()},
           "found \"{}\"; two digits in base {} or -- are expected", printable(pair), base);
      const bool half = first_sequence(pair).length == pair.size();
      if (half) break;
      if (!column.values.empty()) value = column.values.back();
    }
    column.values.push_back(value);
    rest.remove_prefix(pair.size());
  }
  return column;
}

/// Makes tweens of the column's dashes, at `frame_ms` for each frame: from the start of the first key's frame to the
/// end of the last one's. A key between two runs of dashes is shared: one tween ends and the next begins in the middle
/// of its frame. Dashes that have a key at one end only hold it.
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

constexpr std::size_t kMaxTimelines = 256;
constexpr std::int64_t kMaxFrameMs = 10'000;
constexpr std::int64_t kMaxSize = 8192;

constexpr std::string_view kPictureCommands[kPictureUses] = {"charbmp",  "charbmp2p",  "chartex",  "chartex2p",
                                                             "charface", "charface2p", "selectcg", "selectcg2p"};

bool is_rect(const Command& command) noexcept {
  const auto is_letter_or_digit = [](char letter) { return read_id({&letter, 1}, 36).has_value(); };
  return !command.name.empty() && command.name.size() <= 2 && std::ranges::all_of(command.name, is_letter_or_digit);
}

class Interpreter {
 public:
  Interpreter(const std::vector<Command>& commands, Warnings& warnings) : commands_(commands), warnings_(warnings) {}

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
        {"autocolorset", &Interpreter::read_auto_color},
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

  void ignore(const Command& command, std::string_view why) {
    warn(warnings_, DiagnosticId::chp_line_ignored, {.line = command.line, .column = command.column}, "#{}: {}",
         printable(command.name), why);
  }

  /// Word `number` of the command as a number from `least` to `most`, else `fallback`, with a warning.
  std::int64_t number_at(const Command& command, std::size_t number, std::int64_t least, std::int64_t most,
                         std::int64_t fallback) {
    const Field field = number < command.fields.size() ? command.fields[number] : Field{{}, command.value.column};
    const auto value = read_integer(field.text);
    if (value && *value >= least && *value <= most) return *value;
    const std::int64_t used = value && *value > most ? most : fallback;
    warn(warnings_, DiagnosticId::chp_value_replaced, {.line = command.line, .column = field.column},
         "found \"{}\"; {} to {} is allowed, and {} is used", printable(field.text), least, most, used);
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
      warn(warnings_, DiagnosticId::chp_unknown_command, {.line = command.line, .column = command.column}, "found #{}",
           printable(command.name));
    }
  }

  void read_name(const Command& command) { file_.name = command.value.text; }
  void read_artist(const Command& command) { file_.artist = command.value.text; }
  void read_auto_color(const Command& /*command*/) { file_.auto_color_key = true; }
  void read_data(const Command& /*command*/) {}  // find_bases has seen it
  void read_anime(const Command& command) { file_.frame_ms = number_at(command, 0, 1, kMaxFrameMs, 83); }
  void read_wait(const Command& command) { file_.wait = number_at(command, 0, 1, 1000, 1); }
  void read_face_upper(const Command& command) { file_.face_upper = pixel_rect(command); }
  void read_face_all(const Command& command) { file_.face_all = pixel_rect(command); }

  void read_size(const Command& command) {
    const auto is_allowed = [&](std::size_t number) {
      const auto value = number < command.fields.size() ? read_integer(command.fields[number].text) : std::nullopt;
      return value && *value >= 1 && *value <= kMaxSize;
    };
    if (is_allowed(0) && is_allowed(1)) {
      file_.width = *read_integer(command.fields[0].text);
      file_.height = *read_integer(command.fields[1].text);
      return;
    }
    warn(warnings_, DiagnosticId::chp_value_replaced, {.line = command.line, .column = command.value.column},
         "found \"{}\"; width and height from 1 to {} are expected, and {} {} is used", printable(command.value.text),
         kMaxSize, file_.width, file_.height);
  }

  PixelRect pixel_rect(const Command& command) {
    PixelRect rect;
    std::int64_t* const sides[] = {&rect.x, &rect.y, &rect.width, &rect.height};
    constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
    for (std::size_t i = 0; i < std::min(command.fields.size(), std::size(sides)); ++i) {
      *sides[i] = number_at(command, i, -kMax, kMax, 0);
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

  /// The animation that the command's first word names, as an index; nothing, with a warning, if there is none such.
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

  void read_timeline(const Command& command, Layer layer, std::size_t max_columns) {
    const auto animation = animation_of(command);
    if (!animation) return;
    auto& timelines = file_.animations[*animation].timelines;
    if (timelines.size() == kMaxTimelines) {
      warn(warnings_, DiagnosticId::chp_too_long, {.line = command.line, .column = command.column},
           "animation {} has more than {} lines", *animation + 1, kMaxTimelines);
      return;
    }
    Timeline timeline{layer, command.line, {}};
    const std::size_t count = std::min(command.fields.size() - 1, max_columns);
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_rect_column = i < 2;
      timeline.columns[i] =
          read_column(command.fields[i + 1], is_rect_column ? file_.frame_base : 16, command.line, warnings_);
    }
    if (timeline.columns[0].values.empty()) return ignore(command, "it has no frames");
    timelines.push_back(std::move(timeline));
  }

  void finish(int number) {
    const auto index = static_cast<std::size_t>(number - 1);
    Animation& animation = file_.animations[index];
    const Command* const rate = rates_[index];
    animation.frame_ms = rate == nullptr ? file_.frame_ms : number_at(*rate, 1, 1, kMaxFrameMs, file_.frame_ms);
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
      warn(warnings_, DiagnosticId::chp_unequal_columns, {.line = animation.timelines.front().line, .column = 1},
           "animation {} has columns of {} to {} frames and ends after {}", number, least, most, least);
    }
    std::ranges::stable_sort(animation.timelines, {}, &Timeline::layer);
    if (const Command* const loop = loops_[index]) {
      animation.loop_start = static_cast<std::uint32_t>(number_at(*loop, 1, 0, animation.frame_count - 1, 0));
    }
  }

  const std::vector<Command>& commands_;
  Warnings& warnings_;
  File file_;
  // The last #Flame and #Loop of each animation, which what is said elsewhere completes.
  std::array<const Command*, kAnimations> rates_{}, loops_{};
};

}  // namespace

std::vector<Command> read_commands(std::string_view text, Warnings& warnings) {
  std::vector<Command> commands;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    if (number > kMaxLines) {
      warn(warnings, DiagnosticId::chp_too_long, {.line = number, .column = 1}, "more than {} lines", kMaxLines);
      break;
    }
    const std::string_view line = take_line(text);
    const std::string_view content = trimmed(line.substr(0, line.find("//")));
    if (content.starts_with('#')) {
      commands.push_back(read_command(content, line, number));
    } else if (!content.empty() && !content.starts_with('/')) {
      warn(warnings, DiagnosticId::chp_unknown_command,
           {.line = number, .column = static_cast<std::uint32_t>(content.data() - line.data()) + 1},
           "found \"{}\"; a command begins with #", printable(content.substr(0, 40)));
    }
  }
  return commands;
}

bool is_known(const Command& command) noexcept { return Interpreter::knows(command.name); }

std::string_view name_of(PictureUse use) noexcept { return kPictureCommands[static_cast<std::size_t>(use)]; }

File interpret(const std::vector<Command>& commands, Warnings& warnings) {
  return Interpreter(commands, warnings).read();
}

}  // namespace pchr::chp
