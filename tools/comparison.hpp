// SPDX-License-Identifier: MIT
// Compares two characters in structure, poses and images.
#pragma once

#include "differences.hpp"
#include "drawing.hpp"
#include "json.hpp"

namespace pchr::tools {

struct ComparisonOptions {
  ViewOptions view;
  double tolerance = 0.001;  ///< Max distance of poses that counts as equal, in world pixels.
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
