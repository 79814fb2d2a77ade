// SPDX-License-Identifier: MIT
// Programs of Windows, where each program splits its command line and expands wildcards itself.
#include "platform/program.hpp"

#include "platform/utf8_path.hpp"
#include "platform/windows_text.hpp"

#include <windows.h>

#include <shellapi.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace pchr {
namespace {

namespace fs = std::filesystem;

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

}  // namespace pchr
