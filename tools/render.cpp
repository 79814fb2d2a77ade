// SPDX-License-Identifier: MIT
// pchr render: pictures of a character, without a display.
#include "common.hpp"
#include "output.hpp"

#include <pchr/bounds.hpp>
#include <pchr/camera.hpp>
#include <pchr/offscreen.hpp>
#include <pchr/orbit_camera.hpp>
#include <pchr/renderer.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <glm/common.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace pchr::tools {
namespace {

constexpr std::uint32_t kMaxSide = 16384;
constexpr std::uint64_t kMaxPixels = std::uint64_t{1} << 27;
constexpr std::uint32_t kSamples = 4;

struct Size {
  std::uint32_t width = 512;
  std::uint32_t height = 512;
};

struct RenderOptions {
  InputOptions input;
  MomentOptions moment;
  std::string output;
  Size size;
  std::array<std::uint8_t, 4> background{0, 0, 0, 0};  ///< Opaque, or all 0.
  float margin = 0.05F;
  std::optional<float> zoom;
  std::vector<float> centre;
  bool flip_y = false;
  std::optional<std::uint32_t> contact_sheet;
  std::vector<float> orbit;  ///< Yaw and pitch in degrees, or none: from the front, without perspective.
  bool cull = false;
};

// One picture to draw: a pose, and the camera that sees it.
struct Shot {
  std::optional<std::uint32_t> clip;  ///< Absent: the bind pose.
  FramePosition position;
  Camera camera;
  std::optional<SceneView> scene;  ///< Instead of the camera.
};

using ShotRows = std::vector<std::vector<Shot>>;

Camera camera_for(const RenderOptions& options, const Rect& bounds) {
  Camera camera;
  camera.viewport = {options.size.width, options.size.height};
  camera.flip_y = options.flip_y;
  camera = fit(camera, bounds, options.margin);
  if (options.zoom) camera.zoom = *options.zoom;
  if (!options.centre.empty()) camera.centre = {options.centre[0], options.centre[1]};
  return camera;
}

// Around what is seen of the clip in some of its frames, or of the bind pose.
Box box_over_clip(const Character& character, std::optional<std::uint32_t> clip) {
  constexpr std::uint32_t kMostFrames = 16;
  PosedCharacter posed;
  if (!clip) {
    pose_bind(character, posed);
    return box_of(character, posed);
  }
  Box box;
  const std::uint32_t frames = character.clips()[*clip].frame_count;
  const std::uint32_t step = std::max(frames / kMostFrames, 1U);
  for (std::uint32_t frame = 0; frame < frames; frame += step) {
    pose_clip(character, *clip, {frame, frame, 0.0F}, posed);
    const Box one = box_of(character, posed);
    if (one.empty()) continue;
    box.include(one.min);
    box.include(one.max);
  }
  return box;
}

std::optional<SceneView> scene_for(const Character& character, std::optional<std::uint32_t> clip,
                                   const RenderOptions& options, const Camera& camera) {
  if (!character.is_spatial()) return std::nullopt;
  const Box box = box_over_clip(character, clip);
  SceneView view;
  if (options.orbit.empty()) {
    const Vec3 reach = glm::max(glm::abs(box.min), glm::abs(box.max));
    view = scene_view(camera, box.empty() ? 1 : reach.z * 2);
  } else {
    OrbitCamera orbit;
    orbit.yaw_degrees = options.orbit[0];
    orbit.pitch_degrees = options.orbit[1];
    orbit.viewport = camera.viewport;
    view = scene_view(fit(orbit, box, options.margin));
  }
  view.cull_back_faces = options.cull;
  return view;
}

Shot shot_of_bind_pose(const Character& character, const RenderOptions& options) {
  PosedCharacter posed;
  pose_bind(character, posed);
  const Camera camera = camera_for(options, bounds(character, posed));
  return {std::nullopt, {}, camera, scene_for(character, std::nullopt, options, camera)};
}

// The clip that was named, else the first, else none.
Result<std::optional<std::uint32_t>> chosen_clip(const Character& character, const MomentOptions& moment) {
  if (moment.clip) return find_clip(character, *moment.clip);
  if (!character.clips().empty()) return 0;
  if (moment.frame || moment.seconds)
    return fail(ExitCode::usage, "pchr: the character has no clips, so no frame or time");
  return std::nullopt;
}

Result<Shot> single_shot(const Character& character, const RenderOptions& options) {
  const auto clip = chosen_clip(character, options.moment);
  if (!clip) return std::unexpected(clip.error());
  if (!*clip) return shot_of_bind_pose(character, options);
  const auto position = find_position(character.clips()[**clip], options.moment);
  if (!position) return std::unexpected(position.error());
  if (character.clips()[**clip].frame_count == 0) return shot_of_bind_pose(character, options);
  const Camera camera = camera_for(options, clip_bounds(character, **clip));
  return Shot{*clip, *position, camera, scene_for(character, *clip, options, camera)};
}

// At most `count` frames of a clip, evenly spaced from its first to its last.
std::vector<Shot> row_of_clip(const Character& character, std::uint32_t clip, std::uint32_t count,
                              const RenderOptions& options) {
  const std::uint32_t frames = character.clips()[clip].frame_count;
  if (frames == 0) return {shot_of_bind_pose(character, options)};
  const Camera camera = camera_for(options, clip_bounds(character, clip));
  const std::optional<SceneView> scene = scene_for(character, clip, options, camera);
  const std::uint64_t steps = std::max(std::min(count, frames), 2U) - 1;
  std::vector<Shot> row;
  for (std::uint64_t i = 0; i < std::min(count, frames); ++i) {
    const auto frame = static_cast<std::uint32_t>((i * (frames - 1) + steps / 2) / steps);
    row.push_back({clip, {frame, frame, 0.0F}, camera, scene});
  }
  return row;
}

// A clip of one frame that only holds the bind pose, beside clips that move.
bool is_mere_bind_pose(const Character& character, std::uint32_t clip) {
  return character.bind_pose_source().clip == clip && character.clips()[clip].frame_count == 1 &&
         character.clips().size() > 1;
}

Result<ShotRows> contact_sheet(const Character& character, const RenderOptions& options) {
  ShotRows rows;
  if (options.moment.clip) {
    const auto clip = find_clip(character, *options.moment.clip);
    if (!clip) return std::unexpected(clip.error());
    rows.push_back(row_of_clip(character, *clip, *options.contact_sheet, options));
  } else if (character.clips().empty()) {
    rows.push_back({shot_of_bind_pose(character, options)});
  } else {
    for (std::uint32_t clip = 0; clip < character.clips().size(); ++clip) {
      if (!is_mere_bind_pose(character, clip))
        rows.push_back(row_of_clip(character, clip, *options.contact_sheet, options));
    }
  }
  return rows;
}

Result<ShotRows> plan_shots(const Character& character, const RenderOptions& options) {
  if (options.contact_sheet) return contact_sheet(character, options);
  const auto shot = single_shot(character, options);
  if (!shot) return std::unexpected(shot.error());
  return ShotRows{{*shot}};
}

// A picture with room for all tiles, in the background colour: rows may have fewer tiles than others.
Result<Bitmap> empty_picture(const ShotRows& rows, const RenderOptions& options) {
  std::size_t columns = 0;
  for (const auto& row : rows) columns = std::max(columns, row.size());
  const std::uint64_t width = std::uint64_t{options.size.width} * columns;
  const std::uint64_t height = std::uint64_t{options.size.height} * rows.size();
  if (width * height > kMaxPixels) {
    return fail(ExitCode::usage, fmt::format("pchr: the picture would have {} x {} pixels; the limit is {} megapixels",
                                             width, height, kMaxPixels >> 20));
  }
  Bitmap picture{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), {}};
  picture.rgba.resize(width * height * 4);
  for (std::size_t i = 0; i < picture.rgba.size(); ++i) picture.rgba[i] = options.background[i % 4];
  return picture;
}

