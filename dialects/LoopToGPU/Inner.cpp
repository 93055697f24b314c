//===- Inner.cpp - the inner form -----------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread works on a chunk of the innermost dimension in each of a few rows.
// All other dimensions form one index over rows, which is split by
// multiplications. Operands with unit stride are read and written as vectors.
// Inputs with stride 0 are read once for each row. All others are accessed
// element by element.
//
// Parameters: n0 … n5, rank, rows, the last row's extent, tiles, divisor of
// tiles, divisors of n1, n2, n3, n4, flags, (pointer, value, s0 … s5) of each
// input, (pointer, s0 … s5) of each output and of the mask.
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Masks.h"
#include "dialects/LoopToGPU/Offsets.h"
#include "dialects/LoopToGPU/Policy.h"
#include "dialects/LoopToGPU/Threads.h"
#include "dialects/LoopToLLVM/Chunk.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::Form;
using Predicate = KernelBuilder::Predicate;

static constexpr ParameterCounts counts = {2 * loopRank + 4, loopRank};

namespace {

/// Emits the entry point of one kernel. One class, since every part of the
/// entry point uses the same values, which are the members.
class InnerForm {
public:
  InnerForm(KernelBuilder &b, const KernelFacts &kernel, LLVM::LLVMFuncOp body,
            bool disjoint)
      : b(b), kernel(kernel), body(body),
        shape(innerShape(operandFacts(kernel))), access{b, shape.vector},
        disjoint(disjoint) {}
  void emit();

private:
  Value addressOf(const EntryOperand &operand, Value offset, Value column);
  Value isMultiple(Value bits, unsigned bytes);
  /// The number of elements between the aligned address below the beginning of
  /// the first output's row and that beginning.
  Value misalignment(Value rowOffset);
  /// The number of this thread's row `k`.
  Value rowAt(Value k) { return b.add(row, b.mul(k, rowStep)); }
  Value extentOf(Value index) {
    Value isLast = b.compare(Predicate::eq, index, b.sub(rows, b.i32(1)));
    return arith::SelectOp::create(b, isLast, lastExtent, extent);
  }

  SmallVector<Chunk> load(const EntryOperand &input, ArrayRef<Value> offsets,
                          ArrayRef<Value> columns);
  /// Stores a chunk; only where `truths` are true, if there are any.
  void store(const EntryOperand &output, const Chunk &chunk,
             const Chunk &truths, Value offset, Value column);
  void emitWhole(ArrayRef<SmallVector<Value>> offsets, ArrayRef<Value> columns,
                 ArrayRef<Value> isInside);
  void emitEdges();
  void emitRows();

  KernelBuilder &b;
  const KernelFacts &kernel;
  LLVM::LLVMFuncOp body;
  InnerShape shape;
  ChunkAccess access;
  bool disjoint;

  SmallVector<EntryOperand> operands;
  unsigned inputCount = 0;
  IndexSpace space;
  Value extent, lastExtent, rows, column, row, rowStep; ///< i32
};

} // namespace

Value InnerForm::addressOf(const EntryOperand &operand, Value offset,
                           Value column) {
  Value bytes = b.add(offset, b.mul(column, operand.strides[0]));
  return b.offset(operand.pointer, b.widenSigned(bytes));
}

Value InnerForm::isMultiple(Value bits, unsigned bytes) {
  return b.compare(Predicate::eq, b.bitAnd(bits, b.i32(bytes - 1)), b.i32(0));
}

Value InnerForm::misalignment(Value rowOffset) {
  const EntryOperand &output = operands[inputCount];
  Value address = b.add(b.narrow(b.addressOf(output.pointer)), rowOffset);
  Value elements = arith::ShRUIOp::create(
      b, address, b.i32(llvm::Log2_32(storedSize(output.element))));
  return b.bitAnd(elements, b.i32(shape.vector - 1));
}

