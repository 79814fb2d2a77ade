// SPDX-License-Identifier: MIT
#include "record.hpp"

#include "options.hpp"
#include "platform/checksums.hpp"
#include "platform/file_path.hpp"
#include "platform/files.hpp"
#include "platform/output_file.hpp"
#include "platform/utf8_path.hpp"

#include <version.hpp>

#include <chrono>
#include <cstring>
#include <set>
#include <tuple>
#include <type_traits>

namespace pchr::tools {
namespace {

/// Returns the time if it tells later changes. Within the resolution of a file system, two seconds at most, a file can
/// change and keep its time.
std::int64_t reliable_time(std::int64_t changed) {
  using std::chrono::system_clock;
  const auto limit = system_clock::now() - std::chrono::seconds(2);
  return changed < std::chrono::nanoseconds(limit.time_since_epoch()).count() ? changed : 0;
}

FileState hashed_state(const std::string& path, const FileStatus& status) {
  const auto hash = status.kind == FileKind::file ? sha256_of_file(path) : std::nullopt;
  return hash ? FileState{status.bytes, status.changed, *hash} : FileState{};
}

// Tasks as bytes

template <class T, class Of>
concept ConstOr = std::is_same_v<std::remove_const_t<T>, Of>;

// What both directions transfer, in order.
auto parts(ConstOr<Diagnostic> auto& of) {
  return std::tie(of.id, of.path, of.name, of.byte_offset, of.detail, of.line, of.column);
}
auto parts(ConstOr<Message> auto& of) { return std::tie(of.severity, of.file, of.text, of.diagnostic); }
auto parts(ConstOr<FileState> auto& of) { return std::tie(of.bytes, of.changed, of.sha256); }
auto parts(ConstOr<WrittenFile> auto& of) {
  return std::tie(of.path, of.width, of.height, of.frames, of.seconds, of.state);
}
auto parts(ConstOr<SourceFile> auto& of) { return std::tie(of.path, of.state); }
auto parts(ConstOr<ListedFolder> auto& of) { return std::tie(of.path, of.names); }
auto parts(ConstOr<Task> auto& of) {
  return std::tie(of.input, of.exit_code, of.out, of.messages, of.read, of.missing, of.folders, of.written);
}

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, Hash>;

class ByteWriter {
 public:
  std::string bytes;

  void put(const Plain auto& value) {
    const auto* const start = reinterpret_cast<const char*>(&value);
    bytes.append(start, sizeof(value));
  }
  void put(const std::string& text) {
    put(text.size());
    bytes += text;
  }
  template <class T>
  void put(const std::optional<T>& optional) {
    put(optional.has_value());
    if (optional) put(*optional);
  }
  template <class T>
  void put(const std::vector<T>& elements) {
    put(elements.size());
    for (const T& element : elements) put(element);
  }
  template <class T>
    requires requires(const T& of) { parts(of); }
  void put(const T& whole) {
    std::apply([&](const auto&... part) { (put(part), ...); }, parts(whole));
  }
};

// Trusts nothing: a stamp can be damaged or made by someone else.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}
  [[nodiscard]] bool is_complete() const { return valid_ && left_.empty(); }

  void get(Plain auto& value) {
    if (left_.size() < sizeof(value)) return fail();
    std::memcpy(&value, &left_.front(), sizeof(value));
    left_.remove_prefix(sizeof(value));
  }
  void get(bool& value) {
    std::uint8_t byte = 0;
    get(byte);
    value = byte == 1;
  }
  void get(Severity& value) {
    bool is_error = false;
    get(is_error);
    value = is_error ? Severity::error : Severity::warning;
  }
  void get(ExitCode& value) {
    std::uint8_t code = 0;
    get(code);
    code <= static_cast<std::uint8_t>(ExitCode::some_failed) ? (void)(value = ExitCode{code}) : fail();
  }
  void get(DiagnosticId& value) {
    std::uint16_t id = 0;
    get(id);
    id < all_diagnostics().size() ? (void)(value = DiagnosticId{id}) : fail();
  }
  void get(std::string& text) {
    const std::size_t size = get_size();
    text = left_.substr(0, size);
    left_.remove_prefix(size);
  }
  template <class T>
  void get(std::optional<T>& optional) {
    bool has_value = false;
    get(has_value);
    if (has_value) get(optional.emplace());
  }
  template <class T>
  void get(std::vector<T>& elements) {
    for (std::size_t count = get_size(); count > 0 && valid_; --count) get(elements.emplace_back());
  }
  template <class T>
    requires requires(T& of) { parts(of); }
  void get(T& whole) {
    std::apply([&](auto&... part) { (get(part), ...); }, parts(whole));
  }

