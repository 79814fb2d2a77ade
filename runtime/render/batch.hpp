// SPDX-License-Identifier: MIT
// Batches instances into few draw calls.
#pragma once

#include "compiler/vectors.hpp"
#include "render/gl.hpp"
#include "render/gl_state.hpp"
#include "render/model.hpp"
#include "render/program.hpp"

#include <array>
#include <cmath>
#include <cstring>
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

/// Per-instance data as the vertex shader reads it.
struct InstanceRecord {
  float a, b, c, d, tx, ty;          ///< Placement.
  std::array<std::uint8_t, 4> tint;  ///< Straight RGBA.
  std::uint32_t row;                 ///< First bone * 2048 + factor * 2048.
};
static_assert(sizeof(InstanceRecord) == 32);

/// What a record does not have room for: per instance, in a second buffer that plain batches do without. All zero for a
/// plain instance.
struct LookRecord {
  std::array<std::uint8_t, 3> additive{};
  std::uint8_t slot = 0;
  std::array<std::uint8_t, 3> dark_tint{};
  std::uint8_t adds = 0;  ///< 1 for Blend::add.
  std::array<std::uint16_t, 2> effect{};
  float depth = 0;
};
static_assert(sizeof(LookRecord) == 16);

struct DrawCommand {
  std::uint32_t index_count, instance_count, first_index;
  std::int32_t base_vertex;
  std::uint32_t first_instance;
};
static_assert(sizeof(DrawCommand) == 20);

/// Clamps color values to 0..1 and converts them to steps of 1/255. NaN becomes 0.
[[nodiscard]] inline std::array<std::uint8_t, 4> to_bytes(const std::array<float, 4>& color) noexcept {
  // Not a number stays one, which to_bytes() makes 0.
  const Float4 clamped = min(all_lanes<Float4>(255.0F), load_as<Float4>(color.data()) * 255.0F);
  return std::bit_cast<std::array<std::uint8_t, 4>>(to_bytes(truncate(clamped + 0.5F)));
}

/// Writes each field in place. Building the record elsewhere and copying it would stall on its own stores.
inline void write_record(InstanceRecord& out, const Affine& placement, const std::array<std::uint8_t, 4>& tint,
                         std::uint32_t row) noexcept {
  static_assert(sizeof(Affine) == offsetof(InstanceRecord, tint));
  std::memcpy(static_cast<void*>(&out), &placement, sizeof(Affine));
  out.tint = tint;
  out.row = row;
}

/// Returns whether an appearance has nothing but a placement and a tint.
[[nodiscard]] inline bool is_plain(const Appearance& appearance) noexcept {
  static_assert(offsetof(Appearance, blend) == offsetof(Appearance, dark_tint) + 36);
  const auto* const start = reinterpret_cast<const std::byte*>(&appearance) + offsetof(Appearance, dark_tint);
  const auto bits = load_as<std::uint64_t>(start) | load_as<std::uint64_t>(start + 8) |
                    load_as<std::uint64_t>(start + 16) | load_as<std::uint64_t>(start + 24) |
                    load_as<std::uint32_t>(start + 32);
  return (bits | static_cast<std::uint64_t>(appearance.blend)) == 0;
}

[[nodiscard]] inline LookRecord look_of(const Appearance& appearance, std::uint8_t slot) noexcept {
  const auto bytes = [](const std::array<float, 3>& color) {
    const auto rgb0 = to_bytes({color[0], color[1], color[2], 0});
    return std::array{rgb0[0], rgb0[1], rgb0[2]};
  };
  const auto effect = [](float value) {
    return static_cast<std::uint16_t>(std::lround((value > 0 ? std::min(value, 1.0F) : 0.0F) * 65535.0F));
  };
  return {bytes(appearance.additive),
          slot,
          bytes(appearance.dark_tint),
          appearance.blend == Blend::add ? std::uint8_t{1} : std::uint8_t{0},
          {effect(appearance.effect[0]), effect(appearance.effect[1])},
          appearance.depth};
}

