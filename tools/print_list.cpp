// SPDX-License-Identifier: MIT
#include "print_list.hpp"

namespace pchr::tools {

void PrintedList::add(const Task& task) {
  for (const Message& message : task.messages) print_message(message);
  std::string_view document = task.out;
  if (document.empty()) return;
  const bool is_first = std::exchange(empty_, false);
  if (json_) {
    document.remove_suffix(1);
    write_stdout(is_first ? "[\n" : ",\n");
  } else if (!is_first) {
    write_stdout("\n");
  }
  write_stdout(document);
}

void PrintedList::end() const {
  if (json_) write_stdout(empty_ ? "[]\n" : "\n]\n");
}

}  // namespace pchr::tools
