//===- CallPlan.cpp - plans of calls --------------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/CallPlan.h"
#include "runtime/device/cuda/Captures.h"
#include "runtime/device/cuda/Memory.h"
#include "runtime/device/host/Memory.h"
#include "runtime/launch/BoundOperands.h"
#include "runtime/launch/CallKey.h"
#include "runtime/launch/ResultMemory.h"
#include "runtime/space/BlasLaunch.h"
#include "runtime/space/CudaSpace.h"
#include "runtime/space/HostLoop.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

using namespace kern::runtime;

static std::byte *addressOf(const DLTensor &tensor) {
  return static_cast<std::byte *>(tensor.data) + tensor.byte_offset;
}

Value CallPlan::numberAs(size_t k, const void *bits) const {
  const PlannedOperand &operand = operands[k];
  DType from = operand.type.carrier();
  Value value = {};
  std::memcpy(value.data(), bits, itemSize(from));
  return from == operand.to ? value : convertValue(value, from, operand.to);
}

void CallPlan::gather(const kern_value *inputs, const DLTensor *const *outputs,
                      const DLTensor *where, CallOperands &given) const {
  for (size_t k = 0; k < operands.size(); ++k) {
    const PlannedOperand &operand = operands[k];
    switch (operand.source) {
    case PlannedOperand::Source::Input:
      given.addresses[k] = addressOf(*inputs[operand.index].as.array);
      break;
    case PlannedOperand::Source::Range:
      given.addresses[k] =
          std::bit_cast<std::byte *>(inputs[operand.index].as.range->start);
      break;
    case PlannedOperand::Source::Output:
      given.addresses[k] = addressOf(*outputs[operand.index]);
      break;
    case PlannedOperand::Source::Number:
      given.values[k] = numberAs(k, inputs[operand.index].as.bits);
      break;
    case PlannedOperand::Source::Element:
      given.values[k] = numberAs(k, addressOf(*inputs[operand.index].as.array));
      break;
    case PlannedOperand::Source::Mask:
      given.addresses[k] = addressOf(*where);
      break;
    case PlannedOperand::Source::NewResult:
      break;
    }
  }
}

const OverlapRelation *CallPlan::brokenBy(const CallOperands &given) const {
  for (const OverlapRelation &relation : relations) {
    const PlannedOperand &first = operands[relation.first];
    const PlannedOperand &second = operands[relation.second];
    int64_t a = wordOf(given.addresses[relation.first]);
    int64_t b = wordOf(given.addresses[relation.second]);
    if (relation.isDisjoint
            ? a + first.high > b + second.low && b + second.high > a + first.low
            : b - a != relation.distance)
      return &relation;
  }
  return nullptr;
}

Expected<std::byte *> CallPlan::allocate(const NewResult &result,
                                         CUstream stream,
                                         const kern_allocator *allocator,
                                         ManagedArray &array) const {
  size_t index = operands[result.operand].index;
  if (allocator)
    return allocateResult(*allocator, function, index, result.view);
  Expected<Buffer> memory =
      context ? cuda::allocateOrdered(context, result.bytes, stream)
              : host::allocate(result.bytes);
  if (!memory)
    return memory.error().in(function).add(
        Addition::for_operand,
        {"result " + std::to_string(index + 1), text(result.view.shape)});
  std::byte *data = memory->data();
  array = manage(result.view, data, std::move(*memory));
  return data;
}

Status CallPlan::orderUses(cuda::CallOrder &order,
                           const CallOperands &given) const {
  Status status = order.begin();
  if (!order.isNeeded() || isEmpty())
    return status;
  for (size_t k = 0; k < operands.size() && status; ++k)
    if (operands[k].isGiven())
      status = order.use(given.addresses[k], operands[k].isWritten);
  return status;
}

Status CallPlan::run(CallOperands &given, CUstream stream,
                     const kern_allocator *allocator,
                     std::span<ManagedArray> results,
                     kern_call_report *report) const {
  std::optional<cuda::CallOrder> order; // until all is enqueued
  if (context)
    if (Status status = orderUses(order.emplace(*context, stream), given);
        !status)
      return status.error().in(function);
  for (size_t i = 0; i < newResults.size(); ++i) {
    const NewResult &result = newResults[i];
    Expected<std::byte *> data =
        allocate(result, stream, allocator, results[i]);
    if (!data)
      return data.error();
    given.addresses[result.operand] = *data;
    if (result.isCleared && result.bytes > 0)
      if (Status status = CudaSpace(context, stream).clear(*data, result.bytes);
          !status)
        return status;
  }
  unsigned threads = launch.report.grid;
  if (isEmpty()) {
    // The results have no elements.
  } else if (!context) {
    Expected<unsigned> used = traced([&] { return traceLabel("run"); },
                                     [&] { return launchOnHost(given); });
    if (!used)
      return used.error().in(function);
    threads = *used;
  } else if (Status status = traced([&] { return traceLabel("enqueue"); },
                                    [&] { return launchOnGpu(given, stream); });
             !status) {
    return status;
  }
  if (report) {
    *report = launch.report;
    report->grid = threads;
  }
  return {};
}

