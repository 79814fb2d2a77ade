// SPDX-License-Identifier: MIT
// Writes characters: PCHR v1, Pachario JSON with its images, the older packed form, and glTF for 3D ones.
//
//   const auto saved = pchr::save(hero, pchr::Format::json, "hero");
//   if (!saved) return (void)std::puts(pchr::describe(saved.error(), "hero").c_str());
//   std::printf("%s has %zu bytes\n", saved->file.name.c_str(), saved->file.bytes.size());
#pragma once

#include <pchr/character.hpp>
#include <pchr/diagnostic.hpp>
#include <pchr/import/import.hpp>
#include <pchr/load.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace PCHR_API pchr {

/// The forms a Pachario character exists in.
enum class Format : std::uint8_t {
  v1,     ///< The binary PCHR, version 1.
  json,   ///< JSON with its images beside it.
  packed  ///< The older binary: a header, that JSON, one PNG.
};

/// How the JSON names its fields.
enum class JsonDialect : std::uint8_t {
  v1,       ///< As the v1 binary does: parent, image, indices, boneIds and boneWeights. Loses nothing.
  pachario  ///< As the exporter does: parentIdx, imageIdx, triangles, bones of idx and weight. Leaves out what
            ///< unused slots say, and has no flags.
};

/// How much is written unless more is allowed: few characters come near, and a small file that unpacks to more is not
/// to be trusted.
inline constexpr std::uint64_t kMaxOutputBytes = std::uint64_t{256} << 20;

/// How to write.
struct SaveOptions {
  std::optional<JsonDialect> spelling{};  ///< Of the JSON. Absent: v1 in the json form, pachario in the packed one.
  bool raw_pixels = false;                ///< v1: store images decoded, as rgba8888, instead of as they are.
  bool lossy = false;                     ///< Leave out what the form cannot hold, and say so, instead of failing.
  Limits limits{};                        ///< For images that have to be decoded.
  /// Limit for the sum of all files. A save that must exceed it fails before it allocates memory for them.
  std::uint64_t max_output_bytes = kMaxOutputBytes;
};

/// A file to be written. Its name is a safe base name: no folder, never empty, distinct within one Saved.
struct SavedFile {
  std::string name;
  std::vector<std::byte> bytes;
};

/// What is to be written.
struct Saved {
  SavedFile file;                  ///< The character.
  std::vector<SavedFile> images;   ///< Beside it, for the JSON form: PNG files, one per image.
  std::vector<Diagnostic> losses;  ///< What was left out, with `lossy`.
};

/// Writes a character in a form. `stem` names the file, as safely as image names name theirs: hero gives
/// hero.pchr or hero.json. Image files are named after it and the image: hero.atlas.png for an image named atlas. An
/// image that is named after it already (hero, hero.atlas) keeps its name.
///
/// PNG images keep their bytes. Raw ones are PNG files in the json and packed forms, and in the v1 spelling their
/// format says that they were raw: v1 to JSON and back to v1 gives the same bytes. A Pomyu character's become PNG.
///
/// Fails with the first thing that the form cannot hold; with `lossy` these are left out instead:
/// - flags: those of the header in the exporter's spelling; those of clips and transforms, which the character's
///   warnings tell of, in any form;
/// - in the packed form every image but the first;
/// - in v1 influences beyond the four largest of a vertex, and draw orders beyond int16, which are clamped, and names
///   beyond 65,535 bytes, which are cut;
/// - in v1 and JSON that an image is absent: the checker that it decodes to is stored;
/// - opacity other than 1, and where a loop begins;
/// - rates of clips other than the character's or uneven: they are sampled at that rate.
///
/// Fails also with `lossy` where the character would be another: more of anything than v1 counts, a parent beyond
/// int16, a name that is not UTF-8, a PNG that is broken or cannot be decoded where it must be.
[[nodiscard]] std::expected<Saved, Diagnostic> save(const Imported& imported, Format form, std::string_view stem,
                                                    const SaveOptions& options = {});

/// The same for a character that was made in code.
[[nodiscard]] inline std::expected<Saved, Diagnostic> save(const Character& character, Format form,
                                                           std::string_view stem, const SaveOptions& options = {}) {
  return save(Imported{character}, form, stem, options);
}

/// The image files that the Pachario JSON at `path` names, whether or not they are there. None where it is no such
/// JSON, cannot be read or has more than `max_bytes`. Whoever writes images into a folder can spare those of others
/// with it.
[[nodiscard]] std::vector<std::filesystem::path> named_images(const std::filesystem::path& path,
                                                              std::uint64_t max_bytes);

/// Writes a 3D character as a glTF 2.0 binary (.glb): its bones, its meshes with weights and normals, a material
/// for each image, and an animation for each clip that leaves the bind pose. Keys are a clip's frames, in a line
/// between them. Fails for a 2D character, and where an image cannot be decoded or the file would be beyond 4 GiB
/// or `max_output_bytes`.
[[nodiscard]] std::expected<std::vector<std::byte>, Diagnostic> save_gltf(
    const Character& character, const Limits& limits = {}, std::uint64_t max_output_bytes = kMaxOutputBytes);

}  // namespace pchr
