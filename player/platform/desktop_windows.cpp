// SPDX-License-Identifier: MIT
#include "platform/desktop.hpp"

#include "platform/utf8_path.hpp"
#include "platform/windows.hpp"

#include <windows.h>

#include <dwmapi.h>
#include <knownfolders.h>
#include <shellapi.h>
#include <shlobj.h>

#include <cstdlib>
#include <cstring>

#define GLFW_EXPOSE_NATIVE_WIN32
#include <GLFW/glfw3.h>
#include <GLFW/glfw3native.h>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

/// Returns the folder in an environment variable; empty unless the path is absolute.
fs::path folder_from(const wchar_t* variable) {
  const wchar_t* folder = _wgetenv(variable);
  return folder != nullptr && fs::path(folder).is_absolute() ? fs::path(folder) : fs::path();
}

fs::path known_folder(const KNOWNFOLDERID& id) {
  wchar_t* text = nullptr;
  fs::path folder;
  if (SUCCEEDED(SHGetKnownFolderPath(id, 0, nullptr, &text))) folder = text;
  CoTaskMemFree(text);
  return folder;
}

}  // namespace

fs::path home_folder() { return known_folder(FOLDERID_Profile); }
fs::path image_folder() { return known_folder(FOLDERID_Pictures); }

fs::path configuration_folder() {
  if (fs::path folder = folder_from(L"XDG_CONFIG_HOME"); !folder.empty()) return folder;
  return known_folder(FOLDERID_RoamingAppData);
}

std::vector<fs::path> root_folders() {
  std::vector<fs::path> drives;
  const DWORD present = GetLogicalDrives();
  for (wchar_t letter = L'A'; letter <= L'Z'; ++letter) {
    if ((present >> (letter - L'A') & 1) != 0) drives.emplace_back(std::wstring{letter, L':', L'\\'});
  }
  return drives;
}

namespace {

bool write_all(HANDLE file, std::string_view text) {
  while (!text.empty()) {
    DWORD written = 0;
    if (WriteFile(file, text.data(), static_cast<DWORD>(text.size()), &written, nullptr) == 0) return false;
    text.remove_prefix(written);
  }
  return true;
}

/// Writes to the console of the parent process. This process has none of its own.
bool write_to_console(std::string_view text) {
  if (AttachConsole(ATTACH_PARENT_PROCESS) == 0) return false;
  auto* const console =
      CreateFileW(L"CONOUT$", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_WRITE, nullptr, OPEN_EXISTING, 0, nullptr);
  const std::wstring shown = wide(text);
  DWORD written = 0;
  const bool done = WriteConsoleW(console, shown.data(), static_cast<DWORD>(shown.size()), &written, nullptr) != 0;
  if (console != INVALID_HANDLE_VALUE) CloseHandle(console);
  FreeConsole();
  return done;
}

bool write(DWORD stream, std::string_view text, UINT icon) {
  auto* const file = GetStdHandle(stream);
  if (GetFileType(file) != FILE_TYPE_UNKNOWN) return write_all(file, text);
  if (!write_to_console(text)) MessageBoxW(nullptr, wide(text).c_str(), L"Pachario player", MB_OK | icon);
  return true;
}

}  // namespace

bool print_text(std::string_view text) { return write(STD_OUTPUT_HANDLE, text, MB_ICONINFORMATION); }
void print_error(std::string_view text) { static_cast<void>(write(STD_ERROR_HANDLE, text, MB_ICONERROR)); }

bool show_in_folder(const std::filesystem::path& path) {
  // Explorer does not know the prefix of long paths, which UTF-8 paths do not have.
  std::error_code error;
  const auto absolute = std::filesystem::absolute(wide(utf8_of(path)), error).make_preferred();
  // Names cannot contain quotation marks.
  const std::wstring parameters = L"/select,\"" + absolute.native() + L"\"";
  SHELLEXECUTEINFOW command{};
  command.cbSize = sizeof(command);
  command.fMask = SEE_MASK_FLAG_NO_UI;
  command.lpFile = L"explorer.exe";
  command.lpParameters = parameters.c_str();
  command.nShow = SW_SHOWNORMAL;
  return ShellExecuteExW(&command) != 0;
}

bool open_with_default_program(const std::filesystem::path& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(wide(utf8_of(path)), error).make_preferred();
  SHELLEXECUTEINFOW command{};
  command.cbSize = sizeof(command);
  command.fMask = SEE_MASK_FLAG_NO_UI;
  command.lpFile = absolute.c_str();
  command.nShow = SW_SHOWNORMAL;
  return ShellExecuteExW(&command) != 0;
}

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

namespace {

namespace fs = std::filesystem;

fs::path font_folder() {
  wchar_t* text = nullptr;
  fs::path folder = L"C:\\Windows\\Fonts";
  if (SUCCEEDED(SHGetKnownFolderPath(FOLDERID_Fonts, 0, nullptr, &text))) folder = text;
  CoTaskMemFree(text);
  return folder;
}

std::vector<fs::path> in_folder(const fs::path& folder, std::initializer_list<const wchar_t*> names) {
  std::vector<fs::path> files;
  for (const wchar_t* name : names) files.push_back(folder / name);
  return files;
}

}  // namespace

Typefaces system_typefaces() {
  const fs::path folder = font_folder();
  return {.western = in_folder(folder, {L"segoeui.ttf", L"tahoma.ttf", L"arial.ttf", L"DejaVuSans.ttf"}),
          .east_asian = in_folder(folder, {L"YuGothM.ttc", L"meiryo.ttc", L"msgothic.ttc", L"msyh.ttc", L"msjh.ttc",
                                           L"malgun.ttf", L"simsun.ttc"})};
}

struct WindowCover::System {
  HWND window = nullptr;
};

WindowCover::WindowCover(GLFWwindow* window) : system_(new System{glfwGetWin32Window(window)}) {}
WindowCover::~WindowCover() = default;

bool WindowCover::covered() {
  // Cloaked: on another virtual desktop.
  DWORD cloaked = 0;
  const HRESULT known = DwmGetWindowAttribute(system_->window, DWMWA_CLOAKED, &cloaked, sizeof(cloaked));
  return SUCCEEDED(known) && cloaked != 0;
}

}  // namespace pchr::player
