// SPDX-License-Identifier: MIT
#include "platform/file_manager.hpp"

#include <spawn.h>
#include <sys/wait.h>

#include <array>
#include <string>
#include <utility>

extern char** environ;

namespace pchr::player {
namespace {

/// Returns `path` as a URI in which a comma, which separates URIs for dbus-send, is escaped too.
std::string uri_of(const std::string& path) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (kPlain.find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return uri;
}

/// Runs a shell script, which must end soon, with arguments. Returns whether it succeeded.
bool run_script(std::string script, std::string first, std::string second = {}) {
  std::string shell = "/bin/sh";
  std::string option = "-c";
  std::array<char*, 7> arguments{shell.data(), option.data(), script.data(), shell.data(),
                                 first.data(), second.data(), nullptr};
  pid_t child = 0;
  if (posix_spawn(&child, shell.c_str(), nullptr, nullptr, arguments.data(), environ) != 0) return false;
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string absolute_text(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::absolute(path, error).native();
}

}  // namespace

// The interface org.freedesktop.FileManager1 can select a file. Desktops without it can at least open the folder.
bool show_in_folder(const std::filesystem::path& path) {
  std::string script =
      "command -v dbus-send >/dev/null || command -v xdg-open >/dev/null || exit 1\n"
      "{ dbus-send --session --print-reply --dest=org.freedesktop.FileManager1 /org/freedesktop/FileManager1 "
      "org.freedesktop.FileManager1.ShowItems array:string:\"$1\" string: || xdg-open \"$2\"; } "
      "</dev/null >/dev/null 2>&1 &";
  const std::string absolute = absolute_text(path);
  return run_script(std::move(script), uri_of(absolute), std::filesystem::path(absolute).parent_path().native());
}

bool open_with_default_program(const std::filesystem::path& path) {
  return run_script(
      "command -v xdg-open >/dev/null || exit 1\n"
      "xdg-open \"$1\" </dev/null >/dev/null 2>&1 &",
      absolute_text(path));
}

}  // namespace pchr::player
