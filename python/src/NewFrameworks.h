//===- NewFrameworks.h - finding the framework of a type --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each returns the framework of a type, or NULL for one that is not its own.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Frameworks.h"

namespace kern::python {

/// Types with DLPack's table for C: torch and others.
Framework *exchangeFrameworkOf(PyTypeObject *type);
Framework *cupyFrameworkOf(PyTypeObject *type);
/// Types with `__dlpack__`: JAX and others.
Framework *dlpackFrameworkOf(PyTypeObject *type);
/// Types with `__cuda_array_interface__`: Numba, cuDF and others.
Framework *cudaInterfaceFrameworkOf(PyTypeObject *type);

} // namespace kern::python
