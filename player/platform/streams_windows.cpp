// SPDX-License-Identifier: MIT
#include "platform/streams.hpp"

#include "platform/utf8_path.hpp"
#include "platform/windows.hpp"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <thread>
#include <utility>

namespace pchr::player {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeptBytes = 4096;

/// Keeps the end of what can be read, until its end.
void drain(HANDLE handle, std::string& kept) {
  std::array<char, 1024> buffer{};
  DWORD count = 0;
  while (ReadFile(handle, buffer.data(), static_cast<DWORD>(buffer.size()), &count, nullptr) != 0 && count > 0) {
    kept.append(buffer.data(), count);
    if (kept.size() > kKeptBytes) kept.erase(0, kept.size() - kKeptBytes);
  }
}

struct Pipe {
  Handle read{}, write{};
};

/// Makes a pipe. One end is inherited.
bool make_pipe(Pipe& made, bool child_reads) {
  SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  HANDLE read = nullptr;
  HANDLE write = nullptr;
  if (CreatePipe(&read, &write, &inherited, 0) == 0) return false;
  made = {Handle(read), Handle(write)};
  return SetHandleInformation(child_reads ? write : read, HANDLE_FLAG_INHERIT, 0) != 0;
}

}  // namespace

struct ChildProgram::State {
  Handle input{}, errors{}, process{};
  std::string kept{};
  std::thread reader{};

  void wait() {
    input = Handle();
    if (process) WaitForSingleObject(process.get(), INFINITE);
    if (reader.joinable()) reader.join();
  }
  ~State() {
    if (process) TerminateProcess(process.get(), 1);
    wait();
  }
};

ChildProgram::ChildProgram(std::unique_ptr<State> state) noexcept
    : state_(state.release(), [](State* owned) { delete owned; }) {}

Expected<ChildProgram, std::string> ChildProgram::start(const fs::path& program,
                                                        const std::vector<std::string>& arguments) {
  auto state = std::make_unique<State>();
  Pipe input, errors;
  if (!make_pipe(input, true) || !make_pipe(errors, false)) return Unexpected(error_text(GetLastError()));
  std::wstring line;
  append_quoted(line, wide(utf8_of(program)));
  for (const std::string& argument : arguments) append_quoted(line, wide(argument));

  // Only these handles, or a program that starts at the same time would keep the pipes open.
  std::array<HANDLE, 2> inherited{input.read.get(), errors.write.get()};
  SIZE_T size = 0;
  InitializeProcThreadAttributeList(nullptr, 1, 0, &size);
  std::vector<std::byte> memory(size);
  auto* const list = reinterpret_cast<LPPROC_THREAD_ATTRIBUTE_LIST>(memory.data());
  if (InitializeProcThreadAttributeList(list, 1, 0, &size) == 0) return Unexpected(error_text(GetLastError()));
  UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, inherited.data(), sizeof(inherited), nullptr,
                            nullptr);
  STARTUPINFOEXW startup{};
  startup.StartupInfo.cb = sizeof(startup);
  startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
  startup.StartupInfo.hStdInput = inherited[0];
  startup.StartupInfo.hStdError = inherited[1];
  startup.lpAttributeList = list;
  PROCESS_INFORMATION information{};
  const BOOL started = CreateProcessW(wide(utf8_of(program)).c_str(), line.data(), nullptr, nullptr, TRUE,
                                      CREATE_NO_WINDOW | EXTENDED_STARTUPINFO_PRESENT, nullptr, nullptr,
                                      &startup.StartupInfo, &information);
  const DWORD error = GetLastError();
  DeleteProcThreadAttributeList(list);
  if (started == 0) return Unexpected(error_text(error));
  CloseHandle(information.hThread);
  state->process = Handle(information.hProcess);
  state->input = std::move(input.write);
  state->errors = std::move(errors.read);
  errors.write = Handle();
  state->reader = std::thread([&kept = state->kept, handle = state->errors.get()] { drain(handle, kept); });
  return ChildProgram(std::move(state));
}

bool ChildProgram::write(std::span<const std::byte> bytes) {
  constexpr std::size_t kPart = std::size_t{1} << 20;
  while (!bytes.empty()) {
    DWORD written = 0;
    const auto part = static_cast<DWORD>(std::min(bytes.size(), kPart));
    if (WriteFile(state_->input.get(), bytes.data(), part, &written, nullptr) == 0) return false;
    bytes = bytes.subspan(written);
  }
  return true;
}

bool ChildProgram::finish() {
  state_->wait();
  DWORD code = 1;
  return GetExitCodeProcess(state_->process.get(), &code) != 0 && code == 0;
}

std::string ChildProgram::error_line() const {
  std::string_view text = state_->kept;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.remove_suffix(1);
  return std::string(text.substr(text.find_last_of("\r\n") + 1));
}

void ChildProgram::kill() { TerminateProcess(state_->process.get(), 1); }

namespace {

constexpr DWORD kPollMilliseconds = 20;

}  // namespace

// Paths that name devices are refused when they are opened as files.
bool is_stream(const std::filesystem::path& /*path*/) { return false; }

InputStream InputStream::standard_input() noexcept {
  return {reinterpret_cast<std::intptr_t>(GetStdHandle(STD_INPUT_HANDLE)), false};
}

Expected<InputStream, std::string> InputStream::open(const std::filesystem::path& /*path*/) {
  return Unexpected(std::string("not a file"));
}

InputStream::InputStream(InputStream&& other) noexcept = default;
InputStream::~InputStream() = default;

std::optional<std::size_t> InputStream::read(std::span<std::byte> bytes) const {
  auto* const input = reinterpret_cast<HANDLE>(handle_);
  auto wanted = static_cast<DWORD>(std::min<std::size_t>(bytes.size(), MAXDWORD));
  if (GetFileType(input) == FILE_TYPE_PIPE) {
    // Reading an empty pipe would block until its other end is closed.
    DWORD available = 0;
    if (PeekNamedPipe(input, nullptr, 0, nullptr, &available, nullptr) == 0) return std::nullopt;
    if (available == 0) {
      Sleep(kPollMilliseconds);
      return 0;
    }
    wanted = std::min(wanted, available);
  }
  DWORD count = 0;
  if (ReadFile(input, bytes.data(), wanted, &count, nullptr) == 0 || count == 0) return std::nullopt;
  return count;
}

std::optional<char> QuestionChannel::receive() const {
  char byte = 0;
  return _read(input, &byte, 1) == 1 ? std::optional(byte) : std::nullopt;
}

void QuestionChannel::send(std::string_view text) const {
  // The C library would write line breaks as those of Windows.
  static_cast<void>(_setmode(output, _O_BINARY));
  while (!text.empty()) {
    const int sent = _write(output, text.data(), static_cast<unsigned>(text.size()));
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

}  // namespace pchr::player
