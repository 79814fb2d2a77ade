// SPDX-License-Identifier: MIT
// Instances gathered into few draw calls.
#pragma once

#include "animation/bake.hpp"
#include "render/gl.hpp"
#include "render/model.hpp"
#include "render/program.hpp"
#include "render/stream_buffer.hpp"

#include <pchr/renderer.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace pchr {

/// One instance as the vertex shader reads it.
struct InstanceRecord {
  float a, b, c, d, tx, ty;          ///< Placement.
  std::array<std::uint8_t, 4> tint;  ///< Straight RGBA.
  std::uint32_t row;                 ///< First bone * 2048 + factor * 2048.
};
static_assert(sizeof(InstanceRecord) == 32);

/// As glMultiDrawElementsIndirect reads it.
struct DrawCommand {
  std::uint32_t index_count, instance_count, first_index;
  std::int32_t base_vertex;
  std::uint32_t first_instance;
};
static_assert(sizeof(DrawCommand) == 20);

constexpr std::uint32_t kFactorSteps = 2048;

/// Four colour values, 0..1 or clamped to that, in steps of 1/255. NaN is 0.
[[nodiscard]] inline std::array<std::uint8_t, 4> to_bytes(const std::array<float, 4>& colour) noexcept {
#ifdef __SSE2__
  const __m128 scaled = _mm_mul_ps(_mm_loadu_ps(colour.data()), _mm_set1_ps(255.0F));
  const __m128 clamped = _mm_min_ps(_mm_max_ps(scaled, _mm_setzero_ps()), _mm_set1_ps(255.0F));
  const __m128i steps = _mm_cvttps_epi32(_mm_add_ps(clamped, _mm_set1_ps(0.5F)));
  const __m128i bytes = _mm_packus_epi16(_mm_packs_epi32(steps, steps), steps);
  return std::bit_cast<std::array<std::uint8_t, 4>>(_mm_cvtsi128_si32(bytes));
#else
  std::array<std::uint8_t, 4> bytes{};
  for (std::size_t i = 0; i < 4; ++i) {
    const float scaled = colour[i] * 255.0F;
    const float above = scaled > 0.0F ? scaled : 0.0F;
    bytes[i] = static_cast<std::uint8_t>((above < 255.0F ? above : 255.0F) + 0.5F);
  }
  return bytes;
#endif
}

/// Writes each field where it goes: a record that is put together elsewhere first waits for its own parts.
inline void write_record(InstanceRecord& out, const Appearance& appearance, std::uint32_t row) noexcept {
  static_assert(sizeof(Affine) == offsetof(InstanceRecord, tint));
  std::memcpy(static_cast<void*>(&out), &appearance.placement, sizeof(Affine));
  out.tint = to_bytes(appearance.tint);
  out.row = row;
}

/// Draw commands of one image and one buffer of palettes.
struct CommandGroup {
  std::uint32_t image = 0;
  GLuint palette = 0;
  std::uint32_t first_command = 0, command_count = 0;
};

/// What all draws of a renderer write into.
struct Streams {
  StreamBuffer records, commands, palettes;
  GLuint palette_texture = 0;                 ///< Over `palettes`.
  std::vector<DrawCommand> local_commands{};  ///< Instead of `commands`, where the GPU cannot read them.
  std::vector<CommandGroup> groups{};
};

/// Gathers instances of one model and draws them, in the order in which they were added.
class Batch {
 public:
  Batch(const Gl& gl, const Model::Resources& model, const Programs& programs, Streams& streams,
        const Affine& world_to_clip, GLuint sampler, DrawStatistics& statistics) noexcept
      : gl_(gl),
        model_(model),
        programs_(programs),
        streams_(streams),
        world_to_clip_(world_to_clip),
        sampler_(sampler),
        statistics_(statistics),
        indirect_(gl.VERSION_4_3 != 0) {}

  /// Makes room for instances and their segments in all. False where there is no more memory.
  [[nodiscard]] bool begin(std::size_t instances, std::size_t segments);
  /// Whether as many more can be added.
  [[nodiscard]] bool has_room(std::size_t segments) const noexcept {
    return record_count_ < record_room_ && segments < command_room_ - command_count_;
  }

  /// One instance, whose rows are in `palette`.
  void add(const Appearance& appearance, std::uint32_t row, std::span<const DrawSegment> segments, GLuint palette) {
    write_record(records_[record_count_++], appearance, row);
    smooth_ |= row % kFactorSteps;
    for (const DrawSegment& segment : segments) {
      if (segment.image != group_.image || palette != group_.palette) begin_group(segment.image, palette);
      add_command(segment, 1);
    }
  }

  /// The same for one segment, or nothing where `visible` is 0: without a branch on what is hard to foretell.
  void add_if(std::uint32_t visible, const Appearance& appearance, std::uint32_t row, const DrawSegment& segment,
              GLuint palette) {
    if (segment.image != group_.image || palette != group_.palette) {
      if (visible == 0) return;
      begin_group(segment.image, palette);
    }
    write_record(records_[record_count_], appearance, row);
    record_count_ += visible;
    smooth_ |= row % kFactorSteps * visible;
    add_command(segment, visible);
  }

  /// Draws what was added, and ends what begin() began.
  void flush();

 private:
  // Neighbours that share an index list are one command. It is written again for each, which the memory of GPUs takes
  // well; what it never takes well is to be read.
  void add_command(const DrawSegment& segment, std::uint32_t visible) {
    const auto instance = first_record_ + static_cast<std::uint32_t>(record_count_) - visible;
    const std::uint32_t differs = (last_.first_index ^ segment.first_index) |
                                  (last_.index_count ^ segment.index_count) |
                                  ((last_.first_instance + last_.instance_count) ^ instance);
    const std::uint32_t is_new = visible & static_cast<std::uint32_t>(differs != 0);
    // With masks, since compilers make branches of conditions; and by value, since what was just written in parts is
    // slow to read as a whole.
    const std::uint32_t taken = 0U - is_new;
    const auto choose = [taken](std::uint32_t next, std::uint32_t before) {
      return before ^ ((next ^ before) & taken);
    };
    const DrawCommand command{choose(segment.index_count, last_.index_count), choose(1, last_.instance_count + visible),
                              choose(segment.first_index, last_.first_index), 0,
                              choose(instance, last_.first_instance)};
    command_count_ += is_new;
    commands_[command_count_] = command;
    last_ = command;
    triangles_ += std::uint64_t{segment.index_count} * visible;
  }

  void begin_group(std::uint32_t image, GLuint palette) {
    end_group();
    group_ = {image, palette, static_cast<std::uint32_t>(command_count_), 0};
    last_ = {};
  }

  void end_group();
  void draw_group(const CommandGroup& group);
  void point_records(std::uint32_t first_record) const;

  const Gl& gl_;
  const Model::Resources& model_;
  const Programs& programs_;
  Streams& streams_;
  Affine world_to_clip_;
  GLuint sampler_;
  DrawStatistics& statistics_;
  bool indirect_;

  // Commands begin at the second place of their memory, so that there is always one before the next.
  InstanceRecord* records_ = nullptr;
  DrawCommand* commands_ = nullptr;
  std::size_t record_room_ = 0, record_count_ = 0, command_room_ = 0, command_count_ = 0;
  std::uint32_t first_record_ = 0;  ///< In the stream.
  GLintptr commands_offset_ = 0;
  DrawCommand last_{};
  std::uint64_t triangles_ = 0;  ///< Three times as many.
  std::uint32_t smooth_ = 0;     ///< Not 0 where any instance is between two rows.
  CommandGroup group_{};
};

}  // namespace pchr
