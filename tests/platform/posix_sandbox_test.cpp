// SPDX-License-Identifier: MIT
// What a process can still do after it has locked itself down. Each question is asked in a process of its own, twice:
// by the thread that locked the process down and by one that was there before.
#include "support/catch.hpp"
#include "support/files.hpp"

#include "platform/sandbox.hpp"

#include <fcntl.h>
#ifdef __linux__
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <new>
#include <thread>

namespace sandbox_test {
using namespace pchr;
namespace fs = std::filesystem;

namespace {

/// Returns the exit code of a function in a process of its own.
int in_child(const std::function<int()>& run) {
  const pid_t child = fork();
  if (child == 0) _exit(run());
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// What this system can put in force.
Sandbox available() {
  const int answer = in_child([] {
    const Sandbox sandbox = enter_sandbox({});
    return (sandbox.seccomp ? 1 : 0) + (sandbox.landlock > 0 ? 2 : 0);
  });
  return {.seccomp = (answer & 1) != 0, .landlock = answer >> 1};
}

constexpr int kAllowed = 0, kRefused = 1, kNotInForce = 2;

/// Returns kRefused if the system refuses an action after the process is locked down, on both threads.
int try_in_sandbox(const std::vector<std::string>& folders, const std::function<bool()>& act) {
  return in_child([&] {
    std::atomic<bool> locked = false, other_acted = false;
    std::thread other([&] {
      locked.wait(false);
      other_acted = act();
    });
    const Sandbox sandbox = enter_sandbox(folders);
    locked = true;
    locked.notify_all();
    other.join();
    const bool acted = act();
    if (!sandbox.seccomp && sandbox.landlock == 0) return kNotInForce;
    return acted || other_acted ? kAllowed : kRefused;
  });
}

bool opens(const fs::path& path, int flags) { return open(path.c_str(), flags, 0600) >= 0; }

}  // namespace

TEST_CASE("a process that is locked down reaches no other file, process or host", "[sandbox]") {
  const Sandbox system = available();
  if (!system.seccomp) {
    WARN("not checked: this system has no seccomp filters");
    return;
  }
  const fs::path folder = test::fresh_folder("sandbox");
  test::write_file(folder / "there", {});
  const auto refused = [&](const std::function<bool()>& act) {
    return try_in_sandbox({folder.string()}, act) == kRefused;
  };
  CHECK(refused([] { return opens("/etc/passwd", O_RDONLY); }));
  CHECK(refused([] { return opens("/dev/null", O_WRONLY); }));
  CHECK(refused([&] { return opens(folder / "there", O_RDONLY); }));
  CHECK(refused([&] { return opens(folder / "there", O_WRONLY | O_CREAT | O_TRUNC); }));
  CHECK(refused([] { return socket(AF_INET, SOCK_STREAM, 0) >= 0; }));
  CHECK(refused([] { return socket(AF_UNIX, SOCK_STREAM, 0) >= 0; }));
  CHECK(refused([] {
    const pid_t child = fork();
    if (child == 0) _exit(0);
    return child > 0;
  }));
  CHECK(refused([] { return execl("/bin/true", "true", nullptr) == 0; }));
  CHECK(refused([] { return kill(getppid(), 0) == 0; }));
  CHECK(refused([] { return setpriority(PRIO_PROCESS, static_cast<id_t>(getppid()), 19) == 0; }));
  CHECK(refused([] { return prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0) == 0; }));
  CHECK(refused([] { return semget(IPC_PRIVATE, 1, 0600) >= 0; }));
  CHECK(refused([&] { return chmod((folder / "there").c_str(), 0777) == 0; }));
  CHECK(refused([&] { return symlink("/etc/passwd", (folder / "link").c_str()) == 0; }));
  CHECK(fs::file_size(folder / "there") == 0);
}

TEST_CASE("a process that is locked down creates files only in the folders of its outputs", "[sandbox]") {
  if (available().landlock == 0) {
    WARN("not checked: this system has no Landlock");
    return;
  }
  const fs::path folder = test::fresh_folder("sandbox_folders"), out = folder / "out";
  fs::create_directories(out);
  test::write_file(folder / "there", {});
  const auto refused = [&](const std::function<bool()>& act) {
    return try_in_sandbox({out.string()}, act) == kRefused;
  };
  constexpr int kNew = O_WRONLY | O_CREAT | O_EXCL;
  CHECK(refused([&] { return opens(folder / "new", kNew); }));
  CHECK(refused([&] { return mkdir((folder / "new").c_str(), 0700) == 0; }));
  CHECK(refused([&] { return rename((folder / "there").c_str(), (out / "there").c_str()) == 0; }));
  CHECK(refused([&] { return rename((folder / "there").c_str(), (folder / "moved").c_str()) == 0; }));
  CHECK(refused([&] { return link((folder / "there").c_str(), (out / "there").c_str()) == 0; }));
  CHECK(refused([&] { return unlink((folder / "there").c_str()) == 0; }));
  CHECK(try_in_sandbox({out.string()}, [&] {
          const std::string name = (out / "new").string(), renamed = (out / "renamed").string();
          return opens(name, kNew) && std::rename(name.c_str(), renamed.c_str()) == 0 && unlink(renamed.c_str()) == 0;
        }) == kAllowed);
}

#ifdef __linux__
/// Makes the kernel deny that it has a system call.
void hide_call(std::uint32_t number) {
  std::array code{sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
                  sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, number},
                  sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
                  sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  const sock_fprog program{code.size(), code.data()};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

constexpr std::uint32_t kLandlockCreateRuleset = 444;

TEST_CASE("without Landlock, a process that is locked down still opens no file", "[sandbox]") {
  const fs::path folder = test::fresh_folder("sandbox_without");
  test::write_file(folder / "there", {});
  CHECK(in_child([&] {
          hide_call(kLandlockCreateRuleset);
          const Sandbox sandbox = enter_sandbox({folder.string()});
          const bool said = sandbox.landlock == 0 && sandbox.missing.size() == 1;
          const bool refused = !opens("/etc/passwd", O_RDONLY) && !opens(folder / "there", O_RDWR) &&
                               link((folder / "there").c_str(), (folder / "link").c_str()) != 0;
          return said && sandbox.seccomp && refused && opens(folder / "new", O_WRONLY | O_CREAT | O_EXCL) ? 0 : 1;
        }) == (available().seccomp ? 0 : 1));
}

TEST_CASE("without seccomp, Landlock alone keeps files out of reach", "[sandbox]") {
  if (available().landlock == 0) {
    WARN("not checked: this system has no Landlock");
    return;
  }
  const fs::path folder = test::fresh_folder("sandbox_landlock");
  CHECK(in_child([&] {
          hide_call(SYS_seccomp);
          const Sandbox sandbox = enter_sandbox({folder.string()});
          const bool said = !sandbox.seccomp && sandbox.landlock > 0 && sandbox.missing.size() == 1;
          return said && !opens("/etc/passwd", O_RDONLY) && opens(folder / "new", O_WRONLY | O_CREAT | O_EXCL) ? 0 : 1;
        }) == 0);
}
#endif

TEST_CASE("a process that is locked down can compile code, start threads and signal itself", "[sandbox]") {
  CHECK(in_child([] {
          (void)enter_sandbox({});
          void* const page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
          if (page == MAP_FAILED || mprotect(page, 4096, PROT_READ | PROT_EXEC) != 0) return 1;
          std::thread([] {}).join();
          std::signal(SIGUSR1, [](int) { _exit(7); });
          std::raise(SIGUSR1);
          return 2;
        }) == 7);
}

TEST_CASE("a file can grow up to the limit of its size", "[sandbox]") {
  const fs::path folder = test::fresh_folder("sandbox_size");
  CHECK(in_child([&] {
          if (limit_file_size(4096)) return 1;
          const int file = open((folder / "file").c_str(), O_WRONLY | O_CREAT, 0600);
          const std::array<char, 4096> bytes{};
          if (write(file, bytes.data(), bytes.size()) != 4096 || has_exceeded_file_size()) return 2;
          return write(file, bytes.data(), 1) == -1 && errno == EFBIG && has_exceeded_file_size() ? 0 : 3;
        }) == 0);
  CHECK(fs::file_size(folder / "file") == 4096);
}

TEST_CASE("standard error can lead nowhere, and other files can be closed", "[sandbox]") {
  const fs::path folder = test::fresh_folder("sandbox_streams");
  CHECK(in_child([&] {
          const int file = open((folder / "file").c_str(), O_WRONLY | O_CREAT, 0600);
          if (dup2(file, STDERR_FILENO) != STDERR_FILENO) return 1;
          discard_standard_error();
          if (write(STDERR_FILENO, "text", 4) != 4) return 2;
#ifdef __linux__
          close_inherited_files();
          if (write(file, "text", 4) != -1) return 3;
#endif
          return 0;
        }) == 0);
  CHECK(fs::file_size(folder / "file") == 0);
}

#ifndef PCHR_ADDRESS_SANITIZER
TEST_CASE("an allocation above the memory limit fails", "[sandbox]") {
  constexpr std::size_t kMegabyte = std::size_t{1} << 20;
  CHECK(in_child([] {
          if (limit_memory(64 * kMegabyte)) return 1;
          const auto allocates = [](std::size_t bytes) {
            void* const memory = ::operator new(bytes, std::nothrow);
            ::operator delete(memory);
            return memory != nullptr;
          };
          return allocates(16 * kMegabyte) && !allocates(80 * kMegabyte) ? 0 : 2;
        }) == 0);
}
#endif

}  // namespace sandbox_test
