//===- ScanStores.cpp - y[:] = cumsum(v) ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/ScanBuilder.h"

#include "compiler/lowering/ArrayExpressions.h"
#include "compiler/lowering/Arrays.h"
#include "compiler/lowering/ChosenArrays.h"
#include "compiler/lowering/Ranks.h"
#include "compiler/lowering/Reductions.h"
#include "compiler/lowering/Scopes.h"
#include "compiler/lowering/WholeArrays.h"
#include "dialects/Kern/ScalarFunctions.h"
#include "runtime/error/Counted.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

/// The function by which a kind joins two numbers.
static ScalarFunction joining(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Sum:
    return ScalarFunction::add;
  case ReduceKind::Prod:
    return ScalarFunction::multiply;
  case ReduceKind::Min:
    return ScalarFunction::minimum;
  default:
    return ScalarFunction::maximum;
  }
}

/// The call of a scan in a file that has no function of that name.
static const syntax::Call *scanCall(FunctionLowering &fn,
                                    const syntax::Expr &value,
                                    std::optional<Callee> &callee) {
  const auto *call = value.as<syntax::Call>();
  if (!call)
    return nullptr;
  const auto *plain = call->function->as<syntax::Name>();
  const auto *dotted = call->function->as<syntax::Attribute>();
  if (!isScan(plain    ? plain->name
              : dotted ? dotted->name.name
                       : "") ||
      (plain && fn.env().count(plain->name)))
    return nullptr;
  callee = calleeOf(fn, *call->function);
  return callee && !callee->function && call->keywords.empty() ? call : nullptr;
}

/// The parts of arrays to which an assignment with this target stores; nothing
/// after an error or for a target that is a name.
static std::optional<SmallVector<ArrayView>>
targetsOf(FunctionLowering &fn, const syntax::Expr &target, bool &hasFailed) {
  SmallVector<const syntax::Expr *> list = {&target};
  if (const auto *tuple = target.as<syntax::Tuple>()) {
    list.clear();
    for (const syntax::ExprPtr &each : tuple->elements)
      list.push_back(each.get());
  }
  SmallVector<ArrayView> views;
  for (const syntax::Expr *each : list) {
    const auto *subscript = each->as<syntax::Subscript>();
    if (!subscript)
      return std::nullopt;
    std::optional<Binding> base = fn.lowerExpr(*subscript->value);
    const auto *view = base ? base->as<ArrayView>() : nullptr;
    std::optional<ArrayView> part;
    if (view)
      part = indexView(fn, *view, *subscript, each->span);
    hasFailed |= !base || (view && !part);
    if (!part || part->open().size() != 1)
      return std::nullopt;
    views.push_back(std::move(*part));
  }
  return views;
}

namespace {
/// One assignment of a scan.
class ScanStore {
public:
  ScanStore(FunctionLowering &fn, StringRef name, Span span)
      : fn(fn), name(name), span(span) {}

  /// Stores to the targets. Without one a scan of numbers makes a local array.
  /// What it stored to; nothing after an error.
  std::optional<ArrayView> run(const syntax::Call &call,
                               SmallVector<ArrayView> targets, Span place);

private:
  /// The function of two elements that the call names.
  std::optional<Callee> functionOf(const syntax::Call &call);
  std::optional<Binding> join(const Binding &left, const Binding &right,
                              const syntax::Call &call);
  std::optional<ArrayView> made(const ScanSource &source, Value length);
  /// Whether iterations read only the elements that they write.
  bool readsOwn(ScanOp op, const ArrayView &target);
  void write(ScanBuilder &builder, ScanOp op, ArrayRef<ArrayView> targets,
             Span place);

  FunctionLowering &fn;
  StringRef name;
  Span span;
  std::optional<Callee> callee;
};
} // namespace

std::optional<Callee> ScanStore::functionOf(const syntax::Call &call) {
  auto refuse = [&](Span place) {
    fn.error(Diag::scan_function, place).help =
        "`y[:] = accumulate(f, x for x in v)`, with an associative "
        "`def f(a, b)` or a library function such as `maximum`";
  };
  if (call.arguments.size() == 2)
    return binaryFunction(fn, *call.arguments[0], refuse);
  refuse(span);
  return std::nullopt;
}

