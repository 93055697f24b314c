//===- Methods.h - the methods of functions ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Function.h"

namespace kern::python {

/// What a reduction of an array is asked for (kern_method_resolve()).
struct ReductionAsked {
  int method = 0; ///< a kern_method
  PyObject *dtype, *shape;
  PyObject *strides; ///< in bytes; None: it is on a GPU
  int start = 0;     ///< a kern_start
  PyObject *output;  ///< the dtype of the array for the result, or None
  PyObject *axes;    ///< a tuple
  PyObject *wanted;  ///< the dtype that the call asks for, or None
  bool masked = false;
};

/// How a method is called as a gufunc: a tuple of the gufunc, the dtypes of its
/// result and of elements, whether the array needs another axis, the axes of
/// the array, and those of the result or None. NULL with an exception.
PyObject *resolveReduction(FunctionObject &function,
                           const ReductionAsked &asked);

/// The gufunc of `at`; `second` is the operand's dtype, or None. NULL with an
/// exception.
PyObject *resolveAt(FunctionObject &function, PyObject *dtype, PyObject *second,
                    int rank);

/// The position of the first element of an array of int64 in one dimension that
/// is less than `low` or not less than `high`; -1 if there is none, -2 with an
/// exception.
int64_t findOutside(PyObject *object, int64_t low, int64_t high);

} // namespace kern::python
