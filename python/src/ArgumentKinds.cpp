//===- ArgumentKinds.cpp - how an argument is taken, by its type ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Attributes.h"
#include "Frameworks.h"
#include "Reference.h"

#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>

using namespace kern::python;

namespace {
/// What is known about types. A type is forgotten when it is destroyed: classes
/// made by a function are short-lived and keep much memory alive.
class KnownTypes {
public:
  std::optional<ArgumentKind> find(PyTypeObject *type) {
    std::lock_guard lock(mutex);
    auto at = kinds.find(type);
    return at == kinds.end() ? std::nullopt : std::optional(at->second);
  }
  void add(PyTypeObject *type, ArgumentKind kind) {
    Reference weak = watch(type);
    if (!weak) {
      PyErr_Clear();
      return;
    }
    std::lock_guard lock(mutex);
    kinds.emplace(type, kind);
    weak.release(); // its callback releases it
  }
  void forget(PyTypeObject *type) {
    std::lock_guard lock(mutex);
    kinds.erase(type);
  }

private:
  static Reference watch(PyTypeObject *type);

  std::mutex mutex;
  std::unordered_map<PyTypeObject *, ArgumentKind> kinds;
};
} // namespace

static KnownTypes &knownTypes() {
  static KnownTypes &types =
      *new KnownTypes; // never destroyed: the order at exit is unknown
  return types;
}

/// Called when a type is destroyed; `self` is its address.
static PyObject *forgetType(PyObject *self, PyObject *weak) {
  knownTypes().forget(static_cast<PyTypeObject *>(PyLong_AsVoidPtr(self)));
  Py_DECREF(weak);
  Py_RETURN_NONE;
}

Reference KnownTypes::watch(PyTypeObject *type) {
  static PyMethodDef method = {"forget", forgetType, METH_O, nullptr};
  Reference address(PyLong_FromVoidPtr(type));
  Reference callback(address ? PyCFunction_New(&method, address.get())
                             : nullptr);
  return Reference(
      callback
          ? PyWeakref_NewRef(reinterpret_cast<PyObject *>(type), callback.get())
          : nullptr);
}

/// An attribute of a type; an empty reference, without an exception, if it has
/// none.
static Reference attributeOf(PyTypeObject *type, const char *name) {
  Reference value(
      PyObject_GetAttrString(reinterpret_cast<PyObject *>(type), name));
  if (!value)
    PyErr_Clear();
  return value;
}

/// Whether JAX uses such objects instead of arrays while it traces.
static bool isTracer(PyTypeObject *type) {
  if (!isOf(type, "jax") || !type->tp_mro)
    return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(type->tp_mro); ++i) {
    auto *base =
        reinterpret_cast<PyTypeObject *>(PyTuple_GET_ITEM(type->tp_mro, i));
    if (isOf(base, "jax") && std::string_view(base->tp_name) == "Tracer")
      return true;
  }
  return false;
}

/// The kind of a type with an `__array_ufunc__` that is not ndarray's, or of
/// one that kern._elsewhere handles.
static bool hasOverride(PyTypeObject *type, ArgumentKind &kind) {
  if (isTracer(type)) {
    kind.way = ArgumentKind::Override;
    return true;
  }
  Reference own = attributeOf(type, "__array_ufunc__");
  if (!own)
    return false;
  if (own.get() == Py_None) {
    kind.way = ArgumentKind::Refusing;
    return true;
  }
  static PyObject *const plain =
      attributeOf(&PyArray_Type, "__array_ufunc__").release();
  if (own.get() == plain)
    return false;
  kind.way = ArgumentKind::Override;
  return true;
}

/// The framework of a library that Kern supports directly, whatever
/// `__array_ufunc__` the type has, or NULL.
static Framework *nativeFrameworkOf(PyTypeObject *type) {
  Framework *cupy = cupyFrameworkOf(type);
  return cupy ? cupy : exchangeFrameworkOf(type);
}

/// The framework of a general protocol, or NULL. Never NumPy.
static Framework *foreignFrameworkOf(PyTypeObject *type) {
  // JAX's type has the interface for CUDA even for arrays on the CPU.
  Framework *dlpack = dlpackFrameworkOf(type);
  return dlpack ? dlpack : cudaInterfaceFrameworkOf(type);
}

static ArgumentKind findKind(PyTypeObject *type) {
  ArgumentKind kind;
  if ((kind.framework = nativeFrameworkOf(type))) {
    kind.way = ArgumentKind::Array;
  } else if (hasOverride(type, kind)) {
  } else if (PyType_IsSubtype(type, &PyArray_Type)) {
    kind = {ArgumentKind::Array, &numpyFramework()};
  } else if (PyType_IsSubtype(type, &PyGenericArrType_Type)) {
    kind.way = ArgumentKind::Scalar;
  } else if (PyType_IsSubtype(type, &PyFloat_Type) ||
             PyType_IsSubtype(type, &PyLong_Type) ||
             PyType_IsSubtype(type, &PyComplex_Type)) {
    kind.way = ArgumentKind::Number;
  } else if ((kind.framework = foreignFrameworkOf(type))) {
    kind.way = ArgumentKind::Array;
  }
  return kind;
}

ArgumentKind kern::python::kindOf(PyObject *object) {
  PyTypeObject *type = Py_TYPE(object);
  if (std::optional<ArgumentKind> known = knownTypes().find(type))
    return *known;
  ArgumentKind kind = findKind(type);
  knownTypes().add(type, kind);
  return kind;
}
