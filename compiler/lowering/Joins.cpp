//===- Joins.cpp - where control flow meets -------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/lowering/FunctionLowering.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace kern {

static bool sameConstant(const Constant &a, const Constant &b) {
  // Not by ==: NaN is the same constant as itself, and -0.0 is not 0.0.
  if (a.value.index() != b.value.index())
    return false;
  if (const double *x = std::get_if<double>(&a.value))
    return llvm::bit_cast<uint64_t>(*x) ==
           llvm::bit_cast<uint64_t>(std::get<double>(b.value));
  return a.value == b.value;
}

static bool same(const Binding &a, const Binding &b) {
  const auto *x = a.as<Number>(), *y = b.as<Number>();
  if (x && y) {
    if (x->constant && y->constant)
      return sameConstant(*x->constant, *y->constant);
    return !x->constant && !y->constant && x->value == y->value;
  }
  const auto *left = a.as<Tuple>(), *right = b.as<Tuple>();
  if (left && right)
    return left->isCopyOf(*right) ||
           llvm::equal(left->elements(), right->elements(), same);
  const auto *one = a.as<ArrayView>(), *other = b.as<ArrayView>();
  if (one && other)
    return one->array == other->array && one->readAs == other->readAs &&
           llvm::equal(one->axes, other->axes,
                       [](const Axis &p, const Axis &q) {
                         return p.fixed == q.fixed && p.lower == q.lower &&
                                p.extent == q.extent;
                       });
  return a.as<Nothing>() && b.as<Nothing>();
}

Binding FunctionLowering::joinBindings(
    ArrayRef<const Binding *> arriving, Block *block, ArrayRef<Edge> edges,
    std::vector<SmallVector<Value>> &operands, Span span) {
  const Binding &first = *arriving.front();
  for (const Binding *binding : arriving)
    if (binding->as<Unusable>())
      return *binding;
  if (llvm::all_of(arriving,
                   [&](const Binding *other) { return same(first, *other); }))
    return first;

  if (llvm::all_of(arriving,
                   [](const Binding *b) { return b->as<Number>(); })) {
    OpBuilder::InsertionGuard guard(builder);
    countWork(1, span);
    for (auto [index, binding] : llvm::enumerate(arriving)) {
      builder.setInsertionPointToEnd(edges[index].block);
      operands[index].push_back(materialize(*binding->as<Number>(), span));
    }
    return Binding(
        block->addArgument(OpenType::get(builder.getContext()), loc(span)));
  }

  if (const auto *tuple = first.as<Tuple>()) {
    size_t size = tuple->elements().size();
    if (llvm::all_of(arriving, [&](const Binding *b) {
          return b->as<Tuple>() && b->as<Tuple>()->elements().size() == size;
        })) {
      std::vector<Binding> joined;
      for (size_t i = 0; i < size; ++i) {
        SmallVector<const Binding *> elements;
        for (const Binding *binding : arriving)
          elements.push_back(&binding->as<Tuple>()->elements()[i]);
        joined.push_back(joinBindings(elements, block, edges, operands, span));
      }
      return Tuple(std::move(joined));
    }
  }
  // Those that are not the same, and how they differ.
  const Binding *other = *llvm::find_if(
      arriving, [&](const Binding *b) { return !same(first, *b); });
  for (const Binding *binding : arriving)
    if (describe(*binding) != describe(first))
      other = binding;
  std::string one = describe(first), two = describe(*other);
  if (one == two && first.as<ArrayView>())
    two = "another array";
  return Unusable{Unusable::Conflict, span, one, two};
}

void FunctionLowering::join(std::vector<Edge> edges, Span span) {
  if (edges.empty()) {
    builder.clearInsertionPoint();
    return;
  }
  if (edges.size() == 1) {
    builder.setInsertionPointToEnd(edges.front().block);
    env = std::move(edges.front().env);
    return;
  }
  Block *block = newBlock();
  std::vector<SmallVector<Value>> operands(edges.size());
  Environment joined;
  std::set<std::string_view> names;
  for (const Edge &edge : edges)
    for (const auto &entry : edge.env)
      names.insert(entry.first);
  for (std::string_view name : names) {
    SmallVector<const Binding *> arriving;
    for (const Edge &edge : edges)
      if (auto found = edge.env.find(name); found != edge.env.end())
        arriving.push_back(&found->second);
    if (arriving.size() == edges.size())
      joined.insert_or_assign(
          std::string(name),
          joinBindings(arriving, block, edges, operands, span));
    else
      joined.insert_or_assign(std::string(name),
                              Binding(Unusable{Unusable::PartlyBound, span}));
  }
  for (auto [edge, values] : llvm::zip(edges, operands)) {
    builder.setInsertionPointToEnd(edge.block);
    cf::BranchOp::create(builder, loc(span), block, values);
  }
  builder.setInsertionPointToStart(block);
  env = std::move(joined);
}

} // namespace kern
