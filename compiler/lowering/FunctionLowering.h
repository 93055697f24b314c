//===- FunctionLowering.h - lowers the body of a function ----- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One ufunc or gufunc at a time: statements become blocks, names become
// values. The class is spread over Statements.cpp, Loops.cpp, Sequences.cpp,
// Expressions.cpp, Attributes.cpp, Calls.cpp, Inlining.cpp, Arrays.cpp,
// Reductions.cpp, Positions.cpp, Folds.cpp, LocalArrays.cpp, Races.cpp and
// Joins.cpp.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/dependence/Counting.h"
#include "compiler/lowering/Binding.h"
#include "compiler/lowering/Checks.h"
#include "compiler/lowering/Header.h"
#include "compiler/lowering/StackRoom.h"
#include "compiler/modules/ModuleScope.h"
#include "dialects/Kern/Kern.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <set>

namespace kern {

class Dependence;
enum class Meeting : uint8_t;
struct ElementAccess;
enum class ScalarFunction : uint8_t;
struct ScalarFunctionInfo;

class FunctionLowering {
public:
  FunctionLowering(ModuleScope &scope, const syntax::Function &function,
                   mlir::OpBuilder &builder, Checks checks);

  /// Adds the kern.func at the builder's place; null after an error.
  FuncOp lower();

private:
  using Value = mlir::Value;
  using Location = mlir::Location;

  /// A jump whose target block is not made yet.
  struct Edge {
    mlir::Block *block;
    Environment env;
  };
  /// What `break` and `continue` refer to.
  struct LoopContext {
    std::vector<Edge> breaks, continues;
    ParallelOp parallel = nullptr; ///< of a prange
  };
  /// A type as a body names it: fixed, of a type variable, or that of a value.
  struct TypeName {
    mlir::Attribute attribute;
    Value like; ///< of an inlined function's type variable
  };
  /// A function being inlined.
  struct InlineContext {
    const syntax::Function *function;
    Location call;
    std::vector<Edge> returns;           ///< the result under the name "return"
    std::vector<Span> returnPlaces = {}; ///< of each of these
    size_t loopDepth;                    ///< loops outside of the call
    const Header *header = nullptr;      ///< unless it is a `def`
    /// The scalar arguments of a function with declared types, whose results
    /// are weak where all of these are; empty if an argument is an array.
    llvm::SmallVector<Value> entered;
  };
  /// A sequence: `upper` and `step` bound an index, `element` binds a turn.
  struct Iterable {
    Value lower, upper, step;
    std::optional<int64_t> constantStep;
    std::function<std::optional<Binding>(Value index)> element;
  };

  //===--- Function (FunctionLowering.cpp) --------------------------------===//
  void bindOperands(const Header &header);
  bool finishResults(const Header &header);
  Location loc(Span span);
  mlir::Block *newBlock();
  bool isReachable() { return builder.getInsertionBlock() != nullptr; }
  Diagnostic &error(Diag id, Span span,
                    std::initializer_list<std::string> arguments = {});
  /// That a function can end without a value, and where.
  Diagnostic &reportMissingReturn(const syntax::Function &target);

  //===--- Statements (Statements.cpp, Assignments.cpp) -------------------===//
  void lowerBlock(const syntax::Block &block);
  void lowerStmt(const syntax::Stmt &stmt);
  void lowerAssign(const syntax::Assign &assign, Span span);
  void lowerAnnotated(const syntax::AnnotatedAssign &assign, Span span);
  void lowerAugmented(const syntax::AugmentedAssign &assign, Span span);
  void lowerReturn(const syntax::Return &statement, Span span);
  bool returnsArray(const syntax::Return &statement,
                    llvm::ArrayRef<Binding> parts);
  void lowerIf(const syntax::If &statement);
  void lowerExprStmt(const syntax::ExprStmt &statement, Span span);
  void lowerAssert(const syntax::Assert &statement, Span span);
  /// Binds a target (a name, a subscript, a tuple of them) to a value.
  void assign(const syntax::Expr &target, const Binding &value, Span span);
  void assignName(const std::string &name, Span target, Binding value);
  void unpack(const syntax::Tuple &targets, const Binding &value, Span target,
              Span span);
  /// The values that a value unpacks to, into `wanted` names; reports what
  /// does not.
  std::optional<std::vector<Binding>>
  partsOf(const Binding &value, size_t wanted, Span target, Span span);
  void assignElement(const syntax::Subscript &target, const Binding &value,
                     Span place, Span span);
  /// Reports an array, whose name cannot be bound to anything else.
  bool checkRebinding(const std::string &name, Span target);
  /// `a[i] += v`, also where several iterations of a prange share the element.
  void lowerElementUpdate(const syntax::AugmentedAssign &assign,
                          const syntax::Subscript &target, Span span);
  bool isSharedElement(const ArrayView &element);

