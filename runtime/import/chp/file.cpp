// SPDX-License-Identifier: MIT
// Reads the text of Pomyu characters and evaluates its timelines.
#include "import/chp/chp.hpp"

#include "character/utf8.hpp"
#include "import/diagnose.hpp"
#include "import/text_decoding.hpp"

#include <cstdlib>
#include <limits>
#include <optional>

namespace pchr::chp {
namespace {

constexpr int kNoDigit = 36;

int digit_of(char letter) noexcept {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'Z') return letter - 'A' + 10;
  return kNoDigit;
}

/// Returns the first integer in `text`, clamped to 32 bits: 120 in "120ms". Returns nothing if there is no digit.
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

/// Parses one or two digits in `base` (2 to 36, case-insensitive). Returns nothing for any other text.
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

// Authoring tools leave these around their text: the ideographic space, a byte order mark, the DOS end of file.
constexpr std::string_view kBlanks[] = {" ", "\t", "\xE3\x80\x80", "\xEF\xBB\xBF", "\x1A"};

/// Returns the length of the blank that `text` starts with, or 0.
std::size_t leading_blank(std::string_view text) noexcept {
  const auto begins = [&](std::string_view blank) { return text.starts_with(blank); };
  const auto* const blank = std::ranges::find_if(kBlanks, begins);
  return blank == std::end(kBlanks) ? 0 : blank->size();
}

std::string_view without_leading_blanks(std::string_view text) noexcept {
  while (const std::size_t length = leading_blank(text)) text.remove_prefix(length);
  return text;
}

std::string_view without_trailing_blanks(std::string_view text) noexcept {
  const auto ends = [&](std::string_view blank) { return text.ends_with(blank); };
  const std::string_view* blank = nullptr;
  while ((blank = std::ranges::find_if(kBlanks, ends)) != std::end(kBlanks)) text.remove_suffix(blank->size());
  return text;
}

/// Returns the text up to the first blank.
std::string_view first_word(std::string_view text) noexcept {
  std::size_t length = 0;
  while (length < text.size() && leading_blank(text.substr(length)) == 0) ++length;
  return text.substr(0, length);
}

/// Parses the command on line `number`. `text` is the part of `line` from the `#` up to any comment.
Command read_command(std::string_view text, std::string_view line, std::uint32_t number) {
  const auto column_of = [&](std::string_view part) {
    return static_cast<std::uint32_t>(part.data() - line.data()) + 1;
  };
  const std::string_view name = first_word(text.substr(1));
  std::string_view rest = without_leading_blanks(text.substr(1 + name.size()));
  Command command{number, column_of(text), lower(name), {rest, column_of(rest)}, {}};
  while (!rest.empty()) {
    const std::string_view word = first_word(rest);
    if (word.starts_with('/')) break;
    command.fields.push_back({word, column_of(word)});
    rest = without_leading_blanks(rest.substr(word.size()));
  }
  return command;
}

/// Removes the first line from `text`, with its line ending (CR, LF or CRLF), and returns it.
std::string_view take_line(std::string_view& text) noexcept {
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  text.remove_prefix(line.size());
  text.remove_prefix(text.starts_with("\r\n") ? 2 : std::min<std::size_t>(text.size(), 1));
  return line;
}

constexpr std::size_t kMaxFrames = 4096;
// Placeholder until resolve_tweens().
constexpr std::int16_t kDash = -2;

/// Returns the first two characters of `text`, or fewer at its end.
std::string_view first_pair(std::string_view text) noexcept {
  std::size_t length = 0;
  for (int character = 0; character < 2 && length < text.size(); ++character) {
    length += std::max<std::size_t>(first_sequence(text.substr(length)).length, 1);
  }
  return text.substr(0, length);
}

/// Parses a word such as `0203--05` in `base`: two digits or dashes per frame, at most 4096 frames. Any other pair
/// repeats the previous value, with a warning.
Column read_column(const Field& word, int base, std::uint32_t line, Warnings& warnings) {
  Column column;
  std::string_view rest = word.text;
  const auto position = [&] { return word.column + static_cast<std::uint32_t>(rest.data() - word.text.data()); };
  while (!rest.empty()) {
    const std::string_view pair = first_pair(rest);
    if (column.values.size() == kMaxFrames) {
      warn(warnings, DiagnosticId::chp_too_long, {.line = line, .column = position()},
           "the timeline has more than {} frames; the rest are ignored", kMaxFrames);
      break;
    }
    std::int16_t value = pair == "--" ? kDash : pair.size() < 2 ? kNone : read_id(pair, base).value_or(kNone);
    if (value == kNone) {
      warn(warnings, DiagnosticId::chp_invalid_frame, {.line = line, .column = position()},
           "\"{}\" is not a frame; expected two digits in base {} or --", printable(pair), base);
      const bool half = first_sequence(pair).length == pair.size();
      if (half) break;
      if (!column.values.empty()) value = column.values.back();
    }
    column.values.push_back(value);
    rest.remove_prefix(pair.size());
  }
  return column;
}

/// Converts runs of dashes to tweens from the start of the first keyframe to the end of the last. A keyframe between
/// two runs is shared: one tween ends and the next starts in the middle of it. A run with a keyframe at only one end
/// holds its value.
void resolve_tweens(Column& column, std::int64_t frame_ms) {
  auto& values = column.values;
  const auto half_ms = [&](std::ptrdiff_t halves) { return static_cast<std::int64_t>(halves) * frame_ms; };
  auto shared = values.end();  // The keyframe where the last tween ends.
  for (auto run = std::ranges::find(values, kDash); run != values.end(); run = std::find(run, values.end(), kDash)) {
    const auto end = std::find_if(run, values.end(), [](std::int16_t value) { return value != kDash; });
    const std::int16_t before = run == values.begin() ? kNone : *std::prev(run);
    const std::int16_t after = end == values.end() ? before : *end;
    if (before != kNone && end != values.end()) {
      const bool is_shared = shared == std::prev(run);
      if (is_shared) column.tweens.back().end_half_ms -= frame_ms;
      const std::ptrdiff_t first = std::prev(run) - values.begin(), last = end - values.begin();
      column.tweens.push_back({half_ms(2 * first + (is_shared ? 1 : 0)), half_ms(2 * last + 2), before, after});
      shared = end;
    }
    std::fill(run, end, after);
  }
}

constexpr std::size_t kMaxTimelines = 256;
constexpr std::int64_t kMaxFrameMs = 10'000;
constexpr std::int64_t kMaxSize = 8192;

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
    for (std::size_t animation = 0; animation < kAnimations; ++animation) finish(animation);
    return std::move(file_);
  }

  using Read = void (*)(Interpreter&, const Command&);

  /// Returns the reader of a command, or null if the name is unknown.
  static Read reader_of(std::string_view name) noexcept {
    static constexpr std::pair<std::string_view, Read> kReaders[] = {
        {"charname", [](auto& to, auto& command) { to.file_.name = command.value.text; }},
        {"artist", [](auto& to, auto& command) { to.file_.artist = command.value.text; }},
        {"autocolorset", [](auto& to, auto&) { to.file_.auto_color_key = true; }},
        {"anime", [](auto& to, auto& command) { to.file_.frame_ms = to.number_at(command, 0, 1, kMaxFrameMs, 83); }},
        {"size", [](auto& to, auto& command) { to.read_size(command); }},
        {"wait", [](auto& to, auto& command) { to.file_.wait = to.number_at(command, 0, 1, 1000, 1); }},
        {"data", [](auto&, auto&) {}},  // Handled by find_bases().
        {"flame", [](auto& to, auto& command) { to.read_frame_ms(command); }},
        {"frame", [](auto& to, auto& command) { to.read_frame_ms(command); }},
        {"loop", [](auto& to, auto& command) { to.read_loop(command); }},
        {"patern", [](auto& to, auto& command) { to.read_timeline(command, Layer::pattern, 2); }},
        {"pattern", [](auto& to, auto& command) { to.read_timeline(command, Layer::pattern, 2); }},
        {"texture", [](auto& to, auto& command) { to.read_timeline(command, Layer::texture, 4); }},
        {"layer", [](auto& to, auto& command) { to.read_timeline(command, Layer::layer, 2); }},
        {"charfaceuppersize", [](auto& to, auto& command) { to.file_.face_upper = to.pixel_rect(command); }},
        {"charfaceallsize", [](auto& to, auto& command) { to.file_.face_all = to.pixel_rect(command); }}};
    const auto* const found = std::ranges::find(kReaders, name, &std::pair<std::string_view, Read>::first);
    return found == std::end(kReaders) ? nullptr : found->second;
  }

 private:
  void ignore(const Command& command, std::string_view why) {
    warn(warnings_, DiagnosticId::chp_line_ignored, {.line = command.line, .column = command.column},
         "#{} is ignored: {}", printable(command.name), why);
  }

  /// Returns word `number` of the command if it is between `min` and `max`, else `max` or `fallback` with a warning.
  std::int64_t number_at(const Command& command, std::size_t number, std::int64_t min, std::int64_t max,
                         std::int64_t fallback) {
    const Field field = number < command.fields.size() ? command.fields[number] : Field{{}, command.value.column};
    const auto value = read_integer(field.text);
    if (value && *value >= min && *value <= max) return *value;
    const std::int64_t used = value && *value > max ? max : fallback;
    warn(warnings_, DiagnosticId::chp_value_replaced, {.line = command.line, .column = field.column},
         "\"{}\" is not a number from {} to {}; {} is used instead", printable(field.text), min, max, used);
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
    const auto use = static_cast<std::size_t>(std::ranges::find(kImageCommands, command.name) - kImageCommands.begin());
    if (use < kImageCommands.size()) {
      file_.images[use] = {std::string(command.value.text), command.line, command.value.column};
    } else if (const Read reader = reader_of(command.name)) {
      reader(*this, command);
    } else if (is_rect(command)) {
      read_rect(command);
    } else {
      warn(warnings_, DiagnosticId::chp_unknown_command, {.line = command.line, .column = command.column},
           "unknown command #{}", printable(command.name));
    }
  }

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
         "\"{}\" is not a width and a height from 1 to {}; {} {} is used instead", printable(command.value.text),
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
      ignore(command, fmt::format("this file numbers its rectangles in base {}", file_.id_base));
    }
  }

  /// Returns the index of the animation that the command names. Warns and returns nothing if there is no such
  /// animation.
  std::optional<std::size_t> animation_of(const Command& command) {
    const auto number = command.fields.empty() ? std::nullopt : read_integer(command.fields[0].text);
    if (number && *number >= 1 && *number <= kAnimations) return static_cast<std::size_t>(*number - 1);
    ignore(command, fmt::format("\"{}\" is not an animation from 1 to {}",
                                command.fields.empty() ? "" : printable(command.fields[0].text), kAnimations));
    return std::nullopt;
  }

  void read_frame_ms(const Command& command) {
    if (const auto animation = animation_of(command)) rates_[*animation] = &command;
  }

  void read_loop(const Command& command) {
    const auto animation = animation_of(command);
    if (!animation) return;
    if (*animation < 2) return ignore(command, "idle animations always loop from their first frame");
    loops_[*animation] = &command;
  }

  void read_timeline(const Command& command, Layer layer, std::size_t max_columns) {
    const auto animation = animation_of(command);
    if (!animation) return;
    auto& timelines = file_.animations[*animation].timelines;
    if (timelines.size() == kMaxTimelines) {
      warn(warnings_, DiagnosticId::chp_too_long, {.line = command.line, .column = command.column},
           "animation {} has more than {} lines; the rest are ignored", *animation + 1, kMaxTimelines);
      return;
    }
    Timeline timeline{layer, command.line, {}};
    const std::size_t count = std::min(command.fields.size() - 1, max_columns);
    for (std::size_t i = 0; i < count; ++i) {
      const int base = i < 2 ? file_.frame_base : 16;  // The first two are rectangles, the others bytes.
      timeline.columns[i] = read_column(command.fields[i + 1], base, command.line, warnings_);
    }
    if (timeline.columns[0].values.empty()) return ignore(command, "the timeline has no frames");
    timelines.push_back(std::move(timeline));
  }

  void finish(std::size_t index) {
    Animation& animation = file_.animations[index];
    const Command* const rate = rates_[index];
    animation.frame_ms = rate == nullptr ? file_.frame_ms : number_at(*rate, 1, 1, kMaxFrameMs, file_.frame_ms);
    if (animation.timelines.empty()) return;
    std::size_t min = std::numeric_limits<std::size_t>::max(), max = 0;
    for (Timeline& timeline : animation.timelines) {
      for (Column& column : timeline.columns) {
        if (column.values.empty()) continue;
        min = std::min(min, column.values.size());
        max = std::max(max, column.values.size());
        resolve_tweens(column, animation.frame_ms);
      }
    }
    animation.frame_count = static_cast<std::uint32_t>(min);
    if (min != max) {
      warn(warnings_, DiagnosticId::chp_unequal_columns, {.line = animation.timelines.front().line, .column = 1},
           "the columns of animation {} have {} to {} frames; it ends after {}", index + 1, min, max, min);
    }
    std::ranges::stable_sort(animation.timelines, {}, &Timeline::layer);
    if (const Command* const loop = loops_[index]) {
      animation.loop_start = static_cast<std::uint32_t>(number_at(*loop, 1, 0, animation.frame_count - 1, 0));
    }
  }

  const std::vector<Command>& commands_;
  Warnings& warnings_;
  File file_;
  // The last #Flame and #Loop of each animation. finish() applies them because they depend on other commands.
  std::array<const Command*, kAnimations> rates_{}, loops_{};
};

