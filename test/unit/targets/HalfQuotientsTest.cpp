//===- HalfQuotientsTest.cpp - quotients and roots of halves on the GPU ---===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What divideHalves() and takeRootsOfHalves() make runs here, up to the f32
// that is rounded to a half. The approximations of a GPU, which differ between
// generations, may be wrong by a unit in the last place.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include "gtest/gtest.h"

#include <bit>
#include <cmath>
#include <vector>

using namespace kern::compiler;

namespace {

int32_t wrongBy; ///< what approximations are wrong by

float withoutSubnormals(float x) {
  return std::abs(x) < 0x1p-126F ? std::copysign(0.0F, x) : x;
}
float wrong(float x) {
  return x == 0 || !std::isfinite(x)
             ? x
             : std::bit_cast<float>(std::bit_cast<int32_t>(x) + wrongBy);
}
float reciprocal(float x) {
  return withoutSubnormals(wrong(1 / withoutSubnormals(x)));
}
float reciprocalRoot(float x) {
  return wrong(1 / std::sqrt(withoutSubnormals(x)));
}
float root(float x) { return wrong(std::sqrt(x)); }

/// What stands for an instruction of a GPU.
const char *substituteFor(llvm::Intrinsic::ID instruction) {
  switch (instruction) {
  case llvm::Intrinsic::nvvm_rcp_approx_ftz_f:
    return "reciprocal";
  case llvm::Intrinsic::nvvm_rsqrt_approx_ftz_f:
    return "reciprocal_root";
  case llvm::Intrinsic::nvvm_sqrt_approx_f:
    return "root";
  default:
    return nullptr;
  }
}

/// Functions of f32 that are halves, with results that are not rounded yet.
class Compiled {
public:
  using Function = float (*)(float x, float y);

