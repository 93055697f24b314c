//===- Attributes.h - reading objects of other libraries --------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Frameworks.h"

#include <string_view>

namespace kern::python {

/// An attribute's name, interned once and never freed.
class Name {
public:
  explicit Name(const char *text) : text(text) {}
  PyObject *get() const {
    if (!object)
      object = PyUnicode_InternFromString(text);
    return object;
  }

private:
  const char *text;
  mutable PyObject *object = nullptr;
};

inline Reference attribute(PyObject *object, const Name &name) {
  return Reference(PyObject_GetAttr(object, name.get()));
}

/// False with an exception.
inline bool asInteger(const Reference &object, int64_t &out) {
  out = object ? PyLong_AsLongLong(object.get()) : -1;
  return out != -1 || !PyErr_Occurred();
}

/// Writes a tuple of at most `maxDimensions` integers to `out`. Its length, or
/// -1 with an exception.
int integersOf(PyObject *tuple, int64_t *out);

/// Whether the type's module is `package` or in it.
bool isOf(PyTypeObject *type, std::string_view package);

/// Byte strides to strides in elements; NULL in `tensor` if the array is
/// C-contiguous. False with an exception if they are not whole elements.
bool setStrides(DLTensor &tensor, int64_t *byteStrides, int64_t itemSize);

/// Whether strides in elements are those of C order.
bool isCompact(const DLTensor &tensor);

} // namespace kern::python
