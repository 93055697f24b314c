//===- HostVectorFunctionTest.cpp - how accurate vector functions are -----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every vector function that the compiler may use, at every width that this CPU
// has, against MPFR: within 4 ULP over all numbers, and right at the edges.
//
//===----------------------------------------------------------------------===//
#include "VectorCall.h"
#include "compiler/targets/host/VectorFunctions.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <mpfr.h>
#include <random>

using namespace kern::compiler::host;
using kern::test::callVectors;

namespace {

constexpr double maxUlps = 4;

using Exact = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using Exact2 = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

struct Function {
  const char *name;
  Exact one;
  Exact2 two = nullptr;
};

const Function functions[] = {
    {"acos", mpfr_acos},        {"acosh", mpfr_acosh},
    {"asin", mpfr_asin},        {"asinh", mpfr_asinh},
    {"atan", mpfr_atan},        {"atan2", nullptr, mpfr_atan2},
    {"atanh", mpfr_atanh},      {"cbrt", mpfr_cbrt},
    {"cos", mpfr_cos},          {"cosh", mpfr_cosh},
    {"erf", mpfr_erf},          {"erfc", mpfr_erfc},
    {"exp", mpfr_exp},          {"exp2", mpfr_exp2},
    {"expm1", mpfr_expm1},      {"hypot", nullptr, mpfr_hypot},
    {"log", mpfr_log},          {"log10", mpfr_log10},
    {"log1p", mpfr_log1p},      {"log2", mpfr_log2},
    {"pow", nullptr, mpfr_pow}, {"sin", mpfr_sin},
    {"sinh", mpfr_sinh},        {"tan", mpfr_tan},
    {"tanh", mpfr_tanh},
};

bool has(VectorUnit unit) {
  switch (unit) {
  case VectorUnit::Sse:
    return true;
  case VectorUnit::Avx2:
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  case VectorUnit::Avx512:
    return __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
  }
  return false;
}

template <typename T>
void call(VectorUnit unit, const VectorFunction &f, const T *x, const T *y,
          T *out, size_t count) {
  switch (unit) {
  case VectorUnit::Sse:
    return callVectors<16>(f.address, x, y, out, count);
  case VectorUnit::Avx2:
    return callVectors<32>(f.address, x, y, out, count);
  case VectorUnit::Avx512:
    return callVectors<64>(f.address, x, y, out, count);
  }
}

//===----------------------------------------------------------------------===//
// Arguments and errors
//===----------------------------------------------------------------------===//

template <typename T> const std::vector<T> &edges() {
  using Limits = std::numeric_limits<T>;
  static const std::vector<T> list = [] {
    std::vector<T> list;
    for (T x : {T(0),
                Limits::denorm_min(),
                Limits::min() / 2,
                Limits::min(),
                Limits::epsilon(),
                T(0.5),
                std::nextafter(T(1), T(0)),
                T(1),
                std::nextafter(T(1), T(2)),
                T(2),
                T(3),
                T(M_PI),
                T(M_PI_2),
                T(M_PI_4),
                T(88.5),
                T(89.5),
                T(103.5),
                T(709.5),
                T(745.5),
                T(1e10),
                T(1e22),
                T(16777217),
                Limits::max() / 2,
                Limits::max(),
                Limits::infinity(),
                Limits::quiet_NaN()}) {
      list.push_back(x);
      list.push_back(-x);
    }
    return list;
  }();
  return list;
}

/// Numbers of every exponent, and more of those that functions are used for.
template <typename T> T draw(std::mt19937_64 &random) {
  T sign = random() % 2 ? T(1) : T(-1);
  T fraction = T(double(random() >> 11) * 0x1p-53);
  switch (random() % 4) {
  case 0: {
    int low = std::numeric_limits<T>::min_exponent - 20;
    int high = std::numeric_limits<T>::max_exponent;
    int exponent = low + int(random() % uint64_t(high - low));
    return sign * std::ldexp(1 + fraction, exponent);
  }
  case 1:
    return sign * fraction;
  case 2:
    return sign * fraction * 20;
  default:
    return sign * fraction * 800;
  }
}

/// The error of `got` in units of the last place that the exact value has.
template <typename T> double ulps(T got, mpfr_srcptr exact) {
  using Limits = std::numeric_limits<T>;
  if (mpfr_nan_p(exact) || std::isnan(got))
    return mpfr_nan_p(exact) && std::isnan(got) ? 0 : INFINITY;
  if (mpfr_zero_p(exact) || mpfr_inf_p(exact)) {
    double value = mpfr_get_d(exact, MPFR_RNDN);
    bool isSame =
        double(got) == value && std::signbit(got) == (mpfr_signbit(exact) != 0);
    return isSame ? 0 : INFINITY;
  }
  // What is larger than the type holds ends at the power of two after it.
  long exponent = std::clamp<long>(mpfr_get_exp(exact), Limits::min_exponent,
                                   Limits::max_exponent + 1);
  mpfr_t error, bound;
  mpfr_inits2(400, error, bound, nullptr);
  mpfr_set_ui_2exp(bound, 1, Limits::max_exponent, MPFR_RNDN);
  if (std::isinf(got))
    mpfr_set(error, bound, MPFR_RNDN);
  else
    mpfr_set_d(error, double(std::abs(got)), MPFR_RNDN);
  if (mpfr_cmpabs(exact, bound) < 0)
    mpfr_abs(bound, exact, MPFR_RNDN);
  bool isSigned = got == 0 || std::signbit(got) == (mpfr_signbit(exact) != 0);
  mpfr_sub(error, error, bound, MPFR_RNDN);
  mpfr_mul_2si(error, error, Limits::digits - exponent, MPFR_RNDN);
  double result = isSigned ? std::abs(mpfr_get_d(error, MPFR_RNDN)) : INFINITY;
  mpfr_clears(error, bound, nullptr);
  return result;
}

template <typename T>
void check(const Function &function, VectorUnit unit, size_t samples) {
  bool isTwo = function.two != nullptr;
  std::string name = function.name + std::string(sizeof(T) == 4 ? "f" : "");
  auto vector = findVectorFunction(name, isTwo ? 2 : 1, sizeof(T), unit);
  if (!vector)
    return;
  std::mt19937_64 random(unsigned(unit) + 7);
  std::vector<T> x, y;
  for (T a : edges<T>()) {
    if (!isTwo)
      x.push_back(a);
    for (T b : isTwo ? edges<T>() : std::vector<T>()) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  while (x.size() < samples || x.size() % 16) {
    x.push_back(draw<T>(random));
    if (isTwo)
      y.push_back(draw<T>(random));
  }
  std::vector<T> out(x.size());
  call(unit, *vector, x.data(), isTwo ? y.data() : nullptr, out.data(),
       x.size());

  mpfr_t a, b, exact;
  mpfr_inits2(53, a, b, nullptr);
  mpfr_init2(exact, 160);
  double worst = 0;
  size_t worstAt = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    mpfr_set_d(a, double(x[i]), MPFR_RNDN);
    if (isTwo) {
      mpfr_set_d(b, double(y[i]), MPFR_RNDN);
      function.two(exact, a, b, MPFR_RNDN);
    } else {
      function.one(exact, a, MPFR_RNDN);
    }
    double error = ulps(out[i], exact);
    if (error > worst) {
      worst = error;
      worstAt = i;
    }
  }
  EXPECT_LE(worst, maxUlps)
      << vector->symbol << "(" << x[worstAt] << (isTwo ? ", " : "")
      << (isTwo ? std::to_string(y[worstAt]) : "") << ") = " << out[worstAt];
  testing::Test::RecordProperty(vector->symbol, std::to_string(worst));
  mpfr_clears(a, b, exact, nullptr);
}

class HostVectorFunction : public testing::TestWithParam<VectorUnit> {};

} // namespace

