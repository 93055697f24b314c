//===- CallPlan.cpp - a call, planned, to be made again -------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/launch/CallPlan.h"
#include "runtime/device/cuda/Memory.h"
#include "runtime/device/host/Memory.h"
#include "runtime/space/CudaSpace.h"
#include "runtime/space/HostLoop.h"

#include <cstring>

using namespace kern;

static std::byte *addressOf(const DLTensor &tensor) {
  return static_cast<std::byte *>(tensor.data) + tensor.byte_offset;
}

Value CallPlan::numberAs(size_t k, const void *bits) const {
  const Operand &operand = operands[k];
  DType from = operand.type.carrier();
  Value value = {};
  std::memcpy(value.data(), bits, itemSize(from));
  return from == operand.to ? value : convertValue(value, from, operand.to);
}

void CallPlan::gather(const kern_value *inputs, const DLTensor *const *outputs,
                      const DLTensor *where, CallOperands &given) const {
  for (size_t k = 0; k < operands.size(); ++k) {
    const Operand &operand = operands[k];
    switch (operand.source) {
    case Operand::Source::Input:
      given.addresses[k] = addressOf(*inputs[operand.index].as.array);
      break;
    case Operand::Source::Output:
      given.addresses[k] = addressOf(*outputs[operand.index]);
      break;
    case Operand::Source::Number:
      given.values[k] = numberAs(k, inputs[operand.index].as.bits);
      break;
    case Operand::Source::Element:
      given.values[k] = numberAs(k, addressOf(*inputs[operand.index].as.array));
      break;
    case Operand::Source::Mask:
      given.addresses[k] = addressOf(*where);
      break;
    case Operand::Source::NewResult:
      break;
    }
  }
}

const CallPlan::Relation *CallPlan::brokenBy(const CallOperands &given) const {
  for (const Relation &relation : relations) {
    const Operand &first = operands[relation.first];
    const Operand &second = operands[relation.second];
    int64_t a = wordOf(given.addresses[relation.first]);
    int64_t b = wordOf(given.addresses[relation.second]);
    if (relation.isApart
            ? a + first.high > b + second.low && b + second.high > a + first.low
            : b - a != relation.distance)
      return &relation;
  }
  return nullptr;
}

Status CallPlan::run(CallOperands &given, CUstream stream,
                     std::span<ManagedArray> results,
                     kern_call_report *report) const {
  for (size_t i = 0; i < newResults.size(); ++i) {
    const NewResult &result = newResults[i];
    Expected<std::shared_ptr<void>> memory =
        context ? cuda::allocateOrdered(context, result.bytes, stream)
                : host::allocate(result.bytes);
    if (!memory)
      return Error{memory.error().status,
                   "`" + function + "`: " + memory.error().message +
                       ", for result " +
                       std::to_string(operands[result.operand].index + 1) +
                       " of shape " + text(result.view.shape)};
    auto *data = static_cast<std::byte *>(memory->get());
    given.addresses[result.operand] = data;
    if (result.isCleared && result.bytes > 0)
      if (Status status = CudaSpace(context, stream).clear(data, result.bytes);
          !status)
        return status;
    results[i] = manage(result.view, data, std::move(*memory));
  }
  unsigned threads = launch.report.grid;
  if (isEmpty()) {
    // The results have no elements.
  } else if (!context) {
    Expected<unsigned> used = launchOnHost(given);
    if (!used)
      return Error{used.error().status,
                   "`" + function + "`: " + used.error().message};
    threads = *used;
  } else if (Status status = launchOnGpu(given, stream); !status) {
    return status;
  }
  if (report) {
    *report = launch.report;
    report->grid = threads;
  }
  return {};
}

Expected<unsigned> CallPlan::launchOnHost(CallOperands &given) const {
  std::array<std::byte *, CallOperands::most> places;
  for (size_t k = 0; k < operands.size(); ++k)
    places[k] = operands[k].isValue() ? given.values[k].data()
                                      : given.addresses[k] + operands[k].offset;
  return launch.loop->run(launch.kernel->code->entry,
                          std::span(places).first(operands.size()));
}

Status CallPlan::launchOnGpu(const CallOperands &given, CUstream stream) const {
  std::array<int64_t, FrozenLaunch::mostWords> row;
  const KernelWords &words = launch.words;
  size_t count = words.words.size();
  std::memcpy(row.data(), words.words.data(), count * 8);
  for (size_t k = 0; k < operands.size(); ++k) {
    const Operand &operand = operands[k];
    if (!operand.isValue())
      row[words.pointerAt[k]] = wordOf(given.addresses[k] + operand.offset);
    else
      std::memcpy(&row[words.valueAt[k]], given.values[k].data(),
                  itemSize(operand.to));
  }
  if (Status status =
          cuda::launchAnywhere(*context, launch.kernel->function, launch.shape,
                               std::span(row).first(count), stream);
      !status)
    return Error{status.error().status,
                 "`" + function + "`: " + status.error().message};
  context->noteLaunch(launch.name);
  return {};
}
