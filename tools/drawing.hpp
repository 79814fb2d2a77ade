// SPDX-License-Identifier: MIT
// Draws characters without a display.
#pragma once

#include "tool.hpp"

#include <pchr/offscreen.hpp>

namespace pchr::tools {

struct ViewOptions : Framing {
  std::array<std::uint8_t, 4> background{};  ///< Opaque or all 0.
  bool checker = false;
};

/// Adds --scale, --margin, --background and --flip-y.
void add_view_options(CLI::App& command, ViewOptions& options);
/// Adds --size, --zoom and --center, which exclude --scale.
void add_size_options(CLI::App& command, ViewOptions& options);

/// Parses `#rrggbb`. Complains that the text of `option` is "OTHERWISE color".
[[nodiscard]] std::array<std::uint8_t, 3> parse_color(const std::string& text, const char* option,
                                                      const char* otherwise);

/// The view of a 3D character.
struct OrbitOptions {
  std::vector<float> angles;  ///< Yaw and pitch in degrees; none: from the front, without perspective.
  bool cull = false;
  [[nodiscard]] bool used() const { return !angles.empty() || cull; }
};

/// Adds --orbit and --cull, after the view's options.
void add_orbit_options(CLI::App& command, OrbitOptions& options);

/// Adds --frames, --fps and --speed.
void add_plan_options(CLI::App& command, PlanOptions& options);

/// Limits the pixels of all frames of one output, so that a small file cannot fill a disk.
class PixelBudget {
 public:
  /// Spends the pixels of some frames, each at least 64 x 64. Fails, as wrong usage, where there are not enough left.
  void take(std::uint64_t frames, FrameSize size);
  /// Adds --max-output-megapixels.
  void add_option(CLI::App& command);

 private:
  std::uint64_t max_ = std::uint64_t{4096} << 20;
  std::uint64_t taken_ = 0;
};

/// Poses a clip, or the bind pose for `none`.
[[nodiscard]] PoseBuffers pose_at(const Character& character, ClipId clip, ClipTime time);

/// An OpenGL context with uploaded characters.
class Stage {
 public:
  /// Uploads the character; with `no_images` plain white.
  Stage(const Input& input, bool no_images);
  void add(const Input& input, bool no_images);

  /// Draws a premultiplied image of a model.
  [[nodiscard]] Bitmap draw(const ExportFrame& frame, FrameSize size, const ViewOptions& view, std::size_t model = 0);
  // For jobs:
  [[nodiscard]] Renderer& renderer() { return renderer_; }
  [[nodiscard]] const Model& model() const { return models_.front(); }
  [[nodiscard]] GetProcAddress get_proc_address() const { return context_.get_proc_address(); }

 private:
  // Each needs those before it.
  HeadlessContext context_;
  Renderer renderer_;
  std::vector<Model> models_;
  std::optional<OffscreenTarget> target_;
  FrameSize size_{0, 0};
  PoseBuffers posed_;
};

[[nodiscard]] std::array<float, 4> clear_color(const ViewOptions& view);

/// How far two images differ; see kScoreMeaning. Their size does not matter to the score.
struct ImageDifference {
  double score = 0;
  std::uint32_t x = 0, y = 0;     ///< The top left of the square with that score.
  std::uint64_t pixels = 0;       ///< The number of those that differ at all.
  std::uint32_t max_channel = 0;  ///< The largest difference of a channel, of 255.
};

inline constexpr char kScoreMeaning[] =
    "The score is the mean difference of all channels in the square of 8x8 pixels that differs most: 0 the same,\n"
    "1 as different as can be; below 0.01 are edges rounded differently, above 0.02 anyone sees it.";

[[nodiscard]] ImageDifference compare_images(const Bitmap& a, const Bitmap& b);
/// Draws the second image pale on white, and each pixel the redder the more it differs.
[[nodiscard]] Bitmap draw_difference(const Bitmap& a, const Bitmap& b);

}  // namespace pchr::tools
