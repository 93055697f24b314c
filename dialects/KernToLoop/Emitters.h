//===- Emitters.h - what each scalar function is made of --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Kern/ScalarFunctions.h"
#include "dialects/KernToLoop/Casts.h"
#include "dialects/KernToLoop/ScalarBuilder.h"

#include <functional>
#include <map>

namespace kern {

/// Emits one application. Operands have the types of one of the function's
/// loops (ScalarFunctions.h); the results must have that loop's result types.
/// No results: not for these operands.
using Emit = std::function<Scalars(ScalarBuilder &, llvm::ArrayRef<Scalar>)>;

/// How a function meets f16 and bf16.
enum class HalfPrecisionRule : uint8_t {
  Widen,  ///< computes in f32; its results are rounded once
  Native, ///< takes them as they are
};

struct FunctionEmitter {
  Emit real;    ///< for operands none of which is complex
  Emit complex; ///< for the others; empty where there is none
  HalfPrecisionRule halves = HalfPrecisionRule::Widen;
  /// Takes the place of `real` where every operand is f16 or bf16: computes in
  /// f32 what a half can show of it. Empty: `real`.
  Emit half = {};
};

/// The rows of one group of functions are added by one file.
using EmitterTable = std::map<ScalarFunction, FunctionEmitter>;
void addArithmetic(EmitterTable &table);
void addDivision(EmitterTable &table);
void addPowers(EmitterTable &table);
void addBits(EmitterTable &table);
void addComparison(EmitterTable &table);
void addChoice(EmitterTable &table);
void addRounding(EmitterTable &table);
void addFloatParts(EmitterTable &table);
void addElementary(EmitterTable &table);
void addComplex(EmitterTable &table);
/// Shorter ways for halves, in rows that are there already.
void addHalves(EmitterTable &table);

/// Emits a scalar function. No results if it has no implementation for
/// these operands (what was emitted until then is without effect).
Scalars emitScalarFunction(ScalarBuilder &s, ScalarFunction function,
                           llvm::ArrayRef<Scalar> operands,
                           llvm::ArrayRef<DType> results);

struct QuotientAndRemainder {
  Scalar quotient;
  Scalar remainder;
};

/// C's integer division made total: by zero both are 0, and of the smallest
/// integer by -1 the quotient is the smallest integer and the remainder 0. The
/// division instruction never meets either.
QuotientAndRemainder truncatedDivision(ScalarBuilder &s, Scalar a, Scalar b);

} // namespace kern
