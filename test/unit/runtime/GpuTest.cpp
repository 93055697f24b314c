//===- GpuTest.cpp - the runtime on a real GPU ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the driver's double cannot show: that the generated copy kernels
// compute, that transfers and memory pools work. Skipped without a GPU.
//
//===----------------------------------------------------------------------===//

#include "Arrays.h"
#include "runtime/array/HostCopy.h"
#include "runtime/device/cuda/Memory.h"
#include "runtime/device/cuda/Platform.h"
#include "runtime/transfer/Copy.h"

#include <bit>
#include <cmath>
#include <dlfcn.h>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>
#include <unistd.h>

using namespace kern;
using namespace kern::test;

namespace {
class Gpu : public testing::Test {
protected:
  void SetUp() override {
    auto platform = cuda::Platform::current();
    if (platform->deviceCount() == 0)
      GTEST_SKIP() << "no GPU: " << platform->unavailableReason();
    auto opened = platform->context(0);
    ASSERT_TRUE(opened) << opened.error().message;
    context = *opened;
  }

  StridedView onDevice(DType dtype, Extents shape, Extents strides,
                       size_t bytes, std::shared_ptr<void> &owner) {
    auto memory = cuda::allocateOrdered(context, bytes, nullptr);
    EXPECT_TRUE(memory);
    owner = *memory;
    return {dtype, static_cast<std::byte *>(owner.get()), context->device(),
            std::move(shape), std::move(strides)};
  }
  std::shared_ptr<cuda::Context> context;
};

/// Values around every limit of every type, and random bits.
std::vector<double> specialNumbers() {
  std::vector<double> out = {0.0,
                             -0.0,
                             0.5,
                             -0.5,
                             1,
                             -1,
                             1.5,
                             2.5,
                             1e-30,
                             1e-45,
                             65504,
                             65519.99,
                             65520,
                             1e300,
                             -1e300,
                             std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()};
  for (int bits : {7, 8, 15, 16, 31, 32, 63, 64})
    for (double delta : {-1.0, -0.5, 0.0, 0.5, 1.0})
      for (double sign : {1.0, -1.0})
        out.push_back(sign * (std::ldexp(1, bits) + delta));
  std::mt19937_64 random(6);
  for (int i = 0; i < 2000; ++i) {
    out.push_back(std::bit_cast<double>(random()));
    out.push_back(double(std::bit_cast<float>(uint32_t(random()))));
    out.push_back(std::ldexp(double(random() >> 11), int(random() % 40) - 70));
  }
  return out;
}

bool isNaN(const Value &value, DType type) {
  Value wide = convertValue(value, type, DType::F64);
  double number;
  std::memcpy(&number, wide.data(), sizeof number);
  return isFloat(type) && std::isnan(number);
}
} // namespace

// Bit for bit what the host's conversion gives (NaN's payload aside).
TEST_F(Gpu, ConvertsAsTheHost) {
  std::vector<double> numbers = specialNumbers();
  int64_t n = int64_t(numbers.size());
  StridedView wide = {DType::F64,
                      reinterpret_cast<std::byte *>(numbers.data()),
                      hostDevice(),
                      {n},
                      {8}};
  for (unsigned f = 0; f < dtypeCount; ++f)
    for (unsigned t = 0; t < dtypeCount; ++t) {
      DType from = DType(f), to = DType(t);
      if (isComplex(from) && !isComplex(to))
        continue;
      int64_t sizeFrom = int64_t(itemSize(from)),
              sizeTo = int64_t(itemSize(to));
      std::vector<std::byte> source(size_t(n * sizeFrom)),
          expected(size_t(n * sizeTo)), got(expected.size());
      StridedView host = {from, source.data(), hostDevice(), {n}, {sizeFrom}};
      copyOnHost(host, wide);
      StridedView want = {to, expected.data(), hostDevice(), {n}, {sizeTo}};
      copyOnHost(want, host);
      std::shared_ptr<void> ownerA, ownerB;
      StridedView a = onDevice(from, {n}, {sizeFrom}, source.size(), ownerA);
      StridedView b = onDevice(to, {n}, {sizeTo}, expected.size(), ownerB);
      StridedView back = want;
      back.data = got.data();
      ASSERT_TRUE(copyWithDevice(context, nullptr, a, host));
      Status status = copyWithDevice(context, nullptr, b, a);
      ASSERT_TRUE(status) << status.error().message;
      status = copyWithDevice(context, nullptr, back, b);
      ASSERT_TRUE(status) << status.error().message;
      int wrong = 0;
      for (int64_t i = 0; i < n; ++i) {
        Value x = {}, y = {};
        std::memcpy(x.data(), &expected[size_t(i * sizeTo)], size_t(sizeTo));
        std::memcpy(y.data(), &got[size_t(i * sizeTo)], size_t(sizeTo));
        DType part = to == DType::C64    ? DType::F32
                     : to == DType::C128 ? DType::F64
                                         : to;
        if (x != y && !(isNaN(x, part) && isNaN(y, part)) && ++wrong < 4)
          ADD_FAILURE() << name(from) << " to " << name(to) << " of "
                        << numbers[size_t(i)];
      }
      EXPECT_EQ(wrong, 0) << name(from) << " to " << name(to);
    }
}

