//===- Contiguous.cpp - the contiguous form -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters: n, flags, (pointer, value) of each input, the pointer of each
// output, the pointer of the mask.
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Masks.h"
#include "dialects/LoopToGPU/Policy.h"
#include "dialects/LoopToGPU/Threads.h"
#include "dialects/LoopToLLVM/Chunk.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::Form;
using Predicate = KernelBuilder::Predicate;

static constexpr ParameterCounts counts = {2, 0};

namespace {

/// Which inputs of a chunk are scalars.
enum class Inputs {
  Any,     ///< as the flags say
  Arrays,  ///< none
  Scalars, ///< all but the first
};

/// Emits the entry point of one kernel. One class, since every part of the
/// entry point uses the same values, which are the members.
class ContiguousForm {
public:
  ContiguousForm(KernelBuilder &b, const KernelFacts &kernel,
                 const Bodies &bodies, bool disjoint,
                 unsigned computeCapability)
      : b(b), kernel(kernel), bodies(bodies), facts(operandFacts(kernel)),
        shape(contiguousShape(facts, computeCapability)), disjoint(disjoint) {}
  void emit();

private:
  /// Numbers of chunks of `access.size` elements.
  using Chunks = ArrayRef<Value>;

  void begin();
  /// A chunk of an input: from memory, or copies of its scalar value.
  Chunk loadChunk(const ChunkAccess &access, Inputs known,
                  const EntryOperand &input, Value chunk);
  /// The address of chunk number `chunk`.
  Value address(const ChunkAccess &access, const EntryOperand &operand,
                Value chunk);
  /// The address of element number `index`.
  Value addressAt(const EntryOperand &operand, Value index) {
    return operand.isRange
               ? b.offset(operand.pointer, index)
               : b.element(operand.pointer, storedType(operand.element), index);
  }
  /// The elements of the mask. Branches to `none` if all are false, else sets
  /// `chunks` to those to read of inputs.
  SmallVector<Chunk> loadMask(const ChunkAccess &access,
                              SmallVector<Value> &chunks, Block *none);
  /// Emits whole chunks, with all loads in front of the first store. Branches
  /// to `none` if the mask is false for all of them, and to `otherwise` if the
  /// results of the body for scalars are not valid. The full path is for most
  /// elements of a long body.
  void emitChunks(const ChunkAccess &access, Inputs known, Chunks chunks,
                  Block *none, bool isFull = false, Block *otherwise = nullptr);
  void emitFullBlock(Block *otherwise);
  /// Of a long body nearly all calls take the full path, unless that one is for
  /// scalars.
  CallPlace besideFullPath() const {
    return kernel.isLong && !kernel.hasScalarWork ? CallPlace::OfFew
                                                  : CallPlace::Usual;
  }
  void emitChecked();
  void emitElement(Value index);
  /// Emits the remainder that is not a whole chunk: the first threads of the
  /// last block take one element each.
  void emitRest();

  KernelBuilder &b;
  const KernelFacts &kernel;
  const Bodies &bodies;
  OperandShapes facts;
  ContiguousShape shape;
  bool disjoint;
  SmallVector<EntryOperand> inputs, outputs;
  std::optional<EntryOperand> mask;
  Value n, flags, thread, block, whole;
};

} // namespace

Value ContiguousForm::address(const ChunkAccess &access,
                              const EntryOperand &operand, Value chunk) {
  return b.offset(operand.pointer,
                  b.mul(chunk, b.i64(access.bytes(operand.element))));
}

Chunk ContiguousForm::loadChunk(const ChunkAccess &access, Inputs known,
                                const EntryOperand &input, Value chunk) {
  Type element = input.element;
  if (input.isRange) {
    Chunk numbers;
    Value first = b.mul(chunk, b.i64(access.size));
    for (unsigned i = 0; i < access.size; ++i)
      numbers.push_back(
          numberAt(b, input, addressAt(input, b.add(first, b.i64(i)))));
    return numbers;
  }
  if (known == Inputs::Scalars && &input != &inputs.front())
    return access.splat(b.fromWords(element, input.words));
  if (known != Inputs::Any)
    return access.unpack(element,
                         access.load(element, address(access, input, chunk)));
  Block *array = b.block(), *scalar = b.block(),
        *done = b.block(TypeRange{access.type(element)});
  b.branch(input.isScalar, scalar, array);
  b.at(scalar);
  Value value = b.fromWords(element, input.words);
  b.branch(done, access.pack(element, access.splat(value)));
  b.at(array);
  b.branch(done, access.load(element, address(access, input, chunk)));
  b.at(done);
  return access.unpack(element, done->getArgument(0));
}

