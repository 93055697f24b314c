//===- Product.cpp - products of matrices on the CPU ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToHost/Product.h"

#include "dialects/LoopToHost/Forms.h"
#include "dialects/LoopToHost/ProductBuilder.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;
using Index = ProductFacts::Index;

namespace {

/// What an entry point is given: the extent of each index, and the step along
/// each index of each operand, in bytes.
struct Operands {
  SmallVector<Value> extents;
  struct Term {
    Value pointer, stride; ///< the stride is that from loop element to element
    SmallVector<Value> steps;
    MatrixView view(Value start, Index row, Index column) const {
      return {start, steps[row], steps[column]};
    }
  };
  Term left, right, result;
};

/// A range of rows or columns.
struct Span {
  Value begin, end;
};

class ProductForm {
public:
  ProductForm(KernelBuilder &b, const KernelFacts &kernel,
              const ProductFacts &product, ProductRest rest);
  void emit();

private:
  Operands::Term term(const ProductFacts::Term &facts);
  /// The part of `count` that this call computes, in whole blocks.
  Span partOf(Value count, int64_t block);
  /// Emits what computes one product of matrices at these places.
  void product(ArrayRef<Value> places, Span rows, Span columns);
  /// The columns from `first` on, in blocks; returns those that are left.
  Value blocks(unsigned lanes, const MatrixView &left, const MatrixView &right,
               const MatrixView &out, Span rows, Span columns);
  Value extent(unsigned index) { return operands.extents[index]; }

  KernelBuilder &b;
  ProductBuilder make;
  ProductRest rest;
  unsigned lanes;
  GufuncCall call;
  Operands operands;
  Value part, parts, packed;
};

} // namespace

Operands::Term ProductForm::term(const ProductFacts::Term &facts) {
  const GufuncOperand &operand = call.operands[facts.operand];
  Operands::Term out{operand.pointer, operand.stride, {}};
  for (int64_t dimension : facts.dimensions)
    out.steps.push_back(dimension < 0 ? b.i64(0)
                                      : operand.coreStrides[dimension]);
  return out;
}

static Type elementOf(const KernelFacts &kernel, const ProductFacts &product) {
  return kernel.inputs[product.left.operand].element;
}

/// The bounds of the rest's rows and columns.
static unsigned ownDims(const ProductRest &rest) { return rest.body ? 4 : 0; }

ProductForm::ProductForm(KernelBuilder &b, const KernelFacts &kernel,
                         const ProductFacts &product, ProductRest rest)
    : b(b), make(b, elementOf(kernel, product), kernel.symbol), rest(rest),
      lanes(productColumns(elementOf(kernel, product))),
      call(b, kernel,
           startEntry(b, kernel, kern::runtime::Form::General, 1, lanes),
           ownDims(rest)) {
  parts = call.dims.back();
  part = call.dims[call.dims.size() - 2];
  for (int64_t extent : product.extents)
    operands.extents.push_back(extent < 0 ? b.i64(1) : call.dims[extent]);
  operands.left = term(product.left);
  operands.right = term(product.right);
  operands.result = term(product.result);
  packed = call.slots.front();
}

Span ProductForm::partOf(Value count, int64_t block) {
  Value blocks = b.div(b.add(count, b.i64(block - 1)), b.i64(block));
  auto bound = [&](Value part) {
    Value first = b.div(b.mul(blocks, part), parts);
    return b.least(b.mul(first, b.i64(block)), count);
  };
  return {bound(part), bound(b.add(part, b.i64(1)))};
}

Value ProductForm::blocks(unsigned lanes, const MatrixView &left,
                          const MatrixView &right, const MatrixView &out,
                          Span rows, Span columns) {
  // Columns that few rows use are read where they are.
  constexpr int64_t fewRows = 8 * productRows;
  bool isNarrow = lanes == narrowColumns;
  Value depth = extent(Index::Sum), width = b.i64(lanes);
  Value isFew =
      b.compare(Predicate::sle, b.sub(rows.end, rows.begin), b.i64(fewRows));
  Value isUnit = b.compare(Predicate::eq, right.column, b.i64(make.size()));
  Value end = columns.end;
  if (!isNarrow)
    end = b.sub(end, b.rem(b.sub(columns.end, columns.begin), width));
  make.loop(columns.begin, end, lanes, {}, [&](Value j, ValueRange) {
    Value wide = isNarrow ? b.least(b.sub(columns.end, j), width) : width;
    MatrixView some = right, target = out;
    some.start = b.offset(right.start, b.mul(j, right.column));
    target.start = b.offset(out.start, b.mul(j, out.column));
    auto eachBlock = [&](Value from, Value step) {
      make.loop(rows.begin, rows.end, productRows, {},
                [&](Value i, ValueRange) {
                  auto fromRow = [&](MatrixView matrix) {
                    matrix.start = b.offset(matrix.start, b.mul(i, matrix.row));
                    return matrix;
                  };
                  make.block(lanes, fromRow(left), {from, step, step},
                             fromRow(target),
                             b.least(b.sub(rows.end, i), b.i64(productRows)),
                             wide, depth);
                  return ProductBuilder::Values();
                });
    };
    Value isDirect = b.bitAnd(b.bitAnd(isFew, isUnit),
                              b.compare(Predicate::eq, wide, width));
    make.either(
        isDirect, [&] { eachBlock(some.start, some.row); },
        [&] {
          make.pack(lanes, some, wide, depth, packed);
          eachBlock(packed, b.i64(lanes * make.size()));
        });
    return ProductBuilder::Values();
  });
  return end;
}

