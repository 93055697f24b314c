//===- Tree.h - the syntax tree ---------------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parser's result: what was written, with nothing resolved. Nodes own their
// children. Each has the exact span of its text.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/source/Source.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace kern::compiler::syntax {

struct Expr;
struct Stmt;
using ExprPtr = std::unique_ptr<Expr>;
using StmtPtr = std::unique_ptr<Stmt>;
using Block = std::vector<StmtPtr>;

struct Identifier {
  std::string name;
  Span span;
};

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

enum class UnaryOp : uint8_t { Plus, Minus, Invert, Not };
enum class BinaryOp : uint8_t {
  Add,
  Sub,
  Mul,
  TrueDiv,
  FloorDiv,
  Mod,
  Pow,
  BitAnd,
  BitOr,
  BitXor,
  ShiftLeft,
  ShiftRight,
  MatMul, ///< of arrays; the others are of numbers
};
/// In and NotIn compare a type variable with types.
enum class CompareOp : uint8_t { Lt, Le, Gt, Ge, Eq, Ne, In, NotIn };
enum class BoolOp : uint8_t { And, Or };

/// An integer literal as 64-bit words, the least significant first: as few as
/// possible, at least one. The parser rejects literals wider than integerBits
/// (Literals.h).
struct IntegerLiteral {
  std::vector<uint64_t> words;
};
struct FloatLiteral {
  double value;
};
/// `2j`: the imaginary part.
struct ImaginaryLiteral {
  double value;
};
struct BoolLiteral {
  bool value;
};
struct Name {
  std::string name;
};
struct Unary {
  UnaryOp op;
  ExprPtr operand;
};
struct Binary {
  BinaryOp op;
  ExprPtr left, right;
  Span opSpan;
};
/// `a < b <= c`: first, then (op, operand) pairs.
struct Compare {
  ExprPtr first;
  std::vector<std::pair<CompareOp, ExprPtr>> rest;
};
/// `a and b and c`.
struct Logical {
  BoolOp op;
  std::vector<ExprPtr> operands;
};
/// `value if condition else otherwise`.
struct Conditional {
  ExprPtr condition, value, otherwise;
};
/// `function(arguments)`. A sole generator argument is a Generator expression.
struct Call {
  ExprPtr function;
  std::vector<ExprPtr> arguments;
  std::vector<std::pair<Identifier, ExprPtr>> keywords;
  bool isMethod = false; ///< written `x.f()`, with the first argument before it
};
/// `value.name`.
struct Attribute {
  ExprPtr value;
  Identifier name;
};
/// One index of a subscript: `e`, `lo:hi:step` where each part may be absent,
/// or
/// `...`, a slice of as many axes as the other indices leave.
struct Index {
  Span span;
  bool isSlice = false;
  bool isEllipsis = false;
  ExprPtr value;              ///< if not a slice
  ExprPtr lower, upper, step; ///< if a slice; null if absent
};
struct Subscript {
  ExprPtr value;
  std::vector<Index> indices;
};
struct Tuple {
  std::vector<ExprPtr> elements;
};
/// `[a, b, …]`: an array.
struct List {
  std::vector<ExprPtr> elements;
};
/// `for target in iterable if condition …`, one clause of a generator.
struct GeneratorClause {
  Span span;
  ExprPtr target; ///< a Name or a Tuple of them
  ExprPtr iterable;
  std::vector<ExprPtr> conditions;
};
/// `element for … in … if …`, only as the sole argument of a call or as the
/// last argument of `fold(f, init, generator)`.
struct Generator {
  ExprPtr element;
  std::vector<GeneratorClause> clauses;
};
/// Replaces an expression that could not be parsed; the error is reported.
struct ErrorExpr {};

struct Expr {
  using Node = std::variant<ErrorExpr, IntegerLiteral, FloatLiteral,
                            ImaginaryLiteral, BoolLiteral, Name, Unary, Binary,
                            Compare, Logical, Conditional, Call, Attribute,
                            Subscript, Tuple, List, Generator>;
  Span span;
  Node node;

  template <typename T> const T *as() const { return std::get_if<T>(&node); }
  template <typename T> T *as() { return std::get_if<T>(&node); }
};

//===----------------------------------------------------------------------===//
// Types in headers
//===----------------------------------------------------------------------===//

