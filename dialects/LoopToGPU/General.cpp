//===- General.cpp - the general form -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters: count, n0 … n5, group, flags, the dimensions, the flat extents
// and their divisors' words, (launch, slices, blocks) of a sliced kernel, or
// (0, slices, teams) of a cooperative one, copies of a privatised one,
// (pointer, the value if it has no core dimensions, s0 … s5, core strides) of
// each input, (pointer, s0 … s5, core strides) of each output, (pointer, bytes)
// of each slot for local arrays.
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Offsets.h"
#include "dialects/LoopToGPU/Policy.h"
#include "dialects/LoopToGPU/Threads.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

namespace {

struct GeneralOperand {
  OperandFacts facts;
  Value pointer;
  SmallVector<Value> words; ///< empty unless it may be a scalar
  SmallVector<Value> strides;
  SmallVector<Value> coreStrides;
};

/// The launch of a sliced kernel, and the slice of a block. The blocks of a
/// cooperative kernel that work on one item together are a team. It takes one
/// item after the other, and its `launch` is 0 for the first one.
struct Slice {
  Value launch, number, count;
};

/// Emits the entry point of one kernel. One class, since every part of the
/// entry point uses the same values, which are the members.
class GeneralForm {
public:
  GeneralForm(KernelBuilder &b, const KernelFacts &kernel,
              LLVM::LLVMFuncOp body, unsigned loopDims)
      : b(b), kernel(kernel), body(body), loopDims(loopDims),
        mapping(kernel.entry.mapping) {}
  void emit();

private:
  SmallVector<Type> parameterTypes();
  BlockLimit blockLimit() const;
  void takeParameters(LLVM::LLVMFuncOp function);
  /// Short reductions have no registers for what divisors take.
  bool hasDivisors() const { return kernel.flatCount && !kernel.arraysRead; }
  Value groupOfLaunch();
  void splitItem(Value item);
  /// Where each operand has a loop element, in bytes.
  SmallVector<Value> offsetsAt(Value index);
  void storeResults(ArrayRef<Value> results, Value lane, Block *end);
  /// Appends how much further the team's next item has each array among the
  /// inputs, where this one has them at `bytes`; 0 behind the last one.
  void appendAhead(Value item, ArrayRef<Value> bytes,
                   SmallVector<Value> &arguments);
  /// Begins a loop over the items of a team, which continues at the result.
  Block *loopOverItems(Value team, Work &work);

  SmallVector<Value> take(unsigned number) {
    SmallVector<Value> taken(words.begin() + next,
                             words.begin() + next + number);
    next += number;
    return taken;
  }

  KernelBuilder &b;
  const KernelFacts &kernel;
  LLVM::LLVMFuncOp body;
  const unsigned loopDims; ///< of calls, at most
  const kern::runtime::Mapping mapping;
  SmallVector<Value> words;
  unsigned next = 0;
  Value count, group, flags, blocks, copies;
  SmallVector<Value> extents, dims, flatExtents, flatDivisors;
  SmallVector<GeneralOperand> operands;
  Slice slice;
  Value element;
  SmallVector<Value> flatIndices;
  SmallVector<Value> scalarOutputs; ///< addresses
};

} // namespace

SmallVector<Type> GeneralForm::parameterTypes() {
  unsigned numbers = 1 + loopRank + 2 + kernel.dims + kernel.flatCount +
                     (hasDivisors() ? kernel.flatCount : 0) +
                     (mapping.sliced ? 3 : 0) + (mapping.privatised ? 1 : 0);
  SmallVector<Type> types(numbers, b.getI64Type());
  auto lay = [&](const OperandFacts &operand, bool mayBeScalar) {
    types.push_back(b.pointerType());
    unsigned words = mayBeScalar ? wordCount(operand.element) : 0;
    types.append(words + loopRank + operand.rank, b.getI64Type());
  };
  for (const auto &input : kernel.inputs)
    lay(input, input.rank == 0);
  for (const auto &output : kernel.outputs)
    lay(output, false);
  for (size_t i = 0; i < kernel.slots.size(); ++i) {
    types.push_back(b.pointerType());
    types.push_back(b.getI64Type());
  }
  return types;
}

