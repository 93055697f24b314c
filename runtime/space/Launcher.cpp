//===- Launcher.cpp - chains of kernels -----------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/space/Launcher.h"

#include "runtime/device/cuda/Captures.h"
#include "runtime/device/cuda/Driver.h"
#include "runtime/device/cuda/Launch.h"
#include "runtime/device/cuda/Memory.h"
#include "runtime/plan/SubLayout.h"
#include "runtime/space/CudaSpace.h"
#include "runtime/space/HostSpace.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

using namespace kern::runtime;

Status Launcher::run() {
  if (isEmpty())
    return {};
  if (kernel.checks.empty())
    return run(arrange(), launch().operands);
  auto made = DeviceRecord::make(context, stream);
  if (!made)
    return made.error();
  record = std::move(*made);
  if (Status status = run(arrange(), launch().operands); !status)
    return status;
  Expected<CheckRecord> found = record->read();
  if (!found)
    return found.error();
  return checkFailure(*found, *launch().function, kernel);
}

int64_t Launcher::items() const {
  return launch().layout.isEmpty ? 0 : mapped.itemsOf(launch().layout.count());
}

std::optional<LaunchTemplate> Launcher::prepare() {
  Layout layout = arrange();
  if (layout.rank() > maxKernelDims || !kernel.checks.empty())
    return std::nullopt;
  Plan plan = planFor(layout, launch().operands);
  first = plan.geometry;
  if (toHalve(layout, plan.geometry))
    return std::nullopt;
  LaunchTemplate prepared;
  prepared.name = name;
  prepared.words = wordsFor(plan, launch().operands);
  if (prepared.words.words.size() > LaunchTemplate::maxWords)
    return std::nullopt;
  prepared.kernel = loaded;
  prepared.shape = shapeOf(plan.geometry);
  prepared.grids = gridsOf(plan.geometry);
  ScratchLayout memory = scratchOf(plan.geometry);
  prepared.scratchBytes = memory.bytes;
  prepared.clearedFrom = memory.clearedFrom;
  prepared.sources = mapped.sources();
  prepared.isForNow = mapped.isForNow();
  return prepared;
}

void Launcher::describe(kern_call_report &report, size_t phases) const {
  copyText(report.kernel, kernel.symbol);
  std::string form(kern::runtime::name(kernel.form));
  if (kernel.mapping != Mapping{})
    form += ", " + kern::runtime::text(kernel.mapping);
  if (mapped.isForNow())
    form += ", for now";
  if (phases > 1)
    form += " of " + std::to_string(phases);
  copyText(report.form, form);
  if (!first)
    return;
  report.grid = unsigned(first->blocks);
  report.block = first->blockX * first->blockY;
  report.group = first->group;
}

Explanation Launcher::explain() const {
  return mapped.inOriginal(explainCuda(
      kernel, launch().layout, launch().operands, first ? first->across : 0));
}

ScratchLayout Launcher::scratchOf(const Geometry &geometry) const {
  return layOut(scratch, kernel, geometry);
}

Layout Launcher::arrange() {
  if (kernel.form != Form::Tiled)
    return launch().layout;
  if (auto found = findTransposition(launch().layout, factsOf(launch())))
    transposition = *found;
  return transposed(launch().layout, transposition);
}

Launcher::Plan
Launcher::planFor(const Layout &layout,
                  std::span<const KernelOperand> operands) const {
  switch (kernel.form) {
  case Form::Contiguous:
    return {{layout}, contiguousGeometry(kernel, layout.count())};
  case Form::Inner: {
    Rows rows = rowsOf(kernel, layout, factsOf(operands));
    Geometry geometry = innerGeometry(kernel, rows);
    return {std::move(rows), geometry};
  }
  case Form::Tiled:
    return {{layout},
            tiledGeometry(kernel, layout, transposition, factsOf(operands))};
  case Form::Strided:
    return {{layout}, stridedGeometry(kernel, layout.count())};
  case Form::General:
  case Form::Streamed: // only on the host
  case Form::Across:   // likewise
    break;
  }
  return {
      {layout},
      generalGeometry(kernel, mapped.itemsOf(layout.count()), mapped.schedule)};
}

KernelWords Launcher::wordsFor(const Plan &plan,
                               std::span<const KernelOperand> operands) const {
  KernelWords words = walkWords(plan, operands);
  for (auto [offset, bytes] : scratchOf(plan.geometry).slots) {
    words.scratchAt.push_back(words.words.size());
    words.words.insert(words.words.end(), {offset, bytes});
  }
  return words;
}

KernelWords Launcher::walkWords(const Plan &plan,
                                std::span<const KernelOperand> operands) const {
  const Layout &layout = plan.rows.layout;
  switch (kernel.form) {
  case Form::Contiguous:
    return contiguousWords(layout.count(), operands);
  case Form::Inner:
    return innerWords(plan.rows, plan.geometry, operands);
  case Form::Tiled:
    return tiledWords(layout, plan.geometry, operands);
  case Form::Strided:
    return stridedWords(layout, operands);
  case Form::General:
  case Form::Streamed: // only on the host
  case Form::Across:   // likewise
    break;
  }
  return generalWords(kernel, layout, plan.geometry, launch().dims,
                      mapped.ranges(), operands);
}

cuda::GridBlock Launcher::shapeOf(const Geometry &geometry) const {
  return {unsigned(geometry.blocks),
          geometry.blockX,
          geometry.blockY,
          geometry.sharedBytes,
          kernel.waits,
          kernel.mapping.isCooperative()};
}

std::vector<unsigned> Launcher::gridsOf(const Geometry &geometry) const {
  std::vector<unsigned> grids(kernel.launches, unsigned(geometry.blocks));
  if (kernel.mapping.sliced)
    for (size_t k = kernel.slicedLaunches; k < grids.size(); ++k)
      grids[k] = unsigned(combiningBlocks(geometry, kernel.mapping));
  return grids;
}

