//===- Call.cpp - a call of a function from Python ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The way of a call: sort out positions and keywords, read the arguments, give
// the call to another library's `__array_ufunc__` if one wants it, make it, and
// hand back what it gave. Everything is on the stack; what is in the way of a
// small NumPy call costs nanoseconds that its users see.
//
//===----------------------------------------------------------------------===//
#include "Call.h"
#include "Errors.h"
#include "Overrides.h"
#include "Types.h"

#include <algorithm>
#include <cstring>

using namespace kern::python;

/// Calls of at most so many elements keep the GIL once their code is made:
/// letting go of it and taking it back costs more than they do.
static constexpr int64_t smallCall = 1 << 12;

PyObject *kern::python::call(PyObject *self, PyObject *const *arguments,
                             size_t flags, PyObject *keywords) {
  Call made(*reinterpret_cast<FunctionObject *>(self));
  return made.make(arguments, size_t(PyVectorcall_NARGS(flags)), keywords);
}

PyObject *Call::make(PyObject *const *arguments, size_t count,
                     PyObject *keywords) {
  if (!sortOut(arguments, count, keywords))
    return nullptr;
  if (hasOverride())
    return callOverride(function, arguments, count, keywords,
                        {inputs.data(), function.inputCount},
                        {outputs.data(), function.outputCount});
  if (!read() || !run())
    return nullptr;
  return giveResults();
}

/*--- Positions and keywords -------------------------------------------------*/

static const char *nameOf(const FunctionObject &function) {
  return kern_function_name(function.function);
}

bool Call::sortOut(PyObject *const *arguments, size_t count,
                   PyObject *keywords) {
  size_t most = size_t(function.inputCount) + function.outputCount;
  if (count > most) {
    PyErr_Format(PyExc_TypeError,
                 "%s() takes from %d to %zu positional arguments but %zu were "
                 "given",
                 nameOf(function), int(function.inputCount), most, count);
    return false;
  }
  size_t given = std::min<size_t>(count, function.inputCount);
  std::copy_n(arguments, given, inputs.begin());
  std::fill(inputs.begin() + given, inputs.begin() + function.inputCount,
            nullptr);
  std::fill_n(outputs.begin(), function.outputCount, nullptr);
  for (size_t i = function.inputCount; i < count; ++i)
    if (arguments[i] != Py_None)
      outputs[i - function.inputCount] = arguments[i];
  bool hasPositionalOut = count > function.inputCount;
  for (Py_ssize_t i = 0; keywords && i < PyTuple_GET_SIZE(keywords); ++i)
    if (!takeKeyword(PyTuple_GET_ITEM(keywords, i),
                     arguments[count + size_t(i)], hasPositionalOut))
      return false;
  for (size_t i = given; i < function.inputCount; ++i)
    if (!inputs[i]) {
      PyErr_Format(PyExc_TypeError,
                   "%s() missing required argument %R (position %zu)",
                   nameOf(function),
                   PyTuple_GET_ITEM(function.parameters, Py_ssize_t(i)), i + 1);
      return false;
    }
  return true;
}

bool Call::takeKeyword(PyObject *name, PyObject *value, bool hasPositionalOut) {
  if (PyUnicode_CompareWithASCIIString(name, "out") == 0) {
    if (hasPositionalOut) {
      PyErr_SetString(PyExc_TypeError,
                      "cannot specify 'out' as both a positional and keyword "
                      "argument");
      return false;
    }
    return takeOut(value);
  }
  for (Py_ssize_t i = 0; i < function.inputCount; ++i) {
    PyObject *parameter = PyTuple_GET_ITEM(function.parameters, i);
    if (parameter != name && PyUnicode_Compare(parameter, name) != 0)
      continue;
    if (inputs[size_t(i)]) {
      PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument %R",
                   nameOf(function), name);
      return false;
    }
    inputs[size_t(i)] = value;
    return true;
  }
  int taken = options.take(function, name, value);
  if (taken == 0)
    PyErr_Format(PyExc_TypeError,
                 "%s() got an unexpected keyword argument %R%s",
                 nameOf(function), name,
                 !function.isGufunc &&
                         (PyUnicode_CompareWithASCIIString(name, "axis") == 0 ||
                          PyUnicode_CompareWithASCIIString(name, "axes") == 0)
                     ? ": it is for gufuncs"
                     : "");
  return taken > 0;
}

