//===- CApiSharded.cpp - the C interface: arrays over several GPUs --------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/sharded.h"
#include "runtime/capi/SizedStruct.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/Arguments.h"
#include "runtime/launch/ShardedCall.h"
#include "runtime/methods/Reduction.h"
#include "runtime/module/Function.h"
#include "runtime/plan/Overlap.h"

using namespace kern::runtime;

struct kern_sharded {
  std::unique_ptr<Sharded> array;
};

static Error missing(const char *what) {
  return Error(ErrorCode::null_pointer, {what});
}

static Expected<Gpus> gpusOf(const kern_device *devices, size_t count) {
  if (count && !devices)
    return missing("the devices");
  return Sharded::gpusOf(std::span(devices, count));
}

/// The mask in parts of options that were read.
static const Sharded *maskOf(const std::optional<kern_call_request> &options) {
  return options && options->sharded_where ? options->sharded_where->array.get()
                                           : nullptr;
}

static kern_sharded *handleOf(std::unique_ptr<Sharded> array) {
  auto out = std::make_unique<kern_sharded>();
  out->array = std::move(array);
  return out.release();
}

extern "C" kern_status kern_sharded_new(kern_dtype dtype, int ndim,
                                        const int64_t *shape,
                                        const kern_device *devices,
                                        size_t device_count,
                                        kern_sharded **array) {
  return guarded([&]() -> Status {
    if (!array)
      return missing("the place for the array");
    *array = nullptr;
    if (rawValue(dtype) >= dtypeCount)
      return Error(ErrorCode::unknown_dtype, {rawValue(dtype)});
    // The same checks as for any array; the data is never accessed.
    DLTensor form = {};
    char anything = 0;
    form.data = &anything;
    form.device = hostDevice();
    form.ndim = ndim;
    form.dtype = toDL(DType(dtype));
    form.shape = const_cast<int64_t *>(shape);
    Expected<StridedView> view = viewOf(&form, "the new array");
    if (!view)
      return view.error();
    Expected<Gpus> gpus = gpusOf(devices, device_count);
    if (!gpus)
      return gpus.error();
    auto made = Sharded::make(DType(dtype), view->shape, *gpus,
                              /*isReplicated=*/false);
    if (!made)
      return made.error();
    *array = handleOf(std::move(*made));
    return {};
  });
}

static kern_status spread(const DLTensor *source, const kern_device *devices,
                          size_t count, kern_sharded **array,
                          bool isReplicated) {
  return guarded([&]() -> Status {
    if (!array)
      return missing("the place for the array");
    *array = nullptr;
    Expected<StridedView> from = viewOf(source, "the source");
    if (!from)
      return from.error();
    Expected<Gpus> gpus = gpusOf(devices, count);
    if (!gpus)
      return gpus.error();
    auto made = Sharded::make(from->dtype, from->shape, *gpus, isReplicated);
    if (!made)
      return made.error();
    if (Status status = (*made)->fill(*from); !status)
      return status;
    *array = handleOf(std::move(*made));
    return {};
  });
}

extern "C" kern_status kern_sharded_scatter(const DLTensor *source,
                                            const kern_device *devices,
                                            size_t device_count,
                                            kern_sharded **array) {
  return spread(source, devices, device_count, array, /*isReplicated=*/false);
}

extern "C" kern_status kern_sharded_replicate(const DLTensor *source,
                                              const kern_device *devices,
                                              size_t device_count,
                                              kern_sharded **array) {
  return spread(source, devices, device_count, array, /*isReplicated=*/true);
}

extern "C" kern_status kern_sharded_assign(kern_sharded *destination,
                                           const DLTensor *source) {
  return guarded([&]() -> Status {
    if (!destination)
      return missing("the destination");
    Expected<StridedView> from = viewOf(source, "the source");
    return from ? destination->array->fill(*from) : Status(from.error());
  });
}

extern "C" kern_status kern_sharded_gather(const kern_sharded *source,
                                           const DLTensor *destination) {
  return guarded([&]() -> Status {
    if (!source)
      return missing("the source");
    Expected<StridedView> to = viewOf(destination, "the destination");
    if (!to)
      return to.error();
    if (overlapsItself(*to))
      return Error(ErrorCode::destination_overlaps_itself);
    return source->array->gather(*to);
  });
}

extern "C" const DLTensor *kern_sharded_form(const kern_sharded *array) {
  return array ? &array->array->form() : nullptr;
}

