// SPDX-License-Identifier: MIT
#include "character/format.hpp"
#include "render/gl_state.hpp"
#include "render/program.hpp"

#include <pchr/offscreen.hpp>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <deque>

namespace pchr {
namespace {

constexpr char kCoverAll[] = R"(#version 330 core
void main() { gl_Position = vec4(4 * (gl_VertexID & 1) - 1, 2 * (gl_VertexID & 2) - 1, 0, 1); }
)";

constexpr char kAverage[] = R"(
uniform sampler2DMS image;
out vec4 color;
void main() {
  vec4 sum = vec4(0);
  for (int i = 0; i < SAMPLES; ++i) sum += texelFetch(image, ivec2(gl_FragCoord.xy), i);
  color = sum * (1.0 / float(SAMPLES));
}
)";

/// Returns whether a triangle would fill the framebuffer and change nothing else, given what SavedTests does not have.
bool draws_plainly(const Gl& gl) {
  constexpr std::array kCapabilities{GL_RASTERIZER_DISCARD, GL_COLOR_LOGIC_OP, GL_CLIP_DISTANCE0, GL_CLIP_DISTANCE1,
                                     GL_CLIP_DISTANCE2,     GL_CLIP_DISTANCE3, GL_CLIP_DISTANCE4, GL_CLIP_DISTANCE5,
                                     GL_CLIP_DISTANCE6,     GL_CLIP_DISTANCE7};
  constexpr std::array kQueries{GL_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED, GL_PRIMITIVES_GENERATED};
  const auto is_active = [&](GLenum query) {
    GLint name = 0;
    gl.GetQueryiv(query, GL_CURRENT_QUERY, &name);
    return name != 0;
  };
  std::array<GLint, 2> polygon_modes{};  // Some contexts have one for each side.
  gl.GetIntegerv(GL_POLYGON_MODE, polygon_modes.data());
  return polygon_modes[0] == GL_FILL && get_integer(gl, GL_TRANSFORM_FEEDBACK_ACTIVE) == GL_FALSE &&
         std::ranges::none_of(kCapabilities, [&](GLenum each) { return gl.IsEnabled(each) == GL_TRUE; }) &&
         std::ranges::none_of(kQueries, is_active);
}

/// Resolves multisampled textures as glBlitFramebuffer does, but with a program that Mesa's llvmpipe keeps on disk. The
/// one of glBlitFramebuffer is compiled by every process, for 30 ms and more.
class Resolver {
 public:
  Resolver(std::shared_ptr<const Gl> gl, GLsizei samples);
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;
  ~Resolver();

  /// Resolves into the bound framebuffer. Returns false if the caller's state changes more than colors, as a query
  /// does. Changes the viewport, the scissor test and the color mask.
  [[nodiscard]] bool resolve(GLuint texture, GLsizei width, GLsizei height) const;

 private:
  std::shared_ptr<const Gl> gl_;
  GLuint program_ = 0, vertex_array_ = 0;
};

Resolver::Resolver(std::shared_ptr<const Gl> gl, GLsizei samples) : gl_(std::move(gl)) {
  const std::string head = format_text("#version 330 core\n#define SAMPLES {}\n", samples);
  const auto program = link_program(*gl_, {{GL_VERTEX_SHADER, "the shaders", {kCoverAll}},
                                           {GL_FRAGMENT_SHADER, "the shaders", {head.c_str(), kAverage}}});
  program_ = program.value_or(0);
  gl_->GenVertexArrays(1, &vertex_array_);
}

Resolver::~Resolver() {
  gl_->DeleteProgram(program_);
  gl_->DeleteVertexArrays(1, &vertex_array_);
}

bool Resolver::resolve(GLuint texture, GLsizei width, GLsizei height) const {
  const Gl& gl = *gl_;
  if (program_ == 0 || !draws_plainly(gl)) return false;
  const SavedBindings bindings(gl);
  const SavedTests tests(gl);
  for (const GLenum test : tests_of(gl)) gl.Disable(test);
  set_blending(gl, {});
  gl.Viewport(0, 0, width, height);
  gl.Disable(GL_SCISSOR_TEST);
  set_color_mask(gl, {GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE});
  gl.ActiveTexture(GL_TEXTURE0);
  const GLuint before = get_name(gl, GL_TEXTURE_BINDING_2D_MULTISAMPLE);
  gl.BindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
  gl.UseProgram(program_);
  gl.BindVertexArray(vertex_array_);
  gl.DrawArrays(GL_TRIANGLES, 0, 3);
  gl.BindTexture(GL_TEXTURE_2D_MULTISAMPLE, before);
  return true;
}

/// A framebuffer with an RGBA8 color buffer or texture and, if drawn into, depth.
struct Surface {
  GLuint framebuffer = 0, color = 0, texture = 0, depth = 0;
};

