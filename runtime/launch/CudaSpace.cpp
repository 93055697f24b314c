//===- CudaSpace.cpp - calls on a GPU -------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/CudaSpace.h"
#include "runtime/artefact/Dimension.h"
#include "runtime/device/cuda/Launch.h"
#include "runtime/device/cuda/Memory.h"
#include "runtime/launch/ChooseKernel.h"
#include "runtime/launch/HostSpace.h"
#include "runtime/transfer/Copy.h"

#include <algorithm>

using namespace kern;

Expected<std::shared_ptr<void>> CudaSpace::allocate(size_t bytes) {
  return cuda::allocateOrdered(context, bytes, stream);
}

Status CudaSpace::copy(const StridedView &destination,
                       const StridedView &source) {
  return copyWithDevice(context, stream, destination, source);
}

namespace {
/// A kernel and what its launches have in common.
class Launcher {
public:
  Launcher(cuda::Context &context, CUstream stream, const Launch &launch,
           const KernelInfo &kernel, CUfunction function, int64_t shared)
      : context(context), stream(stream), dims(launch.dims), kernel(kernel),
        function(function), sharedExtent(shared) {}

  /// Geometry of the first launch, for the report.
  std::optional<Geometry> first;

  Status run(const Layout &layout, std::vector<KernelOperand> operands) {
    if (layout.rank() > maxKernelDims)
      return runOuter(layout, operands);
    Geometry geometry = geometryFor(layout);
    if (geometry.blocks > maxBlocks)
      return runHalves(layout, operands);
    if (!first)
      first = geometry;
    cuda::GridBlock shape = {unsigned(geometry.blocks), geometry.blockX,
                             geometry.blockY};
    return cuda::launchWords(context.driver(), function, shape,
                             wordsFor(layout, geometry, operands), stream);
  }

private:
  Geometry geometryFor(const Layout &layout) const {
    switch (kernel.form) {
    case Form::Contiguous:
      return contiguousGeometry(kernel, layout.count());
    case Form::Strided:
      return stridedGeometry(kernel, layout);
    case Form::General:
      break;
    }
    return generalGeometry(kernel, layout.count(), sharedExtent,
                           context.residentThreads());
  }

  std::vector<int64_t> wordsFor(const Layout &layout, const Geometry &geometry,
                                std::span<const KernelOperand> operands) const {
    switch (kernel.form) {
    case Form::Contiguous:
      return contiguousWords(layout.count(), operands);
    case Form::Strided:
      return stridedWords(layout, geometry, operands);
    case Form::General:
      break;
    }
    return generalWords(layout, geometry, dims, operands);
  }

  /// One launch for each index of the dimensions that a kernel does not take.
  Status runOuter(const Layout &layout,
                  const std::vector<KernelOperand> &operands) {
    Layout inner = layout;
    inner.extents.resize(maxKernelDims);
    for (Extents &strides : inner.strides)
      strides.resize(maxKernelDims);
    Odometer position(layout, maxKernelDims, 0);
    int64_t rows = layout.outerCount(maxKernelDims);
    for (int64_t row = 0; row < rows; ++row) {
      std::vector<KernelOperand> moved = operands;
      for (size_t k = 0; k < moved.size(); ++k) {
        moved[k].data += position.offset(k);
        moved[k].loopStrides = inner.strides[k];
      }
      if (Status status = run(inner, std::move(moved)); !status)
        return status;
      position.advance();
    }
    return {};
  }

  /// Two launches over the halves of the longest dimension.
  Status runHalves(const Layout &layout,
                   const std::vector<KernelOperand> &operands) {
    size_t longest = size_t(std::ranges::max_element(layout.extents) -
                            layout.extents.begin());
    // A multiple of every alignment in elements keeps contiguous vectors whole.
    int64_t half = layout.extents[longest] / 2;
    if (half > 4096)
      half = half / 4096 * 4096;
    Layout part = layout;
    part.extents[longest] = half;
    if (Status status = run(part, operands); !status)
      return status;
    part.extents[longest] = layout.extents[longest] - half;
    std::vector<KernelOperand> moved = operands;
    for (size_t k = 0; k < moved.size(); ++k)
      moved[k].data += half * layout.strides[k][longest];
    return run(part, std::move(moved));
  }

  cuda::Context &context;
  CUstream stream;
  std::span<const int64_t> dims;
  const KernelInfo &kernel;
  CUfunction function;
  int64_t sharedExtent;
};

/// The product of the extents that a group shares; 0 if there are none.
Expected<int64_t> sharedExtentOf(const Launch &launch,
                                 const KernelInfo &kernel) {
  if (kernel.sharedExtents.empty())
    return int64_t(0);
  int64_t product = 1;
  for (const DimExpr &dim : kernel.sharedExtents) {
    Expected<int64_t> extent =
        evaluate(dim, dimensionLookup(*launch.function, launch.dims));
    if (!extent)
      return extent.error();
    if (__builtin_mul_overflow(product, std::max<int64_t>(*extent, 0),
                               &product))
      product = INT64_MAX;
  }
  return product;
}
} // namespace

Status CudaSpace::launch(const Launch &launch, kern_call_report &report) {
  cuda::ContextScope scope(*context);
  if (!scope.status)
    return scope.status;
  const std::string &name = launch.function->name;
  size_t inputs = size_t(std::ranges::count_if(
      launch.operands, [](const KernelOperand &k) { return !k.isOutput; }));
  if (inputs > 64)
    return Error{KERN_ERROR_ARGUMENT,
                 "`" + name + "` has " + std::to_string(inputs) +
                     " parameters; a GPU kernel takes at most 64"};
  std::vector<OperandFacts> facts = factsOf(launch);
  Form wanted = wantedCudaForm(launch.function->kind, launch.layout, facts);
  auto chosen = chooseKernel(launch, wanted, facts, context);
  if (!chosen)
    return chosen.error();
  const KernelInfo &kernel = (*chosen)->code->kernel;
  Expected<int64_t> shared = sharedExtentOf(launch, kernel);
  if (!shared)
    return shared.error();

  Launcher launcher(*context, stream, launch, kernel, (*chosen)->function,
                    *shared);
  context->noteLaunch(name);
  if (Status status = launcher.run(launch.layout, launch.operands); !status)
    return Error{status.error().status,
                 "`" + name + "`: " + status.error().message};
  copyText(report.kernel, kernel.symbol);
  copyText(report.form, kern::name(kernel.form));
  report.grid = unsigned(launcher.first->blocks);
  report.block = launcher.first->blockX * launcher.first->blockY;
  report.group = launcher.first->group;
  return {};
}
