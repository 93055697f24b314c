//===- ApproximationsTest.cpp - approximations of normal numbers ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of random expressions of f16, those of which shortenApproximations() takes
// the short root are computed here: none is ever subnormal.
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

#include <array>
#include <cmath>
#include <random>
#include <vector>

using namespace kern::compiler;

namespace {

using Expression = float (*)(float x, float y, float z);

/// Writes a function that computes a random expression.
class Writer {
public:
  Writer(llvm::Module &module, unsigned seed)
      : b(module.getContext()), random(seed) {
    llvm::Type *type = b.getFloatTy();
    function = llvm::Function::Create(
        llvm::FunctionType::get(type, {type, type, type}, false),
        llvm::GlobalValue::ExternalLinkage, "f" + std::to_string(seed), module);
    b.SetInsertPoint(
        llvm::BasicBlock::Create(module.getContext(), "", function));
    for (llvm::Argument &argument : function->args())
      leaves.push_back(
          b.CreateFPExt(b.CreateFPTrunc(&argument, b.getHalfTy()), type));
    llvm::CallInst *root = llvm::cast<llvm::CallInst>(
        b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, expression(4)));
    root->setHasApproxFunc(true);
    b.CreateRet(root);
  }
  /// Runs the pass. The function then computes what it would take the root of.
  bool isShortened() {
    nvptx::shortenApproximations(*function);
    auto *end =
        llvm::cast<llvm::ReturnInst>(function->getEntryBlock().getTerminator());
    auto *root = llvm::cast<llvm::IntrinsicInst>(end->getReturnValue());
    const bool isShort =
        root->getIntrinsicID() == llvm::Intrinsic::nvvm_sqrt_approx_ftz_f;
    end->setOperand(0, root->getArgOperand(0));
    root->eraseFromParent();
    // Arguments are f16 already. Roots of other numbers are inner ones.
    for (llvm::Value *leaf : leaves)
      leaf->replaceAllUsesWith(
          llvm::cast<llvm::Instruction>(
              llvm::cast<llvm::Instruction>(leaf)->getOperand(0))
              ->getOperand(0));
    for (llvm::Value *leaf : leaves) {
      auto *wide = llvm::cast<llvm::Instruction>(leaf);
      auto *narrow = llvm::cast<llvm::Instruction>(wide->getOperand(0));
      wide->eraseFromParent();
      narrow->eraseFromParent();
    }
    return isShort;
  }

private:
  unsigned below(unsigned limit) { return unsigned(random() % limit); }
  llvm::Value *constant() {
    // Some differ in the last place, so that sums of them nearly vanish.
    static constexpr std::array values = {1.0,          -1.0,
                                          0x1.000002p0, 0.0,
                                          0x1p-24,      0x1p-50,
                                          0x1p-58,      0x1.000002p-58,
                                          0x1p-80,      0x1.000002p-80,
                                          0x1p-100,     0x1.000002p-100,
                                          0x1p-110,     0x1.000002p-110,
                                          65504.0};
    return llvm::ConstantFP::get(b.getFloatTy(), values[below(values.size())]);
  }
  llvm::Value *expression(unsigned depth) {
    if (depth == 0)
      return below(2) == 0 ? constant() : leaves[below(3)];
    auto inner = [&] { return expression(depth - 1); };
    llvm::Value *first = inner();
    switch (below(9)) {
    case 0:
      return b.CreateFAdd(first, inner());
    case 1:
      return b.CreateFSub(first, inner());
    case 2:
    case 3:
      return b.CreateFMul(first, inner());
    case 4:
    case 5: {
      llvm::Value *second = inner();
      return b.CreateIntrinsic(llvm::Intrinsic::fma, {b.getFloatTy()},
                               {first, second, inner()});
    }
    case 6:
      return b.CreateUnaryIntrinsic(
          llvm::Intrinsic::sqrt,
          b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, first));
    case 7:
      return b.CreateBinaryIntrinsic(llvm::Intrinsic::maximum, first,
                                     constant());
    default: {
      llvm::Value *second = inner();
      return b.CreateSelect(b.CreateFCmpOLT(first, second), second,
                            b.CreateFNeg(first));
    }
    }
  }

  llvm::IRBuilder<> b;
  std::mt19937 random;
  llvm::Function *function = nullptr;
  std::vector<llvm::Value *> leaves;
};

} // namespace

TEST(Approximations, AreShortOfNoSubnormalNumber) {
  constexpr unsigned expressions = 1000;
  auto context = std::make_unique<llvm::LLVMContext>();
  auto module = std::make_unique<llvm::Module>("test", *context);
  std::vector<unsigned> shortened;
  for (unsigned seed = 0; seed < expressions; ++seed)
    if (Writer(*module, seed).isShortened())
      shortened.push_back(seed);
  EXPECT_GT(shortened.size(), expressions / 4);
  EXPECT_LT(shortened.size(), expressions);
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto jit = llvm::cantFail(llvm::orc::LLJITBuilder().create());
  module->setDataLayout(jit->getDataLayout());
  llvm::cantFail(jit->addIRModule(
      llvm::orc::ThreadSafeModule(std::move(module), std::move(context))));
  std::vector<float> numbers;
  for (float size :
       {0.0F, 0x1p-24F, 0x1.8p-23F, 0x1p-14F, 0x1.ffcp-14F, 0.25F, 0x1.004p-1F,
        0x1.ffcp-1F, 1.0F, 0x1.004p0F, 3.0F, 65504.0F})
    numbers.insert(numbers.end(), {size, -size});
  unsigned subnormal = 0;
  for (unsigned seed : shortened) {
    const auto value = llvm::cantFail(jit->lookup("f" + std::to_string(seed)))
                           .toPtr<Expression>();
    for (float x : numbers)
      for (float y : numbers)
        for (float z : numbers)
          subnormal += std::fpclassify(value(x, y, z)) == FP_SUBNORMAL;
    ASSERT_EQ(subnormal, 0U) << "expression " << seed;
  }
}
