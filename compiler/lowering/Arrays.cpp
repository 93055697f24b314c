//===- Arrays.cpp - elements and views of arrays --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Arrays.h"

#include "compiler/lowering/Expressions.h"
#include "runtime/error/Counted.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

ArrayView atFirst(FunctionLowering &fn, ArrayView view, Value index,
                  Span span) {
  for (Axis &axis : view.axes)
    if (!axis.fixed) {
      axis.fixed = axis.lower ? fn.applyValues(ScalarFunction::add,
                                               {axis.lower, index}, span)
                              : index;
      break;
    }
  return view;
}

SmallVector<Value> indicesOf(const ArrayView &view) {
  SmallVector<Value> indices;
  for (const Axis &axis : view.axes)
    indices.push_back(axis.fixed);
  return indices;
}

Value load(FunctionLowering &fn, const ArrayView &view, Span span) {
  Value element = LoadOp::create(fn.builder, fn.loc(span),
                                 OpenType::get(fn.builder.getContext()),
                                 view.array, indicesOf(view));
  if (!view.readAs)
    return element;
  return fn
      .convert({element, {}}, {nullptr, view.readAs}, CastMode::Explicit, span)
      .value;
}

bool checkWritable(FunctionLowering &fn, const ArrayView &view, Span span) {
  if (!view.writable) {
    fn.error(Diag::input_written, span, {view.name}).help =
        "declare it `inout " + view.name + ": …` to write to it";
    return false;
  }
  // The iterations of a reduction run in parallel, and none is the last.
  Operation *maker = view.array.getDefiningOp();
  for (Region *part = fn.region; !isa<FuncOp>(part->getParentOp());
       part = part->getParentRegion()) {
    Operation *op = part->getParentOp();
    auto scan = dyn_cast<ScanOp>(op);
    const bool isOpen = isa<ReduceOp>(op) || (scan && part != &scan.getWrite());
    if (isOpen && !(maker && op->isProperAncestor(maker))) {
      fn.error(Diag::reduction_write, span, {view.name}).help =
          "write to it in a `for`";
      return false;
    }
  }
  fn.results.storedArrays.insert(view.name);
  return true;
}

StoreOp store(FunctionLowering &fn, Value value, const ArrayView &view,
              Span span) {
  if (!checkWritable(fn, view, span))
    return nullptr;
  if (view.storedAs)
    value =
        fn.convert({value, {}}, *view.storedAs, CastMode::SameKind, span).value;
  return StoreOp::create(fn.builder, fn.loc(span), value, view.array,
                         indicesOf(view));
}

Value extentOf(const ArrayView &view, unsigned openAxis) {
  return view.open()[openAxis]->extent;
}

Value sizeOf(FunctionLowering &fn, const ArrayView &view, Span span) {
  Value size;
  for (const Axis *axis : view.open())
    size = size ? fn.applyValues(ScalarFunction::multiply, {size, axis->extent},
                                 span)
                : axis->extent;
  return size;
}

/// Lowers an index or a slice bound on an axis. A negative constant counts from
/// the end. A bound may equal the extent; an index may not. `number` is the
/// position of the axis among those of the view.
static std::optional<Value> lowerIndex(FunctionLowering &fn,
                                       const syntax::Expr &expr,
                                       const ArrayView &view, const Axis &axis,
                                       size_t number, bool isBound) {
  std::optional<Number> scalar = fn.lowerScalar(expr);
  if (!scalar)
    return std::nullopt;
  auto checked = [&](Value index, bool fromEnd) {
    if (fn.checks.bounds)
      CheckIndexOp::create(fn.builder, fn.loc(expr.span), index, axis.extent,
                           view.name, number, isBound, fromEnd);
    return index;
  };
  if (scalar->constant) {
    const Integer *integer = scalar->constant->asInt();
    if (!integer) {
      fn.error(Diag::index_type, expr.span,
               {scalar->constant->isBool() ? "bool" : "a float"});
      return std::nullopt;
    }
    std::optional<int64_t> number = integer->asInt64();
    if (!number) {
      fn.error(Diag::integer_out_of_range, expr.span, {integer->text(), "i64"});
      return std::nullopt;
    }
    if (std::optional<int64_t> extent = knownInteger(axis.extent))
      if (*number >= *extent + isBound || *number < -*extent) {
        fn.error(Diag::index_out_of_range, expr.span,
                 {std::to_string(*number), std::to_string(*extent)});
        return std::nullopt;
      }
    if (*number < 0)
      return checked(
          fn.applyValues(ScalarFunction::add,
                         {axis.extent, fn.constantInt(*number, expr.span)},
                         expr.span),
          /*fromEnd=*/true);
  }
  return checked(fn.indexValue(fn.materialize(*scalar, expr.span), expr.span),
                 /*fromEnd=*/false);
}

