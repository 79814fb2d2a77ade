// SPDX-License-Identifier: MIT
// The web: no files, threads or libraries, but JavaScript. module.hpp describes imports and exports.
#include <pchr/executor.hpp>
#include <pchr/expected.hpp>

#include "character/fail.hpp"
#include "character/utf8.hpp"
#include "platform/checksums.hpp"
#include "platform/escape.hpp"
#include "platform/files.hpp"
#include "platform/numbers.hpp"
#include "platform/text_converter.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

namespace pchr {

extern "C" {
// Calls pchr_run(work). Returns whether that returned.
__attribute__((import_module("escape"), import_name("run"))) bool run_in_javascript(const Callback<void()>* work);
// Makes run_in_javascript() return false.
__attribute__((import_module("escape"), import_name("leave"))) void leave_to_javascript();
/// Decodes text in an encoding, by its label for TextDecoder. Returns the number of bytes of UTF-8, at most `capacity`,
/// or -1 if the label is unknown.
__attribute__((import_module("text"), import_name("decode"))) std::int32_t decode_in_javascript(
    const char* label, std::size_t label_size, const char* bytes, std::size_t size, char* utf8, std::size_t capacity);
}

namespace {

using CrcTable = std::array<std::uint32_t, 256>;

CrcTable make_crc_table() noexcept {
  CrcTable table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    std::uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc % 2 != 0 ? 0xEDB88320U : 0U);
    table[i] = crc;
  }
  return table;
}

/// Asks for the table of an encoding: decodes all sequences, one per line. Returns false if the browser has none.
bool fill(EncodingTable& table, std::string_view encoding) {
  std::string sequences;
  for (int first = 0x80; first < 0x100; ++first) {
    (sequences += static_cast<char>(first)) += '\n';
    for (int second = 0; second < 0x100; ++second) {
      if (second != '\n') ((sequences += static_cast<char>(first)) += static_cast<char>(second)) += '\n';
    }
  }
  const std::string_view label = standard_label(encoding);
  // At most three bytes of UTF-8 for each byte.
  std::string lines(sequences.size() * 3, '\0');
  const std::int32_t size =
      decode_in_javascript(label.data(), label.size(), sequences.data(), sequences.size(), lines.data(), lines.size());
  if (size < 0) return false;
  std::string_view rest(lines.data(), static_cast<std::size_t>(size));
  const auto next = [&]() -> char32_t {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const Utf8Sequence sequence = line.empty() ? Utf8Sequence{} : first_sequence(line);
    constexpr char32_t kReplacement = 0xFFFD;
    return sequence.length == line.size() && sequence.code_point != kReplacement ? sequence.code_point : 0;
  };
  for (char32_t& single : table.singles) {
    single = next();
    for (int second = 0; second < 0x100; ++second) table.pairs.push_back(second == '\n' ? 0 : next());
  }
  return true;
}

}  // namespace

std::uint32_t crc32_of(std::span<const std::byte> bytes) noexcept {
  static const CrcTable table = make_crc_table();
  std::uint32_t crc = ~0U;
  for (const std::byte byte : bytes) crc = crc >> 8 ^ table[(crc ^ std::to_integer<std::uint32_t>(byte)) & 255];
  return ~crc;
}

Expected<FileBytes, Diagnostic> read_from_system(const std::string& /*path*/, AllowedFiles /*allowed*/,
                                                 std::uint64_t /*max_bytes*/, std::size_t /*padding*/,
                                                 RealFolders /*folders*/) {
  return fail(DiagnosticId::unreadable_file, "the file cannot be read: there is no file system");
}

bool read_part(RealFolders /*folders*/, const std::string& /*path*/, std::uint64_t /*offset*/,
               std::span<std::byte> /*bytes*/) {
  return false;
}

FileKind find_kind(const std::string& /*path*/) { return FileKind::none; }

void visit_system_folder(const std::string& /*path*/,
                         const Callback<bool(const std::string& name, FileKind kind)>& /*visit*/) {}

std::string real_path(const std::string& path) { return path; }

std::optional<FileIdentity> find_identity(const std::string& /*path*/) { return std::nullopt; }

std::string absolute_path(const std::string& folder) { return folder; }

bool is_personal_folder(const std::string& /*path*/) { return false; }

void fail_without_value(const std::string& /*why*/) noexcept { __builtin_trap(); }

Executor thread_executor(unsigned /*threads*/) { return {}; }

double nearest_double(const char* first, const char* /*last*/) { return std::strtod(first, nullptr); }

bool Escape::run(const Callback<void()>& work) {
  // In memory, so that this function restores the stack pointer, which the exception does not.
  const Callback<void()> copy = work;
  return run_in_javascript(&copy);
}

void Escape::leave() {
  leave_to_javascript();
  __builtin_unreachable();
}

TextConverter::TextConverter(const std::string& encoding) {
  auto table = std::make_unique<EncodingTable>();
  if (const EncodingTable* const unicode = EncodingTable::find_unicode(encoding)) {
    *table = *unicode;
  } else if (!fill(*table, encoding)) {
    return;
  }
  state_ = table.release();
}

TextConverter::~TextConverter() { delete static_cast<EncodingTable*>(state_); }

bool TextConverter::convert(std::span<const char>& input, std::string& utf8) {
  return static_cast<const EncodingTable*>(state_)->convert(input, utf8);
}

}  // namespace pchr

extern "C" __attribute__((export_name("pchr_run"))) void pchr_run(const pchr::Callback<void()>* work) { (*work)(); }
