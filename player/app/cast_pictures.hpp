// SPDX-License-Identifier: MIT
// The thumbnails of the cast as textures.
#pragma once

#include "document/cast.hpp"
#include "document/thumbnails.hpp"
#include "gl/gl.hpp"

#include <imgui.h>

#include <map>

namespace pchr::player {

class CastPictures {
 public:
  CastPictures();

  /// Uploads what has been made and asks for the pictures of `cast.shown`. Notes files that cannot be opened in `cast`.
  /// Returns whether the frame changed.
  bool update(Cast& cast);
  /// Looks for changes of the files that are shown.
  void recheck() noexcept;
  [[nodiscard]] bool busy() const { return thumbnails_.busy(); }
  /// Returns a texture; nothing if there is no picture.
  [[nodiscard]] std::optional<ImTextureID> find(const std::filesystem::path& path) const;
  /// Returns the number of files with a texture.
  [[nodiscard]] std::size_t count() const noexcept;

 private:
  struct Picture {
    GlTexture texture{};
    bool checked = false;  ///< Whether it shows the file as it is.
  };
  void take(Thumbnail made, Cast& cast);

  Thumbnails thumbnails_;
  std::map<std::filesystem::path, Picture> pictures_{};
  std::vector<std::filesystem::path> requested_{};
};

}  // namespace pchr::player
