// SPDX-License-Identifier: MIT
#include "platform/input_stream.hpp"

#include <windows.h>

#include <algorithm>

namespace pchr::player {
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

}  // namespace pchr::player
