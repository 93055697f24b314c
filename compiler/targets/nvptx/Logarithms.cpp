//===- Logarithms.cpp - logarithms of halves on the GPU -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lg2.approx has an absolute error of 2^-22, which f16 and bf16 do not show but
// where the logarithm is small. From 15/16 to 17/16 it is a minimax polynomial
// in x - 1 (Sollya's fpminimax), with a relative error of 2^-21.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

struct Logarithm {
  StringLiteral name;
  double ofTwo; ///< the logarithm of 2
  /// log(1 + f) = f (c[0] + c[1] f + …)
  double coefficients[4];
};

constexpr Logarithm logarithms[] = {
    {"log",
     0x1.62e43p-1,
     {0x1.fffff4p-1, -0x1.ffffd2p-2, 0x1.56206ap-2, -0x1.00cbdcp-2}},
    {"log1p",
     0x1.62e43p-1,
     {0x1.fffff4p-1, -0x1.ffffd2p-2, 0x1.56206ap-2, -0x1.00cbdcp-2}},
    {"log2", 1, {0x1.71546ep+0, -0x1.715456p-1, 0x1.ed93d4p-2, -0x1.72785ap-2}},
    {"log10",
     0x1.344136p-2,
     {0x1.bcb7a6p-2, -0x1.bcb788p-3, 0x1.292d42p-3, -0x1.be1d92p-4}}};

} // namespace

static void emit(Function &function, const Logarithm &row, bool isOfF16) {
  IRBuilder<> b(BasicBlock::Create(function.getContext(), "", &function));
  auto number = [&](double value) {
    return ConstantFP::get(b.getFloatTy(), value);
  };
  Value *x = function.getArg(0), *more = x, *one = number(1);
  if (row.name == "log1p")
    x = b.CreateFAdd(x, one);
  else
    more = b.CreateFSub(x, one);
  Value *near = number(row.coefficients[3]);
  for (double coefficient : reverse(ArrayRef(row.coefficients).drop_back()))
    near = b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()},
                             {near, more, number(coefficient)});
  // The smallest f16 is no subnormal number of f32.
  Value *far = b.CreateIntrinsic(isOfF16 ? Intrinsic::nvvm_lg2_approx_ftz_f
                                         : Intrinsic::nvvm_lg2_approx_f,
                                 {x});
  if (row.ofTwo != 1)
    far = b.CreateFMul(far, number(row.ofTwo));
  Value *isNear = b.CreateFCmpOLT(b.CreateUnaryIntrinsic(Intrinsic::fabs, more),
                                  number(0x1p-4));
  b.CreateRet(b.CreateSelect(isNear, b.CreateFMul(near, more), far));
}

void kern::compiler::nvptx::defineLogarithms(Module &module) {
  for (const Logarithm &row : logarithms)
    for (StringRef half : {"f16", "bf16"}) {
      Function *function =
          module.getFunction(("kern." + half + "." + row.name + ".f32").str());
      if (!function || !function->isDeclaration() || function->use_empty())
        continue;
      emit(*function, row, half == "f16");
      function->setLinkage(GlobalValue::InternalLinkage);
      function->addFnAttr(Attribute::AlwaysInline);
    }
}
