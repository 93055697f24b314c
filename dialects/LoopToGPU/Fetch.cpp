//===- Fetch.cpp - copies into shared memory ------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Fetch.h"

#include "dialects/LoopToGPU/Threads.h"
#include "dialects/LoopToLLVM/Body.h"
#include "dialects/LoopToLLVM/Chunk.h"

using namespace mlir;
using namespace kern::ir::loop;

/// Copies under a predicate, without a branch.
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

void kern::ir::loop::fetchElements(KernelBuilder &b, FetchOp op, Value source,
                                   Value target, bool isAsynchronous) {
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

void kern::ir::loop::fetchFirst(KernelBuilder &b, Value count, unsigned size,
                                Value source, Value target) {
  Value bytes = arith::MulIOp::create(b, count, b.i32(int32_t(size)));
  LLVM::InlineAsmOp::create(
      b, TypeRange(), ValueRange{target, source, bytes},
      "{ .reg .pred p; setp.ge.s32 p, $2, 0; "
      "@p cp.async.cg.shared.global [$0], [$1], 16, $2; }",
      "l,l,r,~{memory}",
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(),
      ArrayAttr());
}

void kern::ir::loop::awaitFetches(KernelBuilder &b, AwaitOp op) {
  if (auto ahead = op->getAttrOfType<IntegerAttr>(aheadAttribute)) {
    waitForCopies(b, ahead.getInt());
    return;
  }
  LLVM::InlineAsmOp::create(b, TypeRange(), ValueRange(), "cp.async.wait_all;",
                            "~{memory}",
                            /*has_side_effects=*/true, /*is_align_stack=*/false,
                            LLVM::tailcallkind::TailCallKind::None,
                            LLVM::AsmDialectAttr(), ArrayAttr());
}
