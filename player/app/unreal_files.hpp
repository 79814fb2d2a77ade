// SPDX-License-Identifier: MIT
// Animation files (.psa) and textures of an Unreal mesh.
#pragma once

#include "app/app.hpp"

#include <filesystem>

namespace pchr::player {

[[nodiscard]] bool has_animation_suffix(const std::filesystem::path& path);

/// Returns the animation files of the open mesh, in clip order.
[[nodiscard]] std::vector<std::filesystem::path> attached_animations(const Document& document);

/// Opens files and folders like open_files(). Animations (.psa) are attached to the mesh that is opened with them, or
/// else to the open mesh. A single folder of textures is added to the open mesh.
void open_with_animations(App& app, std::vector<std::filesystem::path> paths);

/// Selects the first clip that `before` did not have, and reports the number of new clips.
void show_attached(App& app, const Character& before);

/// Reloads the open mesh with the textures in and below `folder`, and remembers the folder for all meshes next to it.
void add_texture_folder(App& app, const std::filesystem::path& folder);

}  // namespace pchr::player
