// SPDX-License-Identifier: MIT
#include "render/stream_buffer.hpp"

#include <algorithm>

namespace pchr {

constexpr GLsizeiptr kAlignment = 32;

StreamBuffer::StreamBuffer(std::shared_ptr<const Gl> gl, GLenum target, GLsizeiptr max_bytes) noexcept
    : gl_(std::move(gl)), target_(target), max_bytes_(max_bytes) {}

StreamBuffer::~StreamBuffer() { release(); }

void StreamBuffer::release() {
  for (GLsync& fence : fences_) {
    if (fence != nullptr) gl_->DeleteSync(std::exchange(fence, nullptr));
  }
  // The driver keeps memory that the GPU still reads.
  gl_->DeleteBuffers(1, &buffer_);
  buffer_ = 0;
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
  gl_->GenBuffers(1, &buffer_);
  gl_->BindBuffer(target_, buffer_);
  if (gl_->VERSION_4_4 != 0) {
    constexpr GLbitfield kAccess = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    gl_->BufferStorage(target_, all, nullptr, kAccess);
    memory_ = static_cast<std::byte*>(gl_->MapBufferRange(target_, 0, all, kAccess));
  } else {
    gl_->BufferData(target_, all, nullptr, GL_STREAM_DRAW);
  }
}

// Returns whether the GPU has finished reading the part.
bool StreamBuffer::enter_next_part() {
  fences_[part_] = gl_->FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  part_ = (part_ + 1) % parts_;
  head_ = part_bytes_ * static_cast<GLsizeiptr>(part_);
  GLsync& fence = fences_[part_];
  if (fence == nullptr) return true;
  const GLenum status = gl_->ClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0);
  if (status != GL_ALREADY_SIGNALED && status != GL_CONDITION_SATISFIED) return false;
  gl_->DeleteSync(std::exchange(fence, nullptr));
  return true;
}

StreamBuffer::Reservation StreamBuffer::reserve(GLsizeiptr bytes) {
  bytes = std::max(bytes, kAlignment);
  const auto has_room = [&] { return head_ + bytes <= part_bytes_ * static_cast<GLsizeiptr>(part_ + 1); };
  const bool renewed = buffer_ == 0 || bytes > part_bytes_ || (!has_room() && !enter_next_part());
  renewed ? renew(bytes) : gl_->BindBuffer(target_, buffer_);
  if (memory_ != nullptr) return {memory_ + head_, head_, renewed};
  constexpr GLbitfield kAccess = GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_RANGE_BIT | GL_MAP_UNSYNCHRONIZED_BIT;
  return {static_cast<std::byte*>(gl_->MapBufferRange(target_, head_, bytes, kAccess)), head_, renewed};
}

void StreamBuffer::commit(GLsizeiptr bytes) {
  if (memory_ == nullptr) {
    gl_->BindBuffer(target_, buffer_);
    gl_->UnmapBuffer(target_);
  }
  head_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace pchr
