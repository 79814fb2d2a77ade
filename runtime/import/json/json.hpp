// SPDX-License-Identifier: MIT
// Texts in JSON: a reader, places in them, and the keys of a Pachario character in both dialects.
#pragma once

#include "character/fail.hpp"
#include "character/path.hpp"
#include "character/warnings.hpp"
#include "import/text_decoding.hpp"

#include <pchr/import/save.hpp>

#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace pchr {
/// Number of zero bytes that must follow a JSON text.
inline constexpr std::size_t kJsonPadding = 1;

/// Key in both dialects: of the PCHR v1 tool and of the exporter.
struct JsonKey {
  std::string_view v1;
  std::string_view pachario = v1;

  constexpr JsonKey(const char* key) : v1(key) {}  // NOLINT(google-explicit-constructor)
  constexpr JsonKey(const char* v1_key, const char* pachario_key) : v1(v1_key), pachario(pachario_key) {}

  [[nodiscard]] constexpr std::string_view in(bool pachario_dialect) const { return pachario_dialect ? pachario : v1; }
};

inline constexpr JsonKey kParentKey{"parent", "parentIdx"};
inline constexpr JsonKey kImageKey{"image", "imageIdx"};
inline constexpr JsonKey kIndicesKey{"indices", "triangles"};

/// JSON text followed by a zero byte.
struct JsonText {
  std::string_view text;
  std::size_t file_offset = 0;
};

/// Sets the position of `diagnostic` to byte `offset` of the text.
void set_place(Diagnostic& diagnostic, const JsonText& json, std::size_t offset);

/// Reads a text from its start to its end, and checks the syntax of everything. Functions that read return whether to
/// continue; if not, `error` is set. Each starts at the first byte of a value and ends behind its last.
class JsonReader {
 public:
  enum class Type : std::uint8_t { object, array, string, number, boolean, null, none };

  explicit JsonReader(const JsonText& json) : JsonReader(json, std::to_address(json.text.begin())) {}
  /// Starts at a value.
  JsonReader(const JsonText& json, const char* at) : json_(json), at_(at) {}

  Diagnostic error;
  std::vector<PathStep> path;  ///< Path of the current value. Visitors of an object set the names of their keys.

  /// Reads the value of the whole text with `read_value()`.
  template <typename Read>
  bool read_document(const Read& read_value) {
    if (is_utf16(json_.text)) return fail_utf16();
    skip_space();
    if (at_ == end()) return fail_syntax("the text is empty");
    if (!read_value()) return false;
    skip_space();
    return at_ == end() || fail_syntax("text follows the end of the JSON object");
  }

  /// Reads an object. Calls `visit(key)`, which reads the value. The key is valid until a string is read.
  template <typename Visit>
  bool read_object(const Visit& visit) {
    const auto read_field = [&] {
      std::string_view key;
      return read_key(key) && visit(key);
    };
    return read_elements('}', read_field);
  }

  /// Reads an array. Calls `visit()`, which reads an element.
  template <typename Visit>
  bool read_array(const Visit& visit) {
    const auto read_element = [&] {
      if (!visit()) return false;
      ++path.back().index;
      return true;
    };
    return read_elements(']', read_element);
  }

  /// Reads a string, whose bytes are valid until the next one is read.
  bool read_string(std::string_view& result) {
    const char* const start = at_;
    if (!read_quoted(result)) return false;
    if (unescape(result)) return true;
    at_ = start;
    return fail_syntax("a string contains an unknown escape sequence");
  }
  /// Reads a string as it stands in the text.
  bool read_quoted(std::string_view& result);
  /// Replaces the escape sequences of a string. Returns false if one is not a character.
  bool unescape(std::string_view& text);

  /// Reads a number of any length, rounded correctly. One that is too large becomes infinite.
  bool read_number(double& number);
  bool read_literal(std::string_view word);
  bool skip();

  [[nodiscard]] Type type() const noexcept;
  [[nodiscard]] bool is_at_number() const noexcept { return *at_ == '-' || (*at_ >= '0' && *at_ <= '9'); }
  [[nodiscard]] const char* at() const noexcept { return at_; }

  /// Fails with a syntax error here.
  bool fail_syntax(std::string_view detail);
  /// Fails because no part of the text can be read.
  bool fail_utf16();

 protected:
  /// Reads the key of a field and the colon.
  bool read_key(std::string_view& key) {
    if (*at_ != '"') return fail_value();
    return read_string(key) && read_colon();
  }
  /// Reads a key and the colon, if it is this one, without escape sequences.
  [[nodiscard]] bool take_key(std::string_view key) noexcept {
    const char* const last = at_ + 1 + key.size();
    if (last >= end() || *at_ != '"' || *last != '"' || std::memcmp(at_ + 1, key.data(), key.size()) != 0) return false;
    const char* const start = std::exchange(at_, last + 1);
    skip_space();
    if (*at_ != ':') {
      at_ = start;
      return false;
    }
    ++at_;
    skip_space();
    return true;
  }

  /// Reads the elements of an array or the fields of an object, and its brackets.
  template <typename Read>
  bool read_elements(char closing, const Read& read_element) {
    if (path.size() > kMaxDepth) return fail_syntax("the text is nested too deeply");
    path.emplace_back(0);
    ++at_;
    skip_space();
    if (*at_ != closing) {
      for (;;) {
        if (!read_element()) return false;
        skip_space();
        if (*at_ != ',') break;
        ++at_;
        skip_space();
      }
      if (*at_ != closing) return fail_value();
    }
    ++at_;
    path.pop_back();
    return true;
  }

 private:
  static constexpr std::size_t kMaxDepth = 64;

  [[nodiscard]] const char* end() const noexcept { return json_.text.data() + json_.text.size(); }

  void skip_space() noexcept {
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t') ++at_;
  }

  bool read_colon() {
    skip_space();
    if (*at_ != ':') return fail_value();
    ++at_;
    skip_space();
    return true;
  }

  /// Fails because something else is needed here.
  bool fail_value() {
    return fail_syntax(at_ == end() ? "an array or object is not closed"
                                    : "expected a value, ',', ':' or a closing bracket");
  }

  const JsonText json_;
  const char* at_;
  std::string unescaped_;
  bool has_escapes_ = false;  ///< Whether the last string has.
};

/// Returns whether a text uses the exporter's keys.
[[nodiscard]] bool is_pachario_dialect(std::string_view text) noexcept;

/// Finds the positions of all diagnostics that have a path but no line yet, in one pass over the text, and rewrites
/// their paths with the keys of the text. A missing value has the position of its object.
void locate(const JsonText& json, std::span<Diagnostic> diagnostics);

/// Returns the JSON of a character whose images are PNG files at `image_paths`, one per image. Stops soon after
/// `max_bytes` to save memory.
[[nodiscard]] std::vector<std::byte> write_json(const CharacterData& data, JsonDialect dialect,
                                                std::span<const std::string> image_paths,
                                                std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max());

}  // namespace pchr
