// SPDX-License-Identifier: MIT
// The canvas of the context as a target. Reading it back gives what a page would show.
#include <pchr/offscreen.hpp>

#include "render/gl.hpp"

#include <algorithm>
#include <deque>

#define PCHR_CANVAS_IMPORT(name, result) \
  extern "C" __attribute__((import_module("gl"), import_name(#name))) result pchr_gl##name
PCHR_CANVAS_IMPORT(Clear, void)(GLbitfield mask);
PCHR_CANVAS_IMPORT(Viewport, void)(GLint x, GLint y, GLsizei width, GLsizei height);
PCHR_CANVAS_IMPORT(ReadPixels, void)
(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void* pixels);
/// Returns whether the browser has a canvas of that size.
PCHR_CANVAS_IMPORT(ResizeCanvas, int)(GLsizei width, GLsizei height);

namespace pchr {

struct OffscreenTarget::Resources {
  std::shared_ptr<const Gl> gl;
  GLsizei width, height;
  std::deque<Bitmap> sent{};
};

OffscreenTarget::OffscreenTarget(std::unique_ptr<Resources> resources) noexcept
    : resources_(resources.release(), [](Resources* owned) { delete owned; }) {}

Expected<OffscreenTarget, RenderError> OffscreenTarget::create(const Renderer& renderer, std::uint32_t width,
                                                               std::uint32_t height, std::uint32_t /*samples*/) {
  const auto columns = static_cast<GLsizei>(width), rows = static_cast<GLsizei>(height);
  if (pchr_glResizeCanvas(columns, rows) == 0) return fail("this browser cannot draw an image of this size");
  return OffscreenTarget(std::unique_ptr<Resources>(new Resources{renderer.gl(), columns, rows}));
}

void OffscreenTarget::begin(std::array<float, 4> premultiplied_color) {
  pchr_glViewport(0, 0, resources_->width, resources_->height);
  resources_->gl->ClearBufferfv(GL_COLOR, 0, premultiplied_color.data());
  pchr_glClear(GL_DEPTH_BUFFER_BIT);
}

Bitmap OffscreenTarget::finish() {
  Bitmap bitmap{static_cast<std::uint32_t>(resources_->width), static_cast<std::uint32_t>(resources_->height), {}};
  const std::size_t row = std::size_t{bitmap.width} * 4;
  bitmap.rgba.resize(row * bitmap.height);
  std::uint8_t* const pixels = bitmap.rgba.data();
  pchr_glReadPixels(0, 0, resources_->width, resources_->height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  for (std::size_t top = 0, bottom = bitmap.height - 1; top < bottom; ++top, --bottom) {
    std::swap_ranges(pixels + top * row, pixels + (top + 1) * row, pixels + bottom * row);
  }
  return bitmap;
}

void OffscreenTarget::send() { resources_->sent.push_back(finish()); }
std::size_t OffscreenTarget::in_flight() const noexcept { return resources_->sent.size(); }

bool OffscreenTarget::receive(Bitmap& bitmap) {
  if (resources_->sent.empty()) return false;
  bitmap = std::move(resources_->sent.front());
  resources_->sent.pop_front();
  return true;
}

}  // namespace pchr
