//===- Execute.cpp - runs a call whose loop and shapes are known ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Execution.h"
#include "runtime/space/HostSpace.h"

#include <algorithm>

using namespace kern;

namespace {
/// A complex array as what of it becomes a real one: its real part. This is
/// only asked for by the casting rule `unsafe`.
StridedView partFor(StridedView view, DType to) {
  if (!isComplex(view.dtype) || isComplex(to) || to == DType::Bool)
    return view;
  view.dtype = view.dtype == DType::C64 ? DType::F32 : DType::F64;
  return view;
}

class Runner : Execution {
public:
  using Execution::Execution;

  Expected<std::vector<ManagedArray>> run(kern_call_report &report,
                                          std::string *explanation) {
    if (Status status = gather(); !status)
      return status.error();
    if (Status status = checkTransfers(); !status)
      return status.error();
    if (Status status = prepareMask(); !status)
      return status.error();
    for (Operand &operand : operands) {
      Status status =
          operand.isOutput ? prepareOutput(operand) : prepareInput(operand);
      if (!status)
        return status.error();
    }
    if (Status status = launch(report, explanation); !status)
      return status.error();
    for (const Operand &operand : operands)
      if (operand.copyBack)
        if (Status status = copyBack(operand); !status)
          return status.error();
    return results();
  }

private:
  /// The first of the call's arrays that is not here: "argument 2 (`y`) is on
  /// cpu"; "" if all are.
  std::string absent() const {
    for (const Operand &operand : operands) {
      if (operand.isScalar)
        continue;
      if (!operand.given && call.resultsOnHost && !isHost(space.device()))
        return operand.label + " is brought to the host";
      if (operand.given && !isHere(*operand.given))
        return operand.label + " is on " + text(operand.given->device);
    }
    return call.mask && !isHere(*call.mask)
               ? "`where` is on " + text(call.mask->device)
               : "";
  }

  /// Refuses what cannot be brought here or back, before anything is done.
  Status checkTransfers() const {
    std::string missing = absent();
    if (missing.empty())
      return {};
    Expected<std::string> obstacle = space.transferObstacle();
    if (!obstacle)
      return obstacle.error();
    if (obstacle->empty())
      return {};
    return Error{KERN_ERROR_ARGUMENT,
                 "`" + call.function->name + "`: " + missing + ", but " +
                     *obstacle + ": all arrays must be on " +
                     text(space.device())};
  }

