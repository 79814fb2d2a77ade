// SPDX-License-Identifier: MIT
// The character alone in a window without a frame, over whatever else is on the screen.
#pragma once

#include "canvas.hpp"
#include "session.hpp"
#include "window.hpp"

#include <optional>

namespace pchr::player {

class Presentation {
 public:
  /// Brings the window in line with session.view.presenting: its canvas, in `canvas`, becomes all of it, where it is
  /// and as large as it is, and in the end everything is as it was before.
  void update(Session& session, Window& window, const Rect& canvas);
  /// The mouse while it is shown: a drag moves the window, the wheel resizes it with what it shows.
  void handle_mouse(Session& session, Window& window);

 private:
  bool shown_ = false;
  Camera camera_{};  ///< As it was before.
  bool fitted_ = true;
  std::optional<Vec2> grabbed_{};  ///< Where the mouse holds the window, in its units.
};

}  // namespace pchr::player
