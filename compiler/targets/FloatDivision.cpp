//===- FloatDivision.cpp - quotients and remainders of floats -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/FloatDivision.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace kern::compiler;

StringRef
kern::compiler::divisionSymbol(const library::ElementaryFunction &function) {
  using runtime::DType;
  if (function.type != DType::F32 && function.type != DType::F64)
    return "";
  const bool isSingle = function.type == DType::F32;
  return StringSwitch<StringRef>(function.name)
      .Case("floor_divide",
            isSingle ? "kern.floor_divide.f32" : "kern.floor_divide.f64")
      .Case("remainder", isSingle ? "kern.remainder.f32" : "kern.remainder.f64")
      .Case("fmod", isSingle ? "kern.fmod.f32" : "kern.fmod.f64")
      .Default("");
}

std::optional<Division> kern::compiler::divisionOf(StringRef symbol) {
  return StringSwitch<std::optional<Division>>(symbol)
      .Cases({"kern.floor_divide.f32", "kern.floor_divide.f64"},
             Division::FloorDivide)
      .Cases({"kern.remainder.f32", "kern.remainder.f64"}, Division::Remainder)
      .Cases({"kern.fmod.f32", "kern.fmod.f64"}, Division::Fmod)
      .Default(std::nullopt);
}

Estimate kern::compiler::roundedQuotient(IRBuilder<> &b, Value *x, Value *y) {
  Type *type = y->getType();
  const bool isSingle = type->getScalarType()->isFloatTy();
  Value *quotient = b.CreateFDiv(x, y);
  Value *isLarge =
      b.CreateFCmpOGE(b.CreateUnaryIntrinsic(Intrinsic::fabs, quotient),
                      ConstantFP::get(type, isSingle ? 0x1p22 : 0x1p51));
  Value *isInfinite = b.CreateFCmpOEQ(y, ConstantFP::getInfinity(type));
  return {quotient, b.CreateOr(isLarge, isInfinite)};
}

static bool hasQuotient(Division division) {
  return division == Division::FloorDivide || division == Division::Both;
}
static bool hasRemainder(Division division) {
  return division == Division::Remainder || division == Division::Both;
}

namespace {

/// Emits the functions' operations, of one number or of vectors.
class DivisionBuilder {
public:
  explicit DivisionBuilder(Function &function)
      : function(function), type(function.getArg(0)->getType()),
        bits(type->getWithNewType(IntegerType::get(
            function.getContext(), type->getScalarSizeInBits()))),
        b(BasicBlock::Create(function.getContext(), "", &function)),
        dividend(function.getArg(0)), divisor(function.getArg(1)) {}

  void emitQuick(Division division, const DivisionMeans &means);
  void emitLong(Division division, Function &fmod);

private:
  Value *number(double value) { return ConstantFP::get(type, value); }
  Value *magnitude(Value *value) {
    return b.CreateUnaryIntrinsic(Intrinsic::fabs, value);
  }
  Value *copySign(Value *magnitude, Value *sign) {
    return b.CreateBinaryIntrinsic(Intrinsic::copysign, magnitude, sign);
  }
  Value *fma(Value *x, Value *y, Value *z) {
    return b.CreateIntrinsic(Intrinsic::fma, {type}, {x, y, z});
  }
  /// The value with its sign turned where the divisor's is negative.
  Value *turned(Value *value) {
    unsigned width = bits->getScalarSizeInBits();
    Value *sign =
        b.CreateAnd(b.CreateBitCast(divisor, bits),
                    ConstantInt::get(bits, APInt::getSignMask(width)));
    return b.CreateBitCast(b.CreateXor(b.CreateBitCast(value, bits), sign),
                           type);
  }
  Value *longQuotient(Value *truncated, Value *isAdjusted);
  Value *longRemainder(Value *truncated, Value *isAdjusted);
  Value *callLong(Division division, Function &fmod);
  void ret(ArrayRef<Value *> results) {
    if (results.size() == 1)
      b.CreateRet(results.front());
    else
      b.CreateAggregateRet(results.data(), results.size());
  }

  Function &function;
  Type *type, *bits;
  IRBuilder<> b;
  Value *dividend, *divisor;
};

} // namespace

Value *DivisionBuilder::longQuotient(Value *truncated, Value *isAdjusted) {
  Value *zero = number(0), *one = number(1);
  Value *quotient = b.CreateFDiv(b.CreateFSub(dividend, truncated), divisor);
  quotient = b.CreateSelect(isAdjusted, b.CreateFSub(quotient, one), quotient);
  Value *floored = b.CreateUnaryIntrinsic(Intrinsic::floor, quotient);
  Value *isBelow =
      b.CreateFCmpOGT(b.CreateFSub(quotient, floored), number(0.5));
  Value *whole = b.CreateSelect(isBelow, b.CreateFAdd(floored, one), floored);
  // a / b, if that is 0 or b is.
  Value *ratio = b.CreateFDiv(dividend, divisor);
  whole = b.CreateSelect(b.CreateFCmpOEQ(quotient, zero), copySign(zero, ratio),
                         whole);
  return b.CreateSelect(b.CreateFCmpOEQ(divisor, zero), ratio, whole);
}

