// SPDX-License-Identifier: MIT
#include "document/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace pchr::player {
namespace {

/// Removes `word[12]` from the front of `text` and stores the index in `item` if it is below `count`. Returns whether
/// it was there.
template <typename Id>
bool take_item(std::string_view& text, std::string_view word, std::size_t count, std::optional<Id>& item) {
  if (!text.starts_with(word) || !text.substr(word.size()).starts_with('[')) return false;
  std::uint32_t index = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + word.size() + 1, text_end, index);
  if (error != std::errc() || end == text_end || *end != ']') return false;
  text.remove_prefix(static_cast<std::size_t>(end + 1 - text.data()));
  if (index < count) item = Id{index};
  return true;
}

ProblemKind kind_of(DiagnosticId id) {
  if (severity(id) == Severity::error) return ProblemKind::error;
  return code(id).starts_with("W4") ? ProblemKind::hint : ProblemKind::warning;
}

Problem problem(const Diagnostic& diagnostic, const Character& character, std::string_view file_name) {
  return {.kind = kind_of(diagnostic.id),
          .message = fmt::format("{} {}", code(diagnostic.id), message(diagnostic.id)),
          .detail = diagnostic.path.empty() && diagnostic.detail.empty() ? "" : describe(diagnostic),
          .text = describe(diagnostic, file_name, {.hint = true}),
          .place = place_of(diagnostic.path, character)};
}

}  // namespace

ProblemPlace place_of(std::string_view path, const Character& character) {
  ProblemPlace place;
  const std::size_t bones = character.bones().size();
  if (take_item(path, "meshes", character.meshes().size(), place.mesh) || take_item(path, "bones", bones, place.bone) ||
      take_item(path, "images", character.images().size(), place.image)) {
    return place;
  }
  take_item(path, "animations", character.clips().size(), place.clip);
  if (!place.clip) return place;
  const std::size_t frames = character.clips()[*place.clip].frame_count;
  if (take_item(path, ".frames", frames, place.frame)) take_item(path, "", bones, place.bone);
  return place;
}

std::size_t count_problems(std::span<const Problem> problems) noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(problems, [](const Problem& each) { return each.kind != ProblemKind::hint; }));
}

std::vector<Problem> problems_of(const Imported& imported, std::string_view file_name) {
  const Character& character = imported.character;
  std::vector<Problem> problems;
  const auto add = [&](const Diagnostic& each) { problems.push_back(problem(each, character, file_name)); };
  std::ranges::for_each(character.warnings(), add);
  std::ranges::for_each(validate(imported), add);
  std::ranges::stable_sort(problems, {}, &Problem::kind);
  return problems;
}

}  // namespace pchr::player
