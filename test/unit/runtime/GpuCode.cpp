//===- GpuCode.cpp - what tests on a real GPU call ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "GpuCode.h"

using namespace kern::runtime;
using namespace kern::test;

static std::string addArtefact() {
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

ModulePointer kern::test::loadAdd() {
  std::string text = addArtefact();
  kern_module *module = nullptr;
  EXPECT_EQ(kern_load_text(text.data(), text.size(), &module), KERN_OK)
      << kern_last_error();
  return ModulePointer(module, kern_module_release);
}

ManagedArray kern::test::newOnDevice(std::vector<float> values) {
  DLManagedTensor *copy = nullptr;
  Tensor<float> tensor(values.data(), {int64_t(values.size())});
  EXPECT_EQ(kern_array_copy(tensor.get(), {kDLCUDA, 0}, &copy), KERN_OK);
  return ManagedArray(copy);
}

std::vector<float> kern::test::onHost(const DLTensor &tensor) {
  DLManagedTensor *copy = nullptr;
  EXPECT_EQ(kern_array_copy(&tensor, {kDLCPU, 0}, &copy), KERN_OK);
  return valuesOf<float>(ManagedArray(copy)->dl_tensor);
}
