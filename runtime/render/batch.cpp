// SPDX-License-Identifier: MIT
#include "render/batch.hpp"

#include "render/palette_texture.hpp"

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

}  // namespace pchr