  //===--- Loops (Loops.cpp) ----------------------------------------------===//
  void lowerWhile(const syntax::While &statement, Span span);
  void lowerFor(const syntax::For &statement, Span span);
  void lowerPrange(const syntax::For &statement, const syntax::Call &call,
                   Span span);
  /// Reports what one iteration is seen to write and another to touch.
  void checkRaces(ParallelOp parallel);
  /// The first of the accesses to one array that others may get in the way of.
  void checkArray(ParallelOp parallel, Value array, Dependence &dependence,
                  llvm::ArrayRef<ElementAccess> accesses);
  /// Reports a store of what its own element was before, where the iteration
  /// has not got that to itself.
  bool reportUpdate(ParallelOp parallel, Value array, StoreOp store,
                    llvm::function_ref<bool()> isShared);
  void reportRace(ParallelOp parallel, Value array, mlir::Operation *first,
                  mlir::Operation *second, Meeting meeting);
  std::string arrayName(Value array) const;
  /// What is written there, or its beginning.
  std::string textAt(Span span) const;
  void lowerJump(bool isBreak, Span span);
  /// The header of a loop: arguments for what the body assigns.
  struct LoopHeader {
    mlir::Block *block;
    std::vector<std::pair<std::string, std::vector<AccumulatorOp>>> carried;
    Value counter;
  };
  /// Jumps to a new header; `counter`, if any, is its first argument.
  LoopHeader openLoop(const std::set<std::string> &assigned, Value counter,
                      Span span);
  /// Jumps back from here, if here is reachable.
  void closeLoop(LoopHeader &header, Value counter, Span span);
  /// Whether the sequence, by steps of 1 or -1, goes on at `index`, as i1.
  Value inRange(const Iterable &sequence, Value index, Span span);

  //===--- Sequences (Sequences.cpp) --------------------------------------===//
  std::optional<Iterable> iterable(const syntax::Expr &expr);
  std::optional<Iterable> rangeOf(const syntax::Call &call, Span span);
  std::optional<Iterable> overArray(const ArrayView &view, Span span);
  /// The number of turns, of at most as many as an index counts.
  Value countOf(const Iterable &sequence, Span span);
  /// What counts from 0, without an element.
  Iterable counting(Value count, Span span);
  std::optional<Binding> atTurn(const Iterable &sequence, Value turn,
                                Span span);
  /// The same by steps of 1 or -1, for a loop that goes from each index to the
  /// next.
  std::optional<Iterable> inOrder(const syntax::Expr &expr);

