// SPDX-License-Identifier: MIT
// Artworks in tests/diagnostics. Each is small and has one mistake.
#include "support/px.hpp"
#include "import/validate/diagnostic_files.hpp"

namespace pchr::test {
namespace {

constexpr PxColor kRed{255, 0, 0, 255}, kBlue{0, 0, 255, 255};

/// Returns two frames of two pixels after `edit`.
template <class Edit>
Bytes edited_px(Edit edit) {
  PxArtwork artwork{.width = 2, .height = 1};
  artwork.add_layer("drawn", {{kRed, kBlue}, {kBlue, kRed}});
  edit(artwork);
  return write_px(artwork);
}

}  // namespace

std::map<std::string, Bytes> px_diagnostic_files() {
  std::map<std::string, Bytes> files;
  files["E145_px_canvas_size.px"] = edited_px([](PxArtwork& artwork) { artwork.width = 0; });
  files["W239_px_nothing_drawn.px"] =
      edited_px([](PxArtwork& artwork) { artwork.add_layer("clear", {PxPixels(2), PxPixels(2)}); });
  files["W240_px_damaged.px"] = edited_px([](PxArtwork&) {});
  files["W240_px_damaged.px"].resize(files["W240_px_damaged.px"].size() - 10);
  files["W241_px_pixels_unusable.px"] = edited_px([](PxArtwork& artwork) { artwork.contents[1].deflated.resize(5); });
  files["W242_px_entry_ignored.px"] =
      edited_px([](PxArtwork& artwork) { artwork.entries.push_back({PxType::layer, "nobody"}); });
  files["W243_px_value_replaced.px"] = edited_px([](PxArtwork& artwork) { artwork.tags.push_back({"long", 0, 7}); });
  files["W244_px_unknown.px"] = edited_px([](PxArtwork& artwork) { artwork.layers[0].blend = 99; });
  files["W245_px_effect_ignored.px"] = edited_px([](PxArtwork& artwork) {
    artwork.layers[0].effects = {1};
    artwork.post_processors = {0};
  });
  files["W246_px_layer_not_found.px"] = edited_px([](PxArtwork&) {});
  files["W247_px_repeats_ignored.px"] =
      edited_px([](PxArtwork& artwork) { artwork.tags.push_back({"often", 0, 1, 0, 60'000}); });
  files["W248_px_empty.px"] = edited_px([](PxArtwork& artwork) { artwork.layers[0].frames.clear(); });
  files["W249_px_duration_conflict.px"] = edited_px(
      [](PxArtwork& artwork) { artwork.add_layer("slower", {{kRed, kRed}, {kBlue, kBlue}}).frames[1].ms = 250; });
  return files;
}

}  // namespace pchr::test
