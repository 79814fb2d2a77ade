// SPDX-License-Identifier: MIT
// An open file: its character on the GPU, its selection and the state of its lists.
#pragma once

#include "document/atlas.hpp"
#include "document/loader.hpp"
#include "document/parts.hpp"
#include "document/rig.hpp"
#include "document/turntable.hpp"
#include "platform/utf8_path.hpp"

#include <pchr/animator.hpp>
#include <pchr/renderer.hpp>

#include <filesystem>

namespace pchr::player {

/// How a file was read.
struct Source {
  ImportOptions options{};
  std::vector<FileStamp> read{};  ///< All files that were read, with their state before reading.
};

struct Document {
  std::filesystem::path path;
  Model model;
  Source source{};
  Imported imported{.character = model.character()};
  std::vector<Problem> problems{};
  std::shared_ptr<const Markers> markers = std::make_shared<Markers>();
  RigEditor rig{};
  std::optional<BindPose> bind{};  ///< What `rig` chose when the character was read.
  FileStamp sidecar{};             ///< The file with the markers and the rig, as read or saved last.
  std::string load_error{};        ///< Why the file as it is now does not load; this is the last version that did.
  bool deleted = false;            ///< Whether the file is missing.
  Vec3 pivot = pivot_of(model.character());

  Selection selection{};
  std::optional<std::size_t> problem{};  ///< The problem chosen last.
  bool reveal_problem = false;           ///< Scroll the list to that problem.
  Atlas atlas{};
  ArtworkLayers artwork_layers{};

  // Caches.
  std::vector<std::optional<Extent>> extents{};  ///< Indexed by clip; the last one is for the whole character.
  std::vector<MeshId> mesh_rows{};
  std::vector<BoneRow> bone_rows{};

  [[nodiscard]] const Character& character() const noexcept { return model.character(); }
  [[nodiscard]] std::string name() const { return utf8_of(path.filename()); }
  [[nodiscard]] bool is_3d() const noexcept { return character().is_3d(); }
};

/// Returns the cached extent of a clip, or of the whole character.
[[nodiscard]] inline std::optional<Extent>& extent_slot(Document& document, std::optional<ClipId> clip) {
  const std::size_t clips = document.character().clips().size();
  document.extents.resize(clips + 1);
  return document.extents[clip ? index(*clip) : clips];
}

/// Returns the extent of a clip, or of the whole character. Slow the first time.
[[nodiscard]] inline const Extent& extent_of(Document& document, std::optional<ClipId> clip) {
  std::optional<Extent>& extent = extent_slot(document, clip);
  if (!extent) extent = clip ? clip_extent(document.character(), *clip) : character_extent(document.character());
  return *extent;
}

}  // namespace pchr::player
