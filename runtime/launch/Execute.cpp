//===- Execute.cpp - runs a call whose loop and shapes are known ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Execute.h"
#include "runtime/launch/CallKey.h"
#include "runtime/plan/Overlap.h"

#include <algorithm>
#include <cstring>

using namespace kern;

namespace {
/// One operand on its way to the kernel.
struct Operand {
  const OperandInfo *info = nullptr;
  std::string label; ///< for messages
  DType dtype = DType::F64;
  bool isOutput = false;
  bool isScalar = false;
  Value value = {};
  /// The caller's array, for an output only if one was given.
  std::optional<StridedView> given;
  /// What the kernel uses; where it is not `given`, `owner` holds its memory.
  StridedView used;
  std::shared_ptr<void> owner;
  bool copyBack = false; ///< `used` to `given`, after the launch

  bool isWritten() const { return isOutput || info->isInout; }
  size_t coreRank() const { return info->core.size(); }
  std::span<const int64_t> loopShape(const StridedView &view) const {
    return std::span(view.shape).first(view.rank() - coreRank());
  }
};

class Execution {
public:
  Execution(const BoundCall &call, Space &space) : call(call), space(space) {}

  Expected<std::vector<ManagedArray>> run(kern_call_report &report) {
    if (Status status = gather(); !status)
      return status.error();
    if (Status status = checkWrites(); !status)
      return status.error();
    order = loopOrder();
    for (Operand &operand : operands) {
      Status status =
          operand.isOutput ? prepareOutput(operand) : prepareInput(operand);
      if (!status)
        return status.error();
    }
    if (Status status = launch(report); !status)
      return status.error();
    for (const Operand &operand : operands)
      if (operand.copyBack)
        if (Status status = space.copy(*operand.given, operand.used); !status)
          return status.error();
    return results();
  }

private:
  Status gather() {
    const LoopInfo &loop = call.loop->info();
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      const Argument &argument = call.arguments[i];
      Operand operand;
      operand.info = argument.parameter;
      operand.label = describe(argument);
      operand.dtype = loop.inputs[i].carrier();
      operand.isScalar = argument.isScalar;
      if (argument.isScalar) {
        Expected<Value> value = valueAs(argument, loop.inputs[i]);
        if (!value)
          return value.error();
        operand.value = *value;
      }
      if (argument.isArray)
        operand.given = argument.view;
      operands.push_back(std::move(operand));
    }
    for (size_t i = 0; i < call.outputs.size(); ++i) {
      Operand operand;
      operand.info = &call.function->results[i];
      operand.label = "result " + std::to_string(i + 1);
      operand.dtype = loop.outputs[i];
      operand.isOutput = true;
      operand.given = call.outputs[i];
      operands.push_back(std::move(operand));
    }
    return {};
  }

  /// Refuses arrays that are written and overlap themselves or one another.
  Status checkWrites() const {
    auto refuse = [&](std::string why) {
      return Error{KERN_ERROR_OVERLAP,
                   "`" + call.function->name + "`: " + std::move(why)};
    };
    for (size_t i = 0; i < operands.size(); ++i) {
      const Operand &a = operands[i];
      if (!a.isWritten() || !a.given)
        continue;
      if (overlapsItself(*a.given))
        return refuse("the array of " + a.label +
                      " is written and overlaps itself");
      for (size_t k = 0; k < operands.size(); ++k) {
        const Operand &b = operands[k];
        if (k == i || !b.given || b.isScalar || (b.isWritten() && k < i))
          continue;
        Overlap overlap = Overlap::None;
        if (b.isWritten() || !a.isOutput)
          overlap = overlapOf(*a.given, *b.given);
        if (b.isWritten() && overlap != Overlap::None)
          return refuse("the arrays of " + a.label + " and " + b.label +
                        " are both written and overlap");
        if (overlap == Overlap::Some)
          return refuse("the array of " + a.label +
                        " is read and written and overlaps that of " + b.label);
      }
    }
    return {};
  }

