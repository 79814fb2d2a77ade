// SPDX-License-Identifier: MIT
#include "gl/gl.hpp"

#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <pchr_shaders.hpp>

#include <algorithm>
#include <cmath>

namespace pchr::player {
namespace {

GladGLContext functions{};

GLuint compile(GLenum stage, const char* source) {
  const GLuint shader = gl().CreateShader(stage);
  gl().ShaderSource(shader, 1, &source, nullptr);
  gl().CompileShader(shader);
  return shader;
}

}  // namespace

Expected<void, RenderError> load_gl(GetProcAddress get_proc_address) {
  if (gladLoadGLContext(&functions, get_proc_address) != 0) return {};
  return Unexpected(RenderError{"cannot load the OpenGL functions"});
}

std::optional<std::string> context_loss(GetResetStatus status) {
  constexpr GLenum kGuilty = 0x8253;
  const GLenum reset = status != nullptr ? status() : GL_NO_ERROR;
  if (reset == GL_NO_ERROR) return std::nullopt;
  return fmt::format(
      "the graphics driver was reset{}; start the player again, and unsaved changes to the rig are offered",
      reset == kGuilty ? " by what the player drew" : "");
}

const GladGLContext& gl() noexcept { return functions; }

Expected<void, RenderError> link_programs(std::initializer_list<ProgramSource> sources) {
  for (const auto& [program, vertex, fragment] : sources) {
    program = GlProgram(gl().CreateProgram());
    const GLuint shaders[] = {compile(GL_VERTEX_SHADER, vertex), compile(GL_FRAGMENT_SHADER, fragment)};
    for (const GLuint shader : shaders) gl().AttachShader(program.get(), shader);
    gl().LinkProgram(program.get());
    for (const GLuint shader : shaders) gl().DeleteShader(shader);
    GLint linked = GL_FALSE;
    gl().GetProgramiv(program.get(), GL_LINK_STATUS, &linked);
    if (linked != GL_TRUE) return Unexpected(RenderError{"cannot build the player's shaders"});
  }
  return {};
}

void draw_covering(const GlVertexArray& empty) {
  gl().BindVertexArray(empty.get());
  gl().DrawArrays(GL_TRIANGLES, 0, 3);
}

void begin_blending() {
  gl().Enable(GL_BLEND);
  gl().BlendEquation(GL_FUNC_ADD);
  gl().BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

namespace {

/// Calls `set` (glViewport or glScissor) with `area`, converted to y up.
void set_area(PFNGLVIEWPORTPROC set, Vec2 framebuffer, const Rect& area) {
  const glm::ivec2 size(area.size());
  set(static_cast<GLint>(area.min.x), static_cast<GLint>(framebuffer.y - area.max.y), size.x, size.y);
}

struct LineVertex {
  Vec2 place;  ///< In clip space.
  std::array<float, 4> color;
};

/// Adds a line as two triangles; adds nothing if it is viewed end-on.
void add_line(const SeenLine& line, Vec2 viewport, std::vector<LineVertex>& out) {
  const Vec2 along = line.to - line.from;
  const float length = glm::length(along);
  if (!(length > 0.0F)) return;
  const Vec2 aside = Vec2{-along.y, along.x} * (line.thickness * 0.5F / length);
  const auto vertex = [&](Vec2 pixel) {
    const Vec2 part = pixel / viewport * 2.0F - Vec2{1.0F};
    return LineVertex{{part.x, -part.y}, line.color};
  };
  const LineVertex corners[] = {vertex(line.from - aside), vertex(line.from + aside), vertex(line.to - aside),
                                vertex(line.to + aside)};
  for (const std::size_t corner : {0, 1, 2, 2, 1, 3}) out.push_back(corners[corner]);
}

/// Prepares to fill `area` with `program`.
void cover(Vec2 framebuffer, const Rect& area, const GlProgram& program) {
  gl().Disable(GL_BLEND);
  set_area(gl().Viewport, framebuffer, area);
  gl().UseProgram(program.get());
}

}  // namespace

Expected<BackgroundPainter, RenderError> BackgroundPainter::create() {
  BackgroundPainter painter;
  auto linked = link_programs({{painter.checker_, shaders::background_vert, shaders::background_frag},
                               {painter.image_program_, shaders::background_vert, shaders::image_frag},
                               {painter.line_program_, shaders::line_vert, shaders::line_frag}});
  if (!linked) return Unexpected(linked.error());
  gl().BindVertexArray(painter.line_array_.get());
  gl().BindBuffer(GL_ARRAY_BUFFER, painter.line_buffer_.get());
  gl().EnableVertexAttribArray(0);
  gl().EnableVertexAttribArray(1);
  gl().VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(LineVertex), nullptr);
  gl().VertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, sizeof(LineVertex), reinterpret_cast<const void*>(sizeof(Vec2)));
  return painter;
}

