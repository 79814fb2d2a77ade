// SPDX-License-Identifier: MIT
// Programs that the player starts, and pipes that it reads.
#include "app/exporter.hpp"
#include "document/loader.hpp"
#include "platform/desktop.hpp"
#include "platform/process.hpp"
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/scenes.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace pchr::player::posix_loader_test {

namespace fs = std::filesystem;

TEST_CASE("a loader that waits for a pipe can be destroyed", "[player][loader]") {
  const fs::path pipe = test::output("player/loader-silent.pchr");
  fs::remove(pipe);
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  // A separate process with an alarm, so that a hang does not block the other tests.
  const pid_t child = fork();
  if (child == 0) {
    alarm(600);
    {
      Loader loader([] {});
      loader.start({.paths = {pipe}});
      // Opening the other end succeeds once the loader has opened the pipe.
      while (open(pipe.c_str(), O_WRONLY | O_NONBLOCK) < 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
}

TEST_CASE("a loader reads a character from a pipe", "[player][loader]") {
  const fs::path arm = test::output("player/loader-arm.pchr");
  test::write_file(arm, test::write_v1(test::two_bone_arm()));
  const fs::path pipe = test::output("player/loader-pipe.pchr");
  fs::remove(pipe);
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  Loader loader([] {});
  loader.start({.paths = {pipe}});
  const test::Bytes bytes = test::read_file(arm);
  // The writer waits for the loader to open the other end.
  std::thread writer([&] { test::write_file(pipe, bytes); });
  std::optional<LoadResult> result;
  while (!(result = loader.take())) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  writer.join();
  REQUIRE(result->file);
  CHECK(result->file->path == pipe);
  CHECK(result->read.empty());
}

}  // namespace pchr::player::posix_loader_test

namespace pchr::player::posix_file_manager_test {
namespace {

namespace fs = std::filesystem;

/// Makes programs be found only in one folder.
class Path {
 public:
  explicit Path(const fs::path& folder) { setenv("PATH", folder.c_str(), 1); }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;
  ~Path() { setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_ = std::getenv("PATH");
};

/// Makes a program that writes its last arguments to `called`, then ends with `code`.
void write_program(const fs::path& path, const fs::path& called, int code) {
  // Renaming makes the file appear complete.
  std::ofstream(path) << "#!/bin/sh\nfor last; do echo \"$last\" >>'" << called.string() << ".part'; done\n"
                      << "/bin/mv '" << called.string() << ".part' '" << called.string() << "'\nexit " << code << "\n";
  fs::permissions(path, fs::perms::owner_all);
}

std::string wait_for(const fs::path& file) {
  while (!fs::exists(file)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return test::read_text(file);
}

}  // namespace

TEST_CASE("a file is selected in the file manager, or else its folder is opened", "[player]") {
  const fs::path programs = test::output("player/programs/x").parent_path();
  fs::remove_all(programs);
  fs::create_directories(programs);
  const fs::path called = programs / "called";
  const fs::path opened = programs / "opened";
  const Path path(programs);
  CHECK_FALSE(show_in_folder("/a/b"));
  write_program(programs / "dbus-send", called, 1);
  write_program(programs / "xdg-open", opened, 0);
  CHECK(show_in_folder("/a/two words, \u7d75.pchr"));
  CHECK_THAT(wait_for(called), test::contains("array:string:file:///a/two%20words%2C%20%E7%B5%B5.pchr\n"));
  CHECK(wait_for(opened) == "/a\n");
  fs::remove(opened);
  CHECK(open_with_default_program("/a/two words.gif"));
  CHECK(wait_for(opened) == "/a/two words.gif\n");
  fs::remove(programs / "xdg-open");
  CHECK_FALSE(open_with_default_program("/a/b"));
}

}  // namespace pchr::player::posix_file_manager_test

namespace pchr::player::posix_video_test {
namespace {

namespace fs = std::filesystem;

fs::path program(const fs::path& path, const std::string& script) {
  std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

std::size_t file_count(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// Writes its input to the file that its last argument names.
constexpr const char* kCopy = "for last; do :; done\ncat >\"${last#file:}\"";

constexpr std::byte kByte{7};

}  // namespace

TEST_CASE("a program is found in the absolute folders of PATH", "[player][video]") {
  const fs::path folder = test::fresh_folder("path");
  const std::string before = std::getenv("PATH");
  program(folder / "tool", "exit 0");
  std::ofstream(folder / "text") << "no program";
  setenv("PATH", ("relative::" + folder.string()).c_str(), 1);
  CHECK(find_program("tool") == (folder / "tool").string());
  CHECK_FALSE(find_program("text"));
  CHECK_FALSE(find_program("none"));
  setenv("PATH", before.c_str(), 1);
}

TEST_CASE("a program reads all that is written, and its last error line is kept", "[player][video]") {
  const fs::path folder = test::fresh_folder("child");
  const fs::path copied = folder / "two words \" ' $HOME";
  auto child = ChildProgram::start(program(folder / "copy", kCopy), {"a b", copied.string()});
  REQUIRE(child);
  const std::vector<std::byte> bytes(300'000, kByte);
  for (int i = 0; i < 10; ++i) CHECK(child->write(bytes));
  CHECK(child->finish());
  CHECK(fs::file_size(copied) == 3'000'000);
  CHECK(child->error_line().empty());

  auto failing = ChildProgram::start(program(folder / "fail", "echo one >&2\necho two >&2\nexit 3"), {});
  REQUIRE(failing);
  CHECK_FALSE(failing->finish());
  CHECK(failing->error_line() == "two");
  CHECK_FALSE(ChildProgram::start(folder / "none", {}));
}

TEST_CASE("writing to a program that has ended fails, and a killed one ends", "[player][video]") {
  const fs::path folder = test::fresh_folder("kill");
  const std::vector<std::byte> bytes(100'000, kByte);
  auto ended = ChildProgram::start(program(folder / "end", "exit 0"), {});
  REQUIRE(ended);
  while (ended->write(bytes)) {
  }
  auto waiting = ChildProgram::start(program(folder / "wait", "exec sleep 1000"), {});
  REQUIRE(waiting);
  std::thread killer([&] { waiting->kill(); });
  while (waiting->write(bytes)) {
  }
  CHECK_FALSE(waiting->finish());
  killer.join();
}

TEST_CASE("ffmpeg gets raw frames, their rate and the format", "[player][video]") {
  AnimationInfo info{.width = 64, .height = 48, .frame_ends = {0.04, 0.08}};
  const auto joined = [&](const VideoOptions& options) {
    std::string text;
    for (const std::string& argument : video_arguments(info, options, "-a.tmp")) text += argument + " ";
    return text;
  };
  const std::string mp4 = joined({.format = VideoFormat::mp4, .quality = 80});
  CHECK_THAT(mp4, test::contains("-f rawvideo -pixel_format rgba -video_size 64x48 -framerate 25.000000 -i pipe:0 "));
  CHECK_THAT(mp4, test::contains("format=yuv420p -c:v libx264 -crf 20 "));
  CHECK_THAT(mp4, test::contains("-f mp4 file:-a.tmp "));
  CHECK_THAT(joined({.format = VideoFormat::webm, .alpha = true}), test::contains("format=yuva420p -c:v libvpx-vp9 "));
  CHECK_THAT(joined({.format = VideoFormat::webm}), test::contains("format=yuv420p "));
}

TEST_CASE("a video appears when it is published, and nothing stays of others", "[player][video]") {
  const fs::path folder = test::fresh_folder("publish");
  const fs::path ffmpeg = program(folder / "ffmpeg", kCopy);
  const std::vector<std::byte> frame(64, kByte);
  const AnimationInfo info{.width = 4, .height = 4, .frame_ends = {0.5, 1}};
  const std::string a = (folder / "a.mp4").string(), b = (folder / "b.mp4").string();
  for (const bool publish : {false, true}) {
    VideoWriter video(ffmpeg, {});
    for (const std::string& path : {a, b}) {
      video.add(path, info);
      CHECK(video.write(path, frame, false));
      CHECK(video.write(path, frame, true));
    }
    CHECK(video.bytes() == 256);
    CHECK_FALSE(fs::exists(a));
    if (publish) CHECK(video.publish(Existing::keep));
  }
  CHECK(fs::file_size(a) == 128);
  CHECK(fs::file_size(b) == 128);
  CHECK(file_count(folder) == 3);
  VideoWriter again(ffmpeg, {});
  again.add(a, info);
  CHECK(again.write(a, frame, true));
  CHECK(again.publish(Existing::keep).error().kind == ExportError::Kind::exists);
  CHECK(fs::file_size(a) == 128);
  CHECK(again.publish(Existing::replace));
  CHECK(fs::file_size(a) == 64);
}

TEST_CASE("a failure of ffmpeg is reported with its last line", "[player][video]") {
  const fs::path folder = test::fresh_folder("failure");
  const fs::path ffmpeg = program(folder / "ffmpeg", "cat >/dev/null\necho \"Unknown encoder 'libx264'\" >&2\nexit 1");
  VideoWriter video(ffmpeg, {});
  video.add((folder / "a.mp4").string(), {.width = 1, .height = 1, .frame_ends = {1}});
  const auto written = video.write((folder / "a.mp4").string(), std::vector<std::byte>(4), true);
  REQUIRE_FALSE(written);
  CHECK(written.error().message == "ffmpeg failed: Unknown encoder 'libx264'");
  VideoWriter nowhere(ffmpeg, {});
  nowhere.add((folder / "none" / "a.mp4").string(), {.width = 1, .height = 1, .frame_ends = {1}});
  CHECK_THAT(nowhere.write((folder / "none" / "a.mp4").string(), {}, true).error().message,
             test::contains("a.mp4: No such file"));
}

TEST_CASE("stopping ends a video that is being written", "[player][video]") {
  const fs::path folder = test::fresh_folder("stop");
  const fs::path ffmpeg = program(folder / "ffmpeg", "exec sleep 1000");
  {
    VideoWriter video(ffmpeg, {});
    const std::string path = (folder / "a.mp4").string();
    video.add(path, {.width = 1, .height = 1, .frame_ends = {1}});
    const std::vector<std::byte> bytes(100'000, kByte);
    std::thread writer([&] {
      while (video.write(path, bytes, false)) {
      }
    });
    while (file_count(folder) == 1) std::this_thread::yield();
    video.stop();
    writer.join();
  }
  CHECK(file_count(folder) == 1);
}

}  // namespace pchr::player::posix_video_test
