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
using kern::runtime::DimToken;
using Token = DimToken::Kind;

bool kern::ir::loop::hasValue(ArrayRef<DimToken> tokens) {
  return llvm::none_of(tokens, [](const DimToken &token) {
    return token.kind == Token::Remainder || token.kind == Token::NonNegative;
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
    DimTokens tokens = tokensOf(cast<ArrayAttr>(extent));
    if (!hasValue(tokens))
      return std::nullopt;
    extents.push_back(std::move(tokens));
  }
  return extents;
}

/// The value of an operator; hasValue() says which there are.
static Value applied(ImplicitLocOpBuilder &b, Token kind, Value x, Value y) {
  switch (kind) {
  case Token::Add:
    return b.createOrFold<arith::AddIOp>(x, y);
  case Token::Subtract:
    return b.createOrFold<arith::SubIOp>(x, y);
  case Token::Multiply:
    return b.createOrFold<arith::MulIOp>(x, y);
  case Token::FloorDivide:
    return b.createOrFold<arith::FloorDivSIOp>(x, y);
  case Token::Min:
    return b.createOrFold<arith::MinSIOp>(x, y);
  case Token::Max:
    return b.createOrFold<arith::MaxSIOp>(x, y);
  default:
    llvm_unreachable("an expression of dimensions without a value");
  }
}

Value kern::ir::loop::dimValue(ImplicitLocOpBuilder &b, KernelOp kernel,
                               ArrayRef<DimToken> tokens) {
  SmallVector<Value> stack;
  for (const DimToken &token : tokens) {
    if (token.kind == Token::Integer) {
      stack.push_back(
          arith::ConstantOp::create(b, b.getI64IntegerAttr(token.value)));
    } else if (token.kind == Token::Name) {
      for (auto [name, dim] : llvm::zip(*kernel.getDimNames(), kernel.dims()))
        if (DimToken(std::string_view(cast<StringAttr>(name).getValue())) ==
            token)
          stack.push_back(dim);
    } else {
      Value right = stack.pop_back_val(), left = stack.pop_back_val();
      stack.push_back(applied(b, token.kind, left, right));
    }
  }
  return stack.back();
}
