// SPDX-License-Identifier: MIT
// Short vectors that fit in a register: Float4, Int4 and others. The operators work on all lanes; those between a
// vector and a number take the number for every lane, comparisons give vectors of integers with all bits of a lane set
// or clear, and v[i] reads a lane.
// They are vector types of GCC and Clang, which turn them into instructions of any processor.
#pragma once

#include "compiler/compiler.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

// A linker must never choose a function that was compiled for AVX2 for a program that runs without it.
#ifdef __AVX2__
#define PCHR_VECTORS vectors_avx2
#else
#define PCHR_VECTORS vectors
#endif

#ifdef __AVX2__
#include <immintrin.h>
#elif defined(PCHR_X86_64)
#include <emmintrin.h>
#endif

namespace pchr {
inline namespace PCHR_VECTORS {

using Float4 = float __attribute__((vector_size(16)));
using Byte4 = std::uint8_t __attribute__((vector_size(4)));
using Int4 = std::int32_t __attribute__((vector_size(16)));
using Uint4 = std::uint32_t __attribute__((vector_size(16)));
using Ushort8 = std::uint16_t __attribute__((vector_size(16)));
using Double2 = double __attribute__((vector_size(16)));
#ifdef __AVX2__
using Byte8 = std::uint8_t __attribute__((vector_size(8)));
using Float8 = float __attribute__((vector_size(32)));
using Int8 = std::int32_t __attribute__((vector_size(32)));
#endif

/// Returns a vector for functions of the instruction set.
#ifdef PCHR_X86_64
PCHR_ALWAYS_INLINE inline __m128 in_register(Float4 vector) noexcept { return vector; }
PCHR_ALWAYS_INLINE inline __m128i in_register(Int4 vector) noexcept { return reinterpret_cast<__m128i>(vector); }
#endif
#ifdef __AVX2__
PCHR_ALWAYS_INLINE inline __m256 in_register(Float8 vector) noexcept { return vector; }
PCHR_ALWAYS_INLINE inline __m256i in_register(Int8 vector) noexcept { return reinterpret_cast<__m256i>(vector); }
#endif

/// Returns a vector with lane kLane set to `value`.
template <int kLane, typename V>
PCHR_ALWAYS_INLINE inline V with_lane(V vector, float value) noexcept {
  vector[kLane] = value;
  return vector;
}

/// Returns the lanes of `a` where those of `mask` are set, and those of `b` elsewhere.
template <typename Mask, typename V>
PCHR_ALWAYS_INLINE inline V select(Mask mask, V a, V b) noexcept {
  return mask ? a : b;
}

/// Returns a vector that has, in each lane, the lane of `vector` with this number.
template <int... kLanes, typename V>
PCHR_ALWAYS_INLINE inline V shuffle(V vector) noexcept {
  return __builtin_shufflevector(vector, vector, kLanes...);
}

/// Returns a vector that has, in each lane, the lane with this number of `a` followed by `b`.
template <int... kLanes, typename V>
PCHR_ALWAYS_INLINE inline V shuffle(V a, V b) noexcept {
  return __builtin_shufflevector(a, b, kLanes...);
}

/// Returns lanes 0 and 1, or 2 and 3, of `a` and `b` alternately.
template <typename V>
PCHR_ALWAYS_INLINE inline V interleave_low(V a, V b) noexcept {
  return __builtin_shufflevector(a, b, 0, 4, 1, 5);
}
template <typename V>
PCHR_ALWAYS_INLINE inline V interleave_high(V a, V b) noexcept {
  return __builtin_shufflevector(a, b, 2, 6, 3, 7);
}

/// Returns whether any bit of any lane is set.
PCHR_ALWAYS_INLINE inline bool any(Int4 lanes) noexcept {
#ifdef PCHR_X86_64
  return _mm_movemask_epi8(in_register(lanes)) != 0;
#else
  return (lanes[0] | lanes[1] | lanes[2] | lanes[3]) != 0;
#endif
}

/// Returns the lanes as bytes, the lowest first, with those outside 0 to 255 clamped.
PCHR_ALWAYS_INLINE inline std::uint32_t to_bytes(Int4 lanes) noexcept {
#ifdef PCHR_X86_64
  const __m128i shorts = _mm_packs_epi32(in_register(lanes), in_register(lanes));
  return static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm_packus_epi16(shorts, shorts)));
#else
  const Int4 clamped = lanes < 0 ? Int4{} : lanes > 255 ? Int4{255, 255, 255, 255} : lanes;
  return __builtin_bit_cast(std::uint32_t, __builtin_convertvector(clamped, Byte4));
#endif
}

/// Converts each lane.
template <typename To, typename From>
PCHR_ALWAYS_INLINE inline To lanes_as(From vector) noexcept {
  return __builtin_convertvector(vector, To);
}

