//===- Across.cpp - gufuncs across loop elements side by side -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Across.h"

#include "dialects/LoopToHost/GufuncCall.h"
#include "dialects/LoopToHost/GufuncLanes.h"
#include "dialects/LoopToHost/IterationLanes.h"
#include "dialects/LoopToHost/NumberedBody.h"
#include "dialects/LoopToHost/PartialSums.h"
#include "dialects/LoopToHost/VectorLoops.h"
#include "dialects/LoopToHost/WideBodies.h"
#include "dialects/LoopToLLVM/Distribute.h"
#include "dialects/LoopToLLVM/SingleLane.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::Form;
using Predicate = KernelBuilder::Predicate;

bool kern::ir::loop::canGoSideBySide(KernelOp kernel) {
  if (kernel.isUfunc() || kernel.getChecks())
    return false;
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  auto copy = cast<KernelOp>(kernel->clone());
  module->push_back(copy);
  copy->setAttr(sideBySideAttribute, UnitAttr::get(kernel.getContext()));
  distribute(copy, /*sequential=*/true);
  KernelBuilder b(copy.getLoc(), copy.getContext(), hostMemory);
  b.setInsertionPoint(copy);
  KernelFacts facts(copy);
  std::optional<CoreShapes> shapes = constantShapes(copy);
  if (facts.inputs.empty())
    return false;
  SingleLane lane;
  LLVM::LLVMFuncOp body = moveBody(copy, hostMemory, lane);
  if (shapes && GufuncLanes(b, facts, body, *shapes, /*lanes=*/0).isPossible())
    return false; // whatever the strides
  if (!loopsOf(body).empty())
    return false;
  if (!writePartialSums(b, body, SumOrder::OneByOne).empty())
    return false;
  NumberedBody numbered(b, facts, body);
  VectorBody vectors(body, numbered.allButTheNumber(), body.getArgument(0));
  if (!vectors.obstacle().empty() || numbered.changesWhatItReads() ||
      !numbered.isSideBySide(vectors))
    return false;
  int64_t lanes = acrossVectors[0] * laneShape(vectors.facts()).lanes;
  return vectors.localBytes() * lanes <= mostStackAcross;
}

//===----------------------------------------------------------------------===//
// The entry point
//===----------------------------------------------------------------------===//

namespace {
class AcrossForm {
public:
  AcrossForm(KernelBuilder &b, const KernelFacts &kernel,
             LLVM::LLVMFuncOp entry, unsigned mostLanes);
  /// Emits a loop over as many loop elements as a body takes at once, from
  /// `first` on while more than `rest` are left. The last ones may be among
  /// those that were done before. Returns the first that is left. Does nothing
  /// for rows that are too short, and without the `condition`, if there is one.
  Value loop(const WideBody &body, Value first, unsigned rest, Value condition);
  /// Emits a call for all loop elements, where there are enough, and the
  /// numbers of each operand without core dimensions are side by side, or the
  /// same. Returns the first loop element that is left.
  Value inPanels(const WideBody &body);
  /// Whether a core dimension is longer than so much.
  Value hasDimension(int64_t longer);
  Value hasLargeRegisters();

private:
  /// Of an operand without core dimensions: the numbers of some loop elements,
  /// side by side.
  struct Numbers {
    size_t operand;
    Value buffer; ///< if they are apart in memory
    Value isApart;
  };
  void move(const Numbers &numbers, Value place, Value count);
  /// The arguments of a body whose first loop element is at the places.
  SmallVector<Value> arguments(ArrayRef<Value> places);
  void run(const WideBody &body, Value first);
  Value misaligned(Value next, unsigned lanes);

  KernelBuilder &b;
  GufuncCall call;
  size_t inputs;
  SmallVector<Numbers> numbers;
};
} // namespace

AcrossForm::AcrossForm(KernelBuilder &b, const KernelFacts &kernel,
                       LLVM::LLVMFuncOp entry, unsigned mostLanes)
    : b(b), call(b, kernel, entry), inputs(kernel.inputs.size()) {
  for (auto [k, operand] : llvm::enumerate(call.operands)) {
    if (!operand.coreStrides.empty())
      continue;
    int64_t size = storedSize(operand.element);
    constexpr unsigned alignment = 64;
    Value buffer =
        LLVM::AllocaOp::create(b, b.pointerType(), b.getI8Type(),
                               b.i64(size * int64_t(mostLanes)), alignment);
    numbers.push_back(
        {k, buffer, b.compare(Predicate::ne, operand.stride, b.i64(size))});
  }
}

