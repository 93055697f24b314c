//===- Attributes.cpp - reading objects of other libraries ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Attributes.h"

using namespace kern::python;

int kern::python::integersOf(PyObject *tuple, int64_t *out) {
  Reference items(PySequence_Fast(tuple, "a tuple of integers was expected"));
  if (!items)
    return -1;
  Py_ssize_t count = PySequence_Fast_GET_SIZE(items.get());
  if (size_t(count) > maxDimensions) {
    PyErr_Format(PyExc_ValueError, "an array has at most %zu dimensions",
                 maxDimensions);
    return -1;
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    out[i] = PyLong_AsLongLong(PySequence_Fast_GET_ITEM(items.get(), i));
    if (out[i] == -1 && PyErr_Occurred())
      return -1;
  }
  return int(count);
}

bool kern::python::isOf(PyTypeObject *type, std::string_view package) {
  Reference module(
      PyObject_GetAttrString(reinterpret_cast<PyObject *>(type), "__module__"));
  const char *text = module && PyUnicode_Check(module.get())
                         ? PyUnicode_AsUTF8(module.get())
                         : nullptr;
  PyErr_Clear();
  std::string_view name = text ? text : "";
  return name.starts_with(package) &&
         (name.size() == package.size() || name[package.size()] == '.');
}

bool kern::python::isCompact(const DLTensor &tensor) {
  int64_t expected = 1;
  for (int i = tensor.ndim - 1; i >= 0; --i) {
    if (tensor.shape[i] == 0)
      return true;
    if (tensor.shape[i] != 1 && tensor.strides[i] != expected)
      return false;
    expected *= tensor.shape[i];
  }
  return true;
}

bool kern::python::setStrides(DLTensor &tensor, int64_t *byteStrides,
                              int64_t itemSize) {
  for (int i = 0; i < tensor.ndim; ++i) {
    if (byteStrides[i] % itemSize != 0 && tensor.shape[i] > 1) {
      PyErr_SetString(PyExc_ValueError,
                      "an array's strides are not whole elements; copy it");
      return false;
    }
    byteStrides[i] /= itemSize;
  }
  tensor.strides = byteStrides;
  if (isCompact(tensor))
    tensor.strides = nullptr;
  return true;
}
