//===- Arrays.cpp - elements and views of arrays --------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/Arrays.h"

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Calls.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Expressions.h"
#include "compiler/lowering/Loops.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

Value positionOn(FunctionLowering &fn, const Axis &axis, Value index,
                 Span span) {
  if (axis.step != 1)
    index = fn.applyValues(ScalarFunction::multiply,
                           {index, fn.constantInt(axis.step, span)}, span);
  return axis.lower
             ? fn.applyValues(ScalarFunction::add, {axis.lower, index}, span)
             : index;
}

ArrayView transposed(ArrayView view) {
  if (view.order.empty())
    for (unsigned i = 0; i < view.axes.size(); ++i)
      view.order.push_back(i);
  std::reverse(view.order.begin(), view.order.end());
  return view;
}

/// The axes that `transpose` puts in order, of so many; nothing after an error.
static std::optional<SmallVector<unsigned>>
axesIn(FunctionLowering &fn, const syntax::Call &call, size_t rank, Span span) {
  SmallVector<Binding> given;
  for (const syntax::ExprPtr &argument :
       ArrayRef(call.arguments).drop_front()) {
    std::optional<Binding> axis = fn.lowerExpr(*argument);
    if (!axis)
      return std::nullopt;
    if (const auto *tuple = axis->as<Tuple>())
      llvm::append_range(given, tuple->elements());
    else
      given.push_back(*axis);
  }
  SmallVector<unsigned> axes;
  for (const Binding &each : given) {
    const auto *number = each.as<Number>();
    const Integer *integer =
        number && number->constant ? number->constant->asInt() : nullptr;
    std::optional<int64_t> axis = integer ? integer->asInt64() : std::nullopt;
    if (axis && *axis < 0)
      *axis += int64_t(rank);
    if (!axis || *axis < 0 || *axis >= int64_t(rank) ||
        llvm::is_contained(axes, unsigned(*axis)))
      break;
    axes.push_back(unsigned(*axis));
  }
  if (axes.size() == rank && given.size() == rank)
    return axes;
  fn.error(Diag::array_function, span,
           {"transpose", "it takes the numbers of all axes, each once"})
      .help = "without them it reverses the order of the axes, as `a.T` does";
  return std::nullopt;
}

std::optional<Binding> lowerTranspose(FunctionLowering &fn,
                                      const syntax::Call &call, Span span) {
  if (!checkCount(fn, "transpose", call, 1, SIZE_MAX, span))
    return std::nullopt;
  std::optional<Binding> operand = fn.lowerExpr(*call.arguments[0]);
  const auto *view = operand ? operand->as<ArrayView>() : nullptr;
  if (operand && !view)
    fn.error(Diag::not_an_array, call.arguments[0]->span,
             {"this", "has no axes"});
  if (!view || call.arguments.size() == 1)
    return view ? std::optional<Binding>(transposed(*view)) : std::nullopt;
  auto axes = axesIn(fn, call, view->open().size(), span);
  if (!axes)
    return std::nullopt;
  ArrayView turned = *view;
  if (turned.order.empty())
    for (unsigned i = 0; i < turned.axes.size(); ++i)
      turned.order.push_back(i);
  SmallVector<size_t> places; // of the open axes in the order
  SmallVector<unsigned> open;
  for (auto [place, axis] : llvm::enumerate(turned.order))
    if (!turned.axes[axis].fixed) {
      places.push_back(place);
      open.push_back(axis);
    }
  for (auto [place, axis] : llvm::zip(places, *axes))
    turned.order[place] = open[axis];
  return Binding(turned);
}

ArrayView atFirst(FunctionLowering &fn, ArrayView view, Value index,
                  Span span) {
  if (auto open = view.open(); !open.empty())
    open.front()->fixed = positionOn(fn, *open.front(), index, span);
  return view;
}

SmallVector<Value> indicesOf(const ArrayView &view) {
  SmallVector<Value> indices;
  for (const Axis &axis : view.axes)
    indices.push_back(axis.fixed);
  return indices;
}

Value load(FunctionLowering &fn, const ArrayView &view, Span span) {
  if (Value constant = elementOfTable(fn, view, span); constant && !view.readAs)
    return constant;
  Value element = onArray(
      fn, view,
      [&](const ArrayView &one) -> Value {
        return LoadOp::create(fn.builder, fn.loc(span),
                              OpenType::get(fn.builder.getContext()), one.array,
                              indicesOf(one));
      },
      span);
  if (!view.readAs)
    return element;
  return fn
      .convert({element, {}}, {nullptr, view.readAs}, CastMode::Explicit, span)
      .value;
}

bool checkWritable(FunctionLowering &fn, const ArrayView &view, Span span) {
  if (!view.writable) {
    const bool isTable = llvm::any_of(view.arrays(), [](Value array) {
      return array.getDefiningOp<TableOp>() != nullptr;
    });
    fn.error(Diag::input_written, span, {view.name}).help =
        isTable ? "a table of constants stays as it is: make an array by "
                  "`empty_like`, and copy the table to all of it by `a[:] = …`"
                : "declare it `inout " + view.name + ": …` to write to it";
    return false;
  }
  // The iterations of a reduction run in parallel, and none is the last.
  auto isMadeIn = [&](Operation *op) {
    return llvm::all_of(view.arrays(), [&](Value array) {
      Operation *maker = array.getDefiningOp();
      return maker && op->isProperAncestor(maker);
    });
  };
  for (Region *part = fn.region; !isa<FuncOp>(part->getParentOp());
       part = part->getParentRegion()) {
    Operation *op = part->getParentOp();
    auto scan = dyn_cast<ScanOp>(op);
    const bool isOpen = isa<ReduceOp>(op) || (scan && part != &scan.getWrite());
    if (isOpen && !isMadeIn(op)) {
      fn.error(Diag::reduction_write, span, {view.name}).help =
          "write to it in a `for`";
      return false;
    }
  }
  fn.results.storedArrays.insert(view.name);
  if (view.chosen)
    for (const Frame *frame = fn.frame; frame; frame = frame->caller())
      for (const auto &[name, binding] : frame->env)
        if (const auto *other = binding.as<ArrayView>();
            other && mayShareArray(view, *other))
          fn.results.storedArrays.insert(other->name);
  return true;
}

StoreOp store(FunctionLowering &fn, Value value, const ArrayView &view,
              Span span) {
  if (!checkWritable(fn, view, span))
    return nullptr;
  if (view.storedAs)
    value =
        fn.convert({value, {}}, *view.storedAs, CastMode::SameKind, span).value;
  StoreOp last;
  onArray(
      fn, view,
      [&](const ArrayView &one) {
        last = StoreOp::create(fn.builder, fn.loc(span), value, one.array,
                               indicesOf(one));
        return Value();
      },
      span);
  return last;
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

std::optional<Binding> partOf(FunctionLowering &fn, const ArrayView &view,
                              const syntax::Subscript &subscript, Span span) {
  std::optional<ArrayView> part = indexView(fn, view, subscript, span);
  if (!part)
    return std::nullopt;
  return part->open().empty() ? Binding(load(fn, *part, span)) : Binding(*part);
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
  std::optional<Binding> base = lowerWhole(fn, *subscript.value);
  if (!base)
    return std::nullopt;
  if (const auto *tuple = base->as<Tuple>())
    return lowerTupleIndex(fn, *tuple, subscript, span);
  const auto *view = base->as<ArrayView>();
  if (!view) {
    fn.error(Diag::not_an_array, subscript.value->span,
             {"this", "cannot be indexed"});
    return std::nullopt;
  }
  return partOf(fn, *view, subscript, span);
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
