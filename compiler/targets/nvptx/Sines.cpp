//===- Sines.cpp - sines and cosines of f32 on the GPU --------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As in libdevice, multiples of π/2 are taken off the angle, in three parts
// (W. J. Cody and W. Waite, "Software Manual for the Elementary Functions",
// 1980), and a polynomial gives the sine or the cosine of the rest. But the
// multiple is rounded by adding 1.5·2^23: conversions to integers and back run
// at half the rate. Angles from 105615 on, for which three parts are not exact
// enough, are left to libdevice, as are infinities and NaN.
//
// A result that will be rounded to f16 or bf16 needs 13 digits less. There
// multiples of π are taken off, so that the sine of the rest is the result, but
// for its sign, and one polynomial serves.
//
// The polynomials are minimax ones (Sollya's fpminimax), and every angle was
// compared with f64: at most 1.52 ULP of f32; of f16 0.51 ULP after rounding;
// for bf16 a relative error of 2^-17.7 before.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

constexpr double halfPi[] = {0x1.921fb4p+0, 0x1.4442dp-24, 0x1.84698ap-48};
constexpr double twoByPi = 0x1.45f306p-1;
/// A sum with this is a whole number.
constexpr double rounding = 0x1.8p+23;
constexpr double exactBelow = 105615;

/// sin(r) = r + r s P(s) and cos(r) = 1 + s P(s), with s = r², for |r| <= π/4.
constexpr double sine[] = {-0x1.555552p-3, 0x1.110bep-7, -0x1.9ab0cap-13},
                 cosine[] = {-0.5, 0x1.55554ep-5, -0x1.6c0e62p-10,
                             0x1.9a7e16p-16};
/// The sine for |r| <= π/2, with a relative error of 2^-17.7.
constexpr double roughSine[] = {-0x1.5554a4p-3, 0x1.10c298p-7, -0x1.8b0f0ap-13};
/// tan(r) = r + r s P(s) for |r| <= π/4, with a relative error of 2^-18.1.
constexpr double roughTangent[] = {0x1.55266ap-2, 0x1.16a944p-3, 0x1.53233cp-5,
                                   0x1.60fbap-5};

/// Emits the body of one function.
class SineBuilder {
public:
  explicit SineBuilder(Function &function)
      : function(function),
        b(BasicBlock::Create(function.getContext(), "", &function)),
        angle(function.getArg(0)) {}

  void emitOne(bool isCosine);
  void emitBoth();
  void emitForHalves(bool isCosine, bool hasLimit);
  void emitTangentForHalves(bool hasLimit);

private:
  Value *number(double value) { return ConstantFP::get(b.getFloatTy(), value); }
  Value *fma(Value *x, Value *y, Value *z) {
    return b.CreateIntrinsic(Intrinsic::fma, {b.getFloatTy()}, {x, y, z});
  }
  Value *bits(Value *value) { return b.CreateBitCast(value, b.getInt32Ty()); }
  Value *isOdd(Value *whole) { return b.CreateTrunc(whole, b.getInt1Ty()); }
  Value *square(Value *x) { return b.CreateFMul(x, x); }
  /// The angle without a multiple of `scale` π/2, which has so many parts.
  Value *rest(Value *multiple, double scale, size_t parts);
  Value *polynomial(ArrayRef<double> coefficients, Value *x);
  /// x + x s P(s). The product of a zero x is 0, and its sign stays.
  Value *sineOf(Value *x, ArrayRef<double> coefficients);
  /// With the sign bit of `sign` turned, after a shift.
  Value *turned(Value *value, Value *sign, unsigned shift);
  /// The results, or libdevice's for large angles.
  SmallVector<Value *, 2> orExact(ArrayRef<Value *> results,
                                  ArrayRef<StringRef> functions);

  Function &function;
  IRBuilder<> b;
  Value *angle;
};

} // namespace

Value *SineBuilder::rest(Value *multiple, double scale, size_t parts) {
  Value *left = angle;
  for (double part : ArrayRef(halfPi).take_front(parts))
    left = fma(multiple, number(-scale * part), left);
  return left;
}

Value *SineBuilder::polynomial(ArrayRef<double> coefficients, Value *x) {
  Value *sum = number(coefficients.back());
  for (double coefficient : reverse(coefficients.drop_back()))
    sum = fma(sum, x, number(coefficient));
  return sum;
}

Value *SineBuilder::sineOf(Value *x, ArrayRef<double> coefficients) {
  Value *s = square(x);
  return fma(polynomial(coefficients, s), fma(s, x, number(0)), x);
}

Value *SineBuilder::turned(Value *value, Value *sign, unsigned shift) {
  Value *turn = b.CreateAnd(b.CreateShl(sign, shift), 0x80000000);
  return b.CreateBitCast(b.CreateXor(bits(value), turn), b.getFloatTy());
}

SmallVector<Value *, 2> SineBuilder::orExact(ArrayRef<Value *> results,
                                             ArrayRef<StringRef> functions) {
  LLVMContext &context = function.getContext();
  BasicBlock *entry = b.GetInsertBlock(),
             *rare = BasicBlock::Create(context, "", &function),
             *done = BasicBlock::Create(context, "", &function);
  Value *size = b.CreateUnaryIntrinsic(Intrinsic::fabs, angle);
  b.CreateCondBr(b.CreateFCmpUGE(size, number(exactBelow)), rare, done,
                 MDBuilder(context).createUnlikelyBranchWeights());
  b.SetInsertPoint(rare);
  SmallVector<Value *, 2> exact;
  for (StringRef name : functions) {
    FunctionCallee callee = function.getParent()->getOrInsertFunction(
        name, FunctionType::get(b.getFloatTy(), {b.getFloatTy()}, false));
    CallInst *call = b.CreateCall(callee, {angle});
    call->addFnAttr(Attribute::NoInline);
    exact.push_back(call);
  }
  b.CreateBr(done);
  b.SetInsertPoint(done);
  SmallVector<Value *, 2> either;
  for (auto [quick, slow] : zip(results, exact)) {
    PHINode *result = b.CreatePHI(b.getFloatTy(), 2);
    result->addIncoming(quick, entry);
    result->addIncoming(slow, rare);
    either.push_back(result);
  }
  return either;
}

