// SPDX-License-Identifier: MIT
// A framebuffer that is read back.
#include <pchr/offscreen.hpp>

#include "render/gl_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

namespace pchr {
namespace {

/// A framebuffer with one RGBA8 colour buffer.
struct Surface {
  GLuint framebuffer = 0, colour = 0;
};

// The caller restores the bindings.
Surface make_surface(const Gl& gl, GLsizei width, GLsizei height, GLsizei samples) {
  Surface surface;
  gl.GenRenderbuffers(1, &surface.colour);
  gl.BindRenderbuffer(GL_RENDERBUFFER, surface.colour);
  gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
  gl.GenFramebuffers(1, &surface.framebuffer);
  gl.BindFramebuffer(GL_FRAMEBUFFER, surface.framebuffer);
  gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, surface.colour);
  return surface;
}

void destroy(const Gl& gl, const Surface& surface) {
  gl.DeleteFramebuffers(1, &surface.framebuffer);
  gl.DeleteRenderbuffers(1, &surface.colour);
}

void flip_rows(Bitmap& bitmap) {
  const std::size_t row = std::size_t{bitmap.width} * 4;
  std::uint8_t* const pixels = bitmap.rgba.data();
  for (std::size_t top = 0, bottom = bitmap.height - 1; top < bottom; ++top, --bottom) {
    std::swap_ranges(pixels + top * row, pixels + (top + 1) * row, pixels + bottom * row);
  }
}

}  // namespace

struct OffscreenTarget::Resources {
  std::shared_ptr<const Gl> gl;
  std::uint32_t width, height;
  Surface picture;                     ///< What is read back.
  Surface samples;                     ///< What is drawn into; `picture` itself without multisampling.
  std::optional<SavedTarget> saved{};  ///< Between begin and finish.

  ~Resources() {
    if (samples.framebuffer != picture.framebuffer) destroy(*gl, samples);
    destroy(*gl, picture);
  }
};

OffscreenTarget::OffscreenTarget(std::unique_ptr<Resources> resources) noexcept : resources_(std::move(resources)) {}
OffscreenTarget::OffscreenTarget(OffscreenTarget&&) noexcept = default;
OffscreenTarget& OffscreenTarget::operator=(OffscreenTarget&&) noexcept = default;
OffscreenTarget::~OffscreenTarget() = default;

std::expected<OffscreenTarget, RenderError> OffscreenTarget::create(GetProcAddress get_proc_address,
                                                                    std::uint32_t width, std::uint32_t height,
                                                                    std::uint32_t samples) {
  auto loaded = load_gl(get_proc_address);
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  const std::shared_ptr<const Gl> gl = std::move(*loaded);

  std::array<GLint, 2> largest_viewport{};
  gl->GetIntegerv(GL_MAX_VIEWPORT_DIMS, largest_viewport.data());
  const GLint largest_buffer = get_integer(*gl, GL_MAX_RENDERBUFFER_SIZE);
  const auto max_width = static_cast<std::uint32_t>(std::min(largest_buffer, largest_viewport[0]));
  const auto max_height = static_cast<std::uint32_t>(std::min(largest_buffer, largest_viewport[1]));
  if (width == 0 || height == 0 || width > max_width || height > max_height) {
    return std::unexpected(
        RenderError{fmt::format("A picture of {} x {} pixels cannot be made; this context allows 1 x 1 to {} x {}.",
                                width, height, max_width, max_height)});
  }

  const SavedTarget saved(*gl);
  const auto max_samples = static_cast<std::uint32_t>(get_integer(*gl, GL_MAX_SAMPLES));
  const auto sample_count = static_cast<GLsizei>(std::min(samples, max_samples));
  const auto columns = static_cast<GLsizei>(width), rows = static_cast<GLsizei>(height);
  const Surface picture = make_surface(*gl, columns, rows, 0);
  const bool multisampled = sample_count > 1;
  std::unique_ptr<Resources> resources(new Resources{
      gl, width, height, picture, multisampled ? make_surface(*gl, columns, rows, sample_count) : picture});
  if (gl->CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    return std::unexpected(RenderError{fmt::format(
        "This context cannot draw into a picture of {} x {} pixels with {} samples.", width, height, samples)});
  }
  return OffscreenTarget(std::move(resources));
}

void OffscreenTarget::begin(std::array<float, 4> premultiplied_colour) {
  Resources& target = *resources_;
  const Gl& gl = *target.gl;
  if (!target.saved) target.saved.emplace(gl);
  gl.BindFramebuffer(GL_FRAMEBUFFER, target.samples.framebuffer);
  gl.Viewport(0, 0, static_cast<GLsizei>(target.width), static_cast<GLsizei>(target.height));
  gl.Disable(GL_SCISSOR_TEST);
  gl.ColorMaski(0, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  gl.ClearBufferfv(GL_COLOR, 0, premultiplied_colour.data());
}

Bitmap OffscreenTarget::finish() {
  Resources& target = *resources_;
  const Gl& gl = *target.gl;
  assert(target.saved);
  const auto width = static_cast<GLsizei>(target.width), height = static_cast<GLsizei>(target.height);
  if (target.samples.framebuffer != target.picture.framebuffer) {
    gl.BindFramebuffer(GL_READ_FRAMEBUFFER, target.samples.framebuffer);
    gl.BindFramebuffer(GL_DRAW_FRAMEBUFFER, target.picture.framebuffer);
    gl.Disable(GL_SCISSOR_TEST);
    gl.BlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  }
  gl.BindFramebuffer(GL_READ_FRAMEBUFFER, target.picture.framebuffer);
  Bitmap bitmap{target.width, target.height, std::vector<std::uint8_t>(std::size_t{4} * target.width * target.height)};
  {
    const SavedPixelTransfer pack(gl, PixelTransfer::pack);
    gl.ReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, bitmap.rgba.data());
  }
  target.saved.reset();
  flip_rows(bitmap);
  return bitmap;
}

void unpremultiply(Bitmap& bitmap) noexcept {
  for (std::size_t i = 0; i + 3 < bitmap.rgba.size(); i += 4) {
    const unsigned alpha = bitmap.rgba[i + 3];
    if (alpha == 0 || alpha == 255) continue;
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const unsigned straight = (bitmap.rgba[i + channel] * 255U + alpha / 2) / alpha;
      bitmap.rgba[i + channel] = static_cast<std::uint8_t>(std::min(straight, 255U));
    }
  }
}

}  // namespace pchr