/// Draw commands that use one palette texture, one blend state and a few images. Ends where the next group starts.
struct CommandGroup {
  GLuint palette = 0;
  Blend blend = Blend::normal;  ///< Never `add`, whose state is that of `normal`.
  std::uint32_t first_command = 0;
  std::uint32_t image_count = 0;
  std::array<GLuint, kImageSlots> images{};  ///< By slot.

  /// Returns the slot of an image, adding the image if it is new. Returns nothing if there is no slot left.
  [[nodiscard]] std::optional<std::uint8_t> slot_of(GLuint image) noexcept {
    std::uint32_t slot = 0;
    while (slot < image_count && images[slot] != image) ++slot;
    if (slot == images.size()) return std::nullopt;
    images[slot] = image;
    image_count = std::max(image_count, slot + 1);
    return static_cast<std::uint8_t>(slot);
  }
};

/// The buffers that all draws of a renderer write to.
struct Streams {
  StreamBuffer records, looks, commands, palettes;
  GLuint palette_texture = 0;                 ///< Views `palettes`. Unused on OpenGL ES, where they are a texture.
  std::vector<DrawCommand> local_commands{};  ///< Used instead of `commands` if the GPU cannot read draw commands.
  std::vector<LookRecord> local_looks{};      ///< Copied to `looks` when all are known.
  std::vector<std::uint64_t> segments{};      ///< Of each record: the number of indices, then the first one.
  std::vector<std::uint32_t> run_starts{};    ///< Scratch memory: records that begin another segment.
  std::vector<CommandGroup> groups{};
  std::vector<PoseRequest> requests{};  ///< Poses of the streamed rows, computed together.
  PoseBuffers scratch{};                ///< For posing them.
};

/// Writes instances into the memory of a batch.
class BatchCursor {
 public:
  BatchCursor() = default;
  BatchCursor(std::span<InstanceRecord> records, DrawCommand* commands, Streams& streams) noexcept
      : records_(records.data()),
        segments_(streams.segments.data()),
        commands_(commands),
        room_(static_cast<std::uint32_t>(records.size())),
        streams_(&streams) {}

  [[nodiscard]] std::uint32_t room() const noexcept { return room_ - count_; }

  /// Sets the image, palette and blend mode for the next instances.
  void enter_group(GLuint image, GLuint palette, Blend blend = Blend::normal) {
    if (blend == Blend::add) blend = Blend::normal;
    if (is_in_group(image, palette) && blend == Blend::normal) return;
    std::vector<CommandGroup>& groups = streams_->groups;
    CommandGroup* const last = groups.empty() ? nullptr : &groups.back();
    std::optional<std::uint8_t> slot;
    if (last != nullptr && last->palette == palette && last->blend == blend) slot = last->slot_of(image);
    if (!slot) {
      finish_commands();
      groups.push_back({palette, blend, command_count_, 1, {image}});
      slot = std::uint8_t{0};
    }
    if (*slot != slot_) fill_looks();
    slot_ = *slot;
    image_ = blend == Blend::normal ? image : 0;  // No image is 0, so is_in_group() is false.
    palette_ = palette;
  }
  /// Returns whether plain instances can be added without enter_group().
  [[nodiscard]] bool is_in_group(GLuint image, GLuint palette) const noexcept {
    return image == image_ && palette == palette_;
  }

  /// Adds one instance with one segment to the current group.
  void add(const Appearance& appearance, std::uint32_t row, const DrawSegment& segment) {
    if (!is_plain(appearance)) {
      fill_looks();
      streams_->local_looks.push_back(look_of(appearance, slot_));
    }
    add_if(1, appearance.placement, to_bytes(appearance.tint), row, segment);
  }

  /// Adds one plain instance with one segment to the current group, or nothing if `visible` is 0. Branchless, because a
  /// branch would be hard to predict.
  void add_if(std::uint32_t visible, const Affine& placement, const std::array<std::uint8_t, 4>& tint,
              std::uint32_t row, const DrawSegment& segment) {
    write_record(records_[count_], placement, tint, row);
    segments_[count_] = std::uint64_t{segment.index_count} << 32 | segment.first_index;
    smooth_ |= row;
    count_ += visible;
  }

