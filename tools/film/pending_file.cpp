// SPDX-License-Identifier: MIT
// Files that are put in their place only when they are whole.
#include "film/pending_file.hpp"

#include "film/temporary_names.hpp"

#include <pchr/finding.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace pchr::film {

namespace fs = std::filesystem;

std::string describe_write_error(std::string_view path, int error) {
  const char* reason = error == kIsInput
                           ? "it is one of the files that were read, which are never replaced; choose another name"
                           : std::strerror(error);
  return fmt::format("cannot write {}: {}", printable(path), reason);
}

std::expected<PendingFile, int> PendingFile::create(const fs::path& path) {
  PendingFile pending;
  pending.path_ = path;
  pending.names_ = TemporaryNames::in(path.parent_path());
  fs::path temporary = pending.names_->next();
  pending.file_.reset(std::fopen(temporary.c_str(), "wbx"));
  if (pending.file_ == nullptr) return std::unexpected(errno);
  pending.temporary_ = std::move(temporary);
  return pending;
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      names_(std::move(other.names_)),
      file_(std::move(other.file_)) {}

PendingFile& PendingFile::operator=(PendingFile&& other) noexcept {
  if (this == &other) return *this;
  discard();
  path_ = std::move(other.path_);
  temporary_ = std::exchange(other.temporary_, {});
  names_ = std::move(other.names_);
  file_ = std::move(other.file_);
  return *this;
}

PendingFile::~PendingFile() { discard(); }

void PendingFile::discard() noexcept {
  file_.reset();
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

int PendingFile::write(std::span<const std::byte> bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size() ? 0 : errno;
}

int PendingFile::close() {
  int error = std::fflush(file_.get()) == 0 ? 0 : errno;
  // Without this, a crash of the machine soon after the rename could leave an empty file. Not every file can.
  if (error == 0 && fsync(fileno(file_.get())) != 0 && errno != EINVAL && errno != EROFS) error = errno;
  if (std::fclose(file_.release()) != 0 && error == 0) error = errno;
  return error;
}

int PendingFile::publish(Existing existing, const InputFiles& inputs) {
  if (inputs.contains(path_)) return kIsInput;
  if (existing == Existing::replace) {
    if (std::rename(temporary_.c_str(), path_.c_str()) != 0) return errno;
  } else if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0) {
    // Not every file system can; most of the others have links, which replace nothing either.
    if (errno != EINVAL && errno != ENOSYS) return errno;
    if (link(temporary_.c_str(), path_.c_str()) != 0) return errno;
    unlink(temporary_.c_str());
  }
  temporary_.clear();
  return 0;
}

}  // namespace pchr::film
