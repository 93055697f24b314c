//===- DeviceArray.cpp - results that no framework has room for -----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "DeviceArray.h"
#include "Attributes.h"
#include "Errors.h"
#include "Types.h"

using namespace kern::python;

namespace {
struct Object {
  PyObject_HEAD DLManagedTensor *array;
  void *stream; ///< on which it is written
};
PyTypeObject *type = nullptr;

const DLTensor &tensorOf(PyObject *self) {
  return reinterpret_cast<Object *>(self)->array->dl_tensor;
}
bool isOnHost(const DLTensor &tensor) {
  return tensor.device.device_type == kDLCPU;
}

/// Keeps a reference to the array while others use its memory.
template <typename Managed> struct Export {
  Managed managed;
  PyObject *array;
  static void end(Managed *self) {
    auto *whole =
        static_cast<Export *>(static_cast<void *>(self)); // its first member
    PyGILState_STATE state = PyGILState_Ensure();
    Py_DECREF(whole->array);
    PyGILState_Release(state);
    delete whole;
  }
};

/// A capsule that was never consumed still owns its tensor.
template <typename Managed, const char *const &name>
void dropCapsule(PyObject *capsule) {
  if (!PyCapsule_IsValid(capsule, name))
    return;
  auto *managed = static_cast<Managed *>(PyCapsule_GetPointer(capsule, name));
  managed->deleter(managed);
}
const char *const oldName = dlpack::tensorName;
const char *const newName = dlpack::versionedName;

template <typename Managed> Export<Managed> *exportOf(PyObject *self) {
  auto *out = new Export<Managed>();
  out->array = Reference::borrow(self).release();
  out->managed.deleter = Export<Managed>::end;
  return out;
}

PyObject *capsuleOf(PyObject *self, bool isVersioned) {
  if (!isVersioned) {
    auto *out = exportOf<DLManagedTensor>(self);
    out->managed.dl_tensor = tensorOf(self);
    return PyCapsule_New(&out->managed, dlpack::tensorName,
                         dropCapsule<DLManagedTensor, oldName>);
  }
  auto *out = exportOf<dlpack::ManagedTensor>(self);
  out->managed.version = {1, 0};
  out->managed.tensor = tensorOf(self);
  return PyCapsule_New(&out->managed, dlpack::versionedName,
                       dropCapsule<dlpack::ManagedTensor, newName>);
}

/// Makes the contents visible to the consumer's stream. If it is not the stream
/// that wrote them, waits for all work of the GPU.
bool waitFor(PyObject *self, PyObject *stream) {
  const DLTensor &tensor = tensorOf(self);
  if (isOnHost(tensor))
    return true;
  long long wanted = 1; // None: the legacy default stream
  if (stream && stream != Py_None) {
    wanted = PyLong_AsLongLong(stream);
    if (wanted == -1 && PyErr_Occurred())
      return false;
  }
  if (wanted == -1)
    return true;
  void *own = reinterpret_cast<Object *>(self)->stream;
  if (wanted == (own ? reinterpret_cast<long long>(own) : 1))
    return true;
  kern_status status;
  Py_BEGIN_ALLOW_THREADS status = kern_synchronize(tensor.device);
  Py_END_ALLOW_THREADS if (status != KERN_OK) raise(status);
  return status == KERN_OK;
}

PyObject *toDlpack(PyObject *self, PyObject *arguments, PyObject *keywords) {
  static const char *names[] = {"stream", "max_version", "dl_device", "copy",
                                nullptr};
  PyObject *stream = nullptr, *version = nullptr, *device = nullptr,
           *copy = nullptr;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|$OOOO:__dlpack__",
                                   const_cast<char **>(names), &stream,
                                   &version, &device, &copy))
    return nullptr;
  if (copy == Py_True) {
    PyErr_SetString(PyExc_BufferError, "a kern.DeviceArray is not copied");
    return nullptr;
  }
  if (!waitFor(self, stream))
    return nullptr;
  bool isVersioned = false;
  if (version && PyTuple_Check(version) && PyTuple_GET_SIZE(version) > 0)
    isVersioned = PyLong_AsLong(PyTuple_GET_ITEM(version, 0)) >= 1;
  return PyErr_Occurred() ? nullptr : capsuleOf(self, isVersioned);
}

PyObject *dlpackDevice(PyObject *self, PyObject *) {
  DLDevice device = tensorOf(self).device;
  return Py_BuildValue("(ii)", int(device.device_type), device.device_id);
}

