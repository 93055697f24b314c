//===- KnownCall.cpp - a call that is known by its layout -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "KnownCall.h"
#include "Errors.h"
#include "Function.h"
#include "Options.h"
#include "Pool.h"

#include <cstddef>
#include <numpy/arrayscalars.h>

using namespace kern::python;

namespace {
/// Where a call's operands are, as kern_prepared_launch() takes them.
struct Places {
  union Number {
    long long integer;
    npy_bool truth;
  };
  std::array<const void *, maxOperands> inputs;
  std::array<void *, maxOperands> outputs;
  std::array<Number, maxOperands> numbers;
};
} // namespace

bool GivenCall::setInputs(const FunctionObject &function,
                          PyObject *const *arguments, size_t count) {
  inputs = arguments;
  if (count >= function.inputCount)
    return true;
  if (count < function.leastCount)
    return false;
  std::copy_n(arguments, count, completed.begin());
  for (size_t i = count; i < function.inputCount; ++i)
    completed[i] = PyTuple_GET_ITEM(function.defaults, Py_ssize_t(i));
  inputs = completed.data();
  return true;
}

bool GivenCall::sortOut(const FunctionObject &function,
                        PyObject *const *arguments, size_t count,
                        PyObject *keywords) {
  const size_t inputCount = function.inputCount,
               outputCount = function.outputCount;
  if (count > inputCount + outputCount ||
      !setInputs(function, arguments, count))
    return false;
  for (size_t i = 0; i < outputCount; ++i)
    outputs[i] = nullptr;
  for (size_t i = inputCount; i < count; ++i)
    set(i - inputCount, arguments[i]);
  if (!keywords)
    return true;
  static PyObject *const out = PyUnicode_InternFromString("out");
  static PyObject *const type = PyUnicode_InternFromString("dtype");
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(keywords); ++i) {
    PyObject *name = PyTuple_GET_ITEM(keywords, i);
    PyObject *value = arguments[count + size_t(i)];
    if (name == type && isLasting(value))
      dtype = value;
    else if (name == out ? !setOutputs(value, count > inputCount, outputCount)
                         : !asksNothing(function, name, value))
      return false;
  }
  return true;
}

bool GivenCall::setOutputs(PyObject *out, bool hasOutputs, size_t outputCount) {
  if (hasOutputs)
    return false;
  if (!PyTuple_CheckExact(out)) {
    if (outputCount != 1 && out != Py_None)
      return false;
    set(0, out);
    return true;
  }
  if (size_t(PyTuple_GET_SIZE(out)) != outputCount)
    return false;
  for (size_t i = 0; i < outputCount; ++i)
    set(i, PyTuple_GET_ITEM(out, Py_ssize_t(i)));
  return true;
}

/*--- Recognition ------------------------------------------------------------*/

static bool isSame(const int64_t *a, const int64_t *b, int count) {
  for (int i = 0; i < count; ++i)
    if (a[i] != b[i])
      return false;
  return true;
}

static bool isSameArray(PyObject *object, const KnownOperand &operand,
                        const int64_t *extents, const void *&place) {
  if (!PyArray_CheckExact(object))
    return false;
  auto *array = reinterpret_cast<PyArrayObject *>(object);
  if (PyArray_DESCR(array) != operand.dtype ||
      PyArray_NDIM(array) != operand.rank ||
      (operand.isWritten && !PyArray_CHKFLAGS(array, NPY_ARRAY_WRITEABLE)))
    return false;
  static_assert(sizeof(npy_intp) == sizeof(int64_t));
  const int64_t *known = extents + operand.at;
  if (!isSame(PyArray_DIMS(array), known, operand.rank) ||
      !isSame(PyArray_STRIDES(array), known + operand.rank, operand.rank))
    return false;
  place = PyArray_DATA(array);
  return true;
}

static bool isEqualRange(PyObject *object, PyObject *known) {
  const int isEqual = PyObject_RichCompareBool(object, known, Py_EQ);
  if (isEqual < 0)
    PyErr_Clear(); // the slow path reports it again
  return isEqual > 0;
}

