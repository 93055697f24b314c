//===- Joins.cpp - where control flow meets -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/ChosenArrays.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern::compiler {

static bool sameConstant(const Constant &a, const Constant &b) {
  // Compares bits: NaN is the same constant as itself, and -0.0 is not 0.0.
  if (a.value.index() != b.value.index())
    return false;
  if (const double *x = std::get_if<double>(&a.value))
    return llvm::bit_cast<uint64_t>(*x) ==
           llvm::bit_cast<uint64_t>(std::get<double>(b.value));
  return a.value == b.value;
}

bool isSame(const Binding &a, const Binding &b) {
  const auto *x = a.as<Number>(), *y = b.as<Number>();
  if (x && y) {
    if (x->constant && y->constant)
      return sameConstant(*x->constant, *y->constant);
    return !x->constant && !y->constant && x->value == y->value;
  }
  const auto *left = a.as<Tuple>(), *right = b.as<Tuple>();
  if (left && right)
    return left->isCopyOf(*right) ||
           llvm::equal(left->elements(), right->elements(), isSame);
  const auto *one = a.as<ArrayView>(), *other = b.as<ArrayView>();
  if (one && other)
    return one->arrays() == other->arrays() &&
           (!one->chosen || one->chosen->number == other->chosen->number) &&
           one->readAs == other->readAs && one->order == other->order &&
           llvm::equal(one->axes, other->axes,
                       [](const Axis &p, const Axis &q) {
                         return p.fixed == q.fixed && p.lower == q.lower &&
                                p.extent == q.extent && p.step == q.step;
                       });
  const auto *f = a.as<FunctionName>(), *g = b.as<FunctionName>();
  if (f && g && (f->chosen || g->chosen))
    return f->chosen == g->chosen;
  if (f && g)
    return f->function && g->function
               ? f->function->function == g->function->function
               : !f->function && !g->function && f->name == g->name;
  return a.as<NoValue>() && b.as<NoValue>();
}

namespace {

/// A block where paths meet.
struct JoinPoint {
  FunctionLowering &fn;
  Block *block;
  SmallVector<Block *> paths; ///< a path may come to end in another block
  Span span;
  /// What each path passes to the block's arguments.
  std::vector<SmallVector<Value>> operands{paths.size()};

  /// Joins the bindings `arriving[i]` of each path i; adds block arguments.
  Binding join(ArrayRef<const Binding *> arriving);
  Binding joinFunctions(ArrayRef<const Binding *> arriving);
  /// Nothing if they cannot be chosen between.
  std::optional<ArrayView> joinViews(ArrayRef<const Binding *> arriving);
  ArrayView joinParts(ArrayRef<const ArrayView *> views);
  /// The numbers that paths arrive with, joined one by one.
  SmallVector<Value> joinPlaces(ArrayRef<std::vector<Binding>> places);
  /// Ends each path with a jump to the block, and continues in the block.
  void close();
};

} // namespace

Binding JoinPoint::join(ArrayRef<const Binding *> arriving) {
  const Binding &first = *arriving.front();
  for (const Binding *binding : arriving)
    if (binding->as<Poisoned>())
      return *binding;
  if (llvm::all_of(arriving,
                   [&](const Binding *other) { return isSame(first, *other); }))
    return first;

  if (llvm::all_of(arriving,
                   [](const Binding *b) { return b->as<Number>(); })) {
    OpBuilder::InsertionGuard guard(fn.builder);
    fn.countWork(1, span);
    for (auto [index, binding] : llvm::enumerate(arriving)) {
      fn.builder.setInsertionPointToEnd(paths[index]);
      operands[index].push_back(fn.materialize(*binding->as<Number>(), span));
    }
    return Binding(block->addArgument(
        ir::OpenType::get(fn.builder.getContext()), fn.loc(span)));
  }

  if (const auto *tuple = first.as<Tuple>()) {
    size_t size = tuple->elements().size();
    if (llvm::all_of(arriving, [&](const Binding *b) {
          return b->as<Tuple>() && b->as<Tuple>()->elements().size() == size;
        })) {
      std::vector<Binding> joined;
      for (size_t i = 0; i < size; ++i) {
        SmallVector<const Binding *> elements;
        for (const Binding *binding : arriving)
          elements.push_back(&binding->as<Tuple>()->elements()[i]);
        joined.push_back(join(elements));
      }
      return Tuple(std::move(joined));
    }
  }
  if (llvm::all_of(arriving,
                   [](const Binding *b) { return b->as<FunctionName>(); }))
    return joinFunctions(arriving);
  if (first.as<ArrayView>())
    if (std::optional<ArrayView> view = joinViews(arriving))
      return *view;
  // Find a binding that differs, if possible one of another kind.
  const Binding *other = *llvm::find_if(
      arriving, [&](const Binding *b) { return !isSame(first, *b); });
  for (const Binding *binding : arriving)
    if (describe(*binding) != describe(first))
      other = binding;
  Poisoned conflict = {Poisoned::Conflict, span, describe(first),
                       describe(*other)};
  if (conflict.one == conflict.other && first.as<ArrayView>()) {
    conflict.other = "another array";
    conflict.isOfArrays = true;
  }
  return conflict;
}

