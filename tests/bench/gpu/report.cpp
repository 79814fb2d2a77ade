// SPDX-License-Identifier: MIT
#include "report.hpp"

#include "character/format.hpp"

#include <cmath>

namespace pchr::bench {
namespace {

/// Returns a number with a prefix: 2500000 is "2.5 M".
std::string short_number(double value) {
  if (value < 1e3) return format_text("{:.1f} ", value);
  if (value < 1e6) return format_text("{:.1f} k", value / 1e3);
  if (value < 1e9) return format_text("{:.1f} M", value / 1e6);
  return format_text("{:.1f} G", value / 1e9);
}

std::string percent(double part, double whole) {
  return format_text("{}%", whole > 0 ? std::lround(100 * part / whole) : 0L);
}

std::string milliseconds(double seconds) { return format_text("{:.3f}", 1e3 * seconds); }

void add_row(std::string& text, const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) text += "| " + cell + " ";
  text += "|\n";
}

void add_head(std::string& text, const std::vector<std::string>& cells) {
  text += '\n';
  add_row(text, cells);
  for (std::size_t i = 0; i < cells.size(); ++i) text += "|---";
  text += "|\n";
}

void add_hardware(std::string& text, const HardwareRates& rates) {
  add_head(text, {"the hardware alone", "per second"});
  add_row(text, {"vertices of a grid, no pixels", short_number(rates.vertices)});
  add_row(text, {"triangles of the same grid", short_number(rates.triangles)});
  add_row(text, {"blended pixels of one color", short_number(rates.pixels)});
  add_row(text, {"blended pixels of a texture", short_number(rates.textured_pixels)});
  add_row(text, {"bytes into a buffer", short_number(rates.buffer_bytes) + "B"});
  add_row(text, {"bytes into a texture", short_number(rates.texture_bytes) + "B"});
  add_row(text, {"texels whose mipmaps the driver makes", short_number(rates.mipmap_texels)});
}

void add_crowds(std::string& text, const Device& device, const HardwareRates& rates,
                const std::vector<CrowdCost>& crowds) {
  add_head(text, {"Kiris 60 pixels high", "frame, ms", "CPU, ms", "GPU, ms", "vertices alone, ms", "draw calls",
                  "uploaded", "limited by"});
  for (const CrowdCost& cost : crowds) {
    add_row(text, {format_text("{}, {}", cost.count, name_of(cost.motion)), milliseconds(cost.times.whole),
                   milliseconds(cost.times.cpu), milliseconds(cost.times.gpu), milliseconds(cost.vertices_only.gpu),
                   format_text("{}", cost.draw_calls), short_number(static_cast<double>(cost.uploaded_bytes)) + "B",
                   device.is_software ? "-" : std::string(find_limit(cost, rates).name)});
  }
  add_head(text, {"shares of the frame", "CPU", "vertices", "triangles", "fill", "upload"});
  for (const CrowdCost& cost : crowds) {
    const Limit limit = find_limit(cost, rates);
    const double whole = cost.times.whole;
    add_row(text, {format_text("{}, {}", cost.count, name_of(cost.motion)), percent(limit.cpu, whole),
                   percent(limit.vertices, whole), percent(limit.triangles, whole), percent(limit.pixels, whole),
                   percent(limit.upload, whole)});
  }
  add_head(text, {"per second", "vertices", "of the hardware's", "triangles", "of the hardware's", "pixels",
                  "of the hardware's"});
  for (const CrowdCost& cost : crowds) {
    const double vertices = static_cast<double>(cost.vertices) / cost.vertices_only.gpu;
    const double triangles = static_cast<double>(cost.triangles) / cost.times.gpu;
    const double pixels = static_cast<double>(cost.pixels) / cost.times.gpu;
    add_row(text, {format_text("{}, {}", cost.count, name_of(cost.motion)), short_number(vertices),
                   percent(vertices, rates.vertices), short_number(triangles), percent(triangles, rates.triangles),
                   short_number(pixels), percent(pixels, rates.textured_pixels)});
  }
}

void add_upload(std::string& text, const HardwareRates& rates, const CrowdCosts& costs) {
  add_head(text, {"uploading a character", "per second", "of the hardware's bytes into a texture"});
  add_row(text, {"Kiri with mipmaps, decoded before", short_number(costs.upload_bytes) + "B",
                 percent(costs.upload_bytes, rates.texture_bytes)});
}

void add_pixels(std::string& text, const std::vector<PixelCost>& costs) {
  add_head(text, {"pixels of baked Kiris", "trilinear, ms", "bilinear, no mipmaps, ms", "nearest, ms",
                  "pixels drawn per pixel covered", "of them transparent", "skipping those saves"});
  for (const PixelCost& cost : costs) {
    const double pixels = static_cast<double>(cost.pixels);
    add_row(text, {format_text("{}, {} pixels high", cost.count, std::lround(cost.height)),
                   milliseconds(cost.trilinear), milliseconds(cost.bilinear), milliseconds(cost.nearest),
                   format_text("{:.1f}", pixels / static_cast<double>(std::max<std::uint64_t>(cost.covered_pixels, 1))),
                   percent(static_cast<double>(cost.transparent_pixels), pixels),
                   percent(cost.hook - cost.skipping, cost.hook)});
  }
}

}  // namespace