/// Two blocks with rows in registers share a multiprocessor, so that one reads
/// while the other computes.
BlockLimit GeneralForm::blockLimit() const {
  if (mapping.resident)
    return {largestResidentGroup, kernel.blocks ? kernel.blocks : 2};
  // Few warps share a multiprocessor: none needs to save registers, and loads
  // can be far from the uses of what they read.
  if (mapping.spread)
    return {spreadBlock, 1};
  bool isShared = !kernel.entry.sharedExtents.empty();
  // With many results or elements, limit registers: a second block must fit
  // beside this one, to hide its latencies. Matrix units have long ones,
  // and threads that use them twice as many results.
  constexpr unsigned manyResults = 64, threadsOfTiles = 512;
  constexpr unsigned registers = 128;
  if (kernel.usesMatrixUnits)
    return {kernel.entry.block, threadsOfTiles / 2 / kernel.entry.block};
  // A plane of results needs three planes of elements at a time. A third block
  // fits if those fit the registers that it leaves, and nothing else needs
  // many.
  constexpr unsigned registersOfThree = 80;
  if (kernel.tilePlanes > 1) {
    unsigned words = kernel.loadedWords * 3 / (kernel.tilePlanes + 2) +
                     kernel.storedWords / kernel.tilePlanes;
    bool fits = words <= registersOfThree && !kernel.callsFunctions;
    unsigned blocks = fits ? 3 : 2;
    return {kernel.entry.block,
            blocks * threadsOfTiles / 2 / kernel.entry.block};
  }
  if (kernel.tileResults >= manyResults ||
      kernel.loadedWords + kernel.tileResults > registers)
    return {kernel.entry.block, threadsOfTiles / kernel.entry.block};
  // What the loop needs. The indices before it would take more than lanes that
  // wait for memory can spare: 1536 or 1280 threads fit a multiprocessor.
  constexpr unsigned ofOneArray = 40, ofTwoArrays = 48;
  unsigned loops = kernel.arraysRead == 1   ? ofOneArray
                   : kernel.arraysRead == 2 ? ofTwoArrays
                                            : 0;
  return {isShared || mapping.across ? largestGroup : generalBlock, 1, loops};
}

void GeneralForm::takeParameters(LLVM::LLVMFuncOp function) {
  words.append(function.getArguments().begin(), function.getArguments().end());
  count = take(1)[0];
  extents = take(loopRank);
  group = take(1)[0];
  flags = take(1)[0];
  dims = take(kernel.dims);
  flatExtents = take(kernel.flatCount);
  if (hasDivisors())
    flatDivisors = take(kernel.flatCount);
  if (mapping.sliced) {
    slice.launch = take(1)[0];
    slice.count = take(1)[0];
    blocks = take(1)[0];
  }
  if (mapping.privatised)
    copies = take(1)[0];
  auto takeOperand = [&](const OperandFacts &facts, bool mayBeScalar) {
    GeneralOperand operand;
    operand.facts = facts;
    operand.pointer = take(1)[0];
    if (mayBeScalar)
      operand.words = take(wordCount(facts.element));
    operand.strides = take(loopRank);
    operand.coreStrides = take(facts.rank);
    operands.push_back(operand);
  };
  for (const auto &input : kernel.inputs)
    takeOperand(input, input.rank == 0);
  for (const auto &output : kernel.outputs)
    takeOperand(output, false);
}

/// A launch that combines what slices have left has a warp for each item if its
/// grid has fewer blocks than there are items.
Value GeneralForm::groupOfLaunch() {
  Value grid = b.widen(readRegister(b, Register::GridSizeX));
  return arith::SelectOp::create(b, b.compare(Predicate::slt, grid, blocks),
                                 arith::MinUIOp::create(b, group, b.i64(32)),
                                 group);
}

Block *GeneralForm::loopOverItems(Value team, Work &work) {
  Block *header = b.block(b.getI64Type()), *next = b.block();
  b.branch(header, team);
  Value item = header->getArgument(0);
  b.at(next);
  b.branch(header, b.add(item, blocks));
  b.at(header);
  slice.launch = b.sub(item, team);
  work = {item, b.widen(readRegister(b, Register::ThreadX)),
          b.compare(Predicate::slt, item, count), item};
  return next;
}

void GeneralForm::appendAhead(Value item, ArrayRef<Value> bytes,
                              SmallVector<Value> &arguments) {
  Value next = b.add(item, blocks);
  Value isThere = b.compare(Predicate::slt, next, count);
  next = arith::SelectOp::create(b, isThere, next, item);
  SmallVector<Value> there = offsetsAt(next);
  for (size_t k = 0; k < kernel.inputs.size(); ++k)
    if (operands[k].facts.rank > 0)
      arguments.push_back(b.sub(there[k], bytes[k]));
}

/// The loop element of an item, and its flat indices. A grid may have more than
/// 2^32 items, several in each block.
void GeneralForm::splitItem(Value item) {
  // A single loop element has all the iterations.
  const bool isSingle = loopDims == 0 && kernel.flatCount > 0;
  flatIndices =
      digitsOf(b, item, count, ArrayRef(flatExtents).drop_front(isSingle),
               hasDivisors() ? ArrayRef(flatDivisors).drop_front(isSingle)
                             : ArrayRef<Value>());
  element = isSingle ? b.i64(0) : flatIndices.front();
  if (!isSingle)
    flatIndices.erase(flatIndices.begin());
}

