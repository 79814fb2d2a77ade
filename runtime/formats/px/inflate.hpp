// SPDX-License-Identifier: MIT
// Compressed data of .px files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace pchr::px {

/// Inflates one piece of data after another. Not for several threads at once.
class Inflater {
 public:
  Inflater();

  /// Inflates into `out` what begins like zlib's format, or without its two bytes. In these files the checksum at the
  /// end is missing, so whatever follows is ignored. Returns how many bytes there are; one more than `out` has room for
  /// where there are more, 0 where the data is broken.
  [[nodiscard]] std::size_t inflate(std::span<const std::byte> deflated, std::span<std::uint8_t> out);

 private:
  struct Stream;
  struct Free {
    void operator()(Stream* stream) const noexcept;
  };
  std::unique_ptr<Stream, Free> stream_;
};

}  // namespace pchr::px
