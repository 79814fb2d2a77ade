// SPDX-License-Identifier: MIT
// Writes results to standard output and to files.
#include "output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace pchr::tools {

namespace fs = std::filesystem;

namespace {

std::unexpected<Failure> cannot_write(std::string_view what, int error) {
  return fail(ExitCode::environment, fmt::format("pchr: cannot write {}: {}", printable(what), std::strerror(error)));
}

// 0, or the errno of what failed. Closes the file either way; a full disk may show only then.
int write_and_close(std::FILE* file, std::string_view bytes) {
  int error = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size() || std::fflush(file) != 0) error = errno;
  // Without this, a crash of the machine soon after the rename could leave an empty file. Pipes refuse it.
  if (error == 0 && fsync(fileno(file)) != 0 && errno != EINVAL && errno != EROFS) error = errno;
  if (std::fclose(file) != 0 && error == 0) error = errno;
  return error;
}

std::unexpected<Failure> would_replace(std::span<const fs::path> present) {
  if (present.size() == 1) {
    return fail(ExitCode::usage,
                fmt::format("pchr: {} is there already; --force replaces it", printable(present[0].string())));
  }
  std::string message = "pchr: these files are there already; --force replaces them:";
  for (const fs::path& path : present) message += "\n  " + printable(path.string());
  return fail(ExitCode::usage, message);
}

// Files to be removed at the end of a scope.
struct RemovedFiles {
  std::vector<fs::path> paths;

  ~RemovedFiles() {
    std::error_code ignored;
    for (const fs::path& path : paths) fs::remove(path, ignored);
  }
};

// A new file in `folder`, or null and errno. A process that was killed may have left files of the same names.
std::FILE* open_temporary(const fs::path& folder, fs::path& path) {
  constexpr int kAttempts = 100000;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    path = folder / fmt::format(".pchr.{}.{}.tmp", getpid(), attempt);
    std::FILE* file = std::fopen(path.c_str(), "wbx");
    if (file != nullptr || errno != EEXIST) return file;
  }
  return nullptr;
}

// 0, or the errno of what failed: EEXIST where `to` is there and must be kept.
int move_into_place(const fs::path& from, const fs::path& to, Existing existing) {
  if (existing == Existing::replace) return std::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  // Not every file system can; most of the others have links, which replace nothing either.
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (link(from.c_str(), to.c_str()) != 0) return errno;
  unlink(from.c_str());
  return 0;
}

}  // namespace

Result<void> write_stdout(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0) return {};
  // Who closed the pipe knows that there was more.
  if (errno == EPIPE) return fail(ExitCode::environment, "");
  return cannot_write("to standard output", errno);
}

Result<void> write_files(std::span<const OutputFile> files, Existing existing) {
  std::vector<fs::path> present;
  for (const OutputFile& file : files) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(file.path, error);
    if (fs::is_directory(status)) return cannot_write(file.path.string(), EISDIR);
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_symlink(status)) {
      return fail(ExitCode::environment,
                  fmt::format("pchr: cannot write {}: it is not a regular file", printable(file.path.string())));
    }
    if (fs::exists(status)) present.push_back(file.path);
  }
  if (existing == Existing::keep && !present.empty()) return would_replace(present);

  // Until they are given up, whatever happens.
  RemovedFiles temporaries;
  for (const OutputFile& file : files) {
    fs::path temporary;
    std::FILE* stream = open_temporary(file.path.parent_path(), temporary);
    if (stream == nullptr) return cannot_write(file.path.string(), errno);
    temporaries.paths.push_back(temporary);
    if (const int error = write_and_close(stream, file.bytes); error != 0) {
      return cannot_write(file.path.string(), error);
    }
  }

  RemovedFiles published;
  for (std::size_t i = 0; i < files.size(); ++i) {
    const int error = move_into_place(temporaries.paths[i], files[i].path, existing);
    if (error == EEXIST) return would_replace(std::span(&files[i].path, 1));
    if (error != 0) return cannot_write(files[i].path.string(), error);
    if (existing == Existing::keep) published.paths.push_back(files[i].path);
  }
  temporaries.paths.clear();
  published.paths.clear();
  return {};
}

Result<void> write_file(const fs::path& path, std::string_view bytes, Existing existing) {
  std::error_code error;
  fs::path target = path;
  if (fs::is_symlink(fs::symlink_status(path, error))) {
    if (const fs::path resolved = fs::canonical(path, error); !error) target = resolved;
  }
  const fs::file_status status = fs::status(target, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
    std::FILE* file = std::fopen(target.c_str(), "wb");
    const int failed = file == nullptr ? errno : write_and_close(file, bytes);
    if (failed != 0) return cannot_write(path.string(), failed);
    return {};
  }
  const OutputFile file{target, bytes};
  return write_files(std::span(&file, 1), existing);
}

}  // namespace pchr::tools
