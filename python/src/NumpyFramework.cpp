//===- NumpyFramework.cpp - NumPy's arrays --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frameworks.h"
#include "Types.h"

#include <cstring>

using namespace kern::python;

/// Whether all byte strides are whole elements.
static bool hasWholeStrides(PyArrayObject *array) {
  npy_intp size = PyArray_ITEMSIZE(array);
  for (int i = 0; i < PyArray_NDIM(array); ++i)
    if (PyArray_STRIDE(array, i) % size != 0 && PyArray_DIM(array, i) > 1)
      return false;
  return true;
}

/// The array in native byte order and with whole strides: a copy, which is
/// written back if `access` says so.
static PyArrayObject *plainCopy(PyArrayObject *array, Access access) {
  int flags = NPY_ARRAY_NOTSWAPPED | NPY_ARRAY_ENSURECOPY;
  if (access == Access::Write)
    flags |= NPY_ARRAY_WRITEBACKIFCOPY;
  PyArray_Descr *native =
      PyArray_DescrNewByteorder(PyArray_DESCR(array), NPY_NATIVE);
  return native ? reinterpret_cast<PyArrayObject *>(
                      PyArray_FromArray(array, native, flags))
                : nullptr;
}

void kern::python::discardCopy(PyObject *copy) {
  PyArray_DiscardWritebackIfCopy(reinterpret_cast<PyArrayObject *>(copy));
}

static void refuseType(PyArrayObject *array) {
  PyErr_Format(PyExc_TypeError, "Kern has no element type for arrays of %R",
               (PyObject *)PyArray_DESCR(array));
}

static bool readArray(PyArrayObject *array, Access access, ArrayRef &out) {
  std::optional<kern_dtype> type = typeOf(PyArray_DESCR(array));
  if (!type) {
    refuseType(array);
    return false;
  }
  if (access == Access::Write && !PyArray_ISWRITEABLE(array)) {
    PyErr_SetString(PyExc_ValueError, "output array is read-only");
    return false;
  }
  bool isCompact = PyArray_IS_C_CONTIGUOUS(array);
  if (!PyArray_ISNOTSWAPPED(array) || (!isCompact && !hasWholeStrides(array))) {
    array = plainCopy(array, access);
    out.owner = Reference(reinterpret_cast<PyObject *>(array));
    out.isCopiedBack = access == Access::Write;
    if (!array)
      return false;
    isCompact = PyArray_IS_C_CONTIGUOUS(array);
  }
  DLTensor &tensor = out.tensor;
  tensor.data = PyArray_DATA(array);
  tensor.device = {kDLCPU, 0};
  tensor.ndim = PyArray_NDIM(array);
  tensor.dtype = kern_dtype_to_dl(*type);
  static_assert(sizeof(npy_intp) == sizeof(int64_t));
  tensor.shape = reinterpret_cast<int64_t *>(PyArray_DIMS(array));
  tensor.strides = nullptr;
  tensor.byte_offset = 0;
  if (!isCompact) {
    npy_intp size = PyArray_ITEMSIZE(array);
    for (size_t i = 0; i < size_t(tensor.ndim); ++i)
      out.strides[i] = PyArray_STRIDE(array, int(i)) / size;
    tensor.strides = out.strides.data();
  }
  return true;
}

namespace {
class Numpy : public Framework {
public:
  const char *name() const override { return "numpy"; }

  bool keepsStrides() const override { return true; }

  bool read(PyObject *object, Access access, ArrayRef &array) override {
    return readArray(reinterpret_cast<PyArrayObject *>(object), access, array);
  }

  PyObject *allocate(const DLTensor &form, void **data) override {
    kern_dtype type;
    if (kern_dtype_from_dl(form.dtype, &type) != KERN_OK) {
      PyErr_SetString(PyExc_TypeError, kern_last_error());
      return nullptr;
    }
    PyArray_Descr *dtype = dtypeOf(type);
    if (!dtype)
      return nullptr;
    npy_intp strides[maxDimensions];
    npy_intp compact = PyDataType_ELSIZE(dtype);
    bool isCompact = true;
    for (int i = form.ndim - 1; i >= 0; --i) {
      strides[i] = form.strides[i] * PyDataType_ELSIZE(dtype);
      isCompact &= strides[i] == compact || form.shape[i] <= 1;
      compact *= form.shape[i];
    }
    PyObject *array = PyArray_NewFromDescr(
        &PyArray_Type, dtype, form.ndim,
        reinterpret_cast<const npy_intp *>(form.shape),
        isCompact ? nullptr : strides, nullptr, 0, nullptr);
    if (array)
      *data = PyArray_DATA(reinterpret_cast<PyArrayObject *>(array));
    return array;
  }
};
} // namespace

Framework &kern::python::numpyFramework() {
  static Numpy numpy;
  return numpy;
}
