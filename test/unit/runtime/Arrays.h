//===- Arrays.h - arrays for calls in tests ---------------------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "kern/options.h"
#include "runtime/module/Function.h"
#include "runtime/module/Module.h"
#include "runtime/plan/Layout.h"
#include "runtime/transfer/Array.h"

#include "FakeCode.h"

#include <complex>
#include <cstring>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

namespace kern::test {

template <typename T> runtime::DType dtypeOf();
template <> inline runtime::DType dtypeOf<bool>() {
  return runtime::DType::Bool;
}
template <> inline runtime::DType dtypeOf<uint8_t>() {
  return runtime::DType::U8;
}
template <> inline runtime::DType dtypeOf<int16_t>() {
  return runtime::DType::I16;
}
template <> inline runtime::DType dtypeOf<int32_t>() {
  return runtime::DType::I32;
}
template <> inline runtime::DType dtypeOf<int64_t>() {
  return runtime::DType::I64;
}
template <> inline runtime::DType dtypeOf<float>() {
  return runtime::DType::F32;
}
template <> inline runtime::DType dtypeOf<double>() {
  return runtime::DType::F64;
}
template <> inline runtime::DType dtypeOf<std::complex<double>>() {
  return runtime::DType::C128;
}

/// first, first + 1, …
template <typename T> std::vector<T> iota(size_t n, T first = 0) {
  std::vector<T> out(n);
  std::iota(out.begin(), out.end(), first);
  return out;
}

/// A tensor over memory of the test's. Strides count elements.
template <typename T> struct Tensor {
  runtime::Extents shape, strides;
  DLTensor dl = {};

  Tensor(T *data, runtime::Extents shape, runtime::Extents strides = {},
         DLDevice device = {kDLCPU, 0})
      : shape(std::move(shape)), strides(std::move(strides)) {
    dl.data = data;
    dl.device = device;
    dl.dtype = toDL(dtypeOf<T>());
  }
  const DLTensor *get() {
    dl.ndim = int(shape.size());
    dl.shape = shape.data();
    dl.strides = strides.empty() ? nullptr : strides.data();
    return &dl;
  }
};

inline kern_value value(const DLTensor *tensor) {
  kern_value out = {KERN_VALUE_ARRAY, KERN_F64, {}};
  out.as.array = tensor;
  return out;
}
inline kern_value weak(int64_t number) {
  kern_value out = {KERN_VALUE_WEAK_INT, KERN_F64, {}};
  out.as.integer = number;
  return out;
}
inline kern_value weakFloat(double number) {
  kern_value out = {KERN_VALUE_WEAK_FLOAT, KERN_F64, {}};
  out.as.real = number;
  return out;
}
template <typename T> kern_value scalar(T number) {
  kern_value out = {KERN_VALUE_SCALAR, kern_dtype(dtypeOf<T>()), {}};
  std::memcpy(out.as.bits, &number, sizeof number);
  return out;
}

inline kern_call_request noOptions() {
  kern_call_request options = {};
  options.call.size = sizeof options;
  return options;
}
inline kern_call_request askingFor(kern_device device) {
  kern_call_request options = noOptions();
  options.call.has_device = 1;
  options.call.device = device;
  return options;
}
inline kern_call_request onTheHost() { return askingFor({kDLCPU, 0}); }
inline kern_call_request onTheGpu() { return askingFor({kDLCUDA, 0}); }

/// The elements of an array in C order.
template <typename T> std::vector<T> valuesOf(const DLTensor &tensor) {
  auto view = runtime::viewOf(&tensor, "result");
  EXPECT_TRUE(view);
  EXPECT_EQ(view->dtype, dtypeOf<T>());
  EXPECT_TRUE(runtime::isHost(view->device));
  std::vector<T> out(size_t(view->count()));
  runtime::Extents index(view->rank(), 0);
  for (T &element : out) {
    const std::byte *at = view->data;
    for (size_t d = 0; d < index.size(); ++d)
      at += index[d] * view->strides[d];
    std::memcpy(&element, at, sizeof element);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < view->shape[d])
        break;
      index[d] = 0;
    }
  }
  return out;
}

/// A module over FakeCode and calls of its functions.
class Caller {
public:
  Caller() : module(makeModule(makeFakeCode()), kern_module_release) {}

  kern_function *find(const char *name) {
    kern_function *function = nullptr;
    EXPECT_EQ(kern_module_find(module.get(), name, &function), KERN_OK);
    return function;
  }
  /// Results are kept until the next call.
  kern_status call(const char *name, std::vector<kern_value> inputs,
                   std::vector<const DLTensor *> outputs = {}) {
    kern_function *function = find(name);
    size_t count = kern_function_output_count(function);
    outputs.resize(count, nullptr);
    std::vector<DLManagedTensor *> made(count, nullptr);
    std::vector<runtime::ManagedArray> kept;
    kept.reserve(count);
    report.size = sizeof report;
    kern_status status = kern_call(function, inputs.data(), inputs.size(),
                                   outputs.data(), made.data(), count,
                                   options ? &options->call : nullptr, &report);
    for (DLManagedTensor *tensor : made)
      kept.emplace_back(tensor);
    results = std::move(kept);
    return status;
  }
  const DLTensor &result(size_t i = 0) { return results[i]->dl_tensor; }

  std::optional<kern_call_request> options;
  kern_call_report report = {};
  std::vector<runtime::ManagedArray> results;

private:
  std::unique_ptr<kern_module, void (*)(kern_module *)> module;
};

} // namespace kern::test
