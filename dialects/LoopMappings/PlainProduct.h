//===- PlainProduct.h - kernels that are products of matrices ---*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "dialects/Loop/Loop.h"
#include "runtime/artefact/Nest.h"

#include <optional>

namespace kern::ir::loop {

/// The product that a flat kernel computes, if a library of linear algebra can
/// compute it instead: a sum of products of two elements, of f16 or bf16
/// (summed in f32), f32, f64 or complex numbers, over 0 … n, is all that is
/// stored, in its own type or in the elements'. Indices are used as they are.
/// The sum must have the flag `contract`, as libraries add products that are
/// not rounded. Nothing if the kernel requires anything of its extents.
std::optional<runtime::Nest::Product> plainProductOf(KernelOp flattened);

} // namespace kern::ir::loop
