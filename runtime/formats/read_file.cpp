// SPDX-License-Identifier: MIT
// Whole files into memory.
#include "formats/read_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace pchr {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

Finding unreadable(int error) { return {FindingId::unreadable_file, {}, {}, {}, std::strerror(error)}; }

}  // namespace

// Reads until the end instead of trusting a size: pipes have none, and a file may change meanwhile.
std::expected<FileBytes, Finding> read_file(const std::filesystem::path& path, std::uint64_t most,
                                            std::size_t padding) {
  const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(path.c_str(), "rb"));
  if (!file) return std::unexpected(unreadable(errno));
  std::error_code no_size;
  const std::uintmax_t expected = std::filesystem::file_size(path, no_size);
  FileBytes result;
  // One more than expected, so that the end is seen without growing.
  result.storage.resize((no_size ? 0 : std::min<std::uint64_t>(expected, most) + 1) + padding);
  for (bool more = true; more;) {
    if (result.size + padding == result.storage.size()) {
      result.storage.resize(std::max<std::size_t>(result.storage.size() * 2, std::size_t{64} << 10));
    }
    const std::size_t room = result.storage.size() - padding - result.size;
    const std::size_t count = std::fread(result.storage.data() + result.size, 1, room, file.get());
    result.size += count;
    more = count == room;
    if (result.size > most) {
      return std::unexpected(
          Finding{FindingId::limit_exceeded, {}, {}, most, fmt::format("the file is larger than {} bytes", most)});
    }
  }
  if (std::ferror(file.get()) != 0) return std::unexpected(unreadable(errno));
  return result;
}

}  // namespace pchr
