// SPDX-License-Identifier: MIT
// Instances gathered into few draw calls.
#include "render/batch.hpp"

#include <bit>
#include <cstddef>

namespace pchr {
namespace {}  // namespace

bool Batch::begin(std::size_t instances, std::size_t segments) {
  const auto reserved = streams_.records.reserve(static_cast<GLsizeiptr>(instances * sizeof(InstanceRecord)));
  auto* const records = reinterpret_cast<InstanceRecord*>(reserved.memory);
  records_offset_ = reserved.offset;
  DrawCommand* commands = nullptr;
  if (indirect_) {
    const auto memory = streams_.commands.reserve(static_cast<GLsizeiptr>((segments + 1) * sizeof(DrawCommand)));
    commands = reinterpret_cast<DrawCommand*>(memory.memory);
    commands_offset_ = memory.offset;
  } else {
    streams_.local_commands.resize(segments + 1);
    commands = streams_.local_commands.data();
  }
  if (records == nullptr || commands == nullptr) {
    if (records != nullptr) streams_.records.commit(0);
    if (indirect_ && commands != nullptr) streams_.commands.commit(0);
    return false;
  }
  streams_.groups.clear();
  cursor_ = BatchCursor({records, instances}, commands, streams_.groups);
  return true;
}

void Batch::point_records(std::uint32_t first_instance) const {
  constexpr GLsizei kStride = sizeof(InstanceRecord);
  const std::size_t start = static_cast<std::size_t>(records_offset_) + first_instance * sizeof(InstanceRecord);
  gl_.VertexAttribPointer(kPlacementColumns, 4, GL_FLOAT, GL_FALSE, kStride, buffer_offset(start));
  gl_.VertexAttribPointer(kPlacementTranslation, 2, GL_FLOAT, GL_FALSE, kStride,
                          buffer_offset(start + offsetof(InstanceRecord, tx)));
  gl_.VertexAttribPointer(kStraightTint, 4, GL_UNSIGNED_BYTE, GL_TRUE, kStride,
                          buffer_offset(start + offsetof(InstanceRecord, tint)));
  gl_.VertexAttribIPointer(kRow, 1, GL_UNSIGNED_INT, kStride, buffer_offset(start + offsetof(InstanceRecord, row)));
}

void Batch::flush() {
  const std::size_t record_bytes = cursor_.count_ * sizeof(InstanceRecord);
  const auto command_count = static_cast<std::uint32_t>(cursor_.command_ - cursor_.commands_);
  streams_.records.commit(static_cast<GLsizeiptr>(record_bytes));
  statistics_.uploaded_bytes += record_bytes;
  if (indirect_) {
    streams_.commands.commit(static_cast<GLsizeiptr>((command_count + 1) * sizeof(DrawCommand)));
    statistics_.uploaded_bytes += command_count * sizeof(DrawCommand);
  }
  statistics_.instances += cursor_.count_;
  statistics_.triangles += cursor_.indices_ / 3;
  if (command_count == 0) return;

  const bool is_3d = model_.layout.is_3d;
  const ProgramKind kind{cursor_.smooth_ % kFactorSteps != 0, !model_.one_influence, is_3d};
  const Program& program = programs_[kind.number()];
  gl_.UseProgram(program.name);
  gl_.Uniform1i(program.bones_per_row, static_cast<GLint>(model_.layout.row_bones()));
  if (is_3d) {
    gl_.UniformMatrix4fv(program.world_to_clip, 1, GL_FALSE, &sight_.in_3d.world_to_clip[0].x);
    gl_.UniformMatrix3fv(program.world_to_view, 1, GL_FALSE, &sight_.in_3d.world_to_view[0].x);
  } else {
    gl_.UniformMatrix3x2fv(program.world_to_clip, 1, GL_FALSE, &sight_.in_2d[0].x);
  }
  gl_.BindVertexArray(model_.vertex_array);
  gl_.BindBuffer(GL_ARRAY_BUFFER, streams_.records.name());
  if (indirect_) {
    point_records(0);
    gl_.BindBuffer(GL_DRAW_INDIRECT_BUFFER, streams_.commands.name());
  }
  gl_.BindSampler(kPaletteUnit, 0);
  gl_.BindSampler(kImageUnit, sampler_);
  for (std::size_t i = 0; i < streams_.groups.size(); ++i) {
    const bool is_last = i + 1 == streams_.groups.size();
    draw_commands(streams_.groups[i], is_last ? command_count : streams_.groups[i + 1].first_command);
  }
}

void Batch::draw_commands(const CommandGroup& group, std::uint32_t end_command) {
  const std::uint32_t count = end_command - group.first_command;
  if (count == 0) return;  // What was added to it cannot be seen.
  gl_.ActiveTexture(GL_TEXTURE0 + kPaletteUnit);
  gl_.BindTexture(GL_TEXTURE_BUFFER, group.palette);
  gl_.ActiveTexture(GL_TEXTURE0 + kImageUnit);
  gl_.BindTexture(GL_TEXTURE_2D, group.image);
  if (indirect_) {
    const auto start = static_cast<std::size_t>(commands_offset_) + (group.first_command + 1) * sizeof(DrawCommand);
    gl_.MultiDrawElementsIndirect(GL_TRIANGLES, model_.index_type, buffer_offset(start), static_cast<GLsizei>(count),
                                  0);
    ++statistics_.draw_calls;
    return;
  }
  const std::size_t index_bytes = model_.index_type == GL_UNSIGNED_SHORT ? 2 : 4;
  const auto commands = std::span(streams_.local_commands).subspan(group.first_command + 1, count);
  for (const DrawCommand& command : commands) {
    point_records(command.first_instance);
    gl_.DrawElementsInstanced(GL_TRIANGLES, static_cast<GLsizei>(command.index_count), model_.index_type,
                              buffer_offset(command.first_index * index_bytes),
                              static_cast<GLsizei>(command.instance_count));
    ++statistics_.draw_calls;
  }
}

}  // namespace pchr
