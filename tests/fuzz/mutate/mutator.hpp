// SPDX-License-Identifier: MIT
// Damages files randomly.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace pchr::mutate {

using Bytes = std::vector<std::byte>;

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t end) { return end == 0 ? 0 : random_() % end; }
  template <typename T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(choices.size())];
  }

  /// Most damage is small, so that it is detected late or never and subcommands do their whole work.
  Bytes mutate(Bytes bytes) {
    const std::uint64_t kind = below(8);
    if (kind < 5 && !bytes.empty()) {
      for (std::uint64_t left = 1 + below(2); left > 0; --left) change_value(bytes);
    } else {
      for (std::uint64_t left = kind == 5 ? 1 + below(4) : 1; left > 0 && !bytes.empty(); --left) mutate_once(bytes);
    }
    return bytes;
  }

 private:
  /// Changes one value but no length: a digit of a number in text, else a bit, byte or float.
  void change_value(Bytes& bytes) {
    std::size_t at = below(bytes.size());
    const auto here = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto soon = here + static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes.size() - at, 64));
    const auto is_text = [](std::byte byte) { return byte >= std::byte{' '} && byte <= std::byte{'~'}; };
    const auto is_digit = [](std::byte byte) { return byte >= std::byte{'0'} && byte <= std::byte{'9'}; };
    if (const auto digit = std::find_if(here, soon, is_digit); digit != soon && std::all_of(here, digit, is_text)) {
      *digit = static_cast<std::byte>('0' + below(10));
      return;
    }
    const float floats[] = {0.0F, -1.0F, 0.5F, 1e9F, -1e38F, 1e-40F, HUGE_VALF};
    switch (below(4)) {
      case 0:
        bytes[at] ^= static_cast<std::byte>(1U << below(8));
        break;
      case 1:
        bytes[at] = static_cast<std::byte>(std::to_integer<unsigned>(bytes[at]) + (below(2) == 0 ? 1U : 255U));
        break;
      case 2:
        tweak<std::uint16_t>(bytes, at);
        break;
      default: {
        at = std::min(at, bytes.size() - std::min(bytes.size(), sizeof(float)));
        std::memcpy(&bytes[at], &floats[below(std::size(floats))], std::min(bytes.size() - at, sizeof(float)));
      }
    }
  }

  /// Half of all positions are near the start or the end, where the structure is. Images fill the rest.
  std::size_t place(const Bytes& bytes) {
    if (below(2) == 0) return below(bytes.size());
    const double share = static_cast<double>(below(1U << 30)) / (1U << 30);
    const auto near = static_cast<std::size_t>(std::pow(static_cast<double>(bytes.size()), share)) - 1;
    return below(2) == 0 ? near : bytes.size() - 1 - near;
  }

  void mutate_once(Bytes& bytes) {
    const std::size_t at = place(bytes);
    const std::size_t length = 1 + below(std::min<std::size_t>(bytes.size() - at, std::size_t{1} << below(12)));
    const auto here = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = here + static_cast<std::ptrdiff_t>(std::min(length, bytes.size() - at));
    switch (below(8)) {
      case 0:
        bytes[at] ^= static_cast<std::byte>(1U << below(8));
        break;
      case 1:
        bytes[at] = static_cast<std::byte>(below(256));
        break;
      case 2:
        tweak<std::uint16_t>(bytes, at);
        break;
      case 3:
        tweak<std::uint32_t>(bytes, at);
        break;
      case 4:
        bytes.resize(at);
        break;
      case 5:
        bytes.erase(here, end);
        break;
      case 6: {
        const Bytes copy(here, end);
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(place(bytes)), copy.begin(), copy.end());
        break;
      }
      default: {
        const Bytes copy(here, end);
        const std::size_t to = place(bytes);
        std::copy_n(copy.begin(), std::min(copy.size(), bytes.size() - to),
                    bytes.begin() + static_cast<std::ptrdiff_t>(to));
      }
    }
  }

  /// Changes a possible length or index.
  template <typename T>
  void tweak(Bytes& bytes, std::size_t at) {
    if (bytes.size() - at < sizeof(T)) return;
    T value;
    std::memcpy(&value, &bytes[at], sizeof(T));
    const T values[] = {0,
                        static_cast<T>(-1),
                        static_cast<T>(value + 1),
                        static_cast<T>(value - 1),
                        static_cast<T>(value * 2),
                        static_cast<T>(T(1) << (8 * sizeof(T) - 1)),
                        static_cast<T>(bytes.size()),
                        static_cast<T>(bytes.size() - at)};
    value = values[below(std::size(values))];
    std::memcpy(&bytes[at], &value, sizeof(T));
  }

  std::mt19937_64 random_;
};

}  // namespace pchr::mutate
