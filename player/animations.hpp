// SPDX-License-Identifier: MIT
// Animation files (.psa) of an Unreal mesh: which are attached, and attaching more.
#pragma once

#include "session.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace pchr::player {

/// By its suffix: .psa.
[[nodiscard]] bool has_animation_suffix(const std::filesystem::path& path);

/// Those that the open mesh plays, in the order of their clips.
[[nodiscard]] std::vector<std::filesystem::path> attached_animations(const Document& document);

/// Opens files and folders as open_files() does. The .psa files among them go with the mesh among them, or where there
/// is none with the one that is open, which is then read again, shown as it is. That is done, too, where they are but a
/// folder with textures.
void open_with_animations(Session& session, std::vector<std::filesystem::path> paths);

/// Shows the first clip that the open mesh has and `before` had not, and tells how many there are.
void show_attached(Session& session, const Character& before);

}  // namespace pchr::player
