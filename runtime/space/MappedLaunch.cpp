//===- MappedLaunch.cpp - a launch as a mapping makes it ------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/MappedLaunch.h"

#include "runtime/plan/Tiles.h"
#include "runtime/space/ChooseKernel.h"

#include <algorithm>
#include <cstdlib>

using namespace kern::runtime;

GpuFacts GpuFacts::of(const cuda::Context &context) {
  // Two blocks work on a multiprocessor. Lanes exchange values through shared
  // memory too, and the driver takes some.
  constexpr int besides = 16 << 10;
  constexpr int ofDriver = 1 << 10; // of each block's, from sm_80 on
  const bool hasMemory =
      context.sharedMemory() >= 2 * int(aheadBytes) + besides;
  return {context.residentThreads(), context.launchesTogether(),
          hasMemory && context.computeCapability() >= 80,
          context.computeCapability() >= 80,
          unsigned(context.sharedMemory() - ofDriver)};
}

/// The nest of a compiled file that describes only its kernel's words.
static Nest nestOf(const KernelInfo &kernel) {
  Nest nest;
  nest.hasLoops = !kernel.sharedExtents.empty();
  nest.chunk = std::max(kernel.elements, 1u);
  nest.sharedExtents = kernel.sharedExtents;
  return nest;
}

/// The mapping that tests ask for, of whole bodies.
static std::optional<Mapping> askedMapping() {
  const char *text = std::getenv("KERN_MAPPING");
  return text ? parseMapping(text) : std::nullopt;
}

/// Which extents are constants in kernels.
enum class ConstantExtents : uint8_t { Chosen, AllSmall, None };

/// As tests ask for it.
static ConstantExtents askedExtents() {
  const char *text = std::getenv("KERN_EXTENTS");
  const std::string_view asked = text ? text : "";
  return asked == "constant"   ? ConstantExtents::AllSmall
         : asked == "variable" ? ConstantExtents::None
                               : ConstantExtents::Chosen;
}

Status MappedLaunch::arrange(Nest described) {
  nest = std::move(described);
  DimLookup lookup = dimensionLookup(*original->function, original->dims);
  Expected<NestExtents> found =
      extentsOf(nest, original->layout.count(), lookup);
  if (!found)
    return found.error();
  extents = std::move(*found);
  const ConstantExtents asked = askedExtents();
  if (original->loop->makesVariants() && asked != ConstantExtents::None)
    extents.dims = original->dims;
  extents.wantsConstants = asked == ConstantExtents::AllSmall;
  StrideFacts strides = strideFacts(nest, original->layout, original->operands,
                                    extents, original->disjoint);
  std::erase_if(nest.tiles, [&](const Nest::Tile &tile) {
    return tile.sharedBytes > gpu.sharedBytes ||
           (tile.usesMatrixUnits() && !gpu.hasMatrixUnits);
  });
  std::optional<Mapping> wanted;
  if (!phase)
    wanted = askedMapping();
  if (wanted) {
    nest.tiles = tilesAsked(std::move(nest.tiles), wanted->tile);
    nest.unrolled.tiles = tilesAsked(std::move(nest.unrolled.tiles),
                                     wanted->unrolled ? wanted->tile : 0);
  }
  schedule = scheduleOf(nest, extents, strides, gpu.threads);
  if (wanted)
    schedule = forced(schedule, *wanted, nest, extents, strides, gpu.threads);
  if (schedule.mapping.isCooperative() && !gpu.cooperates) {
    schedule.mapping.resident = false;
    schedule.mapping.chunks = 0;
    schedule.sharedBytes = 0;
  }
  schedule.mapping.ahead = schedule.mapping.isCooperative() &&
                           gpu.fetchesAhead &&
                           (nest.isScan || extents.items() > schedule.teams);
  schedule.mapping.phase = phase;
  return {};
}

Expected<unsigned> MappedLaunch::phases() const {
  const unsigned count = unsigned(nest.phases.size());
  if (!count || !original->loop->makesVariants())
    return 0u;
  if (std::optional<Mapping> asked = askedMapping())
    return asked->phase ? count : 0u;
  DimLookup lookup = dimensionLookup(*original->function, original->dims);
  int64_t items = 0;
  for (const Nest &one : nest.phases) {
    Expected<NestExtents> found =
        extentsOf(one, original->layout.count(), lookup);
    if (!found)
      return found.error();
    items = std::max(items, found->items());
  }
  return goesInPhases(schedule, original->layout.count(), items) ? count : 0u;
}

