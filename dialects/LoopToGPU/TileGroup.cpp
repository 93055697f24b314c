//===- TileGroup.cpp - the threads of a tile ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/TileGroup.h"

#include "dialects/LoopToGPU/SharedSlots.h"
#include "dialects/LoopToGPU/Threads.h"
#include "dialects/LoopToLLVM/Chunk.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

static constexpr unsigned warp = 32;

unsigned kern::ir::loop::tileBlock(KernelOp kernel) {
  constexpr unsigned smallBlock = 128;
  return std::max(unsigned((*kernel.getTile())[2]), smallBlock);
}

TileGroup::TileGroup(KernelOp kernel, unsigned computeCapability)
    : symbol("__kern_tile_" + kernel.getSymName().str()),
      threads(unsigned((*kernel.getTile())[2])), block(tileBlock(kernel)),
      bytes(unsigned((*kernel.getTile())[3])),
      isAsynchronous(computeCapability >= 80) {}

/// The mask of the group's lanes in its warp.
void TileGroup::barrier(KernelBuilder &b, BarrierOp) {
  if (threads > warp) {
    waitForBlock(b);
    return;
  }
  auto members = uint32_t((uint64_t(1) << threads) - 1);
  Value first = arith::AndIOp::create(b, readRegister(b, Register::Lane),
                                      b.i32(-int32_t(threads)));
  waitForWarp(b, arith::ShLIOp::create(b, b.i32(int32_t(members)), first));
}

Value TileGroup::sharedMemory(KernelBuilder &b) {
  Value memory = sharedMemoryOf(b, symbol, bytes * (block / threads));
  if (block == threads)
    return memory;
  Value thread = readRegister(b, Register::ThreadX);
  Value group = b.bitAnd(b.div(thread, b.i32(int32_t(threads))),
                         b.i32(int32_t(block / threads - 1)));
  return b.offset(memory, b.widen(b.mul(group, b.i32(int32_t(bytes)))));
}

/// Copies with the help of a predicate, without a branch.
static void copyAsynchronously(KernelBuilder &b, unsigned size, Value source,
                               Value target, Value condition) {
  Value flag = arith::ExtUIOp::create(b, b.getI32Type(), condition);
  std::string text = "{ .reg .pred p; setp.ne.b32 p, $2, 0; "
                     "@p cp.async." +
                     std::string(size == 16 ? "cg" : "ca") +
                     ".shared.global [$0], [$1], " + std::to_string(size) +
                     "; }";
  LLVM::InlineAsmOp::create(b, TypeRange(), ValueRange{target, source, flag},
                            text, "l,l,r,~{memory}",
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None,
                            LLVM::AsmDialectAttr(), ArrayAttr());
}

void TileGroup::fetch(KernelBuilder &b, FetchOp op, Value source,
                      Value target) {
  Type element = op.getSource().getType().getElementType();
  unsigned count = 1;
  if (auto several = op->getAttrOfType<IntegerAttr>(fetchedElements))
    count = unsigned(several.getInt());
  unsigned size = count * storedSize(element);
  if (isAsynchronous && (size == 4 || size == 8 || size == 16)) {
    copyAsynchronously(b, size, source, target, op.getCondition());
    return;
  }
  Block *before = op->getBlock(), *after = before->splitBlock(op);
  b.at(before);
  Block *inside = b.block();
  b.branch(op.getCondition(), inside, after);
  b.at(inside);
  if (count == 1) {
    b.store(b.load(element, source), target);
  } else {
    ChunkAccess access{b, count};
    LLVM::StoreOp::create(b, access.load(element, source), target, size);
  }
  b.branch(after);
  b.setInsertionPointToStart(after);
}

void TileGroup::await(KernelBuilder &b) {
  if (!isAsynchronous)
    return;
  LLVM::InlineAsmOp::create(b, TypeRange(), ValueRange(), "cp.async.wait_all;",
                            "~{memory}",
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None,
                            LLVM::AsmDialectAttr(), ArrayAttr());
}
