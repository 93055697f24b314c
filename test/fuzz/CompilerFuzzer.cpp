//===- CompilerFuzzer.cpp - any bytes to the whole compiler ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is accepted is compiled to PTX and to the host's assembly: declared
// loops, and generic functions for some argument types. An error of the
// pipeline is a defect.
//
//===----------------------------------------------------------------------===//
#include "compiler/pipeline/Pipeline.h"
#include "test/fuzz/Loops.h"
#include "test/fuzz/TimeLimit.h"

#include <cstdio>
#include <cstdlib>

using namespace kern::compiler;
using namespace kern::ir;
using namespace kern::runtime;

static void compile(FuncOp typed, Unit &unit, CodeTarget target, size_t size) {
  kern::fuzz::TimeLimit limit(size);
  mlir::OwningOpRef<mlir::ModuleOp> module = unit.emptyModule();
  module->push_back(typed->clone());
  Expected<PipelineResult> result =
      runPipeline(std::move(module), PipelineOptions(target));
  if (result)
    return;
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::optional<kern::fuzz::TimeLimit> limit(size);
  Unit unit("fuzz.kern", std::string(data, data + size));
  unit.diagnostics.renderText();
  if (unit.diagnostics.hasErrors())
    return 0;
  limit.reset(); // each loop has one of its own
  CodeTarget gpu;
  gpu.kind = CodeTarget::Kind::Cuda;
  gpu.computeCapability = 90;
  kern::fuzz::forEachLoop(unit, kern::fuzz::seedOf(data, size),
                          [&](FuncOp typed) {
                            compile(typed, unit, CodeTarget(), size);
                            compile(typed, unit, gpu, size);
                          });
  return 0;
}
