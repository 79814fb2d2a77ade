// SPDX-License-Identifier: MIT
// A character: bones, skinned meshes, clips and images. It is immutable and free of OpenGL; a copy is a cheap handle
// that any number of threads and instances share.
//
//   const pchr::ClipId walk = hero.find_clip("walk");
//   if (walk == pchr::ClipId::none) return;
//   std::printf("%s has %u frames\n", hero.clips()[walk].name.c_str(), hero.clips()[walk].frame_count);
//   for (const pchr::BoneId bone : hero.bones().ids()) std::puts(hero.bones()[bone].name.c_str());
#pragma once

#include <pchr/diagnostic.hpp>
#include <pchr/3d.hpp>

#include <concepts>
#include <cstddef>
#include <expected>
#include <memory>
#include <variant>
#include <vector>

namespace PCHR_API pchr {

/// Name the parts of a character by their places in its tables. `none` names nothing.
/// @{
enum class ClipId : std::uint32_t { none = 0xFFFFFFFF };
enum class BoneId : std::uint32_t { none = 0xFFFFFFFF };
enum class MeshId : std::uint32_t { none = 0xFFFFFFFF };
enum class ImageId : std::uint32_t { none = 0xFFFFFFFF };
/// @}

template <typename T>
concept PartId =
    std::same_as<T, ClipId> || std::same_as<T, BoneId> || std::same_as<T, MeshId> || std::same_as<T, ImageId>;

/// Returns the place that an id names; for `none`, one beyond every table.
template <PartId Id>
[[nodiscard]] constexpr std::size_t index(Id id) noexcept {
  return static_cast<std::size_t>(id);
}

/// The ids of a table, in order.
template <PartId Id>
struct IdRange {
  struct Iterator {
    using value_type = Id;
    using difference_type = std::ptrdiff_t;
    std::uint32_t place = 0;
    Id operator*() const noexcept { return Id{place}; }
    Iterator& operator++() noexcept { return ++place, *this; }
    Iterator operator++(int) noexcept { return {place++}; }
    bool operator==(const Iterator&) const = default;
  };
  std::uint32_t count = 0;
  [[nodiscard]] Iterator begin() const noexcept { return {0}; }
  [[nodiscard]] Iterator end() const noexcept { return {count}; }
};

/// A table of a character: a span whose elements are also found by their ids.
template <PartId Id, typename T>
class PCHR_VIEW Table : public std::span<const T> {
 public:
  using std::span<const T>::span;
  using std::span<const T>::operator[];
  [[nodiscard]] const T& operator[](Id id) const noexcept { return (*this)[index(id)]; }
  [[nodiscard]] bool contains(Id id) const noexcept { return index(id) < this->size(); }  ///< Not `none`.
  /// Returns the ids of all elements, to loop over.
  [[nodiscard]] IdRange<Id> ids() const noexcept { return {static_cast<std::uint32_t>(this->size())}; }
};

enum class ImageEncoding : std::uint8_t {
  png,
  rgba8888,
  absent  ///< The file names an image that it does not have; it decodes to a neutral checker.
};

/// An atlas image as stored: straight alpha, rows from top to bottom. See `image.hpp` to decode it.
struct Image {
  std::string name;
  std::uint32_t width = 0;   ///< Pixels, 1 or more.
  std::uint32_t height = 0;  ///< Pixels, 1 or more.
  ImageEncoding encoding = ImageEncoding::png;
  std::vector<std::byte> bytes;  ///< A PNG file, or width * height * 4 bytes of RGBA.
  bool operator==(const Image&) const = default;
};

/// A node of the skeleton.
struct Bone {
  std::string name;
  BoneId parent = BoneId::none;  ///< An earlier bone; `none` for a root.
  bool operator==(const Bone&) const = default;
};

/// One mesh vertex, laid out as in a v1 file and in a vertex buffer: 40 bytes.
/// A slot of weight 0 is unused, whatever its bone says. Weights need not sum to 1.
struct Vertex {
  float x = 0, y = 0;  ///< Bind pose, world pixels, y up.
  float u = 0, v = 0;  ///< v = 0 is the image's top row.
  std::uint16_t bones[4] = {};
  float weights[4] = {};
  bool operator==(const Vertex&) const = default;
};
static_assert(sizeof(Vertex) == 40);

/// A run of vertices and triangles drawn from one image.
struct Mesh {
  std::string name;
  ImageId image{};
  std::uint32_t first_vertex = 0;  ///< Into the character's vertices.
  std::uint32_t vertex_count = 0;  ///< At most 65,535.
  std::uint32_t first_index = 0;   ///< Into the character's indices.
  std::uint32_t index_count = 0;   ///< A multiple of 3; each index counts from `first_vertex`.
  bool operator==(const Mesh&) const = default;
};

/// One frame of bone values; element i of each span belongs to bone i. The local transform of a bone is
/// T(x, y) * R(rotation_degrees) * S(scale_x, scale_y); in 3D T(x, y, z) * R(rotation) * S(scale_x, scale_y, scale_z).
struct PoseView {
  std::span<const float> x, y;                 ///< Pixels, in the parent's space.
  std::span<const float> rotation_degrees;     ///< Counter-clockwise.
  std::span<const float> scale_x, scale_y;     ///< Across and along the bone.
  std::span<const float> opacity;              ///< 0..1; empty where the format has none (all 1).
  std::span<const std::uint8_t> visible;       ///< 0 or 1.
  std::span<const std::int32_t> z_order;       ///< Higher is drawn later, on top.
  std::span<const BoneSample3D> samples_3d{};  ///< Empty where the character is 2D.
};

/// Bone values of one or many frames, frame after frame.
struct BoneSamples {
  std::vector<float> x, y, rotation_degrees, scale_x, scale_y;
  std::vector<float> opacity;  ///< Empty means 1 everywhere.
  std::vector<std::uint8_t> visible;
  std::vector<std::int32_t> z_order;
  std::vector<BoneSample3D> samples_3d{};  ///< Empty where the character is 2D.

