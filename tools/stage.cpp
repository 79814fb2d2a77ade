// SPDX-License-Identifier: MIT
// A character on a GPU without a display, and pictures of it.
#include "stage.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace pchr::tools {
namespace {

std::unexpected<Failure> no_opengl(const RenderError& error) {
  return fail(ExitCode::environment, "pchr: " + error.message);
}

}  // namespace

Result<Stage> Stage::open(const Input& input, bool no_images) {
  auto context = HeadlessContext::create();
  if (!context) return no_opengl(context.error());
  auto renderer = Renderer::create(context->get_proc_address());
  if (!renderer) return no_opengl(renderer.error());
  Stage stage(*std::move(context), *std::move(renderer));
  if (const auto added = stage.add(input, no_images); !added) return std::unexpected(added.error());
  return stage;
}

Result<void> Stage::add(const Input& input, bool no_images) {
  const Bitmap white{1, 1, {255, 255, 255, 255}};
  auto model = no_images ? renderer_.upload(input.character, std::vector(input.character.images().size(), white))
                         : renderer_.upload(input.character, input.bitmaps);
  if (!model) return no_opengl(model.error());
  models_.push_back(*std::move(model));
  return {};
}

Result<void> Stage::set_size(Size size) {
  if (size == size_) return {};
  auto target = OffscreenTarget::create(context_.get_proc_address(), size.width, size.height, film::kSamples);
  if (!target) return no_opengl(target.error());
  target_ = *std::move(target);
  size_ = size;
  return {};
}

void Stage::send(const Shot& shot, const Background& background) {
  std::array<float, 4> colour{};
  std::ranges::transform(background.colour, colour.begin(),
                         [](std::uint8_t c) { return static_cast<float>(c) / 255.0F; });
  checker_ = background.checker;
  target_->begin(colour);
  film::draw(renderer_, models_[shot.character], shot, posed_);
  target_->send();
}

Bitmap Stage::receive() {
  Bitmap bitmap;
  target_->receive(bitmap);
  if (checker_) put_on_checker(bitmap);
  return bitmap;
}

Bitmap Stage::draw(const Shot& shot, const Background& background) {
  send(shot, background);
  return receive();
}

}  // namespace pchr::tools
