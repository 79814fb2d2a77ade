// SPDX-License-Identifier: MIT
// Applies the player's preferences. What is written then is read as the same, and merges with itself.
#include "use.hpp"

#include "app/preferences.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pchr::player;
  using pchr::fuzz::require;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  App app;
  WindowPlace place;
  apply_preferences(text, app, place);
  const std::string written = describe_preferences(app, place, text);
  App again;
  WindowPlace place_again;
  apply_preferences(written, again, place_again);
  require(describe_preferences(again, place_again, written) == written, "written preferences are read as the same");
  const std::string merged = merge_preferences(written, written, written);
  require(merge_preferences(merged, merged, merged) == merged, "equal preferences merge to the same");
  (void)merge_preferences(written, text, "");
  (void)merge_preferences(text, written, text.substr(0, size / 2));
  return 0;
}
