//===- GpuTest.cpp - calls on a real GPU ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the driver's double cannot show: that a kernel by
// docs/explanation/kernel-abi.md, transfers, captures and memory pools work.
// Skipped without a GPU.
//
//===----------------------------------------------------------------------===//
#include "RealGpu.h"
#include "runtime/device/cuda/Memory.h"

#include <dlfcn.h>
#include <fstream>
#include <unistd.h>

using namespace kern::runtime;
using namespace kern::test;

namespace {
using Gpu = RealGpu;

/// A compiled file with `add`, of f32, by hand after
/// docs/explanation/kernel-abi.md.
std::string addArtefact() {
  Manifest manifest;
  manifest.target = {TargetKind::Cuda, "sm_75"};
  FunctionInfo f;
  f.name = "add";
  f.parameters.resize(2);
  f.parameters[0].name = "x";
  f.parameters[1].name = "y";
  f.results.resize(1);
  LoopInfo loop;
  loop.inputs = {ArgType::typed(DType::F32), ArgType::typed(DType::F32)};
  loop.outputs = {DType::F32};
  KernelInfo kernel;
  kernel.symbol = "add_f32";
  kernel.block = 128;
  kernel.alignment = 4;
  loop.kernels = {kernel};
  f.loops = {loop};
  manifest.functions = {f};
  std::string ptx = R"(.version 6.4
.target sm_75
.address_size 64
.visible .entry add_f32(.param .b64 p0, .param .b64 p1, .param .b64 p2,
    .param .b64 p3, .param .b64 p4, .param .b64 p5, .param .b64 p6)
{
  .reg .b64 %rd<12>;
  .reg .b32 %r<4>;
  .reg .f32 %f<4>;
  .reg .pred %p<2>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r3, %r0, %r1, %r2;
  cvt.u64.u32 %rd0, %r3;
  ld.param.b64 %rd1, [p0];
  setp.ge.s64 %p0, %rd0, %rd1;
  @%p0 ret;
  ld.param.b64 %rd2, [p1];
  ld.param.b64 %rd3, [p2];
  ld.param.b64 %rd5, [p4];
  ld.param.b32 %r1, [p5];
  ld.param.b64 %rd6, [p6];
  shl.b64 %rd7, %rd0, 2;
  add.s64 %rd3, %rd3, %rd7;
  add.s64 %rd5, %rd5, %rd7;
  add.s64 %rd6, %rd6, %rd7;
  ld.global.f32 %f0, [%rd3];
  and.b64 %rd2, %rd2, 2;
  setp.ne.s64 %p1, %rd2, 0;
  mov.b32 %f1, %r1;
  @!%p1 ld.global.f32 %f1, [%rd5];
  add.f32 %f2, %f0, %f1;
  st.global.f32 [%rd6], %f2;
  ret;
}
)";
  return embedManifest(manifest, ptx);
}

using ModulePointer = std::unique_ptr<kern_module, void (*)(kern_module *)>;
ModulePointer loadAdd() {
  std::string text = addArtefact();
  kern_module *module = nullptr;
  EXPECT_EQ(kern_load_text(text.data(), text.size(), &module), KERN_OK)
      << kern_last_error();
  return ModulePointer(module, kern_module_release);
}

/// A function of the driver that the library does not use.
template <typename Function> Function driverFunction(const char *name) {
  static void *library = dlopen("libcuda.so.1", RTLD_NOW);
  return reinterpret_cast<Function>(dlsym(library, name));
}

ManagedArray newOnDevice(std::vector<float> values) {
  DLManagedTensor *copy = nullptr;
  Tensor<float> tensor(values.data(), {int64_t(values.size())});
  EXPECT_EQ(kern_array_copy(tensor.get(), {kDLCUDA, 0}, &copy), KERN_OK);
  return ManagedArray(copy);
}
std::vector<float> onHost(const DLTensor &tensor) {
  DLManagedTensor *copy = nullptr;
  EXPECT_EQ(kern_array_copy(&tensor, {kDLCPU, 0}, &copy), KERN_OK);
  return valuesOf<float>(ManagedArray(copy)->dl_tensor);
}
} // namespace

TEST_F(Gpu, LoadsAndCallsAFile) {
  ModulePointer module = loadAdd();
  kern_function *add = kern_module_function_at(module.get(), 0);
  size_t n = 3000000;
  std::vector<float> a(n), b(n);
  for (size_t i = 0; i < n; ++i) {
    a[i] = float(i);
    b[i] = float(i % 7);
  }
  Tensor<float> x(a.data(), {int64_t(n)}), y(b.data(), {int64_t(n)});
  for (bool scalar : {false, true}) {
    kern_value inputs[] = {value(x.get()),
                           scalar ? weakFloat(0.5) : value(y.get())};
    DLManagedTensor *result = nullptr;
    kern_call_report report = {};
    report.size = sizeof report;
    ASSERT_EQ(kern_call(add, inputs, 2, nullptr, &result, 1, nullptr, &report),
              KERN_OK)
        << kern_last_error();
    ManagedArray owner(result);
    EXPECT_STREQ(report.kernel, "add_f32");
    auto got = valuesOf<float>(result->dl_tensor);
    for (size_t i = 0; i < n; ++i)
      ASSERT_EQ(got[i], a[i] + (scalar ? 0.5f : b[i]));
  }
  EXPECT_EQ(kern_synchronize({kDLCUDA, 0}), KERN_OK) << kern_last_error();
}

