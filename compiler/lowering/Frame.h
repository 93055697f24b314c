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

namespace kern::compiler {

class LoopArrays;
struct Frame;

/// Who says that the iterations of a prange are independent.
enum class Independence : uint8_t {
  Declared, ///< the program, where the contents of arrays decide
  Inferred, ///< the compiler, which must have a proof
};

/// What `break` and `continue` refer to.
struct LoopContext {
  std::vector<Edge> breaks, continues;
  ir::ParallelOp parallel = nullptr; ///< null unless it is a prange
  /// Where arrays are whose names the loop binds again; may be null.
  const LoopArrays *arrays = nullptr;
  /// Swaps of such arrays by name.
  llvm::ArrayRef<const syntax::Assign *> renaming = {};
};

/// The call that is replaced by a function's body.
struct InlinedCall {
  Frame &caller;
  mlir::Location place;
  const Header *header; ///< null for a `def`
  /// The arguments of a function with declared types, if all are scalars: a
  /// result is weak if all of these are weak.
  llvm::SmallVector<mlir::Value> entered;
  ValueJoin returns;
  std::vector<Span> returnPlaces = {}; ///< where each return is
};

/// The names that a body reads and assigns.
struct NameUses {
  std::set<std::string, std::less<>> read;
  std::map<std::string, Span> assigned; ///< the place of the first assignment
};

/// A function whose body is being lowered: the ufunc or gufunc itself, or a
/// function that is inlined into it. A body sees its parameters and the names
/// of its file, but nothing of its caller.
struct Frame {
  ModuleScope &scope;
  const syntax::Function &function;
  std::optional<InlinedCall> call = std::nullopt;
  Environment env = {};
  /// The type variables of the header; in an inlined function each has a value
  /// of its type.
  std::map<std::string, mlir::Value> typeVariables = {};
  std::vector<std::string> scalarResults = {}; ///< in order
  /// Types that annotations declare: `acc: f64 = 0`.
  std::map<std::string, TypeName, std::less<>> declaredTypes = {};
  NameUses names = {};
  std::vector<LoopContext> loops = {}; ///< the innermost last

  /// The frame that it is inlined into, or null.
  Frame *caller() const { return call ? &call->caller : nullptr; }
};

} // namespace kern::compiler
