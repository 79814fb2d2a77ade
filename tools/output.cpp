// SPDX-License-Identifier: MIT
#include "output.hpp"

#include "platform/file_path.hpp"
#include "platform/files.hpp"
#include "platform/output_file.hpp"
#include "platform/process.hpp"
#include "platform/utf8_path.hpp"

#include <atomic>
#include <charconv>

namespace pchr::tools {
namespace {

namespace fs = std::filesystem;

/// Parses the digits after the colon of "frame:04". Returns 1 if there is none, and nothing if they are not valid.
std::optional<std::size_t> digits_of(std::string_view placeholder) {
  constexpr std::size_t kMaxDigits = 9;
  const std::size_t colon = placeholder.find(':');
  if (colon == std::string_view::npos) return 1;
  const std::string_view text = placeholder.substr(colon + 1);
  std::size_t digits = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), digits);
  const bool is_valid = error == std::errc() && end == text.data() + text.size() && digits <= kMaxDigits;
  return is_valid ? std::optional(digits) : std::nullopt;
}

std::optional<std::string> find_part(std::string_view placeholder, const NameParts& parts) {
  if (placeholder == "file") return parts.file;
  if (placeholder == "folder") return parts.folder;
  if (placeholder == "clip") return parts.clip;
  const std::string_view name = placeholder.substr(0, placeholder.find(':'));
  const std::optional<std::uint64_t>* number = name == "index"   ? &parts.index
                                               : name == "frame" ? &parts.frame
                                                                 : nullptr;
  const std::optional<std::size_t> digits = digits_of(placeholder);
  if (number == nullptr || !*number || !digits) return std::nullopt;
  return fmt::format("{:0{}}", **number, *digits);
}

std::string describe_placeholders(const NameParts& parts) {
  std::vector<std::string> names;
  if (parts.file) names.emplace_back("{file}");
  if (parts.folder) names.emplace_back("{folder}");
  if (parts.clip) names.emplace_back("{clip}");
  if (parts.index) names.emplace_back("{index}");
  if (parts.frame) names.emplace_back("{frame}");
  std::string text = "use " + fmt::format("{}", fmt::join(names.begin(), names.end() - 1, ", "));
  text += (names.size() > 1 ? " or " : "") + names.back();
  if (parts.index || parts.frame) text += fmt::format("; {{{}:04}} has four digits", parts.frame ? "frame" : "index");
  return text;
}

std::atomic<int> writing_threads = 0;

/// Exists while a thread has files that are not complete.
class WritingFiles {
 public:
  WritingFiles() {
    catch_interrupts();
    ++writing_threads;
    if (!interrupted()) return;
    --writing_threads;
    fail(ExitCode::environment);
  }
  ~WritingFiles() { --writing_threads; }
  WritingFiles(const WritingFiles&) = delete;
  WritingFiles& operator=(const WritingFiles&) = delete;
};

}  // namespace

std::string input_stem(const std::string& file) { return file == "-" ? "stdin" : utf8_of(path_from_utf8(file).stem()); }

NameParts parts_of_input(const std::string& file) {
  const std::string_view folder = file == "-" ? "" : folder_of(file);
  return {.file = safe_part(input_stem(file)), .folder = std::string(folder.empty() ? "." : folder)};
}

std::string fill_name(std::string_view pattern, const NameParts& parts, std::string_view where) {
  std::string filled;
  while (!pattern.empty()) {
    const std::size_t open = std::min(pattern.find('{'), pattern.size()), close = pattern.find('}', open);
    if (close == std::string_view::npos) return filled.append(pattern);
    const std::string_view placeholder = pattern.substr(open + 1, close - open - 1);
    const std::optional<std::string> part = find_part(placeholder, parts);
    if (!part) {
      fail(ExitCode::usage, "unknown placeholder {{{}}} in {}\n  hint: {}", printable(placeholder), where,
           describe_placeholders(parts));
    }
    filled.append(pattern.substr(0, open)).append(*part);
    pattern.remove_prefix(close + 1);
  }
  return filled;
}

