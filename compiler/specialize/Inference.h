//===- Inference.h - type inference --------------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types of the values of a polymorphic function, found forward in the order of
// its blocks. Which blocks are reached is found on the way, so that what
// `if T == f64:` turns away does not take part. A loop is typed again with the
// types that its end brings back to its head, until they stay.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/specialize/FlowOrder.h"
#include "dialects/Kern/Kern.h"
#include "dialects/Kern/TypeSet.h"

namespace kern {

/// What a function is specialised for.
struct Specialization {
  llvm::StringMap<DType> variables; ///< type variables
  /// The type of each parameter that is not a `dim`, in order.
  llvm::SmallVector<ValueType> parameters;
};

/// The types of a function's values under one specialisation.
class InferredTypes {
public:
  InferredTypes(FuncOp func, const Specialization &request);

  /// Nothing for a value that has no type: it is never computed, or what it is
  /// computed from has an error or no type.
  std::optional<ValueType> type(mlir::Value value) const;
  /// A condition that is decided at compile time.
  std::optional<bool> known(mlir::Value condition) const;
  /// Whether a block, and every operation that it lies in, is reached.
  bool isReachable(mlir::Block *block) const;

private:
  enum class Flag : uint8_t { Varies, False, True };
  /// What is known of a value; nothing yet if the set is empty.
  struct Fact {
    TypeSet set;
    Flag flag = Flag::Varies;

    void join(const Fact &other);
    bool operator==(const Fact &) const = default;
  };
  using Facts = llvm::SmallVector<Fact>;

  //===--- The walk (Inference.cpp) ---------------------------------------===//
  void run();
  void bindOperands();
  void visitRegion(mlir::Region &region);
  void visitSteps(llvm::ArrayRef<FlowStep> steps, size_t begin, size_t end);
  void settleLoop(llvm::ArrayRef<FlowStep> steps, size_t at);
  void visitBlock(mlir::Block *block, const Facts &arguments);
  /// What arrives at a block's arguments from predecessors that are reached;
  /// nothing if none is.
  std::optional<Facts> arriving(mlir::Block *block) const;
  bool isTaken(mlir::BlockOperand &edge) const;
  Facts storedToResults() const;

  //===--- Operations (InferenceRules.cpp) --------------------------------===//
  void visit(mlir::Operation &op);
  void visitApply(ApplyOp apply);
  void visitReduce(ReduceOp reduce);
  /// Whether a block, and every operation in `outer` that it lies in, is
  /// reached.
  bool isReachableInside(mlir::Block *block, mlir::Operation *outer) const;
  std::optional<DType> resolve(mlir::Attribute type) const;
  Fact fact(mlir::Value value) const { return facts.lookup(value); }
  void give(mlir::Value value, ValueType type, Flag flag = Flag::Varies);
  /// The types of an operation's operands; nothing if one has none yet.
  std::optional<llvm::SmallVector<ValueType>>
  typesOf(mlir::ValueRange values) const;

  FuncOp func;
  const Specialization &request;
  llvm::DenseMap<mlir::Value, Fact> facts;
  /// The types of the arguments of a loop's head before the first iteration.
  llvm::DenseMap<mlir::Value, ValueType> entryTypes;
  llvm::DenseSet<mlir::Block *> reachable;
  llvm::DenseMap<mlir::Region *, std::vector<FlowStep>> orders;
  /// How often a loop, by its head, was iterated, and what its end brought once
  /// that was too often: types that only grow from then on.
  llvm::DenseMap<mlir::Block *, unsigned> iterations;
  llvm::DenseMap<mlir::Block *, Facts> fixedTypes;
  /// Array results without a declared type, and what is stored to them.
  llvm::SmallVector<mlir::BlockArgument> openResults;
  Facts stored;
};

} // namespace kern
