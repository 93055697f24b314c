//===- HostKernel.cpp - a kernel of the Loop dialect, run -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "test/unit/targets/HostKernel.h"

#include "compiler/pipeline/Pipeline.h"
#include "dialects/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace kern::compiler;
using namespace kern::ir;
using namespace kern::test;

HostKernel::HostKernel(std::string_view text) {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  context.loadDialect<loop::LoopDialect, mlir::arith::ArithDialect,
                      mlir::cf::ControlFlowDialect,
                      mlir::complex::ComplexDialect, mlir::func::FuncDialect,
                      mlir::LLVM::LLVMDialect, mlir::math::MathDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module) {
    ADD_FAILURE() << "the test's MLIR does not parse";
    return;
  }
  mlir::PassManager passes(&context);
  passes.addPass(createLoopDistribute({.sequential = true}));
  passes.addPass(createLoopToHost());
  if (mlir::failed(passes.run(*module))) {
    ADD_FAILURE() << "the passes failed";
    return;
  }
  entries = loop::entries(*module);
  auto object = generateCode(*module, *findTarget("host"), Stage::Code, {});
  if (!object) {
    ADD_FAILURE() << object.error().message;
    return;
  }
  auto linked =
      host::link(std::make_shared<const std::string>(std::move(*object)));
  if (!linked)
    ADD_FAILURE() << linked.error().message;
  else
    code = *linked;
}

void HostKernel::run(std::string_view symbol, std::vector<int64_t> words) {
  ASSERT_TRUE(code);
  auto entry = code->find(symbol);
  ASSERT_TRUE(entry) << entry.error().message;
  (*entry)(words.data());
}

int64_t HostKernel::elementsOf(std::string_view symbol) const {
  for (const loop::Entry &entry : entries)
    if (entry.symbol == symbol)
      return entry.elements;
  ADD_FAILURE() << "no entry point " << symbol;
  return 1;
}

void HostKernel::map(std::string_view f, int64_t count,
                     std::vector<Run> operands, size_t results) {
  std::string symbol = std::string(f) + "__contiguous";
  int64_t elements = elementsOf(symbol);
  int64_t blocks = (count + elements - 1) / elements;
  std::vector<int64_t> words = {blocks};
  std::vector<std::vector<char>> padded;
  for (const Run &operand : operands) {
    std::vector<char> &copy =
        padded.emplace_back(size_t(blocks * elements) * operand.itemSize);
    std::memcpy(copy.data(), operand.data, size_t(count) * operand.itemSize);
    words.push_back(word(copy.data()));
    words.push_back(elements * int64_t(operand.itemSize));
  }
  run(symbol, words);
  for (size_t k = operands.size() - results; k < operands.size(); ++k)
    std::memcpy(operands[k].data, padded[k].data(),
                size_t(count) * operands[k].itemSize);
}

std::string kern::test::reductionOf(std::string_view kind,
                                    std::string_view element,
                                    std::string_view result) {
  std::string array = "!loop.array<" + std::string(element) + ", 1>";
  return "loop.kernel @f kind(gufunc) (%v: " + array + ", %n: i64) -> (" +
         std::string(result) + R"()
    attributes {num_inputs = 1 : i64, num_dims = 1 : i64,
                output_ranks = array<i64: 0>, dim_names = ["n"]} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %r = loop.reduce )" +
         std::string(kind) +
         " (%i) = %c0 to %n step %c1 : " + std::string(element) + R"( {
    %x = loop.load %v[%i] : )" +
         array + R"(
    loop.yield %x : )" +
         std::string(element) + R"(
  }
  loop.return %r : )" +
         std::string(result) + "\n}\n";
}
