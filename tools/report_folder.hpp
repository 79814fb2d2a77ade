// SPDX-License-Identifier: MIT
// A folder that appears only when it is complete.
#pragma once

#include "platform/output_file.hpp"

#include <string>

namespace pchr::tools {

/// The folder of a report, which is filled under a hidden name next to it, and then takes its place. The destructor
/// removes what was not published; what a killed process left is removed by the next one. Functions fail as subcommands
/// do.
class ReportFolder {
 public:
  /// Creates the hidden folder. Fails if there is something else than an earlier report or an empty folder, or if
  /// another process writes the same report.
  explicit ReportFolder(const std::string& path);
  ~ReportFolder();
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;

  /// Returns where to write a file of the report, or the folder for "".
  [[nodiscard]] std::string draft(const std::string& name) const;
  /// Replaces the earlier report.
  void publish();

 private:
  std::string path_, draft_, old_;
  LockFile lock_;
};

/// Names of a report's files and of the folder with its images.
/// @{
inline constexpr char kReportPage[] = "index.html";
inline constexpr char kReportData[] = "report.json";
inline constexpr char kReportImages[] = "images";
/// @}

}  // namespace pchr::tools
