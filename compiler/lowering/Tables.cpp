//===- Tables.cpp - arrays of constants -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/WholeArrays.h"
#include "dialects/Kern/ElementTypes.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// A table is made once, where the function begins: it exists on all paths.
static Value tableValue(FunctionLowering &fn, ArrayRef<Attribute> values,
                        ArrayRef<int64_t> shape, TypeAttr element, Span span) {
  OpBuilder &b = fn.builder;
  Region *top = fn.region;
  while (!isa<FuncOp>(top->getParentOp()))
    top = top->getParentRegion();
  ArrayAttr all = b.getArrayAttr(values);
  for (auto made : top->front().getOps<TableOp>())
    if (made.getValues() == all && made.getShape() == shape &&
        made.getElementAttr() == element)
      return made;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&top->front());
  MLIRContext *context = b.getContext();
  return TableOp::create(
      b, fn.loc(span),
      ArrayType::get(context, OpenType::get(context), unsigned(shape.size())),
      all, b.getDenseI64ArrayAttr(shape), element);
}

static ArrayView viewOf(FunctionLowering &fn, Value table, Span span) {
  ArrayView view{table, "", span, false, {}};
  for (int64_t extent : table.getDefiningOp<TableOp>().getShape())
    view.axes.push_back({nullptr, nullptr, fn.constantInt(extent, span)});
  return view;
}

/// The attribute of a kern.constant.
static Attribute attributeOf(FunctionLowering &fn, const Constant &value,
                             Span span) {
  auto made =
      fn.materialize({nullptr, value}, span).getDefiningOp<ConstantOp>();
  Attribute attribute = made.getValue();
  made.erase();
  return attribute;
}

ArrayView tableOf(FunctionLowering &fn, const NamedConstant &table, Span span) {
  SmallVector<Attribute> values;
  for (const NamedConstant &element : table.elements)
    values.push_back(attributeOf(fn, element.value, span));
  TypeAttr type;
  if (table.type)
    type = TypeAttr::get(toType(fn.builder.getContext(), *table.type));
  ArrayView view =
      viewOf(fn, tableValue(fn, values, table.shape, type, span), span);
  view.name = "the table";
  return view;
}

/// Adds the constants of nested tuples, all rows of which have one shape.
static bool collect(FunctionLowering &fn, const Tuple &tuple, size_t depth,
                    SmallVectorImpl<int64_t> &shape,
                    SmallVectorImpl<Attribute> &values, Span span) {
  if (depth == shape.size() && values.empty())
    shape.push_back(int64_t(tuple.elements().size()));
  if (depth >= shape.size() || shape[depth] != int64_t(tuple.elements().size()))
    return false;
  for (const Binding &element : tuple.elements()) {
    if (const auto *row = element.as<Tuple>()) {
      if (!collect(fn, *row, depth + 1, shape, values, span))
        return false;
      continue;
    }
    const auto *number = element.as<Number>();
    if (!number || !number->constant || depth + 1 != shape.size())
      return false;
    values.push_back(attributeOf(fn, *number->constant, span));
  }
  return true;
}

std::optional<ArrayView> tableOf(FunctionLowering &fn, const Tuple &tuple,
                                 Span span) {
  SmallVector<int64_t> shape;
  SmallVector<Attribute> values;
  if (!collect(fn, tuple, 0, shape, values, span) || values.empty())
    return std::nullopt;
  ArrayView view =
      viewOf(fn, tableValue(fn, values, shape, TypeAttr(), span), span);
  view.name = "the tuple";
  return view;
}

/// A local array of numbers, in C order.
static Binding arrayOf(FunctionLowering &fn, ArrayRef<Value> values,
                       ArrayRef<int64_t> shape, Span span) {
  // A value of the type that all have in common.
  Value like = values.front();
  Value yes = fn.materialize({nullptr, Constant{true}}, span);
  for (Value value : values.drop_front())
    like = fn.applyValues(ScalarFunction::where, {yes, like, value}, span);
  SmallVector<Value> extents;
  for (int64_t extent : shape)
    extents.push_back(fn.constantInt(extent, span));
  std::optional<ArrayView> made = localLike(fn, like, extents, span);
  for (auto [number, value] : llvm::enumerate(values)) {
    SmallVector<Value> at(shape.size());
    int64_t rest = int64_t(number);
    for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
      at[axis] = fn.constantInt(rest % shape[axis], span);
    store(fn, value, elementOf(fn, *made, at, span), span);
  }
  made->name.clear();
  return Binding(*made);
}

