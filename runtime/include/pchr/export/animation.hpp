// SPDX-License-Identifier: MIT
// Exports clips as animations: image sequences, APNG, GIF, WebP, raw RGBA and Y4M. Plan the frames of a clip, frame
// them with a camera, and run an ExportJob that draws, encodes and writes them in parallel.
//
//   const pchr::Framing framing{.size = {256, 256}};
//   const pchr::Camera view = pchr::frame_camera(framing, framing.size, pchr::compute_clip_bounds(hero, walk));
//   const pchr::FramePlan plan = pchr::plan_animation(hero, walk, {}, 1).value();
//   pchr::ExportedAnimation animation = pchr::make_animation(plan, framing.size, view);
//   animation.paths = {"walk.gif"};
//   const pchr::ExportJobOptions options{.encoder = {.format = pchr::AnimationFormat::gif}};
//   const auto written = pchr::ExportJob::create(renderer, model, {animation}, options)->run();
#pragma once

#include <pchr/animator.hpp>
#include <pchr/image.hpp>
#include <pchr/renderer.hpp>

#include <array>
#include <utility>

namespace PCHR_API pchr {

/// Why an export failed.
struct ExportError {
  /// Kind of failure.
  enum class Kind : std::uint8_t {
    request,      ///< Invalid request: too many frames, not supported by the format, or an output that is an input.
    exists,       ///< An output file exists and must be kept.
    failed,       ///< OpenGL, an encoder or the disk failed.
    closed_pipe,  ///< The reader closed standard output. The message is empty.
    stopped,      ///< Stopped by the caller.
    out_of_memory
  };
  Kind kind = Kind::failed;
  std::string message;  ///< One sentence without a trailing period.
};

/// Result of an export function.
template <class T>
using ExportResult = Expected<T, ExportError>;

// Formats

/// Output format.
enum class AnimationFormat : std::uint8_t {
  png,   ///< One PNG file per frame.
  apng,  ///< Animated PNG: lossless, 8-bit alpha.
  gif,   ///< One palette of 255 colors; pixels are opaque or transparent.
  webp,  ///< Animated WebP: lossless or lossy, 8-bit alpha.
  rgba,  ///< Raw frames, top to bottom: 4 bytes per pixel, straight alpha.
  y4m    ///< YUV4MPEG2 for video encoders: 4:4:4, BT.601, limited range, without alpha, on black.
};

/// Finds a format by name, such as "gif"; case-insensitive.
[[nodiscard]] std::optional<AnimationFormat> animation_format_named(std::string_view name);
/// Finds the format for a file name's extension.
[[nodiscard]] std::optional<AnimationFormat> animation_format_of(std::string_view file_name);

/// Options for encoding frames.
struct EncoderOptions {
  AnimationFormat format = AnimationFormat::png;
  std::optional<float> webp_quality{};  ///< Lossy quality, 0 to 100; lossless if absent.
  /// Color that soft edges of a GIF are blended with. If absent, pixels with an alpha of at least 50% are opaque.
  std::optional<std::array<std::uint8_t, 3>> gif_matte{};
  PngCompression png_compression = PngCompression::fast;  ///< For PNG and APNG.
  /// How hard to compress WebP: 0 (fastest) to 9 (smallest); lossy WebP knows no difference above 6. If absent, 3 for
  /// lossless and 4 for lossy.
  std::optional<int> webp_effort{};
};

/// Properties of an animation besides its frames.
struct AnimationInfo {
  std::uint32_t width = 0, height = 0;  ///< Pixels.
  std::vector<double> frame_ends;       ///< End of each frame, in seconds from the start; ascending.
  std::uint32_t plays = 0;              ///< Number of plays, if the format stores it; 0 loops forever.
};

/// Fails if the format cannot store such an animation.
[[nodiscard]] ExportResult<void> check_format(const AnimationInfo& info, const EncoderOptions& options);

/// Describes how the format rounds frame times. Empty if it does not, or by at most 1 ms, which nobody sees.
[[nodiscard]] std::string describe_rounding(const AnimationInfo& info, AnimationFormat format);

// Planning

/// Options for selecting the frames of a clip.
struct PlanOptions {
  std::optional<FrameRange> frames;         ///< Frames to export; all if absent.
  std::optional<double> frames_per_second;  ///< Resamples the clip. If absent, exports its own frames.
  double speed = 1;                         ///< Playback speed, above 0.
  bool smooth = false;                      ///< Whether resampling interpolates between frames.
};

/// Clip times that an animation shows, with their durations.
struct FramePlan {
  ClipId clip = ClipId::none;  ///< `none` shows the bind pose.
  std::vector<ClipTime> times;
  std::vector<double> frame_ends;  ///< End of each time, in seconds.
  std::uint32_t first_frame = 0;   ///< Number of the first frame in file names.
};

/// Whether a clip is only there to hold the bind pose: a single frame with a name such as "bind" (see BindPose), in a
/// character with other clips. One of another name is an animation, even if it supplies the bind pose.
[[nodiscard]] bool is_bind_pose_clip(const Character& character, ClipId clip);

/// Plans a single frame that lasts one second.
[[nodiscard]] FramePlan plan_still(ClipId clip, ClipTime time);

/// Plans `cycles` repetitions of a clip: the first from its start, the others from its loop start. A clip with a rate
/// of 0 shows only its first frame, and one without frames the bind pose.
[[nodiscard]] ExportResult<FramePlan> plan_animation(const Character& character, ClipId clip,
                                                     const PlanOptions& options, std::uint32_t cycles);

/// Returns how often to write an animation that plays `plays` times (0: forever): once if the format stores the number.
[[nodiscard]] std::uint32_t cycles_of(AnimationFormat format, std::uint32_t plays);

/// Numbers repeated names: with " (" and ")", the second "walk" becomes "walk (2)". Linear time, even if all names are
/// equal.
[[nodiscard]] std::vector<std::string> unique_names(std::vector<std::string> names, std::string_view before,
                                                    std::string_view after);

// Rigs

/// A rig on a character whose frames are posed in order.
struct RigMotion {
  RigState state{};
  double seconds = 0;  ///< Time played since the rig was applied.
  float travel = 0;    ///< Pixels per second that the character seems to move along x.
  double travelled = 0;
  std::uint32_t next_frame = 0;  ///< The frame of the plan that pose_frame() is at.
};

/// Puts springs and feet at rest. The next pose_frame() starts its plan.
void reset(RigMotion& motion) noexcept;
/// Returns whether a foot is on the ground: whether the last of its markers up to `frame` plants it. A loop continues
/// with the markers at its end.
[[nodiscard]] bool is_planted(const FootPlant& foot, std::span<const Marker> markers, std::uint32_t frame,
                              bool looping) noexcept;
/// Applies a rig to a pose of a frame of `clip`, or of the bind pose for `none`, and advances it by `motion.seconds`.
/// Aims and limbs without a target bone use `target`.
void apply_motion(RigMotion& motion, const Rig& rig, std::optional<Vec2> target, const Character& character,
                  const Markers& markers, ClipId clip, std::uint32_t frame, Pose& pose);
/// Poses a frame of a plan with a rig. A loop starts with springs as they are at its end; anything else starts at rest.
/// Any frame can be posed; those before it are posed first, unless `motion` is just there. Call reset() to start
/// another plan.
void pose_frame(RigMotion& motion, const Rig& rig, const Character& character, const Markers& markers,
                const FramePlan& plan, std::uint32_t frame, PoseBuffers& out);

// Framing

/// Limits of a frame, in pixels.
/// @{
inline constexpr std::uint32_t kMaxFrameSide = 16384;
inline constexpr std::uint64_t kMaxFramePixels = std::uint64_t{1} << 27;
/// @}

/// Size of a frame, in pixels.
struct FrameSize {
  std::uint32_t width = 512, height = 512;
  bool operator==(const FrameSize&) const = default;
};

/// Part of the world that frames show.
struct Framing {
  FrameSize size;
  std::optional<float> scale;  ///< Pixels per world pixel; replaces `size` by the size of the bounds.
  float margin = 0.05F;        ///< Margin on each side, as a fraction of the frame.
  std::optional<float> zoom;   ///< Pixels per world pixel; replaces fitting the bounds.
  std::vector<float> center;   ///< World point in the center: x and y, or empty for the center of the bounds.
  bool flip_y = false;
};

/// Returns the size of frames that fit `bounds`.
[[nodiscard]] ExportResult<FrameSize> frame_size(const Framing& framing, const Rect& bounds);
/// Returns the camera that shows `bounds` in frames of a size. With `scale`, world pixels align with frame pixels.
[[nodiscard]] Camera frame_camera(const Framing& framing, FrameSize size, const Rect& bounds);

/// Clips to export, and how to frame them.
struct ExportRequest {
  /// Frames that have one size and camera. With `frame`, all frames of a clip have one size.
  enum class Fit : std::uint8_t { frame, clip, all };

