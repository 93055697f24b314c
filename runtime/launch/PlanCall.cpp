//===- PlanCall.cpp - a call as one launch to be repeated -----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/CallKey.h"
#include "runtime/launch/Execution.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace kern;

namespace {
class Planner : Execution {
public:
  using Execution::Execution;

  Expected<PlannedCall> plan(std::shared_ptr<cuda::Context> context) {
    if (Status status = gather(); !status)
      return status.error();
    auto no = [](std::string why) {
      return PlannedCall{nullptr, std::move(why)};
    };
    if (operands.size() > CallOperands::most)
      return no("there are more than " + std::to_string(CallOperands::most) +
                " operands");
    if (call.mask && !isMaskedLaunch())
      return no("`where` makes it more than one launch");
    if (!call.obstacle.empty())
      return no(call.obstacle);
    auto out = std::make_shared<CallPlan>();
    out->function = call.function->name;
    out->context = std::move(context);
    isEmpty = std::ranges::count(call.shapes.loopShape, 0) > 0;
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
        out->newResults.push_back({size_t(&operand - operands.data()),
                                   resultView(operand, operand.used), *bytes,
                                   isMaskedLaunch() && !can.clears});
      }
      out->operands.push_back(planOperand(operand));
    }
    if (isEmpty) {
      out->launch.report.device = space.device();
      return PlannedCall{std::move(out), ""};
    }
    relate(*out);
    Launch launch = planLaunch();
    for (size_t k = 0; k < operands.size(); ++k)
      out->operands[k].offset = launch.layout.offsets[k];
    auto frozen = space.freeze(launch);
    if (!frozen)
      return frozen.error();
    if (!*frozen)
      return no("it takes several launches, or has checks to look at");
    out->launch = std::move(**frozen);
    out->launch.report.device = space.device();
    out->launch.report.elements = launch.layout.count();
    return PlannedCall{std::move(out), ""};
  }

private:
  /// Why an input or output cannot be used where it lies; "" if it can.
  std::string obstacleOf(Operand &operand) {
    if (operand.isScalar || !operand.given)
      return "";
    if (isEmpty) { // none of it is touched
      operand.used = *operand.given;
      return "";
    }
    if (!isHere(*operand.given))
      return operand.label + " is brought to " + text(space.device());
    if (!isUsable(operand) && operand.given->dtype != operand.dtype) {
      std::string ours(name(operand.dtype)), theirs(name(operand.given->dtype));
      return operand.label + " is converted from " +
             (operand.isOutput ? ours + " to " + theirs
                               : theirs + " to " + ours);
    }
    if (!isUsable(operand))
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
    } else if (operand.isMask) {
      out.source = Source::Mask;
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

  /// How the arrays must lie for the plan to hold, from their real addresses.
  void relate(CallPlan &plan) const {
    for (size_t i = 0; i < operands.size(); ++i)
      for (size_t k = 0; k < operands.size(); ++k) {
        const CallPlan::Operand &a = plan.operands[i], &b = plan.operands[k];
        bool isTwice = operands[k].isWritten() && k < i;
        if (i == k || isTwice || !operands[i].isWritten() || !a.isGiven() ||
            !b.isGiven())
          continue;
        int64_t x = wordOf(operands[i].given->data);
        int64_t y = wordOf(operands[k].given->data);
        CallPlan::Relation relation = {i, k};
        relation.isApart = x + a.high <= y + b.low || y + b.high <= x + a.low;
        relation.distance = y - x;
        plan.relations.push_back(relation);
      }
  }

  /// Nothing is to be computed: whatever the arrays are, they are not touched.
  bool isEmpty = false;
};
} // namespace

Expected<PlannedCall> kern::planCall(const BoundCall &call, Space &space,
                                     std::shared_ptr<cuda::Context> context) {
  return Planner(call, space).plan(std::move(context));
}