constexpr std::int64_t kFieldWidth = 314, kFieldHeight = 480;

/// The keyframes around a time, and the progress from the first to the second, 0 to 1.
struct Sample {
  std::int16_t from, to;
  double progress;

  // Floating point truncates like the original games do: 29/50 of 50 is 28.
  [[nodiscard]] std::int64_t between(std::int64_t first, std::int64_t second) const noexcept {
    return first + static_cast<std::int64_t>(static_cast<double>(second - first) * progress);
  }
};

std::optional<Sample> sample(const Column& column, std::int64_t ms, std::size_t frame) noexcept {
  const std::int64_t half_ms = ms * 2;
  const auto after = std::ranges::upper_bound(column.tweens, half_ms, {}, &Tween::start_half_ms);
  if (after != column.tweens.begin() && half_ms < std::prev(after)->end_half_ms) {
    const Tween& tween = *std::prev(after);
    return Sample{tween.from, tween.to,
                  static_cast<double>(half_ms - tween.start_half_ms) /
                      static_cast<double>(tween.end_half_ms - tween.start_half_ms)};
  }
  const std::int16_t key = frame < column.values.size() ? column.values[frame] : kNone;
  return key == kNone ? std::nullopt : std::optional(Sample{key, key, 0});
}

/// Makes a negative `length` positive and moves `position` to the left or top edge. Returns whether it was negative.
bool normalize(std::int64_t& position, std::int64_t& length) noexcept {
  if (length >= 0) return false;
  position += length;
  length = -length;
  return true;
}

