// SPDX-License-Identifier: MIT
// Draws characters without a display.
#pragma once

#include "input.hpp"

#include <pchr/export/animation.hpp>
#include <pchr/offscreen.hpp>

namespace pchr::tools {

struct ViewOptions : Framing {
  std::array<std::uint8_t, 4> background{};  ///< Opaque, or all 0 for transparency.
  bool checker = false;
  GlApi gl = GlApi::desktop;
};

/// Adds --scale, --margin, --background and --flip-y.
void add_view_options(CLI::App& command, ViewOptions& options);
/// Adds --size, --zoom and --center, which exclude --scale.
void add_size_options(CLI::App& command, ViewOptions& options);

/// Adds --gl.
void add_gl_option(CLI::App& command, ViewOptions& options);

/// Parses #rrggbb. Throws an error for `option` if the text is not `expected`.
[[nodiscard]] std::array<std::uint8_t, 3> parse_color(const std::string& text, const char* option,
                                                      const char* expected);

/// The view of a 3D character.
struct OrbitOptions {
  std::vector<float> angles;  ///< Yaw and pitch in degrees; empty for the front, without perspective.
  bool cull = false;
  [[nodiscard]] bool used() const { return !angles.empty() || cull; }
};

/// Adds --orbit and --cull. Call it after add_size_options().
void add_orbit_options(CLI::App& command, OrbitOptions& options);

/// Adds --frames, --fps and --speed.
void add_plan_options(CLI::App& command, PlanOptions& options);

/// Limits the total pixels of an output's frames, so that a small file cannot fill a disk.
class PixelBudget {
 public:
  /// Spends the pixels of some frames, at least 64 x 64 each. Fails as wrong usage if too few are left.
  void take(std::uint64_t frames, FrameSize size);
  /// Fails like take() before it is known what the frames show.
  void check(std::uint64_t frames, const Framing& framing) const;
  /// Adds --max-output-megapixels.
  void add_option(CLI::App& command);

 private:
  std::uint64_t max_ = std::uint64_t{4096} << 20;
  std::uint64_t taken_ = 0;
};

/// Poses a clip, or the bind pose for `none`.
[[nodiscard]] PoseBuffers pose_at(const Character& character, ClipId clip, ClipTime time);

/// Frames of a plan, of which an output shows those from `first` on. The ones before it swing the springs.
struct Sequence {
  FramePlan plan;
  std::uint32_t first = 0;
};

/// Returns the frames of the whole clip that starts with one moment, so that a still is the same as in an animation.
[[nodiscard]] Sequence sequence_to(const Character& character, ClipId clip, ClipTime time);

/// A character that is posed with its rig.
class Rigged {
 public:
  Rigged(Character character, Sidecar sidecar);
  /// Starts another plan.
  void begin(FramePlan plan);
  /// Poses a frame of that plan. Fast in order.
  [[nodiscard]] const PoseBuffers& pose(std::uint32_t frame);
  /// Poses one moment of a clip, or the bind pose for `none`, as in sequence_to().
  [[nodiscard]] const PoseBuffers& pose(ClipId clip, ClipTime time);
  /// Returns the bounds of all frames of a plan.
  [[nodiscard]] Rect bounds_of(FramePlan plan);
  /// Returns the bounds of all frames of a clip.
  [[nodiscard]] Rect bounds_of(ClipId clip);

 private:
  Character character_;
  Sidecar sidecar_;
  FramePlan plan_;
  RigMotion motion_;
  PoseBuffers posed_;
  std::vector<std::optional<Rect>> clip_bounds_;
};

/// Reads the rig of a character to draw. Returns nothing if it has none, or is to be drawn without.
[[nodiscard]] std::optional<Rigged> open_rigged(const Input& input, const InputOptions& options);

/// An OpenGL context with uploaded characters.
class Stage {
 public:
  explicit Stage(GlApi gl);
  /// Uploads a character; with `no_images`, its images are plain white.
  void add(const Input& input, bool no_images);

  /// Removes all characters.
  void clear() { models_.clear(); }

  /// Draws a premultiplied image of a model, with `posed` in place of the clip if there is one.
  [[nodiscard]] Bitmap draw(const ExportFrame& frame, FrameSize size, const ViewOptions& view, std::size_t model = 0,
                            const PoseBuffers* posed = nullptr);
  // For jobs.
  [[nodiscard]] Renderer& renderer() { return renderer_; }
  [[nodiscard]] const Model& model(std::size_t number = 0) const { return models_[number]; }

 private:
  // Each needs the ones before it.
  HeadlessContext context_;
  Renderer renderer_;
  std::vector<Model> models_;
  std::optional<OffscreenTarget> target_;
  FrameSize size_{0, 0};
  PoseBuffers posed_;
};

/// Returns this thread's stage, empty. Its OpenGL context and programs remain for the thread's next input.
[[nodiscard]] Stage& open_stage(const ViewOptions& options);
/// Destroys this thread's stage. Each thread calls it before it ends.
void close_stage();

[[nodiscard]] std::array<float, 4> clear_color(const ViewOptions& view);

/// The difference of two images; see kScoreMeaning. The score does not depend on their size.
struct ImageDifference {
  double score = 0;
  std::uint32_t x = 0, y = 0;     ///< Top left of the block with that score.
  std::uint64_t pixels = 0;       ///< Number of pixels that differ.
  std::uint32_t max_channel = 0;  ///< Largest difference of a channel, up to 255.
};

inline constexpr char kScoreMeaning[] =
    R"(The score is the mean difference of all channels in the 8x8 block of pixels that differs most, from 0 (identical) to 1.
Below 0.01, edges were merely rounded differently; above 0.02, the difference is visible.)";

[[nodiscard]] ImageDifference compare_images(const Bitmap& a, const Bitmap& b);
/// Draws the second image faintly on white, with differing pixels in red.
[[nodiscard]] Bitmap draw_difference(const Bitmap& a, const Bitmap& b);

}  // namespace pchr::tools
