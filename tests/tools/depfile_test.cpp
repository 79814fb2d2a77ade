// SPDX-License-Identifier: MIT
// The text of depfiles. tests/tools/build_systems.py gives them to Make and Ninja.
#include "depfile.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"

#include <filesystem>
#include <set>
#include <string>

namespace pchr::test::depfile_test {
namespace {

namespace fs = std::filesystem;
using tools::depfile_rules;
using tools::Task;

TEST_CASE("outputs depend on the files read, each with an empty rule of its own", "[tools][depfile]") {
  const Task task{.read = {{"hero.json"}, {"hero.png"}, {"./hero.json"}}, .written = {{"out/a.png"}, {"out/b.png"}}};
  CHECK(depfile_rules(task, "", "out/hero.d").value() ==
        "out/a.png out/b.png: \\\n  hero.json \\\n  hero.png\nhero.json:\nhero.png:\n");
  CHECK(depfile_rules(task, "all", "out/hero.d").value() ==
        "all: \\\n  hero.json \\\n  hero.png\nhero.json:\nhero.png:\n");
  CHECK(depfile_rules({.read = {{"hero.json"}}}, "", "hero.d").value().empty());
}

TEST_CASE("a depfile escapes what separates names", "[tools][depfile]") {
  const Task task{.read = {{"a b#c$d e.png"}}, .written = {{"x y.png"}}};
  CHECK(depfile_rules(task, "", "d").value() == "x\\ y.png: \\\n  a\\ b\\#c$$d\\ e.png\na\\ b\\#c$$d\\ e.png:\n");
  // Make would read the home of a user.
  CHECK(depfile_rules({.read = {{"~a~"}}, .written = {{"~b"}}}, "", "d").value() == "./~b: \\\n  ./~a~\n./~a~:\n");
}

TEST_CASE("a depfile names no file that Make or Ninja would read otherwise", "[tools][depfile]") {
  for (const char* name :
       {"a\nb", "a\tb", "a*b", "a=b", "a;b", "a|b", "a<b", "a>b", "a^b", "a`b", "a\"b", "a&b", "a'b", "a?b",
        "a\x7f"
        "b"}) {
    INFO(name);
    const auto source = depfile_rules({.read = {{name}}, .written = {{"out"}}}, "", "d");
    REQUIRE_FALSE(source);
    CHECK(source.error().starts_with("Make and Ninja cannot both read a"));
    CHECK_FALSE(depfile_rules({.written = {{name}}}, "", "d"));
  }
  // In a target, this would make a rule for all names like it.
  CHECK_FALSE(depfile_rules({.written = {{"50%.png"}}}, "", "d"));
  CHECK(depfile_rules({.read = {{"50%.png"}}, .written = {{"out"}}}, "", "d"));
}

TEST_CASE("a file looked for in vain stands for its folder, unless that changes with every run", "[tools][depfile]") {
  const fs::path folder = fresh_folder("depfile");
  for (const char* name : {"cast", "out", "found"}) fs::create_directories(folder / name);
  const auto path = [&](const char* name) { return utf8_of(folder / name); };
  Task task{.missing = {path("cast/hero.rig.json"), path("out/hero.rig.json"), path("cast/none/none/hero.png")},
            .folders = {{path("found")}},
            .written = {{path("out/hero.png")}}};
  const auto sources = [&](const char* target, const char* depfile) {
    const std::string rules = depfile_rules(task, target, path(depfile)).value();
    std::set<std::string> names;
    for (const char* name : {"cast", "out", "found"}) {
      if (rules.contains("\n" + path(name) + ":\n")) names.emplace(name);
    }
    return names;
  };
  using Names = std::set<std::string>;
  CHECK(sources("", "hero.d") == Names{"cast", "found"});
  CHECK(sources("", "cast/hero.d") == Names{"found"});
  CHECK(sources(path("found/stamp").c_str(), "hero.d") == Names{"cast"});
}

}  // namespace
}  // namespace pchr::test::depfile_test