std::optional<ArrayView> indexView(FunctionLowering &fn, ArrayView view,
                                   const syntax::Subscript &subscript,
                                   Span span) {
  SmallVector<Axis *> open;
  for (Axis &axis : view.axes)
    if (!axis.fixed)
      open.push_back(&axis);
  if (subscript.indices.size() > open.size()) {
    fn.error(Diag::index_count, span,
             {view.name, runtime::counted(open.size(), "dimension"),
              runtime::countedAre(subscript.indices.size(), "index")})
        .notes.push_back({view.declared, "it is declared here"});
    return std::nullopt;
  }
  for (auto [number, axis, index] :
       llvm::enumerate(ArrayRef(open).take_front(subscript.indices.size()),
                       subscript.indices)) {
    if (!index.isSlice) {
      std::optional<Value> position =
          lowerIndex(fn, *index.value, view, *axis, number, false);
      if (!position)
        return std::nullopt;
      axis->fixed = axis->lower ? fn.applyValues(ScalarFunction::add,
                                                 {axis->lower, *position}, span)
                                : *position;
      continue;
    }
    if (index.step) {
      fn.error(Diag::slice_unsupported, index.span, {"it has a step"}).help =
          "go through the elements with a step: `for i in range(0, n, 2)`, or "
          "backwards: `for x in reversed(" +
          view.name + ")`";
      return std::nullopt;
    }
    std::optional<Value> lower, upper;
    if (index.lower) {
      lower = lowerIndex(fn, *index.lower, view, *axis, number, true);
      if (!lower)
        return std::nullopt;
    }
    if (index.upper) {
      upper = lowerIndex(fn, *index.upper, view, *axis, number, true);
      if (!upper)
        return std::nullopt;
    }
    Value begin = lower ? *lower : Value(), end = upper ? *upper : axis->extent;
    if (begin) {
      // As in NumPy, a slice that ends before it begins is empty.
      Value length =
          fn.applyValues(ScalarFunction::subtract, {end, begin}, span);
      axis->extent = fn.applyValues(ScalarFunction::maximum,
                                    {length, fn.constantInt(0, span)}, span);
      axis->lower = axis->lower ? fn.applyValues(ScalarFunction::add,
                                                 {axis->lower, begin}, span)
                                : begin;
    } else {
      axis->extent = end;
    }
  }
  return view;
}

std::optional<Binding> lowerSubscript(FunctionLowering &fn,
                                      const syntax::Subscript &subscript,
                                      Span span) {
  // `out[0]` of a scalar result means the result.
  if (const auto *name = subscript.value->as<syntax::Name>();
      name && llvm::is_contained(fn.frame->scalarResults, name->name)) {
    auto found = fn.env().find(name->name);
    if (found != fn.env().end() && !found->second.as<ArrayView>())
      return lowerName(fn, *name, span);
  }
  std::optional<Binding> base = fn.lowerExpr(*subscript.value);
  if (!base)
    return std::nullopt;
  if (const auto *tuple = base->as<Tuple>()) {
    std::optional<Number> index;
    if (subscript.indices.size() == 1 && !subscript.indices[0].isSlice)
      index = fn.lowerScalar(*subscript.indices[0].value);
    const Integer *integer =
        index && index->constant ? index->constant->asInt() : nullptr;
    std::optional<int64_t> number = integer ? integer->asInt64() : std::nullopt;
    int64_t size = tuple->elements().size();
    if (!number) {
      fn.error(Diag::tuple_index, span).help =
          "loop over it, `for a in t`, or copy it to a local array from "
          "`empty(n, f64)`";
      return std::nullopt;
    }
    if (*number >= size || *number < -size) {
      fn.error(Diag::index_out_of_range, span,
               {std::to_string(*number), std::to_string(size)});
      return std::nullopt;
    }
    return tuple->elements()[size_t(*number < 0 ? *number + size : *number)];
  }
  const auto *view = base->as<ArrayView>();
  if (!view) {
    fn.error(Diag::not_an_array, subscript.value->span,
             {"this", "cannot be indexed"});
    return std::nullopt;
  }
  std::optional<ArrayView> part = indexView(fn, *view, subscript, span);
  if (!part)
    return std::nullopt;
  if (part->open().empty())
    return Binding(load(fn, *part, span));
  return Binding(*part);
}

//===----------------------------------------------------------------------===//
// Extents
//===----------------------------------------------------------------------===//

/// Whether isShapeValue() of a value depends on its operands.
static bool isSizeArithmetic(Operation *op) {
  if (auto apply = dyn_cast<ApplyOp>(op))
    return dimOperator(apply.getFunction()).has_value();
  return isa<IndexOp>(op);
}

static bool isSize(Operation *op) {
  if (isa<DimOp>(op))
    return true;
  if (auto constant = dyn_cast<ConstantOp>(op))
    return constant.integer().has_value();
  return false;
}

bool isShapeValue(Value value) {
  // Each value once: one that is used twice may be made of such values.
  llvm::SmallSetVector<Value, 8> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    Operation *op = values[i].getDefiningOp();
    if (op && isSizeArithmetic(op))
      values.insert(op->operand_begin(), op->operand_end());
    else if (!op || !isSize(op))
      return false;
  }
  return true;
}

bool isLargeShape(Value value) {
  unsigned terms = 0;
  SmallVector<Value> rest{value};
  while (!rest.empty()) {
    Operation *op = rest.pop_back_val().getDefiningOp();
    if (op->getNumOperands() == 0 && ++terms > maxDimTerms)
      return true;
    llvm::append_range(rest, op->getOperands());
  }
  return false;
}

} // namespace kern::compiler
