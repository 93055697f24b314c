//===- WholeArrays.cpp - stores to arrays and their parts -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/WholeArrays.h"

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Loops.h"
#include "compiler/lowering/Scopes.h"
#include "runtime/error/Counted.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

//===----------------------------------------------------------------------===//
// Loops over elements
//===----------------------------------------------------------------------===//

static bool isInUfunc(const FunctionLowering &fn) {
  const Frame *frame = fn.frame;
  while (frame->caller())
    frame = frame->caller();
  return frame->function.kind == syntax::ItemKind::Ufunc;
}

std::optional<SmallVector<SmallVector<int64_t>>>
fewIndices(ArrayRef<Value> extents) {
  constexpr size_t most = 16;
  SmallVector<SmallVector<int64_t>> all = {{}};
  for (Value extent : extents) {
    std::optional<int64_t> count = knownInteger(extent);
    if (!count || *count > int64_t(most))
      return std::nullopt;
    SmallVector<SmallVector<int64_t>> longer;
    for (const SmallVector<int64_t> &begin : all)
      for (int64_t i = 0; i < *count; ++i) {
        longer.push_back(begin);
        longer.back().push_back(i);
      }
    if (longer.size() > most)
      return std::nullopt;
    all = std::move(longer);
  }
  return all;
}

/// The elements of a ufunc run in parallel already.
static bool nestedLoops(FunctionLowering &fn, ArrayRef<Value> extents,
                        SmallVector<Value> indices,
                        llvm::function_ref<void(ArrayRef<Value>)> body,
                        Span span) {
  if (extents.empty()) {
    body(indices);
    return true;
  }
  Sequence range;
  range.lower = fn.indexValue(fn.constantInt(0, span), span);
  range.upper = extents.front();
  range.step = fn.constantInt(1, span);
  range.constantStep = 1;
  return loopOver(
      fn, range, {},
      [&](Value index) {
        indices.push_back(index);
        bool isDone =
            nestedLoops(fn, extents.drop_front(), indices, body, span);
        indices.pop_back();
        return isDone;
      },
      span);
}

void forEachIndex(FunctionLowering &fn, ArrayRef<Value> extents,
                  llvm::function_ref<void(ArrayRef<Value>)> body, Span span) {
  if (isInUfunc(fn)) {
    nestedLoops(fn, extents, {}, body, span);
    return;
  }
  // An axis of extent 1 is no range: around a sum, it would be the loop whose
  // iterations run at once.
  SmallVector<Value> lowers, uppers, steps, indices;
  for (Value extent : extents) {
    const bool isOne = knownInteger(extent) == 1;
    indices.push_back(isOne ? fn.indexValue(fn.constantInt(0, span), span)
                            : Value());
    if (isOne)
      continue;
    lowers.push_back(fn.constantInt(0, span));
    uppers.push_back(extent);
    steps.push_back(fn.constantInt(1, span));
  }
  if (uppers.empty())
    return body(indices);
  auto parallel =
      ParallelOp::create(fn.builder, fn.loc(span), lowers, uppers, steps);
  fn.twins.wholes.insert(parallel);
  RegionScope inside(fn, parallel.getBody());
  Type open = OpenType::get(fn.builder.getContext());
  for (Value &index : indices)
    if (!index)
      index = fn.region->front().addArgument(open, fn.loc(span));
  body(indices);
  YieldOp::create(fn.builder, fn.loc(span), Value(), Value(), Value());
}

