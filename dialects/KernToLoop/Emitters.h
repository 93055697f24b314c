//===- Emitters.h - the code of scalar functions ----------------*- C++ -*-===//
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

namespace kern::ir {

/// Emits one application. The operands have the types of one of the function's
/// typed loops (ScalarFunctions.h), and the results must have that loop's
/// result types. Gives no results if it does not support the operands.
using Emit = std::function<Scalars(ScalarBuilder &, llvm::ArrayRef<Scalar>)>;

/// How a function handles f16 and bf16.
enum class HalfPrecisionRule : uint8_t {
  Widen,  ///< computes in f32; results are rounded once
  Native, ///< takes them without conversion
};

struct FunctionEmitter {
  Emit real;    ///< if no operand is complex
  Emit complex; ///< if an operand is complex; may be empty
  HalfPrecisionRule halves = HalfPrecisionRule::Widen;
  /// Replaces `real` if all operands are f16 or bf16. It computes in f32, with
  /// the precision of a half. May be empty.
  Emit half = {};
};

/// The code of all functions. Each file adds the rows of its group.
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
/// Adds the code for halves to existing rows.
void addHalves(EmitterTable &table);

/// Emits a scalar function. Gives no results if it has no implementation for
/// these operands; code emitted until then has no effect.
Scalars emitScalarFunction(ScalarBuilder &s, ScalarFunction function,
                           llvm::ArrayRef<Scalar> operands,
                           llvm::ArrayRef<runtime::DType> results);

/// x^y of f32 that are f16 or bf16, with an error that these hardly show.
Scalar powerOfHalves(ScalarBuilder &s, Scalar x, Scalar y);

struct QuotientAndRemainder {
  Scalar quotient;
  Scalar remainder;
};

/// C's integer division, made total. Division by zero gives 0 for both results.
/// The smallest integer divided by -1 gives itself, remainder 0. The division
/// instruction never sees these operands.
QuotientAndRemainder truncatedDivision(ScalarBuilder &s, Scalar a, Scalar b);

} // namespace kern::ir