  //===--- Expressions (Expressions.cpp, Conditions.cpp, NameUses.cpp,
  //===---              Operations.cpp) -----------------------------------===//
  std::optional<Binding> lowerExpr(const syntax::Expr &expr);
  std::optional<Binding> lowerNode(const syntax::Expr &expr);
  std::optional<Number> lowerScalar(const syntax::Expr &expr);
  /// As an open value; null after an error.
  Value lowerValue(const syntax::Expr &expr);
  /// As i1; null after an error.
  Value lowerCondition(const syntax::Expr &expr);
  std::optional<Binding> lowerName(const syntax::Name &name, Span span);
  std::optional<Binding> lowerAttribute(const syntax::Attribute &attribute,
                                        Span span);
  /// `m.NAME` of an imported module.
  std::optional<Binding> lowerModuleName(ModuleScope &module,
                                         llvm::StringRef prefix,
                                         const syntax::Identifier &name,
                                         Span span);
  Binding useConstant(const NamedConstant &constant, Span span);
  std::optional<Binding> lowerCompare(const syntax::Compare &compare,
                                      Span span);
  std::optional<Binding> lowerLogical(llvm::ArrayRef<syntax::ExprPtr> operands,
                                      bool isAnd, Span span);
  std::optional<Binding> lowerConditional(const syntax::Conditional &expr,
                                          Span span);
  /// `T == f64` and the like.
  std::optional<Value> lowerTypeComparison(const syntax::Compare &compare,
                                           Span span);
  /// The type variable that an expression names, if it does.
  using TypeVariable = std::pair<const std::string, Value>;
  const TypeVariable *typeVariableOf(const syntax::Expr &expr) const;
  /// The types that stand on the right of `T ==` or `T in`.
  llvm::SmallVector<DType> typesNamed(const syntax::Expr &expr, bool isSet);
  Value typeIs(const TypeVariable &variable, llvm::ArrayRef<DType> types,
               Span span);
  Value sameType(const TypeVariable &left, const TypeVariable &right,
                 Span span);
  Value materialize(const Number &scalar, Span span);
  Number apply(ScalarFunction function, llvm::ArrayRef<Number> operands,
               Span span);
  /// The same of as many operands as a chained function is given: all meet at
  /// once, wherever the weak ones stand.
  Number applyChained(ScalarFunction function, llvm::ArrayRef<Number> operands,
                      Span span);
  Value applyValues(ScalarFunction function, llvm::ArrayRef<Value> operands,
                    Span span);
  Number convert(const Number &scalar, TypeName target, CastMode mode,
                 Span span);
  Value truthOf(const Number &scalar, Span span);
  /// False past the limit, which is reported where it is passed.
  bool countWork(size_t amount, Span span);
  Value opened(Value i1, Span span);
  /// An integer as an index value: i64 that gives way to floats.
  Value indexValue(Value value, Span span);
  Value constantInt(int64_t value, Span span);
  Diagnostic &unknownName(const std::string &name, Span span);
  /// `s += v` of a name that has no value yet.
  void reportUnboundUpdate(const std::string &name, syntax::BinaryOp op,
                           Span span);
  /// An array where a number is needed.
  void reportArray(const ArrayView &view, Span place);
  Diagnostic &reportConflict(const std::string &what, const Unusable &conflict,
                             Span span);
  /// The scalar of a binding; reports tuples, arrays, unusable names.
  std::optional<Number> scalarOf(const Binding &binding, Span place);

  //===--- Calls (Calls.cpp) ----------------------------------------------===//
  /// What a call calls: a function of a file, or a name of the library.
  struct Callee {
    llvm::StringRef name;
    std::optional<ScopedFunction> function;
  };
  std::optional<Callee> calleeOf(const syntax::Expr &called);
  void unknownFunction(llvm::StringRef name, Span span);
  /// Whether a body here can name anything by this.
  bool isNamed(const std::string &name);
  std::optional<Binding> lowerCall(const syntax::Call &call, Span span);
  std::optional<Binding> lowerLanguageCall(llvm::StringRef name,
                                           const syntax::Call &call, Span span);
  std::optional<Binding> lowerConversion(TypeName target, llvm::StringRef name,
                                         const syntax::Call &call, Span span);
  std::optional<Binding> lowerScalarCall(const ScalarFunctionInfo &function,
                                         llvm::StringRef name,
                                         const syntax::Call &call, Span span);
  /// A function of the library that has not this number of arguments in the
  /// table (`row`, or null): that of the prelude which has it, or an error.
  std::optional<Binding> lowerOverload(const ScalarFunctionInfo *row,
                                       llvm::ArrayRef<ScopedFunction> inKern,
                                       llvm::StringRef name,
                                       const syntax::Call &call, Span span);
  std::optional<TypeName> typeNamed(llvm::StringRef name, bool pythonNames);
  bool checkCount(llvm::StringRef name, const syntax::Call &call, size_t least,
                  size_t most, Span span);