 private:
  // Returns a number of bytes or of elements, each of which has a byte at least.
  std::size_t get_size() {
    std::size_t size = 0;
    get(size);
    if (size <= left_.size()) return size;
    fail();
    return 0;
  }
  void fail() {
    valid_ = false;
    left_ = {};
  }

  std::string_view left_;
  bool valid_ = true;
};

// Stamps

// A stamp is this text, the checksum of the rest, a key, and a task.
constexpr std::string_view kMagic = "pchr stamp 1\n";
constexpr std::uint64_t kMaxStampBytes = std::uint64_t{64} << 20;

/// Removes the names of the files written, which come and go with their own runs.
void leave_out(std::vector<ListedFolder>& folders, const std::vector<WrittenFile>& written) {
  std::map<std::string, std::set<std::string, std::less<>>> names_by_folder;
  for (const WrittenFile& file : written) {
    if (folders.empty()) return;
    const std::string folder(folder_of(file.path));
    names_by_folder[absolute_path(folder.empty() ? "." : folder)].emplace(file_name_of(file.path));
  }
  for (ListedFolder& folder : folders) {
    const auto own = names_by_folder.find(absolute_path(folder.path));
    if (own == names_by_folder.end()) continue;
    std::erase_if(folder.names, [&](const std::string& name) { return own->second.contains(name); });
  }
}

bool is_same_folder(const ListedFolder& folder, const std::vector<WrittenFile>& written) {
  std::vector<ListedFolder> now{{folder.path, names_in_folder(folder.path)}};
  leave_out(now, written);
  return now.front().names == folder.names;
}

std::optional<Task> read_stamp(const std::string& path, const Hash& key) {
  const auto file = read_file(path, kMaxStampBytes);
  if (!file) return std::nullopt;
  std::string_view bytes(reinterpret_cast<const char*>(file->storage.data()), file->size);
  std::uint32_t checksum = 0;
  if (!bytes.starts_with(kMagic) || bytes.size() < kMagic.size() + sizeof(checksum) + key.size()) return std::nullopt;
  bytes.remove_prefix(kMagic.size());
  std::memcpy(&checksum, bytes.data(), sizeof(checksum));
  bytes.remove_prefix(sizeof(checksum));
  if (crc32_of(std::as_bytes(std::span(bytes))) != checksum) return std::nullopt;
  if (bytes.substr(0, key.size()) != std::string_view(reinterpret_cast<const char*>(key.data()), key.size())) {
    return std::nullopt;
  }
  return task_from_bytes(bytes.substr(key.size()));
}

std::error_code save_stamp(const std::string& path, const std::string& bytes) {
  PendingFile file{path};
  std::error_code error = file.create();
  if (error) return error;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.file.get()) != bytes.size()) error = last_stream_error();
  // The disk need not have it: a stamp that a crash damages only costs another run.
  if (std::fclose(file.file.release()) != 0 && !error) error = last_stream_error();
  return error ? error : file.publish(true);
}

/// Options that do not change what is written, and that of the output, which counts with {folder} and {file} filled in.
constexpr std::string_view kNotCounted[] = {"--files-from", "--jobs",       "--keep-going", "--shard",
                                            "--quiet",      "--progress",   "--log-format", "--depfile",
                                            "--manifest",   "--if-changed", "--cache",      "--depfile-target",
                                            "--force",      "FILE",         "--output"};

void append_part(std::string& text, std::string_view part) { text.append(part).push_back('\0'); }

