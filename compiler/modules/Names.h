//===- Names.h - names of the standard library ---------------- -*- C++ -*-===//
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

namespace kern {

/// The scalar function of the table that `name` means: `pow` is `power`, `asin`
/// is `arcsin`. Null if it is none.
const ScalarFunctionInfo *scalarFunctionNamed(llvm::StringRef name);
/// The name that `name` is another name of; `name` itself if it is none.
llvm::StringRef unaliased(llvm::StringRef name);
/// Whether a call of this function of two numbers may have more of them:
/// `gcd(a, b, c)`. NumPy's `maximum` takes two; Python's `max` takes more.
bool takesMore(ScalarFunction function);
ScalarFunction functionOf(syntax::BinaryOp op);
ScalarFunction functionOf(syntax::UnaryOp op);
/// Not of In and NotIn, which compare no numbers.
ScalarFunction functionOf(syntax::CompareOp op);
/// Whether there is `in` or `not in` in it.
bool hasMembership(const syntax::Compare &compare);
/// As it is written: "+", "//".
llvm::StringRef spelling(syntax::BinaryOp op);
/// The operator that means this function of the table; "" if none does.
llvm::StringRef operatorOf(ScalarFunction function, bool isUnary);
/// Whether a text is one call: `f(x, y)`, `np.f(x)`; not `f(x) + g(y)`.
bool isCallText(llvm::StringRef text);

/// `pi`, `e`, `tau`, `inf`, `nan`, `infj`, `nanj`, `euler_gamma`, `eulergamma`.
std::optional<Constant> libraryConstant(llvm::StringRef name);

/// `f32`, `float32`, and in conversions Python's `int float complex bool`.
std::optional<DType> typeName(llvm::StringRef name, bool pythonNames);
/// The types of a named set (`floats`), or empty.
llvm::SmallVector<DType> typeSet(llvm::StringRef name);

/// `math`, `cmath`, `np`, `numpy`: prefixes that mean the standard library.
bool isLibraryPrefix(llvm::StringRef name);

/// Functions that are part of the language, not of the table: `sum`, `range`.
bool isLanguageFunction(llvm::StringRef name);

/// Everything a call could name but what the prelude has in Kern, for "did you
/// mean".
std::vector<std::string_view> libraryNames();

//===--- In code (AssignedNames.cpp) --------------------------------------===//
/// Adds the names that a block may assign, or those of a target.
void collectAssigned(const syntax::Block &block, std::set<std::string> &names);
void collectTargets(const syntax::Expr &target, std::set<std::string> &names);

} // namespace kern