// Changes bindings, which the caller restores.
Surface make_surface(const Gl& gl, GLsizei width, GLsizei height, GLsizei samples, bool with_depth) {
  Surface surface;
  gl.GenFramebuffers(1, &surface.framebuffer);
  gl.BindFramebuffer(GL_FRAMEBUFFER, surface.framebuffer);
  if (samples > 1 && gl.is_llvmpipe && !gl.is_es) {
    const GLuint before = get_name(gl, GL_TEXTURE_BINDING_2D_MULTISAMPLE);
    gl.GenTextures(1, &surface.texture);
    gl.BindTexture(GL_TEXTURE_2D_MULTISAMPLE, surface.texture);
    gl.TexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, samples, GL_RGBA8, width, height, GL_TRUE);
    gl.BindTexture(GL_TEXTURE_2D_MULTISAMPLE, before);
    gl.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, surface.texture, 0);
  } else {
    gl.GenRenderbuffers(1, &surface.color);
    gl.BindRenderbuffer(GL_RENDERBUFFER, surface.color);
    gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_RGBA8, width, height);
    gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, surface.color);
  }
  if (!with_depth) return surface;
  gl.GenRenderbuffers(1, &surface.depth);
  gl.BindRenderbuffer(GL_RENDERBUFFER, surface.depth);
  gl.RenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH_COMPONENT24, width, height);
  gl.FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, surface.depth);
  return surface;
}

void destroy(const Gl& gl, const Surface& surface) {
  gl.DeleteFramebuffers(1, &surface.framebuffer);
  gl.DeleteRenderbuffers(1, &surface.color);
  gl.DeleteTextures(1, &surface.texture);
  gl.DeleteRenderbuffers(1, &surface.depth);
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
  GLsizei width, height;
  Surface resolved;                    ///< For reading back.
  Surface samples;                     ///< For drawing. Equals `resolved` without multisampling.
  std::optional<Resolver> resolver{};  ///< For `samples.texture`.
  std::optional<SavedTarget> saved{};  ///< From begin() to finish() or send().
  std::deque<GLuint> sent{};           ///< Pixel buffers of images in flight, oldest first.
  std::vector<GLuint> spare{};         ///< Free pixel buffers.
  std::deque<GLsync> held{};           ///< Fences that must not be destroyed yet, oldest first.

  /// Ends the image: reads it into `pixels` or, if null, into a pixel buffer. Restores the caller's target.
  void read(std::uint8_t* pixels) {
    assert(saved);
    hold_fence();
    if (samples.framebuffer != resolved.framebuffer) {
      gl->BindFramebuffer(GL_READ_FRAMEBUFFER, samples.framebuffer);
      gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved.framebuffer);
      if (!resolver || !resolver->resolve(samples.texture, width, height)) {
        gl->Disable(GL_SCISSOR_TEST);
        gl->BlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
      }
      hold_fence();
    }
    gl->BindFramebuffer(GL_READ_FRAMEBUFFER, resolved.framebuffer);
    const SavedPixelTransfer pack(*gl, kPack);
    if (pixels == nullptr) gl->BindBuffer(GL_PIXEL_PACK_BUFFER, take_buffer());
    gl->ReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    hold_fence();
    saved.reset();
  }

  // The software renderer (Mesa 22.3) makes a fence for each part of an image: drawing, resolving, reading back. It
  // destroys a fence without other owners once it is signaled, perhaps before the thread that signals it has let go of
  // it, which corrupts memory. That thread has let go when a later fence is signaled.
  void hold_fence() {
    if (gl->is_llvmpipe) held.push_back(gl->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0));
  }

  /// Releases the fences of images that are not in flight, except for the last.
  void release_fences() {
    constexpr std::size_t kPerImage = 3;
    for (; held.size() > kPerImage * sent.size() + 1; held.pop_front()) gl->DeleteSync(held.front());
  }

  /// Returns the pixel buffer for the image being sent.
  GLuint take_buffer() {
    if (spare.empty()) {
      gl->GenBuffers(1, &spare.emplace_back());
      gl->BindBuffer(GL_PIXEL_PACK_BUFFER, spare.back());
      gl->BufferData(GL_PIXEL_PACK_BUFFER, GLsizeiptr{4} * width * height, nullptr, GL_STREAM_READ);
    }
    sent.push_back(spare.back());
    spare.pop_back();
    return sent.back();
  }

  ~Resources() {
    for (const GLsync fence : held) gl->DeleteSync(fence);
    gl->DeleteBuffers(static_cast<GLsizei>(spare.size()), spare.data());
    for (const GLuint buffer : sent) gl->DeleteBuffers(1, &buffer);
    if (samples.framebuffer != resolved.framebuffer) destroy(*gl, samples);
    destroy(*gl, resolved);
  }
};

OffscreenTarget::OffscreenTarget(std::unique_ptr<Resources> resources) noexcept
    : resources_(resources.release(), [](Resources* owned) { delete owned; }) {}

