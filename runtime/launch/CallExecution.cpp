//===- CallExecution.cpp - execution of a call step by step ---------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/CallExecution.h"
#include "runtime/launch/BoundOperands.h"
#include "runtime/launch/ResultMemory.h"
#include "runtime/space/HostSpace.h"
#include "runtime/trace/Trace.h"

#include <algorithm>

using namespace kern::runtime;

namespace {
/// The real part of a complex array that becomes real. Only the casting rule
/// `unsafe` allows that.
StridedView partFor(StridedView view, DType to) {
  if (!isComplex(view.dtype) || isComplex(to) || to == DType::Bool)
    return view;
  view.dtype = view.dtype == DType::C64 ? DType::F32 : DType::F64;
  return view;
}

class CallExecution : BoundOperands {
public:
  using BoundOperands::BoundOperands;

  Expected<std::vector<ManagedArray>> run(kern_call_report &report,
                                          std::string *explanation) {
    if (Status status = gather(); !status)
      return status.error();
    if (Status status = checkTransfers(); !status)
      return status.error();
    if (Status status = prepareMask(); !status)
      return status.error();
    for (BoundOperand &operand : operands) {
      Status status =
          operand.isOutput ? prepareOutput(operand) : prepareInput(operand);
      if (!status)
        return status.error();
    }
    if (Status status = launch(report, explanation); !status)
      return status.error();
    for (const BoundOperand &operand : operands)
      if (operand.copyBack)
        if (Status status = copyBack(operand); !status)
          return status.error();
    return results();
  }

private:
  /// The first of the call's arrays that is not in this space, if any.
  Obstacle absent() const {
    for (const BoundOperand &operand : operands) {
      if (operand.isScalar || operand.range)
        continue;
      if (!operand.given && call.resultsOnHost && !isHost(space.device()))
        return {ObstacleKind::brought_to_device, {operand.label, "the host"}};
      if (operand.given && !isHere(*operand.given))
        return {ObstacleKind::elsewhere,
                {operand.label, text(operand.given->device)}};
    }
    if (call.mask && !isHere(*call.mask))
      return {ObstacleKind::elsewhere, {"`where`", text(call.mask->device)}};
    return {};
  }

  /// Rejects impossible transfers before anything runs.
  Status checkTransfers() const {
    Obstacle missing = absent();
    if (!missing)
      return {};
    Expected<bool> canTransfer = space.canTransfer();
    if (!canTransfer)
      return canTransfer.error();
    if (*canTransfer)
      return {};
    return Error(ErrorCode::transfer_during_capture,
                 {missing.text(), text(space.device())})
        .in(call.function->name);
  }

  Status prepareInput(BoundOperand &operand) {
    if (operand.isScalar || operand.range || useInPlace(operand))
      return {};
    // A packed copy of the distinct elements; broadcast dimensions keep stride
    // 0.
    StridedView distinct = *operand.given;
    for (size_t i = 0; i < distinct.rank(); ++i)
      if (distinct.strides[i] == 0)
        distinct.shape[i] = std::min<int64_t>(distinct.shape[i], 1);
    const Strides given[] = {distinct.strides};
    Strides strides =
        packedStrides(distinct.shape, memoryOrder(distinct.shape, given),
                      itemSize(operand.dtype));
    if (Status status = allocate(operand, distinct.shape, strides); !status)
      return status;
    if (Status status =
            space.copy(operand.used, partFor(distinct, operand.dtype));
        !status)
      return status;
    operand.used.shape = operand.given->shape;
    for (size_t i = 0; i < distinct.rank(); ++i)
      if (distinct.shape[i] != operand.given->shape[i])
        operand.used.strides[i] = 0;
    operand.copyBack = operand.info->isInout;
    return {};
  }

