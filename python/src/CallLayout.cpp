//===- CallLayout.cpp - what a call looks like, to be known again ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes a KnownCall from a call that the slow path has read and made.
//
//===----------------------------------------------------------------------===//
#include "Call.h"
#include "Types.h"

using namespace kern::python;

namespace {
class Hash {
public:
  void add(uint64_t word) {
    state = (state ^ word) * 0x9e3779b97f4a7c15u;
    state ^= state >> 29;
  }
  void add(const DLTensor &tensor) {
    add(uint64_t(tensor.dtype.code) << 8 | tensor.dtype.bits |
        uint64_t(tensor.strides != nullptr) << 16 |
        uint64_t(tensor.ndim) << 24 |
        uint64_t(uint32_t(tensor.device.device_id)) << 32 |
        uint64_t(tensor.device.device_type) << 48);
    for (int i = 0; i < tensor.ndim; ++i) {
      add(uint64_t(tensor.shape[i]));
      if (tensor.strides)
        add(uint64_t(tensor.strides[i]));
    }
  }
  uint64_t value() const { return state; }

private:
  uint64_t state = 1;
};
} // namespace

bool Call::isPlain() const {
  // A gufunc reads ranges from memory, where each call writes them anew.
  return options.isPlain && !hasSubclass && !(hasRange && function.isGufunc) &&
         !areArraysKept && !hadLarge;
}

uint64_t Call::layout() const {
  Hash hash;
  hash.add(uint64_t(reinterpret_cast<uintptr_t>(options.lastingDtype)));
  for (size_t i = 0; i < function.inputCount; ++i) {
    hash.add(uint64_t(values[i].kind));
    if (values[i].kind == KERN_VALUE_ARRAY)
      hash.add(*values[i].as.array);
    else if (values[i].kind == KERN_VALUE_SCALAR)
      hash.add(uint64_t(values[i].dtype));
    else if (values[i].kind == KERN_VALUE_RANGE)
      for (int64_t word : {ranges[i].start, ranges[i].stop, ranges[i].step})
        hash.add(uint64_t(word));
    if (function.dims >> i & 1)
      hash.add(uint64_t(values[i].as.integer));
  }
  for (size_t i = 0; i < function.outputCount; ++i) {
    hash.add(tensors[i] != nullptr);
    if (tensors[i])
      hash.add(*tensors[i]);
  }
  return hash.value();
}

/// The shape and the strides of an array at the end of `extents`.
static void keepExtents(KnownOperand &operand, int rank, const int64_t *shape,
                        const int64_t *strides, std::vector<int64_t> &extents) {
  operand.rank = rank;
  operand.at = uint32_t(extents.size());
  extents.insert(extents.end(), shape, shape + rank);
  if (strides)
    extents.insert(extents.end(), strides, strides + rank);
}

/// False for what cannot be recognised later, such as an array that was copied.
static bool describeArray(PyObject *object, const ArrayRef &array,
                          KnownOperand &operand, KnownCall &call) {
  const DLTensor &tensor = array.tensor;
  if (PyArray_CheckExact(object)) {
    auto *ndarray = reinterpret_cast<PyArrayObject *>(object);
    if (array.owner)
      return false;
    operand.kind = KnownOperand::Numpy;
    operand.dtype = PyArray_DESCR(ndarray);
    Py_INCREF(operand.dtype);
    keepExtents(operand, PyArray_NDIM(ndarray), PyArray_DIMS(ndarray),
                PyArray_STRIDES(ndarray), call.extents);
    return true;
  }
  ArgumentKind kind = kindOf(object);
  if (kind.way != ArgumentKind::Array || kind.framework == &numpyFramework() ||
      array.isCopiedBack)
    return false;
  call.isForeign = true;
  operand.kind = KnownOperand::Foreign;
  operand.type = Py_TYPE(object);
  Py_INCREF(operand.type);
  operand.framework = kind.framework;
  operand.element = tensor.dtype;
  operand.device = tensor.device;
  operand.hasStrides = tensor.strides != nullptr;
  keepExtents(operand, tensor.ndim, tensor.shape, tensor.strides, call.extents);
  return true;
}