/// One core dimension as written: an expression of names, integers,
/// `+ - * // %` and `min(…)`/`max(…)`; `m?` is an optional name.
struct DimSyntax {
  ExprPtr expr;
  bool optional = false;
  Span span;
};
/// `T`, `f32`, `T[m, k]`, `[n]` (no element name), `dim`.
struct TypeSyntax {
  Span span;
  std::optional<Identifier> element;
  bool isArray = false;
  std::vector<DimSyntax> dims;
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// `a = b = value`: one or more targets, each a Name, Subscript or Tuple.
struct Assign {
  std::vector<ExprPtr> targets;
  ExprPtr value;
};
/// `name: type = value`.
struct AnnotatedAssign {
  Identifier name;
  TypeSyntax type;
  ExprPtr value;
};
struct AugmentedAssign {
  BinaryOp op;
  ExprPtr target;
  ExprPtr value;
};
struct ExprStmt {
  ExprPtr value;
};
/// An `elif` is a sole If in `otherwise`.
struct If {
  ExprPtr condition;
  Block then, otherwise;
};
/// `otherwise` runs when the condition fails, not after a `break`.
struct While {
  ExprPtr condition;
  Block body, otherwise;
};
/// The iterable is `range`, `prange`, `zip`, an array …; lowering distinguishes
/// them. `otherwise` runs after the last iteration, not after a `break`.
struct For {
  ExprPtr target, iterable;
  Block body, otherwise;
};
struct Break {};
struct Continue {};
struct Pass {};
/// `return`, `return e`, `return a, b` (a Tuple).
struct Return {
  ExprPtr value;
};
struct Assert {
  ExprPtr condition;
  std::optional<std::string> message;
};

struct Stmt {
  using Node =
      std::variant<Pass, Assign, AnnotatedAssign, AugmentedAssign, ExprStmt, If,
                   While, For, Break, Continue, Return, Assert>;
  Span span;
  Node node;

  template <typename T> const T *as() const { return std::get_if<T>(&node); }
};

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

struct Docstring {
  std::string text;
  Span span;
};

struct Decorator {
  enum Kind : uint8_t { Fastmath, Associative } kind = Fastmath;
  Identifier name;
  std::vector<std::pair<Identifier, ExprPtr>> keywords;
  Span span;
};

struct Parameter {
  Identifier name;
  std::optional<TypeSyntax> type;
  bool isInout = false;
  Span span;
  ExprPtr defaultValue = nullptr; ///< null if there is none
};
struct Result {
  std::optional<Identifier> name; ///< `(q: T, …)`; unnamed otherwise
  TypeSyntax type;
};
/// `(T, I) in ((f32, i32), …)`, or one variable and a list of types or type
/// sets by name. Every row has one entry per variable.
struct WhereClause {
  std::vector<Identifier> variables;
  std::vector<std::vector<Identifier>> rows;
  Span span;
};

enum class ItemKind : uint8_t { Ufunc, Gufunc, Def };

/// One record, since a node has a member for each part of its syntax.
struct Function {
  ItemKind kind;
  Identifier name;
  std::vector<Decorator> decorators;
  std::vector<Parameter> parameters;
  bool hasArrow = false;
  std::vector<Result> results;
  std::vector<WhereClause> where;
  std::optional<Docstring> docstring;
  Block body;
  Span header; ///< from the keyword to the colon
  /// `...` in place of a body: declared here, computed elsewhere.
  std::optional<Span> ellipsis;
};
/// `const NAME = e` or `const NAME: f32 = e`.
struct Const {
  Identifier name;
  std::optional<TypeSyntax> type;
  ExprPtr value;
};
/// `import m` (names empty) or `from m import a, b as c`.
struct Import {
  Identifier module;
  std::optional<Identifier> alias; ///< `import numpy as np`
  std::vector<std::pair<Identifier, std::optional<Identifier>>> names;
};

struct Item {
  Span span;
  std::variant<Function, Const, Import> node;
};

struct File {
  uint32_t file = 0;
  std::optional<Docstring> docstring;
  std::vector<Item> items;
};

//===--- BoundNames.cpp ---------------------------------------------------===//

/// Every name that a file binds anywhere: functions, constants, parameters,
/// results, type variables, core dimensions, variables. Of imports, only the
/// alias in `from m import f as g`.
std::set<std::string> boundNames(const File &file);
/// Those that a function binds, its own among them.
std::set<std::string> boundNames(const Function &function);

} // namespace kern::compiler::syntax
