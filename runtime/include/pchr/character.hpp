// SPDX-License-Identifier: MIT
// A character: bones, skinned meshes, clips and images. Immutable and independent of OpenGL. Copies are cheap handles
// to the same data, which any number of threads and instances can share.
//
//   const pchr::ClipId walk = hero.find_clip("walk");
//   if (walk == pchr::ClipId::none) return;
//   std::printf("%s has %u frames\n", hero.clips()[walk].name.c_str(), hero.clips()[walk].frame_count);
//   for (const pchr::BoneId bone : hero.bones().ids()) std::puts(hero.bones()[bone].name.c_str());
#pragma once

#include <pchr/diagnostic.hpp>
#include <pchr/expected.hpp>
#include <pchr/geometry.hpp>

#include <cassert>
#include <concepts>
#include <cstddef>
#include <variant>
#include <vector>

namespace PCHR_API pchr {

/// Index of a clip, bone, mesh or image in its table, or `none`.
///
/// Functions that pose, bake, draw or measure accept `none`: without a clip there is the bind pose, without a bone the
/// identity, without a mesh nothing to draw or measure. Animator::play() and Animator::queue() do not, because nothing
/// would play: check what find_clip() returns. What is not accepted, and any id that is not in its table, is a mistake
/// of the caller: it fails an assertion in debug builds and counts as `none` in release builds.
/// @{
enum class ClipId : std::uint32_t { none = 0xFFFFFFFF };
enum class BoneId : std::uint32_t { none = 0xFFFFFFFF };
enum class MeshId : std::uint32_t { none = 0xFFFFFFFF };
enum class ImageId : std::uint32_t { none = 0xFFFFFFFF };
/// @}

template <typename T>
concept PartId =
    std::same_as<T, ClipId> || std::same_as<T, BoneId> || std::same_as<T, MeshId> || std::same_as<T, ImageId>;

/// Returns an id as an index. `none` gives an index past the end of every table.
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

/// A read-only view of a character's clips, bones, meshes or images, indexable by id.
template <PartId Id, typename T>
class PCHR_VIEW Table : public std::span<const T> {
 public:
  using std::span<const T>::span;
  using std::span<const T>::operator[];
  /// Returns an element, or an empty one for `none`.
  [[nodiscard]] const T& operator[](Id id) const noexcept {
    if (contains(id)) [[likely]]
      return (*this)[index(id)];
    assert(id == Id::none);
    return nothing();
  }
  [[nodiscard]] bool contains(Id id) const noexcept { return index(id) < this->size(); }  ///< False for `none`.
  /// Returns the ids of all elements, for range-based loops.
  [[nodiscard]] IdRange<Id> ids() const noexcept { return {static_cast<std::uint32_t>(this->size())}; }

