// SPDX-License-Identifier: MIT
// A pipe among the files around an Unreal mesh.
#include "support/catch.hpp"
#include "support/load.hpp"
#include "support/psk.hpp"

#include <sys/stat.h>

namespace pipe_test_posix {
using namespace pchr;
namespace fs = std::filesystem;

TEST_CASE("a file that is not regular is not an animation and is never waited for", "[psk][search]") {
  const fs::path folder = test::fresh_folder("pipe");
  test::write_file(folder / "koi.psk", test::bytes_of(test::small_psk()));
  REQUIRE(mkfifo((folder / "koi_swim.psa").c_str(), 0600) == 0);
  const auto koi = load_character(folder / "koi.psk");
  REQUIRE(koi);
  CHECK(koi->file.animation_files.empty());
  for (const Diagnostic& warning : koi->warnings()) {
    INFO(describe(warning));
    CHECK_FALSE(code(warning.id).starts_with("W26"));
  }
}

}  // namespace pipe_test_posix
