// SPDX-License-Identifier: MIT
// Different names for things of one name.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace pchr::film {

/// Numbers names that were taken before: with " (" and ")", "walk" becomes "walk (2)". Takes time with the names,
/// however many of them are equal.
class UniqueNames {
 public:
  UniqueNames(std::string_view before, std::string_view after) : before_(before), after_(after) {}

  /// `name` where it is free, else the first free number of it.
  [[nodiscard]] std::string take(const std::string& name) {
    const auto [entry, is_free] = next_.emplace(name, 2);
    if (is_free) return name;
    // Names that look numbered may be there, too.
    std::string numbered;
    unsigned number = entry->second;
    do {
      numbered = name + before_ + std::to_string(number++) + after_;
    } while (next_.contains(numbered));
    entry->second = number;
    next_.emplace(numbered, 2);
    return numbered;
  }

 private:
  std::string before_, after_;
  std::unordered_map<std::string, unsigned> next_;  ///< For each name that is taken, the number to try next.
};

}  // namespace pchr::film
