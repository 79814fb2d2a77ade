// SPDX-License-Identifier: MIT
// An image of the character as a texture, decoded beside the window, while it is shown.
#pragma once

#include "gl/gl.hpp"

#include <pchr/character.hpp>
#include <pchr/image.hpp>

#include <imgui.h>

#include <future>

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

  /// Reads what is wanted, sends some of it, or frees the texture. Returns whether what is shown changed.
  bool update(std::optional<Wanted> wanted);
  [[nodiscard]] bool busy() const noexcept { return reading_.valid() || !levels_.empty(); }

  [[nodiscard]] bool ready(const Wanted& wanted) const noexcept {
    return texture_ && levels_.empty() && holds_ == wanted;
  }
  /// Returns why it never will be; empty where it is, or may be.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  /// Draws what is added to `list` until end() from the texture that it returns, which must be ready; where `sharp`,
  /// magnified pixels keep their edges.
  [[nodiscard]] ImTextureID begin(ImDrawList& list, bool sharp);
  static void end(ImDrawList& list);

 private:
  void release();
  /// Makes room for the levels, which are then to be sent.
  void take(MipmappedBitmap bitmaps);
  /// Returns whether that was the last of it.
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
