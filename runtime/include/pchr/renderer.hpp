// SPDX-License-Identifier: MIT
// Draws characters on the caller's OpenGL context, 3.3 core or newer.
//
// All functions and destructors must run on the thread where that context is current. They call nothing but what
// `get_proc_address` returns and keep nothing outside the objects below: any number of contexts may be in use, each on
// its own thread. They touch this GL state, and restore it before they return unless told otherwise:
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

#include <pchr/queries.hpp>

namespace PCHR_API pchr {

/// As returned by glfwGetProcAddress, eglGetProcAddress, SDL_GL_GetProcAddress and the like.
using GetProcAddress = void (*(*)(const char* name))();

/// The reason why nothing can be drawn or uploaded.
struct RenderError {
  std::string message;
};

enum class Filter : std::uint8_t { trilinear, bilinear, nearest };

class Skin;

/// One of many characters that share a model.
struct Instance {
  ClipId clip{};      ///< The bind pose where the character does not have it.
  ClipTime position;  ///< As from clip_time() or Clock::position(); frames of the clip.
  Appearance appearance;
  const Skin* skin = nullptr;  ///< Of this model; null for none.
};

enum class StateHandling : std::uint8_t {
  restore,  ///< Leave the state above as it was found.
  dirty     ///< Faster: leave it changed.
};

/// Options for drawing a pose of the caller's own.
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
  /// Encoded ones, as in image files and painting programs. For framebuffers that hold encoded colors, sRGB or not:
  /// GL_FRAMEBUFFER_SRGB is off while drawing.
  gamma,
  /// Amounts of light: textures are GL_SRGB8_ALPHA8, tints are decoded, and GL_FRAMEBUFFER_SRGB is on while drawing.
  /// For framebuffers that encode (GL_SRGB8_ALPHA8 and the like) or hold light itself (such as GL_RGBA16F).
  linear
};

/// How a renderer draws, and the memory it may take.
struct RendererOptions {
  /// GPU memory for baked palettes. Beyond it the least recently used clips make room; a clip that does not fit at all
  /// is posed on the CPU.
  std::uint64_t palette_budget_bytes = std::uint64_t{64} << 20;
  /// Opaque pixels without tint come out as authored either way, within 1/255.
  BlendSpace blend_space = BlendSpace::gamma;
};

class Renderer;

/// A character on the GPU. Movable; must not outlive its context. Any renderer of that context and blend space can draw
/// it.
class Model {
 public:
  struct Resources;  ///< Defined inside the library.

  [[nodiscard]] const Character& character() const noexcept;
  [[nodiscard]] std::uint64_t gpu_bytes() const noexcept;  ///< Textures with mipmaps, and buffers.
  void set_filter(Filter filter) noexcept;                 ///< At first trilinear; nearest for pixel art.

 private:
  friend class Renderer;
  friend class Upload;
  explicit Model(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources, void (*)(Resources*)> resources_;
};

/// A model that is uploaded a part at a time, so that no frame waits for it. Movable; must not outlive its context, but
/// may outlive its renderer.
class Upload {
 public:
  struct Resources;  ///< Defined inside the library.

  /// Uploads more, up to the budget, but at least one vertex or row of an image, and all mipmaps of an image at once.
  /// Returns true once everything is uploaded.
  bool step(std::uint64_t budget_bytes);
  /// Uploads more for some time, which is checked every 256 KiB, and before and after mipmaps.
  bool step_for(double seconds);
  [[nodiscard]] std::uint64_t bytes_left() const noexcept;  ///< Without mipmaps, which are made on the GPU.
  /// Uploads what is left and returns the model.
  [[nodiscard]] Model finish() &&;

 private:
  friend class Renderer;
  explicit Upload(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources, void (*)(Resources*)> resources_;
};

/// A skin on the GPU, for any number of instances of its model. Movable; must not outlive its context. Model and skin
/// may be destroyed in either order.
class Skin {
 public:
  struct Resources;  ///< Defined inside the library.

  [[nodiscard]] const std::string& name() const noexcept;
  [[nodiscard]] std::uint64_t gpu_bytes() const noexcept;  ///< Textures with mipmaps.

 private:
  friend class Renderer;
  explicit Skin(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources, void (*)(Resources*)> resources_;
};

/// Draws models into the bound framebuffer. Movable; must not outlive its context.
class Renderer {
 public:
  /// Compiles the shaders. Fails with a sentence on a context older than OpenGL 3.3.
  [[nodiscard]] static std::expected<Renderer, RenderError> create(GetProcAddress get_proc_address,
                                                                   const RendererOptions& options = {});

  /// Decodes the images and uploads everything. Fails where an image is broken or larger than this context's textures,
  /// or where there are more bones than its buffer textures hold.
  [[nodiscard]] std::expected<Model, RenderError> upload(const Character& character, const Limits& limits = {});
  /// Uploads a character with its decoded images.
  [[nodiscard]] std::expected<Model, RenderError> upload(const Character& character, std::span<const Bitmap> bitmaps);
  /// Begins to upload a part at a time: see Upload. `bitmaps` are from decode_images(), on any thread.
  [[nodiscard]] std::expected<Upload, RenderError> begin_upload(const Character& character,
                                                                std::vector<Bitmap> bitmaps);

  /// Uploads a skin for instances of `model`. Fails where it does not fit the model's character or an image is too
  /// large.
  [[nodiscard]] std::expected<Skin, RenderError> upload_skin(const Model& model, const SkinData& skin);

  /// Draws `instances` in the order given, exactly as if each were drawn alone, but for what the camera does not see. A
  /// run of instances whose frames are all of one image is one draw call with OpenGL 4.3, also in skins that hide or
  /// tint meshes. A clip is baked when it is first drawn: see bake(). Vertices are exact on frames, and within a
  /// quarter pixel of the smooth pose between them.
  void draw(const Model& model, std::span<const Instance> instances, const Camera& camera,
            StateHandling state = StateHandling::restore);

  /// Draws a single instance.
  void draw(const Model& model, const Instance& instance, const Camera& camera,
            StateHandling state = StateHandling::restore) {
    draw(model, std::span(&instance, 1), camera, state);
  }

  /// Draws all instances of a 3D model, seen in space; draw() looks at its front.
  void draw_scene(const Model& model, std::span<const Instance> instances, const SceneView& view,
                  StateHandling state = StateHandling::restore);

  /// Bakes a clip ahead of its first use; smooth serves step too. Returns false where it will be posed on the CPU,
  /// because it does not fit the budget or turns too far between its frames to be blended.
  bool bake(const Model& model, ClipId clip, Sampling sampling);

  /// Draws a pose of the caller's own: `draw_list` in its order, skinned on the GPU by `palette` (one transform per
  /// bone; draws nothing of a 3D model). After apply_skin(), the list needs that skin in `options` for its images
  /// alone.
  void draw(const Model& model, std::span<const Affine> palette, const DrawList& draw_list, const Camera& camera,
            const DrawOptions& options = {});
  /// Draws a posed character.
  void draw(const Model& model, const PoseBuffers& posed, const Camera& camera, const DrawOptions& options = {});
  /// Draws a posed 3D character, seen in space.
  void draw_scene(const Model& model, const PoseBuffers& posed, const SceneView& view, const DrawOptions& options = {});

  [[nodiscard]] std::uint64_t gpu_bytes() const noexcept;    ///< Baked palettes, and what is streamed each frame.
  [[nodiscard]] DrawStatistics statistics() const noexcept;  ///< Of the last draw.

 private:
  struct Resources;
  explicit Renderer(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources, void (*)(Resources*)> resources_;
};

}  // namespace pchr