  Status prepareOutput(BoundOperand &operand) {
    bool isMasked = call.mask && !isMaskedLaunch(); // applied afterwards
    if (operand.given && !isMasked && isUsable(operand)) {
      operand.used = *operand.given;
      return {};
    }
    const Extents &shape = call.shapes.results[indexOf(operand)];
    Strides strides = resultStrides(operand);
    if (isMasked && !operand.given) {
      if (Status status = allocateResult(operand, shape, strides); !status)
        return status;
      operand.given = operand.used;
      operand.masked = std::move(operand.owner);
      if (Status status =
              space.clear(operand.masked.data(), size_t(operand.used.count()) *
                                                     itemSize(operand.dtype));
          !status)
        return status;
    }
    operand.copyBack = operand.given.has_value();
    Status status = operand.given ? allocate(operand, shape, strides)
                                  : allocateResult(operand, shape, strides);
    // What a gufunc's body does not write keeps its value.
    const bool mayKeep = call.function->kind != FunctionKind::Ufunc &&
                         operand.coreRank() > 0 && operand.given;
    if (status && mayKeep)
      status = space.copy(operand.used, partFor(*operand.given, operand.dtype));
    if (!status || can.clears || operand.given || !isMaskedLaunch())
      return status;
    return space.clear(operand.owner.data(),
                       size_t(operand.used.count()) * itemSize(operand.dtype));
  }

  /// Prepares the mask unless the launch reads it: over the loop's shape, in
  /// this space, in memory that no output shares.
  Status prepareMask() {
    if (!call.mask || isMaskedLaunch())
      return {};
    mask = *call.mask;
    bool isShared =
        std::ranges::any_of(operands, [&](const BoundOperand &operand) {
          return operand.isOutput && operand.given &&
                 overlapOf(*operand.given, mask) != Overlap::None;
        });
    if (!isHere(mask) || isShared) {
      StridedView copy = mask;
      copy.device = space.device();
      copy.strides = contiguousStrides(copy.shape, 1);
      Expected<Buffer> memory =
          memoryFor(copy, [&](size_t bytes) { return space.allocate(bytes); });
      if (!memory)
        return memory.error();
      maskOwner = std::move(*memory);
      copy.data = maskOwner.data();
      if (Status status = space.copy(copy, mask); !status)
        return status;
      mask = copy;
    }
    mask.strides =
        broadcastStrides(mask.shape, mask.strides, call.shapes.loopShape);
    mask.shape = call.shapes.loopShape;
    return {};
  }

  Status copyBack(const BoundOperand &operand) {
    StridedView used = partFor(operand.used, operand.given->dtype);
    if (!call.mask || isMaskedLaunch() || !operand.isOutput)
      return space.copy(*operand.given, used);
    if (isHere(*operand.given))
      return space.copyWhere(*operand.given, used, mask);
    return copyBackToHost(*operand.given, used);
  }

  /// Copying the array here, changing it under the mask and copying it back
  /// would also write masked elements. So the values and the mask are copied
  /// there.
  Status copyBackToHost(const StridedView &given, const StridedView &used) {
    HostSpace host;
    auto onHost = [&](const StridedView &view)
        -> Expected<std::pair<StridedView, Buffer>> {
      StridedView copy = view;
      copy.device = hostDevice();
      copy.strides = contiguousStrides(view.shape, itemSize(view.dtype));
      auto memory =
          memoryFor(view, [&](size_t bytes) { return host.allocate(bytes); });
      if (!memory)
        return memory.error();
      copy.data = memory->data();
      if (Status status = space.copy(copy, view); !status)
        return status.error();
      return std::pair(copy, std::move(*memory));
    };
    auto values = onHost(used);
    if (!values)
      return values.error();
    auto truth = onHost(mask);
    if (!truth)
      return truth.error();
    return host.copyWhere(given, values->first, truth->first);
  }

  Status allocate(BoundOperand &operand, const Extents &shape,
                  const Strides &strides) {
    Expected<size_t> bytes = shapeResult(operand, shape, strides);
    if (!bytes)
      return bytes.error();
    Expected<Buffer> memory = space.allocate(*bytes);
    if (!memory)
      return memory.error()
          .in(call.function->name)
          .add(Addition::for_operand,
               {operand.label, shapeText(operand, shape)});
    operand.owner = std::move(*memory);
    operand.used.data = operand.owner.data();
    return {};
  }

