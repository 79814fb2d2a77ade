// SPDX-License-Identifier: MIT
#include "drawing.hpp"

#include <charconv>
#include <cmath>

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
    throw CLI::ValidationError(
        "--size", fmt::format("\"{}\" is not WIDTHxHEIGHT with numbers from 1 to {}", text, kMaxFrameSide));
  }
  if (std::uint64_t{size.width} * size.height > kMaxFramePixels) {
    throw CLI::ValidationError("--size", fmt::format("{} are more than {} megapixels", text, kMaxFramePixels >> 20));
  }
  return size;
}

FrameRange parse_frames(const std::string& text) {
  FrameRange range;
  if (!parse_two(text, "..", range.first, range.last) || range.first > range.last) {
    throw CLI::ValidationError("--frames", fmt::format("\"{}\" is not A..B with A up to B, such as 0..11", text));
  }
  return range;
}

template <class T>
T with_opengl(std::expected<T, RenderError> result) {
  if (!result) fail(ExitCode::environment, "pchr: " + result.error().message);
  return *std::move(result);
}

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

std::array<std::uint8_t, 3> parse_color(const std::string& text, const char* option, const char* otherwise) {
  const std::string_view digits = std::string_view(text).substr(text.starts_with('#') ? 1 : 0);
  std::uint32_t rgb = 0;
  if (digits.size() != 6 || !parse_whole(digits, rgb, 16)) {
    throw CLI::ValidationError(option, fmt::format("\"{}\" is {} color such as #3a7bd5", text, otherwise));
  }
  const auto channel = [&](std::uint32_t shift) { return static_cast<std::uint8_t>(rgb >> shift & 0xffU); };
  return {channel(16), channel(8), channel(0)};
}

void add_view_options(CLI::App& command, ViewOptions& options) {
  const auto set_background = [&options](const std::string& text) {
    options.background = {};
    options.checker = text == "checker";
    if (text == "none" || options.checker) return;
    const auto rgb = parse_color(text, "--background", "neither none, nor checker, nor a");
    options.background = {rgb[0], rgb[1], rgb[2], 255};
  };
  add_option(command, "--background", set_background, "COLOR", "#rrggbb, checker, or none for transparency (none)");
  add_option(command, "--margin", options.margin, "F", "Free space on each side, as a fraction of the image (0.05)",
             check_finite, CLI::Range(0.0, 0.49));
  add_option(command, "--scale", options.scale, "F",
             "Image pixels per world pixel: images are as large as that needs, world pixels on whole pixels",
             check_finite, check_above_0);
  command.add_flag("--flip-y", options.flip_y, "The file's y points down");
}

void add_size_options(CLI::App& command, ViewOptions& options) {
  const auto set_size = [&options](const std::string& text) { options.size = parse_size(text); };
  add_option(command, "--size", set_size, "WxH",
             fmt::format("Pixels of the image, or of each tile, up to {} a side and {} megapixels in all (512x512)",
                         kMaxFrameSide, kMaxFramePixels >> 20))
      ->excludes("--scale");
  add_option(command, "--zoom", options.zoom, "F", "Image pixels per world pixel, instead of fitting the clip",
             check_finite, check_above_0)
      ->excludes("--scale");
  for (const char* name : {"--center", "--centre"}) {
    add_pair_option(command, name, options.center, "X,Y", "World point in the middle, instead of the clip's middle")
        ->excludes("--scale");
  }
  command.get_option("--centre")->group("");
}

void add_orbit_options(CLI::App& command, OrbitOptions& options) {
  CLI::Option* orbit = add_pair_option(command, "--orbit", options.angles, "YAW,PITCH",
                                       "Rotate the view of a .psk: degrees to the right and up; with perspective");
  for (const char* option : {"--zoom", "--center", "--centre", "--scale", "--flip-y"}) orbit->excludes(option);
  command.add_flag("--cull", options.cull, "Leave out faces of a .psk that look away");
}

