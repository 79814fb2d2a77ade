// SPDX-License-Identifier: MIT
// Characters made in code, and characters as v1 bytes.
#pragma once

#include "support/files.hpp"

#include <pchr/character.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <utility>

namespace pchr {

/// Returns a valid character.
[[nodiscard]] inline Character build(CharacterData data) { return Character::build(std::move(data)).value(); }

}  // namespace pchr

namespace pchr::test {

using Rgba = std::array<std::uint8_t, 4>;

/// Returns an rgba8888 image of one straight-alpha color.
[[nodiscard]] Image plain_image(std::uint32_t width, std::uint32_t height, Rgba color, std::string name = "plain");

/// Adds a quad over the world rectangle `area` that shows all of `image`, with weight 1 on `bone`.
void add_quad(CharacterData& data, std::string name, std::uint32_t image, const Rect& area, std::uint16_t bone);

/// Returns a clip of `frames` frames in which every bone has the identity transform.
[[nodiscard]] Clip resting_clip(std::string name, std::uint32_t frames, std::size_t bone_count,
                                double frames_per_second = 24);

/// Returns one bone, one white quad from (-8, -8) to (8, 8), a clip "bind" of one frame, and a looping clip "slide" of
/// four frames in which the bone is at x = 0, 4, 8, 12.
[[nodiscard]] CharacterData sliding_quad();

/// Returns two bones end to end along +Y and a strip that bends at the joint, with clips "bind" (one frame) and "bend"
/// (looping, eight frames, elbow 0 to 90 degrees and back). Two meshes: the strip, and a badge that is hidden in odd
/// frames and passes behind the strip in the second half.
[[nodiscard]] CharacterData two_bone_arm();

/// Returns `data` as a v1 file. Does not validate, so tests can write broken files.
[[nodiscard]] Bytes write_v1(const CharacterData& data);

}  // namespace pchr::test
