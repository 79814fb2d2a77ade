// SPDX-License-Identifier: MIT
// Instances gathered into few draw calls.
#include "render/batch.hpp"

#include <bit>
#include <cstddef>

namespace pchr {
namespace {

// OpenGL takes places in buffers as pointers.
const void* offset(std::size_t bytes) { return std::bit_cast<const void*>(bytes); }

}  // namespace

bool Batch::begin(std::size_t instances, std::size_t segments) {
  // One more, since add_if() writes what it then does not count.
  const auto records = streams_.records.reserve(static_cast<GLsizeiptr>((instances + 1) * sizeof(InstanceRecord)));
  records_ = reinterpret_cast<InstanceRecord*>(records.memory);
  first_record_ = static_cast<std::uint32_t>(records.offset / static_cast<GLintptr>(sizeof(InstanceRecord)));
  command_room_ = segments + 1;
  if (indirect_) {
    const auto commands = streams_.commands.reserve(static_cast<GLsizeiptr>(command_room_ * sizeof(DrawCommand)));
    commands_ = reinterpret_cast<DrawCommand*>(commands.memory);
    commands_offset_ = commands.offset;
  } else {
    streams_.local_commands.resize(command_room_);
    commands_ = streams_.local_commands.data();
  }
  streams_.groups.clear();
  record_room_ = instances;
  record_count_ = command_count_ = 0;
  smooth_ = 0;
  triangles_ = 0;
  group_ = {};
  last_ = {};
  if (records_ != nullptr && commands_ != nullptr) return true;
  if (records_ != nullptr) streams_.records.commit(0);
  if (indirect_ && commands_ != nullptr) streams_.commands.commit(0);
  records_ = nullptr;
  return false;
}

void Batch::end_group() {
  group_.command_count = static_cast<std::uint32_t>(command_count_) - group_.first_command;
  if (group_.command_count > 0) streams_.groups.push_back(group_);
}

void Batch::point_records(std::uint32_t first_record) const {
  constexpr GLsizei kStride = sizeof(InstanceRecord);
  const std::size_t start = std::size_t{first_record} * sizeof(InstanceRecord);
  gl_.VertexAttribPointer(kPlacementColumns, 4, GL_FLOAT, GL_FALSE, kStride, offset(start));
  gl_.VertexAttribPointer(kPlacementTranslation, 2, GL_FLOAT, GL_FALSE, kStride,
                          offset(start + offsetof(InstanceRecord, tx)));
  gl_.VertexAttribPointer(kStraightTint, 4, GL_UNSIGNED_BYTE, GL_TRUE, kStride,
                          offset(start + offsetof(InstanceRecord, tint)));
  gl_.VertexAttribIPointer(kRow, 1, GL_UNSIGNED_INT, kStride, offset(start + offsetof(InstanceRecord, row)));
}

void Batch::flush() {
  if (records_ == nullptr || commands_ == nullptr) return;
  end_group();
  const std::size_t record_bytes = record_count_ * sizeof(InstanceRecord);
  streams_.records.commit(static_cast<GLsizeiptr>(record_bytes));
  statistics_.uploaded_bytes += record_bytes;
  if (indirect_) {
    streams_.commands.commit(static_cast<GLsizeiptr>((command_count_ + 1) * sizeof(DrawCommand)));
    statistics_.uploaded_bytes += command_count_ * sizeof(DrawCommand);
  }
  statistics_.triangles += triangles_ / 3;
  records_ = nullptr;
  if (streams_.groups.empty()) return;

  const Program& program = programs_[ProgramKind{smooth_ != 0, !model_.one_influence}.number()];
  gl_.UseProgram(program.name);
  gl_.Uniform1i(program.bones_per_row, static_cast<GLint>(model_.layout.entries.size()));
  gl_.UniformMatrix3x2fv(program.world_to_clip, 1, GL_FALSE, &world_to_clip_[0].x);
  gl_.BindVertexArray(model_.vertex_array);
  gl_.BindBuffer(GL_ARRAY_BUFFER, streams_.records.name());
  if (indirect_) {
    point_records(0);
    gl_.BindBuffer(GL_DRAW_INDIRECT_BUFFER, streams_.commands.name());
  }
  gl_.BindSampler(kPaletteUnit, 0);
  gl_.BindSampler(kImageUnit, sampler_);
  for (const CommandGroup& group : streams_.groups) draw_group(group);
}

void Batch::draw_group(const CommandGroup& group) {
  gl_.ActiveTexture(GL_TEXTURE0 + kPaletteUnit);
  gl_.BindTexture(GL_TEXTURE_BUFFER, group.palette);
  gl_.ActiveTexture(GL_TEXTURE0 + kImageUnit);
  gl_.BindTexture(GL_TEXTURE_2D, model_.textures[group.image]);
  if (indirect_) {
    const auto start = static_cast<std::size_t>(commands_offset_) + (group.first_command + 1) * sizeof(DrawCommand);
    gl_.MultiDrawElementsIndirect(GL_TRIANGLES, model_.index_type, offset(start),
                                  static_cast<GLsizei>(group.command_count), 0);
    ++statistics_.draw_calls;
    return;
  }
  const std::size_t index_bytes = model_.index_type == GL_UNSIGNED_SHORT ? 2 : 4;
  const auto commands = std::span(streams_.local_commands).subspan(group.first_command + 1, group.command_count);
  for (const DrawCommand& command : commands) {
    point_records(command.first_instance);
    gl_.DrawElementsInstanced(GL_TRIANGLES, static_cast<GLsizei>(command.index_count), model_.index_type,
                              offset(command.first_index * index_bytes), static_cast<GLsizei>(command.instance_count));
    ++statistics_.draw_calls;
  }
}

}  // namespace pchr
