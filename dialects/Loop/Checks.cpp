//===- Checks.cpp - the checks of a kernel --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/Loop/Checks.h"

using namespace mlir;
using namespace kern::ir::loop;

ArrayAttr kern::ir::loop::checksAttribute(MLIRContext *context,
                                          ArrayRef<CheckSite> sites) {
  Builder b(context);
  SmallVector<Attribute> list;
  for (const CheckSite &site : sites)
    list.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("kind", b.getStringAttr(site.kind)),
         b.getNamedAttr("place", b.getStringAttr(site.place)),
         b.getNamedAttr("text", b.getStringAttr(site.text)),
         b.getNamedAttr("axis", b.getI64IntegerAttr(site.axis))}));
  return b.getArrayAttr(list);
}

std::vector<CheckSite>
kern::ir::loop::checkSites(std::optional<ArrayAttr> checks) {
  std::vector<CheckSite> sites;
  for (Attribute entry : checks ? checks->getValue() : ArrayRef<Attribute>()) {
    auto facts = cast<DictionaryAttr>(entry);
    auto text = [&](StringRef name) {
      return facts.getAs<StringAttr>(name).str();
    };
    sites.push_back({text("kind"), text("place"), text("text"),
                     unsigned(facts.getAs<IntegerAttr>("axis").getInt())});
  }
  return sites;
}

int64_t kern::ir::loop::addCheck(KernelOp kernel, const CheckSite &site) {
  std::vector<CheckSite> sites = checkSites(kernel.getChecks());
  sites.push_back(site);
  kernel.setChecksAttr(checksAttribute(kernel.getContext(), sites));
  return int64_t(sites.size()) - 1;
}
