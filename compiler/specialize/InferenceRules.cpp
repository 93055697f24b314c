//===- InferenceRules.cpp - the result types of operations ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Application.h"
#include "compiler/specialize/Inference.h"
#include "dialects/Kern/ElementTypes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using runtime::DType;

/// How often a kern.element may give another type before types may only grow.
static constexpr unsigned maxChanges = 64;

/// The bit of a number; 0 for one without a bit.
static uint64_t bitOf(uint64_t number) {
  return number < 64 ? uint64_t(1) << number : 0;
}

static ValueType typeOfConstant(Attribute value) {
  if (isa<BoolAttr>(value))
    return {ValueType::Typed, DType::Bool};
  if (isa<IntegerAttr>(value))
    return {ValueType::WeakInt};
  return {isa<FloatAttr>(value) ? ValueType::WeakFloat
                                : ValueType::WeakComplex};
}

static ValueType typeOfTable(TableOp table) {
  if (auto element = table.getElement())
    return {ValueType::Typed, *toDType(*element)};
  ValueType widest{ValueType::Typed, DType::Bool};
  for (Attribute value : table.getValues()) {
    ValueType type = typeOfConstant(value);
    if (!widest.isWeak() || (type.isWeak() && type.form > widest.form))
      widest = type;
  }
  return widest;
}

/// An integer accumulator over typed values is 64-bit, as in `sum`.
static void widen(TypeSet &set) {
  if (set.typed.empty())
    return;
  bool allUnsigned = true;
  for (unsigned i = 0; i < runtime::dtypeCount; ++i)
    if (set.typed.contains(DType(i))) {
      if (!isInteger(DType(i)))
        return;
      allUnsigned &= isUnsigned(DType(i));
    }
  set.add({ValueType::Typed, allUnsigned ? DType::U64 : DType::I64});
}

std::optional<DType> InferredTypes::resolve(Attribute type) const {
  if (auto known = dyn_cast<TypeAttr>(type))
    return toDType(known.getValue());
  if (auto variable = dyn_cast<StringAttr>(type)) {
    auto found = request.variables.find(variable.getValue());
    if (found != request.variables.end())
      return found->second;
  }
  return std::nullopt;
}

void InferredTypes::give(Value value, ValueType type, Flag flag) {
  Fact fact;
  fact.set.add(type);
  fact.flag = flag;
  facts[value] = fact;
}

std::optional<SmallVector<ValueType>>
InferredTypes::typesOf(ValueRange values) const {
  SmallVector<ValueType> types;
  for (Value value : values) {
    Fact found = fact(value);
    if (found.set.empty())
      return std::nullopt;
    types.push_back(found.set.type());
  }
  return types;
}

void InferredTypes::visitApply(ApplyOp apply) {
  std::optional<SmallVector<ValueType>> types = typesOf(apply.getOperands());
  if (!types)
    return;
  std::optional<Application> application =
      resolveApplication(infoOf(apply.getFunction()), *types);
  if (!application) // reported when the typed code is made
    return;
  Flag flag = Flag::Varies;
  if (apply.getFunction() == ScalarFunction::logical_not) {
    Flag operand = fact(apply.getOperands()[0]).flag;
    if (operand != Flag::Varies)
      flag = operand == Flag::True ? Flag::False : Flag::True;
  }
  // Which of several arrays a name means may follow from types.
  uint64_t arrays = 0;
  if (apply.getFunction() == ScalarFunction::equal) {
    const uint64_t one = fact(apply.getOperands()[0]).arrays;
    const uint64_t other = fact(apply.getOperands()[1]).arrays;
    // With the attribute, it is none of the arrays of lower numbers.
    const uint64_t left =
        apply->hasAttr(arrayNumberAttribute) && llvm::has_single_bit(other)
            ? one & ~(other - 1)
            : one;
    if (one && other && !(one & other))
      flag = Flag::False;
    else if (left && left == other && llvm::has_single_bit(left))
      flag = Flag::True;
  } else if (apply.getFunction() == ScalarFunction::where) {
    const Flag condition = fact(apply.getOperands()[0]).flag;
    const uint64_t one = fact(apply.getOperands()[1]).arrays;
    const uint64_t other = fact(apply.getOperands()[2]).arrays;
    arrays = condition == Flag::True    ? one
             : condition == Flag::False ? other
             : one && other             ? one | other
                                        : 0;
  }
  for (auto [result, type] :
       llvm::zip(apply.getResults(), application->results)) {
    give(result, type, flag);
    facts[result].arrays = arrays;
  }
}

