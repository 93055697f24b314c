//===- FlowOrderTest.cpp - blocks in the order values flow ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/FlowOrder.h"

#include "dialects/Kern/Kern.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace kern::compiler;
using namespace kern::ir;

namespace {

/// The order of a region with these edges, as "0 (1 2) 3": numbers of blocks,
/// loops in brackets.
std::string orderOf(std::vector<std::vector<unsigned>> edges) {
  MLIRContext context;
  context.loadDialect<cf::ControlFlowDialect, KernDialect>();
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  Region region;
  std::vector<Block *> blocks;
  for (size_t i = 0; i < edges.size(); ++i) {
    blocks.push_back(new Block());
    region.push_back(blocks.back()); // owns it
  }
  for (auto [block, successors] : llvm::zip(blocks, edges)) {
    builder.setInsertionPointToEnd(block);
    if (successors.size() == 1)
      cf::BranchOp::create(builder, loc, blocks[successors[0]]);
    if (successors.size() != 2)
      continue;
    Value condition = ConstantOp::create(builder, loc, builder.getI1Type(),
                                         builder.getBoolAttr(true));
    cf::CondBranchOp::create(builder, loc, condition, blocks[successors[0]],
                             blocks[successors[1]]);
  }
  std::vector<FlowStep> steps = flowOrder(region);
  std::string text;
  std::vector<unsigned> ends;
  for (auto [index, step] : llvm::enumerate(steps)) {
    text += index ? " " : "";
    if (step.loopEnd) {
      text += "(";
      ends.push_back(step.loopEnd);
    }
    text += std::to_string(llvm::find(blocks, step.block) - blocks.begin());
    for (; !ends.empty() && ends.back() == index + 1; ends.pop_back())
      text += ")";
  }
  for (Block &block : region)
    block.dropAllReferences();
  return text;
}

TEST(FlowOrder, Branches) {
  EXPECT_EQ(orderOf({{}}), "0");
  EXPECT_EQ(orderOf({{1}, {}}), "0 1");
  // An unreachable block is not in the order.
  EXPECT_EQ(orderOf({{2}, {2}, {}}), "0 2");
  // Where paths meet comes after both.
  std::string diamond = orderOf({{1, 2}, {3}, {3}, {}});
  EXPECT_TRUE(diamond == "0 1 2 3" || diamond == "0 2 1 3") << diamond;
}

TEST(FlowOrder, Loops) {
  // head 1, body 2, exit 3.
  EXPECT_EQ(orderOf({{1}, {2, 3}, {1}, {}}), "0 (1 2) 3");
  // A block that jumps to itself.
  EXPECT_EQ(orderOf({{1}, {1, 2}, {}}), "0 (1) 2");
  // The way out leaves from the middle, as of `while True` with a `break`.
  EXPECT_EQ(orderOf({{1}, {2}, {4, 3}, {1}, {}}), "0 (1 2 3) 4");
  // Blocks after a loop are never inside it, whichever successor is first.
  EXPECT_EQ(orderOf({{1}, {3, 2}, {1}, {}}), "0 (1 2) 3");
}

TEST(FlowOrder, Nested) {
  // Outer head 1, inner head 2 with body 3, then 4 back to 1; exit 5.
  EXPECT_EQ(orderOf({{1}, {2, 5}, {3, 4}, {2}, {1}, {}}), "0 (1 (2 3) 4) 5");
  // Two loops, one after the other.
  EXPECT_EQ(orderOf({{1}, {2, 3}, {1}, {4, 5}, {3}, {}}), "0 (1 2) (3 4) 5");
  // A `break` of the inner loop that also leaves the outer one.
  EXPECT_EQ(orderOf({{1}, {2}, {3, 4}, {2, 5}, {1}, {}}), "0 (1 (2 3) 4) 5");
}

} // namespace
