// SPDX-License-Identifier: MIT
// Contents of an output folder after a failed or interrupted write.
#include "tool.hpp"

#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/png.hpp"
#include "support/psk.hpp"
#include "support/scenes.hpp"

#include <pchr/load.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fcntl.h>
#include <functional>
#include <map>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace output_test {
namespace {

using namespace pchr::test;
namespace fs = std::filesystem;

using Folder = std::map<std::string, Bytes>;

Folder contents_of(const fs::path& folder) {
  Folder contents;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) contents[entry.path().lexically_relative(folder).string()] = read_file(entry.path());
  }
  return contents;
}

// Starts `pchr` without output, after `before` has changed its process.
pid_t start_pchr(const std::vector<std::string>& arguments, const std::function<void()>& before = {}) {
  std::vector<std::string> command = pchr_command(arguments);
  std::vector<char*> argv;
  for (std::string& argument : command) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child != 0) return child;
  const int null = open("/dev/null", O_RDWR);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  if (before) before();
  execv(argv.front(), argv.data());
  _exit(126);
}

int exit_code_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Creates a folder with the files of an earlier unpack of `data`.
fs::path unpacked(const pchr::CharacterData& data) {
  const fs::path folder = output("tools/output/old");
  fs::remove_all(folder);
  const std::string file = character_file("hero.pchr", data);
  REQUIRE(run_pchr({"unpack", file, "-o", folder.string()}).exit_code == 0);
  return folder;
}

// The names of two_bone_arm with larger files.
pchr::CharacterData large_arm() {
  pchr::CharacterData data = two_bone_arm();
  std::uint32_t state = 1;
  for (pchr::Image& image : data.images) {
    image = plain_image(200, 200, {0, 0, 0, 0}, image.name);
    for (std::byte& byte : image.bytes) byte = static_cast<std::byte>((state = state * 1664525U + 1013904223U) >> 24U);
  }
  return data;
}

/// Returns a change of a process after which writing beyond a size fails as on a full disk.
std::function<void()> limit_files(rlim_t bytes) {
  return [bytes] {
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, SIG_IGN);
  };
}

