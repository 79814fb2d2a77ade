// SPDX-License-Identifier: MIT
#include "app/cast_thumbnails.hpp"

#include "platform/cache_folder.hpp"
#include "platform/utf8_path.hpp"
#include "ui/theme.hpp"

#include <algorithm>

namespace pchr::player {
namespace {

constexpr std::size_t kMaxTextures = 256;
constexpr std::size_t kChannels = 4;

std::filesystem::path thumbnail_folder() {
  const std::filesystem::path folder = path_from_utf8(user_cache_folder());
  return folder.empty() ? folder : folder / "pchr" / "thumbnails";
}

/// Blends the image over the color of wells, because Dear ImGui blends straight alpha.
void make_opaque(Bitmap& image) noexcept {
  constexpr std::array kBehind{kWellColor >> IM_COL32_R_SHIFT & 0xFF, kWellColor >> IM_COL32_G_SHIFT & 0xFF,
                               kWellColor >> IM_COL32_B_SHIFT & 0xFF, 0xFFU};
  for (std::size_t i = 0; i < image.rgba.size(); i += kChannels) {
    const std::uint32_t through = 255U - image.rgba[i + 3];
    for (std::size_t channel = 0; channel < kChannels; ++channel) {
      std::uint8_t& value = image.rgba[i + channel];
      value = static_cast<std::uint8_t>(std::min(value + (kBehind[channel] * through + 127U) / 255U, 255U));
    }
  }
}

GlTexture upload(const Bitmap& image) {
  GlTexture texture = GlTexture::make();
  gl().BindTexture(GL_TEXTURE_2D, texture.get());
  gl().TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, static_cast<GLsizei>(image.width), static_cast<GLsizei>(image.height), 0,
                  GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  gl().GenerateMipmap(GL_TEXTURE_2D);
  gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  return texture;
}

}  // namespace

CastThumbnails::CastThumbnails() : thumbnails_(thumbnail_folder()) {}

void CastThumbnails::take(Thumbnail made, Cast& cast) {
  set_error(cast, made.file.path, std::move(made.error));
  Shown& shown = textures_[made.file.path];
  shown.checked = true;
  shown.texture = {};
  if (made.image.rgba.empty()) return;
  make_opaque(made.image);
  shown.texture = upload(made.image);
}

bool CastThumbnails::update(Cast& cast) {
  bool changed = false;
  while (auto made = thumbnails_.take()) {
    take(*std::move(made), cast);
    changed = true;
  }
  const auto is_shown = [&](const std::filesystem::path& path) {
    return std::ranges::find(cast.shown, path) != cast.shown.end();
  };
  if (textures_.size() > kMaxTextures) {
    std::erase_if(textures_, [&](const auto& each) { return !is_shown(each.first); });
  }
  std::vector<std::filesystem::path> wanted;
  for (const std::filesystem::path& path : cast.shown) {
    const auto known = textures_.find(path);
    if (known == textures_.end() || !known->second.checked) wanted.push_back(path);
  }
  if (!wanted.empty() && wanted != requested_) thumbnails_.want(wanted);
  requested_ = std::move(wanted);
  return changed;
}

void CastThumbnails::recheck() noexcept {
  for (auto& [path, shown] : textures_) shown.checked = false;
}

std::optional<ImTextureID> CastThumbnails::find(const std::filesystem::path& path) const {
  const auto known = textures_.find(path);
  if (known == textures_.end() || !known->second.texture) return std::nullopt;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): Dear ImGui's OpenGL backend expects texture names as pointers.
  return reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(known->second.texture.get()));
}

std::size_t CastThumbnails::count() const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(textures_, [](const auto& each) { return static_cast<bool>(each.second.texture); }));
}

}  // namespace pchr::player
