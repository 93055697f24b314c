//===- Scans.cpp - typed form of scans ------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/specialize/Specializer.h"

using namespace mlir;

namespace kern::compiler {

using namespace ir;
using runtime::DType;

/// The element is never reached, as in an endless loop. An unreachable block
/// supplies one, so that the scan is complete.
void Specializer::endPart(Region &part, ArrayRef<DType> types, Location loc) {
  bool ends = llvm::any_of(
      part, [](Block &block) { return isa<GiveOp>(block.getTerminator()); });
  if (ends || failed)
    return;
  auto *end = new Block();
  part.push_back(end);
  builder.setInsertionPointToEnd(end);
  SmallVector<Value> zeros;
  for (DType type : types)
    zeros.push_back(zero(type, loc));
  GiveOp::create(builder, loc, zeros);
}

void Specializer::cloneScan(ScanOp scan) {
  Location loc = scan.getLoc();
  SmallVector<Value> bounds, initial;
  if (!indices({scan.getLower(), scan.getUpper(), scan.getStep()}, bounds, loc))
    return;
  SmallVector<DType> elements;
  for (unsigned i = 0; i < scan.width(); ++i) {
    std::optional<ValueType> type =
        types.type(scan.getCombine().getArgument(i));
    if (!type && scan.getKind()) {
      report(Diag::reduction_type, loc,
             {stringifyReduceKind(*scan.getKind()).str(), "this"});
      return;
    }
    elements.push_back(type ? type->carrier() : DType::F32);
  }
  SmallVector<Type> results;
  for (auto [value, type] : llvm::zip(scan.getInitial(), elements)) {
    initial.push_back(get(value, type, loc));
    if (!initial.back())
      return;
    results.push_back(toType(context, type));
  }
  auto made = ScanOp::create(builder, loc, results, scan.getKindAttr(),
                             scan.getAccumulatesAttr(), bounds[0], bounds[1],
                             bounds[2], initial);
  {
    OpBuilder::InsertionGuard guard(builder);
    std::vector<DType> outer = std::exchange(
        giveTypes, std::vector<DType>(elements.begin(), elements.end()));
    for (auto [from, to] :
         {std::pair(&scan.getElements(), &made.getElements()),
          std::pair(&scan.getCombine(), &made.getCombine())}) {
      cloneRegion(*from, *to);
      endPart(*to, elements, loc);
    }
    if (!scan.getWrite().empty() && !failed) {
      giveTypes.clear();
      cloneRegion(scan.getWrite(), made.getWrite());
      // What is written is rounded once, from the type in which it is combined.
      for (auto [argument, type] :
           llvm::zip(made.getWrite().getArguments().drop_front(), elements)) {
        Type rounded = argument.getType(), sum = toType(context, type);
        if (rounded == sum)
          continue;
        argument.setType(sum);
        builder.setInsertionPointToStart(&made.getWrite().front());
        auto cast = CastOp::create(
            builder, loc, rounded, argument, TypeAttr::get(rounded),
            CastModeAttr::get(context, CastMode::Explicit));
        argument.replaceAllUsesExcept(cast, cast);
      }
    }
    giveTypes = std::move(outer);
  }
  for (auto [from, to] : llvm::zip(scan.getTotals(), made.getTotals()))
    values[from] = to;
}

} // namespace kern::compiler
