// SPDX-License-Identifier: MIT
// Records: hashes, stamps and depfiles, and subcommands that only print.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <record.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace pchr::test::record_test {
namespace {

namespace fs = std::filesystem;
using tools::depfile_rules;
using tools::find_unchanged_task;
using tools::Hash;
using tools::hex;
using tools::Sha256;
using tools::sha256_of;
using tools::sha256_of_file;
using tools::stamp_path;
using tools::Task;
using tools::write_stamp;

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
  Hash key{};
  REQUIRE(bytes.size() > kKeyAt + key.size());
  std::copy_n(bytes.begin() + kKeyAt, key.size(), key.begin());
  auto task = tools::task_from_bytes(std::string_view(bytes).substr(kKeyAt + key.size()));
  REQUIRE(task.has_value());
  if (!task->out.empty()) task->out = "stamped\n";
  for (tools::Message& message : task->messages) {
    if (message.diagnostic) message.diagnostic->detail += " stamped";
  }
  write_stamp(utf8_of(stamp), key, *task);
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
    CHECK_THAT(run_pchr({subcommand, file, "--manifest"}).err, contains("unknown option"));
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

// Stamps

constexpr Hash kKey{1, 2, 3};

/// A task with its files in a folder, and the stamp that it wrote.
struct Run {
  fs::path folder;
  std::string stamp = path("stamp");
  Task task{.input = "hero"};

  explicit Run(const std::string& name) : folder(fresh_folder(name)) {
    write("hero.json", "hero");
    write("hero.png", "pixels");
    for (const char* file : {"hero.json", "hero.png"}) {
      task.read.push_back({path(file), tools::state_to_read(path(file))});
    }
    task.missing = {path("hero.rig.json")};
    fs::create_directory(folder / "listed");
    write("listed/texture.png", "texture");
    task.folders.push_back({path("listed"), tools::names_in_folder(path("listed"))});
    for (const char* file : {"out.png", "listed/out.png"}) {
      write(file, "out");
      task.written.push_back({.path = path(file), .state = tools::state_of_written(path(file))});
    }
    Diagnostic diagnostic;
    diagnostic.id = DiagnosticId::chp_image_unusable;
    diagnostic.detail = "with a detail";
    task.messages.push_back({Severity::warning, "hero.json", "a warning", diagnostic});
    write_stamp(stamp, kKey, task);
  }

  [[nodiscard]] std::string path(const std::string& name) const { return utf8_of(folder / name); }
  void write(const std::string& name, std::string_view text) const {
    write_file(folder / name, std::as_bytes(std::span(text)));
  }
  [[nodiscard]] bool is_unchanged() const { return find_unchanged_task(stamp, kKey).has_value(); }
};

TEST_CASE("the stamp of an unchanged task returns it", "[tools][stamp]") {
  const Run run("stamp_same");
  const auto found = find_unchanged_task(run.stamp, kKey);
  REQUIRE(found);
  CHECK(found->is_unchanged);
  CHECK(found->input == "hero");
  REQUIRE(found->messages.size() == 1);
  CHECK(found->messages[0].text == "a warning");
  CHECK(found->messages[0].severity == Severity::warning);
  CHECK(found->messages[0].diagnostic.value().detail == "with a detail");
  REQUIRE(found->written.size() == 2);
  CHECK(found->written[0].state == run.task.written[0].state);
  CHECK_FALSE(find_unchanged_task(run.stamp, {1, 2, 4}));
  CHECK_FALSE(find_unchanged_task(run.path("none"), kKey));
  CHECK_FALSE(find_unchanged_task(utf8_of(run.folder), kKey));
}

TEST_CASE("any change of a file ends a stamp, even one of the same size", "[tools][stamp]") {
  const Run run("stamp_changes");
  for (const auto& [name, before, after] :
       {std::tuple("hero.json", "hero", "her0"), std::tuple("hero.png", "pixels", "pixel5"),
        std::tuple("out.png", "out", "0ut"), std::tuple("hero.json", "hero", "a longer hero")}) {
    INFO(name);
    CHECK(run.is_unchanged());
    run.write(name, after);
    CHECK_FALSE(run.is_unchanged());
    run.write(name, before);
    CHECK(run.is_unchanged());
    fs::rename(run.folder / name, run.folder / "away");
    CHECK_FALSE(run.is_unchanged());
    fs::create_directory(run.folder / name);
    CHECK_FALSE(run.is_unchanged());
    fs::remove(run.folder / name);
    fs::rename(run.folder / "away", run.folder / name);
  }
  CHECK(run.is_unchanged());
}

TEST_CASE("a change in a listed folder ends a stamp, except that of its own outputs", "[tools][stamp]") {
  const Run run("stamp_folders");
  CHECK(run.is_unchanged());
  run.write("listed/.pchr.other.stamp", "");
  CHECK(run.is_unchanged());
  run.write("listed/other.png", "");
  CHECK_FALSE(run.is_unchanged());
  fs::remove(run.folder / "listed/other.png");
  CHECK(run.is_unchanged());
  fs::remove(run.folder / "listed/texture.png");
  CHECK_FALSE(run.is_unchanged());
}

TEST_CASE("a damaged stamp ends itself", "[tools][stamp]") {
  const Run run("stamp_damaged");
  const Bytes bytes = read_file(run.stamp);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    Bytes damaged = bytes;
    damaged[at] ^= std::byte{0x10};
    write_file(run.stamp, damaged);
    CHECK_FALSE(run.is_unchanged());
    damaged.resize(at);
    write_file(run.stamp, damaged);
    CHECK_FALSE(run.is_unchanged());
  }
  write_file(run.stamp, bytes);
  CHECK(run.is_unchanged());
}

