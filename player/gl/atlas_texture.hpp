// SPDX-License-Identifier: MIT
// An image of the character as a texture, decoded on a thread while it is shown.
#pragma once

#include "gl/gl.hpp"

#include <pchr/character.hpp>
#include <pchr/image.hpp>

#include <imgui.h>

#include <future>

namespace pchr::player {

/// A premultiplied image followed by its mipmaps, each half the size, down to one pixel.
using MipmappedBitmap = std::vector<Bitmap>;
/// Generates the mipmaps of `image`, which must not be empty.
[[nodiscard]] MipmappedBitmap with_mipmaps(Bitmap image);

/// Must not be moved after the first begin().
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

  /// Reads the wanted image, uploads some of it, or frees the texture. Returns whether the frame changed.
  bool update(std::optional<Wanted> wanted);
  [[nodiscard]] bool busy() const noexcept { return reading_.valid() || !levels_.empty(); }

  [[nodiscard]] bool ready(const Wanted& wanted) const noexcept {
    return texture_ && levels_.empty() && holds_ == wanted;
  }
  /// Returns why the texture will never be ready; empty if it is or can still be.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  /// Draws what is added to `list` until end() with the returned texture, which must be ready. If `sharp`, magnified
  /// texels keep hard edges.
  [[nodiscard]] ImTextureID begin(ImDrawList& list, bool sharp);
  static void end(ImDrawList& list);

 private:
  void release();
  /// Allocates the texture for the levels, which are uploaded later.
  void take(MipmappedBitmap bitmaps);
  /// Returns whether the upload is complete.
  bool send_some();

  GlTexture texture_{};
  std::optional<Wanted> holds_{};  ///< What the texture, levels and problem belong to, or what is being read.
  std::string problem_{};
  bool sharp_ = false;
  std::future<Expected<MipmappedBitmap, std::string>> reading_{};
  MipmappedBitmap levels_{};  ///< Levels to upload, starting at `level_` and `row_`.
  std::size_t level_ = 0;
  std::uint32_t row_ = 0;
};

}  // namespace pchr::player
