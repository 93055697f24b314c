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
#include "dialects/LoopToHost/LaneSteps.h"
#include "dialects/LoopToHost/PartialSums.h"
#include "dialects/LoopToHost/RowsAhead.h"
#include "dialects/LoopToHost/VectorLoops.h"
#include "dialects/LoopToLLVM/Distribute.h"
#include "dialects/LoopToLLVM/SingleLane.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::Form;
using Predicate = KernelBuilder::Predicate;

//===----------------------------------------------------------------------===//
// A loop element as an iteration
//===----------------------------------------------------------------------===//

namespace {
/// A body as a function of a loop element's number. Arrays are those of loop
/// element 0, and numbers that a body takes or returns are arrays of one for
/// each loop element. After an input's core strides comes its stride from one
/// loop element to the next, which is the size of an element or 0.
struct NumberedBody {
  NumberedBody(KernelBuilder &b, const KernelFacts &kernel,
               LLVM::LLVMFuncOp body);

  llvm::DenseSet<Value> allButTheNumber() const;
  /// Whether lanes read and write side by side, or read the same, and whether
  /// the elements of a local array have one size, so that vectors can take
  /// their place.
  bool isSideBySide(const VectorBody &vectors) const;
  /// Whether an input is written or a result is read, so that a loop element
  /// that runs twice could give something else.
  bool changesWhatItReads() const;
  /// Says which inputs may be the same for all loop elements.
  void shareInputs(VectorBody &vectors) const;

  LLVM::LLVMFuncOp body;
  SmallVector<std::pair<Value, Value>> strides; ///< of inputs that are arrays
  llvm::DenseSet<Value> written;                ///< results that are arrays
  /// The memory for local arrays whose size is known at the call.
  llvm::DenseSet<Value> slots;
};
} // namespace

/// The number that a body returns as its i-th of so many.
static Value resultOf(LLVM::ReturnOp end, size_t i, size_t count) {
  Value value = end.getOperand(0);
  if (count == 1)
    return value;
  auto field = value.getDefiningOp<LLVM::InsertValueOp>();
  while (field.getPosition().front() != int64_t(i))
    field = field.getContainer().getDefiningOp<LLVM::InsertValueOp>();
  return field.getValue();
}

NumberedBody::NumberedBody(KernelBuilder &b, const KernelFacts &kernel,
                           LLVM::LLVMFuncOp body)
    : body(body) {
  OpBuilder::InsertionGuard guard(b);
  Block *entry = &body.getBody().front();
  Value number = entry->insertArgument(0u, b.getI64Type(), b.getLoc());
  b.setInsertionPointToStart(entry);
  unsigned at = 1;
  auto placeIn = [&](Value array, Type element) {
    return b.offset(array, b.mul(number, b.i64(storedSize(element))));
  };
  auto passArray = [&](const OperandFacts &operand) {
    BlockArgument array = entry->getArgument(at);
    Value place = placeIn(array, operand.element);
    array.replaceAllUsesExcept(place, place.getDefiningOp());
    at += 1 + operand.rank;
    return array;
  };
  for (const OperandFacts &input : kernel.inputs) {
    if (input.rank) {
      BlockArgument array = passArray(input);
      strides.push_back(
          {array, entry->insertArgument(at++, b.getI64Type(), b.getLoc())});
      continue;
    }
    BlockArgument scalar = entry->getArgument(at);
    Value array = entry->insertArgument(at++, b.pointerType(), b.getLoc());
    scalar.replaceAllUsesWith(
        b.load(input.element, placeIn(array, input.element)));
    entry->eraseArgument(at);
  }
  SmallVector<Value> results;
  for (const OperandFacts &output : kernel.outputs)
    if (output.rank) {
      written.insert(passArray(output));
    } else {
      Value array = entry->insertArgument(at++, b.pointerType(), b.getLoc());
      results.push_back(placeIn(array, output.element));
    }
  SmallVector<LLVM::ReturnOp> ends;
  for (Block &block : body.getBody())
    if (auto end = dyn_cast<LLVM::ReturnOp>(block.getTerminator()))
      ends.push_back(end);
  for (LLVM::ReturnOp end : ends) {
    b.setInsertionPoint(end);
    for (auto [i, place] : llvm::enumerate(results))
      b.store(resultOf(end, i, results.size()), place);
    b.ret();
    end.erase();
  }
  body.setFunctionType(LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()),
      SmallVector<Type>(entry->getArgumentTypes())));
  for (Value slot : body.getArguments().take_back(kernel.slots.size()))
    slots.insert(slot);
}

