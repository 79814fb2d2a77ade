// SPDX-License-Identifier: MIT
// The thumbnails of the cast as textures.
#pragma once

#include "document/cast.hpp"
#include "gl/gl.hpp"

#include <imgui.h>

#include <map>

namespace pchr::player {

class CastThumbnails {
 public:
  CastThumbnails();

  /// Uploads what has been made and asks for the thumbnails of `cast.shown`. Notes files that cannot be opened in
  /// `cast`. Returns whether the frame changed.
  bool update(Cast& cast);
  /// Checks whether files have changed.
  void recheck() noexcept;
  [[nodiscard]] bool busy() const { return thumbnails_.busy(); }
  /// Returns the texture of a file; nothing if it has none.
  [[nodiscard]] std::optional<ImTextureID> find(const std::filesystem::path& path) const;
  /// Returns the number of files with a texture.
  [[nodiscard]] std::size_t count() const noexcept;

 private:
  struct Shown {
    GlTexture texture{};
    bool checked = false;  ///< Whether it shows the file as it is.
  };
  void take(Thumbnail made, Cast& cast);

  Thumbnails thumbnails_;
  std::map<std::filesystem::path, Shown> textures_{};
  std::vector<std::filesystem::path> requested_{};
};

}  // namespace pchr::player
