// SPDX-License-Identifier: MIT
// Pipes, devices and enormous files in place of a character's files. An alarm ends a tool that waits for one.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace special_files_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

constexpr unsigned kPatienceSeconds = 600;
constexpr long kMemoryKilobytes = 512L << 10;  ///< Far more than any of these files needs, even with sanitizers.
constexpr off_t kEnormous = off_t{5} << 30;

struct LimitedOutcome {
  int exit_code = 0;  ///< 128 plus the signal, if one ended it.
  long peak_kilobytes = 0;
  std::string said;  ///< Standard output and standard error.
};

/// Runs `pchr` with standard input from `in`, for at most kPatienceSeconds.
LimitedOutcome run_limited(std::vector<std::string> arguments, const fs::path& in = "/dev/null") {
  const fs::path log = output("tools/special/log");
  arguments.insert(arguments.begin(), PCHR_TOOL);
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    alarm(kPatienceSeconds);  // It survives exec.
    dup2(open(in.c_str(), O_RDONLY), STDIN_FILENO);
    dup2(open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), STDOUT_FILENO);
    dup2(STDOUT_FILENO, STDERR_FILENO);
    execv(PCHR_TOOL, argv.data());
    _exit(126);
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), usage.ru_maxrss, read_text(log)};
}

void write_text(const fs::path& path, std::string_view text) { write_file(path, std::as_bytes(std::span(text))); }

void make_pipe(const fs::path& path) {
  fs::remove(path);
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
}
void link_to_zeros(const fs::path& path) {
  fs::remove(path);
  fs::create_symlink("/dev/zero", path);
}
/// Creates a sparse file, which uses no disk space.
void make_enormous(const fs::path& path) {
  fs::remove(path);
  write_file(path, {});
  REQUIRE(truncate(path.c_str(), kEnormous) == 0);
}

struct Special {
  const char* name;
  void (*make)(const fs::path& path);
};
constexpr Special kSpecials[] = {{"a pipe that nobody writes to", make_pipe},
                                 {"a link to /dev/zero", link_to_zeros},
                                 {"a file of 5 GB", make_enormous}};

/// A JSON character with its image, arm.png.
fs::path arm_in(const fs::path& folder) {
  const std::string packed = character_file("special_arm.pchr", two_bone_arm());
  REQUIRE(run_pchr({"unpack", packed, "-o", folder.string()}).exit_code == 0);
  fs::rename(folder / "special_arm.json", folder / "arm.json");
  return folder / "arm.json";
}

/// A mesh with a material named after the folder, a texture for it and an animation. Textures are also searched for in
/// folders nearby.
fs::path box_in(const fs::path& folder) {
  const std::string material = folder.filename().string();
  write_file(folder / "box.psk", bytes_of(boxes_psk({{material, {0, 0, 0}, {1, 1, 1}, 0}})));
  write_file(folder / "box.psa", bytes_of(small_psa()));
  write_file(folder / (material + ".png"), png_of(1, 1, std::vector<std::uint8_t>{255, 0, 0, 255}));
  return folder / "box.psk";
}

void check_refused(const LimitedOutcome& outcome, int exit_code) {
  INFO(outcome.said);
  CHECK(outcome.exit_code == exit_code);
  CHECK(outcome.peak_kilobytes < kMemoryKilobytes);
}

TEST_CASE("an image that is enormous or not a regular file is rejected before it is read", "[tools][special][posix]") {
  for (const Special& special : kSpecials) {
    INFO(special.name);
    const fs::path character = arm_in(fresh_folder("image"));
    special.make(character.parent_path() / "special_arm.arm.png");
    const LimitedOutcome outcome = run_limited({"inspect", "--follow-links", character.string()});
    check_refused(outcome, 1);
    CHECK_THAT(outcome.said, contains("E127"));
  }
}

TEST_CASE("markers that are enormous or not a regular file are rejected before they are read",
          "[tools][special][posix]") {
  for (const Special& special : kSpecials) {
    INFO(special.name);
    const fs::path character = arm_in(fresh_folder("markers"));
    special.make(character.parent_path() / "arm.markers.json");
    const LimitedOutcome outcome = run_limited({"inspect", character.string()});
    CHECK(outcome.exit_code != 0);
    CHECK(outcome.exit_code < 128);
    CHECK(outcome.peak_kilobytes < kMemoryKilobytes);
    CHECK_THAT(outcome.said, contains("arm.markers.json"));
  }
}

