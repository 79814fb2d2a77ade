// SPDX-License-Identifier: MIT
// Draws a character without OpenGL: rasterizes the triangles of its draw stream on the CPU. Vulkan, Metal, Direct3D or
// a canvas would draw the same stream.
//
//   software FILE CLIP FRAME OUTPUT.ppm
#include <pchr/queries.hpp>
#include <pchr/geometry.hpp>
#include <pchr/draw_list.hpp>
#include <pchr/image.hpp>
#include <pchr/load.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using pchr::StreamVertex;
using pchr::Vec2;
using Color = std::array<float, 4>;  // Premultiplied, 0..255.

constexpr int kSide = 480;

struct Canvas {
  std::vector<Color> pixels = std::vector<Color>(kSide * kSide, Color{242, 237, 229, 255});
};

/// Samples the image at `uv` with bilinear filtering.
Color sample(const pchr::Bitmap& image, Vec2 uv) {
  const float x = uv.x * static_cast<float>(image.width) - 0.5F, y = uv.y * static_cast<float>(image.height) - 0.5F;
  const float left = std::floor(x), top = std::floor(y);
  Color sum{};
  for (int i = 0; i < 4; ++i) {
    const auto at = [](float value, std::uint32_t size) {
      return static_cast<std::size_t>(std::clamp(value, 0.0F, static_cast<float>(size - 1)));
    };
    const float dx = static_cast<float>(i % 2), dy = static_cast<float>(i / 2);
    const std::size_t pixel = at(top + dy, image.height) * image.width + at(left + dx, image.width);
    const float share = (1 - std::abs(x - left - dx)) * (1 - std::abs(y - top - dy));
    for (std::size_t channel = 0; channel < 4; ++channel) sum[channel] += share * image.rgba[pixel * 4 + channel];
  }
  return sum;
}

/// Blends one triangle over the canvas. Its corners are in pixels.
void fill(Canvas& canvas, const pchr::Bitmap& image, const std::array<StreamVertex, 3>& corners) {
  const auto& [a, b, c] = corners;
  const float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (area == 0) return;
  const auto first = [](float value) { return std::max(static_cast<int>(std::floor(value)), 0); };
  const auto last = [](float value) { return std::min(static_cast<int>(std::ceil(value)), kSide - 1); };
  for (int y = first(std::min({a.y, b.y, c.y})); y <= last(std::max({a.y, b.y, c.y})); ++y) {
    for (int x = first(std::min({a.x, b.x, c.x})); x <= last(std::max({a.x, b.x, c.x})); ++x) {
      const float px = static_cast<float>(x) + 0.5F, py = static_cast<float>(y) + 0.5F;
      const float of_b = ((px - a.x) * (c.y - a.y) - (py - a.y) * (c.x - a.x)) / area;
      const float of_c = ((b.x - a.x) * (py - a.y) - (b.y - a.y) * (px - a.x)) / area;
      const float of_a = 1 - of_b - of_c;
      if (of_a < 0 || of_b < 0 || of_c < 0) continue;
      const Vec2 uv{of_a * a.u + of_b * b.u + of_c * c.u, of_a * a.v + of_b * b.v + of_c * c.v};
      Color color = sample(image, uv);
      for (std::size_t channel = 0; channel < 4; ++channel)
        color[channel] *= static_cast<float>(a.color[channel]) / 255;
      Color& below = canvas.pixels[static_cast<std::size_t>(y * kSide + x)];
      for (std::size_t channel = 0; channel < 4; ++channel) {
        below[channel] = color[channel] + below[channel] * (1 - color[3] / 255);
      }
    }
  }
}

bool write_ppm(const char* path, const Canvas& canvas) {
  std::FILE* file = std::fopen(path, "wb");
  if (file == nullptr) return false;
  std::fprintf(file, "P6 %d %d 255\n", kSide, kSide);
  for (const Color& pixel : canvas.pixels) {
    for (std::size_t channel = 0; channel < 3; ++channel) {
      std::fputc(static_cast<int>(std::clamp(pixel[channel] + 0.5F, 0.0F, 255.0F)), file);
    }
  }
  return std::fclose(file) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint32_t frame = 0;
  if (argc != 5 || std::from_chars(argv[3], argv[3] + std::strlen(argv[3]), frame).ec != std::errc()) {
    std::fprintf(stderr, "Usage: %s FILE CLIP FRAME OUTPUT.ppm\n", argv[0]);
    return 2;
  }
  const auto character = pchr::load(argv[1]);
  if (!character) {
    std::fprintf(stderr, "%s\n", pchr::describe(character.error(), argv[1]).c_str());
    return 1;
  }
  const auto images = pchr::decode_images(*character);
  const pchr::ClipId clip = character->find_clip(argv[2]);
  if (!images || clip == pchr::ClipId::none || frame >= character->clips()[clip].frame_count) {
    std::fprintf(stderr, "%s: no frame %u in a clip \"%s\", or an invalid image\n", argv[1], frame, argv[2]);
    return 1;
  }

  pchr::PoseBuffers posed;
  pchr::pose_clip(*character, clip, {frame, frame, 0}, posed);
  pchr::DrawStream stream;
  // The placement maps the character directly to pixels.
  const pchr::Camera camera = pchr::fit({{}, 1, Vec2(kSide)}, pchr::bounds(*character, posed));
  pchr::append_draw_stream(*character, posed, {{pchr::world_to_viewport(camera)}}, stream);

  Canvas canvas;
  for (const pchr::StreamCommand& command : stream.commands) {
    for (std::uint32_t i = command.first_index; i < command.first_index + command.index_count; i += 3) {
      const auto corner = [&](std::uint32_t number) { return stream.vertices[stream.indices[i + number]]; };
      fill(canvas, (*images)[index(command.image)], {corner(0), corner(1), corner(2)});
    }
  }
  std::printf("%zu vertices, %zu triangles, %zu commands\n", stream.vertices.size(), stream.indices.size() / 3,
              stream.commands.size());
  return write_ppm(argv[4], canvas) ? 0 : 3;
}
