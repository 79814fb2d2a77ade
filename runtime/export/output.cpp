// SPDX-License-Identifier: MIT
// Writes files that take their places together.
#include "export/fail.hpp"
#include "export/pending_file.hpp"

#include <pchr/diagnostic.hpp>

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

namespace pchr {
namespace {

namespace fs = std::filesystem;

std::optional<std::pair<std::uint64_t, std::uint64_t>> identity_of(const fs::path& path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0) return std::nullopt;
  return std::pair(file.st_dev, file.st_ino);
}

/// `error` is an errno or kIsInput.
std::unexpected<ExportError> cannot_write(const std::string& path, int error) {
  using enum ExportError::Kind;
  const bool is_input = error == exporting::kIsInput;
  const char* reason = is_input ? "it is one of the files that were read, which are never replaced; choose another name"
                                : std::strerror(error);
  return exporting::fail(fmt::format("cannot write {}: {}", printable(path), reason), is_input          ? request
                                                                                      : error == EEXIST ? exists
                                                                                                        : failed);
}

int append(std::FILE* file, std::span<const std::byte> bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0 ? 0 : errno;
}

}  // namespace

void InputFiles::add(const fs::path& path) {
  if (const auto identity = identity_of(path)) files_.insert(*identity);
}

bool InputFiles::contains(const fs::path& path) const {
  if (files_.empty()) return false;
  const auto identity = identity_of(path);
  return identity && files_.contains(*identity);
}

ExportResult<void> InputFiles::check_output(const fs::path& path) const {
  if (contains(path)) return cannot_write(path.string(), exporting::kIsInput);
  return {};
}

struct OutputFiles::State {
  InputFiles inputs;
  bool follow_links;
  std::optional<exporting::PendingFile> pending{};
  std::unique_ptr<std::FILE, exporting::CloseFile> direct{};
  std::vector<exporting::PendingFile> complete{};

  // Returns 0 or what failed.
  int open(const std::string& path) {
    if (inputs.contains(path)) return exporting::kIsInput;
    std::error_code error;
    fs::path target = path;
    fs::file_status status = fs::symlink_status(path, error);
    if (follow_links) {
      if (fs::is_symlink(status)) {
        if (const fs::path resolved = fs::canonical(path, error); !error) target = resolved;
      }
      status = fs::status(target, error);
      if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
        direct.reset(std::fopen(target.c_str(), "wb"));
        return direct == nullptr ? errno : 0;
      }
    }
    if (fs::is_directory(status)) return EISDIR;
    auto created = exporting::PendingFile::create(target);
    if (!created) return created.error();
    pending = *std::move(created);
    return 0;
  }
};

OutputFiles::OutputFiles(InputFiles inputs, bool follow_links)
    : state_(std::make_unique<State>(std::move(inputs), follow_links)) {}
OutputFiles::OutputFiles(OutputFiles&&) noexcept = default;
OutputFiles& OutputFiles::operator=(OutputFiles&&) noexcept = default;
OutputFiles::~OutputFiles() = default;

ExportResult<void> OutputFiles::write(const std::string& path, std::span<const std::byte> bytes, bool last) {
  if (path == "-") {
    const int error = append(stdout, bytes);
    if (error == EPIPE) return exporting::fail("", ExportError::Kind::closed_pipe);
    if (error != 0) return cannot_write("to standard output", error);
    return {};
  }
  if (!state_->pending && state_->direct == nullptr) {
    if (const int error = state_->open(path); error != 0) return cannot_write(path, error);
  }
  int error = 0;
  if (state_->direct != nullptr) {
    error = append(state_->direct.get(), bytes);
    if (last || error != 0) state_->direct.reset();
  } else {
    error = state_->pending->write(bytes);
    if (last && error == 0) error = state_->pending->close();
    if (last && error == 0) state_->complete.push_back(*std::exchange(state_->pending, std::nullopt));
  }
  if (error != 0) return cannot_write(path, error);
  return {};
}

ExportResult<void> OutputFiles::publish(Existing existing) {
  auto& files = state_->complete;
  for (auto file = files.begin(); file != files.end(); ++file) {
    const int error = file->publish(existing, state_->inputs);
    if (error == 0) continue;
    std::error_code ignored;
    for (auto published = files.begin(); existing == Existing::keep && published != file; ++published) {
      fs::remove(published->path(), ignored);
    }
    return cannot_write(file->path().string(), error);
  }
  files.clear();
  return {};
}

}  // namespace pchr
