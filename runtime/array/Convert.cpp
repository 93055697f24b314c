//===- Convert.cpp - conversion of elements between types -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/array/Convert.h"
#include "runtime/array/Float16.h"

#include <cmath>
#include <complex>
#include <concepts>
#include <cstring>
#include <limits>
#include <tuple>
#include <utility>

using namespace kern::runtime;

namespace {
/// One byte that counts as true unless it is 0. A `bool` must not hold other
/// values than 0 and 1.
struct Bool {
  uint8_t bits = 0;
};

/// The host types, in DType's order.
using HostTypes = std::tuple<Bool, int8_t, uint8_t, int16_t, uint16_t, int32_t,
                             uint32_t, int64_t, uint64_t, Half, BFloat, float,
                             double, std::complex<float>, std::complex<double>>;

template <typename T> struct IsComplex : std::false_type {};
template <typename T> struct IsComplex<std::complex<T>> : std::true_type {};

template <std::integral To, std::floating_point From> To saturate(From value) {
  using Limits = std::numeric_limits<To>;
  if (std::isnan(value))
    return 0;
  // 2^digits is exact in both float types; the largest integer may not be.
  constexpr From bound = From(1ull << (Limits::digits - 1)) * From(2);
  if (value >= bound)
    return Limits::max();
  if (value <= From(Limits::min()))
    return Limits::min();
  return To(value);
}

/// The type for computing with a value: its own, or f32 for 16-bit floats.
template <typename From> auto widened(From value) {
  if constexpr (std::same_as<From, Half> || std::same_as<From, BFloat>)
    return toFloat(value);
  else if constexpr (std::same_as<From, Bool>)
    return uint8_t(value.bits != 0);
  else
    return value;
}

template <typename To, typename From> To convertReal(From value) {
  if constexpr (std::same_as<To, Bool>)
    return {uint8_t(value != From(0))};
  else if constexpr (std::same_as<To, Half> || std::same_as<To, BFloat>) {
    using Via = std::conditional_t<std::same_as<From, double>, double, float>;
    if constexpr (std::same_as<To, Half>)
      return toHalf(Via(value));
    else
      return toBFloat(Via(value));
  } else if constexpr (std::integral<To> && std::floating_point<From>)
    return saturate<To>(value);
  else
    return static_cast<To>(value);
}

template <typename To, typename From> To convert(From stored) {
  auto value = widened(stored);
  using Wide = decltype(value);
  if constexpr (IsComplex<To>::value) {
    using Part = typename To::value_type;
    if constexpr (IsComplex<Wide>::value)
      return {Part(value.real()), Part(value.imag())};
    else
      return {convertReal<Part>(value), Part(0)};
  } else if constexpr (IsComplex<Wide>::value) {
    if constexpr (std::same_as<To, Bool>)
      return {uint8_t(value != Wide(0))};
    else
      return convertReal<To>(value.real());
  } else
    return convertReal<To>(value);
}

template <typename From, typename To>
[[gnu::always_inline]] inline void
run(int64_t n, const std::byte *source, int64_t sourceStride,
    std::byte *destination, int64_t destinationStride) {
  auto one = [](const std::byte *from, std::byte *to) {
    From stored;
    std::memcpy(&stored, from, sizeof stored);
    To result;
    if constexpr (std::same_as<From, To> && !std::same_as<From, Bool>)
      result = stored;
    else
      result = convert<To>(stored);
    std::memcpy(to, &result, sizeof result);
  };
  if (sourceStride == sizeof(From) && destinationStride == sizeof(To)) {
    for (int64_t i = 0; i < n; ++i)
      one(source + i * int64_t(sizeof(From)),
          destination + i * int64_t(sizeof(To)));
    return;
  }
  for (int64_t i = 0; i < n; ++i)
    one(source + i * sourceStride, destination + i * destinationStride);
}

/// Code for any CPU, and again for CPUs with wider registers.
enum class Width { Usual, Wide };

template <Width width, typename From, typename To> struct Loop {
  static void run(int64_t n, const std::byte *source, int64_t sourceStride,
                  std::byte *destination, int64_t destinationStride) {
    ::run<From, To>(n, source, sourceStride, destination, destinationStride);
  }
};
#if defined(__x86_64__)
template <typename From, typename To> struct Loop<Width::Wide, From, To> {
  [[gnu::target("avx2")]] static void run(int64_t n, const std::byte *source,
                                          int64_t sourceStride,
                                          std::byte *destination,
                                          int64_t destinationStride) {
    ::run<From, To>(n, source, sourceStride, destination, destinationStride);
  }
};
bool isWide() { return __builtin_cpu_supports("avx2"); }
#else
bool isWide() { return false; }
#endif

template <Width width, typename From, size_t... To>
constexpr std::array<ConvertLoop, dtypeCount>
rowOf(std::index_sequence<To...>) {
  return {&Loop<width, From, std::tuple_element_t<To, HostTypes>>::run...};
}
template <Width width, size_t... From>
constexpr std::array<std::array<ConvertLoop, dtypeCount>, dtypeCount>
tableOf(std::index_sequence<From...> all) {
  return {rowOf<width, std::tuple_element_t<From, HostTypes>>(all)...};
}
constexpr auto types = std::make_index_sequence<dtypeCount>();
constexpr auto usual = tableOf<Width::Usual>(types);
constexpr auto wide = tableOf<Width::Wide>(types);
} // namespace

ConvertLoop kern::runtime::convertLoop(DType from, DType to) {
  return (isWide() ? wide : usual)[unsigned(from)][unsigned(to)];
}

Value kern::runtime::convertValue(const Value &value, DType from, DType to) {
  Value result = {};
  convertLoop(from, to)(1, value.data(), 0, result.data(), 0);
  return result;
}
