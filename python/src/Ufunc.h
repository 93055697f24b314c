//===- Ufunc.h - a real numpy.ufunc of a function ---------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Function.h"

namespace kern::python {

/// A new numpy.ufunc whose loops call the function on the CPU.
///
/// `handle` is kept: it owns the function's module. `loops` has a tuple of
/// numpy.dtype for each loop, one for each operand. `signature` is NumPy's, or
/// None of a ufunc; dimensions that only results have come from kern_resolve().
/// `identity` is None if there is none, and a text if the order of elements
/// does not matter nevertheless; `doc` may be None. NULL with an exception.
PyObject *makeUfunc(FunctionObject &function, PyObject *handle, PyObject *loops,
                    PyObject *name, PyObject *doc, PyObject *signature,
                    PyObject *identity);

} // namespace kern::python
