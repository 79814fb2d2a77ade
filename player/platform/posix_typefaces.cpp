// SPDX-License-Identifier: MIT
#include "platform/typefaces.hpp"

namespace pchr::player {

Typefaces system_typefaces() {
  return {.western = {"/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",
                      "/usr/share/fonts/noto/NotoSans-Regular.ttf", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                      "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
                      "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
                      "/usr/share/fonts/truetype/freefont/FreeSans.ttf"},
          .east_asian = {"/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
                         "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
                         "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
                         "/usr/share/fonts/truetype/fonts-japanese-gothic.ttf",
                         "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"}};
}

}  // namespace pchr::player
