//===- Contiguous.cpp - the contiguous form -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters: n, flags, (pointer, value) of each input, pointer of each output.
//
//===----------------------------------------------------------------------===//
#include "dialects/Loop/Chunk.h"
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Policy.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace kern::loop;
using Predicate = Emitter::Predicate;

static constexpr ParameterCounts counts = {2, 0};

namespace {

class ContiguousForm {
public:
  ContiguousForm(Emitter &b, const KernelFacts &kernel, LLVM::LLVMFuncOp body,
                 bool disjoint)
      : b(b), kernel(kernel), body(body), facts(operandFacts(kernel)),
        shape(contiguousShape(facts)), access{b, shape.vector},
        disjoint(disjoint) {}
  void emit();

private:
  /// A chunk of an input: from memory, or its value in every place.
  Chunk loadChunk(const EntryOperand &input, Value chunk);
  /// The address of chunk number `chunk`.
  Value address(const EntryOperand &operand, Value chunk);
  void emitChunks(ArrayRef<Value> chunks);
  /// With `areScalars` all inputs but the first are scalars.
  void emitChunks(ArrayRef<Value> chunks, bool areScalars);
  void emitElement(Value index);

  Emitter &b;
  const KernelFacts &kernel;
  LLVM::LLVMFuncOp body;
  OperandShapes facts;
  ContiguousShape shape;
  ChunkAccess access;
  bool disjoint;
  SmallVector<EntryOperand> inputs, outputs;
  Value flags;
};

} // namespace

Value ContiguousForm::address(const EntryOperand &operand, Value chunk) {
  return b.offset(operand.pointer,
                  b.mul(chunk, b.i64(access.bytes(operand.element))));
}

Chunk ContiguousForm::loadChunk(const EntryOperand &input, Value chunk) {
  Type element = input.element;
  Block *array = b.block(), *scalar = b.block(),
        *done = b.block(TypeRange{access.type(element)});
  b.branch(input.isScalar, scalar, array);
  b.at(scalar);
  Value value = b.fromWords(element, input.words);
  b.branch(done, access.pack(element, access.splat(value)));
  b.at(array);
  b.branch(done, access.load(element, address(input, chunk)));
  b.at(done);
  return access.unpack(element, done->getArgument(0));
}

/// An array and scalars have a path of their own if that saves work: there, the
/// compiler sees that all elements share what it computes from the scalars.
void ContiguousForm::emitChunks(ArrayRef<Value> chunks) {
  if (!kernel.hasScalarWork)
    return emitChunks(chunks, false);
  Block *scalars = b.block(), *any = b.block(), *done = b.block();
  uint64_t allButFirst = (uint64_t(1) << inputs.size()) - 2;
  b.branch(b.compare(Predicate::eq, flags, b.i64(int64_t(allButFirst))),
           scalars, any);
  for (bool areScalars : {true, false}) {
    b.at(areScalars ? scalars : any);
    emitChunks(chunks, areScalars);
    b.branch(done);
  }
  b.at(done);
}

/// Whole chunks: every load before the first store.
void ContiguousForm::emitChunks(ArrayRef<Value> chunks, bool areScalars) {
  SmallVector<SmallVector<Chunk>> loaded, results;
  for (Value chunk : chunks) {
    loaded.emplace_back();
    for (auto [k, input] : llvm::enumerate(inputs)) {
      if (!areScalars)
        loaded.back().push_back(loadChunk(input, chunk));
      else if (k == 0)
        loaded.back().push_back(access.unpack(
            input.element, access.load(input.element, address(input, chunk))));
      else
        loaded.back().push_back(
            access.splat(b.fromWords(input.element, input.words)));
    }
  }
  for (ArrayRef<Chunk> values : loaded) {
    auto &made = results.emplace_back(outputs.size());
    for (unsigned i = 0; i < shape.vector; ++i) {
      SmallVector<Value> arguments;
      for (const Chunk &value : values)
        arguments.push_back(value[i]);
      for (auto [k, value] : llvm::enumerate(b.call(body, arguments)))
        made[k].push_back(value);
    }
  }
  for (auto [values, chunk] : llvm::zip(results, chunks))
    for (auto [output, value] : llvm::zip(outputs, values))
      access.store(value, address(output, chunk));
}

