// SPDX-License-Identifier: MIT
#include "task.hpp"

#include <cstring>
#include <tuple>
#include <type_traits>

namespace pchr::tools {
namespace {

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
  return std::tie(of.input, of.exit_code, of.status, of.out, of.messages, of.read, of.missing, of.folders, of.written,
                  of.stamp_error);
}

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_same_v<T, Hash>;

class Writer {
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

// Trusts nothing: the process that wrote the bytes has read a file from anyone.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
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
  void get(TaskStatus& value) {
    std::uint8_t status = 0;
    get(status);
    status <= static_cast<std::uint8_t>(TaskStatus::skipped) ? (void)(value = TaskStatus{status}) : fail();
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

}  // namespace

const char* status_name(const Task& task, const char* done) noexcept {
  if (task.exit_code != ExitCode::success) return "failed";
  switch (task.status) {
    case TaskStatus::unchanged:
      return "unchanged";
    case TaskStatus::skipped:
      return "skipped";
    default:
      return done;
  }
}

Task& current_task() noexcept {
  static Task task;
  return task;
}

std::string task_to_bytes(const Task& task) {
  Writer writer;
  writer.put(task);
  return std::move(writer.bytes);
}

std::optional<Task> task_from_bytes(std::string_view bytes) {
  Reader reader(bytes);
  Task task;
  reader.get(task);
  return reader.is_complete() ? std::optional(std::move(task)) : std::nullopt;
}

}  // namespace pchr::tools
