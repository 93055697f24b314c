//===- CoreExtents.cpp - the extents of arrays ----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopMappings/CoreExtents.h"

#include "dialects/LoopMappings/Affine.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace kern::ir::loop;

bool kern::ir::loop::hasValue(ArrayRef<std::string> tokens) {
  return llvm::none_of(tokens, [](const std::string &token) {
    return token == "%" || token == ">=0";
  });
}

std::optional<SmallVector<DimTokens>> kern::ir::loop::extentsOf(KernelOp kernel,
                                                                Value array) {
  SmallVector<DimTokens> extents;
  if (auto local = array.getDefiningOp<LocalOp>()) {
    for (Value extent : local.getExtents()) {
      auto tokens = dimExpression(kernel, extent);
      if (!tokens)
        return std::nullopt;
      extents.push_back(std::move(*tokens));
    }
    return extents;
  }
  std::optional<unsigned> operand = operandOf(kernel, array);
  std::optional<ArrayAttr> all = kernel.getCoreExtents();
  if (!operand || !all)
    return std::nullopt;
  for (Attribute extent : cast<ArrayAttr>((*all)[*operand])) {
    DimTokens tokens;
    for (auto token : cast<ArrayAttr>(extent).getAsRange<StringAttr>())
      tokens.push_back(token.str());
    if (!hasValue(tokens))
      return std::nullopt;
    extents.push_back(std::move(tokens));
  }
  return extents;
}

Value kern::ir::loop::dimValue(ImplicitLocOpBuilder &b, KernelOp kernel,
                               ArrayRef<std::string> tokens) {
  SmallVector<Value> stack;
  auto apply = [&](auto make) {
    Value right = stack.pop_back_val(), left = stack.pop_back_val();
    stack.push_back(make(left, right));
  };
  for (const std::string &token : tokens) {
    int64_t number = 0;
    if (!StringRef(token).getAsInteger(10, number)) {
      stack.push_back(
          arith::ConstantOp::create(b, b.getI64IntegerAttr(number)));
    } else if (token == "+") {
      apply([&](Value x, Value y) {
        return b.createOrFold<arith::AddIOp>(x, y);
      });
    } else if (token == "-") {
      apply([&](Value x, Value y) {
        return b.createOrFold<arith::SubIOp>(x, y);
      });
    } else if (token == "*") {
      apply([&](Value x, Value y) {
        return b.createOrFold<arith::MulIOp>(x, y);
      });
    } else if (token == "//") {
      apply([&](Value x, Value y) {
        return b.createOrFold<arith::FloorDivSIOp>(x, y);
      });
    } else if (token == "min") {
      apply([&](Value x, Value y) {
        return b.createOrFold<arith::MinSIOp>(x, y);
      });
    } else if (token == "max") {
      apply([&](Value x, Value y) {
        return b.createOrFold<arith::MaxSIOp>(x, y);
      });
    } else {
      for (auto [name, dim] : llvm::zip(*kernel.getDimNames(), kernel.dims()))
        if (cast<StringAttr>(name).getValue() == token)
          stack.push_back(dim);
    }
  }
  return stack.back();
}
