// SPDX-License-Identifier: MIT
// The page of `pchr diff --html`, and the folder that it lies in.
#pragma once

#include "platform/output_file.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::tools {

/// State of a character; the page shows them in this order. `skipped` is a JSON file that never was a character.
enum class CharacterState : std::uint8_t { broken, changed, added, removed, unchanged, skipped };
inline constexpr std::size_t kCharacterStates = 6;
[[nodiscard]] std::string_view name_of(CharacterState state) noexcept;

/// Images of one frame. The paths are empty where there is none.
struct Preview {
  std::string clip{};  ///< Empty for the bind pose.
  std::uint32_t frame = 0;
  std::string before{}, after{}, difference{};
  std::string animation{};  ///< Before and after, side by side.
  std::string caption{};
};

/// The part of the page about one character.
struct ReportCard {
  std::string name{};
  std::size_t number = 0;  ///< From 1; unique.
  CharacterState state = CharacterState::unchanged;
  double score = 0;
  std::vector<std::string> errors{};
  std::vector<std::string> warnings{};  ///< New ones.
  std::vector<std::string> changes{};
  std::vector<Preview> previews{};
};

/// Returns the HTML of a card.
[[nodiscard]] std::string card_html(const ReportCard& card);

/// All cards of one state.
struct ReportSection {
  std::size_t count = 0;
  std::string html;  ///< The cards, or items of a list for states without images.
};

/// First line of each page, by which a report is recognized.
inline constexpr std::string_view kPageMark = "<!doctype html><!-- pchr report -->\n";

/// Returns the whole page. There is one section for each state.
[[nodiscard]] std::string page_html(std::string_view first, std::string_view second,
                                    const std::vector<ReportSection>& sections);

/// Returns text that can be anywhere in HTML, with unprintable characters escaped.
[[nodiscard]] std::string html_escaped(std::string_view text);

/// The folder of a page, which is filled under a hidden name next to it, and then takes its place. The destructor
/// removes what was not published; what a killed process left is removed by the next one. Functions fail as subcommands
/// do.
class PageFolder {
 public:
  /// Creates the hidden folder. Fails if there is something else than an earlier report or an empty folder, or if
  /// another process writes the same report.
  explicit PageFolder(const std::string& path);
  ~PageFolder();
  PageFolder(const PageFolder&) = delete;
  PageFolder& operator=(const PageFolder&) = delete;

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
inline constexpr char kPageFile[] = "index.html";
inline constexpr char kPageData[] = "report.json";
inline constexpr char kPageImages[] = "images";
/// @}

}  // namespace pchr::tools
