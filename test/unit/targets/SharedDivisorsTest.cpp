//===- SharedDivisorsTest.cpp - divisions by one number on the GPU --------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What shareReciprocals() makes runs here, beside the CPU's division.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace kern::compiler;

namespace {

template <typename T> struct Facts;
template <> struct Facts<float> {
  using Bits = uint32_t;
  static constexpr int leastDivisor = -32, largestDivisor = 32,
                       leastDividend = -90;
};
template <> struct Facts<double> {
  using Bits = uint64_t;
  static constexpr int leastDivisor = -300, largestDivisor = 300,
                       leastDividend = -600;
};

/// Four numbers over one, four over the first of those quotients, and numbers
/// over one in a loop.
template <typename T> class Compiled {
public:
  using Four = void (*)(const T *x, T s, T *y, unsigned *rare);
  using Loop = void (*)(const T *x, T s, T *y, unsigned *rare, int64_t n);

  Compiled() {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("test", *context);
    llvm::IRBuilder<> b(*context);
    type = sizeof(T) == 4 ? b.getFloatTy() : b.getDoubleTy();
    llvm::Type *pointer = b.getPtrTy();
    auto create = [&](const char *name, llvm::ArrayRef<llvm::Type *> types) {
      auto *made = llvm::Function::Create(
          llvm::FunctionType::get(b.getVoidTy(), types, false),
          llvm::GlobalValue::ExternalLinkage, name, *module);
      b.SetInsertPoint(llvm::BasicBlock::Create(*context, "", made));
      return made;
    };
    llvm::Function *four = create("four", {pointer, type, pointer, pointer});
    makeFour(b, *four, false);
    llvm::Function *chain = create("chain", {pointer, type, pointer, pointer});
    makeFour(b, *chain, true);
    llvm::Function *loop =
        create("loop", {pointer, type, pointer, pointer, b.getInt64Ty()});
    auto *entry = b.GetInsertBlock();
    auto *body = llvm::BasicBlock::Create(*context, "", loop);
    auto *end = llvm::BasicBlock::Create(*context, "", loop);
    b.CreateBr(body);
    b.SetInsertPoint(body);
    llvm::PHINode *i = b.CreatePHI(b.getInt64Ty(), 2);
    i->addIncoming(b.getInt64(0), entry);
    b.CreateStore(b.CreateFDiv(b.CreateLoad(type, at(b, loop->getArg(0), i)),
                               loop->getArg(1)),
                  at(b, loop->getArg(2), i));
    llvm::Value *next = b.CreateAdd(i, b.getInt64(1));
    i->addIncoming(next, body);
    b.CreateCondBr(b.CreateICmpSLT(next, loop->getArg(4)), body, end);
    b.SetInsertPoint(end);
    b.CreateRetVoid();
    for (llvm::Function *function : {four, chain, loop}) {
      nvptx::shareReciprocals(*function);
      countRare(*function);
      EXPECT_FALSE(llvm::verifyFunction(*function, &llvm::errs()));
    }
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
    module->setDataLayout(jit->getDataLayout());
    llvm::cantFail(jit->addIRModule(
        llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
    this->four = llvm::cantFail(jit->lookup("four")).template toPtr<Four>();
    this->chain = llvm::cantFail(jit->lookup("chain")).template toPtr<Four>();
    this->loop = llvm::cantFail(jit->lookup("loop")).template toPtr<Loop>();
  }

  Four four, chain;
  Loop loop;

private:
  llvm::Value *at(llvm::IRBuilder<> &b, llvm::Value *array, llvm::Value *i) {
    return b.CreateGEP(type, array, i);
  }
  void makeFour(llvm::IRBuilder<> &b, llvm::Function &function, bool isChain) {
    std::array<llvm::Value *, 4> values, quotients;
    for (unsigned k = 0; k < 4; ++k)
      values[k] = b.CreateLoad(type, at(b, function.getArg(0), b.getInt64(k)));
    // A result is used before the last division.
    for (unsigned k = 0; k < 4; ++k)
      quotients[k] = b.CreateFNeg(b.CreateFDiv(values[k], function.getArg(1)));
    llvm::Value *first = cast<llvm::Instruction>(quotients[0])->getOperand(0);
    for (unsigned k = 0; k < 4 && isChain; ++k)
      quotients[k] = b.CreateFDiv(values[k], first);
    for (unsigned k = 0; k < 4; ++k)
      b.CreateStore(quotients[k], at(b, function.getArg(2), b.getInt64(k)));
    b.CreateRetVoid();
  }
  /// Has the function say how often it divides: a block with a division is one
  /// for rare operands, save the entry, which has the reciprocal.
  void countRare(llvm::Function &function) {
    for (llvm::BasicBlock &block : llvm::drop_begin(function))
      if (llvm::any_of(block, [](const llvm::Instruction &op) {
            return op.getOpcode() == llvm::Instruction::FDiv;
          })) {
        llvm::IRBuilder<> b(block.getTerminator());
        llvm::Value *count = function.getArg(3);
        b.CreateStore(
            b.CreateAdd(b.CreateLoad(b.getInt32Ty(), count), b.getInt32(1)),
            count);
      }
  }

  llvm::Type *type;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

template <typename T> bool isSame(T a, T b) {
  using Bits = typename Facts<T>::Bits;
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

/// Numbers at the ends of what goes by the reciprocal, and of the type.
template <typename T> std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> numbers = {0,
                            Limits::denorm_min(),
                            Limits::min(),
                            std::nextafter(Limits::min(), T(0)),
                            Limits::max(),
                            Limits::infinity(),
                            Limits::quiet_NaN(),
                            1,
                            3,
                            std::nextafter(T(1), T(2)),
                            std::nextafter(T(2), T(1))};
  for (int exponent : {Facts<T>::leastDivisor, Facts<T>::largestDivisor,
                       Facts<T>::leastDividend, -Facts<T>::leastDividend})
    for (T toward : {T(0), T(1), Limits::infinity()}) {
      const T power = std::ldexp(T(1), exponent);
      numbers.push_back(toward == 1 ? power : std::nextafter(power, toward));
    }
  const size_t positive = numbers.size();
  for (size_t k = 0; k < positive; ++k)
    numbers.push_back(-numbers[k]);
  return numbers;
}

template <typename T> class SharedDivisors : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(SharedDivisors, Types);

} // namespace

TYPED_TEST(SharedDivisors, Edges) {
  using T = TypeParam;
  const Compiled<T> compiled;
  const std::vector<T> numbers = edges<T>();
  std::vector<T> quotients(numbers.size());
  unsigned rare = 0;
  for (T s : numbers) {
    compiled.loop(numbers.data(), s, quotients.data(), &rare,
                  int64_t(numbers.size()));
    for (size_t k = 0; k < numbers.size(); ++k) {
      const T x = numbers[k], right = x / s;
      EXPECT_TRUE(isSame(quotients[k], right))
          << x << " / " << s << " is " << right << ", not " << quotients[k];
      // Beside ordinary numbers.
      const T some[] = {1, x, -3, T(0.7)};
      T four[4];
      compiled.four(some, s, four, &rare);
      for (unsigned i = 0; i < 4; ++i)
        EXPECT_TRUE(isSame(four[i], -(some[i] / s)))
            << some[i] << " / " << s << " beside " << x;
      compiled.chain(some, s, four, &rare);
      for (unsigned i = 0; i < 4; ++i)
        EXPECT_TRUE(isSame(four[i], some[i] / (1 / s)))
            << some[i] << " / (1 / " << s << ")";
    }
  }
  EXPECT_GT(rare, 0u);
}

// Zeros, as softmax has many, are no rare operands.
TYPED_TEST(SharedDivisors, OrdinaryOperands) {
  using T = TypeParam;
  const Compiled<T> compiled;
  unsigned rare = 0;
  const T least = std::ldexp(T(1), Facts<T>::leastDividend);
  const T numbers[] = {0, -T(0), least, -least, 1, 2, T(1) / 3, -1000};
  T quotients[8];
  for (T s : {std::ldexp(T(1), Facts<T>::leastDivisor), T(1), T(3.7),
              std::ldexp(T(1), Facts<T>::largestDivisor)})
    compiled.loop(numbers, s, quotients, &rare, 8);
  EXPECT_EQ(rare, 0u);
  compiled.loop(numbers, -1, quotients, &rare, 8);
  EXPECT_EQ(rare, 2u) << "zeros alone";
  rare = 0;
  const T tiny[] = {1, 2, std::nextafter(least, T(0)), 3};
  compiled.four(tiny, 3, quotients, &rare);
  EXPECT_EQ(rare, 4u) << "all of them again";
}

TYPED_TEST(SharedDivisors, RandomBits) {
  using T = TypeParam;
  const Compiled<T> compiled;
  std::mt19937_64 random(39);
  using Bits = typename Facts<T>::Bits;
  constexpr int digits = std::numeric_limits<T>::digits;
  // A significand, often near its ends, and an exponent.
  auto number = [&](int least, int most) {
    constexpr Bits ones = (Bits(1) << (digits - 1)) - 1;
    Bits significand = Bits(random()) & ones;
    if (random() % 8 == 0)
      significand = random() % 2 ? ones - significand % 16 : significand % 16;
    const T value = std::bit_cast<T>(significand | std::bit_cast<Bits>(T(1)));
    return std::ldexp(value, least + int(random() % unsigned(most - least)));
  };
  std::array<T, 256> numbers, quotients;
  unsigned rare = 0;
  for (int round = 0; round < 4000; ++round) {
    T s = number(Facts<T>::leastDivisor, Facts<T>::largestDivisor);
    s = round % 2 ? s : -s;
    for (T &x : numbers) {
      x = number(Facts<T>::leastDividend, -Facts<T>::leastDividend);
      x = random() % 2 ? x : -x;
    }
    compiled.loop(numbers.data(), s, quotients.data(), &rare, 256);
    for (size_t k = 0; k < numbers.size(); ++k)
      ASSERT_TRUE(isSame(quotients[k], numbers[k] / s))
          << std::hexfloat << numbers[k] << " / " << s;
  }
  EXPECT_EQ(rare, 0u);
}