void BackgroundPainter::draw(Vec2 framebuffer, const Rect& area, const Color& light, const Color& dark,
                             float tile_pixels, const GridLines& grid) {
  const GlProgram& program = checker_;
  cover(framebuffer, area, program);
  gl().Uniform3fv(uniform(program, "light"), 1, light.data());
  gl().Uniform3fv(uniform(program, "dark"), 1, dark.data());
  gl().Uniform2f(uniform(program, "origin"), area.min.x, framebuffer.y - area.min.y);
  gl().Uniform1f(uniform(program, "tile"), tile_pixels);
  gl().Uniform1f(uniform(program, "minor"), grid.minor);
  gl().Uniform1f(uniform(program, "major"), grid.major);
  gl().Uniform2f(uniform(program, "phase"), grid.phase.x, grid.phase.y);
  gl().Uniform2f(uniform(program, "axes"), grid.origin.x, grid.origin.y);
  gl().Uniform1f(uniform(program, "thickness"), grid.thickness);
  draw_covering(vertex_array_);
}

void BackgroundPainter::draw_lines(std::span<const SeenLine> lines, Vec2 viewport) {
  std::vector<LineVertex> vertices;
  for (const SeenLine& line : lines) add_line(line, viewport, vertices);
  gl().BindBuffer(GL_ARRAY_BUFFER, line_buffer_.get());
  gl().BufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * sizeof(LineVertex)), vertices.data(),
                  GL_STREAM_DRAW);
  gl().UseProgram(line_program_.get());
  begin_blending();
  gl().BindVertexArray(line_array_.get());
  gl().DrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(vertices.size()));
  gl().Disable(GL_BLEND);
}

void BackgroundPainter::clear() {
  constexpr float kNothing[] = {0.0F, 0.0F, 0.0F, 0.0F};
  gl().Disable(GL_SCISSOR_TEST);
  gl().ClearBufferfv(GL_COLOR, 0, kNothing);
}

bool BackgroundPainter::set_image(const Bitmap& premultiplied) {
  GLint largest = 0;
  gl().GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const auto width = static_cast<GLsizei>(premultiplied.width);
  const auto height = static_cast<GLsizei>(premultiplied.height);
  image_size_ = Vec2{0.0F};
  if (std::max(width, height) > largest) return false;
  if (!texture_) texture_ = GlTexture::make();
  gl().ActiveTexture(GL_TEXTURE0);
  gl().BindTexture(GL_TEXTURE_2D, texture_.get());
  gl().TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, premultiplied.rgba.data());
  gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
  gl().GenerateMipmap(GL_TEXTURE_2D);
  image_size_ = Vec2{premultiplied.width, premultiplied.height};
  return true;
}

void BackgroundPainter::draw_image(Vec2 framebuffer, const Rect& area, const Color& behind, float tile_scale) {
  const Vec2 ratio = area.size() / image_size_;
  const bool tiled = tile_scale > 0.0F;
  const Vec2 size = image_size_ * (tiled ? tile_scale : std::max(ratio.x, ratio.y));
  const Vec2 corner = tiled ? area.min : area.center() - size * 0.5F;
  const GlProgram& program = image_program_;
  cover(framebuffer, area, program);
  gl().ActiveTexture(GL_TEXTURE0);
  gl().BindTexture(GL_TEXTURE_2D, texture_.get());
  gl().BindSampler(0, 0);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    gl().TexParameteri(GL_TEXTURE_2D, axis, tiled ? GL_REPEAT : GL_CLAMP_TO_EDGE);
  }
  gl().Uniform1i(uniform(program, "image"), 0);
  gl().Uniform3fv(uniform(program, "behind"), 1, behind.data());
  gl().Uniform2f(uniform(program, "corner"), corner.x, framebuffer.y - corner.y);
  gl().Uniform2f(uniform(program, "size"), size.x, size.y);
  draw_covering(vertex_array_);
}