TEST_CASE("a mesh loads although an animation near it is enormous or not a regular file", "[tools][special][posix]") {
  for (const Special& special : kSpecials) {
    INFO(special.name);
    const fs::path mesh = box_in(fresh_folder("animation"));
    for (const char* name : {"box.psa", "box_other.psa", "stranger.psa"}) special.make(mesh.parent_path() / name);
    check_refused(run_limited({"inspect", mesh.string()}), 0);
  }
}

TEST_CASE("a mesh loads although the .config of its animation is enormous or not a regular file",
          "[tools][special][posix]") {
  for (const Special& special : kSpecials) {
    INFO(special.name);
    const fs::path mesh = box_in(fresh_folder("config"));
    for (const char* name : {"box.config", "box.psa.config"}) special.make(mesh.parent_path() / name);
    const LimitedOutcome outcome = run_limited({"inspect", mesh.string()});
    check_refused(outcome, 0);
    CHECK_THAT(outcome.said, contains("1 clip\n"));
  }
}

TEST_CASE("a mesh loads although a texture or material is enormous or not a regular file", "[tools][special][posix]") {
  for (const Special& special : kSpecials) {
    INFO(special.name);
    const fs::path mesh = box_in(fresh_folder("texture"));
    for (const char* name : {"texture.png", "texture.mat", "texture.tga"}) special.make(mesh.parent_path() / name);
    const LimitedOutcome outcome = run_limited({"inspect", mesh.string()});
    check_refused(outcome, 0);
    CHECK_THAT(outcome.said, contains("W257"));
  }
}

TEST_CASE("an image of a .chp that is enormous or not a regular file is rejected before it is read",
          "[tools][special][posix]") {
  for (const Special& special : kSpecials) {
    INFO(special.name);
    const fs::path folder = fresh_folder("chp");
    write_text(folder / "square.chp",
               "#CharBMP red.png\n#Data 16\n#Size 16 16\n#00 0 0 4 2\n#02 0 0 8 8\n#Patern 1 02\n");
    special.make(folder / "red.png");
    const LimitedOutcome outcome = run_limited({"inspect", (folder / "square.chp").string()});
    CHECK(outcome.exit_code < 128);
    CHECK(outcome.peak_kilobytes < kMemoryKilobytes);
    CHECK_THAT(outcome.said, contains("red.png"));
  }
}

TEST_CASE("the character itself can be a pipe", "[tools][special][posix]") {
  const std::string file = character_file("special_arm.pchr", two_bone_arm());
  const LimitedOutcome standard_input = run_limited({"inspect", "/dev/stdin"}, file);
  INFO(standard_input.said);
  CHECK(standard_input.exit_code == 0);

  const fs::path pipe = fresh_folder("named") / "arm.pchr";
  make_pipe(pipe);
  const Bytes bytes = read_file(file);
  const pid_t writer = fork();
  if (writer == 0) {
    alarm(kPatienceSeconds);
    write_file(pipe, bytes);
    _exit(0);
  }
  const LimitedOutcome named = run_limited({"inspect", pipe.string()});
  INFO(named.said);
  CHECK(named.exit_code == 0);
  kill(writer, SIGKILL);
  waitpid(writer, nullptr, 0);
}

TEST_CASE("an enormous character is rejected before it is read, an endless one at the limit",
          "[tools][special][posix]") {
  const fs::path enormous = fresh_folder("enormous") / "arm.pchr";
  make_enormous(enormous);
  const LimitedOutcome outcome = run_limited({"inspect", enormous.string()});
  check_refused(outcome, 1);
  CHECK_THAT(outcome.said, contains("larger than the limit of 1073741824 bytes"));
  const LimitedOutcome endless = run_limited({"inspect", "/dev/zero", "--max-file-mb", "64"});
  check_refused(endless, 1);
  CHECK_THAT(endless.said, contains("larger than the limit of 67108864 bytes"));
}

TEST_CASE("an enormous reference image is rejected before it is read", "[tools][special][posix]") {
  const fs::path folder = fresh_folder("reference");
  make_enormous(folder / "reference.png");
  const std::string file = character_file("special_arm.pchr", two_bone_arm());
  const LimitedOutcome outcome = run_limited(
      {"render", file, "-o", (folder / "image.png").string(), "--reference", (folder / "reference.png").string()});
  INFO(outcome.said);
  CHECK(outcome.exit_code != 0);
  CHECK(outcome.exit_code < 128);
  CHECK_THAT(outcome.said, contains("larger than the limit of"));
}

