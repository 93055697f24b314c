//===- Gufunc.cpp - entry points of gufuncs on the CPU --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Forms.h"
#include "dialects/LoopToHost/GufuncLanes.h"
#include "dialects/LoopToHost/IterationLanes.h"
#include "dialects/LoopToHost/VectorLoops.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::Form;
using Predicate = KernelBuilder::Predicate;

namespace {

class GeneralForm {
public:
  /// `unit`: the body for unit strides, if it has one of its own. `together`:
  /// how many loop elements run at once, if it has a vector body.
  GeneralForm(KernelBuilder &b, const KernelFacts &kernel,
              LLVM::LLVMFuncOp body, LLVM::LLVMFuncOp unit,
              std::optional<unsigned> together = {});
  void emit();
  void emit(GufuncLanes &vectors);

private:
  Value hasUnitStrides();
  /// Emits the loop over loop elements, from the builder's insertion point to
  /// `end`. With `hasUnitStrides`, the body gets the last core strides as
  /// constants.
  void loop(bool hasUnitStrides, Block *end);

  KernelBuilder &b;
  const KernelFacts &kernel;
  LLVM::LLVMFuncOp body, unit;
  Value count;
  SmallVector<Value> dims;
  SmallVector<GufuncOperand> operands;
  SmallVector<Value> slots; ///< memory for local arrays
};

} // namespace

/// Hides `stride` in an expression that does not change it. LLVM's vectoriser
/// would version the loop for a plain stride of 1, and group the sums of other
/// strides differently.
static Value hideFromVersioning(KernelBuilder &b, Value stride) {
  return arith::MaxSIOp::create(b, stride, b.i64(-(int64_t(1) << 62)));
}

GeneralForm::GeneralForm(KernelBuilder &b, const KernelFacts &kernel,
                         LLVM::LLVMFuncOp body, LLVM::LLVMFuncOp unit,
                         std::optional<unsigned> together)
    : b(b), kernel(kernel), body(body), unit(unit ? unit : body) {
  // An estimate: some loops along core dimensions use vectors (VectorLoops.h).
  constexpr unsigned lanes = 4;
  LLVM::LLVMFuncOp entry =
      startEntry(b, kernel, Form::General, together.value_or(1), lanes);
  if (together)
    entry.setPassthroughAttr(b.getStrArrayAttr({vectorsAttribute}));
  EntryWords words(b, entry);
  count = words.integer();
  for (unsigned i = 0; i < kernel.dims; ++i)
    dims.push_back(words.integer());
  for (const auto &list : {kernel.inputs, kernel.outputs})
    for (const OperandFacts &facts : list) {
      Value pointer = words.pointer();
      GufuncOperand operand{facts.element, pointer, words.integer(), {}};
      for (unsigned i = 0; i < facts.rank; ++i)
        operand.coreStrides.push_back(words.integer());
      for (Value &stride : operand.coreStrides)
        stride = hideFromVersioning(b, stride);
      operands.push_back(operand);
    }
  for (size_t i = 0; i < kernel.slots.size(); ++i)
    slots.push_back(words.pointer());
  if (kernel.hasChecks())
    b.record = words.pointer();
}

/// Whether all arrays have unit strides along their last core dimensions; null
/// if there are no such arrays.
Value GeneralForm::hasUnitStrides() {
  Value all;
  for (const GufuncOperand &operand : operands) {
    if (operand.coreStrides.empty())
      continue;
    Value isUnit = b.compare(Predicate::eq, operand.coreStrides.back(),
                             b.i64(storedSize(operand.element)));
    all = all ? b.bitAnd(all, isUnit) : isUnit;
  }
  return all;
}

void GeneralForm::loop(bool hasUnitStrides, Block *end) {
  Block *header = b.block(TypeRange{b.getI64Type()}), *step = b.block();
  b.branch(header, b.i64(0));
  b.at(header);
  Value index = header->getArgument(0);
  b.branch(b.compare(Predicate::slt, index, count), step, end);
  b.at(step);
  SmallVector<Value> arguments, addresses;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    Value address = b.offset(operand.pointer, b.mul(index, operand.stride));
    if (!operand.coreStrides.empty()) {
      arguments.push_back(address);
      arguments.append(operand.coreStrides);
      if (hasUnitStrides)
        arguments.back() = b.i64(storedSize(operand.element));
    } else if (k < kernel.inputs.size()) {
      arguments.push_back(b.load(operand.element, address));
    } else {
      addresses.push_back(address);
    }
  }
  arguments.append(dims);
  arguments.append(slots);
  SmallVector<Value> results = b.call(hasUnitStrides ? unit : body, arguments);
  for (auto [result, address] : llvm::zip(results, addresses))
    b.store(result, address);
  leaveAlone(LLVM::BrOp::create(b, b.add(index, b.i64(1)), header));
}

void GeneralForm::emit() {
  Block *end = b.block();
  if (Value isUnit = hasUnitStrides()) {
    Block *unit = b.block(), *strided = b.block();
    b.branch(isUnit, unit, strided);
    b.at(unit);
    loop(/*hasUnitStrides=*/true, end);
    b.at(strided);
  }
  loop(/*hasUnitStrides=*/false, end);
  b.at(end);
  b.ret();
}

void GeneralForm::emit(GufuncLanes &vectors) {
  Block *end = b.block();
  vectors.emit(count, operands, end);
  b.at(end);
  b.ret();
}

void kern::ir::loop::emitGufunc(KernelBuilder &b, const KernelFacts &kernel,
                                LLVM::LLVMFuncOp body,
                                const std::optional<CoreShapes> &shapes,
                                HostOptions options) {
  if (shapes && !kernel.entry.inParts)
    if (GufuncLanes vectors(b, kernel, body, *shapes, options.lanes);
        vectors.isPossible()) {
      body.erase();
      GeneralForm(b, kernel, {}, {}, vectors.count()).emit(vectors);
      return;
    }
  LLVM::LLVMFuncOp unit;
  if (!kernel.hasChecks())
    unit = runIterationsInLanes(b, kernel, body, options.lanes);
  vectoriseLoops(body);
  if (unit)
    vectoriseLoops(unit);
  GeneralForm(b, kernel, body, unit).emit();
}
