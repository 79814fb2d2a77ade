// SPDX-License-Identifier: MIT
#include "drawing.hpp"

#include "options.hpp"
#include "platform/output_file.hpp"

#include <charconv>
#include <cmath>
#include <utility>

namespace pchr::tools {
namespace {

bool parse_whole(std::string_view text, std::uint32_t& value, int base = 10) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

bool parse_two(std::string_view text, std::string_view between, std::uint32_t& first, std::uint32_t& second) {
  const std::size_t at = text.find(between);
  return at != std::string_view::npos && parse_whole(text.substr(0, at), first) &&
         parse_whole(text.substr(at + between.size()), second);
}

FrameSize parse_size(const std::string& text) {
  FrameSize size;
  const bool valid = parse_two(text, "x", size.width, size.height);
  if (!valid || size.width < 1 || size.width > kMaxFrameSide || size.height < 1 || size.height > kMaxFrameSide) {
    throw CLI::ValidationError("--size",
                               fmt::format("\"{}\" is not WIDTHxHEIGHT with sides from 1 to {}", text, kMaxFrameSide));
  }
  if (std::uint64_t{size.width} * size.height > kMaxFramePixels) {
    throw CLI::ValidationError("--size", fmt::format("{} is more than {} megapixels", text, kMaxFramePixels >> 20));
  }
  return size;
}

FrameRange parse_frames(const std::string& text) {
  FrameRange range;
  if (!parse_two(text, "..", range.first, range.last) || range.first > range.last) {
    throw CLI::ValidationError("--frames", fmt::format("\"{}\" is not a range A..B such as 0..11", text));
  }
  return range;
}

template <class T>
T with_opengl(Expected<T, RenderError> result) {
  if (!result) fail(ExitCode::environment, "pchr: " + result.error().message);
  return *std::move(result);
}

/// What each frame costs at least.
constexpr FrameSize kMinSize{64, 64};

struct PixelDifference {
  std::uint32_t sum = 0, max = 0;
};

PixelDifference difference_at(const Bitmap& a, const Bitmap& b, std::size_t at) {
  PixelDifference difference;
  for (std::size_t i = at; i < at + 4; ++i) {
    const auto channel = static_cast<std::uint32_t>(std::abs(a.rgba[i] - b.rgba[i]));
    difference.sum += channel;
    difference.max = std::max(difference.max, channel);
  }
  return difference;
}

}  // namespace

std::array<std::uint8_t, 3> parse_color(const std::string& text, const char* option, const char* expected) {
  const std::string_view digits = std::string_view(text).substr(text.starts_with('#') ? 1 : 0);
  std::uint32_t rgb = 0;
  if (digits.size() != 6 || !parse_whole(digits, rgb, 16)) {
    throw CLI::ValidationError(option, fmt::format("\"{}\" is not {}", text, expected));
  }
  const auto channel = [&](std::uint32_t shift) { return static_cast<std::uint8_t>(rgb >> shift & 0xffU); };
  return {channel(16), channel(8), channel(0)};
}

void add_view_options(CLI::App& command, ViewOptions& options) {
  const auto set_background = [&options](const std::string& text) {
    options.background = {};
    options.checker = text == "checker";
    if (text == "none" || options.checker) return;
    const auto rgb = parse_color(text, "--background", "none, checker or a color such as #3a7bd5");
    options.background = {rgb[0], rgb[1], rgb[2], 255};
  };
  begin_group(command, "View");
  add_option(command, "--background", set_background, "COLOR",
             "Background: #rrggbb, checker or none (default: none, which is transparent)");
  add_option(command, "--margin", options.margin, "F",
             "Margin on each side, as a fraction of the image (default: 0.05)", check_range(0, 0.49));
  add_option(command, "--scale", options.scale, "F",
             "Image pixels per world pixel; the image is as large as needed, with world pixels aligned to its pixels",
             check_finite, check_above_0);
  command.add_flag("--flip-y", options.flip_y, "Treat the file's y axis as pointing down");
}

void add_size_options(CLI::App& command, ViewOptions& options) {
  const auto set_size = [&options](const std::string& text) { options.size = parse_size(text); };
  add_option(command, "--size", set_size, "WxH",
             fmt::format("Size of the image or of each tile, up to {} pixels a side and {} megapixels (default: "
                         "512x512)",
                         kMaxFrameSide, kMaxFramePixels >> 20))
      ->excludes("--scale");
  add_option(command, "--zoom", options.zoom, "F", "Image pixels per world pixel (default: fit the clip)", check_finite,
             check_above_0)
      ->excludes("--scale");
  add_pair_option(command, "--center,--centre", options.center, "X,Y",
                  "World point at the center (default: center of the clip)")
      ->excludes("--scale");
}

void add_gl_option(CLI::App& command, ViewOptions& options) {
  add_choice<GlApi>(command, "--gl", options.gl, {{"desktop", GlApi::desktop}, {"es3", GlApi::es}},
                    "Draw with desktop OpenGL or OpenGL ES 3 (default: desktop)");
}

void add_orbit_options(CLI::App& command, OrbitOptions& options) {
  CLI::Option* orbit = add_pair_option(command, "--orbit", options.angles, "YAW,PITCH",
                                       "For a .psk: view from this angle, in degrees right and up, with perspective");
  for (const char* option : {"--zoom", "--center", "--scale", "--flip-y"}) orbit->excludes(option);
  command.add_flag("--cull", options.cull, "For a .psk: hide faces that point away from the camera");
}

void add_plan_options(CLI::App& command, PlanOptions& options) {
  const auto set_frames = [&options](const std::string& text) { options.frames = parse_frames(text); };
  add_option(command, "--frames", set_frames, "A..B", "Frames A to B of the clip, inclusive (default: all)");
  add_option(command, "--fps", options.frames_per_second, "N",
             "Resample at this frame rate (default: each frame of the clip once, with its own duration)",
             check_above_0);
  add_option(command, "--speed", options.speed, "F", "Playback speed, 0.001 to 1000 (default: 1)",
             check_range(0.001, 1000));
}

void PixelBudget::take(std::uint64_t frames, FrameSize size) {
  const std::uint64_t pixels =
      std::max(std::uint64_t{size.width} * size.height, std::uint64_t{kMinSize.width} * kMinSize.height);
  if (taken_ > max_ || frames > (max_ - taken_) / pixels) {
    fail(ExitCode::usage,
         "{} frames of {} x {} pixels exceed the output limit of {} megapixels\n"
         "  hint: raise the limit with --max-output-megapixels",
         frames, size.width, size.height, max_ >> 20);
  }
  taken_ += frames * pixels;
}

void PixelBudget::check(std::uint64_t frames, const Framing& framing) const {
  PixelBudget(*this).take(frames, framing.scale ? kMinSize : framing.size);
}

void PixelBudget::add_option(CLI::App& command) {
  begin_group(command, "Output");
  add_mega_option(command, "--max-output-megapixels", max_,
                  "Max size of all frames drawn, in megapixels (default: 4096)");
}

PoseBuffers pose_at(const Character& character, ClipId clip, ClipTime time) {
  PoseBuffers posed;
  clip != ClipId::none ? pose_clip(character, clip, time, posed) : pose_bind(character, posed);
  return posed;
}

Sequence sequence_to(const Character& character, ClipId clip, ClipTime time) {
  if (clip == ClipId::none || !(character.clips()[clip].frames_per_second > 0)) return {plan_still(clip, time), 0};
  Sequence sequence{or_fail(plan_animation(character, clip, {}, 1)), time.frame};
  if (!(time.factor > 0)) return sequence;
  std::vector<double>& ends = sequence.plan.frame_ends;
  const double begin = time.frame > 0 ? ends[time.frame - 1] : 0;
  ends.insert(ends.begin() + time.frame, begin + (ends[time.frame] - begin) * time.factor);
  sequence.plan.times.insert(sequence.plan.times.begin() + ++sequence.first, time);
  return sequence;
}

Rigged::Rigged(Character character, Sidecar sidecar)
    : character_(std::move(character)), sidecar_(std::move(sidecar)), clip_bounds_(character_.clips().size()) {}

void Rigged::begin(FramePlan plan) {
  plan_ = std::move(plan);
  reset(motion_);
}

const PoseBuffers& Rigged::pose(std::uint32_t frame) {
  pose_frame(motion_, sidecar_.rig, character_, sidecar_.markers, plan_, frame, posed_);
  return posed_;
}

const PoseBuffers& Rigged::pose(ClipId clip, ClipTime time) {
  Sequence sequence = sequence_to(character_, clip, time);
  begin(std::move(sequence.plan));
  return pose(sequence.first);
}

Rect Rigged::bounds_of(FramePlan plan) {
  Rect all;
  begin(std::move(plan));
  for (std::uint32_t frame = 0; frame < plan_.times.size(); ++frame) all.include(bounds(character_, pose(frame)));
  return all;
}

Rect Rigged::bounds_of(ClipId clip) {
  std::optional<Rect>& known = clip_bounds_[index(clip)];
  if (!known) known = bounds_of(or_fail(plan_animation(character_, clip, {}, 1)));
  return *known;
}

std::optional<Rigged> open_rigged(const Input& input, const InputOptions& options) {
  if (options.no_rig || input.character.is_3d()) return std::nullopt;
  Sidecar sidecar = open_sidecar(input, options);
  if (sidecar.rig.empty()) return std::nullopt;
  return Rigged(input.character, std::move(sidecar));
}

Stage::Stage(GlApi gl)
    : context_(with_opengl(HeadlessContext::create({.api = gl}))),
      renderer_(with_opengl(Renderer::create(
          context_.get_proc_address(), {.executor = executor(),
                                        .compile_on_first_use = true,
                                        .program_cache = {program_folder().loading(), program_folder().storing()}}))) {}

void Stage::add(const Input& input, bool no_images) {
  const Bitmap white{1, 1, {255, 255, 255, 255}};
  models_.push_back(
      with_opengl(no_images ? renderer_.upload(input.character, std::vector(input.character.images().size(), white))
                            : renderer_.upload(input.character, input.bitmaps)));
}

Bitmap Stage::draw(const ExportFrame& frame, FrameSize size, const ViewOptions& view, std::size_t model,
                   const PoseBuffers* posed) {
  constexpr std::uint32_t kSamples = 4;
  if (size != size_) {
    target_ = with_opengl(OffscreenTarget::create(renderer_, size.width, size.height, kSamples));
    size_ = size;
  }
  target_->begin(clear_color(view));
  if (posed != nullptr) {
    renderer_.draw(models_[model], *posed, frame.camera);
  } else {
    draw_frame(renderer_, models_[model], frame, posed_);
  }
  Bitmap bitmap = target_->finish();
  if (view.checker) put_on_checker(bitmap);
  return bitmap;
}

namespace {
thread_local GlApi stage_api{};
// A pointer: MinGW frees the variables of a thread before it destroys them.
thread_local Stage* stage_of_thread = nullptr;
}  // namespace

Stage& open_stage(const ViewOptions& options) {
  if (stage_of_thread != nullptr && stage_api == options.gl) {
    stage_of_thread->clear();
  } else {
    close_stage();
    stage_of_thread = new Stage(stage_api = options.gl);
  }
  return *stage_of_thread;
}

void close_stage() { delete std::exchange(stage_of_thread, nullptr); }

std::array<float, 4> clear_color(const ViewOptions& view) {
  std::array<float, 4> color{};
  std::ranges::transform(view.background, color.begin(), [](float channel) { return channel / 255.0F; });
  return color;
}

ImageDifference compare_images(const Bitmap& a, const Bitmap& b) {
  constexpr std::uint32_t kBlock = 8;
  ImageDifference result;
  for (std::uint32_t top = 0; top < a.height; top += kBlock) {
    for (std::uint32_t left = 0; left < a.width; left += kBlock) {
      std::uint64_t sum = 0;
      const std::uint32_t bottom = std::min(top + kBlock, a.height), right = std::min(left + kBlock, a.width);
      for (std::uint32_t y = top; y < bottom; ++y) {
        for (std::uint32_t x = left; x < right; ++x) {
          const PixelDifference difference = difference_at(a, b, (std::size_t{y} * a.width + x) * 4);
          sum += difference.sum;
          result.max_channel = std::max(result.max_channel, difference.max);
          result.pixels += difference.max > 0 ? 1 : 0;
        }
      }
      const double score = static_cast<double>(sum) / (255.0 * 4 * (bottom - top) * (right - left));
      if (score <= result.score) continue;
      result.score = score;
      result.x = left;
      result.y = top;
    }
  }
  return result;
}

Bitmap draw_difference(const Bitmap& a, const Bitmap& b) {
  Bitmap image{b.width, b.height, std::vector<std::uint8_t>(b.rgba.size(), 255)};
  for (std::size_t at = 0; at < b.rgba.size(); at += 4) {
    const std::uint32_t max = difference_at(a, b, at).max;
    // The image at a quarter of its contrast, on white. Even the smallest difference is visible.
    const unsigned gray = (b.rgba[at] + 2U * b.rgba[at + 1] + b.rgba[at + 2]) / 4 + (255U - b.rgba[at + 3]);
    const auto pale = static_cast<std::uint8_t>(191 + std::min(gray, 255U) / 4);
    const std::uint32_t red = max == 0 ? 0 : 64 + max * 191 / 255;
    image.rgba[at] = static_cast<std::uint8_t>(pale + (255U - pale) * std::min(red * 2, 255U) / 255);
    for (const std::size_t i : {at + 1, at + 2}) image.rgba[i] = static_cast<std::uint8_t>(pale * (255U - red) / 255);
  }
  return image;
}

}  // namespace pchr::tools