Expected<OffscreenTarget, RenderError> OffscreenTarget::create(GetProcAddress get_proc_address, std::uint32_t width,
                                                               std::uint32_t height, std::uint32_t samples) {
  auto loaded = load_gl(get_proc_address);
  if (!loaded) return Unexpected(std::move(loaded.error()));
  return make(std::move(*loaded), width, height, samples);
}

Expected<OffscreenTarget, RenderError> OffscreenTarget::create(const Renderer& renderer, std::uint32_t width,
                                                               std::uint32_t height, std::uint32_t samples) {
  return make(renderer.gl(), width, height, samples);
}

Expected<OffscreenTarget, RenderError> OffscreenTarget::make(std::shared_ptr<const Gl> gl, std::uint32_t width,
                                                             std::uint32_t height, std::uint32_t samples) {
  std::array<GLint, 2> largest_viewport{};
  gl->GetIntegerv(GL_MAX_VIEWPORT_DIMS, largest_viewport.data());
  const GLint largest_buffer = get_integer(*gl, GL_MAX_RENDERBUFFER_SIZE);
  const auto max_width = static_cast<std::uint32_t>(std::min(largest_buffer, largest_viewport[0]));
  const auto max_height = static_cast<std::uint32_t>(std::min(largest_buffer, largest_viewport[1]));
  if (width == 0 || height == 0 || width > max_width || height > max_height) {
    return fail(format_text("cannot create an image of {} x {} pixels; this context allows 1 x 1 to {} x {}", width,
                            height, max_width, max_height));
  }

  const SavedTarget saved(*gl);
  const auto max_samples = static_cast<std::uint32_t>(get_integer(*gl, GL_MAX_SAMPLES));
  const auto sample_count = static_cast<GLsizei>(std::min(samples, max_samples));
  const auto columns = static_cast<GLsizei>(width), rows = static_cast<GLsizei>(height);
  const bool multisampled = sample_count > 1;
  const Surface resolved = make_surface(*gl, columns, rows, 0, !multisampled);
  std::unique_ptr<Resources> resources(new Resources{
      gl, columns, rows, resolved, multisampled ? make_surface(*gl, columns, rows, sample_count, true) : resolved});
  if (gl->CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
    return fail(format_text("this context cannot draw into an image of {} x {} pixels with {} samples", width, height,
                            samples));
  }
  if (resources->samples.texture != 0) resources->resolver.emplace(gl, sample_count);
  return OffscreenTarget(std::move(resources));
}

void OffscreenTarget::begin(std::array<float, 4> premultiplied_color) {
  Resources& target = *resources_;
  const Gl& gl = *target.gl;
  if (!target.saved) target.saved.emplace(gl);
  gl.BindFramebuffer(GL_FRAMEBUFFER, target.samples.framebuffer);
  gl.Viewport(0, 0, target.width, target.height);
  gl.Disable(GL_SCISSOR_TEST);
  set_color_mask(gl, {GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE});
  gl.ClearBufferfv(GL_COLOR, 0, premultiplied_color.data());
}

Bitmap OffscreenTarget::finish() {
  Bitmap bitmap{static_cast<std::uint32_t>(resources_->width), static_cast<std::uint32_t>(resources_->height), {}};
  bitmap.rgba.resize(std::size_t{4} * bitmap.width * bitmap.height);
  resources_->read(bitmap.rgba.data());
  resources_->release_fences();
  flip_rows(bitmap);
  return bitmap;
}

void OffscreenTarget::send() {
  resources_->read(nullptr);
  resources_->gl->Flush();
}

std::size_t OffscreenTarget::in_flight() const noexcept { return resources_->sent.size(); }

bool OffscreenTarget::receive(Bitmap& bitmap) {
  Resources& target = *resources_;
  const Gl& gl = *target.gl;
  if (target.sent.empty()) return false;
  bitmap.width = static_cast<std::uint32_t>(target.width);
  bitmap.height = static_cast<std::uint32_t>(target.height);
  const std::size_t row = std::size_t{bitmap.width} * 4;
  bitmap.rgba.resize(row * bitmap.height);
  const SavedPixelTransfer pack(gl, kPack);
  gl.BindBuffer(GL_PIXEL_PACK_BUFFER, target.sent.front());
  const auto bytes = static_cast<GLsizeiptr>(bitmap.rgba.size());
  const auto* pixels =
      static_cast<const std::uint8_t*>(gl.MapBufferRange(GL_PIXEL_PACK_BUFFER, 0, bytes, GL_MAP_READ_BIT));
  if (pixels == nullptr) throw std::bad_alloc();
  for (std::size_t y = 0; y < bitmap.height; ++y) {
    std::memcpy(&bitmap.rgba[y * row], pixels + (bitmap.height - 1 - y) * row, row);
  }
  gl.UnmapBuffer(GL_PIXEL_PACK_BUFFER);
  target.spare.push_back(target.sent.front());
  target.sent.pop_front();
  target.release_fences();
  return true;
}

}  // namespace pchr
