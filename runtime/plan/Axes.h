//===- Axes.h - which axes are core dimensions ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NumPy's `axis`, `axes` and `keepdims` of gufuncs, and optional core
// dimensions, as views. A kernel sees each operand with its loop dimensions
// first and all of its core dimensions last; the caller's arrays have them
// where the call says, and may lack optional ones. Pure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"
#include "runtime/array/StridedView.h"
#include "runtime/artefact/Manifest.h"

#include <optional>
#include <span>

namespace kern::runtime {

/// A call's `axis`, `axes` and `keepdims`, as in kern_call_request.
struct AxisRequest {
  const kern_axes *axis = nullptr;
  const kern_axes *axes = nullptr;
  size_t axesCount = 0;
  bool keepdims = false;
  bool asksForNothing() const { return !axis && !axes && !keepdims; }
};

/// Where one operand's core dimensions are in the caller's array.
struct AxisMap {
  /// Of a core dimension that the array lacks: it has extent 1.
  static constexpr size_t missing = SIZE_MAX;
  std::vector<size_t> core; ///< axes from 0 on, as the kernel has them
  /// The kernel sees them as one core dimension, in C order.
  bool isMerged = false;
  /// They have extent 1 and the kernel does not see them (keepdims).
  bool isKept = false;
};

/// The optional dimensions that a call leaves out, found as NumPy does: the
/// first operand with too few dimensions leaves out its first optional ones,
/// for all operands; then the next operand, and so on. `inputs` and `outputs`
/// as for arrangeAxes.
std::vector<std::string>
missingDimensions(const FunctionInfo &function, std::span<const size_t> inputs,
                  std::span<const std::optional<size_t>> outputs);

/// One map for each parameter that is not a `dim`, then for each result.
/// Nothing if the call asks for nothing and `missing` is empty. `inputs` has
/// the rank of each input, `outputs` that of each `out` array that was given.
///
/// KERN_ERROR_ARGUMENT for what NumPy rejects: axes of a ufunc, `axis` and
/// `axes` together, `axis` of a function without exactly one core dimension,
/// `keepdims` of one whose results have core dimensions or whose inputs differ
/// in their number, a wrong number of entries, an axis named twice.
/// KERN_ERROR_SHAPE for an axis out of bounds.
Expected<std::vector<AxisMap>>
arrangeAxes(const FunctionInfo &function, const AxisRequest &request,
            std::span<const size_t> inputs,
            std::span<const std::optional<size_t>> outputs,
            std::span<const std::string> missing = {});

/// The caller's array as the kernel sees it. Nothing if the axes of a merged
/// map cannot be merged in memory; then copy the view of orderedAxes().
std::optional<StridedView> toKernel(const StridedView &view,
                                    const AxisMap &map);
/// The caller's array with the core axes moved to the end, without merging
/// them.
StridedView orderedAxes(const StridedView &view, const AxisMap &map);
/// The inverse of toKernel() for a map that is not merged, or is kept.
StridedView toCaller(const StridedView &view, const AxisMap &map);
/// The same for a shape.
Extents toCaller(const Extents &shape, const AxisMap &map);

} // namespace kern::runtime
