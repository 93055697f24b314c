//===- FoldedAtRunTimeTest.cpp - constants are what code computes ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each function of constants, over a grid of values of each kind, against the
// same function compiled for the host and called with these values.
//
//===----------------------------------------------------------------------===//
#include "FoldedAtRunTime.h"
#include "compiler/constants/ConstantFunctions.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace kern;
using namespace kern::compiler;
using namespace kern::test;
using kern::ir::ScalarFunction;

namespace {

using Complex = std::complex<double>;

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double quiet = std::numeric_limits<double>::quiet_NaN();

template <typename T> struct Kind;
template <> struct Kind<bool> {
  static constexpr const char *type = "bool";
  static std::vector<bool> grid() { return {false, true}; }
  static Constant constant(bool value) { return {value}; }
};
template <> struct Kind<int64_t> {
  static constexpr const char *type = "i64";
  static std::vector<int64_t> grid() {
    return {-1000003, -8, -7, -2, -1, 0, 1, 2, 3, 5, 10, 62, 720720};
  }
  static Constant constant(int64_t value) { return {Integer(value)}; }
};
template <> struct Kind<double> {
  static constexpr const char *type = "f64";
  static std::vector<double> grid() {
    return {-inf, -1e300, -7.5, -3.5, -2.5, -1,   -0.5,  -1e-300, -0.0, 0,
            0.3,  0.5,    1,    1.5,  2,    2.25, 100.5, 1e300,   inf,  quiet};
  }
  static Constant constant(double value) { return {value}; }
};
template <> struct Kind<Complex> {
  static constexpr const char *type = "c128";
  static std::vector<Complex> grid() {
    std::vector<Complex> list;
    for (double re : {-2.5, -1.0, 0.0, 0.5, 3.0})
      for (double im : {-1.5, 0.0, 0.25, 1.0})
        list.emplace_back(re, im);
    return list;
  }
  static Constant constant(Complex value) { return {value}; }
};

/// The distance of two numbers in units in the last place of `scale`.
double distance(double x, double y, double scale) {
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y) ? 0 : inf;
  if (x == y)
    return 0;
  scale = std::fabs(scale);
  return std::fabs(x - y) / (std::nextafter(scale, inf) - scale);
}

bool agrees(llvm::StringRef function, double folded, double computed) {
  if (!isApproximate(function))
    return distance(folded, computed, folded) == 0 &&
           (std::isnan(folded) ||
            std::signbit(folded) == std::signbit(computed));
  // It has a zero between any two negative whole numbers.
  const double scale =
      function == "lgamma" ? std::max(std::fabs(folded), 1.0) : folded;
  return distance(folded, computed, scale) <= 4;
}

/// The error is the distance in the plane; a power's grows with the size of
/// the exponent that it is computed by, here at most 13.
bool agrees(llvm::StringRef function, Complex folded, Complex computed) {
  const double scale =
      std::max(std::fabs(folded.real()), std::fabs(folded.imag()));
  const double bound = function == "power" ? 4 * (1 + 13) : 4;
  return distance(folded.real(), computed.real(), scale) <= bound &&
         distance(folded.imag(), computed.imag(), scale) <= bound;
}

bool agrees(llvm::StringRef, bool folded, bool computed) {
  return folded == computed;
}

std::string show(Complex z) {
  return std::to_string(z.real()) + " + " + std::to_string(z.imag()) + "j";
}
template <typename T>
void compare(llvm::StringRef function, const Constant &folded, T computed,
             const std::string &call) {
  const T *value = std::get_if<T>(&folded.value);
  ASSERT_TRUE(value) << call << " has another type as a constant";
  EXPECT_TRUE(agrees(function, *value, computed))
      << call << " is " << show(*value) << " as a constant and "
      << show(computed) << " at run time";
}