  //===--- Inlining (Inlining.cpp, TypedCalls.cpp) ------------------------===//
  std::optional<Binding> inlineCall(ScopedFunction callee,
                                    const syntax::Call &call, Span span);
  /// The call with these arguments, which stand at `places`.
  std::optional<Binding> inlineWith(ScopedFunction callee,
                                    llvm::ArrayRef<Binding> arguments,
                                    llvm::ArrayRef<Span> places, Span span);
  /// Inlines with these parameters; `header` of a ufunc or gufunc.
  std::optional<Binding>
  inlineBody(ScopedFunction callee, Environment parameters,
             std::map<std::string, Value> variables, const Header *header,
             llvm::SmallVector<Value> entered, Span span);
  /// The parameters of a ufunc or gufunc as its loop takes them.
  bool enterTyped(const syntax::Function &callee, const Header &header,
                  llvm::ArrayRef<Binding> arguments,
                  llvm::ArrayRef<Span> places, Environment &parameters,
                  std::map<std::string, Value> &variables,
                  llvm::SmallVectorImpl<Value> &entered, Span span);
  /// `sizes` says which argument gave each dimension its size.
  bool bindCoreArray(const syntax::Function &callee, OperandAttr parameter,
                     ArrayView view, Span place, Environment &parameters,
                     std::map<std::string, Span> &sizes);
  /// What an inlined ufunc or gufunc gives for these returned values.
  Binding typedResults(llvm::ArrayRef<Binding> parts, Span span);
  /// Leaves a kern.inlined for messages about the body.
  void noteCall(const syntax::Function &callee,
                llvm::ArrayRef<Binding> arguments, Span span);
  void returnInlined(std::optional<Binding> value, bool isExplicit, Span span);
  Diagnostic &reportReturnConflict(const InlineContext &context,
                                   const Unusable &conflict,
                                   llvm::ArrayRef<std::string> kinds);
  /// The kind of the function whose loops these are: that of the innermost
  /// ufunc or gufunc.
  syntax::ItemKind kindHere() const;

  //===--- Arrays (Arrays.cpp) --------------------------------------------===//
  std::optional<Binding> lowerSubscript(const syntax::Subscript &subscript,
                                        Span span);
  std::optional<ArrayView>
  indexView(ArrayView view, const syntax::Subscript &subscript, Span span);
  /// Fixes the first open axis at an index.
  ArrayView atFirst(ArrayView view, Value index, Span span);
  Value load(const ArrayView &view, Span span);
  /// Notes that the array is written; reports it if it must not be.
  bool checkWritable(const ArrayView &view, Span span);
  /// Null after an error.
  StoreOp store(Value value, const ArrayView &view, Span span);
  llvm::SmallVector<Value> indicesOf(const ArrayView &view, Span span);
  /// `number` counts the axes of the view.
  std::optional<Value> lowerIndex(const syntax::Expr &expr,
                                  const ArrayView &view, const Axis &axis,
                                  size_t number, bool isBound);
  Value extentOf(const ArrayView &view, unsigned openAxis);
  Value sizeOf(const ArrayView &view, Span span);

  //===--- Reductions (Reductions.cpp) ------------------------------------===//
  std::optional<Binding> lowerReduction(llvm::StringRef name,
                                        const syntax::Call &call, Span span);
  /// How elements are combined.
  struct Reduction {
    ReduceKind kind;
    bool isPartial = false; ///< gives an element of the one around it
    bool counts = false;    ///< says of how many elements it is as well
    Value count = nullptr;  ///< of a mean that does not: of how many

