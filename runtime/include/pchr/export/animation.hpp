// SPDX-License-Identifier: MIT
// Writes the clips of a character as animations: image sequences, APNG, GIF, WebP, raw RGBA and Y4M. Plan which moments
// of a clip are shown, frame them with a camera, and let an ExportJob draw, encode and write them, all at the same
// time.
//
//   const pchr::Framing framing{.size = {256, 256}};
//   const pchr::Camera view = pchr::frame_camera(framing, framing.size, pchr::compute_clip_bounds(hero, walk));
//   const pchr::FramePlan plan = pchr::plan_animation(hero, walk, {}, 1).value();
//   pchr::ExportedAnimation animation = pchr::make_animation(plan, framing.size, view);
//   animation.paths = {"walk.gif"};
//   const pchr::ExportJobOptions options{.encoder = {.format = pchr::AnimationFormat::gif}};
//   const auto written = pchr::ExportJob::create(renderer, model, glfwGetProcAddress, {animation}, options)->run();
#pragma once

#include <pchr/renderer.hpp>

#include <array>
#include <functional>
#include <future>
#include <set>
#include <utility>

namespace PCHR_API pchr {

/// Why an export failed.
struct ExportError {
  /// The kind of failure.
  enum class Kind : std::uint8_t {
    request,      ///< Impossible as asked: too many frames, a format that cannot hold it, an input as the output.
    exists,       ///< A file is there that is to be kept.
    failed,       ///< OpenGL, an encoder, the disk or the memory failed.
    closed_pipe,  ///< Nobody reads standard output any more; the message is empty.
    stopped       ///< As asked.
  };
  Kind kind = Kind::failed;
  std::string message;  ///< One sentence without a full stop.
};

template <class T>
using ExportResult = std::expected<T, ExportError>;

// Formats

enum class AnimationFormat : std::uint8_t {
  png,   ///< One PNG file for each frame.
  apng,  ///< Animated PNG: lossless, 8 bits of alpha.
  gif,   ///< 255 colors for the whole animation; a pixel is opaque or transparent.
  webp,  ///< Animated WebP, lossless or lossy; 8 bits of alpha.
  rgba,  ///< The pixels of one frame after another: straight alpha, 4 bytes each, rows from top to bottom.
  y4m    ///< YUV4MPEG2, 4:4:4, BT.601, limited range: for video encoders. No alpha: black shows.
};

/// Returns the format with that name ("gif"), in any case.
[[nodiscard]] std::optional<AnimationFormat> animation_format_named(std::string_view name);
/// Returns the format of a file name's extension.
[[nodiscard]] std::optional<AnimationFormat> animation_format_of(std::string_view file_name);

/// How frames become a file.
struct EncoderOptions {
  AnimationFormat format = AnimationFormat::png;
  std::optional<float> webp_quality{};  ///< 0 to 100, lossy; absent: lossless.
  /// Blended with soft edges of a GIF; absent: a pixel is opaque where alpha is at least a half.
  std::optional<std::array<std::uint8_t, 3>> gif_matte{};
};

/// An animation apart from its frames.
struct AnimationInfo {
  std::uint32_t width = 0, height = 0;  ///< Pixels.
  std::vector<double> frame_ends;       ///< Seconds from the start at which each frame ends, ascending.
  std::uint32_t plays = 0;              ///< How often it plays, where the format can say that; 0: forever.
};

/// Fails where the format cannot hold such an animation.
[[nodiscard]] ExportResult<void> check_format(const AnimationInfo& info, const EncoderOptions& options);

/// Returns a sentence about how the format rounds the times of frames; empty where it does not.
[[nodiscard]] std::string describe_rounding(const AnimationInfo& info, AnimationFormat format);

// Moments

/// The moments of a clip to export.
struct PlanOptions {
  std::optional<FrameRange> frames;         ///< Absent: all.
  std::optional<double> frames_per_second;  ///< Resamples the clip; absent: each of its frames once.
  double speed = 1;                         ///< Above 0.
  bool smooth = false;                      ///< Interpolate where the clip is resampled.
};

/// The moments of a clip that an animation shows, and for how long.
struct FramePlan {
  ClipId clip = ClipId::none;  ///< The bind pose where it is `none`.
  std::vector<ClipTime> times;
  std::vector<double> frame_ends;  ///< Seconds; one for each time.
  std::uint32_t first_frame = 0;   ///< The number of the first frame in file names.
};

/// Returns whether a clip of one frame only holds the bind pose, beside clips that move.
[[nodiscard]] bool is_bind_pose_clip(const Character& character, ClipId clip);

/// Plans one moment, which lasts for a second.
[[nodiscard]] FramePlan plan_still(ClipId clip, ClipTime time);

/// Plans a clip, `cycles` times: first from its beginning, then from where it loops. A clip that does not play is its
/// first frame, and one without frames the bind pose.
[[nodiscard]] ExportResult<FramePlan> plan_animation(const Character& character, ClipId clip,
                                                     const PlanOptions& options, std::uint32_t cycles);

/// Returns how often to write an animation that plays `plays` times (0: forever): once where the format can say that.
[[nodiscard]] std::uint32_t cycles_of(AnimationFormat format, std::uint32_t plays);

/// Numbers the names that were there before: with " (" and ")", the second "walk" becomes "walk (2)". Takes time
/// proportional to the names, even where all are equal.
[[nodiscard]] std::vector<std::string> unique_names(std::vector<std::string> names, std::string_view before,
                                                    std::string_view after);

// Framing

inline constexpr std::uint32_t kMaxFrameSide = 16384;
inline constexpr std::uint64_t kMaxFramePixels = std::uint64_t{1} << 27;

/// Width and height of a frame, in pixels.
struct FrameSize {
  std::uint32_t width = 512, height = 512;
  bool operator==(const FrameSize&) const = default;
};

/// The part of the world that frames show.
struct Framing {
  FrameSize size;
  std::optional<float> scale;  ///< Pixels per world pixel; the size is then what the bounds need.
  float margin = 0.05F;        ///< Free space on each side, as a fraction of the frame.
  std::optional<float> zoom;   ///< Pixels per world pixel, instead of fitting the bounds.
  std::vector<float> center;   ///< World point in the middle, instead of the bounds' middle; none or two.
  bool flip_y = false;
};

/// Returns the size of frames that fit `bounds`.
[[nodiscard]] ExportResult<FrameSize> frame_size(const Framing& framing, const Rect& bounds);
/// Returns the camera that shows `bounds` in frames of that size. With `scale`, world pixels lie on whole pixels.
[[nodiscard]] Camera frame_camera(const Framing& framing, FrameSize size, const Rect& bounds);

/// One frame to draw.
struct ExportFrame {
  ClipId clip = ClipId::none;  ///< The bind pose where it is `none`.
  ClipTime time;
  Camera camera;
  std::optional<SceneView> scene{};  ///< Instead of the camera, for a 3D character.
};

/// Draws a frame into the bound framebuffer. The memory of `posed` is reused.
void draw_frame(Renderer& renderer, const Model& model, const ExportFrame& frame, PoseBuffers& posed);

/// Puts a checker of light grays under premultiplied pixels.
void put_on_checker(Bitmap& bitmap);

// Files

/// The files that were read, which no output may replace. Another path and any link to a file are that file.
class InputFiles {
 public:
  /// Adds the file that `path` leads to, if there is one.
  void add(const std::filesystem::path& path);
  /// Returns whether `path` leads to one of the files.
  [[nodiscard]] bool contains(const std::filesystem::path& path) const;
  /// Fails where `path` leads to one of the files.
  [[nodiscard]] ExportResult<void> check_output(const std::filesystem::path& path) const;