void copy_into(Bitmap& picture, const Bitmap& tile, std::size_t left, std::size_t top) {
  const std::size_t row_bytes = std::size_t{tile.width} * 4;
  for (std::size_t y = 0; y < tile.height; ++y) {
    std::memcpy(&picture.rgba[((top + y) * picture.width + left) * 4], &tile.rgba[y * row_bytes], row_bytes);
  }
}

std::unexpected<Failure> no_opengl(const RenderError& error) {
  return fail(ExitCode::environment, "pchr: " + error.message);
}

Result<Bitmap> draw(const Input& input, const ShotRows& rows, const RenderOptions& options) {
  auto picture = empty_picture(rows, options);
  if (!picture) return picture;
  const auto context = HeadlessContext::create();
  if (!context) return no_opengl(context.error());
  auto target = OffscreenTarget::create(context->get_proc_address(), options.size.width, options.size.height, kSamples);
  if (!target) return no_opengl(target.error());
  auto renderer = Renderer::create(context->get_proc_address());
  if (!renderer) return no_opengl(renderer.error());
  const Bitmap white{1, 1, {255, 255, 255, 255}};
  const auto model = options.input.no_images
                         ? renderer->upload(input.character, std::vector(input.character.images().size(), white))
                         : renderer->upload(input.character, input.bitmaps);
  if (!model) return no_opengl(model.error());

  std::array<float, 4> background{};
  std::ranges::transform(options.background, background.begin(),
                         [](std::uint8_t c) { return static_cast<float>(c) / 255.0F; });
  PosedCharacter posed;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      const Shot& shot = rows[row][column];
      if (shot.clip) {
        pose_clip(input.character, *shot.clip, shot.position, posed);
      } else {
        pose_bind(input.character, posed);
      }
      target->begin(background);
      if (shot.scene) {
        renderer->draw_scene(*model, posed, *shot.scene);
      } else {
        renderer->draw(*model, posed, shot.camera);
      }
      copy_into(*picture, target->finish(), column * options.size.width, row * options.size.height);
    }
  }
  return picture;
}

