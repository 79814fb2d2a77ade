// SPDX-License-Identifier: MIT
// GPU memory that is written once and drawn once.
#pragma once

#include "render/gl.hpp"

#include <array>
#include <vector>

namespace pchr {

/// A ring of memory that the CPU fills ahead of the GPU. Never waits: if the GPU still reads the next part, a new
/// buffer replaces the old one. Persistently mapped if the context supports it, else mapped part by part. On
/// OpenGL ES, copied from memory instead, because WebGL cannot map buffers.
class StreamBuffer {
 public:
  /// At most `max_bytes` can be bound at once. With the target GL_TEXTURE_2D, which only OpenGL ES allows, it is a
  /// palette texture. Then `max_bytes` is a multiple of kPaletteRowBytes, the active unit must stay the same, and the
  /// unpack parameters must be those of SavedPixelTransfer.
  StreamBuffer(std::shared_ptr<const Gl> gl, GLenum target, GLsizeiptr max_bytes) noexcept;
  StreamBuffer(const StreamBuffer&) = delete;
  StreamBuffer& operator=(const StreamBuffer&) = delete;
  ~StreamBuffer();

  struct Reservation {
    std::byte* memory = nullptr;  ///< Uninitialized. Null if GPU memory is exhausted.
    GLintptr offset = 0;          ///< Offset in the buffer or texture, a multiple of 32 bytes.
    bool renewed = false;         ///< The buffer was replaced, possibly by one with the same name. Attach it again.
  };

  /// Reserves memory. Call commit() after each call, before the GPU reads the memory. Leaves the buffer or texture
  /// bound to the target.
  [[nodiscard]] Reservation reserve(GLsizeiptr bytes);
  void commit(GLsizeiptr bytes);

  /// Returns how much reserve() can give without replacing the buffer or waiting for the GPU to read what it holds.
  [[nodiscard]] GLsizeiptr room_bytes() const noexcept;

  /// Returns the buffer or texture, 0 before the first reservation. A reservation can replace it, even with the same
  /// name.
  [[nodiscard]] GLuint name() const noexcept { return name_; }
  [[nodiscard]] GLsizeiptr capacity_bytes() const noexcept {
    return name_ == 0 ? 0 : part_bytes_ * static_cast<GLsizeiptr>(parts_);
  }

 private:
  static constexpr std::size_t kMaxParts = 4;

  void bind() const;
  void renew(GLsizeiptr bytes);
  void release();
  [[nodiscard]] bool enter_next_part();

  std::shared_ptr<const Gl> gl_;
  GLenum target_;
  GLsizeiptr max_bytes_;
  GLuint name_ = 0;
  std::byte* memory_ = nullptr;        ///< The whole buffer, if persistently mapped.
  std::vector<std::byte> reserved_{};  ///< Memory to copy from on OpenGL ES.
  GLsizeiptr part_bytes_ = 0;
  std::size_t parts_ = 1, part_ = 0;
  GLsizeiptr head_ = 0;  ///< Offset from the start of the buffer.
  std::array<GLsync, kMaxParts> fences_{};
};

}  // namespace pchr
