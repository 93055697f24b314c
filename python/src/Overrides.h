//===- Overrides.h - array types with ways of their own ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Function.h"
#include "Reference.h"

#include <span>

namespace kern::python {

/// Hands a call to the `__array_ufunc__` of its operands, as NEP 13 says:
/// subclasses first, else from left to right, until one does not answer
/// NotImplemented. They see the function under its dotted name (aliasOf).
/// `arguments`, `count` and `keywords` are those of the vectorcall; entries of
/// `outputs` may be NULL, and so may `where`. A new reference; NULL with an
/// exception.
PyObject *callOverride(FunctionObject &function, PyObject *const *arguments,
                       size_t count, PyObject *keywords,
                       std::span<PyObject *const> inputs,
                       std::span<PyObject *const> outputs, PyObject *where);

/// The same for a method ("reduce", …). `inputs` and `outputs` are tuples,
/// `keywords` a dict that has `out` as a tuple. NotImplemented, a new
/// reference, if no operand has an override.
PyObject *callMethodOverride(FunctionObject &function, const char *method,
                             PyObject *inputs, PyObject *outputs,
                             PyObject *keywords);

} // namespace kern::python
