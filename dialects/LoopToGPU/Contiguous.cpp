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
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Policy.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace kern::loop;
using Predicate = Emitter::Predicate;

namespace {

struct Input {
  Type element;
  Value pointer;
  SmallVector<Value> words;
  Value isScalar;
};

class ContiguousForm {
public:
  ContiguousForm(Emitter &b, const KernelFacts &kernel, LLVM::LLVMFuncOp body)
      : b(b), kernel(kernel), body(body) {}
  void emit();

private:
  /// A vector of what the elements are in memory; complex numbers by parts.
  Type chunkType(Type element) {
    Type part = getElementTypeOrSelf(storedType(element));
    return VectorType::get({int64_t(shape.vector * partCount(element))}, part);
  }
  static unsigned partCount(Type element) {
    return isa<VectorType>(storedType(element)) ? 2 : 1;
  }
  /// Reads or writes element `i` of a chunk.
  Value extract(Value chunk, Type element, unsigned i);
  Value insert(Value chunk, Value value, unsigned i);
  unsigned chunkBytes(Type element) {
    return shape.vector * storedSize(element);
  }
  /// The chunk of an input: from memory, or its value in every lane.
  Value loadChunk(const Input &input, Value chunk);
  /// The body on each element of a chunk; gives the outputs' chunks.
  SmallVector<Value> compute(ArrayRef<Value> chunks);
  void storeChunks(ArrayRef<Value> chunks, Value chunk);
  void emitChunks(ArrayRef<Value> chunks);
  void emitElement(Value index);

  Emitter &b;
  const KernelFacts &kernel;
  LLVM::LLVMFuncOp body;
  ContiguousShape shape;
  SmallVector<Input> inputs;
  SmallVector<Value> outputs;
};

} // namespace

Value ContiguousForm::extract(Value chunk, Type element, unsigned i) {
  if (partCount(element) == 1)
    return b.fromStored(element,
                        LLVM::ExtractElementOp::create(b, chunk, b.i64(i)));
  Value pair = LLVM::UndefOp::create(b, storedType(element));
  for (unsigned part : {0, 1})
    pair = LLVM::InsertElementOp::create(
        b, pair, LLVM::ExtractElementOp::create(b, chunk, b.i64(2 * i + part)),
        b.i64(part));
  return pair;
}

Value ContiguousForm::insert(Value chunk, Value value, unsigned i) {
  if (!isa<VectorType>(value.getType()))
    return LLVM::InsertElementOp::create(b, chunk, b.toStored(value), b.i64(i));
  for (unsigned part : {0, 1})
    chunk = LLVM::InsertElementOp::create(
        b, chunk, LLVM::ExtractElementOp::create(b, value, b.i64(part)),
        b.i64(2 * i + part));
  return chunk;
}

Value ContiguousForm::loadChunk(const Input &input, Value chunk) {
  Type type = chunkType(input.element);
  Block *array = b.block(), *scalar = b.block(),
        *done = b.block(TypeRange{type});
  b.branch(input.isScalar, scalar, array);
  b.at(scalar);
  Value value = b.fromWords(input.element, input.words);
  Value splat = LLVM::UndefOp::create(b, type);
  for (unsigned i = 0; i < shape.vector; ++i)
    splat = insert(splat, value, i);
  b.branch(done, splat);
  b.at(array);
  Value loaded =
      LLVM::LoadOp::create(b, type, b.element(input.pointer, type, chunk),
                           chunkBytes(input.element));
  b.branch(done, loaded);
  b.at(done);
  return done->getArgument(0);
}

SmallVector<Value> ContiguousForm::compute(ArrayRef<Value> chunks) {
  SmallVector<Value> results;
  for (const KernelFacts::Operand &output : kernel.outputs)
    results.push_back(LLVM::UndefOp::create(b, chunkType(output.element)));
  for (unsigned i = 0; i < shape.vector; ++i) {
    SmallVector<Value> arguments;
    for (auto [input, chunk] : llvm::zip(inputs, chunks))
      arguments.push_back(extract(chunk, input.element, i));
    SmallVector<Value> values = b.call(body, arguments);
    for (auto [result, value] : llvm::zip(results, values))
      result = insert(result, value, i);
  }
  return results;
}