bool is_drawn(const PixelRect& sprite) noexcept {
  return sprite.width != 0 && sprite.height != 0 && (std::abs(sprite.width) != 1 || std::abs(sprite.height) != 1);
}

std::optional<Operation> operation_at(const File& file, const Timeline& timeline, std::int64_t ms,
                                      std::size_t frame) noexcept {
  const auto rect_at = [&](Property property) -> std::optional<PixelRect> {
    const auto at = sample(timeline.column(property), ms, frame);
    if (!at) return std::nullopt;
    const PixelRect from = file.rect(at->from), to = file.rect(at->to);
    return PixelRect{at->between(from.x, to.x), at->between(from.y, to.y), at->between(from.width, to.width),
                     at->between(from.height, to.height)};
  };
  const auto byte_at = [&](Property property, std::uint8_t otherwise) {
    const auto at = sample(timeline.column(property), ms, frame);
    return at ? static_cast<std::uint8_t>(at->between(at->from, at->to)) : otherwise;
  };
  const auto sprite = rect_at(Property::sprite);
  if (!sprite || !is_drawn(*sprite)) return std::nullopt;
  Operation operation;
  operation.layer = timeline.layer;
  operation.source = *sprite;
  operation.flip_x = normalize(operation.source.x, operation.source.width);
  operation.flip_y = normalize(operation.source.y, operation.source.height);
  operation.destination =
      rect_at(Property::offset).value_or(PixelRect{0, 0, operation.source.width, operation.source.height});
  if (operation.destination.width == 0 || operation.destination.height == 0) return std::nullopt;
  operation.flip_x ^= normalize(operation.destination.x, operation.destination.width);
  operation.flip_y ^= normalize(operation.destination.y, operation.destination.height);
  operation.alpha = byte_at(Property::alpha, 255);
  operation.rotation = byte_at(Property::rotation, 0);
  return operation;
}

}  // namespace

