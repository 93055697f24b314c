//===- ExchangeFramework.cpp - DLPack's C exchange, as of torch -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Attributes.h"
#include "Frameworks.h"
#include "kern/kern.h"

using namespace kern::python;

namespace {

void setError(void *, const char *kind, const char *message) {
  if (!PyErr_Occurred())
    PyErr_Format(PyExc_RuntimeError, "%s: %s", kind, message);
}

/// Any library with the table of DLPack 1.3.
class Exchange : public Framework {
public:
  Exchange(const dlpack::ExchangeApi &api, const char *package)
      : api(api), package(package) {}

  const char *name() const override { return package; }

  bool read(PyObject *object, Access access, ArrayRef &array) override {
    if (api.viewOf && access == Access::Read)
      return api.viewOf(object, &array.tensor) == 0;
    if (api.fromObject(object, &array.managed) != 0)
      return false;
    array.tensor = array.managed->tensor;
    if (access == Access::Write &&
        array.managed->flags & dlpack::readOnlyFlag) {
      PyErr_SetString(PyExc_ValueError, "output array is read-only");
      return false;
    }
    return true;
  }

  PyObject *allocate(const DLTensor &form, void **data) override {
    DLTensor prototype = form;
    dlpack::ManagedTensor *made = nullptr;
    if (api.allocate(&prototype, &made, nullptr, setError) != 0) {
      if (!PyErr_Occurred())
        PyErr_NoMemory();
      return nullptr;
    }
    *data = static_cast<char *>(made->tensor.data) + made->tensor.byte_offset;
    void *object = nullptr;
    if (api.toObject(made, &object) != 0)
      return nullptr;
    return static_cast<PyObject *>(object);
  }

  bool currentStream(DLDevice device, void **stream) override {
    return api.currentStream(device.device_type, device.device_id, stream) == 0;
  }

private:
  const dlpack::ExchangeApi &api;
  const char *package;
};

/// torch: what its exchange leaves out, and results of any strides.
class Torch : public Exchange {
public:
  explicit Torch(const dlpack::ExchangeApi &api) : Exchange(api, "torch") {}

  bool keepsStrides() const override { return true; }

  bool read(PyObject *object, Access access, ArrayRef &array) override {
    static const Name isConj("is_conj"), isNeg("is_neg");
    return !hasGradient(object) && Exchange::read(object, access, array) &&
           // Only of these types can a tensor be so.
           (array.tensor.dtype.code == kDLInt ||
            array.tensor.dtype.code == kDLUInt ||
            array.tensor.dtype.code == KERN_DL_BOOL ||
            (!isLazy(object, isConj, "conj") && !isLazy(object, isNeg, "neg")));
  }

  PyObject *allocate(const DLTensor &form, void **data) override {
    return isCompact(form) ? Exchange::allocate(form, data)
                           : allocateStrided(form, data);
  }

private:
  /// Refuses a tensor whose gradient would be lost.
  static bool hasGradient(PyObject *object) {
    static const Name requiresGrad("requires_grad");
    Reference answer = attribute(object, requiresGrad);
    if (!answer || answer.get() != Py_True)
      return !answer;
    Reference torch(PyImport_ImportModule("torch"));
    Reference recording(
        torch ? PyObject_CallMethod(torch.get(), "is_grad_enabled", nullptr)
              : nullptr);
    if (recording && recording.get() == Py_True)
      PyErr_SetString(PyExc_RuntimeError,
                      "a tensor that requires grad was given to a Kern "
                      "function, which records no gradient: call .detach(), "
                      "use torch.no_grad(), or make an operator with "
                      "kern.torch.op");
    return PyErr_Occurred() != nullptr;
  }

  /// torch marks a tensor as conjugated or negated and leaves its memory.
  static bool isLazy(PyObject *object, const Name &method, const char *what) {
    Reference answer(PyObject_CallMethodNoArgs(object, method.get()));
    if (answer && answer.get() == Py_False)
      return false;
    if (answer)
      PyErr_Format(PyExc_ValueError,
                   "a tensor with torch's lazy %s was given; call "
                   ".resolve_%s()",
                   what, what);
    return true;
  }

  /// By empty_strided(): the exchange's allocator knows only C order.
  static PyObject *allocateStrided(const DLTensor &form, void **data) {
    Reference torch(PyImport_ImportModule("torch"));
    Reference dtype(
        torch ? PyObject_GetAttrString(torch.get(), dtypeName(form.dtype))
              : nullptr);
    Reference shape(PyTuple_New(form.ndim)), strides(PyTuple_New(form.ndim));
    if (!dtype || !shape || !strides)
      return nullptr;
    for (int i = 0; i < form.ndim; ++i) {
      PyTuple_SET_ITEM(shape.get(), i, PyLong_FromLongLong(form.shape[i]));
      PyTuple_SET_ITEM(strides.get(), i, PyLong_FromLongLong(form.strides[i]));
    }
    Reference device(
        form.device.device_type == kDLCPU
            ? PyUnicode_FromString("cpu")
            : PyUnicode_FromFormat("cuda:%d", form.device.device_id));
    Reference keywords(
        Py_BuildValue("{sOsO}", "dtype", dtype.get(), "device", device.get()));
    Reference arguments(PyTuple_Pack(2, shape.get(), strides.get()));
    Reference function(PyObject_GetAttrString(torch.get(), "empty_strided"));
    if (!device || !keywords || !arguments || !function)
      return nullptr;
    Reference tensor(
        PyObject_Call(function.get(), arguments.get(), keywords.get()));
    Reference address(
        tensor ? PyObject_CallMethod(tensor.get(), "data_ptr", nullptr)
               : nullptr);
    if (!address)
      return nullptr;
    *data = PyLong_AsVoidPtr(address.get());
    return PyErr_Occurred() ? nullptr : tensor.release();
  }

  static const char *dtypeName(DLDataType type) {
    kern_dtype dtype = KERN_F32;
    kern_dtype_from_dl(type, &dtype);
    static constexpr const char *names[] = {
        "bool",     "int8",    "uint8",   "int16",     "uint16",
        "int32",    "uint32",  "int64",   "uint64",    "float16",
        "bfloat16", "float32", "float64", "complex64", "complex128"};
    return names[dtype];
  }
};

} // namespace

Framework *kern::python::exchangeFrameworkOf(PyTypeObject *type) {
  Reference capsule(PyObject_GetAttrString(reinterpret_cast<PyObject *>(type),
                                           "__dlpack_c_exchange_api__"));
  auto *api = capsule && PyCapsule_IsValid(capsule.get(), dlpack::exchangeName)
                  ? static_cast<dlpack::ExchangeApi *>(PyCapsule_GetPointer(
                        capsule.get(), dlpack::exchangeName))
                  : nullptr;
  PyErr_Clear();
  while (api && api->version.major > 1)
    api = api->previous;
  if (!api || api->version.major != 1)
    return nullptr;
  // One for each table, for ever; the caller remembers it.
  if (isOf(type, "torch"))
    return new Torch(*api);
  return new Exchange(*api, type->tp_name);
}
