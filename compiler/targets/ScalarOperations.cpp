//===- ScalarOperations.cpp - scalar code in the LLVM dialect -------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MLIR's patterns do the same and more at ten times the cost, because their
// rewriter can roll back everything.
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/LLVMModule.h"

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

// Properties other than operands and result type become the last argument of
// the LLVM dialect operation's builder.

template <typename To> static auto plain(OpBuilder &b) {
  return [&](auto op) -> Operation * {
    return To::create(b, op.getLoc(), op.getType(), op->getOperands());
  };
}

template <typename To> static auto wrapping(OpBuilder &b) {
  return [&](auto op) -> Operation * {
    return To::create(
        b, op.getLoc(), op.getType(), op.getLhs(), op.getRhs(),
        arith::convertArithOverflowFlagsToLLVM(op.getOverflowFlags()));
  };
}

template <typename To> static auto exact(OpBuilder &b) {
  return [&](auto op) -> Operation * {
    return To::create(b, op.getLoc(), op.getType(), op.getLhs(), op.getRhs(),
                      op.getIsExact());
  };
}

template <typename Op> static LLVM::FastmathFlags fastmath(Op op) {
  return arith::convertArithFastMathFlagsToLLVM(op.getFastmath());
}

template <typename To> static auto unary(OpBuilder &b) {
  return [&](auto op) -> Operation * {
    return To::create(b, op.getLoc(), op.getType(), op.getOperand(),
                      fastmath(op));
  };
}

template <typename To> static auto binary(OpBuilder &b) {
  return [&](auto op) -> Operation * {
    return To::create(b, op.getLoc(), op.getType(), op.getLhs(), op.getRhs(),
                      fastmath(op));
  };
}

