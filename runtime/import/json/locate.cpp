// SPDX-License-Identifier: MIT
#include "import/json/locate.hpp"

#include "character/path.hpp"
#include "import/json/dialect.hpp"

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace pchr {
namespace {

namespace ondemand = simdjson::ondemand;

/// How a name in a path stands in the text, and what it has there that is one level further down.
struct Alias {
  std::string_view name;
  JsonKey key;
  std::string_view pachario_child{};
};

constexpr Alias kAliases[] = {{"parent", kParentKey},
                              {"image", kImageKey},
                              {"indices", kIndicesKey},
                              {"indexCount", kIndicesKey},
                              {"data", "path"},
                              {"flags", {"flags", "loop"}},
                              {"boneIds", {"boneIds", "bones"}, "idx"},
                              {"boneWeights", {"boneWeights", "bones"}, "weight"}};

/// One path on its way through the text.
struct Search {
  Diagnostic* diagnostic;
  std::vector<PathStep> steps;
  std::size_t offset = 0;  ///< Of the deepest value that was found.
  std::size_t found_steps = 0;
  std::string spelled{};     ///< The path to it.
  std::string_view child{};  ///< A key that follows the last step.

  /// The key that comes next after `depth` steps; empty where none does.
  [[nodiscard]] std::string_view next_name(std::size_t depth) const {
    return depth < steps.size() ? steps[depth].name : depth == steps.size() ? child : std::string_view();
  }
};
using Searches = std::vector<Search*>;

const Alias* alias_of(std::string_view name) {
  const auto alias = std::ranges::find(kAliases, name, &Alias::name);
  return alias == std::end(kAliases) ? nullptr : alias;
}

class Finder {
 public:
  Finder(std::string_view text, std::vector<Search>& all) : text_(text) {
    for (Search& search : all) here_.push_back(&search);
  }

  void run() {
    ondemand::parser parser;
    ondemand::document document;
    ondemand::object root;
    if (parser.iterate(text_.data(), text_.size(), text_.size() + simdjson::SIMDJSON_PADDING).get(document) !=
            simdjson::SUCCESS ||
        document.get_object().get(root) != simdjson::SUCCESS) {
      return;
    }
    for (Search* search : here_) search->offset = std::min(text_.find('{'), text_.size());
    (void)visit_object(root, here_, 0);
  }

 private:
  /// Visits what `searches` look for in a value that lies `depth` steps deep. Returns whether the text can be followed
  /// further.
  bool visit(ondemand::value value, const Searches& searches, std::size_t depth, std::string_view spelled) {
    Searches deeper;
    for (Search* search : searches) {
      search->offset = static_cast<std::size_t>(value.raw_json_token().data() - text_.data());
      search->found_steps = depth;
      search->spelled = spelled;
      if (depth < search->steps.size() || !search->child.empty()) deeper.push_back(search);
    }
    if (deeper.empty()) return true;
    ondemand::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return false;
    if (type == ondemand::json_type::object) {
      ondemand::object object;
      return value.get_object().get(object) == simdjson::SUCCESS && visit_object(object, deeper, depth, spelled);
    }
    ondemand::array array;
    if (type != ondemand::json_type::array) return true;
    return value.get_array().get(array) == simdjson::SUCCESS && visit_array(array, deeper, depth, spelled);
  }

  bool visit_object(ondemand::object object, const Searches& searches, std::size_t depth,
                    std::string_view spelled = {}) {
    Searches open = searches;  // Those whose key was not seen as their path spells it.
    for (auto item : object) {
      ondemand::field field;
      std::string_view key;
      if (std::move(item).get(field) != simdjson::SUCCESS || field.unescaped_key().get(key) != simdjson::SUCCESS)
        return false;
      Searches matching;
      std::erase_if(open, [&](Search* search) {
        const std::string_view name = search->next_name(depth);
        const Alias* alias = alias_of(name);
        const bool exact = key == (alias != nullptr ? alias->key.v1 : name);
        const bool other = alias != nullptr && key == alias->key.pachario && search->found_steps <= depth;
        if (exact || other) {
          matching.push_back(search);
          if (alias != nullptr) search->child = exact ? std::string_view() : alias->pachario_child;
        }
        return exact;
      });
      if (matching.empty()) continue;
      const std::string path = spelled.empty() ? std::string(key) : std::string(spelled) + '.' + std::string(key);
      if (!visit(field.value(), matching, depth + 1, path)) return false;
    }
    return true;
  }

  bool visit_array(ondemand::array array, const Searches& searches, std::size_t depth, std::string_view spelled) {
    std::uint64_t index = 0;
    for (auto item : array) {
      ondemand::value element;
      if (std::move(item).get(element) != simdjson::SUCCESS) return false;
      Searches matching;
      std::ranges::copy_if(searches, std::back_inserter(matching), [&](const Search* search) {
        return depth < search->steps.size() && search->steps[depth].name.empty() && search->steps[depth].index == index;
      });
      if (!matching.empty()) {
        std::string path(spelled);
        append_step(path, index);
        if (!visit(element, matching, depth + 1, path)) return false;
      }
      ++index;
    }
    return true;
  }

  std::string_view text_;
  Searches here_;
};

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
  std::vector<Search> searches;
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.line == 0 && !diagnostic.path.empty())
      searches.push_back({&diagnostic, split_path(diagnostic.path)});
  }
  if (searches.empty()) return;
  Finder(json.text, searches).run();
  const bool pachario = is_pachario_dialect(json.text);
  for (Search& search : searches) {
    std::string path = search.spelled;
    for (std::size_t i = search.found_steps; i < search.steps.size(); ++i) {
      const Alias* alias = alias_of(search.steps[i].name);
      append_step(path, alias != nullptr ? PathStep(alias->key.in(pachario)) : search.steps[i]);
    }
    search.diagnostic->path = std::move(path);
    set_place(*search.diagnostic, json, search.offset);
  }
}

}  // namespace pchr
