//===- CaptureTest.cpp - calls on a stream that is captured ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GpuCaller.h"

using namespace kern::runtime;
using namespace kern::test;

namespace {
class Capture : public GpuCaller {
protected:
  Capture() { options->call.stream = &stream; }
  void begin() {
    gpu.captured = &stream;
    gpu.calls.clear();
    gpu.launches.clear();
  }
  void end() { gpu.captured = nullptr; }

  /// The call is refused while the stream is captured, enqueues nothing, and
  /// works afterwards.
  void refused(const std::vector<kern_value> &inputs, const char *what,
               const std::vector<const DLTensor *> &outputs = {}) {
    begin();
    EXPECT_EQ(call("add", inputs, outputs), KERN_ERROR_ARGUMENT);
    std::string message = kern_last_error();
    EXPECT_NE(message.find(what), std::string::npos) << message;
    EXPECT_NE(message.find("being captured"), std::string::npos) << message;
    EXPECT_TRUE(gpu.launches.empty());
    for (const char *copy :
         {"cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync", "cuMemcpyDtoDAsync",
          "cuMemsetD8Async", "cuEventRecord", "cuMemAllocFromPoolAsync"})
      EXPECT_EQ(gpu.calls[copy], 0) << copy;
    end();
    for (int i = 0; i < 3; ++i) // more often than staging has chunks
      ASSERT_EQ(call("add", inputs, outputs), KERN_OK) << kern_last_error();
  }

  int stream = 0;
  std::vector<float> host = {10, 20, 30};
  Tensor<float> onHost{host.data(), {3}};
};
} // namespace

TEST_F(Capture, RefusesAnInputOfTheHost) {
  refused({value(onHost.get()), weak(1)}, "argument 1 (`x`) is on cpu");
  EXPECT_EQ(valuesOf<float>(result()), (std::vector<float>{11, 21, 31}));
  std::vector<float> there(3);
  Tensor<float> out(there.data(), {3});
  // Nothing is converted either before the refusal.
  refused({value(onHost.get()), scalar<double>(0.5)},
          "argument 1 (`x`) is on cpu", {out.get()});
  EXPECT_EQ(there, (std::vector<float>{10.5, 20.5, 30.5}));
}

TEST_F(Capture, RefusesAResultOfTheHost) {
  refused({scalar<float>(1), weak(1)}, "result 1 is on cpu",
          {Tensor<float>(host.data() + 1, {}).get()});
  EXPECT_EQ(host, (std::vector<float>{10, 2, 30}));
}

TEST_F(Capture, RefusesNewResultsOfTheHost) {
  refused({weak(1), weak(2)}, "result 1 is brought to the host");
}

TEST_F(Capture, RefusesAMaskOfTheHost) {
  ManagedArray x = device({1, 2, 3}), out = device({0, 0, 0});
  bool truth = true;
  Tensor<bool> mask(&truth, {});
  options->where = mask.get();
  refused({value(&x->dl_tensor), weak(1)}, "`where` is on cpu",
          {&out->dl_tensor});
  EXPECT_EQ(hostValues<float>(out->dl_tensor), (std::vector<float>{2, 3, 4}));
}

// Numbers and arrays without dimensions are taken by value; all else is there.
TEST_F(Capture, TakesArraysOfTheDevice) {
  ManagedArray x = device({1, 2, 3}), out = device({0, 0, 0});
  float one = 5;
  Tensor<float> element(&one, {});
  begin();
  EXPECT_EQ(call("add", {value(&x->dl_tensor), value(element.get())},
                 {&out->dl_tensor}),
            KERN_OK)
      << kern_last_error();
  EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK)
      << kern_last_error();
  EXPECT_EQ(kernelLaunches().size(), 2u);
  results.clear();
  end();
  EXPECT_EQ(hostValues<float>(out->dl_tensor), (std::vector<float>{6, 7, 8}));
}
