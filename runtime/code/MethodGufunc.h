//===- MethodGufunc.h - the gufuncs of methods ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A method of a ufunc (`reduce`, `accumulate`, `reduceat`, `at`) is a gufunc
// that calls the ufunc in a loop. The runtime says which one a call needs, and
// the compiler makes it of the ufunc's source.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"

#include <compare>

namespace kern::runtime {

enum class Method : uint8_t { Reduce, Accumulate, Reduceat, At };
/// "reduce".
constexpr std::string_view name(Method method) {
  constexpr std::string_view names[] = {"reduce", "accumulate", "reduceat",
                                        "at"};
  return names[unsigned(method)];
}

/// One of the gufuncs of a method: what it does, for which types. Its
/// parameters and result, with V for `value` and E for `element`:
///
///     Reduce      [initial: V,] v: E[n] [, where: bool[n]] -> V
///     Accumulate  v: E[n] -> V[n]
///     Reduceat    v: E[n], at: i64[k] -> V[k]
///     At          inout x: V[n0, …], at0: i64[k], … [, b: E[k] or E]
///
/// With `columns` the arrays of Reduce and Accumulate have a second core
/// dimension, which the results have too: a reduction for each column.
///
/// One record, since its members together say which gufunc it is.
struct MethodGufunc {
  /// What a reduction begins with.
  enum class Start : uint8_t {
    First,    ///< the first element, which there must be
    Identity, ///< that of `@associative`
    Given,    ///< the parameter `initial`
  };
  /// The second operand of At.
  enum class Second : uint8_t { None, Number, Array };

  Method method = Method::Reduce;
  DType value = DType::F64, element = DType::F64;

  Start start = Start::First;
  /// The function may combine elements in any grouping.
  bool regroups = false;
  bool masked = false, columns = false;

  /// As which type the function takes an element: of `v`, or of At's `x`.
  DType taken = DType::F64;

  /// Of At: how many indices an element has.
  unsigned indexCount = 1;
  Second second = Second::None;
  /// Of At: what the function returns.
  DType returned = DType::F64;

  auto operator<=>(const MethodGufunc &) const = default;
};

} // namespace kern::runtime
