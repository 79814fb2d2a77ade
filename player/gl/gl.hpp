// SPDX-License-Identifier: MIT
// The player's own OpenGL: objects that delete themselves, the images that make up the canvas, and the atlas.
#pragma once

#include <pchr/character.hpp>
#include <pchr/image.hpp>
#include <pchr/renderer.hpp>

#include <glad/gl.h>
#include <imgui.h>

#include <array>
#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <span>
#include <utility>

namespace pchr::player {

using Color = std::array<float, 3>;

/// Loads the functions of the current context. The player has one context, which must outlive all objects.
[[nodiscard]] Expected<void, RenderError> load_gl(GetProcAddress get_proc_address);
[[nodiscard]] const GladGLContext& gl() noexcept;

/// glGetGraphicsResetStatus.
using GetResetStatus = GLenum(GLAD_API_PTR*)();
/// Returns a message if the context is lost, after which nothing is drawn any more. Without `status`, it never is.
[[nodiscard]] std::optional<std::string> context_loss(GetResetStatus status);

/// Owns an OpenGL object; 0 for none.
template <auto kDelete, auto kGenerate = nullptr>
class GlObject {
 public:
  GlObject() = default;
  explicit GlObject(GLuint name) noexcept : name_(name) {}
  GlObject(GlObject&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlObject& operator=(GlObject&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlObject() {
    if constexpr (kGenerate != nullptr) {
      if (name_ != 0) (gl().*kDelete)(1, &name_);
    } else {
      if (name_ != 0) (gl().*kDelete)(name_);
    }
  }
  [[nodiscard]] static GlObject make() {
    GlObject object;
    (gl().*kGenerate)(1, &object.name_);
    return object;
  }
  [[nodiscard]] GLuint get() const noexcept { return name_; }
  [[nodiscard]] explicit operator bool() const noexcept { return name_ != 0; }

 private:
  GLuint name_ = 0;
};

using GlBuffer = GlObject<&GladGLContext::DeleteBuffers, &GladGLContext::GenBuffers>;
using GlFramebuffer = GlObject<&GladGLContext::DeleteFramebuffers, &GladGLContext::GenFramebuffers>;
using GlQuery = GlObject<&GladGLContext::DeleteQueries, &GladGLContext::GenQueries>;
using GlRenderbuffer = GlObject<&GladGLContext::DeleteRenderbuffers, &GladGLContext::GenRenderbuffers>;
using GlTexture = GlObject<&GladGLContext::DeleteTextures, &GladGLContext::GenTextures>;
using GlVertexArray = GlObject<&GladGLContext::DeleteVertexArrays, &GladGLContext::GenVertexArrays>;
using GlProgram = GlObject<&GladGLContext::DeleteProgram>;

/// Returns a texture for Dear ImGui, whose type for them is a pointer, or a number since version 1.91.4.
[[nodiscard]] inline ImTextureID interface_texture(GLuint name) noexcept {
  return ImTextureID(std::intptr_t{name});  // NOLINT(performance-no-int-to-ptr)
}

struct ProgramSource {
  GlProgram& program;
  const char* vertex;
  const char* fragment;
};
/// Compiles and links programs. Fails if one does not build.
[[nodiscard]] Expected<void, RenderError> link_programs(std::initializer_list<ProgramSource> sources);
[[nodiscard]] inline GLint uniform(const GlProgram& program, const char* name) {
  return gl().GetUniformLocation(program.get(), name);
}
/// Draws a triangle that covers the viewport.
void draw_covering(const GlVertexArray& empty);
/// Blends premultiplied colors over the framebuffer until GL_BLEND is disabled.
void begin_blending();

/// Times the commands between begin() and end() on the GPU without stalling: results arrive a few frames later.
class GpuTimer {
 public:
  void begin() {
    collect();
    // This frame is not timed if all queries are pending.
    running_ = begun_ - collected_ < kQueries;
    if (running_) gl().BeginQuery(GL_TIME_ELAPSED, query(begun_));
  }
  void end() {
    if (!std::exchange(running_, false)) return;
    gl().EndQuery(GL_TIME_ELAPSED);
    ++begun_;
  }
  /// Returns the time of the latest frame with a result.
  [[nodiscard]] std::optional<double> milliseconds() const noexcept { return milliseconds_; }

 private:
  static constexpr std::size_t kQueries = 4;

  [[nodiscard]] GLuint query(std::uint64_t number) const { return queries_[number % kQueries].get(); }
  void collect() {
    for (; collected_ < begun_; ++collected_) {
      GLuint ready = GL_FALSE;
      gl().GetQueryObjectuiv(query(collected_), GL_QUERY_RESULT_AVAILABLE, &ready);
      if (ready == GL_FALSE) return;
      GLuint64 nanoseconds = 0;
      gl().GetQueryObjectui64v(query(collected_), GL_QUERY_RESULT, &nanoseconds);
      milliseconds_ = static_cast<double>(nanoseconds) * 1e-6;
    }
  }

  std::array<GlQuery, kQueries> queries_{GlQuery::make(), GlQuery::make(), GlQuery::make(), GlQuery::make()};
  std::uint64_t begun_ = 0;      ///< Number of queries started.
  std::uint64_t collected_ = 0;  ///< Number of results read.
  bool running_ = false;
  std::optional<double> milliseconds_;
};

/// A grid in viewport pixels, origin at the top left, y down.
struct GridLines {
  float minor = 0;    ///< Line distance; 0 for no grid.
  float major = 0;    ///< Distance of bold lines.
  Vec2 phase{0.0F};   ///< Position of a bold line, in [0, major).
  Vec2 origin{0.0F};  ///< Position of the axes.
  float thickness = 1;
};

/// A line in viewport pixels, origin at the top left, y down.
struct SeenLine {
  Vec2 from{0.0F}, to{0.0F};
  std::array<float, 4> color{};  ///< Straight RGBA.
  float thickness = 1;
};

class BackgroundPainter {
 public:
  [[nodiscard]] static Expected<BackgroundPainter, RenderError> create();

  /// Fills `area` (framebuffer pixels, y down) with tiles of two colors and the lines of `grid`. `framebuffer` is the
  /// framebuffer's size. Leaves the viewport at `area`.
  void draw(Vec2 framebuffer, const Rect& area, const Color& light, const Color& dark, float tile_pixels,
            const GridLines& grid = {});

  /// Draws lines over the background.
  void draw_lines(std::span<const SeenLine> lines, Vec2 viewport);

  /// Makes the framebuffer transparent.
  static void clear();

  /// Sets the image for draw_image(). Returns false and clears the image if it exceeds the max texture size.
  bool set_image(const Bitmap& premultiplied);
  [[nodiscard]] bool has_image() const noexcept { return image_size_.x > 0.0F; }
  /// Like draw(), with the image over `behind`. Tiles it at `tile_scale` framebuffer pixels per image pixel, or if that
  /// is 0, draws it once, scaled to cover the area.
  void draw_image(Vec2 framebuffer, const Rect& area, const Color& behind, float tile_scale);

  /// Moves the viewport to `area` and clips drawing to `shown`, until GL_SCISSOR_TEST is disabled.
  static void begin_part(Vec2 framebuffer, const Rect& area, const Rect& shown);

 private:
  GlProgram checker_, image_program_, line_program_;
  GlVertexArray vertex_array_ = GlVertexArray::make();
  GlVertexArray line_array_ = GlVertexArray::make();
  GlBuffer line_buffer_ = GlBuffer::make();
  GlTexture texture_{};
  Vec2 image_size_{0.0F};  ///< Pixels; 0 without an image.
};

/// Alpha of the black that things are drawn in, on white, for composite_counts().
inline constexpr float kCountedAlpha = 32.0F / 255.0F;
inline constexpr std::size_t kMaxCountColors = 16;

class OffscreenLayer {
 public:
  [[nodiscard]] static Expected<OffscreenLayer, RenderError> create();

  /// Redirects drawing to an image of the viewport's size, cleared to `clear` (premultiplied), until one of the calls
  /// below. Returns false and changes nothing if the GPU is out of memory.
  bool begin(const std::array<float, 4>& clear);
  /// Composites the image over the viewport with opacity `strength` (0..1), tinted.
  void composite_ghost(const Color& hue, float strength);
  /// Composites colors that show how often each pixel was drawn: the first color for once, the last one for as many
  /// times as there are colors or more. At most kMaxCountColors.
  void composite_counts(std::span<const Color> colors);
  /// Keeps the image for composite_difference(), and composites nothing.
  void keep();
  /// Composites a color where the image differs from the one that was kept, and the kept one in faint gray elsewhere.
  void composite_difference(const Color& highlight);

 private:
  struct Image {
    GlTexture texture = GlTexture::make();
    GLsizei width = 0, height = 0;
  };

  /// Makes the framebuffer draw to `image_`, at the size of the viewport.
  bool attach();
  void end();
  /// Covers the viewport using the layer as the texture.
  void cover(const GlProgram& program);

  GlProgram ghost_, counts_, difference_;
  GlVertexArray vertex_array_ = GlVertexArray::make();
  Image image_{}, kept_{};
  GlRenderbuffer depth_ = GlRenderbuffer::make();
  GlFramebuffer framebuffer_ = GlFramebuffer::make();
  std::array<GLint, 4> viewport_{};  ///< Viewport to composite into.
  GLint target_ = 0;                 ///< Framebuffer to composite into.
};

inline constexpr GLsizei kCanvasSamples = 4;

/// The window's image, which lies below its interface. Few desktops offer transparent windows with multisampling, and
/// the parts of a window that did not change need not be drawn again.
///
/// It is copied by programs, which software renderers keep on disk. Those of glBlitFramebuffer they would compile again
/// at every start.
class MsaaTarget {
 public:
  [[nodiscard]] static Expected<MsaaTarget, RenderError> create();

  /// Sets the size of the window's framebuffer and where the canvas is in it, in pixels, y down. Returns whether that
  /// changed, so that all must be drawn.
  [[nodiscard]] bool resize(Vec2 framebuffer, const Rect& canvas);
  /// Redirects drawing to the canvas, which is multisampled. `with_depth`: it has a depth buffer.
  void begin_canvas(bool with_depth);
  /// Redirects drawing to the window's image. Resets `areas` of it, in pixels, y down, to the canvas on black or, if
  /// `transparent`, on nothing. Changes the viewport.
  void begin_interface(std::span<const Rect> areas, bool transparent);
  /// Copies the image to the window. Changes the viewport.
  void show();

 private:
  MsaaTarget() = default;
  void copy(const GlProgram& program, GLenum target, const GlTexture& from) const;

  GlProgram average_, copy_;
  GlVertexArray vertex_array_ = GlVertexArray::make();
  GlFramebuffer samples_ = GlFramebuffer::make();
  GlTexture samples_color_ = GlTexture::make();
  GlRenderbuffer samples_depth_{};
  GlFramebuffer image_ = GlFramebuffer::make();
  GlTexture image_color_ = GlTexture::make();
  GLsizei max_samples_ = 1;
  Vec2 size_{0.0F};
  Rect canvas_{};
};

/// A premultiplied image followed by its mipmaps, each half the size, down to one pixel.
using MipmappedBitmap = std::vector<Bitmap>;
/// Generates the mipmaps of `image`, which must not be empty.
[[nodiscard]] MipmappedBitmap with_mipmaps(Bitmap image);

/// Must not be moved after the first begin().
class AtlasTexture {
 public:
  /// An image of a character.
  struct Wanted {
    Character character;
    ImageId image{};
    bool operator==(const Wanted& other) const noexcept {
      return &character.data() == &other.character.data() && image == other.image;
    }
  };

  /// Reads the wanted image, uploads some of it, or frees the texture. Returns whether the frame changed.
  bool update(std::optional<Wanted> wanted);
  [[nodiscard]] bool busy() const noexcept { return reading_.valid() || !levels_.empty(); }

  [[nodiscard]] bool ready(const Wanted& wanted) const noexcept {
    return texture_ && levels_.empty() && holds_ == wanted;
  }
  /// Returns why the texture will never be ready; empty if it is or can still be.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  /// Draws what is added to `list` until end() with the returned texture, which must be ready. If `sharp`, magnified
  /// texels keep hard edges.
  [[nodiscard]] ImTextureID begin(ImDrawList& list, bool sharp);
  static void end(ImDrawList& list);

 private:
  void release();
  /// Allocates the texture for the levels, which are uploaded later.
  void take(MipmappedBitmap bitmaps);
  /// Returns whether the upload is complete.
  bool send_some();

  GlTexture texture_{};
  std::optional<Wanted> holds_{};  ///< What the texture, levels and problem belong to, or what is being read.
  std::string problem_{};
  bool sharp_ = false;
  std::future<Expected<MipmappedBitmap, std::string>> reading_{};
  MipmappedBitmap levels_{};  ///< Levels to upload, starting at `level_` and `row_`.
  std::size_t level_ = 0;
  std::uint32_t row_ = 0;
};

}  // namespace pchr::player