  /// The byte strides of an operand's loop dimensions over the loop's shape.
  Extents loopStrides(const Operand &operand, const StridedView &view) const {
    if (operand.isScalar)
      return Extents(call.shapes.loopShape.size(), 0);
    std::span<const int64_t> shape = operand.loopShape(view);
    return broadcastStrides(shape, std::span(view.strides).first(shape.size()),
                            call.shapes.loopShape);
  }

  /// New outputs lie in memory as the arrays that were given do.
  std::vector<unsigned> loopOrder() const {
    std::vector<Extents> strides;
    for (const Operand &operand : operands)
      if (operand.given && !operand.isScalar)
        strides.push_back(loopStrides(operand, *operand.given));
    return memoryOrder(call.shapes.loopShape, strides);
  }

  bool isHere(const StridedView &view) const {
    return sameDevice(view.device, space.device());
  }
  bool isUsable(const Operand &operand) const {
    return isHere(*operand.given) && operand.given->dtype == operand.dtype &&
           operand.given->isAligned();
  }

  /// How an input shares memory with the arrays that are written.
  Overlap overwritten(const Operand &input) const {
    Overlap worst = Overlap::None;
    for (const Operand &other : operands)
      if (&other != &input && other.isWritten() && other.given)
        worst = std::max(worst, overlapOf(*input.given, *other.given));
    return worst;
  }

  /// Must an input be copied for that? Running exactly in place is fine element
  /// by element; a gufunc may write a result before it (or a thread beside it)
  /// has read all.
  bool mustBeCopied(const Operand &input, Overlap overlap) const {
    bool elementwise = call.function->kind == FunctionKind::Ufunc &&
                       input.given->shape == call.shapes.loopShape;
    return overlap == Overlap::Some ||
           (overlap == Overlap::Exact && !elementwise);
  }

  /// Uses an input where it lies, if the kernel can.
  bool useInPlace(Operand &operand) {
    Overlap overlap = overwritten(operand);
    if (!isUsable(operand) ||
        (!operand.info->isInout && mustBeCopied(operand, overlap)))
      return false;
    operand.used = *operand.given;
    disjoint &= overlap == Overlap::None;
    return true;
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
    if (Status status = space.copy(operand.used, distinct); !status)
      return status;
    operand.used.shape = operand.given->shape;
    for (size_t i = 0; i < distinct.rank(); ++i)
      if (distinct.shape[i] != operand.given->shape[i])
        operand.used.strides[i] = 0;
    operand.copyBack = operand.info->isInout;
    return {};
  }

  Status prepareOutput(Operand &operand) {
    if (operand.given && isUsable(operand)) {
      operand.used = *operand.given;
      return {};
    }
    operand.copyBack = operand.given.has_value();
    const Extents &shape = call.shapes.results[indexOf(operand)];
    return allocate(operand, shape, resultStrides(operand));
  }

  size_t indexOf(const Operand &output) const {
    return size_t(&output - operands.data()) - call.arguments.size();
  }

  /// In bytes, of a result that the call makes: its loop dimensions in the
  /// order of the call, and within them its core dimensions in C order.
  Extents resultStrides(const Operand &operand) const {
    const Extents &shape = call.shapes.results[indexOf(operand)];
    size_t loopRank = call.shapes.loopShape.size();
    std::span<const int64_t> core = std::span(shape).subspan(loopRank);
    Extents coreStrides = contiguousStrides(core, itemSize(operand.dtype));
    size_t coreBytes = itemSize(operand.dtype);
    for (int64_t extent : core)
      coreBytes *= size_t(extent);
    Extents strides = packedStrides(call.shapes.loopShape, order,
                                    std::max<size_t>(coreBytes, 1));
    strides.insert(strides.end(), coreStrides.begin(), coreStrides.end());
    return strides;
  }

