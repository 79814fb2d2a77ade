// SPDX-License-Identifier: MIT
#pragma once

#include "render/gl.hpp"

#include <array>

namespace pchr {

constexpr GLuint kImageUnit = 0;
constexpr GLuint kPaletteUnit = 1;
/// Images that one draw call can choose from. With the palette they take the 16 units that OpenGL 3.3 guarantees.
constexpr std::size_t kImageSlots = 15;

/// Returns the texture unit of an image slot.
[[nodiscard]] constexpr GLuint unit_of(std::size_t slot) noexcept {
  return slot == 0 ? kImageUnit : kPaletteUnit + static_cast<GLuint>(slot);
}

/// Attribute locations in the vertex shader.
enum Attribute : GLuint {
  kPositionUv,
  kBones,
  kWeights,
  kPlacementColumns,
  kPlacementTranslation,
  kStraightTint,
  kRow,
  kDepthNormal,
  kLook
};

struct ShaderSource {
  GLenum stage = GL_VERTEX_SHADER;
  const char* what = "";  ///< Named in the error.
  std::vector<const char*> parts{};
};

/// Compiles and links a program, or loads it from the program cache.
[[nodiscard]] Expected<GLuint, RenderError> link_program(const Gl& gl, std::initializer_list<ShaderSource> sources);

/// A program and its uniform locations.
struct Program {
  GLuint name = 0;
  GLint bones_per_row = -1, world_to_clip = -1, world_to_view = -1, min_alpha = -1, effect_values = -1;
};

/// What a program reads from each instance beyond its record.
enum class LookSupport : std::uint8_t {
  none,
  one_image,   ///< A LookRecord.
  many_images  ///< A LookRecord that chooses the image.
};

/// What a program supports. A program that supports less is faster and, where that suffices, gives the same result.
struct ProgramKind {
  bool smooth;           ///< Blends neighboring rows.
  bool many_influences;  ///< Four bones per vertex instead of one. Always set for 3D characters.
  bool is_3d;
  LookSupport looks = LookSupport::none;

  [[nodiscard]] std::size_t number() const noexcept {
    return (smooth ? 1U : 0U) + (many_influences || is_3d ? 2U : 0U) + (is_3d ? 4U : 0U) +
           8U * static_cast<std::size_t>(looks);
  }
};

/// The programs of a renderer. Each is compiled once.
class Programs {
 public:
  Programs(std::shared_ptr<const Gl> gl, BlendSpace space, std::string fragment_main)
      : gl_(std::move(gl)), space_(space), fragment_main_(std::move(fragment_main)) {}
  Programs(const Programs&) = delete;
  Programs& operator=(const Programs&) = delete;
  ~Programs();

  [[nodiscard]] bool has_hook() const noexcept { return !fragment_main_.empty(); }

  /// Returns a program, compiling it if necessary, which can change the current program.
  [[nodiscard]] Expected<const Program*, RenderError> get(ProgramKind kind);

  /// Compiles all kinds that can be needed. With `fragment_main`, only those that support looks.
  [[nodiscard]] Expected<void, RenderError> compile_all();

 private:
  std::shared_ptr<const Gl> gl_;
  BlendSpace space_;
  std::string fragment_main_;
  std::array<Program, 24> programs_{};
};

}  // namespace pchr
