// SPDX-License-Identifier: MIT
// Errors and warnings about character files: a stable code, a path into the file, the value found and what was
// expected. All of it is safe to print.
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

enum class Severity : std::uint8_t { warning, error };

/// Every error and warning about a character; `diagnostics.def` is the catalogue.
enum class DiagnosticId : std::uint16_t {
#define PCHR_DIAGNOSTIC(code, name, severity, message, hint) name,
#include <pchr/diagnostics.def>
#undef PCHR_DIAGNOSTIC
};

/// Returns the stable code of a diagnostic, such as `E114`.
[[nodiscard]] std::string_view code(DiagnosticId id) noexcept;
[[nodiscard]] Severity severity(DiagnosticId id) noexcept;
/// Returns one sentence that explains the diagnostic, without details.
[[nodiscard]] std::string_view message(DiagnosticId id) noexcept;
/// Returns one or two sentences of advice for the author of the file.
[[nodiscard]] std::string_view hint(DiagnosticId id) noexcept;
/// Returns the whole catalogue.
[[nodiscard]] std::span<const DiagnosticId> all_diagnostics() noexcept;

/// One error or warning about a character file.
struct Diagnostic {
  DiagnosticId id{};
  std::string path;  ///< Into the file, such as `meshes[3].vertices[17].boneIds[2]`; may be empty.
  std::string name;  ///< Name of the path's first part (a mesh, a bone, ...); may be empty.
  std::optional<std::uint64_t> byte_offset;  ///< From the start of the file, where there is one.
  std::string detail;                        ///< The offending value and what was allowed.
  std::uint32_t line = 0;                    ///< Of a text file, from 1; 0 elsewhere.
  std::uint32_t column = 0;                  ///< In bytes, from 1; 0 elsewhere.
};

using LoadError = Diagnostic;

/// Makes text from a file safe to show: escapes control characters, marks that reorder or hide text, and bytes that are
/// not UTF-8, so that a file cannot steer the reader's terminal.
[[nodiscard]] std::string printable(std::string_view text);

/// Returns up to three printable lines, without a final newline: the problem, the place, the value.
[[nodiscard]] std::string describe(const Diagnostic& diagnostic, std::string_view file_name);

/// Does what printable() does, but keeps line breaks and tabs, for a message of several lines.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// Returns the inside of a JSON string that a parser turns back into `text`, with everything escaped that printable()
/// escapes. Bytes that are not UTF-8 become text such as `\xff`.
[[nodiscard]] std::string json_escaped(std::string_view text);

}  // namespace pchr
