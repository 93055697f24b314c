//===- BoundOperands.cpp - the operands of one call -----------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/BoundOperands.h"

#include "runtime/plan/HostTiling.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

using namespace kern::runtime;

Status BoundOperands::gather() {
  const LoopInfo &loop = call.loop->info();
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const Argument &argument = call.arguments[i];
    BoundOperand operand;
    operand.info = argument.parameter;
    operand.label = describe(argument);
    operand.dtype = loop.inputs[i].carrier();
    operand.isScalar = argument.isScalar;
    if (argument.isScalar) {
      Expected<Value> value = valueAs(argument, loop.inputs[i]);
      if (!value)
        return value.error().in(call.function->name);
      operand.value = *value;
    }
    if (argument.isArray)
      operand.given = argument.view;
    operand.range = argument.range;
    if (operand.range)
      operand.used = argument.view;
    operands.push_back(std::move(operand));
  }
  for (size_t i = 0; i < call.outputs.size(); ++i) {
    BoundOperand operand;
    operand.info = &call.function->results[i];
    operand.label = "result " + std::to_string(i + 1);
    operand.dtype = loop.outputs[i];
    operand.isOutput = true;
    operand.given = call.outputs[i];
    operands.push_back(std::move(operand));
  }
  if (canMask()) {
    BoundOperand operand;
    operand.info = &maskInfo;
    operand.label = "`where`";
    operand.dtype = DType::Bool;
    operand.isMask = true;
    operand.given = call.mask;
    operands.push_back(std::move(operand));
  }
  if (Status status = checkWrites(); !status)
    return status;
  order = loopOrder();
  findOrder();
  return {};
}

/// Looks for an order of tiles that saves copying overwritten inputs, and marks
/// those inputs. All arrays must be used in place.
void BoundOperands::findOrder() {
  if (call.function->kind != FunctionKind::Ufunc)
    return;
  std::vector<OverlappingPair> pairs;
  for (size_t i = 0; i < operands.size(); ++i)
    for (size_t k = 0; k < operands.size(); ++k) {
      const BoundOperand &read = operands[i], &written = operands[k];
      if (i == k || !read.given || read.isScalar || read.isWritten() ||
          !written.isWritten() || !written.given ||
          overlapOf(*read.given, *written.given) != Overlap::Some)
        continue;
      pairs.push_back({i, k, read.given->data - written.given->data,
                       int64_t(itemSize(read.given->dtype))});
    }
  if (pairs.empty())
    return;
  std::vector<Strides> strides;
  for (const BoundOperand &operand : operands) {
    bool isCopied = operand.given && !operand.isScalar && !isUsable(operand);
    if (isCopied || operand.info->isInout)
      return;
    StridedView view;
    if (operand.given)
      view = *operand.given;
    else if (operand.range)
      view = operand.used;
    else if (operand.isOutput) {
      view.shape = call.shapes.results[indexOf(operand)];
      view.strides = resultStrides(operand);
    }
    strides.push_back(loopStrides(operand, view));
  }
  Layout layout = planLayout(call.shapes.loopShape, strides);
  if (layout.isEmpty || !space.goesInOrder(layout.count()))
    return;
  for (OverlappingPair &pair : pairs)
    pair.distance += layout.offsets[pair.read] - layout.offsets[pair.written];
  std::optional<TileOrder> found = walkOrder(layout, pairs);
  if (!found)
    return;
  for (const OverlappingPair &pair : pairs)
    operands[pair.read].isOverwritten = true;
  // A copy would have other strides.
  bool hasCopies =
      std::ranges::any_of(operands, [&](const BoundOperand &operand) {
        return operand.given && !operand.isScalar && !operand.isOutput &&
               mustBeCopied(operand, overwritten(operand));
      });
  for (const OverlappingPair &pair : pairs)
    operands[pair.read].isOverwritten = !hasCopies;
  if (!hasCopies)
    tileOrder = *found;
}

/// A mask's words must fit beside those of the operands.
static constexpr size_t maxMasked = 50;

/// A launch takes the mask only if it writes all results in place.
bool BoundOperands::canMask() const {
  return call.mask && can.masks && operands.size() <= maxMasked &&
         std::ranges::all_of(operands, [&](const BoundOperand &operand) {
           return !operand.isOutput || !operand.given || isUsable(operand);
         });
}

bool BoundOperands::isUsable(const BoundOperand &operand) const {
  const StridedView &view = *operand.given;
  if (!isHere(view) || !(can.unaligned || view.isAligned()))
    return false;
  DType from = view.dtype, to = operand.dtype;
  if (operand.isOutput)
    std::swap(from, to);
  // Complex to real takes a view of the real parts.
  bool isPart = isComplex(from) && !isComplex(to);
  return view.dtype == operand.dtype ||
         (can.converts && !isPart &&
          call.function->kind == FunctionKind::Ufunc && !operand.info->isInout);
}

