//===- CupyFramework.cpp - CuPy's arrays ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CuPy has no C exchange API. Reading its attributes takes a third of the time
// of its `__dlpack__`.
//
//===----------------------------------------------------------------------===//
#include "Attributes.h"
#include "Frameworks.h"
#include "Types.h"

using namespace kern::python;

namespace {
class Cupy : public Framework {
public:
  explicit Cupy(PyTypeObject *type) : type(type) {}

  const char *name() const override { return "cupy"; }
  bool keepsStrides() const override { return true; }

  bool read(PyObject *object, Access, ArrayRef &array) override {
    static const Name data("data"), ptr("ptr"), deviceId("device_id"),
        shape("shape"), strides("strides"), dtype("dtype");
    DLTensor &tensor = array.tensor;
    Reference memory = attribute(object, data);
    if (!memory)
      return false;
    int64_t address = 0, device = 0;
    Reference form = attribute(object, shape),
              steps = attribute(object, strides),
              element = attribute(object, dtype);
    if (!form || !steps || !element ||
        !asInteger(attribute(memory.get(), ptr), address) ||
        !asInteger(attribute(memory.get(), deviceId), device))
      return false;
    auto *descriptor = reinterpret_cast<PyArray_Descr *>(element.get());
    std::optional<kern_dtype> known =
        PyArray_DescrCheck(element.get()) ? typeOf(descriptor) : std::nullopt;
    if (!known) {
      PyErr_Format(PyExc_TypeError, "Kern has no element type for arrays of %R",
                   element.get());
      return false;
    }
    tensor.ndim = integersOf(form.get(), array.shape.data());
    if (tensor.ndim < 0 || integersOf(steps.get(), array.strides.data()) < 0)
      return false;
    tensor.data = reinterpret_cast<void *>(address);
    tensor.device = {kDLCUDA, int32_t(device)};
    tensor.dtype = kern_dtype_to_dl(*known);
    tensor.shape = array.shape.data();
    tensor.byte_offset = 0;
    return setStrides(tensor, array.strides.data(), itemSize(*known));
  }

  PyObject *allocate(const DLTensor &form, void **data) override {
    kern_dtype known = KERN_F32;
    kern_dtype_from_dl(form.dtype, &known);
    PyArray_Descr *dtype = dtypeOf(known);
    Reference element(reinterpret_cast<PyObject *>(dtype));
    Reference shape(PyTuple_New(form.ndim));
    if (!dtype || !shape)
      return nullptr;
    for (int i = 0; i < form.ndim; ++i)
      PyTuple_SET_ITEM(shape.get(), i, PyLong_FromLongLong(form.shape[i]));
    OnDevice device(*this, form.device.device_id);
    if (!device.isFine())
      return nullptr;
    Reference array = isCompact(form)
                          ? compact(shape.get(), element.get())
                          : strided(form, shape.get(), element.get(),
                                    int64_t(itemSize(known)));
    if (!array)
      return nullptr;
    static const Name dataName("data"), ptr("ptr");
    Reference memory = attribute(array.get(), dataName);
    int64_t address = 0;
    if (!memory || !asInteger(attribute(memory.get(), ptr), address))
      return nullptr;
    *data = reinterpret_cast<void *>(address);
    return array.release();
  }

  bool currentStream(DLDevice device, void **stream) override {
    static const Name ptr("ptr");
    Reference function = cuda("get_current_stream", getStream);
    Reference id(PyLong_FromLong(device.device_id));
    Reference current(function && id
                          ? PyObject_CallOneArg(function.get(), id.get())
                          : nullptr);
    int64_t address = 0;
    if (!current || !asInteger(attribute(current.get(), ptr), address))
      return false;
    *stream = reinterpret_cast<void *>(address);
    return true;
  }

private:
  /// Makes a device current during its lifetime; usually it already is.
  class OnDevice {
  public:
    OnDevice(Cupy &cupy, int id) {
      Reference function = cupy.cuda("Device", cupy.deviceType);
      Reference current(function ? PyObject_CallNoArgs(function.get())
                                 : nullptr);
      static const Name idName("id");
      int64_t now = -1;
      if (!current || !asInteger(attribute(current.get(), idName), now))
        return;
      fine = now == id;
      if (fine)
        return;
      entered = Reference(PyObject_CallFunction(function.get(), "i", id));
      if (entered)
        fine = bool(Reference(
            PyObject_CallMethod(entered.get(), "__enter__", nullptr)));
    }
    ~OnDevice() {
      if (!entered || !fine)
        return;
      PyObject *kind, *value, *trace;
      PyErr_Fetch(&kind, &value, &trace);
      Reference(PyObject_CallMethod(entered.get(), "__exit__", "OOO", Py_None,
                                    Py_None, Py_None));
      PyErr_Restore(kind, value, trace);
    }
    bool isFine() const { return fine; }

  private:
    bool fine = false;
    Reference entered;
  };

  /// cupy.cuda.NAME, kept in `place` and never freed.
  Reference cuda(const char *name, PyObject *&place) {
    if (!place) {
      Reference module(PyImport_ImportModule("cupy.cuda"));
      if (!module || !(place = PyObject_GetAttrString(module.get(), name)))
        return {};
    }
    return Reference::borrow(place);
  }

  Reference compact(PyObject *shape, PyObject *dtype) {
    PyObject *arguments[] = {shape, dtype};
    return Reference(PyObject_Vectorcall(reinterpret_cast<PyObject *>(type),
                                         arguments, 2, nullptr));
  }

  /// An array over separately allocated memory, since the constructor makes
  /// only C and F order.
  Reference strided(const DLTensor &form, PyObject *shape, PyObject *dtype,
                    int64_t size) {
    int64_t count = size;
    Reference strides(PyTuple_New(form.ndim));
    for (int i = 0; strides && i < form.ndim; ++i) {
      count *= form.shape[i];
      PyTuple_SET_ITEM(strides.get(), i,
                       PyLong_FromLongLong(form.strides[i] * size));
    }
    Reference function = cuda("alloc", allocateMemory);
    Reference memory(function && strides
                         ? PyObject_CallFunction(function.get(), "L", count)
                         : nullptr);
    if (!memory)
      return {};
    return Reference(PyObject_CallFunction(reinterpret_cast<PyObject *>(type),
                                           "OOOO", shape, dtype, memory.get(),
                                           strides.get()));
  }

  PyTypeObject *type;
  PyObject *getStream = nullptr, *deviceType = nullptr,
           *allocateMemory = nullptr;
};
} // namespace

Framework *kern::python::cupyFrameworkOf(PyTypeObject *type) {
  if (!isOf(type, "cupy") ||
      std::string_view(type->tp_name).find("ndarray") == std::string_view::npos)
    return nullptr;
  return new Cupy(type);
}