TraceLabel CallPlan::traceLabel(const char *step) const {
  return {KERN_TRACE_LAUNCH,    step, function,
          launch.report.device, 0,    uint64_t(launch.report.elements)};
}

Expected<unsigned> CallPlan::launchOnHost(CallOperands &given) const {
  std::array<std::byte *, CallOperands::maxCount> places;
  for (size_t k = 0; k < operands.size(); ++k)
    places[k] = operands[k].isValue() ? given.values[k].data()
                                      : given.addresses[k] + operands[k].offset;
  return launch.loop->run(launch.kernel->code->entry,
                          std::span(places).first(operands.size()));
}

Status CallPlan::launchOnGpu(const CallOperands &given, CUstream stream) const {
  for (const LaunchTemplate *one = &launch; one; one = one->next.get())
    if (Status status = launchOnGpu(*one, given, stream); !status)
      return status;
  return {};
}

Status CallPlan::launchOnGpu(const LaunchTemplate &launch,
                             const CallOperands &given, CUstream stream) const {
  if (launch.product) {
    auto at = [&](const MatrixProduct::Matrix &matrix) {
      return given.addresses[matrix.operand] + operands[matrix.operand].offset;
    };
    Status status =
        launchProduct(context, stream, *launch.product, launch.name, at);
    return status ? status : status.error().in(function);
  }
  std::array<int64_t, LaunchTemplate::maxWords> row;
  const KernelWords &words = launch.words;
  size_t count = words.words.size();
  std::memcpy(row.data(), words.words.data(), count * 8);
  const std::vector<LaunchTemplate::Source> &sources = launch.sources;
  for (size_t i = 0; i < words.pointerAt.size(); ++i) {
    size_t k = sources.empty() ? i : sources[i].operand;
    int64_t moved = sources.empty() ? 0 : sources[i].offset;
    const PlannedOperand &operand = operands[k];
    if (!operand.isValue())
      row[words.pointerAt[i]] =
          wordOf(given.addresses[k] + operand.offset + moved);
    else
      std::memcpy(&row[words.valueAt[i]], given.values[k].data(),
                  itemSize(operand.to));
  }
  Buffer memory; // freed in stream order
  if (launch.scratchBytes > 0) {
    auto allocated =
        cuda::allocateOrdered(context, launch.scratchBytes, stream);
    if (!allocated)
      return allocated.error().in(function);
    memory = std::move(*allocated);
  }
  if (size_t bytes = launch.scratchBytes - launch.clearedFrom)
    if (Status status = CudaSpace(context, stream)
                            .clear(memory.data() + launch.clearedFrom, bytes);
        !status)
      return status.error().in(function);
  for (size_t at : words.scratchAt)
    row[at] += wordOf(memory.data());
  context->captures().keep(stream, launch.kernel->module);
  cuda::GridBlock shape = launch.shape;
  int64_t index = 0;
  for (unsigned grid : launch.grids) {
    shape.grid = grid;
    if (words.launchAt != KernelWords::none)
      row[words.launchAt] = index++;
    if (Status status =
            cuda::launchAnywhere(*context, launch.kernel->function, shape,
                                 std::span(row).first(count), stream);
        !status)
      return status.error().in(function);
  }
  context->noteLaunch(launch.name);
  return {};
}

namespace {
class CallPlanner : BoundOperands {
public:
  using BoundOperands::BoundOperands;

