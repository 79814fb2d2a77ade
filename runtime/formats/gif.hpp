// SPDX-License-Identifier: MIT
// The GIF format.
#pragma once

#include <pchr/image.hpp>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>

namespace pchr {

/// Whether bytes begin as a GIF file does.
[[nodiscard]] bool is_gif(std::span<const std::byte> bytes) noexcept;

/// Decodes the first frame of a GIF file to straight alpha, in the canvas of the animation. Fails with what is wrong
/// where the file is broken up to the end of that frame, cut short, or has more than `max_pixels`.
[[nodiscard]] std::expected<Bitmap, std::string> decode_gif(std::span<const std::byte> bytes, std::uint64_t max_pixels);

}  // namespace pchr
