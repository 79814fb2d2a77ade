// SPDX-License-Identifier: MIT
// Draws a character without a display: options for what is shown, and the offscreen target.
#pragma once

#include "tool.hpp"

#include <pchr/offscreen.hpp>
#include <pchr/3d.hpp>
#include <pchr/renderer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pchr::tools {

struct ViewOptions : Framing {
  std::array<std::uint8_t, 4> background{0, 0, 0, 0};  ///< Opaque or all 0.
  bool checker = false;
};

/// Adds --scale, --margin, --background and --flip-y.
void add_view_options(CLI::App& command, ViewOptions& options);
/// Adds --size, --zoom and --center, which exclude --scale.
void add_size_options(CLI::App& command, ViewOptions& options);

/// Parses `#rrggbb`. Complains about `option`, whose text is "OTHERWISE color".
[[nodiscard]] std::array<std::uint8_t, 3> parse_color(const std::string& text, const char* option,
                                                      const char* otherwise);

/// How a 3D character is seen.
struct OrbitOptions {
  std::vector<float> angles;  ///< Yaw and pitch in degrees; none: from the front, without perspective.
  bool cull = false;
  [[nodiscard]] bool used() const { return !angles.empty() || cull; }
};

/// Adds --orbit and --cull. The view's options are there already.
void add_orbit_options(CLI::App& command, OrbitOptions& options);

/// Adds --frames, --fps and --speed.
void add_plan_options(CLI::App& command, PlanOptions& options);

/// Limits the pixels of all frames of one output, so that a small file cannot fill a disk.
class PixelBudget {
 public:
  /// Takes what `frames` of that size need; a tiny one counts as 64 x 64 pixels. Fails, as wrong usage, where that is
  /// more than is left.
  void take(std::uint64_t frames, FrameSize size);
  /// Adds --max-output-megapixels.
  void add_option(CLI::App& command);

 private:
  std::uint64_t max_ = std::uint64_t{4096} << 20;
  std::uint64_t taken_ = 0;
};

/// Poses a clip, or the bind pose for `none`.
void pose_at(const Character& character, ClipId clip, ClipTime time, PoseBuffers& posed);
/// Returns what is seen at a time.
[[nodiscard]] Rect bounds_at(const Character& character, ClipId clip, ClipTime time);
[[nodiscard]] Box box_at(const Character& character, ClipId clip, ClipTime time);
/// Returns what is seen in some frames of a clip, or in the bind pose where there are none.
[[nodiscard]] Box box_over_clip(const Character& character, ClipId clip);
/// Returns what is seen in some frames of all clips.
[[nodiscard]] Box box_over_clips(const Character& character);

/// Returns what `camera` sees, moved around `box`. Nothing where the camera alone says it all.
[[nodiscard]] std::optional<SceneView> scene_of(const OrbitOptions& options, const Camera& camera, const Box& box,
                                                float margin);

/// An OpenGL context with uploaded characters.
class Stage {
 public:
  /// Uploads the character; with `no_images` plain white.
  Stage(const Input& input, bool no_images);
  /// Uploads one more.
  void add(const Input& input, bool no_images);

  /// Sets the size of images from now on.
  void set_size(FrameSize size);
  /// Draws a premultiplied image of a model.
  [[nodiscard]] Bitmap draw(const ExportFrame& frame, const ViewOptions& view, std::size_t model = 0);
  /// Returns a job that writes animations of the first model.
  [[nodiscard]] Renderer& renderer() { return renderer_; }
  [[nodiscard]] const Model& model() const { return models_.front(); }
  [[nodiscard]] GetProcAddress get_proc_address() const { return context_.get_proc_address(); }

 private:
  // Each needs what stands before it.
  HeadlessContext context_;
  Renderer renderer_;
  std::vector<Model> models_;
  std::optional<OffscreenTarget> target_;
  FrameSize size_{0, 0};
  PoseBuffers posed_;
};

/// Returns the background of a view, premultiplied.
[[nodiscard]] std::array<float, 4> clear_color(const ViewOptions& view);

/// How far two images differ. The score is that of the square of 8 x 8 pixels that differs most: the mean difference of
/// its premultiplied channels, from 0, the same, to 1, as different as can be. So the size of the images does not
/// matter, a rounded edge gives less than 0.01, and what anyone sees more than 0.02.
struct ImageDifference {
  double score = 0;
  std::uint32_t x = 0, y = 0;     ///< The top left of that square.
  std::uint64_t pixels = 0;       ///< That differ at all.
  std::uint32_t max_channel = 0;  ///< The largest difference of a channel, of 255.
};

/// What help texts say about it.
inline constexpr char kScoreMeaning[] =
    "The score is the mean difference of all channels in the square of 8x8 pixels that differs most: 0 the same,\n"
    "1 as different as can be; below 0.01 are edges rounded differently, above 0.02 anyone sees it.";

/// Compares two premultiplied images of one size.
[[nodiscard]] ImageDifference compare_images(const Bitmap& a, const Bitmap& b);
/// Draws where they differ: the second one pale on white, and each pixel that differs the redder the more it does.
[[nodiscard]] Bitmap draw_difference(const Bitmap& a, const Bitmap& b);

}  // namespace pchr::tools
