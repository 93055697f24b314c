//===- Frameworks.h - arrays of NumPy, torch, CuPy and others ---*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How arrays are read and results made. Each type of array is read in the
// fastest way that it offers, which is looked up once for each type.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Dlpack.h"
#include "Reference.h"

#include <array>
#include <cstdint>

namespace kern::python {

constexpr size_t maxDimensions = 64;

/// How a function accesses an array.
enum class Access : uint8_t { Read, Write };

/// Forgets what a call has written to a copy, which would otherwise replace the
/// array when the copy ends. Nothing if it has been written back.
void discardCopy(PyObject *copy);

/// An array during a call.
class ArrayRef {
public:
  ArrayRef() = default;
  ArrayRef(const ArrayRef &) = delete;
  ArrayRef &operator=(const ArrayRef &) = delete;
  ~ArrayRef() {
    if (isCopiedBack)
      discardCopy(owner.get());
    if (managed)
      managed->deleter(managed);
    if (managedOld)
      managedOld->deleter(managedOld);
  }

  DLTensor tensor;
  /// A copy that replaces the array, or another object that keeps its memory
  /// alive.
  Reference owner;
  /// `owner` is a copy that has to be written back.
  bool isCopiedBack = false;
  /// The stream on which the array is used, if it knows one.
  void *stream = nullptr;
  dlpack::ManagedTensor *managed = nullptr;
  DLManagedTensor *managedOld = nullptr;
  /// Memory for those of `tensor`, if its framework's do not outlive the call.
  std::array<int64_t, maxDimensions> shape, strides;
};

/// The library that an array belongs to. There is one object for each.
class Framework {
public:
  virtual ~Framework() = default;
  virtual const char *name() const = 0;
  /// Fills `array`; false with an exception.
  virtual bool read(PyObject *object, Access access, ArrayRef &array) = 0;
  /// A new array with the shape, strides, type and device of `form`. Sets
  /// `data` to the address of its element at index 0, 0, …, perhaps NULL if it
  /// has no elements. NULL with an exception.
  virtual PyObject *allocate(const DLTensor &form, void **data) = 0;
  /// Whether allocate() takes strides other than C order's.
  virtual bool keepsStrides() const { return false; }
  /// The result for the caller, made from the array of allocate() once it is
  /// written; takes `array`. NULL with an exception.
  virtual PyObject *finish(PyObject *array) { return array; }
  /// Sets `stream` to the framework's current stream on a GPU; false with an
  /// exception. Before, `stream` is the one that the arrays know.
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
    Number,   ///< a subclass of a Python number
    Override, ///< it has an `__array_ufunc__` of its own
    Refusing, ///< its `__array_ufunc__` is None
    Convert   ///< numpy.asarray() converts it
  };
  Way way = Convert;
  Framework *framework = nullptr;
};
/// Follows from the object's type, and is remembered. Imports nothing.
ArgumentKind kindOf(PyObject *object);

} // namespace kern::python
