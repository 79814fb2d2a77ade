// SPDX-License-Identifier: MIT
// The encoder of each format.
#include "film/encoder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pchr::film {

Result<Encoder> make_encoder(const Film& film, const Settings& settings) {
  const std::uint32_t most = most_pixels(settings.format);
  if (std::max(film.width, film.height) > most) {
    return std::unexpected(fmt::format("{} x {} pixels are more than the format holds: its largest side is {}",
                                       film.width, film.height, most));
  }
  switch (settings.format) {
    case Format::png:
      return make_png_encoder();
    case Format::apng:
      return make_apng_encoder(film);
    case Format::gif:
      return make_gif_encoder(film, settings.gif_matte);
    case Format::webp:
      return make_webp_encoder(film, settings.webp_quality);
    case Format::rgba:
      return make_rgba_encoder();
    case Format::y4m:
      break;
  }
  return make_y4m_encoder(film);
}

}  // namespace pchr::film
