// SPDX-License-Identifier: MIT
#include "platform/image_clipboard.hpp"

#include "platform/windows_text.hpp"

#include <windows.h>

#include <cstring>

namespace pchr::player {
namespace {

/// Puts bytes on the open clipboard.
bool offer(UINT format, const void* first, std::size_t first_size, const void* second, std::size_t second_size) {
  HGLOBAL memory = GlobalAlloc(GMEM_MOVEABLE, first_size + second_size);
  if (memory == nullptr) return false;
  auto* const to = static_cast<std::byte*>(GlobalLock(memory));
  std::memcpy(to, first, first_size);
  if (second_size > 0) std::memcpy(to + first_size, second, second_size);
  GlobalUnlock(memory);
  if (SetClipboardData(format, memory) != nullptr) return true;
  GlobalFree(memory);
  return false;
}

/// Offers the image as a PNG, which keeps its alpha everywhere, and as a bitmap, which all programs know.
bool offer_image(const Bitmap& straight) {
  const std::vector<std::byte> png = encode_png(straight, PngCompression::fast);
  const bool has_png = offer(RegisterClipboardFormatW(L"PNG"), png.data(), png.size(), nullptr, 0);
  BITMAPV5HEADER header{};
  header.bV5Size = sizeof(header);
  header.bV5Width = static_cast<LONG>(straight.width);
  header.bV5Height = static_cast<LONG>(straight.height);
  header.bV5Planes = 1;
  header.bV5BitCount = 32;
  header.bV5Compression = BI_BITFIELDS;
  header.bV5RedMask = 0x00FF0000;
  header.bV5GreenMask = 0x0000FF00;
  header.bV5BlueMask = 0x000000FF;
  header.bV5AlphaMask = 0xFF000000;
  header.bV5CSType = 0x73524742;  // LCS_sRGB
  header.bV5Intent = LCS_GM_IMAGES;
  // Rows from bottom to top, blue first.
  const std::size_t row = std::size_t{straight.width} * 4;
  std::vector<std::uint8_t> pixels(straight.rgba.size());
  for (std::uint32_t y = 0; y < straight.height; ++y) {
    const std::uint8_t* from = &straight.rgba[y * row];
    std::uint8_t* to = &pixels[(straight.height - 1 - y) * row];
    for (std::size_t x = 0; x < row; x += 4) {
      to[x] = from[x + 2];
      to[x + 1] = from[x + 1];
      to[x + 2] = from[x];
      to[x + 3] = from[x + 3];
    }
  }
  return offer(CF_DIBV5, &header, sizeof(header), pixels.data(), pixels.size()) || has_png;
}

}  // namespace

Expected<void, std::string> copy_image(const Bitmap& straight) {
  // The clipboard belongs to a window of the thread that fills it.
  HWND window = CreateWindowExW(0, L"STATIC", nullptr, 0, 0, 0, 0, 0, HWND_MESSAGE, nullptr, nullptr, nullptr);
  bool copied = window != nullptr && OpenClipboard(window) != 0;
  if (copied) {
    EmptyClipboard();
    copied = offer_image(straight);
    CloseClipboard();
  }
  const DWORD error = GetLastError();
  if (window != nullptr) DestroyWindow(window);
  if (copied) return {};
  return Unexpected("Cannot copy the image: " + error_text(error));
}

}  // namespace pchr::player
