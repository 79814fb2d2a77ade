// SPDX-License-Identifier: MIT
// An image of the character as a texture of the player's own: decoded beside the window, there while it is shown.
#pragma once

#include "gl/gl.hpp"

#include <pchr/character.hpp>
#include <pchr/image.hpp>

#include <imgui.h>

#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <vector>

namespace pchr::player {

/// A premultiplied image, then its mipmaps, each half as wide and as high, down to one pixel.
using MipmappedBitmap = std::vector<Bitmap>;
/// Makes the mipmaps of `image`, which must have pixels.
[[nodiscard]] MipmappedBitmap with_mipmaps(Bitmap image);

/// Must not be moved once it was drawn with.
class AtlasTexture {
 public:
  /// An image of a character.
  struct Wanted {
    Character character;
    ImageId image{};
    bool operator==(const Wanted& other) const noexcept {
      return &character.data() == &other.character.data() && image == other.image;
    }
  };

  /// Brings the texture in line with what is wanted: reads it, sends some of it, or frees it. Returns whether what is
  /// shown changed.
  bool update(std::optional<Wanted> wanted);
  /// Returns whether it goes on without any input.
  [[nodiscard]] bool busy() const noexcept { return reading_.valid() || !levels_.empty(); }

  /// Returns whether all of it is there.
  [[nodiscard]] bool ready(const Wanted& wanted) const noexcept {
    return texture_ && levels_.empty() && holds_ == wanted;
  }
  /// Returns why it never will be; empty where it is, or may be.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  /// Draws what is added to `list` from now on, until end(), from the texture that it returns, which must be ready;
  /// magnified its pixels keep their edges where `sharp`.
  [[nodiscard]] ImTextureID begin(ImDrawList& list, bool sharp);
  static void end(ImDrawList& list);

 private:
  void release();
  void take(MipmappedBitmap bitmaps);
  bool send_some();

  GlTexture texture_{};
  std::optional<Wanted> holds_{};  ///< What the texture, the levels or the problem are of, or what is being read.
  std::string problem_{};
  bool sharp_ = false;  ///< As it is drawn.
  std::future<std::expected<MipmappedBitmap, std::string>> reading_{};
  MipmappedBitmap levels_{};  ///< Still to be sent, from this place on:
  std::size_t level_ = 0;
  std::uint32_t row_ = 0;
};

}  // namespace pchr::player