void ContiguousForm::storeChunks(ArrayRef<Value> chunks, Value chunk) {
  for (auto [output, pointer, value] :
       llvm::zip(kernel.outputs, outputs, chunks))
    LLVM::StoreOp::create(b, value, b.element(pointer, value.getType(), chunk),
                          chunkBytes(output.element));
}

/// Whole chunks: every load before the first store.
void ContiguousForm::emitChunks(ArrayRef<Value> chunks) {
  SmallVector<SmallVector<Value>> loaded, results;
  for (Value chunk : chunks) {
    loaded.emplace_back();
    for (const Input &input : inputs)
      loaded.back().push_back(loadChunk(input, chunk));
  }
  for (ArrayRef<Value> values : loaded)
    results.push_back(compute(values));
  for (auto [values, chunk] : llvm::zip(results, chunks))
    storeChunks(values, chunk);
}

void ContiguousForm::emitElement(Value index) {
  SmallVector<Value> arguments;
  for (const Input &input : inputs)
    arguments.push_back(scalarOrElement(
        b, input.element, input.isScalar, input.words,
        b.element(input.pointer, storedType(input.element), index)));
  SmallVector<Value> values = b.call(body, arguments);
  for (auto [pointer, value] : llvm::zip(outputs, values))
    b.store(value, b.element(pointer, storedType(value.getType()), index));
}

void ContiguousForm::emit() {
  ContiguousFacts facts{unsigned(kernel.inputs.size() + kernel.outputs.size()),
                        1};
  for (const auto &operands : {kernel.inputs, kernel.outputs})
    for (const KernelFacts::Operand &operand : operands)
      facts.widest = std::max(facts.widest, storedSize(operand.element));
  shape = contiguousShape(facts);

  SmallVector<Type> types(2, b.getI64Type());
  for (const KernelFacts::Operand &input : kernel.inputs) {
    types.push_back(b.pointerType());
    types.append(wordCount(input.element), b.getI64Type());
  }
  types.append(kernel.outputs.size(), b.pointerType());
  LLVM::LLVMFuncOp function =
      beginKernel(b, kernel, "contiguous", types, shape.block);
  Entry entry = kernel.entry;
  entry.form = "contiguous";
  entry.block = shape.block;
  entry.elements = shape.vector * shape.chunks;
  entry.alignment = shape.vector * facts.widest;
  setEntry(function, entry);

  auto parameters = function.getArguments();
  Value n = parameters[0], flags = parameters[1];
  unsigned next = 2;
  for (auto [k, facts] : llvm::enumerate(kernel.inputs)) {
    Input input{facts.element, parameters[next++], {}, bit(b, flags, k)};
    for (unsigned i = 0; i < wordCount(facts.element); ++i)
      input.words.push_back(parameters[next++]);
    inputs.push_back(input);
  }
  for (size_t k = 0; k < kernel.outputs.size(); ++k)
    outputs.push_back(parameters[next++]);

  ThreadPlace place(b);
  Value whole = b.div(n, b.i64(shape.vector)); // whole chunks
  Value first =
      b.add(b.mul(place.block, b.i64(int64_t(shape.block) * shape.chunks)),
            place.thread);
  SmallVector<Value> chunks;
  for (unsigned u = 0; u < shape.chunks; ++u)
    chunks.push_back(b.add(first, b.i64(int64_t(u) * shape.block)));
  Block *full = b.block(), *partial = b.block(), *rest = b.block();
  b.branch(b.compare(Predicate::slt, chunks.back(), whole), full,
           shape.chunks > 1 ? partial : rest);
  b.at(full);
  emitChunks(chunks);
  b.branch(rest);
  b.at(partial);
  for (Value chunk : ArrayRef(chunks).drop_back()) {
    Block *inside = b.block(), *next = b.block();
    b.branch(b.compare(Predicate::slt, chunk, whole), inside, next);
    b.at(inside);
    emitChunks(chunk);
    b.branch(next);
    b.at(next);
  }
  b.branch(rest);
  if (shape.chunks == 1)
    partial->erase();

  // What is left of a chunk goes to the first threads of the last block, one
  // element each.
  b.at(rest);
  Block *end = b.block();
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
                                LLVM::LLVMFuncOp body) {
  ContiguousForm(b, kernel, body).emit();
}
