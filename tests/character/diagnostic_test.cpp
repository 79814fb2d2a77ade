// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <pchr/diagnostic.hpp>

#include <set>
#include <string>

using namespace pchr;

TEST_CASE("every diagnostic has a code of its own that shows its severity", "[diagnostic]") {
  std::set<std::string_view> codes;
  for (const DiagnosticId id : all_diagnostics()) {
    INFO(code(id));
    CHECK(codes.insert(code(id)).second);
    CHECK(code(id).front() == (severity(id) == Severity::error ? 'E' : 'W'));
    CHECK_FALSE(message(id).empty());
    CHECK_FALSE(hint(id).empty());
  }
  CHECK(codes.size() == all_diagnostics().size());
}

TEST_CASE("a diagnostic is described by file, problem, place and value", "[diagnostic]") {
  const Diagnostic diagnostic{DiagnosticId::bone_out_of_range, "meshes[3].vertices[17].boneIds[2]", "left arm", 48213,
                              "found 91; this file has 64 bones, and the weight is 0.25, so the slot is in use"};
  CHECK(describe(diagnostic, "hero.pchr") ==
        "hero.pchr: error E114: bone index out of range\n"
        "  at byte 48213 (0xbc55), meshes[3] \"left arm\", vertices[17].boneIds[2]\n"
        "  found 91; this file has 64 bones, and the weight is 0.25, so the slot is in use");
}

TEST_CASE("a description leaves out what a diagnostic does not have", "[diagnostic]") {
  CHECK(describe({DiagnosticId::truncated, {}, {}, {}, {}}, "a") == "a: error E103: the file ends too early");
  CHECK(describe({DiagnosticId::clip_without_frames, "animations[1]", "run", {}, {}}, "a") ==
        "a: warning W204: a clip has no frames and cannot play\n  animations[1] \"run\"");
}

TEST_CASE("control characters of a name do not reach the terminal", "[diagnostic]") {
  const std::string text = describe({DiagnosticId::clip_without_frames, "animations[1]", "\x1b[2J\"", {}, {}}, "a");
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("\\x1b[2J\"") != std::string::npos);
}

TEST_CASE("text from a file is shown without what would move, hide or garble it", "[diagnostic]") {
  CHECK(printable("plain \"紙\" 🦊") == "plain \"紙\" 🦊");
  CHECK(printable("a\nb\x7f") == "a\\x0ab\\x7f");
  CHECK(printable("\xC2\x9B"
                  "2J") == "\\u009b2J");
  CHECK(printable("\xE2\x80\xAE"
                  "txt") == "\\u202etxt");
  CHECK(printable("\xFF\xC3") == "\\xff\\xc3");
  CHECK(printable("\xD8\x9C\xE1\xA0\x8E\xEF\xBF\xB9") == "\\u061c\\u180e\\ufff9");
  CHECK(printable("\xF3\xA0\x81\x81") == "\\U000e0041");
}

TEST_CASE("a message keeps its line breaks and nothing else that steers", "[diagnostic]") {
  CHECK(printable_lines("a\n\tb\r\x1b[2J\xFF") == "a\n\tb\\x0d\\x1b[2J\\xff");
}

TEST_CASE("text as JSON has escapes for all that is not printable, and keeps its value", "[diagnostic]") {
  CHECK(json_escaped("\"\\\n\x7f") == R"(\"\\\u000a\u007f)");
  CHECK(json_escaped("\xC2\x9B\xE2\x80\xAE\xF3\xA0\x81\x81") == R"(\u009b\u202e\udb40\udc41)");
  CHECK(json_escaped("\xFF\xC3 \xE7\xB4\x99") == "\\\\xff\\\\xc3 \xE7\xB4\x99");
}

TEST_CASE("every part of a description is printable", "[diagnostic]") {
  const Diagnostic diagnostic{DiagnosticId::truncated, "chunks[\x1b[2J].\nx", "\xC2\x9B", {}, "found \x1b]0;x\x07\n"};
  CHECK(describe(diagnostic, "\x1b.psk") ==
        "\\x1b.psk: error E103: the file ends too early\n"
        "  chunks[\\x1b[2J] \"\\u009b\", \\x0ax\n"
        "  found \\x1b]0;x\\x07\\x0a");
}
