// SPDX-License-Identifier: MIT
#include "platform/input_stream.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace pchr::player {
namespace {

constexpr int kWaitMilliseconds = 100;

}  // namespace

bool is_stream(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_other(path, error);
}

InputStream InputStream::standard_input() noexcept { return {STDIN_FILENO, false}; }

Expected<InputStream, std::string> InputStream::open(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  if (descriptor < 0) return Unexpected(std::string(std::strerror(errno)));
  return InputStream(descriptor, true);
}

InputStream::InputStream(InputStream&& other) noexcept
    : handle_(other.handle_), owned_(std::exchange(other.owned_, false)) {}

InputStream::~InputStream() {
  if (owned_) close(static_cast<int>(handle_));
}

std::optional<std::size_t> InputStream::read(std::span<std::byte> bytes) const {
  pollfd input{static_cast<int>(handle_), POLLIN, 0};
  if (poll(&input, 1, kWaitMilliseconds) == 0) return 0;
  const ssize_t count = ::read(input.fd, bytes.data(), bytes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
  if (count <= 0) return std::nullopt;
  return static_cast<std::size_t>(count);
}

}  // namespace pchr::player
