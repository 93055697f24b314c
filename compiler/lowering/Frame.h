//===- Frame.h - a function whose body is being lowered ------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/lowering/Header.h"
#include "compiler/lowering/Joins.h"
#include "dialects/Kern/Kern.h"

#include <set>

namespace kern {

struct Frame;

/// What `break` and `continue` refer to.
struct LoopContext {
  std::vector<Edge> breaks, continues;
  ParallelOp parallel = nullptr; ///< of a prange
};

/// The call that a function is inlined for.
struct InlinedCall {
  Frame &caller;
  mlir::Location place;
  const Header *header; ///< null for a `def`
  /// The scalar arguments of a function with declared types, whose results are
  /// weak where all of these are; empty if an argument is an array.
  llvm::SmallVector<mlir::Value> entered;
  ValueJoin returns;
  std::vector<Span> returnPlaces = {}; ///< of each of these
};

/// What a body does with names.
struct NameUses {
  std::set<std::string, std::less<>> read;
  std::map<std::string, Span> assigned; ///< and where first
};

/// A function whose body is being lowered: the ufunc or gufunc itself, or one
/// that is inlined into it. A body sees its parameters and its file's names,
/// nothing of its caller.
struct Frame {
  ModuleScope &scope;
  const syntax::Function &function;
  std::optional<InlinedCall> call = std::nullopt;
  Environment env = {};
  /// The header's, and for those of an inlined function a value of the type.
  std::map<std::string, mlir::Value> typeVariables = {};
  std::vector<std::string> scalarResults = {}; ///< in order
  /// Types that annotations fix: `acc: f64 = 0`.
  std::map<std::string, TypeName, std::less<>> declaredTypes = {};
  NameUses names = {};
  std::vector<LoopContext> loops = {}; ///< the innermost last

  /// The frame that it is inlined into, or null.
  Frame *caller() const { return call ? &call->caller : nullptr; }
};

} // namespace kern
