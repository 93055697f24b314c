//===- VariantsTest.cpp - kernels for arrays of other types ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The conversions that a kernel makes on the way are those of
// runtime/array/Convert.h, which are tested against NumPy's.
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/JitSource.h"
#include "runtime/array/Convert.h"

#include "gtest/gtest.h"

#include <cstring>
#include <random>

using namespace kern::compiler;
using namespace kern::runtime;

namespace {
/// A function that returns its argument, for each type.
constexpr const char *text = R"(
ufunc same(a: T) -> T where T in (bool, i8, u8, i16, u16, i32, u32, i64, u64,
        f16, bf16, f32, f64, c64, c128):
    return a

ufunc add(a: T, b: T) -> T where T in (f32, f64):
    return a + b
)";

class Variants : public testing::Test {
protected:
  Variants() {
    auto unit = std::make_unique<Unit>("test.kern", text);
    EXPECT_FALSE(unit->diagnostics.hasErrors())
        << unit->diagnostics.renderText();
    source.emplace(JitText{"test.kern", text}, std::move(unit));
  }

  std::shared_ptr<const KernelCode> kernel(const char *name, DType type,
                                           const KernelVariant &variant,
                                           CodeTarget target) {
    const FunctionInfo &function = *source->manifest().find(name);
    for (const LoopInfo &loop : function.loops) {
      if (loop.outputs[0] != type)
        continue;
      auto made = source->kernel(function, loop, variant, target);
      EXPECT_TRUE(made) << made.error().message;
      return made ? *made : nullptr;
    }
    ADD_FAILURE() << "no loop of " << name << " gives "
                  << kern::runtime::name(type);
    return nullptr;
  }

  std::optional<JitSource> source;
};

/// Interesting bits of any type: small numbers, extremes, and anything.
std::vector<std::byte> values(DType type, size_t count) {
  std::mt19937_64 random(unsigned(type) + 1);
  size_t size = itemSize(type);
  std::vector<std::byte> out(count * size);
  const double known[] = {
      0,          1,         -1,       0.5,       -2.5,          127.5,
      255,        -129,      65504,    65520,     -32768.5,      3e9,
      -3e9,       1e19,      -1e19,    1e300,     1e-300,        6e-8,
      NAN,        -0.0,      INFINITY, -INFINITY, 1.00048828125, 2049,
      0x1p24 + 1, 0x1p53 + 2};
  for (size_t i = 0; i < count; ++i) {
    Value value = {};
    if (i < std::size(known)) {
      std::memcpy(value.data(), &known[i], sizeof known[i]);
      value = convertValue(value, DType::F64, type);
    } else {
      for (std::byte &byte : value)
        byte = std::byte(random());
      if (type == DType::Bool)
        value[0] &= std::byte(1);
    }
    std::memcpy(out.data() + i * size, value.data(), size);
  }
  return out;
}

bool isNan(const std::byte *at, DType type) {
  Value value = {}, wide;
  std::memcpy(value.data(), at, itemSize(type));
  wide = convertValue(value, type, DType::F64);
  double number;
  std::memcpy(&number, wide.data(), sizeof number);
  return std::isnan(number);
}
} // namespace

// Each type to each, as the argument of one loop and the result of another.
TEST_F(Variants, ConvertAsTheRuntimeDoes) {
  constexpr size_t blocks = 8;
  for (unsigned from = 0; from < dtypeCount; ++from)
    for (unsigned to = 0; to < dtypeCount; ++to) {
      auto a = DType(from), b = DType(to);
      if (a == b || (isComplex(a) && !isComplex(b)))
        continue;
      DType loop = (from + to) % 2 ? a : b;
      auto code = kernel("same", loop, {Form::Contiguous, false, {a, b}}, {});
      ASSERT_TRUE(code && code->entry);
      size_t block = code->kernel.elements, count = blocks * block;
      std::vector<std::byte> in = values(a, count), out(count * itemSize(b)),
                             right = out;
      convertLoop(a, b)(int64_t(count), in.data(), int64_t(itemSize(a)),
                        right.data(), int64_t(itemSize(b)));
      int64_t words[] = {int64_t(blocks),
                         int64_t(reinterpret_cast<uintptr_t>(in.data())),
                         int64_t(block * itemSize(a)),
                         int64_t(reinterpret_cast<uintptr_t>(out.data())),
                         int64_t(block * itemSize(b))};
      code->entry(words);
      DType part = b == DType::C64    ? DType::F32
                   : b == DType::C128 ? DType::F64
                                      : b;
      size_t size = itemSize(part);
      for (size_t at = 0; at < out.size(); at += size) {
        const std::byte *got = out.data() + at, *wanted = right.data() + at;
        bool bothNan = isFloat(part) && isNan(got, part) && isNan(wanted, part);
        ASSERT_TRUE(bothNan || std::memcmp(got, wanted, size) == 0)
            << name(a) << " to " << name(b) << " element " << at / itemSize(b);
      }
    }
}