static bool describeNumber(PyObject *object, const kern_value &value,
                           bool isDim, KnownOperand &operand) {
  using Kind = KnownOperand::Kind;
  auto is = [&](Kind kind) {
    operand.kind = kind;
    return true;
  };
  if (value.kind == KERN_VALUE_RANGE) {
    operand.range = Reference::borrow(object).release();
    return is(Kind::Range);
  }
  if (PyLong_CheckExact(object) && value.kind == KERN_VALUE_WEAK_INT) {
    operand.isFixed = isDim;
    operand.value = value.as.integer;
    return is(Kind::Integer);
  }
  if (isDim)
    return false;
  if (PyFloat_CheckExact(object))
    return is(Kind::Float);
  if (PyBool_Check(object))
    return is(Kind::Bool);
  if (PyComplex_CheckExact(object))
    return is(Kind::Complex);
  if (value.kind != KERN_VALUE_SCALAR || value.dtype == KERN_BF16)
    return false;
  // Only NumPy's own types have the value where Trial looks for it.
  PyArray_Descr *dtype = dtypeOf(value.dtype);
  bool isExact = dtype && dtype->typeobj == Py_TYPE(object);
  Py_XDECREF(dtype);
  if (!isExact)
    return false;
  operand.type = Py_TYPE(object);
  Py_INCREF(operand.type);
  return is(Kind::Scalar);
}

bool Call::describe(KnownCall &call) const {
  for (size_t i = 0; i < function.inputCount; ++i) {
    KnownOperand &operand = call.operands.emplace_back();
    operand.index = i;
    operand.isWritten = function.inouts >> i & 1;
    if (values[i].kind == KERN_VALUE_ARRAY
            ? !describeArray(inputs[i], arrays[i], operand, call)
            : !describeNumber(inputs[i], values[i], function.dims >> i & 1,
                              operand))
      return false;
  }
  for (size_t i = 0; i < function.outputCount; ++i) {
    if (!outputs[i])
      continue;
    KnownOperand &operand = call.operands.emplace_back();
    operand.index = i;
    operand.isOutput = operand.isWritten = true;
    call.given |= uint64_t(1) << i;
    if (!describeArray(outputs[i], arrays[function.inputCount + i], operand,
                       call))
      return false;
  }
  call.framework = framework;
  call.isForeign |= framework != &numpyFramework();
  call.isOnDevice = hasDeviceArray;
  call.device = device;
  call.keepsGil = isSmall();
  return true;
}

/// Keeps the shape and strides of a new result.
void Call::keepResult(size_t output, const DLTensor &form, void *data) {
  KnownResult &result = learnt->results.emplace_back();
  result.output = output;
  result.shape.assign(form.shape, form.shape + form.ndim);
  result.strides.assign(form.strides, form.strides + form.ndim);
  result.form = form;
  result.form.data = data;
  result.form.byte_offset = 0;
  if (framework != &numpyFramework())
    return;
  auto *array = reinterpret_cast<PyArrayObject *>(made[output].get());
  result.dtype = PyArray_DESCR(array);
  Py_INCREF(result.dtype);
  if (!PyArray_IS_C_CONTIGUOUS(array))
    result.byteStrides.assign(PyArray_STRIDES(array),
                              PyArray_STRIDES(array) + form.ndim);
}

void Call::learn() {
  if (!describe(*learnt))
    return;
  if (options.lastingDtype)
    learnt->dtype = Reference::borrow(options.lastingDtype).release();
  std::array<const DLTensor *, maxOperands> places = tensors;
  for (KnownResult &result : learnt->results) {
    // The vectors do not move any more.
    result.form.shape = result.shape.data();
    result.form.strides = result.strides.data();
    places[result.output] = &result.form;
  }
  function.known.learn(std::move(learnt), function.function,
                       {values.data(), function.inputCount},
                       {places.data(), function.outputCount},
                       options.request.call);
}
