// SPDX-License-Identifier: MIT
// The image of the atlas tab as a texture of the player's own: decoded beside the window, there while it is shown.
#pragma once

#include "session.hpp"

#include <imgui.h>

#include <expected>
#include <memory>
#include <string>

namespace pchr::player {

/// On the OpenGL context that is current, which must outlive it. Must not be moved once it was drawn with.
class AtlasTexture {
 public:
  [[nodiscard]] static std::expected<AtlasTexture, RenderError> create(GetProcAddress get_proc_address);
  AtlasTexture(AtlasTexture&&) noexcept;
  AtlasTexture& operator=(AtlasTexture&&) noexcept;
  ~AtlasTexture();

  /// Brings the texture in line with what the session shows: reads it, sends some of it, or frees it. Returns whether
  /// the picture changed.
  bool update(const Session& session);
  /// Whether it goes on without any input.
  [[nodiscard]] bool busy() const noexcept;

  /// Whether it is all there, of the image that the session shows.
  [[nodiscard]] bool ready(const Session& session) const noexcept;
  /// Why it never will be; empty where it is, or may be.
  [[nodiscard]] const std::string& problem() const noexcept;
  /// What is added to `list` from now on, until end(), is drawn from the texture that it returns, which must be ready;
  /// magnified its pixels keep their edges where `sharp`.
  [[nodiscard]] ImTextureID begin(ImDrawList& list, bool sharp);
  static void end(ImDrawList& list);

 private:
  struct Resources;
  explicit AtlasTexture(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources> resources_;
};

}  // namespace pchr::player
