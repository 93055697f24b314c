//===- Frameworks.h - arrays of NumPy, torch, CuPy and others ---*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How arrays come in and results go out. An array is read by the fastest way
// that its type has, which is looked up once for each type.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Dlpack.h"
#include "Reference.h"

#include <array>
#include <cstdint>

namespace kern::python {

constexpr size_t maxDimensions = 64;

/// What a function does with an array.
enum class Access : uint8_t { Read, Write };

/// An array while a call lasts.
class ArrayRef {
public:
  ArrayRef() = default;
  ArrayRef(const ArrayRef &) = delete;
  ArrayRef &operator=(const ArrayRef &) = delete;
  ~ArrayRef() {
    if (managed)
      managed->deleter(managed);
    if (managedOld)
      managedOld->deleter(managedOld);
  }

  DLTensor tensor;
  /// A copy that stands for the array, or what else its memory hangs on.
  Reference owner;
  /// `owner` is a copy to be written back.
  bool isCopiedBack = false;
  /// On which its work is done, where the array knows one.
  void *stream = nullptr;
  dlpack::ManagedTensor *managed = nullptr;
  DLManagedTensor *managedOld = nullptr;
  /// For `tensor`, where its framework gives none that last.
  std::array<int64_t, maxDimensions> shape, strides;
};

/// Those who made an array. There is one object for each.
class Framework {
public:
  virtual ~Framework() = default;
  virtual const char *name() const = 0;
  /// Fills `array`; false with an exception.
  virtual bool read(PyObject *object, Access access, ArrayRef &array) = 0;
  /// A new array of this form, whose data is not looked at, and where its
  /// element at index 0, 0, … is, which may be NULL if it has none; NULL with
  /// an exception.
  virtual PyObject *allocate(const DLTensor &form, void **data) = 0;
  /// Whether allocate() takes strides other than C order's.
  virtual bool keepsStrides() const { return false; }
  /// What the caller is given for what allocate() made, once it is written;
  /// takes `array`. NULL with an exception.
  virtual PyObject *finish(PyObject *array) { return array; }
  /// The stream on which the framework's work on a GPU is done now; false with
  /// an exception. `stream` is what the arrays know.
  virtual bool currentStream(DLDevice device, void **stream) {
    (void)device;
    (void)stream;
    return true;
  }
};

Framework &numpyFramework();

// Each returns the framework of a type, or NULL for a type that is not its own.
// ArgumentKinds.cpp asks them in order.

/// Types with DLPack's table for C: torch and others.
Framework *exchangeFrameworkOf(PyTypeObject *type);
Framework *cupyFrameworkOf(PyTypeObject *type);
/// Types with `__dlpack__`: JAX and others.
Framework *dlpackFrameworkOf(PyTypeObject *type);
/// Types with `__cuda_array_interface__`: Numba, cuDF and others.
Framework *cudaInterfaceFrameworkOf(PyTypeObject *type);

/// How an argument is taken.
struct ArgumentKind {
  enum Way : uint8_t {
    Array,    ///< `framework` reads it
    Scalar,   ///< a NumPy scalar
    Number,   ///< a subclass of a number of Python's
    Override, ///< it has an `__array_ufunc__` of its own
    Refusing, ///< its `__array_ufunc__` is None
    Convert   ///< numpy.asarray() makes an array of it
  };
  Way way = Convert;
  Framework *framework = nullptr;
};
/// By the object's type; remembered. Nothing is imported.
ArgumentKind kindOf(PyObject *object);

} // namespace kern::python
