// SPDX-License-Identifier: MIT
// Runs with less memory than a large image takes.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/png.hpp"
#include "support/scenes.hpp"

#include <filesystem>
#include <string>

namespace out_of_memory_tool_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kCanLimit = false;
#elif defined(__has_feature)
constexpr bool kCanLimit = !__has_feature(address_sanitizer);
#else
constexpr bool kCanLimit = true;
#endif

/// Runs `pchr` with 100 MB of addresses. The large image takes more than twice its 64 MB.
Outcome run_limited(const Strings& arguments) {
  return run_program("/bin/sh", {"-c", "ulimit -v 100000; exec " + shell_command(arguments)});
}

constexpr std::uint32_t kSide = 4000;

const Bytes& large_png() {
  static const Bytes png = [] {
    const Bytes rows(std::size_t{kSide} * (std::size_t{4} * kSide + 1));
    return png_of_rows({.width = kSide, .height = kSide}, rows, 1);
  }();
  return png;
}

std::string large_file(const fs::path& folder) {
  pchr::CharacterData data = sliding_quad();
  for (pchr::Image& image : data.images) image = {image.name, kSide, kSide, pchr::ImageEncoding::png, large_png()};
  write_file(folder / "large.pchr", write_v1(data));
  return (folder / "large.pchr").string();
}

std::string pomyu_file(const fs::path& folder) {
  write_file(folder / "body.png", large_png());
  const std::string text = "#Data 16\n#CharBMP body.png\n#02 0 0 2 1\n#Patern 1 02\n#Texture 1 02\n";
  write_file(folder / "pomyu.chp", std::as_bytes(std::span(text)));
  return (folder / "pomyu.chp").string();
}

TEST_CASE("validate says that memory ran out, and keeps no stamp", "[tools][out_of_memory][posix]") {
  if (!kCanLimit) return;
  const fs::path folder = fresh_folder("out_of_memory");
  const std::string file = large_file(folder), cache = (folder / "cache").string();
  const Strings arguments{"validate", file, "--if-changed", "--cache", cache};
  const Outcome limited = run_limited(arguments);
  INFO(limited.out << limited.err);
  CHECK(limited.exit_code == 3);
  CHECK_THAT(limited.out, contains(file + ": error E131: images[0] \"plain\", data: out of memory"));
  CHECK_THAT(limited.out, !contains("E124"));
  CHECK(names_in(cache).empty());
  CHECK(run_pchr(arguments).exit_code == 0);
  CHECK(names_in(cache).size() == 1);
}

TEST_CASE("a character is not written without the images that memory was too small for",
          "[tools][out_of_memory][posix]") {
  if (!kCanLimit) return;
  const fs::path folder = fresh_folder("out_of_memory");
  const std::string file = pomyu_file(folder), out = (folder / "out.pchr").string();
  const Strings arguments{"convert", file, "-o", out, "--lossy", "--force", "--if-changed"};
  const Outcome limited = run_limited(arguments);
  INFO(limited.out << limited.err);
  CHECK(limited.exit_code == 3);
  CHECK_THAT(limited.err, contains(file + ": error E131: out of memory"));
  CHECK(names_in(folder) == Strings{"body.png", "pomyu.chp"});
}

TEST_CASE("in a batch, only the file that memory was too small for fails", "[tools][out_of_memory][posix]") {
  if (!kCanLimit) return;
  const fs::path folder = fresh_folder("out_of_memory");
  const std::string large = pomyu_file(folder), small = character_file("out_of_memory_small.pchr", sliding_quad());
  const std::string pattern = (folder / "{file}.json").string();
  const Outcome limited =
      run_limited({"convert", large, small, "-o", pattern, "--lossy", "--if-changed", "--keep-going", "-j", "2"});
  INFO(limited.out << limited.err);
  CHECK(limited.exit_code == 6);
  CHECK_THAT(limited.err, contains(large + ": error E131: out of memory"));
  CHECK_FALSE(fs::exists(folder / "pomyu.json"));
  CHECK(fs::exists(folder / "out_of_memory_small.json"));
  CHECK(run_limited({"convert", large, "-o", pattern, "--lossy"}).exit_code == 3);
}

}  // namespace
}  // namespace out_of_memory_tool_test
