//===- EnumerationTest.cpp - no function is missing -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------===//

#include "dialects/Kern/ScalarFunctions.h"
#include "dialects/KernToLoop/KernToLoop.h"
#include "test/unit/kerntoloop/ExpectedCases.h"
#include "test/unit/kerntoloop/TypedFunctions.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

#include <set>

namespace kern::test {

using namespace ir;
using namespace runtime;

namespace {
struct Application {
  const ScalarFunctionInfo *function;
  ScalarLoop loop;

  std::string signature() const {
    std::string result = function->name.str() + "(";
    for (DType type : loop.inputs)
      result += (result.back() == '(' ? "" : ", ") + std::string(name(type));
    return result + ")";
  }
};
} // namespace

/// Every loop of every function that operands of one type, or two integers of
/// any types, lead to.
static std::vector<Application> applications() {
  std::vector<Application> found;
  std::set<std::string> known;
  auto add = [&](const ScalarFunctionInfo &function,
                 llvm::ArrayRef<DType> operands, DType common) {
    std::optional<ScalarLoop> loop = scalarLoop(function, operands, common);
    if (!loop)
      return;
    Application application{&function, *loop};
    if (known.insert(application.signature()).second)
      found.push_back(std::move(application));
  };
  for (const ScalarFunctionInfo &function : scalarFunctions())
    for (unsigned a = 0; a < dtypeCount; ++a) {
      DType type{uint8_t(a)};
      llvm::SmallVector<DType> operands(function.inputs, type);
      add(function, operands, type);
      for (unsigned b = 0; b < dtypeCount && function.inputs == 2; ++b) {
        DType other{uint8_t(b)};
        if (isInteger(type) && isInteger(other))
          add(function, {type, other}, resultType(type, other));
      }
    }
  return found;
}

TEST(Enumeration, EveryLoopOfEveryFunctionIsLowered) {
  std::unique_ptr<mlir::MLIRContext> context = makeContext();
  mlir::OwningOpRef<mlir::ModuleOp> module(
      mlir::ModuleOp::create(mlir::UnknownLoc::get(context.get())));
  std::set<std::string> refused;
  for (const Application &application : applications()) {
    std::string signature = application.signature();
    FuncOp typed =
        addTypedFunction(*module, signature, application.function->name.str(),
                         application.loop.inputs, application.loop.outputs);
    ASSERT_TRUE(mlir::succeeded(mlir::verify(typed))) << signature;
    std::string message;
    mlir::ScopedDiagnosticHandler handler(context.get(),
                                          [&](mlir::Diagnostic &diagnostic) {
                                            message = diagnostic.str();
                                            return mlir::success();
                                          });
    mlir::OpBuilder builder(typed);
    auto kernel = lowerToLoop(typed, builder);
    if (mlir::failed(kernel)) {
      refused.insert(signature);
      // The message names the function and its types.
      for (DType type : application.loop.inputs)
        EXPECT_NE(message.find(name(type)), std::string::npos) << message;
      EXPECT_NE(message.find(application.function->name.str()),
                std::string::npos)
          << message;
    } else {
      EXPECT_TRUE(mlir::succeeded(mlir::verify(*kernel)))
          << signature << ": " << message;
    }
    typed.erase();
  }
  EXPECT_EQ(refused, std::set<std::string>());
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
}

TEST(Enumeration, EveryLoopIsExecutedByATest) {
  std::set<std::string> executed;
  for (const ExpectedCase &test : expectedCases())
    executed.insert(test.signature());
  for (const Application &application : applications()) {
    std::string signature = application.signature();
    EXPECT_TRUE(executed.contains(signature))
        << signature << " has no case in expected.py";
  }
}

} // namespace kern::test
