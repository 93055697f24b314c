//===- FloatDivisionTest.cpp - quotients and remainders of floats ---------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definitions run here with the errors that a target's estimates may have,
// beside NumPy's npy_divmod and the C library's fmod.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/FloatDivision.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

using namespace kern::compiler;

namespace {

template <typename T> struct Row {
  double error; ///< of an estimate, relative to the quotient
  double limit; ///< of quotients for which that is good enough
};

template <typename T> struct Facts;
template <> struct Facts<float> {
  using Bits = uint32_t;
  static constexpr const char *fmod = "fmodf";
  static constexpr Row<float> rows[] = {
      {0, 0x1p22}, {0x1p-22, 0x1p20}, {-0x1p-22, 0x1p20}};
};
template <> struct Facts<double> {
  using Bits = uint64_t;
  static constexpr const char *fmod = "fmod";
  static constexpr Row<double> rows[] = {
      {0, 0x1p51}, {0x1p-51, 0x1p49}, {-0x1p-51, 0x1p49}};
};

template <typename T> struct Results {
  T quotient, remainder, fmod;
};

/// The three functions of a float type, compiled.
template <typename T> class Compiled {
public:
  explicit Compiled(Row<T> row) {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("test", *context);
    llvm::Type *type = sizeof(T) == 4 ? llvm::Type::getFloatTy(*context)
                                      : llvm::Type::getDoubleTy(*context);
    auto *signature = llvm::FunctionType::get(type, {type, type}, false);
    auto declare = [&](const char *name) {
      return llvm::Function::Create(
          signature, llvm::GlobalValue::ExternalLinkage, name, *module);
    };
    llvm::Function *fmod = declare(Facts<T>::fmod);
    auto estimate = [&](llvm::IRBuilder<> &b, llvm::Value *x, llvm::Value *y) {
      auto number = [&](double value) {
        return llvm::ConstantFP::get(type, value);
      };
      llvm::Value *exact = b.CreateFDiv(x, y);
      llvm::Value *quotient = b.CreateFMul(exact, number(1 + row.error));
      llvm::Value *isLarge = b.CreateFCmpOGE(
          b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, quotient),
          number(row.limit));
      llvm::Value *isInfinite =
          b.CreateFCmpOEQ(y, llvm::ConstantFP::getInfinity(type));
      return Estimate{quotient, b.CreateOr(isLarge, isInfinite)};
    };
    for (auto [name, division] : {std::pair{"//", Division::FloorDivide},
                                  std::pair{"%", Division::Remainder},
                                  std::pair{"fmod of", Division::Fmod}}) {
      llvm::Function *function = declare(name);
      defineDivision(*function, division, {estimate, fmod});
      function->setLinkage(llvm::GlobalValue::ExternalLinkage);
    }
    auto *pair = llvm::StructType::get(type, type);
    auto *both = llvm::Function::Create(
        llvm::FunctionType::get(pair, {type, type}, false),
        llvm::GlobalValue::ExternalLinkage, "divmod", *module);
    defineDivision(*both, Division::Both, {estimate, fmod});
    for (unsigned part : {0u, 1u}) {
      llvm::Function *function = declare(part ? "divmod %" : "divmod //");
      llvm::IRBuilder<> b(llvm::BasicBlock::Create(*context, "", function));
      llvm::Value *made =
          b.CreateCall(both, {function->getArg(0), function->getArg(1)});
      b.CreateRet(b.CreateExtractValue(made, part));
    }
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
    module->setDataLayout(jit->getDataLayout());
    llvm::cantFail(jit->addIRModule(
        llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
    quotient = find("//"), remainder = find("%"), rest = find("fmod of");
    quotientOfBoth = find("divmod //"), remainderOfBoth = find("divmod %");
  }

  Results<T> operator()(T a, T b) const {
    return {quotient(a, b), remainder(a, b), rest(a, b)};
  }
  Results<T> both(T a, T b) const {
    return {quotientOfBoth(a, b), remainderOfBoth(a, b), rest(a, b)};
  }

private:
  using Function = T (*)(T, T);
  Function find(const char *name) {
    return llvm::cantFail(jit->lookup(name)).template toPtr<Function>();
  }

  std::unique_ptr<llvm::orc::LLJIT> jit;
  Function quotient, remainder, rest, quotientOfBoth, remainderOfBoth;
};

} // namespace

/// numpy/_core/src/npymath/npy_math_internal.h.src, npy_divmod.
template <typename T> static Results<T> wanted(T a, T b) {
  const T fmod = std::fmod(a, b);
  if (b == 0)
    return {a / b, fmod, fmod};
  T div = (a - fmod) / b, mod = fmod;
  if (mod != 0) {
    if ((b < 0) != (mod < 0)) {
      mod += b;
      div -= 1;
    }
  } else {
    mod = std::copysign(T(0), b);
  }
  if (div == 0)
    return {std::copysign(T(0), a / b), mod, fmod};
  T floored = std::floor(div);
  return {div - floored > T(0.5) ? floored + 1 : floored, mod, fmod};
}

template <typename T> static bool isSame(T a, T b) {
  using Bits = typename Facts<T>::Bits;
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<Bits>(a) == std::bit_cast<Bits>(b);
}

template <typename T>
static void compare(const Compiled<T> &compiled, T a, T b) {
  const Results<T> expected = wanted(a, b);
  for (const Results<T> &found : {compiled(a, b), compiled.both(a, b)})
    ASSERT_TRUE(isSame(found.quotient, expected.quotient) &&
                isSame(found.remainder, expected.remainder) &&
                isSame(found.fmod, expected.fmod))
        << std::hexfloat << a << " by " << b << ": " << found.quotient << ", "
        << found.remainder << ", " << found.fmod << " for " << expected.quotient
        << ", " << expected.remainder << ", " << expected.fmod;
}

/// Special values, any bits, and dividends a few units beside multiples and
/// halves of them.
template <typename T> static void compareAll(const Compiled<T> &compiled) {
  using Bits = typename Facts<T>::Bits;
  using Limits = std::numeric_limits<T>;
  std::vector<T> some = {0,
                         1,
                         T(0.7),
                         3,
                         0x1p20,
                         0x1p20 - 1,
                         0x1p22,
                         0x1p49,
                         Limits::denorm_min(),
                         Limits::min(),
                         Limits::min() / 2,
                         Limits::max(),
                         Limits::infinity(),
                         Limits::quiet_NaN(),
                         Limits::epsilon()};
  for (size_t i = 0, count = some.size(); i < count; ++i)
    some.push_back(-some[i]);
  for (T a : some)
    for (T b : some)
      compare(compiled, a, b);
  std::mt19937_64 random(76);
  auto any = [&] { return std::bit_cast<T>(Bits(random())); };
  for (int i = 0; i < 100'000 && !testing::Test::HasFatalFailure(); ++i) {
    const T b = any();
    compare(compiled, any(), b);
    const auto count =
        T(random() & ((uint64_t(1) << (random() % Limits::digits)) - 1));
    T a = (count + T(random() % 2) / 2) * (random() % 2 ? b : -b);
    for (auto steps = random() % 4; steps > 0; --steps)
      a = std::nextafter(a, random() % 2 ? Limits::infinity()
                                         : -Limits::infinity());
    compare(compiled, a, b);
  }
}

TEST(FloatDivision, IsNumPysWithRoughEstimates) {
  for (Row<float> row : Facts<float>::rows)
    compareAll(Compiled<float>(row));
  for (Row<double> row : Facts<double>::rows)
    compareAll(Compiled<double>(row));
}

TEST(FloatDivision, HasSymbolsOfItsOwn) {
  using kern::runtime::DType;
  EXPECT_EQ(divisionSymbol({"remainder", DType::F64}), "kern.remainder.f64");
  EXPECT_EQ(divisionSymbol({"remainder", DType::F16}), "");
  EXPECT_EQ(divisionSymbol({"exp", DType::F64}), "");
  for (const char *name : {"floor_divide", "remainder", "fmod"})
    for (DType type : {DType::F32, DType::F64})
      EXPECT_TRUE(divisionOf(divisionSymbol({name, type}))) << name;
  EXPECT_FALSE(divisionOf("kern.exp.f32"));
}