static bool isSameNumber(PyObject *object, const KnownOperand &operand,
                         Places::Number &number, const void *&place) {
  // NumPy's scalars of numbers and bools have their value behind the object's
  // header.
  constexpr size_t scalarValue = offsetof(PyDoubleScalarObject, obval);
  static_assert(offsetof(PyBoolScalarObject, obval) == scalarValue &&
                offsetof(PyHalfScalarObject, obval) == scalarValue &&
                offsetof(PyCDoubleScalarObject, obval) == scalarValue);
  switch (operand.kind) {
  case KnownOperand::Float:
    place = &reinterpret_cast<PyFloatObject *>(object)->ob_fval;
    return PyFloat_CheckExact(object);
  case KnownOperand::Integer: {
    if (!PyLong_CheckExact(object))
      return false;
    int overflow = 0;
    number.integer = PyLong_AsLongLongAndOverflow(object, &overflow);
    place = &number;
    return !overflow && (!operand.isFixed || number.integer == operand.value);
  }
  case KnownOperand::Bool:
    number.truth = object == Py_True;
    place = &number;
    return PyBool_Check(object);
  case KnownOperand::Range:
    place = &number; // the numbers are those that it was prepared with
    return PyRange_Check(object) && isEqualRange(object, operand.range);
  case KnownOperand::Complex:
    place = &reinterpret_cast<PyComplexObject *>(object)->cval;
    return PyComplex_CheckExact(object);
  default:
    place = reinterpret_cast<char *>(object) + scalarValue;
    return Py_TYPE(object) == operand.type;
  }
}

/// Reads an array of another framework; one that it refuses is not the same.
static bool isSameForeign(PyObject *object, const KnownOperand &operand,
                          const int64_t *extents, ArrayRef &array) {
  if (Py_TYPE(object) != operand.type)
    return false;
  if (!operand.framework->read(
          object, operand.isWritten ? Access::Write : Access::Read, array)) {
    PyErr_Clear(); // the slow path reports it again
    return false;
  }
  const DLTensor &tensor = array.tensor;
  const int64_t *known = extents + operand.at;
  return tensor.ndim == operand.rank &&
         tensor.dtype.code == operand.element.code &&
         tensor.dtype.bits == operand.element.bits &&
         tensor.device.device_type == operand.device.device_type &&
         tensor.device.device_id == operand.device.device_id &&
         (tensor.strides != nullptr) == operand.hasStrides &&
         isSame(tensor.shape, known, operand.rank) &&
         (!operand.hasStrides ||
          isSame(tensor.strides, known + operand.rank, operand.rank));
}

/*--- A call -----------------------------------------------------------------*/

namespace {
/// One known call, tried with new arguments.
class Trial {
public:
  Trial(const KnownCall &known, const FunctionObject &function,
        const GivenCall &given)
      : known(known), function(function), given(given) {}

  /// Whether the call was made, perhaps with an exception. `arrays` has a place
  /// for each operand of a call with arrays of other frameworks.
  bool make(ArrayRef *arrays, PyObject *&result);
  bool fits(ArrayRef *arrays);

private:
  bool allocate();
  PyObject *giveResults();
  PyObject *giveNew(const KnownResult &result, Reference &object);

  const KnownCall &known;
  const FunctionObject &function;
  const GivenCall &given;
  Places places;
  void *stream = nullptr;
  Pool<Reference, 2> made{known.results.size()};
};
} // namespace

bool Trial::fits(ArrayRef *arrays) {
  if (given.mask != known.given || given.dtype != known.dtype)
    return false;
  const int64_t *extents = known.extents.data();
  for (size_t k = 0; k < known.operands.size(); ++k) {
    const KnownOperand &operand = known.operands[k];
    PyObject *object = operand.isOutput ? given.outputs[operand.index]
                                        : given.inputs[operand.index];
    const void *place = nullptr;
    if (operand.kind == KnownOperand::Numpy) {
      if (!isSameArray(object, operand, extents, place))
        return false;
    } else if (operand.kind == KnownOperand::Foreign) {
      ArrayRef &array = arrays[k];
      if (!isSameForeign(object, operand, extents, array))
        return false;
      place = static_cast<char *>(array.tensor.data) + array.tensor.byte_offset;
      if (array.stream)
        stream = array.stream;
    } else if (!isSameNumber(object, operand, places.numbers[operand.index],
                             place)) {
      return false;
    }
    if (operand.isOutput)
      places.outputs[operand.index] = const_cast<void *>(place);
    else
      places.inputs[operand.index] = place;
  }
  return true;
}

