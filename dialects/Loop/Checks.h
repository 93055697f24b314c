//===- Checks.h - the checks of a kernel ------------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"

#include <string>
#include <vector>

namespace kern::ir::loop {

/// What the number of a `loop.check` stands for.
struct CheckSite {
  /// One of these, each with the values of its `loop.check`:
  /// - "index" and "bound" (of a slice): the index and the extent;
  /// - "index from end" and "bound from end": likewise, if written negative;
  /// - "assert": none;
  /// - "unwritten": the indices of the first element that was not written;
  /// - "read", "write" and "add": an access to an element that another
  ///   iteration touched. The number of that iteration's access, the array's
  ///   rank, and the indices of the other iteration, of this iteration and of
  ///   the element.
  std::string kind;
  std::string place; ///< `file:line:column`
  std::string text;  ///< the array's name, or the message of an assertion
  unsigned axis = 0; ///< for an index or a bound the dimension, from 0; for an
                     ///< access the number of the prange's indices
};

/// Appends a site to the kernel's and returns its number.
int64_t addCheck(KernelOp kernel, const CheckSite &site);
/// The sites in a kernel's `checks` attribute.
std::vector<CheckSite> checkSites(std::optional<mlir::ArrayAttr> checks);
mlir::ArrayAttr checksAttribute(mlir::MLIRContext *context,
                                llvm::ArrayRef<CheckSite> sites);

} // namespace kern::ir::loop