Value *DivisionBuilder::longRemainder(Value *truncated, Value *isAdjusted) {
  Value *zero = number(0);
  Value *rest =
      b.CreateSelect(isAdjusted, b.CreateFAdd(truncated, divisor), truncated);
  rest = b.CreateSelect(b.CreateFCmpOEQ(truncated, zero),
                        copySign(zero, divisor), rest);
  return b.CreateSelect(b.CreateFCmpOEQ(divisor, zero), truncated, rest);
}

/// NumPy's npy_divmod, which is Python's divmod of floats.
void DivisionBuilder::emitLong(Division division, Function &fmod) {
  Value *zero = number(0);
  Value *truncated = b.CreateCall(&fmod, {dividend, divisor});
  Value *signsDiffer = b.CreateXor(b.CreateFCmpOLT(divisor, zero),
                                   b.CreateFCmpOLT(truncated, zero));
  Value *isAdjusted =
      b.CreateAnd(b.CreateFCmpUNE(truncated, zero), signsDiffer);
  SmallVector<Value *, 2> results;
  if (hasQuotient(division))
    results.push_back(longQuotient(truncated, isAdjusted));
  if (hasRemainder(division))
    results.push_back(longRemainder(truncated, isAdjusted));
  if (division == Division::Fmod)
    results.push_back(truncated);
  ret(results);
}

Value *DivisionBuilder::callLong(Division division, Function &fmod) {
  Function *longWay =
      Function::Create(function.getFunctionType(), GlobalValue::InternalLinkage,
                       function.getName() + ".long", *function.getParent());
  longWay->setAttributes(function.getAttributes());
  longWay->addFnAttr(Attribute::NoInline);
  longWay->addFnAttr(Attribute::Cold);
  DivisionBuilder(*longWay).emitLong(division, fmod);
  return b.CreateCall(longWay, {dividend, divisor});
}

void DivisionBuilder::emitQuick(Division division, const DivisionMeans &means) {
  const bool isFmod = division == Division::Fmod;
  Value *x = isFmod ? magnitude(dividend) : turned(dividend);
  Value *y = magnitude(divisor);
  Estimate found = means.estimate(b, x, y);
  // Rounding keeps the sign of a zero.
  Value *near = b.CreateUnaryIntrinsic(Intrinsic::roundeven, found.quotient);
  Value *rest = b.CreateBitCast(fma(b.CreateFNeg(near), y, x), bits);
  Value *isAbove = b.CreateICmpSLT(rest, Constant::getNullValue(bits));
  Value *whole = b.CreateSelect(isAbove, b.CreateFSub(near, number(1)), near);
  SmallVector<Value *, 2> results;
  if (hasQuotient(division))
    results.push_back(whole);
  if (division != Division::FloorDivide) {
    Value *remainder = fma(b.CreateFNeg(whole), y, x);
    results.push_back(isFmod ? copySign(remainder, dividend)
                             : turned(remainder));
  }
  LLVMContext &context = function.getContext();
  BasicBlock *entry = b.GetInsertBlock(),
             *rare = BasicBlock::Create(context, "", &function),
             *done = BasicBlock::Create(context, "", &function);
  Value *isRare =
      type->isVectorTy() ? b.CreateOrReduce(found.isRare) : found.isRare;
  b.CreateCondBr(isRare, rare, done,
                 MDBuilder(context).createUnlikelyBranchWeights());
  b.SetInsertPoint(rare);
  Value *exact = callLong(division, *means.fmod);
  SmallVector<Value *, 2> exactResults = {exact};
  if (results.size() > 1)
    exactResults = {b.CreateExtractValue(exact, 0),
                    b.CreateExtractValue(exact, 1)};
  b.CreateBr(done);
  b.SetInsertPoint(done);
  for (auto [result, exactResult] : zip(results, exactResults)) {
    PHINode *either = b.CreatePHI(type, 2);
    either->addIncoming(result, entry);
    either->addIncoming(exactResult, rare);
    result = either;
  }
  ret(results);
}

static void makeInternal(Function &function) {
  function.setLinkage(GlobalValue::InternalLinkage);
  function.addFnAttr(Attribute::AlwaysInline);
}

void kern::compiler::defineDivision(Function &function, Division division,
                                    const DivisionMeans &means) {
  DivisionBuilder(function).emitQuick(division, means);
  makeInternal(function);
}

void kern::compiler::defineLongDivision(Function &function, Division division,
                                        Function &fmod) {
  DivisionBuilder(function).emitLong(division, fmod);
  makeInternal(function);
}
