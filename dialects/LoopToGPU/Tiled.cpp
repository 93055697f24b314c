//===- Tiled.cpp - the tiled form -----------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For operands that disagree about the dimension in which their elements lie
// side by side: dimension 0 for some of them, dimension 1 for others. A block
// works on a square of both. Inputs of the second kind are read along dimension
// 1 into shared memory, and from there along dimension 0.
//
// Parameters: n0 … n5, rank, tiles along n0 and n1, their divisors, divisors of
// n2, n3, n4, inputs that lie across, flags, (pointer, value, s0 … s5) of each
// input, (pointer, s0 … s5) of each output.
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/Offsets.h"
#include "dialects/LoopToGPU/Policy.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace kern::loop;
using Predicate = Emitter::Predicate;

static constexpr ParameterCounts counts = {loopRank + 10, loopRank};
static constexpr StringLiteral sharedSymbol = "__kern_tiles";
static constexpr unsigned sharedSpace = 3;
static constexpr unsigned warp = 32;

namespace {

/// Where a thread reads or writes: an index in dimensions 0 and 1 for each of
/// its spots.
struct Places {
  SmallVector<Value> first, second;
};

class TiledForm {
public:
  TiledForm(Emitter &b, const KernelFacts &kernel, LLVM::LLVMFuncOp body,
            bool disjoint)
      : b(b), kernel(kernel), body(body),
        shape(tileShape(operandFacts(kernel))), disjoint(disjoint) {}
  void emit();

private:
  SmallVector<Value> load(const EntryOperand &input, Value offset,
                          const Places &places);
  /// A tile's rows are one element longer, so that neither its rows nor its
  /// columns fall into one bank.
  unsigned pitch() const { return shape.edge + 1; }
  Value shared(Type element, Value slot, Value row, Value column);

  Emitter &b;
  const KernelFacts &kernel;
  LLVM::LLVMFuncOp body;
  TileShape shape;
  bool disjoint;
  SmallVector<EntryOperand> operands;
  Value tiles; ///< shared memory
};

} // namespace

/// All of a launch's shared memory; how much that is, the launch says.
static Value sharedMemory(Emitter &b) {
  auto module =
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  if (!module.lookupSymbol(sharedSymbol)) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(module.getBody());
    LLVM::GlobalOp::create(b, LLVM::LLVMArrayType::get(b.getI8Type(), 0),
                           /*isConstant=*/false, LLVM::Linkage::External,
                           sharedSymbol, Attribute(), /*alignment=*/16,
                           sharedSpace);
  }
  return LLVM::AddressOfOp::create(
      b, LLVM::LLVMPointerType::get(b.getContext(), sharedSpace), sharedSymbol);
}

static Value place(Emitter &b, const EntryOperand &operand, Value offset,
                   Value first, Value second) {
  Value inTile = b.add(b.mul(first, operand.strides[0]),
                       b.mul(second, operand.strides[1]));
  return b.offset(operand.pointer, b.widenSigned(b.add(offset, inTile)));
}

SmallVector<Value> TiledForm::load(const EntryOperand &input, Value offset,
                                   const Places &places) {
  SmallVector<Value> values;
  for (auto [first, second] : llvm::zip(places.first, places.second))
    values.push_back(
        b.load(input.element, place(b, input, offset, first, second)));
  return values;
}

Value TiledForm::shared(Type element, Value slot, Value row, Value column) {
  Value index = b.add(b.mul(row, b.i32(pitch())), column);
  Value bytes = b.add(slot, b.mul(index, b.i32(storedSize(element))));
  return b.offset(tiles, b.widen(bytes));
}

