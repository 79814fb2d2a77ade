// SPDX-License-Identifier: MIT
// The readers of the formats that are not Pachario's.
#pragma once

#include <pchr/import/import.hpp>

namespace pchr {

/// Whether bytes that are of no other format are text with a command that only a .chp file has.
[[nodiscard]] bool looks_like_chp(std::span<const std::byte> bytes);
/// Reads a .chp file and its pictures. Refuses only what is no text: it warns of what it cannot follow.
[[nodiscard]] std::expected<Imported, LoadError> read_chp(std::span<const std::byte> bytes,
                                                          const ImportOptions& options);

/// Whether bytes begin like a .px file. No other format's do.
[[nodiscard]] bool looks_like_px(std::span<const std::byte> bytes) noexcept;
/// Reads a .px file and composes the chosen layers of its frames. Refuses only what has no canvas, or asks for more
/// than the limits allow: it warns of what is damaged or not drawn.
[[nodiscard]] std::expected<Imported, LoadError> read_px(std::span<const std::byte> bytes,
                                                         const ImportOptions& options);

/// Whether bytes begin as those of a mesh (.psk, .pskx) or of an animation (.psa) do.
/// @{
[[nodiscard]] bool looks_like_psk(std::span<const std::byte> bytes) noexcept;
[[nodiscard]] bool looks_like_psa(std::span<const std::byte> bytes) noexcept;
/// @}
/// Reads a .psk or .pskx file. `path` is where it is from, if anywhere: find_animations() looks in its folder and
/// chooses, unless `options` names others. The rest of those that fit is only listed.
[[nodiscard]] std::expected<Imported, LoadError> read_psk(std::span<const std::byte> bytes,
                                                          const ImportOptions& options,
                                                          const std::filesystem::path& path);

}  // namespace pchr
