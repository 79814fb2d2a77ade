// SPDX-License-Identifier: MIT
// Writes characters: PCHR v1, Pachario JSON with its images, the older packed form, and glTF for 3D ones.
//
//   const auto saved = pchr::save(hero, pchr::Format::json, "hero");
//   if (!saved) return (void)std::puts(pchr::describe(saved.error(), "hero").c_str());
//   std::printf("%s has %zu bytes\n", saved->file.name.c_str(), saved->file.bytes.size());
#pragma once

#include <pchr/import/import.hpp>

namespace PCHR_API pchr {

enum class Format : std::uint8_t {
  v1,     ///< PCHR version 1.
  json,   ///< Pachario JSON with its images beside it.
  packed  ///< The older binary: a header, that JSON, one PNG.
};

/// How the JSON names its fields.
enum class JsonDialect : std::uint8_t {
  v1,       ///< As the v1 binary: parent, image, indices, boneIds and boneWeights. Loses nothing.
  pachario  ///< As the exporter: parentIdx, imageIdx, triangles, bones of idx and weight. Has no flags, and leaves out
            ///< unused slots.
};

/// The default limit of what is written: few characters come near, and a small file that unpacks to more is suspect.
inline constexpr std::uint64_t kMaxOutputBytes = std::uint64_t{256} << 20;

/// How to save a character.
struct SaveOptions {
  std::optional<JsonDialect> json_dialect{};  ///< Dialect of the JSON (default: v1, but pachario for Format::packed).
  bool raw_pixels = false;                    ///< v1: store images decoded, as rgba8888, instead of as they are.
  bool lossy = false;  ///< Leave out what the form cannot hold, and report it, instead of failing.
  Limits limits{};     ///< For images that have to be decoded.
  /// Limit for the sum of all files. A save that must exceed it fails before it allocates memory for them.
  std::uint64_t max_output_bytes = kMaxOutputBytes;
};

/// A file to be written. Its name is a safe base name: no folder, never empty, distinct within one Saved.
struct SavedFile {
  std::string name;
  std::vector<std::byte> bytes;
};

/// The files that make up a saved character.
struct Saved {
  SavedFile file;                  ///< The character.
  std::vector<SavedFile> images;   ///< Beside it, for the JSON form: PNG files, one per image.
  std::vector<Diagnostic> losses;  ///< What was left out, with `lossy`.
};

/// Writes a character in a form. `stem` names the file: hero.pchr or hero.json. Image files are named after it and the
/// image: hero.atlas.png for an image named atlas. An image that is named after it already (hero, hero.atlas) keeps its
/// name. All names are made safe.
///
/// PNG images keep their bytes. Raw ones are PNG files in the json and packed forms, and in the v1 dialect their format
/// says that they were raw: v1 to JSON and back gives the same bytes. A Pomyu character's become PNG.
///
/// Fails with the first thing that the form cannot hold; with `lossy` these are left out instead:
/// - flags: those of the header in the exporter's dialect; those of clips and transforms, which the character's
///   warnings report, in any form;
/// - in the packed form every image but the first;
/// - in v1 influences beyond the four largest of a vertex, draw orders beyond int16, which are clamped, and names
///   beyond 65,535 bytes, which are cut;
/// - in v1 and JSON that an image is absent: the checker that it decodes to is stored;
/// - opacity other than 1, and the start of a loop;
/// - rates of clips other than the character's or uneven: they are resampled.
///
/// Fails also with `lossy` where the character would be another: more of anything than v1 counts, a parent beyond
/// int16, a name that is not UTF-8, a PNG that is broken or cannot be decoded where it must be.
/// @{
[[nodiscard]] std::expected<Saved, Diagnostic> save(const Imported& imported, Format form, std::string_view stem,
                                                    const SaveOptions& options = {});
[[nodiscard]] inline std::expected<Saved, Diagnostic> save(const Character& character, Format form,
                                                           std::string_view stem, const SaveOptions& options = {}) {
  return save(Imported{character}, form, stem, options);
}
/// @}

/// Returns the image files that the Pachario JSON at `path` names, whether or not they exist, so that a writer can
/// spare them. None where it is no such JSON, cannot be read or has more than `max_bytes`.
[[nodiscard]] std::vector<std::filesystem::path> named_images(const std::filesystem::path& path,
                                                              std::uint64_t max_bytes);

/// Writes a 3D character as a glTF 2.0 binary (.glb): bones, meshes with weights and normals, a material for each
/// image, and an animation for each clip that leaves the bind pose, with its frames as linear keys. Fails for a 2D
/// character, and where an image cannot be decoded or the file would be beyond 4 GiB or `max_output_bytes`.
[[nodiscard]] std::expected<std::vector<std::byte>, Diagnostic> save_gltf(
    const Character& character, const Limits& limits = {}, std::uint64_t max_output_bytes = kMaxOutputBytes);

}  // namespace pchr