  /// Makes room for `count` samples of a 2D character: identity transforms, visible, order 0.
  void resize(std::size_t count);
  /// Returns the samples of a frame; each frame has `bone_count`.
  [[nodiscard]] PoseView frame(std::size_t frame, std::size_t bone_count) const noexcept;

  bool operator==(const BoneSamples&) const = default;
};

/// An animation, sampled once per frame.
struct Clip {
  std::string name;
  bool looping = false;
  double frames_per_second = 0;   ///< 0: the clip holds its first frame.
  std::uint32_t frame_count = 0;  ///< 0: the clip cannot play.
  std::uint32_t loop_start = 0;   ///< The frame at which a loop restarts; those before it play once.
  BoneSamples samples{};          ///< frame_count * bone count of each value.
  /// The second at which each frame ends, growing, for a rate above 0. Empty: frame i ends at (i + 1) / rate.
  std::vector<double> frame_ends{};
  std::string group{};  ///< Of a sequence of a .psa file; often empty.

  /// Returns the duration of all frames; 0 where the clip cannot play.
  [[nodiscard]] double duration_seconds() const noexcept {
    if (!(frames_per_second > 0) || frame_count == 0) return 0;
    return frame_ends.empty() ? frame_count / frames_per_second : frame_ends.back();
  }

  bool operator==(const Clip&) const = default;
};

/// One influence of a vertex as its file gives it.
struct AuthoredInfluence {
  std::uint32_t vertex = 0;  ///< Index into the character's vertices.
  std::uint16_t bone = 0;
  float weight = 0;
  bool operator==(const AuthoredInfluence&) const = default;
};

/// Everything a character is made of, as editable data. Readers produce it; Character::build() checks it.
struct CharacterData {
  std::uint32_t frames_per_second = 0;  ///< The file's rate.
  std::uint16_t reserved_flags = 0;     ///< Header bits that v1 reserves.
  std::vector<Image> images;
  std::vector<Bone> bones;
  std::vector<Mesh> meshes;
  std::vector<Vertex> vertices;
  std::vector<std::uint16_t> indices;
  std::vector<Clip> clips;
  bool pixel_art = false;               ///< Drawn with hard texels, unless Model::set_filter() says otherwise.
  bool is_3d = false;                   ///< Functions for 2D characters see it from the front.
  std::vector<Vertex3D> vertices_3d{};  ///< One per vertex of a 3D character.
  /// All influences of each vertex that has more than four, in the order of vertices. `vertices` has the four largest,
  /// scaled to the sum of all.
  std::vector<AuthoredInfluence> authored_influences{};
  BoneSamples bind_pose{};  ///< From the file, if it has one: one value per bone.
  bool operator==(const CharacterData&) const = default;
};

/// Takes the bind pose from the file, else frame 0 of the clip named bind, bind_pose, bindpose, rest, rest_pose or
/// setup (any case), else of the first clip that has frames, else the identity.
struct AutomaticBindPose {};
/// Takes the bind pose from a frame, which must exist.
struct ClipBindPose {
  std::string clip;
  std::uint32_t frame = 0;
};
/// Takes the identity for every bone.
struct IdentityBindPose {};
using BindPose = std::variant<AutomaticBindPose, ClipBindPose, IdentityBindPose>;

/// Where a character's bind pose came from.
struct BindPoseSource {
  ClipId clip = ClipId::none;  ///< `none`: the identity.
  std::uint32_t frame = 0;
};

/// A loaded character, in which every index has been checked. Copies share the same immutable data.
class Character {
 public:
  struct Contents;  ///< Defined inside the library.