/// Converts to integers without the fractions, and back to floats.
PCHR_ALWAYS_INLINE inline Int4 truncate(Float4 vector) noexcept { return __builtin_convertvector(vector, Int4); }
PCHR_ALWAYS_INLINE inline Float4 to_floats(Int4 vector) noexcept { return __builtin_convertvector(vector, Float4); }
#ifdef __AVX2__
PCHR_ALWAYS_INLINE inline Int8 truncate(Float8 vector) noexcept { return __builtin_convertvector(vector, Int8); }
#endif

/// Converts lanes 0 and 1, or 2 and 3.
PCHR_ALWAYS_INLINE inline Double2 low_doubles(Float4 vector) noexcept {
  using Double4 = double __attribute__((vector_size(32)));
  const auto wide = __builtin_convertvector(vector, Double4);
  return __builtin_shufflevector(wide, wide, 0, 1);
}
PCHR_ALWAYS_INLINE inline Double2 high_doubles(Float4 vector) noexcept {
  using Double4 = double __attribute__((vector_size(32)));
  const auto wide = __builtin_convertvector(vector, Double4);
  return __builtin_shufflevector(wide, wide, 2, 3);
}

/// Converts the bytes of `pixel`, the lowest first.
PCHR_ALWAYS_INLINE inline Float4 floats_of_bytes(std::uint32_t pixel) noexcept {
  using Bytes = std::uint8_t __attribute__((vector_size(16)));
  const auto bytes = __builtin_bit_cast(Bytes, Uint4{pixel});
  const Bytes pairs = __builtin_shufflevector(bytes, Bytes{}, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
  const auto shorts = __builtin_bit_cast(Ushort8, pairs);
  const Ushort8 wide = __builtin_shufflevector(shorts, Ushort8{}, 0, 8, 1, 9, 2, 10, 3, 11);
  return to_floats(__builtin_bit_cast(Int4, wide));
}

PCHR_ALWAYS_INLINE inline Ushort8 max(Ushort8 a, Ushort8 b) noexcept { return a > b ? a : b; }

/// Returns `value` in the lanes in which `a` is less than `b`, and 0 in the others.
PCHR_ALWAYS_INLINE inline Double2 if_less(Double2 a, Double2 b, Double2 value) noexcept {
  return a < b ? value : Double2{};
}

/// Return the larger or smaller lanes, and those of `b` where one is not a number.
PCHR_ALWAYS_INLINE inline Double2 max(Double2 a, Double2 b) noexcept { return a > b ? a : b; }
PCHR_ALWAYS_INLINE inline Double2 min(Double2 a, Double2 b) noexcept { return a < b ? a : b; }
PCHR_ALWAYS_INLINE inline Float4 min(Float4 a, Float4 b) noexcept {
#ifdef PCHR_X86_64
  return _mm_min_ps(in_register(a), in_register(b));
#else
  return a < b ? a : b;
#endif
}

PCHR_ALWAYS_INLINE inline Float4 square_root(Float4 vector) noexcept {
  for (int lane = 0; lane < 4; ++lane) vector[lane] = std::sqrt(vector[lane]);
  return vector;
}

/// Reads a vector or a number from memory of any alignment.
template <typename V>
PCHR_ALWAYS_INLINE inline V load_as(const void* from) noexcept {
  V value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

/// Writes a vector or a number to memory of any alignment.
template <typename V>
PCHR_ALWAYS_INLINE inline void store_as(const V& value, void* to) noexcept {
  std::memcpy(to, &value, sizeof(value));
}

/// Returns the same bits as another type. Unlike std::bit_cast, never a function that a linker could choose.
template <typename To, typename From>
PCHR_ALWAYS_INLINE inline To bits_as(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}

/// Returns a vector with `value` in every lane.
template <typename V, typename T>
PCHR_ALWAYS_INLINE inline V all_lanes(T value) noexcept {
  return V{} + value;
}

/// Exchanges the rows and columns of a matrix.
PCHR_ALWAYS_INLINE inline void transpose(Uint4 (&rows)[4]) noexcept {
  const Uint4 even_low = interleave_low(rows[0], rows[2]), even_high = interleave_high(rows[0], rows[2]);
  const Uint4 odd_low = interleave_low(rows[1], rows[3]), odd_high = interleave_high(rows[1], rows[3]);
  rows[0] = interleave_low(even_low, odd_low);
  rows[1] = interleave_high(even_low, odd_low);
  rows[2] = interleave_low(even_high, odd_high);
  rows[3] = interleave_high(even_high, odd_high);
}

// The same for numbers, for functions that take vectors and numbers alike.
PCHR_ALWAYS_INLINE inline float select(bool condition, float a, float b) noexcept { return condition ? a : b; }
PCHR_ALWAYS_INLINE inline float square_root(float value) noexcept { return std::sqrt(value); }

}  // namespace PCHR_VECTORS
}  // namespace pchr
