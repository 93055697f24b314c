//===- ProductBuilder.cpp - functions of a product of matrices ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/ProductBuilder.h"

#include "dialects/LoopToHost/LoopToHost.h"
#include "dialects/LoopToHost/VectorLoops.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

ProductBuilder::Values ProductBuilder::loop(Value from, Value to, int64_t step,
                                            ValueRange initial, Body body) {
  SmallVector<Type> types = {b.getI64Type()};
  llvm::append_range(types, initial.getTypes());
  Block *header = b.block(types), *inside = b.block(), *done = b.block();
  Values start = {from};
  llvm::append_range(start, initial);
  b.branch(header, start);
  b.at(header);
  Value i = header->getArgument(0);
  ValueRange values = header->getArguments().drop_front();
  b.branch(b.compare(Predicate::slt, i, to), inside, done);
  b.at(inside);
  Values next = body(i, values);
  next.insert(next.begin(), b.add(i, b.i64(step)));
  leaveAlone(LLVM::BrOp::create(b, next, header));
  b.at(done);
  return Values(values);
}

void ProductBuilder::either(Value condition, function_ref<void()> yes,
                            function_ref<void()> no) {
  Block *first = b.block(), *second = b.block(), *done = b.block();
  b.branch(condition, first, second);
  b.at(first);
  yes();
  b.branch(done);
  b.at(second);
  no();
  b.branch(done);
  b.at(done);
}

Value ProductBuilder::load(Type type, Value address) {
  return LLVM::LoadOp::create(b, type, address, /*alignment=*/1);
}

void ProductBuilder::store(Value value, Value address) {
  LLVM::StoreOp::create(b, value, address, /*alignment=*/1);
}

Value ProductBuilder::splat(Value number, unsigned lanes) {
  Value first = LLVM::InsertElementOp::create(
      b, LLVM::PoisonOp::create(b, vector(lanes)), number, b.i64(0));
  return LLVM::ShuffleVectorOp::create(b, first, first,
                                       SmallVector<int32_t>(lanes, 0));
}

Value ProductBuilder::at(const MatrixView &matrix, Value row, Value column) {
  return b.offset(matrix.start,
                  b.add(b.mul(row, matrix.row), b.mul(column, matrix.column)));
}

void ProductBuilder::call(StringRef function, unsigned lanes, ValueRange values,
                          function_ref<void(ValueRange)> emit) {
  std::string symbol = (name + "__" + function + "_" + Twine(lanes)).str();
  auto caller =
      b.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  auto found = caller.lookupSymbol<LLVM::LLVMFuncOp>(symbol);
  if (!found) {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(caller.getBody());
    found = LLVM::LLVMFuncOp::create(
        b, symbol,
        LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(b.getContext()),
                                    llvm::to_vector(values.getTypes())),
        LLVM::Linkage::Internal);
    found.setPassthroughAttr(b.getStrArrayAttr({"noinline", vectorsAttribute}));
    b.at(found.addEntryBlock(b));
    emit(found.getArguments());
    b.ret();
  }
  LLVM::CallOp::create(b, found, values);
}

//===----------------------------------------------------------------------===//
// A block of results
//===----------------------------------------------------------------------===//

void ProductBuilder::block(unsigned lanes, const MatrixView &left,
                           const MatrixView &right, const MatrixView &out,
                           Value rows, Value columns, Value depth) {
  call("block", lanes,
       {left.start, left.row, left.column, right.start, right.row, out.start,
        out.row, out.column, rows, columns, depth},
       [&](ValueRange arguments) { emitBlock(lanes, arguments); });
}

/// Blocks of fewer rows repeat the last one: its results are the same each
/// time.
void ProductBuilder::emitBlock(unsigned lanes, ValueRange x) {
  MatrixView left{x[0], x[1], x[2]}, out{x[5], x[6], x[7]};
  Value right = x[3], rightRow = x[4], rows = x[8], columns = x[9],
        depth = x[10];
  Value last = b.sub(rows, b.i64(1));
  Values starts, targets, sums;
  for (int64_t row = 0; row < productRows; ++row) {
    Value number = b.least(b.i64(row), last);
    starts.push_back(b.offset(left.start, b.mul(number, left.row)));
    targets.push_back(b.offset(out.start, b.mul(number, out.row)));
    sums.push_back(LLVM::ZeroOp::create(b, vector(lanes)));
  }
  sums = loop(b.i64(0), depth, 1, sums, [&](Value p, ValueRange sums) {
    Value columns = load(vector(lanes), b.offset(right, b.mul(p, rightRow)));
    Value along = b.mul(p, left.column);
    Values next;
    for (auto [start, sum] : llvm::zip(starts, sums)) {
      Value factor = splat(load(element, b.offset(start, along)), lanes);
      next.push_back(LLVM::FMulAddOp::create(b, factor, columns, sum));
    }
    return next;
  });
  Value isWhole = b.bitAnd(b.compare(Predicate::eq, columns, b.i64(lanes)),
                           b.compare(Predicate::eq, out.column, b.i64(size())));
  either(
      isWhole,
      [&] {
        for (auto [sum, target] : llvm::zip(sums, targets))
          store(sum, target);
      },
      [&] {
        Value memory = LLVM::AllocaOp::create(b, b.pointerType(), element,
                                              b.i64(productRows * lanes), 64);
        for (auto [row, sum] : llvm::enumerate(sums))
          store(sum, b.offset(memory, b.i64(int64_t(row) * lanes * size())));
        MatrixView from{memory, b.i64(lanes * size()), b.i64(size())};
        loop(b.i64(0), rows, 1, {}, [&](Value row, ValueRange) {
          loop(b.i64(0), columns, 1, {}, [&](Value column, ValueRange) {
            store(load(element, at(from, row, column)), at(out, row, column));
            return Values();
          });
          return Values();
        });
      });
}