/// Moves numbers that are apart between the buffer and the first one's place.
void AcrossForm::move(const Numbers &numbers, Value place, Value count) {
  const GufuncOperand &operand = call.operands[numbers.operand];
  Block *header = b.block(TypeRange{b.getI64Type()}), *step = b.block(),
        *after = b.block();
  b.branch(numbers.isApart, header, after, ValueRange{b.i64(0)});
  b.at(header);
  Value lane = header->getArgument(0);
  b.branch(b.compare(Predicate::slt, lane, count), step, after);
  b.at(step);
  Value own = b.element(numbers.buffer, storedType(operand.element), lane);
  Value given = b.offset(place, b.mul(lane, operand.stride));
  bool isInput = numbers.operand < inputs;
  b.store(b.load(operand.element, isInput ? given : own),
          isInput ? own : given);
  leaveAlone(LLVM::BrOp::create(b, b.add(lane, b.i64(1)), header));
  b.at(after);
}

SmallVector<Value> AcrossForm::arguments(ArrayRef<Value> places) {
  SmallVector<Value> arguments = {b.i64(0)};
  for (auto [operand, place] : llvm::zip(call.operands, places)) {
    arguments.push_back(place);
    arguments.append(operand.coreStrides);
    if (&operand < call.operands.begin() + inputs &&
        !operand.coreStrides.empty())
      arguments.push_back(operand.stride);
  }
  arguments.append(call.dims);
  arguments.append(call.slots);
  return arguments;
}

void AcrossForm::run(const WideBody &body, Value first) {
  SmallVector<Value> places;
  Value lanes = b.i64(body.lanes);
  if (body.shortRows != ShortRows::None)
    lanes = arith::MinSIOp::create(b, lanes, call.count);
  for (const GufuncOperand &operand : call.operands)
    places.push_back(b.offset(operand.pointer, b.mul(first, operand.stride)));
  SmallVector<Value> used = places;
  for (const Numbers &own : numbers) {
    if (own.operand < inputs)
      move(own, places[own.operand], lanes);
    used[own.operand] =
        LLVM::SelectOp::create(b, own.isApart, own.buffer, places[own.operand]);
  }
  SmallVector<Value> given = arguments(used);
  if (body.shortRows == ShortRows::Halves)
    given.push_back(b.sub(lanes, b.i64(body.lanes)));
  if (body.shortRows == ShortRows::First)
    given.push_back(lanes);
  b.call(body.function, given);
  for (const Numbers &own : numbers)
    if (own.operand >= inputs)
      move(own, places[own.operand], lanes);
}

Value AcrossForm::inPanels(const WideBody &body) {
  Block *panels = b.block(), *after = b.block(TypeRange{b.getI64Type()});
  Value isServed = b.compare(Predicate::sge, call.count, b.i64(body.fewest()));
  for (const Numbers &own : numbers) {
    const GufuncOperand &operand = call.operands[own.operand];
    Value isBeside = b.compare(Predicate::eq, operand.stride,
                               b.i64(storedSize(operand.element)));
    if (own.operand < inputs)
      isBeside =
          b.bitOr(isBeside, b.compare(Predicate::eq, operand.stride, b.i64(0)));
    isServed = b.bitAnd(isServed, isBeside);
  }
  b.branch(isServed, panels, after, {}, ValueRange{b.i64(0)});
  b.at(panels);
  SmallVector<Value> places, strides;
  for (const GufuncOperand &operand : call.operands)
    places.push_back(operand.pointer);
  for (const Numbers &own : numbers) {
    if (own.operand >= inputs)
      continue;
    move(own, places[own.operand], b.i64(body.lanes));
    places[own.operand] =
        LLVM::SelectOp::create(b, own.isApart, own.buffer, places[own.operand]);
    strides.push_back(call.operands[own.operand].stride);
  }
  SmallVector<Value> given = arguments(places);
  given.push_back(call.count);
  given.push_back(misaligned(b.i64(body.lanes), body.lanes));
  given.append(strides);
  b.call(body.function, given);
  b.branch(after, ValueRange{call.count});
  b.at(after);
  return after->getArgument(0);
}

/// How many loop elements before the next one a cache line begins: else each
/// row of the following vectors would touch one line more. That pays only for
/// many of them.
Value AcrossForm::misaligned(Value next, unsigned lanes) {
  constexpr int64_t many = 8, line = 64;
  Value before = b.i64(0);
  for (const GufuncOperand &operand : llvm::reverse(call.operands)) {
    if (operand.coreStrides.empty())
      continue;
    int64_t bytes = storedSize(operand.element);
    if (lanes * bytes < 2 * line)
      continue;
    Value size = b.i64(bytes);
    Value address =
        b.addressOf(b.offset(operand.pointer, b.mul(next, operand.stride)));
    before = arith::SelectOp::create(
        b, b.compare(Predicate::eq, operand.stride, size),
        b.div(b.bitAnd(address, b.i64(line - 1)), size), before);
  }
  Value pays = b.compare(Predicate::sgt, b.sub(call.count, next),
                         b.i64(many * int64_t(lanes)));
  return arith::SelectOp::create(b, pays, before, b.i64(0));
}

