// SPDX-License-Identifier: MIT
// pchr convert.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <filesystem>
#include <string>

namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

fs::path fresh_folder() {
  const fs::path folder = output("tools/convert/x").parent_path();
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

TEST_CASE("every form converts to every other and back to the same bytes", "[tools][convert]") {
  const fs::path folder = fresh_folder();
  const std::string v1 = asset("quad.pchr").string();
  const auto path = [&](const char* name) { return (folder / name).string(); };
  const auto convert = [&](const std::string& from, const std::string& to, std::vector<std::string> options = {}) {
    options.insert(options.begin(), {"convert", from, "-o", to});
    const Outcome outcome = run_pchr(options);
    INFO(outcome.err);
    CHECK(outcome.exit_code == 0);
  };
  convert(v1, path("a.json"));
  convert(path("a.json"), path("a.pchr"));
  CHECK(read_file(path("a.pchr")) == read_file(v1));
  convert(path("a.json"), path("packed.pchr"), {"--to", "packed", "--spelling", "v1"});
  convert(path("packed.pchr"), path("b.pchr"), {"--to", "v1"});
  CHECK(read_file(path("b.pchr")) == read_file(v1));
  convert(path("packed.pchr"), path("c.JSON"), {"--force"});
  convert(path("c.JSON"), path("d.bin"), {"--to", "v1"});
  CHECK(read_file(path("d.bin")) == read_file(v1));
}

TEST_CASE("a second image is refused in the packed form, or lost and said", "[tools][convert]") {
  const fs::path folder = fresh_folder();
  const std::string file = character_file("convert_arm.pchr", two_bone_arm());
  const std::string packed = (folder / "arm.pchr").string();
  const Outcome refused = run_pchr({"convert", file, "-o", packed, "--to", "packed"});
  CHECK(refused.exit_code == 1);
  CHECK_THAT(refused.err, contains("error E302: "));
  CHECK_THAT(refused.err, contains("images[1] \"badge\""));
  CHECK_FALSE(fs::exists(packed));
  const Outcome lossy = run_pchr({"convert", file, "-o", packed, "--to", "packed", "--lossy"});
  CHECK(lossy.exit_code == 0);
  CHECK_THAT(lossy.err, contains("warning W302: "));
  CHECK(pchr::load(packed));
}

TEST_CASE("convert says which options do not go together", "[tools][convert]") {
  const fs::path folder = fresh_folder();
  const std::string file = asset("quad.pchr").string();
  const auto path = [&](const char* name) { return (folder / name).string(); };
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"convert", file},
                                             {"convert", file, "-o", path("a.txt")},
                                             {"convert", file, "-o", path("a")},
                                             {"convert", file, "-o", path("a.json"), "--to", "px"},
                                             {"convert", file, "-o", path("a.json"), "--rgba"},
                                             {"convert", file, "-o", path("a.pchr"), "--spelling", "v1"},
                                             {"convert", file, "-o", "-"},
                                             {"convert", file, "-o", "-", "--to", "json"}}) {
    const Outcome outcome = run_pchr(arguments);
    INFO(Catch::Detail::stringify(arguments) << " says " << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK_FALSE(outcome.err.empty());
    CHECK(fs::is_empty(folder));
  }
}

}  // namespace