 private:
  static const T& nothing() noexcept {
    static const T none{};
    return none;
  }
};

/// How an image stores its pixels.
enum class ImageEncoding : std::uint8_t {
  png,       ///< A PNG file.
  rgba8888,  ///< Raw RGBA, 8 bits per channel.
  absent     ///< The file names an image that it does not contain. Decodes to a neutral checkerboard.
};

/// An atlas image as stored: straight alpha, top row first. `image.hpp` decodes it.
struct Image {
  std::string name;
  std::uint32_t width = 0;   ///< In pixels, at least 1.
  std::uint32_t height = 0;  ///< In pixels, at least 1.
  ImageEncoding encoding = ImageEncoding::png;
  std::vector<std::byte> bytes;  ///< A whole PNG file, or width * height * 4 bytes of RGBA.
  bool operator==(const Image&) const = default;
};

/// A bone of the skeleton.
struct Bone {
  std::string name;
  BoneId parent = BoneId::none;  ///< Always an earlier bone, or `none` for a root.
  bool operator==(const Bone&) const = default;
};

/// A mesh vertex, laid out as in a v1 file and in a vertex buffer: 40 bytes. Each slot pairs a bone with a weight; a
/// slot with weight 0 is unused, and its bone index is ignored. Weights need not sum to 1.
struct Vertex {
  float x = 0, y = 0;  ///< Bind pose position in world pixels, y up.
  float u = 0, v = 0;  ///< Texture coordinates; v = 0 is the top row of the image.
  std::uint16_t bones[4] = {};
  float weights[4] = {};
  bool operator==(const Vertex&) const = default;
};
static_assert(sizeof(Vertex) == 40);

/// Depth and normal of a vertex.
struct Vertex3D {
  float z = 0;                    ///< Bind pose, world space, toward a viewer in front.
  Vec3 normal{0.0F, 0.0F, 1.0F};  ///< Points outward; unit length.
  bool operator==(const Vertex3D&) const = default;
};
static_assert(sizeof(Vertex3D) == 16);

/// A range of vertices and triangles drawn with one image.
struct Mesh {
  std::string name;
  ImageId image{};
  std::uint32_t first_vertex = 0;  ///< Index into the character's vertices.
  std::uint32_t vertex_count = 0;  ///< At most 65,535.
  std::uint32_t first_index = 0;   ///< Index into the character's indices.
  std::uint32_t index_count = 0;   ///< A multiple of 3. Each index is relative to `first_vertex`.
  bool operator==(const Mesh&) const = default;
};

/// The 3D part of a bone's local transform.
struct BoneSample3D {
  Quat rotation{};  ///< Unit length.
  float z = 0;      ///< In the parent bone's space.
  float scale_z = 1;
  bool operator==(const BoneSample3D&) const = default;
};

/// The values of all bones in one frame; element i of each span belongs to bone i. A bone's local transform is T(x, y)
/// * R(rotation_degrees) * S(scale_x, scale_y), or in 3D T(x, y, z) * R(rotation) * S(scale_x, scale_y, scale_z).
struct PoseView {
  std::span<const float> x, y;                 ///< In pixels, in the parent bone's space.
  std::span<const float> rotation_degrees;     ///< Counter-clockwise.
  std::span<const float> scale_x, scale_y;     ///< Across and along the bone.
  std::span<const float> opacity;              ///< 0..1. Empty means 1 for every bone.
  std::span<const std::uint8_t> visible;       ///< 0 or 1.
  std::span<const std::int32_t> z_order;       ///< Higher values are drawn later, on top.
  std::span<const BoneSample3D> samples_3d{};  ///< Empty for 2D characters.
};

/// An allocator whose vectors leave elements that resize(count) adds uninitialized: zeros that a reader overwrites cost
/// it a quarter of its time.
template <typename T>
struct UninitializedAllocator : std::allocator<T> {
  /// The same allocator for other elements.
  template <typename U>
  struct rebind {
    using other = UninitializedAllocator<U>;
  };
  using std::allocator<T>::allocator;
  /// Leaves a number uninitialized.
  template <typename U>
  void construct(U* element) noexcept {
    ::new (static_cast<void*>(element)) U;
  }
  /// Constructs any other element.
  template <typename U, typename... Arguments>
  void construct(U* element, Arguments&&... arguments) {
    ::new (static_cast<void*>(element)) U(std::forward<Arguments>(arguments)...);
  }
};

/// A vector of numbers. resize(count) leaves new elements uninitialized; resize(count, value) sets them.
template <typename T>
using SampleArray = std::vector<T, UninitializedAllocator<T>>;

/// Bone values of one or more frames, stored frame by frame.
struct BoneSamples {
  SampleArray<float> x, y, rotation_degrees, scale_x, scale_y;
  SampleArray<float> opacity;  ///< Empty means 1 everywhere.
  SampleArray<std::uint8_t> visible;
  SampleArray<std::int32_t> z_order;
  std::vector<BoneSample3D> samples_3d{};  ///< Empty for 2D characters.

  /// Resizes to `count` samples of a 2D character. New samples are visible, with identity transform and draw order 0.
  void resize(std::size_t count);
  /// Returns the samples of one frame. Every frame has `bone_count` samples.
  [[nodiscard]] PoseView frame(std::size_t frame, std::size_t bone_count) const noexcept;

  bool operator==(const BoneSamples&) const = default;
};

/// An animation, sampled once per frame.
struct Clip {
  std::string name;
  bool looping = false;           ///< Whether it loops by default.
  double frames_per_second = 0;   ///< 0 means the clip holds its first frame.
  std::uint32_t frame_count = 0;  ///< 0 means the clip cannot play.
  std::uint32_t loop_start = 0;   ///< Frame at which a loop restarts. Earlier frames play only once.
  BoneSamples samples{};          ///< frame_count * bone count of each value.
  /// End time of each frame in seconds, ascending. Empty means frame i ends at (i + 1) / frames_per_second. Requires a
  /// rate above 0.
  std::vector<double> frame_ends{};
  std::string group{};  ///< Group of a .psa sequence; usually empty.

