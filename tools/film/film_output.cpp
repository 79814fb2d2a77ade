// SPDX-License-Identifier: MIT
// Where films go.
#include "film/film_output.hpp"

#include <cerrno>
#include <filesystem>
#include <utility>

namespace pchr::film {
namespace {

namespace fs = std::filesystem;

std::unexpected<std::string> failed(const std::string& path, int error) {
  return std::unexpected(describe_write_error(path, error));
}

int append(std::FILE* file, std::span<const std::byte> bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0 ? 0 : errno;
}

}  // namespace

Result<void> FilmOutput::open(const std::string& path) {
  if (inputs_.contains(path)) return failed(path, kIsInput);
  std::error_code error;
  fs::path target = path;
  if (fs::is_symlink(fs::symlink_status(path, error))) {
    if (const fs::path resolved = fs::canonical(path, error); !error) target = resolved;
  }
  const fs::file_status status = fs::status(target, error);
  if (fs::is_directory(status)) return failed(path, EISDIR);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    direct_.reset(std::fopen(target.c_str(), "wb"));
    if (direct_ == nullptr) return failed(path, errno);
    return {};
  }
  auto pending = PendingFile::create(target);
  if (!pending) return failed(path, pending.error());
  pending_ = *std::move(pending);
  return {};
}

Result<void> FilmOutput::write(const std::string& path, std::span<const std::byte> bytes, bool last) {
  if (path == "-") {
    const int error = append(stdout, bytes);
    // Who closed the pipe knows that there was more.
    if (error == EPIPE) return std::unexpected("");
    if (error != 0) return failed("to standard output", error);
    return {};
  }
  if (!pending_ && direct_ == nullptr) {
    if (const auto opened = open(path); !opened) return opened;
  }
  if (direct_ != nullptr) {
    const int error = append(direct_.get(), bytes);
    if (last || error != 0) direct_.reset();
    if (error != 0) return failed(path, error);
    return {};
  }
  int error = pending_->write(bytes);
  if (last && error == 0) error = pending_->close();
  if (error != 0) return failed(path, error);
  if (last) {
    whole_.push_back(*std::move(pending_));
    pending_.reset();
  }
  return {};
}

Result<void> FilmOutput::publish(Existing existing) {
  for (PendingFile& file : whole_) {
    if (const int error = file.publish(existing, inputs_); error != 0) return failed(file.path().string(), error);
  }
  whole_.clear();
  return {};
}

}  // namespace pchr::film
