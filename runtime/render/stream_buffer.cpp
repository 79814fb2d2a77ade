// SPDX-License-Identifier: MIT
#include "render/stream_buffer.hpp"

#include "render/palette_texture.hpp"

#include <algorithm>

namespace pchr {

constexpr GLsizeiptr kAlignment = 32;

StreamBuffer::StreamBuffer(std::shared_ptr<const Gl> gl, GLenum target, GLsizeiptr max_bytes) noexcept
    : gl_(std::move(gl)), target_(target), max_bytes_(max_bytes) {}

StreamBuffer::~StreamBuffer() { release(); }

void StreamBuffer::bind() const {
  target_ == GL_TEXTURE_2D ? gl_->BindTexture(target_, name_) : gl_->BindBuffer(target_, name_);
}

void StreamBuffer::release() {
  for (GLsync& fence : fences_) {
    if (fence != nullptr) gl_->DeleteSync(std::exchange(fence, nullptr));
  }
  // The driver keeps memory that the GPU still reads.
  target_ == GL_TEXTURE_2D ? gl_->DeleteTextures(1, &name_) : gl_->DeleteBuffers(1, &name_);
  name_ = 0;
  memory_ = nullptr;
}

void StreamBuffer::renew(GLsizeiptr bytes) {
  release();
  constexpr GLsizeiptr kMinPartBytes = 256 << 10;
  const auto wanted = static_cast<GLsizeiptr>(std::bit_ceil(static_cast<std::uint64_t>(bytes)));
  part_bytes_ = std::max(std::min(std::max({part_bytes_, kMinPartBytes, wanted}), max_bytes_), bytes);
  parts_ = static_cast<std::size_t>(std::clamp<GLsizeiptr>(max_bytes_ / part_bytes_, 1, kMaxParts));
  part_ = 0;
  head_ = 0;
  const GLsizeiptr all = part_bytes_ * static_cast<GLsizeiptr>(parts_);
  target_ == GL_TEXTURE_2D ? gl_->GenTextures(1, &name_) : gl_->GenBuffers(1, &name_);
  bind();
  if (target_ == GL_TEXTURE_2D) {
    define_palette_texture(*gl_, all);
  } else if (gl_->VERSION_4_4 != 0) {
    constexpr GLbitfield kAccess = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    gl_->BufferStorage(target_, all, nullptr, kAccess);
    memory_ = static_cast<std::byte*>(gl_->MapBufferRange(target_, 0, all, kAccess));
  } else {
    gl_->BufferData(target_, all, nullptr, GL_STREAM_DRAW);
  }
}

// Returns whether the part can be written. Web pages have no fences: there, BufferSubData waits or copies if it has to.
bool StreamBuffer::enter_next_part() {
  if (gl_->FenceSync != nullptr) fences_[part_] = gl_->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  part_ = (part_ + 1) % parts_;
  head_ = part_bytes_ * static_cast<GLsizeiptr>(part_);
  GLsync& fence = fences_[part_];
  if (fence == nullptr) return true;
  const GLenum status = gl_->ClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  if (status != GL_ALREADY_SIGNALED && status != GL_CONDITION_SATISFIED) return false;
  gl_->DeleteSync(std::exchange(fence, nullptr));
  return true;
}

GLsizeiptr StreamBuffer::room_bytes() const noexcept {
  if (name_ == 0) return 0;
  const GLsizeiptr end = part_bytes_ * static_cast<GLsizeiptr>(part_ + 1);
  const GLsizeiptr unit = target_ == GL_TEXTURE_2D ? kPaletteRowBytes : kAlignment;
  return std::max<GLsizeiptr>(end - (head_ + unit - 1) / unit * unit, 0);
}

StreamBuffer::Reservation StreamBuffer::reserve(GLsizeiptr bytes) {
  bytes = std::max(bytes, kAlignment);
  if (target_ == GL_TEXTURE_2D) {
    if (const GLsizeiptr left = kPaletteRowBytes - head_ % kPaletteRowBytes; bytes > left) head_ += left;
  }
  const auto has_room = [&] { return head_ + bytes <= part_bytes_ * static_cast<GLsizeiptr>(part_ + 1); };
  const bool renewed = name_ == 0 || bytes > part_bytes_ || (!has_room() && !enter_next_part());
  renewed ? renew(bytes) : bind();
  if (memory_ != nullptr) return {memory_ + head_, head_, renewed};
  if (gl_->is_es) {
    reserved_.resize(std::max(reserved_.size(), static_cast<std::size_t>(bytes)));
    return {reserved_.data(), head_, renewed};
  }
  constexpr GLbitfield kAccess = GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_UNSYNCHRONIZED_BIT;
  return {static_cast<std::byte*>(gl_->MapBufferRange(target_, head_, bytes, kAccess)), head_, renewed};
}

void StreamBuffer::commit(GLsizeiptr bytes) {
  if (memory_ == nullptr) {
    bind();
    if (target_ == GL_TEXTURE_2D) {
      const GLsizeiptr rows = bytes / kPaletteRowBytes * kPaletteRowBytes;
      if (rows > 0) write_palette_texels(*gl_, head_, rows, reserved_.data());
      if (bytes > rows) write_palette_texels(*gl_, head_ + rows, bytes - rows, reserved_.data() + rows);
    } else if (gl_->is_es) {
      gl_->BufferSubData(target_, head_, bytes, reserved_.data());
    } else {
      gl_->UnmapBuffer(target_);
    }
  }
  head_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace pchr
