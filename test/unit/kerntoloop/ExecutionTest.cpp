//===- ExecutionTest.cpp - lowered functions against NumPy ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//

#include "dialects/KernToLoop/KernToLoop.h"
#include "test/unit/kerntoloop/ExpectedCases.h"
#include "test/unit/kerntoloop/Jit.h"
#include "test/unit/kerntoloop/TypedFunctions.h"

#include <gtest/gtest.h>

#include <cstring>
#include <optional>
#include <set>

namespace kern::test {

using namespace ir;
using namespace runtime;

static uint64_t wordOf(const Slot &slot, size_t byte, size_t size) {
  uint64_t word = 0;
  std::memcpy(&word, slot.bytes + byte, size);
  return word;
}

static bool agreesFloat(uint64_t a, uint64_t b, DType type, unsigned ulp) {
  unsigned width = unsigned(itemSize(type)) * 8;
  unsigned mantissa = type == DType::F16    ? 10
                      : type == DType::BF16 ? 7
                      : type == DType::F32  ? 23
                                            : 52;
  uint64_t sign = uint64_t(1) << (width - 1);
  uint64_t infinity = (sign - 1) >> mantissa << mantissa;
  bool nanA = (a & (sign - 1)) > infinity, nanB = (b & (sign - 1)) > infinity;
  if (nanA || nanB)
    return nanA && nanB;
  if (a == b)
    return true;
  if (ulp == 0)
    return false;
  // On the line of all floats a step is an ULP; both zeros are its middle.
  auto place = [&](uint64_t bits) {
    return bits & sign ? -int64_t(bits & (sign - 1)) : int64_t(bits);
  };
  int64_t distance = place(a) - place(b);
  return distance <= int64_t(ulp) && distance >= -int64_t(ulp) &&
         // Neither zeros of other signs nor an infinity for a number.
         (a ^ b) != sign &&
         ((a & (sign - 1)) == infinity) == ((b & (sign - 1)) == infinity);
}

static bool agrees(const Slot &a, const Slot &b, DType type, unsigned ulp) {
  size_t size = itemSize(type);
  if (isFloat(type))
    return agreesFloat(wordOf(a, 0, size), wordOf(b, 0, size), type, ulp);
  if (isComplex(type)) {
    DType part = type == DType::C64 ? DType::F32 : DType::F64;
    for (size_t at : {size_t(0), size / 2})
      if (!agreesFloat(wordOf(a, at, size / 2), wordOf(b, at, size / 2), part,
                       ulp))
        return false;
    return true;
  }
  return wordOf(a, 0, size) == wordOf(b, 0, size);
}

static std::string show(const Slot &slot, DType type) {
  std::string hex = std::string(name(type)) + ":";
  for (size_t at = itemSize(type); at-- > 0;) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", slot.bytes[at]);
    hex += digits;
  }
  return hex;
}

/// One compilation serves all the tests.
class Execution : public testing::TestWithParam<std::string> {
protected:
  static void SetUpTestSuite() {
    context = makeContext();
    mlir::OwningOpRef<mlir::ModuleOp> module(
        mlir::ModuleOp::create(mlir::UnknownLoc::get(context.get())));
    for (const ExpectedCase &test : expectedCases()) {
      FuncOp typed = addTypedFunction(*module, test.signature(), test.function,
                                      test.inputs, test.outputs);
      mlir::OpBuilder builder(typed);
      // A function that is not lowered fails in its own test.
      (void)lowerToLoop(typed, builder);
      typed.erase();
    }
    jit = Jit::compile(*module);
  }
  static void TearDownTestSuite() {
    jit.reset();
    context.reset();
  }
  static std::unique_ptr<mlir::MLIRContext> context;
  static std::unique_ptr<Jit> jit;

  void check(const ExpectedCase &test);
};

std::unique_ptr<mlir::MLIRContext> Execution::context;
std::unique_ptr<Jit> Execution::jit;

void Execution::check(const ExpectedCase &test) {
  Jit::Entry entry = jit->lookup(test.signature());
  ASSERT_TRUE(entry) << test.signature();
  size_t count = 1, outputs = test.outputs.size();
  for (const std::vector<Slot> &values : test.values)
    count *= values.size();
  ASSERT_GT(count, 0u) << test.signature();
  ASSERT_EQ(test.results.size(), count * outputs) << test.signature();
  unsigned wrong = 0;
  for (size_t at = 0; at < count && wrong < 5; ++at) {
    Slot inputs[3], results[2];
    std::string operands;
    size_t rest = at;
    for (size_t k = test.inputs.size(); k-- > 0;) {
      inputs[k] = test.values[k][rest % test.values[k].size()];
      rest /= test.values[k].size();
      operands = show(inputs[k], test.inputs[k]) + " " + operands;
    }
    entry(inputs, results);
    for (size_t k = 0; k < outputs; ++k) {
      const Slot &expected = test.results[at * outputs + k];
      bool right = agrees(results[k], expected, test.outputs[k], test.ulp);
      EXPECT_TRUE(right) << test.signature() << " of " << operands
                         << "\n  gives    " << show(results[k], test.outputs[k])
                         << "\n  expected " << show(expected, test.outputs[k]);
      wrong += !right;
    }
  }
}

TEST_P(Execution, AgreesWithNumPy) {
  ASSERT_TRUE(jit);
  for (const ExpectedCase &test : expectedCases())
    if (test.function == GetParam())
      check(test);
}

static std::set<std::string> functions() {
  std::set<std::string> names;
  for (const ExpectedCase &test : expectedCases())
    names.insert(test.function);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Execution, testing::ValuesIn(functions()),
                         [](const auto &info) { return info.param; });

} // namespace kern::test
