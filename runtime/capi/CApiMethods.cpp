//===- CApiMethods.cpp - methods of ufuncs --------------------------------===//
//
// Part of Kern, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "kern/methods.h"
#include "runtime/capi/SizedStruct.h"
#include "runtime/device/host/ThreadPool.h"
#include "runtime/error/Counted.h"
#include "runtime/error/LastError.h"
#include "runtime/launch/Arguments.h"
#include "runtime/methods/Indices.h"
#include "runtime/methods/Methods.h"

using namespace kern::runtime;

static constexpr size_t reportSizes[] = {sizeof(kern_call_report)};
static constexpr StructVersions reportVersions = {"kern_call_report",
                                                  reportSizes};
static constexpr size_t callSizes[] = {sizeof(kern_method_call)};
static constexpr StructVersions callVersions = {"kern_method_call", callSizes};

static Error missing(const char *what) {
  return Error(ErrorCode::null_pointer, {what});
}

/// Reads the options and the report's place, and runs
/// `body(const kern_call_request &, kern_call_report *)`.
template <typename Body>
static Status withOptions(const kern_function &function,
                          const kern_call_options *options,
                          kern_call_report *report, Body body) {
  Expected<std::optional<kern_call_request>> known = readOptions(options);
  if (!known)
    return known.error().in(function.info->name);
  if (report)
    if (Status status = checkSizedPlace(reportVersions, report); !status)
      return status.error().in(function.info->name);
  kern_call_report filled = {};
  host::ThreadLimit limit(*known ? unsigned((*known)->threads) : 0);
  Status status =
      body(*known ? **known : kern_call_request(), report ? &filled : nullptr);
  if (report && status)
    writeSized(reportVersions, &filled, report);
  return status;
}

/// The steps that all methods with one result share.
template <typename Body>
static kern_status single(kern_function *function, const kern_value *array,
                          const DLTensor *output, DLManagedTensor **result,
                          const kern_call_options *options,
                          kern_call_report *report, Body body) {
  return guarded([&]() -> Status {
    if (result)
      *result = nullptr;
    if (!function)
      return missing("the function");
    if (!array)
      return missing("the array").in(function->info->name);
    return withOptions(
        *function, options, report,
        [&](const kern_call_request &read, kern_call_report *filled) -> Status {
          if (!output && !result && !read.allocator)
            return Error(ErrorCode::no_place_for_result, {1})
                .in(function->info->name);
          return body(read, filled);
        });
  });
}

extern "C" kern_status
kern_reduce(kern_function *function, const kern_value *array,
            const kern_value *initial, const DLTensor *output,
            DLManagedTensor **result, const kern_call_options *options,
            kern_call_report *report) {
  return single(function, array, output, result, options, report,
                [&](const kern_call_request &read, kern_call_report *filled) {
                  return reduce(*function, Method::Reduce, *array, initial,
                                output, result, read, filled);
                });
}

extern "C" kern_status
kern_accumulate(kern_function *function, const kern_value *array,
                const DLTensor *output, DLManagedTensor **result,
                const kern_call_options *options, kern_call_report *report) {
  return single(function, array, output, result, options, report,
                [&](const kern_call_request &read, kern_call_report *filled) {
                  return reduce(*function, Method::Accumulate, *array, nullptr,
                                output, result, read, filled);
                });
}

extern "C" kern_status
kern_reduceat(kern_function *function, const kern_value *array,
              const kern_value *indices, const DLTensor *output,
              DLManagedTensor **result, const kern_call_options *options,
              kern_call_report *report) {
  return single(
      function, array, output, result, options, report,
      [&](const kern_call_request &read, kern_call_report *filled) -> Status {
        if (!indices)
          return missing("the array of indices").in(function->info->name);
        return reduceat(*function, *array, *indices, output, result, read,
                        filled);
      });
}