TEST_CASE("a failed write leaves the old files intact and nothing else", "[tools][output]") {
  const fs::path folder = unpacked(two_bone_arm());
  const Folder before = contents_of(folder);
  const std::string file = character_file("hero.pchr", large_arm());
  const auto on_full_disk = limit_files(100'000);
  CHECK(exit_code_of(start_pchr({"unpack", file, "-o", folder.string(), "--force"}, on_full_disk)) == 3);
  CHECK(contents_of(folder) == before);
  const std::string packed = (folder / "hero.json").string();
  CHECK(exit_code_of(start_pchr({"pack", file, "-o", packed, "--force"}, on_full_disk)) == 3);
  CHECK(contents_of(folder) == before);
}

/// Runs `pchr` with a disk of 256 kB at `disk` that first has the files of `folder`, and checks that it exits with 3
/// and leaves them and nothing else.
void check_on_full_disk(const fs::path& folder, const fs::path& disk, const Strings& arguments) {
  const fs::path after = output("tools/output/after");
  fs::remove_all(after);
  fs::create_directories(disk);
  // Only this shell sees the small disk, which disappears with it. 77 means that it could not be mounted.
  std::string script =
      "unshare -m sh -c 'mount -t tmpfs -o size=256k none \"$1\" 2>/dev/null || exit 77; cp -R \"$0\"/. \"$1\";"
      " disk=$1; after=$2; shift 2; \"$@\"; code=$?; cp -R \"$disk\" \"$after\"; exit $code'";
  for (const fs::path& path : {folder, disk, after, fs::path(PCHR_TOOL)}) script += " '" + path.string() + "'";
  for (const std::string& argument : arguments) script += " '" + argument + "'";
  const int status = std::system((script + " >/dev/null 2>&1").c_str());
  if (!fs::exists(after)) {
    WARN("no disk can be mounted here");
    return;
  }
  CHECK(WEXITSTATUS(status) == 3);
  CHECK(contents_of(after) == contents_of(folder));
}

TEST_CASE("a full disk leaves the old files intact and nothing else", "[tools][output][posix]") {
  const fs::path folder = unpacked(two_bone_arm());
  const std::string file = character_file("hero.pchr", large_arm());
  const fs::path disk = output("tools/output/disk");
  check_on_full_disk(folder, disk, {"unpack", file, "-o", disk.string(), "--force"});
}

TEST_CASE("a full disk leaves an earlier page of differences intact, and is no fault of a character",
          "[tools][output][posix]") {
  const std::string before = character_file("page_before.pchr", two_bone_arm());
  const std::string after = character_file("page_after.pchr", large_arm());
  const fs::path folder = fresh_folder("page"), disk = output("tools/output/page_disk");
  const std::string report = (folder / "report").string();
  REQUIRE(run_pchr({"diff", before, before, "--html", report}).exit_code == 0);
  check_on_full_disk(folder, disk, {"diff", before, after, "--size", "512", "--html", (disk / "report").string()});
  const Folder page = contents_of(folder);
  const Strings again{"diff", before, after, "--html", report};
  CHECK(exit_code_of(start_pchr(again, limit_files(2000))) == 3);
  CHECK(contents_of(folder) == page);
  CHECK(run_pchr(again).exit_code == 5);
  CHECK(contents_of(folder) != page);
}

TEST_CASE("names of which one is too long leave every file that was there", "[tools][output]") {
  pchr::CharacterData data = sliding_quad();
  const std::string name_of_100 = [] {
    std::string name;
    for (int i = 0; i < 100; ++i) name += "長";
    return name;
  }();
  for (const char* name : {"A", "CON", "../../x"}) data.clips.push_back(resting_clip(name, 1, 1));
  data.clips.push_back(resting_clip(name_of_100, 1, 1));
  data.clips.push_back(resting_clip("Z", 1, 1));
  const std::string file = character_file("names.pchr", data);
  const fs::path folder = fresh_folder("names");
  for (const char* name : {"A.gif", "slide.gif", "Z.gif"})
    write_file(folder / name, std::as_bytes(std::span("old", 3)));
  const Folder before = contents_of(folder);
  const Outcome outcome =
      run_pchr({"render", file, "--all-clips", "--size", "8x8", "-o", (folder / "{clip}.gif").string()});
  CHECK(outcome.exit_code == 3);
  CHECK_THAT(outcome.err, contains("cannot write"));
  CHECK_THAT(outcome.err, contains("長.gif: "));
  CHECK(contents_of(folder) == before);

  // The PNG can have this name, but not the JSON.
  const std::string sheet = std::string(251, 's') + ".png";
  write_file(folder / sheet, std::as_bytes(std::span("old", 3)));
  CHECK(run_pchr({"sheet", file, "--clip", "A", "-o", (folder / sheet).string()}).exit_code == 3);
  CHECK(read_text(folder / sheet) == "old");
  CHECK(names_in(folder).size() == before.size() + 1);
}

TEST_CASE("a read-only folder exits 3 and stays unchanged", "[tools][output][posix]") {
  const fs::path folder = unpacked(two_bone_arm());
  const Folder before = contents_of(folder);
  const std::string file = character_file("hero.pchr", large_arm());
  fs::permissions(folder,
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  // Root ignores permissions.
  const auto as_nobody = [] {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(126);
  };
  const int code = exit_code_of(start_pchr({"unpack", file, "-o", folder.string(), "--force"}, as_nobody));
  const int pack_code = exit_code_of(start_pchr({"pack", file, "-o", (folder / "new.pchr").string()}, as_nobody));
  fs::permissions(folder, fs::perms::owner_all);
  if (code == 126 || code == 1) {
    WARN("the tool or its input cannot be reached by another user here");
    return;
  }
  CHECK(code == 3);
  CHECK(pack_code == 3);
  CHECK(contents_of(folder) == before);
}

TEST_CASE("a killed process leaves every file old or new, never a JSON without its images", "[tools][output]") {
  const pchr::CharacterData small = two_bone_arm(), large = large_arm();
  const Folder old_files = contents_of(unpacked(small));
  const Folder new_files = contents_of(unpacked(large));
  const std::string file = character_file("hero.pchr", large);
  const fs::path folder = output("tools/output/killed");
  int killed = 0;
  for (int milliseconds = 0; milliseconds < 60; milliseconds += 2) {
    for (const bool present : {false, true}) {
      fs::remove_all(folder);
      fs::create_directories(folder);
      if (present) {
        for (const auto& [name, bytes] : old_files) write_file(folder / name, bytes);
      }
      const pid_t child = start_pchr({"unpack", file, "-o", folder.string(), "--force"});
      usleep(static_cast<useconds_t>(milliseconds) * 1000);
      kill(child, SIGKILL);
      if (exit_code_of(child) == 128 + SIGKILL) ++killed;
      Folder found = contents_of(folder);
      std::erase_if(found, [](const auto& entry) { return entry.first.starts_with(".pchr."); });
      for (const auto& [name, bytes] : found) {
        INFO("killed after " << milliseconds << " ms: " << name);
        const bool is_old = present && bytes == old_files.at(name);
        CHECK((is_old || bytes == new_files.at(name)));
      }
      if (found.contains("hero.json")) CHECK(found.size() == new_files.size());
    }
  }
  CHECK(killed > 0);
}

TEST_CASE("a character is not written if a device or pipe has the name of an image", "[tools][output][posix]") {
  const fs::path folder = fresh_folder("tools/output/pipe");
  REQUIRE(mkfifo((folder / "hero.arm.png").c_str(), 0600) == 0);
  const std::string file = character_file("hero.pchr", two_bone_arm());
  CHECK(run_pchr({"unpack", file, "-o", folder.string(), "--force"}).exit_code == 3);
  CHECK(fs::is_fifo(folder / "hero.arm.png"));
  CHECK_FALSE(fs::exists(folder / "hero.json"));
}

// Returns whether the process has begun to write to the folder; false if it has ended.
bool is_writing(pid_t child, const fs::path& folder) {
  const auto is_temporary = [](const fs::directory_entry& entry) { return entry.path().extension() == ".tmp"; };
  while (std::ranges::none_of(fs::directory_iterator(folder), is_temporary)) {
    int status = 0;
    if (waitpid(child, &status, WNOHANG) != 0) return false;
    usleep(1000);
  }
  return true;
}

// Starts to render an animation that takes minutes but little disk space.
pid_t start_long_render(const std::string& file, const fs::path& animation) {
  const auto without_core = [] {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
  };
  return start_pchr({"render", file, "--clip", "slide", "--speed", "0.001", "--fps", "2000", "--size", "8x8", "-o",
                     animation.string()},
                    without_core);
}

TEST_CASE("a signal that ends a render leaves no files", "[tools][output][posix]") {
  const std::string file = character_file("output_signal.pchr", sliding_quad());
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    INFO("signal " << number);
    const fs::path folder = fresh_folder("signal");
    const pid_t child = start_long_render(file, folder / "animation.rgba");
    REQUIRE(is_writing(child, folder));
    kill(child, number);
    CHECK(exit_code_of(child) == 128 + number);
    CHECK(names_in(folder).empty());
  }
}

TEST_CASE("Ctrl-C ends a render, which leaves no files", "[tools][output][.windows]") {
  const std::string file = character_file("output_ctrl_c.pchr", sliding_quad());
  const fs::path folder = fresh_folder("ctrl_c");
  const pid_t child = start_long_render(file, folder / "animation.rgba");
  REQUIRE(is_writing(child, folder));
  // Wine turns this signal into Ctrl-C.
  kill(child, SIGINT);
  // The last byte of STATUS_CONTROL_C_EXIT.
  CHECK(exit_code_of(child) == 0x3A);
  CHECK(names_in(folder).empty());
}

TEST_CASE("the hidden file of a running or killed render disturbs no other run", "[tools][output]") {
  const std::string file = character_file("output_killed.pchr", sliding_quad());
  const fs::path folder = fresh_folder("leftovers");
  const pid_t child = start_long_render(file, folder / "animation.rgba");
  REQUIRE(is_writing(child, folder));
  const std::vector<std::string> writing = names_in(folder);
  CHECK(writing.size() == 1);
  CHECK(run_pchr({"render", file, "--size", "8x8", "-o", (folder / "one.png").string()}).exit_code == 0);
  std::vector<std::string> expected = writing;
  expected.emplace_back("one.png");
  CHECK(names_in(folder) == expected);
  kill(child, SIGKILL);
  CHECK(exit_code_of(child) == 128 + SIGKILL);
  CHECK(names_in(folder) == expected);
  CHECK(run_pchr({"unpack", file, "-o", folder.string()}).exit_code == 0);
  expected.insert(expected.end(), {"output_killed.json", "output_killed.plain.png"});
  CHECK(names_in(folder) == expected);
}

TEST_CASE("no output replaces an input file, even with --force", "[tools][output]") {
  const fs::path folder = unpacked(two_bone_arm());
  const std::string json = (folder / "hero.json").string(), image = (folder / "hero.arm.png").string();
  fs::create_hard_link(image, folder / "hard.png");
  fs::create_symlink("hero.arm.png", folder / "soft.png");
  const std::string other = character_file("other.pchr", large_arm());
  const std::string reference = (folder / "reference.png").string();
  REQUIRE(run_pchr({"render", json, "--size", "8x8", "-o", reference}).exit_code == 0);
  const auto within = [&](const std::string& name) { return (folder / name).string(); };
  const Folder before = contents_of(folder);
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"render", json, "-o", image},
           {"render", json, "-o", within("hard.png")},
           {"render", json, "-o", within("soft.png")},
           {"render", json, "-o", within("../old/hero.arm.png")},
           {"render", json, "--format", "png", "-o", json},
           {"render", json, "--contact-sheet", "2", "-o", image},
           {"render", json, "--clip", "bend", "--frames", "0..1", "--format", "gif", "-o", image},
           {"render", json, "--size", "8x8", "--reference", reference, "-o", reference},
           {"sheet", json, "-o", image},
           {"sheet", json, "-o", within("hero.png")},
           {"diff", other, json, "-o", image},
           {"convert", json, "-o", json, "--force"},
           {"convert", json, "--to", "v1", "-o", image, "--force"},
           {"pack", json, "-o", within("hard.png"), "--force"},
           {"unpack", json, "-o", folder.string(), "--force"},
           {"unpack", json, "-o", folder.string()},
       }) {
    const Outcome outcome = run_pchr(arguments);
    INFO(Catch::Detail::stringify(arguments) << " says " << outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.err, contains("it is an input file"));
    CHECK(contents_of(folder) == before);
  }
}