  /// Returns the earliest time in seconds at which `frame` shows: the end of the frame before. Frame `frame_count`
  /// begins at the end of the clip.
  [[nodiscard]] double frame_begin(std::uint32_t frame) const noexcept;
  /// Returns the total duration of all frames, or 0 if the clip cannot play.
  [[nodiscard]] double duration_seconds() const noexcept {
    if (!(frames_per_second > 0) || frame_count == 0) return 0;
    return frame_ends.empty() ? frame_count / frames_per_second : frame_ends.back();
  }

  bool operator==(const Clip&) const = default;
};

/// A bone influence of a vertex, as authored.
struct AuthoredInfluence {
  std::uint32_t vertex = 0;  ///< Index into the character's vertices.
  std::uint16_t bone = 0;
  float weight = 0;
  bool operator==(const AuthoredInfluence&) const = default;
};

/// The editable contents of a character. Readers produce it, and Character::build() validates it.
struct CharacterData {
  std::uint32_t frames_per_second = 0;  ///< Frame rate of the file.
  std::uint16_t reserved_flags = 0;     ///< Header bits that v1 reserves.
  std::vector<Image> images;
  std::vector<Bone> bones;
  std::vector<Mesh> meshes;
  std::vector<Vertex> vertices;
  std::vector<std::uint16_t> indices;
  std::vector<Clip> clips;
  bool pixel_art = false;               ///< Drawn with the nearest filter unless Model::set_filter() changes it.
  bool is_3d = false;                   ///< 2D functions see a 3D character from the front.
  std::vector<Vertex3D> vertices_3d{};  ///< One per vertex of a 3D character, else empty.
  /// All influences of every vertex that has more than four, in vertex order. For these, `vertices` holds the four
  /// largest, scaled to the sum of all.
  std::vector<AuthoredInfluence> authored_influences{};
  BoneSamples bind_pose{};  ///< Bind pose stored in the file, one value per bone. Empty if the file has none.
  bool operator==(const CharacterData&) const = default;
};

/// Uses the bind pose stored in the file. Without one, uses frame 0 of the clip named bind, bind_pose, bindpose, rest,
/// rest_pose or setup (any case), else the guess that bind_pose_guess() describes.
struct AutomaticBindPose {
  bool operator==(const AutomaticBindPose&) const = default;
};
/// Uses one frame of a clip. Both must exist.
struct ClipBindPose {
  std::string clip;
  std::uint32_t frame = 0;
  bool operator==(const ClipBindPose&) const = default;
};
/// Uses the identity for every bone.
struct IdentityBindPose {
  bool operator==(const IdentityBindPose&) const = default;
};
using BindPose = std::variant<AutomaticBindPose, ClipBindPose, IdentityBindPose>;
/// Reads the name of a bind pose: "idle" or "idle:12" for a frame of a clip, "identity", or "auto".
[[nodiscard]] BindPose parse_bind_pose(std::string_view text);

/// The clip and frame that supplied a character's bind pose.
struct BindPoseSource {
  ClipId clip = ClipId::none;  ///< `none` for the identity, or a bind pose stored in the file.
  std::uint32_t frame = 0;
  bool operator==(const BindPoseSource&) const = default;
};

/// How a bind pose was guessed. Candidates are frame 0 of each clip and the identity. A score compares how far a
/// candidate stretches the character in sampled frames with how far those frames, as bind poses, stretch it in the
/// candidate's pose: below 1 is evidence for the candidate, above 1 against it, and 1 without any evidence.
struct BindPoseGuess {
  BindPoseSource chosen;      ///< The bind pose in use.
  BindPoseSource runner_up;   ///< The best candidate that draws other frames than `chosen`.
  float score = 1;            ///< Score of `chosen`. Lower is better.
  float runner_up_score = 1;  ///< Can be slightly below `score`: clips of one frame win near ties.
  /// By how much `chosen` changes the lengths of edges and moves neighboring parts apart, on average and relative to
  /// their sizes. Above 0.25, it is unlikely to be the pose that the character was made in.
  float stretch = 0;
  bool operator==(const BindPoseGuess&) const = default;
};

/// A loaded, fully validated character. Copies share the same immutable data.
class Character {
 public:
  struct Contents;  ///< Private to the library.

