//===- ExplanationTest.cpp - why operands are read as they are ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/plan/Explanation.h"

#include "gtest/gtest.h"

using namespace kern::runtime;

namespace {

/// An operand in memory; the last one of a launch is its output.
struct Given {
  DType dtype;
  Extents strides;
  uint64_t address = 4096;
  bool isScalar = false;
  Extents core = {};
};

constexpr DType f16 = DType::F16, f32 = DType::F32, f64 = DType::F64;

/// `shape` and strides outermost first, of operands x, y, z.
std::string explain(Form form, unsigned elements, Extents shape,
                    std::vector<Given> given, uint64_t across = 0,
                    unsigned alignment = 16) {
  KernelInfo kernel;
  kernel.form = form;
  kernel.elements = elements;
  kernel.alignment = alignment;
  std::vector<Extents> strides;
  for (const Given &g : given)
    strides.push_back(g.strides);
  Layout layout = planLayout(shape, strides);
  std::vector<KernelOperand> operands;
  for (const Given &g : given) {
    KernelOperand operand;
    operand.dtype = g.dtype;
    operand.isScalar = g.isScalar;
    operand.isOutput = &g == &given.back();
    operand.hasCore = !g.core.empty();
    operand.coreStrides = g.core;
    operand.data = reinterpret_cast<std::byte *>(g.address);
    operands.push_back(operand);
  }
  static const std::string labels[] = {"x", "y", "z"};
  return text(explainCuda(kernel, layout, operands, across), labels);
}

} // namespace

TEST(Explanation, Contiguous) {
  EXPECT_EQ(explain(Form::Contiguous, 4, {100}, {{f32, {4}}, {f32, {4}}}),
            "x: 16 bytes at a time\n"
            "y: 16 bytes at a time\n");
  // Chunks are of as many elements of each operand as fill 16 bytes of the
  // widest; a number is among the arguments.
  EXPECT_EQ(explain(Form::Contiguous, 2, {100},
                    {{f16, {2}}, {f64, {0}, 0, true}, {f64, {8}}}),
            "x: 4 bytes at a time; another operand's elements are wider\n"
            "y: by value\n"
            "z: 16 bytes at a time\n");
}

TEST(Explanation, AccessesOf32Bytes) {
  EXPECT_EQ(
      explain(Form::Contiguous, 4, {100}, {{f32, {4}}, {f64, {8}}}, 0, 32),
      "x: 16 bytes at a time; another operand's elements are wider\n"
      "y: 32 bytes at a time\n");
  // The contiguous kernel's were wider than the operands lie for.
  EXPECT_EQ(
      explain(Form::Inner, 4, {1000}, {{f32, {4}, 4096 + 16}, {f32, {4}}}),
      "not contiguous: x begins 16 bytes after a multiple of 32\n"
      "x: 16 bytes at a time\n"
      "y: 16 bytes at a time\n");
}

// A number's type counts only where the kernel has no path for numbers.
TEST(Explanation, ContiguousWithNumbers) {
  std::vector<Given> operands = {{f32, {4}}, {f64, {0}, 0, true}, {f32, {4}}};
  EXPECT_EQ(explain(Form::Contiguous, 8, {100}, operands),
            "x: 16 bytes at a time\n"
            "y: by value\n"
            "z: 16 bytes at a time\n");
  EXPECT_EQ(explain(Form::Contiguous, 2, {100}, operands),
            "x: 8 bytes at a time; another operand's elements are wider\n"
            "y: by value\n"
            "z: 8 bytes at a time; another operand's elements are wider\n");
  // From sm_100 on that path takes one access.
  EXPECT_EQ(explain(Form::Contiguous, 8, {100}, operands, 0, 32),
            "x: 32 bytes at a time\n"
            "y: by value\n"
            "z: 32 bytes at a time\n");
}

TEST(Explanation, Inner) {
  EXPECT_EQ(explain(Form::Inner, 4, {64, 32},
                    {{f32, {128, 4}}, {f32, {4, 0}}, {f32, {128, 4}}}),
            "not contiguous: y has stride 0 along the innermost dimension\n"
            "x: 16 bytes at a time\n"
            "y: 4 bytes at a time; one element serves a whole row\n"
            "z: 16 bytes at a time\n");
  EXPECT_EQ(explain(Form::Inner, 4, {64, 32},
                    {{f32, {128, 4}}, {f32, {0, 4}}, {f32, {128, 4}}}),
            "not contiguous: y is the same for 64 rows of 128 bytes\n"
            "x: 16 bytes at a time\n"
            "y: 16 bytes at a time\n"
            "z: 16 bytes at a time\n");
  // Half of each row; and an array that begins an element late.
  EXPECT_EQ(explain(Form::Inner, 4, {64, 32},
                    {{f32, {256, 4}}, {f32, {128, 4}, 4100}, {f32, {128, 4}}}),
            "not contiguous: x has rows of 128 bytes that begin 256 bytes "
            "apart\n"
            "x: 16 bytes at a time\n"
            "y: 4 bytes at a time; its rows do not begin at multiples of 16 "
            "bytes where the result's do\n"
            "z: 16 bytes at a time\n");
  // All begin late: chunks begin where the result's do.
  EXPECT_EQ(
      explain(Form::Inner, 4, {1000}, {{f32, {4}, 4100}, {f32, {4}, 4100}}),
      "not contiguous: x begins 4 bytes after a multiple of 16\n"
      "x: 16 bytes at a time\n"
      "y: 16 bytes at a time\n");
  // Reversed: the last element of 1000 lies at 4096 + 3996, the lowest of a
  // chunk at a multiple of 16.
  EXPECT_EQ(
      explain(Form::Inner, 4, {1000}, {{f32, {-4}, 4096 + 3996}, {f32, {4}}}),
      "not contiguous: x runs backwards\n"
      "x: 16 bytes at a time\n"
      "y: 16 bytes at a time\n");
  EXPECT_EQ(explain(Form::Inner, 4, {1000}, {{f32, {8}}, {f32, {4}}}),
            "not contiguous: x has its elements 8 bytes apart\n"
            "x: 4 bytes at a time; its elements lie 8 bytes apart\n"
            "y: 16 bytes at a time\n");
}

