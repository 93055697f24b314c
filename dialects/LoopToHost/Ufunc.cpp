//===- Ufunc.cpp - entry points of ufuncs on the CPU ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Forms.h"
#include "dialects/LoopToHost/LoopToHost.h"
#include "dialects/LoopToHost/VectorBody.h"
#include "dialects/LoopToHost/VectorLoops.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::Form;
using Predicate = KernelBuilder::Predicate;

/// Annotates the loop over a block. The operands of a ufunc are disjoint or the
/// same array, so no iteration reads another's results, and the loop needs no
/// overlap checks. Its length is a multiple of the vector's, so it has no
/// remainder.
static void vectorise(Block *block, Operation *latch,
                      const VectorShape &shape) {
  LoopHints hints;
  hints.shape = shape;
  hints.independent = LLVM::AccessGroupAttr::get(latch->getContext());
  for (Operation &op : *block)
    addToGroup(op, hints.independent);
  annotate(latch, hints);
}

namespace {

struct UfuncOperand {
  Type element;
  Value pointer;
  Value step;
};

/// The words of the contiguous, streamed and strided forms.
struct BlockWords {
  Value blocks;
  SmallVector<UfuncOperand> operands;
  Value record; ///< of checks

  BlockWords(const KernelFacts &kernel, EntryWords words) {
    blocks = words.integer();
    for (const auto &list : {kernel.inputs, kernel.outputs})
      for (const OperandFacts &facts : list) {
        Value pointer = words.pointer();
        operands.push_back({facts.element, pointer, words.integer()});
      }
    if (kernel.hasChecks())
      record = words.pointer();
  }
};

class BlockForm {
public:
  /// The body is for one element, or for the vectors of a block.
  BlockForm(KernelBuilder &b, const KernelFacts &kernel, LLVM::LLVMFuncOp body,
            VectorShape shape, bool isInVectors)
      : b(b), kernel(kernel), body(body), shape(shape),
        isInVectors(isInVectors) {}

  /// Whether each result's blocks are whole cache lines.
  bool canStream() const;
  void emit();
  /// Emits two functions that differ only in their stores. The entry point
  /// calls the streaming one if results are aligned and there are several
  /// blocks.
  void emitStreamed();

private:
  unsigned elements() const { return shape.elements(); }
  LLVM::LLVMFuncOp startPart(StringRef name);
  /// Emits the loop over blocks, to the end of `function`.
  void loop(LLVM::LLVMFuncOp function);
  void loopOverLanes(ArrayRef<UfuncOperand> operands, ArrayRef<Value> starts);
  void loadVectors(ArrayRef<UfuncOperand> operands, ArrayRef<Value> starts);

  KernelBuilder &b;
  const KernelFacts &kernel;
  LLVM::LLVMFuncOp body;
  VectorShape shape;
  bool isInVectors;
};

} // namespace

static constexpr int64_t cacheLine = 64;

bool BlockForm::canStream() const {
  return elements() > 1 && llvm::all_of(kernel.outputs, [&](const auto &facts) {
           return elements() * storedSize(facts.element) % cacheLine == 0;
         });
}

/// Emits the loop over a block's elements, which LLVM vectorises.
void BlockForm::loopOverLanes(ArrayRef<UfuncOperand> operands,
                              ArrayRef<Value> starts) {
  Block *inner = b.block(TypeRange{b.getI64Type()}), *step = b.block(),
        *next = b.block();
  b.branch(inner, b.i64(0));
  b.at(inner);
  Value lane = inner->getArgument(0);
  b.branch(b.compare(Predicate::slt, lane, b.i64(elements())), step, next);
  b.at(step);
  SmallVector<Value> arguments, addresses;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    Value address = b.element(starts[k], storedType(operand.element), lane);
    if (k < kernel.inputs.size())
      arguments.push_back(b.load(operand.element, address));
    else
      addresses.push_back(address);
  }
  SmallVector<Value> results = b.call(body, arguments);
  for (auto [result, address] : llvm::zip(results, addresses))
    b.store(result, address);
  auto latch = LLVM::BrOp::create(b, b.add(lane, b.i64(1)), inner);
  if (elements() > 1)
    vectorise(step, latch, shape);
  b.at(next);
}

/// Emits the body's call for the vectors of a block.
void BlockForm::loadVectors(ArrayRef<UfuncOperand> operands,
                            ArrayRef<Value> starts) {
  auto vectorOf = [&](Type type) {
    return VectorType::get({int64_t(elements())}, type);
  };
  size_t inputs = kernel.inputs.size();
  SmallVector<Value> arguments;
  for (auto [operand, start] : llvm::zip(operands, starts.take_front(inputs))) {
    VectorType stored = vectorOf(storedType(operand.element));
    Value vector = LLVM::LoadOp::create(b, stored, start, /*alignment=*/1);
    if (operand.element.isInteger(1))
      vector = arith::CmpIOp::create(
          b, Predicate::ne, vector,
          arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(stored))));
    arguments.push_back(vector);
  }
  SmallVector<Value> results = b.call(body, arguments);
  for (auto [result, start] : llvm::zip(results, starts.drop_front(inputs))) {
    Value vector = result;
    if (cast<VectorType>(vector.getType()).getElementType().isInteger(1))
      vector = arith::ExtUIOp::create(b, vectorOf(b.getI8Type()), vector);
    LLVM::StoreOp::create(b, vector, start, /*alignment=*/1);
  }
}

