//===- Inference.cpp - type inference -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Inference.h"

#include "compiler/specialize/Application.h"
#include "dialects/Kern/ElementTypes.h"
#include "mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h"
#include "mlir/Analysis/DataFlow/DeadCodeAnalysis.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::dataflow;

namespace kern {

namespace {

/// A bool that is known at compile time, or not. Moves down only.
enum class Known : uint8_t { Unvisited, False, True, Varies };

Known merge(Known a, Known b) {
  if (a == Known::Unvisited || a == b)
    return b;
  return b == Known::Unvisited ? a : Known::Varies;
}

Known known(bool value) { return value ? Known::True : Known::False; }

class TypeLattice : public AbstractSparseLattice {
public:
  using AbstractSparseLattice::AbstractSparseLattice;

  TypeSet set;
  Known flag = Known::Unvisited;

  /// At a place where paths meet, the *types* of the values arrive, not the
  /// sets that they were made of; but of a value that was itself made by paths
  /// that meet, its set: the joins of an `elif` chain are one.
  ChangeResult join(const AbstractSparseLattice &other) override {
    const auto &arriving = static_cast<const TypeLattice &>(other);
    if (arriving.set.empty())
      return ChangeResult::NoChange;
    TypeSet wider = set;
    if (isa<BlockArgument>(arriving.getAnchor()))
      wider.add(arriving.set);
    else
      wider.add(arriving.set.type());
    return update(wider, merge(flag, arriving.flag));
  }

  ChangeResult update(TypeSet types, Known newFlag = Known::Varies) {
    if (types == set && newFlag == flag)
      return ChangeResult::NoChange;
    set = types;
    flag = newFlag;
    return ChangeResult::Change;
  }

  ChangeResult update(ValueType type, Known newFlag = Known::Varies) {
    TypeSet types;
    types.add(type);
    return update(types, newFlag);
  }

  void print(raw_ostream &os) const override {
    os << (set.empty() ? "none" : describe(set.type()));
  }
};

class TypeAnalysis : public SparseForwardDataFlowAnalysis<TypeLattice> {
public:
  TypeAnalysis(DataFlowSolver &solver, FuncOp func,
               const Specialization &request)
      : SparseForwardDataFlowAnalysis(solver), func(func), request(request) {}

  /// Arguments of the function, and the indices of parallel loops.
  void setToEntryState(TypeLattice *lattice) override {
    auto argument = cast<BlockArgument>(lattice->getAnchor());
    Operation *owner = argument.getOwner()->getParentOp();
    if (owner != func.getOperation()) {
      propagateIfChanged(lattice, lattice->update(ValueType{ValueType::Index}));
      return;
    }
    unsigned number = argument.getArgNumber();
    if (number < request.parameters.size()) {
      propagateIfChanged(lattice, lattice->update(request.parameters[number]));
      return;
    }
    // An array result: its declared type, or what is stored to it.
    number -= request.parameters.size();
    for (OperandAttr result : func.resultInfos()) {
      if (result.getCore().empty() || number--)
        continue;
      if (std::optional<DType> type = resolve(result.getType()))
        propagateIfChanged(lattice,
                           lattice->update(ValueType{ValueType::Typed, *type}));
      return;
    }
  }