ArrayView elementOf(FunctionLowering &fn, ArrayView view,
                    ArrayRef<Value> indices, Span span) {
  for (Value index : indices)
    view = atFirst(fn, std::move(view), index, span);
  return view;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// Whether two views of one array have an element in common only at the same
/// indices: `y[i, k:]` and `y[j, k:]`, whether i is j or not.
static bool areAligned(const ArrayView &a, const ArrayView &b) {
  return a.order == b.order &&
         llvm::all_of(llvm::zip(a.axes, b.axes), [](const auto &pair) {
           const auto &[x, y] = pair;
           if (x.fixed && y.fixed)
             return true;
           return x.step == y.step && !x.fixed && !y.fixed &&
                  isSameIndex(x.lower, y.lower) &&
                  isSameIndex(x.extent, y.extent);
         });
}

/// Whether two views of one array have no element in common.
static bool areApart(const ArrayView &a, const ArrayView &b) {
  return llvm::any_of(llvm::zip(a.axes, b.axes), [](const auto &pair) {
    const auto &[x, y] = pair;
    std::optional<int64_t> i, j;
    if (x.fixed && y.fixed) {
      i = knownInteger(x.fixed);
      j = knownInteger(y.fixed);
    }
    return i && j && i != j;
  });
}

bool isMoved(const ArrayView &source, const ArrayView &target) {
  if (source.chosen || target.chosen)
    return mayShareArray(source, target);
  return source.array == target.array && !areAligned(source, target) &&
         !areApart(source, target);
}

std::optional<ArrayView> localLike(FunctionLowering &fn, Value like,
                                   ArrayRef<Value> extents, Span span) {
  return localOf(fn, {nullptr, like}, extents, span);
}

std::optional<ArrayView> localOf(FunctionLowering &fn, TypeName type,
                                 ArrayRef<Value> extents, Span span) {
  for (Value extent : extents)
    if (!isShapeValue(extent) || isLargeShape(extent))
      return std::nullopt;
  Type open = OpenType::get(fn.builder.getContext());
  ArrayView view{nullptr, "the copy", span, true, {}};
  SmallVector<Value> sizes; // a slice may end before it begins
  for (Value extent : extents) {
    bool isSize = knownInteger(extent) || extent.getDefiningOp<DimOp>();
    sizes.push_back(isSize ? extent
                           : fn.applyValues(ScalarFunction::maximum,
                                            {extent, fn.constantInt(0, span)},
                                            span));
    view.axes.push_back({nullptr, nullptr, sizes.back()});
  }
  view.array = LocalOp::create(
      fn.builder, fn.loc(span),
      ArrayType::get(fn.builder.getContext(), open, unsigned(sizes.size())),
      fn.builder.getStringAttr(view.name), type.attribute, UnitAttr(),
      type.like, sizes);
  return view;
}

namespace {
/// One store of an array to a part of an array.
class ArrayStore {
public:
  ArrayStore(FunctionLowering &fn, const ArrayView &target, ArrayView source,
             Span place, Span span)
      : fn(fn), target(target), source(std::move(source)), place(place),
        span(span) {
    for (const Axis *axis : target.open())
      extents.push_back(axis->extent);
  }
  void run();

private:
  bool align();
  Value sourceAt(ArrayRef<Value> indices);
  void storeFew(ArrayRef<SmallVector<int64_t>> all);
  void storeCopy();

  FunctionLowering &fn;
  const ArrayView &target;
  ArrayView source;
  Span place, span;
  SmallVector<Value> extents;
  SmallVector<bool> repeats; ///< for each open axis of the source
};
} // namespace

/// Checks that the source's axes are the target's last ones.
bool ArrayStore::align() {
  auto axes = source.open();
  if (axes.size() > extents.size()) {
    fn.error(Diag::too_many_dimensions, span,
             {source.name.empty() ? textAt(fn, span) : source.name,
              runtime::counted(axes.size(), "dimension"), target.name,
              runtime::counted(extents.size(), "dimension")});
    return false;
  }
  ArrayRef<Value> last = ArrayRef(extents).take_back(axes.size());
  for (auto [axis, extent] : llvm::zip(axes, last)) {
    repeats.push_back(knownInteger(axis->extent) == 1);
    if (!repeats.back() &&
        !checkSameExtent(fn, target.name, extent, axis->extent, span))
      return false;
  }
  return true;
}

Value ArrayStore::sourceAt(ArrayRef<Value> indices) {
  SmallVector<Value> at;
  for (auto [index, repeat] :
       llvm::zip(indices.take_back(repeats.size()), repeats))
    at.push_back(repeat ? fn.indexValue(fn.constantInt(0, span), span) : index);
  return load(fn, elementOf(fn, source, at, span), span);
}

/// All elements are read before the first one is written.
void ArrayStore::storeFew(ArrayRef<SmallVector<int64_t>> all) {
  SmallVector<SmallVector<Value>> places;
  SmallVector<Value> values;
  for (ArrayRef<int64_t> indices : all) {
    SmallVector<Value> &at = places.emplace_back();
    for (int64_t index : indices)
      at.push_back(fn.indexValue(fn.constantInt(index, span), span));
    values.push_back(sourceAt(at));
  }
  for (auto [at, value] : llvm::zip(places, values))
    store(fn, value, elementOf(fn, target, at, place), place);
}

/// Stores through a local array, since the source and the target overlap.
void ArrayStore::storeCopy() {
  SmallVector<Value> zeros(extents.size(),
                           fn.indexValue(fn.constantInt(0, span), span));
  std::optional<ArrayView> copy = localLike(fn, sourceAt(zeros), extents, span);
  if (!copy) {
    fn.error(Diag::overlapping_parts, place, {target.name}).help =
        "read from a second array, or write the elements one after the other "
        "in a `for`";
    return;
  }
  forEachIndex(
      fn, extents,
      [&](ArrayRef<Value> at) {
        store(fn, sourceAt(at), elementOf(fn, *copy, at, span), span);
      },
      span);
  source = *copy;
  repeats.assign(extents.size(), false);
  forEachIndex(
      fn, extents,
      [&](ArrayRef<Value> at) {
        store(fn, sourceAt(at), elementOf(fn, target, at, place), place);
      },
      span);
}

void ArrayStore::run() {
  if (!checkWritable(fn, target, place) || !align())
    return;
  if (auto few = fewIndices(extents))
    return storeFew(*few);
  if (isMoved(source, target))
    return storeCopy();
  forEachIndex(
      fn, extents,
      [&](ArrayRef<Value> at) {
        store(fn, sourceAt(at), elementOf(fn, target, at, place), place);
      },
      span);
}

void assignPart(FunctionLowering &fn, const ArrayView &target,
                const Binding &value, Span place, Span span) {
  if (value.as<Poisoned>())
    return;
  if (const auto *view = value.as<ArrayView>())
    return ArrayStore(fn, target, *view, place, span).run();
  std::optional<Number> number = fn.scalarOf(value, span);
  if (!number || !checkWritable(fn, target, place))
    return;
  Value one = fn.materialize(*number, span);
  SmallVector<Value> extents;
  for (const Axis *axis : target.open())
    extents.push_back(axis->extent);
  if (auto few = fewIndices(extents)) {
    for (ArrayRef<int64_t> indices : *few) {
      SmallVector<Value> at;
      for (int64_t index : indices)
        at.push_back(fn.indexValue(fn.constantInt(index, span), span));
      store(fn, one, elementOf(fn, target, at, place), place);
    }
    return;
  }
  forEachIndex(
      fn, extents,
      [&](ArrayRef<Value> at) {
        store(fn, one, elementOf(fn, target, at, place), place);
      },
      span);
}

} // namespace kern::compiler