  explicit Compiled(bool isF16) {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("test", *context);
    llvm::IRBuilder<> b(*context);
    llvm::Type *wide = b.getFloatTy(),
               *half = isF16 ? b.getHalfTy() : b.getBFloatTy();
    for (const char *name : {"divide", "take_root"}) {
      auto *made = llvm::Function::Create(
          llvm::FunctionType::get(wide, {wide, wide}, false),
          llvm::GlobalValue::ExternalLinkage, name, *module);
      b.SetInsertPoint(llvm::BasicBlock::Create(*context, "", made));
      llvm::Value *x = b.CreateFPTrunc(made->getArg(0), half);
      llvm::Value *result =
          name == llvm::StringRef("divide")
              ? b.CreateFDiv(x, b.CreateFPTrunc(made->getArg(1), half))
              : b.CreateFPTrunc(b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt,
                                                       b.CreateFPExt(x, wide)),
                                half);
      b.CreateRet(b.CreateFPExt(result, wide));
      nvptx::divideHalves(*made);
      nvptx::takeRootsOfHalves(*made);
      keepWide(*made);
      EXPECT_FALSE(llvm::verifyFunction(*made, &llvm::errs()));
    }
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
    module->setDataLayout(jit->getDataLayout());
    llvm::orc::SymbolMap symbols;
    for (auto [name, function] : {std::pair{"reciprocal", &reciprocal},
                                  {"reciprocal_root", &reciprocalRoot},
                                  {"root", &root}})
      symbols[jit->mangleAndIntern(name)] = {
          llvm::orc::ExecutorAddr::fromPtr(function),
          llvm::JITSymbolFlags::Exported};
    llvm::cantFail(jit->getMainJITDylib().define(
        llvm::orc::absoluteSymbols(std::move(symbols))));
    llvm::cantFail(jit->addIRModule(
        llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
    divide = llvm::cantFail(jit->lookup("divide")).toPtr<Function>();
    takeRoot = llvm::cantFail(jit->lookup("take_root")).toPtr<Function>();
  }

  Function divide, takeRoot;

private:
  /// Leaves out conversions, and calls what stands for instructions.
  static void keepWide(llvm::Function &function) {
    for (llvm::Instruction &op :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::IRBuilder<> b(&op);
      if (isa<llvm::FPExtInst>(op)) {
        auto *narrow = cast<llvm::FPTruncInst>(op.getOperand(0));
        op.replaceAllUsesWith(narrow->getOperand(0));
      } else if (auto *call = dyn_cast<llvm::IntrinsicInst>(&op)) {
        const char *name = substituteFor(call->getIntrinsicID());
        if (!name)
          continue;
        op.replaceAllUsesWith(b.CreateCall(
            function.getParent()->getOrInsertFunction(
                name,
                llvm::FunctionType::get(op.getType(), {op.getType()}, false)),
            {call->getArgOperand(0)}));
      } else {
        continue;
      }
      op.eraseFromParent();
    }
    for (llvm::Instruction &op :
         llvm::make_early_inc_range(llvm::instructions(function)))
      if (isa<llvm::FPTruncInst>(op))
        op.eraseFromParent();
  }

  std::unique_ptr<llvm::orc::LLJIT> jit;
};

float valueOf(uint32_t half, bool isF16) {
  return isF16 ? float(std::bit_cast<_Float16>(uint16_t(half)))
               : std::bit_cast<float>(half << 16);
}

/// The half that a number is rounded to, as bits; the same for every NaN.
uint32_t rounded(float x, bool isF16) {
  if (std::isnan(x))
    return 0x10000;
  if (isF16)
    return std::bit_cast<uint16_t>(_Float16(x));
  const auto bits = std::bit_cast<uint32_t>(x);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

/// Numbers at the ends of what halves can be, and one in many others.
std::vector<uint32_t> samples() {
  std::vector<uint32_t> list;
  for (uint32_t bits :
       {0x0000, 0x0001, 0x0003, 0x007f, 0x0080, 0x03ff, 0x0400, 0x3b80, 0x3c00,
        0x3f80, 0x7bff, 0x7c00, 0x7e80, 0x7f00, 0x7f7f, 0x7f80, 0x7fff})
    list.insert(list.end(), {bits, bits | 0x8000});
  for (uint32_t bits = 0; bits < 0x10000; bits += 1021)
    list.push_back(bits);
  return list;
}

} // namespace

TEST(HalfQuotients, HaveTheBitsOfDivision) {
  for (bool isF16 : {true, false}) {
    const Compiled compiled(isF16);
    for (wrongBy = -1; wrongBy <= 1; ++wrongBy)
      for (uint32_t divisor : samples())
        for (uint32_t dividend = 0; dividend < 0x10000; ++dividend) {
          const float x = valueOf(dividend, isF16), y = valueOf(divisor, isF16);
          ASSERT_EQ(rounded(compiled.divide(x, y), isF16),
                    rounded(x / y, isF16))
              << x << " / " << y << ", off by " << wrongBy;
        }
  }
}

/// An odd multiple of half a bf16's unit, where it is subnormal, times a
/// divisor that has few digits.
TEST(HalfQuotients, AreRoundedToEvenInTheMiddle) {
  const Compiled compiled(false);
  for (wrongBy = -1; wrongBy <= 1; ++wrongBy)
    for (int odd = 1; odd < 256; odd += 2)
      for (int digits = 1; digits < 16; ++digits)
        for (int exponent = 1; exponent < 120; ++exponent) {
          const float y = std::ldexp(float(digits), exponent);
          const float x = std::ldexp(float(odd * digits), exponent - 134);
          if (odd * digits >= 256) // x has more digits than a bf16
            continue;
          for (float sign : {1.0F, -1.0F})
            ASSERT_EQ(rounded(compiled.divide(sign * x, y), false),
                      rounded(sign * x / y, false))
                << x << " / " << y << ", off by " << wrongBy;
        }
}

TEST(HalfQuotients, HaveTheBitsOfRoots) {
  for (bool isF16 : {true, false}) {
    const Compiled compiled(isF16);
    for (wrongBy = -2; wrongBy <= 2; ++wrongBy)
      for (uint32_t half = 0; half < 0x10000; ++half) {
        const float x = valueOf(half, isF16);
        ASSERT_EQ(rounded(compiled.takeRoot(x, 0), isF16),
                  rounded(std::sqrt(x), isF16))
            << x << ", off by " << wrongBy;
      }
  }
}
