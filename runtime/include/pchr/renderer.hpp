// SPDX-License-Identifier: MIT
// Draws characters on the caller's OpenGL context, 3.3 core or newer.
//
// All functions and destructors must run on the thread where that context is current. Nothing is called but what
// `get_proc_address` gives, and nothing is kept outside the objects below: any number of renderers and contexts may be
// in use, each context on its own thread. GL state that they touch, restored before they return unless told otherwise:
//   program; vertex array; GL_ARRAY_BUFFER, GL_TEXTURE_BUFFER, GL_DRAW_INDIRECT_BUFFER and GL_PIXEL_UNPACK_BUFFER
//   bindings; active texture; GL_TEXTURE_2D, GL_TEXTURE_BUFFER and sampler bindings of units 0 and 1; blending of
//   draw buffer 0 (enable, equation, factors; below OpenGL 4.0 the latter two of all draw buffers); depth test, stencil
//   test, face culling and primitive restart (switched off); GL_FRAMEBUFFER_SRGB (see BlendSpace); pixel unpack
//   parameters. Of 3D characters also the depth function and mask, and which faces are in front and culled, with
//   the depth test switched on; they need a framebuffer with depth, which is cleared unless told otherwise.
// All other state is the caller's and used as it is: framebuffer, viewport, scissor, color mask, polygon mode,
// multisampling, logic operation, clip distances, rasterizer discard, queries and transform feedback.
//
//   const pchr::Model uploaded = renderer.upload(hero).value();
//   const pchr::ClipTime now = pchr::clip_time(hero.clips()[walk], seconds, pchr::Sampling::smooth);
//   renderer.draw(uploaded, pchr::Instance{walk, now}, camera);
//   const std::vector<pchr::Instance> many(1000, {walk, now, {pchr::placement({100, 0})}});
//   renderer.draw(uploaded, many, camera);
#pragma once

#include <pchr/draw_list.hpp>
#include <pchr/queries.hpp>
#include <pchr/geometry.hpp>
#include <pchr/character.hpp>
#include <pchr/image.hpp>
#include <pchr/3d.hpp>
#include <pchr/pose.hpp>

#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace PCHR_API pchr {

/// As returned by glfwGetProcAddress, eglGetProcAddress, SDL_GL_GetProcAddress and the like.
using GetProcAddress = void (*(*)(const char* name))();

/// Why something could not be set up on this context, or which image of a character is broken.
struct RenderError {
  std::string message;
};

enum class Filter : std::uint8_t { trilinear, bilinear, nearest };

class Skin;

/// One of many characters that share a model: a clip, where it is, and how it looks.
struct Instance {
  ClipId clip{};      ///< The bind pose where it is none of the character's.
  ClipTime position;  ///< As from clip_time() or Clock::position(); frames of the clip.
  Appearance appearance;
  const Skin* skin = nullptr;  ///< Of this model; null for none.
};

enum class StateHandling : std::uint8_t {
  restore,  ///< Leave the state above as it was found.
  dirty     ///< Faster: leave it changed.
};

/// How a character is drawn from a pose of the caller's own.
struct DrawOptions {
  Appearance appearance{};
  const Skin* skin = nullptr;  ///< Of the model; null for none.
  StateHandling state = StateHandling::restore;
};

/// Counters of the last draw() call.
struct DrawStatistics {
  std::uint32_t draw_calls = 0;  ///< Calls of a glDraw* or glMultiDraw* function.
  std::uint64_t triangles = 0;
  std::uint64_t uploaded_bytes = 0;  ///< Instances, draw commands and palettes; not what a first use bakes.
  std::uint32_t instances = 0;       ///< That were drawn.
  std::uint32_t culled = 0;          ///< That the camera does not see.
  std::uint32_t posed = 0;           ///< Of those drawn: posed on the CPU, for want of a baked clip.
};

/// In which values colors are filtered, tinted and blended.
enum class BlendSpace : std::uint8_t {
  /// Encoded ones, as they are in image files: what painting programs do and artists expect. For framebuffers that hold
  /// encoded colors, sRGB or not: GL_FRAMEBUFFER_SRGB is off while drawing.
  gamma,
  /// Amounts of light: textures are GL_SRGB8_ALPHA8, tints are decoded, and GL_FRAMEBUFFER_SRGB is on while drawing.
  /// For framebuffers that encode (GL_SRGB8_ALPHA8 and the like) or hold light itself (such as GL_RGBA16F).
  linear
};

/// What a renderer may take.
struct RendererOptions {
  /// What baked palettes may take of the GPU's memory. Beyond it the least recently used clips make room; a clip that
  /// does not fit at all is posed on the CPU.
  std::uint64_t palette_budget_bytes = std::uint64_t{64} << 20;
  /// Opaque pixels without tint come out as authored either way, within 1/255.
  BlendSpace blend_space = BlendSpace::gamma;
};

class Renderer;

/// A character on the GPU: textures, vertices, index lists, and which clips are baked. Movable; must not outlive its
/// context. Any renderer of that context and blend space can draw it.
class Model {
 public:
  struct Resources;  ///< Defined inside the library.

  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();
  /// What was uploaded.
  [[nodiscard]] const Character& character() const noexcept;
  [[nodiscard]] std::uint64_t gpu_bytes() const noexcept;  ///< Textures with mipmaps, and buffers.
  void set_filter(Filter filter) noexcept;                 ///< At first trilinear; nearest for pixel art.

