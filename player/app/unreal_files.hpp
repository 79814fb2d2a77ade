// SPDX-License-Identifier: MIT
// Animation files (.psa) of an Unreal mesh: which are attached, and attaching more.
#pragma once

#include "app/app.hpp"

namespace pchr::player {

/// By its suffix: .psa.
[[nodiscard]] bool has_animation_suffix(const std::filesystem::path& path);

/// Those that the open mesh plays, in the order of their clips.
[[nodiscard]] std::vector<std::filesystem::path> attached_animations(const Document& document);

/// Opens files and folders as open_files() does. The .psa files among them go with the mesh among them, or where there
/// is none with the one that is open, which is then read again, shown as it is. That is done, too, where they are but a
/// folder with textures.
void open_with_animations(App& app, std::vector<std::filesystem::path> paths);

/// Shows the first clip that the open mesh has and `before` had not, and tells how many there are.
void show_attached(App& app, const Character& before);

/// Returns whether a folder that is dropped on a mesh is there for its textures: it, or a folder in it, has images or
/// .mat files, and it has no character.
[[nodiscard]] bool is_texture_folder(const std::filesystem::path& folder);

/// Reads the mesh that is open again, shown as it is, with the textures in and below `folder`. That is remembered for
/// all meshes in its folder.
void add_texture_folder(App& app, const std::filesystem::path& folder);

}  // namespace pchr::player
