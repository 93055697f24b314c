//===- Checks.cpp - what a kernel and its calls check ---------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Loop/Checks.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::CheckInfo;
using kern::runtime::DimExpr;
using kern::runtime::LeastExtent;

ArrayAttr kern::ir::loop::checksAttribute(MLIRContext *context,
                                          ArrayRef<CheckInfo> checks) {
  Builder b(context);
  SmallVector<Attribute> list;
  for (const CheckInfo &check : checks)
    list.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("kind", b.getStringAttr(name(check.kind))),
         b.getNamedAttr("place", b.getStringAttr(check.place)),
         b.getNamedAttr("text", b.getStringAttr(check.text)),
         b.getNamedAttr("axis", b.getI64IntegerAttr(check.axis))}));
  return b.getArrayAttr(list);
}

std::vector<CheckInfo>
kern::ir::loop::checksOf(std::optional<ArrayAttr> checks) {
  std::vector<CheckInfo> list;
  for (Attribute entry : checks ? checks->getValue() : ArrayRef<Attribute>()) {
    auto facts = cast<DictionaryAttr>(entry);
    auto text = [&](StringRef name) {
      return facts.getAs<StringAttr>(name).str();
    };
    list.push_back({*kern::runtime::checkKindNamed(text("kind")), text("place"),
                    text("text"),
                    unsigned(facts.getAs<IntegerAttr>("axis").getInt())});
  }
  return list;
}

static ArrayAttr tokensOf(Builder &b, const DimExpr &expr) {
  SmallVector<Attribute> tokens;
  for (const kern::runtime::DimToken &token : expr.tokens)
    tokens.push_back(b.getStringAttr(token.text()));
  return b.getArrayAttr(tokens);
}

static DimExpr exprIn(ArrayAttr tokens) {
  DimExpr expr;
  for (StringRef token : tokens.getAsValueRange<StringAttr>())
    expr.tokens.emplace_back(token.str());
  return expr;
}

ArrayAttr kern::ir::loop::leastExtentsAttribute(MLIRContext *context,
                                                ArrayRef<LeastExtent> extents) {
  if (extents.empty())
    return {};
  Builder b(context);
  SmallVector<Attribute> list;
  for (const LeastExtent &needed : extents)
    list.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("extent", tokensOf(b, needed.extent)),
         b.getNamedAttr("least", tokensOf(b, needed.least)),
         b.getNamedAttr("array", b.getStringAttr(needed.array)),
         b.getNamedAttr("axis", b.getI64IntegerAttr(needed.axis)),
         b.getNamedAttr("place", b.getStringAttr(needed.place))}));
  return b.getArrayAttr(list);
}

std::vector<LeastExtent>
kern::ir::loop::leastExtentsOf(std::optional<ArrayAttr> extents) {
  std::vector<LeastExtent> list;
  if (!extents || !*extents)
    return list;
  for (auto facts : extents->getAsRange<DictionaryAttr>())
    list.push_back({exprIn(facts.getAs<ArrayAttr>("extent")),
                    exprIn(facts.getAs<ArrayAttr>("least")),
                    facts.getAs<StringAttr>("array").str(),
                    unsigned(facts.getAs<IntegerAttr>("axis").getInt()),
                    facts.getAs<StringAttr>("place").str()});
  return list;
}

int64_t kern::ir::loop::addCheck(KernelOp kernel, const CheckInfo &check) {
  std::vector<CheckInfo> checks = checksOf(kernel.getChecks());
  checks.push_back(check);
  kernel.setChecksAttr(checksAttribute(kernel.getContext(), checks));
  return int64_t(checks.size()) - 1;
}
