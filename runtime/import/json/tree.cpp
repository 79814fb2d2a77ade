// SPDX-License-Identifier: MIT
#include "import/json/tree.hpp"

#include <cmath>
#include <functional>

namespace pchr {

class JsonTreeReader : JsonReader {
 public:
  explicit JsonTreeReader(const JsonText& json) : JsonReader(json) { tree_.json_ = json; }

  Expected<JsonTree, Diagnostic> read() {
    if (!read_document([&] { return read_value({}); })) return Unexpected(std::move(error));
    return std::move(tree_);
  }

 private:
  /// Returns a view that stays valid. The reader keeps only the last string that has escape sequences.
  std::string_view kept(std::string_view text) {
    const std::string_view all = tree_.json_.text;
    const std::less<> before;
    if (text.empty() || (!before(text.data(), all.data()) && before(text.data(), all.data() + all.size()))) return text;
    return tree_.unescaped_.emplace_back(text);
  }

  bool read_value(std::string_view key) {
    const std::size_t place = tree_.nodes_.size();
    JsonNode& node = tree_.nodes_.emplace_back();
    node.type = type();
    node.key_start = key.data();
    node.key_bytes = static_cast<std::uint32_t>(key.size());
    node.offset = static_cast<std::uint32_t>(at() - tree_.json_.text.data());
    switch (node.type) {
      case Type::object:
        if (!read_object([&](std::string_view child) { return read_value(kept(child)); })) return false;
        break;
      case Type::array:
        if (!read_array([&] { return read_value({}); })) return false;
        break;
      case Type::string: {
        std::string_view text;
        if (!read_string(text)) return false;
        text = kept(text);
        node.text_start = text.data();
        node.text_bytes = static_cast<std::uint32_t>(text.size());
        break;
      }
      case Type::number:
        if (!read_number(node.number)) return false;
        break;
      case Type::boolean:
        node.number = *at() == 't' ? 1 : 0;
        if (!read_literal(node.number != 0 ? "true" : "false")) return false;
        break;
      case Type::null:
      case Type::none:
        if (!skip()) return false;
        break;
    }
    tree_.nodes_[place].size = static_cast<std::uint32_t>(tree_.nodes_.size() - place);
    return true;
  }

  JsonTree tree_;
};

Expected<JsonTree, Diagnostic> JsonTree::read(const JsonText& json) { return JsonTreeReader(json).read(); }

std::string JsonTree::path_of(const JsonNode& node) const {
  std::string path;
  const JsonNode* parent = &nodes_.front();
  while (parent != &node) {
    const JsonNode* next = nullptr;
    std::uint64_t index = 0;
    for (const JsonNode& child : JsonChildren(parent)) {
      next = &child;
      if (&node < &child + child.size) break;
      ++index;
    }
    if (next == nullptr) break;
    append_step(path, parent->type == JsonNode::Type::object ? PathStep(next->key()) : PathStep(index));
    parent = next;
  }
  return path;
}

Diagnostic JsonTree::diagnose(DiagnosticId id, const JsonNode& node, std::string detail) const {
  // A path begins with an element of a list, which has the name.
  std::string name;
  for (const JsonNode& list : JsonChildren(&root())) {
    if (list.type != JsonNode::Type::array || &node < &list || &node >= &list + list.size) continue;
    for (const JsonNode& element : JsonChildren(&list)) {
      const JsonNode* const named = &node < &element + element.size ? find_field(&element, "name") : nullptr;
      if (named != nullptr) name = named->text();
      if (&node < &element + element.size) break;
    }
  }
  Diagnostic diagnostic{id, path_of(node), std::move(name), {}, std::move(detail)};
  if (is_binary_) {
    diagnostic.byte_offset = node.offset;
  } else {
    set_place(diagnostic, json_, node.offset);
  }
  return diagnostic;
}

JsonText json_text(std::span<const std::byte> bytes, std::size_t readable, std::string& copy) {
  JsonText json{{reinterpret_cast<const char*>(bytes.data()), bytes.size()}, 0};
  if (json.text.starts_with("\xEF\xBB\xBF")) json = {json.text.substr(3), 3};
  if (readable == bytes.size() || bytes.data()[bytes.size()] != std::byte{0}) json.text = copy = json.text;
  return json;
}

const JsonNode* JsonFields::field(const JsonNode* object, std::string_view key, Type type) {
  const JsonNode* const found = find_field(object, key);
  if (found == nullptr || found->type == Type::null) return nullptr;
  if (found->type == type) return found;
  fail(DiagnosticId::wrong_type, *found,
       fmt::format("must be {}", type == Type::array     ? "an array"
                                 : type == Type::object  ? "an object"
                                 : type == Type::string  ? "a string"
                                 : type == Type::boolean ? "true or false"
                                                         : "a number"));
  return nullptr;
}

double JsonFields::value_of(const JsonNode& node) {
  if (node.type != Type::number) {
    fail(DiagnosticId::wrong_type, node, "must be a number");
  } else if (std::abs(node.number) <= max_number_) {
    return node.number;
  } else {
    fail(DiagnosticId::value_out_of_range, node, fmt::format("must be between -{0:g} and {0:g}", max_number_));
  }
  return 0;
}

double JsonFields::number(const JsonNode* object, std::string_view key, double missing) {
  const JsonNode* const found = find_field(object, key);
  return found == nullptr || found->type == Type::null ? missing : value_of(*found);
}

bool JsonFields::boolean(const JsonNode* object, std::string_view key, bool missing) {
  const JsonNode* const found = field(object, key, Type::boolean);
  return found == nullptr ? missing : found->number != 0;
}

std::string_view JsonFields::text(const JsonNode* object, std::string_view key) {
  const JsonNode* const found = field(object, key, Type::string);
  return found == nullptr ? std::string_view() : found->text();
}

std::vector<double> JsonFields::numbers(const JsonNode* object, std::string_view key) {
  std::vector<double> result;
  const JsonNode* const list = field(object, key, Type::array);
  if (list == nullptr) return result;
  result.reserve(list->size - 1);
  for (const JsonNode& each : JsonChildren(list)) result.push_back(value_of(each));
  return result;
}

const JsonNode* find_field(const JsonNode* object, std::string_view key) noexcept {
  if (object == nullptr || object->type != JsonNode::Type::object) return nullptr;
  const JsonNode* found = nullptr;
  for (const JsonNode& field : JsonChildren(object)) {
    if (field.key() == key) found = &field;
  }
  return found;
}

}  // namespace pchr
