// SPDX-License-Identifier: MIT
// Pixels into PNG files, with stb_image_write.
#include "png.hpp"

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_image_write.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace pchr::tools {

std::string encode_png(const Bitmap& straight) {
  std::string file;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  const int width = static_cast<int>(straight.width);
  const int height = static_cast<int>(straight.height);
  if (stbi_write_png_to_func(append, &file, width, height, 4, straight.rgba.data(), width * 4) == 0) return {};
  return file;
}

}  // namespace pchr::tools
