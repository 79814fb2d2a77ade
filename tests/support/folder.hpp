// SPDX-License-Identifier: MIT
#pragma once

#include "support/files.hpp"

#include <pchr/import/import.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pchr::test {

/// Files in memory, which note what is read.
struct Folder {
  std::map<std::string, Bytes> files;
  std::vector<std::string> read;

  void add(const std::string& name, std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    files[name] = {bytes.begin(), bytes.end()};
  }

  Expected<Imported, LoadError> import(const std::string& path, ImportOptions options = {}) {
    const auto read_file = [&](const std::string& name) -> Expected<std::vector<std::byte>, std::string> {
      const auto found = files.find(name);
      if (found == files.end()) return Unexpected(std::string("there is no such file"));
      return found->second;
    };
    const auto note = [&](const std::string& name) { read.push_back(name); };
    options.read_file = read_file;
    options.before_reading = note;
    return import_character(path, options);
  }
};

}  // namespace pchr::test
