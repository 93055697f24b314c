//===- IndexForms.cpp - indices as polynomials ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/dependence/IndexForms.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

IndexForms::IndexForms(ParallelOp parallel, const Counters &counters,
                       DominanceInfo &dominance, bool isComplete)
    : parallel(parallel), counters(counters), dominance(dominance),
      isComplete(isComplete) {}

bool IndexForms::isInvariant(const IndexForm &form) const {
  return llvm::all_of(form.terms, [&](const auto &term) {
    return llvm::all_of(term.first,
                        [&](AtomId id) { return atoms[id].isInvariant; });
  });
}

bool IndexForms::isData(const IndexForm &form) const {
  return llvm::any_of(form.terms, [&](const auto &term) {
    return llvm::any_of(term.first,
                        [&](AtomId id) { return atoms[id].isData; });
  });
}

IndexForm IndexForms::unite(Key key, Atom atom) {
  auto [found, isNew] = known.try_emplace(std::move(key), atoms.size());
  if (isNew)
    atoms.push_back(std::move(atom));
  return ofAtom(found->second);
}

IndexForm IndexForms::unknown(StringRef text, const void *identity,
                              std::vector<IndexForm> operands, bool hasData) {
  Atom atom;
  atom.isInvariant = llvm::all_of(
      operands, [&](const IndexForm &form) { return isInvariant(form); });
  atom.isData = hasData || llvm::any_of(operands, [&](const IndexForm &form) {
                  return isData(form);
                });
  return unite({Atom::Opaque, 0, identity, text.str(), std::move(operands)},
               std::move(atom));
}

bool IndexForms::isInside(Value value) const {
  return parallel->isAncestor(value.getParentRegion()->getParentOp());
}

IndexForm IndexForms::opaque(Value value) {
  Atom atom;
  atom.isInvariant = !isInside(value);
  atom.isData = isComplete && followsFromData(value, dominance);
  return unite({Atom::Opaque, 0, value.getAsOpaquePointer(), "", {}},
               std::move(atom));
}

IndexForm IndexForms::counter(Value value, Value lower, Value upper,
                              int64_t step, bool endsPast) {
  Atom atom;
  atom.kind = Atom::Counter;
  atom.isInvariant = !isInside(value);
  atom.step = step;
  atom.endsPast = endsPast;
  // The bounds are the first value and the one past the end; reversed for a
  // negative step.
  if (step < 0)
    std::swap(lower, upper);
  int64_t past = step < 0 ? 1 : 0;
  auto bound = [&](Value at, int64_t offset, bool &has) {
    std::optional<IndexForm> form =
        at ? sum(of(at), IndexForm{offset, {}}) : std::nullopt;
    has = form.has_value();
    return form.value_or(IndexForm());
  };
  atom.a = bound(lower, past, atom.hasLower);
  atom.b = bound(upper, past, atom.hasUpper);
  atom.isData =
      (isComplete && !atom.hasUpper && followsFromData(value, dominance)) ||
      isData(atom.a) || isData(atom.b);
  return unite({Atom::Counter, 0, value.getAsOpaquePointer(), "", {}},
               std::move(atom));
}

