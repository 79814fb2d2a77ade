// SPDX-License-Identifier: MIT
// Draws characters on the caller's OpenGL context: OpenGL 3.3 core or newer, OpenGL ES 3.0 or newer, or WebGL 2. The
// renderer recognizes the context. All draw the same; what differs is how much they need for it:
//   OpenGL 4.4 and newer   buffers stay mapped
//   OpenGL 4.3             a crowd is one draw call
//   OpenGL 4.0             blending changes for draw buffer 0 alone
//   OpenGL 3.3             a crowd takes a draw call for each run of neighbors with the same draw order
//   OpenGL ES 3.0, WebGL 2 as 3.3, and no buffer is mapped; palettes are in 2D textures 2048 texels wide, and baked
//   ones
//                          take twice the memory; blending changes for all draw buffers; without
//                          GL_EXT_sRGB_write_control, sRGB framebuffers always encode: draw BlendSpace::gamma into
//                          others
//
// All functions and destructors must run on the thread where that context is current. They call only functions returned
// by `get_proc_address` and keep all state in the objects below, so any number of contexts can be used, each on its own
// thread. They change this GL state, and by default restore it before they return:
//   program; vertex array; GL_ARRAY_BUFFER, GL_TEXTURE_BUFFER, GL_DRAW_INDIRECT_BUFFER and GL_PIXEL_UNPACK_BUFFER
//   bindings; active texture; GL_TEXTURE_2D, GL_TEXTURE_BUFFER and sampler bindings of units 0 and 1; GL_TEXTURE_2D and
//   sampler bindings of units 2 to 15, as many as a draw needs more images than one; blending of draw buffer 0 (enable,
//   equation, factors; before OpenGL 4.0, equation and factors of all draw buffers); depth test, stencil test, face
//   culling and primitive restart (disabled); GL_FRAMEBUFFER_SRGB (see BlendSpace); pixel unpack parameters. With
//   DepthMode also the depth function and depth mask. For 3D characters also these, front face and cull face, with the
//   depth test enabled; they need a framebuffer with depth, which is cleared by default.
// All other state is used as the caller set it: framebuffer, viewport, scissor, color mask, polygon mode,
// multisampling, logic operation, clip distances, rasterizer discard, queries and transform feedback.
//
//   const pchr::Model uploaded = renderer.upload(hero).value();
//   const pchr::ClipTime now = pchr::clip_time(hero.clips()[walk], seconds, pchr::Sampling::smooth);
//   renderer.draw(uploaded, pchr::Instance{walk, now}, camera);
//   const std::vector<pchr::Instance> many(1000, {walk, now, {pchr::placement({100, 0})}});
//   renderer.draw(uploaded, many, camera);
#pragma once

#include <pchr/3d.hpp>
#include <pchr/callback.hpp>
#include <pchr/queries.hpp>

#include <memory>