  std::vector<ClipId> clips;             ///< `none` is the bind pose.
  std::optional<ClipTime> still{};       ///< Exports only this time of each clip.
  PlanOptions frames{};                  ///< See plan_animation(), as for `cycles`.
  std::uint32_t cycles = 1;              ///< See cycles_of().
  std::optional<std::uint32_t> plays{};  ///< Number of plays, 0 for endless. If absent, as often as the clip does.
  Framing framing{};
  Fit fit = Fit::clip;
  /// Returns the world bounds to fit of a clip or, with Fit::frame, of one of its times. If empty, those of the whole
  /// clip.
  Callback<Rect(ClipId clip, ClipTime time)> bounds{};
};

/// Plan of one clip.
struct ExportPlan {
  FramePlan frames;
  FrameSize size;
  std::vector<Camera> cameras;  ///< One, or one for each frame.
  std::uint32_t plays = 0;
};

/// Plans the frames, sizes and cameras of clips. Fails if there are too many frames, or if they would be too large.
[[nodiscard]] ExportResult<std::vector<ExportPlan>> plan_export(const Character& character,
                                                                const ExportRequest& request);

/// Frame to draw.
struct ExportFrame {
  ClipId clip = ClipId::none;  ///< `none` draws the bind pose.
  ClipTime time;
  Camera camera;
  std::optional<SceneView> scene{};  ///< Replaces `camera` for a 3D character.
};

/// Draws a frame into the bound framebuffer. Reuses the memory of `posed`.
void draw_frame(Renderer& renderer, const Model& model, const ExportFrame& frame, PoseBuffers& posed);

/// Composites premultiplied pixels onto a light gray checkerboard.
void put_on_checker(Bitmap& bitmap);

// Files

/// Input files, which no output may replace. Compares files, not paths: links to a file count as that file.
class InputFiles {
 public:
  /// Adds the file at `path`, if it exists.
  void add(const std::string& path);
  /// Whether `path` leads to one of the files.
  [[nodiscard]] bool contains(const std::string& path) const;
  /// Fails if `path` leads to one of the files.
  [[nodiscard]] ExportResult<void> check_output(const std::string& path) const;