  Expected<CallPlan::Attempt> plan(std::shared_ptr<cuda::Context> context) {
    if (Status status = gather(); !status)
      return status.error();
    auto no = [](Obstacle why) {
      return CallPlan::Attempt{nullptr, std::move(why)};
    };
    if (operands.size() > CallOperands::maxCount)
      return no({ObstacleKind::too_many_operands, {CallOperands::maxCount}});
    if (call.mask && !isMaskedLaunch())
      return no(ObstacleKind::separate_mask);
    if (call.obstacle)
      return no(call.obstacle);
    auto out = std::make_shared<CallPlan>();
    out->function = call.function->name;
    out->context = std::move(context);
    isEmpty = std::ranges::count(call.shapes.loopShape, 0) > 0;
    for (BoundOperand &operand : operands) {
      if (Obstacle obstacle = obstacleOf(operand))
        return no(std::move(obstacle));
      if (operand.isOutput && !operand.given) {
        if (call.resultsOnHost && !isHost(space.device()))
          return no(
              {ObstacleKind::brought_to_device, {operand.label, "the host"}});
        Expected<size_t> bytes =
            shapeResult(operand, call.shapes.results[indexOf(operand)],
                        resultStrides(operand));
        if (!bytes)
          return bytes.error();
        out->newResults.push_back({size_t(&operand - operands.data()),
                                   resultView(operand, operand.used), *bytes,
                                   isMaskedLaunch() && !can.clears});
      }
      out->operands.push_back(planOperand(operand));
    }
    if (isEmpty) {
      out->launch.report.device = space.device();
      return CallPlan::Attempt{std::move(out), {}};
    }
    relate(*out);
    Launch launch = planLaunch();
    for (size_t k = 0; k < operands.size(); ++k)
      out->operands[k].offset =
          launch.layout.offsets[k] * launch.operands[k].rangeStep.value_or(1);
    auto prepared = space.prepare(launch);
    if (!prepared)
      return prepared.error();
    if (!*prepared)
      return no(ObstacleKind::several_launches);
    out->launch = std::move(**prepared);
    out->launch.report.device = space.device();
    out->launch.report.elements = launch.layout.count();
    return CallPlan::Attempt{std::move(out), {}};
  }

private:
  /// Why an input or output cannot be used in place.
  Obstacle obstacleOf(BoundOperand &operand) {
    if (operand.isScalar || operand.range || !operand.given)
      return {};
    if (isEmpty) { // none of it is accessed
      operand.used = *operand.given;
      return {};
    }
    if (!isHere(*operand.given))
      return {ObstacleKind::brought_to_device,
              {operand.label, text(space.device())}};
    if (!isUsable(operand) && operand.given->dtype != operand.dtype) {
      DType from = operand.given->dtype, to = operand.dtype;
      if (operand.isOutput)
        std::swap(from, to);
      return {ObstacleKind::converted, {operand.label, name(from), name(to)}};
    }
    if (!isUsable(operand))
      return {ObstacleKind::unaligned, {operand.label}};
    if (operand.isOutput)
      operand.used = *operand.given;
    else if (!useInPlace(operand))
      return {ObstacleKind::overwritten, {operand.label}};
    return {};
  }

  /// The operand as the plan keeps it. Only the low bits of its address are
  /// kept, so that no decision can depend on the others.
  PlannedOperand planOperand(BoundOperand &operand) {
    using Source = PlannedOperand::Source;
    PlannedOperand out;
    out.to = operand.dtype;
    out.isWritten = operand.isWritten();
    bool onHost = isHost(space.device());
    if (operand.isOutput) {
      out.index = indexOf(operand);
      out.source = operand.given ? Source::Output : Source::NewResult;
    } else if (operand.isMask) {
      out.source = Source::Mask;
    } else {
      const Argument &argument =
          call.arguments[size_t(&operand - operands.data())];
      out.index = argument.position - 1;
      out.type = argument.type;
      out.source = argument.range       ? Source::Range
                   : !argument.isScalar ? Source::Input
                   : argument.isArray   ? Source::Element
                                        : Source::Number;
      if (argument.range)
        out.first = argument.range->start;
      if (argument.type.weakness == Weakness::Int) {
        int64_t integer = 0;
        std::memcpy(&integer, argument.value.data(), sizeof integer);
        out.integerClass = weakIntegerClass(integer);
      }
    }
    if (out.isValue() || out.source == Source::Range)
      return out;
    constexpr uint64_t somewhere = uint64_t(1) << 32;
    StridedView &view = operand.used;
    if (isEmpty)
      return out;
    if (out.isGiven()) {
      out.addressMask = onHost ? hostAddressMask : deviceAddressMask;
      out.lowBits =
          uint64_t(reinterpret_cast<uintptr_t>(view.data)) & out.addressMask;
      for (size_t i = 0; i < view.rank(); ++i) {
        int64_t reach =
            view.strides[i] * std::max<int64_t>(view.shape[i] - 1, 0);
        (reach < 0 ? out.low : out.high) += reach;
      }
      out.high += int64_t(itemSize(operand.given->dtype));
    }
    view.data = std::bit_cast<std::byte *>(somewhere + out.lowBits);
    return out;
  }

  /// Records, from the addresses, how the arrays must overlap for the plan to
  /// hold.
  void relate(CallPlan &plan) const {
    for (size_t i = 0; i < operands.size(); ++i)
      for (size_t k = 0; k < operands.size(); ++k) {
        const PlannedOperand &a = plan.operands[i], &b = plan.operands[k];
        bool isTwice = operands[k].isWritten() && k < i;
        if (i == k || isTwice || !operands[i].isWritten() || !a.isGiven() ||
            !b.isGiven())
          continue;
        int64_t x = wordOf(operands[i].given->data);
        int64_t y = wordOf(operands[k].given->data);
        OverlapRelation relation = {i, k};
        relation.isDisjoint =
            x + a.high <= y + b.low || y + b.high <= x + a.low;
        relation.distance = y - x;
        plan.relations.push_back(relation);
      }
  }

  /// Nothing is to be computed, and no array is accessed.
  bool isEmpty = false;
};
} // namespace

Expected<CallPlan::Attempt>
CallPlan::make(const BoundCall &call, Space &space,
               std::shared_ptr<cuda::Context> context) {
  return CallPlanner(call, space).plan(std::move(context));
}