  /// Takes the place and the form of a result; returns its size in bytes.
  Expected<size_t> shapeResult(Operand &operand, const Extents &shape,
                               const Extents &strides) {
    StridedView &view = operand.used;
    view.dtype = operand.dtype;
    view.device = space.device();
    view.shape = shape;
    view.strides = strides;
    int64_t bytes = 0;
    if (__builtin_mul_overflow(view.count(), int64_t(itemSize(view.dtype)),
                               &bytes))
      return Error{KERN_ERROR_MEMORY, "`" + call.function->name +
                                          "`: " + operand.label + " of shape " +
                                          text(shape) + " is too large"};
    return size_t(bytes);
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
                       ", for " + operand.label + " of shape " + text(shape)};
    operand.owner = std::move(*memory);
    operand.used.data = static_cast<std::byte *>(operand.owner.get());
    return {};
  }

  Launch planLaunch() const {
    Launch out;
    out.function = call.function;
    out.loop = call.loop.get();
    out.dims = call.shapes.dims;
    out.disjoint = disjoint;
    std::vector<Extents> strides;
    for (const Operand &operand : operands)
      strides.push_back(loopStrides(operand, operand.used));
    out.layout = planLayout(call.shapes.loopShape, strides);
    if (out.layout.isEmpty)
      return out;
    for (size_t k = 0; k < operands.size(); ++k) {
      const Operand &operand = operands[k];
      KernelOperand kernel;
      kernel.dtype = operand.dtype;
      kernel.isOutput = operand.isOutput;
      kernel.hasCore = !operand.info->core.empty();
      kernel.isScalar = operand.isScalar;
      kernel.value = operand.value;
      kernel.loopStrides = out.layout.strides[k];
      if (!operand.isScalar) {
        kernel.data = operand.used.data + out.layout.offsets[k];
        kernel.coreStrides.assign(operand.used.strides.end() -
                                      long(operand.coreRank()),
                                  operand.used.strides.end());
      }
      out.operands.push_back(std::move(kernel));
    }
    return out;
  }

  Status launch(kern_call_report &report) {
    Launch out = planLaunch();
    report.device = space.device();
    report.elements = out.layout.count();
    return out.layout.isEmpty ? Status() : space.launch(out, report);
  }

  /// Why an input or output cannot be used where it lies; "" if it can.
  std::string obstacleOf(Operand &operand) {
    if (operand.isScalar || !operand.given)
      return "";
    if (!isHere(*operand.given))
      return operand.label + " is brought to " + text(space.device());
    if (operand.given->dtype != operand.dtype) {
      std::string ours(name(operand.dtype)), theirs(name(operand.given->dtype));
      return operand.label + " is converted from " +
             (operand.isOutput ? ours + " to " + theirs
                               : theirs + " to " + ours);
    }
    if (!operand.given->isAligned())
      return operand.label + " is not aligned to its elements";
    if (operand.isOutput)
      operand.used = *operand.given;
    else if (!useInPlace(operand))
      return operand.label + " overlaps an array that is written";
    return "";
  }

  /// The operand as the plan keeps it. An address is replaced by one that has
  /// its low bits alone, so that nothing else of it can decide anything.
  CallPlan::Operand planOperand(Operand &operand) {
    using Source = CallPlan::Operand::Source;
    CallPlan::Operand out;
    out.to = operand.dtype;
    bool onHost = isHost(space.device());
    if (operand.isOutput) {
      out.index = indexOf(operand);
      out.source = operand.given ? Source::Output : Source::NewResult;
    } else {
      const Argument &argument =
          call.arguments[size_t(&operand - operands.data())];
      out.index = argument.position - 1;
      out.type = argument.type;
      out.source = !argument.isScalar ? Source::Input
                   : argument.isArray ? Source::Element
                                      : Source::Number;
      if (argument.type.form == ArgType::Form::WeakInt) {
        int64_t integer = 0;
        std::memcpy(&integer, argument.value.data(), sizeof integer);
        out.integerClass = weakIntegerClass(integer);
      }
    }
    if (out.isValue())
      return out;
    constexpr uint64_t somewhere = uint64_t(1) << 32;
    StridedView &view = operand.used;
    if (out.isGiven()) {
      out.addressMask = onHost ? hostAddressMask : deviceAddressMask;
      out.lowBits =
          uint64_t(reinterpret_cast<uintptr_t>(view.data)) & out.addressMask;
      for (size_t i = 0; i < view.rank(); ++i) {
        int64_t reach =
            view.strides[i] * std::max<int64_t>(view.shape[i] - 1, 0);
        (reach < 0 ? out.low : out.high) += reach;
      }
      out.high += int64_t(itemSize(view.dtype));
    }
    view.data = reinterpret_cast<std::byte *>(somewhere + out.lowBits);
    return out;
  }

  /// How the arrays must lie for the plan to hold, from their real addresses.
  void relate(CallPlan &plan) const {
    for (size_t i = 0; i < operands.size(); ++i)
      for (size_t k = 0; k < operands.size(); ++k) {
        const CallPlan::Operand &a = plan.operands[i], &b = plan.operands[k];
        bool isTwice = operands[k].isWritten() && k < i;
        if (i == k || isTwice || !operands[i].isWritten() || !a.isGiven() ||
            !b.isGiven())
          continue;
        auto x = int64_t(reinterpret_cast<uintptr_t>(operands[i].given->data));
        auto y = int64_t(reinterpret_cast<uintptr_t>(operands[k].given->data));
        CallPlan::Relation relation = {i, k};
        relation.isApart = x + a.high <= y + b.low || y + b.high <= x + a.low;
        relation.distance = y - x;
        plan.relations.push_back(relation);
      }
  }

