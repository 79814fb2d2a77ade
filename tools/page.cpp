// SPDX-License-Identifier: MIT
#include "page.hpp"

#include "output.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"
#include "platform/utf8_path.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace pchr::tools {
namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --page: #f6f6f4; --card: #fff; --text: #1d2228; --faint: #5b6570; --line: #d9dcdf;
  --square: #e9eaec; --link: #0b5cad; --broken: #b3261e; --changed: #8a5a00; --added: #1c7a3d; --removed: #6b4ba1; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14171a; --card: #1e2226; --text: #e6e8ea; --faint: #9aa4ae; --line: #343a40; --square: #2a2f35;
    --link: #7db8ff; --broken: #ff8a80; --changed: #ffc658; --added: #7bd88f; --removed: #c3a6ff; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 16px; max-width: 1100px; background: var(--page); color: var(--text);
  font: 16px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
h3 { font-size: 1rem; margin: 0; overflow-wrap: anywhere; }
a { color: var(--link); }
h4 { font-size: .9rem; margin: .75rem 0 0; }
h3 a { color: inherit; text-decoration: none; }
header p, figcaption, .caption, .score { color: var(--faint); }
header p { margin: .25rem 0 .75rem; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: .5rem; }
nav a { padding: .2rem .7rem; border: 1px solid currentColor; border-radius: 1rem; text-decoration: none; }
article { background: var(--card); border: 1px solid var(--line); border-left: 4px solid var(--line);
  border-radius: 6px; padding: .75rem; margin: 0 0 .75rem; }
.broken { border-left-color: var(--broken); } nav .broken, h2.broken { color: var(--broken); }
.changed { border-left-color: var(--changed); } nav .changed, h2.changed { color: var(--changed); }
.added { border-left-color: var(--added); } nav .added, h2.added { color: var(--added); }
.removed { border-left-color: var(--removed); } nav .removed, h2.removed { color: var(--removed); }
.score { float: right; margin-left: 1rem; font-variant-numeric: tabular-nums; }
.images { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .5rem; max-width: 800px; }
figure { margin: .5rem 0 0; }
figcaption, .caption { font-size: .85rem; }
.caption { margin: .25rem 0 .75rem; overflow-wrap: anywhere; }
img { display: block; width: 100%; height: auto; border-radius: 4px; background:
  conic-gradient(var(--square) 25%, transparent 0 50%, var(--square) 0 75%, transparent 0) 0 0 / 16px 16px; }
details img { max-width: 800px; }
ul { margin: .5rem 0; padding-left: 1.2rem; overflow-wrap: anywhere; }
.errors { color: var(--broken); }
.errors li { white-space: pre-line; }
)";

constexpr char kScores[] =
    "<p class=\"caption\">Scores range from 0, identical, to 1; above 0.02, the difference is visible.</p>\n";

constexpr std::array<std::string_view, kCharacterStates> kTitles{"Broken",  "Changed",   "Added",
                                                                 "Removed", "Unchanged", "Other JSON files"};

void append_list(std::string& html, std::span<const std::string> lines, std::string_view attributes) {
  html += fmt::format("<ul{}>\n", attributes);
  for (const std::string& line : lines) html += fmt::format("<li>{}</li>\n", html_escaped(line));
  html += "</ul>\n";
}

/// Appends a list whose end is folded.
void append_folded(std::string& html, std::span<const std::string> lines, std::string_view attributes) {
  constexpr std::size_t kShown = 6, kMax = 200;
  if (lines.empty()) return;
  append_list(html, lines.first(std::min(lines.size(), kShown)), attributes);
  if (lines.size() <= kShown) return;
  const auto rest = lines.subspan(kShown);
  html += fmt::format("<details><summary>{} more</summary>\n", rest.size());
  append_list(html, rest.first(std::min(rest.size(), kMax)), attributes);
  if (rest.size() > kMax) html += fmt::format("<p>{} more are in report.json.</p>\n", rest.size() - kMax);
  html += "</details>\n";
}

void append_preview(std::string& html, const Preview& preview, std::string_view name) {
  html += "<div class=\"images\">\n";
  const auto append = [&](const std::string& path, std::string_view what) {
    if (path.empty()) return;
    const std::string clip = preview.clip.empty() ? "bind pose" : "clip " + preview.clip;
    html += fmt::format(
        "<figure><a href=\"{0}\"><img src=\"{0}\" alt=\"{1}, {2}, frame {3}: {4}\" loading=\"lazy\"></a>"
        "<figcaption>{4}</figcaption></figure>\n",
        html_escaped(path), html_escaped(name), html_escaped(clip), preview.frame, what);
  };
  append(preview.before, "before");
  append(preview.after, "after");
  append(preview.difference, "difference");
  html += fmt::format("</div>\n<p class=\"caption\">{}</p>\n", html_escaped(preview.caption));
  if (preview.animation.empty()) return;
  html += fmt::format(
      "<details><summary>animation</summary><a href=\"{0}\"><img src=\"{0}\" alt=\"{1}, clip {2}: before and after\" "
      "loading=\"lazy\"></a></details>\n",
      html_escaped(preview.animation), html_escaped(name), html_escaped(preview.clip));
}

