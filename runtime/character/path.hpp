// SPDX-License-Identifier: MIT
// Paths to values inside a character, with the field names of the PCHR v1 specification.
#pragma once

#include <pchr/character.hpp>

namespace PCHR_API pchr {

/// Name in a path, or an index if the name is empty.
struct PathStep {
  std::string_view name;
  std::uint64_t index = 0;

  PathStep(std::string_view step_name) : name(step_name) {}                       // NOLINT(google-explicit-constructor)
  PathStep(const char* step_name) : name(step_name) {}                            // NOLINT(google-explicit-constructor)
  PathStep(PartId auto step) : index(pchr::index(step)) {}                        // NOLINT(google-explicit-constructor)
  PathStep(std::integral auto step) : index(static_cast<std::uint64_t>(step)) {}  // NOLINT(google-explicit-constructor)
};

void append_step(std::string& path, const PathStep& step);

/// Joins names and indices: `path_of("meshes", 2, "vertices", 17)` is `meshes[2].vertices[17]`.
template <typename... Steps>
[[nodiscard]] std::string path_of(const Steps&... steps) {
  std::string path;
  (append_step(path, steps), ...);
  return path;
}

/// Splits the result of path_of(). The names point into `path`.
[[nodiscard]] std::vector<PathStep> split_path(std::string_view path);

/// Returns the name of the image, bone, mesh or clip that `path` starts with, or an empty name.
[[nodiscard]] std::string_view name_at(const CharacterData& data, std::string_view path);

/// Returns a diagnostic about `path` in `data`.
[[nodiscard]] Diagnostic diagnostic_at(DiagnosticId id, const CharacterData& data, std::string path,
                                       std::string detail);

}  // namespace pchr
