//===- Form.h - which kernel form ------------------------------*- C++ -*--===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pure functions from facts about a call to the form of its kernel
// (docs/explanation/kernel-abi.md).
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"
#include "runtime/plan/Layout.h"

#include <optional>
#include <span>

namespace kern::runtime {

/// The facts about one operand that decide the form.
struct OperandFacts {
  bool isScalar = false; ///< passed by value
  uint64_t address = 0;  ///< of the first element visited
  size_t itemSize = 1;
  bool isOutput = false;
  bool isBuffered = false; ///< converted, computed or masked on the way
  bool isRange = false;    ///< not in memory: the address is 0, the size 1
};

/// Whether a host kernel of this form works on blocks of contiguous elements.
inline bool isBlocked(Form form) {
  return form == Form::Contiguous || form == Form::Streamed;
}

/// True if one row of unit strides covers the whole layout for every operand
/// that is not a scalar.
bool isContiguous(const Layout &layout, std::span<const OperandFacts> facts);

/// True if every operand in memory starts at a multiple of `alignment` bytes.
bool isAligned(std::span<const OperandFacts> facts, size_t alignment);

/// The alignment that GPU kernels of the contiguous form need, and from sm_100
/// on the wider one. It is also the size of their accesses; the inner form uses
/// the former.
inline constexpr size_t vectorBytes = 16, widestVectorBytes = 32;

/// The form for a call on a GPU: general for a gufunc, else the first that
/// fits. Contiguous, if the layout and the operands' `alignment` allow it.
/// Tiled, if inputs are transposed (Transposition.h), and none is a range.
/// Inner, if the outputs have dense rows long enough for vectors, and the
/// inputs have dense rows, stride 0 or strides of a few elements. Strided.
Form wantedCudaForm(FunctionKind kind, const Layout &layout,
                    std::span<const OperandFacts> facts,
                    size_t alignment = vectorBytes);

/// Calls that access more bytes than this use streaming stores on the host.
/// Data beyond the caches would otherwise be read before it is overwritten: a
/// third of the traffic of `a + b`.
inline constexpr int64_t streamedBytes = int64_t(1) << 25;

/// The form on the host. General for a gufunc. Contiguous for a ufunc of any
/// layout: operands are packed as needed (HostTiling.h). Streamed for a
/// `disjoint` call that accesses many bytes and writes long dense rows without
/// a buffer; a call in place finds its outputs in the caches.
Form wantedHostForm(FunctionKind kind, const Layout &layout,
                    std::span<const OperandFacts> facts, bool disjoint);

} // namespace kern::runtime
