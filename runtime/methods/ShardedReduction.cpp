//===- ShardedReduction.cpp - reductions of arrays on GPUs ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/methods/Reduction.h"

#include "runtime/device/cuda/Memory.h"
#include "runtime/error/LastError.h"
#include "runtime/plan/Shards.h"
#include "runtime/transfer/Copy.h"

#include <algorithm>

using namespace kern::runtime;

namespace {
/// A reduction over the parts of one array.
class PartReductions {
public:
  PartReductions(kern_function &function, const Sharded &array,
                 const kern_value *initial, const Sharded *mask,
                 const kern_call_request &options)
      : function(function), array(array), initial(initial), mask(mask),
        options(options) {}

  Status begin() {
    if (Status status = checkMethod(*function.info, name(Method::Reduce), 2);
        !status)
      return status;
    for (auto [isSet, name] :
         {std::pair(options.call.has_device != 0, "device"),
          std::pair(options.call.stream != nullptr, "stream"),
          std::pair(rawValue(options.order) != KERN_ORDER_DEFAULT, "order"),
          std::pair(options.explanation != nullptr, "explanation"),
          std::pair(options.allocator != nullptr, "allocator"),
          std::pair(options.progress != nullptr, "progress")})
      if (isSet)
        return Error(ErrorCode::not_for_parts, {name});
    if (Status status = checkMask(); !status)
      return status;
    Expected<std::vector<size_t>> axes =
        axesOf(options.axis, array.shape().size(), "the array");
    if (!axes)
      return axes.error();
    combines = !array.isReplicated() && !axes->empty() && axes->front() == 0;
    return {};
  }

  /// Reduces each part on its GPU.
  Status reduceParts(kern_call_report &report) {
    const auto &parts = array.parts();
    const size_t filled = size_t(std::ranges::count_if(
        parts, [](const Sharded::Part &part) { return !isEmpty(part); }));
    if (combines && filled > 1 && function.info->identity.empty())
      return Error(ErrorCode::parts_not_associative, {function.info->name});
    for (size_t i = 0; i < parts.size(); ++i) {
      const Sharded::Part &part = parts[i];
      // Of empty parts alone one says what nothing is reduced to.
      if (combines && isEmpty(part) && (filled || !made.empty()))
        continue;
      kern_call_report one = {};
      const bool isFirst = !combines || made.empty();
      Expected<ManagedArray> result =
          reducePart(i, isFirst ? initial : nullptr, one);
      if (!result)
        return result.error().add(Addition::of_part,
                                  {text(part.gpu->device())});
      report.elements += made.empty() ? 0 : one.elements;
      if (made.empty())
        report = one;
      made.push_back({part.gpu, part.begin, std::move(*result)});
    }
    return {};
  }

  /// The result in parts, as the array is.
  Expected<std::unique_ptr<Sharded>> take() {
    Expected<StridedView> view = viewOf(made.front());
    if (!view)
      return view.error();
    if (!array.isReplicated())
      view->shape[0] = array.shape()[0];
    return std::make_unique<Sharded>(view->dtype, view->shape,
                                     array.isReplicated(), std::move(made));
  }

  /// The results of the parts, combined; a copy on each GPU.
  Expected<std::unique_ptr<Sharded>> combine() {
    if (made.size() > 1)
      if (Status status = reduceResults(); !status)
        return status.error();
    Expected<StridedView> view = viewOf(made.front());
    if (!view)
      return view.error();
    auto out = Sharded::make(view->dtype, view->shape, array.gpus(),
                             /*isReplicated=*/true);
    if (out)
      if (Status status = (*out)->fill(*view); !status)
        return status.error();
    return out;
  }

  bool combines = false; ///< the axis that is dealt is reduced

private:
  static bool isEmpty(const Sharded::Part &part) {
    return part.array->dl_tensor.shape[0] == 0;
  }
  static Expected<StridedView> viewOf(const Sharded::Part &part) {
    return kern::runtime::viewOf(&part.array->dl_tensor, "the part");
  }

  /// Whether each GPU has the mask of its part, or gets a copy.
  Status checkMask() const {
    std::optional<ShardedOperand> operand;
    if (mask) {
      operand = {maskLabel, mask->shape(), 0, !mask->isReplicated()};
    } else if (options.where) {
      Expected<StridedView> view =
          kern::runtime::viewOf(options.where, maskLabel);
      if (!view)
        return view.error();
      operand = {maskLabel, view->shape};
    }
    if (!operand)
      return {};
    if (array.isReplicated() && operand->isDealt)
      return Error(ErrorCode::whole_beside_dealt,
                   {"the array", text(array.shape()), maskLabel});
    if (!array.isReplicated()) {
      const ShardedOperand both[] = {{"the array", array.shape(), 0, true},
                                     *operand};
      if (Status status = checkShards(both); !status)
        return status;
    }
    if (mask && !mask->isOn(array.gpus()))
      return Error(ErrorCode::dealt_over_others, {maskLabel, "the array"});
    return {};
  }

