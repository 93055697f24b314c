//===- SpecializePass.cpp - specialisation as a pass ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Specialize.h"

#include "dialects/Passes.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;

namespace kern::ir {

using compiler::Specialization;
using runtime::ArgType;

#define GEN_PASS_DEF_KERNSPECIALIZE
#include "dialects/Passes.h.inc"

namespace {
class SpecializePass : public impl::KernSpecializeBase<SpecializePass> {
public:
  using Base::Base;

  void runOnOperation() override {
    bool allFine = true;
    for (FuncOp func :
         llvm::make_early_inc_range(getOperation().getOps<FuncOp>())) {
      if (func.isTyped())
        continue;
      OpBuilder builder(func);
      for (const Specialization &request : requests(func)) {
        FailureOr<FuncOp> typed =
            compiler::specialize(func, request, builder, nullptr);
        if (failed(typed))
          allFine = false;
        else
          ++made;
      }
      func.erase();
    }
    if (!allFine)
      signalPassFailure();
  }

private:
  SmallVector<Specialization> requests(FuncOp func) {
    SmallVector<Specialization> list;
    if (!compiler::isGeneric(func)) {
      for (size_t i = 0; i < func.getLoops().size(); ++i)
        list.push_back(*compiler::declaredLoop(func, i));
      return list;
    }
    SmallVector<ArgType> arguments;
    for (const std::string &text : types)
      if (std::optional<runtime::DType> type = runtime::parseDType(text))
        arguments.push_back(ArgType::typed(*type));
    if (std::optional<Specialization> request =
            compiler::specializationFor(func, arguments))
      list.push_back(*request);
    return list;
  }
};
} // namespace

} // namespace kern::ir
