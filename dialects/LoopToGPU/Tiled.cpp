//===- Tiled.cpp - the tiled form -----------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For operands that are contiguous in different dimensions: some in dimension
// 0, others in dimension 1. A block works on a tile of both. Inputs that are
// contiguous in dimension 1 lie across: they are read along dimension 1 into
// shared memory, and from there along dimension 0.
//
// Parameters: n0 … n5, rank, tiles along n0 and n1, their divisors, divisors of
// n2, n3, n4, inputs that lie across, flags, (pointer, value, s0 … s5) of each
// input, (pointer, s0 … s5) of each output and of the mask, which does not go
// through shared memory.
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Offsets.h"
#include "dialects/LoopToGPU/Policy.h"
#include "dialects/LoopToGPU/Threads.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::Form;
using Predicate = KernelBuilder::Predicate;

static constexpr ParameterCounts counts = {loopRank + 10, loopRank};
static constexpr unsigned warp = 32;

namespace {

/// One of the two dimensions of a tile.
struct Side {
  Value begin; ///< the tile's first index
  Value last;  ///< the dimension's last index
};

/// Emits the entry point of one kernel. One class, since every part of the
/// entry point uses the same values, which are the members.
class TiledForm {
public:
  TiledForm(KernelBuilder &b, const KernelFacts &kernel, LLVM::LLVMFuncOp body,
            bool disjoint)
      : b(b), kernel(kernel), body(body),
        shape(tileShape(operandFacts(kernel))), disjoint(disjoint) {}
  void emit();

private:
  /// The addresses of a thread's spots. A spot is a row and a column of the
  /// tile.
  SmallVector<Value> addresses(const EntryOperand &operand, Value offset,
                               Side rows, Side columns, Value rowStride,
                               Value columnStride);
  SmallVector<Value> load(const EntryOperand &input, Value offset,
                          Value isAcross);
  unsigned spots() const { return shape.edge * shape.edge / block(); }
  unsigned block() const { return warp * shape.rows; }
  /// A row of a tile is padded by one element, so that neither rows nor columns
  /// have bank conflicts.
  unsigned pitch() const { return shape.edge + 1; }
  Value shared(Type element, Value slot, Value row, Value column);

  KernelBuilder &b;
  const KernelFacts &kernel;
  LLVM::LLVMFuncOp body;
  TileShape shape;
  bool disjoint;
  SmallVector<EntryOperand> operands;
  Value tiles; ///< shared memory
  Side along, across;
  SmallVector<Value> rows, columns; ///< the thread's, in the tile
};

} // namespace

SmallVector<Value> TiledForm::addresses(const EntryOperand &operand,
                                        Value offset, Side rowSide,
                                        Side columnSide, Value rowStride,
                                        Value columnStride) {
  // Indices beyond the end stand for the last element.
  auto parts = [&](ArrayRef<Value> indices, Side side, Value stride) {
    SmallVector<Value> bytes;
    for (Value index : indices)
      bytes.push_back(
          b.mul(b.least(b.add(side.begin, index), side.last), stride));
    return bytes;
  };
  SmallVector<Value> places;
  SmallVector<Value> columnParts = parts(columns, columnSide, columnStride);
  for (Value row : parts(rows, rowSide, rowStride))
    for (Value column : columnParts)
      places.push_back(b.offset(
          operand.pointer, b.widenSigned(b.add(b.add(offset, row), column))));
  return places;
}

/// `isAcross` is uniform. It only exchanges the dimensions of rows and columns,
/// without a branch, so that the loads of all inputs follow one another.
SmallVector<Value> TiledForm::load(const EntryOperand &input, Value offset,
                                   Value isAcross) {
  auto pick = [&](Value ifAcross, Value ifNot) -> Value {
    return arith::SelectOp::create(b, isAcross, ifAcross, ifNot);
  };
  auto pickSide = [&](Side ifAcross, Side ifNot) -> Side {
    return {pick(ifAcross.begin, ifNot.begin), pick(ifAcross.last, ifNot.last)};
  };
  Type element = input.element;
  Block *scalar = b.block(), *array = b.block(),
        *done = b.block(SmallVector<Type>(spots(), valueType(element)));
  b.branch(input.isScalar, scalar, array);
  b.at(scalar);
  b.branch(done,
           SmallVector<Value>(spots(), b.fromWords(element, input.words)));
  b.at(array);
  SmallVector<Value> values;
  for (Value address : addresses(input, offset, pickSide(along, across),
                                 pickSide(across, along),
                                 pick(input.strides[0], input.strides[1]),
                                 pick(input.strides[1], input.strides[0])))
    values.push_back(b.load(element, address));
  b.branch(done, values);
  b.at(done);
  return SmallVector<Value>(ValueRange(done->getArguments()));
}

Value TiledForm::shared(Type element, Value slot, Value row, Value column) {
  Value index = b.add(b.mul(row, b.i32(pitch())), column);
  Value bytes = b.add(slot, b.mul(index, b.i32(storedSize(element))));
  return b.offset(tiles, b.widen(bytes));
}