llvm::DenseSet<Value> NumberedBody::allButTheNumber() const {
  llvm::DenseSet<Value> uniform;
  for (Value argument : LLVM::LLVMFuncOp(body).getArguments().drop_front())
    uniform.insert(argument);
  return uniform;
}

bool NumberedBody::isSideBySide(const VectorBody &vectors) const {
  LLVM::LLVMFuncOp function = body; // not const
  llvm::DenseMap<Value, unsigned> sizes;
  for (Block &block : function.getBody())
    for (Operation &op : block) {
      Value address;
      Type type;
      if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
        address = load.getAddr();
        type = load.getType();
      } else if (auto store = dyn_cast<LLVM::StoreOp>(op)) {
        address = store.getAddr();
        type = store.getValue().getType();
      } else if (auto zeroes = dyn_cast<LLVM::MemsetOp>(op)) {
        address = zeroes.getDst();
      }
      if (!address || localArrayOf(address))
        continue;
      if (!type || !type.isIntOrFloat())
        return false;
      unsigned size = storedSize(type);
      if (Value slot = operandOf(address); slots.contains(slot)) {
        if (sizes.try_emplace(slot, size).first->second != size)
          return false;
        continue;
      }
      auto step =
          addressStep(function.getArgument(0), address, [&](Value value) {
            return !vectors.varies(value, &block);
          });
      if (!step || (*step != 0 && *step != size))
        return false;
    }
  return true;
}

bool NumberedBody::changesWhatItReads() const {
  llvm::DenseSet<Value> onlyRead = arraysOnlyRead(body);
  for (auto [array, stride] : strides)
    if (!onlyRead.contains(array))
      return true;
  LLVM::LLVMFuncOp function = body; // not const
  return llvm::any_of(function.getBody().getOps<LLVM::LoadOp>(),
                      [&](LLVM::LoadOp load) {
                        return written.contains(operandOf(load.getAddr()));
                      });
}

void NumberedBody::shareInputs(VectorBody &vectors) const {
  if (strides.size() < 2)
    return; // an array that is all alone lies across
  for (auto [array, stride] : strides)
    vectors.shareWhereZero(array, stride);
}

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
  if (!writePartialSums(b, body).empty())
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
  /// Emits a loop over as many loop elements as `function` takes at once, from
  /// `first` on while more than `rest` are left, of at least `lanes`. The last
  /// ones may be among those that were done before. Returns the first that is
  /// left.
  Value loop(LLVM::LLVMFuncOp function, unsigned lanes, Value first,
             unsigned rest);

private:
  /// Of an operand without core dimensions: the numbers of some loop elements,
  /// side by side.
  struct Numbers {
    size_t operand;
    Value buffer; ///< if they are apart in memory
    Value isApart;
  };
  void move(const Numbers &numbers, Value place, unsigned lanes);
  void run(LLVM::LLVMFuncOp function, unsigned lanes, Value first);
  Value aligned(Value next, unsigned lanes);

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
void AcrossForm::move(const Numbers &numbers, Value place, unsigned lanes) {
  const GufuncOperand &operand = call.operands[numbers.operand];
  Block *header = b.block(TypeRange{b.getI64Type()}), *step = b.block(),
        *after = b.block();
  b.branch(numbers.isApart, header, after, ValueRange{b.i64(0)});
  b.at(header);
  Value lane = header->getArgument(0);
  b.branch(b.compare(Predicate::slt, lane, b.i64(lanes)), step, after);
  b.at(step);
  Value own = b.element(numbers.buffer, storedType(operand.element), lane);
  Value given = b.offset(place, b.mul(lane, operand.stride));
  bool isInput = numbers.operand < inputs;
  b.store(b.load(operand.element, isInput ? given : own),
          isInput ? own : given);
  leaveAlone(LLVM::BrOp::create(b, b.add(lane, b.i64(1)), header));
  b.at(after);
}