namespace PCHR_API pchr {

/// An OpenGL function loader, such as glfwGetProcAddress or eglGetProcAddress. On Windows, wglGetProcAddress alone is
/// not one: it lacks the functions of OpenGL 1.1, which opengl32.dll exports.
using GetProcAddress = void (*(*)(const char* name))();
/// One that returns object pointers, such as SDL_GL_GetProcAddress of SDL 2.
using GetProcAddressPointer = void* (*)(const char* name);

/// The reason that something cannot be drawn or uploaded.
struct RenderError {
  std::string message;  ///< A clause without a period, such as "the driver rejected the shaders: ...".
};

/// How textures are sampled. Trilinear blends between mipmaps; the others do not use them.
enum class Filter : std::uint8_t { trilinear, bilinear, nearest };

class Skin;

/// One of many characters that share a model.
struct Instance {
  ClipId clip{};        ///< An id that does not exist gives the bind pose.
  ClipTime position{};  ///< From clip_time() or Clock::position().
  Appearance appearance{};
  const Skin* skin = nullptr;  ///< A skin of this model, or null.
  /// A crossfade to another clip, as in PoseRequest. While it lasts, the instance is posed on the CPU.
  /// @{
  ClipId fade_clip{};
  ClipTime fade_position{};
  float fade_weight = 0;
  /// @}
};

/// Many instances of a model as arrays, for programs that keep them so. They cost a third less than an array of
/// Instance: nothing is gathered, and the times of neighbors with the same clip are converted together.
struct Crowd {
  std::span<const Affine> placements;             ///< One per instance.
  std::span<const ClipId> clips;                  ///< One per instance, or one for all. As in Instance.
  std::span<const double> seconds;                ///< One per instance, or one for all. As for clip_time().
  Sampling sampling = Sampling::step;             ///< How all clips are sampled.
  std::span<const std::array<float, 4>> tints{};  ///< One per instance, or empty for white. As in Appearance.
  /// Crossfades, as in PoseRequest. All three have one element per instance, or are empty.
  /// @{
  std::span<const ClipId> fade_clips{};
  std::span<const double> fade_seconds{};
  std::span<const float> fade_weights{};
  /// @}
};

/// What a draw call does with the OpenGL state that it changes.
enum class StateHandling : std::uint8_t {
  restore,  ///< Restores the state listed above.
  dirty     ///< Leaves it changed, which is faster.
};

/// What drawing 2D characters does with the framebuffer's depth buffer. An instance's pixels all have its
/// Appearance::depth, as normalized device coordinates, so its meshes still cover each other in draw order.
enum class DepthMode : std::uint8_t {
  off,            ///< Ignores it.
  test,           ///< Draws only what is not behind (GL_LEQUAL).
  test_and_write  ///< Also writes depth, except where the image is less than one eighth opaque: nothing is drawn there.
};

/// One of many characters that share a model and have poses of their own.
struct PosedInstance {
  const PoseBuffers* posed = nullptr;  ///< Its pose. Not null.
  Appearance appearance{};
  const Skin* skin = nullptr;  ///< A skin of this model, or null.
};

/// Options for drawing a custom pose.
struct DrawOptions {
  Appearance appearance{};
  const Skin* skin = nullptr;  ///< A skin of the model, or null.
  StateHandling state = StateHandling::restore;
  DepthMode depth = DepthMode::off;  ///< Ignored for 3D characters.
};

class Model;

/// Something that moves with a bone of a posed character and has a place in its draw order: another model, or anything
/// that a function of yours draws.
struct Attachment {
  BoneId bone{};            ///< An attachment to a bone that does not exist is not drawn.
  DrawPlace place{};        ///< Where in the character's draw order.
  Appearance appearance{};  ///< The placement is relative to the bone. Colors combine with the character's.

  const Model* model = nullptr;        ///< A model with the renderer's blend space, or null.
  const PoseBuffers* posed = nullptr;  ///< Pose of `model`.
  const Skin* skin = nullptr;          ///< A skin of `model`, or null.

