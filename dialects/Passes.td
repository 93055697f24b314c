//===- Passes.td - the passes of Kern ----------------------*- tablegen -*-===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every pass over Kern's dialects, in the order in which the compiler runs them
// (compiler/pipeline/Pipeline.cpp). All are module passes. kern-opt can run
// each on its own.
//
//===----------------------------------------------------------------------===//
#ifndef KERN_PASSES
#define KERN_PASSES

include "mlir/Pass/PassBase.td"

class KernPass<string argument> : Pass<argument, "::mlir::ModuleOp">;

def KernSpecialize : KernPass<"kern-specialize"> {
  let summary = "Make typed functions of polymorphic ones";
  let description = [{
    Adds the typed form of every loop that the headers of polymorphic functions
    declare, and removes the polymorphic functions. A generic function is
    specialised for `types`, or dropped without them.
  }];
  let options = [
    ListOption<"types", "types", "std::string",
               "Types of a generic function's parameters: f32,i16">,
  ];
  let statistics = [
    Statistic<"made", "specialisations", "typed functions that were made">,
  ];
}

def KernToLoop : KernPass<"kern-to-loop"> {
  let summary = "Replace typed kern.func by loop.kernel and scalar code";
  let description = [{
    Polymorphic functions are left alone.
  }];
  let options = [
    Option<"precise", "precise", "bool", "false", "Ignore @fastmath">,
  ];
  let dependentDialects = [
    "::kern::ir::loop::LoopDialect", "::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect", "::mlir::complex::ComplexDialect",
    "::mlir::cf::ControlFlowDialect", "::mlir::func::FuncDialect",
    "::mlir::LLVM::LLVMDialect",
  ];
}

def LoopNarrowComparisons : KernPass<"loop-narrow-comparisons"> {
  let summary = "Compare narrow integers with 64-bit inputs in 32 bits";
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
    Option<"ufunc", "ufunc", "bool", "true",
           "Turn flat kernels that work on single elements into ufuncs">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
  ];
}

def LoopDistribute : KernPass<"loop-distribute"> {
  let summary = "Turn parallel loops and reductions into loops of lanes";
  let options = [
    Option<"sequential", "sequential", "bool", "false",
           "One lane for each loop element">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::complex::ComplexDialect",
  ];
}

def LoopToGPU : KernPass<"loop-to-gpu"> {
  let summary = "Turn distributed kernels into PTX entry points";
  let options = [
    Option<"computeCapability", "sm", "unsigned", "75",
           "The GPUs that it is for: 75 for sm_75">,
    Option<"contiguous", "contiguous", "bool", "true",
           "Make the contiguous form of ufuncs">,
    Option<"inner", "inner", "bool", "false", "Make the inner form of ufuncs">,
    Option<"tiled", "tiled", "bool", "false", "Make the tiled form of ufuncs">,
    Option<"strided", "strided", "bool", "true",
           "Make the strided form of ufuncs">,
    Option<"inPlace", "in-place", "bool", "true",
           "Make kernels for operands that may be one array">,
    Option<"disjoint", "disjoint", "bool", "false",
           "Make kernels for outputs apart from all inputs">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect",
  ];
}

def LoopToHost : KernPass<"loop-to-host"> {
  let summary = "Turn sequential kernels into entry points for the CPU";
  let options = [
    Option<"streamed", "streamed", "bool", "false",
           "Results go around the caches">,
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect",
  ];
}

def KernEmit : KernPass<"kern-emit"> {
  let summary = "Print the target's code for a lowered module";
  let description = [{
    The last of a pipeline: leaves an empty module behind.
  }];
  let options = [
    Option<"as", "as", "std::string", "\"ptx\"",
           "ptx, llvm, host-llvm or asm">,
    Option<"sm", "sm", "unsigned", "75", "compute capability">,
    Option<"cpu", "cpu", "std::string", "\"\"",
           "of the host; else this machine's">,
    Option<"precise", "precise", "bool", "false", "no contraction">,
  ];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // KERN_PASSES