std::optional<Binding> ScanStore::join(const Binding &left,
                                       const Binding &right,
                                       const syntax::Call &call) {
  if (std::optional<ReduceKind> kind = scanKind(name))
    return Binding(fn.apply(joining(*kind),
                            {*left.as<Number>(), *right.as<Number>()}, span));
  Span place = call.arguments[1]->span;
  std::optional<Binding> joined =
      combineTwo(fn, *callee, left, right, {place, place}, span);
  if (!joined || sameShape(*joined, left))
    return joined;
  if (!joined->as<Poisoned>())
    fn.error(Diag::scan_type, span, {describe(left), describe(*joined)}).help =
        "its result is an argument of the next call: all elements have one "
        "shape";
  return std::nullopt;
}

bool ScanStore::readsOwn(ScanOp op, const ArrayView &target) {
  SmallVector<LoadOp> loads;
  op.getElements().walk([&](LoadOp load) {
    if (llvm::is_contained(target.arrays(), load.getArray()))
      loads.push_back(load);
  });
  if (loads.empty() || (target.chosen && !target.chosen->parts.empty()))
    return loads.empty();
  OpBuilder::InsertionGuard guard(fn.builder);
  Block &first = op.getElements().front();
  fn.builder.setInsertionPoint(first.getTerminator());
  SmallVector<Value> own =
      indicesOf(atFirst(fn, target, first.getArgument(0), span));
  return llvm::all_of(loads, [&](LoadOp load) {
    return llvm::all_of(llvm::zip(load.getIndices(), own), [](auto pair) {
      return isSameIndex(std::get<0>(pair), std::get<1>(pair));
    });
  });
}

void ScanStore::write(ScanBuilder &builder, ScanOp op,
                      ArrayRef<ArrayView> targets, Span place) {
  RegionScope inside(fn, op.getWrite());
  Value index = builder.argument(op.getWrite());
  SmallVector<Value> values;
  for (unsigned i = 0; i < builder.width(); ++i)
    values.push_back(builder.argument(op.getWrite()));
  for (auto [value, target] : llvm::zip(values, targets))
    store(fn, value, atFirst(fn, target, index, place), place);
  GiveOp::create(fn.builder, fn.loc(span), ValueRange());
}

/// A value of the type of a view's elements, made without branches: of all
/// arrays that it may be.
static Value likeAnyOf(FunctionLowering &fn, const ArrayView &view, Span span) {
  Value like;
  for (ArrayView &one : partsOf(fn, view, span)) {
    Value zero = fn.indexValue(fn.constantInt(0, span), span);
    Value element = load(fn, atFirst(fn, std::move(one), zero, span), span);
    like =
        like ? fn.applyValues(ScalarFunction::where,
                              {fn.materialize({nullptr, Constant{true}}, span),
                               like, element},
                              span)
             : element;
  }
  return like;
}

/// A local array for the partial results.
std::optional<ArrayView> ScanStore::made(const ScanSource &source,
                                         Value length) {
  const ReduceKind kind = *scanKind(name);
  auto elementAt = [&](Value index) -> std::optional<Number> {
    std::optional<Binding> element = source.at(fn, index, span);
    return element ? fn.scalarOf(*element, span) : std::nullopt;
  };
  Value like;
  if (kind == ReduceKind::Sum || kind == ReduceKind::Prod) {
    // A sum has its own type, which that of no elements has too.
    std::optional<Reduced> none =
        reduceOver(fn, {kind}, counting(fn, fn.constantInt(0, span), span),
                   span, [&](Value index) -> std::optional<ReducedElement> {
                     std::optional<Number> element = elementAt(index);
                     return element ? std::optional(ReducedElement{
                                          fn.materialize(*element, span)})
                                    : std::nullopt;
                   });
    like = none ? none->value : Value();
  } else if (std::optional<Number> first =
                 elementAt(fn.indexValue(fn.constantInt(0, span), span))) {
    like = fn.materialize(*first, span);
  }
  if (!like)
    return std::nullopt;
  std::optional<ArrayView> array = localLike(fn, like, {length}, span);
  if (!array)
    fn.error(Diag::local_array_shape, span).help =
        "store it to a part of an array: `y[:k] = " + name.str() + "(v[:k])`";
  else
    array->name.clear();
  return array;
}