/// The set of the last visit replaces that of earlier ones, up to a limit.
void InferredTypes::visitElement(ElementOp element) {
  auto types = typesOf({element.getLike()});
  if (!types)
    return;
  Fact given;
  given.set.add(types->front());
  const Fact before = fact(element.getArray());
  if (given == before)
    return;
  elementsChanged = true;
  if (++elementChanges[element] > maxChanges)
    given.join(before);
  facts[element.getArray()] = given;
}

void InferredTypes::visitReduce(ReduceOp reduce) {
  visitRegion(reduce.getBody());
  auto give = [&](ValueType element) {
    std::optional<ValueType> type =
        reduce.getPartial() ? accumulatorType(reduce.getKind(), element)
                            : reductionType(reduce.getKind(), element);
    if (type)
      this->give(reduce.getResult(), *type);
  };
  if (reduce.getKept())
    this->give(reduce.getKept(), {ValueType::Typed, DType::I64});
  bool ends = false;
  for (Block &block : reduce.innermost().getBody()) {
    auto yield = dyn_cast<YieldOp>(block.getTerminator());
    if (!yield || !isReachableInside(&block, reduce))
      continue;
    ends = true;
    if (std::optional<SmallVector<ValueType>> element =
            typesOf({yield.getValue()}))
      give(element->front());
  }
  // An element that is never reached does not decide the type.
  if (!ends)
    give({ValueType::WeakInt});
}

InferredTypes::Facts InferredTypes::given(ScanOp scan, Region &part) {
  Facts facts(scan.width());
  for (Block &block : part) {
    auto give = dyn_cast<GiveOp>(block.getTerminator());
    if (!give || !isReachableInside(&block, scan))
      continue;
    for (auto [fact, value] : llvm::zip(facts, give.getValues())) {
      Fact found = this->fact(value);
      if (!found.set.empty())
        fact.set.add(found.set.type());
    }
  }
  return facts;
}

/// The type of the elements is that of what is combined. So the function that
/// combines them is visited until its result has the type of its arguments.
void InferredTypes::visitScan(ScanOp scan) {
  visitRegion(scan.getElements());
  Facts sums = given(scan, scan.getElements());
  auto kind = scan.getKind();
  for (auto [sum, initial] : llvm::zip(sums, scan.getInitial()))
    sum.set.add(fact(initial).set);
  SmallVector<std::optional<ValueType>> written(sums.size());
  for (auto [sum, result] : llvm::zip(sums, written))
    if (kind && !sum.set.empty()) {
      ValueType element = sum.set.type();
      result = reductionType(*kind, element);
      sum.set = {};
      if (std::optional<ValueType> type = accumulatorType(*kind, element))
        sum.set.add(*type);
    }
  auto arguments = scan.getCombine().getArguments();
  for (unsigned pass = 0;; ++pass) {
    for (auto [i, argument] : llvm::enumerate(arguments))
      facts[argument] = sums[i % sums.size()];
    visitRegion(scan.getCombine());
    Facts next = sums;
    for (auto [sum, initial, result] : llvm::zip_longest(
             next, scan.getInitial(), given(scan, scan.getCombine()))) {
      if (kind)
        continue;
      if (!result->set.empty())
        sum->set.add(result->set.type());
      bool isWeak = initial && !fact(*initial).set.empty() &&
                    fact(*initial).set.type().form == ValueType::WeakInt;
      if (scan.getAccumulates() && isWeak)
        widen(sum->set);
    }
    if (next == sums || pass > 64)
      break;
    sums = std::move(next);
  }
  for (auto [sum, total] : llvm::zip(sums, scan.getTotals()))
    if (!sum.set.empty())
      give(total, sum.set.type());
  if (scan.getWrite().empty())
    return;
  for (auto [i, argument] :
       llvm::enumerate(scan.getWrite().getArguments().drop_front()))
    if (written[i])
      give(argument, *written[i]);
    else
      facts[argument] = sums[i];
  visitRegion(scan.getWrite());
}

