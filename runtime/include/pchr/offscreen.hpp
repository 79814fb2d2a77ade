// SPDX-License-Identifier: MIT
// OpenGL without a window: a context from EGL, and a framebuffer to read back.
//
//   const auto context = pchr::HeadlessContext::create();
//   auto target = pchr::OffscreenTarget::create(context->get_proc_address(), 256, 256);
//   target->begin();
//   renderer.draw(model, posed, camera);
//   const pchr::Bitmap image = target->finish();
#pragma once

#include <pchr/renderer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

namespace PCHR_API pchr {

/// An OpenGL 3.3 core (or newer) context without display, through EGL's device or surfaceless platform.
/// libEGL is loaded when this is used; a program that never uses it does not need it.
class HeadlessContext {
 public:
  /// Creates the context and makes it current on this thread. With `debug`, asks for a debug context.
  [[nodiscard]] static std::expected<HeadlessContext, RenderError> create(bool debug = false);
  HeadlessContext(HeadlessContext&&) noexcept;
  HeadlessContext& operator=(HeadlessContext&&) noexcept;
  ~HeadlessContext();
  /// For Renderer::create() and OffscreenTarget::create().
  [[nodiscard]] GetProcAddress get_proc_address() const noexcept;
  [[nodiscard]] std::string description() const;  ///< Renderer and version, for people.

 private:
  struct Resources;
  explicit HeadlessContext(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources> resources_;
};

/// A framebuffer of its own, RGBA8, multisampled where `samples` is above 1 and the context can.
class OffscreenTarget {
 public:
  /// Makes one on the current context. Fails where the context refuses the size.
  [[nodiscard]] static std::expected<OffscreenTarget, RenderError> create(GetProcAddress get_proc_address,
                                                                          std::uint32_t width, std::uint32_t height,
                                                                          std::uint32_t samples = 1);
  OffscreenTarget(OffscreenTarget&&) noexcept;
  OffscreenTarget& operator=(OffscreenTarget&&) noexcept;
  ~OffscreenTarget();

  /// Binds it, sets the viewport to it, switches the scissor test off and all channels on, and clears it to a
  /// premultiplied color.
  void begin(std::array<float, 4> premultiplied_color = {0, 0, 0, 0});
  /// Resolves and reads the picture back: premultiplied, rows from top to bottom. What `begin` changed is then
  /// again as it was before.
  [[nodiscard]] Bitmap finish();

  /// Ends the picture as finish() does, but does not wait for it: it is read back while later ones are drawn. Any
  /// number may be on their way; each takes its pixels' memory on the GPU.
  void send();
  [[nodiscard]] std::size_t in_flight() const noexcept;  ///< Pictures that were sent and not yet received.
  /// Waits for the oldest picture that was sent: exactly what finish() would have given. The memory of `bitmap` is
  /// used again. False, and `bitmap` as it was, where none is on its way.
  bool receive(Bitmap& bitmap);

 private:
  struct Resources;
  explicit OffscreenTarget(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources> resources_;
};

}  // namespace pchr