std::optional<ArrayView> ScanStore::run(const syntax::Call &call,
                                        SmallVector<ArrayView> targets,
                                        Span place) {
  const bool isGeneral = name == "accumulate";
  if (isGeneral) {
    callee = functionOf(call);
    if (!callee)
      return std::nullopt;
  } else if (!checkCount(fn, name, call, 1, 1, span)) {
    return std::nullopt;
  }
  for (const ArrayView &target : targets)
    if (!checkWritable(fn, target, place))
      return std::nullopt;
  ScanOp op;
  ScanBuilder builder(fn, span);
  {
    EnvScope own(fn);
    std::optional<ScanSource> source =
        scanSource(fn, *call.arguments.back(), name, span);
    if (!source)
      return std::nullopt;
    Value length = lengthOf(fn, source->sequence, span);
    if (targets.empty()) {
      std::optional<ArrayView> array = made(*source, length);
      if (!array)
        return std::nullopt;
      targets.push_back(*array);
    }
    for (const ArrayView &target : targets)
      if (!checkSameExtent(fn, target.name, extentOf(target, 0), length, span))
        return std::nullopt;
    op = builder.begin(*source, {}, scanKind(name));
  }
  auto combine = [&](const Binding &left, const Binding &right) {
    return join(left, right, call);
  };
  const std::optional<Binding> &element = builder.element();
  if (element && (!op || (!isGeneral && !element->as<Number>()))) {
    fn.scalarOf(*element, call.arguments.back()->span);
    op = nullptr;
  }
  if (!op || !builder.combine(combine)) {
    fn.failed = true;
    return std::nullopt;
  }
  if (targets.size() != builder.width()) {
    fn.error(Diag::scan_targets, place,
             {name.str(), runtime::counted(builder.width(), "value"),
              runtime::countedAre(targets.size(), "array")})
        .help = "an element that is a tuple has a target for each of its "
                "values: `a[:], b[:] = accumulate(f, …)`";
    return std::nullopt;
  }
  // What is stored must not be read later: it goes through local arrays.
  std::vector<std::pair<ArrayView, ArrayView>> copies;
  for (ArrayView &target : targets) {
    if (readsOwn(op, target))
      continue;
    OpBuilder::InsertionGuard guard(fn.builder);
    fn.builder.setInsertionPoint(op);
    Value like = likeAnyOf(fn, target, span);
    std::optional<ArrayView> copy =
        localLike(fn, like, {extentOf(target, 0)}, span);
    if (!copy) {
      fn.error(Diag::overlapping_parts, place, {target.name}).help =
          "read from a second array, or write to one";
      return std::nullopt;
    }
    copies.push_back({target, *copy});
    target = *copy;
  }
  write(builder, op, targets, place);
  for (const auto &[target, copy] : copies)
    assignPart(fn, target, copy, place, span);
  return targets.front();
}

bool storeScan(FunctionLowering &fn, const ArrayView &target,
               const syntax::Expr &value, Span place) {
  std::optional<Callee> callee;
  const syntax::Call *call = scanCall(fn, value, callee);
  if (!call || !scanKind(callee->name) || target.open().size() != 1 ||
      hasNumPyOptions(*call, fn.scope()))
    return false;
  ScanStore(fn, callee->name, value.span).run(*call, {target}, place);
  return true;
}

std::optional<Binding> lowerScanCall(FunctionLowering &fn, StringRef name,
                                     const syntax::Call &call, Span span) {
  std::optional<ArrayView> array =
      ScanStore(fn, name, span).run(call, {}, span);
  return array ? std::optional<Binding>(*array) : std::nullopt;
}

bool lowerScan(FunctionLowering &fn, const syntax::Assign &statement,
               Span span) {
  std::optional<Callee> callee;
  const syntax::Call *call = scanCall(fn, *statement.value, callee);
  if (!call || statement.targets.size() != 1 ||
      hasNumPyOptions(*call, fn.scope()))
    return false;
  const syntax::Expr &target = *statement.targets.front();
  if (!target.as<syntax::Subscript>() && !target.as<syntax::Tuple>())
    return false;
  bool hasFailed = false;
  auto targets = targetsOf(fn, target, hasFailed);
  if (hasFailed)
    return true;
  if (!targets)
    return false;
  const Span place = statement.value->span;
  auto run = [&]() -> std::optional<Binding> {
    ScanStore(fn, callee->name, place).run(*call, *targets, target.span);
    return Binding(NoValue());
  };
  // On a path for each function that the first argument may be.
  if (call->arguments.empty())
    run();
  else
    onFunction(fn, *call->arguments.front(), place, run);
  return true;
}

} // namespace kern::compiler
