// SPDX-License-Identifier: MIT
// The file next to a character with its markers and its rig.
#pragma once

#include "app/app.hpp"

namespace pchr::player {

/// Reads the sidecar of `document`. Returns an error message, or an empty string.
[[nodiscard]] std::string read_sidecar(Document& document);
/// Continues editing the rig of `before`, an earlier version of the document.
void continue_rig(Document& document, const Document& before);
/// Saves the rig of the open document, with its markers.
void save_rig(App& app);

/// Returns the file beside the preferences that keeps unsaved changes to the rig of a character; empty if there is no
/// such folder.
[[nodiscard]] std::filesystem::path autosave_path(const std::filesystem::path& character);
/// Writes the unsaved changes of the open document to its autosave, or removes that once they are saved.
void keep_unsaved_rig(App& app);
/// Reads the changes that an autosave has of `document`, if any.
void recover_rig(Document& document);
/// Returns the character whose unsaved changes were kept last; empty if there is none.
[[nodiscard]] std::filesystem::path find_unsaved_rig();
/// Offers to restore changes that were not saved: those of the open document, or else of `app.unsaved_rig`.
void offer_unsaved_rig(App& app);
/// Restores the changes that are offered, as one step of undo. Opens their character first.
void restore_rig(App& app);
/// Removes the autosave of the changes that are offered.
void discard_offered_rig(App& app);
/// Removes the autosave of a document that is left without saving.
void forget_unsaved_rig(Document& document);
/// Returns whether the open document can be left. If its rig has unsaved changes, returns false at first and shows a
/// notice; asked again while that is visible, returns true.
[[nodiscard]] bool may_leave(App& app);

}  // namespace pchr::player
