// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#include <pchr/diagnostic.hpp>

#include <set>
#include <string>

namespace diagnostic_test {
using namespace pchr;

TEST_CASE("every diagnostic has a unique code that shows its severity", "[diagnostic]") {
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

TEST_CASE("a diagnostic is described in one line: file, severity, code, path, detail and position", "[diagnostic]") {
  const Diagnostic diagnostic{DiagnosticId::bone_out_of_range, "meshes[3].vertices[17].boneIds[2]", "left arm", 48213,
                              "is 91, but the file has 64 bones"};
  CHECK(describe(diagnostic, "hero.pchr") ==
        "hero.pchr: error E114: meshes[3] \"left arm\", vertices[17].boneIds[2] is 91, but the file has 64 bones "
        "(byte 48213)");
  CHECK(describe(diagnostic) == "meshes[3] \"left arm\", vertices[17].boneIds[2] is 91, but the file has 64 bones");
}

TEST_CASE("byte offsets are hexadecimal and hints are shown only on request", "[diagnostic]") {
  const Diagnostic diagnostic{DiagnosticId::truncated, {}, {}, 48213, "the header needs 4 bytes, but only 2 remain"};
  CHECK(describe(diagnostic, "a", {.hex = true}) ==
        "a: error E103: the header needs 4 bytes, but only 2 remain (byte 0xbc55)");
  CHECK(describe(diagnostic, "a", {.hint = true}) ==
        "a: error E103: the header needs 4 bytes, but only 2 remain (byte 48213)\n  hint: " +
            std::string(hint(DiagnosticId::truncated)));
}

TEST_CASE("a position in a text is a line and a column", "[diagnostic]") {
  Diagnostic diagnostic{DiagnosticId::value_out_of_range, "fps", {}, 30, "is 70000, but must be between 0 and 65535"};
  diagnostic.line = 3;
  diagnostic.column = 10;
  CHECK(describe(diagnostic, "a", {.hex = true}) ==
        "a: error E125: fps is 70000, but must be between 0 and 65535 (line 3, column 10)");
}

TEST_CASE("the message of the catalog stands in for a missing detail", "[diagnostic]") {
  CHECK(describe({DiagnosticId::truncated, {}, {}, {}, {}}, "a") == "a: error E103: the file ends too early");
  CHECK(describe({DiagnosticId::clip_without_frames, "animations[1]", "run", {}, {}}, "a") ==
        "a: warning W204: animations[1] \"run\": a clip has no frames and cannot play");
}

TEST_CASE("control characters of a name do not reach the terminal", "[diagnostic]") {
  const std::string text = describe({DiagnosticId::clip_without_frames, "animations[1]", "\x1b[2J\"", {}, {}}, "a");
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("\\x1b[2J\"") != std::string::npos);
}

TEST_CASE("text from a file is shown without characters that move, hide or garble it", "[diagnostic]") {
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

TEST_CASE("a message keeps its line breaks but no other control characters", "[diagnostic]") {
  CHECK(printable_lines("a\n\tb\r\x1b[2J\xFF") == "a\n\tb\\x0d\\x1b[2J\\xff");
}

TEST_CASE("JSON text escapes everything that is not printable and keeps its value", "[diagnostic]") {
  CHECK(json_escaped("\"\\\n\x7f") == R"(\"\\\u000a\u007f)");
  CHECK(json_escaped("\xC2\x9B\xE2\x80\xAE\xF3\xA0\x81\x81") == R"(\u009b\u202e\udb40\udc41)");
  CHECK(json_escaped("\xFF\xC3 \xE7\xB4\x99") == "\\\\xff\\\\xc3 \xE7\xB4\x99");
}

TEST_CASE("every part of a description is printable", "[diagnostic]") {
  const Diagnostic diagnostic{DiagnosticId::truncated, "chunks[\x1b[2J].\nx", "\xC2\x9B", {}, "is \x1b]0;x\x07\n"};
  CHECK(describe(diagnostic, "\x1b.psk") ==
        "\\x1b.psk: error E103: chunks[\\x1b[2J] \"\\u009b\", \\x0ax is \\x1b]0;x\\x07\\x0a");
}

}  // namespace diagnostic_test
