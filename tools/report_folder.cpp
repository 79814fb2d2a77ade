// SPDX-License-Identifier: MIT
#include "report_folder.hpp"

#include "platform/file_path.hpp"
#include "platform/file_system.hpp"
#include "platform/read_file.hpp"
#include "platform/system_error.hpp"
#include "platform/utf8_path.hpp"
#include "report_page.hpp"
#include "tool.hpp"

#include <array>

namespace pchr::tools {
namespace {

namespace fs = std::filesystem;

void check_error(const std::error_code& error, const std::string& path) {
  if (error) fail(ExitCode::environment, "cannot write {}: {}", printable(path), error_text(error));
}

/// Whether the folder has nothing but a report, so that nothing else is lost with it.
bool is_report(const std::string& folder) {
  bool is_empty = true, has_other = false;
  const auto visit = [&](const std::string& name, FileKind kind) {
    is_empty = false;
    has_other = has_other ||
                (kind == FileKind::folder ? name != kReportImages
                                          : kind != FileKind::file || (name != kReportPage && name != kReportData));
    return !has_other;
  };
  visit_system_folder(folder, visit);
  if (is_empty || has_other) return is_empty;
  std::array<std::byte, kReportMark.size()> start{};
  return read_part({}, path_in(folder, kReportPage), 0, start) && text_of(start) == kReportMark;
}

void check_replaceable(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path_from_utf8(path), error);
  if (!fs::exists(status) || (fs::is_directory(status) && is_report(path))) return;
  fail(ExitCode::usage,
       "{} exists and is not just a report, so it is not replaced\n"
       "  hint: choose another name, or remove it",
       printable(path));
}

void remove_folder(const std::string& path) {
  std::error_code error;
  fs::remove_all(path_from_utf8(path), error);
  check_error(error, path);
}

}  // namespace

ReportFolder::ReportFolder(const std::string& path) : path_(normal_path(path)) {
  while (path_.ends_with('/')) path_.pop_back();
  const std::string name(file_name_of(path_));
  if (name.empty() || name == "." || name == "..") {
    fail(ExitCode::usage, "{} does not name a folder for the report", shown(path));
  }
  const auto hidden = [&](const char* suffix) {
    return path_in(folder_of(path_), fmt::format(".{}.pchr-{}", name, suffix));
  };
  draft_ = hidden("new");
  old_ = hidden("old");
  check_replaceable(path_);
  create_folder_of(path_);
  const std::string lock = hidden("lock");
  lock_ = LockFile::create(lock);
  if (!lock_.is_held()) lock_ = LockFile::take_over(lock);
  if (!lock_.is_held()) {
    fail(ExitCode::environment, "cannot write {}: its folder cannot be written, or another process writes it",
         printable(path_));
  }
  remove_folder(draft_);
  std::error_code error;
  fs::create_directory(path_from_utf8(draft_), error);
  if (!error) fs::create_directory(path_from_utf8(draft(kReportImages)), error);
  check_error(error, path_);
}

ReportFolder::~ReportFolder() {
  if (!lock_.is_held()) return;
  std::error_code ignored;
  fs::remove_all(path_from_utf8(draft_), ignored);
}

std::string ReportFolder::draft(const std::string& name) const { return name.empty() ? draft_ : path_in(draft_, name); }

void ReportFolder::publish() {
  check_replaceable(path_);
  remove_folder(old_);
  std::error_code error;
  const bool replaces = find_kind(path_) != FileKind::none;
  if (replaces) fs::rename(path_from_utf8(path_), path_from_utf8(old_), error);
  check_error(error, path_);
  fs::rename(path_from_utf8(draft_), path_from_utf8(path_), error);
  if (error && replaces) {
    std::error_code ignored;
    fs::rename(path_from_utf8(old_), path_from_utf8(path_), ignored);
  }
  check_error(error, path_);
  remove_folder(old_);
}

}  // namespace pchr::tools