SmallVector<Chunk> InnerForm::load(const EntryOperand &input,
                                   ArrayRef<Value> offsets,
                                   ArrayRef<Value> columns) {
  Type element = input.element;
  if (input.isRange) {
    SmallVector<Chunk> numbers;
    for (auto [column, offset] : llvm::zip(columns, offsets)) {
      Chunk &chunk = numbers.emplace_back();
      for (unsigned i = 0; i < shape.vector; ++i)
        chunk.push_back(numberAt(
            b, input,
            addressOf(input, offset, b.add(column, b.i32(int32_t(i))))));
    }
    return numbers;
  }
  Block *done =
      b.block(SmallVector<Type>(columns.size(), access.type(element)));
  auto splat = [&](Value value) {
    return access.pack(element, access.splat(value));
  };
  if (input.isScalar) {
    Block *scalar = b.block(), *array = b.block();
    b.branch(input.isScalar, scalar, array);
    b.at(scalar);
    b.branch(done,
             SmallVector<Value>(columns.size(),
                                splat(b.fromWords(element, input.words))));
    b.at(array);
  }
  SmallVector<Value> addresses;
  for (auto [column, offset] : llvm::zip(columns, offsets))
    addresses.push_back(addressOf(input, offset, column));
  // One way to load, taken if `condition` holds. Addresses move by `bytes`.
  auto way = [&](int64_t bytes, auto condition, auto load) {
    SmallVector<Value> begins;
    Value bits = b.i32(0);
    for (Value address : addresses) {
      begins.push_back(bytes ? b.offset(address, b.i64(bytes)) : address);
      bits = b.bitOr(bits, b.narrow(b.addressOf(begins.back())));
    }
    Block *taken = b.block(), *other = b.block();
    b.branch(condition(bits), taken, other);
    b.at(taken);
    SmallVector<Value> vectors;
    for (Value begin : begins)
      vectors.push_back(load(begin));
    b.branch(done, vectors);
    b.at(other);
  };
  auto isStride = [&](int32_t bytes) {
    return b.compare(Predicate::eq, input.strides[0], b.i32(bytes));
  };
  int32_t size = storedSize(element);
  way(
      0, [&](Value) { return isStride(0); },
      [&](Value address) { return splat(b.load(element, address)); });
  auto isVector = [&](int32_t stride) {
    return [&, stride](Value bits) {
      return b.bitAnd(isStride(stride),
                      isMultiple(bits, access.bytes(element)));
    };
  };
  way(0, isVector(size),
      [&](Value address) { return access.load(element, address); });
  // With a negative stride, the first element of a chunk is the last in memory.
  way(-int64_t(shape.vector - 1) * size, isVector(-size), [&](Value address) {
    Chunk chunk = access.unpack(element, access.load(element, address));
    std::reverse(chunk.begin(), chunk.end());
    return access.pack(element, chunk);
  });
  SmallVector<Value> vectors;
  Value stride = b.widenSigned(input.strides[0]);
  for (Value address : addresses)
    vectors.push_back(
        access.pack(element, access.loadEach(element, address, stride)));
  b.branch(done, vectors);

  b.at(done);
  SmallVector<Chunk> chunks;
  for (Value vector : done->getArguments())
    chunks.push_back(access.unpack(element, vector));
  return chunks;
}

void InnerForm::store(const EntryOperand &output, const Chunk &chunk,
                      const Chunk &truths, Value offset, Value column) {
  Value stride = output.strides[0];
  Value address = addressOf(output, offset, column);
  Value bits = b.narrow(b.addressOf(address));
  Value isWhole = b.bitAnd(
      b.compare(Predicate::eq, stride, b.i32(storedSize(output.element))),
      isMultiple(bits, access.bytes(output.element)));
  Block *whole = b.block(), *each = b.block(), *done = b.block();
  b.branch(isWhole, whole, each);
  b.at(whole);
  if (truths.empty())
    access.store(chunk, address);
  else
    storeWhere(access, output.element, chunk, truths, address);
  b.branch(done);
  b.at(each);
  Value apart = b.widenSigned(stride);
  if (truths.empty())
    access.storeEach(chunk, address, apart);
  else
    storeEachWhere(access, chunk, truths, address, apart);
  b.branch(done);
  b.at(done);
}

