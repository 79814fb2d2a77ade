// SPDX-License-Identifier: MIT
// Names that two bones, meshes, clips or images share.
#include "validate/lint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace pchr {
namespace {

/// One finding for all shared names of a section, at the second that has the first of them.
template <class Item>
void lint_names_of(Lint& lint, Section section, std::span<const Item> items) {
  std::vector<std::uint32_t> by_name(items.size());
  std::iota(by_name.begin(), by_name.end(), 0U);
  std::sort(by_name.begin(), by_name.end(),
            [&](std::uint32_t a, std::uint32_t b) { return std::tie(items[a].name, a) < std::tie(items[b].name, b); });
  Tally tally;
  std::uint32_t earliest = 0, original = 0;
  for (std::size_t begin = 0, end = 0; begin < by_name.size(); begin = end) {
    while (end < by_name.size() && items[by_name[end]].name == items[by_name[begin]].name) ++end;
    if (end - begin == 1) continue;
    if (tally.count++ > 0 && by_name[begin + 1] > earliest) continue;
    earliest = by_name[begin + 1];
    original = by_name[begin];
  }
  tally.first = {section, Field::name, earliest};
  tally.detail = fmt::format("{} has the same name", to_path({section, Field::none, original}));
  lint.add(FindingId::duplicate_name, tally, "such names in this section");
}

}  // namespace

void lint_names(Lint& lint) {
  const Character& character = lint.character();
  lint_names_of(lint, Section::images, character.images());
  lint_names_of(lint, Section::bones, character.bones());
  lint_names_of(lint, Section::meshes, character.meshes());
  lint_names_of(lint, Section::animations, character.clips());
}

}  // namespace pchr