SmallVector<Chunk> ContiguousForm::loadMask(const ChunkAccess &access,
                                            SmallVector<Value> &chunks,
                                            Block *none) {
  SmallVector<Value> packed, areOn;
  for (Value chunk : chunks)
    packed.push_back(access.load(mask->element, address(access, *mask, chunk)));
  SmallVector<Chunk> truths;
  for (Value bytes : packed) {
    areOn.push_back(anyTrue(access, bytes));
    truths.push_back(access.unpack(mask->element, bytes));
  }
  leaveUnlessAny(b, areOn, none);
  chunks = placesToRead(b, areOn, chunks);
  return truths;
}

void ContiguousForm::emitChunks(const ChunkAccess &access, Inputs known,
                                Chunks chunks, Block *none, bool isFull,
                                Block *otherwise) {
  SmallVector<SmallVector<Chunk>> loaded, results;
  SmallVector<Chunk> truths(chunks.size());
  SmallVector<Value> read(chunks);
  if (mask)
    truths = loadMask(access, read, none);
  for (Value chunk : read) {
    auto &values = loaded.emplace_back();
    for (const EntryOperand &input : inputs)
      values.push_back(loadChunk(access, known, input, chunk));
  }
  bool isScalars = known == Inputs::Scalars;
  if (isScalars || (isFull && chunks.size() > 1))
    holdLoads(b);
  Value isRight;
  for (ArrayRef<Chunk> values : loaded) {
    auto &made = results.emplace_back(outputs.size());
    for (unsigned i = 0; i < access.size; ++i) {
      SmallVector<Value> arguments;
      for (const Chunk &value : values)
        arguments.push_back(value[i]);
      SmallVector<Value> all =
          b.call(isScalars ? bodies.scalars.function : bodies.body, arguments,
                 isFull ? CallPlace::OfMost : besideFullPath());
      for (auto [k, chunk] : llvm::enumerate(made))
        chunk.push_back(all[k]);
      if (isScalars && bodies.scalars.isGuarded)
        isRight = isRight ? b.bitAnd(isRight, all.back()) : all.back();
    }
  }
  if (isRight) {
    Block *right = b.block();
    b.branch(isRight, right, otherwise);
    b.at(right);
  }
  for (auto [values, chunk, isOn] : llvm::zip(results, chunks, truths))
    for (auto [output, value] : llvm::zip(outputs, values)) {
      Value to = address(access, output, chunk);
      if (mask)
        storeWhere(access, output.element, value, isOn, to);
      else
        access.store(value, to);
    }
}

void ContiguousForm::emitElement(Value index) {
  auto write = [&] {
    SmallVector<Value> arguments;
    for (const EntryOperand &input : inputs)
      arguments.push_back(scalarOrElement(b, input, addressAt(input, index)));
    SmallVector<Value> values =
        b.call(bodies.body, arguments, besideFullPath());
    for (auto [output, value] : llvm::zip(outputs, values))
      b.store(value, addressAt(output, index));
  };
  if (mask)
    whereTrue(b, b.load(mask->element, addressAt(*mask, index)), write);
  else
    write();
}

void ContiguousForm::begin() {
  LLVM::LLVMFuncOp function =
      beginUfunc(b, kernel, Form::Contiguous, counts, shape.block, disjoint);
  Entry entry = kernel.entry;
  entry.form = Form::Contiguous;
  entry.disjoint = disjoint;
  entry.block = shape.block;
  entry.elements = shape.elements;
  entry.alignment = shape.vector * facts.widest;
  setEntry(function, entry);

  Parameters parameters(b, kernel, counts, function.getArguments());
  n = parameters.loop[0];
  flags = parameters.loop[1];
  inputs.assign(parameters.inputs().begin(), parameters.inputs().end());
  outputs.assign(parameters.outputs().begin(), parameters.outputs().end());
  if (kernel.isMasked)
    mask = parameters.operands.back();
  ThreadPlace place(b);
  thread = place.thread;
  block = place.block;
  whole = b.div(n, b.i64(shape.vector));
}

