//===- FloatDivision.h - quotients and remainders of floats -----*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `x // y` and `x % y` as NumPy rounds them, and fmod. Lowered code calls them
// as `@kern.floor_divide.f32` and so on, and every target defines them here.
//
// NumPy takes t = fmod(a, b), which is exact, and rounds (a - t) / b to a whole
// number. Here x is the dividend with the sign turned if the divisor is
// negative, and y the divisor's magnitude. An estimate of x / y that is off by
// less than 1/2 rounds to floor(x / y) or to one more. What that leaves of x is
// exact by a fused multiply-add, and its sign tells which. NumPy's quotient is
// the same number while it is so small that its two roundings are less than
// 1/2 together. Other operands, which are rare, take NumPy's way.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/library/Library.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"

namespace kern::compiler {

enum class Division : uint8_t {
  FloorDivide,
  Remainder,
  Fmod,
  Both, ///< a structure of the first two
};

/// The symbol of one of these functions, of f32 or f64; "" for others.
llvm::StringRef divisionSymbol(const library::ElementaryFunction &function);

/// What a symbol of divisionSymbol() computes; nothing for others.
std::optional<Division> divisionOf(llvm::StringRef symbol);

/// An estimate of x / y, and whether to take the long way. That must be so
/// where the estimate is off by 1/2 or more, where its magnitude is 2^22 (f32)
/// or 2^51 (f64) or more, and where y is infinite and x a number. Where an
/// operand is NaN, or both are 0, the estimate may be NaN instead.
struct Estimate {
  llvm::Value *quotient, *isRare;
};

/// The rounded quotient of numbers or vectors.
Estimate roundedQuotient(llvm::IRBuilder<> &b, llvm::Value *x, llvm::Value *y);

/// What a target brings.
struct DivisionMeans {
  /// Estimates x / y of y that are not negative.
  llvm::function_ref<Estimate(llvm::IRBuilder<> &, llvm::Value *x,
                              llvm::Value *y)>
      estimate;
  /// The exact remainder of the type, or of vectors of it.
  llvm::Function *fmod;
};

/// Gives a declared function of two floats, or of two vectors of floats, its
/// body. It becomes internal, and is always inlined. The long way is a function
/// of its own.
void defineDivision(llvm::Function &function, Division division,
                    const DivisionMeans &means);

/// Gives a declared function NumPy's way as its body.
void defineLongDivision(llvm::Function &function, Division division,
                        llvm::Function &fmod);

} // namespace kern::compiler