void ContiguousForm::emitElement(Value index) {
  SmallVector<Value> arguments;
  for (const EntryOperand &input : inputs)
    arguments.push_back(scalarOrElement(
        b, input.element, input.isScalar, input.words,
        b.element(input.pointer, storedType(input.element), index)));
  SmallVector<Value> values = b.call(body, arguments);
  for (auto [output, value] : llvm::zip(outputs, values))
    b.store(value,
            b.element(output.pointer, storedType(output.element), index));
}

void ContiguousForm::emit() {
  LLVM::LLVMFuncOp function =
      beginUfunc(b, kernel, "contiguous", counts, shape.block, disjoint);
  Entry entry = kernel.entry;
  entry.form = "contiguous";
  entry.disjoint = disjoint;
  entry.block = shape.block;
  entry.elements = shape.vector * shape.chunks;
  entry.alignment = shape.vector * facts.widest;
  setEntry(function, entry);

  Parameters parameters(b, kernel, counts, function.getArguments());
  Value n = parameters.loop[0];
  flags = parameters.loop[1];
  inputs.assign(parameters.inputs().begin(), parameters.inputs().end());
  outputs.assign(parameters.outputs().begin(), parameters.outputs().end());

  ThreadPlace place(b);
  int64_t perBlock = int64_t(shape.block) * shape.chunks;
  Value whole = b.div(n, b.i64(shape.vector)); // whole chunks
  Value first = b.add(b.mul(place.block, b.i64(perBlock)), place.thread);

  // A block that is full by a uniform test checks nothing more.
  Block *full = b.block(), *last = b.block(), *rest = b.block(),
        *end = b.block();
  Value isFull =
      b.compare(Predicate::ule,
                b.mul(b.add(place.block, b.i64(1)), b.i64(perBlock)), whole);
  auto isInside = [&](Value chunk) {
    return b.compare(Predicate::ult, chunk, whole);
  };
  b.branch(isFull, full, last);
  b.at(full);
  if (shape.chunks == 1) {
    // The last block shares the code.
    emitChunks(first);
    b.branch(isFull, end, rest);
    b.at(last);
    b.branch(isInside(first), full, rest);
  } else {
    SmallVector<Value> chunks;
    for (unsigned u = 0; u < shape.chunks; ++u)
      chunks.push_back(b.add(first, b.i64(int64_t(u) * shape.block)));
    emitChunks(chunks);
    b.branch(end);
    b.at(last);
    countedLoop(b, b.i32(shape.chunks), [&](Value u) {
      Value chunk = b.add(first, b.mul(b.widen(u), b.i64(shape.block)));
      Block *inside = b.block(), *next = b.block();
      b.branch(isInside(chunk), inside, next);
      b.at(inside);
      emitChunks(chunk);
      b.branch(next);
      b.at(next);
    });
    b.branch(rest);
  }

  // What is left of a chunk goes to the first threads of the last block, one
  // element each.
  b.at(rest);
  if (shape.vector > 1) {
    Value left = b.rem(n, b.i64(shape.vector));
    Value blocks = b.widen(NVVM::GridDimXOp::create(b, b.getI32Type()));
    Value isLast =
        b.compare(Predicate::eq, b.add(place.block, b.i64(1)), blocks);
    Value takesPart = b.compare(Predicate::slt, place.thread, left);
    Block *element = b.block();
    b.branch(b.bitAnd(isLast, takesPart), element, end);
    b.at(element);
    emitElement(b.add(b.mul(whole, b.i64(shape.vector)), place.thread));
  }
  b.branch(end);
  b.at(end);
  b.ret();
}

void kern::loop::emitContiguous(Emitter &b, const KernelFacts &kernel,
                                LLVM::LLVMFuncOp body, bool disjoint) {
  ContiguousForm(b, kernel, body, disjoint).emit();
}
