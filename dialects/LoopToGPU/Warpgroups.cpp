//===- Warpgroups.cpp - four warps that multiply matrices -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX's wgmma, which reads both factors from shared memory. Descriptors say how
// they lie there (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions").
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/TileGroup.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The iterations of one instruction, and of all of an operation.
static constexpr unsigned depthOfOne = 16, depth = 64;
/// Of the layout: 8 lines of 128 bytes.
static constexpr int64_t lineBytes = 128, groupBytes = 8 * lineBytes;

static LLVM::InlineAsmOp emitAssembly(KernelBuilder &b, TypeRange results,
                                      ValueRange operands, StringRef text,
                                      StringRef constraints) {
  return LLVM::InlineAsmOp::create(
      b, results, operands, text, constraints, /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
}

/// An instruction that changes sums in their registers, which operands follow.
static SmallVector<Value> changeSums(KernelBuilder &b, ValueRange sums,
                                     ValueRange others, StringRef text) {
  std::string constraints;
  for (size_t i = 0; i < sums.size(); ++i)
    constraints += "=f,";
  for (size_t i = 0; i < others.size(); ++i)
    constraints += "l,";
  for (size_t i = 0; i < sums.size(); ++i)
    constraints += std::to_string(i) + ",";
  SmallVector<Value> operands(others);
  operands.append(sums.begin(), sums.end());
  SmallVector<Type> types(sums.size(), b.getF32Type());
  Type all = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  Value made =
      emitAssembly(b, all, operands, text, constraints + "~{memory}").getRes();
  SmallVector<Value> results;
  for (int64_t i = 0; i < int64_t(sums.size()); ++i)
    results.push_back(
        LLVM::ExtractValueOp::create(b, made, ArrayRef<int64_t>{i}));
  return results;
}

/// The descriptor of a matrix that begins at `address`. If it `isTransposed`,
/// its columns of 128 bytes have a line for each iteration, and the next column
/// follows after all of them. Otherwise there is one column.
static Value descriptorOf(KernelBuilder &b, Value address, bool isTransposed) {
  constexpr int64_t unit = 16, swizzle128 = int64_t(1) << 62;
  const int64_t nextColumn = isTransposed ? depth * lineBytes / unit : 1;
  const int64_t nextGroup = groupBytes / unit;
  constexpr int64_t window = (int64_t(1) << 18) - 1;
  Value place =
      b.div(b.bitAnd(b.addressOf(address), b.i64(window)), b.i64(unit));
  return b.bitOr(place, b.i64(swizzle128 | nextGroup << 32 | nextColumn << 16));
}

void TileGroup::fenceShared(KernelBuilder &b, FenceSharedOp) {
  emitAssembly(b, TypeRange(), ValueRange(), "fence.proxy.async.shared::cta;",
               "~{memory}");
}

SmallVector<Value> TileGroup::startProduct(KernelBuilder &b, StartProductOp op,
                                           Value left, Value right) {
  size_t count = op.getSums().size();
  std::string sums = "{";
  for (size_t i = 0; i < count; ++i)
    sums += (i ? ", $" : "$") + std::to_string(i);
  sums += "}";
  const bool isBrain = op.getLeft().getType().getElementType().isBF16();
  const std::string type = isBrain ? ".bf16" : ".f16";
  const std::string transposed =
      std::string(op.getLeftTransposed() ? "1" : "0") +
      (op.getRightTransposed() ? ", 1" : ", 0");
  SmallVector<Value> descriptors;
  auto step = [&](bool isTransposed) {
    constexpr int64_t unit = 16, size = 2;
    return depthOfOne * (isTransposed ? lineBytes : size) / unit;
  };
  Value ofLeft = descriptorOf(b, left, op.getLeftTransposed());
  Value ofRight = descriptorOf(b, right, op.getRightTransposed());
  std::string text = "{ .reg .pred p; setp.eq.u32 p, 0, 0; "
                     "wgmma.fence.sync.aligned; ";
  for (int64_t i = 0; i < depth / depthOfOne; ++i) {
    size_t at = count + descriptors.size();
    descriptors.push_back(
        b.add(ofLeft, b.i64(i * step(op.getLeftTransposed()))));
    descriptors.push_back(
        b.add(ofRight, b.i64(i * step(op.getRightTransposed()))));
    text += "wgmma.mma_async.sync.aligned.m64n256k16.f32" + type + type + " " +
            sums + ", $" + std::to_string(at) + ", $" + std::to_string(at + 1) +
            ", p, 1, 1, " + transposed + "; ";
  }
  text += "wgmma.commit_group.sync.aligned; }";
  return changeSums(b, op.getSums(), descriptors, text);
}

SmallVector<Value> TileGroup::awaitProduct(KernelBuilder &b,
                                           AwaitProductOp op) {
  auto ahead = op->getAttrOfType<IntegerAttr>(aheadAttribute);
  return changeSums(b, op.getSums(), ValueRange(),
                    "wgmma.wait_group.sync.aligned " +
                        std::to_string(ahead ? ahead.getInt() : 0) + ";");
}