namespace fs = std::filesystem;

void check_error(const std::error_code& error, const std::string& path) {
  if (error) fail(ExitCode::environment, "cannot write {}: {}", printable(path), error_text(error));
}

/// Whether the folder has nothing but a report, so that nothing else is lost with it.
bool is_report(const std::string& folder) {
  bool is_empty = true, has_other = false;
  const auto visit = [&](const std::string& name, FileKind kind) {
    is_empty = false;
    has_other =
        has_other || (kind == FileKind::folder ? name != kPageImages
                                               : kind != FileKind::file || (name != kPageFile && name != kPageData));
    return !has_other;
  };
  visit_system_folder(folder, visit);
  if (is_empty || has_other) return is_empty;
  std::array<std::byte, kPageMark.size()> start{};
  return read_part({}, path_in(folder, kPageFile), 0, start) && text_of(start) == kPageMark;
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

std::string_view name_of(CharacterState state) noexcept {
  constexpr std::array<std::string_view, kCharacterStates> kNames{"broken",  "changed",   "added",
                                                                  "removed", "unchanged", "skipped"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string html_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : printable_lines(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string card_html(const ReportCard& card) {
  if (card.state >= CharacterState::unchanged) return fmt::format("<li>{}</li>\n", html_escaped(card.name));
  std::string html = fmt::format("<article class=\"{}\" id=\"c{}\">\n", name_of(card.state), card.number);
  if (card.state == CharacterState::changed) html += fmt::format("<span class=\"score\">{:.4f}</span>\n", card.score);
  html += fmt::format("<h3><a href=\"#c{}\">{}</a></h3>\n", card.number, html_escaped(card.name));
  append_folded(html, card.errors, " class=\"errors\"");
  for (const Preview& preview : card.previews) append_preview(html, preview, card.name);
  append_folded(html, card.changes, "");
  if (!card.warnings.empty()) html += "<h4>New warnings</h4>\n";
  append_folded(html, card.warnings, "");
  return html + "</article>\n";
}

std::string page_html(std::string_view first, std::string_view second, const std::vector<ReportSection>& sections) {
  std::string title, navigation, body;
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const auto& [count, cards] = sections[i];
    if (count == 0) continue;
    const CharacterState state{static_cast<std::uint8_t>(i)};
    const std::string_view name = name_of(state);
    title += fmt::format("{}{} {}", title.empty() ? "" : ", ", count, name);
    navigation += fmt::format("<a class=\"{0}\" href=\"#{0}\">{1} {0}</a>\n", name, count);
    if (state < CharacterState::unchanged) {
      body += fmt::format("<h2 class=\"{0}\" id=\"{0}\">{1}</h2>\n{2}{3}", name, kTitles[i],
                          state == CharacterState::changed ? kScores : "", cards);
    } else {
      body += fmt::format("<h2 id=\"{}\">{}</h2>\n<details><summary>{}</summary>\n<ul>\n{}</ul>\n</details>\n", name,
                          kTitles[i], count, cards);
    }
  }
  if (title.empty()) title = "none";
  std::string html(kPageMark);
  fmt::format_to(std::back_inserter(html),
                 "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<meta name=\"color-scheme\" content=\"light dark\">\n"
                 "<title>Characters: {0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
                 "<header>\n<h1>Characters</h1>\n<p>{2} → {3}</p>\n<nav>\n{4}</nav>\n</header>\n<main>\n"
                 "{5}</main>\n</body>\n</html>\n",
                 title, kStyle, html_escaped(first), html_escaped(second), navigation, body);
  return html;
}

PageFolder::PageFolder(const std::string& path) : path_(normal_path(path)) {
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
  if (!error) fs::create_directory(path_from_utf8(draft(kPageImages)), error);
  check_error(error, path_);
}

PageFolder::~PageFolder() {
  if (!lock_.is_held()) return;
  std::error_code ignored;
  fs::remove_all(path_from_utf8(draft_), ignored);
}

std::string PageFolder::draft(const std::string& name) const { return name.empty() ? draft_ : path_in(draft_, name); }

void PageFolder::publish() {
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
