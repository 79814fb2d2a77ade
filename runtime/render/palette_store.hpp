// SPDX-License-Identifier: MIT
// Allocates and evicts baked palettes in GPU memory: buffer textures, or on OpenGL ES, which has none, 2D textures that
// shaders read in the same order. Two texels per bone.
#pragma once

#include "animation/bake.hpp"
#include "render/gl.hpp"

#include <cstdint>

namespace pchr {

/// Palette textures shared by all characters of a renderer. Allocates blocks of bones, and evicts the least recently
/// used ones when the budget is spent. Memory grows on demand.
class PaletteStore {
 public:
  /// Instance records have 21 bits for a bone number.
  static constexpr std::uint32_t kMaxPageBones = std::uint32_t{1} << 21;

  /// Id of a block. Never reused: an evicted block is not found again.
  struct Handle {
    std::uint32_t number = 0xFFFFFFFF;
    std::uint32_t generation = 0;
  };

  struct Block {
    std::uint32_t page = 0;
    std::uint32_t first_bone = 0;
    std::uint32_t bone_count = 0;
  };

  PaletteStore(std::shared_ptr<const Gl> gl, std::uint64_t budget_bytes);
  PaletteStore(const PaletteStore&) = delete;
  PaletteStore& operator=(const PaletteStore&) = delete;
  ~PaletteStore();

  /// Starts a use. Blocks found or stored from here on are not evicted before the next call.
  void begin_use() noexcept { ++use_; }
  [[nodiscard]] std::uint64_t use() const noexcept { return use_; }

  /// Marks a block as used and returns it, or null if it was evicted or released.
  [[nodiscard]] const Block* find(Handle handle) noexcept;
  /// Stores bones, evicting blocks not used since begin_use(). Returns nothing if they do not fit. Changes the
  /// GL_TEXTURE_BUFFER, GL_ARRAY_BUFFER and the active unit's palette texture bindings.
  [[nodiscard]] std::optional<Handle> store(std::span<const BoneTexels> bones);
  void release(Handle handle) noexcept;

  [[nodiscard]] GLuint texture(std::uint32_t page) const noexcept { return pages_[page].texture; }
  [[nodiscard]] std::uint32_t max_page_bones() const noexcept { return max_page_bones_; }
  [[nodiscard]] std::uint64_t gpu_bytes() const noexcept;

 private:
  struct Hole {
    std::uint32_t first = 0, count = 0;
  };
  struct Page {
    GLuint buffer = 0, texture = 0;  ///< On OpenGL ES, the texture is a copy of the buffer.
    std::uint32_t capacity = 0;
    std::vector<Hole> holes;  ///< Sorted by position. Adjacent holes are merged.
  };
  struct Entry {
    Block block;
    std::uint64_t used = 0;
    std::uint32_t generation = 0;
    bool live = false;
  };

  [[nodiscard]] Entry* find_entry(Handle handle) noexcept;
  [[nodiscard]] std::optional<Block> allocate(std::uint32_t count);
  [[nodiscard]] bool grow(std::uint32_t count);
  void resize(Page& page, std::uint32_t capacity);
  [[nodiscard]] bool evict_one();

  std::shared_ptr<const Gl> gl_;
  std::uint64_t budget_bones_;
  std::uint32_t max_page_bones_;
  std::vector<Page> pages_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_entries_;
  std::uint64_t use_ = 1;
};

/// Width of a 2D texture in texels. Also in look.vert. OpenGL ES guarantees it.
constexpr GLsizei kPaletteWidth = 2048;
constexpr GLsizeiptr kTexelBytes = 16;
constexpr GLsizeiptr kPaletteRowBytes = kPaletteWidth * kTexelBytes;

[[nodiscard]] inline GLenum palette_target(const Gl& gl) noexcept {
  return gl.is_es ? GL_TEXTURE_2D : GL_TEXTURE_BUFFER;
}

/// Returns how many bones one texture can hold.
[[nodiscard]] inline std::uint64_t max_palette_bones(const Gl& gl) {
  const std::uint64_t texels = gl.is_es ? std::uint64_t{get_name(gl, GL_MAX_TEXTURE_SIZE)} * kPaletteWidth
                                        : std::uint64_t{get_name(gl, GL_MAX_TEXTURE_BUFFER_SIZE)};
  return texels / 2;
}

/// Allocates the bound 2D texture. Takes its texels from the start of the GL_PIXEL_UNPACK_BUFFER, if there is one.
inline void define_palette_texture(const Gl& gl, GLsizeiptr bytes) {
  gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, kPaletteWidth, static_cast<GLsizei>(bytes / kPaletteRowBytes), 0, GL_RGBA,
                GL_FLOAT, nullptr);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  gl.TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

/// Writes texels of the bound 2D texture: whole rows, or some of one row. `texels` is memory or an offset in the
/// GL_PIXEL_UNPACK_BUFFER.
inline void write_palette_texels(const Gl& gl, GLintptr offset, GLsizeiptr bytes, const void* texels) {
  const auto column = static_cast<GLint>(offset % kPaletteRowBytes / kTexelBytes);
  const auto row = static_cast<GLint>(offset / kPaletteRowBytes);
  const bool whole_rows = bytes > kPaletteRowBytes;
  gl.TexSubImage2D(GL_TEXTURE_2D, 0, column, row,
                   whole_rows ? kPaletteWidth : static_cast<GLsizei>(bytes / kTexelBytes),
                   whole_rows ? static_cast<GLsizei>(bytes / kPaletteRowBytes) : 1, GL_RGBA, GL_FLOAT, texels);
}

}  // namespace pchr
