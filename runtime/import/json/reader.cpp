// SPDX-License-Identifier: MIT
// Reads JSON, and finds places in it.
#include "import/json/json.hpp"

#include "character/utf8.hpp"
#include "platform/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace pchr {
namespace {

bool is_digit(char letter) noexcept { return letter >= '0' && letter <= '9'; }

/// Reads four hexadecimal digits.
std::optional<std::uint32_t> code_unit_at(std::string_view text) noexcept {
  std::uint32_t unit = 0;
  const std::string_view digits = text.substr(0, 4);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), unit, 16);
  if (digits.size() < 4 || error != std::errc() || end != digits.data() + 4) return std::nullopt;
  return unit;
}

}  // namespace

bool JsonReader::fail_syntax(std::string_view detail) {
  error = {DiagnosticId::invalid_json, {}, {}, {}, std::string(detail)};
  set_place(error, json_, static_cast<std::size_t>(at_ - json_.text.data()));
  return false;
}

bool JsonReader::fail_utf16() {
  error = utf16_error();
  return false;
}

JsonReader::Type JsonReader::type() const noexcept {
  switch (*at_) {
    case '{':
      return Type::object;
    case '[':
      return Type::array;
    case '"':
      return Type::string;
    case 't':
    case 'f':
      return Type::boolean;
    case 'n':
      return Type::null;
    default:
      return is_at_number() ? Type::number : Type::none;
  }
}

bool JsonReader::read_quoted(std::string_view& result) {
  const char* const start = at_ + 1;
  const char* last = start;
  unsigned all_bits = 0;
  has_escapes_ = false;
  for (; *last != '"'; ++last) {
    if (*last == '\\') ++last, has_escapes_ = true;
    const auto byte = static_cast<unsigned char>(*last);
    all_bits |= byte;
    if (byte >= 0x20) continue;
    if (last == end()) return fail_syntax("a string is not closed");
    at_ = last;
    return fail_syntax("a string contains a control character that is not escaped");
  }
  result = {start, last};
  if (all_bits >= 0x80) {
    if (const auto invalid = find_invalid_utf8(result)) {
      at_ = start + *invalid;
      return fail_syntax("the text is not valid UTF-8");
    }
  }
  at_ = last + 1;
  return true;
}

bool JsonReader::unescape(std::string_view& text) {
  if (!has_escapes_) return true;
  static constexpr std::string_view kLetters = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
  unescaped_.clear();
  for (std::size_t escape = 0; (escape = text.find('\\')) != std::string_view::npos;) {
    unescaped_ += text.substr(0, escape);
    const char letter = text[escape + 1];
    text.remove_prefix(escape + 2);
    if (letter != 'u') {
      const std::size_t meaning = kLetters.find(letter);
      if (meaning == std::string_view::npos) return false;
      unescaped_ += kMeanings[meaning];
      continue;
    }
    auto code_point = code_unit_at(text);
    if (!code_point || *code_point >> 10U == 0x37) return false;
    text.remove_prefix(4);
    if (*code_point >> 10U == 0x36) {
      const auto low = text.starts_with("\\u") ? code_unit_at(text.substr(2)) : std::nullopt;
      if (!low || *low >> 10U != 0x37) return false;
      code_point = 0x10000 + ((*code_point & 0x3FFU) << 10U | (*low & 0x3FFU));
      text.remove_prefix(6);
    }
    append_utf8(unescaped_, *code_point);
  }
  unescaped_ += text;
  text = unescaped_;
  return true;
}

bool JsonReader::read_number(double& number) {
  static constexpr double kPowers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                       1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const char* const start = at_;
  const bool is_negative = *at_ == '-';
  const char* const whole = start + (is_negative ? 1 : 0);
  const char* last = whole;
  std::uint64_t digits = 0;
  const auto skip_digits = [&] {
    const char* const first = last;
    for (; is_digit(*last); ++last) digits = 10 * digits + static_cast<std::uint64_t>(*last - '0');
    return last - first;
  };
  const std::ptrdiff_t whole_digits = skip_digits();
  bool is_valid = whole_digits == 1 || (whole_digits > 1 && *whole != '0');
  std::ptrdiff_t decimals = 0;
  if (is_valid && *last == '.') {
    ++last;
    decimals = skip_digits();
    is_valid = decimals > 0;
  }
  if (is_valid && *last != 'e' && *last != 'E' && last - whole < std::ssize(kPowers)) {
    // Both are exact, so their quotient is rounded once.
    const double magnitude = static_cast<double>(digits) / kPowers[decimals];
    number = is_negative ? -magnitude : magnitude;
    at_ = last;
    return true;
  }
  if (is_valid && (*last == 'e' || *last == 'E')) {
    ++last;
    if (*last == '+' || *last == '-') ++last;
    is_valid = skip_digits() > 0;
  }
  if (!is_valid) return fail_syntax("a number is malformed");
  at_ = last;
  number = nearest_double(start, last);
  return true;
}

bool JsonReader::read_literal(std::string_view word) {
  if (!std::string_view(at_, end()).starts_with(word)) return fail_value();
  at_ += word.size();
  return true;
}

