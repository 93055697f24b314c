//===- ScalarOperationsTest.cpp - beside MLIR's own conversion ------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/LLVMModule.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Transforms/DialectConversion.h"
#include "gtest/gtest.h"

using namespace mlir;

static void convertByPatterns(ModuleOp module) {
  MLIRContext *context = module.getContext();
  LLVMTypeConverter types(context);
  RewritePatternSet patterns(context);
  arith::populateArithToLLVMConversionPatterns(types, patterns);
  populateMathToLLVMConversionPatterns(types, patterns);
  cf::populateControlFlowToLLVMConversionPatterns(types, patterns);
  LLVMConversionTarget target(*context);
  target.addLegalOp<ModuleOp>();
  ASSERT_TRUE(
      succeeded(applyFullConversion(module, target, std::move(patterns))));
}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream);
  return text;
}

namespace {
class ScalarOperations : public testing::Test {
protected:
  ScalarOperations() {
    context.loadDialect<arith::ArithDialect, cf::ControlFlowDialect,
                        LLVM::LLVMDialect, math::MathDialect>();
  }
  OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseSourceString<ModuleOp>(text, &context);
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
};
} // namespace

TEST_F(ScalarOperations, AreThoseOfMlirsPatterns) {
  const char *const lines[] = {
      "arith.constant 7 : i64",
      "arith.constant -0.0 : f16",
      "arith.constant dense<[1, 2]> : vector<2xi8>",
      "arith.addi %i, %j overflow<nsw> : i32",
      "arith.subi %i, %j overflow<nuw> : i32",
      "arith.muli %i, %j : i32",
      "arith.shli %i, %j overflow<nsw, nuw> : i32",
      "arith.shrui %i, %j : i32",
      "arith.shrsi %i, %j exact : i32",
      "arith.divui %i, %j exact : i32",
      "arith.divsi %i, %j : i32",
      "arith.remui %i, %j : i32",
      "arith.remsi %i, %j : i32",
      "arith.andi %i, %j : i32",
      "arith.ori %i, %j : i32",
      "arith.xori %i, %j : i32",
      "arith.minui %i, %j : i32",
      "arith.maxui %i, %j : i32",
      "arith.minsi %i, %j : i32",
      "arith.maxsi %i, %j : i32",
      "arith.cmpi eq, %i, %j : i32",
      "arith.cmpi ne, %i, %j : i32",
      "arith.cmpi slt, %i, %j : i32",
      "arith.cmpi sle, %i, %j : i32",
      "arith.cmpi sgt, %i, %j : i32",
      "arith.cmpi sge, %i, %j : i32",
      "arith.cmpi ult, %i, %j : i32",
      "arith.cmpi ule, %i, %j : i32",
      "arith.cmpi ugt, %i, %j : i32",
      "arith.cmpi uge, %i, %j : i32",
      "arith.extui %i : i32 to i64",
      "arith.extsi %i : i32 to i64",
      "arith.trunci %i overflow<nuw> : i32 to i8",
      "arith.sitofp %i : i32 to f64",
      "arith.uitofp %i : i32 to bf16",
      "arith.bitcast %i : i32 to f32",
      "arith.extf %x : f32 to f64",
      "arith.truncf %x : f32 to f16",
      "arith.addf %x, %y : f32",
      "arith.subf %x, %y fastmath<contract> : f32",
      "arith.mulf %x, %y fastmath<nsz, reassoc> : f32",
      "arith.divf %x, %y fastmath<arcp> : f32",
      "arith.addf %v, %v : vector<4xf32>",
      "arith.negf %x fastmath<nsz> : f32",
      "arith.maximumf %x, %y : f32",
      "arith.minimumf %x, %y fastmath<nsz> : f32",
      "arith.cmpf oeq, %x, %y fastmath<nsz> : f32",
      "arith.cmpf ogt, %x, %y : f32",
      "arith.cmpf oge, %x, %y : f32",
      "arith.cmpf olt, %x, %y : f32",
      "arith.cmpf ole, %x, %y : f32",
      "arith.cmpf one, %x, %y : f32",
      "arith.cmpf ord, %x, %y : f32",
      "arith.cmpf ueq, %x, %y : f32",
      "arith.cmpf une, %x, %y : f32",
      "arith.cmpf uno, %x, %y : f32",
      "arith.select %c, %x, %y : f32",
      "arith.select %c, %p, %q : !llvm.ptr<1>",
      "math.absf %x : f32",
      "math.ceil %x : f32",
      "math.floor %x fastmath<nsz> : f32",
      "math.trunc %x : f32",
      "math.roundeven %x : f32",
      "math.sqrt %x : f32",
      "math.copysign %x, %y : f32",
      "math.ctpop %i : i32",
  };
  std::string text = "llvm.func @f(%i: i32, %j: i32, %x: f32, %y: f32, %c: i1, "
                     "%v: vector<4xf32>, %p: !llvm.ptr<1>, "
                     "%q: !llvm.ptr<1>) {\n";
  for (size_t k = 0; k < std::size(lines); ++k)
    text += "  %r" + std::to_string(k) + " = " + lines[k] + "\n";
  text += "  cf.cond_br %c, ^a(%x : f32), ^a(%y : f32)\n"
          "^a(%z: f32):\n"
          "  cf.br ^b(%z, %i : f32, i32)\n"
          "^b(%s: f32, %t: i32):\n"
          "  llvm.return\n}\n";
  OwningOpRef<ModuleOp> own = parse(text), upstream = parse(text);
  ASSERT_TRUE(own && upstream);
  EXPECT_TRUE(kern::compiler::replaceScalarOperations(*own));
  convertByPatterns(*upstream);
  EXPECT_EQ(print(*own), print(*upstream));
}

TEST_F(ScalarOperations, KeepWhatBranchesSayOfLoops) {
  OwningOpRef<ModuleOp> module =
      parse("#once = #llvm.loop_annotation<disableNonforced = true>\n"
            "llvm.func @f(%c: i1) {\n  cf.br ^a\n^a:\n"
            "  cf.cond_br %c, ^a, ^b {loop_annotation = #once}\n"
            "^b:\n  llvm.return\n}\n");
  ASSERT_TRUE(module);
  EXPECT_TRUE(kern::compiler::replaceScalarOperations(*module));
  unsigned annotated = 0;
  module->walk([&](LLVM::CondBrOp op) {
    annotated += op.getLoopAnnotationAttr() != nullptr;
  });
  EXPECT_EQ(annotated, 1u);
}

TEST_F(ScalarOperations, AreLeftWhereThereIsNoOne) {
  for (const char *line :
       {"arith.floordivsi %i, %j : i32", "arith.index_cast %i : i32 to index",
        "arith.truncf %x to_nearest_even : f64 to f32", "math.exp %x : f64"}) {
    OwningOpRef<ModuleOp> module =
        parse("llvm.func @f(%i: i32, %j: i32, %x: f64) {\n  %r = " +
              std::string(line) + "\n  llvm.return\n}\n");
    ASSERT_TRUE(module) << line;
    std::string before = print(*module);
    EXPECT_FALSE(kern::compiler::replaceScalarOperations(*module)) << line;
    EXPECT_EQ(print(*module), before);
  }
}
