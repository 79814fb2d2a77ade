// SPDX-License-Identifier: MIT
#include "platform/typefaces.hpp"

#include <windows.h>

#include <knownfolders.h>
#include <shlobj.h>

namespace pchr::player {
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

}  // namespace pchr::player