Result<void> run(const RenderOptions& options) {
  std::error_code error;
  if (std::filesystem::equivalent(options.input.file, options.output, error)) {
    return fail(ExitCode::usage, "pchr: the picture would replace the character it is drawn from");
  }
  const auto input = open_input(options.input);
  if (!input) return std::unexpected(input.error());
  print_warnings(*input, options.input);
  if (!input->character.is_spatial() && (!options.orbit.empty() || options.cull)) {
    return fail(ExitCode::usage, "pchr: --orbit and --cull are for spatial characters; this one is planar");
  }
  const auto shots = plan_shots(input->character, options);
  if (!shots) return std::unexpected(shots.error());
  auto picture = draw(*input, *shots, options);
  if (!picture) return std::unexpected(picture.error());
  unpremultiply(*picture);
  const std::vector<std::byte> bytes = encode_png(*picture);
  const std::string_view png(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return options.output == "-" ? write_stdout(png) : write_file(options.output, png, Existing::replace);
}

template <class T>
bool parse_whole(std::string_view text, T& value, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size();
}

Size parse_size(const std::string& text) {
  const std::size_t x = text.find('x');
  Size size;
  const bool valid = x != std::string::npos && parse_whole(std::string_view(text).substr(0, x), size.width, 10) &&
                     parse_whole(std::string_view(text).substr(x + 1), size.height, 10);
  if (!valid || size.width < 1 || size.width > kMaxSide || size.height < 1 || size.height > kMaxSide) {
    throw CLI::ValidationError("--size",
                               fmt::format("\"{}\" is not WIDTHxHEIGHT with numbers from 1 to {}", text, kMaxSide));
  }
  return size;
}

std::array<std::uint8_t, 4> parse_background(const std::string& text) {
  if (text == "none") return {0, 0, 0, 0};
  const std::string_view digits = std::string_view(text).substr(text.starts_with('#') ? 1 : 0);
  std::uint32_t rgb = 0;
  if (digits.size() != 6 || !parse_whole(digits, rgb, 16)) {
    throw CLI::ValidationError("--background",
                               fmt::format("\"{}\" is neither none nor a colour such as #3a7bd5", text));
  }
  const auto channel = [&](std::uint32_t shift) { return static_cast<std::uint8_t>(rgb >> shift & 0xffU); };
  return {channel(16), channel(8), channel(0), 255};
}

}  // namespace

