// SPDX-License-Identifier: MIT
// Edits the rig of a character, with undo, and saves it in the file next to the character.
#pragma once

#include <pchr/import/import.hpp>

#include <filesystem>

namespace pchr::player {

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
  bool operator==(const EditedRig&) const = default;
};

struct RigEditor {
  EditedRig rig{};        ///< As edited.
  EditedRig committed{};  ///< After the last complete edit.
  EditedRig saved{};      ///< As in the file.
  std::vector<EditedRig> undo_steps{}, redo_steps{};
  std::optional<ConstraintRef> selected{};
  std::string file_error{};              ///< Why the file could not be read. It is not replaced then.
  std::optional<EditedRig> recovered{};  ///< Changes that were not saved when a player ended unexpectedly.
  std::string autosaved{};               ///< What the autosave has, see keep_unsaved_rig(); empty if there is none.
};

/// Starts with the rig in the file.
[[nodiscard]] RigEditor edit_rig(EditedRig saved);
[[nodiscard]] inline bool has_unsaved_changes(const RigEditor& editor) { return editor.rig != editor.saved; }
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
/// Saves the rig of a document, with its markers. Returns an error message, or an empty string.
[[nodiscard]] std::string save_rig(Document& document);

/// Writes the unsaved changes of a document to its autosave, a file beside the preferences, or removes that once they
/// are saved.
void keep_unsaved_rig(Document& document);
/// Reads the changes that an autosave has of a document, if any.
void recover_rig(Document& document);
/// Returns the character whose unsaved changes were kept last; empty if there is none.
[[nodiscard]] std::filesystem::path find_unsaved_rig();
/// Removes the autosave of a document that is left without saving.
void forget_unsaved_rig(Document& document);
void remove_autosave(const std::filesystem::path& character);

}  // namespace pchr::player
