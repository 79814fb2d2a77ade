// SPDX-License-Identifier: MIT
// An open file: its character on the GPU, its selection, the state of its lists, its atlas, its rig and its machines.
#pragma once

#include "document/loader.hpp"
#include "document/parts.hpp"
#include "document/states.hpp"
#include "document/turntable.hpp"
#include "platform/utf8_path.hpp"

#include <pchr/animator.hpp>
#include <pchr/import/import.hpp>
#include <pchr/renderer.hpp>

#include <filesystem>

namespace pchr::player {

/// An edge of a triangle in pixels of its image, origin at the top left, y down.
using AtlasEdge = std::array<Vec2, 2>;

struct Atlas {
  ImageId image{};                ///< The selected mesh's image, or the last one chosen.
  Camera camera{.flip_y = true};  ///< World units are the image's pixels.
  bool fitted = true;             ///< Whether the camera fits the whole image. Cleared by moving it.
  bool large = false;             ///< Whether the atlas replaces the canvas.

  std::vector<AtlasEdge> edges{};           ///< Edges of all meshes that use `image`, without duplicates within a mesh.
  std::vector<AtlasEdge> selected_edges{};  ///< Edges of the selected mesh.
  Rect selected_bounds{};                   ///< Bounds of `selected_edges`.

  // The image and mesh that the edges belong to.
  std::optional<ImageId> edges_of{};
  std::optional<MeshId> mesh{};

