// SPDX-License-Identifier: MIT
// What the handles of the C interface hold, and what all its functions share.
#pragma once

#include <pchr.h>

#include <pchr/animator.hpp>
#include <pchr/character.hpp>
#include <pchr/load.hpp>
#include <pchr/pose.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

struct pchr_character {
  pchr::Character character;
  pchr::Limits limits;
};

struct pchr_pose {
  pchr::Character character;
  pchr::PosedCharacter posed;
  std::vector<pchr_draw_item> draw_list;
};

struct pchr_animator {
  pchr::Animator animator;
  std::vector<pchr_event> events;
};

namespace pchr::c {

/// What `work` returns, or `fallback` where it throws: nothing may be thrown into C, and all that can be is want of
/// memory.
template <class Result, class Work>
Result guarded(Result fallback, const Work& work) noexcept {
  try {
    return work();
  } catch (...) {
    return fallback;
  }
}

/// Fills `error` unless it is null, and cuts `message` between characters where it is too long.
void tell(pchr_error* error, std::string_view code, std::string_view message) noexcept;
void tell(pchr_error* error, const pchr::Finding& finding, std::string_view file_name);
void tell_no_memory(pchr_error* error) noexcept;

/// The first element, and how many there are unless `count` is null.
template <class Element, class Container>
const Element* array_of(const Container& container, std::uint32_t* count) noexcept {
  static_assert(sizeof(Element) == sizeof(*container.data()));
  if (count != nullptr) *count = static_cast<std::uint32_t>(container.size());
  return reinterpret_cast<const Element*>(container.data());
}

[[nodiscard]] inline Sampling sampling_of(pchr_sampling sampling) noexcept {
  return sampling == PCHR_SMOOTH ? Sampling::smooth : Sampling::step;
}

/// Brings what C sees of `pose` up to date with `pose.posed`.
void refresh(pchr_pose& pose);

}  // namespace pchr::c
