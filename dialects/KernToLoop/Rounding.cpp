//===- Rounding.cpp - rounding to whole numbers ---------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Emitters.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace kern::ir {

using namespace mlir;
using Operands = llvm::ArrayRef<Scalar>;

template <typename Op> static Scalar roundBy(ScalarBuilder &s, Scalar x) {
  if (!isFloat(x.type))
    return x;
  return {Op::create(s.builder, s.location, x.value), x.type};
}

template <typename Op> static Scalars round(ScalarBuilder &s, Operands x) {
  return {roundBy<Op>(s, x[0])};
}

template <typename Op> static Scalars roundParts(ScalarBuilder &s, Operands x) {
  Scalar real = roundBy<Op>(s, s.real(x[0]));
  return {s.complex(real, roundBy<Op>(s, s.imag(x[0])))};
}

void addRounding(EmitterTable &table) {
  table[ScalarFunction::floor] = {round<math::FloorOp>, {}};
  table[ScalarFunction::ceil] = {round<math::CeilOp>, {}};
  table[ScalarFunction::trunc] = {round<math::TruncOp>, {}};
  table[ScalarFunction::rint] = {round<math::RoundEvenOp>,
                                 roundParts<math::RoundEvenOp>};
  table[ScalarFunction::round] = table[ScalarFunction::rint];
}

} // namespace kern::ir
