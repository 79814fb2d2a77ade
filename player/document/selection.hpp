// SPDX-License-Identifier: MIT
// What of the character is selected, and what is hidden. Knows nothing of the window.
#pragma once

#include <pchr/character.hpp>
#include <pchr/queries.hpp>
#include <pchr/pose.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pchr::player {

struct Selection {
  std::optional<BoneId> bone{};
  std::optional<MeshId> mesh{};
  std::vector<std::uint8_t> hidden{};  ///< By mesh: not 0 where the player leaves it out. Empty where none is.
  std::vector<AlphaMask> masks{};      ///< Of the character's images.
  std::vector<std::uint8_t> folded{};  ///< By bone: not 0 where what is below it is not listed. Empty where none is.
  bool reveal = false;                 ///< The lists shall scroll to what is selected.

  /// The edges of the mesh `outline_of` that belong to one triangle alone, as indices of its vertices.
  std::vector<std::array<std::uint16_t, 2>> outline{};
  std::optional<MeshId> outline_of{};

  // Of the last click, so that another at the same place selects what lies below:
  std::vector<Hit> stack{};  ///< Front to back.
  Vec2 clicked{0.0F};
  std::size_t depth = 0;  ///< Which of them is selected.
};

/// Selects the mesh that shows at `point`, and the bone that moves it most there; again within `reach` of the last
/// click, the one below, and after the last the first. A point at which nothing shows selects nothing.
void select_at(Selection& selection, const Character& character, const PoseBuffers& posed, Vec2 point, float reach);

/// Selects a mesh and its governing bone.
void select_mesh(Selection& selection, const Character& character, MeshId mesh);
void select_bone(Selection& selection, BoneId bone);
void select_nothing(Selection& selection);

[[nodiscard]] bool is_hidden(const Selection& selection, MeshId mesh) noexcept;
void set_hidden(Selection& selection, const Character& character, MeshId mesh, bool hidden);
/// Hides all meshes but the selected one; shows all where that is so already. Does nothing without a selected mesh.
void toggle_solo(Selection& selection, const Character& character);
void show_all(Selection& selection);
/// Takes hidden meshes out of a draw list.
void leave_out_hidden(const Selection& selection, DrawList& list);

/// Brings `outline` up to date with the selected mesh.
void find_outline(Selection& selection, const Character& character);

/// The same selection in another state of a character, by names. Masks are left to the caller.
[[nodiscard]] Selection carried_over(const Selection& selection, const Character& from, const Character& to);

}  // namespace pchr::player