/// Returns a hash of what decides a result besides files: this program's version, the subcommand, its options, and the
/// names of the input and the output.
Hash stamp_key(const RecordOptions& options, const std::string& input, const std::string& output) {
  std::string text;
  append_part(text, reference::version_and_commit());
  append_part(text, options.command->get_name());
  append_part(text, input);
  append_part(text, output);
  append_part(text, options.part);
  for (const CLI::Option* option : options.command->get_options()) {
    const std::string name = option->get_name();
    if (option->count() == 0 || std::ranges::count(kNotCounted, name) > 0) continue;
    append_part(text, name);
    append_part(text, std::to_string(option->results().size()));
    for (const std::string& value : option->results()) append_part(text, value);
  }
  return sha256_of(std::as_bytes(std::span(text)));
}

// Depfiles

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Returns the character of a name that Make or Ninja would not read as part of it, or 0.
char find_unreadable(std::string_view name, bool is_target) {
  // Make expands patterns, and a line with '=' sets a variable. Ninja ends a name at the others.
  const std::string_view unreadable = is_target ? "*=;<>^`|\"&'?%" : "*=;<>^`|\"&'?";
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    // A backslash would escape what follows, for one of them.
    const bool escapes = c == '\\' && (i + 1 == name.size() || std::string_view(" #:").contains(name[i + 1]));
    if (is_control(c) || escapes || unreadable.contains(c)) return c;
  }
  return 0;
}

/// Names in a depfile, or what is wrong with one of them.
struct NameList {
  std::vector<std::string> names{};
  std::set<std::string> seen{};
  std::string error{};

  void add(const std::string& path, bool is_target) {
    const std::string name = kPathStyle == PathStyle::windows ? normal_path(path) : path;
    if (!seen.insert(normal_path(path)).second) return;
    if (const char c = find_unreadable(name, is_target)) {
      error = fmt::format("Make and Ninja cannot both read {} in a depfile: it contains {}", printable(name),
                          is_control(c) ? "a control character" : fmt::format("'{}'", c));
    }
    // Make would look for the home of a user.
    std::string escaped = name.starts_with('~') ? "./" : "";
    for (std::size_t i = 0; i < name.size(); ++i) {
      const bool is_drive = kPathStyle == PathStyle::windows && i == 1;
      if (name[i] == ' ' || name[i] == '#' || (name[i] == ':' && !is_drive)) escaped += '\\';
      if (name[i] == '$') escaped += '$';
      escaped += name[i];
    }
    names.push_back(std::move(escaped));
  }
};

/// Returns the nearest folder of a file that exists. Make would rebuild forever what depends on another.
std::string existing_folder(std::string_view path) {
  std::string_view folder = folder_of(path);
  while (!folder.empty() && folder != folder_of(folder) && find_kind(std::string(folder)) != FileKind::folder) {
    folder = folder_of(folder);
  }
  return folder.empty() ? "." : std::string(folder);
}

std::string path_key(const std::string& path) {
  const std::string name = normal_path(path);
  // Windows ignores case.
  return kPathStyle == PathStyle::windows ? CLI::detail::to_lower(name) : name;
}

[[noreturn]] void fail_at_input(const std::string& path) {
  fail(ExitCode::usage, "cannot write {}: it is an input file, which is never replaced; choose another name",
       printable(path));
}

}  // namespace

void add_record_options(CLI::App& command, RecordOptions& options, bool only_prints) {
  options.command = &command;
  begin_group(command, "Nothing twice");
  command.add_flag("--if-changed", options.if_changed,
                   only_prints
                       ? "Print a file's report again if neither it, the files that belong to it nor the options "
                         "have changed"
                       : "Skip a file if neither it, the files that belong to it, the options nor the outputs "
                         "have changed");
  add_option(command, "--cache", options.cache, "DIR",
             only_prints ? "Folder for the stamps of --if-changed, which needs one"
                         : "Keep the stamps of --if-changed here, not next to the outputs")
      ->needs("--if-changed");
  add_option(command, "--depfile", options.depfile, "FILE",
             "Write the files that were read as dependencies for Make and Ninja; {file} makes one for each character");
  add_option(command, "--depfile-target", options.depfile_target, "NAME",
             only_prints ? "Name that depends on them, which --depfile needs"
                         : "Name that depends on them (default: that of the output or, if it has placeholders, of all "
                           "files written)")
      ->needs("--depfile");
  if (only_prints) return;
  add_option(command, "--manifest", options.manifest, "FILE", "List the files written, with their SHA-256, as JSON");
}