 private:
  friend struct Batch;

  // Gives the instances since the last look the one of a plain instance with the current image.
  void fill_looks() {
    LookRecord plain;
    plain.slot = slot_;
    streams_->local_looks.resize(count_, plain);
  }

  // Writes the commands of the records so far. Neighbors that share an index list share a command.
  void finish_commands() {
    const std::uint32_t count = count_;
    if (count == commanded_) return;
    std::uint32_t* const starts = streams_->run_starts.data();
    std::uint32_t runs = 1;
    starts[0] = commanded_;
    // Without a branch, because where runs end is hard to predict.
    for (std::uint32_t i = commanded_ + 1; i < count; ++i) {
      starts[runs] = i;
      runs += static_cast<std::uint32_t>(segments_[i] != segments_[i - 1]);
    }
    starts[runs] = count;
    for (std::uint32_t run = 0; run < runs; ++run) {
      const std::uint64_t segment = segments_[starts[run]];
      const auto index_count = static_cast<std::uint32_t>(segment >> 32);
      const std::uint32_t instances = starts[run + 1] - starts[run];
      commands_[command_count_++] = {index_count, instances, static_cast<std::uint32_t>(segment), 0, starts[run]};
      indices_ += std::uint64_t{index_count} * instances;
    }
    commanded_ = count;
  }

  InstanceRecord* records_ = nullptr;
  std::uint64_t* segments_ = nullptr;
  DrawCommand* commands_ = nullptr;
  std::uint32_t command_count_ = 0;
  std::uint32_t commanded_ = 0;  ///< Records that have commands.
  std::uint32_t count_ = 0, room_ = 0;
  GLuint image_ = 0;
  GLuint palette_ = 0;
  std::uint32_t smooth_ = 0;  ///< All rows ORed together. Has factor bits if any instance is between two rows.
  std::uint64_t indices_ = 0;
  std::uint8_t slot_ = 0;
  Streams* streams_ = nullptr;
};

/// The view of a 2D or 3D model.
struct Sight {
  Affine in_2d{kIdentity};
  SceneView in_3d{};
};

/// Memory in the palette stream that a batch fills row by row, with Streams::requests.
struct StreamedRows {
  std::span<BoneTexels> memory;
  std::uint32_t first_bone = 0;
  bool is_open = false;  ///< The memory is reserved, and not yet committed.
  bool is_used = false;  ///< The batch has instances with rows in the stream.
};

/// Batches instances of one model and draws them in order.
struct Batch {
  const Gl& gl;
  const Model::Resources& model;
  Programs& programs;
  Streams& streams;
  Sight sight;
  GLuint sampler;
  DrawStatistics& statistics;
  SavedImageUnits* saved_units;  ///< Null if the state need not be restored.
  DepthMode depth;
  const std::array<float, 4>* effect_values;  ///< Null without a fragment_main.

  bool indirect = gl.VERSION_4_3 != 0;
  Blend blend = Blend::normal;                                         ///< The OpenGL state has it.
  BatchCursor cursor{};                                                ///< Adds instances between begin() and flush().
  GLintptr records_offset = 0, looks_offset = 0, commands_offset = 0;  ///< In their buffers.
  LookSupport looks = LookSupport::none;                               ///< What the batch being drawn needs.
  StreamedRows rows{};                                                 ///< Of instances that are not baked.

  /// Reserves memory for instances and all their segments. Returns false if there is none left.
  [[nodiscard]] bool begin(std::size_t instances, std::size_t segments);
  void flush();
  /// Makes the streamed rows readable for the GPU. More can be reserved afterwards.
  void close_rows();
  [[nodiscard]] bool use_program();
  void draw_commands(const CommandGroup& group, std::uint32_t end_command);
  void point_records(std::uint32_t first_instance) const;
};

}  // namespace pchr
