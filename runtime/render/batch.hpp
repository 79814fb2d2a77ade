// SPDX-License-Identifier: MIT
// Batches instances into few draw calls.
#pragma once

#include "render/model.hpp"
#include "render/program.hpp"
#include "render/stream_buffer.hpp"

#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace pchr {

/// Per-instance data as the vertex shader reads it.
struct InstanceRecord {
  float a, b, c, d, tx, ty;          ///< Placement.
  std::array<std::uint8_t, 4> tint;  ///< Straight RGBA.
  std::uint32_t row;                 ///< First bone * 2048 + factor * 2048.
};
static_assert(sizeof(InstanceRecord) == 32);

struct DrawCommand {
  std::uint32_t index_count, instance_count, first_index;
  std::int32_t base_vertex;
  std::uint32_t first_instance;
};
static_assert(sizeof(DrawCommand) == 20);

/// Clamps color values to 0..1 and converts them to steps of 1/255. NaN becomes 0.
[[nodiscard]] inline std::array<std::uint8_t, 4> to_bytes(const std::array<float, 4>& color) noexcept {
#ifdef __SSE2__
  const __m128 scaled = _mm_mul_ps(_mm_loadu_ps(color.data()), _mm_set1_ps(255.0F));
  // Packing saturates negative values and NaN.
  const __m128 clamped = _mm_min_ps(_mm_set1_ps(255.0F), scaled);
  const __m128i steps = _mm_cvttps_epi32(_mm_add_ps(clamped, _mm_set1_ps(0.5F)));
  const __m128i bytes = _mm_packus_epi16(_mm_packs_epi32(steps, steps), steps);
  return std::bit_cast<std::array<std::uint8_t, 4>>(_mm_cvtsi128_si32(bytes));
#else
  std::array<std::uint8_t, 4> bytes{};
  for (std::size_t i = 0; i < 4; ++i) {
    const float scaled = color[i] * 255.0F;
    const float above = scaled > 0.0F ? scaled : 0.0F;
    bytes[i] = static_cast<std::uint8_t>((above < 255.0F ? above : 255.0F) + 0.5F);
  }
  return bytes;
#endif
}

/// Writes each field in place. Building the record elsewhere and copying it would stall on its own stores.
inline void write_record(InstanceRecord& out, const Appearance& appearance, std::uint32_t row) noexcept {
  static_assert(sizeof(Affine) == offsetof(InstanceRecord, tint));
  std::memcpy(static_cast<void*>(&out), &appearance.placement, sizeof(Affine));
  out.tint = to_bytes(appearance.tint);
  out.row = row;
}

/// Draw commands that use one image texture and one palette texture. Ends where the next group starts.
struct CommandGroup {
  GLuint image = 0;
  GLuint palette = 0;
  std::uint32_t first_command = 0;
};

/// The buffers that all draws of a renderer write to.
struct Streams {
  StreamBuffer records, commands, palettes;
  GLuint palette_texture = 0;                 ///< Views `palettes`.
  std::vector<DrawCommand> local_commands{};  ///< Used instead of `commands` if the GPU cannot read draw commands.
  std::vector<CommandGroup> groups{};
};

/// Writes instances into the memory of a batch. Loops over many instances copy it to a local variable, which the
/// compiler can keep in registers: it knows that the writes cannot change it.
class BatchCursor {
 public:
  BatchCursor() = default;
  /// Leaves the first command unused, so there is always one before the next.
  BatchCursor(std::span<InstanceRecord> records, DrawCommand* commands, std::vector<CommandGroup>& groups) noexcept
      : records_(records.data()),
        commands_(commands),
        command_(commands),
        room_(static_cast<std::uint32_t>(records.size())),
        groups_(&groups) {}

  [[nodiscard]] std::uint32_t room() const noexcept { return room_ - count_; }

  /// Adds an instance whose rows are in `palette`.
  void add(const Appearance& appearance, std::uint32_t row, std::span<const DrawSegment> segments, GLuint palette) {
    write_record(records_[count_], appearance, row);
    smooth_ |= row;
    for (const DrawSegment& segment : segments) {
      enter_group(segment.image, palette);
      segment_ = 0;  // The previous command draws another segment of this instance, or follows one that does.
      add_command(segment, 1);
    }
    ++count_;
    segment_ = 0;
  }

  /// Sets the image and palette for the next add_if().
  void enter_group(GLuint image, GLuint palette) {
    if (is_in_group(image, palette)) return;
    image_ = image;
    palette_ = palette;
    segment_ = 0;
    groups_->push_back({image, palette, static_cast<std::uint32_t>(command_ - commands_)});
  }
  [[nodiscard]] bool is_in_group(GLuint image, GLuint palette) const noexcept {
    return image == image_ && palette == palette_;
  }

  /// Adds one instance with one segment to the current group, or nothing if `visible` is 0. Branchless, because a
  /// branch would be hard to predict.
  void add_if(std::uint32_t visible, const Appearance& appearance, std::uint32_t row, const DrawSegment& segment) {
    write_record(records_[count_], appearance, row);
    smooth_ |= row;
    add_command(segment, visible);
    count_ += visible;
  }

 private:
  friend struct Batch;

  // Neighbors that share an index list share a command. It is rewritten for each, because GPU memory is slow to read.
  void add_command(const DrawSegment& segment, std::uint32_t visible) {
    const std::uint64_t wanted = std::uint64_t{segment.index_count} << 32 | segment.first_index;
    const auto differs = static_cast<std::uint32_t>(wanted != segment_);
    // Written without a condition, which compilers would turn into a branch.
    const std::uint32_t first = first_ ^ ((count_ ^ first_) & (0U - differs));
    command_[differs] = {segment.index_count, count_ + visible - first, segment.first_index, 0, first};
    command_ += differs & visible;
    segment_ = visible != 0 ? wanted : segment_;
    first_ = visible != 0 ? first : first_;
    indices_ += std::uint64_t{segment.index_count} * visible;
  }

  InstanceRecord* records_ = nullptr;
  DrawCommand* commands_ = nullptr;
  DrawCommand* command_ = nullptr;  ///< The last command.
  std::uint64_t segment_ = 0;       ///< Segment of the last command, or 0 if the next must not extend it.
  std::uint32_t first_ = 0;         ///< First instance of the last command.
  std::uint32_t count_ = 0, room_ = 0;
  GLuint image_ = 0;
  GLuint palette_ = 0;
  std::uint32_t smooth_ = 0;  ///< All rows ORed together. Has factor bits if any instance is between two rows.
  std::uint64_t indices_ = 0;
  std::vector<CommandGroup>* groups_ = nullptr;
};

/// The view of a 2D or 3D model.
struct Sight {
  Affine in_2d{kIdentity};
  SceneView in_3d{};
};

/// Batches instances of one model and draws them in order.
struct Batch {
  const Gl& gl;
  const Model::Resources& model;
  const Programs& programs;
  Streams& streams;
  Sight sight;
  GLuint sampler;
  DrawStatistics& statistics;

  bool indirect = gl.VERSION_4_3 != 0;
  BatchCursor cursor{};                              ///< Adds instances between begin() and flush().
  GLintptr records_offset = 0, commands_offset = 0;  ///< In their buffers.

  /// Reserves memory for instances and all their segments. Returns false if there is none left.
  [[nodiscard]] bool begin(std::size_t instances, std::size_t segments);
  void flush();
  void draw_commands(const CommandGroup& group, std::uint32_t end_command);
  void point_records(std::uint32_t first_instance) const;
};

}  // namespace pchr