public:
  Expected<PlannedCall> plan(std::shared_ptr<cuda::Context> context) {
    if (Status status = gather(); !status)
      return status.error();
    if (Status status = checkWrites(); !status)
      return status.error();
    order = loopOrder();
    auto no = [](std::string why) { return PlannedCall{nullptr, why}; };
    if (operands.size() > CallOperands::most)
      return no("there are more than " + std::to_string(CallOperands::most) +
                " operands");
    auto out = std::make_shared<CallPlan>();
    out->function = call.function->name;
    out->context = std::move(context);
    for (Operand &operand : operands) {
      if (std::string obstacle = obstacleOf(operand); !obstacle.empty())
        return no(std::move(obstacle));
      if (operand.isOutput && !operand.given) {
        if (call.resultsOnHost && !isHost(space.device()))
          return no(operand.label + " is brought to the host");
        Expected<size_t> bytes =
            shapeResult(operand, call.shapes.results[indexOf(operand)],
                        resultStrides(operand));
        if (!bytes)
          return bytes.error();
        out->newResults.push_back(
            {size_t(&operand - operands.data()), operand.used, *bytes});
      }
      out->operands.push_back(planOperand(operand));
    }
    relate(*out);
    Launch launch = planLaunch();
    if (launch.layout.isEmpty)
      return no("there is nothing to do");
    for (size_t k = 0; k < operands.size(); ++k)
      out->operands[k].offset = launch.layout.offsets[k];
    auto frozen = space.freeze(launch);
    if (!frozen)
      return frozen.error();
    if (!*frozen)
      return no("it takes several launches");
    out->launch = std::move(**frozen);
    out->launch.report.device = space.device();
    out->launch.report.elements = launch.layout.count();
    return PlannedCall{std::move(out), ""};
  }

private:
  Expected<std::vector<ManagedArray>> results() {
    std::vector<ManagedArray> out;
    for (const Operand &operand : operands) {
      if (!operand.isOutput)
        continue;
      if (operand.given) {
        out.emplace_back();
        continue;
      }
      const StridedView &view = operand.used;
      if (!call.resultsOnHost || isHost(view.device)) {
        out.push_back(manage(view, operand.owner));
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

  const BoundCall &call;
  Space &space;
  std::vector<Operand> operands;
  std::vector<unsigned> order;
  /// No operand that is written shares memory with another one.
  bool disjoint = true;
};
} // namespace

Expected<std::vector<ManagedArray>>
kern::execute(const BoundCall &call, Space &space, kern_call_report &report) {
  return Execution(call, space).run(report);
}

Expected<PlannedCall> kern::planCall(const BoundCall &call, Space &space,
                                     std::shared_ptr<cuda::Context> context) {
  return Execution(call, space).plan(std::move(context));
}
