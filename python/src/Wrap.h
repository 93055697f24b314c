//===- Wrap.h - results as their arguments' types make them -----*- C++ -*-===//
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

/// Whose `__array_wrap__` makes the results of a call: that of the argument
/// with the highest `__array_priority__`, the first of several. None if no
/// argument has one; NULL with an exception. A new reference.
PyObject *findWrap(std::span<PyObject *const> inputs);

/// Result `i` of a call. `array` is new, or the one given as `out`, which wraps
/// itself. `wrap` is None or the result of findWrap(). `outputs` has the arrays
/// given for results, NULL for none. An array without dimensions becomes a
/// scalar unless `isArrayKept`. NULL with an exception.
PyObject *wrapResult(PyObject *function, std::span<PyObject *const> inputs,
                     std::span<PyObject *const> outputs, size_t i,
                     PyObject *wrap, bool isArrayKept, Reference array);

} // namespace kern::python