/// The fast path: uniform tests let full blocks skip all bounds checks. The
/// inputs are arrays alone or, if there is a body for scalars, one array and
/// scalars. All elements then share the work on the scalars. Long bodies of
/// several inputs take any mix.
void ContiguousForm::emitFullBlock(Block *otherwise) {
  ChunkAccess access{b, shape.fullVector};
  unsigned count = shape.elements / access.size;
  int64_t perBlock = int64_t(shape.block) * count;
  bool takesAny = kernel.isLong && inputs.size() > 1;
  Inputs known = kernel.hasScalarWork ? Inputs::Scalars
                 : takesAny           ? Inputs::Any
                                      : Inputs::Arrays;
  uint64_t scalars = known == Inputs::Scalars
                         ? (uint64_t(1) << inputs.size()) - 2
                         : uint64_t(0);
  Value isFull = b.compare(
      Predicate::ule,
      b.mul(b.add(block, b.i64(1)), b.i64(perBlock * access.size)), n);
  Value isUsual = b.compare(Predicate::eq, flags, b.i64(int64_t(scalars)));
  Block *full = b.block();
  bool needsUsual = !inputs.empty() && known != Inputs::Any;
  b.branch(needsUsual ? b.bitAnd(isFull, isUsual) : isFull, full, otherwise);
  b.at(full);
  Value first = b.add(b.mul(block, b.i64(perBlock)), thread);
  SmallVector<Value> chunks;
  for (unsigned u = 0; u < count; ++u)
    chunks.push_back(b.add(first, b.i64(int64_t(u) * shape.block)));
  Block *end = b.block();
  emitChunks(access, known, chunks, end, /*isFull=*/true, otherwise);
  b.branch(end);
  b.at(end);
  b.ret();
}

void ContiguousForm::emitChecked() {
  ChunkAccess access{b, shape.vector};
  unsigned count = shape.elements / access.size;
  Value first =
      b.add(b.mul(block, b.i64(int64_t(shape.block) * count)), thread);
  Block *rest = b.block();
  auto emitInside = [&](Value chunk, Block *next) {
    Block *inside = b.block();
    b.branch(b.compare(Predicate::ult, chunk, whole), inside, next);
    b.at(inside);
    emitChunks(access, Inputs::Any, chunk, next);
    b.branch(next);
    b.at(next);
  };
  if (count == 1) {
    emitInside(first, rest);
    return;
  }
  countedLoop(b, b.i32(int32_t(count)), [&](Value u) {
    emitInside(b.add(first, b.mul(b.widen(u), b.i64(shape.block))), b.block());
  });
  b.branch(rest);
  b.at(rest);
}

void ContiguousForm::emitRest() {
  if (shape.vector > 1) {
    Value left = b.rem(n, b.i64(shape.vector));
    Value blocks = b.widen(readRegister(b, Register::GridSizeX));
    Value isLast = b.compare(Predicate::eq, b.add(block, b.i64(1)), blocks);
    Value takesPart = b.compare(Predicate::slt, thread, left);
    Block *element = b.block(), *end = b.block();
    b.branch(b.bitAnd(isLast, takesPart), element, end);
    b.at(element);
    emitElement(b.add(b.mul(whole, b.i64(shape.vector)), thread));
    b.branch(end);
    b.at(end);
  }
  b.ret();
}

void ContiguousForm::emit() {
  begin();
  if (shape.hasFullPath) {
    Block *checked = b.block();
    emitFullBlock(checked);
    b.at(checked);
  }
  emitChecked();
  emitRest();
}

void kern::ir::loop::emitContiguous(KernelBuilder &b, const KernelFacts &kernel,
                                    const Bodies &bodies, bool disjoint,
                                    unsigned computeCapability) {
  ContiguousForm(b, kernel, bodies, disjoint, computeCapability).emit();
}
