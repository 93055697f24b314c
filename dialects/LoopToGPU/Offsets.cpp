//===- Offsets.cpp - from an index to byte offsets ------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToGPU/Offsets.h"

using namespace mlir;
using namespace kern::ir::loop;
using Predicate = KernelBuilder::Predicate;

static Value highHalf(KernelBuilder &b, Value word) {
  return b.narrow(arith::ShRUIOp::create(b, word, b.i64(32)));
}

Divisor kern::ir::loop::readDivisor(KernelBuilder &b, Value number,
                                    Value word) {
  return {b.narrow(number), b.narrow(word), highHalf(b, word)};
}

Value kern::ir::loop::quotient(KernelBuilder &b, Value dividend,
                               const Divisor &divisor) {
  // (high half of dividend * multiplier + dividend) >> shift: the sum of two
  // numbers below 2^31 does not wrap.
  Value product = b.mul(b.widen(dividend), b.widen(divisor.multiplier));
  return arith::ShRUIOp::create(b, b.add(highHalf(b, product), dividend),
                                divisor.shift);
}

/// LLVM takes a remainder as it is, and what is left after a multiplication
/// apart: into addresses with more registers.
SmallVector<Value> kern::ir::loop::digitsOf(KernelBuilder &b, Value index,
                                            Value count,
                                            ArrayRef<Value> extents,
                                            ArrayRef<Value> divisors) {
  SmallVector<Value> digits(extents.size() + 1, index);
  auto divide = [&] {
    for (size_t d = extents.size(); d-- > 0;) {
      digits[d + 1] = b.rem(digits[0], extents[d]);
      digits[0] = b.div(digits[0], extents[d]);
    }
  };
  if (divisors.empty()) {
    divide();
    return digits;
  }
  Block *few = b.block(), *many = b.block(),
        *join = b.block(SmallVector<Type>(digits.size(), b.getI64Type()));
  b.branch(b.compare(Predicate::ult, count, b.i64(int64_t(1) << 31)), few,
           many);
  b.at(many);
  divide();
  b.branch(join, digits);
  b.at(few);
  Value rest = b.narrow(index);
  for (size_t d = extents.size(); d-- > 0;) {
    Divisor divisor = readDivisor(b, extents[d], divisors[d]);
    Value part = quotient(b, rest, divisor);
    digits[d + 1] = b.widen(b.sub(rest, b.mul(part, divisor.number)));
    rest = part;
  }
  digits[0] = b.widen(rest);
  b.branch(join, digits);
  b.at(join);
  return SmallVector<Value>(join->getArguments());
}

IndexSpace kern::ir::loop::readIndexSpace(KernelBuilder &b, unsigned first,
                                          Value rank, ArrayRef<Value> extents,
                                          ArrayRef<Value> divisors) {
  IndexSpace space{b.narrow(rank), first, {}};
  for (unsigned d = first; d + 1 < loopRank; ++d)
    space.divisors.push_back(readDivisor(b, extents[d], divisors[d - first]));
  return space;
}

SmallVector<SmallVector<Value>>
kern::ir::loop::offsetsOf(KernelBuilder &b, const IndexSpace &space,
                          ArrayRef<Value> indices,
                          ArrayRef<EntryOperand> operands) {
  size_t each = indices.size(), count = operands.size() * each;
  Block *done = b.block(SmallVector<Type>(count, b.getI32Type()));
  SmallVector<Value> sums(count, b.i32(0)), rest(indices);
  auto plus = [&](unsigned d, ArrayRef<Value> digits) {
    SmallVector<Value> next;
    for (auto [i, sum] : llvm::enumerate(sums)) {
      Value stride = operands[i / each].strides[d];
      next.push_back(b.add(sum, b.mul(digits[i % each], stride)));
    }
    return next;
  };
  auto leaveIf = [&](unsigned rank, ArrayRef<Value> values) {
    Block *last = b.block(), *more = b.block();
    b.branch(b.compare(Predicate::ule, space.rank, b.i32(rank)), last, more);
    b.at(last);
    b.branch(done, values);
    b.at(more);
  };
  if (space.first > 0)
    leaveIf(space.first, sums);
  for (unsigned d = space.first; d + 1 < loopRank; ++d) {
    leaveIf(d + 1, plus(d, rest));
    const Divisor &divisor = space.divisors[d - space.first];
    SmallVector<Value> digits;
    for (Value &index : rest) {
      Value quotients = quotient(b, index, divisor);
      digits.push_back(b.sub(index, b.mul(quotients, divisor.number)));
      index = quotients;
    }
    sums = plus(d, digits);
  }
  b.branch(done, plus(loopRank - 1, rest));
  b.at(done);
  SmallVector<SmallVector<Value>> offsets;
  for (size_t k = 0; k < operands.size(); ++k)
    offsets.emplace_back(
        ValueRange(done->getArguments()).slice(k * each, each));
  return offsets;
}