void BackgroundPainter::begin_part(Vec2 framebuffer, const Rect& area, const Rect& shown) {
  set_area(gl().Viewport, framebuffer, area);
  set_area(gl().Scissor, framebuffer, shown);
  gl().Enable(GL_SCISSOR_TEST);
}

Expected<OffscreenLayer, RenderError> OffscreenLayer::create() {
  OffscreenLayer layer;
  auto linked = link_programs({{layer.ghost_, shaders::background_vert, shaders::ghost_frag},
                               {layer.counts_, shaders::background_vert, shaders::counts_frag},
                               {layer.difference_, shaders::background_vert, shaders::difference_frag}});
  if (!linked) return Unexpected(linked.error());
  return layer;
}

bool OffscreenLayer::attach() {
  const auto [x, y, width, height] = viewport_;
  const bool fits = image_.width == width && image_.height == height;
  gl().BindTexture(GL_TEXTURE_2D, image_.texture.get());
  if (!fits) {
    // Half floats keep counts exact far beyond the color ramp.
    gl().TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F, width, height, 0, GL_RGBA, GL_HALF_FLOAT, nullptr);
    gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    gl().BindRenderbuffer(GL_RENDERBUFFER, depth_.get());
    gl().RenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
    gl().FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.get());
  }
  gl().FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image_.texture.get(), 0);
  if (fits) return true;
  const bool whole = gl().CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  image_.width = whole ? width : 0;
  image_.height = whole ? height : 0;
  return whole;
}

bool OffscreenLayer::begin(const std::array<float, 4>& clear) {
  gl().GetIntegerv(GL_VIEWPORT, viewport_.data());
  gl().GetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &target_);
  gl().BindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
  if (!attach()) {
    end();
    return false;
  }
  gl().Viewport(0, 0, image_.width, image_.height);
  gl().ClearBufferfv(GL_COLOR, 0, clear.data());
  return true;
}

void OffscreenLayer::end() {
  gl().BindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(target_));
  gl().Viewport(viewport_[0], viewport_[1], viewport_[2], viewport_[3]);
}

void OffscreenLayer::cover(const GlProgram& program) {
  gl().Uniform2i(uniform(program, "corner"), viewport_[0], viewport_[1]);
  begin_blending();
  gl().ActiveTexture(GL_TEXTURE0);
  gl().BindTexture(GL_TEXTURE_2D, image_.texture.get());
  draw_covering(vertex_array_);
  gl().Disable(GL_BLEND);
}

void OffscreenLayer::composite_ghost(const Color& hue, float strength) {
  end();
  gl().UseProgram(ghost_.get());
  gl().Uniform3fv(uniform(ghost_, "hue"), 1, hue.data());
  gl().Uniform1f(uniform(ghost_, "strength"), strength);
  cover(ghost_);
}

void OffscreenLayer::composite_counts(std::span<const Color> colors) {
  const auto count = static_cast<GLsizei>(std::min(colors.size(), kMaxCountColors));
  end();
  gl().UseProgram(counts_.get());
  gl().Uniform3fv(uniform(counts_, "colors"), count, colors.data()->data());
  gl().Uniform1i(uniform(counts_, "count"), count);
  gl().Uniform1f(uniform(counts_, "dimming"), std::log(1.0F - kCountedAlpha));
  cover(counts_);
}

void OffscreenLayer::keep() {
  end();
  std::swap(image_, kept_);
}

void OffscreenLayer::composite_difference(const Color& highlight) {
  end();
  gl().UseProgram(difference_.get());
  gl().Uniform1i(uniform(difference_, "kept"), 1);
  gl().Uniform3fv(uniform(difference_, "highlight"), 1, highlight.data());
  gl().ActiveTexture(GL_TEXTURE1);
  gl().BindTexture(GL_TEXTURE_2D, kept_.texture.get());
  cover(difference_);
}

Expected<MsaaTarget, RenderError> MsaaTarget::create() {
  MsaaTarget target;
  auto linked = link_programs({{target.average_, shaders::background_vert, shaders::resolve_frag},
                               {target.copy_, shaders::background_vert, shaders::copy_frag}});
  if (!linked) return Unexpected(linked.error());
  GLint max = 0, max_in_textures = 0;
  gl().GetIntegerv(GL_MAX_SAMPLES, &max);
  gl().GetIntegerv(GL_MAX_COLOR_TEXTURE_SAMPLES, &max_in_textures);
  target.max_samples_ = std::min({max, max_in_textures, kCanvasSamples});
  gl().UseProgram(target.average_.get());
  gl().Uniform1i(uniform(target.average_, "samples"), target.max_samples_);
  return target;
}

