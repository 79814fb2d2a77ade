// SPDX-License-Identifier: MIT
// Text of unknown encoding to UTF-8.
#include "import/text_decoding.hpp"

#include "character/utf8.hpp"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace pchr {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

class Converter {
 public:
  explicit Converter(const std::string& encoding) noexcept : handle_(iconv_open("UTF-8", encoding.c_str())) {}
  ~Converter() {
    if (known()) iconv_close(handle_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  [[nodiscard]] bool known() const noexcept { return reinterpret_cast<std::intptr_t>(handle_) != -1; }

  /// Converts as much of `input` as is valid, and moves past it. False where something invalid follows.
  bool convert(std::span<const char>& input, std::string& output) {
    std::array<char, 4096> block{};
    for (bool more = true; more;) {
      char* from = const_cast<char*>(input.data());
      std::size_t from_left = input.size();
      char* to = block.data();
      std::size_t to_left = block.size();
      const bool failed = iconv(handle_, &from, &from_left, &to, &to_left) == static_cast<std::size_t>(-1);
      more = failed && errno == E2BIG;
      output.append(block.data(), block.size() - to_left);
      input = input.last(from_left);
      if (failed && !more) return false;
    }
    return true;
  }

 private:
  iconv_t handle_;
};

bool begins_with(std::span<const std::byte> bytes, std::string_view mark) noexcept {
  return bytes.size() >= mark.size() &&
         std::equal(mark.begin(), mark.end(), bytes.begin(),
                    [](char left, std::byte right) { return static_cast<std::byte>(left) == right; });
}

std::string_view text_of(std::span<const std::byte> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// ASCII takes one byte of each pair in UTF-16, so that the other is 0: the first in big-endian text.
std::string find_encoding(std::span<const std::byte> bytes) {
  if (begins_with(bytes, kUtf8Mark)) return "UTF-8";
  if (begins_with(bytes, "\xFF\xFE")) return "UTF-16LE";
  if (begins_with(bytes, "\xFE\xFF")) return "UTF-16BE";
  std::array<std::size_t, 2> zeros{};
  for (std::size_t i = 0; i < bytes.size(); ++i) zeros[i % 2] += bytes[i] == std::byte{0} ? 1 : 0;
  const std::size_t many = bytes.size() / 2 / 3;
  if (zeros[1] > many && zeros[0] <= many / 8) return "UTF-16LE";
  if (zeros[0] > many && zeros[1] <= many / 8) return "UTF-16BE";
  return find_invalid_utf8(text_of(bytes)) ? "CP932" : "UTF-8";
}

void remove_byte_order_mark(std::string& text) {
  if (text.starts_with(kUtf8Mark)) text.erase(0, kUtf8Mark.size());
}

}  // namespace

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return result;
}

std::optional<DecodedText> decode_text(std::span<const std::byte> bytes, const std::string& encoding) {
  DecodedText text;
  text.encoding = encoding.empty() ? find_encoding(bytes) : encoding;
  if (text.encoding == "UTF-8" && !find_invalid_utf8(text_of(bytes))) {
    text.utf8 = text_of(bytes);
    remove_byte_order_mark(text.utf8);
    return text;
  }
  Converter converter(text.encoding);
  if (!converter.known()) return std::nullopt;
  const std::size_t unit = text.encoding.starts_with("UTF-16") ? 2 : 1;
  std::span<const char> rest(text_of(bytes));
  while (!converter.convert(rest, text.utf8)) {
    text.utf8 += kReplacement;
    ++text.replacements;
    rest = rest.subspan(std::min(unit, rest.size()));
  }
  remove_byte_order_mark(text.utf8);
  return text;
}

}  // namespace pchr
