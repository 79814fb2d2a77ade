// SPDX-License-Identifier: MIT
// Compares renderings of third-party characters with those of an independent software renderer.
#include "images.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/expected.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include <pchr/load.hpp>

namespace conformance_test {
using namespace pchr;

namespace {

// Both sample bilinearly at pixel centers. They round differently, and sometimes an edge passes so close to a pixel
// center that only one of them covers it.
constexpr double kMeanDifference = 0.5;
constexpr int kRounding = 4;
constexpr double kShareOfEdgePixels = 0.001;

void check_preview(const test::Session& session, Renderer& renderer, const Model& model,
                   const test::ExpectedPreview& preview) {
  PoseBuffers posed;
  pose_clip(model.character(), model.character().find_clip(preview.clip), {preview.frame, preview.frame, 0}, posed);
  const Camera camera{
      preview.center, preview.zoom, {static_cast<float>(preview.width), static_cast<float>(preview.height)}};
  auto target = test::require_value(OffscreenTarget::create(session.get_proc_address(), preview.width, preview.height));
  target.begin();
  renderer.draw(model, posed, camera);
  const Bitmap image = target.finish();

  const Bitmap expected = test::read_png(preview.file);
  const test::Difference difference = test::difference(image, expected, kRounding);
  INFO(preview.file.filename().string() << ": mean " << difference.mean << ", " << 100 * difference.share_above
                                        << " % above " << kRounding);
  const bool same = difference.mean <= kMeanDifference && difference.share_above <= kShareOfEdgePixels;
  CHECK(same);
  if (!same) {
    const std::string character = preview.file.parent_path().parent_path().filename().string();
    test::write_comparison("conformance/" + character + "_" + preview.file.stem().string(), image, expected);
  }
}

}  // namespace

TEST_CASE("renderings agree with an independent software renderer except for edges and rounding",
          "[render][conformance]") {
  if (!test::conformance_folder()) {
    WARN("skipped: the folder of third-party characters does not exist");
    return;
  }
  const test::Session session;
  auto renderer = session.renderer();
  for (std::filesystem::path file : test::conformance_characters()) {
    INFO(file.filename().string());
    const auto character = load_character(file);
    REQUIRE(character);
    Model model = test::require_value(renderer.upload(*character));
    model.set_filter(Filter::bilinear);
    const test::Expected expected = test::read_expected(file.replace_extension(".expected.json"));
    CHECK_FALSE(expected.previews.empty());
    for (const test::ExpectedPreview& preview : expected.previews) check_preview(session, renderer, model, preview);
  }
}

}  // namespace conformance_test
