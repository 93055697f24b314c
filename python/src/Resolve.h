//===- Resolve.h - the types and shapes of a call ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Function.h"

namespace kern::python {

/// How resolve() tells types: as numpy.dtypes, or by their names in Kern, which
/// "bf16" has without ml_dtypes too.
enum class Types : uint8_t { Numpy, Names };

/// What a call would give, by kern_resolve().
///
/// An argument is a tuple (numpy.dtype or "bf16", shape); one of the types
/// `int`, `float` and `complex` for a number of Python's; or, for a `dim`, an
/// integer. `outputs` has a tuple (dtype, shape) or None for each result, or is
/// empty. `keywords` may be NULL; of them what decides types and shapes counts.
///
/// A tuple of the types that the loop takes (None for a `dim`) and one of
/// (dtype, shape) for each result; NULL with an exception.
PyObject *resolve(FunctionObject &function, PyObject *arguments,
                  PyObject *outputs, PyObject *keywords,
                  Types types = Types::Numpy);

/// Of an array of another framework than NumPy: (dtype, shape, address of its
/// first element); None of everything else. A new reference; NULL with an
/// exception.
PyObject *foreignForm(PyObject *object);

} // namespace kern::python