/// Creates the equivalent LLVM dialect operation before `op`; null if no single
/// operation is equivalent.
static Operation *inLLVM(OpBuilder &b, Operation *op) {
  return TypeSwitch<Operation *, Operation *>(op)
      .Case([&](arith::ConstantOp op) {
        return LLVM::ConstantOp::create(b, op.getLoc(), op.getType(),
                                        op.getValue());
      })
      .Case<arith::AddIOp>(wrapping<LLVM::AddOp>(b))
      .Case<arith::MulIOp>(wrapping<LLVM::MulOp>(b))
      .Case([&](arith::TruncIOp op) {
        return LLVM::TruncOp::create(
            b, op.getLoc(), op.getType(), op.getIn(),
            arith::convertArithOverflowFlagsToLLVM(op.getOverflowFlags()));
      })
      .Case([&](arith::CmpIOp op) {
        return LLVM::ICmpOp::create(b, op.getLoc(), op.getType(),
                                    LLVM::ICmpPredicate(op.getPredicate()),
                                    op.getLhs(), op.getRhs());
      })
      .Case([&](cf::BranchOp op) {
        return LLVM::BrOp::create(b, op.getLoc(), op.getDestOperands(),
                                  op.getDest());
      })
      .Case([&](cf::CondBranchOp op) {
        return LLVM::CondBrOp::create(
            b, op.getLoc(), op.getCondition(), op.getTrueDest(),
            op.getTrueDestOperands(), op.getFalseDest(),
            op.getFalseDestOperands());
      })
      .Case<arith::AndIOp>(plain<LLVM::AndOp>(b))
      .Case<arith::OrIOp>(plain<LLVM::OrOp>(b))
      .Case<arith::XOrIOp>(plain<LLVM::XOrOp>(b))
      .Case<arith::SubIOp>(wrapping<LLVM::SubOp>(b))
      .Case<arith::ShLIOp>(wrapping<LLVM::ShlOp>(b))
      .Case<arith::ShRUIOp>(exact<LLVM::LShrOp>(b))
      .Case<arith::ShRSIOp>(exact<LLVM::AShrOp>(b))
      .Case<arith::DivUIOp>(exact<LLVM::UDivOp>(b))
      .Case<arith::DivSIOp>(exact<LLVM::SDivOp>(b))
      .Case<arith::RemUIOp>(plain<LLVM::URemOp>(b))
      .Case<arith::RemSIOp>(plain<LLVM::SRemOp>(b))
      .Case<arith::MinUIOp>(plain<LLVM::UMinOp>(b))
      .Case<arith::MaxUIOp>(plain<LLVM::UMaxOp>(b))
      .Case<arith::MinSIOp>(plain<LLVM::SMinOp>(b))
      .Case<arith::MaxSIOp>(plain<LLVM::SMaxOp>(b))
      .Case<arith::ExtUIOp>(plain<LLVM::ZExtOp>(b))
      .Case<arith::ExtSIOp>(plain<LLVM::SExtOp>(b))
      .Case<arith::SIToFPOp>(plain<LLVM::SIToFPOp>(b))
      .Case<arith::UIToFPOp>(plain<LLVM::UIToFPOp>(b))
      .Case<arith::BitcastOp>(plain<LLVM::BitcastOp>(b))
      .Case<arith::ExtFOp>(plain<LLVM::FPExtOp>(b))
      .Case([&](arith::TruncFOp op) -> Operation * {
        if (op.getRoundingmode())
          return nullptr;
        return LLVM::FPTruncOp::create(b, op.getLoc(), op.getType(),
                                       op.getIn());
      })
      .Case<arith::AddFOp>(binary<LLVM::FAddOp>(b))
      .Case<arith::SubFOp>(binary<LLVM::FSubOp>(b))
      .Case<arith::MulFOp>(binary<LLVM::FMulOp>(b))
      .Case<arith::DivFOp>(binary<LLVM::FDivOp>(b))
      .Case<arith::NegFOp>(unary<LLVM::FNegOp>(b))
      .Case<arith::MaximumFOp>(binary<LLVM::MaximumOp>(b))
      .Case<arith::MinimumFOp>(binary<LLVM::MinimumOp>(b))
      .Case([&](arith::CmpFOp op) {
        return LLVM::FCmpOp::create(b, op.getLoc(), op.getType(),
                                    LLVM::FCmpPredicate(op.getPredicate()),
                                    op.getLhs(), op.getRhs(), fastmath(op));
      })
      .Case<arith::SelectOp>(plain<LLVM::SelectOp>(b))
      .Case<math::AbsFOp>(unary<LLVM::FAbsOp>(b))
      .Case<math::CeilOp>(unary<LLVM::FCeilOp>(b))
      .Case<math::FloorOp>(unary<LLVM::FFloorOp>(b))
      .Case<math::TruncOp>(unary<LLVM::FTruncOp>(b))
      .Case<math::RoundEvenOp>(unary<LLVM::RoundEvenOp>(b))
      .Case<math::SqrtOp>(unary<LLVM::SqrtOp>(b))
      .Case<math::CopySignOp>(binary<LLVM::CopySignOp>(b))
      .Case<math::CtPopOp>(plain<LLVM::CtPopOp>(b))
      .Default(nullptr);
}

/// Whether the LLVM dialect has these types unchanged.
static bool areLowered(TypeRange types) {
  return llvm::all_of(types, [](Type type) {
    auto vector = dyn_cast<VectorType>(type);
    return vector ? vector.getRank() == 1 && !vector.getElementType().isIndex()
                  : type.isIntOrFloat() || isa<LLVM::LLVMPointerType>(type);
  });
}

bool kern::compiler::replaceScalarOperations(ModuleOp module) {
  OpBuilder builder(module.getContext());
  Dialect *llvmDialect =
      module.getContext()->getLoadedDialect<LLVM::LLVMDialect>();
  bool isAll = true;
  module.walk([&](Operation *op) {
    if (op->getDialect() == llvmDialect || op == module.getOperation())
      return;
    builder.setInsertionPoint(op);
    Operation *made =
        areLowered(op->getOperandTypes()) && areLowered(op->getResultTypes())
            ? inLLVM(builder, op)
            : nullptr;
    if (!made) {
      isAll = false;
      return;
    }
    // Branches may carry loop attributes.
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      made->setAttr(attribute.getName(), attribute.getValue());
    op->replaceAllUsesWith(made);
    op->erase();
  });
  return isAll;
}