  Status prepareInput(Operand &operand) {
    if (operand.isScalar || useInPlace(operand))
      return {};
    // A packed copy of the distinct elements: broadcast dimensions stay so.
    StridedView distinct = *operand.given;
    for (size_t i = 0; i < distinct.rank(); ++i)
      if (distinct.strides[i] == 0)
        distinct.shape[i] = std::min<int64_t>(distinct.shape[i], 1);
    const Extents given[] = {distinct.strides};
    Extents strides =
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

  Status prepareOutput(Operand &operand) {
    bool isMasked = call.mask && !isMaskedLaunch(); // afterwards
    if (operand.given && !isMasked && isUsable(operand)) {
      operand.used = *operand.given;
      return {};
    }
    const Extents &shape = call.shapes.results[indexOf(operand)];
    Extents strides = resultStrides(operand);
    if (isMasked && !operand.given) {
      if (Status status = allocate(operand, shape, strides); !status)
        return status;
      operand.given = operand.used;
      operand.masked = std::move(operand.owner);
      if (Status status =
              space.clear(operand.masked.get(), size_t(operand.used.count()) *
                                                    itemSize(operand.dtype));
          !status)
        return status;
    }
    operand.copyBack = operand.given.has_value();
    Status status = allocate(operand, shape, strides);
    if (!status || can.clears || operand.given || !isMaskedLaunch())
      return status;
    return space.clear(operand.owner.get(),
                       size_t(operand.used.count()) * itemSize(operand.dtype));
  }

  /// The mask over the loop's shape, in this space, in memory that no output
  /// shares, where the launch does not look at it.
  Status prepareMask() {
    if (!call.mask || isMaskedLaunch())
      return {};
    mask = *call.mask;
    bool isShared = std::ranges::any_of(operands, [&](const Operand &operand) {
      return operand.isOutput && operand.given &&
             overlapOf(*operand.given, mask) != Overlap::None;
    });
    if (!isHere(mask) || isShared) {
      StridedView copy = mask;
      copy.device = space.device();
      copy.strides = contiguousStrides(copy.shape, 1);
      Expected<std::shared_ptr<void>> memory =
          space.allocate(size_t(copy.count()));
      if (!memory)
        return memory.error();
      maskOwner = std::move(*memory);
      copy.data = static_cast<std::byte *>(maskOwner.get());
      if (Status status = space.copy(copy, mask); !status)
        return status;
      mask = copy;
    }
    mask.strides =
        broadcastStrides(mask.shape, mask.strides, call.shapes.loopShape);
    mask.shape = call.shapes.loopShape;
    return {};
  }

  Status copyBack(const Operand &operand) {
    StridedView used = partFor(operand.used, operand.given->dtype);
    if (!call.mask || isMaskedLaunch() || !operand.isOutput)
      return space.copy(*operand.given, used);
    if (isHere(*operand.given))
      return space.copyWhere(*operand.given, used, mask);
    return copyBackToHost(*operand.given, used);
  }

  /// To bring an array here, change it where the mask says and write it back
  /// would also write what is masked off. So values and mask go there.
  Status copyBackToHost(const StridedView &given, const StridedView &used) {
    HostSpace host;
    auto onHost = [&](const StridedView &view)
        -> Expected<std::pair<StridedView, std::shared_ptr<void>>> {
      StridedView copy = view;
      copy.device = hostDevice();
      copy.strides = contiguousStrides(view.shape, itemSize(view.dtype));
      auto memory = host.allocate(size_t(view.count()) * itemSize(view.dtype));
      if (!memory)
        return memory.error();
      copy.data = static_cast<std::byte *>(memory->get());
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

  Status allocate(Operand &operand, const Extents &shape,
                  const Extents &strides) {
    Expected<size_t> bytes = shapeResult(operand, shape, strides);
    if (!bytes)
      return bytes.error();
    Expected<std::shared_ptr<void>> memory = space.allocate(*bytes);
    if (!memory)
      return Error{memory.error().status,
                   "`" + call.function->name + "`: " + memory.error().message +
                       ", for " + operand.label + " of shape " +
                       shapeText(operand, shape)};
    operand.owner = std::move(*memory);
    operand.used.data = static_cast<std::byte *>(operand.owner.get());
    return {};
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
    if (Status status = space.launch(out, report); !status)
      return status;
    if (explanation)
      *explanation = text(found, placesText());
    return {};
  }

  /// The operands, and what was done before a kernel could take them.
  std::vector<std::string> placesText() const {
    std::vector<std::string> labels;
    for (const Operand &operand : operands) {
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
    for (const Operand &operand : operands) {
      if (!operand.isOutput)
        continue;
      if (operand.given && !operand.masked) {
        out.emplace_back();
        continue;
      }
      bool isMasked = operand.masked != nullptr;
      StridedView view =
          resultView(operand, isMasked ? *operand.given : operand.used);
      if (!call.resultsOnHost || isHost(view.device)) {
        out.push_back(manage(view, isMasked ? operand.masked : operand.owner));
        continue;
      }
      Expected<ManagedArray> array =
          newHostArray(view.dtype, view.shape, view.strides);
      if (!array)
        return array.error();
      StridedView host = view;
      host.device = hostDevice();
      host.data = static_cast<std::byte *>((*array)->dl_tensor.data);
      if (Status status = space.copy(host, view); !status)
        return status.error();
      out.push_back(std::move(*array));
    }
    return out;
  }

  StridedView mask;
  std::shared_ptr<void> maskOwner;
};
} // namespace

Expected<std::vector<ManagedArray>> kern::execute(const BoundCall &call,
                                                  Space &space,
                                                  kern_call_report &report,
                                                  std::string *explanation) {
  return Runner(call, space).run(report, explanation);
}