void AcrossForm::run(LLVM::LLVMFuncOp function, unsigned lanes, Value first) {
  SmallVector<Value> places;
  for (const GufuncOperand &operand : call.operands)
    places.push_back(b.offset(operand.pointer, b.mul(first, operand.stride)));
  SmallVector<Value> given = places;
  for (const Numbers &own : numbers) {
    if (own.operand < inputs)
      move(own, places[own.operand], lanes);
    given[own.operand] =
        LLVM::SelectOp::create(b, own.isApart, own.buffer, places[own.operand]);
  }
  SmallVector<Value> arguments = {b.i64(0)};
  for (auto [operand, place] : llvm::zip(call.operands, given)) {
    arguments.push_back(place);
    arguments.append(operand.coreStrides);
    if (&operand < call.operands.begin() + inputs &&
        !operand.coreStrides.empty())
      arguments.push_back(operand.stride);
  }
  arguments.append(call.dims);
  arguments.append(call.slots);
  b.call(function, arguments);
  for (const Numbers &own : numbers)
    if (own.operand >= inputs)
      move(own, places[own.operand], lanes);
}

/// The next loop element, or one shortly before it, at which a cache line
/// begins: else each row of the following vectors would touch one line more.
/// That pays only for many of them.
Value AcrossForm::aligned(Value next, unsigned lanes) {
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
  return b.sub(next, arith::SelectOp::create(b, pays, before, b.i64(0)));
}

Value AcrossForm::loop(LLVM::LLVMFuncOp function, unsigned lanes, Value first,
                       unsigned rest) {
  Block *header = b.block(TypeRange{b.getI64Type()}), *step = b.block(),
        *after = b.block();
  b.branch(header, first);
  b.at(header);
  Value next = header->getArgument(0);
  Value isEnough =
      b.bitAnd(b.compare(Predicate::sge, call.count, b.i64(lanes)),
               b.compare(Predicate::sgt, b.sub(call.count, next), b.i64(rest)));
  b.branch(isEnough, step, after);
  b.at(step);
  Value at = arith::MinSIOp::create(b, next, b.sub(call.count, b.i64(lanes)));
  run(function, lanes, at);
  leaveAlone(
      LLVM::BrOp::create(b, aligned(b.add(at, b.i64(lanes)), lanes), header));
  b.at(after);
  return next;
}

/// An iteration of several vectors gains nothing from being unrolled.
static void leaveLoopsAlone(LLVM::LLVMFuncOp function) {
  llvm::DenseSet<Block *> before;
  for (Block &block : function.getBody()) {
    before.insert(&block);
    if (llvm::any_of(block.getSuccessors(),
                     [&](Block *next) { return before.contains(next); }))
      leaveAlone(block.getTerminator());
  }
}

void kern::ir::loop::emitAcross(KernelBuilder &b, KernelFacts kernel,
                                LLVM::LLVMFuncOp body, HostOptions options) {
  writePartialSums(b, body);
  NumberedBody numbered(b, kernel, body);
  fetchRowsAhead(b, body);
  VectorBody vectors(body, numbered.allButTheNumber(), body.getArgument(0));
  numbered.shareInputs(vectors);
  unsigned lanes =
      options.lanes ? options.lanes : laneShape(vectors.facts()).lanes;
  SmallVector<LLVM::LLVMFuncOp> bodies;
  for (unsigned count : acrossVectors) {
    bodies.push_back(
        vectors.emit(b, kernel.symbol + "__by_" + std::to_string(count),
                     count * lanes, numbered.slots));
    leaveLoopsAlone(bodies.back());
  }
  body.erase();
  unsigned most = acrossVectors[0] * lanes;
  for (Entry::Scratch &scratch : kernel.entry.scratch)
    scratch.bytes.tokens.insert(scratch.bytes.tokens.end(),
                                {std::to_string(most), "*"});
  LLVM::LLVMFuncOp entry = startEntry(b, kernel, Form::Across, most, lanes);
  entry.setPassthroughAttr(b.getStrArrayAttr({vectorsAttribute}));
  AcrossForm form(b, kernel, entry, most);
  Value next = b.i64(0);
  for (auto [i, function] : llvm::enumerate(bodies)) {
    bool isLast = i + 1 == bodies.size();
    next = form.loop(function, acrossVectors[i] * lanes, next,
                     isLast ? 0 : acrossVectors[i + 1] * lanes);
  }
  b.ret();
}
