// SPDX-License-Identifier: MIT
#include "app/quitting.hpp"

namespace pchr::player {

bool would_lose_work(const App& app) noexcept {
  return app.exports.running || (app.document && has_unsaved_changes(app.document->rig));
}

bool may_quit(App& app) noexcept {
  if (!would_lose_work(app)) return true;
  return std::exchange(app.asks_to_quit, true);
}

}  // namespace pchr::player