bool MsaaTarget::resize(Vec2 framebuffer, const Rect& canvas) {
  framebuffer = glm::max(framebuffer, Vec2{1.0F});
  if (framebuffer == size_ && canvas.min == canvas_.min && canvas.max == canvas_.max) return false;
  canvas_ = canvas;
  if (framebuffer == size_) return true;
  size_ = framebuffer;
  samples_depth_ = {};
  const glm::ivec2 size(size_);
  gl().ActiveTexture(GL_TEXTURE0);
  gl().BindTexture(GL_TEXTURE_2D_MULTISAMPLE, samples_color_.get());
  gl().TexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, max_samples_, GL_RGBA8, size.x, size.y, GL_TRUE);
  gl().BindFramebuffer(GL_FRAMEBUFFER, samples_.get());
  gl().FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, samples_color_.get(), 0);
  gl().BindTexture(GL_TEXTURE_2D, image_color_.get());
  gl().TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size.x, size.y, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
  gl().BindFramebuffer(GL_FRAMEBUFFER, image_.get());
  gl().FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image_color_.get(), 0);
  return true;
}

void MsaaTarget::begin_canvas(bool with_depth) {
  gl().BindFramebuffer(GL_FRAMEBUFFER, samples_.get());
  if (!with_depth || samples_depth_) return;
  const glm::ivec2 size(size_);
  samples_depth_ = GlRenderbuffer::make();
  gl().BindRenderbuffer(GL_RENDERBUFFER, samples_depth_.get());
  gl().RenderbufferStorageMultisample(GL_RENDERBUFFER, max_samples_, GL_DEPTH_COMPONENT24, size.x, size.y);
  gl().FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, samples_depth_.get());
}

void MsaaTarget::begin_interface(std::span<const Rect> areas, bool transparent) {
  const float clear[] = {0.0F, 0.0F, 0.0F, transparent ? 0.0F : 1.0F};
  gl().BindFramebuffer(GL_FRAMEBUFFER, image_.get());
  for (const Rect& area : areas) {
    BackgroundPainter::begin_part(size_, canvas_, area);
    gl().ClearBufferfv(GL_COLOR, 0, clear);
    // The desktop does not show through the edges on the canvas.
    if (!transparent) gl().ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_FALSE);
    copy(average_, GL_TEXTURE_2D_MULTISAMPLE, samples_color_);
    gl().ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  }
  gl().Disable(GL_SCISSOR_TEST);
}

void MsaaTarget::show() {
  gl().BindFramebuffer(GL_FRAMEBUFFER, 0);
  gl().Disable(GL_SCISSOR_TEST);
  gl().Viewport(0, 0, static_cast<GLsizei>(size_.x), static_cast<GLsizei>(size_.y));
  copy(copy_, GL_TEXTURE_2D, image_color_);
}

void MsaaTarget::copy(const GlProgram& program, GLenum target, const GlTexture& from) const {
  gl().Disable(GL_BLEND);
  gl().UseProgram(program.get());
  gl().ActiveTexture(GL_TEXTURE0);
  gl().BindSampler(0, 0);
  gl().BindTexture(target, from.get());
  draw_covering(vertex_array_);
}

namespace {

constexpr std::size_t kChannels = 4;
constexpr std::size_t kBytesAtOnce = std::size_t{4} << 20;  ///< Max upload per frame.

/// Returns an image of half the size. The last column or row of an odd size is dropped.
Bitmap halved(const Bitmap& image) {
  Bitmap half{std::max(image.width / 2, 1U), std::max(image.height / 2, 1U), {}};
  half.rgba.resize(std::size_t{half.width} * half.height * kChannels);
  const std::size_t right = image.width > 1 ? kChannels : 0;
  const std::size_t row = std::size_t{image.width} * kChannels;
  const std::size_t below = image.height > 1 ? row : 0;
  std::uint8_t* out = half.rgba.data();
  for (std::size_t y = 0; y < half.height; ++y) {
    const std::uint8_t* in = image.rgba.data() + 2 * y * row;
    for (std::size_t x = 0; x < half.width; ++x, in += 2 * kChannels) {
      for (std::size_t channel = 0; channel < kChannels; ++channel) {
        const std::uint8_t* at = in + channel;
        *out++ = static_cast<std::uint8_t>((at[0] + at[right] + at[below] + at[below + right] + 2) / 4);
      }
    }
  }
  return half;
}

Expected<MipmappedBitmap, std::string> read(const Image& image) {
  auto bitmap = decode(image);
  if (!bitmap) return Unexpected(describe(bitmap.error(), image.name));
  return with_mipmaps(*std::move(bitmap));
}

}  // namespace

