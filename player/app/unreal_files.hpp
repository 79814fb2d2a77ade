// SPDX-License-Identifier: MIT
// Animation files (.psa) and textures of an Unreal mesh.
#pragma once

#include "app/app.hpp"

namespace pchr::player {

[[nodiscard]] bool has_animation_suffix(const std::filesystem::path& path);

/// Returns the files that the open mesh plays, in the order of their clips.
[[nodiscard]] std::vector<std::filesystem::path> attached_animations(const Document& document);

/// Opens files and folders as open_files() does. The .psa files among them go with the mesh among them, or else are
/// attached to the open one, as is a lone folder of textures.
void open_with_animations(App& app, std::vector<std::filesystem::path> paths);

/// Shows the first clip that `before` did not have, and reports how many there are.
void show_attached(App& app, const Character& before);

/// Reads the open mesh again with the textures in and below `folder`, and remembers that for all meshes in its folder.
void add_texture_folder(App& app, const std::filesystem::path& folder);

}  // namespace pchr::player
