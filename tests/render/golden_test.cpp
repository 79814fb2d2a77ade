// SPDX-License-Identifier: MIT
// Compares the sample characters with golden images. PCHR_UPDATE_GOLDENS=1 writes new ones; look at them before
// committing.
#include "images.hpp"
#include "session.hpp"

#include "import/chp/chp.hpp"
#include "import/text_decoding.hpp"
#include "support/catch.hpp"
#include "support/expected.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include <fmt/format.h>
#include <pchr/import/pomyu.hpp>
#include <pchr/load.hpp>
#include <pchr/queries.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace golden_test {
namespace {

using namespace pchr;
using namespace pchr::test;
using Color = std::array<double, 4>;  // Premultiplied, 0 to 255.

// Software and hardware rasterizers round slightly differently, mostly at edges.
constexpr int kRounding = 2;
constexpr double kShareOfEdgePixels = 0.001;
constexpr std::uint32_t kSide = 256;

struct Golden {
  const char* character;
  const char* clip;
  std::uint32_t frame;
};

constexpr Golden kGoldens[] = {{"quad", "turn", 1}, {"corners", "sway", 12}, {"corners", "gust", 6},
                               {"kiri", "bind", 0}, {"kiri", "walk", 15},    {"kiri", "wave", 37},
                               {"kiri", "jump", 27}};

Bitmap draw(const Session& session, const Golden& golden) {
  const auto character = load_character(asset(fmt::format("{}.pchr", golden.character)));
  REQUIRE(character);
  const auto clip = character->find_clip(golden.clip);
  REQUIRE(clip != ClipId::none);
  REQUIRE(golden.frame < character->clips()[clip].frame_count);
  PoseBuffers posed;
  pose_clip(*character, clip, {golden.frame, golden.frame, 0}, posed);
  auto renderer = session.renderer();
  const Model model = require_value(renderer.upload(*character));
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), kSide, kSide));
  target.begin();
  renderer.draw(model, posed, fit({{}, 1, {kSide, kSide}}, compute_character_bounds(*character)));
  return target.finish();
}

TEST_CASE("the sample characters match their golden images", "[render]") {
  const Session session;
  for (const Golden& golden : kGoldens) {
    const std::string name = fmt::format("{}_{}_{:04}", golden.character, golden.clip, golden.frame);
    INFO(name);
    const Bitmap image = draw(session, golden);
    const auto file = test::golden(name + ".png");
    if (updating_goldens()) {
      write_png(file, image);
      continue;
    }
    const Bitmap expected = read_png(file);
    const Difference difference = test::difference(image, expected, kRounding);
    INFO("largest " << difference.largest << ", " << 100 * difference.share_above << " % above " << kRounding);
    CHECK(difference.share_above <= kShareOfEdgePixels);
    if (difference.share_above > kShareOfEdgePixels) write_comparison("golden/" + name, image, expected);
  }
}

// The sample artwork, enlarged with the nearest filter.
namespace artwork {

constexpr std::uint32_t kZoom = 4, kSide = 48 * kZoom;

/// A frame of a clip.
struct Moment {
  std::string_view clip;
  std::uint32_t frame;
};
constexpr std::array<Moment, 5> kMoments{{{"idle", 0}, {"hop", 0}, {"hop", 2}, {"hop", 4}, {"glow", 4}}};
constexpr std::uint32_t kWidth = kSide * static_cast<std::uint32_t>(kMoments.size());

/// Draws the moments side by side.
std::vector<Instance> instances(const Character& character) {
  std::vector<Instance> result;
  for (std::uint32_t i = 0; i < kMoments.size(); ++i) {
    Instance instance;
    instance.clip = character.find_clip(kMoments[i].clip);
    instance.position = {kMoments[i].frame, kMoments[i].frame, 0};
    const float x = static_cast<float>(kSide * (2 * i + 1)) / 2 - kWidth / 2.0F;
    instance.appearance.placement = placement({x, 0}, 0, kZoom);
    result.push_back(instance);
  }
  return result;
}

TEST_CASE("the sample artwork renders with crisp pixels", "[render][px]") {
  Session session;
  auto renderer = session.renderer();
  const auto character = load_character(asset("hotaru.px"));
  REQUIRE(character);
  CHECK(character->warnings().empty());
  const Model model = require_value(renderer.upload(*character));
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), kWidth, kSide, 4));
  target.begin({0.42F, 0.50F, 0.64F, 1});
  renderer.draw(model, instances(*character), plain_camera(kWidth, kSide));
  const Bitmap image = target.finish();
  std::uint32_t drawn = 0;
  for (std::uint32_t y = 0; y < kSide; ++y) {
    for (std::uint32_t x = 0; x < kWidth; ++x) {
      const Pixel pixel = test::pixel(image, x, y);
      drawn += pixel != test::pixel(image, 0, 0) ? 1 : 0;
      // Each canvas pixel is a square of one color, even at the edges of drawn areas.
      if (pixel == test::pixel(image, x / kZoom * kZoom, y / kZoom * kZoom)) continue;
      FAIL("the pixel at " << x << ", " << y << " has two colors");
    }
  }
  CHECK(drawn > kWidth * kSide / 8);
  write_png(output("hotaru.png"), image);
}

}  // namespace artwork

