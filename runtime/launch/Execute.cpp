//===- Execute.cpp - runs a call whose loop and shapes are known ----------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/Execute.h"
#include "runtime/plan/Overlap.h"

#include <algorithm>

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

  Status prepareInput(Operand &operand) {
    if (operand.isScalar)
      return {};
    Overlap overlap = overwritten(operand);
    if (isUsable(operand) &&
        (operand.info->isInout || !mustBeCopied(operand, overlap))) {
      operand.used = *operand.given;
      disjoint &= overlap == Overlap::None;
      return {};
    }
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
    size_t index = size_t(&operand - operands.data()) - call.arguments.size();
    const Extents &shape = call.shapes.results[index];
    size_t loopRank = call.shapes.loopShape.size();
    std::span<const int64_t> core = std::span(shape).subspan(loopRank);
    Extents coreStrides = contiguousStrides(core, itemSize(operand.dtype));
    size_t coreBytes = itemSize(operand.dtype);
    for (int64_t extent : core)
      coreBytes *= size_t(extent);
    Extents strides = packedStrides(call.shapes.loopShape, order,
                                    std::max<size_t>(coreBytes, 1));
    strides.insert(strides.end(), coreStrides.begin(), coreStrides.end());
    operand.copyBack = operand.given.has_value();
    return allocate(operand, shape, strides);
  }

  Status allocate(Operand &operand, const Extents &shape,
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
    Expected<std::shared_ptr<void>> memory = space.allocate(size_t(bytes));
    if (!memory)
      return Error{memory.error().status,
                   "`" + call.function->name + "`: " + memory.error().message +
                       ", for " + operand.label + " of shape " + text(shape)};
    operand.owner = std::move(*memory);
    view.data = static_cast<std::byte *>(operand.owner.get());
    return {};
  }

  Status launch(kern_call_report &report) {
    Launch out;
    out.function = call.function;
    out.loop = call.loop.get();
    out.dims = call.shapes.dims;
    out.disjoint = disjoint;
    std::vector<Extents> strides;
    for (const Operand &operand : operands)
      strides.push_back(loopStrides(operand, operand.used));
    out.layout = planLayout(call.shapes.loopShape, strides);
    report.device = space.device();
    report.elements = out.layout.count();
    if (out.layout.isEmpty)
      return {};
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
    return space.launch(out, report);
  }

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