/// The cosine is the sine of a quarter more. One polynomial is evaluated, with
/// the coefficients of what the quarter asks for.
void SineBuilder::emitOne(bool isCosine) {
  Value *shift = number(rounding + isCosine);
  Value *sum = fma(angle, number(twoByPi), shift), *quarter = bits(sum);
  Value *r = rest(b.CreateFSub(sum, shift), 1, std::size(halfPi));
  Value *s = square(r), *odd = isOdd(quarter);
  auto either = [&](double ofCosine, double ofSine) {
    return b.CreateSelect(odd, number(ofCosine), number(ofSine));
  };
  Value *sum3 = b.CreateSelect(
      odd, fma(number(cosine[3]), s, number(cosine[2])), number(sine[2]));
  sum3 = fma(sum3, s, either(cosine[1], sine[1]));
  sum3 = fma(sum3, s, either(cosine[0], sine[0]));
  Value *first = b.CreateSelect(odd, number(1), r);
  Value *result = fma(sum3, fma(s, first, number(0)), first);
  b.CreateRet(orExact({turned(result, quarter, 30)},
                      {isCosine ? "__nv_cosf" : "__nv_sinf"})
                  .front());
}

void SineBuilder::emitBoth() {
  Value *sum = fma(angle, number(twoByPi), number(rounding));
  Value *quarter = bits(sum), *odd = isOdd(quarter);
  Value *r = rest(b.CreateFSub(sum, number(rounding)), 1, std::size(halfPi));
  Value *s = square(r), *ofSine = sineOf(r, sine),
        *ofCosine = fma(polynomial(cosine, s), s, number(1));
  Value *next = b.CreateAdd(quarter, b.getInt32(1));
  SmallVector<Value *, 2> results =
      orExact({turned(b.CreateSelect(odd, ofCosine, ofSine), quarter, 30),
               turned(b.CreateSelect(odd, ofSine, ofCosine), next, 30)},
              {"__nv_sinf", "__nv_cosf"});
  b.CreateStore(results[0], function.getArg(1));
  b.CreateStore(results[1], function.getArg(2));
  b.CreateRetVoid();
}

void SineBuilder::emitForHalves(bool isCosine, bool hasLimit) {
  Value *quotient = number(twoByPi / 2), *shift = number(rounding);
  // The zeros of the cosine lie in the middle.
  Value *sum = isCosine
                   ? b.CreateFAdd(fma(angle, quotient, number(-0.5)), shift)
                   : fma(angle, quotient, shift);
  Value *multiple = b.CreateFSub(sum, shift);
  if (isCosine)
    multiple = b.CreateFAdd(multiple, number(0.5));
  Value *r = rest(multiple, 2, 2);
  if (isCosine)
    r = b.CreateFNeg(r);
  Value *result = turned(sineOf(r, roughSine), bits(sum), 31);
  b.CreateRet(
      hasLimit
          ? orExact({result}, {isCosine ? "__nv_cosf" : "__nv_sinf"}).front()
          : result);
}

/// A quarter more turns the tangent into its negative reciprocal.
void SineBuilder::emitTangentForHalves(bool hasLimit) {
  Value *sum = fma(angle, number(twoByPi), number(rounding));
  Value *r = rest(b.CreateFSub(sum, number(rounding)), 1, 2);
  // A product of -0 keeps its sign, unlike in the sine's sum.
  Value *s = square(r), *rs = b.CreateFMul(r, s);
  Value *tangent = fma(polynomial(roughTangent, s), rs, r);
  Value *inverse = b.CreateFNeg(
      b.CreateIntrinsic(Intrinsic::nvvm_rcp_approx_ftz_f, {}, {tangent}));
  Value *result = b.CreateSelect(isOdd(bits(sum)), inverse, tangent);
  b.CreateRet(hasLimit ? orExact({result}, {"__nv_tanf"}).front() : result);
}

static void emit(Function &function) {
  SineBuilder builder(function);
  StringRef name = function.getName();
  // No f16 is too large.
  const bool hasLimit = name.starts_with("kern.bf16");
  if (name.contains("tan"))
    return builder.emitTangentForHalves(hasLimit);
  if (name == "kern.sincos.f32")
    return builder.emitBoth();
  const bool isCosine = name.contains("cos");
  if (name == "kern.sin.f32" || name == "kern.cos.f32")
    return builder.emitOne(isCosine);
  builder.emitForHalves(isCosine, hasLimit);
}

void kern::compiler::nvptx::defineSines(Module &module) {
  for (StringRef name :
       {"kern.sin.f32", "kern.cos.f32", "kern.sincos.f32", "kern.f16.sin.f32",
        "kern.f16.cos.f32", "kern.f16.tan.f32", "kern.bf16.sin.f32",
        "kern.bf16.cos.f32", "kern.bf16.tan.f32"}) {
    Function *function = module.getFunction(name);
    if (!function || !function->isDeclaration() || function->use_empty())
      continue;
    emit(*function);
    function->setLinkage(GlobalValue::InternalLinkage);
    function->addFnAttr(Attribute::AlwaysInline);
  }
}
