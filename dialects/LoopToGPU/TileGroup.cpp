//===- TileGroup.cpp - the threads of a tile ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/TileGroup.h"

#include "dialects/LoopToGPU/Fetch.h"
#include "dialects/LoopToGPU/Forms.h"
#include "dialects/LoopToGPU/SharedSlots.h"
#include "dialects/LoopToGPU/Threads.h"
#include "dialects/LoopToLLVM/Chunk.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

static constexpr unsigned warp = 32;

unsigned kern::ir::loop::tileBlock(KernelOp kernel) {
  constexpr unsigned smallBlock = 128;
  return std::max(unsigned((*kernel.getTile())[2]), smallBlock);
}

TileGroup::TileGroup(KernelOp kernel, unsigned computeCapability)
    : GpuGroup(kernel), symbol("__kern_tile_" + kernel.getSymName().str()),
      threads(unsigned((*kernel.getTile())[2])), block(tileBlock(kernel)),
      bytes(unsigned((*kernel.getTile())[3])),
      computeCapability(computeCapability),
      isAsynchronous(computeCapability >= 80) {
  kernel->walk([&](StartProductOp) { hasWarpgroups = true; });
}

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
  // What warpgroups read repeats every 1024 bytes.
  constexpr unsigned ofWarpgroups = 1024, usual = 16;
  if (bytes > kern::runtime::unaskedSharedBytes)
    return dynamicSharedMemory(b, hasWarpgroups ? ofWarpgroups : usual);
  Value memory = sharedMemoryOf(b, symbol, bytes * (block / threads));
  if (block == threads)
    return memory;
  Value thread = readRegister(b, Register::ThreadX);
  Value group = b.bitAnd(b.div(thread, b.i32(int32_t(threads))),
                         b.i32(int32_t(block / threads - 1)));
  return b.offset(memory, b.widen(b.mul(group, b.i32(int32_t(bytes)))));
}

void TileGroup::fetch(KernelBuilder &b, FetchOp op, Value source,
                      Value target) {
  fetchElements(b, op, source, target, isAsynchronous);
}

void TileGroup::fetchPart(KernelBuilder &b, FetchPartOp op, Value source,
                          Value target) {
  fetchFirst(b, op.getCount(),
             storedSize(op.getSource().getType().getElementType()), source,
             target);
}

void TileGroup::await(KernelBuilder &b, AwaitOp op) {
  if (isAsynchronous)
    awaitFetches(b, op);
}
