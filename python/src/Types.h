//===- Types.h - Kern's element types and NumPy's ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Numpy.h"
#include "kern/options.h"

#include <optional>

namespace kern::python {

/// The type of a native NumPy dtype; nothing for one that Kern lacks. bfloat16
/// is ml_dtypes'.
std::optional<kern_dtype> typeOf(PyArray_Descr *dtype);

/// A new reference; NULL with an exception (ml_dtypes is not installed).
PyArray_Descr *dtypeOf(kern_dtype type);

/// From whatever numpy.dtype() takes, or a name of Kern's ("bf16"). Nothing
/// with a TypeError.
std::optional<kern_dtype> typeFromObject(PyObject *object);

/// The name in the language: "f32". Never freed.
const char *typeName(kern_dtype type);

/// Bytes.
unsigned itemSize(kern_dtype type);

} // namespace kern::python