std::string write_tables(const Device& device, const HardwareRates& rates, const CrowdCosts& costs) {
  std::string text = device.name;
  if (device.is_software)
    text +=
        ". **This is a software renderer, so the processor does everything, and the figures say nothing about a GPU.**";
  text += format_text("\n\n{} x {} pixels, best of many rounds.\n", kWidth, kHeight);
  add_hardware(text, rates);
  add_crowds(text, device, rates, costs.crowds);
  add_pixels(text, costs.pixels);
  add_upload(text, rates, costs);
  return text;
}

std::string write_csv(const Device& device, const HardwareRates& rates, const CrowdCosts& costs) {
  std::string text = "benchmark,figure,value\n";
  const auto add = [&](std::string_view benchmark, std::string_view figure, double value) {
    text += format_text("gpu_{},{},{}\n", benchmark, figure, value);
  };
  add("device", "is_software", device.is_software ? 1 : 0);
  add("hardware", "vertices_per_s", rates.vertices);
  add("hardware", "triangles_per_s", rates.triangles);
  add("hardware", "pixels_per_s", rates.pixels);
  add("hardware", "textured_pixels_per_s", rates.textured_pixels);
  add("hardware", "buffer_bytes_per_s", rates.buffer_bytes);
  add("hardware", "texture_bytes_per_s", rates.texture_bytes);
  add("hardware", "mipmap_texels_per_s", rates.mipmap_texels);
  add("upload", "bytes_per_s", costs.upload_bytes);
  for (const CrowdCost& cost : costs.crowds) {
    constexpr std::string_view kKeys[] = {"baked", "baked_smooth", "crossfading", "posed"};
    const std::string name = format_text("{}/{}", kKeys[std::to_underlying(cost.motion)], cost.count);
    add(name, "frame_s", cost.times.whole);
    add(name, "cpu_s", cost.times.cpu);
    add(name, "gpu_s", cost.times.gpu);
    add(name, "vertices_only_s", cost.vertices_only.gpu);
    add(name, "vertices", static_cast<double>(cost.vertices));
    add(name, "triangles", static_cast<double>(cost.triangles));
    add(name, "pixels", static_cast<double>(cost.pixels));
    add(name, "uploaded_bytes", static_cast<double>(cost.uploaded_bytes));
    add(name, "draw_calls", cost.draw_calls);
  }
  for (const PixelCost& cost : costs.pixels) {
    const std::string name = format_text("pixels/{}/{}", cost.count, std::lround(cost.height));
    add(name, "trilinear_s", cost.trilinear);
    add(name, "bilinear_s", cost.bilinear);
    add(name, "nearest_s", cost.nearest);
    add(name, "hook_s", cost.hook);
    add(name, "skipping_s", cost.skipping);
    add(name, "pixels", static_cast<double>(cost.pixels));
    add(name, "transparent_pixels", static_cast<double>(cost.transparent_pixels));
    add(name, "covered_pixels", static_cast<double>(cost.covered_pixels));
  }
  return text;
}

}  // namespace pchr::bench