bool JsonReader::skip() {
  std::string_view text;
  double number = 0;
  switch (type()) {
    case Type::object:
      return read_object([&](std::string_view /*key*/) { return skip(); });
    case Type::array:
      return read_array([&] { return skip(); });
    case Type::string:
      return read_string(text);
    case Type::number:
      return read_number(number);
    case Type::boolean:
      return read_literal(*at_ == 't' ? "true" : "false");
    case Type::null:
      return read_literal("null");
    case Type::none:
      break;
  }
  return fail_value();
}

namespace {

/// Step of a path for which a text may use another key.
struct Alias {
  std::string_view name;
  JsonKey key;
  std::string_view pachario_child{};  ///< Key of the value one level deeper in the exporter's dialect.
};

constexpr Alias kAliases[] = {{"parent", kParentKey},
                              {"image", kImageKey},
                              {"indices", kIndicesKey},
                              {"indexCount", kIndicesKey},
                              {"data", "path"},
                              {"flags", {"flags", "loop"}},
                              {"boneIds", {"boneIds", "bones"}, "idx"},
                              {"boneWeights", {"boneWeights", "bones"}, "weight"}};

/// Search for a path in one dialect.
struct Search {
  std::vector<PathStep> steps;
  std::size_t path_steps = 0;  ///< Number of steps without the child of an alias.
  std::size_t found_steps = 0;
  const char* found = nullptr;  ///< Deepest value found.
};
using Searches = std::vector<Search*>;

Search make_search(std::string_view path, bool pachario, const char* text) {
  Search search{.steps = split_path(path), .found = text};
  search.path_steps = search.steps.size();
  for (std::size_t i = 0; i < search.path_steps; ++i) {
    const auto* const alias = std::ranges::find(kAliases, search.steps[i].name, &Alias::name);
    if (alias == std::end(kAliases)) continue;
    search.steps[i] = alias->key.in(pachario);
    if (pachario && !alias->pachario_child.empty()) search.steps.emplace_back(alias->pachario_child);
  }
  return search;
}

/// Reads a value at a depth of `depth` steps, which all of `searches` have found, and what they look for in it.
bool visit(JsonReader& reader, const Searches& searches, std::size_t depth) {
  const auto visit_part = [&](const auto& is_step) {
    Searches deeper;
    for (Search* const search : searches) {
      if (search->found_steps != depth || !is_step(search->steps[depth])) continue;
      search->found = reader.at();
      search->found_steps = depth + 1;
      if (search->steps.size() > depth + 1) deeper.push_back(search);
    }
    return deeper.empty() ? reader.skip() : visit(reader, deeper, depth + 1);
  };
  if (reader.type() == JsonReader::Type::object) {
    return reader.read_object(
        [&](std::string_view key) { return visit_part([&](const PathStep& step) { return step.name == key; }); });
  }
  if (reader.type() != JsonReader::Type::array) return reader.skip();
  return reader.read_array([&] {
    const std::uint64_t index = reader.path.back().index;
    return visit_part([&](const PathStep& step) { return step.name.empty() && step.index == index; });
  });
}

}  // namespace

bool is_pachario_dialect(std::string_view text) noexcept {
  return text.find("\"parentIdx\"") != std::string_view::npos || text.find("\"imageIdx\"") != std::string_view::npos;
}

void set_place(Diagnostic& diagnostic, const JsonText& json, std::size_t offset) {
  const std::string_view before = json.text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  diagnostic.byte_offset = json.file_offset + offset;
  diagnostic.line = static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1);
  diagnostic.column = static_cast<std::uint32_t>(offset - line_start + 1);
}

void locate(const JsonText& json, std::span<Diagnostic> diagnostics) {
  std::vector<Diagnostic*> unlocated;
  std::vector<Search> searches;  // Two per diagnostic: in the dialect of v1, then in the exporter's.
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.line != 0 || diagnostic.path.empty()) continue;
    unlocated.push_back(&diagnostic);
    for (const bool pachario : {false, true}) {
      searches.push_back(make_search(diagnostic.path, pachario, std::to_address(json.text.begin())));
    }
  }
  if (searches.empty()) return;
  JsonReader reader(json);
  (void)reader.read_document([&] {
    Searches all;
    for (Search& search : searches) {
      search.found = reader.at();
      all.push_back(&search);
    }
    return visit(reader, all, 0);
  });
  const bool pachario = is_pachario_dialect(json.text);
  for (std::size_t i = 0; i < unlocated.size(); ++i) {
    const Search &v1 = searches[2 * i], &other = searches[2 * i + 1];
    const bool is_other = v1.found_steps < v1.path_steps && other.found_steps >= v1.found_steps + (pachario ? 0 : 1);
    const Search& found = is_other ? other : v1;
    std::string path;
    for (const PathStep& step : std::span(found.steps).first(std::max(found.found_steps, found.path_steps)))
      append_step(path, step);
    unlocated[i]->path = std::move(path);
    set_place(*unlocated[i], json, static_cast<std::size_t>(found.found - json.text.data()));
  }
}

}  // namespace pchr
