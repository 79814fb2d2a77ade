// SPDX-License-Identifier: MIT
#include "states.hpp"

#include "platform/files.hpp"
#include "text.hpp"

#include <cmath>
#include <locale>
#include <sstream>

namespace pchr::tools {
namespace {

/// Times beyond this are mistakes, such as milliseconds.
constexpr double kMaxSeconds = 86'400;

/// Fails with a place in a script.
[[noreturn]] void fail_at(const std::string& file, std::size_t line, const std::string& problem) {
  fail(ExitCode::bad_data, "{}: line {}: {}", printable(input_name(file)), line, problem);
}

std::optional<double> number_in(std::string_view text) {
  // Not every standard library has from_chars() for floating-point numbers.
  std::istringstream stream{std::string(text)};
  stream.imbue(std::locale::classic());
  double number = 0;
  if (!(stream >> number) || stream.peek() != std::istringstream::traits_type::eof() || !std::isfinite(number)) {
    return std::nullopt;
  }
  return number;
}

struct Word {
  std::string text;
  bool quoted = false;
};

/// Splits a line at spaces, up to a comment. Fails on a quotation mark without its counterpart.
std::vector<Word> split_words(std::string_view line, const std::string& file, std::size_t number) {
  constexpr std::string_view kSpaces = " \t\r";
  std::vector<Word> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(kSpaces, at)) != std::string_view::npos && line[at] != '#';) {
    Word word{{}, line[at] == '"'};
    if (!word.quoted) {
      const std::size_t end = std::min(line.find_first_of(kSpaces, at), line.size());
      word.text = line.substr(at, end - at);
      at = end;
    } else {
      for (++at; at < line.size() && line[at] != '"'; ++at) {
        if (line[at] == '\\' && at + 1 < line.size()) ++at;
        word.text += line[at];
      }
      if (at == line.size()) fail_at(file, number, fmt::format("\"{} has no closing quotation mark", shown(word.text)));
      ++at;
    }
    words.push_back(std::move(word));
  }
  return words;
}

/// Returns what a step sets a parameter to. Fails if its value does not suit the parameter.
float value_of(const StateParameter& parameter, const ScriptStep& step, const std::string& file) {
  const auto refuse = [&](const std::string& expected) {
    const std::string found = step.value ? fmt::format("is \"{}\"", shown(*step.value)) : "has no value";
    fail_at(file, step.line, fmt::format("\"{}\" {}, but expected {}", shown(step.parameter), found, expected));
  };
  switch (parameter.kind) {
    case StateParameter::Kind::number: {
      const auto number = step.value ? number_in(*step.value) : std::nullopt;
      const auto value = static_cast<float>(number.value_or(0));
      if (!number || value < parameter.min || value > parameter.max) {
        refuse(fmt::format("a number from {} to {}", parameter.min, parameter.max));
      }
      return value;
    }
    case StateParameter::Kind::boolean:
      if (step.value != "true" && step.value != "false") refuse("true or false");
      return step.value == "true" ? 1.0F : 0.0F;
    case StateParameter::Kind::trigger:
      if (step.value) refuse("no value, because it is a trigger");
      return 1;
  }
  return 0;
}

std::string list_parameters(const States& states) {
  if (states.parameters.empty()) return "none, because the character has no parameters";
  std::vector<std::string> names;
  for (const StateParameter& parameter : states.parameters) names.push_back(shown(parameter.name));
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

StateScript parse_script(std::string_view text, const std::string& file) {
  StateScript script{file, {}, {}};
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  double last = 0;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<Word> words = split_words(text.substr(0, end), file, number);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (words.empty()) continue;
    if (script.end) fail_at(file, number, "there is another line after \"end\", but expected it to be the last");
    const auto seconds = number_in(words[0].text);
    if (!seconds || words[0].quoted || *seconds < 0 || *seconds > kMaxSeconds) {
      fail_at(file, number,
              fmt::format("the time is \"{}\", but expected seconds from 0 to {}", shown(words[0].text),
                          grouped(static_cast<std::uint64_t>(kMaxSeconds))));
    }
    if (*seconds < last) {
      fail_at(file, number,
              fmt::format("the time is {}, but expected at least {}, the time of the line before", *seconds, last));
    }
    last = *seconds;
    if (words.size() < 2) fail_at(file, number, "there is only a time, but expected a parameter or \"end\" after it");
    const std::size_t max_words = words[1].text == "end" && !words[1].quoted ? 2 : 3;
    if (words.size() > max_words) {
      fail_at(file, number,
              fmt::format("\"{}\" follows, but expected {}; a name with spaces needs quotation marks",
                          shown(words[max_words].text),
                          max_words == 2 ? "nothing after \"end\"" : "only a time, a parameter and a value"));
    }
    if (max_words == 2) {
      script.end = *seconds;
    } else {
      script.steps.push_back({*seconds, words[1].text, {}, number});
      if (words.size() > 2) script.steps.back().value = words[2].text;
    }
  }
  return script;
}

