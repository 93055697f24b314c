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

namespace kern {

/// What the choice of a form needs to know of one operand.
struct OperandFacts {
  bool isScalar = false; ///< passed by value
  uint64_t address = 0;  ///< of the first element visited
  size_t itemSize = 1;
  bool isOutput = false;
  bool isBuffered = false; ///< converted or masked on the way
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

/// The alignment that GPU kernels of the contiguous form ask for: at least, and
/// from sm_100 on. It is also the bytes of their accesses; those of the inner
/// form have the former.
inline constexpr size_t vectorBytes = 16, widestVectorBytes = 32;

/// The form that a call on a GPU wants. In this order: contiguous where the
/// layout and the operands' `alignment` allow it; tiled where inputs lie across
/// the outputs (Crossing.h); inner where the outputs' elements lie side by side
/// in rows that are worth vectors, and the inputs' do, stand still or are a few
/// elements apart; else strided. General for a gufunc.
Form wantedCudaForm(FunctionKind kind, const Layout &layout,
                    std::span<const OperandFacts> facts,
                    size_t alignment = vectorBytes);

/// Calls that touch more than this stream their results on the host: beyond the
/// caches a store that first reads what it overwrites costs a third of the
/// traffic of `a + b`.
inline constexpr int64_t streamedBytes = int64_t(1) << 25;

/// The form on the host. General for a gufunc. Contiguous for a ufunc, whatever
/// the layout (operands are packed where they have to be; HostTiling.h), or
/// streamed where it touches a lot, writes long rows of unit strides without a
/// buffer, and is `disjoint`: what is in the caches, read in place, is written
/// there.
Form wantedHostForm(FunctionKind kind, const Layout &layout,
                    std::span<const OperandFacts> facts, bool disjoint);

} // namespace kern
