// SPDX-License-Identifier: MIT
#include "writers.hpp"

#include "platform/file_path.hpp"
#include "tool.hpp"

namespace pchr::tools {
namespace {

std::string key_of(const std::string& path) {
  const std::string name = normal_path(path);
  // Windows ignores case.
  return kPathStyle == PathStyle::windows ? CLI::detail::to_lower(name) : name;
}

[[noreturn]] void fail_at_input(const std::string& path) {
  fail(ExitCode::usage, "cannot write {}: it is an input file, which is never replaced; choose another name",
       printable(path));
}

bool is_option(const std::string& writer) { return writer.starts_with("--"); }

}  // namespace

void Writers::add_input(const std::string& path) {
  if (!writers_.try_emplace(key_of(path)).first->second.empty()) fail_at_input(path);
}

void Writers::add(const std::string& path, const std::string& writer) {
  const auto [found, is_new] = writers_.try_emplace(key_of(path), writer);
  if (is_new) return;
  if (found->second.empty()) fail_at_input(path);
  fail(ExitCode::usage, "{} and {} would both be written to {}{}", printable(found->second), printable(writer),
       printable(normal_path(path)),
       is_option(found->second) || is_option(writer) ? "" : "\n  hint: use {file} and {folder} in the output name");
}

}  // namespace pchr::tools