//===----------------------------------------------------------------------===//
// Packed columns
//===----------------------------------------------------------------------===//

void ProductBuilder::pack(unsigned lanes, const MatrixView &matrix,
                          Value columns, Value depth, Value packed) {
  call("pack", lanes,
       {matrix.start, matrix.row, matrix.column, columns, depth, packed},
       [&](ValueRange arguments) { emitPack(lanes, arguments); });
}

void ProductBuilder::emitPack(unsigned lanes, ValueRange x) {
  MatrixView matrix{x[0], x[1], x[2]};
  Value columns = x[3], depth = x[4];
  MatrixView packed{x[5], b.i64(lanes * size()), b.i64(size())};
  auto eachRow = [&](function_ref<Value(Value)> read) {
    loop(b.i64(0), depth, 1, {}, [&](Value p, ValueRange) {
      store(read(p), at(packed, p, b.i64(0)));
      return Values();
    });
  };
  Value isWhole =
      b.bitAnd(b.compare(Predicate::eq, columns, b.i64(lanes)),
               b.compare(Predicate::eq, matrix.column, b.i64(size())));
  either(
      isWhole,
      [&] {
        eachRow([&](Value p) {
          return load(vector(lanes), at(matrix, p, b.i64(0)));
        });
      },
      [&] {
        Value last = b.sub(columns, b.i64(1));
        Values starts;
        for (unsigned lane = 0; lane < lanes; ++lane)
          starts.push_back(at(matrix, b.i64(0), b.least(b.i64(lane), last)));
        eachRow([&](Value p) {
          Value along = b.mul(p, matrix.row);
          Value row = LLVM::PoisonOp::create(b, vector(lanes));
          for (auto [lane, start] : llvm::enumerate(starts))
            row = LLVM::InsertElementOp::create(
                b, row, load(element, b.offset(start, along)),
                b.i64(int64_t(lane)));
          return row;
        });
      });
}

//===----------------------------------------------------------------------===//
// A row of results
//===----------------------------------------------------------------------===//

void ProductBuilder::row(unsigned lanes, const MatrixView &left,
                         const MatrixView &right, Value out, Value columns,
                         Value depth) {
  call("row", lanes,
       {left.start, left.column, right.start, right.row, out, columns, depth},
       [&](ValueRange arguments) { emitRow(lanes, arguments); });
}

/// Sums stay in memory, in the first-level cache if there are not too many, and
/// each passes through a register for several rows of the right matrix.
void ProductBuilder::emitRow(unsigned lanes, ValueRange x) {
  constexpr int64_t together = 8;
  Value left = x[0], leftStep = x[1], out = x[4], columns = x[5], depth = x[6];
  MatrixView right{x[2], x[3], b.i64(size())};
  loop(b.i64(0), columns, lanes, {}, [&](Value j, ValueRange) {
    store(LLVM::ZeroOp::create(b, vector(lanes)),
          b.offset(out, b.mul(j, b.i64(size()))));
    return Values();
  });
  auto rowsFrom = [&](Value p, int64_t count) {
    Values factors;
    for (int64_t i = 0; i < count; ++i) {
      Value number = b.add(p, b.i64(i));
      factors.push_back(
          splat(load(element, b.offset(left, b.mul(number, leftStep))), lanes));
    }
    loop(b.i64(0), columns, lanes, {}, [&](Value j, ValueRange) {
      Value place = b.offset(out, b.mul(j, b.i64(size())));
      Value sum = load(vector(lanes), place);
      for (auto [i, factor] : llvm::enumerate(factors))
        sum = LLVM::FMulAddOp::create(
            b, factor,
            load(vector(lanes), at(right, b.add(p, b.i64(int64_t(i))), j)),
            sum);
      store(sum, place);
      return Values();
    });
    return Values();
  };
  Value whole = b.sub(depth, b.rem(depth, b.i64(together)));
  loop(b.i64(0), whole, together, {},
       [&](Value p, ValueRange) { return rowsFrom(p, together); });
  loop(whole, depth, 1, {},
       [&](Value p, ValueRange) { return rowsFrom(p, 1); });
}
