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
// constants. One class, since each kind of operation reads and extends
// the same map from generic to typed values.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/specialize/Application.h"
#include "compiler/specialize/Specialize.h"
#include "dialects/Kern/ElementTypes.h"

namespace kern::compiler {

class Specializer {
public:
  Specializer(ir::FuncOp func, const Specialization &request,
              mlir::OpBuilder &builder, DiagnosticEngine *diagnostics)
      : func(func), request(request), types(func, request), builder(builder),
        context(builder.getContext()), diagnostics(diagnostics) {}

  mlir::FailureOr<ir::FuncOp> run();

private:
  //===--- Values ---------------------------------------------------------===//

  mlir::Type typeOf(ir::ValueType type) {
    return ir::toType(context, type.carrier());
  }

  /// The type of a value; reports once if it has none.
  std::optional<ir::ValueType> need(mlir::Value value, mlir::Location loc) {
    std::optional<ir::ValueType> type = types.type(value);
    if (!type && !failed)
      report(Diag::internal_error, loc,
             {"type inference", "no type was found"});
    return type;
  }

  /// The element type of an array; reports if nothing decides it.
  std::optional<ir::ValueType> elementType(mlir::Value array,
                                           mlir::Location loc) {
    std::optional<ir::ValueType> type = types.type(array);
    if (!type)
      reportUntyped(array, loc);
    return type;
  }
  void reportUntyped(mlir::Value array, mlir::Location loc);

  /// The typed value of `value`, converted to `type`. Null after an error.
  mlir::Value get(mlir::Value value, runtime::DType type, mlir::Location loc) {
    if (auto constant = value.getDefiningOp<ir::ConstantOp>())
      return typedConstant(constant, type, loc);
    mlir::Value typed = values.lookup(value);
    if (!typed)
      return nullptr;
    noteMeeting(value, type);
    return convert(typed, type, loc);
  }

  /// A call range-checks a weak integer argument against the types that it is
  /// converted to. An explicit conversion wraps instead.
  void noteMeeting(mlir::Value value, runtime::DType type) {
    auto argument = mlir::dyn_cast<mlir::BlockArgument>(value);
    if (!argument || argument.getOwner() != &func.getBody().front() ||
        argument.getArgNumber() >= request.parameters.size() || isConverting)
      return;
    unsigned number = argument.getArgNumber();
    if (request.parameters[number].form == ir::ValueType::WeakInt &&
        isInteger(type) && type != runtime::DType::I64)
      meets[number] |= runtime::DTypeSet::of(type).bits;
  }

  mlir::Value convert(mlir::Value typed, runtime::DType type,
                      mlir::Location loc) {
    mlir::Type target = ir::toType(context, type);
    if (typed.getType() == target)
      return typed;
    return ir::CastOp::create(
        builder, loc, target, typed, mlir::TypeAttr::get(target),
        ir::CastModeAttr::get(context, ir::CastMode::Explicit));
  }

  /// Reports an integer that does not fit in `type` at `loc`.
  mlir::Value typedConstant(ir::ConstantOp constant, runtime::DType type,
                            mlir::Location loc);

  /// Whether an operand of an operation at `loc` is a negative integer: `-1`,
  /// `i8(-1)`, `-i8(1)`. False for one from the caller of a `def`: the `def`
  /// may check for it, and conditions on typed constants are decided at run
  /// time.
  bool isNegativeConstant(mlir::Value operand, mlir::Location loc) const;

  /// The constant 0 of a type.
  mlir::Value zero(runtime::DType type, mlir::Location loc);

  //===--- Conversions.cpp ------------------------------------------------===//
  /// Checks implicit conversions: of results, stores and annotated variables.
  bool checkSameKind(mlir::Value value, runtime::DType to, Diag diag,
                     mlir::Location loc) {
    return checkSameKind(need(value, loc), to, diag, loc, value);
  }
  bool checkSameKind(std::optional<ir::ValueType> from, runtime::DType to,
                     Diag diag, mlir::Location loc, mlir::Value value = {});
  /// Why arithmetic on integers gave a float, and what to write; "" for any
  /// other value. A conversion afterwards would be too late.
  std::string integersHelp(mlir::Value value) const;
  void reportIndex(mlir::Value index, mlir::Location loc,
                   llvm::StringRef range = "");

  //===--- Structure ------------------------------------------------------===//

  void cloneRegion(mlir::Region &from, mlir::Region &to);
  void cloneBlock(mlir::Block &from);
  void clone(mlir::Operation &op);
  void cloneBits(ir::BitsOp bits);
  void cloneApply(ir::ApplyOp apply);
  void refuseOperands(ir::ApplyOp apply, const ir::ScalarFunctionInfo &function,
                      llvm::ArrayRef<ir::ValueType> operands);
  bool compareByValue(ir::ApplyOp apply, ir::Application &application);
  void cloneReduce(ir::ReduceOp reduce);
  void cloneScan(ir::ScanOp scan);
  void endPart(mlir::Region &part, llvm::ArrayRef<runtime::DType> types,
               mlir::Location loc);
  void cloneEnter(ir::EnterOp enter);
  /// Remarks on a float computation wider than all its operands' types, which
  /// costs time unasked. `computed` has the types of the computation.
  void remarkOnWidening(mlir::Location loc,
                        llvm::ArrayRef<ir::ValueType> operands,
                        llvm::ArrayRef<runtime::DType> computed);
  void cloneCast(mlir::Operation &op, mlir::Value value,
                 std::optional<runtime::DType> target, ir::CastMode mode);
  void cloneAccumulate(ir::AccumulateOp op);
  mlir::Value clamped(mlir::Value value, runtime::DType from, runtime::DType to,
                      mlir::Location loc);
  void cloneLocal(ir::LocalOp local);
  void checkSameType(ir::SameTypeOp same);
  void cloneSameExtent(ir::SameExtentOp same);
  void cloneTable(ir::TableOp table);
  bool checkLocalSize(ir::LocalOp local, ir::ValueType element);
  void cloneReturn(ir::ReturnOp op);
  void cloneBranch(mlir::Operation &op);
  void branchTo(mlir::Block *target, mlir::ValueRange operands,
                mlir::Location loc, llvm::SmallVectorImpl<mlir::Value> &typed);
  bool indices(mlir::ValueRange from, llvm::SmallVectorImpl<mlir::Value> &to,
               mlir::Location loc);
  void findResultTypes();
  std::optional<runtime::DType> resolve(mlir::Attribute type) {
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

  ir::FuncOp func;
  const Specialization &request;
  InferredTypes types;
  mlir::OpBuilder &builder;
  mlir::MLIRContext *context;
  DiagnosticEngine *diagnostics;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  llvm::DenseMap<mlir::Block *, mlir::Block *> blocks;
  llvm::SmallVector<runtime::DType> resultTypes;
  mlir::Value untypedResult; ///< an array to which nothing typed is stored
  runtime::DType yieldType =
      runtime::DType::F64;               ///< of the reduction being cloned
  std::vector<runtime::DType> giveTypes; ///< of the scan being cloned
  llvm::SmallVector<int64_t> meets;
  bool isConverting = false;
  mlir::LocationAttr meeting; ///< where a converted constant meets other values
  llvm::DenseMap<mlir::Location, ir::InlinedOp> inlinedCalls; ///< filled lazily
  uint64_t localBytes = 0; ///< size of a ufunc's local arrays
  bool failed = false;
};

} // namespace kern::compiler