extern "C" kern_status kern_at(kern_function *function, const DLTensor *array,
                               const kern_value *indices, size_t index_count,
                               const kern_value *operand,
                               const kern_call_options *options,
                               kern_call_report *report) {
  return guarded([&]() -> Status {
    if (!function)
      return missing("the function");
    if (!array || (index_count && !indices))
      return missing(array ? "the array of indices" : "the array")
          .in(function->info->name);
    return withOptions(
        *function, options, report,
        [&](const kern_call_request &read, kern_call_report *filled) {
          return at(*function, *array, std::span(indices, index_count), operand,
                    read, filled);
        });
  });
}

extern "C" kern_status
kern_outer(kern_function *function, const kern_value *a, const kern_value *b,
           const DLTensor *const *outputs, DLManagedTensor **results,
           size_t output_count, const kern_call_options *options,
           kern_call_report *report) {
  return guarded([&]() -> Status {
    for (size_t i = 0; results && i < output_count; ++i)
      results[i] = nullptr;
    if (!function)
      return missing("the function");
    const FunctionInfo &info = *function->info;
    if (!a || !b)
      return missing(a ? "the second array" : "the first array").in(info.name);
    if (info.kind != FunctionKind::Ufunc)
      return Error(ErrorCode::method_of_gufunc, {"outer", info.name});
    if (info.parameters.size() != 2)
      return Error(ErrorCode::method_inputs,
                   {"outer", counted(2, "parameter"), info.name,
                    counted(info.parameters.size(), "parameter")});
    if (Status counts =
            checkResultCount(info.name, info.results.size(), output_count);
        !counts)
      return counts;
    return withOptions(
        *function, options, report,
        [&](const kern_call_request &read, kern_call_report *filled) -> Status {
          bool hasPlaces = results || read.allocator;
          for (size_t i = 0; i < output_count && !hasPlaces; ++i)
            if (!outputs || !outputs[i])
              return Error(ErrorCode::no_place_for_result, {i + 1})
                  .in(info.name);
          return outer(*function, *a, *b,
                       outputs ? std::span(outputs, output_count)
                               : std::span<const DLTensor *const>(),
                       results, read, filled);
        });
  });
}

static void describe(const Reduction &plan, size_t rank,
                     kern_method_call &call) {
  call.dtype = kern_dtype(plan.gufunc.value);
  call.element = kern_dtype(plan.gufunc.element);
  call.adds_axis = plan.addsAxis;
  std::vector<size_t> axes = plan.axes;
  if (plan.addsAxis)
    axes.push_back(rank);
  if (plan.gufunc.columns) {
    axes.push_back(plan.column);
    const bool isReduce = plan.gufunc.method == Method::Reduce;
    call.has_axes = 1;
    call.result_axis_count = isReduce ? 1 : 2;
    call.result_axes[0] =
        int64_t(isReduce ? plan.column - (plan.column > axes[0]) : axes[0]);
    if (!isReduce)
      call.result_axes[1] = int64_t(plan.column);
  }
  call.array_axis_count = int(axes.size());
  std::ranges::copy(axes, call.array_axes);
}