Expected<MappedLaunch> MappedLaunch::make(const Launch &launch, GpuFacts gpu,
                                          unsigned phase) {
  MappedLaunch out(launch, gpu, phase);
  if (launch.function->kind == FunctionKind::Ufunc)
    return out;
  auto nest = launch.loop->nest();
  if (!nest)
    return nest.error();
  const bool isPlain = askedMapping() == Mapping{};
  const Nest &described = *(*nest)->phaseOf({.phase = phase});
  if (Status status = out.arrange(isPlain ? Nest{} : described); !status)
    return status.error();
  if (!out.nest.isElementwise)
    return out;
  DimLookup lookup = dimensionLookup(*launch.function, launch.dims);
  Expected<FlatLoop> loop =
      flatLoop(out.nest, out.extents, launch.layout, launch.operands, lookup);
  if (!loop)
    return loop.error();
  out.flat = launch;
  out.flat->layout = std::move(loop->layout);
  out.flat->operands = std::move(loop->operands);
  return out;
}

Expected<std::shared_ptr<const LoadedKernel>>
MappedLaunch::choose(const std::shared_ptr<cuda::Context> &context,
                     bool mayAwait) {
  const Launch &used = launch();
  std::vector<OperandFacts> facts = factsOf(used);
  FunctionKind kind = flat ? FunctionKind::Ufunc : original->function->kind;
  Form wanted = wantedCudaForm(kind, used.layout, facts);
  if (mayAwait && used.loop->makesVariants() && !askedMapping())
    if (auto quick = untilMade(schedule, nest, extents);
        quick && used.loop->awaits(variantOf(used, wanted, schedule, !context),
                                   context, quick->iterations)) {
      schedule = std::move(quick->schedule);
      forNow = true;
    }
  auto chosen = chooseKernel(used, kind, wanted, schedule, facts, context);
  if (!chosen || original->function->kind == FunctionKind::Ufunc)
    return chosen;
  const KernelInfo &kernel = (*chosen)->code->kernel;
  if (schedule.mapping.staged && !kernel.mapping.staged) {
    Nest unstaged = nest;
    unstaged.stages.clear();
    if (Status status = arrange(std::move(unstaged)); !status)
      return status.error();
    return choose(context, mayAwait);
  }
  if (kernel.form == Form::General)
    flat.reset();
  // In a file without descriptions, the kernel itself says what its lanes
  // share.
  const bool isDescribed = nest != Nest{} || kernel.sharedExtents.empty();
  if (kernel.form != Form::General ||
      (kernel.mapping == schedule.mapping && isDescribed))
    return chosen;
  // The grouping is that of the mapping that the file has, or that the compiler
  // could make.
  const Groups groups = groupsFor(schedule);
  Nest described = nest;
  if (kernel.mapping.flat != schedule.mapping.flat || nest == Nest{}) {
    described = nestOf(kernel);
    // Of a file with descriptions, if tests ask for the plain mapping.
    if (auto known = original->loop->nest()) {
      const Nest &other = *(*known)->phaseOf({.phase = phase});
      described.hasOrderedLoops = other.hasOrderedLoops;
      described.readsTogether = other.readsTogether;
    }
  }
  if (Status status = arrange(within(std::move(described), kernel.mapping));
      !status)
    return status.error();
  schedule.mapping = kernel.mapping;
  if (const Nest::Tile *tile = nest.tileOf(kernel.mapping)) {
    schedule.lanes = tile->threads;
    schedule.sharedBytes = tile->sharedBytes;
  }
  // A kernel for longer rows serves as well.
  if (nest.isScan && schedule.mapping.chunks > 1)
    schedule.lanes = std::max(schedule.lanes, 32u);
  if (original->loop->makesVariants() && groups != groupsFor(schedule))
    return chooseKernel(*original, original->function->kind, Form::General,
                        schedule, factsOf(*original), context);
  return chosen;
}

int64_t MappedLaunch::itemsOf(int64_t elements) const {
  NestExtents part = extents;
  part.elements = elements;
  part.flat = ranges();
  if (!schedule.mapping.flat || flat)
    part.flat.clear();
  return part.items();
}

std::vector<int64_t> MappedLaunch::ranges() const {
  const Nest::Tile *tile = nest.tileOf(schedule.mapping);
  return tile ? inTiles(extents.flat, *tile, schedule.mapping.unrolled)
              : extents.flat;
}

std::vector<LaunchTemplate::Source> MappedLaunch::sources() const {
  std::vector<LaunchTemplate::Source> list;
  for (size_t k = 0; flat && k < flat->operands.size(); ++k) {
    unsigned operand = nest.accesses[k].operand;
    list.push_back(
        {operand, flat->operands[k].data - original->operands[operand].data});
  }
  return list;
}

Explanation MappedLaunch::inOriginal(Explanation explanation) const {
  if (!flat)
    return explanation;
  Explanation out;
  out.obstacle = explanation.obstacle;
  out.culprit = nest.accesses[explanation.culprit].operand;
  for (size_t k = 0; k < original->operands.size(); ++k) {
    auto at =
        std::ranges::find(nest.accesses, unsigned(k), &Nest::Access::operand);
    out.accesses.push_back(
        at == nest.accesses.end()
            ? Access{}
            : explanation.accesses[size_t(at - nest.accesses.begin())]);
  }
  return out;
}
