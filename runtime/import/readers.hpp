// SPDX-License-Identifier: MIT
// Readers of formats other than Pachario's, and of the file next to a character.
#pragma once

#include "import/folders.hpp"

namespace pchr {

/// Returns whether `bytes`, which are not in any other format, are text with a command of .chp files.
[[nodiscard]] bool looks_like_chp(std::span<const std::byte> bytes);
/// Reads a .chp file and its images. Fails only if `bytes` are not text; everything else is at most a warning.
[[nodiscard]] Expected<Imported, LoadError> read_chp(std::span<const std::byte> bytes, const ReaderOptions& options);

/// Returns whether `bytes` start like a .px file. No other format does.
[[nodiscard]] bool looks_like_px(std::span<const std::byte> bytes) noexcept;
/// Reads a .px file and composes the chosen layers of its frames. Fails only if the file has no canvas or exceeds the
/// limits; damage is a warning.
[[nodiscard]] Expected<Imported, LoadError> read_px(std::span<const std::byte> bytes, const ImportOptions& options);

/// Returns whether `bytes` start like a mesh (.psk, .pskx).
[[nodiscard]] bool looks_like_psk(std::span<const std::byte> bytes) noexcept;
/// Returns whether `bytes` start like an animation (.psa).
[[nodiscard]] bool looks_like_psa(std::span<const std::byte> bytes) noexcept;
/// Reads a .psk or .pskx file. `path` is empty if it is not a file on disk. Uses the animations in `options`, or else
/// those next to the file that fit best; the others are only listed.
[[nodiscard]] Expected<Imported, LoadError> read_psk(std::span<const std::byte> bytes, const ReaderOptions& options,
                                                     const std::string& path);

/// Returns the bind pose chosen in a hero.rig.json, which is read like a side file, or nothing. Neither its clip nor
/// the other fields are checked.
[[nodiscard]] Expected<std::optional<BindPose>, LoadError> load_bind_pose(const std::string& path,
                                                                          const ReaderOptions& options);

}  // namespace pchr