TEST(Explanation, TiledAndStrided) {
  EXPECT_EQ(explain(Form::Tiled, 64, {512, 512},
                    {{f32, {4, 2048}}, {f32, {2048, 4}}, {f32, {2048, 4}}}, 1),
            "not contiguous: x has its elements 2048 bytes apart\n"
            "x: 4 bytes at a time; it is transposed to the result: through "
            "shared memory\n"
            "y: 4 bytes at a time; tiles are taken element by element\n"
            "z: 4 bytes at a time; tiles are taken element by element\n");
  EXPECT_EQ(explain(Form::Strided, 4, {512, 3},
                    {{f32, {12, 4}}, {f32, {4, 0}}, {f32, {64, 16}}}),
            "not contiguous: y has stride 0 along the innermost dimension\n"
            "x: 4 bytes at a time; not all operands have rows for vectors\n"
            "y: 4 bytes at a time; it has stride 0 along the innermost "
            "dimension\n"
            "z: 4 bytes at a time; its elements lie 16 bytes apart\n");
}

TEST(Explanation, CoreDimensions) {
  EXPECT_EQ(explain(Form::General, 4, {100},
                    {{f32, {64}, 4096, false, {4}}, {f32, {4}}}),
            "x: 16 bytes at a time\n"
            "y: 4 bytes at a time; one element for each element of the loop\n");
  EXPECT_EQ(explain(Form::General, 4, {100},
                    {{f32, {60}, 4096, false, {4}},
                     {f32, {64}, 4096, false, {8}},
                     {f32, {4}}}),
            "x: 4 bytes at a time; its rows do not begin at multiples of 16 "
            "bytes\n"
            "y: 4 bytes at a time; its elements lie 8 bytes apart\n"
            "z: 4 bytes at a time; one element for each element of the loop\n");
  EXPECT_EQ(explain(Form::General, 1, {100},
                    {{f32, {64}, 4096, false, {4}}, {f32, {4}}}),
            "x: 4 bytes at a time; no reduction reads its elements side by "
            "side\n"
            "y: 4 bytes at a time; one element for each element of the loop\n");
}

TEST(Explanation, HostCores) {
  KernelInfo kernel;
  Layout layout = planLayout(Extents{4096}, std::vector<Extents>{{4}, {4}});
  std::vector<KernelOperand> operands(2);
  operands[0].dtype = operands[1].dtype = f32;
  operands[0].hasCore = true;
  operands[0].coreExtents = {100};
  operands[0].coreStrides = {4 * 4096};
  const std::string labels[] = {"x", "y"};
  auto explain = [&](Form form) {
    kernel.form = form;
    return text(explainHost(kernel, layout, operands, {}), labels);
  };
  EXPECT_EQ(explain(Form::Across),
            "x: 4 bytes at a time\n"
            "y: 4 bytes at a time; one element for each element of the loop\n");
  EXPECT_NE(explain(Form::General), explain(Form::Across))
      << "elements are apart";
}

TEST(Explanation, Host) {
  KernelInfo kernel;
  kernel.elements = 8;
  Layout layout = planLayout(Extents{30, 100},
                             std::vector<Extents>{{400, 4}, {4, 0}, {8, 240}});
  std::vector<KernelOperand> operands(3);
  for (KernelOperand &operand : operands)
    operand.dtype = f32;
  HostTiling tiling;
  tiling.walks = {HostWalk::Direct, HostWalk::Uniform, HostWalk::Packed};
  const std::string labels[] = {"x", "y", "z"};
  EXPECT_EQ(text(explainHost(kernel, layout, operands, tiling), labels),
            "not contiguous: y has stride 0 along the innermost dimension\n"
            "x: 32 bytes at a time\n"
            "y: 4 bytes at a time; one element serves a whole row\n"
            "z: 32 bytes at a time; through a buffer\n");
}
