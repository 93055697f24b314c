//===- Dimension.h - arithmetic on core dimensions --------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"

#include <functional>
#include <optional>
#include <span>

namespace kern::runtime {

/// True if `expr` is a well-formed reverse Polish expression.
bool isWellFormed(const DimExpr &expr);

/// The name of a dimension that is a name alone; nothing for other expressions.
std::optional<std::string> nameOf(const DimExpr &expr);

/// The names that `expr` uses, in order, repetitions included.
std::vector<std::string> namesIn(const DimExpr &expr);

/// The value of a single non-negative integer token, if `expr` is one.
std::optional<int64_t> constantOf(const DimExpr &expr);

using DimLookup =
    std::function<std::optional<int64_t>(const std::string &name)>;

/// Looks up `function.dims`, whose values are `values`. Both must outlive it.
DimLookup dimensionLookup(const FunctionInfo &function,
                          std::span<const int64_t> values);

/// Evaluates with floor division and modulo. `lookup` gives a name's value.
/// KERN_ERROR_SHAPE for an unbound name, division by zero, overflow, a negative
/// operand of `>=0` (the extent of a local array), and different operands of
/// `==` (extents that meet, of which a negative one counts as 0). Other
/// negative values are not errors.
Expected<int64_t> evaluate(const DimExpr &expr, const DimLookup &lookup);

/// Whether a call's dimensions, in the order of `function.dims`, are what the
/// kernel needs: `leastExtents` and `nonEmpty`. Else KERN_ERROR_SHAPE.
Status checkExtents(const KernelInfo &kernel, const FunctionInfo &function,
                    std::span<const int64_t> dims);

} // namespace kern::runtime
