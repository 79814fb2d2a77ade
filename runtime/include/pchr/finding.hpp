// SPDX-License-Identifier: MIT
// What can be wrong with a character file, and where.
#pragma once

#include <pchr/export.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace PCHR_API pchr {

enum class Severity : std::uint8_t { warning, error };

/// Every error and warning about a character; `findings.def` is the catalogue.
enum class FindingId : std::uint16_t {
#define PCHR_FINDING(code, name, severity, sentence, advice) name,
#include <pchr/findings.def>
#undef PCHR_FINDING
};

/// The stable code of a finding, such as `E114`.
[[nodiscard]] std::string_view code(FindingId id) noexcept;
[[nodiscard]] Severity severity(FindingId id) noexcept;
/// One sentence that says what the finding means, without details.
[[nodiscard]] std::string_view sentence(FindingId id) noexcept;
/// What to do about it, in one or two sentences for whoever made the file.
[[nodiscard]] std::string_view advice(FindingId id) noexcept;
/// The whole catalogue.
[[nodiscard]] std::span<const FindingId> all_findings() noexcept;

/// One error or warning about a character file.
struct Finding {
  FindingId id{};
  std::string path;  ///< Into the file, such as `meshes[3].vertices[17].boneIds[2]`; may be empty.
  std::string name;  ///< Name of the path's first part (a mesh, a bone, ...); may be empty.
  std::optional<std::uint64_t> byte_offset;  ///< From the start of the file, where there is one.
  std::string detail;                        ///< The offending value and what was allowed.
  std::uint32_t line = 0;                    ///< Of a text file, from 1; 0 elsewhere.
  std::uint32_t column = 0;                  ///< In bytes, from 1; 0 elsewhere.
};

using LoadError = Finding;

/// Text from a file, such as a name, safe to show: control characters, marks that reorder or hide text, and bytes
/// that are not UTF-8 are escaped, so that a file cannot steer the terminal of who looks at it.
[[nodiscard]] std::string printable(std::string_view text);

/// The finding as a person reads it, in up to three lines without a final newline:
/// the problem, the place, the value. All of it is printable.
[[nodiscard]] std::string describe(const Finding& finding, std::string_view file_name);

}  // namespace pchr
