//===- UfuncLoop.cpp - an inner loop of NumPy's as calls ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "UfuncLoop.h"
#include "Function.h"
#include "Types.h"

#include <algorithm>
#include <cfenv>
#include <cstdlib>
#include <cstring>
#include <vector>

using namespace kern::python;

namespace {
/// Restores the floating-point flags: lanes beyond an array's end raise some.
class FlagsKept {
public:
  ~FlagsKept() { std::feclearexcept(FE_ALL_EXCEPT & ~before); }

private:
  int before = std::fetestexcept(FE_ALL_EXCEPT);
};

struct Range {
  const char *begin, *end;
};
} // namespace

/// The bytes that an operand touches.
static Range rangeOf(const LoopOperand &operand, int64_t count) {
  int64_t low = 0, high = itemSize(operand.type);
  auto reach = [&](int64_t extent, int64_t stride) {
    if (extent > 1)
      (stride < 0 ? low : high) += (extent - 1) * stride;
  };
  reach(count, operand.stride);
  for (int i = 0; i < operand.rank; ++i)
    reach(operand.extent[size_t(i)], operand.coreStride[size_t(i)]);
  return {operand.data + low, operand.data + high};
}

static bool hasWholeCore(const LoopOperand &operand) {
  for (int i = 0; i < operand.rank; ++i)
    if (operand.extent[size_t(i)] > 1 &&
        operand.coreStride[size_t(i)] % itemSize(operand.type) != 0)
      return false;
  return true;
}

/// Whether two operands are the same elements in the same order.
static bool isSame(const LoopOperand &a, const LoopOperand &b) {
  if (a.data != b.data || a.stride != b.stride || a.rank != b.rank ||
      a.type != b.type)
    return false;
  for (size_t i = 0; i < size_t(a.rank); ++i)
    if (a.extent[i] != b.extent[i] || a.coreStride[i] != b.coreStride[i])
      return false;
  return true;
}

/// Whether the elements of two operands lie between one another, as the real
/// and the imaginary parts of an array do.
static bool isInterleaved(const LoopOperand &a, const LoopOperand &b) {
  if (a.rank || b.rank || a.stride != b.stride || a.stride == 0)
    return false;
  int64_t step = std::abs(a.stride);
  int64_t apart = ((b.data - a.data) % step + step) % step;
  return apart >= itemSize(a.type) && step - apart >= itemSize(b.type);
}

/// Whether one call may process all elements: strides are whole, and no element
/// of an output is read or written by another.
static bool isOneCall(std::span<const LoopOperand> operands, size_t inputCount,
                      int64_t count) {
  for (size_t i = 0; i < operands.size(); ++i) {
    const LoopOperand &operand = operands[i];
    if (!hasWholeCore(operand) || operand.rank + 1 > KERN_MAX_NDIM ||
        (count > 1 && operand.stride % itemSize(operand.type) != 0) ||
        (count > 1 && operand.stride == 0 && i >= inputCount))
      return false;
  }
  for (size_t o = inputCount; o < operands.size(); ++o) {
    Range written = rangeOf(operands[o], count);
    for (size_t i = 0; i < inputCount; ++i) {
      Range read = rangeOf(operands[i], count);
      if (read.begin < written.end && written.begin < read.end &&
          !isSame(operands[i], operands[o]) &&
          !isInterleaved(operands[i], operands[o]))
        return false;
    }
  }
  return true;
}

/// Copies an operand's core between memory and a buffer in C order.
static void copyCore(const LoopOperand &operand, char *strided, char *compact,
                     bool toBuffer) {
  size_t size = itemSize(operand.type);
  std::array<int64_t, KERN_MAX_NDIM> index = {};
  for (;;) {
    std::memcpy(toBuffer ? compact : strided, toBuffer ? strided : compact,
                size);
    compact += size;
    int axis = operand.rank - 1;
    for (; axis >= 0; --axis) {
      size_t at = size_t(axis);
      strided += operand.coreStride[at];
      if (++index[at] < operand.extent[at])
        break;
      strided -= operand.coreStride[at] * operand.extent[at];
      index[at] = 0;
    }
    if (axis < 0)
      return;
  }
}