Verb add_render(CLI::App& app) {
  CLI::App* command = app.add_subcommand("render", "Draw one moment, or a contact sheet, into a PNG file");
  const auto options = std::make_shared<RenderOptions>();
  add_input_options(*command, options->input);
  add_moment_options(*command, options->moment);
  command->add_option("-o,--output", options->output, "The PNG file to write, or - for standard output (required)")
      ->required()
      ->option_text("FILE");
  command
      ->add_option_function<std::string>(
          "--size", [options](const std::string& text) { options->size = parse_size(text); },
          fmt::format("Pixels of the picture, or of each tile, up to {} (512x512)", kMaxSide))
      ->option_text("WxH");
  command
      ->add_option_function<std::string>(
          "--background", [options](const std::string& text) { options->background = parse_background(text); },
          "#rrggbb, or none for transparency (none)")
      ->option_text("COLOUR");
  command->add_option("--margin", options->margin, "Free space on each side, as a part of the picture (0.05)")
      ->option_text("F")
      ->check(CLI::Range(0.0, 0.49));
  command->add_option("--zoom", options->zoom, "Picture pixels per world pixel, instead of fitting the clip")
      ->option_text("F")
      ->check(check_finite)
      ->check([](const std::string& text) {
        return std::strtof(text.c_str(), nullptr) > 0 ? "" : text + " is not a number above 0";
      });
  command->add_option("--centre", options->centre, "World point in the middle, instead of the clip's middle")
      ->option_text("X,Y")
      ->delimiter(',')
      ->expected(2)
      ->check(check_finite);
  command->add_flag("--flip-y", options->flip_y, "The file's y points down");
  command
      ->add_option("--orbit", options->orbit,
                   "Of a .psk: from how far around to the right, and above, in degrees; with perspective")
      ->option_text("YAW,PITCH")
      ->delimiter(',')
      ->expected(2)
      ->check(check_finite)
      ->excludes("--zoom")
      ->excludes("--centre")
      ->excludes("--flip-y");
  command->add_flag("--cull", options->cull, "Of a .psk: leave out faces that look away");
  command
      ->add_option("--contact-sheet", options->contact_sheet,
                   "One row per clip: N frames, evenly spaced from first to last; a one-frame bind clip is left out")
      ->option_text("N")
      ->check(CLI::Range(1, 1000))
      ->excludes("--frame")
      ->excludes("--time");
  command->get_option("--no-images")->description("Draw all images plain white, so that broken pixels are no error");
  command->footer(
      std::string(
          R"(Writes an RGBA PNG with straight alpha. The first clip is drawn without --clip, its first frame without --frame
and --time, and the bind pose where there are no clips. The camera fits the bounds of the whole clip, so that
frames of one clip line up. The file is written beside its target and then renamed: a failure leaves what was
there. A display is not needed; OpenGL 3.3 through EGL is.

Examples:
  pchr render hero.pchr -o hero.png
  pchr render hero.pchr --clip walk --time 0.51 --smooth --size 256x256 --background '#20242c' -o walk.png
  pchr render hero.pchr --clip walk --frame 3 --zoom 2 --centre 0,120 -o face.png
  pchr render hero.pchr --contact-sheet 8 --size 128x128 -o sheet.png
  pchr render hero.psk --animation run.psa --orbit 30,15 -o run.png

)") + kExitCodes);
  return {command, [options] { return run(*options); }};
}

}  // namespace pchr::tools
