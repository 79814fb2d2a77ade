// SPDX-License-Identifier: MIT
// Programs of POSIX systems, whose shells expand wildcards.
#include "platform/program.hpp"

#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace pchr {
namespace {

namespace fs = std::filesystem;

bool can_run(const fs::path& program) {
  std::error_code error;
  return fs::is_regular_file(program, error) && access(program.c_str(), X_OK) == 0;
}

}  // namespace

std::vector<std::string> utf8_arguments(int argc, char** argv) { return {argv, argv + argc}; }

std::vector<std::string> expand_wildcards(const std::string& path) { return {path}; }

std::optional<std::string> find_program(const std::string& name) {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (!error && can_run(self.parent_path() / name)) return self.parent_path() / name;
  const char* variable = std::getenv("PATH");
  std::string_view folders = variable != nullptr ? variable : "";
  while (!folders.empty()) {
    const std::size_t end = std::min(folders.find(':'), folders.size());
    const fs::path program = fs::path(folders.substr(0, end)) / name;
    // A relative folder would depend on where this program was started.
    if (program.is_absolute() && can_run(program)) return program.string();
    folders.remove_prefix(std::min(end + 1, folders.size()));
  }
  return std::nullopt;
}

std::string become_program(const std::string& path, std::vector<std::string> arguments) {
  std::vector<char*> values;
  for (std::string& argument : arguments) values.push_back(argument.data());
  values.push_back(nullptr);
  execv(path.c_str(), values.data());
  return std::strerror(errno);
}

void share_freed_memory() noexcept {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
#endif
}

void set_default_variable(const std::string& name, const std::string& value) noexcept {
  setenv(name.c_str(), value.c_str(), 0);
}

}  // namespace pchr