  /// Memory for a new result: the caller's if the result stays here.
  Status allocateResult(BoundOperand &operand, const Extents &shape,
                        const Strides &strides) {
    if (!call.allocator || isBroughtToHost(space.device()))
      return allocate(operand, shape, strides);
    if (Expected<size_t> bytes = shapeResult(operand, shape, strides); !bytes)
      return bytes.error();
    Expected<std::byte *> data = kern::runtime::allocateResult(
        *call.allocator, call.function->name, indexOf(operand),
        resultView(operand, operand.used));
    if (!data)
      return data.error();
    operand.owner = Buffer::borrowed(*data);
    operand.used.data = *data;
    return {};
  }

  /// Whether a new result on `device` is copied to the host at the end.
  bool isBroughtToHost(DLDevice device) const {
    return call.resultsOnHost && !isHost(device);
  }

  Status launch(kern_call_report &report, std::string *explanation) {
    Launch out = planLaunch();
    report.device = space.device();
    report.elements = out.layout.count();
    if (out.layout.isEmpty)
      return {};
    Explanation found;
    if (explanation)
      out.explanation = &found;
    Status status = traced(
        [&] {
          return TraceLabel{KERN_TRACE_LAUNCH,
                            isHost(report.device) ? "run" : "enqueue",
                            call.function->name,
                            report.device,
                            0,
                            uint64_t(report.elements)};
        },
        [&] { return space.launch(out, report); });
    if (!status)
      return status;
    if (explanation)
      *explanation = text(found, placesText());
    return {};
  }

  /// The operands' names, and how each was copied before the kernel read it.
  std::vector<std::string> placesText() const {
    std::vector<std::string> labels;
    for (const BoundOperand &operand : operands) {
      std::string label = operand.label;
      bool isConverted = operand.given && operand.given->dtype != operand.dtype;
      if (operand.given && (operand.owner || isConverted)) {
        const StridedView &given = *operand.given;
        label += !isHere(given) ? ", brought to " + text(space.device())
                 : isConverted
                     ? ", converted between " + std::string(name(given.dtype)) +
                           " and " + std::string(name(operand.dtype))
                     : ", as a copy";
      }
      labels.push_back(std::move(label));
    }
    return labels;
  }

  Expected<std::vector<ManagedArray>> results() {
    std::vector<ManagedArray> out;
    for (const BoundOperand &operand : operands) {
      if (!operand.isOutput)
        continue;
      if (operand.given && !operand.masked) {
        out.emplace_back();
        continue;
      }
      bool isMasked = bool(operand.masked);
      StridedView view =
          resultView(operand, isMasked ? *operand.given : operand.used);
      if (isBroughtToHost(view.device)) {
        Expected<ManagedArray> array = bringToHost(view, indexOf(operand));
        if (!array)
          return array.error();
        out.push_back(std::move(*array));
      } else if (call.allocator) {
        out.emplace_back();
      } else {
        out.push_back(manage(view, isMasked ? operand.masked : operand.owner));
      }
    }
    return out;
  }

  /// A new result as an array on the host; null if its memory is the caller's.
  Expected<ManagedArray> bringToHost(const StridedView &view, size_t index) {
    StridedView host = view;
    host.device = hostDevice();
    ManagedArray array;
    if (call.allocator) {
      Expected<std::byte *> data = kern::runtime::allocateResult(
          *call.allocator, call.function->name, index, host);
      if (!data)
        return data.error();
      host.data = *data;
    } else {
      Expected<ManagedArray> made =
          newHostArray(view.dtype, view.shape, view.strides);
      if (!made)
        return made.error();
      array = std::move(*made);
      host.data = static_cast<std::byte *>(array->dl_tensor.data);
    }
    if (Status status = space.copy(host, view); !status)
      return status.error();
    return array;
  }

  StridedView mask;
  Buffer maskOwner;
};
} // namespace

Expected<std::vector<ManagedArray>>
kern::runtime::execute(const BoundCall &call, Space &space,
                       kern_call_report &report, std::string *explanation) {
  return CallExecution(call, space).run(report, explanation);
}
