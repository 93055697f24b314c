//===- CompilerFuzzer.cpp - any bytes to the whole compiler ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is accepted is compiled to LLVM IR for the host and for a GPU, every
// declared loop of it; an error of the pipeline is a defect.
//
//===----------------------------------------------------------------------===//
#include "compiler/driver/Unit.h"
#include "compiler/pipeline/Pipeline.h"

#include <cstdio>
#include <cstdlib>

using namespace kern;

/// Loops that one input may have: an input of many is no better one.
static constexpr size_t mostLoops = 4;

static void compile(FuncOp typed, Unit &unit, CodeTarget target) {
  mlir::OwningOpRef<mlir::ModuleOp> module = unit.emptyModule();
  module->push_back(typed->clone());
  PipelineOptions options{target, false, std::nullopt};
  options.dump = Stage::LLVM;
  Expected<PipelineResult> result = runPipeline(std::move(module), options);
  if (result)
    return;
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Unit unit("fuzz.kern", std::string(data, data + size));
  unit.diagnostics.renderText();
  if (unit.diagnostics.hasErrors())
    return 0;
  CodeTarget gpu;
  gpu.kind = CodeTarget::Kind::Cuda;
  gpu.computeCapability = 90;
  size_t count = 0;
  for (const FunctionInfo &function : unit.manifest().functions)
    for (size_t i = 0; i < function.loops.size() && count < mostLoops; ++i) {
      ++count;
      compile(unit.declared(function, i), unit, CodeTarget());
      compile(unit.declared(function, i), unit, gpu);
    }
  return 0;
}