std::optional<size_t> Launcher::toHalve(const Layout &layout,
                                        const Geometry &geometry) const {
  int64_t bytes = bytesPerElement(scratch, geometry.group, geometry.slices);
  bool isLarge =
      bytes > 0 && layout.count() > 1 && layout.count() > scratchArena / bytes;
  return dimensionToHalve(kernel.form, layout,
                          isLarge ? maxBlocks + 1 : geometry.blocks);
}

Status Launcher::run(const Layout &layout,
                     std::vector<KernelOperand> operands) {
  if (layout.rank() > maxKernelDims)
    return runOuter(layout, operands);
  Plan plan = planFor(layout, operands);
  if (auto dimension = toHalve(layout, plan.geometry)) {
    auto [low, high] = halves(layout, *dimension);
    if (Status status = run(low.layout, operands); !status)
      return status;
    for (size_t k = 0; k < operands.size(); ++k)
      operands[k].move(high.moved[k]);
    return run(high.layout, std::move(operands));
  }
  if (!first)
    first = plan.geometry;
  KernelWords words = wordsFor(plan, operands);
  Buffer memory; // freed in stream order
  const ScratchLayout needed = scratchOf(plan.geometry);
  if (needed.bytes > 0) {
    auto allocated = cuda::allocateOrdered(context, needed.bytes, stream);
    if (!allocated)
      return allocated.error();
    memory = std::move(*allocated);
  }
  if (size_t bytes = needed.bytes - needed.clearedFrom)
    if (Status status = CudaSpace(context, stream)
                            .clear(memory.data() + needed.clearedFrom, bytes);
        !status)
      return status;
  for (size_t at : words.scratchAt)
    words.words[at] += wordOf(memory.data());
  if (record)
    words.words.push_back(record->address());
  context->captures().keep(stream, loaded->module);
  cuda::GridBlock shape = shapeOf(plan.geometry);
  int64_t index = 0;
  for (unsigned grid : gridsOf(plan.geometry)) {
    shape.grid = grid;
    if (words.launchAt != KernelWords::none)
      words.words[words.launchAt] = index++;
    if (Status status = cuda::launchWords(*context, loaded->function, shape,
                                          words.words, stream);
        !status)
      return status;
  }
  context->noteLaunch(name);
  return {};
}

Status Launcher::runOuter(const Layout &layout,
                          const std::vector<KernelOperand> &operands) {
  Layout inner = layout;
  inner.extents.resize(maxKernelDims);
  for (Strides &strides : inner.strides)
    strides.resize(maxKernelDims);
  Odometer position(layout, maxKernelDims, 0);
  int64_t rows = layout.outerCount(maxKernelDims);
  for (int64_t row = 0; row < rows; ++row) {
    std::vector<KernelOperand> moved = operands;
    for (size_t k = 0; k < moved.size(); ++k) {
      moved[k].move(position.offset(k));
      moved[k].loopStrides = inner.strides[k];
    }
    if (Status status = run(inner, std::move(moved)); !status)
      return status;
    position.advance();
  }
  return {};
}

/// Whether kernels may be made beside calls, which use others until then.
static bool makesBeside() {
  const char *text = std::getenv("KERN_BACKGROUND");
  return !text || std::string_view(text) != "0";
}

Expected<std::vector<Launcher>>
kern::runtime::makeLaunchers(const std::shared_ptr<cuda::Context> &context,
                             CUstream stream, const Launch &launch) {
  size_t inputs = size_t(std::ranges::count_if(
      launch.operands, [](const KernelOperand &k) { return !k.isOutput; }));
  constexpr size_t maxInputs = 64; // bits of a word
  if (inputs > maxInputs)
    return Error(ErrorCode::too_many_gpu_parameters,
                 {launch.function->name, inputs, maxInputs});
  const GpuFacts gpu = GpuFacts::of(*context);
  // A graph keeps its kernels, and a ufunc's are all made quickly.
  bool mayAwait = !launch.waitsForKernel && makesBeside() &&
                  launch.function->kind != FunctionKind::Ufunc;
  if (mayAwait) {
    Expected<bool> isCaptured = cuda::isCaptured(context->driver(), stream);
    if (!isCaptured)
      return context->attribute(isCaptured.error()).error();
    mayAwait = !*isCaptured;
  }
  std::vector<Launcher> chain;
  auto add = [&](MappedLaunch mapped) -> Status {
    auto chosen = mapped.choose(context, mayAwait);
    if (!chosen)
      return chosen.error();
    Expected<std::vector<ScratchSize>> scratch =
        scratchSizes(launch, (*chosen)->code->kernel);
    if (!scratch)
      return scratch.error();
    chain.emplace_back(context, stream, std::move(mapped), std::move(*chosen),
                       std::move(*scratch));
    return {};
  };
  Expected<MappedLaunch> whole = MappedLaunch::make(launch, gpu);
  if (!whole)
    return whole.error();
  Expected<unsigned> phases = whole->phases();
  if (!phases)
    return phases.error();
  if (!*phases) {
    if (Status status = add(std::move(*whole)); !status)
      return status.error();
    return chain;
  }
  for (unsigned phase = 1; phase <= *phases; ++phase) {
    Expected<MappedLaunch> mapped = MappedLaunch::make(launch, gpu, phase);
    if (!mapped)
      return mapped.error();
    if (Status status = add(std::move(*mapped)); !status)
      return status.error();
  }
  return chain;
}

const Launcher &kern::runtime::mainOf(const std::vector<Launcher> &chain) {
  return *std::ranges::max_element(chain, {}, &Launcher::items);
}
