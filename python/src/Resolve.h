//===- Resolve.h - the types and shapes of a call ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Function.h"

namespace kern::python {

/// How resolve() returns types: as numpy.dtypes, or by their names in Kern.
/// "bf16" has a name even without ml_dtypes.
enum class Types : uint8_t { Numpy, Names };

/// The results that a call would have, by kern_resolve().
///
/// An argument is a tuple (numpy.dtype or "bf16", shape); one of the types
/// `int`, `float` and `complex` for a Python number; or, for a `dim`, an
/// integer. `outputs` has a tuple (dtype, shape) or None for each result, or is
/// empty. `keywords` may be NULL; only those that decide types and shapes
/// count.
///
/// A tuple of the types that the loop takes (None for a `dim`) and one of
/// (dtype, shape) for each result; NULL with an exception.
PyObject *resolve(FunctionObject &function, PyObject *arguments,
                  PyObject *outputs, PyObject *keywords,
                  Types types = Types::Numpy);

/// For an array of a framework other than NumPy: (dtype, shape, address of its
/// first element); None for anything else. A new reference; NULL with an
/// exception.
PyObject *foreignForm(PyObject *object);

} // namespace kern::python
