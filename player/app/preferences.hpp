// SPDX-License-Identifier: MIT
// Settings saved between runs, in a file of `key = value` lines.
#pragma once

#include "app/window.hpp"
#include "ui/app.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>

namespace pchr::player {

/// Applies the settings in `text`. Ignores unknown keys and invalid values.
void apply_preferences(std::string_view text, App& app, WindowPlace& place);
/// Returns the settings as text. Keeps the lines of `before` with unknown keys, which may be a newer player's.
[[nodiscard]] std::string describe_preferences(const App& app, const WindowPlace& place, std::string_view before);

/// Combines the settings of this player with those that another one has written meanwhile: a key has `ours` if that
/// differs from `base`, which this player started with or wrote last, else `theirs`. Lists have what either added.
[[nodiscard]] std::string merge_preferences(std::string_view base, std::string_view ours, std::string_view theirs);

/// Saves the preferences shortly after they change. Several players can share a file: each keeps what only the others
/// have changed, and of what several changed the last one's value.
class PreferencesSaver {
 public:
  /// Applies the saved preferences.
  explicit PreferencesSaver(App& app);
  [[nodiscard]] const WindowPlace& place() const noexcept { return place_; }
  /// Notes that something may have changed. `now` is a time in seconds.
  void note_change(double now) noexcept { due_ = std::min(due_, now + kDelay); }
  /// Returns the time at which update() should be called; infinite if nothing changed.
  [[nodiscard]] double due() const noexcept { return due_; }
  /// Saves the preferences if they changed, and unsaved changes to the rig. Tries again later if it cannot, and says
  /// that unsaved changes are not kept. `now` is a time in seconds.
  void update(App& app, const WindowPlace& place, double now);

 private:
  static constexpr double kDelay = 1.0;
  static constexpr double kRetryDelay = 10.0;

  std::filesystem::path file_ = preferences_file();
  WindowPlace place_{};
  std::string known_{};  ///< As applied or written last.
  double due_ = std::numeric_limits<double>::infinity();
};

}  // namespace pchr::player
