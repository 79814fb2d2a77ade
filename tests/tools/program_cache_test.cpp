// SPDX-License-Identifier: MIT
// The cache of compiled programs, whose state never shows in images.
#include "tool.hpp"

#include "support/files.hpp"

namespace program_cache_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

/// Renders with a cache folder of its own, and returns the image.
Bytes render_with(const fs::path& folder, const std::vector<std::string>& variables) {
  const fs::path image = folder / "image.png";
  const Outcome outcome =
      run_pchr({"render", asset("quad.pchr").string(), "--size", "16x16", "-o", image.string()}, variables);
  CHECK(outcome.err.empty());
  CHECK(outcome.exit_code == 0);
  return read_file(image);
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace

TEST_CASE("programs are cached, and compiled again if the cache is damaged", "[tools][posix]") {
  const fs::path folder = fresh_folder("program_cache"), cache = folder / "cache" / "pchr" / "programs";
  const std::vector<std::string> variables{"XDG_CACHE_HOME=" + (folder / "cache").string()};
  const Bytes image = render_with(folder, variables);
  const auto files = files_in(cache);
  // The driver decides whether there are any.
  std::vector<Bytes> programs;
  for (const fs::path& file : files) programs.push_back(read_file(file));
  CHECK(render_with(folder, variables) == image);
  for (std::size_t i = 0; i < files.size(); ++i) {
    Bytes damaged = programs[i];
    damaged[damaged.size() / 2] ^= std::byte{1};
    write_file(files[i], damaged);
    CHECK(render_with(folder, variables) == image);
    CHECK(read_file(files[i]) == programs[i]);
    write_file(files[i], {});
    CHECK(render_with(folder, variables) == image);
    CHECK(read_file(files[i]) == programs[i]);
  }
  CHECK(files_in(cache) == files);
}

TEST_CASE("no folder for cached files is needed", "[tools][posix]") {
  const fs::path folder = fresh_folder("program_cache");
  write_file(folder / "file", {});
  // Mesa has a folder of its own for the same purpose, without which it offers no binaries.
  const std::string mesa = "MESA_SHADER_CACHE_DIR=" + (folder / "mesa").string();
  const Bytes image = render_with(folder, {mesa, "XDG_CACHE_HOME=", "HOME="});
  for (const std::string& home : {std::string("relative"), (folder / "file").string(), (folder / "none").string()}) {
    CHECK(render_with(folder, {mesa, "XDG_CACHE_HOME=", "HOME=" + home}) == image);
  }
  CHECK(read_file(folder / "file").empty());
}

}  // namespace program_cache_test