StateAnimation::StateAnimation(const Input& input, const InputOptions& options, const std::string& script,
                               double frames_per_second, Sampling sampling,
                               const std::function<void(std::uint32_t)>& check)
    : character_(input.character),
      sidecar_(open_sidecar(input, options)),
      frames_per_second_(frames_per_second),
      sampling_(sampling) {
  constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;
  if (sidecar_.states.empty()) {
    fail(ExitCode::usage, "{} has no state machines, so --states does not apply", printable(options.file));
  }
  const std::string path = sidecar_path(options).value_or(options.file);
  graph_ = or_fail(make_state_graph(sidecar_.states, character_, sidecar_.masks, sidecar_.markers), path);
  note_read(current_task(), script);
  options.read->add(script);
  script_ = script == "-" ? parse_script(text_of(or_fail(read_standard_input(kMaxBytes), script)), script)
                          : parse_script(text_of(or_fail(read_named_file(script, kMaxBytes), script).bytes()), script);
  const StateMachine machine(graph_);
  for (const ScriptStep& step : script_.steps) {
    const auto parameter = machine.find_parameter(step.parameter);
    if (!parameter) {
      fail_at(script, step.line,
              fmt::format("there is no parameter \"{}\", but expected one of these: {}", shown(step.parameter),
                          list_parameters(sidecar_.states)));
    }
    values_.emplace_back(*parameter, value_of(sidecar_.states.parameters[*parameter], step, script));
  }
  if (options.no_rig) sidecar_.rig = {};
  frames_ = count_frames(check);
}

void StateAnimation::restart() {
  animator_.emplace(character_);
  animator_->set_sampling(sampling_);
  animator_->set_markers(std::make_shared<const Markers>(sidecar_.markers));
  if (!sidecar_.rig.empty()) animator_->set_rig(std::make_shared<const Rig>(sidecar_.rig));
  machine_.emplace(graph_);
  now_ = 0;
  next_step_ = 0;
  next_frame_ = 0;
}

void StateAnimation::pose_next() {
  // Slightly later, so that rounding cannot turn the start of a clip's frame into the end of the one before.
  constexpr double kLate = 1e-6;
  const auto advance_to = [&](double seconds) {
    machine_->advance(*animator_, seconds - now_);
    now_ = seconds;
  };
  const double seconds = next_frame_++ / frames_per_second_ + kLate;
  for (; next_step_ < values_.size() && script_.steps[next_step_].seconds <= seconds; ++next_step_) {
    const double at = script_.steps[next_step_].seconds;
    if (at > now_) advance_to(at);
    machine_->set(values_[next_step_].first, values_[next_step_].second);
  }
  advance_to(seconds);
  animator_->pose(posed_);
}

const PoseBuffers& StateAnimation::pose(std::uint32_t frame) {
  if (frame + 1 < next_frame_ || next_frame_ == 0) restart();
  while (next_frame_ <= frame) pose_next();
  return posed_;
}

std::uint32_t StateAnimation::count_frames(const std::function<void(std::uint32_t)>& check) {
  constexpr double kMaxFrames = 1'000'000, kMaxRest = 60;
  const double last = script_.end.value_or(script_.steps.empty() ? 0 : script_.steps.back().seconds);
  const double frames = std::round(last * frames_per_second_);
  if (frames > kMaxFrames) {
    fail(ExitCode::usage, "the animation would have {:.0f} frames; the limit is {:.0f}", frames, kMaxFrames);
  }
  check(static_cast<std::uint32_t>(frames));
  if (script_.end) return static_cast<std::uint32_t>(std::max(frames, 1.0));
  // Until all layers have played their states once.
  std::vector<StateStatus> before(sidecar_.states.layers.size());
  std::vector<double> from(before.size());
  const auto has_played = [&](std::uint32_t layer) {
    const StateStatus status = machine_->status(*animator_, layer);
    const StateStatus old = std::exchange(before[layer], status);
    const bool is_entered = status.state != old.state || status.phase < old.phase;
    if (is_entered) from[layer] = 0;
    const bool rests = !is_entered && status.phase == old.phase;
    return status.from == UINT32_MAX && (rests || status.phase >= from[layer] + 1);
  };
  auto frame = static_cast<std::uint32_t>(std::ceil(last * frames_per_second_));
  (void)pose(frame);
  for (std::uint32_t layer = 0; layer < before.size(); ++layer) {
    before[layer] = machine_->status(*animator_, layer);
    from[layer] = before[layer].phase < 1 ? 0 : before[layer].phase;
  }
  const double max = std::min(frame + kMaxRest * frames_per_second_, kMaxFrames);
  for (bool ended = false; !ended && frame < max;) {
    (void)pose(++frame);
    check(frame);
    ended = true;
    for (std::uint32_t layer = 0; layer < before.size(); ++layer) ended &= has_played(layer);
  }
  return frame;
}

}  // namespace pchr::tools
