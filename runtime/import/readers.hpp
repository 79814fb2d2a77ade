// SPDX-License-Identifier: MIT
// The readers of formats other than Pachario's.
#pragma once

#include <pchr/import/import.hpp>

namespace pchr {

/// Whether bytes that are of no other format are text with a command that only a .chp file has.
[[nodiscard]] bool looks_like_chp(std::span<const std::byte> bytes);
/// Reads a .chp file and its pictures. Refuses only bytes that are not text; all else is at most a warning.
[[nodiscard]] std::expected<Imported, LoadError> read_chp(std::span<const std::byte> bytes,
                                                          const ImportOptions& options);

/// Whether bytes begin like a .px file. No other format's do.
[[nodiscard]] bool looks_like_px(std::span<const std::byte> bytes) noexcept;
/// Reads a .px file and composes the chosen layers of its frames. Refuses only a file without a canvas or beyond the
/// limits; damage is a warning.
[[nodiscard]] std::expected<Imported, LoadError> read_px(std::span<const std::byte> bytes,
                                                         const ImportOptions& options);

/// Whether bytes begin like a mesh (.psk, .pskx).
[[nodiscard]] bool looks_like_psk(std::span<const std::byte> bytes) noexcept;
/// Whether bytes begin like an animation (.psa).
[[nodiscard]] bool looks_like_psa(std::span<const std::byte> bytes) noexcept;
/// Reads a .psk or .pskx file, at `path` if anywhere. Its animations are those of `options`, else those found beside it
/// that fit best; the others are only listed.
[[nodiscard]] std::expected<Imported, LoadError> read_psk(std::span<const std::byte> bytes,
                                                          const ImportOptions& options,
                                                          const std::filesystem::path& path);

}  // namespace pchr