FileState state_to_read(const std::string& path) {
  FileState state = hashed_state(path, find_status(path));
  state.changed = reliable_time(state.changed);
  return state;
}

// Nobody could change the file before it had its name, so its time tells.
FileState state_of_written(const std::string& path) { return hashed_state(path, find_status(path)); }

bool is_same(const std::string& path, FileState& state) {
  const FileStatus status = find_status(path);
  if (status.kind != FileKind::file || status.bytes != state.bytes) return false;
  if (status.changed == state.changed && state.changed != 0) return true;
  const FileState now = hashed_state(path, status);
  if (now.bytes != state.bytes || now.sha256 != state.sha256) return false;
  state.changed = reliable_time(now.changed);
  return true;
}

std::vector<std::string> names_in_folder(const std::string& folder) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name, FileKind /*kind*/) {
    if (!name.starts_with(kHiddenPrefix)) names.push_back(name);
    return true;
  };
  visit_system_folder(folder, add);
  std::ranges::sort(names);
  return names;
}

void note_read(Task& task, const std::string& path) {
  const bool is_file = path != "-";
  if (is_file && find_kind(path) == FileKind::none) {
    task.missing.push_back(path);
  } else {
    // Without a state, standard input is never the same.
    task.read.push_back({path, is_file && task.keeps_states ? state_to_read(path) : FileState{}});
  }
}

void note_listing(Task& task, const std::string& folder) {
  if (std::ranges::find(task.folders, folder, &ListedFolder::path) != task.folders.end()) return;
  task.folders.push_back({folder, task.keeps_states ? names_in_folder(folder) : std::vector<std::string>()});
}

void Writers::add_input(const std::string& path) {
  if (!writers_.try_emplace(path_key(path)).first->second.empty()) fail_at_input(path);
}

void Writers::add(const std::string& path, const std::string& writer) {
  const auto [found, is_new] = writers_.try_emplace(path_key(path), writer);
  if (is_new) return;
  if (found->second.empty()) fail_at_input(path);
  const bool is_record = found->second.starts_with("--") || writer.starts_with("--");
  fail(ExitCode::usage, "{} and {} would both be written to {}{}", printable(found->second), printable(writer),
       printable(normal_path(path)), is_record ? "" : "\n  hint: use {file} and {folder} in the output name");
}

std::string task_to_bytes(const Task& task) {
  ByteWriter writer;
  writer.put(task);
  return std::move(writer.bytes);
}

std::optional<Task> task_from_bytes(std::string_view bytes) {
  ByteReader reader(bytes);
  Task task;
  reader.get(task);
  return reader.is_complete() ? std::optional(std::move(task)) : std::nullopt;
}

std::string stamp_path(const std::string& cache, const std::string& output, const Hash& key) {
  if (!cache.empty()) return path_in(cache, hex(key) + ".stamp");
  // Folders with other placeholders are known only later.
  const std::size_t open = output.find('{');
  const std::string folder(folder_of(output.substr(0, open)));
  std::string name = output.substr(folder.size());
  name.erase(0, name.find_first_not_of("/\\"));
  for (char& c : name) {
    if (std::string_view("/\\:*?\"<>|").contains(c)) c = '_';
  }
  // File systems allow 255 bytes.
  constexpr std::size_t kMaxName = 200;
  if (name.size() > kMaxName) name = hex(sha256_of(std::as_bytes(std::span(name))));
  return path_in(folder, fmt::format("{}{}.stamp", kHiddenPrefix, name));
}

std::string write_stamp(const std::string& path, const Hash& key, const Task& task) noexcept {
  try {
    Task stamped = task;
    leave_out(stamped.folders, stamped.written);
    const std::string rest = std::string(key.begin(), key.end()) + task_to_bytes(stamped);
    const std::uint32_t checksum = crc32_of(std::as_bytes(std::span(rest)));
    std::string bytes(kMagic);
    bytes.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
    const std::error_code error = save_stamp(path, bytes + rest);
    if (!error) return {};
    const std::string_view folder = folder_of(path);
    return fmt::format("cannot write to {}: {}", folder.empty() ? "." : printable(folder), error_text(error));
  } catch (const std::exception&) {
    return "out of memory";
  }
}

