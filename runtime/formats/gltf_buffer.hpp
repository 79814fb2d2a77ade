// SPDX-License-Identifier: MIT
// The binary part of a glTF file, and text of its other part.
#pragma once

#include "formats/byte_writer.hpp"

#include <pchr/text.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pchr {

/// Text as JSON, between quotes.
inline std::string quoted_json(std::string_view text) { return '"' + json_escaped(text) + '"'; }

/// With commas between.
inline std::string joined(const std::vector<std::string>& items) {
  std::string result;
  for (const std::string& item : items) {
    if (!result.empty()) result += ",";
    result += item;
  }
  return result;
}

/// The binary part, and what the text says of it.
class GltfBuffer {
 public:
  /// The number of a view of `bytes`. `target` is what it is for on a GPU, or 0.
  std::size_t add_view(std::span<const std::byte> bytes, int target = 0) {
    views_.push_back(fmt::format(R"({{"buffer":0,"byteOffset":{},"byteLength":{}{}}})", size_, bytes.size(),
                                 target == 0 ? std::string() : fmt::format(R"(,"target":{})", target)));
    out_.write_all(bytes);
    size_ += bytes.size();
    for (; size_ % 4 != 0; ++size_) out_.write(std::byte{0});
    return views_.size() - 1;
  }

  /// The number of an accessor of `values`; `bounds` are its "min" and "max", where it must have them.
  template <typename T>
  std::size_t add(const std::vector<T>& values, int component, std::string_view type, int target = 0,
                  const std::string& bounds = {}) {
    const std::size_t view = add_view(std::as_bytes(std::span(values)), target);
    accessors_.push_back(fmt::format(R"({{"bufferView":{},"componentType":{},"count":{},"type":"{}"{}}})", view,
                                     component, values.size(), type, bounds));
    return accessors_.size() - 1;
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const std::vector<std::string>& views() const noexcept { return views_; }
  [[nodiscard]] const std::vector<std::string>& accessors() const noexcept { return accessors_; }
  [[nodiscard]] std::vector<std::byte> take() { return out_.take(); }

 private:
  ByteWriter out_;
  std::size_t size_ = 0;
  std::vector<std::string> views_, accessors_;
};

}  // namespace pchr
