// SPDX-License-Identifier: MIT
// What the modules with the C interface have for it.
#include "module.hpp"

#include "c/c.hpp"

// Calls a function of the page that draws an attachment.
extern "C" __attribute__((import_module("callback"), import_name("draw"))) void web_call_draw(void* user,
                                                                                              const pchr_affine* world);

using namespace pchr;

pchr_character* web_c_character(const web_character* character) {
  const web::Opened& opened = *character->opened;
  auto* const result =
      new pchr_character{{opened.character, opened.format, opened.title, opened.author}, opened.limits};
#ifdef PCHR_WITH_IMPORT
  result->menu_images = opened.menu_images;
#endif
  return result;
}

void web_set_load_options(const pchr_load_options* options) {
  if (auto given = c::loading_options_of(options)) web::next_options = *std::move(given);
}

auto web_draw_callback() -> void (*)(void* user, const pchr_affine* world) { return web_call_draw; }
