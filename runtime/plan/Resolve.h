//===- Resolve.h - which loop a call takes ----------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loop resolution (docs/reference/language.md, "Which loop a call takes").
// Pure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/array/DType.h"
#include "runtime/artefact/Manifest.h"

#include <optional>
#include <span>

namespace kern::runtime {

/// The index of the loop: the first that matches the typed arguments exactly,
/// else the first to which all can be passed. In an exact match weak arguments
/// take a type of the typed ones, or the only type that their input has in any
/// loop. Weak arguments of a higher kind than all typed ones count as i64, f64
/// and c128 (givesWay in DType.h). Values of arguments have no influence.
/// `arguments` are those of the parameters that are not `dim`s. KERN_ERROR_TYPE
/// lists the loops, the arguments that do not fit, and what to do.
Expected<size_t> resolveLoop(const FunctionInfo &function,
                             std::span<const ArgType> arguments);

/// The loop that a call asks for: NumPy's `dtype`, `signature` and `casting`.
struct LoopRequest {
  std::optional<DType> dtype; ///< of every result
  /// For each parameter that is not a `dim`, then for each result. Empty: any.
  std::vector<std::optional<DType>> signature;
  Casting casting = Casting::SameKind;

  bool namesLoop() const { return dtype || !signature.empty(); }
  std::optional<DType> wanted(size_t operand) const {
    return operand < signature.size() ? signature[operand] : std::nullopt;
  }
};

/// The index of the first loop that has the types asked for and to which the
/// arguments cast under `request.casting`. Where nothing is asked for but a
/// casting of `no` or `equiv`, the first that matches exactly. KERN_ERROR_TYPE
/// if there is none.
Expected<size_t> resolveNamedLoop(const FunctionInfo &function,
                                  std::span<const ArgType> arguments,
                                  const LoopRequest &request);

/// The types for which a generic function is specialised when a call asks for a
/// loop: those of `signature`, else `dtype`, else the arguments' own.
std::vector<ArgType> typesAskedFor(std::span<const ArgType> arguments,
                                   const LoopRequest &request);

} // namespace kern::runtime