bool Call::takeOut(PyObject *value) {
  if (!PyTuple_Check(value)) {
    if (value == Py_None)
      return true;
    if (function.outputCount != 1) {
      PyErr_Format(PyExc_TypeError,
                   "'out' must be a tuple of %d arrays, one for each result",
                   int(function.outputCount));
      return false;
    }
    outputs[0] = value;
    return true;
  }
  if (PyTuple_GET_SIZE(value) != function.outputCount) {
    PyErr_SetString(PyExc_ValueError,
                    "The 'out' tuple must have exactly one entry per ufunc "
                    "output");
    return false;
  }
  for (Py_ssize_t i = 0; i < function.outputCount; ++i)
    if (PyTuple_GET_ITEM(value, i) != Py_None)
      outputs[size_t(i)] = PyTuple_GET_ITEM(value, i);
  return true;
}

bool Call::hasOverride() const {
  auto wants = [](PyObject *object) {
    if (!object || PyArray_CheckExact(object) || PyFloat_CheckExact(object) ||
        PyLong_CheckExact(object))
      return false;
    ArgumentKind::Way way = kindOf(object).way;
    return way == ArgumentKind::Override || way == ArgumentKind::Refusing;
  };
  return std::any_of(inputs.begin(), inputs.begin() + function.inputCount,
                     wants) ||
         std::any_of(outputs.begin(), outputs.begin() + function.outputCount,
                     wants);
}

/*--- Arguments --------------------------------------------------------------*/

bool Call::read() {
  for (size_t i = 0; i < function.inputCount; ++i)
    if (!readInput(i))
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
  if (PyLong_Check(object) || PyFloat_Check(object) || PyComplex_Check(object))
    if (!PyArray_IsScalar(object, Generic))
      return readNumber(object, value);
  ArgumentKind kind = kindOf(object);
  if (kind.way == ArgumentKind::Array)
    return readArray(object, *kind.framework, i);
  if (kind.way == ArgumentKind::Scalar && readScalar(object, value))
    return true;
  if (PyErr_Occurred())
    return false;
  // Lists, scalars of types that Kern lacks, and whatever else NumPy takes.
  converted[i] = Reference(PyArray_FROM_O(object));
  return converted[i] && readArray(converted[i].get(), numpyFramework(), i);
}

bool Call::readNumber(PyObject *object, kern_value &value) {
  if (PyBool_Check(object)) { // typed, as in NumPy
    value.kind = KERN_VALUE_SCALAR;
    value.dtype = KERN_BOOL;
    value.as.bits[0] = object == Py_True;
  } else if (PyLong_Check(object)) {
    int overflow = 0;
    value.kind = KERN_VALUE_WEAK_INT;
    value.as.integer = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow > 0) { // as NumPy: of the widest unsigned type
      unsigned long long wide = PyLong_AsUnsignedLongLong(object);
      if (PyErr_Occurred())
        return false;
      value.kind = KERN_VALUE_SCALAR;
      value.dtype = KERN_U64;
      std::memcpy(value.as.bits, &wide, sizeof wide);
    } else if (overflow < 0) {
      PyErr_SetString(PyExc_OverflowError,
                      "Python integer does not fit 64 bits");
      return false;
    }
  } else if (PyFloat_Check(object)) {
    value.kind = KERN_VALUE_WEAK_FLOAT;
    value.as.real = PyFloat_AS_DOUBLE(object);
  } else {
    Py_complex number = PyComplex_AsCComplex(object);
    value.kind = KERN_VALUE_WEAK_COMPLEX;
    value.as.complex_parts[0] = number.real;
    value.as.complex_parts[1] = number.imag;
  }
  note(value.kind);
  return !PyErr_Occurred();
}

