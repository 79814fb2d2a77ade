// SPDX-License-Identifier: MIT
// The readers of all formats.
#pragma once

#include "import/files.hpp"

namespace pchr {

/// A file to import.
struct Source {
  std::span<const std::byte> bytes;     ///< Not empty.
  std::size_t readable = bytes.size();  ///< Number of bytes that may be read, at least those: a parser needs padding.
  std::string path{};                   ///< Empty for a file in memory.
};

/// What a format is recognized by, the strongest first. All formats with stronger evidence are asked first.
enum class Evidence : std::uint8_t {
  signature,  ///< Bytes that no other format starts with.
  structure,  ///< Contents that are unlikely in any other format.
  text        ///< Words that any text could contain, or the extension.
};

#define PCHR_FORMAT(name, ...)                                \
  [[nodiscard]] bool looks_like_##name(const Source& source); \
  [[nodiscard]] Expected<Imported, LoadError> read_##name(const Source& source, const ReaderOptions& options);
#include "import/formats.def"
#undef PCHR_FORMAT

/// Reads a sequence of vertices, for `ImportOptions::vertex_sequence`.
[[nodiscard]] Expected<Imported, LoadError> read_vertices(const Source& source, const ReaderOptions& options);

/// Returns whether `bytes` start like an Unreal animation (.psa).
[[nodiscard]] bool looks_like_psa(std::span<const std::byte> bytes) noexcept;

/// Returns the bind pose chosen in a hero.rig.json, which is read like a side file, or nothing. Neither its clip nor
/// the other fields are checked.
[[nodiscard]] Expected<std::optional<BindPose>, LoadError> load_bind_pose(const std::string& path,
                                                                          const ReaderOptions& options);

}  // namespace pchr