  Expected<ManagedArray> reducePart(size_t i, const kern_value *begin,
                                    kern_call_report &report) const {
    const Sharded::Part &part = array.parts()[i];
    cuda::ContextScope scope(*part.gpu);
    if (!scope.status)
      return scope.status.error();
    kern_call_request asked = options;
    asked.sharded_where = nullptr;
    std::vector<ManagedArray> copies; // freed in the stream's order
    if (mask) {
      asked.where = &mask->parts()[i].array->dl_tensor;
    } else if (options.where) {
      Expected<const DLTensor *> there =
          bringTo(part.gpu, options.where, maskLabel, copies);
      if (!there)
        return there.error();
      asked.where = *there;
    }
    return reduceOn(part.array->dl_tensor, begin, asked, report);
  }

  /// On the GPU whose context is current, which has the array.
  Expected<ManagedArray> reduceOn(const DLTensor &tensor,
                                  const kern_value *begin,
                                  const kern_call_request &asked,
                                  kern_call_report &report) const {
    kern_value value = {KERN_VALUE_ARRAY, KERN_F64, {}};
    value.as.array = &tensor;
    DLManagedTensor *result = nullptr;
    if (Status status = reduce(function, Method::Reduce, value, begin,
                               /*output=*/nullptr, &result, asked, &report);
        !status)
      return status.error();
    return ManagedArray(result);
  }

  /// Puts the result of all in the place of those of the parts.
  Status reduceResults() {
    Expected<StridedView> first = viewOf(made.front());
    if (!first)
      return first.error();
    const std::shared_ptr<cuda::Context> gpu = made.front().gpu;
    StridedView all = *first;
    all.shape.insert(all.shape.begin(), int64_t(made.size()));
    all.strides = contiguousStrides(all.shape, itemSize(all.dtype));
    Expected<Buffer> memory = [&]() -> Expected<Buffer> {
      cuda::ContextScope scope(*gpu);
      if (!scope.status)
        return scope.status.error();
      return memoryFor(
          all, [&](size_t bytes) { return cuda::allocate(gpu, bytes); });
    }();
    if (!memory)
      return memory.error();
    all.data = memory->data();
    for (size_t i = 0; i < made.size(); ++i) {
      Expected<StridedView> from = viewOf(made[i]);
      if (!from)
        return from.error();
      StridedView to = *from;
      to.device = all.device;
      to.data = all.data + int64_t(i) * all.strides[0];
      to.strides.assign(all.strides.begin() + 1, all.strides.end());
      if (Status status = copyAnywhere(to, *from); !status)
        return status;
    }
    kern_call_request asked = {};
    asked.call.size = sizeof asked;
    asked.has_dtype = 1;
    asked.dtype = kern_dtype(all.dtype);
    kern_call_report ignored = {};
    const ManagedArray stacked = manage(all, std::move(*memory));
    cuda::ContextScope scope(*gpu);
    if (!scope.status)
      return scope.status;
    Expected<ManagedArray> result =
        reduceOn(stacked->dl_tensor, /*begin=*/nullptr, asked, ignored);
    if (!result)
      return result.error();
    made.resize(1);
    made.front().array = std::move(*result);
    return {};
  }

  static constexpr const char *maskLabel = "`where`";

  kern_function &function;
  const Sharded &array;
  const kern_value *initial;
  const Sharded *mask; ///< NULL: none, or one of the options
  const kern_call_request &options;
  std::vector<Sharded::Part> made;
};
} // namespace

Expected<std::unique_ptr<Sharded>>
kern::runtime::reduceSharded(kern_function &function, const Sharded &array,
                             const kern_value *initial, const Sharded *mask,
                             const kern_call_request &options,
                             kern_call_report *report) {
  PartReductions reductions(function, array, initial, mask, options);
  if (Status status = reductions.begin(); !status)
    return status.error().in(function.info->name);
  kern_call_report filled = {};
  if (Status status = reductions.reduceParts(filled); !status)
    return status.error();
  if (report)
    *report = filled;
  return reductions.combines ? reductions.combine() : reductions.take();
}
