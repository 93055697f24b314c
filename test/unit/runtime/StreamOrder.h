//===- StreamOrder.h - calls on several streams of a double --- -*- C++ -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The double runs what is on a stream when it is waited for, and no earlier:
// without an order, a call finds what its arrays held before. It crashes where
// a stream is used that has ended.
//
//===----------------------------------------------------------------------===//
#pragma once

#include "GpuCaller.h"
#include "kern/streams.h"

namespace kern::test {

/// A stream of a test: the caller's own, or one that Kern knows of.
enum class Whose : uint8_t { Callers, Borrowed, Kerns };

class OneStream {
public:
  OneStream(FakeDriver &gpu, Whose whose) : gpu(gpu), whose(whose) {
    static uintptr_t next = 0x5000;
    if (whose != Whose::Kerns) {
      handle = reinterpret_cast<CUstream>(++next);
      gpu.streams.create(handle);
    }
    if (whose == Whose::Kerns)
      EXPECT_EQ(kern_stream_new({kDLCUDA, 0}, &object), KERN_OK);
    else if (whose == Whose::Borrowed)
      EXPECT_EQ(kern_stream_borrow({kDLCUDA, 0}, handle, &object), KERN_OK);
    if (whose == Whose::Kerns)
      handle = static_cast<CUstream>(kern_stream_handle(object));
  }
  OneStream(const OneStream &) = delete;
  OneStream &operator=(const OneStream &) = delete;
  ~OneStream() { end(); }
  void end() {
    if (!handle)
      return;
    kern_stream_release(object);
    if (whose != Whose::Kerns)
      gpu.streams.destroy(handle);
    handle = nullptr;
  }
  /// Another stream with the same handle.
  void endAndBeginAnew() {
    CUstream same = handle;
    end();
    gpu.streams.create(handle = same);
    object = nullptr;
    whose = Whose::Callers;
  }
  CUstream get() const { return handle; }

private:
  FakeDriver &gpu;
  Whose whose;
  CUstream handle = nullptr;
  kern_stream *object = nullptr;
};

class StreamOrder : public testing::TestWithParam<Whose>,
                    public WithGpu,
                    public Caller {
protected:
  StreamOrder() { options = onTheGpu(); }
  runtime::ManagedArray device(std::vector<float> values) {
    DLManagedTensor *copy = nullptr;
    EXPECT_EQ(kern_array_copy(
                  Tensor<float>(values.data(), {int64_t(values.size())}).get(),
                  {kDLCUDA, 0}, &copy),
              KERN_OK);
    return runtime::ManagedArray(copy);
  }
  /// x + 1, on a stream.
  runtime::ManagedArray add(CUstream stream, const runtime::ManagedArray &x) {
    options->call.stream = stream;
    EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}), KERN_OK)
        << kern_last_error();
    runtime::ManagedArray made = std::move(results.front());
    results.clear();
    return made;
  }
  void addInto(CUstream stream, const runtime::ManagedArray &x,
               const runtime::ManagedArray &out) {
    options->call.stream = stream;
    EXPECT_EQ(call("add", {value(&x->dl_tensor), weak(1)}, {&out->dl_tensor}),
              KERN_OK)
        << kern_last_error();
  }
  /// What the memory holds now, without waiting.
  std::vector<float> now(const runtime::ManagedArray &array) {
    auto *at = gpu.at<float>(
        int64_t(reinterpret_cast<uintptr_t>(array->dl_tensor.data)));
    return {at, at + array->dl_tensor.shape[0]};
  }
  using Floats = std::vector<float>;
};

} // namespace kern::test