TEST_CASE("the target of a link that -o names is replaced and the link stays, alone and in a batch",
          "[tools][output][posix]") {
  const std::string one = character_file("linked_one.pchr", two_bone_arm());
  const std::string two = character_file("linked_two.pchr", sliding_quad());
  const fs::path folder = fresh_folder("output_links");
  const auto in_folder = [&](const char* name) { return (folder / name).string(); };
  struct Case {
    Strings arguments, outputs;
    int exit_code = 0;
  };
  for (const Case& each : std::vector<Case>{
           {{"render", one, "--size", "8x8", "-o", in_folder("linked_one.png")}, {"linked_one.png"}},
           {{"render", one, two, "--size", "8x8", "-j", "2", "-o", in_folder("{file}.png")},
            {"linked_one.png", "linked_two.png"}},
           {{"sheet", one, "-o", in_folder("linked_one.png")}, {"linked_one.png", "linked_one.json"}},
           {{"sheet", one, two, "-j", "2", "-o", in_folder("{file}.png")}, {"linked_one.png", "linked_two.json"}},
           {{"convert", one, "--force", "-o", in_folder("linked_one.pchr")}, {"linked_one.pchr"}},
           {{"convert", one, "--force", "-o", in_folder("linked_one.json")}, {"linked_one.json"}},
           {{"convert", one, two, "-j", "2", "--force", "-o", in_folder("{file}.json")},
            {"linked_one.json", "linked_two.json"}},
           {{"pack", one, "--force", "-o", in_folder("linked_one.pchr")}, {"linked_one.pchr"}},
           {{"diff", one, two, "-o", in_folder("linked_one.png")}, {"linked_one.png"}, 5},
       }) {
    fs::remove_all(folder);
    fs::create_directories(folder / "store");
    for (const std::string& name : each.outputs) {
      write_file(folder / "store" / name, std::as_bytes(std::span("old", 3)));
      fs::create_symlink(fs::path("store") / name, folder / name);
    }
    const Outcome outcome = run_pchr(each.arguments);
    INFO(Catch::Detail::stringify(each.arguments) << " says " << outcome.err);
    CHECK(outcome.exit_code == each.exit_code);
    for (const std::string& name : each.outputs) {
      CHECK(fs::is_symlink(folder / name));
      CHECK(read_text(folder / "store" / name) != "old");
    }
  }
}

TEST_CASE("textures and animations of a mesh are input files too", "[tools][output]") {
  const fs::path folder = fresh_folder("mesh");
  write_file(folder / "hero.psk", bytes_of(boxes_psk({{"skin", {-1, -1, 0}, {1, 1, 6}}})));
  write_file(folder / "hero.psa", bytes_of(small_psa()));
  const Rgba white{255, 255, 255, 255};
  write_file(folder / "skin.png", png_of(1, 1, white));
  const Folder before = contents_of(folder);
  for (const char* name : {"skin.png", "hero.psa"}) {
    INFO(name);
    CHECK(run_pchr({"render", (folder / "hero.psk").string(), "--size", "8x8", "--format", "png", "-o",
                    (folder / name).string()})
              .exit_code == 2);
    CHECK(contents_of(folder) == before);
  }
}

}  // namespace

}  // namespace output_test
