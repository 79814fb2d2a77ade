// SPDX-License-Identifier: MIT
// Which mesh of a folder an animation file belongs to, by its name.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace pchr::psk {

/// How the name of an animation file fits a mesh, the best last.
enum class NameMatch : std::uint8_t {
  other_mesh,  ///< It fits another mesh of the folder better.
  none,        ///< It fits no mesh of the folder.
  begins,      ///< It begins with the mesh's name: hero_run.psa and hero.psk.
  pair         ///< They are equal but for what usually marks meshes and animations: HeroAnims.psa and HeroMesh.psk.
};

/// A file name without suffix, and without what usually marks meshes and animations around the name of what they show,
/// such as SK_ and _LOD0, Mesh, Anims. Upper and lower case stay.
[[nodiscard]] std::string_view name_of_subject(std::string_view stem);

/// The names of the meshes of a folder.
class MeshNames {
 public:
  /// `mesh` is the stem of the one that animations are looked for.
  explicit MeshNames(std::string_view mesh);
  /// Adds the stem of another.
  void add(std::string_view other);
  /// How the stem of an animation file fits the mesh.
  [[nodiscard]] NameMatch match(std::string_view animation) const;

 private:
  std::string stem_;                                ///< The mesh's file name in lower case,
  std::string subject_;                             ///< and its subject.
  std::set<std::string, std::less<>> other_stems_;  ///< The same of the other meshes.
  std::set<std::string, std::less<>> other_subjects_;
};

}  // namespace pchr::psk
