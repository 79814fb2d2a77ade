// SPDX-License-Identifier: MIT
#include "gl/atlas_texture.hpp"

#include <algorithm>

namespace pchr::player {
namespace {

constexpr std::size_t kChannels = 4;
constexpr std::size_t kBytesAtOnce = std::size_t{4} << 20;  ///< Max upload per frame.

/// Returns an image of half the size. The last column or row of an odd size is dropped.
Bitmap halved(const Bitmap& image) {
  Bitmap half{std::max(image.width / 2, 1U), std::max(image.height / 2, 1U), {}};
  half.rgba.resize(std::size_t{half.width} * half.height * kChannels);
  const std::size_t right = image.width > 1 ? kChannels : 0;
  const std::size_t row = std::size_t{image.width} * kChannels;
  const std::size_t below = image.height > 1 ? row : 0;
  std::uint8_t* out = half.rgba.data();
  for (std::size_t y = 0; y < half.height; ++y) {
    const std::uint8_t* in = image.rgba.data() + 2 * y * row;
    for (std::size_t x = 0; x < half.width; ++x, in += 2 * kChannels) {
      for (std::size_t channel = 0; channel < kChannels; ++channel) {
        const std::uint8_t* at = in + channel;
        *out++ = static_cast<std::uint8_t>((at[0] + at[right] + at[below] + at[below + right] + 2) / 4);
      }
    }
  }
  return half;
}

Expected<MipmappedBitmap, std::string> read(const Image& image) {
  auto bitmap = decode(image);
  if (!bitmap) return Unexpected(describe(bitmap.error(), image.name));
  return with_mipmaps(*std::move(bitmap));
}

}  // namespace

MipmappedBitmap with_mipmaps(Bitmap image) {
  MipmappedBitmap levels{std::move(image)};
  while (levels.back().width > 1 || levels.back().height > 1) levels.push_back(halved(levels.back()));
  return levels;
}

void AtlasTexture::release() {
  texture_ = {};
  levels_ = {};
  problem_.clear();
  holds_.reset();
}

void AtlasTexture::take(MipmappedBitmap bitmaps) {
  GLint largest = 0;
  gl().GetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
  const Bitmap& image = bitmaps.front();
  if (std::max(image.width, image.height) > static_cast<std::uint32_t>(largest)) {
    problem_ = "This image is too large for this GPU.";
    return;
  }
  texture_ = GlTexture::make();
  gl().BindTexture(GL_TEXTURE_2D, texture_.get());
  for (std::size_t i = 0; i < bitmaps.size(); ++i) {
    gl().TexImage2D(GL_TEXTURE_2D, static_cast<GLint>(i), GL_RGBA8, static_cast<GLsizei>(bitmaps[i].width),
                    static_cast<GLsizei>(bitmaps[i].height), 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  }
  gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    gl().TexParameteri(GL_TEXTURE_2D, axis, GL_CLAMP_TO_EDGE);
  }
  levels_ = std::move(bitmaps);
  level_ = 0;
  row_ = 0;
}

bool AtlasTexture::send_some() {
  gl().BindTexture(GL_TEXTURE_2D, texture_.get());
  for (std::size_t budget = kBytesAtOnce; budget > 0 && level_ < levels_.size();) {
    const Bitmap& bitmap = levels_[level_];
    const std::size_t row_bytes = std::size_t{bitmap.width} * kChannels;
    const std::size_t rows = std::clamp<std::size_t>(budget / row_bytes, 1, bitmap.height - row_);
    gl().TexSubImage2D(GL_TEXTURE_2D, static_cast<GLint>(level_), 0, static_cast<GLint>(row_),
                       static_cast<GLsizei>(bitmap.width), static_cast<GLsizei>(rows), GL_RGBA, GL_UNSIGNED_BYTE,
                       bitmap.rgba.data() + row_ * row_bytes);
    row_ += static_cast<std::uint32_t>(rows);
    budget -= std::min(budget, rows * row_bytes);
    if (row_ < bitmap.height) continue;
    ++level_;
    row_ = 0;
  }
  if (level_ < levels_.size()) return false;
  levels_ = {};
  return true;
}

bool AtlasTexture::update(std::optional<Wanted> wanted) {
  if (reading_.valid()) {
    if (reading_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    auto bitmaps = reading_.get();
    if (wanted == holds_) {
      if (!bitmaps) problem_ = std::move(bitmaps.error());
      if (bitmaps) take(*std::move(bitmaps));
    }
    if (!problem_.empty()) return true;
  }
  if (wanted != holds_) {
    release();
    holds_ = wanted;
    if (!wanted) return false;
    reading_ = std::async(std::launch::async, [of = *wanted] { return read(of.character.images()[of.image]); });
  }
  return !levels_.empty() && send_some();
}

ImTextureID AtlasTexture::begin(ImDrawList& list, bool sharp) {
  sharp_ = sharp;
  list.AddCallback(
      [](const ImDrawList*, const ImDrawCmd* command) {
        const auto& texture = *static_cast<const AtlasTexture*>(command->UserCallbackData);
        // The image is premultiplied, but Dear ImGui blends straight alpha.
        gl().BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
        gl().BindTexture(GL_TEXTURE_2D, texture.texture_.get());
        gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, texture.sharp_ ? GL_NEAREST : GL_LINEAR);
      },
      this);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): Dear ImGui's OpenGL backend expects texture names as pointers.
  return reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(texture_.get()));
}

void AtlasTexture::end(ImDrawList& list) { list.AddCallback(ImDrawCallback_ResetRenderState, nullptr); }

}  // namespace pchr::player