PyObject *shapeOf(PyObject *self, void *) {
  const DLTensor &tensor = tensorOf(self);
  Reference shape(PyTuple_New(tensor.ndim));
  for (int i = 0; shape && i < tensor.ndim; ++i)
    PyTuple_SET_ITEM(shape.get(), i, PyLong_FromLongLong(tensor.shape[i]));
  return shape.release();
}

PyObject *dtypeOfArray(PyObject *self, void *) {
  kern_dtype dtype = KERN_F32;
  kern_dtype_from_dl(tensorOf(self).dtype, &dtype);
  return reinterpret_cast<PyObject *>(dtypeOf(dtype));
}

PyObject *deviceText(PyObject *self, void *) {
  DLDevice device = tensorOf(self).device;
  return device.device_type == kDLCPU
             ? PyUnicode_FromString("cpu")
             : PyUnicode_FromFormat("cuda:%d", device.device_id);
}

PyObject *cudaInterface(PyObject *self, void *) {
  const DLTensor &tensor = tensorOf(self);
  if (isOnHost(tensor)) {
    PyErr_SetString(PyExc_AttributeError, "the array is on the host");
    return nullptr;
  }
  Reference dtype(dtypeOfArray(self, nullptr));
  Reference text(dtype ? PyObject_GetAttrString(dtype.get(), "str") : nullptr);
  Reference shape(shapeOf(self, nullptr));
  void *stream = reinterpret_cast<Object *>(self)->stream;
  Reference number(stream ? PyLong_FromVoidPtr(stream) : PyLong_FromLong(1));
  Reference address(PyLong_FromVoidPtr(tensor.data));
  if (!text || !shape || !number || !address)
    return nullptr;
  return Py_BuildValue("{sOsOs(OO)sOsOsi}", "shape", shape.get(), "typestr",
                       text.get(), "data", address.get(), Py_False, "strides",
                       Py_None, "stream", number.get(), "version", 3);
}

void destroy(PyObject *self) {
  PyTypeObject *ofObject = Py_TYPE(self);
  if (DLManagedTensor *array = reinterpret_cast<Object *>(self)->array)
    array->deleter(array);
  ofObject->tp_free(self);
  Py_DECREF(ofObject);
}

PyMethodDef methods[] = {
    {"__dlpack__",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(toDlpack)),
     METH_VARARGS | METH_KEYWORDS, "The array for another library (DLPack)."},
    {"__dlpack_device__", dlpackDevice, METH_NOARGS,
     "DLPack's type and number of its device."},
    {},
};
PyGetSetDef properties[] = {
    {"shape", shapeOf, nullptr, "The sizes, a tuple.", nullptr},
    {"dtype", dtypeOfArray, nullptr, "The numpy.dtype.", nullptr},
    {"device", deviceText, nullptr, "\"cpu\" or \"cuda:N\".", nullptr},
    {"__cuda_array_interface__", cudaInterface, nullptr,
     "The array for Numba and others.", nullptr},
    {},
};
PyType_Slot slots[] = {
    {Py_tp_doc,
     const_cast<char *>("A result in Kern's own memory, in C order, for other "
                        "libraries to take: cupy.from_dlpack(array).")},
    {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, nullptr},
};
PyType_Spec spec = {"kern.DeviceArray", sizeof(Object), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                    slots};
} // namespace

PyObject *kern::python::makeDeviceArrayType() {
  PyObject *made = PyType_FromSpec(&spec);
  type = reinterpret_cast<PyTypeObject *>(made);
  return made;
}

PyObject *kern::python::newDeviceArray(const DLTensor &form, void *stream,
                                       void **data) {
  kern_dtype dtype;
  DLManagedTensor *array = nullptr;
  kern_status status = kern_dtype_from_dl(form.dtype, &dtype);
  if (status == KERN_OK)
    status = kern_array_new(dtype, form.ndim, form.shape, form.device, &array);
  if (status != KERN_OK) {
    raise(status);
    return nullptr;
  }
  PyObject *object = type->tp_alloc(type, 0);
  if (!object) {
    array->deleter(array);
    return nullptr;
  }
  reinterpret_cast<Object *>(object)->array = array;
  reinterpret_cast<Object *>(object)->stream = stream;
  *data = array->dl_tensor.data;
  return object;
}
