//===- Resolve.cpp - the types and shapes of a call -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Resolve.h"
#include "Errors.h"
#include "Options.h"
#include "Types.h"

#include <vector>

using namespace kern::python;

namespace {
/// An array with a known type and shape only.
struct Form {
  DLTensor tensor = {};
  std::vector<int64_t> shape;

  bool read(PyObject *pair) {
    PyObject *name = nullptr, *extents = nullptr;
    if (!PyTuple_Check(pair) ||
        !PyArg_ParseTuple(pair, "OO!", &name, &PyTuple_Type, &extents)) {
      PyErr_SetString(PyExc_TypeError,
                      "an array is described by a tuple (dtype, shape)");
      return false;
    }
    std::optional<kern_dtype> type = typeFromObject(name);
    if (!type)
      return false;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(extents); ++i)
      shape.push_back(PyLong_AsLongLong(PyTuple_GET_ITEM(extents, i)));
    tensor.dtype = kern_dtype_to_dl(*type);
    tensor.device = {kDLCPU, 0};
    tensor.ndim = int(shape.size());
    tensor.shape = shape.data();
    return !PyErr_Occurred();
  }
};
} // namespace

static bool readArgument(PyObject *object, Form &form, kern_value &value) {
  value = {};
  if (object == reinterpret_cast<PyObject *>(&PyLong_Type))
    value.kind = KERN_VALUE_WEAK_INT;
  else if (object == reinterpret_cast<PyObject *>(&PyFloat_Type))
    value.kind = KERN_VALUE_WEAK_FLOAT;
  else if (object == reinterpret_cast<PyObject *>(&PyComplex_Type))
    value.kind = KERN_VALUE_WEAK_COMPLEX;
  else if (PyLong_Check(object)) {
    value.kind = KERN_VALUE_WEAK_INT;
    value.as.integer = PyLong_AsLongLong(object);
    return !PyErr_Occurred();
  } else {
    value.kind = KERN_VALUE_ARRAY;
    value.as.array = &form.tensor;
    return form.read(object);
  }
  return true;
}

static PyObject *shapeTuple(const int64_t *extents, int count) {
  Reference shape(PyTuple_New(count));
  for (int i = 0; shape && i < count; ++i) {
    PyObject *extent = PyLong_FromLongLong(extents[i]);
    if (!extent)
      return nullptr;
    PyTuple_SET_ITEM(shape.get(), i, extent);
  }
  return shape.release();
}

/// A new reference; NULL with an exception.
static PyObject *typeObject(kern_dtype type, Types how) {
  if (how == Types::Names)
    return PyUnicode_FromString(typeName(type));
  return reinterpret_cast<PyObject *>(dtypeOf(type));
}

static PyObject *typesTuple(const std::vector<int> &types, Types how) {
  Reference tuple(PyTuple_New(Py_ssize_t(types.size())));
  for (size_t i = 0; tuple && i < types.size(); ++i) {
    PyObject *type = types[i] == KERN_ANY_DTYPE
                         ? Reference::borrow(Py_None).release()
                         : typeObject(kern_dtype(types[i]), how);
    if (!type)
      return nullptr;
    PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(i), type);
  }
  return tuple.release();
}

static PyObject *formsTuple(const std::vector<kern_result_form> &forms,
                            Types how) {
  Reference tuple(PyTuple_New(Py_ssize_t(forms.size())));
  for (size_t i = 0; tuple && i < forms.size(); ++i) {
    PyObject *type = typeObject(forms[i].dtype, how);
    PyObject *form =
        type ? Py_BuildValue("(NN)", type,
                             shapeTuple(forms[i].shape, forms[i].ndim))
             : nullptr;
    if (!form)
      return nullptr;
    PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(i), form);
  }
  return tuple.release();
}

PyObject *kern::python::resolve(FunctionObject &function, PyObject *arguments,
                                PyObject *outputs, PyObject *keywords,
                                Types how) {
  size_t inputCount = size_t(PyTuple_GET_SIZE(arguments));
  size_t outputCount = size_t(PyTuple_GET_SIZE(outputs));
  if (inputCount != function.inputCount ||
      (outputCount && outputCount != function.outputCount)) {
    PyErr_Format(PyExc_ValueError, "%s() has %d parameters and %d results",
                 kern_function_name(function.function),
                 int(function.inputCount), int(function.outputCount));
    return nullptr;
  }
  Options options;
  options.request.call.size = sizeof options.request;
  Py_ssize_t at = 0;
  PyObject *name = nullptr, *value = nullptr;
  while (keywords && PyDict_Next(keywords, &at, &name, &value)) {
    int taken = options.take(function, name, value);
    if (taken == 0)
      PyErr_Format(PyExc_TypeError, "unexpected keyword argument %R", name);
    if (taken <= 0)
      return nullptr;
  }
  std::vector<Form> forms(inputCount + outputCount);
  std::vector<kern_value> values(inputCount);
  std::vector<const DLTensor *> tensors(function.outputCount, nullptr);
  for (size_t i = 0; i < inputCount; ++i)
    if (!readArgument(PyTuple_GET_ITEM(arguments, Py_ssize_t(i)), forms[i],
                      values[i]))
      return nullptr;
  for (size_t i = 0; i < outputCount; ++i) {
    PyObject *output = PyTuple_GET_ITEM(outputs, Py_ssize_t(i));
    if (output == Py_None)
      continue;
    if (!forms[inputCount + i].read(output))
      return nullptr;
    tensors[i] = &forms[inputCount + i].tensor;
  }
  std::vector<int> types(inputCount);
  std::vector<kern_result_form> results(function.outputCount);
  PyThreadState *letGo = PyEval_SaveThread();
  kern_status status =
      kern_resolve(function.function, values.data(), inputCount, tensors.data(),
                   function.outputCount, &options.request.call, types.data(),
                   results.data());
  PyEval_RestoreThread(letGo);
  if (status != KERN_OK) {
    raise(status);
    return nullptr;
  }
  return Py_BuildValue("(NN)", typesTuple(types, how),
                       formsTuple(results, how));
}

PyObject *kern::python::foreignForm(PyObject *object) {
  ArgumentKind kind = kindOf(object);
  if (kind.way != ArgumentKind::Array || kind.framework == &numpyFramework())
    return Reference::borrow(Py_None).release();
  ArrayRef array;
  kern_dtype type;
  if (!kind.framework->read(object, Access::Read, array))
    return nullptr;
  if (kern_status status = kern_dtype_from_dl(array.tensor.dtype, &type)) {
    raise(status);
    return nullptr;
  }
  PyArray_Descr *dtype = dtypeOf(type);
  if (!dtype)
    return nullptr;
  return Py_BuildValue(
      "(NNN)", dtype, shapeTuple(array.tensor.shape, array.tensor.ndim),
      PyLong_FromVoidPtr(static_cast<char *>(array.tensor.data) +
                         array.tensor.byte_offset));
}
