// SPDX-License-Identifier: MIT
#include "app/cast_pictures.hpp"

#include "platform/user_folders.hpp"
#include "ui/theme.hpp"

#include <algorithm>

namespace pchr::player {
namespace {

constexpr std::size_t kMaxPictures = 256;
constexpr std::size_t kChannels = 4;

std::filesystem::path thumbnail_folder() {
  const std::filesystem::path folder = cache_folder();
  return folder.empty() ? folder : folder / "pchr" / "thumbnails";
}

/// Blends the picture over the color of wells, because Dear ImGui blends straight alpha.
void make_opaque(Bitmap& picture) noexcept {
  constexpr std::array kBehind{kWellColor >> IM_COL32_R_SHIFT & 0xFF, kWellColor >> IM_COL32_G_SHIFT & 0xFF,
                               kWellColor >> IM_COL32_B_SHIFT & 0xFF, 0xFFU};
  for (std::size_t i = 0; i < picture.rgba.size(); i += kChannels) {
    const std::uint32_t through = 255U - picture.rgba[i + 3];
    for (std::size_t channel = 0; channel < kChannels; ++channel) {
      std::uint8_t& value = picture.rgba[i + channel];
      value = static_cast<std::uint8_t>(std::min(value + (kBehind[channel] * through + 127U) / 255U, 255U));
    }
  }
}

GlTexture upload(const Bitmap& picture) {
  GlTexture texture = GlTexture::make();
  gl().BindTexture(GL_TEXTURE_2D, texture.get());
  gl().TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, static_cast<GLsizei>(picture.width), static_cast<GLsizei>(picture.height),
                  0, GL_RGBA, GL_UNSIGNED_BYTE, picture.rgba.data());
  gl().GenerateMipmap(GL_TEXTURE_2D);
  gl().TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  return texture;
}

}  // namespace

CastPictures::CastPictures() : thumbnails_(thumbnail_folder()) {}

void CastPictures::take(Thumbnail made, Cast& cast) {
  set_error(cast, made.file.path, std::move(made.error));
  Picture& picture = pictures_[made.file.path];
  picture.checked = true;
  picture.texture = {};
  if (made.picture.rgba.empty()) return;
  make_opaque(made.picture);
  picture.texture = upload(made.picture);
}

bool CastPictures::update(Cast& cast) {
  bool changed = false;
  while (auto made = thumbnails_.take()) {
    take(*std::move(made), cast);
    changed = true;
  }
  const auto is_shown = [&](const std::filesystem::path& path) {
    return std::ranges::find(cast.shown, path) != cast.shown.end();
  };
  if (pictures_.size() > kMaxPictures) {
    std::erase_if(pictures_, [&](const auto& each) { return !is_shown(each.first); });
  }
  std::vector<std::filesystem::path> wanted;
  for (const std::filesystem::path& path : cast.shown) {
    const auto known = pictures_.find(path);
    if (known == pictures_.end() || !known->second.checked) wanted.push_back(path);
  }
  if (!wanted.empty() && wanted != requested_) thumbnails_.want(wanted);
  requested_ = std::move(wanted);
  return changed;
}

void CastPictures::recheck() noexcept {
  for (auto& [path, picture] : pictures_) picture.checked = false;
}

std::optional<ImTextureID> CastPictures::find(const std::filesystem::path& path) const {
  const auto known = pictures_.find(path);
  if (known == pictures_.end() || !known->second.texture) return std::nullopt;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): Dear ImGui's OpenGL backend expects texture names as pointers.
  return reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(known->second.texture.get()));
}

std::size_t CastPictures::count() const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(pictures_, [](const auto& each) { return static_cast<bool>(each.second.texture); }));
}

}  // namespace pchr::player
