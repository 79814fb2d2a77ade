// SPDX-License-Identifier: MIT
// What the checks of validate() share.
#pragma once

#include "model/location.hpp"

#include <pchr/validate.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pchr {

/// Findings of one kind in one mesh or clip: the first, and how many.
struct Tally {
  std::uint64_t count = 0;
  Location first;
  std::string detail;

  /// `describe` makes the detail, and is asked for the first only.
  template <class Describe>
  void add(const Location& location, const Describe& describe) {
    if (count++ > 0) return;
    first = location;
    detail = describe();
  }
};

/// Collects findings about one character.
class Lint {
 public:
  Lint(const Character& character, const ValidateOptions& options) : character_(character), options_(options) {}

  [[nodiscard]] const Character& character() const noexcept { return character_; }
  [[nodiscard]] const ValidateOptions& options() const noexcept { return options_; }

  void add(FindingId id, const Location& location, std::string detail);
  /// Nothing where nothing was counted. `unit` says what was, such as "vertices in this mesh".
  void add(FindingId id, const Tally& tally, std::string_view unit);

  /// All findings; call it last.
  [[nodiscard]] std::vector<Finding> take();

 private:
  struct Kind {
    std::uint64_t count = 0;
    std::size_t last_listed = 0;
  };

  const Character& character_;
  const ValidateOptions& options_;
  std::vector<Finding> findings_;
  std::map<FindingId, Kind> kinds_;
};

/// Images that no mesh uses.
void lint_images(Lint& lint);
/// Names that two bones, meshes, clips or images share.
void lint_names(Lint& lint);
/// Weights, texture coordinates and triangles.
void lint_meshes(Lint& lint);
/// Clips that stand still, stutter at the seam or overflow.
void lint_clips(Lint& lint);
/// Meshes that overlap with nothing but the order in the file to say which is on top.
void lint_draw_order(Lint& lint);

}  // namespace pchr