    /// That of a later `for`, whose results are the elements of this one.
    Reduction inside(bool counts) const;
  };
  /// What a reduction gives.
  struct Reduced {
    Value value;
    Value kept = nullptr; ///< of how many elements, if it counts
    /// Of a position: whether the later `for`s have as many turns in each turn
    /// of the first.
    bool isSteady = true;
  };
  /// What one turn of a reduction gives.
  struct Element {
    Value value;
    Value keep = nullptr;  ///< whether it counts; null: always
    Value count = nullptr; ///< of how many elements it is; null: one
  };
  /// Of a generator, but for positions.
  std::optional<Value> lowerGenerator(ReduceKind kind,
                                      const syntax::Generator &generator,
                                      Span span);
  Value reduceArray(Reduction reduction, const ArrayView &view, Span span);
  Value reduceFlat(Reduction reduction, const ArrayView &view, Span span);
  std::optional<Reduced> reduceGenerator(Reduction reduction,
                                         const syntax::Generator &generator,
                                         size_t clause, Span span);
  /// The element of a turn of a clause: the generator's, or the reduction of
  /// the next clause. `isSteady` is set as Reduced says.
  std::optional<Element> elementOf(Reduction reduction,
                                   const syntax::Generator &generator,
                                   size_t clause, bool &isSteady, Span span);
  /// The element unless one of the conditions, which are looked at first,
  /// fails.
  std::optional<Element>
  elementIf(Reduction reduction, llvm::ArrayRef<syntax::ExprPtr> conditions,
            llvm::function_ref<std::optional<Element>()> element, Span span);
  /// A reduction over one sequence; `body` gives the element of a turn.
  std::optional<Reduced>
  reduceOver(Reduction reduction, const Iterable &sequence, Span span,
             llvm::function_ref<std::optional<Element>(Value index)> body);

  //===--- Positions (Positions.cpp) --------------------------------------===//
  /// `argmin` or `argmax` of a generator.
  std::optional<Value>
  lowerPosition(ReduceKind kind, const syntax::Generator &generator, Span span);
  /// A position among the turns of clauses, and how many these have in all.
  struct Place {
    Value position;
    Value turns; ///< null if nobody wants it
  };
  /// The position of the extremum, or of something if nothing is kept, among
  /// the turns of the clauses from `clause` on.
  std::optional<Place> placeIn(ReduceKind kind,
                               const syntax::Generator &generator,
                               size_t clause, bool wantsTurns, Span span);
  /// The rest of it for a clause that others follow, at its turn `turn`.
  std::optional<Place> placeAt(ReduceKind kind,
                               const syntax::Generator &generator,
                               size_t clause, const Iterable &sequence,
                               const Reduced &turn, bool wantsTurns, Span span);
  /// How many turns the clauses from `clause` on have, those that conditions
  /// turn away included.
  std::optional<Value> turnsOf(const syntax::Generator &generator,
                               size_t clause, Span span);
  /// The same in all turns of the clause before, which goes through `sequence`.
  std::optional<Value> turnsWithin(const syntax::Generator &generator,
                                   size_t clause, const Iterable &sequence,
                                   Span span);

  //===--- Folds (Folds.cpp) ----------------------------------------------===//
  std::optional<Binding> lowerFold(const syntax::Call &call, Span span);
  std::optional<Binding> lowerIdentity(const syntax::Expr &identity,
                                       ScopedFunction function);
  /// The function of a fold, applied to what is folded and an element.
  std::optional<Binding> combineFolded(const Callee &callee,
                                       const Binding &folded,
                                       const Binding &element,
                                       llvm::ArrayRef<Span> places, Span span);
  /// A loop over the sequence; `assigned` names what the body assigns. False
  /// after an error of the body.
  bool overTurns(const Iterable &sequence,
                 const std::set<std::string> &assigned,
                 llvm::function_ref<bool(Value index)> body, Span span);
  /// The same for each turn of the generator's clauses from `clause` on.
  bool overGenerator(const syntax::Generator &generator, size_t clause,
                     const std::set<std::string> &assigned,
                     llvm::function_ref<bool()> body, Span span);
  /// Gives a clause's targets, which are local to the generator, one element.
  void bindTurn(const syntax::GeneratorClause &clause, const Binding &element);

  //===--- Local arrays (LocalArrays.cpp) ---------------------------------===//
  std::optional<Binding> lowerLocalArray(llvm::StringRef name,
                                         const syntax::Call &call, Span span);
  std::optional<TypeName> elementTypeOf(const syntax::Expr &expr);