namespace {
/// The calls of one loop: its arrays as DLPack has them.
class LoopCall {
public:
  LoopCall(kern_function *function, std::span<LoopOperand> operands,
           size_t inputCount)
      : function(function), operands(operands), inputCount(inputCount),
        arrays(operands.size()), values(inputCount),
        outputs(operands.size() - inputCount) {
    options.size = sizeof options;
    options.has_device = 1;
    options.device = {kDLCPU, 0};
    for (size_t i = 0; i < operands.size(); ++i) {
      DLTensor &tensor = arrays[i].tensor;
      tensor = {};
      tensor.device = options.device;
      tensor.dtype = kern_dtype_to_dl(operands[i].type);
      if (i < inputCount) {
        values[i] = {};
        values[i].kind = KERN_VALUE_ARRAY;
        values[i].as.array = &tensor;
      } else {
        outputs[i - inputCount] = &tensor;
      }
    }
  }

  /// One call over all elements.
  kern_status all(int64_t count) {
    for (size_t i = 0; i < operands.size(); ++i)
      describe(i, operands[i].data, count);
    return make();
  }

  /// A call for one element.
  kern_status one(int64_t element) {
    for (size_t i = 0; i < operands.size(); ++i) {
      LoopOperand &operand = operands[i];
      char *data = operand.data + element * operand.stride;
      if (!hasWholeCore(operand)) {
        char *buffer = bufferOf(i);
        copyCore(operand, data, buffer, true);
        describe(i, buffer, -1);
        arrays[i].tensor.strides = nullptr;
      } else {
        describe(i, data, -1);
      }
    }
    if (kern_status status = make())
      return status;
    for (size_t i = inputCount; i < operands.size(); ++i)
      if (arrays[i].buffer)
        copyCore(operands[i], operands[i].data + element * operands[i].stride,
                 arrays[i].buffer.get(), false);
    return KERN_OK;
  }

private:
  struct Array {
    DLTensor tensor;
    std::array<int64_t, KERN_MAX_NDIM> shape, strides;
    std::unique_ptr<char[]> buffer;
  };

  char *bufferOf(size_t i) {
    if (!arrays[i].buffer) {
      size_t bytes = itemSize(operands[i].type);
      for (size_t k = 0; k < size_t(operands[i].rank); ++k)
        bytes *= size_t(operands[i].extent[k]);
      arrays[i].buffer = std::make_unique<char[]>(bytes);
    }
    return arrays[i].buffer.get();
  }

  /// With a first dimension of `count` elements, without one if it is -1.
  void describe(size_t i, char *data, int64_t count) {
    const LoopOperand &operand = operands[i];
    Array &array = arrays[i];
    int64_t size = itemSize(operand.type);
    size_t axis = 0;
    if (count >= 0) {
      array.shape[axis] = count;
      array.strides[axis++] = operand.stride / size;
    }
    for (size_t k = 0; k < size_t(operand.rank); ++k, ++axis) {
      array.shape[axis] = operand.extent[k];
      array.strides[axis] = operand.coreStride[k] / size;
    }
    array.tensor.data = data;
    array.tensor.ndim = int(axis);
    array.tensor.shape = array.shape.data();
    array.tensor.strides = array.strides.data();
  }

  kern_status make() {
    return kern_call(function, values.data(), inputCount, outputs.data(),
                     nullptr, outputs.size(), &options, nullptr);
  }

  kern_function *function;
  std::span<LoopOperand> operands;
  size_t inputCount;
  std::vector<Array> arrays;
  std::vector<kern_value> values;
  std::vector<const DLTensor *> outputs;
  kern_call_options options = {};
};
} // namespace

kern_status kern::python::runLoop(kern_function *function,
                                  std::span<LoopOperand> operands,
                                  size_t inputCount, int64_t count) {
  FlagsKept flags;
  LoopCall call(function, operands, inputCount);
  if (isOneCall(operands, inputCount, count))
    return call.all(count);
  for (int64_t i = 0; i < count; ++i)
    if (kern_status status = call.one(i))
      return status;
  return KERN_OK;
}
