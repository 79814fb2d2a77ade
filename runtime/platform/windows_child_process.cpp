// SPDX-License-Identifier: MIT
// Child processes of Windows.
#include "platform/child_process.hpp"

#include "character/format.hpp"
#include "platform/windows_handle.hpp"
#include "platform/windows_text.hpp"

#include <windows.h>

#include <algorithm>
#include <array>

namespace pchr {
namespace {

/// Handles of a pipe, which no process inherits.
struct Pipe {
  Handle reading, writing;
};

bool open_pipe(Pipe& pipe) {
  HANDLE reading = nullptr, writing = nullptr;
  if (CreatePipe(&reading, &writing, nullptr, 0) == 0) return false;
  pipe.reading = Handle(reading);
  pipe.writing = Handle(writing);
  return true;
}

/// The job of all child processes, which ends them when this process ends in any way.
HANDLE children() {
  static const HANDLE job = [] {
    const HANDLE made = CreateJobObjectW(nullptr, nullptr);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    SetInformationJobObject(made, JobObjectExtendedLimitInformation, &limits, sizeof(limits));
    return made;
  }();
  return job;
}

/// Starts a suspended process that inherits only these handles, as its standard streams.
bool start_process(const std::wstring& program, std::wstring line, std::array<HANDLE, 3> streams,
                   PROCESS_INFORMATION& process) {
  SIZE_T size = 0;
  InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
  std::vector<std::byte> memory(size);
  auto* const attributes = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory.data());
  if (InitializeProcThreadAttributeList(attributes, 1, 0, &size) == 0) return false;
  STARTUPINFOEXW startup{};
  startup.StartupInfo.cb = sizeof(startup);
  startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  startup.StartupInfo.hStdInput = streams[0];
  startup.StartupInfo.hStdOutput = streams[1];
  startup.StartupInfo.hStdError = streams[2];
  startup.lpAttributeList = attributes;
  bool started = UpdateProcThreadAttribute(attributes, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, streams.data(),
                                           (streams[2] != nullptr ? 3 : 2) * sizeof(HANDLE), nullptr, nullptr) != 0;
  started = started && CreateProcessW(program.c_str(), line.data(), nullptr, nullptr, TRUE,
                                      CREATE_SUSPENDED | EXTENDED_STARTUPINFO_PRESENT, nullptr, nullptr,
                                      &startup.StartupInfo, &process) != 0;
  const DWORD error = GetLastError();
  DeleteProcThreadAttributeList(attributes);
  SetLastError(error);
  return started;
}

HANDLE inherited(HANDLE handle) {
  HANDLE copy = nullptr;
  const auto self = GetCurrentProcess();
  if (handle == nullptr || handle == INVALID_HANDLE_VALUE) return nullptr;
  return DuplicateHandle(self, handle, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) != 0 ? copy : nullptr;
}

}  // namespace

struct ChildProcess::State {
  Handle process, to, from;

  std::string wait() {
    to = Handle();
    WaitForSingleObject(process.get(), INFINITE);
    DWORD exit_code = 1;
    GetExitCodeProcess(process.get(), &exit_code);
    process = Handle();
    if (exit_code == 0) return "";
    // Exceptions, such as an access violation, end a process with their code.
    return exit_code < 256 ? format_text("exit code {}", exit_code) : format_text("exit code {:#x}", exit_code);
  }
};

Expected<ChildProcess, std::string> ChildProcess::start(std::vector<std::string> arguments) {
  const auto failed = [] { return Unexpected(error_text(GetLastError())); };
  Pipe to, from;
  if (!open_pipe(to) || !open_pipe(from)) return failed();
  std::wstring line;
  for (const std::string& argument : arguments) append_quoted(line, wide(argument));
  const std::array<HANDLE, 3> streams{inherited(to.reading.get()), inherited(from.writing.get()),
                                      inherited(GetStdHandle(STD_ERROR_HANDLE))};
  PROCESS_INFORMATION process{};
  const bool started = start_process(own_program(), std::move(line), streams, process);
  const auto error = started ? std::string() : error_text(GetLastError());
  for (const HANDLE stream : streams) {
    if (stream != nullptr) CloseHandle(stream);
  }
  if (!started) return Unexpected(error);
  AssignProcessToJobObject(children(), process.hProcess);
  ResumeThread(process.hThread);
  CloseHandle(process.hThread);
  const auto end = [](State* state) {
    if (state->process) {
      TerminateProcess(state->process.get(), 1);
      state->wait();
    }
    delete state;
  };
  return ChildProcess({new State{Handle(process.hProcess), std::move(to.writing), std::move(from.reading)}, end});
}

bool ChildProcess::write(std::span<const std::byte> bytes) {
  constexpr std::size_t kMax = std::size_t{1} << 20;
  while (!bytes.empty()) {
    DWORD count = 0;
    const auto wanted = static_cast<DWORD>(std::min(bytes.size(), kMax));
    if (WriteFile(state_->to.get(), bytes.data(), wanted, &count, nullptr) == 0) return false;
    bytes = bytes.subspan(count);
  }
  return true;
}

bool ChildProcess::read(std::span<std::byte> bytes) {
  constexpr std::size_t kMax = std::size_t{1} << 20;
  while (!bytes.empty()) {
    DWORD count = 0;
    const auto wanted = static_cast<DWORD>(std::min(bytes.size(), kMax));
    if (::ReadFile(state_->from.get(), bytes.data(), wanted, &count, nullptr) == 0 || count == 0) return false;
    bytes = bytes.subspan(count);
  }
  return true;
}

void ChildProcess::terminate() const noexcept { kill(); }
void ChildProcess::kill() const noexcept { TerminateProcess(state_->process.get(), 1); }
std::string ChildProcess::wait() { return state_->wait(); }

// The job of the parent's children does.
void end_with_parent() noexcept {}

}  // namespace pchr