 private:
  std::vector<std::pair<std::uint64_t, std::uint64_t>> files_;
};

/// Policy for files that already exist.
enum class Existing : std::uint8_t {
  keep,     ///< Fails and changes no file.
  replace,  ///< Replaces them.
  skip      ///< Leaves them as they are and writes the others.
};

/// Output files, written to hidden temporary files in their folders and renamed together once all are complete. The
/// destructor removes unpublished files. Those of a killed process stay.
class OutputFiles {
 public:
  /// Never replaces any of `inputs`. With `follow_links`, replaces the targets of links, and writes to devices and
  /// pipes directly.
  explicit OutputFiles(InputFiles inputs, bool follow_links = true);

  /// Fails if there can be no file at `path`: if its name is too long, if it is a folder, or if it is an input.
  [[nodiscard]] ExportResult<void> check(const std::string& path) const;
  /// Appends to the file at `path`, or to standard output for "-". `last` completes the file; only then can another
  /// file start.
  [[nodiscard]] ExportResult<void> write(const std::string& path, std::span<const std::byte> bytes, bool last = true);
  /// Whether rewrite_start() works for the file at `path`: not for standard output, devices and pipes.
  [[nodiscard]] bool can_rewrite(const std::string& path) const;
  /// Replaces the first bytes of the file that write() started and has not completed.
  [[nodiscard]] ExportResult<void> rewrite_start(std::span<const std::byte> bytes);
  /// Moves all files to their places, as `existing` says, or none if one of them cannot be moved.
  [[nodiscard]] ExportResult<void> publish(Existing existing);
  /// Bytes written so far. Thread-safe.
  [[nodiscard]] std::uint64_t bytes() const noexcept;