void TiledForm::emit() {
  LLVM::LLVMFuncOp function =
      beginUfunc(b, kernel, "tiled", counts, warp * shape.rows, disjoint);
  Entry entry = kernel.entry;
  entry.form = "tiled";
  entry.disjoint = disjoint;
  entry.block = warp * shape.rows;
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
  Value across = rest[7];
  tiles = sharedMemory(b);

  auto thread = [&]<typename Register>() -> Value {
    return Register::create(b, b.getI32Type());
  };
  Value block = thread.operator()<NVVM::BlockIdXOp>();
  Value x = thread.operator()<NVVM::ThreadIdXOp>(),
        y = thread.operator()<NVVM::ThreadIdYOp>();
  Value further = quotient(b, block, tiles0);
  Value outer = quotient(b, further, tiles1);
  auto begin = [&](Value index, Value all, const Divisor &count) {
    return b.mul(b.sub(index, b.mul(all, count.number)), b.i32(shape.edge));
  };
  Value begin0 = begin(block, further, tiles0),
        begin1 = begin(further, outer, tiles1);
  SmallVector<Value> offsets;
  for (ArrayRef<Value> ofOperand : offsetsOf(b, space, outer, operands))
    offsets.push_back(ofOperand.front());

  // Beyond the end the last element is read, and nothing written.
  auto last = [&](Value extent) { return b.sub(extent, b.i32(1)); };
  Places along, crossing;
  SmallVector<Value> rows, columns, isInside;
  for (unsigned r = 0; r < shape.edge; r += shape.rows)
    for (unsigned c = 0; c < shape.edge; c += warp) {
      Value row = b.add(y, b.i32(r)), column = b.add(x, b.i32(c));
      rows.push_back(row);
      columns.push_back(column);
      Value i0 = b.add(begin0, column), i1 = b.add(begin1, row);
      isInside.push_back(b.bitAnd(b.compare(Predicate::ult, i0, extent0),
                                  b.compare(Predicate::ult, i1, extent1)));
      along.first.push_back(b.least(i0, last(extent0)));
      along.second.push_back(b.least(i1, last(extent1)));
      crossing.first.push_back(b.least(b.add(begin0, row), last(extent0)));
      crossing.second.push_back(b.least(b.add(begin1, column), last(extent1)));
    }
  size_t spots = rows.size();

  SmallVector<SmallVector<Value>> values;
  SmallVector<Value> slots, isAcross;
  Value slot = b.i32(0);
  for (auto [k, input] : llvm::enumerate(parameters.inputs())) {
    Type element = input.element;
    isAcross.push_back(bit(b, across, k));
    slots.push_back(slot);
    Block *scalar = b.block(), *array = b.block(), *direct = b.block(),
          *tiled = b.block(),
          *done = b.block(SmallVector<Type>(spots, valueType(element)));
    b.branch(input.isScalar, scalar, array);
    b.at(scalar);
    b.branch(done,
             SmallVector<Value>(spots, b.fromWords(element, input.words)));
    b.at(array);
    b.branch(isAcross[k], tiled, direct);
    b.at(direct);
    b.branch(done, load(input, offsets[k], along));
    b.at(tiled);
    SmallVector<Value> loaded = load(input, offsets[k], crossing);
    for (auto [value, row, column] : llvm::zip(loaded, rows, columns))
      b.store(value, shared(element, slot, row, column));
    b.branch(done, loaded);
    b.at(done);
    values.emplace_back(ValueRange(done->getArguments()));
    Value bytes = b.i32(shape.edge * pitch() * storedSize(element));
    slot =
        b.add(slot, arith::SelectOp::create(b, isAcross[k], bytes, b.i32(0)));
  }
  NVVM::Barrier0Op::create(b);
  for (auto [k, input] : llvm::enumerate(parameters.inputs())) {
    Block *tiled = b.block(), *done = b.block(ValueRange(values[k]).getTypes());
    b.branch(isAcross[k], tiled, done, {}, values[k]);
    b.at(tiled);
    SmallVector<Value> turned;
    for (auto [row, column] : llvm::zip(rows, columns))
      turned.push_back(
          b.load(input.element, shared(input.element, slots[k], column, row)));
    b.branch(done, turned);
    b.at(done);
    values[k] = SmallVector<Value>(ValueRange(done->getArguments()));
  }

  SmallVector<SmallVector<Value>> results;
  for (size_t e = 0; e < spots; ++e) {
    SmallVector<Value> arguments;
    for (ArrayRef<Value> ofInput : values)
      arguments.push_back(ofInput[e]);
    results.push_back(b.call(body, arguments));
  }
  for (size_t e = 0; e < spots; ++e) {
    Block *write = b.block(), *next = b.block();
    b.branch(isInside[e], write, next);
    b.at(write);
    for (auto [k, output] : llvm::enumerate(parameters.outputs()))
      b.store(results[e][k],
              place(b, output, offsets[parameters.inputCount + k],
                    along.first[e], along.second[e]));
    b.branch(next);
    b.at(next);
  }
  b.ret();
}

void kern::loop::emitTiled(Emitter &b, const KernelFacts &kernel,
                           LLVM::LLVMFuncOp body, bool disjoint) {
  TiledForm(b, kernel, body, disjoint).emit();
}