  LogicalResult visitOperation(Operation *op,
                               ArrayRef<const TypeLattice *> operands,
                               ArrayRef<TypeLattice *> results) override {
    auto give = [&](ValueType type, Known flag = Known::Varies) {
      propagateIfChanged(results[0], results[0]->update(type, flag));
    };
    auto isKnown = [&](ArrayRef<const TypeLattice *> lattices) {
      return llvm::none_of(lattices, [](const TypeLattice *lattice) {
        return lattice->set.empty();
      });
    };

    if (auto constant = dyn_cast<ConstantOp>(op)) {
      auto [type, flag] = ofConstant(constant.getValue());
      give(type, flag);
    } else if (auto typeIs = dyn_cast<TypeIsOp>(op)) {
      auto variable = request.variables.find(typeIs.getVariable());
      Known flag = Known::Varies;
      if (variable != request.variables.end())
        flag = known(llvm::any_of(
            typeIs.getTypes().getAsValueRange<TypeAttr>(),
            [&](Type type) { return toDType(type) == variable->second; }));
      give(ValueType{ValueType::Typed, DType::Bool}, flag);
    } else if (isa<DimOp>(op)) {
      give(ValueType{ValueType::Index});
    } else if (auto reduce = dyn_cast<ReduceOp>(op)) {
      visitReduce(reduce, results[0]);
    } else if (auto local = dyn_cast<LocalOp>(op)) {
      std::optional<DType> type =
          local.getElement() ? resolve(*local.getElement()) : std::nullopt;
      if (type)
        give(ValueType{ValueType::Typed, *type});
      else if (local.getLike() && !operands[0]->set.empty())
        give(operands[0]->set.type());
    } else if (isa<StoreOp, AccumulateOp>(op)) {
      // Gives a result without a declared type the types stored to it.
      if (operands[0]->set.empty() || hasDeclaredType(op->getOperand(1)))
        return success();
      TypeLattice *array = getLatticeElement(op->getOperand(1));
      propagateIfChanged(array, array->join(*operands[0]));
    } else if (!isKnown(operands)) {
      return success();
    } else if (auto apply = dyn_cast<ApplyOp>(op)) {
      SmallVector<ValueType> types;
      for (const TypeLattice *operand : operands)
        types.push_back(operand->set.type());
      std::optional<Application> application =
          resolveApplication(*findScalarFunction(apply.getFunction()), types);
      if (!application) // reported when typed code is made
        return success();
      Known flag = apply.getFunction() == "logical_not"
                       ? negate(operands[0]->flag)
                       : Known::Varies;
      for (auto [lattice, type] : llvm::zip(results, application->results))
        propagateIfChanged(lattice, lattice->update(type, flag));
    } else if (auto cast = dyn_cast<CastOp>(op)) {
      if (std::optional<DType> type = resolve(cast.getTarget()))
        give(ValueType{ValueType::Typed, *type},
             *type == DType::Bool ? operands[0]->flag : Known::Varies);
    } else if (isa<CastLikeOp>(op)) {
      ValueType type = operands[1]->set.type();
      give(type,
           type.carrier() == DType::Bool ? operands[0]->flag : Known::Varies);
    } else if (auto typeOf = dyn_cast<TypeOfIsOp>(op)) {
      DType type = operands[0]->set.type().carrier();
      give(ValueType{ValueType::Typed, DType::Bool},
           known(llvm::any_of(typeOf.getTypes().getAsValueRange<TypeAttr>(),
                              [&](Type one) { return toDType(one) == type; })));
    } else if (auto enter = dyn_cast<EnterOp>(op)) {
      SmallVector<ValueType> types;
      for (const TypeLattice *operand : operands)
        types.push_back(operand->set.type());
      std::optional<EnteredLoop> entered = enterLoop(enter, types);
      if (!entered) // reported when typed code is made
        return success();
      for (auto [lattice, type] : llvm::zip(results, entered->results))
        propagateIfChanged(lattice, lattice->update(type));
    } else if (isa<TruthOp>(op)) {
      give(ValueType{ValueType::Typed, DType::Bool}, operands[0]->flag);
    } else if (isa<IndexOp>(op)) {
      give(ValueType{ValueType::Index});
    } else if (auto carried = dyn_cast<AccumulatorOp>(op)) {
      TypeSet set = operands[0]->set;
      if (carried.getAccumulates())
        widen(set);
      propagateIfChanged(results[0], results[0]->update(set.type()));
    } else if (isa<LoadOp>(op)) {
      give(operands[0]->set.type());
    }
    return success();
  }

private:
  std::optional<DType> resolve(Attribute type) const {
    if (auto known = dyn_cast<TypeAttr>(type))
      return toDType(known.getValue());
    if (auto variable = dyn_cast<StringAttr>(type)) {
      auto found = request.variables.find(variable.getValue());
      if (found != request.variables.end())
        return found->second;
    }
    return std::nullopt;
  }

  bool hasDeclaredType(Value array) const {
    auto argument = dyn_cast<BlockArgument>(array);
    if (!argument) // a local array
      return true;
    unsigned number = argument.getArgNumber();
    if (number < request.parameters.size())
      return true;
    number -= request.parameters.size();
    for (OperandAttr result : FuncOp(func).resultInfos())
      if (!result.getCore().empty() && !number--)
        return resolve(result.getType()).has_value();
    return true;
  }

