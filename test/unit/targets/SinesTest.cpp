//===- SinesTest.cpp - sines and cosines of f32 on the GPU ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The definitions run here, with the C library in place of libdevice, beside
// the C library's functions of doubles.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <limits>
#include <string>

using namespace kern::compiler;

namespace {

unsigned exactCalls;
float countedSine(float x) { return ++exactCalls, std::sin(x); }
float countedCosine(float x) { return ++exactCalls, std::cos(x); }
float countedTangent(float x) { return ++exactCalls, std::tan(x); }

/// A CPU has no instruction for an approximate reciprocal.
void divideByReciprocals(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (!call ||
          call->getIntrinsicID() != llvm::Intrinsic::nvvm_rcp_approx_ftz_f)
        continue;
      llvm::IRBuilder<> b(&instruction);
      instruction.replaceAllUsesWith(b.CreateFDiv(
          llvm::ConstantFP::get(b.getFloatTy(), 1), call->getArgOperand(0)));
      instruction.eraseFromParent();
    }
}

/// The functions, compiled; those of "kern.sincos.f32" as "both sin" and "both
/// cos".
class Compiled {
public:
  using Function = float (*)(float);

  Compiled() {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("test", *context);
    llvm::IRBuilder<> b(*context);
    llvm::Type *type = b.getFloatTy();
    auto *signature = llvm::FunctionType::get(type, {type}, false);
    auto create = [&](const std::string &name) {
      auto *made = llvm::Function::Create(
          signature, llvm::GlobalValue::ExternalLinkage, name, *module);
      b.SetInsertPoint(llvm::BasicBlock::Create(*context, "", made));
      return made;
    };
    for (const std::string name :
         {"sin", "cos", "f16.sin", "f16.cos", "f16.tan", "bf16.sin", "bf16.cos",
          "bf16.tan"}) {
      llvm::Function *caller = create(name);
      b.CreateRet(b.CreateCall(
          module->getOrInsertFunction("kern." + name + ".f32", signature),
          {caller->getArg(0)}));
    }
    llvm::FunctionCallee both = module->getOrInsertFunction(
        "kern.sincos.f32", b.getVoidTy(), type, b.getPtrTy(), b.getPtrTy());
    for (const std::string name : {"both sin", "both cos"}) {
      llvm::Function *caller = create(name);
      llvm::Value *sine = b.CreateAlloca(type), *cosine = b.CreateAlloca(type);
      b.CreateCall(both, {caller->getArg(0), sine, cosine});
      b.CreateRet(b.CreateLoad(type, name == "both sin" ? sine : cosine));
    }
    nvptx::defineSines(*module);
    divideByReciprocals(*module);
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
    module->setDataLayout(jit->getDataLayout());
    llvm::orc::SymbolMap exact;
    for (auto [name, function] : {std::pair{"__nv_sinf", &countedSine},
                                  std::pair{"__nv_cosf", &countedCosine},
                                  std::pair{"__nv_tanf", &countedTangent}})
      exact[jit->mangleAndIntern(name)] = {
          llvm::orc::ExecutorAddr::fromPtr(function),
          llvm::JITSymbolFlags::Exported};
    llvm::cantFail(jit->getMainJITDylib().define(
        llvm::orc::absoluteSymbols(std::move(exact))));
    llvm::cantFail(jit->addIRModule(
        llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  }

  Function operator[](const std::string &name) const {
    return llvm::cantFail(jit->lookup(name)).toPtr<Function>();
  }

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// In units in the last place of a type with so many digits, from 2^least on.
double error(double value, double expected, int digits, int least) {
  int exponent = 0;
  std::frexp(expected, &exponent);
  return std::abs(value - expected) /
         std::ldexp(1.0, std::max(exponent - digits, least));
}

double exactSine(double x) { return std::sin(x); }
double exactCosine(double x) { return std::cos(x); }
double exactTangent(double x) { return std::tan(x); }

} // namespace

TEST(Sines, OfF32) {
  const Compiled compiled;
  for (auto [name, exact] :
       {std::pair{"sin", &exactSine}, {"cos", &exactCosine}}) {
    const auto function = compiled[name],
               both = compiled[std::string("both ") + name];
    double worst = 0;
    exactCalls = 0;
    const auto end = std::bit_cast<uint32_t>(105615.0f);
    for (uint32_t bits = 0; bits < end; bits += 1009)
      for (const uint32_t sign : {0u, 0x80000000u}) {
        const auto x = std::bit_cast<float>(bits | sign);
        const float value = function(x);
        worst = std::max(worst, error(value, exact(x), 24, -149));
        ASSERT_EQ(std::bit_cast<uint32_t>(both(x)),
                  std::bit_cast<uint32_t>(value))
            << x;
      }
    EXPECT_LT(worst, 1.52) << name;
    EXPECT_GT(worst, 0.5) << name;
    EXPECT_EQ(exactCalls, 0u);
    for (const float x : {105615.0f, -1e6f, 3e38f})
      EXPECT_LT(error(function(x), exact(x), 24, -149), 1);
    EXPECT_EQ(exactCalls, 3u);
    for (const float x : {std::numeric_limits<float>::infinity(),
                          std::numeric_limits<float>::quiet_NaN()}) {
      EXPECT_TRUE(std::isnan(function(x)));
      EXPECT_TRUE(std::isnan(both(-x)));
    }
  }
}

TEST(Sines, OfEveryF16) {
  const Compiled compiled;
  for (auto [name, exact] : {std::pair{"f16.sin", &exactSine},
                             {"f16.cos", &exactCosine},
                             {"f16.tan", &exactTangent}}) {
    const auto function = compiled[name];
    double worst = 0;
    exactCalls = 0;
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      const float x = std::bit_cast<_Float16>(uint16_t(bits));
      const float value = function(x);
      if (!std::isfinite(x)) {
        EXPECT_TRUE(std::isnan(value));
        continue;
      }
      // From there on a tangent is infinite in f16.
      constexpr double beyond = 65520;
      if (std::abs(exact(x)) >= beyond) {
        EXPECT_GE(std::abs(value), beyond) << x;
        continue;
      }
      worst = std::max(worst, error(_Float16(value), exact(x), 11, -24));
    }
    EXPECT_LT(worst, 0.51) << name;
    EXPECT_EQ(exactCalls, 0u);
  }
}

TEST(Sines, OfEveryBF16) {
  const Compiled compiled;
  for (auto [name, exact] : {std::pair{"bf16.sin", &exactSine},
                             {"bf16.cos", &exactCosine},
                             {"bf16.tan", &exactTangent}}) {
    const auto function = compiled[name];
    double worst = 0;
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
      const auto x = std::bit_cast<float>(bits << 16);
      if (std::isnan(x) || std::isinf(x))
        EXPECT_TRUE(std::isnan(function(x)));
      else if (const double expected = exact(x); expected != 0)
        worst = std::max(worst, std::abs(function(x) / expected - 1));
    }
    EXPECT_LT(worst, 0x1p-17) << name;
  }
}

TEST(Sines, KeepTheSignOfZero) {
  const Compiled compiled;
  for (const char *name :
       {"sin", "both sin", "f16.sin", "bf16.sin", "f16.tan", "bf16.tan"}) {
    EXPECT_TRUE(std::signbit(compiled[name](-0.0f))) << name;
    EXPECT_FALSE(std::signbit(compiled[name](0.0f))) << name;
  }
  for (const char *name : {"cos", "both cos", "f16.cos", "bf16.cos"})
    EXPECT_EQ(_Float16(compiled[name](-0.0f)), 1.0f) << name;
}
