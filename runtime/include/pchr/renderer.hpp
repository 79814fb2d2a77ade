// SPDX-License-Identifier: MIT
// Draws characters on the caller's OpenGL context, 3.3 core or newer.
//
// All functions and destructors must run on the thread where that context is current. GL state that
// draw() and upload() touch, restored before they return unless told otherwise:
//   program; vertex array; GL_ARRAY_BUFFER, GL_TEXTURE_BUFFER and GL_PIXEL_UNPACK_BUFFER bindings; active texture;
//   GL_TEXTURE_2D, GL_TEXTURE_BUFFER and sampler bindings of units 0 and 1; blending of draw buffer 0 (enable,
//   equation, factors); depth test, stencil test, face culling and primitive restart (switched off); pixel unpack
//   parameters.
// Framebuffer, viewport, scissor, colour mask and polygon mode are the caller's and used as they are.
#pragma once

#include <pchr/camera.hpp>
#include <pchr/character.hpp>
#include <pchr/image.hpp>
#include <pchr/pose.hpp>

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>

namespace pchr {

/// As returned by glfwGetProcAddress, eglGetProcAddress, SDL_GL_GetProcAddress and the like.
using GetProcAddress = void (*(*)(const char* name))();

/// Why something could not be set up on this context, or which image of a character is broken.
struct RenderError {
  std::string message;
};

enum class Filter : std::uint8_t { trilinear, bilinear, nearest };

/// How one character is placed and coloured.
struct Instance {
  Affine placement = kIdentity;           ///< Character to world.
  std::array<float, 4> tint{1, 1, 1, 1};  ///< Straight RGBA, multiplied into every pixel.
};

enum class StateHandling : std::uint8_t {
  restore,  ///< Leave the state above as it was found.
  dirty     ///< Faster: leave it changed.
};

/// Counters of the last draw() call.
struct DrawStatistics {
  std::uint32_t draw_calls = 0;
  std::uint32_t triangles = 0;
  std::uint32_t uploaded_bytes = 0;
};

class Renderer;

/// A character on the GPU: textures, vertices, indices. Movable; must not outlive its context.
class Model {
 public:
  Model(Model&&) noexcept;
  Model& operator=(Model&&) noexcept;
  ~Model();
  [[nodiscard]] const Character& character() const noexcept;
  [[nodiscard]] std::uint64_t gpu_bytes() const noexcept;  ///< Textures with mipmaps, and buffers.
  void set_filter(Filter filter) noexcept;                 ///< trilinear at first.

 private:
  friend class Renderer;
  struct Resources;
  explicit Model(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources> resources_;
};

class Renderer {
 public:
  /// Compiles the shaders. Fails with a sentence on a context older than OpenGL 3.3.
  [[nodiscard]] static std::expected<Renderer, RenderError> create(GetProcAddress get_proc_address);
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;
  ~Renderer();

  /// Decodes and premultiplies the images and uploads everything. Fails where an image is broken or
  /// larger than this context's textures, or where there are more bones than its buffer textures hold.
  [[nodiscard]] std::expected<Model, RenderError> upload(const Character& character, const Limits& limits = {});
  /// The same with images already decoded, one per image of the character.
  [[nodiscard]] std::expected<Model, RenderError> upload(const Character& character, std::span<const Bitmap> bitmaps);

  /// Draws into the bound framebuffer: `draw_list` in its order, skinned on the GPU by `palette` (one
  /// transform per bone), premultiplied-alpha blended.
  void draw(const Model& model, std::span<const Affine> palette, const DrawList& draw_list, const Camera& camera,
            const Instance& instance = {}, StateHandling state = StateHandling::restore);
  /// The same for a posed character.
  void draw(const Model& model, const PosedCharacter& posed, const Camera& camera, const Instance& instance = {},
            StateHandling state = StateHandling::restore);

  [[nodiscard]] DrawStatistics statistics() const noexcept;

 private:
  struct Resources;
  explicit Renderer(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources> resources_;
};

}  // namespace pchr
