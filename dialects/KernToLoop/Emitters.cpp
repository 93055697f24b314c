//===- Emitters.cpp - the code of scalar functions ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/KernToLoop/Emitters.h"

using namespace mlir;

namespace kern::ir {

static const EmitterTable &emitters() {
  static const EmitterTable table = [] {
    EmitterTable rows;
    addArithmetic(rows);
    addDivision(rows);
    addPowers(rows);
    addBits(rows);
    addComparison(rows);
    addChoice(rows);
    addRounding(rows);
    addFloatParts(rows);
    addElementary(rows);
    addComplex(rows);
    addHalves(rows);
    return rows;
  }();
  return table;
}

Scalars emitScalarFunction(ScalarBuilder &s, ScalarFunction function,
                           llvm::ArrayRef<Scalar> operands,
                           llvm::ArrayRef<runtime::DType> results) {
  auto row = emitters().find(function);
  if (row == emitters().end())
    return {};
  const FunctionEmitter &emitter = row->second;
  bool complex =
      llvm::any_of(operands, [](const Scalar &x) { return isComplex(x.type); });
  bool half = emitter.half && llvm::all_of(operands, [](const Scalar &x) {
                return isHalf(x.type);
              });
  const Emit &emit = complex ? emitter.complex
                     : half  ? emitter.half
                             : emitter.real;
  if (!emit)
    return {};

  Scalars inputs(operands);
  if (emitter.halves == HalfPrecisionRule::Widen)
    for (Scalar &input : inputs)
      input = widenHalf(s, input);
  Scalars outputs = emit(s, inputs);
  assert((outputs.empty() || outputs.size() == results.size()) &&
         "as many results as declared");
  if (outputs.empty())
    return {};
  for (auto [output, type] : llvm::zip(outputs, results)) {
    assert((output.type == type || isHalf(type)) && "the declared type");
    output = convert(s, output, type);
  }
  return outputs;
}

} // namespace kern::ir