IndexForm IndexForms::division(Atom::Kind kind, const IndexForm &a,
                               const IndexForm &b) {
  if (b.isConstant() && b.constant == 0)
    return IndexForm();
  if (b.isConstant() && b.constant == 1)
    return kind == Atom::Quotient ? a : IndexForm();
  StringRef name = kind == Atom::Quotient ? "floor_divide" : "remainder";
  if (!isInvariant(b) || (b.isConstant() && b.constant < 0))
    return unknown(name, nullptr, {a, b});
  if (a.isConstant() && b.isConstant()) {
    int64_t quotient = a.constant / b.constant, rest = a.constant % b.constant;
    quotient -= rest < 0;
    rest += rest < 0 ? b.constant : 0;
    return {kind == Atom::Quotient ? quotient : rest, {}};
  }
  Atom atom;
  atom.kind = kind;
  atom.isInvariant = isInvariant(a);
  atom.isData = isData(a) || isData(b);
  atom.a = a;
  atom.b = b;
  return unite({kind, 0, nullptr, "", {a, b}}, std::move(atom));
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

IndexForm IndexForms::of(Value value) {
  constexpr unsigned deepest = 200;
  if (auto found = forms.find(value); found != forms.end())
    return found->second;
  if (depth >= deepest)
    return opaque(value);
  ++depth;
  IndexForm form = compute(value);
  --depth;
  forms.try_emplace(value, form);
  return form;
}

IndexForm IndexForms::compute(Value value) {
  if (auto found = counters.find(value); found != counters.end()) {
    const Counting counting = found->second;
    return counter(value, counting.lower, counting.upper, counting.step,
                   /*endsPast=*/isComplete);
  }
  if (auto argument = dyn_cast<BlockArgument>(value))
    return ofArgument(argument);
  Operation *op = value.getDefiningOp();
  if (auto constant = dyn_cast<ConstantOp>(op)) {
    std::optional<int64_t> integer = knownInteger(constant);
    if (integer && isReasonable({*integer, {}}))
      return {*integer, {}};
    return unknown("constant", constant.getValue().getAsOpaquePointer(), {});
  }
  if (auto dim = dyn_cast<DimOp>(op)) {
    Atom atom;
    atom.isInvariant = atom.isNonNegative = true;
    return unite({Atom::Opaque, 0, nullptr, "dim " + dim.getDim().str(), {}},
                 std::move(atom));
  }
  if (isa<IndexOp, LeaveOp, AccumulatorOp>(op))
    return of(op->getOperand(0));
  if (auto cast = dyn_cast<CastOp>(op)) {
    if (isWideType(cast.getTarget()) && isWide(cast.getValue()) &&
        isInteger(cast.getValue()))
      return of(cast.getValue());
    std::string text = isWide(cast.getValue()) ? "cast wide" : "cast";
    return unknown(text, cast.getTarget().getAsOpaquePointer(),
                   {of(cast.getValue())});
  }
  if (auto enter = dyn_cast<EnterOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    if (number < enter.getParameters().size() &&
        isWideType(cast<OperandAttr>(enter.getParameters()[number]).getType()))
      return of(enter.getOperands()[number]);
    // The typed loop, and so its type, depends on all operands.
    std::vector<IndexForm> operands{{int64_t(number), {}}};
    for (Value operand : enter.getOperands())
      if (!isa<ArrayType>(operand.getType()))
        operands.push_back(of(operand));
    return unknown("enter", op, std::move(operands));
  }
  if (auto apply = dyn_cast<ApplyOp>(op))
    return ofApply(apply, cast<OpResult>(value).getResultNumber());
  if (auto load = dyn_cast<LoadOp>(op))
    return ofLoad(load);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return ofReduce(value, reduce);
  if (isa<TruthOp>(op))
    return unknown("truth", nullptr, {of(op->getOperand(0))});
  return opaque(value);
}

IndexForm IndexForms::ofArgument(BlockArgument argument) {
  Operation *owner = argument.getOwner()->getParentOp();
  bool isEntry = argument.getOwner()->isEntryBlock();
  Value lower, upper, step;
  if (auto loop = dyn_cast<ParallelOp>(owner); loop && isEntry) {
    unsigned number = argument.getArgNumber();
    if (loop == parallel) {
      Atom atom;
      atom.kind = Atom::Index;
      atom.number = number;
      return unite({Atom::Index, number, nullptr, "", {}}, std::move(atom));
    }
    lower = loop.getLowers()[number];
    upper = loop.getUppers()[number];
    step = loop.getSteps()[number];
  } else if (auto reduce = dyn_cast<ReduceOp>(owner); reduce && isEntry) {
    lower = reduce.getLower();
    upper = reduce.getUpper();
    step = reduce.getStep();
  } else if (auto scan = dyn_cast<ScanOp>(owner);
             scan && isEntry && argument.getArgNumber() == 0 &&
             argument.getParentRegion() != &scan.getCombine()) {
    lower = scan.getLower();
    upper = scan.getUpper();
    step = scan.getStep();
  } else {
    return opaque(argument);
  }
  if (std::optional<int64_t> known = knownInteger(step);
      known && isReasonable({*known, {}}))
    return counter(argument, lower, upper, *known);
  return opaque(argument);
}

IndexForm IndexForms::ofApply(ApplyOp apply, unsigned number) {
  const ScalarFunction function = apply.getFunction();
  std::vector<IndexForm> operands;
  std::string text = infoOf(function).name.str() + "." + std::to_string(number);
  for (Value operand : apply.getOperands()) {
    operands.push_back(of(operand));
    // The same function may give a different result in another type.
    text += isWide(operand) ? "w" : "n";
  }
  if (isWide(apply.getResult(number)))
    if (std::optional<IndexForm> known =
            ofArithmetic(function, number, operands))
      return *known;
  return unknown(text, nullptr, std::move(operands));
}

std::optional<IndexForm>
IndexForms::ofArithmetic(ScalarFunction function, unsigned number,
                         ArrayRef<IndexForm> operands) {
  using enum ScalarFunction;
  const IndexForm &a = operands[0];
  if (function == negative)
    return sum(IndexForm(), a, -1);
  if (function == positive)
    return a;
  if (function == invert)
    return sum({-1, {}}, a, -1);
  if (operands.size() != 2)
    return std::nullopt;
  const IndexForm &b = operands[1];
  if (function == add)
    return sum(a, b);
  if (function == subtract)
    return sum(a, b, -1);
  if (function == multiply)
    return isInvariant(a) || isInvariant(b) ? product(a, b) : std::nullopt;
  if (function == floor_divide || (function == divmod && number == 0))
    return division(Atom::Quotient, a, b);
  if (function == remainder || (function == divmod && number == 1))
    return division(Atom::Remainder, a, b);
  if (function == minimum || function == maximum) {
    Atom atom;
    const auto kind = function == minimum ? Atom::Minimum : Atom::Maximum;
    atom.kind = kind;
    atom.isInvariant = isInvariant(a) && isInvariant(b);
    atom.isData = isData(a) || isData(b);
    atom.a = a;
    atom.b = b;
    return unite({kind, 0, nullptr, "", {a, b}}, std::move(atom));
  }
  // A mask of the lowest bits, and shifts by a constant.
  constexpr int64_t widest = 30;
  const bool isSmall =
      b.isConstant() && b.constant >= 0 && b.constant <= widest;
  if (isSmall && function == left_shift)
    return product(a, {int64_t(1) << b.constant, {}});
  if (isSmall && function == right_shift)
    return division(Atom::Quotient, a, {int64_t(1) << b.constant, {}});
  if (function == bitwise_and)
    for (const auto &[value, mask] : {std::pair(&a, &b), std::pair(&b, &a)})
      if (mask->isConstant() && mask->constant >= 0 &&
          mask->constant < int64_t(1) << widest &&
          llvm::isPowerOf2_64(uint64_t(mask->constant) + 1))
        return division(Atom::Remainder, *value, {mask->constant + 1, {}});
  if (function == bitwise_xor)
    return ofExclusive(a, b);
  return std::nullopt;
}

std::optional<IndexForm> IndexForms::ofExclusive(const IndexForm &a,
                                                 const IndexForm &b) {
  if (isInvariant(a) && !isInvariant(b))
    return ofExclusive(b, a);
  if (!isInvariant(b))
    return std::nullopt;
  // Applying it twice cancels out.
  if (a.constant == 0 && a.terms.size() == 1) {
    const auto &[monomial, coefficient] = *a.terms.begin();
    const Atom &inner = atoms[monomial.front()];
    if (monomial.size() == 1 && coefficient == 1 &&
        inner.kind == Atom::Exclusive && inner.b == b)
      return inner.a;
  }
  Atom atom;
  atom.kind = Atom::Exclusive;
  atom.isInvariant = isInvariant(a);
  atom.isData = isData(a) || isData(b);
  atom.a = a;
  atom.b = b;
  return unite({Atom::Exclusive, 0, nullptr, "", {a, b}}, std::move(atom));
}

bool IndexForms::isWritten(Value array) const {
  // An incomplete body may still get any operation.
  return !isComplete || llvm::any_of(array.getUsers(), [&](Operation *user) {
    return isa<StoreOp, AccumulateOp>(user) && parallel->isProperAncestor(user);
  });
}

IndexForm IndexForms::ofLoad(LoadOp load) {
  if (!isInside(load.getResult()) || isWritten(load.getArray()))
    return opaque(load.getResult());
  std::vector<IndexForm> indices;
  for (Value index : load.getIndices())
    indices.push_back(of(index));
  return unknown("load", load.getArray().getAsOpaquePointer(),
                 std::move(indices), /*hasData=*/true);
}

IndexForm IndexForms::ofReduce(Value value, ReduceOp reduce) {
  IndexForm form = opaque(value);
  bool isSteady =
      !reduce
           ->walk([&](Operation *op) {
             auto load = dyn_cast<LoadOp>(op);
             bool isOpen = (load && isWritten(load.getArray())) ||
                           isa<LocalOp, StoreOp, AccumulateOp>(op);
             for (Value operand : op->getOperands())
               isOpen |= !isa<ArrayType>(operand.getType()) &&
                         !reduce->isAncestor(
                             operand.getParentRegion()->getParentOp()) &&
                         !isInvariant(of(operand));
             return isOpen ? WalkResult::interrupt() : WalkResult::advance();
           })
           .wasInterrupted();
  if (isSteady)
    atoms[form.terms.begin()->first.front()].isInvariant = true;
  return form;
}

} // namespace kern::compiler