// Draws the Pomyu sample as both players.
namespace pomyu {

constexpr std::uint32_t kWidth = 960, kHeight = 580, kColumns = 6, kRows = 2;
constexpr std::uint32_t kCellWidth = kWidth / kColumns, kCellHeight = kHeight / kRows;
constexpr float kHeadroom = 6;  // Room for parts that fly above the character.

/// A time in a clip, in seconds.
struct Moment {
  std::string_view clip;
  double seconds;
};
constexpr std::array<Moment, std::size_t{kColumns} * kRows> kMoments{{{"02_second", 0.1},
                                                                      {"06_fever", 0.5},
                                                                      {"14_dance", 2.3},
                                                                      {"07_great", 0.3},
                                                                      {"14_dance", 0.6},
                                                                      {"15_win", 0.6},
                                                                      {"03_ojama", 0.3},
                                                                      {"18_attacked", 0.7},
                                                                      {"05_standing", 0.2},
                                                                      {"16_lose", 1.0},
                                                                      {"17_fever_win", 0.3},
                                                                      {"08_good", 0.4}}};

Character konpei(bool second_player) {
  ImportOptions options;
  options.second_player = second_player;
  auto character = load_character(asset("konpei/konpei.chp"), options);
  REQUIRE(character);
  return *std::move(character);
}

/// Draws the moments in rows. Each cell of the checkerboard shows one of the two players.
std::vector<Instance> instances(const Character& character, std::uint32_t player) {
  std::vector<Instance> result;
  for (std::uint32_t i = 0; i < kMoments.size(); ++i) {
    const std::uint32_t column = i % kColumns, row = i / kColumns;
    if ((column + row) % 2 != player) continue;
    Instance instance;
    instance.clip = character.find_clip(kMoments[i].clip);
    instance.position = clip_time(character.clips()[instance.clip], kMoments[i].seconds, Sampling::step);
    const float x = static_cast<float>(kCellWidth * (2 * column + 1)) / 2 - kWidth / 2.0F;
    const float y = kHeight / 2.0F - static_cast<float>(kCellHeight * (2 * row + 1)) / 2 - kHeadroom;
    instance.appearance.placement = placement({x, y});
    result.push_back(instance);
  }
  return result;
}

TEST_CASE("the Pomyu sample renders as both players", "[render]") {
  Session session;
  auto renderer = session.renderer();
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), kWidth, kHeight, 4));
  const auto draw = [&](std::span<const std::uint32_t> players) {
    target.begin({0.93F, 0.91F, 0.86F, 1});
    for (const std::uint32_t player : players) {
      const Character character = konpei(player == 1);
      const Model model = require_value(renderer.upload(character));
      renderer.draw(model, instances(character, player), plain_camera(kWidth, kHeight));
      CHECK(renderer.statistics().instances == kMoments.size() / 2);
    }
    return target.finish();
  };
  const Bitmap first = draw(std::array{0U}), both = draw(std::array{0U, 1U});
  const Pixel paper = pixel(first, 0, 0);
  for (std::uint32_t i = 0; i < kMoments.size(); ++i) {
    INFO(kMoments[i].clip);
    const std::uint32_t x = i % kColumns * kCellWidth + kCellWidth / 2, y = i / kColumns * kCellHeight + 120;
    const bool is_second = (i % kColumns + i / kColumns) % 2 == 1;
    CHECK((pixel(first, x, y) == paper) == is_second);
    CHECK(pixel(both, x, y) != paper);
  }
  write_png(output("konpei.png"), both);
}

}  // namespace pomyu

// Compares Pomyu characters with images composed on the CPU, operation by operation, as their format defines it.

constexpr std::uint32_t kMargin = 160;  // Room around the character for movement and parts that fly off.

struct Subject {
  chp::File file;
  Character character;
  std::vector<Bitmap> bitmaps;  ///< Premultiplied, with color keys removed.
  std::uint32_t width = 0, height = 0;
};

Subject subject(const std::filesystem::path& path) {
  Warnings ignored;
  chp::File file = chp::interpret(chp::read_commands(decode_text(read_file(path))->utf8, ignored), ignored);
  Character character = require_value(load_character(path));
  auto bitmaps = require_value(decode_images(character));
  return {file, std::move(character), std::move(bitmaps), static_cast<std::uint32_t>(file.width) + 2 * kMargin,
          static_cast<std::uint32_t>(file.height) + 2 * kMargin};
}