std::string fill_input_name(std::string name, const std::string& input) {
  const NameParts parts = parts_of_input(input);
  for (std::size_t at = 0; (at = name.find('{', at)) != std::string::npos;) {
    const std::string_view rest = std::string_view(name).substr(at);
    const bool is_file = rest.starts_with("{file}");
    if (!is_file && !rest.starts_with("{folder}")) {
      ++at;
      continue;
    }
    const std::string& text = is_file ? *parts.file : *parts.folder;
    name.replace(at, rest.find('}') + 1, text);
    at += text.size();
  }
  return name;
}

bool fills_input_name(const std::string& name) { return fill_input_name(name, "a") != fill_input_name(name, "b/b"); }

std::string safe_part(std::string_view name) {
  std::string result = printable(name);
  for (char& c : result) {
    if (std::string_view("/\\:*?\"<>|").contains(c)) c = '_';
  }
  if (result.empty() || result.front() == '.' || result == "-") result.insert(result.begin(), '_');
  return result;
}

void write_files(std::span<const OutputFile> files, Existing existing, const InputFiles& inputs) {
  std::vector<std::string> present;
  for (const OutputFile& file : files) {
    or_fail(inputs.check_output(file.path));
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path_from_utf8(file.path), error);
    if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_symlink(status) && !fs::is_directory(status)) {
      fail(ExitCode::environment, "cannot write {}: not a regular file", printable(file.path));
    }
    if (fs::exists(status) && !fs::is_directory(status)) present.push_back(file.path);
  }
  for (const OutputFile& file : files) current_task().written.push_back({.path = file.path});
  if (existing == Existing::keep && !present.empty()) {
    if (present.size() == 1)
      fail(ExitCode::usage, "{} already exists; use --force to replace it", printable(present[0]));
    std::string message = "pchr: these files already exist; use --force to replace them:";
    for (const std::string& path : present) message += "\n  " + printable(path);
    fail(ExitCode::usage, message);
  }
  const WritingFiles writing;
  for (const OutputFile& file : files) create_folder_of(file.path);
  OutputFiles output(inputs, false);
  for (const OutputFile& file : files) {
    if (interrupted()) fail(ExitCode::environment);
    or_fail(output.write(file.path, std::as_bytes(std::span(file.bytes))));
  }
  or_fail(output.publish(existing));
}

void write_file(const std::string& path, std::string_view bytes, Existing existing, const InputFiles& inputs) {
  const std::string target = follow_link(path);
  if (find_kind(target) == FileKind::other) {
    return or_fail(OutputFiles(inputs).write(path, std::as_bytes(std::span(bytes))));
  }
  const OutputFile file{target, bytes};
  write_files({&file, 1}, existing, inputs);
}

void write_png(Bitmap image, const std::string& path, const InputFiles& inputs, PngCompression compression) {
  unpremultiply(image);
  const std::vector<std::byte> png = encode_png(image, compression);
  if (path == "-") return write_stdout(text_of(png));
  write_file(path, text_of(png), Existing::replace, inputs);
  current_task().written = {{path, image.width, image.height, 1}};
}

void create_folder_of(const std::string& path) {
  const std::string folder(folder_of(path));
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(path_from_utf8(folder), error);
  if (error) fail(ExitCode::environment, "cannot create the folder {}: {}", printable(folder), error_text(error));
}

void run_job(ExportJob&& created, std::uint64_t max_bytes) {
  const WritingFiles writing;
  ExportJob job = std::move(created);
  ProgressBar bar;
  const auto go_on = [&] {
    bar.show(job.done(), job.total());
    return !interrupted() && job.bytes() <= max_bytes;
  };
  const ExportResult<void> result = job.run(go_on);
  bar.erase();
  if (job.bytes() > max_bytes) {
    const std::string& input = current_task().input;
    throw Failure{ExitCode::bad_data,
                  {.file = input,
                   .text = fmt::format("pchr: {}: it writes more than the {} MiB that --max-output-mb allows",
                                       printable(input), max_bytes >> 20)}};
  }
  or_fail(result);
}

bool is_any_thread_writing() noexcept { return writing_threads > 0; }

}  // namespace pchr::tools
