//===- SpecializerFuzzer.cpp - any bytes to type inference ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsed, lowered and typed: every declared loop, and generic functions for
// some argument types. What is typed becomes loops without an error.
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

static void toLoops(FuncOp typed, Unit &unit) {
  mlir::OwningOpRef<mlir::ModuleOp> module = unit.emptyModule();
  module->push_back(typed->clone());
  PipelineOptions options;
  options.stage = Stage::Loop;
  Expected<PipelineResult> result = runPipeline(std::move(module), options);
  if (result)
    return;
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  kern::fuzz::TimeLimit limit(size);
  Unit unit("fuzz.kern", std::string(data, data + size));
  unit.diagnostics.renderText();
  if (unit.diagnostics.hasErrors())
    return 0;
  kern::fuzz::forEachLoop(unit, kern::fuzz::seedOf(data, size),
                          [&](FuncOp typed) { toLoops(typed, unit); });
  return 0;
}