// Runs with less memory than a large image takes.

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kCanLimit = false;
#elif defined(__has_feature)
constexpr bool kCanLimit = !__has_feature(address_sanitizer);
#else
constexpr bool kCanLimit = true;
#endif

/// Runs `pchr` with 100 MB of addresses. The large image takes more than twice its 64 MB.
Outcome run_in_little_memory(const Strings& arguments) {
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
  const Outcome limited = run_in_little_memory(arguments);
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
  const Outcome limited = run_in_little_memory(arguments);
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
  const Outcome limited = run_in_little_memory(
      {"convert", large, small, "-o", pattern, "--lossy", "--if-changed", "--keep-going", "-j", "2"});
  INFO(limited.out << limited.err);
  CHECK(limited.exit_code == 6);
  CHECK_THAT(limited.err, contains(large + ": error E131: out of memory"));
  CHECK_FALSE(fs::exists(folder / "pomyu.json"));
  CHECK(fs::exists(folder / "out_of_memory_small.json"));
  CHECK(run_in_little_memory({"convert", large, "-o", pattern, "--lossy"}).exit_code == 3);
}

// A standard error that cannot be written changes neither other output nor the exit code.

// Returns the exit code of `pchr` with its standard streams redirected by a shell.
int run_redirected(const std::vector<std::string>& arguments, const std::string& redirection) {
  const int status = std::system(("exec " + shell_command(arguments) + ' ' + redirection).c_str());
  // A signal ends the shell with 128 plus its number.
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A character that loads with a warning, because its flags are set.
std::string warned_file() {
  Bytes bytes = write_v1(two_bone_arm());
  bytes[10] = std::byte{1};
  const fs::path path = output("tools/standard_error/hero.pchr");
  write_file(path, bytes);
  const Outcome outcome = run_pchr({"pack", path.string(), "-o", "-"}, {}, "/dev/null");
  REQUIRE(outcome.exit_code == 0);
  REQUIRE(outcome.err.contains("warning"));
  return path.string();
}

TEST_CASE("a full or closed standard error does not change the exit code", "[tools][standard_error]") {
  const std::string file = warned_file();
  const std::vector<std::vector<std::string>> commands{
      {"inspect", "nosuch.pchr"}, {"inspect", file},         {"inspect"},
      {"validate", "nosuch"},     {"pose", file, "--clip="}, {"render", file, "--clip", "nosuch", "-o", "/dev/null"}};
  for (const auto& command : commands) {
    INFO(command[0]);
    const int expected = run_redirected(command, ">/dev/null 2>/dev/null");
    CHECK(expected < 128);
    CHECK(run_redirected(command, ">/dev/null 2>/dev/full") == expected);
    CHECK(run_redirected(command, ">/dev/null 2>&-") == expected);
  }
}

TEST_CASE("a full or closed standard error does not change the files written", "[tools][standard_error]") {
  const std::string file = warned_file();
  const auto written_by = [&](std::string subcommand, const std::string& name, const std::string& redirection) {
    const fs::path target = output("tools/standard_error/" + name);
    fs::remove(target);
    CHECK(run_redirected({std::move(subcommand), file, "-o", target.string()}, redirection) == 0);
    return read_file(target);
  };
  for (const auto& [subcommand, name] :
       {std::pair("render", "still.png"), {"pack", "packed.pchr"}, {"sheet", "sheet.png"}}) {
    INFO(subcommand);
    const Bytes expected = written_by(subcommand, name, ">/dev/null 2>/dev/null");
    CHECK_FALSE(expected.empty());
    CHECK(written_by(subcommand, name, ">/dev/null 2>/dev/full") == expected);
    // Otherwise the first file opened would become standard error and receive warnings.
    CHECK(written_by(subcommand, name, ">/dev/null 2>&-") == expected);
  }
}

void check_output_fails(const std::string& redirection) {
  const std::string file = warned_file();
  const std::string sheet = output("tools/standard_error/sheet.png").string();
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"inspect", file}, {"sheet", file, "-o", sheet}, {"--help"}, {"--version"}}) {
    INFO(command[0]);
    CHECK(run_redirected(command, redirection) == 3);
  }
}

TEST_CASE("a full standard output exits 3", "[tools][standard_error]") { check_output_fails(">/dev/full 2>/dev/full"); }

TEST_CASE("a closed standard output exits 3", "[tools][standard_error][posix]") { check_output_fails(">&- 2>&-"); }

}  // namespace
}  // namespace special_files_test
