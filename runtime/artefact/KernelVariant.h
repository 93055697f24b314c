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

/// The kernel that a call wants. It follows from the types and the layout of
/// the operands only (runtime/plan/Form.h), before any code exists.
struct KernelVariant {
  Form form = Form::Strided;
  /// No operand that is written shares memory with another one: nothing
  /// aliases, and on some GPUs inputs are read through the read-only path.
  bool disjoint = false;
  /// The types of a ufunc's arrays, inputs and then outputs, of which some are
  /// not the loop's: the kernel converts. Empty: all are.
  std::vector<DType> stored = {};
  /// A ufunc's results are written where one more array, of bool, is true.
  bool masked = false;
  /// Of a gufunc, on a GPU.
  Mapping mapping = {};
  auto operator<=>(const KernelVariant &) const = default;
};

/// The form that can walk whatever `form` can; nothing if there is none.
std::optional<Form> moreGeneral(Form form);

/// The index of the kernel that serves a call which wants `wanted`: of that
/// form, else of a more general one; made for disjoint operands only if the
/// call's are, and then preferably. Nothing if none of `kernels` does. Types
/// and masks are not looked at.
std::optional<size_t> bestKernel(std::span<const KernelInfo> kernels,
                                 KernelVariant wanted);

} // namespace kern::runtime
