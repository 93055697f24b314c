//===- DlpackFramework.cpp - JAX and others, by __dlpack__ ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays whose fastest access is `__dlpack__` or `__cuda_array_interface__`.
// Their libraries do not allocate for others, so Kern allocates results, and
// the library's from_dlpack() takes them over.
//
//===----------------------------------------------------------------------===//
#include "Attributes.h"
#include "DeviceArray.h"
#include "Frameworks.h"
#include "Types.h"

#include <string>

using namespace kern::python;

namespace {

/// Calls and results are ordered by the legacy default stream.
constexpr long defaultStream = 1;

/// Frameworks whose results begin as a kern.DeviceArray.
class DeviceArrayFramework : public Framework {
public:
  PyObject *allocate(const DLTensor &form, void **data) override {
    return newDeviceArray(form, nullptr, data);
  }
};

class Dlpack : public DeviceArrayFramework {
public:
  explicit Dlpack(PyTypeObject *type) : type(type) {}

  const char *name() const override { return type->tp_name; }

  bool read(PyObject *object, Access access, ArrayRef &array) override {
    if (access == Access::Write && isOf(type, "jaxlib")) {
      PyErr_SetString(PyExc_ValueError, "arrays of JAX cannot be written to");
      return false;
    }
    Reference capsule = capsuleOf(object);
    if (!capsule || !take(capsule.get(), array))
      return false;
    bool isReadOnly =
        !array.managed || array.managed->flags & dlpack::readOnlyFlag;
    if (access == Access::Write && isReadOnly) {
      PyErr_SetString(PyExc_ValueError, "output array is read-only");
      return false;
    }
    return true;
  }

  PyObject *finish(PyObject *made) override {
    Reference array(made);
    if (!fromDlpack) {
      Reference space = namespaceOf();
      if (!space ||
          !(fromDlpack = PyObject_GetAttrString(space.get(), "from_dlpack")))
        return nullptr;
    }
    return PyObject_CallOneArg(fromDlpack, array.get());
  }

private:
  /// The module whose from_dlpack() makes arrays of the type.
  Reference namespaceOf() const {
    if (isOf(type, "jaxlib") || isOf(type, "jax"))
      return Reference(PyImport_ImportModule("jax.numpy"));
    Reference module(PyObject_GetAttrString(reinterpret_cast<PyObject *>(type),
                                            "__module__"));
    const char *text = module ? PyUnicode_AsUTF8(module.get()) : nullptr;
    if (!text)
      return {};
    std::string_view whole = text;
    return Reference(PyImport_ImportModule(
        std::string(whole.substr(0, whole.find('.'))).c_str()));
  }

  static Reference capsuleOf(PyObject *object) {
    Reference device(PyObject_CallMethod(object, "__dlpack_device__", nullptr));
    int kind = 0, id = 0;
    if (!device || !PyArg_ParseTuple(device.get(), "ii", &kind, &id))
      return {};
    Reference method(PyObject_GetAttrString(object, "__dlpack__"));
    Reference none(PyTuple_New(0));
    Reference stream(kind == kDLCUDA ? PyLong_FromLong(defaultStream)
                                     : Reference::borrow(Py_None).release());
    Reference keywords(stream ? Py_BuildValue("{sOs(ii)}", "stream",
                                              stream.get(), "max_version", 1, 0)
                              : nullptr);
    if (!method || !none || !keywords)
      return {};
    Reference capsule(PyObject_Call(method.get(), none.get(), keywords.get()));
    if (capsule || !PyErr_ExceptionMatches(PyExc_TypeError))
      return capsule;
    PyErr_Clear(); // from before DLPack had versions
    if (PyDict_DelItemString(keywords.get(), "max_version") < 0)
      return {};
    return Reference(PyObject_Call(method.get(), none.get(), keywords.get()));
  }

  /// Takes a capsule's tensor over.
  static bool take(PyObject *capsule, ArrayRef &array) {
    if (PyCapsule_IsValid(capsule, dlpack::versionedName)) {
      auto *managed = static_cast<dlpack::ManagedTensor *>(
          PyCapsule_GetPointer(capsule, dlpack::versionedName));
      if (managed->version.major > 1) {
        PyErr_Format(PyExc_BufferError, "DLPack %u.%u is not known",
                     managed->version.major, managed->version.minor);
        return false;
      }
      array.managed = managed;
      array.tensor = managed->tensor;
      return PyCapsule_SetName(capsule, dlpack::usedVersionedName) == 0;
    }
    auto *managed = static_cast<DLManagedTensor *>(
        PyCapsule_GetPointer(capsule, dlpack::tensorName));
    if (!managed)
      return false;
    array.managedOld = managed;
    array.tensor = managed->dl_tensor;
    return PyCapsule_SetName(capsule, dlpack::usedTensorName) == 0;
  }

