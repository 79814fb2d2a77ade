// SPDX-License-Identifier: MIT
// An open file: its character on the GPU, and what is selected and looked at in it.
#pragma once

#include "document/artwork_layers.hpp"
#include "document/atlas.hpp"
#include "document/bone_tree.hpp"
#include "document/file_watch.hpp"
#include "document/problems.hpp"
#include "document/selection.hpp"
#include "overlays/motion.hpp"
#include "view/turntable.hpp"

#include <pchr/import/import.hpp>
#include <pchr/animator.hpp>
#include <pchr/renderer.hpp>

#include <memory>

namespace pchr::player {

/// How a file was read, and which files that were, as they were before it.
struct Source {
  ImportOptions options{};
  std::vector<FileStamp> read{};
};

struct Document {
  std::filesystem::path path;
  Model model;
  Source source{};
  Imported imported{.character = model.character()};  ///< What the file says beside the character.
  std::vector<Problem> problems{};
  std::shared_ptr<const Markers> markers = std::make_shared<Markers>();
  Vec3 pivot = pivot_of(model.character());  ///< What a 3D character turns around, as it was read.

  Selection selection{};
  std::optional<std::size_t> problem{};  ///< The one that was chosen last.
  bool reveal_problem = false;           ///< The list scrolls to it.
  Atlas atlas{};
  ArtworkLayers artwork_layers{};

  // What is found once and kept:
  std::vector<std::optional<Extent>> extents{};  ///< By clip; the last is that of the whole character.
  PartRows part_rows{};
  Trail trail{};
  Onion onion{};
  std::optional<Skin> plain_skin{};  ///< For the overdraw.

  [[nodiscard]] const Character& character() const noexcept { return model.character(); }
  [[nodiscard]] std::string name() const { return path.filename().string(); }
  /// Returns whether it is a Pomyu character.
  [[nodiscard]] bool is_chara() const noexcept { return imported.chara.has_value(); }
  /// Returns whether it is a pixel artwork.
  [[nodiscard]] bool is_artwork() const noexcept { return imported.artwork.has_value(); }
  [[nodiscard]] bool is_3d() const noexcept { return character().is_3d(); }
};

/// What a character was posed by: where that is the same, so is the pose.
struct PosedBy {
  std::size_t mode = 0;
  ClipId clip = ClipId::none;
  ClipTime time{};
  Affine3 turn = kIdentity3;
  std::vector<std::uint8_t> hidden{};
  bool operator==(const PosedBy& other) const noexcept {
    return mode == other.mode && clip == other.clip && same(time, other.time) && turn == other.turn &&
           hidden == other.hidden;
  }
};

/// A posed character.
struct Figure {
  PoseBuffers posed{};
  std::optional<PosedBy> by{};  ///< Absent where nothing is posed.
};

/// Returns where the extent of a clip, or without one of the character, is kept; absent until it is known.
[[nodiscard]] std::optional<Extent>& extent_slot(Document& document, std::optional<ClipId> clip);
/// Returns how far a clip reaches, or without one the character. The first call for each takes long.
[[nodiscard]] const Extent& extent_of(Document& document, std::optional<ClipId> clip);

/// Reads the markers beside a file. Returns why that failed, or nothing.
[[nodiscard]] std::string read_markers(Document& document);

/// Selects what problem `index` is about; it must exist.
const ProblemPlace& choose_problem(Document& document, std::size_t index);

/// Takes over what is selected, folded, hidden and looked at in `before`, by names.
void carry_over(Document& document, const Document& before);

}  // namespace pchr::player