void BlockForm::loop(LLVM::LLVMFuncOp function) {
  BlockWords words(kernel, EntryWords(b, function));
  Block *outer = b.block(TypeRange{b.getI64Type()}), *row = b.block(),
        *end = b.block();
  b.branch(outer, b.i64(0));
  b.at(outer);
  Value index = outer->getArgument(0);
  b.branch(b.compare(Predicate::slt, index, words.blocks), row, end);
  b.at(row);
  b.record = words.record;
  SmallVector<Value> starts;
  for (const UfuncOperand &operand : words.operands)
    starts.push_back(b.offset(operand.pointer, b.mul(index, operand.step)));
  if (isInVectors)
    loadVectors(words.operands, starts);
  else
    loopOverLanes(words.operands, starts);
  auto back = LLVM::BrOp::create(b, b.add(index, b.i64(1)), outer);
  leaveAlone(back);
  b.at(end);
  b.ret();
}

void BlockForm::emit() {
  LLVM::LLVMFuncOp entry =
      startEntry(b, kernel, elements() > 1 ? Form::Contiguous : Form::Strided,
                 elements(), shape.lanes);
  if (isInVectors)
    entry.setPassthroughAttr(b.getStrArrayAttr({vectorsAttribute}));
  loop(entry);
}

/// Starts an internal function that takes the entry point's words.
LLVM::LLVMFuncOp BlockForm::startPart(StringRef name) {
  auto function = LLVM::LLVMFuncOp::create(
      b, kernel.symbol + "__" + name.str(),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                  {LLVM::LLVMPointerType::get(b.getContext())}),
      LLVM::Linkage::Internal);
  b.at(function.addEntryBlock(b));
  return function;
}

void BlockForm::emitStreamed() {
  OpBuilder::InsertPoint place = b.saveInsertionPoint();
  LLVM::LLVMFuncOp plain = startPart("plain");
  loop(plain);
  b.restoreInsertionPoint(place);
  LLVM::LLVMFuncOp streaming = startPart("streaming");
  streaming.setPassthroughAttr(
      b.getStrArrayAttr({"noinline", streamsAttribute}));
  loop(streaming);
  b.restoreInsertionPoint(place);
  LLVM::LLVMFuncOp entry =
      startEntry(b, kernel, Form::Streamed, elements(), shape.lanes);
  BlockWords words(kernel, EntryWords(b, entry));
  Value bits = b.i64(0);
  for (const UfuncOperand &result :
       ArrayRef(words.operands).drop_front(kernel.inputs.size()))
    bits = b.bitOr(bits, b.bitOr(b.addressOf(result.pointer), result.step));
  Value isAligned =
      b.compare(Predicate::eq, b.bitAnd(bits, b.i64(cacheLine - 1)), b.i64(0));
  // A single block holds the remaining elements, gathered in a buffer.
  Value isLong = b.compare(Predicate::sgt, words.blocks, b.i64(1));
  Block *around = b.block(), *through = b.block(), *end = b.block();
  b.branch(b.bitAnd(isAligned, isLong), around, through);
  for (auto [block, part] :
       {std::pair(around, streaming), std::pair(through, plain)}) {
    b.at(block);
    LLVM::CallOp::create(b, part, entry.getArguments());
    b.branch(end);
  }
  b.at(end);
  b.ret();
}

/// A body with branches or loops in vectors across elements. Null if it cannot
/// be, or if LLVM makes vectors of the loop over elements.
static LLVM::LLVMFuncOp inVectors(KernelBuilder &b, const KernelFacts &kernel,
                                  LLVM::LLVMFuncOp body, unsigned lanes,
                                  VectorShape &shape) {
  // With checks, an element must be able to return on its own.
  if (kernel.hasChecks() || body.getBody().hasOneBlock())
    return {};
  VectorBody vectors(body);
  if (!vectors.obstacle().empty())
    return {};
  VectorFacts facts = vectors.facts();
  if (!lanes && !runsInLanes(facts))
    return {};
  shape = lanes ? VectorShape{lanes, 1} : laneShape(facts);
  return vectors.emit(b, kernel.symbol + "__lanes", shape.elements());
}

void kern::ir::loop::emitUfunc(KernelBuilder &b, const KernelFacts &kernel,
                               LLVM::LLVMFuncOp body, HostOptions options) {
  VectorShape shape;
  if (auto vectors = inVectors(b, kernel, body, options.lanes, shape)) {
    body.erase();
    BlockForm(b, kernel, vectors, shape, /*isInVectors=*/true).emit();
    return;
  }
  if (!kernel.hasChecks())
    shape = vectorShape(vectorFacts(body));
  BlockForm form(b, kernel, body, shape, /*isInVectors=*/false);
  vectoriseLoops(body);
  if (options.isStreamed && form.canStream())
    form.emitStreamed();
  else
    form.emit();
}
