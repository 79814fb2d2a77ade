// SPDX-License-Identifier: MIT
// Saves characters as PCHR v1, Pachario JSON with images, the older packed format, or glTF.
//
//   const auto saved = pchr::save(hero, pchr::Format::json, "hero");
//   if (!saved) return (void)std::puts(pchr::describe(saved.error(), "hero").c_str());
//   std::printf("%s has %zu bytes\n", saved->file.name.c_str(), saved->file.bytes.size());
#pragma once

#include <pchr/image.hpp>
#include <pchr/import/import.hpp>

namespace PCHR_API pchr {

/// File format.
enum class Format : std::uint8_t {
  v1,     ///< PCHR version 1.
  json,   ///< Pachario JSON with separate images.
  packed  ///< The older binary: a header, JSON and one PNG.
};

/// Names of the JSON fields.
enum class JsonDialect : std::uint8_t {
  v1,       ///< Like the v1 binary: parent, image, indices, boneIds and boneWeights. Lossless.
  pachario  ///< Like the exporter: parentIdx, imageIdx, triangles, bones with idx and weight. Stores neither flags nor
            ///< unused slots.
};

/// Default limit of the output size. Few characters come close; a small file that expands to more is suspicious.
inline constexpr std::uint64_t kMaxOutputBytes = std::uint64_t{256} << 20;

/// Options for saving a character.
struct SaveOptions {
  std::optional<JsonDialect> json_dialect{};  ///< Default: v1, but pachario for Format::packed.
  bool raw_pixels = false;                    ///< v1: store decoded rgba8888 pixels instead of the original image data.
  /// Insert the bind pose as a first clip "bind" of one frame, unless readers would find it without a guess.
  bool bind_clip = false;
  bool lossy = false;  ///< Omit and report data that the format cannot store, instead of failing.
  Limits limits{};     ///< Limits for images that must be decoded.
  /// Limit of the total size of all files. Saving fails before it allocates more.
  std::uint64_t max_output_bytes = kMaxOutputBytes;
  PngCompression png_compression = PngCompression::normal;  ///< For images that are not PNG already.
};

/// File to write. The name is a safe base name: not empty, without folders, unique within one Saved.
struct SavedFile {
  std::string name;
  std::vector<std::byte> bytes;
};

/// Files of a saved character.
struct Saved {
  SavedFile file;                  ///< The character.
  std::vector<SavedFile> images;   ///< JSON only: one PNG file per image, to be written next to it.
  std::vector<Diagnostic> losses;  ///< Omitted data, with `lossy`.
  bool has_bind_clip = false;      ///< Whether a clip "bind" was inserted.
};

/// Saves a character in a format. `stem` names the file: hero.pchr or hero.json. Image files are named after it and the
/// image: hero.atlas.png for the image "atlas". An image already named after it (hero, hero.atlas) keeps its name. All
/// names are made safe.
///
/// PNG images keep their bytes. Raw images become PNG files in JSON and packed files; the v1 dialect records that they
/// were raw, so v1 to JSON and back gives the same bytes. Images of a Pomyu character become PNG.
///
/// Fails on the first thing that the format cannot store. With `lossy` these are omitted instead:
/// - flags: those of the header in the exporter's dialect; those of clips and transforms, which the character's
///   warnings list, in any format;
/// - packed: all images but the first;
/// - v1: influences beyond the four largest of a vertex, draw orders beyond int16 (clamped), and names longer than
///   65,535 bytes (truncated);
/// - v1 and JSON: the absence of an image, whose checkerboard is stored instead;
/// - opacity between 0 and 1: parts become opaque, or hidden below 1.5/255, as they are at 0 without a loss;
/// - loop starts;
/// - clip rates that are uneven or differ from the character's (resampled).
///
/// Always fails if the result would be a different character: more elements than v1 can count, a parent beyond int16, a
/// name that is not UTF-8, or a PNG that must be decoded but cannot be.
/// @{
[[nodiscard]] Expected<Saved, Diagnostic> save(const Imported& imported, Format format, std::string_view stem,
                                               const SaveOptions& options = {});
[[nodiscard]] inline Expected<Saved, Diagnostic> save(const Character& character, Format format, std::string_view stem,
                                                      const SaveOptions& options = {}) {
  return save(Imported{character}, format, stem, options);
}
/// @}

/// Moves the markers and reference frames of a sidecar of `character` to the frames that save() writes, which resamples
/// clips whose rate is uneven or not the character's. Returns whether any has moved.
bool move_to_saved_frames(Sidecar& sidecar, const Character& character);

/// Returns the image files that the Pachario JSON at `path` names, whether or not they exist, so that a writer can
/// avoid replacing them. Returns nothing if the file is not such JSON, cannot be read or has more than `max_bytes`.
[[nodiscard]] std::vector<std::string> named_images(const std::string& path, std::uint64_t max_bytes);

/// Saves a character as a glTF 2.0 binary (.glb): bones, meshes with weights, a material for each image, and an
/// animation for each clip that can play, with its frames as keyframes. The draw order of a 2D character becomes depth.
/// Weights are scaled to a sum of 1. Fails for images that cannot be decoded, and files beyond 4 GiB or
/// `max_output_bytes`.
[[nodiscard]] Expected<std::vector<std::byte>, Diagnostic> save_gltf(
    const Character& character, const Limits& limits = {}, std::uint64_t max_output_bytes = kMaxOutputBytes,
    PngCompression compression = PngCompression::normal);

}  // namespace pchr
