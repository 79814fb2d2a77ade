// SPDX-License-Identifier: MIT
// Compresses filtered rows of a PNG many times faster than zlib. In rendered images, nearly all matches that zlib finds
// repeat the pixel before, so this looks for no others.
#pragma once

#include <pchr/api.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace PCHR_API pchr {

/// Bits at the end of a stream that do not fill a byte yet.
struct LastBits {
  std::uint64_t bits = 0;
  unsigned count = 0;
};

/// Appends one deflate block (RFC 1951), whose matches all repeat the 4 bytes before. Each row is a filter type and at
/// least one pixel of 4 bytes. `last` completes the stream.
void deflate_runs(std::span<const std::uint8_t> rows, std::size_t row_bytes, bool last, LastBits& stream,
                  std::vector<std::byte>& out);

}  // namespace pchr
