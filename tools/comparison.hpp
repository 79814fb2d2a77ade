// SPDX-License-Identifier: MIT
// Compares two characters in structure, poses and images.
#pragma once

#include "drawing.hpp"

namespace pchr::tools {

/// For each part of the first character, the index of its counterpart in the second.
using Counterparts = std::vector<std::optional<std::uint32_t>>;

/// The corresponding parts of two characters: the n-th of a name with the n-th of that name, the rest by index.
struct Matches {
  Counterparts images, bones, meshes, clips, menu_images;
};

[[nodiscard]] Matches match_parts(const Imported& a, const Imported& b);

struct Side {
  const Imported& imported;
  const Sidecar& sidecar;
  std::span<const Bitmap> bitmaps;  ///< One per image; empty to compare no pixels.
};

struct StructureDifference {
  std::string kind;  ///< As in diff.schema.json: "bone", "mesh", "clip" and so on.
  std::string name;  ///< Name of the part, from the second character if only that has it; or a field of the character.
  std::string change;                    ///< Description of the change: "only in the first", "8 vertices, then 12".
  std::optional<std::uint32_t> index{};  ///< Index of the part, in the character that `name` is from.
};

/// Compares everything except bone positions and how it is stored: the file format, the encoding of images and the
/// files that clips came from. Vertices, in the world and on their image, can be `tolerance` pixels apart.
[[nodiscard]] std::vector<StructureDifference> compare_structure(const Side& a, const Side& b, const Matches& matches,
                                                                 double tolerance);

/// Distance from a bone's origin to the points on its axes at which poses are compared.
inline constexpr float kReachPixels = 100;

/// The largest pose difference in a clip of both characters, or in the bind pose.
struct PoseDifference {
  std::optional<ClipId> clip{};  ///< Clip in the first character, or none for the bind pose.
  double pixels = 0;             ///< Distance in world pixels, at the bone's origin or at kReachPixels along an axis.
  std::uint32_t frame = 0;
  std::optional<BoneId> bone{};  ///< Bone in the first character, or none if nothing differs.
};

/// Compares the bind poses, then all common frames and bones of each common clip.
[[nodiscard]] std::vector<PoseDifference> compare_poses(const Character& a, const Character& b, const Matches& matches);

struct ComparisonOptions {
  ViewOptions view;
  double tolerance = 0.001;  ///< Max distance of poses and vertices that counts as equal, in world pixels.
  double threshold = 0.01;   ///< Max score of images that counts as equal.
  std::uint32_t frames = 16;
};

/// Adds --tolerance, --threshold and --frames.
void add_comparison_options(CLI::App& command, ComparisonOptions& options);

/// The frame in which a clip of both characters looks most different.
struct ClipImage {
  ClipId clip{};   ///< In the first character.
  ClipId other{};  ///< In the second character.
  std::uint32_t frame = 0;
  Camera camera{};  ///< Shows the whole clip of both.
  ImageDifference difference;
  Bitmap first, second;  ///< Premultiplied.
};

struct Comparison {
  std::vector<StructureDifference> structure;
  std::vector<PoseDifference> poses;
  std::vector<ClipImage> images;
  bool same = true;
};

/// Compares two characters in structure and poses. With a stage, which holds them as models 0 and 1, also in images.
[[nodiscard]] Comparison compare_characters(const Input& a, const Sidecar& sidecar_of_a, const Input& b,
                                            const Sidecar& sidecar_of_b, Stage* stage,
                                            const ComparisonOptions& options);

/// Appends the fields "same", "structure", "poses" and "images". The second is for characters that were not compared.
/// @{
void append_comparison(JsonWriter& json, const Comparison& comparison, const Character& first);
void append_comparison(JsonWriter& json, bool same);
/// @}

/// Describes what counts as different, one line for each.
[[nodiscard]] std::vector<std::string> describe_comparison(const Comparison& comparison, const Character& first,
                                                           const ComparisonOptions& options);

}  // namespace pchr::tools
