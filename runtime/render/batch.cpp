// SPDX-License-Identifier: MIT
#include "render/batch.hpp"

#include "render/palette_store.hpp"

#include <algorithm>

namespace pchr {

bool Batch::begin(std::size_t instances, std::size_t segments) {
  const auto reserved = streams.records.reserve(static_cast<GLsizeiptr>(instances * sizeof(InstanceRecord)));
  auto* const records = reinterpret_cast<InstanceRecord*>(reserved.memory);
  records_offset = reserved.offset;
  DrawCommand* commands = nullptr;
  if (indirect) {
    const auto memory = streams.commands.reserve(static_cast<GLsizeiptr>(segments * sizeof(DrawCommand)));
    commands = reinterpret_cast<DrawCommand*>(memory.memory);
    commands_offset = memory.offset;
  } else {
    streams.local_commands.resize(segments);
    commands = streams.local_commands.data();
  }
  if (records == nullptr || commands == nullptr) {
    if (records != nullptr) streams.records.commit(0);
    if (indirect && commands != nullptr) streams.commands.commit(0);
    return false;
  }
  rows = {};
  streams.segments.resize(std::max(streams.segments.size(), instances));
  streams.run_starts.resize(streams.segments.size() + 1);
  streams.groups.clear();
  streams.local_looks.clear();
  cursor = BatchCursor({records, instances}, commands, streams);
  return true;
}

void Batch::point_records(std::uint32_t first_instance) const {
  constexpr GLsizei kStride = sizeof(InstanceRecord);
  const std::size_t start = static_cast<std::size_t>(records_offset) + first_instance * sizeof(InstanceRecord);
  const auto place = [&](std::size_t field) { return buffer_offset(start + field); };
  gl.BindBuffer(GL_ARRAY_BUFFER, streams.records.name());
  gl.VertexAttribPointer(kPlacementColumns, 4, GL_FLOAT, GL_FALSE, kStride, place(0));
  gl.VertexAttribPointer(kPlacementTranslation, 2, GL_FLOAT, GL_FALSE, kStride, place(offsetof(InstanceRecord, tx)));
  gl.VertexAttribPointer(kStraightTint, 4, GL_UNSIGNED_BYTE, GL_TRUE, kStride, place(offsetof(InstanceRecord, tint)));
  gl.VertexAttribIPointer(kRow, 1, GL_UNSIGNED_INT, kStride, place(offsetof(InstanceRecord, row)));
  if (looks == LookSupport::none) return;
  gl.BindBuffer(GL_ARRAY_BUFFER, streams.looks.name());
  gl.VertexAttribIPointer(kLook, 4, GL_UNSIGNED_INT, sizeof(LookRecord),
                          buffer_offset(static_cast<std::size_t>(looks_offset) + first_instance * sizeof(LookRecord)));
}

// Returns false if the driver rejects the program, which Renderer::create() reports unless it is compiled on first use.
bool Batch::use_program() {
  const bool is_3d = model.layout.is_3d;
  const bool smooth = cursor.smooth_ % kFactorSteps != 0;
  const auto found = programs.get({smooth, !model.one_influence, is_3d, looks});
  if (!found) return false;
  const Program& program = **found;
  gl.UseProgram(program.name);
  gl.Uniform1i(program.bones_per_row, static_cast<GLint>(model.layout.row_bones()));
  if (is_3d) {
    gl.UniformMatrix4fv(program.world_to_clip, 1, GL_FALSE, &sight.in_3d.world_to_clip[0].x);
    gl.UniformMatrix3fv(program.world_to_view, 1, GL_FALSE, &sight.in_3d.world_to_view[0].x);
  } else {
    gl.UniformMatrix3x2fv(program.world_to_clip, 1, GL_FALSE, &sight.in_2d[0].x);
  }
  if (looks != LookSupport::none) {
    gl.Uniform1f(program.min_alpha, !is_3d && depth == DepthMode::test_and_write ? 0.125F : 0.0F);
  }
  if (effect_values != nullptr) gl.Uniform4fv(program.effect_values, 1, effect_values->data());
  return true;
}

void Batch::close_rows() {
  if (!rows.is_open) return;
  gl.ActiveTexture(GL_TEXTURE0 + kPaletteUnit);
  const auto written = rows.memory.first(streams.requests.size() * model.layout.row_bones());
  write_palette_rows(model.character, model.layout, streams.requests, streams.scratch, written);
  streams.requests.clear();
  streams.palettes.commit(static_cast<GLsizeiptr>(written.size_bytes()));
  statistics.uploaded_bytes += written.size_bytes();
  rows = {{}, 0, false, true};
}

void Batch::flush() {
  close_rows();
  cursor.finish_commands();
  const std::uint32_t command_count = cursor.command_count_;
  const std::size_t record_bytes = cursor.count_ * sizeof(InstanceRecord);
  streams.records.commit(static_cast<GLsizeiptr>(record_bytes));
  statistics.uploaded_bytes += record_bytes;
  if (indirect) {
    streams.commands.commit(static_cast<GLsizeiptr>(command_count * sizeof(DrawCommand)));
    statistics.uploaded_bytes += command_count * sizeof(DrawCommand);
  }
  statistics.instances += cursor.count_;
  statistics.triangles += cursor.indices_ / 3;
  if (command_count == 0) return;

  const bool many_images = std::ranges::any_of(streams.groups, [](const auto& group) { return group.image_count > 1; });
  const bool with_looks = many_images || !streams.local_looks.empty() || effect_values != nullptr ||
                          (depth != DepthMode::off && !model.layout.is_3d);
  looks = many_images ? LookSupport::many_images : with_looks ? LookSupport::one_image : LookSupport::none;
  if (with_looks) {
    cursor.fill_looks();
    const auto bytes = std::as_bytes(std::span(streams.local_looks));
    const auto reserved = streams.looks.reserve(static_cast<GLsizeiptr>(bytes.size()));
    if (reserved.memory == nullptr) return;
    std::ranges::copy(bytes, reserved.memory);
    streams.looks.commit(static_cast<GLsizeiptr>(bytes.size()));
    looks_offset = reserved.offset;
    statistics.uploaded_bytes += bytes.size();
  }
  if (!use_program()) return;
  gl.BindVertexArray(model.vertex_array);
  if (with_looks) gl.EnableVertexAttribArray(kLook);
  if (indirect) {
    point_records(0);
    gl.BindBuffer(GL_DRAW_INDIRECT_BUFFER, streams.commands.name());
  }
  gl.BindSampler(kPaletteUnit, 0);
  for (std::size_t i = 0; i < streams.groups.size(); ++i) {
    const bool is_last = i + 1 == streams.groups.size();
    draw_commands(streams.groups[i], is_last ? command_count : streams.groups[i + 1].first_command);
  }
  if (with_looks) gl.DisableVertexAttribArray(kLook);
}

void Batch::draw_commands(const CommandGroup& group, std::uint32_t end_command) {
  const std::uint32_t count = end_command - group.first_command;
  if (count == 0) return;  // Nothing in it is visible.
  if (group.blend != blend) set_blending(gl, blending_of(blend = group.blend));
  if (saved_units != nullptr) saved_units->save(unit_of(group.image_count - 1));
  gl.ActiveTexture(GL_TEXTURE0 + kPaletteUnit);
  gl.BindTexture(palette_target(gl), group.palette);
  for (std::size_t slot = 0; slot < group.image_count; ++slot) {
    gl.ActiveTexture(GL_TEXTURE0 + unit_of(slot));
    gl.BindTexture(GL_TEXTURE_2D, group.images[slot]);
    gl.BindSampler(unit_of(slot), sampler);
  }
  if (indirect) {
    const auto start = static_cast<std::size_t>(commands_offset) + group.first_command * sizeof(DrawCommand);
    gl.MultiDrawElementsIndirect(GL_TRIANGLES, model.index_type, buffer_offset(start), static_cast<GLsizei>(count), 0);
    ++statistics.draw_calls;
    return;
  }
  const std::size_t index_bytes = model.index_type == GL_UNSIGNED_SHORT ? 2 : 4;
  const auto commands = std::span(streams.local_commands).subspan(group.first_command, count);
  for (const DrawCommand& command : commands) {
    point_records(command.first_instance);
    gl.DrawElementsInstanced(GL_TRIANGLES, static_cast<GLsizei>(command.index_count), model.index_type,
                             buffer_offset(command.first_index * index_bytes),
                             static_cast<GLsizei>(command.instance_count));
    ++statistics.draw_calls;
  }
}

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
