// SPDX-License-Identifier: MIT
// Writes output files that appear together once all are complete.
#include "export/fail.hpp"

#include <pchr/diagnostic.hpp>

#include "platform/file_path.hpp"
#include "platform/files.hpp"
#include "platform/output_file.hpp"
#include "platform/process.hpp"
#include "platform/utf8_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

namespace pchr {

namespace fs = std::filesystem;

namespace {

std::error_code append(std::FILE* file, std::span<const std::byte> bytes) {
  // A null pointer is undefined for fwrite() even with a size of 0.
  if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), file) != bytes.size()) return last_stream_error();
  return {};
}

std::error_code append_and_flush(std::FILE* file, std::span<const std::byte> bytes) {
  const std::error_code error = append(file, bytes);
  return !error && std::fflush(file) != 0 ? last_stream_error() : error;
}

Unexpected<ExportError> cannot_write(const std::string& path, const std::error_code& error) {
  using enum ExportError::Kind;
  return exporting::fail(fmt::format("cannot write {}: {}", printable(path), error_text(error)),
                         error == std::errc::file_exists ? exists : failed);
}

}  // namespace

void InputFiles::add(const std::string& path) {
  if (const auto identity = find_identity(path)) files_.emplace_back(identity->volume, identity->file);
}

bool InputFiles::contains(const std::string& path) const {
  if (files_.empty()) return false;
  const auto identity = find_identity(path);
  return identity && std::ranges::find(files_, std::pair(identity->volume, identity->file)) != files_.end();
}

ExportResult<void> InputFiles::check_output(const std::string& path) const {
  if (!contains(path)) return {};
  return exporting::reject(fmt::format(
      "cannot write {}: it is an input file, which is never replaced; choose another name", printable(path)));
}

struct OutputFiles::State {
  InputFiles inputs;
  bool follow_links;
  std::optional<PendingFile> pending{};
  File direct{};
  std::vector<PendingFile> complete{};
  std::atomic<std::uint64_t> bytes = 0;

  [[nodiscard]] std::string target_of(const std::string& path) const { return follow_links ? follow_link(path) : path; }
  [[nodiscard]] bool is_direct(const std::string& target) const {
    return follow_links && find_kind(target) == FileKind::other;
  }

  [[nodiscard]] ExportResult<void> check(const std::string& path) const {
    if (auto allowed = inputs.check_output(path); !allowed) return allowed;
    const std::string target = target_of(path);
    if (is_direct(target)) return {};
    std::error_code error;
    const bool is_folder = follow_links ? find_kind(target) == FileKind::folder
                                        : fs::is_directory(fs::symlink_status(path_from_utf8(target), error));
    error = is_folder ? std::make_error_code(std::errc::is_a_directory) : check_path(target);
    if (error) return cannot_write(path, error);
    return {};
  }

  std::error_code open(const std::string& path) {
    const std::string target = target_of(path);
    std::error_code error;
    if (is_direct(target)) {
      direct = open_file(target, "wb", error);
      return error;
    }
    PendingFile created{target};
    error = created.create();
    if (!error) pending = std::move(created);
    return error;
  }
};

OutputFiles::OutputFiles(InputFiles inputs, bool follow_links)
    : state_(new State{std::move(inputs), follow_links}, [](State* owned) { delete owned; }) {}

std::uint64_t OutputFiles::bytes() const noexcept { return state_->bytes; }

ExportResult<void> OutputFiles::check(const std::string& path) const {
  return path == "-" ? ExportResult<void>() : state_->check(path);
}

ExportResult<void> OutputFiles::write(const std::string& path, std::span<const std::byte> bytes, bool last) {
  if (path == "-") {
    const std::error_code error(write_standard_output(bytes), std::generic_category());
    if (error == std::errc::broken_pipe) return exporting::fail("", ExportError::Kind::closed_pipe);
    if (error) return cannot_write("to standard output", error);
    return {};
  }
  if (!state_->pending && state_->direct == nullptr) {
    if (auto checked = state_->check(path); !checked) return checked;
    if (const std::error_code error = state_->open(path)) return cannot_write(path, error);
  }
  std::error_code error;
  if (state_->direct != nullptr) {
    error = append_and_flush(state_->direct.get(), bytes);
    if (last || error) state_->direct.reset();
  } else {
    error = append(state_->pending->file.get(), bytes);
    if (last && !error) error = close_file(std::move(state_->pending->file));
    if (last && !error) state_->complete.push_back(*std::exchange(state_->pending, std::nullopt));
  }
  if (error) return cannot_write(path, error);
  state_->bytes += bytes.size();
  return {};
}

bool OutputFiles::can_rewrite(const std::string& path) const {
  return path != "-" && !(state_->follow_links && find_kind(follow_link(path)) == FileKind::other);
}

ExportResult<void> OutputFiles::rewrite_start(std::span<const std::byte> bytes) {
  std::FILE* const file = state_->pending->file.get();
  std::error_code error;
  if (std::fseek(file, 0, SEEK_SET) != 0) error = last_stream_error();
  if (!error) error = append(file, bytes);
  if (!error && std::fseek(file, 0, SEEK_END) != 0) error = last_stream_error();
  if (error) return cannot_write(state_->pending->path, error);
  return {};
}

ExportResult<void> OutputFiles::publish(Existing existing) {
  std::vector<std::string> temporary;
  std::vector<PendingFile*> files;
  for (PendingFile& file : state_->complete) {
    if (auto allowed = state_->inputs.check_output(file.path); !allowed) return allowed;
    temporary.push_back(*file.temporary);
    files.push_back(&file);
  }
  std::size_t failed = 0;
  std::error_code error = sync_files(temporary, failed);
  const IfPresent present = existing == Existing::keep   ? IfPresent::fail
                            : existing == Existing::skip ? IfPresent::skip
                                                         : IfPresent::replace;
  if (!error) error = publish_all(files, present, failed);
  if (error) return cannot_write(files[failed]->path, error);
  state_->complete.clear();
  return {};
}

}  // namespace pchr
