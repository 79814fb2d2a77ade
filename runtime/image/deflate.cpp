// SPDX-License-Identifier: MIT
#include "image/deflate.hpp"

#include "character/fail.hpp"

#include <libdeflate.h>

namespace pchr {
RoomyBytes deflate(std::span<const std::uint8_t> bytes, int level, std::size_t before, std::size_t after) {
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> compressor(
      libdeflate_alloc_compressor(level), libdeflate_free_compressor);
  if (compressor == nullptr) throw_out_of_memory();
  const std::size_t max = libdeflate_zlib_compress_bound(compressor.get(), bytes.size());
  RoomyBytes deflated{std::make_unique_for_overwrite<std::byte[]>(before + max + after)};
  deflated.size =
      before + libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), &deflated.memory[before], max);
  return deflated;
}

}  // namespace pchr
