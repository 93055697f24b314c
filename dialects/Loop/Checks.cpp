//===- Checks.cpp - the checks of a kernel --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Loop/Checks.h"

using namespace mlir;
using namespace kern::ir::loop;
using kern::runtime::CheckInfo;
using kern::runtime::CheckKind;

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

int64_t kern::ir::loop::addCheck(KernelOp kernel, const CheckInfo &check) {
  std::vector<CheckInfo> checks = checksOf(kernel.getChecks());
  checks.push_back(check);
  kernel.setChecksAttr(checksAttribute(kernel.getContext(), checks));
  return int64_t(checks.size()) - 1;
}
