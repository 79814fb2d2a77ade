// SPDX-License-Identifier: MIT
// Makes one image of the sample character as `pchr render` does, with an OpenGL that does nothing, to count
// instructions without a quiet machine:
//   valgrind --tool=callgrind --toggle-collect='run_counted*' render_instructions load
#include "idle_gl.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/queries.hpp>
#include <pchr/renderer.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

using namespace pchr;

namespace {

constexpr std::uint32_t kSide = 512;

struct Loaded {
  Character character;
  std::vector<Bitmap> bitmaps;
};

Loaded load() {
  auto character = pchr::load(PCHR_ASSETS_DIR "/kiri.pchr");
  if (!character) std::abort();
  auto bitmaps = decode_images(*character);
  if (!bitmaps) std::abort();
  return {*std::move(character), *std::move(bitmaps)};
}

void draw(const Loaded& loaded) {
  const ClipId walk = loaded.character.find_clip("walk");
  const Rect reach = compute_clip_bounds(loaded.character, walk);
  auto renderer = Renderer::create(bench::idle_get_proc_address, {.compile_on_first_use = true});
  if (!renderer) std::abort();
  auto model = renderer->upload(loaded.character, loaded.bitmaps);
  if (!model) std::abort();
  PoseBuffers posed;
  pose_clip(loaded.character, walk, {5, 6, 0.5F}, posed);
  renderer->draw(*model, posed, fit({.viewport = {kSide, kSide}}, reach));
}

/// A part of the sample's atlas, because nothing was drawn.
Bitmap image_of(const Bitmap& atlas) {
  if (std::min(atlas.width, atlas.height) < kSide) std::abort();
  Bitmap image{kSide, kSide, {}};
  for (std::uint32_t y = 0; y < kSide; ++y) {
    const auto row = atlas.rgba.begin() + std::ptrdiff_t{4} * y * atlas.width;
    image.rgba.insert(image.rgba.end(), row, row + std::ptrdiff_t{4} * kSide);
  }
  return image;
}

}  // namespace

[[gnu::noinline]] void run_counted_load() { load(); }
[[gnu::noinline]] void run_counted_upload(Renderer& renderer, const Loaded& loaded) {
  auto model = renderer.upload(loaded.character, loaded.bitmaps);
  if (!model) std::abort();
  renderer.bake(*model, loaded.character.find_clip("walk"), Sampling::step);
}
[[gnu::noinline]] void run_counted_draw(const Loaded& loaded) { draw(loaded); }
[[gnu::noinline]] void run_counted_encode(Bitmap& image, PngCompression compression) {
  unpremultiply(image);
  if (encode_png(image, compression).empty()) std::abort();
}

int main(int argument_count, char** arguments) {
  const std::string_view work = argument_count > 1 ? arguments[1] : "";
  if (work == "load") {
    run_counted_load();
  } else if (work == "upload") {
    auto renderer = Renderer::create(bench::idle_get_proc_address, {.compile_on_first_use = true});
    if (!renderer) std::abort();
    run_counted_upload(*renderer, load());
  } else if (work == "draw") {
    run_counted_draw(load());
  } else if (work == "encode" || work == "encode_fast") {
    Bitmap image = image_of(load().bitmaps[0]);
    run_counted_encode(image, work == "encode" ? PngCompression::normal : PngCompression::fast);
  } else {
    std::fputs("usage: render_instructions (load|upload|draw|encode|encode_fast)\n", stderr);
    return 2;
  }
  std::puts("1 image");
}
