//===- CallArguments.cpp - the arguments of a call ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Attributes.h"
#include "Call.h"
#include "Types.h"
#include "kern/reflection.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

using namespace kern::python;

static const char *nameOf(const FunctionObject &function) {
  return kern_function_name(function.function);
}

bool Call::read() {
  for (size_t i = 0; i < function.inputCount; ++i)
    if (!readInput(i))
      return false;
  hadLarge = large != 0;
  for (size_t i = 0; large; ++i, large >>= 1)
    if (large & 1 && !readLargeInteger(i))
      return false;
  for (size_t i = 0; i < function.outputCount; ++i) {
    tensors[i] = nullptr;
    if (outputs[i] && !readOutput(i))
      return false;
  }
  return options.readMask();
}

void Call::note(uint64_t word) {
  warmKey = (warmKey ^ word) * 0x9e3779b97f4a7c15u;
  warmKey ^= warmKey >> 29;
}

bool Call::readInput(size_t i) {
  PyObject *object = inputs[i];
  kern_value &value = values[i];
  if (PyArray_CheckExact(object))
    return readArray(object, numpyFramework(), i);
  if (PyFloat_CheckExact(object)) {
    value.kind = KERN_VALUE_WEAK_FLOAT;
    value.as.real = PyFloat_AS_DOUBLE(object);
    note(KERN_VALUE_WEAK_FLOAT);
    return true;
  }
  // As in NumPy, the type of a subclass's object is that of an array of them.
  if (PyLong_CheckExact(object) || PyBool_Check(object) ||
      PyComplex_CheckExact(object))
    return readNumber(object, i);
  if (PyRange_Check(object))
    return readRange(object, i);
  ArgumentKind kind = kindOf(object);
  if (kind.way == ArgumentKind::Array)
    return readArray(object, *kind.framework, i);
  if (kind.way == ArgumentKind::Scalar && readScalar(object, value))
    return true;
  if (PyErr_Occurred())
    return false;
  // Lists, scalars of types that Kern lacks, and whatever else NumPy takes.
  hasSubclass |= PyObject_HasAttrString(object, "__array_wrap__") != 0;
  converted[i] = Reference(PyArray_FROM_O(object));
  return converted[i] && readArray(converted[i].get(), numpyFramework(), i);
}

bool Call::readNumber(PyObject *object, size_t i) {
  kern_value &value = values[i];
  if (PyBool_Check(object)) { // typed, as in NumPy
    value.kind = KERN_VALUE_SCALAR;
    value.dtype = KERN_BOOL;
    value.as.bits[0] = object == Py_True;
  } else if (PyLong_Check(object)) {
    int overflow = 0;
    value.kind = KERN_VALUE_WEAK_INT;
    value.as.integer = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow)
      large |= uint64_t(1) << i;
  } else {
    Py_complex number = PyComplex_AsCComplex(object);
    value.kind = KERN_VALUE_WEAK_COMPLEX;
    value.as.complex_parts[0] = number.real;
    value.as.complex_parts[1] = number.imag;
  }
  note(value.kind);
  return !PyErr_Occurred();
}

bool Call::readRange(PyObject *object, size_t i) {
  kern_range &range = ranges[i];
  for (auto [name, number] : {std::pair("start", &range.start),
                              {"stop", &range.stop},
                              {"step", &range.step}}) {
    Reference part(PyObject_GetAttrString(object, name));
    if (!asInteger(part, *number))
      return false;
  }
  hasRange = true;
  values[i].kind = KERN_VALUE_RANGE;
  values[i].as.range = &range;
  const Py_ssize_t length = PyObject_Size(object);
  if (length < 0)
    return false;
  maxElements = std::max(maxElements, int64_t(length));
  note(KERN_VALUE_RANGE);
  return true;
}

/// Whether the function lists its loops, and all take such a type there.
template <typename IsSuch>
static bool takesOnly(const FunctionObject &function, size_t input,
                      IsSuch isSuch) {
  const size_t count = kern_function_loop_count(function.function);
  std::vector<int> types(function.inputCount + function.outputCount);
  for (size_t i = 0; i < count; ++i)
    if (kern_function_loop(function.function, i, types.data(), types.size()) ||
        !isSuch(types[input]))
      return false;
  return count > 0;
}