void TiledForm::emit() {
  LLVM::LLVMFuncOp function =
      beginUfunc(b, kernel, Form::Tiled, counts, block(), disjoint);
  Entry entry = kernel.entry;
  entry.form = Form::Tiled;
  entry.disjoint = disjoint;
  entry.block = block();
  entry.elements = shape.edge;
  setEntry(function, entry);

  Parameters parameters(b, kernel, counts, function.getArguments());
  operands = parameters.operands;
  ArrayRef<Value> words = parameters.loop;
  Value extent0 = b.narrow(words[0]), extent1 = b.narrow(words[1]);
  ArrayRef<Value> rest = words.drop_front(loopRank + 1);
  Divisor tiles0 = readDivisor(b, rest[0], rest[2]);
  Divisor tiles1 = readDivisor(b, rest[1], rest[3]);
  IndexSpace space =
      readIndexSpace(b, 2, words[loopRank], words, rest.slice(4, 3));
  tiles = dynamicSharedMemory(b);

  Value tile = readRegister(b, Register::BlockX);
  Value x = readRegister(b, Register::ThreadX),
        y = readRegister(b, Register::ThreadY);
  Value further = quotient(b, tile, tiles0);
  Value outer = quotient(b, further, tiles1);
  auto side = [&](Value index, Value all, const Divisor &count, Value extent) {
    Value begin =
        b.mul(b.sub(index, b.mul(all, count.number)), b.i32(shape.edge));
    return Side{begin, b.sub(extent, b.i32(1))};
  };
  along = side(tile, further, tiles0, extent0);
  across = side(further, outer, tiles1, extent1);
  for (unsigned r = 0; r < shape.edge; r += shape.rows)
    rows.push_back(b.add(y, b.i32(r)));
  for (unsigned c = 0; c < shape.edge; c += warp)
    columns.push_back(b.add(x, b.i32(c)));
  SmallVector<Value> offsets;
  for (ArrayRef<Value> ofOperand : offsetsOf(b, space, outer, operands))
    offsets.push_back(ofOperand.front());

  // Issue all loads before the first one is waited for.
  SmallVector<SmallVector<Value>> values;
  SmallVector<Value> slots, isAcross;
  Value slot = b.i32(0);
  for (auto [k, input] : llvm::enumerate(parameters.inputs())) {
    isAcross.push_back(bit(b, rest[7], k));
    slots.push_back(slot);
    values.push_back(load(input, offsets[k], isAcross[k]));
    Value bytes = b.i32(shape.edge * pitch() * storedSize(input.element));
    slot =
        b.add(slot, arith::SelectOp::create(b, isAcross[k], bytes, b.i32(0)));
  }
  auto forTile = [&](auto act) {
    for (unsigned i = 0; Value row : rows)
      for (Value column : columns)
        act(i++, row, column);
  };
  for (auto [k, input] : llvm::enumerate(parameters.inputs())) {
    Block *tiled = b.block(), *next = b.block();
    b.branch(isAcross[k], tiled, next);
    b.at(tiled);
    forTile([&, k = k](unsigned i, Value row, Value column) {
      b.store(values[k][i], shared(input.element, slots[k], row, column));
    });
    b.branch(next);
    b.at(next);
  }
  waitForBlock(b);
  for (auto [k, input] : llvm::enumerate(parameters.inputs())) {
    Block *tiled = b.block(), *done = b.block(ValueRange(values[k]).getTypes());
    b.branch(isAcross[k], tiled, done, {}, values[k]);
    b.at(tiled);
    SmallVector<Value> transposed;
    forTile([&, k = k](unsigned, Value row, Value column) {
      transposed.push_back(
          b.load(input.element, shared(input.element, slots[k], column, row)));
    });
    b.branch(done, transposed);
    b.at(done);
    values[k] = SmallVector<Value>(ValueRange(done->getArguments()));
  }

  SmallVector<SmallVector<Value>> results;
  for (unsigned e = 0; e < spots(); ++e) {
    SmallVector<Value> arguments;
    for (ArrayRef<Value> ofInput : values)
      arguments.push_back(ofInput[e]);
    results.push_back(b.call(body, arguments));
  }
  SmallVector<SmallVector<Value>> places;
  for (auto [k, output] : llvm::enumerate(parameters.outputs()))
    places.push_back(addresses(output, offsets[parameters.inputCount + k],
                               across, along, output.strides[1],
                               output.strides[0]));
  SmallVector<Value> truths;
  if (kernel.isMasked) {
    const EntryOperand &mask = operands.back();
    for (Value place : addresses(mask, offsets.back(), across, along,
                                 mask.strides[1], mask.strides[0]))
      truths.push_back(b.load(mask.element, place));
  }
  forTile([&](unsigned e, Value row, Value column) {
    auto isInside = [&](Side side, Value index) {
      return b.compare(Predicate::ule, b.add(side.begin, index), side.last);
    };
    Block *write = b.block(), *next = b.block();
    Value isIn = b.bitAnd(isInside(across, row), isInside(along, column));
    b.branch(truths.empty() ? isIn : b.bitAnd(isIn, truths[e]), write, next);
    b.at(write);
    for (auto [value, ofOutput] : llvm::zip(results[e], places))
      b.store(value, ofOutput[e]);
    b.branch(next);
    b.at(next);
  });
  b.ret();
}

void kern::ir::loop::emitTiled(KernelBuilder &b, const KernelFacts &kernel,
                               LLVM::LLVMFuncOp body, bool disjoint) {
  TiledForm(b, kernel, body, disjoint).emit();
}