/// Emits whole chunks, with all loads in front of the first store.
void InnerForm::emitWhole(ArrayRef<SmallVector<Value>> offsets,
                          ArrayRef<Value> columns, ArrayRef<Value> isInside) {
  SmallVector<Chunk> truths(shape.rows);
  SmallVector<Value> areOn;
  Block *end = b.block();
  if (kernel.isMasked) {
    truths = load(operands.back(), offsets.back(), columns);
    for (const Chunk &ofRow : truths)
      areOn.push_back(anyTrue(b, ofRow));
    leaveUnlessAny(b, areOn, end);
  }
  auto toRead = [&](ArrayRef<Value> places) {
    return areOn.empty() ? SmallVector<Value>(places)
                         : placesToRead(b, areOn, places);
  };
  SmallVector<Value> readColumns = toRead(columns);
  SmallVector<SmallVector<Chunk>> inputs;
  for (unsigned k = 0; k < inputCount; ++k)
    inputs.push_back(load(operands[k], toRead(offsets[k]), readColumns));
  SmallVector<SmallVector<Chunk>> outputs;
  for (unsigned r = 0; r < shape.rows; ++r) {
    auto &made = outputs.emplace_back(kernel.outputs.size());
    for (unsigned i = 0; i < shape.vector; ++i) {
      SmallVector<Value> arguments;
      for (ArrayRef<Chunk> chunks : inputs)
        arguments.push_back(chunks[r][i]);
      for (auto [k, value] : llvm::enumerate(
               b.call(body, arguments,
                      kernel.isLong ? CallPlace::OfMost : CallPlace::Usual)))
        made[k].push_back(value);
    }
  }
  for (unsigned r = 0; r < shape.rows; ++r) {
    Block *write = b.block(), *next = b.block();
    b.branch(isInside[r], write, next);
    b.at(write);
    for (auto [k, chunk] : llvm::enumerate(outputs[r]))
      store(operands[inputCount + k], chunk, truths[r],
            offsets[inputCount + k][r], columns[r]);
    b.branch(next);
    b.at(next);
  }
  b.branch(end);
  b.at(end);
}

/// Chunks begin where the first output is aligned, so the first and the last
/// chunk of a row may be partial. Those are computed element by element. Rows
/// beyond the last one read it again and write nothing.
void InnerForm::emitRows() {
  SmallVector<Value> threadRows, isInside;
  for (unsigned r = 0; r < shape.rows; ++r) {
    Value index = rowAt(b.i32(r));
    isInside.push_back(b.compare(Predicate::ult, index, rows));
    threadRows.push_back(b.least(index, b.sub(rows, b.i32(1))));
  }
  SmallVector<SmallVector<Value>> offsets =
      offsetsOf(b, space, threadRows, operands);
  SmallVector<Value> columns;
  Value isWhole;
  for (unsigned r = 0; r < shape.rows; ++r) {
    Value begin = b.sub(column, misalignment(offsets[inputCount][r]));
    columns.push_back(begin);
    Value fits =
        b.bitAnd(b.compare(Predicate::sge, begin, b.i32(0)),
                 b.compare(Predicate::sle, b.add(begin, b.i32(shape.vector)),
                           extentOf(threadRows[r])));
    isWhole = isWhole ? b.bitAnd(isWhole, fits) : fits;
  }
  Block *whole = b.block(), *edges = b.block();
  b.branch(isWhole, whole, edges);
  b.at(whole);
  emitWhole(offsets, columns, isInside);
  b.ret();
  b.at(edges);
  emitEdges();
  b.ret();
}