TEST_P(HostVectorFunction, IsAccurate) {
  if (!has(GetParam()))
    GTEST_SKIP() << "this CPU has no such registers";
  const char *setting = std::getenv("KERN_ACCURACY_SAMPLES");
  size_t samples = setting ? std::strtoull(setting, nullptr, 10) : 4000;
  for (const Function &function : functions) {
    check<float>(function, GetParam(), samples);
    check<double>(function, GetParam(), samples);
  }
}

INSTANTIATE_TEST_SUITE_P(Units, HostVectorFunction,
                         testing::Values(VectorUnit::Sse, VectorUnit::Avx2,
                                         VectorUnit::Avx512));

TEST(HostVectorFunctions, AreThereForNearlyAll) {
  if (!findVectorFunction("expf", 1, 4, VectorUnit::Sse))
    GTEST_SKIP() << "this C library has no vector functions";
  EXPECT_EQ(findVectorFunction("expf", 1, 4, VectorUnit::Avx512)->lanes, 16u);
  EXPECT_EQ(findVectorFunction("pow", 2, 8, VectorUnit::Avx2)->lanes, 4u);
  EXPECT_FALSE(findVectorFunction("lgamma", 1, 8, VectorUnit::Avx2));
}

TEST(HostVectorUnit, Choice) {
  using Features = std::vector<std::string>;
  auto choose = [](const char *cpu, const Features &features,
                   bool callsVectorFunctions = false) {
    return chooseVectorUnit(
        cpu,
        [&](llvm::StringRef name) {
          return std::ranges::find(features, name.str()) != features.end();
        },
        callsVectorFunctions);
  };
  Features avx2 = {"avx", "avx2", "fma"}, avx512 = avx2;
  for (const char *part : {"avx512f", "avx512dq", "avx512bw", "avx512vl"})
    avx512.push_back(part);
  EXPECT_EQ(choose("x86-64", {}), VectorUnit::Sse);
  EXPECT_EQ(choose("x86-64", {"avx2"}), VectorUnit::Sse) << "no fma";
  EXPECT_EQ(choose("haswell", avx2), VectorUnit::Avx2);
  EXPECT_EQ(choose("znver5", avx512), VectorUnit::Avx512);
  for (bool calls : {false, true})
    EXPECT_EQ(choose("znver4", avx512, calls), VectorUnit::Avx2)
        << "as measured";
  Features narrow = avx512;
  narrow.push_back("prefer-256-bit");
  EXPECT_EQ(choose("icelake-server", narrow), VectorUnit::Avx2);
  EXPECT_EQ(choose("icelake-server", narrow, true), VectorUnit::Avx2);
  narrow.push_back("avx512fp16");
  EXPECT_EQ(choose("emeraldrapids", narrow), VectorUnit::Avx2);
  EXPECT_EQ(choose("emeraldrapids", narrow, true), VectorUnit::Avx512);
  avx512.pop_back();
  EXPECT_EQ(choose("znver5", avx512), VectorUnit::Avx2);
}