std::vector<Command> read_commands(std::string_view text, Warnings& warnings) {
  std::vector<Command> commands;
  for (std::uint32_t number = 1; !text.empty(); ++number) {
    if (number > kMaxLines) {
      warn(warnings, DiagnosticId::chp_too_long, {.line = number, .column = 1},
           "the file has more than {} lines; the rest are ignored", kMaxLines);
      break;
    }
    const std::string_view line = take_line(text);
    const std::string_view content = without_trailing_blanks(without_leading_blanks(line.substr(0, line.find("//"))));
    if (content.starts_with('#')) {
      commands.push_back(read_command(content, line, number));
    } else if (!content.empty() && !content.starts_with('/')) {
      warn(warnings, DiagnosticId::chp_unknown_command,
           {.line = number, .column = static_cast<std::uint32_t>(content.data() - line.data()) + 1},
           "\"{}\" is not a command; commands start with #", printable(content.substr(0, 40)));
    }
  }
  return commands;
}

bool is_known(const Command& command) noexcept {
  return Interpreter::reader_of(command.name) != nullptr ||
         std::ranges::find(kImageCommands, command.name) != kImageCommands.end();
}

File interpret(const std::vector<Command>& commands, Warnings& warnings) {
  return Interpreter(commands, warnings).read();
}

PixelRect clip_of(const File& file, int animation) noexcept {
  if (animation != kDance) return {0, 0, file.width, file.height};
  const auto centered = [](std::int64_t outer, std::int64_t inner) { return (inner - outer) >> 1; };
  return {centered(kFieldWidth, file.width), centered(kFieldHeight, file.height), kFieldWidth, kFieldHeight};
}

void evaluate(const File& file, int animation, std::int64_t ms, std::vector<Operation>& operations) {
  const Animation& played = file.animation(animation);
  const auto frame = static_cast<std::size_t>(ms / played.frame_ms);
  for (const Timeline& timeline : played.timelines) {
    if (const auto operation = operation_at(file, timeline, ms, frame)) operations.push_back(*operation);
  }
}

}  // namespace pchr::chp