void InferredTypes::visit(Operation &op) {
  // An array whose type a kern.element gives has that of the pass before.
  auto open = dyn_cast<LocalOp>(op);
  if (!open || open.getElement() || open.getLike())
    for (Value result : op.getResults())
      facts.erase(result);
  const ValueType boolean{ValueType::Typed, DType::Bool};
  auto known = [](bool value) { return value ? Flag::True : Flag::False; };
  llvm::TypeSwitch<Operation *>(&op)
      .Case([&](ConstantOp constant) {
        auto flag = dyn_cast<BoolAttr>(constant.getValue());
        give(constant, typeOfConstant(constant.getValue()),
             flag ? known(flag.getValue()) : Flag::Varies);
        if (constant->hasAttr(arrayNumberAttribute))
          facts[constant].arrays = bitOf(constant.integer()->getZExtValue());
      })
      .Case([&](ElementOp element) { visitElement(element); })
      .Case([&](ApplyOp apply) { visitApply(apply); })
      .Case([&](ReduceOp reduce) { visitReduce(reduce); })
      .Case([&](ScanOp scan) { visitScan(scan); })
      .Case([&](ParallelOp parallel) { visitRegion(parallel.getBody()); })
      .Case([&](TypeIsOp typeIs) {
        auto variable = request.variables.find(typeIs.getVariable());
        Flag flag = Flag::Varies;
        if (variable != request.variables.end())
          flag = known(llvm::any_of(
              typeIs.getTypes().getAsValueRange<TypeAttr>(),
              [&](Type type) { return toDType(type) == variable->second; }));
        give(typeIs.getResult(), boolean, flag);
      })
      .Case([&](TypeOfIsOp typeOf) {
        if (auto types = typesOf({typeOf.getValue()}))
          give(typeOf.getResult(), boolean,
               known(llvm::any_of(typeOf.getTypes().getAsValueRange<TypeAttr>(),
                                  [&](Type one) {
                                    return toDType(one) ==
                                           types->front().carrier();
                                  })));
      })
      .Case([&](DimOp dim) { give(dim.getResult(), {ValueType::Index}); })
      .Case([&](IndexOp index) {
        if (typesOf({index.getValue()}))
          give(index.getResult(), {ValueType::Index});
      })
      .Case([&](CastOp cast) {
        std::optional<DType> type = resolve(cast.getTarget());
        if (type && typesOf({cast.getValue()}))
          give(cast.getResult(), {ValueType::Typed, *type},
               *type == DType::Bool ? fact(cast.getValue()).flag
                                    : Flag::Varies);
      })
      .Case([&](CastLikeOp cast) {
        if (auto types = typesOf(cast->getOperands())) {
          ValueType type = types->back();
          give(cast.getResult(), type,
               type.carrier() == DType::Bool ? fact(cast.getValue()).flag
                                             : Flag::Varies);
        }
      })
      .Case([&](BitsOp bits) {
        auto types = typesOf(bits->getOperands());
        std::optional<DType> type =
            bits.getTarget() ? resolve(*bits.getTarget()) : std::nullopt;
        if (types && bits.getLike())
          type = types->back().carrier();
        if (types && type)
          give(bits.getResult(), {ValueType::Typed, *type});
      })
      .Case([&](TruthOp truth) {
        if (typesOf({truth.getValue()}))
          give(truth.getResult(), boolean, fact(truth.getValue()).flag);
      })
      .Case([&](EnterOp enter) {
        auto types = typesOf(enter.getOperands());
        std::optional<LoopEntry> entered;
        if (types)
          entered = enterLoop(enter, *types);
        if (entered) // otherwise reported when the typed code is made
          for (auto [result, type] :
               llvm::zip(enter.getResults(), entered->results))
            give(result, type);
      })
      .Case([&](LeaveOp leave) {
        std::optional<SmallVector<ValueType>> types =
            typesOf(leave->getOperands());
        if (!types)
          return;
        ValueType value = types->front();
        ValueType type = leavingType(value, ArrayRef(*types).drop_front());
        give(leave.getResult(), type, fact(leave.getValue()).flag);
      })
      .Case([&](AccumulatorOp carried) {
        TypeSet set = fact(carried.getValue()).set;
        if (set.empty())
          return;
        auto start = entryTypes.find(carried.getValue());
        if (carried.getAccumulates() && start != entryTypes.end() &&
            start->second.form == ValueType::WeakInt)
          widen(set);
        give(carried.getResult(), set.type());
        facts[carried].arrays = fact(carried.getValue()).arrays;
      })
      .Case([&](LocalOp local) {
        std::optional<DType> type =
            local.getElement() ? resolve(*local.getElement()) : std::nullopt;
        if (type)
          give(local.getResult(), {ValueType::Typed, *type});
        else if (local.getLike())
          if (auto types = typesOf({local.getLike()}))
            give(local.getResult(), types->front());
      })
      .Case([&](TableOp table) { give(table.getResult(), typeOfTable(table)); })
      .Case([&](LoadOp load) {
        if (auto types = typesOf({load.getArray()}))
          give(load.getResult(), types->front());
      });
}

} // namespace kern::compiler
