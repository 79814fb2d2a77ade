// SPDX-License-Identifier: MIT
// WebAssembly has no files, no threads, no console and no libraries.
#include <pchr/executor.hpp>
#include <pchr/expected.hpp>

#include "character/fail.hpp"
#include "platform/crc32.hpp"
#include "platform/file_system.hpp"

#include <array>

namespace pchr {
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

bool is_same_file(const std::string& /*a*/, const std::string& /*b*/) { return false; }

std::string absolute_path(const std::string& folder) { return folder; }

bool is_personal_folder(const std::string& /*path*/) { return false; }

void fail_without_value(const std::string& /*why*/) noexcept { __builtin_trap(); }

Executor thread_executor(unsigned /*threads*/) { return {}; }

}  // namespace pchr