/// Each path says of each function whether it is the one: a constant, unless
/// earlier paths joined there. Inference knows the joined one too, where types
/// decide which path is taken.
Binding JoinPoint::joinFunctions(ArrayRef<const Binding *> arriving) {
  auto isThis = [](const Binding &path, const FunctionName &function) {
    const auto &name = *path.as<FunctionName>();
    for (auto [i, other] : llvm::enumerate(name.functions()))
      if (isSame(other, function))
        return name.chosen ? name.chosen->isThis[i]
                           : Number{nullptr, Constant{true}};
    return Number{nullptr, Constant{false}};
  };
  ChosenFunction all;
  for (const Binding *path : arriving)
    for (const FunctionName &function : path->as<FunctionName>()->functions())
      if (llvm::none_of(all.functions, [&](const FunctionName &other) {
            return isSame(other, function);
          }))
        all.functions.push_back(function);
  for (const FunctionName &function : all.functions) {
    std::vector<Binding> numbers;
    for (const Binding *path : arriving)
      numbers.push_back(isThis(*path, function));
    all.isThis.push_back(
        *join(llvm::map_to_vector(numbers, [](const Binding &number) {
           return &number;
         })).as<Number>());
  }
  FunctionName result = all.functions.front();
  result.chosen = std::make_shared<const ChosenFunction>(std::move(all));
  return result;
}

std::optional<ArrayView>
JoinPoint::joinViews(ArrayRef<const Binding *> arriving) {
  std::vector<ArrayView> own;
  for (const Binding *binding : arriving) {
    if (!binding->as<ArrayView>())
      return std::nullopt;
    own.push_back(*binding->as<ArrayView>());
  }
  auto isLikeFirst = [&](const ArrayView &view) {
    return mayHaveSameShape(own.front(), view);
  };
  if (!llvm::all_of(own, isLikeFirst))
    copyInputs(fn, own, paths, span);
  const bool areAlike = llvm::all_of(own, isLikeFirst);
  if (!areAlike && !llvm::all_of(own, [&](const ArrayView &view) {
        return mayBeChosenParts(own.front(), view);
      }))
    return std::nullopt;
  SmallVector<const ArrayView *> views;
  for (const ArrayView &view : own)
    views.push_back(&view);
  const std::vector<Value> arrays = arraysOf(views);
  makeBefore(fn, arrays, paths);
  if (!existAfter(arrays, paths))
    return std::nullopt;
  for (const Axis &axis : views.front()->axes)
    if (!axis.fixed && !isShapeValue(axis.extent) &&
        !existAfter(axis.extent, paths))
      return std::nullopt;
  OpBuilder::InsertionGuard guard(fn.builder);
  if (!areAlike)
    return joinParts(views);
  std::vector<std::vector<Binding>> places;
  ArrayView result = *views.front();
  for (auto [path, view] : llvm::zip(paths, views)) {
    fn.builder.setInsertionPointToEnd(path);
    requireSameShape(fn, *views.front(), *view, span);
    const ArrayView alike = withPlaceAs(fn, *view, views, span);
    std::vector<Binding> &place = places.emplace_back();
    for (const Number &number : placeOf(fn, alike, arrays, span))
      place.push_back(number);
    for (auto [axis, other] : llvm::zip(result.axes, alike.axes))
      axis.lower = other.lower; // withPlace() gives it another
    result.writable = result.writable && view->writable;
  }
  const SmallVector<Value> joined = joinPlaces(places);
  fn.builder.setInsertionPointToEnd(block);
  for (Axis &axis : result.axes) // a path may have computed it
    if (!axis.fixed && isShapeValue(axis.extent))
      axis.extent = computedHere(fn, axis.extent);
  return withPlace(fn, std::move(result), arrays, joined, span);
}