/// Returns the image that an operation draws from, or null if it could not be loaded.
const Bitmap* image_of(const Subject& subject, const chp::Operation& operation) {
  using enum chp::ImageUse;
  const auto& wanted = subject.file.image(operation.layer == chp::Layer::texture ? char_tex : char_bmp).path;
  const auto images = subject.character.images();
  const auto found = std::ranges::find(images, wanted, &Image::name);
  return found == images.end() ? nullptr : &subject.bitmaps[static_cast<std::size_t>(found - images.begin())];
}

struct Layer {
  const chp::Operation* operation;
  const Bitmap* image;
  double cosine, sine;  ///< The rotation.
};

/// Returns the color that a layer paints at a point of the character, in pixels from its top left, y down.
Color color_at(const Subject& subject, int animation, const Layer& layer, double x, double y) {
  const chp::Operation& operation = *layer.operation;
  const Bitmap& image = *layer.image;
  const auto& to = operation.destination;
  const auto width = static_cast<double>(to.width), height = static_cast<double>(to.height);
  const double from_center_x = x - static_cast<double>(to.x) - width / 2;
  const double from_center_y = y - static_cast<double>(to.y) - height / 2;
  double across = (from_center_x * layer.cosine - from_center_y * layer.sine) / width + 0.5;
  double down = (from_center_x * layer.sine + from_center_y * layer.cosine) / height + 0.5;
  if (across < 0 || down < 0 || across >= 1 || down >= 1) return {};
  if (operation.layer != chp::Layer::texture) {
    const chp::PixelRect clip = chp::clip_of(subject.file, animation);
    const auto left = static_cast<double>(clip.x), top = static_cast<double>(clip.y);
    if (x < left || y < top || x >= left + static_cast<double>(clip.width) ||
        y >= top + static_cast<double>(clip.height)) {
      return {};
    }
  }
  if (operation.flip_x) across = 1 - across;
  if (operation.flip_y) down = 1 - down;
  const auto& from = operation.source;
  const double u = std::floor(static_cast<double>(from.x) + across * static_cast<double>(from.width));
  const double v = std::floor(static_cast<double>(from.y) + down * static_cast<double>(from.height));
  if (u < 0 || v < 0 || u >= image.width || v >= image.height) return {};
  const std::size_t texel = (static_cast<std::size_t>(v) * image.width + static_cast<std::size_t>(u)) * 4;
  Color color;
  for (std::size_t i = 0; i < 4; ++i) color[i] = image.rgba[texel + i] * operation.alpha / 255.0;
  return color;
}

Color composed(const Subject& subject, int animation, const std::vector<Layer>& layers, double x, double y) {
  Color below{};
  for (const Layer& layer : layers) {
    const Color above = color_at(subject, animation, layer, x, y);
    if (above[3] == 0) continue;
    for (std::size_t i = 0; i < 4; ++i) below[i] = above[i] + below[i] * (1 - above[3] / 255);
  }
  return below;
}

bool agrees(const Pixel& drawn, const Color& wanted) {
  // Each blended layer is rounded once.
  return std::ranges::equal(drawn, wanted, [](int left, double right) { return std::abs(left - right) <= 2; });
}

/// Returns whether a pixel matches the composition at its center or, at an edge, right next to it.
bool is_right(const Subject& subject, int animation, const std::vector<Layer>& layers, const Pixel& drawn, double x,
              double y) {
  if (agrees(drawn, composed(subject, animation, layers, x, y))) return true;
  constexpr double kBeside = 0.01;
  for (const double dx : {-kBeside, 0.0, kBeside}) {
    for (const double dy : {-kBeside, 0.0, kBeside}) {
      if (agrees(drawn, composed(subject, animation, layers, x + dx, y + dy))) return true;
    }
  }
  return false;
}

int wrong_pixels(const Subject& subject, int animation, std::int64_t ms, const Bitmap& drawn) {
  std::vector<chp::Operation> operations;
  chp::evaluate(subject.file, animation, ms, operations);
  std::vector<Layer> layers;
  Rect covered;  // What the layers cover, however they are rotated, with room for rounding.
  for (const chp::Operation& operation : operations) {
    const double angle = operation.rotation * std::numbers::pi / 128;
    const Bitmap* const image = image_of(subject, operation);
    if (image == nullptr) continue;
    layers.push_back({&operation, image, std::cos(angle), std::sin(angle)});
    const auto& to = operation.destination;
    const auto width = static_cast<float>(to.width), height = static_cast<float>(to.height);
    const Vec2 center{static_cast<float>(to.x) + width / 2, static_cast<float>(to.y) + height / 2};
    const Vec2 reach(std::hypot(width, height) / 2 + 2);
    covered.include(Rect{center - reach, center + reach});
  }
  int wrong = 0;
  for (std::uint32_t y = 0; y < drawn.height; ++y) {
    for (std::uint32_t x = 0; x < drawn.width; ++x) {
      const double from_left = x + 0.5 - subject.width / 2.0 + static_cast<double>(subject.file.width) / 2;
      const double from_top = y + 0.5 - subject.height / 2.0 + static_cast<double>(subject.file.height) / 2;
      const Pixel found = pixel(drawn, x, y);
      const bool outside = from_left < covered.min.x || from_left > covered.max.x || from_top < covered.min.y ||
                           from_top > covered.max.y;
      wrong += outside ? found != Pixel{} : !is_right(subject, animation, layers, found, from_left, from_top);
    }
  }
  return wrong;
}

