// SPDX-License-Identifier: MIT
#pragma once

#include "app/app.hpp"

namespace pchr::player {

/// Estimates the size of the files of a planned export by encoding a few frames of its longest clip, at most one per
/// call. Only the exported character is drawn, without its rig, so mixes and lineups have no estimate; neither have
/// videos.
class SizeEstimate {
 public:
  /// Sets the estimate in the dialog once it is known. The dialog's plan must be for the open document. Returns whether
  /// the estimate changed.
  bool update(App& app, Renderer& renderer, GetProcAddress get_proc_address);
  /// Returns whether update() must be called every frame.
  [[nodiscard]] bool busy() const noexcept { return job_.has_value(); }

 private:
  void begin(const App& app, Renderer& renderer, GetProcAddress get_proc_address);
  [[nodiscard]] double bytes() const;

  std::shared_ptr<const ExportPlan> plan_{};  ///< Estimated, or being estimated.
  std::optional<Character> character_{};      ///< The one that is drawn.
  Selection selection_{};
  std::size_t longest_ = 0;                 ///< The clip of which frames are encoded.
  std::uint32_t samples_ = 0;               ///< Number of these frames.
  std::array<std::uint64_t, 2> encoded_{};  ///< Bytes of the first of them alone, and of all.
  std::optional<ExportJob> job_{};          ///< Last, because it refers to the other members.
};

}  // namespace pchr::player
