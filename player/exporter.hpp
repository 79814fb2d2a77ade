// SPDX-License-Identifier: MIT
// Draws and writes exports: planned, decoded and encoded beside the window, drawn a few milliseconds per picture of it.
#pragma once

#include "exports.hpp"
#include "selection.hpp"
#include "session.hpp"

#include "film/shot.hpp"

#include <pchr/image.hpp>
#include <pchr/offscreen.hpp>
#include <pchr/renderer.hpp>

#include <cstdint>
#include <expected>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pchr::player {

/// Works on the current OpenGL context, which must outlive it. An export has its own model: what is done meanwhile to
/// what is open, or that it is read again, changes nothing in it. One that is ended, or destroyed, leaves no file.
class Exporter {
 public:
  Exporter();
  Exporter(Exporter&&) noexcept;
  Exporter& operator=(Exporter&&) noexcept;
  ~Exporter();

  /// Brings the plan in line with what the dialog says, and works on what was begun for a few milliseconds. Returns
  /// whether what is shown changed.
  bool update(Session& session, Renderer& renderer, GetProcAddress get_proc_address);
  /// Whether update() is to be called for each picture.
  [[nodiscard]] bool busy() const noexcept { return planning_.valid() || ending_.valid() || work_ != nullptr; }

 private:
  struct Work;  ///< What is written, on other threads too.
  /// What is drawn.
  struct Drawing {
    std::optional<Upload> upload{};
    std::optional<Model> model{};
    std::optional<OffscreenTarget> target{};
    film::Size size{0, 0};  ///< Of the target.
    Selection hidden{};     ///< As it was when the export was begun.
    PosedCharacter posed{};
    std::size_t clip = 0;
    std::uint32_t pass = 0;
    std::uint32_t next = 0;   ///< Of the clip's frames, to be drawn.
    std::uint64_t taken = 0;  ///< Pictures.
    std::uint64_t to_take = 0;
    bool all_taken = false;
  };
  enum class Step : std::uint8_t { more, wait, finished };

  bool plan(Session& session);
  void begin(const Session& session);
  bool work(Session& session, Renderer& renderer, GetProcAddress get_proc_address);
  film::Result<Step> step(Renderer& renderer, GetProcAddress get_proc_address);
  film::Result<Step> prepare(Renderer& renderer);
  film::Result<void> begin_clip(GetProcAddress get_proc_address);
  void send(Renderer& renderer);
  bool take();
  void end();

  std::future<film::Result<ExportPlan>> planning_{};
  ExportRequest asked_{};  ///< What is being planned, or was last.
  bool planned_ = false;   ///< Whether anything was.
  std::unique_ptr<Work> work_{};
  Drawing drawing_{};
  std::future<void> ending_{};
};

}  // namespace pchr::player