 private:
  struct State;
  std::unique_ptr<State, void (*)(State*)> state_;
};

// The job

/// Frames of one animation, with its output files.
struct ExportedAnimation {
  std::vector<ExportFrame> frames;
  AnimationInfo info;              ///< Has one end for each frame.
  std::vector<std::string> paths;  ///< One per frame for an image sequence, else one; "-" is standard output.
};

/// Makes an animation of a plan's frames, with a fixed camera or those of the plan. The paths are empty.
/// @{
[[nodiscard]] ExportedAnimation make_animation(const FramePlan& plan, FrameSize size, const Camera& camera);
[[nodiscard]] ExportedAnimation make_animation(const ExportPlan& plan);
/// @}

/// Options for a job.
struct ExportJobOptions {
  EncoderOptions encoder{};
  std::array<float, 4> background{};  ///< Premultiplied.
  bool checker = false;               ///< Draws a checkerboard instead of the background.
  /// Changes each pose before it is drawn: to hide meshes or rotate a 3D character. If empty, draws baked clips.
  Callback<void(PoseBuffers& posed)> adjust{};
  /// Poses frame `frame` of animation `animation` in place of its clip, as with a rig. Called for the frames of each
  /// animation in order, and again for passes whose frames were not kept.
  Callback<void(std::size_t animation, std::uint32_t frame, PoseBuffers& posed)> pose{};
  /// Draws frame `frame` of animation `animation` into the bound framebuffer in place of its clip, for scenes that no
  /// clip describes. Called for the frames of each animation in order, once for each pass of the format.
  Callback<void(std::size_t animation, std::uint32_t frame)> draw{};
  /// Receives the bytes of the files in place of the disk; `last` completes a file. Called on the encoding threads, one
  /// at a time.
  Callback<ExportResult<void>(const std::string& path, std::span<const std::byte> bytes, bool last)> write{};
  InputFiles inputs{};
  Existing existing = Existing::replace;
  unsigned threads = 0;  ///< Threads that encode frames. With 0, step() encodes.
};

namespace exporting {
struct Job;
}

/// Draws, encodes and writes animations, or a sprite sheet (see sheet.hpp). Draws on the calling thread with the
/// renderer's OpenGL context, and encodes on other threads if the options allow it. Files appear only when all are
/// complete. The destructor waits for the encoders and removes unfinished files.
class ExportJob {
 public:
  /// State after a step.
  enum class Step : std::uint8_t {
    more,     ///< There is more to do now.
    wait,     ///< The encoders are busy; call step() again later.
    finished  ///< All files are written.
  };

  /// Creates a job. `renderer` and `model` must outlive it. Fails if the format cannot store an animation.
  [[nodiscard]] static ExportResult<ExportJob> create(Renderer& renderer, const Model& model,
                                                      std::vector<ExportedAnimation> animations,
                                                      ExportJobOptions options);

  /// Draws at most one frame and reads one back. Never blocks on the encoders.
  [[nodiscard]] ExportResult<Step> step();
  /// Runs the whole job. Calls `keep_going` before each step, and fails with `stopped` when it returns false.
  [[nodiscard]] ExportResult<void> run(const Callback<bool()>& keep_going = {});

  [[nodiscard]] std::uint64_t done() const noexcept;   ///< Frames drawn so far, in all passes.
  [[nodiscard]] std::uint64_t total() const noexcept;  ///< Frames to draw in total.
  [[nodiscard]] std::uint64_t bytes() const noexcept;  ///< Bytes written so far.

  /// Stops the job and releases its GPU resources, so that the renderer and the model can be destroyed. Does not wait
  /// for the encoders. Another step fails with `stopped`.
  void stop();
  /// Returns whether the encoders have finished after stop(), so that the destructor does not wait.
  [[nodiscard]] bool is_stopped() const;

  /// Not for callers, who cannot make its argument.
  explicit ExportJob(std::unique_ptr<exporting::Job> job) noexcept;

 private:
  std::unique_ptr<exporting::Job, void (*)(exporting::Job*)> job_;
};

}  // namespace pchr