  static Known negate(Known flag) {
    if (flag == Known::True)
      return Known::False;
    return flag == Known::False ? Known::True : flag;
  }

  static std::pair<ValueType, Known> ofConstant(Attribute value) {
    if (auto flag = dyn_cast<BoolAttr>(value))
      return {ValueType{ValueType::Typed, DType::Bool}, known(flag.getValue())};
    ValueType::Form form = ValueType::WeakComplex;
    if (isa<IntegerAttr>(value))
      form = ValueType::WeakInt;
    else if (isa<FloatAttr>(value))
      form = ValueType::WeakFloat;
    return {ValueType{form}, Known::Varies};
  }

  /// An integer that starts weak and accumulates is 64-bit, as in `sum`.
  static void widen(TypeSet &set) {
    if (!set.has(ValueType::WeakInt) || set.typed.empty())
      return;
    bool allUnsigned = true;
    for (unsigned i = 0; i < dtypeCount; ++i)
      if (set.typed.contains(DType(i))) {
        if (!isInteger(DType(i)))
          return;
        allUnsigned &= isUnsigned(DType(i));
      }
    set.add({ValueType::Typed, allUnsigned ? DType::U64 : DType::I64});
  }

  void visitReduce(ReduceOp reduce, TypeLattice *result) {
    ProgramPoint *point = getProgramPointAfter(reduce);
    for (Block &block : reduce.getBody()) {
      auto yield = dyn_cast<YieldOp>(block.getTerminator());
      if (!yield)
        continue;
      const TypeLattice *element =
          getLatticeElementFor(point, yield.getValue());
      if (element->set.empty())
        continue;
      if (std::optional<ValueType> type =
              reductionType(reduce.getKind(), element->set.type()))
        propagateIfChanged(result, result->update(*type));
    }
  }

  FuncOp func;
  const Specialization &request;
};

/// Tells dead-code analysis which conditions are decided, and of every other
/// value that it is not a constant: without that no branch would be followed.
class ConditionAnalysis
    : public SparseForwardDataFlowAnalysis<Lattice<ConstantValue>> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  void setToEntryState(Lattice<ConstantValue> *lattice) override {
    propagateIfChanged(lattice,
                       lattice->join(ConstantValue::getUnknownConstant()));
  }

  LogicalResult
  visitOperation(Operation *op, ArrayRef<const Lattice<ConstantValue> *>,
                 ArrayRef<Lattice<ConstantValue> *> results) override {
    if (!isa<TruthOp, TypeIsOp, TypeOfIsOp>(op)) {
      setAllToEntryStates(results);
      return success();
    }
    const auto *type =
        getOrCreateFor<TypeLattice>(getProgramPointAfter(op), op->getResult(0));
    if (type->set.empty())
      return success();
    ConstantValue value = ConstantValue::getUnknownConstant();
    if (type->flag == Known::True || type->flag == Known::False)
      value = ConstantValue(
          BoolAttr::get(op->getContext(), type->flag == Known::True),
          op->getDialect());
    propagateIfChanged(results[0], results[0]->join(value));
    return success();
  }
};

} // namespace

InferredTypes::InferredTypes(FuncOp func, const Specialization &request)
    : solver(std::make_unique<DataFlowSolver>()) {
  solver->load<DeadCodeAnalysis>();
  solver->load<TypeAnalysis>(func, request);
  solver->load<ConditionAnalysis>();
  // The analyses above never fail.
  (void)solver->initializeAndRun(func);
}

InferredTypes::~InferredTypes() = default;

std::optional<ValueType> InferredTypes::type(Value value) const {
  const auto *lattice = solver->lookupState<TypeLattice>(value);
  if (!lattice || lattice->set.empty())
    return std::nullopt;
  return lattice->set.type();
}

std::optional<bool> InferredTypes::known(Value condition) const {
  const auto *lattice = solver->lookupState<TypeLattice>(condition);
  if (!lattice || lattice->flag == Known::Varies ||
      lattice->flag == Known::Unvisited)
    return std::nullopt;
  return lattice->flag == Known::True;
}

bool InferredTypes::isLive(Block *block) const {
  const auto *state =
      solver->lookupState<Executable>(solver->getProgramPointBefore(block));
  return state && state->isLive();
}

} // namespace kern
