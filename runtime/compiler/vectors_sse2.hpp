// SPDX-License-Identifier: MIT
// The types of vectors.hpp as classes, for compilers without vector types. Every x86-64 processor has SSE2.
#pragma once

#include "compiler/compiler.hpp"

#ifndef PCHR_X86_64
#error "pchr needs GCC or Clang for processors other than x86-64"
#endif

#include <cstdint>
#include <cstring>
#include <immintrin.h>
#include <type_traits>

namespace pchr {
inline namespace PCHR_VECTORS {

template <typename Lane, int kLanes>
struct RegisterOf {
  using Type = __m128i;
};
template <>
struct RegisterOf<float, 4> {
  using Type = __m128;
};
template <>
struct RegisterOf<double, 2> {
  using Type = __m128d;
};
#ifdef __AVX2__
template <>
struct RegisterOf<float, 8> {
  using Type = __m256;
};
template <>
struct RegisterOf<std::int32_t, 8> {
  using Type = __m256i;
};
#endif

template <typename Lane, int kLanes>
struct Vector {
  using Register = typename RegisterOf<Lane, kLanes>::Type;
  static_assert(sizeof(Register) == sizeof(Lane) * kLanes);

  Register bits;

  Vector() noexcept { std::memset(&bits, 0, sizeof(bits)); }
  Vector(Register from) noexcept : bits(from) {}
  template <typename... Values>
    requires(sizeof...(Values) == kLanes)
  Vector(Values... values) noexcept {
    const Lane lanes[kLanes] = {static_cast<Lane>(values)...};
    std::memcpy(&bits, lanes, sizeof(bits));
  }
  [[nodiscard]] Lane operator[](int lane) const noexcept {
    Lane lanes[kLanes];
    std::memcpy(lanes, &bits, sizeof(bits));
    return lanes[lane];
  }
};

using Float4 = Vector<float, 4>;
using Int4 = Vector<std::int32_t, 4>;
using Uint4 = Vector<std::uint32_t, 4>;
using Ushort8 = Vector<std::uint16_t, 8>;
using Double2 = Vector<double, 2>;
#ifdef __AVX2__
using Float8 = Vector<float, 8>;
using Int8 = Vector<std::int32_t, 8>;
#endif

template <typename Lane, int kLanes>
PCHR_ALWAYS_INLINE inline auto in_register(Vector<Lane, kLanes> vector) noexcept {
  return vector.bits;
}

#define PCHR_OPERATOR(V, Result, symbol, result) \
  PCHR_ALWAYS_INLINE inline Result operator symbol(V a, V b) noexcept { return Result(result); }
#define PCHR_SHIFT(V, symbol, function) \
  PCHR_ALWAYS_INLINE inline V operator symbol(V a, int count) noexcept { return V(function(a.bits, count)); }
#define PCHR_FILL(V, Lane, function) \
  PCHR_ALWAYS_INLINE inline V fill(V, Lane value) noexcept { return V(function(value)); }

PCHR_FILL(Float4, float, _mm_set1_ps)
PCHR_OPERATOR(Float4, Float4, +, _mm_add_ps(a.bits, b.bits))
PCHR_OPERATOR(Float4, Float4, -, _mm_sub_ps(a.bits, b.bits))
PCHR_OPERATOR(Float4, Float4, *, _mm_mul_ps(a.bits, b.bits))
PCHR_OPERATOR(Float4, Float4, /, _mm_div_ps(a.bits, b.bits))
PCHR_OPERATOR(Float4, Int4, <, _mm_castps_si128(_mm_cmplt_ps(a.bits, b.bits)))
PCHR_OPERATOR(Float4, Int4, >, _mm_castps_si128(_mm_cmpgt_ps(a.bits, b.bits)))
PCHR_OPERATOR(Float4, Int4, <=, _mm_castps_si128(_mm_cmple_ps(a.bits, b.bits)))
PCHR_OPERATOR(Float4, Int4, >=, _mm_castps_si128(_mm_cmpge_ps(a.bits, b.bits)))
PCHR_OPERATOR(Float4, Int4, ==, _mm_castps_si128(_mm_cmpeq_ps(a.bits, b.bits)))
PCHR_ALWAYS_INLINE inline Float4 operator-(Float4 a) noexcept { return _mm_xor_ps(a.bits, _mm_set1_ps(-0.0F)); }
PCHR_ALWAYS_INLINE inline Float4 square_root(Float4 a) noexcept { return _mm_sqrt_ps(a.bits); }

PCHR_FILL(Int4, std::int32_t, _mm_set1_epi32)
PCHR_OPERATOR(Int4, Int4, &, _mm_and_si128(a.bits, b.bits))
PCHR_OPERATOR(Int4, Int4, |, _mm_or_si128(a.bits, b.bits))
PCHR_OPERATOR(Int4, Int4, ^, _mm_xor_si128(a.bits, b.bits))
PCHR_SHIFT(Int4, <<, _mm_slli_epi32)
PCHR_SHIFT(Int4, >>, _mm_srai_epi32)
PCHR_ALWAYS_INLINE inline Int4 operator~(Int4 a) noexcept { return _mm_xor_si128(a.bits, _mm_set1_epi32(-1)); }

PCHR_ALWAYS_INLINE inline Uint4 fill(Uint4, std::uint32_t value) noexcept {
  return _mm_set1_epi32(static_cast<std::int32_t>(value));
}
PCHR_OPERATOR(Uint4, Uint4, &, _mm_and_si128(a.bits, b.bits))
PCHR_OPERATOR(Uint4, Uint4, |, _mm_or_si128(a.bits, b.bits))
PCHR_OPERATOR(Uint4, Uint4, +, _mm_add_epi32(a.bits, b.bits))
PCHR_SHIFT(Uint4, <<, _mm_slli_epi32)
PCHR_SHIFT(Uint4, >>, _mm_srli_epi32)

PCHR_ALWAYS_INLINE inline Ushort8 fill(Ushort8, std::uint16_t value) noexcept {
  return _mm_set1_epi16(static_cast<std::int16_t>(value));
}
PCHR_OPERATOR(Ushort8, Ushort8, +, _mm_add_epi16(a.bits, b.bits))
PCHR_OPERATOR(Ushort8, Ushort8, *, _mm_mullo_epi16(a.bits, b.bits))
PCHR_SHIFT(Ushort8, >>, _mm_srli_epi16)
PCHR_ALWAYS_INLINE inline Ushort8 max(Ushort8 a, Ushort8 b) noexcept {
  return _mm_add_epi16(b.bits, _mm_subs_epu16(a.bits, b.bits));
}

PCHR_FILL(Double2, double, _mm_set1_pd)
PCHR_OPERATOR(Double2, Double2, +, _mm_add_pd(a.bits, b.bits))
PCHR_OPERATOR(Double2, Double2, -, _mm_sub_pd(a.bits, b.bits))
PCHR_OPERATOR(Double2, Double2, *, _mm_mul_pd(a.bits, b.bits))
PCHR_ALWAYS_INLINE inline Double2 if_less(Double2 a, Double2 b, Double2 value) noexcept {
  return _mm_and_pd(_mm_cmplt_pd(a.bits, b.bits), value.bits);
}
PCHR_ALWAYS_INLINE inline Double2 max(Double2 a, Double2 b) noexcept { return _mm_max_pd(a.bits, b.bits); }
PCHR_ALWAYS_INLINE inline Double2 min(Double2 a, Double2 b) noexcept { return _mm_min_pd(a.bits, b.bits); }

#ifdef __AVX2__
PCHR_FILL(Float8, float, _mm256_set1_ps)
PCHR_OPERATOR(Float8, Float8, +, _mm256_add_ps(a.bits, b.bits))
PCHR_OPERATOR(Float8, Float8, -, _mm256_sub_ps(a.bits, b.bits))
PCHR_OPERATOR(Float8, Float8, *, _mm256_mul_ps(a.bits, b.bits))
PCHR_OPERATOR(Float8, Float8, /, _mm256_div_ps(a.bits, b.bits))
PCHR_OPERATOR(Float8, Int8, <=, _mm256_castps_si256(_mm256_cmp_ps(a.bits, b.bits, _CMP_LE_OS)))
PCHR_ALWAYS_INLINE inline Float8 operator-(Float8 a) noexcept { return _mm256_xor_ps(a.bits, _mm256_set1_ps(-0.0F)); }
PCHR_FILL(Int8, std::int32_t, _mm256_set1_epi32)
PCHR_OPERATOR(Int8, Int8, &, _mm256_and_si256(a.bits, b.bits))
PCHR_OPERATOR(Int8, Int8, |, _mm256_or_si256(a.bits, b.bits))
PCHR_OPERATOR(Int8, Int8, ^, _mm256_xor_si256(a.bits, b.bits))
PCHR_SHIFT(Int8, <<, _mm256_slli_epi32)
PCHR_SHIFT(Int8, >>, _mm256_srai_epi32)
PCHR_ALWAYS_INLINE inline Int8 operator~(Int8 a) noexcept { return _mm256_xor_si256(a.bits, _mm256_set1_epi32(-1)); }
#endif

#undef PCHR_OPERATOR
#undef PCHR_SHIFT
#undef PCHR_FILL

// Between a vector and a number.
#define PCHR_OPERATOR(symbol)                                                                                     \
  template <typename Lane, int kLanes>                                                                            \
  PCHR_ALWAYS_INLINE inline auto operator symbol(Vector<Lane, kLanes> a, std::type_identity_t<Lane> b) noexcept { \
    return a symbol fill(a, b);                                                                                   \
  }                                                                                                               \
  template <typename Lane, int kLanes>                                                                            \
  PCHR_ALWAYS_INLINE inline auto operator symbol(std::type_identity_t<Lane> a, Vector<Lane, kLanes> b) noexcept { \
    return fill(b, a) symbol b;                                                                                   \
  }
PCHR_OPERATOR(+)
PCHR_OPERATOR(-)
PCHR_OPERATOR(*)
PCHR_OPERATOR(/)
PCHR_OPERATOR(<)
PCHR_OPERATOR(>)
PCHR_OPERATOR(<=)
PCHR_OPERATOR(>=)
PCHR_OPERATOR(==)
PCHR_OPERATOR(&)
PCHR_OPERATOR(|)
#undef PCHR_OPERATOR

template <typename Lane, int kLanes, typename Other>
PCHR_ALWAYS_INLINE inline Vector<Lane, kLanes>& operator+=(Vector<Lane, kLanes>& a, Other b) noexcept {
  return a = a + b;
}
template <typename Lane, int kLanes, typename Other>
PCHR_ALWAYS_INLINE inline Vector<Lane, kLanes>& operator*=(Vector<Lane, kLanes>& a, Other b) noexcept {
  return a = a * b;
}
template <typename Lane, int kLanes, typename Other>
PCHR_ALWAYS_INLINE inline Vector<Lane, kLanes>& operator|=(Vector<Lane, kLanes>& a, Other b) noexcept {
  return a = a | b;
}
template <typename Lane, int kLanes, typename Other>
PCHR_ALWAYS_INLINE inline Vector<Lane, kLanes>& operator&=(Vector<Lane, kLanes>& a, Other b) noexcept {
  return a = a & b;
}

template <int kLane, typename Lane, int kLanes>
PCHR_ALWAYS_INLINE inline Vector<Lane, kLanes> with_lane(Vector<Lane, kLanes> vector, Lane value) noexcept {
  std::memcpy(reinterpret_cast<char*>(&vector) + kLane * sizeof(Lane), &value, sizeof(value));
  return vector;
}

PCHR_ALWAYS_INLINE inline Int4 select(Int4 mask, Int4 a, Int4 b) noexcept {
  return _mm_or_si128(_mm_and_si128(mask.bits, a.bits), _mm_andnot_si128(mask.bits, b.bits));
}
PCHR_ALWAYS_INLINE inline Float4 select(Int4 mask, Float4 a, Float4 b) noexcept {
  const __m128 floats = _mm_castsi128_ps(mask.bits);
  return _mm_or_ps(_mm_and_ps(floats, a.bits), _mm_andnot_ps(floats, b.bits));
}

template <int... kLanes>
PCHR_ALWAYS_INLINE inline Int4 shuffle(Int4 vector) noexcept {
  constexpr int kFrom[] = {kLanes...};
  return _mm_shuffle_epi32(vector.bits, kFrom[0] | kFrom[1] << 2 | kFrom[2] << 4 | kFrom[3] << 6);
}
template <int... kLanes>
PCHR_ALWAYS_INLINE inline Float4 shuffle(Float4 vector) noexcept {
  constexpr int kFrom[] = {kLanes...};
  return _mm_shuffle_ps(vector.bits, vector.bits, kFrom[0] | kFrom[1] << 2 | kFrom[2] << 4 | kFrom[3] << 6);
}

PCHR_ALWAYS_INLINE inline Uint4 interleave_low(Uint4 a, Uint4 b) noexcept { return _mm_unpacklo_epi32(a.bits, b.bits); }
PCHR_ALWAYS_INLINE inline Uint4 interleave_high(Uint4 a, Uint4 b) noexcept {
  return _mm_unpackhi_epi32(a.bits, b.bits);
}

PCHR_ALWAYS_INLINE inline Int4 truncate(Float4 vector) noexcept { return _mm_cvttps_epi32(vector.bits); }
PCHR_ALWAYS_INLINE inline Float4 to_floats(Int4 vector) noexcept { return _mm_cvtepi32_ps(vector.bits); }
#ifdef __AVX2__
PCHR_ALWAYS_INLINE inline Int8 truncate(Float8 vector) noexcept { return _mm256_cvttps_epi32(vector.bits); }
#endif

PCHR_ALWAYS_INLINE inline Double2 low_doubles(Float4 vector) noexcept { return _mm_cvtps_pd(vector.bits); }
PCHR_ALWAYS_INLINE inline Double2 high_doubles(Float4 vector) noexcept {
  return _mm_cvtps_pd(_mm_movehl_ps(vector.bits, vector.bits));
}

PCHR_ALWAYS_INLINE inline Float4 floats_of_bytes(std::uint32_t pixel) noexcept {
  const __m128i zero = _mm_setzero_si128();
  const __m128i shorts = _mm_unpacklo_epi8(_mm_cvtsi32_si128(static_cast<std::int32_t>(pixel)), zero);
  return _mm_cvtepi32_ps(_mm_unpacklo_epi16(shorts, zero));
}

}  // namespace PCHR_VECTORS
}  // namespace pchr