/// A Python integer beyond int64 is a float beside floats and where a function
/// takes nothing else, and an unsigned integer likewise; otherwise it is
/// refused, as in NumPy.
bool Call::readLargeInteger(size_t i) {
  bool hasFloat =
      takesOnly(function, i, [](int type) { return type >= KERN_F16; });
  bool hasUnsigned =
      takesOnly(function, i, [](int type) { return type == KERN_U64; });
  for (size_t k = 0; k < function.inputCount; ++k) {
    const kern_value &other = values[k];
    kern_dtype type = KERN_BOOL;
    if (other.kind == KERN_VALUE_ARRAY)
      kern_dtype_from_dl(other.as.array->dtype, &type);
    else if (other.kind == KERN_VALUE_SCALAR)
      type = other.dtype;
    hasFloat |= type >= KERN_F16 || other.kind == KERN_VALUE_WEAK_FLOAT ||
                other.kind == KERN_VALUE_WEAK_COMPLEX;
    hasUnsigned |= type == KERN_U64;
  }
  kern_value &value = values[i];
  if (hasFloat) {
    value.kind = KERN_VALUE_WEAK_FLOAT;
    value.as.real = PyLong_AsDouble(inputs[i]);
    return !PyErr_Occurred();
  }
  if (hasUnsigned) {
    unsigned long long wide = PyLong_AsUnsignedLongLong(inputs[i]);
    value.kind = KERN_VALUE_SCALAR;
    value.dtype = KERN_U64;
    std::memcpy(value.as.bits, &wide, sizeof wide);
    return !PyErr_Occurred();
  }
  PyErr_Format(
      PyExc_OverflowError,
      "%s(): argument %zu, %R, does not fit int64; give it a type that "
      "holds it, like numpy.uint64",
      nameOf(function), i + 1, inputs[i]);
  return false;
}

/// False without an exception for a type that Kern lacks.
bool Call::readScalar(PyObject *object, kern_value &value) {
  PyArray_Descr *dtype = PyArray_DescrFromScalar(object);
  std::optional<kern_dtype> type = dtype ? typeOf(dtype) : std::nullopt;
  // NumPy would write beyond the room for wider values.
  if (type && PyArray_IsScalar(object, Number)) {
    value.kind = KERN_VALUE_SCALAR;
    value.dtype = *type;
    PyArray_ScalarAsCtype(object, value.as.bits);
    note(KERN_VALUE_SCALAR | uint64_t(*type) << 8);
  } else if (type && *type == KERN_BOOL) {
    value.kind = KERN_VALUE_SCALAR;
    value.dtype = KERN_BOOL;
    value.as.bits[0] = PyObject_IsTrue(object) == 1;
    note(KERN_VALUE_SCALAR);
  } else {
    type = std::nullopt;
  }
  Py_XDECREF(dtype);
  return type.has_value();
}

bool Call::meet(Framework &other) {
  if (&other == &numpyFramework() || &other == framework)
    return true;
  if (framework != &numpyFramework()) {
    PyErr_Format(PyExc_TypeError,
                 "%s() was given arrays of %s and of %s; convert one",
                 nameOf(function), framework->name(), other.name());
    return false;
  }
  framework = &other;
  return true;
}

bool Call::noteTensor(const DLTensor &tensor, Framework &from) {
  if (tensor.device.device_type != kDLCPU &&
      tensor.device.device_type != kDLCUDAHost) {
    hasDeviceArray = true;
    device = tensor.device;
  }
  int64_t count = 1;
  for (int i = 0; i < tensor.ndim; ++i)
    count *= tensor.shape[i];
  maxElements = std::max(maxElements, count);
  note(uint64_t(tensor.dtype.code) << 8 | tensor.dtype.bits |
       uint64_t(tensor.strides != nullptr) << 16 | uint64_t(tensor.ndim) << 24);
  return meet(from);
}

bool Call::readArray(PyObject *object, Framework &from, size_t i) {
  bool isWritten = function.inouts >> i & 1;
  ArrayRef &array = arrays[i];
  if (!from.read(object, isWritten ? Access::Write : Access::Read, array))
    return false;
  if (&from == &numpyFramework() && !PyArray_CheckExact(object))
    hasSubclass = true;
  values[i].kind = KERN_VALUE_ARRAY;
  values[i].as.array = &array.tensor;
  noteStream(array);
  return noteTensor(array.tensor, from);
}

bool Call::readOutput(size_t i) {
  PyObject *object = outputs[i];
  ArgumentKind kind = kindOf(object);
  if (kind.way != ArgumentKind::Array) {
    PyErr_Format(PyExc_TypeError, "return arrays must be arrays, not %.200s",
                 Py_TYPE(object)->tp_name);
    return false;
  }
  ArrayRef &array = arrays[function.inputCount + i];
  if (!kind.framework->read(object, Access::Write, array))
    return false;
  tensors[i] = &array.tensor;
  noteStream(array);
  return noteTensor(array.tensor, *kind.framework);
}
