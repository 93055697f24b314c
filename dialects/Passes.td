//===- Passes.td - the passes of Kern ----------------------*- tablegen -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every pass over Kern's dialects, in the compiler's order
// (compiler/pipeline/Pipeline.cpp). All are module passes. kern-opt runs each
// on its own.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_PASSES
#define KERN_PASSES

include "mlir/Pass/PassBase.td"

class KernPass<string argument> : Pass<argument, "::mlir::ModuleOp">;

def KernSpecialize : KernPass<"kern-specialize"> {
  let summary = "Specialise polymorphic functions for their types";
  let description = [{
    Replaces each polymorphic function by one typed function for each typed loop
    that its header declares. A generic function is specialised for `types`;
    without them it is removed.
  }];
  let options = [
    ListOption<"types", "types", "std::string",
               "Parameter types for generic functions: f32,i16">,
  ];
  let statistics = [
    Statistic<"made", "specialisations", "typed functions created">,
  ];
}

def KernToLoop : KernPass<"kern-to-loop"> {
  let summary = "Lower typed kern.func to loop.kernel and scalar code";
  let description = [{
    Polymorphic functions are left as they are.
  }];
  let options = [
    Option<"precise", "precise", "bool", "false",
           "Ignore @fastmath, and do not contract">,
  ];
  let dependentDialects = [
    "::kern::ir::loop::LoopDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::complex::ComplexDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect",
  ];
}

def LoopWriteOut : KernPass<"loop-write-out"> {
  let summary = "Write out short reductions over tables of constants";
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::complex::ComplexDialect",
  ];
}

