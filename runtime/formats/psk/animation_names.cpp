// SPDX-License-Identifier: MIT
// Which mesh an animation file belongs to, by its name.
#include "formats/psk/animation_names.hpp"

#include "formats/psk/config.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace pchr::psk {
namespace {

constexpr std::array<std::string_view, 6> kPrefixes{"sk_", "skm_", "sm_", "as_", "a_", "anim_"};
constexpr std::array<std::string_view, 10> kSuffixes{"animations",   "animation", "animset", "anims", "anim",
                                                     "skeletalmesh", "skeleton",  "skel",    "mesh",  "lod"};
constexpr std::string_view kSeparators = "_-. ";

bool is_upper(char letter) { return std::isupper(static_cast<unsigned char>(letter)) != 0; }
bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool is_separator(char letter) { return kSeparators.find(letter) != std::string_view::npos; }

/// Without a suffix that marks it, or as it is. LODs have a number.
std::string_view without_suffix(std::string_view name) {
  const std::string low = lower(name);
  for (const std::string_view suffix : kSuffixes) {
    std::string_view rest = low;
    if (suffix == "lod") {
      while (!rest.empty() && is_digit(rest.back())) rest.remove_suffix(1);
      if (rest.size() == low.size()) continue;
    }
    if (!rest.ends_with(suffix)) continue;
    rest.remove_suffix(suffix.size());
    while (!rest.empty() && is_separator(rest.back())) rest.remove_suffix(1);
    if (!rest.empty()) return name.substr(0, rest.size());
  }
  return name;
}

/// Whether a word of `name` may end before `at`: hero|_run, hero|Run.
bool is_boundary(std::string_view name, std::size_t at) {
  return at == name.size() || is_separator(name[at]) || (is_upper(name[at]) && !is_upper(name[at - 1]));
}

}  // namespace

std::string_view name_of_subject(std::string_view stem) {
  const std::string low = lower(stem);
  for (const std::string_view prefix : kPrefixes) {
    if (!low.starts_with(prefix) || stem.size() == prefix.size()) continue;
    stem.remove_prefix(prefix.size());
    break;
  }
  for (std::size_t size = 0; size != stem.size();) {
    size = stem.size();
    stem = without_suffix(stem);
  }
  return stem;
}

MeshNames::MeshNames(std::string_view mesh) : stem_(lower(mesh)), subject_(lower(name_of_subject(mesh))) {}

void MeshNames::add(std::string_view other) {
  other_stems_.insert(lower(other));
  other_subjects_.insert(lower(name_of_subject(other)));
}

NameMatch MeshNames::match(std::string_view animation) const {
  const std::string stem = lower(animation);
  if (stem == stem_) return NameMatch::pair;
  if (other_stems_.contains(stem)) return NameMatch::other_mesh;
  const std::string_view name = name_of_subject(animation);
  const std::string subject = lower(name);
  // The mesh with the longest name that it begins with has it.
  for (std::size_t size = subject.size(); size > 0; --size) {
    if (!is_boundary(name, size)) continue;
    const std::string_view front = std::string_view(subject).substr(0, size);
    if (front == subject_) return size == subject.size() ? NameMatch::pair : NameMatch::begins;
    if (other_subjects_.contains(front)) return NameMatch::other_mesh;
  }
  return NameMatch::none;
}

}  // namespace pchr::psk
