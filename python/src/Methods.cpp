//===- Methods.cpp - the methods of functions -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Methods.h"
#include "Errors.h"
#include "Types.h"
#include "kern/methods.h"
#include "kern/reflection.h"

#include <vector>

using namespace kern::python;

/// The integers of a tuple; false with an exception.
static bool readIntegers(PyObject *tuple, std::vector<int64_t> &out) {
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i)
    out.push_back(PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, i)));
  return !PyErr_Occurred();
}

static PyObject *tupleOf(const int64_t *values, int count) {
  Reference tuple(PyTuple_New(count));
  for (int i = 0; tuple && i < count; ++i) {
    PyObject *one = PyLong_FromLongLong(values[i]);
    if (!one)
      return nullptr;
    PyTuple_SET_ITEM(tuple.get(), i, one);
  }
  return tuple.release();
}

/// A function that belongs to another one.
static PyObject *gufuncOf(FunctionObject &owner, kern_function *gufunc) {
  const size_t count = kern_function_input_count(gufunc);
  Reference names(PyTuple_New(Py_ssize_t(count)));
  uint64_t inouts = 0;
  for (size_t i = 0; names && i < count; ++i) {
    PyObject *name =
        PyUnicode_FromString(kern_function_operand_name(gufunc, i));
    if (!name)
      return nullptr;
    PyTuple_SET_ITEM(names.get(), Py_ssize_t(i), name);
    if (kern_function_operand_kind(gufunc, i) == KERN_OPERAND_INOUT)
      inouts |= uint64_t(1) << i;
  }
  return names
             ? makeFunction(gufunc, owner.module, names.get(), true, inouts, 0)
             : nullptr;
}

static PyObject *raised(kern_status status) {
  raise(status);
  return nullptr;
}

PyObject *kern::python::resolveReduction(FunctionObject &function,
                                         const ReductionAsked &asked) {
  std::optional<kern_dtype> type = typeFromObject(asked.dtype);
  std::vector<int64_t> shape, strides, axes;
  if (!type || !readIntegers(asked.shape, shape) ||
      !readIntegers(asked.axes, axes))
    return nullptr;
  DLTensor array = {};
  array.dtype = kern_dtype_to_dl(*type);
  array.device = {kDLCUDA, 0};
  array.ndim = int(shape.size());
  array.shape = shape.data();
  if (asked.strides != Py_None) {
    if (!readIntegers(asked.strides, strides))
      return nullptr;
    for (int64_t &stride : strides)
      stride /= itemSize(*type);
    array.device = {kDLCPU, 0};
    array.strides = strides.data();
  }
  kern_call_request request = {};
  request.call.size = sizeof request;
  axes.reserve(1); // a list of none is not NULL
  const kern_axes axis = {axes.data(), axes.size()};
  request.axis = &axis;
  DLTensor output = {}, mask = {};
  if (asked.output != Py_None) {
    std::optional<kern_dtype> out = typeFromObject(asked.output);
    if (!out)
      return nullptr;
    output.dtype = kern_dtype_to_dl(*out);
  }
  if (asked.wanted != Py_None) {
    std::optional<kern_dtype> wanted = typeFromObject(asked.wanted);
    if (!wanted)
      return nullptr;
    request.has_dtype = 1;
    request.dtype = *wanted;
  }
  if (asked.masked)
    request.where = &mask;
  kern_method_call call = {};
  call.size = sizeof call;
  PyThreadState *letGo = PyEval_SaveThread();
  const kern_status status = kern_method_resolve(
      function.function, kern_method(asked.method), &array,
      kern_start(asked.start), asked.output != Py_None ? &output : nullptr,
      &request.call, &call);
  PyEval_RestoreThread(letGo);
  if (status != KERN_OK)
    return raised(status);
  Reference gufunc(gufuncOf(function, call.gufunc));
  Reference value(reinterpret_cast<PyObject *>(dtypeOf(call.dtype)));
  Reference element(reinterpret_cast<PyObject *>(dtypeOf(call.element)));
  Reference places(tupleOf(call.array_axes, call.array_axis_count));
  Reference result(call.has_axes
                       ? tupleOf(call.result_axes, call.result_axis_count)
                       : Reference::borrow(Py_None).release());
  if (!gufunc || !value || !element || !places || !result)
    return nullptr;
  return Py_BuildValue("(NNNONN)", gufunc.release(), value.release(),
                       element.release(), call.adds_axis ? Py_True : Py_False,
                       places.release(), result.release());
}

PyObject *kern::python::resolveAt(FunctionObject &function, PyObject *dtype,
                                  PyObject *second, int rank) {
  std::optional<kern_dtype> array = typeFromObject(dtype);
  std::optional<kern_dtype> operand = array;
  if (array && second != Py_None)
    operand = typeFromObject(second);
  if (!array || !operand)
    return nullptr;
  kern_function *gufunc = nullptr;
  PyThreadState *letGo = PyEval_SaveThread();
  const kern_status status =
      kern_method_resolve_at(function.function, *array, *operand,
                             second == Py_None ? -1 : rank, &gufunc);
  PyEval_RestoreThread(letGo);
  return status == KERN_OK ? gufuncOf(function, gufunc) : raised(status);
}

int64_t kern::python::findOutside(PyObject *object, int64_t low, int64_t high) {
  auto *array = reinterpret_cast<PyArrayObject *>(object);
  if (!PyArray_Check(object) || PyArray_NDIM(array) != 1 ||
      PyArray_TYPE(array) != NPY_INT64) {
    PyErr_SetString(PyExc_TypeError, "indices are an array of int64");
    return -2;
  }
  Reference packed; // of a field of records, say
  if (PyArray_STRIDE(array, 0) % int64_t(sizeof(int64_t))) {
    packed = Reference(PyArray_NewCopy(array, NPY_CORDER));
    if (!packed)
      return -2;
    array = reinterpret_cast<PyArrayObject *>(packed.get());
  }
  int64_t extent = PyArray_DIM(array, 0);
  int64_t stride = PyArray_STRIDE(array, 0) / int64_t(sizeof(int64_t));
  const DLTensor tensor = {PyArray_DATA(array),
                           {kDLCPU, 0},
                           1,
                           kern_dtype_to_dl(KERN_I64),
                           &extent,
                           &stride,
                           0};
  int64_t position = -1;
  if (kern_status status = kern_find_outside(&tensor, low, high, &position)) {
    raise(status);
    return -2;
  }
  return position;
}
