// SPDX-License-Identifier: MIT
#include "tool.hpp"

#include "platform/file_path.hpp"
#include "platform/file_system.hpp"
#include "platform/output_file.hpp"
#include "platform/system_error.hpp"
#include "platform/terminal.hpp"
#include "platform/utf8_path.hpp"

namespace pchr::tools {

namespace fs = std::filesystem;

void report(Message message) {
  if (!is_worker()) print_message(message);
  current_task().messages.push_back(std::move(message));
}

void report_warning(const std::string& file, std::string text) {
  report({Severity::warning, file, "pchr: warning: " + std::move(text), std::nullopt});
}

void report(const Diagnostic& diagnostic, const std::string& file) {
  report({severity(diagnostic.id), input_name(file), describe_in(file, diagnostic), diagnostic});
}

void write_stdout(std::string_view bytes) {
  Task& task = current_task();
  if (is_worker() || task.keeps_states) task.out += bytes;
  if (is_worker()) return;
  or_fail(OutputFiles({}).write("-", std::as_bytes(std::span(bytes))));
}

void print_text(std::string_view text) { write_stdout(printable_lines(text)); }

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
  std::vector<WrittenFile>& written = current_task().written;
  for (const OutputFile& file : files) written.push_back({.path = file.path});
  if (existing == Existing::skip && skip_if_written()) return;
  if (existing == Existing::keep && !present.empty()) {
    if (present.size() == 1)
      fail(ExitCode::usage, "{} already exists; use --force to replace it", printable(present[0]));
    std::string message = "pchr: these files already exist; use --force to replace them:";
    for (const std::string& path : present) message += "\n  " + printable(path);
    fail(ExitCode::usage, message);
  }
  catch_interrupts();
  for (const OutputFile& file : files) create_folder_of(file.path);
  OutputFiles output(inputs, false);
  for (const OutputFile& file : files) {
    if (interrupted()) fail(ExitCode::environment);
    or_fail(output.write(file.path, std::as_bytes(std::span(file.bytes))));
  }
  or_fail(output.publish(existing));
}

void create_folder_of(const std::string& path) {
  const std::string folder(folder_of(path));
  if (folder.empty()) return;
  std::error_code error;
  fs::create_directories(path_from_utf8(folder), error);
  if (error) fail(ExitCode::environment, "cannot create the folder {}: {}", printable(folder), error_text(error));
}

bool skip_if_written() {
  Task& task = current_task();
  const auto exists = [](const WrittenFile& file) { return find_kind(file.path) == FileKind::file; };
  if (task.written.empty() || !std::ranges::all_of(task.written, exists)) return false;
  task.status = TaskStatus::skipped;
  return true;
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

void fail_for_size(const std::string& input, std::uint64_t max_bytes) {
  throw Failure{ExitCode::bad_data,
                {.file = input,
                 .text = fmt::format("pchr: {}: it writes more than the {} MiB that --max-output-mb allows",
                                     printable(input), max_bytes >> 20)}};
}

void run_job(ExportJob job, std::uint64_t max_bytes) {
  catch_interrupts();
  ProgressBar bar;
  const auto go_on = [&] {
    bar.show(job.done(), job.total());
    return !interrupted() && job.bytes() <= max_bytes;
  };
  const ExportResult<void> result = job.run(go_on);
  bar.erase();
  if (job.bytes() > max_bytes) fail_for_size(current_task().input, max_bytes);
  or_fail(result);
}

}  // namespace pchr::tools