def LoopRecompute : KernPass<"loop-recompute"> {
  let summary = "Compute elements of local arrays again that cost no more than to read";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def LoopMergeReductions : KernPass<"loop-merge-reductions"> {
  let summary = "Give equal reductions of one block one value";
}

def LoopFuse : KernPass<"loop-fuse"> {
  let summary = "Fuse parallel loops that follow each other";
  let description = [{
    An iteration then has in a register what the same iteration of the loop
    before stored (dialects/LoopToLLVM/FuseLoops.h).
  }];
}

def LoopNarrowComparisons : KernPass<"loop-narrow-comparisons"> {
  let summary = "Compare narrow integers with 64-bit inputs in 32 bits";
  let description = [{
    The input is clamped to 32 bits, which keeps the result
    (dialects/LoopToLLVM/NarrowComparisons.h).
  }];
}

def LoopMap : KernPass<"loop-map"> {
  let summary = "Map the loops of gufuncs to a GPU";
  let options = [
    Option<"flat", "flat", "bool", "false",
           "Make iterations of the outermost prange loop elements">,
    Option<"across", "across", "bool", "false",
           "Let neighbouring lanes work on neighbouring loop elements">,
    Option<"sliced", "sliced", "bool", "false",
           "Cut loops into slices, for a chain of launches">,
    Option<"resident", "resident", "unsigned", "0",
           "Keep this many chunks per lane of rows that several loops read">,
    Option<"ahead", "ahead", "bool", "false",
           "Fetch the rows of the next loop element in advance">,
    Option<"recentred", "recentred", "bool", "false",
           "Let slices add up squares about their own means">,
    Option<"privatised", "privatised", "bool", "false",
           "Give each block copies of the arrays that iterations add to">,
    Option<"staged", "staged", "bool", "false",
           "Load and store the elements of each thread through shared memory">,
    Option<"spread", "spread", "bool", "false",
           "Give a warp of a staged kernel few loop elements">,
    Option<"unrolled", "unrolled", "bool", "false",
           "Unroll the loops of each iteration">,
    Option<"tile", "tile", "unsigned", "0",
           "Compute tiles with this many columns">,
    Option<"phase", "phase", "unsigned", "0",
           "Keep this phase of the body alone, from 1 on">,
    ListOption<"constants", "constants", "int64_t",
               "Extents of dimensions that are constants, or 0, in order">,
    Option<"ufunc", "ufunc", "bool", "true",
           "Turn flat kernels that work on single elements into ufuncs">,
    Option<"warpgroups", "warpgroups", "bool", "false",
           "Let four warps of an sm_90a multiply together">,
    Option<"together", "together", "bool", "false",
           "Let the lanes of a warp read for loops in order">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect",
  ];
}

def LoopMapToHost : KernPass<"loop-map-to-host"> {
  let summary = "Map the loops of gufuncs to a CPU";
  let description = [{
    Products of matrices lose their bodies, for which loop-to-host has code of
    its own. Others with one prange get two more dimensions, and run a part of
    its iterations.
  }];
  let options = [
    Option<"across", "across", "bool", "false",
           "Mark gufuncs that can run across loop elements side by side">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::complex::ComplexDialect", "::mlir::LLVM::LLVMDialect",
  ];
}

def LoopMergeProducts : KernPass<"loop-merge-products"> {
  let summary = "Give equal products of a kernel one value";
}

def LoopChooseContractions : KernPass<"loop-choose-contractions"> {
  let summary = "Choose the products that a GPU adds in one operation";
}

def LoopContractProducts : KernPass<"loop-contract-products"> {
  let summary = "Add products in one operation, in gufuncs for a CPU";
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

def LoopDistribute : KernPass<"loop-distribute"> {
  let summary = "Turn parallel loops and reductions into loops of lanes";
  let options = [
    Option<"sequential", "sequential", "bool", "false",
           "Give each loop element one lane">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::complex::ComplexDialect",
  ];
}

def LoopToGPU : KernPass<"loop-to-gpu"> {
  let summary = "Lower distributed kernels to entry points for NVIDIA GPUs";
  let options = [
    Option<"computeCapability", "sm", "unsigned", "75",
           "The GPUs' compute capability: 75 for sm_75">,
    Option<"contiguous", "contiguous", "bool", "true",
           "Emit the contiguous form of ufuncs">,
    Option<"inner", "inner", "bool", "false", "Emit the inner form of ufuncs">,
    Option<"tiled", "tiled", "bool", "false", "Emit the tiled form of ufuncs">,
    Option<"strided", "strided", "bool", "true",
           "Emit the strided form of ufuncs">,
    Option<"inPlace", "in-place", "bool", "true",
           "Emit kernels whose outputs may be the same array as an input">,
    Option<"disjoint", "disjoint", "bool", "false",
           "Emit kernels whose outputs are disjoint from all inputs">,
    Option<"loopDims", "loop-dims", "unsigned", "6",
           "The most loop dimensions of calls of a gufunc: 0, 1 or 6">,
    Option<"oneLane", "one-lane", "bool", "false",
           "One lane computes an item of a gufunc">,
    Option<"ofBlock", "of-block", "bool", "false",
           "More lanes than a warp has compute an item of a gufunc">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect",
  ];
}

def LoopToHost : KernPass<"loop-to-host"> {
  let summary = "Lower sequential kernels to entry points for the CPU";
  let options = [
    Option<"streamed", "streamed", "bool", "false",
           "Write results around the caches">,
    Option<"lanes", "lanes", "unsigned", "0",
           "The elements of a vector in bodies with branches or loops">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect",
  ];
}

def KernEmit : KernPass<"kern-emit"> {
  let summary = "Print the target's code for a lowered module";
  let description = [{
    The last pass of a pipeline. It leaves an empty module.
  }];
  let options = [
    Option<"as", "as", "std::string", "\"ptx\"",
           "ptx, llvm, host-llvm or asm">,
    Option<"arch", "arch", "std::string", "\"\"",
           "sm_90, x86-64-v3, haswell; by default the target's for files">,
    Option<"precise", "precise", "bool", "false", "Do not contract">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // KERN_PASSES