void ProductForm::product(ArrayRef<Value> places, Span rows, Span columns) {
  MatrixView left = operands.left.view(places[0], Index::Row, Index::Sum),
             right = operands.right.view(places[1], Index::Sum, Index::Column),
             out = operands.result.view(places[2], Index::Row, Index::Column);
  // One row of columns that are neighbours is read as a whole.
  Value size = b.i64(make.size());
  Value isRow = b.compare(Predicate::eq, extent(Index::Row), b.i64(1));
  Value areNeighbours = b.bitAnd(b.compare(Predicate::eq, right.column, size),
                                 b.compare(Predicate::eq, out.column, size));
  make.either(
      b.bitAnd(isRow, areNeighbours),
      [&] {
        Value width = b.sub(columns.end, columns.begin);
        Value whole = b.sub(width, b.rem(width, b.i64(lanes)));
        auto fromColumn = [&](MatrixView matrix) {
          matrix.start =
              b.offset(matrix.start, b.mul(columns.begin, matrix.column));
          return matrix;
        };
        make.row(lanes, left, fromColumn(right), fromColumn(out).start, whole,
                 extent(Index::Sum));
        blocks(narrowColumns, left, right, out, rows,
               {b.add(columns.begin, whole), columns.end});
      },
      [&] {
        Value rest = blocks(lanes, left, right, out, rows, columns);
        blocks(narrowColumns, left, right, out, rows, {rest, columns.end});
      });
}

void ProductForm::emit() {
  // The longer side is shared out, so that no thread packs what another does.
  Value rows = extent(Index::Row), columns = extent(Index::Column);
  Span ofRows = partOf(rows, productRows), ofColumns = partOf(columns, lanes);
  Value byColumns = b.compare(Predicate::sge, columns, rows);
  auto choose = [&](Span shared, Value whole, Value isShared) {
    return Span{arith::SelectOp::create(b, isShared, shared.begin, b.i64(0)),
                arith::SelectOp::create(b, isShared, shared.end, whole)};
  };
  Value byRows = b.compare(Predicate::slt, columns, rows);
  ofRows = choose(ofRows, rows, byRows);
  ofColumns = choose(ofColumns, columns, byColumns);

  const Operands::Term *terms[] = {&operands.left, &operands.right,
                                   &operands.result};
  auto moved = [&](ArrayRef<Value> places, Value number,
                   function_ref<Value(const Operands::Term &)> step) {
    SmallVector<Value> out;
    for (auto [place, term] : llvm::zip(places, terms))
      out.push_back(b.offset(place, b.mul(number, step(*term))));
    return out;
  };
  std::function<void(unsigned, ArrayRef<Value>)> batches =
      [&](unsigned index, ArrayRef<Value> places) {
        if (index == operands.extents.size())
          return product(places, ofRows, ofColumns);
        make.loop(b.i64(0), extent(index), 1, {}, [&](Value i, ValueRange) {
          batches(index + 1, moved(places, i, [&](const Operands::Term &term) {
                    return term.steps[index];
                  }));
          return ProductBuilder::Values();
        });
      };
  SmallVector<Value> starts;
  for (const Operands::Term *term : terms)
    starts.push_back(term->pointer);
  Value isUnit;
  if (rest.body) {
    isUnit = call.hasUnitStrides(b);
    call.dims.append(
        {ofRows.begin, ofRows.end, ofColumns.begin, ofColumns.end});
  }
  make.loop(b.i64(0), call.count, 1, {}, [&](Value i, ValueRange) {
    batches(Index::indices, moved(starts, i, [](const Operands::Term &term) {
              return term.stride;
            }));
    if (rest.body)
      make.either(
          isUnit, [&] { call.run(b, rest.unit, i, /*hasUnitStrides=*/true); },
          [&] { call.run(b, rest.body, i, /*hasUnitStrides=*/false); });
    return ProductBuilder::Values();
  });
  b.ret();
}

void kern::ir::loop::emitProduct(KernelBuilder &b, const KernelFacts &kernel,
                                 const ProductFacts &product,
                                 ProductRest rest) {
  ProductForm(b, kernel, product, rest).emit();
}