extern "C" int kern_sharded_is_replicated(const kern_sharded *array) {
  return array && array->array->isReplicated();
}

extern "C" size_t kern_sharded_part_count(const kern_sharded *array) {
  return array ? array->array->parts().size() : 0;
}

extern "C" const DLTensor *kern_sharded_part(const kern_sharded *array,
                                             size_t index) {
  return index < kern_sharded_part_count(array)
             ? &array->array->parts()[index].array->dl_tensor
             : nullptr;
}

extern "C" int64_t kern_sharded_begin(const kern_sharded *array, size_t index) {
  return index < kern_sharded_part_count(array)
             ? array->array->parts()[index].begin
             : 0;
}

extern "C" kern_status kern_sharded_synchronize(const kern_sharded *array) {
  return guarded([&]() -> Status {
    return array ? array->array->synchronize() : Status(missing("the array"));
  });
}

extern "C" void kern_sharded_release(kern_sharded *array) {
  std::unique_ptr<kern_sharded> owner(array);
}

static constexpr size_t reportSizes[] = {sizeof(kern_call_report)};
static constexpr StructVersions reportVersions = {"kern_call_report",
                                                  reportSizes};

extern "C" kern_status
kern_sharded_call(kern_function *function, const kern_sharded_value *inputs,
                  size_t input_count, kern_sharded *const *outputs,
                  kern_sharded **results, size_t output_count,
                  const kern_call_options *options, kern_call_report *report) {
  return guarded([&]() -> Status {
    if (!function)
      return missing("the function");
    const FunctionInfo &info = *function->info;
    for (size_t i = 0; results && i < output_count; ++i)
      results[i] = nullptr;
    if (Status counts = checkCounts(info, inputs, input_count, output_count);
        !counts)
      return counts;
    std::vector<Sharded *> places(output_count);
    for (size_t i = 0; i < output_count; ++i) {
      if (outputs && outputs[i])
        places[i] = outputs[i]->array.get();
      else if (!results)
        return Error(ErrorCode::no_place_for_result, {i + 1}).in(info.name);
    }
    if (report)
      if (Status status = checkSizedPlace(reportVersions, report); !status)
        return status.error().in(info.name);
    Expected<std::optional<kern_call_request>> known =
        readOptions(options, /*isOverParts=*/true);
    if (!known)
      return known.error().in(info.name);
    std::vector<ShardedArgument> arguments;
    for (size_t i = 0; i < input_count; ++i)
      arguments.push_back(
          {inputs[i].sharded ? inputs[i].sharded->array.get() : nullptr,
           inputs[i].value});
    kern_call_report filled = {};
    auto made = callSharded(*function, arguments, places, maskOf(*known),
                            *known ? &**known : nullptr, &filled);
    if (!made)
      return made.error();
    std::vector<std::unique_ptr<kern_sharded>> handles(output_count);
    for (size_t i = 0; i < output_count; ++i)
      if ((*made)[i])
        handles[i].reset(handleOf(std::move((*made)[i])));
    for (size_t i = 0; results && i < output_count; ++i)
      results[i] = handles[i].release();
    if (report)
      writeSized(reportVersions, &filled, report);
    return {};
  });
}

extern "C" kern_status kern_sharded_reduce(kern_function *function,
                                           const kern_sharded *array,
                                           const kern_value *initial,
                                           kern_sharded **result,
                                           const kern_call_options *options,
                                           kern_call_report *report) {
  return guarded([&]() -> Status {
    if (result)
      *result = nullptr;
    if (!function)
      return missing("the function");
    const std::string &name = function->info->name;
    if (!array)
      return missing("the array").in(name);
    if (!result)
      return Error(ErrorCode::no_place_for_result, {1}).in(name);
    if (report)
      if (Status status = checkSizedPlace(reportVersions, report); !status)
        return status.error().in(name);
    Expected<std::optional<kern_call_request>> known =
        readOptions(options, /*isOverParts=*/true);
    if (!known)
      return known.error().in(name);
    kern_call_report filled = {};
    auto made = reduceSharded(*function, *array->array, initial, maskOf(*known),
                              known->value_or(kern_call_request()), &filled);
    if (!made)
      return made.error();
    *result = handleOf(std::move(*made));
    if (report)
      writeSized(reportVersions, &filled, report);
    return {};
  });
}
