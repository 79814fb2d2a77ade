// SPDX-License-Identifier: MIT
// OpenGL without a window: a context, and a framebuffer with readback.
//
//   const auto context = pchr::HeadlessContext::create();
//   auto renderer = pchr::Renderer::create(context->get_proc_address());
//   auto target = pchr::OffscreenTarget::create(*renderer, 256, 256);
//   target->begin();
//   renderer->draw(model, posed, camera);
//   const pchr::Bitmap image = target->finish();
#pragma once

#include <pchr/renderer.hpp>

namespace PCHR_API pchr {

/// The kind of a context.
enum class GlApi : std::uint8_t {
  desktop,  ///< OpenGL 3.3 core or newer.
  es        ///< OpenGL ES 3.0 or newer.
};

/// Options for a context without a display.
struct HeadlessOptions {
  GlApi api = GlApi::desktop;
  bool debug = false;  ///< Sets the debug flag.
};

/// An OpenGL context that shows no window. On Linux it needs no display: libEGL, loaded on first use, offers a device
/// or surfaceless platform. On Windows it is that of a hidden window, and opengl32.dll is loaded on first use: a copy
/// of Mesa's in the folder of the program replaces the system's on machines without a graphics driver. Destroying it
/// there waits for a thread that owns the window: do not leave that to the destructor of a thread_local variable.
class HeadlessContext {
 public:
  /// Creates a context and makes it current on this thread.
  [[nodiscard]] static Expected<HeadlessContext, RenderError> create(const HeadlessOptions& options = {});
  /// Makes the context current on this thread again, after another one was. Returns false if it is current on another
  /// thread.
  bool make_current();
  /// Returns the loader to pass to Renderer::create() and OffscreenTarget::create().
  [[nodiscard]] GetProcAddress get_proc_address() const noexcept;
  [[nodiscard]] std::string description() const;  ///< Renderer and version, as readable text.

 private:
  struct Resources;
  explicit HeadlessContext(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources, void (*)(Resources*)> resources_;
};

/// An RGBA8 framebuffer with readback. Multisampled if `samples` is above 1 and the context supports it.
class OffscreenTarget {
 public:
  /// Creates a target on the current context. Fails if the context rejects the size.
  [[nodiscard]] static Expected<OffscreenTarget, RenderError> create(GetProcAddress get_proc_address,
                                                                     std::uint32_t width, std::uint32_t height,
                                                                     std::uint32_t samples = 1);
  /// Creates a target on the context of a renderer, whose functions and program cache it uses.
  [[nodiscard]] static Expected<OffscreenTarget, RenderError> create(const Renderer& renderer, std::uint32_t width,
                                                                     std::uint32_t height, std::uint32_t samples = 1);

  /// Binds the target, sets a full viewport, disables the scissor test, enables all color channels, and clears to a
  /// premultiplied color.
  void begin(std::array<float, 4> premultiplied_color = {0, 0, 0, 0});
  /// Resolves the image, reads it back as premultiplied RGBA (top row first), and restores what begin() changed.
  [[nodiscard]] Bitmap finish();

  /// Ends the image like finish(), but reads it back while later images are drawn. Each image in flight takes GPU
  /// memory for its pixels.
  void send();
  [[nodiscard]] std::size_t in_flight() const noexcept;  ///< Images sent but not received yet.
  /// Waits for the oldest image in flight and writes it to `bitmap`, reusing its memory. Returns false if no image is
  /// in flight.
  bool receive(Bitmap& bitmap);

 private:
  struct Resources;
  static Expected<OffscreenTarget, RenderError> make(std::shared_ptr<const Gl> gl, std::uint32_t width,
                                                     std::uint32_t height, std::uint32_t samples);
  explicit OffscreenTarget(std::unique_ptr<Resources> resources) noexcept;
  std::unique_ptr<Resources, void (*)(Resources*)> resources_;
};

}  // namespace pchr