static size_t countOf(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
    ++count;
  return count;
}

// One kernel reads the arrays' own types, with accesses as wide as the widest
// allows, and converts them: i16 and f32 to f64 and back to f32.
TEST_F(Variants, OfPtx) {
  CodeTarget hopper = {CodeTarget::Kind::Cuda, 90};
  KernelVariant variant = {
      Form::Contiguous, true, {DType::I16, DType::F32, DType::F32}};
  auto code = kernel("add", DType::F64, variant, hopper);
  ASSERT_TRUE(code);
  EXPECT_EQ(code->kernel.symbol.rfind("add__f64_f64_of_i16_f32_f32__", 0), 0u)
      << code->kernel.symbol;
  EXPECT_EQ(code->kernel.alignment, 16u) << "four elements of f32";
  const std::string &ptx = *code->ptx;
  EXPECT_GE(countOf(ptx, "v4.b32") + countOf(ptx, "v2.b64"), 2u) << ptx;
  EXPECT_GE(countOf(ptx, "cvt.rn.f64.s16") + countOf(ptx, "cvt.rn.f64.s32"), 4u)
      << ptx;
  EXPECT_EQ(countOf(ptx, "div."), 0u) << ptx;
  // Beside one that takes its own types, and one behind a mask.
  auto plain = kernel("add", DType::F64, {Form::Contiguous, true}, hopper);
  variant.masked = true;
  auto masked = kernel("add", DType::F64, variant, hopper);
  ASSERT_TRUE(plain && masked);
  EXPECT_EQ(countOf(*plain->ptx, "cvt.rn.f64"), 0u);
  EXPECT_EQ(countOf(*masked->ptx, ".param .u64"),
            countOf(ptx, ".param .u64") + 1);
}

// A nest is not of one device, and says how many kernels there are for the
// phases of a body. A loop that nothing needs goes for all devices.
TEST(Phases, AreThoseOfTheNest) {
  constexpr const char *body = R"(
gufunc f(a: f32[m], b: f32[k, n]) -> (y: f16[3]):
    unread = zeros(m, f32)
    for i in prange(0, m):
        unread[i] = a[i] * a[i] - b[0, i % n] * a[i]
    for j in prange(3):
        v = -(f16(2) - f16(b[j % k, j % n]))
        if j % 3 != 1:
            y[j] = -v
)";
  auto unit = std::make_unique<Unit>("test.kern", body);
  ASSERT_FALSE(unit->diagnostics.hasErrors()) << unit->diagnostics.renderText();
  JitSource source(JitText{"test.kern", body}, std::move(unit));
  const FunctionInfo &function = source.manifest().functions[0];
  const LoopInfo &loop = function.loops[0];
  Expected<Nest> nest = source.nest(function, loop);
  ASSERT_TRUE(nest) << nest.error().message;
  EXPECT_TRUE(nest->phases.empty());
  for (unsigned phase = 1; phase <= nest->phases.size(); ++phase) {
    const KernelVariant wanted = {.form = Form::General,
                                  .mapping = {.flat = true, .phase = phase}};
    auto made =
        source.kernel(function, loop, wanted, {CodeTarget::Kind::Cuda, 90});
    ASSERT_TRUE(made) << made.error().message;
    EXPECT_EQ((*made)->kernel.mapping, wanted.mapping);
  }
}
