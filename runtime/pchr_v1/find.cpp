// SPDX-License-Identifier: MIT
#include "pchr_v1/pchr_v1.hpp"

#include "pchr_v1/layout.hpp"

#include <algorithm>

namespace pchr::v1 {
namespace {

struct Field {
  std::string_view name;
  std::size_t offset;
  std::size_t slot_bytes = 0;  ///< Distance between slots, if there are several.
};

constexpr Field kFileFields[] = {{"version", offsetof(FileHeader, version)},
                                 {"fps", offsetof(FileHeader, frames_per_second)},
                                 {"flags", offsetof(FileHeader, flags)}};
constexpr Field kImageFields[] = {{"format", offsetof(ImageHeader, format)}, {"data", sizeof(ImageHeader)}};
constexpr Field kBoneFields[] = {{"parent", offsetof(BoneHeader, parent)}};
constexpr Field kMeshFields[] = {{"image", offsetof(MeshHeader, image)},
                                 {"indexCount", offsetof(MeshHeader, index_count)}};
constexpr Field kVertexFields[] = {{"x", offsetof(Vertex, x)},
                                   {"y", offsetof(Vertex, y)},
                                   {"u", offsetof(Vertex, u)},
                                   {"v", offsetof(Vertex, v)},
                                   {"boneIds", offsetof(Vertex, bones), sizeof(std::uint16_t)},
                                   {"boneWeights", offsetof(Vertex, weights), sizeof(float)}};
constexpr Field kClipFields[] = {{"flags", offsetof(ClipHeader, flags)}};
constexpr Field kTransformFields[] = {{"x", offsetof(Transform, x)},
                                      {"y", offsetof(Transform, y)},
                                      {"rotation", offsetof(Transform, rotation)},
                                      {"scaleX", offsetof(Transform, scale_x)},
                                      {"scaleY", offsetof(Transform, scale_y)},
                                      {"flags", offsetof(Transform, flags)},
                                      {"zOrder", offsetof(Transform, z_order)}};

/// Consumes the steps of a path.
class Steps {
 public:
  explicit Steps(std::string_view path) : steps_(split_path(path)) {}

  [[nodiscard]] std::string_view name() { return next_ < steps_.size() ? steps_[next_++].name : std::string_view(); }
  [[nodiscard]] std::uint64_t index() { return next_ < steps_.size() ? steps_[next_++].index : 0; }

  /// Returns the offset of the field `name`. If it has several slots, the next step is the index of the slot.
  [[nodiscard]] std::optional<std::uint64_t> offset(std::string_view name, std::span<const Field> fields) {
    const auto field = std::ranges::find(fields, name, &Field::name);
    if (field == fields.end()) return std::nullopt;
    return field->offset + index() * field->slot_bytes;
  }

 private:
  std::vector<PathStep> steps_;
  std::size_t next_ = 0;
};

class Finder {
 public:
  explicit Finder(std::string_view path) : steps_(path), section_(steps_.name()), number_(steps_.index()) {}

  template <typename Header>
  bool operator()(const Record<Header>& record) {
    bone_count_ += std::is_same_v<Header, BoneHeader> ? 1 : 0;
    if (section_ != Header::kSection || record.number != number_) return true;
    const auto offset = offset_in(record.header, steps_.name());
    // Other paths have the offset of their record.
    found_ = offset ? record.header_start() + *offset : record.start;
    return false;
  }

  [[nodiscard]] std::optional<std::uint64_t> found() const { return found_; }

 private:
  // Each returns the offset, from the header, of the rest of the path. `field` is its first step.
  std::optional<std::uint64_t> offset_in(const ImageHeader& /*header*/, std::string_view field) {
    return steps_.offset(field, kImageFields);
  }
  std::optional<std::uint64_t> offset_in(const BoneHeader& /*header*/, std::string_view field) {
    return steps_.offset(field, kBoneFields);
  }
  std::optional<std::uint64_t> offset_in(const MeshHeader& header, std::string_view field) {
    const std::uint64_t indices = sizeof(header) + std::uint64_t{header.vertex_count} * sizeof(Vertex);
    if (field == "indices") return indices + steps_.index() * sizeof(std::uint16_t);
    if (field != "vertices") return steps_.offset(field, kMeshFields);
    const std::uint64_t vertex = sizeof(header) + steps_.index() * sizeof(Vertex);
    return vertex + steps_.offset(steps_.name(), kVertexFields).value_or(0);
  }
  std::optional<std::uint64_t> offset_in(const ClipHeader& header, std::string_view field) {
    if (field != "frames") return steps_.offset(field, kClipFields);
    const std::uint64_t frame = steps_.index() * bone_count_;
    const std::uint64_t transform = sizeof(header) + (frame + steps_.index()) * sizeof(Transform);
    return transform + steps_.offset(steps_.name(), kTransformFields).value_or(0);
  }

  Steps steps_;
  std::string_view section_;
  std::uint64_t number_;
  std::uint64_t bone_count_ = 0;
  std::optional<std::uint64_t> found_;
};

}  // namespace
}  // namespace pchr::v1

std::optional<std::uint64_t> pchr::find_offset(std::span<const std::byte> file, std::string_view path) {
  using namespace v1;
  const auto field = std::ranges::find(kFileFields, path, &Field::name);
  if (field != std::end(kFileFields)) return field->offset;
  Finder finder(path);
  (void)walk(file, finder);
  return finder.found();
}
