// SPDX-License-Identifier: MIT
#include "platform/process.hpp"

#include "platform/utf8_path.hpp"
#include "platform/windows.hpp"

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace pchr {

namespace fs = std::filesystem;

namespace {

/// Returns whether a name matches a pattern with `*` and `?`. Both are in lower case.
bool matches(std::wstring_view name, std::wstring_view pattern) {
  constexpr std::size_t kNone = std::wstring_view::npos;
  std::size_t at = 0, in_pattern = 0, star = kNone, after_star = 0;
  while (at < name.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == L'*') {
      star = in_pattern++;
      after_star = at;
    } else if (in_pattern < pattern.size() && (pattern[in_pattern] == L'?' || pattern[in_pattern] == name[at])) {
      ++in_pattern;
      ++at;
    } else if (star != kNone) {
      in_pattern = star + 1;
      at = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of(L'*', in_pattern) == kNone;
}

std::wstring lower_case(std::wstring text) {
  CharLowerBuffW(text.data(), static_cast<DWORD>(text.size()));
  return text;
}

bool is_console(HANDLE stream) {
  DWORD mode = 0;
  return GetConsoleMode(stream, &mode) != 0;
}

bool write_to_console(HANDLE console, std::string_view text) {
  const std::wstring letters = wide(text);
  std::wstring_view left = letters;
  while (!left.empty()) {
    // Consoles refuse very long texts.
    constexpr std::size_t kMax = 8192;
    DWORD written = 0;
    const auto count = static_cast<DWORD>(std::min(left.size(), kMax));
    if (WriteConsoleW(console, left.data(), count, &written, nullptr) == 0 || written == 0) return false;
    left.remove_prefix(written);
  }
  return true;
}

/// What Windows reports for a program that Ctrl-C has ended.
constexpr UINT kEndedByUser = 0xC000013A;

std::atomic<bool> caught = false;

/// Runs on a thread of its own.
BOOL WINAPI remember_request(DWORD kind) {
  const bool first = !caught.exchange(true);
  if (kind == CTRL_C_EVENT || kind == CTRL_BREAK_EVENT) return first ? TRUE : FALSE;
  // Windows ends the program when this returns, and after some seconds in any case.
  Sleep(INFINITE);
  return TRUE;
}

}  // namespace

std::vector<std::string> utf8_arguments(int /*argc*/, char** /*argv*/) {
  int count = 0;
  wchar_t** const values = CommandLineToArgvW(GetCommandLineW(), &count);
  std::vector<std::string> arguments;
  for (int i = 0; i < count; ++i) arguments.push_back(narrow(values[i]));
  LocalFree(values);
  return arguments;
}

std::vector<std::string> expand_wildcards(const std::string& path) {
  const std::size_t name = path.find_last_of("/\\:") + 1;
  if (path.find_first_of("*?", name) == std::string::npos) return {path};
  WIN32_FIND_DATAW found{};
  const auto search =
      FindFirstFileExW(path_from_utf8(path).c_str(), FindExInfoBasic, &found, FindExSearchNameMatch, nullptr, 0);
  if (search == INVALID_HANDLE_VALUE) return {path};
  const std::wstring wanted = lower_case(wide(path.substr(name)));
  std::vector<std::string> files;
  do {
    const std::wstring_view each = found.cFileName;
    // Windows also compares the pattern with short names: by those, *.psk matches HERO~1.PSK, which is hero.pskx.
    const bool fits = wanted == L"*.*" || matches(lower_case(std::wstring(each)), wanted);
    if (fits && (found.dwFileAttributes & FILE_ATTRIBUTE_HIDDEN) == 0 && each != L"." && each != L"..") {
      files.push_back(path.substr(0, name) + narrow(each));
    }
  } while (FindNextFileW(search, &found) != 0);
  FindClose(search);
  if (files.empty()) return {path};
  std::ranges::sort(files);
  return files;
}

std::optional<std::string> find_program(const std::string& name) {
  std::error_code error;
  const fs::path next_to_this = fs::path(own_program()).parent_path() / path_from_utf8(name + ".exe");
  if (fs::is_regular_file(next_to_this, error)) return utf8_of(next_to_this);
  const DWORD size = GetEnvironmentVariableW(L"PATH", nullptr, 0);
  std::wstring folders(size, L'\0');
  folders.resize(GetEnvironmentVariableW(L"PATH", folders.data(), size));
  // Without a list of folders, Windows would search the current folder before PATH.
  std::wstring found(32768, L'\0');
  const DWORD length = SearchPathW(folders.c_str(), wide(name).c_str(), L".exe", static_cast<DWORD>(found.size()),
                                   found.data(), nullptr);
  if (folders.empty() || length == 0 || length >= found.size()) return std::nullopt;
  return narrow(std::wstring_view(found).substr(0, length));
}

std::string become_program(const std::string& path, std::vector<std::string> arguments) {
  std::wstring line;
  for (const std::string& argument : arguments) append_quoted(line, wide(argument));
  // The program ends with this one, as if it had replaced it.
  const HANDLE job = CreateJobObjectW(nullptr, nullptr);
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
  SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof(limits));
  STARTUPINFOW startup{};
  startup.cb = sizeof(startup);
  startup.dwFlags = STARTF_USESTDHANDLES;
  startup.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
  startup.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
  startup.hStdError = GetStdHandle(STD_ERROR_HANDLE);
  for (const HANDLE stream : {startup.hStdInput, startup.hStdOutput, startup.hStdError}) {
    SetHandleInformation(stream, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT);
  }
  PROCESS_INFORMATION process{};
  if (CreateProcessW(path_from_utf8(path).c_str(), line.data(), nullptr, nullptr, TRUE, CREATE_SUSPENDED, nullptr,
                     nullptr, &startup, &process) == 0) {
    return error_text(GetLastError());
  }
  AssignProcessToJobObject(job, process.hProcess);
  ResumeThread(process.hThread);
  WaitForSingleObject(process.hProcess, INFINITE);
  DWORD exit_code = 1;
  GetExitCodeProcess(process.hProcess, &exit_code);
  ExitProcess(exit_code);
}

void share_freed_memory() noexcept {}

void set_default_variable(const std::string& name, const std::string& value) noexcept {
  if (std::getenv(name.c_str()) == nullptr) _putenv_s(name.c_str(), value.c_str());
}

void prepare_standard_streams() noexcept {
  for (std::FILE* const stream : {stdin, stdout, stderr}) {
    // A closed stream has no descriptor.
    if (_fileno(stream) >= 0) _setmode(_fileno(stream), _O_BINARY);
  }
}

int write_standard_output(std::span<const std::byte> bytes) {
  const auto output = GetStdHandle(STD_OUTPUT_HANDLE);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (is_console(output)) return write_to_console(output, text) ? 0 : EIO;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return 0;
  // The C library only reports EINVAL for a pipe that its reader has closed.
  if (_doserrno == ERROR_NO_DATA || _doserrno == ERROR_BROKEN_PIPE) return EPIPE;
  return errno != 0 ? errno : EIO;
}

void write_standard_error(std::string_view text) noexcept {
  const auto error = GetStdHandle(STD_ERROR_HANDLE);
  if (is_console(error)) {
    write_to_console(error, text);
  } else {
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
}

bool is_error_on_terminal() noexcept {
  DWORD mode = 0;
  return GetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), &mode) != 0;
}

std::optional<std::size_t> terminal_columns() noexcept {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &info) == 0) return std::nullopt;
  return static_cast<std::size_t>(info.srWindow.Right - info.srWindow.Left + 1);
}

void catch_interrupts() noexcept { SetConsoleCtrlHandler(remember_request, TRUE); }

void release_interrupts() noexcept { SetConsoleCtrlHandler(remember_request, FALSE); }

bool interrupted() noexcept { return caught; }

void end_if_interrupted() noexcept {
  if (caught) ExitProcess(kEndedByUser);
}

void end_program(int exit_code) noexcept {
  std::fflush(nullptr);
  TerminateProcess(GetCurrentProcess(), static_cast<UINT>(exit_code));
  std::abort();
}

}  // namespace pchr
