// SPDX-License-Identifier: MIT
// Shared by the fuzz targets: small limits, and use of a character.
#include "support/load.hpp"

#include "use.hpp"

#include <pchr/pose.hpp>
#include <pchr/queries.hpp>
#include <pchr/image.hpp>
#include <pchr/import/import.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace pchr::fuzz {
namespace {

void use_posed(const Character& character, const PoseBuffers& posed, const HitImages& images) {
  const Rect area = bounds(character, posed);
  std::vector<Hit> hits;
  hit_test_all(character, posed, images, area.center(), hits, {0});
  for (const Hit& hit : hits) require(character.meshes().contains(hit.mesh), "a hit refers to an existing mesh");
  const PoseView pose = posed.pose.frame(0, character.bones().size());
  for (const BoneId bone : IdRange<BoneId>{std::min(character.bones().ids().count, 8U)}) {
    const float degrees = rotation_towards(character.bones(), pose, bone, area.max);
    require(!(std::abs(degrees) > 180) || degrees == pose.rotation_degrees[index(bone)],
            "a bone turns by half a turn at most");
  }
}

}  // namespace

ImportOptions small_options() {
  ImportOptions options;
  options.limits.max_image_pixels = 1U << 16;
  options.limits.max_bone_samples = 1U << 20;
  return options;
}

void load_and_use(std::span<const std::byte> bytes) {
  const auto character = load_character(bytes, small_options());
  if (character) {
    use(*character);
  } else {
    require(character.error().byte_offset.value_or(0) <= bytes.size(), "the error is within the file");
    require(!describe(character.error(), "input").empty(), "an error has a description");
  }
}

void load_artwork_and_use(std::span<const std::byte> bytes) {
  ImportOptions options = small_options();
  options.layers.which = LayerChoice::Which::all;
  // Only overrides draw reference layers.
  for (std::uint32_t layer = 0; layer < 16; ++layer) options.layers.overrides.push_back({layer, true});
  const auto character = load_character(bytes, options);
  if (!character) return;
  require(character->file.artwork.has_value(), "a file with an artwork header is an artwork");
  use(*character);
}

void load_rig_and_use(const RigFile& skeleton, const RigFile& atlas, const char* opened) {
  ImportOptions options = small_options();
  const auto read_file = [&](const std::string& path) -> Expected<std::vector<std::byte>, std::string> {
    const RigFile& file = path == skeleton.name ? skeleton : atlas;
    if (path != file.name) return Unexpected(std::string("there is no such file"));
    const auto bytes = std::as_bytes(std::span(file.text));
    return std::vector<std::byte>(bytes.begin(), bytes.end());
  };
  options.read_file = read_file;
  const auto imported = import_character(std::string(opened), options);
  if (imported) {
    use(imported->character);
  } else {
    require(!describe(imported.error(), "input").empty(), "an error has a description");
  }
}

void use(const Character& character) {
  for (const Diagnostic& warning : character.warnings()) (void)describe(warning, "input");
  const auto masks = alpha_masks(character, small_options().limits);
  (void)validate(character);
  PoseBuffers posed;
  pose_bind(character, posed);
  use_posed(character, posed, {});
  const std::uint32_t max_clips = std::min(character.clips().ids().count, 8U);
  for (const ClipId clip : IdRange<ClipId>{max_clips}) {
    const std::uint32_t frames = std::min(character.clips()[clip].frame_count, 8U);
    (void)compute_clip_bounds(character, clip);
    if (!character.meshes().empty()) (void)compute_mesh_bounds(character, clip, MeshId{0});
    for (std::uint32_t frame = 0; frame < frames; ++frame) {
      pose_clip(character, clip, {frame, (frame + 1) % frames, 0.5F}, posed);
      use_posed(character, posed, masks ? HitImages(*masks) : HitImages());
      (void)describe(character, posed.pose.frame(0, character.bones().size()), posed.draw_list);
    }
  }
}

std::vector<std::byte> pack(std::span<const std::byte> json, std::span<const std::byte> png) {
  constexpr std::size_t kHeaderBytes = 16;
  std::vector<std::byte> bytes(kHeaderBytes + json.size() + png.size());
  const std::uint32_t header[] = {1, static_cast<std::uint32_t>(json.size()), static_cast<std::uint32_t>(png.size())};
  std::memcpy(bytes.data(), "PCHR", 4);
  std::memcpy(bytes.data() + 4, header, sizeof(header));
  std::copy(png.begin(), png.end(), std::copy(json.begin(), json.end(), bytes.begin() + kHeaderBytes));
  return bytes;
}

void require(bool holds, const char* claim) {
  if (holds) return;
  std::fprintf(stderr, "not so: %s\n", claim);
  std::abort();
}

}  // namespace pchr::fuzz