/// False without an exception for a type that Kern lacks.
bool Call::readScalar(PyObject *object, kern_value &value) {
  PyArray_Descr *dtype = PyArray_DescrFromScalar(object);
  std::optional<kern_dtype> type = dtype ? typeOf(dtype) : std::nullopt;
  // Of what is wider, NumPy would write more than there is room for.
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
    if (hasDeviceArray && (device.device_type != tensor.device.device_type ||
                           device.device_id != tensor.device.device_id)) {
      PyErr_Format(PyExc_ValueError,
                   "%s() was given arrays on cuda:%d and cuda:%d; copy one to "
                   "the other's device",
                   nameOf(function), device.device_id, tensor.device.device_id);
      return false;
    }
    hasDeviceArray = true;
    device = tensor.device;
  } else if (tensor.ndim > 0) {
    hasHostArray = true;
  }
  int64_t count = 1;
  for (int i = 0; i < tensor.ndim; ++i)
    count *= tensor.shape[i];
  mostElements = std::max(mostElements, count);
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

/*--- The call ---------------------------------------------------------------*/

void *Call::allocate(void *context, size_t result, const DLTensor *form) {
  Call &call = *static_cast<Call *>(context);
  if (call.letGo)
    PyEval_RestoreThread(call.letGo);
  void *data = nullptr;
  call.made[result] = Reference(call.framework->allocate(*form, &data));
  if (call.letGo)
    call.letGo = PyEval_SaveThread();
  // An array without elements may have no address.
  if (!data && call.made[result])
    data = reinterpret_cast<void *>(uintptr_t(64));
  return data;
}

bool Call::placeCall() {
  kern_call_options &call = options.request.call;
  call.size = sizeof options.request;
  if (hasDeviceArray && hasHostArray) {
    PyErr_Format(PyExc_TypeError,
                 "%s() was given arrays on the host and arrays on cuda:%d; "
                 "copy one to the other's device",
                 nameOf(function), device.device_id);
    return false;
  }
  if (!hasDeviceArray && !call.has_device) {
    call.has_device = 1;
    call.device = {kDLCPU, 0};
  }
  if (hasDeviceArray && !options.hasStream)
    return framework->currentStream(device, &call.stream);
  return true;
}

bool Call::run() {
  if (!placeCall())
    return false;
  if (!framework->keepsStrides())
    options.request.order = KERN_ORDER_C;
  kern_allocator allocator = {this, allocate};
  options.request.allocator = &allocator;
  bool isSmall = mostElements <= smallCall && function.warm.contains(warmKey);
  if (!isSmall)
    letGo = PyEval_SaveThread();
  kern_status status = kern_call(
      function.function, values.data(), function.inputCount, tensors.data(),
      nullptr, function.outputCount, &options.request.call, nullptr);
  if (letGo)
    PyEval_RestoreThread(std::exchange(letGo, nullptr));
  if (status != KERN_OK) {
    if (!PyErr_Occurred())
      raise(status);
    return false;
  }
  function.warm.add(warmKey);
  return writeBack();
}

bool Call::writeBack() {
  for (size_t i = 0; i < size_t(function.inputCount) + function.outputCount;
       ++i) {
    bool isArray = i < function.inputCount
                       ? values[i].kind == KERN_VALUE_ARRAY
                       : tensors[i - function.inputCount] != nullptr;
    if (isArray && arrays[i].isCopiedBack &&
        PyArray_ResolveWritebackIfCopy(
            reinterpret_cast<PyArrayObject *>(arrays[i].owner.get())) < 0)
      return false;
  }
  return true;
}

/*--- Results ----------------------------------------------------------------*/

PyObject *Call::result(size_t i) {
  if (outputs[i])
    return Reference::borrow(outputs[i]).release();
  if (hasSubclass && options.isSubclassKept)
    return wrapResult(reinterpret_cast<PyObject *>(&function),
                      {inputs.data(), function.inputCount}, i,
                      std::move(made[i]));
  PyObject *array = made[i].release();
  if (framework == &numpyFramework())
    return PyArray_Return(reinterpret_cast<PyArrayObject *>(array));
  return framework->finish(array);
}

PyObject *Call::giveResults() {
  if (function.outputCount == 1)
    return result(0);
  Reference tuple(PyTuple_New(function.outputCount));
  for (size_t i = 0; tuple && i < function.outputCount; ++i) {
    PyObject *one = result(i);
    if (!one)
      return nullptr;
    PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(i), one);
  }
  return tuple.release();
}
