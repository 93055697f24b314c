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
using namespace kern::ir::loop;

namespace {

/// The ranges in which nothing underflows or overflows, as exponents of two.
/// The quotient of numbers in range is a normal number. The remainder is a
/// multiple of 2^-108 times the dividend, and so exact.
constexpr int divisorRange = 100, dividendRange = 900;

class Divisions {
public:
  explicit Divisions(KernelBuilder &b) : b(b) {}
  /// Replaces a division. `isRight` becomes false if the result is not valid.
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
  /// Whether the reciprocal of a divisor is correctly rounded.
  Value isRegular(Value d);
  /// Whether the magnitude of `x` is between 2^-exponent and 2^exponent.
  Value isBetween(Value x, int exponent);

  KernelBuilder &b;
};

} // namespace

/// Compares the upper halves of positive f64 as f32: they have the same order,
/// and the GPU compares f32 faster.
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

/// Markstein's theorem has one exception: for a significand of all ones, the
/// last step ends in a tie.
Value Divisions::isRegular(Value d) {
  Value significand =
      b.bitAnd(b.add(bits(d), b.i64(1)), b.i64((int64_t(1) << 52) - 1));
  Value hasZeros =
      b.compare(KernelBuilder::Predicate::ne, significand, b.i64(0));
  return b.bitAnd(isBetween(d, divisorRange), hasZeros);
}

/// The correctly rounded 1/d of a regular divisor, computed like the driver's
/// division but without a branch. An approximation with 20 bits becomes one
/// with 60 bits and then, by Markstein's theorem, the nearest number.
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
  // A positive zero also gives the right quotient, and it is a common value of
  // differences and exponentials.
  Value isZero = b.compare(KernelBuilder::Predicate::eq, bits(x), b.i64(0));
  Value test =
      b.bitAnd(b.bitOr(isBetween(x, dividendRange), isZero), isRegular(d));
  isRight = isRight ? b.bitAnd(isRight, test) : test;
  op.erase();
}

/// The divisions of the entry block by a divisor that depends on scalars and
/// constants alone. The entry block dominates all others.
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

/// Makes `function` return `flag` after its results.
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

ScalarBody kern::ir::loop::makeScalarBody(KernelBuilder &b,
                                          LLVM::LLVMFuncOp body) {
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
