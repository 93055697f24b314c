//===- Matrices.cpp - units that multiply matrices ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/TileGroup.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The numbers `$first … $(first + count - 1)` of assembly, in braces.
static std::string registers(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", $" : "$") + std::to_string(first + i);
  return text + "}";
}

/// Emits an instruction of all lanes of a warp, with four results. It is
/// volatile, so that it stays where all lanes arrive.
static SmallVector<Value> emit(KernelBuilder &b, StringRef text,
                               StringRef constraints, Type result,
                               ValueRange operands) {
  SmallVector<Type> types(4, result);
  Value all =
      LLVM::InlineAsmOp::create(
          b, LLVM::LLVMStructType::getLiteral(b.getContext(), types), operands,
          text, constraints, /*has_side_effects=*/true,
          /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
          LLVM::AsmDialectAttr(), ArrayAttr())
          .getRes();
  SmallVector<Value> results;
  for (int64_t i = 0; i < 4; ++i)
    results.push_back(
        LLVM::ExtractValueOp::create(b, all, ArrayRef<int64_t>{i}));
  return results;
}

SmallVector<Value> TileGroup::loadMatrices(KernelBuilder &b, LoadMatricesOp op,
                                           Value address) {
  std::string text = "ldmatrix.sync.aligned.m8n8.x4" +
                     std::string(op.getTransposed() ? ".trans" : "") +
                     ".shared.b16 " + registers(0, 4) + ", [$4];";
  return emit(b, text, "=r,=r,=r,=r,l,~{memory}", b.getI32Type(), address);
}

/// "=f,=f,=f,=f,r,r,…,0,1,2,3": results, factors, and the sums in the registers
/// of the results.
static std::string constraintsOf(char sum, char factor, size_t factors) {
  std::string text;
  for (unsigned i = 0; i < 4; ++i)
    text += std::string(i ? "," : "") + "=" + sum;
  for (size_t i = 0; i < factors; ++i)
    text += std::string(",") + factor;
  return text + ",0,1,2,3";
}

/// Multiplies with an instruction of `shape` and these types.
static SmallVector<Value> multiplyAtOnce(KernelBuilder &b, StringRef shape,
                                         StringRef types, ValueRange left,
                                         ValueRange right, ValueRange sums) {
  bool isWide = sums[0].getType().isF64();
  unsigned lefts = left.size(), rights = right.size();
  std::string text =
      ("mma.sync.aligned." + shape + ".row.col." + types + " " +
       registers(0, 4) + ", " + registers(4, lefts) + ", " +
       registers(4 + lefts, rights) + ", " + registers(0, 4) + ";")
          .str();
  SmallVector<Value> operands(left);
  operands.append(right.begin(), right.end());
  operands.append(sums.begin(), sums.end());
  return emit(
      b, text,
      constraintsOf(isWide ? 'd' : 'f', isWide ? 'd' : 'r', lefts + rights),
      sums[0].getType(), operands);
}

/// Multiplies matrices of f64 by instructions for 8 rows and 4 columns.
static SmallVector<Value> multiplyInParts(KernelBuilder &b, ValueRange left,
                                          ValueRange right, ValueRange sums) {
  SmallVector<Value> all(sums);
  for (unsigned part = 0; part < right.size(); ++part) {
    SmallVector<Value> operands = {left[2 * part], left[2 * part + 1],
                                   right[part]};
    operands.append(all);
    StringRef one = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 ";
    std::string text = (one + "{$0, $1}, {$4}, {$6}, {$0, $1}; " + one +
                        "{$2, $3}, {$5}, {$6}, {$2, $3};")
                           .str();
    all =
        emit(b, text, constraintsOf('d', 'd', 3), sums[0].getType(), operands);
  }
  return all;
}

SmallVector<Value> TileGroup::multiply(KernelBuilder &b,
                                       MultiplyMatricesOp op) {
  Type element = op.getElement();
  if (element.isF64() && computeCapability < 90)
    return multiplyInParts(b, op.getLeft(), op.getRight(), op.getSums());
  StringRef types = element.isF64()    ? "f64.f64.f64.f64"
                    : element.isBF16() ? "f32.bf16.bf16.f32"
                                       : "f32.f16.f16.f32";
  return multiplyAtOnce(b, "m16n8k16", types, op.getLeft(), op.getRight(),
                        op.getSums());
}
