//===- Reference.h - owned references to Python objects ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Numpy.h"

#include <utility>

namespace kern::python {

/// A reference that is released at the end of the scope. It may be NULL, which
/// usually means that a Python exception is set.
class Reference {
public:
  Reference() = default;
  /// Takes over a reference returned by Python's C API.
  explicit Reference(PyObject *owned) : object(owned) {}
  static Reference borrow(PyObject *object) {
    Py_XINCREF(object);
    return Reference(object);
  }
  Reference(Reference &&other) noexcept
      : object(std::exchange(other.object, nullptr)) {}
  Reference &operator=(Reference &&other) noexcept {
    std::swap(object, other.object);
    return *this;
  }
  Reference(const Reference &) = delete;
  Reference &operator=(const Reference &) = delete;
  ~Reference() { Py_XDECREF(object); }

  PyObject *get() const { return object; }
  PyObject *release() { return std::exchange(object, nullptr); }
  explicit operator bool() const { return object != nullptr; }

private:
  PyObject *object = nullptr;
};

} // namespace kern::python
