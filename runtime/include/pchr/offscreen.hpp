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

namespace PCHR_API pchr {

/// An OpenGL 3.3 core (or newer) context without display, through EGL's device or surfaceless platform. libEGL is
/// loaded only when this is used.
class HeadlessContext {
 public:
  /// Creates the context and makes it current on this thread. With `debug`, asks for a debug context.
  [[nodiscard]] static std::expected<HeadlessContext, RenderError> create(bool debug = false);
  /// Returns what Renderer::create() and OffscreenTarget::create() take.
  [[nodiscard]] GetProcAddress get_proc_address() const noexcept;
  [[nodiscard]] std::string description() const;  ///< Renderer and version, for people.

 private:
  struct Resources;
  explicit HeadlessContext(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources, void (*)(Resources*)> resources_;
};

/// A framebuffer of its own, RGBA8, multisampled where `samples` is above 1 and the context can.
class OffscreenTarget {
 public:
  /// Creates a target on the current context. Fails where the context refuses the size.
  [[nodiscard]] static std::expected<OffscreenTarget, RenderError> create(GetProcAddress get_proc_address,
                                                                          std::uint32_t width, std::uint32_t height,
                                                                          std::uint32_t samples = 1);

  /// Binds it, with its viewport, no scissor test and all channels, and clears it to a premultiplied color.
  void begin(std::array<float, 4> premultiplied_color = {0, 0, 0, 0});
  /// Resolves and reads the image back, premultiplied, rows from top to bottom, and restores what begin() changed.
  [[nodiscard]] Bitmap finish();

  /// Ends the image as finish() does, but reads it back while later ones are drawn. Each image in flight takes its
  /// pixels' memory on the GPU.
  void send();
  [[nodiscard]] std::size_t in_flight() const noexcept;  ///< Images that were sent and not yet received.
  /// Waits for the oldest image that was sent and writes what finish() would have returned into `bitmap`, whose memory
  /// is used again. Returns false where none is in flight.
  bool receive(Bitmap& bitmap);

 private:
  struct Resources;
  explicit OffscreenTarget(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources, void (*)(Resources*)> resources_;
};

}  // namespace pchr
