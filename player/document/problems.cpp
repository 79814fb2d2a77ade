// SPDX-License-Identifier: MIT
#include "document/problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace pchr::player {
namespace {

/// Takes `word[12]` off the front of `text`, which stays as it is where that is not there.
std::optional<std::uint32_t> take_item(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word) || !text.substr(word.size()).starts_with('[')) return std::nullopt;
  std::uint32_t index = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + word.size() + 1, text_end, index);
  if (error != std::errc() || end == text_end || *end != ']') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end + 1 - text.data()));
  return index;
}

template <typename Id>
std::optional<Id> within(std::optional<std::uint32_t> number, std::size_t count) {
  return number && *number < count ? std::optional(Id{*number}) : std::nullopt;
}

ProblemKind kind_of(DiagnosticId id) {
  if (severity(id) == Severity::error) return ProblemKind::error;
  return code(id).starts_with("W4") ? ProblemKind::advice : ProblemKind::warning;
}

std::string where(const Diagnostic& diagnostic, const ProblemPlace& place) {
  const char* kind = place.mesh ? "mesh" : place.clip ? "clip" : place.bone ? "bone" : place.image ? "image" : nullptr;
  std::string text;
  if (kind != nullptr && !diagnostic.name.empty()) text = fmt::format("{} \"{}\"", kind, printable(diagnostic.name));
  if (place.frame) text += fmt::format(", frame {}", *place.frame);
  if (!text.empty() && !diagnostic.detail.empty()) text += ": ";
  return text + printable(diagnostic.detail);
}

Problem problem(const Diagnostic& diagnostic, const Character& character, std::string_view file_name) {
  const ProblemPlace place = place_of(diagnostic.path, character);
  std::string text = describe(diagnostic, file_name);
  if (const std::string_view advised = hint(diagnostic.id); !advised.empty()) text += fmt::format("\n  {}", advised);
  return {.kind = kind_of(diagnostic.id),
          .sentence = fmt::format("{} {}", code(diagnostic.id), message(diagnostic.id)),
          .where = where(diagnostic, place),
          .text = std::move(text),
          .place = place};
}

}  // namespace

ProblemPlace place_of(std::string_view path, const Character& character) {
  ProblemPlace place;
  if (const auto mesh = take_item(path, "meshes")) {
    place.mesh = within<MeshId>(mesh, character.meshes().size());
  } else if (const auto bone = take_item(path, "bones")) {
    place.bone = within<BoneId>(bone, character.bones().size());
  } else if (const auto image = take_item(path, "images")) {
    place.image = within<ImageId>(image, character.images().size());
  } else if (const auto clip = take_item(path, "animations")) {
    place.clip = within<ClipId>(clip, character.clips().size());
    const auto frame = take_item(path, ".frames");
    if (!place.clip || !frame) return place;
    place.frame = within<std::uint32_t>(frame, character.clips()[*place.clip].frame_count);
    place.bone = within<BoneId>(take_item(path, ""), character.bones().size());
  }
  return place;
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
