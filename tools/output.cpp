// SPDX-License-Identifier: MIT
// Writes results to standard output and to files.
#include "output.hpp"

#include "interrupt.hpp"

#include <pchr/text.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>
#include <vector>

namespace pchr::tools {

namespace fs = std::filesystem;

std::unexpected<Failure> cannot_write(std::string_view what, int error) {
  return fail(error == film::kIsInput ? ExitCode::usage : ExitCode::environment,
              "pchr: " + film::describe_write_error(what, error));
}

Result<void> check_output(const fs::path& path, const InputFiles& inputs) {
  if (inputs.contains(path)) return cannot_write(path.string(), film::kIsInput);
  return {};
}

namespace {

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

}  // namespace

Result<void> write_stdout(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size() && std::fflush(stdout) == 0) return {};
  // Who closed the pipe knows that there was more.
  if (errno == EPIPE) return fail(ExitCode::environment, "");
  return cannot_write("to standard output", errno);
}

Result<void> print_text(std::string_view text) { return write_stdout(printable_lines(text)); }

Result<void> write_files(std::span<const OutputFile> files, Existing existing, const InputFiles& inputs) {
  std::vector<fs::path> present;
  for (const OutputFile& file : files) {
    if (auto checked = check_output(file.path, inputs); !checked) return checked;
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

  catch_interrupts();
  std::vector<film::PendingFile> pending;
  for (const OutputFile& file : files) {
    if (interrupted()) return fail(ExitCode::environment, "");
    auto created = film::PendingFile::create(file.path);
    if (!created) return cannot_write(file.path.string(), created.error());
    pending.push_back(*std::move(created));
    int error = pending.back().write(std::as_bytes(std::span(file.bytes)));
    if (error == 0) error = pending.back().close();
    if (error != 0) return cannot_write(file.path.string(), error);
  }

  RemovedFiles published;
  for (film::PendingFile& file : pending) {
    const int error = file.publish(existing, inputs);
    if (error == EEXIST) return would_replace(std::span(&file.path(), 1));
    if (error != 0) return cannot_write(file.path().string(), error);
    if (existing == Existing::keep) published.paths.push_back(file.path());
  }
  published.paths.clear();
  return {};
}

Result<void> write_file(const fs::path& path, std::string_view bytes, Existing existing, const InputFiles& inputs) {
  std::error_code error;
  fs::path target = path;
  if (fs::is_symlink(fs::symlink_status(path, error))) {
    if (const fs::path resolved = fs::canonical(path, error); !error) target = resolved;
  }
  const fs::file_status status = fs::status(target, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
    std::FILE* file = std::fopen(target.c_str(), "wb");
    int failed = file == nullptr ? errno : 0;
    if (file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) failed = errno;
    if (file != nullptr && std::fclose(file) != 0 && failed == 0) failed = errno;
    if (failed != 0) return cannot_write(path.string(), failed);
    return {};
  }
  const OutputFile file{target, bytes};
  return write_files(std::span(&file, 1), existing, inputs);
}

}  // namespace pchr::tools
