// SPDX-License-Identifier: MIT
#include "manifest.hpp"

#include "log.hpp"

namespace pchr::tools {
namespace {

void append_output(JsonWriter& json, const WrittenFile& file) {
  const auto if_image = [&](auto number) { return file.frames > 0 ? std::optional(number) : std::nullopt; };
  const auto if_known = [&](auto value) { return is_known(file.state) ? std::optional(value) : std::nullopt; };
  json.object("path", file.path, "bytes", if_known(file.state.bytes), "sha256", if_known(hex(file.state.sha256)),
              "width", if_image(file.width), "height", if_image(file.height), "frames", if_image(file.frames),
              "seconds", if_image(file.seconds));
}

}  // namespace

Manifest::Manifest() {
  json_.begin_object(JsonWriter::lines)
      .fields("version", kJsonVersion, "tool", "pchr " PCHR_VERSION)
      .key("inputs")
      .begin_array(JsonWriter::lines);
}

void Manifest::add(const Task& task) {
  json_.begin_object(JsonWriter::lines)
      .fields("input", task.input, "status", status_name(task, "written"), "exitCode", static_cast<int>(task.exit_code))
      .list("outputs", task.written, [&](const WrittenFile& file) { append_output(json_, file); })
      .list("messages", task.messages,
            [&](const Message& message) {
              json_.begin_object();
              append_fields(json_, message);
              json_.end_object();
            })
      .end_object();
}

std::string Manifest::finish() {
  json_.end_array().end_object();
  return std::move(json_.text);
}

}  // namespace pchr::tools