void InnerForm::emitEdges() {
  countedLoop(b, b.i32(shape.rows), [&](Value r) {
    Value index = rowAt(r);
    Block *inside = b.block(), *next = b.block();
    b.branch(b.compare(Predicate::ult, index, rows), inside, next);
    b.at(inside);
    SmallVector<Value> offsets;
    for (ArrayRef<Value> ofOperand : offsetsOf(b, space, index, operands))
      offsets.push_back(ofOperand.front());
    Value first = b.sub(column, misalignment(offsets[inputCount]));
    Value end = extentOf(index);
    countedLoop(b, b.i32(shape.vector), [&](Value i) {
      Value place = b.add(first, i);
      Block *element = b.block(), *skip = b.block();
      // An unsigned comparison: a place before the row is also beyond its end.
      b.branch(b.compare(Predicate::ult, place, end), element, skip);
      b.at(element);
      SmallVector<Value> arguments, addresses;
      for (auto [k, operand] : llvm::enumerate(operands))
        addresses.push_back(addressOf(operand, offsets[k], place));
      auto write = [&] {
        for (unsigned k = 0; k < inputCount; ++k)
          arguments.push_back(scalarOrElement(b, operands[k], addresses[k]));
        SmallVector<Value> values =
            b.call(body, arguments,
                   kernel.isLong ? CallPlace::OfFew : CallPlace::Usual);
        for (auto [k, value] : llvm::enumerate(values))
          b.store(value, addresses[inputCount + k]);
      };
      if (kernel.isMasked)
        whereTrue(b, b.load(b.getI1Type(), addresses.back()), write);
      else
        write();
      b.branch(skip);
      b.at(skip);
    });
    b.branch(next);
    b.at(next);
  });
}

void InnerForm::emit() {
  LLVM::LLVMFuncOp function =
      beginUfunc(b, kernel, Form::Inner, counts, shape.block, disjoint);
  Entry entry = kernel.entry;
  entry.form = Form::Inner;
  entry.disjoint = disjoint;
  entry.block = shape.block;
  entry.elements = shape.vector;
  entry.rows = shape.rows;
  setEntry(function, entry);

  Parameters parameters(b, kernel, counts, function.getArguments());
  operands = parameters.operands;
  inputCount = parameters.inputCount;
  ArrayRef<Value> words = parameters.loop;
  extent = b.narrow(words[0]);
  ArrayRef<Value> rest = words.drop_front(loopRank);
  rows = b.narrow(rest[1]);
  lastExtent = b.narrow(rest[2]);
  Divisor tiles = readDivisor(b, rest[3], rest[4]);
  space = readIndexSpace(b, 1, rest[0], words, rest.slice(5, loopRank - 2));

  Value block = readRegister(b, Register::BlockX);
  Value band = quotient(b, block, tiles);
  Value tile = b.sub(block, b.mul(band, tiles.number));
  rowStep = readRegister(b, Register::BlockSizeY);
  column = b.mul(b.add(b.mul(tile, readRegister(b, Register::BlockSizeX)),
                       readRegister(b, Register::ThreadX)),
                 b.i32(shape.vector));
  row = b.add(b.mul(b.mul(band, rowStep), b.i32(shape.rows)),
              readRegister(b, Register::ThreadY));

  Block *inside = b.block(), *end = b.block();
  Value limit = b.add(extent, b.i32(shape.vector - 1));
  b.branch(b.bitAnd(b.compare(Predicate::ult, column, limit),
                    b.compare(Predicate::ult, row, rows)),
           inside, end);
  b.at(end);
  b.ret();
  b.at(inside);
  emitRows();
}

void kern::ir::loop::emitInner(KernelBuilder &b, const KernelFacts &kernel,
                               LLVM::LLVMFuncOp body, bool disjoint) {
  InnerForm(b, kernel, body, disjoint).emit();
}
