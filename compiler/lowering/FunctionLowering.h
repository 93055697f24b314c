//===- FunctionLowering.h - the state of lowering a function -- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One ufunc or gufunc at a time: statements become blocks, names become
// values. What a construct of the language becomes is a function over
// `FunctionLowering &fn`, in the file of its name; this header has the state
// that all of them share and the steps that most of them take.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/Checks.h"
#include "compiler/lowering/Frame.h"
#include "compiler/lowering/StackRoom.h"
#include "dialects/Kern/Kern.h"

#include "mlir/IR/Builders.h"

namespace kern {

/// What a function gives, of which its end is checked.
struct ResultState {
  /// How many values `return` gives: unset until the first `return` of a
  /// function whose header names no results.
  std::optional<size_t> returnCount;
  std::set<std::string> storedArrays;
};

/// What the race checks of a `prange` need from the code inside of it.
struct RaceFacts {
  /// The counters of the loops in blocks.
  Counters counters{};
  /// The stores of augmented assignments: "*=", and where.
  llvm::DenseMap<mlir::Operation *, std::pair<std::string, Span>> updates{};
};

/// What messages need from the code before them.
struct MessageState {
  /// Whether the argument of a reduction is being lowered.
  bool inReduction = false;
  /// Names that were reported as unknown: what follows from that is not.
  std::set<std::string, std::less<>> unknownNames;
  /// Conditions of `if`s that types decide: file, begin.
  std::set<std::pair<uint32_t, uint32_t>> typeConditions;
};

/// What has been made so far. Inlining can make a function exponentially
/// larger than its text.
struct Budget {
  static constexpr size_t maxOperations = 100000;
  size_t operations = 0;
  /// Work that makes no operation: expressions that are lowered, values that
  /// are passed to a call or meet where paths do.
  static constexpr size_t maxWork = 1000000;
  size_t work = 0;
  /// Expressions around the one that is being lowered, those of the callers of
  /// inlined functions included.
  size_t depth = 0;
  StackRoom stack; ///< for statements and calls, which take more of it
};

struct FunctionLowering {
  DiagnosticEngine &diagnostics;
  mlir::OpBuilder &builder;
  const Checks checks;
  mlir::Region *region; ///< where new blocks go
  Frame *frame;         ///< the innermost
  /// Whether there was an error, also one that was reported before (that of a
  /// `def` which is inlined twice, of the parser).
  bool failed = false;
  ResultState results = {};
  RaceFacts races = {};
  MessageState messages = {};
  Budget budget = {};

  Environment &env() { return frame->env; }
  ModuleScope &scope() { return frame->scope; }

  //===--- Places and paths (FunctionLowering.cpp, Joins.cpp) -------------===//
  mlir::Location loc(Span span);
  Diagnostic &error(Diag id, Span span,
                    std::initializer_list<std::string> arguments = {});
  mlir::Block *newBlock();
  bool isReachable() { return builder.getInsertionBlock() != nullptr; }
  /// The path that ends at the builder's place.
  Edge edge() { return {builder.getInsertionBlock(), env()}; }
  /// Continues where the edges meet, unreachable if there are none. The
  /// environment becomes the join of theirs.
  void join(std::vector<Edge> edges, Span span);

  //===--- Syntax (Statements.cpp, Expressions.cpp, Conditions.cpp) -------===//
  void lowerBlock(const syntax::Block &block);
  /// All of these are empty after an error.
  std::optional<Binding> lowerExpr(const syntax::Expr &expr);
  std::optional<Number> lowerScalar(const syntax::Expr &expr);
  mlir::Value lowerValue(const syntax::Expr &expr);     ///< open
  mlir::Value lowerCondition(const syntax::Expr &expr); ///< i1
  /// The scalar of a binding; reports tuples, arrays, names without a value.
  std::optional<Number> scalarOf(const Binding &binding, Span place);

  //===--- Operations (Operations.cpp) ------------------------------------===//
  /// The value of a number; makes an operation for a constant.
  mlir::Value materialize(const Number &scalar, Span span);
  mlir::Value constantInt(int64_t value, Span span);
  /// An integer as an index value: i64 that gives way to floats.
  mlir::Value indexValue(mlir::Value value, Span span);
  /// Applies a scalar function; folds it if all operands are constants.
  Number apply(llvm::StringRef function, llvm::ArrayRef<Number> operands,
               Span span);
  /// The same of as many operands as a chained function is given: all meet at
  /// once, wherever the weak ones stand.
  Number applyChained(ScalarFunction function, llvm::ArrayRef<Number> operands,
                      Span span);
  /// The same without folding; the first result.
  mlir::Value applyValues(llvm::StringRef function,
                          llvm::ArrayRef<mlir::Value> operands, Span span);
  Number convert(const Number &scalar, TypeName target, CastMode mode,
                 Span span);
  mlir::Value truthOf(const Number &scalar, Span span); ///< i1
  mlir::Value opened(mlir::Value i1, Span span);
  /// False past the limit, which is reported where it is passed.
  bool countWork(size_t amount, Span span);
};

/// Adds the kern.func of a ufunc or gufunc at the builder's place; null after
/// an error.
FuncOp lowerFunction(ModuleScope &scope, const syntax::Function &function,
                     mlir::OpBuilder &builder, Checks checks);

} // namespace kern
