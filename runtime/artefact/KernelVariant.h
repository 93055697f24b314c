//===- KernelVariant.h - which kernel of a loop -----------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "runtime/artefact/Manifest.h"

#include <optional>
#include <span>

namespace kern::runtime {

/// The largest number of loop dimensions of a kernel.
inline constexpr unsigned maxKernelDims = 6;

/// The kernel that a call wants. It follows from the types and the layout of
/// the operands only (runtime/plan/Form.h), before any code exists.
struct KernelVariant {
  Form form = Form::Strided;
  /// No operand that is written shares memory with another one: nothing
  /// aliases, and on some GPUs inputs are read through the read-only path.
  bool disjoint = false;
  /// The element types in memory of a ufunc's inputs, then of its outputs. The
  /// kernel converts those that are not the loop's. Empty: all are the loop's.
  std::vector<DType> stored = {};
  /// A bit for each input of a ufunc that is a range.
  uint64_t ranges = 0;
  /// The ufunc has a mask: results are written where it is true.
  bool masked = false;
  /// Of a gufunc, on a GPU.
  Mapping mapping = {};
  /// Of a gufunc, on a GPU: for each dimension of the function the extent that
  /// is a constant in the kernel, or 0. Empty: none is.
  std::vector<int64_t> constants = {};
  /// Of a gufunc, on a GPU: the kernel is for calls with no more loop
  /// dimensions.
  unsigned loopDims = maxKernelDims;
  /// Of a gufunc, on a GPU.
  Groups groups = Groups::Any;
  auto operator<=>(const KernelVariant &) const = default;
};

/// The next more general form, which can walk whatever `form` can; nothing if
/// there is none.
std::optional<Form> moreGeneral(Form form);

/// The index of the kernel for a call that asks for `wanted`: of that form,
/// else of a more general one. A kernel for disjoint operands is preferred if
/// the call's are disjoint, and excluded otherwise. Nothing if none of
/// `kernels` fits. Types, masks, constants, numbers of
/// dimensions and groups are ignored.
std::optional<size_t> bestKernel(std::span<const KernelInfo> kernels,
                                 const KernelVariant &wanted);

} // namespace kern::runtime