TEST_F(Gpu, StridedCopies) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Extents shape(1 + random() % 8);
    for (int64_t &extent : shape)
      extent = 1 + int64_t(random() % 5);
    std::vector<unsigned> axes(shape.size());
    std::iota(axes.begin(), axes.end(), 0u);
    auto anyStrides = [&](size_t size) {
      std::shuffle(axes.begin(), axes.end(), random);
      Extents strides = packedStrides(shape, axes, size * (1 + random() % 3));
      return strides;
    };
    static constexpr DType types[] = {DType::U8, DType::I16, DType::F32,
                                      DType::F64, DType::C128};
    DType type = types[random() % 5];
    size_t size = itemSize(type);
    Extents sa = anyStrides(size), sb = anyStrides(size);
    auto bytesOf = [&](const Extents &strides) {
      size_t bytes = size;
      for (size_t d = 0; d < shape.size(); ++d)
        bytes += size_t((shape[d] - 1) * strides[d]);
      return bytes;
    };
    std::vector<std::byte> source(bytesOf(sa)), target(bytesOf(sb)),
        back(bytesOf(sa));
    for (std::byte &b : source)
      b = std::byte(random());
    std::shared_ptr<void> ownerA, ownerB;
    StridedView a = onDevice(type, shape, sa, source.size(), ownerA);
    StridedView b = onDevice(type, shape, sb, target.size(), ownerB);
    StridedView hostA = {type, source.data(), hostDevice(), shape, sa};
    StridedView hostB = {type, back.data(), hostDevice(), shape, sa};
    ASSERT_TRUE(copyWithDevice(context, nullptr, a, hostA));
    ASSERT_TRUE(copyWithDevice(context, nullptr, b, a));
    ASSERT_TRUE(copyWithDevice(context, nullptr, hostB, b));
    auto x = copyOnHost(hostA), y = copyOnHost(hostB);
    ASSERT_TRUE(x && y);
    ASSERT_EQ(std::memcmp((*x)->dl_tensor.data, (*y)->dl_tensor.data,
                          size_t(hostA.count()) * size),
              0);
  }
}

// An artefact as a compiled file holds it, with a kernel written by hand after
// docs/kernel-abi.md.
namespace {
/// A compiled file with `add`, of f32, written by hand.
std::string addArtefact() {
  Manifest manifest;
  manifest.target = {"nvptx", "sm_75"};
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
    kern_call_report report;
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
  kern_device_info info;
  ASSERT_EQ(kern_device_describe({kDLCUDA, 0}, &info), KERN_OK);
  auto large = cuda::allocateOrdered(context, info.memory * 2, nullptr);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().status, KERN_ERROR_MEMORY);
  // What the pool kept is given back to whoever needs it.
  {
    auto half =
        cuda::allocateOrdered(context, info.memory_free * 6 / 10, nullptr);
    ASSERT_TRUE(half) << half.error().message;
  }
  auto other = cuda::allocate(context, info.memory_free * 6 / 10);
  EXPECT_TRUE(other) << other.error().message;
}