/// Adds the elements of nested lists, all rows of which have one shape.
static bool flatten(const syntax::List &list, size_t depth,
                    SmallVectorImpl<int64_t> &shape,
                    SmallVectorImpl<const syntax::Expr *> &elements) {
  if (depth == shape.size() && elements.empty())
    shape.push_back(int64_t(list.elements.size()));
  if (depth >= shape.size() || shape[depth] != int64_t(list.elements.size()))
    return false;
  for (const syntax::ExprPtr &element : list.elements) {
    const auto *row = element->as<syntax::List>();
    if (row ? !flatten(*row, depth + 1, shape, elements)
            : depth + 1 != shape.size())
      return false;
    if (!row)
      elements.push_back(element.get());
  }
  return true;
}

/// `[[a, b], [c, d]]` of numbers, a table if all are constants; poisoned after
/// an error, and nothing for other lists.
static std::optional<Binding> lowerRows(FunctionLowering &fn,
                                        const syntax::List &list, Span span) {
  SmallVector<int64_t> shape;
  SmallVector<const syntax::Expr *> elements;
  if (!list.elements.front()->as<syntax::List>())
    return std::nullopt;
  if (!flatten(list, 0, shape, elements)) {
    fn.error(Diag::table_shape, span,
             {"its rows have different numbers of elements"})
        .help = "give each row as many elements as the first one has";
    return Binding(Poisoned{Poisoned::Failed, span});
  }
  SmallVector<Value> values;
  SmallVector<Attribute> constants;
  for (const syntax::Expr *element : elements) {
    if (Ranks(fn).of(*element) > 0)
      return std::nullopt;
    std::optional<Binding> value = fn.lowerExpr(*element);
    if (!value)
      return Binding(Poisoned{Poisoned::Failed, span});
    const auto *number = value->as<Number>();
    if (!number)
      return std::nullopt;
    if (number->constant)
      constants.push_back(attributeOf(fn, *number->constant, element->span));
    values.push_back(fn.materialize(*number, element->span));
  }
  if (constants.size() == values.size())
    return viewOf(fn, tableValue(fn, constants, shape, TypeAttr(), span), span);
  return arrayOf(fn, values, shape, span);
}

std::optional<Binding> lowerList(FunctionLowering &fn, const syntax::List &list,
                                 Span span) {
  if (std::optional<Binding> rows = lowerRows(fn, list, span))
    return rows->as<Poisoned>() ? std::nullopt : rows;
  std::vector<Binding> elements;
  for (const syntax::ExprPtr &element : list.elements) {
    std::optional<Binding> value = fn.lowerExpr(*element);
    if (!value)
      return std::nullopt;
    elements.push_back(*value);
  }
  if (std::optional<ArrayView> table = tableOf(fn, Tuple(elements), span)) {
    table->name.clear();
    return Binding(*table);
  }
  SmallVector<Value> values;
  for (auto [element, expr] : llvm::zip(elements, list.elements)) {
    std::optional<Number> number = fn.scalarOf(element, expr->span);
    if (!number)
      return std::nullopt;
    values.push_back(fn.materialize(*number, expr->span));
  }
  return arrayOf(fn, values, int64_t(values.size()), span);
}

Value elementOfTable(FunctionLowering &fn, const ArrayView &element,
                     Span span) {
  auto table =
      element.chosen ? TableOp() : element.array.getDefiningOp<TableOp>();
  if (!table)
    return nullptr;
  int64_t place = 0;
  for (auto [axis, extent] : llvm::zip(element.axes, table.getShape())) {
    std::optional<int64_t> index = knownInteger(axis.fixed);
    if (!index || *index < 0 || *index >= extent)
      return nullptr;
    place = place * extent + *index;
  }
  Value value = ConstantOp::create(fn.builder, fn.loc(span),
                                   OpenType::get(fn.builder.getContext()),
                                   table.getValues()[size_t(place)]);
  TypeAttr type = table.getElementAttr();
  return type ? fn.convert({value, {}}, {type, Value()}, CastMode::Explicit,
                           span)
                    .value
              : value;
}

std::optional<std::vector<Binding>>
shortTable(FunctionLowering &fn, const ArrayView &view, Span span) {
  constexpr int64_t most = 64;
  if (view.chosen || !view.array.getDefiningOp<TableOp>() ||
      view.open().empty())
    return std::nullopt;
  std::optional<int64_t> count = knownInteger(view.open().front()->extent);
  if (!count || *count > most)
    return std::nullopt;
  std::vector<Binding> elements;
  for (int64_t i = 0; i < *count; ++i) {
    ArrayView part =
        atFirst(fn, view, fn.indexValue(fn.constantInt(i, span), span), span);
    elements.push_back(part.open().empty() ? Binding(load(fn, part, span))
                                           : Binding(part));
  }
  return elements;
}

} // namespace kern::compiler
