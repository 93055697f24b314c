//===- Locations.h - spans as MLIR locations and back --------- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "compiler/source/Source.h"

#include "mlir/IR/Location.h"

#include <optional>
#include <vector>

namespace kern::compiler {

/// The span as a file-line-column range.
mlir::Location toLocation(mlir::MLIRContext *context,
                          const SourceManager &sources, Span span);

/// The span of a location that toLocation made; the innermost place if the
/// location is inside an inlined function.
std::optional<Span> toSpan(const SourceManager &sources, mlir::Location loc);

/// The calls that led to a location inside an inlined function, innermost
/// first.
std::vector<Span> callers(const SourceManager &sources, mlir::Location loc);

} // namespace kern::compiler