/// Checks every clip at its start, at its end, and at arbitrary times in between.
void check_renderings(const std::filesystem::path& path) {
  const Subject it = subject(path);
  Session session;
  auto renderer = session.renderer();
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), it.width, it.height));
  const Model model = require_value(renderer.upload(it.character));
  for (const ClipId clip : it.character.clips().ids()) {
    const Clip& played = it.character.clips()[clip];
    const int animation = std::stoi(played.name.substr(0, 2));
    const auto duration_ms = static_cast<std::int64_t>(std::lround(played.duration_seconds() * 1000));
    for (const std::int64_t ms : {std::int64_t{0}, duration_ms * 2 / 7, duration_ms * 5 / 7, duration_ms - 1}) {
      INFO(path << ", " << played.name << " at " << ms << " ms");
      Instance instance;
      instance.clip = clip;
      instance.position = clip_time(played, (static_cast<double>(ms) + 0.5) / 1000, Sampling::step);
      target.begin();
      renderer.draw(model, instance, plain_camera(it.width, it.height));
      const Bitmap drawn = target.finish();
      CHECK(wrong_pixels(it, animation, ms, drawn) == 0);
    }
  }
}

TEST_CASE("the Pomyu sample is drawn as its operations define", "[render][chp][much]") {
  check_renderings(asset("konpei/konpei.chp"));
}

TEST_CASE("third-party Pomyu characters are drawn as their operations define", "[render][chp][conformance][much]") {
  const auto folder = conformance_folder();
  if (!folder) return;
  int checked = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder / "chp")) {
    if (entry.path().extension() != ".chp") continue;
    check_renderings(entry.path());
    ++checked;
  }
  CHECK(checked == 5);
}

// Compares renderings of third-party characters with those of an independent software renderer.

// Both sample bilinearly at pixel centers. They round differently, and sometimes an edge passes so close to a pixel
// center that only one of them covers it.
constexpr double kMeanDifference = 0.5;
constexpr int kPreviewRounding = 4;

void check_preview(const Session& session, Renderer& renderer, const Model& model, const ExpectedPreview& preview) {
  PoseBuffers posed;
  pose_clip(model.character(), model.character().find_clip(preview.clip), {preview.frame, preview.frame, 0}, posed);
  const Camera camera{
      preview.center, preview.zoom, {static_cast<float>(preview.width), static_cast<float>(preview.height)}};
  auto target = require_value(OffscreenTarget::create(session.get_proc_address(), preview.width, preview.height));
  target.begin();
  renderer.draw(model, posed, camera);
  const Bitmap image = target.finish();

  const Bitmap expected = read_png(preview.file);
  const Difference difference = test::difference(image, expected, kPreviewRounding);
  INFO(preview.file.filename().string() << ": mean " << difference.mean << ", " << 100 * difference.share_above
                                        << " % above " << kPreviewRounding);
  const bool same = difference.mean <= kMeanDifference && difference.share_above <= kShareOfEdgePixels;
  CHECK(same);
  if (!same) {
    const std::string character = preview.file.parent_path().parent_path().filename().string();
    write_comparison("conformance/" + character + "_" + preview.file.stem().string(), image, expected);
  }
}

TEST_CASE("renderings agree with an independent software renderer except for edges and rounding",
          "[render][conformance]") {
  if (!conformance_folder()) {
    WARN("skipped: the folder of third-party characters does not exist");
    return;
  }
  const Session session;
  auto renderer = session.renderer();
  for (std::filesystem::path file : conformance_characters()) {
    INFO(file.filename().string());
    const auto character = load_character(file);
    REQUIRE(character);
    Model model = require_value(renderer.upload(*character));
    model.set_filter(Filter::bilinear);
    const test::Expected expected = read_expected(file.replace_extension(".expected.json"));
    CHECK_FALSE(expected.previews.empty());
    for (const ExpectedPreview& preview : expected.previews) check_preview(session, renderer, model, preview);
  }
}

}  // namespace
}  // namespace golden_test
