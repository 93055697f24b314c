//===- SeveralGpus.h - arrays dealt over GPUs, in tests ---------*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#pragma once

#include "Faults.h"
#include "kern/sharded.h"

#include <memory>

namespace kern::test {

using Handle = std::unique_ptr<kern_sharded, decltype(&kern_sharded_release)>;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;

/// Elements of bool, of which there is no std::vector.
enum Truth : uint8_t { no, yes };
using Truths = std::vector<Truth>;
template <> inline runtime::DType dtypeOf<Truth>() {
  return runtime::DType::Bool;
}

inline Handle own(kern_sharded *made) { return {made, kern_sharded_release}; }

inline kern_device gpu(int number) { return {kDLCUDA, number}; }

template <typename T>
Handle scatter(std::vector<T> values, runtime::Extents shape,
               std::vector<kern_device> devices = {}) {
  kern_sharded *made = nullptr;
  EXPECT_EQ(kern_sharded_scatter(Tensor<T>(values.data(), shape).get(),
                                 devices.data(), devices.size(), &made),
            KERN_OK)
      << kern_last_error();
  return own(made);
}
template <typename T>
Handle replicate(std::vector<T> values, runtime::Extents shape) {
  kern_sharded *made = nullptr;
  EXPECT_EQ(kern_sharded_replicate(Tensor<T>(values.data(), shape).get(),
                                   nullptr, 0, &made),
            KERN_OK)
      << kern_last_error();
  return own(made);
}
template <typename T> std::vector<T> gathered(const Handle &array) {
  const DLTensor *form = kern_sharded_form(array.get());
  const runtime::Extents shape(form->shape, form->shape + form->ndim);
  size_t count = 1;
  for (int64_t extent : shape)
    count *= size_t(extent);
  std::vector<T> out(count);
  EXPECT_EQ(
      kern_sharded_gather(array.get(), Tensor<T>(out.data(), shape).get()),
      KERN_OK)
      << kern_last_error();
  return out;
}

inline kern_sharded_value of(const Handle &array) { return {array.get(), {}}; }
inline kern_sharded_value plain(kern_value value) { return {nullptr, value}; }
inline kern_value rangeOf(kern_range numbers) {
  static std::vector<std::unique_ptr<kern_range>> kept;
  kern_value out = {KERN_VALUE_RANGE, KERN_F64, {}};
  out.as.range = kept.emplace_back(std::make_unique<kern_range>(numbers)).get();
  return out;
}

struct Machine {
  FakeDriver driver{FakeDriver::Options{.devices = 3}};
};
class SeveralGpus : public testing::Test, public Machine {
protected:
  kern_status call(const char *name, std::vector<kern_sharded_value> inputs,
                   kern_sharded *output = nullptr) {
    made.reset();
    kern_sharded *result = nullptr;
    report.size = sizeof report;
    const kern_status status = kern_sharded_call(
        caller.find(name), inputs.data(), inputs.size(), &output, &result, 1,
        options ? &options->call : nullptr, &report);
    made = own(result);
    return status;
  }
  kern_status reduce(const char *name, const Handle &array,
                     std::vector<int64_t> axes,
                     std::optional<int64_t> initial = std::nullopt) {
    made.reset();
    driver.launches.clear();
    kern_call_request asked = options.value_or(noOptions());
    const kern_axes axis = {axes.data(), axes.size()};
    asked.axis = &axis;
    kern_sharded *result = nullptr;
    report.size = sizeof report;
    const kern_value begin = weak(initial.value_or(0));
    const kern_status status = kern_sharded_reduce(
        caller.find(name), array.get(), initial ? &begin : nullptr, &result,
        &asked.call, &report);
    made = own(result);
    return status;
  }
  void refused(kern_status expected, kern_status status, const char *what) {
    EXPECT_EQ(status, expected);
    EXPECT_NE(std::string(kern_last_error()).find(what), std::string::npos)
        << kern_last_error() << "\n"
        << what;
    EXPECT_EQ(made, nullptr);
  }
  /// The GPUs of the functions' launches so far, which forgets them.
  std::vector<int> launchedOn() {
    std::vector<int> out;
    for (const FakeLaunch &launch : driver.launches)
      if (!launch.symbol.starts_with("kern_copy_"))
        out.push_back(launch.device);
    driver.launches.clear();
    return out;
  }
  Caller caller;
  std::optional<kern_call_request> options;
  Handle made{nullptr, kern_sharded_release};
  kern_call_report report = {};
};

} // namespace kern::test
