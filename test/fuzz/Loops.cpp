//===- Loops.cpp - the typed loops of an input ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/fuzz/Loops.h"

#include <random>

using namespace kern::compiler;
using namespace kern::ir;
using namespace kern::runtime;

/// The limit of loops of one input: more of them make no better input.
static constexpr size_t maxLoops = 4;

uint64_t kern::fuzz::seedOf(const uint8_t *data, size_t size) {
  uint64_t hash = 0xcbf29ce484222325; // FNV-1a
  for (size_t i = 0; i < size; ++i)
    hash = (hash ^ data[i]) * 0x100000001b3;
  return hash;
}

static ArgType anyType(std::minstd_rand &random) {
  unsigned which = unsigned(random() >> 8);
  switch (which % 8) {
  case 0:
    return ArgType::weak(Weakness::Int);
  case 1:
    return ArgType::weak(which & 8 ? Weakness::Float : Weakness::Complex);
  default:
    return ArgType::typed(DType((which >> 3) % (unsigned(DType::C128) + 1)));
  }
}

void kern::fuzz::forEachLoop(Unit &unit, uint64_t seed,
                             llvm::function_ref<void(FuncOp)> use) {
  std::minstd_rand random{uint32_t(seed)};
  mlir::OwningOpRef<mlir::ModuleOp> made = unit.emptyModule();
  mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(made->getBody());
  size_t count = 0;
  for (const FunctionInfo &function : unit.manifest().functions) {
    for (size_t i = 0; i < function.loops.size() && count < maxLoops; ++i) {
      ++count;
      use(unit.declared(function, i));
    }
    for (size_t i = 0; i < 2 && function.isGeneric; ++i) {
      FuncOp func = unit.find(function.name);
      llvm::SmallVector<ArgType> types;
      for (const OperandInfo &parameter : function.parameters)
        if (!parameter.isDim)
          types.push_back(anyType(random));
      std::optional<Specialization> request = specializationFor(func, types);
      if (!request)
        continue;
      DiagnosticEngine diagnostics(unit.diagnostics.sourceManager());
      mlir::FailureOr<FuncOp> typed =
          specialize(func, *request, builder, &diagnostics);
      diagnostics.renderText();
      if (succeeded(typed))
        use(*typed);
    }
  }
}