 private:
  friend class Renderer;
  friend class Upload;
  explicit Model(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources> resources_;
};

/// A model on its way to the GPU, a part at a time, so that no frame waits for it. What is destroyed unfinished leaves
/// nothing behind. Movable; must not outlive its context, but may its renderer.
class Upload {
 public:
  struct Resources;  ///< Defined inside the library.

  Upload(Upload&&) noexcept;
  Upload& operator=(Upload&&) noexcept;
  ~Upload();

  /// Uploads more, in bytes at most the budget, but at least one vertex or row of an image; an image's mipmaps, which
  /// are made at once when it is there, count as what they take. True once all is there.
  bool step(std::uint64_t budget_bytes);
  /// Uploads more until so much time has passed. It looks at the clock every 256 KiB, and before and after mipmaps.
  bool step_for(double seconds);
  [[nodiscard]] std::uint64_t bytes_left() const noexcept;  ///< Mipmaps, which are made on the GPU, do not count.
  /// The model. Uploads first what is left; the upload itself is then spent.
  [[nodiscard]] Model finish() &&;

 private:
  friend class Renderer;
  explicit Upload(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources> resources_;
};

/// A skin on the GPU: its images, and how it divides each draw order of its model. Any number of instances wear it.
/// Movable; must not outlive its context. Model and skin may go in either order.
class Skin {
 public:
  struct Resources;  ///< Defined inside the library.

  Skin(Skin&&) noexcept;
  Skin& operator=(Skin&&) noexcept;
  ~Skin();
  [[nodiscard]] const std::string& name() const noexcept;  ///< The data's.
  [[nodiscard]] std::uint64_t gpu_bytes() const noexcept;  ///< Textures with mipmaps.

 private:
  friend class Renderer;
  explicit Skin(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources> resources_;
};

/// Draws models into the bound framebuffer. Movable; must not outlive its context.
class Renderer {
 public:
  /// Compiles the shaders. Fails with a sentence on a context older than OpenGL 3.3.
  [[nodiscard]] static std::expected<Renderer, RenderError> create(GetProcAddress get_proc_address,
                                                                   const RendererOptions& options = {});
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;
  ~Renderer();

  /// Decodes and premultiplies the images and uploads everything. Fails where an image is broken or
  /// larger than this context's textures, or where there are more bones than its buffer textures hold.
  [[nodiscard]] std::expected<Model, RenderError> upload(const Character& character, const Limits& limits = {});
  /// The same with images already decoded, one per image of the character.
  [[nodiscard]] std::expected<Model, RenderError> upload(const Character& character, std::span<const Bitmap> bitmaps);
  /// The same a part at a time: see Upload. Nothing but empty objects is made on the GPU yet. Images are decoded by
  /// decode_images(), on any thread.
  [[nodiscard]] std::expected<Upload, RenderError> begin_upload(const Character& character,
                                                                std::vector<Bitmap> bitmaps);

  /// Uploads a skin for instances of `model`. Fails where it does not fit the model's character, or where an image is
  /// larger than this context's textures.
  [[nodiscard]] std::expected<Skin, RenderError> upload_skin(const Model& model, const SkinData& skin);

  /// Draws `instances` into the bound framebuffer, in the order given, exactly as if each were drawn alone:
  /// premultiplied-alpha blended. What the camera does not see is left out. A run of instances whose frames are all of
  /// one image is one draw call with OpenGL 4.3, also where some wear skins that hide or tint meshes.
  ///
  /// A clip is baked when it is first drawn: see bake(). Between frames (`position.factor` above 0) vertices are
  /// within a quarter pixel of the smooth pose, and on frames exactly there.
  void draw(const Model& model, std::span<const Instance> instances, const Camera& camera,
            StateHandling state = StateHandling::restore);

  /// Draws a single instance.
  void draw(const Model& model, const Instance& instance, const Camera& camera,
            StateHandling state = StateHandling::restore) {
    draw(model, std::span(&instance, 1), camera, state);
  }

  /// Draws instances of a 3D model, seen in space. Nothing is left out. A `Camera` looks at its front, and leaves out
  /// what it does not see.
  void draw_scene(const Model& model, std::span<const Instance> instances, const SceneView& view,
                  StateHandling state = StateHandling::restore);

  /// Bakes a clip ahead of its first use, for `sampling`; smooth serves step too. False where it will be posed on the
  /// CPU instead: it does not fit the budget, or turns too far between its frames to be blended.
  bool bake(const Model& model, ClipId clip, Sampling sampling);

  /// Draws one character from a pose of the caller's own: `draw_list` in its order, skinned on the GPU by `palette`
  /// (one transform per bone; nothing is drawn of a 3D model), in `options.skin` unless that is null. A list that
  /// apply_skin() put a skin on already needs that skin here only for its images, and without it shows each mesh's own
  /// instead of those.
  void draw(const Model& model, std::span<const Affine> palette, const DrawList& draw_list, const Camera& camera,
            const DrawOptions& options = {});
  /// Draws a posed character.
  void draw(const Model& model, const PoseBuffers& posed, const Camera& camera, const DrawOptions& options = {});
  /// Draws a posed 3D character, seen in space.
  void draw_scene(const Model& model, const PoseBuffers& posed, const SceneView& view, const DrawOptions& options = {});

  /// GPU memory of baked palettes and of what is streamed each frame.
  [[nodiscard]] std::uint64_t gpu_bytes() const noexcept;

  /// Of the last draw().
  [[nodiscard]] DrawStatistics statistics() const noexcept;

 private:
  struct Resources;
  explicit Renderer(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources> resources_;
};

}  // namespace pchr
