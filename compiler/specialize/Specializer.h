//===- Specializer.h - makes the typed form of one function --- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The class behind specialize(). Specialize.cpp walks the blocks.
// Operations.cpp clones operations, Callees.cpp calls, Memory.cpp arrays,
// Constants.cpp constants, and Comparisons.cpp comparisons with large
// constants.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/specialize/Application.h"
#include "compiler/specialize/Specialize.h"
#include "dialects/Kern/ElementTypes.h"

namespace kern {

class Specializer {
public:
  Specializer(FuncOp func, const Specialization &request,
              mlir::OpBuilder &builder, DiagnosticEngine *diagnostics)
      : func(func), request(request), types(func, request), builder(builder),
        context(builder.getContext()), diagnostics(diagnostics) {}

  mlir::FailureOr<FuncOp> run();

private:
  //===--- Values ---------------------------------------------------------===//

  mlir::Type typeOf(ValueType type) { return toType(context, type.carrier()); }

  /// The type of a value; reports once if it has none.
  std::optional<ValueType> need(mlir::Value value, mlir::Location loc) {
    std::optional<ValueType> type = types.type(value);
    if (!type && !failed)
      report(Diag::internal_error, loc,
             {"type inference", "no type was found"});
    return type;
  }

  /// The element type of an array; reports if nothing decides it.
  std::optional<ValueType> elementType(mlir::Value array, mlir::Location loc) {
    std::optional<ValueType> type = types.type(array);
    if (!type)
      reportUntyped(array, loc);
    return type;
  }
  void reportUntyped(mlir::Value array, mlir::Location loc);

  /// The typed value of `value`, converted to `type`. Null after an error.
  mlir::Value get(mlir::Value value, DType type, mlir::Location loc) {
    if (auto constant = value.getDefiningOp<ConstantOp>())
      return typedConstant(constant, type, loc);
    mlir::Value typed = values.lookup(value);
    if (!typed)
      return nullptr;
    noteMeeting(value, type);
    return convert(typed, type, loc);
  }

  /// A call range-checks a weak integer argument against the types that it is
  /// converted to. An explicit conversion wraps instead.
  void noteMeeting(mlir::Value value, DType type) {
    auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
    if (!argument || argument.getOwner() != &func.getBody().front() ||
        argument.getArgNumber() >= request.parameters.size() || isConverting)
      return;
    unsigned number = argument.getArgNumber();
    if (request.parameters[number].form == ValueType::WeakInt &&
        isInteger(type) && type != DType::I64)
      meets[number] |= DTypeSet::of(type).bits;
  }

  mlir::Value convert(mlir::Value typed, DType type, mlir::Location loc) {
    mlir::Type target = toType(context, type);
    if (typed.getType() == target)
      return typed;
    return CastOp::create(builder, loc, target, typed,
                          mlir::TypeAttr::get(target),
                          CastModeAttr::get(context, CastMode::Explicit));
  }

  /// Reports an integer that does not fit in `type` at `loc`.
  mlir::Value typedConstant(ConstantOp constant, DType type,
                            mlir::Location loc);

  /// The constant 0 of a type.
  mlir::Value zero(DType type, mlir::Location loc);

  /// Checks implicit conversions: of results, stores and annotated variables.
  bool checkSameKind(mlir::Value value, DType to, Diag diag,
                     mlir::Location loc) {
    return checkSameKind(need(value, loc), to, diag, loc);
  }
  bool checkSameKind(std::optional<ValueType> from, DType to, Diag diag,
                     mlir::Location loc) {
    if (!from)
      return false;
    bool ok = false;
    switch (from->form) {
    case ValueType::Typed:
      ok = canCastSameKind(from->dtype, to);
      break;
    case ValueType::WeakInt:
    case ValueType::Index:
      ok = to != DType::Bool;
      break;
    case ValueType::WeakFloat:
      ok = isFloat(to) || isComplex(to);
      break;
    case ValueType::WeakComplex:
      ok = isComplex(to);
      break;
    }
    if (!ok) {
      std::string help = "convert it: `" + std::string(name(to)) + "(…)`";
      if (!from->isWeak() && isComplex(from->dtype) && !isComplex(to))
        help = "take `real(…)`, or `abs(…)`";
      report(diag, loc, {describe(*from), std::string(name(to))}, help);
    }
    return ok;
  }

  //===--- Structure ------------------------------------------------------===//

  void cloneRegion(mlir::Region &from, mlir::Region &to);
  void cloneBlock(mlir::Block &from);
  void clone(mlir::Operation &op);
  void cloneApply(ApplyOp apply);
  void refuseOperands(ApplyOp apply, const ScalarFunctionInfo &function,
                      llvm::ArrayRef<ValueType> operands);
  bool compareByValue(ApplyOp apply, Application &application);
  void cloneReduce(ReduceOp reduce);
  void cloneEnter(EnterOp enter);
  /// Remarks on a float computation wider than all its operands' types, which
  /// costs time unasked. `computed` has the types of the computation.
  void remarkOnWidening(mlir::Location loc, llvm::ArrayRef<ValueType> operands,
                        llvm::ArrayRef<DType> computed);
  void cloneCast(mlir::Operation &op, mlir::Value value,
                 std::optional<DType> target, CastMode mode);
  void cloneAccumulate(AccumulateOp op);
  void cloneLocal(LocalOp local);
  bool checkLocalSize(LocalOp local, ValueType element);
  void cloneReturn(ReturnOp op);
  void cloneBranch(mlir::Operation &op);
  void branchTo(mlir::Block *target, mlir::ValueRange operands,
                mlir::Location loc, llvm::SmallVectorImpl<mlir::Value> &typed);
  bool indices(mlir::ValueRange from, llvm::SmallVectorImpl<mlir::Value> &to,
               mlir::Location loc);
  void findResultTypes();
  std::optional<DType> resolve(mlir::Attribute type) {
    return declaredType(type, request.variables);
  }

  //===--- Messages -------------------------------------------------------===//

  void report(Diag id, mlir::Location loc,
              std::initializer_list<std::string> args, std::string help = "");
  std::string specializationText();
  /// The source text at `loc`; "" if unknown.
  llvm::StringRef sourceText(mlir::Location loc);
  /// `half(f32)` for the call of a `def` at `call`; "" if unknown.
  std::string callText(mlir::Location call);

  FuncOp func;
  const Specialization &request;
  InferredTypes types;
  mlir::OpBuilder &builder;
  mlir::MLIRContext *context;
  DiagnosticEngine *diagnostics;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  llvm::DenseMap<mlir::Block *, mlir::Block *> blocks;
  llvm::SmallVector<DType> resultTypes;
  mlir::Value untypedResult;    ///< an array to which nothing typed is stored
  DType yieldType = DType::F64; ///< of the reduction being cloned
  llvm::SmallVector<int64_t> meets;
  bool isConverting = false;
  mlir::LocationAttr meeting; ///< where a converted constant meets other values
  llvm::DenseMap<mlir::Location, InlinedOp> inlinedCalls; ///< filled lazily
  uint64_t localBytes = 0; ///< size of a ufunc's local arrays
  bool failed = false;
};

} // namespace kern