extern "C" kern_status
kern_method_resolve(kern_function *function, kern_method method,
                    const DLTensor *array, kern_start start,
                    const DLTensor *output, const kern_call_options *options,
                    kern_method_call *call) {
  return guarded([&]() -> Status {
    if (!function)
      return missing("the function");
    const std::string &name = function->info->name;
    if (!array || !call)
      return missing(array ? "the place for the call" : "the array").in(name);
    if (Status status = checkSizedPlace(callVersions, call); !status)
      return status.error().in(name);
    if (rawValue(method) > KERN_METHOD_REDUCEAT)
      return Error(ErrorCode::unknown_option, {"method", rawValue(method)})
          .in(name);
    if (rawValue(start) > KERN_START_GIVEN)
      return Error(ErrorCode::unknown_option, {"start", rawValue(start)})
          .in(name);
    Expected<std::optional<kern_call_request>> read = readOptions(options);
    if (!read)
      return read.error().in(name);
    const kern_call_request asked = *read ? **read : kern_call_request();
    alignas(16) static constexpr std::byte nothing[16] = {};
    DLTensor form = *array; // whose data may be NULL
    form.data = const_cast<std::byte *>(nothing);
    form.byte_offset = 0;
    Expected<StridedView> view = viewOf(&form, "the array");
    if (!view)
      return view.error().in(name);
    ReductionRequest request;
    request.method = Method(rawValue(method));
    Expected<std::optional<DType>> dtype = dtypeOf(asked);
    if (!dtype)
      return dtype.error().in(name);
    request.dtype = *dtype;
    if (output) {
      request.output = fromDL(output->dtype);
      if (!request.output)
        return Error(ErrorCode::array_type,
                     {"the array for the result", text(output->dtype)})
            .in(name);
    }
    request.axis = asked.axis;
    request.masked = asked.where != nullptr;
    request.onHost = runsOnHost(*view, asked);
    if (rawValue(start) == KERN_START_FIRST)
      request.start = MethodGufunc::Start::First;
    if (rawValue(start) == KERN_START_GIVEN)
      request.start = MethodGufunc::Start::Given;
    Expected<Reduction> plan = planReduction(*function, *view, request);
    if (!plan)
      return plan.error();
    Expected<kern_function *> gufunc = function->method(plan->gufunc);
    if (!gufunc)
      return gufunc.error();
    kern_method_call filled = {};
    filled.gufunc = *gufunc;
    describe(*plan, view->rank(), filled);
    writeSized(callVersions, &filled, call);
    return {};
  });
}

extern "C" kern_status kern_method_resolve_at(kern_function *function,
                                              kern_dtype array,
                                              kern_dtype operand,
                                              int operand_ndim,
                                              kern_function **gufunc) {
  return guarded([&]() -> Status {
    if (!gufunc)
      return missing("the place for the function");
    *gufunc = nullptr;
    if (!function)
      return missing("the function");
    const bool hasOperand = operand_ndim >= 0;
    for (kern_dtype type : {array, operand})
      if (rawValue(type) >= dtypeCount)
        return Error(ErrorCode::unknown_dtype, {rawValue(type)})
            .in(function->info->name);
    Expected<MethodGufunc> wanted =
        atGufunc(*function, DType(array),
                 hasOperand ? std::optional(DType(operand)) : std::nullopt, 1,
                 operand_ndim > 0);
    if (!wanted)
      return wanted.error();
    Expected<kern_function *> made = function->method(*wanted);
    if (!made)
      return made.error();
    *gufunc = *made;
    return {};
  });
}

extern "C" kern_status kern_find_outside(const DLTensor *indices, int64_t low,
                                         int64_t high, int64_t *position) {
  return guarded([&]() -> Status {
    if (!indices || !position)
      return missing(indices ? "the place for the position"
                             : "the array of indices");
    // The usual ones, at once.
    if (indices->ndim == 1 && fromDL(indices->dtype) == DType::I64 &&
        isHost(indices->device) && indices->data && indices->shape) {
      const int64_t stride = indices->strides ? indices->strides[0] : 1;
      *position = findOutside(
          static_cast<const std::byte *>(indices->data) + indices->byte_offset,
          stride * int64_t(sizeof(int64_t)), indices->shape[0], low, high);
      return {};
    }
    Expected<StridedView> view = viewOf(indices, "the array of indices");
    if (!view)
      return view.error();
    if (!isInteger(view->dtype))
      return Error(ErrorCode::index_type,
                   {"the array of indices", name(view->dtype)});
    if (!isHost(view->device))
      return Error(ErrorCode::indices_on_device, {text(view->device)});
    *position = findOutside(*view, low, high);
    return {};
  });
}
