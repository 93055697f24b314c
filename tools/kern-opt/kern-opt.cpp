//===- kern-opt.cpp - runs passes on MLIR text ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mlir-opt for our dialects. The pass kern-emit prints what a target makes of
// the module, as the last of a pipeline.
//
//===----------------------------------------------------------------------===//
#include "tools/kern-opt/Emit.h"

#include "compiler/specialize/SpecializePass.h"
#include "dialects/Kern/Kern.h"
#include "dialects/KernToLoop/KernToLoop.h"
#include "dialects/LoopToGPU/LoopToGPU.h"
#include "dialects/LoopToHost/LoopToHost.h"
#include "dialects/LoopToLLVM/Distribute.h"
#include "dialects/LoopToLLVM/NarrowComparisons.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registry.insert<kern::KernDialect, kern::loop::LoopDialect,
                  mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
                  mlir::complex::ComplexDialect, mlir::func::FuncDialect,
                  mlir::LLVM::LLVMDialect, mlir::math::MathDialect>();
  kern::registerSpecializePass();
  mlir::registerPass(kern::createKernToLoopPass);
  kern::loop::registerNarrowComparisonsPass();
  kern::loop::registerDistributePass();
  kern::loop::registerLoopToGpuPass();
  kern::loop::registerLoopToHostPass();
  kern::registerEmitPass();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Kern's pass driver\n", registry));
}
