// SPDX-License-Identifier: MIT
// Pipes, devices and enormous files in place of a character's files. An alarm ends a tool that waits for one.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"

#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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

}  // namespace

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

}  // namespace special_files_test