void add_plan_options(CLI::App& command, PlanOptions& options) {
  const auto set_frames = [&options](const std::string& text) { options.frames = parse_frames(text); };
  add_option(command, "--frames", set_frames, "A..B", "The frames A to B of the clip, both included (all)");
  add_option(command, "--fps", options.frames_per_second, "N",
             "Resample at this rate (default: each frame of the clip once, for as long as it lasts)", check_above_0);
  add_option(command, "--speed", options.speed, "F", "How many times as fast as the clip, 0.001 to 1000 (1)",
             check_finite, CLI::Range(0.001, 1000.0));
}

void PixelBudget::take(std::uint64_t frames, FrameSize size) {
  constexpr std::uint64_t kMinPixels = 64 * 64;
  const std::uint64_t pixels = std::max(std::uint64_t{size.width} * size.height, kMinPixels);
  if (taken_ > max_ || frames > (max_ - taken_) / pixels) {
    fail(ExitCode::usage,
         "{} frames of {} x {} pixels bring the output past {} megapixels; --max-output-megapixels allows more", frames,
         size.width, size.height, max_ >> 20);
  }
  taken_ += frames * pixels;
}

void PixelBudget::add_option(CLI::App& command) {
  add_mega_option(command, "--max-output-megapixels", max_,
                  "Refuse to draw more pixels than this, all frames together (4096)");
}

PoseBuffers pose_at(const Character& character, ClipId clip, ClipTime time) {
  PoseBuffers posed;
  clip != ClipId::none ? pose_clip(character, clip, time, posed) : pose_bind(character, posed);
  return posed;
}

Stage::Stage(const Input& input, bool no_images)
    : context_(with_opengl(HeadlessContext::create())),
      renderer_(with_opengl(Renderer::create(context_.get_proc_address()))) {
  add(input, no_images);
}

void Stage::add(const Input& input, bool no_images) {
  const Bitmap white{1, 1, {255, 255, 255, 255}};
  models_.push_back(
      with_opengl(no_images ? renderer_.upload(input.character, std::vector(input.character.images().size(), white))
                            : renderer_.upload(input.character, input.bitmaps)));
}

Bitmap Stage::draw(const ExportFrame& frame, FrameSize size, const ViewOptions& view, std::size_t model) {
  constexpr std::uint32_t kSamples = 4;
  if (size != size_) {
    target_ = with_opengl(OffscreenTarget::create(context_.get_proc_address(), size.width, size.height, kSamples));
    size_ = size;
  }
  target_->begin(clear_color(view));
  draw_frame(renderer_, models_[model], frame, posed_);
  Bitmap bitmap = target_->finish();
  if (view.checker) put_on_checker(bitmap);
  return bitmap;
}

std::array<float, 4> clear_color(const ViewOptions& view) {
  std::array<float, 4> color{};
  std::ranges::transform(view.background, color.begin(), [](float channel) { return channel / 255.0F; });
  return color;
}

ImageDifference compare_images(const Bitmap& a, const Bitmap& b) {
  constexpr std::uint32_t kSquare = 8;
  ImageDifference result;
  for (std::uint32_t top = 0; top < a.height; top += kSquare) {
    for (std::uint32_t left = 0; left < a.width; left += kSquare) {
      std::uint64_t sum = 0;
      const std::uint32_t bottom = std::min(top + kSquare, a.height), right = std::min(left + kSquare, a.width);
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
    // A quarter of the image on white; the smallest difference still shows.
    const unsigned gray = (b.rgba[at] + 2U * b.rgba[at + 1] + b.rgba[at + 2]) / 4 + (255U - b.rgba[at + 3]);
    const auto pale = static_cast<std::uint8_t>(191 + std::min(gray, 255U) / 4);
    const std::uint32_t red = max == 0 ? 0 : 64 + max * 191 / 255;
    image.rgba[at] = static_cast<std::uint8_t>(pale + (255U - pale) * std::min(red * 2, 255U) / 255);
    for (const std::size_t i : {at + 1, at + 2}) image.rgba[i] = static_cast<std::uint8_t>(pale * (255U - red) / 255);
  }
  return image;
}

}  // namespace pchr::tools
