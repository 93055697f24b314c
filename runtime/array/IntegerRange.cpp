//===- IntegerRange.cpp - arrays that are computed ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/array/IntegerRange.h"
#include "runtime/array/Convert.h"

#include <algorithm>
#include <array>
#include <type_traits>

using namespace kern::runtime;

std::optional<int64_t> kern::runtime::rangeLength(int64_t start, int64_t stop,
                                                  int64_t step) {
  if (step > 0 ? start >= stop : start <= stop)
    return 0;
  // Neither a difference nor -INT64_MIN fits int64_t.
  const uint64_t span = step > 0 ? uint64_t(stop) - uint64_t(start)
                                 : uint64_t(start) - uint64_t(stop);
  const uint64_t each = step > 0 ? uint64_t(step) : 0 - uint64_t(step);
  const uint64_t length = (span - 1) / each + 1;
  if (length > uint64_t(INT64_MAX))
    return std::nullopt;
  return int64_t(length);
}

namespace {
/// A loop that vectorises: `Sum` holds all of its numbers. What comes after the
/// last one wraps.
template <typename To, typename Sum>
[[gnu::always_inline]] inline void fill(IntegerRange range, int64_t count,
                                        std::byte *destination) {
  using Bits = std::make_unsigned_t<Sum>;
  auto number = Bits(range.start);
  const auto step = Bits(range.step);
  auto *out = reinterpret_cast<To *>(destination);
  for (int64_t i = 0; i < count; ++i, number += step)
    out[i] = To(Sum(number));
}

#if defined(__x86_64__)
template <typename To, typename Sum>
[[gnu::target("avx2")]] void fillWide(IntegerRange range, int64_t count,
                                      std::byte *destination) {
  fill<To, Sum>(range, count, destination);
}
bool isWide() { return __builtin_cpu_supports("avx2"); }
#else
template <typename To, typename Sum>
void fillWide(IntegerRange range, int64_t count, std::byte *destination) {
  fill<To, Sum>(range, count, destination);
}
bool isWide() { return false; }
#endif

template <typename To, typename Sum>
void write(IntegerRange range, int64_t count, std::byte *destination) {
  isWide() ? fillWide<To, Sum>(range, count, destination)
           : fill<To, Sum>(range, count, destination);
}
} // namespace

/// Whether 32 bits hold all of its numbers, of which there is one.
static bool isShort(IntegerRange range, int64_t count) {
  auto fits = [](int64_t number) {
    return number >= INT32_MIN && number <= INT32_MAX;
  };
  int64_t span = 0, last = 0;
  return !__builtin_mul_overflow(range.step, count - 1, &span) &&
         !__builtin_add_overflow(range.start, span, &last) &&
         fits(range.start) && fits(last) && fits(range.step);
}

void kern::runtime::writeRange(IntegerRange range, int64_t count, DType to,
                               std::byte *destination) {
  if (count <= 0)
    return;
  if (to == DType::I64)
    return write<int64_t, int64_t>(range, count, destination);
  const bool isNarrow = isShort(range, count);
  if (isNarrow && to == DType::F64)
    return write<double, int32_t>(range, count, destination);
  if (isNarrow && to == DType::F32)
    return write<float, int32_t>(range, count, destination);
  constexpr int64_t piece = 256;
  std::array<int64_t, piece> numbers;
  const ConvertLoop convert = convertLoop(DType::I64, to);
  const auto size = int64_t(itemSize(to));
  for (int64_t done = 0; done < count; done += piece) {
    const int64_t length = std::min(piece, count - done);
    auto *wide = reinterpret_cast<std::byte *>(numbers.data());
    write<int64_t, int64_t>({range.at(done), range.step}, length, wide);
    convert(length, wide, int64_t(sizeof(int64_t)), destination + done * size,
            size);
  }
}
