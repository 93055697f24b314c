//===- ShardedReduction.cpp - reductions of arrays on GPUs ----------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/methods/Reduction.h"

#include "runtime/device/cuda/Memory.h"
#include "runtime/plan/Layout.h"
#include "runtime/transfer/Copy.h"

#include <algorithm>

using namespace kern::runtime;

namespace {
/// A reduction over the parts of one array.
class PartReductions {
public:
  PartReductions(kern_function &function, const Sharded &array,
                 const kern_call_request &options)
      : function(function), array(array), options(options) {}

  Status begin() {
    if (Status status = checkMethod(*function.info, name(Method::Reduce), 2);
        !status)
      return status;
    for (auto [isSet, name] :
         {std::pair(options.call.has_device != 0, "device"),
          std::pair(options.call.stream != nullptr, "stream"),
          std::pair(options.where != nullptr, "where"),
          std::pair(options.keepdims != 0, "keepdims"),
          std::pair(options.explanation != nullptr, "explanation"),
          std::pair(options.allocator != nullptr, "allocator")})
      if (isSet)
        return Error(ErrorCode::not_for_parts, {name});
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
    for (const Sharded::Part &part : parts) {
      // Of empty parts alone one says what nothing is reduced to.
      if (combines && isEmpty(part) && (filled || !made.empty()))
        continue;
      kern_call_report one = {};
      Expected<ManagedArray> result = reduceOn(
          *part.gpu, &part.array->dl_tensor, options.axis, options, one);
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
    Gpus gpus;
    for (const Sharded::Part &part : array.parts())
      gpus.push_back(part.gpu);
    auto out =
        Sharded::make(view->dtype, view->shape, gpus, /*isReplicated=*/true);
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

  Expected<ManagedArray> reduceOn(cuda::Context &gpu, const DLTensor *tensor,
                                  const kern_axes *axis,
                                  kern_call_request asked,
                                  kern_call_report &report) const {
    cuda::ContextScope scope(gpu);
    if (!scope.status)
      return scope.status.error();
    kern_value value = {KERN_VALUE_ARRAY, KERN_F64, {}};
    value.as.array = tensor;
    asked.axis = axis;
    DLManagedTensor *result = nullptr;
    if (Status status = reduce(function, Method::Reduce, value,
                               /*initial=*/nullptr, /*output=*/nullptr, &result,
                               asked, &report);
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
      return cuda::allocate(gpu, size_t(all.count()) * itemSize(all.dtype));
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
    Expected<ManagedArray> result =
        reduceOn(*gpu, &stacked->dl_tensor, /*axis=*/nullptr, asked, ignored);
    if (!result)
      return result.error();
    made.resize(1);
    made.front().array = std::move(*result);
    return {};
  }

  kern_function &function;
  const Sharded &array;
  const kern_call_request &options;
  std::vector<Sharded::Part> made;
};
} // namespace

Expected<std::unique_ptr<Sharded>>
kern::runtime::reduceSharded(kern_function &function, const Sharded &array,
                             const kern_call_request &options,
                             kern_call_report *report) {
  PartReductions reductions(function, array, options);
  if (Status status = reductions.begin(); !status)
    return status.error().in(function.info->name);
  kern_call_report filled = {};
  if (Status status = reductions.reduceParts(filled); !status)
    return status.error();
  if (report)
    *report = filled;
  return reductions.combines ? reductions.combine() : reductions.take();
}
