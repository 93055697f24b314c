//===- Scope.cpp - what `with kern.on(…)` asks for ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Scope.h"
#include "Options.h"

#include <atomic>

using namespace kern::python;

static PyObject *variable = nullptr;
/// Whether there has ever been a scope: a task may be in one that its creator
/// has left.
static std::atomic<bool> hadScopes = false;

bool kern::python::makeScopes() {
  variable = PyContextVar_New("kern.on", nullptr);
  return variable != nullptr;
}

Reference kern::python::currentScope() {
  PyObject *scope = nullptr;
  if (hadScopes.load(std::memory_order_relaxed) &&
      PyContextVar_Get(variable, nullptr, &scope) < 0)
    PyErr_Clear();
  return Reference(scope);
}

PyObject *kern::python::enterScope(PyObject *device, PyObject *stream,
                                   PyObject *threads, bool isDefault) {
  if (device == Py_None && stream == Py_None && threads == Py_None) {
    PyErr_SetString(PyExc_TypeError,
                    "kern.on takes a device, a stream or a number of threads");
    return nullptr;
  }
  if (Options known; !known.takeScope(device, stream, threads))
    return nullptr;
  if (Reference outer = currentScope()) {
    if (device == Py_None ||
        (isDefault && PyTuple_GET_ITEM(outer.get(), 0) != Py_None))
      device = PyTuple_GET_ITEM(outer.get(), 0);
    if (stream == Py_None)
      stream = PyTuple_GET_ITEM(outer.get(), 1);
    if (threads == Py_None)
      threads = PyTuple_GET_ITEM(outer.get(), 2);
  }
  Reference scope(PyTuple_Pack(3, device, stream, threads));
  if (!scope)
    return nullptr;
  hadScopes = true;
  return PyContextVar_Set(variable, scope.get());
}

bool kern::python::namesAnotherDevice(PyObject *device) {
  if (device == Py_None)
    return false;
  Reference name(PyObject_Str(device));
  if (!name)
    PyErr_Clear();
  return name && PyUnicode_CompareWithASCIIString(name.get(), "cpu") != 0;
}

bool kern::python::leaveScope(PyObject *token) {
  return PyContextVar_Reset(variable, token) == 0;
}
