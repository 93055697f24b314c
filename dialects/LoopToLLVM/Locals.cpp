//===- Locals.cpp - placement of local arrays -----------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Locals.h"

#include "dialects/LoopToLLVM/Chunk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace kern::ir::loop;

/// The largest private array, in bytes. A GPU reserves a thread's local memory
/// for every thread that can be resident. The arrays of a ufunc are bounded
/// when it is specialised.
static constexpr uint64_t privateLimit = 4096;

LocalPlace kern::ir::loop::placeOf(const LocalFacts &facts) {
  if (facts.isOfUfunc)
    return LocalPlace::Private;
  bool isSmall = facts.bytes && *facts.bytes <= privateLimit;
  if (isSmall && (facts.isInLoop || !facts.isSharedWritten))
    return LocalPlace::Private;
  return facts.isInLoop ? LocalPlace::Lane : LocalPlace::Element;
}

std::optional<uint64_t> kern::ir::loop::constantBytes(LocalOp local) {
  uint64_t bytes =
      storedSize(cast<ArrayType>(local.getResult().getType()).getElementType());
  for (Value extent : local.getExtents()) {
    APInt size;
    if (!matchPattern(extent, m_ConstantInt(&size)) ||
        __builtin_mul_overflow(bytes, size.getZExtValue(), &bytes))
      return std::nullopt;
  }
  return bytes;
}

Value kern::ir::loop::threadPitch(KernelBuilder &b, LocalOp local,
                                  Value bytes) {
  if (local->hasAttr(chunkedAttribute))
    return b.i64(int64_t(chunkedPitch(*constantBytes(local))));
  unsigned size =
      storedSize(cast<ArrayType>(local.getResult().getType()).getElementType());
  int64_t word = std::max(4u, size);
  Value words = b.div(b.add(bytes, b.i64(word - 1)), b.i64(word));
  return b.mul(b.bitOr(words, b.i64(1)), b.i64(word));
}

static Value zeroOf(ImplicitLocOpBuilder &b, Type type) {
  if (auto complex = dyn_cast<ComplexType>(type)) {
    Value part = zeroOf(b, complex.getElementType());
    return complex::CreateOp::create(b, complex, part, part);
  }
  return arith::ConstantOp::create(b, cast<TypedAttr>(b.getZeroAttr(type)));
}

ParallelOp kern::ir::loop::expandZeroing(LocalOp local) {
  ImplicitLocOpBuilder b(local.getLoc(), local->getContext());
  b.setInsertionPointAfter(local);
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
  };
  SmallVector<Value> zeros, ones;
  for (size_t i = 0; i < local.getExtents().size(); ++i) {
    zeros.push_back(number(0));
    ones.push_back(number(1));
  }
  SmallVector<Value> extents(local.getExtents());
  auto loop = ParallelOp::create(b, zeros, extents, ones);
  Block &body = loop.entry();
  b.setInsertionPointToEnd(&body);
  auto array = cast<ArrayType>(local.getResult().getType());
  StoreOp::create(b, zeroOf(b, array.getElementType()), local.getResult(),
                  body.getArguments());
  YieldOp::create(b, ValueRange());
  local.setZeroed(false);
  return loop;
}

void kern::ir::loop::placeLocals(KernelOp kernel, bool sequential) {
  int64_t slots = 0;
  SmallVector<LocalOp> locals;
  kernel->walk([&](LocalOp local) {
    locals.push_back(local);
    if (local.getSlot())
      slots = std::max(slots, int64_t(*local.getSlot()) + 1);
  });
  for (LocalOp local : locals) {
    if (local.getShared() && local.getZeroed())
      expandZeroing(local);
    if (local.getSlot() || local.getShared())
      continue;
    LocalFacts facts;
    facts.bytes = constantBytes(local);
    facts.isOfUfunc = kernel.isUfunc();
    facts.isInLoop = local->getParentOp() != kernel && !sequential;
    for (Operation *user : local.getResult().getUsers())
      facts.isSharedWritten |= !sequential && !kernel.getStaged() &&
                               !isa<LoadOp>(user) &&
                               user->getParentOp() != kernel;
    LocalPlace place = placeOf(facts);
    if (place == LocalPlace::Private)
      continue;
    local.setSlot(slots++);
    local.setPerLane(place == LocalPlace::Lane);
    if (local.getZeroed())
      expandZeroing(local);
  }
}