  /// Called with `user` and the attachment's transform to world pixels, or null. Finds the OpenGL state as draw() found
  /// it, or with StateHandling::dirty any state, and may change all of it. May call draw().
  void (*draw)(void* user, const Affine& world) = nullptr;
  void* user = nullptr;
};

/// Counters of the last draw() call.
struct DrawStatistics {
  std::uint32_t draw_calls = 0;  ///< Calls of glDraw* and glMultiDraw* functions.
  std::uint64_t triangles = 0;
  std::uint64_t uploaded_bytes = 0;  ///< Instances, draw commands and palettes. Excludes clips baked on first use.
  std::uint32_t instances = 0;       ///< Instances drawn.
  std::uint32_t culled = 0;          ///< Instances outside the camera's view.
  std::uint32_t posed = 0;  ///< Drawn instances that were posed on the CPU: crossfades, and clips that are not baked.
};

/// The values in which colors are filtered, tinted and blended.
enum class BlendSpace : std::uint8_t {
  /// sRGB-encoded values, as in image files and paint programs. For framebuffers that hold encoded colors, sRGB or not.
  /// GL_FRAMEBUFFER_SRGB is disabled while drawing.
  gamma,
  /// Linear light: textures are GL_SRGB8_ALPHA8, tints are decoded, and GL_FRAMEBUFFER_SRGB is enabled while drawing.
  /// For framebuffers that encode (such as GL_SRGB8_ALPHA8) or hold linear light (such as GL_RGBA16F).
  linear
};

/// Keeps compiled programs between runs, in files for example, so that a renderer starts faster. A driver that offers
/// no program binaries does not use it.
struct ProgramCache {
  /// Returns the bytes that were stored under a key, or none. Damaged and foreign bytes are recognized and ignored.
  /// Keys have 16 letters and digits; the driver, its version and the source of a program determine its key.
  Callback<std::vector<std::byte>(const std::string& key)> load{};
  /// Stores bytes under a key. If it fails, the program is compiled again next time.
  Callback<void(const std::string& key, std::span<const std::byte> bytes)> store{};
};

/// Options for a renderer.
struct RendererOptions {
  /// GPU memory for baked palettes. When it is full, the least recently used clips are evicted. A clip that does not
  /// fit at all is posed on the CPU.
  std::uint64_t palette_budget_bytes = std::uint64_t{64} << 20;
  /// Once a draw has baked palettes of this size, it poses instances with other new clips on the CPU, which looks the
  /// same, and later draws bake them. Limits how long the first draw of many clips takes. Renderer::bake() ignores it.
  std::uint64_t bake_bytes_per_draw = std::uint64_t{1} << 20;
  /// Either way, untinted opaque pixels come out as authored, within 1/255.
  BlendSpace blend_space = BlendSpace::gamma;
  /// Body of a GLSL function that returns the color of each pixel, such as "return color;". Empty draws the usual
  /// color. The body can use:
  ///   vec4 color                the usual color, premultiplied, before blending
  ///   vec2 uv                   texture coordinates
  ///   vec2 world                position in world pixels (3D: x and y)
  ///   vec2 effect               Appearance::effect of the instance
  ///   vec4 effect_values        from Renderer::set_effect_values()
  ///   vec4 image_texel(vec2 uv) the image's premultiplied color there, sampled at the pixel's level of detail
  ///   vec2 image_size()         size of the image in texels
  std::string fragment_main{};
  /// Decodes images and bakes clips in parallel.
  Executor executor{};
  /// Compiles only one of the 18 shader programs in Renderer::create(), the others when a draw first needs them. For
  /// programs that must start fast and may pause later. A fragment_main that the driver rejects only then draws
  /// nothing.
  bool compile_on_first_use = false;
  /// Used as long as the renderer, and any OffscreenTarget made from it, exists.
  ProgramCache program_cache{};
};

class Renderer;
struct Gl;  ///< Private to the library.

/// A character on the GPU. Movable; must not outlive its context. Any renderer with the same context and blend space
/// can draw it.
class Model {
 public:
  struct Resources;  ///< Private to the library.

  [[nodiscard]] const Character& character() const noexcept;
  [[nodiscard]] std::uint64_t gpu_bytes() const noexcept;  ///< Textures with mipmaps, and buffers.
  void set_filter(Filter filter) noexcept;                 ///< The default is trilinear, or nearest for pixel art.

 private:
  friend class Renderer;
  friend class Upload;
  explicit Model(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources, void (*)(Resources*)> resources_;
};

/// A model that is uploaded in parts, to avoid long frames. Movable; must not outlive its context, but can outlive its
/// renderer.
class Upload {
 public:
  struct Resources;  ///< Private to the library.

  /// Uploads up to `budget_bytes`, but at least one vertex or one row of an image. Where the driver makes
  /// mipmaps, it makes those of an image all at once. Returns true when everything is uploaded.
  bool step(std::uint64_t budget_bytes);
  /// Uploads for about `seconds`, checked every 256 KiB and before and after the driver makes mipmaps.
  bool step_for(double seconds);
  [[nodiscard]] std::uint64_t bytes_left() const noexcept;  ///< Excludes mipmaps that the driver makes.
  /// Uploads the rest and returns the model.
  [[nodiscard]] Model finish() &&;

 private:
  friend class Renderer;
  explicit Upload(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources, void (*)(Resources*)> resources_;
};

/// A skin on the GPU, for any number of instances of its model. Movable; must not outlive its context. Skin and model
/// can be destroyed in either order.
class Skin {
 public:
  struct Resources;  ///< Private to the library.

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
  /// Compiles the shaders or loads them from the program cache. Fails if the context is older than OpenGL 3.3 or OpenGL
  /// ES 3.0, or with the driver's log if it rejects RendererOptions::fragment_main.
  /// @{
  [[nodiscard]] static Expected<Renderer, RenderError> create(GetProcAddress get_proc_address,
                                                              const RendererOptions& options = {});
  [[nodiscard]] static Expected<Renderer, RenderError> create(GetProcAddressPointer get_proc_address,
                                                              const RendererOptions& options = {});
  /// @}

