//===- Inference.h - type inference --------------------------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Infers the types of a polymorphic function's values, forward in the order of
// its blocks. It also finds which blocks are reachable, so that code behind a
// false `if T == f64:` has no effect. A loop is repeated with the types that
// its end carries back to its head, until they are stable.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/specialize/FlowOrder.h"
#include "dialects/Kern/Kern.h"
#include "dialects/Kern/TypeSet.h"

namespace kern::compiler {

/// What a function is specialised for.
struct Specialization {
  llvm::StringMap<runtime::DType> variables; ///< type variables
  /// The type of each parameter except `dim`s, in order.
  llvm::SmallVector<ir::ValueType> parameters;
};

/// The types of a function's values under one specialisation. One class, since
/// the rules of operations read and write the facts of the walk.
class InferredTypes {
public:
  InferredTypes(ir::FuncOp func, const Specialization &request);

  /// Nothing for a value without a type: it is never computed, or its operands
  /// have an error or no type.
  std::optional<ir::ValueType> type(mlir::Value value) const;
  /// The value of a condition that is decided at compile time.
  std::optional<bool> known(mlir::Value condition) const;
  /// Whether a block and every operation around it are reachable.
  bool isReachable(mlir::Block *block) const;

private:
  enum class Flag : uint8_t { Varies, False, True };
  /// What is known of a value. An empty set: nothing yet.
  struct Fact {
    ir::TypeSet set;
    Flag flag = Flag::Varies;
    /// Of the number of an array that a condition chooses (arrayNumberAttribute
    /// of its constants): a bit for each that it may be. 0: it may be any.
    uint64_t arrays = 0;

    void join(const Fact &other);
    bool operator==(const Fact &) const = default;
  };
  using Facts = llvm::SmallVector<Fact>;

  //===--- The walk (Inference.cpp) ---------------------------------------===//
  void run();
  void bindOperands();
  void visitRegion(mlir::Region &region);
  void giveIndices(mlir::Block *entry);
  void visitSteps(llvm::ArrayRef<FlowStep> steps, size_t begin, size_t end);
  void settleLoop(llvm::ArrayRef<FlowStep> steps, size_t at);
  void visitBlock(mlir::Block *block, const Facts &arguments);
  /// What the reachable predecessors pass to a block's arguments; nothing if
  /// none is reachable.
  std::optional<Facts> arriving(mlir::Block *block) const;
  bool isTaken(mlir::BlockOperand &edge) const;
  Facts storedToResults() const;

  //===--- Operations (InferenceRules.cpp) --------------------------------===//
  void visit(mlir::Operation &op);
  void visitApply(ir::ApplyOp apply);
  void visitReduce(ir::ReduceOp reduce);
  void visitScan(ir::ScanOp scan);
  /// What the reachable ends of a scan's region give.
  Facts given(ir::ScanOp scan, mlir::Region &part);
  /// Whether a block and every operation around it inside `outer` are
  /// reachable.
  bool isReachableInside(mlir::Block *block, mlir::Operation *outer) const;
  std::optional<runtime::DType> resolve(mlir::Attribute type) const;
  Fact fact(mlir::Value value) const { return facts.lookup(value); }
  void give(mlir::Value value, ir::ValueType type, Flag flag = Flag::Varies);
  void visitElement(ir::ElementOp element);
  /// The types of an operation's operands; nothing if any has none yet.
  std::optional<llvm::SmallVector<ir::ValueType>>
  typesOf(mlir::ValueRange values) const;

  ir::FuncOp func;
  const Specialization &request;
  llvm::DenseMap<mlir::Value, Fact> facts;
  /// The types of a loop head's arguments before the first iteration.
  llvm::DenseMap<mlir::Value, ir::ValueType> entryTypes;
  llvm::DenseSet<mlir::Block *> reachable;
  llvm::DenseMap<mlir::Region *, std::vector<FlowStep>> orders;
  /// By loop head: how often the loop was iterated; and, past the limit, what
  /// its end carried back. Those types may then only grow.
  llvm::DenseMap<mlir::Block *, unsigned> iterations;
  llvm::DenseMap<mlir::Block *, Facts> fixedTypes;
  /// How often a kern.element gave another type than before, and whether one
  /// did since the innermost loop was last begun.
  llvm::DenseMap<mlir::Operation *, unsigned> elementChanges;
  bool elementsChanged = false;
  /// Array results without a declared type, and what is stored to them.
  llvm::SmallVector<mlir::BlockArgument> openResults;
  Facts stored;
};

} // namespace kern::compiler
