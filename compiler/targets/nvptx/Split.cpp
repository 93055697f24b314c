//===- Split.cpp - the parts of a module ----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "compiler/targets/nvptx/Split.h"

#include "compiler/targets/nvptx/Passes.h"
#include "dialects/Loop/Loop.h"
#include "dialects/LoopMappings/Mappings.h"
#include "dialects/LoopMappings/Slices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using kern::ir::loop::KernelOp;

namespace kern::compiler::nvptx {

using runtime::Form;
using runtime::KernelVariant;

std::vector<size_t> groupBegins(std::span<const size_t> operations) {
  // A group's work should outweigh the cost of starting it. Even a small kernel
  // has a cost, because of its forms.
  constexpr size_t ofKernel = 50, ofGroup = 1000;
  std::vector<size_t> begins = {0};
  size_t sum = 0;
  for (size_t i = 0; i < operations.size(); ++i) {
    if (sum >= ofGroup) {
      begins.push_back(i);
      sum = 0;
    }
    sum += ofKernel + operations[i];
  }
  return begins;
}

bool splitsForms(KernelWork work) {
  if (work.hasOneForm)
    return false;
  // Most elementary functions have 15 to 60 instructions.
  constexpr size_t ofCall = 40, manyPlaces = 8;
  return !isOutlined({unsigned(work.operations + ofCall * work.calls),
                      unsigned(work.values), manyPlaces});
}

static KernelWork workOf(KernelOp kernel) {
  KernelWork work;
  kernel.getBody().walk([&](Operation *op) {
    ++work.operations;
    work.calls += isa<func::CallOp, arith::RemFOp>(op);
  });
  work.values =
      kernel.getBody().getNumArguments() + kernel.getResultTypes().size();
  // A kernel with checks has only the two forms of every file.
  work.hasOneForm = !kernel.isUfunc() || kernel.getChecks();
  return work;
}

/// The variants of a compiled file, in the order of a module.
static std::vector<KernelVariant> variants(bool allForms) {
  if (!allForms)
    return {{Form::Contiguous, false}, {Form::Strided, false}};
  std::vector<KernelVariant> variants;
  for (Form form : {Form::Contiguous, Form::Inner, Form::Tiled, Form::Strided})
    for (bool disjoint : {false, true})
      variants.push_back({form, disjoint});
  return variants;
}

/// The tiles of a file: with `allForms` all that the GPUs can compute; else
/// one, large enough for large operands, and not so large that smaller ones
/// waste most of it.
static std::vector<unsigned> tilesOfFile(const runtime::Nest &nest,
                                         bool allForms,
                                         unsigned computeCapability) {
  constexpr unsigned withMatrixUnits = 80;
  std::vector<unsigned> columns;
  for (const runtime::Nest::Tile &tile : nest.tiles) {
    if (tile.usesMatrixUnits() && computeCapability < withMatrixUnits)
      continue;
    if (!allForms && tile.columns > (tile.rows == 1 ? 512 : 64))
      continue;
    if (!allForms)
      columns.clear();
    columns.push_back(tile.columns);
  }
  return columns;
}

/// The variants of a gufunc in a compiled file: enough that every shape runs
/// close to its best mapping; with `allForms`, all. A gufunc without other
/// mappings has the single variant of its description.
static std::vector<KernelVariant> gufuncVariants(KernelOp kernel, bool allForms,
                                                 unsigned computeCapability) {
  const runtime::Nest nest = ir::loop::nestOf(kernel);
  const runtime::Mapping mapping = {.flat = !nest.flat.empty()};
  std::vector<KernelVariant> list;
  if (nest.isElementwise) {
    list = variants(allForms);
    for (KernelVariant &variant : list)
      variant.mapping = mapping;
    return list;
  }
  auto add = [&](bool across, bool sliced) {
    KernelVariant variant = {Form::General};
    variant.mapping = mapping;
    variant.mapping.across = across;
    variant.mapping.sliced = sliced;
    list.push_back(variant);
  };
  add(false, false);
  if (nest.residentChunks) {
    list.push_back({Form::General});
    list.back().mapping = mapping;
    list.back().mapping.resident = true;
    list.back().mapping.chunks = nest.residentChunks;
    // Rows that slices write and others read keep them from cooperating.
    if (nest.launches &&
        (nest.isScan || (allForms && ir::loop::mayCooperate(kernel)))) {
      list.push_back(list.back());
      list.back().mapping.sliced = true;
    }
  }
  bool mayGoAcross = nest.hasLoops && nest.isStraight;
  if (mayGoAcross)
    add(true, false);
  if (nest.launches)
    add(false, true);
  if (mayGoAcross && nest.launches && allForms)
    add(true, true);
  if (nest.recentres && allForms)
    for (bool isResident : {false, true}) {
      add(false, true);
      list.back().mapping.recentred = true;
      list.back().mapping.resident = isResident;
      list.back().mapping.chunks = isResident ? nest.residentChunks : 0;
    }
  if (!nest.stages.empty()) {
    // Without it, a warp reads a cache line for each element.
    KernelVariant variant = {Form::General};
    variant.mapping.staged = true;
    list.push_back(variant);
    variant.mapping.spread = true;
    if (nest.canSpread() && allForms)
      list.push_back(variant);
  }
  if (!nest.privatised.empty()) {
    // Without it, the iterations of a block wait for one another.
    KernelVariant variant = {Form::General};
    variant.mapping = mapping;
    variant.mapping.privatised = true;
    list.push_back(variant);
    variant.mapping.sliced = true;
    if (nest.launches)
      list.push_back(variant);
  }
  for (unsigned columns : tilesOfFile(nest, allForms, computeCapability)) {
    KernelVariant variant = {Form::General};
    variant.mapping = mapping;
    variant.mapping.tile = columns;
    list.push_back(variant);
  }
  return list;
}

/// Adds a part with the declarations of `module`, which any kernel may need.
static ModuleOp add(std::vector<Part> &parts, ModuleOp module,
                    std::optional<KernelVariant> variant) {
  parts.push_back({ModuleOp::create(module.getLoc()), std::move(variant)});
  ModuleOp part = *parts.back().module;
  for (auto declaration : module.getOps<func::FuncOp>())
    part.push_back(declaration->clone());
  return part;
}

static std::vector<Part> splitByForms(ModuleOp module,
                                      ArrayRef<KernelOp> kernels,
                                      ArrayRef<KernelVariant> variants) {
  std::vector<Part> parts;
  ModuleOp whole; // the last part, unless it has a single form
  for (KernelOp kernel : kernels) {
    if (!splitsForms(workOf(kernel))) {
      if (!whole)
        whole = add(parts, module, std::nullopt);
      whole.push_back(kernel->clone());
      continue;
    }
    whole = nullptr;
    for (KernelVariant variant : variants)
      add(parts, module, variant).push_back(kernel->clone());
  }
  return parts;
}

static std::vector<Part> splitByGroups(ModuleOp module,
                                       ArrayRef<KernelOp> kernels) {
  std::vector<size_t> operations;
  for (KernelOp kernel : kernels)
    operations.push_back(workOf(kernel).operations);
  std::vector<size_t> begins = groupBegins(operations);
  std::vector<Part> parts;
  ModuleOp group;
  for (auto [i, kernel] : llvm::enumerate(kernels)) {
    if (parts.size() < begins.size() && begins[parts.size()] == i)
      group = add(parts, module, std::nullopt);
    group.push_back(kernel->clone());
  }
  return parts;
}

std::vector<Part> split(ModuleOp module, bool allForms,
                        unsigned computeCapability) {
  SmallVector<KernelOp> kernels;
  std::vector<Part> mapped;
  for (KernelOp kernel : module.getOps<KernelOp>()) {
    std::vector<KernelVariant> list;
    if (!kernel.isUfunc())
      list = gufuncVariants(kernel, allForms, computeCapability);
    if (list.empty() ||
        (list.size() == 1 && list[0].mapping == runtime::Mapping{})) {
      kernels.push_back(kernel);
      continue;
    }
    for (const KernelVariant &variant : list)
      add(mapped, module, variant).push_back(kernel->clone());
  }
  std::vector<KernelVariant> forms = variants(allForms);
  // More parts would cost more than the usual number of CPUs gains.
  constexpr size_t maxForms = 16;
  std::vector<Part> parts;
  if (!kernels.empty())
    parts = kernels.size() * forms.size() <= maxForms
                ? splitByForms(module, kernels, forms)
                : splitByGroups(module, kernels);
  std::ranges::move(mapped, std::back_inserter(parts));
  for (KernelOp kernel : llvm::make_early_inc_range(module.getOps<KernelOp>()))
    kernel.erase();
  return parts;
}

std::string joinPtx(std::span<const std::string> texts) {
  // The header before the first symbol: version, target and address size.
  constexpr std::string_view headerEnd = ".address_size 64\n";
  std::string joined;
  for (const std::string &text : texts) {
    std::string_view part = text;
    size_t end = part.find(headerEnd);
    if (!joined.empty() && end != part.npos)
      part.remove_prefix(end + headerEnd.size());
    joined += part;
  }
  return joined;
}

} // namespace kern::compiler::nvptx
