//===- Axes.h - which axes are core dimensions ------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NumPy's `axis`, `axes` and `keepdims` of gufuncs, and optional core
// dimensions, as views: a kernel sees each operand with its loop dimensions
// first and all of its core dimensions last, the caller has them where the call
// says, and may lack optional ones. Pure.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"
#include "runtime/array/StridedView.h"
#include "runtime/artefact/Manifest.h"

#include <optional>
#include <span>

namespace kern {

/// What a call asks for, in the terms of kern_call_request.
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

/// The optional dimensions that some array of a call has not enough dimensions
/// for, as NumPy finds them: of the first operand that is short the first ones,
/// for all operands, and so on. `inputs` and `outputs` as for arrangeAxes.
std::vector<std::string>
missingDimensions(const FunctionInfo &function, std::span<const size_t> inputs,
                  std::span<const std::optional<size_t>> outputs);

/// One map for each parameter that is not a `dim`, then for each result.
/// Nothing if the call asks for nothing and `missing` is empty. `inputs` has
/// the rank of each input,
/// `outputs` that of each `out` array that was given.
///
/// KERN_ERROR_ARGUMENT for what NumPy refuses: axes of a ufunc, `axis` and
/// `axes` together, `axis` of a function that has not one core dimension,
/// `keepdims` of one whose results have core dimensions or whose inputs have
/// not as many each, a wrong number of entries, an axis named twice;
/// KERN_ERROR_SHAPE for an axis that there is not.
Expected<std::vector<AxisMap>>
arrangeAxes(const FunctionInfo &function, const AxisRequest &request,
            std::span<const size_t> inputs,
            std::span<const std::optional<size_t>> outputs,
            std::span<const std::string> missing = {});

/// The caller's array as the kernel sees it. Nothing if the axes of a merged
/// map do not lie in memory as one; orderedAxes() then tells how to copy it.
std::optional<StridedView> toKernel(const StridedView &view,
                                    const AxisMap &map);
/// The caller's array with the core axes moved to the end, and not merged.
StridedView orderedAxes(const StridedView &view, const AxisMap &map);
/// The inverse of toKernel() for a map that is not merged, or is kept.
StridedView toCaller(const StridedView &view, const AxisMap &map);
/// The same of a shape.
Extents toCaller(const Extents &shape, const AxisMap &map);

} // namespace kern
