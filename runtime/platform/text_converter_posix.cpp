// SPDX-License-Identifier: MIT
#include "platform/text_converter.hpp"

#include "character/fail.hpp"

#include <iconv.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <new>

namespace pchr {

TextConverter::TextConverter(const std::string& encoding) {
  // Without memory, glibc can say that it does not know the encoding: then it says so only once, or there is none left.
  // musl knows some encodings only by their standard labels. To glibc, these mean other encodings, so they come last.
  constexpr std::size_t kEnough = std::size_t{64} << 10;
  for (const std::string& name : {encoding, encoding, std::string(standard_label(encoding))}) {
    if (state_ != nullptr) break;
    const iconv_t handle = iconv_open("UTF-8", name.c_str());
    if (reinterpret_cast<std::intptr_t>(handle) != -1)
      state_ = handle;
    else if (errno == ENOMEM)
      throw_out_of_memory();
  }
  if (state_ == nullptr) ::operator delete(::operator new(kEnough));
}

TextConverter::~TextConverter() {
  if (state_ != nullptr) iconv_close(state_);
}

bool TextConverter::convert(std::span<const char>& input, std::string& utf8) {
  std::array<char, 4096> block{};
  for (;;) {
    char* from = const_cast<char*>(input.data());
    std::size_t from_left = input.size();
    char* to = block.data();
    std::size_t to_left = block.size();
    const bool failed = iconv(state_, &from, &from_left, &to, &to_left) == static_cast<std::size_t>(-1);
    const bool is_full = failed && errno == E2BIG;
    utf8.append(block.data(), block.size() - to_left);
    input = input.last(from_left);
    if (!is_full) return !failed;
  }
}

}  // namespace pchr