Status BoundOperands::checkWrites() const {
  auto refuse = [&](ErrorCode code,
                    std::initializer_list<TextArgument> labels) {
    return Error(code, labels).in(call.function->name);
  };
  for (size_t i = 0; i < operands.size(); ++i) {
    const BoundOperand &a = operands[i];
    if (!a.isWritten() || !a.given)
      continue;
    if (overlapsItself(*a.given))
      return refuse(ErrorCode::written_overlaps_itself, {a.label});
    for (size_t k = 0; k < operands.size(); ++k) {
      const BoundOperand &b = operands[k];
      if (k == i || !b.given || b.isScalar || (b.isWritten() && k < i))
        continue;
      Overlap overlap = Overlap::None;
      if (b.isWritten() || !a.isOutput)
        overlap = overlapOf(*a.given, *b.given);
      if (b.isWritten() && overlap != Overlap::None)
        return refuse(ErrorCode::written_overlap, {a.label, b.label});
      if (overlap == Overlap::Some)
        return refuse(ErrorCode::inout_overlaps, {a.label, b.label});
    }
  }
  return {};
}

/// The byte strides of an operand's loop dimensions over the loop's shape.
Strides BoundOperands::loopStrides(const BoundOperand &operand,
                                   const StridedView &view) const {
  if (operand.isScalar)
    return Extents(call.shapes.loopShape.size(), 0);
  std::span<const int64_t> shape =
      std::span(view.shape).first(view.rank() - operand.coreRank());
  return broadcastStrides(shape, std::span(view.strides).first(shape.size()),
                          call.shapes.loopShape);
}

/// New outputs have the memory order of the given arrays.
std::vector<unsigned> BoundOperands::loopOrder() const {
  std::vector<Strides> strides;
  for (const BoundOperand &operand : operands)
    if (operand.given && !operand.isScalar && !operand.isMask)
      strides.push_back(loopStrides(operand, *operand.given));
  return memoryOrder(call.shapes.loopShape, strides);
}

/// How an input overlaps the written arrays.
Overlap BoundOperands::overwritten(const BoundOperand &input) const {
  Overlap worst = Overlap::None;
  for (const BoundOperand &other : operands)
    if (&other != &input && other.isWritten() && other.given)
      worst = std::max(worst, overlapOf(*input.given, *other.given));
  return worst;
}

/// Whether an input with this overlap must be copied. A ufunc may run exactly
/// in place. A gufunc may write a result before it, or another thread, has read
/// everything.
bool BoundOperands::mustBeCopied(const BoundOperand &input,
                                 Overlap overlap) const {
  // With several results, each reads the mask.
  if (input.isMask)
    return overlap != Overlap::None;
  bool elementwise = call.function->kind == FunctionKind::Ufunc &&
                     input.given->shape == call.shapes.loopShape;
  return (overlap == Overlap::Some && !input.isOverwritten) ||
         (overlap == Overlap::Exact && !elementwise);
}

bool BoundOperands::useInPlace(BoundOperand &operand) {
  Overlap overlap = overwritten(operand);
  if (!isUsable(operand) ||
      (!operand.info->isInout && mustBeCopied(operand, overlap)))
    return false;
  operand.used = *operand.given;
  disjoint &= overlap == Overlap::None;
  return true;
}

/// Whether `order` is F, or A while all arrays that are given are F-contiguous
/// (NumPy).
bool BoundOperands::isFortranAsked() const {
  if (call.order != KERN_ORDER_A)
    return call.order == KERN_ORDER_F;
  return std::ranges::all_of(operands, [](const BoundOperand &operand) {
    return operand.isMask || !operand.given || isFContiguous(*operand.given);
  });
}

/// The strides of the inputs whose memory order a new result has, if the call
/// says where its core axes are: those with as many core dimensions.
std::vector<Strides> BoundOperands::axesLike(const BoundOperand &result) const {
  std::vector<Strides> like;
  if (call.resultAxes.empty() || result.info->core.empty())
    return like;
  const std::vector<size_t> &axes = call.resultAxes[indexOf(result)].core;
  bool isUsual = true;
  for (size_t i = 0; i < axes.size(); ++i)
    isUsual &= axes[i] == call.shapes.loopShape.size() + i;
  if (isUsual || std::ranges::count(axes, AxisMap::missing))
    return like;
  for (const BoundOperand &operand : operands) {
    if (!operand.given || operand.isOutput || operand.isScalar ||
        operand.isMask || operand.info->core.size() != result.info->core.size())
      continue;
    Strides strides = loopStrides(operand, *operand.given);
    std::span<const int64_t> core =
        std::span(operand.given->strides).last(operand.coreRank());
    strides.insert(strides.end(), core.begin(), core.end());
    like.push_back(std::move(strides));
  }
  return like;
}