  Character(const Character& other) noexcept;  ///< Shares the data.
  /// Leaves `other` without a character: it can only be assigned to or destroyed.
  Character(Character&& other) noexcept : contents_(std::exchange(other.contents_, nullptr)) {}
  Character& operator=(Character other) noexcept { return std::swap(contents_, other.contents_), *this; }
  ~Character();

  /// Validates `data` and derives everything playback needs. Fails with the first error found.
  [[nodiscard]] static Expected<Character, Diagnostic> build(CharacterData data, const BindPose& bind = {});

  /// Returns the contents as plain data. To edit a character, copy its data, change the copy and call build() again.
  [[nodiscard]] const CharacterData& data() const noexcept;
  /// Return the parts of the character, in the order that their ids and indices refer to.
  /// @{
  [[nodiscard]] Table<ImageId, Image> images() const noexcept;
  [[nodiscard]] Table<BoneId, Bone> bones() const noexcept;  ///< Parents come before their children.
  [[nodiscard]] Table<MeshId, Mesh> meshes() const noexcept;
  [[nodiscard]] Table<ClipId, Clip> clips() const noexcept;
  [[nodiscard]] std::span<const Vertex> vertices() const noexcept;  ///< Of all meshes.
  [[nodiscard]] std::span<const Vertex> vertices(const Mesh& mesh) const noexcept;
  [[nodiscard]] std::span<const std::uint16_t> indices() const noexcept;  ///< Of all meshes.
  [[nodiscard]] std::span<const std::uint16_t> indices(const Mesh& mesh) const noexcept;
  /// @}

  /// Return the first clip, bone or mesh with that name, or `none`.
  /// @{
  [[nodiscard]] ClipId find_clip(std::string_view name) const noexcept;
  [[nodiscard]] BoneId find_bone(std::string_view name) const noexcept;
  [[nodiscard]] MeshId find_mesh(std::string_view name) const noexcept;
  /// @}

  /// Returns the bone that controls the visibility, draw order and opacity of `mesh`: the one with the largest sum of
  /// weights over the mesh's vertices. The lower index wins a tie. Without weights or bones this is bone 0.
  [[nodiscard]] BoneId governing_bone(MeshId mesh) const noexcept;
  [[nodiscard]] Table<MeshId, BoneId> governing_bones() const noexcept;  ///< One per mesh.

  [[nodiscard]] BindPoseSource bind_pose_source() const noexcept;  ///< Clip and frame used as the bind pose.
  /// Returns how the bind pose was guessed, or nothing if it was not: because it was chosen, stored in the file or
  /// named by a clip, because all candidates draw the same frames, or because the character is 3D.
  [[nodiscard]] const std::optional<BindPoseGuess>& bind_pose_guess() const noexcept;
  [[nodiscard]] PoseView bind_pose() const noexcept;  ///< One value per bone, including opacity.
  /// Return the inverse bind transforms: from world space in the bind pose to the space of each bone. The 2D ones are
  /// identities for a 3D character.
  [[nodiscard]] std::span<const Affine> inverse_bind() const noexcept;

  [[nodiscard]] bool is_3d() const noexcept;  ///< Whether the character has depth and normals.
  [[nodiscard]] std::span<const Vertex3D> vertices_3d() const noexcept;     ///< One per vertex, or empty in 2D.
  [[nodiscard]] std::span<const Affine3> inverse_bind_3d() const noexcept;  ///< One per bone, or empty in 2D.

  [[nodiscard]] std::span<const Diagnostic> warnings() const noexcept;  ///< Warnings from loading.

 private:
  friend struct CharacterBuilder;
  friend const Contents& private_contents(const Character& character) noexcept;
  explicit Character(Contents* contents) noexcept : contents_(contents) {}
  Contents* contents_;  ///< Shared with the copies, which it counts: <memory> would double the size of this header.
};

}  // namespace pchr

template <pchr::PartId Id, typename T>
inline constexpr bool std::ranges::enable_borrowed_range<pchr::Table<Id, T>> = true;
template <pchr::PartId Id, typename T>
inline constexpr bool std::ranges::enable_view<pchr::Table<Id, T>> = true;