std::optional<Task> find_unchanged_task(const std::string& path, const Hash& key) {
  std::optional<Task> task = read_stamp(path, key);
  if (!task) return std::nullopt;
  task->is_unchanged = true;
  bool is_refreshed = false;
  const auto is_as_it_was = [&](auto& file) {
    const std::int64_t changed = file.state.changed;
    if (!is_same(file.path, file.state)) return false;
    is_refreshed = is_refreshed || file.state.changed != changed;
    return true;
  };
  const auto is_missing = [](const std::string& name) { return find_kind(name) == FileKind::none; };
  const auto is_listed = [&](const ListedFolder& folder) { return is_same_folder(folder, task->written); };
  if (!std::ranges::all_of(task->read, is_as_it_was) || !std::ranges::all_of(task->written, is_as_it_was) ||
      !std::ranges::all_of(task->missing, is_missing) || !std::ranges::all_of(task->folders, is_listed)) {
    return std::nullopt;
  }
  if (is_refreshed) write_stamp(path, key, *task);
  return task;
}

Expected<std::string, std::string> depfile_rules(const Task& task, const std::string& target,
                                                 const std::string& depfile) {
  NameList targets, sources;
  std::set<std::string> busy{absolute_path(existing_folder(depfile))};
  for (const WrittenFile& file : task.written) {
    if (target.empty()) targets.add(file.path, true);
    busy.insert(absolute_path(existing_folder(file.path)));
  }
  if (!target.empty()) {
    targets.add(target, true);
    busy.insert(absolute_path(existing_folder(target)));
  }
  if (targets.names.empty()) return std::string();

  for (const SourceFile& file : task.read) {
    if (file.path != "-") sources.add(file.path, false);
  }
  const auto add_folder = [&](const std::string& folder) {
    if (!busy.contains(absolute_path(folder))) sources.add(folder, false);
  };
  for (const std::string& path : task.missing) add_folder(existing_folder(path));
  for (const ListedFolder& folder : task.folders) add_folder(existing_folder(path_in(folder.path, "any")));
  for (const NameList* list : {&targets, &sources}) {
    if (!list->error.empty()) return Unexpected(list->error);
  }
  std::string rules = fmt::format("{}:", fmt::join(targets.names, " "));
  for (const std::string& source : sources.names) rules += " \\\n  " + source;
  for (const std::string& source : sources.names) rules += "\n" + source + ":";
  return rules + '\n';
}