/// What the function gives for one element, as a constant.
void compareWith(const Array &results, size_t element, llvm::StringRef function,
                 const Constant &folded, const std::string &call) {
  switch (results.dtype()) {
  case KERN_BOOL:
    return compare(function, folded, bool(results.span<bool>()[element]), call);
  case KERN_F64:
    return compare(function, folded, results.span<double>()[element], call);
  case KERN_C128:
    return compare(function, folded, results.span<Complex>()[element], call);
  case KERN_I64: {
    const Integer *value = folded.asInt();
    ASSERT_TRUE(value) << call << " is not an integer as a constant";
    // A wider value wraps in code, but not as a constant.
    if (std::optional<int64_t> narrow = value->asInt64())
      EXPECT_EQ(*narrow, results.span<int64_t>()[element]) << call;
    return;
  }
  default:
    FAIL() << call << " has a type that no constant has";
  }
}

Function compiled(llvm::StringRef function, unsigned operands, const char *type,
                  std::optional<Module> &module) {
  std::string header, call;
  for (unsigned i = 0; i < operands; ++i) {
    const std::string name(1, char('a' + i));
    // The condition of `where` is a bool whatever the others are.
    const bool isCondition = function == "where" && i == 0;
    header += (i ? ", " : "") + name + ": " + (isCondition ? "bool" : type);
    call += (i ? ", " : "") + name;
  }
  module = Module::compile("ufunc f(" + header + "):\n    return " +
                           function.str() + "(" + call + ")\n");
  return (*module)["f"];
}

/// How many values were folded.
template <typename T> size_t check(FoldedFunction row) {
  const bool isChoice = row.function == ScalarFunction::where;
  std::vector<Constant> folded;
  std::vector<std::string> calls;
  std::vector<std::vector<T>> columns(row.operands);
  for (const std::vector<T> &tuple : tuplesOf(Kind<T>::grid(), row.operands)) {
    llvm::SmallVector<Constant> operands;
    std::string call = nameOf(row).str() + " of";
    for (auto [i, value] : llvm::enumerate(tuple)) {
      operands.push_back(isChoice && i == 0 ? Constant{value != T(0)}
                                            : Kind<T>::constant(value));
      call += " " + show(value);
    }
    Folded result = fold(row.function, operands, FoldedIn::Consts);
    if (!result.value)
      continue;
    // A body folds fewer, to the same.
    if (Folded inBody = fold(row.function, operands); inBody.value) {
      EXPECT_EQ(inBody.value->value.index(), result.value->value.index());
    }
    folded.push_back(*result.value);
    calls.push_back(call);
    for (auto [column, value] : llvm::zip(columns, tuple))
      column.push_back(value);
  }
  if (folded.empty())
    return 0;
  std::optional<Module> module;
  Function function =
      compiled(nameOf(row), row.operands, Kind<T>::type, module);
  std::vector<Array> arrays;
  for (auto [i, column] : llvm::enumerate(columns)) {
    if (isChoice && i == 0) {
      std::vector<bool> conditions;
      for (T value : column)
        conditions.push_back(value != T(0));
      arrays.push_back(arrayOf(conditions));
    } else {
      arrays.push_back(arrayOf(column));
    }
  }
  std::vector<Argument> arguments(arrays.begin(), arrays.end());
  Array results = function.call(std::move(arguments));
  // The size of a complex number is computed as `hypot` of its parts.
  const bool isSize =
      std::is_same_v<T, Complex> && row.function == ScalarFunction::absolute;
  for (size_t i = 0; i < folded.size(); ++i)
    compareWith(results, i, isSize ? "hypot" : nameOf(row), folded[i],
                calls[i]);
  return folded.size();
}

TEST(FoldedAtRunTime, Agrees) {
  setenv("KERN_CACHE", "0", 1);
  for (FoldedFunction row : foldedFunctions()) {
    SCOPED_TRACE(nameOf(row).str());
    size_t values = 0;
    ASSERT_NO_THROW({
      values += check<bool>(row);
      values += check<int64_t>(row);
      values += check<double>(row);
      values += check<Complex>(row);
    });
    EXPECT_GT(values, 0u);
  }
}

} // namespace
