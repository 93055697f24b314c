//===- WarpgroupsTest.cpp - which kernels are for sm_90a alone ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/JitSource.h"
#include "compiler/pipeline/Pipeline.h"

#include "gtest/gtest.h"

using namespace kern::compiler;
using namespace kern::runtime;

namespace {
constexpr const char *text = R"(
gufunc matmul(a: T[m, k], b: T[k, n]) -> (c: T[m, n]) where T in (f16, bf16):
    for i, j in prange(m, n):
        c[i, j] = T(sum(a[i, p] * b[p, j] for p in range(k)))
)";

class Warpgroups : public testing::Test {
protected:
  Warpgroups() {
    auto unit = std::make_unique<Unit>("test.kern", text);
    EXPECT_FALSE(unit->diagnostics.hasErrors());
    source.emplace(JitText{"test.kern", text}, std::move(unit));
  }
  /// The PTX of the kernel with tiles of so many columns.
  std::string ptx(size_t loop, unsigned columns, int capability) {
    const FunctionInfo &function = *source->manifest().find("matmul");
    KernelVariant wanted;
    wanted.form = Form::General;
    wanted.mapping = {.flat = true, .tile = columns};
    auto made = source->kernel(function, function.loops[loop], wanted,
                               {CodeTarget::Kind::Cuda, capability});
    EXPECT_TRUE(made) << made.error().message;
    return made ? *(*made)->ptx : "";
  }
  static bool has(const std::string &code, const char *part) {
    return code.find(part) != std::string::npos;
  }
  std::optional<JitSource> source;
};
} // namespace

TEST_F(Warpgroups, ComputeTheLargestTilesOfAnSm90) {
  const char *types[] = {"f32.f16.f16", "f32.bf16.bf16"};
  for (size_t loop = 0; loop < 2; ++loop) {
    std::string code = ptx(loop, 256, 90);
    EXPECT_TRUE(has(code, ".target sm_90a"));
    EXPECT_TRUE(has(code, ".version 8.0"));
    EXPECT_TRUE(has(code, ("wgmma.mma_async.sync.aligned.m64n256k16." +
                           std::string(types[loop]))
                              .c_str()));
    EXPECT_FALSE(has(code, "mma.sync"));
  }
}

TEST_F(Warpgroups, AreNotForOtherTilesOrGpus) {
  struct Row {
    unsigned columns;
    int capability;
    const char *target;
  };
  for (Row row : {Row{128, 90, ".target sm_90\n"},
                  {256, 80, ".target sm_80\n"},
                  {256, 89, ".target sm_89\n"},
                  {256, 100, ".target sm_100\n"}}) {
    std::string code = ptx(0, row.columns, row.capability);
    EXPECT_TRUE(has(code, row.target)) << row.columns;
    EXPECT_TRUE(has(code, "mma.sync"));
    EXPECT_FALSE(has(code, "wgmma"));
  }
}

// Files of sm_90 run on later GPUs too.
TEST_F(Warpgroups, AreNotForFiles) {
  PipelineOptions ofDevice({CodeTarget::Kind::Cuda, 90});
  EXPECT_TRUE(ofDevice.hasWarpgroups);
  EXPECT_FALSE(PipelineOptions(*ofDevice.target, "sm_90").hasWarpgroups);
}
