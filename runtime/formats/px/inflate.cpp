// SPDX-License-Identifier: MIT
// Compressed data of .px files.
#include "formats/px/inflate.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>

namespace pchr::px {
namespace {

/// The two bytes with which zlib's format begins.
bool has_zlib_header(std::span<const std::byte> bytes) noexcept {
  if (bytes.size() < 2) return false;
  const auto first = std::to_integer<unsigned>(bytes[0]), second = std::to_integer<unsigned>(bytes[1]);
  return (first & 0xF) == Z_DEFLATED && (first * 256 + second) % 31 == 0;
}

}  // namespace

struct Inflater::Stream {
  z_stream z{};
};

void Inflater::Free::operator()(Stream* stream) const noexcept {
  inflateEnd(&stream->z);
  delete stream;
}

Inflater::Inflater() : stream_(new Stream) {
  // Without zlib's frame, whose checksum these files do not have.
  inflateInit2(&stream_->z, -MAX_WBITS);
}

std::size_t Inflater::inflate(std::span<const std::byte> deflated, std::span<std::uint8_t> out) {
  if (has_zlib_header(deflated)) deflated = deflated.subspan(2);
  constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
  z_stream& z = stream_->z;
  if (out.empty() || out.size() > kMost || inflateReset(&z) != Z_OK) return 0;
  // zlib does not write to what it reads.
  z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(deflated.data()));
  z.avail_in = static_cast<uInt>(std::min(deflated.size(), kMost));
  z.next_out = out.data();
  z.avail_out = static_cast<uInt>(out.size());
  const int result = ::inflate(&z, Z_FINISH);
  if (result == Z_STREAM_END) return out.size() - z.avail_out;
  return result == Z_BUF_ERROR && z.avail_out == 0 ? out.size() + 1 : 0;
}

}  // namespace pchr::px
