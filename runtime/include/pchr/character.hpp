// SPDX-License-Identifier: MIT
// A character: bones, skinned meshes, clips and images.
#pragma once

#include <pchr/array.hpp>
#include <pchr/artwork.hpp>
#include <pchr/finding.hpp>
#include <pchr/geometry.hpp>
#include <pchr/spatial.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace PCHR_API pchr {

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
  std::int32_t parent = -1;  ///< Index of an earlier bone, or -1 for a root.
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

/// What a vertex of a spatial character has beside a position from the front.
struct SpatialVertex {
  float z = 0;                    ///< Bind pose, world, towards who looks from the front.
  Vec3 normal{0.0F, 0.0F, 1.0F};  ///< Outward, of length 1.
  bool operator==(const SpatialVertex&) const = default;
};
static_assert(sizeof(SpatialVertex) == 16);

/// A run of vertices and triangles drawn from one image.
struct Mesh {
  std::string name;
  std::uint32_t image = 0;
  std::uint32_t first_vertex = 0;  ///< Into the character's vertices.
  std::uint32_t vertex_count = 0;  ///< At most 65,535.
  std::uint32_t first_index = 0;   ///< Into the character's indices.
  std::uint32_t index_count = 0;   ///< A multiple of 3; each index counts from `first_vertex`.
  bool operator==(const Mesh&) const = default;
};

/// What a bone of a spatial character has beside x, y and their scales.
struct SpatialSample {
  Quat rotation{};  ///< Of length 1.
  float z = 0;
  float scale_z = 1;
  bool operator==(const SpatialSample&) const = default;
};

/// One frame of bone values, structure of arrays: element i of each span belongs to bone i.
/// A bone's local transform is T(x, y) * R(rotation_degrees) * S(scale_x, scale_y); of a spatial character it is
/// T(x, y, z) * R(rotation) * S(scale_x, scale_y, scale_z), and rotation_degrees says nothing.
struct PoseView {
  std::span<const float> x, y;               ///< Pixels, in the parent's space.
  std::span<const float> rotation_degrees;   ///< Counter-clockwise.
  std::span<const float> scale_x, scale_y;   ///< Across and along the bone.
  std::span<const float> opacity;            ///< 0..1; empty where the format has none (all 1).
  std::span<const std::uint8_t> visible;     ///< 0 or 1.
  std::span<const std::int32_t> z_order;     ///< Higher is drawn later, on top.
  std::span<const SpatialSample> spatial{};  ///< Empty where the character is planar.
};

/// Bone values of one or many frames, structure of arrays, frame after frame.
struct BoneSamples {
  Array<float> x, y, rotation_degrees, scale_x, scale_y;
  Array<float> opacity;  ///< Empty means 1 everywhere.
  Array<std::uint8_t> visible;
  Array<std::int32_t> z_order;
  Array<SpatialSample> spatial{};  ///< Empty where the character is planar.

  /// Makes room for `count` samples of a planar character: identity transforms, visible, order 0.
  void resize(std::size_t count);
  /// The samples of frame `frame`, where each frame has `bone_count`.
  [[nodiscard]] PoseView frame(std::size_t frame, std::size_t bone_count) const noexcept;

  bool operator==(const BoneSamples&) const = default;
};

/// An animation, sampled once per frame.
struct Clip {
  std::string name;
  bool looping = false;
  double frames_per_second = 0;   ///< 0: the clip holds its first frame.
  std::uint32_t frame_count = 0;  ///< 0: the clip cannot play.
  std::uint32_t loop_start = 0;   ///< The frame with which a loop begins anew; those before it play once.
  BoneSamples samples{};          ///< frame_count * bone count of each value.
  /// Seconds from the start at which each frame ends, where they do not all last equally long: growing, one per frame.
  /// Empty: frame i ends at (i + 1) / frames_per_second. The rate is above 0 in either case.
  std::vector<double> frame_ends{};
  std::string group{};  ///< Of a sequence of a .psa file, as the file gives it; often empty.

  /// How long it takes from the first frame's begin to the last one's end; 0 where it cannot play.
  [[nodiscard]] double duration_seconds() const noexcept {
    if (!(frames_per_second > 0) || frame_count == 0) return 0;
    return frame_ends.empty() ? frame_count / frames_per_second : frame_ends.back();
  }

  bool operator==(const Clip&) const = default;
};

/// A part of an image that stands for the character where it does not play: in a menu, beside a score.
struct Picture {
  std::string name;
  std::uint32_t image = 0;
  std::uint32_t x = 0, y = 0;           ///< Of its top left, pixels from the image's.
  std::uint32_t width = 0, height = 0;  ///< Pixels, within the image.
  bool operator==(const Picture&) const = default;
};

/// One influence of a vertex as its file gives it.
struct AuthoredInfluence {
  std::uint32_t vertex = 0;  ///< Index into the character's vertices.
  std::uint16_t bone = 0;
  float weight = 0;
  bool operator==(const AuthoredInfluence&) const = default;
};

/// A .psa file found beside an Unreal mesh, or named by the caller.
struct AnimationFile {
  std::string path;                 ///< As it can be opened.
  std::uint32_t bones = 0;          ///< That it animates,
  std::uint32_t matched_bones = 0;  ///< and that the mesh has.
  bool attached = false;            ///< Its sequences are clips. Otherwise it is a candidate that was not read.
  bool operator==(const AnimationFile&) const = default;
};

/// How a Pomyu character wants to be driven; see `chara.hpp`.
struct CharaInfo {
  bool legacy = false;     ///< Of the older kind, which reacts at once.
  std::uint32_t wait = 1;  ///< Idle cycles before a reaction may follow.
  bool operator==(const CharaInfo&) const = default;
};

