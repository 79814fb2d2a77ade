// SPDX-License-Identifier: MIT
// GPU memory that is written once and drawn once.
#pragma once

#include "render/gl.hpp"

#include <array>

namespace pchr {

/// A ring of memory that the CPU fills ahead of the GPU. It never waits for the GPU: where the next part is still being
/// read, other memory takes its place. Mapped for good where the context allows, else a part at a time.
class StreamBuffer {
 public:
  /// Leaves its buffer bound to `target`. At most `max_bytes` may be bound at once.
  StreamBuffer(std::shared_ptr<const Gl> gl, GLenum target, GLsizeiptr max_bytes) noexcept;
  StreamBuffer(const StreamBuffer&) = delete;
  StreamBuffer& operator=(const StreamBuffer&) = delete;
  ~StreamBuffer();

  struct Reservation {
    std::byte* memory = nullptr;  ///< Holds anything; null where the GPU has no more memory.
    GLintptr offset = 0;          ///< In the buffer, a multiple of 32 bytes.
    bool renewed = false;         ///< The buffer is another one, even if it has the same name: attach it again.
  };

  /// Reserves memory. Follow each call by one of commit(), before the GPU reads it.
  [[nodiscard]] Reservation reserve(GLsizeiptr bytes);
  void commit(GLsizeiptr bytes);

  /// Returns 0 at first. A reservation may replace the buffer, even by one of the same name.
  [[nodiscard]] GLuint name() const noexcept { return buffer_; }
  [[nodiscard]] GLsizeiptr capacity_bytes() const noexcept {
    return buffer_ == 0 ? 0 : part_bytes_ * static_cast<GLsizeiptr>(parts_);
  }

 private:
  static constexpr std::size_t kMaxParts = 4;

  void renew(GLsizeiptr bytes);
  void release();
  [[nodiscard]] bool enter_next_part();

  std::shared_ptr<const Gl> gl_;
  GLenum target_;
  GLsizeiptr max_bytes_;
  GLuint buffer_ = 0;
  std::byte* memory_ = nullptr;  ///< The whole buffer's, where it stays mapped.
  GLsizeiptr part_bytes_ = 0;
  std::size_t parts_ = 1, part_ = 0;
  GLsizeiptr head_ = 0;  ///< From the start of the buffer.
  std::array<GLsync, kMaxParts> fences_{};
};

}  // namespace pchr