  //===--- Joins (Joins.cpp) ----------------------------------------------===//
  Edge edge() { return {builder.getInsertionBlock(), env}; }
  /// Continues at a new block where the edges meet; `env` becomes their join.
  void join(std::vector<Edge> edges, Span span);
  /// What `arriving[i]` from `edges[i]` become at `block`; adds arguments.
  Binding joinBindings(llvm::ArrayRef<const Binding *> arriving,
                       mlir::Block *block, llvm::ArrayRef<Edge> edges,
                       std::vector<llvm::SmallVector<Value>> &operands,
                       Span span);

  ModuleScope *scope;
  DiagnosticEngine &diagnostics;
  const syntax::Function &function;
  mlir::OpBuilder &builder;
  Checks checks;
  FuncOp func;
  mlir::Region *region = nullptr;
  Environment env;
  /// The header's, and for those of an inlined function a value of the type.
  std::map<std::string, Value> typeVariables;
  std::vector<LoopContext> loops;
  /// Of the loops in blocks, for what is known of indices.
  Counters counters;
  /// The stores of augmented assignments: "*=", and where.
  llvm::DenseMap<mlir::Operation *, std::pair<std::string, Span>> updates;
  std::vector<InlineContext> inlined;
  /// Scalar results in order, and how many values `return` gives (unset until
  /// the first `return` of a function whose header names no results).
  std::vector<std::string> scalarResults;
  std::optional<size_t> returnCount;
  /// Types that annotations fix: `acc: f64 = 0`.
  std::map<std::string, TypeName, std::less<>> declaredTypes;
  /// Whether it is the argument of a reduction that is being lowered.
  bool reducing = false;
  /// Whether there was an error, also one that was reported before (that of a
  /// `def` which is inlined twice, of the parser).
  bool failed = false;
  std::set<std::string> storedArrays;
  std::set<std::string, std::less<>> readNames;
  /// Those that were reported as unknown: what follows from it is not.
  std::set<std::string, std::less<>> unknownNames;
  /// Conditions of `if`s that types decide.
  std::set<std::pair<uint32_t, uint32_t>> typeConditions; ///< file, begin
  std::map<std::string, Span> assignedNames;
  /// Inlining can make a function exponentially larger than its text.
  static constexpr size_t maxOperations = 100000;
  size_t operations = 0;
  /// So it can what makes no operation: expressions that are lowered, values
  /// that are passed to a call or meet where paths do.
  static constexpr size_t maxWork = 1000000;
  size_t work = 0;
  /// A tuple of itself twice doubles with each line.
  static constexpr size_t maxParts = 1000;
  /// Expressions around the one that is being lowered, those of the callers of
  /// inlined functions included.
  static constexpr size_t maxDepth = 2500;
  size_t depth = 0;
  StackRoom stack; ///< for statements and calls, which take more of it
  /// In one chain `a < b < …`.
  static constexpr size_t maxComparisons = 200;
};

/// Whether a value is made of constants, core dimensions and `dim`s alone, so
/// that it is known before the kernel runs.
bool isShapeValue(mlir::Value value);
/// Whether such a value is an expression of more than maxDimTerms of them.
bool isLargeShape(mlir::Value value);
/// The constant that a size or an index is, if it is one that i64 holds.
std::optional<int64_t> constantIndex(mlir::Value value);

bool hasConditions(llvm::ArrayRef<syntax::GeneratorClause> clauses);
/// `argmin` and `argmax`.
bool isPosition(ReduceKind kind);
/// Whether the ranges of partial reductions, one in the other, are the same
/// wherever in `around` they stand.
bool standStill(ReduceOp reduce, mlir::Region &around);

/// How all elements of an array are written, for messages.
std::string elementwise(const std::string &name, size_t rank);

/// The names that a block may assign.
void collectAssigned(const syntax::Block &block, std::set<std::string> &names);
void collectTargets(const syntax::Expr &target, std::set<std::string> &names);

} // namespace kern