TEST_CASE("a stamp lies next to its outputs, or in the cache", "[tools][stamp]") {
  CHECK(stamp_path("", "out/hero.png", kKey) == "out/.pchr.hero.png.stamp");
  CHECK(stamp_path("", "hero_{clip}_{frame:04}.png", kKey) == ".pchr.hero_{clip}_{frame_04}.png.stamp");
  CHECK(stamp_path("", "out/{clip}/hero.png", kKey) == "out/.pchr.{clip}_hero.png.stamp");
  const std::string cached = stamp_path("cache", "out/hero.png", kKey);
  CHECK(cached.starts_with("cache/010203"));
  CHECK(cached.ends_with(".stamp"));
  const std::string longest = stamp_path("", "out/" + std::string(250, 'x'), kKey);
  CHECK(longest.size() < 100);
  CHECK(longest != stamp_path("", "out/" + std::string(250, 'y'), kKey));
}

TEST_CASE("a stamp that cannot be written is none", "[tools][stamp]") {
  const fs::path folder = fresh_folder("stamp_unwritable");
  const std::string stamp = utf8_of(folder / "none/stamp");
  write_stamp(stamp, kKey, {.input = "hero"});
  CHECK_FALSE(find_unchanged_task(stamp, kKey));
}

TEST_CASE("a task survives in a stamp, and damage to it is noticed", "[tools][record]") {
  Task task{.input = "a.pchr", .exit_code = tools::ExitCode::bad_data, .out = std::string("x\0y", 3)};
  Diagnostic diagnostic;
  diagnostic.id = all_diagnostics().back();
  diagnostic.path = "bones[1]";
  diagnostic.byte_offset = 12;
  task.messages.push_back({Severity::warning, "a.pchr", "text", diagnostic});
  task.messages.push_back({.text = "other"});
  task.read = {{.path = "a.pchr"}, {.path = "b.png"}};
  task.written.push_back({"c.png", 3, 4, 1, 0.5});
  const std::string bytes = tools::task_to_bytes(task);
  const auto copy = tools::task_from_bytes(bytes);
  REQUIRE(copy);
  CHECK(tools::task_to_bytes(*copy) == bytes);
  CHECK(copy->messages[0].diagnostic->byte_offset == 12);
  CHECK(copy->out == task.out);
  for (std::size_t size = 0; size < bytes.size(); ++size) CHECK_FALSE(tools::task_from_bytes(bytes.substr(0, size)));
  CHECK_FALSE(tools::task_from_bytes(bytes + '\0'));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] = '\xff';
    const auto read = tools::task_from_bytes(damaged);
    // Whatever is accepted can be used.
    if (read) CHECK(tools::task_from_bytes(tools::task_to_bytes(*read)).has_value());
    if (read && !read->messages.empty() && read->messages[0].diagnostic) {
      CHECK_FALSE(code(read->messages[0].diagnostic->id).empty());
    }
  }
}

// Depfiles

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

// Hashes

std::string hash_of(std::string_view text) { return hex(sha256_of(std::as_bytes(std::span(text)))); }

TEST_CASE("SHA-256 hashes the examples of NIST", "[tools][sha256]") {
  CHECK(hash_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hash_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hash_of(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("bytes can arrive in parts of any size", "[tools][sha256]") {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i);
  const auto bytes = std::as_bytes(std::span(text));
  for (std::size_t first = 0; first <= 130; ++first) {
    Sha256 sha;
    sha.add(bytes.first(first));
    sha.add(bytes.subspan(first, 65));
    sha.add(bytes.subspan(first + 65));
    CHECK(hex(sha.finish()) == hash_of(text));
  }
}

TEST_CASE("a file is hashed in parts, and only if it is a regular file", "[tools][sha256]") {
  const auto folder = fresh_folder("sha256");
  const std::string text(200'000, 'x');
  write_file(folder / "file", std::as_bytes(std::span(text)));
  const auto hash = sha256_of_file(utf8_of(folder / "file"));
  REQUIRE(hash);
  CHECK(hex(*hash) == hash_of(text));
  CHECK_FALSE(sha256_of_file(utf8_of(folder / "missing")));
  CHECK_FALSE(sha256_of_file(utf8_of(folder)));
}

}  // namespace
}  // namespace pchr::test::record_test