/// Everything a character is made of, as plain data that can still be edited.
/// Readers produce it; `Character::build` checks it.
struct CharacterData {
  std::string format;                   ///< What it was read from, such as "PCHR v1".
  std::uint32_t frames_per_second = 0;  ///< The file's rate.
  std::uint16_t reserved_flags = 0;     ///< Header bits that v1 reserves.
  std::vector<Image> images;
  std::vector<Bone> bones;
  std::vector<Mesh> meshes;
  Array<Vertex> vertices;
  Array<std::uint16_t> indices;
  std::vector<Clip> clips;
  std::vector<Picture> pictures{};
  std::string title{}, author{};     ///< As the file gives them; often empty.
  bool pixel_art = false;            ///< Drawn with hard texels, unless Model::set_filter() says otherwise.
  std::optional<CharaInfo> chara{};  ///< Of a Pomyu character. No form that is written keeps it.
  std::optional<Artwork> artwork{};  ///< Of a pixel artwork. No form that is written keeps it.
  /// Whether its vertices and bones have a third dimension. What knows nothing of it sees it from the front.
  bool spatial = false;
  Array<SpatialVertex> spatial_vertices{};  ///< Of a spatial character, one per vertex.
  /// All influences of each vertex that has more than four, in the order of vertices. `vertices` has the four largest,
  /// scaled to the sum of all. Only JSON keeps the rest.
  std::vector<AuthoredInfluence> authored_influences{};
  std::vector<AnimationFile> animation_files{};  ///< Of an Unreal mesh, the best match first. No form keeps it.
  BoneSamples bind_pose{};  ///< Where the file says it: one value per bone. No form that is written keeps it.
  bool operator==(const CharacterData&) const = default;
};

/// The bind pose is found as the formats' users mean it: frame 0 of the clip named bind, bind_pose,
/// bindpose, rest, rest_pose or setup (any case), else of the first clip that has frames, else none. A file that says
/// its bind pose itself is believed.
struct AutomaticBindPose {};
/// One frame of one clip is the bind pose. A clip or frame that does not exist is an error.
struct ClipBindPose {
  std::string clip;
  std::uint32_t frame = 0;
};
/// Every bone's bind transform is the identity.
struct IdentityBindPose {};
using BindPose = std::variant<AutomaticBindPose, ClipBindPose, IdentityBindPose>;

/// Where a character's bind pose came from.
struct BindPoseSource {
  std::optional<std::uint32_t> clip;  ///< Absent: the identity.
  std::uint32_t frame = 0;
};

/// A loaded character. Immutable and free of OpenGL: share it between any number of threads and
/// instances. A copy is a cheap handle to the same data. Every index inside has been checked.
class Character {
 public:
  struct Contents;  ///< Defined inside the library.

  /// Checks `data` and derives what playing needs. Fails with the first thing that is wrong.
  [[nodiscard]] static std::expected<Character, Finding> build(CharacterData data, const BindPose& bind = {});

  /// All of it as plain data. To edit it, copy it and build() again.
  [[nodiscard]] const CharacterData& data() const noexcept;
  /// Its parts, each at the index by which the others name it.
  /// @{
  [[nodiscard]] std::span<const Image> images() const noexcept;
  [[nodiscard]] std::span<const Bone> bones() const noexcept;  ///< Parents precede children.
  [[nodiscard]] std::span<const Mesh> meshes() const noexcept;
  [[nodiscard]] std::span<const Clip> clips() const noexcept;
  [[nodiscard]] std::span<const Vertex> vertices() const noexcept;  ///< Of all meshes.
  [[nodiscard]] std::span<const Vertex> vertices(const Mesh& mesh) const noexcept;
  [[nodiscard]] std::span<const std::uint16_t> indices() const noexcept;  ///< Of all meshes.
  [[nodiscard]] std::span<const std::uint16_t> indices(const Mesh& mesh) const noexcept;
  /// @}

  /// Index of the first clip, bone or mesh of that name.
  /// @{
  [[nodiscard]] std::optional<std::uint32_t> find_clip(std::string_view name) const noexcept;
  [[nodiscard]] std::optional<std::uint32_t> find_bone(std::string_view name) const noexcept;
  [[nodiscard]] std::optional<std::uint32_t> find_mesh(std::string_view name) const noexcept;
  /// @}

  /// The bone whose visibility and order rule mesh `mesh`: the largest sum of weights over the mesh's
  /// vertices, the lower index among equals, bone 0 without any weight. 0 also where there are no bones.
  [[nodiscard]] std::uint32_t governing_bone(std::size_t mesh) const noexcept;
  [[nodiscard]] std::span<const std::uint32_t> governing_bones() const noexcept;  ///< Per mesh.

  [[nodiscard]] BindPoseSource bind_pose_source() const noexcept;  ///< Which clip and frame were used.
  [[nodiscard]] PoseView bind_pose() const noexcept;               ///< One value per bone, opacity included.
  /// From world space in the bind pose to each bone's space.
  [[nodiscard]] std::span<const Affine> inverse_bind() const noexcept;

  /// Whether it has a third dimension. `inverse_bind()` is then that of the front view alone.
  [[nodiscard]] bool is_spatial() const noexcept;
  [[nodiscard]] std::span<const SpatialVertex> spatial_vertices() const noexcept;  ///< Per vertex, or none.
  [[nodiscard]] std::span<const Affine3> spatial_inverse_bind() const noexcept;    ///< Per bone, or none.

  /// What the reader remarked about a file that did load.
  [[nodiscard]] std::span<const Finding> warnings() const noexcept;

 private:
  friend struct CharacterBuilder;
  friend struct CharacterBounds;
  explicit Character(std::shared_ptr<const Contents> contents) noexcept;
  std::shared_ptr<const Contents> contents_;
};

}  // namespace pchr
