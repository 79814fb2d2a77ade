// SPDX-License-Identifier: MIT
// Errors and warnings about character files. Each has a stable code, a position in the file, the value that was found
// and what was expected. Its text is safe to print.
//
//   const auto loaded = pchr::load("hero.pchr");
//   if (!loaded) return (void)std::puts(pchr::describe(loaded.error(), "hero.pchr").c_str());
//   for (const pchr::Diagnostic& warning : loaded->warnings()) std::puts(pchr::describe(warning, "hero.pchr").c_str());
#pragma once

#include <pchr/api.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace PCHR_API pchr {

/// Severity of a diagnostic: a warning lets the file load, an error does not.
enum class Severity : std::uint8_t { warning, error };

/// All diagnostics, listed in `diagnostics.def`.
enum class DiagnosticId : std::uint16_t {
#define PCHR_DIAGNOSTIC(code, name, severity, message, hint) name,
#include <pchr/diagnostics.def>
#undef PCHR_DIAGNOSTIC
};

/// Returns the stable code of a diagnostic, such as `E114`.
[[nodiscard]] std::string_view code(DiagnosticId id) noexcept;
/// Returns the severity of a diagnostic.
[[nodiscard]] Severity severity(DiagnosticId id) noexcept;
/// Returns a short clause that names the problem, such as "a bone index is out of range".
[[nodiscard]] std::string_view message(DiagnosticId id) noexcept;
/// Returns one or two sentences that tell the author of the file what to do.
[[nodiscard]] std::string_view hint(DiagnosticId id) noexcept;
/// Returns the ids of all diagnostics, in the order of their codes.
[[nodiscard]] std::span<const DiagnosticId> all_diagnostics() noexcept;

/// One error or warning about a character file.
struct Diagnostic {
  DiagnosticId id{};  ///< Kind of problem.
  std::string path;   ///< Path into the file, such as `meshes[3].vertices[17].boneIds[2]`, or empty.
  std::string name;   ///< Name of the mesh, bone or other part that the path starts with, or empty.
  std::optional<std::uint64_t> byte_offset;  ///< Offset from the start of the file, if known.
  /// Explains what is wrong, what was found and what was expected, in that order.
  /// With a path, `detail` is a predicate whose subject is the path: "is 48, but the file has 23 bones". Without a
  /// path, it is a clause that starts in lower case: "the file is empty". It has no period at its end. If it is empty,
  /// describe() uses message() instead.
  std::string detail;
  std::uint32_t line = 0;    ///< Line in a text file, from 1, or 0.
  std::uint32_t column = 0;  ///< Column in bytes, from 1, or 0.
};

/// Reason why a file did not load.
using LoadError = Diagnostic;

/// Escapes control characters, invisible characters, marks that reorder text, and bytes that are not UTF-8, so that
/// text from a file cannot control a terminal.
[[nodiscard]] std::string printable(std::string_view text);

/// Form of the text that describe() returns.
struct DescribeOptions {
  bool hex = false;   ///< Whether byte offsets are hexadecimal: `(byte 0x19a3c)` instead of `(byte 105020)`.
  bool hint = false;  ///< Whether the hint follows on a second line: `  hint: …`.
};

/// Returns one printable line: the file, the severity, the code, the path with the name of its part, the detail and the
/// position. An example: `a.pchr: error E115: meshes[0] "quad", image is 5, but the file has 1 image (byte 112)`.
[[nodiscard]] std::string describe(const Diagnostic& diagnostic, std::string_view file_name,
                                   const DescribeOptions& options = {});

/// Returns the same without the file, the severity, the code and the position.
[[nodiscard]] std::string describe(const Diagnostic& diagnostic);

/// Escapes what printable() escapes, except line breaks and tabs.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// Escapes text for use between the quotes of a JSON string. Also escapes what printable() escapes. A parser returns
/// the original text, except that bytes that are not UTF-8 become text such as `\xff`.
[[nodiscard]] std::string json_escaped(std::string_view text);

}  // namespace pchr
