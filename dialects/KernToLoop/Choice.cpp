//===- Choice.cpp - functions that select an operand ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Comparison.h"
#include "dialects/KernToLoop/Emitters.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace kern::ir {

using runtime::DType;
using namespace mlir;
using Operands = llvm::ArrayRef<Scalar>;

enum class Extremum : bool { Minimum, Maximum };

/// NumPy's choice: the first operand if it wins or ties, else the second. The
/// first also wins if it is NaN or, without `propagateNaN`, if the second is.
static Scalar chooseComplex(ScalarBuilder &s, Extremum which, Scalar a,
                            Scalar b, bool propagateNaN) {
  ComparePredicate predicate = which == Extremum::Maximum
                                   ? ComparePredicate::GreaterEqual
                                   : ComparePredicate::LessEqual;
  Scalar first = s.bitOr(compareByValue(s, predicate, a, b),
                         hasNaN(s, propagateNaN ? a : b));
  return s.select(first, a, b);
}

/// The minimum or maximum, or NaN if an operand is NaN. 0.0 is greater than
/// -0.0 on every target; in NumPy the sign depends on the array's length.
static Scalar choosePropagating(ScalarBuilder &s, Extremum which, Scalar a,
                                Scalar b) {
  bool maximum = which == Extremum::Maximum;
  if (isComplex(a.type))
    return chooseComplex(s, which, a, b, true);
  if (isFloat(a.type)) {
    OpBuilder &builder = s.builder;
    Value value =
        maximum
            ? arith::MaximumFOp::create(builder, s.location, a.value, b.value)
                  .getResult()
            : arith::MinimumFOp::create(builder, s.location, a.value, b.value)
                  .getResult();
    return {value, a.type};
  }
  if (a.type == DType::Bool)
    return maximum ? s.bitOr(a, b) : s.bitAnd(a, b);
  Scalar first = s.compare(
      maximum ? ComparePredicate::Greater : ComparePredicate::Less, a, b);
  return s.select(first, a, b);
}

static Scalar chooseIgnoring(ScalarBuilder &s, Extremum which, Scalar a,
                             Scalar b) {
  if (isComplex(a.type))
    return chooseComplex(s, which, a, b, false);
  if (!isFloat(a.type))
    return choosePropagating(s, which, a, b);
  // llvm.maximumnum is wrong here: for x86, LLVM 22 returns NaN if the first
  // operand is known not to be NaN, such as a converted integer. arith.maxnumf
  // does not define the sign of zero.
  Scalar both = choosePropagating(s, which, a, b);
  return s.select(s.isNaN(a), b, s.select(s.isNaN(b), a, both));
}

static Scalars where(ScalarBuilder &s, Operands x) {
  return {s.select(x[0], x[1], x[2])};
}

static Scalars clip(ScalarBuilder &s, Operands x) {
  Scalar raised = choosePropagating(s, Extremum::Maximum, x[0], x[1]);
  return {choosePropagating(s, Extremum::Minimum, raised, x[2])};
}

/// 0 for a negative number, the second operand for zero, 1 for a positive
/// number, NaN for NaN.
static Scalars heaviside(ScalarBuilder &s, Operands x) {
  DType type = x[0].type;
  Scalar zero = s.number(type, 0.0), one = s.number(type, 1.0);
  Scalar rest = s.select(s.isNaN(x[0]), x[0], one);
  rest = s.select(s.compare(ComparePredicate::Less, x[0], zero), zero, rest);
  return {s.select(s.compare(ComparePredicate::Equal, x[0], zero), x[1], rest)};
}

void addChoice(EmitterTable &table) {
  auto row = [&](ScalarFunction function, auto choose, Extremum which) {
    Emit emit = [=](ScalarBuilder &s, Operands x) -> Scalars {
      return {choose(s, which, x[0], x[1])};
    };
    table[function] = {emit, emit};
  };
  row(ScalarFunction::maximum, choosePropagating, Extremum::Maximum);
  row(ScalarFunction::minimum, choosePropagating, Extremum::Minimum);
  row(ScalarFunction::fmax, chooseIgnoring, Extremum::Maximum);
  row(ScalarFunction::fmin, chooseIgnoring, Extremum::Minimum);
  table[ScalarFunction::where] = {where, where, HalfPrecisionRule::Native};
  table[ScalarFunction::clip] = {clip, clip};
  table[ScalarFunction::heaviside] = {heaviside, {}};
}

} // namespace kern::ir