Recorder::Recorder(RecordOptions options, std::string output)
    : options_(std::move(options)), output_(std::move(output)) {
  check_usage({{options_.if_changed && output_ == "-", "--if-changed needs a file for the output"},
               {options_.if_changed && output_.empty() && options_.cache.empty(),
                "--if-changed needs --cache here, because there is no output to keep stamps next to"},
               {!options_.depfile.empty() && output_.empty() && options_.depfile_target.empty(),
                "--depfile needs --depfile-target here, because there is no output that depends on the files"}});
  manifest_.begin_object(JsonWriter::lines)
      .fields("version", kJsonVersion, "tool", "pchr " PCHR_VERSION)
      .key("inputs")
      .begin_array(JsonWriter::lines);
  if (!options_.manifest.empty()) writers_.add(options_.manifest, "--manifest");
  if (!options_.depfile.empty() && !fills_input_name(options_.depfile)) writers_.add(options_.depfile, "--depfile");
  if (options_.cache.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(path_from_utf8(options_.cache), error);
  if (error) {
    fail(ExitCode::environment, "cannot create the folder {}: {}", printable(options_.cache), error_text(error));
  }
}

void Recorder::run(const std::string& input, const RunInput& run) const {
  Task& task = current_task();
  Hash key{};
  std::string stamp;
  if (options_.if_changed) {
    const std::string output = fill_input_name(output_, input);
    key = stamp_key(options_, input, output);
    stamp = stamp_path(options_.cache, output + options_.part, key);
    std::optional<Task> unchanged = find_unchanged_task(stamp, key);
    // Running again reports what is wrong with its names.
    if (unchanged && (options_.depfile.empty() || rules_of(*unchanged))) {
      unchanged->threads = task.threads;
      unchanged->is_printed = false;
      task = *std::move(unchanged);
      if (task.exit_code != ExitCode::success) fail(task.exit_code);
      return;
    }
  }
  task.keeps_states = options_.if_changed;
  try {
    run(input);
  } catch (const Failure& failure) {
    // A failure with a message has cut the report short.
    if (options_.if_changed && options_.keeps_errors && failure.exit_code == ExitCode::bad_data &&
        failure.message.text.empty()) {
      task.exit_code = failure.exit_code;
      task.stamp_error = write_stamp(stamp, key, task);
    }
    throw;
  }
  if (!options_.depfile.empty()) {
    if (const auto rules = rules_of(task); !rules) fail(ExitCode::usage, "{}", rules.error());
  }
  if (!options_.if_changed && options_.manifest.empty()) return;
  for (WrittenFile& file : task.written) file.state = state_of_written(file.path);
  const bool has_result = !task.written.empty() || output_.empty();
  if (options_.if_changed && has_result) task.stamp_error = write_stamp(stamp, key, task);
}

Expected<std::string, std::string> Recorder::rules_of(const Task& task) const {
  const std::string output = fill_input_name(output_, task.input);
  std::string target = fill_input_name(options_.depfile_target, task.input);
  const bool is_written = std::ranges::find(task.written, output, &WrittenFile::path) != task.written.end();
  if (target.empty() && is_written) target = output;
  return depfile_rules(task, target, fill_input_name(options_.depfile, task.input));
}

void Recorder::add(const Task& task) {
  if (!task.stamp_error.empty() && !std::exchange(has_warned_, true)) {
    print_message({.severity = Severity::warning,
                   .text = fmt::format("pchr: warning: --if-changed will do the work again: {}", task.stamp_error)});
  }
  for (const WrittenFile& file : task.written) writers_.add(file.path, task.input);
  if (options_.depfile.empty() && options_.manifest.empty()) return;
  for (const SourceFile& file : task.read) inputs_.add(file.path);
  if (!options_.manifest.empty()) add_to_manifest(task);
  if (options_.depfile.empty() || task.exit_code != ExitCode::success) return;
  const std::string path = fill_input_name(options_.depfile, task.input);
  const auto rules = rules_of(task);
  if (!rules) fail(ExitCode::usage, "{}", rules.error());
  if (path == options_.depfile) {
    rules_ += *rules;
  } else {
    writers_.add(path, "--depfile");
    write_file(path, *rules, Existing::replace, inputs_);
  }
}

void Recorder::add_to_manifest(const Task& task) {
  manifest_.begin_object(JsonWriter::lines)
      .fields("input", task.input, "status", status_name(task, "written"), "exitCode", static_cast<int>(task.exit_code))
      .list("outputs", task.written,
            [&](const WrittenFile& file) {
              const auto if_image = [&](auto number) { return file.frames > 0 ? std::optional(number) : std::nullopt; };
              const auto if_known = [&](auto value) {
                return file.state.is_known() ? std::optional(value) : std::nullopt;
              };
              manifest_.object("path", file.path, "bytes", if_known(file.state.bytes), "sha256",
                               if_known(hex(file.state.sha256)), "width", if_image(file.width), "height",
                               if_image(file.height), "frames", if_image(file.frames), "seconds",
                               if_image(file.seconds));
            })
      .list("messages", task.messages,
            [&](const Message& message) {
              manifest_.begin_object();
              append_fields(manifest_, message);
              manifest_.end_object();
            })
      .end_object();
}

void Recorder::write() {
  if (!rules_.empty()) write_file(options_.depfile, rules_, Existing::replace, inputs_);
  if (options_.manifest.empty()) return;
  manifest_.end_array().end_object();
  write_file(options_.manifest, manifest_.text, Existing::replace, inputs_);
}

}  // namespace pchr::tools
