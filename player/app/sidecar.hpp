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
/// Returns whether the open document can be left. If its rig has unsaved changes, returns false at first and shows a
/// notice; asked again while that is visible, returns true.
[[nodiscard]] bool may_leave(App& app);

}  // namespace pchr::player
