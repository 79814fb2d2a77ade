// SPDX-License-Identifier: MIT
// A whole JSON text in memory, for formats whose parts refer to each other by name, or what a binary file would be as
// such a text.
#pragma once

#include "character/warnings.hpp"
#include "import/json/json.hpp"

#include <fmt/format.h>

#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pchr {

/// A value. Its descendants follow it in the tree.
struct JsonNode {
  using Type = JsonReader::Type;

  union {
    double number = 0;  ///< Value of a number; 0 or 1 for a boolean.
    const char* text_start;
  };
  const char* key_start = nullptr;
  std::uint32_t key_bytes = 0;
  std::uint32_t text_bytes = 0;
  std::uint32_t size = 1;    ///< Number of values in this one, including itself.
  std::uint32_t offset = 0;  ///< Place in the text or in the binary file.
  Type type = Type::null;

  [[nodiscard]] std::string_view key() const noexcept { return {key_start, key_bytes}; }  ///< In an object.
  /// Returns a string, or an empty one for other types.
  [[nodiscard]] std::string_view text() const noexcept {
    return type == Type::string ? std::string_view(text_start, text_bytes) : std::string_view();
  }
};

/// The elements of an array or the fields of an object.
class JsonChildren {
 public:
  struct Iterator {
    const JsonNode* node;
    const JsonNode& operator*() const noexcept { return *node; }
    Iterator& operator++() noexcept { return node += node->size, *this; }
    bool operator==(const Iterator&) const = default;
  };
  explicit JsonChildren(const JsonNode* parent) noexcept : parent_(parent) {}
  [[nodiscard]] Iterator begin() const noexcept { return {parent_ == nullptr ? nullptr : parent_ + 1}; }
  [[nodiscard]] Iterator end() const noexcept { return {parent_ == nullptr ? nullptr : parent_ + parent_->size}; }

 private:
  const JsonNode* parent_;
};

/// The values of a text, which must outlive it.
class JsonTree {
 public:
  /// Reads and checks the whole text.
  [[nodiscard]] static Expected<JsonTree, Diagnostic> read(const JsonText& json);

  [[nodiscard]] const JsonNode& root() const noexcept { return nodes_.front(); }
  /// Returns the path of a value of this tree.
  [[nodiscard]] std::string path_of(const JsonNode& node) const;
  /// Returns a diagnostic about a value, with its path and position.
  [[nodiscard]] Diagnostic diagnose(DiagnosticId id, const JsonNode& node, std::string detail) const;

 private:
  friend class JsonTreeReader;
  friend class JsonTreeBuilder;
  JsonText json_;
  bool is_binary_ = false;
  std::vector<JsonNode> nodes_;
  std::deque<std::string> unescaped_;
};

/// Makes the tree of a binary file, value by value. Keys and texts must outlive it; places are offsets in the file.
class JsonTreeBuilder {
 public:
  /// `values` is about how many there will be.
  explicit JsonTreeBuilder(std::size_t values) {
    tree_.is_binary_ = true;
    tree_.nodes_.reserve(values);
  }

  /// Adds a value and returns its number. Values that follow are in an object or array until its end().
  std::uint32_t begin(JsonNode::Type type, std::string_view key, std::uint64_t offset) {
    JsonNode& node = tree_.nodes_.emplace_back();
    node.type = type;
    node.key_start = key.data();
    node.key_bytes = static_cast<std::uint32_t>(key.size());
    node.offset = static_cast<std::uint32_t>(offset);
    return static_cast<std::uint32_t>(tree_.nodes_.size() - 1);
  }
  void end(std::uint32_t value) noexcept {
    tree_.nodes_[value].size = static_cast<std::uint32_t>(tree_.nodes_.size() - value);
  }
  void add_number(std::string_view key, double number, std::uint64_t offset) {
    tree_.nodes_[begin(JsonNode::Type::number, key, offset)].number = number;
  }
  void add_boolean(std::string_view key, bool value, std::uint64_t offset) {
    tree_.nodes_[begin(JsonNode::Type::boolean, key, offset)].number = value ? 1 : 0;
  }
  std::uint32_t add_text(std::string_view key, std::string_view text, std::uint64_t offset) {
    const std::uint32_t value = begin(JsonNode::Type::string, key, offset);
    set_text(value, text);
    return value;
  }
  /// Replaces the text of a string.
  void set_text(std::uint32_t value, std::string_view text) noexcept {
    tree_.nodes_[value].text_start = text.data();
    tree_.nodes_[value].text_bytes = static_cast<std::uint32_t>(text.size());
  }
  /// Returns a copy of a text that lives as long as the tree.
  std::string_view keep(std::string_view text) { return tree_.unescaped_.emplace_back(text); }

  [[nodiscard]] JsonTree finish() && { return std::move(tree_); }

 private:
  JsonTree tree_;
};

/// Returns the text of a file without its byte order mark. It is copied into `copy` if no zero byte follows it, for
/// which `readable` tells how many bytes there are.
[[nodiscard]] JsonText json_text(std::span<const std::byte> bytes, std::size_t readable, std::string& copy);

/// Reads the fields of a tree, for a reader of a format. Keeps the first error: values that follow it do not matter.
class JsonFields {
 protected:
  using Type = JsonNode::Type;

  /// Numbers have a magnitude of at most `max_number`.
  JsonFields(const JsonTree& tree, double max_number, Warnings& warnings)
      : tree_(tree), max_number_(max_number), warnings_(warnings) {}

  void fail(DiagnosticId id, const JsonNode& node, std::string detail) {
    if (!error_) error_ = tree_.diagnose(id, node, std::move(detail));
  }
  template <typename... Args>
  void warn_at(DiagnosticId id, const JsonNode& node, fmt::format_string<Args...> text, Args&&... args) {
    warnings_.add(id, [&] { return tree_.diagnose(id, node, fmt::format(text, std::forward<Args>(args)...)); });
  }

  /// Returns a field of an object, or null if it is missing or null. Fails if it has another type.
  const JsonNode* field(const JsonNode* object, std::string_view key, Type type);
  double value_of(const JsonNode& node);
  double number(const JsonNode* object, std::string_view key, double missing);
  bool boolean(const JsonNode* object, std::string_view key, bool missing);
  std::string_view text(const JsonNode* object, std::string_view key);
  std::vector<double> numbers(const JsonNode* object, std::string_view key);

  const JsonTree& tree_;
  const double max_number_;
  Warnings& warnings_;
  std::optional<Diagnostic> error_;
};

/// Returns the last field of an object with this key, or null. Accepts null and other types.
[[nodiscard]] const JsonNode* find_field(const JsonNode* object, std::string_view key) noexcept;

}  // namespace pchr