  /// Decodes the images and uploads everything. Fails if an image is broken or exceeds the context's texture size, or
  /// if there are more bones than one of its palette textures can hold.
  [[nodiscard]] Expected<Model, RenderError> upload(const Character& character, const Limits& limits = {});
  /// Uploads a character whose images are already decoded.
  [[nodiscard]] Expected<Model, RenderError> upload(const Character& character, std::span<const Bitmap> bitmaps);
  /// Starts an upload in parts; see Upload. `bitmaps` come from decode_images(), on any thread.
  [[nodiscard]] Expected<Upload, RenderError> begin_upload(const Character& character, std::vector<Bitmap> bitmaps);

  /// Uploads a skin for instances of `model`. Fails if the skin does not fit the model's character or an image is too
  /// large.
  [[nodiscard]] Expected<Skin, RenderError> upload_skin(const Model& model, const SkinData& skin);

  /// Draws `instances` in the given order, with the same result as drawing each alone. Instances outside the camera's
  /// view are culled. With OpenGL 4.3, consecutive instances that use up to 15 images of the model and its skins are a
  /// single draw call, whatever their looks; blend modes multiply and screen start another, as do changes between baked
  /// instances and those posed on the CPU. A clip is baked when it is first drawn; see bake(). Vertices are exact on
  /// frames and in crossfades, and within a quarter pixel of the smooth pose between frames.
  void draw(const Model& model, std::span<const Instance> instances, const Camera& camera,
            StateHandling state = StateHandling::restore, DepthMode depth = DepthMode::off);

  /// Draws a single instance.
  void draw(const Model& model, const Instance& instance, const Camera& camera,
            StateHandling state = StateHandling::restore, DepthMode depth = DepthMode::off) {
    draw(model, std::span(&instance, 1), camera, state, depth);
  }

  /// Draws a crowd like the same instances in an array.
  void draw(const Model& model, const Crowd& crowd, const Camera& camera, StateHandling state = StateHandling::restore,
            DepthMode depth = DepthMode::off);

  /// Draws all instances of a 3D model in a 3D view. draw() shows the front of a 3D model.
  void draw_scene(const Model& model, std::span<const Instance> instances, const SceneView& view,
                  StateHandling state = StateHandling::restore);

  /// Bakes a clip before its first use. A smooth bake also serves step sampling. Returns false if the clip will be
  /// posed on the CPU instead: it does not fit the budget, or rotates too far between frames to be blended.
  bool bake(const Model& model, ClipId clip, Sampling sampling);

  /// Draws a custom pose: all or part of a draw list in order, skinned on the GPU with `palette`, which has one
  /// transform per bone. Draws nothing for a 3D model. After apply_skin(), `options` needs the skin only for its
  /// images.
  void draw(const Model& model, std::span<const Affine> palette, std::span<const DrawItem> draw_list,
            const Camera& camera, const DrawOptions& options = {});
  /// Draws a posed character. Attachments with the same place are drawn in the given order; those of a 3D character are
  /// drawn after all of it.
  void draw(const Model& model, const PoseBuffers& posed, const Camera& camera, const DrawOptions& options = {},
            std::span<const Attachment> attachments = {});
  /// Draws posed characters in the given order, in few calls where their draw lists are those of frames of clips.
  void draw(const Model& model, std::span<const PosedInstance> instances, const Camera& camera,
            StateHandling state = StateHandling::restore, DepthMode depth = DepthMode::off);
  /// Draws a posed 3D character in a 3D view.
  void draw_scene(const Model& model, const PoseBuffers& posed, const SceneView& view, const DrawOptions& options = {});

  /// Sets the values that RendererOptions::fragment_main sees in later draws. They are 0 at first.
  void set_effect_values(const std::array<float, 4>& values) noexcept;

  [[nodiscard]] std::uint64_t gpu_bytes() const noexcept;    ///< Baked palettes and per-frame streaming buffers.
  [[nodiscard]] DrawStatistics statistics() const noexcept;  ///< Counters of the last draw.

 private:
  friend class OffscreenTarget;
  struct Resources;
  [[nodiscard]] const std::shared_ptr<const Gl>& gl() const noexcept;
  explicit Renderer(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources, void (*)(Resources*)> resources_;
};

}  // namespace pchr