  /// Checks `data` and derives what playing needs. Fails with the first thing that is wrong.
  [[nodiscard]] static std::expected<Character, Diagnostic> build(CharacterData data, const BindPose& bind = {});

  /// Returns all of it as plain data. To edit it, copy it and build() again.
  [[nodiscard]] const CharacterData& data() const noexcept;
  /// Return its parts, each at the index by which the others name it.
  /// @{
  [[nodiscard]] Table<ImageId, Image> images() const noexcept;
  [[nodiscard]] Table<BoneId, Bone> bones() const noexcept;  ///< Parents precede children.
  [[nodiscard]] Table<MeshId, Mesh> meshes() const noexcept;
  [[nodiscard]] Table<ClipId, Clip> clips() const noexcept;
  [[nodiscard]] std::span<const Vertex> vertices() const noexcept;  ///< Of all meshes.
  [[nodiscard]] std::span<const Vertex> vertices(const Mesh& mesh) const noexcept;
  [[nodiscard]] std::span<const std::uint16_t> indices() const noexcept;  ///< Of all meshes.
  [[nodiscard]] std::span<const std::uint16_t> indices(const Mesh& mesh) const noexcept;
  /// @}

  /// Returns the first clip, bone or mesh of that name; `none` where there is none.
  /// @{
  [[nodiscard]] ClipId find_clip(std::string_view name) const noexcept;
  [[nodiscard]] BoneId find_bone(std::string_view name) const noexcept;
  [[nodiscard]] MeshId find_mesh(std::string_view name) const noexcept;
  /// @}

  /// Returns the bone whose visibility and draw order `mesh` takes: the one with the largest sum of weights over the
  /// mesh's vertices, the lower index among equals; bone 0 without any weight or bones.
  [[nodiscard]] BoneId governing_bone(MeshId mesh) const noexcept;
  [[nodiscard]] Table<MeshId, BoneId> governing_bones() const noexcept;  ///< Per mesh.

  [[nodiscard]] BindPoseSource bind_pose_source() const noexcept;  ///< Which clip and frame were used.
  [[nodiscard]] PoseView bind_pose() const noexcept;               ///< One value per bone, opacity included.
  /// Returns the transforms from world space in the bind pose to the space of each bone; identities where it is 3D.
  [[nodiscard]] std::span<const Affine> inverse_bind() const noexcept;

  [[nodiscard]] bool is_3d() const noexcept;                                ///< Has a third dimension.
  [[nodiscard]] std::span<const Vertex3D> vertices_3d() const noexcept;     ///< Per vertex, or none.
  [[nodiscard]] std::span<const Affine3> inverse_bind_3d() const noexcept;  ///< Per bone, or none.

  [[nodiscard]] std::span<const Diagnostic> warnings() const noexcept;  ///< About a file that loaded.

 private:
  friend struct CharacterBuilder;
  friend struct CharacterBounds;
  explicit Character(std::shared_ptr<const Contents> contents) noexcept;
  std::shared_ptr<const Contents> contents_;
};

}  // namespace pchr

template <pchr::PartId Id, typename T>
inline constexpr bool std::ranges::enable_borrowed_range<pchr::Table<Id, T>> = true;
template <pchr::PartId Id, typename T>
inline constexpr bool std::ranges::enable_view<pchr::Table<Id, T>> = true;
