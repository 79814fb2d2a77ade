// SPDX-License-Identifier: MIT
// A character on a GPU without a display, and pictures of it.
#pragma once

#include "common.hpp"
#include "film/shot.hpp"
#include "view.hpp"

#include <pchr/offscreen.hpp>
#include <pchr/renderer.hpp>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace pchr::tools {

using film::Shot;

class Stage {
 public:
  /// Makes a context and uploads the character; plain white where its images were not decoded.
  [[nodiscard]] static Result<Stage> open(const Input& input, bool no_images);
  /// Uploads one more.
  [[nodiscard]] Result<void> add(const Input& input, bool no_images);

  /// Pictures are of this size from now on.
  [[nodiscard]] Result<void> set_size(Size size);
  /// Draws on a background and sends the picture on its way.
  void send(const Shot& shot, const Background& background);
  [[nodiscard]] std::size_t in_flight() const noexcept { return target_ ? target_->in_flight() : 0; }
  /// The oldest picture on its way, premultiplied. There is one.
  [[nodiscard]] Bitmap receive();
  /// Draws and waits.
  [[nodiscard]] Bitmap draw(const Shot& shot, const Background& background);

 private:
  Stage(HeadlessContext context, Renderer renderer) : context_(std::move(context)), renderer_(std::move(renderer)) {}

  // Each needs what stands before it.
  HeadlessContext context_;
  Renderer renderer_;
  std::vector<Model> models_;
  std::optional<OffscreenTarget> target_;
  Size size_{0, 0};
  bool checker_ = false;
  PosedCharacter posed_;
};

}  // namespace pchr::tools
