// SPDX-License-Identifier: MIT
// Records of subcommands that only print: stamps that keep their reports, and depfiles.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <stamp.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace pchr::test::record_test {
namespace {

namespace fs = std::filesystem;

std::string clean_file(const std::string& name) { return character_file("record/" + name, sliding_quad()); }

std::string warned_file(const std::string& name) {
  CharacterData data = sliding_quad();
  data.reserved_flags = 1;
  return character_file("record/" + name, data);
}

std::string broken_file(const std::string& name) {
  CharacterData data = sliding_quad();
  data.indices[1] = 9;
  return character_file("record/" + name, data);
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

/// Changes what a stamp keeps, so that a run which prints it has used the stamp.
void mark(const fs::path& stamp) {
  constexpr std::size_t kKeyAt = sizeof("pchr stamp 1\n") - 1 + sizeof(std::uint32_t);
  const std::string bytes = read_text(stamp);
  tools::Hash key{};
  REQUIRE(bytes.size() > kKeyAt + key.size());
  std::copy_n(bytes.begin() + kKeyAt, key.size(), key.begin());
  auto task = tools::task_from_bytes(std::string_view(bytes).substr(kKeyAt + key.size()));
  REQUIRE(task.has_value());
  if (!task->out.empty()) task->out = "stamped\n";
  for (tools::Message& message : task->messages) {
    if (message.diagnostic) message.diagnostic->detail += " stamped";
  }
  tools::write_stamp(utf8_of(stamp), key, *task);
}

TEST_CASE("a report on files that have not changed is printed again, with the same exit code", "[tools][record]") {
  fs::create_directories(output("tools/record"));
  const std::string warned = warned_file("warned.pchr"), broken = broken_file("broken.pchr");
  const std::string first = clean_file("first.pchr"), second = clean_file("second.pchr");
  for (const Strings& command : std::vector<Strings>{{"validate", warned},
                                                     {"validate", broken},
                                                     {"validate", broken, warned, "--json"},
                                                     {"validate", warned, "--sarif", "--strict"},
                                                     {"inspect", first, second},
                                                     {"inspect", first, second, "--json"},
                                                     {"pose", first, "--clip", "slide"},
                                                     {"pose", first, second}}) {
    INFO(Catch::Detail::stringify(command));
    const fs::path cache = fresh_folder("record_cache");
    Strings cached = command;
    cached.insert(cached.end(), {"--if-changed", "--cache", cache.string()});
    const Outcome plain = run_pchr(command);
    CHECK(plain.out.find("stamped") == std::string::npos);
    for (int run = 0; run < 2; ++run) {
      const Outcome outcome = run_pchr(cached);
      CHECK(outcome.out == plain.out);
      CHECK(outcome.exit_code == plain.exit_code);
    }
    CHECK(files_in(cache).size() == static_cast<std::size_t>(std::ranges::count_if(
                                        command, [](const auto& argument) { return argument.ends_with(".pchr"); })));
    for (const fs::path& stamp : files_in(cache)) mark(stamp);
    const Outcome kept = run_pchr(cached);
    CHECK_THAT(kept.out, contains("stamped"));
    CHECK(kept.exit_code == plain.exit_code);

    const std::string file = command[1];
    const Bytes bytes = read_file(file);
    write_file(file, std::as_bytes(std::span("other", 5)));
    const Outcome changed = run_pchr(cached);
    CHECK(changed.out != plain.out);
    CHECK(changed.out != kept.out);
    write_file(file, bytes);
  }
}

TEST_CASE("only validate keeps errors, and nothing keeps files that cannot be read", "[tools][record]") {
  fs::create_directories(output("tools/record"));
  const std::string broken = broken_file("errors.pchr"), missing = output("tools/record/missing.pchr").string();
  const auto stamps_of = [](const std::string& subcommand, const std::string& file) {
    const fs::path cache = fresh_folder("record_errors");
    CHECK(run_pchr({subcommand, file, "--if-changed", "--cache", cache.string()}).exit_code != 0);
    return files_in(cache).size();
  };
  CHECK(stamps_of("validate", broken) == 1);
  CHECK(stamps_of("inspect", broken) == 0);
  CHECK(stamps_of("pose", broken) == 0);
  CHECK(stamps_of("validate", missing) == 0);
}

TEST_CASE("a subcommand that only prints needs a cache for stamps, and a target for a depfile", "[tools][record]") {
  fs::create_directories(output("tools/record"));
  const std::string file = clean_file("depends.pchr");
  const fs::path folder = fresh_folder("record_depfile");
  const std::string depfile = (folder / "report.d").string();
  for (const char* subcommand : {"inspect", "validate", "pose"}) {
    INFO(subcommand);
    const Outcome stamped = run_pchr({subcommand, file, "--if-changed"});
    CHECK(stamped.exit_code == 2);
    CHECK_THAT(stamped.err, contains("pchr: --if-changed needs --cache here"));
    const Outcome targetless = run_pchr({subcommand, file, "--depfile", depfile});
    CHECK(targetless.exit_code == 2);
    CHECK_THAT(targetless.err, contains("pchr: --depfile needs --depfile-target here"));
    CHECK(files_in(folder).empty());
    CHECK(run_pchr({subcommand, file, "--depfile", depfile, "--depfile-target", "checked"}).exit_code == 0);
    const std::string rules = read_text(depfile);
    CHECK(rules.starts_with("checked: \\\n  "));
    CHECK_THAT(rules, contains("depends.pchr:\n"));
    fs::remove(depfile);
    for (const char* option : {"--manifest", "--no-overwrite"}) {
      CHECK_THAT(run_pchr({subcommand, file, option}).err, contains("unknown option"));
    }
  }
}

TEST_CASE("a cache that cannot be written is a single warning", "[tools][record][posix]") {
  fs::create_directories(output("tools/record"));
  const std::string first = clean_file("one.pchr"), second = clean_file("two.pchr");
  // Nobody can create files there, not even root.
  const Outcome outcome = run_pchr({"validate", first, second, "--if-changed", "--cache", "/proc", "-j", "2"});
  CHECK(outcome.exit_code == 0);
  const std::string warning = "pchr: warning: --if-changed will do the work again: cannot write to /proc: ";
  const std::size_t at = outcome.err.find(warning);
  REQUIRE(at != std::string::npos);
  CHECK(outcome.err.find("--if-changed", at + warning.size()) == std::string::npos);
  CHECK_THAT(run_pchr({"validate", first, "--if-changed", "--cache", "/proc"}).err, contains(warning));
}

}  // namespace
}  // namespace pchr::test::record_test