  PyTypeObject *type;
  PyObject *fromDlpack = nullptr; ///< for ever
};

class CudaInterface : public DeviceArrayFramework {
public:
  explicit CudaInterface(PyTypeObject *type) : type(type) {}

  const char *name() const override { return type->tp_name; }

  bool read(PyObject *object, Access access, ArrayRef &array) override {
    static const Name interfaceName("__cuda_array_interface__");
    Reference facts = attribute(object, interfaceName);
    if (!facts)
      return false;
    if (!PyDict_Check(facts.get())) {
      PyErr_SetString(PyExc_TypeError,
                      "__cuda_array_interface__ must be a dict");
      return false;
    }
    auto fact = [&](const char *name) { // borrowed, NULL if it is None
      PyObject *value = PyDict_GetItemString(facts.get(), name);
      return value == Py_None ? nullptr : value;
    };
    PyObject *shape = fact("shape"), *typestr = fact("typestr"),
             *data = fact("data");
    if (!shape || !typestr || !data || !PyTuple_Check(data) ||
        PyTuple_GET_SIZE(data) != 2) {
      PyErr_SetString(PyExc_TypeError,
                      "__cuda_array_interface__ lacks shape, typestr or data");
      return false;
    }
    if (fact("mask")) {
      PyErr_SetString(PyExc_TypeError,
                      "an array with a mask was given: fill its nulls first");
      return false;
    }
    if (access == Access::Write && PyTuple_GET_ITEM(data, 1) == Py_True) {
      PyErr_SetString(PyExc_ValueError, "output array is read-only");
      return false;
    }
    std::optional<kern_dtype> known = typeFromObject(typestr);
    DLTensor &tensor = array.tensor;
    tensor.ndim = known ? integersOf(shape, array.shape.data()) : -1;
    if (tensor.ndim < 0)
      return false;
    tensor.data = PyLong_AsVoidPtr(PyTuple_GET_ITEM(data, 0));
    tensor.dtype = kern_dtype_to_dl(*known);
    tensor.shape = array.shape.data();
    tensor.strides = nullptr;
    tensor.byte_offset = 0;
    tensor.device = {kDLCUDA, 0};
    if (PyErr_Occurred() || !findDevice(object, tensor.device))
      return false;
    if (PyObject *stream = fact("stream")) {
      array.stream = PyLong_AsVoidPtr(stream);
      if (PyErr_Occurred())
        return false;
    }
    PyObject *strides = fact("strides");
    if (!strides)
      return true;
    return integersOf(strides, array.strides.data()) == tensor.ndim &&
           setStrides(tensor, array.strides.data(), itemSize(*known));
  }

  PyObject *finish(PyObject *made) override {
    if (!isOf(type, "numba"))
      return made; // a kern.DeviceArray
    Reference array(made);
    Reference cuda(PyImport_ImportModule("numba.cuda"));
    return cuda ? PyObject_CallMethod(cuda.get(), "as_cuda_array", "O",
                                      array.get())
                : nullptr;
  }

private:
  /// The interface does not say which GPU; Numba's arrays do.
  static bool findDevice(PyObject *object, DLDevice &device) {
    Reference context(PyObject_GetAttrString(object, "gpu_data"));
    context = Reference(
        context ? PyObject_GetAttrString(context.get(), "context") : nullptr);
    context = Reference(
        context ? PyObject_GetAttrString(context.get(), "device") : nullptr);
    Reference id(context ? PyObject_GetAttrString(context.get(), "id")
                         : nullptr);
    if (id && PyLong_Check(id.get()))
      device.device_id = int(PyLong_AsLong(id.get()));
    PyErr_Clear();
    return true;
  }

  PyTypeObject *type;
};

/// Whether a type has an attribute.
bool has(PyTypeObject *type, const char *name) {
  int found = PyObject_HasAttrString(reinterpret_cast<PyObject *>(type), name);
  return found > 0;
}
} // namespace

Framework *kern::python::dlpackFrameworkOf(PyTypeObject *type) {
  // Numba's arrays tell more through the other interface.
  return has(type, "__dlpack__") && has(type, "__dlpack_device__") &&
                 !isOf(type, "numba")
             ? new Dlpack(type)
             : nullptr;
}

Framework *kern::python::cudaInterfaceFrameworkOf(PyTypeObject *type) {
  return has(type, "__cuda_array_interface__") ? new CudaInterface(type)
                                               : nullptr;
}
