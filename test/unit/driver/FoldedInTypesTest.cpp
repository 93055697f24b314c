//===- FoldedInTypesTest.cpp - typed constants are what code computes -----===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function of constants, over a grid of values of some types, against the
// same function compiled for the host and called with these values.
//
//===----------------------------------------------------------------------===//
#include "FoldedAtRunTime.h"
#include "compiler/constants/TypedConstants.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace kern;
using namespace kern::compiler;
using namespace kern::runtime;
using namespace kern::test;

namespace {

template <typename T> struct Typed;
template <> struct Typed<int8_t> {
  static constexpr DType type = DType::I8;
  static std::vector<int8_t> grid() {
    return {-128, -127, -100, -8, -3, -1, 0, 1, 2, 3, 7, 8, 100, 127};
  }
};
template <> struct Typed<uint8_t> {
  static constexpr DType type = DType::U8;
  static std::vector<uint8_t> grid() {
    return {0, 1, 2, 3, 7, 8, 9, 100, 127, 128, 200, 255};
  }
};
template <> struct Typed<uint64_t> {
  static constexpr DType type = DType::U64;
  static std::vector<uint64_t> grid() {
    return {0, 1, 2, 3, 7, 62, 63, 64, 1ull << 32, 1ull << 63, ~1ull, ~0ull};
  }
};
template <> struct Typed<float> {
  static constexpr DType type = DType::F32;
  static std::vector<float> grid() {
    return {-7.5f, -3.5f, -1, -0.5f, -0.0f, 0,     0.1f,
            0.3f,  0.5f,  1,  1.5f,  2.25f, 16.3f, 3e38f};
  }
};

/// One unit in the last place of `x` in a type.
double lastPlace(double x, DType type) {
  const int digits = type == DType::F16 ? 11 : type == DType::F32 ? 24 : 53;
  const int minExponent = type == DType::F16   ? -24
                          : type == DType::F32 ? -149
                                               : -1074;
  if (x == 0 || !std::isfinite(x))
    return std::ldexp(1, minExponent);
  return std::ldexp(1, std::max(std::ilogb(x) - digits + 1, minExponent));
}

bool agreesIn(DType type, llvm::StringRef function, double folded,
              double computed) {
  if (std::isnan(folded) || std::isnan(computed))
    return std::isnan(folded) && std::isnan(computed);
  if (folded == computed)
    return std::signbit(folded) == std::signbit(computed);
  // These round more than once on the way.
  const bool isRounded = isApproximate(function) || function == "floor_divide";
  return isRounded &&
         std::fabs(folded - computed) <= 4 * lastPlace(folded, type);
}

/// How many values were folded.
template <typename T> size_t checkTyped(FoldedFunction row) {
  const DType type = Typed<T>::type;
  std::vector<TypedConstant> folded;
  std::vector<std::string> calls;
  std::vector<std::vector<T>> columns(row.operands);
  for (const std::vector<T> &tuple : tuplesOf(Typed<T>::grid(), row.operands)) {
    llvm::SmallVector<TypedConstant> operands;
    std::string call =
        nameOf(row).str() + " in " + std::string(name(type)) + " of";
    for (T value : tuple) {
      if constexpr (std::is_floating_point_v<T>)
        operands.push_back({Constant{double(value)}, type});
      else
        operands.push_back({Constant{Integer(value)}, type});
      call += " " + show(double(value));
    }
    TypedFolded result = foldTyped(row.function, operands);
    if (!result.result || result.result->value.isComplex())
      continue;
    folded.push_back(*result.result);
    calls.push_back(call);
    for (auto [column, value] : llvm::zip(columns, tuple))
      column.push_back(value);
  }
  if (folded.empty())
    return 0;
  // Unchanged, for its type, and converted to a type that this test reads.
  const std::optional<DType> given = folded.front().type;
  const std::string wide = !given ? "bool" : isFloat(*given) ? "f64" : "u64";
  std::string header, call;
  for (unsigned i = 0; i < row.operands; ++i) {
    const std::string operand(1, char('a' + i));
    header += (i ? ", " : "") + operand + ": " + std::string(name(type));
    call += (i ? ", " : "") + operand;
  }
  call = nameOf(row).str() + "(" + call + ")";
  Module module = Module::compile("ufunc f(" + header + "):\n    r = " + call +
                                  "\n    return r, " + wide + "(r)\n");
  std::vector<Array> arrays;
  for (const std::vector<T> &column : columns)
    arrays.push_back(arrayOf(column));
  std::vector<Argument> arguments(arrays.begin(), arrays.end());
  std::vector<Array> results = module["f"].call(std::move(arguments)).run();
  EXPECT_EQ(DType(results[0].dtype()), given.value_or(DType::Bool))
      << call << " of " << name(type);
  for (auto [i, constant] : llvm::enumerate(folded)) {
    EXPECT_TRUE(constant.type == given) << calls[i];
    if (!given) {
      EXPECT_EQ(truth(constant.value), bool(results[1].span<bool>()[i]))
          << calls[i];
    } else if (isFloat(*given)) {
      const double value = *toReal(constant.value);
      const double computed = results[1].span<double>()[i];
      EXPECT_TRUE(agreesIn(*given, nameOf(row), value, computed))
          << calls[i] << " is " << show(value) << " as a constant and "
          << show(computed) << " at run time";
    } else {
      const Integer *value = constant.value.asInt();
      EXPECT_TRUE(value) << calls[i];
      if (!value)
        continue;
      EXPECT_EQ(value->bits().trunc(64).getZExtValue(),
                results[1].span<uint64_t>()[i])
          << calls[i];
    }
  }
  return folded.size();
}

TEST(FoldedInTypes, Agrees) {
  setenv("KERN_CACHE", "0", 1);
  size_t values = 0;
  for (FoldedFunction row : foldedFunctions()) {
    // Its condition is a bool, and three operands are many tuples.
    if (row.operands == 3)
      continue;
    SCOPED_TRACE(nameOf(row).str());
    ASSERT_NO_THROW({
      values += checkTyped<int8_t>(row);
      values += checkTyped<uint8_t>(row);
      values += checkTyped<uint64_t>(row);
      values += checkTyped<float>(row);
    });
  }
  EXPECT_GT(values, 10000u);
}

} // namespace