/// False with an exception.
bool Trial::allocate() {
  for (size_t i = 0; i < known.results.size(); ++i) {
    const KnownResult &result = known.results[i];
    void *data = nullptr;
    if (result.dtype) {
      Py_INCREF(result.dtype);
      made[i] = Reference(PyArray_NewFromDescr(
          &PyArray_Type, result.dtype, result.form.ndim,
          reinterpret_cast<const npy_intp *>(result.form.shape),
          result.byteStrides.empty()
              ? nullptr
              : reinterpret_cast<const npy_intp *>(result.byteStrides.data()),
          nullptr, 0, nullptr));
      if (made[i])
        data = PyArray_DATA(reinterpret_cast<PyArrayObject *>(made[i].get()));
    } else {
      made[i] = Reference(known.framework->allocate(result.form, &data));
    }
    if (!made[i])
      return false;
    places.outputs[result.output] = data;
  }
  return true;
}

bool Trial::make(ArrayRef *arrays, PyObject *&result) {
  result = nullptr;
  if (!fits(arrays))
    return false;
  if (given.hasStream)
    stream = given.stream;
  else if (known.isOnDevice &&
           !known.framework->currentStream(known.device, &stream))
    return true;
  if (!allocate())
    return true;
  PyThreadState *letGo = known.keepsGil ? nullptr : PyEval_SaveThread();
  int hasRun = 0;
  kern_status status = kern_prepared_try_launch(
      known.prepared, places.inputs.data(), function.inputCount,
      places.outputs.data(), function.outputCount, stream, &hasRun);
  if (letGo)
    PyEval_RestoreThread(letGo);
  if (status != KERN_OK)
    raise(status);
  else if (hasRun)
    result = giveResults();
  return status != KERN_OK || hasRun;
}

PyObject *Trial::giveNew(const KnownResult &result, Reference &object) {
  PyObject *array = object.release();
  if (!result.dtype)
    return known.framework->finish(array);
  return result.form.ndim
             ? array
             : PyArray_Return(reinterpret_cast<PyArrayObject *>(array));
}

PyObject *Trial::giveResults() {
  if (function.outputCount == 1)
    return known.results.empty() ? Reference::borrow(given.outputs[0]).release()
                                 : giveNew(known.results[0], made[0]);
  Reference tuple(PyTuple_New(function.outputCount));
  if (!tuple)
    return nullptr;
  for (size_t i = 0; i < function.outputCount; ++i)
    if (given.outputs[i])
      PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(i),
                       Reference::borrow(given.outputs[i]).release());
  for (size_t i = 0; i < known.results.size(); ++i) {
    PyObject *one = giveNew(known.results[i], made[i]);
    if (!one)
      return nullptr;
    PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(known.results[i].output), one);
  }
  return tuple.release();
}

/// With room for arrays of other frameworks, which is large.
[[gnu::noinline]] static bool makeForeign(const KnownCall &known,
                                          const FunctionObject &function,
                                          const GivenCall &given,
                                          PyObject *&result) {
  Pool<ArrayRef, 6> arrays(known.operands.size());
  return Trial(known, function, given).make(&arrays[0], result);
}

bool KnownCall::make(const FunctionObject &function, const GivenCall &given,
                     PyObject *&result) const {
  return isForeign ? makeForeign(*this, function, given, result)
                   : Trial(*this, function, given).make(nullptr, result);
}

bool KnownCall::matches(const FunctionObject &function,
                        const GivenCall &given) const {
  Pool<ArrayRef, 6> arrays(operands.size());
  return Trial(*this, function, given).fits(&arrays[0]);
}

/*--- Its life ---------------------------------------------------------------*/

KnownCall::~KnownCall() {
  for (const KnownOperand &operand : operands) {
    Py_XDECREF(operand.dtype);
    Py_XDECREF(operand.type);
    Py_XDECREF(operand.range);
  }
  for (const KnownResult &result : results)
    Py_XDECREF(result.dtype);
  Py_XDECREF(dtype);
  if (!prepared)
    return;
  // This may wait for a GPU, and other threads may have to run meanwhile.
  PyThreadState *letGo = isOnDevice ? PyEval_SaveThread() : nullptr;
  kern_prepared_release(prepared);
  if (letGo)
    PyEval_RestoreThread(letGo);
}

int KnownCall::traverse(visitproc visit, void *arg) const {
  for (const KnownOperand &operand : operands) {
    Py_VISIT(operand.dtype);
    Py_VISIT(operand.type);
    Py_VISIT(operand.range);
  }
  for (const KnownResult &result : results)
    Py_VISIT(result.dtype);
  Py_VISIT(dtype);
  return 0;
}
