// SPDX-License-Identifier: MIT
// Files that tests read and write.
#include "support/files.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace pchr::test {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + utf8_of(path));
  return {std::istreambuf_iterator<char>(file), {}};
}

Bytes read_file(const fs::path& path) {
  const std::string text = read_text(path);
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

void write_file(const fs::path& path, std::span<const std::byte> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + utf8_of(path));
}

fs::path asset(const std::string& name) { return fs::path(PCHR_ASSETS_DIR) / name; }
fs::path golden(const std::string& name) { return fs::path(PCHR_GOLDEN_DIR) / name; }

fs::path output(const std::string& name) {
  // Keeps tests that run in parallel from sharing files.
  std::string folder = Catch::getResultCapture().getCurrentTestName();
  std::ranges::replace_if(folder, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  if (const char* context = std::getenv("PCHR_GL")) folder = std::string(context) + "_" + folder;
  if (std::getenv("PCHR_TEST_TOOL") != nullptr) folder = "tool_" + folder;
  // With a drive on Windows.
  const fs::path path = fs::absolute(PCHR_OUTPUT_DIR) / folder / name;
  fs::create_directories(path.parent_path());
  return path;
}

fs::path fresh_folder(const std::string& name) {
  const fs::path folder = output(name);
  if (fs::exists(folder)) fs::permissions(folder, fs::perms::owner_all);
  fs::remove_all(folder);
  fs::create_directories(folder);
  return folder;
}

bool updating_goldens() {
  const char* value = std::getenv("PCHR_UPDATE_GOLDENS");
  return value != nullptr && std::string(value) == "1";
}

fs::path own_conformance_folder() { return PCHR_OWN_CONFORMANCE_DIR; }

std::optional<fs::path> conformance_folder() {
  const fs::path folder = PCHR_CONFORMANCE_DIR;
  if (!fs::is_directory(folder)) return std::nullopt;
  return folder;
}

std::vector<fs::path> conformance_characters() {
  std::vector<fs::path> files;
  const auto folder = conformance_folder();
  if (!folder) return files;
  for (const auto& entry : fs::directory_iterator(*folder)) {
    const fs::path file = entry.path() / (entry.path().filename().string() + ".pchr");
    if (fs::exists(file)) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<fs::path> conformance_files(const std::string& folder, const std::string& extension) {
  std::vector<fs::path> files;
  const auto root = conformance_folder();
  if (!root || !fs::is_directory(*root / folder)) return files;
  for (const auto& entry : fs::directory_iterator(*root / folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace pchr::test