  // The last click; another one at the same place selects the next mesh in the stack.
  std::vector<MeshId> stack{};  ///< Front to back.
  Vec2 clicked{0.0F};
  std::size_t depth = 0;  ///< Index of the selected mesh in `stack`.
};

/// Follows the selection: shows the selected mesh's image and its triangles. The character must have an image.
void follow(Atlas& atlas, const Character& character, const Selection& selection);
/// Returns the atlas for `to`, which replaces `from`. Keeps the view of the image with the same name, else shows the
/// first image.
[[nodiscard]] Atlas carried_over(const Atlas& atlas, const Character& from, const Character& to);

/// Shows another image and deselects a mesh that does not use it. Ignores an id out of range.
void choose_image(Atlas& atlas, Selection& selection, const Character& character, ImageId image);

/// Finds the meshes with a triangle of `image` at `pixel`, later ones first. Overwrites `out`.
void meshes_at(const Character& character, ImageId image, Vec2 pixel, std::vector<MeshId>& out);

/// Selects the topmost mesh of the shown image at `pixel`. Another click within `reach` pixels selects the next one
/// below, wrapping around. Selects nothing if no mesh is there.
void select_at(Atlas& atlas, Selection& selection, const Character& character, Vec2 pixel, float reach);

/// Updates the camera's viewport and, while it is fitted, fits the image.
void place_camera(Atlas& atlas, const Image& image, Vec2 viewport);
/// Zooms by `factor` around the viewport point `at`, within limits.
void zoom(Atlas& atlas, Vec2 at, float factor);
void move(Atlas& atlas, Vec2 pixels);

/// Returns the GPU memory that an image uses, including mipmaps.
[[nodiscard]] std::uint64_t gpu_bytes(const Image& image) noexcept;

struct Document;

enum class ConstraintKind : std::uint8_t { spring, aim, limb, foot };

/// A constraint of a rig.
struct ConstraintRef {
  ConstraintKind kind{};
  std::size_t index = 0;  ///< Into the rig's list of that kind.
  bool operator==(const ConstraintRef&) const = default;
};

/// Edits of the file next to the character.
struct EditedRig : Rig {
  BindPose bind{};  ///< Automatic if the file chooses none.
  States states{};
  bool operator==(const EditedRig&) const = default;
};

/// The name of a part of the machines while it is typed. It is applied at the end.
struct TypedName {
  StateRef part{};
  std::string text{};
};

struct RigEditor {
  EditedRig rig{};        ///< As edited.
  EditedRig committed{};  ///< After the last complete edit.
  EditedRig saved{};      ///< As in the file.
  std::vector<EditedRig> undo_steps{}, redo_steps{};
  std::optional<ConstraintRef> selected{};
  std::optional<StateRef> selected_state{};
  std::optional<TypedName> typed_name{};
  std::string file_error{};              ///< Why the file could not be read. It is not replaced then.
  std::optional<EditedRig> recovered{};  ///< Changes that were not saved when a player ended unexpectedly.
  std::string autosaved{};               ///< What the autosave has, see keep_unsaved_rig(); empty if there is none.
  std::string autosave_error{};          ///< Why the autosave does not have the changes; empty if it does.
};

/// Starts with the rig in the file.
[[nodiscard]] RigEditor edit_rig(EditedRig saved);
[[nodiscard]] inline bool has_unsaved_changes(const RigEditor& editor) { return editor.rig != editor.saved; }
/// Returns whether the machines have unsaved changes.
[[nodiscard]] inline bool has_unsaved_states(const RigEditor& editor) {
  return editor.rig.states != editor.saved.states;
}
/// Returns whether anything else has.
[[nodiscard]] inline bool has_unsaved_rig(const RigEditor& editor) {
  return editor.rig.bind != editor.saved.bind || static_cast<const Rig&>(editor.rig) != editor.saved;
}
/// Makes all changes since the last call one step of undo().
void commit(RigEditor& editor);
void undo(RigEditor& editor);
void redo(RigEditor& editor);

/// Lists springs, then aims, limbs and feet.
[[nodiscard]] std::vector<ConstraintRef> constraints_of(const Rig& rig);
/// Returns the name of a constraint, which must exist.
[[nodiscard]] std::string& name_of(Rig& rig, ConstraintRef constraint);
[[nodiscard]] bool exists(const Rig& rig, ConstraintRef constraint) noexcept;

/// Returns whether add() can add a constraint at `bone`: a limb and its foot end there and need two bones above, and a
/// bone swings in one spring chain only.
[[nodiscard]] bool can_add(const Rig& rig, ConstraintKind kind, const Character& character, BoneId bone);
/// Adds a constraint and selects it. A spring chain ends above the next one. A foot also adds its limb, unless one ends
/// at `bone`.
void add(RigEditor& editor, ConstraintKind kind, const Character& character, BoneId bone);
/// Removes the selected constraint. A limb takes its feet with it.
void remove_selected(RigEditor& editor);

/// Two spring chains that move the same bone, one after the other, so that it swings twice.
struct SharedBone {
  std::size_t first = 0, second = 0;  ///< Into Rig::springs.
  BoneId bone{};
};
/// Returns the first bone of several spring chains, if there is one.
[[nodiscard]] std::optional<SharedBone> find_shared_bone(const Rig& rig);
/// Describes it, with the names of the chains and of the bone.
[[nodiscard]] std::string describe(const SharedBone& shared, const Rig& rig, const Character& character);

/// Reads the file with the markers and the rig of a document. Returns an error message, or an empty string.
[[nodiscard]] std::string read_sidecar(Document& document);
/// Continues editing the rig of `before`, an earlier version of the document. If the file has changed, it wins, and
/// undo() returns to the unsaved edits.
void continue_rig(Document& document, const Document& before);
/// Saves the rig of a document, with its markers and masks. Returns an error message, or an empty string.
[[nodiscard]] std::string save_rig(Document& document);

/// Writes the unsaved changes of a document to its autosave, a file beside the preferences, or removes that once they
/// are saved. Sets RigEditor::autosave_error; the next call tries again.
void keep_unsaved_rig(Document& document);
/// Reads the changes that an autosave has of a document, if any. One that cannot be read is renamed, so that it stays
/// and is not offered again. Returns an error message, or an empty string.
[[nodiscard]] std::string recover_rig(Document& document);
/// Returns the character whose unsaved changes were kept last; empty if there is none.
[[nodiscard]] std::filesystem::path find_unsaved_rig();
/// Removes the autosave of a document that is left without saving.
void forget_unsaved_rig(Document& document);
void remove_autosave(const std::filesystem::path& character);

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
  std::vector<NamedMask> masks{};  ///< Masks in the file next to the character.
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
