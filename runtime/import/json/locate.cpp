// SPDX-License-Identifier: MIT
// Finds the lines and columns of paths in a JSON text.
#include "import/json/pachario_json.hpp"

#include "import/json/syntax.hpp"

namespace pchr {
namespace {

namespace ondemand = simdjson::ondemand;

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

Search make_search(std::string_view text, std::string_view path, bool pachario) {
  Search search{.steps = split_path(path), .found = std::to_address(text.begin())};
  search.path_steps = search.steps.size();
  for (std::size_t i = 0; i < search.path_steps; ++i) {
    const auto* const alias = std::ranges::find(kAliases, search.steps[i].name, &Alias::name);
    if (alias == std::end(kAliases)) continue;
    search.steps[i] = alias->key.in(pachario);
    if (pachario && !alias->pachario_child.empty()) search.steps.emplace_back(alias->pachario_child);
  }
  return search;
}

bool visit_object(ondemand::object object, const Searches& searches, std::size_t depth);
bool visit_array(ondemand::array array, const Searches& searches, std::size_t depth);

/// Visits a part of a value at a depth of `depth` steps, for those of `searches` whose next step leads there. Returns
/// whether the text is valid so far.
template <class IsStep>
bool visit(ondemand::value part, const Searches& searches, std::size_t depth, const IsStep& is_step) {
  Searches deeper;
  for (Search* const search : searches) {
    if (search->found_steps != depth || !is_step(search->steps[depth])) continue;
    search->found = part.raw_json_token().data();
    search->found_steps = depth + 1;
    if (search->steps.size() > depth + 1) deeper.push_back(search);
  }
  if (deeper.empty()) return true;
  ondemand::object object;
  if (part.get_object().get(object) == simdjson::SUCCESS) return visit_object(object, deeper, depth + 1);
  ondemand::array array;
  return part.get_array().get(array) != simdjson::SUCCESS || visit_array(array, deeper, depth + 1);
}

bool visit_object(ondemand::object object, const Searches& searches, std::size_t depth) {
  for (auto item : object) {
    ondemand::field field;
    std::string_view key;
    if (std::move(item).get(field) != simdjson::SUCCESS || field.unescaped_key().get(key) != simdjson::SUCCESS ||
        !visit(field.value(), searches, depth, [&](const PathStep& step) { return step.name == key; })) {
      return false;
    }
  }
  return true;
}

bool visit_array(ondemand::array array, const Searches& searches, std::size_t depth) {
  std::uint64_t index = 0;
  for (auto item : array) {
    const auto is_step = [&](const PathStep& step) { return step.name.empty() && step.index == index; };
    ondemand::value element;
    if (std::move(item).get(element) != simdjson::SUCCESS || !visit(element, searches, depth, is_step)) return false;
    ++index;
  }
  return true;
}

void find(std::string_view text, std::vector<Search>& searches) {
  ondemand::parser parser;
  ondemand::document document;
  ondemand::object root;
  if (iterate(parser, text, document) != simdjson::SUCCESS || document.get_object().get(root) != simdjson::SUCCESS)
    return;
  Searches all;
  for (Search& search : searches) {
    search.found = text.data() + std::min(text.find('{'), text.size());
    all.push_back(&search);
  }
  (void)visit_object(root, all, 0);
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
    for (const bool pachario : {false, true}) searches.push_back(make_search(json.text, diagnostic.path, pachario));
  }
  if (searches.empty()) return;
  find(json.text, searches);
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
