// SPDX-License-Identifier: MIT
// Folders with the textures of an Unreal mesh, where they are not near it.
#pragma once

#include "session.hpp"

#include <filesystem>

namespace pchr::player {

/// Whether a folder that is dropped on a mesh is there for its textures: it, or a folder in it, has images or .mat
/// files, and it has no character.
[[nodiscard]] bool is_texture_folder(const std::filesystem::path& folder);

/// Reads the mesh that is open again, shown as it is, with the textures in and below `folder`. That is remembered for
/// all meshes in its folder.
void add_texture_folder(Session& session, const std::filesystem::path& folder);

}  // namespace pchr::player
