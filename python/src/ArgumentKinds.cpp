//===- ArgumentKinds.cpp - how an argument is taken, by its type ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Frameworks.h"

#include <mutex>
#include <string_view>
#include <unordered_map>

using namespace kern::python;

namespace {
/// What was found out about types. A type stays alive once it is here, so that
/// its address means nothing else.
class KnownTypes {
public:
  const ArgumentKind *find(PyTypeObject *type) {
    std::lock_guard lock(mutex);
    auto at = kinds.find(type);
    return at == kinds.end() ? nullptr : &at->second;
  }
  void add(PyTypeObject *type, ArgumentKind kind) {
    std::lock_guard lock(mutex);
    if (kinds.emplace(type, kind).second)
      Py_INCREF(reinterpret_cast<PyObject *>(type));
  }

private:
  std::mutex mutex;
  std::unordered_map<PyTypeObject *, ArgumentKind> kinds;
};
} // namespace

/// An attribute of a type; an empty reference, without an exception, if it has
/// none.
static Reference attributeOf(PyTypeObject *type, const char *name) {
  Reference value(
      PyObject_GetAttrString(reinterpret_cast<PyObject *>(type), name));
  if (!value)
    PyErr_Clear();
  return value;
}

/// The kind of a type with an `__array_ufunc__` that is not ndarray's.
static bool hasOverride(PyTypeObject *type, ArgumentKind &kind) {
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
  static KnownTypes &types = *new KnownTypes; // for ever: no order of endings
  PyTypeObject *type = Py_TYPE(object);
  if (const ArgumentKind *known = types.find(type))
    return *known;
  ArgumentKind kind = findKind(type);
  types.add(type, kind);
  return kind;
}
