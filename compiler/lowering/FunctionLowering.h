//===- FunctionLowering.h - the state of lowering a function -- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers one ufunc or gufunc: statements become blocks, names become values.
// Each construct of the language has its lowering in the file of its name, as
// functions that take a `FunctionLowering &fn`. This header has the state that
// they share and the operations that most of them use.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/Checks.h"
#include "compiler/lowering/Frame.h"
#include "compiler/lowering/StackRoom.h"
#include "dialects/Kern/Kern.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseSet.h"

namespace kern::compiler {

struct IndependentLoops;

/// What the body says about the results; checked at its end.
struct ResultState {
  /// The number of values that each `return` has. Unset before the first
  /// `return` of a function whose header names no results.
  std::optional<size_t> returnCount;
  std::set<std::string> storedArrays;
};

/// Facts about pranges, for their race checks.
struct RaceFacts {
  /// Other loops that are lowered as pranges; may be null.
  IndependentLoops *independent = nullptr;
  /// The counters of loops, and the range of each.
  Counters counters{};
  /// The stores of augmented assignments, with the operator ("*=") and place.
  llvm::DenseMap<mlir::Operation *, std::pair<std::string, Span>> updates{};
};

/// A name that gets another place for the elements of its array.
struct ArrayMove {
  std::string name;
  mlir::Value to;
  std::vector<mlir::Value> from = {}; ///< empty: it has a new array there
  std::string other = {};             ///< another name of what it moves from
};

/// Moves that happen at once, at one place in the code.
struct ArrayMoves {
  enum Kind : uint8_t {
    BeforeLoop, ///< a loop begins that binds the name again
    InLoop,     ///< an iteration ends, or the loop
    Swap,       ///< elements change places, since names do
    Call,       ///< a statement makes an array, perhaps of an argument
  };
  mlir::Block *block;
  mlir::Operation *after; ///< null: at the beginning of the block
  Kind kind;
  Span span; ///< of the loop or the call
  std::vector<ArrayMove> moves;
  llvm::DenseSet<mlir::Value> named; ///< arrays that have names afterwards
};

/// What is noted for checkTwins() (Twins.h).
struct TwinFacts {
  std::vector<ArrayMoves> moves{};
  /// Loads and stores that only move elements.
  llvm::DenseSet<mlir::Operation *> moving{};
  /// The loops of statements on whole arrays, which read all that they need
  /// before they store.
  llvm::DenseSet<mlir::Operation *> wholes{};
  /// The headers of loops that surely run, with the block before each and the
  /// one after it.
  llvm::DenseMap<mlir::Block *, std::pair<mlir::Block *, mlir::Block *>>
      running{};
};

/// Facts about earlier code, for messages.
struct MessageState {
  /// Whether the argument of a reduction is being lowered.
  bool inReduction = false;
  /// Names that were reported as unknown; errors that follow are not reported.
  std::set<std::string, std::less<>> unknownNames;
  /// The `if`s that types decide, by file and first byte of the condition.
  std::set<std::pair<uint32_t, uint32_t>> typeConditions;
};

/// What lowering has used up. Inlining can make a function exponentially larger
/// than its text.
struct Budget {
  static constexpr size_t maxOperations = 100000;
  size_t operations = 0;
  /// Work without operations: expressions lowered, values passed to calls or
  /// joined where paths meet.
  static constexpr size_t maxWork = 1000000;
  size_t work = 0;
  /// Nesting of the current expression, including the callers' expressions.
  size_t depth = 0;
  StackRoom stack; ///< statements and calls take more of it than expressions
};

/// The state of lowering one ufunc or gufunc. One record, since the lowering of
/// each construct needs all of it.
struct FunctionLowering {
  DiagnosticEngine &diagnostics;
  mlir::OpBuilder &builder;
  const Checks checks;
  mlir::Region *region; ///< new blocks are added here
  Frame *frame;         ///< the body that is being lowered
  /// Whether there was an error. Also set for an error that was reported
  /// before, by the parser or in an earlier inlining of a `def`.
  bool failed = false;
  /// Whether no call runs what is lowered: a condition that is known says so.
  /// Restored where the block ends.
  bool isDead = false;
  /// The last `and`, `or` or chain of comparisons, and its truth, if known.
  std::pair<mlir::Value, bool> decided = {};
  ResultState results = {};
  RaceFacts races = {};
  TwinFacts twins = {};
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
  /// The path that ends at the builder's insertion point.
  Edge edge() { return {builder.getInsertionBlock(), env()}; }
  /// Continues in the block where the edges meet, with the join of their
  /// environments. Without edges the code that follows is unreachable.
  void join(std::vector<Edge> edges, Span span);

  //===--- Syntax (Statements.cpp, Expressions.cpp, Conditions.cpp) -------===//
  void lowerBlock(const syntax::Block &block);
  /// Each gives nothing, or null, after an error.
  std::optional<Binding> lowerExpr(const syntax::Expr &expr);
  std::optional<Number> lowerScalar(const syntax::Expr &expr);
  mlir::Value lowerValue(const syntax::Expr &expr);     ///< an open value
  mlir::Value lowerCondition(const syntax::Expr &expr); ///< i1
  /// The number that a binding is; reports a tuple, an array or NoValue.
  std::optional<Number> scalarOf(const Binding &binding, Span place);

  //===--- Operations (Operations.cpp) ------------------------------------===//
  /// The number as a value; makes an operation for a constant.
  mlir::Value materialize(const Number &scalar, Span span);
  mlir::Value constantInt(int64_t value, Span span);
  /// An integer as an index value: an i64 that takes the type of floats beside
  /// it. `range` is the function of whose call it is an argument, if any.
  mlir::Value indexValue(mlir::Value value, Span span,
                         llvm::StringRef range = "");
  /// Applies a scalar function; folds it if all operands are constants.
  Number apply(ir::ScalarFunction function, llvm::ArrayRef<Number> operands,
               Span span);
  /// Applies a function such as `maximum` to any number of operands. Their
  /// types are promoted together, in whichever order they come.
  Number applyChained(ir::ScalarFunction function,
                      llvm::ArrayRef<Number> operands, Span span);
  /// Applies a scalar function without folding; gives its first result.
  mlir::Value applyValues(ir::ScalarFunction function,
                          llvm::ArrayRef<mlir::Value> operands, Span span);
  Number convert(const Number &scalar, TypeName target, ir::CastMode mode,
                 Span span);
  /// The bits of a number as those of another type of its width.
  Number bits(const Number &scalar, TypeName target, Span span);
  mlir::Value truthOf(const Number &scalar, Span span); ///< i1
  /// A truth value as an open value.
  mlir::Value opened(mlir::Value i1, Span span);
  /// False beyond Budget::maxWork; reports when the limit is first exceeded.
  bool countWork(size_t amount, Span span);
};

/// Adds the kern.func of a ufunc or gufunc at the builder's place; null after
/// an error.
ir::FuncOp lowerFunction(ModuleScope &scope, const syntax::Function &function,
                         mlir::OpBuilder &builder, Checks checks);

} // namespace kern::compiler