 private:
  std::set<std::pair<std::uint64_t, std::uint64_t>> files_;
};

/// What to do about files that exist.
enum class Existing : std::uint8_t { keep, replace };

/// Files that are written beside their places, under hidden names, and renamed together once all are complete. Those
/// that are never published are removed at the end; those of a killed process, when the next one writes into that
/// folder.
class OutputFiles {
 public:
  /// Never replaces one of `inputs`. With `follow_links`, what a link points at is replaced, and devices and pipes are
  /// written directly.
  explicit OutputFiles(InputFiles inputs, bool follow_links = true);

  /// Appends to the file at `path`, or to standard output for "-". With `last` the file is complete; another path may
  /// begin only then.
  [[nodiscard]] ExportResult<void> write(const std::string& path, std::span<const std::byte> bytes, bool last = true);
  /// Puts all files in their places. Where one cannot be, with `keep` none is.
  [[nodiscard]] ExportResult<void> publish(Existing existing);

 private:
  struct State;
  std::unique_ptr<State, void (*)(State*)> state_;
};

// The job

/// The frames of one animation, and the files they go to.
struct ExportedAnimation {
  std::vector<ExportFrame> frames;
  AnimationInfo info;              ///< With one end for each frame.
  std::vector<std::string> paths;  ///< One for each frame of an image sequence, else one; "-" is standard output.
};

/// Returns an animation of a plan's frames that one camera sees, without paths.
[[nodiscard]] ExportedAnimation make_animation(const FramePlan& plan, FrameSize size, const Camera& camera);

/// How a job draws and writes.
struct ExportJobOptions {
  EncoderOptions encoder{};
  std::array<float, 4> background{};  ///< Premultiplied.
  bool checker = false;               ///< Behind the frames, instead of the background.
  /// Changes each pose before it is drawn: to hide meshes, to rotate a 3D character. Absent: clips are drawn baked.
  std::function<void(PoseBuffers&)> adjust{};
  InputFiles inputs{};
  Existing existing = Existing::replace;
  unsigned threads = 0;  ///< For encoding; 0: one per processor.
};

/// Draws, encodes and writes animations, or a sheet (see sheet.hpp). Draws on the calling thread, with the renderer's
/// OpenGL context; encodes on others. No file is in its place until all are complete. Destroying it waits for the
/// encoders and leaves no unfinished file.
class ExportJob {
 public:
  /// The state after a step.
  enum class Step : std::uint8_t { more, wait, finished };

  /// `renderer` and `model` must outlive the job. Fails where the format cannot hold an animation.
  [[nodiscard]] static ExportResult<ExportJob> create(Renderer& renderer, const Model& model,
                                                      GetProcAddress get_proc_address,
                                                      std::vector<ExportedAnimation> animations,
                                                      ExportJobOptions options);

  /// Does a little work: draws at most one frame and reads one back. Returns `wait` until the encoders have caught up.
  [[nodiscard]] ExportResult<Step> step();
  /// Does all the work. `go_on` is called before each step; where it returns false the job fails as stopped.
  [[nodiscard]] ExportResult<void> run(const std::function<bool()>& go_on = {});

  [[nodiscard]] std::uint64_t done() const noexcept;   ///< Frames that were drawn, in all passes.
  [[nodiscard]] std::uint64_t total() const noexcept;  ///< Frames to draw.

  /// Releases what is on the GPU at once; the future is ready when the encoders have ended.
  [[nodiscard]] std::future<void> stop() &&;

 private:
  struct State;
  friend struct ExportJobFactory;
  explicit ExportJob(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State, void (*)(State*)> state_;
};

}  // namespace pchr
