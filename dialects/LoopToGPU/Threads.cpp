//===- Threads.cpp - registers and synchronisation of threads -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Threads.h"

#include "dialects/LoopToGPU/LoopToGPU.h"
#include "runtime/artefact/Nest.h"

using namespace mlir;
using namespace kern::ir::loop;

static StringRef intrinsicOf(Register which) {
  switch (which) {
  case Register::ThreadX:
    return "llvm.nvvm.read.ptx.sreg.tid.x";
  case Register::ThreadY:
    return "llvm.nvvm.read.ptx.sreg.tid.y";
  case Register::BlockX:
    return "llvm.nvvm.read.ptx.sreg.ctaid.x";
  case Register::BlockSizeX:
    return "llvm.nvvm.read.ptx.sreg.ntid.x";
  case Register::BlockSizeY:
    return "llvm.nvvm.read.ptx.sreg.ntid.y";
  case Register::GridSizeX:
    return "llvm.nvvm.read.ptx.sreg.nctaid.x";
  case Register::Lane:
    return "llvm.nvvm.read.ptx.sreg.laneid";
  }
  llvm_unreachable("all registers are handled");
}

static Value callWithResult(KernelBuilder &b, StringRef intrinsic, Type result,
                            ValueRange operands = {}) {
  return LLVM::CallIntrinsicOp::create(b, result, b.getStringAttr(intrinsic),
                                       operands)
      .getResult(0);
}

static void call(KernelBuilder &b, StringRef intrinsic, ValueRange operands) {
  LLVM::CallIntrinsicOp::create(b, b.getStringAttr(intrinsic), operands);
}

Value kern::ir::loop::readRegister(KernelBuilder &b, Register which) {
  return callWithResult(b, intrinsicOf(which), b.getI32Type());
}

Value kern::ir::loop::spreadPlace(KernelBuilder &b, Value thread) {
  constexpr unsigned warp = 32, elements = kern::runtime::spreadElements;
  Value first = b.mul(b.div(thread, b.i32(warp)), b.i32(elements));
  return b.add(first, b.bitAnd(thread, b.i32(elements - 1)));
}

void kern::ir::loop::waitForBlock(KernelBuilder &b) {
  call(b, "llvm.nvvm.barrier.cta.sync.aligned.all", b.i32(0));
}

void kern::ir::loop::waitForWarp(KernelBuilder &b, Value members) {
  call(b, "llvm.nvvm.bar.warp.sync", members);
}

void kern::ir::loop::pause(KernelBuilder &b, unsigned nanoseconds) {
  call(b, "llvm.nvvm.nanosleep", b.i32(int32_t(nanoseconds)));
}

Value kern::ir::loop::exchange(KernelBuilder &b, Value word, Value distance,
                               Value members) {
  Type type = word.getType();
  return callWithResult(b,
                        type.isF32() ? "llvm.nvvm.shfl.sync.bfly.f32"
                                     : "llvm.nvvm.shfl.sync.bfly.i32",
                        type, {members, word, distance, b.i32(31)});
}

Value kern::ir::loop::ofLane(KernelBuilder &b, Value word, Value lane,
                             Value members) {
  return callWithResult(b, "llvm.nvvm.shfl.sync.idx.i32", b.getI32Type(),
                        {members ? members : b.i32(-1), word, lane, b.i32(31)});
}

Value kern::ir::loop::earlierLane(KernelBuilder &b, Value word,
                                  unsigned distance, Value members) {
  return callWithResult(b, "llvm.nvvm.shfl.sync.up.i32", b.getI32Type(),
                        {members, word, b.i32(int32_t(distance)), b.i32(0)});
}

Value kern::ir::loop::inAllLanes(KernelBuilder &b, Value condition) {
  return callWithResult(b, "llvm.nvvm.vote.all.sync", b.getI1Type(),
                        {b.i32(-1), condition});
}

Value kern::ir::loop::activeLanes(KernelBuilder &b) {
  return callWithResult(b, "llvm.nvvm.activemask", b.getI32Type(), {});
}

void kern::ir::loop::copyAsync(KernelBuilder &b, Value to, Value from,
                               unsigned bytes) {
  // Whole lines gain nothing from the nearest cache.
  std::string name = std::string("llvm.nvvm.cp.async.") +
                     (bytes == 16 ? "cg" : "ca") + ".shared.global." +
                     std::to_string(bytes);
  call(b, name, {to, from});
}

void kern::ir::loop::waitForCopies(KernelBuilder &b,
                                   std::optional<int64_t> ahead) {
  if (!ahead) {
    call(b, "llvm.nvvm.cp.async.wait.all", {});
    return;
  }
  call(b, "llvm.nvvm.cp.async.commit.group", {});
  call(b, "llvm.nvvm.cp.async.wait.group", b.i32(int32_t(*ahead)));
}

/// The constraint for a value in a register; empty for one that assembly does
/// not take.
static StringRef registerConstraint(Type type) {
  if (type.isF32())
    return "=f,0";
  if (type.isF64())
    return "=d,0";
  if (type.isInteger(32))
    return "=r,0";
  return type.isInteger(64) ? "=l,0" : "";
}

Value kern::ir::loop::keep(KernelBuilder &b, Value value) {
  if (isa<VectorType>(value.getType())) { // a complex number
    for (int64_t part : {0, 1}) {
      Value number = LLVM::ExtractElementOp::create(b, value, b.i64(part));
      value =
          LLVM::InsertElementOp::create(b, value, keep(b, number), b.i64(part));
    }
    return value;
  }
  StringRef constraint = registerConstraint(value.getType());
  if (constraint.empty())
    return value;
  return LLVM::InlineAsmOp::create(b, value.getType(), value,
                                   /*asm_string=*/"", constraint,
                                   /*has_side_effects=*/true,
                                   /*is_align_stack=*/false,
                                   LLVM::tailcallkind::TailCallKind::None,
                                   LLVM::AsmDialectAttr(), ArrayAttr())
      .getResult(0);
}

void kern::ir::loop::makeKernel(LLVM::LLVMFuncOp function, BlockLimit limit,
                                bool waits) {
  Builder b(function.getContext());
  function.setCConv(LLVM::CConv::PTX_Kernel);
  SmallVector<Attribute> attributes = {
      b.getStrArrayAttr({"nvvm.maxntid", std::to_string(limit.threads)})};
  if (limit.perMultiprocessor > 1)
    attributes.push_back(b.getStrArrayAttr(
        {"nvvm.minctasm", std::to_string(limit.perMultiprocessor)}));
  if (limit.registers)
    attributes.push_back(
        b.getStrArrayAttr({"nvvm.maxnreg", std::to_string(limit.registers)}));
  if (waits)
    attributes.push_back(b.getStringAttr("kern-waits"));
  function.setPassthroughAttr(b.getArrayAttr(attributes));
}
