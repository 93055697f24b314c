//===- ScalarBody.cpp - a body for an array and scalars -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/ScalarBody.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <bit>
#include <cmath>

using namespace mlir;
using namespace kern::loop;

namespace {

/// Where nothing underflows or overflows, as powers of two: the quotient of
/// what is in range is a normal number, and a remainder, which is a multiple of
/// 2^-108 times the dividend, is exact.
constexpr int divisorRange = 100, dividendRange = 900;

class Divisions {
public:
  explicit Divisions(KernelBuilder &b) : b(b) {}
  /// Replaces a division. Clears `isRight` where that is not allowed.
  void replace(arith::DivFOp op, Value &isRight);

private:
  Value constant(double value) {
    return arith::ConstantOp::create(b, b.getF64FloatAttr(value));
  }
  Value bits(Value x) { return arith::BitcastOp::create(b, b.getI64Type(), x); }
  Value fma(Value x, Value y, Value z) {
    return LLVM::FMAOp::create(b, x, y, z);
  }
  Value reciprocal(Value d);
  /// A divisor whose reciprocal comes out right.
  Value isRegular(Value d);
  /// The magnitude of `x` is between 2^-exponent and 2^exponent.
  Value isBetween(Value x, int exponent);

  KernelBuilder &b;
};

} // namespace

/// The upper halves of two positive f64, taken for f32, are ordered as they
/// are, and the GPU compares them faster.
Value Divisions::isBetween(Value x, int exponent) {
  Value high = arith::TruncIOp::create(
      b, b.getI32Type(), arith::ShRUIOp::create(b, bits(x), b.i64(32)));
  Value size = LLVM::FAbsOp::create(
      b, arith::BitcastOp::create(b, b.getF32Type(), high));
  auto limit = [&](int exponent) {
    uint32_t high =
        uint32_t(std::bit_cast<uint64_t>(std::ldexp(1.0, exponent)) >> 32);
    return arith::ConstantOp::create(
        b, b.getF32FloatAttr(std::bit_cast<float>(high)));
  };
  using enum arith::CmpFPredicate;
  return b.bitAnd(arith::CmpFOp::create(b, OGE, size, limit(-exponent)),
                  arith::CmpFOp::create(b, OLE, size, limit(exponent)));
}

/// Markstein's theorem has one exception, a significand of nothing but ones:
/// there the last step ends in a tie.
Value Divisions::isRegular(Value d) {
  Value significand =
      b.bitAnd(b.add(bits(d), b.i64(1)), b.i64((int64_t(1) << 52) - 1));
  Value hasZeros =
      b.compare(KernelBuilder::Predicate::ne, significand, b.i64(0));
  return b.bitAnd(isBetween(d, divisorRange), hasZeros);
}

/// 1/d for a regular divisor, rounded correctly: as the driver's own division
/// has it, but without a branch. An approximation to 20 bits becomes one to 60
/// and then, by Markstein's theorem, the nearest number.
Value Divisions::reciprocal(Value d) {
  Value minus = arith::NegFOp::create(b, d), one = constant(1.0);
  Value y =
      LLVM::CallIntrinsicOp::create(
          b, b.getF64Type(), b.getStringAttr("llvm.nvvm.rcp.approx.ftz.d"), d)
          .getResult(0);
  Value error = fma(y, minus, one);
  y = fma(y, fma(error, error, error), y);
  return fma(y, fma(y, minus, one), y);
}

void Divisions::replace(arith::DivFOp op, Value &isRight) {
  b.setInsertionPoint(op);
  b.setLoc(op.getLoc());
  Value x = op.getLhs(), d = op.getRhs();
  Value y = reciprocal(d);
  Value q = arith::MulFOp::create(b, x, y);
  Value r = fma(arith::NegFOp::create(b, d), q, x);
  op.replaceAllUsesWith(fma(r, y, q));
  // A positive zero gives the right one too, and is what differences and
  // exponentials often are.
  Value isZero = b.compare(KernelBuilder::Predicate::eq, bits(x), b.i64(0));
  Value test =
      b.bitAnd(b.bitOr(isBetween(x, dividendRange), isZero), isRegular(d));
  isRight = isRight ? b.bitAnd(isRight, test) : test;
  op.erase();
}

/// The divisions of the entry block, which dominates all others, by what
/// follows from scalars and constants alone.
static SmallVector<arith::DivFOp> findDivisions(Block &entry) {
  llvm::DenseSet<Value> uniform;
  uniform.insert_range(entry.getArguments().drop_front());
  auto isUniform = [&](Value value) { return uniform.contains(value); };
  SmallVector<arith::DivFOp> divisions;
  for (Operation &op : entry.without_terminator()) {
    if ((isMemoryEffectFree(&op) || isa<func::CallOp>(op)) &&
        llvm::all_of(op.getOperands(), isUniform)) {
      uniform.insert_range(op.getResults());
      continue;
    }
    auto division = dyn_cast<arith::DivFOp>(op);
    if (division && isUniform(division.getRhs()) &&
        division.getType().isF64() &&
        division.getFastmath() == arith::FastMathFlags::none)
      divisions.push_back(division);
  }
  return divisions;
}

/// `function` returns `flag` too, behind its results.
static void returnToo(KernelBuilder &b, LLVM::LLVMFuncOp function, Value flag) {
  Type old = function.getFunctionType().getReturnType();
  auto structure = dyn_cast<LLVM::LLVMStructType>(old);
  SmallVector<Type> types;
  if (structure)
    types.assign(structure.getBody().begin(), structure.getBody().end());
  else
    types.push_back(old);
  types.push_back(flag.getType());
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  function.walk([&](LLVM::ReturnOp op) {
    b.setInsertionPoint(op);
    Value all = LLVM::UndefOp::create(b, type);
    auto put = [&](Value value, size_t at) {
      all = LLVM::InsertValueOp::create(b, all, value,
                                        ArrayRef<int64_t>{int64_t(at)});
    };
    Value results = op.getOperand(0);
    for (size_t i = 0; i + 1 < types.size(); ++i)
      put(structure ? Value(LLVM::ExtractValueOp::create(
                          b, results, ArrayRef<int64_t>{int64_t(i)}))
                    : results,
          i);
    put(flag, types.size() - 1);
    op->setOperand(0, all);
  });
  function.setFunctionType(LLVM::LLVMFunctionType::get(
      type, function.getFunctionType().getParams()));
}

ScalarBody kern::loop::makeScalarBody(KernelBuilder &b, LLVM::LLVMFuncOp body) {
  b.setInsertionPointAfter(body);
  auto function = cast<LLVM::LLVMFuncOp>(b.clone(*body));
  StringRef kernel = body.getSymName().drop_back(StringRef("__body").size());
  function.setSymName((kernel + "__scalars__body").str());
  Value isRight;
  Divisions divisions(b);
  for (arith::DivFOp op : findDivisions(function.getBody().front()))
    divisions.replace(op, isRight);
  if (isRight)
    returnToo(b, function, isRight);
  return {function, bool(isRight)};
}
