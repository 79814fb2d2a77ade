// SPDX-License-Identifier: MIT
#include "support/catch.hpp"
#include "support/files.hpp"

#include "platform/file_path.hpp"
#include "platform/files.hpp"
#include "platform/output_file.hpp"
#include "platform/utf8_path.hpp"
#include "platform/windows.hpp"

namespace files_test_windows {
using namespace pchr;

namespace {

constexpr std::string_view kReserved = "Windows reserves its name for a device";

}  // namespace

TEST_CASE("names of devices are refused, in any folder and with any extension", "[files]") {
  for (const std::string name : {"CON", "NUL.png", "com1", "folder/LPT1.txt"}) {
    INFO(name);
    const auto file = read_named_file(name, 1000);
    REQUIRE_FALSE(file);
    CHECK(file.error().detail == "the file cannot be read: " + std::string(kReserved));
    std::error_code error;
    CHECK(open_file(name, "wb", error) == nullptr);
    CHECK(error_text(error) == kReserved);
    CHECK(find_kind(name) == FileKind::other);
  }
  CHECK_FALSE(read_named_file("NUL", 1000));
  std::error_code error;
  CHECK(open_file("nul", "wb", error) != nullptr);
}

TEST_CASE("a file that another program does not share is not replaced", "[files]") {
  const std::string path = test::utf8_of(test::output("used")), next = path + ".next";
  for (const std::string& each : {path, next}) {
    std::error_code error;
    const File file = open_file(each, "wb", error);
    REQUIRE(file != nullptr);
    std::fputs(each == path ? "old" : "new", file.get());
  }
  {
    const Handle user(
        CreateFileW(wide_path(path).c_str(), GENERIC_READ, FILE_SHARE_READ, nullptr, OPEN_EXISTING, 0, nullptr));
    REQUIRE(user);
    CHECK(error_text(replace_file(next, path)) == "another program is using it");
    CHECK(test::read_text(path_from_utf8(path)) == "old");
    CHECK(test::read_text(path_from_utf8(next)) == "new");
  }
  CHECK_FALSE(replace_file(next, path));
  CHECK(test::read_text(path_from_utf8(path)) == "new");
}

TEST_CASE("long paths start with a prefix for Windows, which users never see", "[files]") {
  const std::string long_name(200, 'a');
  const std::string path = "C:\\folder\\" + long_name + "\\..\\" + long_name + "/" + long_name;
  const std::wstring prefixed = wide_path(path);
  CHECK(narrow(prefixed) == "\\\\?\\C:\\folder\\" + long_name + "\\" + long_name);
  CHECK(narrow_path(prefixed) == "C:\\folder\\" + long_name + "\\" + long_name);
  CHECK(utf8_of(path_from_utf8(path)) == narrow_path(prefixed));
  const std::string server = "\\\\server\\share\\" + long_name + "\\" + long_name;
  CHECK(narrow(wide_path(server)) == "\\\\?\\UNC\\server\\share\\" + long_name + "\\" + long_name);
  CHECK(utf8_of(path_from_utf8(server)) == server);
  CHECK(utf8_of(path_from_utf8("short/キリ.png")) == "short/キリ.png");
}

TEST_CASE("invalid UTF-8 and unpaired surrogates become replacement characters", "[files]") {
  CHECK(wide("a\xFFz") == L"a\xFFFDz");
  CHECK(narrow(std::wstring(1, static_cast<wchar_t>(0xD83E))) == "\xEF\xBF\xBD");
}

}  // namespace files_test_windows