Value AcrossForm::hasDimension(int64_t longer) {
  Value has = arith::ConstantOp::create(b, b.getBoolAttr(false));
  for (Value dim : call.dims)
    has = b.bitOr(has, b.compare(Predicate::sgt, dim, b.i64(longer)));
  return has;
}

Value AcrossForm::hasLargeRegisters() {
  auto module =
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto constant = module.lookupSymbol<LLVM::GlobalOp>(largeRegisters);
  if (!constant) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    constant = LLVM::GlobalOp::create(b, b.getI8Type(), /*isConstant=*/true,
                                      LLVM::Linkage::Internal, largeRegisters,
                                      b.getI8IntegerAttr(1));
  }
  Value address = LLVM::AddressOfOp::create(b, constant);
  Value value = LLVM::LoadOp::create(b, b.getI8Type(), address);
  return b.compare(Predicate::ne, value,
                   arith::ConstantOp::create(b, b.getI8IntegerAttr(0)));
}

Value AcrossForm::loop(const WideBody &body, Value first, unsigned rest,
                       Value condition) {
  Block *header = b.block(TypeRange{b.getI64Type()}), *step = b.block(),
        *after = b.block();
  b.branch(header, first);
  b.at(header);
  Value next = header->getArgument(0);
  Value isEnough =
      b.bitAnd(b.compare(Predicate::sge, call.count, b.i64(body.fewest())),
               b.compare(Predicate::sgt, b.sub(call.count, next), b.i64(rest)));
  if (condition)
    isEnough = b.bitAnd(isEnough, condition);
  b.branch(isEnough, step, after);
  b.at(step);
  Value last = b.sub(call.count, b.i64(body.lanes));
  Value at = arith::MinSIOp::create(b, next, last);
  if (body.shortRows != ShortRows::None)
    at = arith::MaxSIOp::create(b, at, b.i64(0));
  run(body, at);
  Value following = b.add(at, b.i64(body.lanes));
  leaveAlone(LLVM::BrOp::create(
      b, b.sub(following, misaligned(following, body.lanes)), header));
  b.at(after);
  return next;
}

void kern::ir::loop::emitAcross(KernelBuilder &b, KernelFacts kernel,
                                LLVM::LLVMFuncOp body, HostOptions options) {
  WideBodies bodies(b, kernel, body, options);
  // Local arrays whose size a call says have no room for so many lanes.
  std::optional<WideBody> panels;
  bool isSums = false;
  if (kernel.slots.empty()) {
    panels = bodies.inPanels(acrossVectorsInPanels);
    isSums = !panels && bodies.add(SumOrder::InBlocks, acrossVectorsOfSums);
  }
  size_t inBlocks = bodies.all.size();
  size_t wide = 0; // the bodies that are not for sums of few elements
  if (panels)
    bodies.add(SumOrder::OneByOne, acrossVectorsBesidePanels);
  else
    for (unsigned count : acrossVectors) {
      bool isForFew = isSums && count == acrossVectorsOfFew;
      if (isForFew)
        wide = bodies.all.size();
      bodies.add(isForFew ? SumOrder::FewAtOnce : SumOrder::OneByOne, count);
    }
  body.erase();
  unsigned most = acrossVectors[0] * bodies.lanes;
  for (Entry::Scratch &scratch : kernel.entry.scratch)
    scratch.bytes.tokens.insert(scratch.bytes.tokens.end(),
                                {std::to_string(most), "*"});
  LLVM::LLVMFuncOp entry =
      startEntry(b, kernel, Form::Across, most, bodies.lanes);
  entry.setPassthroughAttr(b.getStrArrayAttr({vectorsAttribute}));
  AcrossForm form(b, kernel, entry, bodies.all.front().lanes);
  Value next = panels ? form.inPanels(*panels) : b.i64(0);
  Value hasMany = form.hasDimension(2 * bodies.lanes);
  Value goesInBlocks =
      inBlocks ? b.bitAnd(hasMany, form.hasLargeRegisters()) : Value();
  for (auto [i, own] : llvm::enumerate(bodies.all))
    next = form.loop(own, next,
                     own.lanes > bodies.lanes ? bodies.all[i + 1].lanes : 0,
                     i < inBlocks ? goesInBlocks
                     : i < wide   ? hasMany
                                  : Value());
  b.ret();
}
