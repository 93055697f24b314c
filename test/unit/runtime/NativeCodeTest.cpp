//===- NativeCodeTest.cpp - code that was linked into the program ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/artefact/CpuLevel.h"
#include "runtime/artefact/Manifest.h"
#include "runtime/code/Artefact.h"

#include <cstring>
#include <gtest/gtest.h>
#include <kern/kern.hpp>

using namespace kern;
using namespace kern::runtime;

namespace {
constexpr unsigned elements = 8;

/// The contiguous form of `2 * x`, written by hand
/// (docs/explanation/kernel-abi.md).
void twice(const int64_t *words) {
  for (int64_t block = 0; block < words[0]; ++block) {
    const auto *x =
        reinterpret_cast<const float *>(words[1] + block * words[2]);
    auto *y = reinterpret_cast<float *>(words[3] + block * words[4]);
    for (unsigned i = 0; i < elements; ++i)
      y[i] = 2 * x[i];
  }
}

Manifest manifestOfTwice() {
  KernelInfo kernel;
  kernel.symbol = "twice__f32__contiguous";
  kernel.elements = elements;
  FunctionInfo function;
  function.name = "twice";
  function.parameters = {OperandInfo()};
  function.parameters[0].name = "x";
  function.results = {OperandInfo()};
  function.loops = {{{ArgType::typed(DType::F32)}, {DType::F32}, {kernel}, {}}};
  Manifest manifest;
  manifest.source = "twice.kern";
  manifest.target = {TargetKind::Host, "x86-64"};
  manifest.functions = {function};
  return manifest;
}

class NativeCode : public testing::Test {
protected:
  void refused(const char *what) {
    text = toJson(manifest);
    code.manifest = text.c_str();
    auto source = loadNative(code);
    ASSERT_FALSE(source);
    EXPECT_EQ(source.error().status, KERN_ERROR_ARTEFACT);
    EXPECT_NE(source.error().message.find(what), std::string::npos)
        << source.error().message;
  }

  Manifest manifest = manifestOfTwice();
  std::string text = toJson(manifest);
  kern_native_kernel kernels[1] = {{"twice__f32__contiguous", twice}};
  kern_native_code code = {KERN_NATIVE_VERSION, 1, text.c_str(), kernels};
};
} // namespace

TEST_F(NativeCode, IsCalledLikeAnyOther) {
  kern::Module module = kern::Module::load(code);
  std::vector<float> x(21);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = float(i) - 7;
  kern::Array y = module["twice"](x);
  ASSERT_EQ(y.span<float>().size(), x.size());
  for (size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(y.span<float>()[i], 2 * x[i]);
}

TEST_F(NativeCode, IsForTheCpuAlone) {
  auto source = loadNative(code);
  ASSERT_TRUE(source) << source.error().message;
  const FunctionInfo &f = (*source)->manifest().functions[0];
  auto kernel = (*source)->kernel(f, f.loops[0], {Form::Contiguous, false},
                                  {CodeTarget::Kind::Cuda, 90});
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().status, KERN_ERROR_ARTEFACT);
  EXPECT_NE(kernel.error().message.find("'twice.kern' is for the CPU"),
            std::string::npos)
      << kernel.error().message;
}

TEST_F(NativeCode, RefusesWhatItCannotRun) {
  manifest.target.arch = "x86-64-v9";
  refused("needs a CPU of level x86-64-v9");
  manifest.target = {TargetKind::Cuda, "sm_90"};
  refused("is for nvptx sm_90, not for a CPU");
  manifest = manifestOfTwice();
  kernels[0].symbol = "thrice";
  refused("has no kernel twice__f32__contiguous");
  code.kernels = nullptr;
  refused("is not what `kern compile --emit obj` makes");
  code.version = 77;
  refused("is of version 77");
}

TEST_F(NativeCode, RefusesWhatIsMissing) {
  kern_module *module = nullptr;
  EXPECT_EQ(kern_load_native(nullptr, &module), KERN_ERROR_ARGUMENT);
  EXPECT_EQ(kern_load_native(&code, nullptr), KERN_ERROR_ARGUMENT);
  code.manifest = "{";
  EXPECT_EQ(kern_load_native(&code, &module), KERN_ERROR_ARTEFACT);
  EXPECT_EQ(module, nullptr);
}

// Each level of the ABI has what those below it have.
TEST(CpuLevel, Order) {
  EXPECT_TRUE(cpuHasLevel("x86-64"));
  EXPECT_TRUE(cpuHasLevel(highestCpuLevel()));
  EXPECT_FALSE(cpuHasLevel("znver4"));
  bool below = true;
  for (std::string_view level : cpuLevels) {
    EXPECT_LE(cpuHasLevel(level), below) << level;
    below = cpuHasLevel(level);
  }
}