MipmappedBitmap with_mipmaps(Bitmap image) {
  MipmappedBitmap levels{std::move(image)};
  while (levels.back().width > 1 || levels.back().height > 1) levels.push_back(halved(levels.back()));
  return levels;
}

void AtlasTexture::release() {
  texture_ = {};
  levels_ = {};
  problem_.clear();
  holds_.reset();
}

void AtlasTexture::take(MipmappedBitmap bitmaps) {
  GLint largest = 0;
  gl().GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const Bitmap& image = bitmaps.front();
  if (std::max(image.width, image.height) > static_cast<std::uint32_t>(largest)) {
    problem_ = "This image is too large for this GPU.";
    return;
  }
  texture_ = GlTexture::make();
  gl().BindTexture(GL_TEXTURE_2D, texture_.get());
  for (std::size_t i = 0; i < bitmaps.size(); ++i) {
    gl().TexImage2D(GL_TEXTURE_2D, static_cast<GLint>(i), GL_RGBA8, static_cast<GLsizei>(bitmaps[i].width),
                    static_cast<GLsizei>(bitmaps[i].height), 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  }
  gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    gl().TexParameteri(GL_TEXTURE_2D, axis, GL_CLAMP_TO_EDGE);
  }
  levels_ = std::move(bitmaps);
  level_ = 0;
  row_ = 0;
}

bool AtlasTexture::send_some() {
  gl().BindTexture(GL_TEXTURE_2D, texture_.get());
  for (std::size_t budget = kBytesAtOnce; budget > 0 && level_ < levels_.size();) {
    const Bitmap& bitmap = levels_[level_];
    const std::size_t row_bytes = std::size_t{bitmap.width} * kChannels;
    const std::size_t rows = std::clamp<std::size_t>(budget / row_bytes, 1, bitmap.height - row_);
    gl().TexSubImage2D(GL_TEXTURE_2D, static_cast<GLint>(level_), 0, static_cast<GLint>(row_),
                       static_cast<GLsizei>(bitmap.width), static_cast<GLsizei>(rows), GL_RGBA, GL_UNSIGNED_BYTE,
                       bitmap.rgba.data() + row_ * row_bytes);
    row_ += static_cast<std::uint32_t>(rows);
    budget -= std::min(budget, rows * row_bytes);
    if (row_ < bitmap.height) continue;
    ++level_;
    row_ = 0;
  }
  if (level_ < levels_.size()) return false;
  levels_ = {};
  return true;
}

bool AtlasTexture::update(std::optional<Wanted> wanted) {
  if (reading_.valid()) {
    if (reading_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    auto bitmaps = reading_.get();
    if (wanted == holds_) {
      if (!bitmaps) problem_ = std::move(bitmaps.error());
      if (bitmaps) take(*std::move(bitmaps));
    }
    if (!problem_.empty()) return true;
  }
  if (wanted != holds_) {
    release();
    holds_ = wanted;
    if (!wanted) return false;
    reading_ = std::async(std::launch::async, [of = *wanted] { return read(of.character.images()[of.image]); });
  }
  return !levels_.empty() && send_some();
}

ImTextureID AtlasTexture::begin(ImDrawList& list, bool sharp) {
  sharp_ = sharp;
  list.AddCallback(
      [](const ImDrawList*, const ImDrawCmd* command) {
        const auto& texture = *static_cast<const AtlasTexture*>(command->UserCallbackData);
        // The image is premultiplied, but Dear ImGui blends straight alpha.
        gl().BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        gl().BindTexture(GL_TEXTURE_2D, texture.texture_.get());
        gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, texture.sharp_ ? GL_NEAREST : GL_LINEAR);
      },
      this);
  return interface_texture(texture_.get());
}

void AtlasTexture::end(ImDrawList& list) { list.AddCallback(ImDrawCallback_ResetRenderState, nullptr); }

}  // namespace pchr::player