TEST_F(Gpu, CapturesARepeatedCall) {
  auto create = driverFunction<decltype(&cuStreamCreate)>("cuStreamCreate");
  auto begin = driverFunction<CUresult (*)(CUstream, CUstreamCaptureMode)>(
      "cuStreamBeginCapture_v2");
  auto end =
      driverFunction<decltype(&cuStreamEndCapture)>("cuStreamEndCapture");
  auto instantiate =
      driverFunction<CUresult (*)(CUgraphExec *, CUgraph, unsigned long long)>(
          "cuGraphInstantiateWithFlags");
  auto launch = driverFunction<decltype(&cuGraphLaunch)>("cuGraphLaunch");
  auto destroyGraph =
      driverFunction<decltype(&cuGraphDestroy)>("cuGraphDestroy");
  auto destroyExec =
      driverFunction<decltype(&cuGraphExecDestroy)>("cuGraphExecDestroy");
  auto destroyStream =
      driverFunction<CUresult (*)(CUstream)>("cuStreamDestroy_v2");
  cuda::ContextScope scope(*context);
  CUstream stream = nullptr;
  ASSERT_EQ(create(&stream, CU_STREAM_NON_BLOCKING), CUDA_SUCCESS);
  ModulePointer module = loadAdd();
  kern_function *add = kern_module_function_at(module.get(), 0);
  ManagedArray x = newOnDevice({1, 2, 3}), out = newOnDevice({0, 0, 0});
  kern_value inputs[] = {value(&x->dl_tensor), weakFloat(0.5)};
  const DLTensor *place = &out->dl_tensor;
  kern_call_request options = noOptions();
  options.call.stream = stream;
  auto call = [&] {
    return kern_call(add, inputs, 2, &place, nullptr, 1, &options.call,
                     nullptr);
  };
  ASSERT_EQ(call(), KERN_OK) << kern_last_error();
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  ASSERT_EQ(begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL), CUDA_SUCCESS);
  // The second call reads what the first writes.
  EXPECT_EQ(call(), KERN_OK) << kern_last_error();
  inputs[0] = value(&out->dl_tensor);
  EXPECT_EQ(call(), KERN_OK) << kern_last_error();
  ASSERT_EQ(end(stream, &graph), CUDA_SUCCESS);
  ASSERT_EQ(instantiate(&executable, graph, 0), CUDA_SUCCESS);
  for (float start : {1.0f, 10.0f}) {
    std::vector<float> fresh = {start, start, start};
    ASSERT_EQ(kern_array_assign(&x->dl_tensor,
                                Tensor<float>(fresh.data(), {3}).get()),
              KERN_OK);
    ASSERT_EQ(launch(executable, stream), CUDA_SUCCESS);
    EXPECT_EQ(kern_synchronize({kDLCUDA, 0}), KERN_OK);
    EXPECT_EQ(onHost(out->dl_tensor), std::vector<float>(3, start + 1));
  }
  destroyExec(executable);
  destroyGraph(graph);
  destroyStream(stream);
}

TEST_F(Gpu, MemoryDoesNotGrowOverManyCalls) {
  ModulePointer module = loadAdd();
  kern_function *add = kern_module_function_at(module.get(), 0);
  ManagedArray x = newOnDevice(std::vector<float>(5000, 1)),
               out = newOnDevice(std::vector<float>(5000, 0));
  auto resident = [] {
    std::ifstream file("/proc/self/statm");
    long size = 0, pages = 0;
    file >> size >> pages;
    return pages * sysconf(_SC_PAGESIZE);
  };
  auto calls = [&](int count) {
    for (int i = 0; i < count; ++i) {
      Tensor<float> part(static_cast<float *>(x->dl_tensor.data),
                         {i % 3 ? 100 : 1 + i % 5000}, {}, {kDLCUDA, 0});
      kern_value inputs[] = {value(part.get()), weak(i)};
      Tensor<float> target(static_cast<float *>(out->dl_tensor.data),
                           part.shape, {}, {kDLCUDA, 0});
      const DLTensor *place = i % 2 ? target.get() : nullptr;
      DLManagedTensor *made = nullptr;
      ASSERT_EQ(kern_call(add, inputs, 2, &place, &made, 1, nullptr, nullptr),
                KERN_OK)
          << kern_last_error();
      ManagedArray owner(made);
    }
    ASSERT_EQ(kern_synchronize({kDLCUDA, 0}), KERN_OK);
  };
  auto free = [] {
    kern_device_info info = {};
    info.size = sizeof info;
    EXPECT_EQ(kern_device_describe({kDLCUDA, 0}, &info), KERN_OK);
    return info.memory_free;
  };
  calls(20000);
  long before = resident();
  uint64_t freeBefore = free();
  calls(200000);
  EXPECT_LT(resident() - before, 8 << 20);
  EXPECT_GE(free() + (8 << 20), freeBefore);
}

TEST_F(Gpu, RunsOutOfMemoryAndOn) {
  kern_device_info info = {};
  info.size = sizeof info;
  ASSERT_EQ(kern_device_describe({kDLCUDA, 0}, &info), KERN_OK);
  auto large = cuda::allocateOrdered(context, info.memory * 2, nullptr);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().status, KERN_ERROR_MEMORY);
  // Memory that the pool kept is returned when it is needed.
  {
    auto half =
        cuda::allocateOrdered(context, info.memory_free * 6 / 10, nullptr);
    ASSERT_TRUE(half) << half.error().message;
  }
  auto other = cuda::allocate(context, info.memory_free * 6 / 10);
  EXPECT_TRUE(other) << other.error().message;
}
