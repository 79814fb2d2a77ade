// SPDX-License-Identifier: MIT
#include "image/deflate.hpp"

#include "character/fail.hpp"

#include <libdeflate.h>

#include <memory>

namespace pchr {
namespace {

struct Free {
  void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
  void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};

}  // namespace

std::vector<std::byte> deflate(std::span<const std::uint8_t> bytes, int level) {
  const std::unique_ptr<libdeflate_compressor, Free> compressor(libdeflate_alloc_compressor(level));
  if (compressor == nullptr) throw_out_of_memory();
  const std::size_t max = libdeflate_zlib_compress_bound(compressor.get(), bytes.size());
  // Pages that are not written take no memory.
  const auto buffer = std::make_unique_for_overwrite<std::byte[]>(max);
  const std::size_t size = libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), buffer.get(), max);
  return {buffer.get(), buffer.get() + size};
}

void inflate(std::span<const std::byte> deflated, std::span<std::uint8_t> out) {
  const std::unique_ptr<libdeflate_decompressor, Free> decompressor(libdeflate_alloc_decompressor());
  if (decompressor == nullptr) throw_out_of_memory();
  libdeflate_zlib_decompress(decompressor.get(), deflated.data(), deflated.size(), out.data(), out.size(), nullptr);
}

}  // namespace pchr
