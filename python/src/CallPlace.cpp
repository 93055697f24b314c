//===- CallPlace.cpp - where a call runs ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The keywords `device`, `stream` and `threads`.
//
//===----------------------------------------------------------------------===//
#include "Options.h"
#include "kern/threads.h"

#include <string_view>

using namespace kern::python;

bool kern::python::readDevice(PyObject *object, kern_device &device) {
  if (PyUnicode_Check(object)) {
    const char *given = PyUnicode_AsUTF8(object);
    if (!given)
      return false;
    if (kern_device_named(given, &device) == KERN_OK)
      return true;
    PyErr_Format(PyExc_ValueError,
                 "device must be 'cpu', 'cuda', 'cuda:N', 'cuda:all' or "
                 "'auto', not %R",
                 object);
    return false;
  }
  Reference type(PyObject_GetAttrString(object, "type"));
  Reference id(type ? PyObject_GetAttrString(object, "id") : nullptr);
  if (id && PyUnicode_Check(type.get()) && PyLong_Check(id.get())) {
    const char *text = PyUnicode_AsUTF8(type.get());
    long number = PyLong_AsLong(id.get());
    if (text && std::string_view(text) == "cpu")
      device = {kDLCPU, 0};
    else
      device = {kDLCUDA, int(number)};
    return !PyErr_Occurred();
  }
  PyErr_Clear();
  PyErr_Format(PyExc_TypeError,
               "device must be a str or a kern.Device, not %.200s",
               Py_TYPE(object)->tp_name);
  return false;
}

bool Options::takeDevice(PyObject *value) {
  request.call.has_device = 1;
  return readDevice(value, request.call.device);
}

/// A number (the address of a CUstream), or what CuPy, torch and others have:
/// an object with `ptr`, `cuda_stream` or `__cuda_stream__`.
bool Options::takeStream(PyObject *value) {
  Reference number = Reference::borrow(value);
  if (!PyLong_Check(value)) {
    number = Reference(PyObject_CallMethod(value, "__cuda_stream__", nullptr));
    if (number && PyTuple_Check(number.get()) &&
        PyTuple_GET_SIZE(number.get()) == 2)
      number = Reference::borrow(PyTuple_GET_ITEM(number.get(), 1));
    for (const char *name : {"cuda_stream", "ptr", "handle"})
      if (!number || !PyLong_Check(number.get())) {
        PyErr_Clear();
        number = Reference(PyObject_GetAttrString(value, name));
      }
    if (!number || !PyLong_Check(number.get())) {
      PyErr_Clear();
      PyErr_Format(PyExc_TypeError,
                   "stream must be the address of a CUDA stream or an object "
                   "that has one, not %.200s",
                   Py_TYPE(value)->tp_name);
      return false;
    }
  }
  request.call.stream = PyLong_AsVoidPtr(number.get());
  hasStream = true;
  return !PyErr_Occurred();
}

bool Options::takeScope(PyObject *device, PyObject *stream, PyObject *threads) {
  if (device != Py_None && !hasDevice() && !takeDevice(device))
    return false;
  if (stream != Py_None && !hasStream && !takeStream(stream))
    return false;
  return threads == Py_None || request.threads || takeThreads(threads);
}

bool Options::takeThreads(PyObject *value) {
  Reference index(PyNumber_Index(value));
  if (!index)
    return false;
  int overflow = 0;
  const long long count = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
  if (overflow || count < 1 || count > KERN_MAX_THREADS) {
    PyErr_Format(PyExc_ValueError,
                 "the number of threads is from 1 to %d, not %R",
                 KERN_MAX_THREADS, value);
    return false;
  }
  request.threads = int(count);
  return true;
}