ArrayView JoinPoint::joinParts(ArrayRef<const ArrayView *> views) {
  fn.builder.setInsertionPointToEnd(paths.front());
  std::vector<ArrayView> parts = partsOf(fn, views, span);
  ArrayView result = *views.front();
  std::vector<std::vector<Binding>> places;
  for (auto [path, view] : llvm::zip(paths, views)) {
    fn.builder.setInsertionPointToEnd(path);
    requireSameShape(fn, *views.front(), *view, span);
    result.writable = result.writable && view->writable;
    std::vector<Binding> &place = places.emplace_back();
    for (const Number &number : placeAmong(fn, *view, parts, span))
      place.push_back(number);
  }
  const SmallVector<Value> joined = joinPlaces(places);
  fn.builder.setInsertionPointToEnd(block);
  for (Axis *axis : result.open()) // a path may have computed it
    if (isShapeValue(axis->extent))
      axis->extent = computedHere(fn, axis->extent);
  return withPlaceAmong(fn, result, std::move(parts), joined, span);
}

SmallVector<Value>
JoinPoint::joinPlaces(ArrayRef<std::vector<Binding>> places) {
  SmallVector<Value> joined;
  for (size_t i = 0; i < places.front().size(); ++i) {
    SmallVector<const Binding *> numbers;
    for (const std::vector<Binding> &place : places)
      numbers.push_back(&place[i]);
    joined.push_back(join(numbers).as<Number>()->value);
  }
  return joined;
}

void JoinPoint::close() {
  for (auto [path, values] : llvm::zip(paths, operands)) {
    fn.builder.setInsertionPointToEnd(path);
    cf::BranchOp::create(fn.builder, fn.loc(span), block, values);
  }
  fn.builder.setInsertionPointToEnd(block);
}

void FunctionLowering::join(std::vector<Edge> edges, Span span) {
  if (edges.empty()) {
    builder.clearInsertionPoint();
    return;
  }
  if (edges.size() == 1) {
    builder.setInsertionPointToEnd(edges.front().block);
    env() = std::move(edges.front().env);
    return;
  }
  SmallVector<Block *> blocks;
  std::set<std::string_view> names;
  for (const Edge &edge : edges) {
    blocks.push_back(edge.block);
    for (const auto &entry : edge.env)
      names.insert(entry.first);
  }
  JoinPoint point{*this, newBlock(), blocks, span};
  Environment joined;
  for (std::string_view name : names) {
    SmallVector<const Binding *> arriving;
    for (const Edge &edge : edges)
      if (auto found = edge.env.find(name); found != edge.env.end())
        arriving.push_back(&found->second);
    joined.insert_or_assign(std::string(name),
                            arriving.size() == edges.size()
                                ? point.join(arriving)
                                : Poisoned{Poisoned::PartlyBound, span});
  }
  point.close();
  env() = std::move(joined);
}

void ValueJoin::arrive(Block *block, Binding value) {
  blocks.push_back(block);
  values.push_back(std::move(value));
}

void ValueJoin::arrive(Binding value) {
  arrive(fn.builder.getInsertionBlock(), std::move(value));
}

void ValueJoin::arriveEmpty() {
  isPartial = true;
  arrive(NoValue());
}

void ValueJoin::fillNumbers(Span span) {
  kern::compiler::fillNumbers(fn, values, blocks, span);
}

Binding ValueJoin::join(Span span) {
  if (blocks.empty()) {
    fn.builder.clearInsertionPoint();
    return NoValue();
  }
  if (blocks.size() == 1) {
    fn.builder.setInsertionPointToEnd(blocks.front());
    return values.front();
  }
  JoinPoint point{fn, fn.newBlock(), SmallVector<Block *>(blocks), span};
  SmallVector<const Binding *> arriving;
  for (const Binding &value : values)
    arriving.push_back(&value);
  Binding joined = isPartial ? Binding(Poisoned{Poisoned::PartlyBound, span})
                             : point.join(arriving);
  point.close();
  return joined;
}

} // namespace kern::compiler