Strides BoundOperands::resultStrides(const BoundOperand &operand) const {
  const Extents &shape = call.shapes.results[indexOf(operand)];
  size_t size = itemSize(operand.dtype);
  if (call.order != KERN_ORDER_DEFAULT && call.order != KERN_ORDER_K) {
    // The array as the caller sees it.
    StridedView view;
    view.shape = shape;
    view.strides.resize(shape.size());
    view = resultView(operand, view);
    std::vector<unsigned> axes(view.rank());
    std::iota(axes.begin(), axes.end(), 0u);
    if (!isFortranAsked())
      std::ranges::reverse(axes);
    view.strides = packedStrides(view.shape, axes, size);
    if (!call.resultAxes.empty())
      view = orderedAxes(view, call.resultAxes[indexOf(operand)]);
    return view.strides;
  }
  if (std::vector<Strides> like = axesLike(operand); !like.empty())
    return packedStrides(shape, memoryOrder(shape, like), size);
  size_t loopRank = call.shapes.loopShape.size();
  std::span<const int64_t> core = std::span(shape).subspan(loopRank);
  Strides coreStrides = contiguousStrides(core, size);
  size_t coreBytes = size;
  for (int64_t extent : core)
    coreBytes *= size_t(extent);
  Strides strides = packedStrides(call.shapes.loopShape, order,
                                  std::max<size_t>(coreBytes, 1));
  strides.insert(strides.end(), coreStrides.begin(), coreStrides.end());
  return strides;
}

Expected<size_t> BoundOperands::shapeResult(BoundOperand &operand,
                                            const Extents &shape,
                                            const Strides &strides) {
  StridedView &view = operand.used;
  view.dtype = operand.dtype;
  view.device = space.device();
  view.shape = shape;
  view.strides = strides;
  Expected<size_t> bytes = bytesOf(shape, view.dtype);
  if (!bytes)
    return Error(ErrorCode::operand_too_large,
                 {operand.label, shapeText(operand, shape)})
        .in(call.function->name);
  return bytes;
}

Launch BoundOperands::planLaunch() const {
  Launch out;
  out.function = call.function;
  out.loop = call.loop.get();
  out.dims = call.shapes.dims;
  out.disjoint = disjoint;
  out.order = tileOrder;
  out.waitsForKernel = call.waitsForKernel;
  std::vector<Strides> strides;
  for (const BoundOperand &operand : operands)
    strides.push_back(loopStrides(operand, operand.used));
  out.layout = planLayout(call.shapes.loopShape, strides);
  if (out.layout.isEmpty)
    return out;
  for (size_t k = 0; k < operands.size(); ++k) {
    const BoundOperand &operand = operands[k];
    KernelOperand kernel;
    kernel.dtype = operand.dtype;
    kernel.isOutput = operand.isOutput;
    kernel.isWritten = operand.isWritten();
    kernel.hasCore = !operand.info->core.empty();
    kernel.isScalar = operand.isScalar;
    kernel.value = operand.value;
    kernel.isMask = operand.isMask;
    kernel.isOverwritten = operand.isOverwritten;
    kernel.isCleared =
        can.clears && isMaskedLaunch() && operand.isOutput && !operand.given;
    kernel.loopStrides = out.layout.strides[k];
    if (operand.range) {
      kernel.rangeStep = operand.range->step;
      kernel.data = std::bit_cast<std::byte *>(operand.range->start);
      kernel.move(out.layout.offsets[k]);
      std::memcpy(kernel.value.data(), &operand.range->step, sizeof(int64_t));
      if (operand.dtype != DType::I64)
        kernel.stored = DType::I64;
    } else if (!operand.isScalar) {
      kernel.data = operand.used.data + out.layout.offsets[k];
      if (operand.used.dtype != operand.dtype)
        kernel.stored = operand.used.dtype;
      kernel.coreStrides.assign(operand.used.strides.end() -
                                    long(operand.coreRank()),
                                operand.used.strides.end());
      kernel.coreExtents.assign(operand.used.shape.end() -
                                    long(operand.coreRank()),
                                operand.used.shape.end());
      // Views have no stride where the extent is 1. Kernels have a fast form
      // for arrays that are contiguous along their last core dimensions.
      if (!kernel.coreExtents.empty() && kernel.coreExtents.back() == 1)
        kernel.coreStrides.back() = int64_t(itemSize(operand.used.dtype));
      kernel.isNew = operand.isOutput && !operand.given;
    }
    out.operands.push_back(std::move(kernel));
  }
  return out;
}
