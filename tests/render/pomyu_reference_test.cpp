// SPDX-License-Identifier: MIT
// Compares Pomyu characters with images composed on the CPU, operation by operation, as their format defines it.
#include "images.hpp"
#include "session.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"

#include "import/chp/chp.hpp"
#include "import/text_decoding.hpp"

#include <pchr/import/pomyu.hpp>
#include <pchr/load.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <string>
#include <vector>

namespace pomyu_reference_test {
using namespace pchr;

namespace {

using Color = std::array<double, 4>;  // Premultiplied, 0 to 255.

constexpr std::uint32_t kMargin = 160;  // Room around the character for movement and parts that fly off.

struct Subject {
  chp::File file;
  Character character;
  std::vector<Bitmap> bitmaps;  ///< Premultiplied, with color keys removed.
  std::uint32_t width = 0, height = 0;
};

Subject subject(const std::filesystem::path& path) {
  Warnings ignored;
  chp::File file = chp::interpret(chp::read_commands(decode_text(test::read_file(path))->utf8, ignored), ignored);
  Character character = test::require_value(load_character(path));
  auto bitmaps = test::require_value(decode_images(character));
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

bool agrees(const test::Pixel& drawn, const Color& wanted) {
  // Each blended layer is rounded once.
  return std::ranges::equal(drawn, wanted, [](int left, double right) { return std::abs(left - right) <= 2; });
}

/// Returns whether a pixel matches the composition at its center or, at an edge, right next to it.
bool is_right(const Subject& subject, int animation, const std::vector<Layer>& layers, const test::Pixel& drawn,
              double x, double y) {
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
      const test::Pixel found = test::pixel(drawn, x, y);
      const bool outside = from_left < covered.min.x || from_left > covered.max.x || from_top < covered.min.y ||
                           from_top > covered.max.y;
      wrong += outside ? found != test::Pixel{} : !is_right(subject, animation, layers, found, from_left, from_top);
    }
  }
  return wrong;
}

/// Checks every clip at its start, at its end, and at arbitrary times in between.
void check_renderings(const std::filesystem::path& path) {
  const Subject it = subject(path);
  test::Session session;
  auto renderer = session.renderer();
  auto target = test::require_value(OffscreenTarget::create(session.get_proc_address(), it.width, it.height));
  const Model model = test::require_value(renderer.upload(it.character));
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
      renderer.draw(model, instance, test::plain_camera(it.width, it.height));
      const Bitmap drawn = target.finish();
      CHECK(wrong_pixels(it, animation, ms, drawn) == 0);
    }
  }
}

}  // namespace

TEST_CASE("the Pomyu sample is drawn as its operations define", "[render][chp][much]") {
  check_renderings(test::asset("konpei/konpei.chp"));
}

TEST_CASE("third-party Pomyu characters are drawn as their operations define", "[render][chp][conformance][much]") {
  const auto folder = test::conformance_folder();
  if (!folder) return;
  int checked = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder / "chp")) {
    if (entry.path().extension() != ".chp") continue;
    check_renderings(entry.path());
    ++checked;
  }
  CHECK(checked == 5);
}

}  // namespace pomyu_reference_test
