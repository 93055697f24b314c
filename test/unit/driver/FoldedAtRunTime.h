//===- FoldedAtRunTime.h - constants beside compiled code ----- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/constants/ConstantFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <kern/kern.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace kern::test {

inline llvm::StringRef nameOf(const compiler::FoldedFunction &row) {
  return ir::infoOf(row.function).name;
}

/// Whether results are within the bound of the standard library
/// (docs/explanation/accuracy.md), but not always the nearest float.
inline bool isApproximate(llvm::StringRef function) {
  return llvm::is_contained(
      {"cbrt",       "exp",     "exp2",  "expm1", "log",     "log2",
       "log10",      "log1p",   "sin",   "cos",   "tan",     "arcsin",
       "arccos",     "arctan",  "sinh",  "cosh",  "tanh",    "arcsinh",
       "arccosh",    "arctanh", "erf",   "erfc",  "gamma",   "lgamma",
       "power",      "arctan2", "hypot", "angle", "deg2rad", "rad2deg",
       "float_power"},
      function);
}

inline std::string show(double x) {
  std::ostringstream text;
  text.precision(17);
  text << x;
  return text.str();
}

/// All tuples of values of a grid.
template <typename T>
std::vector<std::vector<T>> tuplesOf(const std::vector<T> &grid,
                                     unsigned size) {
  std::vector<std::vector<T>> tuples = {{}};
  for (unsigned i = 0; i < size; ++i) {
    std::vector<std::vector<T>> longer;
    for (const std::vector<T> &tuple : tuples)
      for (T value : grid) {
        longer.push_back(tuple);
        longer.back().push_back(value);
      }
    tuples = std::move(longer);
  }
  return tuples;
}

template <typename T> Array arrayOf(const std::vector<T> &values) {
  Array array = Array::empty<T>({int64_t(values.size())});
  llvm::copy(values, array.template span<T>().begin());
  return array;
}

} // namespace kern::test
