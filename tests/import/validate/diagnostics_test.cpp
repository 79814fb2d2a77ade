// SPDX-License-Identifier: MIT
// Files in tests/diagnostics: one small file per diagnostic, and a report with its text.
#include "support/catch.hpp"
#include "support/files.hpp"
#include "support/load.hpp"
#include "import/validate/diagnostic_files.hpp"

#include <pchr/image.hpp>
#include <pchr/load.hpp>
#include <pchr/import/import.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <regex>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace diagnostics_test {
using namespace pchr;

namespace {

namespace fs = std::filesystem;

const fs::path kFolder = PCHR_DIAGNOSTICS_DIR;

// Diagnostics that no single small file can cause: it cannot be opened, lacks a requested part, needs too many other
// files or a system that distinguishes case, or belongs to a character.
const std::set<std::string_view> kWithoutFile{"E100", "E129", "E130", "E131", "E132", "E133", "E135", "E136",
                                              "E137", "E138", "E139", "E141", "E173", "W264", "W278"};

bool is_about_writing(DiagnosticId id) { return code(id)[1] == '3'; }

std::vector<fs::path> diagnostic_paths() {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    const std::string extension = entry.path().extension().string();
    const std::set<std::string_view> extensions{".pchr", ".json", ".chp", ".px", ".aseprite", ".psk", ".gltf", ".glb"};
    if (extensions.contains(extension)) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<Diagnostic> diagnostics_of(const fs::path& path) {
  ImportOptions options;
  if (path.stem().string().starts_with("E104")) options.limits.max_image_pixels = 24;
  if (path.stem().string().starts_with("E155")) options.armature = "nobody";
  if (path.stem().string().starts_with("E171")) options.flat = true;
  if (path.stem().string().starts_with("W270")) options.deform_tolerance = 0.01;
  if (path.stem().string().starts_with("W274")) options.limits.max_bone_samples = 1 << 16;
  if (path.stem().string().starts_with("W228")) options.limits.max_bone_samples = 1000;
  if (path.stem().string().starts_with("W239")) options.layers = {LayerChoice::Which::named, {"clear"}, {}};
  if (path.stem().string().starts_with("W246")) options.layers = {LayerChoice::Which::named, {"drawn", "nobody"}, {}};
  if (path.stem().string().starts_with("W263")) options.image_folder = test::utf8_of(kFolder / "elsewhere");
  const auto character = load_character(path, options);
  if (!character) return {character.error()};
  std::vector<Diagnostic> diagnostics(character->warnings().begin(), character->warnings().end());
  if (const auto images = decode_images(*character); !images) diagnostics.push_back(images.error());
  for (Diagnostic& diagnostic : validate(*character)) diagnostics.push_back(std::move(diagnostic));
  return diagnostics;
}

void write_text(const fs::path& path, const std::string& text) {
  test::write_file(path, std::as_bytes(std::span(text)));
}

}  // namespace

TEST_CASE("each file in tests/diagnostics has exactly its diagnostic, as in its report", "[diagnostics]") {
  if (test::updating_goldens()) {
    for (const auto& [name, bytes] : test::diagnostic_files()) test::write_file(kFolder / name, bytes);
  }
  for (const fs::path& path : diagnostic_paths()) {
    INFO(path.filename().string());
    std::string report;
    std::set<std::string> codes;
    for (const Diagnostic& diagnostic : diagnostics_of(path)) {
      report += describe(diagnostic, path.filename().string()) + "\n";
      codes.emplace(code(diagnostic.id));
    }
    CHECK(codes == std::set<std::string>{path.stem().string().substr(0, 4)});
    const fs::path report_path = fs::path(path).replace_extension(".txt");
    if (test::updating_goldens()) {
      write_text(report_path, report);
    } else {
      CHECK(report == test::read_text(report_path));
    }
  }
}

TEST_CASE("each diagnostic is one line with its position last, and at most a hint line", "[diagnostics]") {
  for (const fs::path& path : diagnostic_paths()) {
    for (const Diagnostic& diagnostic : diagnostics_of(path)) {
      const std::string text = describe(diagnostic, "file");
      INFO(text);
      CHECK(text.starts_with(severity(diagnostic.id) == Severity::error ? "file: error E" : "file: warning W"));
      CHECK(text.find('\n') == std::string::npos);
      CHECK(text.find("0x") == std::string::npos);
      CHECK_FALSE(text.ends_with('.'));
      std::string position;
      if (diagnostic.line > 0) {
        position = "(line " + std::to_string(diagnostic.line) + ", column " + std::to_string(diagnostic.column) + ")";
      } else if (diagnostic.byte_offset) {
        position = "(byte " + std::to_string(*diagnostic.byte_offset) + ")";
      }
      CHECK(text.ends_with(position));
      CHECK(describe(diagnostic, "file", {.hint = true}) == text + "\n  hint: " + std::string(hint(diagnostic.id)));
    }
  }
}

TEST_CASE("a detail is a predicate of its path, or a clause without a path", "[diagnostics]") {
  for (const fs::path& path : diagnostic_paths()) {
    for (const Diagnostic& diagnostic : diagnostics_of(path)) {
      INFO(describe(diagnostic, path.filename().string()));
      if (diagnostic.detail.empty()) continue;
      const std::string first_word = diagnostic.detail.substr(0, diagnostic.detail.find(' '));
      CHECK(std::isupper(static_cast<unsigned char>(first_word[0])) == 0);
      const bool is_verb = first_word.ends_with('s') || first_word == "cannot" || first_word == "must";
      if (!diagnostic.path.empty()) CHECK(is_verb);
    }
  }
}

TEST_CASE("messages, hints and details use plain English", "[diagnostics]") {
  // tests/docs/words.py checks the rest of the vocabulary, in the sources of these texts.
  const std::regex unwanted("\\b(anew|beside|by itself|illegal|legal|of which|that which|the like|wants|whatever)\\b");
  const auto check = [&](std::string_view text) {
    INFO(text);
    CHECK_FALSE(std::regex_search(std::string(text), unwanted));
  };
  for (const DiagnosticId id : all_diagnostics()) {
    check(message(id));
    CHECK(std::islower(static_cast<unsigned char>(message(id)[0])) != 0);
    CHECK_FALSE(message(id).ends_with('.'));
    check(hint(id));
    CHECK(std::isupper(static_cast<unsigned char>(hint(id)[0])) != 0);
    CHECK(hint(id).ends_with('.'));
  }
  for (const fs::path& path : diagnostic_paths()) {
    for (const Diagnostic& diagnostic : diagnostics_of(path)) check(diagnostic.detail);
  }
}

TEST_CASE("every diagnostic of a file has its file in tests/diagnostics", "[diagnostics]") {
  std::set<std::string> stems;
  for (const fs::path& path : diagnostic_paths()) stems.insert(path.stem().string().substr(0, 4));
  for (const DiagnosticId id : all_diagnostics()) {
    const std::string id_code(code(id));
    INFO(id_code);
    CHECK(stems.contains(id_code) != (is_about_writing(id) || kWithoutFile.contains(id_code)));
  }
}

}  // namespace diagnostics_test
