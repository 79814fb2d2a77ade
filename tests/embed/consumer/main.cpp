// SPDX-License-Identifier: MIT
// Loads and draws a character without a window.
#include <pchr/queries.hpp>
#include <pchr/clock.hpp>
#include <pchr/load.hpp>
#include <pchr/offscreen.hpp>
#include <pchr/renderer.hpp>

#include <algorithm>
#include <cstdio>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto character = pchr::load(argv[1]);
  if (!character) {
    std::puts(pchr::describe(character.error(), argv[1]).c_str());
    return 1;
  }
  const auto context = pchr::HeadlessContext::create();
  if (!context) {
    std::puts(context.error().message.c_str());
    return 1;
  }
  pchr::Renderer renderer = pchr::Renderer::create(context->get_proc_address()).value();
  pchr::OffscreenTarget target = pchr::OffscreenTarget::create(context->get_proc_address(), 64, 64).value();
  const pchr::Model model = renderer.upload(*character).value();
  const pchr::ClipId clip = character->find_clip("walk");
  pchr::Clock clock(character->clips()[clip]);
  clock.advance(0.25);

  target.begin();
  const pchr::Instance instance{clip, clock.position(pchr::Sampling::smooth), {}};
  renderer.draw(model, instance, pchr::fit({{}, 1, {64, 64}}, pchr::compute_clip_bounds(*character, clip)));
  const pchr::Bitmap image = target.finish();
  const auto drawn = std::ranges::count_if(image.rgba, [](std::uint8_t value) { return value != 0; });
  std::printf("%d bytes of the image are not empty\n", static_cast<int>(drawn));
  return drawn > 1000 ? 0 : 1;
}