SmallVector<Value> GeneralForm::offsetsAt(Value index) {
  SmallVector<SmallVector<Value>> strides;
  for (const GeneralOperand &operand : operands)
    strides.push_back(operand.strides);
  return offsets(b, index, ArrayRef(extents).take_front(loopDims), strides);
}

void GeneralForm::storeResults(ArrayRef<Value> results, Value lane,
                               Block *end) {
  Block *first = b.block();
  Value isFirst = b.compare(Predicate::eq, lane, b.i64(0));
  if (mapping.sliced) {
    isFirst =
        b.bitAnd(isFirst, b.compare(Predicate::eq, slice.number, b.i64(0)));
    Value last = b.i64(int64_t(kernel.entry.launches) - 1);
    if (!mapping.isCooperative())
      isFirst = b.bitAnd(isFirst, b.compare(Predicate::eq, slice.launch, last));
  }
  b.branch(isFirst, first, end);
  b.at(first);
  for (auto [result, address] : llvm::zip(results, scalarOutputs))
    b.store(result, address);
}

void GeneralForm::emit() {
  std::string name;
  for (const kern::runtime::MappingWord &word : kern::runtime::mappingWords)
    if (mapping.*word.member)
      name += (name.empty() ? "" : "_") + std::string(word.name);
  if (mapping.tile)
    name += "_" + kern::runtime::tileWord(mapping.tile);
  LLVM::LLVMFuncOp function =
      beginKernel(b, kernel, name.empty() ? "general" : name, parameterTypes(),
                  blockLimit());
  Entry entry = kernel.entry;
  entry.form = kern::runtime::Form::General;
  entry.hasDivisors = hasDivisors();
  if (!mapping.tile)
    entry.block = generalBlock;
  setEntry(function, entry);
  takeParameters(function);

  if (mapping.recentred && !mapping.across)
    group = groupOfLaunch();
  Value block = b.widen(readRegister(b, Register::BlockX));
  Block *inside = b.block(), *end = b.block(), *next = end;
  Work work;
  if (mapping.isCooperative()) {
    slice.number = b.rem(block, slice.count);
    Value team = b.div(block, slice.count);
    next = loopOverItems(team, work);
  } else {
    if (mapping.sliced) {
      slice.number = b.div(block, blocks);
      block = b.rem(block, blocks);
    }
    work = findWork(b, mapping, block, count, group);
  }
  if (work.isInside)
    b.branch(work.isInside, inside, end);
  else
    b.branch(inside);
  b.at(inside);
  splitItem(work.item);
  SmallVector<Value> bytes = offsetsAt(element);

  SmallVector<Value> arguments;
  for (auto [k, operand] : llvm::enumerate(operands)) {
    Value address = b.offset(operand.pointer, bytes[k]);
    if (operand.facts.rank > 0) {
      arguments.push_back(address);
      arguments.append(operand.coreStrides);
    } else if (!operand.words.empty()) {
      EntryOperand input;
      input.element = operand.facts.element;
      input.words = operand.words;
      input.isScalar = bit(b, flags, k);
      arguments.push_back(scalarOrElement(b, input, address));
    } else {
      scalarOutputs.push_back(address);
    }
  }
  arguments.append(dims);
  arguments.append(flatIndices);
  if (mapping.sliced)
    arguments.append({slice.launch, slice.number, slice.count});
  if (mapping.ahead)
    appendAhead(work.item, bytes, arguments);
  if (mapping.privatised)
    arguments.push_back(copies);
  if (mapping.across) {
    Value height = b.widen(readRegister(b, Register::BlockSizeY));
    arguments.append({work.lane, height, group});
  } else if (mapping.staged) {
    arguments.push_back(work.lane);
  } else {
    Value lanes = mapping.isCooperative()
                      ? b.i64(kern::runtime::cooperatingLanes)
                      : group;
    // So that all lanes of a warp are known to exchange values.
    if (kernel.hasWarps)
      lanes = arith::MaxUIOp::create(b, lanes, b.i64(32));
    arguments.append({work.lane, lanes});
  }
  for (bool isPerLane : kernel.slots) {
    Value pointer = take(1)[0], bytes = take(1)[0];
    Value number = work.slot;
    if (isPerLane && mapping.sliced)
      number = b.add(b.mul(number, slice.count), slice.number);
    if (isPerLane)
      number = b.add(b.mul(number, group), work.lane);
    arguments.push_back(b.offset(pointer, b.mul(number, bytes)));
  }
  SmallVector<Value> results = b.call(body, arguments);
  if (!results.empty())
    storeResults(results, work.lane, next);
  b.branch(next);
  b.at(end);
  b.ret();
}

void kern::ir::loop::emitGeneral(KernelBuilder &b, const KernelFacts &kernel,
                                 LLVM::LLVMFuncOp body, unsigned loopDims) {
  GeneralForm(b, kernel, body, loopDims).emit();
}
