//===- Overrides.cpp - array types with ways of their own -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Overrides.h"
#include "Attributes.h"
#include "Frameworks.h"

#include <algorithm>
#include <vector>

using namespace kern::python;

/// The operands with overrides, one of each type, in the order in which they
/// are asked. Empty with an exception if one refuses all ufuncs.
static std::vector<PyObject *>
overridesAmong(std::span<PyObject *const> inputs,
               std::span<PyObject *const> outputs, PyObject *const &where) {
  std::vector<PyObject *> overrides;
  for (std::span<PyObject *const> operands :
       {inputs, outputs, std::span(&where, 1)})
    for (PyObject *operand : operands) {
      if (!operand)
        continue;
      ArgumentKind::Way way = kindOf(operand).way;
      if (way == ArgumentKind::Refusing) {
        PyErr_Format(PyExc_TypeError,
                     "operand '%.200s' does not support ufuncs "
                     "(__array_ufunc__=None)",
                     Py_TYPE(operand)->tp_name);
        return {};
      }
      auto sameType = [&](PyObject *other) {
        return Py_TYPE(other) == Py_TYPE(operand);
      };
      if (way != ArgumentKind::Override ||
          std::ranges::any_of(overrides, sameType))
        continue;
      auto at = std::ranges::find_if(overrides, [&](PyObject *other) {
        return PyType_IsSubtype(Py_TYPE(operand), Py_TYPE(other));
      });
      overrides.insert(at, operand);
    }
  return overrides;
}

/// The keywords that an override sees: those given, and `out` as a tuple.
static Reference keywordsOf(PyObject *const *arguments, size_t count,
                            PyObject *keywords,
                            std::span<PyObject *const> outputs,
                            const FunctionObject &function) {
  Reference out(PyDict_New());
  for (Py_ssize_t i = 0; out && keywords && i < PyTuple_GET_SIZE(keywords);
       ++i) {
    PyObject *name = PyTuple_GET_ITEM(keywords, i);
    // Arguments passed by name are already among the positional ones.
    const bool isInput = parameterNamed(function, name) >= 0;
    bool isOut = PyUnicode_CompareWithASCIIString(name, "out") == 0;
    if (isInput || (isOut && arguments[count + size_t(i)] != Py_Ellipsis))
      continue;
    bool isOldName = PyUnicode_CompareWithASCIIString(name, "sig") == 0;
    Reference known(isOldName ? PyUnicode_FromString("signature")
                              : Reference::borrow(name).release());
    if (!known || PyDict_SetItem(out.get(), known.get(),
                                 arguments[count + size_t(i)]) < 0)
      return {};
  }
  if (std::ranges::none_of(outputs, [](PyObject *one) { return one; }))
    return out;
  Reference tuple(PyTuple_New(Py_ssize_t(outputs.size())));
  for (size_t i = 0; tuple && i < outputs.size(); ++i)
    PyTuple_SET_ITEM(
        tuple.get(), Py_ssize_t(i),
        Reference::borrow(outputs[i] ? outputs[i] : Py_None).release());
  if (!out || !tuple || PyDict_SetItemString(out.get(), "out", tuple.get()) < 0)
    return {};
  return out;
}

/// Asks an operand by its `__array_ufunc__`. For libraries without one, or with
/// one only for NumPy's own functions, asks the function of kern._elsewhere
/// that knows them. `arguments` begins with the function and the method's name.
static PyObject *ask(PyObject *operand, PyObject *arguments, PyObject *named) {
  PyTypeObject *type = Py_TYPE(operand);
  if (!isOf(type, "dask") && !isOf(type, "jax")) {
    Reference override(PyObject_GetAttrString(operand, "__array_ufunc__"));
    return override ? PyObject_Call(override.get(), arguments, named) : nullptr;
  }
  Reference elsewhere(PyImport_ImportModule("kern._elsewhere"));
  Reference function(elsewhere ? PyObject_GetAttrString(elsewhere.get(), "ask")
                               : nullptr);
  Reference first(PyTuple_Pack(1, operand));
  Reference all(first ? PySequence_Concat(first.get(), arguments) : nullptr);
  return function && all ? PyObject_Call(function.get(), all.get(), named)
                         : nullptr;
}

/// Asks the operands in order. `named` has `out` as a tuple.
static PyObject *askInTurn(FunctionObject &function, const char *method,
                           std::span<PyObject *const> inputs,
                           const std::vector<PyObject *> &overrides,
                           PyObject *named) {
  PyObject *alias = aliasOf(function);
  Reference positional(PyTuple_New(Py_ssize_t(inputs.size()) + 2));
  Reference text(PyUnicode_InternFromString(method));
  if (!alias || !positional || !text)
    return nullptr;
  PyTuple_SET_ITEM(positional.get(), 0, Reference::borrow(alias).release());
  PyTuple_SET_ITEM(positional.get(), 1, text.release());
  for (size_t i = 0; i < inputs.size(); ++i)
    PyTuple_SET_ITEM(positional.get(), Py_ssize_t(i) + 2,
                     Reference::borrow(inputs[i]).release());
  for (PyObject *operand : overrides) {
    Reference answer(ask(operand, positional.get(), named));
    if (!answer || answer.get() != Py_NotImplemented)
      return answer.release();
  }
  PyErr_Format(PyExc_TypeError,
               "operand type(s) all returned NotImplemented from "
               "__array_ufunc__(%R, '%s', ...)",
               alias, method);
  return nullptr;
}

PyObject *kern::python::callOverride(FunctionObject &function,
                                     PyObject *const *arguments, size_t count,
                                     PyObject *keywords,
                                     std::span<PyObject *const> inputs,
                                     std::span<PyObject *const> outputs,
                                     PyObject *where) {
  std::vector<PyObject *> overrides = overridesAmong(inputs, outputs, where);
  if (overrides.empty())
    return nullptr;
  Reference named = keywordsOf(arguments, count, keywords, outputs, function);
  return named ? askInTurn(function, "__call__", inputs, overrides, named.get())
               : nullptr;
}

PyObject *kern::python::callMethodOverride(FunctionObject &function,
                                           const char *method, PyObject *inputs,
                                           PyObject *outputs,
                                           PyObject *keywords) {
  auto items = [](PyObject *tuple) {
    return std::span(PySequence_Fast_ITEMS(tuple),
                     size_t(PyTuple_GET_SIZE(tuple)));
  };
  std::vector<PyObject *> overrides = overridesAmong(
      items(inputs), items(outputs), PyDict_GetItemString(keywords, "where"));
  if (overrides.empty())
    return PyErr_Occurred() ? nullptr
                            : Reference::borrow(Py_NotImplemented).release();
  return askInTurn(function, method, items(inputs), overrides, keywords);
}
