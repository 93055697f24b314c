//===- Names.h - names of the standard library and of code ---- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/constants/Constant.h"
#include "compiler/syntax/Tree.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "runtime/array/DType.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace kern::compiler {

/// The scalar function of the table that `name` means: `power` for `pow`,
/// `arcsin` for `asin`. Null if it has no such function.
const ir::ScalarFunctionInfo *scalarFunctionNamed(llvm::StringRef name);
/// The name that `name` is an alias of; `name` itself if it is not an alias.
llvm::StringRef unaliased(llvm::StringRef name);
/// Whether calls of this function of two numbers may have more: `gcd(a, b, c)`.
/// NumPy's `maximum` takes two; Python's `max` takes more.
bool takesMore(ir::ScalarFunction function);
/// Whether a call may have so many arguments.
bool takes(const ir::ScalarFunctionInfo &function, size_t arguments);
/// Not for MatMul, which is of arrays.
ir::ScalarFunction functionOf(syntax::BinaryOp op);
ir::ScalarFunction functionOf(syntax::UnaryOp op);
/// Not for In and NotIn, which do not compare numbers.
ir::ScalarFunction functionOf(syntax::CompareOp op);
/// Whether the comparison contains `in` or `not in`.
bool hasMembership(const syntax::Compare &compare);
/// The operator as written: "+", "//".
llvm::StringRef spelling(syntax::BinaryOp op);
/// The operator for this function of the table; "" if there is none.
llvm::StringRef operatorOf(ir::ScalarFunction function, bool isUnary);
/// Whether a text is one call: `f(x, y)`, `np.f(x)`; not `f(x) + g(y)`.
bool isCallText(llvm::StringRef text);

/// `pi`, `e`, `tau`, `inf`, `nan`, `infj`, `nanj`, `euler_gamma`, `eulergamma`.
std::optional<Constant> libraryConstant(llvm::StringRef name);

/// `f32`, `float32`, and in conversions Python's `int float complex bool`.
std::optional<runtime::DType> typeName(llvm::StringRef name, bool pythonNames);
/// The types of a named set (`floats`), or empty.
llvm::SmallVector<runtime::DType> typeSet(llvm::StringRef name);

/// `math`, `cmath`, `np`, `numpy`: prefixes that mean the standard library.
bool isLibraryPrefix(llvm::StringRef name);

/// Functions that are part of the language, not of the table.
enum class LanguageFunction : uint8_t {
  Sum,
  Prod,
  Min,
  Max,
  Any,
  All,
  ArgMin,
  ArgMax,
  Mean, // reductions
  Range,
  Prange,
  Zip,
  Enumerate,
  Reversed,
  Len,
  Fold,
  CumSum,
  CumProd,
  CumMax,
  CumMin,
  Accumulate, // scans
  Zeros,
  Empty,
  Ones,
  Full,
  ZerosLike,
  EmptyLike,
  OnesLike,
  FullLike,
  Array,
  Transpose,
  Arange,
  Dot,
  MatMul,
  Outer,
  Cross, // make new arrays of others
};
/// Nothing for a name that is not one of them.
std::optional<LanguageFunction> languageFunction(llvm::StringRef name);
llvm::StringRef nameOf(LanguageFunction function);
inline bool isLanguageFunction(llvm::StringRef name) {
  return languageFunction(name).has_value();
}
inline bool isReduction(LanguageFunction function) {
  return function <= LanguageFunction::Mean;
}
/// Whether it makes a local array of a shape, or of that of another array.
inline bool makesArray(LanguageFunction function) {
  return function >= LanguageFunction::Zeros &&
         function <= LanguageFunction::FullLike;
}

/// All names that a call can use except the prelude's Kern functions, for "did
/// you mean".
std::vector<std::string_view> libraryNames();

//===--- In code (AssignedNames.cpp) --------------------------------------===//
/// Adds the names that a block may assign, or those of a target.
void collectAssigned(const syntax::Block &block, std::set<std::string> &names);
void collectTargets(const syntax::Expr &target, std::set<std::string> &names);

} // namespace kern::compiler
