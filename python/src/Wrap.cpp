//===- Wrap.cpp - results as their arguments' types make them -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As NumPy does it: `__array_wrap__(array, (function, arguments, i),
// isScalar)`.
//
//===----------------------------------------------------------------------===//
#include "Wrap.h"

#include <algorithm>
#include <limits>

using namespace kern::python;

/// The `__array_wrap__` of an object; empty, without an exception, if it has
/// none.
static Reference wrapOf(PyObject *object) {
  if (!PyObject_HasAttrString(reinterpret_cast<PyObject *>(Py_TYPE(object)),
                              "__array_wrap__"))
    return {};
  return Reference(PyObject_GetAttrString(object, "__array_wrap__"));
}

PyObject *kern::python::findWrap(std::span<PyObject *const> inputs) {
  Reference chosen;
  double highest = -std::numeric_limits<double>::infinity();
  for (PyObject *input : inputs) {
    double priority = NPY_PRIORITY;
    bool isPlain = PyArray_CheckExact(input);
    if (!isPlain && PyArray_IsAnyScalar(input)) {
      isPlain = true;
      priority = NPY_SCALAR_PRIORITY;
    }
    if (isPlain) {
      if (highest < priority) {
        chosen = Reference::borrow(Py_None);
        highest = priority;
      }
      continue;
    }
    Reference wrap = wrapOf(input);
    if (!wrap) {
      if (PyErr_Occurred())
        return nullptr;
      continue;
    }
    priority = PyArray_GetPriority(input, NPY_PRIORITY);
    if (!chosen || highest < priority ||
        (priority == NPY_PRIORITY && chosen.get() == Py_None)) {
      chosen = std::move(wrap);
      highest = priority;
    }
  }
  return chosen ? chosen.release() : Reference::borrow(Py_None).release();
}

/// The arguments, and the arrays given for results, if any.
static Reference argumentsTuple(std::span<PyObject *const> inputs,
                                std::span<PyObject *const> outputs) {
  bool hasOut = std::ranges::any_of(outputs, [](PyObject *one) { return one; });
  size_t count = inputs.size() + (hasOut ? outputs.size() : 0);
  Reference tuple(PyTuple_New(Py_ssize_t(count)));
  for (size_t k = 0; tuple && k < count; ++k) {
    PyObject *one = k < inputs.size() ? inputs[k] : outputs[k - inputs.size()];
    PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(k),
                     Reference::borrow(one ? one : Py_None).release());
  }
  return tuple;
}

/// Calls a wrap that may take fewer arguments, which NumPy deprecates.
static PyObject *callWrap(PyObject *wrap, PyObject *array, PyObject *context,
                          PyObject *isScalar) {
  PyObject *made =
      PyObject_CallFunctionObjArgs(wrap, array, context, isScalar, nullptr);
  if (made || !PyErr_ExceptionMatches(PyExc_TypeError))
    return made;
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  made = PyObject_CallFunctionObjArgs(wrap, array, context, nullptr);
  if (!made && PyErr_ExceptionMatches(PyExc_TypeError)) {
    PyErr_Clear();
    made = PyObject_CallFunctionObjArgs(wrap, array, nullptr);
  }
  if (!made) {
    PyErr_Clear();
    PyErr_Restore(type, value, traceback);
    return nullptr;
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  if (PyErr_WarnEx(PyExc_DeprecationWarning,
                   "__array_wrap__ must accept context and return_scalar "
                   "arguments (positionally) in the future",
                   1) < 0)
    Py_CLEAR(made);
  return made;
}

PyObject *kern::python::wrapResult(PyObject *function,
                                   std::span<PyObject *const> inputs,
                                   std::span<PyObject *const> outputs, size_t i,
                                   PyObject *wrap, bool isArrayKept,
                                   Reference array) {
  Reference own;
  if (outputs[i]) {
    own = wrapOf(outputs[i]);
    if (!own)
      return PyErr_Occurred() ? nullptr : array.release();
    wrap = own.get();
  }
  auto *plain = reinterpret_cast<PyArrayObject *>(array.get());
  if (wrap == Py_None) {
    PyObject *result = array.release();
    return isArrayKept ? result : PyArray_Return(plain);
  }
  bool isScalar = !outputs[i] && !isArrayKept && PyArray_NDIM(plain) == 0;
  Reference arguments = argumentsTuple(inputs, outputs);
  Reference context(arguments ? Py_BuildValue("(OOn)", function,
                                              arguments.get(), Py_ssize_t(i))
                              : nullptr);
  return context ? callWrap(wrap, array.get(), context.get(),
                            isScalar ? Py_True : Py_False)
                 : nullptr;
}
