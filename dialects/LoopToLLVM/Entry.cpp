//===- Entry.cpp - the description of an entry point ----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dialects/LoopToLLVM/Entry.h"

#include "dialects/LoopToLLVM/Extents.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace kern::ir::loop;

static constexpr StringLiteral attributeName = "loop.entry";
using Extents = std::vector<kern::runtime::DimExpr>;

Extents kern::ir::loop::extentsIn(std::optional<ArrayAttr> extents) {
  Extents list;
  if (extents)
    for (auto extent : extents->getAsRange<ArrayAttr>())
      list.push_back(kern::runtime::DimExpr::of(tokensOf(extent)));
  return list;
}

static ArrayAttr toAttribute(Builder &builder, const Extents &extents) {
  SmallVector<Attribute> list;
  for (const kern::runtime::DimExpr &extent : extents)
    list.push_back(attributeOf(builder.getContext(), extent.tokens));
  return builder.getArrayAttr(list);
}

void kern::ir::loop::setEntry(LLVM::LLVMFuncOp function, const Entry &entry) {
  Builder b(function.getContext());
  auto named = [&](StringRef name, Attribute value) {
    return b.getNamedAttr(name, value);
  };
  Extents scratchBytes;
  SmallVector<bool> perLane, perSlice, cleared;
  for (const Entry::Scratch &scratch : entry.scratch) {
    scratchBytes.push_back(scratch.bytes);
    perLane.push_back(scratch.isPerLane);
    perSlice.push_back(scratch.isPerSlice);
    cleared.push_back(scratch.isCleared);
  }
  SmallVector<NamedAttribute> facts = {
      named("kernel", b.getStringAttr(entry.kernel)),
      named("form", b.getStringAttr(name(entry.form))),
      named("block", b.getI64IntegerAttr(entry.block)),
      named("disjoint", b.getBoolAttr(entry.disjoint)),
      named("rows", b.getI64IntegerAttr(entry.rows)),
      named("elements", b.getI64IntegerAttr(entry.elements)),
      named("alignment", b.getI64IntegerAttr(entry.alignment)),
      named("shared_extents", toAttribute(b, entry.sharedExtents)),
      named("nonempty", toAttribute(b, entry.nonEmpty)),
      named("scratch", toAttribute(b, scratchBytes)),
      named("scratch_per_lane", b.getDenseBoolArrayAttr(perLane))};
  if (llvm::is_contained(perSlice, true))
    facts.push_back(
        named("scratch_per_slice", b.getDenseBoolArrayAttr(perSlice)));
  if (llvm::is_contained(cleared, true))
    facts.push_back(named("scratch_cleared", b.getDenseBoolArrayAttr(cleared)));
  for (const kern::runtime::MappingWord &word : kern::runtime::mappingWords)
    if (entry.mapping.*word.member)
      facts.push_back(named(word.name, b.getUnitAttr()));
  if (entry.mapping.chunks)
    facts.push_back(named("chunks", b.getI64IntegerAttr(entry.mapping.chunks)));
  if (entry.mapping.tile)
    facts.push_back(named("tile", b.getI64IntegerAttr(entry.mapping.tile)));
  if (entry.mapping.phase)
    facts.push_back(named("phase", b.getI64IntegerAttr(entry.mapping.phase)));
  if (entry.mapping.sliced) {
    facts.push_back(named("launches", b.getI64IntegerAttr(entry.launches)));
    facts.push_back(
        named("sliced_launches", b.getI64IntegerAttr(entry.slicedLaunches)));
  }
  if (entry.waits)
    facts.push_back(named("waits", b.getBoolAttr(true)));
  if (entry.hasDivisors)
    facts.push_back(named("divisors", b.getBoolAttr(true)));
  if (entry.inParts)
    facts.push_back(named("in_parts", b.getBoolAttr(true)));
  if (entry.work)
    facts.push_back(named("work", b.getI64IntegerAttr(entry.work)));
  if (ArrayAttr needed =
          leastExtentsAttribute(b.getContext(), entry.leastExtents))
    facts.push_back(named("least_extents", needed));
  if (!entry.checks.empty())
    facts.push_back(
        named("checks", checksAttribute(b.getContext(), entry.checks)));
  function->setAttr(attributeName, b.getDictionaryAttr(facts));
}

std::vector<Entry> kern::ir::loop::entries(ModuleOp module) {
  std::vector<Entry> list;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    auto facts = function->getAttrOfType<DictionaryAttr>(attributeName);
    if (!facts)
      continue;
    auto integer = [&](StringRef name) {
      auto value = facts.getAs<IntegerAttr>(name);
      return value ? unsigned(value.getInt()) : 0;
    };
    auto text = [&](StringRef name) {
      auto value = facts.getAs<StringAttr>(name);
      return value ? value.str() : std::string();
    };
    auto extents = [&](StringRef name) {
      auto value = facts.getAs<ArrayAttr>(name);
      return value ? extentsIn(value) : Extents();
    };
    Entry entry;
    entry.symbol = function.getSymName().str();
    entry.kernel = text("kernel");
    entry.form = *kern::runtime::formNamed(text("form"));
    if (auto disjoint = facts.getAs<BoolAttr>("disjoint"))
      entry.disjoint = disjoint.getValue();
    entry.block = integer("block");
    entry.elements = integer("elements");
    entry.rows = integer("rows");
    entry.alignment = integer("alignment");
    entry.work = integer("work");
    for (const kern::runtime::MappingWord &word : kern::runtime::mappingWords)
      entry.mapping.*word.member = facts.contains(StringRef(word.name));
    entry.mapping.chunks = integer("chunks");
    entry.mapping.tile = integer("tile");
    entry.mapping.phase = integer("phase");
    if (entry.mapping.sliced) {
      entry.launches = integer("launches");
      entry.slicedLaunches = integer("sliced_launches");
    }
    entry.waits = facts.contains("waits");
    entry.hasDivisors = facts.contains("divisors");
    entry.inParts = facts.contains("in_parts");
    entry.sharedExtents = extents("shared_extents");
    entry.nonEmpty = extents("nonempty");
    entry.leastExtents =
        leastExtentsOf(facts.getAs<ArrayAttr>("least_extents"));
    if (auto checks = facts.getAs<ArrayAttr>("checks"))
      entry.checks = checksOf(checks);
    auto perLane = facts.getAs<DenseBoolArrayAttr>("scratch_per_lane");
    auto perSlice = facts.getAs<DenseBoolArrayAttr>("scratch_per_slice");
    auto cleared = facts.getAs<DenseBoolArrayAttr>("scratch_cleared");
    for (auto &&[index, bytes] : llvm::enumerate(extents("scratch")))
      entry.scratch.push_back({bytes, perLane && perLane[index],
                               perSlice && perSlice[index],
                               cleared && cleared[index]});
    list.push_back(std::move(entry));
  }
  return list;
}
