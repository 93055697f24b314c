//===- KernelFacts.h - forms, checks and needs of kernels -------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Nest.h"

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace kern::runtime {

/// How a kernel walks over its operands (docs/explanation/kernel-abi.md).
enum class Form : uint8_t {
  Contiguous, ///< ufunc: every array contiguous in the same order, or a scalar
  Inner,      ///< ufunc: any strides, fast where those of dimension 0 are unit
  Tiled,      ///< ufunc: any strides, fast where operands disagree about order
  Strided,    ///< ufunc: any strides
  General,    ///< gufunc: any strides, core dimensions per operand
  Streamed,   ///< ufunc, host: as contiguous, but writing around the caches
  Across,     ///< gufunc, host: arrays whose loop elements lie side by side
};
inline constexpr Form allForms[] = {
    Form::Contiguous, Form::Inner,    Form::Tiled, Form::Strided,
    Form::General,    Form::Streamed, Form::Across};
constexpr std::string_view name(Form form) {
  constexpr std::string_view names[] = {"contiguous", "inner",   "tiled",
                                        "strided",    "general", "streamed",
                                        "across"};
  return names[size_t(form)];
}
constexpr std::optional<Form> formNamed(std::string_view text) {
  for (Form form : allForms)
    if (name(form) == text)
      return form;
  return std::nullopt;
}

/// Whether a kernel of this form is a gufunc's, which has core dimensions.
constexpr bool hasCores(Form form) {
  return form == Form::General || form == Form::Across;
}

/// What a check tests, and the values that a failed one records.
enum class CheckKind : uint8_t {
  Index,        ///< an index of an array: the index and the extent
  IndexFromEnd, ///< one that was written as a negative number: likewise
  Bound,        ///< a bound of a slice: the bound and the extent
  BoundFromEnd, ///< one that was written as a negative number: likewise
  Assert,       ///< a condition: nothing
  Unwritten,    ///< an element of a result is written: its indices
  /// An access in a `prange` whose element no other iteration accesses: the
  /// number of the other access's check, the array's rank, the indices of the
  /// other iteration, of this one and of the element.
  Read,
  Write,
  Add, ///< an accumulation
};
/// The words for them in manifests.
inline constexpr std::string_view checkNames[] = {
    "index", "index from end", "bound", "bound from end", "assert", "unwritten",
    "read",  "write",          "add"};
constexpr std::string_view name(CheckKind kind) {
  return checkNames[size_t(kind)];
}
constexpr std::optional<CheckKind> checkKindNamed(std::string_view name) {
  for (size_t kind = 0; kind < std::size(checkNames); ++kind)
    if (checkNames[kind] == name)
      return CheckKind(kind);
  return std::nullopt;
}

/// What a kernel checks at one place of its source.
struct CheckInfo {
  CheckKind kind = CheckKind::Assert;
  std::string place; ///< `file:line:column`
  std::string text;  ///< the array's name; of an assertion the message
  /// Of an index or a bound the dimension, from 0; of an access the number of
  /// the prange's indices.
  unsigned axis = 0;
};

/// An extent that a call must make large enough: every path takes an element,
/// or a slice, that is there only then.
struct LeastExtent {
  DimExpr extent;    ///< a negative one counts as 0
  DimExpr least;     ///< a number, times 0 where a loop around it is empty
  std::string array; ///< the name of the array or the view
  unsigned axis = 0; ///< of that, from 0
  std::string place; ///< `file:line:column` of the index or the slice
  bool operator==(const LeastExtent &) const = default;
};

} // namespace kern::runtime
